; kernels for x86_64-avx2
; mir @attention_prefill {
;   %0 = input("x1") : f32[1, 12, 8]
;   %1 = input("x2") : f32[1, 12, 8]
;   %2 = input("x3") : f32[1, 12, 8]
;   %3 = attention(%0, %1, %2, num_heads=1, head_dim=8, mask_kind=causal, num_kv_heads=1) : f32[1, 12, 8]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @attention_4552b556(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%s6 = alloca <8 x float>
%s7 = alloca <8 x float>
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
%a3.p = getelementptr i64, ptr %args, i64 3
%a3 = load ptr, ptr %a3.p, align 8
br i1 false, label %then1, label %else2
then1:
ret void
unreachable4:
br label %end3
else2:
br label %end3
end3:
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard7, label %end6
guard7:
br label %loop5
loop5:
%v1 = phi i64 [ %begin, %guard7 ], [ %v1179, %end47 ]
br label %loop8
loop8:
%v2 = phi i64 [ 0, %loop5 ], [ %v17, %loop8 ]
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 11)
%v4 = mul i64 %v1, 96
%v5 = mul i64 %v3, 8
%v6 = add i64 %v4, %v5
%v7 = getelementptr float, ptr %a0, i64 %v6
%v8 = mul i64 %v2, 16
%v9 = getelementptr float, ptr %scratch, i64 %v8
%v10 = getelementptr float, ptr %scratch, i64 192
%v11 = mul i64 %v2, 16
%v12 = getelementptr float, ptr %v10, i64 %v11
%v13 = load <8 x float>, ptr %v7, align 4
%v14 = fmul <8 x float> %v13, splat (float 0x3FD6A09E60000000)
store <8 x float> %v14, ptr %v9, align 4
store <8 x float> splat (float 0x0000000000000000), ptr %v12, align 4
%v15 = getelementptr float, ptr %v9, i64 8
store <8 x float> splat (float 0x0000000000000000), ptr %v15, align 4
%v16 = getelementptr float, ptr %v12, i64 8
store <8 x float> splat (float 0x0000000000000000), ptr %v16, align 4
%v17 = add i64 %v2, 1
%v18 = icmp slt i64 %v17, 12
br i1 %v18, label %loop8, label %end9
end9:
br label %loop10
loop10:
%v19 = phi i64 [ 0, %end9 ], [ %v24, %loop10 ]
%v20 = getelementptr float, ptr %scratch, i64 384
%v21 = getelementptr float, ptr %v20, i64 %v19
store <8 x float> splat (float 0xC7EFFFFFE0000000), ptr %v21, align 4
%v22 = getelementptr float, ptr %scratch, i64 400
%v23 = getelementptr float, ptr %v22, i64 %v19
store <8 x float> splat (float 0x0000000000000000), ptr %v23, align 4
%v24 = add i64 %v19, 8
%v25 = icmp slt i64 %v24, 16
br i1 %v25, label %loop10, label %end11
end11:
br label %loop12
loop12:
%v26 = phi i64 [ 0, %end11 ], [ %v119, %loop12 ]
%v27 = call i64 @llvm.smin.i64(i64 %v26, i64 11)
%v28 = mul i64 %v1, 96
%v29 = mul i64 %v27, 8
%v30 = add i64 %v28, %v29
%v31 = getelementptr float, ptr %a1, i64 %v30
%v32 = add i64 %v26, 1
%v33 = call i64 @llvm.smin.i64(i64 %v32, i64 11)
%v34 = mul i64 %v1, 96
%v35 = mul i64 %v33, 8
%v36 = add i64 %v34, %v35
%v37 = getelementptr float, ptr %a1, i64 %v36
%v38 = add i64 %v26, 2
%v39 = call i64 @llvm.smin.i64(i64 %v38, i64 11)
%v40 = mul i64 %v1, 96
%v41 = mul i64 %v39, 8
%v42 = add i64 %v40, %v41
%v43 = getelementptr float, ptr %a1, i64 %v42
%v44 = add i64 %v26, 3
%v45 = call i64 @llvm.smin.i64(i64 %v44, i64 11)
%v46 = mul i64 %v1, 96
%v47 = mul i64 %v45, 8
%v48 = add i64 %v46, %v47
%v49 = getelementptr float, ptr %a1, i64 %v48
%v50 = add i64 %v26, 4
%v51 = call i64 @llvm.smin.i64(i64 %v50, i64 11)
%v52 = mul i64 %v1, 96
%v53 = mul i64 %v51, 8
%v54 = add i64 %v52, %v53
%v55 = getelementptr float, ptr %a1, i64 %v54
%v56 = add i64 %v26, 5
%v57 = call i64 @llvm.smin.i64(i64 %v56, i64 11)
%v58 = mul i64 %v1, 96
%v59 = mul i64 %v57, 8
%v60 = add i64 %v58, %v59
%v61 = getelementptr float, ptr %a1, i64 %v60
%v62 = add i64 %v26, 6
%v63 = call i64 @llvm.smin.i64(i64 %v62, i64 11)
%v64 = mul i64 %v1, 96
%v65 = mul i64 %v63, 8
%v66 = add i64 %v64, %v65
%v67 = getelementptr float, ptr %a1, i64 %v66
%v68 = add i64 %v26, 7
%v69 = call i64 @llvm.smin.i64(i64 %v68, i64 11)
%v70 = mul i64 %v1, 96
%v71 = mul i64 %v69, 8
%v72 = add i64 %v70, %v71
%v73 = getelementptr float, ptr %a1, i64 %v72
%v74 = ashr i64 %v26, 4
%v75 = mul i64 %v74, 128
%v76 = and i64 %v26, 15
%v77 = add i64 %v75, %v76
%v78 = getelementptr float, ptr %scratch, i64 1328
%v79 = getelementptr float, ptr %v78, i64 %v77
%v80 = load <8 x float>, ptr %v31, align 4
%v81 = load <8 x float>, ptr %v37, align 4
%v82 = load <8 x float>, ptr %v43, align 4
%v83 = load <8 x float>, ptr %v49, align 4
%v84 = load <8 x float>, ptr %v55, align 4
%v85 = load <8 x float>, ptr %v61, align 4
%v86 = load <8 x float>, ptr %v67, align 4
%v87 = load <8 x float>, ptr %v73, align 4
%v88 = shufflevector <8 x float> %v80, <8 x float> %v81, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v89 = shufflevector <8 x float> %v80, <8 x float> %v81, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v90 = shufflevector <8 x float> %v82, <8 x float> %v83, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v91 = shufflevector <8 x float> %v82, <8 x float> %v83, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v92 = shufflevector <8 x float> %v84, <8 x float> %v85, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v93 = shufflevector <8 x float> %v84, <8 x float> %v85, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v94 = shufflevector <8 x float> %v86, <8 x float> %v87, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v95 = shufflevector <8 x float> %v86, <8 x float> %v87, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v96 = shufflevector <8 x float> %v88, <8 x float> %v90, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v97 = shufflevector <8 x float> %v88, <8 x float> %v90, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v98 = shufflevector <8 x float> %v89, <8 x float> %v91, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v99 = shufflevector <8 x float> %v89, <8 x float> %v91, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v100 = shufflevector <8 x float> %v92, <8 x float> %v94, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v101 = shufflevector <8 x float> %v92, <8 x float> %v94, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v102 = shufflevector <8 x float> %v93, <8 x float> %v95, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v103 = shufflevector <8 x float> %v93, <8 x float> %v95, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v104 = shufflevector <8 x float> %v96, <8 x float> %v100, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v105 = shufflevector <8 x float> %v96, <8 x float> %v100, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v106 = shufflevector <8 x float> %v98, <8 x float> %v102, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v107 = shufflevector <8 x float> %v98, <8 x float> %v102, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v108 = shufflevector <8 x float> %v97, <8 x float> %v101, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v109 = shufflevector <8 x float> %v97, <8 x float> %v101, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v110 = shufflevector <8 x float> %v99, <8 x float> %v103, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v111 = shufflevector <8 x float> %v99, <8 x float> %v103, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
store <8 x float> %v104, ptr %v79, align 4
%v112 = getelementptr float, ptr %v79, i64 16
store <8 x float> %v106, ptr %v112, align 4
%v113 = getelementptr float, ptr %v79, i64 32
store <8 x float> %v108, ptr %v113, align 4
%v114 = getelementptr float, ptr %v79, i64 48
store <8 x float> %v110, ptr %v114, align 4
%v115 = getelementptr float, ptr %v79, i64 64
store <8 x float> %v105, ptr %v115, align 4
%v116 = getelementptr float, ptr %v79, i64 80
store <8 x float> %v107, ptr %v116, align 4
%v117 = getelementptr float, ptr %v79, i64 96
store <8 x float> %v109, ptr %v117, align 4
%v118 = getelementptr float, ptr %v79, i64 112
store <8 x float> %v111, ptr %v118, align 4
%v119 = add i64 %v26, 8
%v120 = icmp slt i64 %v119, 12
br i1 %v120, label %loop12, label %end13
end13:
br label %loop14
loop14:
%v121 = phi i64 [ 0, %end13 ], [ %v131, %loop14 ]
%v122 = mul i64 %v1, 96
%v123 = mul i64 %v121, 8
%v124 = add i64 %v122, %v123
%v125 = getelementptr float, ptr %a2, i64 %v124
%v126 = getelementptr float, ptr %scratch, i64 2352
%v127 = mul i64 %v121, 16
%v128 = getelementptr float, ptr %v126, i64 %v127
%v129 = load <8 x float>, ptr %v125, align 4
store <8 x float> %v129, ptr %v128, align 4
%v130 = getelementptr float, ptr %v128, i64 8
store <8 x float> splat (float 0x0000000000000000), ptr %v130, align 4
%v131 = add i64 %v121, 1
%v132 = icmp slt i64 %v131, 12
br i1 %v132, label %loop14, label %end15
end15:
br label %loop16
loop16:
%v133 = phi i64 [ 0, %end15 ], [ %v1139, %end20 ]
%v134 = mul i64 %v133, 6
%v135 = add i64 %v134, 5
%v136 = call i64 @llvm.smin.i64(i64 %v135, i64 11)
%v137 = add i64 %v136, 1
%v138 = call i64 @llvm.smin.i64(i64 %v137, i64 12)
%v139 = call i64 @llvm.smin.i64(i64 %v138, i64 12)
%v140 = icmp slt i64 0, %v139
br i1 %v140, label %then18, label %else19
then18:
%v141 = add i64 %v134, 1
%v142 = call i64 @llvm.smin.i64(i64 %v141, i64 12)
%v143 = icmp sge i64 %v142, %v139
%v144 = and i64 %v139, 15
%v145 = icmp eq i64 %v144, 0
%v146 = and i1 %v143, %v145
%v147 = mul i64 %v133, 6
%v148 = call i64 @llvm.smin.i64(i64 %v147, i64 11)
%v149 = mul i64 %v133, 6
%v150 = add i64 %v149, 1
%v151 = call i64 @llvm.smin.i64(i64 %v150, i64 11)
%v152 = mul i64 %v133, 6
%v153 = add i64 %v152, 2
%v154 = call i64 @llvm.smin.i64(i64 %v153, i64 11)
%v155 = mul i64 %v133, 6
%v156 = add i64 %v155, 3
%v157 = call i64 @llvm.smin.i64(i64 %v156, i64 11)
%v158 = mul i64 %v133, 6
%v159 = add i64 %v158, 4
%v160 = call i64 @llvm.smin.i64(i64 %v159, i64 11)
%v161 = mul i64 %v133, 6
%v162 = add i64 %v161, 5
%v163 = call i64 @llvm.smin.i64(i64 %v162, i64 11)
store <8 x float> splat (float 0xFFF0000000000000), ptr %s6
store <8 x float> splat (float 0xFFF0000000000000), ptr %s7
store <8 x float> splat (float 0xFFF0000000000000), ptr %s8
store <8 x float> splat (float 0xFFF0000000000000), ptr %s9
store <8 x float> splat (float 0xFFF0000000000000), ptr %s10
store <8 x float> splat (float 0xFFF0000000000000), ptr %s11
br i1 %v146, label %then21, label %else22
then21:
%v164 = icmp slt i64 0, %v139
br i1 %v164, label %guard26, label %end25
guard26:
br label %loop24
loop24:
%v165 = phi i64 [ 0, %guard26 ], [ %v325, %end28 ]
%v166 = mul i64 %v133, 96
%v167 = getelementptr float, ptr %scratch, i64 %v166
%v168 = getelementptr float, ptr %scratch, i64 1328
%v169 = mul i64 %v165, 8
%v170 = getelementptr float, ptr %v168, i64 %v169
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
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
br label %loop27
loop27:
%v171 = phi i64 [ 0, %loop24 ], [ %v232, %loop27 ]
%v172 = mul i64 %v171, 16
%v173 = getelementptr float, ptr %v170, i64 %v172
%v174 = load <8 x float>, ptr %v173, align 4
%v175 = mul i64 %v171, 16
%v176 = add i64 %v175, 8
%v177 = getelementptr float, ptr %v170, i64 %v176
%v178 = load <8 x float>, ptr %v177, align 4
%v179 = getelementptr float, ptr %v167, i64 %v171
%v180 = load float, ptr %v179, align 4
%v181 = insertelement <8 x float> poison, float %v180, i32 0
%v182 = shufflevector <8 x float> %v181, <8 x float> poison, <8 x i32> zeroinitializer
%v183 = load <8 x float>, ptr %s12
%v184 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v182, <8 x float> %v174, <8 x float> %v183)
store <8 x float> %v184, ptr %s12
%v185 = load <8 x float>, ptr %s13
%v186 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v182, <8 x float> %v178, <8 x float> %v185)
store <8 x float> %v186, ptr %s13
%v187 = add i64 %v171, 16
%v188 = getelementptr float, ptr %v167, i64 %v187
%v189 = load float, ptr %v188, align 4
%v190 = insertelement <8 x float> poison, float %v189, i32 0
%v191 = shufflevector <8 x float> %v190, <8 x float> poison, <8 x i32> zeroinitializer
%v192 = load <8 x float>, ptr %s14
%v193 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v191, <8 x float> %v174, <8 x float> %v192)
store <8 x float> %v193, ptr %s14
%v194 = load <8 x float>, ptr %s15
%v195 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v191, <8 x float> %v178, <8 x float> %v194)
store <8 x float> %v195, ptr %s15
%v196 = add i64 %v171, 32
%v197 = getelementptr float, ptr %v167, i64 %v196
%v198 = load float, ptr %v197, align 4
%v199 = insertelement <8 x float> poison, float %v198, i32 0
%v200 = shufflevector <8 x float> %v199, <8 x float> poison, <8 x i32> zeroinitializer
%v201 = load <8 x float>, ptr %s16
%v202 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v200, <8 x float> %v174, <8 x float> %v201)
store <8 x float> %v202, ptr %s16
%v203 = load <8 x float>, ptr %s17
%v204 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v200, <8 x float> %v178, <8 x float> %v203)
store <8 x float> %v204, ptr %s17
%v205 = add i64 %v171, 48
%v206 = getelementptr float, ptr %v167, i64 %v205
%v207 = load float, ptr %v206, align 4
%v208 = insertelement <8 x float> poison, float %v207, i32 0
%v209 = shufflevector <8 x float> %v208, <8 x float> poison, <8 x i32> zeroinitializer
%v210 = load <8 x float>, ptr %s18
%v211 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v209, <8 x float> %v174, <8 x float> %v210)
store <8 x float> %v211, ptr %s18
%v212 = load <8 x float>, ptr %s19
%v213 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v209, <8 x float> %v178, <8 x float> %v212)
store <8 x float> %v213, ptr %s19
%v214 = add i64 %v171, 64
%v215 = getelementptr float, ptr %v167, i64 %v214
%v216 = load float, ptr %v215, align 4
%v217 = insertelement <8 x float> poison, float %v216, i32 0
%v218 = shufflevector <8 x float> %v217, <8 x float> poison, <8 x i32> zeroinitializer
%v219 = load <8 x float>, ptr %s20
%v220 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v218, <8 x float> %v174, <8 x float> %v219)
store <8 x float> %v220, ptr %s20
%v221 = load <8 x float>, ptr %s21
%v222 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v218, <8 x float> %v178, <8 x float> %v221)
store <8 x float> %v222, ptr %s21
%v223 = add i64 %v171, 80
%v224 = getelementptr float, ptr %v167, i64 %v223
%v225 = load float, ptr %v224, align 4
%v226 = insertelement <8 x float> poison, float %v225, i32 0
%v227 = shufflevector <8 x float> %v226, <8 x float> poison, <8 x i32> zeroinitializer
%v228 = load <8 x float>, ptr %s22
%v229 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v227, <8 x float> %v174, <8 x float> %v228)
store <8 x float> %v229, ptr %s22
%v230 = load <8 x float>, ptr %s23
%v231 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v227, <8 x float> %v178, <8 x float> %v230)
store <8 x float> %v231, ptr %s23
%v232 = add i64 %v171, 1
%v233 = icmp slt i64 %v232, 8
br i1 %v233, label %loop27, label %end28
end28:
%v234 = load <8 x float>, ptr %s12
%v235 = load <8 x float>, ptr %s13
%v236 = load <8 x float>, ptr %s14
%v237 = load <8 x float>, ptr %s15
%v238 = load <8 x float>, ptr %s16
%v239 = load <8 x float>, ptr %s17
%v240 = load <8 x float>, ptr %s18
%v241 = load <8 x float>, ptr %s19
%v242 = load <8 x float>, ptr %s20
%v243 = load <8 x float>, ptr %s21
%v244 = load <8 x float>, ptr %s22
%v245 = load <8 x float>, ptr %s23
%v246 = trunc i64 %v165 to i32
%v247 = insertelement <8 x i32> poison, i32 %v246, i32 0
%v248 = shufflevector <8 x i32> %v247, <8 x i32> poison, <8 x i32> zeroinitializer
%v249 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v248
%v250 = getelementptr float, ptr %scratch, i64 432
%v251 = getelementptr float, ptr %v250, i64 %v165
store <8 x float> %v234, ptr %v251, align 4
%v252 = load <8 x float>, ptr %s6
%v253 = fcmp ogt <8 x float> %v234, %v252
%v254 = select <8 x i1> %v253, <8 x float> %v234, <8 x float> %v252
store <8 x float> %v254, ptr %s6
%v255 = getelementptr float, ptr %scratch, i64 432
%v256 = add i64 %v165, 128
%v257 = getelementptr float, ptr %v255, i64 %v256
store <8 x float> %v236, ptr %v257, align 4
%v258 = load <8 x float>, ptr %s7
%v259 = fcmp ogt <8 x float> %v236, %v258
%v260 = select <8 x i1> %v259, <8 x float> %v236, <8 x float> %v258
store <8 x float> %v260, ptr %s7
%v261 = getelementptr float, ptr %scratch, i64 432
%v262 = add i64 %v165, 256
%v263 = getelementptr float, ptr %v261, i64 %v262
store <8 x float> %v238, ptr %v263, align 4
%v264 = load <8 x float>, ptr %s8
%v265 = fcmp ogt <8 x float> %v238, %v264
%v266 = select <8 x i1> %v265, <8 x float> %v238, <8 x float> %v264
store <8 x float> %v266, ptr %s8
%v267 = getelementptr float, ptr %scratch, i64 432
%v268 = add i64 %v165, 384
%v269 = getelementptr float, ptr %v267, i64 %v268
store <8 x float> %v240, ptr %v269, align 4
%v270 = load <8 x float>, ptr %s9
%v271 = fcmp ogt <8 x float> %v240, %v270
%v272 = select <8 x i1> %v271, <8 x float> %v240, <8 x float> %v270
store <8 x float> %v272, ptr %s9
%v273 = getelementptr float, ptr %scratch, i64 432
%v274 = add i64 %v165, 512
%v275 = getelementptr float, ptr %v273, i64 %v274
store <8 x float> %v242, ptr %v275, align 4
%v276 = load <8 x float>, ptr %s10
%v277 = fcmp ogt <8 x float> %v242, %v276
%v278 = select <8 x i1> %v277, <8 x float> %v242, <8 x float> %v276
store <8 x float> %v278, ptr %s10
%v279 = getelementptr float, ptr %scratch, i64 432
%v280 = add i64 %v165, 640
%v281 = getelementptr float, ptr %v279, i64 %v280
store <8 x float> %v244, ptr %v281, align 4
%v282 = load <8 x float>, ptr %s11
%v283 = fcmp ogt <8 x float> %v244, %v282
%v284 = select <8 x i1> %v283, <8 x float> %v244, <8 x float> %v282
store <8 x float> %v284, ptr %s11
%v285 = add i64 %v165, 8
%v286 = trunc i64 %v285 to i32
%v287 = insertelement <8 x i32> poison, i32 %v286, i32 0
%v288 = shufflevector <8 x i32> %v287, <8 x i32> poison, <8 x i32> zeroinitializer
%v289 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v288
%v290 = getelementptr float, ptr %scratch, i64 432
%v291 = getelementptr float, ptr %v290, i64 %v285
store <8 x float> %v235, ptr %v291, align 4
%v292 = load <8 x float>, ptr %s6
%v293 = fcmp ogt <8 x float> %v235, %v292
%v294 = select <8 x i1> %v293, <8 x float> %v235, <8 x float> %v292
store <8 x float> %v294, ptr %s6
%v295 = getelementptr float, ptr %scratch, i64 432
%v296 = add i64 %v285, 128
%v297 = getelementptr float, ptr %v295, i64 %v296
store <8 x float> %v237, ptr %v297, align 4
%v298 = load <8 x float>, ptr %s7
%v299 = fcmp ogt <8 x float> %v237, %v298
%v300 = select <8 x i1> %v299, <8 x float> %v237, <8 x float> %v298
store <8 x float> %v300, ptr %s7
%v301 = getelementptr float, ptr %scratch, i64 432
%v302 = add i64 %v285, 256
%v303 = getelementptr float, ptr %v301, i64 %v302
store <8 x float> %v239, ptr %v303, align 4
%v304 = load <8 x float>, ptr %s8
%v305 = fcmp ogt <8 x float> %v239, %v304
%v306 = select <8 x i1> %v305, <8 x float> %v239, <8 x float> %v304
store <8 x float> %v306, ptr %s8
%v307 = getelementptr float, ptr %scratch, i64 432
%v308 = add i64 %v285, 384
%v309 = getelementptr float, ptr %v307, i64 %v308
store <8 x float> %v241, ptr %v309, align 4
%v310 = load <8 x float>, ptr %s9
%v311 = fcmp ogt <8 x float> %v241, %v310
%v312 = select <8 x i1> %v311, <8 x float> %v241, <8 x float> %v310
store <8 x float> %v312, ptr %s9
%v313 = getelementptr float, ptr %scratch, i64 432
%v314 = add i64 %v285, 512
%v315 = getelementptr float, ptr %v313, i64 %v314
store <8 x float> %v243, ptr %v315, align 4
%v316 = load <8 x float>, ptr %s10
%v317 = fcmp ogt <8 x float> %v243, %v316
%v318 = select <8 x i1> %v317, <8 x float> %v243, <8 x float> %v316
store <8 x float> %v318, ptr %s10
%v319 = getelementptr float, ptr %scratch, i64 432
%v320 = add i64 %v285, 640
%v321 = getelementptr float, ptr %v319, i64 %v320
store <8 x float> %v245, ptr %v321, align 4
%v322 = load <8 x float>, ptr %s11
%v323 = fcmp ogt <8 x float> %v245, %v322
%v324 = select <8 x i1> %v323, <8 x float> %v245, <8 x float> %v322
store <8 x float> %v324, ptr %s11
%v325 = add i64 %v165, 16
%v326 = icmp slt i64 %v325, %v139
br i1 %v326, label %loop24, label %end25
end25:
br label %end23
else22:
%v327 = add i64 %v148, 1
%v328 = call i64 @llvm.smin.i64(i64 %v327, i64 12)
%v329 = trunc i64 %v328 to i32
%v330 = add i64 %v151, 1
%v331 = call i64 @llvm.smin.i64(i64 %v330, i64 12)
%v332 = trunc i64 %v331 to i32
%v333 = add i64 %v154, 1
%v334 = call i64 @llvm.smin.i64(i64 %v333, i64 12)
%v335 = trunc i64 %v334 to i32
%v336 = add i64 %v157, 1
%v337 = call i64 @llvm.smin.i64(i64 %v336, i64 12)
%v338 = trunc i64 %v337 to i32
%v339 = add i64 %v160, 1
%v340 = call i64 @llvm.smin.i64(i64 %v339, i64 12)
%v341 = trunc i64 %v340 to i32
%v342 = add i64 %v163, 1
%v343 = call i64 @llvm.smin.i64(i64 %v342, i64 12)
%v344 = trunc i64 %v343 to i32
%v345 = icmp slt i64 0, %v139
br i1 %v345, label %guard31, label %end30
guard31:
br label %loop29
loop29:
%v346 = phi i64 [ 0, %guard31 ], [ %v554, %end33 ]
%v347 = mul i64 %v133, 96
%v348 = getelementptr float, ptr %scratch, i64 %v347
%v349 = getelementptr float, ptr %scratch, i64 1328
%v350 = mul i64 %v346, 8
%v351 = getelementptr float, ptr %v349, i64 %v350
store <8 x float> splat (float 0x0000000000000000), ptr %s24
store <8 x float> splat (float 0x0000000000000000), ptr %s25
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
br label %loop32
loop32:
%v352 = phi i64 [ 0, %loop29 ], [ %v413, %loop32 ]
%v353 = mul i64 %v352, 16
%v354 = getelementptr float, ptr %v351, i64 %v353
%v355 = load <8 x float>, ptr %v354, align 4
%v356 = mul i64 %v352, 16
%v357 = add i64 %v356, 8
%v358 = getelementptr float, ptr %v351, i64 %v357
%v359 = load <8 x float>, ptr %v358, align 4
%v360 = getelementptr float, ptr %v348, i64 %v352
%v361 = load float, ptr %v360, align 4
%v362 = insertelement <8 x float> poison, float %v361, i32 0
%v363 = shufflevector <8 x float> %v362, <8 x float> poison, <8 x i32> zeroinitializer
%v364 = load <8 x float>, ptr %s24
%v365 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v363, <8 x float> %v355, <8 x float> %v364)
store <8 x float> %v365, ptr %s24
%v366 = load <8 x float>, ptr %s25
%v367 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v363, <8 x float> %v359, <8 x float> %v366)
store <8 x float> %v367, ptr %s25
%v368 = add i64 %v352, 16
%v369 = getelementptr float, ptr %v348, i64 %v368
%v370 = load float, ptr %v369, align 4
%v371 = insertelement <8 x float> poison, float %v370, i32 0
%v372 = shufflevector <8 x float> %v371, <8 x float> poison, <8 x i32> zeroinitializer
%v373 = load <8 x float>, ptr %s26
%v374 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v372, <8 x float> %v355, <8 x float> %v373)
store <8 x float> %v374, ptr %s26
%v375 = load <8 x float>, ptr %s27
%v376 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v372, <8 x float> %v359, <8 x float> %v375)
store <8 x float> %v376, ptr %s27
%v377 = add i64 %v352, 32
%v378 = getelementptr float, ptr %v348, i64 %v377
%v379 = load float, ptr %v378, align 4
%v380 = insertelement <8 x float> poison, float %v379, i32 0
%v381 = shufflevector <8 x float> %v380, <8 x float> poison, <8 x i32> zeroinitializer
%v382 = load <8 x float>, ptr %s28
%v383 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v381, <8 x float> %v355, <8 x float> %v382)
store <8 x float> %v383, ptr %s28
%v384 = load <8 x float>, ptr %s29
%v385 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v381, <8 x float> %v359, <8 x float> %v384)
store <8 x float> %v385, ptr %s29
%v386 = add i64 %v352, 48
%v387 = getelementptr float, ptr %v348, i64 %v386
%v388 = load float, ptr %v387, align 4
%v389 = insertelement <8 x float> poison, float %v388, i32 0
%v390 = shufflevector <8 x float> %v389, <8 x float> poison, <8 x i32> zeroinitializer
%v391 = load <8 x float>, ptr %s30
%v392 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v390, <8 x float> %v355, <8 x float> %v391)
store <8 x float> %v392, ptr %s30
%v393 = load <8 x float>, ptr %s31
%v394 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v390, <8 x float> %v359, <8 x float> %v393)
store <8 x float> %v394, ptr %s31
%v395 = add i64 %v352, 64
%v396 = getelementptr float, ptr %v348, i64 %v395
%v397 = load float, ptr %v396, align 4
%v398 = insertelement <8 x float> poison, float %v397, i32 0
%v399 = shufflevector <8 x float> %v398, <8 x float> poison, <8 x i32> zeroinitializer
%v400 = load <8 x float>, ptr %s32
%v401 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v399, <8 x float> %v355, <8 x float> %v400)
store <8 x float> %v401, ptr %s32
%v402 = load <8 x float>, ptr %s33
%v403 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v399, <8 x float> %v359, <8 x float> %v402)
store <8 x float> %v403, ptr %s33
%v404 = add i64 %v352, 80
%v405 = getelementptr float, ptr %v348, i64 %v404
%v406 = load float, ptr %v405, align 4
%v407 = insertelement <8 x float> poison, float %v406, i32 0
%v408 = shufflevector <8 x float> %v407, <8 x float> poison, <8 x i32> zeroinitializer
%v409 = load <8 x float>, ptr %s34
%v410 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v408, <8 x float> %v355, <8 x float> %v409)
store <8 x float> %v410, ptr %s34
%v411 = load <8 x float>, ptr %s35
%v412 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v408, <8 x float> %v359, <8 x float> %v411)
store <8 x float> %v412, ptr %s35
%v413 = add i64 %v352, 1
%v414 = icmp slt i64 %v413, 8
br i1 %v414, label %loop32, label %end33
end33:
%v415 = load <8 x float>, ptr %s24
%v416 = load <8 x float>, ptr %s25
%v417 = load <8 x float>, ptr %s26
%v418 = load <8 x float>, ptr %s27
%v419 = load <8 x float>, ptr %s28
%v420 = load <8 x float>, ptr %s29
%v421 = load <8 x float>, ptr %s30
%v422 = load <8 x float>, ptr %s31
%v423 = load <8 x float>, ptr %s32
%v424 = load <8 x float>, ptr %s33
%v425 = load <8 x float>, ptr %s34
%v426 = load <8 x float>, ptr %s35
%v427 = trunc i64 %v346 to i32
%v428 = insertelement <8 x i32> poison, i32 %v427, i32 0
%v429 = shufflevector <8 x i32> %v428, <8 x i32> poison, <8 x i32> zeroinitializer
%v430 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v429
%v431 = insertelement <8 x i32> poison, i32 %v329, i32 0
%v432 = shufflevector <8 x i32> %v431, <8 x i32> poison, <8 x i32> zeroinitializer
%v433 = icmp slt <8 x i32> %v430, %v432
%v434 = select <8 x i1> %v433, <8 x float> %v415, <8 x float> splat (float 0xFFF0000000000000)
%v435 = getelementptr float, ptr %scratch, i64 432
%v436 = getelementptr float, ptr %v435, i64 %v346
store <8 x float> %v434, ptr %v436, align 4
%v437 = load <8 x float>, ptr %s6
%v438 = fcmp ogt <8 x float> %v434, %v437
%v439 = select <8 x i1> %v438, <8 x float> %v434, <8 x float> %v437
store <8 x float> %v439, ptr %s6
%v440 = insertelement <8 x i32> poison, i32 %v332, i32 0
%v441 = shufflevector <8 x i32> %v440, <8 x i32> poison, <8 x i32> zeroinitializer
%v442 = icmp slt <8 x i32> %v430, %v441
%v443 = select <8 x i1> %v442, <8 x float> %v417, <8 x float> splat (float 0xFFF0000000000000)
%v444 = getelementptr float, ptr %scratch, i64 432
%v445 = add i64 %v346, 128
%v446 = getelementptr float, ptr %v444, i64 %v445
store <8 x float> %v443, ptr %v446, align 4
%v447 = load <8 x float>, ptr %s7
%v448 = fcmp ogt <8 x float> %v443, %v447
%v449 = select <8 x i1> %v448, <8 x float> %v443, <8 x float> %v447
store <8 x float> %v449, ptr %s7
%v450 = insertelement <8 x i32> poison, i32 %v335, i32 0
%v451 = shufflevector <8 x i32> %v450, <8 x i32> poison, <8 x i32> zeroinitializer
%v452 = icmp slt <8 x i32> %v430, %v451
%v453 = select <8 x i1> %v452, <8 x float> %v419, <8 x float> splat (float 0xFFF0000000000000)
%v454 = getelementptr float, ptr %scratch, i64 432
%v455 = add i64 %v346, 256
%v456 = getelementptr float, ptr %v454, i64 %v455
store <8 x float> %v453, ptr %v456, align 4
%v457 = load <8 x float>, ptr %s8
%v458 = fcmp ogt <8 x float> %v453, %v457
%v459 = select <8 x i1> %v458, <8 x float> %v453, <8 x float> %v457
store <8 x float> %v459, ptr %s8
%v460 = insertelement <8 x i32> poison, i32 %v338, i32 0
%v461 = shufflevector <8 x i32> %v460, <8 x i32> poison, <8 x i32> zeroinitializer
%v462 = icmp slt <8 x i32> %v430, %v461
%v463 = select <8 x i1> %v462, <8 x float> %v421, <8 x float> splat (float 0xFFF0000000000000)
%v464 = getelementptr float, ptr %scratch, i64 432
%v465 = add i64 %v346, 384
%v466 = getelementptr float, ptr %v464, i64 %v465
store <8 x float> %v463, ptr %v466, align 4
%v467 = load <8 x float>, ptr %s9
%v468 = fcmp ogt <8 x float> %v463, %v467
%v469 = select <8 x i1> %v468, <8 x float> %v463, <8 x float> %v467
store <8 x float> %v469, ptr %s9
%v470 = insertelement <8 x i32> poison, i32 %v341, i32 0
%v471 = shufflevector <8 x i32> %v470, <8 x i32> poison, <8 x i32> zeroinitializer
%v472 = icmp slt <8 x i32> %v430, %v471
%v473 = select <8 x i1> %v472, <8 x float> %v423, <8 x float> splat (float 0xFFF0000000000000)
%v474 = getelementptr float, ptr %scratch, i64 432
%v475 = add i64 %v346, 512
%v476 = getelementptr float, ptr %v474, i64 %v475
store <8 x float> %v473, ptr %v476, align 4
%v477 = load <8 x float>, ptr %s10
%v478 = fcmp ogt <8 x float> %v473, %v477
%v479 = select <8 x i1> %v478, <8 x float> %v473, <8 x float> %v477
store <8 x float> %v479, ptr %s10
%v480 = insertelement <8 x i32> poison, i32 %v344, i32 0
%v481 = shufflevector <8 x i32> %v480, <8 x i32> poison, <8 x i32> zeroinitializer
%v482 = icmp slt <8 x i32> %v430, %v481
%v483 = select <8 x i1> %v482, <8 x float> %v425, <8 x float> splat (float 0xFFF0000000000000)
%v484 = getelementptr float, ptr %scratch, i64 432
%v485 = add i64 %v346, 640
%v486 = getelementptr float, ptr %v484, i64 %v485
store <8 x float> %v483, ptr %v486, align 4
%v487 = load <8 x float>, ptr %s11
%v488 = fcmp ogt <8 x float> %v483, %v487
%v489 = select <8 x i1> %v488, <8 x float> %v483, <8 x float> %v487
store <8 x float> %v489, ptr %s11
%v490 = add i64 %v346, 8
%v491 = trunc i64 %v490 to i32
%v492 = insertelement <8 x i32> poison, i32 %v491, i32 0
%v493 = shufflevector <8 x i32> %v492, <8 x i32> poison, <8 x i32> zeroinitializer
%v494 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v493
%v495 = insertelement <8 x i32> poison, i32 %v329, i32 0
%v496 = shufflevector <8 x i32> %v495, <8 x i32> poison, <8 x i32> zeroinitializer
%v497 = icmp slt <8 x i32> %v494, %v496
%v498 = select <8 x i1> %v497, <8 x float> %v416, <8 x float> splat (float 0xFFF0000000000000)
%v499 = getelementptr float, ptr %scratch, i64 432
%v500 = getelementptr float, ptr %v499, i64 %v490
store <8 x float> %v498, ptr %v500, align 4
%v501 = load <8 x float>, ptr %s6
%v502 = fcmp ogt <8 x float> %v498, %v501
%v503 = select <8 x i1> %v502, <8 x float> %v498, <8 x float> %v501
store <8 x float> %v503, ptr %s6
%v504 = insertelement <8 x i32> poison, i32 %v332, i32 0
%v505 = shufflevector <8 x i32> %v504, <8 x i32> poison, <8 x i32> zeroinitializer
%v506 = icmp slt <8 x i32> %v494, %v505
%v507 = select <8 x i1> %v506, <8 x float> %v418, <8 x float> splat (float 0xFFF0000000000000)
%v508 = getelementptr float, ptr %scratch, i64 432
%v509 = add i64 %v490, 128
%v510 = getelementptr float, ptr %v508, i64 %v509
store <8 x float> %v507, ptr %v510, align 4
%v511 = load <8 x float>, ptr %s7
%v512 = fcmp ogt <8 x float> %v507, %v511
%v513 = select <8 x i1> %v512, <8 x float> %v507, <8 x float> %v511
store <8 x float> %v513, ptr %s7
%v514 = insertelement <8 x i32> poison, i32 %v335, i32 0
%v515 = shufflevector <8 x i32> %v514, <8 x i32> poison, <8 x i32> zeroinitializer
%v516 = icmp slt <8 x i32> %v494, %v515
%v517 = select <8 x i1> %v516, <8 x float> %v420, <8 x float> splat (float 0xFFF0000000000000)
%v518 = getelementptr float, ptr %scratch, i64 432
%v519 = add i64 %v490, 256
%v520 = getelementptr float, ptr %v518, i64 %v519
store <8 x float> %v517, ptr %v520, align 4
%v521 = load <8 x float>, ptr %s8
%v522 = fcmp ogt <8 x float> %v517, %v521
%v523 = select <8 x i1> %v522, <8 x float> %v517, <8 x float> %v521
store <8 x float> %v523, ptr %s8
%v524 = insertelement <8 x i32> poison, i32 %v338, i32 0
%v525 = shufflevector <8 x i32> %v524, <8 x i32> poison, <8 x i32> zeroinitializer
%v526 = icmp slt <8 x i32> %v494, %v525
%v527 = select <8 x i1> %v526, <8 x float> %v422, <8 x float> splat (float 0xFFF0000000000000)
%v528 = getelementptr float, ptr %scratch, i64 432
%v529 = add i64 %v490, 384
%v530 = getelementptr float, ptr %v528, i64 %v529
store <8 x float> %v527, ptr %v530, align 4
%v531 = load <8 x float>, ptr %s9
%v532 = fcmp ogt <8 x float> %v527, %v531
%v533 = select <8 x i1> %v532, <8 x float> %v527, <8 x float> %v531
store <8 x float> %v533, ptr %s9
%v534 = insertelement <8 x i32> poison, i32 %v341, i32 0
%v535 = shufflevector <8 x i32> %v534, <8 x i32> poison, <8 x i32> zeroinitializer
%v536 = icmp slt <8 x i32> %v494, %v535
%v537 = select <8 x i1> %v536, <8 x float> %v424, <8 x float> splat (float 0xFFF0000000000000)
%v538 = getelementptr float, ptr %scratch, i64 432
%v539 = add i64 %v490, 512
%v540 = getelementptr float, ptr %v538, i64 %v539
store <8 x float> %v537, ptr %v540, align 4
%v541 = load <8 x float>, ptr %s10
%v542 = fcmp ogt <8 x float> %v537, %v541
%v543 = select <8 x i1> %v542, <8 x float> %v537, <8 x float> %v541
store <8 x float> %v543, ptr %s10
%v544 = insertelement <8 x i32> poison, i32 %v344, i32 0
%v545 = shufflevector <8 x i32> %v544, <8 x i32> poison, <8 x i32> zeroinitializer
%v546 = icmp slt <8 x i32> %v494, %v545
%v547 = select <8 x i1> %v546, <8 x float> %v426, <8 x float> splat (float 0xFFF0000000000000)
%v548 = getelementptr float, ptr %scratch, i64 432
%v549 = add i64 %v490, 640
%v550 = getelementptr float, ptr %v548, i64 %v549
store <8 x float> %v547, ptr %v550, align 4
%v551 = load <8 x float>, ptr %s11
%v552 = fcmp ogt <8 x float> %v547, %v551
%v553 = select <8 x i1> %v552, <8 x float> %v547, <8 x float> %v551
store <8 x float> %v553, ptr %s11
%v554 = add i64 %v346, 16
%v555 = icmp slt i64 %v554, %v139
br i1 %v555, label %loop29, label %end30
end30:
br label %end23
end23:
%v556 = load <8 x float>, ptr %s6
%v557 = load <8 x float>, ptr %s7
%v558 = load <8 x float>, ptr %s8
%v559 = load <8 x float>, ptr %s9
%v560 = load <8 x float>, ptr %s10
%v561 = load <8 x float>, ptr %s11
%v562 = mul i64 %v133, 8
%v563 = add i64 %v562, 384
%v564 = getelementptr float, ptr %scratch, i64 %v563
%v565 = mul i64 %v133, 8
%v566 = add i64 %v565, 400
%v567 = getelementptr float, ptr %scratch, i64 %v566
%v568 = shufflevector <8 x float> %v556, <8 x float> %v557, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v569 = shufflevector <8 x float> %v556, <8 x float> %v557, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v570 = fcmp ogt <8 x float> %v568, %v569
%v571 = select <8 x i1> %v570, <8 x float> %v568, <8 x float> %v569
%v572 = shufflevector <8 x float> %v558, <8 x float> %v559, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v573 = shufflevector <8 x float> %v558, <8 x float> %v559, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v574 = fcmp ogt <8 x float> %v572, %v573
%v575 = select <8 x i1> %v574, <8 x float> %v572, <8 x float> %v573
%v576 = shufflevector <8 x float> %v560, <8 x float> %v561, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v577 = shufflevector <8 x float> %v560, <8 x float> %v561, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v578 = fcmp ogt <8 x float> %v576, %v577
%v579 = select <8 x i1> %v578, <8 x float> %v576, <8 x float> %v577
%v580 = shufflevector <8 x float> %v571, <8 x float> %v575, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v581 = shufflevector <8 x float> %v571, <8 x float> %v575, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v582 = fcmp ogt <8 x float> %v580, %v581
%v583 = select <8 x i1> %v582, <8 x float> %v580, <8 x float> %v581
%v584 = shufflevector <8 x float> %v579, <8 x float> %v579, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v585 = shufflevector <8 x float> %v579, <8 x float> %v579, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v586 = fcmp ogt <8 x float> %v584, %v585
%v587 = select <8 x i1> %v586, <8 x float> %v584, <8 x float> %v585
%v588 = shufflevector <8 x float> %v583, <8 x float> %v587, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v589 = shufflevector <8 x float> %v583, <8 x float> %v587, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v590 = fcmp ogt <8 x float> %v588, %v589
%v591 = select <8 x i1> %v590, <8 x float> %v588, <8 x float> %v589
%v592 = load <8 x float>, ptr %v564, align 4
%v593 = fcmp ogt <8 x float> %v591, %v592
%v594 = select <8 x i1> %v593, <8 x float> %v591, <8 x float> %v592
%v595 = freeze <8 x float> %v594
store <8 x float> %v595, ptr %v564, align 4
%v596 = fsub <8 x float> %v592, %v594
%v597 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v596
%v598 = select <8 x i1> %v597, <8 x float> splat (float 0xC056000000000000), <8 x float> %v596
%v599 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v598, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v600 = fsub <8 x float> %v599, splat (float 0x4168000FE0000000)
%v601 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v600, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v598)
%v602 = bitcast <8 x float> %v599 to <8 x i32>
%v603 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v600, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v601)
%v604 = shl <8 x i32> %v602, splat (i32 23)
%v605 = bitcast <8 x i32> %v604 to <8 x float>
%v606 = fmul <8 x float> %v603, %v603
%v607 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v603, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v608 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v603, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v609 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v606, <8 x float> %v608)
%v610 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v609, <8 x float> %v606, <8 x float> %v607)
%v611 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v606, <8 x float> %v610, <8 x float> %v603)
%v612 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v611, <8 x float> %v605, <8 x float> %v605)
%v613 = getelementptr float, ptr %scratch, i64 416
store <8 x float> %v612, ptr %v613, align 4
%v614 = load float, ptr %v564, align 4
%v615 = insertelement <8 x float> poison, float %v614, i32 0
%v616 = shufflevector <8 x float> %v615, <8 x float> poison, <8 x i32> zeroinitializer
%v617 = getelementptr float, ptr %v564, i64 1
%v618 = load float, ptr %v617, align 4
%v619 = insertelement <8 x float> poison, float %v618, i32 0
%v620 = shufflevector <8 x float> %v619, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s36
store <8 x float> splat (float 0x0000000000000000), ptr %s37
store <8 x float> splat (float 0x0000000000000000), ptr %s38
store <8 x float> splat (float 0x0000000000000000), ptr %s39
%v621 = icmp slt i64 0, %v139
br i1 %v621, label %guard36, label %end35
guard36:
br label %loop34
loop34:
%v622 = phi i64 [ 0, %guard36 ], [ %v722, %loop34 ]
%v623 = getelementptr float, ptr %scratch, i64 432
%v624 = getelementptr float, ptr %v623, i64 %v622
%v625 = load <8 x float>, ptr %v624, align 4
%v626 = fsub <8 x float> %v625, %v616
%v627 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v626
%v628 = select <8 x i1> %v627, <8 x float> splat (float 0xC056000000000000), <8 x float> %v626
%v629 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v628, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v630 = fsub <8 x float> %v629, splat (float 0x4168000FE0000000)
%v631 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v630, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v628)
%v632 = bitcast <8 x float> %v629 to <8 x i32>
%v633 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v630, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v631)
%v634 = shl <8 x i32> %v632, splat (i32 23)
%v635 = bitcast <8 x i32> %v634 to <8 x float>
%v636 = fmul <8 x float> %v633, %v633
%v637 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v633, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v638 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v633, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v639 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v636, <8 x float> %v638)
%v640 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v639, <8 x float> %v636, <8 x float> %v637)
%v641 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v636, <8 x float> %v640, <8 x float> %v633)
%v642 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v641, <8 x float> %v635, <8 x float> %v635)
%v643 = getelementptr float, ptr %scratch, i64 432
%v644 = getelementptr float, ptr %v643, i64 %v622
store <8 x float> %v642, ptr %v644, align 4
%v645 = load <8 x float>, ptr %s36
%v646 = fadd <8 x float> %v645, %v642
store <8 x float> %v646, ptr %s36
%v647 = add i64 %v622, 8
%v648 = getelementptr float, ptr %scratch, i64 432
%v649 = getelementptr float, ptr %v648, i64 %v647
%v650 = load <8 x float>, ptr %v649, align 4
%v651 = fsub <8 x float> %v650, %v616
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
%v668 = getelementptr float, ptr %scratch, i64 432
%v669 = getelementptr float, ptr %v668, i64 %v647
store <8 x float> %v667, ptr %v669, align 4
%v670 = load <8 x float>, ptr %s37
%v671 = fadd <8 x float> %v670, %v667
store <8 x float> %v671, ptr %s37
%v672 = add i64 %v622, 128
%v673 = getelementptr float, ptr %scratch, i64 432
%v674 = getelementptr float, ptr %v673, i64 %v672
%v675 = load <8 x float>, ptr %v674, align 4
%v676 = fsub <8 x float> %v675, %v620
%v677 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v676
%v678 = select <8 x i1> %v677, <8 x float> splat (float 0xC056000000000000), <8 x float> %v676
%v679 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v678, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v680 = fsub <8 x float> %v679, splat (float 0x4168000FE0000000)
%v681 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v680, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v678)
%v682 = bitcast <8 x float> %v679 to <8 x i32>
%v683 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v680, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v681)
%v684 = shl <8 x i32> %v682, splat (i32 23)
%v685 = bitcast <8 x i32> %v684 to <8 x float>
%v686 = fmul <8 x float> %v683, %v683
%v687 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v683, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v688 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v683, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v689 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v686, <8 x float> %v688)
%v690 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v689, <8 x float> %v686, <8 x float> %v687)
%v691 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v686, <8 x float> %v690, <8 x float> %v683)
%v692 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v691, <8 x float> %v685, <8 x float> %v685)
%v693 = getelementptr float, ptr %scratch, i64 432
%v694 = getelementptr float, ptr %v693, i64 %v672
store <8 x float> %v692, ptr %v694, align 4
%v695 = load <8 x float>, ptr %s38
%v696 = fadd <8 x float> %v695, %v692
store <8 x float> %v696, ptr %s38
%v697 = add i64 %v622, 136
%v698 = getelementptr float, ptr %scratch, i64 432
%v699 = getelementptr float, ptr %v698, i64 %v697
%v700 = load <8 x float>, ptr %v699, align 4
%v701 = fsub <8 x float> %v700, %v620
%v702 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v701
%v703 = select <8 x i1> %v702, <8 x float> splat (float 0xC056000000000000), <8 x float> %v701
%v704 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v703, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v705 = fsub <8 x float> %v704, splat (float 0x4168000FE0000000)
%v706 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v705, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v703)
%v707 = bitcast <8 x float> %v704 to <8 x i32>
%v708 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v705, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v706)
%v709 = shl <8 x i32> %v707, splat (i32 23)
%v710 = bitcast <8 x i32> %v709 to <8 x float>
%v711 = fmul <8 x float> %v708, %v708
%v712 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v708, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v713 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v708, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v714 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v711, <8 x float> %v713)
%v715 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v714, <8 x float> %v711, <8 x float> %v712)
%v716 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v711, <8 x float> %v715, <8 x float> %v708)
%v717 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v716, <8 x float> %v710, <8 x float> %v710)
%v718 = getelementptr float, ptr %scratch, i64 432
%v719 = getelementptr float, ptr %v718, i64 %v697
store <8 x float> %v717, ptr %v719, align 4
%v720 = load <8 x float>, ptr %s39
%v721 = fadd <8 x float> %v720, %v717
store <8 x float> %v721, ptr %s39
%v722 = add i64 %v622, 16
%v723 = icmp slt i64 %v722, %v139
br i1 %v723, label %loop34, label %end35
end35:
%v724 = load <8 x float>, ptr %s36
%v725 = load <8 x float>, ptr %s37
%v726 = fadd <8 x float> %v724, %v725
%v727 = load <8 x float>, ptr %s38
%v728 = load <8 x float>, ptr %s39
%v729 = fadd <8 x float> %v727, %v728
%v730 = getelementptr float, ptr %v564, i64 2
%v731 = load float, ptr %v730, align 4
%v732 = insertelement <8 x float> poison, float %v731, i32 0
%v733 = shufflevector <8 x float> %v732, <8 x float> poison, <8 x i32> zeroinitializer
%v734 = getelementptr float, ptr %v564, i64 3
%v735 = load float, ptr %v734, align 4
%v736 = insertelement <8 x float> poison, float %v735, i32 0
%v737 = shufflevector <8 x float> %v736, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s40
store <8 x float> splat (float 0x0000000000000000), ptr %s41
store <8 x float> splat (float 0x0000000000000000), ptr %s42
store <8 x float> splat (float 0x0000000000000000), ptr %s43
%v738 = icmp slt i64 0, %v139
br i1 %v738, label %guard39, label %end38
guard39:
br label %loop37
loop37:
%v739 = phi i64 [ 0, %guard39 ], [ %v840, %loop37 ]
%v740 = add i64 %v739, 256
%v741 = getelementptr float, ptr %scratch, i64 432
%v742 = getelementptr float, ptr %v741, i64 %v740
%v743 = load <8 x float>, ptr %v742, align 4
%v744 = fsub <8 x float> %v743, %v733
%v745 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v744
%v746 = select <8 x i1> %v745, <8 x float> splat (float 0xC056000000000000), <8 x float> %v744
%v747 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v746, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v748 = fsub <8 x float> %v747, splat (float 0x4168000FE0000000)
%v749 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v748, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v746)
%v750 = bitcast <8 x float> %v747 to <8 x i32>
%v751 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v748, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v749)
%v752 = shl <8 x i32> %v750, splat (i32 23)
%v753 = bitcast <8 x i32> %v752 to <8 x float>
%v754 = fmul <8 x float> %v751, %v751
%v755 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v751, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v756 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v751, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v757 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v754, <8 x float> %v756)
%v758 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v757, <8 x float> %v754, <8 x float> %v755)
%v759 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v754, <8 x float> %v758, <8 x float> %v751)
%v760 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v759, <8 x float> %v753, <8 x float> %v753)
%v761 = getelementptr float, ptr %scratch, i64 432
%v762 = getelementptr float, ptr %v761, i64 %v740
store <8 x float> %v760, ptr %v762, align 4
%v763 = load <8 x float>, ptr %s40
%v764 = fadd <8 x float> %v763, %v760
store <8 x float> %v764, ptr %s40
%v765 = add i64 %v739, 264
%v766 = getelementptr float, ptr %scratch, i64 432
%v767 = getelementptr float, ptr %v766, i64 %v765
%v768 = load <8 x float>, ptr %v767, align 4
%v769 = fsub <8 x float> %v768, %v733
%v770 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v769
%v771 = select <8 x i1> %v770, <8 x float> splat (float 0xC056000000000000), <8 x float> %v769
%v772 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v771, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v773 = fsub <8 x float> %v772, splat (float 0x4168000FE0000000)
%v774 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v773, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v771)
%v775 = bitcast <8 x float> %v772 to <8 x i32>
%v776 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v773, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v774)
%v777 = shl <8 x i32> %v775, splat (i32 23)
%v778 = bitcast <8 x i32> %v777 to <8 x float>
%v779 = fmul <8 x float> %v776, %v776
%v780 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v776, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v781 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v776, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v782 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v779, <8 x float> %v781)
%v783 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v782, <8 x float> %v779, <8 x float> %v780)
%v784 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v779, <8 x float> %v783, <8 x float> %v776)
%v785 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v784, <8 x float> %v778, <8 x float> %v778)
%v786 = getelementptr float, ptr %scratch, i64 432
%v787 = getelementptr float, ptr %v786, i64 %v765
store <8 x float> %v785, ptr %v787, align 4
%v788 = load <8 x float>, ptr %s41
%v789 = fadd <8 x float> %v788, %v785
store <8 x float> %v789, ptr %s41
%v790 = add i64 %v739, 384
%v791 = getelementptr float, ptr %scratch, i64 432
%v792 = getelementptr float, ptr %v791, i64 %v790
%v793 = load <8 x float>, ptr %v792, align 4
%v794 = fsub <8 x float> %v793, %v737
%v795 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v794
%v796 = select <8 x i1> %v795, <8 x float> splat (float 0xC056000000000000), <8 x float> %v794
%v797 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v796, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v798 = fsub <8 x float> %v797, splat (float 0x4168000FE0000000)
%v799 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v798, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v796)
%v800 = bitcast <8 x float> %v797 to <8 x i32>
%v801 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v798, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v799)
%v802 = shl <8 x i32> %v800, splat (i32 23)
%v803 = bitcast <8 x i32> %v802 to <8 x float>
%v804 = fmul <8 x float> %v801, %v801
%v805 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v801, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v806 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v801, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v807 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v804, <8 x float> %v806)
%v808 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v807, <8 x float> %v804, <8 x float> %v805)
%v809 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v804, <8 x float> %v808, <8 x float> %v801)
%v810 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v809, <8 x float> %v803, <8 x float> %v803)
%v811 = getelementptr float, ptr %scratch, i64 432
%v812 = getelementptr float, ptr %v811, i64 %v790
store <8 x float> %v810, ptr %v812, align 4
%v813 = load <8 x float>, ptr %s42
%v814 = fadd <8 x float> %v813, %v810
store <8 x float> %v814, ptr %s42
%v815 = add i64 %v739, 392
%v816 = getelementptr float, ptr %scratch, i64 432
%v817 = getelementptr float, ptr %v816, i64 %v815
%v818 = load <8 x float>, ptr %v817, align 4
%v819 = fsub <8 x float> %v818, %v737
%v820 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v819
%v821 = select <8 x i1> %v820, <8 x float> splat (float 0xC056000000000000), <8 x float> %v819
%v822 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v821, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v823 = fsub <8 x float> %v822, splat (float 0x4168000FE0000000)
%v824 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v823, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v821)
%v825 = bitcast <8 x float> %v822 to <8 x i32>
%v826 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v823, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v824)
%v827 = shl <8 x i32> %v825, splat (i32 23)
%v828 = bitcast <8 x i32> %v827 to <8 x float>
%v829 = fmul <8 x float> %v826, %v826
%v830 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v826, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v831 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v826, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v832 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v829, <8 x float> %v831)
%v833 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v832, <8 x float> %v829, <8 x float> %v830)
%v834 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v829, <8 x float> %v833, <8 x float> %v826)
%v835 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v834, <8 x float> %v828, <8 x float> %v828)
%v836 = getelementptr float, ptr %scratch, i64 432
%v837 = getelementptr float, ptr %v836, i64 %v815
store <8 x float> %v835, ptr %v837, align 4
%v838 = load <8 x float>, ptr %s43
%v839 = fadd <8 x float> %v838, %v835
store <8 x float> %v839, ptr %s43
%v840 = add i64 %v739, 16
%v841 = icmp slt i64 %v840, %v139
br i1 %v841, label %loop37, label %end38
end38:
%v842 = load <8 x float>, ptr %s40
%v843 = load <8 x float>, ptr %s41
%v844 = fadd <8 x float> %v842, %v843
%v845 = load <8 x float>, ptr %s42
%v846 = load <8 x float>, ptr %s43
%v847 = fadd <8 x float> %v845, %v846
%v848 = getelementptr float, ptr %v564, i64 4
%v849 = load float, ptr %v848, align 4
%v850 = insertelement <8 x float> poison, float %v849, i32 0
%v851 = shufflevector <8 x float> %v850, <8 x float> poison, <8 x i32> zeroinitializer
%v852 = getelementptr float, ptr %v564, i64 5
%v853 = load float, ptr %v852, align 4
%v854 = insertelement <8 x float> poison, float %v853, i32 0
%v855 = shufflevector <8 x float> %v854, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s44
store <8 x float> splat (float 0x0000000000000000), ptr %s45
store <8 x float> splat (float 0x0000000000000000), ptr %s46
store <8 x float> splat (float 0x0000000000000000), ptr %s47
%v856 = icmp slt i64 0, %v139
br i1 %v856, label %guard42, label %end41
guard42:
br label %loop40
loop40:
%v857 = phi i64 [ 0, %guard42 ], [ %v958, %loop40 ]
%v858 = add i64 %v857, 512
%v859 = getelementptr float, ptr %scratch, i64 432
%v860 = getelementptr float, ptr %v859, i64 %v858
%v861 = load <8 x float>, ptr %v860, align 4
%v862 = fsub <8 x float> %v861, %v851
%v863 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v862
%v864 = select <8 x i1> %v863, <8 x float> splat (float 0xC056000000000000), <8 x float> %v862
%v865 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v864, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v866 = fsub <8 x float> %v865, splat (float 0x4168000FE0000000)
%v867 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v866, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v864)
%v868 = bitcast <8 x float> %v865 to <8 x i32>
%v869 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v866, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v867)
%v870 = shl <8 x i32> %v868, splat (i32 23)
%v871 = bitcast <8 x i32> %v870 to <8 x float>
%v872 = fmul <8 x float> %v869, %v869
%v873 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v869, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v874 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v869, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v875 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v872, <8 x float> %v874)
%v876 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v875, <8 x float> %v872, <8 x float> %v873)
%v877 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v872, <8 x float> %v876, <8 x float> %v869)
%v878 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v877, <8 x float> %v871, <8 x float> %v871)
%v879 = getelementptr float, ptr %scratch, i64 432
%v880 = getelementptr float, ptr %v879, i64 %v858
store <8 x float> %v878, ptr %v880, align 4
%v881 = load <8 x float>, ptr %s44
%v882 = fadd <8 x float> %v881, %v878
store <8 x float> %v882, ptr %s44
%v883 = add i64 %v857, 520
%v884 = getelementptr float, ptr %scratch, i64 432
%v885 = getelementptr float, ptr %v884, i64 %v883
%v886 = load <8 x float>, ptr %v885, align 4
%v887 = fsub <8 x float> %v886, %v851
%v888 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v887
%v889 = select <8 x i1> %v888, <8 x float> splat (float 0xC056000000000000), <8 x float> %v887
%v890 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v889, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v891 = fsub <8 x float> %v890, splat (float 0x4168000FE0000000)
%v892 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v891, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v889)
%v893 = bitcast <8 x float> %v890 to <8 x i32>
%v894 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v891, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v892)
%v895 = shl <8 x i32> %v893, splat (i32 23)
%v896 = bitcast <8 x i32> %v895 to <8 x float>
%v897 = fmul <8 x float> %v894, %v894
%v898 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v894, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v899 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v894, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v900 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v897, <8 x float> %v899)
%v901 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v900, <8 x float> %v897, <8 x float> %v898)
%v902 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v897, <8 x float> %v901, <8 x float> %v894)
%v903 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v902, <8 x float> %v896, <8 x float> %v896)
%v904 = getelementptr float, ptr %scratch, i64 432
%v905 = getelementptr float, ptr %v904, i64 %v883
store <8 x float> %v903, ptr %v905, align 4
%v906 = load <8 x float>, ptr %s45
%v907 = fadd <8 x float> %v906, %v903
store <8 x float> %v907, ptr %s45
%v908 = add i64 %v857, 640
%v909 = getelementptr float, ptr %scratch, i64 432
%v910 = getelementptr float, ptr %v909, i64 %v908
%v911 = load <8 x float>, ptr %v910, align 4
%v912 = fsub <8 x float> %v911, %v855
%v913 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v912
%v914 = select <8 x i1> %v913, <8 x float> splat (float 0xC056000000000000), <8 x float> %v912
%v915 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v914, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v916 = fsub <8 x float> %v915, splat (float 0x4168000FE0000000)
%v917 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v916, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v914)
%v918 = bitcast <8 x float> %v915 to <8 x i32>
%v919 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v916, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v917)
%v920 = shl <8 x i32> %v918, splat (i32 23)
%v921 = bitcast <8 x i32> %v920 to <8 x float>
%v922 = fmul <8 x float> %v919, %v919
%v923 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v919, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v924 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v919, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v925 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v922, <8 x float> %v924)
%v926 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v925, <8 x float> %v922, <8 x float> %v923)
%v927 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v922, <8 x float> %v926, <8 x float> %v919)
%v928 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v927, <8 x float> %v921, <8 x float> %v921)
%v929 = getelementptr float, ptr %scratch, i64 432
%v930 = getelementptr float, ptr %v929, i64 %v908
store <8 x float> %v928, ptr %v930, align 4
%v931 = load <8 x float>, ptr %s46
%v932 = fadd <8 x float> %v931, %v928
store <8 x float> %v932, ptr %s46
%v933 = add i64 %v857, 648
%v934 = getelementptr float, ptr %scratch, i64 432
%v935 = getelementptr float, ptr %v934, i64 %v933
%v936 = load <8 x float>, ptr %v935, align 4
%v937 = fsub <8 x float> %v936, %v855
%v938 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v937
%v939 = select <8 x i1> %v938, <8 x float> splat (float 0xC056000000000000), <8 x float> %v937
%v940 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v939, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v941 = fsub <8 x float> %v940, splat (float 0x4168000FE0000000)
%v942 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v941, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v939)
%v943 = bitcast <8 x float> %v940 to <8 x i32>
%v944 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v941, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v942)
%v945 = shl <8 x i32> %v943, splat (i32 23)
%v946 = bitcast <8 x i32> %v945 to <8 x float>
%v947 = fmul <8 x float> %v944, %v944
%v948 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v944, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v949 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v944, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v950 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v947, <8 x float> %v949)
%v951 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v950, <8 x float> %v947, <8 x float> %v948)
%v952 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v947, <8 x float> %v951, <8 x float> %v944)
%v953 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v952, <8 x float> %v946, <8 x float> %v946)
%v954 = getelementptr float, ptr %scratch, i64 432
%v955 = getelementptr float, ptr %v954, i64 %v933
store <8 x float> %v953, ptr %v955, align 4
%v956 = load <8 x float>, ptr %s47
%v957 = fadd <8 x float> %v956, %v953
store <8 x float> %v957, ptr %s47
%v958 = add i64 %v857, 16
%v959 = icmp slt i64 %v958, %v139
br i1 %v959, label %loop40, label %end41
end41:
%v960 = load <8 x float>, ptr %s44
%v961 = load <8 x float>, ptr %s45
%v962 = fadd <8 x float> %v960, %v961
%v963 = load <8 x float>, ptr %s46
%v964 = load <8 x float>, ptr %s47
%v965 = fadd <8 x float> %v963, %v964
%v966 = shufflevector <8 x float> %v726, <8 x float> %v729, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v967 = shufflevector <8 x float> %v726, <8 x float> %v729, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v968 = fadd <8 x float> %v966, %v967
%v969 = shufflevector <8 x float> %v844, <8 x float> %v847, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v970 = shufflevector <8 x float> %v844, <8 x float> %v847, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v971 = fadd <8 x float> %v969, %v970
%v972 = shufflevector <8 x float> %v962, <8 x float> %v965, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v973 = shufflevector <8 x float> %v962, <8 x float> %v965, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v974 = fadd <8 x float> %v972, %v973
%v975 = shufflevector <8 x float> %v968, <8 x float> %v971, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v976 = shufflevector <8 x float> %v968, <8 x float> %v971, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v977 = fadd <8 x float> %v975, %v976
%v978 = shufflevector <8 x float> %v974, <8 x float> %v974, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v979 = shufflevector <8 x float> %v974, <8 x float> %v974, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v980 = fadd <8 x float> %v978, %v979
%v981 = shufflevector <8 x float> %v977, <8 x float> %v980, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v982 = shufflevector <8 x float> %v977, <8 x float> %v980, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v983 = fadd <8 x float> %v981, %v982
%v984 = load <8 x float>, ptr %v567, align 4
%v985 = getelementptr float, ptr %scratch, i64 416
%v986 = load <8 x float>, ptr %v985, align 4
%v987 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v984, <8 x float> %v986, <8 x float> %v983)
store <8 x float> %v987, ptr %v567, align 4
%v988 = mul i64 %v133, 96
%v989 = add i64 %v988, 192
%v990 = getelementptr float, ptr %scratch, i64 %v989
%v991 = getelementptr float, ptr %scratch, i64 432
%v992 = getelementptr float, ptr %scratch, i64 416
%v993 = getelementptr float, ptr %scratch, i64 2352
%v994 = load float, ptr %v992, align 4
%v995 = insertelement <8 x float> poison, float %v994, i32 0
%v996 = shufflevector <8 x float> %v995, <8 x float> poison, <8 x i32> zeroinitializer
%v997 = load <8 x float>, ptr %v990, align 4
%v998 = fmul <8 x float> %v997, %v996
store <8 x float> %v998, ptr %s48
%v999 = getelementptr float, ptr %v990, i64 8
%v1000 = load <8 x float>, ptr %v999, align 4
%v1001 = fmul <8 x float> %v1000, %v996
store <8 x float> %v1001, ptr %s49
%v1002 = getelementptr float, ptr %v992, i64 1
%v1003 = load float, ptr %v1002, align 4
%v1004 = insertelement <8 x float> poison, float %v1003, i32 0
%v1005 = shufflevector <8 x float> %v1004, <8 x float> poison, <8 x i32> zeroinitializer
%v1006 = getelementptr float, ptr %v990, i64 16
%v1007 = load <8 x float>, ptr %v1006, align 4
%v1008 = fmul <8 x float> %v1007, %v1005
store <8 x float> %v1008, ptr %s50
%v1009 = getelementptr float, ptr %v990, i64 24
%v1010 = load <8 x float>, ptr %v1009, align 4
%v1011 = fmul <8 x float> %v1010, %v1005
store <8 x float> %v1011, ptr %s51
%v1012 = getelementptr float, ptr %v992, i64 2
%v1013 = load float, ptr %v1012, align 4
%v1014 = insertelement <8 x float> poison, float %v1013, i32 0
%v1015 = shufflevector <8 x float> %v1014, <8 x float> poison, <8 x i32> zeroinitializer
%v1016 = getelementptr float, ptr %v990, i64 32
%v1017 = load <8 x float>, ptr %v1016, align 4
%v1018 = fmul <8 x float> %v1017, %v1015
store <8 x float> %v1018, ptr %s52
%v1019 = getelementptr float, ptr %v990, i64 40
%v1020 = load <8 x float>, ptr %v1019, align 4
%v1021 = fmul <8 x float> %v1020, %v1015
store <8 x float> %v1021, ptr %s53
%v1022 = getelementptr float, ptr %v992, i64 3
%v1023 = load float, ptr %v1022, align 4
%v1024 = insertelement <8 x float> poison, float %v1023, i32 0
%v1025 = shufflevector <8 x float> %v1024, <8 x float> poison, <8 x i32> zeroinitializer
%v1026 = getelementptr float, ptr %v990, i64 48
%v1027 = load <8 x float>, ptr %v1026, align 4
%v1028 = fmul <8 x float> %v1027, %v1025
store <8 x float> %v1028, ptr %s54
%v1029 = getelementptr float, ptr %v990, i64 56
%v1030 = load <8 x float>, ptr %v1029, align 4
%v1031 = fmul <8 x float> %v1030, %v1025
store <8 x float> %v1031, ptr %s55
%v1032 = getelementptr float, ptr %v992, i64 4
%v1033 = load float, ptr %v1032, align 4
%v1034 = insertelement <8 x float> poison, float %v1033, i32 0
%v1035 = shufflevector <8 x float> %v1034, <8 x float> poison, <8 x i32> zeroinitializer
%v1036 = getelementptr float, ptr %v990, i64 64
%v1037 = load <8 x float>, ptr %v1036, align 4
%v1038 = fmul <8 x float> %v1037, %v1035
store <8 x float> %v1038, ptr %s56
%v1039 = getelementptr float, ptr %v990, i64 72
%v1040 = load <8 x float>, ptr %v1039, align 4
%v1041 = fmul <8 x float> %v1040, %v1035
store <8 x float> %v1041, ptr %s57
%v1042 = getelementptr float, ptr %v992, i64 5
%v1043 = load float, ptr %v1042, align 4
%v1044 = insertelement <8 x float> poison, float %v1043, i32 0
%v1045 = shufflevector <8 x float> %v1044, <8 x float> poison, <8 x i32> zeroinitializer
%v1046 = getelementptr float, ptr %v990, i64 80
%v1047 = load <8 x float>, ptr %v1046, align 4
%v1048 = fmul <8 x float> %v1047, %v1045
store <8 x float> %v1048, ptr %s58
%v1049 = getelementptr float, ptr %v990, i64 88
%v1050 = load <8 x float>, ptr %v1049, align 4
%v1051 = fmul <8 x float> %v1050, %v1045
store <8 x float> %v1051, ptr %s59
%v1052 = icmp slt i64 0, %v139
br i1 %v1052, label %guard45, label %end44
guard45:
br label %loop43
loop43:
%v1053 = phi i64 [ 0, %guard45 ], [ %v1114, %loop43 ]
%v1054 = mul i64 %v1053, 16
%v1055 = getelementptr float, ptr %v993, i64 %v1054
%v1056 = load <8 x float>, ptr %v1055, align 4
%v1057 = mul i64 %v1053, 16
%v1058 = add i64 %v1057, 8
%v1059 = getelementptr float, ptr %v993, i64 %v1058
%v1060 = load <8 x float>, ptr %v1059, align 4
%v1061 = getelementptr float, ptr %v991, i64 %v1053
%v1062 = load float, ptr %v1061, align 4
%v1063 = insertelement <8 x float> poison, float %v1062, i32 0
%v1064 = shufflevector <8 x float> %v1063, <8 x float> poison, <8 x i32> zeroinitializer
%v1065 = load <8 x float>, ptr %s48
%v1066 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1064, <8 x float> %v1056, <8 x float> %v1065)
store <8 x float> %v1066, ptr %s48
%v1067 = load <8 x float>, ptr %s49
%v1068 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1064, <8 x float> %v1060, <8 x float> %v1067)
store <8 x float> %v1068, ptr %s49
%v1069 = add i64 %v1053, 128
%v1070 = getelementptr float, ptr %v991, i64 %v1069
%v1071 = load float, ptr %v1070, align 4
%v1072 = insertelement <8 x float> poison, float %v1071, i32 0
%v1073 = shufflevector <8 x float> %v1072, <8 x float> poison, <8 x i32> zeroinitializer
%v1074 = load <8 x float>, ptr %s50
%v1075 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1073, <8 x float> %v1056, <8 x float> %v1074)
store <8 x float> %v1075, ptr %s50
%v1076 = load <8 x float>, ptr %s51
%v1077 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1073, <8 x float> %v1060, <8 x float> %v1076)
store <8 x float> %v1077, ptr %s51
%v1078 = add i64 %v1053, 256
%v1079 = getelementptr float, ptr %v991, i64 %v1078
%v1080 = load float, ptr %v1079, align 4
%v1081 = insertelement <8 x float> poison, float %v1080, i32 0
%v1082 = shufflevector <8 x float> %v1081, <8 x float> poison, <8 x i32> zeroinitializer
%v1083 = load <8 x float>, ptr %s52
%v1084 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1082, <8 x float> %v1056, <8 x float> %v1083)
store <8 x float> %v1084, ptr %s52
%v1085 = load <8 x float>, ptr %s53
%v1086 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1082, <8 x float> %v1060, <8 x float> %v1085)
store <8 x float> %v1086, ptr %s53
%v1087 = add i64 %v1053, 384
%v1088 = getelementptr float, ptr %v991, i64 %v1087
%v1089 = load float, ptr %v1088, align 4
%v1090 = insertelement <8 x float> poison, float %v1089, i32 0
%v1091 = shufflevector <8 x float> %v1090, <8 x float> poison, <8 x i32> zeroinitializer
%v1092 = load <8 x float>, ptr %s54
%v1093 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1091, <8 x float> %v1056, <8 x float> %v1092)
store <8 x float> %v1093, ptr %s54
%v1094 = load <8 x float>, ptr %s55
%v1095 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1091, <8 x float> %v1060, <8 x float> %v1094)
store <8 x float> %v1095, ptr %s55
%v1096 = add i64 %v1053, 512
%v1097 = getelementptr float, ptr %v991, i64 %v1096
%v1098 = load float, ptr %v1097, align 4
%v1099 = insertelement <8 x float> poison, float %v1098, i32 0
%v1100 = shufflevector <8 x float> %v1099, <8 x float> poison, <8 x i32> zeroinitializer
%v1101 = load <8 x float>, ptr %s56
%v1102 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1100, <8 x float> %v1056, <8 x float> %v1101)
store <8 x float> %v1102, ptr %s56
%v1103 = load <8 x float>, ptr %s57
%v1104 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1100, <8 x float> %v1060, <8 x float> %v1103)
store <8 x float> %v1104, ptr %s57
%v1105 = add i64 %v1053, 640
%v1106 = getelementptr float, ptr %v991, i64 %v1105
%v1107 = load float, ptr %v1106, align 4
%v1108 = insertelement <8 x float> poison, float %v1107, i32 0
%v1109 = shufflevector <8 x float> %v1108, <8 x float> poison, <8 x i32> zeroinitializer
%v1110 = load <8 x float>, ptr %s58
%v1111 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1109, <8 x float> %v1056, <8 x float> %v1110)
store <8 x float> %v1111, ptr %s58
%v1112 = load <8 x float>, ptr %s59
%v1113 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1109, <8 x float> %v1060, <8 x float> %v1112)
store <8 x float> %v1113, ptr %s59
%v1114 = add i64 %v1053, 1
%v1115 = icmp slt i64 %v1114, %v139
br i1 %v1115, label %loop43, label %end44
end44:
%v1116 = load <8 x float>, ptr %s48
store <8 x float> %v1116, ptr %v990, align 4
%v1117 = load <8 x float>, ptr %s49
%v1118 = getelementptr float, ptr %v990, i64 8
store <8 x float> %v1117, ptr %v1118, align 4
%v1119 = load <8 x float>, ptr %s50
%v1120 = getelementptr float, ptr %v990, i64 16
store <8 x float> %v1119, ptr %v1120, align 4
%v1121 = load <8 x float>, ptr %s51
%v1122 = getelementptr float, ptr %v990, i64 24
store <8 x float> %v1121, ptr %v1122, align 4
%v1123 = load <8 x float>, ptr %s52
%v1124 = getelementptr float, ptr %v990, i64 32
store <8 x float> %v1123, ptr %v1124, align 4
%v1125 = load <8 x float>, ptr %s53
%v1126 = getelementptr float, ptr %v990, i64 40
store <8 x float> %v1125, ptr %v1126, align 4
%v1127 = load <8 x float>, ptr %s54
%v1128 = getelementptr float, ptr %v990, i64 48
store <8 x float> %v1127, ptr %v1128, align 4
%v1129 = load <8 x float>, ptr %s55
%v1130 = getelementptr float, ptr %v990, i64 56
store <8 x float> %v1129, ptr %v1130, align 4
%v1131 = load <8 x float>, ptr %s56
%v1132 = getelementptr float, ptr %v990, i64 64
store <8 x float> %v1131, ptr %v1132, align 4
%v1133 = load <8 x float>, ptr %s57
%v1134 = getelementptr float, ptr %v990, i64 72
store <8 x float> %v1133, ptr %v1134, align 4
%v1135 = load <8 x float>, ptr %s58
%v1136 = getelementptr float, ptr %v990, i64 80
store <8 x float> %v1135, ptr %v1136, align 4
%v1137 = load <8 x float>, ptr %s59
%v1138 = getelementptr float, ptr %v990, i64 88
store <8 x float> %v1137, ptr %v1138, align 4
br label %end20
else19:
br label %end20
end20:
%v1139 = add i64 %v133, 1
%v1140 = icmp slt i64 %v1139, 2
br i1 %v1140, label %loop16, label %end17
end17:
br label %loop46
loop46:
%v1141 = phi i64 [ 0, %end17 ], [ %v1177, %loop46 ]
%v1142 = getelementptr float, ptr %scratch, i64 400
%v1143 = sdiv i64 %v1141, 6
%v1144 = mul i64 %v1143, 6
%v1145 = sub i64 %v1141, %v1144
%v1146 = icmp ne i64 %v1145, 0
%v1147 = xor i64 %v1145, 6
%v1148 = icmp slt i64 %v1147, 0
%v1149 = and i1 %v1146, %v1148
%v1150 = sub i64 %v1143, 1
%v1151 = select i1 %v1149, i64 %v1150, i64 %v1143
%v1152 = mul i64 %v1151, 8
%v1153 = srem i64 %v1141, 6
%v1154 = icmp ne i64 %v1153, 0
%v1155 = xor i64 %v1153, 6
%v1156 = icmp slt i64 %v1155, 0
%v1157 = and i1 %v1154, %v1156
%v1158 = add i64 %v1153, 6
%v1159 = select i1 %v1157, i64 %v1158, i64 %v1153
%v1160 = add i64 %v1152, %v1159
%v1161 = getelementptr float, ptr %v1142, i64 %v1160
%v1162 = load float, ptr %v1161, align 4
%v1163 = fcmp oeq float %v1162, 0x0000000000000000
%v1164 = fdiv float 0x3FF0000000000000, %v1162
%v1165 = select i1 %v1163, float 0x0000000000000000, float %v1164
%v1166 = insertelement <8 x float> poison, float %v1165, i32 0
%v1167 = shufflevector <8 x float> %v1166, <8 x float> poison, <8 x i32> zeroinitializer
%v1168 = mul i64 %v1, 96
%v1169 = mul i64 %v1141, 8
%v1170 = add i64 %v1168, %v1169
%v1171 = getelementptr float, ptr %a3, i64 %v1170
%v1172 = getelementptr float, ptr %scratch, i64 192
%v1173 = mul i64 %v1141, 16
%v1174 = getelementptr float, ptr %v1172, i64 %v1173
%v1175 = load <8 x float>, ptr %v1174, align 4
%v1176 = fmul <8 x float> %v1175, %v1167
store <8 x float> %v1176, ptr %v1171, align 4
%v1177 = add i64 %v1141, 1
%v1178 = icmp slt i64 %v1177, 12
br i1 %v1178, label %loop46, label %end47
end47:
%v1179 = add i64 %v1, 1
%v1180 = icmp slt i64 %v1179, %end
br i1 %v1180, label %loop5, label %end6
end6:
ret void
}

