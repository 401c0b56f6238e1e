; kernels for x86_64-avx2
; mir @matmul_packed_in_the_run {
;   %0 = input("x1") : f32[256, 64]
;   %1 = input("x2") : f32[64, 64]
;   %2 = matmul(%0, %1) : f32[256, 64]
;   return y1=%2
; }

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

define void @pack_b8536e58(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v36, %end5 ]
%v2 = mul i64 %v1, 4
%v3 = mul i64 %v2, 1024
%v4 = getelementptr float, ptr %a0, i64 %v3
br label %loop4
loop4:
%v5 = phi i64 [ 0, %loop1 ], [ %v34, %end7 ]
br label %loop6
loop6:
%v6 = phi i64 [ 0, %loop4 ], [ %v32, %loop6 ]
%v7 = add i64 %v5, 8
%v8 = mul i64 %v7, 64
%v9 = mul i64 %v6, 16
%v10 = add i64 %v8, %v9
%v11 = getelementptr float, ptr %a1, i64 %v10
call void @llvm.prefetch.p0(ptr %v11, i32 0, i32 3, i32 1)
%v12 = mul i64 %v5, 64
%v13 = mul i64 %v6, 16
%v14 = add i64 %v12, %v13
%v15 = getelementptr float, ptr %a1, i64 %v14
%v16 = load <8 x float>, ptr %v15, align 4
%v17 = mul i64 %v6, 1024
%v18 = mul i64 %v5, 16
%v19 = add i64 %v17, %v18
%v20 = getelementptr float, ptr %v4, i64 %v19
store <8 x float> %v16, ptr %v20, align 4
%v21 = mul i64 %v5, 64
%v22 = mul i64 %v6, 16
%v23 = add i64 %v21, %v22
%v24 = add i64 %v23, 8
%v25 = getelementptr float, ptr %a1, i64 %v24
%v26 = load <8 x float>, ptr %v25, align 4
%v27 = mul i64 %v6, 1024
%v28 = mul i64 %v5, 16
%v29 = add i64 %v27, %v28
%v30 = add i64 %v29, 8
%v31 = getelementptr float, ptr %v4, i64 %v30
store <8 x float> %v26, ptr %v31, align 4
%v32 = add i64 %v6, 1
%v33 = icmp slt i64 %v32, 4
br i1 %v33, label %loop6, label %end7
end7:
%v34 = add i64 %v5, 1
%v35 = icmp slt i64 %v34, 64
br i1 %v35, label %loop4, label %end5
end5:
%v36 = add i64 %v1, 1
%v37 = icmp slt i64 %v36, %end
br i1 %v37, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @matmul_5b6c650f(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
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
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v381, %end5 ]
%v2 = udiv i64 %v1, 4
%v3 = urem i64 %v1, 4
%v4 = mul i64 %v3, 66
%v5 = mul i64 %v4, 64
%v6 = getelementptr float, ptr %a0, i64 %v5
%v7 = mul i64 %v4, 64
%v8 = getelementptr float, ptr %a2, i64 %v7
%v9 = sub i64 256, %v4
%v10 = call i64 @llvm.smin.i64(i64 66, i64 %v9)
store i64 0, ptr %s6
%v11 = load i64, ptr %s6
%v12 = icmp slt i64 %v11, 4
br i1 %v12, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v13 = phi i64 [ %v11, %guard6 ], [ %v379, %end19 ]
%v14 = mul i64 %v13, 64
%v15 = mul i64 %v14, 16
%v16 = getelementptr float, ptr %a1, i64 %v15
%v17 = mul i64 %v13, -64
%v18 = add i64 %v17, 64
%v19 = mul i64 %v18, 16
%v20 = add i64 %v13, 1
%v21 = icmp slt i64 %v20, 4
%v22 = select i1 %v21, i64 1024, i64 %v19
%v23 = getelementptr float, ptr %v16, i64 %v22
%v24 = mul i64 %v13, 1152
%v25 = getelementptr float, ptr %scratch, i64 %v24
%v26 = mul i64 %v13, 16
%v27 = sub i64 64, %v26
%v28 = icmp sge i64 %v27, 16
%v29 = getelementptr float, ptr %v8, i64 %v26
%v30 = select i1 %v28, ptr %v29, ptr %v25
%v31 = select i1 %v28, i64 64, i64 16
%v32 = udiv i64 %v10, 6
%v33 = urem i64 %v10, 6
%v34 = add i64 %v10, 5
%v35 = udiv i64 %v34, 6
%v36 = icmp slt i64 0, %v32
br i1 %v36, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v37 = phi i64 [ 0, %guard9 ], [ %v219, %end11 ]
%v38 = mul i64 %v37, 6
%v39 = mul i64 %v38, 64
%v40 = getelementptr float, ptr %v6, i64 %v39
%v41 = udiv i64 %v38, 6
%v42 = icmp sle i64 %v35, 1
%v43 = call i64 @llvm.smax.i64(i64 %v35, i64 1)
%v44 = udiv i64 64, %v43
%v45 = select i1 %v42, i64 64, i64 %v44
%v46 = mul i64 %v41, 64
%v47 = mul i64 %v46, %v45
%v48 = getelementptr i8, ptr %v23, i64 %v47
%v49 = getelementptr i8, ptr %v16, i64 1024
%v50 = select i1 %v42, ptr %v49, ptr %v48
%v51 = mul i64 %v38, 16
%v52 = getelementptr float, ptr %v25, i64 %v51
%v53 = mul i64 %v38, %v31
%v54 = getelementptr float, ptr %v30, i64 %v53
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
store <8 x float> splat (float 0x0000000000000000), ptr %s18
%v55 = getelementptr float, ptr %v40, i64 64
%v56 = getelementptr float, ptr %v40, i64 128
%v57 = getelementptr float, ptr %v40, i64 192
%v58 = getelementptr float, ptr %v40, i64 256
%v59 = getelementptr float, ptr %v40, i64 320
br label %loop10
loop10:
%v60 = phi i64 [ 0, %loop7 ], [ %v181, %loop10 ]
%v61 = mul i64 %v60, %v45
%v62 = getelementptr i8, ptr %v50, i64 %v61
call void @llvm.prefetch.p0(ptr %v62, i32 0, i32 3, i32 1)
%v63 = mul i64 %v60, 16
%v64 = getelementptr float, ptr %v16, i64 %v63
%v65 = load <8 x float>, ptr %v64, align 4
%v66 = add i64 %v63, 8
%v67 = getelementptr float, ptr %v16, i64 %v66
%v68 = load <8 x float>, ptr %v67, align 4
%v69 = getelementptr float, ptr %v40, i64 %v60
%v70 = load float, ptr %v69, align 4
%v71 = insertelement <8 x float> poison, float %v70, i32 0
%v72 = shufflevector <8 x float> %v71, <8 x float> poison, <8 x i32> zeroinitializer
%v73 = load <8 x float>, ptr %s7
%v74 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v72, <8 x float> %v65, <8 x float> %v73)
store <8 x float> %v74, ptr %s7
%v75 = load <8 x float>, ptr %s8
%v76 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v72, <8 x float> %v68, <8 x float> %v75)
store <8 x float> %v76, ptr %s8
%v77 = getelementptr float, ptr %v55, i64 %v60
%v78 = load float, ptr %v77, align 4
%v79 = insertelement <8 x float> poison, float %v78, i32 0
%v80 = shufflevector <8 x float> %v79, <8 x float> poison, <8 x i32> zeroinitializer
%v81 = load <8 x float>, ptr %s9
%v82 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v80, <8 x float> %v65, <8 x float> %v81)
store <8 x float> %v82, ptr %s9
%v83 = load <8 x float>, ptr %s10
%v84 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v80, <8 x float> %v68, <8 x float> %v83)
store <8 x float> %v84, ptr %s10
%v85 = getelementptr float, ptr %v56, i64 %v60
%v86 = load float, ptr %v85, align 4
%v87 = insertelement <8 x float> poison, float %v86, i32 0
%v88 = shufflevector <8 x float> %v87, <8 x float> poison, <8 x i32> zeroinitializer
%v89 = load <8 x float>, ptr %s11
%v90 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v88, <8 x float> %v65, <8 x float> %v89)
store <8 x float> %v90, ptr %s11
%v91 = load <8 x float>, ptr %s12
%v92 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v88, <8 x float> %v68, <8 x float> %v91)
store <8 x float> %v92, ptr %s12
%v93 = getelementptr float, ptr %v57, i64 %v60
%v94 = load float, ptr %v93, align 4
%v95 = insertelement <8 x float> poison, float %v94, i32 0
%v96 = shufflevector <8 x float> %v95, <8 x float> poison, <8 x i32> zeroinitializer
%v97 = load <8 x float>, ptr %s13
%v98 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v96, <8 x float> %v65, <8 x float> %v97)
store <8 x float> %v98, ptr %s13
%v99 = load <8 x float>, ptr %s14
%v100 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v96, <8 x float> %v68, <8 x float> %v99)
store <8 x float> %v100, ptr %s14
%v101 = getelementptr float, ptr %v58, i64 %v60
%v102 = load float, ptr %v101, align 4
%v103 = insertelement <8 x float> poison, float %v102, i32 0
%v104 = shufflevector <8 x float> %v103, <8 x float> poison, <8 x i32> zeroinitializer
%v105 = load <8 x float>, ptr %s15
%v106 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v104, <8 x float> %v65, <8 x float> %v105)
store <8 x float> %v106, ptr %s15
%v107 = load <8 x float>, ptr %s16
%v108 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v104, <8 x float> %v68, <8 x float> %v107)
store <8 x float> %v108, ptr %s16
%v109 = getelementptr float, ptr %v59, i64 %v60
%v110 = load float, ptr %v109, align 4
%v111 = insertelement <8 x float> poison, float %v110, i32 0
%v112 = shufflevector <8 x float> %v111, <8 x float> poison, <8 x i32> zeroinitializer
%v113 = load <8 x float>, ptr %s17
%v114 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v112, <8 x float> %v65, <8 x float> %v113)
store <8 x float> %v114, ptr %s17
%v115 = load <8 x float>, ptr %s18
%v116 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v112, <8 x float> %v68, <8 x float> %v115)
store <8 x float> %v116, ptr %s18
%v117 = add i64 %v60, 1
%v118 = mul i64 %v117, %v45
%v119 = getelementptr i8, ptr %v50, i64 %v118
call void @llvm.prefetch.p0(ptr %v119, i32 0, i32 3, i32 1)
%v120 = mul i64 %v60, 16
%v121 = add i64 %v120, 16
%v122 = getelementptr float, ptr %v16, i64 %v121
%v123 = load <8 x float>, ptr %v122, align 4
%v124 = add i64 %v121, 8
%v125 = getelementptr float, ptr %v16, i64 %v124
%v126 = load <8 x float>, ptr %v125, align 4
%v127 = add i64 %v60, 1
%v128 = getelementptr float, ptr %v40, i64 %v127
%v129 = load float, ptr %v128, align 4
%v130 = insertelement <8 x float> poison, float %v129, i32 0
%v131 = shufflevector <8 x float> %v130, <8 x float> poison, <8 x i32> zeroinitializer
%v132 = load <8 x float>, ptr %s7
%v133 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v131, <8 x float> %v123, <8 x float> %v132)
store <8 x float> %v133, ptr %s7
%v134 = load <8 x float>, ptr %s8
%v135 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v131, <8 x float> %v126, <8 x float> %v134)
store <8 x float> %v135, ptr %s8
%v136 = add i64 %v60, 1
%v137 = getelementptr float, ptr %v55, i64 %v136
%v138 = load float, ptr %v137, align 4
%v139 = insertelement <8 x float> poison, float %v138, i32 0
%v140 = shufflevector <8 x float> %v139, <8 x float> poison, <8 x i32> zeroinitializer
%v141 = load <8 x float>, ptr %s9
%v142 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v140, <8 x float> %v123, <8 x float> %v141)
store <8 x float> %v142, ptr %s9
%v143 = load <8 x float>, ptr %s10
%v144 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v140, <8 x float> %v126, <8 x float> %v143)
store <8 x float> %v144, ptr %s10
%v145 = add i64 %v60, 1
%v146 = getelementptr float, ptr %v56, i64 %v145
%v147 = load float, ptr %v146, align 4
%v148 = insertelement <8 x float> poison, float %v147, i32 0
%v149 = shufflevector <8 x float> %v148, <8 x float> poison, <8 x i32> zeroinitializer
%v150 = load <8 x float>, ptr %s11
%v151 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v149, <8 x float> %v123, <8 x float> %v150)
store <8 x float> %v151, ptr %s11
%v152 = load <8 x float>, ptr %s12
%v153 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v149, <8 x float> %v126, <8 x float> %v152)
store <8 x float> %v153, ptr %s12
%v154 = add i64 %v60, 1
%v155 = getelementptr float, ptr %v57, i64 %v154
%v156 = load float, ptr %v155, align 4
%v157 = insertelement <8 x float> poison, float %v156, i32 0
%v158 = shufflevector <8 x float> %v157, <8 x float> poison, <8 x i32> zeroinitializer
%v159 = load <8 x float>, ptr %s13
%v160 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v158, <8 x float> %v123, <8 x float> %v159)
store <8 x float> %v160, ptr %s13
%v161 = load <8 x float>, ptr %s14
%v162 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v158, <8 x float> %v126, <8 x float> %v161)
store <8 x float> %v162, ptr %s14
%v163 = add i64 %v60, 1
%v164 = getelementptr float, ptr %v58, i64 %v163
%v165 = load float, ptr %v164, align 4
%v166 = insertelement <8 x float> poison, float %v165, i32 0
%v167 = shufflevector <8 x float> %v166, <8 x float> poison, <8 x i32> zeroinitializer
%v168 = load <8 x float>, ptr %s15
%v169 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v167, <8 x float> %v123, <8 x float> %v168)
store <8 x float> %v169, ptr %s15
%v170 = load <8 x float>, ptr %s16
%v171 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v167, <8 x float> %v126, <8 x float> %v170)
store <8 x float> %v171, ptr %s16
%v172 = add i64 %v60, 1
%v173 = getelementptr float, ptr %v59, i64 %v172
%v174 = load float, ptr %v173, align 4
%v175 = insertelement <8 x float> poison, float %v174, i32 0
%v176 = shufflevector <8 x float> %v175, <8 x float> poison, <8 x i32> zeroinitializer
%v177 = load <8 x float>, ptr %s17
%v178 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v176, <8 x float> %v123, <8 x float> %v177)
store <8 x float> %v178, ptr %s17
%v179 = load <8 x float>, ptr %s18
%v180 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v176, <8 x float> %v126, <8 x float> %v179)
store <8 x float> %v180, ptr %s18
%v181 = add i64 %v60, 2
%v182 = icmp slt i64 %v181, 64
br i1 %v182, label %loop10, label %end11
end11:
%v183 = load <8 x float>, ptr %s7
%v184 = load <8 x float>, ptr %s8
%v185 = load <8 x float>, ptr %s9
%v186 = load <8 x float>, ptr %s10
%v187 = load <8 x float>, ptr %s11
%v188 = load <8 x float>, ptr %s12
%v189 = load <8 x float>, ptr %s13
%v190 = load <8 x float>, ptr %s14
%v191 = load <8 x float>, ptr %s15
%v192 = load <8 x float>, ptr %s16
%v193 = load <8 x float>, ptr %s17
%v194 = load <8 x float>, ptr %s18
%v195 = add i64 %v31, 8
%v196 = mul i64 2, %v31
%v197 = mul i64 2, %v31
%v198 = add i64 %v197, 8
%v199 = mul i64 3, %v31
%v200 = mul i64 3, %v31
%v201 = add i64 %v200, 8
%v202 = mul i64 4, %v31
%v203 = mul i64 4, %v31
%v204 = add i64 %v203, 8
%v205 = mul i64 5, %v31
%v206 = mul i64 5, %v31
%v207 = add i64 %v206, 8
store <8 x float> %v183, ptr %v54, align 4
%v208 = getelementptr float, ptr %v54, i64 8
store <8 x float> %v184, ptr %v208, align 4
%v209 = getelementptr float, ptr %v54, i64 %v31
store <8 x float> %v185, ptr %v209, align 4
%v210 = getelementptr float, ptr %v54, i64 %v195
store <8 x float> %v186, ptr %v210, align 4
%v211 = getelementptr float, ptr %v54, i64 %v196
store <8 x float> %v187, ptr %v211, align 4
%v212 = getelementptr float, ptr %v54, i64 %v198
store <8 x float> %v188, ptr %v212, align 4
%v213 = getelementptr float, ptr %v54, i64 %v199
store <8 x float> %v189, ptr %v213, align 4
%v214 = getelementptr float, ptr %v54, i64 %v201
store <8 x float> %v190, ptr %v214, align 4
%v215 = getelementptr float, ptr %v54, i64 %v202
store <8 x float> %v191, ptr %v215, align 4
%v216 = getelementptr float, ptr %v54, i64 %v204
store <8 x float> %v192, ptr %v216, align 4
%v217 = getelementptr float, ptr %v54, i64 %v205
store <8 x float> %v193, ptr %v217, align 4
%v218 = getelementptr float, ptr %v54, i64 %v207
store <8 x float> %v194, ptr %v218, align 4
%v219 = add i64 %v37, 1
%v220 = icmp slt i64 %v219, %v32
br i1 %v220, label %loop7, label %end8
end8:
%v221 = icmp sgt i64 %v33, 3
%v222 = icmp sle i64 %v33, 4
%v223 = and i1 %v221, %v222
br i1 %v223, label %then12, label %else13
then12:
%v224 = mul i64 %v32, 6
%v225 = mul i64 %v224, 64
%v226 = getelementptr float, ptr %v6, i64 %v225
%v227 = udiv i64 %v224, 6
%v228 = icmp sle i64 %v35, 1
%v229 = call i64 @llvm.smax.i64(i64 %v35, i64 1)
%v230 = udiv i64 64, %v229
%v231 = select i1 %v228, i64 64, i64 %v230
%v232 = mul i64 %v227, 64
%v233 = mul i64 %v232, %v231
%v234 = getelementptr i8, ptr %v23, i64 %v233
%v235 = getelementptr i8, ptr %v16, i64 1024
%v236 = select i1 %v228, ptr %v235, ptr %v234
%v237 = mul i64 %v224, 16
%v238 = getelementptr float, ptr %v25, i64 %v237
%v239 = mul i64 %v224, %v31
%v240 = getelementptr float, ptr %v30, i64 %v239
store <8 x float> splat (float 0x0000000000000000), ptr %s19
store <8 x float> splat (float 0x0000000000000000), ptr %s20
store <8 x float> splat (float 0x0000000000000000), ptr %s21
store <8 x float> splat (float 0x0000000000000000), ptr %s22
store <8 x float> splat (float 0x0000000000000000), ptr %s23
store <8 x float> splat (float 0x0000000000000000), ptr %s24
store <8 x float> splat (float 0x0000000000000000), ptr %s25
store <8 x float> splat (float 0x0000000000000000), ptr %s26
%v241 = getelementptr float, ptr %v226, i64 64
%v242 = getelementptr float, ptr %v226, i64 128
%v243 = getelementptr float, ptr %v226, i64 192
br label %loop15
loop15:
%v244 = phi i64 [ 0, %then12 ], [ %v331, %loop15 ]
%v245 = mul i64 %v244, %v231
%v246 = getelementptr i8, ptr %v236, i64 %v245
call void @llvm.prefetch.p0(ptr %v246, i32 0, i32 3, i32 1)
%v247 = mul i64 %v244, 16
%v248 = getelementptr float, ptr %v16, i64 %v247
%v249 = load <8 x float>, ptr %v248, align 4
%v250 = add i64 %v247, 8
%v251 = getelementptr float, ptr %v16, i64 %v250
%v252 = load <8 x float>, ptr %v251, align 4
%v253 = getelementptr float, ptr %v226, i64 %v244
%v254 = load float, ptr %v253, align 4
%v255 = insertelement <8 x float> poison, float %v254, i32 0
%v256 = shufflevector <8 x float> %v255, <8 x float> poison, <8 x i32> zeroinitializer
%v257 = load <8 x float>, ptr %s19
%v258 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v256, <8 x float> %v249, <8 x float> %v257)
store <8 x float> %v258, ptr %s19
%v259 = load <8 x float>, ptr %s20
%v260 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v256, <8 x float> %v252, <8 x float> %v259)
store <8 x float> %v260, ptr %s20
%v261 = getelementptr float, ptr %v241, i64 %v244
%v262 = load float, ptr %v261, align 4
%v263 = insertelement <8 x float> poison, float %v262, i32 0
%v264 = shufflevector <8 x float> %v263, <8 x float> poison, <8 x i32> zeroinitializer
%v265 = load <8 x float>, ptr %s21
%v266 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v264, <8 x float> %v249, <8 x float> %v265)
store <8 x float> %v266, ptr %s21
%v267 = load <8 x float>, ptr %s22
%v268 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v264, <8 x float> %v252, <8 x float> %v267)
store <8 x float> %v268, ptr %s22
%v269 = getelementptr float, ptr %v242, i64 %v244
%v270 = load float, ptr %v269, align 4
%v271 = insertelement <8 x float> poison, float %v270, i32 0
%v272 = shufflevector <8 x float> %v271, <8 x float> poison, <8 x i32> zeroinitializer
%v273 = load <8 x float>, ptr %s23
%v274 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v272, <8 x float> %v249, <8 x float> %v273)
store <8 x float> %v274, ptr %s23
%v275 = load <8 x float>, ptr %s24
%v276 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v272, <8 x float> %v252, <8 x float> %v275)
store <8 x float> %v276, ptr %s24
%v277 = getelementptr float, ptr %v243, i64 %v244
%v278 = load float, ptr %v277, align 4
%v279 = insertelement <8 x float> poison, float %v278, i32 0
%v280 = shufflevector <8 x float> %v279, <8 x float> poison, <8 x i32> zeroinitializer
%v281 = load <8 x float>, ptr %s25
%v282 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v280, <8 x float> %v249, <8 x float> %v281)
store <8 x float> %v282, ptr %s25
%v283 = load <8 x float>, ptr %s26
%v284 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v280, <8 x float> %v252, <8 x float> %v283)
store <8 x float> %v284, ptr %s26
%v285 = add i64 %v244, 1
%v286 = mul i64 %v285, %v231
%v287 = getelementptr i8, ptr %v236, i64 %v286
call void @llvm.prefetch.p0(ptr %v287, i32 0, i32 3, i32 1)
%v288 = mul i64 %v244, 16
%v289 = add i64 %v288, 16
%v290 = getelementptr float, ptr %v16, i64 %v289
%v291 = load <8 x float>, ptr %v290, align 4
%v292 = add i64 %v289, 8
%v293 = getelementptr float, ptr %v16, i64 %v292
%v294 = load <8 x float>, ptr %v293, align 4
%v295 = add i64 %v244, 1
%v296 = getelementptr float, ptr %v226, i64 %v295
%v297 = load float, ptr %v296, align 4
%v298 = insertelement <8 x float> poison, float %v297, i32 0
%v299 = shufflevector <8 x float> %v298, <8 x float> poison, <8 x i32> zeroinitializer
%v300 = load <8 x float>, ptr %s19
%v301 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v299, <8 x float> %v291, <8 x float> %v300)
store <8 x float> %v301, ptr %s19
%v302 = load <8 x float>, ptr %s20
%v303 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v299, <8 x float> %v294, <8 x float> %v302)
store <8 x float> %v303, ptr %s20
%v304 = add i64 %v244, 1
%v305 = getelementptr float, ptr %v241, i64 %v304
%v306 = load float, ptr %v305, align 4
%v307 = insertelement <8 x float> poison, float %v306, i32 0
%v308 = shufflevector <8 x float> %v307, <8 x float> poison, <8 x i32> zeroinitializer
%v309 = load <8 x float>, ptr %s21
%v310 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v308, <8 x float> %v291, <8 x float> %v309)
store <8 x float> %v310, ptr %s21
%v311 = load <8 x float>, ptr %s22
%v312 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v308, <8 x float> %v294, <8 x float> %v311)
store <8 x float> %v312, ptr %s22
%v313 = add i64 %v244, 1
%v314 = getelementptr float, ptr %v242, i64 %v313
%v315 = load float, ptr %v314, align 4
%v316 = insertelement <8 x float> poison, float %v315, i32 0
%v317 = shufflevector <8 x float> %v316, <8 x float> poison, <8 x i32> zeroinitializer
%v318 = load <8 x float>, ptr %s23
%v319 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v317, <8 x float> %v291, <8 x float> %v318)
store <8 x float> %v319, ptr %s23
%v320 = load <8 x float>, ptr %s24
%v321 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v317, <8 x float> %v294, <8 x float> %v320)
store <8 x float> %v321, ptr %s24
%v322 = add i64 %v244, 1
%v323 = getelementptr float, ptr %v243, i64 %v322
%v324 = load float, ptr %v323, align 4
%v325 = insertelement <8 x float> poison, float %v324, i32 0
%v326 = shufflevector <8 x float> %v325, <8 x float> poison, <8 x i32> zeroinitializer
%v327 = load <8 x float>, ptr %s25
%v328 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v326, <8 x float> %v291, <8 x float> %v327)
store <8 x float> %v328, ptr %s25
%v329 = load <8 x float>, ptr %s26
%v330 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v326, <8 x float> %v294, <8 x float> %v329)
store <8 x float> %v330, ptr %s26
%v331 = add i64 %v244, 2
%v332 = icmp slt i64 %v331, 64
br i1 %v332, label %loop15, label %end16
end16:
%v333 = load <8 x float>, ptr %s19
%v334 = load <8 x float>, ptr %s20
%v335 = load <8 x float>, ptr %s21
%v336 = load <8 x float>, ptr %s22
%v337 = load <8 x float>, ptr %s23
%v338 = load <8 x float>, ptr %s24
%v339 = load <8 x float>, ptr %s25
%v340 = load <8 x float>, ptr %s26
%v341 = add i64 %v31, 8
%v342 = mul i64 2, %v31
%v343 = mul i64 2, %v31
%v344 = add i64 %v343, 8
%v345 = mul i64 3, %v31
%v346 = mul i64 3, %v31
%v347 = add i64 %v346, 8
store <8 x float> %v333, ptr %v240, align 4
%v348 = getelementptr float, ptr %v240, i64 8
store <8 x float> %v334, ptr %v348, align 4
%v349 = getelementptr float, ptr %v240, i64 %v31
store <8 x float> %v335, ptr %v349, align 4
%v350 = getelementptr float, ptr %v240, i64 %v341
store <8 x float> %v336, ptr %v350, align 4
%v351 = getelementptr float, ptr %v240, i64 %v342
store <8 x float> %v337, ptr %v351, align 4
%v352 = getelementptr float, ptr %v240, i64 %v344
store <8 x float> %v338, ptr %v352, align 4
%v353 = getelementptr float, ptr %v240, i64 %v345
store <8 x float> %v339, ptr %v353, align 4
%v354 = getelementptr float, ptr %v240, i64 %v347
store <8 x float> %v340, ptr %v354, align 4
br label %end14
else13:
br label %end14
end14:
%v355 = xor i1 %v28, true
br i1 %v355, label %then17, label %else18
then17:
%v356 = mul i64 %v13, 1152
%v357 = getelementptr float, ptr %scratch, i64 %v356
%v358 = mul i64 %v13, 16
%v359 = sub i64 64, %v358
%v360 = icmp slt i64 0, %v10
br i1 %v360, label %guard22, label %end21
guard22:
br label %loop20
loop20:
%v361 = phi i64 [ 0, %guard22 ], [ %v377, %loop20 ]
%v362 = mul i64 %v361, 16
%v363 = getelementptr float, ptr %v357, i64 %v362
%v364 = load <8 x float>, ptr %v363, align 4
%v365 = mul i64 %v361, 16
%v366 = add i64 %v365, 8
%v367 = getelementptr float, ptr %v357, i64 %v366
%v368 = load <8 x float>, ptr %v367, align 4
%v369 = add i64 %v4, %v361
%v370 = mul i64 %v361, 64
%v371 = add i64 %v370, %v358
%v372 = getelementptr float, ptr %v8, i64 %v371
store <8 x float> %v364, ptr %v372, align 4
%v373 = mul i64 %v361, 64
%v374 = add i64 %v373, %v358
%v375 = add i64 %v374, 8
%v376 = getelementptr float, ptr %v8, i64 %v375
store <8 x float> %v368, ptr %v376, align 4
%v377 = add i64 %v361, 1
%v378 = icmp slt i64 %v377, %v10
br i1 %v378, label %loop20, label %end21
end21:
br label %end19
else18:
br label %end19
end19:
%v379 = add i64 %v13, 1
%v380 = icmp slt i64 %v379, 4
br i1 %v380, label %loop4, label %end5
end5:
%v381 = add i64 %v1, 1
%v382 = icmp slt i64 %v381, %end
br i1 %v382, label %loop1, label %end2
end2:
ret void
}

