; kernels for x86_64-avx2
; mir @matmul_unpacked_columns {
;   %0 = input("x1") : bf16[3, 24]
;   %1 = input("x2") : bf16[20, 24]
;   %2 = transpose(%1, perm=(1, 0)) : bf16[24, 20]
;   %3 = matmul(%0, %2) : bf16[3, 20]
;   return y1=%3
; }

declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare void @llvm.masked.store.v8i16.p0(<8 x i16>, ptr, i32, <8 x i1>)

define void @matmul_0d72604e(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v302, %end13 ]
%v2 = getelementptr i8, ptr %scratch, i64 73728
br label %loop4
loop4:
%v3 = phi i64 [ 0, %loop1 ], [ %v17, %end7 ]
br label %loop6
loop6:
%v4 = phi i64 [ 0, %loop4 ], [ %v15, %loop6 ]
%v5 = mul i64 %v3, 24
%v6 = add i64 %v5, %v4
%v7 = getelementptr i16, ptr %a0, i64 %v6
%v8 = load <8 x i16>, ptr %v7, align 2
%v9 = zext <8 x i16> %v8 to <8 x i32>
%v10 = shl <8 x i32> %v9, splat (i32 16)
%v11 = bitcast <8 x i32> %v10 to <8 x float>
%v12 = mul i64 %v3, 400
%v13 = add i64 %v12, %v4
%v14 = getelementptr float, ptr %v2, i64 %v13
store <8 x float> %v11, ptr %v14, align 4
%v15 = add i64 %v4, 8
%v16 = icmp slt i64 %v15, 24
br i1 %v16, label %loop6, label %end7
end7:
%v17 = add i64 %v3, 1
%v18 = icmp slt i64 %v17, 3
br i1 %v18, label %loop4, label %end5
end5:
br label %loop8
loop8:
%v19 = phi i64 [ 0, %end5 ], [ %v205, %end11 ]
%v20 = mul i64 %v19, 24
%v21 = getelementptr i16, ptr %a1, i64 %v20
store <8 x float> splat (float 0x0000000000000000), ptr %s6
store <8 x float> splat (float 0x0000000000000000), ptr %s7
store <8 x float> splat (float 0x0000000000000000), ptr %s8
store <8 x float> splat (float 0x0000000000000000), ptr %s9
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <8 x float> splat (float 0x0000000000000000), ptr %s11
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
%v22 = getelementptr float, ptr %v2, i64 400
%v23 = getelementptr float, ptr %v2, i64 800
%v24 = getelementptr float, ptr %v2, i64 800
%v25 = getelementptr i16, ptr %v21, i64 24
br label %loop10
loop10:
%v26 = phi i64 [ 0, %loop8 ], [ %v61, %loop10 ]
%v27 = getelementptr i16, ptr %v21, i64 %v26
%v28 = load <8 x i16>, ptr %v27, align 2
%v29 = zext <8 x i16> %v28 to <8 x i32>
%v30 = shl <8 x i32> %v29, splat (i32 16)
%v31 = bitcast <8 x i32> %v30 to <8 x float>
%v32 = getelementptr i16, ptr %v25, i64 %v26
%v33 = load <8 x i16>, ptr %v32, align 2
%v34 = zext <8 x i16> %v33 to <8 x i32>
%v35 = shl <8 x i32> %v34, splat (i32 16)
%v36 = bitcast <8 x i32> %v35 to <8 x float>
%v37 = getelementptr float, ptr %v2, i64 %v26
%v38 = load <8 x float>, ptr %v37, align 4
%v39 = load <8 x float>, ptr %s6
%v40 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v38, <8 x float> %v31, <8 x float> %v39)
store <8 x float> %v40, ptr %s6
%v41 = load <8 x float>, ptr %s7
%v42 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v38, <8 x float> %v36, <8 x float> %v41)
store <8 x float> %v42, ptr %s7
%v43 = getelementptr float, ptr %v22, i64 %v26
%v44 = load <8 x float>, ptr %v43, align 4
%v45 = load <8 x float>, ptr %s8
%v46 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v44, <8 x float> %v31, <8 x float> %v45)
store <8 x float> %v46, ptr %s8
%v47 = load <8 x float>, ptr %s9
%v48 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v44, <8 x float> %v36, <8 x float> %v47)
store <8 x float> %v48, ptr %s9
%v49 = getelementptr float, ptr %v23, i64 %v26
%v50 = load <8 x float>, ptr %v49, align 4
%v51 = load <8 x float>, ptr %s10
%v52 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v50, <8 x float> %v31, <8 x float> %v51)
store <8 x float> %v52, ptr %s10
%v53 = load <8 x float>, ptr %s11
%v54 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v50, <8 x float> %v36, <8 x float> %v53)
store <8 x float> %v54, ptr %s11
%v55 = getelementptr float, ptr %v24, i64 %v26
%v56 = load <8 x float>, ptr %v55, align 4
%v57 = load <8 x float>, ptr %s12
%v58 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v56, <8 x float> %v31, <8 x float> %v57)
store <8 x float> %v58, ptr %s12
%v59 = load <8 x float>, ptr %s13
%v60 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v56, <8 x float> %v36, <8 x float> %v59)
store <8 x float> %v60, ptr %s13
%v61 = add i64 %v26, 8
%v62 = icmp slt i64 %v61, 24
br i1 %v62, label %loop10, label %end11
end11:
%v63 = load <8 x float>, ptr %s6
%v64 = shufflevector <8 x float> %v63, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v65 = shufflevector <8 x float> %v63, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v66 = fadd <4 x float> %v64, %v65
%v67 = shufflevector <4 x float> %v66, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v68 = shufflevector <4 x float> %v66, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v69 = fadd <2 x float> %v67, %v68
%v70 = shufflevector <2 x float> %v69, <2 x float> poison, <1 x i32> <i32 0>
%v71 = shufflevector <2 x float> %v69, <2 x float> poison, <1 x i32> <i32 1>
%v72 = fadd <1 x float> %v70, %v71
%v73 = extractelement <1 x float> %v72, i64 0
%v74 = load <8 x float>, ptr %s7
%v75 = shufflevector <8 x float> %v74, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v76 = shufflevector <8 x float> %v74, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v77 = fadd <4 x float> %v75, %v76
%v78 = shufflevector <4 x float> %v77, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v79 = shufflevector <4 x float> %v77, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v80 = fadd <2 x float> %v78, %v79
%v81 = shufflevector <2 x float> %v80, <2 x float> poison, <1 x i32> <i32 0>
%v82 = shufflevector <2 x float> %v80, <2 x float> poison, <1 x i32> <i32 1>
%v83 = fadd <1 x float> %v81, %v82
%v84 = extractelement <1 x float> %v83, i64 0
%v85 = load <8 x float>, ptr %s8
%v86 = shufflevector <8 x float> %v85, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v87 = shufflevector <8 x float> %v85, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v88 = fadd <4 x float> %v86, %v87
%v89 = shufflevector <4 x float> %v88, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v90 = shufflevector <4 x float> %v88, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v91 = fadd <2 x float> %v89, %v90
%v92 = shufflevector <2 x float> %v91, <2 x float> poison, <1 x i32> <i32 0>
%v93 = shufflevector <2 x float> %v91, <2 x float> poison, <1 x i32> <i32 1>
%v94 = fadd <1 x float> %v92, %v93
%v95 = extractelement <1 x float> %v94, i64 0
%v96 = load <8 x float>, ptr %s9
%v97 = shufflevector <8 x float> %v96, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v98 = shufflevector <8 x float> %v96, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v99 = fadd <4 x float> %v97, %v98
%v100 = shufflevector <4 x float> %v99, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v101 = shufflevector <4 x float> %v99, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v102 = fadd <2 x float> %v100, %v101
%v103 = shufflevector <2 x float> %v102, <2 x float> poison, <1 x i32> <i32 0>
%v104 = shufflevector <2 x float> %v102, <2 x float> poison, <1 x i32> <i32 1>
%v105 = fadd <1 x float> %v103, %v104
%v106 = extractelement <1 x float> %v105, i64 0
%v107 = load <8 x float>, ptr %s10
%v108 = shufflevector <8 x float> %v107, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v109 = shufflevector <8 x float> %v107, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v110 = fadd <4 x float> %v108, %v109
%v111 = shufflevector <4 x float> %v110, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v112 = shufflevector <4 x float> %v110, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v113 = fadd <2 x float> %v111, %v112
%v114 = shufflevector <2 x float> %v113, <2 x float> poison, <1 x i32> <i32 0>
%v115 = shufflevector <2 x float> %v113, <2 x float> poison, <1 x i32> <i32 1>
%v116 = fadd <1 x float> %v114, %v115
%v117 = extractelement <1 x float> %v116, i64 0
%v118 = load <8 x float>, ptr %s11
%v119 = shufflevector <8 x float> %v118, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v120 = shufflevector <8 x float> %v118, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v121 = fadd <4 x float> %v119, %v120
%v122 = shufflevector <4 x float> %v121, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v123 = shufflevector <4 x float> %v121, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v124 = fadd <2 x float> %v122, %v123
%v125 = shufflevector <2 x float> %v124, <2 x float> poison, <1 x i32> <i32 0>
%v126 = shufflevector <2 x float> %v124, <2 x float> poison, <1 x i32> <i32 1>
%v127 = fadd <1 x float> %v125, %v126
%v128 = extractelement <1 x float> %v127, i64 0
%v129 = load <8 x float>, ptr %s12
%v130 = shufflevector <8 x float> %v129, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v131 = shufflevector <8 x float> %v129, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v132 = fadd <4 x float> %v130, %v131
%v133 = shufflevector <4 x float> %v132, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v134 = shufflevector <4 x float> %v132, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v135 = fadd <2 x float> %v133, %v134
%v136 = shufflevector <2 x float> %v135, <2 x float> poison, <1 x i32> <i32 0>
%v137 = shufflevector <2 x float> %v135, <2 x float> poison, <1 x i32> <i32 1>
%v138 = fadd <1 x float> %v136, %v137
%v139 = extractelement <1 x float> %v138, i64 0
%v140 = load <8 x float>, ptr %s13
%v141 = shufflevector <8 x float> %v140, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v142 = shufflevector <8 x float> %v140, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v143 = fadd <4 x float> %v141, %v142
%v144 = shufflevector <4 x float> %v143, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v145 = shufflevector <4 x float> %v143, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v146 = fadd <2 x float> %v144, %v145
%v147 = shufflevector <2 x float> %v146, <2 x float> poison, <1 x i32> <i32 0>
%v148 = shufflevector <2 x float> %v146, <2 x float> poison, <1 x i32> <i32 1>
%v149 = fadd <1 x float> %v147, %v148
%v150 = extractelement <1 x float> %v149, i64 0
%v151 = udiv i64 %v19, 16
%v152 = urem i64 %v19, 16
%v153 = add i64 %v19, 1
%v154 = udiv i64 %v153, 16
%v155 = add i64 %v19, 1
%v156 = urem i64 %v155, 16
%v157 = udiv i64 %v19, 16
%v158 = urem i64 %v19, 16
%v159 = add i64 16, %v158
%v160 = add i64 %v19, 1
%v161 = udiv i64 %v160, 16
%v162 = add i64 %v19, 1
%v163 = urem i64 %v162, 16
%v164 = add i64 16, %v163
%v165 = udiv i64 %v19, 16
%v166 = urem i64 %v19, 16
%v167 = add i64 32, %v166
%v168 = add i64 %v19, 1
%v169 = udiv i64 %v168, 16
%v170 = add i64 %v19, 1
%v171 = urem i64 %v170, 16
%v172 = add i64 32, %v171
%v173 = udiv i64 %v19, 16
%v174 = urem i64 %v19, 16
%v175 = add i64 32, %v174
%v176 = add i64 %v19, 1
%v177 = udiv i64 %v176, 16
%v178 = add i64 %v19, 1
%v179 = urem i64 %v178, 16
%v180 = add i64 32, %v179
%v181 = mul i64 %v151, 2304
%v182 = getelementptr float, ptr %scratch, i64 %v181
%v183 = mul i64 %v154, 2304
%v184 = getelementptr float, ptr %scratch, i64 %v183
%v185 = mul i64 %v157, 2304
%v186 = getelementptr float, ptr %scratch, i64 %v185
%v187 = mul i64 %v161, 2304
%v188 = getelementptr float, ptr %scratch, i64 %v187
%v189 = mul i64 %v165, 2304
%v190 = getelementptr float, ptr %scratch, i64 %v189
%v191 = mul i64 %v169, 2304
%v192 = getelementptr float, ptr %scratch, i64 %v191
%v193 = mul i64 %v173, 2304
%v194 = getelementptr float, ptr %scratch, i64 %v193
%v195 = mul i64 %v177, 2304
%v196 = getelementptr float, ptr %scratch, i64 %v195
%v197 = getelementptr float, ptr %v182, i64 %v152
store float %v73, ptr %v197, align 4
%v198 = getelementptr float, ptr %v184, i64 %v156
store float %v84, ptr %v198, align 4
%v199 = getelementptr float, ptr %v186, i64 %v159
store float %v95, ptr %v199, align 4
%v200 = getelementptr float, ptr %v188, i64 %v164
store float %v106, ptr %v200, align 4
%v201 = getelementptr float, ptr %v190, i64 %v167
store float %v117, ptr %v201, align 4
%v202 = getelementptr float, ptr %v192, i64 %v172
store float %v128, ptr %v202, align 4
%v203 = getelementptr float, ptr %v194, i64 %v175
store float %v139, ptr %v203, align 4
%v204 = getelementptr float, ptr %v196, i64 %v180
store float %v150, ptr %v204, align 4
%v205 = add i64 %v19, 2
%v206 = icmp slt i64 %v205, 20
br i1 %v206, label %loop8, label %end9
end9:
br label %loop12
loop12:
%v207 = phi i64 [ 0, %end9 ], [ %v300, %end16 ]
%v208 = mul i64 %v207, 2304
%v209 = getelementptr float, ptr %scratch, i64 %v208
%v210 = mul i64 %v207, 16
%v211 = sub i64 20, %v210
%v212 = icmp sge i64 %v211, 16
br i1 %v212, label %then14, label %else15
then14:
br label %loop17
loop17:
%v213 = phi i64 [ 0, %then14 ], [ %v250, %loop17 ]
%v214 = mul i64 %v213, 16
%v215 = getelementptr float, ptr %v209, i64 %v214
%v216 = load <8 x float>, ptr %v215, align 4
%v217 = mul i64 %v213, 16
%v218 = add i64 %v217, 8
%v219 = getelementptr float, ptr %v209, i64 %v218
%v220 = load <8 x float>, ptr %v219, align 4
%v221 = mul i64 %v213, 20
%v222 = add i64 %v221, %v210
%v223 = bitcast <8 x float> %v216 to <8 x i32>
%v224 = add <8 x i32> %v223, splat (i32 32767)
%v225 = lshr <8 x i32> %v223, splat (i32 16)
%v226 = and <8 x i32> %v225, splat (i32 1)
%v227 = add <8 x i32> %v224, %v226
%v228 = lshr <8 x i32> %v227, splat (i32 16)
%v229 = lshr <8 x i32> %v223, splat (i32 16)
%v230 = or <8 x i32> %v229, splat (i32 64)
%v231 = fcmp uno <8 x float> %v216, %v216
%v232 = select <8 x i1> %v231, <8 x i32> %v230, <8 x i32> %v228
%v233 = trunc <8 x i32> %v232 to <8 x i16>
%v234 = getelementptr i16, ptr %a2, i64 %v222
store <8 x i16> %v233, ptr %v234, align 2
%v235 = mul i64 %v213, 20
%v236 = add i64 %v235, %v210
%v237 = bitcast <8 x float> %v220 to <8 x i32>
%v238 = add <8 x i32> %v237, splat (i32 32767)
%v239 = lshr <8 x i32> %v237, splat (i32 16)
%v240 = and <8 x i32> %v239, splat (i32 1)
%v241 = add <8 x i32> %v238, %v240
%v242 = lshr <8 x i32> %v241, splat (i32 16)
%v243 = lshr <8 x i32> %v237, splat (i32 16)
%v244 = or <8 x i32> %v243, splat (i32 64)
%v245 = fcmp uno <8 x float> %v220, %v220
%v246 = select <8 x i1> %v245, <8 x i32> %v244, <8 x i32> %v242
%v247 = trunc <8 x i32> %v246 to <8 x i16>
%v248 = add i64 %v236, 8
%v249 = getelementptr i16, ptr %a2, i64 %v248
store <8 x i16> %v247, ptr %v249, align 2
%v250 = add i64 %v213, 1
%v251 = icmp slt i64 %v250, 3
br i1 %v251, label %loop17, label %end18
end18:
br label %end16
else15:
br label %loop19
loop19:
%v252 = phi i64 [ 0, %else15 ], [ %v298, %loop19 ]
%v253 = mul i64 %v252, 16
%v254 = getelementptr float, ptr %v209, i64 %v253
%v255 = load <8 x float>, ptr %v254, align 4
%v256 = mul i64 %v252, 16
%v257 = add i64 %v256, 8
%v258 = getelementptr float, ptr %v209, i64 %v257
%v259 = load <8 x float>, ptr %v258, align 4
%v260 = mul i64 %v252, 20
%v261 = add i64 %v260, %v210
%v262 = bitcast <8 x float> %v255 to <8 x i32>
%v263 = add <8 x i32> %v262, splat (i32 32767)
%v264 = lshr <8 x i32> %v262, splat (i32 16)
%v265 = and <8 x i32> %v264, splat (i32 1)
%v266 = add <8 x i32> %v263, %v265
%v267 = lshr <8 x i32> %v266, splat (i32 16)
%v268 = lshr <8 x i32> %v262, splat (i32 16)
%v269 = or <8 x i32> %v268, splat (i32 64)
%v270 = fcmp uno <8 x float> %v255, %v255
%v271 = select <8 x i1> %v270, <8 x i32> %v269, <8 x i32> %v267
%v272 = trunc <8 x i32> %v271 to <8 x i16>
%v273 = getelementptr i16, ptr %a2, i64 %v261
%v274 = trunc i64 %v211 to i32
%v275 = insertelement <8 x i32> poison, i32 %v274, i32 0
%v276 = shufflevector <8 x i32> %v275, <8 x i32> poison, <8 x i32> zeroinitializer
%v277 = icmp sgt <8 x i32> %v276, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8i16.p0(<8 x i16> %v272, ptr %v273, i32 2, <8 x i1> %v277)
%v278 = mul i64 %v252, 20
%v279 = add i64 %v278, %v210
%v280 = bitcast <8 x float> %v259 to <8 x i32>
%v281 = add <8 x i32> %v280, splat (i32 32767)
%v282 = lshr <8 x i32> %v280, splat (i32 16)
%v283 = and <8 x i32> %v282, splat (i32 1)
%v284 = add <8 x i32> %v281, %v283
%v285 = lshr <8 x i32> %v284, splat (i32 16)
%v286 = lshr <8 x i32> %v280, splat (i32 16)
%v287 = or <8 x i32> %v286, splat (i32 64)
%v288 = fcmp uno <8 x float> %v259, %v259
%v289 = select <8 x i1> %v288, <8 x i32> %v287, <8 x i32> %v285
%v290 = trunc <8 x i32> %v289 to <8 x i16>
%v291 = add i64 %v279, 8
%v292 = sub i64 %v211, 8
%v293 = getelementptr i16, ptr %a2, i64 %v291
%v294 = trunc i64 %v292 to i32
%v295 = insertelement <8 x i32> poison, i32 %v294, i32 0
%v296 = shufflevector <8 x i32> %v295, <8 x i32> poison, <8 x i32> zeroinitializer
%v297 = icmp sgt <8 x i32> %v296, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8i16.p0(<8 x i16> %v290, ptr %v293, i32 2, <8 x i1> %v297)
%v298 = add i64 %v252, 1
%v299 = icmp slt i64 %v298, 3
br i1 %v299, label %loop19, label %end20
end20:
br label %end16
end16:
%v300 = add i64 %v207, 1
%v301 = icmp slt i64 %v300, 2
br i1 %v301, label %loop12, label %end13
end13:
%v302 = add i64 %v1, 1
%v303 = icmp slt i64 %v302, %end
br i1 %v303, label %loop1, label %end2
end2:
ret void
}

