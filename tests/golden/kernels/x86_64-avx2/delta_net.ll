; kernels for x86_64-avx2
; mir @delta_net {
;   %0 = input("x1") : f32[1, 6, 1, 8]
;   %1 = input("x2") : f32[1, 6, 1, 8]
;   %2 = input("x3") : f32[1, 6, 1, 8]
;   %3 = input("x4") : f32[1, 6, 1]
;   %4 = input("x5") : f32[1, 6, 1]
;   %5:2 = gated_delta_net(%0, %1, %2, %3, %4, state_size=8) : (f32[1, 6, 1, 8], f32[1, 1, 8, 8])
;   return y1=%5.0
; }

declare float @llvm.fma.f32(float, float, float)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare i64 @llvm.smax.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

define void @gated_delta_net_45274f4b(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca float
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%s5 = alloca <8 x float>
%s6 = alloca <8 x float>
%a2.p = getelementptr i64, ptr %args, i64 3
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 4
%a3 = load ptr, ptr %a3.p, align 8
%s11 = alloca <8 x float>
%a4.p = getelementptr i64, ptr %args, i64 2
%a4 = load ptr, ptr %a4.p, align 8
%a5.p = getelementptr i64, ptr %args, i64 5
%a5 = load ptr, ptr %a5.p, align 8
%a6.p = getelementptr i64, ptr %args, i64 6
%a6 = load ptr, ptr %a6.p, align 8
%s18 = alloca <8 x float>
%s19 = alloca <8 x float>
%s20 = alloca <8 x float>
%s21 = alloca <8 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v330, %end6 ]
%v2 = getelementptr float, ptr %scratch, i64 64
store float 0x3FF0000000000000, ptr %s0
br i1 false, label %then4, label %else5
then4:
%v3 = mul i64 %v1, 48
%v4 = getelementptr float, ptr %a0, i64 %v3
%v5 = mul i64 %v1, 48
%v6 = getelementptr float, ptr %a1, i64 %v5
store <8 x float> splat (float 0x0000000000000000), ptr %s5
store <8 x float> splat (float 0x0000000000000000), ptr %s6
%v7 = mul i64 %v1, 6
%v8 = getelementptr float, ptr %a2, i64 %v7
%v9 = load float, ptr %v8, align 4
%v10 = fcmp ogt float 0xC066033340000000, %v9
%v11 = select i1 %v10, float 0xC066033340000000, float %v9
%v12 = fcmp olt float 0x4056400000000000, %v11
%v13 = select i1 %v12, float 0x4056400000000000, float %v11
%v14 = call float @llvm.fma.f32(float %v13, float 0x3FF7154760000000, float 0x4168001FC0000000)
%v15 = fsub float %v14, 0x4168001FC0000000
%v16 = call float @llvm.fma.f32(float %v15, float 0xBFE62E4000000000, float %v13)
%v17 = bitcast float %v14 to i32
%v18 = call float @llvm.fma.f32(float %v15, float 0xBEB7F7D1C0000000, float %v16)
%v19 = lshr i32 %v17, 1
%v20 = shl i32 %v19, 23
%v21 = bitcast i32 %v20 to float
%v22 = fmul float %v18, %v18
%v23 = call float @llvm.fma.f32(float %v18, float 0x3FC5554820000000, float 0x3FE0000000000000)
%v24 = call float @llvm.fma.f32(float %v18, float 0x3F81244B20000000, float 0x3FA5555280000000)
%v25 = call float @llvm.fma.f32(float 0x3F56CF7760000000, float %v22, float %v24)
%v26 = call float @llvm.fma.f32(float %v25, float %v22, float %v23)
%v27 = call float @llvm.fma.f32(float %v22, float %v26, float %v18)
%v28 = call float @llvm.fma.f32(float %v27, float %v21, float %v21)
%v29 = sub i32 %v17, %v19
%v30 = shl i32 %v29, 23
%v31 = bitcast i32 %v30 to float
%v32 = fmul float %v28, %v31
%v33 = insertelement <8 x float> poison, float %v32, i32 0
%v34 = shufflevector <8 x float> %v33, <8 x float> poison, <8 x i32> zeroinitializer
%v35 = mul i64 %v1, 6
%v36 = getelementptr float, ptr %a3, i64 %v35
%v37 = load float, ptr %v36, align 4
store <8 x float> splat (float 0x0000000000000000), ptr %s11
%v38 = load <8 x float>, ptr %v4, align 4
%v39 = load <8 x float>, ptr %v6, align 4
%v40 = load <8 x float>, ptr %s11
%v41 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v38, <8 x float> %v39, <8 x float> %v40)
store <8 x float> %v41, ptr %s11
%v42 = load <8 x float>, ptr %s11
%v43 = shufflevector <8 x float> %v42, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v44 = shufflevector <8 x float> %v42, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v45 = fadd <4 x float> %v43, %v44
%v46 = shufflevector <4 x float> %v45, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v47 = shufflevector <4 x float> %v45, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v48 = fadd <2 x float> %v46, %v47
%v49 = shufflevector <2 x float> %v48, <2 x float> poison, <1 x i32> <i32 0>
%v50 = shufflevector <2 x float> %v48, <2 x float> poison, <1 x i32> <i32 1>
%v51 = fadd <1 x float> %v49, %v50
%v52 = extractelement <1 x float> %v51, i64 0
%v53 = insertelement <8 x float> poison, float %v37, i32 0
%v54 = shufflevector <8 x float> %v53, <8 x float> poison, <8 x i32> zeroinitializer
%v55 = insertelement <8 x float> poison, float %v52, i32 0
%v56 = shufflevector <8 x float> %v55, <8 x float> poison, <8 x i32> zeroinitializer
%v57 = mul i64 %v1, 48
%v58 = getelementptr float, ptr %a4, i64 %v57
%v59 = load <8 x float>, ptr %v58, align 4
%v60 = load <8 x float>, ptr %s5
%v61 = fmul <8 x float> %v34, %v60
%v62 = fsub <8 x float> %v59, %v61
%v63 = fmul <8 x float> %v62, %v54
%v64 = load <8 x float>, ptr %s6
%v65 = fmul <8 x float> %v34, %v64
%v66 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v56, <8 x float> %v63, <8 x float> %v65)
%v67 = fmul <8 x float> %v66, splat (float 0x3FD6A09E60000000)
%v68 = mul i64 %v1, 48
%v69 = getelementptr float, ptr %a5, i64 %v68
store <8 x float> %v67, ptr %v69, align 4
br label %loop7
loop7:
%v70 = phi i64 [ 0, %then4 ], [ %v80, %loop7 ]
%v71 = getelementptr float, ptr %v4, i64 %v70
%v72 = load float, ptr %v71, align 4
%v73 = insertelement <8 x float> poison, float %v72, i32 0
%v74 = shufflevector <8 x float> %v73, <8 x float> poison, <8 x i32> zeroinitializer
%v75 = fmul <8 x float> %v63, %v74
%v76 = mul i64 %v1, 64
%v77 = mul i64 %v70, 8
%v78 = add i64 %v76, %v77
%v79 = getelementptr float, ptr %a6, i64 %v78
store <8 x float> %v75, ptr %v79, align 4
%v80 = add i64 %v70, 1
%v81 = icmp slt i64 %v80, 8
br i1 %v81, label %loop7, label %end8
end8:
br label %end6
else5:
store float 0x3FF0000000000000, ptr %s0
br label %loop9
loop9:
%v82 = phi i64 [ 0, %else5 ], [ %v85, %loop9 ]
%v83 = mul i64 %v82, 8
%v84 = getelementptr float, ptr %scratch, i64 %v83
store <8 x float> splat (float 0x0000000000000000), ptr %v84, align 4
%v85 = add i64 %v82, 1
%v86 = icmp slt i64 %v85, 8
br i1 %v86, label %loop9, label %end10
end10:
store <8 x float> splat (float 0x0000000000000000), ptr %s18
br label %loop11
loop11:
%v87 = phi i64 [ 0, %end10 ], [ %v298, %end17 ]
%v88 = and i64 %v87, 1
%v89 = mul i64 %v1, 48
%v90 = mul i64 %v87, 8
%v91 = add i64 %v89, %v90
%v92 = getelementptr float, ptr %a0, i64 %v91
%v93 = mul i64 %v1, 48
%v94 = mul i64 %v87, 8
%v95 = add i64 %v93, %v94
%v96 = getelementptr float, ptr %a1, i64 %v95
%v97 = sub i64 %v87, 1
%v98 = call i64 @llvm.smax.i64(i64 %v97, i64 0)
%v99 = mul i64 %v1, 48
%v100 = mul i64 %v98, 8
%v101 = add i64 %v99, %v100
%v102 = getelementptr float, ptr %a0, i64 %v101
%v103 = add i64 %v87, 2
%v104 = mul i64 %v1, 48
%v105 = mul i64 %v103, 8
%v106 = add i64 %v104, %v105
%v107 = getelementptr float, ptr %a0, i64 %v106
call void @llvm.prefetch.p0(ptr %v107, i32 0, i32 3, i32 1)
%v108 = add i64 %v87, 2
%v109 = mul i64 %v1, 48
%v110 = mul i64 %v108, 8
%v111 = add i64 %v109, %v110
%v112 = getelementptr float, ptr %a1, i64 %v111
call void @llvm.prefetch.p0(ptr %v112, i32 0, i32 3, i32 1)
%v113 = load <8 x float>, ptr %s18
%v114 = load float, ptr %s0
%v115 = insertelement <8 x float> poison, float %v114, i32 0
%v116 = shufflevector <8 x float> %v115, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s19
store <8 x float> splat (float 0x0000000000000000), ptr %s20
br label %loop13
loop13:
%v117 = phi i64 [ 0, %loop11 ], [ %v205, %loop13 ]
%v118 = getelementptr float, ptr %v102, i64 %v117
%v119 = load float, ptr %v118, align 4
%v120 = insertelement <8 x float> poison, float %v119, i32 0
%v121 = shufflevector <8 x float> %v120, <8 x float> poison, <8 x i32> zeroinitializer
%v122 = getelementptr float, ptr %v92, i64 %v117
%v123 = load float, ptr %v122, align 4
%v124 = insertelement <8 x float> poison, float %v123, i32 0
%v125 = shufflevector <8 x float> %v124, <8 x float> poison, <8 x i32> zeroinitializer
%v126 = getelementptr float, ptr %v96, i64 %v117
%v127 = load float, ptr %v126, align 4
%v128 = insertelement <8 x float> poison, float %v127, i32 0
%v129 = shufflevector <8 x float> %v128, <8 x float> poison, <8 x i32> zeroinitializer
%v130 = mul i64 %v117, 8
%v131 = getelementptr float, ptr %scratch, i64 %v130
%v132 = load <8 x float>, ptr %v131, align 4
%v133 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v121, <8 x float> %v113, <8 x float> %v132)
%v134 = getelementptr float, ptr %scratch, i64 %v130
store <8 x float> %v133, ptr %v134, align 4
%v135 = load <8 x float>, ptr %s19
%v136 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v133, <8 x float> %v125, <8 x float> %v135)
store <8 x float> %v136, ptr %s19
%v137 = load <8 x float>, ptr %s20
%v138 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v133, <8 x float> %v129, <8 x float> %v137)
store <8 x float> %v138, ptr %s20
%v139 = add i64 %v117, 1
%v140 = getelementptr float, ptr %v102, i64 %v139
%v141 = load float, ptr %v140, align 4
%v142 = insertelement <8 x float> poison, float %v141, i32 0
%v143 = shufflevector <8 x float> %v142, <8 x float> poison, <8 x i32> zeroinitializer
%v144 = getelementptr float, ptr %v92, i64 %v139
%v145 = load float, ptr %v144, align 4
%v146 = insertelement <8 x float> poison, float %v145, i32 0
%v147 = shufflevector <8 x float> %v146, <8 x float> poison, <8 x i32> zeroinitializer
%v148 = getelementptr float, ptr %v96, i64 %v139
%v149 = load float, ptr %v148, align 4
%v150 = insertelement <8 x float> poison, float %v149, i32 0
%v151 = shufflevector <8 x float> %v150, <8 x float> poison, <8 x i32> zeroinitializer
%v152 = mul i64 %v139, 8
%v153 = getelementptr float, ptr %scratch, i64 %v152
%v154 = load <8 x float>, ptr %v153, align 4
%v155 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v143, <8 x float> %v113, <8 x float> %v154)
%v156 = getelementptr float, ptr %scratch, i64 %v152
store <8 x float> %v155, ptr %v156, align 4
%v157 = load <8 x float>, ptr %s19
%v158 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v155, <8 x float> %v147, <8 x float> %v157)
store <8 x float> %v158, ptr %s19
%v159 = load <8 x float>, ptr %s20
%v160 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v155, <8 x float> %v151, <8 x float> %v159)
store <8 x float> %v160, ptr %s20
%v161 = add i64 %v117, 2
%v162 = getelementptr float, ptr %v102, i64 %v161
%v163 = load float, ptr %v162, align 4
%v164 = insertelement <8 x float> poison, float %v163, i32 0
%v165 = shufflevector <8 x float> %v164, <8 x float> poison, <8 x i32> zeroinitializer
%v166 = getelementptr float, ptr %v92, i64 %v161
%v167 = load float, ptr %v166, align 4
%v168 = insertelement <8 x float> poison, float %v167, i32 0
%v169 = shufflevector <8 x float> %v168, <8 x float> poison, <8 x i32> zeroinitializer
%v170 = getelementptr float, ptr %v96, i64 %v161
%v171 = load float, ptr %v170, align 4
%v172 = insertelement <8 x float> poison, float %v171, i32 0
%v173 = shufflevector <8 x float> %v172, <8 x float> poison, <8 x i32> zeroinitializer
%v174 = mul i64 %v161, 8
%v175 = getelementptr float, ptr %scratch, i64 %v174
%v176 = load <8 x float>, ptr %v175, align 4
%v177 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> %v113, <8 x float> %v176)
%v178 = getelementptr float, ptr %scratch, i64 %v174
store <8 x float> %v177, ptr %v178, align 4
%v179 = load <8 x float>, ptr %s19
%v180 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v177, <8 x float> %v169, <8 x float> %v179)
store <8 x float> %v180, ptr %s19
%v181 = load <8 x float>, ptr %s20
%v182 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v177, <8 x float> %v173, <8 x float> %v181)
store <8 x float> %v182, ptr %s20
%v183 = add i64 %v117, 3
%v184 = getelementptr float, ptr %v102, i64 %v183
%v185 = load float, ptr %v184, align 4
%v186 = insertelement <8 x float> poison, float %v185, i32 0
%v187 = shufflevector <8 x float> %v186, <8 x float> poison, <8 x i32> zeroinitializer
%v188 = getelementptr float, ptr %v92, i64 %v183
%v189 = load float, ptr %v188, align 4
%v190 = insertelement <8 x float> poison, float %v189, i32 0
%v191 = shufflevector <8 x float> %v190, <8 x float> poison, <8 x i32> zeroinitializer
%v192 = getelementptr float, ptr %v96, i64 %v183
%v193 = load float, ptr %v192, align 4
%v194 = insertelement <8 x float> poison, float %v193, i32 0
%v195 = shufflevector <8 x float> %v194, <8 x float> poison, <8 x i32> zeroinitializer
%v196 = mul i64 %v183, 8
%v197 = getelementptr float, ptr %scratch, i64 %v196
%v198 = load <8 x float>, ptr %v197, align 4
%v199 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v187, <8 x float> %v113, <8 x float> %v198)
%v200 = getelementptr float, ptr %scratch, i64 %v196
store <8 x float> %v199, ptr %v200, align 4
%v201 = load <8 x float>, ptr %s19
%v202 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v199, <8 x float> %v191, <8 x float> %v201)
store <8 x float> %v202, ptr %s19
%v203 = load <8 x float>, ptr %s20
%v204 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v199, <8 x float> %v195, <8 x float> %v203)
store <8 x float> %v204, ptr %s20
%v205 = add i64 %v117, 4
%v206 = icmp slt i64 %v205, 8
br i1 %v206, label %loop13, label %end14
end14:
%v207 = load float, ptr %s0
%v208 = mul i64 %v1, 6
%v209 = add i64 %v208, %v87
%v210 = getelementptr float, ptr %a2, i64 %v209
%v211 = load float, ptr %v210, align 4
%v212 = fcmp ogt float 0xC066033340000000, %v211
%v213 = select i1 %v212, float 0xC066033340000000, float %v211
%v214 = fcmp olt float 0x4056400000000000, %v213
%v215 = select i1 %v214, float 0x4056400000000000, float %v213
%v216 = call float @llvm.fma.f32(float %v215, float 0x3FF7154760000000, float 0x4168001FC0000000)
%v217 = fsub float %v216, 0x4168001FC0000000
%v218 = call float @llvm.fma.f32(float %v217, float 0xBFE62E4000000000, float %v215)
%v219 = bitcast float %v216 to i32
%v220 = call float @llvm.fma.f32(float %v217, float 0xBEB7F7D1C0000000, float %v218)
%v221 = lshr i32 %v219, 1
%v222 = shl i32 %v221, 23
%v223 = bitcast i32 %v222 to float
%v224 = fmul float %v220, %v220
%v225 = call float @llvm.fma.f32(float %v220, float 0x3FC5554820000000, float 0x3FE0000000000000)
%v226 = call float @llvm.fma.f32(float %v220, float 0x3F81244B20000000, float 0x3FA5555280000000)
%v227 = call float @llvm.fma.f32(float 0x3F56CF7760000000, float %v224, float %v226)
%v228 = call float @llvm.fma.f32(float %v227, float %v224, float %v225)
%v229 = call float @llvm.fma.f32(float %v224, float %v228, float %v220)
%v230 = call float @llvm.fma.f32(float %v229, float %v223, float %v223)
%v231 = sub i32 %v219, %v221
%v232 = shl i32 %v231, 23
%v233 = bitcast i32 %v232 to float
%v234 = fmul float %v230, %v233
%v235 = fmul float %v207, %v234
%v236 = fcmp ogt float %v235, 0x3E10000000000000
%v237 = fcmp olt float %v235, 0x41D0000000000000
%v238 = and i1 %v236, %v237
%v239 = icmp eq i1 %v238, false
store float %v235, ptr %s0
br i1 %v239, label %then15, label %else16
then15:
%v240 = insertelement <8 x float> poison, float %v235, i32 0
%v241 = shufflevector <8 x float> %v240, <8 x float> poison, <8 x i32> zeroinitializer
br label %loop18
loop18:
%v242 = phi i64 [ 0, %then15 ], [ %v249, %loop18 ]
%v243 = mul i64 %v242, 8
%v244 = getelementptr float, ptr %scratch, i64 %v243
%v245 = load <8 x float>, ptr %v244, align 4
%v246 = fmul <8 x float> %v245, %v241
%v247 = mul i64 %v242, 8
%v248 = getelementptr float, ptr %scratch, i64 %v247
store <8 x float> %v246, ptr %v248, align 4
%v249 = add i64 %v242, 1
%v250 = icmp slt i64 %v249, 8
br i1 %v250, label %loop18, label %end19
end19:
store float 0x3FF0000000000000, ptr %s0
br label %end17
else16:
br label %end17
end17:
%v251 = insertelement <8 x float> poison, float %v235, i32 0
%v252 = shufflevector <8 x float> %v251, <8 x float> poison, <8 x i32> zeroinitializer
%v253 = mul i64 %v1, 6
%v254 = add i64 %v253, %v87
%v255 = getelementptr float, ptr %a3, i64 %v254
%v256 = load float, ptr %v255, align 4
%v257 = insertelement <8 x float> poison, float %v256, i32 0
%v258 = shufflevector <8 x float> %v257, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s21
%v259 = load <8 x float>, ptr %v92, align 4
%v260 = load <8 x float>, ptr %v96, align 4
%v261 = load <8 x float>, ptr %s21
%v262 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v259, <8 x float> %v260, <8 x float> %v261)
store <8 x float> %v262, ptr %s21
%v263 = load <8 x float>, ptr %s21
%v264 = shufflevector <8 x float> %v263, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v265 = shufflevector <8 x float> %v263, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v266 = fadd <4 x float> %v264, %v265
%v267 = shufflevector <4 x float> %v266, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v268 = shufflevector <4 x float> %v266, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v269 = fadd <2 x float> %v267, %v268
%v270 = shufflevector <2 x float> %v269, <2 x float> poison, <1 x i32> <i32 0>
%v271 = shufflevector <2 x float> %v269, <2 x float> poison, <1 x i32> <i32 1>
%v272 = fadd <1 x float> %v270, %v271
%v273 = extractelement <1 x float> %v272, i64 0
%v274 = insertelement <8 x float> poison, float %v273, i32 0
%v275 = shufflevector <8 x float> %v274, <8 x float> poison, <8 x i32> zeroinitializer
%v276 = load float, ptr %s0
%v277 = fdiv float 0x3FF0000000000000, %v276
%v278 = insertelement <8 x float> poison, float %v277, i32 0
%v279 = shufflevector <8 x float> %v278, <8 x float> poison, <8 x i32> zeroinitializer
%v280 = mul i64 %v1, 48
%v281 = mul i64 %v87, 8
%v282 = add i64 %v280, %v281
%v283 = getelementptr float, ptr %a4, i64 %v282
%v284 = load <8 x float>, ptr %v283, align 4
%v285 = load <8 x float>, ptr %s19
%v286 = fmul <8 x float> %v252, %v285
%v287 = fsub <8 x float> %v284, %v286
%v288 = fmul <8 x float> %v287, %v258
%v289 = load <8 x float>, ptr %s20
%v290 = fmul <8 x float> %v252, %v289
%v291 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v275, <8 x float> %v288, <8 x float> %v290)
%v292 = fmul <8 x float> %v291, splat (float 0x3FD6A09E60000000)
%v293 = fmul <8 x float> %v288, %v279
store <8 x float> %v293, ptr %s18
%v294 = mul i64 %v1, 48
%v295 = mul i64 %v87, 8
%v296 = add i64 %v294, %v295
%v297 = getelementptr float, ptr %a5, i64 %v296
store <8 x float> %v292, ptr %v297, align 4
%v298 = add i64 %v87, 1
%v299 = icmp slt i64 %v298, 6
br i1 %v299, label %loop11, label %end12
end12:
%v300 = load <8 x float>, ptr %s18
%v301 = load float, ptr %s0
%v302 = insertelement <8 x float> poison, float %v301, i32 0
%v303 = shufflevector <8 x float> %v302, <8 x float> poison, <8 x i32> zeroinitializer
%v304 = mul i64 %v1, 48
%v305 = add i64 %v304, 40
%v306 = getelementptr float, ptr %a0, i64 %v305
br i1 true, label %then20, label %else21
then20:
br label %loop23
loop23:
%v307 = phi i64 [ 0, %then20 ], [ %v318, %loop23 ]
%v308 = getelementptr float, ptr %v306, i64 %v307
%v309 = load float, ptr %v308, align 4
%v310 = insertelement <8 x float> poison, float %v309, i32 0
%v311 = shufflevector <8 x float> %v310, <8 x float> poison, <8 x i32> zeroinitializer
%v312 = mul i64 %v307, 8
%v313 = getelementptr float, ptr %scratch, i64 %v312
%v314 = load <8 x float>, ptr %v313, align 4
%v315 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v311, <8 x float> %v300, <8 x float> %v314)
%v316 = fmul <8 x float> %v315, %v303
%v317 = getelementptr float, ptr %scratch, i64 %v312
store <8 x float> %v316, ptr %v317, align 4
%v318 = add i64 %v307, 1
%v319 = icmp slt i64 %v318, 8
br i1 %v319, label %loop23, label %end24
end24:
br label %end22
else21:
br label %end22
end22:
br label %loop25
loop25:
%v320 = phi i64 [ 0, %end22 ], [ %v328, %loop25 ]
%v321 = mul i64 %v320, 8
%v322 = getelementptr float, ptr %scratch, i64 %v321
%v323 = load <8 x float>, ptr %v322, align 4
%v324 = mul i64 %v1, 64
%v325 = mul i64 %v320, 8
%v326 = add i64 %v324, %v325
%v327 = getelementptr float, ptr %a6, i64 %v326
store <8 x float> %v323, ptr %v327, align 4
%v328 = add i64 %v320, 1
%v329 = icmp slt i64 %v328, 8
br i1 %v329, label %loop25, label %end26
end26:
br label %end6
end6:
%v330 = add i64 %v1, 1
%v331 = icmp slt i64 %v330, %end
br i1 %v331, label %loop1, label %end2
end2:
ret void
}

