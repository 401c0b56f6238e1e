; kernels for x86_64-avx2 | quant_mode=exact
; mir @q8_0_exact {
;   %0 = input("x1") : f32[3, 32]
;   %1 = param("w1", scheme=gguf_q8_0) : f32[32, 8]
;   %2 = matmul(%0, %1) : f32[3, 8]
;   return y1=%2
; }

declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @packed_matmul_5858928c(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca <8 x float>
%s5 = alloca <8 x float>
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
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%v0 = getelementptr i8, ptr %scratch, i64 768
%v1 = getelementptr i8, ptr %scratch, i64 105216
%v2 = getelementptr i8, ptr %scratch, i64 121600
%v3 = icmp slt i64 %begin, %end
br i1 %v3, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v4 = phi i64 [ %begin, %guard3 ], [ %v306, %end21 ]
br label %loop4
loop4:
%v5 = phi i64 [ 0, %loop1 ], [ %v7, %loop4 ]
%v6 = getelementptr i64, ptr %scratch, i64 %v5
store i64 %v5, ptr %v6, align 8
%v7 = add i64 %v5, 1
%v8 = icmp slt i64 %v7, 3
br i1 %v8, label %loop4, label %end5
end5:
%v9 = load i64, ptr %scratch, align 8
%v10 = mul i64 %v9, 32
%v11 = getelementptr float, ptr %a0, i64 %v10
br label %loop6
loop6:
%v12 = phi i64 [ 0, %end5 ], [ %v14, %loop6 ]
%v13 = getelementptr float, ptr %v2, i64 %v12
store <8 x float> splat (float 0x0000000000000000), ptr %v13, align 4
%v14 = add i64 %v12, 8
%v15 = icmp slt i64 %v14, 48
br i1 %v15, label %loop6, label %end7
end7:
%v16 = load i64, ptr %scratch, align 8
%v17 = mul i64 %v16, 32
%v18 = getelementptr float, ptr %a0, i64 %v17
br i1 true, label %then8, label %else9
then8:
br label %loop11
loop11:
%v19 = phi i64 [ 0, %then8 ], [ %v21, %loop11 ]
%v20 = getelementptr float, ptr %v1, i64 %v19
store <8 x float> splat (float 0x0000000000000000), ptr %v20, align 4
%v21 = add i64 %v19, 8
%v22 = icmp slt i64 %v21, 512
br i1 %v22, label %loop11, label %end12
end12:
br label %end10
else9:
br label %end10
end10:
%v23 = mul i64 %v4, 272
%v24 = getelementptr i8, ptr %a1, i64 %v23
call void @floats_Q8_0_f32_16(ptr %v24, ptr %v1, i64 1)
br i1 false, label %then13, label %else14
then13:
store <8 x float> splat (float 0x0000000000000000), ptr %s4
store <8 x float> splat (float 0x0000000000000000), ptr %s5
store <8 x float> splat (float 0x0000000000000000), ptr %s6
store <8 x float> splat (float 0x0000000000000000), ptr %s7
store <8 x float> splat (float 0x0000000000000000), ptr %s8
store <8 x float> splat (float 0x0000000000000000), ptr %s9
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <8 x float> splat (float 0x0000000000000000), ptr %s11
br label %loop16
loop16:
%v25 = phi i64 [ 0, %then13 ], [ %v88, %loop16 ]
%v26 = mul i64 %v25, 16
%v27 = getelementptr float, ptr %v1, i64 %v26
%v28 = load <8 x float>, ptr %v27, align 4
%v29 = add i64 %v26, 8
%v30 = getelementptr float, ptr %v1, i64 %v29
%v31 = load <8 x float>, ptr %v30, align 4
%v32 = getelementptr float, ptr %v18, i64 %v25
%v33 = load float, ptr %v32, align 4
%v34 = insertelement <8 x float> poison, float %v33, i32 0
%v35 = shufflevector <8 x float> %v34, <8 x float> poison, <8 x i32> zeroinitializer
%v36 = load <8 x float>, ptr %s4
%v37 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v35, <8 x float> %v28, <8 x float> %v36)
store <8 x float> %v37, ptr %s4
%v38 = load <8 x float>, ptr %s8
%v39 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v35, <8 x float> %v31, <8 x float> %v38)
store <8 x float> %v39, ptr %s8
%v40 = mul i64 %v25, 16
%v41 = add i64 %v40, 16
%v42 = getelementptr float, ptr %v1, i64 %v41
%v43 = load <8 x float>, ptr %v42, align 4
%v44 = add i64 %v41, 8
%v45 = getelementptr float, ptr %v1, i64 %v44
%v46 = load <8 x float>, ptr %v45, align 4
%v47 = add i64 %v25, 1
%v48 = getelementptr float, ptr %v18, i64 %v47
%v49 = load float, ptr %v48, align 4
%v50 = insertelement <8 x float> poison, float %v49, i32 0
%v51 = shufflevector <8 x float> %v50, <8 x float> poison, <8 x i32> zeroinitializer
%v52 = load <8 x float>, ptr %s5
%v53 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v51, <8 x float> %v43, <8 x float> %v52)
store <8 x float> %v53, ptr %s5
%v54 = load <8 x float>, ptr %s9
%v55 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v51, <8 x float> %v46, <8 x float> %v54)
store <8 x float> %v55, ptr %s9
%v56 = mul i64 %v25, 16
%v57 = add i64 %v56, 32
%v58 = getelementptr float, ptr %v1, i64 %v57
%v59 = load <8 x float>, ptr %v58, align 4
%v60 = add i64 %v57, 8
%v61 = getelementptr float, ptr %v1, i64 %v60
%v62 = load <8 x float>, ptr %v61, align 4
%v63 = add i64 %v25, 2
%v64 = getelementptr float, ptr %v18, i64 %v63
%v65 = load float, ptr %v64, align 4
%v66 = insertelement <8 x float> poison, float %v65, i32 0
%v67 = shufflevector <8 x float> %v66, <8 x float> poison, <8 x i32> zeroinitializer
%v68 = load <8 x float>, ptr %s6
%v69 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v67, <8 x float> %v59, <8 x float> %v68)
store <8 x float> %v69, ptr %s6
%v70 = load <8 x float>, ptr %s10
%v71 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v67, <8 x float> %v62, <8 x float> %v70)
store <8 x float> %v71, ptr %s10
%v72 = mul i64 %v25, 16
%v73 = add i64 %v72, 48
%v74 = getelementptr float, ptr %v1, i64 %v73
%v75 = load <8 x float>, ptr %v74, align 4
%v76 = add i64 %v73, 8
%v77 = getelementptr float, ptr %v1, i64 %v76
%v78 = load <8 x float>, ptr %v77, align 4
%v79 = add i64 %v25, 3
%v80 = getelementptr float, ptr %v18, i64 %v79
%v81 = load float, ptr %v80, align 4
%v82 = insertelement <8 x float> poison, float %v81, i32 0
%v83 = shufflevector <8 x float> %v82, <8 x float> poison, <8 x i32> zeroinitializer
%v84 = load <8 x float>, ptr %s7
%v85 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v83, <8 x float> %v75, <8 x float> %v84)
store <8 x float> %v85, ptr %s7
%v86 = load <8 x float>, ptr %s11
%v87 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v83, <8 x float> %v78, <8 x float> %v86)
store <8 x float> %v87, ptr %s11
%v88 = add i64 %v25, 4
%v89 = icmp slt i64 %v88, 32
br i1 %v89, label %loop16, label %end17
end17:
%v90 = load <8 x float>, ptr %s4
%v91 = load <8 x float>, ptr %s5
%v92 = load <8 x float>, ptr %s6
%v93 = load <8 x float>, ptr %s7
%v94 = fadd <8 x float> %v90, %v91
%v95 = fadd <8 x float> %v92, %v93
%v96 = fadd <8 x float> %v94, %v95
%v97 = load <8 x float>, ptr %s8
%v98 = load <8 x float>, ptr %s9
%v99 = load <8 x float>, ptr %s10
%v100 = load <8 x float>, ptr %s11
%v101 = fadd <8 x float> %v97, %v98
%v102 = fadd <8 x float> %v99, %v100
%v103 = fadd <8 x float> %v101, %v102
%v104 = load <8 x float>, ptr %v2, align 4
%v105 = fadd <8 x float> %v104, %v96
store <8 x float> %v105, ptr %v2, align 4
%v106 = getelementptr float, ptr %v2, i64 8
%v107 = load <8 x float>, ptr %v106, align 4
%v108 = fadd <8 x float> %v107, %v103
%v109 = getelementptr float, ptr %v2, i64 8
store <8 x float> %v108, ptr %v109, align 4
br label %end15
else14:
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
%v110 = getelementptr float, ptr %v18, i64 32
%v111 = getelementptr float, ptr %v18, i64 64
%v112 = getelementptr float, ptr %v18, i64 64
%v113 = getelementptr float, ptr %v18, i64 64
%v114 = getelementptr float, ptr %v18, i64 64
br label %loop18
loop18:
%v115 = phi i64 [ 0, %else14 ], [ %v231, %loop18 ]
%v116 = mul i64 %v115, 16
%v117 = getelementptr float, ptr %v1, i64 %v116
%v118 = load <8 x float>, ptr %v117, align 4
%v119 = add i64 %v116, 8
%v120 = getelementptr float, ptr %v1, i64 %v119
%v121 = load <8 x float>, ptr %v120, align 4
%v122 = getelementptr float, ptr %v18, i64 %v115
%v123 = load float, ptr %v122, align 4
%v124 = insertelement <8 x float> poison, float %v123, i32 0
%v125 = shufflevector <8 x float> %v124, <8 x float> poison, <8 x i32> zeroinitializer
%v126 = load <8 x float>, ptr %s12
%v127 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v125, <8 x float> %v118, <8 x float> %v126)
store <8 x float> %v127, ptr %s12
%v128 = load <8 x float>, ptr %s13
%v129 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v125, <8 x float> %v121, <8 x float> %v128)
store <8 x float> %v129, ptr %s13
%v130 = getelementptr float, ptr %v110, i64 %v115
%v131 = load float, ptr %v130, align 4
%v132 = insertelement <8 x float> poison, float %v131, i32 0
%v133 = shufflevector <8 x float> %v132, <8 x float> poison, <8 x i32> zeroinitializer
%v134 = load <8 x float>, ptr %s14
%v135 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v133, <8 x float> %v118, <8 x float> %v134)
store <8 x float> %v135, ptr %s14
%v136 = load <8 x float>, ptr %s15
%v137 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v133, <8 x float> %v121, <8 x float> %v136)
store <8 x float> %v137, ptr %s15
%v138 = getelementptr float, ptr %v111, i64 %v115
%v139 = load float, ptr %v138, align 4
%v140 = insertelement <8 x float> poison, float %v139, i32 0
%v141 = shufflevector <8 x float> %v140, <8 x float> poison, <8 x i32> zeroinitializer
%v142 = load <8 x float>, ptr %s16
%v143 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v141, <8 x float> %v118, <8 x float> %v142)
store <8 x float> %v143, ptr %s16
%v144 = load <8 x float>, ptr %s17
%v145 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v141, <8 x float> %v121, <8 x float> %v144)
store <8 x float> %v145, ptr %s17
%v146 = getelementptr float, ptr %v112, i64 %v115
%v147 = load float, ptr %v146, align 4
%v148 = insertelement <8 x float> poison, float %v147, i32 0
%v149 = shufflevector <8 x float> %v148, <8 x float> poison, <8 x i32> zeroinitializer
%v150 = load <8 x float>, ptr %s18
%v151 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v149, <8 x float> %v118, <8 x float> %v150)
store <8 x float> %v151, ptr %s18
%v152 = load <8 x float>, ptr %s19
%v153 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v149, <8 x float> %v121, <8 x float> %v152)
store <8 x float> %v153, ptr %s19
%v154 = getelementptr float, ptr %v113, i64 %v115
%v155 = load float, ptr %v154, align 4
%v156 = insertelement <8 x float> poison, float %v155, i32 0
%v157 = shufflevector <8 x float> %v156, <8 x float> poison, <8 x i32> zeroinitializer
%v158 = load <8 x float>, ptr %s20
%v159 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v157, <8 x float> %v118, <8 x float> %v158)
store <8 x float> %v159, ptr %s20
%v160 = load <8 x float>, ptr %s21
%v161 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v157, <8 x float> %v121, <8 x float> %v160)
store <8 x float> %v161, ptr %s21
%v162 = getelementptr float, ptr %v114, i64 %v115
%v163 = load float, ptr %v162, align 4
%v164 = insertelement <8 x float> poison, float %v163, i32 0
%v165 = shufflevector <8 x float> %v164, <8 x float> poison, <8 x i32> zeroinitializer
%v166 = load <8 x float>, ptr %s22
%v167 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> %v118, <8 x float> %v166)
store <8 x float> %v167, ptr %s22
%v168 = load <8 x float>, ptr %s23
%v169 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> %v121, <8 x float> %v168)
store <8 x float> %v169, ptr %s23
%v170 = mul i64 %v115, 16
%v171 = add i64 %v170, 16
%v172 = getelementptr float, ptr %v1, i64 %v171
%v173 = load <8 x float>, ptr %v172, align 4
%v174 = add i64 %v171, 8
%v175 = getelementptr float, ptr %v1, i64 %v174
%v176 = load <8 x float>, ptr %v175, align 4
%v177 = add i64 %v115, 1
%v178 = getelementptr float, ptr %v18, i64 %v177
%v179 = load float, ptr %v178, align 4
%v180 = insertelement <8 x float> poison, float %v179, i32 0
%v181 = shufflevector <8 x float> %v180, <8 x float> poison, <8 x i32> zeroinitializer
%v182 = load <8 x float>, ptr %s12
%v183 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v181, <8 x float> %v173, <8 x float> %v182)
store <8 x float> %v183, ptr %s12
%v184 = load <8 x float>, ptr %s13
%v185 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v181, <8 x float> %v176, <8 x float> %v184)
store <8 x float> %v185, ptr %s13
%v186 = add i64 %v115, 1
%v187 = getelementptr float, ptr %v110, i64 %v186
%v188 = load float, ptr %v187, align 4
%v189 = insertelement <8 x float> poison, float %v188, i32 0
%v190 = shufflevector <8 x float> %v189, <8 x float> poison, <8 x i32> zeroinitializer
%v191 = load <8 x float>, ptr %s14
%v192 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v190, <8 x float> %v173, <8 x float> %v191)
store <8 x float> %v192, ptr %s14
%v193 = load <8 x float>, ptr %s15
%v194 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v190, <8 x float> %v176, <8 x float> %v193)
store <8 x float> %v194, ptr %s15
%v195 = add i64 %v115, 1
%v196 = getelementptr float, ptr %v111, i64 %v195
%v197 = load float, ptr %v196, align 4
%v198 = insertelement <8 x float> poison, float %v197, i32 0
%v199 = shufflevector <8 x float> %v198, <8 x float> poison, <8 x i32> zeroinitializer
%v200 = load <8 x float>, ptr %s16
%v201 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v199, <8 x float> %v173, <8 x float> %v200)
store <8 x float> %v201, ptr %s16
%v202 = load <8 x float>, ptr %s17
%v203 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v199, <8 x float> %v176, <8 x float> %v202)
store <8 x float> %v203, ptr %s17
%v204 = add i64 %v115, 1
%v205 = getelementptr float, ptr %v112, i64 %v204
%v206 = load float, ptr %v205, align 4
%v207 = insertelement <8 x float> poison, float %v206, i32 0
%v208 = shufflevector <8 x float> %v207, <8 x float> poison, <8 x i32> zeroinitializer
%v209 = load <8 x float>, ptr %s18
%v210 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v208, <8 x float> %v173, <8 x float> %v209)
store <8 x float> %v210, ptr %s18
%v211 = load <8 x float>, ptr %s19
%v212 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v208, <8 x float> %v176, <8 x float> %v211)
store <8 x float> %v212, ptr %s19
%v213 = add i64 %v115, 1
%v214 = getelementptr float, ptr %v113, i64 %v213
%v215 = load float, ptr %v214, align 4
%v216 = insertelement <8 x float> poison, float %v215, i32 0
%v217 = shufflevector <8 x float> %v216, <8 x float> poison, <8 x i32> zeroinitializer
%v218 = load <8 x float>, ptr %s20
%v219 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v217, <8 x float> %v173, <8 x float> %v218)
store <8 x float> %v219, ptr %s20
%v220 = load <8 x float>, ptr %s21
%v221 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v217, <8 x float> %v176, <8 x float> %v220)
store <8 x float> %v221, ptr %s21
%v222 = add i64 %v115, 1
%v223 = getelementptr float, ptr %v114, i64 %v222
%v224 = load float, ptr %v223, align 4
%v225 = insertelement <8 x float> poison, float %v224, i32 0
%v226 = shufflevector <8 x float> %v225, <8 x float> poison, <8 x i32> zeroinitializer
%v227 = load <8 x float>, ptr %s22
%v228 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v226, <8 x float> %v173, <8 x float> %v227)
store <8 x float> %v228, ptr %s22
%v229 = load <8 x float>, ptr %s23
%v230 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v226, <8 x float> %v176, <8 x float> %v229)
store <8 x float> %v230, ptr %s23
%v231 = add i64 %v115, 2
%v232 = icmp slt i64 %v231, 32
br i1 %v232, label %loop18, label %end19
end19:
%v233 = load <8 x float>, ptr %s12
%v234 = load <8 x float>, ptr %s13
%v235 = load <8 x float>, ptr %s14
%v236 = load <8 x float>, ptr %s15
%v237 = load <8 x float>, ptr %s16
%v238 = load <8 x float>, ptr %s17
%v239 = load <8 x float>, ptr %s18
%v240 = load <8 x float>, ptr %s19
%v241 = load <8 x float>, ptr %s20
%v242 = load <8 x float>, ptr %s21
%v243 = load <8 x float>, ptr %s22
%v244 = load <8 x float>, ptr %s23
%v245 = load <8 x float>, ptr %v2, align 4
%v246 = fadd <8 x float> %v245, %v233
store <8 x float> %v246, ptr %v2, align 4
%v247 = getelementptr float, ptr %v2, i64 8
%v248 = load <8 x float>, ptr %v247, align 4
%v249 = fadd <8 x float> %v248, %v234
%v250 = getelementptr float, ptr %v2, i64 8
store <8 x float> %v249, ptr %v250, align 4
%v251 = getelementptr float, ptr %v2, i64 16
%v252 = load <8 x float>, ptr %v251, align 4
%v253 = fadd <8 x float> %v252, %v235
%v254 = getelementptr float, ptr %v2, i64 16
store <8 x float> %v253, ptr %v254, align 4
%v255 = getelementptr float, ptr %v2, i64 24
%v256 = load <8 x float>, ptr %v255, align 4
%v257 = fadd <8 x float> %v256, %v236
%v258 = getelementptr float, ptr %v2, i64 24
store <8 x float> %v257, ptr %v258, align 4
%v259 = getelementptr float, ptr %v2, i64 32
%v260 = load <8 x float>, ptr %v259, align 4
%v261 = fadd <8 x float> %v260, %v237
%v262 = getelementptr float, ptr %v2, i64 32
store <8 x float> %v261, ptr %v262, align 4
%v263 = getelementptr float, ptr %v2, i64 40
%v264 = load <8 x float>, ptr %v263, align 4
%v265 = fadd <8 x float> %v264, %v238
%v266 = getelementptr float, ptr %v2, i64 40
store <8 x float> %v265, ptr %v266, align 4
%v267 = getelementptr float, ptr %v2, i64 48
%v268 = load <8 x float>, ptr %v267, align 4
%v269 = fadd <8 x float> %v268, %v239
%v270 = getelementptr float, ptr %v2, i64 48
store <8 x float> %v269, ptr %v270, align 4
%v271 = getelementptr float, ptr %v2, i64 56
%v272 = load <8 x float>, ptr %v271, align 4
%v273 = fadd <8 x float> %v272, %v240
%v274 = getelementptr float, ptr %v2, i64 56
store <8 x float> %v273, ptr %v274, align 4
%v275 = getelementptr float, ptr %v2, i64 64
%v276 = load <8 x float>, ptr %v275, align 4
%v277 = fadd <8 x float> %v276, %v241
%v278 = getelementptr float, ptr %v2, i64 64
store <8 x float> %v277, ptr %v278, align 4
%v279 = getelementptr float, ptr %v2, i64 72
%v280 = load <8 x float>, ptr %v279, align 4
%v281 = fadd <8 x float> %v280, %v242
%v282 = getelementptr float, ptr %v2, i64 72
store <8 x float> %v281, ptr %v282, align 4
%v283 = getelementptr float, ptr %v2, i64 80
%v284 = load <8 x float>, ptr %v283, align 4
%v285 = fadd <8 x float> %v284, %v243
%v286 = getelementptr float, ptr %v2, i64 80
store <8 x float> %v285, ptr %v286, align 4
%v287 = getelementptr float, ptr %v2, i64 88
%v288 = load <8 x float>, ptr %v287, align 4
%v289 = fadd <8 x float> %v288, %v244
%v290 = getelementptr float, ptr %v2, i64 88
store <8 x float> %v289, ptr %v290, align 4
br label %end15
end15:
br label %loop20
loop20:
%v291 = phi i64 [ 0, %end15 ], [ %v304, %end23 ]
%v292 = getelementptr i64, ptr %scratch, i64 %v291
%v293 = load i64, ptr %v292, align 8
%v294 = mul i64 %v293, 8
br label %loop22
loop22:
%v295 = phi i64 [ 0, %loop20 ], [ %v302, %loop22 ]
%v296 = mul i64 %v291, 16
%v297 = add i64 %v296, %v295
%v298 = getelementptr float, ptr %v2, i64 %v297
%v299 = load float, ptr %v298, align 4
%v300 = add i64 %v294, %v295
%v301 = getelementptr float, ptr %a2, i64 %v300
store float %v299, ptr %v301, align 4
%v302 = add i64 %v295, 1
%v303 = icmp slt i64 %v302, 8
br i1 %v303, label %loop22, label %end23
end23:
%v304 = add i64 %v291, 1
%v305 = icmp slt i64 %v304, 3
br i1 %v305, label %loop20, label %end21
end21:
%v306 = add i64 %v4, 1
%v307 = icmp slt i64 %v306, %end
br i1 %v307, label %loop1, label %end2
end2:
ret void
}

define internal void @floats_Q8_0_f32_16(ptr %blocks, ptr %panel, i64 %count) nounwind {
entry:
%v0 = icmp slt i64 0, %count
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ 0, %guard3 ], [ %v192, %loop1 ]
%v2 = mul i64 %v1, 272
%v3 = getelementptr i8, ptr %blocks, i64 %v2
%v4 = mul i64 %v1, 512
%v5 = getelementptr float, ptr %panel, i64 %v4
%v6 = load <8 x i16>, ptr %v3, align 1
%v7 = bitcast <8 x i16> %v6 to <8 x half>
%v8 = fpext <8 x half> %v7 to <8 x float>
%v9 = getelementptr i8, ptr %v3, i64 16
%v10 = load <8 x i32>, ptr %v9, align 1
%v11 = bitcast <8 x i32> %v10 to <32 x i8>
%v12 = bitcast <32 x i8> %v11 to <8 x i32>
%v13 = shl <8 x i32> %v12, splat (i32 24)
%v14 = ashr <8 x i32> %v13, splat (i32 24)
%v15 = sitofp <8 x i32> %v14 to <8 x float>
%v16 = fmul <8 x float> %v8, %v15
store <8 x float> %v16, ptr %v5, align 4
%v17 = shl <8 x i32> %v12, splat (i32 16)
%v18 = ashr <8 x i32> %v17, splat (i32 24)
%v19 = sitofp <8 x i32> %v18 to <8 x float>
%v20 = fmul <8 x float> %v8, %v19
%v21 = getelementptr float, ptr %v5, i64 16
store <8 x float> %v20, ptr %v21, align 4
%v22 = shl <8 x i32> %v12, splat (i32 8)
%v23 = ashr <8 x i32> %v22, splat (i32 24)
%v24 = sitofp <8 x i32> %v23 to <8 x float>
%v25 = fmul <8 x float> %v8, %v24
%v26 = getelementptr float, ptr %v5, i64 32
store <8 x float> %v25, ptr %v26, align 4
%v27 = ashr <8 x i32> %v12, splat (i32 24)
%v28 = sitofp <8 x i32> %v27 to <8 x float>
%v29 = fmul <8 x float> %v8, %v28
%v30 = getelementptr float, ptr %v5, i64 48
store <8 x float> %v29, ptr %v30, align 4
%v31 = getelementptr i8, ptr %v3, i64 48
%v32 = load <8 x i32>, ptr %v31, align 1
%v33 = bitcast <8 x i32> %v32 to <32 x i8>
%v34 = bitcast <32 x i8> %v33 to <8 x i32>
%v35 = shl <8 x i32> %v34, splat (i32 24)
%v36 = ashr <8 x i32> %v35, splat (i32 24)
%v37 = sitofp <8 x i32> %v36 to <8 x float>
%v38 = fmul <8 x float> %v8, %v37
%v39 = getelementptr float, ptr %v5, i64 64
store <8 x float> %v38, ptr %v39, align 4
%v40 = shl <8 x i32> %v34, splat (i32 16)
%v41 = ashr <8 x i32> %v40, splat (i32 24)
%v42 = sitofp <8 x i32> %v41 to <8 x float>
%v43 = fmul <8 x float> %v8, %v42
%v44 = getelementptr float, ptr %v5, i64 80
store <8 x float> %v43, ptr %v44, align 4
%v45 = shl <8 x i32> %v34, splat (i32 8)
%v46 = ashr <8 x i32> %v45, splat (i32 24)
%v47 = sitofp <8 x i32> %v46 to <8 x float>
%v48 = fmul <8 x float> %v8, %v47
%v49 = getelementptr float, ptr %v5, i64 96
store <8 x float> %v48, ptr %v49, align 4
%v50 = ashr <8 x i32> %v34, splat (i32 24)
%v51 = sitofp <8 x i32> %v50 to <8 x float>
%v52 = fmul <8 x float> %v8, %v51
%v53 = getelementptr float, ptr %v5, i64 112
store <8 x float> %v52, ptr %v53, align 4
%v54 = getelementptr i8, ptr %v3, i64 80
%v55 = load <8 x i32>, ptr %v54, align 1
%v56 = bitcast <8 x i32> %v55 to <32 x i8>
%v57 = bitcast <32 x i8> %v56 to <8 x i32>
%v58 = shl <8 x i32> %v57, splat (i32 24)
%v59 = ashr <8 x i32> %v58, splat (i32 24)
%v60 = sitofp <8 x i32> %v59 to <8 x float>
%v61 = fmul <8 x float> %v8, %v60
%v62 = getelementptr float, ptr %v5, i64 128
store <8 x float> %v61, ptr %v62, align 4
%v63 = shl <8 x i32> %v57, splat (i32 16)
%v64 = ashr <8 x i32> %v63, splat (i32 24)
%v65 = sitofp <8 x i32> %v64 to <8 x float>
%v66 = fmul <8 x float> %v8, %v65
%v67 = getelementptr float, ptr %v5, i64 144
store <8 x float> %v66, ptr %v67, align 4
%v68 = shl <8 x i32> %v57, splat (i32 8)
%v69 = ashr <8 x i32> %v68, splat (i32 24)
%v70 = sitofp <8 x i32> %v69 to <8 x float>
%v71 = fmul <8 x float> %v8, %v70
%v72 = getelementptr float, ptr %v5, i64 160
store <8 x float> %v71, ptr %v72, align 4
%v73 = ashr <8 x i32> %v57, splat (i32 24)
%v74 = sitofp <8 x i32> %v73 to <8 x float>
%v75 = fmul <8 x float> %v8, %v74
%v76 = getelementptr float, ptr %v5, i64 176
store <8 x float> %v75, ptr %v76, align 4
%v77 = getelementptr i8, ptr %v3, i64 112
%v78 = load <8 x i32>, ptr %v77, align 1
%v79 = bitcast <8 x i32> %v78 to <32 x i8>
%v80 = bitcast <32 x i8> %v79 to <8 x i32>
%v81 = shl <8 x i32> %v80, splat (i32 24)
%v82 = ashr <8 x i32> %v81, splat (i32 24)
%v83 = sitofp <8 x i32> %v82 to <8 x float>
%v84 = fmul <8 x float> %v8, %v83
%v85 = getelementptr float, ptr %v5, i64 192
store <8 x float> %v84, ptr %v85, align 4
%v86 = shl <8 x i32> %v80, splat (i32 16)
%v87 = ashr <8 x i32> %v86, splat (i32 24)
%v88 = sitofp <8 x i32> %v87 to <8 x float>
%v89 = fmul <8 x float> %v8, %v88
%v90 = getelementptr float, ptr %v5, i64 208
store <8 x float> %v89, ptr %v90, align 4
%v91 = shl <8 x i32> %v80, splat (i32 8)
%v92 = ashr <8 x i32> %v91, splat (i32 24)
%v93 = sitofp <8 x i32> %v92 to <8 x float>
%v94 = fmul <8 x float> %v8, %v93
%v95 = getelementptr float, ptr %v5, i64 224
store <8 x float> %v94, ptr %v95, align 4
%v96 = ashr <8 x i32> %v80, splat (i32 24)
%v97 = sitofp <8 x i32> %v96 to <8 x float>
%v98 = fmul <8 x float> %v8, %v97
%v99 = getelementptr float, ptr %v5, i64 240
store <8 x float> %v98, ptr %v99, align 4
%v100 = getelementptr i8, ptr %v3, i64 144
%v101 = load <8 x i32>, ptr %v100, align 1
%v102 = bitcast <8 x i32> %v101 to <32 x i8>
%v103 = bitcast <32 x i8> %v102 to <8 x i32>
%v104 = shl <8 x i32> %v103, splat (i32 24)
%v105 = ashr <8 x i32> %v104, splat (i32 24)
%v106 = sitofp <8 x i32> %v105 to <8 x float>
%v107 = fmul <8 x float> %v8, %v106
%v108 = getelementptr float, ptr %v5, i64 256
store <8 x float> %v107, ptr %v108, align 4
%v109 = shl <8 x i32> %v103, splat (i32 16)
%v110 = ashr <8 x i32> %v109, splat (i32 24)
%v111 = sitofp <8 x i32> %v110 to <8 x float>
%v112 = fmul <8 x float> %v8, %v111
%v113 = getelementptr float, ptr %v5, i64 272
store <8 x float> %v112, ptr %v113, align 4
%v114 = shl <8 x i32> %v103, splat (i32 8)
%v115 = ashr <8 x i32> %v114, splat (i32 24)
%v116 = sitofp <8 x i32> %v115 to <8 x float>
%v117 = fmul <8 x float> %v8, %v116
%v118 = getelementptr float, ptr %v5, i64 288
store <8 x float> %v117, ptr %v118, align 4
%v119 = ashr <8 x i32> %v103, splat (i32 24)
%v120 = sitofp <8 x i32> %v119 to <8 x float>
%v121 = fmul <8 x float> %v8, %v120
%v122 = getelementptr float, ptr %v5, i64 304
store <8 x float> %v121, ptr %v122, align 4
%v123 = getelementptr i8, ptr %v3, i64 176
%v124 = load <8 x i32>, ptr %v123, align 1
%v125 = bitcast <8 x i32> %v124 to <32 x i8>
%v126 = bitcast <32 x i8> %v125 to <8 x i32>
%v127 = shl <8 x i32> %v126, splat (i32 24)
%v128 = ashr <8 x i32> %v127, splat (i32 24)
%v129 = sitofp <8 x i32> %v128 to <8 x float>
%v130 = fmul <8 x float> %v8, %v129
%v131 = getelementptr float, ptr %v5, i64 320
store <8 x float> %v130, ptr %v131, align 4
%v132 = shl <8 x i32> %v126, splat (i32 16)
%v133 = ashr <8 x i32> %v132, splat (i32 24)
%v134 = sitofp <8 x i32> %v133 to <8 x float>
%v135 = fmul <8 x float> %v8, %v134
%v136 = getelementptr float, ptr %v5, i64 336
store <8 x float> %v135, ptr %v136, align 4
%v137 = shl <8 x i32> %v126, splat (i32 8)
%v138 = ashr <8 x i32> %v137, splat (i32 24)
%v139 = sitofp <8 x i32> %v138 to <8 x float>
%v140 = fmul <8 x float> %v8, %v139
%v141 = getelementptr float, ptr %v5, i64 352
store <8 x float> %v140, ptr %v141, align 4
%v142 = ashr <8 x i32> %v126, splat (i32 24)
%v143 = sitofp <8 x i32> %v142 to <8 x float>
%v144 = fmul <8 x float> %v8, %v143
%v145 = getelementptr float, ptr %v5, i64 368
store <8 x float> %v144, ptr %v145, align 4
%v146 = getelementptr i8, ptr %v3, i64 208
%v147 = load <8 x i32>, ptr %v146, align 1
%v148 = bitcast <8 x i32> %v147 to <32 x i8>
%v149 = bitcast <32 x i8> %v148 to <8 x i32>
%v150 = shl <8 x i32> %v149, splat (i32 24)
%v151 = ashr <8 x i32> %v150, splat (i32 24)
%v152 = sitofp <8 x i32> %v151 to <8 x float>
%v153 = fmul <8 x float> %v8, %v152
%v154 = getelementptr float, ptr %v5, i64 384
store <8 x float> %v153, ptr %v154, align 4
%v155 = shl <8 x i32> %v149, splat (i32 16)
%v156 = ashr <8 x i32> %v155, splat (i32 24)
%v157 = sitofp <8 x i32> %v156 to <8 x float>
%v158 = fmul <8 x float> %v8, %v157
%v159 = getelementptr float, ptr %v5, i64 400
store <8 x float> %v158, ptr %v159, align 4
%v160 = shl <8 x i32> %v149, splat (i32 8)
%v161 = ashr <8 x i32> %v160, splat (i32 24)
%v162 = sitofp <8 x i32> %v161 to <8 x float>
%v163 = fmul <8 x float> %v8, %v162
%v164 = getelementptr float, ptr %v5, i64 416
store <8 x float> %v163, ptr %v164, align 4
%v165 = ashr <8 x i32> %v149, splat (i32 24)
%v166 = sitofp <8 x i32> %v165 to <8 x float>
%v167 = fmul <8 x float> %v8, %v166
%v168 = getelementptr float, ptr %v5, i64 432
store <8 x float> %v167, ptr %v168, align 4
%v169 = getelementptr i8, ptr %v3, i64 240
%v170 = load <8 x i32>, ptr %v169, align 1
%v171 = bitcast <8 x i32> %v170 to <32 x i8>
%v172 = bitcast <32 x i8> %v171 to <8 x i32>
%v173 = shl <8 x i32> %v172, splat (i32 24)
%v174 = ashr <8 x i32> %v173, splat (i32 24)
%v175 = sitofp <8 x i32> %v174 to <8 x float>
%v176 = fmul <8 x float> %v8, %v175
%v177 = getelementptr float, ptr %v5, i64 448
store <8 x float> %v176, ptr %v177, align 4
%v178 = shl <8 x i32> %v172, splat (i32 16)
%v179 = ashr <8 x i32> %v178, splat (i32 24)
%v180 = sitofp <8 x i32> %v179 to <8 x float>
%v181 = fmul <8 x float> %v8, %v180
%v182 = getelementptr float, ptr %v5, i64 464
store <8 x float> %v181, ptr %v182, align 4
%v183 = shl <8 x i32> %v172, splat (i32 8)
%v184 = ashr <8 x i32> %v183, splat (i32 24)
%v185 = sitofp <8 x i32> %v184 to <8 x float>
%v186 = fmul <8 x float> %v8, %v185
%v187 = getelementptr float, ptr %v5, i64 480
store <8 x float> %v186, ptr %v187, align 4
%v188 = ashr <8 x i32> %v172, splat (i32 24)
%v189 = sitofp <8 x i32> %v188 to <8 x float>
%v190 = fmul <8 x float> %v8, %v189
%v191 = getelementptr float, ptr %v5, i64 496
store <8 x float> %v190, ptr %v191, align 4
%v192 = add i64 %v1, 1
%v193 = icmp slt i64 %v192, %count
br i1 %v193, label %loop1, label %end2
end2:
ret void
}

