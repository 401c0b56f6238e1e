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

define void @matmul_b711628c(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%s19 = alloca <8 x float>
%s20 = alloca <8 x float>
%s21 = alloca <8 x float>
%s22 = alloca <8 x float>
%s23 = alloca <8 x float>
%s24 = alloca <8 x float>
%s25 = alloca <8 x float>
%s26 = alloca <8 x float>
%s27 = alloca <8 x float>
%s28 = alloca <8 x float>
%s29 = alloca <8 x float>
%s30 = alloca <8 x float>
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
%v23 = getelementptr float, ptr %v21, i64 320
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
%v156 = icmp slt i64 %v155, 8
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
%v172 = getelementptr float, ptr %v170, i64 320
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
%v339 = icmp slt i64 %v338, 8
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
%v346 = getelementptr float, ptr %a0, i64 8
%v347 = mul i64 %v7, 16
%v348 = call i64 @llvm.smin.i64(i64 %v347, i64 40)
%v349 = udiv i64 %v348, 32
%v350 = mul i64 %v349, 32
%v351 = getelementptr float, ptr %a1, i64 320
%v352 = icmp slt i64 0, %v350
br i1 %v352, label %guard19, label %end18
guard19:
br label %loop17
loop17:
%v353 = phi i64 [ 0, %guard19 ], [ %v498, %end21 ]
%v354 = getelementptr float, ptr %v351, i64 %v353
%v355 = getelementptr i8, ptr %scratch, i64 16384
%v356 = getelementptr float, ptr %v354, i64 320
%v357 = udiv i64 %v353, 16
%v358 = mul i64 %v357, 32
%v359 = getelementptr float, ptr %scratch, i64 %v358
%v360 = udiv i64 %v353, 16
%v361 = mul i64 %v360, 32
%v362 = add i64 %v361, 8
%v363 = getelementptr float, ptr %scratch, i64 %v362
%v364 = udiv i64 %v353, 16
%v365 = add i64 %v364, 1
%v366 = mul i64 %v365, 32
%v367 = getelementptr float, ptr %scratch, i64 %v366
%v368 = udiv i64 %v353, 16
%v369 = add i64 %v368, 1
%v370 = mul i64 %v369, 32
%v371 = add i64 %v370, 8
%v372 = getelementptr float, ptr %scratch, i64 %v371
%v373 = udiv i64 %v353, 16
%v374 = mul i64 %v373, 32
%v375 = add i64 %v374, 16
%v376 = getelementptr float, ptr %scratch, i64 %v375
%v377 = udiv i64 %v353, 16
%v378 = mul i64 %v377, 32
%v379 = add i64 %v378, 24
%v380 = getelementptr float, ptr %scratch, i64 %v379
%v381 = udiv i64 %v353, 16
%v382 = add i64 %v381, 1
%v383 = mul i64 %v382, 32
%v384 = add i64 %v383, 16
%v385 = getelementptr float, ptr %scratch, i64 %v384
%v386 = udiv i64 %v353, 16
%v387 = add i64 %v386, 1
%v388 = mul i64 %v387, 32
%v389 = add i64 %v388, 24
%v390 = getelementptr float, ptr %scratch, i64 %v389
%v391 = load <8 x float>, ptr %v359, align 4
%v392 = load <8 x float>, ptr %v363, align 4
%v393 = load <8 x float>, ptr %v367, align 4
%v394 = load <8 x float>, ptr %v372, align 4
%v395 = load <8 x float>, ptr %v376, align 4
%v396 = load <8 x float>, ptr %v380, align 4
%v397 = load <8 x float>, ptr %v385, align 4
%v398 = load <8 x float>, ptr %v390, align 4
store <8 x float> %v391, ptr %s19
store <8 x float> %v392, ptr %s20
store <8 x float> %v393, ptr %s21
store <8 x float> %v394, ptr %s22
store <8 x float> %v395, ptr %s23
store <8 x float> %v396, ptr %s24
store <8 x float> %v397, ptr %s25
store <8 x float> %v398, ptr %s26
%v399 = getelementptr float, ptr %v346, i64 12
br label %loop20
loop20:
%v400 = phi i64 [ 0, %loop17 ], [ %v488, %loop20 ]
%v401 = mul i64 %v400, 160
%v402 = getelementptr i8, ptr %v356, i64 %v401
call void @llvm.prefetch.p0(ptr %v402, i32 0, i32 2, i32 1)
%v403 = mul i64 %v400, 160
%v404 = add i64 %v403, 64
%v405 = getelementptr i8, ptr %v356, i64 %v404
call void @llvm.prefetch.p0(ptr %v405, i32 0, i32 2, i32 1)
%v406 = mul i64 %v400, 40
%v407 = getelementptr float, ptr %v354, i64 %v406
%v408 = load <8 x float>, ptr %v407, align 4
%v409 = add i64 %v406, 8
%v410 = getelementptr float, ptr %v354, i64 %v409
%v411 = load <8 x float>, ptr %v410, align 4
%v412 = add i64 %v406, 16
%v413 = getelementptr float, ptr %v354, i64 %v412
%v414 = load <8 x float>, ptr %v413, align 4
%v415 = add i64 %v406, 24
%v416 = getelementptr float, ptr %v354, i64 %v415
%v417 = load <8 x float>, ptr %v416, align 4
%v418 = getelementptr float, ptr %v346, i64 %v400
%v419 = load float, ptr %v418, align 4
%v420 = insertelement <8 x float> poison, float %v419, i32 0
%v421 = shufflevector <8 x float> %v420, <8 x float> poison, <8 x i32> zeroinitializer
%v422 = load <8 x float>, ptr %s19
%v423 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v421, <8 x float> %v408, <8 x float> %v422)
store <8 x float> %v423, ptr %s19
%v424 = load <8 x float>, ptr %s20
%v425 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v421, <8 x float> %v411, <8 x float> %v424)
store <8 x float> %v425, ptr %s20
%v426 = load <8 x float>, ptr %s21
%v427 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v421, <8 x float> %v414, <8 x float> %v426)
store <8 x float> %v427, ptr %s21
%v428 = load <8 x float>, ptr %s22
%v429 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v421, <8 x float> %v417, <8 x float> %v428)
store <8 x float> %v429, ptr %s22
%v430 = getelementptr float, ptr %v399, i64 %v400
%v431 = load float, ptr %v430, align 4
%v432 = insertelement <8 x float> poison, float %v431, i32 0
%v433 = shufflevector <8 x float> %v432, <8 x float> poison, <8 x i32> zeroinitializer
%v434 = load <8 x float>, ptr %s23
%v435 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v433, <8 x float> %v408, <8 x float> %v434)
store <8 x float> %v435, ptr %s23
%v436 = load <8 x float>, ptr %s24
%v437 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v433, <8 x float> %v411, <8 x float> %v436)
store <8 x float> %v437, ptr %s24
%v438 = load <8 x float>, ptr %s25
%v439 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v433, <8 x float> %v414, <8 x float> %v438)
store <8 x float> %v439, ptr %s25
%v440 = load <8 x float>, ptr %s26
%v441 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v433, <8 x float> %v417, <8 x float> %v440)
store <8 x float> %v441, ptr %s26
%v442 = add i64 %v400, 1
%v443 = mul i64 %v442, 160
%v444 = getelementptr i8, ptr %v356, i64 %v443
call void @llvm.prefetch.p0(ptr %v444, i32 0, i32 2, i32 1)
%v445 = add i64 %v400, 1
%v446 = mul i64 %v445, 160
%v447 = add i64 %v446, 64
%v448 = getelementptr i8, ptr %v356, i64 %v447
call void @llvm.prefetch.p0(ptr %v448, i32 0, i32 2, i32 1)
%v449 = mul i64 %v400, 40
%v450 = add i64 %v449, 40
%v451 = getelementptr float, ptr %v354, i64 %v450
%v452 = load <8 x float>, ptr %v451, align 4
%v453 = add i64 %v450, 8
%v454 = getelementptr float, ptr %v354, i64 %v453
%v455 = load <8 x float>, ptr %v454, align 4
%v456 = add i64 %v450, 16
%v457 = getelementptr float, ptr %v354, i64 %v456
%v458 = load <8 x float>, ptr %v457, align 4
%v459 = add i64 %v450, 24
%v460 = getelementptr float, ptr %v354, i64 %v459
%v461 = load <8 x float>, ptr %v460, align 4
%v462 = add i64 %v400, 1
%v463 = getelementptr float, ptr %v346, i64 %v462
%v464 = load float, ptr %v463, align 4
%v465 = insertelement <8 x float> poison, float %v464, i32 0
%v466 = shufflevector <8 x float> %v465, <8 x float> poison, <8 x i32> zeroinitializer
%v467 = load <8 x float>, ptr %s19
%v468 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v466, <8 x float> %v452, <8 x float> %v467)
store <8 x float> %v468, ptr %s19
%v469 = load <8 x float>, ptr %s20
%v470 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v466, <8 x float> %v455, <8 x float> %v469)
store <8 x float> %v470, ptr %s20
%v471 = load <8 x float>, ptr %s21
%v472 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v466, <8 x float> %v458, <8 x float> %v471)
store <8 x float> %v472, ptr %s21
%v473 = load <8 x float>, ptr %s22
%v474 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v466, <8 x float> %v461, <8 x float> %v473)
store <8 x float> %v474, ptr %s22
%v475 = add i64 %v400, 1
%v476 = getelementptr float, ptr %v399, i64 %v475
%v477 = load float, ptr %v476, align 4
%v478 = insertelement <8 x float> poison, float %v477, i32 0
%v479 = shufflevector <8 x float> %v478, <8 x float> poison, <8 x i32> zeroinitializer
%v480 = load <8 x float>, ptr %s23
%v481 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v479, <8 x float> %v452, <8 x float> %v480)
store <8 x float> %v481, ptr %s23
%v482 = load <8 x float>, ptr %s24
%v483 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v479, <8 x float> %v455, <8 x float> %v482)
store <8 x float> %v483, ptr %s24
%v484 = load <8 x float>, ptr %s25
%v485 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v479, <8 x float> %v458, <8 x float> %v484)
store <8 x float> %v485, ptr %s25
%v486 = load <8 x float>, ptr %s26
%v487 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v479, <8 x float> %v461, <8 x float> %v486)
store <8 x float> %v487, ptr %s26
%v488 = add i64 %v400, 2
%v489 = icmp slt i64 %v488, 4
br i1 %v489, label %loop20, label %end21
end21:
%v490 = load <8 x float>, ptr %s19
%v491 = load <8 x float>, ptr %s20
%v492 = load <8 x float>, ptr %s21
%v493 = load <8 x float>, ptr %s22
%v494 = load <8 x float>, ptr %s23
%v495 = load <8 x float>, ptr %s24
%v496 = load <8 x float>, ptr %s25
%v497 = load <8 x float>, ptr %s26
store <8 x float> %v490, ptr %v359, align 4
store <8 x float> %v491, ptr %v363, align 4
store <8 x float> %v492, ptr %v367, align 4
store <8 x float> %v493, ptr %v372, align 4
store <8 x float> %v494, ptr %v376, align 4
store <8 x float> %v495, ptr %v380, align 4
store <8 x float> %v496, ptr %v385, align 4
store <8 x float> %v497, ptr %v390, align 4
%v498 = add i64 %v353, 32
%v499 = icmp slt i64 %v498, %v350
br i1 %v499, label %loop17, label %end18
end18:
%v500 = icmp slt i64 %v350, %v348
br i1 %v500, label %guard24, label %end23
guard24:
br label %loop22
loop22:
%v501 = phi i64 [ %v350, %guard24 ], [ %v646, %loop22 ]
%v502 = sub i64 %v348, %v501
%v503 = getelementptr float, ptr %v351, i64 %v501
%v504 = getelementptr i8, ptr %scratch, i64 16384
%v505 = getelementptr float, ptr %v503, i64 320
%v506 = udiv i64 %v501, 16
%v507 = mul i64 %v506, 32
%v508 = getelementptr float, ptr %scratch, i64 %v507
%v509 = udiv i64 %v501, 16
%v510 = mul i64 %v509, 32
%v511 = add i64 %v510, 8
%v512 = getelementptr float, ptr %scratch, i64 %v511
%v513 = udiv i64 %v501, 16
%v514 = mul i64 %v513, 32
%v515 = add i64 %v514, 16
%v516 = getelementptr float, ptr %scratch, i64 %v515
%v517 = udiv i64 %v501, 16
%v518 = mul i64 %v517, 32
%v519 = add i64 %v518, 24
%v520 = getelementptr float, ptr %scratch, i64 %v519
%v521 = load <8 x float>, ptr %v508, align 4
%v522 = load <8 x float>, ptr %v512, align 4
%v523 = load <8 x float>, ptr %v516, align 4
%v524 = load <8 x float>, ptr %v520, align 4
store <8 x float> %v521, ptr %s27
store <8 x float> %v522, ptr %s28
store <8 x float> %v523, ptr %s29
store <8 x float> %v524, ptr %s30
%v525 = getelementptr float, ptr %v346, i64 12
call void @llvm.prefetch.p0(ptr %v505, i32 0, i32 2, i32 1)
%v526 = trunc i64 %v502 to i32
%v527 = insertelement <8 x i32> poison, i32 %v526, i32 0
%v528 = shufflevector <8 x i32> %v527, <8 x i32> poison, <8 x i32> zeroinitializer
%v529 = icmp sgt <8 x i32> %v528, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v530 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v503, i32 4, <8 x i1> %v529, <8 x float> splat (float 0x0000000000000000))
%v531 = sub i64 %v502, 8
%v532 = trunc i64 %v531 to i32
%v533 = insertelement <8 x i32> poison, i32 %v532, i32 0
%v534 = shufflevector <8 x i32> %v533, <8 x i32> poison, <8 x i32> zeroinitializer
%v535 = icmp sgt <8 x i32> %v534, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v536 = getelementptr float, ptr %v503, i64 8
%v537 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v536, i32 4, <8 x i1> %v535, <8 x float> splat (float 0x0000000000000000))
%v538 = load float, ptr %v346, align 4
%v539 = insertelement <8 x float> poison, float %v538, i32 0
%v540 = shufflevector <8 x float> %v539, <8 x float> poison, <8 x i32> zeroinitializer
%v541 = load <8 x float>, ptr %s27
%v542 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v540, <8 x float> %v530, <8 x float> %v541)
store <8 x float> %v542, ptr %s27
%v543 = load <8 x float>, ptr %s28
%v544 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v540, <8 x float> %v537, <8 x float> %v543)
store <8 x float> %v544, ptr %s28
%v545 = load float, ptr %v525, align 4
%v546 = insertelement <8 x float> poison, float %v545, i32 0
%v547 = shufflevector <8 x float> %v546, <8 x float> poison, <8 x i32> zeroinitializer
%v548 = load <8 x float>, ptr %s29
%v549 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v547, <8 x float> %v530, <8 x float> %v548)
store <8 x float> %v549, ptr %s29
%v550 = load <8 x float>, ptr %s30
%v551 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v547, <8 x float> %v537, <8 x float> %v550)
store <8 x float> %v551, ptr %s30
%v552 = getelementptr i8, ptr %v505, i64 160
call void @llvm.prefetch.p0(ptr %v552, i32 0, i32 2, i32 1)
%v553 = trunc i64 %v502 to i32
%v554 = insertelement <8 x i32> poison, i32 %v553, i32 0
%v555 = shufflevector <8 x i32> %v554, <8 x i32> poison, <8 x i32> zeroinitializer
%v556 = icmp sgt <8 x i32> %v555, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v557 = getelementptr float, ptr %v503, i64 40
%v558 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v557, i32 4, <8 x i1> %v556, <8 x float> splat (float 0x0000000000000000))
%v559 = sub i64 %v502, 8
%v560 = trunc i64 %v559 to i32
%v561 = insertelement <8 x i32> poison, i32 %v560, i32 0
%v562 = shufflevector <8 x i32> %v561, <8 x i32> poison, <8 x i32> zeroinitializer
%v563 = icmp sgt <8 x i32> %v562, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v564 = getelementptr float, ptr %v503, i64 48
%v565 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v564, i32 4, <8 x i1> %v563, <8 x float> splat (float 0x0000000000000000))
%v566 = getelementptr float, ptr %v346, i64 1
%v567 = load float, ptr %v566, align 4
%v568 = insertelement <8 x float> poison, float %v567, i32 0
%v569 = shufflevector <8 x float> %v568, <8 x float> poison, <8 x i32> zeroinitializer
%v570 = load <8 x float>, ptr %s27
%v571 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v569, <8 x float> %v558, <8 x float> %v570)
store <8 x float> %v571, ptr %s27
%v572 = load <8 x float>, ptr %s28
%v573 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v569, <8 x float> %v565, <8 x float> %v572)
store <8 x float> %v573, ptr %s28
%v574 = getelementptr float, ptr %v525, i64 1
%v575 = load float, ptr %v574, align 4
%v576 = insertelement <8 x float> poison, float %v575, i32 0
%v577 = shufflevector <8 x float> %v576, <8 x float> poison, <8 x i32> zeroinitializer
%v578 = load <8 x float>, ptr %s29
%v579 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v577, <8 x float> %v558, <8 x float> %v578)
store <8 x float> %v579, ptr %s29
%v580 = load <8 x float>, ptr %s30
%v581 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v577, <8 x float> %v565, <8 x float> %v580)
store <8 x float> %v581, ptr %s30
%v582 = getelementptr i8, ptr %v505, i64 320
call void @llvm.prefetch.p0(ptr %v582, i32 0, i32 2, i32 1)
%v583 = trunc i64 %v502 to i32
%v584 = insertelement <8 x i32> poison, i32 %v583, i32 0
%v585 = shufflevector <8 x i32> %v584, <8 x i32> poison, <8 x i32> zeroinitializer
%v586 = icmp sgt <8 x i32> %v585, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v587 = getelementptr float, ptr %v503, i64 80
%v588 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v587, i32 4, <8 x i1> %v586, <8 x float> splat (float 0x0000000000000000))
%v589 = sub i64 %v502, 8
%v590 = trunc i64 %v589 to i32
%v591 = insertelement <8 x i32> poison, i32 %v590, i32 0
%v592 = shufflevector <8 x i32> %v591, <8 x i32> poison, <8 x i32> zeroinitializer
%v593 = icmp sgt <8 x i32> %v592, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v594 = getelementptr float, ptr %v503, i64 88
%v595 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v594, i32 4, <8 x i1> %v593, <8 x float> splat (float 0x0000000000000000))
%v596 = getelementptr float, ptr %v346, i64 2
%v597 = load float, ptr %v596, align 4
%v598 = insertelement <8 x float> poison, float %v597, i32 0
%v599 = shufflevector <8 x float> %v598, <8 x float> poison, <8 x i32> zeroinitializer
%v600 = load <8 x float>, ptr %s27
%v601 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v599, <8 x float> %v588, <8 x float> %v600)
store <8 x float> %v601, ptr %s27
%v602 = load <8 x float>, ptr %s28
%v603 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v599, <8 x float> %v595, <8 x float> %v602)
store <8 x float> %v603, ptr %s28
%v604 = getelementptr float, ptr %v525, i64 2
%v605 = load float, ptr %v604, align 4
%v606 = insertelement <8 x float> poison, float %v605, i32 0
%v607 = shufflevector <8 x float> %v606, <8 x float> poison, <8 x i32> zeroinitializer
%v608 = load <8 x float>, ptr %s29
%v609 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v607, <8 x float> %v588, <8 x float> %v608)
store <8 x float> %v609, ptr %s29
%v610 = load <8 x float>, ptr %s30
%v611 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v607, <8 x float> %v595, <8 x float> %v610)
store <8 x float> %v611, ptr %s30
%v612 = getelementptr i8, ptr %v505, i64 480
call void @llvm.prefetch.p0(ptr %v612, i32 0, i32 2, i32 1)
%v613 = trunc i64 %v502 to i32
%v614 = insertelement <8 x i32> poison, i32 %v613, i32 0
%v615 = shufflevector <8 x i32> %v614, <8 x i32> poison, <8 x i32> zeroinitializer
%v616 = icmp sgt <8 x i32> %v615, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v617 = getelementptr float, ptr %v503, i64 120
%v618 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v617, i32 4, <8 x i1> %v616, <8 x float> splat (float 0x0000000000000000))
%v619 = sub i64 %v502, 8
%v620 = trunc i64 %v619 to i32
%v621 = insertelement <8 x i32> poison, i32 %v620, i32 0
%v622 = shufflevector <8 x i32> %v621, <8 x i32> poison, <8 x i32> zeroinitializer
%v623 = icmp sgt <8 x i32> %v622, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v624 = getelementptr float, ptr %v503, i64 128
%v625 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v624, i32 4, <8 x i1> %v623, <8 x float> splat (float 0x0000000000000000))
%v626 = getelementptr float, ptr %v346, i64 3
%v627 = load float, ptr %v626, align 4
%v628 = insertelement <8 x float> poison, float %v627, i32 0
%v629 = shufflevector <8 x float> %v628, <8 x float> poison, <8 x i32> zeroinitializer
%v630 = load <8 x float>, ptr %s27
%v631 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v629, <8 x float> %v618, <8 x float> %v630)
store <8 x float> %v631, ptr %s27
%v632 = load <8 x float>, ptr %s28
%v633 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v629, <8 x float> %v625, <8 x float> %v632)
store <8 x float> %v633, ptr %s28
%v634 = getelementptr float, ptr %v525, i64 3
%v635 = load float, ptr %v634, align 4
%v636 = insertelement <8 x float> poison, float %v635, i32 0
%v637 = shufflevector <8 x float> %v636, <8 x float> poison, <8 x i32> zeroinitializer
%v638 = load <8 x float>, ptr %s29
%v639 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v637, <8 x float> %v618, <8 x float> %v638)
store <8 x float> %v639, ptr %s29
%v640 = load <8 x float>, ptr %s30
%v641 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v637, <8 x float> %v625, <8 x float> %v640)
store <8 x float> %v641, ptr %s30
%v642 = load <8 x float>, ptr %s27
%v643 = load <8 x float>, ptr %s28
%v644 = load <8 x float>, ptr %s29
%v645 = load <8 x float>, ptr %s30
store <8 x float> %v642, ptr %v508, align 4
store <8 x float> %v643, ptr %v512, align 4
store <8 x float> %v644, ptr %v516, align 4
store <8 x float> %v645, ptr %v520, align 4
%v646 = add i64 %v501, 16
%v647 = icmp slt i64 %v646, %v348
br i1 %v647, label %loop22, label %end23
end23:
%v648 = icmp slt i64 0, %v7
br i1 %v648, label %guard27, label %end26
guard27:
br label %loop25
loop25:
%v649 = phi i64 [ 0, %guard27 ], [ %v698, %end30 ]
%v650 = mul i64 %v649, 32
%v651 = getelementptr float, ptr %scratch, i64 %v650
%v652 = mul i64 %v649, 16
%v653 = sub i64 40, %v652
%v654 = icmp sge i64 %v653, 16
br i1 %v654, label %then28, label %else29
then28:
br label %loop31
loop31:
%v655 = phi i64 [ 0, %then28 ], [ %v670, %loop31 ]
%v656 = mul i64 %v655, 16
%v657 = getelementptr float, ptr %v651, i64 %v656
%v658 = load <8 x float>, ptr %v657, align 4
%v659 = mul i64 %v655, 16
%v660 = add i64 %v659, 8
%v661 = getelementptr float, ptr %v651, i64 %v660
%v662 = load <8 x float>, ptr %v661, align 4
%v663 = mul i64 %v655, 40
%v664 = add i64 %v663, %v652
%v665 = getelementptr float, ptr %a2, i64 %v664
store <8 x float> %v658, ptr %v665, align 4
%v666 = mul i64 %v655, 40
%v667 = add i64 %v666, %v652
%v668 = add i64 %v667, 8
%v669 = getelementptr float, ptr %a2, i64 %v668
store <8 x float> %v662, ptr %v669, align 4
%v670 = add i64 %v655, 1
%v671 = icmp slt i64 %v670, 2
br i1 %v671, label %loop31, label %end32
end32:
br label %end30
else29:
br label %loop33
loop33:
%v672 = phi i64 [ 0, %else29 ], [ %v696, %loop33 ]
%v673 = mul i64 %v672, 16
%v674 = getelementptr float, ptr %v651, i64 %v673
%v675 = load <8 x float>, ptr %v674, align 4
%v676 = mul i64 %v672, 16
%v677 = add i64 %v676, 8
%v678 = getelementptr float, ptr %v651, i64 %v677
%v679 = load <8 x float>, ptr %v678, align 4
%v680 = mul i64 %v672, 40
%v681 = add i64 %v680, %v652
%v682 = getelementptr float, ptr %a2, i64 %v681
%v683 = trunc i64 %v653 to i32
%v684 = insertelement <8 x i32> poison, i32 %v683, i32 0
%v685 = shufflevector <8 x i32> %v684, <8 x i32> poison, <8 x i32> zeroinitializer
%v686 = icmp sgt <8 x i32> %v685, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v675, ptr %v682, i32 4, <8 x i1> %v686)
%v687 = mul i64 %v672, 40
%v688 = add i64 %v687, %v652
%v689 = add i64 %v688, 8
%v690 = sub i64 %v653, 8
%v691 = getelementptr float, ptr %a2, i64 %v689
%v692 = trunc i64 %v690 to i32
%v693 = insertelement <8 x i32> poison, i32 %v692, i32 0
%v694 = shufflevector <8 x i32> %v693, <8 x i32> poison, <8 x i32> zeroinitializer
%v695 = icmp sgt <8 x i32> %v694, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v679, ptr %v691, i32 4, <8 x i1> %v695)
%v696 = add i64 %v672, 1
%v697 = icmp slt i64 %v696, 2
br i1 %v697, label %loop33, label %end34
end34:
br label %end30
end30:
%v698 = add i64 %v649, 1
%v699 = icmp slt i64 %v698, %v7
br i1 %v699, label %loop25, label %end26
end26:
%v700 = load i64, ptr %s0
%v701 = add i64 %v700, %v5
store i64 %v701, ptr %s0
br label %head1
end2:
ret void
}

