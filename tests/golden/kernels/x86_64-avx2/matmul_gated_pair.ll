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

define void @matmul_relu_mul_1e673f6b(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v132, %end5 ]
br label %loop4
loop4:
%v2 = phi i64 [ 0, %loop1 ], [ %v130, %end10 ]
%v3 = mul i64 %v2, 12
%v4 = mul i64 %v3, 16
%v5 = getelementptr float, ptr %a1, i64 %v4
%v6 = mul i64 %v2, -12
%v7 = add i64 %v6, 12
%v8 = mul i64 %v7, 16
%v9 = add i64 %v2, 1
%v10 = icmp slt i64 %v9, 3
%v11 = select i1 %v10, i64 192, i64 %v8
%v12 = getelementptr float, ptr %v5, i64 %v11
%v13 = mul i64 %v2, 1152
%v14 = getelementptr float, ptr %scratch, i64 %v13
%v15 = mul i64 %v2, 8
store <8 x float> splat (float 0x0000000000000000), ptr %s6
store <8 x float> splat (float 0x0000000000000000), ptr %s7
store <8 x float> splat (float 0x0000000000000000), ptr %s8
store <8 x float> splat (float 0x0000000000000000), ptr %s9
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <8 x float> splat (float 0x0000000000000000), ptr %s11
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
br label %loop6
loop6:
%v16 = phi i64 [ 0, %loop4 ], [ %v90, %loop6 ]
%v17 = mul i64 %v16, 64
%v18 = getelementptr i8, ptr %v5, i64 %v17
call void @llvm.prefetch.p0(ptr %v18, i32 0, i32 3, i32 1)
%v19 = mul i64 %v16, 16
%v20 = getelementptr float, ptr %v5, i64 %v19
%v21 = load <8 x float>, ptr %v20, align 4
%v22 = add i64 %v19, 8
%v23 = getelementptr float, ptr %v5, i64 %v22
%v24 = load <8 x float>, ptr %v23, align 4
%v25 = getelementptr float, ptr %a0, i64 %v16
%v26 = load float, ptr %v25, align 4
%v27 = insertelement <8 x float> poison, float %v26, i32 0
%v28 = shufflevector <8 x float> %v27, <8 x float> poison, <8 x i32> zeroinitializer
%v29 = load <8 x float>, ptr %s6
%v30 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v28, <8 x float> %v21, <8 x float> %v29)
store <8 x float> %v30, ptr %s6
%v31 = load <8 x float>, ptr %s10
%v32 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v28, <8 x float> %v24, <8 x float> %v31)
store <8 x float> %v32, ptr %s10
%v33 = add i64 %v16, 1
%v34 = mul i64 %v33, 64
%v35 = getelementptr i8, ptr %v5, i64 %v34
call void @llvm.prefetch.p0(ptr %v35, i32 0, i32 3, i32 1)
%v36 = mul i64 %v16, 16
%v37 = add i64 %v36, 16
%v38 = getelementptr float, ptr %v5, i64 %v37
%v39 = load <8 x float>, ptr %v38, align 4
%v40 = add i64 %v37, 8
%v41 = getelementptr float, ptr %v5, i64 %v40
%v42 = load <8 x float>, ptr %v41, align 4
%v43 = add i64 %v16, 1
%v44 = getelementptr float, ptr %a0, i64 %v43
%v45 = load float, ptr %v44, align 4
%v46 = insertelement <8 x float> poison, float %v45, i32 0
%v47 = shufflevector <8 x float> %v46, <8 x float> poison, <8 x i32> zeroinitializer
%v48 = load <8 x float>, ptr %s7
%v49 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v47, <8 x float> %v39, <8 x float> %v48)
store <8 x float> %v49, ptr %s7
%v50 = load <8 x float>, ptr %s11
%v51 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v47, <8 x float> %v42, <8 x float> %v50)
store <8 x float> %v51, ptr %s11
%v52 = add i64 %v16, 2
%v53 = mul i64 %v52, 64
%v54 = getelementptr i8, ptr %v5, i64 %v53
call void @llvm.prefetch.p0(ptr %v54, i32 0, i32 3, i32 1)
%v55 = mul i64 %v16, 16
%v56 = add i64 %v55, 32
%v57 = getelementptr float, ptr %v5, i64 %v56
%v58 = load <8 x float>, ptr %v57, align 4
%v59 = add i64 %v56, 8
%v60 = getelementptr float, ptr %v5, i64 %v59
%v61 = load <8 x float>, ptr %v60, align 4
%v62 = add i64 %v16, 2
%v63 = getelementptr float, ptr %a0, i64 %v62
%v64 = load float, ptr %v63, align 4
%v65 = insertelement <8 x float> poison, float %v64, i32 0
%v66 = shufflevector <8 x float> %v65, <8 x float> poison, <8 x i32> zeroinitializer
%v67 = load <8 x float>, ptr %s8
%v68 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v66, <8 x float> %v58, <8 x float> %v67)
store <8 x float> %v68, ptr %s8
%v69 = load <8 x float>, ptr %s12
%v70 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v66, <8 x float> %v61, <8 x float> %v69)
store <8 x float> %v70, ptr %s12
%v71 = add i64 %v16, 3
%v72 = mul i64 %v71, 64
%v73 = getelementptr i8, ptr %v5, i64 %v72
call void @llvm.prefetch.p0(ptr %v73, i32 0, i32 3, i32 1)
%v74 = mul i64 %v16, 16
%v75 = add i64 %v74, 48
%v76 = getelementptr float, ptr %v5, i64 %v75
%v77 = load <8 x float>, ptr %v76, align 4
%v78 = add i64 %v75, 8
%v79 = getelementptr float, ptr %v5, i64 %v78
%v80 = load <8 x float>, ptr %v79, align 4
%v81 = add i64 %v16, 3
%v82 = getelementptr float, ptr %a0, i64 %v81
%v83 = load float, ptr %v82, align 4
%v84 = insertelement <8 x float> poison, float %v83, i32 0
%v85 = shufflevector <8 x float> %v84, <8 x float> poison, <8 x i32> zeroinitializer
%v86 = load <8 x float>, ptr %s9
%v87 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v85, <8 x float> %v77, <8 x float> %v86)
store <8 x float> %v87, ptr %s9
%v88 = load <8 x float>, ptr %s13
%v89 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v85, <8 x float> %v80, <8 x float> %v88)
store <8 x float> %v89, ptr %s13
%v90 = add i64 %v16, 4
%v91 = icmp slt i64 %v90, 12
br i1 %v91, label %loop6, label %end7
end7:
%v92 = load <8 x float>, ptr %s6
%v93 = load <8 x float>, ptr %s7
%v94 = load <8 x float>, ptr %s8
%v95 = load <8 x float>, ptr %s9
%v96 = fadd <8 x float> %v92, %v93
%v97 = fadd <8 x float> %v94, %v95
%v98 = fadd <8 x float> %v96, %v97
%v99 = load <8 x float>, ptr %s10
%v100 = load <8 x float>, ptr %s11
%v101 = load <8 x float>, ptr %s12
%v102 = load <8 x float>, ptr %s13
%v103 = fadd <8 x float> %v99, %v100
%v104 = fadd <8 x float> %v101, %v102
%v105 = fadd <8 x float> %v103, %v104
store <8 x float> %v98, ptr %v14, align 4
%v106 = getelementptr float, ptr %v14, i64 8
store <8 x float> %v105, ptr %v106, align 4
%v107 = mul i64 %v2, 1152
%v108 = getelementptr float, ptr %scratch, i64 %v107
%v109 = mul i64 %v2, 8
%v110 = sub i64 20, %v109
%v111 = icmp sge i64 %v110, 8
br i1 %v111, label %then8, label %else9
then8:
%v112 = load <8 x float>, ptr %v108, align 4
%v113 = getelementptr float, ptr %v108, i64 8
%v114 = load <8 x float>, ptr %v113, align 4
%v115 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v112
%v116 = select <8 x i1> %v115, <8 x float> splat (float 0x0000000000000000), <8 x float> %v112
%v117 = fmul <8 x float> %v116, %v114
%v118 = getelementptr float, ptr %a2, i64 %v109
store <8 x float> %v117, ptr %v118, align 4
br label %end10
else9:
%v119 = load <8 x float>, ptr %v108, align 4
%v120 = getelementptr float, ptr %v108, i64 8
%v121 = load <8 x float>, ptr %v120, align 4
%v122 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v119
%v123 = select <8 x i1> %v122, <8 x float> splat (float 0x0000000000000000), <8 x float> %v119
%v124 = fmul <8 x float> %v123, %v121
%v125 = getelementptr float, ptr %a2, i64 %v109
%v126 = trunc i64 %v110 to i32
%v127 = insertelement <8 x i32> poison, i32 %v126, i32 0
%v128 = shufflevector <8 x i32> %v127, <8 x i32> poison, <8 x i32> zeroinitializer
%v129 = icmp sgt <8 x i32> %v128, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v124, ptr %v125, i32 4, <8 x i1> %v129)
br label %end10
end10:
%v130 = add i64 %v2, 1
%v131 = icmp slt i64 %v130, 3
br i1 %v131, label %loop4, label %end5
end5:
%v132 = add i64 %v1, 1
%v133 = icmp slt i64 %v132, %end
br i1 %v133, label %loop1, label %end2
end2:
ret void
}

