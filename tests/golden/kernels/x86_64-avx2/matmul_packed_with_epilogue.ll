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

define void @matmul_add_relu_add_797e0dfc(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 3
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 4
%a2 = load ptr, ptr %a2.p, align 8
%s6 = alloca <8 x float>
%s7 = alloca <8 x float>
%s8 = alloca <8 x float>
%s9 = alloca <8 x float>
%s10 = alloca <8 x float>
%s11 = alloca <8 x float>
%s12 = alloca <8 x float>
%s13 = alloca <8 x float>
%s14 = alloca <8 x float>
%s15 = alloca <8 x float>
%a3.p = getelementptr i64, ptr %args, i64 1
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 2
%a4 = load ptr, ptr %a4.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v258, %end5 ]
br label %loop4
loop4:
%v2 = phi i64 [ 0, %loop1 ], [ %v256, %end10 ]
%v3 = mul i64 %v2, 12
%v4 = mul i64 %v3, 16
%v5 = getelementptr float, ptr %a1, i64 %v4
%v6 = mul i64 %v2, -12
%v7 = add i64 %v6, 12
%v8 = mul i64 %v7, 16
%v9 = add i64 %v2, 1
%v10 = icmp slt i64 %v9, 2
%v11 = select i1 %v10, i64 192, i64 %v8
%v12 = getelementptr float, ptr %v5, i64 %v11
%v13 = mul i64 %v2, 1152
%v14 = getelementptr float, ptr %scratch, i64 %v13
%v15 = mul i64 %v2, 16
%v16 = getelementptr i8, ptr %v5, i64 1024
store <8 x float> splat (float 0x0000000000000000), ptr %s6
store <8 x float> splat (float 0x0000000000000000), ptr %s7
store <8 x float> splat (float 0x0000000000000000), ptr %s8
store <8 x float> splat (float 0x0000000000000000), ptr %s9
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <8 x float> splat (float 0x0000000000000000), ptr %s11
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
store <8 x float> splat (float 0x0000000000000000), ptr %s14
store <8 x float> splat (float 0x0000000000000000), ptr %s15
%v17 = getelementptr float, ptr %a0, i64 12
%v18 = getelementptr float, ptr %a0, i64 24
%v19 = getelementptr float, ptr %a0, i64 36
%v20 = getelementptr float, ptr %a0, i64 48
br label %loop6
loop6:
%v21 = phi i64 [ 0, %loop4 ], [ %v125, %loop6 ]
%v22 = mul i64 %v21, 64
%v23 = getelementptr i8, ptr %v16, i64 %v22
call void @llvm.prefetch.p0(ptr %v23, i32 0, i32 3, i32 1)
%v24 = mul i64 %v21, 16
%v25 = getelementptr float, ptr %v5, i64 %v24
%v26 = load <8 x float>, ptr %v25, align 4
%v27 = add i64 %v24, 8
%v28 = getelementptr float, ptr %v5, i64 %v27
%v29 = load <8 x float>, ptr %v28, align 4
%v30 = getelementptr float, ptr %a0, i64 %v21
%v31 = load float, ptr %v30, align 4
%v32 = insertelement <8 x float> poison, float %v31, i32 0
%v33 = shufflevector <8 x float> %v32, <8 x float> poison, <8 x i32> zeroinitializer
%v34 = load <8 x float>, ptr %s6
%v35 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v33, <8 x float> %v26, <8 x float> %v34)
store <8 x float> %v35, ptr %s6
%v36 = load <8 x float>, ptr %s7
%v37 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v33, <8 x float> %v29, <8 x float> %v36)
store <8 x float> %v37, ptr %s7
%v38 = getelementptr float, ptr %v17, i64 %v21
%v39 = load float, ptr %v38, align 4
%v40 = insertelement <8 x float> poison, float %v39, i32 0
%v41 = shufflevector <8 x float> %v40, <8 x float> poison, <8 x i32> zeroinitializer
%v42 = load <8 x float>, ptr %s8
%v43 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v41, <8 x float> %v26, <8 x float> %v42)
store <8 x float> %v43, ptr %s8
%v44 = load <8 x float>, ptr %s9
%v45 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v41, <8 x float> %v29, <8 x float> %v44)
store <8 x float> %v45, ptr %s9
%v46 = getelementptr float, ptr %v18, i64 %v21
%v47 = load float, ptr %v46, align 4
%v48 = insertelement <8 x float> poison, float %v47, i32 0
%v49 = shufflevector <8 x float> %v48, <8 x float> poison, <8 x i32> zeroinitializer
%v50 = load <8 x float>, ptr %s10
%v51 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v49, <8 x float> %v26, <8 x float> %v50)
store <8 x float> %v51, ptr %s10
%v52 = load <8 x float>, ptr %s11
%v53 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v49, <8 x float> %v29, <8 x float> %v52)
store <8 x float> %v53, ptr %s11
%v54 = getelementptr float, ptr %v19, i64 %v21
%v55 = load float, ptr %v54, align 4
%v56 = insertelement <8 x float> poison, float %v55, i32 0
%v57 = shufflevector <8 x float> %v56, <8 x float> poison, <8 x i32> zeroinitializer
%v58 = load <8 x float>, ptr %s12
%v59 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v57, <8 x float> %v26, <8 x float> %v58)
store <8 x float> %v59, ptr %s12
%v60 = load <8 x float>, ptr %s13
%v61 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v57, <8 x float> %v29, <8 x float> %v60)
store <8 x float> %v61, ptr %s13
%v62 = getelementptr float, ptr %v20, i64 %v21
%v63 = load float, ptr %v62, align 4
%v64 = insertelement <8 x float> poison, float %v63, i32 0
%v65 = shufflevector <8 x float> %v64, <8 x float> poison, <8 x i32> zeroinitializer
%v66 = load <8 x float>, ptr %s14
%v67 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v65, <8 x float> %v26, <8 x float> %v66)
store <8 x float> %v67, ptr %s14
%v68 = load <8 x float>, ptr %s15
%v69 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v65, <8 x float> %v29, <8 x float> %v68)
store <8 x float> %v69, ptr %s15
%v70 = add i64 %v21, 1
%v71 = mul i64 %v70, 64
%v72 = getelementptr i8, ptr %v16, i64 %v71
call void @llvm.prefetch.p0(ptr %v72, i32 0, i32 3, i32 1)
%v73 = mul i64 %v21, 16
%v74 = add i64 %v73, 16
%v75 = getelementptr float, ptr %v5, i64 %v74
%v76 = load <8 x float>, ptr %v75, align 4
%v77 = add i64 %v74, 8
%v78 = getelementptr float, ptr %v5, i64 %v77
%v79 = load <8 x float>, ptr %v78, align 4
%v80 = add i64 %v21, 1
%v81 = getelementptr float, ptr %a0, i64 %v80
%v82 = load float, ptr %v81, align 4
%v83 = insertelement <8 x float> poison, float %v82, i32 0
%v84 = shufflevector <8 x float> %v83, <8 x float> poison, <8 x i32> zeroinitializer
%v85 = load <8 x float>, ptr %s6
%v86 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v84, <8 x float> %v76, <8 x float> %v85)
store <8 x float> %v86, ptr %s6
%v87 = load <8 x float>, ptr %s7
%v88 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v84, <8 x float> %v79, <8 x float> %v87)
store <8 x float> %v88, ptr %s7
%v89 = add i64 %v21, 1
%v90 = getelementptr float, ptr %v17, i64 %v89
%v91 = load float, ptr %v90, align 4
%v92 = insertelement <8 x float> poison, float %v91, i32 0
%v93 = shufflevector <8 x float> %v92, <8 x float> poison, <8 x i32> zeroinitializer
%v94 = load <8 x float>, ptr %s8
%v95 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v93, <8 x float> %v76, <8 x float> %v94)
store <8 x float> %v95, ptr %s8
%v96 = load <8 x float>, ptr %s9
%v97 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v93, <8 x float> %v79, <8 x float> %v96)
store <8 x float> %v97, ptr %s9
%v98 = add i64 %v21, 1
%v99 = getelementptr float, ptr %v18, i64 %v98
%v100 = load float, ptr %v99, align 4
%v101 = insertelement <8 x float> poison, float %v100, i32 0
%v102 = shufflevector <8 x float> %v101, <8 x float> poison, <8 x i32> zeroinitializer
%v103 = load <8 x float>, ptr %s10
%v104 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v102, <8 x float> %v76, <8 x float> %v103)
store <8 x float> %v104, ptr %s10
%v105 = load <8 x float>, ptr %s11
%v106 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v102, <8 x float> %v79, <8 x float> %v105)
store <8 x float> %v106, ptr %s11
%v107 = add i64 %v21, 1
%v108 = getelementptr float, ptr %v19, i64 %v107
%v109 = load float, ptr %v108, align 4
%v110 = insertelement <8 x float> poison, float %v109, i32 0
%v111 = shufflevector <8 x float> %v110, <8 x float> poison, <8 x i32> zeroinitializer
%v112 = load <8 x float>, ptr %s12
%v113 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v111, <8 x float> %v76, <8 x float> %v112)
store <8 x float> %v113, ptr %s12
%v114 = load <8 x float>, ptr %s13
%v115 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v111, <8 x float> %v79, <8 x float> %v114)
store <8 x float> %v115, ptr %s13
%v116 = add i64 %v21, 1
%v117 = getelementptr float, ptr %v20, i64 %v116
%v118 = load float, ptr %v117, align 4
%v119 = insertelement <8 x float> poison, float %v118, i32 0
%v120 = shufflevector <8 x float> %v119, <8 x float> poison, <8 x i32> zeroinitializer
%v121 = load <8 x float>, ptr %s14
%v122 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v120, <8 x float> %v76, <8 x float> %v121)
store <8 x float> %v122, ptr %s14
%v123 = load <8 x float>, ptr %s15
%v124 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v120, <8 x float> %v79, <8 x float> %v123)
store <8 x float> %v124, ptr %s15
%v125 = add i64 %v21, 2
%v126 = icmp slt i64 %v125, 12
br i1 %v126, label %loop6, label %end7
end7:
%v127 = load <8 x float>, ptr %s6
%v128 = load <8 x float>, ptr %s7
%v129 = load <8 x float>, ptr %s8
%v130 = load <8 x float>, ptr %s9
%v131 = load <8 x float>, ptr %s10
%v132 = load <8 x float>, ptr %s11
%v133 = load <8 x float>, ptr %s12
%v134 = load <8 x float>, ptr %s13
%v135 = load <8 x float>, ptr %s14
%v136 = load <8 x float>, ptr %s15
store <8 x float> %v127, ptr %v14, align 4
%v137 = getelementptr float, ptr %v14, i64 8
store <8 x float> %v128, ptr %v137, align 4
%v138 = getelementptr float, ptr %v14, i64 16
store <8 x float> %v129, ptr %v138, align 4
%v139 = getelementptr float, ptr %v14, i64 24
store <8 x float> %v130, ptr %v139, align 4
%v140 = getelementptr float, ptr %v14, i64 32
store <8 x float> %v131, ptr %v140, align 4
%v141 = getelementptr float, ptr %v14, i64 40
store <8 x float> %v132, ptr %v141, align 4
%v142 = getelementptr float, ptr %v14, i64 48
store <8 x float> %v133, ptr %v142, align 4
%v143 = getelementptr float, ptr %v14, i64 56
store <8 x float> %v134, ptr %v143, align 4
%v144 = getelementptr float, ptr %v14, i64 64
store <8 x float> %v135, ptr %v144, align 4
%v145 = getelementptr float, ptr %v14, i64 72
store <8 x float> %v136, ptr %v145, align 4
%v146 = mul i64 %v2, 1152
%v147 = getelementptr float, ptr %scratch, i64 %v146
%v148 = mul i64 %v2, 16
%v149 = sub i64 20, %v148
%v150 = icmp sge i64 %v149, 16
br i1 %v150, label %then8, label %else9
then8:
br label %loop11
loop11:
%v151 = phi i64 [ 0, %then8 ], [ %v188, %loop11 ]
%v152 = mul i64 %v151, 16
%v153 = getelementptr float, ptr %v147, i64 %v152
%v154 = load <8 x float>, ptr %v153, align 4
%v155 = mul i64 %v151, 16
%v156 = add i64 %v155, 8
%v157 = getelementptr float, ptr %v147, i64 %v156
%v158 = load <8 x float>, ptr %v157, align 4
%v159 = getelementptr float, ptr %a3, i64 %v148
%v160 = load <8 x float>, ptr %v159, align 4
%v161 = mul i64 %v151, 20
%v162 = add i64 %v161, %v148
%v163 = getelementptr float, ptr %a4, i64 %v162
%v164 = load <8 x float>, ptr %v163, align 4
%v165 = fadd <8 x float> %v154, %v160
%v166 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v165
%v167 = select <8 x i1> %v166, <8 x float> splat (float 0x0000000000000000), <8 x float> %v165
%v168 = fadd <8 x float> %v164, %v167
%v169 = add i64 %v148, 8
%v170 = getelementptr float, ptr %a3, i64 %v169
%v171 = load <8 x float>, ptr %v170, align 4
%v172 = mul i64 %v151, 20
%v173 = add i64 %v172, %v148
%v174 = add i64 %v173, 8
%v175 = getelementptr float, ptr %a4, i64 %v174
%v176 = load <8 x float>, ptr %v175, align 4
%v177 = fadd <8 x float> %v158, %v171
%v178 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v177
%v179 = select <8 x i1> %v178, <8 x float> splat (float 0x0000000000000000), <8 x float> %v177
%v180 = fadd <8 x float> %v176, %v179
%v181 = mul i64 %v151, 20
%v182 = add i64 %v181, %v148
%v183 = getelementptr float, ptr %a2, i64 %v182
store <8 x float> %v168, ptr %v183, align 4
%v184 = mul i64 %v151, 20
%v185 = add i64 %v184, %v148
%v186 = add i64 %v185, 8
%v187 = getelementptr float, ptr %a2, i64 %v186
store <8 x float> %v180, ptr %v187, align 4
%v188 = add i64 %v151, 1
%v189 = icmp slt i64 %v188, 5
br i1 %v189, label %loop11, label %end12
end12:
br label %end10
else9:
br label %loop13
loop13:
%v190 = phi i64 [ 0, %else9 ], [ %v254, %loop13 ]
%v191 = mul i64 %v190, 16
%v192 = getelementptr float, ptr %v147, i64 %v191
%v193 = load <8 x float>, ptr %v192, align 4
%v194 = mul i64 %v190, 16
%v195 = add i64 %v194, 8
%v196 = getelementptr float, ptr %v147, i64 %v195
%v197 = load <8 x float>, ptr %v196, align 4
%v198 = trunc i64 %v149 to i32
%v199 = insertelement <8 x i32> poison, i32 %v198, i32 0
%v200 = shufflevector <8 x i32> %v199, <8 x i32> poison, <8 x i32> zeroinitializer
%v201 = icmp sgt <8 x i32> %v200, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v202 = getelementptr float, ptr %a3, i64 %v148
%v203 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v202, i32 4, <8 x i1> %v201, <8 x float> splat (float 0x0000000000000000))
%v204 = mul i64 %v190, 20
%v205 = add i64 %v204, %v148
%v206 = trunc i64 %v149 to i32
%v207 = insertelement <8 x i32> poison, i32 %v206, i32 0
%v208 = shufflevector <8 x i32> %v207, <8 x i32> poison, <8 x i32> zeroinitializer
%v209 = icmp sgt <8 x i32> %v208, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v210 = getelementptr float, ptr %a4, i64 %v205
%v211 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v210, i32 4, <8 x i1> %v209, <8 x float> splat (float 0x0000000000000000))
%v212 = fadd <8 x float> %v193, %v203
%v213 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v212
%v214 = select <8 x i1> %v213, <8 x float> splat (float 0x0000000000000000), <8 x float> %v212
%v215 = fadd <8 x float> %v211, %v214
%v216 = add i64 %v148, 8
%v217 = sub i64 %v149, 8
%v218 = trunc i64 %v217 to i32
%v219 = insertelement <8 x i32> poison, i32 %v218, i32 0
%v220 = shufflevector <8 x i32> %v219, <8 x i32> poison, <8 x i32> zeroinitializer
%v221 = icmp sgt <8 x i32> %v220, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v222 = getelementptr float, ptr %a3, i64 %v216
%v223 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v222, i32 4, <8 x i1> %v221, <8 x float> splat (float 0x0000000000000000))
%v224 = mul i64 %v190, 20
%v225 = add i64 %v224, %v148
%v226 = add i64 %v225, 8
%v227 = sub i64 %v149, 8
%v228 = trunc i64 %v227 to i32
%v229 = insertelement <8 x i32> poison, i32 %v228, i32 0
%v230 = shufflevector <8 x i32> %v229, <8 x i32> poison, <8 x i32> zeroinitializer
%v231 = icmp sgt <8 x i32> %v230, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v232 = getelementptr float, ptr %a4, i64 %v226
%v233 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v232, i32 4, <8 x i1> %v231, <8 x float> splat (float 0x0000000000000000))
%v234 = fadd <8 x float> %v197, %v223
%v235 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v234
%v236 = select <8 x i1> %v235, <8 x float> splat (float 0x0000000000000000), <8 x float> %v234
%v237 = fadd <8 x float> %v233, %v236
%v238 = mul i64 %v190, 20
%v239 = add i64 %v238, %v148
%v240 = getelementptr float, ptr %a2, i64 %v239
%v241 = trunc i64 %v149 to i32
%v242 = insertelement <8 x i32> poison, i32 %v241, i32 0
%v243 = shufflevector <8 x i32> %v242, <8 x i32> poison, <8 x i32> zeroinitializer
%v244 = icmp sgt <8 x i32> %v243, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v215, ptr %v240, i32 4, <8 x i1> %v244)
%v245 = mul i64 %v190, 20
%v246 = add i64 %v245, %v148
%v247 = add i64 %v246, 8
%v248 = sub i64 %v149, 8
%v249 = getelementptr float, ptr %a2, i64 %v247
%v250 = trunc i64 %v248 to i32
%v251 = insertelement <8 x i32> poison, i32 %v250, i32 0
%v252 = shufflevector <8 x i32> %v251, <8 x i32> poison, <8 x i32> zeroinitializer
%v253 = icmp sgt <8 x i32> %v252, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v237, ptr %v249, i32 4, <8 x i1> %v253)
%v254 = add i64 %v190, 1
%v255 = icmp slt i64 %v254, 5
br i1 %v255, label %loop13, label %end14
end14:
br label %end10
end10:
%v256 = add i64 %v2, 1
%v257 = icmp slt i64 %v256, 2
br i1 %v257, label %loop4, label %end5
end5:
%v258 = add i64 %v1, 1
%v259 = icmp slt i64 %v258, %end
br i1 %v259, label %loop1, label %end2
end2:
ret void
}

