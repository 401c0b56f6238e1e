; kernels for x86_64-avx2
; mir @matmul_i32_batch {
;   sym batch in 1..
;   %0 = input("x1") : i32[batch, 4, 8]
;   %1 = input("x2") : i32[batch, 8, 8]
;   %2 = matmul(%0, %1) : i32[batch, 4, 8]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)

define void @matmul_0da90b9e(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%s7 = alloca <8 x i32>
%s8 = alloca <8 x i32>
%s9 = alloca <8 x i32>
%s10 = alloca <8 x i32>
%s11 = alloca <8 x i32>
%s12 = alloca <8 x i32>
%s13 = alloca <8 x i32>
%s14 = alloca <8 x i32>
%s15 = alloca <8 x i32>
%s16 = alloca <8 x i32>
%s17 = alloca <8 x i32>
%s18 = alloca <8 x i32>
%s19 = alloca <8 x i32>
%s20 = alloca <8 x i32>
%s21 = alloca <8 x i32>
%s22 = alloca <8 x i32>
store i64 %begin, ptr %s0
br label %head1
head1:
%v0 = load i64, ptr %s0
%v1 = icmp sge i64 %v0, %end
br i1 %v1, label %end2, label %next3
next3:
%v2 = load i64, ptr %s0
%v3 = sub i64 %end, %v2
%v4 = call i64 @llvm.smin.i64(i64 %v3, i64 1)
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 64)
%v6 = mul i64 %v2, 32
%v7 = getelementptr i32, ptr %a0, i64 %v6
%v8 = mul i64 %v2, 64
%v9 = getelementptr i32, ptr %a1, i64 %v8
%v10 = mul i64 %v2, 32
%v11 = getelementptr i32, ptr %a2, i64 %v10
%v12 = call i64 @llvm.smin.i64(i64 %v5, i64 1)
%v13 = mul i64 %v12, 4
%v14 = mul i64 %v13, 16
%v15 = icmp slt i64 0, %v14
br i1 %v15, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v16 = phi i64 [ 0, %guard6 ], [ %v18, %loop4 ]
%v17 = getelementptr i32, ptr %scratch, i64 %v16
store <8 x i32> splat (i32 0), ptr %v17, align 4
%v18 = add i64 %v16, 8
%v19 = icmp slt i64 %v18, %v14
br i1 %v19, label %loop4, label %end5
end5:
%v20 = mul i64 %v12, 16
%v21 = call i64 @llvm.smin.i64(i64 %v20, i64 8)
%v22 = udiv i64 %v21, 16
%v23 = mul i64 %v22, 16
%v24 = icmp slt i64 0, %v23
br i1 %v24, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v25 = phi i64 [ 0, %guard9 ], [ %v184, %end11 ]
%v26 = getelementptr i32, ptr %v9, i64 %v25
%v27 = getelementptr i8, ptr %scratch, i64 16384
%v28 = getelementptr i32, ptr %v26, i64 64
%v29 = udiv i64 %v25, 16
%v30 = mul i64 %v29, 64
%v31 = getelementptr i32, ptr %scratch, i64 %v30
%v32 = udiv i64 %v25, 16
%v33 = mul i64 %v32, 64
%v34 = add i64 %v33, 8
%v35 = getelementptr i32, ptr %scratch, i64 %v34
%v36 = udiv i64 %v25, 16
%v37 = mul i64 %v36, 64
%v38 = add i64 %v37, 16
%v39 = getelementptr i32, ptr %scratch, i64 %v38
%v40 = udiv i64 %v25, 16
%v41 = mul i64 %v40, 64
%v42 = add i64 %v41, 24
%v43 = getelementptr i32, ptr %scratch, i64 %v42
%v44 = udiv i64 %v25, 16
%v45 = mul i64 %v44, 64
%v46 = add i64 %v45, 32
%v47 = getelementptr i32, ptr %scratch, i64 %v46
%v48 = udiv i64 %v25, 16
%v49 = mul i64 %v48, 64
%v50 = add i64 %v49, 40
%v51 = getelementptr i32, ptr %scratch, i64 %v50
%v52 = udiv i64 %v25, 16
%v53 = mul i64 %v52, 64
%v54 = add i64 %v53, 48
%v55 = getelementptr i32, ptr %scratch, i64 %v54
%v56 = udiv i64 %v25, 16
%v57 = mul i64 %v56, 64
%v58 = add i64 %v57, 56
%v59 = getelementptr i32, ptr %scratch, i64 %v58
%v60 = load <8 x i32>, ptr %v31, align 4
%v61 = load <8 x i32>, ptr %v35, align 4
%v62 = load <8 x i32>, ptr %v39, align 4
%v63 = load <8 x i32>, ptr %v43, align 4
%v64 = load <8 x i32>, ptr %v47, align 4
%v65 = load <8 x i32>, ptr %v51, align 4
%v66 = load <8 x i32>, ptr %v55, align 4
%v67 = load <8 x i32>, ptr %v59, align 4
store <8 x i32> %v60, ptr %s7
store <8 x i32> %v61, ptr %s8
store <8 x i32> %v62, ptr %s9
store <8 x i32> %v63, ptr %s10
store <8 x i32> %v64, ptr %s11
store <8 x i32> %v65, ptr %s12
store <8 x i32> %v66, ptr %s13
store <8 x i32> %v67, ptr %s14
%v68 = getelementptr i32, ptr %v7, i64 8
%v69 = getelementptr i32, ptr %v7, i64 16
%v70 = getelementptr i32, ptr %v7, i64 24
br label %loop10
loop10:
%v71 = phi i64 [ 0, %loop7 ], [ %v174, %loop10 ]
%v72 = mul i64 %v71, 32
%v73 = getelementptr i8, ptr %v28, i64 %v72
call void @llvm.prefetch.p0(ptr %v73, i32 0, i32 2, i32 1)
%v74 = mul i64 %v71, 8
%v75 = getelementptr i32, ptr %v26, i64 %v74
%v76 = load <8 x i32>, ptr %v75, align 4
%v77 = add i64 %v74, 8
%v78 = getelementptr i32, ptr %v26, i64 %v77
%v79 = load <8 x i32>, ptr %v78, align 4
%v80 = getelementptr i32, ptr %v7, i64 %v71
%v81 = load i32, ptr %v80, align 4
%v82 = insertelement <8 x i32> poison, i32 %v81, i32 0
%v83 = shufflevector <8 x i32> %v82, <8 x i32> poison, <8 x i32> zeroinitializer
%v84 = load <8 x i32>, ptr %s7
%v85 = mul <8 x i32> %v83, %v76
%v86 = add <8 x i32> %v85, %v84
store <8 x i32> %v86, ptr %s7
%v87 = load <8 x i32>, ptr %s8
%v88 = mul <8 x i32> %v83, %v79
%v89 = add <8 x i32> %v88, %v87
store <8 x i32> %v89, ptr %s8
%v90 = getelementptr i32, ptr %v68, i64 %v71
%v91 = load i32, ptr %v90, align 4
%v92 = insertelement <8 x i32> poison, i32 %v91, i32 0
%v93 = shufflevector <8 x i32> %v92, <8 x i32> poison, <8 x i32> zeroinitializer
%v94 = load <8 x i32>, ptr %s9
%v95 = mul <8 x i32> %v93, %v76
%v96 = add <8 x i32> %v95, %v94
store <8 x i32> %v96, ptr %s9
%v97 = load <8 x i32>, ptr %s10
%v98 = mul <8 x i32> %v93, %v79
%v99 = add <8 x i32> %v98, %v97
store <8 x i32> %v99, ptr %s10
%v100 = getelementptr i32, ptr %v69, i64 %v71
%v101 = load i32, ptr %v100, align 4
%v102 = insertelement <8 x i32> poison, i32 %v101, i32 0
%v103 = shufflevector <8 x i32> %v102, <8 x i32> poison, <8 x i32> zeroinitializer
%v104 = load <8 x i32>, ptr %s11
%v105 = mul <8 x i32> %v103, %v76
%v106 = add <8 x i32> %v105, %v104
store <8 x i32> %v106, ptr %s11
%v107 = load <8 x i32>, ptr %s12
%v108 = mul <8 x i32> %v103, %v79
%v109 = add <8 x i32> %v108, %v107
store <8 x i32> %v109, ptr %s12
%v110 = getelementptr i32, ptr %v70, i64 %v71
%v111 = load i32, ptr %v110, align 4
%v112 = insertelement <8 x i32> poison, i32 %v111, i32 0
%v113 = shufflevector <8 x i32> %v112, <8 x i32> poison, <8 x i32> zeroinitializer
%v114 = load <8 x i32>, ptr %s13
%v115 = mul <8 x i32> %v113, %v76
%v116 = add <8 x i32> %v115, %v114
store <8 x i32> %v116, ptr %s13
%v117 = load <8 x i32>, ptr %s14
%v118 = mul <8 x i32> %v113, %v79
%v119 = add <8 x i32> %v118, %v117
store <8 x i32> %v119, ptr %s14
%v120 = add i64 %v71, 1
%v121 = mul i64 %v120, 32
%v122 = getelementptr i8, ptr %v28, i64 %v121
call void @llvm.prefetch.p0(ptr %v122, i32 0, i32 2, i32 1)
%v123 = mul i64 %v71, 8
%v124 = add i64 %v123, 8
%v125 = getelementptr i32, ptr %v26, i64 %v124
%v126 = load <8 x i32>, ptr %v125, align 4
%v127 = add i64 %v124, 8
%v128 = getelementptr i32, ptr %v26, i64 %v127
%v129 = load <8 x i32>, ptr %v128, align 4
%v130 = add i64 %v71, 1
%v131 = getelementptr i32, ptr %v7, i64 %v130
%v132 = load i32, ptr %v131, align 4
%v133 = insertelement <8 x i32> poison, i32 %v132, i32 0
%v134 = shufflevector <8 x i32> %v133, <8 x i32> poison, <8 x i32> zeroinitializer
%v135 = load <8 x i32>, ptr %s7
%v136 = mul <8 x i32> %v134, %v126
%v137 = add <8 x i32> %v136, %v135
store <8 x i32> %v137, ptr %s7
%v138 = load <8 x i32>, ptr %s8
%v139 = mul <8 x i32> %v134, %v129
%v140 = add <8 x i32> %v139, %v138
store <8 x i32> %v140, ptr %s8
%v141 = add i64 %v71, 1
%v142 = getelementptr i32, ptr %v68, i64 %v141
%v143 = load i32, ptr %v142, align 4
%v144 = insertelement <8 x i32> poison, i32 %v143, i32 0
%v145 = shufflevector <8 x i32> %v144, <8 x i32> poison, <8 x i32> zeroinitializer
%v146 = load <8 x i32>, ptr %s9
%v147 = mul <8 x i32> %v145, %v126
%v148 = add <8 x i32> %v147, %v146
store <8 x i32> %v148, ptr %s9
%v149 = load <8 x i32>, ptr %s10
%v150 = mul <8 x i32> %v145, %v129
%v151 = add <8 x i32> %v150, %v149
store <8 x i32> %v151, ptr %s10
%v152 = add i64 %v71, 1
%v153 = getelementptr i32, ptr %v69, i64 %v152
%v154 = load i32, ptr %v153, align 4
%v155 = insertelement <8 x i32> poison, i32 %v154, i32 0
%v156 = shufflevector <8 x i32> %v155, <8 x i32> poison, <8 x i32> zeroinitializer
%v157 = load <8 x i32>, ptr %s11
%v158 = mul <8 x i32> %v156, %v126
%v159 = add <8 x i32> %v158, %v157
store <8 x i32> %v159, ptr %s11
%v160 = load <8 x i32>, ptr %s12
%v161 = mul <8 x i32> %v156, %v129
%v162 = add <8 x i32> %v161, %v160
store <8 x i32> %v162, ptr %s12
%v163 = add i64 %v71, 1
%v164 = getelementptr i32, ptr %v70, i64 %v163
%v165 = load i32, ptr %v164, align 4
%v166 = insertelement <8 x i32> poison, i32 %v165, i32 0
%v167 = shufflevector <8 x i32> %v166, <8 x i32> poison, <8 x i32> zeroinitializer
%v168 = load <8 x i32>, ptr %s13
%v169 = mul <8 x i32> %v167, %v126
%v170 = add <8 x i32> %v169, %v168
store <8 x i32> %v170, ptr %s13
%v171 = load <8 x i32>, ptr %s14
%v172 = mul <8 x i32> %v167, %v129
%v173 = add <8 x i32> %v172, %v171
store <8 x i32> %v173, ptr %s14
%v174 = add i64 %v71, 2
%v175 = icmp slt i64 %v174, 8
br i1 %v175, label %loop10, label %end11
end11:
%v176 = load <8 x i32>, ptr %s7
%v177 = load <8 x i32>, ptr %s8
%v178 = load <8 x i32>, ptr %s9
%v179 = load <8 x i32>, ptr %s10
%v180 = load <8 x i32>, ptr %s11
%v181 = load <8 x i32>, ptr %s12
%v182 = load <8 x i32>, ptr %s13
%v183 = load <8 x i32>, ptr %s14
store <8 x i32> %v176, ptr %v31, align 4
store <8 x i32> %v177, ptr %v35, align 4
store <8 x i32> %v178, ptr %v39, align 4
store <8 x i32> %v179, ptr %v43, align 4
store <8 x i32> %v180, ptr %v47, align 4
store <8 x i32> %v181, ptr %v51, align 4
store <8 x i32> %v182, ptr %v55, align 4
store <8 x i32> %v183, ptr %v59, align 4
%v184 = add i64 %v25, 16
%v185 = icmp slt i64 %v184, %v23
br i1 %v185, label %loop7, label %end8
end8:
%v186 = icmp slt i64 %v23, %v21
br i1 %v186, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v187 = phi i64 [ %v23, %guard14 ], [ %v365, %end16 ]
%v188 = sub i64 %v21, %v187
%v189 = getelementptr i32, ptr %v9, i64 %v187
%v190 = getelementptr i8, ptr %scratch, i64 16384
%v191 = getelementptr i32, ptr %v189, i64 64
%v192 = udiv i64 %v187, 16
%v193 = mul i64 %v192, 64
%v194 = getelementptr i32, ptr %scratch, i64 %v193
%v195 = udiv i64 %v187, 16
%v196 = mul i64 %v195, 64
%v197 = add i64 %v196, 8
%v198 = getelementptr i32, ptr %scratch, i64 %v197
%v199 = udiv i64 %v187, 16
%v200 = mul i64 %v199, 64
%v201 = add i64 %v200, 16
%v202 = getelementptr i32, ptr %scratch, i64 %v201
%v203 = udiv i64 %v187, 16
%v204 = mul i64 %v203, 64
%v205 = add i64 %v204, 24
%v206 = getelementptr i32, ptr %scratch, i64 %v205
%v207 = udiv i64 %v187, 16
%v208 = mul i64 %v207, 64
%v209 = add i64 %v208, 32
%v210 = getelementptr i32, ptr %scratch, i64 %v209
%v211 = udiv i64 %v187, 16
%v212 = mul i64 %v211, 64
%v213 = add i64 %v212, 40
%v214 = getelementptr i32, ptr %scratch, i64 %v213
%v215 = udiv i64 %v187, 16
%v216 = mul i64 %v215, 64
%v217 = add i64 %v216, 48
%v218 = getelementptr i32, ptr %scratch, i64 %v217
%v219 = udiv i64 %v187, 16
%v220 = mul i64 %v219, 64
%v221 = add i64 %v220, 56
%v222 = getelementptr i32, ptr %scratch, i64 %v221
%v223 = load <8 x i32>, ptr %v194, align 4
%v224 = load <8 x i32>, ptr %v198, align 4
%v225 = load <8 x i32>, ptr %v202, align 4
%v226 = load <8 x i32>, ptr %v206, align 4
%v227 = load <8 x i32>, ptr %v210, align 4
%v228 = load <8 x i32>, ptr %v214, align 4
%v229 = load <8 x i32>, ptr %v218, align 4
%v230 = load <8 x i32>, ptr %v222, align 4
store <8 x i32> %v223, ptr %s15
store <8 x i32> %v224, ptr %s16
store <8 x i32> %v225, ptr %s17
store <8 x i32> %v226, ptr %s18
store <8 x i32> %v227, ptr %s19
store <8 x i32> %v228, ptr %s20
store <8 x i32> %v229, ptr %s21
store <8 x i32> %v230, ptr %s22
%v231 = getelementptr i32, ptr %v7, i64 8
%v232 = getelementptr i32, ptr %v7, i64 16
%v233 = getelementptr i32, ptr %v7, i64 24
br label %loop15
loop15:
%v234 = phi i64 [ 0, %loop12 ], [ %v355, %loop15 ]
%v235 = mul i64 %v234, 32
%v236 = getelementptr i8, ptr %v191, i64 %v235
call void @llvm.prefetch.p0(ptr %v236, i32 0, i32 2, i32 1)
%v237 = mul i64 %v234, 8
%v238 = trunc i64 %v188 to i32
%v239 = insertelement <8 x i32> poison, i32 %v238, i32 0
%v240 = shufflevector <8 x i32> %v239, <8 x i32> poison, <8 x i32> zeroinitializer
%v241 = icmp sgt <8 x i32> %v240, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v242 = getelementptr i32, ptr %v189, i64 %v237
%v243 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %v242, i32 4, <8 x i1> %v241, <8 x i32> splat (i32 0))
%v244 = add i64 %v237, 8
%v245 = sub i64 %v188, 8
%v246 = trunc i64 %v245 to i32
%v247 = insertelement <8 x i32> poison, i32 %v246, i32 0
%v248 = shufflevector <8 x i32> %v247, <8 x i32> poison, <8 x i32> zeroinitializer
%v249 = icmp sgt <8 x i32> %v248, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v250 = getelementptr i32, ptr %v189, i64 %v244
%v251 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %v250, i32 4, <8 x i1> %v249, <8 x i32> splat (i32 0))
%v252 = getelementptr i32, ptr %v7, i64 %v234
%v253 = load i32, ptr %v252, align 4
%v254 = insertelement <8 x i32> poison, i32 %v253, i32 0
%v255 = shufflevector <8 x i32> %v254, <8 x i32> poison, <8 x i32> zeroinitializer
%v256 = load <8 x i32>, ptr %s15
%v257 = mul <8 x i32> %v255, %v243
%v258 = add <8 x i32> %v257, %v256
store <8 x i32> %v258, ptr %s15
%v259 = load <8 x i32>, ptr %s16
%v260 = mul <8 x i32> %v255, %v251
%v261 = add <8 x i32> %v260, %v259
store <8 x i32> %v261, ptr %s16
%v262 = getelementptr i32, ptr %v231, i64 %v234
%v263 = load i32, ptr %v262, align 4
%v264 = insertelement <8 x i32> poison, i32 %v263, i32 0
%v265 = shufflevector <8 x i32> %v264, <8 x i32> poison, <8 x i32> zeroinitializer
%v266 = load <8 x i32>, ptr %s17
%v267 = mul <8 x i32> %v265, %v243
%v268 = add <8 x i32> %v267, %v266
store <8 x i32> %v268, ptr %s17
%v269 = load <8 x i32>, ptr %s18
%v270 = mul <8 x i32> %v265, %v251
%v271 = add <8 x i32> %v270, %v269
store <8 x i32> %v271, ptr %s18
%v272 = getelementptr i32, ptr %v232, i64 %v234
%v273 = load i32, ptr %v272, align 4
%v274 = insertelement <8 x i32> poison, i32 %v273, i32 0
%v275 = shufflevector <8 x i32> %v274, <8 x i32> poison, <8 x i32> zeroinitializer
%v276 = load <8 x i32>, ptr %s19
%v277 = mul <8 x i32> %v275, %v243
%v278 = add <8 x i32> %v277, %v276
store <8 x i32> %v278, ptr %s19
%v279 = load <8 x i32>, ptr %s20
%v280 = mul <8 x i32> %v275, %v251
%v281 = add <8 x i32> %v280, %v279
store <8 x i32> %v281, ptr %s20
%v282 = getelementptr i32, ptr %v233, i64 %v234
%v283 = load i32, ptr %v282, align 4
%v284 = insertelement <8 x i32> poison, i32 %v283, i32 0
%v285 = shufflevector <8 x i32> %v284, <8 x i32> poison, <8 x i32> zeroinitializer
%v286 = load <8 x i32>, ptr %s21
%v287 = mul <8 x i32> %v285, %v243
%v288 = add <8 x i32> %v287, %v286
store <8 x i32> %v288, ptr %s21
%v289 = load <8 x i32>, ptr %s22
%v290 = mul <8 x i32> %v285, %v251
%v291 = add <8 x i32> %v290, %v289
store <8 x i32> %v291, ptr %s22
%v292 = add i64 %v234, 1
%v293 = mul i64 %v292, 32
%v294 = getelementptr i8, ptr %v191, i64 %v293
call void @llvm.prefetch.p0(ptr %v294, i32 0, i32 2, i32 1)
%v295 = mul i64 %v234, 8
%v296 = add i64 %v295, 8
%v297 = trunc i64 %v188 to i32
%v298 = insertelement <8 x i32> poison, i32 %v297, i32 0
%v299 = shufflevector <8 x i32> %v298, <8 x i32> poison, <8 x i32> zeroinitializer
%v300 = icmp sgt <8 x i32> %v299, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v301 = getelementptr i32, ptr %v189, i64 %v296
%v302 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %v301, i32 4, <8 x i1> %v300, <8 x i32> splat (i32 0))
%v303 = add i64 %v296, 8
%v304 = sub i64 %v188, 8
%v305 = trunc i64 %v304 to i32
%v306 = insertelement <8 x i32> poison, i32 %v305, i32 0
%v307 = shufflevector <8 x i32> %v306, <8 x i32> poison, <8 x i32> zeroinitializer
%v308 = icmp sgt <8 x i32> %v307, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v309 = getelementptr i32, ptr %v189, i64 %v303
%v310 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %v309, i32 4, <8 x i1> %v308, <8 x i32> splat (i32 0))
%v311 = add i64 %v234, 1
%v312 = getelementptr i32, ptr %v7, i64 %v311
%v313 = load i32, ptr %v312, align 4
%v314 = insertelement <8 x i32> poison, i32 %v313, i32 0
%v315 = shufflevector <8 x i32> %v314, <8 x i32> poison, <8 x i32> zeroinitializer
%v316 = load <8 x i32>, ptr %s15
%v317 = mul <8 x i32> %v315, %v302
%v318 = add <8 x i32> %v317, %v316
store <8 x i32> %v318, ptr %s15
%v319 = load <8 x i32>, ptr %s16
%v320 = mul <8 x i32> %v315, %v310
%v321 = add <8 x i32> %v320, %v319
store <8 x i32> %v321, ptr %s16
%v322 = add i64 %v234, 1
%v323 = getelementptr i32, ptr %v231, i64 %v322
%v324 = load i32, ptr %v323, align 4
%v325 = insertelement <8 x i32> poison, i32 %v324, i32 0
%v326 = shufflevector <8 x i32> %v325, <8 x i32> poison, <8 x i32> zeroinitializer
%v327 = load <8 x i32>, ptr %s17
%v328 = mul <8 x i32> %v326, %v302
%v329 = add <8 x i32> %v328, %v327
store <8 x i32> %v329, ptr %s17
%v330 = load <8 x i32>, ptr %s18
%v331 = mul <8 x i32> %v326, %v310
%v332 = add <8 x i32> %v331, %v330
store <8 x i32> %v332, ptr %s18
%v333 = add i64 %v234, 1
%v334 = getelementptr i32, ptr %v232, i64 %v333
%v335 = load i32, ptr %v334, align 4
%v336 = insertelement <8 x i32> poison, i32 %v335, i32 0
%v337 = shufflevector <8 x i32> %v336, <8 x i32> poison, <8 x i32> zeroinitializer
%v338 = load <8 x i32>, ptr %s19
%v339 = mul <8 x i32> %v337, %v302
%v340 = add <8 x i32> %v339, %v338
store <8 x i32> %v340, ptr %s19
%v341 = load <8 x i32>, ptr %s20
%v342 = mul <8 x i32> %v337, %v310
%v343 = add <8 x i32> %v342, %v341
store <8 x i32> %v343, ptr %s20
%v344 = add i64 %v234, 1
%v345 = getelementptr i32, ptr %v233, i64 %v344
%v346 = load i32, ptr %v345, align 4
%v347 = insertelement <8 x i32> poison, i32 %v346, i32 0
%v348 = shufflevector <8 x i32> %v347, <8 x i32> poison, <8 x i32> zeroinitializer
%v349 = load <8 x i32>, ptr %s21
%v350 = mul <8 x i32> %v348, %v302
%v351 = add <8 x i32> %v350, %v349
store <8 x i32> %v351, ptr %s21
%v352 = load <8 x i32>, ptr %s22
%v353 = mul <8 x i32> %v348, %v310
%v354 = add <8 x i32> %v353, %v352
store <8 x i32> %v354, ptr %s22
%v355 = add i64 %v234, 2
%v356 = icmp slt i64 %v355, 8
br i1 %v356, label %loop15, label %end16
end16:
%v357 = load <8 x i32>, ptr %s15
%v358 = load <8 x i32>, ptr %s16
%v359 = load <8 x i32>, ptr %s17
%v360 = load <8 x i32>, ptr %s18
%v361 = load <8 x i32>, ptr %s19
%v362 = load <8 x i32>, ptr %s20
%v363 = load <8 x i32>, ptr %s21
%v364 = load <8 x i32>, ptr %s22
store <8 x i32> %v357, ptr %v194, align 4
store <8 x i32> %v358, ptr %v198, align 4
store <8 x i32> %v359, ptr %v202, align 4
store <8 x i32> %v360, ptr %v206, align 4
store <8 x i32> %v361, ptr %v210, align 4
store <8 x i32> %v362, ptr %v214, align 4
store <8 x i32> %v363, ptr %v218, align 4
store <8 x i32> %v364, ptr %v222, align 4
%v365 = add i64 %v187, 16
%v366 = icmp slt i64 %v365, %v21
br i1 %v366, label %loop12, label %end13
end13:
%v367 = icmp slt i64 0, %v12
br i1 %v367, label %guard19, label %end18
guard19:
br label %loop17
loop17:
%v368 = phi i64 [ 0, %guard19 ], [ %v417, %end22 ]
%v369 = mul i64 %v368, 64
%v370 = getelementptr i32, ptr %scratch, i64 %v369
%v371 = mul i64 %v368, 16
%v372 = sub i64 8, %v371
%v373 = icmp sge i64 %v372, 16
br i1 %v373, label %then20, label %else21
then20:
br label %loop23
loop23:
%v374 = phi i64 [ 0, %then20 ], [ %v389, %loop23 ]
%v375 = mul i64 %v374, 16
%v376 = getelementptr i32, ptr %v370, i64 %v375
%v377 = load <8 x i32>, ptr %v376, align 4
%v378 = mul i64 %v374, 16
%v379 = add i64 %v378, 8
%v380 = getelementptr i32, ptr %v370, i64 %v379
%v381 = load <8 x i32>, ptr %v380, align 4
%v382 = mul i64 %v374, 8
%v383 = add i64 %v382, %v371
%v384 = getelementptr i32, ptr %v11, i64 %v383
store <8 x i32> %v377, ptr %v384, align 4
%v385 = mul i64 %v374, 8
%v386 = add i64 %v385, %v371
%v387 = add i64 %v386, 8
%v388 = getelementptr i32, ptr %v11, i64 %v387
store <8 x i32> %v381, ptr %v388, align 4
%v389 = add i64 %v374, 1
%v390 = icmp slt i64 %v389, 4
br i1 %v390, label %loop23, label %end24
end24:
br label %end22
else21:
br label %loop25
loop25:
%v391 = phi i64 [ 0, %else21 ], [ %v415, %loop25 ]
%v392 = mul i64 %v391, 16
%v393 = getelementptr i32, ptr %v370, i64 %v392
%v394 = load <8 x i32>, ptr %v393, align 4
%v395 = mul i64 %v391, 16
%v396 = add i64 %v395, 8
%v397 = getelementptr i32, ptr %v370, i64 %v396
%v398 = load <8 x i32>, ptr %v397, align 4
%v399 = mul i64 %v391, 8
%v400 = add i64 %v399, %v371
%v401 = getelementptr i32, ptr %v11, i64 %v400
%v402 = trunc i64 %v372 to i32
%v403 = insertelement <8 x i32> poison, i32 %v402, i32 0
%v404 = shufflevector <8 x i32> %v403, <8 x i32> poison, <8 x i32> zeroinitializer
%v405 = icmp sgt <8 x i32> %v404, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8i32.p0(<8 x i32> %v394, ptr %v401, i32 4, <8 x i1> %v405)
%v406 = mul i64 %v391, 8
%v407 = add i64 %v406, %v371
%v408 = add i64 %v407, 8
%v409 = sub i64 %v372, 8
%v410 = getelementptr i32, ptr %v11, i64 %v408
%v411 = trunc i64 %v409 to i32
%v412 = insertelement <8 x i32> poison, i32 %v411, i32 0
%v413 = shufflevector <8 x i32> %v412, <8 x i32> poison, <8 x i32> zeroinitializer
%v414 = icmp sgt <8 x i32> %v413, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8i32.p0(<8 x i32> %v398, ptr %v410, i32 4, <8 x i1> %v414)
%v415 = add i64 %v391, 1
%v416 = icmp slt i64 %v415, 4
br i1 %v416, label %loop25, label %end26
end26:
br label %end22
end22:
%v417 = add i64 %v368, 1
%v418 = icmp slt i64 %v417, %v12
br i1 %v418, label %loop17, label %end18
end18:
%v419 = load i64, ptr %s0
%v420 = add i64 %v419, %v5
store i64 %v420, ptr %s0
br label %head1
end2:
ret void
}


declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)

define i64 @rlx_checked_dims(ptr %symbols, ptr %out) nounwind noinline optnone {
entry:
%v0 = load i64, ptr %symbols, align 8
%v1 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 1, i64 %v0)
%v2 = extractvalue { i64, i1 } %v1, 0
%v3 = extractvalue { i64, i1 } %v1, 1
%v4 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v2)
%v5 = extractvalue { i64, i1 } %v4, 0
%v6 = extractvalue { i64, i1 } %v4, 1
%v7 = or i1 %v3, %v6
store i64 %v5, ptr %out, align 8
%v8 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 512, i64 %v0)
%v9 = extractvalue { i64, i1 } %v8, 0
%v10 = extractvalue { i64, i1 } %v8, 1
%v11 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v9)
%v12 = extractvalue { i64, i1 } %v11, 0
%v13 = extractvalue { i64, i1 } %v11, 1
%v14 = or i1 %v10, %v13
%v15 = getelementptr i64, ptr %out, i64 1
store i64 %v12, ptr %v15, align 8
%v16 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 128, i64 %v0)
%v17 = extractvalue { i64, i1 } %v16, 0
%v18 = extractvalue { i64, i1 } %v16, 1
%v19 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v17)
%v20 = extractvalue { i64, i1 } %v19, 0
%v21 = extractvalue { i64, i1 } %v19, 1
%v22 = or i1 %v18, %v21
%v23 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 256, i64 %v0)
%v24 = extractvalue { i64, i1 } %v23, 0
%v25 = extractvalue { i64, i1 } %v23, 1
%v26 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v24)
%v27 = extractvalue { i64, i1 } %v26, 0
%v28 = extractvalue { i64, i1 } %v26, 1
%v29 = or i1 %v25, %v28
%v30 = or i1 %v22, %v29
%v31 = or i1 %v30, %v7
%v32 = select i1 %v31, i64 1, i64 0
ret i64 %v32
unreachable1:
ret i64 0
}

