; kernels for x86_64-avx2
; mir @dequant_matmul {
;   %0 = input("x1") : f32[3, 32]
;   %1 = param("w1", scheme=int4/32) : f32[32, 8]
;   %2 = matmul(%0, %1) : f32[3, 8]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @dequant_matmul_afe73197(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 2
%a0 = load ptr, ptr %a0.p, align 8
%s2 = alloca i64
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 3
%a3 = load ptr, ptr %a3.p, align 8
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
%v4 = phi i64 [ %begin, %guard3 ], [ %v371, %end5 ]
store i64 0, ptr %s2
br label %head4
head4:
%v5 = load i64, ptr %s2
%v6 = sub i64 3, %v5
%v7 = call i64 @llvm.smin.i64(i64 %v6, i64 96)
%v8 = icmp slt i64 0, %v7
br i1 %v8, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v9 = phi i64 [ 0, %guard8 ], [ %v12, %loop6 ]
%v10 = add i64 %v5, %v9
%v11 = getelementptr i64, ptr %scratch, i64 %v9
store i64 %v10, ptr %v11, align 8
%v12 = add i64 %v9, 1
%v13 = icmp slt i64 %v12, %v7
br i1 %v13, label %loop6, label %end7
end7:
%v14 = add i64 %v5, %v7
store i64 %v14, ptr %s2
%v15 = icmp eq i64 %v7, 0
br i1 %v15, label %end5, label %next9
next9:
%v16 = load i64, ptr %scratch, align 8
%v17 = mul i64 %v16, 32
%v18 = getelementptr float, ptr %a1, i64 %v17
%v19 = mul i64 %v7, 16
%v20 = icmp slt i64 0, %v19
br i1 %v20, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v21 = phi i64 [ 0, %guard12 ], [ %v23, %loop10 ]
%v22 = getelementptr float, ptr %v2, i64 %v21
store <8 x float> splat (float 0x0000000000000000), ptr %v22, align 4
%v23 = add i64 %v21, 8
%v24 = icmp slt i64 %v23, %v19
br i1 %v24, label %loop10, label %end11
end11:
%v25 = load i64, ptr %scratch, align 8
%v26 = mul i64 %v25, 32
%v27 = getelementptr float, ptr %a1, i64 %v26
br i1 true, label %then13, label %else14
then13:
br label %loop16
loop16:
%v28 = phi i64 [ 0, %then13 ], [ %v30, %loop16 ]
%v29 = getelementptr float, ptr %v1, i64 %v28
store <8 x float> splat (float 0x0000000000000000), ptr %v29, align 4
%v30 = add i64 %v28, 8
%v31 = icmp slt i64 %v30, 512
br i1 %v31, label %loop16, label %end17
end17:
br label %end15
else14:
br label %end15
end15:
br label %loop18
loop18:
%v32 = phi i64 [ 0, %end15 ], [ %v63, %end21 ]
br label %loop20
loop20:
%v33 = phi i64 [ 0, %loop18 ], [ %v61, %loop20 ]
%v34 = mul i64 %v32, 8
%v35 = add i64 %v34, %v33
%v36 = mul i64 %v4, 128
%v37 = udiv i64 %v35, 2
%v38 = add i64 %v36, %v37
%v39 = getelementptr i8, ptr %a2, i64 %v38
%v40 = load i8, ptr %v39, align 1
%v41 = zext i8 %v40 to i64
%v42 = and i64 %v35, 1
%v43 = mul i64 %v42, 4
%v44 = ashr i64 %v41, %v43
%v45 = and i64 %v44, 15
%v46 = trunc i64 %v45 to i32
%v47 = udiv i64 %v32, 32
%v48 = add i64 %v4, %v47
%v49 = mul i64 %v48, 8
%v50 = add i64 %v49, %v33
%v51 = sitofp i32 %v46 to float
%v52 = getelementptr float, ptr %a3, i64 %v50
%v53 = load float, ptr %v52, align 4
%v54 = fsub float %v51, %v53
%v55 = getelementptr float, ptr %a0, i64 %v50
%v56 = load float, ptr %v55, align 4
%v57 = fmul float %v54, %v56
%v58 = mul i64 %v32, 16
%v59 = add i64 %v58, %v33
%v60 = getelementptr float, ptr %v1, i64 %v59
store float %v57, ptr %v60, align 4
%v61 = add i64 %v33, 1
%v62 = icmp slt i64 %v61, 8
br i1 %v62, label %loop20, label %end21
end21:
%v63 = add i64 %v32, 1
%v64 = icmp slt i64 %v63, 32
br i1 %v64, label %loop18, label %end19
end19:
%v65 = icmp eq i64 %v7, 1
br i1 %v65, label %then22, label %else23
then22:
store <8 x float> splat (float 0x0000000000000000), ptr %s9
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <8 x float> splat (float 0x0000000000000000), ptr %s11
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
store <8 x float> splat (float 0x0000000000000000), ptr %s14
store <8 x float> splat (float 0x0000000000000000), ptr %s15
store <8 x float> splat (float 0x0000000000000000), ptr %s16
br label %loop25
loop25:
%v66 = phi i64 [ 0, %then22 ], [ %v129, %loop25 ]
%v67 = mul i64 %v66, 16
%v68 = getelementptr float, ptr %v1, i64 %v67
%v69 = load <8 x float>, ptr %v68, align 4
%v70 = add i64 %v67, 8
%v71 = getelementptr float, ptr %v1, i64 %v70
%v72 = load <8 x float>, ptr %v71, align 4
%v73 = getelementptr float, ptr %v27, i64 %v66
%v74 = load float, ptr %v73, align 4
%v75 = insertelement <8 x float> poison, float %v74, i32 0
%v76 = shufflevector <8 x float> %v75, <8 x float> poison, <8 x i32> zeroinitializer
%v77 = load <8 x float>, ptr %s9
%v78 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v76, <8 x float> %v69, <8 x float> %v77)
store <8 x float> %v78, ptr %s9
%v79 = load <8 x float>, ptr %s13
%v80 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v76, <8 x float> %v72, <8 x float> %v79)
store <8 x float> %v80, ptr %s13
%v81 = mul i64 %v66, 16
%v82 = add i64 %v81, 16
%v83 = getelementptr float, ptr %v1, i64 %v82
%v84 = load <8 x float>, ptr %v83, align 4
%v85 = add i64 %v82, 8
%v86 = getelementptr float, ptr %v1, i64 %v85
%v87 = load <8 x float>, ptr %v86, align 4
%v88 = add i64 %v66, 1
%v89 = getelementptr float, ptr %v27, i64 %v88
%v90 = load float, ptr %v89, align 4
%v91 = insertelement <8 x float> poison, float %v90, i32 0
%v92 = shufflevector <8 x float> %v91, <8 x float> poison, <8 x i32> zeroinitializer
%v93 = load <8 x float>, ptr %s10
%v94 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v92, <8 x float> %v84, <8 x float> %v93)
store <8 x float> %v94, ptr %s10
%v95 = load <8 x float>, ptr %s14
%v96 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v92, <8 x float> %v87, <8 x float> %v95)
store <8 x float> %v96, ptr %s14
%v97 = mul i64 %v66, 16
%v98 = add i64 %v97, 32
%v99 = getelementptr float, ptr %v1, i64 %v98
%v100 = load <8 x float>, ptr %v99, align 4
%v101 = add i64 %v98, 8
%v102 = getelementptr float, ptr %v1, i64 %v101
%v103 = load <8 x float>, ptr %v102, align 4
%v104 = add i64 %v66, 2
%v105 = getelementptr float, ptr %v27, i64 %v104
%v106 = load float, ptr %v105, align 4
%v107 = insertelement <8 x float> poison, float %v106, i32 0
%v108 = shufflevector <8 x float> %v107, <8 x float> poison, <8 x i32> zeroinitializer
%v109 = load <8 x float>, ptr %s11
%v110 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v108, <8 x float> %v100, <8 x float> %v109)
store <8 x float> %v110, ptr %s11
%v111 = load <8 x float>, ptr %s15
%v112 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v108, <8 x float> %v103, <8 x float> %v111)
store <8 x float> %v112, ptr %s15
%v113 = mul i64 %v66, 16
%v114 = add i64 %v113, 48
%v115 = getelementptr float, ptr %v1, i64 %v114
%v116 = load <8 x float>, ptr %v115, align 4
%v117 = add i64 %v114, 8
%v118 = getelementptr float, ptr %v1, i64 %v117
%v119 = load <8 x float>, ptr %v118, align 4
%v120 = add i64 %v66, 3
%v121 = getelementptr float, ptr %v27, i64 %v120
%v122 = load float, ptr %v121, align 4
%v123 = insertelement <8 x float> poison, float %v122, i32 0
%v124 = shufflevector <8 x float> %v123, <8 x float> poison, <8 x i32> zeroinitializer
%v125 = load <8 x float>, ptr %s12
%v126 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v124, <8 x float> %v116, <8 x float> %v125)
store <8 x float> %v126, ptr %s12
%v127 = load <8 x float>, ptr %s16
%v128 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v124, <8 x float> %v119, <8 x float> %v127)
store <8 x float> %v128, ptr %s16
%v129 = add i64 %v66, 4
%v130 = icmp slt i64 %v129, 32
br i1 %v130, label %loop25, label %end26
end26:
%v131 = load <8 x float>, ptr %s9
%v132 = load <8 x float>, ptr %s10
%v133 = load <8 x float>, ptr %s11
%v134 = load <8 x float>, ptr %s12
%v135 = fadd <8 x float> %v131, %v132
%v136 = fadd <8 x float> %v133, %v134
%v137 = fadd <8 x float> %v135, %v136
%v138 = load <8 x float>, ptr %s13
%v139 = load <8 x float>, ptr %s14
%v140 = load <8 x float>, ptr %s15
%v141 = load <8 x float>, ptr %s16
%v142 = fadd <8 x float> %v138, %v139
%v143 = fadd <8 x float> %v140, %v141
%v144 = fadd <8 x float> %v142, %v143
%v145 = load <8 x float>, ptr %v2, align 4
%v146 = fadd <8 x float> %v145, %v137
store <8 x float> %v146, ptr %v2, align 4
%v147 = getelementptr float, ptr %v2, i64 8
%v148 = load <8 x float>, ptr %v147, align 4
%v149 = fadd <8 x float> %v148, %v144
%v150 = getelementptr float, ptr %v2, i64 8
store <8 x float> %v149, ptr %v150, align 4
br label %end24
else23:
%v151 = icmp slt i64 0, %v7
br i1 %v151, label %guard29, label %end28
guard29:
br label %loop27
loop27:
%v152 = phi i64 [ 0, %guard29 ], [ %v353, %end31 ]
%v153 = mul i64 %v152, 32
%v154 = getelementptr float, ptr %v27, i64 %v153
%v155 = mul i64 %v152, 16
%v156 = getelementptr float, ptr %v2, i64 %v155
%v157 = sub i64 %v7, 1
%v158 = sub i64 %v157, %v152
store <8 x float> splat (float 0x0000000000000000), ptr %s17
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
%v159 = call i64 @llvm.smin.i64(i64 0, i64 %v158)
%v160 = mul i64 32, %v159
%v161 = getelementptr float, ptr %v154, i64 %v160
%v162 = call i64 @llvm.smin.i64(i64 1, i64 %v158)
%v163 = mul i64 32, %v162
%v164 = getelementptr float, ptr %v154, i64 %v163
%v165 = call i64 @llvm.smin.i64(i64 2, i64 %v158)
%v166 = mul i64 32, %v165
%v167 = getelementptr float, ptr %v154, i64 %v166
%v168 = call i64 @llvm.smin.i64(i64 3, i64 %v158)
%v169 = mul i64 32, %v168
%v170 = getelementptr float, ptr %v154, i64 %v169
%v171 = call i64 @llvm.smin.i64(i64 4, i64 %v158)
%v172 = mul i64 32, %v171
%v173 = getelementptr float, ptr %v154, i64 %v172
%v174 = call i64 @llvm.smin.i64(i64 5, i64 %v158)
%v175 = mul i64 32, %v174
%v176 = getelementptr float, ptr %v154, i64 %v175
br label %loop30
loop30:
%v177 = phi i64 [ 0, %loop27 ], [ %v293, %loop30 ]
%v178 = mul i64 %v177, 16
%v179 = getelementptr float, ptr %v1, i64 %v178
%v180 = load <8 x float>, ptr %v179, align 4
%v181 = add i64 %v178, 8
%v182 = getelementptr float, ptr %v1, i64 %v181
%v183 = load <8 x float>, ptr %v182, align 4
%v184 = getelementptr float, ptr %v161, i64 %v177
%v185 = load float, ptr %v184, align 4
%v186 = insertelement <8 x float> poison, float %v185, i32 0
%v187 = shufflevector <8 x float> %v186, <8 x float> poison, <8 x i32> zeroinitializer
%v188 = load <8 x float>, ptr %s17
%v189 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v187, <8 x float> %v180, <8 x float> %v188)
store <8 x float> %v189, ptr %s17
%v190 = load <8 x float>, ptr %s18
%v191 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v187, <8 x float> %v183, <8 x float> %v190)
store <8 x float> %v191, ptr %s18
%v192 = getelementptr float, ptr %v164, i64 %v177
%v193 = load float, ptr %v192, align 4
%v194 = insertelement <8 x float> poison, float %v193, i32 0
%v195 = shufflevector <8 x float> %v194, <8 x float> poison, <8 x i32> zeroinitializer
%v196 = load <8 x float>, ptr %s19
%v197 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v195, <8 x float> %v180, <8 x float> %v196)
store <8 x float> %v197, ptr %s19
%v198 = load <8 x float>, ptr %s20
%v199 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v195, <8 x float> %v183, <8 x float> %v198)
store <8 x float> %v199, ptr %s20
%v200 = getelementptr float, ptr %v167, i64 %v177
%v201 = load float, ptr %v200, align 4
%v202 = insertelement <8 x float> poison, float %v201, i32 0
%v203 = shufflevector <8 x float> %v202, <8 x float> poison, <8 x i32> zeroinitializer
%v204 = load <8 x float>, ptr %s21
%v205 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v203, <8 x float> %v180, <8 x float> %v204)
store <8 x float> %v205, ptr %s21
%v206 = load <8 x float>, ptr %s22
%v207 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v203, <8 x float> %v183, <8 x float> %v206)
store <8 x float> %v207, ptr %s22
%v208 = getelementptr float, ptr %v170, i64 %v177
%v209 = load float, ptr %v208, align 4
%v210 = insertelement <8 x float> poison, float %v209, i32 0
%v211 = shufflevector <8 x float> %v210, <8 x float> poison, <8 x i32> zeroinitializer
%v212 = load <8 x float>, ptr %s23
%v213 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v211, <8 x float> %v180, <8 x float> %v212)
store <8 x float> %v213, ptr %s23
%v214 = load <8 x float>, ptr %s24
%v215 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v211, <8 x float> %v183, <8 x float> %v214)
store <8 x float> %v215, ptr %s24
%v216 = getelementptr float, ptr %v173, i64 %v177
%v217 = load float, ptr %v216, align 4
%v218 = insertelement <8 x float> poison, float %v217, i32 0
%v219 = shufflevector <8 x float> %v218, <8 x float> poison, <8 x i32> zeroinitializer
%v220 = load <8 x float>, ptr %s25
%v221 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v219, <8 x float> %v180, <8 x float> %v220)
store <8 x float> %v221, ptr %s25
%v222 = load <8 x float>, ptr %s26
%v223 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v219, <8 x float> %v183, <8 x float> %v222)
store <8 x float> %v223, ptr %s26
%v224 = getelementptr float, ptr %v176, i64 %v177
%v225 = load float, ptr %v224, align 4
%v226 = insertelement <8 x float> poison, float %v225, i32 0
%v227 = shufflevector <8 x float> %v226, <8 x float> poison, <8 x i32> zeroinitializer
%v228 = load <8 x float>, ptr %s27
%v229 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v227, <8 x float> %v180, <8 x float> %v228)
store <8 x float> %v229, ptr %s27
%v230 = load <8 x float>, ptr %s28
%v231 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v227, <8 x float> %v183, <8 x float> %v230)
store <8 x float> %v231, ptr %s28
%v232 = mul i64 %v177, 16
%v233 = add i64 %v232, 16
%v234 = getelementptr float, ptr %v1, i64 %v233
%v235 = load <8 x float>, ptr %v234, align 4
%v236 = add i64 %v233, 8
%v237 = getelementptr float, ptr %v1, i64 %v236
%v238 = load <8 x float>, ptr %v237, align 4
%v239 = add i64 %v177, 1
%v240 = getelementptr float, ptr %v161, i64 %v239
%v241 = load float, ptr %v240, align 4
%v242 = insertelement <8 x float> poison, float %v241, i32 0
%v243 = shufflevector <8 x float> %v242, <8 x float> poison, <8 x i32> zeroinitializer
%v244 = load <8 x float>, ptr %s17
%v245 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v243, <8 x float> %v235, <8 x float> %v244)
store <8 x float> %v245, ptr %s17
%v246 = load <8 x float>, ptr %s18
%v247 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v243, <8 x float> %v238, <8 x float> %v246)
store <8 x float> %v247, ptr %s18
%v248 = add i64 %v177, 1
%v249 = getelementptr float, ptr %v164, i64 %v248
%v250 = load float, ptr %v249, align 4
%v251 = insertelement <8 x float> poison, float %v250, i32 0
%v252 = shufflevector <8 x float> %v251, <8 x float> poison, <8 x i32> zeroinitializer
%v253 = load <8 x float>, ptr %s19
%v254 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v252, <8 x float> %v235, <8 x float> %v253)
store <8 x float> %v254, ptr %s19
%v255 = load <8 x float>, ptr %s20
%v256 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v252, <8 x float> %v238, <8 x float> %v255)
store <8 x float> %v256, ptr %s20
%v257 = add i64 %v177, 1
%v258 = getelementptr float, ptr %v167, i64 %v257
%v259 = load float, ptr %v258, align 4
%v260 = insertelement <8 x float> poison, float %v259, i32 0
%v261 = shufflevector <8 x float> %v260, <8 x float> poison, <8 x i32> zeroinitializer
%v262 = load <8 x float>, ptr %s21
%v263 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v261, <8 x float> %v235, <8 x float> %v262)
store <8 x float> %v263, ptr %s21
%v264 = load <8 x float>, ptr %s22
%v265 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v261, <8 x float> %v238, <8 x float> %v264)
store <8 x float> %v265, ptr %s22
%v266 = add i64 %v177, 1
%v267 = getelementptr float, ptr %v170, i64 %v266
%v268 = load float, ptr %v267, align 4
%v269 = insertelement <8 x float> poison, float %v268, i32 0
%v270 = shufflevector <8 x float> %v269, <8 x float> poison, <8 x i32> zeroinitializer
%v271 = load <8 x float>, ptr %s23
%v272 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v270, <8 x float> %v235, <8 x float> %v271)
store <8 x float> %v272, ptr %s23
%v273 = load <8 x float>, ptr %s24
%v274 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v270, <8 x float> %v238, <8 x float> %v273)
store <8 x float> %v274, ptr %s24
%v275 = add i64 %v177, 1
%v276 = getelementptr float, ptr %v173, i64 %v275
%v277 = load float, ptr %v276, align 4
%v278 = insertelement <8 x float> poison, float %v277, i32 0
%v279 = shufflevector <8 x float> %v278, <8 x float> poison, <8 x i32> zeroinitializer
%v280 = load <8 x float>, ptr %s25
%v281 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v279, <8 x float> %v235, <8 x float> %v280)
store <8 x float> %v281, ptr %s25
%v282 = load <8 x float>, ptr %s26
%v283 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v279, <8 x float> %v238, <8 x float> %v282)
store <8 x float> %v283, ptr %s26
%v284 = add i64 %v177, 1
%v285 = getelementptr float, ptr %v176, i64 %v284
%v286 = load float, ptr %v285, align 4
%v287 = insertelement <8 x float> poison, float %v286, i32 0
%v288 = shufflevector <8 x float> %v287, <8 x float> poison, <8 x i32> zeroinitializer
%v289 = load <8 x float>, ptr %s27
%v290 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v288, <8 x float> %v235, <8 x float> %v289)
store <8 x float> %v290, ptr %s27
%v291 = load <8 x float>, ptr %s28
%v292 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v288, <8 x float> %v238, <8 x float> %v291)
store <8 x float> %v292, ptr %s28
%v293 = add i64 %v177, 2
%v294 = icmp slt i64 %v293, 32
br i1 %v294, label %loop30, label %end31
end31:
%v295 = load <8 x float>, ptr %s17
%v296 = load <8 x float>, ptr %s18
%v297 = load <8 x float>, ptr %s19
%v298 = load <8 x float>, ptr %s20
%v299 = load <8 x float>, ptr %s21
%v300 = load <8 x float>, ptr %s22
%v301 = load <8 x float>, ptr %s23
%v302 = load <8 x float>, ptr %s24
%v303 = load <8 x float>, ptr %s25
%v304 = load <8 x float>, ptr %s26
%v305 = load <8 x float>, ptr %s27
%v306 = load <8 x float>, ptr %s28
%v307 = load <8 x float>, ptr %v156, align 4
%v308 = fadd <8 x float> %v307, %v295
store <8 x float> %v308, ptr %v156, align 4
%v309 = getelementptr float, ptr %v156, i64 8
%v310 = load <8 x float>, ptr %v309, align 4
%v311 = fadd <8 x float> %v310, %v296
%v312 = getelementptr float, ptr %v156, i64 8
store <8 x float> %v311, ptr %v312, align 4
%v313 = getelementptr float, ptr %v156, i64 16
%v314 = load <8 x float>, ptr %v313, align 4
%v315 = fadd <8 x float> %v314, %v297
%v316 = getelementptr float, ptr %v156, i64 16
store <8 x float> %v315, ptr %v316, align 4
%v317 = getelementptr float, ptr %v156, i64 24
%v318 = load <8 x float>, ptr %v317, align 4
%v319 = fadd <8 x float> %v318, %v298
%v320 = getelementptr float, ptr %v156, i64 24
store <8 x float> %v319, ptr %v320, align 4
%v321 = getelementptr float, ptr %v156, i64 32
%v322 = load <8 x float>, ptr %v321, align 4
%v323 = fadd <8 x float> %v322, %v299
%v324 = getelementptr float, ptr %v156, i64 32
store <8 x float> %v323, ptr %v324, align 4
%v325 = getelementptr float, ptr %v156, i64 40
%v326 = load <8 x float>, ptr %v325, align 4
%v327 = fadd <8 x float> %v326, %v300
%v328 = getelementptr float, ptr %v156, i64 40
store <8 x float> %v327, ptr %v328, align 4
%v329 = getelementptr float, ptr %v156, i64 48
%v330 = load <8 x float>, ptr %v329, align 4
%v331 = fadd <8 x float> %v330, %v301
%v332 = getelementptr float, ptr %v156, i64 48
store <8 x float> %v331, ptr %v332, align 4
%v333 = getelementptr float, ptr %v156, i64 56
%v334 = load <8 x float>, ptr %v333, align 4
%v335 = fadd <8 x float> %v334, %v302
%v336 = getelementptr float, ptr %v156, i64 56
store <8 x float> %v335, ptr %v336, align 4
%v337 = getelementptr float, ptr %v156, i64 64
%v338 = load <8 x float>, ptr %v337, align 4
%v339 = fadd <8 x float> %v338, %v303
%v340 = getelementptr float, ptr %v156, i64 64
store <8 x float> %v339, ptr %v340, align 4
%v341 = getelementptr float, ptr %v156, i64 72
%v342 = load <8 x float>, ptr %v341, align 4
%v343 = fadd <8 x float> %v342, %v304
%v344 = getelementptr float, ptr %v156, i64 72
store <8 x float> %v343, ptr %v344, align 4
%v345 = getelementptr float, ptr %v156, i64 80
%v346 = load <8 x float>, ptr %v345, align 4
%v347 = fadd <8 x float> %v346, %v305
%v348 = getelementptr float, ptr %v156, i64 80
store <8 x float> %v347, ptr %v348, align 4
%v349 = getelementptr float, ptr %v156, i64 88
%v350 = load <8 x float>, ptr %v349, align 4
%v351 = fadd <8 x float> %v350, %v306
%v352 = getelementptr float, ptr %v156, i64 88
store <8 x float> %v351, ptr %v352, align 4
%v353 = add i64 %v152, 6
%v354 = icmp slt i64 %v353, %v7
br i1 %v354, label %loop27, label %end28
end28:
br label %end24
end24:
%v355 = icmp slt i64 0, %v7
br i1 %v355, label %guard34, label %end33
guard34:
br label %loop32
loop32:
%v356 = phi i64 [ 0, %guard34 ], [ %v369, %end36 ]
%v357 = getelementptr i64, ptr %scratch, i64 %v356
%v358 = load i64, ptr %v357, align 8
%v359 = mul i64 %v358, 8
br label %loop35
loop35:
%v360 = phi i64 [ 0, %loop32 ], [ %v367, %loop35 ]
%v361 = mul i64 %v356, 16
%v362 = add i64 %v361, %v360
%v363 = getelementptr float, ptr %v2, i64 %v362
%v364 = load float, ptr %v363, align 4
%v365 = add i64 %v359, %v360
%v366 = getelementptr float, ptr %a4, i64 %v365
store float %v364, ptr %v366, align 4
%v367 = add i64 %v360, 1
%v368 = icmp slt i64 %v367, 8
br i1 %v368, label %loop35, label %end36
end36:
%v369 = add i64 %v356, 1
%v370 = icmp slt i64 %v369, %v7
br i1 %v370, label %loop32, label %end33
end33:
br label %head4
end5:
%v371 = add i64 %v4, 1
%v372 = icmp slt i64 %v371, %end
br i1 %v372, label %loop1, label %end2
end2:
ret void
}

