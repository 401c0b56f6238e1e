; kernels for x86_64-avx2
; mir @conv_product {
;   %0 = input("x1") : f32[2, 2, 4, 8]
;   %1 = param("w1") : f32[3, 2, 2, 1]
;   %2 = conv(%0, %1, kernel_size=(2, 1), stride=(1, 2), padding=(0, 0), dilation=(1, 1)) : f32[2, 3, 3, 4]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, i32, <4 x i1>, <4 x float>)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @conv_403b7120(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 2
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
%s7 = alloca <8 x float>
%s8 = alloca <8 x float>
%s9 = alloca <8 x float>
%s10 = alloca <8 x float>
%s11 = alloca <8 x float>
%s12 = alloca <8 x float>
%s13 = alloca i64
%v0 = getelementptr float, ptr %scratch, i64 64
%v1 = getelementptr float, ptr %v0, i64 528
%v2 = icmp slt i64 %begin, %end
br i1 %v2, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v3 = phi i64 [ %begin, %guard3 ], [ %v270, %end5 ]
br label %loop4
loop4:
%v4 = phi i64 [ 0, %loop1 ], [ %v268, %end25 ]
%v5 = mul i64 %v4, 16
%v6 = mul i64 %v3, 2
%v7 = mul i64 %v6, 32
%v8 = getelementptr float, ptr %a1, i64 %v7
%v9 = sub i64 24, %v5
%v10 = call i64 @llvm.smin.i64(i64 %v9, i64 16)
store i64 0, ptr %s4
br label %head6
head6:
%v11 = load i64, ptr %s4
%v12 = add i64 %v5, %v11
%v13 = udiv i64 %v12, 12
%v14 = urem i64 %v12, 12
%v15 = urem i64 %v14, 4
%v16 = udiv i64 %v14, 4
%v17 = urem i64 %v16, 3
%v18 = udiv i64 %v16, 3
%v19 = sub i64 4, %v15
%v20 = sub i64 %v10, %v11
%v21 = call i64 @llvm.smin.i64(i64 %v19, i64 %v20)
%v22 = mul i64 %v13, 64
%v23 = getelementptr float, ptr %v8, i64 %v22
br label %loop8
loop8:
%v24 = phi i64 [ 0, %head6 ], [ %v114, %end12 ]
%v25 = add i64 %v17, %v24
%v26 = mul i64 %v25, 8
%v27 = mul i64 %v15, 2
%v28 = add i64 %v26, %v27
%v29 = getelementptr float, ptr %v23, i64 %v28
%v30 = mul i64 %v24, 16
%v31 = getelementptr float, ptr %scratch, i64 %v30
%v32 = icmp sgt i64 %v21, 0
br i1 %v32, label %then10, label %else11
then10:
%v33 = add i64 %v11, -12
%v34 = icmp sle i64 %v33, 0
br i1 %v34, label %then13, label %else14
then13:
%v35 = sub i64 %v21, 1
%v36 = mul i64 %v35, 2
%v37 = add i64 %v36, 1
%v38 = trunc i64 %v37 to i32
%v39 = insertelement <4 x i32> poison, i32 %v38, i32 0
%v40 = shufflevector <4 x i32> %v39, <4 x i32> poison, <4 x i32> zeroinitializer
%v41 = icmp sgt <4 x i32> %v40, <i32 0, i32 1, i32 2, i32 3>
%v42 = xor <4 x i1> <i1 false, i1 false, i1 false, i1 false>, splat (i1 true)
%v43 = and <4 x i1> %v41, %v42
%v44 = sub i64 %v37, 4
%v45 = trunc i64 %v44 to i32
%v46 = insertelement <4 x i32> poison, i32 %v45, i32 0
%v47 = shufflevector <4 x i32> %v46, <4 x i32> poison, <4 x i32> zeroinitializer
%v48 = icmp sgt <4 x i32> %v47, <i32 0, i32 1, i32 2, i32 3>
%v49 = xor <4 x i1> <i1 false, i1 false, i1 false, i1 false>, splat (i1 true)
%v50 = and <4 x i1> %v48, %v49
br label %loop16
loop16:
%v51 = phi i64 [ 0, %then13 ], [ %v61, %loop16 ]
%v52 = mul i64 %v51, 32
%v53 = getelementptr float, ptr %v29, i64 %v52
%v54 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v53, i32 4, <4 x i1> %v43, <4 x float> splat (float 0x0000000000000000))
%v55 = getelementptr float, ptr %v53, i64 4
%v56 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v55, i32 4, <4 x i1> %v50, <4 x float> splat (float 0x0000000000000000))
%v57 = shufflevector <4 x float> %v54, <4 x float> %v56, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
%v58 = mul i64 %v51, 32
%v59 = add i64 %v58, %v11
%v60 = getelementptr float, ptr %v31, i64 %v59
store <4 x float> %v57, ptr %v60, align 4
%v61 = add i64 %v51, 1
%v62 = icmp slt i64 %v61, 2
br i1 %v62, label %loop16, label %end17
end17:
br label %end15
else14:
%v63 = trunc i64 %v33 to i32
%v64 = insertelement <4 x i32> poison, i32 %v63, i32 0
%v65 = shufflevector <4 x i32> %v64, <4 x i32> poison, <4 x i32> zeroinitializer
%v66 = icmp sgt <4 x i32> %v65, <i32 0, i32 1, i32 2, i32 3>
%v67 = sub i64 0, %v33
%v68 = sub i64 0, %v67
%v69 = mul i64 %v68, 2
%v70 = sub i64 %v21, %v67
%v71 = sub i64 %v70, 1
%v72 = mul i64 %v71, 2
%v73 = add i64 %v72, 1
%v74 = trunc i64 %v73 to i32
%v75 = insertelement <4 x i32> poison, i32 %v74, i32 0
%v76 = shufflevector <4 x i32> %v75, <4 x i32> poison, <4 x i32> zeroinitializer
%v77 = icmp sgt <4 x i32> %v76, <i32 0, i32 1, i32 2, i32 3>
%v78 = trunc i64 %v69 to i32
%v79 = insertelement <4 x i32> poison, i32 %v78, i32 0
%v80 = shufflevector <4 x i32> %v79, <4 x i32> poison, <4 x i32> zeroinitializer
%v81 = icmp sgt <4 x i32> %v80, <i32 0, i32 1, i32 2, i32 3>
%v82 = xor <4 x i1> %v81, splat (i1 true)
%v83 = and <4 x i1> %v77, %v82
%v84 = sub i64 %v73, 4
%v85 = trunc i64 %v84 to i32
%v86 = insertelement <4 x i32> poison, i32 %v85, i32 0
%v87 = shufflevector <4 x i32> %v86, <4 x i32> poison, <4 x i32> zeroinitializer
%v88 = icmp sgt <4 x i32> %v87, <i32 0, i32 1, i32 2, i32 3>
%v89 = sub i64 %v69, 4
%v90 = trunc i64 %v89 to i32
%v91 = insertelement <4 x i32> poison, i32 %v90, i32 0
%v92 = shufflevector <4 x i32> %v91, <4 x i32> poison, <4 x i32> zeroinitializer
%v93 = icmp sgt <4 x i32> %v92, <i32 0, i32 1, i32 2, i32 3>
%v94 = xor <4 x i1> %v93, splat (i1 true)
%v95 = and <4 x i1> %v88, %v94
br label %loop18
loop18:
%v96 = phi i64 [ 0, %else14 ], [ %v112, %loop18 ]
%v97 = mul i64 %v96, 32
%v98 = mul i64 %v67, 2
%v99 = add i64 %v97, %v98
%v100 = getelementptr float, ptr %v29, i64 %v99
%v101 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v100, i32 4, <4 x i1> %v83, <4 x float> splat (float 0x0000000000000000))
%v102 = getelementptr float, ptr %v100, i64 4
%v103 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v102, i32 4, <4 x i1> %v95, <4 x float> splat (float 0x0000000000000000))
%v104 = shufflevector <4 x float> %v101, <4 x float> %v103, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
%v105 = mul i64 %v96, 32
%v106 = add i64 %v105, %v11
%v107 = add i64 %v106, %v67
%v108 = getelementptr float, ptr %v31, i64 %v107
%v109 = load <4 x float>, ptr %v108, align 4
%v110 = select <4 x i1> %v66, <4 x float> %v109, <4 x float> %v104
%v111 = getelementptr float, ptr %v31, i64 %v107
store <4 x float> %v110, ptr %v111, align 4
%v112 = add i64 %v96, 1
%v113 = icmp slt i64 %v112, 2
br i1 %v113, label %loop18, label %end19
end19:
br label %end15
end15:
br label %end12
else11:
br label %end12
end12:
%v114 = add i64 %v24, 1
%v115 = icmp slt i64 %v114, 2
br i1 %v115, label %loop8, label %end9
end9:
%v116 = add i64 %v11, %v21
store i64 %v116, ptr %s4
%v117 = load i64, ptr %s4
%v118 = icmp sge i64 %v117, %v10
br i1 %v118, label %end7, label %next20
next20:
br label %head6
end7:
%v119 = mul i64 %v4, 16
%v120 = udiv i64 %v119, 12
%v121 = urem i64 %v119, 12
%v122 = add i64 %v121, 16
%v123 = icmp sle i64 %v122, 12
%v124 = mul i64 %v4, 256
%v125 = getelementptr float, ptr %v0, i64 %v124
%v126 = mul i64 %v3, 4
%v127 = mul i64 %v126, 16
%v128 = getelementptr float, ptr %a2, i64 %v127
%v129 = mul i64 %v3, 3
%v130 = mul i64 %v120, 3
%v131 = add i64 %v130, %v129
%v132 = mul i64 %v131, 12
%v133 = add i64 %v132, %v121
%v134 = getelementptr float, ptr %a0, i64 %v133
%v135 = select i1 %v123, ptr %v134, ptr %v125
%v136 = select i1 %v123, i64 12, i64 16
store <8 x float> splat (float 0x0000000000000000), ptr %s7
store <8 x float> splat (float 0x0000000000000000), ptr %s8
store <8 x float> splat (float 0x0000000000000000), ptr %s9
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <8 x float> splat (float 0x0000000000000000), ptr %s11
store <8 x float> splat (float 0x0000000000000000), ptr %s12
%v137 = getelementptr float, ptr %v128, i64 1
%v138 = getelementptr float, ptr %v128, i64 2
br label %loop21
loop21:
%v139 = phi i64 [ 0, %end7 ], [ %v210, %loop21 ]
%v140 = mul i64 %v139, 16
%v141 = getelementptr float, ptr %scratch, i64 %v140
%v142 = load <8 x float>, ptr %v141, align 4
%v143 = add i64 %v140, 8
%v144 = getelementptr float, ptr %scratch, i64 %v143
%v145 = load <8 x float>, ptr %v144, align 4
%v146 = mul i64 %v139, 16
%v147 = getelementptr float, ptr %v128, i64 %v146
%v148 = load float, ptr %v147, align 4
%v149 = insertelement <8 x float> poison, float %v148, i32 0
%v150 = shufflevector <8 x float> %v149, <8 x float> poison, <8 x i32> zeroinitializer
%v151 = load <8 x float>, ptr %s7
%v152 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v150, <8 x float> %v142, <8 x float> %v151)
store <8 x float> %v152, ptr %s7
%v153 = load <8 x float>, ptr %s8
%v154 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v150, <8 x float> %v145, <8 x float> %v153)
store <8 x float> %v154, ptr %s8
%v155 = mul i64 %v139, 16
%v156 = getelementptr float, ptr %v137, i64 %v155
%v157 = load float, ptr %v156, align 4
%v158 = insertelement <8 x float> poison, float %v157, i32 0
%v159 = shufflevector <8 x float> %v158, <8 x float> poison, <8 x i32> zeroinitializer
%v160 = load <8 x float>, ptr %s9
%v161 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v159, <8 x float> %v142, <8 x float> %v160)
store <8 x float> %v161, ptr %s9
%v162 = load <8 x float>, ptr %s10
%v163 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v159, <8 x float> %v145, <8 x float> %v162)
store <8 x float> %v163, ptr %s10
%v164 = mul i64 %v139, 16
%v165 = getelementptr float, ptr %v138, i64 %v164
%v166 = load float, ptr %v165, align 4
%v167 = insertelement <8 x float> poison, float %v166, i32 0
%v168 = shufflevector <8 x float> %v167, <8 x float> poison, <8 x i32> zeroinitializer
%v169 = load <8 x float>, ptr %s11
%v170 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v168, <8 x float> %v142, <8 x float> %v169)
store <8 x float> %v170, ptr %s11
%v171 = load <8 x float>, ptr %s12
%v172 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v168, <8 x float> %v145, <8 x float> %v171)
store <8 x float> %v172, ptr %s12
%v173 = mul i64 %v139, 16
%v174 = add i64 %v173, 16
%v175 = getelementptr float, ptr %scratch, i64 %v174
%v176 = load <8 x float>, ptr %v175, align 4
%v177 = add i64 %v174, 8
%v178 = getelementptr float, ptr %scratch, i64 %v177
%v179 = load <8 x float>, ptr %v178, align 4
%v180 = mul i64 %v139, 16
%v181 = add i64 %v180, 16
%v182 = getelementptr float, ptr %v128, i64 %v181
%v183 = load float, ptr %v182, align 4
%v184 = insertelement <8 x float> poison, float %v183, i32 0
%v185 = shufflevector <8 x float> %v184, <8 x float> poison, <8 x i32> zeroinitializer
%v186 = load <8 x float>, ptr %s7
%v187 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v185, <8 x float> %v176, <8 x float> %v186)
store <8 x float> %v187, ptr %s7
%v188 = load <8 x float>, ptr %s8
%v189 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v185, <8 x float> %v179, <8 x float> %v188)
store <8 x float> %v189, ptr %s8
%v190 = mul i64 %v139, 16
%v191 = add i64 %v190, 16
%v192 = getelementptr float, ptr %v137, i64 %v191
%v193 = load float, ptr %v192, align 4
%v194 = insertelement <8 x float> poison, float %v193, i32 0
%v195 = shufflevector <8 x float> %v194, <8 x float> poison, <8 x i32> zeroinitializer
%v196 = load <8 x float>, ptr %s9
%v197 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v195, <8 x float> %v176, <8 x float> %v196)
store <8 x float> %v197, ptr %s9
%v198 = load <8 x float>, ptr %s10
%v199 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v195, <8 x float> %v179, <8 x float> %v198)
store <8 x float> %v199, ptr %s10
%v200 = mul i64 %v139, 16
%v201 = add i64 %v200, 16
%v202 = getelementptr float, ptr %v138, i64 %v201
%v203 = load float, ptr %v202, align 4
%v204 = insertelement <8 x float> poison, float %v203, i32 0
%v205 = shufflevector <8 x float> %v204, <8 x float> poison, <8 x i32> zeroinitializer
%v206 = load <8 x float>, ptr %s11
%v207 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v205, <8 x float> %v176, <8 x float> %v206)
store <8 x float> %v207, ptr %s11
%v208 = load <8 x float>, ptr %s12
%v209 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v205, <8 x float> %v179, <8 x float> %v208)
store <8 x float> %v209, ptr %s12
%v210 = add i64 %v139, 2
%v211 = icmp slt i64 %v210, 4
br i1 %v211, label %loop21, label %end22
end22:
%v212 = load <8 x float>, ptr %s7
%v213 = load <8 x float>, ptr %s8
%v214 = load <8 x float>, ptr %s9
%v215 = load <8 x float>, ptr %s10
%v216 = load <8 x float>, ptr %s11
%v217 = load <8 x float>, ptr %s12
store <8 x float> %v212, ptr %v135, align 4
%v218 = getelementptr float, ptr %v135, i64 8
store <8 x float> %v213, ptr %v218, align 4
%v219 = getelementptr float, ptr %v135, i64 %v136
store <8 x float> %v214, ptr %v219, align 4
%v220 = add i64 %v136, 8
%v221 = getelementptr float, ptr %v135, i64 %v220
store <8 x float> %v215, ptr %v221, align 4
%v222 = mul i64 %v136, 2
%v223 = getelementptr float, ptr %v135, i64 %v222
store <8 x float> %v216, ptr %v223, align 4
%v224 = mul i64 %v136, 2
%v225 = add i64 %v224, 8
%v226 = getelementptr float, ptr %v135, i64 %v225
store <8 x float> %v217, ptr %v226, align 4
%v227 = xor i1 %v123, true
br i1 %v227, label %then23, label %else24
then23:
%v228 = sub i64 24, %v119
%v229 = call i64 @llvm.smin.i64(i64 %v228, i64 16)
store i64 0, ptr %s13
br label %head26
head26:
%v230 = load i64, ptr %s13
%v231 = add i64 %v119, %v230
%v232 = udiv i64 %v231, 12
%v233 = add i64 %v119, %v230
%v234 = urem i64 %v233, 12
%v235 = sub i64 12, %v234
%v236 = sub i64 %v229, %v230
%v237 = call i64 @llvm.smin.i64(i64 %v235, i64 %v236)
%v238 = mul i64 %v3, 3
%v239 = mul i64 %v4, 256
%v240 = getelementptr float, ptr %v0, i64 %v239
br label %loop28
loop28:
%v241 = phi i64 [ 0, %head26 ], [ %v263, %end31 ]
%v242 = icmp slt i64 0, %v237
br i1 %v242, label %guard32, label %end31
guard32:
br label %loop30
loop30:
%v243 = phi i64 [ 0, %guard32 ], [ %v261, %loop30 ]
%v244 = mul i64 %v241, 16
%v245 = add i64 %v244, %v230
%v246 = add i64 %v245, %v243
%v247 = getelementptr float, ptr %v240, i64 %v246
%v248 = load <8 x float>, ptr %v247, align 4
%v249 = add i64 %v238, %v241
%v250 = add i64 %v234, %v243
%v251 = sub i64 %v237, %v243
%v252 = mul i64 %v232, 3
%v253 = add i64 %v252, %v249
%v254 = mul i64 %v253, 12
%v255 = add i64 %v254, %v250
%v256 = getelementptr float, ptr %a0, i64 %v255
%v257 = trunc i64 %v251 to i32
%v258 = insertelement <8 x i32> poison, i32 %v257, i32 0
%v259 = shufflevector <8 x i32> %v258, <8 x i32> poison, <8 x i32> zeroinitializer
%v260 = icmp sgt <8 x i32> %v259, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v248, ptr %v256, i32 4, <8 x i1> %v260)
%v261 = add i64 %v243, 8
%v262 = icmp slt i64 %v261, %v237
br i1 %v262, label %loop30, label %end31
end31:
%v263 = add i64 %v241, 1
%v264 = icmp slt i64 %v263, 3
br i1 %v264, label %loop28, label %end29
end29:
%v265 = add i64 %v230, %v237
store i64 %v265, ptr %s13
%v266 = load i64, ptr %s13
%v267 = icmp sge i64 %v266, %v229
br i1 %v267, label %end27, label %next33
next33:
br label %head26
end27:
br label %end25
else24:
br label %end25
end25:
%v268 = add i64 %v4, 1
%v269 = icmp slt i64 %v268, 2
br i1 %v269, label %loop4, label %end5
end5:
%v270 = add i64 %v3, 1
%v271 = icmp slt i64 %v270, %end
br i1 %v271, label %loop1, label %end2
end2:
ret void
}

