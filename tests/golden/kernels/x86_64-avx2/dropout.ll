; kernels for x86_64-avx2
; mir @dropout {
;   %0 = input("x1") : f32[5, 20]
;   %1 = input("x2") : u32[2]
;   %2 = input("x3") : u64[]
;   %3 = dropout(%0, %1, %2, rate=0.25) : f32[5, 20]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

define void @dropout_4e1d5ac0(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 2
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 0
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 3
%a3 = load ptr, ptr %a3.p, align 8
%s8 = alloca [32 x float], align 64
%s9 = alloca [32 x float], align 64
%v0 = load i32, ptr %a0, align 4
%v1 = getelementptr i32, ptr %a0, i64 1
%v2 = load i32, ptr %v1, align 4
%v3 = load i32, ptr %a1, align 4
%v4 = getelementptr i32, ptr %a1, i64 1
%v5 = load i32, ptr %v4, align 4
%v6 = mul i64 %begin, 128
%v7 = mul i64 %end, 128
%v8 = call i64 @llvm.smin.i64(i64 %v7, i64 100)
%v9 = sub i64 %v8, %v6
%v10 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
%v11 = and i64 %v10, 31
%v12 = icmp slt i64 0, %v11
br i1 %v12, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v13 = phi i64 [ 0, %guard3 ], [ %v19, %loop1 ]
%v14 = sub i64 %v8, %v11
%v15 = add i64 %v14, %v13
%v16 = getelementptr float, ptr %a2, i64 %v15
%v17 = load float, ptr %v16, align 4
%v18 = getelementptr float, ptr %s8, i64 %v13
store float %v17, ptr %v18, align 4
%v19 = add i64 %v13, 1
%v20 = icmp slt i64 %v19, %v11
br i1 %v20, label %loop1, label %end2
end2:
%v21 = icmp slt i64 %v6, %v8
br i1 %v21, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v22 = phi i64 [ %v6, %guard6 ], [ %v291, %loop4 ]
%v23 = add i64 %v22, 32
%v24 = icmp sle i64 %v23, %v8
%v25 = getelementptr float, ptr %a2, i64 %v22
%v26 = select i1 %v24, ptr %v25, ptr %s8
%v27 = getelementptr float, ptr %a3, i64 %v22
%v28 = select i1 %v24, ptr %v27, ptr %s9
%v29 = ashr i64 %v22, 2
%v30 = trunc i64 %v29 to i32
%v31 = insertelement <8 x i32> poison, i32 %v30, i32 0
%v32 = shufflevector <8 x i32> %v31, <8 x i32> poison, <8 x i32> zeroinitializer
%v33 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v32
%v34 = insertelement <8 x i32> poison, i32 %v3, i32 0
%v35 = shufflevector <8 x i32> %v34, <8 x i32> poison, <8 x i32> zeroinitializer
%v36 = insertelement <8 x i32> poison, i32 %v5, i32 0
%v37 = shufflevector <8 x i32> %v36, <8 x i32> poison, <8 x i32> zeroinitializer
%v38 = zext <8 x i32> %v35 to <8 x i64>
%v39 = zext <8 x i32> splat (i32 -845247145) to <8 x i64>
%v40 = mul <8 x i64> %v38, %v39
%v41 = lshr <8 x i64> %v40, splat (i64 32)
%v42 = trunc <8 x i64> %v41 to <8 x i32>
%v43 = insertelement <8 x i32> poison, i32 %v0, i32 0
%v44 = shufflevector <8 x i32> %v43, <8 x i32> poison, <8 x i32> zeroinitializer
%v45 = xor <8 x i32> %v42, %v44
%v46 = zext <8 x i32> %v33 to <8 x i64>
%v47 = zext <8 x i32> splat (i32 -766435501) to <8 x i64>
%v48 = mul <8 x i64> %v46, %v47
%v49 = lshr <8 x i64> %v48, splat (i64 32)
%v50 = trunc <8 x i64> %v49 to <8 x i32>
%v51 = xor <8 x i32> %v50, %v37
%v52 = insertelement <8 x i32> poison, i32 %v2, i32 0
%v53 = shufflevector <8 x i32> %v52, <8 x i32> poison, <8 x i32> zeroinitializer
%v54 = xor <8 x i32> %v51, %v53
%v55 = mul <8 x i32> %v35, splat (i32 -845247145)
%v56 = mul <8 x i32> %v33, splat (i32 -766435501)
%v57 = add i32 %v0, -1640531527
%v58 = add i32 %v2, -1150833019
%v59 = zext <8 x i32> %v54 to <8 x i64>
%v60 = zext <8 x i32> splat (i32 -845247145) to <8 x i64>
%v61 = mul <8 x i64> %v59, %v60
%v62 = lshr <8 x i64> %v61, splat (i64 32)
%v63 = trunc <8 x i64> %v62 to <8 x i32>
%v64 = xor <8 x i32> %v63, %v55
%v65 = insertelement <8 x i32> poison, i32 %v57, i32 0
%v66 = shufflevector <8 x i32> %v65, <8 x i32> poison, <8 x i32> zeroinitializer
%v67 = xor <8 x i32> %v64, %v66
%v68 = zext <8 x i32> %v45 to <8 x i64>
%v69 = zext <8 x i32> splat (i32 -766435501) to <8 x i64>
%v70 = mul <8 x i64> %v68, %v69
%v71 = lshr <8 x i64> %v70, splat (i64 32)
%v72 = trunc <8 x i64> %v71 to <8 x i32>
%v73 = xor <8 x i32> %v72, %v56
%v74 = insertelement <8 x i32> poison, i32 %v58, i32 0
%v75 = shufflevector <8 x i32> %v74, <8 x i32> poison, <8 x i32> zeroinitializer
%v76 = xor <8 x i32> %v73, %v75
%v77 = mul <8 x i32> %v54, splat (i32 -845247145)
%v78 = mul <8 x i32> %v45, splat (i32 -766435501)
%v79 = add i32 %v57, -1640531527
%v80 = add i32 %v58, -1150833019
%v81 = zext <8 x i32> %v76 to <8 x i64>
%v82 = zext <8 x i32> splat (i32 -845247145) to <8 x i64>
%v83 = mul <8 x i64> %v81, %v82
%v84 = lshr <8 x i64> %v83, splat (i64 32)
%v85 = trunc <8 x i64> %v84 to <8 x i32>
%v86 = xor <8 x i32> %v85, %v77
%v87 = insertelement <8 x i32> poison, i32 %v79, i32 0
%v88 = shufflevector <8 x i32> %v87, <8 x i32> poison, <8 x i32> zeroinitializer
%v89 = xor <8 x i32> %v86, %v88
%v90 = zext <8 x i32> %v67 to <8 x i64>
%v91 = zext <8 x i32> splat (i32 -766435501) to <8 x i64>
%v92 = mul <8 x i64> %v90, %v91
%v93 = lshr <8 x i64> %v92, splat (i64 32)
%v94 = trunc <8 x i64> %v93 to <8 x i32>
%v95 = xor <8 x i32> %v94, %v78
%v96 = insertelement <8 x i32> poison, i32 %v80, i32 0
%v97 = shufflevector <8 x i32> %v96, <8 x i32> poison, <8 x i32> zeroinitializer
%v98 = xor <8 x i32> %v95, %v97
%v99 = mul <8 x i32> %v76, splat (i32 -845247145)
%v100 = mul <8 x i32> %v67, splat (i32 -766435501)
%v101 = add i32 %v79, -1640531527
%v102 = add i32 %v80, -1150833019
%v103 = zext <8 x i32> %v98 to <8 x i64>
%v104 = zext <8 x i32> splat (i32 -845247145) to <8 x i64>
%v105 = mul <8 x i64> %v103, %v104
%v106 = lshr <8 x i64> %v105, splat (i64 32)
%v107 = trunc <8 x i64> %v106 to <8 x i32>
%v108 = xor <8 x i32> %v107, %v99
%v109 = insertelement <8 x i32> poison, i32 %v101, i32 0
%v110 = shufflevector <8 x i32> %v109, <8 x i32> poison, <8 x i32> zeroinitializer
%v111 = xor <8 x i32> %v108, %v110
%v112 = zext <8 x i32> %v89 to <8 x i64>
%v113 = zext <8 x i32> splat (i32 -766435501) to <8 x i64>
%v114 = mul <8 x i64> %v112, %v113
%v115 = lshr <8 x i64> %v114, splat (i64 32)
%v116 = trunc <8 x i64> %v115 to <8 x i32>
%v117 = xor <8 x i32> %v116, %v100
%v118 = insertelement <8 x i32> poison, i32 %v102, i32 0
%v119 = shufflevector <8 x i32> %v118, <8 x i32> poison, <8 x i32> zeroinitializer
%v120 = xor <8 x i32> %v117, %v119
%v121 = mul <8 x i32> %v98, splat (i32 -845247145)
%v122 = mul <8 x i32> %v89, splat (i32 -766435501)
%v123 = add i32 %v101, -1640531527
%v124 = add i32 %v102, -1150833019
%v125 = zext <8 x i32> %v120 to <8 x i64>
%v126 = zext <8 x i32> splat (i32 -845247145) to <8 x i64>
%v127 = mul <8 x i64> %v125, %v126
%v128 = lshr <8 x i64> %v127, splat (i64 32)
%v129 = trunc <8 x i64> %v128 to <8 x i32>
%v130 = xor <8 x i32> %v129, %v121
%v131 = insertelement <8 x i32> poison, i32 %v123, i32 0
%v132 = shufflevector <8 x i32> %v131, <8 x i32> poison, <8 x i32> zeroinitializer
%v133 = xor <8 x i32> %v130, %v132
%v134 = zext <8 x i32> %v111 to <8 x i64>
%v135 = zext <8 x i32> splat (i32 -766435501) to <8 x i64>
%v136 = mul <8 x i64> %v134, %v135
%v137 = lshr <8 x i64> %v136, splat (i64 32)
%v138 = trunc <8 x i64> %v137 to <8 x i32>
%v139 = xor <8 x i32> %v138, %v122
%v140 = insertelement <8 x i32> poison, i32 %v124, i32 0
%v141 = shufflevector <8 x i32> %v140, <8 x i32> poison, <8 x i32> zeroinitializer
%v142 = xor <8 x i32> %v139, %v141
%v143 = mul <8 x i32> %v120, splat (i32 -845247145)
%v144 = mul <8 x i32> %v111, splat (i32 -766435501)
%v145 = add i32 %v123, -1640531527
%v146 = add i32 %v124, -1150833019
%v147 = zext <8 x i32> %v142 to <8 x i64>
%v148 = zext <8 x i32> splat (i32 -845247145) to <8 x i64>
%v149 = mul <8 x i64> %v147, %v148
%v150 = lshr <8 x i64> %v149, splat (i64 32)
%v151 = trunc <8 x i64> %v150 to <8 x i32>
%v152 = xor <8 x i32> %v151, %v143
%v153 = insertelement <8 x i32> poison, i32 %v145, i32 0
%v154 = shufflevector <8 x i32> %v153, <8 x i32> poison, <8 x i32> zeroinitializer
%v155 = xor <8 x i32> %v152, %v154
%v156 = zext <8 x i32> %v133 to <8 x i64>
%v157 = zext <8 x i32> splat (i32 -766435501) to <8 x i64>
%v158 = mul <8 x i64> %v156, %v157
%v159 = lshr <8 x i64> %v158, splat (i64 32)
%v160 = trunc <8 x i64> %v159 to <8 x i32>
%v161 = xor <8 x i32> %v160, %v144
%v162 = insertelement <8 x i32> poison, i32 %v146, i32 0
%v163 = shufflevector <8 x i32> %v162, <8 x i32> poison, <8 x i32> zeroinitializer
%v164 = xor <8 x i32> %v161, %v163
%v165 = mul <8 x i32> %v142, splat (i32 -845247145)
%v166 = mul <8 x i32> %v133, splat (i32 -766435501)
%v167 = add i32 %v145, -1640531527
%v168 = add i32 %v146, -1150833019
%v169 = zext <8 x i32> %v164 to <8 x i64>
%v170 = zext <8 x i32> splat (i32 -845247145) to <8 x i64>
%v171 = mul <8 x i64> %v169, %v170
%v172 = lshr <8 x i64> %v171, splat (i64 32)
%v173 = trunc <8 x i64> %v172 to <8 x i32>
%v174 = xor <8 x i32> %v173, %v165
%v175 = insertelement <8 x i32> poison, i32 %v167, i32 0
%v176 = shufflevector <8 x i32> %v175, <8 x i32> poison, <8 x i32> zeroinitializer
%v177 = xor <8 x i32> %v174, %v176
%v178 = zext <8 x i32> %v155 to <8 x i64>
%v179 = zext <8 x i32> splat (i32 -766435501) to <8 x i64>
%v180 = mul <8 x i64> %v178, %v179
%v181 = lshr <8 x i64> %v180, splat (i64 32)
%v182 = trunc <8 x i64> %v181 to <8 x i32>
%v183 = xor <8 x i32> %v182, %v166
%v184 = insertelement <8 x i32> poison, i32 %v168, i32 0
%v185 = shufflevector <8 x i32> %v184, <8 x i32> poison, <8 x i32> zeroinitializer
%v186 = xor <8 x i32> %v183, %v185
%v187 = mul <8 x i32> %v164, splat (i32 -845247145)
%v188 = mul <8 x i32> %v155, splat (i32 -766435501)
%v189 = add i32 %v167, -1640531527
%v190 = add i32 %v168, -1150833019
%v191 = zext <8 x i32> %v186 to <8 x i64>
%v192 = zext <8 x i32> splat (i32 -845247145) to <8 x i64>
%v193 = mul <8 x i64> %v191, %v192
%v194 = lshr <8 x i64> %v193, splat (i64 32)
%v195 = trunc <8 x i64> %v194 to <8 x i32>
%v196 = xor <8 x i32> %v195, %v187
%v197 = insertelement <8 x i32> poison, i32 %v189, i32 0
%v198 = shufflevector <8 x i32> %v197, <8 x i32> poison, <8 x i32> zeroinitializer
%v199 = xor <8 x i32> %v196, %v198
%v200 = zext <8 x i32> %v177 to <8 x i64>
%v201 = zext <8 x i32> splat (i32 -766435501) to <8 x i64>
%v202 = mul <8 x i64> %v200, %v201
%v203 = lshr <8 x i64> %v202, splat (i64 32)
%v204 = trunc <8 x i64> %v203 to <8 x i32>
%v205 = xor <8 x i32> %v204, %v188
%v206 = insertelement <8 x i32> poison, i32 %v190, i32 0
%v207 = shufflevector <8 x i32> %v206, <8 x i32> poison, <8 x i32> zeroinitializer
%v208 = xor <8 x i32> %v205, %v207
%v209 = mul <8 x i32> %v186, splat (i32 -845247145)
%v210 = mul <8 x i32> %v177, splat (i32 -766435501)
%v211 = add i32 %v189, -1640531527
%v212 = add i32 %v190, -1150833019
%v213 = zext <8 x i32> %v208 to <8 x i64>
%v214 = zext <8 x i32> splat (i32 -845247145) to <8 x i64>
%v215 = mul <8 x i64> %v213, %v214
%v216 = lshr <8 x i64> %v215, splat (i64 32)
%v217 = trunc <8 x i64> %v216 to <8 x i32>
%v218 = xor <8 x i32> %v217, %v209
%v219 = insertelement <8 x i32> poison, i32 %v211, i32 0
%v220 = shufflevector <8 x i32> %v219, <8 x i32> poison, <8 x i32> zeroinitializer
%v221 = xor <8 x i32> %v218, %v220
%v222 = zext <8 x i32> %v199 to <8 x i64>
%v223 = zext <8 x i32> splat (i32 -766435501) to <8 x i64>
%v224 = mul <8 x i64> %v222, %v223
%v225 = lshr <8 x i64> %v224, splat (i64 32)
%v226 = trunc <8 x i64> %v225 to <8 x i32>
%v227 = xor <8 x i32> %v226, %v210
%v228 = insertelement <8 x i32> poison, i32 %v212, i32 0
%v229 = shufflevector <8 x i32> %v228, <8 x i32> poison, <8 x i32> zeroinitializer
%v230 = xor <8 x i32> %v227, %v229
%v231 = mul <8 x i32> %v208, splat (i32 -845247145)
%v232 = mul <8 x i32> %v199, splat (i32 -766435501)
%v233 = add i32 %v211, -1640531527
%v234 = add i32 %v212, -1150833019
%v235 = zext <8 x i32> %v230 to <8 x i64>
%v236 = zext <8 x i32> splat (i32 -845247145) to <8 x i64>
%v237 = mul <8 x i64> %v235, %v236
%v238 = lshr <8 x i64> %v237, splat (i64 32)
%v239 = trunc <8 x i64> %v238 to <8 x i32>
%v240 = xor <8 x i32> %v239, %v231
%v241 = insertelement <8 x i32> poison, i32 %v233, i32 0
%v242 = shufflevector <8 x i32> %v241, <8 x i32> poison, <8 x i32> zeroinitializer
%v243 = xor <8 x i32> %v240, %v242
%v244 = zext <8 x i32> %v221 to <8 x i64>
%v245 = zext <8 x i32> splat (i32 -766435501) to <8 x i64>
%v246 = mul <8 x i64> %v244, %v245
%v247 = lshr <8 x i64> %v246, splat (i64 32)
%v248 = trunc <8 x i64> %v247 to <8 x i32>
%v249 = xor <8 x i32> %v248, %v232
%v250 = insertelement <8 x i32> poison, i32 %v234, i32 0
%v251 = shufflevector <8 x i32> %v250, <8 x i32> poison, <8 x i32> zeroinitializer
%v252 = xor <8 x i32> %v249, %v251
%v253 = mul <8 x i32> %v230, splat (i32 -845247145)
%v254 = mul <8 x i32> %v221, splat (i32 -766435501)
%v255 = add i32 %v233, -1640531527
%v256 = add i32 %v234, -1150833019
%v257 = shufflevector <8 x i32> %v243, <8 x i32> %v253, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
%v258 = shufflevector <8 x i32> %v243, <8 x i32> %v253, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
%v259 = shufflevector <8 x i32> %v252, <8 x i32> %v254, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
%v260 = shufflevector <8 x i32> %v252, <8 x i32> %v254, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
%v261 = shufflevector <8 x i32> %v257, <8 x i32> %v259, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 2, i32 3, i32 10, i32 11>
%v262 = shufflevector <8 x i32> %v257, <8 x i32> %v259, <8 x i32> <i32 4, i32 5, i32 12, i32 13, i32 6, i32 7, i32 14, i32 15>
%v263 = shufflevector <8 x i32> %v258, <8 x i32> %v260, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 2, i32 3, i32 10, i32 11>
%v264 = shufflevector <8 x i32> %v258, <8 x i32> %v260, <8 x i32> <i32 4, i32 5, i32 12, i32 13, i32 6, i32 7, i32 14, i32 15>
%v265 = load <8 x float>, ptr %v26, align 4
%v266 = lshr <8 x i32> %v261, splat (i32 8)
%v267 = icmp sge <8 x i32> %v266, splat (i32 4194304)
%v268 = fmul <8 x float> %v265, splat (float 0x3FF5555560000000)
%v269 = select <8 x i1> %v267, <8 x float> %v268, <8 x float> splat (float 0x0000000000000000)
%v270 = getelementptr float, ptr %v26, i64 8
%v271 = load <8 x float>, ptr %v270, align 4
%v272 = lshr <8 x i32> %v262, splat (i32 8)
%v273 = icmp sge <8 x i32> %v272, splat (i32 4194304)
%v274 = fmul <8 x float> %v271, splat (float 0x3FF5555560000000)
%v275 = select <8 x i1> %v273, <8 x float> %v274, <8 x float> splat (float 0x0000000000000000)
%v276 = getelementptr float, ptr %v26, i64 16
%v277 = load <8 x float>, ptr %v276, align 4
%v278 = lshr <8 x i32> %v263, splat (i32 8)
%v279 = icmp sge <8 x i32> %v278, splat (i32 4194304)
%v280 = fmul <8 x float> %v277, splat (float 0x3FF5555560000000)
%v281 = select <8 x i1> %v279, <8 x float> %v280, <8 x float> splat (float 0x0000000000000000)
%v282 = getelementptr float, ptr %v26, i64 24
%v283 = load <8 x float>, ptr %v282, align 4
%v284 = lshr <8 x i32> %v264, splat (i32 8)
%v285 = icmp sge <8 x i32> %v284, splat (i32 4194304)
%v286 = fmul <8 x float> %v283, splat (float 0x3FF5555560000000)
%v287 = select <8 x i1> %v285, <8 x float> %v286, <8 x float> splat (float 0x0000000000000000)
store <8 x float> %v269, ptr %v28, align 4
%v288 = getelementptr float, ptr %v28, i64 8
store <8 x float> %v275, ptr %v288, align 4
%v289 = getelementptr float, ptr %v28, i64 16
store <8 x float> %v281, ptr %v289, align 4
%v290 = getelementptr float, ptr %v28, i64 24
store <8 x float> %v287, ptr %v290, align 4
%v291 = add i64 %v22, 32
%v292 = icmp slt i64 %v291, %v8
br i1 %v292, label %loop4, label %end5
end5:
%v293 = icmp slt i64 0, %v11
br i1 %v293, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v294 = phi i64 [ 0, %guard9 ], [ %v300, %loop7 ]
%v295 = getelementptr float, ptr %s9, i64 %v294
%v296 = load float, ptr %v295, align 4
%v297 = sub i64 %v8, %v11
%v298 = add i64 %v297, %v294
%v299 = getelementptr float, ptr %a3, i64 %v298
store float %v296, ptr %v299, align 4
%v300 = add i64 %v294, 1
%v301 = icmp slt i64 %v300, %v11
br i1 %v301, label %loop7, label %end8
end8:
ret void
}

