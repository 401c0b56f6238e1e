; kernels for x86_64-avx2
; mir @sample {
;   %0 = input("x1") : f32[2, 50]
;   %1 = input("x2") : u32[2]
;   %2 = input("x3") : u64[]
;   %3 = constant([0.75]) : f32[]
;   %4 = constant([0.875]) : f32[]
;   %5 = sample(%0, %1, %2, %3, _, %4) : i32[2]
;   return y1=%5
; }

declare <8 x i32> @llvm.smax.v8i32(<8 x i32>, <8 x i32>)
declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>)
declare <2 x i32> @llvm.smax.v2i32(<2 x i32>, <2 x i32>)
declare <1 x i32> @llvm.smax.v1i32(<1 x i32>, <1 x i32>)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.cttz.i32(i32, i1)
declare <4 x double> @llvm.fma.v4f64(<4 x double>, <4 x double>, <4 x double>)
declare double @llvm.fma.f64(double, double, double)

define void @sample_e01ad4ab(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 2
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 5
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 0
%a3 = load ptr, ptr %a3.p, align 8
%s8 = alloca <8 x i32>
%s9 = alloca <8 x i32>
%s10 = alloca <8 x i32>
%s11 = alloca <8 x i32>
%s12 = alloca i32
%s13 = alloca i64
%s14 = alloca i32
%s15 = alloca i64
%a4.p = getelementptr i64, ptr %args, i64 3
%a4 = load ptr, ptr %a4.p, align 8
%a5.p = getelementptr i64, ptr %args, i64 4
%a5 = load ptr, ptr %a5.p, align 8
%s20 = alloca i64
%s21 = alloca i32
%s22 = alloca i64
%s23 = alloca i64
%s24 = alloca double
%s25 = alloca double
%s26 = alloca i64
%s27 = alloca i64
%s28 = alloca double
%s29 = alloca double
%s30 = alloca i64
%s31 = alloca i64
%s32 = alloca i64
%s33 = alloca i32
%s34 = alloca i64
%s35 = alloca double
%s36 = alloca double
%s37 = alloca double
%s38 = alloca double
%s39 = alloca i64
%s40 = alloca i64
%s41 = alloca i64
%s42 = alloca double
%s43 = alloca i64
%s44 = alloca i64
%s45 = alloca i64
%s46 = alloca double
%s47 = alloca double
%s48 = alloca i64
%s49 = alloca double
%s50 = alloca double
%s51 = alloca i64
%s52 = alloca double
%s53 = alloca double
%s54 = alloca i64
%v0 = load i32, ptr %a0, align 4
%v1 = getelementptr i32, ptr %a0, i64 1
%v2 = load i32, ptr %v1, align 4
%v3 = load i32, ptr %a1, align 4
%v4 = getelementptr i32, ptr %a1, i64 1
%v5 = load i32, ptr %v4, align 4
%v6 = getelementptr i8, ptr %scratch, i64 256
%v7 = getelementptr i8, ptr %v6, i64 1024
%v8 = getelementptr i8, ptr %v7, i64 512
%v9 = icmp slt i64 %begin, %end
br i1 %v9, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v10 = phi i64 [ %begin, %guard3 ], [ %v1073, %end20 ]
%v11 = mul i64 %v10, 50
%v12 = getelementptr float, ptr %a3, i64 %v11
store <8 x i32> splat (i32 -2147483648), ptr %s8
store <8 x i32> splat (i32 -2147483648), ptr %s9
store <8 x i32> splat (i32 -2147483648), ptr %s10
store <8 x i32> splat (i32 -2147483648), ptr %s11
%v13 = load <8 x float>, ptr %v12, align 4
%v14 = fadd <8 x float> %v13, splat (float 0x0000000000000000)
%v15 = bitcast <8 x float> %v14 to <8 x i32>
%v16 = ashr <8 x i32> %v15, splat (i32 31)
%v17 = and <8 x i32> %v16, splat (i32 2147483647)
%v18 = xor <8 x i32> %v15, %v17
%v19 = fcmp uno <8 x float> %v13, %v13
%v20 = select <8 x i1> %v19, <8 x i32> splat (i32 2147483647), <8 x i32> %v18
%v21 = load <8 x i32>, ptr %s8
%v22 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v20, <8 x i32> %v21)
store <8 x i32> %v22, ptr %s8
%v23 = getelementptr float, ptr %v12, i64 8
%v24 = load <8 x float>, ptr %v23, align 4
%v25 = fadd <8 x float> %v24, splat (float 0x0000000000000000)
%v26 = bitcast <8 x float> %v25 to <8 x i32>
%v27 = ashr <8 x i32> %v26, splat (i32 31)
%v28 = and <8 x i32> %v27, splat (i32 2147483647)
%v29 = xor <8 x i32> %v26, %v28
%v30 = fcmp uno <8 x float> %v24, %v24
%v31 = select <8 x i1> %v30, <8 x i32> splat (i32 2147483647), <8 x i32> %v29
%v32 = load <8 x i32>, ptr %s9
%v33 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v31, <8 x i32> %v32)
store <8 x i32> %v33, ptr %s9
%v34 = getelementptr float, ptr %v12, i64 16
%v35 = load <8 x float>, ptr %v34, align 4
%v36 = fadd <8 x float> %v35, splat (float 0x0000000000000000)
%v37 = bitcast <8 x float> %v36 to <8 x i32>
%v38 = ashr <8 x i32> %v37, splat (i32 31)
%v39 = and <8 x i32> %v38, splat (i32 2147483647)
%v40 = xor <8 x i32> %v37, %v39
%v41 = fcmp uno <8 x float> %v35, %v35
%v42 = select <8 x i1> %v41, <8 x i32> splat (i32 2147483647), <8 x i32> %v40
%v43 = load <8 x i32>, ptr %s10
%v44 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v42, <8 x i32> %v43)
store <8 x i32> %v44, ptr %s10
%v45 = getelementptr float, ptr %v12, i64 24
%v46 = load <8 x float>, ptr %v45, align 4
%v47 = fadd <8 x float> %v46, splat (float 0x0000000000000000)
%v48 = bitcast <8 x float> %v47 to <8 x i32>
%v49 = ashr <8 x i32> %v48, splat (i32 31)
%v50 = and <8 x i32> %v49, splat (i32 2147483647)
%v51 = xor <8 x i32> %v48, %v50
%v52 = fcmp uno <8 x float> %v46, %v46
%v53 = select <8 x i1> %v52, <8 x i32> splat (i32 2147483647), <8 x i32> %v51
%v54 = load <8 x i32>, ptr %s11
%v55 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v53, <8 x i32> %v54)
store <8 x i32> %v55, ptr %s11
br label %loop4
loop4:
%v56 = phi i64 [ 32, %loop1 ], [ %v68, %loop4 ]
%v57 = getelementptr float, ptr %v12, i64 %v56
%v58 = load <8 x float>, ptr %v57, align 4
%v59 = fadd <8 x float> %v58, splat (float 0x0000000000000000)
%v60 = bitcast <8 x float> %v59 to <8 x i32>
%v61 = ashr <8 x i32> %v60, splat (i32 31)
%v62 = and <8 x i32> %v61, splat (i32 2147483647)
%v63 = xor <8 x i32> %v60, %v62
%v64 = fcmp uno <8 x float> %v58, %v58
%v65 = select <8 x i1> %v64, <8 x i32> splat (i32 2147483647), <8 x i32> %v63
%v66 = load <8 x i32>, ptr %s8
%v67 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v65, <8 x i32> %v66)
store <8 x i32> %v67, ptr %s8
%v68 = add i64 %v56, 8
%v69 = icmp slt i64 %v68, 48
br i1 %v69, label %loop4, label %end5
end5:
%v70 = load <8 x i32>, ptr %s8
%v71 = load <8 x i32>, ptr %s9
%v72 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v70, <8 x i32> %v71)
%v73 = load <8 x i32>, ptr %s10
%v74 = load <8 x i32>, ptr %s11
%v75 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v73, <8 x i32> %v74)
%v76 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v72, <8 x i32> %v75)
%v77 = shufflevector <8 x i32> %v76, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v78 = shufflevector <8 x i32> %v76, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v79 = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %v77, <4 x i32> %v78)
%v80 = shufflevector <4 x i32> %v79, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
%v81 = shufflevector <4 x i32> %v79, <4 x i32> poison, <2 x i32> <i32 2, i32 3>
%v82 = call <2 x i32> @llvm.smax.v2i32(<2 x i32> %v80, <2 x i32> %v81)
%v83 = shufflevector <2 x i32> %v82, <2 x i32> poison, <1 x i32> <i32 0>
%v84 = shufflevector <2 x i32> %v82, <2 x i32> poison, <1 x i32> <i32 1>
%v85 = call <1 x i32> @llvm.smax.v1i32(<1 x i32> %v83, <1 x i32> %v84)
%v86 = extractelement <1 x i32> %v85, i64 0
store i32 %v86, ptr %s12
br label %loop6
loop6:
%v87 = phi i64 [ 48, %end5 ], [ %v99, %loop6 ]
%v88 = getelementptr float, ptr %v12, i64 %v87
%v89 = load float, ptr %v88, align 4
%v90 = fadd float %v89, 0x0000000000000000
%v91 = bitcast float %v90 to i32
%v92 = ashr i32 %v91, 31
%v93 = and i32 %v92, 2147483647
%v94 = xor i32 %v91, %v93
%v95 = fcmp uno float %v89, %v89
%v96 = select i1 %v95, i32 2147483647, i32 %v94
%v97 = load i32, ptr %s12
%v98 = call i32 @llvm.smax.i32(i32 %v96, i32 %v97)
store i32 %v98, ptr %s12
%v99 = add i64 %v87, 1
%v100 = icmp slt i64 %v99, 50
br i1 %v100, label %loop6, label %end7
end7:
%v101 = load i32, ptr %s12
store i64 0, ptr %s13
store i32 0, ptr %s14
br label %head8
head8:
%v102 = load i64, ptr %s13
%v103 = icmp sge i64 %v102, 48
br i1 %v103, label %end9, label %next10
next10:
%v104 = load i64, ptr %s13
%v105 = getelementptr float, ptr %v12, i64 %v104
%v106 = load <8 x float>, ptr %v105, align 4
%v107 = fadd <8 x float> %v106, splat (float 0x0000000000000000)
%v108 = bitcast <8 x float> %v107 to <8 x i32>
%v109 = ashr <8 x i32> %v108, splat (i32 31)
%v110 = and <8 x i32> %v109, splat (i32 2147483647)
%v111 = xor <8 x i32> %v108, %v110
%v112 = fcmp uno <8 x float> %v106, %v106
%v113 = select <8 x i1> %v112, <8 x i32> splat (i32 2147483647), <8 x i32> %v111
%v114 = insertelement <8 x i32> poison, i32 %v101, i32 0
%v115 = shufflevector <8 x i32> %v114, <8 x i32> poison, <8 x i32> zeroinitializer
%v116 = icmp eq <8 x i32> %v113, %v115
%v117 = bitcast <8 x i1> %v116 to i8
%v118 = zext i8 %v117 to i32
store i32 %v118, ptr %s14
%v119 = load i32, ptr %s14
%v120 = icmp ne i32 %v119, 0
br i1 %v120, label %end9, label %next11
next11:
%v121 = load i64, ptr %s13
%v122 = add i64 %v121, 8
store i64 %v122, ptr %s13
br label %head8
end9:
%v123 = load i32, ptr %s14
%v124 = icmp ne i32 %v123, 0
br i1 %v124, label %then12, label %else13
then12:
%v125 = load i64, ptr %s13
%v126 = load i32, ptr %s14
%v127 = call i32 @llvm.cttz.i32(i32 %v126, i1 false)
%v128 = sext i32 %v127 to i64
%v129 = add i64 %v125, %v128
store i64 %v129, ptr %s13
br label %end14
else13:
br label %head15
head15:
%v130 = load i64, ptr %s13
%v131 = getelementptr float, ptr %v12, i64 %v130
%v132 = load float, ptr %v131, align 4
%v133 = fadd float %v132, 0x0000000000000000
%v134 = bitcast float %v133 to i32
%v135 = ashr i32 %v134, 31
%v136 = and i32 %v135, 2147483647
%v137 = xor i32 %v134, %v136
%v138 = fcmp uno float %v132, %v132
%v139 = select i1 %v138, i32 2147483647, i32 %v137
%v140 = icmp eq i32 %v139, %v101
br i1 %v140, label %end16, label %next17
next17:
%v141 = load i64, ptr %s13
%v142 = add i64 %v141, 1
store i64 %v142, ptr %s13
br label %head15
end16:
br label %end14
end14:
%v143 = load i64, ptr %s13
store i64 %v143, ptr %s15
%v144 = load float, ptr %a4, align 4
%v145 = fpext float %v144 to double
%v146 = fcmp ogt double %v145, 0x0000000000000000
br i1 %v146, label %then18, label %else19
then18:
%v147 = load i64, ptr %s15
%v148 = getelementptr float, ptr %v12, i64 %v147
%v149 = load float, ptr %v148, align 4
%v150 = fpext float %v149 to double
%v151 = ashr i64 %v10, 2
%v152 = trunc i64 %v151 to i32
%v153 = zext i32 %v3 to i64
%v154 = zext i32 -845247145 to i64
%v155 = mul i64 %v153, %v154
%v156 = lshr i64 %v155, 32
%v157 = trunc i64 %v156 to i32
%v158 = xor i32 %v157, %v0
%v159 = zext i32 %v152 to i64
%v160 = zext i32 -766435501 to i64
%v161 = mul i64 %v159, %v160
%v162 = lshr i64 %v161, 32
%v163 = trunc i64 %v162 to i32
%v164 = xor i32 %v163, %v5
%v165 = xor i32 %v164, %v2
%v166 = mul i32 %v3, -845247145
%v167 = mul i32 %v152, -766435501
%v168 = add i32 %v0, -1640531527
%v169 = add i32 %v2, -1150833019
%v170 = zext i32 %v165 to i64
%v171 = zext i32 -845247145 to i64
%v172 = mul i64 %v170, %v171
%v173 = lshr i64 %v172, 32
%v174 = trunc i64 %v173 to i32
%v175 = xor i32 %v174, %v166
%v176 = xor i32 %v175, %v168
%v177 = zext i32 %v158 to i64
%v178 = zext i32 -766435501 to i64
%v179 = mul i64 %v177, %v178
%v180 = lshr i64 %v179, 32
%v181 = trunc i64 %v180 to i32
%v182 = xor i32 %v181, %v167
%v183 = xor i32 %v182, %v169
%v184 = mul i32 %v165, -845247145
%v185 = mul i32 %v158, -766435501
%v186 = add i32 %v168, -1640531527
%v187 = add i32 %v169, -1150833019
%v188 = zext i32 %v183 to i64
%v189 = zext i32 -845247145 to i64
%v190 = mul i64 %v188, %v189
%v191 = lshr i64 %v190, 32
%v192 = trunc i64 %v191 to i32
%v193 = xor i32 %v192, %v184
%v194 = xor i32 %v193, %v186
%v195 = zext i32 %v176 to i64
%v196 = zext i32 -766435501 to i64
%v197 = mul i64 %v195, %v196
%v198 = lshr i64 %v197, 32
%v199 = trunc i64 %v198 to i32
%v200 = xor i32 %v199, %v185
%v201 = xor i32 %v200, %v187
%v202 = mul i32 %v183, -845247145
%v203 = mul i32 %v176, -766435501
%v204 = add i32 %v186, -1640531527
%v205 = add i32 %v187, -1150833019
%v206 = zext i32 %v201 to i64
%v207 = zext i32 -845247145 to i64
%v208 = mul i64 %v206, %v207
%v209 = lshr i64 %v208, 32
%v210 = trunc i64 %v209 to i32
%v211 = xor i32 %v210, %v202
%v212 = xor i32 %v211, %v204
%v213 = zext i32 %v194 to i64
%v214 = zext i32 -766435501 to i64
%v215 = mul i64 %v213, %v214
%v216 = lshr i64 %v215, 32
%v217 = trunc i64 %v216 to i32
%v218 = xor i32 %v217, %v203
%v219 = xor i32 %v218, %v205
%v220 = mul i32 %v201, -845247145
%v221 = mul i32 %v194, -766435501
%v222 = add i32 %v204, -1640531527
%v223 = add i32 %v205, -1150833019
%v224 = zext i32 %v219 to i64
%v225 = zext i32 -845247145 to i64
%v226 = mul i64 %v224, %v225
%v227 = lshr i64 %v226, 32
%v228 = trunc i64 %v227 to i32
%v229 = xor i32 %v228, %v220
%v230 = xor i32 %v229, %v222
%v231 = zext i32 %v212 to i64
%v232 = zext i32 -766435501 to i64
%v233 = mul i64 %v231, %v232
%v234 = lshr i64 %v233, 32
%v235 = trunc i64 %v234 to i32
%v236 = xor i32 %v235, %v221
%v237 = xor i32 %v236, %v223
%v238 = mul i32 %v219, -845247145
%v239 = mul i32 %v212, -766435501
%v240 = add i32 %v222, -1640531527
%v241 = add i32 %v223, -1150833019
%v242 = zext i32 %v237 to i64
%v243 = zext i32 -845247145 to i64
%v244 = mul i64 %v242, %v243
%v245 = lshr i64 %v244, 32
%v246 = trunc i64 %v245 to i32
%v247 = xor i32 %v246, %v238
%v248 = xor i32 %v247, %v240
%v249 = zext i32 %v230 to i64
%v250 = zext i32 -766435501 to i64
%v251 = mul i64 %v249, %v250
%v252 = lshr i64 %v251, 32
%v253 = trunc i64 %v252 to i32
%v254 = xor i32 %v253, %v239
%v255 = xor i32 %v254, %v241
%v256 = mul i32 %v237, -845247145
%v257 = mul i32 %v230, -766435501
%v258 = add i32 %v240, -1640531527
%v259 = add i32 %v241, -1150833019
%v260 = zext i32 %v255 to i64
%v261 = zext i32 -845247145 to i64
%v262 = mul i64 %v260, %v261
%v263 = lshr i64 %v262, 32
%v264 = trunc i64 %v263 to i32
%v265 = xor i32 %v264, %v256
%v266 = xor i32 %v265, %v258
%v267 = zext i32 %v248 to i64
%v268 = zext i32 -766435501 to i64
%v269 = mul i64 %v267, %v268
%v270 = lshr i64 %v269, 32
%v271 = trunc i64 %v270 to i32
%v272 = xor i32 %v271, %v257
%v273 = xor i32 %v272, %v259
%v274 = mul i32 %v255, -845247145
%v275 = mul i32 %v248, -766435501
%v276 = add i32 %v258, -1640531527
%v277 = add i32 %v259, -1150833019
%v278 = zext i32 %v273 to i64
%v279 = zext i32 -845247145 to i64
%v280 = mul i64 %v278, %v279
%v281 = lshr i64 %v280, 32
%v282 = trunc i64 %v281 to i32
%v283 = xor i32 %v282, %v274
%v284 = xor i32 %v283, %v276
%v285 = zext i32 %v266 to i64
%v286 = zext i32 -766435501 to i64
%v287 = mul i64 %v285, %v286
%v288 = lshr i64 %v287, 32
%v289 = trunc i64 %v288 to i32
%v290 = xor i32 %v289, %v275
%v291 = xor i32 %v290, %v277
%v292 = mul i32 %v273, -845247145
%v293 = mul i32 %v266, -766435501
%v294 = add i32 %v276, -1640531527
%v295 = add i32 %v277, -1150833019
%v296 = zext i32 %v291 to i64
%v297 = zext i32 -845247145 to i64
%v298 = mul i64 %v296, %v297
%v299 = lshr i64 %v298, 32
%v300 = trunc i64 %v299 to i32
%v301 = xor i32 %v300, %v292
%v302 = xor i32 %v301, %v294
%v303 = zext i32 %v284 to i64
%v304 = zext i32 -766435501 to i64
%v305 = mul i64 %v303, %v304
%v306 = lshr i64 %v305, 32
%v307 = trunc i64 %v306 to i32
%v308 = xor i32 %v307, %v293
%v309 = xor i32 %v308, %v295
%v310 = mul i32 %v291, -845247145
%v311 = mul i32 %v284, -766435501
%v312 = add i32 %v294, -1640531527
%v313 = add i32 %v295, -1150833019
%v314 = zext i32 %v309 to i64
%v315 = zext i32 -845247145 to i64
%v316 = mul i64 %v314, %v315
%v317 = lshr i64 %v316, 32
%v318 = trunc i64 %v317 to i32
%v319 = xor i32 %v318, %v310
%v320 = xor i32 %v319, %v312
%v321 = zext i32 %v302 to i64
%v322 = zext i32 -766435501 to i64
%v323 = mul i64 %v321, %v322
%v324 = lshr i64 %v323, 32
%v325 = trunc i64 %v324 to i32
%v326 = xor i32 %v325, %v311
%v327 = xor i32 %v326, %v313
%v328 = mul i32 %v309, -845247145
%v329 = mul i32 %v302, -766435501
%v330 = add i32 %v312, -1640531527
%v331 = add i32 %v313, -1150833019
%v332 = and i64 %v10, 3
%v333 = icmp eq i64 %v332, 1
%v334 = select i1 %v333, i32 %v328, i32 %v320
%v335 = icmp eq i64 %v332, 2
%v336 = select i1 %v335, i32 %v327, i32 %v334
%v337 = icmp eq i64 %v332, 3
%v338 = select i1 %v337, i32 %v329, i32 %v336
%v339 = lshr i32 %v338, 8
%v340 = sitofp i32 %v339 to double
%v341 = fmul double %v340, 0x3E70000000000000
%v342 = load float, ptr %a5, align 4
%v343 = fpext float %v342 to double
store i64 0, ptr %s20
br i1 false, label %then21, label %else22
then21:
br label %loop24
loop24:
%v344 = phi i64 [ 0, %then21 ], [ %v406, %end27 ]
%v345 = getelementptr float, ptr %v12, i64 %v344
%v346 = load <8 x float>, ptr %v345, align 4
%v347 = fadd <8 x float> %v346, splat (float 0x0000000000000000)
%v348 = bitcast <8 x float> %v347 to <8 x i32>
%v349 = ashr <8 x i32> %v348, splat (i32 31)
%v350 = and <8 x i32> %v349, splat (i32 2147483647)
%v351 = xor <8 x i32> %v348, %v350
%v352 = fcmp uno <8 x float> %v346, %v346
%v353 = select <8 x i1> %v352, <8 x i32> splat (i32 2147483647), <8 x i32> %v351
%v354 = getelementptr i32, ptr %v6, i64 -1
%v355 = load i32, ptr %v354, align 4
%v356 = insertelement <8 x i32> poison, i32 %v355, i32 0
%v357 = shufflevector <8 x i32> %v356, <8 x i32> poison, <8 x i32> zeroinitializer
%v358 = icmp sgt <8 x i32> %v353, %v357
%v359 = bitcast <8 x i1> %v358 to i8
%v360 = zext i8 %v359 to i32
store i32 %v360, ptr %s21
br label %head26
head26:
%v361 = load i32, ptr %s21
%v362 = icmp eq i32 %v361, 0
br i1 %v362, label %end27, label %next28
next28:
%v363 = load i32, ptr %s21
%v364 = call i32 @llvm.cttz.i32(i32 %v363, i1 false)
%v365 = sext i32 %v364 to i64
%v366 = load i32, ptr %s21
%v367 = load i32, ptr %s21
%v368 = sub i32 %v367, 1
%v369 = and i32 %v366, %v368
store i32 %v369, ptr %s21
%v370 = add i64 %v344, %v365
%v371 = getelementptr float, ptr %v12, i64 %v370
%v372 = load float, ptr %v371, align 4
%v373 = fadd float %v372, 0x0000000000000000
%v374 = bitcast float %v373 to i32
%v375 = ashr i32 %v374, 31
%v376 = and i32 %v375, 2147483647
%v377 = xor i32 %v374, %v376
%v378 = fcmp uno float %v372, %v372
%v379 = select i1 %v378, i32 2147483647, i32 %v377
%v380 = getelementptr i32, ptr %v6, i64 -1
%v381 = load i32, ptr %v380, align 4
%v382 = icmp sgt i32 %v379, %v381
br i1 %v382, label %then29, label %else30
then29:
%v383 = add i64 %v344, %v365
store i64 -1, ptr %s22
br label %head32
head32:
%v384 = load i64, ptr %s22
%v385 = icmp eq i64 %v384, 0
br i1 %v385, label %end33, label %next34
next34:
%v386 = load i64, ptr %s22
%v387 = sub i64 %v386, 1
%v388 = getelementptr i32, ptr %v6, i64 %v387
%v389 = load i32, ptr %v388, align 4
%v390 = icmp sge i32 %v389, %v379
br i1 %v390, label %end33, label %next35
next35:
%v391 = load i64, ptr %s22
%v392 = getelementptr i32, ptr %v6, i64 %v391
store i32 %v389, ptr %v392, align 4
%v393 = load i64, ptr %s22
%v394 = sub i64 %v393, 1
%v395 = getelementptr i32, ptr %v7, i64 %v394
%v396 = load i32, ptr %v395, align 4
%v397 = load i64, ptr %s22
%v398 = getelementptr i32, ptr %v7, i64 %v397
store i32 %v396, ptr %v398, align 4
%v399 = load i64, ptr %s22
%v400 = sub i64 %v399, 1
store i64 %v400, ptr %s22
br label %head32
end33:
%v401 = load i64, ptr %s22
%v402 = getelementptr i32, ptr %v6, i64 %v401
store i32 %v379, ptr %v402, align 4
%v403 = trunc i64 %v383 to i32
%v404 = load i64, ptr %s22
%v405 = getelementptr i32, ptr %v7, i64 %v404
store i32 %v403, ptr %v405, align 4
br label %end31
else30:
br label %end31
end31:
br label %head26
end27:
%v406 = add i64 %v344, 8
%v407 = icmp slt i64 %v406, 48
br i1 %v407, label %loop24, label %end25
end25:
br label %loop36
loop36:
%v408 = phi i64 [ 48, %end25 ], [ %v443, %end40 ]
%v409 = getelementptr float, ptr %v12, i64 %v408
%v410 = load float, ptr %v409, align 4
%v411 = fadd float %v410, 0x0000000000000000
%v412 = bitcast float %v411 to i32
%v413 = ashr i32 %v412, 31
%v414 = and i32 %v413, 2147483647
%v415 = xor i32 %v412, %v414
%v416 = fcmp uno float %v410, %v410
%v417 = select i1 %v416, i32 2147483647, i32 %v415
%v418 = getelementptr i32, ptr %v6, i64 -1
%v419 = load i32, ptr %v418, align 4
%v420 = icmp sgt i32 %v417, %v419
br i1 %v420, label %then38, label %else39
then38:
store i64 -1, ptr %s23
br label %head41
head41:
%v421 = load i64, ptr %s23
%v422 = icmp eq i64 %v421, 0
br i1 %v422, label %end42, label %next43
next43:
%v423 = load i64, ptr %s23
%v424 = sub i64 %v423, 1
%v425 = getelementptr i32, ptr %v6, i64 %v424
%v426 = load i32, ptr %v425, align 4
%v427 = icmp sge i32 %v426, %v417
br i1 %v427, label %end42, label %next44
next44:
%v428 = load i64, ptr %s23
%v429 = getelementptr i32, ptr %v6, i64 %v428
store i32 %v426, ptr %v429, align 4
%v430 = load i64, ptr %s23
%v431 = sub i64 %v430, 1
%v432 = getelementptr i32, ptr %v7, i64 %v431
%v433 = load i32, ptr %v432, align 4
%v434 = load i64, ptr %s23
%v435 = getelementptr i32, ptr %v7, i64 %v434
store i32 %v433, ptr %v435, align 4
%v436 = load i64, ptr %s23
%v437 = sub i64 %v436, 1
store i64 %v437, ptr %s23
br label %head41
end42:
%v438 = load i64, ptr %s23
%v439 = getelementptr i32, ptr %v6, i64 %v438
store i32 %v417, ptr %v439, align 4
%v440 = trunc i64 %v408 to i32
%v441 = load i64, ptr %s23
%v442 = getelementptr i32, ptr %v7, i64 %v441
store i32 %v440, ptr %v442, align 4
br label %end40
else39:
br label %end40
end40:
%v443 = add i64 %v408, 1
%v444 = icmp slt i64 %v443, 50
br i1 %v444, label %loop36, label %end37
end37:
store double 0x0000000000000000, ptr %s24
%v445 = load double, ptr %s24
store double 0x0000000000000000, ptr %s25
store i64 0, ptr %s26
%v446 = fmul double %v445, %v343
br label %head45
head45:
%v447 = load double, ptr %s25
%v448 = load i64, ptr %s26
%v449 = getelementptr i32, ptr %v7, i64 %v448
%v450 = load i32, ptr %v449, align 4
%v451 = sext i32 %v450 to i64
%v452 = getelementptr float, ptr %scratch, i64 %v451
%v453 = load float, ptr %v452, align 4
%v454 = fpext float %v453 to double
%v455 = fadd double %v447, %v454
store double %v455, ptr %s25
%v456 = load i64, ptr %s26
%v457 = add i64 %v456, 1
store i64 %v457, ptr %s26
%v458 = load double, ptr %s25
%v459 = fcmp oge double %v458, %v446
%v460 = fcmp olt double %v343, 0x3FF0000000000000
%v461 = and i1 %v459, %v460
%v462 = load i64, ptr %s26
%v463 = icmp sge i64 %v462, 0
%v464 = or i1 %v461, %v463
br i1 %v464, label %end46, label %next47
next47:
br label %head45
end46:
%v465 = load i64, ptr %s26
%v466 = load double, ptr %s25
%v467 = fcmp oge double %v466, %v446
%v468 = icmp slt i64 0, %v465
br i1 %v468, label %guard50, label %end49
guard50:
br label %loop48
loop48:
%v469 = phi i64 [ 0, %guard50 ], [ %v494, %end52 ]
%v470 = getelementptr i32, ptr %v7, i64 %v469
%v471 = load i32, ptr %v470, align 4
%v472 = getelementptr i32, ptr %v6, i64 128
store i64 %v469, ptr %s27
br label %head51
head51:
%v473 = load i64, ptr %s27
%v474 = icmp eq i64 %v473, 0
br i1 %v474, label %end52, label %next53
next53:
%v475 = load i64, ptr %s27
%v476 = sub i64 %v475, 1
%v477 = getelementptr i32, ptr %v6, i64 %v476
%v478 = load i32, ptr %v477, align 4
%v479 = icmp sle i32 %v478, %v471
br i1 %v479, label %end52, label %next54
next54:
%v480 = load i64, ptr %s27
%v481 = getelementptr i32, ptr %v6, i64 %v480
store i32 %v478, ptr %v481, align 4
%v482 = load i64, ptr %s27
%v483 = sub i64 %v482, 1
%v484 = getelementptr i32, ptr %v472, i64 %v483
%v485 = load i32, ptr %v484, align 4
%v486 = load i64, ptr %s27
%v487 = getelementptr i32, ptr %v472, i64 %v486
store i32 %v485, ptr %v487, align 4
%v488 = load i64, ptr %s27
%v489 = sub i64 %v488, 1
store i64 %v489, ptr %s27
br label %head51
end52:
%v490 = load i64, ptr %s27
%v491 = getelementptr i32, ptr %v6, i64 %v490
store i32 %v471, ptr %v491, align 4
%v492 = load i64, ptr %s27
%v493 = getelementptr i32, ptr %v472, i64 %v492
store i32 %v471, ptr %v493, align 4
%v494 = add i64 %v469, 1
%v495 = icmp slt i64 %v494, %v465
br i1 %v495, label %loop48, label %end49
end49:
store double 0x0000000000000000, ptr %s28
%v496 = icmp slt i64 0, %v465
br i1 %v496, label %guard57, label %end56
guard57:
br label %loop55
loop55:
%v497 = phi i64 [ 0, %guard57 ], [ %v508, %loop55 ]
%v498 = load double, ptr %s28
%v499 = getelementptr i32, ptr %v6, i64 %v497
%v500 = load i32, ptr %v499, align 4
%v501 = sext i32 %v500 to i64
%v502 = getelementptr float, ptr %scratch, i64 %v501
%v503 = load float, ptr %v502, align 4
%v504 = fpext float %v503 to double
%v505 = fcmp oge double %v504, 0x0000000000000000
%v506 = select i1 %v505, double %v504, double 0x0000000000000000
%v507 = fadd double %v498, %v506
store double %v507, ptr %s28
%v508 = add i64 %v497, 1
%v509 = icmp slt i64 %v508, %v465
br i1 %v509, label %loop55, label %end56
end56:
%v510 = load double, ptr %s28
%v511 = fmul double %v341, %v510
store double 0x0000000000000000, ptr %s29
store i64 0, ptr %s30
br label %head58
head58:
%v512 = load double, ptr %s29
%v513 = load i64, ptr %s30
%v514 = getelementptr i32, ptr %v6, i64 %v513
%v515 = load i32, ptr %v514, align 4
%v516 = sext i32 %v515 to i64
%v517 = getelementptr float, ptr %scratch, i64 %v516
%v518 = load float, ptr %v517, align 4
%v519 = fpext float %v518 to double
%v520 = fcmp oge double %v519, 0x0000000000000000
%v521 = select i1 %v520, double %v519, double 0x0000000000000000
%v522 = fadd double %v512, %v521
store double %v522, ptr %s29
%v523 = load double, ptr %s29
%v524 = fcmp ogt double %v523, %v511
%v525 = load i64, ptr %s30
%v526 = sub i64 %v465, 1
%v527 = icmp sge i64 %v525, %v526
%v528 = or i1 %v524, %v527
br i1 %v528, label %end59, label %next60
next60:
%v529 = load i64, ptr %s30
%v530 = add i64 %v529, 1
store i64 %v530, ptr %s30
br label %head58
end59:
%v531 = load i64, ptr %s30
%v532 = getelementptr i32, ptr %v6, i64 %v531
%v533 = load i32, ptr %v532, align 4
%v534 = sext i32 %v533 to i64
store i64 %v534, ptr %s20
br label %end23
else22:
br label %loop61
loop61:
%v535 = phi i64 [ 0, %else22 ], [ %v575, %loop61 ]
%v536 = getelementptr float, ptr %v12, i64 %v535
%v537 = load <4 x float>, ptr %v536, align 4
%v538 = fpext <4 x float> %v537 to <4 x double>
%v539 = insertelement <4 x double> poison, double %v150, i32 0
%v540 = shufflevector <4 x double> %v539, <4 x double> poison, <4 x i32> zeroinitializer
%v541 = fsub <4 x double> %v538, %v540
%v542 = insertelement <4 x double> poison, double %v145, i32 0
%v543 = shufflevector <4 x double> %v542, <4 x double> poison, <4 x i32> zeroinitializer
%v544 = fdiv <4 x double> %v541, %v543
%v545 = fcmp ogt <4 x double> splat (double 0xC09628CCCCCCCCCD), %v544
%v546 = select <4 x i1> %v545, <4 x double> splat (double 0xC09628CCCCCCCCCD), <4 x double> %v544
%v547 = fcmp olt <4 x double> splat (double 0x4086300000000000), %v546
%v548 = select <4 x i1> %v547, <4 x double> splat (double 0x4086300000000000), <4 x double> %v546
%v549 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v548, <4 x double> splat (double 0x3FF71547652B82FE), <4 x double> splat (double 0x43380000000007FE))
%v550 = fsub <4 x double> %v549, splat (double 0x43380000000007FE)
%v551 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v550, <4 x double> splat (double 0xBFE62E42FEFA3800), <4 x double> %v548)
%v552 = bitcast <4 x double> %v549 to <4 x i64>
%v553 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v550, <4 x double> splat (double 0xBD2EF35793C76730), <4 x double> %v551)
%v554 = lshr <4 x i64> %v552, splat (i64 1)
%v555 = shl <4 x i64> %v554, splat (i64 52)
%v556 = bitcast <4 x i64> %v555 to <4 x double>
%v557 = fmul <4 x double> %v553, %v553
%v558 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v553, <4 x double> splat (double 0x3FC555555555558B), <4 x double> splat (double 0x3FE000000000000D))
%v559 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v553, <4 x double> splat (double 0x3F81111111101E2B), <4 x double> splat (double 0x3FA555555554F64F))
%v560 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v553, <4 x double> splat (double 0x3F2A01A01FE30621), <4 x double> splat (double 0x3F56C16C187F32DF))
%v561 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v553, <4 x double> splat (double 0x3EC71DD45384B9B0), <4 x double> splat (double 0x3EFA0199020AB680))
%v562 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v553, <4 x double> splat (double 0x3E5B079B42926AB7), <4 x double> splat (double 0x3E928B650F627A64))
%v563 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v562, <4 x double> %v557, <4 x double> %v561)
%v564 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v563, <4 x double> %v557, <4 x double> %v560)
%v565 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v564, <4 x double> %v557, <4 x double> %v559)
%v566 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v565, <4 x double> %v557, <4 x double> %v558)
%v567 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v557, <4 x double> %v566, <4 x double> %v553)
%v568 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v567, <4 x double> %v556, <4 x double> %v556)
%v569 = sub <4 x i64> %v552, %v554
%v570 = shl <4 x i64> %v569, splat (i64 52)
%v571 = bitcast <4 x i64> %v570 to <4 x double>
%v572 = fmul <4 x double> %v568, %v571
%v573 = fptrunc <4 x double> %v572 to <4 x float>
%v574 = getelementptr float, ptr %scratch, i64 %v535
store <4 x float> %v573, ptr %v574, align 4
%v575 = add i64 %v535, 4
%v576 = icmp slt i64 %v575, 48
br i1 %v576, label %loop61, label %end62
end62:
br label %loop63
loop63:
%v577 = phi i64 [ 48, %end62 ], [ %v613, %loop63 ]
%v578 = getelementptr float, ptr %v12, i64 %v577
%v579 = load float, ptr %v578, align 4
%v580 = fpext float %v579 to double
%v581 = fsub double %v580, %v150
%v582 = fdiv double %v581, %v145
%v583 = fcmp ogt double 0xC09628CCCCCCCCCD, %v582
%v584 = select i1 %v583, double 0xC09628CCCCCCCCCD, double %v582
%v585 = fcmp olt double 0x4086300000000000, %v584
%v586 = select i1 %v585, double 0x4086300000000000, double %v584
%v587 = call double @llvm.fma.f64(double %v586, double 0x3FF71547652B82FE, double 0x43380000000007FE)
%v588 = fsub double %v587, 0x43380000000007FE
%v589 = call double @llvm.fma.f64(double %v588, double 0xBFE62E42FEFA3800, double %v586)
%v590 = bitcast double %v587 to i64
%v591 = call double @llvm.fma.f64(double %v588, double 0xBD2EF35793C76730, double %v589)
%v592 = lshr i64 %v590, 1
%v593 = shl i64 %v592, 52
%v594 = bitcast i64 %v593 to double
%v595 = fmul double %v591, %v591
%v596 = call double @llvm.fma.f64(double %v591, double 0x3FC555555555558B, double 0x3FE000000000000D)
%v597 = call double @llvm.fma.f64(double %v591, double 0x3F81111111101E2B, double 0x3FA555555554F64F)
%v598 = call double @llvm.fma.f64(double %v591, double 0x3F2A01A01FE30621, double 0x3F56C16C187F32DF)
%v599 = call double @llvm.fma.f64(double %v591, double 0x3EC71DD45384B9B0, double 0x3EFA0199020AB680)
%v600 = call double @llvm.fma.f64(double %v591, double 0x3E5B079B42926AB7, double 0x3E928B650F627A64)
%v601 = call double @llvm.fma.f64(double %v600, double %v595, double %v599)
%v602 = call double @llvm.fma.f64(double %v601, double %v595, double %v598)
%v603 = call double @llvm.fma.f64(double %v602, double %v595, double %v597)
%v604 = call double @llvm.fma.f64(double %v603, double %v595, double %v596)
%v605 = call double @llvm.fma.f64(double %v595, double %v604, double %v591)
%v606 = call double @llvm.fma.f64(double %v605, double %v594, double %v594)
%v607 = sub i64 %v590, %v592
%v608 = shl i64 %v607, 52
%v609 = bitcast i64 %v608 to double
%v610 = fmul double %v606, %v609
%v611 = fptrunc double %v610 to float
%v612 = getelementptr float, ptr %scratch, i64 %v577
store float %v611, ptr %v612, align 4
%v613 = add i64 %v577, 1
%v614 = icmp slt i64 %v613, 50
br i1 %v614, label %loop63, label %end64
end64:
%v615 = fcmp olt double %v343, 0x3FF0000000000000
br i1 %v615, label %then65, label %else66
then65:
%v616 = mul i64 %v10, 50
%v617 = getelementptr float, ptr %a3, i64 %v616
%v618 = getelementptr i32, ptr %v8, i64 64
%v619 = getelementptr i8, ptr %v8, i64 512
%v620 = getelementptr i8, ptr %v8, i64 768
%v621 = getelementptr i8, ptr %v8, i64 1024
store i64 0, ptr %s31
br i1 false, label %then68, label %else69
then68:
call void @sort_by_bytes_i32(ptr %v8, ptr %v618, ptr %v619, ptr %v620, ptr %v621, i64 0)
%v622 = getelementptr i32, ptr %v8, i64 -1
%v623 = load i32, ptr %v622, align 4
%v624 = xor i32 %v623, -2147483648
store i64 0, ptr %s32
br label %loop71
loop71:
%v625 = phi i64 [ 0, %then68 ], [ %v668, %end74 ]
%v626 = getelementptr float, ptr %v617, i64 %v625
%v627 = load <8 x float>, ptr %v626, align 4
%v628 = fadd <8 x float> %v627, splat (float 0x0000000000000000)
%v629 = bitcast <8 x float> %v628 to <8 x i32>
%v630 = ashr <8 x i32> %v629, splat (i32 31)
%v631 = and <8 x i32> %v630, splat (i32 2147483647)
%v632 = xor <8 x i32> %v629, %v631
%v633 = xor <8 x i32> %v632, splat (i32 -1)
%v634 = fcmp uno <8 x float> %v627, %v627
%v635 = select <8 x i1> %v634, <8 x i32> splat (i32 -2147483648), <8 x i32> %v633
%v636 = insertelement <8 x i32> poison, i32 %v624, i32 0
%v637 = shufflevector <8 x i32> %v636, <8 x i32> poison, <8 x i32> zeroinitializer
%v638 = icmp sle <8 x i32> %v635, %v637
%v639 = bitcast <8 x i1> %v638 to i8
%v640 = zext i8 %v639 to i32
store i32 %v640, ptr %s33
br label %head73
head73:
%v641 = load i32, ptr %s33
%v642 = icmp eq i32 %v641, 0
br i1 %v642, label %end74, label %next75
next75:
%v643 = load i32, ptr %s33
%v644 = call i32 @llvm.cttz.i32(i32 %v643, i1 false)
%v645 = sext i32 %v644 to i64
%v646 = load i32, ptr %s33
%v647 = load i32, ptr %s33
%v648 = sub i32 %v647, 1
%v649 = and i32 %v646, %v648
store i32 %v649, ptr %s33
%v650 = add i64 %v625, %v645
%v651 = getelementptr float, ptr %v617, i64 %v650
%v652 = load float, ptr %v651, align 4
%v653 = fadd float %v652, 0x0000000000000000
%v654 = bitcast float %v653 to i32
%v655 = ashr i32 %v654, 31
%v656 = and i32 %v655, 2147483647
%v657 = xor i32 %v654, %v656
%v658 = xor i32 %v657, -1
%v659 = fcmp uno float %v652, %v652
%v660 = select i1 %v659, i32 -2147483648, i32 %v658
%v661 = load i64, ptr %s32
%v662 = xor i32 %v660, -2147483648
%v663 = getelementptr i32, ptr %v8, i64 %v661
store i32 %v662, ptr %v663, align 4
%v664 = trunc i64 %v650 to i32
%v665 = getelementptr i32, ptr %v619, i64 %v661
store i32 %v664, ptr %v665, align 4
%v666 = load i64, ptr %s32
%v667 = add i64 %v666, 1
store i64 %v667, ptr %s32
br label %head73
end74:
%v668 = add i64 %v625, 8
%v669 = icmp slt i64 %v668, 48
br i1 %v669, label %loop71, label %end72
end72:
br label %loop76
loop76:
%v670 = phi i64 [ 48, %end72 ], [ %v699, %end80 ]
%v671 = getelementptr float, ptr %v617, i64 %v670
%v672 = load float, ptr %v671, align 4
%v673 = fadd float %v672, 0x0000000000000000
%v674 = bitcast float %v673 to i32
%v675 = ashr i32 %v674, 31
%v676 = and i32 %v675, 2147483647
%v677 = xor i32 %v674, %v676
%v678 = xor i32 %v677, -1
%v679 = fcmp uno float %v672, %v672
%v680 = select i1 %v679, i32 -2147483648, i32 %v678
%v681 = icmp sle i32 %v680, %v624
br i1 %v681, label %then78, label %else79
then78:
%v682 = getelementptr float, ptr %v617, i64 %v670
%v683 = load float, ptr %v682, align 4
%v684 = fadd float %v683, 0x0000000000000000
%v685 = bitcast float %v684 to i32
%v686 = ashr i32 %v685, 31
%v687 = and i32 %v686, 2147483647
%v688 = xor i32 %v685, %v687
%v689 = xor i32 %v688, -1
%v690 = fcmp uno float %v683, %v683
%v691 = select i1 %v690, i32 -2147483648, i32 %v689
%v692 = load i64, ptr %s32
%v693 = xor i32 %v691, -2147483648
%v694 = getelementptr i32, ptr %v8, i64 %v692
store i32 %v693, ptr %v694, align 4
%v695 = trunc i64 %v670 to i32
%v696 = getelementptr i32, ptr %v619, i64 %v692
store i32 %v695, ptr %v696, align 4
%v697 = load i64, ptr %s32
%v698 = add i64 %v697, 1
store i64 %v698, ptr %s32
br label %end80
else79:
br label %end80
end80:
%v699 = add i64 %v670, 1
%v700 = icmp slt i64 %v699, 50
br i1 %v700, label %loop76, label %end77
end77:
%v701 = load i64, ptr %s32
store i64 %v701, ptr %s31
br label %end70
else69:
br label %end70
end70:
%v702 = load i64, ptr %s31
%v703 = icmp sge i64 %v702, 50
%v704 = load i64, ptr %s31
%v705 = icmp sgt i64 %v704, 0
%v706 = and i1 %v703, %v705
br i1 %v706, label %then81, label %else82
then81:
%v707 = load i64, ptr %s31
call void @sort_by_bytes_i32(ptr %v8, ptr %v618, ptr %v619, ptr %v620, ptr %v621, i64 %v707)
br label %end83
else82:
br i1 false, label %then84, label %else85
then84:
br label %loop87
loop87:
%v708 = phi i64 [ 0, %then84 ], [ %v741, %end90 ]
%v709 = getelementptr float, ptr %v617, i64 %v708
%v710 = load float, ptr %v709, align 4
%v711 = fadd float %v710, 0x0000000000000000
%v712 = bitcast float %v711 to i32
%v713 = ashr i32 %v712, 31
%v714 = and i32 %v713, 2147483647
%v715 = xor i32 %v712, %v714
%v716 = xor i32 %v715, -1
%v717 = fcmp uno float %v710, %v710
%v718 = select i1 %v717, i32 -2147483648, i32 %v716
store i64 %v708, ptr %s34
br label %head89
head89:
%v719 = load i64, ptr %s34
%v720 = icmp eq i64 %v719, 0
br i1 %v720, label %end90, label %next91
next91:
%v721 = load i64, ptr %s34
%v722 = sub i64 %v721, 1
%v723 = getelementptr i32, ptr %v8, i64 %v722
%v724 = load i32, ptr %v723, align 4
%v725 = icmp sle i32 %v724, %v718
br i1 %v725, label %end90, label %next92
next92:
%v726 = load i64, ptr %s34
%v727 = getelementptr i32, ptr %v8, i64 %v726
store i32 %v724, ptr %v727, align 4
%v728 = load i64, ptr %s34
%v729 = sub i64 %v728, 1
%v730 = getelementptr i32, ptr %v619, i64 %v729
%v731 = load i32, ptr %v730, align 4
%v732 = load i64, ptr %s34
%v733 = getelementptr i32, ptr %v619, i64 %v732
store i32 %v731, ptr %v733, align 4
%v734 = load i64, ptr %s34
%v735 = sub i64 %v734, 1
store i64 %v735, ptr %s34
br label %head89
end90:
%v736 = load i64, ptr %s34
%v737 = getelementptr i32, ptr %v8, i64 %v736
store i32 %v718, ptr %v737, align 4
%v738 = trunc i64 %v708 to i32
%v739 = load i64, ptr %s34
%v740 = getelementptr i32, ptr %v619, i64 %v739
store i32 %v738, ptr %v740, align 4
%v741 = add i64 %v708, 1
%v742 = icmp slt i64 %v741, 50
br i1 %v742, label %loop87, label %end88
end88:
br label %end86
else85:
br label %loop93
loop93:
%v743 = phi i64 [ 0, %else85 ], [ %v758, %loop93 ]
%v744 = getelementptr float, ptr %v617, i64 %v743
%v745 = load float, ptr %v744, align 4
%v746 = fadd float %v745, 0x0000000000000000
%v747 = bitcast float %v746 to i32
%v748 = ashr i32 %v747, 31
%v749 = and i32 %v748, 2147483647
%v750 = xor i32 %v747, %v749
%v751 = xor i32 %v750, -1
%v752 = fcmp uno float %v745, %v745
%v753 = select i1 %v752, i32 -2147483648, i32 %v751
%v754 = xor i32 %v753, -2147483648
%v755 = getelementptr i32, ptr %v8, i64 %v743
store i32 %v754, ptr %v755, align 4
%v756 = trunc i64 %v743 to i32
%v757 = getelementptr i32, ptr %v619, i64 %v743
store i32 %v756, ptr %v757, align 4
%v758 = add i64 %v743, 1
%v759 = icmp slt i64 %v758, 50
br i1 %v759, label %loop93, label %end94
end94:
call void @sort_by_bytes_i32(ptr %v8, ptr %v618, ptr %v619, ptr %v620, ptr %v621, i64 50)
br label %end86
end86:
br label %end83
end83:
store double 0x0000000000000000, ptr %s35
br i1 false, label %then95, label %else96
then95:
store double 0x0000000000000000, ptr %s36
br label %loop98
loop98:
%v760 = phi i64 [ 0, %then95 ], [ %v769, %loop98 ]
%v761 = load double, ptr %s36
%v762 = getelementptr i32, ptr %v619, i64 %v760
%v763 = load i32, ptr %v762, align 4
%v764 = sext i32 %v763 to i64
%v765 = getelementptr float, ptr %scratch, i64 %v764
%v766 = load float, ptr %v765, align 4
%v767 = fpext float %v766 to double
%v768 = fadd double %v761, %v767
store double %v768, ptr %s36
%v769 = add i64 %v760, 1
%v770 = icmp slt i64 %v769, 50
br i1 %v770, label %loop98, label %end99
end99:
%v771 = load double, ptr %s36
store double %v771, ptr %s35
br label %end97
else96:
store double 0x0000000000000000, ptr %s37
br label %loop100
loop100:
%v772 = phi i64 [ 0, %else96 ], [ %v778, %loop100 ]
%v773 = load double, ptr %s37
%v774 = getelementptr float, ptr %scratch, i64 %v772
%v775 = load float, ptr %v774, align 4
%v776 = fpext float %v775 to double
%v777 = fadd double %v773, %v776
store double %v777, ptr %s37
%v778 = add i64 %v772, 1
%v779 = icmp slt i64 %v778, 50
br i1 %v779, label %loop100, label %end101
end101:
%v780 = load double, ptr %s37
store double %v780, ptr %s35
br label %end97
end97:
%v781 = load double, ptr %s35
store double 0x0000000000000000, ptr %s38
store i64 0, ptr %s39
%v782 = fmul double %v781, %v343
br label %head102
head102:
%v783 = load double, ptr %s38
%v784 = load i64, ptr %s39
%v785 = getelementptr i32, ptr %v619, i64 %v784
%v786 = load i32, ptr %v785, align 4
%v787 = sext i32 %v786 to i64
%v788 = getelementptr float, ptr %scratch, i64 %v787
%v789 = load float, ptr %v788, align 4
%v790 = fpext float %v789 to double
%v791 = fadd double %v783, %v790
store double %v791, ptr %s38
%v792 = load i64, ptr %s39
%v793 = add i64 %v792, 1
store i64 %v793, ptr %s39
%v794 = load double, ptr %s38
%v795 = fcmp oge double %v794, %v782
%v796 = fcmp olt double %v343, 0x3FF0000000000000
%v797 = and i1 %v795, %v796
%v798 = load i64, ptr %s39
%v799 = icmp sge i64 %v798, 50
%v800 = or i1 %v797, %v799
br i1 %v800, label %end103, label %next104
next104:
br label %head102
end103:
%v801 = load i64, ptr %s39
%v802 = load double, ptr %s38
%v803 = fcmp oge double %v802, %v782
store i64 %v801, ptr %s40
%v804 = xor i1 %v803, true
br i1 %v804, label %then105, label %else106
then105:
br i1 false, label %then108, label %else109
then108:
br label %loop111
loop111:
%v805 = phi i64 [ 0, %then108 ], [ %v838, %end114 ]
%v806 = getelementptr float, ptr %v617, i64 %v805
%v807 = load float, ptr %v806, align 4
%v808 = fadd float %v807, 0x0000000000000000
%v809 = bitcast float %v808 to i32
%v810 = ashr i32 %v809, 31
%v811 = and i32 %v810, 2147483647
%v812 = xor i32 %v809, %v811
%v813 = xor i32 %v812, -1
%v814 = fcmp uno float %v807, %v807
%v815 = select i1 %v814, i32 -2147483648, i32 %v813
store i64 %v805, ptr %s41
br label %head113
head113:
%v816 = load i64, ptr %s41
%v817 = icmp eq i64 %v816, 0
br i1 %v817, label %end114, label %next115
next115:
%v818 = load i64, ptr %s41
%v819 = sub i64 %v818, 1
%v820 = getelementptr i32, ptr %v8, i64 %v819
%v821 = load i32, ptr %v820, align 4
%v822 = icmp sle i32 %v821, %v815
br i1 %v822, label %end114, label %next116
next116:
%v823 = load i64, ptr %s41
%v824 = getelementptr i32, ptr %v8, i64 %v823
store i32 %v821, ptr %v824, align 4
%v825 = load i64, ptr %s41
%v826 = sub i64 %v825, 1
%v827 = getelementptr i32, ptr %v619, i64 %v826
%v828 = load i32, ptr %v827, align 4
%v829 = load i64, ptr %s41
%v830 = getelementptr i32, ptr %v619, i64 %v829
store i32 %v828, ptr %v830, align 4
%v831 = load i64, ptr %s41
%v832 = sub i64 %v831, 1
store i64 %v832, ptr %s41
br label %head113
end114:
%v833 = load i64, ptr %s41
%v834 = getelementptr i32, ptr %v8, i64 %v833
store i32 %v815, ptr %v834, align 4
%v835 = trunc i64 %v805 to i32
%v836 = load i64, ptr %s41
%v837 = getelementptr i32, ptr %v619, i64 %v836
store i32 %v835, ptr %v837, align 4
%v838 = add i64 %v805, 1
%v839 = icmp slt i64 %v838, 50
br i1 %v839, label %loop111, label %end112
end112:
br label %end110
else109:
br label %loop117
loop117:
%v840 = phi i64 [ 0, %else109 ], [ %v855, %loop117 ]
%v841 = getelementptr float, ptr %v617, i64 %v840
%v842 = load float, ptr %v841, align 4
%v843 = fadd float %v842, 0x0000000000000000
%v844 = bitcast float %v843 to i32
%v845 = ashr i32 %v844, 31
%v846 = and i32 %v845, 2147483647
%v847 = xor i32 %v844, %v846
%v848 = xor i32 %v847, -1
%v849 = fcmp uno float %v842, %v842
%v850 = select i1 %v849, i32 -2147483648, i32 %v848
%v851 = xor i32 %v850, -2147483648
%v852 = getelementptr i32, ptr %v8, i64 %v840
store i32 %v851, ptr %v852, align 4
%v853 = trunc i64 %v840 to i32
%v854 = getelementptr i32, ptr %v619, i64 %v840
store i32 %v853, ptr %v854, align 4
%v855 = add i64 %v840, 1
%v856 = icmp slt i64 %v855, 50
br i1 %v856, label %loop117, label %end118
end118:
call void @sort_by_bytes_i32(ptr %v8, ptr %v618, ptr %v619, ptr %v620, ptr %v621, i64 50)
br label %end110
end110:
%v857 = load double, ptr %s35
store double 0x0000000000000000, ptr %s42
store i64 0, ptr %s43
%v858 = fmul double %v857, %v343
br label %head119
head119:
%v859 = load double, ptr %s42
%v860 = load i64, ptr %s43
%v861 = getelementptr i32, ptr %v619, i64 %v860
%v862 = load i32, ptr %v861, align 4
%v863 = sext i32 %v862 to i64
%v864 = getelementptr float, ptr %scratch, i64 %v863
%v865 = load float, ptr %v864, align 4
%v866 = fpext float %v865 to double
%v867 = fadd double %v859, %v866
store double %v867, ptr %s42
%v868 = load i64, ptr %s43
%v869 = add i64 %v868, 1
store i64 %v869, ptr %s43
%v870 = load double, ptr %s42
%v871 = fcmp oge double %v870, %v858
%v872 = fcmp olt double %v343, 0x3FF0000000000000
%v873 = and i1 %v871, %v872
%v874 = load i64, ptr %s43
%v875 = icmp sge i64 %v874, 50
%v876 = or i1 %v873, %v875
br i1 %v876, label %end120, label %next121
next121:
br label %head119
end120:
%v877 = load i64, ptr %s43
%v878 = load double, ptr %s42
%v879 = fcmp oge double %v878, %v858
store i64 %v877, ptr %s40
br label %end107
else106:
br label %end107
end107:
store i64 0, ptr %s44
%v880 = load i64, ptr %s40
%v881 = icmp sle i64 %v880, 128
br i1 %v881, label %then122, label %else123
then122:
%v882 = load i64, ptr %s40
%v883 = icmp slt i64 0, %v882
br i1 %v883, label %guard127, label %end126
guard127:
br label %loop125
loop125:
%v884 = phi i64 [ 0, %guard127 ], [ %v909, %end129 ]
%v885 = getelementptr i32, ptr %v619, i64 %v884
%v886 = load i32, ptr %v885, align 4
%v887 = getelementptr i32, ptr %v6, i64 128
store i64 %v884, ptr %s45
br label %head128
head128:
%v888 = load i64, ptr %s45
%v889 = icmp eq i64 %v888, 0
br i1 %v889, label %end129, label %next130
next130:
%v890 = load i64, ptr %s45
%v891 = sub i64 %v890, 1
%v892 = getelementptr i32, ptr %v6, i64 %v891
%v893 = load i32, ptr %v892, align 4
%v894 = icmp sle i32 %v893, %v886
br i1 %v894, label %end129, label %next131
next131:
%v895 = load i64, ptr %s45
%v896 = getelementptr i32, ptr %v6, i64 %v895
store i32 %v893, ptr %v896, align 4
%v897 = load i64, ptr %s45
%v898 = sub i64 %v897, 1
%v899 = getelementptr i32, ptr %v887, i64 %v898
%v900 = load i32, ptr %v899, align 4
%v901 = load i64, ptr %s45
%v902 = getelementptr i32, ptr %v887, i64 %v901
store i32 %v900, ptr %v902, align 4
%v903 = load i64, ptr %s45
%v904 = sub i64 %v903, 1
store i64 %v904, ptr %s45
br label %head128
end129:
%v905 = load i64, ptr %s45
%v906 = getelementptr i32, ptr %v6, i64 %v905
store i32 %v886, ptr %v906, align 4
%v907 = load i64, ptr %s45
%v908 = getelementptr i32, ptr %v887, i64 %v907
store i32 %v886, ptr %v908, align 4
%v909 = add i64 %v884, 1
%v910 = icmp slt i64 %v909, %v882
br i1 %v910, label %loop125, label %end126
end126:
store double 0x0000000000000000, ptr %s46
%v911 = icmp slt i64 0, %v882
br i1 %v911, label %guard134, label %end133
guard134:
br label %loop132
loop132:
%v912 = phi i64 [ 0, %guard134 ], [ %v923, %loop132 ]
%v913 = load double, ptr %s46
%v914 = getelementptr i32, ptr %v6, i64 %v912
%v915 = load i32, ptr %v914, align 4
%v916 = sext i32 %v915 to i64
%v917 = getelementptr float, ptr %scratch, i64 %v916
%v918 = load float, ptr %v917, align 4
%v919 = fpext float %v918 to double
%v920 = fcmp oge double %v919, 0x0000000000000000
%v921 = select i1 %v920, double %v919, double 0x0000000000000000
%v922 = fadd double %v913, %v921
store double %v922, ptr %s46
%v923 = add i64 %v912, 1
%v924 = icmp slt i64 %v923, %v882
br i1 %v924, label %loop132, label %end133
end133:
%v925 = load double, ptr %s46
%v926 = fmul double %v341, %v925
store double 0x0000000000000000, ptr %s47
store i64 0, ptr %s48
br label %head135
head135:
%v927 = load double, ptr %s47
%v928 = load i64, ptr %s48
%v929 = getelementptr i32, ptr %v6, i64 %v928
%v930 = load i32, ptr %v929, align 4
%v931 = sext i32 %v930 to i64
%v932 = getelementptr float, ptr %scratch, i64 %v931
%v933 = load float, ptr %v932, align 4
%v934 = fpext float %v933 to double
%v935 = fcmp oge double %v934, 0x0000000000000000
%v936 = select i1 %v935, double %v934, double 0x0000000000000000
%v937 = fadd double %v927, %v936
store double %v937, ptr %s47
%v938 = load double, ptr %s47
%v939 = fcmp ogt double %v938, %v926
%v940 = load i64, ptr %s48
%v941 = sub i64 %v882, 1
%v942 = icmp sge i64 %v940, %v941
%v943 = or i1 %v939, %v942
br i1 %v943, label %end136, label %next137
next137:
%v944 = load i64, ptr %s48
%v945 = add i64 %v944, 1
store i64 %v945, ptr %s48
br label %head135
end136:
%v946 = load i64, ptr %s48
%v947 = getelementptr i32, ptr %v6, i64 %v946
%v948 = load i32, ptr %v947, align 4
%v949 = sext i32 %v948 to i64
store i64 %v949, ptr %s44
br label %end124
else123:
%v950 = load i64, ptr %s40
%v951 = sub i64 %v950, 1
%v952 = getelementptr i32, ptr %v619, i64 %v951
%v953 = load i32, ptr %v952, align 4
%v954 = sext i32 %v953 to i64
%v955 = getelementptr float, ptr %v12, i64 %v954
%v956 = load float, ptr %v955, align 4
%v957 = fadd float %v956, 0x0000000000000000
%v958 = bitcast float %v957 to i32
%v959 = ashr i32 %v958, 31
%v960 = and i32 %v959, 2147483647
%v961 = xor i32 %v958, %v960
%v962 = fcmp uno float %v956, %v956
%v963 = select i1 %v962, i32 2147483647, i32 %v961
store double 0x0000000000000000, ptr %s49
br label %loop138
loop138:
%v964 = phi i64 [ 0, %else123 ], [ %v996, %loop138 ]
%v965 = load double, ptr %s49
%v966 = getelementptr float, ptr %v12, i64 %v964
%v967 = load float, ptr %v966, align 4
%v968 = fadd float %v967, 0x0000000000000000
%v969 = bitcast float %v968 to i32
%v970 = ashr i32 %v969, 31
%v971 = and i32 %v970, 2147483647
%v972 = xor i32 %v969, %v971
%v973 = fcmp uno float %v967, %v967
%v974 = select i1 %v973, i32 2147483647, i32 %v972
%v975 = icmp sgt i32 %v974, %v963
%v976 = getelementptr float, ptr %v12, i64 %v964
%v977 = load float, ptr %v976, align 4
%v978 = fadd float %v977, 0x0000000000000000
%v979 = bitcast float %v978 to i32
%v980 = ashr i32 %v979, 31
%v981 = and i32 %v980, 2147483647
%v982 = xor i32 %v979, %v981
%v983 = fcmp uno float %v977, %v977
%v984 = select i1 %v983, i32 2147483647, i32 %v982
%v985 = icmp eq i32 %v984, %v963
%v986 = icmp sle i64 %v964, %v954
%v987 = and i1 %v985, %v986
%v988 = or i1 %v975, %v987
%v989 = getelementptr float, ptr %scratch, i64 %v964
%v990 = load float, ptr %v989, align 4
%v991 = fpext float %v990 to double
%v992 = fcmp oge double %v991, 0x0000000000000000
%v993 = select i1 %v992, double %v991, double 0x0000000000000000
%v994 = select i1 %v988, double %v993, double 0x0000000000000000
%v995 = fadd double %v965, %v994
store double %v995, ptr %s49
%v996 = add i64 %v964, 1
%v997 = icmp slt i64 %v996, 50
br i1 %v997, label %loop138, label %end139
end139:
%v998 = load double, ptr %s49
%v999 = fmul double %v341, %v998
store double 0x0000000000000000, ptr %s50
store i64 0, ptr %s51
br label %head140
head140:
%v1000 = load double, ptr %s50
%v1001 = load i64, ptr %s51
%v1002 = getelementptr float, ptr %v12, i64 %v1001
%v1003 = load float, ptr %v1002, align 4
%v1004 = fadd float %v1003, 0x0000000000000000
%v1005 = bitcast float %v1004 to i32
%v1006 = ashr i32 %v1005, 31
%v1007 = and i32 %v1006, 2147483647
%v1008 = xor i32 %v1005, %v1007
%v1009 = fcmp uno float %v1003, %v1003
%v1010 = select i1 %v1009, i32 2147483647, i32 %v1008
%v1011 = icmp sgt i32 %v1010, %v963
%v1012 = getelementptr float, ptr %v12, i64 %v1001
%v1013 = load float, ptr %v1012, align 4
%v1014 = fadd float %v1013, 0x0000000000000000
%v1015 = bitcast float %v1014 to i32
%v1016 = ashr i32 %v1015, 31
%v1017 = and i32 %v1016, 2147483647
%v1018 = xor i32 %v1015, %v1017
%v1019 = fcmp uno float %v1013, %v1013
%v1020 = select i1 %v1019, i32 2147483647, i32 %v1018
%v1021 = icmp eq i32 %v1020, %v963
%v1022 = icmp sle i64 %v1001, %v954
%v1023 = and i1 %v1021, %v1022
%v1024 = or i1 %v1011, %v1023
%v1025 = getelementptr float, ptr %scratch, i64 %v1001
%v1026 = load float, ptr %v1025, align 4
%v1027 = fpext float %v1026 to double
%v1028 = fcmp oge double %v1027, 0x0000000000000000
%v1029 = select i1 %v1028, double %v1027, double 0x0000000000000000
%v1030 = select i1 %v1024, double %v1029, double 0x0000000000000000
%v1031 = fadd double %v1000, %v1030
store double %v1031, ptr %s50
%v1032 = load double, ptr %s50
%v1033 = fcmp ogt double %v1032, %v999
%v1034 = load i64, ptr %s51
%v1035 = icmp sge i64 %v1034, 49
%v1036 = or i1 %v1033, %v1035
br i1 %v1036, label %end141, label %next142
next142:
%v1037 = load i64, ptr %s51
%v1038 = add i64 %v1037, 1
store i64 %v1038, ptr %s51
br label %head140
end141:
%v1039 = load i64, ptr %s51
store i64 %v1039, ptr %s44
br label %end124
end124:
%v1040 = load i64, ptr %s44
store i64 %v1040, ptr %s20
br label %end67
else66:
store double 0x0000000000000000, ptr %s52
br label %loop143
loop143:
%v1041 = phi i64 [ 0, %else66 ], [ %v1049, %loop143 ]
%v1042 = load double, ptr %s52
%v1043 = getelementptr float, ptr %scratch, i64 %v1041
%v1044 = load float, ptr %v1043, align 4
%v1045 = fpext float %v1044 to double
%v1046 = fcmp oge double %v1045, 0x0000000000000000
%v1047 = select i1 %v1046, double %v1045, double 0x0000000000000000
%v1048 = fadd double %v1042, %v1047
store double %v1048, ptr %s52
%v1049 = add i64 %v1041, 1
%v1050 = icmp slt i64 %v1049, 50
br i1 %v1050, label %loop143, label %end144
end144:
%v1051 = load double, ptr %s52
%v1052 = fmul double %v341, %v1051
store double 0x0000000000000000, ptr %s53
store i64 0, ptr %s54
br label %head145
head145:
%v1053 = load double, ptr %s53
%v1054 = load i64, ptr %s54
%v1055 = getelementptr float, ptr %scratch, i64 %v1054
%v1056 = load float, ptr %v1055, align 4
%v1057 = fpext float %v1056 to double
%v1058 = fcmp oge double %v1057, 0x0000000000000000
%v1059 = select i1 %v1058, double %v1057, double 0x0000000000000000
%v1060 = fadd double %v1053, %v1059
store double %v1060, ptr %s53
%v1061 = load double, ptr %s53
%v1062 = fcmp ogt double %v1061, %v1052
%v1063 = load i64, ptr %s54
%v1064 = icmp sge i64 %v1063, 49
%v1065 = or i1 %v1062, %v1064
br i1 %v1065, label %end146, label %next147
next147:
%v1066 = load i64, ptr %s54
%v1067 = add i64 %v1066, 1
store i64 %v1067, ptr %s54
br label %head145
end146:
%v1068 = load i64, ptr %s54
store i64 %v1068, ptr %s20
br label %end67
end67:
br label %end23
end23:
%v1069 = load i64, ptr %s20
store i64 %v1069, ptr %s15
br label %end20
else19:
br label %end20
end20:
%v1070 = load i64, ptr %s15
%v1071 = trunc i64 %v1070 to i32
%v1072 = getelementptr i32, ptr %a2, i64 %v10
store i32 %v1071, ptr %v1072, align 4
%v1073 = add i64 %v10, 1
%v1074 = icmp slt i64 %v1073, %end
br i1 %v1074, label %loop1, label %end2
end2:
ret void
}

define internal void @sort_by_bytes_i32(ptr %keys, ptr %other_keys, ptr %places, ptr %other_places, ptr %counts, i64 %length) nounwind {
entry:
%s0 = alloca ptr
%s1 = alloca ptr
%s2 = alloca ptr
%s3 = alloca ptr
%s4 = alloca i32
store ptr %keys, ptr %s0
store ptr %other_keys, ptr %s1
store ptr %places, ptr %s2
store ptr %other_places, ptr %s3
br label %loop1
loop1:
%v0 = phi i64 [ 0, %entry ], [ %v56, %end11 ]
%v1 = trunc i64 %v0 to i32
br label %loop3
loop3:
%v2 = phi i64 [ 0, %loop1 ], [ %v4, %loop3 ]
%v3 = getelementptr i32, ptr %counts, i64 %v2
store i32 0, ptr %v3, align 4
%v4 = add i64 %v2, 1
%v5 = icmp slt i64 %v4, 256
br i1 %v5, label %loop3, label %end4
end4:
%v6 = icmp slt i64 0, %length
br i1 %v6, label %guard7, label %end6
guard7:
br label %loop5
loop5:
%v7 = phi i64 [ 0, %guard7 ], [ %v18, %loop5 ]
%v8 = load ptr, ptr %s0
%v9 = getelementptr i32, ptr %v8, i64 %v7
%v10 = load i32, ptr %v9, align 4
%v11 = lshr i32 %v10, %v1
%v12 = and i32 %v11, 255
%v13 = sext i32 %v12 to i64
%v14 = getelementptr i32, ptr %counts, i64 %v13
%v15 = load i32, ptr %v14, align 4
%v16 = add i32 %v15, 1
%v17 = getelementptr i32, ptr %counts, i64 %v13
store i32 %v16, ptr %v17, align 4
%v18 = add i64 %v7, 1
%v19 = icmp slt i64 %v18, %length
br i1 %v19, label %loop5, label %end6
end6:
store i32 0, ptr %s4
br label %loop8
loop8:
%v20 = phi i64 [ 0, %end6 ], [ %v27, %loop8 ]
%v21 = getelementptr i32, ptr %counts, i64 %v20
%v22 = load i32, ptr %v21, align 4
%v23 = load i32, ptr %s4
%v24 = getelementptr i32, ptr %counts, i64 %v20
store i32 %v23, ptr %v24, align 4
%v25 = load i32, ptr %s4
%v26 = add i32 %v25, %v22
store i32 %v26, ptr %s4
%v27 = add i64 %v20, 1
%v28 = icmp slt i64 %v27, 256
br i1 %v28, label %loop8, label %end9
end9:
%v29 = icmp slt i64 0, %length
br i1 %v29, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v30 = phi i64 [ 0, %guard12 ], [ %v50, %loop10 ]
%v31 = load ptr, ptr %s0
%v32 = getelementptr i32, ptr %v31, i64 %v30
%v33 = load i32, ptr %v32, align 4
%v34 = lshr i32 %v33, %v1
%v35 = and i32 %v34, 255
%v36 = sext i32 %v35 to i64
%v37 = getelementptr i32, ptr %counts, i64 %v36
%v38 = load i32, ptr %v37, align 4
%v39 = add i32 %v38, 1
%v40 = getelementptr i32, ptr %counts, i64 %v36
store i32 %v39, ptr %v40, align 4
%v41 = load ptr, ptr %s1
%v42 = sext i32 %v38 to i64
%v43 = getelementptr i32, ptr %v41, i64 %v42
store i32 %v33, ptr %v43, align 4
%v44 = load ptr, ptr %s2
%v45 = getelementptr i32, ptr %v44, i64 %v30
%v46 = load i32, ptr %v45, align 4
%v47 = load ptr, ptr %s3
%v48 = sext i32 %v38 to i64
%v49 = getelementptr i32, ptr %v47, i64 %v48
store i32 %v46, ptr %v49, align 4
%v50 = add i64 %v30, 1
%v51 = icmp slt i64 %v50, %length
br i1 %v51, label %loop10, label %end11
end11:
%v52 = load ptr, ptr %s0
%v53 = load ptr, ptr %s1
store ptr %v53, ptr %s0
store ptr %v52, ptr %s1
%v54 = load ptr, ptr %s2
%v55 = load ptr, ptr %s3
store ptr %v55, ptr %s2
store ptr %v54, ptr %s3
%v56 = add i64 %v0, 8
%v57 = icmp slt i64 %v56, 32
br i1 %v57, label %loop1, label %end2
end2:
ret void
}

