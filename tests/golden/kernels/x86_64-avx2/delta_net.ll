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

define void @gated_delta_net_6feca195(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%s21 = alloca float
%s22 = alloca <8 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v327, %end6 ]
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
%v87 = phi i64 [ 0, %end10 ], [ %v295, %end17 ]
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
store <8 x float> splat (float 0x0000000000000000), ptr %s19
store <8 x float> splat (float 0x0000000000000000), ptr %s20
br label %loop13
loop13:
%v114 = phi i64 [ 0, %loop11 ], [ %v202, %loop13 ]
%v115 = getelementptr float, ptr %v102, i64 %v114
%v116 = load float, ptr %v115, align 4
%v117 = insertelement <8 x float> poison, float %v116, i32 0
%v118 = shufflevector <8 x float> %v117, <8 x float> poison, <8 x i32> zeroinitializer
%v119 = getelementptr float, ptr %v92, i64 %v114
%v120 = load float, ptr %v119, align 4
%v121 = insertelement <8 x float> poison, float %v120, i32 0
%v122 = shufflevector <8 x float> %v121, <8 x float> poison, <8 x i32> zeroinitializer
%v123 = getelementptr float, ptr %v96, i64 %v114
%v124 = load float, ptr %v123, align 4
%v125 = insertelement <8 x float> poison, float %v124, i32 0
%v126 = shufflevector <8 x float> %v125, <8 x float> poison, <8 x i32> zeroinitializer
%v127 = mul i64 %v114, 8
%v128 = getelementptr float, ptr %scratch, i64 %v127
%v129 = load <8 x float>, ptr %v128, align 4
%v130 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v118, <8 x float> %v113, <8 x float> %v129)
%v131 = getelementptr float, ptr %scratch, i64 %v127
store <8 x float> %v130, ptr %v131, align 4
%v132 = load <8 x float>, ptr %s19
%v133 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v130, <8 x float> %v122, <8 x float> %v132)
store <8 x float> %v133, ptr %s19
%v134 = load <8 x float>, ptr %s20
%v135 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v130, <8 x float> %v126, <8 x float> %v134)
store <8 x float> %v135, ptr %s20
%v136 = add i64 %v114, 1
%v137 = getelementptr float, ptr %v102, i64 %v136
%v138 = load float, ptr %v137, align 4
%v139 = insertelement <8 x float> poison, float %v138, i32 0
%v140 = shufflevector <8 x float> %v139, <8 x float> poison, <8 x i32> zeroinitializer
%v141 = getelementptr float, ptr %v92, i64 %v136
%v142 = load float, ptr %v141, align 4
%v143 = insertelement <8 x float> poison, float %v142, i32 0
%v144 = shufflevector <8 x float> %v143, <8 x float> poison, <8 x i32> zeroinitializer
%v145 = getelementptr float, ptr %v96, i64 %v136
%v146 = load float, ptr %v145, align 4
%v147 = insertelement <8 x float> poison, float %v146, i32 0
%v148 = shufflevector <8 x float> %v147, <8 x float> poison, <8 x i32> zeroinitializer
%v149 = mul i64 %v136, 8
%v150 = getelementptr float, ptr %scratch, i64 %v149
%v151 = load <8 x float>, ptr %v150, align 4
%v152 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v140, <8 x float> %v113, <8 x float> %v151)
%v153 = getelementptr float, ptr %scratch, i64 %v149
store <8 x float> %v152, ptr %v153, align 4
%v154 = load <8 x float>, ptr %s19
%v155 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v152, <8 x float> %v144, <8 x float> %v154)
store <8 x float> %v155, ptr %s19
%v156 = load <8 x float>, ptr %s20
%v157 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v152, <8 x float> %v148, <8 x float> %v156)
store <8 x float> %v157, ptr %s20
%v158 = add i64 %v114, 2
%v159 = getelementptr float, ptr %v102, i64 %v158
%v160 = load float, ptr %v159, align 4
%v161 = insertelement <8 x float> poison, float %v160, i32 0
%v162 = shufflevector <8 x float> %v161, <8 x float> poison, <8 x i32> zeroinitializer
%v163 = getelementptr float, ptr %v92, i64 %v158
%v164 = load float, ptr %v163, align 4
%v165 = insertelement <8 x float> poison, float %v164, i32 0
%v166 = shufflevector <8 x float> %v165, <8 x float> poison, <8 x i32> zeroinitializer
%v167 = getelementptr float, ptr %v96, i64 %v158
%v168 = load float, ptr %v167, align 4
%v169 = insertelement <8 x float> poison, float %v168, i32 0
%v170 = shufflevector <8 x float> %v169, <8 x float> poison, <8 x i32> zeroinitializer
%v171 = mul i64 %v158, 8
%v172 = getelementptr float, ptr %scratch, i64 %v171
%v173 = load <8 x float>, ptr %v172, align 4
%v174 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v162, <8 x float> %v113, <8 x float> %v173)
%v175 = getelementptr float, ptr %scratch, i64 %v171
store <8 x float> %v174, ptr %v175, align 4
%v176 = load <8 x float>, ptr %s19
%v177 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v174, <8 x float> %v166, <8 x float> %v176)
store <8 x float> %v177, ptr %s19
%v178 = load <8 x float>, ptr %s20
%v179 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v174, <8 x float> %v170, <8 x float> %v178)
store <8 x float> %v179, ptr %s20
%v180 = add i64 %v114, 3
%v181 = getelementptr float, ptr %v102, i64 %v180
%v182 = load float, ptr %v181, align 4
%v183 = insertelement <8 x float> poison, float %v182, i32 0
%v184 = shufflevector <8 x float> %v183, <8 x float> poison, <8 x i32> zeroinitializer
%v185 = getelementptr float, ptr %v92, i64 %v180
%v186 = load float, ptr %v185, align 4
%v187 = insertelement <8 x float> poison, float %v186, i32 0
%v188 = shufflevector <8 x float> %v187, <8 x float> poison, <8 x i32> zeroinitializer
%v189 = getelementptr float, ptr %v96, i64 %v180
%v190 = load float, ptr %v189, align 4
%v191 = insertelement <8 x float> poison, float %v190, i32 0
%v192 = shufflevector <8 x float> %v191, <8 x float> poison, <8 x i32> zeroinitializer
%v193 = mul i64 %v180, 8
%v194 = getelementptr float, ptr %scratch, i64 %v193
%v195 = load <8 x float>, ptr %v194, align 4
%v196 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v184, <8 x float> %v113, <8 x float> %v195)
%v197 = getelementptr float, ptr %scratch, i64 %v193
store <8 x float> %v196, ptr %v197, align 4
%v198 = load <8 x float>, ptr %s19
%v199 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v196, <8 x float> %v188, <8 x float> %v198)
store <8 x float> %v199, ptr %s19
%v200 = load <8 x float>, ptr %s20
%v201 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v196, <8 x float> %v192, <8 x float> %v200)
store <8 x float> %v201, ptr %s20
%v202 = add i64 %v114, 4
%v203 = icmp slt i64 %v202, 8
br i1 %v203, label %loop13, label %end14
end14:
%v204 = load float, ptr %s0
%v205 = mul i64 %v1, 6
%v206 = add i64 %v205, %v87
%v207 = getelementptr float, ptr %a2, i64 %v206
%v208 = load float, ptr %v207, align 4
%v209 = fcmp ogt float 0xC066033340000000, %v208
%v210 = select i1 %v209, float 0xC066033340000000, float %v208
%v211 = fcmp olt float 0x4056400000000000, %v210
%v212 = select i1 %v211, float 0x4056400000000000, float %v210
%v213 = call float @llvm.fma.f32(float %v212, float 0x3FF7154760000000, float 0x4168001FC0000000)
%v214 = fsub float %v213, 0x4168001FC0000000
%v215 = call float @llvm.fma.f32(float %v214, float 0xBFE62E4000000000, float %v212)
%v216 = bitcast float %v213 to i32
%v217 = call float @llvm.fma.f32(float %v214, float 0xBEB7F7D1C0000000, float %v215)
%v218 = lshr i32 %v216, 1
%v219 = shl i32 %v218, 23
%v220 = bitcast i32 %v219 to float
%v221 = fmul float %v217, %v217
%v222 = call float @llvm.fma.f32(float %v217, float 0x3FC5554820000000, float 0x3FE0000000000000)
%v223 = call float @llvm.fma.f32(float %v217, float 0x3F81244B20000000, float 0x3FA5555280000000)
%v224 = call float @llvm.fma.f32(float 0x3F56CF7760000000, float %v221, float %v223)
%v225 = call float @llvm.fma.f32(float %v224, float %v221, float %v222)
%v226 = call float @llvm.fma.f32(float %v221, float %v225, float %v217)
%v227 = call float @llvm.fma.f32(float %v226, float %v220, float %v220)
%v228 = sub i32 %v216, %v218
%v229 = shl i32 %v228, 23
%v230 = bitcast i32 %v229 to float
%v231 = fmul float %v227, %v230
%v232 = fmul float %v204, %v231
%v233 = fcmp ogt float %v232, 0x3E10000000000000
%v234 = fcmp olt float %v232, 0x41D0000000000000
%v235 = and i1 %v233, %v234
%v236 = icmp eq i1 %v235, false
store float %v232, ptr %s21
br i1 %v236, label %then15, label %else16
then15:
%v237 = insertelement <8 x float> poison, float %v232, i32 0
%v238 = shufflevector <8 x float> %v237, <8 x float> poison, <8 x i32> zeroinitializer
br label %loop18
loop18:
%v239 = phi i64 [ 0, %then15 ], [ %v246, %loop18 ]
%v240 = mul i64 %v239, 8
%v241 = getelementptr float, ptr %scratch, i64 %v240
%v242 = load <8 x float>, ptr %v241, align 4
%v243 = fmul <8 x float> %v242, %v238
%v244 = mul i64 %v239, 8
%v245 = getelementptr float, ptr %scratch, i64 %v244
store <8 x float> %v243, ptr %v245, align 4
%v246 = add i64 %v239, 1
%v247 = icmp slt i64 %v246, 8
br i1 %v247, label %loop18, label %end19
end19:
store float 0x3FF0000000000000, ptr %s21
br label %end17
else16:
br label %end17
end17:
%v248 = insertelement <8 x float> poison, float %v232, i32 0
%v249 = shufflevector <8 x float> %v248, <8 x float> poison, <8 x i32> zeroinitializer
%v250 = mul i64 %v1, 6
%v251 = add i64 %v250, %v87
%v252 = getelementptr float, ptr %a3, i64 %v251
%v253 = load float, ptr %v252, align 4
%v254 = insertelement <8 x float> poison, float %v253, i32 0
%v255 = shufflevector <8 x float> %v254, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s22
%v256 = load <8 x float>, ptr %v92, align 4
%v257 = load <8 x float>, ptr %v96, align 4
%v258 = load <8 x float>, ptr %s22
%v259 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v256, <8 x float> %v257, <8 x float> %v258)
store <8 x float> %v259, ptr %s22
%v260 = load <8 x float>, ptr %s22
%v261 = shufflevector <8 x float> %v260, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v262 = shufflevector <8 x float> %v260, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v263 = fadd <4 x float> %v261, %v262
%v264 = shufflevector <4 x float> %v263, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v265 = shufflevector <4 x float> %v263, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v266 = fadd <2 x float> %v264, %v265
%v267 = shufflevector <2 x float> %v266, <2 x float> poison, <1 x i32> <i32 0>
%v268 = shufflevector <2 x float> %v266, <2 x float> poison, <1 x i32> <i32 1>
%v269 = fadd <1 x float> %v267, %v268
%v270 = extractelement <1 x float> %v269, i64 0
%v271 = insertelement <8 x float> poison, float %v270, i32 0
%v272 = shufflevector <8 x float> %v271, <8 x float> poison, <8 x i32> zeroinitializer
%v273 = load float, ptr %s21
%v274 = fdiv float 0x3FF0000000000000, %v273
%v275 = insertelement <8 x float> poison, float %v274, i32 0
%v276 = shufflevector <8 x float> %v275, <8 x float> poison, <8 x i32> zeroinitializer
store float %v273, ptr %s0
%v277 = mul i64 %v1, 48
%v278 = mul i64 %v87, 8
%v279 = add i64 %v277, %v278
%v280 = getelementptr float, ptr %a4, i64 %v279
%v281 = load <8 x float>, ptr %v280, align 4
%v282 = load <8 x float>, ptr %s19
%v283 = fmul <8 x float> %v249, %v282
%v284 = fsub <8 x float> %v281, %v283
%v285 = fmul <8 x float> %v284, %v255
%v286 = load <8 x float>, ptr %s20
%v287 = fmul <8 x float> %v249, %v286
%v288 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v272, <8 x float> %v285, <8 x float> %v287)
%v289 = fmul <8 x float> %v288, splat (float 0x3FD6A09E60000000)
%v290 = fmul <8 x float> %v285, %v276
store <8 x float> %v290, ptr %s18
%v291 = mul i64 %v1, 48
%v292 = mul i64 %v87, 8
%v293 = add i64 %v291, %v292
%v294 = getelementptr float, ptr %a5, i64 %v293
store <8 x float> %v289, ptr %v294, align 4
%v295 = add i64 %v87, 1
%v296 = icmp slt i64 %v295, 6
br i1 %v296, label %loop11, label %end12
end12:
%v297 = load <8 x float>, ptr %s18
%v298 = load float, ptr %s0
%v299 = insertelement <8 x float> poison, float %v298, i32 0
%v300 = shufflevector <8 x float> %v299, <8 x float> poison, <8 x i32> zeroinitializer
%v301 = mul i64 %v1, 48
%v302 = add i64 %v301, 40
%v303 = getelementptr float, ptr %a0, i64 %v302
br i1 true, label %then20, label %else21
then20:
br label %loop23
loop23:
%v304 = phi i64 [ 0, %then20 ], [ %v315, %loop23 ]
%v305 = getelementptr float, ptr %v303, i64 %v304
%v306 = load float, ptr %v305, align 4
%v307 = insertelement <8 x float> poison, float %v306, i32 0
%v308 = shufflevector <8 x float> %v307, <8 x float> poison, <8 x i32> zeroinitializer
%v309 = mul i64 %v304, 8
%v310 = getelementptr float, ptr %scratch, i64 %v309
%v311 = load <8 x float>, ptr %v310, align 4
%v312 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v308, <8 x float> %v297, <8 x float> %v311)
%v313 = fmul <8 x float> %v312, %v300
%v314 = getelementptr float, ptr %scratch, i64 %v309
store <8 x float> %v313, ptr %v314, align 4
%v315 = add i64 %v304, 1
%v316 = icmp slt i64 %v315, 8
br i1 %v316, label %loop23, label %end24
end24:
br label %end22
else21:
br label %end22
end22:
br label %loop25
loop25:
%v317 = phi i64 [ 0, %end22 ], [ %v325, %loop25 ]
%v318 = mul i64 %v317, 8
%v319 = getelementptr float, ptr %scratch, i64 %v318
%v320 = load <8 x float>, ptr %v319, align 4
%v321 = mul i64 %v1, 64
%v322 = mul i64 %v317, 8
%v323 = add i64 %v321, %v322
%v324 = getelementptr float, ptr %a6, i64 %v323
store <8 x float> %v320, ptr %v324, align 4
%v325 = add i64 %v317, 1
%v326 = icmp slt i64 %v325, 8
br i1 %v326, label %loop25, label %end26
end26:
br label %end6
end6:
%v327 = add i64 %v1, 1
%v328 = icmp slt i64 %v327, %end
br i1 %v328, label %loop1, label %end2
end2:
ret void
}

