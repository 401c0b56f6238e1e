; kernels for x86_64-avx2
; mir @matmul_thin {
;   %0 = input("x1") : f32[2, 12]
;   %1 = input("x2") : f32[12, 40]
;   %2 = matmul(%0, %1) : f32[2, 40]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @matmul_a383e2fc(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%s7 = alloca <8 x float>
%s8 = alloca <8 x float>
%s9 = alloca <8 x float>
%s10 = alloca <8 x float>
%s11 = alloca <8 x float>
%s12 = alloca <8 x float>
%s13 = alloca <8 x float>
%s14 = alloca <8 x float>
%s15 = alloca <8 x float>
%s16 = alloca <8 x float>
%s17 = alloca <8 x float>
%s18 = alloca <8 x float>
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
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 42)
%v6 = mul i64 3, %v5
%v7 = call i64 @llvm.smin.i64(i64 %v6, i64 3)
%v8 = mul i64 %v7, 2
%v9 = mul i64 %v8, 16
%v10 = icmp slt i64 0, %v9
br i1 %v10, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v11 = phi i64 [ 0, %guard6 ], [ %v13, %loop4 ]
%v12 = getelementptr float, ptr %scratch, i64 %v11
store <8 x float> splat (float 0x0000000000000000), ptr %v12, align 4
%v13 = add i64 %v11, 8
%v14 = icmp slt i64 %v13, %v9
br i1 %v14, label %loop4, label %end5
end5:
%v15 = mul i64 %v7, 16
%v16 = call i64 @llvm.smin.i64(i64 %v15, i64 40)
%v17 = udiv i64 %v16, 32
%v18 = mul i64 %v17, 32
%v19 = icmp slt i64 0, %v18
br i1 %v19, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v20 = phi i64 [ 0, %guard9 ], [ %v165, %end11 ]
%v21 = getelementptr float, ptr %a1, i64 %v20
%v22 = getelementptr i8, ptr %scratch, i64 16384
%v23 = getelementptr float, ptr %v21, i64 1280
%v24 = udiv i64 %v20, 16
%v25 = mul i64 %v24, 32
%v26 = getelementptr float, ptr %scratch, i64 %v25
%v27 = udiv i64 %v20, 16
%v28 = mul i64 %v27, 32
%v29 = add i64 %v28, 8
%v30 = getelementptr float, ptr %scratch, i64 %v29
%v31 = udiv i64 %v20, 16
%v32 = add i64 %v31, 1
%v33 = mul i64 %v32, 32
%v34 = getelementptr float, ptr %scratch, i64 %v33
%v35 = udiv i64 %v20, 16
%v36 = add i64 %v35, 1
%v37 = mul i64 %v36, 32
%v38 = add i64 %v37, 8
%v39 = getelementptr float, ptr %scratch, i64 %v38
%v40 = udiv i64 %v20, 16
%v41 = mul i64 %v40, 32
%v42 = add i64 %v41, 16
%v43 = getelementptr float, ptr %scratch, i64 %v42
%v44 = udiv i64 %v20, 16
%v45 = mul i64 %v44, 32
%v46 = add i64 %v45, 24
%v47 = getelementptr float, ptr %scratch, i64 %v46
%v48 = udiv i64 %v20, 16
%v49 = add i64 %v48, 1
%v50 = mul i64 %v49, 32
%v51 = add i64 %v50, 16
%v52 = getelementptr float, ptr %scratch, i64 %v51
%v53 = udiv i64 %v20, 16
%v54 = add i64 %v53, 1
%v55 = mul i64 %v54, 32
%v56 = add i64 %v55, 24
%v57 = getelementptr float, ptr %scratch, i64 %v56
%v58 = load <8 x float>, ptr %v26, align 4
%v59 = load <8 x float>, ptr %v30, align 4
%v60 = load <8 x float>, ptr %v34, align 4
%v61 = load <8 x float>, ptr %v39, align 4
%v62 = load <8 x float>, ptr %v43, align 4
%v63 = load <8 x float>, ptr %v47, align 4
%v64 = load <8 x float>, ptr %v52, align 4
%v65 = load <8 x float>, ptr %v57, align 4
store <8 x float> %v58, ptr %s7
store <8 x float> %v59, ptr %s8
store <8 x float> %v60, ptr %s9
store <8 x float> %v61, ptr %s10
store <8 x float> %v62, ptr %s11
store <8 x float> %v63, ptr %s12
store <8 x float> %v64, ptr %s13
store <8 x float> %v65, ptr %s14
%v66 = getelementptr float, ptr %a0, i64 12
br label %loop10
loop10:
%v67 = phi i64 [ 0, %loop7 ], [ %v155, %loop10 ]
%v68 = mul i64 %v67, 160
%v69 = getelementptr i8, ptr %v23, i64 %v68
call void @llvm.prefetch.p0(ptr %v69, i32 0, i32 2, i32 1)
%v70 = mul i64 %v67, 160
%v71 = add i64 %v70, 64
%v72 = getelementptr i8, ptr %v23, i64 %v71
call void @llvm.prefetch.p0(ptr %v72, i32 0, i32 2, i32 1)
%v73 = mul i64 %v67, 40
%v74 = getelementptr float, ptr %v21, i64 %v73
%v75 = load <8 x float>, ptr %v74, align 4
%v76 = add i64 %v73, 8
%v77 = getelementptr float, ptr %v21, i64 %v76
%v78 = load <8 x float>, ptr %v77, align 4
%v79 = add i64 %v73, 16
%v80 = getelementptr float, ptr %v21, i64 %v79
%v81 = load <8 x float>, ptr %v80, align 4
%v82 = add i64 %v73, 24
%v83 = getelementptr float, ptr %v21, i64 %v82
%v84 = load <8 x float>, ptr %v83, align 4
%v85 = getelementptr float, ptr %a0, i64 %v67
%v86 = load float, ptr %v85, align 4
%v87 = insertelement <8 x float> poison, float %v86, i32 0
%v88 = shufflevector <8 x float> %v87, <8 x float> poison, <8 x i32> zeroinitializer
%v89 = load <8 x float>, ptr %s7
%v90 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v88, <8 x float> %v75, <8 x float> %v89)
store <8 x float> %v90, ptr %s7
%v91 = load <8 x float>, ptr %s8
%v92 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v88, <8 x float> %v78, <8 x float> %v91)
store <8 x float> %v92, ptr %s8
%v93 = load <8 x float>, ptr %s9
%v94 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v88, <8 x float> %v81, <8 x float> %v93)
store <8 x float> %v94, ptr %s9
%v95 = load <8 x float>, ptr %s10
%v96 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v88, <8 x float> %v84, <8 x float> %v95)
store <8 x float> %v96, ptr %s10
%v97 = getelementptr float, ptr %v66, i64 %v67
%v98 = load float, ptr %v97, align 4
%v99 = insertelement <8 x float> poison, float %v98, i32 0
%v100 = shufflevector <8 x float> %v99, <8 x float> poison, <8 x i32> zeroinitializer
%v101 = load <8 x float>, ptr %s11
%v102 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v100, <8 x float> %v75, <8 x float> %v101)
store <8 x float> %v102, ptr %s11
%v103 = load <8 x float>, ptr %s12
%v104 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v100, <8 x float> %v78, <8 x float> %v103)
store <8 x float> %v104, ptr %s12
%v105 = load <8 x float>, ptr %s13
%v106 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v100, <8 x float> %v81, <8 x float> %v105)
store <8 x float> %v106, ptr %s13
%v107 = load <8 x float>, ptr %s14
%v108 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v100, <8 x float> %v84, <8 x float> %v107)
store <8 x float> %v108, ptr %s14
%v109 = add i64 %v67, 1
%v110 = mul i64 %v109, 160
%v111 = getelementptr i8, ptr %v23, i64 %v110
call void @llvm.prefetch.p0(ptr %v111, i32 0, i32 2, i32 1)
%v112 = add i64 %v67, 1
%v113 = mul i64 %v112, 160
%v114 = add i64 %v113, 64
%v115 = getelementptr i8, ptr %v23, i64 %v114
call void @llvm.prefetch.p0(ptr %v115, i32 0, i32 2, i32 1)
%v116 = mul i64 %v67, 40
%v117 = add i64 %v116, 40
%v118 = getelementptr float, ptr %v21, i64 %v117
%v119 = load <8 x float>, ptr %v118, align 4
%v120 = add i64 %v117, 8
%v121 = getelementptr float, ptr %v21, i64 %v120
%v122 = load <8 x float>, ptr %v121, align 4
%v123 = add i64 %v117, 16
%v124 = getelementptr float, ptr %v21, i64 %v123
%v125 = load <8 x float>, ptr %v124, align 4
%v126 = add i64 %v117, 24
%v127 = getelementptr float, ptr %v21, i64 %v126
%v128 = load <8 x float>, ptr %v127, align 4
%v129 = add i64 %v67, 1
%v130 = getelementptr float, ptr %a0, i64 %v129
%v131 = load float, ptr %v130, align 4
%v132 = insertelement <8 x float> poison, float %v131, i32 0
%v133 = shufflevector <8 x float> %v132, <8 x float> poison, <8 x i32> zeroinitializer
%v134 = load <8 x float>, ptr %s7
%v135 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v133, <8 x float> %v119, <8 x float> %v134)
store <8 x float> %v135, ptr %s7
%v136 = load <8 x float>, ptr %s8
%v137 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v133, <8 x float> %v122, <8 x float> %v136)
store <8 x float> %v137, ptr %s8
%v138 = load <8 x float>, ptr %s9
%v139 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v133, <8 x float> %v125, <8 x float> %v138)
store <8 x float> %v139, ptr %s9
%v140 = load <8 x float>, ptr %s10
%v141 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v133, <8 x float> %v128, <8 x float> %v140)
store <8 x float> %v141, ptr %s10
%v142 = add i64 %v67, 1
%v143 = getelementptr float, ptr %v66, i64 %v142
%v144 = load float, ptr %v143, align 4
%v145 = insertelement <8 x float> poison, float %v144, i32 0
%v146 = shufflevector <8 x float> %v145, <8 x float> poison, <8 x i32> zeroinitializer
%v147 = load <8 x float>, ptr %s11
%v148 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v146, <8 x float> %v119, <8 x float> %v147)
store <8 x float> %v148, ptr %s11
%v149 = load <8 x float>, ptr %s12
%v150 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v146, <8 x float> %v122, <8 x float> %v149)
store <8 x float> %v150, ptr %s12
%v151 = load <8 x float>, ptr %s13
%v152 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v146, <8 x float> %v125, <8 x float> %v151)
store <8 x float> %v152, ptr %s13
%v153 = load <8 x float>, ptr %s14
%v154 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v146, <8 x float> %v128, <8 x float> %v153)
store <8 x float> %v154, ptr %s14
%v155 = add i64 %v67, 2
%v156 = icmp slt i64 %v155, 12
br i1 %v156, label %loop10, label %end11
end11:
%v157 = load <8 x float>, ptr %s7
%v158 = load <8 x float>, ptr %s8
%v159 = load <8 x float>, ptr %s9
%v160 = load <8 x float>, ptr %s10
%v161 = load <8 x float>, ptr %s11
%v162 = load <8 x float>, ptr %s12
%v163 = load <8 x float>, ptr %s13
%v164 = load <8 x float>, ptr %s14
store <8 x float> %v157, ptr %v26, align 4
store <8 x float> %v158, ptr %v30, align 4
store <8 x float> %v159, ptr %v34, align 4
store <8 x float> %v160, ptr %v39, align 4
store <8 x float> %v161, ptr %v43, align 4
store <8 x float> %v162, ptr %v47, align 4
store <8 x float> %v163, ptr %v52, align 4
store <8 x float> %v164, ptr %v57, align 4
%v165 = add i64 %v20, 32
%v166 = icmp slt i64 %v165, %v18
br i1 %v166, label %loop7, label %end8
end8:
%v167 = icmp slt i64 %v18, %v16
br i1 %v167, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v168 = phi i64 [ %v18, %guard14 ], [ %v344, %end16 ]
%v169 = sub i64 %v16, %v168
%v170 = getelementptr float, ptr %a1, i64 %v168
%v171 = getelementptr i8, ptr %scratch, i64 16384
%v172 = getelementptr float, ptr %v170, i64 1280
%v173 = udiv i64 %v168, 16
%v174 = mul i64 %v173, 32
%v175 = getelementptr float, ptr %scratch, i64 %v174
%v176 = udiv i64 %v168, 16
%v177 = mul i64 %v176, 32
%v178 = add i64 %v177, 8
%v179 = getelementptr float, ptr %scratch, i64 %v178
%v180 = udiv i64 %v168, 16
%v181 = mul i64 %v180, 32
%v182 = add i64 %v181, 16
%v183 = getelementptr float, ptr %scratch, i64 %v182
%v184 = udiv i64 %v168, 16
%v185 = mul i64 %v184, 32
%v186 = add i64 %v185, 24
%v187 = getelementptr float, ptr %scratch, i64 %v186
%v188 = load <8 x float>, ptr %v175, align 4
%v189 = load <8 x float>, ptr %v179, align 4
%v190 = load <8 x float>, ptr %v183, align 4
%v191 = load <8 x float>, ptr %v187, align 4
store <8 x float> %v188, ptr %s15
store <8 x float> %v189, ptr %s16
store <8 x float> %v190, ptr %s17
store <8 x float> %v191, ptr %s18
%v192 = getelementptr float, ptr %a0, i64 12
br label %loop15
loop15:
%v193 = phi i64 [ 0, %loop12 ], [ %v338, %loop15 ]
%v194 = mul i64 %v193, 160
%v195 = getelementptr i8, ptr %v172, i64 %v194
call void @llvm.prefetch.p0(ptr %v195, i32 0, i32 2, i32 1)
%v196 = mul i64 %v193, 40
%v197 = trunc i64 %v169 to i32
%v198 = insertelement <8 x i32> poison, i32 %v197, i32 0
%v199 = shufflevector <8 x i32> %v198, <8 x i32> poison, <8 x i32> zeroinitializer
%v200 = icmp sgt <8 x i32> %v199, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v201 = getelementptr float, ptr %v170, i64 %v196
%v202 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v201, i32 4, <8 x i1> %v200, <8 x float> splat (float 0x0000000000000000))
%v203 = add i64 %v196, 8
%v204 = sub i64 %v169, 8
%v205 = trunc i64 %v204 to i32
%v206 = insertelement <8 x i32> poison, i32 %v205, i32 0
%v207 = shufflevector <8 x i32> %v206, <8 x i32> poison, <8 x i32> zeroinitializer
%v208 = icmp sgt <8 x i32> %v207, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v209 = getelementptr float, ptr %v170, i64 %v203
%v210 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v209, i32 4, <8 x i1> %v208, <8 x float> splat (float 0x0000000000000000))
%v211 = getelementptr float, ptr %a0, i64 %v193
%v212 = load float, ptr %v211, align 4
%v213 = insertelement <8 x float> poison, float %v212, i32 0
%v214 = shufflevector <8 x float> %v213, <8 x float> poison, <8 x i32> zeroinitializer
%v215 = load <8 x float>, ptr %s15
%v216 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v214, <8 x float> %v202, <8 x float> %v215)
store <8 x float> %v216, ptr %s15
%v217 = load <8 x float>, ptr %s16
%v218 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v214, <8 x float> %v210, <8 x float> %v217)
store <8 x float> %v218, ptr %s16
%v219 = getelementptr float, ptr %v192, i64 %v193
%v220 = load float, ptr %v219, align 4
%v221 = insertelement <8 x float> poison, float %v220, i32 0
%v222 = shufflevector <8 x float> %v221, <8 x float> poison, <8 x i32> zeroinitializer
%v223 = load <8 x float>, ptr %s17
%v224 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v222, <8 x float> %v202, <8 x float> %v223)
store <8 x float> %v224, ptr %s17
%v225 = load <8 x float>, ptr %s18
%v226 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v222, <8 x float> %v210, <8 x float> %v225)
store <8 x float> %v226, ptr %s18
%v227 = add i64 %v193, 1
%v228 = mul i64 %v227, 160
%v229 = getelementptr i8, ptr %v172, i64 %v228
call void @llvm.prefetch.p0(ptr %v229, i32 0, i32 2, i32 1)
%v230 = mul i64 %v193, 40
%v231 = add i64 %v230, 40
%v232 = trunc i64 %v169 to i32
%v233 = insertelement <8 x i32> poison, i32 %v232, i32 0
%v234 = shufflevector <8 x i32> %v233, <8 x i32> poison, <8 x i32> zeroinitializer
%v235 = icmp sgt <8 x i32> %v234, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v236 = getelementptr float, ptr %v170, i64 %v231
%v237 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v236, i32 4, <8 x i1> %v235, <8 x float> splat (float 0x0000000000000000))
%v238 = add i64 %v231, 8
%v239 = sub i64 %v169, 8
%v240 = trunc i64 %v239 to i32
%v241 = insertelement <8 x i32> poison, i32 %v240, i32 0
%v242 = shufflevector <8 x i32> %v241, <8 x i32> poison, <8 x i32> zeroinitializer
%v243 = icmp sgt <8 x i32> %v242, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v244 = getelementptr float, ptr %v170, i64 %v238
%v245 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v244, i32 4, <8 x i1> %v243, <8 x float> splat (float 0x0000000000000000))
%v246 = add i64 %v193, 1
%v247 = getelementptr float, ptr %a0, i64 %v246
%v248 = load float, ptr %v247, align 4
%v249 = insertelement <8 x float> poison, float %v248, i32 0
%v250 = shufflevector <8 x float> %v249, <8 x float> poison, <8 x i32> zeroinitializer
%v251 = load <8 x float>, ptr %s15
%v252 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v250, <8 x float> %v237, <8 x float> %v251)
store <8 x float> %v252, ptr %s15
%v253 = load <8 x float>, ptr %s16
%v254 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v250, <8 x float> %v245, <8 x float> %v253)
store <8 x float> %v254, ptr %s16
%v255 = add i64 %v193, 1
%v256 = getelementptr float, ptr %v192, i64 %v255
%v257 = load float, ptr %v256, align 4
%v258 = insertelement <8 x float> poison, float %v257, i32 0
%v259 = shufflevector <8 x float> %v258, <8 x float> poison, <8 x i32> zeroinitializer
%v260 = load <8 x float>, ptr %s17
%v261 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v259, <8 x float> %v237, <8 x float> %v260)
store <8 x float> %v261, ptr %s17
%v262 = load <8 x float>, ptr %s18
%v263 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v259, <8 x float> %v245, <8 x float> %v262)
store <8 x float> %v263, ptr %s18
%v264 = add i64 %v193, 2
%v265 = mul i64 %v264, 160
%v266 = getelementptr i8, ptr %v172, i64 %v265
call void @llvm.prefetch.p0(ptr %v266, i32 0, i32 2, i32 1)
%v267 = mul i64 %v193, 40
%v268 = add i64 %v267, 80
%v269 = trunc i64 %v169 to i32
%v270 = insertelement <8 x i32> poison, i32 %v269, i32 0
%v271 = shufflevector <8 x i32> %v270, <8 x i32> poison, <8 x i32> zeroinitializer
%v272 = icmp sgt <8 x i32> %v271, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v273 = getelementptr float, ptr %v170, i64 %v268
%v274 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v273, i32 4, <8 x i1> %v272, <8 x float> splat (float 0x0000000000000000))
%v275 = add i64 %v268, 8
%v276 = sub i64 %v169, 8
%v277 = trunc i64 %v276 to i32
%v278 = insertelement <8 x i32> poison, i32 %v277, i32 0
%v279 = shufflevector <8 x i32> %v278, <8 x i32> poison, <8 x i32> zeroinitializer
%v280 = icmp sgt <8 x i32> %v279, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v281 = getelementptr float, ptr %v170, i64 %v275
%v282 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v281, i32 4, <8 x i1> %v280, <8 x float> splat (float 0x0000000000000000))
%v283 = add i64 %v193, 2
%v284 = getelementptr float, ptr %a0, i64 %v283
%v285 = load float, ptr %v284, align 4
%v286 = insertelement <8 x float> poison, float %v285, i32 0
%v287 = shufflevector <8 x float> %v286, <8 x float> poison, <8 x i32> zeroinitializer
%v288 = load <8 x float>, ptr %s15
%v289 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v287, <8 x float> %v274, <8 x float> %v288)
store <8 x float> %v289, ptr %s15
%v290 = load <8 x float>, ptr %s16
%v291 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v287, <8 x float> %v282, <8 x float> %v290)
store <8 x float> %v291, ptr %s16
%v292 = add i64 %v193, 2
%v293 = getelementptr float, ptr %v192, i64 %v292
%v294 = load float, ptr %v293, align 4
%v295 = insertelement <8 x float> poison, float %v294, i32 0
%v296 = shufflevector <8 x float> %v295, <8 x float> poison, <8 x i32> zeroinitializer
%v297 = load <8 x float>, ptr %s17
%v298 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v296, <8 x float> %v274, <8 x float> %v297)
store <8 x float> %v298, ptr %s17
%v299 = load <8 x float>, ptr %s18
%v300 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v296, <8 x float> %v282, <8 x float> %v299)
store <8 x float> %v300, ptr %s18
%v301 = add i64 %v193, 3
%v302 = mul i64 %v301, 160
%v303 = getelementptr i8, ptr %v172, i64 %v302
call void @llvm.prefetch.p0(ptr %v303, i32 0, i32 2, i32 1)
%v304 = mul i64 %v193, 40
%v305 = add i64 %v304, 120
%v306 = trunc i64 %v169 to i32
%v307 = insertelement <8 x i32> poison, i32 %v306, i32 0
%v308 = shufflevector <8 x i32> %v307, <8 x i32> poison, <8 x i32> zeroinitializer
%v309 = icmp sgt <8 x i32> %v308, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v310 = getelementptr float, ptr %v170, i64 %v305
%v311 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v310, i32 4, <8 x i1> %v309, <8 x float> splat (float 0x0000000000000000))
%v312 = add i64 %v305, 8
%v313 = sub i64 %v169, 8
%v314 = trunc i64 %v313 to i32
%v315 = insertelement <8 x i32> poison, i32 %v314, i32 0
%v316 = shufflevector <8 x i32> %v315, <8 x i32> poison, <8 x i32> zeroinitializer
%v317 = icmp sgt <8 x i32> %v316, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v318 = getelementptr float, ptr %v170, i64 %v312
%v319 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v318, i32 4, <8 x i1> %v317, <8 x float> splat (float 0x0000000000000000))
%v320 = add i64 %v193, 3
%v321 = getelementptr float, ptr %a0, i64 %v320
%v322 = load float, ptr %v321, align 4
%v323 = insertelement <8 x float> poison, float %v322, i32 0
%v324 = shufflevector <8 x float> %v323, <8 x float> poison, <8 x i32> zeroinitializer
%v325 = load <8 x float>, ptr %s15
%v326 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v324, <8 x float> %v311, <8 x float> %v325)
store <8 x float> %v326, ptr %s15
%v327 = load <8 x float>, ptr %s16
%v328 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v324, <8 x float> %v319, <8 x float> %v327)
store <8 x float> %v328, ptr %s16
%v329 = add i64 %v193, 3
%v330 = getelementptr float, ptr %v192, i64 %v329
%v331 = load float, ptr %v330, align 4
%v332 = insertelement <8 x float> poison, float %v331, i32 0
%v333 = shufflevector <8 x float> %v332, <8 x float> poison, <8 x i32> zeroinitializer
%v334 = load <8 x float>, ptr %s17
%v335 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v333, <8 x float> %v311, <8 x float> %v334)
store <8 x float> %v335, ptr %s17
%v336 = load <8 x float>, ptr %s18
%v337 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v333, <8 x float> %v319, <8 x float> %v336)
store <8 x float> %v337, ptr %s18
%v338 = add i64 %v193, 4
%v339 = icmp slt i64 %v338, 12
br i1 %v339, label %loop15, label %end16
end16:
%v340 = load <8 x float>, ptr %s15
%v341 = load <8 x float>, ptr %s16
%v342 = load <8 x float>, ptr %s17
%v343 = load <8 x float>, ptr %s18
store <8 x float> %v340, ptr %v175, align 4
store <8 x float> %v341, ptr %v179, align 4
store <8 x float> %v342, ptr %v183, align 4
store <8 x float> %v343, ptr %v187, align 4
%v344 = add i64 %v168, 16
%v345 = icmp slt i64 %v344, %v16
br i1 %v345, label %loop12, label %end13
end13:
%v346 = icmp slt i64 0, %v7
br i1 %v346, label %guard19, label %end18
guard19:
br label %loop17
loop17:
%v347 = phi i64 [ 0, %guard19 ], [ %v396, %end22 ]
%v348 = mul i64 %v347, 32
%v349 = getelementptr float, ptr %scratch, i64 %v348
%v350 = mul i64 %v347, 16
%v351 = sub i64 40, %v350
%v352 = icmp sge i64 %v351, 16
br i1 %v352, label %then20, label %else21
then20:
br label %loop23
loop23:
%v353 = phi i64 [ 0, %then20 ], [ %v368, %loop23 ]
%v354 = mul i64 %v353, 16
%v355 = getelementptr float, ptr %v349, i64 %v354
%v356 = load <8 x float>, ptr %v355, align 4
%v357 = mul i64 %v353, 16
%v358 = add i64 %v357, 8
%v359 = getelementptr float, ptr %v349, i64 %v358
%v360 = load <8 x float>, ptr %v359, align 4
%v361 = mul i64 %v353, 40
%v362 = add i64 %v361, %v350
%v363 = getelementptr float, ptr %a2, i64 %v362
store <8 x float> %v356, ptr %v363, align 4
%v364 = mul i64 %v353, 40
%v365 = add i64 %v364, %v350
%v366 = add i64 %v365, 8
%v367 = getelementptr float, ptr %a2, i64 %v366
store <8 x float> %v360, ptr %v367, align 4
%v368 = add i64 %v353, 1
%v369 = icmp slt i64 %v368, 2
br i1 %v369, label %loop23, label %end24
end24:
br label %end22
else21:
br label %loop25
loop25:
%v370 = phi i64 [ 0, %else21 ], [ %v394, %loop25 ]
%v371 = mul i64 %v370, 16
%v372 = getelementptr float, ptr %v349, i64 %v371
%v373 = load <8 x float>, ptr %v372, align 4
%v374 = mul i64 %v370, 16
%v375 = add i64 %v374, 8
%v376 = getelementptr float, ptr %v349, i64 %v375
%v377 = load <8 x float>, ptr %v376, align 4
%v378 = mul i64 %v370, 40
%v379 = add i64 %v378, %v350
%v380 = getelementptr float, ptr %a2, i64 %v379
%v381 = trunc i64 %v351 to i32
%v382 = insertelement <8 x i32> poison, i32 %v381, i32 0
%v383 = shufflevector <8 x i32> %v382, <8 x i32> poison, <8 x i32> zeroinitializer
%v384 = icmp sgt <8 x i32> %v383, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v373, ptr %v380, i32 4, <8 x i1> %v384)
%v385 = mul i64 %v370, 40
%v386 = add i64 %v385, %v350
%v387 = add i64 %v386, 8
%v388 = sub i64 %v351, 8
%v389 = getelementptr float, ptr %a2, i64 %v387
%v390 = trunc i64 %v388 to i32
%v391 = insertelement <8 x i32> poison, i32 %v390, i32 0
%v392 = shufflevector <8 x i32> %v391, <8 x i32> poison, <8 x i32> zeroinitializer
%v393 = icmp sgt <8 x i32> %v392, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v377, ptr %v389, i32 4, <8 x i1> %v393)
%v394 = add i64 %v370, 1
%v395 = icmp slt i64 %v394, 2
br i1 %v395, label %loop25, label %end26
end26:
br label %end22
end22:
%v396 = add i64 %v347, 1
%v397 = icmp slt i64 %v396, %v7
br i1 %v397, label %loop17, label %end18
end18:
%v398 = load i64, ptr %s0
%v399 = add i64 %v398, %v5
store i64 %v399, ptr %s0
br label %head1
end2:
ret void
}

