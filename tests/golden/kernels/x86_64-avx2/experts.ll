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

define void @expert_rows_2ef6c774(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%v0 = getelementptr i64, ptr %a0, i64 6
%v1 = getelementptr i64, ptr %a0, i64 10
%v2 = getelementptr i64, ptr %a0, i64 20
%v3 = getelementptr i64, ptr %a0, i64 30
br label %loop1
loop1:
%v4 = phi i64 [ 0, %entry ], [ %v6, %loop1 ]
%v5 = getelementptr i64, ptr %a0, i64 %v4
store i64 0, ptr %v5, align 8
%v6 = add i64 %v4, 1
%v7 = icmp slt i64 %v6, 6
br i1 %v7, label %loop1, label %end2
end2:
br label %loop3
loop3:
%v8 = phi i64 [ 0, %end2 ], [ %v24, %loop3 ]
%v9 = getelementptr i32, ptr %a1, i64 %v8
%v10 = load i32, ptr %v9, align 4
%v11 = sext i32 %v10 to i64
%v12 = icmp slt i64 %v11, 0
%v13 = add i64 %v11, 3
%v14 = select i1 %v12, i64 %v13, i64 %v11
%v15 = call i64 @llvm.smin.i64(i64 %v14, i64 2)
%v16 = call i64 @llvm.smax.i64(i64 %v15, i64 0)
%v17 = icmp uge i64 %v14, 3
%v18 = getelementptr i64, ptr %v1, i64 %v8
store i64 %v16, ptr %v18, align 8
%v19 = add i64 %v16, 2
%v20 = getelementptr i64, ptr %a0, i64 %v19
%v21 = load i64, ptr %v20, align 8
%v22 = add i64 %v21, 1
%v23 = getelementptr i64, ptr %a0, i64 %v19
store i64 %v22, ptr %v23, align 8
%v24 = add i64 %v8, 1
%v25 = icmp slt i64 %v24, 10
br i1 %v25, label %loop3, label %end4
end4:
store i64 0, ptr %s4
br label %loop5
loop5:
%v26 = phi i64 [ 0, %end4 ], [ %v41, %end9 ]
%v27 = add i64 %v26, 2
%v28 = getelementptr i64, ptr %a0, i64 %v27
%v29 = load i64, ptr %v28, align 8
%v30 = add i64 %v26, 1
%v31 = getelementptr i64, ptr %a0, i64 %v30
%v32 = load i64, ptr %v31, align 8
%v33 = add i64 %v32, %v29
%v34 = add i64 %v26, 2
%v35 = getelementptr i64, ptr %a0, i64 %v34
store i64 %v33, ptr %v35, align 8
%v36 = icmp sgt i64 %v29, 0
br i1 %v36, label %then7, label %else8
then7:
%v37 = load i64, ptr %s4
%v38 = getelementptr i64, ptr %v0, i64 %v37
store i64 %v26, ptr %v38, align 8
%v39 = load i64, ptr %s4
%v40 = add i64 %v39, 1
store i64 %v40, ptr %s4
br label %end9
else8:
br label %end9
end9:
%v41 = add i64 %v26, 1
%v42 = icmp slt i64 %v41, 3
br i1 %v42, label %loop5, label %end6
end6:
%v43 = load i64, ptr %s4
%v44 = getelementptr i64, ptr %a0, i64 9
store i64 %v43, ptr %v44, align 8
br label %loop10
loop10:
%v45 = phi i64 [ 0, %end6 ], [ %v55, %loop10 ]
%v46 = getelementptr i64, ptr %v1, i64 %v45
%v47 = load i64, ptr %v46, align 8
%v48 = add i64 %v47, 1
%v49 = getelementptr i64, ptr %a0, i64 %v48
%v50 = load i64, ptr %v49, align 8
%v51 = getelementptr i64, ptr %v3, i64 %v50
store i64 %v45, ptr %v51, align 8
%v52 = getelementptr i64, ptr %v2, i64 %v45
store i64 %v50, ptr %v52, align 8
%v53 = add i64 %v50, 1
%v54 = getelementptr i64, ptr %a0, i64 %v48
store i64 %v53, ptr %v54, align 8
%v55 = add i64 %v45, 1
%v56 = icmp slt i64 %v55, 10
br i1 %v56, label %loop10, label %end11
end11:
ret void
}


declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @packed_grouped_matmul_6ba943f9(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v1 = phi i64 [ %begin, %guard3 ], [ %v509, %end5 ]
%v2 = getelementptr i64, ptr %a0, i64 9
%v3 = load i64, ptr %v2, align 8
%v4 = icmp slt i64 %v1, %v3
%v5 = getelementptr i64, ptr %a0, i64 6
%v6 = select i1 %v4, i64 %v1, i64 0
%v7 = getelementptr i64, ptr %v5, i64 %v6
%v8 = load i64, ptr %v7, align 8
%v9 = select i1 %v4, i64 %v8, i64 0
%v10 = getelementptr i64, ptr %a0, i64 %v9
%v11 = load i64, ptr %v10, align 8
%v12 = add i64 %v9, 1
%v13 = getelementptr i64, ptr %a0, i64 %v12
%v14 = load i64, ptr %v13, align 8
%v15 = select i1 %v4, i64 %v14, i64 %v11
%v16 = sub i64 %v15, %v11
%v17 = add i64 %v16, 71
%v18 = udiv i64 %v17, 72
%v19 = sub i64 %v15, %v11
%v20 = sub i64 %v18, 1
%v21 = add i64 %v19, %v20
%v22 = call i64 @llvm.smax.i64(i64 %v18, i64 1)
%v23 = udiv i64 %v21, %v22
%v24 = add i64 %v23, 5
%v25 = udiv i64 %v24, 6
%v26 = mul i64 %v25, 6
%v27 = mul i64 %v9, 192
%v28 = getelementptr float, ptr %a2, i64 %v27
%v29 = icmp slt i64 %v11, %v15
br i1 %v29, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v30 = phi i64 [ %v11, %guard6 ], [ %v507, %end32 ]
%v31 = sub i64 %v15, %v30
%v32 = call i64 @llvm.smin.i64(i64 %v26, i64 %v31)
%v33 = getelementptr i8, ptr %scratch, i64 36864
%v34 = add i64 %v32, 5
%v35 = udiv i64 %v34, 6
%v36 = icmp eq i64 %v32, 1
%v37 = mul i64 %v35, 6
%v38 = select i1 %v36, i64 1, i64 %v37
%v39 = icmp slt i64 0, %v38
br i1 %v39, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v40 = phi i64 [ 0, %guard9 ], [ %v55, %loop7 ]
%v41 = sub i64 %v32, 1
%v42 = call i64 @llvm.smin.i64(i64 %v40, i64 %v41)
%v43 = add i64 %v30, %v42
%v44 = getelementptr i64, ptr %a0, i64 30
%v45 = getelementptr i64, ptr %v44, i64 %v43
%v46 = load i64, ptr %v45, align 8
%v47 = mul i64 %v46, 12
%v48 = getelementptr float, ptr %a1, i64 %v47
%v49 = mul i64 %v40, 400
%v50 = getelementptr float, ptr %v33, i64 %v49
%v51 = load <8 x float>, ptr %v48, align 4
store <8 x float> %v51, ptr %v50, align 4
%v52 = getelementptr float, ptr %v48, i64 8
%v53 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v52, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v54 = getelementptr float, ptr %v50, i64 8
store <8 x float> %v53, ptr %v54, align 4
%v55 = add i64 %v40, 1
%v56 = icmp slt i64 %v55, %v38
br i1 %v56, label %loop7, label %end8
end8:
%v57 = icmp sle i64 %v32, 1
store i64 0, ptr %s8
br i1 %v57, label %then10, label %else11
then10:
store i64 0, ptr %s8
br label %end12
else11:
br label %end12
end12:
%v58 = load i64, ptr %s8
%v59 = getelementptr float, ptr %v28, i64 192
%v60 = icmp slt i64 0, %v58
%v61 = xor i1 %v60, true
br i1 %v61, label %then13, label %else14
then13:
%v62 = udiv i64 %v32, 6
%v63 = urem i64 %v32, 6
%v64 = icmp sgt i64 %v63, 4
%v65 = select i1 %v64, i64 1, i64 0
%v66 = add i64 %v62, %v65
%v67 = select i1 %v64, i64 0, i64 %v63
%v68 = add i64 %v32, 5
%v69 = udiv i64 %v68, 6
%v70 = icmp slt i64 0, %v66
br i1 %v70, label %guard18, label %end17
guard18:
br label %loop16
loop16:
%v71 = phi i64 [ 0, %guard18 ], [ %v242, %end20 ]
%v72 = mul i64 %v71, 6
%v73 = sub i64 %v32, %v72
%v74 = sub i64 %v73, 1
%v75 = mul i64 %v72, 400
%v76 = getelementptr float, ptr %v33, i64 %v75
%v77 = udiv i64 %v72, 6
%v78 = icmp sle i64 %v69, 1
%v79 = call i64 @llvm.smax.i64(i64 %v69, i64 1)
%v80 = udiv i64 64, %v79
%v81 = select i1 %v78, i64 64, i64 %v80
%v82 = mul i64 %v77, 12
%v83 = mul i64 %v82, %v81
%v84 = getelementptr i8, ptr %v59, i64 %v83
%v85 = getelementptr i8, ptr %v28, i64 1024
%v86 = select i1 %v78, ptr %v85, ptr %v84
%v87 = mul i64 %v72, 16
%v88 = getelementptr float, ptr %scratch, i64 %v87
%v89 = mul i64 %v72, 16
%v90 = getelementptr float, ptr %scratch, i64 %v89
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
%v91 = getelementptr float, ptr %v76, i64 400
%v92 = getelementptr float, ptr %v76, i64 800
%v93 = getelementptr float, ptr %v76, i64 1200
%v94 = getelementptr float, ptr %v76, i64 1600
%v95 = getelementptr float, ptr %v76, i64 2000
br label %loop19
loop19:
%v96 = phi i64 [ 0, %loop16 ], [ %v217, %loop19 ]
%v97 = mul i64 %v96, %v81
%v98 = getelementptr i8, ptr %v86, i64 %v97
call void @llvm.prefetch.p0(ptr %v98, i32 0, i32 3, i32 1)
%v99 = mul i64 %v96, 16
%v100 = getelementptr float, ptr %v28, i64 %v99
%v101 = load <8 x float>, ptr %v100, align 4
%v102 = add i64 %v99, 8
%v103 = getelementptr float, ptr %v28, i64 %v102
%v104 = load <8 x float>, ptr %v103, align 4
%v105 = getelementptr float, ptr %v76, i64 %v96
%v106 = load float, ptr %v105, align 4
%v107 = insertelement <8 x float> poison, float %v106, i32 0
%v108 = shufflevector <8 x float> %v107, <8 x float> poison, <8 x i32> zeroinitializer
%v109 = load <8 x float>, ptr %s9
%v110 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v108, <8 x float> %v101, <8 x float> %v109)
store <8 x float> %v110, ptr %s9
%v111 = load <8 x float>, ptr %s10
%v112 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v108, <8 x float> %v104, <8 x float> %v111)
store <8 x float> %v112, ptr %s10
%v113 = getelementptr float, ptr %v91, i64 %v96
%v114 = load float, ptr %v113, align 4
%v115 = insertelement <8 x float> poison, float %v114, i32 0
%v116 = shufflevector <8 x float> %v115, <8 x float> poison, <8 x i32> zeroinitializer
%v117 = load <8 x float>, ptr %s11
%v118 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v116, <8 x float> %v101, <8 x float> %v117)
store <8 x float> %v118, ptr %s11
%v119 = load <8 x float>, ptr %s12
%v120 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v116, <8 x float> %v104, <8 x float> %v119)
store <8 x float> %v120, ptr %s12
%v121 = getelementptr float, ptr %v92, i64 %v96
%v122 = load float, ptr %v121, align 4
%v123 = insertelement <8 x float> poison, float %v122, i32 0
%v124 = shufflevector <8 x float> %v123, <8 x float> poison, <8 x i32> zeroinitializer
%v125 = load <8 x float>, ptr %s13
%v126 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v124, <8 x float> %v101, <8 x float> %v125)
store <8 x float> %v126, ptr %s13
%v127 = load <8 x float>, ptr %s14
%v128 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v124, <8 x float> %v104, <8 x float> %v127)
store <8 x float> %v128, ptr %s14
%v129 = getelementptr float, ptr %v93, i64 %v96
%v130 = load float, ptr %v129, align 4
%v131 = insertelement <8 x float> poison, float %v130, i32 0
%v132 = shufflevector <8 x float> %v131, <8 x float> poison, <8 x i32> zeroinitializer
%v133 = load <8 x float>, ptr %s15
%v134 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v132, <8 x float> %v101, <8 x float> %v133)
store <8 x float> %v134, ptr %s15
%v135 = load <8 x float>, ptr %s16
%v136 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v132, <8 x float> %v104, <8 x float> %v135)
store <8 x float> %v136, ptr %s16
%v137 = getelementptr float, ptr %v94, i64 %v96
%v138 = load float, ptr %v137, align 4
%v139 = insertelement <8 x float> poison, float %v138, i32 0
%v140 = shufflevector <8 x float> %v139, <8 x float> poison, <8 x i32> zeroinitializer
%v141 = load <8 x float>, ptr %s17
%v142 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v140, <8 x float> %v101, <8 x float> %v141)
store <8 x float> %v142, ptr %s17
%v143 = load <8 x float>, ptr %s18
%v144 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v140, <8 x float> %v104, <8 x float> %v143)
store <8 x float> %v144, ptr %s18
%v145 = getelementptr float, ptr %v95, i64 %v96
%v146 = load float, ptr %v145, align 4
%v147 = insertelement <8 x float> poison, float %v146, i32 0
%v148 = shufflevector <8 x float> %v147, <8 x float> poison, <8 x i32> zeroinitializer
%v149 = load <8 x float>, ptr %s19
%v150 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v148, <8 x float> %v101, <8 x float> %v149)
store <8 x float> %v150, ptr %s19
%v151 = load <8 x float>, ptr %s20
%v152 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v148, <8 x float> %v104, <8 x float> %v151)
store <8 x float> %v152, ptr %s20
%v153 = add i64 %v96, 1
%v154 = mul i64 %v153, %v81
%v155 = getelementptr i8, ptr %v86, i64 %v154
call void @llvm.prefetch.p0(ptr %v155, i32 0, i32 3, i32 1)
%v156 = mul i64 %v96, 16
%v157 = add i64 %v156, 16
%v158 = getelementptr float, ptr %v28, i64 %v157
%v159 = load <8 x float>, ptr %v158, align 4
%v160 = add i64 %v157, 8
%v161 = getelementptr float, ptr %v28, i64 %v160
%v162 = load <8 x float>, ptr %v161, align 4
%v163 = add i64 %v96, 1
%v164 = getelementptr float, ptr %v76, i64 %v163
%v165 = load float, ptr %v164, align 4
%v166 = insertelement <8 x float> poison, float %v165, i32 0
%v167 = shufflevector <8 x float> %v166, <8 x float> poison, <8 x i32> zeroinitializer
%v168 = load <8 x float>, ptr %s9
%v169 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v167, <8 x float> %v159, <8 x float> %v168)
store <8 x float> %v169, ptr %s9
%v170 = load <8 x float>, ptr %s10
%v171 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v167, <8 x float> %v162, <8 x float> %v170)
store <8 x float> %v171, ptr %s10
%v172 = add i64 %v96, 1
%v173 = getelementptr float, ptr %v91, i64 %v172
%v174 = load float, ptr %v173, align 4
%v175 = insertelement <8 x float> poison, float %v174, i32 0
%v176 = shufflevector <8 x float> %v175, <8 x float> poison, <8 x i32> zeroinitializer
%v177 = load <8 x float>, ptr %s11
%v178 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v176, <8 x float> %v159, <8 x float> %v177)
store <8 x float> %v178, ptr %s11
%v179 = load <8 x float>, ptr %s12
%v180 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v176, <8 x float> %v162, <8 x float> %v179)
store <8 x float> %v180, ptr %s12
%v181 = add i64 %v96, 1
%v182 = getelementptr float, ptr %v92, i64 %v181
%v183 = load float, ptr %v182, align 4
%v184 = insertelement <8 x float> poison, float %v183, i32 0
%v185 = shufflevector <8 x float> %v184, <8 x float> poison, <8 x i32> zeroinitializer
%v186 = load <8 x float>, ptr %s13
%v187 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v185, <8 x float> %v159, <8 x float> %v186)
store <8 x float> %v187, ptr %s13
%v188 = load <8 x float>, ptr %s14
%v189 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v185, <8 x float> %v162, <8 x float> %v188)
store <8 x float> %v189, ptr %s14
%v190 = add i64 %v96, 1
%v191 = getelementptr float, ptr %v93, i64 %v190
%v192 = load float, ptr %v191, align 4
%v193 = insertelement <8 x float> poison, float %v192, i32 0
%v194 = shufflevector <8 x float> %v193, <8 x float> poison, <8 x i32> zeroinitializer
%v195 = load <8 x float>, ptr %s15
%v196 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v194, <8 x float> %v159, <8 x float> %v195)
store <8 x float> %v196, ptr %s15
%v197 = load <8 x float>, ptr %s16
%v198 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v194, <8 x float> %v162, <8 x float> %v197)
store <8 x float> %v198, ptr %s16
%v199 = add i64 %v96, 1
%v200 = getelementptr float, ptr %v94, i64 %v199
%v201 = load float, ptr %v200, align 4
%v202 = insertelement <8 x float> poison, float %v201, i32 0
%v203 = shufflevector <8 x float> %v202, <8 x float> poison, <8 x i32> zeroinitializer
%v204 = load <8 x float>, ptr %s17
%v205 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v203, <8 x float> %v159, <8 x float> %v204)
store <8 x float> %v205, ptr %s17
%v206 = load <8 x float>, ptr %s18
%v207 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v203, <8 x float> %v162, <8 x float> %v206)
store <8 x float> %v207, ptr %s18
%v208 = add i64 %v96, 1
%v209 = getelementptr float, ptr %v95, i64 %v208
%v210 = load float, ptr %v209, align 4
%v211 = insertelement <8 x float> poison, float %v210, i32 0
%v212 = shufflevector <8 x float> %v211, <8 x float> poison, <8 x i32> zeroinitializer
%v213 = load <8 x float>, ptr %s19
%v214 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v212, <8 x float> %v159, <8 x float> %v213)
store <8 x float> %v214, ptr %s19
%v215 = load <8 x float>, ptr %s20
%v216 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v212, <8 x float> %v162, <8 x float> %v215)
store <8 x float> %v216, ptr %s20
%v217 = add i64 %v96, 2
%v218 = icmp slt i64 %v217, 12
br i1 %v218, label %loop19, label %end20
end20:
%v219 = load <8 x float>, ptr %s9
%v220 = load <8 x float>, ptr %s10
%v221 = load <8 x float>, ptr %s11
%v222 = load <8 x float>, ptr %s12
%v223 = load <8 x float>, ptr %s13
%v224 = load <8 x float>, ptr %s14
%v225 = load <8 x float>, ptr %s15
%v226 = load <8 x float>, ptr %s16
%v227 = load <8 x float>, ptr %s17
%v228 = load <8 x float>, ptr %s18
%v229 = load <8 x float>, ptr %s19
%v230 = load <8 x float>, ptr %s20
store <8 x float> %v219, ptr %v90, align 4
%v231 = getelementptr float, ptr %v90, i64 8
store <8 x float> %v220, ptr %v231, align 4
%v232 = getelementptr float, ptr %v90, i64 16
store <8 x float> %v221, ptr %v232, align 4
%v233 = getelementptr float, ptr %v90, i64 24
store <8 x float> %v222, ptr %v233, align 4
%v234 = getelementptr float, ptr %v90, i64 32
store <8 x float> %v223, ptr %v234, align 4
%v235 = getelementptr float, ptr %v90, i64 40
store <8 x float> %v224, ptr %v235, align 4
%v236 = getelementptr float, ptr %v90, i64 48
store <8 x float> %v225, ptr %v236, align 4
%v237 = getelementptr float, ptr %v90, i64 56
store <8 x float> %v226, ptr %v237, align 4
%v238 = getelementptr float, ptr %v90, i64 64
store <8 x float> %v227, ptr %v238, align 4
%v239 = getelementptr float, ptr %v90, i64 72
store <8 x float> %v228, ptr %v239, align 4
%v240 = getelementptr float, ptr %v90, i64 80
store <8 x float> %v229, ptr %v240, align 4
%v241 = getelementptr float, ptr %v90, i64 88
store <8 x float> %v230, ptr %v241, align 4
%v242 = add i64 %v71, 1
%v243 = icmp slt i64 %v242, %v66
br i1 %v243, label %loop16, label %end17
end17:
%v244 = icmp sgt i64 %v67, 0
%v245 = icmp sle i64 %v67, 1
%v246 = and i1 %v244, %v245
br i1 %v246, label %then21, label %else22
then21:
%v247 = mul i64 %v66, 6
%v248 = mul i64 %v247, 400
%v249 = getelementptr float, ptr %v33, i64 %v248
%v250 = udiv i64 %v247, 6
%v251 = icmp sle i64 %v69, 1
%v252 = call i64 @llvm.smax.i64(i64 %v69, i64 1)
%v253 = udiv i64 64, %v252
%v254 = select i1 %v251, i64 64, i64 %v253
%v255 = mul i64 %v250, 12
%v256 = mul i64 %v255, %v254
%v257 = getelementptr i8, ptr %v59, i64 %v256
%v258 = select i1 %v251, ptr %v28, ptr %v257
%v259 = mul i64 %v247, 16
%v260 = getelementptr float, ptr %scratch, i64 %v259
%v261 = mul i64 %v247, 16
%v262 = getelementptr float, ptr %scratch, i64 %v261
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
%v263 = phi i64 [ 0, %then21 ], [ %v337, %loop24 ]
%v264 = mul i64 %v263, %v254
%v265 = getelementptr i8, ptr %v258, i64 %v264
call void @llvm.prefetch.p0(ptr %v265, i32 0, i32 3, i32 1)
%v266 = mul i64 %v263, 16
%v267 = getelementptr float, ptr %v28, i64 %v266
%v268 = load <8 x float>, ptr %v267, align 4
%v269 = add i64 %v266, 8
%v270 = getelementptr float, ptr %v28, i64 %v269
%v271 = load <8 x float>, ptr %v270, align 4
%v272 = getelementptr float, ptr %v249, i64 %v263
%v273 = load float, ptr %v272, align 4
%v274 = insertelement <8 x float> poison, float %v273, i32 0
%v275 = shufflevector <8 x float> %v274, <8 x float> poison, <8 x i32> zeroinitializer
%v276 = load <8 x float>, ptr %s21
%v277 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v275, <8 x float> %v268, <8 x float> %v276)
store <8 x float> %v277, ptr %s21
%v278 = load <8 x float>, ptr %s25
%v279 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v275, <8 x float> %v271, <8 x float> %v278)
store <8 x float> %v279, ptr %s25
%v280 = add i64 %v263, 1
%v281 = mul i64 %v280, %v254
%v282 = getelementptr i8, ptr %v258, i64 %v281
call void @llvm.prefetch.p0(ptr %v282, i32 0, i32 3, i32 1)
%v283 = mul i64 %v263, 16
%v284 = add i64 %v283, 16
%v285 = getelementptr float, ptr %v28, i64 %v284
%v286 = load <8 x float>, ptr %v285, align 4
%v287 = add i64 %v284, 8
%v288 = getelementptr float, ptr %v28, i64 %v287
%v289 = load <8 x float>, ptr %v288, align 4
%v290 = add i64 %v263, 1
%v291 = getelementptr float, ptr %v249, i64 %v290
%v292 = load float, ptr %v291, align 4
%v293 = insertelement <8 x float> poison, float %v292, i32 0
%v294 = shufflevector <8 x float> %v293, <8 x float> poison, <8 x i32> zeroinitializer
%v295 = load <8 x float>, ptr %s22
%v296 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v294, <8 x float> %v286, <8 x float> %v295)
store <8 x float> %v296, ptr %s22
%v297 = load <8 x float>, ptr %s26
%v298 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v294, <8 x float> %v289, <8 x float> %v297)
store <8 x float> %v298, ptr %s26
%v299 = add i64 %v263, 2
%v300 = mul i64 %v299, %v254
%v301 = getelementptr i8, ptr %v258, i64 %v300
call void @llvm.prefetch.p0(ptr %v301, i32 0, i32 3, i32 1)
%v302 = mul i64 %v263, 16
%v303 = add i64 %v302, 32
%v304 = getelementptr float, ptr %v28, i64 %v303
%v305 = load <8 x float>, ptr %v304, align 4
%v306 = add i64 %v303, 8
%v307 = getelementptr float, ptr %v28, i64 %v306
%v308 = load <8 x float>, ptr %v307, align 4
%v309 = add i64 %v263, 2
%v310 = getelementptr float, ptr %v249, i64 %v309
%v311 = load float, ptr %v310, align 4
%v312 = insertelement <8 x float> poison, float %v311, i32 0
%v313 = shufflevector <8 x float> %v312, <8 x float> poison, <8 x i32> zeroinitializer
%v314 = load <8 x float>, ptr %s23
%v315 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v313, <8 x float> %v305, <8 x float> %v314)
store <8 x float> %v315, ptr %s23
%v316 = load <8 x float>, ptr %s27
%v317 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v313, <8 x float> %v308, <8 x float> %v316)
store <8 x float> %v317, ptr %s27
%v318 = add i64 %v263, 3
%v319 = mul i64 %v318, %v254
%v320 = getelementptr i8, ptr %v258, i64 %v319
call void @llvm.prefetch.p0(ptr %v320, i32 0, i32 3, i32 1)
%v321 = mul i64 %v263, 16
%v322 = add i64 %v321, 48
%v323 = getelementptr float, ptr %v28, i64 %v322
%v324 = load <8 x float>, ptr %v323, align 4
%v325 = add i64 %v322, 8
%v326 = getelementptr float, ptr %v28, i64 %v325
%v327 = load <8 x float>, ptr %v326, align 4
%v328 = add i64 %v263, 3
%v329 = getelementptr float, ptr %v249, i64 %v328
%v330 = load float, ptr %v329, align 4
%v331 = insertelement <8 x float> poison, float %v330, i32 0
%v332 = shufflevector <8 x float> %v331, <8 x float> poison, <8 x i32> zeroinitializer
%v333 = load <8 x float>, ptr %s24
%v334 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v332, <8 x float> %v324, <8 x float> %v333)
store <8 x float> %v334, ptr %s24
%v335 = load <8 x float>, ptr %s28
%v336 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v332, <8 x float> %v327, <8 x float> %v335)
store <8 x float> %v336, ptr %s28
%v337 = add i64 %v263, 4
%v338 = icmp slt i64 %v337, 12
br i1 %v338, label %loop24, label %end25
end25:
%v339 = load <8 x float>, ptr %s21
%v340 = load <8 x float>, ptr %s22
%v341 = load <8 x float>, ptr %s23
%v342 = load <8 x float>, ptr %s24
%v343 = fadd <8 x float> %v339, %v340
%v344 = fadd <8 x float> %v341, %v342
%v345 = fadd <8 x float> %v343, %v344
%v346 = load <8 x float>, ptr %s25
%v347 = load <8 x float>, ptr %s26
%v348 = load <8 x float>, ptr %s27
%v349 = load <8 x float>, ptr %s28
%v350 = fadd <8 x float> %v346, %v347
%v351 = fadd <8 x float> %v348, %v349
%v352 = fadd <8 x float> %v350, %v351
store <8 x float> %v345, ptr %v262, align 4
%v353 = getelementptr float, ptr %v262, i64 8
store <8 x float> %v352, ptr %v353, align 4
br label %end23
else22:
br label %end23
end23:
%v354 = icmp sgt i64 %v67, 1
%v355 = icmp sle i64 %v67, 4
%v356 = and i1 %v354, %v355
%v357 = sub i64 %v67, 1
br i1 %v356, label %then26, label %else27
then26:
%v358 = mul i64 %v66, 6
%v359 = mul i64 %v358, 400
%v360 = getelementptr float, ptr %v33, i64 %v359
%v361 = udiv i64 %v358, 6
%v362 = icmp sle i64 %v69, 1
%v363 = call i64 @llvm.smax.i64(i64 %v69, i64 1)
%v364 = udiv i64 64, %v363
%v365 = select i1 %v362, i64 64, i64 %v364
%v366 = mul i64 %v361, 12
%v367 = mul i64 %v366, %v365
%v368 = getelementptr i8, ptr %v59, i64 %v367
%v369 = getelementptr i8, ptr %v28, i64 1024
%v370 = select i1 %v362, ptr %v369, ptr %v368
%v371 = mul i64 %v358, 16
%v372 = getelementptr float, ptr %scratch, i64 %v371
%v373 = mul i64 %v358, 16
%v374 = getelementptr float, ptr %scratch, i64 %v373
store <8 x float> splat (float 0x0000000000000000), ptr %s29
store <8 x float> splat (float 0x0000000000000000), ptr %s30
store <8 x float> splat (float 0x0000000000000000), ptr %s31
store <8 x float> splat (float 0x0000000000000000), ptr %s32
store <8 x float> splat (float 0x0000000000000000), ptr %s33
store <8 x float> splat (float 0x0000000000000000), ptr %s34
store <8 x float> splat (float 0x0000000000000000), ptr %s35
store <8 x float> splat (float 0x0000000000000000), ptr %s36
%v375 = getelementptr float, ptr %v360, i64 400
%v376 = getelementptr float, ptr %v360, i64 800
%v377 = getelementptr float, ptr %v360, i64 1200
br label %loop29
loop29:
%v378 = phi i64 [ 0, %then26 ], [ %v465, %loop29 ]
%v379 = mul i64 %v378, %v365
%v380 = getelementptr i8, ptr %v370, i64 %v379
call void @llvm.prefetch.p0(ptr %v380, i32 0, i32 3, i32 1)
%v381 = mul i64 %v378, 16
%v382 = getelementptr float, ptr %v28, i64 %v381
%v383 = load <8 x float>, ptr %v382, align 4
%v384 = add i64 %v381, 8
%v385 = getelementptr float, ptr %v28, i64 %v384
%v386 = load <8 x float>, ptr %v385, align 4
%v387 = getelementptr float, ptr %v360, i64 %v378
%v388 = load float, ptr %v387, align 4
%v389 = insertelement <8 x float> poison, float %v388, i32 0
%v390 = shufflevector <8 x float> %v389, <8 x float> poison, <8 x i32> zeroinitializer
%v391 = load <8 x float>, ptr %s29
%v392 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v390, <8 x float> %v383, <8 x float> %v391)
store <8 x float> %v392, ptr %s29
%v393 = load <8 x float>, ptr %s30
%v394 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v390, <8 x float> %v386, <8 x float> %v393)
store <8 x float> %v394, ptr %s30
%v395 = getelementptr float, ptr %v375, i64 %v378
%v396 = load float, ptr %v395, align 4
%v397 = insertelement <8 x float> poison, float %v396, i32 0
%v398 = shufflevector <8 x float> %v397, <8 x float> poison, <8 x i32> zeroinitializer
%v399 = load <8 x float>, ptr %s31
%v400 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v398, <8 x float> %v383, <8 x float> %v399)
store <8 x float> %v400, ptr %s31
%v401 = load <8 x float>, ptr %s32
%v402 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v398, <8 x float> %v386, <8 x float> %v401)
store <8 x float> %v402, ptr %s32
%v403 = getelementptr float, ptr %v376, i64 %v378
%v404 = load float, ptr %v403, align 4
%v405 = insertelement <8 x float> poison, float %v404, i32 0
%v406 = shufflevector <8 x float> %v405, <8 x float> poison, <8 x i32> zeroinitializer
%v407 = load <8 x float>, ptr %s33
%v408 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v406, <8 x float> %v383, <8 x float> %v407)
store <8 x float> %v408, ptr %s33
%v409 = load <8 x float>, ptr %s34
%v410 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v406, <8 x float> %v386, <8 x float> %v409)
store <8 x float> %v410, ptr %s34
%v411 = getelementptr float, ptr %v377, i64 %v378
%v412 = load float, ptr %v411, align 4
%v413 = insertelement <8 x float> poison, float %v412, i32 0
%v414 = shufflevector <8 x float> %v413, <8 x float> poison, <8 x i32> zeroinitializer
%v415 = load <8 x float>, ptr %s35
%v416 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v414, <8 x float> %v383, <8 x float> %v415)
store <8 x float> %v416, ptr %s35
%v417 = load <8 x float>, ptr %s36
%v418 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v414, <8 x float> %v386, <8 x float> %v417)
store <8 x float> %v418, ptr %s36
%v419 = add i64 %v378, 1
%v420 = mul i64 %v419, %v365
%v421 = getelementptr i8, ptr %v370, i64 %v420
call void @llvm.prefetch.p0(ptr %v421, i32 0, i32 3, i32 1)
%v422 = mul i64 %v378, 16
%v423 = add i64 %v422, 16
%v424 = getelementptr float, ptr %v28, i64 %v423
%v425 = load <8 x float>, ptr %v424, align 4
%v426 = add i64 %v423, 8
%v427 = getelementptr float, ptr %v28, i64 %v426
%v428 = load <8 x float>, ptr %v427, align 4
%v429 = add i64 %v378, 1
%v430 = getelementptr float, ptr %v360, i64 %v429
%v431 = load float, ptr %v430, align 4
%v432 = insertelement <8 x float> poison, float %v431, i32 0
%v433 = shufflevector <8 x float> %v432, <8 x float> poison, <8 x i32> zeroinitializer
%v434 = load <8 x float>, ptr %s29
%v435 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v433, <8 x float> %v425, <8 x float> %v434)
store <8 x float> %v435, ptr %s29
%v436 = load <8 x float>, ptr %s30
%v437 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v433, <8 x float> %v428, <8 x float> %v436)
store <8 x float> %v437, ptr %s30
%v438 = add i64 %v378, 1
%v439 = getelementptr float, ptr %v375, i64 %v438
%v440 = load float, ptr %v439, align 4
%v441 = insertelement <8 x float> poison, float %v440, i32 0
%v442 = shufflevector <8 x float> %v441, <8 x float> poison, <8 x i32> zeroinitializer
%v443 = load <8 x float>, ptr %s31
%v444 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v442, <8 x float> %v425, <8 x float> %v443)
store <8 x float> %v444, ptr %s31
%v445 = load <8 x float>, ptr %s32
%v446 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v442, <8 x float> %v428, <8 x float> %v445)
store <8 x float> %v446, ptr %s32
%v447 = add i64 %v378, 1
%v448 = getelementptr float, ptr %v376, i64 %v447
%v449 = load float, ptr %v448, align 4
%v450 = insertelement <8 x float> poison, float %v449, i32 0
%v451 = shufflevector <8 x float> %v450, <8 x float> poison, <8 x i32> zeroinitializer
%v452 = load <8 x float>, ptr %s33
%v453 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v451, <8 x float> %v425, <8 x float> %v452)
store <8 x float> %v453, ptr %s33
%v454 = load <8 x float>, ptr %s34
%v455 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v451, <8 x float> %v428, <8 x float> %v454)
store <8 x float> %v455, ptr %s34
%v456 = add i64 %v378, 1
%v457 = getelementptr float, ptr %v377, i64 %v456
%v458 = load float, ptr %v457, align 4
%v459 = insertelement <8 x float> poison, float %v458, i32 0
%v460 = shufflevector <8 x float> %v459, <8 x float> poison, <8 x i32> zeroinitializer
%v461 = load <8 x float>, ptr %s35
%v462 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v460, <8 x float> %v425, <8 x float> %v461)
store <8 x float> %v462, ptr %s35
%v463 = load <8 x float>, ptr %s36
%v464 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v460, <8 x float> %v428, <8 x float> %v463)
store <8 x float> %v464, ptr %s36
%v465 = add i64 %v378, 2
%v466 = icmp slt i64 %v465, 12
br i1 %v466, label %loop29, label %end30
end30:
%v467 = load <8 x float>, ptr %s29
%v468 = load <8 x float>, ptr %s30
%v469 = load <8 x float>, ptr %s31
%v470 = load <8 x float>, ptr %s32
%v471 = load <8 x float>, ptr %s33
%v472 = load <8 x float>, ptr %s34
%v473 = load <8 x float>, ptr %s35
%v474 = load <8 x float>, ptr %s36
store <8 x float> %v467, ptr %v374, align 4
%v475 = getelementptr float, ptr %v374, i64 8
store <8 x float> %v468, ptr %v475, align 4
%v476 = getelementptr float, ptr %v374, i64 16
store <8 x float> %v469, ptr %v476, align 4
%v477 = getelementptr float, ptr %v374, i64 24
store <8 x float> %v470, ptr %v477, align 4
%v478 = getelementptr float, ptr %v374, i64 32
store <8 x float> %v471, ptr %v478, align 4
%v479 = getelementptr float, ptr %v374, i64 40
store <8 x float> %v472, ptr %v479, align 4
%v480 = getelementptr float, ptr %v374, i64 48
store <8 x float> %v473, ptr %v480, align 4
%v481 = getelementptr float, ptr %v374, i64 56
store <8 x float> %v474, ptr %v481, align 4
br label %end28
else27:
br label %end28
end28:
br label %end15
else14:
br label %end15
end15:
%v482 = icmp slt i64 0, %v32
br i1 %v482, label %guard33, label %end32
guard33:
br label %loop31
loop31:
%v483 = phi i64 [ 0, %guard33 ], [ %v505, %loop31 ]
%v484 = mul i64 %v483, 16
%v485 = getelementptr float, ptr %scratch, i64 %v484
%v486 = load <8 x float>, ptr %v485, align 4
%v487 = mul i64 %v483, 16
%v488 = add i64 %v487, 8
%v489 = getelementptr float, ptr %scratch, i64 %v488
%v490 = load <8 x float>, ptr %v489, align 4
%v491 = add i64 %v30, %v483
%v492 = add i64 %v30, %v483
%v493 = getelementptr i64, ptr %a0, i64 30
%v494 = getelementptr i64, ptr %v493, i64 %v492
%v495 = load i64, ptr %v494, align 8
%v496 = mul i64 %v495, 16
%v497 = getelementptr float, ptr %a3, i64 %v496
store <8 x float> %v486, ptr %v497, align 4
%v498 = add i64 %v30, %v483
%v499 = getelementptr i64, ptr %a0, i64 30
%v500 = getelementptr i64, ptr %v499, i64 %v498
%v501 = load i64, ptr %v500, align 8
%v502 = mul i64 %v501, 16
%v503 = add i64 %v502, 8
%v504 = getelementptr float, ptr %a3, i64 %v503
store <8 x float> %v490, ptr %v504, align 4
%v505 = add i64 %v483, 1
%v506 = icmp slt i64 %v505, %v32
br i1 %v506, label %loop31, label %end32
end32:
%v507 = add i64 %v30, %v26
%v508 = icmp slt i64 %v507, %v15
br i1 %v508, label %loop4, label %end5
end5:
%v509 = add i64 %v1, 1
%v510 = icmp slt i64 %v509, %end
br i1 %v510, label %loop1, label %end2
end2:
ret void
}

