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

define void @gated_delta_net_backward_1cd196da(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v1 = phi i64 [ %begin, %guard3 ], [ %v469, %end25 ]
%v2 = getelementptr float, ptr %scratch, i64 448
br label %loop4
loop4:
%v3 = phi i64 [ 0, %loop1 ], [ %v5, %loop4 ]
%v4 = getelementptr float, ptr %v2, i64 %v3
store <8 x float> splat (float 0x0000000000000000), ptr %v4, align 4
%v5 = add i64 %v3, 8
%v6 = icmp slt i64 %v5, 64
br i1 %v6, label %loop4, label %end5
end5:
%v7 = getelementptr float, ptr %scratch, i64 512
br label %loop6
loop6:
%v8 = phi i64 [ 0, %end5 ], [ %v10, %loop6 ]
%v9 = getelementptr float, ptr %v7, i64 %v8
store <8 x float> splat (float 0x0000000000000000), ptr %v9, align 4
%v10 = add i64 %v8, 8
%v11 = icmp slt i64 %v10, 64
br i1 %v11, label %loop6, label %end7
end7:
%v12 = getelementptr float, ptr %scratch, i64 448
%v13 = getelementptr float, ptr %scratch, i64 576
%v14 = getelementptr float, ptr %scratch, i64 2688
br label %loop8
loop8:
%v15 = phi i64 [ 0, %end7 ], [ %v19, %loop8 ]
%v16 = getelementptr float, ptr %v12, i64 %v15
%v17 = load <8 x float>, ptr %v16, align 4
%v18 = getelementptr float, ptr %v14, i64 %v15
store <8 x float> %v17, ptr %v18, align 4
%v19 = add i64 %v15, 8
%v20 = icmp slt i64 %v19, 64
br i1 %v20, label %loop8, label %end9
end9:
br label %loop10
loop10:
%v21 = phi i64 [ 0, %end9 ], [ %v99, %end15 ]
%v22 = getelementptr float, ptr %scratch, i64 48
%v23 = getelementptr float, ptr %scratch, i64 64
%v24 = mul i64 %v1, 48
%v25 = mul i64 %v21, 8
%v26 = add i64 %v24, %v25
%v27 = getelementptr float, ptr %a0, i64 %v26
%v28 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v27, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
store <8 x float> %v28, ptr %scratch, align 4
%v29 = mul i64 %v1, 48
%v30 = mul i64 %v21, 8
%v31 = add i64 %v29, %v30
%v32 = getelementptr float, ptr %a1, i64 %v31
%v33 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v32, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
store <8 x float> %v33, ptr %v22, align 4
%v34 = mul i64 %v1, 6
%v35 = add i64 %v34, %v21
%v36 = getelementptr float, ptr %a2, i64 %v35
%v37 = load float, ptr %v36, align 4
%v38 = fcmp ogt float 0xC066033340000000, %v37
%v39 = select i1 %v38, float 0xC066033340000000, float %v37
%v40 = fcmp olt float 0x4056400000000000, %v39
%v41 = select i1 %v40, float 0x4056400000000000, float %v39
%v42 = call float @llvm.fma.f32(float %v41, float 0x3FF7154760000000, float 0x4168001FC0000000)
%v43 = fsub float %v42, 0x4168001FC0000000
%v44 = call float @llvm.fma.f32(float %v43, float 0xBFE62E4000000000, float %v41)
%v45 = bitcast float %v42 to i32
%v46 = call float @llvm.fma.f32(float %v43, float 0xBEB7F7D1C0000000, float %v44)
%v47 = lshr i32 %v45, 1
%v48 = shl i32 %v47, 23
%v49 = bitcast i32 %v48 to float
%v50 = fmul float %v46, %v46
%v51 = call float @llvm.fma.f32(float %v46, float 0x3FC5554820000000, float 0x3FE0000000000000)
%v52 = call float @llvm.fma.f32(float %v46, float 0x3F81244B20000000, float 0x3FA5555280000000)
%v53 = call float @llvm.fma.f32(float 0x3F56CF7760000000, float %v50, float %v52)
%v54 = call float @llvm.fma.f32(float %v53, float %v50, float %v51)
%v55 = call float @llvm.fma.f32(float %v50, float %v54, float %v46)
%v56 = call float @llvm.fma.f32(float %v55, float %v49, float %v49)
%v57 = sub i32 %v45, %v47
%v58 = shl i32 %v57, 23
%v59 = bitcast i32 %v58 to float
%v60 = fmul float %v56, %v59
%v61 = mul i64 %v1, 6
%v62 = add i64 %v61, %v21
%v63 = getelementptr float, ptr %a3, i64 %v62
%v64 = load float, ptr %v63, align 4
%v65 = insertelement <8 x float> poison, float %v60, i32 0
%v66 = shufflevector <8 x float> %v65, <8 x float> poison, <8 x i32> zeroinitializer
%v67 = insertelement <8 x float> poison, float %v64, i32 0
%v68 = shufflevector <8 x float> %v67, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s8
br label %loop12
loop12:
%v69 = phi i64 [ 0, %loop10 ], [ %v79, %loop12 ]
%v70 = getelementptr float, ptr %scratch, i64 %v69
%v71 = load float, ptr %v70, align 4
%v72 = insertelement <8 x float> poison, float %v71, i32 0
%v73 = shufflevector <8 x float> %v72, <8 x float> poison, <8 x i32> zeroinitializer
%v74 = mul i64 %v69, 8
%v75 = getelementptr float, ptr %v12, i64 %v74
%v76 = load <8 x float>, ptr %v75, align 4
%v77 = load <8 x float>, ptr %s8
%v78 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v73, <8 x float> %v76, <8 x float> %v77)
store <8 x float> %v78, ptr %s8
%v79 = add i64 %v69, 1
%v80 = icmp slt i64 %v79, 8
br i1 %v80, label %loop12, label %end13
end13:
%v81 = load <8 x float>, ptr %v22, align 4
%v82 = load <8 x float>, ptr %s8
%v83 = fmul <8 x float> %v66, %v82
%v84 = fsub <8 x float> %v81, %v83
store <8 x float> %v84, ptr %v23, align 4
%v85 = fmul <8 x float> %v84, %v68
br label %loop14
loop14:
%v86 = phi i64 [ 0, %end13 ], [ %v97, %loop14 ]
%v87 = getelementptr float, ptr %scratch, i64 %v86
%v88 = load float, ptr %v87, align 4
%v89 = insertelement <8 x float> poison, float %v88, i32 0
%v90 = shufflevector <8 x float> %v89, <8 x float> poison, <8 x i32> zeroinitializer
%v91 = mul i64 %v86, 8
%v92 = getelementptr float, ptr %v12, i64 %v91
%v93 = load <8 x float>, ptr %v92, align 4
%v94 = fmul <8 x float> %v66, %v93
%v95 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v90, <8 x float> %v85, <8 x float> %v94)
%v96 = getelementptr float, ptr %v12, i64 %v91
store <8 x float> %v95, ptr %v96, align 4
%v97 = add i64 %v86, 1
%v98 = icmp slt i64 %v97, 8
br i1 %v98, label %loop14, label %end15
end15:
%v99 = add i64 %v21, 1
%v100 = icmp slt i64 %v99, 6
br i1 %v100, label %loop10, label %end11
end11:
br label %loop16
loop16:
%v101 = phi i64 [ 0, %end11 ], [ %v105, %loop16 ]
%v102 = getelementptr float, ptr %v14, i64 %v101
%v103 = load <8 x float>, ptr %v102, align 4
%v104 = getelementptr float, ptr %v13, i64 %v101
store <8 x float> %v103, ptr %v104, align 4
%v105 = add i64 %v101, 8
%v106 = icmp slt i64 %v105, 64
br i1 %v106, label %loop16, label %end17
end17:
br label %loop18
loop18:
%v107 = phi i64 [ 0, %end17 ], [ %v192, %end23 ]
%v108 = mul i64 %v107, 64
%v109 = getelementptr float, ptr %v13, i64 %v108
%v110 = add i64 %v107, 1
%v111 = mul i64 %v110, 64
%v112 = getelementptr float, ptr %v13, i64 %v111
%v113 = getelementptr float, ptr %scratch, i64 48
%v114 = mul i64 %v107, 8
%v115 = add i64 %v114, 64
%v116 = getelementptr float, ptr %scratch, i64 %v115
%v117 = mul i64 %v1, 48
%v118 = mul i64 %v107, 8
%v119 = add i64 %v117, %v118
%v120 = getelementptr float, ptr %a0, i64 %v119
%v121 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v120, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
store <8 x float> %v121, ptr %scratch, align 4
%v122 = mul i64 %v1, 48
%v123 = mul i64 %v107, 8
%v124 = add i64 %v122, %v123
%v125 = getelementptr float, ptr %a1, i64 %v124
%v126 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v125, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
store <8 x float> %v126, ptr %v113, align 4
%v127 = mul i64 %v1, 6
%v128 = add i64 %v127, %v107
%v129 = getelementptr float, ptr %a2, i64 %v128
%v130 = load float, ptr %v129, align 4
%v131 = fcmp ogt float 0xC066033340000000, %v130
%v132 = select i1 %v131, float 0xC066033340000000, float %v130
%v133 = fcmp olt float 0x4056400000000000, %v132
%v134 = select i1 %v133, float 0x4056400000000000, float %v132
%v135 = call float @llvm.fma.f32(float %v134, float 0x3FF7154760000000, float 0x4168001FC0000000)
%v136 = fsub float %v135, 0x4168001FC0000000
%v137 = call float @llvm.fma.f32(float %v136, float 0xBFE62E4000000000, float %v134)
%v138 = bitcast float %v135 to i32
%v139 = call float @llvm.fma.f32(float %v136, float 0xBEB7F7D1C0000000, float %v137)
%v140 = lshr i32 %v138, 1
%v141 = shl i32 %v140, 23
%v142 = bitcast i32 %v141 to float
%v143 = fmul float %v139, %v139
%v144 = call float @llvm.fma.f32(float %v139, float 0x3FC5554820000000, float 0x3FE0000000000000)
%v145 = call float @llvm.fma.f32(float %v139, float 0x3F81244B20000000, float 0x3FA5555280000000)
%v146 = call float @llvm.fma.f32(float 0x3F56CF7760000000, float %v143, float %v145)
%v147 = call float @llvm.fma.f32(float %v146, float %v143, float %v144)
%v148 = call float @llvm.fma.f32(float %v143, float %v147, float %v139)
%v149 = call float @llvm.fma.f32(float %v148, float %v142, float %v142)
%v150 = sub i32 %v138, %v140
%v151 = shl i32 %v150, 23
%v152 = bitcast i32 %v151 to float
%v153 = fmul float %v149, %v152
%v154 = mul i64 %v1, 6
%v155 = add i64 %v154, %v107
%v156 = getelementptr float, ptr %a3, i64 %v155
%v157 = load float, ptr %v156, align 4
%v158 = insertelement <8 x float> poison, float %v153, i32 0
%v159 = shufflevector <8 x float> %v158, <8 x float> poison, <8 x i32> zeroinitializer
%v160 = insertelement <8 x float> poison, float %v157, i32 0
%v161 = shufflevector <8 x float> %v160, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s9
br label %loop20
loop20:
%v162 = phi i64 [ 0, %loop18 ], [ %v172, %loop20 ]
%v163 = getelementptr float, ptr %scratch, i64 %v162
%v164 = load float, ptr %v163, align 4
%v165 = insertelement <8 x float> poison, float %v164, i32 0
%v166 = shufflevector <8 x float> %v165, <8 x float> poison, <8 x i32> zeroinitializer
%v167 = mul i64 %v162, 8
%v168 = getelementptr float, ptr %v109, i64 %v167
%v169 = load <8 x float>, ptr %v168, align 4
%v170 = load <8 x float>, ptr %s9
%v171 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v166, <8 x float> %v169, <8 x float> %v170)
store <8 x float> %v171, ptr %s9
%v172 = add i64 %v162, 1
%v173 = icmp slt i64 %v172, 8
br i1 %v173, label %loop20, label %end21
end21:
%v174 = load <8 x float>, ptr %v113, align 4
%v175 = load <8 x float>, ptr %s9
%v176 = fmul <8 x float> %v159, %v175
%v177 = fsub <8 x float> %v174, %v176
store <8 x float> %v177, ptr %v116, align 4
%v178 = fmul <8 x float> %v177, %v161
br label %loop22
loop22:
%v179 = phi i64 [ 0, %end21 ], [ %v190, %loop22 ]
%v180 = getelementptr float, ptr %scratch, i64 %v179
%v181 = load float, ptr %v180, align 4
%v182 = insertelement <8 x float> poison, float %v181, i32 0
%v183 = shufflevector <8 x float> %v182, <8 x float> poison, <8 x i32> zeroinitializer
%v184 = mul i64 %v179, 8
%v185 = getelementptr float, ptr %v109, i64 %v184
%v186 = load <8 x float>, ptr %v185, align 4
%v187 = fmul <8 x float> %v159, %v186
%v188 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v183, <8 x float> %v178, <8 x float> %v187)
%v189 = getelementptr float, ptr %v112, i64 %v184
store <8 x float> %v188, ptr %v189, align 4
%v190 = add i64 %v179, 1
%v191 = icmp slt i64 %v190, 8
br i1 %v191, label %loop22, label %end23
end23:
%v192 = add i64 %v107, 1
%v193 = icmp slt i64 %v192, 6
br i1 %v193, label %loop18, label %end19
end19:
br label %loop24
loop24:
%v194 = phi i64 [ 5, %end19 ], [ %v467, %end33 ]
%v195 = mul i64 %v194, 64
%v196 = getelementptr float, ptr %v13, i64 %v195
%v197 = add i64 %v194, 1
%v198 = mul i64 %v197, 64
%v199 = getelementptr float, ptr %v13, i64 %v198
%v200 = mul i64 %v1, 48
%v201 = mul i64 %v194, 8
%v202 = add i64 %v200, %v201
%v203 = getelementptr float, ptr %a4, i64 %v202
%v204 = getelementptr float, ptr %scratch, i64 16
%v205 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v203, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
store <8 x float> %v205, ptr %v204, align 4
%v206 = mul i64 %v1, 48
%v207 = mul i64 %v194, 8
%v208 = add i64 %v206, %v207
%v209 = getelementptr float, ptr %a5, i64 %v208
%v210 = getelementptr float, ptr %scratch, i64 32
%v211 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v209, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v212 = fmul <8 x float> %v211, splat (float 0x3FD6A09E60000000)
store <8 x float> %v212, ptr %v210, align 4
br label %loop26
loop26:
%v213 = phi i64 [ 0, %loop24 ], [ %v216, %loop26 ]
%v214 = getelementptr float, ptr %scratch, i64 320
%v215 = getelementptr float, ptr %v214, i64 %v213
store <8 x float> splat (float 0x0000000000000000), ptr %v215, align 4
%v216 = add i64 %v213, 8
%v217 = icmp slt i64 %v216, 64
br i1 %v217, label %loop26, label %end27
end27:
br label %loop28
loop28:
%v218 = phi i64 [ 0, %end27 ], [ %v221, %loop28 ]
%v219 = getelementptr float, ptr %scratch, i64 384
%v220 = getelementptr float, ptr %v219, i64 %v218
store <8 x float> splat (float 0x0000000000000000), ptr %v220, align 4
%v221 = add i64 %v218, 8
%v222 = icmp slt i64 %v221, 64
br i1 %v222, label %loop28, label %end29
end29:
%v223 = mul i64 %v1, 48
%v224 = mul i64 %v194, 8
%v225 = add i64 %v223, %v224
%v226 = getelementptr float, ptr %a0, i64 %v225
%v227 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v226, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
store <8 x float> %v227, ptr %scratch, align 4
%v228 = mul i64 %v1, 6
%v229 = add i64 %v228, %v194
%v230 = getelementptr float, ptr %a2, i64 %v229
%v231 = load float, ptr %v230, align 4
%v232 = fcmp ogt float 0xC066033340000000, %v231
%v233 = select i1 %v232, float 0xC066033340000000, float %v231
%v234 = fcmp olt float 0x4056400000000000, %v233
%v235 = select i1 %v234, float 0x4056400000000000, float %v233
%v236 = call float @llvm.fma.f32(float %v235, float 0x3FF7154760000000, float 0x4168001FC0000000)
%v237 = fsub float %v236, 0x4168001FC0000000
%v238 = call float @llvm.fma.f32(float %v237, float 0xBFE62E4000000000, float %v235)
%v239 = bitcast float %v236 to i32
%v240 = call float @llvm.fma.f32(float %v237, float 0xBEB7F7D1C0000000, float %v238)
%v241 = lshr i32 %v239, 1
%v242 = shl i32 %v241, 23
%v243 = bitcast i32 %v242 to float
%v244 = fmul float %v240, %v240
%v245 = call float @llvm.fma.f32(float %v240, float 0x3FC5554820000000, float 0x3FE0000000000000)
%v246 = call float @llvm.fma.f32(float %v240, float 0x3F81244B20000000, float 0x3FA5555280000000)
%v247 = call float @llvm.fma.f32(float 0x3F56CF7760000000, float %v244, float %v246)
%v248 = call float @llvm.fma.f32(float %v247, float %v244, float %v245)
%v249 = call float @llvm.fma.f32(float %v244, float %v248, float %v240)
%v250 = call float @llvm.fma.f32(float %v249, float %v243, float %v243)
%v251 = sub i32 %v239, %v241
%v252 = shl i32 %v251, 23
%v253 = bitcast i32 %v252 to float
%v254 = fmul float %v250, %v253
%v255 = mul i64 %v1, 6
%v256 = add i64 %v255, %v194
%v257 = getelementptr float, ptr %a3, i64 %v256
%v258 = load float, ptr %v257, align 4
%v259 = insertelement <8 x float> poison, float %v254, i32 0
%v260 = shufflevector <8 x float> %v259, <8 x float> poison, <8 x i32> zeroinitializer
%v261 = insertelement <8 x float> poison, float %v258, i32 0
%v262 = shufflevector <8 x float> %v261, <8 x float> poison, <8 x i32> zeroinitializer
%v263 = mul i64 %v194, 8
%v264 = add i64 %v263, 64
%v265 = getelementptr float, ptr %scratch, i64 %v264
store <8 x float> splat (float 0x0000000000000000), ptr %s14
store <8 x float> splat (float 0x0000000000000000), ptr %s15
%v266 = getelementptr float, ptr %scratch, i64 32
%v267 = load <8 x float>, ptr %v266, align 4
%v268 = getelementptr float, ptr %scratch, i64 512
store <8 x float> splat (float 0x0000000000000000), ptr %s16
br label %loop30
loop30:
%v269 = phi i64 [ 0, %end29 ], [ %v296, %loop30 ]
%v270 = getelementptr float, ptr %scratch, i64 16
%v271 = getelementptr float, ptr %v270, i64 %v269
%v272 = load float, ptr %v271, align 4
%v273 = insertelement <8 x float> poison, float %v272, i32 0
%v274 = shufflevector <8 x float> %v273, <8 x float> poison, <8 x i32> zeroinitializer
%v275 = getelementptr float, ptr %scratch, i64 %v269
%v276 = load float, ptr %v275, align 4
%v277 = insertelement <8 x float> poison, float %v276, i32 0
%v278 = shufflevector <8 x float> %v277, <8 x float> poison, <8 x i32> zeroinitializer
%v279 = mul i64 %v269, 8
%v280 = getelementptr float, ptr %v268, i64 %v279
%v281 = load <8 x float>, ptr %v280, align 4
%v282 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v274, <8 x float> %v267, <8 x float> %v281)
%v283 = getelementptr float, ptr %v268, i64 %v279
store <8 x float> %v282, ptr %v283, align 4
%v284 = getelementptr float, ptr %scratch, i64 320
%v285 = mul i64 %v269, 8
%v286 = getelementptr float, ptr %v284, i64 %v285
%v287 = load <8 x float>, ptr %v286, align 4
%v288 = getelementptr float, ptr %v199, i64 %v279
%v289 = load <8 x float>, ptr %v288, align 4
%v290 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v267, <8 x float> %v289, <8 x float> %v287)
%v291 = load <8 x float>, ptr %s16
%v292 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v278, <8 x float> %v282, <8 x float> %v291)
store <8 x float> %v292, ptr %s16
%v293 = getelementptr float, ptr %scratch, i64 320
%v294 = mul i64 %v269, 8
%v295 = getelementptr float, ptr %v293, i64 %v294
store <8 x float> %v290, ptr %v295, align 4
%v296 = add i64 %v269, 1
%v297 = icmp slt i64 %v296, 8
br i1 %v297, label %loop30, label %end31
end31:
%v298 = load <8 x float>, ptr %s16
%v299 = load <8 x float>, ptr %v265, align 4
%v300 = load <8 x float>, ptr %s15
%v301 = fmul <8 x float> %v298, %v299
%v302 = fadd <8 x float> %v300, %v301
store <8 x float> %v302, ptr %s15
%v303 = fmul <8 x float> %v298, %v262
%v304 = fmul <8 x float> %v299, %v262
%v305 = getelementptr float, ptr %scratch, i64 48
store <8 x float> %v303, ptr %v305, align 4
br label %loop32
loop32:
%v306 = phi i64 [ 0, %end31 ], [ %v335, %loop32 ]
%v307 = getelementptr float, ptr %scratch, i64 %v306
%v308 = load float, ptr %v307, align 4
%v309 = insertelement <8 x float> poison, float %v308, i32 0
%v310 = shufflevector <8 x float> %v309, <8 x float> poison, <8 x i32> zeroinitializer
%v311 = mul i64 %v306, 8
%v312 = getelementptr float, ptr %scratch, i64 384
%v313 = mul i64 %v306, 8
%v314 = getelementptr float, ptr %v312, i64 %v313
%v315 = load <8 x float>, ptr %v314, align 4
%v316 = getelementptr float, ptr %scratch, i64 512
%v317 = getelementptr float, ptr %v316, i64 %v311
%v318 = load <8 x float>, ptr %v317, align 4
%v319 = getelementptr float, ptr %v196, i64 %v311
%v320 = load <8 x float>, ptr %v319, align 4
%v321 = fmul <8 x float> %v260, %v320
%v322 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v318, <8 x float> %v304, <8 x float> %v315)
%v323 = fmul <8 x float> %v321, %v303
%v324 = fsub <8 x float> %v322, %v323
%v325 = fmul <8 x float> %v310, %v303
%v326 = fsub <8 x float> %v318, %v325
%v327 = load <8 x float>, ptr %s14
%v328 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v326, <8 x float> %v321, <8 x float> %v327)
store <8 x float> %v328, ptr %s14
%v329 = fmul <8 x float> %v326, %v260
%v330 = getelementptr float, ptr %scratch, i64 384
%v331 = mul i64 %v306, 8
%v332 = getelementptr float, ptr %v330, i64 %v331
store <8 x float> %v324, ptr %v332, align 4
%v333 = getelementptr float, ptr %scratch, i64 512
%v334 = getelementptr float, ptr %v333, i64 %v311
store <8 x float> %v329, ptr %v334, align 4
%v335 = add i64 %v306, 1
%v336 = icmp slt i64 %v335, 8
br i1 %v336, label %loop32, label %end33
end33:
%v337 = getelementptr float, ptr %scratch, i64 320
%v338 = load <8 x float>, ptr %v337, align 4
%v339 = getelementptr float, ptr %scratch, i64 320
%v340 = getelementptr float, ptr %v339, i64 8
%v341 = load <8 x float>, ptr %v340, align 4
%v342 = getelementptr float, ptr %scratch, i64 320
%v343 = getelementptr float, ptr %v342, i64 16
%v344 = load <8 x float>, ptr %v343, align 4
%v345 = getelementptr float, ptr %scratch, i64 320
%v346 = getelementptr float, ptr %v345, i64 24
%v347 = load <8 x float>, ptr %v346, align 4
%v348 = getelementptr float, ptr %scratch, i64 320
%v349 = getelementptr float, ptr %v348, i64 32
%v350 = load <8 x float>, ptr %v349, align 4
%v351 = getelementptr float, ptr %scratch, i64 320
%v352 = getelementptr float, ptr %v351, i64 40
%v353 = load <8 x float>, ptr %v352, align 4
%v354 = getelementptr float, ptr %scratch, i64 320
%v355 = getelementptr float, ptr %v354, i64 48
%v356 = load <8 x float>, ptr %v355, align 4
%v357 = getelementptr float, ptr %scratch, i64 320
%v358 = getelementptr float, ptr %v357, i64 56
%v359 = load <8 x float>, ptr %v358, align 4
%v360 = shufflevector <8 x float> %v338, <8 x float> %v341, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v361 = shufflevector <8 x float> %v338, <8 x float> %v341, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v362 = fadd <8 x float> %v360, %v361
%v363 = shufflevector <8 x float> %v344, <8 x float> %v347, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v364 = shufflevector <8 x float> %v344, <8 x float> %v347, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v365 = fadd <8 x float> %v363, %v364
%v366 = shufflevector <8 x float> %v350, <8 x float> %v353, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v367 = shufflevector <8 x float> %v350, <8 x float> %v353, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v368 = fadd <8 x float> %v366, %v367
%v369 = shufflevector <8 x float> %v356, <8 x float> %v359, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v370 = shufflevector <8 x float> %v356, <8 x float> %v359, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v371 = fadd <8 x float> %v369, %v370
%v372 = shufflevector <8 x float> %v362, <8 x float> %v365, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v373 = shufflevector <8 x float> %v362, <8 x float> %v365, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v374 = fadd <8 x float> %v372, %v373
%v375 = shufflevector <8 x float> %v368, <8 x float> %v371, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v376 = shufflevector <8 x float> %v368, <8 x float> %v371, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v377 = fadd <8 x float> %v375, %v376
%v378 = shufflevector <8 x float> %v374, <8 x float> %v377, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v379 = shufflevector <8 x float> %v374, <8 x float> %v377, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v380 = fadd <8 x float> %v378, %v379
%v381 = mul i64 %v1, 48
%v382 = mul i64 %v194, 8
%v383 = add i64 %v381, %v382
%v384 = getelementptr float, ptr %a6, i64 %v383
store <8 x float> %v380, ptr %v384, align 4
%v385 = getelementptr float, ptr %scratch, i64 384
%v386 = load <8 x float>, ptr %v385, align 4
%v387 = getelementptr float, ptr %scratch, i64 384
%v388 = getelementptr float, ptr %v387, i64 8
%v389 = load <8 x float>, ptr %v388, align 4
%v390 = getelementptr float, ptr %scratch, i64 384
%v391 = getelementptr float, ptr %v390, i64 16
%v392 = load <8 x float>, ptr %v391, align 4
%v393 = getelementptr float, ptr %scratch, i64 384
%v394 = getelementptr float, ptr %v393, i64 24
%v395 = load <8 x float>, ptr %v394, align 4
%v396 = getelementptr float, ptr %scratch, i64 384
%v397 = getelementptr float, ptr %v396, i64 32
%v398 = load <8 x float>, ptr %v397, align 4
%v399 = getelementptr float, ptr %scratch, i64 384
%v400 = getelementptr float, ptr %v399, i64 40
%v401 = load <8 x float>, ptr %v400, align 4
%v402 = getelementptr float, ptr %scratch, i64 384
%v403 = getelementptr float, ptr %v402, i64 48
%v404 = load <8 x float>, ptr %v403, align 4
%v405 = getelementptr float, ptr %scratch, i64 384
%v406 = getelementptr float, ptr %v405, i64 56
%v407 = load <8 x float>, ptr %v406, align 4
%v408 = shufflevector <8 x float> %v386, <8 x float> %v389, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v409 = shufflevector <8 x float> %v386, <8 x float> %v389, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v410 = fadd <8 x float> %v408, %v409
%v411 = shufflevector <8 x float> %v392, <8 x float> %v395, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v412 = shufflevector <8 x float> %v392, <8 x float> %v395, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v413 = fadd <8 x float> %v411, %v412
%v414 = shufflevector <8 x float> %v398, <8 x float> %v401, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v415 = shufflevector <8 x float> %v398, <8 x float> %v401, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v416 = fadd <8 x float> %v414, %v415
%v417 = shufflevector <8 x float> %v404, <8 x float> %v407, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v418 = shufflevector <8 x float> %v404, <8 x float> %v407, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v419 = fadd <8 x float> %v417, %v418
%v420 = shufflevector <8 x float> %v410, <8 x float> %v413, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v421 = shufflevector <8 x float> %v410, <8 x float> %v413, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v422 = fadd <8 x float> %v420, %v421
%v423 = shufflevector <8 x float> %v416, <8 x float> %v419, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v424 = shufflevector <8 x float> %v416, <8 x float> %v419, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v425 = fadd <8 x float> %v423, %v424
%v426 = shufflevector <8 x float> %v422, <8 x float> %v425, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v427 = shufflevector <8 x float> %v422, <8 x float> %v425, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v428 = fadd <8 x float> %v426, %v427
%v429 = mul i64 %v1, 48
%v430 = mul i64 %v194, 8
%v431 = add i64 %v429, %v430
%v432 = getelementptr float, ptr %a7, i64 %v431
store <8 x float> %v428, ptr %v432, align 4
%v433 = mul i64 %v1, 48
%v434 = mul i64 %v194, 8
%v435 = add i64 %v433, %v434
%v436 = getelementptr float, ptr %a8, i64 %v435
%v437 = getelementptr float, ptr %scratch, i64 48
%v438 = load <8 x float>, ptr %v437, align 4
store <8 x float> %v438, ptr %v436, align 4
%v439 = load <8 x float>, ptr %s14
%v440 = shufflevector <8 x float> %v439, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v441 = shufflevector <8 x float> %v439, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v442 = fadd <4 x float> %v440, %v441
%v443 = shufflevector <4 x float> %v442, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v444 = shufflevector <4 x float> %v442, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v445 = fadd <2 x float> %v443, %v444
%v446 = shufflevector <2 x float> %v445, <2 x float> poison, <1 x i32> <i32 0>
%v447 = shufflevector <2 x float> %v445, <2 x float> poison, <1 x i32> <i32 1>
%v448 = fadd <1 x float> %v446, %v447
%v449 = extractelement <1 x float> %v448, i64 0
%v450 = mul i64 %v1, 6
%v451 = add i64 %v450, %v194
%v452 = getelementptr float, ptr %a9, i64 %v451
store float %v449, ptr %v452, align 4
%v453 = load <8 x float>, ptr %s15
%v454 = shufflevector <8 x float> %v453, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v455 = shufflevector <8 x float> %v453, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v456 = fadd <4 x float> %v454, %v455
%v457 = shufflevector <4 x float> %v456, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v458 = shufflevector <4 x float> %v456, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v459 = fadd <2 x float> %v457, %v458
%v460 = shufflevector <2 x float> %v459, <2 x float> poison, <1 x i32> <i32 0>
%v461 = shufflevector <2 x float> %v459, <2 x float> poison, <1 x i32> <i32 1>
%v462 = fadd <1 x float> %v460, %v461
%v463 = extractelement <1 x float> %v462, i64 0
%v464 = mul i64 %v1, 6
%v465 = add i64 %v464, %v194
%v466 = getelementptr float, ptr %a10, i64 %v465
store float %v463, ptr %v466, align 4
%v467 = add i64 %v194, -1
%v468 = icmp sgt i64 %v467, -1
br i1 %v468, label %loop24, label %end25
end25:
%v469 = add i64 %v1, 1
%v470 = icmp slt i64 %v469, %end
br i1 %v470, label %loop1, label %end2
end2:
ret void
}

