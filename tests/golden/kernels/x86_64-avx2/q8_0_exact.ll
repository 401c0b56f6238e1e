; kernels for x86_64-avx2 | quant_mode=exact
; mir @q8_0_exact {
;   %0 = input("x1") : f32[3, 32]
;   %1 = param("w1", scheme=gguf_q8_0) : f32[32, 8]
;   %2 = matmul(%0, %1) : f32[3, 8]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @packed_matmul_1c709813(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
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
%s24 = alloca <8 x float>
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
%v4 = phi i64 [ %begin, %guard3 ], [ %v340, %end5 ]
store i64 0, ptr %s0
br label %head4
head4:
%v5 = load i64, ptr %s0
%v6 = sub i64 3, %v5
%v7 = call i64 @llvm.smin.i64(i64 %v6, i64 96)
%v8 = icmp slt i64 0, %v7
br i1 %v8, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v9 = phi i64 [ 0, %guard8 ], [ %v12, %loop6 ]
%v10 = add i64 %v5, %v9
%v11 = getelementptr i64, ptr %scratch, i64 %v9
store i64 %v10, ptr %v11, align 8
%v12 = add i64 %v9, 1
%v13 = icmp slt i64 %v12, %v7
br i1 %v13, label %loop6, label %end7
end7:
%v14 = add i64 %v5, %v7
store i64 %v14, ptr %s0
%v15 = icmp eq i64 %v7, 0
br i1 %v15, label %end5, label %next9
next9:
%v16 = load i64, ptr %scratch, align 8
%v17 = mul i64 %v16, 32
%v18 = getelementptr float, ptr %a0, i64 %v17
%v19 = mul i64 %v7, 16
%v20 = icmp slt i64 0, %v19
br i1 %v20, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v21 = phi i64 [ 0, %guard12 ], [ %v23, %loop10 ]
%v22 = getelementptr float, ptr %v2, i64 %v21
store <8 x float> splat (float 0x0000000000000000), ptr %v22, align 4
%v23 = add i64 %v21, 8
%v24 = icmp slt i64 %v23, %v19
br i1 %v24, label %loop10, label %end11
end11:
%v25 = load i64, ptr %scratch, align 8
%v26 = mul i64 %v25, 32
%v27 = getelementptr float, ptr %a0, i64 %v26
br i1 true, label %then13, label %else14
then13:
br label %loop16
loop16:
%v28 = phi i64 [ 0, %then13 ], [ %v30, %loop16 ]
%v29 = getelementptr float, ptr %v1, i64 %v28
store <8 x float> splat (float 0x0000000000000000), ptr %v29, align 4
%v30 = add i64 %v28, 8
%v31 = icmp slt i64 %v30, 512
br i1 %v31, label %loop16, label %end17
end17:
br label %end15
else14:
br label %end15
end15:
%v32 = mul i64 %v4, 272
%v33 = getelementptr i8, ptr %a1, i64 %v32
call void @floats_Q8_0_f32_16(ptr %v33, ptr %v1, i64 1)
%v34 = icmp eq i64 %v7, 1
br i1 %v34, label %then18, label %else19
then18:
store <8 x float> splat (float 0x0000000000000000), ptr %s5
store <8 x float> splat (float 0x0000000000000000), ptr %s6
store <8 x float> splat (float 0x0000000000000000), ptr %s7
store <8 x float> splat (float 0x0000000000000000), ptr %s8
store <8 x float> splat (float 0x0000000000000000), ptr %s9
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <8 x float> splat (float 0x0000000000000000), ptr %s11
store <8 x float> splat (float 0x0000000000000000), ptr %s12
br label %loop21
loop21:
%v35 = phi i64 [ 0, %then18 ], [ %v98, %loop21 ]
%v36 = mul i64 %v35, 16
%v37 = getelementptr float, ptr %v1, i64 %v36
%v38 = load <8 x float>, ptr %v37, align 4
%v39 = add i64 %v36, 8
%v40 = getelementptr float, ptr %v1, i64 %v39
%v41 = load <8 x float>, ptr %v40, align 4
%v42 = getelementptr float, ptr %v27, i64 %v35
%v43 = load float, ptr %v42, align 4
%v44 = insertelement <8 x float> poison, float %v43, i32 0
%v45 = shufflevector <8 x float> %v44, <8 x float> poison, <8 x i32> zeroinitializer
%v46 = load <8 x float>, ptr %s5
%v47 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v45, <8 x float> %v38, <8 x float> %v46)
store <8 x float> %v47, ptr %s5
%v48 = load <8 x float>, ptr %s9
%v49 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v45, <8 x float> %v41, <8 x float> %v48)
store <8 x float> %v49, ptr %s9
%v50 = mul i64 %v35, 16
%v51 = add i64 %v50, 16
%v52 = getelementptr float, ptr %v1, i64 %v51
%v53 = load <8 x float>, ptr %v52, align 4
%v54 = add i64 %v51, 8
%v55 = getelementptr float, ptr %v1, i64 %v54
%v56 = load <8 x float>, ptr %v55, align 4
%v57 = add i64 %v35, 1
%v58 = getelementptr float, ptr %v27, i64 %v57
%v59 = load float, ptr %v58, align 4
%v60 = insertelement <8 x float> poison, float %v59, i32 0
%v61 = shufflevector <8 x float> %v60, <8 x float> poison, <8 x i32> zeroinitializer
%v62 = load <8 x float>, ptr %s6
%v63 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v61, <8 x float> %v53, <8 x float> %v62)
store <8 x float> %v63, ptr %s6
%v64 = load <8 x float>, ptr %s10
%v65 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v61, <8 x float> %v56, <8 x float> %v64)
store <8 x float> %v65, ptr %s10
%v66 = mul i64 %v35, 16
%v67 = add i64 %v66, 32
%v68 = getelementptr float, ptr %v1, i64 %v67
%v69 = load <8 x float>, ptr %v68, align 4
%v70 = add i64 %v67, 8
%v71 = getelementptr float, ptr %v1, i64 %v70
%v72 = load <8 x float>, ptr %v71, align 4
%v73 = add i64 %v35, 2
%v74 = getelementptr float, ptr %v27, i64 %v73
%v75 = load float, ptr %v74, align 4
%v76 = insertelement <8 x float> poison, float %v75, i32 0
%v77 = shufflevector <8 x float> %v76, <8 x float> poison, <8 x i32> zeroinitializer
%v78 = load <8 x float>, ptr %s7
%v79 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v77, <8 x float> %v69, <8 x float> %v78)
store <8 x float> %v79, ptr %s7
%v80 = load <8 x float>, ptr %s11
%v81 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v77, <8 x float> %v72, <8 x float> %v80)
store <8 x float> %v81, ptr %s11
%v82 = mul i64 %v35, 16
%v83 = add i64 %v82, 48
%v84 = getelementptr float, ptr %v1, i64 %v83
%v85 = load <8 x float>, ptr %v84, align 4
%v86 = add i64 %v83, 8
%v87 = getelementptr float, ptr %v1, i64 %v86
%v88 = load <8 x float>, ptr %v87, align 4
%v89 = add i64 %v35, 3
%v90 = getelementptr float, ptr %v27, i64 %v89
%v91 = load float, ptr %v90, align 4
%v92 = insertelement <8 x float> poison, float %v91, i32 0
%v93 = shufflevector <8 x float> %v92, <8 x float> poison, <8 x i32> zeroinitializer
%v94 = load <8 x float>, ptr %s8
%v95 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v93, <8 x float> %v85, <8 x float> %v94)
store <8 x float> %v95, ptr %s8
%v96 = load <8 x float>, ptr %s12
%v97 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v93, <8 x float> %v88, <8 x float> %v96)
store <8 x float> %v97, ptr %s12
%v98 = add i64 %v35, 4
%v99 = icmp slt i64 %v98, 32
br i1 %v99, label %loop21, label %end22
end22:
%v100 = load <8 x float>, ptr %s5
%v101 = load <8 x float>, ptr %s6
%v102 = load <8 x float>, ptr %s7
%v103 = load <8 x float>, ptr %s8
%v104 = fadd <8 x float> %v100, %v101
%v105 = fadd <8 x float> %v102, %v103
%v106 = fadd <8 x float> %v104, %v105
%v107 = load <8 x float>, ptr %s9
%v108 = load <8 x float>, ptr %s10
%v109 = load <8 x float>, ptr %s11
%v110 = load <8 x float>, ptr %s12
%v111 = fadd <8 x float> %v107, %v108
%v112 = fadd <8 x float> %v109, %v110
%v113 = fadd <8 x float> %v111, %v112
%v114 = load <8 x float>, ptr %v2, align 4
%v115 = fadd <8 x float> %v114, %v106
store <8 x float> %v115, ptr %v2, align 4
%v116 = getelementptr float, ptr %v2, i64 8
%v117 = load <8 x float>, ptr %v116, align 4
%v118 = fadd <8 x float> %v117, %v113
%v119 = getelementptr float, ptr %v2, i64 8
store <8 x float> %v118, ptr %v119, align 4
br label %end20
else19:
%v120 = icmp slt i64 0, %v7
br i1 %v120, label %guard25, label %end24
guard25:
br label %loop23
loop23:
%v121 = phi i64 [ 0, %guard25 ], [ %v322, %end27 ]
%v122 = mul i64 %v121, 32
%v123 = getelementptr float, ptr %v27, i64 %v122
%v124 = mul i64 %v121, 16
%v125 = getelementptr float, ptr %v2, i64 %v124
%v126 = sub i64 %v7, 1
%v127 = sub i64 %v126, %v121
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
store <8 x float> splat (float 0x0000000000000000), ptr %s24
%v128 = call i64 @llvm.smin.i64(i64 0, i64 %v127)
%v129 = mul i64 32, %v128
%v130 = getelementptr float, ptr %v123, i64 %v129
%v131 = call i64 @llvm.smin.i64(i64 1, i64 %v127)
%v132 = mul i64 32, %v131
%v133 = getelementptr float, ptr %v123, i64 %v132
%v134 = call i64 @llvm.smin.i64(i64 2, i64 %v127)
%v135 = mul i64 32, %v134
%v136 = getelementptr float, ptr %v123, i64 %v135
%v137 = call i64 @llvm.smin.i64(i64 3, i64 %v127)
%v138 = mul i64 32, %v137
%v139 = getelementptr float, ptr %v123, i64 %v138
%v140 = call i64 @llvm.smin.i64(i64 4, i64 %v127)
%v141 = mul i64 32, %v140
%v142 = getelementptr float, ptr %v123, i64 %v141
%v143 = call i64 @llvm.smin.i64(i64 5, i64 %v127)
%v144 = mul i64 32, %v143
%v145 = getelementptr float, ptr %v123, i64 %v144
br label %loop26
loop26:
%v146 = phi i64 [ 0, %loop23 ], [ %v262, %loop26 ]
%v147 = mul i64 %v146, 16
%v148 = getelementptr float, ptr %v1, i64 %v147
%v149 = load <8 x float>, ptr %v148, align 4
%v150 = add i64 %v147, 8
%v151 = getelementptr float, ptr %v1, i64 %v150
%v152 = load <8 x float>, ptr %v151, align 4
%v153 = getelementptr float, ptr %v130, i64 %v146
%v154 = load float, ptr %v153, align 4
%v155 = insertelement <8 x float> poison, float %v154, i32 0
%v156 = shufflevector <8 x float> %v155, <8 x float> poison, <8 x i32> zeroinitializer
%v157 = load <8 x float>, ptr %s13
%v158 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v156, <8 x float> %v149, <8 x float> %v157)
store <8 x float> %v158, ptr %s13
%v159 = load <8 x float>, ptr %s14
%v160 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v156, <8 x float> %v152, <8 x float> %v159)
store <8 x float> %v160, ptr %s14
%v161 = getelementptr float, ptr %v133, i64 %v146
%v162 = load float, ptr %v161, align 4
%v163 = insertelement <8 x float> poison, float %v162, i32 0
%v164 = shufflevector <8 x float> %v163, <8 x float> poison, <8 x i32> zeroinitializer
%v165 = load <8 x float>, ptr %s15
%v166 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v164, <8 x float> %v149, <8 x float> %v165)
store <8 x float> %v166, ptr %s15
%v167 = load <8 x float>, ptr %s16
%v168 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v164, <8 x float> %v152, <8 x float> %v167)
store <8 x float> %v168, ptr %s16
%v169 = getelementptr float, ptr %v136, i64 %v146
%v170 = load float, ptr %v169, align 4
%v171 = insertelement <8 x float> poison, float %v170, i32 0
%v172 = shufflevector <8 x float> %v171, <8 x float> poison, <8 x i32> zeroinitializer
%v173 = load <8 x float>, ptr %s17
%v174 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v172, <8 x float> %v149, <8 x float> %v173)
store <8 x float> %v174, ptr %s17
%v175 = load <8 x float>, ptr %s18
%v176 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v172, <8 x float> %v152, <8 x float> %v175)
store <8 x float> %v176, ptr %s18
%v177 = getelementptr float, ptr %v139, i64 %v146
%v178 = load float, ptr %v177, align 4
%v179 = insertelement <8 x float> poison, float %v178, i32 0
%v180 = shufflevector <8 x float> %v179, <8 x float> poison, <8 x i32> zeroinitializer
%v181 = load <8 x float>, ptr %s19
%v182 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v180, <8 x float> %v149, <8 x float> %v181)
store <8 x float> %v182, ptr %s19
%v183 = load <8 x float>, ptr %s20
%v184 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v180, <8 x float> %v152, <8 x float> %v183)
store <8 x float> %v184, ptr %s20
%v185 = getelementptr float, ptr %v142, i64 %v146
%v186 = load float, ptr %v185, align 4
%v187 = insertelement <8 x float> poison, float %v186, i32 0
%v188 = shufflevector <8 x float> %v187, <8 x float> poison, <8 x i32> zeroinitializer
%v189 = load <8 x float>, ptr %s21
%v190 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v188, <8 x float> %v149, <8 x float> %v189)
store <8 x float> %v190, ptr %s21
%v191 = load <8 x float>, ptr %s22
%v192 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v188, <8 x float> %v152, <8 x float> %v191)
store <8 x float> %v192, ptr %s22
%v193 = getelementptr float, ptr %v145, i64 %v146
%v194 = load float, ptr %v193, align 4
%v195 = insertelement <8 x float> poison, float %v194, i32 0
%v196 = shufflevector <8 x float> %v195, <8 x float> poison, <8 x i32> zeroinitializer
%v197 = load <8 x float>, ptr %s23
%v198 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v196, <8 x float> %v149, <8 x float> %v197)
store <8 x float> %v198, ptr %s23
%v199 = load <8 x float>, ptr %s24
%v200 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v196, <8 x float> %v152, <8 x float> %v199)
store <8 x float> %v200, ptr %s24
%v201 = mul i64 %v146, 16
%v202 = add i64 %v201, 16
%v203 = getelementptr float, ptr %v1, i64 %v202
%v204 = load <8 x float>, ptr %v203, align 4
%v205 = add i64 %v202, 8
%v206 = getelementptr float, ptr %v1, i64 %v205
%v207 = load <8 x float>, ptr %v206, align 4
%v208 = add i64 %v146, 1
%v209 = getelementptr float, ptr %v130, i64 %v208
%v210 = load float, ptr %v209, align 4
%v211 = insertelement <8 x float> poison, float %v210, i32 0
%v212 = shufflevector <8 x float> %v211, <8 x float> poison, <8 x i32> zeroinitializer
%v213 = load <8 x float>, ptr %s13
%v214 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v212, <8 x float> %v204, <8 x float> %v213)
store <8 x float> %v214, ptr %s13
%v215 = load <8 x float>, ptr %s14
%v216 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v212, <8 x float> %v207, <8 x float> %v215)
store <8 x float> %v216, ptr %s14
%v217 = add i64 %v146, 1
%v218 = getelementptr float, ptr %v133, i64 %v217
%v219 = load float, ptr %v218, align 4
%v220 = insertelement <8 x float> poison, float %v219, i32 0
%v221 = shufflevector <8 x float> %v220, <8 x float> poison, <8 x i32> zeroinitializer
%v222 = load <8 x float>, ptr %s15
%v223 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v221, <8 x float> %v204, <8 x float> %v222)
store <8 x float> %v223, ptr %s15
%v224 = load <8 x float>, ptr %s16
%v225 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v221, <8 x float> %v207, <8 x float> %v224)
store <8 x float> %v225, ptr %s16
%v226 = add i64 %v146, 1
%v227 = getelementptr float, ptr %v136, i64 %v226
%v228 = load float, ptr %v227, align 4
%v229 = insertelement <8 x float> poison, float %v228, i32 0
%v230 = shufflevector <8 x float> %v229, <8 x float> poison, <8 x i32> zeroinitializer
%v231 = load <8 x float>, ptr %s17
%v232 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v230, <8 x float> %v204, <8 x float> %v231)
store <8 x float> %v232, ptr %s17
%v233 = load <8 x float>, ptr %s18
%v234 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v230, <8 x float> %v207, <8 x float> %v233)
store <8 x float> %v234, ptr %s18
%v235 = add i64 %v146, 1
%v236 = getelementptr float, ptr %v139, i64 %v235
%v237 = load float, ptr %v236, align 4
%v238 = insertelement <8 x float> poison, float %v237, i32 0
%v239 = shufflevector <8 x float> %v238, <8 x float> poison, <8 x i32> zeroinitializer
%v240 = load <8 x float>, ptr %s19
%v241 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v239, <8 x float> %v204, <8 x float> %v240)
store <8 x float> %v241, ptr %s19
%v242 = load <8 x float>, ptr %s20
%v243 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v239, <8 x float> %v207, <8 x float> %v242)
store <8 x float> %v243, ptr %s20
%v244 = add i64 %v146, 1
%v245 = getelementptr float, ptr %v142, i64 %v244
%v246 = load float, ptr %v245, align 4
%v247 = insertelement <8 x float> poison, float %v246, i32 0
%v248 = shufflevector <8 x float> %v247, <8 x float> poison, <8 x i32> zeroinitializer
%v249 = load <8 x float>, ptr %s21
%v250 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v248, <8 x float> %v204, <8 x float> %v249)
store <8 x float> %v250, ptr %s21
%v251 = load <8 x float>, ptr %s22
%v252 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v248, <8 x float> %v207, <8 x float> %v251)
store <8 x float> %v252, ptr %s22
%v253 = add i64 %v146, 1
%v254 = getelementptr float, ptr %v145, i64 %v253
%v255 = load float, ptr %v254, align 4
%v256 = insertelement <8 x float> poison, float %v255, i32 0
%v257 = shufflevector <8 x float> %v256, <8 x float> poison, <8 x i32> zeroinitializer
%v258 = load <8 x float>, ptr %s23
%v259 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v257, <8 x float> %v204, <8 x float> %v258)
store <8 x float> %v259, ptr %s23
%v260 = load <8 x float>, ptr %s24
%v261 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v257, <8 x float> %v207, <8 x float> %v260)
store <8 x float> %v261, ptr %s24
%v262 = add i64 %v146, 2
%v263 = icmp slt i64 %v262, 32
br i1 %v263, label %loop26, label %end27
end27:
%v264 = load <8 x float>, ptr %s13
%v265 = load <8 x float>, ptr %s14
%v266 = load <8 x float>, ptr %s15
%v267 = load <8 x float>, ptr %s16
%v268 = load <8 x float>, ptr %s17
%v269 = load <8 x float>, ptr %s18
%v270 = load <8 x float>, ptr %s19
%v271 = load <8 x float>, ptr %s20
%v272 = load <8 x float>, ptr %s21
%v273 = load <8 x float>, ptr %s22
%v274 = load <8 x float>, ptr %s23
%v275 = load <8 x float>, ptr %s24
%v276 = load <8 x float>, ptr %v125, align 4
%v277 = fadd <8 x float> %v276, %v264
store <8 x float> %v277, ptr %v125, align 4
%v278 = getelementptr float, ptr %v125, i64 8
%v279 = load <8 x float>, ptr %v278, align 4
%v280 = fadd <8 x float> %v279, %v265
%v281 = getelementptr float, ptr %v125, i64 8
store <8 x float> %v280, ptr %v281, align 4
%v282 = getelementptr float, ptr %v125, i64 16
%v283 = load <8 x float>, ptr %v282, align 4
%v284 = fadd <8 x float> %v283, %v266
%v285 = getelementptr float, ptr %v125, i64 16
store <8 x float> %v284, ptr %v285, align 4
%v286 = getelementptr float, ptr %v125, i64 24
%v287 = load <8 x float>, ptr %v286, align 4
%v288 = fadd <8 x float> %v287, %v267
%v289 = getelementptr float, ptr %v125, i64 24
store <8 x float> %v288, ptr %v289, align 4
%v290 = getelementptr float, ptr %v125, i64 32
%v291 = load <8 x float>, ptr %v290, align 4
%v292 = fadd <8 x float> %v291, %v268
%v293 = getelementptr float, ptr %v125, i64 32
store <8 x float> %v292, ptr %v293, align 4
%v294 = getelementptr float, ptr %v125, i64 40
%v295 = load <8 x float>, ptr %v294, align 4
%v296 = fadd <8 x float> %v295, %v269
%v297 = getelementptr float, ptr %v125, i64 40
store <8 x float> %v296, ptr %v297, align 4
%v298 = getelementptr float, ptr %v125, i64 48
%v299 = load <8 x float>, ptr %v298, align 4
%v300 = fadd <8 x float> %v299, %v270
%v301 = getelementptr float, ptr %v125, i64 48
store <8 x float> %v300, ptr %v301, align 4
%v302 = getelementptr float, ptr %v125, i64 56
%v303 = load <8 x float>, ptr %v302, align 4
%v304 = fadd <8 x float> %v303, %v271
%v305 = getelementptr float, ptr %v125, i64 56
store <8 x float> %v304, ptr %v305, align 4
%v306 = getelementptr float, ptr %v125, i64 64
%v307 = load <8 x float>, ptr %v306, align 4
%v308 = fadd <8 x float> %v307, %v272
%v309 = getelementptr float, ptr %v125, i64 64
store <8 x float> %v308, ptr %v309, align 4
%v310 = getelementptr float, ptr %v125, i64 72
%v311 = load <8 x float>, ptr %v310, align 4
%v312 = fadd <8 x float> %v311, %v273
%v313 = getelementptr float, ptr %v125, i64 72
store <8 x float> %v312, ptr %v313, align 4
%v314 = getelementptr float, ptr %v125, i64 80
%v315 = load <8 x float>, ptr %v314, align 4
%v316 = fadd <8 x float> %v315, %v274
%v317 = getelementptr float, ptr %v125, i64 80
store <8 x float> %v316, ptr %v317, align 4
%v318 = getelementptr float, ptr %v125, i64 88
%v319 = load <8 x float>, ptr %v318, align 4
%v320 = fadd <8 x float> %v319, %v275
%v321 = getelementptr float, ptr %v125, i64 88
store <8 x float> %v320, ptr %v321, align 4
%v322 = add i64 %v121, 6
%v323 = icmp slt i64 %v322, %v7
br i1 %v323, label %loop23, label %end24
end24:
br label %end20
end20:
%v324 = icmp slt i64 0, %v7
br i1 %v324, label %guard30, label %end29
guard30:
br label %loop28
loop28:
%v325 = phi i64 [ 0, %guard30 ], [ %v338, %end32 ]
%v326 = getelementptr i64, ptr %scratch, i64 %v325
%v327 = load i64, ptr %v326, align 8
%v328 = mul i64 %v327, 8
br label %loop31
loop31:
%v329 = phi i64 [ 0, %loop28 ], [ %v336, %loop31 ]
%v330 = mul i64 %v325, 16
%v331 = add i64 %v330, %v329
%v332 = getelementptr float, ptr %v2, i64 %v331
%v333 = load float, ptr %v332, align 4
%v334 = add i64 %v328, %v329
%v335 = getelementptr float, ptr %a2, i64 %v334
store float %v333, ptr %v335, align 4
%v336 = add i64 %v329, 1
%v337 = icmp slt i64 %v336, 8
br i1 %v337, label %loop31, label %end32
end32:
%v338 = add i64 %v325, 1
%v339 = icmp slt i64 %v338, %v7
br i1 %v339, label %loop28, label %end29
end29:
br label %head4
end5:
%v340 = add i64 %v4, 1
%v341 = icmp slt i64 %v340, %end
br i1 %v341, label %loop1, label %end2
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

