; kernels for x86_64-avx2
; mir @dequant_matmul {
;   %0 = input("x1") : f32[3, 32]
;   %1 = param("w1", scheme=int4/32) : f32[32, 8]
;   %2 = matmul(%0, %1) : f32[3, 8]
;   return y1=%2
; }

declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @dequant_matmul_52c0b7d5(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 2
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 1
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
%a4.p = getelementptr i64, ptr %args, i64 4
%a4 = load ptr, ptr %a4.p, align 8
%v0 = getelementptr i8, ptr %scratch, i64 768
%v1 = getelementptr i8, ptr %scratch, i64 105216
%v2 = getelementptr i8, ptr %scratch, i64 121600
%v3 = icmp slt i64 %begin, %end
br i1 %v3, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v4 = phi i64 [ %begin, %guard3 ], [ %v337, %end25 ]
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
%v11 = getelementptr float, ptr %a1, i64 %v10
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
%v18 = getelementptr float, ptr %a1, i64 %v17
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
br label %loop13
loop13:
%v23 = phi i64 [ 0, %end10 ], [ %v54, %end16 ]
br label %loop15
loop15:
%v24 = phi i64 [ 0, %loop13 ], [ %v52, %loop15 ]
%v25 = mul i64 %v23, 8
%v26 = add i64 %v25, %v24
%v27 = mul i64 %v4, 128
%v28 = udiv i64 %v26, 2
%v29 = add i64 %v27, %v28
%v30 = getelementptr i8, ptr %a2, i64 %v29
%v31 = load i8, ptr %v30, align 1
%v32 = zext i8 %v31 to i64
%v33 = and i64 %v26, 1
%v34 = mul i64 %v33, 4
%v35 = ashr i64 %v32, %v34
%v36 = and i64 %v35, 15
%v37 = trunc i64 %v36 to i32
%v38 = udiv i64 %v23, 32
%v39 = add i64 %v4, %v38
%v40 = mul i64 %v39, 8
%v41 = add i64 %v40, %v24
%v42 = sitofp i32 %v37 to float
%v43 = getelementptr float, ptr %a3, i64 %v41
%v44 = load float, ptr %v43, align 4
%v45 = fsub float %v42, %v44
%v46 = getelementptr float, ptr %a0, i64 %v41
%v47 = load float, ptr %v46, align 4
%v48 = fmul float %v45, %v47
%v49 = mul i64 %v23, 16
%v50 = add i64 %v49, %v24
%v51 = getelementptr float, ptr %v1, i64 %v50
store float %v48, ptr %v51, align 4
%v52 = add i64 %v24, 1
%v53 = icmp slt i64 %v52, 8
br i1 %v53, label %loop15, label %end16
end16:
%v54 = add i64 %v23, 1
%v55 = icmp slt i64 %v54, 32
br i1 %v55, label %loop13, label %end14
end14:
br i1 false, label %then17, label %else18
then17:
store <8 x float> splat (float 0x0000000000000000), ptr %s8
store <8 x float> splat (float 0x0000000000000000), ptr %s9
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <8 x float> splat (float 0x0000000000000000), ptr %s11
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
store <8 x float> splat (float 0x0000000000000000), ptr %s14
store <8 x float> splat (float 0x0000000000000000), ptr %s15
br label %loop20
loop20:
%v56 = phi i64 [ 0, %then17 ], [ %v119, %loop20 ]
%v57 = mul i64 %v56, 16
%v58 = getelementptr float, ptr %v1, i64 %v57
%v59 = load <8 x float>, ptr %v58, align 4
%v60 = add i64 %v57, 8
%v61 = getelementptr float, ptr %v1, i64 %v60
%v62 = load <8 x float>, ptr %v61, align 4
%v63 = getelementptr float, ptr %v18, i64 %v56
%v64 = load float, ptr %v63, align 4
%v65 = insertelement <8 x float> poison, float %v64, i32 0
%v66 = shufflevector <8 x float> %v65, <8 x float> poison, <8 x i32> zeroinitializer
%v67 = load <8 x float>, ptr %s8
%v68 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v66, <8 x float> %v59, <8 x float> %v67)
store <8 x float> %v68, ptr %s8
%v69 = load <8 x float>, ptr %s12
%v70 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v66, <8 x float> %v62, <8 x float> %v69)
store <8 x float> %v70, ptr %s12
%v71 = mul i64 %v56, 16
%v72 = add i64 %v71, 16
%v73 = getelementptr float, ptr %v1, i64 %v72
%v74 = load <8 x float>, ptr %v73, align 4
%v75 = add i64 %v72, 8
%v76 = getelementptr float, ptr %v1, i64 %v75
%v77 = load <8 x float>, ptr %v76, align 4
%v78 = add i64 %v56, 1
%v79 = getelementptr float, ptr %v18, i64 %v78
%v80 = load float, ptr %v79, align 4
%v81 = insertelement <8 x float> poison, float %v80, i32 0
%v82 = shufflevector <8 x float> %v81, <8 x float> poison, <8 x i32> zeroinitializer
%v83 = load <8 x float>, ptr %s9
%v84 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v82, <8 x float> %v74, <8 x float> %v83)
store <8 x float> %v84, ptr %s9
%v85 = load <8 x float>, ptr %s13
%v86 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v82, <8 x float> %v77, <8 x float> %v85)
store <8 x float> %v86, ptr %s13
%v87 = mul i64 %v56, 16
%v88 = add i64 %v87, 32
%v89 = getelementptr float, ptr %v1, i64 %v88
%v90 = load <8 x float>, ptr %v89, align 4
%v91 = add i64 %v88, 8
%v92 = getelementptr float, ptr %v1, i64 %v91
%v93 = load <8 x float>, ptr %v92, align 4
%v94 = add i64 %v56, 2
%v95 = getelementptr float, ptr %v18, i64 %v94
%v96 = load float, ptr %v95, align 4
%v97 = insertelement <8 x float> poison, float %v96, i32 0
%v98 = shufflevector <8 x float> %v97, <8 x float> poison, <8 x i32> zeroinitializer
%v99 = load <8 x float>, ptr %s10
%v100 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v98, <8 x float> %v90, <8 x float> %v99)
store <8 x float> %v100, ptr %s10
%v101 = load <8 x float>, ptr %s14
%v102 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v98, <8 x float> %v93, <8 x float> %v101)
store <8 x float> %v102, ptr %s14
%v103 = mul i64 %v56, 16
%v104 = add i64 %v103, 48
%v105 = getelementptr float, ptr %v1, i64 %v104
%v106 = load <8 x float>, ptr %v105, align 4
%v107 = add i64 %v104, 8
%v108 = getelementptr float, ptr %v1, i64 %v107
%v109 = load <8 x float>, ptr %v108, align 4
%v110 = add i64 %v56, 3
%v111 = getelementptr float, ptr %v18, i64 %v110
%v112 = load float, ptr %v111, align 4
%v113 = insertelement <8 x float> poison, float %v112, i32 0
%v114 = shufflevector <8 x float> %v113, <8 x float> poison, <8 x i32> zeroinitializer
%v115 = load <8 x float>, ptr %s11
%v116 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v114, <8 x float> %v106, <8 x float> %v115)
store <8 x float> %v116, ptr %s11
%v117 = load <8 x float>, ptr %s15
%v118 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v114, <8 x float> %v109, <8 x float> %v117)
store <8 x float> %v118, ptr %s15
%v119 = add i64 %v56, 4
%v120 = icmp slt i64 %v119, 32
br i1 %v120, label %loop20, label %end21
end21:
%v121 = load <8 x float>, ptr %s8
%v122 = load <8 x float>, ptr %s9
%v123 = load <8 x float>, ptr %s10
%v124 = load <8 x float>, ptr %s11
%v125 = fadd <8 x float> %v121, %v122
%v126 = fadd <8 x float> %v123, %v124
%v127 = fadd <8 x float> %v125, %v126
%v128 = load <8 x float>, ptr %s12
%v129 = load <8 x float>, ptr %s13
%v130 = load <8 x float>, ptr %s14
%v131 = load <8 x float>, ptr %s15
%v132 = fadd <8 x float> %v128, %v129
%v133 = fadd <8 x float> %v130, %v131
%v134 = fadd <8 x float> %v132, %v133
%v135 = load <8 x float>, ptr %v2, align 4
%v136 = fadd <8 x float> %v135, %v127
store <8 x float> %v136, ptr %v2, align 4
%v137 = getelementptr float, ptr %v2, i64 8
%v138 = load <8 x float>, ptr %v137, align 4
%v139 = fadd <8 x float> %v138, %v134
%v140 = getelementptr float, ptr %v2, i64 8
store <8 x float> %v139, ptr %v140, align 4
br label %end19
else18:
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
store <8 x float> splat (float 0x0000000000000000), ptr %s26
store <8 x float> splat (float 0x0000000000000000), ptr %s27
%v141 = getelementptr float, ptr %v18, i64 32
%v142 = getelementptr float, ptr %v18, i64 64
%v143 = getelementptr float, ptr %v18, i64 64
%v144 = getelementptr float, ptr %v18, i64 64
%v145 = getelementptr float, ptr %v18, i64 64
br label %loop22
loop22:
%v146 = phi i64 [ 0, %else18 ], [ %v262, %loop22 ]
%v147 = mul i64 %v146, 16
%v148 = getelementptr float, ptr %v1, i64 %v147
%v149 = load <8 x float>, ptr %v148, align 4
%v150 = add i64 %v147, 8
%v151 = getelementptr float, ptr %v1, i64 %v150
%v152 = load <8 x float>, ptr %v151, align 4
%v153 = getelementptr float, ptr %v18, i64 %v146
%v154 = load float, ptr %v153, align 4
%v155 = insertelement <8 x float> poison, float %v154, i32 0
%v156 = shufflevector <8 x float> %v155, <8 x float> poison, <8 x i32> zeroinitializer
%v157 = load <8 x float>, ptr %s16
%v158 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v156, <8 x float> %v149, <8 x float> %v157)
store <8 x float> %v158, ptr %s16
%v159 = load <8 x float>, ptr %s17
%v160 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v156, <8 x float> %v152, <8 x float> %v159)
store <8 x float> %v160, ptr %s17
%v161 = getelementptr float, ptr %v141, i64 %v146
%v162 = load float, ptr %v161, align 4
%v163 = insertelement <8 x float> poison, float %v162, i32 0
%v164 = shufflevector <8 x float> %v163, <8 x float> poison, <8 x i32> zeroinitializer
%v165 = load <8 x float>, ptr %s18
%v166 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v164, <8 x float> %v149, <8 x float> %v165)
store <8 x float> %v166, ptr %s18
%v167 = load <8 x float>, ptr %s19
%v168 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v164, <8 x float> %v152, <8 x float> %v167)
store <8 x float> %v168, ptr %s19
%v169 = getelementptr float, ptr %v142, i64 %v146
%v170 = load float, ptr %v169, align 4
%v171 = insertelement <8 x float> poison, float %v170, i32 0
%v172 = shufflevector <8 x float> %v171, <8 x float> poison, <8 x i32> zeroinitializer
%v173 = load <8 x float>, ptr %s20
%v174 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v172, <8 x float> %v149, <8 x float> %v173)
store <8 x float> %v174, ptr %s20
%v175 = load <8 x float>, ptr %s21
%v176 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v172, <8 x float> %v152, <8 x float> %v175)
store <8 x float> %v176, ptr %s21
%v177 = getelementptr float, ptr %v143, i64 %v146
%v178 = load float, ptr %v177, align 4
%v179 = insertelement <8 x float> poison, float %v178, i32 0
%v180 = shufflevector <8 x float> %v179, <8 x float> poison, <8 x i32> zeroinitializer
%v181 = load <8 x float>, ptr %s22
%v182 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v180, <8 x float> %v149, <8 x float> %v181)
store <8 x float> %v182, ptr %s22
%v183 = load <8 x float>, ptr %s23
%v184 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v180, <8 x float> %v152, <8 x float> %v183)
store <8 x float> %v184, ptr %s23
%v185 = getelementptr float, ptr %v144, i64 %v146
%v186 = load float, ptr %v185, align 4
%v187 = insertelement <8 x float> poison, float %v186, i32 0
%v188 = shufflevector <8 x float> %v187, <8 x float> poison, <8 x i32> zeroinitializer
%v189 = load <8 x float>, ptr %s24
%v190 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v188, <8 x float> %v149, <8 x float> %v189)
store <8 x float> %v190, ptr %s24
%v191 = load <8 x float>, ptr %s25
%v192 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v188, <8 x float> %v152, <8 x float> %v191)
store <8 x float> %v192, ptr %s25
%v193 = getelementptr float, ptr %v145, i64 %v146
%v194 = load float, ptr %v193, align 4
%v195 = insertelement <8 x float> poison, float %v194, i32 0
%v196 = shufflevector <8 x float> %v195, <8 x float> poison, <8 x i32> zeroinitializer
%v197 = load <8 x float>, ptr %s26
%v198 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v196, <8 x float> %v149, <8 x float> %v197)
store <8 x float> %v198, ptr %s26
%v199 = load <8 x float>, ptr %s27
%v200 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v196, <8 x float> %v152, <8 x float> %v199)
store <8 x float> %v200, ptr %s27
%v201 = mul i64 %v146, 16
%v202 = add i64 %v201, 16
%v203 = getelementptr float, ptr %v1, i64 %v202
%v204 = load <8 x float>, ptr %v203, align 4
%v205 = add i64 %v202, 8
%v206 = getelementptr float, ptr %v1, i64 %v205
%v207 = load <8 x float>, ptr %v206, align 4
%v208 = add i64 %v146, 1
%v209 = getelementptr float, ptr %v18, i64 %v208
%v210 = load float, ptr %v209, align 4
%v211 = insertelement <8 x float> poison, float %v210, i32 0
%v212 = shufflevector <8 x float> %v211, <8 x float> poison, <8 x i32> zeroinitializer
%v213 = load <8 x float>, ptr %s16
%v214 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v212, <8 x float> %v204, <8 x float> %v213)
store <8 x float> %v214, ptr %s16
%v215 = load <8 x float>, ptr %s17
%v216 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v212, <8 x float> %v207, <8 x float> %v215)
store <8 x float> %v216, ptr %s17
%v217 = add i64 %v146, 1
%v218 = getelementptr float, ptr %v141, i64 %v217
%v219 = load float, ptr %v218, align 4
%v220 = insertelement <8 x float> poison, float %v219, i32 0
%v221 = shufflevector <8 x float> %v220, <8 x float> poison, <8 x i32> zeroinitializer
%v222 = load <8 x float>, ptr %s18
%v223 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v221, <8 x float> %v204, <8 x float> %v222)
store <8 x float> %v223, ptr %s18
%v224 = load <8 x float>, ptr %s19
%v225 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v221, <8 x float> %v207, <8 x float> %v224)
store <8 x float> %v225, ptr %s19
%v226 = add i64 %v146, 1
%v227 = getelementptr float, ptr %v142, i64 %v226
%v228 = load float, ptr %v227, align 4
%v229 = insertelement <8 x float> poison, float %v228, i32 0
%v230 = shufflevector <8 x float> %v229, <8 x float> poison, <8 x i32> zeroinitializer
%v231 = load <8 x float>, ptr %s20
%v232 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v230, <8 x float> %v204, <8 x float> %v231)
store <8 x float> %v232, ptr %s20
%v233 = load <8 x float>, ptr %s21
%v234 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v230, <8 x float> %v207, <8 x float> %v233)
store <8 x float> %v234, ptr %s21
%v235 = add i64 %v146, 1
%v236 = getelementptr float, ptr %v143, i64 %v235
%v237 = load float, ptr %v236, align 4
%v238 = insertelement <8 x float> poison, float %v237, i32 0
%v239 = shufflevector <8 x float> %v238, <8 x float> poison, <8 x i32> zeroinitializer
%v240 = load <8 x float>, ptr %s22
%v241 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v239, <8 x float> %v204, <8 x float> %v240)
store <8 x float> %v241, ptr %s22
%v242 = load <8 x float>, ptr %s23
%v243 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v239, <8 x float> %v207, <8 x float> %v242)
store <8 x float> %v243, ptr %s23
%v244 = add i64 %v146, 1
%v245 = getelementptr float, ptr %v144, i64 %v244
%v246 = load float, ptr %v245, align 4
%v247 = insertelement <8 x float> poison, float %v246, i32 0
%v248 = shufflevector <8 x float> %v247, <8 x float> poison, <8 x i32> zeroinitializer
%v249 = load <8 x float>, ptr %s24
%v250 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v248, <8 x float> %v204, <8 x float> %v249)
store <8 x float> %v250, ptr %s24
%v251 = load <8 x float>, ptr %s25
%v252 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v248, <8 x float> %v207, <8 x float> %v251)
store <8 x float> %v252, ptr %s25
%v253 = add i64 %v146, 1
%v254 = getelementptr float, ptr %v145, i64 %v253
%v255 = load float, ptr %v254, align 4
%v256 = insertelement <8 x float> poison, float %v255, i32 0
%v257 = shufflevector <8 x float> %v256, <8 x float> poison, <8 x i32> zeroinitializer
%v258 = load <8 x float>, ptr %s26
%v259 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v257, <8 x float> %v204, <8 x float> %v258)
store <8 x float> %v259, ptr %s26
%v260 = load <8 x float>, ptr %s27
%v261 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v257, <8 x float> %v207, <8 x float> %v260)
store <8 x float> %v261, ptr %s27
%v262 = add i64 %v146, 2
%v263 = icmp slt i64 %v262, 32
br i1 %v263, label %loop22, label %end23
end23:
%v264 = load <8 x float>, ptr %s16
%v265 = load <8 x float>, ptr %s17
%v266 = load <8 x float>, ptr %s18
%v267 = load <8 x float>, ptr %s19
%v268 = load <8 x float>, ptr %s20
%v269 = load <8 x float>, ptr %s21
%v270 = load <8 x float>, ptr %s22
%v271 = load <8 x float>, ptr %s23
%v272 = load <8 x float>, ptr %s24
%v273 = load <8 x float>, ptr %s25
%v274 = load <8 x float>, ptr %s26
%v275 = load <8 x float>, ptr %s27
%v276 = load <8 x float>, ptr %v2, align 4
%v277 = fadd <8 x float> %v276, %v264
store <8 x float> %v277, ptr %v2, align 4
%v278 = getelementptr float, ptr %v2, i64 8
%v279 = load <8 x float>, ptr %v278, align 4
%v280 = fadd <8 x float> %v279, %v265
%v281 = getelementptr float, ptr %v2, i64 8
store <8 x float> %v280, ptr %v281, align 4
%v282 = getelementptr float, ptr %v2, i64 16
%v283 = load <8 x float>, ptr %v282, align 4
%v284 = fadd <8 x float> %v283, %v266
%v285 = getelementptr float, ptr %v2, i64 16
store <8 x float> %v284, ptr %v285, align 4
%v286 = getelementptr float, ptr %v2, i64 24
%v287 = load <8 x float>, ptr %v286, align 4
%v288 = fadd <8 x float> %v287, %v267
%v289 = getelementptr float, ptr %v2, i64 24
store <8 x float> %v288, ptr %v289, align 4
%v290 = getelementptr float, ptr %v2, i64 32
%v291 = load <8 x float>, ptr %v290, align 4
%v292 = fadd <8 x float> %v291, %v268
%v293 = getelementptr float, ptr %v2, i64 32
store <8 x float> %v292, ptr %v293, align 4
%v294 = getelementptr float, ptr %v2, i64 40
%v295 = load <8 x float>, ptr %v294, align 4
%v296 = fadd <8 x float> %v295, %v269
%v297 = getelementptr float, ptr %v2, i64 40
store <8 x float> %v296, ptr %v297, align 4
%v298 = getelementptr float, ptr %v2, i64 48
%v299 = load <8 x float>, ptr %v298, align 4
%v300 = fadd <8 x float> %v299, %v270
%v301 = getelementptr float, ptr %v2, i64 48
store <8 x float> %v300, ptr %v301, align 4
%v302 = getelementptr float, ptr %v2, i64 56
%v303 = load <8 x float>, ptr %v302, align 4
%v304 = fadd <8 x float> %v303, %v271
%v305 = getelementptr float, ptr %v2, i64 56
store <8 x float> %v304, ptr %v305, align 4
%v306 = getelementptr float, ptr %v2, i64 64
%v307 = load <8 x float>, ptr %v306, align 4
%v308 = fadd <8 x float> %v307, %v272
%v309 = getelementptr float, ptr %v2, i64 64
store <8 x float> %v308, ptr %v309, align 4
%v310 = getelementptr float, ptr %v2, i64 72
%v311 = load <8 x float>, ptr %v310, align 4
%v312 = fadd <8 x float> %v311, %v273
%v313 = getelementptr float, ptr %v2, i64 72
store <8 x float> %v312, ptr %v313, align 4
%v314 = getelementptr float, ptr %v2, i64 80
%v315 = load <8 x float>, ptr %v314, align 4
%v316 = fadd <8 x float> %v315, %v274
%v317 = getelementptr float, ptr %v2, i64 80
store <8 x float> %v316, ptr %v317, align 4
%v318 = getelementptr float, ptr %v2, i64 88
%v319 = load <8 x float>, ptr %v318, align 4
%v320 = fadd <8 x float> %v319, %v275
%v321 = getelementptr float, ptr %v2, i64 88
store <8 x float> %v320, ptr %v321, align 4
br label %end19
end19:
br label %loop24
loop24:
%v322 = phi i64 [ 0, %end19 ], [ %v335, %end27 ]
%v323 = getelementptr i64, ptr %scratch, i64 %v322
%v324 = load i64, ptr %v323, align 8
%v325 = mul i64 %v324, 8
br label %loop26
loop26:
%v326 = phi i64 [ 0, %loop24 ], [ %v333, %loop26 ]
%v327 = mul i64 %v322, 16
%v328 = add i64 %v327, %v326
%v329 = getelementptr float, ptr %v2, i64 %v328
%v330 = load float, ptr %v329, align 4
%v331 = add i64 %v325, %v326
%v332 = getelementptr float, ptr %a4, i64 %v331
store float %v330, ptr %v332, align 4
%v333 = add i64 %v326, 1
%v334 = icmp slt i64 %v333, 8
br i1 %v334, label %loop26, label %end27
end27:
%v335 = add i64 %v322, 1
%v336 = icmp slt i64 %v335, 3
br i1 %v336, label %loop24, label %end25
end25:
%v337 = add i64 %v4, 1
%v338 = icmp slt i64 %v337, %end
br i1 %v338, label %loop1, label %end2
end2:
ret void
}

