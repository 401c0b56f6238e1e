; kernels for x86_64-avx2
; mir @matmul_unpacked {
;   %0 = input("x1") : f32[40, 12]
;   %1 = input("x2") : f32[12, 20]
;   %2 = matmul(%0, %1) : f32[40, 20]
;   return y1=%2
; }

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @matmul_2b1156ce(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
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
%s31 = alloca <8 x float>
%s32 = alloca <8 x float>
%s33 = alloca <8 x float>
%s34 = alloca <8 x float>
%s35 = alloca <8 x float>
%s36 = alloca <8 x float>
%s37 = alloca <8 x float>
%s38 = alloca <8 x float>
%s39 = alloca <8 x float>
%s40 = alloca <8 x float>
%s41 = alloca <8 x float>
%s42 = alloca <8 x float>
%s43 = alloca <8 x float>
%s44 = alloca <8 x float>
%s45 = alloca <8 x float>
%s46 = alloca <8 x float>
%s47 = alloca <8 x float>
%s48 = alloca <8 x float>
%s49 = alloca <8 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v729, %end5 ]
%v2 = getelementptr i8, ptr %scratch, i64 122880
br label %loop4
loop4:
%v3 = phi i64 [ 0, %loop1 ], [ %v727, %end21 ]
%v4 = mul i64 %v3, 16
%v5 = getelementptr float, ptr %a1, i64 %v4
%v6 = mul i64 %v3, 3840
%v7 = getelementptr float, ptr %scratch, i64 %v6
%v8 = mul i64 %v3, 16
%v9 = sub i64 20, %v8
%v10 = icmp sge i64 %v9, 16
%v11 = getelementptr float, ptr %a2, i64 %v8
%v12 = select i1 %v10, ptr %v11, ptr %v7
%v13 = select i1 %v10, i64 20, i64 16
%v14 = getelementptr float, ptr %v5, i64 320
%v15 = sub i64 20, %v8
%v16 = icmp sge i64 %v15, 16
br i1 %v16, label %then6, label %else7
then6:
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
store <8 x float> splat (float 0x0000000000000000), ptr %s16
store <8 x float> splat (float 0x0000000000000000), ptr %s17
%v17 = getelementptr float, ptr %a0, i64 12
%v18 = getelementptr float, ptr %a0, i64 24
%v19 = getelementptr float, ptr %a0, i64 36
%v20 = getelementptr float, ptr %a0, i64 48
%v21 = getelementptr float, ptr %a0, i64 60
br label %loop9
loop9:
%v22 = phi i64 [ 0, %then6 ], [ %v159, %loop9 ]
%v23 = mul i64 %v22, 80
%v24 = getelementptr i8, ptr %v14, i64 %v23
call void @llvm.prefetch.p0(ptr %v24, i32 0, i32 3, i32 1)
%v25 = mul i64 %v22, 20
%v26 = getelementptr float, ptr %v5, i64 %v25
%v27 = load <8 x float>, ptr %v26, align 4
%v28 = mul i64 %v22, 2
%v29 = mul i64 %v28, 8
%v30 = getelementptr float, ptr %v2, i64 %v29
store <8 x float> %v27, ptr %v30, align 4
%v31 = add i64 %v25, 8
%v32 = getelementptr float, ptr %v5, i64 %v31
%v33 = load <8 x float>, ptr %v32, align 4
%v34 = mul i64 %v22, 2
%v35 = add i64 %v34, 1
%v36 = mul i64 %v35, 8
%v37 = getelementptr float, ptr %v2, i64 %v36
store <8 x float> %v33, ptr %v37, align 4
%v38 = getelementptr float, ptr %a0, i64 %v22
%v39 = load float, ptr %v38, align 4
%v40 = insertelement <8 x float> poison, float %v39, i32 0
%v41 = shufflevector <8 x float> %v40, <8 x float> poison, <8 x i32> zeroinitializer
%v42 = load <8 x float>, ptr %s6
%v43 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v41, <8 x float> %v27, <8 x float> %v42)
store <8 x float> %v43, ptr %s6
%v44 = load <8 x float>, ptr %s7
%v45 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v41, <8 x float> %v33, <8 x float> %v44)
store <8 x float> %v45, ptr %s7
%v46 = getelementptr float, ptr %v17, i64 %v22
%v47 = load float, ptr %v46, align 4
%v48 = insertelement <8 x float> poison, float %v47, i32 0
%v49 = shufflevector <8 x float> %v48, <8 x float> poison, <8 x i32> zeroinitializer
%v50 = load <8 x float>, ptr %s8
%v51 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v49, <8 x float> %v27, <8 x float> %v50)
store <8 x float> %v51, ptr %s8
%v52 = load <8 x float>, ptr %s9
%v53 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v49, <8 x float> %v33, <8 x float> %v52)
store <8 x float> %v53, ptr %s9
%v54 = getelementptr float, ptr %v18, i64 %v22
%v55 = load float, ptr %v54, align 4
%v56 = insertelement <8 x float> poison, float %v55, i32 0
%v57 = shufflevector <8 x float> %v56, <8 x float> poison, <8 x i32> zeroinitializer
%v58 = load <8 x float>, ptr %s10
%v59 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v57, <8 x float> %v27, <8 x float> %v58)
store <8 x float> %v59, ptr %s10
%v60 = load <8 x float>, ptr %s11
%v61 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v57, <8 x float> %v33, <8 x float> %v60)
store <8 x float> %v61, ptr %s11
%v62 = getelementptr float, ptr %v19, i64 %v22
%v63 = load float, ptr %v62, align 4
%v64 = insertelement <8 x float> poison, float %v63, i32 0
%v65 = shufflevector <8 x float> %v64, <8 x float> poison, <8 x i32> zeroinitializer
%v66 = load <8 x float>, ptr %s12
%v67 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v65, <8 x float> %v27, <8 x float> %v66)
store <8 x float> %v67, ptr %s12
%v68 = load <8 x float>, ptr %s13
%v69 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v65, <8 x float> %v33, <8 x float> %v68)
store <8 x float> %v69, ptr %s13
%v70 = getelementptr float, ptr %v20, i64 %v22
%v71 = load float, ptr %v70, align 4
%v72 = insertelement <8 x float> poison, float %v71, i32 0
%v73 = shufflevector <8 x float> %v72, <8 x float> poison, <8 x i32> zeroinitializer
%v74 = load <8 x float>, ptr %s14
%v75 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v73, <8 x float> %v27, <8 x float> %v74)
store <8 x float> %v75, ptr %s14
%v76 = load <8 x float>, ptr %s15
%v77 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v73, <8 x float> %v33, <8 x float> %v76)
store <8 x float> %v77, ptr %s15
%v78 = getelementptr float, ptr %v21, i64 %v22
%v79 = load float, ptr %v78, align 4
%v80 = insertelement <8 x float> poison, float %v79, i32 0
%v81 = shufflevector <8 x float> %v80, <8 x float> poison, <8 x i32> zeroinitializer
%v82 = load <8 x float>, ptr %s16
%v83 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v81, <8 x float> %v27, <8 x float> %v82)
store <8 x float> %v83, ptr %s16
%v84 = load <8 x float>, ptr %s17
%v85 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v81, <8 x float> %v33, <8 x float> %v84)
store <8 x float> %v85, ptr %s17
%v86 = add i64 %v22, 1
%v87 = mul i64 %v86, 80
%v88 = getelementptr i8, ptr %v14, i64 %v87
call void @llvm.prefetch.p0(ptr %v88, i32 0, i32 3, i32 1)
%v89 = mul i64 %v22, 20
%v90 = add i64 %v89, 20
%v91 = getelementptr float, ptr %v5, i64 %v90
%v92 = load <8 x float>, ptr %v91, align 4
%v93 = add i64 %v22, 1
%v94 = mul i64 %v93, 2
%v95 = mul i64 %v94, 8
%v96 = getelementptr float, ptr %v2, i64 %v95
store <8 x float> %v92, ptr %v96, align 4
%v97 = add i64 %v90, 8
%v98 = getelementptr float, ptr %v5, i64 %v97
%v99 = load <8 x float>, ptr %v98, align 4
%v100 = add i64 %v22, 1
%v101 = mul i64 %v100, 2
%v102 = add i64 %v101, 1
%v103 = mul i64 %v102, 8
%v104 = getelementptr float, ptr %v2, i64 %v103
store <8 x float> %v99, ptr %v104, align 4
%v105 = add i64 %v22, 1
%v106 = getelementptr float, ptr %a0, i64 %v105
%v107 = load float, ptr %v106, align 4
%v108 = insertelement <8 x float> poison, float %v107, i32 0
%v109 = shufflevector <8 x float> %v108, <8 x float> poison, <8 x i32> zeroinitializer
%v110 = load <8 x float>, ptr %s6
%v111 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v109, <8 x float> %v92, <8 x float> %v110)
store <8 x float> %v111, ptr %s6
%v112 = load <8 x float>, ptr %s7
%v113 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v109, <8 x float> %v99, <8 x float> %v112)
store <8 x float> %v113, ptr %s7
%v114 = add i64 %v22, 1
%v115 = getelementptr float, ptr %v17, i64 %v114
%v116 = load float, ptr %v115, align 4
%v117 = insertelement <8 x float> poison, float %v116, i32 0
%v118 = shufflevector <8 x float> %v117, <8 x float> poison, <8 x i32> zeroinitializer
%v119 = load <8 x float>, ptr %s8
%v120 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v118, <8 x float> %v92, <8 x float> %v119)
store <8 x float> %v120, ptr %s8
%v121 = load <8 x float>, ptr %s9
%v122 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v118, <8 x float> %v99, <8 x float> %v121)
store <8 x float> %v122, ptr %s9
%v123 = add i64 %v22, 1
%v124 = getelementptr float, ptr %v18, i64 %v123
%v125 = load float, ptr %v124, align 4
%v126 = insertelement <8 x float> poison, float %v125, i32 0
%v127 = shufflevector <8 x float> %v126, <8 x float> poison, <8 x i32> zeroinitializer
%v128 = load <8 x float>, ptr %s10
%v129 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v127, <8 x float> %v92, <8 x float> %v128)
store <8 x float> %v129, ptr %s10
%v130 = load <8 x float>, ptr %s11
%v131 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v127, <8 x float> %v99, <8 x float> %v130)
store <8 x float> %v131, ptr %s11
%v132 = add i64 %v22, 1
%v133 = getelementptr float, ptr %v19, i64 %v132
%v134 = load float, ptr %v133, align 4
%v135 = insertelement <8 x float> poison, float %v134, i32 0
%v136 = shufflevector <8 x float> %v135, <8 x float> poison, <8 x i32> zeroinitializer
%v137 = load <8 x float>, ptr %s12
%v138 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v136, <8 x float> %v92, <8 x float> %v137)
store <8 x float> %v138, ptr %s12
%v139 = load <8 x float>, ptr %s13
%v140 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v136, <8 x float> %v99, <8 x float> %v139)
store <8 x float> %v140, ptr %s13
%v141 = add i64 %v22, 1
%v142 = getelementptr float, ptr %v20, i64 %v141
%v143 = load float, ptr %v142, align 4
%v144 = insertelement <8 x float> poison, float %v143, i32 0
%v145 = shufflevector <8 x float> %v144, <8 x float> poison, <8 x i32> zeroinitializer
%v146 = load <8 x float>, ptr %s14
%v147 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v145, <8 x float> %v92, <8 x float> %v146)
store <8 x float> %v147, ptr %s14
%v148 = load <8 x float>, ptr %s15
%v149 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v145, <8 x float> %v99, <8 x float> %v148)
store <8 x float> %v149, ptr %s15
%v150 = add i64 %v22, 1
%v151 = getelementptr float, ptr %v21, i64 %v150
%v152 = load float, ptr %v151, align 4
%v153 = insertelement <8 x float> poison, float %v152, i32 0
%v154 = shufflevector <8 x float> %v153, <8 x float> poison, <8 x i32> zeroinitializer
%v155 = load <8 x float>, ptr %s16
%v156 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v154, <8 x float> %v92, <8 x float> %v155)
store <8 x float> %v156, ptr %s16
%v157 = load <8 x float>, ptr %s17
%v158 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v154, <8 x float> %v99, <8 x float> %v157)
store <8 x float> %v158, ptr %s17
%v159 = add i64 %v22, 2
%v160 = icmp slt i64 %v159, 12
br i1 %v160, label %loop9, label %end10
end10:
%v161 = load <8 x float>, ptr %s6
%v162 = load <8 x float>, ptr %s7
%v163 = load <8 x float>, ptr %s8
%v164 = load <8 x float>, ptr %s9
%v165 = load <8 x float>, ptr %s10
%v166 = load <8 x float>, ptr %s11
%v167 = load <8 x float>, ptr %s12
%v168 = load <8 x float>, ptr %s13
%v169 = load <8 x float>, ptr %s14
%v170 = load <8 x float>, ptr %s15
%v171 = load <8 x float>, ptr %s16
%v172 = load <8 x float>, ptr %s17
%v173 = add i64 %v13, 8
%v174 = mul i64 2, %v13
%v175 = mul i64 2, %v13
%v176 = add i64 %v175, 8
%v177 = mul i64 3, %v13
%v178 = mul i64 3, %v13
%v179 = add i64 %v178, 8
%v180 = mul i64 4, %v13
%v181 = mul i64 4, %v13
%v182 = add i64 %v181, 8
%v183 = mul i64 5, %v13
%v184 = mul i64 5, %v13
%v185 = add i64 %v184, 8
store <8 x float> %v161, ptr %v12, align 4
%v186 = getelementptr float, ptr %v12, i64 8
store <8 x float> %v162, ptr %v186, align 4
%v187 = getelementptr float, ptr %v12, i64 %v13
store <8 x float> %v163, ptr %v187, align 4
%v188 = getelementptr float, ptr %v12, i64 %v173
store <8 x float> %v164, ptr %v188, align 4
%v189 = getelementptr float, ptr %v12, i64 %v174
store <8 x float> %v165, ptr %v189, align 4
%v190 = getelementptr float, ptr %v12, i64 %v176
store <8 x float> %v166, ptr %v190, align 4
%v191 = getelementptr float, ptr %v12, i64 %v177
store <8 x float> %v167, ptr %v191, align 4
%v192 = getelementptr float, ptr %v12, i64 %v179
store <8 x float> %v168, ptr %v192, align 4
%v193 = getelementptr float, ptr %v12, i64 %v180
store <8 x float> %v169, ptr %v193, align 4
%v194 = getelementptr float, ptr %v12, i64 %v182
store <8 x float> %v170, ptr %v194, align 4
%v195 = getelementptr float, ptr %v12, i64 %v183
store <8 x float> %v171, ptr %v195, align 4
%v196 = getelementptr float, ptr %v12, i64 %v185
store <8 x float> %v172, ptr %v196, align 4
br label %end8
else7:
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
%v197 = getelementptr float, ptr %a0, i64 12
%v198 = getelementptr float, ptr %a0, i64 24
%v199 = getelementptr float, ptr %a0, i64 36
%v200 = getelementptr float, ptr %a0, i64 48
%v201 = getelementptr float, ptr %a0, i64 60
br label %loop11
loop11:
%v202 = phi i64 [ 0, %else7 ], [ %v357, %loop11 ]
%v203 = mul i64 %v202, 80
%v204 = getelementptr i8, ptr %v14, i64 %v203
call void @llvm.prefetch.p0(ptr %v204, i32 0, i32 3, i32 1)
%v205 = mul i64 %v202, 20
%v206 = trunc i64 %v15 to i32
%v207 = insertelement <8 x i32> poison, i32 %v206, i32 0
%v208 = shufflevector <8 x i32> %v207, <8 x i32> poison, <8 x i32> zeroinitializer
%v209 = icmp sgt <8 x i32> %v208, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v210 = getelementptr float, ptr %v5, i64 %v205
%v211 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v210, i32 4, <8 x i1> %v209, <8 x float> splat (float 0x0000000000000000))
%v212 = mul i64 %v202, 2
%v213 = mul i64 %v212, 8
%v214 = getelementptr float, ptr %v2, i64 %v213
store <8 x float> %v211, ptr %v214, align 4
%v215 = add i64 %v205, 8
%v216 = sub i64 %v15, 8
%v217 = trunc i64 %v216 to i32
%v218 = insertelement <8 x i32> poison, i32 %v217, i32 0
%v219 = shufflevector <8 x i32> %v218, <8 x i32> poison, <8 x i32> zeroinitializer
%v220 = icmp sgt <8 x i32> %v219, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v221 = getelementptr float, ptr %v5, i64 %v215
%v222 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v221, i32 4, <8 x i1> %v220, <8 x float> splat (float 0x0000000000000000))
%v223 = mul i64 %v202, 2
%v224 = add i64 %v223, 1
%v225 = mul i64 %v224, 8
%v226 = getelementptr float, ptr %v2, i64 %v225
store <8 x float> %v222, ptr %v226, align 4
%v227 = getelementptr float, ptr %a0, i64 %v202
%v228 = load float, ptr %v227, align 4
%v229 = insertelement <8 x float> poison, float %v228, i32 0
%v230 = shufflevector <8 x float> %v229, <8 x float> poison, <8 x i32> zeroinitializer
%v231 = load <8 x float>, ptr %s18
%v232 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v230, <8 x float> %v211, <8 x float> %v231)
store <8 x float> %v232, ptr %s18
%v233 = load <8 x float>, ptr %s19
%v234 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v230, <8 x float> %v222, <8 x float> %v233)
store <8 x float> %v234, ptr %s19
%v235 = getelementptr float, ptr %v197, i64 %v202
%v236 = load float, ptr %v235, align 4
%v237 = insertelement <8 x float> poison, float %v236, i32 0
%v238 = shufflevector <8 x float> %v237, <8 x float> poison, <8 x i32> zeroinitializer
%v239 = load <8 x float>, ptr %s20
%v240 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v238, <8 x float> %v211, <8 x float> %v239)
store <8 x float> %v240, ptr %s20
%v241 = load <8 x float>, ptr %s21
%v242 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v238, <8 x float> %v222, <8 x float> %v241)
store <8 x float> %v242, ptr %s21
%v243 = getelementptr float, ptr %v198, i64 %v202
%v244 = load float, ptr %v243, align 4
%v245 = insertelement <8 x float> poison, float %v244, i32 0
%v246 = shufflevector <8 x float> %v245, <8 x float> poison, <8 x i32> zeroinitializer
%v247 = load <8 x float>, ptr %s22
%v248 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v246, <8 x float> %v211, <8 x float> %v247)
store <8 x float> %v248, ptr %s22
%v249 = load <8 x float>, ptr %s23
%v250 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v246, <8 x float> %v222, <8 x float> %v249)
store <8 x float> %v250, ptr %s23
%v251 = getelementptr float, ptr %v199, i64 %v202
%v252 = load float, ptr %v251, align 4
%v253 = insertelement <8 x float> poison, float %v252, i32 0
%v254 = shufflevector <8 x float> %v253, <8 x float> poison, <8 x i32> zeroinitializer
%v255 = load <8 x float>, ptr %s24
%v256 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v254, <8 x float> %v211, <8 x float> %v255)
store <8 x float> %v256, ptr %s24
%v257 = load <8 x float>, ptr %s25
%v258 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v254, <8 x float> %v222, <8 x float> %v257)
store <8 x float> %v258, ptr %s25
%v259 = getelementptr float, ptr %v200, i64 %v202
%v260 = load float, ptr %v259, align 4
%v261 = insertelement <8 x float> poison, float %v260, i32 0
%v262 = shufflevector <8 x float> %v261, <8 x float> poison, <8 x i32> zeroinitializer
%v263 = load <8 x float>, ptr %s26
%v264 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v262, <8 x float> %v211, <8 x float> %v263)
store <8 x float> %v264, ptr %s26
%v265 = load <8 x float>, ptr %s27
%v266 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v262, <8 x float> %v222, <8 x float> %v265)
store <8 x float> %v266, ptr %s27
%v267 = getelementptr float, ptr %v201, i64 %v202
%v268 = load float, ptr %v267, align 4
%v269 = insertelement <8 x float> poison, float %v268, i32 0
%v270 = shufflevector <8 x float> %v269, <8 x float> poison, <8 x i32> zeroinitializer
%v271 = load <8 x float>, ptr %s28
%v272 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v270, <8 x float> %v211, <8 x float> %v271)
store <8 x float> %v272, ptr %s28
%v273 = load <8 x float>, ptr %s29
%v274 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v270, <8 x float> %v222, <8 x float> %v273)
store <8 x float> %v274, ptr %s29
%v275 = add i64 %v202, 1
%v276 = mul i64 %v275, 80
%v277 = getelementptr i8, ptr %v14, i64 %v276
call void @llvm.prefetch.p0(ptr %v277, i32 0, i32 3, i32 1)
%v278 = mul i64 %v202, 20
%v279 = add i64 %v278, 20
%v280 = trunc i64 %v15 to i32
%v281 = insertelement <8 x i32> poison, i32 %v280, i32 0
%v282 = shufflevector <8 x i32> %v281, <8 x i32> poison, <8 x i32> zeroinitializer
%v283 = icmp sgt <8 x i32> %v282, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v284 = getelementptr float, ptr %v5, i64 %v279
%v285 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v284, i32 4, <8 x i1> %v283, <8 x float> splat (float 0x0000000000000000))
%v286 = add i64 %v202, 1
%v287 = mul i64 %v286, 2
%v288 = mul i64 %v287, 8
%v289 = getelementptr float, ptr %v2, i64 %v288
store <8 x float> %v285, ptr %v289, align 4
%v290 = add i64 %v279, 8
%v291 = sub i64 %v15, 8
%v292 = trunc i64 %v291 to i32
%v293 = insertelement <8 x i32> poison, i32 %v292, i32 0
%v294 = shufflevector <8 x i32> %v293, <8 x i32> poison, <8 x i32> zeroinitializer
%v295 = icmp sgt <8 x i32> %v294, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v296 = getelementptr float, ptr %v5, i64 %v290
%v297 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v296, i32 4, <8 x i1> %v295, <8 x float> splat (float 0x0000000000000000))
%v298 = add i64 %v202, 1
%v299 = mul i64 %v298, 2
%v300 = add i64 %v299, 1
%v301 = mul i64 %v300, 8
%v302 = getelementptr float, ptr %v2, i64 %v301
store <8 x float> %v297, ptr %v302, align 4
%v303 = add i64 %v202, 1
%v304 = getelementptr float, ptr %a0, i64 %v303
%v305 = load float, ptr %v304, align 4
%v306 = insertelement <8 x float> poison, float %v305, i32 0
%v307 = shufflevector <8 x float> %v306, <8 x float> poison, <8 x i32> zeroinitializer
%v308 = load <8 x float>, ptr %s18
%v309 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v307, <8 x float> %v285, <8 x float> %v308)
store <8 x float> %v309, ptr %s18
%v310 = load <8 x float>, ptr %s19
%v311 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v307, <8 x float> %v297, <8 x float> %v310)
store <8 x float> %v311, ptr %s19
%v312 = add i64 %v202, 1
%v313 = getelementptr float, ptr %v197, i64 %v312
%v314 = load float, ptr %v313, align 4
%v315 = insertelement <8 x float> poison, float %v314, i32 0
%v316 = shufflevector <8 x float> %v315, <8 x float> poison, <8 x i32> zeroinitializer
%v317 = load <8 x float>, ptr %s20
%v318 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v316, <8 x float> %v285, <8 x float> %v317)
store <8 x float> %v318, ptr %s20
%v319 = load <8 x float>, ptr %s21
%v320 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v316, <8 x float> %v297, <8 x float> %v319)
store <8 x float> %v320, ptr %s21
%v321 = add i64 %v202, 1
%v322 = getelementptr float, ptr %v198, i64 %v321
%v323 = load float, ptr %v322, align 4
%v324 = insertelement <8 x float> poison, float %v323, i32 0
%v325 = shufflevector <8 x float> %v324, <8 x float> poison, <8 x i32> zeroinitializer
%v326 = load <8 x float>, ptr %s22
%v327 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v325, <8 x float> %v285, <8 x float> %v326)
store <8 x float> %v327, ptr %s22
%v328 = load <8 x float>, ptr %s23
%v329 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v325, <8 x float> %v297, <8 x float> %v328)
store <8 x float> %v329, ptr %s23
%v330 = add i64 %v202, 1
%v331 = getelementptr float, ptr %v199, i64 %v330
%v332 = load float, ptr %v331, align 4
%v333 = insertelement <8 x float> poison, float %v332, i32 0
%v334 = shufflevector <8 x float> %v333, <8 x float> poison, <8 x i32> zeroinitializer
%v335 = load <8 x float>, ptr %s24
%v336 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v334, <8 x float> %v285, <8 x float> %v335)
store <8 x float> %v336, ptr %s24
%v337 = load <8 x float>, ptr %s25
%v338 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v334, <8 x float> %v297, <8 x float> %v337)
store <8 x float> %v338, ptr %s25
%v339 = add i64 %v202, 1
%v340 = getelementptr float, ptr %v200, i64 %v339
%v341 = load float, ptr %v340, align 4
%v342 = insertelement <8 x float> poison, float %v341, i32 0
%v343 = shufflevector <8 x float> %v342, <8 x float> poison, <8 x i32> zeroinitializer
%v344 = load <8 x float>, ptr %s26
%v345 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v343, <8 x float> %v285, <8 x float> %v344)
store <8 x float> %v345, ptr %s26
%v346 = load <8 x float>, ptr %s27
%v347 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v343, <8 x float> %v297, <8 x float> %v346)
store <8 x float> %v347, ptr %s27
%v348 = add i64 %v202, 1
%v349 = getelementptr float, ptr %v201, i64 %v348
%v350 = load float, ptr %v349, align 4
%v351 = insertelement <8 x float> poison, float %v350, i32 0
%v352 = shufflevector <8 x float> %v351, <8 x float> poison, <8 x i32> zeroinitializer
%v353 = load <8 x float>, ptr %s28
%v354 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v352, <8 x float> %v285, <8 x float> %v353)
store <8 x float> %v354, ptr %s28
%v355 = load <8 x float>, ptr %s29
%v356 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v352, <8 x float> %v297, <8 x float> %v355)
store <8 x float> %v356, ptr %s29
%v357 = add i64 %v202, 2
%v358 = icmp slt i64 %v357, 12
br i1 %v358, label %loop11, label %end12
end12:
%v359 = load <8 x float>, ptr %s18
%v360 = load <8 x float>, ptr %s19
%v361 = load <8 x float>, ptr %s20
%v362 = load <8 x float>, ptr %s21
%v363 = load <8 x float>, ptr %s22
%v364 = load <8 x float>, ptr %s23
%v365 = load <8 x float>, ptr %s24
%v366 = load <8 x float>, ptr %s25
%v367 = load <8 x float>, ptr %s26
%v368 = load <8 x float>, ptr %s27
%v369 = load <8 x float>, ptr %s28
%v370 = load <8 x float>, ptr %s29
%v371 = add i64 %v13, 8
%v372 = mul i64 2, %v13
%v373 = mul i64 2, %v13
%v374 = add i64 %v373, 8
%v375 = mul i64 3, %v13
%v376 = mul i64 3, %v13
%v377 = add i64 %v376, 8
%v378 = mul i64 4, %v13
%v379 = mul i64 4, %v13
%v380 = add i64 %v379, 8
%v381 = mul i64 5, %v13
%v382 = mul i64 5, %v13
%v383 = add i64 %v382, 8
store <8 x float> %v359, ptr %v12, align 4
%v384 = getelementptr float, ptr %v12, i64 8
store <8 x float> %v360, ptr %v384, align 4
%v385 = getelementptr float, ptr %v12, i64 %v13
store <8 x float> %v361, ptr %v385, align 4
%v386 = getelementptr float, ptr %v12, i64 %v371
store <8 x float> %v362, ptr %v386, align 4
%v387 = getelementptr float, ptr %v12, i64 %v372
store <8 x float> %v363, ptr %v387, align 4
%v388 = getelementptr float, ptr %v12, i64 %v374
store <8 x float> %v364, ptr %v388, align 4
%v389 = getelementptr float, ptr %v12, i64 %v375
store <8 x float> %v365, ptr %v389, align 4
%v390 = getelementptr float, ptr %v12, i64 %v377
store <8 x float> %v366, ptr %v390, align 4
%v391 = getelementptr float, ptr %v12, i64 %v378
store <8 x float> %v367, ptr %v391, align 4
%v392 = getelementptr float, ptr %v12, i64 %v380
store <8 x float> %v368, ptr %v392, align 4
%v393 = getelementptr float, ptr %v12, i64 %v381
store <8 x float> %v369, ptr %v393, align 4
%v394 = getelementptr float, ptr %v12, i64 %v383
store <8 x float> %v370, ptr %v394, align 4
br label %end8
end8:
br label %loop13
loop13:
%v395 = phi i64 [ 1, %end8 ], [ %v563, %end16 ]
%v396 = mul i64 %v395, 6
%v397 = mul i64 %v396, 12
%v398 = getelementptr float, ptr %a0, i64 %v397
%v399 = udiv i64 %v396, 6
%v400 = mul i64 %v396, 16
%v401 = getelementptr float, ptr %v7, i64 %v400
%v402 = mul i64 %v396, %v13
%v403 = getelementptr float, ptr %v12, i64 %v402
store <8 x float> splat (float 0x0000000000000000), ptr %s30
store <8 x float> splat (float 0x0000000000000000), ptr %s31
store <8 x float> splat (float 0x0000000000000000), ptr %s32
store <8 x float> splat (float 0x0000000000000000), ptr %s33
store <8 x float> splat (float 0x0000000000000000), ptr %s34
store <8 x float> splat (float 0x0000000000000000), ptr %s35
store <8 x float> splat (float 0x0000000000000000), ptr %s36
store <8 x float> splat (float 0x0000000000000000), ptr %s37
store <8 x float> splat (float 0x0000000000000000), ptr %s38
store <8 x float> splat (float 0x0000000000000000), ptr %s39
store <8 x float> splat (float 0x0000000000000000), ptr %s40
store <8 x float> splat (float 0x0000000000000000), ptr %s41
%v404 = getelementptr float, ptr %v398, i64 12
%v405 = getelementptr float, ptr %v398, i64 24
%v406 = getelementptr float, ptr %v398, i64 36
%v407 = getelementptr float, ptr %v398, i64 48
%v408 = getelementptr float, ptr %v398, i64 60
br label %loop15
loop15:
%v409 = phi i64 [ 0, %loop13 ], [ %v525, %loop15 ]
%v410 = mul i64 %v409, 16
%v411 = getelementptr float, ptr %v2, i64 %v410
%v412 = load <8 x float>, ptr %v411, align 4
%v413 = add i64 %v410, 8
%v414 = getelementptr float, ptr %v2, i64 %v413
%v415 = load <8 x float>, ptr %v414, align 4
%v416 = getelementptr float, ptr %v398, i64 %v409
%v417 = load float, ptr %v416, align 4
%v418 = insertelement <8 x float> poison, float %v417, i32 0
%v419 = shufflevector <8 x float> %v418, <8 x float> poison, <8 x i32> zeroinitializer
%v420 = load <8 x float>, ptr %s30
%v421 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v419, <8 x float> %v412, <8 x float> %v420)
store <8 x float> %v421, ptr %s30
%v422 = load <8 x float>, ptr %s31
%v423 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v419, <8 x float> %v415, <8 x float> %v422)
store <8 x float> %v423, ptr %s31
%v424 = getelementptr float, ptr %v404, i64 %v409
%v425 = load float, ptr %v424, align 4
%v426 = insertelement <8 x float> poison, float %v425, i32 0
%v427 = shufflevector <8 x float> %v426, <8 x float> poison, <8 x i32> zeroinitializer
%v428 = load <8 x float>, ptr %s32
%v429 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v427, <8 x float> %v412, <8 x float> %v428)
store <8 x float> %v429, ptr %s32
%v430 = load <8 x float>, ptr %s33
%v431 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v427, <8 x float> %v415, <8 x float> %v430)
store <8 x float> %v431, ptr %s33
%v432 = getelementptr float, ptr %v405, i64 %v409
%v433 = load float, ptr %v432, align 4
%v434 = insertelement <8 x float> poison, float %v433, i32 0
%v435 = shufflevector <8 x float> %v434, <8 x float> poison, <8 x i32> zeroinitializer
%v436 = load <8 x float>, ptr %s34
%v437 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v435, <8 x float> %v412, <8 x float> %v436)
store <8 x float> %v437, ptr %s34
%v438 = load <8 x float>, ptr %s35
%v439 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v435, <8 x float> %v415, <8 x float> %v438)
store <8 x float> %v439, ptr %s35
%v440 = getelementptr float, ptr %v406, i64 %v409
%v441 = load float, ptr %v440, align 4
%v442 = insertelement <8 x float> poison, float %v441, i32 0
%v443 = shufflevector <8 x float> %v442, <8 x float> poison, <8 x i32> zeroinitializer
%v444 = load <8 x float>, ptr %s36
%v445 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v443, <8 x float> %v412, <8 x float> %v444)
store <8 x float> %v445, ptr %s36
%v446 = load <8 x float>, ptr %s37
%v447 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v443, <8 x float> %v415, <8 x float> %v446)
store <8 x float> %v447, ptr %s37
%v448 = getelementptr float, ptr %v407, i64 %v409
%v449 = load float, ptr %v448, align 4
%v450 = insertelement <8 x float> poison, float %v449, i32 0
%v451 = shufflevector <8 x float> %v450, <8 x float> poison, <8 x i32> zeroinitializer
%v452 = load <8 x float>, ptr %s38
%v453 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v451, <8 x float> %v412, <8 x float> %v452)
store <8 x float> %v453, ptr %s38
%v454 = load <8 x float>, ptr %s39
%v455 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v451, <8 x float> %v415, <8 x float> %v454)
store <8 x float> %v455, ptr %s39
%v456 = getelementptr float, ptr %v408, i64 %v409
%v457 = load float, ptr %v456, align 4
%v458 = insertelement <8 x float> poison, float %v457, i32 0
%v459 = shufflevector <8 x float> %v458, <8 x float> poison, <8 x i32> zeroinitializer
%v460 = load <8 x float>, ptr %s40
%v461 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v459, <8 x float> %v412, <8 x float> %v460)
store <8 x float> %v461, ptr %s40
%v462 = load <8 x float>, ptr %s41
%v463 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v459, <8 x float> %v415, <8 x float> %v462)
store <8 x float> %v463, ptr %s41
%v464 = mul i64 %v409, 16
%v465 = add i64 %v464, 16
%v466 = getelementptr float, ptr %v2, i64 %v465
%v467 = load <8 x float>, ptr %v466, align 4
%v468 = add i64 %v465, 8
%v469 = getelementptr float, ptr %v2, i64 %v468
%v470 = load <8 x float>, ptr %v469, align 4
%v471 = add i64 %v409, 1
%v472 = getelementptr float, ptr %v398, i64 %v471
%v473 = load float, ptr %v472, align 4
%v474 = insertelement <8 x float> poison, float %v473, i32 0
%v475 = shufflevector <8 x float> %v474, <8 x float> poison, <8 x i32> zeroinitializer
%v476 = load <8 x float>, ptr %s30
%v477 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v475, <8 x float> %v467, <8 x float> %v476)
store <8 x float> %v477, ptr %s30
%v478 = load <8 x float>, ptr %s31
%v479 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v475, <8 x float> %v470, <8 x float> %v478)
store <8 x float> %v479, ptr %s31
%v480 = add i64 %v409, 1
%v481 = getelementptr float, ptr %v404, i64 %v480
%v482 = load float, ptr %v481, align 4
%v483 = insertelement <8 x float> poison, float %v482, i32 0
%v484 = shufflevector <8 x float> %v483, <8 x float> poison, <8 x i32> zeroinitializer
%v485 = load <8 x float>, ptr %s32
%v486 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v484, <8 x float> %v467, <8 x float> %v485)
store <8 x float> %v486, ptr %s32
%v487 = load <8 x float>, ptr %s33
%v488 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v484, <8 x float> %v470, <8 x float> %v487)
store <8 x float> %v488, ptr %s33
%v489 = add i64 %v409, 1
%v490 = getelementptr float, ptr %v405, i64 %v489
%v491 = load float, ptr %v490, align 4
%v492 = insertelement <8 x float> poison, float %v491, i32 0
%v493 = shufflevector <8 x float> %v492, <8 x float> poison, <8 x i32> zeroinitializer
%v494 = load <8 x float>, ptr %s34
%v495 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v493, <8 x float> %v467, <8 x float> %v494)
store <8 x float> %v495, ptr %s34
%v496 = load <8 x float>, ptr %s35
%v497 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v493, <8 x float> %v470, <8 x float> %v496)
store <8 x float> %v497, ptr %s35
%v498 = add i64 %v409, 1
%v499 = getelementptr float, ptr %v406, i64 %v498
%v500 = load float, ptr %v499, align 4
%v501 = insertelement <8 x float> poison, float %v500, i32 0
%v502 = shufflevector <8 x float> %v501, <8 x float> poison, <8 x i32> zeroinitializer
%v503 = load <8 x float>, ptr %s36
%v504 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v502, <8 x float> %v467, <8 x float> %v503)
store <8 x float> %v504, ptr %s36
%v505 = load <8 x float>, ptr %s37
%v506 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v502, <8 x float> %v470, <8 x float> %v505)
store <8 x float> %v506, ptr %s37
%v507 = add i64 %v409, 1
%v508 = getelementptr float, ptr %v407, i64 %v507
%v509 = load float, ptr %v508, align 4
%v510 = insertelement <8 x float> poison, float %v509, i32 0
%v511 = shufflevector <8 x float> %v510, <8 x float> poison, <8 x i32> zeroinitializer
%v512 = load <8 x float>, ptr %s38
%v513 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v511, <8 x float> %v467, <8 x float> %v512)
store <8 x float> %v513, ptr %s38
%v514 = load <8 x float>, ptr %s39
%v515 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v511, <8 x float> %v470, <8 x float> %v514)
store <8 x float> %v515, ptr %s39
%v516 = add i64 %v409, 1
%v517 = getelementptr float, ptr %v408, i64 %v516
%v518 = load float, ptr %v517, align 4
%v519 = insertelement <8 x float> poison, float %v518, i32 0
%v520 = shufflevector <8 x float> %v519, <8 x float> poison, <8 x i32> zeroinitializer
%v521 = load <8 x float>, ptr %s40
%v522 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v520, <8 x float> %v467, <8 x float> %v521)
store <8 x float> %v522, ptr %s40
%v523 = load <8 x float>, ptr %s41
%v524 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v520, <8 x float> %v470, <8 x float> %v523)
store <8 x float> %v524, ptr %s41
%v525 = add i64 %v409, 2
%v526 = icmp slt i64 %v525, 12
br i1 %v526, label %loop15, label %end16
end16:
%v527 = load <8 x float>, ptr %s30
%v528 = load <8 x float>, ptr %s31
%v529 = load <8 x float>, ptr %s32
%v530 = load <8 x float>, ptr %s33
%v531 = load <8 x float>, ptr %s34
%v532 = load <8 x float>, ptr %s35
%v533 = load <8 x float>, ptr %s36
%v534 = load <8 x float>, ptr %s37
%v535 = load <8 x float>, ptr %s38
%v536 = load <8 x float>, ptr %s39
%v537 = load <8 x float>, ptr %s40
%v538 = load <8 x float>, ptr %s41
%v539 = add i64 %v13, 8
%v540 = mul i64 2, %v13
%v541 = mul i64 2, %v13
%v542 = add i64 %v541, 8
%v543 = mul i64 3, %v13
%v544 = mul i64 3, %v13
%v545 = add i64 %v544, 8
%v546 = mul i64 4, %v13
%v547 = mul i64 4, %v13
%v548 = add i64 %v547, 8
%v549 = mul i64 5, %v13
%v550 = mul i64 5, %v13
%v551 = add i64 %v550, 8
store <8 x float> %v527, ptr %v403, align 4
%v552 = getelementptr float, ptr %v403, i64 8
store <8 x float> %v528, ptr %v552, align 4
%v553 = getelementptr float, ptr %v403, i64 %v13
store <8 x float> %v529, ptr %v553, align 4
%v554 = getelementptr float, ptr %v403, i64 %v539
store <8 x float> %v530, ptr %v554, align 4
%v555 = getelementptr float, ptr %v403, i64 %v540
store <8 x float> %v531, ptr %v555, align 4
%v556 = getelementptr float, ptr %v403, i64 %v542
store <8 x float> %v532, ptr %v556, align 4
%v557 = getelementptr float, ptr %v403, i64 %v543
store <8 x float> %v533, ptr %v557, align 4
%v558 = getelementptr float, ptr %v403, i64 %v545
store <8 x float> %v534, ptr %v558, align 4
%v559 = getelementptr float, ptr %v403, i64 %v546
store <8 x float> %v535, ptr %v559, align 4
%v560 = getelementptr float, ptr %v403, i64 %v548
store <8 x float> %v536, ptr %v560, align 4
%v561 = getelementptr float, ptr %v403, i64 %v549
store <8 x float> %v537, ptr %v561, align 4
%v562 = getelementptr float, ptr %v403, i64 %v551
store <8 x float> %v538, ptr %v562, align 4
%v563 = add i64 %v395, 1
%v564 = icmp slt i64 %v563, 6
br i1 %v564, label %loop13, label %end14
end14:
%v565 = getelementptr float, ptr %a0, i64 432
%v566 = getelementptr float, ptr %v7, i64 576
%v567 = mul i64 36, %v13
%v568 = getelementptr float, ptr %v12, i64 %v567
store <8 x float> splat (float 0x0000000000000000), ptr %s42
store <8 x float> splat (float 0x0000000000000000), ptr %s43
store <8 x float> splat (float 0x0000000000000000), ptr %s44
store <8 x float> splat (float 0x0000000000000000), ptr %s45
store <8 x float> splat (float 0x0000000000000000), ptr %s46
store <8 x float> splat (float 0x0000000000000000), ptr %s47
store <8 x float> splat (float 0x0000000000000000), ptr %s48
store <8 x float> splat (float 0x0000000000000000), ptr %s49
%v569 = getelementptr float, ptr %v565, i64 12
%v570 = getelementptr float, ptr %v565, i64 24
%v571 = getelementptr float, ptr %v565, i64 36
br label %loop17
loop17:
%v572 = phi i64 [ 0, %end14 ], [ %v654, %loop17 ]
%v573 = mul i64 %v572, 16
%v574 = getelementptr float, ptr %v2, i64 %v573
%v575 = load <8 x float>, ptr %v574, align 4
%v576 = add i64 %v573, 8
%v577 = getelementptr float, ptr %v2, i64 %v576
%v578 = load <8 x float>, ptr %v577, align 4
%v579 = getelementptr float, ptr %v565, i64 %v572
%v580 = load float, ptr %v579, align 4
%v581 = insertelement <8 x float> poison, float %v580, i32 0
%v582 = shufflevector <8 x float> %v581, <8 x float> poison, <8 x i32> zeroinitializer
%v583 = load <8 x float>, ptr %s42
%v584 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v582, <8 x float> %v575, <8 x float> %v583)
store <8 x float> %v584, ptr %s42
%v585 = load <8 x float>, ptr %s43
%v586 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v582, <8 x float> %v578, <8 x float> %v585)
store <8 x float> %v586, ptr %s43
%v587 = getelementptr float, ptr %v569, i64 %v572
%v588 = load float, ptr %v587, align 4
%v589 = insertelement <8 x float> poison, float %v588, i32 0
%v590 = shufflevector <8 x float> %v589, <8 x float> poison, <8 x i32> zeroinitializer
%v591 = load <8 x float>, ptr %s44
%v592 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v590, <8 x float> %v575, <8 x float> %v591)
store <8 x float> %v592, ptr %s44
%v593 = load <8 x float>, ptr %s45
%v594 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v590, <8 x float> %v578, <8 x float> %v593)
store <8 x float> %v594, ptr %s45
%v595 = getelementptr float, ptr %v570, i64 %v572
%v596 = load float, ptr %v595, align 4
%v597 = insertelement <8 x float> poison, float %v596, i32 0
%v598 = shufflevector <8 x float> %v597, <8 x float> poison, <8 x i32> zeroinitializer
%v599 = load <8 x float>, ptr %s46
%v600 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v598, <8 x float> %v575, <8 x float> %v599)
store <8 x float> %v600, ptr %s46
%v601 = load <8 x float>, ptr %s47
%v602 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v598, <8 x float> %v578, <8 x float> %v601)
store <8 x float> %v602, ptr %s47
%v603 = getelementptr float, ptr %v571, i64 %v572
%v604 = load float, ptr %v603, align 4
%v605 = insertelement <8 x float> poison, float %v604, i32 0
%v606 = shufflevector <8 x float> %v605, <8 x float> poison, <8 x i32> zeroinitializer
%v607 = load <8 x float>, ptr %s48
%v608 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v606, <8 x float> %v575, <8 x float> %v607)
store <8 x float> %v608, ptr %s48
%v609 = load <8 x float>, ptr %s49
%v610 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v606, <8 x float> %v578, <8 x float> %v609)
store <8 x float> %v610, ptr %s49
%v611 = mul i64 %v572, 16
%v612 = add i64 %v611, 16
%v613 = getelementptr float, ptr %v2, i64 %v612
%v614 = load <8 x float>, ptr %v613, align 4
%v615 = add i64 %v612, 8
%v616 = getelementptr float, ptr %v2, i64 %v615
%v617 = load <8 x float>, ptr %v616, align 4
%v618 = add i64 %v572, 1
%v619 = getelementptr float, ptr %v565, i64 %v618
%v620 = load float, ptr %v619, align 4
%v621 = insertelement <8 x float> poison, float %v620, i32 0
%v622 = shufflevector <8 x float> %v621, <8 x float> poison, <8 x i32> zeroinitializer
%v623 = load <8 x float>, ptr %s42
%v624 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v622, <8 x float> %v614, <8 x float> %v623)
store <8 x float> %v624, ptr %s42
%v625 = load <8 x float>, ptr %s43
%v626 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v622, <8 x float> %v617, <8 x float> %v625)
store <8 x float> %v626, ptr %s43
%v627 = add i64 %v572, 1
%v628 = getelementptr float, ptr %v569, i64 %v627
%v629 = load float, ptr %v628, align 4
%v630 = insertelement <8 x float> poison, float %v629, i32 0
%v631 = shufflevector <8 x float> %v630, <8 x float> poison, <8 x i32> zeroinitializer
%v632 = load <8 x float>, ptr %s44
%v633 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v631, <8 x float> %v614, <8 x float> %v632)
store <8 x float> %v633, ptr %s44
%v634 = load <8 x float>, ptr %s45
%v635 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v631, <8 x float> %v617, <8 x float> %v634)
store <8 x float> %v635, ptr %s45
%v636 = add i64 %v572, 1
%v637 = getelementptr float, ptr %v570, i64 %v636
%v638 = load float, ptr %v637, align 4
%v639 = insertelement <8 x float> poison, float %v638, i32 0
%v640 = shufflevector <8 x float> %v639, <8 x float> poison, <8 x i32> zeroinitializer
%v641 = load <8 x float>, ptr %s46
%v642 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v640, <8 x float> %v614, <8 x float> %v641)
store <8 x float> %v642, ptr %s46
%v643 = load <8 x float>, ptr %s47
%v644 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v640, <8 x float> %v617, <8 x float> %v643)
store <8 x float> %v644, ptr %s47
%v645 = add i64 %v572, 1
%v646 = getelementptr float, ptr %v571, i64 %v645
%v647 = load float, ptr %v646, align 4
%v648 = insertelement <8 x float> poison, float %v647, i32 0
%v649 = shufflevector <8 x float> %v648, <8 x float> poison, <8 x i32> zeroinitializer
%v650 = load <8 x float>, ptr %s48
%v651 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v649, <8 x float> %v614, <8 x float> %v650)
store <8 x float> %v651, ptr %s48
%v652 = load <8 x float>, ptr %s49
%v653 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v649, <8 x float> %v617, <8 x float> %v652)
store <8 x float> %v653, ptr %s49
%v654 = add i64 %v572, 2
%v655 = icmp slt i64 %v654, 12
br i1 %v655, label %loop17, label %end18
end18:
%v656 = load <8 x float>, ptr %s42
%v657 = load <8 x float>, ptr %s43
%v658 = load <8 x float>, ptr %s44
%v659 = load <8 x float>, ptr %s45
%v660 = load <8 x float>, ptr %s46
%v661 = load <8 x float>, ptr %s47
%v662 = load <8 x float>, ptr %s48
%v663 = load <8 x float>, ptr %s49
%v664 = add i64 %v13, 8
%v665 = mul i64 2, %v13
%v666 = mul i64 2, %v13
%v667 = add i64 %v666, 8
%v668 = mul i64 3, %v13
%v669 = mul i64 3, %v13
%v670 = add i64 %v669, 8
store <8 x float> %v656, ptr %v568, align 4
%v671 = getelementptr float, ptr %v568, i64 8
store <8 x float> %v657, ptr %v671, align 4
%v672 = getelementptr float, ptr %v568, i64 %v13
store <8 x float> %v658, ptr %v672, align 4
%v673 = getelementptr float, ptr %v568, i64 %v664
store <8 x float> %v659, ptr %v673, align 4
%v674 = getelementptr float, ptr %v568, i64 %v665
store <8 x float> %v660, ptr %v674, align 4
%v675 = getelementptr float, ptr %v568, i64 %v667
store <8 x float> %v661, ptr %v675, align 4
%v676 = getelementptr float, ptr %v568, i64 %v668
store <8 x float> %v662, ptr %v676, align 4
%v677 = getelementptr float, ptr %v568, i64 %v670
store <8 x float> %v663, ptr %v677, align 4
%v678 = xor i1 %v10, true
br i1 %v678, label %then19, label %else20
then19:
%v679 = mul i64 %v3, 3840
%v680 = getelementptr float, ptr %scratch, i64 %v679
%v681 = mul i64 %v3, 16
%v682 = sub i64 20, %v681
%v683 = icmp sge i64 %v682, 16
br i1 %v683, label %then22, label %else23
then22:
br label %loop25
loop25:
%v684 = phi i64 [ 0, %then22 ], [ %v699, %loop25 ]
%v685 = mul i64 %v684, 16
%v686 = getelementptr float, ptr %v680, i64 %v685
%v687 = load <8 x float>, ptr %v686, align 4
%v688 = mul i64 %v684, 16
%v689 = add i64 %v688, 8
%v690 = getelementptr float, ptr %v680, i64 %v689
%v691 = load <8 x float>, ptr %v690, align 4
%v692 = mul i64 %v684, 20
%v693 = add i64 %v692, %v681
%v694 = getelementptr float, ptr %a2, i64 %v693
store <8 x float> %v687, ptr %v694, align 4
%v695 = mul i64 %v684, 20
%v696 = add i64 %v695, %v681
%v697 = add i64 %v696, 8
%v698 = getelementptr float, ptr %a2, i64 %v697
store <8 x float> %v691, ptr %v698, align 4
%v699 = add i64 %v684, 1
%v700 = icmp slt i64 %v699, 40
br i1 %v700, label %loop25, label %end26
end26:
br label %end24
else23:
br label %loop27
loop27:
%v701 = phi i64 [ 0, %else23 ], [ %v725, %loop27 ]
%v702 = mul i64 %v701, 16
%v703 = getelementptr float, ptr %v680, i64 %v702
%v704 = load <8 x float>, ptr %v703, align 4
%v705 = mul i64 %v701, 16
%v706 = add i64 %v705, 8
%v707 = getelementptr float, ptr %v680, i64 %v706
%v708 = load <8 x float>, ptr %v707, align 4
%v709 = mul i64 %v701, 20
%v710 = add i64 %v709, %v681
%v711 = getelementptr float, ptr %a2, i64 %v710
%v712 = trunc i64 %v682 to i32
%v713 = insertelement <8 x i32> poison, i32 %v712, i32 0
%v714 = shufflevector <8 x i32> %v713, <8 x i32> poison, <8 x i32> zeroinitializer
%v715 = icmp sgt <8 x i32> %v714, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v704, ptr %v711, i32 4, <8 x i1> %v715)
%v716 = mul i64 %v701, 20
%v717 = add i64 %v716, %v681
%v718 = add i64 %v717, 8
%v719 = sub i64 %v682, 8
%v720 = getelementptr float, ptr %a2, i64 %v718
%v721 = trunc i64 %v719 to i32
%v722 = insertelement <8 x i32> poison, i32 %v721, i32 0
%v723 = shufflevector <8 x i32> %v722, <8 x i32> poison, <8 x i32> zeroinitializer
%v724 = icmp sgt <8 x i32> %v723, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v708, ptr %v720, i32 4, <8 x i1> %v724)
%v725 = add i64 %v701, 1
%v726 = icmp slt i64 %v725, 40
br i1 %v726, label %loop27, label %end28
end28:
br label %end24
end24:
br label %end21
else20:
br label %end21
end21:
%v727 = add i64 %v3, 1
%v728 = icmp slt i64 %v727, 2
br i1 %v728, label %loop4, label %end5
end5:
%v729 = add i64 %v1, 1
%v730 = icmp slt i64 %v729, %end
br i1 %v730, label %loop1, label %end2
end2:
ret void
}

