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

define void @expert_rows_52929e45(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v42 = phi i64 [ 0, %end6 ], [ %v60, %loop10 ]
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
%v56 = getelementptr i64, ptr %a0, i64 20
%v57 = getelementptr i64, ptr %v56, i64 %v42
store i64 %v54, ptr %v57, align 8
%v58 = add i64 %v54, 1
%v59 = getelementptr i64, ptr %v0, i64 %v52
store i64 %v58, ptr %v59, align 8
%v60 = add i64 %v42, 1
%v61 = icmp slt i64 %v60, 10
br i1 %v61, label %loop10, label %end11
end11:
ret void
}


declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

define void @grouped_matmul_9cc931ed(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v1 = phi i64 [ %begin, %guard3 ], [ %v695, %end5 ]
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
%v18 = add i64 %v17, 143
%v19 = udiv i64 %v18, 144
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
%v31 = phi i64 [ %v12, %guard6 ], [ %v693, %end9 ]
%v32 = sub i64 %v16, %v31
%v33 = call i64 @llvm.smin.i64(i64 %v27, i64 %v32)
%v34 = icmp sle i64 %v33, 4
br i1 %v34, label %then7, label %else8
then7:
br label %loop10
loop10:
%v35 = phi i64 [ 0, %then7 ], [ %v253, %end35 ]
%v36 = sub i64 12, %v35
%v37 = call i64 @llvm.smin.i64(i64 8, i64 %v36)
%v38 = add i64 %v35, %v37
%v39 = icmp sge i64 %v38, 12
%v40 = icmp eq i64 %v35, 0
%v41 = getelementptr i8, ptr %scratch, i64 221184
%v42 = add i64 %v33, 5
%v43 = udiv i64 %v42, 6
%v44 = icmp eq i64 %v33, 1
%v45 = mul i64 %v43, 6
%v46 = select i1 %v44, i64 1, i64 %v45
%v47 = icmp slt i64 0, %v46
br i1 %v47, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v48 = phi i64 [ 0, %guard14 ], [ %v80, %end19 ]
%v49 = sub i64 %v33, 1
%v50 = call i64 @llvm.smin.i64(i64 %v48, i64 %v49)
%v51 = add i64 %v31, %v50
%v52 = getelementptr i64, ptr %a0, i64 %v51
%v53 = load i64, ptr %v52, align 8
%v54 = mul i64 %v53, 12
%v55 = add i64 %v54, %v35
%v56 = getelementptr float, ptr %a1, i64 %v55
%v57 = mul i64 %v48, 400
%v58 = getelementptr float, ptr %v41, i64 %v57
%v59 = ashr i64 %v37, 3
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
%v68 = icmp slt i64 %v60, %v37
br i1 %v68, label %guard20, label %end19
guard20:
br label %loop18
loop18:
%v69 = phi i64 [ %v60, %guard20 ], [ %v78, %loop18 ]
%v70 = sub i64 %v37, %v69
%v71 = trunc i64 %v70 to i32
%v72 = insertelement <8 x i32> poison, i32 %v71, i32 0
%v73 = shufflevector <8 x i32> %v72, <8 x i32> poison, <8 x i32> zeroinitializer
%v74 = icmp sgt <8 x i32> %v73, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v75 = getelementptr float, ptr %v56, i64 %v69
%v76 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v75, i32 4, <8 x i1> %v74, <8 x float> splat (float 0x0000000000000000))
%v77 = getelementptr float, ptr %v58, i64 %v69
store <8 x float> %v76, ptr %v77, align 4
%v78 = add i64 %v69, 8
%v79 = icmp slt i64 %v78, %v37
br i1 %v79, label %loop18, label %end19
end19:
%v80 = add i64 %v48, 1
%v81 = icmp slt i64 %v80, %v46
br i1 %v81, label %loop12, label %end13
end13:
%v82 = icmp sle i64 %v33, 1
%v83 = icmp sgt i64 %v33, 1
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
%v84 = mul i64 %v35, 16
%v85 = getelementptr float, ptr %v29, i64 %v84
%v86 = sub i64 %v33, 1
store <8 x float> splat (float 0x0000000000000000), ptr %s8
store <8 x float> splat (float 0x0000000000000000), ptr %s9
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <8 x float> splat (float 0x0000000000000000), ptr %s11
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
store <8 x float> splat (float 0x0000000000000000), ptr %s14
store <8 x float> splat (float 0x0000000000000000), ptr %s15
%v87 = getelementptr float, ptr %v41, i64 400
%v88 = getelementptr float, ptr %v41, i64 800
%v89 = getelementptr float, ptr %v41, i64 1200
%v90 = icmp slt i64 0, %v37
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
%v98 = getelementptr float, ptr %v41, i64 %v91
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
%v138 = getelementptr float, ptr %v41, i64 %v137
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
%v174 = icmp slt i64 %v173, %v37
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
%v183 = xor i1 %v40, true
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
br i1 %v39, label %then33, label %else34
then33:
%v230 = icmp slt i64 0, %v33
br i1 %v230, label %guard38, label %end37
guard38:
br label %loop36
loop36:
%v231 = phi i64 [ 0, %guard38 ], [ %v251, %loop36 ]
%v232 = mul i64 %v231, 16
%v233 = getelementptr float, ptr %scratch, i64 %v232
%v234 = load <8 x float>, ptr %v233, align 4
%v235 = mul i64 %v231, 16
%v236 = add i64 %v235, 8
%v237 = getelementptr float, ptr %scratch, i64 %v236
%v238 = load <8 x float>, ptr %v237, align 4
%v239 = add i64 %v31, %v231
%v240 = add i64 %v31, %v231
%v241 = getelementptr i64, ptr %a0, i64 %v240
%v242 = load i64, ptr %v241, align 8
%v243 = mul i64 %v242, 16
%v244 = getelementptr float, ptr %a3, i64 %v243
store <8 x float> %v234, ptr %v244, align 4
%v245 = add i64 %v31, %v231
%v246 = getelementptr i64, ptr %a0, i64 %v245
%v247 = load i64, ptr %v246, align 8
%v248 = mul i64 %v247, 16
%v249 = add i64 %v248, 8
%v250 = getelementptr float, ptr %a3, i64 %v249
store <8 x float> %v238, ptr %v250, align 4
%v251 = add i64 %v231, 1
%v252 = icmp slt i64 %v251, %v33
br i1 %v252, label %loop36, label %end37
end37:
br label %end35
else34:
br label %end35
end35:
%v253 = add i64 %v35, 8
%v254 = icmp slt i64 %v253, 12
br i1 %v254, label %loop10, label %end11
end11:
br label %end9
else8:
%v255 = getelementptr i8, ptr %scratch, i64 221184
%v256 = add i64 %v33, 5
%v257 = udiv i64 %v256, 6
%v258 = icmp eq i64 %v33, 1
%v259 = mul i64 %v257, 6
%v260 = select i1 %v258, i64 1, i64 %v259
%v261 = icmp slt i64 0, %v260
br i1 %v261, label %guard41, label %end40
guard41:
br label %loop39
loop39:
%v262 = phi i64 [ 0, %guard41 ], [ %v276, %loop39 ]
%v263 = sub i64 %v33, 1
%v264 = call i64 @llvm.smin.i64(i64 %v262, i64 %v263)
%v265 = add i64 %v31, %v264
%v266 = getelementptr i64, ptr %a0, i64 %v265
%v267 = load i64, ptr %v266, align 8
%v268 = mul i64 %v267, 12
%v269 = getelementptr float, ptr %a1, i64 %v268
%v270 = mul i64 %v262, 400
%v271 = getelementptr float, ptr %v255, i64 %v270
%v272 = load <8 x float>, ptr %v269, align 4
store <8 x float> %v272, ptr %v271, align 4
%v273 = getelementptr float, ptr %v269, i64 8
%v274 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v273, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v275 = getelementptr float, ptr %v271, i64 8
store <8 x float> %v274, ptr %v275, align 4
%v276 = add i64 %v262, 1
%v277 = icmp slt i64 %v276, %v260
br i1 %v277, label %loop39, label %end40
end40:
%v278 = getelementptr i8, ptr %scratch, i64 451648
br label %loop42
loop42:
%v279 = phi i64 [ 0, %end40 ], [ %v295, %loop42 ]
%v280 = add i64 %v279, 8
%v281 = mul i64 %v280, 16
%v282 = getelementptr float, ptr %v29, i64 %v281
call void @llvm.prefetch.p0(ptr %v282, i32 0, i32 3, i32 1)
%v283 = mul i64 %v279, 16
%v284 = getelementptr float, ptr %v29, i64 %v283
%v285 = load <8 x float>, ptr %v284, align 4
%v286 = mul i64 %v279, 16
%v287 = getelementptr float, ptr %v278, i64 %v286
store <8 x float> %v285, ptr %v287, align 4
%v288 = mul i64 %v279, 16
%v289 = add i64 %v288, 8
%v290 = getelementptr float, ptr %v29, i64 %v289
%v291 = load <8 x float>, ptr %v290, align 4
%v292 = mul i64 %v279, 16
%v293 = add i64 %v292, 8
%v294 = getelementptr float, ptr %v278, i64 %v293
store <8 x float> %v291, ptr %v294, align 4
%v295 = add i64 %v279, 1
%v296 = icmp slt i64 %v295, 12
br i1 %v296, label %loop42, label %end43
end43:
%v297 = udiv i64 %v33, 6
%v298 = urem i64 %v33, 6
%v299 = icmp sgt i64 %v298, 4
%v300 = select i1 %v299, i64 1, i64 0
%v301 = add i64 %v297, %v300
%v302 = select i1 %v299, i64 0, i64 %v298
%v303 = add i64 %v33, 5
%v304 = udiv i64 %v303, 6
%v305 = icmp slt i64 0, %v301
br i1 %v305, label %guard46, label %end45
guard46:
br label %loop44
loop44:
%v306 = phi i64 [ 0, %guard46 ], [ %v463, %end48 ]
%v307 = mul i64 %v306, 6
%v308 = sub i64 %v33, %v307
%v309 = sub i64 %v308, 1
%v310 = mul i64 %v307, 400
%v311 = getelementptr float, ptr %v255, i64 %v310
%v312 = udiv i64 %v307, 6
%v313 = mul i64 %v307, 16
%v314 = getelementptr float, ptr %scratch, i64 %v313
%v315 = mul i64 %v307, 16
%v316 = getelementptr float, ptr %scratch, i64 %v315
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
%v317 = getelementptr float, ptr %v311, i64 400
%v318 = getelementptr float, ptr %v311, i64 800
%v319 = getelementptr float, ptr %v311, i64 1200
%v320 = getelementptr float, ptr %v311, i64 1600
%v321 = getelementptr float, ptr %v311, i64 2000
br label %loop47
loop47:
%v322 = phi i64 [ 0, %loop44 ], [ %v438, %loop47 ]
%v323 = mul i64 %v322, 16
%v324 = getelementptr float, ptr %v278, i64 %v323
%v325 = load <8 x float>, ptr %v324, align 4
%v326 = add i64 %v323, 8
%v327 = getelementptr float, ptr %v278, i64 %v326
%v328 = load <8 x float>, ptr %v327, align 4
%v329 = getelementptr float, ptr %v311, i64 %v322
%v330 = load float, ptr %v329, align 4
%v331 = insertelement <8 x float> poison, float %v330, i32 0
%v332 = shufflevector <8 x float> %v331, <8 x float> poison, <8 x i32> zeroinitializer
%v333 = load <8 x float>, ptr %s24
%v334 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v332, <8 x float> %v325, <8 x float> %v333)
store <8 x float> %v334, ptr %s24
%v335 = load <8 x float>, ptr %s25
%v336 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v332, <8 x float> %v328, <8 x float> %v335)
store <8 x float> %v336, ptr %s25
%v337 = getelementptr float, ptr %v317, i64 %v322
%v338 = load float, ptr %v337, align 4
%v339 = insertelement <8 x float> poison, float %v338, i32 0
%v340 = shufflevector <8 x float> %v339, <8 x float> poison, <8 x i32> zeroinitializer
%v341 = load <8 x float>, ptr %s26
%v342 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v340, <8 x float> %v325, <8 x float> %v341)
store <8 x float> %v342, ptr %s26
%v343 = load <8 x float>, ptr %s27
%v344 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v340, <8 x float> %v328, <8 x float> %v343)
store <8 x float> %v344, ptr %s27
%v345 = getelementptr float, ptr %v318, i64 %v322
%v346 = load float, ptr %v345, align 4
%v347 = insertelement <8 x float> poison, float %v346, i32 0
%v348 = shufflevector <8 x float> %v347, <8 x float> poison, <8 x i32> zeroinitializer
%v349 = load <8 x float>, ptr %s28
%v350 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v348, <8 x float> %v325, <8 x float> %v349)
store <8 x float> %v350, ptr %s28
%v351 = load <8 x float>, ptr %s29
%v352 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v348, <8 x float> %v328, <8 x float> %v351)
store <8 x float> %v352, ptr %s29
%v353 = getelementptr float, ptr %v319, i64 %v322
%v354 = load float, ptr %v353, align 4
%v355 = insertelement <8 x float> poison, float %v354, i32 0
%v356 = shufflevector <8 x float> %v355, <8 x float> poison, <8 x i32> zeroinitializer
%v357 = load <8 x float>, ptr %s30
%v358 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v356, <8 x float> %v325, <8 x float> %v357)
store <8 x float> %v358, ptr %s30
%v359 = load <8 x float>, ptr %s31
%v360 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v356, <8 x float> %v328, <8 x float> %v359)
store <8 x float> %v360, ptr %s31
%v361 = getelementptr float, ptr %v320, i64 %v322
%v362 = load float, ptr %v361, align 4
%v363 = insertelement <8 x float> poison, float %v362, i32 0
%v364 = shufflevector <8 x float> %v363, <8 x float> poison, <8 x i32> zeroinitializer
%v365 = load <8 x float>, ptr %s32
%v366 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v364, <8 x float> %v325, <8 x float> %v365)
store <8 x float> %v366, ptr %s32
%v367 = load <8 x float>, ptr %s33
%v368 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v364, <8 x float> %v328, <8 x float> %v367)
store <8 x float> %v368, ptr %s33
%v369 = getelementptr float, ptr %v321, i64 %v322
%v370 = load float, ptr %v369, align 4
%v371 = insertelement <8 x float> poison, float %v370, i32 0
%v372 = shufflevector <8 x float> %v371, <8 x float> poison, <8 x i32> zeroinitializer
%v373 = load <8 x float>, ptr %s34
%v374 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v372, <8 x float> %v325, <8 x float> %v373)
store <8 x float> %v374, ptr %s34
%v375 = load <8 x float>, ptr %s35
%v376 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v372, <8 x float> %v328, <8 x float> %v375)
store <8 x float> %v376, ptr %s35
%v377 = mul i64 %v322, 16
%v378 = add i64 %v377, 16
%v379 = getelementptr float, ptr %v278, i64 %v378
%v380 = load <8 x float>, ptr %v379, align 4
%v381 = add i64 %v378, 8
%v382 = getelementptr float, ptr %v278, i64 %v381
%v383 = load <8 x float>, ptr %v382, align 4
%v384 = add i64 %v322, 1
%v385 = getelementptr float, ptr %v311, i64 %v384
%v386 = load float, ptr %v385, align 4
%v387 = insertelement <8 x float> poison, float %v386, i32 0
%v388 = shufflevector <8 x float> %v387, <8 x float> poison, <8 x i32> zeroinitializer
%v389 = load <8 x float>, ptr %s24
%v390 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v388, <8 x float> %v380, <8 x float> %v389)
store <8 x float> %v390, ptr %s24
%v391 = load <8 x float>, ptr %s25
%v392 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v388, <8 x float> %v383, <8 x float> %v391)
store <8 x float> %v392, ptr %s25
%v393 = add i64 %v322, 1
%v394 = getelementptr float, ptr %v317, i64 %v393
%v395 = load float, ptr %v394, align 4
%v396 = insertelement <8 x float> poison, float %v395, i32 0
%v397 = shufflevector <8 x float> %v396, <8 x float> poison, <8 x i32> zeroinitializer
%v398 = load <8 x float>, ptr %s26
%v399 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v397, <8 x float> %v380, <8 x float> %v398)
store <8 x float> %v399, ptr %s26
%v400 = load <8 x float>, ptr %s27
%v401 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v397, <8 x float> %v383, <8 x float> %v400)
store <8 x float> %v401, ptr %s27
%v402 = add i64 %v322, 1
%v403 = getelementptr float, ptr %v318, i64 %v402
%v404 = load float, ptr %v403, align 4
%v405 = insertelement <8 x float> poison, float %v404, i32 0
%v406 = shufflevector <8 x float> %v405, <8 x float> poison, <8 x i32> zeroinitializer
%v407 = load <8 x float>, ptr %s28
%v408 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v406, <8 x float> %v380, <8 x float> %v407)
store <8 x float> %v408, ptr %s28
%v409 = load <8 x float>, ptr %s29
%v410 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v406, <8 x float> %v383, <8 x float> %v409)
store <8 x float> %v410, ptr %s29
%v411 = add i64 %v322, 1
%v412 = getelementptr float, ptr %v319, i64 %v411
%v413 = load float, ptr %v412, align 4
%v414 = insertelement <8 x float> poison, float %v413, i32 0
%v415 = shufflevector <8 x float> %v414, <8 x float> poison, <8 x i32> zeroinitializer
%v416 = load <8 x float>, ptr %s30
%v417 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v415, <8 x float> %v380, <8 x float> %v416)
store <8 x float> %v417, ptr %s30
%v418 = load <8 x float>, ptr %s31
%v419 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v415, <8 x float> %v383, <8 x float> %v418)
store <8 x float> %v419, ptr %s31
%v420 = add i64 %v322, 1
%v421 = getelementptr float, ptr %v320, i64 %v420
%v422 = load float, ptr %v421, align 4
%v423 = insertelement <8 x float> poison, float %v422, i32 0
%v424 = shufflevector <8 x float> %v423, <8 x float> poison, <8 x i32> zeroinitializer
%v425 = load <8 x float>, ptr %s32
%v426 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v424, <8 x float> %v380, <8 x float> %v425)
store <8 x float> %v426, ptr %s32
%v427 = load <8 x float>, ptr %s33
%v428 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v424, <8 x float> %v383, <8 x float> %v427)
store <8 x float> %v428, ptr %s33
%v429 = add i64 %v322, 1
%v430 = getelementptr float, ptr %v321, i64 %v429
%v431 = load float, ptr %v430, align 4
%v432 = insertelement <8 x float> poison, float %v431, i32 0
%v433 = shufflevector <8 x float> %v432, <8 x float> poison, <8 x i32> zeroinitializer
%v434 = load <8 x float>, ptr %s34
%v435 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v433, <8 x float> %v380, <8 x float> %v434)
store <8 x float> %v435, ptr %s34
%v436 = load <8 x float>, ptr %s35
%v437 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v433, <8 x float> %v383, <8 x float> %v436)
store <8 x float> %v437, ptr %s35
%v438 = add i64 %v322, 2
%v439 = icmp slt i64 %v438, 12
br i1 %v439, label %loop47, label %end48
end48:
%v440 = load <8 x float>, ptr %s24
%v441 = load <8 x float>, ptr %s25
%v442 = load <8 x float>, ptr %s26
%v443 = load <8 x float>, ptr %s27
%v444 = load <8 x float>, ptr %s28
%v445 = load <8 x float>, ptr %s29
%v446 = load <8 x float>, ptr %s30
%v447 = load <8 x float>, ptr %s31
%v448 = load <8 x float>, ptr %s32
%v449 = load <8 x float>, ptr %s33
%v450 = load <8 x float>, ptr %s34
%v451 = load <8 x float>, ptr %s35
store <8 x float> %v440, ptr %v316, align 4
%v452 = getelementptr float, ptr %v316, i64 8
store <8 x float> %v441, ptr %v452, align 4
%v453 = getelementptr float, ptr %v316, i64 16
store <8 x float> %v442, ptr %v453, align 4
%v454 = getelementptr float, ptr %v316, i64 24
store <8 x float> %v443, ptr %v454, align 4
%v455 = getelementptr float, ptr %v316, i64 32
store <8 x float> %v444, ptr %v455, align 4
%v456 = getelementptr float, ptr %v316, i64 40
store <8 x float> %v445, ptr %v456, align 4
%v457 = getelementptr float, ptr %v316, i64 48
store <8 x float> %v446, ptr %v457, align 4
%v458 = getelementptr float, ptr %v316, i64 56
store <8 x float> %v447, ptr %v458, align 4
%v459 = getelementptr float, ptr %v316, i64 64
store <8 x float> %v448, ptr %v459, align 4
%v460 = getelementptr float, ptr %v316, i64 72
store <8 x float> %v449, ptr %v460, align 4
%v461 = getelementptr float, ptr %v316, i64 80
store <8 x float> %v450, ptr %v461, align 4
%v462 = getelementptr float, ptr %v316, i64 88
store <8 x float> %v451, ptr %v462, align 4
%v463 = add i64 %v306, 1
%v464 = icmp slt i64 %v463, %v301
br i1 %v464, label %loop44, label %end45
end45:
%v465 = icmp sgt i64 %v302, 0
%v466 = icmp sle i64 %v302, 1
%v467 = and i1 %v465, %v466
br i1 %v467, label %then49, label %else50
then49:
%v468 = mul i64 %v301, 6
%v469 = mul i64 %v468, 400
%v470 = getelementptr float, ptr %v255, i64 %v469
%v471 = udiv i64 %v468, 6
%v472 = mul i64 %v468, 16
%v473 = getelementptr float, ptr %scratch, i64 %v472
%v474 = mul i64 %v468, 16
%v475 = getelementptr float, ptr %scratch, i64 %v474
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
%v476 = phi i64 [ 0, %then49 ], [ %v539, %loop52 ]
%v477 = mul i64 %v476, 16
%v478 = getelementptr float, ptr %v278, i64 %v477
%v479 = load <8 x float>, ptr %v478, align 4
%v480 = add i64 %v477, 8
%v481 = getelementptr float, ptr %v278, i64 %v480
%v482 = load <8 x float>, ptr %v481, align 4
%v483 = getelementptr float, ptr %v470, i64 %v476
%v484 = load float, ptr %v483, align 4
%v485 = insertelement <8 x float> poison, float %v484, i32 0
%v486 = shufflevector <8 x float> %v485, <8 x float> poison, <8 x i32> zeroinitializer
%v487 = load <8 x float>, ptr %s36
%v488 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v486, <8 x float> %v479, <8 x float> %v487)
store <8 x float> %v488, ptr %s36
%v489 = load <8 x float>, ptr %s40
%v490 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v486, <8 x float> %v482, <8 x float> %v489)
store <8 x float> %v490, ptr %s40
%v491 = mul i64 %v476, 16
%v492 = add i64 %v491, 16
%v493 = getelementptr float, ptr %v278, i64 %v492
%v494 = load <8 x float>, ptr %v493, align 4
%v495 = add i64 %v492, 8
%v496 = getelementptr float, ptr %v278, i64 %v495
%v497 = load <8 x float>, ptr %v496, align 4
%v498 = add i64 %v476, 1
%v499 = getelementptr float, ptr %v470, i64 %v498
%v500 = load float, ptr %v499, align 4
%v501 = insertelement <8 x float> poison, float %v500, i32 0
%v502 = shufflevector <8 x float> %v501, <8 x float> poison, <8 x i32> zeroinitializer
%v503 = load <8 x float>, ptr %s37
%v504 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v502, <8 x float> %v494, <8 x float> %v503)
store <8 x float> %v504, ptr %s37
%v505 = load <8 x float>, ptr %s41
%v506 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v502, <8 x float> %v497, <8 x float> %v505)
store <8 x float> %v506, ptr %s41
%v507 = mul i64 %v476, 16
%v508 = add i64 %v507, 32
%v509 = getelementptr float, ptr %v278, i64 %v508
%v510 = load <8 x float>, ptr %v509, align 4
%v511 = add i64 %v508, 8
%v512 = getelementptr float, ptr %v278, i64 %v511
%v513 = load <8 x float>, ptr %v512, align 4
%v514 = add i64 %v476, 2
%v515 = getelementptr float, ptr %v470, i64 %v514
%v516 = load float, ptr %v515, align 4
%v517 = insertelement <8 x float> poison, float %v516, i32 0
%v518 = shufflevector <8 x float> %v517, <8 x float> poison, <8 x i32> zeroinitializer
%v519 = load <8 x float>, ptr %s38
%v520 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v518, <8 x float> %v510, <8 x float> %v519)
store <8 x float> %v520, ptr %s38
%v521 = load <8 x float>, ptr %s42
%v522 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v518, <8 x float> %v513, <8 x float> %v521)
store <8 x float> %v522, ptr %s42
%v523 = mul i64 %v476, 16
%v524 = add i64 %v523, 48
%v525 = getelementptr float, ptr %v278, i64 %v524
%v526 = load <8 x float>, ptr %v525, align 4
%v527 = add i64 %v524, 8
%v528 = getelementptr float, ptr %v278, i64 %v527
%v529 = load <8 x float>, ptr %v528, align 4
%v530 = add i64 %v476, 3
%v531 = getelementptr float, ptr %v470, i64 %v530
%v532 = load float, ptr %v531, align 4
%v533 = insertelement <8 x float> poison, float %v532, i32 0
%v534 = shufflevector <8 x float> %v533, <8 x float> poison, <8 x i32> zeroinitializer
%v535 = load <8 x float>, ptr %s39
%v536 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v534, <8 x float> %v526, <8 x float> %v535)
store <8 x float> %v536, ptr %s39
%v537 = load <8 x float>, ptr %s43
%v538 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v534, <8 x float> %v529, <8 x float> %v537)
store <8 x float> %v538, ptr %s43
%v539 = add i64 %v476, 4
%v540 = icmp slt i64 %v539, 12
br i1 %v540, label %loop52, label %end53
end53:
%v541 = load <8 x float>, ptr %s36
%v542 = load <8 x float>, ptr %s37
%v543 = load <8 x float>, ptr %s38
%v544 = load <8 x float>, ptr %s39
%v545 = fadd <8 x float> %v541, %v542
%v546 = fadd <8 x float> %v543, %v544
%v547 = fadd <8 x float> %v545, %v546
%v548 = load <8 x float>, ptr %s40
%v549 = load <8 x float>, ptr %s41
%v550 = load <8 x float>, ptr %s42
%v551 = load <8 x float>, ptr %s43
%v552 = fadd <8 x float> %v548, %v549
%v553 = fadd <8 x float> %v550, %v551
%v554 = fadd <8 x float> %v552, %v553
store <8 x float> %v547, ptr %v475, align 4
%v555 = getelementptr float, ptr %v475, i64 8
store <8 x float> %v554, ptr %v555, align 4
br label %end51
else50:
br label %end51
end51:
%v556 = icmp sgt i64 %v302, 1
%v557 = icmp sle i64 %v302, 4
%v558 = and i1 %v556, %v557
%v559 = sub i64 %v302, 1
br i1 %v558, label %then54, label %else55
then54:
%v560 = mul i64 %v301, 6
%v561 = mul i64 %v560, 400
%v562 = getelementptr float, ptr %v255, i64 %v561
%v563 = udiv i64 %v560, 6
%v564 = mul i64 %v560, 16
%v565 = getelementptr float, ptr %scratch, i64 %v564
%v566 = mul i64 %v560, 16
%v567 = getelementptr float, ptr %scratch, i64 %v566
store <8 x float> splat (float 0x0000000000000000), ptr %s44
store <8 x float> splat (float 0x0000000000000000), ptr %s45
store <8 x float> splat (float 0x0000000000000000), ptr %s46
store <8 x float> splat (float 0x0000000000000000), ptr %s47
store <8 x float> splat (float 0x0000000000000000), ptr %s48
store <8 x float> splat (float 0x0000000000000000), ptr %s49
store <8 x float> splat (float 0x0000000000000000), ptr %s50
store <8 x float> splat (float 0x0000000000000000), ptr %s51
%v568 = getelementptr float, ptr %v562, i64 400
%v569 = getelementptr float, ptr %v562, i64 800
%v570 = getelementptr float, ptr %v562, i64 1200
br label %loop57
loop57:
%v571 = phi i64 [ 0, %then54 ], [ %v653, %loop57 ]
%v572 = mul i64 %v571, 16
%v573 = getelementptr float, ptr %v278, i64 %v572
%v574 = load <8 x float>, ptr %v573, align 4
%v575 = add i64 %v572, 8
%v576 = getelementptr float, ptr %v278, i64 %v575
%v577 = load <8 x float>, ptr %v576, align 4
%v578 = getelementptr float, ptr %v562, i64 %v571
%v579 = load float, ptr %v578, align 4
%v580 = insertelement <8 x float> poison, float %v579, i32 0
%v581 = shufflevector <8 x float> %v580, <8 x float> poison, <8 x i32> zeroinitializer
%v582 = load <8 x float>, ptr %s44
%v583 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v581, <8 x float> %v574, <8 x float> %v582)
store <8 x float> %v583, ptr %s44
%v584 = load <8 x float>, ptr %s45
%v585 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v581, <8 x float> %v577, <8 x float> %v584)
store <8 x float> %v585, ptr %s45
%v586 = getelementptr float, ptr %v568, i64 %v571
%v587 = load float, ptr %v586, align 4
%v588 = insertelement <8 x float> poison, float %v587, i32 0
%v589 = shufflevector <8 x float> %v588, <8 x float> poison, <8 x i32> zeroinitializer
%v590 = load <8 x float>, ptr %s46
%v591 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v589, <8 x float> %v574, <8 x float> %v590)
store <8 x float> %v591, ptr %s46
%v592 = load <8 x float>, ptr %s47
%v593 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v589, <8 x float> %v577, <8 x float> %v592)
store <8 x float> %v593, ptr %s47
%v594 = getelementptr float, ptr %v569, i64 %v571
%v595 = load float, ptr %v594, align 4
%v596 = insertelement <8 x float> poison, float %v595, i32 0
%v597 = shufflevector <8 x float> %v596, <8 x float> poison, <8 x i32> zeroinitializer
%v598 = load <8 x float>, ptr %s48
%v599 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v597, <8 x float> %v574, <8 x float> %v598)
store <8 x float> %v599, ptr %s48
%v600 = load <8 x float>, ptr %s49
%v601 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v597, <8 x float> %v577, <8 x float> %v600)
store <8 x float> %v601, ptr %s49
%v602 = getelementptr float, ptr %v570, i64 %v571
%v603 = load float, ptr %v602, align 4
%v604 = insertelement <8 x float> poison, float %v603, i32 0
%v605 = shufflevector <8 x float> %v604, <8 x float> poison, <8 x i32> zeroinitializer
%v606 = load <8 x float>, ptr %s50
%v607 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v605, <8 x float> %v574, <8 x float> %v606)
store <8 x float> %v607, ptr %s50
%v608 = load <8 x float>, ptr %s51
%v609 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v605, <8 x float> %v577, <8 x float> %v608)
store <8 x float> %v609, ptr %s51
%v610 = mul i64 %v571, 16
%v611 = add i64 %v610, 16
%v612 = getelementptr float, ptr %v278, i64 %v611
%v613 = load <8 x float>, ptr %v612, align 4
%v614 = add i64 %v611, 8
%v615 = getelementptr float, ptr %v278, i64 %v614
%v616 = load <8 x float>, ptr %v615, align 4
%v617 = add i64 %v571, 1
%v618 = getelementptr float, ptr %v562, i64 %v617
%v619 = load float, ptr %v618, align 4
%v620 = insertelement <8 x float> poison, float %v619, i32 0
%v621 = shufflevector <8 x float> %v620, <8 x float> poison, <8 x i32> zeroinitializer
%v622 = load <8 x float>, ptr %s44
%v623 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v621, <8 x float> %v613, <8 x float> %v622)
store <8 x float> %v623, ptr %s44
%v624 = load <8 x float>, ptr %s45
%v625 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v621, <8 x float> %v616, <8 x float> %v624)
store <8 x float> %v625, ptr %s45
%v626 = add i64 %v571, 1
%v627 = getelementptr float, ptr %v568, i64 %v626
%v628 = load float, ptr %v627, align 4
%v629 = insertelement <8 x float> poison, float %v628, i32 0
%v630 = shufflevector <8 x float> %v629, <8 x float> poison, <8 x i32> zeroinitializer
%v631 = load <8 x float>, ptr %s46
%v632 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v630, <8 x float> %v613, <8 x float> %v631)
store <8 x float> %v632, ptr %s46
%v633 = load <8 x float>, ptr %s47
%v634 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v630, <8 x float> %v616, <8 x float> %v633)
store <8 x float> %v634, ptr %s47
%v635 = add i64 %v571, 1
%v636 = getelementptr float, ptr %v569, i64 %v635
%v637 = load float, ptr %v636, align 4
%v638 = insertelement <8 x float> poison, float %v637, i32 0
%v639 = shufflevector <8 x float> %v638, <8 x float> poison, <8 x i32> zeroinitializer
%v640 = load <8 x float>, ptr %s48
%v641 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v639, <8 x float> %v613, <8 x float> %v640)
store <8 x float> %v641, ptr %s48
%v642 = load <8 x float>, ptr %s49
%v643 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v639, <8 x float> %v616, <8 x float> %v642)
store <8 x float> %v643, ptr %s49
%v644 = add i64 %v571, 1
%v645 = getelementptr float, ptr %v570, i64 %v644
%v646 = load float, ptr %v645, align 4
%v647 = insertelement <8 x float> poison, float %v646, i32 0
%v648 = shufflevector <8 x float> %v647, <8 x float> poison, <8 x i32> zeroinitializer
%v649 = load <8 x float>, ptr %s50
%v650 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v648, <8 x float> %v613, <8 x float> %v649)
store <8 x float> %v650, ptr %s50
%v651 = load <8 x float>, ptr %s51
%v652 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v648, <8 x float> %v616, <8 x float> %v651)
store <8 x float> %v652, ptr %s51
%v653 = add i64 %v571, 2
%v654 = icmp slt i64 %v653, 12
br i1 %v654, label %loop57, label %end58
end58:
%v655 = load <8 x float>, ptr %s44
%v656 = load <8 x float>, ptr %s45
%v657 = load <8 x float>, ptr %s46
%v658 = load <8 x float>, ptr %s47
%v659 = load <8 x float>, ptr %s48
%v660 = load <8 x float>, ptr %s49
%v661 = load <8 x float>, ptr %s50
%v662 = load <8 x float>, ptr %s51
store <8 x float> %v655, ptr %v567, align 4
%v663 = getelementptr float, ptr %v567, i64 8
store <8 x float> %v656, ptr %v663, align 4
%v664 = getelementptr float, ptr %v567, i64 16
store <8 x float> %v657, ptr %v664, align 4
%v665 = getelementptr float, ptr %v567, i64 24
store <8 x float> %v658, ptr %v665, align 4
%v666 = getelementptr float, ptr %v567, i64 32
store <8 x float> %v659, ptr %v666, align 4
%v667 = getelementptr float, ptr %v567, i64 40
store <8 x float> %v660, ptr %v667, align 4
%v668 = getelementptr float, ptr %v567, i64 48
store <8 x float> %v661, ptr %v668, align 4
%v669 = getelementptr float, ptr %v567, i64 56
store <8 x float> %v662, ptr %v669, align 4
br label %end56
else55:
br label %end56
end56:
%v670 = icmp slt i64 0, %v33
br i1 %v670, label %guard61, label %end60
guard61:
br label %loop59
loop59:
%v671 = phi i64 [ 0, %guard61 ], [ %v691, %loop59 ]
%v672 = mul i64 %v671, 16
%v673 = getelementptr float, ptr %scratch, i64 %v672
%v674 = load <8 x float>, ptr %v673, align 4
%v675 = mul i64 %v671, 16
%v676 = add i64 %v675, 8
%v677 = getelementptr float, ptr %scratch, i64 %v676
%v678 = load <8 x float>, ptr %v677, align 4
%v679 = add i64 %v31, %v671
%v680 = add i64 %v31, %v671
%v681 = getelementptr i64, ptr %a0, i64 %v680
%v682 = load i64, ptr %v681, align 8
%v683 = mul i64 %v682, 16
%v684 = getelementptr float, ptr %a3, i64 %v683
store <8 x float> %v674, ptr %v684, align 4
%v685 = add i64 %v31, %v671
%v686 = getelementptr i64, ptr %a0, i64 %v685
%v687 = load i64, ptr %v686, align 8
%v688 = mul i64 %v687, 16
%v689 = add i64 %v688, 8
%v690 = getelementptr float, ptr %a3, i64 %v689
store <8 x float> %v678, ptr %v690, align 4
%v691 = add i64 %v671, 1
%v692 = icmp slt i64 %v691, %v33
br i1 %v692, label %loop59, label %end60
end60:
br label %end9
end9:
%v693 = add i64 %v31, %v27
%v694 = icmp slt i64 %v693, %v16
br i1 %v694, label %loop4, label %end5
end5:
%v695 = add i64 %v1, 1
%v696 = icmp slt i64 %v695, %end
br i1 %v696, label %loop1, label %end2
end2:
ret void
}

