; kernels for x86_64-avx2
; mir @matmul_gated_pair {
;   %0 = input("x1") : f32[1, 12]
;   %1 = param("w1") : f32[12, 20]
;   %2 = matmul(%0, %1) : f32[1, 20]
;   %3 = relu(%2) : f32[1, 20]
;   %4 = param("w2") : f32[12, 20]
;   %5 = matmul(%0, %4) : f32[1, 20]
;   %6 = mul(%3, %5) : f32[1, 20]
;   return y1=%6
; }

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @matmul_relu_mul_bead1c47(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v134, %end5 ]
store i64 0, ptr %s6
store i64 0, ptr %s6
%v2 = load i64, ptr %s6
%v3 = icmp slt i64 %v2, 3
br i1 %v3, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v4 = phi i64 [ %v2, %guard6 ], [ %v132, %end11 ]
%v5 = mul i64 %v4, 12
%v6 = mul i64 %v5, 16
%v7 = getelementptr float, ptr %a1, i64 %v6
%v8 = mul i64 %v4, -12
%v9 = add i64 %v8, 12
%v10 = mul i64 %v9, 16
%v11 = add i64 %v4, 1
%v12 = icmp slt i64 %v11, 3
%v13 = select i1 %v12, i64 192, i64 %v10
%v14 = getelementptr float, ptr %v7, i64 %v13
%v15 = mul i64 %v4, 1152
%v16 = getelementptr float, ptr %scratch, i64 %v15
%v17 = mul i64 %v4, 8
store <8 x float> splat (float 0x0000000000000000), ptr %s7
store <8 x float> splat (float 0x0000000000000000), ptr %s8
store <8 x float> splat (float 0x0000000000000000), ptr %s9
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <8 x float> splat (float 0x0000000000000000), ptr %s11
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
store <8 x float> splat (float 0x0000000000000000), ptr %s14
br label %loop7
loop7:
%v18 = phi i64 [ 0, %loop4 ], [ %v92, %loop7 ]
%v19 = mul i64 %v18, 64
%v20 = getelementptr i8, ptr %v7, i64 %v19
call void @llvm.prefetch.p0(ptr %v20, i32 0, i32 3, i32 1)
%v21 = mul i64 %v18, 16
%v22 = getelementptr float, ptr %v7, i64 %v21
%v23 = load <8 x float>, ptr %v22, align 4
%v24 = add i64 %v21, 8
%v25 = getelementptr float, ptr %v7, i64 %v24
%v26 = load <8 x float>, ptr %v25, align 4
%v27 = getelementptr float, ptr %a0, i64 %v18
%v28 = load float, ptr %v27, align 4
%v29 = insertelement <8 x float> poison, float %v28, i32 0
%v30 = shufflevector <8 x float> %v29, <8 x float> poison, <8 x i32> zeroinitializer
%v31 = load <8 x float>, ptr %s7
%v32 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v30, <8 x float> %v23, <8 x float> %v31)
store <8 x float> %v32, ptr %s7
%v33 = load <8 x float>, ptr %s11
%v34 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v30, <8 x float> %v26, <8 x float> %v33)
store <8 x float> %v34, ptr %s11
%v35 = add i64 %v18, 1
%v36 = mul i64 %v35, 64
%v37 = getelementptr i8, ptr %v7, i64 %v36
call void @llvm.prefetch.p0(ptr %v37, i32 0, i32 3, i32 1)
%v38 = mul i64 %v18, 16
%v39 = add i64 %v38, 16
%v40 = getelementptr float, ptr %v7, i64 %v39
%v41 = load <8 x float>, ptr %v40, align 4
%v42 = add i64 %v39, 8
%v43 = getelementptr float, ptr %v7, i64 %v42
%v44 = load <8 x float>, ptr %v43, align 4
%v45 = add i64 %v18, 1
%v46 = getelementptr float, ptr %a0, i64 %v45
%v47 = load float, ptr %v46, align 4
%v48 = insertelement <8 x float> poison, float %v47, i32 0
%v49 = shufflevector <8 x float> %v48, <8 x float> poison, <8 x i32> zeroinitializer
%v50 = load <8 x float>, ptr %s8
%v51 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v49, <8 x float> %v41, <8 x float> %v50)
store <8 x float> %v51, ptr %s8
%v52 = load <8 x float>, ptr %s12
%v53 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v49, <8 x float> %v44, <8 x float> %v52)
store <8 x float> %v53, ptr %s12
%v54 = add i64 %v18, 2
%v55 = mul i64 %v54, 64
%v56 = getelementptr i8, ptr %v7, i64 %v55
call void @llvm.prefetch.p0(ptr %v56, i32 0, i32 3, i32 1)
%v57 = mul i64 %v18, 16
%v58 = add i64 %v57, 32
%v59 = getelementptr float, ptr %v7, i64 %v58
%v60 = load <8 x float>, ptr %v59, align 4
%v61 = add i64 %v58, 8
%v62 = getelementptr float, ptr %v7, i64 %v61
%v63 = load <8 x float>, ptr %v62, align 4
%v64 = add i64 %v18, 2
%v65 = getelementptr float, ptr %a0, i64 %v64
%v66 = load float, ptr %v65, align 4
%v67 = insertelement <8 x float> poison, float %v66, i32 0
%v68 = shufflevector <8 x float> %v67, <8 x float> poison, <8 x i32> zeroinitializer
%v69 = load <8 x float>, ptr %s9
%v70 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v68, <8 x float> %v60, <8 x float> %v69)
store <8 x float> %v70, ptr %s9
%v71 = load <8 x float>, ptr %s13
%v72 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v68, <8 x float> %v63, <8 x float> %v71)
store <8 x float> %v72, ptr %s13
%v73 = add i64 %v18, 3
%v74 = mul i64 %v73, 64
%v75 = getelementptr i8, ptr %v7, i64 %v74
call void @llvm.prefetch.p0(ptr %v75, i32 0, i32 3, i32 1)
%v76 = mul i64 %v18, 16
%v77 = add i64 %v76, 48
%v78 = getelementptr float, ptr %v7, i64 %v77
%v79 = load <8 x float>, ptr %v78, align 4
%v80 = add i64 %v77, 8
%v81 = getelementptr float, ptr %v7, i64 %v80
%v82 = load <8 x float>, ptr %v81, align 4
%v83 = add i64 %v18, 3
%v84 = getelementptr float, ptr %a0, i64 %v83
%v85 = load float, ptr %v84, align 4
%v86 = insertelement <8 x float> poison, float %v85, i32 0
%v87 = shufflevector <8 x float> %v86, <8 x float> poison, <8 x i32> zeroinitializer
%v88 = load <8 x float>, ptr %s10
%v89 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v87, <8 x float> %v79, <8 x float> %v88)
store <8 x float> %v89, ptr %s10
%v90 = load <8 x float>, ptr %s14
%v91 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v87, <8 x float> %v82, <8 x float> %v90)
store <8 x float> %v91, ptr %s14
%v92 = add i64 %v18, 4
%v93 = icmp slt i64 %v92, 12
br i1 %v93, label %loop7, label %end8
end8:
%v94 = load <8 x float>, ptr %s7
%v95 = load <8 x float>, ptr %s8
%v96 = load <8 x float>, ptr %s9
%v97 = load <8 x float>, ptr %s10
%v98 = fadd <8 x float> %v94, %v95
%v99 = fadd <8 x float> %v96, %v97
%v100 = fadd <8 x float> %v98, %v99
%v101 = load <8 x float>, ptr %s11
%v102 = load <8 x float>, ptr %s12
%v103 = load <8 x float>, ptr %s13
%v104 = load <8 x float>, ptr %s14
%v105 = fadd <8 x float> %v101, %v102
%v106 = fadd <8 x float> %v103, %v104
%v107 = fadd <8 x float> %v105, %v106
store <8 x float> %v100, ptr %v16, align 4
%v108 = getelementptr float, ptr %v16, i64 8
store <8 x float> %v107, ptr %v108, align 4
%v109 = mul i64 %v4, 1152
%v110 = getelementptr float, ptr %scratch, i64 %v109
%v111 = mul i64 %v4, 8
%v112 = sub i64 20, %v111
%v113 = icmp sge i64 %v112, 8
br i1 %v113, label %then9, label %else10
then9:
%v114 = load <8 x float>, ptr %v110, align 4
%v115 = getelementptr float, ptr %v110, i64 8
%v116 = load <8 x float>, ptr %v115, align 4
%v117 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v114
%v118 = select <8 x i1> %v117, <8 x float> splat (float 0x0000000000000000), <8 x float> %v114
%v119 = fmul <8 x float> %v118, %v116
%v120 = getelementptr float, ptr %a2, i64 %v111
store <8 x float> %v119, ptr %v120, align 4
br label %end11
else10:
%v121 = load <8 x float>, ptr %v110, align 4
%v122 = getelementptr float, ptr %v110, i64 8
%v123 = load <8 x float>, ptr %v122, align 4
%v124 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v121
%v125 = select <8 x i1> %v124, <8 x float> splat (float 0x0000000000000000), <8 x float> %v121
%v126 = fmul <8 x float> %v125, %v123
%v127 = getelementptr float, ptr %a2, i64 %v111
%v128 = trunc i64 %v112 to i32
%v129 = insertelement <8 x i32> poison, i32 %v128, i32 0
%v130 = shufflevector <8 x i32> %v129, <8 x i32> poison, <8 x i32> zeroinitializer
%v131 = icmp sgt <8 x i32> %v130, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v126, ptr %v127, i32 4, <8 x i1> %v131)
br label %end11
end11:
%v132 = add i64 %v4, 1
%v133 = icmp slt i64 %v132, 3
br i1 %v133, label %loop4, label %end5
end5:
%v134 = add i64 %v1, 1
%v135 = icmp slt i64 %v134, %end
br i1 %v135, label %loop1, label %end2
end2:
ret void
}

