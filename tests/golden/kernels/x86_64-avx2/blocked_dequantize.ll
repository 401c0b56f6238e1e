; kernels for x86_64-avx2
; mir @blocked_dequantize {
;   %0 = input("x1") : f8e4m3[4, 16]
;   %1 = input("x2") : f32[2, 1]
;   %2 = blocked_dequantize(%0, %1, sf_block=(2, 16)) : f32[4, 16]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x i8> @llvm.masked.load.v8i8.p0(ptr, i32, <8 x i1>, <8 x i8>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @blocked_dequantize_0d92ba5a(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%s2 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 2
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
%v0 = mul i64 %begin, 8
%v1 = mul i64 %end, 8
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 2)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = urem i64 %v0, 2
store i64 %v4, ptr %s0
%v5 = udiv i64 %v0, 2
store i64 0, ptr %s1
store i64 %v0, ptr %s2
br label %head4
head4:
%v6 = load i64, ptr %s1
%v7 = sub i64 1, %v6
%v8 = load i64, ptr %s2
%v9 = sub i64 %v2, %v8
%v10 = call i64 @llvm.smin.i64(i64 %v7, i64 %v9)
%v11 = load i64, ptr %s0
%v12 = load i64, ptr %s1
%v13 = mul i64 %v11, 2
%v14 = mul i64 %v13, 16
%v15 = getelementptr float, ptr %a0, i64 %v14
%v16 = mul i64 %v13, 16
%v17 = getelementptr i8, ptr %a1, i64 %v16
%v18 = getelementptr float, ptr %a2, i64 %v11
%v19 = sub i64 4, %v13
%v20 = call i64 @llvm.smin.i64(i64 %v19, i64 2)
%v21 = mul i64 %v12, 16
%v22 = add i64 %v12, %v10
%v23 = mul i64 %v22, 16
%v24 = call i64 @llvm.smin.i64(i64 %v23, i64 16)
%v25 = sub i64 %v24, %v21
%v26 = ashr i64 %v25, 7
%v27 = mul i64 %v26, 128
%v28 = add i64 %v21, %v27
%v29 = icmp slt i64 %v21, %v28
br i1 %v29, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v30 = phi i64 [ %v21, %guard8 ], [ %v372, %end10 ]
%v31 = add i64 %v30, 16
%v32 = add i64 %v30, 32
%v33 = add i64 %v30, 48
%v34 = add i64 %v30, 64
%v35 = add i64 %v30, 80
%v36 = add i64 %v30, 96
%v37 = add i64 %v30, 112
%v38 = udiv i64 %v30, 16
%v39 = getelementptr float, ptr %v18, i64 %v38
%v40 = load float, ptr %v39, align 4
%v41 = insertelement <8 x float> poison, float %v40, i32 0
%v42 = shufflevector <8 x float> %v41, <8 x float> poison, <8 x i32> zeroinitializer
%v43 = udiv i64 %v31, 16
%v44 = getelementptr float, ptr %v18, i64 %v43
%v45 = load float, ptr %v44, align 4
%v46 = insertelement <8 x float> poison, float %v45, i32 0
%v47 = shufflevector <8 x float> %v46, <8 x float> poison, <8 x i32> zeroinitializer
%v48 = udiv i64 %v32, 16
%v49 = getelementptr float, ptr %v18, i64 %v48
%v50 = load float, ptr %v49, align 4
%v51 = insertelement <8 x float> poison, float %v50, i32 0
%v52 = shufflevector <8 x float> %v51, <8 x float> poison, <8 x i32> zeroinitializer
%v53 = udiv i64 %v33, 16
%v54 = getelementptr float, ptr %v18, i64 %v53
%v55 = load float, ptr %v54, align 4
%v56 = insertelement <8 x float> poison, float %v55, i32 0
%v57 = shufflevector <8 x float> %v56, <8 x float> poison, <8 x i32> zeroinitializer
%v58 = udiv i64 %v34, 16
%v59 = getelementptr float, ptr %v18, i64 %v58
%v60 = load float, ptr %v59, align 4
%v61 = insertelement <8 x float> poison, float %v60, i32 0
%v62 = shufflevector <8 x float> %v61, <8 x float> poison, <8 x i32> zeroinitializer
%v63 = udiv i64 %v35, 16
%v64 = getelementptr float, ptr %v18, i64 %v63
%v65 = load float, ptr %v64, align 4
%v66 = insertelement <8 x float> poison, float %v65, i32 0
%v67 = shufflevector <8 x float> %v66, <8 x float> poison, <8 x i32> zeroinitializer
%v68 = udiv i64 %v36, 16
%v69 = getelementptr float, ptr %v18, i64 %v68
%v70 = load float, ptr %v69, align 4
%v71 = insertelement <8 x float> poison, float %v70, i32 0
%v72 = shufflevector <8 x float> %v71, <8 x float> poison, <8 x i32> zeroinitializer
%v73 = udiv i64 %v37, 16
%v74 = getelementptr float, ptr %v18, i64 %v73
%v75 = load float, ptr %v74, align 4
%v76 = insertelement <8 x float> poison, float %v75, i32 0
%v77 = shufflevector <8 x float> %v76, <8 x float> poison, <8 x i32> zeroinitializer
%v78 = icmp slt i64 0, %v20
br i1 %v78, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v79 = phi i64 [ 0, %guard11 ], [ %v370, %loop9 ]
%v80 = mul i64 %v79, 16
%v81 = mul i64 %v79, 16
%v82 = add i64 %v80, %v30
%v83 = add i64 %v81, %v30
%v84 = getelementptr i8, ptr %v17, i64 %v83
%v85 = load <8 x i8>, ptr %v84, align 1
%v86 = zext <8 x i8> %v85 to <8 x i32>
%v87 = and <8 x i32> %v86, splat (i32 127)
%v88 = shl <8 x i32> %v87, splat (i32 20)
%v89 = bitcast <8 x i32> %v88 to <8 x float>
%v90 = fmul <8 x float> %v89, splat (float 0x4770000000000000)
%v91 = icmp eq <8 x i32> %v87, splat (i32 127)
%v92 = select <8 x i1> %v91, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v90
%v93 = and <8 x i32> %v86, splat (i32 128)
%v94 = icmp eq <8 x i32> %v93, splat (i32 0)
%v95 = fneg <8 x float> %v92
%v96 = select <8 x i1> %v94, <8 x float> %v92, <8 x float> %v95
%v97 = fmul <8 x float> %v96, %v42
%v98 = getelementptr float, ptr %v15, i64 %v82
store <8 x float> %v97, ptr %v98, align 4
%v99 = add i64 %v80, %v30
%v100 = add i64 %v99, 8
%v101 = add i64 %v81, %v30
%v102 = add i64 %v101, 8
%v103 = getelementptr i8, ptr %v17, i64 %v102
%v104 = load <8 x i8>, ptr %v103, align 1
%v105 = zext <8 x i8> %v104 to <8 x i32>
%v106 = and <8 x i32> %v105, splat (i32 127)
%v107 = shl <8 x i32> %v106, splat (i32 20)
%v108 = bitcast <8 x i32> %v107 to <8 x float>
%v109 = fmul <8 x float> %v108, splat (float 0x4770000000000000)
%v110 = icmp eq <8 x i32> %v106, splat (i32 127)
%v111 = select <8 x i1> %v110, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v109
%v112 = and <8 x i32> %v105, splat (i32 128)
%v113 = icmp eq <8 x i32> %v112, splat (i32 0)
%v114 = fneg <8 x float> %v111
%v115 = select <8 x i1> %v113, <8 x float> %v111, <8 x float> %v114
%v116 = fmul <8 x float> %v115, %v42
%v117 = getelementptr float, ptr %v15, i64 %v100
store <8 x float> %v116, ptr %v117, align 4
%v118 = add i64 %v80, %v31
%v119 = add i64 %v81, %v31
%v120 = getelementptr i8, ptr %v17, i64 %v119
%v121 = load <8 x i8>, ptr %v120, align 1
%v122 = zext <8 x i8> %v121 to <8 x i32>
%v123 = and <8 x i32> %v122, splat (i32 127)
%v124 = shl <8 x i32> %v123, splat (i32 20)
%v125 = bitcast <8 x i32> %v124 to <8 x float>
%v126 = fmul <8 x float> %v125, splat (float 0x4770000000000000)
%v127 = icmp eq <8 x i32> %v123, splat (i32 127)
%v128 = select <8 x i1> %v127, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v126
%v129 = and <8 x i32> %v122, splat (i32 128)
%v130 = icmp eq <8 x i32> %v129, splat (i32 0)
%v131 = fneg <8 x float> %v128
%v132 = select <8 x i1> %v130, <8 x float> %v128, <8 x float> %v131
%v133 = fmul <8 x float> %v132, %v47
%v134 = getelementptr float, ptr %v15, i64 %v118
store <8 x float> %v133, ptr %v134, align 4
%v135 = add i64 %v80, %v31
%v136 = add i64 %v135, 8
%v137 = add i64 %v81, %v31
%v138 = add i64 %v137, 8
%v139 = getelementptr i8, ptr %v17, i64 %v138
%v140 = load <8 x i8>, ptr %v139, align 1
%v141 = zext <8 x i8> %v140 to <8 x i32>
%v142 = and <8 x i32> %v141, splat (i32 127)
%v143 = shl <8 x i32> %v142, splat (i32 20)
%v144 = bitcast <8 x i32> %v143 to <8 x float>
%v145 = fmul <8 x float> %v144, splat (float 0x4770000000000000)
%v146 = icmp eq <8 x i32> %v142, splat (i32 127)
%v147 = select <8 x i1> %v146, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v145
%v148 = and <8 x i32> %v141, splat (i32 128)
%v149 = icmp eq <8 x i32> %v148, splat (i32 0)
%v150 = fneg <8 x float> %v147
%v151 = select <8 x i1> %v149, <8 x float> %v147, <8 x float> %v150
%v152 = fmul <8 x float> %v151, %v47
%v153 = getelementptr float, ptr %v15, i64 %v136
store <8 x float> %v152, ptr %v153, align 4
%v154 = add i64 %v80, %v32
%v155 = add i64 %v81, %v32
%v156 = getelementptr i8, ptr %v17, i64 %v155
%v157 = load <8 x i8>, ptr %v156, align 1
%v158 = zext <8 x i8> %v157 to <8 x i32>
%v159 = and <8 x i32> %v158, splat (i32 127)
%v160 = shl <8 x i32> %v159, splat (i32 20)
%v161 = bitcast <8 x i32> %v160 to <8 x float>
%v162 = fmul <8 x float> %v161, splat (float 0x4770000000000000)
%v163 = icmp eq <8 x i32> %v159, splat (i32 127)
%v164 = select <8 x i1> %v163, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v162
%v165 = and <8 x i32> %v158, splat (i32 128)
%v166 = icmp eq <8 x i32> %v165, splat (i32 0)
%v167 = fneg <8 x float> %v164
%v168 = select <8 x i1> %v166, <8 x float> %v164, <8 x float> %v167
%v169 = fmul <8 x float> %v168, %v52
%v170 = getelementptr float, ptr %v15, i64 %v154
store <8 x float> %v169, ptr %v170, align 4
%v171 = add i64 %v80, %v32
%v172 = add i64 %v171, 8
%v173 = add i64 %v81, %v32
%v174 = add i64 %v173, 8
%v175 = getelementptr i8, ptr %v17, i64 %v174
%v176 = load <8 x i8>, ptr %v175, align 1
%v177 = zext <8 x i8> %v176 to <8 x i32>
%v178 = and <8 x i32> %v177, splat (i32 127)
%v179 = shl <8 x i32> %v178, splat (i32 20)
%v180 = bitcast <8 x i32> %v179 to <8 x float>
%v181 = fmul <8 x float> %v180, splat (float 0x4770000000000000)
%v182 = icmp eq <8 x i32> %v178, splat (i32 127)
%v183 = select <8 x i1> %v182, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v181
%v184 = and <8 x i32> %v177, splat (i32 128)
%v185 = icmp eq <8 x i32> %v184, splat (i32 0)
%v186 = fneg <8 x float> %v183
%v187 = select <8 x i1> %v185, <8 x float> %v183, <8 x float> %v186
%v188 = fmul <8 x float> %v187, %v52
%v189 = getelementptr float, ptr %v15, i64 %v172
store <8 x float> %v188, ptr %v189, align 4
%v190 = add i64 %v80, %v33
%v191 = add i64 %v81, %v33
%v192 = getelementptr i8, ptr %v17, i64 %v191
%v193 = load <8 x i8>, ptr %v192, align 1
%v194 = zext <8 x i8> %v193 to <8 x i32>
%v195 = and <8 x i32> %v194, splat (i32 127)
%v196 = shl <8 x i32> %v195, splat (i32 20)
%v197 = bitcast <8 x i32> %v196 to <8 x float>
%v198 = fmul <8 x float> %v197, splat (float 0x4770000000000000)
%v199 = icmp eq <8 x i32> %v195, splat (i32 127)
%v200 = select <8 x i1> %v199, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v198
%v201 = and <8 x i32> %v194, splat (i32 128)
%v202 = icmp eq <8 x i32> %v201, splat (i32 0)
%v203 = fneg <8 x float> %v200
%v204 = select <8 x i1> %v202, <8 x float> %v200, <8 x float> %v203
%v205 = fmul <8 x float> %v204, %v57
%v206 = getelementptr float, ptr %v15, i64 %v190
store <8 x float> %v205, ptr %v206, align 4
%v207 = add i64 %v80, %v33
%v208 = add i64 %v207, 8
%v209 = add i64 %v81, %v33
%v210 = add i64 %v209, 8
%v211 = getelementptr i8, ptr %v17, i64 %v210
%v212 = load <8 x i8>, ptr %v211, align 1
%v213 = zext <8 x i8> %v212 to <8 x i32>
%v214 = and <8 x i32> %v213, splat (i32 127)
%v215 = shl <8 x i32> %v214, splat (i32 20)
%v216 = bitcast <8 x i32> %v215 to <8 x float>
%v217 = fmul <8 x float> %v216, splat (float 0x4770000000000000)
%v218 = icmp eq <8 x i32> %v214, splat (i32 127)
%v219 = select <8 x i1> %v218, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v217
%v220 = and <8 x i32> %v213, splat (i32 128)
%v221 = icmp eq <8 x i32> %v220, splat (i32 0)
%v222 = fneg <8 x float> %v219
%v223 = select <8 x i1> %v221, <8 x float> %v219, <8 x float> %v222
%v224 = fmul <8 x float> %v223, %v57
%v225 = getelementptr float, ptr %v15, i64 %v208
store <8 x float> %v224, ptr %v225, align 4
%v226 = add i64 %v80, %v34
%v227 = add i64 %v81, %v34
%v228 = getelementptr i8, ptr %v17, i64 %v227
%v229 = load <8 x i8>, ptr %v228, align 1
%v230 = zext <8 x i8> %v229 to <8 x i32>
%v231 = and <8 x i32> %v230, splat (i32 127)
%v232 = shl <8 x i32> %v231, splat (i32 20)
%v233 = bitcast <8 x i32> %v232 to <8 x float>
%v234 = fmul <8 x float> %v233, splat (float 0x4770000000000000)
%v235 = icmp eq <8 x i32> %v231, splat (i32 127)
%v236 = select <8 x i1> %v235, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v234
%v237 = and <8 x i32> %v230, splat (i32 128)
%v238 = icmp eq <8 x i32> %v237, splat (i32 0)
%v239 = fneg <8 x float> %v236
%v240 = select <8 x i1> %v238, <8 x float> %v236, <8 x float> %v239
%v241 = fmul <8 x float> %v240, %v62
%v242 = getelementptr float, ptr %v15, i64 %v226
store <8 x float> %v241, ptr %v242, align 4
%v243 = add i64 %v80, %v34
%v244 = add i64 %v243, 8
%v245 = add i64 %v81, %v34
%v246 = add i64 %v245, 8
%v247 = getelementptr i8, ptr %v17, i64 %v246
%v248 = load <8 x i8>, ptr %v247, align 1
%v249 = zext <8 x i8> %v248 to <8 x i32>
%v250 = and <8 x i32> %v249, splat (i32 127)
%v251 = shl <8 x i32> %v250, splat (i32 20)
%v252 = bitcast <8 x i32> %v251 to <8 x float>
%v253 = fmul <8 x float> %v252, splat (float 0x4770000000000000)
%v254 = icmp eq <8 x i32> %v250, splat (i32 127)
%v255 = select <8 x i1> %v254, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v253
%v256 = and <8 x i32> %v249, splat (i32 128)
%v257 = icmp eq <8 x i32> %v256, splat (i32 0)
%v258 = fneg <8 x float> %v255
%v259 = select <8 x i1> %v257, <8 x float> %v255, <8 x float> %v258
%v260 = fmul <8 x float> %v259, %v62
%v261 = getelementptr float, ptr %v15, i64 %v244
store <8 x float> %v260, ptr %v261, align 4
%v262 = add i64 %v80, %v35
%v263 = add i64 %v81, %v35
%v264 = getelementptr i8, ptr %v17, i64 %v263
%v265 = load <8 x i8>, ptr %v264, align 1
%v266 = zext <8 x i8> %v265 to <8 x i32>
%v267 = and <8 x i32> %v266, splat (i32 127)
%v268 = shl <8 x i32> %v267, splat (i32 20)
%v269 = bitcast <8 x i32> %v268 to <8 x float>
%v270 = fmul <8 x float> %v269, splat (float 0x4770000000000000)
%v271 = icmp eq <8 x i32> %v267, splat (i32 127)
%v272 = select <8 x i1> %v271, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v270
%v273 = and <8 x i32> %v266, splat (i32 128)
%v274 = icmp eq <8 x i32> %v273, splat (i32 0)
%v275 = fneg <8 x float> %v272
%v276 = select <8 x i1> %v274, <8 x float> %v272, <8 x float> %v275
%v277 = fmul <8 x float> %v276, %v67
%v278 = getelementptr float, ptr %v15, i64 %v262
store <8 x float> %v277, ptr %v278, align 4
%v279 = add i64 %v80, %v35
%v280 = add i64 %v279, 8
%v281 = add i64 %v81, %v35
%v282 = add i64 %v281, 8
%v283 = getelementptr i8, ptr %v17, i64 %v282
%v284 = load <8 x i8>, ptr %v283, align 1
%v285 = zext <8 x i8> %v284 to <8 x i32>
%v286 = and <8 x i32> %v285, splat (i32 127)
%v287 = shl <8 x i32> %v286, splat (i32 20)
%v288 = bitcast <8 x i32> %v287 to <8 x float>
%v289 = fmul <8 x float> %v288, splat (float 0x4770000000000000)
%v290 = icmp eq <8 x i32> %v286, splat (i32 127)
%v291 = select <8 x i1> %v290, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v289
%v292 = and <8 x i32> %v285, splat (i32 128)
%v293 = icmp eq <8 x i32> %v292, splat (i32 0)
%v294 = fneg <8 x float> %v291
%v295 = select <8 x i1> %v293, <8 x float> %v291, <8 x float> %v294
%v296 = fmul <8 x float> %v295, %v67
%v297 = getelementptr float, ptr %v15, i64 %v280
store <8 x float> %v296, ptr %v297, align 4
%v298 = add i64 %v80, %v36
%v299 = add i64 %v81, %v36
%v300 = getelementptr i8, ptr %v17, i64 %v299
%v301 = load <8 x i8>, ptr %v300, align 1
%v302 = zext <8 x i8> %v301 to <8 x i32>
%v303 = and <8 x i32> %v302, splat (i32 127)
%v304 = shl <8 x i32> %v303, splat (i32 20)
%v305 = bitcast <8 x i32> %v304 to <8 x float>
%v306 = fmul <8 x float> %v305, splat (float 0x4770000000000000)
%v307 = icmp eq <8 x i32> %v303, splat (i32 127)
%v308 = select <8 x i1> %v307, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v306
%v309 = and <8 x i32> %v302, splat (i32 128)
%v310 = icmp eq <8 x i32> %v309, splat (i32 0)
%v311 = fneg <8 x float> %v308
%v312 = select <8 x i1> %v310, <8 x float> %v308, <8 x float> %v311
%v313 = fmul <8 x float> %v312, %v72
%v314 = getelementptr float, ptr %v15, i64 %v298
store <8 x float> %v313, ptr %v314, align 4
%v315 = add i64 %v80, %v36
%v316 = add i64 %v315, 8
%v317 = add i64 %v81, %v36
%v318 = add i64 %v317, 8
%v319 = getelementptr i8, ptr %v17, i64 %v318
%v320 = load <8 x i8>, ptr %v319, align 1
%v321 = zext <8 x i8> %v320 to <8 x i32>
%v322 = and <8 x i32> %v321, splat (i32 127)
%v323 = shl <8 x i32> %v322, splat (i32 20)
%v324 = bitcast <8 x i32> %v323 to <8 x float>
%v325 = fmul <8 x float> %v324, splat (float 0x4770000000000000)
%v326 = icmp eq <8 x i32> %v322, splat (i32 127)
%v327 = select <8 x i1> %v326, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v325
%v328 = and <8 x i32> %v321, splat (i32 128)
%v329 = icmp eq <8 x i32> %v328, splat (i32 0)
%v330 = fneg <8 x float> %v327
%v331 = select <8 x i1> %v329, <8 x float> %v327, <8 x float> %v330
%v332 = fmul <8 x float> %v331, %v72
%v333 = getelementptr float, ptr %v15, i64 %v316
store <8 x float> %v332, ptr %v333, align 4
%v334 = add i64 %v80, %v37
%v335 = add i64 %v81, %v37
%v336 = getelementptr i8, ptr %v17, i64 %v335
%v337 = load <8 x i8>, ptr %v336, align 1
%v338 = zext <8 x i8> %v337 to <8 x i32>
%v339 = and <8 x i32> %v338, splat (i32 127)
%v340 = shl <8 x i32> %v339, splat (i32 20)
%v341 = bitcast <8 x i32> %v340 to <8 x float>
%v342 = fmul <8 x float> %v341, splat (float 0x4770000000000000)
%v343 = icmp eq <8 x i32> %v339, splat (i32 127)
%v344 = select <8 x i1> %v343, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v342
%v345 = and <8 x i32> %v338, splat (i32 128)
%v346 = icmp eq <8 x i32> %v345, splat (i32 0)
%v347 = fneg <8 x float> %v344
%v348 = select <8 x i1> %v346, <8 x float> %v344, <8 x float> %v347
%v349 = fmul <8 x float> %v348, %v77
%v350 = getelementptr float, ptr %v15, i64 %v334
store <8 x float> %v349, ptr %v350, align 4
%v351 = add i64 %v80, %v37
%v352 = add i64 %v351, 8
%v353 = add i64 %v81, %v37
%v354 = add i64 %v353, 8
%v355 = getelementptr i8, ptr %v17, i64 %v354
%v356 = load <8 x i8>, ptr %v355, align 1
%v357 = zext <8 x i8> %v356 to <8 x i32>
%v358 = and <8 x i32> %v357, splat (i32 127)
%v359 = shl <8 x i32> %v358, splat (i32 20)
%v360 = bitcast <8 x i32> %v359 to <8 x float>
%v361 = fmul <8 x float> %v360, splat (float 0x4770000000000000)
%v362 = icmp eq <8 x i32> %v358, splat (i32 127)
%v363 = select <8 x i1> %v362, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v361
%v364 = and <8 x i32> %v357, splat (i32 128)
%v365 = icmp eq <8 x i32> %v364, splat (i32 0)
%v366 = fneg <8 x float> %v363
%v367 = select <8 x i1> %v365, <8 x float> %v363, <8 x float> %v366
%v368 = fmul <8 x float> %v367, %v77
%v369 = getelementptr float, ptr %v15, i64 %v352
store <8 x float> %v368, ptr %v369, align 4
%v370 = add i64 %v79, 1
%v371 = icmp slt i64 %v370, %v20
br i1 %v371, label %loop9, label %end10
end10:
%v372 = add i64 %v30, 128
%v373 = icmp slt i64 %v372, %v28
br i1 %v373, label %loop6, label %end7
end7:
%v374 = sub i64 %v24, %v28
%v375 = ashr i64 %v374, 4
%v376 = mul i64 %v375, 16
%v377 = add i64 %v28, %v376
%v378 = icmp slt i64 %v28, %v377
br i1 %v378, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v379 = phi i64 [ %v28, %guard14 ], [ %v427, %end16 ]
%v380 = udiv i64 %v379, 16
%v381 = getelementptr float, ptr %v18, i64 %v380
%v382 = load float, ptr %v381, align 4
%v383 = insertelement <8 x float> poison, float %v382, i32 0
%v384 = shufflevector <8 x float> %v383, <8 x float> poison, <8 x i32> zeroinitializer
%v385 = icmp slt i64 0, %v20
br i1 %v385, label %guard17, label %end16
guard17:
br label %loop15
loop15:
%v386 = phi i64 [ 0, %guard17 ], [ %v425, %loop15 ]
%v387 = mul i64 %v386, 16
%v388 = mul i64 %v386, 16
%v389 = add i64 %v387, %v379
%v390 = add i64 %v388, %v379
%v391 = getelementptr i8, ptr %v17, i64 %v390
%v392 = load <8 x i8>, ptr %v391, align 1
%v393 = zext <8 x i8> %v392 to <8 x i32>
%v394 = and <8 x i32> %v393, splat (i32 127)
%v395 = shl <8 x i32> %v394, splat (i32 20)
%v396 = bitcast <8 x i32> %v395 to <8 x float>
%v397 = fmul <8 x float> %v396, splat (float 0x4770000000000000)
%v398 = icmp eq <8 x i32> %v394, splat (i32 127)
%v399 = select <8 x i1> %v398, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v397
%v400 = and <8 x i32> %v393, splat (i32 128)
%v401 = icmp eq <8 x i32> %v400, splat (i32 0)
%v402 = fneg <8 x float> %v399
%v403 = select <8 x i1> %v401, <8 x float> %v399, <8 x float> %v402
%v404 = fmul <8 x float> %v403, %v384
%v405 = getelementptr float, ptr %v15, i64 %v389
store <8 x float> %v404, ptr %v405, align 4
%v406 = add i64 %v387, %v379
%v407 = add i64 %v406, 8
%v408 = add i64 %v388, %v379
%v409 = add i64 %v408, 8
%v410 = getelementptr i8, ptr %v17, i64 %v409
%v411 = load <8 x i8>, ptr %v410, align 1
%v412 = zext <8 x i8> %v411 to <8 x i32>
%v413 = and <8 x i32> %v412, splat (i32 127)
%v414 = shl <8 x i32> %v413, splat (i32 20)
%v415 = bitcast <8 x i32> %v414 to <8 x float>
%v416 = fmul <8 x float> %v415, splat (float 0x4770000000000000)
%v417 = icmp eq <8 x i32> %v413, splat (i32 127)
%v418 = select <8 x i1> %v417, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v416
%v419 = and <8 x i32> %v412, splat (i32 128)
%v420 = icmp eq <8 x i32> %v419, splat (i32 0)
%v421 = fneg <8 x float> %v418
%v422 = select <8 x i1> %v420, <8 x float> %v418, <8 x float> %v421
%v423 = fmul <8 x float> %v422, %v384
%v424 = getelementptr float, ptr %v15, i64 %v407
store <8 x float> %v423, ptr %v424, align 4
%v425 = add i64 %v386, 1
%v426 = icmp slt i64 %v425, %v20
br i1 %v426, label %loop15, label %end16
end16:
%v427 = add i64 %v379, 16
%v428 = icmp slt i64 %v427, %v377
br i1 %v428, label %loop12, label %end13
end13:
%v429 = icmp slt i64 %v377, %v24
br i1 %v429, label %then18, label %else19
then18:
%v430 = sub i64 %v24, %v377
%v431 = udiv i64 %v377, 16
%v432 = getelementptr float, ptr %v18, i64 %v431
%v433 = load float, ptr %v432, align 4
%v434 = insertelement <8 x float> poison, float %v433, i32 0
%v435 = shufflevector <8 x float> %v434, <8 x float> poison, <8 x i32> zeroinitializer
%v436 = icmp slt i64 0, %v20
br i1 %v436, label %guard23, label %end22
guard23:
br label %loop21
loop21:
%v437 = phi i64 [ 0, %guard23 ], [ %v494, %end29 ]
%v438 = mul i64 %v437, 16
%v439 = mul i64 %v437, 16
%v440 = ashr i64 %v430, 3
%v441 = mul i64 %v440, 8
%v442 = icmp slt i64 0, %v441
br i1 %v442, label %guard26, label %end25
guard26:
br label %loop24
loop24:
%v443 = phi i64 [ 0, %guard26 ], [ %v463, %loop24 ]
%v444 = add i64 %v438, %v377
%v445 = add i64 %v444, %v443
%v446 = add i64 %v439, %v377
%v447 = add i64 %v446, %v443
%v448 = getelementptr i8, ptr %v17, i64 %v447
%v449 = load <8 x i8>, ptr %v448, align 1
%v450 = zext <8 x i8> %v449 to <8 x i32>
%v451 = and <8 x i32> %v450, splat (i32 127)
%v452 = shl <8 x i32> %v451, splat (i32 20)
%v453 = bitcast <8 x i32> %v452 to <8 x float>
%v454 = fmul <8 x float> %v453, splat (float 0x4770000000000000)
%v455 = icmp eq <8 x i32> %v451, splat (i32 127)
%v456 = select <8 x i1> %v455, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v454
%v457 = and <8 x i32> %v450, splat (i32 128)
%v458 = icmp eq <8 x i32> %v457, splat (i32 0)
%v459 = fneg <8 x float> %v456
%v460 = select <8 x i1> %v458, <8 x float> %v456, <8 x float> %v459
%v461 = fmul <8 x float> %v460, %v435
%v462 = getelementptr float, ptr %v15, i64 %v445
store <8 x float> %v461, ptr %v462, align 4
%v463 = add i64 %v443, 8
%v464 = icmp slt i64 %v463, %v441
br i1 %v464, label %loop24, label %end25
end25:
%v465 = sub i64 %v430, %v441
%v466 = icmp sgt i64 %v465, 0
br i1 %v466, label %then27, label %else28
then27:
%v467 = add i64 %v438, %v377
%v468 = add i64 %v467, %v441
%v469 = add i64 %v439, %v377
%v470 = add i64 %v469, %v441
%v471 = trunc i64 %v465 to i32
%v472 = insertelement <8 x i32> poison, i32 %v471, i32 0
%v473 = shufflevector <8 x i32> %v472, <8 x i32> poison, <8 x i32> zeroinitializer
%v474 = icmp sgt <8 x i32> %v473, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v475 = getelementptr i8, ptr %v17, i64 %v470
%v476 = call <8 x i8> @llvm.masked.load.v8i8.p0(ptr %v475, i32 1, <8 x i1> %v474, <8 x i8> splat (i8 0))
%v477 = zext <8 x i8> %v476 to <8 x i32>
%v478 = and <8 x i32> %v477, splat (i32 127)
%v479 = shl <8 x i32> %v478, splat (i32 20)
%v480 = bitcast <8 x i32> %v479 to <8 x float>
%v481 = fmul <8 x float> %v480, splat (float 0x4770000000000000)
%v482 = icmp eq <8 x i32> %v478, splat (i32 127)
%v483 = select <8 x i1> %v482, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v481
%v484 = and <8 x i32> %v477, splat (i32 128)
%v485 = icmp eq <8 x i32> %v484, splat (i32 0)
%v486 = fneg <8 x float> %v483
%v487 = select <8 x i1> %v485, <8 x float> %v483, <8 x float> %v486
%v488 = fmul <8 x float> %v487, %v435
%v489 = getelementptr float, ptr %v15, i64 %v468
%v490 = trunc i64 %v465 to i32
%v491 = insertelement <8 x i32> poison, i32 %v490, i32 0
%v492 = shufflevector <8 x i32> %v491, <8 x i32> poison, <8 x i32> zeroinitializer
%v493 = icmp sgt <8 x i32> %v492, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v488, ptr %v489, i32 4, <8 x i1> %v493)
br label %end29
else28:
br label %end29
end29:
%v494 = add i64 %v437, 1
%v495 = icmp slt i64 %v494, %v20
br i1 %v495, label %loop21, label %end22
end22:
br label %end20
else19:
br label %end20
end20:
%v496 = load i64, ptr %s2
%v497 = add i64 %v496, %v10
store i64 %v497, ptr %s2
store i64 0, ptr %s1
%v498 = load i64, ptr %s0
%v499 = add i64 %v498, 1
%v500 = icmp eq i64 %v499, 2
%v501 = select i1 %v500, i64 0, i64 %v499
store i64 %v501, ptr %s0
%v502 = load i64, ptr %s2
%v503 = icmp sge i64 %v502, %v2
br i1 %v503, label %end5, label %next30
next30:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

