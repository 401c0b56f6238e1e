; kernels for x86_64-avx2
; mir @blocked_cast {
;   %0 = input("x1") : f32[5, 450]
;   %1:2 = blocked_cast(%0, out_dtype=f8e4m3, sf_block=(2, 200)) : (f8e4m3[5, 450], f32[3, 3])
;   return y1=%1.0, y2=%1.1
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x i32> @llvm.smax.v8i32(<8 x i32>, <8 x i32>)
declare <8 x i32> @llvm.smin.v8i32(<8 x i32>, <8 x i32>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v1f32.p0(<1 x float>, ptr, i32, <1 x i1>)
declare void @llvm.masked.store.v8i8.p0(<8 x i8>, ptr, i32, <8 x i1>)

define void @blocked_cast_fa52f99a(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%s2 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%s9 = alloca <8 x i32>
%s10 = alloca <8 x i32>
%v0 = mul i64 %begin, 9
%v1 = mul i64 %end, 9
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 9)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 3
%v5 = urem i64 %v4, 3
store i64 %v5, ptr %s0
%v6 = udiv i64 %v4, 3
%v7 = urem i64 %v0, 3
store i64 %v7, ptr %s1
store i64 %v0, ptr %s2
br label %head4
head4:
%v8 = load i64, ptr %s1
%v9 = sub i64 3, %v8
%v10 = load i64, ptr %s2
%v11 = sub i64 %v2, %v10
%v12 = call i64 @llvm.smin.i64(i64 %v9, i64 %v11)
%v13 = load i64, ptr %s0
%v14 = load i64, ptr %s1
%v15 = mul i64 %v13, 2
%v16 = mul i64 %v15, 450
%v17 = getelementptr float, ptr %a0, i64 %v16
%v18 = mul i64 %v15, 450
%v19 = getelementptr i8, ptr %a1, i64 %v18
%v20 = mul i64 %v13, 3
%v21 = getelementptr float, ptr %a2, i64 %v20
%v22 = sub i64 5, %v15
%v23 = call i64 @llvm.smin.i64(i64 %v22, i64 2)
%v24 = mul i64 %v14, 200
%v25 = add i64 %v14, %v12
%v26 = mul i64 %v25, 200
%v27 = call i64 @llvm.smin.i64(i64 %v26, i64 450)
%v28 = sub i64 %v27, %v24
%v29 = sdiv i64 %v28, 200
%v30 = mul i64 %v29, 200
%v31 = sub i64 %v28, %v30
%v32 = icmp ne i64 %v31, 0
%v33 = xor i64 %v31, 200
%v34 = icmp slt i64 %v33, 0
%v35 = and i1 %v32, %v34
%v36 = sub i64 %v29, 1
%v37 = select i1 %v35, i64 %v36, i64 %v29
%v38 = mul i64 %v37, 200
%v39 = add i64 %v24, %v38
%v40 = icmp slt i64 %v24, %v39
br i1 %v40, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v41 = phi i64 [ %v24, %guard8 ], [ %v117, %end15 ]
store <8 x i32> splat (i32 0), ptr %s9
%v42 = icmp slt i64 0, %v23
br i1 %v42, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v43 = phi i64 [ 0, %guard11 ], [ %v59, %end13 ]
%v44 = mul i64 %v43, 450
%v45 = mul i64 %v43, 450
br label %loop12
loop12:
%v46 = phi i64 [ 0, %loop9 ], [ %v57, %loop12 ]
%v47 = add i64 %v44, %v41
%v48 = add i64 %v47, %v46
%v49 = getelementptr float, ptr %v17, i64 %v48
%v50 = load <8 x float>, ptr %v49, align 4
%v51 = bitcast <8 x float> %v50 to <8 x i32>
%v52 = and <8 x i32> %v51, splat (i32 2147483647)
%v53 = load <8 x i32>, ptr %s9
%v54 = icmp slt <8 x i32> %v52, splat (i32 2139095040)
%v55 = select <8 x i1> %v54, <8 x i32> %v52, <8 x i32> splat (i32 0)
%v56 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v53, <8 x i32> %v55)
store <8 x i32> %v56, ptr %s9
%v57 = add i64 %v46, 8
%v58 = icmp slt i64 %v57, 200
br i1 %v58, label %loop12, label %end13
end13:
%v59 = add i64 %v43, 1
%v60 = icmp slt i64 %v59, %v23
br i1 %v60, label %loop9, label %end10
end10:
%v61 = load <8 x i32>, ptr %s9
%v62 = udiv i64 %v41, 200
%v63 = shufflevector <8 x i32> %v61, <8 x i32> poison, <8 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6>
%v64 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v61, <8 x i32> %v63)
%v65 = shufflevector <8 x i32> %v64, <8 x i32> poison, <8 x i32> <i32 2, i32 3, i32 0, i32 1, i32 6, i32 7, i32 4, i32 5>
%v66 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v64, <8 x i32> %v65)
%v67 = shufflevector <8 x i32> %v66, <8 x i32> poison, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3>
%v68 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v66, <8 x i32> %v67)
%v69 = bitcast <8 x i32> %v68 to <8 x float>
%v70 = fdiv <8 x float> %v69, splat (float 0x407C000000000000)
%v71 = fcmp ogt <8 x float> %v70, splat (float 0x3810000000000000)
%v72 = select <8 x i1> %v71, <8 x float> %v70, <8 x float> splat (float 0x3810000000000000)
%v73 = icmp eq <8 x i32> %v68, splat (i32 0)
%v74 = select <8 x i1> %v73, <8 x float> splat (float 0x3FF0000000000000), <8 x float> %v72
%v75 = shufflevector <8 x float> %v74, <8 x float> poison, <1 x i32> <i32 0>
%v76 = getelementptr float, ptr %v21, i64 %v62
store <1 x float> %v75, ptr %v76, align 4
%v77 = shufflevector <8 x float> %v74, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
%v78 = icmp slt i64 0, %v23
br i1 %v78, label %guard16, label %end15
guard16:
br label %loop14
loop14:
%v79 = phi i64 [ 0, %guard16 ], [ %v115, %end18 ]
%v80 = mul i64 %v79, 450
%v81 = mul i64 %v79, 450
br label %loop17
loop17:
%v82 = phi i64 [ 0, %loop14 ], [ %v113, %loop17 ]
%v83 = add i64 %v80, %v41
%v84 = add i64 %v83, %v82
%v85 = getelementptr float, ptr %v17, i64 %v84
%v86 = load <8 x float>, ptr %v85, align 4
%v87 = fdiv <8 x float> %v86, %v77
%v88 = bitcast <8 x float> %v87 to <8 x i32>
%v89 = and <8 x i32> %v88, splat (i32 2147483647)
%v90 = add <8 x i32> %v89, splat (i32 524287)
%v91 = lshr <8 x i32> %v89, splat (i32 20)
%v92 = and <8 x i32> %v91, splat (i32 1)
%v93 = add <8 x i32> %v90, %v92
%v94 = lshr <8 x i32> %v93, splat (i32 20)
%v95 = sub <8 x i32> %v94, splat (i32 960)
%v96 = bitcast <8 x i32> %v89 to <8 x float>
%v97 = fadd <8 x float> %v96, splat (float 0x40D0000000000000)
%v98 = bitcast <8 x float> %v97 to <8 x i32>
%v99 = bitcast <8 x float> splat (float 0x40D0000000000000) to <8 x i32>
%v100 = sub <8 x i32> %v98, %v99
%v101 = icmp slt <8 x i32> %v89, splat (i32 1015021568)
%v102 = select <8 x i1> %v101, <8 x i32> %v100, <8 x i32> %v95
%v103 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %v102, <8 x i32> splat (i32 126))
%v104 = icmp sgt <8 x i32> %v89, splat (i32 2139095040)
%v105 = select <8 x i1> %v104, <8 x i32> splat (i32 127), <8 x i32> %v103
%v106 = lshr <8 x i32> %v88, splat (i32 24)
%v107 = and <8 x i32> %v106, splat (i32 128)
%v108 = or <8 x i32> %v105, %v107
%v109 = trunc <8 x i32> %v108 to <8 x i8>
%v110 = add i64 %v81, %v41
%v111 = add i64 %v110, %v82
%v112 = getelementptr i8, ptr %v19, i64 %v111
store <8 x i8> %v109, ptr %v112, align 1
%v113 = add i64 %v82, 8
%v114 = icmp slt i64 %v113, 200
br i1 %v114, label %loop17, label %end18
end18:
%v115 = add i64 %v79, 1
%v116 = icmp slt i64 %v115, %v23
br i1 %v116, label %loop14, label %end15
end15:
%v117 = add i64 %v41, 200
%v118 = icmp slt i64 %v117, %v39
br i1 %v118, label %loop6, label %end7
end7:
%v119 = icmp slt i64 %v39, %v27
br i1 %v119, label %then19, label %else20
then19:
%v120 = sub i64 %v27, %v39
store <8 x i32> splat (i32 0), ptr %s10
%v121 = icmp slt i64 0, %v23
br i1 %v121, label %guard24, label %end23
guard24:
br label %loop22
loop22:
%v122 = phi i64 [ 0, %guard24 ], [ %v157, %end30 ]
%v123 = mul i64 %v122, 450
%v124 = mul i64 %v122, 450
%v125 = ashr i64 %v120, 3
%v126 = mul i64 %v125, 8
%v127 = icmp slt i64 0, %v126
br i1 %v127, label %guard27, label %end26
guard27:
br label %loop25
loop25:
%v128 = phi i64 [ 0, %guard27 ], [ %v139, %loop25 ]
%v129 = add i64 %v123, %v39
%v130 = add i64 %v129, %v128
%v131 = getelementptr float, ptr %v17, i64 %v130
%v132 = load <8 x float>, ptr %v131, align 4
%v133 = bitcast <8 x float> %v132 to <8 x i32>
%v134 = and <8 x i32> %v133, splat (i32 2147483647)
%v135 = load <8 x i32>, ptr %s10
%v136 = icmp slt <8 x i32> %v134, splat (i32 2139095040)
%v137 = select <8 x i1> %v136, <8 x i32> %v134, <8 x i32> splat (i32 0)
%v138 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v135, <8 x i32> %v137)
store <8 x i32> %v138, ptr %s10
%v139 = add i64 %v128, 8
%v140 = icmp slt i64 %v139, %v126
br i1 %v140, label %loop25, label %end26
end26:
%v141 = sub i64 %v120, %v126
%v142 = icmp sgt i64 %v141, 0
br i1 %v142, label %then28, label %else29
then28:
%v143 = add i64 %v123, %v39
%v144 = add i64 %v143, %v126
%v145 = trunc i64 %v141 to i32
%v146 = insertelement <8 x i32> poison, i32 %v145, i32 0
%v147 = shufflevector <8 x i32> %v146, <8 x i32> poison, <8 x i32> zeroinitializer
%v148 = icmp sgt <8 x i32> %v147, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v149 = getelementptr float, ptr %v17, i64 %v144
%v150 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v149, i32 4, <8 x i1> %v148, <8 x float> splat (float 0x0000000000000000))
%v151 = bitcast <8 x float> %v150 to <8 x i32>
%v152 = and <8 x i32> %v151, splat (i32 2147483647)
%v153 = load <8 x i32>, ptr %s10
%v154 = icmp slt <8 x i32> %v152, splat (i32 2139095040)
%v155 = select <8 x i1> %v154, <8 x i32> %v152, <8 x i32> splat (i32 0)
%v156 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v153, <8 x i32> %v155)
store <8 x i32> %v156, ptr %s10
br label %end30
else29:
br label %end30
end30:
%v157 = add i64 %v122, 1
%v158 = icmp slt i64 %v157, %v23
br i1 %v158, label %loop22, label %end23
end23:
%v159 = load <8 x i32>, ptr %s10
%v160 = udiv i64 %v39, 200
%v161 = shufflevector <8 x i32> %v159, <8 x i32> poison, <8 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6>
%v162 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v159, <8 x i32> %v161)
%v163 = shufflevector <8 x i32> %v162, <8 x i32> poison, <8 x i32> <i32 2, i32 3, i32 0, i32 1, i32 6, i32 7, i32 4, i32 5>
%v164 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v162, <8 x i32> %v163)
%v165 = shufflevector <8 x i32> %v164, <8 x i32> poison, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3>
%v166 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v164, <8 x i32> %v165)
%v167 = bitcast <8 x i32> %v166 to <8 x float>
%v168 = fdiv <8 x float> %v167, splat (float 0x407C000000000000)
%v169 = fcmp ogt <8 x float> %v168, splat (float 0x3810000000000000)
%v170 = select <8 x i1> %v169, <8 x float> %v168, <8 x float> splat (float 0x3810000000000000)
%v171 = icmp eq <8 x i32> %v166, splat (i32 0)
%v172 = select <8 x i1> %v171, <8 x float> splat (float 0x3FF0000000000000), <8 x float> %v170
%v173 = shufflevector <8 x float> %v172, <8 x float> poison, <1 x i32> <i32 0>
%v174 = add i64 %v120, 199
%v175 = udiv i64 %v174, 200
%v176 = getelementptr float, ptr %v21, i64 %v160
%v177 = trunc i64 %v175 to i32
%v178 = insertelement <1 x i32> poison, i32 %v177, i32 0
%v179 = shufflevector <1 x i32> %v178, <1 x i32> poison, <1 x i32> zeroinitializer
%v180 = icmp sgt <1 x i32> %v179, <i32 0>
call void @llvm.masked.store.v1f32.p0(<1 x float> %v173, ptr %v176, i32 4, <1 x i1> %v180)
%v181 = shufflevector <8 x float> %v172, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
%v182 = icmp slt i64 0, %v23
br i1 %v182, label %guard33, label %end32
guard33:
br label %loop31
loop31:
%v183 = phi i64 [ 0, %guard33 ], [ %v262, %end39 ]
%v184 = mul i64 %v183, 450
%v185 = mul i64 %v183, 450
%v186 = ashr i64 %v120, 3
%v187 = mul i64 %v186, 8
%v188 = icmp slt i64 0, %v187
br i1 %v188, label %guard36, label %end35
guard36:
br label %loop34
loop34:
%v189 = phi i64 [ 0, %guard36 ], [ %v220, %loop34 ]
%v190 = add i64 %v184, %v39
%v191 = add i64 %v190, %v189
%v192 = getelementptr float, ptr %v17, i64 %v191
%v193 = load <8 x float>, ptr %v192, align 4
%v194 = fdiv <8 x float> %v193, %v181
%v195 = bitcast <8 x float> %v194 to <8 x i32>
%v196 = and <8 x i32> %v195, splat (i32 2147483647)
%v197 = add <8 x i32> %v196, splat (i32 524287)
%v198 = lshr <8 x i32> %v196, splat (i32 20)
%v199 = and <8 x i32> %v198, splat (i32 1)
%v200 = add <8 x i32> %v197, %v199
%v201 = lshr <8 x i32> %v200, splat (i32 20)
%v202 = sub <8 x i32> %v201, splat (i32 960)
%v203 = bitcast <8 x i32> %v196 to <8 x float>
%v204 = fadd <8 x float> %v203, splat (float 0x40D0000000000000)
%v205 = bitcast <8 x float> %v204 to <8 x i32>
%v206 = bitcast <8 x float> splat (float 0x40D0000000000000) to <8 x i32>
%v207 = sub <8 x i32> %v205, %v206
%v208 = icmp slt <8 x i32> %v196, splat (i32 1015021568)
%v209 = select <8 x i1> %v208, <8 x i32> %v207, <8 x i32> %v202
%v210 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %v209, <8 x i32> splat (i32 126))
%v211 = icmp sgt <8 x i32> %v196, splat (i32 2139095040)
%v212 = select <8 x i1> %v211, <8 x i32> splat (i32 127), <8 x i32> %v210
%v213 = lshr <8 x i32> %v195, splat (i32 24)
%v214 = and <8 x i32> %v213, splat (i32 128)
%v215 = or <8 x i32> %v212, %v214
%v216 = trunc <8 x i32> %v215 to <8 x i8>
%v217 = add i64 %v185, %v39
%v218 = add i64 %v217, %v189
%v219 = getelementptr i8, ptr %v19, i64 %v218
store <8 x i8> %v216, ptr %v219, align 1
%v220 = add i64 %v189, 8
%v221 = icmp slt i64 %v220, %v187
br i1 %v221, label %loop34, label %end35
end35:
%v222 = sub i64 %v120, %v187
%v223 = icmp sgt i64 %v222, 0
br i1 %v223, label %then37, label %else38
then37:
%v224 = add i64 %v184, %v39
%v225 = add i64 %v224, %v187
%v226 = trunc i64 %v222 to i32
%v227 = insertelement <8 x i32> poison, i32 %v226, i32 0
%v228 = shufflevector <8 x i32> %v227, <8 x i32> poison, <8 x i32> zeroinitializer
%v229 = icmp sgt <8 x i32> %v228, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v230 = getelementptr float, ptr %v17, i64 %v225
%v231 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v230, i32 4, <8 x i1> %v229, <8 x float> splat (float 0x0000000000000000))
%v232 = fdiv <8 x float> %v231, %v181
%v233 = bitcast <8 x float> %v232 to <8 x i32>
%v234 = and <8 x i32> %v233, splat (i32 2147483647)
%v235 = add <8 x i32> %v234, splat (i32 524287)
%v236 = lshr <8 x i32> %v234, splat (i32 20)
%v237 = and <8 x i32> %v236, splat (i32 1)
%v238 = add <8 x i32> %v235, %v237
%v239 = lshr <8 x i32> %v238, splat (i32 20)
%v240 = sub <8 x i32> %v239, splat (i32 960)
%v241 = bitcast <8 x i32> %v234 to <8 x float>
%v242 = fadd <8 x float> %v241, splat (float 0x40D0000000000000)
%v243 = bitcast <8 x float> %v242 to <8 x i32>
%v244 = bitcast <8 x float> splat (float 0x40D0000000000000) to <8 x i32>
%v245 = sub <8 x i32> %v243, %v244
%v246 = icmp slt <8 x i32> %v234, splat (i32 1015021568)
%v247 = select <8 x i1> %v246, <8 x i32> %v245, <8 x i32> %v240
%v248 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %v247, <8 x i32> splat (i32 126))
%v249 = icmp sgt <8 x i32> %v234, splat (i32 2139095040)
%v250 = select <8 x i1> %v249, <8 x i32> splat (i32 127), <8 x i32> %v248
%v251 = lshr <8 x i32> %v233, splat (i32 24)
%v252 = and <8 x i32> %v251, splat (i32 128)
%v253 = or <8 x i32> %v250, %v252
%v254 = trunc <8 x i32> %v253 to <8 x i8>
%v255 = add i64 %v185, %v39
%v256 = add i64 %v255, %v187
%v257 = getelementptr i8, ptr %v19, i64 %v256
%v258 = trunc i64 %v222 to i32
%v259 = insertelement <8 x i32> poison, i32 %v258, i32 0
%v260 = shufflevector <8 x i32> %v259, <8 x i32> poison, <8 x i32> zeroinitializer
%v261 = icmp sgt <8 x i32> %v260, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8i8.p0(<8 x i8> %v254, ptr %v257, i32 1, <8 x i1> %v261)
br label %end39
else38:
br label %end39
end39:
%v262 = add i64 %v183, 1
%v263 = icmp slt i64 %v262, %v23
br i1 %v263, label %loop31, label %end32
end32:
br label %end21
else20:
br label %end21
end21:
%v264 = load i64, ptr %s2
%v265 = add i64 %v264, %v12
store i64 %v265, ptr %s2
store i64 0, ptr %s1
%v266 = load i64, ptr %s0
%v267 = add i64 %v266, 1
%v268 = icmp eq i64 %v267, 3
%v269 = select i1 %v268, i64 0, i64 %v267
store i64 %v269, ptr %s0
%v270 = load i64, ptr %s2
%v271 = icmp sge i64 %v270, %v2
br i1 %v271, label %end5, label %next40
next40:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

