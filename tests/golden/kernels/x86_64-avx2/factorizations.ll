; kernels for x86_64-avx2
; mir @factorizations {
;   %0 = input("x1") : f32[6, 6]
;   %1 = cholesky(%0) : f32[6, 6]
;   %2:2 = qr(%0) : (f32[6, 6], f32[6, 6])
;   %3 = input("x2") : f32[6, 3]
;   %4 = triangular_solve(%0, %3, lower=true) : f32[6, 3]
;   return y1=%1, y2=%2.0, y3=%2.1, y4=%4
; }

declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare float @llvm.sqrt.f32(float)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @cholesky_40ee2c88(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%v0 = getelementptr float, ptr %scratch, i64 256
%v1 = getelementptr float, ptr %v0, i64 256
%v2 = icmp slt i64 %begin, %end
br i1 %v2, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v3 = phi i64 [ %begin, %guard3 ], [ %v134, %end38 ]
br label %loop4
loop4:
%v4 = phi i64 [ 0, %loop1 ], [ %v19, %end9 ]
%v5 = mul i64 %v4, 16
%v6 = getelementptr float, ptr %v0, i64 %v5
%v7 = mul i64 %v4, 6
%v8 = getelementptr float, ptr %a0, i64 %v7
br label %loop6
loop6:
%v9 = phi i64 [ 0, %loop4 ], [ %v13, %loop6 ]
%v10 = getelementptr float, ptr %v8, i64 %v9
%v11 = load float, ptr %v10, align 4
%v12 = getelementptr float, ptr %v6, i64 %v9
store float %v11, ptr %v12, align 4
%v13 = add i64 %v9, 1
%v14 = icmp slt i64 %v13, 6
br i1 %v14, label %loop6, label %end7
end7:
br label %loop8
loop8:
%v15 = phi i64 [ 6, %end7 ], [ %v17, %loop8 ]
%v16 = getelementptr float, ptr %v6, i64 %v15
store float 0x0000000000000000, ptr %v16, align 4
%v17 = add i64 %v15, 1
%v18 = icmp slt i64 %v17, 16
br i1 %v18, label %loop8, label %end9
end9:
%v19 = add i64 %v4, 1
%v20 = icmp slt i64 %v19, 6
br i1 %v20, label %loop4, label %end5
end5:
br label %loop10
loop10:
%v21 = phi i64 [ 6, %end5 ], [ %v28, %end13 ]
%v22 = mul i64 %v21, 16
%v23 = getelementptr float, ptr %v0, i64 %v22
br label %loop12
loop12:
%v24 = phi i64 [ 0, %loop10 ], [ %v26, %loop12 ]
%v25 = getelementptr float, ptr %v23, i64 %v24
store <8 x float> splat (float 0x0000000000000000), ptr %v25, align 4
%v26 = add i64 %v24, 8
%v27 = icmp slt i64 %v26, 16
br i1 %v27, label %loop12, label %end13
end13:
%v28 = add i64 %v21, 1
%v29 = icmp slt i64 %v28, 16
br i1 %v29, label %loop10, label %end11
end11:
br label %loop14
loop14:
%v30 = phi i64 [ 1, %end11 ], [ %v43, %end17 ]
%v31 = and i64 %v30, -16
%v32 = icmp slt i64 %v31, %v30
br i1 %v32, label %guard18, label %end17
guard18:
br label %loop16
loop16:
%v33 = phi i64 [ %v31, %guard18 ], [ %v41, %loop16 ]
%v34 = mul i64 %v30, 16
%v35 = add i64 %v34, %v33
%v36 = getelementptr float, ptr %v0, i64 %v35
%v37 = load float, ptr %v36, align 4
%v38 = mul i64 %v33, 16
%v39 = add i64 %v38, %v30
%v40 = getelementptr float, ptr %v0, i64 %v39
store float %v37, ptr %v40, align 4
%v41 = add i64 %v33, 1
%v42 = icmp slt i64 %v41, %v30
br i1 %v42, label %loop16, label %end17
end17:
%v43 = add i64 %v30, 1
%v44 = icmp slt i64 %v43, 6
br i1 %v44, label %loop14, label %end15
end15:
br i1 true, label %then19, label %else20
then19:
store float 0x0000000000000000, ptr %v1, align 4
br label %end21
else20:
br label %end21
end21:
br label %loop22
loop22:
%v45 = phi i64 [ 0, %end21 ], [ %v101, %end28 ]
%v46 = mul i64 %v45, 16
%v47 = getelementptr float, ptr %v0, i64 %v46
%v48 = getelementptr float, ptr %v47, i64 %v45
%v49 = load float, ptr %v48, align 4
%v50 = fcmp ogt float %v49, 0x0000000000000000
%v51 = xor i1 %v50, true
br i1 %v51, label %then24, label %else25
then24:
store float 0x7FF8000000000000, ptr %v1, align 4
br label %end26
else25:
br label %end26
end26:
%v52 = call float @llvm.sqrt.f32(float %v49)
%v53 = fdiv float 0x3FF0000000000000, %v52
%v54 = insertelement <8 x float> poison, float %v53, i32 0
%v55 = shufflevector <8 x float> %v54, <8 x float> poison, <8 x i32> zeroinitializer
%v56 = trunc i64 %v45 to i32
%v57 = insertelement <8 x i32> poison, i32 %v56, i32 0
%v58 = shufflevector <8 x i32> %v57, <8 x i32> poison, <8 x i32> zeroinitializer
%v59 = load <8 x float>, ptr %v47, align 4
%v60 = fmul <8 x float> %v59, %v55
%v61 = getelementptr float, ptr %v47, i64 8
%v62 = load <8 x float>, ptr %v61, align 4
%v63 = fmul <8 x float> %v62, %v55
%v64 = load <8 x float>, ptr %v47, align 4
%v65 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v58
%v66 = select <8 x i1> %v65, <8 x float> %v64, <8 x float> %v60
store <8 x float> %v66, ptr %v47, align 4
%v67 = getelementptr float, ptr %v47, i64 8
%v68 = load <8 x float>, ptr %v67, align 4
%v69 = icmp slt <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v58
%v70 = select <8 x i1> %v69, <8 x float> %v68, <8 x float> %v63
%v71 = getelementptr float, ptr %v47, i64 8
store <8 x float> %v70, ptr %v71, align 4
%v72 = getelementptr float, ptr %v47, i64 %v45
store float %v52, ptr %v72, align 4
%v73 = add i64 %v45, 1
%v74 = icmp slt i64 %v73, 6
br i1 %v74, label %guard29, label %end28
guard29:
br label %loop27
loop27:
%v75 = phi i64 [ %v73, %guard29 ], [ %v99, %loop27 ]
%v76 = mul i64 %v75, 16
%v77 = getelementptr float, ptr %v0, i64 %v76
%v78 = getelementptr float, ptr %v77, i64 %v45
%v79 = load float, ptr %v78, align 4
%v80 = insertelement <8 x float> poison, float %v79, i32 0
%v81 = shufflevector <8 x float> %v80, <8 x float> poison, <8 x i32> zeroinitializer
%v82 = fmul <8 x float> %v81, %v55
%v83 = load <8 x float>, ptr %v77, align 4
%v84 = icmp sgt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v58
%v85 = fneg <8 x float> %v82
%v86 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v85, <8 x float> %v60, <8 x float> %v83)
%v87 = select <8 x i1> %v84, <8 x float> %v86, <8 x float> %v83
%v88 = icmp eq <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v58
%v89 = select <8 x i1> %v88, <8 x float> %v82, <8 x float> %v87
store <8 x float> %v89, ptr %v77, align 4
%v90 = getelementptr float, ptr %v77, i64 8
%v91 = load <8 x float>, ptr %v90, align 4
%v92 = icmp sgt <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v58
%v93 = fneg <8 x float> %v82
%v94 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v93, <8 x float> %v63, <8 x float> %v91)
%v95 = select <8 x i1> %v92, <8 x float> %v94, <8 x float> %v91
%v96 = icmp eq <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v58
%v97 = select <8 x i1> %v96, <8 x float> %v82, <8 x float> %v95
%v98 = getelementptr float, ptr %v77, i64 8
store <8 x float> %v97, ptr %v98, align 4
%v99 = add i64 %v75, 1
%v100 = icmp slt i64 %v99, 6
br i1 %v100, label %loop27, label %end28
end28:
%v101 = add i64 %v45, 1
%v102 = icmp slt i64 %v101, 6
br i1 %v102, label %loop22, label %end23
end23:
%v103 = getelementptr float, ptr %v0, i64 256
%v104 = getelementptr float, ptr %v103, i64 16
call void @linalg_subtract_f32_16(ptr %v104, ptr %v103, ptr %scratch, i64 0, i64 0, i64 16)
%v105 = load float, ptr %v1, align 4
%v106 = fcmp uno float %v105, %v105
br i1 %v106, label %then30, label %else31
then30:
br label %loop33
loop33:
%v107 = phi i64 [ 0, %then30 ], [ %v116, %end36 ]
%v108 = mul i64 %v107, 16
%v109 = getelementptr float, ptr %v0, i64 %v108
%v110 = insertelement <8 x float> poison, float %v105, i32 0
%v111 = shufflevector <8 x float> %v110, <8 x float> poison, <8 x i32> zeroinitializer
br label %loop35
loop35:
%v112 = phi i64 [ 0, %loop33 ], [ %v114, %loop35 ]
%v113 = getelementptr float, ptr %v109, i64 %v112
store float %v105, ptr %v113, align 4
%v114 = add i64 %v112, 1
%v115 = icmp slt i64 %v114, 6
br i1 %v115, label %loop35, label %end36
end36:
%v116 = add i64 %v107, 1
%v117 = icmp slt i64 %v116, 6
br i1 %v117, label %loop33, label %end34
end34:
br label %end32
else31:
br label %end32
end32:
br label %loop37
loop37:
%v118 = phi i64 [ 0, %end32 ], [ %v132, %end41 ]
%v119 = add i64 %v118, 1
%v120 = mul i64 %v118, 6
%v121 = getelementptr float, ptr %a1, i64 %v120
%v122 = mul i64 %v118, 16
%v123 = getelementptr float, ptr %v0, i64 %v122
%v124 = trunc i64 %v119 to i32
%v125 = insertelement <8 x i32> poison, i32 %v124, i32 0
%v126 = shufflevector <8 x i32> %v125, <8 x i32> poison, <8 x i32> zeroinitializer
br i1 true, label %then39, label %else40
then39:
%v127 = icmp sge <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 0)
%v128 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v126
%v129 = and <8 x i1> %v127, %v128
%v130 = load <8 x float>, ptr %v123, align 4
%v131 = select <8 x i1> %v129, <8 x float> %v130, <8 x float> splat (float 0x0000000000000000)
call void @llvm.masked.store.v8f32.p0(<8 x float> %v131, ptr %v121, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false>)
br label %end41
else40:
br label %end41
end41:
%v132 = add i64 %v118, 1
%v133 = icmp slt i64 %v132, 6
br i1 %v133, label %loop37, label %end38
end38:
%v134 = add i64 %v3, 1
%v135 = icmp slt i64 %v134, %end
br i1 %v135, label %loop1, label %end2
end2:
ret void
}

define internal void @linalg_subtract_f32_16(ptr %c, ptr %a, ptr %b, i64 %rows, i64 %columns, i64 %depth) nounwind {
entry:
%s0 = alloca <8 x float>
%s1 = alloca <8 x float>
%s2 = alloca <8 x float>
%s3 = alloca <8 x float>
%s4 = alloca <8 x float>
%s5 = alloca <8 x float>
%s6 = alloca <8 x float>
%s7 = alloca <8 x float>
%v0 = ashr i64 %columns, 4
%v1 = mul i64 %v0, 16
%v2 = icmp slt i64 0, %v1
br i1 %v2, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v3 = phi i64 [ 0, %guard3 ], [ %v165, %end5 ]
%v4 = icmp slt i64 0, %rows
br i1 %v4, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v5 = phi i64 [ 0, %guard6 ], [ %v163, %end8 ]
%v6 = mul i64 %v5, 16
%v7 = getelementptr float, ptr %a, i64 %v6
%v8 = getelementptr float, ptr %b, i64 %v3
store <8 x float> splat (float 0x0000000000000000), ptr %s0
store <8 x float> splat (float 0x0000000000000000), ptr %s1
store <8 x float> splat (float 0x0000000000000000), ptr %s2
store <8 x float> splat (float 0x0000000000000000), ptr %s3
store <8 x float> splat (float 0x0000000000000000), ptr %s4
store <8 x float> splat (float 0x0000000000000000), ptr %s5
store <8 x float> splat (float 0x0000000000000000), ptr %s6
store <8 x float> splat (float 0x0000000000000000), ptr %s7
%v9 = getelementptr float, ptr %v7, i64 16
%v10 = getelementptr float, ptr %v7, i64 32
%v11 = getelementptr float, ptr %v7, i64 48
%v12 = icmp slt i64 0, %depth
br i1 %v12, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v13 = phi i64 [ 0, %guard9 ], [ %v95, %loop7 ]
%v14 = mul i64 %v13, 16
%v15 = getelementptr float, ptr %v8, i64 %v14
%v16 = load <8 x float>, ptr %v15, align 4
%v17 = add i64 %v14, 8
%v18 = getelementptr float, ptr %v8, i64 %v17
%v19 = load <8 x float>, ptr %v18, align 4
%v20 = getelementptr float, ptr %v7, i64 %v13
%v21 = load float, ptr %v20, align 4
%v22 = insertelement <8 x float> poison, float %v21, i32 0
%v23 = shufflevector <8 x float> %v22, <8 x float> poison, <8 x i32> zeroinitializer
%v24 = load <8 x float>, ptr %s0
%v25 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v23, <8 x float> %v16, <8 x float> %v24)
store <8 x float> %v25, ptr %s0
%v26 = load <8 x float>, ptr %s1
%v27 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v23, <8 x float> %v19, <8 x float> %v26)
store <8 x float> %v27, ptr %s1
%v28 = getelementptr float, ptr %v9, i64 %v13
%v29 = load float, ptr %v28, align 4
%v30 = insertelement <8 x float> poison, float %v29, i32 0
%v31 = shufflevector <8 x float> %v30, <8 x float> poison, <8 x i32> zeroinitializer
%v32 = load <8 x float>, ptr %s2
%v33 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v31, <8 x float> %v16, <8 x float> %v32)
store <8 x float> %v33, ptr %s2
%v34 = load <8 x float>, ptr %s3
%v35 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v31, <8 x float> %v19, <8 x float> %v34)
store <8 x float> %v35, ptr %s3
%v36 = getelementptr float, ptr %v10, i64 %v13
%v37 = load float, ptr %v36, align 4
%v38 = insertelement <8 x float> poison, float %v37, i32 0
%v39 = shufflevector <8 x float> %v38, <8 x float> poison, <8 x i32> zeroinitializer
%v40 = load <8 x float>, ptr %s4
%v41 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v39, <8 x float> %v16, <8 x float> %v40)
store <8 x float> %v41, ptr %s4
%v42 = load <8 x float>, ptr %s5
%v43 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v39, <8 x float> %v19, <8 x float> %v42)
store <8 x float> %v43, ptr %s5
%v44 = getelementptr float, ptr %v11, i64 %v13
%v45 = load float, ptr %v44, align 4
%v46 = insertelement <8 x float> poison, float %v45, i32 0
%v47 = shufflevector <8 x float> %v46, <8 x float> poison, <8 x i32> zeroinitializer
%v48 = load <8 x float>, ptr %s6
%v49 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v47, <8 x float> %v16, <8 x float> %v48)
store <8 x float> %v49, ptr %s6
%v50 = load <8 x float>, ptr %s7
%v51 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v47, <8 x float> %v19, <8 x float> %v50)
store <8 x float> %v51, ptr %s7
%v52 = mul i64 %v13, 16
%v53 = add i64 %v52, 16
%v54 = getelementptr float, ptr %v8, i64 %v53
%v55 = load <8 x float>, ptr %v54, align 4
%v56 = add i64 %v53, 8
%v57 = getelementptr float, ptr %v8, i64 %v56
%v58 = load <8 x float>, ptr %v57, align 4
%v59 = add i64 %v13, 1
%v60 = getelementptr float, ptr %v7, i64 %v59
%v61 = load float, ptr %v60, align 4
%v62 = insertelement <8 x float> poison, float %v61, i32 0
%v63 = shufflevector <8 x float> %v62, <8 x float> poison, <8 x i32> zeroinitializer
%v64 = load <8 x float>, ptr %s0
%v65 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v63, <8 x float> %v55, <8 x float> %v64)
store <8 x float> %v65, ptr %s0
%v66 = load <8 x float>, ptr %s1
%v67 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v63, <8 x float> %v58, <8 x float> %v66)
store <8 x float> %v67, ptr %s1
%v68 = add i64 %v13, 1
%v69 = getelementptr float, ptr %v9, i64 %v68
%v70 = load float, ptr %v69, align 4
%v71 = insertelement <8 x float> poison, float %v70, i32 0
%v72 = shufflevector <8 x float> %v71, <8 x float> poison, <8 x i32> zeroinitializer
%v73 = load <8 x float>, ptr %s2
%v74 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v72, <8 x float> %v55, <8 x float> %v73)
store <8 x float> %v74, ptr %s2
%v75 = load <8 x float>, ptr %s3
%v76 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v72, <8 x float> %v58, <8 x float> %v75)
store <8 x float> %v76, ptr %s3
%v77 = add i64 %v13, 1
%v78 = getelementptr float, ptr %v10, i64 %v77
%v79 = load float, ptr %v78, align 4
%v80 = insertelement <8 x float> poison, float %v79, i32 0
%v81 = shufflevector <8 x float> %v80, <8 x float> poison, <8 x i32> zeroinitializer
%v82 = load <8 x float>, ptr %s4
%v83 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v81, <8 x float> %v55, <8 x float> %v82)
store <8 x float> %v83, ptr %s4
%v84 = load <8 x float>, ptr %s5
%v85 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v81, <8 x float> %v58, <8 x float> %v84)
store <8 x float> %v85, ptr %s5
%v86 = add i64 %v13, 1
%v87 = getelementptr float, ptr %v11, i64 %v86
%v88 = load float, ptr %v87, align 4
%v89 = insertelement <8 x float> poison, float %v88, i32 0
%v90 = shufflevector <8 x float> %v89, <8 x float> poison, <8 x i32> zeroinitializer
%v91 = load <8 x float>, ptr %s6
%v92 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v90, <8 x float> %v55, <8 x float> %v91)
store <8 x float> %v92, ptr %s6
%v93 = load <8 x float>, ptr %s7
%v94 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v90, <8 x float> %v58, <8 x float> %v93)
store <8 x float> %v94, ptr %s7
%v95 = add i64 %v13, 2
%v96 = icmp slt i64 %v95, %depth
br i1 %v96, label %loop7, label %end8
end8:
%v97 = load <8 x float>, ptr %s0
%v98 = load <8 x float>, ptr %s1
%v99 = load <8 x float>, ptr %s2
%v100 = load <8 x float>, ptr %s3
%v101 = load <8 x float>, ptr %s4
%v102 = load <8 x float>, ptr %s5
%v103 = load <8 x float>, ptr %s6
%v104 = load <8 x float>, ptr %s7
%v105 = mul i64 %v5, 16
%v106 = add i64 %v105, %v3
%v107 = getelementptr float, ptr %c, i64 %v106
%v108 = load <8 x float>, ptr %v107, align 4
%v109 = fsub <8 x float> %v108, %v97
%v110 = getelementptr float, ptr %c, i64 %v106
store <8 x float> %v109, ptr %v110, align 4
%v111 = mul i64 %v5, 16
%v112 = add i64 %v111, %v3
%v113 = add i64 %v112, 8
%v114 = getelementptr float, ptr %c, i64 %v113
%v115 = load <8 x float>, ptr %v114, align 4
%v116 = fsub <8 x float> %v115, %v98
%v117 = getelementptr float, ptr %c, i64 %v113
store <8 x float> %v116, ptr %v117, align 4
%v118 = add i64 %v5, 1
%v119 = mul i64 %v118, 16
%v120 = add i64 %v119, %v3
%v121 = getelementptr float, ptr %c, i64 %v120
%v122 = load <8 x float>, ptr %v121, align 4
%v123 = fsub <8 x float> %v122, %v99
%v124 = getelementptr float, ptr %c, i64 %v120
store <8 x float> %v123, ptr %v124, align 4
%v125 = add i64 %v5, 1
%v126 = mul i64 %v125, 16
%v127 = add i64 %v126, %v3
%v128 = add i64 %v127, 8
%v129 = getelementptr float, ptr %c, i64 %v128
%v130 = load <8 x float>, ptr %v129, align 4
%v131 = fsub <8 x float> %v130, %v100
%v132 = getelementptr float, ptr %c, i64 %v128
store <8 x float> %v131, ptr %v132, align 4
%v133 = add i64 %v5, 2
%v134 = mul i64 %v133, 16
%v135 = add i64 %v134, %v3
%v136 = getelementptr float, ptr %c, i64 %v135
%v137 = load <8 x float>, ptr %v136, align 4
%v138 = fsub <8 x float> %v137, %v101
%v139 = getelementptr float, ptr %c, i64 %v135
store <8 x float> %v138, ptr %v139, align 4
%v140 = add i64 %v5, 2
%v141 = mul i64 %v140, 16
%v142 = add i64 %v141, %v3
%v143 = add i64 %v142, 8
%v144 = getelementptr float, ptr %c, i64 %v143
%v145 = load <8 x float>, ptr %v144, align 4
%v146 = fsub <8 x float> %v145, %v102
%v147 = getelementptr float, ptr %c, i64 %v143
store <8 x float> %v146, ptr %v147, align 4
%v148 = add i64 %v5, 3
%v149 = mul i64 %v148, 16
%v150 = add i64 %v149, %v3
%v151 = getelementptr float, ptr %c, i64 %v150
%v152 = load <8 x float>, ptr %v151, align 4
%v153 = fsub <8 x float> %v152, %v103
%v154 = getelementptr float, ptr %c, i64 %v150
store <8 x float> %v153, ptr %v154, align 4
%v155 = add i64 %v5, 3
%v156 = mul i64 %v155, 16
%v157 = add i64 %v156, %v3
%v158 = add i64 %v157, 8
%v159 = getelementptr float, ptr %c, i64 %v158
%v160 = load <8 x float>, ptr %v159, align 4
%v161 = fsub <8 x float> %v160, %v104
%v162 = getelementptr float, ptr %c, i64 %v158
store <8 x float> %v161, ptr %v162, align 4
%v163 = add i64 %v5, 4
%v164 = icmp slt i64 %v163, %rows
br i1 %v164, label %loop4, label %end5
end5:
%v165 = add i64 %v3, 16
%v166 = icmp slt i64 %v165, %v1
br i1 %v166, label %loop1, label %end2
end2:
ret void
}


declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.sqrt.f32(float)
declare float @llvm.copysign.f32(float, float)
declare <8 x float> @llvm.fabs.v8f32(<8 x float>)
declare i1 @llvm.vector.reduce.and.v8i1(<8 x i1>)
declare float @llvm.fabs.f32(float)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @qr_aa119927(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%s2 = alloca <8 x float>
%s3 = alloca <8 x float>
%s4 = alloca [16 x float], align 64
%s5 = alloca float
%s6 = alloca float
%s7 = alloca float
%s8 = alloca float
%s9 = alloca float
%s10 = alloca <8 x float>
%s11 = alloca <8 x float>
%s12 = alloca <8 x float>
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%v0 = getelementptr float, ptr %scratch, i64 768
%v1 = getelementptr float, ptr %v0, i64 256
%v2 = icmp slt i64 %begin, %end
br i1 %v2, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v3 = phi i64 [ %begin, %guard3 ], [ %v541, %end56 ]
br label %loop4
loop4:
%v4 = phi i64 [ 0, %loop1 ], [ %v19, %end9 ]
%v5 = mul i64 %v4, 16
%v6 = getelementptr float, ptr %v0, i64 %v5
%v7 = mul i64 %v4, 6
%v8 = getelementptr float, ptr %a0, i64 %v7
br label %loop6
loop6:
%v9 = phi i64 [ 0, %loop4 ], [ %v13, %loop6 ]
%v10 = getelementptr float, ptr %v8, i64 %v9
%v11 = load float, ptr %v10, align 4
%v12 = getelementptr float, ptr %v6, i64 %v9
store float %v11, ptr %v12, align 4
%v13 = add i64 %v9, 1
%v14 = icmp slt i64 %v13, 6
br i1 %v14, label %loop6, label %end7
end7:
br label %loop8
loop8:
%v15 = phi i64 [ 6, %end7 ], [ %v17, %loop8 ]
%v16 = getelementptr float, ptr %v6, i64 %v15
store float 0x0000000000000000, ptr %v16, align 4
%v17 = add i64 %v15, 1
%v18 = icmp slt i64 %v17, 16
br i1 %v18, label %loop8, label %end9
end9:
%v19 = add i64 %v4, 1
%v20 = icmp slt i64 %v19, 6
br i1 %v20, label %loop4, label %end5
end5:
br label %loop10
loop10:
%v21 = phi i64 [ 6, %end5 ], [ %v28, %end13 ]
%v22 = mul i64 %v21, 16
%v23 = getelementptr float, ptr %v0, i64 %v22
br label %loop12
loop12:
%v24 = phi i64 [ 0, %loop10 ], [ %v26, %loop12 ]
%v25 = getelementptr float, ptr %v23, i64 %v24
store <8 x float> splat (float 0x0000000000000000), ptr %v25, align 4
%v26 = add i64 %v24, 8
%v27 = icmp slt i64 %v26, 16
br i1 %v27, label %loop12, label %end13
end13:
%v28 = add i64 %v21, 1
%v29 = icmp slt i64 %v28, 16
br i1 %v29, label %loop10, label %end11
end11:
%v30 = getelementptr float, ptr %v1, i64 256
br label %loop14
loop14:
%v31 = phi i64 [ 0, %end11 ], [ %v33, %loop14 ]
%v32 = getelementptr float, ptr %v30, i64 %v31
store <8 x float> splat (float 0x0000000000000000), ptr %v32, align 4
%v33 = add i64 %v31, 8
%v34 = icmp slt i64 %v33, 256
br i1 %v34, label %loop14, label %end15
end15:
store <8 x float> splat (float 0x0000000000000000), ptr %s2
store <8 x float> splat (float 0x0000000000000000), ptr %s3
br label %loop16
loop16:
%v35 = phi i64 [ 1, %end15 ], [ %v48, %loop16 ]
%v36 = mul i64 %v35, 16
%v37 = getelementptr float, ptr %v0, i64 %v36
%v38 = load float, ptr %v37, align 4
%v39 = insertelement <8 x float> poison, float %v38, i32 0
%v40 = shufflevector <8 x float> %v39, <8 x float> poison, <8 x i32> zeroinitializer
%v41 = load <8 x float>, ptr %v37, align 4
%v42 = load <8 x float>, ptr %s2
%v43 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v40, <8 x float> %v41, <8 x float> %v42)
store <8 x float> %v43, ptr %s2
%v44 = getelementptr float, ptr %v37, i64 8
%v45 = load <8 x float>, ptr %v44, align 4
%v46 = load <8 x float>, ptr %s3
%v47 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v40, <8 x float> %v45, <8 x float> %v46)
store <8 x float> %v47, ptr %s3
%v48 = add i64 %v35, 1
%v49 = icmp slt i64 %v48, 6
br i1 %v49, label %loop16, label %end17
end17:
br label %loop18
loop18:
%v50 = phi i64 [ 0, %end17 ], [ %v328, %end39 ]
%v51 = mul i64 %v50, 17
%v52 = getelementptr float, ptr %v30, i64 %v51
%v53 = mul i64 %v50, 16
%v54 = getelementptr float, ptr %v0, i64 %v53
%v55 = load <8 x float>, ptr %s2
store <8 x float> %v55, ptr %s4, align 4
%v56 = load <8 x float>, ptr %s3
%v57 = getelementptr float, ptr %s4, i64 8
store <8 x float> %v56, ptr %v57, align 4
%v58 = getelementptr float, ptr %v54, i64 %v50
%v59 = load float, ptr %v58, align 4
%v60 = getelementptr float, ptr %s4, i64 %v50
%v61 = load float, ptr %v60, align 4
%v62 = call float @llvm.fma.f32(float %v59, float %v59, float %v61)
%v63 = call float @llvm.sqrt.f32(float %v62)
%v64 = call float @llvm.copysign.f32(float %v63, float %v59)
%v65 = fneg float %v64
store float %v65, ptr %s5
%v66 = load float, ptr %s5
%v67 = fsub float %v59, %v66
store float %v67, ptr %s6
%v68 = load float, ptr %s5
%v69 = fsub float %v68, %v59
%v70 = load float, ptr %s5
%v71 = fdiv float %v69, %v70
store float %v71, ptr %s7
%v72 = fcmp ogt float %v61, 0x3D70000000000000
%v73 = fcmp olt float %v62, 0x44F0000000000000
%v74 = and i1 %v72, %v73
%v75 = load <8 x float>, ptr %s2
%v76 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v75)
%v77 = fcmp olt <8 x float> %v76, splat (float 0x44F0000000000000)
%v78 = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %v77)
%v79 = and i1 %v74, %v78
%v80 = load <8 x float>, ptr %s3
%v81 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v80)
%v82 = fcmp olt <8 x float> %v81, splat (float 0x44F0000000000000)
%v83 = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %v82)
%v84 = and i1 %v79, %v83
br i1 %v84, label %then20, label %else21
then20:
%v85 = load <8 x float>, ptr %s2
%v86 = load float, ptr %s6
%v87 = insertelement <8 x float> poison, float %v86, i32 0
%v88 = shufflevector <8 x float> %v87, <8 x float> poison, <8 x i32> zeroinitializer
%v89 = fdiv <8 x float> %v85, %v88
store <8 x float> %v89, ptr %s4, align 4
%v90 = load <8 x float>, ptr %s3
%v91 = load float, ptr %s6
%v92 = insertelement <8 x float> poison, float %v91, i32 0
%v93 = shufflevector <8 x float> %v92, <8 x float> poison, <8 x i32> zeroinitializer
%v94 = fdiv <8 x float> %v90, %v93
%v95 = getelementptr float, ptr %s4, i64 8
store <8 x float> %v94, ptr %v95, align 4
br label %end22
else21:
%v96 = mul i64 %v50, 16
%v97 = getelementptr float, ptr %v0, i64 %v96
%v98 = getelementptr float, ptr %v97, i64 %v50
%v99 = load float, ptr %v98, align 4
store float 0x0000000000000000, ptr %s8
store float 0x0000000000000000, ptr %s9
%v100 = add i64 %v50, 1
%v101 = icmp slt i64 %v100, 6
br i1 %v101, label %guard25, label %end24
guard25:
br label %loop23
loop23:
%v102 = phi i64 [ %v100, %guard25 ], [ %v113, %loop23 ]
%v103 = load float, ptr %s8
%v104 = mul i64 %v102, 16
%v105 = getelementptr float, ptr %v0, i64 %v104
%v106 = getelementptr float, ptr %v105, i64 %v50
%v107 = load float, ptr %v106, align 4
%v108 = call float @llvm.fabs.f32(float %v107)
%v109 = fcmp ogt float %v103, %v108
%v110 = select i1 %v109, float %v103, float %v108
%v111 = fcmp uno float %v103, %v103
%v112 = select i1 %v111, float %v103, float %v110
store float %v112, ptr %s8
%v113 = add i64 %v102, 1
%v114 = icmp slt i64 %v113, 6
br i1 %v114, label %loop23, label %end24
end24:
%v115 = load float, ptr %s8
%v116 = fcmp oeq float %v115, 0x0000000000000000
%v117 = load float, ptr %s8
%v118 = call float @llvm.fabs.f32(float %v99)
%v119 = fcmp ogt float %v117, %v118
%v120 = select i1 %v119, float %v117, float %v118
%v121 = fcmp uno float %v117, %v117
%v122 = select i1 %v121, float %v117, float %v120
%v123 = select i1 %v116, float 0x3FF0000000000000, float %v122
%v124 = add i64 %v50, 1
%v125 = icmp slt i64 %v124, 6
br i1 %v125, label %guard28, label %end27
guard28:
br label %loop26
loop26:
%v126 = phi i64 [ %v124, %guard28 ], [ %v137, %loop26 ]
%v127 = mul i64 %v126, 16
%v128 = getelementptr float, ptr %v0, i64 %v127
%v129 = getelementptr float, ptr %v128, i64 %v50
%v130 = load float, ptr %v129, align 4
%v131 = fdiv float %v130, %v123
%v132 = mul i64 %v126, 16
%v133 = getelementptr float, ptr %v0, i64 %v132
%v134 = getelementptr float, ptr %v133, i64 %v50
store float %v131, ptr %v134, align 4
%v135 = load float, ptr %s9
%v136 = call float @llvm.fma.f32(float %v131, float %v131, float %v135)
store float %v136, ptr %s9
%v137 = add i64 %v126, 1
%v138 = icmp slt i64 %v137, 6
br i1 %v138, label %loop26, label %end27
end27:
%v139 = fdiv float %v99, %v123
%v140 = load float, ptr %s9
%v141 = call float @llvm.fma.f32(float %v139, float %v139, float %v140)
%v142 = call float @llvm.sqrt.f32(float %v141)
%v143 = call float @llvm.copysign.f32(float %v142, float %v99)
%v144 = fneg float %v143
%v145 = fmul float %v144, %v123
%v146 = select i1 %v116, float %v99, float %v145
store float %v146, ptr %s5
%v147 = fsub float %v139, %v144
%v148 = select i1 %v116, float 0x3FF0000000000000, float %v147
store float %v148, ptr %s6
%v149 = fsub float %v144, %v139
%v150 = fdiv float %v149, %v144
%v151 = select i1 %v116, float 0x0000000000000000, float %v150
store float %v151, ptr %s7
store <8 x float> splat (float 0x0000000000000000), ptr %s10
%v152 = add i64 %v50, 1
%v153 = icmp slt i64 %v152, 6
br i1 %v153, label %guard31, label %end30
guard31:
br label %loop29
loop29:
%v154 = phi i64 [ %v152, %guard31 ], [ %v168, %loop29 ]
%v155 = mul i64 %v154, 16
%v156 = getelementptr float, ptr %v0, i64 %v155
%v157 = getelementptr float, ptr %v156, i64 %v50
%v158 = load float, ptr %v157, align 4
%v159 = load float, ptr %s6
%v160 = fdiv float %v158, %v159
%v161 = insertelement <8 x float> poison, float %v160, i32 0
%v162 = shufflevector <8 x float> %v161, <8 x float> poison, <8 x i32> zeroinitializer
%v163 = mul i64 %v154, 16
%v164 = getelementptr float, ptr %v0, i64 %v163
%v165 = load <8 x float>, ptr %v164, align 4
%v166 = load <8 x float>, ptr %s10
%v167 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v162, <8 x float> %v165, <8 x float> %v166)
store <8 x float> %v167, ptr %s10
%v168 = add i64 %v154, 1
%v169 = icmp slt i64 %v168, 6
br i1 %v169, label %loop29, label %end30
end30:
%v170 = load <8 x float>, ptr %s10
store <8 x float> %v170, ptr %s4, align 4
store <8 x float> splat (float 0x0000000000000000), ptr %s11
%v171 = add i64 %v50, 1
%v172 = icmp slt i64 %v171, 6
br i1 %v172, label %guard34, label %end33
guard34:
br label %loop32
loop32:
%v173 = phi i64 [ %v171, %guard34 ], [ %v188, %loop32 ]
%v174 = mul i64 %v173, 16
%v175 = getelementptr float, ptr %v0, i64 %v174
%v176 = getelementptr float, ptr %v175, i64 %v50
%v177 = load float, ptr %v176, align 4
%v178 = load float, ptr %s6
%v179 = fdiv float %v177, %v178
%v180 = insertelement <8 x float> poison, float %v179, i32 0
%v181 = shufflevector <8 x float> %v180, <8 x float> poison, <8 x i32> zeroinitializer
%v182 = mul i64 %v173, 16
%v183 = getelementptr float, ptr %v0, i64 %v182
%v184 = getelementptr float, ptr %v183, i64 8
%v185 = load <8 x float>, ptr %v184, align 4
%v186 = load <8 x float>, ptr %s11
%v187 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v181, <8 x float> %v185, <8 x float> %v186)
store <8 x float> %v187, ptr %s11
%v188 = add i64 %v173, 1
%v189 = icmp slt i64 %v188, 6
br i1 %v189, label %loop32, label %end33
end33:
%v190 = load <8 x float>, ptr %s11
%v191 = getelementptr float, ptr %s4, i64 8
store <8 x float> %v190, ptr %v191, align 4
br label %end22
end22:
%v192 = load float, ptr %s7
%v193 = fcmp une float %v192, 0x0000000000000000
%v194 = load float, ptr %s7
store float %v194, ptr %v52, align 4
%v195 = load <8 x float>, ptr %v54, align 4
%v196 = load <8 x float>, ptr %s4, align 4
%v197 = fadd <8 x float> %v195, %v196
%v198 = load float, ptr %s7
%v199 = insertelement <8 x float> poison, float %v198, i32 0
%v200 = shufflevector <8 x float> %v199, <8 x float> poison, <8 x i32> zeroinitializer
%v201 = fmul <8 x float> %v197, %v200
%v202 = trunc i64 %v50 to i32
%v203 = insertelement <8 x i32> poison, i32 %v202, i32 0
%v204 = shufflevector <8 x i32> %v203, <8 x i32> poison, <8 x i32> zeroinitializer
%v205 = icmp sgt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v204
%v206 = insertelement <8 x i1> poison, i1 %v193, i32 0
%v207 = shufflevector <8 x i1> %v206, <8 x i1> poison, <8 x i32> zeroinitializer
%v208 = and <8 x i1> %v205, %v207
%v209 = select <8 x i1> %v208, <8 x float> %v201, <8 x float> splat (float 0x0000000000000000)
%v210 = fsub <8 x float> %v195, %v209
store <8 x float> %v210, ptr %v54, align 4
store <8 x float> %v209, ptr %s4, align 4
%v211 = getelementptr float, ptr %v54, i64 8
%v212 = load <8 x float>, ptr %v211, align 4
%v213 = getelementptr float, ptr %s4, i64 8
%v214 = load <8 x float>, ptr %v213, align 4
%v215 = fadd <8 x float> %v212, %v214
%v216 = load float, ptr %s7
%v217 = insertelement <8 x float> poison, float %v216, i32 0
%v218 = shufflevector <8 x float> %v217, <8 x float> poison, <8 x i32> zeroinitializer
%v219 = fmul <8 x float> %v215, %v218
%v220 = trunc i64 %v50 to i32
%v221 = insertelement <8 x i32> poison, i32 %v220, i32 0
%v222 = shufflevector <8 x i32> %v221, <8 x i32> poison, <8 x i32> zeroinitializer
%v223 = icmp sgt <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v222
%v224 = insertelement <8 x i1> poison, i1 %v193, i32 0
%v225 = shufflevector <8 x i1> %v224, <8 x i1> poison, <8 x i32> zeroinitializer
%v226 = and <8 x i1> %v223, %v225
%v227 = select <8 x i1> %v226, <8 x float> %v219, <8 x float> splat (float 0x0000000000000000)
%v228 = fsub <8 x float> %v212, %v227
%v229 = getelementptr float, ptr %v54, i64 8
store <8 x float> %v228, ptr %v229, align 4
%v230 = getelementptr float, ptr %s4, i64 8
store <8 x float> %v227, ptr %v230, align 4
%v231 = load float, ptr %s5
%v232 = getelementptr float, ptr %v54, i64 %v50
store float %v231, ptr %v232, align 4
%v233 = add i64 %v50, 1
%v234 = call i64 @llvm.smin.i64(i64 %v233, i64 15)
%v235 = load float, ptr %s6
%v236 = getelementptr float, ptr %s4, i64 %v234
%v237 = load float, ptr %v236, align 4
store <8 x float> splat (float 0x0000000000000000), ptr %s2
store <8 x float> splat (float 0x0000000000000000), ptr %s3
%v238 = add i64 %v50, 1
%v239 = add i64 %v50, 2
%v240 = call i64 @llvm.smin.i64(i64 %v239, i64 6)
%v241 = icmp slt i64 %v238, %v240
br i1 %v241, label %guard37, label %end36
guard37:
br label %loop35
loop35:
%v242 = phi i64 [ %v238, %guard37 ], [ %v278, %loop35 ]
%v243 = mul i64 %v242, 16
%v244 = getelementptr float, ptr %v0, i64 %v243
%v245 = getelementptr float, ptr %v244, i64 %v50
%v246 = load float, ptr %v245, align 4
%v247 = fdiv float %v246, %v235
%v248 = fneg float %v247
%v249 = getelementptr float, ptr %v244, i64 %v234
%v250 = load float, ptr %v249, align 4
%v251 = call float @llvm.fma.f32(float %v248, float %v237, float %v250)
%v252 = insertelement <8 x float> poison, float %v247, i32 0
%v253 = shufflevector <8 x float> %v252, <8 x float> poison, <8 x i32> zeroinitializer
%v254 = fneg <8 x float> %v253
%v255 = load <8 x float>, ptr %v244, align 4
%v256 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v254, <8 x float> %v209, <8 x float> %v255)
%v257 = trunc i64 %v50 to i32
%v258 = insertelement <8 x i32> poison, i32 %v257, i32 0
%v259 = shufflevector <8 x i32> %v258, <8 x i32> poison, <8 x i32> zeroinitializer
%v260 = icmp eq <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v259
%v261 = insertelement <8 x float> poison, float %v247, i32 0
%v262 = shufflevector <8 x float> %v261, <8 x float> poison, <8 x i32> zeroinitializer
%v263 = select <8 x i1> %v260, <8 x float> %v262, <8 x float> %v256
store <8 x float> %v263, ptr %v244, align 4
%v264 = insertelement <8 x float> poison, float %v247, i32 0
%v265 = shufflevector <8 x float> %v264, <8 x float> poison, <8 x i32> zeroinitializer
%v266 = fneg <8 x float> %v265
%v267 = getelementptr float, ptr %v244, i64 8
%v268 = load <8 x float>, ptr %v267, align 4
%v269 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v266, <8 x float> %v227, <8 x float> %v268)
%v270 = trunc i64 %v50 to i32
%v271 = insertelement <8 x i32> poison, i32 %v270, i32 0
%v272 = shufflevector <8 x i32> %v271, <8 x i32> poison, <8 x i32> zeroinitializer
%v273 = icmp eq <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v272
%v274 = insertelement <8 x float> poison, float %v247, i32 0
%v275 = shufflevector <8 x float> %v274, <8 x float> poison, <8 x i32> zeroinitializer
%v276 = select <8 x i1> %v273, <8 x float> %v275, <8 x float> %v269
%v277 = getelementptr float, ptr %v244, i64 8
store <8 x float> %v276, ptr %v277, align 4
%v278 = add i64 %v242, 1
%v279 = icmp slt i64 %v278, %v240
br i1 %v279, label %loop35, label %end36
end36:
%v280 = add i64 %v50, 2
%v281 = icmp slt i64 %v280, 6
br i1 %v281, label %guard40, label %end39
guard40:
br label %loop38
loop38:
%v282 = phi i64 [ %v280, %guard40 ], [ %v326, %loop38 ]
%v283 = mul i64 %v282, 16
%v284 = getelementptr float, ptr %v0, i64 %v283
%v285 = getelementptr float, ptr %v284, i64 %v50
%v286 = load float, ptr %v285, align 4
%v287 = fdiv float %v286, %v235
%v288 = fneg float %v287
%v289 = getelementptr float, ptr %v284, i64 %v234
%v290 = load float, ptr %v289, align 4
%v291 = call float @llvm.fma.f32(float %v288, float %v237, float %v290)
%v292 = insertelement <8 x float> poison, float %v287, i32 0
%v293 = shufflevector <8 x float> %v292, <8 x float> poison, <8 x i32> zeroinitializer
%v294 = fneg <8 x float> %v293
%v295 = load <8 x float>, ptr %v284, align 4
%v296 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v294, <8 x float> %v209, <8 x float> %v295)
%v297 = trunc i64 %v50 to i32
%v298 = insertelement <8 x i32> poison, i32 %v297, i32 0
%v299 = shufflevector <8 x i32> %v298, <8 x i32> poison, <8 x i32> zeroinitializer
%v300 = icmp eq <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v299
%v301 = insertelement <8 x float> poison, float %v287, i32 0
%v302 = shufflevector <8 x float> %v301, <8 x float> poison, <8 x i32> zeroinitializer
%v303 = select <8 x i1> %v300, <8 x float> %v302, <8 x float> %v296
store <8 x float> %v303, ptr %v284, align 4
%v304 = insertelement <8 x float> poison, float %v291, i32 0
%v305 = shufflevector <8 x float> %v304, <8 x float> poison, <8 x i32> zeroinitializer
%v306 = load <8 x float>, ptr %s2
%v307 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v305, <8 x float> %v303, <8 x float> %v306)
store <8 x float> %v307, ptr %s2
%v308 = insertelement <8 x float> poison, float %v287, i32 0
%v309 = shufflevector <8 x float> %v308, <8 x float> poison, <8 x i32> zeroinitializer
%v310 = fneg <8 x float> %v309
%v311 = getelementptr float, ptr %v284, i64 8
%v312 = load <8 x float>, ptr %v311, align 4
%v313 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v310, <8 x float> %v227, <8 x float> %v312)
%v314 = trunc i64 %v50 to i32
%v315 = insertelement <8 x i32> poison, i32 %v314, i32 0
%v316 = shufflevector <8 x i32> %v315, <8 x i32> poison, <8 x i32> zeroinitializer
%v317 = icmp eq <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v316
%v318 = insertelement <8 x float> poison, float %v287, i32 0
%v319 = shufflevector <8 x float> %v318, <8 x float> poison, <8 x i32> zeroinitializer
%v320 = select <8 x i1> %v317, <8 x float> %v319, <8 x float> %v313
%v321 = getelementptr float, ptr %v284, i64 8
store <8 x float> %v320, ptr %v321, align 4
%v322 = insertelement <8 x float> poison, float %v291, i32 0
%v323 = shufflevector <8 x float> %v322, <8 x float> poison, <8 x i32> zeroinitializer
%v324 = load <8 x float>, ptr %s3
%v325 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v323, <8 x float> %v320, <8 x float> %v324)
store <8 x float> %v325, ptr %s3
%v326 = add i64 %v282, 1
%v327 = icmp slt i64 %v326, 6
br i1 %v327, label %loop38, label %end39
end39:
%v328 = add i64 %v50, 1
%v329 = icmp slt i64 %v328, 6
br i1 %v329, label %loop18, label %end19
end19:
%v330 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 6)
br label %loop41
loop41:
%v331 = phi i64 [ 0, %end19 ], [ %v345, %loop41 ]
%v332 = trunc i64 %v331 to i32
%v333 = insertelement <8 x i32> poison, i32 %v332, i32 0
%v334 = shufflevector <8 x i32> %v333, <8 x i32> poison, <8 x i32> zeroinitializer
%v335 = mul i64 %v331, 16
%v336 = getelementptr float, ptr %v0, i64 %v335
%v337 = load <8 x float>, ptr %v336, align 4
%v338 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v334
%v339 = icmp eq <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v334
%v340 = select <8 x i1> %v339, <8 x float> splat (float 0x3FF0000000000000), <8 x float> splat (float 0x0000000000000000)
%v341 = select <8 x i1> %v338, <8 x float> %v337, <8 x float> %v340
%v342 = select <8 x i1> %v330, <8 x float> %v341, <8 x float> splat (float 0x0000000000000000)
%v343 = mul i64 %v331, 16
%v344 = getelementptr float, ptr %v1, i64 %v343
store <8 x float> %v342, ptr %v344, align 4
%v345 = add i64 %v331, 1
%v346 = icmp slt i64 %v345, 16
br i1 %v346, label %loop41, label %end42
end42:
%v347 = icmp slt <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, splat (i32 6)
br label %loop43
loop43:
%v348 = phi i64 [ 0, %end42 ], [ %v364, %loop43 ]
%v349 = trunc i64 %v348 to i32
%v350 = insertelement <8 x i32> poison, i32 %v349, i32 0
%v351 = shufflevector <8 x i32> %v350, <8 x i32> poison, <8 x i32> zeroinitializer
%v352 = mul i64 %v348, 16
%v353 = add i64 %v352, 8
%v354 = getelementptr float, ptr %v0, i64 %v353
%v355 = load <8 x float>, ptr %v354, align 4
%v356 = icmp slt <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v351
%v357 = icmp eq <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v351
%v358 = select <8 x i1> %v357, <8 x float> splat (float 0x3FF0000000000000), <8 x float> splat (float 0x0000000000000000)
%v359 = select <8 x i1> %v356, <8 x float> %v355, <8 x float> %v358
%v360 = select <8 x i1> %v347, <8 x float> %v359, <8 x float> splat (float 0x0000000000000000)
%v361 = mul i64 %v348, 16
%v362 = add i64 %v361, 8
%v363 = getelementptr float, ptr %v1, i64 %v362
store <8 x float> %v360, ptr %v363, align 4
%v364 = add i64 %v348, 1
%v365 = icmp slt i64 %v364, 16
br i1 %v365, label %loop43, label %end44
end44:
call void @linalg_transposed_f32_16(ptr %scratch, ptr %v1, ptr %v1, i64 16, i64 16, i64 16)
br label %loop45
loop45:
%v366 = phi i64 [ 0, %end44 ], [ %v397, %end48 ]
%v367 = mul i64 %v366, 16
%v368 = getelementptr float, ptr %v30, i64 %v367
%v369 = getelementptr float, ptr %v368, i64 %v366
%v370 = load float, ptr %v369, align 4
br label %loop47
loop47:
%v371 = phi i64 [ 0, %loop45 ], [ %v394, %end50 ]
store <8 x float> splat (float 0x0000000000000000), ptr %s12
%v372 = icmp slt i64 0, %v366
br i1 %v372, label %guard51, label %end50
guard51:
br label %loop49
loop49:
%v373 = phi i64 [ 0, %guard51 ], [ %v386, %loop49 ]
%v374 = mul i64 %v373, 16
%v375 = add i64 %v374, %v366
%v376 = getelementptr float, ptr %scratch, i64 %v375
%v377 = load float, ptr %v376, align 4
%v378 = insertelement <8 x float> poison, float %v377, i32 0
%v379 = shufflevector <8 x float> %v378, <8 x float> poison, <8 x i32> zeroinitializer
%v380 = mul i64 %v373, 16
%v381 = add i64 %v380, %v371
%v382 = getelementptr float, ptr %v30, i64 %v381
%v383 = load <8 x float>, ptr %v382, align 4
%v384 = load <8 x float>, ptr %s12
%v385 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v379, <8 x float> %v383, <8 x float> %v384)
store <8 x float> %v385, ptr %s12
%v386 = add i64 %v373, 1
%v387 = icmp slt i64 %v386, %v366
br i1 %v387, label %loop49, label %end50
end50:
%v388 = load <8 x float>, ptr %s12
%v389 = fneg float %v370
%v390 = insertelement <8 x float> poison, float %v389, i32 0
%v391 = shufflevector <8 x float> %v390, <8 x float> poison, <8 x i32> zeroinitializer
%v392 = fmul <8 x float> %v388, %v391
%v393 = getelementptr float, ptr %v368, i64 %v371
store <8 x float> %v392, ptr %v393, align 4
%v394 = add i64 %v371, 8
%v395 = icmp slt i64 %v394, 16
br i1 %v395, label %loop47, label %end48
end48:
%v396 = getelementptr float, ptr %v368, i64 %v366
store float %v370, ptr %v396, align 4
%v397 = add i64 %v366, 1
%v398 = icmp slt i64 %v397, 6
br i1 %v398, label %loop45, label %end46
end46:
br i1 false, label %then52, label %else53
then52:
%v399 = getelementptr float, ptr %v0, i64 16
%v400 = getelementptr float, ptr %scratch, i64 256
call void @linalg_transposed_f32_16(ptr %scratch, ptr %v1, ptr %v399, i64 16, i64 0, i64 16)
call void @linalg_plain_f32_16(ptr %v400, ptr %v30, ptr %scratch, i64 16, i64 0, i64 16)
call void @linalg_subtract_f32_16(ptr %v399, ptr %v1, ptr %v400, i64 16, i64 0, i64 16)
br label %end54
else53:
br label %end54
end54:
br label %loop55
loop55:
%v401 = phi i64 [ 0, %end54 ], [ %v539, %end59 ]
%v402 = icmp slt i64 %v401, 1
br i1 %v402, label %then57, label %else58
then57:
%v403 = sub i64 0, %v401
%v404 = mul i64 %v403, 16
%v405 = sub i64 6, %v404
%v406 = call i64 @llvm.smin.i64(i64 %v405, i64 16)
%v407 = add i64 %v406, 15
%v408 = and i64 %v407, -16
%v409 = getelementptr float, ptr %scratch, i64 512
br label %loop60
loop60:
%v410 = phi i64 [ 0, %then57 ], [ %v425, %end66 ]
%v411 = mul i64 %v410, 16
%v412 = getelementptr float, ptr %v409, i64 %v411
%v413 = ashr i64 %v408, 3
%v414 = mul i64 %v413, 8
%v415 = icmp slt i64 0, %v414
br i1 %v415, label %guard64, label %end63
guard64:
br label %loop62
loop62:
%v416 = phi i64 [ 0, %guard64 ], [ %v418, %loop62 ]
%v417 = getelementptr float, ptr %v412, i64 %v416
store <8 x float> splat (float 0x0000000000000000), ptr %v417, align 4
%v418 = add i64 %v416, 8
%v419 = icmp slt i64 %v418, %v414
br i1 %v419, label %loop62, label %end63
end63:
%v420 = icmp slt i64 %v414, %v408
br i1 %v420, label %guard67, label %end66
guard67:
br label %loop65
loop65:
%v421 = phi i64 [ %v414, %guard67 ], [ %v423, %loop65 ]
%v422 = getelementptr float, ptr %v412, i64 %v421
store float 0x0000000000000000, ptr %v422, align 4
%v423 = add i64 %v421, 1
%v424 = icmp slt i64 %v423, %v408
br i1 %v424, label %loop65, label %end66
end66:
%v425 = add i64 %v410, 1
%v426 = icmp slt i64 %v425, 16
br i1 %v426, label %loop60, label %end61
end61:
%v427 = icmp slt i64 0, %v406
br i1 %v427, label %guard70, label %end69
guard70:
br label %loop68
loop68:
%v428 = phi i64 [ 0, %guard70 ], [ %v433, %loop68 ]
%v429 = add i64 %v404, %v428
%v430 = mul i64 %v429, 16
%v431 = add i64 %v430, %v428
%v432 = getelementptr float, ptr %v409, i64 %v431
store float 0x3FF0000000000000, ptr %v432, align 4
%v433 = add i64 %v428, 1
%v434 = icmp slt i64 %v433, %v406
br i1 %v434, label %loop68, label %end69
end69:
%v435 = add i64 %v403, 1
%v436 = call i64 @llvm.smin.i64(i64 %v435, i64 1)
%v437 = icmp slt i64 0, %v436
br i1 %v437, label %guard73, label %end72
guard73:
br label %loop71
loop71:
%v438 = phi i64 [ 0, %guard73 ], [ %v458, %loop71 ]
%v439 = sub i64 %v436, 1
%v440 = sub i64 %v439, %v438
%v441 = mul i64 %v440, 16
%v442 = mul i64 %v441, 16
%v443 = getelementptr float, ptr %v409, i64 %v442
%v444 = mul i64 %v440, 256
%v445 = mul i64 %v441, 16
%v446 = add i64 %v444, %v445
%v447 = getelementptr float, ptr %v1, i64 %v446
%v448 = mul i64 %v440, 256
%v449 = add i64 256, %v448
%v450 = getelementptr float, ptr %v1, i64 %v449
%v451 = sub i64 16, %v441
%v452 = mul i64 %v440, 16
%v453 = sub i64 6, %v452
%v454 = call i64 @llvm.smin.i64(i64 16, i64 %v453)
%v455 = add i64 %v454, 15
%v456 = and i64 %v455, -16
%v457 = getelementptr float, ptr %scratch, i64 256
call void @linalg_transposed_f32_16(ptr %scratch, ptr %v447, ptr %v443, i64 %v456, i64 %v408, i64 %v451)
call void @linalg_transposed_f32_16(ptr %v457, ptr %v450, ptr %scratch, i64 %v456, i64 %v408, i64 %v456)
call void @linalg_subtract_f32_16(ptr %v443, ptr %v447, ptr %v457, i64 %v451, i64 %v408, i64 %v456)
%v458 = add i64 %v438, 1
%v459 = icmp slt i64 %v458, %v436
br i1 %v459, label %loop71, label %end72
end72:
%v460 = getelementptr float, ptr %a1, i64 %v404
br label %loop74
loop74:
%v461 = phi i64 [ 0, %end72 ], [ %v482, %end80 ]
%v462 = mul i64 %v461, 6
%v463 = getelementptr float, ptr %v460, i64 %v462
%v464 = mul i64 %v461, 16
%v465 = getelementptr float, ptr %v409, i64 %v464
%v466 = ashr i64 %v406, 3
%v467 = mul i64 %v466, 8
%v468 = icmp slt i64 0, %v467
br i1 %v468, label %guard78, label %end77
guard78:
br label %loop76
loop76:
%v469 = phi i64 [ 0, %guard78 ], [ %v473, %loop76 ]
%v470 = getelementptr float, ptr %v465, i64 %v469
%v471 = load <8 x float>, ptr %v470, align 4
%v472 = getelementptr float, ptr %v463, i64 %v469
store <8 x float> %v471, ptr %v472, align 4
%v473 = add i64 %v469, 8
%v474 = icmp slt i64 %v473, %v467
br i1 %v474, label %loop76, label %end77
end77:
%v475 = icmp slt i64 %v467, %v406
br i1 %v475, label %guard81, label %end80
guard81:
br label %loop79
loop79:
%v476 = phi i64 [ %v467, %guard81 ], [ %v480, %loop79 ]
%v477 = getelementptr float, ptr %v465, i64 %v476
%v478 = load float, ptr %v477, align 4
%v479 = getelementptr float, ptr %v463, i64 %v476
store float %v478, ptr %v479, align 4
%v480 = add i64 %v476, 1
%v481 = icmp slt i64 %v480, %v406
br i1 %v481, label %loop79, label %end80
end80:
%v482 = add i64 %v461, 1
%v483 = icmp slt i64 %v482, 6
br i1 %v483, label %loop74, label %end75
end75:
br label %end59
else58:
%v484 = sub i64 %v401, 1
%v485 = mul i64 %v484, 16
%v486 = sub i64 6, %v485
%v487 = call i64 @llvm.smin.i64(i64 %v486, i64 16)
br label %loop82
loop82:
%v488 = phi i64 [ 0, %else58 ], [ %v537, %end89 ]
%v489 = sub i64 %v488, %v485
%v490 = mul i64 %v488, 6
%v491 = add i64 %v490, %v485
%v492 = getelementptr float, ptr %a2, i64 %v491
%v493 = mul i64 %v484, 256
%v494 = mul i64 %v488, 16
%v495 = add i64 %v493, %v494
%v496 = getelementptr float, ptr %v0, i64 %v495
%v497 = trunc i64 %v489 to i32
%v498 = insertelement <8 x i32> poison, i32 %v497, i32 0
%v499 = shufflevector <8 x i32> %v498, <8 x i32> poison, <8 x i32> zeroinitializer
%v500 = trunc i64 %v487 to i32
%v501 = insertelement <8 x i32> poison, i32 %v500, i32 0
%v502 = shufflevector <8 x i32> %v501, <8 x i32> poison, <8 x i32> zeroinitializer
%v503 = ashr i64 %v487, 3
%v504 = mul i64 %v503, 8
%v505 = icmp slt i64 0, %v504
br i1 %v505, label %guard86, label %end85
guard86:
br label %loop84
loop84:
%v506 = phi i64 [ 0, %guard86 ], [ %v518, %loop84 ]
%v507 = trunc i64 %v506 to i32
%v508 = insertelement <8 x i32> poison, i32 %v507, i32 0
%v509 = shufflevector <8 x i32> %v508, <8 x i32> poison, <8 x i32> zeroinitializer
%v510 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v509
%v511 = icmp sge <8 x i32> %v510, %v499
%v512 = icmp slt <8 x i32> %v510, %v502
%v513 = and <8 x i1> %v511, %v512
%v514 = getelementptr float, ptr %v496, i64 %v506
%v515 = load <8 x float>, ptr %v514, align 4
%v516 = select <8 x i1> %v513, <8 x float> %v515, <8 x float> splat (float 0x0000000000000000)
%v517 = getelementptr float, ptr %v492, i64 %v506
store <8 x float> %v516, ptr %v517, align 4
%v518 = add i64 %v506, 8
%v519 = icmp slt i64 %v518, %v504
br i1 %v519, label %loop84, label %end85
end85:
%v520 = icmp slt i64 %v504, %v487
br i1 %v520, label %then87, label %else88
then87:
%v521 = trunc i64 %v504 to i32
%v522 = insertelement <8 x i32> poison, i32 %v521, i32 0
%v523 = shufflevector <8 x i32> %v522, <8 x i32> poison, <8 x i32> zeroinitializer
%v524 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v523
%v525 = icmp sge <8 x i32> %v524, %v499
%v526 = icmp slt <8 x i32> %v524, %v502
%v527 = and <8 x i1> %v525, %v526
%v528 = getelementptr float, ptr %v496, i64 %v504
%v529 = load <8 x float>, ptr %v528, align 4
%v530 = select <8 x i1> %v527, <8 x float> %v529, <8 x float> splat (float 0x0000000000000000)
%v531 = sub i64 %v487, %v504
%v532 = getelementptr float, ptr %v492, i64 %v504
%v533 = trunc i64 %v531 to i32
%v534 = insertelement <8 x i32> poison, i32 %v533, i32 0
%v535 = shufflevector <8 x i32> %v534, <8 x i32> poison, <8 x i32> zeroinitializer
%v536 = icmp sgt <8 x i32> %v535, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v530, ptr %v532, i32 4, <8 x i1> %v536)
br label %end89
else88:
br label %end89
end89:
%v537 = add i64 %v488, 1
%v538 = icmp slt i64 %v537, 6
br i1 %v538, label %loop82, label %end83
end83:
br label %end59
end59:
%v539 = add i64 %v401, 1
%v540 = icmp slt i64 %v539, 2
br i1 %v540, label %loop55, label %end56
end56:
%v541 = add i64 %v3, 1
%v542 = icmp slt i64 %v541, %end
br i1 %v542, label %loop1, label %end2
end2:
ret void
}

define internal void @linalg_transposed_f32_16(ptr %c, ptr %a, ptr %b, i64 %rows, i64 %columns, i64 %depth) nounwind {
entry:
%s0 = alloca <8 x float>
%s1 = alloca <8 x float>
%s2 = alloca <8 x float>
%s3 = alloca <8 x float>
%s4 = alloca <8 x float>
%s5 = alloca <8 x float>
%s6 = alloca <8 x float>
%s7 = alloca <8 x float>
%v0 = ashr i64 %columns, 4
%v1 = mul i64 %v0, 16
%v2 = icmp slt i64 0, %v1
br i1 %v2, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v3 = phi i64 [ 0, %guard3 ], [ %v148, %end5 ]
%v4 = icmp slt i64 0, %rows
br i1 %v4, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v5 = phi i64 [ 0, %guard6 ], [ %v146, %end8 ]
%v6 = getelementptr float, ptr %a, i64 %v5
%v7 = getelementptr float, ptr %b, i64 %v3
store <8 x float> splat (float 0x0000000000000000), ptr %s0
store <8 x float> splat (float 0x0000000000000000), ptr %s1
store <8 x float> splat (float 0x0000000000000000), ptr %s2
store <8 x float> splat (float 0x0000000000000000), ptr %s3
store <8 x float> splat (float 0x0000000000000000), ptr %s4
store <8 x float> splat (float 0x0000000000000000), ptr %s5
store <8 x float> splat (float 0x0000000000000000), ptr %s6
store <8 x float> splat (float 0x0000000000000000), ptr %s7
%v8 = getelementptr float, ptr %v6, i64 1
%v9 = getelementptr float, ptr %v6, i64 2
%v10 = getelementptr float, ptr %v6, i64 3
%v11 = icmp slt i64 0, %depth
br i1 %v11, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v12 = phi i64 [ 0, %guard9 ], [ %v102, %loop7 ]
%v13 = mul i64 %v12, 16
%v14 = getelementptr float, ptr %v7, i64 %v13
%v15 = load <8 x float>, ptr %v14, align 4
%v16 = add i64 %v13, 8
%v17 = getelementptr float, ptr %v7, i64 %v16
%v18 = load <8 x float>, ptr %v17, align 4
%v19 = mul i64 %v12, 16
%v20 = getelementptr float, ptr %v6, i64 %v19
%v21 = load float, ptr %v20, align 4
%v22 = insertelement <8 x float> poison, float %v21, i32 0
%v23 = shufflevector <8 x float> %v22, <8 x float> poison, <8 x i32> zeroinitializer
%v24 = load <8 x float>, ptr %s0
%v25 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v23, <8 x float> %v15, <8 x float> %v24)
store <8 x float> %v25, ptr %s0
%v26 = load <8 x float>, ptr %s1
%v27 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v23, <8 x float> %v18, <8 x float> %v26)
store <8 x float> %v27, ptr %s1
%v28 = mul i64 %v12, 16
%v29 = getelementptr float, ptr %v8, i64 %v28
%v30 = load float, ptr %v29, align 4
%v31 = insertelement <8 x float> poison, float %v30, i32 0
%v32 = shufflevector <8 x float> %v31, <8 x float> poison, <8 x i32> zeroinitializer
%v33 = load <8 x float>, ptr %s2
%v34 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v32, <8 x float> %v15, <8 x float> %v33)
store <8 x float> %v34, ptr %s2
%v35 = load <8 x float>, ptr %s3
%v36 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v32, <8 x float> %v18, <8 x float> %v35)
store <8 x float> %v36, ptr %s3
%v37 = mul i64 %v12, 16
%v38 = getelementptr float, ptr %v9, i64 %v37
%v39 = load float, ptr %v38, align 4
%v40 = insertelement <8 x float> poison, float %v39, i32 0
%v41 = shufflevector <8 x float> %v40, <8 x float> poison, <8 x i32> zeroinitializer
%v42 = load <8 x float>, ptr %s4
%v43 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v41, <8 x float> %v15, <8 x float> %v42)
store <8 x float> %v43, ptr %s4
%v44 = load <8 x float>, ptr %s5
%v45 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v41, <8 x float> %v18, <8 x float> %v44)
store <8 x float> %v45, ptr %s5
%v46 = mul i64 %v12, 16
%v47 = getelementptr float, ptr %v10, i64 %v46
%v48 = load float, ptr %v47, align 4
%v49 = insertelement <8 x float> poison, float %v48, i32 0
%v50 = shufflevector <8 x float> %v49, <8 x float> poison, <8 x i32> zeroinitializer
%v51 = load <8 x float>, ptr %s6
%v52 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v50, <8 x float> %v15, <8 x float> %v51)
store <8 x float> %v52, ptr %s6
%v53 = load <8 x float>, ptr %s7
%v54 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v50, <8 x float> %v18, <8 x float> %v53)
store <8 x float> %v54, ptr %s7
%v55 = mul i64 %v12, 16
%v56 = add i64 %v55, 16
%v57 = getelementptr float, ptr %v7, i64 %v56
%v58 = load <8 x float>, ptr %v57, align 4
%v59 = add i64 %v56, 8
%v60 = getelementptr float, ptr %v7, i64 %v59
%v61 = load <8 x float>, ptr %v60, align 4
%v62 = mul i64 %v12, 16
%v63 = add i64 %v62, 16
%v64 = getelementptr float, ptr %v6, i64 %v63
%v65 = load float, ptr %v64, align 4
%v66 = insertelement <8 x float> poison, float %v65, i32 0
%v67 = shufflevector <8 x float> %v66, <8 x float> poison, <8 x i32> zeroinitializer
%v68 = load <8 x float>, ptr %s0
%v69 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v67, <8 x float> %v58, <8 x float> %v68)
store <8 x float> %v69, ptr %s0
%v70 = load <8 x float>, ptr %s1
%v71 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v67, <8 x float> %v61, <8 x float> %v70)
store <8 x float> %v71, ptr %s1
%v72 = mul i64 %v12, 16
%v73 = add i64 %v72, 16
%v74 = getelementptr float, ptr %v8, i64 %v73
%v75 = load float, ptr %v74, align 4
%v76 = insertelement <8 x float> poison, float %v75, i32 0
%v77 = shufflevector <8 x float> %v76, <8 x float> poison, <8 x i32> zeroinitializer
%v78 = load <8 x float>, ptr %s2
%v79 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v77, <8 x float> %v58, <8 x float> %v78)
store <8 x float> %v79, ptr %s2
%v80 = load <8 x float>, ptr %s3
%v81 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v77, <8 x float> %v61, <8 x float> %v80)
store <8 x float> %v81, ptr %s3
%v82 = mul i64 %v12, 16
%v83 = add i64 %v82, 16
%v84 = getelementptr float, ptr %v9, i64 %v83
%v85 = load float, ptr %v84, align 4
%v86 = insertelement <8 x float> poison, float %v85, i32 0
%v87 = shufflevector <8 x float> %v86, <8 x float> poison, <8 x i32> zeroinitializer
%v88 = load <8 x float>, ptr %s4
%v89 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v87, <8 x float> %v58, <8 x float> %v88)
store <8 x float> %v89, ptr %s4
%v90 = load <8 x float>, ptr %s5
%v91 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v87, <8 x float> %v61, <8 x float> %v90)
store <8 x float> %v91, ptr %s5
%v92 = mul i64 %v12, 16
%v93 = add i64 %v92, 16
%v94 = getelementptr float, ptr %v10, i64 %v93
%v95 = load float, ptr %v94, align 4
%v96 = insertelement <8 x float> poison, float %v95, i32 0
%v97 = shufflevector <8 x float> %v96, <8 x float> poison, <8 x i32> zeroinitializer
%v98 = load <8 x float>, ptr %s6
%v99 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v97, <8 x float> %v58, <8 x float> %v98)
store <8 x float> %v99, ptr %s6
%v100 = load <8 x float>, ptr %s7
%v101 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v97, <8 x float> %v61, <8 x float> %v100)
store <8 x float> %v101, ptr %s7
%v102 = add i64 %v12, 2
%v103 = icmp slt i64 %v102, %depth
br i1 %v103, label %loop7, label %end8
end8:
%v104 = load <8 x float>, ptr %s0
%v105 = load <8 x float>, ptr %s1
%v106 = load <8 x float>, ptr %s2
%v107 = load <8 x float>, ptr %s3
%v108 = load <8 x float>, ptr %s4
%v109 = load <8 x float>, ptr %s5
%v110 = load <8 x float>, ptr %s6
%v111 = load <8 x float>, ptr %s7
%v112 = mul i64 %v5, 16
%v113 = add i64 %v112, %v3
%v114 = getelementptr float, ptr %c, i64 %v113
store <8 x float> %v104, ptr %v114, align 4
%v115 = mul i64 %v5, 16
%v116 = add i64 %v115, %v3
%v117 = add i64 %v116, 8
%v118 = getelementptr float, ptr %c, i64 %v117
store <8 x float> %v105, ptr %v118, align 4
%v119 = add i64 %v5, 1
%v120 = mul i64 %v119, 16
%v121 = add i64 %v120, %v3
%v122 = getelementptr float, ptr %c, i64 %v121
store <8 x float> %v106, ptr %v122, align 4
%v123 = add i64 %v5, 1
%v124 = mul i64 %v123, 16
%v125 = add i64 %v124, %v3
%v126 = add i64 %v125, 8
%v127 = getelementptr float, ptr %c, i64 %v126
store <8 x float> %v107, ptr %v127, align 4
%v128 = add i64 %v5, 2
%v129 = mul i64 %v128, 16
%v130 = add i64 %v129, %v3
%v131 = getelementptr float, ptr %c, i64 %v130
store <8 x float> %v108, ptr %v131, align 4
%v132 = add i64 %v5, 2
%v133 = mul i64 %v132, 16
%v134 = add i64 %v133, %v3
%v135 = add i64 %v134, 8
%v136 = getelementptr float, ptr %c, i64 %v135
store <8 x float> %v109, ptr %v136, align 4
%v137 = add i64 %v5, 3
%v138 = mul i64 %v137, 16
%v139 = add i64 %v138, %v3
%v140 = getelementptr float, ptr %c, i64 %v139
store <8 x float> %v110, ptr %v140, align 4
%v141 = add i64 %v5, 3
%v142 = mul i64 %v141, 16
%v143 = add i64 %v142, %v3
%v144 = add i64 %v143, 8
%v145 = getelementptr float, ptr %c, i64 %v144
store <8 x float> %v111, ptr %v145, align 4
%v146 = add i64 %v5, 4
%v147 = icmp slt i64 %v146, %rows
br i1 %v147, label %loop4, label %end5
end5:
%v148 = add i64 %v3, 16
%v149 = icmp slt i64 %v148, %v1
br i1 %v149, label %loop1, label %end2
end2:
ret void
}

define internal void @linalg_plain_f32_16(ptr %c, ptr %a, ptr %b, i64 %rows, i64 %columns, i64 %depth) nounwind {
entry:
%s0 = alloca <8 x float>
%s1 = alloca <8 x float>
%s2 = alloca <8 x float>
%s3 = alloca <8 x float>
%s4 = alloca <8 x float>
%s5 = alloca <8 x float>
%s6 = alloca <8 x float>
%s7 = alloca <8 x float>
%v0 = ashr i64 %columns, 4
%v1 = mul i64 %v0, 16
%v2 = icmp slt i64 0, %v1
br i1 %v2, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v3 = phi i64 [ 0, %guard3 ], [ %v141, %end5 ]
%v4 = icmp slt i64 0, %rows
br i1 %v4, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v5 = phi i64 [ 0, %guard6 ], [ %v139, %end8 ]
%v6 = mul i64 %v5, 16
%v7 = getelementptr float, ptr %a, i64 %v6
%v8 = getelementptr float, ptr %b, i64 %v3
store <8 x float> splat (float 0x0000000000000000), ptr %s0
store <8 x float> splat (float 0x0000000000000000), ptr %s1
store <8 x float> splat (float 0x0000000000000000), ptr %s2
store <8 x float> splat (float 0x0000000000000000), ptr %s3
store <8 x float> splat (float 0x0000000000000000), ptr %s4
store <8 x float> splat (float 0x0000000000000000), ptr %s5
store <8 x float> splat (float 0x0000000000000000), ptr %s6
store <8 x float> splat (float 0x0000000000000000), ptr %s7
%v9 = getelementptr float, ptr %v7, i64 16
%v10 = getelementptr float, ptr %v7, i64 32
%v11 = getelementptr float, ptr %v7, i64 48
%v12 = icmp slt i64 0, %depth
br i1 %v12, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v13 = phi i64 [ 0, %guard9 ], [ %v95, %loop7 ]
%v14 = mul i64 %v13, 16
%v15 = getelementptr float, ptr %v8, i64 %v14
%v16 = load <8 x float>, ptr %v15, align 4
%v17 = add i64 %v14, 8
%v18 = getelementptr float, ptr %v8, i64 %v17
%v19 = load <8 x float>, ptr %v18, align 4
%v20 = getelementptr float, ptr %v7, i64 %v13
%v21 = load float, ptr %v20, align 4
%v22 = insertelement <8 x float> poison, float %v21, i32 0
%v23 = shufflevector <8 x float> %v22, <8 x float> poison, <8 x i32> zeroinitializer
%v24 = load <8 x float>, ptr %s0
%v25 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v23, <8 x float> %v16, <8 x float> %v24)
store <8 x float> %v25, ptr %s0
%v26 = load <8 x float>, ptr %s1
%v27 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v23, <8 x float> %v19, <8 x float> %v26)
store <8 x float> %v27, ptr %s1
%v28 = getelementptr float, ptr %v9, i64 %v13
%v29 = load float, ptr %v28, align 4
%v30 = insertelement <8 x float> poison, float %v29, i32 0
%v31 = shufflevector <8 x float> %v30, <8 x float> poison, <8 x i32> zeroinitializer
%v32 = load <8 x float>, ptr %s2
%v33 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v31, <8 x float> %v16, <8 x float> %v32)
store <8 x float> %v33, ptr %s2
%v34 = load <8 x float>, ptr %s3
%v35 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v31, <8 x float> %v19, <8 x float> %v34)
store <8 x float> %v35, ptr %s3
%v36 = getelementptr float, ptr %v10, i64 %v13
%v37 = load float, ptr %v36, align 4
%v38 = insertelement <8 x float> poison, float %v37, i32 0
%v39 = shufflevector <8 x float> %v38, <8 x float> poison, <8 x i32> zeroinitializer
%v40 = load <8 x float>, ptr %s4
%v41 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v39, <8 x float> %v16, <8 x float> %v40)
store <8 x float> %v41, ptr %s4
%v42 = load <8 x float>, ptr %s5
%v43 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v39, <8 x float> %v19, <8 x float> %v42)
store <8 x float> %v43, ptr %s5
%v44 = getelementptr float, ptr %v11, i64 %v13
%v45 = load float, ptr %v44, align 4
%v46 = insertelement <8 x float> poison, float %v45, i32 0
%v47 = shufflevector <8 x float> %v46, <8 x float> poison, <8 x i32> zeroinitializer
%v48 = load <8 x float>, ptr %s6
%v49 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v47, <8 x float> %v16, <8 x float> %v48)
store <8 x float> %v49, ptr %s6
%v50 = load <8 x float>, ptr %s7
%v51 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v47, <8 x float> %v19, <8 x float> %v50)
store <8 x float> %v51, ptr %s7
%v52 = mul i64 %v13, 16
%v53 = add i64 %v52, 16
%v54 = getelementptr float, ptr %v8, i64 %v53
%v55 = load <8 x float>, ptr %v54, align 4
%v56 = add i64 %v53, 8
%v57 = getelementptr float, ptr %v8, i64 %v56
%v58 = load <8 x float>, ptr %v57, align 4
%v59 = add i64 %v13, 1
%v60 = getelementptr float, ptr %v7, i64 %v59
%v61 = load float, ptr %v60, align 4
%v62 = insertelement <8 x float> poison, float %v61, i32 0
%v63 = shufflevector <8 x float> %v62, <8 x float> poison, <8 x i32> zeroinitializer
%v64 = load <8 x float>, ptr %s0
%v65 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v63, <8 x float> %v55, <8 x float> %v64)
store <8 x float> %v65, ptr %s0
%v66 = load <8 x float>, ptr %s1
%v67 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v63, <8 x float> %v58, <8 x float> %v66)
store <8 x float> %v67, ptr %s1
%v68 = add i64 %v13, 1
%v69 = getelementptr float, ptr %v9, i64 %v68
%v70 = load float, ptr %v69, align 4
%v71 = insertelement <8 x float> poison, float %v70, i32 0
%v72 = shufflevector <8 x float> %v71, <8 x float> poison, <8 x i32> zeroinitializer
%v73 = load <8 x float>, ptr %s2
%v74 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v72, <8 x float> %v55, <8 x float> %v73)
store <8 x float> %v74, ptr %s2
%v75 = load <8 x float>, ptr %s3
%v76 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v72, <8 x float> %v58, <8 x float> %v75)
store <8 x float> %v76, ptr %s3
%v77 = add i64 %v13, 1
%v78 = getelementptr float, ptr %v10, i64 %v77
%v79 = load float, ptr %v78, align 4
%v80 = insertelement <8 x float> poison, float %v79, i32 0
%v81 = shufflevector <8 x float> %v80, <8 x float> poison, <8 x i32> zeroinitializer
%v82 = load <8 x float>, ptr %s4
%v83 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v81, <8 x float> %v55, <8 x float> %v82)
store <8 x float> %v83, ptr %s4
%v84 = load <8 x float>, ptr %s5
%v85 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v81, <8 x float> %v58, <8 x float> %v84)
store <8 x float> %v85, ptr %s5
%v86 = add i64 %v13, 1
%v87 = getelementptr float, ptr %v11, i64 %v86
%v88 = load float, ptr %v87, align 4
%v89 = insertelement <8 x float> poison, float %v88, i32 0
%v90 = shufflevector <8 x float> %v89, <8 x float> poison, <8 x i32> zeroinitializer
%v91 = load <8 x float>, ptr %s6
%v92 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v90, <8 x float> %v55, <8 x float> %v91)
store <8 x float> %v92, ptr %s6
%v93 = load <8 x float>, ptr %s7
%v94 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v90, <8 x float> %v58, <8 x float> %v93)
store <8 x float> %v94, ptr %s7
%v95 = add i64 %v13, 2
%v96 = icmp slt i64 %v95, %depth
br i1 %v96, label %loop7, label %end8
end8:
%v97 = load <8 x float>, ptr %s0
%v98 = load <8 x float>, ptr %s1
%v99 = load <8 x float>, ptr %s2
%v100 = load <8 x float>, ptr %s3
%v101 = load <8 x float>, ptr %s4
%v102 = load <8 x float>, ptr %s5
%v103 = load <8 x float>, ptr %s6
%v104 = load <8 x float>, ptr %s7
%v105 = mul i64 %v5, 16
%v106 = add i64 %v105, %v3
%v107 = getelementptr float, ptr %c, i64 %v106
store <8 x float> %v97, ptr %v107, align 4
%v108 = mul i64 %v5, 16
%v109 = add i64 %v108, %v3
%v110 = add i64 %v109, 8
%v111 = getelementptr float, ptr %c, i64 %v110
store <8 x float> %v98, ptr %v111, align 4
%v112 = add i64 %v5, 1
%v113 = mul i64 %v112, 16
%v114 = add i64 %v113, %v3
%v115 = getelementptr float, ptr %c, i64 %v114
store <8 x float> %v99, ptr %v115, align 4
%v116 = add i64 %v5, 1
%v117 = mul i64 %v116, 16
%v118 = add i64 %v117, %v3
%v119 = add i64 %v118, 8
%v120 = getelementptr float, ptr %c, i64 %v119
store <8 x float> %v100, ptr %v120, align 4
%v121 = add i64 %v5, 2
%v122 = mul i64 %v121, 16
%v123 = add i64 %v122, %v3
%v124 = getelementptr float, ptr %c, i64 %v123
store <8 x float> %v101, ptr %v124, align 4
%v125 = add i64 %v5, 2
%v126 = mul i64 %v125, 16
%v127 = add i64 %v126, %v3
%v128 = add i64 %v127, 8
%v129 = getelementptr float, ptr %c, i64 %v128
store <8 x float> %v102, ptr %v129, align 4
%v130 = add i64 %v5, 3
%v131 = mul i64 %v130, 16
%v132 = add i64 %v131, %v3
%v133 = getelementptr float, ptr %c, i64 %v132
store <8 x float> %v103, ptr %v133, align 4
%v134 = add i64 %v5, 3
%v135 = mul i64 %v134, 16
%v136 = add i64 %v135, %v3
%v137 = add i64 %v136, 8
%v138 = getelementptr float, ptr %c, i64 %v137
store <8 x float> %v104, ptr %v138, align 4
%v139 = add i64 %v5, 4
%v140 = icmp slt i64 %v139, %rows
br i1 %v140, label %loop4, label %end5
end5:
%v141 = add i64 %v3, 16
%v142 = icmp slt i64 %v141, %v1
br i1 %v142, label %loop1, label %end2
end2:
ret void
}

define internal void @linalg_subtract_f32_16(ptr %c, ptr %a, ptr %b, i64 %rows, i64 %columns, i64 %depth) nounwind {
entry:
%s0 = alloca <8 x float>
%s1 = alloca <8 x float>
%s2 = alloca <8 x float>
%s3 = alloca <8 x float>
%s4 = alloca <8 x float>
%s5 = alloca <8 x float>
%s6 = alloca <8 x float>
%s7 = alloca <8 x float>
%v0 = ashr i64 %columns, 4
%v1 = mul i64 %v0, 16
%v2 = icmp slt i64 0, %v1
br i1 %v2, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v3 = phi i64 [ 0, %guard3 ], [ %v165, %end5 ]
%v4 = icmp slt i64 0, %rows
br i1 %v4, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v5 = phi i64 [ 0, %guard6 ], [ %v163, %end8 ]
%v6 = mul i64 %v5, 16
%v7 = getelementptr float, ptr %a, i64 %v6
%v8 = getelementptr float, ptr %b, i64 %v3
store <8 x float> splat (float 0x0000000000000000), ptr %s0
store <8 x float> splat (float 0x0000000000000000), ptr %s1
store <8 x float> splat (float 0x0000000000000000), ptr %s2
store <8 x float> splat (float 0x0000000000000000), ptr %s3
store <8 x float> splat (float 0x0000000000000000), ptr %s4
store <8 x float> splat (float 0x0000000000000000), ptr %s5
store <8 x float> splat (float 0x0000000000000000), ptr %s6
store <8 x float> splat (float 0x0000000000000000), ptr %s7
%v9 = getelementptr float, ptr %v7, i64 16
%v10 = getelementptr float, ptr %v7, i64 32
%v11 = getelementptr float, ptr %v7, i64 48
%v12 = icmp slt i64 0, %depth
br i1 %v12, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v13 = phi i64 [ 0, %guard9 ], [ %v95, %loop7 ]
%v14 = mul i64 %v13, 16
%v15 = getelementptr float, ptr %v8, i64 %v14
%v16 = load <8 x float>, ptr %v15, align 4
%v17 = add i64 %v14, 8
%v18 = getelementptr float, ptr %v8, i64 %v17
%v19 = load <8 x float>, ptr %v18, align 4
%v20 = getelementptr float, ptr %v7, i64 %v13
%v21 = load float, ptr %v20, align 4
%v22 = insertelement <8 x float> poison, float %v21, i32 0
%v23 = shufflevector <8 x float> %v22, <8 x float> poison, <8 x i32> zeroinitializer
%v24 = load <8 x float>, ptr %s0
%v25 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v23, <8 x float> %v16, <8 x float> %v24)
store <8 x float> %v25, ptr %s0
%v26 = load <8 x float>, ptr %s1
%v27 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v23, <8 x float> %v19, <8 x float> %v26)
store <8 x float> %v27, ptr %s1
%v28 = getelementptr float, ptr %v9, i64 %v13
%v29 = load float, ptr %v28, align 4
%v30 = insertelement <8 x float> poison, float %v29, i32 0
%v31 = shufflevector <8 x float> %v30, <8 x float> poison, <8 x i32> zeroinitializer
%v32 = load <8 x float>, ptr %s2
%v33 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v31, <8 x float> %v16, <8 x float> %v32)
store <8 x float> %v33, ptr %s2
%v34 = load <8 x float>, ptr %s3
%v35 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v31, <8 x float> %v19, <8 x float> %v34)
store <8 x float> %v35, ptr %s3
%v36 = getelementptr float, ptr %v10, i64 %v13
%v37 = load float, ptr %v36, align 4
%v38 = insertelement <8 x float> poison, float %v37, i32 0
%v39 = shufflevector <8 x float> %v38, <8 x float> poison, <8 x i32> zeroinitializer
%v40 = load <8 x float>, ptr %s4
%v41 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v39, <8 x float> %v16, <8 x float> %v40)
store <8 x float> %v41, ptr %s4
%v42 = load <8 x float>, ptr %s5
%v43 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v39, <8 x float> %v19, <8 x float> %v42)
store <8 x float> %v43, ptr %s5
%v44 = getelementptr float, ptr %v11, i64 %v13
%v45 = load float, ptr %v44, align 4
%v46 = insertelement <8 x float> poison, float %v45, i32 0
%v47 = shufflevector <8 x float> %v46, <8 x float> poison, <8 x i32> zeroinitializer
%v48 = load <8 x float>, ptr %s6
%v49 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v47, <8 x float> %v16, <8 x float> %v48)
store <8 x float> %v49, ptr %s6
%v50 = load <8 x float>, ptr %s7
%v51 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v47, <8 x float> %v19, <8 x float> %v50)
store <8 x float> %v51, ptr %s7
%v52 = mul i64 %v13, 16
%v53 = add i64 %v52, 16
%v54 = getelementptr float, ptr %v8, i64 %v53
%v55 = load <8 x float>, ptr %v54, align 4
%v56 = add i64 %v53, 8
%v57 = getelementptr float, ptr %v8, i64 %v56
%v58 = load <8 x float>, ptr %v57, align 4
%v59 = add i64 %v13, 1
%v60 = getelementptr float, ptr %v7, i64 %v59
%v61 = load float, ptr %v60, align 4
%v62 = insertelement <8 x float> poison, float %v61, i32 0
%v63 = shufflevector <8 x float> %v62, <8 x float> poison, <8 x i32> zeroinitializer
%v64 = load <8 x float>, ptr %s0
%v65 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v63, <8 x float> %v55, <8 x float> %v64)
store <8 x float> %v65, ptr %s0
%v66 = load <8 x float>, ptr %s1
%v67 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v63, <8 x float> %v58, <8 x float> %v66)
store <8 x float> %v67, ptr %s1
%v68 = add i64 %v13, 1
%v69 = getelementptr float, ptr %v9, i64 %v68
%v70 = load float, ptr %v69, align 4
%v71 = insertelement <8 x float> poison, float %v70, i32 0
%v72 = shufflevector <8 x float> %v71, <8 x float> poison, <8 x i32> zeroinitializer
%v73 = load <8 x float>, ptr %s2
%v74 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v72, <8 x float> %v55, <8 x float> %v73)
store <8 x float> %v74, ptr %s2
%v75 = load <8 x float>, ptr %s3
%v76 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v72, <8 x float> %v58, <8 x float> %v75)
store <8 x float> %v76, ptr %s3
%v77 = add i64 %v13, 1
%v78 = getelementptr float, ptr %v10, i64 %v77
%v79 = load float, ptr %v78, align 4
%v80 = insertelement <8 x float> poison, float %v79, i32 0
%v81 = shufflevector <8 x float> %v80, <8 x float> poison, <8 x i32> zeroinitializer
%v82 = load <8 x float>, ptr %s4
%v83 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v81, <8 x float> %v55, <8 x float> %v82)
store <8 x float> %v83, ptr %s4
%v84 = load <8 x float>, ptr %s5
%v85 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v81, <8 x float> %v58, <8 x float> %v84)
store <8 x float> %v85, ptr %s5
%v86 = add i64 %v13, 1
%v87 = getelementptr float, ptr %v11, i64 %v86
%v88 = load float, ptr %v87, align 4
%v89 = insertelement <8 x float> poison, float %v88, i32 0
%v90 = shufflevector <8 x float> %v89, <8 x float> poison, <8 x i32> zeroinitializer
%v91 = load <8 x float>, ptr %s6
%v92 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v90, <8 x float> %v55, <8 x float> %v91)
store <8 x float> %v92, ptr %s6
%v93 = load <8 x float>, ptr %s7
%v94 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v90, <8 x float> %v58, <8 x float> %v93)
store <8 x float> %v94, ptr %s7
%v95 = add i64 %v13, 2
%v96 = icmp slt i64 %v95, %depth
br i1 %v96, label %loop7, label %end8
end8:
%v97 = load <8 x float>, ptr %s0
%v98 = load <8 x float>, ptr %s1
%v99 = load <8 x float>, ptr %s2
%v100 = load <8 x float>, ptr %s3
%v101 = load <8 x float>, ptr %s4
%v102 = load <8 x float>, ptr %s5
%v103 = load <8 x float>, ptr %s6
%v104 = load <8 x float>, ptr %s7
%v105 = mul i64 %v5, 16
%v106 = add i64 %v105, %v3
%v107 = getelementptr float, ptr %c, i64 %v106
%v108 = load <8 x float>, ptr %v107, align 4
%v109 = fsub <8 x float> %v108, %v97
%v110 = getelementptr float, ptr %c, i64 %v106
store <8 x float> %v109, ptr %v110, align 4
%v111 = mul i64 %v5, 16
%v112 = add i64 %v111, %v3
%v113 = add i64 %v112, 8
%v114 = getelementptr float, ptr %c, i64 %v113
%v115 = load <8 x float>, ptr %v114, align 4
%v116 = fsub <8 x float> %v115, %v98
%v117 = getelementptr float, ptr %c, i64 %v113
store <8 x float> %v116, ptr %v117, align 4
%v118 = add i64 %v5, 1
%v119 = mul i64 %v118, 16
%v120 = add i64 %v119, %v3
%v121 = getelementptr float, ptr %c, i64 %v120
%v122 = load <8 x float>, ptr %v121, align 4
%v123 = fsub <8 x float> %v122, %v99
%v124 = getelementptr float, ptr %c, i64 %v120
store <8 x float> %v123, ptr %v124, align 4
%v125 = add i64 %v5, 1
%v126 = mul i64 %v125, 16
%v127 = add i64 %v126, %v3
%v128 = add i64 %v127, 8
%v129 = getelementptr float, ptr %c, i64 %v128
%v130 = load <8 x float>, ptr %v129, align 4
%v131 = fsub <8 x float> %v130, %v100
%v132 = getelementptr float, ptr %c, i64 %v128
store <8 x float> %v131, ptr %v132, align 4
%v133 = add i64 %v5, 2
%v134 = mul i64 %v133, 16
%v135 = add i64 %v134, %v3
%v136 = getelementptr float, ptr %c, i64 %v135
%v137 = load <8 x float>, ptr %v136, align 4
%v138 = fsub <8 x float> %v137, %v101
%v139 = getelementptr float, ptr %c, i64 %v135
store <8 x float> %v138, ptr %v139, align 4
%v140 = add i64 %v5, 2
%v141 = mul i64 %v140, 16
%v142 = add i64 %v141, %v3
%v143 = add i64 %v142, 8
%v144 = getelementptr float, ptr %c, i64 %v143
%v145 = load <8 x float>, ptr %v144, align 4
%v146 = fsub <8 x float> %v145, %v102
%v147 = getelementptr float, ptr %c, i64 %v143
store <8 x float> %v146, ptr %v147, align 4
%v148 = add i64 %v5, 3
%v149 = mul i64 %v148, 16
%v150 = add i64 %v149, %v3
%v151 = getelementptr float, ptr %c, i64 %v150
%v152 = load <8 x float>, ptr %v151, align 4
%v153 = fsub <8 x float> %v152, %v103
%v154 = getelementptr float, ptr %c, i64 %v150
store <8 x float> %v153, ptr %v154, align 4
%v155 = add i64 %v5, 3
%v156 = mul i64 %v155, 16
%v157 = add i64 %v156, %v3
%v158 = add i64 %v157, 8
%v159 = getelementptr float, ptr %c, i64 %v158
%v160 = load <8 x float>, ptr %v159, align 4
%v161 = fsub <8 x float> %v160, %v104
%v162 = getelementptr float, ptr %c, i64 %v158
store <8 x float> %v161, ptr %v162, align 4
%v163 = add i64 %v5, 4
%v164 = icmp slt i64 %v163, %rows
br i1 %v164, label %loop4, label %end5
end5:
%v165 = add i64 %v3, 16
%v166 = icmp slt i64 %v165, %v1
br i1 %v166, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @triangular_solve_314e7ead(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%v0 = getelementptr float, ptr %scratch, i64 512
%v1 = icmp slt i64 %begin, %end
br i1 %v1, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v2 = phi i64 [ %begin, %guard3 ], [ %v131, %end48 ]
br label %loop4
loop4:
%v3 = phi i64 [ 0, %loop1 ], [ %v112, %end8 ]
%v4 = icmp slt i64 %v3, 1
br i1 %v4, label %then6, label %else7
then6:
%v5 = mul i64 %v3, 16
%v6 = sub i64 6, %v5
%v7 = call i64 @llvm.smin.i64(i64 %v6, i64 16)
%v8 = getelementptr float, ptr %a0, i64 %v5
%v9 = mul i64 %v3, 256
%v10 = getelementptr float, ptr %scratch, i64 %v9
%v11 = add i64 %v7, 15
%v12 = and i64 %v11, -16
br label %loop9
loop9:
%v13 = phi i64 [ 0, %then6 ], [ %v39, %end18 ]
%v14 = mul i64 %v13, 16
%v15 = getelementptr float, ptr %v10, i64 %v14
%v16 = mul i64 %v13, 6
%v17 = getelementptr float, ptr %v8, i64 %v16
%v18 = ashr i64 %v7, 3
%v19 = mul i64 %v18, 8
%v20 = icmp slt i64 0, %v19
br i1 %v20, label %guard13, label %end12
guard13:
br label %loop11
loop11:
%v21 = phi i64 [ 0, %guard13 ], [ %v25, %loop11 ]
%v22 = getelementptr float, ptr %v17, i64 %v21
%v23 = load <8 x float>, ptr %v22, align 4
%v24 = getelementptr float, ptr %v15, i64 %v21
store <8 x float> %v23, ptr %v24, align 4
%v25 = add i64 %v21, 8
%v26 = icmp slt i64 %v25, %v19
br i1 %v26, label %loop11, label %end12
end12:
%v27 = icmp slt i64 %v19, %v7
br i1 %v27, label %guard16, label %end15
guard16:
br label %loop14
loop14:
%v28 = phi i64 [ %v19, %guard16 ], [ %v32, %loop14 ]
%v29 = getelementptr float, ptr %v17, i64 %v28
%v30 = load float, ptr %v29, align 4
%v31 = getelementptr float, ptr %v15, i64 %v28
store float %v30, ptr %v31, align 4
%v32 = add i64 %v28, 1
%v33 = icmp slt i64 %v32, %v7
br i1 %v33, label %loop14, label %end15
end15:
%v34 = icmp slt i64 %v7, %v12
br i1 %v34, label %guard19, label %end18
guard19:
br label %loop17
loop17:
%v35 = phi i64 [ %v7, %guard19 ], [ %v37, %loop17 ]
%v36 = getelementptr float, ptr %v15, i64 %v35
store float 0x0000000000000000, ptr %v36, align 4
%v37 = add i64 %v35, 1
%v38 = icmp slt i64 %v37, %v12
br i1 %v38, label %loop17, label %end18
end18:
%v39 = add i64 %v13, 1
%v40 = icmp slt i64 %v39, 6
br i1 %v40, label %loop9, label %end10
end10:
br label %loop20
loop20:
%v41 = phi i64 [ 6, %end10 ], [ %v56, %end26 ]
%v42 = mul i64 %v41, 16
%v43 = getelementptr float, ptr %v10, i64 %v42
%v44 = ashr i64 %v12, 3
%v45 = mul i64 %v44, 8
%v46 = icmp slt i64 0, %v45
br i1 %v46, label %guard24, label %end23
guard24:
br label %loop22
loop22:
%v47 = phi i64 [ 0, %guard24 ], [ %v49, %loop22 ]
%v48 = getelementptr float, ptr %v43, i64 %v47
store <8 x float> splat (float 0x0000000000000000), ptr %v48, align 4
%v49 = add i64 %v47, 8
%v50 = icmp slt i64 %v49, %v45
br i1 %v50, label %loop22, label %end23
end23:
%v51 = icmp slt i64 %v45, %v12
br i1 %v51, label %guard27, label %end26
guard27:
br label %loop25
loop25:
%v52 = phi i64 [ %v45, %guard27 ], [ %v54, %loop25 ]
%v53 = getelementptr float, ptr %v43, i64 %v52
store float 0x0000000000000000, ptr %v53, align 4
%v54 = add i64 %v52, 1
%v55 = icmp slt i64 %v54, %v12
br i1 %v55, label %loop25, label %end26
end26:
%v56 = add i64 %v41, 1
%v57 = icmp slt i64 %v56, 16
br i1 %v57, label %loop20, label %end21
end21:
br label %end8
else7:
%v58 = sub i64 %v3, 1
%v59 = mul i64 %v58, 16
%v60 = sub i64 3, %v59
%v61 = call i64 @llvm.smin.i64(i64 %v60, i64 16)
%v62 = getelementptr float, ptr %a1, i64 %v59
%v63 = mul i64 %v3, 256
%v64 = getelementptr float, ptr %scratch, i64 %v63
%v65 = add i64 %v61, 15
%v66 = and i64 %v65, -16
br label %loop28
loop28:
%v67 = phi i64 [ 0, %else7 ], [ %v93, %end37 ]
%v68 = mul i64 %v67, 16
%v69 = getelementptr float, ptr %v64, i64 %v68
%v70 = mul i64 %v67, 3
%v71 = getelementptr float, ptr %v62, i64 %v70
%v72 = ashr i64 %v61, 3
%v73 = mul i64 %v72, 8
%v74 = icmp slt i64 0, %v73
br i1 %v74, label %guard32, label %end31
guard32:
br label %loop30
loop30:
%v75 = phi i64 [ 0, %guard32 ], [ %v79, %loop30 ]
%v76 = getelementptr float, ptr %v71, i64 %v75
%v77 = load <8 x float>, ptr %v76, align 4
%v78 = getelementptr float, ptr %v69, i64 %v75
store <8 x float> %v77, ptr %v78, align 4
%v79 = add i64 %v75, 8
%v80 = icmp slt i64 %v79, %v73
br i1 %v80, label %loop30, label %end31
end31:
%v81 = icmp slt i64 %v73, %v61
br i1 %v81, label %guard35, label %end34
guard35:
br label %loop33
loop33:
%v82 = phi i64 [ %v73, %guard35 ], [ %v86, %loop33 ]
%v83 = getelementptr float, ptr %v71, i64 %v82
%v84 = load float, ptr %v83, align 4
%v85 = getelementptr float, ptr %v69, i64 %v82
store float %v84, ptr %v85, align 4
%v86 = add i64 %v82, 1
%v87 = icmp slt i64 %v86, %v61
br i1 %v87, label %loop33, label %end34
end34:
%v88 = icmp slt i64 %v61, %v66
br i1 %v88, label %guard38, label %end37
guard38:
br label %loop36
loop36:
%v89 = phi i64 [ %v61, %guard38 ], [ %v91, %loop36 ]
%v90 = getelementptr float, ptr %v69, i64 %v89
store float 0x0000000000000000, ptr %v90, align 4
%v91 = add i64 %v89, 1
%v92 = icmp slt i64 %v91, %v66
br i1 %v92, label %loop36, label %end37
end37:
%v93 = add i64 %v67, 1
%v94 = icmp slt i64 %v93, 6
br i1 %v94, label %loop28, label %end29
end29:
br label %loop39
loop39:
%v95 = phi i64 [ 6, %end29 ], [ %v110, %end45 ]
%v96 = mul i64 %v95, 16
%v97 = getelementptr float, ptr %v64, i64 %v96
%v98 = ashr i64 %v66, 3
%v99 = mul i64 %v98, 8
%v100 = icmp slt i64 0, %v99
br i1 %v100, label %guard43, label %end42
guard43:
br label %loop41
loop41:
%v101 = phi i64 [ 0, %guard43 ], [ %v103, %loop41 ]
%v102 = getelementptr float, ptr %v97, i64 %v101
store <8 x float> splat (float 0x0000000000000000), ptr %v102, align 4
%v103 = add i64 %v101, 8
%v104 = icmp slt i64 %v103, %v99
br i1 %v104, label %loop41, label %end42
end42:
%v105 = icmp slt i64 %v99, %v66
br i1 %v105, label %guard46, label %end45
guard46:
br label %loop44
loop44:
%v106 = phi i64 [ %v99, %guard46 ], [ %v108, %loop44 ]
%v107 = getelementptr float, ptr %v97, i64 %v106
store float 0x0000000000000000, ptr %v107, align 4
%v108 = add i64 %v106, 1
%v109 = icmp slt i64 %v108, %v66
br i1 %v109, label %loop44, label %end45
end45:
%v110 = add i64 %v95, 1
%v111 = icmp slt i64 %v110, 16
br i1 %v111, label %loop39, label %end40
end40:
br label %end8
end8:
%v112 = add i64 %v3, 1
%v113 = icmp slt i64 %v112, 2
br i1 %v113, label %loop4, label %end5
end5:
%v114 = getelementptr float, ptr %scratch, i64 256
call void @linalg_solve_lower_f32_16(ptr %v114, ptr %scratch, i64 6, i64 16)
%v115 = getelementptr float, ptr %scratch, i64 512
%v116 = getelementptr float, ptr %scratch, i64 256
call void @linalg_subtract_f32_16(ptr %v115, ptr %v116, ptr %v114, i64 0, i64 16, i64 16)
%v117 = getelementptr float, ptr %scratch, i64 256
br label %loop47
loop47:
%v118 = phi i64 [ 0, %end5 ], [ %v129, %end50 ]
%v119 = mul i64 %v118, 3
%v120 = getelementptr float, ptr %a2, i64 %v119
%v121 = mul i64 %v118, 16
%v122 = getelementptr float, ptr %v117, i64 %v121
br label %loop49
loop49:
%v123 = phi i64 [ 0, %loop47 ], [ %v127, %loop49 ]
%v124 = getelementptr float, ptr %v122, i64 %v123
%v125 = load float, ptr %v124, align 4
%v126 = getelementptr float, ptr %v120, i64 %v123
store float %v125, ptr %v126, align 4
%v127 = add i64 %v123, 1
%v128 = icmp slt i64 %v127, 3
br i1 %v128, label %loop49, label %end50
end50:
%v129 = add i64 %v118, 1
%v130 = icmp slt i64 %v129, 6
br i1 %v130, label %loop47, label %end48
end48:
%v131 = add i64 %v2, 1
%v132 = icmp slt i64 %v131, %end
br i1 %v132, label %loop1, label %end2
end2:
ret void
}

define internal void @linalg_rows_lower_f32_16(ptr %x, ptr %a, i64 %rows, i64 %columns) nounwind {
entry:
%s0 = alloca <8 x float>
%v0 = icmp slt i64 0, %columns
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ 0, %guard3 ], [ %v37, %end5 ]
%v2 = icmp slt i64 0, %rows
br i1 %v2, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v3 = phi i64 [ 0, %guard6 ], [ %v35, %end8 ]
%v4 = mul i64 %v3, 16
%v5 = add i64 %v4, %v1
%v6 = getelementptr float, ptr %x, i64 %v5
%v7 = load <8 x float>, ptr %v6, align 4
store <8 x float> %v7, ptr %s0
%v8 = icmp slt i64 0, %v3
br i1 %v8, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v9 = phi i64 [ 0, %guard9 ], [ %v23, %loop7 ]
%v10 = mul i64 %v3, 16
%v11 = add i64 %v10, %v9
%v12 = getelementptr float, ptr %a, i64 %v11
%v13 = load float, ptr %v12, align 4
%v14 = insertelement <8 x float> poison, float %v13, i32 0
%v15 = shufflevector <8 x float> %v14, <8 x float> poison, <8 x i32> zeroinitializer
%v16 = fneg <8 x float> %v15
%v17 = mul i64 %v9, 16
%v18 = add i64 %v17, %v1
%v19 = getelementptr float, ptr %x, i64 %v18
%v20 = load <8 x float>, ptr %v19, align 4
%v21 = load <8 x float>, ptr %s0
%v22 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v16, <8 x float> %v20, <8 x float> %v21)
store <8 x float> %v22, ptr %s0
%v23 = add i64 %v9, 1
%v24 = icmp slt i64 %v23, %v3
br i1 %v24, label %loop7, label %end8
end8:
%v25 = load <8 x float>, ptr %s0
%v26 = mul i64 %v3, 17
%v27 = getelementptr float, ptr %a, i64 %v26
%v28 = load float, ptr %v27, align 4
%v29 = insertelement <8 x float> poison, float %v28, i32 0
%v30 = shufflevector <8 x float> %v29, <8 x float> poison, <8 x i32> zeroinitializer
%v31 = fdiv <8 x float> %v25, %v30
%v32 = mul i64 %v3, 16
%v33 = add i64 %v32, %v1
%v34 = getelementptr float, ptr %x, i64 %v33
store <8 x float> %v31, ptr %v34, align 4
%v35 = add i64 %v3, 1
%v36 = icmp slt i64 %v35, %rows
br i1 %v36, label %loop4, label %end5
end5:
%v37 = add i64 %v1, 8
%v38 = icmp slt i64 %v37, %columns
br i1 %v38, label %loop1, label %end2
end2:
ret void
}

define internal void @linalg_subtract_f32_16(ptr %c, ptr %a, ptr %b, i64 %rows, i64 %columns, i64 %depth) nounwind {
entry:
%s0 = alloca <8 x float>
%s1 = alloca <8 x float>
%s2 = alloca <8 x float>
%s3 = alloca <8 x float>
%s4 = alloca <8 x float>
%s5 = alloca <8 x float>
%s6 = alloca <8 x float>
%s7 = alloca <8 x float>
%v0 = ashr i64 %columns, 4
%v1 = mul i64 %v0, 16
%v2 = icmp slt i64 0, %v1
br i1 %v2, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v3 = phi i64 [ 0, %guard3 ], [ %v165, %end5 ]
%v4 = icmp slt i64 0, %rows
br i1 %v4, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v5 = phi i64 [ 0, %guard6 ], [ %v163, %end8 ]
%v6 = mul i64 %v5, 16
%v7 = getelementptr float, ptr %a, i64 %v6
%v8 = getelementptr float, ptr %b, i64 %v3
store <8 x float> splat (float 0x0000000000000000), ptr %s0
store <8 x float> splat (float 0x0000000000000000), ptr %s1
store <8 x float> splat (float 0x0000000000000000), ptr %s2
store <8 x float> splat (float 0x0000000000000000), ptr %s3
store <8 x float> splat (float 0x0000000000000000), ptr %s4
store <8 x float> splat (float 0x0000000000000000), ptr %s5
store <8 x float> splat (float 0x0000000000000000), ptr %s6
store <8 x float> splat (float 0x0000000000000000), ptr %s7
%v9 = getelementptr float, ptr %v7, i64 16
%v10 = getelementptr float, ptr %v7, i64 32
%v11 = getelementptr float, ptr %v7, i64 48
%v12 = icmp slt i64 0, %depth
br i1 %v12, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v13 = phi i64 [ 0, %guard9 ], [ %v95, %loop7 ]
%v14 = mul i64 %v13, 16
%v15 = getelementptr float, ptr %v8, i64 %v14
%v16 = load <8 x float>, ptr %v15, align 4
%v17 = add i64 %v14, 8
%v18 = getelementptr float, ptr %v8, i64 %v17
%v19 = load <8 x float>, ptr %v18, align 4
%v20 = getelementptr float, ptr %v7, i64 %v13
%v21 = load float, ptr %v20, align 4
%v22 = insertelement <8 x float> poison, float %v21, i32 0
%v23 = shufflevector <8 x float> %v22, <8 x float> poison, <8 x i32> zeroinitializer
%v24 = load <8 x float>, ptr %s0
%v25 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v23, <8 x float> %v16, <8 x float> %v24)
store <8 x float> %v25, ptr %s0
%v26 = load <8 x float>, ptr %s1
%v27 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v23, <8 x float> %v19, <8 x float> %v26)
store <8 x float> %v27, ptr %s1
%v28 = getelementptr float, ptr %v9, i64 %v13
%v29 = load float, ptr %v28, align 4
%v30 = insertelement <8 x float> poison, float %v29, i32 0
%v31 = shufflevector <8 x float> %v30, <8 x float> poison, <8 x i32> zeroinitializer
%v32 = load <8 x float>, ptr %s2
%v33 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v31, <8 x float> %v16, <8 x float> %v32)
store <8 x float> %v33, ptr %s2
%v34 = load <8 x float>, ptr %s3
%v35 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v31, <8 x float> %v19, <8 x float> %v34)
store <8 x float> %v35, ptr %s3
%v36 = getelementptr float, ptr %v10, i64 %v13
%v37 = load float, ptr %v36, align 4
%v38 = insertelement <8 x float> poison, float %v37, i32 0
%v39 = shufflevector <8 x float> %v38, <8 x float> poison, <8 x i32> zeroinitializer
%v40 = load <8 x float>, ptr %s4
%v41 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v39, <8 x float> %v16, <8 x float> %v40)
store <8 x float> %v41, ptr %s4
%v42 = load <8 x float>, ptr %s5
%v43 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v39, <8 x float> %v19, <8 x float> %v42)
store <8 x float> %v43, ptr %s5
%v44 = getelementptr float, ptr %v11, i64 %v13
%v45 = load float, ptr %v44, align 4
%v46 = insertelement <8 x float> poison, float %v45, i32 0
%v47 = shufflevector <8 x float> %v46, <8 x float> poison, <8 x i32> zeroinitializer
%v48 = load <8 x float>, ptr %s6
%v49 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v47, <8 x float> %v16, <8 x float> %v48)
store <8 x float> %v49, ptr %s6
%v50 = load <8 x float>, ptr %s7
%v51 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v47, <8 x float> %v19, <8 x float> %v50)
store <8 x float> %v51, ptr %s7
%v52 = mul i64 %v13, 16
%v53 = add i64 %v52, 16
%v54 = getelementptr float, ptr %v8, i64 %v53
%v55 = load <8 x float>, ptr %v54, align 4
%v56 = add i64 %v53, 8
%v57 = getelementptr float, ptr %v8, i64 %v56
%v58 = load <8 x float>, ptr %v57, align 4
%v59 = add i64 %v13, 1
%v60 = getelementptr float, ptr %v7, i64 %v59
%v61 = load float, ptr %v60, align 4
%v62 = insertelement <8 x float> poison, float %v61, i32 0
%v63 = shufflevector <8 x float> %v62, <8 x float> poison, <8 x i32> zeroinitializer
%v64 = load <8 x float>, ptr %s0
%v65 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v63, <8 x float> %v55, <8 x float> %v64)
store <8 x float> %v65, ptr %s0
%v66 = load <8 x float>, ptr %s1
%v67 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v63, <8 x float> %v58, <8 x float> %v66)
store <8 x float> %v67, ptr %s1
%v68 = add i64 %v13, 1
%v69 = getelementptr float, ptr %v9, i64 %v68
%v70 = load float, ptr %v69, align 4
%v71 = insertelement <8 x float> poison, float %v70, i32 0
%v72 = shufflevector <8 x float> %v71, <8 x float> poison, <8 x i32> zeroinitializer
%v73 = load <8 x float>, ptr %s2
%v74 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v72, <8 x float> %v55, <8 x float> %v73)
store <8 x float> %v74, ptr %s2
%v75 = load <8 x float>, ptr %s3
%v76 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v72, <8 x float> %v58, <8 x float> %v75)
store <8 x float> %v76, ptr %s3
%v77 = add i64 %v13, 1
%v78 = getelementptr float, ptr %v10, i64 %v77
%v79 = load float, ptr %v78, align 4
%v80 = insertelement <8 x float> poison, float %v79, i32 0
%v81 = shufflevector <8 x float> %v80, <8 x float> poison, <8 x i32> zeroinitializer
%v82 = load <8 x float>, ptr %s4
%v83 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v81, <8 x float> %v55, <8 x float> %v82)
store <8 x float> %v83, ptr %s4
%v84 = load <8 x float>, ptr %s5
%v85 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v81, <8 x float> %v58, <8 x float> %v84)
store <8 x float> %v85, ptr %s5
%v86 = add i64 %v13, 1
%v87 = getelementptr float, ptr %v11, i64 %v86
%v88 = load float, ptr %v87, align 4
%v89 = insertelement <8 x float> poison, float %v88, i32 0
%v90 = shufflevector <8 x float> %v89, <8 x float> poison, <8 x i32> zeroinitializer
%v91 = load <8 x float>, ptr %s6
%v92 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v90, <8 x float> %v55, <8 x float> %v91)
store <8 x float> %v92, ptr %s6
%v93 = load <8 x float>, ptr %s7
%v94 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v90, <8 x float> %v58, <8 x float> %v93)
store <8 x float> %v94, ptr %s7
%v95 = add i64 %v13, 2
%v96 = icmp slt i64 %v95, %depth
br i1 %v96, label %loop7, label %end8
end8:
%v97 = load <8 x float>, ptr %s0
%v98 = load <8 x float>, ptr %s1
%v99 = load <8 x float>, ptr %s2
%v100 = load <8 x float>, ptr %s3
%v101 = load <8 x float>, ptr %s4
%v102 = load <8 x float>, ptr %s5
%v103 = load <8 x float>, ptr %s6
%v104 = load <8 x float>, ptr %s7
%v105 = mul i64 %v5, 16
%v106 = add i64 %v105, %v3
%v107 = getelementptr float, ptr %c, i64 %v106
%v108 = load <8 x float>, ptr %v107, align 4
%v109 = fsub <8 x float> %v108, %v97
%v110 = getelementptr float, ptr %c, i64 %v106
store <8 x float> %v109, ptr %v110, align 4
%v111 = mul i64 %v5, 16
%v112 = add i64 %v111, %v3
%v113 = add i64 %v112, 8
%v114 = getelementptr float, ptr %c, i64 %v113
%v115 = load <8 x float>, ptr %v114, align 4
%v116 = fsub <8 x float> %v115, %v98
%v117 = getelementptr float, ptr %c, i64 %v113
store <8 x float> %v116, ptr %v117, align 4
%v118 = add i64 %v5, 1
%v119 = mul i64 %v118, 16
%v120 = add i64 %v119, %v3
%v121 = getelementptr float, ptr %c, i64 %v120
%v122 = load <8 x float>, ptr %v121, align 4
%v123 = fsub <8 x float> %v122, %v99
%v124 = getelementptr float, ptr %c, i64 %v120
store <8 x float> %v123, ptr %v124, align 4
%v125 = add i64 %v5, 1
%v126 = mul i64 %v125, 16
%v127 = add i64 %v126, %v3
%v128 = add i64 %v127, 8
%v129 = getelementptr float, ptr %c, i64 %v128
%v130 = load <8 x float>, ptr %v129, align 4
%v131 = fsub <8 x float> %v130, %v100
%v132 = getelementptr float, ptr %c, i64 %v128
store <8 x float> %v131, ptr %v132, align 4
%v133 = add i64 %v5, 2
%v134 = mul i64 %v133, 16
%v135 = add i64 %v134, %v3
%v136 = getelementptr float, ptr %c, i64 %v135
%v137 = load <8 x float>, ptr %v136, align 4
%v138 = fsub <8 x float> %v137, %v101
%v139 = getelementptr float, ptr %c, i64 %v135
store <8 x float> %v138, ptr %v139, align 4
%v140 = add i64 %v5, 2
%v141 = mul i64 %v140, 16
%v142 = add i64 %v141, %v3
%v143 = add i64 %v142, 8
%v144 = getelementptr float, ptr %c, i64 %v143
%v145 = load <8 x float>, ptr %v144, align 4
%v146 = fsub <8 x float> %v145, %v102
%v147 = getelementptr float, ptr %c, i64 %v143
store <8 x float> %v146, ptr %v147, align 4
%v148 = add i64 %v5, 3
%v149 = mul i64 %v148, 16
%v150 = add i64 %v149, %v3
%v151 = getelementptr float, ptr %c, i64 %v150
%v152 = load <8 x float>, ptr %v151, align 4
%v153 = fsub <8 x float> %v152, %v103
%v154 = getelementptr float, ptr %c, i64 %v150
store <8 x float> %v153, ptr %v154, align 4
%v155 = add i64 %v5, 3
%v156 = mul i64 %v155, 16
%v157 = add i64 %v156, %v3
%v158 = add i64 %v157, 8
%v159 = getelementptr float, ptr %c, i64 %v158
%v160 = load <8 x float>, ptr %v159, align 4
%v161 = fsub <8 x float> %v160, %v104
%v162 = getelementptr float, ptr %c, i64 %v158
store <8 x float> %v161, ptr %v162, align 4
%v163 = add i64 %v5, 4
%v164 = icmp slt i64 %v163, %rows
br i1 %v164, label %loop4, label %end5
end5:
%v165 = add i64 %v3, 16
%v166 = icmp slt i64 %v165, %v1
br i1 %v166, label %loop1, label %end2
end2:
ret void
}

define internal void @linalg_solve_lower_f32_16(ptr %x, ptr %a, i64 %size, i64 %columns) nounwind {
entry:
%v0 = add i64 %size, 15
%v1 = and i64 %v0, -16
%v2 = icmp slt i64 0, %v1
br i1 %v2, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v3 = phi i64 [ 0, %guard3 ], [ %v18, %loop1 ]
%v4 = mul i64 %v3, 16
%v5 = getelementptr float, ptr %x, i64 %v4
%v6 = mul i64 %v3, 17
%v7 = getelementptr float, ptr %a, i64 %v6
%v8 = sub i64 %size, %v3
%v9 = call i64 @llvm.smin.i64(i64 %v8, i64 16)
call void @linalg_rows_lower_f32_16(ptr %v5, ptr %v7, i64 %v9, i64 %columns)
%v10 = add i64 %v3, 16
%v11 = mul i64 %v10, 16
%v12 = add i64 %v11, %v3
%v13 = getelementptr float, ptr %a, i64 %v12
%v14 = mul i64 %v10, 16
%v15 = getelementptr float, ptr %x, i64 %v14
%v16 = sub i64 %v1, 16
%v17 = sub i64 %v16, %v3
call void @linalg_subtract_f32_16(ptr %v15, ptr %v13, ptr %v5, i64 %v17, i64 %columns, i64 16)
%v18 = add i64 %v3, 16
%v19 = icmp slt i64 %v18, %v1
br i1 %v19, label %loop1, label %end2
end2:
ret void
}

