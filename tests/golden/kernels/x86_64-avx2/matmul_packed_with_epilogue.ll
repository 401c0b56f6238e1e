; kernels for x86_64-avx2
; mir @matmul_packed_with_epilogue {
;   %0 = input("x1") : f32[5, 20]
;   %1 = input("x2") : f32[5, 12]
;   %2 = param("w1") : f32[12, 20]
;   %3 = matmul(%1, %2) : f32[5, 20]
;   %4 = param("w2") : f32[20]
;   %5 = add(%3, %4) : f32[5, 20]
;   %6 = relu(%5) : f32[5, 20]
;   %7 = add(%0, %6) : f32[5, 20]
;   return y1=%7
; }

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @matmul_add_relu_add_1a72a761(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 3
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 4
%a2 = load ptr, ptr %a2.p, align 8
%s6 = alloca i64
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
%a3.p = getelementptr i64, ptr %args, i64 1
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 2
%a4 = load ptr, ptr %a4.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v260, %end5 ]
store i64 0, ptr %s6
%v2 = load i64, ptr %s6
%v3 = icmp slt i64 %v2, 2
br i1 %v3, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v4 = phi i64 [ %v2, %guard6 ], [ %v258, %end11 ]
%v5 = mul i64 %v4, 12
%v6 = mul i64 %v5, 16
%v7 = getelementptr float, ptr %a1, i64 %v6
%v8 = mul i64 %v4, -12
%v9 = add i64 %v8, 12
%v10 = mul i64 %v9, 16
%v11 = add i64 %v4, 1
%v12 = icmp slt i64 %v11, 2
%v13 = select i1 %v12, i64 192, i64 %v10
%v14 = getelementptr float, ptr %v7, i64 %v13
%v15 = mul i64 %v4, 1152
%v16 = getelementptr float, ptr %scratch, i64 %v15
%v17 = mul i64 %v4, 16
%v18 = getelementptr i8, ptr %v7, i64 1024
store <8 x float> splat (float 0x0000000000000000), ptr %s7
store <8 x float> splat (float 0x0000000000000000), ptr %s8
store <8 x float> splat (float 0x0000000000000000), ptr %s9
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <8 x float> splat (float 0x0000000000000000), ptr %s11
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
store <8 x float> splat (float 0x0000000000000000), ptr %s14
store <8 x float> splat (float 0x0000000000000000), ptr %s15
store <8 x float> splat (float 0x0000000000000000), ptr %s16
%v19 = getelementptr float, ptr %a0, i64 12
%v20 = getelementptr float, ptr %a0, i64 24
%v21 = getelementptr float, ptr %a0, i64 36
%v22 = getelementptr float, ptr %a0, i64 48
br label %loop7
loop7:
%v23 = phi i64 [ 0, %loop4 ], [ %v127, %loop7 ]
%v24 = mul i64 %v23, 64
%v25 = getelementptr i8, ptr %v18, i64 %v24
call void @llvm.prefetch.p0(ptr %v25, i32 0, i32 3, i32 1)
%v26 = mul i64 %v23, 16
%v27 = getelementptr float, ptr %v7, i64 %v26
%v28 = load <8 x float>, ptr %v27, align 4
%v29 = add i64 %v26, 8
%v30 = getelementptr float, ptr %v7, i64 %v29
%v31 = load <8 x float>, ptr %v30, align 4
%v32 = getelementptr float, ptr %a0, i64 %v23
%v33 = load float, ptr %v32, align 4
%v34 = insertelement <8 x float> poison, float %v33, i32 0
%v35 = shufflevector <8 x float> %v34, <8 x float> poison, <8 x i32> zeroinitializer
%v36 = load <8 x float>, ptr %s7
%v37 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v35, <8 x float> %v28, <8 x float> %v36)
store <8 x float> %v37, ptr %s7
%v38 = load <8 x float>, ptr %s8
%v39 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v35, <8 x float> %v31, <8 x float> %v38)
store <8 x float> %v39, ptr %s8
%v40 = getelementptr float, ptr %v19, i64 %v23
%v41 = load float, ptr %v40, align 4
%v42 = insertelement <8 x float> poison, float %v41, i32 0
%v43 = shufflevector <8 x float> %v42, <8 x float> poison, <8 x i32> zeroinitializer
%v44 = load <8 x float>, ptr %s9
%v45 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v43, <8 x float> %v28, <8 x float> %v44)
store <8 x float> %v45, ptr %s9
%v46 = load <8 x float>, ptr %s10
%v47 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v43, <8 x float> %v31, <8 x float> %v46)
store <8 x float> %v47, ptr %s10
%v48 = getelementptr float, ptr %v20, i64 %v23
%v49 = load float, ptr %v48, align 4
%v50 = insertelement <8 x float> poison, float %v49, i32 0
%v51 = shufflevector <8 x float> %v50, <8 x float> poison, <8 x i32> zeroinitializer
%v52 = load <8 x float>, ptr %s11
%v53 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v51, <8 x float> %v28, <8 x float> %v52)
store <8 x float> %v53, ptr %s11
%v54 = load <8 x float>, ptr %s12
%v55 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v51, <8 x float> %v31, <8 x float> %v54)
store <8 x float> %v55, ptr %s12
%v56 = getelementptr float, ptr %v21, i64 %v23
%v57 = load float, ptr %v56, align 4
%v58 = insertelement <8 x float> poison, float %v57, i32 0
%v59 = shufflevector <8 x float> %v58, <8 x float> poison, <8 x i32> zeroinitializer
%v60 = load <8 x float>, ptr %s13
%v61 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v59, <8 x float> %v28, <8 x float> %v60)
store <8 x float> %v61, ptr %s13
%v62 = load <8 x float>, ptr %s14
%v63 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v59, <8 x float> %v31, <8 x float> %v62)
store <8 x float> %v63, ptr %s14
%v64 = getelementptr float, ptr %v22, i64 %v23
%v65 = load float, ptr %v64, align 4
%v66 = insertelement <8 x float> poison, float %v65, i32 0
%v67 = shufflevector <8 x float> %v66, <8 x float> poison, <8 x i32> zeroinitializer
%v68 = load <8 x float>, ptr %s15
%v69 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v67, <8 x float> %v28, <8 x float> %v68)
store <8 x float> %v69, ptr %s15
%v70 = load <8 x float>, ptr %s16
%v71 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v67, <8 x float> %v31, <8 x float> %v70)
store <8 x float> %v71, ptr %s16
%v72 = add i64 %v23, 1
%v73 = mul i64 %v72, 64
%v74 = getelementptr i8, ptr %v18, i64 %v73
call void @llvm.prefetch.p0(ptr %v74, i32 0, i32 3, i32 1)
%v75 = mul i64 %v23, 16
%v76 = add i64 %v75, 16
%v77 = getelementptr float, ptr %v7, i64 %v76
%v78 = load <8 x float>, ptr %v77, align 4
%v79 = add i64 %v76, 8
%v80 = getelementptr float, ptr %v7, i64 %v79
%v81 = load <8 x float>, ptr %v80, align 4
%v82 = add i64 %v23, 1
%v83 = getelementptr float, ptr %a0, i64 %v82
%v84 = load float, ptr %v83, align 4
%v85 = insertelement <8 x float> poison, float %v84, i32 0
%v86 = shufflevector <8 x float> %v85, <8 x float> poison, <8 x i32> zeroinitializer
%v87 = load <8 x float>, ptr %s7
%v88 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v86, <8 x float> %v78, <8 x float> %v87)
store <8 x float> %v88, ptr %s7
%v89 = load <8 x float>, ptr %s8
%v90 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v86, <8 x float> %v81, <8 x float> %v89)
store <8 x float> %v90, ptr %s8
%v91 = add i64 %v23, 1
%v92 = getelementptr float, ptr %v19, i64 %v91
%v93 = load float, ptr %v92, align 4
%v94 = insertelement <8 x float> poison, float %v93, i32 0
%v95 = shufflevector <8 x float> %v94, <8 x float> poison, <8 x i32> zeroinitializer
%v96 = load <8 x float>, ptr %s9
%v97 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v95, <8 x float> %v78, <8 x float> %v96)
store <8 x float> %v97, ptr %s9
%v98 = load <8 x float>, ptr %s10
%v99 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v95, <8 x float> %v81, <8 x float> %v98)
store <8 x float> %v99, ptr %s10
%v100 = add i64 %v23, 1
%v101 = getelementptr float, ptr %v20, i64 %v100
%v102 = load float, ptr %v101, align 4
%v103 = insertelement <8 x float> poison, float %v102, i32 0
%v104 = shufflevector <8 x float> %v103, <8 x float> poison, <8 x i32> zeroinitializer
%v105 = load <8 x float>, ptr %s11
%v106 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v104, <8 x float> %v78, <8 x float> %v105)
store <8 x float> %v106, ptr %s11
%v107 = load <8 x float>, ptr %s12
%v108 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v104, <8 x float> %v81, <8 x float> %v107)
store <8 x float> %v108, ptr %s12
%v109 = add i64 %v23, 1
%v110 = getelementptr float, ptr %v21, i64 %v109
%v111 = load float, ptr %v110, align 4
%v112 = insertelement <8 x float> poison, float %v111, i32 0
%v113 = shufflevector <8 x float> %v112, <8 x float> poison, <8 x i32> zeroinitializer
%v114 = load <8 x float>, ptr %s13
%v115 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v113, <8 x float> %v78, <8 x float> %v114)
store <8 x float> %v115, ptr %s13
%v116 = load <8 x float>, ptr %s14
%v117 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v113, <8 x float> %v81, <8 x float> %v116)
store <8 x float> %v117, ptr %s14
%v118 = add i64 %v23, 1
%v119 = getelementptr float, ptr %v22, i64 %v118
%v120 = load float, ptr %v119, align 4
%v121 = insertelement <8 x float> poison, float %v120, i32 0
%v122 = shufflevector <8 x float> %v121, <8 x float> poison, <8 x i32> zeroinitializer
%v123 = load <8 x float>, ptr %s15
%v124 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v122, <8 x float> %v78, <8 x float> %v123)
store <8 x float> %v124, ptr %s15
%v125 = load <8 x float>, ptr %s16
%v126 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v122, <8 x float> %v81, <8 x float> %v125)
store <8 x float> %v126, ptr %s16
%v127 = add i64 %v23, 2
%v128 = icmp slt i64 %v127, 12
br i1 %v128, label %loop7, label %end8
end8:
%v129 = load <8 x float>, ptr %s7
%v130 = load <8 x float>, ptr %s8
%v131 = load <8 x float>, ptr %s9
%v132 = load <8 x float>, ptr %s10
%v133 = load <8 x float>, ptr %s11
%v134 = load <8 x float>, ptr %s12
%v135 = load <8 x float>, ptr %s13
%v136 = load <8 x float>, ptr %s14
%v137 = load <8 x float>, ptr %s15
%v138 = load <8 x float>, ptr %s16
store <8 x float> %v129, ptr %v16, align 4
%v139 = getelementptr float, ptr %v16, i64 8
store <8 x float> %v130, ptr %v139, align 4
%v140 = getelementptr float, ptr %v16, i64 16
store <8 x float> %v131, ptr %v140, align 4
%v141 = getelementptr float, ptr %v16, i64 24
store <8 x float> %v132, ptr %v141, align 4
%v142 = getelementptr float, ptr %v16, i64 32
store <8 x float> %v133, ptr %v142, align 4
%v143 = getelementptr float, ptr %v16, i64 40
store <8 x float> %v134, ptr %v143, align 4
%v144 = getelementptr float, ptr %v16, i64 48
store <8 x float> %v135, ptr %v144, align 4
%v145 = getelementptr float, ptr %v16, i64 56
store <8 x float> %v136, ptr %v145, align 4
%v146 = getelementptr float, ptr %v16, i64 64
store <8 x float> %v137, ptr %v146, align 4
%v147 = getelementptr float, ptr %v16, i64 72
store <8 x float> %v138, ptr %v147, align 4
%v148 = mul i64 %v4, 1152
%v149 = getelementptr float, ptr %scratch, i64 %v148
%v150 = mul i64 %v4, 16
%v151 = sub i64 20, %v150
%v152 = icmp sge i64 %v151, 16
br i1 %v152, label %then9, label %else10
then9:
br label %loop12
loop12:
%v153 = phi i64 [ 0, %then9 ], [ %v190, %loop12 ]
%v154 = mul i64 %v153, 16
%v155 = getelementptr float, ptr %v149, i64 %v154
%v156 = load <8 x float>, ptr %v155, align 4
%v157 = mul i64 %v153, 16
%v158 = add i64 %v157, 8
%v159 = getelementptr float, ptr %v149, i64 %v158
%v160 = load <8 x float>, ptr %v159, align 4
%v161 = getelementptr float, ptr %a3, i64 %v150
%v162 = load <8 x float>, ptr %v161, align 4
%v163 = mul i64 %v153, 20
%v164 = add i64 %v163, %v150
%v165 = getelementptr float, ptr %a4, i64 %v164
%v166 = load <8 x float>, ptr %v165, align 4
%v167 = fadd <8 x float> %v156, %v162
%v168 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v167
%v169 = select <8 x i1> %v168, <8 x float> splat (float 0x0000000000000000), <8 x float> %v167
%v170 = fadd <8 x float> %v166, %v169
%v171 = add i64 %v150, 8
%v172 = getelementptr float, ptr %a3, i64 %v171
%v173 = load <8 x float>, ptr %v172, align 4
%v174 = mul i64 %v153, 20
%v175 = add i64 %v174, %v150
%v176 = add i64 %v175, 8
%v177 = getelementptr float, ptr %a4, i64 %v176
%v178 = load <8 x float>, ptr %v177, align 4
%v179 = fadd <8 x float> %v160, %v173
%v180 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v179
%v181 = select <8 x i1> %v180, <8 x float> splat (float 0x0000000000000000), <8 x float> %v179
%v182 = fadd <8 x float> %v178, %v181
%v183 = mul i64 %v153, 20
%v184 = add i64 %v183, %v150
%v185 = getelementptr float, ptr %a2, i64 %v184
store <8 x float> %v170, ptr %v185, align 4
%v186 = mul i64 %v153, 20
%v187 = add i64 %v186, %v150
%v188 = add i64 %v187, 8
%v189 = getelementptr float, ptr %a2, i64 %v188
store <8 x float> %v182, ptr %v189, align 4
%v190 = add i64 %v153, 1
%v191 = icmp slt i64 %v190, 5
br i1 %v191, label %loop12, label %end13
end13:
br label %end11
else10:
br label %loop14
loop14:
%v192 = phi i64 [ 0, %else10 ], [ %v256, %loop14 ]
%v193 = mul i64 %v192, 16
%v194 = getelementptr float, ptr %v149, i64 %v193
%v195 = load <8 x float>, ptr %v194, align 4
%v196 = mul i64 %v192, 16
%v197 = add i64 %v196, 8
%v198 = getelementptr float, ptr %v149, i64 %v197
%v199 = load <8 x float>, ptr %v198, align 4
%v200 = trunc i64 %v151 to i32
%v201 = insertelement <8 x i32> poison, i32 %v200, i32 0
%v202 = shufflevector <8 x i32> %v201, <8 x i32> poison, <8 x i32> zeroinitializer
%v203 = icmp sgt <8 x i32> %v202, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v204 = getelementptr float, ptr %a3, i64 %v150
%v205 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v204, i32 4, <8 x i1> %v203, <8 x float> splat (float 0x0000000000000000))
%v206 = mul i64 %v192, 20
%v207 = add i64 %v206, %v150
%v208 = trunc i64 %v151 to i32
%v209 = insertelement <8 x i32> poison, i32 %v208, i32 0
%v210 = shufflevector <8 x i32> %v209, <8 x i32> poison, <8 x i32> zeroinitializer
%v211 = icmp sgt <8 x i32> %v210, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v212 = getelementptr float, ptr %a4, i64 %v207
%v213 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v212, i32 4, <8 x i1> %v211, <8 x float> splat (float 0x0000000000000000))
%v214 = fadd <8 x float> %v195, %v205
%v215 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v214
%v216 = select <8 x i1> %v215, <8 x float> splat (float 0x0000000000000000), <8 x float> %v214
%v217 = fadd <8 x float> %v213, %v216
%v218 = add i64 %v150, 8
%v219 = sub i64 %v151, 8
%v220 = trunc i64 %v219 to i32
%v221 = insertelement <8 x i32> poison, i32 %v220, i32 0
%v222 = shufflevector <8 x i32> %v221, <8 x i32> poison, <8 x i32> zeroinitializer
%v223 = icmp sgt <8 x i32> %v222, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v224 = getelementptr float, ptr %a3, i64 %v218
%v225 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v224, i32 4, <8 x i1> %v223, <8 x float> splat (float 0x0000000000000000))
%v226 = mul i64 %v192, 20
%v227 = add i64 %v226, %v150
%v228 = add i64 %v227, 8
%v229 = sub i64 %v151, 8
%v230 = trunc i64 %v229 to i32
%v231 = insertelement <8 x i32> poison, i32 %v230, i32 0
%v232 = shufflevector <8 x i32> %v231, <8 x i32> poison, <8 x i32> zeroinitializer
%v233 = icmp sgt <8 x i32> %v232, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v234 = getelementptr float, ptr %a4, i64 %v228
%v235 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v234, i32 4, <8 x i1> %v233, <8 x float> splat (float 0x0000000000000000))
%v236 = fadd <8 x float> %v199, %v225
%v237 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v236
%v238 = select <8 x i1> %v237, <8 x float> splat (float 0x0000000000000000), <8 x float> %v236
%v239 = fadd <8 x float> %v235, %v238
%v240 = mul i64 %v192, 20
%v241 = add i64 %v240, %v150
%v242 = getelementptr float, ptr %a2, i64 %v241
%v243 = trunc i64 %v151 to i32
%v244 = insertelement <8 x i32> poison, i32 %v243, i32 0
%v245 = shufflevector <8 x i32> %v244, <8 x i32> poison, <8 x i32> zeroinitializer
%v246 = icmp sgt <8 x i32> %v245, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v217, ptr %v242, i32 4, <8 x i1> %v246)
%v247 = mul i64 %v192, 20
%v248 = add i64 %v247, %v150
%v249 = add i64 %v248, 8
%v250 = sub i64 %v151, 8
%v251 = getelementptr float, ptr %a2, i64 %v249
%v252 = trunc i64 %v250 to i32
%v253 = insertelement <8 x i32> poison, i32 %v252, i32 0
%v254 = shufflevector <8 x i32> %v253, <8 x i32> poison, <8 x i32> zeroinitializer
%v255 = icmp sgt <8 x i32> %v254, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v239, ptr %v251, i32 4, <8 x i1> %v255)
%v256 = add i64 %v192, 1
%v257 = icmp slt i64 %v256, 5
br i1 %v257, label %loop14, label %end15
end15:
br label %end11
end11:
%v258 = add i64 %v4, 1
%v259 = icmp slt i64 %v258, 2
br i1 %v259, label %loop4, label %end5
end5:
%v260 = add i64 %v1, 1
%v261 = icmp slt i64 %v260, %end
br i1 %v261, label %loop1, label %end2
end2:
ret void
}

