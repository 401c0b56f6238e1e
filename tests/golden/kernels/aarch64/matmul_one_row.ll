; kernels for aarch64
; mir @matmul_one_row {
;   %0 = input("x1") : f32[1, 16]
;   %1 = param("w1") : f32[16, 40]
;   %2 = matmul(%0, %1) : f32[1, 40]
;   return y1=%2
; }

declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

define void @matmul_69f2e972(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%s6 = alloca i64
%s7 = alloca <4 x float>
%s8 = alloca <4 x float>
%s9 = alloca <4 x float>
%s10 = alloca <4 x float>
%s11 = alloca <4 x float>
%s12 = alloca <4 x float>
%s13 = alloca <4 x float>
%s14 = alloca <4 x float>
%s15 = alloca <4 x float>
%s16 = alloca <4 x float>
%s17 = alloca <4 x float>
%s18 = alloca <4 x float>
%s19 = alloca <4 x float>
%s20 = alloca <4 x float>
%s21 = alloca <4 x float>
%s22 = alloca <4 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v257, %end9 ]
store i64 0, ptr %s6
store <4 x float> splat (float 0x0000000000000000), ptr %s7
store <4 x float> splat (float 0x0000000000000000), ptr %s8
store <4 x float> splat (float 0x0000000000000000), ptr %s9
store <4 x float> splat (float 0x0000000000000000), ptr %s10
store <4 x float> splat (float 0x0000000000000000), ptr %s11
store <4 x float> splat (float 0x0000000000000000), ptr %s12
store <4 x float> splat (float 0x0000000000000000), ptr %s13
store <4 x float> splat (float 0x0000000000000000), ptr %s14
br label %loop4
loop4:
%v2 = phi i64 [ 0, %loop1 ], [ %v99, %loop4 ]
%v3 = mul i64 %v2, 8
%v4 = getelementptr float, ptr %a1, i64 %v3
%v5 = load <4 x float>, ptr %v4, align 4
%v6 = add i64 %v3, 4
%v7 = getelementptr float, ptr %a1, i64 %v6
%v8 = load <4 x float>, ptr %v7, align 4
%v9 = getelementptr float, ptr %a1, i64 128
%v10 = getelementptr float, ptr %v9, i64 %v3
%v11 = load <4 x float>, ptr %v10, align 4
%v12 = getelementptr float, ptr %a1, i64 128
%v13 = add i64 %v3, 4
%v14 = getelementptr float, ptr %v12, i64 %v13
%v15 = load <4 x float>, ptr %v14, align 4
%v16 = getelementptr float, ptr %a1, i64 256
%v17 = getelementptr float, ptr %v16, i64 %v3
%v18 = load <4 x float>, ptr %v17, align 4
%v19 = getelementptr float, ptr %a1, i64 256
%v20 = add i64 %v3, 4
%v21 = getelementptr float, ptr %v19, i64 %v20
%v22 = load <4 x float>, ptr %v21, align 4
%v23 = getelementptr float, ptr %a1, i64 384
%v24 = getelementptr float, ptr %v23, i64 %v3
%v25 = load <4 x float>, ptr %v24, align 4
%v26 = getelementptr float, ptr %a1, i64 384
%v27 = add i64 %v3, 4
%v28 = getelementptr float, ptr %v26, i64 %v27
%v29 = load <4 x float>, ptr %v28, align 4
%v30 = getelementptr float, ptr %a0, i64 %v2
%v31 = load float, ptr %v30, align 4
%v32 = insertelement <4 x float> poison, float %v31, i32 0
%v33 = shufflevector <4 x float> %v32, <4 x float> poison, <4 x i32> zeroinitializer
%v34 = load <4 x float>, ptr %s7
%v35 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v33, <4 x float> %v5, <4 x float> %v34)
store <4 x float> %v35, ptr %s7
%v36 = load <4 x float>, ptr %s8
%v37 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v33, <4 x float> %v8, <4 x float> %v36)
store <4 x float> %v37, ptr %s8
%v38 = load <4 x float>, ptr %s9
%v39 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v33, <4 x float> %v11, <4 x float> %v38)
store <4 x float> %v39, ptr %s9
%v40 = load <4 x float>, ptr %s10
%v41 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v33, <4 x float> %v15, <4 x float> %v40)
store <4 x float> %v41, ptr %s10
%v42 = load <4 x float>, ptr %s11
%v43 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v33, <4 x float> %v18, <4 x float> %v42)
store <4 x float> %v43, ptr %s11
%v44 = load <4 x float>, ptr %s12
%v45 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v33, <4 x float> %v22, <4 x float> %v44)
store <4 x float> %v45, ptr %s12
%v46 = load <4 x float>, ptr %s13
%v47 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v33, <4 x float> %v25, <4 x float> %v46)
store <4 x float> %v47, ptr %s13
%v48 = load <4 x float>, ptr %s14
%v49 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v33, <4 x float> %v29, <4 x float> %v48)
store <4 x float> %v49, ptr %s14
%v50 = mul i64 %v2, 8
%v51 = add i64 %v50, 8
%v52 = getelementptr float, ptr %a1, i64 %v51
%v53 = load <4 x float>, ptr %v52, align 4
%v54 = add i64 %v51, 4
%v55 = getelementptr float, ptr %a1, i64 %v54
%v56 = load <4 x float>, ptr %v55, align 4
%v57 = getelementptr float, ptr %a1, i64 128
%v58 = getelementptr float, ptr %v57, i64 %v51
%v59 = load <4 x float>, ptr %v58, align 4
%v60 = getelementptr float, ptr %a1, i64 128
%v61 = add i64 %v51, 4
%v62 = getelementptr float, ptr %v60, i64 %v61
%v63 = load <4 x float>, ptr %v62, align 4
%v64 = getelementptr float, ptr %a1, i64 256
%v65 = getelementptr float, ptr %v64, i64 %v51
%v66 = load <4 x float>, ptr %v65, align 4
%v67 = getelementptr float, ptr %a1, i64 256
%v68 = add i64 %v51, 4
%v69 = getelementptr float, ptr %v67, i64 %v68
%v70 = load <4 x float>, ptr %v69, align 4
%v71 = getelementptr float, ptr %a1, i64 384
%v72 = getelementptr float, ptr %v71, i64 %v51
%v73 = load <4 x float>, ptr %v72, align 4
%v74 = getelementptr float, ptr %a1, i64 384
%v75 = add i64 %v51, 4
%v76 = getelementptr float, ptr %v74, i64 %v75
%v77 = load <4 x float>, ptr %v76, align 4
%v78 = add i64 %v2, 1
%v79 = getelementptr float, ptr %a0, i64 %v78
%v80 = load float, ptr %v79, align 4
%v81 = insertelement <4 x float> poison, float %v80, i32 0
%v82 = shufflevector <4 x float> %v81, <4 x float> poison, <4 x i32> zeroinitializer
%v83 = load <4 x float>, ptr %s7
%v84 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v82, <4 x float> %v53, <4 x float> %v83)
store <4 x float> %v84, ptr %s7
%v85 = load <4 x float>, ptr %s8
%v86 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v82, <4 x float> %v56, <4 x float> %v85)
store <4 x float> %v86, ptr %s8
%v87 = load <4 x float>, ptr %s9
%v88 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v82, <4 x float> %v59, <4 x float> %v87)
store <4 x float> %v88, ptr %s9
%v89 = load <4 x float>, ptr %s10
%v90 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v82, <4 x float> %v63, <4 x float> %v89)
store <4 x float> %v90, ptr %s10
%v91 = load <4 x float>, ptr %s11
%v92 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v82, <4 x float> %v66, <4 x float> %v91)
store <4 x float> %v92, ptr %s11
%v93 = load <4 x float>, ptr %s12
%v94 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v82, <4 x float> %v70, <4 x float> %v93)
store <4 x float> %v94, ptr %s12
%v95 = load <4 x float>, ptr %s13
%v96 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v82, <4 x float> %v73, <4 x float> %v95)
store <4 x float> %v96, ptr %s13
%v97 = load <4 x float>, ptr %s14
%v98 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v82, <4 x float> %v77, <4 x float> %v97)
store <4 x float> %v98, ptr %s14
%v99 = add i64 %v2, 2
%v100 = icmp slt i64 %v99, 16
br i1 %v100, label %loop4, label %end5
end5:
%v101 = load <4 x float>, ptr %s7
%v102 = load <4 x float>, ptr %s8
%v103 = load <4 x float>, ptr %s9
%v104 = load <4 x float>, ptr %s10
%v105 = load <4 x float>, ptr %s11
%v106 = load <4 x float>, ptr %s12
%v107 = load <4 x float>, ptr %s13
%v108 = load <4 x float>, ptr %s14
%v109 = getelementptr float, ptr %scratch, i64 576
%v110 = getelementptr float, ptr %scratch, i64 576
%v111 = getelementptr float, ptr %scratch, i64 1152
%v112 = getelementptr float, ptr %scratch, i64 1152
%v113 = getelementptr float, ptr %scratch, i64 1728
%v114 = getelementptr float, ptr %scratch, i64 1728
store <4 x float> %v101, ptr %scratch, align 4
%v115 = getelementptr float, ptr %scratch, i64 4
store <4 x float> %v102, ptr %v115, align 4
store <4 x float> %v103, ptr %v109, align 4
%v116 = getelementptr float, ptr %v110, i64 4
store <4 x float> %v104, ptr %v116, align 4
store <4 x float> %v105, ptr %v111, align 4
%v117 = getelementptr float, ptr %v112, i64 4
store <4 x float> %v106, ptr %v117, align 4
store <4 x float> %v107, ptr %v113, align 4
%v118 = getelementptr float, ptr %v114, i64 4
store <4 x float> %v108, ptr %v118, align 4
br label %loop6
loop6:
%v119 = phi i64 [ 0, %end5 ], [ %v130, %loop6 ]
%v120 = mul i64 %v119, 576
%v121 = getelementptr float, ptr %scratch, i64 %v120
%v122 = mul i64 %v119, 8
%v123 = sub i64 40, %v122
%v124 = load <4 x float>, ptr %v121, align 4
%v125 = getelementptr float, ptr %v121, i64 4
%v126 = load <4 x float>, ptr %v125, align 4
%v127 = getelementptr float, ptr %a2, i64 %v122
store <4 x float> %v124, ptr %v127, align 4
%v128 = add i64 %v122, 4
%v129 = getelementptr float, ptr %a2, i64 %v128
store <4 x float> %v126, ptr %v129, align 4
%v130 = add i64 %v119, 1
%v131 = icmp slt i64 %v130, 4
br i1 %v131, label %loop6, label %end7
end7:
store i64 4, ptr %s6
%v132 = load i64, ptr %s6
%v133 = icmp slt i64 %v132, 5
br i1 %v133, label %guard10, label %end9
guard10:
br label %loop8
loop8:
%v134 = phi i64 [ %v132, %guard10 ], [ %v255, %end15 ]
%v135 = mul i64 %v134, 16
%v136 = mul i64 %v135, 8
%v137 = getelementptr float, ptr %a1, i64 %v136
%v138 = mul i64 %v134, -16
%v139 = add i64 %v138, 16
%v140 = mul i64 %v139, 8
%v141 = add i64 %v134, 1
%v142 = icmp slt i64 %v141, 5
%v143 = select i1 %v142, i64 128, i64 %v140
%v144 = getelementptr float, ptr %v137, i64 %v143
%v145 = mul i64 %v134, 576
%v146 = getelementptr float, ptr %scratch, i64 %v145
%v147 = mul i64 %v134, 8
%v148 = sub i64 40, %v147
%v149 = icmp sge i64 %v148, 8
%v150 = getelementptr float, ptr %a2, i64 %v147
%v151 = select i1 %v149, ptr %v150, ptr %v146
%v152 = select i1 %v149, i64 40, i64 8
store <4 x float> splat (float 0x0000000000000000), ptr %s15
store <4 x float> splat (float 0x0000000000000000), ptr %s16
store <4 x float> splat (float 0x0000000000000000), ptr %s17
store <4 x float> splat (float 0x0000000000000000), ptr %s18
store <4 x float> splat (float 0x0000000000000000), ptr %s19
store <4 x float> splat (float 0x0000000000000000), ptr %s20
store <4 x float> splat (float 0x0000000000000000), ptr %s21
store <4 x float> splat (float 0x0000000000000000), ptr %s22
br label %loop11
loop11:
%v153 = phi i64 [ 0, %loop8 ], [ %v227, %loop11 ]
%v154 = mul i64 %v153, 32
%v155 = getelementptr i8, ptr %v137, i64 %v154
call void @llvm.prefetch.p0(ptr %v155, i32 0, i32 3, i32 1)
%v156 = mul i64 %v153, 8
%v157 = getelementptr float, ptr %v137, i64 %v156
%v158 = load <4 x float>, ptr %v157, align 4
%v159 = add i64 %v156, 4
%v160 = getelementptr float, ptr %v137, i64 %v159
%v161 = load <4 x float>, ptr %v160, align 4
%v162 = getelementptr float, ptr %a0, i64 %v153
%v163 = load float, ptr %v162, align 4
%v164 = insertelement <4 x float> poison, float %v163, i32 0
%v165 = shufflevector <4 x float> %v164, <4 x float> poison, <4 x i32> zeroinitializer
%v166 = load <4 x float>, ptr %s15
%v167 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v165, <4 x float> %v158, <4 x float> %v166)
store <4 x float> %v167, ptr %s15
%v168 = load <4 x float>, ptr %s19
%v169 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v165, <4 x float> %v161, <4 x float> %v168)
store <4 x float> %v169, ptr %s19
%v170 = add i64 %v153, 1
%v171 = mul i64 %v170, 32
%v172 = getelementptr i8, ptr %v137, i64 %v171
call void @llvm.prefetch.p0(ptr %v172, i32 0, i32 3, i32 1)
%v173 = mul i64 %v153, 8
%v174 = add i64 %v173, 8
%v175 = getelementptr float, ptr %v137, i64 %v174
%v176 = load <4 x float>, ptr %v175, align 4
%v177 = add i64 %v174, 4
%v178 = getelementptr float, ptr %v137, i64 %v177
%v179 = load <4 x float>, ptr %v178, align 4
%v180 = add i64 %v153, 1
%v181 = getelementptr float, ptr %a0, i64 %v180
%v182 = load float, ptr %v181, align 4
%v183 = insertelement <4 x float> poison, float %v182, i32 0
%v184 = shufflevector <4 x float> %v183, <4 x float> poison, <4 x i32> zeroinitializer
%v185 = load <4 x float>, ptr %s16
%v186 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v184, <4 x float> %v176, <4 x float> %v185)
store <4 x float> %v186, ptr %s16
%v187 = load <4 x float>, ptr %s20
%v188 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v184, <4 x float> %v179, <4 x float> %v187)
store <4 x float> %v188, ptr %s20
%v189 = add i64 %v153, 2
%v190 = mul i64 %v189, 32
%v191 = getelementptr i8, ptr %v137, i64 %v190
call void @llvm.prefetch.p0(ptr %v191, i32 0, i32 3, i32 1)
%v192 = mul i64 %v153, 8
%v193 = add i64 %v192, 16
%v194 = getelementptr float, ptr %v137, i64 %v193
%v195 = load <4 x float>, ptr %v194, align 4
%v196 = add i64 %v193, 4
%v197 = getelementptr float, ptr %v137, i64 %v196
%v198 = load <4 x float>, ptr %v197, align 4
%v199 = add i64 %v153, 2
%v200 = getelementptr float, ptr %a0, i64 %v199
%v201 = load float, ptr %v200, align 4
%v202 = insertelement <4 x float> poison, float %v201, i32 0
%v203 = shufflevector <4 x float> %v202, <4 x float> poison, <4 x i32> zeroinitializer
%v204 = load <4 x float>, ptr %s17
%v205 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v203, <4 x float> %v195, <4 x float> %v204)
store <4 x float> %v205, ptr %s17
%v206 = load <4 x float>, ptr %s21
%v207 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v203, <4 x float> %v198, <4 x float> %v206)
store <4 x float> %v207, ptr %s21
%v208 = add i64 %v153, 3
%v209 = mul i64 %v208, 32
%v210 = getelementptr i8, ptr %v137, i64 %v209
call void @llvm.prefetch.p0(ptr %v210, i32 0, i32 3, i32 1)
%v211 = mul i64 %v153, 8
%v212 = add i64 %v211, 24
%v213 = getelementptr float, ptr %v137, i64 %v212
%v214 = load <4 x float>, ptr %v213, align 4
%v215 = add i64 %v212, 4
%v216 = getelementptr float, ptr %v137, i64 %v215
%v217 = load <4 x float>, ptr %v216, align 4
%v218 = add i64 %v153, 3
%v219 = getelementptr float, ptr %a0, i64 %v218
%v220 = load float, ptr %v219, align 4
%v221 = insertelement <4 x float> poison, float %v220, i32 0
%v222 = shufflevector <4 x float> %v221, <4 x float> poison, <4 x i32> zeroinitializer
%v223 = load <4 x float>, ptr %s18
%v224 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v222, <4 x float> %v214, <4 x float> %v223)
store <4 x float> %v224, ptr %s18
%v225 = load <4 x float>, ptr %s22
%v226 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v222, <4 x float> %v217, <4 x float> %v225)
store <4 x float> %v226, ptr %s22
%v227 = add i64 %v153, 4
%v228 = icmp slt i64 %v227, 16
br i1 %v228, label %loop11, label %end12
end12:
%v229 = load <4 x float>, ptr %s15
%v230 = load <4 x float>, ptr %s16
%v231 = load <4 x float>, ptr %s17
%v232 = load <4 x float>, ptr %s18
%v233 = fadd <4 x float> %v229, %v230
%v234 = fadd <4 x float> %v231, %v232
%v235 = fadd <4 x float> %v233, %v234
%v236 = load <4 x float>, ptr %s19
%v237 = load <4 x float>, ptr %s20
%v238 = load <4 x float>, ptr %s21
%v239 = load <4 x float>, ptr %s22
%v240 = fadd <4 x float> %v236, %v237
%v241 = fadd <4 x float> %v238, %v239
%v242 = fadd <4 x float> %v240, %v241
store <4 x float> %v235, ptr %v151, align 4
%v243 = getelementptr float, ptr %v151, i64 4
store <4 x float> %v242, ptr %v243, align 4
%v244 = xor i1 %v149, true
br i1 %v244, label %then13, label %else14
then13:
%v245 = mul i64 %v134, 576
%v246 = getelementptr float, ptr %scratch, i64 %v245
%v247 = mul i64 %v134, 8
%v248 = sub i64 40, %v247
%v249 = load <4 x float>, ptr %v246, align 4
%v250 = getelementptr float, ptr %v246, i64 4
%v251 = load <4 x float>, ptr %v250, align 4
%v252 = getelementptr float, ptr %a2, i64 %v247
store <4 x float> %v249, ptr %v252, align 4
%v253 = add i64 %v247, 4
%v254 = getelementptr float, ptr %a2, i64 %v253
store <4 x float> %v251, ptr %v254, align 4
br label %end15
else14:
br label %end15
end15:
%v255 = add i64 %v134, 1
%v256 = icmp slt i64 %v255, 5
br i1 %v256, label %loop8, label %end9
end9:
%v257 = add i64 %v1, 1
%v258 = icmp slt i64 %v257, %end
br i1 %v258, label %loop1, label %end2
end2:
ret void
}

