; kernels for x86_64-avx2
; mir @delta_net_backward {
;   %0 = input("x1") : f32[1, 6, 1, 8]
;   %1 = input("x2") : f32[1, 6, 1, 8]
;   %2 = input("x3") : f32[1, 6, 1, 8]
;   %3 = input("x4") : f32[1, 6, 1]
;   %4 = input("x5") : f32[1, 6, 1]
;   %5 = input("x6") : f32[1, 6, 1, 8]
;   %6:5 = gated_delta_net_backward(%0, %1, %2, %3, %4, %5, state_size=8) : (f32[1, 6, 1, 8], f32[1, 6, 1, 8], f32[1, 6, 1, 8], f32[1, 6, 1], f32[1, 6, 1])
;   return y1=%6.0, y2=%6.1, y3=%6.2, y4=%6.3, y5=%6.4
; }

declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare float @llvm.fma.f32(float, float, float)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @gated_delta_net_backward_5934e6aa(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 2
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 3
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 4
%a3 = load ptr, ptr %a3.p, align 8
%s8 = alloca <8 x float>
%s9 = alloca <8 x float>
%a4.p = getelementptr i64, ptr %args, i64 0
%a4 = load ptr, ptr %a4.p, align 8
%a5.p = getelementptr i64, ptr %args, i64 5
%a5 = load ptr, ptr %a5.p, align 8
%s14 = alloca <8 x float>
%s15 = alloca <8 x float>
%s16 = alloca <8 x float>
%a6.p = getelementptr i64, ptr %args, i64 6
%a6 = load ptr, ptr %a6.p, align 8
%a7.p = getelementptr i64, ptr %args, i64 7
%a7 = load ptr, ptr %a7.p, align 8
%a8.p = getelementptr i64, ptr %args, i64 8
%a8 = load ptr, ptr %a8.p, align 8
%a9.p = getelementptr i64, ptr %args, i64 9
%a9 = load ptr, ptr %a9.p, align 8
%a10.p = getelementptr i64, ptr %args, i64 10
%a10 = load ptr, ptr %a10.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v473, %end25 ]
%v2 = getelementptr float, ptr %scratch, i64 448
%v3 = getelementptr float, ptr %scratch, i64 576
br label %loop4
loop4:
%v4 = phi i64 [ 0, %loop1 ], [ %v6, %loop4 ]
%v5 = getelementptr float, ptr %v2, i64 %v4
store <8 x float> splat (float 0x0000000000000000), ptr %v5, align 4
%v6 = add i64 %v4, 8
%v7 = icmp slt i64 %v6, 64
br i1 %v7, label %loop4, label %end5
end5:
%v8 = getelementptr float, ptr %scratch, i64 512
br label %loop6
loop6:
%v9 = phi i64 [ 0, %end5 ], [ %v11, %loop6 ]
%v10 = getelementptr float, ptr %v8, i64 %v9
store <8 x float> splat (float 0x0000000000000000), ptr %v10, align 4
%v11 = add i64 %v9, 8
%v12 = icmp slt i64 %v11, 64
br i1 %v12, label %loop6, label %end7
end7:
%v13 = getelementptr float, ptr %scratch, i64 2688
br label %loop8
loop8:
%v14 = phi i64 [ 0, %end7 ], [ %v18, %loop8 ]
%v15 = getelementptr float, ptr %v2, i64 %v14
%v16 = load <8 x float>, ptr %v15, align 4
%v17 = getelementptr float, ptr %v13, i64 %v14
store <8 x float> %v16, ptr %v17, align 4
%v18 = add i64 %v14, 8
%v19 = icmp slt i64 %v18, 64
br i1 %v19, label %loop8, label %end9
end9:
br label %loop10
loop10:
%v20 = phi i64 [ 0, %end9 ], [ %v98, %end15 ]
%v21 = getelementptr float, ptr %scratch, i64 48
%v22 = getelementptr float, ptr %scratch, i64 64
%v23 = mul i64 %v1, 48
%v24 = mul i64 %v20, 8
%v25 = add i64 %v23, %v24
%v26 = getelementptr float, ptr %a0, i64 %v25
%v27 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v26, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
store <8 x float> %v27, ptr %scratch, align 4
%v28 = mul i64 %v1, 48
%v29 = mul i64 %v20, 8
%v30 = add i64 %v28, %v29
%v31 = getelementptr float, ptr %a1, i64 %v30
%v32 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v31, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
store <8 x float> %v32, ptr %v21, align 4
%v33 = mul i64 %v1, 6
%v34 = add i64 %v33, %v20
%v35 = getelementptr float, ptr %a2, i64 %v34
%v36 = load float, ptr %v35, align 4
%v37 = fcmp ogt float 0xC066033340000000, %v36
%v38 = select i1 %v37, float 0xC066033340000000, float %v36
%v39 = fcmp olt float 0x4056400000000000, %v38
%v40 = select i1 %v39, float 0x4056400000000000, float %v38
%v41 = call float @llvm.fma.f32(float %v40, float 0x3FF7154760000000, float 0x4168001FC0000000)
%v42 = fsub float %v41, 0x4168001FC0000000
%v43 = call float @llvm.fma.f32(float %v42, float 0xBFE62E4000000000, float %v40)
%v44 = bitcast float %v41 to i32
%v45 = call float @llvm.fma.f32(float %v42, float 0xBEB7F7D1C0000000, float %v43)
%v46 = lshr i32 %v44, 1
%v47 = shl i32 %v46, 23
%v48 = bitcast i32 %v47 to float
%v49 = fmul float %v45, %v45
%v50 = call float @llvm.fma.f32(float %v45, float 0x3FC5554820000000, float 0x3FE0000000000000)
%v51 = call float @llvm.fma.f32(float %v45, float 0x3F81244B20000000, float 0x3FA5555280000000)
%v52 = call float @llvm.fma.f32(float 0x3F56CF7760000000, float %v49, float %v51)
%v53 = call float @llvm.fma.f32(float %v52, float %v49, float %v50)
%v54 = call float @llvm.fma.f32(float %v49, float %v53, float %v45)
%v55 = call float @llvm.fma.f32(float %v54, float %v48, float %v48)
%v56 = sub i32 %v44, %v46
%v57 = shl i32 %v56, 23
%v58 = bitcast i32 %v57 to float
%v59 = fmul float %v55, %v58
%v60 = mul i64 %v1, 6
%v61 = add i64 %v60, %v20
%v62 = getelementptr float, ptr %a3, i64 %v61
%v63 = load float, ptr %v62, align 4
%v64 = insertelement <8 x float> poison, float %v59, i32 0
%v65 = shufflevector <8 x float> %v64, <8 x float> poison, <8 x i32> zeroinitializer
%v66 = insertelement <8 x float> poison, float %v63, i32 0
%v67 = shufflevector <8 x float> %v66, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s8
br label %loop12
loop12:
%v68 = phi i64 [ 0, %loop10 ], [ %v78, %loop12 ]
%v69 = getelementptr float, ptr %scratch, i64 %v68
%v70 = load float, ptr %v69, align 4
%v71 = insertelement <8 x float> poison, float %v70, i32 0
%v72 = shufflevector <8 x float> %v71, <8 x float> poison, <8 x i32> zeroinitializer
%v73 = mul i64 %v68, 8
%v74 = getelementptr float, ptr %v2, i64 %v73
%v75 = load <8 x float>, ptr %v74, align 4
%v76 = load <8 x float>, ptr %s8
%v77 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v72, <8 x float> %v75, <8 x float> %v76)
store <8 x float> %v77, ptr %s8
%v78 = add i64 %v68, 1
%v79 = icmp slt i64 %v78, 8
br i1 %v79, label %loop12, label %end13
end13:
%v80 = load <8 x float>, ptr %v21, align 4
%v81 = load <8 x float>, ptr %s8
%v82 = fmul <8 x float> %v65, %v81
%v83 = fsub <8 x float> %v80, %v82
store <8 x float> %v83, ptr %v22, align 4
%v84 = fmul <8 x float> %v83, %v67
br label %loop14
loop14:
%v85 = phi i64 [ 0, %end13 ], [ %v96, %loop14 ]
%v86 = getelementptr float, ptr %scratch, i64 %v85
%v87 = load float, ptr %v86, align 4
%v88 = insertelement <8 x float> poison, float %v87, i32 0
%v89 = shufflevector <8 x float> %v88, <8 x float> poison, <8 x i32> zeroinitializer
%v90 = mul i64 %v85, 8
%v91 = getelementptr float, ptr %v2, i64 %v90
%v92 = load <8 x float>, ptr %v91, align 4
%v93 = fmul <8 x float> %v65, %v92
%v94 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v89, <8 x float> %v84, <8 x float> %v93)
%v95 = getelementptr float, ptr %v2, i64 %v90
store <8 x float> %v94, ptr %v95, align 4
%v96 = add i64 %v85, 1
%v97 = icmp slt i64 %v96, 8
br i1 %v97, label %loop14, label %end15
end15:
%v98 = add i64 %v20, 1
%v99 = icmp slt i64 %v98, 6
br i1 %v99, label %loop10, label %end11
end11:
%v100 = getelementptr float, ptr %scratch, i64 2688
br label %loop16
loop16:
%v101 = phi i64 [ 0, %end11 ], [ %v105, %loop16 ]
%v102 = getelementptr float, ptr %v100, i64 %v101
%v103 = load <8 x float>, ptr %v102, align 4
%v104 = getelementptr float, ptr %v3, i64 %v101
store <8 x float> %v103, ptr %v104, align 4
%v105 = add i64 %v101, 8
%v106 = icmp slt i64 %v105, 64
br i1 %v106, label %loop16, label %end17
end17:
br label %loop18
loop18:
%v107 = phi i64 [ 0, %end17 ], [ %v194, %end23 ]
%v108 = mul i64 %v107, 64
%v109 = add i64 %v108, 576
%v110 = getelementptr float, ptr %scratch, i64 %v109
%v111 = add i64 %v107, 1
%v112 = mul i64 %v111, 64
%v113 = add i64 %v112, 576
%v114 = getelementptr float, ptr %scratch, i64 %v113
%v115 = getelementptr float, ptr %scratch, i64 48
%v116 = mul i64 %v107, 8
%v117 = add i64 %v116, 64
%v118 = getelementptr float, ptr %scratch, i64 %v117
%v119 = mul i64 %v1, 48
%v120 = mul i64 %v107, 8
%v121 = add i64 %v119, %v120
%v122 = getelementptr float, ptr %a0, i64 %v121
%v123 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v122, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
store <8 x float> %v123, ptr %scratch, align 4
%v124 = mul i64 %v1, 48
%v125 = mul i64 %v107, 8
%v126 = add i64 %v124, %v125
%v127 = getelementptr float, ptr %a1, i64 %v126
%v128 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v127, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
store <8 x float> %v128, ptr %v115, align 4
%v129 = mul i64 %v1, 6
%v130 = add i64 %v129, %v107
%v131 = getelementptr float, ptr %a2, i64 %v130
%v132 = load float, ptr %v131, align 4
%v133 = fcmp ogt float 0xC066033340000000, %v132
%v134 = select i1 %v133, float 0xC066033340000000, float %v132
%v135 = fcmp olt float 0x4056400000000000, %v134
%v136 = select i1 %v135, float 0x4056400000000000, float %v134
%v137 = call float @llvm.fma.f32(float %v136, float 0x3FF7154760000000, float 0x4168001FC0000000)
%v138 = fsub float %v137, 0x4168001FC0000000
%v139 = call float @llvm.fma.f32(float %v138, float 0xBFE62E4000000000, float %v136)
%v140 = bitcast float %v137 to i32
%v141 = call float @llvm.fma.f32(float %v138, float 0xBEB7F7D1C0000000, float %v139)
%v142 = lshr i32 %v140, 1
%v143 = shl i32 %v142, 23
%v144 = bitcast i32 %v143 to float
%v145 = fmul float %v141, %v141
%v146 = call float @llvm.fma.f32(float %v141, float 0x3FC5554820000000, float 0x3FE0000000000000)
%v147 = call float @llvm.fma.f32(float %v141, float 0x3F81244B20000000, float 0x3FA5555280000000)
%v148 = call float @llvm.fma.f32(float 0x3F56CF7760000000, float %v145, float %v147)
%v149 = call float @llvm.fma.f32(float %v148, float %v145, float %v146)
%v150 = call float @llvm.fma.f32(float %v145, float %v149, float %v141)
%v151 = call float @llvm.fma.f32(float %v150, float %v144, float %v144)
%v152 = sub i32 %v140, %v142
%v153 = shl i32 %v152, 23
%v154 = bitcast i32 %v153 to float
%v155 = fmul float %v151, %v154
%v156 = mul i64 %v1, 6
%v157 = add i64 %v156, %v107
%v158 = getelementptr float, ptr %a3, i64 %v157
%v159 = load float, ptr %v158, align 4
%v160 = insertelement <8 x float> poison, float %v155, i32 0
%v161 = shufflevector <8 x float> %v160, <8 x float> poison, <8 x i32> zeroinitializer
%v162 = insertelement <8 x float> poison, float %v159, i32 0
%v163 = shufflevector <8 x float> %v162, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s9
br label %loop20
loop20:
%v164 = phi i64 [ 0, %loop18 ], [ %v174, %loop20 ]
%v165 = getelementptr float, ptr %scratch, i64 %v164
%v166 = load float, ptr %v165, align 4
%v167 = insertelement <8 x float> poison, float %v166, i32 0
%v168 = shufflevector <8 x float> %v167, <8 x float> poison, <8 x i32> zeroinitializer
%v169 = mul i64 %v164, 8
%v170 = getelementptr float, ptr %v110, i64 %v169
%v171 = load <8 x float>, ptr %v170, align 4
%v172 = load <8 x float>, ptr %s9
%v173 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v168, <8 x float> %v171, <8 x float> %v172)
store <8 x float> %v173, ptr %s9
%v174 = add i64 %v164, 1
%v175 = icmp slt i64 %v174, 8
br i1 %v175, label %loop20, label %end21
end21:
%v176 = load <8 x float>, ptr %v115, align 4
%v177 = load <8 x float>, ptr %s9
%v178 = fmul <8 x float> %v161, %v177
%v179 = fsub <8 x float> %v176, %v178
store <8 x float> %v179, ptr %v118, align 4
%v180 = fmul <8 x float> %v179, %v163
br label %loop22
loop22:
%v181 = phi i64 [ 0, %end21 ], [ %v192, %loop22 ]
%v182 = getelementptr float, ptr %scratch, i64 %v181
%v183 = load float, ptr %v182, align 4
%v184 = insertelement <8 x float> poison, float %v183, i32 0
%v185 = shufflevector <8 x float> %v184, <8 x float> poison, <8 x i32> zeroinitializer
%v186 = mul i64 %v181, 8
%v187 = getelementptr float, ptr %v110, i64 %v186
%v188 = load <8 x float>, ptr %v187, align 4
%v189 = fmul <8 x float> %v161, %v188
%v190 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v185, <8 x float> %v180, <8 x float> %v189)
%v191 = getelementptr float, ptr %v114, i64 %v186
store <8 x float> %v190, ptr %v191, align 4
%v192 = add i64 %v181, 1
%v193 = icmp slt i64 %v192, 8
br i1 %v193, label %loop22, label %end23
end23:
%v194 = add i64 %v107, 1
%v195 = icmp slt i64 %v194, 6
br i1 %v195, label %loop18, label %end19
end19:
br label %loop24
loop24:
%v196 = phi i64 [ 5, %end19 ], [ %v471, %end33 ]
%v197 = mul i64 %v196, 64
%v198 = add i64 %v197, 576
%v199 = getelementptr float, ptr %scratch, i64 %v198
%v200 = add i64 %v196, 1
%v201 = mul i64 %v200, 64
%v202 = add i64 %v201, 576
%v203 = getelementptr float, ptr %scratch, i64 %v202
%v204 = mul i64 %v1, 48
%v205 = mul i64 %v196, 8
%v206 = add i64 %v204, %v205
%v207 = getelementptr float, ptr %a4, i64 %v206
%v208 = getelementptr float, ptr %scratch, i64 16
%v209 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v207, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
store <8 x float> %v209, ptr %v208, align 4
%v210 = mul i64 %v1, 48
%v211 = mul i64 %v196, 8
%v212 = add i64 %v210, %v211
%v213 = getelementptr float, ptr %a5, i64 %v212
%v214 = getelementptr float, ptr %scratch, i64 32
%v215 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v213, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v216 = fmul <8 x float> %v215, splat (float 0x3FD6A09E60000000)
store <8 x float> %v216, ptr %v214, align 4
br label %loop26
loop26:
%v217 = phi i64 [ 0, %loop24 ], [ %v220, %loop26 ]
%v218 = getelementptr float, ptr %scratch, i64 320
%v219 = getelementptr float, ptr %v218, i64 %v217
store <8 x float> splat (float 0x0000000000000000), ptr %v219, align 4
%v220 = add i64 %v217, 8
%v221 = icmp slt i64 %v220, 64
br i1 %v221, label %loop26, label %end27
end27:
br label %loop28
loop28:
%v222 = phi i64 [ 0, %end27 ], [ %v225, %loop28 ]
%v223 = getelementptr float, ptr %scratch, i64 384
%v224 = getelementptr float, ptr %v223, i64 %v222
store <8 x float> splat (float 0x0000000000000000), ptr %v224, align 4
%v225 = add i64 %v222, 8
%v226 = icmp slt i64 %v225, 64
br i1 %v226, label %loop28, label %end29
end29:
%v227 = mul i64 %v1, 48
%v228 = mul i64 %v196, 8
%v229 = add i64 %v227, %v228
%v230 = getelementptr float, ptr %a0, i64 %v229
%v231 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v230, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
store <8 x float> %v231, ptr %scratch, align 4
%v232 = mul i64 %v1, 6
%v233 = add i64 %v232, %v196
%v234 = getelementptr float, ptr %a2, i64 %v233
%v235 = load float, ptr %v234, align 4
%v236 = fcmp ogt float 0xC066033340000000, %v235
%v237 = select i1 %v236, float 0xC066033340000000, float %v235
%v238 = fcmp olt float 0x4056400000000000, %v237
%v239 = select i1 %v238, float 0x4056400000000000, float %v237
%v240 = call float @llvm.fma.f32(float %v239, float 0x3FF7154760000000, float 0x4168001FC0000000)
%v241 = fsub float %v240, 0x4168001FC0000000
%v242 = call float @llvm.fma.f32(float %v241, float 0xBFE62E4000000000, float %v239)
%v243 = bitcast float %v240 to i32
%v244 = call float @llvm.fma.f32(float %v241, float 0xBEB7F7D1C0000000, float %v242)
%v245 = lshr i32 %v243, 1
%v246 = shl i32 %v245, 23
%v247 = bitcast i32 %v246 to float
%v248 = fmul float %v244, %v244
%v249 = call float @llvm.fma.f32(float %v244, float 0x3FC5554820000000, float 0x3FE0000000000000)
%v250 = call float @llvm.fma.f32(float %v244, float 0x3F81244B20000000, float 0x3FA5555280000000)
%v251 = call float @llvm.fma.f32(float 0x3F56CF7760000000, float %v248, float %v250)
%v252 = call float @llvm.fma.f32(float %v251, float %v248, float %v249)
%v253 = call float @llvm.fma.f32(float %v248, float %v252, float %v244)
%v254 = call float @llvm.fma.f32(float %v253, float %v247, float %v247)
%v255 = sub i32 %v243, %v245
%v256 = shl i32 %v255, 23
%v257 = bitcast i32 %v256 to float
%v258 = fmul float %v254, %v257
%v259 = mul i64 %v1, 6
%v260 = add i64 %v259, %v196
%v261 = getelementptr float, ptr %a3, i64 %v260
%v262 = load float, ptr %v261, align 4
%v263 = insertelement <8 x float> poison, float %v258, i32 0
%v264 = shufflevector <8 x float> %v263, <8 x float> poison, <8 x i32> zeroinitializer
%v265 = insertelement <8 x float> poison, float %v262, i32 0
%v266 = shufflevector <8 x float> %v265, <8 x float> poison, <8 x i32> zeroinitializer
%v267 = mul i64 %v196, 8
%v268 = add i64 %v267, 64
%v269 = getelementptr float, ptr %scratch, i64 %v268
store <8 x float> splat (float 0x0000000000000000), ptr %s14
store <8 x float> splat (float 0x0000000000000000), ptr %s15
%v270 = getelementptr float, ptr %scratch, i64 32
%v271 = load <8 x float>, ptr %v270, align 4
%v272 = getelementptr float, ptr %scratch, i64 512
store <8 x float> splat (float 0x0000000000000000), ptr %s16
br label %loop30
loop30:
%v273 = phi i64 [ 0, %end29 ], [ %v300, %loop30 ]
%v274 = getelementptr float, ptr %scratch, i64 16
%v275 = getelementptr float, ptr %v274, i64 %v273
%v276 = load float, ptr %v275, align 4
%v277 = insertelement <8 x float> poison, float %v276, i32 0
%v278 = shufflevector <8 x float> %v277, <8 x float> poison, <8 x i32> zeroinitializer
%v279 = getelementptr float, ptr %scratch, i64 %v273
%v280 = load float, ptr %v279, align 4
%v281 = insertelement <8 x float> poison, float %v280, i32 0
%v282 = shufflevector <8 x float> %v281, <8 x float> poison, <8 x i32> zeroinitializer
%v283 = mul i64 %v273, 8
%v284 = getelementptr float, ptr %v272, i64 %v283
%v285 = load <8 x float>, ptr %v284, align 4
%v286 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v278, <8 x float> %v271, <8 x float> %v285)
%v287 = getelementptr float, ptr %v272, i64 %v283
store <8 x float> %v286, ptr %v287, align 4
%v288 = getelementptr float, ptr %scratch, i64 320
%v289 = mul i64 %v273, 8
%v290 = getelementptr float, ptr %v288, i64 %v289
%v291 = load <8 x float>, ptr %v290, align 4
%v292 = getelementptr float, ptr %v203, i64 %v283
%v293 = load <8 x float>, ptr %v292, align 4
%v294 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v271, <8 x float> %v293, <8 x float> %v291)
%v295 = load <8 x float>, ptr %s16
%v296 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v282, <8 x float> %v286, <8 x float> %v295)
store <8 x float> %v296, ptr %s16
%v297 = getelementptr float, ptr %scratch, i64 320
%v298 = mul i64 %v273, 8
%v299 = getelementptr float, ptr %v297, i64 %v298
store <8 x float> %v294, ptr %v299, align 4
%v300 = add i64 %v273, 1
%v301 = icmp slt i64 %v300, 8
br i1 %v301, label %loop30, label %end31
end31:
%v302 = load <8 x float>, ptr %s16
%v303 = load <8 x float>, ptr %v269, align 4
%v304 = load <8 x float>, ptr %s15
%v305 = fmul <8 x float> %v302, %v303
%v306 = fadd <8 x float> %v304, %v305
store <8 x float> %v306, ptr %s15
%v307 = fmul <8 x float> %v302, %v266
%v308 = fmul <8 x float> %v303, %v266
%v309 = getelementptr float, ptr %scratch, i64 48
store <8 x float> %v307, ptr %v309, align 4
br label %loop32
loop32:
%v310 = phi i64 [ 0, %end31 ], [ %v339, %loop32 ]
%v311 = getelementptr float, ptr %scratch, i64 %v310
%v312 = load float, ptr %v311, align 4
%v313 = insertelement <8 x float> poison, float %v312, i32 0
%v314 = shufflevector <8 x float> %v313, <8 x float> poison, <8 x i32> zeroinitializer
%v315 = mul i64 %v310, 8
%v316 = getelementptr float, ptr %scratch, i64 384
%v317 = mul i64 %v310, 8
%v318 = getelementptr float, ptr %v316, i64 %v317
%v319 = load <8 x float>, ptr %v318, align 4
%v320 = getelementptr float, ptr %scratch, i64 512
%v321 = getelementptr float, ptr %v320, i64 %v315
%v322 = load <8 x float>, ptr %v321, align 4
%v323 = getelementptr float, ptr %v199, i64 %v315
%v324 = load <8 x float>, ptr %v323, align 4
%v325 = fmul <8 x float> %v264, %v324
%v326 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v322, <8 x float> %v308, <8 x float> %v319)
%v327 = fmul <8 x float> %v325, %v307
%v328 = fsub <8 x float> %v326, %v327
%v329 = fmul <8 x float> %v314, %v307
%v330 = fsub <8 x float> %v322, %v329
%v331 = load <8 x float>, ptr %s14
%v332 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v330, <8 x float> %v325, <8 x float> %v331)
store <8 x float> %v332, ptr %s14
%v333 = fmul <8 x float> %v330, %v264
%v334 = getelementptr float, ptr %scratch, i64 384
%v335 = mul i64 %v310, 8
%v336 = getelementptr float, ptr %v334, i64 %v335
store <8 x float> %v328, ptr %v336, align 4
%v337 = getelementptr float, ptr %scratch, i64 512
%v338 = getelementptr float, ptr %v337, i64 %v315
store <8 x float> %v333, ptr %v338, align 4
%v339 = add i64 %v310, 1
%v340 = icmp slt i64 %v339, 8
br i1 %v340, label %loop32, label %end33
end33:
%v341 = getelementptr float, ptr %scratch, i64 320
%v342 = load <8 x float>, ptr %v341, align 4
%v343 = getelementptr float, ptr %scratch, i64 320
%v344 = getelementptr float, ptr %v343, i64 8
%v345 = load <8 x float>, ptr %v344, align 4
%v346 = getelementptr float, ptr %scratch, i64 320
%v347 = getelementptr float, ptr %v346, i64 16
%v348 = load <8 x float>, ptr %v347, align 4
%v349 = getelementptr float, ptr %scratch, i64 320
%v350 = getelementptr float, ptr %v349, i64 24
%v351 = load <8 x float>, ptr %v350, align 4
%v352 = getelementptr float, ptr %scratch, i64 320
%v353 = getelementptr float, ptr %v352, i64 32
%v354 = load <8 x float>, ptr %v353, align 4
%v355 = getelementptr float, ptr %scratch, i64 320
%v356 = getelementptr float, ptr %v355, i64 40
%v357 = load <8 x float>, ptr %v356, align 4
%v358 = getelementptr float, ptr %scratch, i64 320
%v359 = getelementptr float, ptr %v358, i64 48
%v360 = load <8 x float>, ptr %v359, align 4
%v361 = getelementptr float, ptr %scratch, i64 320
%v362 = getelementptr float, ptr %v361, i64 56
%v363 = load <8 x float>, ptr %v362, align 4
%v364 = shufflevector <8 x float> %v342, <8 x float> %v345, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v365 = shufflevector <8 x float> %v342, <8 x float> %v345, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v366 = fadd <8 x float> %v364, %v365
%v367 = shufflevector <8 x float> %v348, <8 x float> %v351, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v368 = shufflevector <8 x float> %v348, <8 x float> %v351, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v369 = fadd <8 x float> %v367, %v368
%v370 = shufflevector <8 x float> %v354, <8 x float> %v357, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v371 = shufflevector <8 x float> %v354, <8 x float> %v357, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v372 = fadd <8 x float> %v370, %v371
%v373 = shufflevector <8 x float> %v360, <8 x float> %v363, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v374 = shufflevector <8 x float> %v360, <8 x float> %v363, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v375 = fadd <8 x float> %v373, %v374
%v376 = shufflevector <8 x float> %v366, <8 x float> %v369, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v377 = shufflevector <8 x float> %v366, <8 x float> %v369, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v378 = fadd <8 x float> %v376, %v377
%v379 = shufflevector <8 x float> %v372, <8 x float> %v375, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v380 = shufflevector <8 x float> %v372, <8 x float> %v375, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v381 = fadd <8 x float> %v379, %v380
%v382 = shufflevector <8 x float> %v378, <8 x float> %v381, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v383 = shufflevector <8 x float> %v378, <8 x float> %v381, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v384 = fadd <8 x float> %v382, %v383
%v385 = mul i64 %v1, 48
%v386 = mul i64 %v196, 8
%v387 = add i64 %v385, %v386
%v388 = getelementptr float, ptr %a6, i64 %v387
store <8 x float> %v384, ptr %v388, align 4
%v389 = getelementptr float, ptr %scratch, i64 384
%v390 = load <8 x float>, ptr %v389, align 4
%v391 = getelementptr float, ptr %scratch, i64 384
%v392 = getelementptr float, ptr %v391, i64 8
%v393 = load <8 x float>, ptr %v392, align 4
%v394 = getelementptr float, ptr %scratch, i64 384
%v395 = getelementptr float, ptr %v394, i64 16
%v396 = load <8 x float>, ptr %v395, align 4
%v397 = getelementptr float, ptr %scratch, i64 384
%v398 = getelementptr float, ptr %v397, i64 24
%v399 = load <8 x float>, ptr %v398, align 4
%v400 = getelementptr float, ptr %scratch, i64 384
%v401 = getelementptr float, ptr %v400, i64 32
%v402 = load <8 x float>, ptr %v401, align 4
%v403 = getelementptr float, ptr %scratch, i64 384
%v404 = getelementptr float, ptr %v403, i64 40
%v405 = load <8 x float>, ptr %v404, align 4
%v406 = getelementptr float, ptr %scratch, i64 384
%v407 = getelementptr float, ptr %v406, i64 48
%v408 = load <8 x float>, ptr %v407, align 4
%v409 = getelementptr float, ptr %scratch, i64 384
%v410 = getelementptr float, ptr %v409, i64 56
%v411 = load <8 x float>, ptr %v410, align 4
%v412 = shufflevector <8 x float> %v390, <8 x float> %v393, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v413 = shufflevector <8 x float> %v390, <8 x float> %v393, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v414 = fadd <8 x float> %v412, %v413
%v415 = shufflevector <8 x float> %v396, <8 x float> %v399, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v416 = shufflevector <8 x float> %v396, <8 x float> %v399, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v417 = fadd <8 x float> %v415, %v416
%v418 = shufflevector <8 x float> %v402, <8 x float> %v405, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v419 = shufflevector <8 x float> %v402, <8 x float> %v405, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v420 = fadd <8 x float> %v418, %v419
%v421 = shufflevector <8 x float> %v408, <8 x float> %v411, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v422 = shufflevector <8 x float> %v408, <8 x float> %v411, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v423 = fadd <8 x float> %v421, %v422
%v424 = shufflevector <8 x float> %v414, <8 x float> %v417, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v425 = shufflevector <8 x float> %v414, <8 x float> %v417, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v426 = fadd <8 x float> %v424, %v425
%v427 = shufflevector <8 x float> %v420, <8 x float> %v423, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v428 = shufflevector <8 x float> %v420, <8 x float> %v423, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v429 = fadd <8 x float> %v427, %v428
%v430 = shufflevector <8 x float> %v426, <8 x float> %v429, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v431 = shufflevector <8 x float> %v426, <8 x float> %v429, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v432 = fadd <8 x float> %v430, %v431
%v433 = mul i64 %v1, 48
%v434 = mul i64 %v196, 8
%v435 = add i64 %v433, %v434
%v436 = getelementptr float, ptr %a7, i64 %v435
store <8 x float> %v432, ptr %v436, align 4
%v437 = mul i64 %v1, 48
%v438 = mul i64 %v196, 8
%v439 = add i64 %v437, %v438
%v440 = getelementptr float, ptr %a8, i64 %v439
%v441 = getelementptr float, ptr %scratch, i64 48
%v442 = load <8 x float>, ptr %v441, align 4
store <8 x float> %v442, ptr %v440, align 4
%v443 = load <8 x float>, ptr %s14
%v444 = shufflevector <8 x float> %v443, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v445 = shufflevector <8 x float> %v443, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v446 = fadd <4 x float> %v444, %v445
%v447 = shufflevector <4 x float> %v446, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v448 = shufflevector <4 x float> %v446, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v449 = fadd <2 x float> %v447, %v448
%v450 = shufflevector <2 x float> %v449, <2 x float> poison, <1 x i32> <i32 0>
%v451 = shufflevector <2 x float> %v449, <2 x float> poison, <1 x i32> <i32 1>
%v452 = fadd <1 x float> %v450, %v451
%v453 = extractelement <1 x float> %v452, i64 0
%v454 = mul i64 %v1, 6
%v455 = add i64 %v454, %v196
%v456 = getelementptr float, ptr %a9, i64 %v455
store float %v453, ptr %v456, align 4
%v457 = load <8 x float>, ptr %s15
%v458 = shufflevector <8 x float> %v457, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v459 = shufflevector <8 x float> %v457, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v460 = fadd <4 x float> %v458, %v459
%v461 = shufflevector <4 x float> %v460, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v462 = shufflevector <4 x float> %v460, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v463 = fadd <2 x float> %v461, %v462
%v464 = shufflevector <2 x float> %v463, <2 x float> poison, <1 x i32> <i32 0>
%v465 = shufflevector <2 x float> %v463, <2 x float> poison, <1 x i32> <i32 1>
%v466 = fadd <1 x float> %v464, %v465
%v467 = extractelement <1 x float> %v466, i64 0
%v468 = mul i64 %v1, 6
%v469 = add i64 %v468, %v196
%v470 = getelementptr float, ptr %a10, i64 %v469
store float %v467, ptr %v470, align 4
%v471 = add i64 %v196, -1
%v472 = icmp sgt i64 %v471, -1
br i1 %v472, label %loop24, label %end25
end25:
%v473 = add i64 %v1, 1
%v474 = icmp slt i64 %v473, %end
br i1 %v474, label %loop1, label %end2
end2:
ret void
}

