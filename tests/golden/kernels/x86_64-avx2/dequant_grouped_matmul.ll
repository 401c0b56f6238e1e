; kernels for x86_64-avx2
; mir @dequant_grouped_matmul {
;   %0 = input("x1") : f32[3, 32]
;   %1 = param("w1", scheme=int8/32) : f32[2, 32, 8]
;   %2 = input("x2") : i32[3]
;   %3 = grouped_matmul(%0, %1, %2) : f32[3, 8]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @dequant_grouped_matmul_2fe08ab8(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 3
%a0 = load ptr, ptr %a0.p, align 8
%s2 = alloca i64
%s3 = alloca i64
%a1.p = getelementptr i64, ptr %args, i64 2
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 0
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 1
%a3 = load ptr, ptr %a3.p, align 8
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
%a4.p = getelementptr i64, ptr %args, i64 4
%a4 = load ptr, ptr %a4.p, align 8
%v0 = getelementptr i8, ptr %scratch, i64 768
%v1 = getelementptr i8, ptr %scratch, i64 105216
%v2 = getelementptr i8, ptr %scratch, i64 121600
%v3 = icmp slt i64 %begin, %end
br i1 %v3, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v4 = phi i64 [ %begin, %guard3 ], [ %v387, %end5 ]
store i64 0, ptr %s2
br label %head4
head4:
store i64 0, ptr %s3
br label %head6
head6:
%v5 = load i64, ptr %s2
%v6 = icmp sge i64 %v5, 3
%v7 = load i64, ptr %s3
%v8 = icmp sge i64 %v7, 96
%v9 = or i1 %v6, %v8
br i1 %v9, label %end7, label %next8
next8:
%v10 = getelementptr i32, ptr %a1, i64 %v5
%v11 = load i32, ptr %v10, align 4
%v12 = sext i32 %v11 to i64
%v13 = icmp slt i64 %v12, 0
%v14 = add i64 %v12, 2
%v15 = select i1 %v13, i64 %v14, i64 %v12
%v16 = call i64 @llvm.smin.i64(i64 %v15, i64 1)
%v17 = call i64 @llvm.smax.i64(i64 %v16, i64 0)
%v18 = icmp uge i64 %v15, 2
%v19 = icmp eq i64 %v17, %v4
%v20 = load i64, ptr %s3
%v21 = call i64 @llvm.smin.i64(i64 %v20, i64 95)
%v22 = getelementptr i64, ptr %scratch, i64 %v21
store i64 %v5, ptr %v22, align 8
%v23 = load i64, ptr %s3
%v24 = zext i1 %v19 to i64
%v25 = add i64 %v23, %v24
store i64 %v25, ptr %s3
%v26 = add i64 %v5, 1
store i64 %v26, ptr %s2
br label %head6
end7:
%v27 = load i64, ptr %s3
%v28 = icmp eq i64 %v27, 0
br i1 %v28, label %end5, label %next9
next9:
%v29 = mul i64 %v27, 16
%v30 = icmp slt i64 0, %v29
br i1 %v30, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v31 = phi i64 [ 0, %guard12 ], [ %v33, %loop10 ]
%v32 = getelementptr float, ptr %v2, i64 %v31
store <8 x float> splat (float 0x0000000000000000), ptr %v32, align 4
%v33 = add i64 %v31, 8
%v34 = icmp slt i64 %v33, %v29
br i1 %v34, label %loop10, label %end11
end11:
%v35 = icmp slt i64 0, %v27
br i1 %v35, label %guard15, label %end14
guard15:
br label %loop13
loop13:
%v36 = phi i64 [ 0, %guard15 ], [ %v51, %end17 ]
%v37 = getelementptr i64, ptr %scratch, i64 %v36
%v38 = load i64, ptr %v37, align 8
%v39 = urem i64 %v38, 3
%v40 = udiv i64 %v38, 3
%v41 = mul i64 %v39, 32
%v42 = getelementptr float, ptr %a2, i64 %v41
%v43 = mul i64 %v36, 256
br label %loop16
loop16:
%v44 = phi i64 [ 0, %loop13 ], [ %v49, %loop16 ]
%v45 = getelementptr float, ptr %v42, i64 %v44
%v46 = load <8 x float>, ptr %v45, align 4
%v47 = add i64 %v43, %v44
%v48 = getelementptr float, ptr %v0, i64 %v47
store <8 x float> %v46, ptr %v48, align 4
%v49 = add i64 %v44, 8
%v50 = icmp slt i64 %v49, 32
br i1 %v50, label %loop16, label %end17
end17:
%v51 = add i64 %v36, 1
%v52 = icmp slt i64 %v51, %v27
br i1 %v52, label %loop13, label %end14
end14:
br i1 true, label %then18, label %else19
then18:
br label %loop21
loop21:
%v53 = phi i64 [ 0, %then18 ], [ %v55, %loop21 ]
%v54 = getelementptr float, ptr %v1, i64 %v53
store <8 x float> splat (float 0x0000000000000000), ptr %v54, align 4
%v55 = add i64 %v53, 8
%v56 = icmp slt i64 %v55, 512
br i1 %v56, label %loop21, label %end22
end22:
br label %end20
else19:
br label %end20
end20:
br label %loop23
loop23:
%v57 = phi i64 [ 0, %end20 ], [ %v79, %end26 ]
br label %loop25
loop25:
%v58 = phi i64 [ 0, %loop23 ], [ %v77, %loop25 ]
%v59 = mul i64 %v4, 32
%v60 = add i64 %v59, %v57
%v61 = mul i64 %v60, 8
%v62 = add i64 %v61, %v58
%v63 = getelementptr i8, ptr %a3, i64 %v62
%v64 = load i8, ptr %v63, align 1
%v65 = sext i8 %v64 to i32
%v66 = udiv i64 %v57, 32
%v67 = add i64 %v4, %v66
%v68 = mul i64 %v67, 8
%v69 = add i64 %v68, %v58
%v70 = sitofp i32 %v65 to float
%v71 = getelementptr float, ptr %a0, i64 %v69
%v72 = load float, ptr %v71, align 4
%v73 = fmul float %v70, %v72
%v74 = mul i64 %v57, 16
%v75 = add i64 %v74, %v58
%v76 = getelementptr float, ptr %v1, i64 %v75
store float %v73, ptr %v76, align 4
%v77 = add i64 %v58, 1
%v78 = icmp slt i64 %v77, 8
br i1 %v78, label %loop25, label %end26
end26:
%v79 = add i64 %v57, 1
%v80 = icmp slt i64 %v79, 32
br i1 %v80, label %loop23, label %end24
end24:
%v81 = icmp eq i64 %v27, 1
br i1 %v81, label %then27, label %else28
then27:
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <8 x float> splat (float 0x0000000000000000), ptr %s11
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
store <8 x float> splat (float 0x0000000000000000), ptr %s14
store <8 x float> splat (float 0x0000000000000000), ptr %s15
store <8 x float> splat (float 0x0000000000000000), ptr %s16
store <8 x float> splat (float 0x0000000000000000), ptr %s17
br label %loop30
loop30:
%v82 = phi i64 [ 0, %then27 ], [ %v145, %loop30 ]
%v83 = mul i64 %v82, 16
%v84 = getelementptr float, ptr %v1, i64 %v83
%v85 = load <8 x float>, ptr %v84, align 4
%v86 = add i64 %v83, 8
%v87 = getelementptr float, ptr %v1, i64 %v86
%v88 = load <8 x float>, ptr %v87, align 4
%v89 = getelementptr float, ptr %v0, i64 %v82
%v90 = load float, ptr %v89, align 4
%v91 = insertelement <8 x float> poison, float %v90, i32 0
%v92 = shufflevector <8 x float> %v91, <8 x float> poison, <8 x i32> zeroinitializer
%v93 = load <8 x float>, ptr %s10
%v94 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v92, <8 x float> %v85, <8 x float> %v93)
store <8 x float> %v94, ptr %s10
%v95 = load <8 x float>, ptr %s14
%v96 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v92, <8 x float> %v88, <8 x float> %v95)
store <8 x float> %v96, ptr %s14
%v97 = mul i64 %v82, 16
%v98 = add i64 %v97, 16
%v99 = getelementptr float, ptr %v1, i64 %v98
%v100 = load <8 x float>, ptr %v99, align 4
%v101 = add i64 %v98, 8
%v102 = getelementptr float, ptr %v1, i64 %v101
%v103 = load <8 x float>, ptr %v102, align 4
%v104 = add i64 %v82, 1
%v105 = getelementptr float, ptr %v0, i64 %v104
%v106 = load float, ptr %v105, align 4
%v107 = insertelement <8 x float> poison, float %v106, i32 0
%v108 = shufflevector <8 x float> %v107, <8 x float> poison, <8 x i32> zeroinitializer
%v109 = load <8 x float>, ptr %s11
%v110 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v108, <8 x float> %v100, <8 x float> %v109)
store <8 x float> %v110, ptr %s11
%v111 = load <8 x float>, ptr %s15
%v112 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v108, <8 x float> %v103, <8 x float> %v111)
store <8 x float> %v112, ptr %s15
%v113 = mul i64 %v82, 16
%v114 = add i64 %v113, 32
%v115 = getelementptr float, ptr %v1, i64 %v114
%v116 = load <8 x float>, ptr %v115, align 4
%v117 = add i64 %v114, 8
%v118 = getelementptr float, ptr %v1, i64 %v117
%v119 = load <8 x float>, ptr %v118, align 4
%v120 = add i64 %v82, 2
%v121 = getelementptr float, ptr %v0, i64 %v120
%v122 = load float, ptr %v121, align 4
%v123 = insertelement <8 x float> poison, float %v122, i32 0
%v124 = shufflevector <8 x float> %v123, <8 x float> poison, <8 x i32> zeroinitializer
%v125 = load <8 x float>, ptr %s12
%v126 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v124, <8 x float> %v116, <8 x float> %v125)
store <8 x float> %v126, ptr %s12
%v127 = load <8 x float>, ptr %s16
%v128 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v124, <8 x float> %v119, <8 x float> %v127)
store <8 x float> %v128, ptr %s16
%v129 = mul i64 %v82, 16
%v130 = add i64 %v129, 48
%v131 = getelementptr float, ptr %v1, i64 %v130
%v132 = load <8 x float>, ptr %v131, align 4
%v133 = add i64 %v130, 8
%v134 = getelementptr float, ptr %v1, i64 %v133
%v135 = load <8 x float>, ptr %v134, align 4
%v136 = add i64 %v82, 3
%v137 = getelementptr float, ptr %v0, i64 %v136
%v138 = load float, ptr %v137, align 4
%v139 = insertelement <8 x float> poison, float %v138, i32 0
%v140 = shufflevector <8 x float> %v139, <8 x float> poison, <8 x i32> zeroinitializer
%v141 = load <8 x float>, ptr %s13
%v142 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v140, <8 x float> %v132, <8 x float> %v141)
store <8 x float> %v142, ptr %s13
%v143 = load <8 x float>, ptr %s17
%v144 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v140, <8 x float> %v135, <8 x float> %v143)
store <8 x float> %v144, ptr %s17
%v145 = add i64 %v82, 4
%v146 = icmp slt i64 %v145, 32
br i1 %v146, label %loop30, label %end31
end31:
%v147 = load <8 x float>, ptr %s10
%v148 = load <8 x float>, ptr %s11
%v149 = load <8 x float>, ptr %s12
%v150 = load <8 x float>, ptr %s13
%v151 = fadd <8 x float> %v147, %v148
%v152 = fadd <8 x float> %v149, %v150
%v153 = fadd <8 x float> %v151, %v152
%v154 = load <8 x float>, ptr %s14
%v155 = load <8 x float>, ptr %s15
%v156 = load <8 x float>, ptr %s16
%v157 = load <8 x float>, ptr %s17
%v158 = fadd <8 x float> %v154, %v155
%v159 = fadd <8 x float> %v156, %v157
%v160 = fadd <8 x float> %v158, %v159
%v161 = load <8 x float>, ptr %v2, align 4
%v162 = fadd <8 x float> %v161, %v153
store <8 x float> %v162, ptr %v2, align 4
%v163 = getelementptr float, ptr %v2, i64 8
%v164 = load <8 x float>, ptr %v163, align 4
%v165 = fadd <8 x float> %v164, %v160
%v166 = getelementptr float, ptr %v2, i64 8
store <8 x float> %v165, ptr %v166, align 4
br label %end29
else28:
%v167 = icmp slt i64 0, %v27
br i1 %v167, label %guard34, label %end33
guard34:
br label %loop32
loop32:
%v168 = phi i64 [ 0, %guard34 ], [ %v369, %end36 ]
%v169 = mul i64 %v168, 256
%v170 = getelementptr float, ptr %v0, i64 %v169
%v171 = mul i64 %v168, 16
%v172 = getelementptr float, ptr %v2, i64 %v171
%v173 = sub i64 %v27, 1
%v174 = sub i64 %v173, %v168
store <8 x float> splat (float 0x0000000000000000), ptr %s18
store <8 x float> splat (float 0x0000000000000000), ptr %s19
store <8 x float> splat (float 0x0000000000000000), ptr %s20
store <8 x float> splat (float 0x0000000000000000), ptr %s21
store <8 x float> splat (float 0x0000000000000000), ptr %s22
store <8 x float> splat (float 0x0000000000000000), ptr %s23
store <8 x float> splat (float 0x0000000000000000), ptr %s24
store <8 x float> splat (float 0x0000000000000000), ptr %s25
store <8 x float> splat (float 0x0000000000000000), ptr %s26
store <8 x float> splat (float 0x0000000000000000), ptr %s27
store <8 x float> splat (float 0x0000000000000000), ptr %s28
store <8 x float> splat (float 0x0000000000000000), ptr %s29
%v175 = call i64 @llvm.smin.i64(i64 0, i64 %v174)
%v176 = mul i64 256, %v175
%v177 = getelementptr float, ptr %v170, i64 %v176
%v178 = call i64 @llvm.smin.i64(i64 1, i64 %v174)
%v179 = mul i64 256, %v178
%v180 = getelementptr float, ptr %v170, i64 %v179
%v181 = call i64 @llvm.smin.i64(i64 2, i64 %v174)
%v182 = mul i64 256, %v181
%v183 = getelementptr float, ptr %v170, i64 %v182
%v184 = call i64 @llvm.smin.i64(i64 3, i64 %v174)
%v185 = mul i64 256, %v184
%v186 = getelementptr float, ptr %v170, i64 %v185
%v187 = call i64 @llvm.smin.i64(i64 4, i64 %v174)
%v188 = mul i64 256, %v187
%v189 = getelementptr float, ptr %v170, i64 %v188
%v190 = call i64 @llvm.smin.i64(i64 5, i64 %v174)
%v191 = mul i64 256, %v190
%v192 = getelementptr float, ptr %v170, i64 %v191
br label %loop35
loop35:
%v193 = phi i64 [ 0, %loop32 ], [ %v309, %loop35 ]
%v194 = mul i64 %v193, 16
%v195 = getelementptr float, ptr %v1, i64 %v194
%v196 = load <8 x float>, ptr %v195, align 4
%v197 = add i64 %v194, 8
%v198 = getelementptr float, ptr %v1, i64 %v197
%v199 = load <8 x float>, ptr %v198, align 4
%v200 = getelementptr float, ptr %v177, i64 %v193
%v201 = load float, ptr %v200, align 4
%v202 = insertelement <8 x float> poison, float %v201, i32 0
%v203 = shufflevector <8 x float> %v202, <8 x float> poison, <8 x i32> zeroinitializer
%v204 = load <8 x float>, ptr %s18
%v205 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v203, <8 x float> %v196, <8 x float> %v204)
store <8 x float> %v205, ptr %s18
%v206 = load <8 x float>, ptr %s19
%v207 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v203, <8 x float> %v199, <8 x float> %v206)
store <8 x float> %v207, ptr %s19
%v208 = getelementptr float, ptr %v180, i64 %v193
%v209 = load float, ptr %v208, align 4
%v210 = insertelement <8 x float> poison, float %v209, i32 0
%v211 = shufflevector <8 x float> %v210, <8 x float> poison, <8 x i32> zeroinitializer
%v212 = load <8 x float>, ptr %s20
%v213 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v211, <8 x float> %v196, <8 x float> %v212)
store <8 x float> %v213, ptr %s20
%v214 = load <8 x float>, ptr %s21
%v215 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v211, <8 x float> %v199, <8 x float> %v214)
store <8 x float> %v215, ptr %s21
%v216 = getelementptr float, ptr %v183, i64 %v193
%v217 = load float, ptr %v216, align 4
%v218 = insertelement <8 x float> poison, float %v217, i32 0
%v219 = shufflevector <8 x float> %v218, <8 x float> poison, <8 x i32> zeroinitializer
%v220 = load <8 x float>, ptr %s22
%v221 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v219, <8 x float> %v196, <8 x float> %v220)
store <8 x float> %v221, ptr %s22
%v222 = load <8 x float>, ptr %s23
%v223 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v219, <8 x float> %v199, <8 x float> %v222)
store <8 x float> %v223, ptr %s23
%v224 = getelementptr float, ptr %v186, i64 %v193
%v225 = load float, ptr %v224, align 4
%v226 = insertelement <8 x float> poison, float %v225, i32 0
%v227 = shufflevector <8 x float> %v226, <8 x float> poison, <8 x i32> zeroinitializer
%v228 = load <8 x float>, ptr %s24
%v229 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v227, <8 x float> %v196, <8 x float> %v228)
store <8 x float> %v229, ptr %s24
%v230 = load <8 x float>, ptr %s25
%v231 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v227, <8 x float> %v199, <8 x float> %v230)
store <8 x float> %v231, ptr %s25
%v232 = getelementptr float, ptr %v189, i64 %v193
%v233 = load float, ptr %v232, align 4
%v234 = insertelement <8 x float> poison, float %v233, i32 0
%v235 = shufflevector <8 x float> %v234, <8 x float> poison, <8 x i32> zeroinitializer
%v236 = load <8 x float>, ptr %s26
%v237 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v235, <8 x float> %v196, <8 x float> %v236)
store <8 x float> %v237, ptr %s26
%v238 = load <8 x float>, ptr %s27
%v239 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v235, <8 x float> %v199, <8 x float> %v238)
store <8 x float> %v239, ptr %s27
%v240 = getelementptr float, ptr %v192, i64 %v193
%v241 = load float, ptr %v240, align 4
%v242 = insertelement <8 x float> poison, float %v241, i32 0
%v243 = shufflevector <8 x float> %v242, <8 x float> poison, <8 x i32> zeroinitializer
%v244 = load <8 x float>, ptr %s28
%v245 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v243, <8 x float> %v196, <8 x float> %v244)
store <8 x float> %v245, ptr %s28
%v246 = load <8 x float>, ptr %s29
%v247 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v243, <8 x float> %v199, <8 x float> %v246)
store <8 x float> %v247, ptr %s29
%v248 = mul i64 %v193, 16
%v249 = add i64 %v248, 16
%v250 = getelementptr float, ptr %v1, i64 %v249
%v251 = load <8 x float>, ptr %v250, align 4
%v252 = add i64 %v249, 8
%v253 = getelementptr float, ptr %v1, i64 %v252
%v254 = load <8 x float>, ptr %v253, align 4
%v255 = add i64 %v193, 1
%v256 = getelementptr float, ptr %v177, i64 %v255
%v257 = load float, ptr %v256, align 4
%v258 = insertelement <8 x float> poison, float %v257, i32 0
%v259 = shufflevector <8 x float> %v258, <8 x float> poison, <8 x i32> zeroinitializer
%v260 = load <8 x float>, ptr %s18
%v261 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v259, <8 x float> %v251, <8 x float> %v260)
store <8 x float> %v261, ptr %s18
%v262 = load <8 x float>, ptr %s19
%v263 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v259, <8 x float> %v254, <8 x float> %v262)
store <8 x float> %v263, ptr %s19
%v264 = add i64 %v193, 1
%v265 = getelementptr float, ptr %v180, i64 %v264
%v266 = load float, ptr %v265, align 4
%v267 = insertelement <8 x float> poison, float %v266, i32 0
%v268 = shufflevector <8 x float> %v267, <8 x float> poison, <8 x i32> zeroinitializer
%v269 = load <8 x float>, ptr %s20
%v270 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v268, <8 x float> %v251, <8 x float> %v269)
store <8 x float> %v270, ptr %s20
%v271 = load <8 x float>, ptr %s21
%v272 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v268, <8 x float> %v254, <8 x float> %v271)
store <8 x float> %v272, ptr %s21
%v273 = add i64 %v193, 1
%v274 = getelementptr float, ptr %v183, i64 %v273
%v275 = load float, ptr %v274, align 4
%v276 = insertelement <8 x float> poison, float %v275, i32 0
%v277 = shufflevector <8 x float> %v276, <8 x float> poison, <8 x i32> zeroinitializer
%v278 = load <8 x float>, ptr %s22
%v279 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v277, <8 x float> %v251, <8 x float> %v278)
store <8 x float> %v279, ptr %s22
%v280 = load <8 x float>, ptr %s23
%v281 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v277, <8 x float> %v254, <8 x float> %v280)
store <8 x float> %v281, ptr %s23
%v282 = add i64 %v193, 1
%v283 = getelementptr float, ptr %v186, i64 %v282
%v284 = load float, ptr %v283, align 4
%v285 = insertelement <8 x float> poison, float %v284, i32 0
%v286 = shufflevector <8 x float> %v285, <8 x float> poison, <8 x i32> zeroinitializer
%v287 = load <8 x float>, ptr %s24
%v288 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v286, <8 x float> %v251, <8 x float> %v287)
store <8 x float> %v288, ptr %s24
%v289 = load <8 x float>, ptr %s25
%v290 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v286, <8 x float> %v254, <8 x float> %v289)
store <8 x float> %v290, ptr %s25
%v291 = add i64 %v193, 1
%v292 = getelementptr float, ptr %v189, i64 %v291
%v293 = load float, ptr %v292, align 4
%v294 = insertelement <8 x float> poison, float %v293, i32 0
%v295 = shufflevector <8 x float> %v294, <8 x float> poison, <8 x i32> zeroinitializer
%v296 = load <8 x float>, ptr %s26
%v297 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v295, <8 x float> %v251, <8 x float> %v296)
store <8 x float> %v297, ptr %s26
%v298 = load <8 x float>, ptr %s27
%v299 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v295, <8 x float> %v254, <8 x float> %v298)
store <8 x float> %v299, ptr %s27
%v300 = add i64 %v193, 1
%v301 = getelementptr float, ptr %v192, i64 %v300
%v302 = load float, ptr %v301, align 4
%v303 = insertelement <8 x float> poison, float %v302, i32 0
%v304 = shufflevector <8 x float> %v303, <8 x float> poison, <8 x i32> zeroinitializer
%v305 = load <8 x float>, ptr %s28
%v306 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v304, <8 x float> %v251, <8 x float> %v305)
store <8 x float> %v306, ptr %s28
%v307 = load <8 x float>, ptr %s29
%v308 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v304, <8 x float> %v254, <8 x float> %v307)
store <8 x float> %v308, ptr %s29
%v309 = add i64 %v193, 2
%v310 = icmp slt i64 %v309, 32
br i1 %v310, label %loop35, label %end36
end36:
%v311 = load <8 x float>, ptr %s18
%v312 = load <8 x float>, ptr %s19
%v313 = load <8 x float>, ptr %s20
%v314 = load <8 x float>, ptr %s21
%v315 = load <8 x float>, ptr %s22
%v316 = load <8 x float>, ptr %s23
%v317 = load <8 x float>, ptr %s24
%v318 = load <8 x float>, ptr %s25
%v319 = load <8 x float>, ptr %s26
%v320 = load <8 x float>, ptr %s27
%v321 = load <8 x float>, ptr %s28
%v322 = load <8 x float>, ptr %s29
%v323 = load <8 x float>, ptr %v172, align 4
%v324 = fadd <8 x float> %v323, %v311
store <8 x float> %v324, ptr %v172, align 4
%v325 = getelementptr float, ptr %v172, i64 8
%v326 = load <8 x float>, ptr %v325, align 4
%v327 = fadd <8 x float> %v326, %v312
%v328 = getelementptr float, ptr %v172, i64 8
store <8 x float> %v327, ptr %v328, align 4
%v329 = getelementptr float, ptr %v172, i64 16
%v330 = load <8 x float>, ptr %v329, align 4
%v331 = fadd <8 x float> %v330, %v313
%v332 = getelementptr float, ptr %v172, i64 16
store <8 x float> %v331, ptr %v332, align 4
%v333 = getelementptr float, ptr %v172, i64 24
%v334 = load <8 x float>, ptr %v333, align 4
%v335 = fadd <8 x float> %v334, %v314
%v336 = getelementptr float, ptr %v172, i64 24
store <8 x float> %v335, ptr %v336, align 4
%v337 = getelementptr float, ptr %v172, i64 32
%v338 = load <8 x float>, ptr %v337, align 4
%v339 = fadd <8 x float> %v338, %v315
%v340 = getelementptr float, ptr %v172, i64 32
store <8 x float> %v339, ptr %v340, align 4
%v341 = getelementptr float, ptr %v172, i64 40
%v342 = load <8 x float>, ptr %v341, align 4
%v343 = fadd <8 x float> %v342, %v316
%v344 = getelementptr float, ptr %v172, i64 40
store <8 x float> %v343, ptr %v344, align 4
%v345 = getelementptr float, ptr %v172, i64 48
%v346 = load <8 x float>, ptr %v345, align 4
%v347 = fadd <8 x float> %v346, %v317
%v348 = getelementptr float, ptr %v172, i64 48
store <8 x float> %v347, ptr %v348, align 4
%v349 = getelementptr float, ptr %v172, i64 56
%v350 = load <8 x float>, ptr %v349, align 4
%v351 = fadd <8 x float> %v350, %v318
%v352 = getelementptr float, ptr %v172, i64 56
store <8 x float> %v351, ptr %v352, align 4
%v353 = getelementptr float, ptr %v172, i64 64
%v354 = load <8 x float>, ptr %v353, align 4
%v355 = fadd <8 x float> %v354, %v319
%v356 = getelementptr float, ptr %v172, i64 64
store <8 x float> %v355, ptr %v356, align 4
%v357 = getelementptr float, ptr %v172, i64 72
%v358 = load <8 x float>, ptr %v357, align 4
%v359 = fadd <8 x float> %v358, %v320
%v360 = getelementptr float, ptr %v172, i64 72
store <8 x float> %v359, ptr %v360, align 4
%v361 = getelementptr float, ptr %v172, i64 80
%v362 = load <8 x float>, ptr %v361, align 4
%v363 = fadd <8 x float> %v362, %v321
%v364 = getelementptr float, ptr %v172, i64 80
store <8 x float> %v363, ptr %v364, align 4
%v365 = getelementptr float, ptr %v172, i64 88
%v366 = load <8 x float>, ptr %v365, align 4
%v367 = fadd <8 x float> %v366, %v322
%v368 = getelementptr float, ptr %v172, i64 88
store <8 x float> %v367, ptr %v368, align 4
%v369 = add i64 %v168, 6
%v370 = icmp slt i64 %v369, %v27
br i1 %v370, label %loop32, label %end33
end33:
br label %end29
end29:
%v371 = icmp slt i64 0, %v27
br i1 %v371, label %guard39, label %end38
guard39:
br label %loop37
loop37:
%v372 = phi i64 [ 0, %guard39 ], [ %v385, %end41 ]
%v373 = getelementptr i64, ptr %scratch, i64 %v372
%v374 = load i64, ptr %v373, align 8
%v375 = mul i64 %v374, 8
br label %loop40
loop40:
%v376 = phi i64 [ 0, %loop37 ], [ %v383, %loop40 ]
%v377 = mul i64 %v372, 16
%v378 = add i64 %v377, %v376
%v379 = getelementptr float, ptr %v2, i64 %v378
%v380 = load float, ptr %v379, align 4
%v381 = add i64 %v375, %v376
%v382 = getelementptr float, ptr %a4, i64 %v381
store float %v380, ptr %v382, align 4
%v383 = add i64 %v376, 1
%v384 = icmp slt i64 %v383, 8
br i1 %v384, label %loop40, label %end41
end41:
%v385 = add i64 %v372, 1
%v386 = icmp slt i64 %v385, %v27
br i1 %v386, label %loop37, label %end38
end38:
br label %head4
end5:
%v387 = add i64 %v4, 1
%v388 = icmp slt i64 %v387, %end
br i1 %v388, label %loop1, label %end2
end2:
ret void
}

