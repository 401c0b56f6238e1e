; kernels for x86_64-avx2
; mir @experts_as_they_lie {
;   %0 = input("x1") : f32[10, 12]
;   %1 = input("x2") : f32[3, 12, 16]
;   %2 = input("x3") : i32[10]
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
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

define void @grouped_matmul_c0ffa2e9(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 2
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 3
%a3 = load ptr, ptr %a3.p, align 8
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
%s50 = alloca <8 x float>
%s51 = alloca <8 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v700, %end5 ]
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
%v17 = add i64 %v16, 143
%v18 = udiv i64 %v17, 144
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
%v30 = phi i64 [ %v11, %guard6 ], [ %v698, %end9 ]
%v31 = sub i64 %v15, %v30
%v32 = call i64 @llvm.smin.i64(i64 %v26, i64 %v31)
%v33 = icmp sle i64 %v32, 4
br i1 %v33, label %then7, label %else8
then7:
br label %loop10
loop10:
%v34 = phi i64 [ 0, %then7 ], [ %v255, %end35 ]
%v35 = sub i64 12, %v34
%v36 = call i64 @llvm.smin.i64(i64 8, i64 %v35)
%v37 = add i64 %v34, %v36
%v38 = icmp sge i64 %v37, 12
%v39 = icmp eq i64 %v34, 0
%v40 = getelementptr i8, ptr %scratch, i64 221184
%v41 = add i64 %v32, 5
%v42 = udiv i64 %v41, 6
%v43 = icmp eq i64 %v32, 1
%v44 = mul i64 %v42, 6
%v45 = select i1 %v43, i64 1, i64 %v44
%v46 = icmp slt i64 0, %v45
br i1 %v46, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v47 = phi i64 [ 0, %guard14 ], [ %v80, %end19 ]
%v48 = sub i64 %v32, 1
%v49 = call i64 @llvm.smin.i64(i64 %v47, i64 %v48)
%v50 = add i64 %v30, %v49
%v51 = getelementptr i64, ptr %a0, i64 30
%v52 = getelementptr i64, ptr %v51, i64 %v50
%v53 = load i64, ptr %v52, align 8
%v54 = mul i64 %v53, 12
%v55 = add i64 %v54, %v34
%v56 = getelementptr float, ptr %a1, i64 %v55
%v57 = mul i64 %v47, 400
%v58 = getelementptr float, ptr %v40, i64 %v57
%v59 = ashr i64 %v36, 3
%v60 = mul i64 %v59, 8
%v61 = icmp slt i64 0, %v60
br i1 %v61, label %guard17, label %end16
guard17:
br label %loop15
loop15:
%v62 = phi i64 [ 0, %guard17 ], [ %v66, %loop15 ]
%v63 = getelementptr float, ptr %v56, i64 %v62
%v64 = load <8 x float>, ptr %v63, align 4
%v65 = getelementptr float, ptr %v58, i64 %v62
store <8 x float> %v64, ptr %v65, align 4
%v66 = add i64 %v62, 8
%v67 = icmp slt i64 %v66, %v60
br i1 %v67, label %loop15, label %end16
end16:
%v68 = icmp slt i64 %v60, %v36
br i1 %v68, label %guard20, label %end19
guard20:
br label %loop18
loop18:
%v69 = phi i64 [ %v60, %guard20 ], [ %v78, %loop18 ]
%v70 = sub i64 %v36, %v69
%v71 = trunc i64 %v70 to i32
%v72 = insertelement <8 x i32> poison, i32 %v71, i32 0
%v73 = shufflevector <8 x i32> %v72, <8 x i32> poison, <8 x i32> zeroinitializer
%v74 = icmp sgt <8 x i32> %v73, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v75 = getelementptr float, ptr %v56, i64 %v69
%v76 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v75, i32 4, <8 x i1> %v74, <8 x float> splat (float 0x0000000000000000))
%v77 = getelementptr float, ptr %v58, i64 %v69
store <8 x float> %v76, ptr %v77, align 4
%v78 = add i64 %v69, 8
%v79 = icmp slt i64 %v78, %v36
br i1 %v79, label %loop18, label %end19
end19:
%v80 = add i64 %v47, 1
%v81 = icmp slt i64 %v80, %v45
br i1 %v81, label %loop12, label %end13
end13:
%v82 = icmp sle i64 %v32, 1
%v83 = icmp sgt i64 %v32, 1
br i1 %v82, label %then21, label %else22
then21:
br label %end23
else22:
br label %end23
end23:
br i1 %v83, label %then24, label %else25
then24:
br label %end26
else25:
br label %end26
end26:
%v84 = mul i64 %v34, 16
%v85 = getelementptr float, ptr %v28, i64 %v84
%v86 = sub i64 %v32, 1
store <8 x float> splat (float 0x0000000000000000), ptr %s8
store <8 x float> splat (float 0x0000000000000000), ptr %s9
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <8 x float> splat (float 0x0000000000000000), ptr %s11
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
store <8 x float> splat (float 0x0000000000000000), ptr %s14
store <8 x float> splat (float 0x0000000000000000), ptr %s15
%v87 = getelementptr float, ptr %v40, i64 400
%v88 = getelementptr float, ptr %v40, i64 800
%v89 = getelementptr float, ptr %v40, i64 1200
%v90 = icmp slt i64 0, %v36
br i1 %v90, label %guard29, label %end28
guard29:
br label %loop27
loop27:
%v91 = phi i64 [ 0, %guard29 ], [ %v173, %loop27 ]
%v92 = mul i64 %v91, 16
%v93 = getelementptr float, ptr %v85, i64 %v92
%v94 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v93, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v95 = add i64 %v92, 8
%v96 = getelementptr float, ptr %v85, i64 %v95
%v97 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v96, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v98 = getelementptr float, ptr %v40, i64 %v91
%v99 = load float, ptr %v98, align 4
%v100 = insertelement <8 x float> poison, float %v99, i32 0
%v101 = shufflevector <8 x float> %v100, <8 x float> poison, <8 x i32> zeroinitializer
%v102 = load <8 x float>, ptr %s8
%v103 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v101, <8 x float> %v94, <8 x float> %v102)
store <8 x float> %v103, ptr %s8
%v104 = load <8 x float>, ptr %s9
%v105 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v101, <8 x float> %v97, <8 x float> %v104)
store <8 x float> %v105, ptr %s9
%v106 = getelementptr float, ptr %v87, i64 %v91
%v107 = load float, ptr %v106, align 4
%v108 = insertelement <8 x float> poison, float %v107, i32 0
%v109 = shufflevector <8 x float> %v108, <8 x float> poison, <8 x i32> zeroinitializer
%v110 = load <8 x float>, ptr %s10
%v111 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v109, <8 x float> %v94, <8 x float> %v110)
store <8 x float> %v111, ptr %s10
%v112 = load <8 x float>, ptr %s11
%v113 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v109, <8 x float> %v97, <8 x float> %v112)
store <8 x float> %v113, ptr %s11
%v114 = getelementptr float, ptr %v88, i64 %v91
%v115 = load float, ptr %v114, align 4
%v116 = insertelement <8 x float> poison, float %v115, i32 0
%v117 = shufflevector <8 x float> %v116, <8 x float> poison, <8 x i32> zeroinitializer
%v118 = load <8 x float>, ptr %s12
%v119 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v117, <8 x float> %v94, <8 x float> %v118)
store <8 x float> %v119, ptr %s12
%v120 = load <8 x float>, ptr %s13
%v121 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v117, <8 x float> %v97, <8 x float> %v120)
store <8 x float> %v121, ptr %s13
%v122 = getelementptr float, ptr %v89, i64 %v91
%v123 = load float, ptr %v122, align 4
%v124 = insertelement <8 x float> poison, float %v123, i32 0
%v125 = shufflevector <8 x float> %v124, <8 x float> poison, <8 x i32> zeroinitializer
%v126 = load <8 x float>, ptr %s14
%v127 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v125, <8 x float> %v94, <8 x float> %v126)
store <8 x float> %v127, ptr %s14
%v128 = load <8 x float>, ptr %s15
%v129 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v125, <8 x float> %v97, <8 x float> %v128)
store <8 x float> %v129, ptr %s15
%v130 = mul i64 %v91, 16
%v131 = add i64 %v130, 16
%v132 = getelementptr float, ptr %v85, i64 %v131
%v133 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v132, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v134 = add i64 %v131, 8
%v135 = getelementptr float, ptr %v85, i64 %v134
%v136 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v135, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v137 = add i64 %v91, 1
%v138 = getelementptr float, ptr %v40, i64 %v137
%v139 = load float, ptr %v138, align 4
%v140 = insertelement <8 x float> poison, float %v139, i32 0
%v141 = shufflevector <8 x float> %v140, <8 x float> poison, <8 x i32> zeroinitializer
%v142 = load <8 x float>, ptr %s8
%v143 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v141, <8 x float> %v133, <8 x float> %v142)
store <8 x float> %v143, ptr %s8
%v144 = load <8 x float>, ptr %s9
%v145 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v141, <8 x float> %v136, <8 x float> %v144)
store <8 x float> %v145, ptr %s9
%v146 = add i64 %v91, 1
%v147 = getelementptr float, ptr %v87, i64 %v146
%v148 = load float, ptr %v147, align 4
%v149 = insertelement <8 x float> poison, float %v148, i32 0
%v150 = shufflevector <8 x float> %v149, <8 x float> poison, <8 x i32> zeroinitializer
%v151 = load <8 x float>, ptr %s10
%v152 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v150, <8 x float> %v133, <8 x float> %v151)
store <8 x float> %v152, ptr %s10
%v153 = load <8 x float>, ptr %s11
%v154 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v150, <8 x float> %v136, <8 x float> %v153)
store <8 x float> %v154, ptr %s11
%v155 = add i64 %v91, 1
%v156 = getelementptr float, ptr %v88, i64 %v155
%v157 = load float, ptr %v156, align 4
%v158 = insertelement <8 x float> poison, float %v157, i32 0
%v159 = shufflevector <8 x float> %v158, <8 x float> poison, <8 x i32> zeroinitializer
%v160 = load <8 x float>, ptr %s12
%v161 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v159, <8 x float> %v133, <8 x float> %v160)
store <8 x float> %v161, ptr %s12
%v162 = load <8 x float>, ptr %s13
%v163 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v159, <8 x float> %v136, <8 x float> %v162)
store <8 x float> %v163, ptr %s13
%v164 = add i64 %v91, 1
%v165 = getelementptr float, ptr %v89, i64 %v164
%v166 = load float, ptr %v165, align 4
%v167 = insertelement <8 x float> poison, float %v166, i32 0
%v168 = shufflevector <8 x float> %v167, <8 x float> poison, <8 x i32> zeroinitializer
%v169 = load <8 x float>, ptr %s14
%v170 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v168, <8 x float> %v133, <8 x float> %v169)
store <8 x float> %v170, ptr %s14
%v171 = load <8 x float>, ptr %s15
%v172 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v168, <8 x float> %v136, <8 x float> %v171)
store <8 x float> %v172, ptr %s15
%v173 = add i64 %v91, 2
%v174 = icmp slt i64 %v173, %v36
br i1 %v174, label %loop27, label %end28
end28:
%v175 = load <8 x float>, ptr %s8
%v176 = load <8 x float>, ptr %s9
%v177 = load <8 x float>, ptr %s10
%v178 = load <8 x float>, ptr %s11
%v179 = load <8 x float>, ptr %s12
%v180 = load <8 x float>, ptr %s13
%v181 = load <8 x float>, ptr %s14
%v182 = load <8 x float>, ptr %s15
store <8 x float> %v175, ptr %s16
store <8 x float> %v176, ptr %s17
store <8 x float> %v177, ptr %s18
store <8 x float> %v178, ptr %s19
store <8 x float> %v179, ptr %s20
store <8 x float> %v180, ptr %s21
store <8 x float> %v181, ptr %s22
store <8 x float> %v182, ptr %s23
%v183 = xor i1 %v39, true
br i1 %v183, label %then30, label %else31
then30:
%v184 = load <8 x float>, ptr %s16
%v185 = load <8 x float>, ptr %scratch, align 4
%v186 = fadd <8 x float> %v184, %v185
store <8 x float> %v186, ptr %s16
%v187 = load <8 x float>, ptr %s17
%v188 = getelementptr float, ptr %scratch, i64 8
%v189 = load <8 x float>, ptr %v188, align 4
%v190 = fadd <8 x float> %v187, %v189
store <8 x float> %v190, ptr %s17
%v191 = load <8 x float>, ptr %s18
%v192 = getelementptr float, ptr %scratch, i64 16
%v193 = load <8 x float>, ptr %v192, align 4
%v194 = fadd <8 x float> %v191, %v193
store <8 x float> %v194, ptr %s18
%v195 = load <8 x float>, ptr %s19
%v196 = getelementptr float, ptr %scratch, i64 24
%v197 = load <8 x float>, ptr %v196, align 4
%v198 = fadd <8 x float> %v195, %v197
store <8 x float> %v198, ptr %s19
%v199 = load <8 x float>, ptr %s20
%v200 = getelementptr float, ptr %scratch, i64 32
%v201 = load <8 x float>, ptr %v200, align 4
%v202 = fadd <8 x float> %v199, %v201
store <8 x float> %v202, ptr %s20
%v203 = load <8 x float>, ptr %s21
%v204 = getelementptr float, ptr %scratch, i64 40
%v205 = load <8 x float>, ptr %v204, align 4
%v206 = fadd <8 x float> %v203, %v205
store <8 x float> %v206, ptr %s21
%v207 = load <8 x float>, ptr %s22
%v208 = getelementptr float, ptr %scratch, i64 48
%v209 = load <8 x float>, ptr %v208, align 4
%v210 = fadd <8 x float> %v207, %v209
store <8 x float> %v210, ptr %s22
%v211 = load <8 x float>, ptr %s23
%v212 = getelementptr float, ptr %scratch, i64 56
%v213 = load <8 x float>, ptr %v212, align 4
%v214 = fadd <8 x float> %v211, %v213
store <8 x float> %v214, ptr %s23
br label %end32
else31:
br label %end32
end32:
%v215 = load <8 x float>, ptr %s16
%v216 = load <8 x float>, ptr %s17
%v217 = load <8 x float>, ptr %s18
%v218 = load <8 x float>, ptr %s19
%v219 = load <8 x float>, ptr %s20
%v220 = load <8 x float>, ptr %s21
%v221 = load <8 x float>, ptr %s22
%v222 = load <8 x float>, ptr %s23
store <8 x float> %v215, ptr %scratch, align 4
%v223 = getelementptr float, ptr %scratch, i64 8
store <8 x float> %v216, ptr %v223, align 4
%v224 = getelementptr float, ptr %scratch, i64 16
store <8 x float> %v217, ptr %v224, align 4
%v225 = getelementptr float, ptr %scratch, i64 24
store <8 x float> %v218, ptr %v225, align 4
%v226 = getelementptr float, ptr %scratch, i64 32
store <8 x float> %v219, ptr %v226, align 4
%v227 = getelementptr float, ptr %scratch, i64 40
store <8 x float> %v220, ptr %v227, align 4
%v228 = getelementptr float, ptr %scratch, i64 48
store <8 x float> %v221, ptr %v228, align 4
%v229 = getelementptr float, ptr %scratch, i64 56
store <8 x float> %v222, ptr %v229, align 4
br i1 %v38, label %then33, label %else34
then33:
%v230 = icmp slt i64 0, %v32
br i1 %v230, label %guard38, label %end37
guard38:
br label %loop36
loop36:
%v231 = phi i64 [ 0, %guard38 ], [ %v253, %loop36 ]
%v232 = mul i64 %v231, 16
%v233 = getelementptr float, ptr %scratch, i64 %v232
%v234 = load <8 x float>, ptr %v233, align 4
%v235 = mul i64 %v231, 16
%v236 = add i64 %v235, 8
%v237 = getelementptr float, ptr %scratch, i64 %v236
%v238 = load <8 x float>, ptr %v237, align 4
%v239 = add i64 %v30, %v231
%v240 = add i64 %v30, %v231
%v241 = getelementptr i64, ptr %a0, i64 30
%v242 = getelementptr i64, ptr %v241, i64 %v240
%v243 = load i64, ptr %v242, align 8
%v244 = mul i64 %v243, 16
%v245 = getelementptr float, ptr %a3, i64 %v244
store <8 x float> %v234, ptr %v245, align 4
%v246 = add i64 %v30, %v231
%v247 = getelementptr i64, ptr %a0, i64 30
%v248 = getelementptr i64, ptr %v247, i64 %v246
%v249 = load i64, ptr %v248, align 8
%v250 = mul i64 %v249, 16
%v251 = add i64 %v250, 8
%v252 = getelementptr float, ptr %a3, i64 %v251
store <8 x float> %v238, ptr %v252, align 4
%v253 = add i64 %v231, 1
%v254 = icmp slt i64 %v253, %v32
br i1 %v254, label %loop36, label %end37
end37:
br label %end35
else34:
br label %end35
end35:
%v255 = add i64 %v34, 8
%v256 = icmp slt i64 %v255, 12
br i1 %v256, label %loop10, label %end11
end11:
br label %end9
else8:
%v257 = getelementptr i8, ptr %scratch, i64 221184
%v258 = add i64 %v32, 5
%v259 = udiv i64 %v258, 6
%v260 = icmp eq i64 %v32, 1
%v261 = mul i64 %v259, 6
%v262 = select i1 %v260, i64 1, i64 %v261
%v263 = icmp slt i64 0, %v262
br i1 %v263, label %guard41, label %end40
guard41:
br label %loop39
loop39:
%v264 = phi i64 [ 0, %guard41 ], [ %v279, %loop39 ]
%v265 = sub i64 %v32, 1
%v266 = call i64 @llvm.smin.i64(i64 %v264, i64 %v265)
%v267 = add i64 %v30, %v266
%v268 = getelementptr i64, ptr %a0, i64 30
%v269 = getelementptr i64, ptr %v268, i64 %v267
%v270 = load i64, ptr %v269, align 8
%v271 = mul i64 %v270, 12
%v272 = getelementptr float, ptr %a1, i64 %v271
%v273 = mul i64 %v264, 400
%v274 = getelementptr float, ptr %v257, i64 %v273
%v275 = load <8 x float>, ptr %v272, align 4
store <8 x float> %v275, ptr %v274, align 4
%v276 = getelementptr float, ptr %v272, i64 8
%v277 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v276, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v278 = getelementptr float, ptr %v274, i64 8
store <8 x float> %v277, ptr %v278, align 4
%v279 = add i64 %v264, 1
%v280 = icmp slt i64 %v279, %v262
br i1 %v280, label %loop39, label %end40
end40:
%v281 = getelementptr i8, ptr %scratch, i64 451648
br label %loop42
loop42:
%v282 = phi i64 [ 0, %end40 ], [ %v298, %loop42 ]
%v283 = add i64 %v282, 8
%v284 = mul i64 %v283, 16
%v285 = getelementptr float, ptr %v28, i64 %v284
call void @llvm.prefetch.p0(ptr %v285, i32 0, i32 3, i32 1)
%v286 = mul i64 %v282, 16
%v287 = getelementptr float, ptr %v28, i64 %v286
%v288 = load <8 x float>, ptr %v287, align 4
%v289 = mul i64 %v282, 16
%v290 = getelementptr float, ptr %v281, i64 %v289
store <8 x float> %v288, ptr %v290, align 4
%v291 = mul i64 %v282, 16
%v292 = add i64 %v291, 8
%v293 = getelementptr float, ptr %v28, i64 %v292
%v294 = load <8 x float>, ptr %v293, align 4
%v295 = mul i64 %v282, 16
%v296 = add i64 %v295, 8
%v297 = getelementptr float, ptr %v281, i64 %v296
store <8 x float> %v294, ptr %v297, align 4
%v298 = add i64 %v282, 1
%v299 = icmp slt i64 %v298, 12
br i1 %v299, label %loop42, label %end43
end43:
%v300 = udiv i64 %v32, 6
%v301 = urem i64 %v32, 6
%v302 = icmp sgt i64 %v301, 4
%v303 = select i1 %v302, i64 1, i64 0
%v304 = add i64 %v300, %v303
%v305 = select i1 %v302, i64 0, i64 %v301
%v306 = add i64 %v32, 5
%v307 = udiv i64 %v306, 6
%v308 = icmp slt i64 0, %v304
br i1 %v308, label %guard46, label %end45
guard46:
br label %loop44
loop44:
%v309 = phi i64 [ 0, %guard46 ], [ %v466, %end48 ]
%v310 = mul i64 %v309, 6
%v311 = sub i64 %v32, %v310
%v312 = sub i64 %v311, 1
%v313 = mul i64 %v310, 400
%v314 = getelementptr float, ptr %v257, i64 %v313
%v315 = udiv i64 %v310, 6
%v316 = mul i64 %v310, 16
%v317 = getelementptr float, ptr %scratch, i64 %v316
%v318 = mul i64 %v310, 16
%v319 = getelementptr float, ptr %scratch, i64 %v318
store <8 x float> splat (float 0x0000000000000000), ptr %s24
store <8 x float> splat (float 0x0000000000000000), ptr %s25
store <8 x float> splat (float 0x0000000000000000), ptr %s26
store <8 x float> splat (float 0x0000000000000000), ptr %s27
store <8 x float> splat (float 0x0000000000000000), ptr %s28
store <8 x float> splat (float 0x0000000000000000), ptr %s29
store <8 x float> splat (float 0x0000000000000000), ptr %s30
store <8 x float> splat (float 0x0000000000000000), ptr %s31
store <8 x float> splat (float 0x0000000000000000), ptr %s32
store <8 x float> splat (float 0x0000000000000000), ptr %s33
store <8 x float> splat (float 0x0000000000000000), ptr %s34
store <8 x float> splat (float 0x0000000000000000), ptr %s35
%v320 = getelementptr float, ptr %v314, i64 400
%v321 = getelementptr float, ptr %v314, i64 800
%v322 = getelementptr float, ptr %v314, i64 1200
%v323 = getelementptr float, ptr %v314, i64 1600
%v324 = getelementptr float, ptr %v314, i64 2000
br label %loop47
loop47:
%v325 = phi i64 [ 0, %loop44 ], [ %v441, %loop47 ]
%v326 = mul i64 %v325, 16
%v327 = getelementptr float, ptr %v281, i64 %v326
%v328 = load <8 x float>, ptr %v327, align 4
%v329 = add i64 %v326, 8
%v330 = getelementptr float, ptr %v281, i64 %v329
%v331 = load <8 x float>, ptr %v330, align 4
%v332 = getelementptr float, ptr %v314, i64 %v325
%v333 = load float, ptr %v332, align 4
%v334 = insertelement <8 x float> poison, float %v333, i32 0
%v335 = shufflevector <8 x float> %v334, <8 x float> poison, <8 x i32> zeroinitializer
%v336 = load <8 x float>, ptr %s24
%v337 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v335, <8 x float> %v328, <8 x float> %v336)
store <8 x float> %v337, ptr %s24
%v338 = load <8 x float>, ptr %s25
%v339 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v335, <8 x float> %v331, <8 x float> %v338)
store <8 x float> %v339, ptr %s25
%v340 = getelementptr float, ptr %v320, i64 %v325
%v341 = load float, ptr %v340, align 4
%v342 = insertelement <8 x float> poison, float %v341, i32 0
%v343 = shufflevector <8 x float> %v342, <8 x float> poison, <8 x i32> zeroinitializer
%v344 = load <8 x float>, ptr %s26
%v345 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v343, <8 x float> %v328, <8 x float> %v344)
store <8 x float> %v345, ptr %s26
%v346 = load <8 x float>, ptr %s27
%v347 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v343, <8 x float> %v331, <8 x float> %v346)
store <8 x float> %v347, ptr %s27
%v348 = getelementptr float, ptr %v321, i64 %v325
%v349 = load float, ptr %v348, align 4
%v350 = insertelement <8 x float> poison, float %v349, i32 0
%v351 = shufflevector <8 x float> %v350, <8 x float> poison, <8 x i32> zeroinitializer
%v352 = load <8 x float>, ptr %s28
%v353 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v351, <8 x float> %v328, <8 x float> %v352)
store <8 x float> %v353, ptr %s28
%v354 = load <8 x float>, ptr %s29
%v355 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v351, <8 x float> %v331, <8 x float> %v354)
store <8 x float> %v355, ptr %s29
%v356 = getelementptr float, ptr %v322, i64 %v325
%v357 = load float, ptr %v356, align 4
%v358 = insertelement <8 x float> poison, float %v357, i32 0
%v359 = shufflevector <8 x float> %v358, <8 x float> poison, <8 x i32> zeroinitializer
%v360 = load <8 x float>, ptr %s30
%v361 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v359, <8 x float> %v328, <8 x float> %v360)
store <8 x float> %v361, ptr %s30
%v362 = load <8 x float>, ptr %s31
%v363 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v359, <8 x float> %v331, <8 x float> %v362)
store <8 x float> %v363, ptr %s31
%v364 = getelementptr float, ptr %v323, i64 %v325
%v365 = load float, ptr %v364, align 4
%v366 = insertelement <8 x float> poison, float %v365, i32 0
%v367 = shufflevector <8 x float> %v366, <8 x float> poison, <8 x i32> zeroinitializer
%v368 = load <8 x float>, ptr %s32
%v369 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v367, <8 x float> %v328, <8 x float> %v368)
store <8 x float> %v369, ptr %s32
%v370 = load <8 x float>, ptr %s33
%v371 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v367, <8 x float> %v331, <8 x float> %v370)
store <8 x float> %v371, ptr %s33
%v372 = getelementptr float, ptr %v324, i64 %v325
%v373 = load float, ptr %v372, align 4
%v374 = insertelement <8 x float> poison, float %v373, i32 0
%v375 = shufflevector <8 x float> %v374, <8 x float> poison, <8 x i32> zeroinitializer
%v376 = load <8 x float>, ptr %s34
%v377 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v375, <8 x float> %v328, <8 x float> %v376)
store <8 x float> %v377, ptr %s34
%v378 = load <8 x float>, ptr %s35
%v379 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v375, <8 x float> %v331, <8 x float> %v378)
store <8 x float> %v379, ptr %s35
%v380 = mul i64 %v325, 16
%v381 = add i64 %v380, 16
%v382 = getelementptr float, ptr %v281, i64 %v381
%v383 = load <8 x float>, ptr %v382, align 4
%v384 = add i64 %v381, 8
%v385 = getelementptr float, ptr %v281, i64 %v384
%v386 = load <8 x float>, ptr %v385, align 4
%v387 = add i64 %v325, 1
%v388 = getelementptr float, ptr %v314, i64 %v387
%v389 = load float, ptr %v388, align 4
%v390 = insertelement <8 x float> poison, float %v389, i32 0
%v391 = shufflevector <8 x float> %v390, <8 x float> poison, <8 x i32> zeroinitializer
%v392 = load <8 x float>, ptr %s24
%v393 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v391, <8 x float> %v383, <8 x float> %v392)
store <8 x float> %v393, ptr %s24
%v394 = load <8 x float>, ptr %s25
%v395 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v391, <8 x float> %v386, <8 x float> %v394)
store <8 x float> %v395, ptr %s25
%v396 = add i64 %v325, 1
%v397 = getelementptr float, ptr %v320, i64 %v396
%v398 = load float, ptr %v397, align 4
%v399 = insertelement <8 x float> poison, float %v398, i32 0
%v400 = shufflevector <8 x float> %v399, <8 x float> poison, <8 x i32> zeroinitializer
%v401 = load <8 x float>, ptr %s26
%v402 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v400, <8 x float> %v383, <8 x float> %v401)
store <8 x float> %v402, ptr %s26
%v403 = load <8 x float>, ptr %s27
%v404 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v400, <8 x float> %v386, <8 x float> %v403)
store <8 x float> %v404, ptr %s27
%v405 = add i64 %v325, 1
%v406 = getelementptr float, ptr %v321, i64 %v405
%v407 = load float, ptr %v406, align 4
%v408 = insertelement <8 x float> poison, float %v407, i32 0
%v409 = shufflevector <8 x float> %v408, <8 x float> poison, <8 x i32> zeroinitializer
%v410 = load <8 x float>, ptr %s28
%v411 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v409, <8 x float> %v383, <8 x float> %v410)
store <8 x float> %v411, ptr %s28
%v412 = load <8 x float>, ptr %s29
%v413 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v409, <8 x float> %v386, <8 x float> %v412)
store <8 x float> %v413, ptr %s29
%v414 = add i64 %v325, 1
%v415 = getelementptr float, ptr %v322, i64 %v414
%v416 = load float, ptr %v415, align 4
%v417 = insertelement <8 x float> poison, float %v416, i32 0
%v418 = shufflevector <8 x float> %v417, <8 x float> poison, <8 x i32> zeroinitializer
%v419 = load <8 x float>, ptr %s30
%v420 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v418, <8 x float> %v383, <8 x float> %v419)
store <8 x float> %v420, ptr %s30
%v421 = load <8 x float>, ptr %s31
%v422 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v418, <8 x float> %v386, <8 x float> %v421)
store <8 x float> %v422, ptr %s31
%v423 = add i64 %v325, 1
%v424 = getelementptr float, ptr %v323, i64 %v423
%v425 = load float, ptr %v424, align 4
%v426 = insertelement <8 x float> poison, float %v425, i32 0
%v427 = shufflevector <8 x float> %v426, <8 x float> poison, <8 x i32> zeroinitializer
%v428 = load <8 x float>, ptr %s32
%v429 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v427, <8 x float> %v383, <8 x float> %v428)
store <8 x float> %v429, ptr %s32
%v430 = load <8 x float>, ptr %s33
%v431 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v427, <8 x float> %v386, <8 x float> %v430)
store <8 x float> %v431, ptr %s33
%v432 = add i64 %v325, 1
%v433 = getelementptr float, ptr %v324, i64 %v432
%v434 = load float, ptr %v433, align 4
%v435 = insertelement <8 x float> poison, float %v434, i32 0
%v436 = shufflevector <8 x float> %v435, <8 x float> poison, <8 x i32> zeroinitializer
%v437 = load <8 x float>, ptr %s34
%v438 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v436, <8 x float> %v383, <8 x float> %v437)
store <8 x float> %v438, ptr %s34
%v439 = load <8 x float>, ptr %s35
%v440 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v436, <8 x float> %v386, <8 x float> %v439)
store <8 x float> %v440, ptr %s35
%v441 = add i64 %v325, 2
%v442 = icmp slt i64 %v441, 12
br i1 %v442, label %loop47, label %end48
end48:
%v443 = load <8 x float>, ptr %s24
%v444 = load <8 x float>, ptr %s25
%v445 = load <8 x float>, ptr %s26
%v446 = load <8 x float>, ptr %s27
%v447 = load <8 x float>, ptr %s28
%v448 = load <8 x float>, ptr %s29
%v449 = load <8 x float>, ptr %s30
%v450 = load <8 x float>, ptr %s31
%v451 = load <8 x float>, ptr %s32
%v452 = load <8 x float>, ptr %s33
%v453 = load <8 x float>, ptr %s34
%v454 = load <8 x float>, ptr %s35
store <8 x float> %v443, ptr %v319, align 4
%v455 = getelementptr float, ptr %v319, i64 8
store <8 x float> %v444, ptr %v455, align 4
%v456 = getelementptr float, ptr %v319, i64 16
store <8 x float> %v445, ptr %v456, align 4
%v457 = getelementptr float, ptr %v319, i64 24
store <8 x float> %v446, ptr %v457, align 4
%v458 = getelementptr float, ptr %v319, i64 32
store <8 x float> %v447, ptr %v458, align 4
%v459 = getelementptr float, ptr %v319, i64 40
store <8 x float> %v448, ptr %v459, align 4
%v460 = getelementptr float, ptr %v319, i64 48
store <8 x float> %v449, ptr %v460, align 4
%v461 = getelementptr float, ptr %v319, i64 56
store <8 x float> %v450, ptr %v461, align 4
%v462 = getelementptr float, ptr %v319, i64 64
store <8 x float> %v451, ptr %v462, align 4
%v463 = getelementptr float, ptr %v319, i64 72
store <8 x float> %v452, ptr %v463, align 4
%v464 = getelementptr float, ptr %v319, i64 80
store <8 x float> %v453, ptr %v464, align 4
%v465 = getelementptr float, ptr %v319, i64 88
store <8 x float> %v454, ptr %v465, align 4
%v466 = add i64 %v309, 1
%v467 = icmp slt i64 %v466, %v304
br i1 %v467, label %loop44, label %end45
end45:
%v468 = icmp sgt i64 %v305, 0
%v469 = icmp sle i64 %v305, 1
%v470 = and i1 %v468, %v469
br i1 %v470, label %then49, label %else50
then49:
%v471 = mul i64 %v304, 6
%v472 = mul i64 %v471, 400
%v473 = getelementptr float, ptr %v257, i64 %v472
%v474 = udiv i64 %v471, 6
%v475 = mul i64 %v471, 16
%v476 = getelementptr float, ptr %scratch, i64 %v475
%v477 = mul i64 %v471, 16
%v478 = getelementptr float, ptr %scratch, i64 %v477
store <8 x float> splat (float 0x0000000000000000), ptr %s36
store <8 x float> splat (float 0x0000000000000000), ptr %s37
store <8 x float> splat (float 0x0000000000000000), ptr %s38
store <8 x float> splat (float 0x0000000000000000), ptr %s39
store <8 x float> splat (float 0x0000000000000000), ptr %s40
store <8 x float> splat (float 0x0000000000000000), ptr %s41
store <8 x float> splat (float 0x0000000000000000), ptr %s42
store <8 x float> splat (float 0x0000000000000000), ptr %s43
br label %loop52
loop52:
%v479 = phi i64 [ 0, %then49 ], [ %v542, %loop52 ]
%v480 = mul i64 %v479, 16
%v481 = getelementptr float, ptr %v281, i64 %v480
%v482 = load <8 x float>, ptr %v481, align 4
%v483 = add i64 %v480, 8
%v484 = getelementptr float, ptr %v281, i64 %v483
%v485 = load <8 x float>, ptr %v484, align 4
%v486 = getelementptr float, ptr %v473, i64 %v479
%v487 = load float, ptr %v486, align 4
%v488 = insertelement <8 x float> poison, float %v487, i32 0
%v489 = shufflevector <8 x float> %v488, <8 x float> poison, <8 x i32> zeroinitializer
%v490 = load <8 x float>, ptr %s36
%v491 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v489, <8 x float> %v482, <8 x float> %v490)
store <8 x float> %v491, ptr %s36
%v492 = load <8 x float>, ptr %s40
%v493 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v489, <8 x float> %v485, <8 x float> %v492)
store <8 x float> %v493, ptr %s40
%v494 = mul i64 %v479, 16
%v495 = add i64 %v494, 16
%v496 = getelementptr float, ptr %v281, i64 %v495
%v497 = load <8 x float>, ptr %v496, align 4
%v498 = add i64 %v495, 8
%v499 = getelementptr float, ptr %v281, i64 %v498
%v500 = load <8 x float>, ptr %v499, align 4
%v501 = add i64 %v479, 1
%v502 = getelementptr float, ptr %v473, i64 %v501
%v503 = load float, ptr %v502, align 4
%v504 = insertelement <8 x float> poison, float %v503, i32 0
%v505 = shufflevector <8 x float> %v504, <8 x float> poison, <8 x i32> zeroinitializer
%v506 = load <8 x float>, ptr %s37
%v507 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v505, <8 x float> %v497, <8 x float> %v506)
store <8 x float> %v507, ptr %s37
%v508 = load <8 x float>, ptr %s41
%v509 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v505, <8 x float> %v500, <8 x float> %v508)
store <8 x float> %v509, ptr %s41
%v510 = mul i64 %v479, 16
%v511 = add i64 %v510, 32
%v512 = getelementptr float, ptr %v281, i64 %v511
%v513 = load <8 x float>, ptr %v512, align 4
%v514 = add i64 %v511, 8
%v515 = getelementptr float, ptr %v281, i64 %v514
%v516 = load <8 x float>, ptr %v515, align 4
%v517 = add i64 %v479, 2
%v518 = getelementptr float, ptr %v473, i64 %v517
%v519 = load float, ptr %v518, align 4
%v520 = insertelement <8 x float> poison, float %v519, i32 0
%v521 = shufflevector <8 x float> %v520, <8 x float> poison, <8 x i32> zeroinitializer
%v522 = load <8 x float>, ptr %s38
%v523 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v521, <8 x float> %v513, <8 x float> %v522)
store <8 x float> %v523, ptr %s38
%v524 = load <8 x float>, ptr %s42
%v525 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v521, <8 x float> %v516, <8 x float> %v524)
store <8 x float> %v525, ptr %s42
%v526 = mul i64 %v479, 16
%v527 = add i64 %v526, 48
%v528 = getelementptr float, ptr %v281, i64 %v527
%v529 = load <8 x float>, ptr %v528, align 4
%v530 = add i64 %v527, 8
%v531 = getelementptr float, ptr %v281, i64 %v530
%v532 = load <8 x float>, ptr %v531, align 4
%v533 = add i64 %v479, 3
%v534 = getelementptr float, ptr %v473, i64 %v533
%v535 = load float, ptr %v534, align 4
%v536 = insertelement <8 x float> poison, float %v535, i32 0
%v537 = shufflevector <8 x float> %v536, <8 x float> poison, <8 x i32> zeroinitializer
%v538 = load <8 x float>, ptr %s39
%v539 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v537, <8 x float> %v529, <8 x float> %v538)
store <8 x float> %v539, ptr %s39
%v540 = load <8 x float>, ptr %s43
%v541 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v537, <8 x float> %v532, <8 x float> %v540)
store <8 x float> %v541, ptr %s43
%v542 = add i64 %v479, 4
%v543 = icmp slt i64 %v542, 12
br i1 %v543, label %loop52, label %end53
end53:
%v544 = load <8 x float>, ptr %s36
%v545 = load <8 x float>, ptr %s37
%v546 = load <8 x float>, ptr %s38
%v547 = load <8 x float>, ptr %s39
%v548 = fadd <8 x float> %v544, %v545
%v549 = fadd <8 x float> %v546, %v547
%v550 = fadd <8 x float> %v548, %v549
%v551 = load <8 x float>, ptr %s40
%v552 = load <8 x float>, ptr %s41
%v553 = load <8 x float>, ptr %s42
%v554 = load <8 x float>, ptr %s43
%v555 = fadd <8 x float> %v551, %v552
%v556 = fadd <8 x float> %v553, %v554
%v557 = fadd <8 x float> %v555, %v556
store <8 x float> %v550, ptr %v478, align 4
%v558 = getelementptr float, ptr %v478, i64 8
store <8 x float> %v557, ptr %v558, align 4
br label %end51
else50:
br label %end51
end51:
%v559 = icmp sgt i64 %v305, 1
%v560 = icmp sle i64 %v305, 4
%v561 = and i1 %v559, %v560
%v562 = sub i64 %v305, 1
br i1 %v561, label %then54, label %else55
then54:
%v563 = mul i64 %v304, 6
%v564 = mul i64 %v563, 400
%v565 = getelementptr float, ptr %v257, i64 %v564
%v566 = udiv i64 %v563, 6
%v567 = mul i64 %v563, 16
%v568 = getelementptr float, ptr %scratch, i64 %v567
%v569 = mul i64 %v563, 16
%v570 = getelementptr float, ptr %scratch, i64 %v569
store <8 x float> splat (float 0x0000000000000000), ptr %s44
store <8 x float> splat (float 0x0000000000000000), ptr %s45
store <8 x float> splat (float 0x0000000000000000), ptr %s46
store <8 x float> splat (float 0x0000000000000000), ptr %s47
store <8 x float> splat (float 0x0000000000000000), ptr %s48
store <8 x float> splat (float 0x0000000000000000), ptr %s49
store <8 x float> splat (float 0x0000000000000000), ptr %s50
store <8 x float> splat (float 0x0000000000000000), ptr %s51
%v571 = getelementptr float, ptr %v565, i64 400
%v572 = getelementptr float, ptr %v565, i64 800
%v573 = getelementptr float, ptr %v565, i64 1200
br label %loop57
loop57:
%v574 = phi i64 [ 0, %then54 ], [ %v656, %loop57 ]
%v575 = mul i64 %v574, 16
%v576 = getelementptr float, ptr %v281, i64 %v575
%v577 = load <8 x float>, ptr %v576, align 4
%v578 = add i64 %v575, 8
%v579 = getelementptr float, ptr %v281, i64 %v578
%v580 = load <8 x float>, ptr %v579, align 4
%v581 = getelementptr float, ptr %v565, i64 %v574
%v582 = load float, ptr %v581, align 4
%v583 = insertelement <8 x float> poison, float %v582, i32 0
%v584 = shufflevector <8 x float> %v583, <8 x float> poison, <8 x i32> zeroinitializer
%v585 = load <8 x float>, ptr %s44
%v586 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v584, <8 x float> %v577, <8 x float> %v585)
store <8 x float> %v586, ptr %s44
%v587 = load <8 x float>, ptr %s45
%v588 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v584, <8 x float> %v580, <8 x float> %v587)
store <8 x float> %v588, ptr %s45
%v589 = getelementptr float, ptr %v571, i64 %v574
%v590 = load float, ptr %v589, align 4
%v591 = insertelement <8 x float> poison, float %v590, i32 0
%v592 = shufflevector <8 x float> %v591, <8 x float> poison, <8 x i32> zeroinitializer
%v593 = load <8 x float>, ptr %s46
%v594 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v592, <8 x float> %v577, <8 x float> %v593)
store <8 x float> %v594, ptr %s46
%v595 = load <8 x float>, ptr %s47
%v596 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v592, <8 x float> %v580, <8 x float> %v595)
store <8 x float> %v596, ptr %s47
%v597 = getelementptr float, ptr %v572, i64 %v574
%v598 = load float, ptr %v597, align 4
%v599 = insertelement <8 x float> poison, float %v598, i32 0
%v600 = shufflevector <8 x float> %v599, <8 x float> poison, <8 x i32> zeroinitializer
%v601 = load <8 x float>, ptr %s48
%v602 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v600, <8 x float> %v577, <8 x float> %v601)
store <8 x float> %v602, ptr %s48
%v603 = load <8 x float>, ptr %s49
%v604 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v600, <8 x float> %v580, <8 x float> %v603)
store <8 x float> %v604, ptr %s49
%v605 = getelementptr float, ptr %v573, i64 %v574
%v606 = load float, ptr %v605, align 4
%v607 = insertelement <8 x float> poison, float %v606, i32 0
%v608 = shufflevector <8 x float> %v607, <8 x float> poison, <8 x i32> zeroinitializer
%v609 = load <8 x float>, ptr %s50
%v610 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v608, <8 x float> %v577, <8 x float> %v609)
store <8 x float> %v610, ptr %s50
%v611 = load <8 x float>, ptr %s51
%v612 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v608, <8 x float> %v580, <8 x float> %v611)
store <8 x float> %v612, ptr %s51
%v613 = mul i64 %v574, 16
%v614 = add i64 %v613, 16
%v615 = getelementptr float, ptr %v281, i64 %v614
%v616 = load <8 x float>, ptr %v615, align 4
%v617 = add i64 %v614, 8
%v618 = getelementptr float, ptr %v281, i64 %v617
%v619 = load <8 x float>, ptr %v618, align 4
%v620 = add i64 %v574, 1
%v621 = getelementptr float, ptr %v565, i64 %v620
%v622 = load float, ptr %v621, align 4
%v623 = insertelement <8 x float> poison, float %v622, i32 0
%v624 = shufflevector <8 x float> %v623, <8 x float> poison, <8 x i32> zeroinitializer
%v625 = load <8 x float>, ptr %s44
%v626 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v624, <8 x float> %v616, <8 x float> %v625)
store <8 x float> %v626, ptr %s44
%v627 = load <8 x float>, ptr %s45
%v628 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v624, <8 x float> %v619, <8 x float> %v627)
store <8 x float> %v628, ptr %s45
%v629 = add i64 %v574, 1
%v630 = getelementptr float, ptr %v571, i64 %v629
%v631 = load float, ptr %v630, align 4
%v632 = insertelement <8 x float> poison, float %v631, i32 0
%v633 = shufflevector <8 x float> %v632, <8 x float> poison, <8 x i32> zeroinitializer
%v634 = load <8 x float>, ptr %s46
%v635 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v633, <8 x float> %v616, <8 x float> %v634)
store <8 x float> %v635, ptr %s46
%v636 = load <8 x float>, ptr %s47
%v637 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v633, <8 x float> %v619, <8 x float> %v636)
store <8 x float> %v637, ptr %s47
%v638 = add i64 %v574, 1
%v639 = getelementptr float, ptr %v572, i64 %v638
%v640 = load float, ptr %v639, align 4
%v641 = insertelement <8 x float> poison, float %v640, i32 0
%v642 = shufflevector <8 x float> %v641, <8 x float> poison, <8 x i32> zeroinitializer
%v643 = load <8 x float>, ptr %s48
%v644 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v642, <8 x float> %v616, <8 x float> %v643)
store <8 x float> %v644, ptr %s48
%v645 = load <8 x float>, ptr %s49
%v646 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v642, <8 x float> %v619, <8 x float> %v645)
store <8 x float> %v646, ptr %s49
%v647 = add i64 %v574, 1
%v648 = getelementptr float, ptr %v573, i64 %v647
%v649 = load float, ptr %v648, align 4
%v650 = insertelement <8 x float> poison, float %v649, i32 0
%v651 = shufflevector <8 x float> %v650, <8 x float> poison, <8 x i32> zeroinitializer
%v652 = load <8 x float>, ptr %s50
%v653 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v651, <8 x float> %v616, <8 x float> %v652)
store <8 x float> %v653, ptr %s50
%v654 = load <8 x float>, ptr %s51
%v655 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v651, <8 x float> %v619, <8 x float> %v654)
store <8 x float> %v655, ptr %s51
%v656 = add i64 %v574, 2
%v657 = icmp slt i64 %v656, 12
br i1 %v657, label %loop57, label %end58
end58:
%v658 = load <8 x float>, ptr %s44
%v659 = load <8 x float>, ptr %s45
%v660 = load <8 x float>, ptr %s46
%v661 = load <8 x float>, ptr %s47
%v662 = load <8 x float>, ptr %s48
%v663 = load <8 x float>, ptr %s49
%v664 = load <8 x float>, ptr %s50
%v665 = load <8 x float>, ptr %s51
store <8 x float> %v658, ptr %v570, align 4
%v666 = getelementptr float, ptr %v570, i64 8
store <8 x float> %v659, ptr %v666, align 4
%v667 = getelementptr float, ptr %v570, i64 16
store <8 x float> %v660, ptr %v667, align 4
%v668 = getelementptr float, ptr %v570, i64 24
store <8 x float> %v661, ptr %v668, align 4
%v669 = getelementptr float, ptr %v570, i64 32
store <8 x float> %v662, ptr %v669, align 4
%v670 = getelementptr float, ptr %v570, i64 40
store <8 x float> %v663, ptr %v670, align 4
%v671 = getelementptr float, ptr %v570, i64 48
store <8 x float> %v664, ptr %v671, align 4
%v672 = getelementptr float, ptr %v570, i64 56
store <8 x float> %v665, ptr %v672, align 4
br label %end56
else55:
br label %end56
end56:
%v673 = icmp slt i64 0, %v32
br i1 %v673, label %guard61, label %end60
guard61:
br label %loop59
loop59:
%v674 = phi i64 [ 0, %guard61 ], [ %v696, %loop59 ]
%v675 = mul i64 %v674, 16
%v676 = getelementptr float, ptr %scratch, i64 %v675
%v677 = load <8 x float>, ptr %v676, align 4
%v678 = mul i64 %v674, 16
%v679 = add i64 %v678, 8
%v680 = getelementptr float, ptr %scratch, i64 %v679
%v681 = load <8 x float>, ptr %v680, align 4
%v682 = add i64 %v30, %v674
%v683 = add i64 %v30, %v674
%v684 = getelementptr i64, ptr %a0, i64 30
%v685 = getelementptr i64, ptr %v684, i64 %v683
%v686 = load i64, ptr %v685, align 8
%v687 = mul i64 %v686, 16
%v688 = getelementptr float, ptr %a3, i64 %v687
store <8 x float> %v677, ptr %v688, align 4
%v689 = add i64 %v30, %v674
%v690 = getelementptr i64, ptr %a0, i64 30
%v691 = getelementptr i64, ptr %v690, i64 %v689
%v692 = load i64, ptr %v691, align 8
%v693 = mul i64 %v692, 16
%v694 = add i64 %v693, 8
%v695 = getelementptr float, ptr %a3, i64 %v694
store <8 x float> %v681, ptr %v695, align 4
%v696 = add i64 %v674, 1
%v697 = icmp slt i64 %v696, %v32
br i1 %v697, label %loop59, label %end60
end60:
br label %end9
end9:
%v698 = add i64 %v30, %v26
%v699 = icmp slt i64 %v698, %v15
br i1 %v699, label %loop4, label %end5
end5:
%v700 = add i64 %v1, 1
%v701 = icmp slt i64 %v700, %end
br i1 %v701, label %loop1, label %end2
end2:
ret void
}

