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

define void @attention_73d0ab9a(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v1 = phi i64 [ %begin, %guard7 ], [ %v889, %end38 ]
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
%v78 = getelementptr float, ptr %scratch, i64 1376
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
%v126 = getelementptr float, ptr %scratch, i64 2400
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
%v133 = phi i64 [ 0, %end15 ], [ %v849, %end20 ]
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
%v164 = icmp slt i64 0, %v139
br i1 %v164, label %guard23, label %end22
guard23:
br label %loop21
loop21:
%v165 = phi i64 [ 0, %guard23 ], [ %v470, %end28 ]
%v166 = mul i64 %v133, 96
%v167 = getelementptr float, ptr %scratch, i64 %v166
%v168 = getelementptr float, ptr %scratch, i64 1376
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
br label %loop24
loop24:
%v171 = phi i64 [ 0, %loop21 ], [ %v232, %loop24 ]
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
br i1 %v233, label %loop24, label %end25
end25:
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
br i1 %v146, label %then26, label %else27
then26:
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
br label %end28
else27:
%v325 = add i64 %v148, 1
%v326 = call i64 @llvm.smin.i64(i64 %v325, i64 12)
%v327 = trunc i64 %v326 to i32
%v328 = add i64 %v151, 1
%v329 = call i64 @llvm.smin.i64(i64 %v328, i64 12)
%v330 = trunc i64 %v329 to i32
%v331 = add i64 %v154, 1
%v332 = call i64 @llvm.smin.i64(i64 %v331, i64 12)
%v333 = trunc i64 %v332 to i32
%v334 = add i64 %v157, 1
%v335 = call i64 @llvm.smin.i64(i64 %v334, i64 12)
%v336 = trunc i64 %v335 to i32
%v337 = add i64 %v160, 1
%v338 = call i64 @llvm.smin.i64(i64 %v337, i64 12)
%v339 = trunc i64 %v338 to i32
%v340 = add i64 %v163, 1
%v341 = call i64 @llvm.smin.i64(i64 %v340, i64 12)
%v342 = trunc i64 %v341 to i32
%v343 = trunc i64 %v165 to i32
%v344 = insertelement <8 x i32> poison, i32 %v343, i32 0
%v345 = shufflevector <8 x i32> %v344, <8 x i32> poison, <8 x i32> zeroinitializer
%v346 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v345
%v347 = insertelement <8 x i32> poison, i32 %v327, i32 0
%v348 = shufflevector <8 x i32> %v347, <8 x i32> poison, <8 x i32> zeroinitializer
%v349 = icmp slt <8 x i32> %v346, %v348
%v350 = select <8 x i1> %v349, <8 x float> %v234, <8 x float> splat (float 0xFFF0000000000000)
%v351 = getelementptr float, ptr %scratch, i64 432
%v352 = getelementptr float, ptr %v351, i64 %v165
store <8 x float> %v350, ptr %v352, align 4
%v353 = load <8 x float>, ptr %s6
%v354 = fcmp ogt <8 x float> %v350, %v353
%v355 = select <8 x i1> %v354, <8 x float> %v350, <8 x float> %v353
store <8 x float> %v355, ptr %s6
%v356 = insertelement <8 x i32> poison, i32 %v330, i32 0
%v357 = shufflevector <8 x i32> %v356, <8 x i32> poison, <8 x i32> zeroinitializer
%v358 = icmp slt <8 x i32> %v346, %v357
%v359 = select <8 x i1> %v358, <8 x float> %v236, <8 x float> splat (float 0xFFF0000000000000)
%v360 = getelementptr float, ptr %scratch, i64 432
%v361 = add i64 %v165, 128
%v362 = getelementptr float, ptr %v360, i64 %v361
store <8 x float> %v359, ptr %v362, align 4
%v363 = load <8 x float>, ptr %s7
%v364 = fcmp ogt <8 x float> %v359, %v363
%v365 = select <8 x i1> %v364, <8 x float> %v359, <8 x float> %v363
store <8 x float> %v365, ptr %s7
%v366 = insertelement <8 x i32> poison, i32 %v333, i32 0
%v367 = shufflevector <8 x i32> %v366, <8 x i32> poison, <8 x i32> zeroinitializer
%v368 = icmp slt <8 x i32> %v346, %v367
%v369 = select <8 x i1> %v368, <8 x float> %v238, <8 x float> splat (float 0xFFF0000000000000)
%v370 = getelementptr float, ptr %scratch, i64 432
%v371 = add i64 %v165, 256
%v372 = getelementptr float, ptr %v370, i64 %v371
store <8 x float> %v369, ptr %v372, align 4
%v373 = load <8 x float>, ptr %s8
%v374 = fcmp ogt <8 x float> %v369, %v373
%v375 = select <8 x i1> %v374, <8 x float> %v369, <8 x float> %v373
store <8 x float> %v375, ptr %s8
%v376 = insertelement <8 x i32> poison, i32 %v336, i32 0
%v377 = shufflevector <8 x i32> %v376, <8 x i32> poison, <8 x i32> zeroinitializer
%v378 = icmp slt <8 x i32> %v346, %v377
%v379 = select <8 x i1> %v378, <8 x float> %v240, <8 x float> splat (float 0xFFF0000000000000)
%v380 = getelementptr float, ptr %scratch, i64 432
%v381 = add i64 %v165, 384
%v382 = getelementptr float, ptr %v380, i64 %v381
store <8 x float> %v379, ptr %v382, align 4
%v383 = load <8 x float>, ptr %s9
%v384 = fcmp ogt <8 x float> %v379, %v383
%v385 = select <8 x i1> %v384, <8 x float> %v379, <8 x float> %v383
store <8 x float> %v385, ptr %s9
%v386 = insertelement <8 x i32> poison, i32 %v339, i32 0
%v387 = shufflevector <8 x i32> %v386, <8 x i32> poison, <8 x i32> zeroinitializer
%v388 = icmp slt <8 x i32> %v346, %v387
%v389 = select <8 x i1> %v388, <8 x float> %v242, <8 x float> splat (float 0xFFF0000000000000)
%v390 = getelementptr float, ptr %scratch, i64 432
%v391 = add i64 %v165, 512
%v392 = getelementptr float, ptr %v390, i64 %v391
store <8 x float> %v389, ptr %v392, align 4
%v393 = load <8 x float>, ptr %s10
%v394 = fcmp ogt <8 x float> %v389, %v393
%v395 = select <8 x i1> %v394, <8 x float> %v389, <8 x float> %v393
store <8 x float> %v395, ptr %s10
%v396 = insertelement <8 x i32> poison, i32 %v342, i32 0
%v397 = shufflevector <8 x i32> %v396, <8 x i32> poison, <8 x i32> zeroinitializer
%v398 = icmp slt <8 x i32> %v346, %v397
%v399 = select <8 x i1> %v398, <8 x float> %v244, <8 x float> splat (float 0xFFF0000000000000)
%v400 = getelementptr float, ptr %scratch, i64 432
%v401 = add i64 %v165, 640
%v402 = getelementptr float, ptr %v400, i64 %v401
store <8 x float> %v399, ptr %v402, align 4
%v403 = load <8 x float>, ptr %s11
%v404 = fcmp ogt <8 x float> %v399, %v403
%v405 = select <8 x i1> %v404, <8 x float> %v399, <8 x float> %v403
store <8 x float> %v405, ptr %s11
%v406 = add i64 %v165, 8
%v407 = trunc i64 %v406 to i32
%v408 = insertelement <8 x i32> poison, i32 %v407, i32 0
%v409 = shufflevector <8 x i32> %v408, <8 x i32> poison, <8 x i32> zeroinitializer
%v410 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v409
%v411 = insertelement <8 x i32> poison, i32 %v327, i32 0
%v412 = shufflevector <8 x i32> %v411, <8 x i32> poison, <8 x i32> zeroinitializer
%v413 = icmp slt <8 x i32> %v410, %v412
%v414 = select <8 x i1> %v413, <8 x float> %v235, <8 x float> splat (float 0xFFF0000000000000)
%v415 = getelementptr float, ptr %scratch, i64 432
%v416 = getelementptr float, ptr %v415, i64 %v406
store <8 x float> %v414, ptr %v416, align 4
%v417 = load <8 x float>, ptr %s6
%v418 = fcmp ogt <8 x float> %v414, %v417
%v419 = select <8 x i1> %v418, <8 x float> %v414, <8 x float> %v417
store <8 x float> %v419, ptr %s6
%v420 = insertelement <8 x i32> poison, i32 %v330, i32 0
%v421 = shufflevector <8 x i32> %v420, <8 x i32> poison, <8 x i32> zeroinitializer
%v422 = icmp slt <8 x i32> %v410, %v421
%v423 = select <8 x i1> %v422, <8 x float> %v237, <8 x float> splat (float 0xFFF0000000000000)
%v424 = getelementptr float, ptr %scratch, i64 432
%v425 = add i64 %v406, 128
%v426 = getelementptr float, ptr %v424, i64 %v425
store <8 x float> %v423, ptr %v426, align 4
%v427 = load <8 x float>, ptr %s7
%v428 = fcmp ogt <8 x float> %v423, %v427
%v429 = select <8 x i1> %v428, <8 x float> %v423, <8 x float> %v427
store <8 x float> %v429, ptr %s7
%v430 = insertelement <8 x i32> poison, i32 %v333, i32 0
%v431 = shufflevector <8 x i32> %v430, <8 x i32> poison, <8 x i32> zeroinitializer
%v432 = icmp slt <8 x i32> %v410, %v431
%v433 = select <8 x i1> %v432, <8 x float> %v239, <8 x float> splat (float 0xFFF0000000000000)
%v434 = getelementptr float, ptr %scratch, i64 432
%v435 = add i64 %v406, 256
%v436 = getelementptr float, ptr %v434, i64 %v435
store <8 x float> %v433, ptr %v436, align 4
%v437 = load <8 x float>, ptr %s8
%v438 = fcmp ogt <8 x float> %v433, %v437
%v439 = select <8 x i1> %v438, <8 x float> %v433, <8 x float> %v437
store <8 x float> %v439, ptr %s8
%v440 = insertelement <8 x i32> poison, i32 %v336, i32 0
%v441 = shufflevector <8 x i32> %v440, <8 x i32> poison, <8 x i32> zeroinitializer
%v442 = icmp slt <8 x i32> %v410, %v441
%v443 = select <8 x i1> %v442, <8 x float> %v241, <8 x float> splat (float 0xFFF0000000000000)
%v444 = getelementptr float, ptr %scratch, i64 432
%v445 = add i64 %v406, 384
%v446 = getelementptr float, ptr %v444, i64 %v445
store <8 x float> %v443, ptr %v446, align 4
%v447 = load <8 x float>, ptr %s9
%v448 = fcmp ogt <8 x float> %v443, %v447
%v449 = select <8 x i1> %v448, <8 x float> %v443, <8 x float> %v447
store <8 x float> %v449, ptr %s9
%v450 = insertelement <8 x i32> poison, i32 %v339, i32 0
%v451 = shufflevector <8 x i32> %v450, <8 x i32> poison, <8 x i32> zeroinitializer
%v452 = icmp slt <8 x i32> %v410, %v451
%v453 = select <8 x i1> %v452, <8 x float> %v243, <8 x float> splat (float 0xFFF0000000000000)
%v454 = getelementptr float, ptr %scratch, i64 432
%v455 = add i64 %v406, 512
%v456 = getelementptr float, ptr %v454, i64 %v455
store <8 x float> %v453, ptr %v456, align 4
%v457 = load <8 x float>, ptr %s10
%v458 = fcmp ogt <8 x float> %v453, %v457
%v459 = select <8 x i1> %v458, <8 x float> %v453, <8 x float> %v457
store <8 x float> %v459, ptr %s10
%v460 = insertelement <8 x i32> poison, i32 %v342, i32 0
%v461 = shufflevector <8 x i32> %v460, <8 x i32> poison, <8 x i32> zeroinitializer
%v462 = icmp slt <8 x i32> %v410, %v461
%v463 = select <8 x i1> %v462, <8 x float> %v245, <8 x float> splat (float 0xFFF0000000000000)
%v464 = getelementptr float, ptr %scratch, i64 432
%v465 = add i64 %v406, 640
%v466 = getelementptr float, ptr %v464, i64 %v465
store <8 x float> %v463, ptr %v466, align 4
%v467 = load <8 x float>, ptr %s11
%v468 = fcmp ogt <8 x float> %v463, %v467
%v469 = select <8 x i1> %v468, <8 x float> %v463, <8 x float> %v467
store <8 x float> %v469, ptr %s11
br label %end28
end28:
%v470 = add i64 %v165, 16
%v471 = icmp slt i64 %v470, %v139
br i1 %v471, label %loop21, label %end22
end22:
%v472 = load <8 x float>, ptr %s6
%v473 = load <8 x float>, ptr %s7
%v474 = load <8 x float>, ptr %s8
%v475 = load <8 x float>, ptr %s9
%v476 = load <8 x float>, ptr %s10
%v477 = load <8 x float>, ptr %s11
%v478 = mul i64 %v133, 8
%v479 = add i64 %v478, 384
%v480 = getelementptr float, ptr %scratch, i64 %v479
%v481 = mul i64 %v133, 8
%v482 = add i64 %v481, 400
%v483 = getelementptr float, ptr %scratch, i64 %v482
%v484 = shufflevector <8 x float> %v472, <8 x float> %v473, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v485 = shufflevector <8 x float> %v472, <8 x float> %v473, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v486 = fcmp ogt <8 x float> %v484, %v485
%v487 = select <8 x i1> %v486, <8 x float> %v484, <8 x float> %v485
%v488 = shufflevector <8 x float> %v474, <8 x float> %v475, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v489 = shufflevector <8 x float> %v474, <8 x float> %v475, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v490 = fcmp ogt <8 x float> %v488, %v489
%v491 = select <8 x i1> %v490, <8 x float> %v488, <8 x float> %v489
%v492 = shufflevector <8 x float> %v476, <8 x float> %v477, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v493 = shufflevector <8 x float> %v476, <8 x float> %v477, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v494 = fcmp ogt <8 x float> %v492, %v493
%v495 = select <8 x i1> %v494, <8 x float> %v492, <8 x float> %v493
%v496 = shufflevector <8 x float> %v487, <8 x float> %v491, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v497 = shufflevector <8 x float> %v487, <8 x float> %v491, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v498 = fcmp ogt <8 x float> %v496, %v497
%v499 = select <8 x i1> %v498, <8 x float> %v496, <8 x float> %v497
%v500 = shufflevector <8 x float> %v495, <8 x float> %v495, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v501 = shufflevector <8 x float> %v495, <8 x float> %v495, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v502 = fcmp ogt <8 x float> %v500, %v501
%v503 = select <8 x i1> %v502, <8 x float> %v500, <8 x float> %v501
%v504 = shufflevector <8 x float> %v499, <8 x float> %v503, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v505 = shufflevector <8 x float> %v499, <8 x float> %v503, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v506 = fcmp ogt <8 x float> %v504, %v505
%v507 = select <8 x i1> %v506, <8 x float> %v504, <8 x float> %v505
%v508 = load <8 x float>, ptr %v480, align 4
%v509 = fcmp ogt <8 x float> %v507, %v508
%v510 = select <8 x i1> %v509, <8 x float> %v507, <8 x float> %v508
%v511 = freeze <8 x float> %v510
store <8 x float> %v511, ptr %v480, align 4
%v512 = fsub <8 x float> %v508, %v510
%v513 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v512
%v514 = select <8 x i1> %v513, <8 x float> splat (float 0xC056000000000000), <8 x float> %v512
%v515 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v514, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v516 = fsub <8 x float> %v515, splat (float 0x4168000FE0000000)
%v517 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v516, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v514)
%v518 = bitcast <8 x float> %v515 to <8 x i32>
%v519 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v516, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v517)
%v520 = shl <8 x i32> %v518, splat (i32 23)
%v521 = bitcast <8 x i32> %v520 to <8 x float>
%v522 = fmul <8 x float> %v519, %v519
%v523 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v519, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v524 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v519, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v525 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v522, <8 x float> %v524)
%v526 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v525, <8 x float> %v522, <8 x float> %v523)
%v527 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v522, <8 x float> %v526, <8 x float> %v519)
%v528 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v527, <8 x float> %v521, <8 x float> %v521)
%v529 = getelementptr float, ptr %scratch, i64 416
store <8 x float> %v528, ptr %v529, align 4
%v530 = getelementptr float, ptr %scratch, i64 1328
br label %loop29
loop29:
%v531 = phi i64 [ 0, %end22 ], [ %v663, %end32 ]
%v532 = getelementptr float, ptr %v480, i64 %v531
%v533 = load float, ptr %v532, align 4
%v534 = insertelement <8 x float> poison, float %v533, i32 0
%v535 = shufflevector <8 x float> %v534, <8 x float> poison, <8 x i32> zeroinitializer
%v536 = add i64 %v531, 1
%v537 = getelementptr float, ptr %v480, i64 %v536
%v538 = load float, ptr %v537, align 4
%v539 = insertelement <8 x float> poison, float %v538, i32 0
%v540 = shufflevector <8 x float> %v539, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s24
store <8 x float> splat (float 0x0000000000000000), ptr %s25
store <8 x float> splat (float 0x0000000000000000), ptr %s26
store <8 x float> splat (float 0x0000000000000000), ptr %s27
%v541 = icmp slt i64 0, %v139
br i1 %v541, label %guard33, label %end32
guard33:
br label %loop31
loop31:
%v542 = phi i64 [ 0, %guard33 ], [ %v650, %loop31 ]
%v543 = mul i64 %v531, 128
%v544 = add i64 %v542, %v543
%v545 = getelementptr float, ptr %scratch, i64 432
%v546 = getelementptr float, ptr %v545, i64 %v544
%v547 = load <8 x float>, ptr %v546, align 4
%v548 = fsub <8 x float> %v547, %v535
%v549 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v548
%v550 = select <8 x i1> %v549, <8 x float> splat (float 0xC056000000000000), <8 x float> %v548
%v551 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v550, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v552 = fsub <8 x float> %v551, splat (float 0x4168000FE0000000)
%v553 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v552, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v550)
%v554 = bitcast <8 x float> %v551 to <8 x i32>
%v555 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v552, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v553)
%v556 = shl <8 x i32> %v554, splat (i32 23)
%v557 = bitcast <8 x i32> %v556 to <8 x float>
%v558 = fmul <8 x float> %v555, %v555
%v559 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v555, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v560 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v555, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v561 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v558, <8 x float> %v560)
%v562 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v561, <8 x float> %v558, <8 x float> %v559)
%v563 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v558, <8 x float> %v562, <8 x float> %v555)
%v564 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v563, <8 x float> %v557, <8 x float> %v557)
%v565 = getelementptr float, ptr %scratch, i64 432
%v566 = getelementptr float, ptr %v565, i64 %v544
store <8 x float> %v564, ptr %v566, align 4
%v567 = load <8 x float>, ptr %s24
%v568 = fadd <8 x float> %v567, %v564
store <8 x float> %v568, ptr %s24
%v569 = mul i64 %v531, 128
%v570 = add i64 %v542, %v569
%v571 = add i64 %v570, 8
%v572 = getelementptr float, ptr %scratch, i64 432
%v573 = getelementptr float, ptr %v572, i64 %v571
%v574 = load <8 x float>, ptr %v573, align 4
%v575 = fsub <8 x float> %v574, %v535
%v576 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v575
%v577 = select <8 x i1> %v576, <8 x float> splat (float 0xC056000000000000), <8 x float> %v575
%v578 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v577, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v579 = fsub <8 x float> %v578, splat (float 0x4168000FE0000000)
%v580 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v579, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v577)
%v581 = bitcast <8 x float> %v578 to <8 x i32>
%v582 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v579, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v580)
%v583 = shl <8 x i32> %v581, splat (i32 23)
%v584 = bitcast <8 x i32> %v583 to <8 x float>
%v585 = fmul <8 x float> %v582, %v582
%v586 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v582, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v587 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v582, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v588 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v585, <8 x float> %v587)
%v589 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v588, <8 x float> %v585, <8 x float> %v586)
%v590 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v585, <8 x float> %v589, <8 x float> %v582)
%v591 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v590, <8 x float> %v584, <8 x float> %v584)
%v592 = getelementptr float, ptr %scratch, i64 432
%v593 = getelementptr float, ptr %v592, i64 %v571
store <8 x float> %v591, ptr %v593, align 4
%v594 = load <8 x float>, ptr %s25
%v595 = fadd <8 x float> %v594, %v591
store <8 x float> %v595, ptr %s25
%v596 = mul i64 %v531, 128
%v597 = add i64 %v542, %v596
%v598 = add i64 %v597, 128
%v599 = getelementptr float, ptr %scratch, i64 432
%v600 = getelementptr float, ptr %v599, i64 %v598
%v601 = load <8 x float>, ptr %v600, align 4
%v602 = fsub <8 x float> %v601, %v540
%v603 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v602
%v604 = select <8 x i1> %v603, <8 x float> splat (float 0xC056000000000000), <8 x float> %v602
%v605 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v604, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v606 = fsub <8 x float> %v605, splat (float 0x4168000FE0000000)
%v607 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v606, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v604)
%v608 = bitcast <8 x float> %v605 to <8 x i32>
%v609 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v606, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v607)
%v610 = shl <8 x i32> %v608, splat (i32 23)
%v611 = bitcast <8 x i32> %v610 to <8 x float>
%v612 = fmul <8 x float> %v609, %v609
%v613 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v609, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v614 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v609, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v615 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v612, <8 x float> %v614)
%v616 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v615, <8 x float> %v612, <8 x float> %v613)
%v617 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v612, <8 x float> %v616, <8 x float> %v609)
%v618 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v617, <8 x float> %v611, <8 x float> %v611)
%v619 = getelementptr float, ptr %scratch, i64 432
%v620 = getelementptr float, ptr %v619, i64 %v598
store <8 x float> %v618, ptr %v620, align 4
%v621 = load <8 x float>, ptr %s26
%v622 = fadd <8 x float> %v621, %v618
store <8 x float> %v622, ptr %s26
%v623 = mul i64 %v531, 128
%v624 = add i64 %v542, %v623
%v625 = add i64 %v624, 136
%v626 = getelementptr float, ptr %scratch, i64 432
%v627 = getelementptr float, ptr %v626, i64 %v625
%v628 = load <8 x float>, ptr %v627, align 4
%v629 = fsub <8 x float> %v628, %v540
%v630 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v629
%v631 = select <8 x i1> %v630, <8 x float> splat (float 0xC056000000000000), <8 x float> %v629
%v632 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v631, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v633 = fsub <8 x float> %v632, splat (float 0x4168000FE0000000)
%v634 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v633, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v631)
%v635 = bitcast <8 x float> %v632 to <8 x i32>
%v636 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v633, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v634)
%v637 = shl <8 x i32> %v635, splat (i32 23)
%v638 = bitcast <8 x i32> %v637 to <8 x float>
%v639 = fmul <8 x float> %v636, %v636
%v640 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v636, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v641 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v636, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v642 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v639, <8 x float> %v641)
%v643 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v642, <8 x float> %v639, <8 x float> %v640)
%v644 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v639, <8 x float> %v643, <8 x float> %v636)
%v645 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v644, <8 x float> %v638, <8 x float> %v638)
%v646 = getelementptr float, ptr %scratch, i64 432
%v647 = getelementptr float, ptr %v646, i64 %v625
store <8 x float> %v645, ptr %v647, align 4
%v648 = load <8 x float>, ptr %s27
%v649 = fadd <8 x float> %v648, %v645
store <8 x float> %v649, ptr %s27
%v650 = add i64 %v542, 16
%v651 = icmp slt i64 %v650, %v139
br i1 %v651, label %loop31, label %end32
end32:
%v652 = load <8 x float>, ptr %s24
%v653 = load <8 x float>, ptr %s25
%v654 = fadd <8 x float> %v652, %v653
%v655 = load <8 x float>, ptr %s26
%v656 = load <8 x float>, ptr %s27
%v657 = fadd <8 x float> %v655, %v656
%v658 = mul i64 %v531, 8
%v659 = getelementptr float, ptr %v530, i64 %v658
store <8 x float> %v654, ptr %v659, align 4
%v660 = add i64 %v531, 1
%v661 = mul i64 %v660, 8
%v662 = getelementptr float, ptr %v530, i64 %v661
store <8 x float> %v657, ptr %v662, align 4
%v663 = add i64 %v531, 2
%v664 = icmp slt i64 %v663, 6
br i1 %v664, label %loop29, label %end30
end30:
%v665 = load <8 x float>, ptr %v530, align 4
%v666 = getelementptr float, ptr %v530, i64 8
%v667 = load <8 x float>, ptr %v666, align 4
%v668 = getelementptr float, ptr %v530, i64 16
%v669 = load <8 x float>, ptr %v668, align 4
%v670 = getelementptr float, ptr %v530, i64 24
%v671 = load <8 x float>, ptr %v670, align 4
%v672 = getelementptr float, ptr %v530, i64 32
%v673 = load <8 x float>, ptr %v672, align 4
%v674 = getelementptr float, ptr %v530, i64 40
%v675 = load <8 x float>, ptr %v674, align 4
%v676 = shufflevector <8 x float> %v665, <8 x float> %v667, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v677 = shufflevector <8 x float> %v665, <8 x float> %v667, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v678 = fadd <8 x float> %v676, %v677
%v679 = shufflevector <8 x float> %v669, <8 x float> %v671, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v680 = shufflevector <8 x float> %v669, <8 x float> %v671, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v681 = fadd <8 x float> %v679, %v680
%v682 = shufflevector <8 x float> %v673, <8 x float> %v675, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v683 = shufflevector <8 x float> %v673, <8 x float> %v675, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v684 = fadd <8 x float> %v682, %v683
%v685 = shufflevector <8 x float> %v678, <8 x float> %v681, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v686 = shufflevector <8 x float> %v678, <8 x float> %v681, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v687 = fadd <8 x float> %v685, %v686
%v688 = shufflevector <8 x float> %v684, <8 x float> %v684, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v689 = shufflevector <8 x float> %v684, <8 x float> %v684, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v690 = fadd <8 x float> %v688, %v689
%v691 = shufflevector <8 x float> %v687, <8 x float> %v690, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v692 = shufflevector <8 x float> %v687, <8 x float> %v690, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v693 = fadd <8 x float> %v691, %v692
%v694 = load <8 x float>, ptr %v483, align 4
%v695 = getelementptr float, ptr %scratch, i64 416
%v696 = load <8 x float>, ptr %v695, align 4
%v697 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v694, <8 x float> %v696, <8 x float> %v693)
store <8 x float> %v697, ptr %v483, align 4
%v698 = mul i64 %v133, 96
%v699 = add i64 %v698, 192
%v700 = getelementptr float, ptr %scratch, i64 %v699
%v701 = getelementptr float, ptr %scratch, i64 432
%v702 = getelementptr float, ptr %scratch, i64 416
%v703 = getelementptr float, ptr %scratch, i64 2400
%v704 = load float, ptr %v702, align 4
%v705 = insertelement <8 x float> poison, float %v704, i32 0
%v706 = shufflevector <8 x float> %v705, <8 x float> poison, <8 x i32> zeroinitializer
%v707 = load <8 x float>, ptr %v700, align 4
%v708 = fmul <8 x float> %v707, %v706
store <8 x float> %v708, ptr %s28
%v709 = getelementptr float, ptr %v700, i64 8
%v710 = load <8 x float>, ptr %v709, align 4
%v711 = fmul <8 x float> %v710, %v706
store <8 x float> %v711, ptr %s29
%v712 = getelementptr float, ptr %v702, i64 1
%v713 = load float, ptr %v712, align 4
%v714 = insertelement <8 x float> poison, float %v713, i32 0
%v715 = shufflevector <8 x float> %v714, <8 x float> poison, <8 x i32> zeroinitializer
%v716 = getelementptr float, ptr %v700, i64 16
%v717 = load <8 x float>, ptr %v716, align 4
%v718 = fmul <8 x float> %v717, %v715
store <8 x float> %v718, ptr %s30
%v719 = getelementptr float, ptr %v700, i64 24
%v720 = load <8 x float>, ptr %v719, align 4
%v721 = fmul <8 x float> %v720, %v715
store <8 x float> %v721, ptr %s31
%v722 = getelementptr float, ptr %v702, i64 2
%v723 = load float, ptr %v722, align 4
%v724 = insertelement <8 x float> poison, float %v723, i32 0
%v725 = shufflevector <8 x float> %v724, <8 x float> poison, <8 x i32> zeroinitializer
%v726 = getelementptr float, ptr %v700, i64 32
%v727 = load <8 x float>, ptr %v726, align 4
%v728 = fmul <8 x float> %v727, %v725
store <8 x float> %v728, ptr %s32
%v729 = getelementptr float, ptr %v700, i64 40
%v730 = load <8 x float>, ptr %v729, align 4
%v731 = fmul <8 x float> %v730, %v725
store <8 x float> %v731, ptr %s33
%v732 = getelementptr float, ptr %v702, i64 3
%v733 = load float, ptr %v732, align 4
%v734 = insertelement <8 x float> poison, float %v733, i32 0
%v735 = shufflevector <8 x float> %v734, <8 x float> poison, <8 x i32> zeroinitializer
%v736 = getelementptr float, ptr %v700, i64 48
%v737 = load <8 x float>, ptr %v736, align 4
%v738 = fmul <8 x float> %v737, %v735
store <8 x float> %v738, ptr %s34
%v739 = getelementptr float, ptr %v700, i64 56
%v740 = load <8 x float>, ptr %v739, align 4
%v741 = fmul <8 x float> %v740, %v735
store <8 x float> %v741, ptr %s35
%v742 = getelementptr float, ptr %v702, i64 4
%v743 = load float, ptr %v742, align 4
%v744 = insertelement <8 x float> poison, float %v743, i32 0
%v745 = shufflevector <8 x float> %v744, <8 x float> poison, <8 x i32> zeroinitializer
%v746 = getelementptr float, ptr %v700, i64 64
%v747 = load <8 x float>, ptr %v746, align 4
%v748 = fmul <8 x float> %v747, %v745
store <8 x float> %v748, ptr %s36
%v749 = getelementptr float, ptr %v700, i64 72
%v750 = load <8 x float>, ptr %v749, align 4
%v751 = fmul <8 x float> %v750, %v745
store <8 x float> %v751, ptr %s37
%v752 = getelementptr float, ptr %v702, i64 5
%v753 = load float, ptr %v752, align 4
%v754 = insertelement <8 x float> poison, float %v753, i32 0
%v755 = shufflevector <8 x float> %v754, <8 x float> poison, <8 x i32> zeroinitializer
%v756 = getelementptr float, ptr %v700, i64 80
%v757 = load <8 x float>, ptr %v756, align 4
%v758 = fmul <8 x float> %v757, %v755
store <8 x float> %v758, ptr %s38
%v759 = getelementptr float, ptr %v700, i64 88
%v760 = load <8 x float>, ptr %v759, align 4
%v761 = fmul <8 x float> %v760, %v755
store <8 x float> %v761, ptr %s39
%v762 = icmp slt i64 0, %v139
br i1 %v762, label %guard36, label %end35
guard36:
br label %loop34
loop34:
%v763 = phi i64 [ 0, %guard36 ], [ %v824, %loop34 ]
%v764 = mul i64 %v763, 16
%v765 = getelementptr float, ptr %v703, i64 %v764
%v766 = load <8 x float>, ptr %v765, align 4
%v767 = mul i64 %v763, 16
%v768 = add i64 %v767, 8
%v769 = getelementptr float, ptr %v703, i64 %v768
%v770 = load <8 x float>, ptr %v769, align 4
%v771 = getelementptr float, ptr %v701, i64 %v763
%v772 = load float, ptr %v771, align 4
%v773 = insertelement <8 x float> poison, float %v772, i32 0
%v774 = shufflevector <8 x float> %v773, <8 x float> poison, <8 x i32> zeroinitializer
%v775 = load <8 x float>, ptr %s28
%v776 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v774, <8 x float> %v766, <8 x float> %v775)
store <8 x float> %v776, ptr %s28
%v777 = load <8 x float>, ptr %s29
%v778 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v774, <8 x float> %v770, <8 x float> %v777)
store <8 x float> %v778, ptr %s29
%v779 = add i64 %v763, 128
%v780 = getelementptr float, ptr %v701, i64 %v779
%v781 = load float, ptr %v780, align 4
%v782 = insertelement <8 x float> poison, float %v781, i32 0
%v783 = shufflevector <8 x float> %v782, <8 x float> poison, <8 x i32> zeroinitializer
%v784 = load <8 x float>, ptr %s30
%v785 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v783, <8 x float> %v766, <8 x float> %v784)
store <8 x float> %v785, ptr %s30
%v786 = load <8 x float>, ptr %s31
%v787 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v783, <8 x float> %v770, <8 x float> %v786)
store <8 x float> %v787, ptr %s31
%v788 = add i64 %v763, 256
%v789 = getelementptr float, ptr %v701, i64 %v788
%v790 = load float, ptr %v789, align 4
%v791 = insertelement <8 x float> poison, float %v790, i32 0
%v792 = shufflevector <8 x float> %v791, <8 x float> poison, <8 x i32> zeroinitializer
%v793 = load <8 x float>, ptr %s32
%v794 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v792, <8 x float> %v766, <8 x float> %v793)
store <8 x float> %v794, ptr %s32
%v795 = load <8 x float>, ptr %s33
%v796 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v792, <8 x float> %v770, <8 x float> %v795)
store <8 x float> %v796, ptr %s33
%v797 = add i64 %v763, 384
%v798 = getelementptr float, ptr %v701, i64 %v797
%v799 = load float, ptr %v798, align 4
%v800 = insertelement <8 x float> poison, float %v799, i32 0
%v801 = shufflevector <8 x float> %v800, <8 x float> poison, <8 x i32> zeroinitializer
%v802 = load <8 x float>, ptr %s34
%v803 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v801, <8 x float> %v766, <8 x float> %v802)
store <8 x float> %v803, ptr %s34
%v804 = load <8 x float>, ptr %s35
%v805 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v801, <8 x float> %v770, <8 x float> %v804)
store <8 x float> %v805, ptr %s35
%v806 = add i64 %v763, 512
%v807 = getelementptr float, ptr %v701, i64 %v806
%v808 = load float, ptr %v807, align 4
%v809 = insertelement <8 x float> poison, float %v808, i32 0
%v810 = shufflevector <8 x float> %v809, <8 x float> poison, <8 x i32> zeroinitializer
%v811 = load <8 x float>, ptr %s36
%v812 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v810, <8 x float> %v766, <8 x float> %v811)
store <8 x float> %v812, ptr %s36
%v813 = load <8 x float>, ptr %s37
%v814 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v810, <8 x float> %v770, <8 x float> %v813)
store <8 x float> %v814, ptr %s37
%v815 = add i64 %v763, 640
%v816 = getelementptr float, ptr %v701, i64 %v815
%v817 = load float, ptr %v816, align 4
%v818 = insertelement <8 x float> poison, float %v817, i32 0
%v819 = shufflevector <8 x float> %v818, <8 x float> poison, <8 x i32> zeroinitializer
%v820 = load <8 x float>, ptr %s38
%v821 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v819, <8 x float> %v766, <8 x float> %v820)
store <8 x float> %v821, ptr %s38
%v822 = load <8 x float>, ptr %s39
%v823 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v819, <8 x float> %v770, <8 x float> %v822)
store <8 x float> %v823, ptr %s39
%v824 = add i64 %v763, 1
%v825 = icmp slt i64 %v824, %v139
br i1 %v825, label %loop34, label %end35
end35:
%v826 = load <8 x float>, ptr %s28
store <8 x float> %v826, ptr %v700, align 4
%v827 = load <8 x float>, ptr %s29
%v828 = getelementptr float, ptr %v700, i64 8
store <8 x float> %v827, ptr %v828, align 4
%v829 = load <8 x float>, ptr %s30
%v830 = getelementptr float, ptr %v700, i64 16
store <8 x float> %v829, ptr %v830, align 4
%v831 = load <8 x float>, ptr %s31
%v832 = getelementptr float, ptr %v700, i64 24
store <8 x float> %v831, ptr %v832, align 4
%v833 = load <8 x float>, ptr %s32
%v834 = getelementptr float, ptr %v700, i64 32
store <8 x float> %v833, ptr %v834, align 4
%v835 = load <8 x float>, ptr %s33
%v836 = getelementptr float, ptr %v700, i64 40
store <8 x float> %v835, ptr %v836, align 4
%v837 = load <8 x float>, ptr %s34
%v838 = getelementptr float, ptr %v700, i64 48
store <8 x float> %v837, ptr %v838, align 4
%v839 = load <8 x float>, ptr %s35
%v840 = getelementptr float, ptr %v700, i64 56
store <8 x float> %v839, ptr %v840, align 4
%v841 = load <8 x float>, ptr %s36
%v842 = getelementptr float, ptr %v700, i64 64
store <8 x float> %v841, ptr %v842, align 4
%v843 = load <8 x float>, ptr %s37
%v844 = getelementptr float, ptr %v700, i64 72
store <8 x float> %v843, ptr %v844, align 4
%v845 = load <8 x float>, ptr %s38
%v846 = getelementptr float, ptr %v700, i64 80
store <8 x float> %v845, ptr %v846, align 4
%v847 = load <8 x float>, ptr %s39
%v848 = getelementptr float, ptr %v700, i64 88
store <8 x float> %v847, ptr %v848, align 4
br label %end20
else19:
br label %end20
end20:
%v849 = add i64 %v133, 1
%v850 = icmp slt i64 %v849, 2
br i1 %v850, label %loop16, label %end17
end17:
br label %loop37
loop37:
%v851 = phi i64 [ 0, %end17 ], [ %v887, %loop37 ]
%v852 = getelementptr float, ptr %scratch, i64 400
%v853 = sdiv i64 %v851, 6
%v854 = mul i64 %v853, 6
%v855 = sub i64 %v851, %v854
%v856 = icmp ne i64 %v855, 0
%v857 = xor i64 %v855, 6
%v858 = icmp slt i64 %v857, 0
%v859 = and i1 %v856, %v858
%v860 = sub i64 %v853, 1
%v861 = select i1 %v859, i64 %v860, i64 %v853
%v862 = mul i64 %v861, 8
%v863 = srem i64 %v851, 6
%v864 = icmp ne i64 %v863, 0
%v865 = xor i64 %v863, 6
%v866 = icmp slt i64 %v865, 0
%v867 = and i1 %v864, %v866
%v868 = add i64 %v863, 6
%v869 = select i1 %v867, i64 %v868, i64 %v863
%v870 = add i64 %v862, %v869
%v871 = getelementptr float, ptr %v852, i64 %v870
%v872 = load float, ptr %v871, align 4
%v873 = fcmp oeq float %v872, 0x0000000000000000
%v874 = fdiv float 0x3FF0000000000000, %v872
%v875 = select i1 %v873, float 0x0000000000000000, float %v874
%v876 = insertelement <8 x float> poison, float %v875, i32 0
%v877 = shufflevector <8 x float> %v876, <8 x float> poison, <8 x i32> zeroinitializer
%v878 = mul i64 %v1, 96
%v879 = mul i64 %v851, 8
%v880 = add i64 %v878, %v879
%v881 = getelementptr float, ptr %a3, i64 %v880
%v882 = getelementptr float, ptr %scratch, i64 192
%v883 = mul i64 %v851, 16
%v884 = getelementptr float, ptr %v882, i64 %v883
%v885 = load <8 x float>, ptr %v884, align 4
%v886 = fmul <8 x float> %v885, %v877
store <8 x float> %v886, ptr %v881, align 4
%v887 = add i64 %v851, 1
%v888 = icmp slt i64 %v887, 12
br i1 %v888, label %loop37, label %end38
end38:
%v889 = add i64 %v1, 1
%v890 = icmp slt i64 %v889, %end
br i1 %v890, label %loop5, label %end6
end6:
ret void
}

