; kernels for x86_64-avx512
; mir @matmul_one_row {
;   %0 = input("x1") : f32[1, 16]
;   %1 = param("w1") : f32[16, 40]
;   %2 = matmul(%0, %1) : f32[1, 40]
;   return y1=%2
; }

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr, i32, <16 x i1>)

define void @matmul_174b1d33(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%s6 = alloca i64
%s7 = alloca <16 x float>
%s8 = alloca <16 x float>
%s9 = alloca <16 x float>
%s10 = alloca <16 x float>
%s11 = alloca <16 x float>
%s12 = alloca <16 x float>
%s13 = alloca <16 x float>
%s14 = alloca <16 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v143, %end5 ]
store i64 0, ptr %s6
store i64 0, ptr %s6
%v2 = load i64, ptr %s6
%v3 = icmp slt i64 %v2, 2
br i1 %v3, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v4 = phi i64 [ %v2, %guard6 ], [ %v141, %end11 ]
%v5 = mul i64 %v4, 16
%v6 = mul i64 %v5, 32
%v7 = getelementptr float, ptr %a1, i64 %v6
%v8 = mul i64 %v4, -16
%v9 = add i64 %v8, 16
%v10 = mul i64 %v9, 32
%v11 = add i64 %v4, 1
%v12 = icmp slt i64 %v11, 2
%v13 = select i1 %v12, i64 512, i64 %v10
%v14 = getelementptr float, ptr %v7, i64 %v13
%v15 = mul i64 %v4, 2304
%v16 = getelementptr float, ptr %scratch, i64 %v15
%v17 = mul i64 %v4, 32
%v18 = sub i64 40, %v17
%v19 = icmp sge i64 %v18, 32
%v20 = getelementptr float, ptr %a2, i64 %v17
%v21 = select i1 %v19, ptr %v20, ptr %v16
%v22 = select i1 %v19, i64 40, i64 32
store <16 x float> splat (float 0x0000000000000000), ptr %s7
store <16 x float> splat (float 0x0000000000000000), ptr %s8
store <16 x float> splat (float 0x0000000000000000), ptr %s9
store <16 x float> splat (float 0x0000000000000000), ptr %s10
store <16 x float> splat (float 0x0000000000000000), ptr %s11
store <16 x float> splat (float 0x0000000000000000), ptr %s12
store <16 x float> splat (float 0x0000000000000000), ptr %s13
store <16 x float> splat (float 0x0000000000000000), ptr %s14
br label %loop7
loop7:
%v23 = phi i64 [ 0, %loop4 ], [ %v97, %loop7 ]
%v24 = mul i64 %v23, 128
%v25 = getelementptr i8, ptr %v7, i64 %v24
call void @llvm.prefetch.p0(ptr %v25, i32 0, i32 3, i32 1)
%v26 = mul i64 %v23, 32
%v27 = getelementptr float, ptr %v7, i64 %v26
%v28 = load <16 x float>, ptr %v27, align 4
%v29 = add i64 %v26, 16
%v30 = getelementptr float, ptr %v7, i64 %v29
%v31 = load <16 x float>, ptr %v30, align 4
%v32 = getelementptr float, ptr %a0, i64 %v23
%v33 = load float, ptr %v32, align 4
%v34 = insertelement <16 x float> poison, float %v33, i32 0
%v35 = shufflevector <16 x float> %v34, <16 x float> poison, <16 x i32> zeroinitializer
%v36 = load <16 x float>, ptr %s7
%v37 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v35, <16 x float> %v28, <16 x float> %v36)
store <16 x float> %v37, ptr %s7
%v38 = load <16 x float>, ptr %s11
%v39 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v35, <16 x float> %v31, <16 x float> %v38)
store <16 x float> %v39, ptr %s11
%v40 = add i64 %v23, 1
%v41 = mul i64 %v40, 128
%v42 = getelementptr i8, ptr %v7, i64 %v41
call void @llvm.prefetch.p0(ptr %v42, i32 0, i32 3, i32 1)
%v43 = mul i64 %v23, 32
%v44 = add i64 %v43, 32
%v45 = getelementptr float, ptr %v7, i64 %v44
%v46 = load <16 x float>, ptr %v45, align 4
%v47 = add i64 %v44, 16
%v48 = getelementptr float, ptr %v7, i64 %v47
%v49 = load <16 x float>, ptr %v48, align 4
%v50 = add i64 %v23, 1
%v51 = getelementptr float, ptr %a0, i64 %v50
%v52 = load float, ptr %v51, align 4
%v53 = insertelement <16 x float> poison, float %v52, i32 0
%v54 = shufflevector <16 x float> %v53, <16 x float> poison, <16 x i32> zeroinitializer
%v55 = load <16 x float>, ptr %s8
%v56 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v54, <16 x float> %v46, <16 x float> %v55)
store <16 x float> %v56, ptr %s8
%v57 = load <16 x float>, ptr %s12
%v58 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v54, <16 x float> %v49, <16 x float> %v57)
store <16 x float> %v58, ptr %s12
%v59 = add i64 %v23, 2
%v60 = mul i64 %v59, 128
%v61 = getelementptr i8, ptr %v7, i64 %v60
call void @llvm.prefetch.p0(ptr %v61, i32 0, i32 3, i32 1)
%v62 = mul i64 %v23, 32
%v63 = add i64 %v62, 64
%v64 = getelementptr float, ptr %v7, i64 %v63
%v65 = load <16 x float>, ptr %v64, align 4
%v66 = add i64 %v63, 16
%v67 = getelementptr float, ptr %v7, i64 %v66
%v68 = load <16 x float>, ptr %v67, align 4
%v69 = add i64 %v23, 2
%v70 = getelementptr float, ptr %a0, i64 %v69
%v71 = load float, ptr %v70, align 4
%v72 = insertelement <16 x float> poison, float %v71, i32 0
%v73 = shufflevector <16 x float> %v72, <16 x float> poison, <16 x i32> zeroinitializer
%v74 = load <16 x float>, ptr %s9
%v75 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v73, <16 x float> %v65, <16 x float> %v74)
store <16 x float> %v75, ptr %s9
%v76 = load <16 x float>, ptr %s13
%v77 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v73, <16 x float> %v68, <16 x float> %v76)
store <16 x float> %v77, ptr %s13
%v78 = add i64 %v23, 3
%v79 = mul i64 %v78, 128
%v80 = getelementptr i8, ptr %v7, i64 %v79
call void @llvm.prefetch.p0(ptr %v80, i32 0, i32 3, i32 1)
%v81 = mul i64 %v23, 32
%v82 = add i64 %v81, 96
%v83 = getelementptr float, ptr %v7, i64 %v82
%v84 = load <16 x float>, ptr %v83, align 4
%v85 = add i64 %v82, 16
%v86 = getelementptr float, ptr %v7, i64 %v85
%v87 = load <16 x float>, ptr %v86, align 4
%v88 = add i64 %v23, 3
%v89 = getelementptr float, ptr %a0, i64 %v88
%v90 = load float, ptr %v89, align 4
%v91 = insertelement <16 x float> poison, float %v90, i32 0
%v92 = shufflevector <16 x float> %v91, <16 x float> poison, <16 x i32> zeroinitializer
%v93 = load <16 x float>, ptr %s10
%v94 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v84, <16 x float> %v93)
store <16 x float> %v94, ptr %s10
%v95 = load <16 x float>, ptr %s14
%v96 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v87, <16 x float> %v95)
store <16 x float> %v96, ptr %s14
%v97 = add i64 %v23, 4
%v98 = icmp slt i64 %v97, 16
br i1 %v98, label %loop7, label %end8
end8:
%v99 = load <16 x float>, ptr %s7
%v100 = load <16 x float>, ptr %s8
%v101 = load <16 x float>, ptr %s9
%v102 = load <16 x float>, ptr %s10
%v103 = fadd <16 x float> %v99, %v100
%v104 = fadd <16 x float> %v101, %v102
%v105 = fadd <16 x float> %v103, %v104
%v106 = load <16 x float>, ptr %s11
%v107 = load <16 x float>, ptr %s12
%v108 = load <16 x float>, ptr %s13
%v109 = load <16 x float>, ptr %s14
%v110 = fadd <16 x float> %v106, %v107
%v111 = fadd <16 x float> %v108, %v109
%v112 = fadd <16 x float> %v110, %v111
store <16 x float> %v105, ptr %v21, align 4
%v113 = getelementptr float, ptr %v21, i64 16
store <16 x float> %v112, ptr %v113, align 4
%v114 = xor i1 %v19, true
br i1 %v114, label %then9, label %else10
then9:
%v115 = mul i64 %v4, 2304
%v116 = getelementptr float, ptr %scratch, i64 %v115
%v117 = mul i64 %v4, 32
%v118 = sub i64 40, %v117
%v119 = icmp sge i64 %v118, 32
br i1 %v119, label %then12, label %else13
then12:
%v120 = load <16 x float>, ptr %v116, align 4
%v121 = getelementptr float, ptr %v116, i64 16
%v122 = load <16 x float>, ptr %v121, align 4
%v123 = getelementptr float, ptr %a2, i64 %v117
store <16 x float> %v120, ptr %v123, align 4
%v124 = add i64 %v117, 16
%v125 = getelementptr float, ptr %a2, i64 %v124
store <16 x float> %v122, ptr %v125, align 4
br label %end14
else13:
%v126 = load <16 x float>, ptr %v116, align 4
%v127 = getelementptr float, ptr %v116, i64 16
%v128 = load <16 x float>, ptr %v127, align 4
%v129 = getelementptr float, ptr %a2, i64 %v117
%v130 = trunc i64 %v118 to i32
%v131 = insertelement <16 x i32> poison, i32 %v130, i32 0
%v132 = shufflevector <16 x i32> %v131, <16 x i32> poison, <16 x i32> zeroinitializer
%v133 = icmp sgt <16 x i32> %v132, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
call void @llvm.masked.store.v16f32.p0(<16 x float> %v126, ptr %v129, i32 4, <16 x i1> %v133)
%v134 = add i64 %v117, 16
%v135 = sub i64 %v118, 16
%v136 = getelementptr float, ptr %a2, i64 %v134
%v137 = trunc i64 %v135 to i32
%v138 = insertelement <16 x i32> poison, i32 %v137, i32 0
%v139 = shufflevector <16 x i32> %v138, <16 x i32> poison, <16 x i32> zeroinitializer
%v140 = icmp sgt <16 x i32> %v139, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
call void @llvm.masked.store.v16f32.p0(<16 x float> %v128, ptr %v136, i32 4, <16 x i1> %v140)
br label %end14
end14:
br label %end11
else10:
br label %end11
end11:
%v141 = add i64 %v4, 1
%v142 = icmp slt i64 %v141, 2
br i1 %v142, label %loop4, label %end5
end5:
%v143 = add i64 %v1, 1
%v144 = icmp slt i64 %v143, %end
br i1 %v144, label %loop1, label %end2
end2:
ret void
}

