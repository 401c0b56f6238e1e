; kernels for x86_64-avx2
; mir @matmul_packed_in_the_run {
;   %0 = input("x1") : f32[1200, 64]
;   %1 = input("x2") : f32[64, 64]
;   %2 = matmul(%0, %1) : f32[1200, 64]
;   return y1=%2
; }

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)

define void @pack_74de05c8(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 4
%a0 = load i64, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 5
%a1 = load i64, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 6
%a2 = load i64, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 1
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 0
%a4 = load ptr, ptr %a4.p, align 8
%a5.p = getelementptr i64, ptr %args, i64 7
%a5 = load i64, ptr %a5.p, align 8
%v0 = add i64 %a0, 15
%v1 = udiv i64 %v0, 16
%v2 = add i64 %v1, 3
%v3 = udiv i64 %v2, 4
%v4 = add i64 %a1, 127
%v5 = udiv i64 %v4, 128
%v6 = call i64 @llvm.smax.i64(i64 %v5, i64 1)
%v7 = icmp slt i64 %begin, %end
br i1 %v7, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v8 = phi i64 [ %begin, %guard3 ], [ %v106, %end11 ]
%v9 = udiv i64 %v8, %v6
%v10 = urem i64 %v8, %v6
%v11 = mul i64 %v10, 128
%v12 = sub i64 %a1, %v11
%v13 = call i64 @llvm.smin.i64(i64 %v12, i64 128)
%v14 = udiv i64 %v9, %v3
%v15 = urem i64 %v9, %v3
%v16 = mul i64 %v15, 4
%v17 = sub i64 %v1, %v16
%v18 = call i64 @llvm.smin.i64(i64 4, i64 %v17)
%v19 = mul i64 %a1, 16
%v20 = mul i64 %v14, %v1
%v21 = add i64 %v20, %v16
%v22 = mul i64 %v21, %v19
%v23 = mul i64 %v11, 16
%v24 = add i64 %v22, %v23
%v25 = getelementptr float, ptr %a3, i64 %v24
%v26 = mul i64 %v11, %a2
%v27 = mul i64 %v14, %a5
%v28 = add i64 %v27, %v26
%v29 = getelementptr float, ptr %a4, i64 %v28
%v30 = mul i64 %v16, 16
%v31 = sub i64 %a0, %v30
%v32 = udiv i64 %v31, 16
%v33 = call i64 @llvm.smin.i64(i64 %v18, i64 %v32)
%v34 = icmp slt i64 0, %v13
br i1 %v34, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v35 = phi i64 [ 0, %guard6 ], [ %v68, %end8 ]
%v36 = icmp slt i64 0, %v33
br i1 %v36, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v37 = phi i64 [ 0, %guard9 ], [ %v66, %loop7 ]
%v38 = add i64 %v35, 8
%v39 = mul i64 %v38, %a2
%v40 = add i64 %v39, %v30
%v41 = mul i64 %v37, 16
%v42 = add i64 %v40, %v41
%v43 = getelementptr float, ptr %v29, i64 %v42
call void @llvm.prefetch.p0(ptr %v43, i32 0, i32 3, i32 1)
%v44 = mul i64 %v35, %a2
%v45 = add i64 %v44, %v30
%v46 = mul i64 %v37, 16
%v47 = add i64 %v45, %v46
%v48 = getelementptr float, ptr %v29, i64 %v47
%v49 = load <8 x float>, ptr %v48, align 4
%v50 = mul i64 %v37, %v19
%v51 = mul i64 %v35, 16
%v52 = add i64 %v50, %v51
%v53 = getelementptr float, ptr %v25, i64 %v52
store <8 x float> %v49, ptr %v53, align 4
%v54 = mul i64 %v35, %a2
%v55 = add i64 %v54, %v30
%v56 = mul i64 %v37, 16
%v57 = add i64 %v55, %v56
%v58 = add i64 %v57, 8
%v59 = getelementptr float, ptr %v29, i64 %v58
%v60 = load <8 x float>, ptr %v59, align 4
%v61 = mul i64 %v37, %v19
%v62 = mul i64 %v35, 16
%v63 = add i64 %v61, %v62
%v64 = add i64 %v63, 8
%v65 = getelementptr float, ptr %v25, i64 %v64
store <8 x float> %v60, ptr %v65, align 4
%v66 = add i64 %v37, 1
%v67 = icmp slt i64 %v66, %v33
br i1 %v67, label %loop7, label %end8
end8:
%v68 = add i64 %v35, 1
%v69 = icmp slt i64 %v68, %v13
br i1 %v69, label %loop4, label %end5
end5:
%v70 = icmp slt i64 %v33, %v18
br i1 %v70, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v71 = phi i64 [ %v33, %guard12 ], [ %v104, %end14 ]
%v72 = mul i64 %v71, 16
%v73 = mul i64 %v71, %v19
%v74 = getelementptr float, ptr %v25, i64 %v73
%v75 = add i64 %v30, %v72
%v76 = sub i64 %v31, %v72
%v77 = icmp slt i64 0, %v13
br i1 %v77, label %guard15, label %end14
guard15:
br label %loop13
loop13:
%v78 = phi i64 [ 0, %guard15 ], [ %v102, %loop13 ]
%v79 = mul i64 %v78, %a2
%v80 = add i64 %v79, %v75
%v81 = trunc i64 %v76 to i32
%v82 = insertelement <8 x i32> poison, i32 %v81, i32 0
%v83 = shufflevector <8 x i32> %v82, <8 x i32> poison, <8 x i32> zeroinitializer
%v84 = icmp sgt <8 x i32> %v83, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v85 = getelementptr float, ptr %v29, i64 %v80
%v86 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v85, i32 4, <8 x i1> %v84, <8 x float> splat (float 0x0000000000000000))
%v87 = mul i64 %v78, 16
%v88 = getelementptr float, ptr %v74, i64 %v87
store <8 x float> %v86, ptr %v88, align 4
%v89 = mul i64 %v78, %a2
%v90 = add i64 %v89, %v75
%v91 = add i64 %v90, 8
%v92 = sub i64 %v76, 8
%v93 = trunc i64 %v92 to i32
%v94 = insertelement <8 x i32> poison, i32 %v93, i32 0
%v95 = shufflevector <8 x i32> %v94, <8 x i32> poison, <8 x i32> zeroinitializer
%v96 = icmp sgt <8 x i32> %v95, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v97 = getelementptr float, ptr %v29, i64 %v91
%v98 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v97, i32 4, <8 x i1> %v96, <8 x float> splat (float 0x0000000000000000))
%v99 = mul i64 %v78, 16
%v100 = add i64 %v99, 8
%v101 = getelementptr float, ptr %v74, i64 %v100
store <8 x float> %v98, ptr %v101, align 4
%v102 = add i64 %v78, 1
%v103 = icmp slt i64 %v102, %v13
br i1 %v103, label %loop13, label %end14
end14:
%v104 = add i64 %v71, 1
%v105 = icmp slt i64 %v104, %v18
br i1 %v105, label %loop10, label %end11
end11:
%v106 = add i64 %v8, 1
%v107 = icmp slt i64 %v106, %end
br i1 %v107, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @matmul_b200e635(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%s14 = alloca <8 x float>
%s15 = alloca <8 x float>
%s16 = alloca <8 x float>
%s17 = alloca <8 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v254, %end5 ]
%v2 = udiv i64 %v1, 17
%v3 = udiv i64 %v2, 2
%v4 = urem i64 %v2, 2
%v5 = urem i64 %v1, 17
%v6 = mul i64 %v5, 72
%v7 = mul i64 %v4, 2
%v8 = mul i64 %v6, 64
%v9 = getelementptr float, ptr %a0, i64 %v8
%v10 = mul i64 %v6, 64
%v11 = getelementptr float, ptr %a2, i64 %v10
%v12 = sub i64 1200, %v6
%v13 = call i64 @llvm.smin.i64(i64 72, i64 %v12)
%v14 = sub i64 4, %v7
%v15 = call i64 @llvm.smin.i64(i64 2, i64 %v14)
%v16 = icmp slt i64 0, %v15
br i1 %v16, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v17 = phi i64 [ 0, %guard6 ], [ %v252, %end14 ]
%v18 = add i64 %v7, %v17
%v19 = mul i64 %v18, 64
%v20 = mul i64 %v19, 16
%v21 = getelementptr float, ptr %a1, i64 %v20
%v22 = mul i64 %v17, -64
%v23 = add i64 %v22, 64
%v24 = mul i64 %v23, 16
%v25 = add i64 %v17, 1
%v26 = icmp slt i64 %v25, %v15
%v27 = select i1 %v26, i64 1024, i64 %v24
%v28 = getelementptr float, ptr %v21, i64 %v27
%v29 = mul i64 %v17, 1152
%v30 = getelementptr float, ptr %scratch, i64 %v29
%v31 = add i64 %v7, %v17
%v32 = mul i64 %v31, 16
%v33 = sub i64 64, %v32
%v34 = icmp sge i64 %v33, 16
%v35 = getelementptr float, ptr %v11, i64 %v32
%v36 = select i1 %v34, ptr %v35, ptr %v30
%v37 = select i1 %v34, i64 64, i64 16
%v38 = udiv i64 %v13, 6
%v39 = urem i64 %v13, 6
%v40 = add i64 %v13, 5
%v41 = udiv i64 %v40, 6
%v42 = icmp slt i64 0, %v38
br i1 %v42, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v43 = phi i64 [ 0, %guard9 ], [ %v225, %end11 ]
%v44 = mul i64 %v43, 6
%v45 = mul i64 %v44, 64
%v46 = getelementptr float, ptr %v9, i64 %v45
%v47 = udiv i64 %v44, 6
%v48 = icmp sle i64 %v41, 1
%v49 = call i64 @llvm.smax.i64(i64 %v41, i64 1)
%v50 = udiv i64 64, %v49
%v51 = select i1 %v48, i64 64, i64 %v50
%v52 = mul i64 %v47, 64
%v53 = mul i64 %v52, %v51
%v54 = getelementptr i8, ptr %v28, i64 %v53
%v55 = getelementptr i8, ptr %v21, i64 1024
%v56 = select i1 %v48, ptr %v55, ptr %v54
%v57 = mul i64 %v44, 16
%v58 = getelementptr float, ptr %v30, i64 %v57
%v59 = mul i64 %v44, %v37
%v60 = getelementptr float, ptr %v36, i64 %v59
store <8 x float> splat (float 0x0000000000000000), ptr %s6
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
%v61 = getelementptr float, ptr %v46, i64 64
%v62 = getelementptr float, ptr %v46, i64 128
%v63 = getelementptr float, ptr %v46, i64 192
%v64 = getelementptr float, ptr %v46, i64 256
%v65 = getelementptr float, ptr %v46, i64 320
br label %loop10
loop10:
%v66 = phi i64 [ 0, %loop7 ], [ %v187, %loop10 ]
%v67 = mul i64 %v66, %v51
%v68 = getelementptr i8, ptr %v56, i64 %v67
call void @llvm.prefetch.p0(ptr %v68, i32 0, i32 3, i32 1)
%v69 = mul i64 %v66, 16
%v70 = getelementptr float, ptr %v21, i64 %v69
%v71 = load <8 x float>, ptr %v70, align 4
%v72 = add i64 %v69, 8
%v73 = getelementptr float, ptr %v21, i64 %v72
%v74 = load <8 x float>, ptr %v73, align 4
%v75 = getelementptr float, ptr %v46, i64 %v66
%v76 = load float, ptr %v75, align 4
%v77 = insertelement <8 x float> poison, float %v76, i32 0
%v78 = shufflevector <8 x float> %v77, <8 x float> poison, <8 x i32> zeroinitializer
%v79 = load <8 x float>, ptr %s6
%v80 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v78, <8 x float> %v71, <8 x float> %v79)
store <8 x float> %v80, ptr %s6
%v81 = load <8 x float>, ptr %s7
%v82 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v78, <8 x float> %v74, <8 x float> %v81)
store <8 x float> %v82, ptr %s7
%v83 = getelementptr float, ptr %v61, i64 %v66
%v84 = load float, ptr %v83, align 4
%v85 = insertelement <8 x float> poison, float %v84, i32 0
%v86 = shufflevector <8 x float> %v85, <8 x float> poison, <8 x i32> zeroinitializer
%v87 = load <8 x float>, ptr %s8
%v88 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v86, <8 x float> %v71, <8 x float> %v87)
store <8 x float> %v88, ptr %s8
%v89 = load <8 x float>, ptr %s9
%v90 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v86, <8 x float> %v74, <8 x float> %v89)
store <8 x float> %v90, ptr %s9
%v91 = getelementptr float, ptr %v62, i64 %v66
%v92 = load float, ptr %v91, align 4
%v93 = insertelement <8 x float> poison, float %v92, i32 0
%v94 = shufflevector <8 x float> %v93, <8 x float> poison, <8 x i32> zeroinitializer
%v95 = load <8 x float>, ptr %s10
%v96 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v94, <8 x float> %v71, <8 x float> %v95)
store <8 x float> %v96, ptr %s10
%v97 = load <8 x float>, ptr %s11
%v98 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v94, <8 x float> %v74, <8 x float> %v97)
store <8 x float> %v98, ptr %s11
%v99 = getelementptr float, ptr %v63, i64 %v66
%v100 = load float, ptr %v99, align 4
%v101 = insertelement <8 x float> poison, float %v100, i32 0
%v102 = shufflevector <8 x float> %v101, <8 x float> poison, <8 x i32> zeroinitializer
%v103 = load <8 x float>, ptr %s12
%v104 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v102, <8 x float> %v71, <8 x float> %v103)
store <8 x float> %v104, ptr %s12
%v105 = load <8 x float>, ptr %s13
%v106 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v102, <8 x float> %v74, <8 x float> %v105)
store <8 x float> %v106, ptr %s13
%v107 = getelementptr float, ptr %v64, i64 %v66
%v108 = load float, ptr %v107, align 4
%v109 = insertelement <8 x float> poison, float %v108, i32 0
%v110 = shufflevector <8 x float> %v109, <8 x float> poison, <8 x i32> zeroinitializer
%v111 = load <8 x float>, ptr %s14
%v112 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v110, <8 x float> %v71, <8 x float> %v111)
store <8 x float> %v112, ptr %s14
%v113 = load <8 x float>, ptr %s15
%v114 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v110, <8 x float> %v74, <8 x float> %v113)
store <8 x float> %v114, ptr %s15
%v115 = getelementptr float, ptr %v65, i64 %v66
%v116 = load float, ptr %v115, align 4
%v117 = insertelement <8 x float> poison, float %v116, i32 0
%v118 = shufflevector <8 x float> %v117, <8 x float> poison, <8 x i32> zeroinitializer
%v119 = load <8 x float>, ptr %s16
%v120 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v118, <8 x float> %v71, <8 x float> %v119)
store <8 x float> %v120, ptr %s16
%v121 = load <8 x float>, ptr %s17
%v122 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v118, <8 x float> %v74, <8 x float> %v121)
store <8 x float> %v122, ptr %s17
%v123 = add i64 %v66, 1
%v124 = mul i64 %v123, %v51
%v125 = getelementptr i8, ptr %v56, i64 %v124
call void @llvm.prefetch.p0(ptr %v125, i32 0, i32 3, i32 1)
%v126 = mul i64 %v66, 16
%v127 = add i64 %v126, 16
%v128 = getelementptr float, ptr %v21, i64 %v127
%v129 = load <8 x float>, ptr %v128, align 4
%v130 = add i64 %v127, 8
%v131 = getelementptr float, ptr %v21, i64 %v130
%v132 = load <8 x float>, ptr %v131, align 4
%v133 = add i64 %v66, 1
%v134 = getelementptr float, ptr %v46, i64 %v133
%v135 = load float, ptr %v134, align 4
%v136 = insertelement <8 x float> poison, float %v135, i32 0
%v137 = shufflevector <8 x float> %v136, <8 x float> poison, <8 x i32> zeroinitializer
%v138 = load <8 x float>, ptr %s6
%v139 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v137, <8 x float> %v129, <8 x float> %v138)
store <8 x float> %v139, ptr %s6
%v140 = load <8 x float>, ptr %s7
%v141 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v137, <8 x float> %v132, <8 x float> %v140)
store <8 x float> %v141, ptr %s7
%v142 = add i64 %v66, 1
%v143 = getelementptr float, ptr %v61, i64 %v142
%v144 = load float, ptr %v143, align 4
%v145 = insertelement <8 x float> poison, float %v144, i32 0
%v146 = shufflevector <8 x float> %v145, <8 x float> poison, <8 x i32> zeroinitializer
%v147 = load <8 x float>, ptr %s8
%v148 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v146, <8 x float> %v129, <8 x float> %v147)
store <8 x float> %v148, ptr %s8
%v149 = load <8 x float>, ptr %s9
%v150 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v146, <8 x float> %v132, <8 x float> %v149)
store <8 x float> %v150, ptr %s9
%v151 = add i64 %v66, 1
%v152 = getelementptr float, ptr %v62, i64 %v151
%v153 = load float, ptr %v152, align 4
%v154 = insertelement <8 x float> poison, float %v153, i32 0
%v155 = shufflevector <8 x float> %v154, <8 x float> poison, <8 x i32> zeroinitializer
%v156 = load <8 x float>, ptr %s10
%v157 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v155, <8 x float> %v129, <8 x float> %v156)
store <8 x float> %v157, ptr %s10
%v158 = load <8 x float>, ptr %s11
%v159 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v155, <8 x float> %v132, <8 x float> %v158)
store <8 x float> %v159, ptr %s11
%v160 = add i64 %v66, 1
%v161 = getelementptr float, ptr %v63, i64 %v160
%v162 = load float, ptr %v161, align 4
%v163 = insertelement <8 x float> poison, float %v162, i32 0
%v164 = shufflevector <8 x float> %v163, <8 x float> poison, <8 x i32> zeroinitializer
%v165 = load <8 x float>, ptr %s12
%v166 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v164, <8 x float> %v129, <8 x float> %v165)
store <8 x float> %v166, ptr %s12
%v167 = load <8 x float>, ptr %s13
%v168 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v164, <8 x float> %v132, <8 x float> %v167)
store <8 x float> %v168, ptr %s13
%v169 = add i64 %v66, 1
%v170 = getelementptr float, ptr %v64, i64 %v169
%v171 = load float, ptr %v170, align 4
%v172 = insertelement <8 x float> poison, float %v171, i32 0
%v173 = shufflevector <8 x float> %v172, <8 x float> poison, <8 x i32> zeroinitializer
%v174 = load <8 x float>, ptr %s14
%v175 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v173, <8 x float> %v129, <8 x float> %v174)
store <8 x float> %v175, ptr %s14
%v176 = load <8 x float>, ptr %s15
%v177 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v173, <8 x float> %v132, <8 x float> %v176)
store <8 x float> %v177, ptr %s15
%v178 = add i64 %v66, 1
%v179 = getelementptr float, ptr %v65, i64 %v178
%v180 = load float, ptr %v179, align 4
%v181 = insertelement <8 x float> poison, float %v180, i32 0
%v182 = shufflevector <8 x float> %v181, <8 x float> poison, <8 x i32> zeroinitializer
%v183 = load <8 x float>, ptr %s16
%v184 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v182, <8 x float> %v129, <8 x float> %v183)
store <8 x float> %v184, ptr %s16
%v185 = load <8 x float>, ptr %s17
%v186 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v182, <8 x float> %v132, <8 x float> %v185)
store <8 x float> %v186, ptr %s17
%v187 = add i64 %v66, 2
%v188 = icmp slt i64 %v187, 64
br i1 %v188, label %loop10, label %end11
end11:
%v189 = load <8 x float>, ptr %s6
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
%v201 = add i64 %v37, 8
%v202 = mul i64 2, %v37
%v203 = mul i64 2, %v37
%v204 = add i64 %v203, 8
%v205 = mul i64 3, %v37
%v206 = mul i64 3, %v37
%v207 = add i64 %v206, 8
%v208 = mul i64 4, %v37
%v209 = mul i64 4, %v37
%v210 = add i64 %v209, 8
%v211 = mul i64 5, %v37
%v212 = mul i64 5, %v37
%v213 = add i64 %v212, 8
store <8 x float> %v189, ptr %v60, align 4
%v214 = getelementptr float, ptr %v60, i64 8
store <8 x float> %v190, ptr %v214, align 4
%v215 = getelementptr float, ptr %v60, i64 %v37
store <8 x float> %v191, ptr %v215, align 4
%v216 = getelementptr float, ptr %v60, i64 %v201
store <8 x float> %v192, ptr %v216, align 4
%v217 = getelementptr float, ptr %v60, i64 %v202
store <8 x float> %v193, ptr %v217, align 4
%v218 = getelementptr float, ptr %v60, i64 %v204
store <8 x float> %v194, ptr %v218, align 4
%v219 = getelementptr float, ptr %v60, i64 %v205
store <8 x float> %v195, ptr %v219, align 4
%v220 = getelementptr float, ptr %v60, i64 %v207
store <8 x float> %v196, ptr %v220, align 4
%v221 = getelementptr float, ptr %v60, i64 %v208
store <8 x float> %v197, ptr %v221, align 4
%v222 = getelementptr float, ptr %v60, i64 %v210
store <8 x float> %v198, ptr %v222, align 4
%v223 = getelementptr float, ptr %v60, i64 %v211
store <8 x float> %v199, ptr %v223, align 4
%v224 = getelementptr float, ptr %v60, i64 %v213
store <8 x float> %v200, ptr %v224, align 4
%v225 = add i64 %v43, 1
%v226 = icmp slt i64 %v225, %v38
br i1 %v226, label %loop7, label %end8
end8:
%v227 = xor i1 %v34, true
br i1 %v227, label %then12, label %else13
then12:
%v228 = mul i64 %v17, 1152
%v229 = getelementptr float, ptr %scratch, i64 %v228
%v230 = add i64 %v7, %v17
%v231 = mul i64 %v230, 16
%v232 = sub i64 64, %v231
%v233 = icmp slt i64 0, %v13
br i1 %v233, label %guard17, label %end16
guard17:
br label %loop15
loop15:
%v234 = phi i64 [ 0, %guard17 ], [ %v250, %loop15 ]
%v235 = mul i64 %v234, 16
%v236 = getelementptr float, ptr %v229, i64 %v235
%v237 = load <8 x float>, ptr %v236, align 4
%v238 = mul i64 %v234, 16
%v239 = add i64 %v238, 8
%v240 = getelementptr float, ptr %v229, i64 %v239
%v241 = load <8 x float>, ptr %v240, align 4
%v242 = add i64 %v6, %v234
%v243 = mul i64 %v234, 64
%v244 = add i64 %v243, %v231
%v245 = getelementptr float, ptr %v11, i64 %v244
store <8 x float> %v237, ptr %v245, align 4
%v246 = mul i64 %v234, 64
%v247 = add i64 %v246, %v231
%v248 = add i64 %v247, 8
%v249 = getelementptr float, ptr %v11, i64 %v248
store <8 x float> %v241, ptr %v249, align 4
%v250 = add i64 %v234, 1
%v251 = icmp slt i64 %v250, %v13
br i1 %v251, label %loop15, label %end16
end16:
br label %end14
else13:
br label %end14
end14:
%v252 = add i64 %v17, 1
%v253 = icmp slt i64 %v252, %v15
br i1 %v253, label %loop4, label %end5
end5:
%v254 = add i64 %v1, 1
%v255 = icmp slt i64 %v254, %end
br i1 %v255, label %loop1, label %end2
end2:
ret void
}

