; kernels for x86_64-avx2
; mir @matmul_one_row {
;   %0 = input("x1") : f32[1, 16]
;   %1 = param("w1") : f32[16, 40]
;   %2 = matmul(%0, %1) : f32[1, 40]
;   return y1=%2
; }

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @matmul_61c2d252(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v1 = phi i64 [ %begin, %guard3 ], [ %v141, %end5 ]
br label %loop4
loop4:
%v2 = phi i64 [ 0, %loop1 ], [ %v139, %end10 ]
%v3 = mul i64 %v2, 16
%v4 = mul i64 %v3, 16
%v5 = getelementptr float, ptr %a1, i64 %v4
%v6 = mul i64 %v2, -16
%v7 = add i64 %v6, 16
%v8 = mul i64 %v7, 16
%v9 = add i64 %v2, 1
%v10 = icmp slt i64 %v9, 3
%v11 = select i1 %v10, i64 256, i64 %v8
%v12 = getelementptr float, ptr %v5, i64 %v11
%v13 = mul i64 %v2, 1152
%v14 = getelementptr float, ptr %scratch, i64 %v13
%v15 = mul i64 %v2, 16
%v16 = sub i64 40, %v15
%v17 = icmp sge i64 %v16, 16
%v18 = getelementptr float, ptr %a2, i64 %v15
%v19 = select i1 %v17, ptr %v18, ptr %v14
%v20 = select i1 %v17, i64 40, i64 16
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
%v21 = phi i64 [ 0, %loop4 ], [ %v95, %loop6 ]
%v22 = mul i64 %v21, 64
%v23 = getelementptr i8, ptr %v5, i64 %v22
call void @llvm.prefetch.p0(ptr %v23, i32 0, i32 3, i32 1)
%v24 = mul i64 %v21, 16
%v25 = getelementptr float, ptr %v5, i64 %v24
%v26 = load <8 x float>, ptr %v25, align 4
%v27 = add i64 %v24, 8
%v28 = getelementptr float, ptr %v5, i64 %v27
%v29 = load <8 x float>, ptr %v28, align 4
%v30 = getelementptr float, ptr %a0, i64 %v21
%v31 = load float, ptr %v30, align 4
%v32 = insertelement <8 x float> poison, float %v31, i32 0
%v33 = shufflevector <8 x float> %v32, <8 x float> poison, <8 x i32> zeroinitializer
%v34 = load <8 x float>, ptr %s6
%v35 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v33, <8 x float> %v26, <8 x float> %v34)
store <8 x float> %v35, ptr %s6
%v36 = load <8 x float>, ptr %s10
%v37 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v33, <8 x float> %v29, <8 x float> %v36)
store <8 x float> %v37, ptr %s10
%v38 = add i64 %v21, 1
%v39 = mul i64 %v38, 64
%v40 = getelementptr i8, ptr %v5, i64 %v39
call void @llvm.prefetch.p0(ptr %v40, i32 0, i32 3, i32 1)
%v41 = mul i64 %v21, 16
%v42 = add i64 %v41, 16
%v43 = getelementptr float, ptr %v5, i64 %v42
%v44 = load <8 x float>, ptr %v43, align 4
%v45 = add i64 %v42, 8
%v46 = getelementptr float, ptr %v5, i64 %v45
%v47 = load <8 x float>, ptr %v46, align 4
%v48 = add i64 %v21, 1
%v49 = getelementptr float, ptr %a0, i64 %v48
%v50 = load float, ptr %v49, align 4
%v51 = insertelement <8 x float> poison, float %v50, i32 0
%v52 = shufflevector <8 x float> %v51, <8 x float> poison, <8 x i32> zeroinitializer
%v53 = load <8 x float>, ptr %s7
%v54 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v52, <8 x float> %v44, <8 x float> %v53)
store <8 x float> %v54, ptr %s7
%v55 = load <8 x float>, ptr %s11
%v56 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v52, <8 x float> %v47, <8 x float> %v55)
store <8 x float> %v56, ptr %s11
%v57 = add i64 %v21, 2
%v58 = mul i64 %v57, 64
%v59 = getelementptr i8, ptr %v5, i64 %v58
call void @llvm.prefetch.p0(ptr %v59, i32 0, i32 3, i32 1)
%v60 = mul i64 %v21, 16
%v61 = add i64 %v60, 32
%v62 = getelementptr float, ptr %v5, i64 %v61
%v63 = load <8 x float>, ptr %v62, align 4
%v64 = add i64 %v61, 8
%v65 = getelementptr float, ptr %v5, i64 %v64
%v66 = load <8 x float>, ptr %v65, align 4
%v67 = add i64 %v21, 2
%v68 = getelementptr float, ptr %a0, i64 %v67
%v69 = load float, ptr %v68, align 4
%v70 = insertelement <8 x float> poison, float %v69, i32 0
%v71 = shufflevector <8 x float> %v70, <8 x float> poison, <8 x i32> zeroinitializer
%v72 = load <8 x float>, ptr %s8
%v73 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v71, <8 x float> %v63, <8 x float> %v72)
store <8 x float> %v73, ptr %s8
%v74 = load <8 x float>, ptr %s12
%v75 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v71, <8 x float> %v66, <8 x float> %v74)
store <8 x float> %v75, ptr %s12
%v76 = add i64 %v21, 3
%v77 = mul i64 %v76, 64
%v78 = getelementptr i8, ptr %v5, i64 %v77
call void @llvm.prefetch.p0(ptr %v78, i32 0, i32 3, i32 1)
%v79 = mul i64 %v21, 16
%v80 = add i64 %v79, 48
%v81 = getelementptr float, ptr %v5, i64 %v80
%v82 = load <8 x float>, ptr %v81, align 4
%v83 = add i64 %v80, 8
%v84 = getelementptr float, ptr %v5, i64 %v83
%v85 = load <8 x float>, ptr %v84, align 4
%v86 = add i64 %v21, 3
%v87 = getelementptr float, ptr %a0, i64 %v86
%v88 = load float, ptr %v87, align 4
%v89 = insertelement <8 x float> poison, float %v88, i32 0
%v90 = shufflevector <8 x float> %v89, <8 x float> poison, <8 x i32> zeroinitializer
%v91 = load <8 x float>, ptr %s9
%v92 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v90, <8 x float> %v82, <8 x float> %v91)
store <8 x float> %v92, ptr %s9
%v93 = load <8 x float>, ptr %s13
%v94 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v90, <8 x float> %v85, <8 x float> %v93)
store <8 x float> %v94, ptr %s13
%v95 = add i64 %v21, 4
%v96 = icmp slt i64 %v95, 16
br i1 %v96, label %loop6, label %end7
end7:
%v97 = load <8 x float>, ptr %s6
%v98 = load <8 x float>, ptr %s7
%v99 = load <8 x float>, ptr %s8
%v100 = load <8 x float>, ptr %s9
%v101 = fadd <8 x float> %v97, %v98
%v102 = fadd <8 x float> %v99, %v100
%v103 = fadd <8 x float> %v101, %v102
%v104 = load <8 x float>, ptr %s10
%v105 = load <8 x float>, ptr %s11
%v106 = load <8 x float>, ptr %s12
%v107 = load <8 x float>, ptr %s13
%v108 = fadd <8 x float> %v104, %v105
%v109 = fadd <8 x float> %v106, %v107
%v110 = fadd <8 x float> %v108, %v109
store <8 x float> %v103, ptr %v19, align 4
%v111 = getelementptr float, ptr %v19, i64 8
store <8 x float> %v110, ptr %v111, align 4
%v112 = xor i1 %v17, true
br i1 %v112, label %then8, label %else9
then8:
%v113 = mul i64 %v2, 1152
%v114 = getelementptr float, ptr %scratch, i64 %v113
%v115 = mul i64 %v2, 16
%v116 = sub i64 40, %v115
%v117 = icmp sge i64 %v116, 16
br i1 %v117, label %then11, label %else12
then11:
%v118 = load <8 x float>, ptr %v114, align 4
%v119 = getelementptr float, ptr %v114, i64 8
%v120 = load <8 x float>, ptr %v119, align 4
%v121 = getelementptr float, ptr %a2, i64 %v115
store <8 x float> %v118, ptr %v121, align 4
%v122 = add i64 %v115, 8
%v123 = getelementptr float, ptr %a2, i64 %v122
store <8 x float> %v120, ptr %v123, align 4
br label %end13
else12:
%v124 = load <8 x float>, ptr %v114, align 4
%v125 = getelementptr float, ptr %v114, i64 8
%v126 = load <8 x float>, ptr %v125, align 4
%v127 = getelementptr float, ptr %a2, i64 %v115
%v128 = trunc i64 %v116 to i32
%v129 = insertelement <8 x i32> poison, i32 %v128, i32 0
%v130 = shufflevector <8 x i32> %v129, <8 x i32> poison, <8 x i32> zeroinitializer
%v131 = icmp sgt <8 x i32> %v130, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v124, ptr %v127, i32 4, <8 x i1> %v131)
%v132 = add i64 %v115, 8
%v133 = sub i64 %v116, 8
%v134 = getelementptr float, ptr %a2, i64 %v132
%v135 = trunc i64 %v133 to i32
%v136 = insertelement <8 x i32> poison, i32 %v135, i32 0
%v137 = shufflevector <8 x i32> %v136, <8 x i32> poison, <8 x i32> zeroinitializer
%v138 = icmp sgt <8 x i32> %v137, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v126, ptr %v134, i32 4, <8 x i1> %v138)
br label %end13
end13:
br label %end10
else9:
br label %end10
end10:
%v139 = add i64 %v2, 1
%v140 = icmp slt i64 %v139, 3
br i1 %v140, label %loop4, label %end5
end5:
%v141 = add i64 %v1, 1
%v142 = icmp slt i64 %v141, %end
br i1 %v142, label %loop1, label %end2
end2:
ret void
}

