; kernels for x86_64-avx2
; mir @sample {
;   %0 = input("x1") : f32[2, 50]
;   %1 = input("x2") : u32[2]
;   %2 = input("x3") : u64[]
;   %3 = input("x4") : i32[2]
;   %4 = constant([0.75]) : f32[]
;   %5 = constant([0.875]) : f32[]
;   %6 = sample(%0, %1, %2, %4, %3, %5) : i32[2]
;   return y1=%6
; }

declare <8 x i32> @llvm.smax.v8i32(<8 x i32>, <8 x i32>)
declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>)
declare <2 x i32> @llvm.smax.v2i32(<2 x i32>, <2 x i32>)
declare <1 x i32> @llvm.smax.v1i32(<1 x i32>, <1 x i32>)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.cttz.i32(i32, i1)
declare double @llvm.fma.f64(double, double, double)
declare <4 x double> @llvm.fma.v4f64(<4 x double>, <4 x double>, <4 x double>)
declare i64 @llvm.smin.i64(i64, i64)

define void @sample_151afe1a(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 2
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 6
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
%a6.p = getelementptr i64, ptr %args, i64 5
%a6 = load ptr, ptr %a6.p, align 8
%s22 = alloca i64
%s23 = alloca i64
%s24 = alloca i32
%s25 = alloca i64
%s26 = alloca i64
%s27 = alloca double
%s28 = alloca double
%s29 = alloca i64
%s30 = alloca i64
%s31 = alloca double
%s32 = alloca double
%s33 = alloca i64
%s34 = alloca i64
%s35 = alloca i64
%s36 = alloca i32
%s37 = alloca i64
%s38 = alloca double
%s39 = alloca double
%s40 = alloca double
%s41 = alloca double
%s42 = alloca i64
%s43 = alloca i64
%s44 = alloca i64
%s45 = alloca double
%s46 = alloca i64
%s47 = alloca i64
%s48 = alloca i64
%s49 = alloca double
%s50 = alloca double
%s51 = alloca i64
%s52 = alloca double
%s53 = alloca double
%s54 = alloca i64
%s55 = alloca double
%s56 = alloca double
%s57 = alloca i64
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
%v10 = phi i64 [ %begin, %guard3 ], [ %v1188, %end20 ]
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
%v342 = getelementptr i32, ptr %a5, i64 %v10
%v343 = load i32, ptr %v342, align 4
%v344 = sext i32 %v343 to i64
%v345 = load float, ptr %a6, align 4
%v346 = fpext float %v345 to double
%v347 = icmp sgt i64 %v344, 0
%v348 = icmp slt i64 %v344, 50
%v349 = and i1 %v347, %v348
store i64 0, ptr %s22
%v350 = icmp sle i64 %v344, 128
%v351 = and i1 %v349, %v350
br i1 %v351, label %then21, label %else22
then21:
%v352 = sub i64 %v344, 1
%v353 = icmp slt i64 0, %v344
br i1 %v353, label %guard26, label %end25
guard26:
br label %loop24
loop24:
%v354 = phi i64 [ 0, %guard26 ], [ %v386, %end28 ]
%v355 = getelementptr float, ptr %v12, i64 %v354
%v356 = load float, ptr %v355, align 4
%v357 = fadd float %v356, 0x0000000000000000
%v358 = bitcast float %v357 to i32
%v359 = ashr i32 %v358, 31
%v360 = and i32 %v359, 2147483647
%v361 = xor i32 %v358, %v360
%v362 = fcmp uno float %v356, %v356
%v363 = select i1 %v362, i32 2147483647, i32 %v361
store i64 %v354, ptr %s23
br label %head27
head27:
%v364 = load i64, ptr %s23
%v365 = icmp eq i64 %v364, 0
br i1 %v365, label %end28, label %next29
next29:
%v366 = load i64, ptr %s23
%v367 = sub i64 %v366, 1
%v368 = getelementptr i32, ptr %v6, i64 %v367
%v369 = load i32, ptr %v368, align 4
%v370 = icmp sge i32 %v369, %v363
br i1 %v370, label %end28, label %next30
next30:
%v371 = load i64, ptr %s23
%v372 = getelementptr i32, ptr %v6, i64 %v371
store i32 %v369, ptr %v372, align 4
%v373 = load i64, ptr %s23
%v374 = sub i64 %v373, 1
%v375 = getelementptr i32, ptr %v7, i64 %v374
%v376 = load i32, ptr %v375, align 4
%v377 = load i64, ptr %s23
%v378 = getelementptr i32, ptr %v7, i64 %v377
store i32 %v376, ptr %v378, align 4
%v379 = load i64, ptr %s23
%v380 = sub i64 %v379, 1
store i64 %v380, ptr %s23
br label %head27
end28:
%v381 = load i64, ptr %s23
%v382 = getelementptr i32, ptr %v6, i64 %v381
store i32 %v363, ptr %v382, align 4
%v383 = trunc i64 %v354 to i32
%v384 = load i64, ptr %s23
%v385 = getelementptr i32, ptr %v7, i64 %v384
store i32 %v383, ptr %v385, align 4
%v386 = add i64 %v354, 1
%v387 = icmp slt i64 %v386, %v344
br i1 %v387, label %loop24, label %end25
end25:
%v388 = sub i64 50, %v344
%v389 = ashr i64 %v388, 3
%v390 = mul i64 %v389, 8
%v391 = add i64 %v344, %v390
%v392 = icmp slt i64 %v344, %v391
br i1 %v392, label %guard33, label %end32
guard33:
br label %loop31
loop31:
%v393 = phi i64 [ %v344, %guard33 ], [ %v455, %end35 ]
%v394 = getelementptr float, ptr %v12, i64 %v393
%v395 = load <8 x float>, ptr %v394, align 4
%v396 = fadd <8 x float> %v395, splat (float 0x0000000000000000)
%v397 = bitcast <8 x float> %v396 to <8 x i32>
%v398 = ashr <8 x i32> %v397, splat (i32 31)
%v399 = and <8 x i32> %v398, splat (i32 2147483647)
%v400 = xor <8 x i32> %v397, %v399
%v401 = fcmp uno <8 x float> %v395, %v395
%v402 = select <8 x i1> %v401, <8 x i32> splat (i32 2147483647), <8 x i32> %v400
%v403 = getelementptr i32, ptr %v6, i64 %v352
%v404 = load i32, ptr %v403, align 4
%v405 = insertelement <8 x i32> poison, i32 %v404, i32 0
%v406 = shufflevector <8 x i32> %v405, <8 x i32> poison, <8 x i32> zeroinitializer
%v407 = icmp sgt <8 x i32> %v402, %v406
%v408 = bitcast <8 x i1> %v407 to i8
%v409 = zext i8 %v408 to i32
store i32 %v409, ptr %s24
br label %head34
head34:
%v410 = load i32, ptr %s24
%v411 = icmp eq i32 %v410, 0
br i1 %v411, label %end35, label %next36
next36:
%v412 = load i32, ptr %s24
%v413 = call i32 @llvm.cttz.i32(i32 %v412, i1 false)
%v414 = sext i32 %v413 to i64
%v415 = load i32, ptr %s24
%v416 = load i32, ptr %s24
%v417 = sub i32 %v416, 1
%v418 = and i32 %v415, %v417
store i32 %v418, ptr %s24
%v419 = add i64 %v393, %v414
%v420 = getelementptr float, ptr %v12, i64 %v419
%v421 = load float, ptr %v420, align 4
%v422 = fadd float %v421, 0x0000000000000000
%v423 = bitcast float %v422 to i32
%v424 = ashr i32 %v423, 31
%v425 = and i32 %v424, 2147483647
%v426 = xor i32 %v423, %v425
%v427 = fcmp uno float %v421, %v421
%v428 = select i1 %v427, i32 2147483647, i32 %v426
%v429 = getelementptr i32, ptr %v6, i64 %v352
%v430 = load i32, ptr %v429, align 4
%v431 = icmp sgt i32 %v428, %v430
br i1 %v431, label %then37, label %else38
then37:
%v432 = add i64 %v393, %v414
store i64 %v352, ptr %s25
br label %head40
head40:
%v433 = load i64, ptr %s25
%v434 = icmp eq i64 %v433, 0
br i1 %v434, label %end41, label %next42
next42:
%v435 = load i64, ptr %s25
%v436 = sub i64 %v435, 1
%v437 = getelementptr i32, ptr %v6, i64 %v436
%v438 = load i32, ptr %v437, align 4
%v439 = icmp sge i32 %v438, %v428
br i1 %v439, label %end41, label %next43
next43:
%v440 = load i64, ptr %s25
%v441 = getelementptr i32, ptr %v6, i64 %v440
store i32 %v438, ptr %v441, align 4
%v442 = load i64, ptr %s25
%v443 = sub i64 %v442, 1
%v444 = getelementptr i32, ptr %v7, i64 %v443
%v445 = load i32, ptr %v444, align 4
%v446 = load i64, ptr %s25
%v447 = getelementptr i32, ptr %v7, i64 %v446
store i32 %v445, ptr %v447, align 4
%v448 = load i64, ptr %s25
%v449 = sub i64 %v448, 1
store i64 %v449, ptr %s25
br label %head40
end41:
%v450 = load i64, ptr %s25
%v451 = getelementptr i32, ptr %v6, i64 %v450
store i32 %v428, ptr %v451, align 4
%v452 = trunc i64 %v432 to i32
%v453 = load i64, ptr %s25
%v454 = getelementptr i32, ptr %v7, i64 %v453
store i32 %v452, ptr %v454, align 4
br label %end39
else38:
br label %end39
end39:
br label %head34
end35:
%v455 = add i64 %v393, 8
%v456 = icmp slt i64 %v455, %v391
br i1 %v456, label %loop31, label %end32
end32:
%v457 = icmp slt i64 %v391, 50
br i1 %v457, label %guard46, label %end45
guard46:
br label %loop44
loop44:
%v458 = phi i64 [ %v391, %guard46 ], [ %v493, %end49 ]
%v459 = getelementptr float, ptr %v12, i64 %v458
%v460 = load float, ptr %v459, align 4
%v461 = fadd float %v460, 0x0000000000000000
%v462 = bitcast float %v461 to i32
%v463 = ashr i32 %v462, 31
%v464 = and i32 %v463, 2147483647
%v465 = xor i32 %v462, %v464
%v466 = fcmp uno float %v460, %v460
%v467 = select i1 %v466, i32 2147483647, i32 %v465
%v468 = getelementptr i32, ptr %v6, i64 %v352
%v469 = load i32, ptr %v468, align 4
%v470 = icmp sgt i32 %v467, %v469
br i1 %v470, label %then47, label %else48
then47:
store i64 %v352, ptr %s26
br label %head50
head50:
%v471 = load i64, ptr %s26
%v472 = icmp eq i64 %v471, 0
br i1 %v472, label %end51, label %next52
next52:
%v473 = load i64, ptr %s26
%v474 = sub i64 %v473, 1
%v475 = getelementptr i32, ptr %v6, i64 %v474
%v476 = load i32, ptr %v475, align 4
%v477 = icmp sge i32 %v476, %v467
br i1 %v477, label %end51, label %next53
next53:
%v478 = load i64, ptr %s26
%v479 = getelementptr i32, ptr %v6, i64 %v478
store i32 %v476, ptr %v479, align 4
%v480 = load i64, ptr %s26
%v481 = sub i64 %v480, 1
%v482 = getelementptr i32, ptr %v7, i64 %v481
%v483 = load i32, ptr %v482, align 4
%v484 = load i64, ptr %s26
%v485 = getelementptr i32, ptr %v7, i64 %v484
store i32 %v483, ptr %v485, align 4
%v486 = load i64, ptr %s26
%v487 = sub i64 %v486, 1
store i64 %v487, ptr %s26
br label %head50
end51:
%v488 = load i64, ptr %s26
%v489 = getelementptr i32, ptr %v6, i64 %v488
store i32 %v467, ptr %v489, align 4
%v490 = trunc i64 %v458 to i32
%v491 = load i64, ptr %s26
%v492 = getelementptr i32, ptr %v7, i64 %v491
store i32 %v490, ptr %v492, align 4
br label %end49
else48:
br label %end49
end49:
%v493 = add i64 %v458, 1
%v494 = icmp slt i64 %v493, 50
br i1 %v494, label %loop44, label %end45
end45:
%v495 = icmp slt i64 0, %v344
br i1 %v495, label %guard56, label %end55
guard56:
br label %loop54
loop54:
%v496 = phi i64 [ 0, %guard56 ], [ %v535, %loop54 ]
%v497 = getelementptr i32, ptr %v7, i64 %v496
%v498 = load i32, ptr %v497, align 4
%v499 = sext i32 %v498 to i64
%v500 = getelementptr float, ptr %v12, i64 %v499
%v501 = load float, ptr %v500, align 4
%v502 = fpext float %v501 to double
%v503 = fsub double %v502, %v150
%v504 = fdiv double %v503, %v145
%v505 = fcmp ogt double 0xC09628CCCCCCCCCD, %v504
%v506 = select i1 %v505, double 0xC09628CCCCCCCCCD, double %v504
%v507 = fcmp olt double 0x4086300000000000, %v506
%v508 = select i1 %v507, double 0x4086300000000000, double %v506
%v509 = call double @llvm.fma.f64(double %v508, double 0x3FF71547652B82FE, double 0x43380000000007FE)
%v510 = fsub double %v509, 0x43380000000007FE
%v511 = call double @llvm.fma.f64(double %v510, double 0xBFE62E42FEFA3800, double %v508)
%v512 = bitcast double %v509 to i64
%v513 = call double @llvm.fma.f64(double %v510, double 0xBD2EF35793C76730, double %v511)
%v514 = lshr i64 %v512, 1
%v515 = shl i64 %v514, 52
%v516 = bitcast i64 %v515 to double
%v517 = fmul double %v513, %v513
%v518 = call double @llvm.fma.f64(double %v513, double 0x3FC555555555558B, double 0x3FE000000000000D)
%v519 = call double @llvm.fma.f64(double %v513, double 0x3F81111111101E2B, double 0x3FA555555554F64F)
%v520 = call double @llvm.fma.f64(double %v513, double 0x3F2A01A01FE30621, double 0x3F56C16C187F32DF)
%v521 = call double @llvm.fma.f64(double %v513, double 0x3EC71DD45384B9B0, double 0x3EFA0199020AB680)
%v522 = call double @llvm.fma.f64(double %v513, double 0x3E5B079B42926AB7, double 0x3E928B650F627A64)
%v523 = call double @llvm.fma.f64(double %v522, double %v517, double %v521)
%v524 = call double @llvm.fma.f64(double %v523, double %v517, double %v520)
%v525 = call double @llvm.fma.f64(double %v524, double %v517, double %v519)
%v526 = call double @llvm.fma.f64(double %v525, double %v517, double %v518)
%v527 = call double @llvm.fma.f64(double %v517, double %v526, double %v513)
%v528 = call double @llvm.fma.f64(double %v527, double %v516, double %v516)
%v529 = sub i64 %v512, %v514
%v530 = shl i64 %v529, 52
%v531 = bitcast i64 %v530 to double
%v532 = fmul double %v528, %v531
%v533 = fptrunc double %v532 to float
%v534 = getelementptr float, ptr %scratch, i64 %v499
store float %v533, ptr %v534, align 4
%v535 = add i64 %v496, 1
%v536 = icmp slt i64 %v535, %v344
br i1 %v536, label %loop54, label %end55
end55:
store double 0x0000000000000000, ptr %s27
%v537 = icmp slt i64 0, %v344
br i1 %v537, label %guard59, label %end58
guard59:
br label %loop57
loop57:
%v538 = phi i64 [ 0, %guard59 ], [ %v547, %loop57 ]
%v539 = load double, ptr %s27
%v540 = getelementptr i32, ptr %v7, i64 %v538
%v541 = load i32, ptr %v540, align 4
%v542 = sext i32 %v541 to i64
%v543 = getelementptr float, ptr %scratch, i64 %v542
%v544 = load float, ptr %v543, align 4
%v545 = fpext float %v544 to double
%v546 = fadd double %v539, %v545
store double %v546, ptr %s27
%v547 = add i64 %v538, 1
%v548 = icmp slt i64 %v547, %v344
br i1 %v548, label %loop57, label %end58
end58:
%v549 = load double, ptr %s27
store double 0x0000000000000000, ptr %s28
store i64 0, ptr %s29
%v550 = fmul double %v549, %v346
br label %head60
head60:
%v551 = load double, ptr %s28
%v552 = load i64, ptr %s29
%v553 = getelementptr i32, ptr %v7, i64 %v552
%v554 = load i32, ptr %v553, align 4
%v555 = sext i32 %v554 to i64
%v556 = getelementptr float, ptr %scratch, i64 %v555
%v557 = load float, ptr %v556, align 4
%v558 = fpext float %v557 to double
%v559 = fadd double %v551, %v558
store double %v559, ptr %s28
%v560 = load i64, ptr %s29
%v561 = add i64 %v560, 1
store i64 %v561, ptr %s29
%v562 = load double, ptr %s28
%v563 = fcmp oge double %v562, %v550
%v564 = fcmp olt double %v346, 0x3FF0000000000000
%v565 = and i1 %v563, %v564
%v566 = load i64, ptr %s29
%v567 = icmp sge i64 %v566, %v344
%v568 = or i1 %v565, %v567
br i1 %v568, label %end61, label %next62
next62:
br label %head60
end61:
%v569 = load i64, ptr %s29
%v570 = load double, ptr %s28
%v571 = fcmp oge double %v570, %v550
%v572 = icmp slt i64 0, %v569
br i1 %v572, label %guard65, label %end64
guard65:
br label %loop63
loop63:
%v573 = phi i64 [ 0, %guard65 ], [ %v598, %end67 ]
%v574 = getelementptr i32, ptr %v7, i64 %v573
%v575 = load i32, ptr %v574, align 4
%v576 = getelementptr i32, ptr %v6, i64 128
store i64 %v573, ptr %s30
br label %head66
head66:
%v577 = load i64, ptr %s30
%v578 = icmp eq i64 %v577, 0
br i1 %v578, label %end67, label %next68
next68:
%v579 = load i64, ptr %s30
%v580 = sub i64 %v579, 1
%v581 = getelementptr i32, ptr %v6, i64 %v580
%v582 = load i32, ptr %v581, align 4
%v583 = icmp sle i32 %v582, %v575
br i1 %v583, label %end67, label %next69
next69:
%v584 = load i64, ptr %s30
%v585 = getelementptr i32, ptr %v6, i64 %v584
store i32 %v582, ptr %v585, align 4
%v586 = load i64, ptr %s30
%v587 = sub i64 %v586, 1
%v588 = getelementptr i32, ptr %v576, i64 %v587
%v589 = load i32, ptr %v588, align 4
%v590 = load i64, ptr %s30
%v591 = getelementptr i32, ptr %v576, i64 %v590
store i32 %v589, ptr %v591, align 4
%v592 = load i64, ptr %s30
%v593 = sub i64 %v592, 1
store i64 %v593, ptr %s30
br label %head66
end67:
%v594 = load i64, ptr %s30
%v595 = getelementptr i32, ptr %v6, i64 %v594
store i32 %v575, ptr %v595, align 4
%v596 = load i64, ptr %s30
%v597 = getelementptr i32, ptr %v576, i64 %v596
store i32 %v575, ptr %v597, align 4
%v598 = add i64 %v573, 1
%v599 = icmp slt i64 %v598, %v569
br i1 %v599, label %loop63, label %end64
end64:
store double 0x0000000000000000, ptr %s31
%v600 = icmp slt i64 0, %v569
br i1 %v600, label %guard72, label %end71
guard72:
br label %loop70
loop70:
%v601 = phi i64 [ 0, %guard72 ], [ %v612, %loop70 ]
%v602 = load double, ptr %s31
%v603 = getelementptr i32, ptr %v6, i64 %v601
%v604 = load i32, ptr %v603, align 4
%v605 = sext i32 %v604 to i64
%v606 = getelementptr float, ptr %scratch, i64 %v605
%v607 = load float, ptr %v606, align 4
%v608 = fpext float %v607 to double
%v609 = fcmp oge double %v608, 0x0000000000000000
%v610 = select i1 %v609, double %v608, double 0x0000000000000000
%v611 = fadd double %v602, %v610
store double %v611, ptr %s31
%v612 = add i64 %v601, 1
%v613 = icmp slt i64 %v612, %v569
br i1 %v613, label %loop70, label %end71
end71:
%v614 = load double, ptr %s31
%v615 = fmul double %v341, %v614
store double 0x0000000000000000, ptr %s32
store i64 0, ptr %s33
br label %head73
head73:
%v616 = load double, ptr %s32
%v617 = load i64, ptr %s33
%v618 = getelementptr i32, ptr %v6, i64 %v617
%v619 = load i32, ptr %v618, align 4
%v620 = sext i32 %v619 to i64
%v621 = getelementptr float, ptr %scratch, i64 %v620
%v622 = load float, ptr %v621, align 4
%v623 = fpext float %v622 to double
%v624 = fcmp oge double %v623, 0x0000000000000000
%v625 = select i1 %v624, double %v623, double 0x0000000000000000
%v626 = fadd double %v616, %v625
store double %v626, ptr %s32
%v627 = load double, ptr %s32
%v628 = fcmp ogt double %v627, %v615
%v629 = load i64, ptr %s33
%v630 = sub i64 %v569, 1
%v631 = icmp sge i64 %v629, %v630
%v632 = or i1 %v628, %v631
br i1 %v632, label %end74, label %next75
next75:
%v633 = load i64, ptr %s33
%v634 = add i64 %v633, 1
store i64 %v634, ptr %s33
br label %head73
end74:
%v635 = load i64, ptr %s33
%v636 = getelementptr i32, ptr %v6, i64 %v635
%v637 = load i32, ptr %v636, align 4
%v638 = sext i32 %v637 to i64
store i64 %v638, ptr %s22
br label %end23
else22:
br label %loop76
loop76:
%v639 = phi i64 [ 0, %else22 ], [ %v679, %loop76 ]
%v640 = getelementptr float, ptr %v12, i64 %v639
%v641 = load <4 x float>, ptr %v640, align 4
%v642 = fpext <4 x float> %v641 to <4 x double>
%v643 = insertelement <4 x double> poison, double %v150, i32 0
%v644 = shufflevector <4 x double> %v643, <4 x double> poison, <4 x i32> zeroinitializer
%v645 = fsub <4 x double> %v642, %v644
%v646 = insertelement <4 x double> poison, double %v145, i32 0
%v647 = shufflevector <4 x double> %v646, <4 x double> poison, <4 x i32> zeroinitializer
%v648 = fdiv <4 x double> %v645, %v647
%v649 = fcmp ogt <4 x double> splat (double 0xC09628CCCCCCCCCD), %v648
%v650 = select <4 x i1> %v649, <4 x double> splat (double 0xC09628CCCCCCCCCD), <4 x double> %v648
%v651 = fcmp olt <4 x double> splat (double 0x4086300000000000), %v650
%v652 = select <4 x i1> %v651, <4 x double> splat (double 0x4086300000000000), <4 x double> %v650
%v653 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v652, <4 x double> splat (double 0x3FF71547652B82FE), <4 x double> splat (double 0x43380000000007FE))
%v654 = fsub <4 x double> %v653, splat (double 0x43380000000007FE)
%v655 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v654, <4 x double> splat (double 0xBFE62E42FEFA3800), <4 x double> %v652)
%v656 = bitcast <4 x double> %v653 to <4 x i64>
%v657 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v654, <4 x double> splat (double 0xBD2EF35793C76730), <4 x double> %v655)
%v658 = lshr <4 x i64> %v656, splat (i64 1)
%v659 = shl <4 x i64> %v658, splat (i64 52)
%v660 = bitcast <4 x i64> %v659 to <4 x double>
%v661 = fmul <4 x double> %v657, %v657
%v662 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v657, <4 x double> splat (double 0x3FC555555555558B), <4 x double> splat (double 0x3FE000000000000D))
%v663 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v657, <4 x double> splat (double 0x3F81111111101E2B), <4 x double> splat (double 0x3FA555555554F64F))
%v664 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v657, <4 x double> splat (double 0x3F2A01A01FE30621), <4 x double> splat (double 0x3F56C16C187F32DF))
%v665 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v657, <4 x double> splat (double 0x3EC71DD45384B9B0), <4 x double> splat (double 0x3EFA0199020AB680))
%v666 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v657, <4 x double> splat (double 0x3E5B079B42926AB7), <4 x double> splat (double 0x3E928B650F627A64))
%v667 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v666, <4 x double> %v661, <4 x double> %v665)
%v668 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v667, <4 x double> %v661, <4 x double> %v664)
%v669 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v668, <4 x double> %v661, <4 x double> %v663)
%v670 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v669, <4 x double> %v661, <4 x double> %v662)
%v671 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v661, <4 x double> %v670, <4 x double> %v657)
%v672 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v671, <4 x double> %v660, <4 x double> %v660)
%v673 = sub <4 x i64> %v656, %v658
%v674 = shl <4 x i64> %v673, splat (i64 52)
%v675 = bitcast <4 x i64> %v674 to <4 x double>
%v676 = fmul <4 x double> %v672, %v675
%v677 = fptrunc <4 x double> %v676 to <4 x float>
%v678 = getelementptr float, ptr %scratch, i64 %v639
store <4 x float> %v677, ptr %v678, align 4
%v679 = add i64 %v639, 4
%v680 = icmp slt i64 %v679, 48
br i1 %v680, label %loop76, label %end77
end77:
br label %loop78
loop78:
%v681 = phi i64 [ 48, %end77 ], [ %v717, %loop78 ]
%v682 = getelementptr float, ptr %v12, i64 %v681
%v683 = load float, ptr %v682, align 4
%v684 = fpext float %v683 to double
%v685 = fsub double %v684, %v150
%v686 = fdiv double %v685, %v145
%v687 = fcmp ogt double 0xC09628CCCCCCCCCD, %v686
%v688 = select i1 %v687, double 0xC09628CCCCCCCCCD, double %v686
%v689 = fcmp olt double 0x4086300000000000, %v688
%v690 = select i1 %v689, double 0x4086300000000000, double %v688
%v691 = call double @llvm.fma.f64(double %v690, double 0x3FF71547652B82FE, double 0x43380000000007FE)
%v692 = fsub double %v691, 0x43380000000007FE
%v693 = call double @llvm.fma.f64(double %v692, double 0xBFE62E42FEFA3800, double %v690)
%v694 = bitcast double %v691 to i64
%v695 = call double @llvm.fma.f64(double %v692, double 0xBD2EF35793C76730, double %v693)
%v696 = lshr i64 %v694, 1
%v697 = shl i64 %v696, 52
%v698 = bitcast i64 %v697 to double
%v699 = fmul double %v695, %v695
%v700 = call double @llvm.fma.f64(double %v695, double 0x3FC555555555558B, double 0x3FE000000000000D)
%v701 = call double @llvm.fma.f64(double %v695, double 0x3F81111111101E2B, double 0x3FA555555554F64F)
%v702 = call double @llvm.fma.f64(double %v695, double 0x3F2A01A01FE30621, double 0x3F56C16C187F32DF)
%v703 = call double @llvm.fma.f64(double %v695, double 0x3EC71DD45384B9B0, double 0x3EFA0199020AB680)
%v704 = call double @llvm.fma.f64(double %v695, double 0x3E5B079B42926AB7, double 0x3E928B650F627A64)
%v705 = call double @llvm.fma.f64(double %v704, double %v699, double %v703)
%v706 = call double @llvm.fma.f64(double %v705, double %v699, double %v702)
%v707 = call double @llvm.fma.f64(double %v706, double %v699, double %v701)
%v708 = call double @llvm.fma.f64(double %v707, double %v699, double %v700)
%v709 = call double @llvm.fma.f64(double %v699, double %v708, double %v695)
%v710 = call double @llvm.fma.f64(double %v709, double %v698, double %v698)
%v711 = sub i64 %v694, %v696
%v712 = shl i64 %v711, 52
%v713 = bitcast i64 %v712 to double
%v714 = fmul double %v710, %v713
%v715 = fptrunc double %v714 to float
%v716 = getelementptr float, ptr %scratch, i64 %v681
store float %v715, ptr %v716, align 4
%v717 = add i64 %v681, 1
%v718 = icmp slt i64 %v717, 50
br i1 %v718, label %loop78, label %end79
end79:
%v719 = fcmp olt double %v346, 0x3FF0000000000000
%v720 = or i1 %v349, %v719
br i1 %v720, label %then80, label %else81
then80:
%v721 = mul i64 %v10, 50
%v722 = getelementptr float, ptr %a3, i64 %v721
%v723 = getelementptr i32, ptr %v8, i64 64
%v724 = getelementptr i8, ptr %v8, i64 512
%v725 = getelementptr i8, ptr %v8, i64 768
%v726 = getelementptr i8, ptr %v8, i64 1024
%v727 = select i1 %v349, i64 %v344, i64 50
store i64 0, ptr %s34
%v728 = mul i64 %v727, 8
%v729 = icmp sle i64 %v728, 50
br i1 false, label %then83, label %else84
then83:
call void @sort_by_bytes_i32(ptr %v8, ptr %v723, ptr %v724, ptr %v725, ptr %v726, i64 0)
%v730 = mul i64 %v727, 5
%v731 = ashr i64 %v730, 8
%v732 = add i64 %v731, 16
%v733 = call i64 @llvm.smin.i64(i64 %v732, i64 -1)
%v734 = getelementptr i32, ptr %v8, i64 %v733
%v735 = load i32, ptr %v734, align 4
%v736 = xor i32 %v735, -2147483648
store i64 0, ptr %s35
br label %loop86
loop86:
%v737 = phi i64 [ 0, %then83 ], [ %v780, %end89 ]
%v738 = getelementptr float, ptr %v722, i64 %v737
%v739 = load <8 x float>, ptr %v738, align 4
%v740 = fadd <8 x float> %v739, splat (float 0x0000000000000000)
%v741 = bitcast <8 x float> %v740 to <8 x i32>
%v742 = ashr <8 x i32> %v741, splat (i32 31)
%v743 = and <8 x i32> %v742, splat (i32 2147483647)
%v744 = xor <8 x i32> %v741, %v743
%v745 = xor <8 x i32> %v744, splat (i32 -1)
%v746 = fcmp uno <8 x float> %v739, %v739
%v747 = select <8 x i1> %v746, <8 x i32> splat (i32 -2147483648), <8 x i32> %v745
%v748 = insertelement <8 x i32> poison, i32 %v736, i32 0
%v749 = shufflevector <8 x i32> %v748, <8 x i32> poison, <8 x i32> zeroinitializer
%v750 = icmp sle <8 x i32> %v747, %v749
%v751 = bitcast <8 x i1> %v750 to i8
%v752 = zext i8 %v751 to i32
store i32 %v752, ptr %s36
br label %head88
head88:
%v753 = load i32, ptr %s36
%v754 = icmp eq i32 %v753, 0
br i1 %v754, label %end89, label %next90
next90:
%v755 = load i32, ptr %s36
%v756 = call i32 @llvm.cttz.i32(i32 %v755, i1 false)
%v757 = sext i32 %v756 to i64
%v758 = load i32, ptr %s36
%v759 = load i32, ptr %s36
%v760 = sub i32 %v759, 1
%v761 = and i32 %v758, %v760
store i32 %v761, ptr %s36
%v762 = add i64 %v737, %v757
%v763 = getelementptr float, ptr %v722, i64 %v762
%v764 = load float, ptr %v763, align 4
%v765 = fadd float %v764, 0x0000000000000000
%v766 = bitcast float %v765 to i32
%v767 = ashr i32 %v766, 31
%v768 = and i32 %v767, 2147483647
%v769 = xor i32 %v766, %v768
%v770 = xor i32 %v769, -1
%v771 = fcmp uno float %v764, %v764
%v772 = select i1 %v771, i32 -2147483648, i32 %v770
%v773 = load i64, ptr %s35
%v774 = xor i32 %v772, -2147483648
%v775 = getelementptr i32, ptr %v8, i64 %v773
store i32 %v774, ptr %v775, align 4
%v776 = trunc i64 %v762 to i32
%v777 = getelementptr i32, ptr %v724, i64 %v773
store i32 %v776, ptr %v777, align 4
%v778 = load i64, ptr %s35
%v779 = add i64 %v778, 1
store i64 %v779, ptr %s35
br label %head88
end89:
%v780 = add i64 %v737, 8
%v781 = icmp slt i64 %v780, 48
br i1 %v781, label %loop86, label %end87
end87:
br label %loop91
loop91:
%v782 = phi i64 [ 48, %end87 ], [ %v811, %end95 ]
%v783 = getelementptr float, ptr %v722, i64 %v782
%v784 = load float, ptr %v783, align 4
%v785 = fadd float %v784, 0x0000000000000000
%v786 = bitcast float %v785 to i32
%v787 = ashr i32 %v786, 31
%v788 = and i32 %v787, 2147483647
%v789 = xor i32 %v786, %v788
%v790 = xor i32 %v789, -1
%v791 = fcmp uno float %v784, %v784
%v792 = select i1 %v791, i32 -2147483648, i32 %v790
%v793 = icmp sle i32 %v792, %v736
br i1 %v793, label %then93, label %else94
then93:
%v794 = getelementptr float, ptr %v722, i64 %v782
%v795 = load float, ptr %v794, align 4
%v796 = fadd float %v795, 0x0000000000000000
%v797 = bitcast float %v796 to i32
%v798 = ashr i32 %v797, 31
%v799 = and i32 %v798, 2147483647
%v800 = xor i32 %v797, %v799
%v801 = xor i32 %v800, -1
%v802 = fcmp uno float %v795, %v795
%v803 = select i1 %v802, i32 -2147483648, i32 %v801
%v804 = load i64, ptr %s35
%v805 = xor i32 %v803, -2147483648
%v806 = getelementptr i32, ptr %v8, i64 %v804
store i32 %v805, ptr %v806, align 4
%v807 = trunc i64 %v782 to i32
%v808 = getelementptr i32, ptr %v724, i64 %v804
store i32 %v807, ptr %v808, align 4
%v809 = load i64, ptr %s35
%v810 = add i64 %v809, 1
store i64 %v810, ptr %s35
br label %end95
else94:
br label %end95
end95:
%v811 = add i64 %v782, 1
%v812 = icmp slt i64 %v811, 50
br i1 %v812, label %loop91, label %end92
end92:
%v813 = load i64, ptr %s35
store i64 %v813, ptr %s34
br label %end85
else84:
br label %end85
end85:
%v814 = load i64, ptr %s34
%v815 = icmp sge i64 %v814, %v727
%v816 = load i64, ptr %s34
%v817 = icmp sgt i64 %v816, 0
%v818 = and i1 %v815, %v817
br i1 %v818, label %then96, label %else97
then96:
%v819 = load i64, ptr %s34
call void @sort_by_bytes_i32(ptr %v8, ptr %v723, ptr %v724, ptr %v725, ptr %v726, i64 %v819)
br label %end98
else97:
br i1 false, label %then99, label %else100
then99:
br label %loop102
loop102:
%v820 = phi i64 [ 0, %then99 ], [ %v853, %end105 ]
%v821 = getelementptr float, ptr %v722, i64 %v820
%v822 = load float, ptr %v821, align 4
%v823 = fadd float %v822, 0x0000000000000000
%v824 = bitcast float %v823 to i32
%v825 = ashr i32 %v824, 31
%v826 = and i32 %v825, 2147483647
%v827 = xor i32 %v824, %v826
%v828 = xor i32 %v827, -1
%v829 = fcmp uno float %v822, %v822
%v830 = select i1 %v829, i32 -2147483648, i32 %v828
store i64 %v820, ptr %s37
br label %head104
head104:
%v831 = load i64, ptr %s37
%v832 = icmp eq i64 %v831, 0
br i1 %v832, label %end105, label %next106
next106:
%v833 = load i64, ptr %s37
%v834 = sub i64 %v833, 1
%v835 = getelementptr i32, ptr %v8, i64 %v834
%v836 = load i32, ptr %v835, align 4
%v837 = icmp sle i32 %v836, %v830
br i1 %v837, label %end105, label %next107
next107:
%v838 = load i64, ptr %s37
%v839 = getelementptr i32, ptr %v8, i64 %v838
store i32 %v836, ptr %v839, align 4
%v840 = load i64, ptr %s37
%v841 = sub i64 %v840, 1
%v842 = getelementptr i32, ptr %v724, i64 %v841
%v843 = load i32, ptr %v842, align 4
%v844 = load i64, ptr %s37
%v845 = getelementptr i32, ptr %v724, i64 %v844
store i32 %v843, ptr %v845, align 4
%v846 = load i64, ptr %s37
%v847 = sub i64 %v846, 1
store i64 %v847, ptr %s37
br label %head104
end105:
%v848 = load i64, ptr %s37
%v849 = getelementptr i32, ptr %v8, i64 %v848
store i32 %v830, ptr %v849, align 4
%v850 = trunc i64 %v820 to i32
%v851 = load i64, ptr %s37
%v852 = getelementptr i32, ptr %v724, i64 %v851
store i32 %v850, ptr %v852, align 4
%v853 = add i64 %v820, 1
%v854 = icmp slt i64 %v853, 50
br i1 %v854, label %loop102, label %end103
end103:
br label %end101
else100:
br label %loop108
loop108:
%v855 = phi i64 [ 0, %else100 ], [ %v870, %loop108 ]
%v856 = getelementptr float, ptr %v722, i64 %v855
%v857 = load float, ptr %v856, align 4
%v858 = fadd float %v857, 0x0000000000000000
%v859 = bitcast float %v858 to i32
%v860 = ashr i32 %v859, 31
%v861 = and i32 %v860, 2147483647
%v862 = xor i32 %v859, %v861
%v863 = xor i32 %v862, -1
%v864 = fcmp uno float %v857, %v857
%v865 = select i1 %v864, i32 -2147483648, i32 %v863
%v866 = xor i32 %v865, -2147483648
%v867 = getelementptr i32, ptr %v8, i64 %v855
store i32 %v866, ptr %v867, align 4
%v868 = trunc i64 %v855 to i32
%v869 = getelementptr i32, ptr %v724, i64 %v855
store i32 %v868, ptr %v869, align 4
%v870 = add i64 %v855, 1
%v871 = icmp slt i64 %v870, 50
br i1 %v871, label %loop108, label %end109
end109:
call void @sort_by_bytes_i32(ptr %v8, ptr %v723, ptr %v724, ptr %v725, ptr %v726, i64 50)
br label %end101
end101:
br label %end98
end98:
store double 0x0000000000000000, ptr %s38
br i1 %v349, label %then110, label %else111
then110:
store double 0x0000000000000000, ptr %s39
%v872 = icmp slt i64 0, %v727
br i1 %v872, label %guard115, label %end114
guard115:
br label %loop113
loop113:
%v873 = phi i64 [ 0, %guard115 ], [ %v882, %loop113 ]
%v874 = load double, ptr %s39
%v875 = getelementptr i32, ptr %v724, i64 %v873
%v876 = load i32, ptr %v875, align 4
%v877 = sext i32 %v876 to i64
%v878 = getelementptr float, ptr %scratch, i64 %v877
%v879 = load float, ptr %v878, align 4
%v880 = fpext float %v879 to double
%v881 = fadd double %v874, %v880
store double %v881, ptr %s39
%v882 = add i64 %v873, 1
%v883 = icmp slt i64 %v882, %v727
br i1 %v883, label %loop113, label %end114
end114:
%v884 = load double, ptr %s39
store double %v884, ptr %s38
br label %end112
else111:
store double 0x0000000000000000, ptr %s40
br label %loop116
loop116:
%v885 = phi i64 [ 0, %else111 ], [ %v891, %loop116 ]
%v886 = load double, ptr %s40
%v887 = getelementptr float, ptr %scratch, i64 %v885
%v888 = load float, ptr %v887, align 4
%v889 = fpext float %v888 to double
%v890 = fadd double %v886, %v889
store double %v890, ptr %s40
%v891 = add i64 %v885, 1
%v892 = icmp slt i64 %v891, 50
br i1 %v892, label %loop116, label %end117
end117:
%v893 = load double, ptr %s40
store double %v893, ptr %s38
br label %end112
end112:
%v894 = load double, ptr %s38
store double 0x0000000000000000, ptr %s41
store i64 0, ptr %s42
%v895 = fmul double %v894, %v346
br label %head118
head118:
%v896 = load double, ptr %s41
%v897 = load i64, ptr %s42
%v898 = getelementptr i32, ptr %v724, i64 %v897
%v899 = load i32, ptr %v898, align 4
%v900 = sext i32 %v899 to i64
%v901 = getelementptr float, ptr %scratch, i64 %v900
%v902 = load float, ptr %v901, align 4
%v903 = fpext float %v902 to double
%v904 = fadd double %v896, %v903
store double %v904, ptr %s41
%v905 = load i64, ptr %s42
%v906 = add i64 %v905, 1
store i64 %v906, ptr %s42
%v907 = load double, ptr %s41
%v908 = fcmp oge double %v907, %v895
%v909 = fcmp olt double %v346, 0x3FF0000000000000
%v910 = and i1 %v908, %v909
%v911 = load i64, ptr %s42
%v912 = icmp sge i64 %v911, %v727
%v913 = or i1 %v910, %v912
br i1 %v913, label %end119, label %next120
next120:
br label %head118
end119:
%v914 = load i64, ptr %s42
%v915 = load double, ptr %s41
%v916 = fcmp oge double %v915, %v895
store i64 %v914, ptr %s43
%v917 = xor i1 %v349, true
%v918 = xor i1 %v916, true
%v919 = and i1 %v917, %v918
br i1 %v919, label %then121, label %else122
then121:
br i1 false, label %then124, label %else125
then124:
br label %loop127
loop127:
%v920 = phi i64 [ 0, %then124 ], [ %v953, %end130 ]
%v921 = getelementptr float, ptr %v722, i64 %v920
%v922 = load float, ptr %v921, align 4
%v923 = fadd float %v922, 0x0000000000000000
%v924 = bitcast float %v923 to i32
%v925 = ashr i32 %v924, 31
%v926 = and i32 %v925, 2147483647
%v927 = xor i32 %v924, %v926
%v928 = xor i32 %v927, -1
%v929 = fcmp uno float %v922, %v922
%v930 = select i1 %v929, i32 -2147483648, i32 %v928
store i64 %v920, ptr %s44
br label %head129
head129:
%v931 = load i64, ptr %s44
%v932 = icmp eq i64 %v931, 0
br i1 %v932, label %end130, label %next131
next131:
%v933 = load i64, ptr %s44
%v934 = sub i64 %v933, 1
%v935 = getelementptr i32, ptr %v8, i64 %v934
%v936 = load i32, ptr %v935, align 4
%v937 = icmp sle i32 %v936, %v930
br i1 %v937, label %end130, label %next132
next132:
%v938 = load i64, ptr %s44
%v939 = getelementptr i32, ptr %v8, i64 %v938
store i32 %v936, ptr %v939, align 4
%v940 = load i64, ptr %s44
%v941 = sub i64 %v940, 1
%v942 = getelementptr i32, ptr %v724, i64 %v941
%v943 = load i32, ptr %v942, align 4
%v944 = load i64, ptr %s44
%v945 = getelementptr i32, ptr %v724, i64 %v944
store i32 %v943, ptr %v945, align 4
%v946 = load i64, ptr %s44
%v947 = sub i64 %v946, 1
store i64 %v947, ptr %s44
br label %head129
end130:
%v948 = load i64, ptr %s44
%v949 = getelementptr i32, ptr %v8, i64 %v948
store i32 %v930, ptr %v949, align 4
%v950 = trunc i64 %v920 to i32
%v951 = load i64, ptr %s44
%v952 = getelementptr i32, ptr %v724, i64 %v951
store i32 %v950, ptr %v952, align 4
%v953 = add i64 %v920, 1
%v954 = icmp slt i64 %v953, 50
br i1 %v954, label %loop127, label %end128
end128:
br label %end126
else125:
br label %loop133
loop133:
%v955 = phi i64 [ 0, %else125 ], [ %v970, %loop133 ]
%v956 = getelementptr float, ptr %v722, i64 %v955
%v957 = load float, ptr %v956, align 4
%v958 = fadd float %v957, 0x0000000000000000
%v959 = bitcast float %v958 to i32
%v960 = ashr i32 %v959, 31
%v961 = and i32 %v960, 2147483647
%v962 = xor i32 %v959, %v961
%v963 = xor i32 %v962, -1
%v964 = fcmp uno float %v957, %v957
%v965 = select i1 %v964, i32 -2147483648, i32 %v963
%v966 = xor i32 %v965, -2147483648
%v967 = getelementptr i32, ptr %v8, i64 %v955
store i32 %v966, ptr %v967, align 4
%v968 = trunc i64 %v955 to i32
%v969 = getelementptr i32, ptr %v724, i64 %v955
store i32 %v968, ptr %v969, align 4
%v970 = add i64 %v955, 1
%v971 = icmp slt i64 %v970, 50
br i1 %v971, label %loop133, label %end134
end134:
call void @sort_by_bytes_i32(ptr %v8, ptr %v723, ptr %v724, ptr %v725, ptr %v726, i64 50)
br label %end126
end126:
%v972 = load double, ptr %s38
store double 0x0000000000000000, ptr %s45
store i64 0, ptr %s46
%v973 = fmul double %v972, %v346
br label %head135
head135:
%v974 = load double, ptr %s45
%v975 = load i64, ptr %s46
%v976 = getelementptr i32, ptr %v724, i64 %v975
%v977 = load i32, ptr %v976, align 4
%v978 = sext i32 %v977 to i64
%v979 = getelementptr float, ptr %scratch, i64 %v978
%v980 = load float, ptr %v979, align 4
%v981 = fpext float %v980 to double
%v982 = fadd double %v974, %v981
store double %v982, ptr %s45
%v983 = load i64, ptr %s46
%v984 = add i64 %v983, 1
store i64 %v984, ptr %s46
%v985 = load double, ptr %s45
%v986 = fcmp oge double %v985, %v973
%v987 = fcmp olt double %v346, 0x3FF0000000000000
%v988 = and i1 %v986, %v987
%v989 = load i64, ptr %s46
%v990 = icmp sge i64 %v989, 50
%v991 = or i1 %v988, %v990
br i1 %v991, label %end136, label %next137
next137:
br label %head135
end136:
%v992 = load i64, ptr %s46
%v993 = load double, ptr %s45
%v994 = fcmp oge double %v993, %v973
store i64 %v992, ptr %s43
br label %end123
else122:
br label %end123
end123:
store i64 0, ptr %s47
%v995 = load i64, ptr %s43
%v996 = icmp sle i64 %v995, 128
br i1 %v996, label %then138, label %else139
then138:
%v997 = load i64, ptr %s43
%v998 = icmp slt i64 0, %v997
br i1 %v998, label %guard143, label %end142
guard143:
br label %loop141
loop141:
%v999 = phi i64 [ 0, %guard143 ], [ %v1024, %end145 ]
%v1000 = getelementptr i32, ptr %v724, i64 %v999
%v1001 = load i32, ptr %v1000, align 4
%v1002 = getelementptr i32, ptr %v6, i64 128
store i64 %v999, ptr %s48
br label %head144
head144:
%v1003 = load i64, ptr %s48
%v1004 = icmp eq i64 %v1003, 0
br i1 %v1004, label %end145, label %next146
next146:
%v1005 = load i64, ptr %s48
%v1006 = sub i64 %v1005, 1
%v1007 = getelementptr i32, ptr %v6, i64 %v1006
%v1008 = load i32, ptr %v1007, align 4
%v1009 = icmp sle i32 %v1008, %v1001
br i1 %v1009, label %end145, label %next147
next147:
%v1010 = load i64, ptr %s48
%v1011 = getelementptr i32, ptr %v6, i64 %v1010
store i32 %v1008, ptr %v1011, align 4
%v1012 = load i64, ptr %s48
%v1013 = sub i64 %v1012, 1
%v1014 = getelementptr i32, ptr %v1002, i64 %v1013
%v1015 = load i32, ptr %v1014, align 4
%v1016 = load i64, ptr %s48
%v1017 = getelementptr i32, ptr %v1002, i64 %v1016
store i32 %v1015, ptr %v1017, align 4
%v1018 = load i64, ptr %s48
%v1019 = sub i64 %v1018, 1
store i64 %v1019, ptr %s48
br label %head144
end145:
%v1020 = load i64, ptr %s48
%v1021 = getelementptr i32, ptr %v6, i64 %v1020
store i32 %v1001, ptr %v1021, align 4
%v1022 = load i64, ptr %s48
%v1023 = getelementptr i32, ptr %v1002, i64 %v1022
store i32 %v1001, ptr %v1023, align 4
%v1024 = add i64 %v999, 1
%v1025 = icmp slt i64 %v1024, %v997
br i1 %v1025, label %loop141, label %end142
end142:
store double 0x0000000000000000, ptr %s49
%v1026 = icmp slt i64 0, %v997
br i1 %v1026, label %guard150, label %end149
guard150:
br label %loop148
loop148:
%v1027 = phi i64 [ 0, %guard150 ], [ %v1038, %loop148 ]
%v1028 = load double, ptr %s49
%v1029 = getelementptr i32, ptr %v6, i64 %v1027
%v1030 = load i32, ptr %v1029, align 4
%v1031 = sext i32 %v1030 to i64
%v1032 = getelementptr float, ptr %scratch, i64 %v1031
%v1033 = load float, ptr %v1032, align 4
%v1034 = fpext float %v1033 to double
%v1035 = fcmp oge double %v1034, 0x0000000000000000
%v1036 = select i1 %v1035, double %v1034, double 0x0000000000000000
%v1037 = fadd double %v1028, %v1036
store double %v1037, ptr %s49
%v1038 = add i64 %v1027, 1
%v1039 = icmp slt i64 %v1038, %v997
br i1 %v1039, label %loop148, label %end149
end149:
%v1040 = load double, ptr %s49
%v1041 = fmul double %v341, %v1040
store double 0x0000000000000000, ptr %s50
store i64 0, ptr %s51
br label %head151
head151:
%v1042 = load double, ptr %s50
%v1043 = load i64, ptr %s51
%v1044 = getelementptr i32, ptr %v6, i64 %v1043
%v1045 = load i32, ptr %v1044, align 4
%v1046 = sext i32 %v1045 to i64
%v1047 = getelementptr float, ptr %scratch, i64 %v1046
%v1048 = load float, ptr %v1047, align 4
%v1049 = fpext float %v1048 to double
%v1050 = fcmp oge double %v1049, 0x0000000000000000
%v1051 = select i1 %v1050, double %v1049, double 0x0000000000000000
%v1052 = fadd double %v1042, %v1051
store double %v1052, ptr %s50
%v1053 = load double, ptr %s50
%v1054 = fcmp ogt double %v1053, %v1041
%v1055 = load i64, ptr %s51
%v1056 = sub i64 %v997, 1
%v1057 = icmp sge i64 %v1055, %v1056
%v1058 = or i1 %v1054, %v1057
br i1 %v1058, label %end152, label %next153
next153:
%v1059 = load i64, ptr %s51
%v1060 = add i64 %v1059, 1
store i64 %v1060, ptr %s51
br label %head151
end152:
%v1061 = load i64, ptr %s51
%v1062 = getelementptr i32, ptr %v6, i64 %v1061
%v1063 = load i32, ptr %v1062, align 4
%v1064 = sext i32 %v1063 to i64
store i64 %v1064, ptr %s47
br label %end140
else139:
%v1065 = load i64, ptr %s43
%v1066 = sub i64 %v1065, 1
%v1067 = getelementptr i32, ptr %v724, i64 %v1066
%v1068 = load i32, ptr %v1067, align 4
%v1069 = sext i32 %v1068 to i64
%v1070 = getelementptr float, ptr %v12, i64 %v1069
%v1071 = load float, ptr %v1070, align 4
%v1072 = fadd float %v1071, 0x0000000000000000
%v1073 = bitcast float %v1072 to i32
%v1074 = ashr i32 %v1073, 31
%v1075 = and i32 %v1074, 2147483647
%v1076 = xor i32 %v1073, %v1075
%v1077 = fcmp uno float %v1071, %v1071
%v1078 = select i1 %v1077, i32 2147483647, i32 %v1076
store double 0x0000000000000000, ptr %s52
br label %loop154
loop154:
%v1079 = phi i64 [ 0, %else139 ], [ %v1111, %loop154 ]
%v1080 = load double, ptr %s52
%v1081 = getelementptr float, ptr %v12, i64 %v1079
%v1082 = load float, ptr %v1081, align 4
%v1083 = fadd float %v1082, 0x0000000000000000
%v1084 = bitcast float %v1083 to i32
%v1085 = ashr i32 %v1084, 31
%v1086 = and i32 %v1085, 2147483647
%v1087 = xor i32 %v1084, %v1086
%v1088 = fcmp uno float %v1082, %v1082
%v1089 = select i1 %v1088, i32 2147483647, i32 %v1087
%v1090 = icmp sgt i32 %v1089, %v1078
%v1091 = getelementptr float, ptr %v12, i64 %v1079
%v1092 = load float, ptr %v1091, align 4
%v1093 = fadd float %v1092, 0x0000000000000000
%v1094 = bitcast float %v1093 to i32
%v1095 = ashr i32 %v1094, 31
%v1096 = and i32 %v1095, 2147483647
%v1097 = xor i32 %v1094, %v1096
%v1098 = fcmp uno float %v1092, %v1092
%v1099 = select i1 %v1098, i32 2147483647, i32 %v1097
%v1100 = icmp eq i32 %v1099, %v1078
%v1101 = icmp sle i64 %v1079, %v1069
%v1102 = and i1 %v1100, %v1101
%v1103 = or i1 %v1090, %v1102
%v1104 = getelementptr float, ptr %scratch, i64 %v1079
%v1105 = load float, ptr %v1104, align 4
%v1106 = fpext float %v1105 to double
%v1107 = fcmp oge double %v1106, 0x0000000000000000
%v1108 = select i1 %v1107, double %v1106, double 0x0000000000000000
%v1109 = select i1 %v1103, double %v1108, double 0x0000000000000000
%v1110 = fadd double %v1080, %v1109
store double %v1110, ptr %s52
%v1111 = add i64 %v1079, 1
%v1112 = icmp slt i64 %v1111, 50
br i1 %v1112, label %loop154, label %end155
end155:
%v1113 = load double, ptr %s52
%v1114 = fmul double %v341, %v1113
store double 0x0000000000000000, ptr %s53
store i64 0, ptr %s54
br label %head156
head156:
%v1115 = load double, ptr %s53
%v1116 = load i64, ptr %s54
%v1117 = getelementptr float, ptr %v12, i64 %v1116
%v1118 = load float, ptr %v1117, align 4
%v1119 = fadd float %v1118, 0x0000000000000000
%v1120 = bitcast float %v1119 to i32
%v1121 = ashr i32 %v1120, 31
%v1122 = and i32 %v1121, 2147483647
%v1123 = xor i32 %v1120, %v1122
%v1124 = fcmp uno float %v1118, %v1118
%v1125 = select i1 %v1124, i32 2147483647, i32 %v1123
%v1126 = icmp sgt i32 %v1125, %v1078
%v1127 = getelementptr float, ptr %v12, i64 %v1116
%v1128 = load float, ptr %v1127, align 4
%v1129 = fadd float %v1128, 0x0000000000000000
%v1130 = bitcast float %v1129 to i32
%v1131 = ashr i32 %v1130, 31
%v1132 = and i32 %v1131, 2147483647
%v1133 = xor i32 %v1130, %v1132
%v1134 = fcmp uno float %v1128, %v1128
%v1135 = select i1 %v1134, i32 2147483647, i32 %v1133
%v1136 = icmp eq i32 %v1135, %v1078
%v1137 = icmp sle i64 %v1116, %v1069
%v1138 = and i1 %v1136, %v1137
%v1139 = or i1 %v1126, %v1138
%v1140 = getelementptr float, ptr %scratch, i64 %v1116
%v1141 = load float, ptr %v1140, align 4
%v1142 = fpext float %v1141 to double
%v1143 = fcmp oge double %v1142, 0x0000000000000000
%v1144 = select i1 %v1143, double %v1142, double 0x0000000000000000
%v1145 = select i1 %v1139, double %v1144, double 0x0000000000000000
%v1146 = fadd double %v1115, %v1145
store double %v1146, ptr %s53
%v1147 = load double, ptr %s53
%v1148 = fcmp ogt double %v1147, %v1114
%v1149 = load i64, ptr %s54
%v1150 = icmp sge i64 %v1149, 49
%v1151 = or i1 %v1148, %v1150
br i1 %v1151, label %end157, label %next158
next158:
%v1152 = load i64, ptr %s54
%v1153 = add i64 %v1152, 1
store i64 %v1153, ptr %s54
br label %head156
end157:
%v1154 = load i64, ptr %s54
store i64 %v1154, ptr %s47
br label %end140
end140:
%v1155 = load i64, ptr %s47
store i64 %v1155, ptr %s22
br label %end82
else81:
store double 0x0000000000000000, ptr %s55
br label %loop159
loop159:
%v1156 = phi i64 [ 0, %else81 ], [ %v1164, %loop159 ]
%v1157 = load double, ptr %s55
%v1158 = getelementptr float, ptr %scratch, i64 %v1156
%v1159 = load float, ptr %v1158, align 4
%v1160 = fpext float %v1159 to double
%v1161 = fcmp oge double %v1160, 0x0000000000000000
%v1162 = select i1 %v1161, double %v1160, double 0x0000000000000000
%v1163 = fadd double %v1157, %v1162
store double %v1163, ptr %s55
%v1164 = add i64 %v1156, 1
%v1165 = icmp slt i64 %v1164, 50
br i1 %v1165, label %loop159, label %end160
end160:
%v1166 = load double, ptr %s55
%v1167 = fmul double %v341, %v1166
store double 0x0000000000000000, ptr %s56
store i64 0, ptr %s57
br label %head161
head161:
%v1168 = load double, ptr %s56
%v1169 = load i64, ptr %s57
%v1170 = getelementptr float, ptr %scratch, i64 %v1169
%v1171 = load float, ptr %v1170, align 4
%v1172 = fpext float %v1171 to double
%v1173 = fcmp oge double %v1172, 0x0000000000000000
%v1174 = select i1 %v1173, double %v1172, double 0x0000000000000000
%v1175 = fadd double %v1168, %v1174
store double %v1175, ptr %s56
%v1176 = load double, ptr %s56
%v1177 = fcmp ogt double %v1176, %v1167
%v1178 = load i64, ptr %s57
%v1179 = icmp sge i64 %v1178, 49
%v1180 = or i1 %v1177, %v1179
br i1 %v1180, label %end162, label %next163
next163:
%v1181 = load i64, ptr %s57
%v1182 = add i64 %v1181, 1
store i64 %v1182, ptr %s57
br label %head161
end162:
%v1183 = load i64, ptr %s57
store i64 %v1183, ptr %s22
br label %end82
end82:
br label %end23
end23:
%v1184 = load i64, ptr %s22
store i64 %v1184, ptr %s15
br label %end20
else19:
br label %end20
end20:
%v1185 = load i64, ptr %s15
%v1186 = trunc i64 %v1185 to i32
%v1187 = getelementptr i32, ptr %a2, i64 %v10
store i32 %v1186, ptr %v1187, align 4
%v1188 = add i64 %v10, 1
%v1189 = icmp slt i64 %v1188, %end
br i1 %v1189, label %loop1, label %end2
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

