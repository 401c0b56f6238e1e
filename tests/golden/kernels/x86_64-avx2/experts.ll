; kernels for x86_64-avx2
; mir @experts {
;   %0 = input("x1") : f32[10, 12]
;   %1 = param("w1") : f32[3, 12, 16]
;   %2 = input("x2") : i32[10]
;   %3 = grouped_matmul(%0, %1, %2) : f32[10, 16]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

define void @expert_rows_4f953f8f(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%v0 = getelementptr i64, ptr %a0, i64 10
br label %loop1
loop1:
%v1 = phi i64 [ 0, %entry ], [ %v3, %loop1 ]
%v2 = getelementptr i64, ptr %v0, i64 %v1
store i64 0, ptr %v2, align 8
%v3 = add i64 %v1, 1
%v4 = icmp slt i64 %v3, 6
br i1 %v4, label %loop1, label %end2
end2:
br label %loop3
loop3:
%v5 = phi i64 [ 0, %end2 ], [ %v20, %loop3 ]
%v6 = getelementptr i32, ptr %a1, i64 %v5
%v7 = load i32, ptr %v6, align 4
%v8 = sext i32 %v7 to i64
%v9 = icmp slt i64 %v8, 0
%v10 = add i64 %v8, 3
%v11 = select i1 %v9, i64 %v10, i64 %v8
%v12 = call i64 @llvm.smin.i64(i64 %v11, i64 2)
%v13 = call i64 @llvm.smax.i64(i64 %v12, i64 0)
%v14 = icmp uge i64 %v11, 3
%v15 = add i64 %v13, 2
%v16 = getelementptr i64, ptr %v0, i64 %v15
%v17 = load i64, ptr %v16, align 8
%v18 = add i64 %v17, 1
%v19 = getelementptr i64, ptr %v0, i64 %v15
store i64 %v18, ptr %v19, align 8
%v20 = add i64 %v5, 1
%v21 = icmp slt i64 %v20, 10
br i1 %v21, label %loop3, label %end4
end4:
store i64 0, ptr %s4
%v22 = getelementptr i64, ptr %a0, i64 16
br label %loop5
loop5:
%v23 = phi i64 [ 0, %end4 ], [ %v38, %end9 ]
%v24 = add i64 %v23, 2
%v25 = getelementptr i64, ptr %v0, i64 %v24
%v26 = load i64, ptr %v25, align 8
%v27 = add i64 %v23, 1
%v28 = getelementptr i64, ptr %v0, i64 %v27
%v29 = load i64, ptr %v28, align 8
%v30 = add i64 %v29, %v26
%v31 = add i64 %v23, 2
%v32 = getelementptr i64, ptr %v0, i64 %v31
store i64 %v30, ptr %v32, align 8
%v33 = icmp sgt i64 %v26, 0
br i1 %v33, label %then7, label %else8
then7:
%v34 = load i64, ptr %s4
%v35 = getelementptr i64, ptr %v22, i64 %v34
store i64 %v23, ptr %v35, align 8
%v36 = load i64, ptr %s4
%v37 = add i64 %v36, 1
store i64 %v37, ptr %s4
br label %end9
else8:
br label %end9
end9:
%v38 = add i64 %v23, 1
%v39 = icmp slt i64 %v38, 3
br i1 %v39, label %loop5, label %end6
end6:
%v40 = load i64, ptr %s4
%v41 = getelementptr i64, ptr %a0, i64 19
store i64 %v40, ptr %v41, align 8
br label %loop10
loop10:
%v42 = phi i64 [ 0, %end6 ], [ %v58, %loop10 ]
%v43 = getelementptr i32, ptr %a1, i64 %v42
%v44 = load i32, ptr %v43, align 4
%v45 = sext i32 %v44 to i64
%v46 = icmp slt i64 %v45, 0
%v47 = add i64 %v45, 3
%v48 = select i1 %v46, i64 %v47, i64 %v45
%v49 = call i64 @llvm.smin.i64(i64 %v48, i64 2)
%v50 = call i64 @llvm.smax.i64(i64 %v49, i64 0)
%v51 = icmp uge i64 %v48, 3
%v52 = add i64 %v50, 1
%v53 = getelementptr i64, ptr %v0, i64 %v52
%v54 = load i64, ptr %v53, align 8
%v55 = getelementptr i64, ptr %a0, i64 %v54
store i64 %v42, ptr %v55, align 8
%v56 = add i64 %v54, 1
%v57 = getelementptr i64, ptr %v0, i64 %v52
store i64 %v56, ptr %v57, align 8
%v58 = add i64 %v42, 1
%v59 = icmp slt i64 %v58, 10
br i1 %v59, label %loop10, label %end11
end11:
ret void
}


declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @packed_grouped_matmul_769fb3be(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 2
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 3
%a3 = load ptr, ptr %a3.p, align 8
%s8 = alloca i64
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
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v527, %end5 ]
%v2 = getelementptr i64, ptr %a0, i64 19
%v3 = load i64, ptr %v2, align 8
%v4 = icmp slt i64 %v1, %v3
%v5 = getelementptr i64, ptr %a0, i64 16
%v6 = select i1 %v4, i64 %v1, i64 0
%v7 = getelementptr i64, ptr %v5, i64 %v6
%v8 = load i64, ptr %v7, align 8
%v9 = select i1 %v4, i64 %v8, i64 0
%v10 = getelementptr i64, ptr %a0, i64 10
%v11 = getelementptr i64, ptr %v10, i64 %v9
%v12 = load i64, ptr %v11, align 8
%v13 = add i64 %v9, 1
%v14 = getelementptr i64, ptr %v10, i64 %v13
%v15 = load i64, ptr %v14, align 8
%v16 = select i1 %v4, i64 %v15, i64 %v12
%v17 = sub i64 %v16, %v12
%v18 = add i64 %v17, 71
%v19 = udiv i64 %v18, 72
%v20 = sub i64 %v16, %v12
%v21 = sub i64 %v19, 1
%v22 = add i64 %v20, %v21
%v23 = call i64 @llvm.smax.i64(i64 %v19, i64 1)
%v24 = udiv i64 %v22, %v23
%v25 = add i64 %v24, 5
%v26 = udiv i64 %v25, 6
%v27 = mul i64 %v26, 6
%v28 = mul i64 %v9, 192
%v29 = getelementptr float, ptr %a2, i64 %v28
%v30 = icmp slt i64 %v12, %v16
br i1 %v30, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v31 = phi i64 [ %v12, %guard6 ], [ %v525, %end14 ]
%v32 = sub i64 %v16, %v31
%v33 = call i64 @llvm.smin.i64(i64 %v27, i64 %v32)
%v34 = getelementptr i8, ptr %scratch, i64 36864
%v35 = add i64 %v33, 5
%v36 = udiv i64 %v35, 6
%v37 = icmp eq i64 %v33, 1
%v38 = mul i64 %v36, 6
%v39 = select i1 %v37, i64 1, i64 %v38
%v40 = icmp slt i64 0, %v39
br i1 %v40, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v41 = phi i64 [ 0, %guard9 ], [ %v55, %loop7 ]
%v42 = sub i64 %v33, 1
%v43 = call i64 @llvm.smin.i64(i64 %v41, i64 %v42)
%v44 = add i64 %v31, %v43
%v45 = getelementptr i64, ptr %a0, i64 %v44
%v46 = load i64, ptr %v45, align 8
%v47 = mul i64 %v46, 12
%v48 = getelementptr float, ptr %a1, i64 %v47
%v49 = mul i64 %v41, 400
%v50 = getelementptr float, ptr %v34, i64 %v49
%v51 = load <8 x float>, ptr %v48, align 4
store <8 x float> %v51, ptr %v50, align 4
%v52 = getelementptr float, ptr %v48, i64 8
%v53 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v52, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v54 = getelementptr float, ptr %v50, i64 8
store <8 x float> %v53, ptr %v54, align 4
%v55 = add i64 %v41, 1
%v56 = icmp slt i64 %v55, %v39
br i1 %v56, label %loop7, label %end8
end8:
store i64 0, ptr %s8
%v57 = icmp sle i64 %v33, 1
br i1 %v57, label %then10, label %else11
then10:
store i64 0, ptr %s8
br label %end12
else11:
br label %end12
end12:
%v58 = load i64, ptr %s8
%v59 = icmp slt i64 %v58, 1
br i1 %v59, label %guard15, label %end14
guard15:
br label %loop13
loop13:
%v60 = phi i64 [ %v58, %guard15 ], [ %v523, %end32 ]
%v61 = mul i64 %v60, 12
%v62 = mul i64 %v61, 16
%v63 = getelementptr float, ptr %v29, i64 %v62
%v64 = mul i64 %v60, -12
%v65 = add i64 %v64, 12
%v66 = mul i64 %v65, 16
%v67 = add i64 %v60, 1
%v68 = icmp slt i64 %v67, 1
%v69 = select i1 %v68, i64 192, i64 %v66
%v70 = getelementptr float, ptr %v63, i64 %v69
%v71 = mul i64 %v60, 1152
%v72 = getelementptr float, ptr %scratch, i64 %v71
%v73 = mul i64 %v60, 16
%v74 = udiv i64 %v33, 6
%v75 = urem i64 %v33, 6
%v76 = icmp sgt i64 %v75, 4
%v77 = select i1 %v76, i64 1, i64 0
%v78 = add i64 %v74, %v77
%v79 = select i1 %v76, i64 0, i64 %v75
%v80 = add i64 %v33, 5
%v81 = udiv i64 %v80, 6
%v82 = icmp slt i64 0, %v78
br i1 %v82, label %guard18, label %end17
guard18:
br label %loop16
loop16:
%v83 = phi i64 [ 0, %guard18 ], [ %v254, %end20 ]
%v84 = mul i64 %v83, 6
%v85 = sub i64 %v33, %v84
%v86 = sub i64 %v85, 1
%v87 = mul i64 %v84, 400
%v88 = getelementptr float, ptr %v34, i64 %v87
%v89 = udiv i64 %v84, 6
%v90 = icmp sle i64 %v81, 1
%v91 = call i64 @llvm.smax.i64(i64 %v81, i64 1)
%v92 = udiv i64 64, %v91
%v93 = select i1 %v90, i64 64, i64 %v92
%v94 = mul i64 %v89, 12
%v95 = mul i64 %v94, %v93
%v96 = getelementptr i8, ptr %v70, i64 %v95
%v97 = getelementptr i8, ptr %v63, i64 1024
%v98 = select i1 %v90, ptr %v97, ptr %v96
%v99 = mul i64 %v84, 16
%v100 = getelementptr float, ptr %v72, i64 %v99
%v101 = mul i64 %v84, 16
%v102 = getelementptr float, ptr %v72, i64 %v101
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
store <8 x float> splat (float 0x0000000000000000), ptr %s19
store <8 x float> splat (float 0x0000000000000000), ptr %s20
%v103 = getelementptr float, ptr %v88, i64 400
%v104 = getelementptr float, ptr %v88, i64 800
%v105 = getelementptr float, ptr %v88, i64 1200
%v106 = getelementptr float, ptr %v88, i64 1600
%v107 = getelementptr float, ptr %v88, i64 2000
br label %loop19
loop19:
%v108 = phi i64 [ 0, %loop16 ], [ %v229, %loop19 ]
%v109 = mul i64 %v108, %v93
%v110 = getelementptr i8, ptr %v98, i64 %v109
call void @llvm.prefetch.p0(ptr %v110, i32 0, i32 3, i32 1)
%v111 = mul i64 %v108, 16
%v112 = getelementptr float, ptr %v63, i64 %v111
%v113 = load <8 x float>, ptr %v112, align 4
%v114 = add i64 %v111, 8
%v115 = getelementptr float, ptr %v63, i64 %v114
%v116 = load <8 x float>, ptr %v115, align 4
%v117 = getelementptr float, ptr %v88, i64 %v108
%v118 = load float, ptr %v117, align 4
%v119 = insertelement <8 x float> poison, float %v118, i32 0
%v120 = shufflevector <8 x float> %v119, <8 x float> poison, <8 x i32> zeroinitializer
%v121 = load <8 x float>, ptr %s9
%v122 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v120, <8 x float> %v113, <8 x float> %v121)
store <8 x float> %v122, ptr %s9
%v123 = load <8 x float>, ptr %s10
%v124 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v120, <8 x float> %v116, <8 x float> %v123)
store <8 x float> %v124, ptr %s10
%v125 = getelementptr float, ptr %v103, i64 %v108
%v126 = load float, ptr %v125, align 4
%v127 = insertelement <8 x float> poison, float %v126, i32 0
%v128 = shufflevector <8 x float> %v127, <8 x float> poison, <8 x i32> zeroinitializer
%v129 = load <8 x float>, ptr %s11
%v130 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v128, <8 x float> %v113, <8 x float> %v129)
store <8 x float> %v130, ptr %s11
%v131 = load <8 x float>, ptr %s12
%v132 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v128, <8 x float> %v116, <8 x float> %v131)
store <8 x float> %v132, ptr %s12
%v133 = getelementptr float, ptr %v104, i64 %v108
%v134 = load float, ptr %v133, align 4
%v135 = insertelement <8 x float> poison, float %v134, i32 0
%v136 = shufflevector <8 x float> %v135, <8 x float> poison, <8 x i32> zeroinitializer
%v137 = load <8 x float>, ptr %s13
%v138 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v136, <8 x float> %v113, <8 x float> %v137)
store <8 x float> %v138, ptr %s13
%v139 = load <8 x float>, ptr %s14
%v140 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v136, <8 x float> %v116, <8 x float> %v139)
store <8 x float> %v140, ptr %s14
%v141 = getelementptr float, ptr %v105, i64 %v108
%v142 = load float, ptr %v141, align 4
%v143 = insertelement <8 x float> poison, float %v142, i32 0
%v144 = shufflevector <8 x float> %v143, <8 x float> poison, <8 x i32> zeroinitializer
%v145 = load <8 x float>, ptr %s15
%v146 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v144, <8 x float> %v113, <8 x float> %v145)
store <8 x float> %v146, ptr %s15
%v147 = load <8 x float>, ptr %s16
%v148 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v144, <8 x float> %v116, <8 x float> %v147)
store <8 x float> %v148, ptr %s16
%v149 = getelementptr float, ptr %v106, i64 %v108
%v150 = load float, ptr %v149, align 4
%v151 = insertelement <8 x float> poison, float %v150, i32 0
%v152 = shufflevector <8 x float> %v151, <8 x float> poison, <8 x i32> zeroinitializer
%v153 = load <8 x float>, ptr %s17
%v154 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v152, <8 x float> %v113, <8 x float> %v153)
store <8 x float> %v154, ptr %s17
%v155 = load <8 x float>, ptr %s18
%v156 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v152, <8 x float> %v116, <8 x float> %v155)
store <8 x float> %v156, ptr %s18
%v157 = getelementptr float, ptr %v107, i64 %v108
%v158 = load float, ptr %v157, align 4
%v159 = insertelement <8 x float> poison, float %v158, i32 0
%v160 = shufflevector <8 x float> %v159, <8 x float> poison, <8 x i32> zeroinitializer
%v161 = load <8 x float>, ptr %s19
%v162 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v160, <8 x float> %v113, <8 x float> %v161)
store <8 x float> %v162, ptr %s19
%v163 = load <8 x float>, ptr %s20
%v164 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v160, <8 x float> %v116, <8 x float> %v163)
store <8 x float> %v164, ptr %s20
%v165 = add i64 %v108, 1
%v166 = mul i64 %v165, %v93
%v167 = getelementptr i8, ptr %v98, i64 %v166
call void @llvm.prefetch.p0(ptr %v167, i32 0, i32 3, i32 1)
%v168 = mul i64 %v108, 16
%v169 = add i64 %v168, 16
%v170 = getelementptr float, ptr %v63, i64 %v169
%v171 = load <8 x float>, ptr %v170, align 4
%v172 = add i64 %v169, 8
%v173 = getelementptr float, ptr %v63, i64 %v172
%v174 = load <8 x float>, ptr %v173, align 4
%v175 = add i64 %v108, 1
%v176 = getelementptr float, ptr %v88, i64 %v175
%v177 = load float, ptr %v176, align 4
%v178 = insertelement <8 x float> poison, float %v177, i32 0
%v179 = shufflevector <8 x float> %v178, <8 x float> poison, <8 x i32> zeroinitializer
%v180 = load <8 x float>, ptr %s9
%v181 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v179, <8 x float> %v171, <8 x float> %v180)
store <8 x float> %v181, ptr %s9
%v182 = load <8 x float>, ptr %s10
%v183 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v179, <8 x float> %v174, <8 x float> %v182)
store <8 x float> %v183, ptr %s10
%v184 = add i64 %v108, 1
%v185 = getelementptr float, ptr %v103, i64 %v184
%v186 = load float, ptr %v185, align 4
%v187 = insertelement <8 x float> poison, float %v186, i32 0
%v188 = shufflevector <8 x float> %v187, <8 x float> poison, <8 x i32> zeroinitializer
%v189 = load <8 x float>, ptr %s11
%v190 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v188, <8 x float> %v171, <8 x float> %v189)
store <8 x float> %v190, ptr %s11
%v191 = load <8 x float>, ptr %s12
%v192 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v188, <8 x float> %v174, <8 x float> %v191)
store <8 x float> %v192, ptr %s12
%v193 = add i64 %v108, 1
%v194 = getelementptr float, ptr %v104, i64 %v193
%v195 = load float, ptr %v194, align 4
%v196 = insertelement <8 x float> poison, float %v195, i32 0
%v197 = shufflevector <8 x float> %v196, <8 x float> poison, <8 x i32> zeroinitializer
%v198 = load <8 x float>, ptr %s13
%v199 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v197, <8 x float> %v171, <8 x float> %v198)
store <8 x float> %v199, ptr %s13
%v200 = load <8 x float>, ptr %s14
%v201 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v197, <8 x float> %v174, <8 x float> %v200)
store <8 x float> %v201, ptr %s14
%v202 = add i64 %v108, 1
%v203 = getelementptr float, ptr %v105, i64 %v202
%v204 = load float, ptr %v203, align 4
%v205 = insertelement <8 x float> poison, float %v204, i32 0
%v206 = shufflevector <8 x float> %v205, <8 x float> poison, <8 x i32> zeroinitializer
%v207 = load <8 x float>, ptr %s15
%v208 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v206, <8 x float> %v171, <8 x float> %v207)
store <8 x float> %v208, ptr %s15
%v209 = load <8 x float>, ptr %s16
%v210 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v206, <8 x float> %v174, <8 x float> %v209)
store <8 x float> %v210, ptr %s16
%v211 = add i64 %v108, 1
%v212 = getelementptr float, ptr %v106, i64 %v211
%v213 = load float, ptr %v212, align 4
%v214 = insertelement <8 x float> poison, float %v213, i32 0
%v215 = shufflevector <8 x float> %v214, <8 x float> poison, <8 x i32> zeroinitializer
%v216 = load <8 x float>, ptr %s17
%v217 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v215, <8 x float> %v171, <8 x float> %v216)
store <8 x float> %v217, ptr %s17
%v218 = load <8 x float>, ptr %s18
%v219 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v215, <8 x float> %v174, <8 x float> %v218)
store <8 x float> %v219, ptr %s18
%v220 = add i64 %v108, 1
%v221 = getelementptr float, ptr %v107, i64 %v220
%v222 = load float, ptr %v221, align 4
%v223 = insertelement <8 x float> poison, float %v222, i32 0
%v224 = shufflevector <8 x float> %v223, <8 x float> poison, <8 x i32> zeroinitializer
%v225 = load <8 x float>, ptr %s19
%v226 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v224, <8 x float> %v171, <8 x float> %v225)
store <8 x float> %v226, ptr %s19
%v227 = load <8 x float>, ptr %s20
%v228 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v224, <8 x float> %v174, <8 x float> %v227)
store <8 x float> %v228, ptr %s20
%v229 = add i64 %v108, 2
%v230 = icmp slt i64 %v229, 12
br i1 %v230, label %loop19, label %end20
end20:
%v231 = load <8 x float>, ptr %s9
%v232 = load <8 x float>, ptr %s10
%v233 = load <8 x float>, ptr %s11
%v234 = load <8 x float>, ptr %s12
%v235 = load <8 x float>, ptr %s13
%v236 = load <8 x float>, ptr %s14
%v237 = load <8 x float>, ptr %s15
%v238 = load <8 x float>, ptr %s16
%v239 = load <8 x float>, ptr %s17
%v240 = load <8 x float>, ptr %s18
%v241 = load <8 x float>, ptr %s19
%v242 = load <8 x float>, ptr %s20
store <8 x float> %v231, ptr %v102, align 4
%v243 = getelementptr float, ptr %v102, i64 8
store <8 x float> %v232, ptr %v243, align 4
%v244 = getelementptr float, ptr %v102, i64 16
store <8 x float> %v233, ptr %v244, align 4
%v245 = getelementptr float, ptr %v102, i64 24
store <8 x float> %v234, ptr %v245, align 4
%v246 = getelementptr float, ptr %v102, i64 32
store <8 x float> %v235, ptr %v246, align 4
%v247 = getelementptr float, ptr %v102, i64 40
store <8 x float> %v236, ptr %v247, align 4
%v248 = getelementptr float, ptr %v102, i64 48
store <8 x float> %v237, ptr %v248, align 4
%v249 = getelementptr float, ptr %v102, i64 56
store <8 x float> %v238, ptr %v249, align 4
%v250 = getelementptr float, ptr %v102, i64 64
store <8 x float> %v239, ptr %v250, align 4
%v251 = getelementptr float, ptr %v102, i64 72
store <8 x float> %v240, ptr %v251, align 4
%v252 = getelementptr float, ptr %v102, i64 80
store <8 x float> %v241, ptr %v252, align 4
%v253 = getelementptr float, ptr %v102, i64 88
store <8 x float> %v242, ptr %v253, align 4
%v254 = add i64 %v83, 1
%v255 = icmp slt i64 %v254, %v78
br i1 %v255, label %loop16, label %end17
end17:
%v256 = icmp sgt i64 %v79, 0
%v257 = icmp sle i64 %v79, 1
%v258 = and i1 %v256, %v257
br i1 %v258, label %then21, label %else22
then21:
%v259 = mul i64 %v78, 6
%v260 = mul i64 %v259, 400
%v261 = getelementptr float, ptr %v34, i64 %v260
%v262 = udiv i64 %v259, 6
%v263 = icmp sle i64 %v81, 1
%v264 = call i64 @llvm.smax.i64(i64 %v81, i64 1)
%v265 = udiv i64 64, %v264
%v266 = select i1 %v263, i64 64, i64 %v265
%v267 = mul i64 %v262, 12
%v268 = mul i64 %v267, %v266
%v269 = getelementptr i8, ptr %v70, i64 %v268
%v270 = select i1 %v263, ptr %v63, ptr %v269
%v271 = mul i64 %v259, 16
%v272 = getelementptr float, ptr %v72, i64 %v271
%v273 = mul i64 %v259, 16
%v274 = getelementptr float, ptr %v72, i64 %v273
store <8 x float> splat (float 0x0000000000000000), ptr %s21
store <8 x float> splat (float 0x0000000000000000), ptr %s22
store <8 x float> splat (float 0x0000000000000000), ptr %s23
store <8 x float> splat (float 0x0000000000000000), ptr %s24
store <8 x float> splat (float 0x0000000000000000), ptr %s25
store <8 x float> splat (float 0x0000000000000000), ptr %s26
store <8 x float> splat (float 0x0000000000000000), ptr %s27
store <8 x float> splat (float 0x0000000000000000), ptr %s28
br label %loop24
loop24:
%v275 = phi i64 [ 0, %then21 ], [ %v349, %loop24 ]
%v276 = mul i64 %v275, %v266
%v277 = getelementptr i8, ptr %v270, i64 %v276
call void @llvm.prefetch.p0(ptr %v277, i32 0, i32 3, i32 1)
%v278 = mul i64 %v275, 16
%v279 = getelementptr float, ptr %v63, i64 %v278
%v280 = load <8 x float>, ptr %v279, align 4
%v281 = add i64 %v278, 8
%v282 = getelementptr float, ptr %v63, i64 %v281
%v283 = load <8 x float>, ptr %v282, align 4
%v284 = getelementptr float, ptr %v261, i64 %v275
%v285 = load float, ptr %v284, align 4
%v286 = insertelement <8 x float> poison, float %v285, i32 0
%v287 = shufflevector <8 x float> %v286, <8 x float> poison, <8 x i32> zeroinitializer
%v288 = load <8 x float>, ptr %s21
%v289 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v287, <8 x float> %v280, <8 x float> %v288)
store <8 x float> %v289, ptr %s21
%v290 = load <8 x float>, ptr %s25
%v291 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v287, <8 x float> %v283, <8 x float> %v290)
store <8 x float> %v291, ptr %s25
%v292 = add i64 %v275, 1
%v293 = mul i64 %v292, %v266
%v294 = getelementptr i8, ptr %v270, i64 %v293
call void @llvm.prefetch.p0(ptr %v294, i32 0, i32 3, i32 1)
%v295 = mul i64 %v275, 16
%v296 = add i64 %v295, 16
%v297 = getelementptr float, ptr %v63, i64 %v296
%v298 = load <8 x float>, ptr %v297, align 4
%v299 = add i64 %v296, 8
%v300 = getelementptr float, ptr %v63, i64 %v299
%v301 = load <8 x float>, ptr %v300, align 4
%v302 = add i64 %v275, 1
%v303 = getelementptr float, ptr %v261, i64 %v302
%v304 = load float, ptr %v303, align 4
%v305 = insertelement <8 x float> poison, float %v304, i32 0
%v306 = shufflevector <8 x float> %v305, <8 x float> poison, <8 x i32> zeroinitializer
%v307 = load <8 x float>, ptr %s22
%v308 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v306, <8 x float> %v298, <8 x float> %v307)
store <8 x float> %v308, ptr %s22
%v309 = load <8 x float>, ptr %s26
%v310 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v306, <8 x float> %v301, <8 x float> %v309)
store <8 x float> %v310, ptr %s26
%v311 = add i64 %v275, 2
%v312 = mul i64 %v311, %v266
%v313 = getelementptr i8, ptr %v270, i64 %v312
call void @llvm.prefetch.p0(ptr %v313, i32 0, i32 3, i32 1)
%v314 = mul i64 %v275, 16
%v315 = add i64 %v314, 32
%v316 = getelementptr float, ptr %v63, i64 %v315
%v317 = load <8 x float>, ptr %v316, align 4
%v318 = add i64 %v315, 8
%v319 = getelementptr float, ptr %v63, i64 %v318
%v320 = load <8 x float>, ptr %v319, align 4
%v321 = add i64 %v275, 2
%v322 = getelementptr float, ptr %v261, i64 %v321
%v323 = load float, ptr %v322, align 4
%v324 = insertelement <8 x float> poison, float %v323, i32 0
%v325 = shufflevector <8 x float> %v324, <8 x float> poison, <8 x i32> zeroinitializer
%v326 = load <8 x float>, ptr %s23
%v327 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v325, <8 x float> %v317, <8 x float> %v326)
store <8 x float> %v327, ptr %s23
%v328 = load <8 x float>, ptr %s27
%v329 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v325, <8 x float> %v320, <8 x float> %v328)
store <8 x float> %v329, ptr %s27
%v330 = add i64 %v275, 3
%v331 = mul i64 %v330, %v266
%v332 = getelementptr i8, ptr %v270, i64 %v331
call void @llvm.prefetch.p0(ptr %v332, i32 0, i32 3, i32 1)
%v333 = mul i64 %v275, 16
%v334 = add i64 %v333, 48
%v335 = getelementptr float, ptr %v63, i64 %v334
%v336 = load <8 x float>, ptr %v335, align 4
%v337 = add i64 %v334, 8
%v338 = getelementptr float, ptr %v63, i64 %v337
%v339 = load <8 x float>, ptr %v338, align 4
%v340 = add i64 %v275, 3
%v341 = getelementptr float, ptr %v261, i64 %v340
%v342 = load float, ptr %v341, align 4
%v343 = insertelement <8 x float> poison, float %v342, i32 0
%v344 = shufflevector <8 x float> %v343, <8 x float> poison, <8 x i32> zeroinitializer
%v345 = load <8 x float>, ptr %s24
%v346 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v344, <8 x float> %v336, <8 x float> %v345)
store <8 x float> %v346, ptr %s24
%v347 = load <8 x float>, ptr %s28
%v348 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v344, <8 x float> %v339, <8 x float> %v347)
store <8 x float> %v348, ptr %s28
%v349 = add i64 %v275, 4
%v350 = icmp slt i64 %v349, 12
br i1 %v350, label %loop24, label %end25
end25:
%v351 = load <8 x float>, ptr %s21
%v352 = load <8 x float>, ptr %s22
%v353 = load <8 x float>, ptr %s23
%v354 = load <8 x float>, ptr %s24
%v355 = fadd <8 x float> %v351, %v352
%v356 = fadd <8 x float> %v353, %v354
%v357 = fadd <8 x float> %v355, %v356
%v358 = load <8 x float>, ptr %s25
%v359 = load <8 x float>, ptr %s26
%v360 = load <8 x float>, ptr %s27
%v361 = load <8 x float>, ptr %s28
%v362 = fadd <8 x float> %v358, %v359
%v363 = fadd <8 x float> %v360, %v361
%v364 = fadd <8 x float> %v362, %v363
store <8 x float> %v357, ptr %v274, align 4
%v365 = getelementptr float, ptr %v274, i64 8
store <8 x float> %v364, ptr %v365, align 4
br label %end23
else22:
br label %end23
end23:
%v366 = icmp sgt i64 %v79, 1
%v367 = icmp sle i64 %v79, 4
%v368 = and i1 %v366, %v367
%v369 = sub i64 %v79, 1
br i1 %v368, label %then26, label %else27
then26:
%v370 = mul i64 %v78, 6
%v371 = mul i64 %v370, 400
%v372 = getelementptr float, ptr %v34, i64 %v371
%v373 = udiv i64 %v370, 6
%v374 = icmp sle i64 %v81, 1
%v375 = call i64 @llvm.smax.i64(i64 %v81, i64 1)
%v376 = udiv i64 64, %v375
%v377 = select i1 %v374, i64 64, i64 %v376
%v378 = mul i64 %v373, 12
%v379 = mul i64 %v378, %v377
%v380 = getelementptr i8, ptr %v70, i64 %v379
%v381 = getelementptr i8, ptr %v63, i64 1024
%v382 = select i1 %v374, ptr %v381, ptr %v380
%v383 = mul i64 %v370, 16
%v384 = getelementptr float, ptr %v72, i64 %v383
%v385 = mul i64 %v370, 16
%v386 = getelementptr float, ptr %v72, i64 %v385
store <8 x float> splat (float 0x0000000000000000), ptr %s29
store <8 x float> splat (float 0x0000000000000000), ptr %s30
store <8 x float> splat (float 0x0000000000000000), ptr %s31
store <8 x float> splat (float 0x0000000000000000), ptr %s32
store <8 x float> splat (float 0x0000000000000000), ptr %s33
store <8 x float> splat (float 0x0000000000000000), ptr %s34
store <8 x float> splat (float 0x0000000000000000), ptr %s35
store <8 x float> splat (float 0x0000000000000000), ptr %s36
%v387 = getelementptr float, ptr %v372, i64 400
%v388 = getelementptr float, ptr %v372, i64 800
%v389 = getelementptr float, ptr %v372, i64 1200
br label %loop29
loop29:
%v390 = phi i64 [ 0, %then26 ], [ %v477, %loop29 ]
%v391 = mul i64 %v390, %v377
%v392 = getelementptr i8, ptr %v382, i64 %v391
call void @llvm.prefetch.p0(ptr %v392, i32 0, i32 3, i32 1)
%v393 = mul i64 %v390, 16
%v394 = getelementptr float, ptr %v63, i64 %v393
%v395 = load <8 x float>, ptr %v394, align 4
%v396 = add i64 %v393, 8
%v397 = getelementptr float, ptr %v63, i64 %v396
%v398 = load <8 x float>, ptr %v397, align 4
%v399 = getelementptr float, ptr %v372, i64 %v390
%v400 = load float, ptr %v399, align 4
%v401 = insertelement <8 x float> poison, float %v400, i32 0
%v402 = shufflevector <8 x float> %v401, <8 x float> poison, <8 x i32> zeroinitializer
%v403 = load <8 x float>, ptr %s29
%v404 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v402, <8 x float> %v395, <8 x float> %v403)
store <8 x float> %v404, ptr %s29
%v405 = load <8 x float>, ptr %s30
%v406 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v402, <8 x float> %v398, <8 x float> %v405)
store <8 x float> %v406, ptr %s30
%v407 = getelementptr float, ptr %v387, i64 %v390
%v408 = load float, ptr %v407, align 4
%v409 = insertelement <8 x float> poison, float %v408, i32 0
%v410 = shufflevector <8 x float> %v409, <8 x float> poison, <8 x i32> zeroinitializer
%v411 = load <8 x float>, ptr %s31
%v412 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v410, <8 x float> %v395, <8 x float> %v411)
store <8 x float> %v412, ptr %s31
%v413 = load <8 x float>, ptr %s32
%v414 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v410, <8 x float> %v398, <8 x float> %v413)
store <8 x float> %v414, ptr %s32
%v415 = getelementptr float, ptr %v388, i64 %v390
%v416 = load float, ptr %v415, align 4
%v417 = insertelement <8 x float> poison, float %v416, i32 0
%v418 = shufflevector <8 x float> %v417, <8 x float> poison, <8 x i32> zeroinitializer
%v419 = load <8 x float>, ptr %s33
%v420 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v418, <8 x float> %v395, <8 x float> %v419)
store <8 x float> %v420, ptr %s33
%v421 = load <8 x float>, ptr %s34
%v422 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v418, <8 x float> %v398, <8 x float> %v421)
store <8 x float> %v422, ptr %s34
%v423 = getelementptr float, ptr %v389, i64 %v390
%v424 = load float, ptr %v423, align 4
%v425 = insertelement <8 x float> poison, float %v424, i32 0
%v426 = shufflevector <8 x float> %v425, <8 x float> poison, <8 x i32> zeroinitializer
%v427 = load <8 x float>, ptr %s35
%v428 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v426, <8 x float> %v395, <8 x float> %v427)
store <8 x float> %v428, ptr %s35
%v429 = load <8 x float>, ptr %s36
%v430 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v426, <8 x float> %v398, <8 x float> %v429)
store <8 x float> %v430, ptr %s36
%v431 = add i64 %v390, 1
%v432 = mul i64 %v431, %v377
%v433 = getelementptr i8, ptr %v382, i64 %v432
call void @llvm.prefetch.p0(ptr %v433, i32 0, i32 3, i32 1)
%v434 = mul i64 %v390, 16
%v435 = add i64 %v434, 16
%v436 = getelementptr float, ptr %v63, i64 %v435
%v437 = load <8 x float>, ptr %v436, align 4
%v438 = add i64 %v435, 8
%v439 = getelementptr float, ptr %v63, i64 %v438
%v440 = load <8 x float>, ptr %v439, align 4
%v441 = add i64 %v390, 1
%v442 = getelementptr float, ptr %v372, i64 %v441
%v443 = load float, ptr %v442, align 4
%v444 = insertelement <8 x float> poison, float %v443, i32 0
%v445 = shufflevector <8 x float> %v444, <8 x float> poison, <8 x i32> zeroinitializer
%v446 = load <8 x float>, ptr %s29
%v447 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v445, <8 x float> %v437, <8 x float> %v446)
store <8 x float> %v447, ptr %s29
%v448 = load <8 x float>, ptr %s30
%v449 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v445, <8 x float> %v440, <8 x float> %v448)
store <8 x float> %v449, ptr %s30
%v450 = add i64 %v390, 1
%v451 = getelementptr float, ptr %v387, i64 %v450
%v452 = load float, ptr %v451, align 4
%v453 = insertelement <8 x float> poison, float %v452, i32 0
%v454 = shufflevector <8 x float> %v453, <8 x float> poison, <8 x i32> zeroinitializer
%v455 = load <8 x float>, ptr %s31
%v456 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v454, <8 x float> %v437, <8 x float> %v455)
store <8 x float> %v456, ptr %s31
%v457 = load <8 x float>, ptr %s32
%v458 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v454, <8 x float> %v440, <8 x float> %v457)
store <8 x float> %v458, ptr %s32
%v459 = add i64 %v390, 1
%v460 = getelementptr float, ptr %v388, i64 %v459
%v461 = load float, ptr %v460, align 4
%v462 = insertelement <8 x float> poison, float %v461, i32 0
%v463 = shufflevector <8 x float> %v462, <8 x float> poison, <8 x i32> zeroinitializer
%v464 = load <8 x float>, ptr %s33
%v465 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v463, <8 x float> %v437, <8 x float> %v464)
store <8 x float> %v465, ptr %s33
%v466 = load <8 x float>, ptr %s34
%v467 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v463, <8 x float> %v440, <8 x float> %v466)
store <8 x float> %v467, ptr %s34
%v468 = add i64 %v390, 1
%v469 = getelementptr float, ptr %v389, i64 %v468
%v470 = load float, ptr %v469, align 4
%v471 = insertelement <8 x float> poison, float %v470, i32 0
%v472 = shufflevector <8 x float> %v471, <8 x float> poison, <8 x i32> zeroinitializer
%v473 = load <8 x float>, ptr %s35
%v474 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v472, <8 x float> %v437, <8 x float> %v473)
store <8 x float> %v474, ptr %s35
%v475 = load <8 x float>, ptr %s36
%v476 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v472, <8 x float> %v440, <8 x float> %v475)
store <8 x float> %v476, ptr %s36
%v477 = add i64 %v390, 2
%v478 = icmp slt i64 %v477, 12
br i1 %v478, label %loop29, label %end30
end30:
%v479 = load <8 x float>, ptr %s29
%v480 = load <8 x float>, ptr %s30
%v481 = load <8 x float>, ptr %s31
%v482 = load <8 x float>, ptr %s32
%v483 = load <8 x float>, ptr %s33
%v484 = load <8 x float>, ptr %s34
%v485 = load <8 x float>, ptr %s35
%v486 = load <8 x float>, ptr %s36
store <8 x float> %v479, ptr %v386, align 4
%v487 = getelementptr float, ptr %v386, i64 8
store <8 x float> %v480, ptr %v487, align 4
%v488 = getelementptr float, ptr %v386, i64 16
store <8 x float> %v481, ptr %v488, align 4
%v489 = getelementptr float, ptr %v386, i64 24
store <8 x float> %v482, ptr %v489, align 4
%v490 = getelementptr float, ptr %v386, i64 32
store <8 x float> %v483, ptr %v490, align 4
%v491 = getelementptr float, ptr %v386, i64 40
store <8 x float> %v484, ptr %v491, align 4
%v492 = getelementptr float, ptr %v386, i64 48
store <8 x float> %v485, ptr %v492, align 4
%v493 = getelementptr float, ptr %v386, i64 56
store <8 x float> %v486, ptr %v493, align 4
br label %end28
else27:
br label %end28
end28:
%v494 = mul i64 %v60, 1152
%v495 = getelementptr float, ptr %scratch, i64 %v494
%v496 = mul i64 %v60, 16
%v497 = sub i64 16, %v496
%v498 = icmp slt i64 0, %v33
br i1 %v498, label %guard33, label %end32
guard33:
br label %loop31
loop31:
%v499 = phi i64 [ 0, %guard33 ], [ %v521, %loop31 ]
%v500 = mul i64 %v499, 16
%v501 = getelementptr float, ptr %v495, i64 %v500
%v502 = load <8 x float>, ptr %v501, align 4
%v503 = mul i64 %v499, 16
%v504 = add i64 %v503, 8
%v505 = getelementptr float, ptr %v495, i64 %v504
%v506 = load <8 x float>, ptr %v505, align 4
%v507 = add i64 %v31, %v499
%v508 = add i64 %v31, %v499
%v509 = getelementptr i64, ptr %a0, i64 %v508
%v510 = load i64, ptr %v509, align 8
%v511 = mul i64 %v510, 16
%v512 = add i64 %v511, %v496
%v513 = getelementptr float, ptr %a3, i64 %v512
store <8 x float> %v502, ptr %v513, align 4
%v514 = add i64 %v31, %v499
%v515 = getelementptr i64, ptr %a0, i64 %v514
%v516 = load i64, ptr %v515, align 8
%v517 = mul i64 %v516, 16
%v518 = add i64 %v517, %v496
%v519 = add i64 %v518, 8
%v520 = getelementptr float, ptr %a3, i64 %v519
store <8 x float> %v506, ptr %v520, align 4
%v521 = add i64 %v499, 1
%v522 = icmp slt i64 %v521, %v33
br i1 %v522, label %loop31, label %end32
end32:
%v523 = add i64 %v60, 1
%v524 = icmp slt i64 %v523, 1
br i1 %v524, label %loop13, label %end14
end14:
%v525 = add i64 %v31, %v27
%v526 = icmp slt i64 %v525, %v16
br i1 %v526, label %loop4, label %end5
end5:
%v527 = add i64 %v1, 1
%v528 = icmp slt i64 %v527, %end
br i1 %v528, label %loop1, label %end2
end2:
ret void
}

