; kernels for x86_64-avx2
; mir @attention_backward {
;   %0 = input("x1") : f32[1, 2, 8]
;   %1 = input("x2") : f32[1, 2, 8]
;   %2 = input("x3") : f32[1, 2, 8]
;   %3 = input("x4") : f32[1, 2, 8]
;   %4:3 = attention_backward(%0, %1, %2, %3, num_heads=1, head_dim=8, mask_kind=none, num_kv_heads=1) : (f32[1, 2, 8], f32[1, 2, 8], f32[1, 2, 8])
;   return y1=%4.0, y2=%4.1, y3=%4.2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @attention_backward_3932911b(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 2
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 0
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 3
%a3 = load ptr, ptr %a3.p, align 8
%s8 = alloca <8 x float>
%s9 = alloca <8 x float>
%s10 = alloca <8 x float>
%s11 = alloca <8 x float>
%s12 = alloca <8 x float>
%s13 = alloca <8 x float>
%s14 = alloca <8 x float>
%s15 = alloca <8 x float>
%s16 = alloca <8 x float>
%s17 = alloca <8 x float>
%s18 = alloca <8 x float>
%s19 = alloca <8 x float>
%s20 = alloca <8 x float>
%s21 = alloca <8 x float>
%s22 = alloca <8 x float>
%s23 = alloca <8 x float>
%s24 = alloca <8 x float>
%s25 = alloca <8 x float>
%s26 = alloca <8 x float>
%s27 = alloca <8 x float>
%s28 = alloca <8 x float>
%s29 = alloca <8 x float>
%s30 = alloca <8 x float>
%s31 = alloca <8 x float>
%s32 = alloca <8 x float>
%s33 = alloca <8 x float>
%s34 = alloca <8 x float>
%s35 = alloca <8 x float>
%s36 = alloca <8 x float>
%s37 = alloca <8 x float>
%s38 = alloca <8 x float>
%s39 = alloca <8 x float>
%s40 = alloca <8 x float>
%s41 = alloca <8 x float>
%s42 = alloca <8 x float>
%s43 = alloca <8 x float>
%s44 = alloca <8 x float>
%s45 = alloca <8 x float>
%s46 = alloca <8 x float>
%s47 = alloca <8 x float>
%s48 = alloca <8 x float>
%s49 = alloca <8 x float>
%s50 = alloca <8 x float>
%s51 = alloca <8 x float>
%s52 = alloca <8 x float>
%s53 = alloca <8 x float>
%s54 = alloca <8 x float>
%s55 = alloca <8 x float>
%s56 = alloca <8 x float>
%s57 = alloca <8 x float>
%s58 = alloca <8 x float>
%s59 = alloca <8 x float>
%s60 = alloca <8 x float>
%s61 = alloca <8 x float>
%s62 = alloca <8 x float>
%s63 = alloca <8 x float>
%s64 = alloca <8 x float>
%s65 = alloca <8 x float>
%s66 = alloca <8 x float>
%s67 = alloca <8 x float>
%s68 = alloca <8 x float>
%s69 = alloca <8 x float>
%s70 = alloca <8 x float>
%s71 = alloca <8 x float>
%s72 = alloca <8 x float>
%s73 = alloca <8 x float>
%a4.p = getelementptr i64, ptr %args, i64 4
%a4 = load ptr, ptr %a4.p, align 8
%s76 = alloca <8 x float>
%s77 = alloca <8 x float>
%s78 = alloca <8 x float>
%s79 = alloca <8 x float>
%s80 = alloca <8 x float>
%s81 = alloca <8 x float>
%s82 = alloca <8 x float>
%s83 = alloca <8 x float>
%s84 = alloca <8 x float>
%s85 = alloca <8 x float>
%s86 = alloca <8 x float>
%s87 = alloca <8 x float>
%s88 = alloca <8 x float>
%s89 = alloca <8 x float>
%s90 = alloca <8 x float>
%s91 = alloca <8 x float>
%s92 = alloca <8 x float>
%s93 = alloca <8 x float>
%s94 = alloca <8 x float>
%s95 = alloca <8 x float>
%s96 = alloca <8 x float>
%s97 = alloca <8 x float>
%s98 = alloca <8 x float>
%s99 = alloca <8 x float>
%a5.p = getelementptr i64, ptr %args, i64 5
%a5 = load ptr, ptr %a5.p, align 8
%a6.p = getelementptr i64, ptr %args, i64 6
%a6 = load ptr, ptr %a6.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v1452, %end40 ]
br label %loop4
loop4:
%v2 = phi i64 [ 0, %loop1 ], [ %v95, %loop4 ]
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 1)
%v4 = add i64 %v2, 1
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 1)
%v6 = add i64 %v2, 2
%v7 = call i64 @llvm.smin.i64(i64 %v6, i64 1)
%v8 = add i64 %v2, 3
%v9 = call i64 @llvm.smin.i64(i64 %v8, i64 1)
%v10 = add i64 %v2, 4
%v11 = call i64 @llvm.smin.i64(i64 %v10, i64 1)
%v12 = add i64 %v2, 5
%v13 = call i64 @llvm.smin.i64(i64 %v12, i64 1)
%v14 = add i64 %v2, 6
%v15 = call i64 @llvm.smin.i64(i64 %v14, i64 1)
%v16 = add i64 %v2, 7
%v17 = call i64 @llvm.smin.i64(i64 %v16, i64 1)
%v18 = mul i64 %v1, 16
%v19 = mul i64 %v3, 8
%v20 = add i64 %v18, %v19
%v21 = getelementptr float, ptr %a0, i64 %v20
%v22 = mul i64 %v1, 16
%v23 = mul i64 %v5, 8
%v24 = add i64 %v22, %v23
%v25 = getelementptr float, ptr %a0, i64 %v24
%v26 = mul i64 %v1, 16
%v27 = mul i64 %v7, 8
%v28 = add i64 %v26, %v27
%v29 = getelementptr float, ptr %a0, i64 %v28
%v30 = mul i64 %v1, 16
%v31 = mul i64 %v9, 8
%v32 = add i64 %v30, %v31
%v33 = getelementptr float, ptr %a0, i64 %v32
%v34 = mul i64 %v1, 16
%v35 = mul i64 %v11, 8
%v36 = add i64 %v34, %v35
%v37 = getelementptr float, ptr %a0, i64 %v36
%v38 = mul i64 %v1, 16
%v39 = mul i64 %v13, 8
%v40 = add i64 %v38, %v39
%v41 = getelementptr float, ptr %a0, i64 %v40
%v42 = mul i64 %v1, 16
%v43 = mul i64 %v15, 8
%v44 = add i64 %v42, %v43
%v45 = getelementptr float, ptr %a0, i64 %v44
%v46 = mul i64 %v1, 16
%v47 = mul i64 %v17, 8
%v48 = add i64 %v46, %v47
%v49 = getelementptr float, ptr %a0, i64 %v48
%v50 = ashr i64 %v2, 4
%v51 = mul i64 %v50, 128
%v52 = and i64 %v2, 15
%v53 = add i64 %v51, %v52
%v54 = add i64 4752, %v53
%v55 = getelementptr float, ptr %scratch, i64 %v54
%v56 = load <8 x float>, ptr %v21, align 4
%v57 = load <8 x float>, ptr %v25, align 4
%v58 = load <8 x float>, ptr %v29, align 4
%v59 = load <8 x float>, ptr %v33, align 4
%v60 = load <8 x float>, ptr %v37, align 4
%v61 = load <8 x float>, ptr %v41, align 4
%v62 = load <8 x float>, ptr %v45, align 4
%v63 = load <8 x float>, ptr %v49, align 4
%v64 = shufflevector <8 x float> %v56, <8 x float> %v57, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v65 = shufflevector <8 x float> %v56, <8 x float> %v57, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v66 = shufflevector <8 x float> %v58, <8 x float> %v59, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v67 = shufflevector <8 x float> %v58, <8 x float> %v59, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v68 = shufflevector <8 x float> %v60, <8 x float> %v61, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v69 = shufflevector <8 x float> %v60, <8 x float> %v61, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v70 = shufflevector <8 x float> %v62, <8 x float> %v63, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v71 = shufflevector <8 x float> %v62, <8 x float> %v63, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v72 = shufflevector <8 x float> %v64, <8 x float> %v66, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v73 = shufflevector <8 x float> %v64, <8 x float> %v66, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v74 = shufflevector <8 x float> %v65, <8 x float> %v67, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v75 = shufflevector <8 x float> %v65, <8 x float> %v67, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v76 = shufflevector <8 x float> %v68, <8 x float> %v70, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v77 = shufflevector <8 x float> %v68, <8 x float> %v70, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v78 = shufflevector <8 x float> %v69, <8 x float> %v71, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v79 = shufflevector <8 x float> %v69, <8 x float> %v71, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v80 = shufflevector <8 x float> %v72, <8 x float> %v76, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v81 = shufflevector <8 x float> %v72, <8 x float> %v76, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v82 = shufflevector <8 x float> %v74, <8 x float> %v78, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v83 = shufflevector <8 x float> %v74, <8 x float> %v78, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v84 = shufflevector <8 x float> %v73, <8 x float> %v77, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v85 = shufflevector <8 x float> %v73, <8 x float> %v77, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v86 = shufflevector <8 x float> %v75, <8 x float> %v79, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v87 = shufflevector <8 x float> %v75, <8 x float> %v79, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
store <8 x float> %v80, ptr %v55, align 4
%v88 = getelementptr float, ptr %v55, i64 16
store <8 x float> %v82, ptr %v88, align 4
%v89 = getelementptr float, ptr %v55, i64 32
store <8 x float> %v84, ptr %v89, align 4
%v90 = getelementptr float, ptr %v55, i64 48
store <8 x float> %v86, ptr %v90, align 4
%v91 = getelementptr float, ptr %v55, i64 64
store <8 x float> %v81, ptr %v91, align 4
%v92 = getelementptr float, ptr %v55, i64 80
store <8 x float> %v83, ptr %v92, align 4
%v93 = getelementptr float, ptr %v55, i64 96
store <8 x float> %v85, ptr %v93, align 4
%v94 = getelementptr float, ptr %v55, i64 112
store <8 x float> %v87, ptr %v94, align 4
%v95 = add i64 %v2, 8
%v96 = icmp slt i64 %v95, 16
br i1 %v96, label %loop4, label %end5
end5:
br label %loop6
loop6:
%v97 = phi i64 [ 0, %end5 ], [ %v190, %loop6 ]
%v98 = call i64 @llvm.smin.i64(i64 %v97, i64 1)
%v99 = add i64 %v97, 1
%v100 = call i64 @llvm.smin.i64(i64 %v99, i64 1)
%v101 = add i64 %v97, 2
%v102 = call i64 @llvm.smin.i64(i64 %v101, i64 1)
%v103 = add i64 %v97, 3
%v104 = call i64 @llvm.smin.i64(i64 %v103, i64 1)
%v105 = add i64 %v97, 4
%v106 = call i64 @llvm.smin.i64(i64 %v105, i64 1)
%v107 = add i64 %v97, 5
%v108 = call i64 @llvm.smin.i64(i64 %v107, i64 1)
%v109 = add i64 %v97, 6
%v110 = call i64 @llvm.smin.i64(i64 %v109, i64 1)
%v111 = add i64 %v97, 7
%v112 = call i64 @llvm.smin.i64(i64 %v111, i64 1)
%v113 = mul i64 %v1, 16
%v114 = mul i64 %v98, 8
%v115 = add i64 %v113, %v114
%v116 = getelementptr float, ptr %a1, i64 %v115
%v117 = mul i64 %v1, 16
%v118 = mul i64 %v100, 8
%v119 = add i64 %v117, %v118
%v120 = getelementptr float, ptr %a1, i64 %v119
%v121 = mul i64 %v1, 16
%v122 = mul i64 %v102, 8
%v123 = add i64 %v121, %v122
%v124 = getelementptr float, ptr %a1, i64 %v123
%v125 = mul i64 %v1, 16
%v126 = mul i64 %v104, 8
%v127 = add i64 %v125, %v126
%v128 = getelementptr float, ptr %a1, i64 %v127
%v129 = mul i64 %v1, 16
%v130 = mul i64 %v106, 8
%v131 = add i64 %v129, %v130
%v132 = getelementptr float, ptr %a1, i64 %v131
%v133 = mul i64 %v1, 16
%v134 = mul i64 %v108, 8
%v135 = add i64 %v133, %v134
%v136 = getelementptr float, ptr %a1, i64 %v135
%v137 = mul i64 %v1, 16
%v138 = mul i64 %v110, 8
%v139 = add i64 %v137, %v138
%v140 = getelementptr float, ptr %a1, i64 %v139
%v141 = mul i64 %v1, 16
%v142 = mul i64 %v112, 8
%v143 = add i64 %v141, %v142
%v144 = getelementptr float, ptr %a1, i64 %v143
%v145 = ashr i64 %v97, 4
%v146 = mul i64 %v145, 128
%v147 = and i64 %v97, 15
%v148 = add i64 %v146, %v147
%v149 = add i64 4880, %v148
%v150 = getelementptr float, ptr %scratch, i64 %v149
%v151 = load <8 x float>, ptr %v116, align 4
%v152 = load <8 x float>, ptr %v120, align 4
%v153 = load <8 x float>, ptr %v124, align 4
%v154 = load <8 x float>, ptr %v128, align 4
%v155 = load <8 x float>, ptr %v132, align 4
%v156 = load <8 x float>, ptr %v136, align 4
%v157 = load <8 x float>, ptr %v140, align 4
%v158 = load <8 x float>, ptr %v144, align 4
%v159 = shufflevector <8 x float> %v151, <8 x float> %v152, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v160 = shufflevector <8 x float> %v151, <8 x float> %v152, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v161 = shufflevector <8 x float> %v153, <8 x float> %v154, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v162 = shufflevector <8 x float> %v153, <8 x float> %v154, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v163 = shufflevector <8 x float> %v155, <8 x float> %v156, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v164 = shufflevector <8 x float> %v155, <8 x float> %v156, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v165 = shufflevector <8 x float> %v157, <8 x float> %v158, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v166 = shufflevector <8 x float> %v157, <8 x float> %v158, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v167 = shufflevector <8 x float> %v159, <8 x float> %v161, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v168 = shufflevector <8 x float> %v159, <8 x float> %v161, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v169 = shufflevector <8 x float> %v160, <8 x float> %v162, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v170 = shufflevector <8 x float> %v160, <8 x float> %v162, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v171 = shufflevector <8 x float> %v163, <8 x float> %v165, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v172 = shufflevector <8 x float> %v163, <8 x float> %v165, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v173 = shufflevector <8 x float> %v164, <8 x float> %v166, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v174 = shufflevector <8 x float> %v164, <8 x float> %v166, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v175 = shufflevector <8 x float> %v167, <8 x float> %v171, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v176 = shufflevector <8 x float> %v167, <8 x float> %v171, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v177 = shufflevector <8 x float> %v169, <8 x float> %v173, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v178 = shufflevector <8 x float> %v169, <8 x float> %v173, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v179 = shufflevector <8 x float> %v168, <8 x float> %v172, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v180 = shufflevector <8 x float> %v168, <8 x float> %v172, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v181 = shufflevector <8 x float> %v170, <8 x float> %v174, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v182 = shufflevector <8 x float> %v170, <8 x float> %v174, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
store <8 x float> %v175, ptr %v150, align 4
%v183 = getelementptr float, ptr %v150, i64 16
store <8 x float> %v177, ptr %v183, align 4
%v184 = getelementptr float, ptr %v150, i64 32
store <8 x float> %v179, ptr %v184, align 4
%v185 = getelementptr float, ptr %v150, i64 48
store <8 x float> %v181, ptr %v185, align 4
%v186 = getelementptr float, ptr %v150, i64 64
store <8 x float> %v176, ptr %v186, align 4
%v187 = getelementptr float, ptr %v150, i64 80
store <8 x float> %v178, ptr %v187, align 4
%v188 = getelementptr float, ptr %v150, i64 96
store <8 x float> %v180, ptr %v188, align 4
%v189 = getelementptr float, ptr %v150, i64 112
store <8 x float> %v182, ptr %v189, align 4
%v190 = add i64 %v97, 8
%v191 = icmp slt i64 %v190, 16
br i1 %v191, label %loop6, label %end7
end7:
br label %loop8
loop8:
%v192 = phi i64 [ 0, %end7 ], [ %v202, %loop8 ]
%v193 = mul i64 %v1, 16
%v194 = mul i64 %v192, 8
%v195 = add i64 %v193, %v194
%v196 = getelementptr float, ptr %a0, i64 %v195
%v197 = mul i64 %v192, 16
%v198 = add i64 5008, %v197
%v199 = getelementptr float, ptr %scratch, i64 %v198
%v200 = load <8 x float>, ptr %v196, align 4
store <8 x float> %v200, ptr %v199, align 4
%v201 = getelementptr float, ptr %v199, i64 8
store <8 x float> splat (float 0x0000000000000000), ptr %v201, align 4
%v202 = add i64 %v192, 1
%v203 = icmp slt i64 %v202, 2
br i1 %v203, label %loop8, label %end9
end9:
br label %loop10
loop10:
%v204 = phi i64 [ 0, %end9 ], [ %v207, %loop10 ]
%v205 = getelementptr float, ptr %scratch, i64 5264
%v206 = getelementptr float, ptr %v205, i64 %v204
store <8 x float> splat (float 0x0000000000000000), ptr %v206, align 4
%v207 = add i64 %v204, 8
%v208 = icmp slt i64 %v207, 128
br i1 %v208, label %loop10, label %end11
end11:
br label %loop12
loop12:
%v209 = phi i64 [ 0, %end11 ], [ %v212, %loop12 ]
%v210 = getelementptr float, ptr %scratch, i64 5616
%v211 = getelementptr float, ptr %v210, i64 %v209
store <8 x float> splat (float 0x0000000000000000), ptr %v211, align 4
%v212 = add i64 %v209, 8
%v213 = icmp slt i64 %v212, 128
br i1 %v213, label %loop12, label %end13
end13:
br label %loop14
loop14:
%v214 = phi i64 [ 0, %end13 ], [ %v226, %loop14 ]
%v215 = call i64 @llvm.smin.i64(i64 %v214, i64 1)
%v216 = mul i64 %v1, 16
%v217 = mul i64 %v215, 8
%v218 = add i64 %v216, %v217
%v219 = getelementptr float, ptr %a2, i64 %v218
%v220 = mul i64 %v214, 16
%v221 = getelementptr float, ptr %scratch, i64 %v220
%v222 = load <8 x float>, ptr %v219, align 4
%v223 = fmul <8 x float> %v222, splat (float 0x3FD6A09E60000000)
store <8 x float> %v223, ptr %v221, align 4
%v224 = fmul <8 x float> splat (float 0x0000000000000000), splat (float 0x3FD6A09E60000000)
%v225 = getelementptr float, ptr %v221, i64 8
store <8 x float> %v224, ptr %v225, align 4
%v226 = add i64 %v214, 1
%v227 = icmp slt i64 %v226, 6
br i1 %v227, label %loop14, label %end15
end15:
br label %loop16
loop16:
%v228 = phi i64 [ 0, %end15 ], [ %v239, %loop16 ]
%v229 = call i64 @llvm.smin.i64(i64 %v228, i64 1)
%v230 = mul i64 %v1, 16
%v231 = mul i64 %v229, 8
%v232 = add i64 %v230, %v231
%v233 = getelementptr float, ptr %a3, i64 %v232
%v234 = mul i64 %v228, 16
%v235 = add i64 768, %v234
%v236 = getelementptr float, ptr %scratch, i64 %v235
%v237 = load <8 x float>, ptr %v233, align 4
store <8 x float> %v237, ptr %v236, align 4
%v238 = getelementptr float, ptr %v236, i64 8
store <8 x float> splat (float 0x0000000000000000), ptr %v238, align 4
%v239 = add i64 %v228, 1
%v240 = icmp slt i64 %v239, 6
br i1 %v240, label %loop16, label %end17
end17:
%v241 = getelementptr float, ptr %scratch, i64 1680
%v242 = getelementptr float, ptr %scratch, i64 3216
store <8 x float> splat (float 0xFFF0000000000000), ptr %s8
store <8 x float> splat (float 0xFFF0000000000000), ptr %s9
store <8 x float> splat (float 0xFFF0000000000000), ptr %s10
store <8 x float> splat (float 0xFFF0000000000000), ptr %s11
store <8 x float> splat (float 0xFFF0000000000000), ptr %s12
store <8 x float> splat (float 0xFFF0000000000000), ptr %s13
store <8 x float> splat (float 0x0000000000000000), ptr %s14
store <8 x float> splat (float 0x0000000000000000), ptr %s15
store <8 x float> splat (float 0x0000000000000000), ptr %s16
store <8 x float> splat (float 0x0000000000000000), ptr %s17
store <8 x float> splat (float 0x0000000000000000), ptr %s18
store <8 x float> splat (float 0x0000000000000000), ptr %s19
store <8 x float> splat (float 0x0000000000000000), ptr %s20
store <8 x float> splat (float 0x0000000000000000), ptr %s21
store <8 x float> splat (float 0x0000000000000000), ptr %s22
store <8 x float> splat (float 0x0000000000000000), ptr %s23
store <8 x float> splat (float 0x0000000000000000), ptr %s24
store <8 x float> splat (float 0x0000000000000000), ptr %s25
%v243 = getelementptr float, ptr %scratch, i64 16
%v244 = getelementptr float, ptr %scratch, i64 32
%v245 = getelementptr float, ptr %scratch, i64 48
%v246 = getelementptr float, ptr %scratch, i64 64
%v247 = getelementptr float, ptr %scratch, i64 80
%v248 = getelementptr float, ptr %scratch, i64 4752
br label %loop18
loop18:
%v249 = phi i64 [ 0, %end17 ], [ %v305, %loop18 ]
%v250 = mul i64 %v249, 16
%v251 = getelementptr float, ptr %v248, i64 %v250
%v252 = load <8 x float>, ptr %v251, align 4
%v253 = mul i64 %v249, 16
%v254 = add i64 %v253, 8
%v255 = getelementptr float, ptr %v248, i64 %v254
%v256 = load <8 x float>, ptr %v255, align 4
%v257 = getelementptr float, ptr %scratch, i64 %v249
%v258 = load float, ptr %v257, align 4
%v259 = insertelement <8 x float> poison, float %v258, i32 0
%v260 = shufflevector <8 x float> %v259, <8 x float> poison, <8 x i32> zeroinitializer
%v261 = load <8 x float>, ptr %s14
%v262 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v260, <8 x float> %v252, <8 x float> %v261)
store <8 x float> %v262, ptr %s14
%v263 = load <8 x float>, ptr %s15
%v264 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v260, <8 x float> %v256, <8 x float> %v263)
store <8 x float> %v264, ptr %s15
%v265 = getelementptr float, ptr %v243, i64 %v249
%v266 = load float, ptr %v265, align 4
%v267 = insertelement <8 x float> poison, float %v266, i32 0
%v268 = shufflevector <8 x float> %v267, <8 x float> poison, <8 x i32> zeroinitializer
%v269 = load <8 x float>, ptr %s16
%v270 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v268, <8 x float> %v252, <8 x float> %v269)
store <8 x float> %v270, ptr %s16
%v271 = load <8 x float>, ptr %s17
%v272 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v268, <8 x float> %v256, <8 x float> %v271)
store <8 x float> %v272, ptr %s17
%v273 = getelementptr float, ptr %v244, i64 %v249
%v274 = load float, ptr %v273, align 4
%v275 = insertelement <8 x float> poison, float %v274, i32 0
%v276 = shufflevector <8 x float> %v275, <8 x float> poison, <8 x i32> zeroinitializer
%v277 = load <8 x float>, ptr %s18
%v278 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v276, <8 x float> %v252, <8 x float> %v277)
store <8 x float> %v278, ptr %s18
%v279 = load <8 x float>, ptr %s19
%v280 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v276, <8 x float> %v256, <8 x float> %v279)
store <8 x float> %v280, ptr %s19
%v281 = getelementptr float, ptr %v245, i64 %v249
%v282 = load float, ptr %v281, align 4
%v283 = insertelement <8 x float> poison, float %v282, i32 0
%v284 = shufflevector <8 x float> %v283, <8 x float> poison, <8 x i32> zeroinitializer
%v285 = load <8 x float>, ptr %s20
%v286 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v284, <8 x float> %v252, <8 x float> %v285)
store <8 x float> %v286, ptr %s20
%v287 = load <8 x float>, ptr %s21
%v288 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v284, <8 x float> %v256, <8 x float> %v287)
store <8 x float> %v288, ptr %s21
%v289 = getelementptr float, ptr %v246, i64 %v249
%v290 = load float, ptr %v289, align 4
%v291 = insertelement <8 x float> poison, float %v290, i32 0
%v292 = shufflevector <8 x float> %v291, <8 x float> poison, <8 x i32> zeroinitializer
%v293 = load <8 x float>, ptr %s22
%v294 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v292, <8 x float> %v252, <8 x float> %v293)
store <8 x float> %v294, ptr %s22
%v295 = load <8 x float>, ptr %s23
%v296 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v292, <8 x float> %v256, <8 x float> %v295)
store <8 x float> %v296, ptr %s23
%v297 = getelementptr float, ptr %v247, i64 %v249
%v298 = load float, ptr %v297, align 4
%v299 = insertelement <8 x float> poison, float %v298, i32 0
%v300 = shufflevector <8 x float> %v299, <8 x float> poison, <8 x i32> zeroinitializer
%v301 = load <8 x float>, ptr %s24
%v302 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v300, <8 x float> %v252, <8 x float> %v301)
store <8 x float> %v302, ptr %s24
%v303 = load <8 x float>, ptr %s25
%v304 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v300, <8 x float> %v256, <8 x float> %v303)
store <8 x float> %v304, ptr %s25
%v305 = add i64 %v249, 1
%v306 = icmp slt i64 %v305, 8
br i1 %v306, label %loop18, label %end19
end19:
%v307 = load <8 x float>, ptr %s14
%v308 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 2)
%v309 = select <8 x i1> %v308, <8 x float> %v307, <8 x float> splat (float 0xFFF0000000000000)
%v310 = load <8 x float>, ptr %s8
%v311 = fcmp ogt <8 x float> %v309, %v310
%v312 = select <8 x i1> %v311, <8 x float> %v309, <8 x float> %v310
store <8 x float> %v312, ptr %s8
store <8 x float> %v309, ptr %v241, align 4
%v313 = load <8 x float>, ptr %s15
%v314 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 8)
%v315 = icmp slt <8 x i32> %v314, splat (i32 2)
%v316 = select <8 x i1> %v315, <8 x float> %v313, <8 x float> splat (float 0xFFF0000000000000)
%v317 = load <8 x float>, ptr %s8
%v318 = fcmp ogt <8 x float> %v316, %v317
%v319 = select <8 x i1> %v318, <8 x float> %v316, <8 x float> %v317
store <8 x float> %v319, ptr %s8
%v320 = getelementptr float, ptr %v241, i64 8
store <8 x float> %v316, ptr %v320, align 4
%v321 = load <8 x float>, ptr %s16
%v322 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 2)
%v323 = select <8 x i1> %v322, <8 x float> %v321, <8 x float> splat (float 0xFFF0000000000000)
%v324 = load <8 x float>, ptr %s9
%v325 = fcmp ogt <8 x float> %v323, %v324
%v326 = select <8 x i1> %v325, <8 x float> %v323, <8 x float> %v324
store <8 x float> %v326, ptr %s9
%v327 = getelementptr float, ptr %v241, i64 32
store <8 x float> %v323, ptr %v327, align 4
%v328 = load <8 x float>, ptr %s17
%v329 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 8)
%v330 = icmp slt <8 x i32> %v329, splat (i32 2)
%v331 = select <8 x i1> %v330, <8 x float> %v328, <8 x float> splat (float 0xFFF0000000000000)
%v332 = load <8 x float>, ptr %s9
%v333 = fcmp ogt <8 x float> %v331, %v332
%v334 = select <8 x i1> %v333, <8 x float> %v331, <8 x float> %v332
store <8 x float> %v334, ptr %s9
%v335 = getelementptr float, ptr %v241, i64 40
store <8 x float> %v331, ptr %v335, align 4
%v336 = load <8 x float>, ptr %s18
%v337 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 2)
%v338 = select <8 x i1> %v337, <8 x float> %v336, <8 x float> splat (float 0xFFF0000000000000)
%v339 = load <8 x float>, ptr %s10
%v340 = fcmp ogt <8 x float> %v338, %v339
%v341 = select <8 x i1> %v340, <8 x float> %v338, <8 x float> %v339
store <8 x float> %v341, ptr %s10
%v342 = getelementptr float, ptr %v241, i64 64
store <8 x float> %v338, ptr %v342, align 4
%v343 = load <8 x float>, ptr %s19
%v344 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 8)
%v345 = icmp slt <8 x i32> %v344, splat (i32 2)
%v346 = select <8 x i1> %v345, <8 x float> %v343, <8 x float> splat (float 0xFFF0000000000000)
%v347 = load <8 x float>, ptr %s10
%v348 = fcmp ogt <8 x float> %v346, %v347
%v349 = select <8 x i1> %v348, <8 x float> %v346, <8 x float> %v347
store <8 x float> %v349, ptr %s10
%v350 = getelementptr float, ptr %v241, i64 72
store <8 x float> %v346, ptr %v350, align 4
%v351 = load <8 x float>, ptr %s20
%v352 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 2)
%v353 = select <8 x i1> %v352, <8 x float> %v351, <8 x float> splat (float 0xFFF0000000000000)
%v354 = load <8 x float>, ptr %s11
%v355 = fcmp ogt <8 x float> %v353, %v354
%v356 = select <8 x i1> %v355, <8 x float> %v353, <8 x float> %v354
store <8 x float> %v356, ptr %s11
%v357 = getelementptr float, ptr %v241, i64 96
store <8 x float> %v353, ptr %v357, align 4
%v358 = load <8 x float>, ptr %s21
%v359 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 8)
%v360 = icmp slt <8 x i32> %v359, splat (i32 2)
%v361 = select <8 x i1> %v360, <8 x float> %v358, <8 x float> splat (float 0xFFF0000000000000)
%v362 = load <8 x float>, ptr %s11
%v363 = fcmp ogt <8 x float> %v361, %v362
%v364 = select <8 x i1> %v363, <8 x float> %v361, <8 x float> %v362
store <8 x float> %v364, ptr %s11
%v365 = getelementptr float, ptr %v241, i64 104
store <8 x float> %v361, ptr %v365, align 4
%v366 = load <8 x float>, ptr %s22
%v367 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 2)
%v368 = select <8 x i1> %v367, <8 x float> %v366, <8 x float> splat (float 0xFFF0000000000000)
%v369 = load <8 x float>, ptr %s12
%v370 = fcmp ogt <8 x float> %v368, %v369
%v371 = select <8 x i1> %v370, <8 x float> %v368, <8 x float> %v369
store <8 x float> %v371, ptr %s12
%v372 = getelementptr float, ptr %v241, i64 128
store <8 x float> %v368, ptr %v372, align 4
%v373 = load <8 x float>, ptr %s23
%v374 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 8)
%v375 = icmp slt <8 x i32> %v374, splat (i32 2)
%v376 = select <8 x i1> %v375, <8 x float> %v373, <8 x float> splat (float 0xFFF0000000000000)
%v377 = load <8 x float>, ptr %s12
%v378 = fcmp ogt <8 x float> %v376, %v377
%v379 = select <8 x i1> %v378, <8 x float> %v376, <8 x float> %v377
store <8 x float> %v379, ptr %s12
%v380 = getelementptr float, ptr %v241, i64 136
store <8 x float> %v376, ptr %v380, align 4
%v381 = load <8 x float>, ptr %s24
%v382 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 2)
%v383 = select <8 x i1> %v382, <8 x float> %v381, <8 x float> splat (float 0xFFF0000000000000)
%v384 = load <8 x float>, ptr %s13
%v385 = fcmp ogt <8 x float> %v383, %v384
%v386 = select <8 x i1> %v385, <8 x float> %v383, <8 x float> %v384
store <8 x float> %v386, ptr %s13
%v387 = getelementptr float, ptr %v241, i64 160
store <8 x float> %v383, ptr %v387, align 4
%v388 = load <8 x float>, ptr %s25
%v389 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 8)
%v390 = icmp slt <8 x i32> %v389, splat (i32 2)
%v391 = select <8 x i1> %v390, <8 x float> %v388, <8 x float> splat (float 0xFFF0000000000000)
%v392 = load <8 x float>, ptr %s13
%v393 = fcmp ogt <8 x float> %v391, %v392
%v394 = select <8 x i1> %v393, <8 x float> %v391, <8 x float> %v392
store <8 x float> %v394, ptr %s13
%v395 = getelementptr float, ptr %v241, i64 168
store <8 x float> %v391, ptr %v395, align 4
store <8 x float> splat (float 0x0000000000000000), ptr %s26
store <8 x float> splat (float 0x0000000000000000), ptr %s27
store <8 x float> splat (float 0x0000000000000000), ptr %s28
store <8 x float> splat (float 0x0000000000000000), ptr %s29
store <8 x float> splat (float 0x0000000000000000), ptr %s30
store <8 x float> splat (float 0x0000000000000000), ptr %s31
store <8 x float> splat (float 0x0000000000000000), ptr %s32
store <8 x float> splat (float 0x0000000000000000), ptr %s33
store <8 x float> splat (float 0x0000000000000000), ptr %s34
store <8 x float> splat (float 0x0000000000000000), ptr %s35
store <8 x float> splat (float 0x0000000000000000), ptr %s36
store <8 x float> splat (float 0x0000000000000000), ptr %s37
%v396 = getelementptr float, ptr %scratch, i64 768
%v397 = getelementptr float, ptr %scratch, i64 784
%v398 = getelementptr float, ptr %scratch, i64 800
%v399 = getelementptr float, ptr %scratch, i64 816
%v400 = getelementptr float, ptr %scratch, i64 832
%v401 = getelementptr float, ptr %scratch, i64 848
%v402 = getelementptr float, ptr %scratch, i64 4880
br label %loop20
loop20:
%v403 = phi i64 [ 0, %end19 ], [ %v459, %loop20 ]
%v404 = mul i64 %v403, 16
%v405 = getelementptr float, ptr %v402, i64 %v404
%v406 = load <8 x float>, ptr %v405, align 4
%v407 = mul i64 %v403, 16
%v408 = add i64 %v407, 8
%v409 = getelementptr float, ptr %v402, i64 %v408
%v410 = load <8 x float>, ptr %v409, align 4
%v411 = getelementptr float, ptr %v396, i64 %v403
%v412 = load float, ptr %v411, align 4
%v413 = insertelement <8 x float> poison, float %v412, i32 0
%v414 = shufflevector <8 x float> %v413, <8 x float> poison, <8 x i32> zeroinitializer
%v415 = load <8 x float>, ptr %s26
%v416 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v414, <8 x float> %v406, <8 x float> %v415)
store <8 x float> %v416, ptr %s26
%v417 = load <8 x float>, ptr %s27
%v418 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v414, <8 x float> %v410, <8 x float> %v417)
store <8 x float> %v418, ptr %s27
%v419 = getelementptr float, ptr %v397, i64 %v403
%v420 = load float, ptr %v419, align 4
%v421 = insertelement <8 x float> poison, float %v420, i32 0
%v422 = shufflevector <8 x float> %v421, <8 x float> poison, <8 x i32> zeroinitializer
%v423 = load <8 x float>, ptr %s28
%v424 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v422, <8 x float> %v406, <8 x float> %v423)
store <8 x float> %v424, ptr %s28
%v425 = load <8 x float>, ptr %s29
%v426 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v422, <8 x float> %v410, <8 x float> %v425)
store <8 x float> %v426, ptr %s29
%v427 = getelementptr float, ptr %v398, i64 %v403
%v428 = load float, ptr %v427, align 4
%v429 = insertelement <8 x float> poison, float %v428, i32 0
%v430 = shufflevector <8 x float> %v429, <8 x float> poison, <8 x i32> zeroinitializer
%v431 = load <8 x float>, ptr %s30
%v432 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v430, <8 x float> %v406, <8 x float> %v431)
store <8 x float> %v432, ptr %s30
%v433 = load <8 x float>, ptr %s31
%v434 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v430, <8 x float> %v410, <8 x float> %v433)
store <8 x float> %v434, ptr %s31
%v435 = getelementptr float, ptr %v399, i64 %v403
%v436 = load float, ptr %v435, align 4
%v437 = insertelement <8 x float> poison, float %v436, i32 0
%v438 = shufflevector <8 x float> %v437, <8 x float> poison, <8 x i32> zeroinitializer
%v439 = load <8 x float>, ptr %s32
%v440 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v438, <8 x float> %v406, <8 x float> %v439)
store <8 x float> %v440, ptr %s32
%v441 = load <8 x float>, ptr %s33
%v442 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v438, <8 x float> %v410, <8 x float> %v441)
store <8 x float> %v442, ptr %s33
%v443 = getelementptr float, ptr %v400, i64 %v403
%v444 = load float, ptr %v443, align 4
%v445 = insertelement <8 x float> poison, float %v444, i32 0
%v446 = shufflevector <8 x float> %v445, <8 x float> poison, <8 x i32> zeroinitializer
%v447 = load <8 x float>, ptr %s34
%v448 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v446, <8 x float> %v406, <8 x float> %v447)
store <8 x float> %v448, ptr %s34
%v449 = load <8 x float>, ptr %s35
%v450 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v446, <8 x float> %v410, <8 x float> %v449)
store <8 x float> %v450, ptr %s35
%v451 = getelementptr float, ptr %v401, i64 %v403
%v452 = load float, ptr %v451, align 4
%v453 = insertelement <8 x float> poison, float %v452, i32 0
%v454 = shufflevector <8 x float> %v453, <8 x float> poison, <8 x i32> zeroinitializer
%v455 = load <8 x float>, ptr %s36
%v456 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v454, <8 x float> %v406, <8 x float> %v455)
store <8 x float> %v456, ptr %s36
%v457 = load <8 x float>, ptr %s37
%v458 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v454, <8 x float> %v410, <8 x float> %v457)
store <8 x float> %v458, ptr %s37
%v459 = add i64 %v403, 1
%v460 = icmp slt i64 %v459, 8
br i1 %v460, label %loop20, label %end21
end21:
%v461 = load <8 x float>, ptr %s26
store <8 x float> %v461, ptr %v242, align 4
%v462 = load <8 x float>, ptr %s27
%v463 = getelementptr float, ptr %v242, i64 8
store <8 x float> %v462, ptr %v463, align 4
%v464 = load <8 x float>, ptr %s28
%v465 = getelementptr float, ptr %v242, i64 32
store <8 x float> %v464, ptr %v465, align 4
%v466 = load <8 x float>, ptr %s29
%v467 = getelementptr float, ptr %v242, i64 40
store <8 x float> %v466, ptr %v467, align 4
%v468 = load <8 x float>, ptr %s30
%v469 = getelementptr float, ptr %v242, i64 64
store <8 x float> %v468, ptr %v469, align 4
%v470 = load <8 x float>, ptr %s31
%v471 = getelementptr float, ptr %v242, i64 72
store <8 x float> %v470, ptr %v471, align 4
%v472 = load <8 x float>, ptr %s32
%v473 = getelementptr float, ptr %v242, i64 96
store <8 x float> %v472, ptr %v473, align 4
%v474 = load <8 x float>, ptr %s33
%v475 = getelementptr float, ptr %v242, i64 104
store <8 x float> %v474, ptr %v475, align 4
%v476 = load <8 x float>, ptr %s34
%v477 = getelementptr float, ptr %v242, i64 128
store <8 x float> %v476, ptr %v477, align 4
%v478 = load <8 x float>, ptr %s35
%v479 = getelementptr float, ptr %v242, i64 136
store <8 x float> %v478, ptr %v479, align 4
%v480 = load <8 x float>, ptr %s36
%v481 = getelementptr float, ptr %v242, i64 160
store <8 x float> %v480, ptr %v481, align 4
%v482 = load <8 x float>, ptr %s37
%v483 = getelementptr float, ptr %v242, i64 168
store <8 x float> %v482, ptr %v483, align 4
%v484 = load <8 x float>, ptr %s8
%v485 = load <8 x float>, ptr %s9
%v486 = load <8 x float>, ptr %s10
%v487 = load <8 x float>, ptr %s11
%v488 = load <8 x float>, ptr %s12
%v489 = load <8 x float>, ptr %s13
%v490 = shufflevector <8 x float> %v484, <8 x float> %v485, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v491 = shufflevector <8 x float> %v484, <8 x float> %v485, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v492 = fcmp ogt <8 x float> %v490, %v491
%v493 = select <8 x i1> %v492, <8 x float> %v490, <8 x float> %v491
%v494 = shufflevector <8 x float> %v486, <8 x float> %v487, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v495 = shufflevector <8 x float> %v486, <8 x float> %v487, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v496 = fcmp ogt <8 x float> %v494, %v495
%v497 = select <8 x i1> %v496, <8 x float> %v494, <8 x float> %v495
%v498 = shufflevector <8 x float> %v488, <8 x float> %v489, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v499 = shufflevector <8 x float> %v488, <8 x float> %v489, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v500 = fcmp ogt <8 x float> %v498, %v499
%v501 = select <8 x i1> %v500, <8 x float> %v498, <8 x float> %v499
%v502 = shufflevector <8 x float> %v493, <8 x float> %v497, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v503 = shufflevector <8 x float> %v493, <8 x float> %v497, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v504 = fcmp ogt <8 x float> %v502, %v503
%v505 = select <8 x i1> %v504, <8 x float> %v502, <8 x float> %v503
%v506 = shufflevector <8 x float> %v501, <8 x float> %v501, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v507 = shufflevector <8 x float> %v501, <8 x float> %v501, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v508 = fcmp ogt <8 x float> %v506, %v507
%v509 = select <8 x i1> %v508, <8 x float> %v506, <8 x float> %v507
%v510 = shufflevector <8 x float> %v505, <8 x float> %v509, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v511 = shufflevector <8 x float> %v505, <8 x float> %v509, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v512 = fcmp ogt <8 x float> %v510, %v511
%v513 = select <8 x i1> %v512, <8 x float> %v510, <8 x float> %v511
%v514 = fcmp ogt <8 x float> %v513, splat (float 0xC7EFFFFFE0000000)
%v515 = select <8 x i1> %v514, <8 x float> %v513, <8 x float> splat (float 0xC7EFFFFFE0000000)
%v516 = getelementptr float, ptr %scratch, i64 1536
store <8 x float> %v515, ptr %v516, align 4
%v517 = getelementptr float, ptr %scratch, i64 1536
%v518 = load float, ptr %v517, align 4
%v519 = insertelement <8 x float> poison, float %v518, i32 0
%v520 = shufflevector <8 x float> %v519, <8 x float> poison, <8 x i32> zeroinitializer
%v521 = getelementptr float, ptr %scratch, i64 1536
%v522 = getelementptr float, ptr %v521, i64 1
%v523 = load float, ptr %v522, align 4
%v524 = insertelement <8 x float> poison, float %v523, i32 0
%v525 = shufflevector <8 x float> %v524, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s38
store <8 x float> splat (float 0x0000000000000000), ptr %s39
store <8 x float> splat (float 0x0000000000000000), ptr %s40
store <8 x float> splat (float 0x0000000000000000), ptr %s41
store <8 x float> splat (float 0x0000000000000000), ptr %s42
store <8 x float> splat (float 0x0000000000000000), ptr %s43
store <8 x float> splat (float 0x0000000000000000), ptr %s44
store <8 x float> splat (float 0x0000000000000000), ptr %s45
%v526 = load <8 x float>, ptr %v241, align 4
%v527 = fsub <8 x float> %v526, %v520
%v528 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v527
%v529 = select <8 x i1> %v528, <8 x float> splat (float 0xC056000000000000), <8 x float> %v527
%v530 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v529, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v531 = fsub <8 x float> %v530, splat (float 0x4168000FE0000000)
%v532 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v531, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v529)
%v533 = bitcast <8 x float> %v530 to <8 x i32>
%v534 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v531, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v532)
%v535 = shl <8 x i32> %v533, splat (i32 23)
%v536 = bitcast <8 x i32> %v535 to <8 x float>
%v537 = fmul <8 x float> %v534, %v534
%v538 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v534, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v539 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v534, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v540 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v537, <8 x float> %v539)
%v541 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v540, <8 x float> %v537, <8 x float> %v538)
%v542 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v537, <8 x float> %v541, <8 x float> %v534)
%v543 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v542, <8 x float> %v536, <8 x float> %v536)
store <8 x float> %v543, ptr %v241, align 4
%v544 = load <8 x float>, ptr %s38
%v545 = fadd <8 x float> %v544, %v543
store <8 x float> %v545, ptr %s38
%v546 = load <8 x float>, ptr %v242, align 4
%v547 = load <8 x float>, ptr %s39
%v548 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v543, <8 x float> %v546, <8 x float> %v547)
store <8 x float> %v548, ptr %s39
%v549 = getelementptr float, ptr %v241, i64 8
%v550 = load <8 x float>, ptr %v549, align 4
%v551 = fsub <8 x float> %v550, %v520
%v552 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v551
%v553 = select <8 x i1> %v552, <8 x float> splat (float 0xC056000000000000), <8 x float> %v551
%v554 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v553, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v555 = fsub <8 x float> %v554, splat (float 0x4168000FE0000000)
%v556 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v555, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v553)
%v557 = bitcast <8 x float> %v554 to <8 x i32>
%v558 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v555, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v556)
%v559 = shl <8 x i32> %v557, splat (i32 23)
%v560 = bitcast <8 x i32> %v559 to <8 x float>
%v561 = fmul <8 x float> %v558, %v558
%v562 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v558, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v563 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v558, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v564 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v561, <8 x float> %v563)
%v565 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v564, <8 x float> %v561, <8 x float> %v562)
%v566 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v561, <8 x float> %v565, <8 x float> %v558)
%v567 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v566, <8 x float> %v560, <8 x float> %v560)
%v568 = getelementptr float, ptr %v241, i64 8
store <8 x float> %v567, ptr %v568, align 4
%v569 = load <8 x float>, ptr %s40
%v570 = fadd <8 x float> %v569, %v567
store <8 x float> %v570, ptr %s40
%v571 = getelementptr float, ptr %v242, i64 8
%v572 = load <8 x float>, ptr %v571, align 4
%v573 = load <8 x float>, ptr %s41
%v574 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v567, <8 x float> %v572, <8 x float> %v573)
store <8 x float> %v574, ptr %s41
%v575 = getelementptr float, ptr %v241, i64 32
%v576 = load <8 x float>, ptr %v575, align 4
%v577 = fsub <8 x float> %v576, %v525
%v578 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v577
%v579 = select <8 x i1> %v578, <8 x float> splat (float 0xC056000000000000), <8 x float> %v577
%v580 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v579, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v581 = fsub <8 x float> %v580, splat (float 0x4168000FE0000000)
%v582 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v581, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v579)
%v583 = bitcast <8 x float> %v580 to <8 x i32>
%v584 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v581, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v582)
%v585 = shl <8 x i32> %v583, splat (i32 23)
%v586 = bitcast <8 x i32> %v585 to <8 x float>
%v587 = fmul <8 x float> %v584, %v584
%v588 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v584, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v589 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v584, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v590 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v587, <8 x float> %v589)
%v591 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v590, <8 x float> %v587, <8 x float> %v588)
%v592 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v587, <8 x float> %v591, <8 x float> %v584)
%v593 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v592, <8 x float> %v586, <8 x float> %v586)
%v594 = getelementptr float, ptr %v241, i64 32
store <8 x float> %v593, ptr %v594, align 4
%v595 = load <8 x float>, ptr %s42
%v596 = fadd <8 x float> %v595, %v593
store <8 x float> %v596, ptr %s42
%v597 = getelementptr float, ptr %v242, i64 32
%v598 = load <8 x float>, ptr %v597, align 4
%v599 = load <8 x float>, ptr %s43
%v600 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v593, <8 x float> %v598, <8 x float> %v599)
store <8 x float> %v600, ptr %s43
%v601 = getelementptr float, ptr %v241, i64 40
%v602 = load <8 x float>, ptr %v601, align 4
%v603 = fsub <8 x float> %v602, %v525
%v604 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v603
%v605 = select <8 x i1> %v604, <8 x float> splat (float 0xC056000000000000), <8 x float> %v603
%v606 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v605, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v607 = fsub <8 x float> %v606, splat (float 0x4168000FE0000000)
%v608 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v607, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v605)
%v609 = bitcast <8 x float> %v606 to <8 x i32>
%v610 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v607, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v608)
%v611 = shl <8 x i32> %v609, splat (i32 23)
%v612 = bitcast <8 x i32> %v611 to <8 x float>
%v613 = fmul <8 x float> %v610, %v610
%v614 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v610, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v615 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v610, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v616 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v613, <8 x float> %v615)
%v617 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v616, <8 x float> %v613, <8 x float> %v614)
%v618 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v613, <8 x float> %v617, <8 x float> %v610)
%v619 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v618, <8 x float> %v612, <8 x float> %v612)
%v620 = getelementptr float, ptr %v241, i64 40
store <8 x float> %v619, ptr %v620, align 4
%v621 = load <8 x float>, ptr %s44
%v622 = fadd <8 x float> %v621, %v619
store <8 x float> %v622, ptr %s44
%v623 = getelementptr float, ptr %v242, i64 40
%v624 = load <8 x float>, ptr %v623, align 4
%v625 = load <8 x float>, ptr %s45
%v626 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v619, <8 x float> %v624, <8 x float> %v625)
store <8 x float> %v626, ptr %s45
%v627 = load <8 x float>, ptr %s38
%v628 = load <8 x float>, ptr %s40
%v629 = fadd <8 x float> %v627, %v628
%v630 = load <8 x float>, ptr %s39
%v631 = load <8 x float>, ptr %s41
%v632 = fadd <8 x float> %v630, %v631
%v633 = load <8 x float>, ptr %s42
%v634 = load <8 x float>, ptr %s44
%v635 = fadd <8 x float> %v633, %v634
%v636 = load <8 x float>, ptr %s43
%v637 = load <8 x float>, ptr %s45
%v638 = fadd <8 x float> %v636, %v637
%v639 = getelementptr float, ptr %scratch, i64 1536
%v640 = getelementptr float, ptr %v639, i64 2
%v641 = load float, ptr %v640, align 4
%v642 = insertelement <8 x float> poison, float %v641, i32 0
%v643 = shufflevector <8 x float> %v642, <8 x float> poison, <8 x i32> zeroinitializer
%v644 = getelementptr float, ptr %scratch, i64 1536
%v645 = getelementptr float, ptr %v644, i64 3
%v646 = load float, ptr %v645, align 4
%v647 = insertelement <8 x float> poison, float %v646, i32 0
%v648 = shufflevector <8 x float> %v647, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s46
store <8 x float> splat (float 0x0000000000000000), ptr %s47
store <8 x float> splat (float 0x0000000000000000), ptr %s48
store <8 x float> splat (float 0x0000000000000000), ptr %s49
store <8 x float> splat (float 0x0000000000000000), ptr %s50
store <8 x float> splat (float 0x0000000000000000), ptr %s51
store <8 x float> splat (float 0x0000000000000000), ptr %s52
store <8 x float> splat (float 0x0000000000000000), ptr %s53
%v649 = getelementptr float, ptr %v241, i64 64
%v650 = load <8 x float>, ptr %v649, align 4
%v651 = fsub <8 x float> %v650, %v643
%v652 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v651
%v653 = select <8 x i1> %v652, <8 x float> splat (float 0xC056000000000000), <8 x float> %v651
%v654 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v653, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v655 = fsub <8 x float> %v654, splat (float 0x4168000FE0000000)
%v656 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v655, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v653)
%v657 = bitcast <8 x float> %v654 to <8 x i32>
%v658 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v655, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v656)
%v659 = shl <8 x i32> %v657, splat (i32 23)
%v660 = bitcast <8 x i32> %v659 to <8 x float>
%v661 = fmul <8 x float> %v658, %v658
%v662 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v658, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v663 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v658, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v664 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v661, <8 x float> %v663)
%v665 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v664, <8 x float> %v661, <8 x float> %v662)
%v666 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v661, <8 x float> %v665, <8 x float> %v658)
%v667 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v666, <8 x float> %v660, <8 x float> %v660)
%v668 = getelementptr float, ptr %v241, i64 64
store <8 x float> %v667, ptr %v668, align 4
%v669 = load <8 x float>, ptr %s46
%v670 = fadd <8 x float> %v669, %v667
store <8 x float> %v670, ptr %s46
%v671 = getelementptr float, ptr %v242, i64 64
%v672 = load <8 x float>, ptr %v671, align 4
%v673 = load <8 x float>, ptr %s47
%v674 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v667, <8 x float> %v672, <8 x float> %v673)
store <8 x float> %v674, ptr %s47
%v675 = getelementptr float, ptr %v241, i64 72
%v676 = load <8 x float>, ptr %v675, align 4
%v677 = fsub <8 x float> %v676, %v643
%v678 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v677
%v679 = select <8 x i1> %v678, <8 x float> splat (float 0xC056000000000000), <8 x float> %v677
%v680 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v679, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v681 = fsub <8 x float> %v680, splat (float 0x4168000FE0000000)
%v682 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v681, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v679)
%v683 = bitcast <8 x float> %v680 to <8 x i32>
%v684 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v681, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v682)
%v685 = shl <8 x i32> %v683, splat (i32 23)
%v686 = bitcast <8 x i32> %v685 to <8 x float>
%v687 = fmul <8 x float> %v684, %v684
%v688 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v684, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v689 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v684, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v690 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v687, <8 x float> %v689)
%v691 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v690, <8 x float> %v687, <8 x float> %v688)
%v692 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v687, <8 x float> %v691, <8 x float> %v684)
%v693 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v692, <8 x float> %v686, <8 x float> %v686)
%v694 = getelementptr float, ptr %v241, i64 72
store <8 x float> %v693, ptr %v694, align 4
%v695 = load <8 x float>, ptr %s48
%v696 = fadd <8 x float> %v695, %v693
store <8 x float> %v696, ptr %s48
%v697 = getelementptr float, ptr %v242, i64 72
%v698 = load <8 x float>, ptr %v697, align 4
%v699 = load <8 x float>, ptr %s49
%v700 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v693, <8 x float> %v698, <8 x float> %v699)
store <8 x float> %v700, ptr %s49
%v701 = getelementptr float, ptr %v241, i64 96
%v702 = load <8 x float>, ptr %v701, align 4
%v703 = fsub <8 x float> %v702, %v648
%v704 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v703
%v705 = select <8 x i1> %v704, <8 x float> splat (float 0xC056000000000000), <8 x float> %v703
%v706 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v705, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v707 = fsub <8 x float> %v706, splat (float 0x4168000FE0000000)
%v708 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v707, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v705)
%v709 = bitcast <8 x float> %v706 to <8 x i32>
%v710 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v707, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v708)
%v711 = shl <8 x i32> %v709, splat (i32 23)
%v712 = bitcast <8 x i32> %v711 to <8 x float>
%v713 = fmul <8 x float> %v710, %v710
%v714 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v710, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v715 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v710, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v716 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v713, <8 x float> %v715)
%v717 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v716, <8 x float> %v713, <8 x float> %v714)
%v718 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v713, <8 x float> %v717, <8 x float> %v710)
%v719 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v718, <8 x float> %v712, <8 x float> %v712)
%v720 = getelementptr float, ptr %v241, i64 96
store <8 x float> %v719, ptr %v720, align 4
%v721 = load <8 x float>, ptr %s50
%v722 = fadd <8 x float> %v721, %v719
store <8 x float> %v722, ptr %s50
%v723 = getelementptr float, ptr %v242, i64 96
%v724 = load <8 x float>, ptr %v723, align 4
%v725 = load <8 x float>, ptr %s51
%v726 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v719, <8 x float> %v724, <8 x float> %v725)
store <8 x float> %v726, ptr %s51
%v727 = getelementptr float, ptr %v241, i64 104
%v728 = load <8 x float>, ptr %v727, align 4
%v729 = fsub <8 x float> %v728, %v648
%v730 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v729
%v731 = select <8 x i1> %v730, <8 x float> splat (float 0xC056000000000000), <8 x float> %v729
%v732 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v731, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v733 = fsub <8 x float> %v732, splat (float 0x4168000FE0000000)
%v734 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v733, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v731)
%v735 = bitcast <8 x float> %v732 to <8 x i32>
%v736 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v733, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v734)
%v737 = shl <8 x i32> %v735, splat (i32 23)
%v738 = bitcast <8 x i32> %v737 to <8 x float>
%v739 = fmul <8 x float> %v736, %v736
%v740 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v736, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v741 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v736, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v742 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v739, <8 x float> %v741)
%v743 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v742, <8 x float> %v739, <8 x float> %v740)
%v744 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v739, <8 x float> %v743, <8 x float> %v736)
%v745 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v744, <8 x float> %v738, <8 x float> %v738)
%v746 = getelementptr float, ptr %v241, i64 104
store <8 x float> %v745, ptr %v746, align 4
%v747 = load <8 x float>, ptr %s52
%v748 = fadd <8 x float> %v747, %v745
store <8 x float> %v748, ptr %s52
%v749 = getelementptr float, ptr %v242, i64 104
%v750 = load <8 x float>, ptr %v749, align 4
%v751 = load <8 x float>, ptr %s53
%v752 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v745, <8 x float> %v750, <8 x float> %v751)
store <8 x float> %v752, ptr %s53
%v753 = load <8 x float>, ptr %s46
%v754 = load <8 x float>, ptr %s48
%v755 = fadd <8 x float> %v753, %v754
%v756 = load <8 x float>, ptr %s47
%v757 = load <8 x float>, ptr %s49
%v758 = fadd <8 x float> %v756, %v757
%v759 = load <8 x float>, ptr %s50
%v760 = load <8 x float>, ptr %s52
%v761 = fadd <8 x float> %v759, %v760
%v762 = load <8 x float>, ptr %s51
%v763 = load <8 x float>, ptr %s53
%v764 = fadd <8 x float> %v762, %v763
%v765 = getelementptr float, ptr %scratch, i64 1536
%v766 = getelementptr float, ptr %v765, i64 4
%v767 = load float, ptr %v766, align 4
%v768 = insertelement <8 x float> poison, float %v767, i32 0
%v769 = shufflevector <8 x float> %v768, <8 x float> poison, <8 x i32> zeroinitializer
%v770 = getelementptr float, ptr %scratch, i64 1536
%v771 = getelementptr float, ptr %v770, i64 5
%v772 = load float, ptr %v771, align 4
%v773 = insertelement <8 x float> poison, float %v772, i32 0
%v774 = shufflevector <8 x float> %v773, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s54
store <8 x float> splat (float 0x0000000000000000), ptr %s55
store <8 x float> splat (float 0x0000000000000000), ptr %s56
store <8 x float> splat (float 0x0000000000000000), ptr %s57
store <8 x float> splat (float 0x0000000000000000), ptr %s58
store <8 x float> splat (float 0x0000000000000000), ptr %s59
store <8 x float> splat (float 0x0000000000000000), ptr %s60
store <8 x float> splat (float 0x0000000000000000), ptr %s61
%v775 = getelementptr float, ptr %v241, i64 128
%v776 = load <8 x float>, ptr %v775, align 4
%v777 = fsub <8 x float> %v776, %v769
%v778 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v777
%v779 = select <8 x i1> %v778, <8 x float> splat (float 0xC056000000000000), <8 x float> %v777
%v780 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v779, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v781 = fsub <8 x float> %v780, splat (float 0x4168000FE0000000)
%v782 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v781, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v779)
%v783 = bitcast <8 x float> %v780 to <8 x i32>
%v784 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v781, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v782)
%v785 = shl <8 x i32> %v783, splat (i32 23)
%v786 = bitcast <8 x i32> %v785 to <8 x float>
%v787 = fmul <8 x float> %v784, %v784
%v788 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v784, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v789 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v784, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v790 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v787, <8 x float> %v789)
%v791 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v790, <8 x float> %v787, <8 x float> %v788)
%v792 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v787, <8 x float> %v791, <8 x float> %v784)
%v793 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v792, <8 x float> %v786, <8 x float> %v786)
%v794 = getelementptr float, ptr %v241, i64 128
store <8 x float> %v793, ptr %v794, align 4
%v795 = load <8 x float>, ptr %s54
%v796 = fadd <8 x float> %v795, %v793
store <8 x float> %v796, ptr %s54
%v797 = getelementptr float, ptr %v242, i64 128
%v798 = load <8 x float>, ptr %v797, align 4
%v799 = load <8 x float>, ptr %s55
%v800 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v793, <8 x float> %v798, <8 x float> %v799)
store <8 x float> %v800, ptr %s55
%v801 = getelementptr float, ptr %v241, i64 136
%v802 = load <8 x float>, ptr %v801, align 4
%v803 = fsub <8 x float> %v802, %v769
%v804 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v803
%v805 = select <8 x i1> %v804, <8 x float> splat (float 0xC056000000000000), <8 x float> %v803
%v806 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v805, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v807 = fsub <8 x float> %v806, splat (float 0x4168000FE0000000)
%v808 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v807, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v805)
%v809 = bitcast <8 x float> %v806 to <8 x i32>
%v810 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v807, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v808)
%v811 = shl <8 x i32> %v809, splat (i32 23)
%v812 = bitcast <8 x i32> %v811 to <8 x float>
%v813 = fmul <8 x float> %v810, %v810
%v814 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v810, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v815 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v810, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v816 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v813, <8 x float> %v815)
%v817 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v816, <8 x float> %v813, <8 x float> %v814)
%v818 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v813, <8 x float> %v817, <8 x float> %v810)
%v819 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v818, <8 x float> %v812, <8 x float> %v812)
%v820 = getelementptr float, ptr %v241, i64 136
store <8 x float> %v819, ptr %v820, align 4
%v821 = load <8 x float>, ptr %s56
%v822 = fadd <8 x float> %v821, %v819
store <8 x float> %v822, ptr %s56
%v823 = getelementptr float, ptr %v242, i64 136
%v824 = load <8 x float>, ptr %v823, align 4
%v825 = load <8 x float>, ptr %s57
%v826 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v819, <8 x float> %v824, <8 x float> %v825)
store <8 x float> %v826, ptr %s57
%v827 = getelementptr float, ptr %v241, i64 160
%v828 = load <8 x float>, ptr %v827, align 4
%v829 = fsub <8 x float> %v828, %v774
%v830 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v829
%v831 = select <8 x i1> %v830, <8 x float> splat (float 0xC056000000000000), <8 x float> %v829
%v832 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v831, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v833 = fsub <8 x float> %v832, splat (float 0x4168000FE0000000)
%v834 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v833, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v831)
%v835 = bitcast <8 x float> %v832 to <8 x i32>
%v836 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v833, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v834)
%v837 = shl <8 x i32> %v835, splat (i32 23)
%v838 = bitcast <8 x i32> %v837 to <8 x float>
%v839 = fmul <8 x float> %v836, %v836
%v840 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v836, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v841 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v836, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v842 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v839, <8 x float> %v841)
%v843 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v842, <8 x float> %v839, <8 x float> %v840)
%v844 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v839, <8 x float> %v843, <8 x float> %v836)
%v845 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v844, <8 x float> %v838, <8 x float> %v838)
%v846 = getelementptr float, ptr %v241, i64 160
store <8 x float> %v845, ptr %v846, align 4
%v847 = load <8 x float>, ptr %s58
%v848 = fadd <8 x float> %v847, %v845
store <8 x float> %v848, ptr %s58
%v849 = getelementptr float, ptr %v242, i64 160
%v850 = load <8 x float>, ptr %v849, align 4
%v851 = load <8 x float>, ptr %s59
%v852 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v845, <8 x float> %v850, <8 x float> %v851)
store <8 x float> %v852, ptr %s59
%v853 = getelementptr float, ptr %v241, i64 168
%v854 = load <8 x float>, ptr %v853, align 4
%v855 = fsub <8 x float> %v854, %v774
%v856 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v855
%v857 = select <8 x i1> %v856, <8 x float> splat (float 0xC056000000000000), <8 x float> %v855
%v858 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v857, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v859 = fsub <8 x float> %v858, splat (float 0x4168000FE0000000)
%v860 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v859, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v857)
%v861 = bitcast <8 x float> %v858 to <8 x i32>
%v862 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v859, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v860)
%v863 = shl <8 x i32> %v861, splat (i32 23)
%v864 = bitcast <8 x i32> %v863 to <8 x float>
%v865 = fmul <8 x float> %v862, %v862
%v866 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v862, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v867 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v862, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v868 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v865, <8 x float> %v867)
%v869 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v868, <8 x float> %v865, <8 x float> %v866)
%v870 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v865, <8 x float> %v869, <8 x float> %v862)
%v871 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v870, <8 x float> %v864, <8 x float> %v864)
%v872 = getelementptr float, ptr %v241, i64 168
store <8 x float> %v871, ptr %v872, align 4
%v873 = load <8 x float>, ptr %s60
%v874 = fadd <8 x float> %v873, %v871
store <8 x float> %v874, ptr %s60
%v875 = getelementptr float, ptr %v242, i64 168
%v876 = load <8 x float>, ptr %v875, align 4
%v877 = load <8 x float>, ptr %s61
%v878 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v871, <8 x float> %v876, <8 x float> %v877)
store <8 x float> %v878, ptr %s61
%v879 = load <8 x float>, ptr %s54
%v880 = load <8 x float>, ptr %s56
%v881 = fadd <8 x float> %v879, %v880
%v882 = load <8 x float>, ptr %s55
%v883 = load <8 x float>, ptr %s57
%v884 = fadd <8 x float> %v882, %v883
%v885 = load <8 x float>, ptr %s58
%v886 = load <8 x float>, ptr %s60
%v887 = fadd <8 x float> %v885, %v886
%v888 = load <8 x float>, ptr %s59
%v889 = load <8 x float>, ptr %s61
%v890 = fadd <8 x float> %v888, %v889
%v891 = shufflevector <8 x float> %v629, <8 x float> %v635, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v892 = shufflevector <8 x float> %v629, <8 x float> %v635, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v893 = fadd <8 x float> %v891, %v892
%v894 = shufflevector <8 x float> %v755, <8 x float> %v761, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v895 = shufflevector <8 x float> %v755, <8 x float> %v761, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v896 = fadd <8 x float> %v894, %v895
%v897 = shufflevector <8 x float> %v881, <8 x float> %v887, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v898 = shufflevector <8 x float> %v881, <8 x float> %v887, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v899 = fadd <8 x float> %v897, %v898
%v900 = shufflevector <8 x float> %v893, <8 x float> %v896, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v901 = shufflevector <8 x float> %v893, <8 x float> %v896, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v902 = fadd <8 x float> %v900, %v901
%v903 = shufflevector <8 x float> %v899, <8 x float> %v899, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v904 = shufflevector <8 x float> %v899, <8 x float> %v899, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v905 = fadd <8 x float> %v903, %v904
%v906 = shufflevector <8 x float> %v902, <8 x float> %v905, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v907 = shufflevector <8 x float> %v902, <8 x float> %v905, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v908 = fadd <8 x float> %v906, %v907
%v909 = shufflevector <8 x float> %v632, <8 x float> %v638, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v910 = shufflevector <8 x float> %v632, <8 x float> %v638, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v911 = fadd <8 x float> %v909, %v910
%v912 = shufflevector <8 x float> %v758, <8 x float> %v764, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v913 = shufflevector <8 x float> %v758, <8 x float> %v764, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v914 = fadd <8 x float> %v912, %v913
%v915 = shufflevector <8 x float> %v884, <8 x float> %v890, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v916 = shufflevector <8 x float> %v884, <8 x float> %v890, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v917 = fadd <8 x float> %v915, %v916
%v918 = shufflevector <8 x float> %v911, <8 x float> %v914, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v919 = shufflevector <8 x float> %v911, <8 x float> %v914, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v920 = fadd <8 x float> %v918, %v919
%v921 = shufflevector <8 x float> %v917, <8 x float> %v917, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v922 = shufflevector <8 x float> %v917, <8 x float> %v917, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v923 = fadd <8 x float> %v921, %v922
%v924 = shufflevector <8 x float> %v920, <8 x float> %v923, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v925 = shufflevector <8 x float> %v920, <8 x float> %v923, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v926 = fadd <8 x float> %v924, %v925
%v927 = fcmp oeq <8 x float> %v908, splat (float 0x0000000000000000)
%v928 = fdiv <8 x float> splat (float 0x3FF0000000000000), %v908
%v929 = select <8 x i1> %v927, <8 x float> splat (float 0x0000000000000000), <8 x float> %v928
%v930 = getelementptr float, ptr %scratch, i64 1552
store <8 x float> %v929, ptr %v930, align 4
%v931 = fmul <8 x float> %v926, %v929
%v932 = getelementptr float, ptr %scratch, i64 1568
store <8 x float> %v931, ptr %v932, align 4
%v933 = getelementptr float, ptr %scratch, i64 1552
%v934 = load float, ptr %v933, align 4
%v935 = insertelement <8 x float> poison, float %v934, i32 0
%v936 = shufflevector <8 x float> %v935, <8 x float> poison, <8 x i32> zeroinitializer
%v937 = getelementptr float, ptr %scratch, i64 1552
%v938 = getelementptr float, ptr %v937, i64 1
%v939 = load float, ptr %v938, align 4
%v940 = insertelement <8 x float> poison, float %v939, i32 0
%v941 = shufflevector <8 x float> %v940, <8 x float> poison, <8 x i32> zeroinitializer
%v942 = getelementptr float, ptr %scratch, i64 1568
%v943 = load float, ptr %v942, align 4
%v944 = insertelement <8 x float> poison, float %v943, i32 0
%v945 = shufflevector <8 x float> %v944, <8 x float> poison, <8 x i32> zeroinitializer
%v946 = getelementptr float, ptr %scratch, i64 1568
%v947 = getelementptr float, ptr %v946, i64 1
%v948 = load float, ptr %v947, align 4
%v949 = insertelement <8 x float> poison, float %v948, i32 0
%v950 = shufflevector <8 x float> %v949, <8 x float> poison, <8 x i32> zeroinitializer
br label %loop22
loop22:
%v951 = phi i64 [ 0, %end21 ], [ %v971, %loop22 ]
%v952 = getelementptr float, ptr %v241, i64 %v951
%v953 = load <8 x float>, ptr %v952, align 4
%v954 = fmul <8 x float> %v953, %v936
%v955 = getelementptr float, ptr %v242, i64 %v951
%v956 = load <8 x float>, ptr %v955, align 4
%v957 = fsub <8 x float> %v956, %v945
%v958 = fmul <8 x float> %v954, %v957
%v959 = getelementptr float, ptr %v241, i64 %v951
store <8 x float> %v954, ptr %v959, align 4
%v960 = getelementptr float, ptr %v242, i64 %v951
store <8 x float> %v958, ptr %v960, align 4
%v961 = add i64 32, %v951
%v962 = getelementptr float, ptr %v241, i64 %v961
%v963 = load <8 x float>, ptr %v962, align 4
%v964 = fmul <8 x float> %v963, %v941
%v965 = getelementptr float, ptr %v242, i64 %v961
%v966 = load <8 x float>, ptr %v965, align 4
%v967 = fsub <8 x float> %v966, %v950
%v968 = fmul <8 x float> %v964, %v967
%v969 = getelementptr float, ptr %v241, i64 %v961
store <8 x float> %v964, ptr %v969, align 4
%v970 = getelementptr float, ptr %v242, i64 %v961
store <8 x float> %v968, ptr %v970, align 4
%v971 = add i64 %v951, 8
%v972 = icmp slt i64 %v971, 16
br i1 %v972, label %loop22, label %end23
end23:
%v973 = getelementptr float, ptr %scratch, i64 1552
%v974 = getelementptr float, ptr %v973, i64 2
%v975 = load float, ptr %v974, align 4
%v976 = insertelement <8 x float> poison, float %v975, i32 0
%v977 = shufflevector <8 x float> %v976, <8 x float> poison, <8 x i32> zeroinitializer
%v978 = getelementptr float, ptr %scratch, i64 1552
%v979 = getelementptr float, ptr %v978, i64 3
%v980 = load float, ptr %v979, align 4
%v981 = insertelement <8 x float> poison, float %v980, i32 0
%v982 = shufflevector <8 x float> %v981, <8 x float> poison, <8 x i32> zeroinitializer
%v983 = getelementptr float, ptr %scratch, i64 1568
%v984 = getelementptr float, ptr %v983, i64 2
%v985 = load float, ptr %v984, align 4
%v986 = insertelement <8 x float> poison, float %v985, i32 0
%v987 = shufflevector <8 x float> %v986, <8 x float> poison, <8 x i32> zeroinitializer
%v988 = getelementptr float, ptr %scratch, i64 1568
%v989 = getelementptr float, ptr %v988, i64 3
%v990 = load float, ptr %v989, align 4
%v991 = insertelement <8 x float> poison, float %v990, i32 0
%v992 = shufflevector <8 x float> %v991, <8 x float> poison, <8 x i32> zeroinitializer
br label %loop24
loop24:
%v993 = phi i64 [ 0, %end23 ], [ %v1014, %loop24 ]
%v994 = add i64 64, %v993
%v995 = getelementptr float, ptr %v241, i64 %v994
%v996 = load <8 x float>, ptr %v995, align 4
%v997 = fmul <8 x float> %v996, %v977
%v998 = getelementptr float, ptr %v242, i64 %v994
%v999 = load <8 x float>, ptr %v998, align 4
%v1000 = fsub <8 x float> %v999, %v987
%v1001 = fmul <8 x float> %v997, %v1000
%v1002 = getelementptr float, ptr %v241, i64 %v994
store <8 x float> %v997, ptr %v1002, align 4
%v1003 = getelementptr float, ptr %v242, i64 %v994
store <8 x float> %v1001, ptr %v1003, align 4
%v1004 = add i64 96, %v993
%v1005 = getelementptr float, ptr %v241, i64 %v1004
%v1006 = load <8 x float>, ptr %v1005, align 4
%v1007 = fmul <8 x float> %v1006, %v982
%v1008 = getelementptr float, ptr %v242, i64 %v1004
%v1009 = load <8 x float>, ptr %v1008, align 4
%v1010 = fsub <8 x float> %v1009, %v992
%v1011 = fmul <8 x float> %v1007, %v1010
%v1012 = getelementptr float, ptr %v241, i64 %v1004
store <8 x float> %v1007, ptr %v1012, align 4
%v1013 = getelementptr float, ptr %v242, i64 %v1004
store <8 x float> %v1011, ptr %v1013, align 4
%v1014 = add i64 %v993, 8
%v1015 = icmp slt i64 %v1014, 16
br i1 %v1015, label %loop24, label %end25
end25:
%v1016 = getelementptr float, ptr %scratch, i64 1552
%v1017 = getelementptr float, ptr %v1016, i64 4
%v1018 = load float, ptr %v1017, align 4
%v1019 = insertelement <8 x float> poison, float %v1018, i32 0
%v1020 = shufflevector <8 x float> %v1019, <8 x float> poison, <8 x i32> zeroinitializer
%v1021 = getelementptr float, ptr %scratch, i64 1552
%v1022 = getelementptr float, ptr %v1021, i64 5
%v1023 = load float, ptr %v1022, align 4
%v1024 = insertelement <8 x float> poison, float %v1023, i32 0
%v1025 = shufflevector <8 x float> %v1024, <8 x float> poison, <8 x i32> zeroinitializer
%v1026 = getelementptr float, ptr %scratch, i64 1568
%v1027 = getelementptr float, ptr %v1026, i64 4
%v1028 = load float, ptr %v1027, align 4
%v1029 = insertelement <8 x float> poison, float %v1028, i32 0
%v1030 = shufflevector <8 x float> %v1029, <8 x float> poison, <8 x i32> zeroinitializer
%v1031 = getelementptr float, ptr %scratch, i64 1568
%v1032 = getelementptr float, ptr %v1031, i64 5
%v1033 = load float, ptr %v1032, align 4
%v1034 = insertelement <8 x float> poison, float %v1033, i32 0
%v1035 = shufflevector <8 x float> %v1034, <8 x float> poison, <8 x i32> zeroinitializer
br label %loop26
loop26:
%v1036 = phi i64 [ 0, %end25 ], [ %v1057, %loop26 ]
%v1037 = add i64 128, %v1036
%v1038 = getelementptr float, ptr %v241, i64 %v1037
%v1039 = load <8 x float>, ptr %v1038, align 4
%v1040 = fmul <8 x float> %v1039, %v1020
%v1041 = getelementptr float, ptr %v242, i64 %v1037
%v1042 = load <8 x float>, ptr %v1041, align 4
%v1043 = fsub <8 x float> %v1042, %v1030
%v1044 = fmul <8 x float> %v1040, %v1043
%v1045 = getelementptr float, ptr %v241, i64 %v1037
store <8 x float> %v1040, ptr %v1045, align 4
%v1046 = getelementptr float, ptr %v242, i64 %v1037
store <8 x float> %v1044, ptr %v1046, align 4
%v1047 = add i64 160, %v1036
%v1048 = getelementptr float, ptr %v241, i64 %v1047
%v1049 = load <8 x float>, ptr %v1048, align 4
%v1050 = fmul <8 x float> %v1049, %v1025
%v1051 = getelementptr float, ptr %v242, i64 %v1047
%v1052 = load <8 x float>, ptr %v1051, align 4
%v1053 = fsub <8 x float> %v1052, %v1035
%v1054 = fmul <8 x float> %v1050, %v1053
%v1055 = getelementptr float, ptr %v241, i64 %v1047
store <8 x float> %v1050, ptr %v1055, align 4
%v1056 = getelementptr float, ptr %v242, i64 %v1047
store <8 x float> %v1054, ptr %v1056, align 4
%v1057 = add i64 %v1036, 8
%v1058 = icmp slt i64 %v1057, 16
br i1 %v1058, label %loop26, label %end27
end27:
%v1059 = getelementptr float, ptr %v242, i64 32
%v1060 = getelementptr float, ptr %v242, i64 64
%v1061 = getelementptr float, ptr %v242, i64 96
%v1062 = getelementptr float, ptr %v242, i64 128
%v1063 = getelementptr float, ptr %v242, i64 160
store <8 x float> splat (float 0x0000000000000000), ptr %s62
store <8 x float> splat (float 0x0000000000000000), ptr %s63
store <8 x float> splat (float 0x0000000000000000), ptr %s64
store <8 x float> splat (float 0x0000000000000000), ptr %s65
store <8 x float> splat (float 0x0000000000000000), ptr %s66
store <8 x float> splat (float 0x0000000000000000), ptr %s67
store <8 x float> splat (float 0x0000000000000000), ptr %s68
store <8 x float> splat (float 0x0000000000000000), ptr %s69
store <8 x float> splat (float 0x0000000000000000), ptr %s70
store <8 x float> splat (float 0x0000000000000000), ptr %s71
store <8 x float> splat (float 0x0000000000000000), ptr %s72
store <8 x float> splat (float 0x0000000000000000), ptr %s73
%v1064 = getelementptr float, ptr %scratch, i64 5008
br label %loop28
loop28:
%v1065 = phi i64 [ 0, %end27 ], [ %v1121, %loop28 ]
%v1066 = mul i64 %v1065, 16
%v1067 = getelementptr float, ptr %v1064, i64 %v1066
%v1068 = load <8 x float>, ptr %v1067, align 4
%v1069 = mul i64 %v1065, 16
%v1070 = add i64 %v1069, 8
%v1071 = getelementptr float, ptr %v1064, i64 %v1070
%v1072 = load <8 x float>, ptr %v1071, align 4
%v1073 = getelementptr float, ptr %v242, i64 %v1065
%v1074 = load float, ptr %v1073, align 4
%v1075 = insertelement <8 x float> poison, float %v1074, i32 0
%v1076 = shufflevector <8 x float> %v1075, <8 x float> poison, <8 x i32> zeroinitializer
%v1077 = load <8 x float>, ptr %s62
%v1078 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1076, <8 x float> %v1068, <8 x float> %v1077)
store <8 x float> %v1078, ptr %s62
%v1079 = load <8 x float>, ptr %s63
%v1080 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1076, <8 x float> %v1072, <8 x float> %v1079)
store <8 x float> %v1080, ptr %s63
%v1081 = getelementptr float, ptr %v1059, i64 %v1065
%v1082 = load float, ptr %v1081, align 4
%v1083 = insertelement <8 x float> poison, float %v1082, i32 0
%v1084 = shufflevector <8 x float> %v1083, <8 x float> poison, <8 x i32> zeroinitializer
%v1085 = load <8 x float>, ptr %s64
%v1086 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1084, <8 x float> %v1068, <8 x float> %v1085)
store <8 x float> %v1086, ptr %s64
%v1087 = load <8 x float>, ptr %s65
%v1088 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1084, <8 x float> %v1072, <8 x float> %v1087)
store <8 x float> %v1088, ptr %s65
%v1089 = getelementptr float, ptr %v1060, i64 %v1065
%v1090 = load float, ptr %v1089, align 4
%v1091 = insertelement <8 x float> poison, float %v1090, i32 0
%v1092 = shufflevector <8 x float> %v1091, <8 x float> poison, <8 x i32> zeroinitializer
%v1093 = load <8 x float>, ptr %s66
%v1094 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1092, <8 x float> %v1068, <8 x float> %v1093)
store <8 x float> %v1094, ptr %s66
%v1095 = load <8 x float>, ptr %s67
%v1096 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1092, <8 x float> %v1072, <8 x float> %v1095)
store <8 x float> %v1096, ptr %s67
%v1097 = getelementptr float, ptr %v1061, i64 %v1065
%v1098 = load float, ptr %v1097, align 4
%v1099 = insertelement <8 x float> poison, float %v1098, i32 0
%v1100 = shufflevector <8 x float> %v1099, <8 x float> poison, <8 x i32> zeroinitializer
%v1101 = load <8 x float>, ptr %s68
%v1102 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1100, <8 x float> %v1068, <8 x float> %v1101)
store <8 x float> %v1102, ptr %s68
%v1103 = load <8 x float>, ptr %s69
%v1104 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1100, <8 x float> %v1072, <8 x float> %v1103)
store <8 x float> %v1104, ptr %s69
%v1105 = getelementptr float, ptr %v1062, i64 %v1065
%v1106 = load float, ptr %v1105, align 4
%v1107 = insertelement <8 x float> poison, float %v1106, i32 0
%v1108 = shufflevector <8 x float> %v1107, <8 x float> poison, <8 x i32> zeroinitializer
%v1109 = load <8 x float>, ptr %s70
%v1110 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1108, <8 x float> %v1068, <8 x float> %v1109)
store <8 x float> %v1110, ptr %s70
%v1111 = load <8 x float>, ptr %s71
%v1112 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1108, <8 x float> %v1072, <8 x float> %v1111)
store <8 x float> %v1112, ptr %s71
%v1113 = getelementptr float, ptr %v1063, i64 %v1065
%v1114 = load float, ptr %v1113, align 4
%v1115 = insertelement <8 x float> poison, float %v1114, i32 0
%v1116 = shufflevector <8 x float> %v1115, <8 x float> poison, <8 x i32> zeroinitializer
%v1117 = load <8 x float>, ptr %s72
%v1118 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1116, <8 x float> %v1068, <8 x float> %v1117)
store <8 x float> %v1118, ptr %s72
%v1119 = load <8 x float>, ptr %s73
%v1120 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1116, <8 x float> %v1072, <8 x float> %v1119)
store <8 x float> %v1120, ptr %s73
%v1121 = add i64 %v1065, 1
%v1122 = icmp slt i64 %v1121, 2
br i1 %v1122, label %loop28, label %end29
end29:
%v1123 = getelementptr float, ptr %scratch, i64 1584
%v1124 = load <8 x float>, ptr %s62
store <8 x float> %v1124, ptr %v1123, align 4
%v1125 = load <8 x float>, ptr %s63
%v1126 = getelementptr float, ptr %v1123, i64 8
store <8 x float> %v1125, ptr %v1126, align 4
%v1127 = load <8 x float>, ptr %s64
%v1128 = getelementptr float, ptr %v1123, i64 16
store <8 x float> %v1127, ptr %v1128, align 4
%v1129 = load <8 x float>, ptr %s65
%v1130 = getelementptr float, ptr %v1123, i64 24
store <8 x float> %v1129, ptr %v1130, align 4
%v1131 = load <8 x float>, ptr %s66
%v1132 = getelementptr float, ptr %v1123, i64 32
store <8 x float> %v1131, ptr %v1132, align 4
%v1133 = load <8 x float>, ptr %s67
%v1134 = getelementptr float, ptr %v1123, i64 40
store <8 x float> %v1133, ptr %v1134, align 4
%v1135 = load <8 x float>, ptr %s68
%v1136 = getelementptr float, ptr %v1123, i64 48
store <8 x float> %v1135, ptr %v1136, align 4
%v1137 = load <8 x float>, ptr %s69
%v1138 = getelementptr float, ptr %v1123, i64 56
store <8 x float> %v1137, ptr %v1138, align 4
%v1139 = load <8 x float>, ptr %s70
%v1140 = getelementptr float, ptr %v1123, i64 64
store <8 x float> %v1139, ptr %v1140, align 4
%v1141 = load <8 x float>, ptr %s71
%v1142 = getelementptr float, ptr %v1123, i64 72
store <8 x float> %v1141, ptr %v1142, align 4
%v1143 = load <8 x float>, ptr %s72
%v1144 = getelementptr float, ptr %v1123, i64 80
store <8 x float> %v1143, ptr %v1144, align 4
%v1145 = load <8 x float>, ptr %s73
%v1146 = getelementptr float, ptr %v1123, i64 88
store <8 x float> %v1145, ptr %v1146, align 4
%v1147 = mul i64 %v1, 16
%v1148 = getelementptr float, ptr %a4, i64 %v1147
%v1149 = getelementptr float, ptr %scratch, i64 1584
%v1150 = load <8 x float>, ptr %v1149, align 4
%v1151 = fmul <8 x float> %v1150, splat (float 0x3FD6A09E60000000)
store <8 x float> %v1151, ptr %v1148, align 4
%v1152 = mul i64 %v1, 16
%v1153 = add i64 %v1152, 8
%v1154 = getelementptr float, ptr %a4, i64 %v1153
%v1155 = getelementptr float, ptr %scratch, i64 1584
%v1156 = getelementptr float, ptr %v1155, i64 16
%v1157 = load <8 x float>, ptr %v1156, align 4
%v1158 = fmul <8 x float> %v1157, splat (float 0x3FD6A09E60000000)
store <8 x float> %v1158, ptr %v1154, align 4
%v1159 = mul i64 %v1, 16
%v1160 = add i64 %v1159, 8
%v1161 = getelementptr float, ptr %a4, i64 %v1160
%v1162 = getelementptr float, ptr %scratch, i64 1584
%v1163 = getelementptr float, ptr %v1162, i64 32
%v1164 = load <8 x float>, ptr %v1163, align 4
%v1165 = fmul <8 x float> %v1164, splat (float 0x3FD6A09E60000000)
store <8 x float> %v1165, ptr %v1161, align 4
%v1166 = mul i64 %v1, 16
%v1167 = add i64 %v1166, 8
%v1168 = getelementptr float, ptr %a4, i64 %v1167
%v1169 = getelementptr float, ptr %scratch, i64 1584
%v1170 = getelementptr float, ptr %v1169, i64 48
%v1171 = load <8 x float>, ptr %v1170, align 4
%v1172 = fmul <8 x float> %v1171, splat (float 0x3FD6A09E60000000)
store <8 x float> %v1172, ptr %v1168, align 4
%v1173 = mul i64 %v1, 16
%v1174 = add i64 %v1173, 8
%v1175 = getelementptr float, ptr %a4, i64 %v1174
%v1176 = getelementptr float, ptr %scratch, i64 1584
%v1177 = getelementptr float, ptr %v1176, i64 64
%v1178 = load <8 x float>, ptr %v1177, align 4
%v1179 = fmul <8 x float> %v1178, splat (float 0x3FD6A09E60000000)
store <8 x float> %v1179, ptr %v1175, align 4
%v1180 = mul i64 %v1, 16
%v1181 = add i64 %v1180, 8
%v1182 = getelementptr float, ptr %a4, i64 %v1181
%v1183 = getelementptr float, ptr %scratch, i64 1584
%v1184 = getelementptr float, ptr %v1183, i64 80
%v1185 = load <8 x float>, ptr %v1184, align 4
%v1186 = fmul <8 x float> %v1185, splat (float 0x3FD6A09E60000000)
store <8 x float> %v1186, ptr %v1182, align 4
%v1187 = getelementptr float, ptr %scratch, i64 5264
%v1188 = load <8 x float>, ptr %v1187, align 4
store <8 x float> %v1188, ptr %s76
%v1189 = getelementptr float, ptr %v1187, i64 8
%v1190 = load <8 x float>, ptr %v1189, align 4
store <8 x float> %v1190, ptr %s77
%v1191 = getelementptr float, ptr %v1187, i64 16
%v1192 = load <8 x float>, ptr %v1191, align 4
store <8 x float> %v1192, ptr %s78
%v1193 = getelementptr float, ptr %v1187, i64 24
%v1194 = load <8 x float>, ptr %v1193, align 4
store <8 x float> %v1194, ptr %s79
%v1195 = getelementptr float, ptr %v1187, i64 32
%v1196 = load <8 x float>, ptr %v1195, align 4
store <8 x float> %v1196, ptr %s80
%v1197 = getelementptr float, ptr %v1187, i64 40
%v1198 = load <8 x float>, ptr %v1197, align 4
store <8 x float> %v1198, ptr %s81
%v1199 = getelementptr float, ptr %v1187, i64 48
%v1200 = load <8 x float>, ptr %v1199, align 4
store <8 x float> %v1200, ptr %s82
%v1201 = getelementptr float, ptr %v1187, i64 56
%v1202 = load <8 x float>, ptr %v1201, align 4
store <8 x float> %v1202, ptr %s83
%v1203 = getelementptr float, ptr %v1187, i64 64
%v1204 = load <8 x float>, ptr %v1203, align 4
store <8 x float> %v1204, ptr %s84
%v1205 = getelementptr float, ptr %v1187, i64 72
%v1206 = load <8 x float>, ptr %v1205, align 4
store <8 x float> %v1206, ptr %s85
%v1207 = getelementptr float, ptr %v1187, i64 80
%v1208 = load <8 x float>, ptr %v1207, align 4
store <8 x float> %v1208, ptr %s86
%v1209 = getelementptr float, ptr %v1187, i64 88
%v1210 = load <8 x float>, ptr %v1209, align 4
store <8 x float> %v1210, ptr %s87
%v1211 = getelementptr float, ptr %scratch, i64 3216
%v1212 = getelementptr float, ptr %scratch, i64 3217
%v1213 = getelementptr float, ptr %scratch, i64 3218
%v1214 = getelementptr float, ptr %scratch, i64 3219
%v1215 = getelementptr float, ptr %scratch, i64 3220
%v1216 = getelementptr float, ptr %scratch, i64 3221
br label %loop30
loop30:
%v1217 = phi i64 [ 0, %end29 ], [ %v1279, %loop30 ]
%v1218 = mul i64 %v1217, 16
%v1219 = getelementptr float, ptr %scratch, i64 %v1218
%v1220 = load <8 x float>, ptr %v1219, align 4
%v1221 = mul i64 %v1217, 16
%v1222 = add i64 %v1221, 8
%v1223 = getelementptr float, ptr %scratch, i64 %v1222
%v1224 = load <8 x float>, ptr %v1223, align 4
%v1225 = mul i64 %v1217, 32
%v1226 = getelementptr float, ptr %v1211, i64 %v1225
%v1227 = load float, ptr %v1226, align 4
%v1228 = insertelement <8 x float> poison, float %v1227, i32 0
%v1229 = shufflevector <8 x float> %v1228, <8 x float> poison, <8 x i32> zeroinitializer
%v1230 = load <8 x float>, ptr %s76
%v1231 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1229, <8 x float> %v1220, <8 x float> %v1230)
store <8 x float> %v1231, ptr %s76
%v1232 = load <8 x float>, ptr %s77
%v1233 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1229, <8 x float> %v1224, <8 x float> %v1232)
store <8 x float> %v1233, ptr %s77
%v1234 = mul i64 %v1217, 32
%v1235 = getelementptr float, ptr %v1212, i64 %v1234
%v1236 = load float, ptr %v1235, align 4
%v1237 = insertelement <8 x float> poison, float %v1236, i32 0
%v1238 = shufflevector <8 x float> %v1237, <8 x float> poison, <8 x i32> zeroinitializer
%v1239 = load <8 x float>, ptr %s78
%v1240 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1238, <8 x float> %v1220, <8 x float> %v1239)
store <8 x float> %v1240, ptr %s78
%v1241 = load <8 x float>, ptr %s79
%v1242 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1238, <8 x float> %v1224, <8 x float> %v1241)
store <8 x float> %v1242, ptr %s79
%v1243 = mul i64 %v1217, 32
%v1244 = getelementptr float, ptr %v1213, i64 %v1243
%v1245 = load float, ptr %v1244, align 4
%v1246 = insertelement <8 x float> poison, float %v1245, i32 0
%v1247 = shufflevector <8 x float> %v1246, <8 x float> poison, <8 x i32> zeroinitializer
%v1248 = load <8 x float>, ptr %s80
%v1249 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1247, <8 x float> %v1220, <8 x float> %v1248)
store <8 x float> %v1249, ptr %s80
%v1250 = load <8 x float>, ptr %s81
%v1251 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1247, <8 x float> %v1224, <8 x float> %v1250)
store <8 x float> %v1251, ptr %s81
%v1252 = mul i64 %v1217, 32
%v1253 = getelementptr float, ptr %v1214, i64 %v1252
%v1254 = load float, ptr %v1253, align 4
%v1255 = insertelement <8 x float> poison, float %v1254, i32 0
%v1256 = shufflevector <8 x float> %v1255, <8 x float> poison, <8 x i32> zeroinitializer
%v1257 = load <8 x float>, ptr %s82
%v1258 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1256, <8 x float> %v1220, <8 x float> %v1257)
store <8 x float> %v1258, ptr %s82
%v1259 = load <8 x float>, ptr %s83
%v1260 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1256, <8 x float> %v1224, <8 x float> %v1259)
store <8 x float> %v1260, ptr %s83
%v1261 = mul i64 %v1217, 32
%v1262 = getelementptr float, ptr %v1215, i64 %v1261
%v1263 = load float, ptr %v1262, align 4
%v1264 = insertelement <8 x float> poison, float %v1263, i32 0
%v1265 = shufflevector <8 x float> %v1264, <8 x float> poison, <8 x i32> zeroinitializer
%v1266 = load <8 x float>, ptr %s84
%v1267 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1265, <8 x float> %v1220, <8 x float> %v1266)
store <8 x float> %v1267, ptr %s84
%v1268 = load <8 x float>, ptr %s85
%v1269 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1265, <8 x float> %v1224, <8 x float> %v1268)
store <8 x float> %v1269, ptr %s85
%v1270 = mul i64 %v1217, 32
%v1271 = getelementptr float, ptr %v1216, i64 %v1270
%v1272 = load float, ptr %v1271, align 4
%v1273 = insertelement <8 x float> poison, float %v1272, i32 0
%v1274 = shufflevector <8 x float> %v1273, <8 x float> poison, <8 x i32> zeroinitializer
%v1275 = load <8 x float>, ptr %s86
%v1276 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1274, <8 x float> %v1220, <8 x float> %v1275)
store <8 x float> %v1276, ptr %s86
%v1277 = load <8 x float>, ptr %s87
%v1278 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1274, <8 x float> %v1224, <8 x float> %v1277)
store <8 x float> %v1278, ptr %s87
%v1279 = add i64 %v1217, 1
%v1280 = icmp slt i64 %v1279, 2
br i1 %v1280, label %loop30, label %end31
end31:
%v1281 = load <8 x float>, ptr %s76
store <8 x float> %v1281, ptr %v1187, align 4
%v1282 = load <8 x float>, ptr %s77
%v1283 = getelementptr float, ptr %v1187, i64 8
store <8 x float> %v1282, ptr %v1283, align 4
%v1284 = load <8 x float>, ptr %s78
%v1285 = getelementptr float, ptr %v1187, i64 16
store <8 x float> %v1284, ptr %v1285, align 4
%v1286 = load <8 x float>, ptr %s79
%v1287 = getelementptr float, ptr %v1187, i64 24
store <8 x float> %v1286, ptr %v1287, align 4
%v1288 = load <8 x float>, ptr %s80
%v1289 = getelementptr float, ptr %v1187, i64 32
store <8 x float> %v1288, ptr %v1289, align 4
%v1290 = load <8 x float>, ptr %s81
%v1291 = getelementptr float, ptr %v1187, i64 40
store <8 x float> %v1290, ptr %v1291, align 4
%v1292 = load <8 x float>, ptr %s82
%v1293 = getelementptr float, ptr %v1187, i64 48
store <8 x float> %v1292, ptr %v1293, align 4
%v1294 = load <8 x float>, ptr %s83
%v1295 = getelementptr float, ptr %v1187, i64 56
store <8 x float> %v1294, ptr %v1295, align 4
%v1296 = load <8 x float>, ptr %s84
%v1297 = getelementptr float, ptr %v1187, i64 64
store <8 x float> %v1296, ptr %v1297, align 4
%v1298 = load <8 x float>, ptr %s85
%v1299 = getelementptr float, ptr %v1187, i64 72
store <8 x float> %v1298, ptr %v1299, align 4
%v1300 = load <8 x float>, ptr %s86
%v1301 = getelementptr float, ptr %v1187, i64 80
store <8 x float> %v1300, ptr %v1301, align 4
%v1302 = load <8 x float>, ptr %s87
%v1303 = getelementptr float, ptr %v1187, i64 88
store <8 x float> %v1302, ptr %v1303, align 4
%v1304 = getelementptr float, ptr %scratch, i64 5616
%v1305 = load <8 x float>, ptr %v1304, align 4
store <8 x float> %v1305, ptr %s88
%v1306 = getelementptr float, ptr %v1304, i64 8
%v1307 = load <8 x float>, ptr %v1306, align 4
store <8 x float> %v1307, ptr %s89
%v1308 = getelementptr float, ptr %v1304, i64 16
%v1309 = load <8 x float>, ptr %v1308, align 4
store <8 x float> %v1309, ptr %s90
%v1310 = getelementptr float, ptr %v1304, i64 24
%v1311 = load <8 x float>, ptr %v1310, align 4
store <8 x float> %v1311, ptr %s91
%v1312 = getelementptr float, ptr %v1304, i64 32
%v1313 = load <8 x float>, ptr %v1312, align 4
store <8 x float> %v1313, ptr %s92
%v1314 = getelementptr float, ptr %v1304, i64 40
%v1315 = load <8 x float>, ptr %v1314, align 4
store <8 x float> %v1315, ptr %s93
%v1316 = getelementptr float, ptr %v1304, i64 48
%v1317 = load <8 x float>, ptr %v1316, align 4
store <8 x float> %v1317, ptr %s94
%v1318 = getelementptr float, ptr %v1304, i64 56
%v1319 = load <8 x float>, ptr %v1318, align 4
store <8 x float> %v1319, ptr %s95
%v1320 = getelementptr float, ptr %v1304, i64 64
%v1321 = load <8 x float>, ptr %v1320, align 4
store <8 x float> %v1321, ptr %s96
%v1322 = getelementptr float, ptr %v1304, i64 72
%v1323 = load <8 x float>, ptr %v1322, align 4
store <8 x float> %v1323, ptr %s97
%v1324 = getelementptr float, ptr %v1304, i64 80
%v1325 = load <8 x float>, ptr %v1324, align 4
store <8 x float> %v1325, ptr %s98
%v1326 = getelementptr float, ptr %v1304, i64 88
%v1327 = load <8 x float>, ptr %v1326, align 4
store <8 x float> %v1327, ptr %s99
%v1328 = getelementptr float, ptr %scratch, i64 1680
%v1329 = getelementptr float, ptr %scratch, i64 1681
%v1330 = getelementptr float, ptr %scratch, i64 1682
%v1331 = getelementptr float, ptr %scratch, i64 1683
%v1332 = getelementptr float, ptr %scratch, i64 1684
%v1333 = getelementptr float, ptr %scratch, i64 1685
%v1334 = getelementptr float, ptr %scratch, i64 768
br label %loop32
loop32:
%v1335 = phi i64 [ 0, %end31 ], [ %v1397, %loop32 ]
%v1336 = mul i64 %v1335, 16
%v1337 = getelementptr float, ptr %v1334, i64 %v1336
%v1338 = load <8 x float>, ptr %v1337, align 4
%v1339 = mul i64 %v1335, 16
%v1340 = add i64 %v1339, 8
%v1341 = getelementptr float, ptr %v1334, i64 %v1340
%v1342 = load <8 x float>, ptr %v1341, align 4
%v1343 = mul i64 %v1335, 32
%v1344 = getelementptr float, ptr %v1328, i64 %v1343
%v1345 = load float, ptr %v1344, align 4
%v1346 = insertelement <8 x float> poison, float %v1345, i32 0
%v1347 = shufflevector <8 x float> %v1346, <8 x float> poison, <8 x i32> zeroinitializer
%v1348 = load <8 x float>, ptr %s88
%v1349 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1347, <8 x float> %v1338, <8 x float> %v1348)
store <8 x float> %v1349, ptr %s88
%v1350 = load <8 x float>, ptr %s89
%v1351 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1347, <8 x float> %v1342, <8 x float> %v1350)
store <8 x float> %v1351, ptr %s89
%v1352 = mul i64 %v1335, 32
%v1353 = getelementptr float, ptr %v1329, i64 %v1352
%v1354 = load float, ptr %v1353, align 4
%v1355 = insertelement <8 x float> poison, float %v1354, i32 0
%v1356 = shufflevector <8 x float> %v1355, <8 x float> poison, <8 x i32> zeroinitializer
%v1357 = load <8 x float>, ptr %s90
%v1358 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1356, <8 x float> %v1338, <8 x float> %v1357)
store <8 x float> %v1358, ptr %s90
%v1359 = load <8 x float>, ptr %s91
%v1360 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1356, <8 x float> %v1342, <8 x float> %v1359)
store <8 x float> %v1360, ptr %s91
%v1361 = mul i64 %v1335, 32
%v1362 = getelementptr float, ptr %v1330, i64 %v1361
%v1363 = load float, ptr %v1362, align 4
%v1364 = insertelement <8 x float> poison, float %v1363, i32 0
%v1365 = shufflevector <8 x float> %v1364, <8 x float> poison, <8 x i32> zeroinitializer
%v1366 = load <8 x float>, ptr %s92
%v1367 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1365, <8 x float> %v1338, <8 x float> %v1366)
store <8 x float> %v1367, ptr %s92
%v1368 = load <8 x float>, ptr %s93
%v1369 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1365, <8 x float> %v1342, <8 x float> %v1368)
store <8 x float> %v1369, ptr %s93
%v1370 = mul i64 %v1335, 32
%v1371 = getelementptr float, ptr %v1331, i64 %v1370
%v1372 = load float, ptr %v1371, align 4
%v1373 = insertelement <8 x float> poison, float %v1372, i32 0
%v1374 = shufflevector <8 x float> %v1373, <8 x float> poison, <8 x i32> zeroinitializer
%v1375 = load <8 x float>, ptr %s94
%v1376 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1374, <8 x float> %v1338, <8 x float> %v1375)
store <8 x float> %v1376, ptr %s94
%v1377 = load <8 x float>, ptr %s95
%v1378 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1374, <8 x float> %v1342, <8 x float> %v1377)
store <8 x float> %v1378, ptr %s95
%v1379 = mul i64 %v1335, 32
%v1380 = getelementptr float, ptr %v1332, i64 %v1379
%v1381 = load float, ptr %v1380, align 4
%v1382 = insertelement <8 x float> poison, float %v1381, i32 0
%v1383 = shufflevector <8 x float> %v1382, <8 x float> poison, <8 x i32> zeroinitializer
%v1384 = load <8 x float>, ptr %s96
%v1385 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1383, <8 x float> %v1338, <8 x float> %v1384)
store <8 x float> %v1385, ptr %s96
%v1386 = load <8 x float>, ptr %s97
%v1387 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1383, <8 x float> %v1342, <8 x float> %v1386)
store <8 x float> %v1387, ptr %s97
%v1388 = mul i64 %v1335, 32
%v1389 = getelementptr float, ptr %v1333, i64 %v1388
%v1390 = load float, ptr %v1389, align 4
%v1391 = insertelement <8 x float> poison, float %v1390, i32 0
%v1392 = shufflevector <8 x float> %v1391, <8 x float> poison, <8 x i32> zeroinitializer
%v1393 = load <8 x float>, ptr %s98
%v1394 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1392, <8 x float> %v1338, <8 x float> %v1393)
store <8 x float> %v1394, ptr %s98
%v1395 = load <8 x float>, ptr %s99
%v1396 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1392, <8 x float> %v1342, <8 x float> %v1395)
store <8 x float> %v1396, ptr %s99
%v1397 = add i64 %v1335, 1
%v1398 = icmp slt i64 %v1397, 2
br i1 %v1398, label %loop32, label %end33
end33:
%v1399 = load <8 x float>, ptr %s88
store <8 x float> %v1399, ptr %v1304, align 4
%v1400 = load <8 x float>, ptr %s89
%v1401 = getelementptr float, ptr %v1304, i64 8
store <8 x float> %v1400, ptr %v1401, align 4
%v1402 = load <8 x float>, ptr %s90
%v1403 = getelementptr float, ptr %v1304, i64 16
store <8 x float> %v1402, ptr %v1403, align 4
%v1404 = load <8 x float>, ptr %s91
%v1405 = getelementptr float, ptr %v1304, i64 24
store <8 x float> %v1404, ptr %v1405, align 4
%v1406 = load <8 x float>, ptr %s92
%v1407 = getelementptr float, ptr %v1304, i64 32
store <8 x float> %v1406, ptr %v1407, align 4
%v1408 = load <8 x float>, ptr %s93
%v1409 = getelementptr float, ptr %v1304, i64 40
store <8 x float> %v1408, ptr %v1409, align 4
%v1410 = load <8 x float>, ptr %s94
%v1411 = getelementptr float, ptr %v1304, i64 48
store <8 x float> %v1410, ptr %v1411, align 4
%v1412 = load <8 x float>, ptr %s95
%v1413 = getelementptr float, ptr %v1304, i64 56
store <8 x float> %v1412, ptr %v1413, align 4
%v1414 = load <8 x float>, ptr %s96
%v1415 = getelementptr float, ptr %v1304, i64 64
store <8 x float> %v1414, ptr %v1415, align 4
%v1416 = load <8 x float>, ptr %s97
%v1417 = getelementptr float, ptr %v1304, i64 72
store <8 x float> %v1416, ptr %v1417, align 4
%v1418 = load <8 x float>, ptr %s98
%v1419 = getelementptr float, ptr %v1304, i64 80
store <8 x float> %v1418, ptr %v1419, align 4
%v1420 = load <8 x float>, ptr %s99
%v1421 = getelementptr float, ptr %v1304, i64 88
store <8 x float> %v1420, ptr %v1421, align 4
br label %loop34
loop34:
%v1422 = phi i64 [ 0, %end33 ], [ %v1435, %end38 ]
%v1423 = mul i64 %v1, 16
%v1424 = mul i64 %v1422, 8
%v1425 = add i64 %v1423, %v1424
%v1426 = getelementptr float, ptr %a5, i64 %v1425
%v1427 = icmp sge i64 %v1422, 0
%v1428 = icmp slt i64 %v1422, 2
%v1429 = and i1 %v1427, %v1428
br i1 %v1429, label %then36, label %else37
then36:
%v1430 = mul i64 %v1422, 16
%v1431 = add i64 5264, %v1430
%v1432 = getelementptr float, ptr %scratch, i64 %v1431
%v1433 = load <8 x float>, ptr %v1432, align 4
%v1434 = fmul <8 x float> %v1433, splat (float 0x3FF0000000000000)
store <8 x float> %v1434, ptr %v1426, align 4
br label %end38
else37:
store <8 x float> splat (float 0x0000000000000000), ptr %v1426, align 4
br label %end38
end38:
%v1435 = add i64 %v1422, 1
%v1436 = icmp slt i64 %v1435, 2
br i1 %v1436, label %loop34, label %end35
end35:
br label %loop39
loop39:
%v1437 = phi i64 [ 0, %end35 ], [ %v1450, %end43 ]
%v1438 = mul i64 %v1, 16
%v1439 = mul i64 %v1437, 8
%v1440 = add i64 %v1438, %v1439
%v1441 = getelementptr float, ptr %a6, i64 %v1440
%v1442 = icmp sge i64 %v1437, 0
%v1443 = icmp slt i64 %v1437, 2
%v1444 = and i1 %v1442, %v1443
br i1 %v1444, label %then41, label %else42
then41:
%v1445 = mul i64 %v1437, 16
%v1446 = add i64 5616, %v1445
%v1447 = getelementptr float, ptr %scratch, i64 %v1446
%v1448 = load <8 x float>, ptr %v1447, align 4
%v1449 = fmul <8 x float> %v1448, splat (float 0x3FF0000000000000)
store <8 x float> %v1449, ptr %v1441, align 4
br label %end43
else42:
store <8 x float> splat (float 0x0000000000000000), ptr %v1441, align 4
br label %end43
end43:
%v1450 = add i64 %v1437, 1
%v1451 = icmp slt i64 %v1450, 2
br i1 %v1451, label %loop39, label %end40
end40:
%v1452 = add i64 %v1, 1
%v1453 = icmp slt i64 %v1452, %end
br i1 %v1453, label %loop1, label %end2
end2:
ret void
}

