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

define void @matmul_68457ebf(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v1 = phi i64 [ %begin, %guard3 ], [ %v389, %end5 ]
%v2 = udiv i64 %v1, 4
%v3 = udiv i64 %v2, 2
%v4 = urem i64 %v2, 2
%v5 = urem i64 %v1, 4
%v6 = mul i64 %v5, 66
%v7 = mul i64 %v4, 2
%v8 = mul i64 %v6, 64
%v9 = getelementptr float, ptr %a0, i64 %v8
%v10 = mul i64 %v6, 64
%v11 = getelementptr float, ptr %a2, i64 %v10
%v12 = sub i64 256, %v6
%v13 = call i64 @llvm.smin.i64(i64 66, i64 %v12)
%v14 = sub i64 4, %v7
%v15 = call i64 @llvm.smin.i64(i64 2, i64 %v14)
store i64 0, ptr %s6
%v16 = load i64, ptr %s6
%v17 = icmp slt i64 %v16, %v15
br i1 %v17, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v18 = phi i64 [ %v16, %guard6 ], [ %v387, %end19 ]
%v19 = add i64 %v7, %v18
%v20 = mul i64 %v19, 64
%v21 = mul i64 %v20, 16
%v22 = getelementptr float, ptr %a1, i64 %v21
%v23 = mul i64 %v18, -64
%v24 = add i64 %v23, 64
%v25 = mul i64 %v24, 16
%v26 = add i64 %v18, 1
%v27 = icmp slt i64 %v26, %v15
%v28 = select i1 %v27, i64 1024, i64 %v25
%v29 = getelementptr float, ptr %v22, i64 %v28
%v30 = mul i64 %v18, 1152
%v31 = getelementptr float, ptr %scratch, i64 %v30
%v32 = add i64 %v7, %v18
%v33 = mul i64 %v32, 16
%v34 = sub i64 64, %v33
%v35 = icmp sge i64 %v34, 16
%v36 = getelementptr float, ptr %v11, i64 %v33
%v37 = select i1 %v35, ptr %v36, ptr %v31
%v38 = select i1 %v35, i64 64, i64 16
%v39 = udiv i64 %v13, 6
%v40 = urem i64 %v13, 6
%v41 = add i64 %v13, 5
%v42 = udiv i64 %v41, 6
%v43 = icmp slt i64 0, %v39
br i1 %v43, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v44 = phi i64 [ 0, %guard9 ], [ %v226, %end11 ]
%v45 = mul i64 %v44, 6
%v46 = mul i64 %v45, 64
%v47 = getelementptr float, ptr %v9, i64 %v46
%v48 = udiv i64 %v45, 6
%v49 = icmp sle i64 %v42, 1
%v50 = call i64 @llvm.smax.i64(i64 %v42, i64 1)
%v51 = udiv i64 64, %v50
%v52 = select i1 %v49, i64 64, i64 %v51
%v53 = mul i64 %v48, 64
%v54 = mul i64 %v53, %v52
%v55 = getelementptr i8, ptr %v29, i64 %v54
%v56 = getelementptr i8, ptr %v22, i64 1024
%v57 = select i1 %v49, ptr %v56, ptr %v55
%v58 = mul i64 %v45, 16
%v59 = getelementptr float, ptr %v31, i64 %v58
%v60 = mul i64 %v45, %v38
%v61 = getelementptr float, ptr %v37, i64 %v60
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
%v62 = getelementptr float, ptr %v47, i64 64
%v63 = getelementptr float, ptr %v47, i64 128
%v64 = getelementptr float, ptr %v47, i64 192
%v65 = getelementptr float, ptr %v47, i64 256
%v66 = getelementptr float, ptr %v47, i64 320
br label %loop10
loop10:
%v67 = phi i64 [ 0, %loop7 ], [ %v188, %loop10 ]
%v68 = mul i64 %v67, %v52
%v69 = getelementptr i8, ptr %v57, i64 %v68
call void @llvm.prefetch.p0(ptr %v69, i32 0, i32 3, i32 1)
%v70 = mul i64 %v67, 16
%v71 = getelementptr float, ptr %v22, i64 %v70
%v72 = load <8 x float>, ptr %v71, align 4
%v73 = add i64 %v70, 8
%v74 = getelementptr float, ptr %v22, i64 %v73
%v75 = load <8 x float>, ptr %v74, align 4
%v76 = getelementptr float, ptr %v47, i64 %v67
%v77 = load float, ptr %v76, align 4
%v78 = insertelement <8 x float> poison, float %v77, i32 0
%v79 = shufflevector <8 x float> %v78, <8 x float> poison, <8 x i32> zeroinitializer
%v80 = load <8 x float>, ptr %s7
%v81 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v79, <8 x float> %v72, <8 x float> %v80)
store <8 x float> %v81, ptr %s7
%v82 = load <8 x float>, ptr %s8
%v83 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v79, <8 x float> %v75, <8 x float> %v82)
store <8 x float> %v83, ptr %s8
%v84 = getelementptr float, ptr %v62, i64 %v67
%v85 = load float, ptr %v84, align 4
%v86 = insertelement <8 x float> poison, float %v85, i32 0
%v87 = shufflevector <8 x float> %v86, <8 x float> poison, <8 x i32> zeroinitializer
%v88 = load <8 x float>, ptr %s9
%v89 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v87, <8 x float> %v72, <8 x float> %v88)
store <8 x float> %v89, ptr %s9
%v90 = load <8 x float>, ptr %s10
%v91 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v87, <8 x float> %v75, <8 x float> %v90)
store <8 x float> %v91, ptr %s10
%v92 = getelementptr float, ptr %v63, i64 %v67
%v93 = load float, ptr %v92, align 4
%v94 = insertelement <8 x float> poison, float %v93, i32 0
%v95 = shufflevector <8 x float> %v94, <8 x float> poison, <8 x i32> zeroinitializer
%v96 = load <8 x float>, ptr %s11
%v97 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v95, <8 x float> %v72, <8 x float> %v96)
store <8 x float> %v97, ptr %s11
%v98 = load <8 x float>, ptr %s12
%v99 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v95, <8 x float> %v75, <8 x float> %v98)
store <8 x float> %v99, ptr %s12
%v100 = getelementptr float, ptr %v64, i64 %v67
%v101 = load float, ptr %v100, align 4
%v102 = insertelement <8 x float> poison, float %v101, i32 0
%v103 = shufflevector <8 x float> %v102, <8 x float> poison, <8 x i32> zeroinitializer
%v104 = load <8 x float>, ptr %s13
%v105 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v103, <8 x float> %v72, <8 x float> %v104)
store <8 x float> %v105, ptr %s13
%v106 = load <8 x float>, ptr %s14
%v107 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v103, <8 x float> %v75, <8 x float> %v106)
store <8 x float> %v107, ptr %s14
%v108 = getelementptr float, ptr %v65, i64 %v67
%v109 = load float, ptr %v108, align 4
%v110 = insertelement <8 x float> poison, float %v109, i32 0
%v111 = shufflevector <8 x float> %v110, <8 x float> poison, <8 x i32> zeroinitializer
%v112 = load <8 x float>, ptr %s15
%v113 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v111, <8 x float> %v72, <8 x float> %v112)
store <8 x float> %v113, ptr %s15
%v114 = load <8 x float>, ptr %s16
%v115 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v111, <8 x float> %v75, <8 x float> %v114)
store <8 x float> %v115, ptr %s16
%v116 = getelementptr float, ptr %v66, i64 %v67
%v117 = load float, ptr %v116, align 4
%v118 = insertelement <8 x float> poison, float %v117, i32 0
%v119 = shufflevector <8 x float> %v118, <8 x float> poison, <8 x i32> zeroinitializer
%v120 = load <8 x float>, ptr %s17
%v121 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v119, <8 x float> %v72, <8 x float> %v120)
store <8 x float> %v121, ptr %s17
%v122 = load <8 x float>, ptr %s18
%v123 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v119, <8 x float> %v75, <8 x float> %v122)
store <8 x float> %v123, ptr %s18
%v124 = add i64 %v67, 1
%v125 = mul i64 %v124, %v52
%v126 = getelementptr i8, ptr %v57, i64 %v125
call void @llvm.prefetch.p0(ptr %v126, i32 0, i32 3, i32 1)
%v127 = mul i64 %v67, 16
%v128 = add i64 %v127, 16
%v129 = getelementptr float, ptr %v22, i64 %v128
%v130 = load <8 x float>, ptr %v129, align 4
%v131 = add i64 %v128, 8
%v132 = getelementptr float, ptr %v22, i64 %v131
%v133 = load <8 x float>, ptr %v132, align 4
%v134 = add i64 %v67, 1
%v135 = getelementptr float, ptr %v47, i64 %v134
%v136 = load float, ptr %v135, align 4
%v137 = insertelement <8 x float> poison, float %v136, i32 0
%v138 = shufflevector <8 x float> %v137, <8 x float> poison, <8 x i32> zeroinitializer
%v139 = load <8 x float>, ptr %s7
%v140 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v138, <8 x float> %v130, <8 x float> %v139)
store <8 x float> %v140, ptr %s7
%v141 = load <8 x float>, ptr %s8
%v142 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v138, <8 x float> %v133, <8 x float> %v141)
store <8 x float> %v142, ptr %s8
%v143 = add i64 %v67, 1
%v144 = getelementptr float, ptr %v62, i64 %v143
%v145 = load float, ptr %v144, align 4
%v146 = insertelement <8 x float> poison, float %v145, i32 0
%v147 = shufflevector <8 x float> %v146, <8 x float> poison, <8 x i32> zeroinitializer
%v148 = load <8 x float>, ptr %s9
%v149 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v147, <8 x float> %v130, <8 x float> %v148)
store <8 x float> %v149, ptr %s9
%v150 = load <8 x float>, ptr %s10
%v151 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v147, <8 x float> %v133, <8 x float> %v150)
store <8 x float> %v151, ptr %s10
%v152 = add i64 %v67, 1
%v153 = getelementptr float, ptr %v63, i64 %v152
%v154 = load float, ptr %v153, align 4
%v155 = insertelement <8 x float> poison, float %v154, i32 0
%v156 = shufflevector <8 x float> %v155, <8 x float> poison, <8 x i32> zeroinitializer
%v157 = load <8 x float>, ptr %s11
%v158 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v156, <8 x float> %v130, <8 x float> %v157)
store <8 x float> %v158, ptr %s11
%v159 = load <8 x float>, ptr %s12
%v160 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v156, <8 x float> %v133, <8 x float> %v159)
store <8 x float> %v160, ptr %s12
%v161 = add i64 %v67, 1
%v162 = getelementptr float, ptr %v64, i64 %v161
%v163 = load float, ptr %v162, align 4
%v164 = insertelement <8 x float> poison, float %v163, i32 0
%v165 = shufflevector <8 x float> %v164, <8 x float> poison, <8 x i32> zeroinitializer
%v166 = load <8 x float>, ptr %s13
%v167 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> %v130, <8 x float> %v166)
store <8 x float> %v167, ptr %s13
%v168 = load <8 x float>, ptr %s14
%v169 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> %v133, <8 x float> %v168)
store <8 x float> %v169, ptr %s14
%v170 = add i64 %v67, 1
%v171 = getelementptr float, ptr %v65, i64 %v170
%v172 = load float, ptr %v171, align 4
%v173 = insertelement <8 x float> poison, float %v172, i32 0
%v174 = shufflevector <8 x float> %v173, <8 x float> poison, <8 x i32> zeroinitializer
%v175 = load <8 x float>, ptr %s15
%v176 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v174, <8 x float> %v130, <8 x float> %v175)
store <8 x float> %v176, ptr %s15
%v177 = load <8 x float>, ptr %s16
%v178 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v174, <8 x float> %v133, <8 x float> %v177)
store <8 x float> %v178, ptr %s16
%v179 = add i64 %v67, 1
%v180 = getelementptr float, ptr %v66, i64 %v179
%v181 = load float, ptr %v180, align 4
%v182 = insertelement <8 x float> poison, float %v181, i32 0
%v183 = shufflevector <8 x float> %v182, <8 x float> poison, <8 x i32> zeroinitializer
%v184 = load <8 x float>, ptr %s17
%v185 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v183, <8 x float> %v130, <8 x float> %v184)
store <8 x float> %v185, ptr %s17
%v186 = load <8 x float>, ptr %s18
%v187 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v183, <8 x float> %v133, <8 x float> %v186)
store <8 x float> %v187, ptr %s18
%v188 = add i64 %v67, 2
%v189 = icmp slt i64 %v188, 64
br i1 %v189, label %loop10, label %end11
end11:
%v190 = load <8 x float>, ptr %s7
%v191 = load <8 x float>, ptr %s8
%v192 = load <8 x float>, ptr %s9
%v193 = load <8 x float>, ptr %s10
%v194 = load <8 x float>, ptr %s11
%v195 = load <8 x float>, ptr %s12
%v196 = load <8 x float>, ptr %s13
%v197 = load <8 x float>, ptr %s14
%v198 = load <8 x float>, ptr %s15
%v199 = load <8 x float>, ptr %s16
%v200 = load <8 x float>, ptr %s17
%v201 = load <8 x float>, ptr %s18
%v202 = add i64 %v38, 8
%v203 = mul i64 2, %v38
%v204 = mul i64 2, %v38
%v205 = add i64 %v204, 8
%v206 = mul i64 3, %v38
%v207 = mul i64 3, %v38
%v208 = add i64 %v207, 8
%v209 = mul i64 4, %v38
%v210 = mul i64 4, %v38
%v211 = add i64 %v210, 8
%v212 = mul i64 5, %v38
%v213 = mul i64 5, %v38
%v214 = add i64 %v213, 8
store <8 x float> %v190, ptr %v61, align 4
%v215 = getelementptr float, ptr %v61, i64 8
store <8 x float> %v191, ptr %v215, align 4
%v216 = getelementptr float, ptr %v61, i64 %v38
store <8 x float> %v192, ptr %v216, align 4
%v217 = getelementptr float, ptr %v61, i64 %v202
store <8 x float> %v193, ptr %v217, align 4
%v218 = getelementptr float, ptr %v61, i64 %v203
store <8 x float> %v194, ptr %v218, align 4
%v219 = getelementptr float, ptr %v61, i64 %v205
store <8 x float> %v195, ptr %v219, align 4
%v220 = getelementptr float, ptr %v61, i64 %v206
store <8 x float> %v196, ptr %v220, align 4
%v221 = getelementptr float, ptr %v61, i64 %v208
store <8 x float> %v197, ptr %v221, align 4
%v222 = getelementptr float, ptr %v61, i64 %v209
store <8 x float> %v198, ptr %v222, align 4
%v223 = getelementptr float, ptr %v61, i64 %v211
store <8 x float> %v199, ptr %v223, align 4
%v224 = getelementptr float, ptr %v61, i64 %v212
store <8 x float> %v200, ptr %v224, align 4
%v225 = getelementptr float, ptr %v61, i64 %v214
store <8 x float> %v201, ptr %v225, align 4
%v226 = add i64 %v44, 1
%v227 = icmp slt i64 %v226, %v39
br i1 %v227, label %loop7, label %end8
end8:
%v228 = icmp sgt i64 %v40, 3
%v229 = icmp sle i64 %v40, 4
%v230 = and i1 %v228, %v229
br i1 %v230, label %then12, label %else13
then12:
%v231 = mul i64 %v39, 6
%v232 = mul i64 %v231, 64
%v233 = getelementptr float, ptr %v9, i64 %v232
%v234 = udiv i64 %v231, 6
%v235 = icmp sle i64 %v42, 1
%v236 = call i64 @llvm.smax.i64(i64 %v42, i64 1)
%v237 = udiv i64 64, %v236
%v238 = select i1 %v235, i64 64, i64 %v237
%v239 = mul i64 %v234, 64
%v240 = mul i64 %v239, %v238
%v241 = getelementptr i8, ptr %v29, i64 %v240
%v242 = getelementptr i8, ptr %v22, i64 1024
%v243 = select i1 %v235, ptr %v242, ptr %v241
%v244 = mul i64 %v231, 16
%v245 = getelementptr float, ptr %v31, i64 %v244
%v246 = mul i64 %v231, %v38
%v247 = getelementptr float, ptr %v37, i64 %v246
store <8 x float> splat (float 0x0000000000000000), ptr %s19
store <8 x float> splat (float 0x0000000000000000), ptr %s20
store <8 x float> splat (float 0x0000000000000000), ptr %s21
store <8 x float> splat (float 0x0000000000000000), ptr %s22
store <8 x float> splat (float 0x0000000000000000), ptr %s23
store <8 x float> splat (float 0x0000000000000000), ptr %s24
store <8 x float> splat (float 0x0000000000000000), ptr %s25
store <8 x float> splat (float 0x0000000000000000), ptr %s26
%v248 = getelementptr float, ptr %v233, i64 64
%v249 = getelementptr float, ptr %v233, i64 128
%v250 = getelementptr float, ptr %v233, i64 192
br label %loop15
loop15:
%v251 = phi i64 [ 0, %then12 ], [ %v338, %loop15 ]
%v252 = mul i64 %v251, %v238
%v253 = getelementptr i8, ptr %v243, i64 %v252
call void @llvm.prefetch.p0(ptr %v253, i32 0, i32 3, i32 1)
%v254 = mul i64 %v251, 16
%v255 = getelementptr float, ptr %v22, i64 %v254
%v256 = load <8 x float>, ptr %v255, align 4
%v257 = add i64 %v254, 8
%v258 = getelementptr float, ptr %v22, i64 %v257
%v259 = load <8 x float>, ptr %v258, align 4
%v260 = getelementptr float, ptr %v233, i64 %v251
%v261 = load float, ptr %v260, align 4
%v262 = insertelement <8 x float> poison, float %v261, i32 0
%v263 = shufflevector <8 x float> %v262, <8 x float> poison, <8 x i32> zeroinitializer
%v264 = load <8 x float>, ptr %s19
%v265 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v263, <8 x float> %v256, <8 x float> %v264)
store <8 x float> %v265, ptr %s19
%v266 = load <8 x float>, ptr %s20
%v267 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v263, <8 x float> %v259, <8 x float> %v266)
store <8 x float> %v267, ptr %s20
%v268 = getelementptr float, ptr %v248, i64 %v251
%v269 = load float, ptr %v268, align 4
%v270 = insertelement <8 x float> poison, float %v269, i32 0
%v271 = shufflevector <8 x float> %v270, <8 x float> poison, <8 x i32> zeroinitializer
%v272 = load <8 x float>, ptr %s21
%v273 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v271, <8 x float> %v256, <8 x float> %v272)
store <8 x float> %v273, ptr %s21
%v274 = load <8 x float>, ptr %s22
%v275 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v271, <8 x float> %v259, <8 x float> %v274)
store <8 x float> %v275, ptr %s22
%v276 = getelementptr float, ptr %v249, i64 %v251
%v277 = load float, ptr %v276, align 4
%v278 = insertelement <8 x float> poison, float %v277, i32 0
%v279 = shufflevector <8 x float> %v278, <8 x float> poison, <8 x i32> zeroinitializer
%v280 = load <8 x float>, ptr %s23
%v281 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v279, <8 x float> %v256, <8 x float> %v280)
store <8 x float> %v281, ptr %s23
%v282 = load <8 x float>, ptr %s24
%v283 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v279, <8 x float> %v259, <8 x float> %v282)
store <8 x float> %v283, ptr %s24
%v284 = getelementptr float, ptr %v250, i64 %v251
%v285 = load float, ptr %v284, align 4
%v286 = insertelement <8 x float> poison, float %v285, i32 0
%v287 = shufflevector <8 x float> %v286, <8 x float> poison, <8 x i32> zeroinitializer
%v288 = load <8 x float>, ptr %s25
%v289 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v287, <8 x float> %v256, <8 x float> %v288)
store <8 x float> %v289, ptr %s25
%v290 = load <8 x float>, ptr %s26
%v291 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v287, <8 x float> %v259, <8 x float> %v290)
store <8 x float> %v291, ptr %s26
%v292 = add i64 %v251, 1
%v293 = mul i64 %v292, %v238
%v294 = getelementptr i8, ptr %v243, i64 %v293
call void @llvm.prefetch.p0(ptr %v294, i32 0, i32 3, i32 1)
%v295 = mul i64 %v251, 16
%v296 = add i64 %v295, 16
%v297 = getelementptr float, ptr %v22, i64 %v296
%v298 = load <8 x float>, ptr %v297, align 4
%v299 = add i64 %v296, 8
%v300 = getelementptr float, ptr %v22, i64 %v299
%v301 = load <8 x float>, ptr %v300, align 4
%v302 = add i64 %v251, 1
%v303 = getelementptr float, ptr %v233, i64 %v302
%v304 = load float, ptr %v303, align 4
%v305 = insertelement <8 x float> poison, float %v304, i32 0
%v306 = shufflevector <8 x float> %v305, <8 x float> poison, <8 x i32> zeroinitializer
%v307 = load <8 x float>, ptr %s19
%v308 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v306, <8 x float> %v298, <8 x float> %v307)
store <8 x float> %v308, ptr %s19
%v309 = load <8 x float>, ptr %s20
%v310 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v306, <8 x float> %v301, <8 x float> %v309)
store <8 x float> %v310, ptr %s20
%v311 = add i64 %v251, 1
%v312 = getelementptr float, ptr %v248, i64 %v311
%v313 = load float, ptr %v312, align 4
%v314 = insertelement <8 x float> poison, float %v313, i32 0
%v315 = shufflevector <8 x float> %v314, <8 x float> poison, <8 x i32> zeroinitializer
%v316 = load <8 x float>, ptr %s21
%v317 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v315, <8 x float> %v298, <8 x float> %v316)
store <8 x float> %v317, ptr %s21
%v318 = load <8 x float>, ptr %s22
%v319 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v315, <8 x float> %v301, <8 x float> %v318)
store <8 x float> %v319, ptr %s22
%v320 = add i64 %v251, 1
%v321 = getelementptr float, ptr %v249, i64 %v320
%v322 = load float, ptr %v321, align 4
%v323 = insertelement <8 x float> poison, float %v322, i32 0
%v324 = shufflevector <8 x float> %v323, <8 x float> poison, <8 x i32> zeroinitializer
%v325 = load <8 x float>, ptr %s23
%v326 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v324, <8 x float> %v298, <8 x float> %v325)
store <8 x float> %v326, ptr %s23
%v327 = load <8 x float>, ptr %s24
%v328 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v324, <8 x float> %v301, <8 x float> %v327)
store <8 x float> %v328, ptr %s24
%v329 = add i64 %v251, 1
%v330 = getelementptr float, ptr %v250, i64 %v329
%v331 = load float, ptr %v330, align 4
%v332 = insertelement <8 x float> poison, float %v331, i32 0
%v333 = shufflevector <8 x float> %v332, <8 x float> poison, <8 x i32> zeroinitializer
%v334 = load <8 x float>, ptr %s25
%v335 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v333, <8 x float> %v298, <8 x float> %v334)
store <8 x float> %v335, ptr %s25
%v336 = load <8 x float>, ptr %s26
%v337 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v333, <8 x float> %v301, <8 x float> %v336)
store <8 x float> %v337, ptr %s26
%v338 = add i64 %v251, 2
%v339 = icmp slt i64 %v338, 64
br i1 %v339, label %loop15, label %end16
end16:
%v340 = load <8 x float>, ptr %s19
%v341 = load <8 x float>, ptr %s20
%v342 = load <8 x float>, ptr %s21
%v343 = load <8 x float>, ptr %s22
%v344 = load <8 x float>, ptr %s23
%v345 = load <8 x float>, ptr %s24
%v346 = load <8 x float>, ptr %s25
%v347 = load <8 x float>, ptr %s26
%v348 = add i64 %v38, 8
%v349 = mul i64 2, %v38
%v350 = mul i64 2, %v38
%v351 = add i64 %v350, 8
%v352 = mul i64 3, %v38
%v353 = mul i64 3, %v38
%v354 = add i64 %v353, 8
store <8 x float> %v340, ptr %v247, align 4
%v355 = getelementptr float, ptr %v247, i64 8
store <8 x float> %v341, ptr %v355, align 4
%v356 = getelementptr float, ptr %v247, i64 %v38
store <8 x float> %v342, ptr %v356, align 4
%v357 = getelementptr float, ptr %v247, i64 %v348
store <8 x float> %v343, ptr %v357, align 4
%v358 = getelementptr float, ptr %v247, i64 %v349
store <8 x float> %v344, ptr %v358, align 4
%v359 = getelementptr float, ptr %v247, i64 %v351
store <8 x float> %v345, ptr %v359, align 4
%v360 = getelementptr float, ptr %v247, i64 %v352
store <8 x float> %v346, ptr %v360, align 4
%v361 = getelementptr float, ptr %v247, i64 %v354
store <8 x float> %v347, ptr %v361, align 4
br label %end14
else13:
br label %end14
end14:
%v362 = xor i1 %v35, true
br i1 %v362, label %then17, label %else18
then17:
%v363 = mul i64 %v18, 1152
%v364 = getelementptr float, ptr %scratch, i64 %v363
%v365 = add i64 %v7, %v18
%v366 = mul i64 %v365, 16
%v367 = sub i64 64, %v366
%v368 = icmp slt i64 0, %v13
br i1 %v368, label %guard22, label %end21
guard22:
br label %loop20
loop20:
%v369 = phi i64 [ 0, %guard22 ], [ %v385, %loop20 ]
%v370 = mul i64 %v369, 16
%v371 = getelementptr float, ptr %v364, i64 %v370
%v372 = load <8 x float>, ptr %v371, align 4
%v373 = mul i64 %v369, 16
%v374 = add i64 %v373, 8
%v375 = getelementptr float, ptr %v364, i64 %v374
%v376 = load <8 x float>, ptr %v375, align 4
%v377 = add i64 %v6, %v369
%v378 = mul i64 %v369, 64
%v379 = add i64 %v378, %v366
%v380 = getelementptr float, ptr %v11, i64 %v379
store <8 x float> %v372, ptr %v380, align 4
%v381 = mul i64 %v369, 64
%v382 = add i64 %v381, %v366
%v383 = add i64 %v382, 8
%v384 = getelementptr float, ptr %v11, i64 %v383
store <8 x float> %v376, ptr %v384, align 4
%v385 = add i64 %v369, 1
%v386 = icmp slt i64 %v385, %v13
br i1 %v386, label %loop20, label %end21
end21:
br label %end19
else18:
br label %end19
end19:
%v387 = add i64 %v18, 1
%v388 = icmp slt i64 %v387, %v15
br i1 %v388, label %loop4, label %end5
end5:
%v389 = add i64 %v1, 1
%v390 = icmp slt i64 %v389, %end
br i1 %v390, label %loop1, label %end2
end2:
ret void
}

