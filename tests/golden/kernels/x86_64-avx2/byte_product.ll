; kernels for x86_64-avx2
; mir @byte_product {
;   %0 = input("x1") : i8[5, 16]
;   %1 = param("w1") : i8[16, 16]
;   %2 = param("w2") : i32[16]
;   %3 = q_matmul(%0, %1, %2, x_zp=3, out_zp=1, mult=(0.0015,), dtype=i8) : i8[5, 16]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16>, <16 x i16>)
declare <8 x double> @llvm.roundeven.v8f64(<8 x double>)
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)

define void @q_product_7a50769c(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 3
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 4
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 2
%a4 = load ptr, ptr %a4.p, align 8
%a5.p = getelementptr i64, ptr %args, i64 5
%a5 = load ptr, ptr %a5.p, align 8
%v0 = load i32, ptr %a0, align 4
%v1 = sext i32 %v0 to i64
%v2 = getelementptr i32, ptr %a0, i64 1
%v3 = load i32, ptr %v2, align 4
%v4 = sext i32 %v3 to i64
%v5 = getelementptr i32, ptr %a0, i64 2
%v6 = load i32, ptr %v5, align 4
%v7 = sext i32 %v6 to i64
%v8 = icmp slt i64 %begin, %end
br i1 %v8, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v9 = phi i64 [ %begin, %guard3 ], [ %v157, %end47 ]
%v10 = mul i64 %v9, 96
%v11 = sub i64 5, %v10
%v12 = call i64 @llvm.smin.i64(i64 %v11, i64 96)
br i1 false, label %then4, label %else5
then4:
%v13 = mul i64 %v12, 64
%v14 = icmp slt i64 0, %v13
br i1 %v14, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v15 = phi i64 [ 0, %guard9 ], [ %v17, %loop7 ]
%v16 = getelementptr i32, ptr %scratch, i64 %v15
store <8 x i32> splat (i32 0), ptr %v16, align 4
%v17 = add i64 %v15, 8
%v18 = icmp slt i64 %v17, %v13
br i1 %v18, label %loop7, label %end8
end8:
br label %end6
else5:
br label %end6
end6:
%v19 = icmp slt i64 0, %v12
br i1 %v19, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v20 = phi i64 [ 0, %guard12 ], [ %v27, %loop10 ]
%v21 = add i64 %v10, %v20
%v22 = mul i64 %v21, 16
%v23 = getelementptr i8, ptr %a1, i64 %v22
%v24 = mul i64 %v20, 1024
%v25 = add i64 %v24, 24576
%v26 = getelementptr i8, ptr %scratch, i64 %v25
call void @bytes_widen(ptr %v23, i64 16, i64 %v1, ptr %v26)
%v27 = add i64 %v20, 1
%v28 = icmp slt i64 %v27, %v12
br i1 %v28, label %loop10, label %end11
end11:
%v29 = icmp sle i64 %v12, 4
br i1 %v29, label %then13, label %else14
then13:
%v30 = icmp eq i64 %v12, 1
br i1 %v30, label %then16, label %else17
then16:
%v31 = getelementptr i8, ptr %scratch, i64 24576
call void @bytes_stream_1(ptr %v31, ptr %a2, i64 8, i64 %v4, ptr %scratch, i64 1)
br label %end18
else17:
br label %end18
end18:
%v32 = icmp eq i64 %v12, 2
br i1 %v32, label %then19, label %else20
then19:
%v33 = getelementptr i8, ptr %scratch, i64 24576
call void @bytes_stream_2(ptr %v33, ptr %a2, i64 8, i64 %v4, ptr %scratch, i64 1)
br label %end21
else20:
br label %end21
end21:
%v34 = icmp eq i64 %v12, 3
br i1 %v34, label %then22, label %else23
then22:
%v35 = getelementptr i8, ptr %scratch, i64 24576
call void @bytes_stream_3(ptr %v35, ptr %a2, i64 8, i64 %v4, ptr %scratch, i64 1)
br label %end24
else23:
br label %end24
end24:
%v36 = icmp eq i64 %v12, 4
br i1 %v36, label %then25, label %else26
then25:
%v37 = getelementptr i8, ptr %scratch, i64 24576
call void @bytes_stream_4(ptr %v37, ptr %a2, i64 8, i64 %v4, ptr %scratch, i64 1)
br label %end27
else26:
br label %end27
end27:
br label %end15
else14:
%v38 = getelementptr i8, ptr %scratch, i64 122880
call void @bytes_widen(ptr %a2, i64 256, i64 %v4, ptr %v38)
%v39 = udiv i64 %v12, 6
%v40 = mul i64 %v39, 6
%v41 = icmp slt i64 0, %v40
br i1 %v41, label %guard30, label %end29
guard30:
br label %loop28
loop28:
%v42 = phi i64 [ 0, %guard30 ], [ %v50, %loop28 ]
%v43 = mul i64 %v42, 64
%v44 = mul i64 %v43, 4
%v45 = getelementptr i8, ptr %scratch, i64 %v44
%v46 = mul i64 %v42, 1024
%v47 = add i64 %v46, 24576
%v48 = getelementptr i8, ptr %scratch, i64 %v47
%v49 = getelementptr i8, ptr %scratch, i64 122880
call void @bytes_tile_6(ptr %v48, ptr %v49, i64 8, ptr %v45, i64 1)
%v50 = add i64 %v42, 6
%v51 = icmp slt i64 %v50, %v40
br i1 %v51, label %loop28, label %end29
end29:
%v52 = sub i64 %v12, %v40
%v53 = icmp eq i64 %v52, 1
br i1 %v53, label %then31, label %else32
then31:
%v54 = mul i64 %v40, 64
%v55 = mul i64 %v54, 4
%v56 = getelementptr i8, ptr %scratch, i64 %v55
%v57 = mul i64 %v40, 1024
%v58 = add i64 %v57, 24576
%v59 = getelementptr i8, ptr %scratch, i64 %v58
%v60 = getelementptr i8, ptr %scratch, i64 122880
call void @bytes_tile_1(ptr %v59, ptr %v60, i64 8, ptr %v56, i64 1)
br label %end33
else32:
br label %end33
end33:
%v61 = sub i64 %v12, %v40
%v62 = icmp eq i64 %v61, 2
br i1 %v62, label %then34, label %else35
then34:
%v63 = mul i64 %v40, 64
%v64 = mul i64 %v63, 4
%v65 = getelementptr i8, ptr %scratch, i64 %v64
%v66 = mul i64 %v40, 1024
%v67 = add i64 %v66, 24576
%v68 = getelementptr i8, ptr %scratch, i64 %v67
%v69 = getelementptr i8, ptr %scratch, i64 122880
call void @bytes_tile_2(ptr %v68, ptr %v69, i64 8, ptr %v65, i64 1)
br label %end36
else35:
br label %end36
end36:
%v70 = sub i64 %v12, %v40
%v71 = icmp eq i64 %v70, 3
br i1 %v71, label %then37, label %else38
then37:
%v72 = mul i64 %v40, 64
%v73 = mul i64 %v72, 4
%v74 = getelementptr i8, ptr %scratch, i64 %v73
%v75 = mul i64 %v40, 1024
%v76 = add i64 %v75, 24576
%v77 = getelementptr i8, ptr %scratch, i64 %v76
%v78 = getelementptr i8, ptr %scratch, i64 122880
call void @bytes_tile_3(ptr %v77, ptr %v78, i64 8, ptr %v74, i64 1)
br label %end39
else38:
br label %end39
end39:
%v79 = sub i64 %v12, %v40
%v80 = icmp eq i64 %v79, 4
br i1 %v80, label %then40, label %else41
then40:
%v81 = mul i64 %v40, 64
%v82 = mul i64 %v81, 4
%v83 = getelementptr i8, ptr %scratch, i64 %v82
%v84 = mul i64 %v40, 1024
%v85 = add i64 %v84, 24576
%v86 = getelementptr i8, ptr %scratch, i64 %v85
%v87 = getelementptr i8, ptr %scratch, i64 122880
call void @bytes_tile_4(ptr %v86, ptr %v87, i64 8, ptr %v83, i64 1)
br label %end42
else41:
br label %end42
end42:
%v88 = sub i64 %v12, %v40
%v89 = icmp eq i64 %v88, 5
br i1 %v89, label %then43, label %else44
then43:
%v90 = mul i64 %v40, 64
%v91 = mul i64 %v90, 4
%v92 = getelementptr i8, ptr %scratch, i64 %v91
%v93 = mul i64 %v40, 1024
%v94 = add i64 %v93, 24576
%v95 = getelementptr i8, ptr %scratch, i64 %v94
%v96 = getelementptr i8, ptr %scratch, i64 122880
call void @bytes_tile_5(ptr %v95, ptr %v96, i64 8, ptr %v92, i64 1)
br label %end45
else44:
br label %end45
end45:
br label %end15
end15:
%v97 = icmp slt i64 0, %v12
br i1 %v97, label %guard48, label %end47
guard48:
br label %loop46
loop46:
%v98 = phi i64 [ 0, %guard48 ], [ %v155, %end53 ]
br label %loop49
loop49:
%v99 = phi i64 [ 0, %loop46 ], [ %v127, %loop49 ]
%v100 = mul i64 %v98, 64
%v101 = add i64 %v100, %v99
%v102 = getelementptr i32, ptr %scratch, i64 %v101
%v103 = load <8 x i32>, ptr %v102, align 4
%v104 = getelementptr i32, ptr %a3, i64 %v99
%v105 = load <8 x i32>, ptr %v104, align 4
%v106 = add <8 x i32> %v103, %v105
%v107 = sitofp <8 x i32> %v106 to <8 x double>
%v108 = load double, ptr %a4, align 8
%v109 = insertelement <8 x double> poison, double %v108, i32 0
%v110 = shufflevector <8 x double> %v109, <8 x double> poison, <8 x i32> zeroinitializer
%v111 = fmul <8 x double> %v107, %v110
%v112 = call <8 x double> @llvm.roundeven.v8f64(<8 x double> %v111)
%v113 = sitofp i64 %v7 to double
%v114 = insertelement <8 x double> poison, double %v113, i32 0
%v115 = shufflevector <8 x double> %v114, <8 x double> poison, <8 x i32> zeroinitializer
%v116 = fadd <8 x double> %v112, %v115
%v117 = fcmp ogt <8 x double> %v116, splat (double 0xC060000000000000)
%v118 = select <8 x i1> %v117, <8 x double> %v116, <8 x double> splat (double 0xC060000000000000)
%v119 = fcmp olt <8 x double> %v118, splat (double 0x405FC00000000000)
%v120 = select <8 x i1> %v119, <8 x double> %v118, <8 x double> splat (double 0x405FC00000000000)
%v121 = fptosi <8 x double> %v120 to <8 x i32>
%v122 = trunc <8 x i32> %v121 to <8 x i8>
%v123 = add i64 %v10, %v98
%v124 = mul i64 %v123, 16
%v125 = add i64 %v124, %v99
%v126 = getelementptr i8, ptr %a5, i64 %v125
store <8 x i8> %v122, ptr %v126, align 1
%v127 = add i64 %v99, 8
%v128 = icmp slt i64 %v127, 16
br i1 %v128, label %loop49, label %end50
end50:
br i1 false, label %then51, label %else52
then51:
%v129 = mul i64 %v98, 64
%v130 = add i64 %v129, 16
%v131 = getelementptr i32, ptr %scratch, i64 %v130
%v132 = load <8 x i32>, ptr %v131, align 4
%v133 = getelementptr i32, ptr %a3, i64 16
%v134 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %v133, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x i32> splat (i32 0))
%v135 = add <8 x i32> %v132, %v134
%v136 = sitofp <8 x i32> %v135 to <8 x double>
%v137 = load double, ptr %a4, align 8
%v138 = insertelement <8 x double> poison, double %v137, i32 0
%v139 = shufflevector <8 x double> %v138, <8 x double> poison, <8 x i32> zeroinitializer
%v140 = fmul <8 x double> %v136, %v139
%v141 = call <8 x double> @llvm.roundeven.v8f64(<8 x double> %v140)
%v142 = sitofp i64 %v7 to double
%v143 = insertelement <8 x double> poison, double %v142, i32 0
%v144 = shufflevector <8 x double> %v143, <8 x double> poison, <8 x i32> zeroinitializer
%v145 = fadd <8 x double> %v141, %v144
%v146 = fcmp ogt <8 x double> %v145, splat (double 0xC060000000000000)
%v147 = select <8 x i1> %v146, <8 x double> %v145, <8 x double> splat (double 0xC060000000000000)
%v148 = fcmp olt <8 x double> %v147, splat (double 0x405FC00000000000)
%v149 = select <8 x i1> %v148, <8 x double> %v147, <8 x double> splat (double 0x405FC00000000000)
%v150 = fptosi <8 x double> %v149 to <8 x i32>
%v151 = trunc <8 x i32> %v150 to <8 x i8>
%v152 = add i64 %v10, %v98
%v153 = mul i64 %v152, 16
%v154 = add i64 %v153, 16
br label %end53
else52:
br label %end53
end53:
%v155 = add i64 %v98, 1
%v156 = icmp slt i64 %v155, %v12
br i1 %v156, label %loop46, label %end47
end47:
%v157 = add i64 %v9, 1
%v158 = icmp slt i64 %v157, %end
br i1 %v158, label %loop1, label %end2
end2:
ret void
}

define internal void @bytes_widen(ptr %source, i64 %count, i64 %zero, ptr %target) nounwind {
entry:
%v0 = trunc i64 %zero to i16
%v1 = and i64 %count, -16
%v2 = and i64 %count, 3
%v3 = icmp ne i64 %v2, 0
br i1 %v3, label %then1, label %else2
then1:
%v4 = and i64 %count, -4
%v5 = getelementptr i16, ptr %target, i64 %v4
store <4 x i16> splat (i16 0), ptr %v5, align 2
br label %end3
else2:
br label %end3
end3:
%v6 = icmp slt i64 0, %v1
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ 0, %guard6 ], [ %v15, %loop4 ]
%v8 = getelementptr i8, ptr %source, i64 %v7
%v9 = load <16 x i8>, ptr %v8, align 1
%v10 = sext <16 x i8> %v9 to <16 x i16>
%v11 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v12 = shufflevector <16 x i16> %v11, <16 x i16> poison, <16 x i32> zeroinitializer
%v13 = sub <16 x i16> %v10, %v12
%v14 = getelementptr i16, ptr %target, i64 %v7
store <16 x i16> %v13, ptr %v14, align 2
%v15 = add i64 %v7, 16
%v16 = icmp slt i64 %v15, %v1
br i1 %v16, label %loop4, label %end5
end5:
%v17 = icmp slt i64 %v1, %count
br i1 %v17, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v18 = phi i64 [ %v1, %guard9 ], [ %v24, %loop7 ]
%v19 = getelementptr i8, ptr %source, i64 %v18
%v20 = load i8, ptr %v19, align 1
%v21 = sext i8 %v20 to i16
%v22 = sub i16 %v21, %v0
%v23 = getelementptr i16, ptr %target, i64 %v18
store i16 %v22, ptr %v23, align 2
%v24 = add i64 %v18, 1
%v25 = icmp slt i64 %v24, %count
br i1 %v25, label %loop7, label %end8
end8:
ret void
}

define internal void @bytes_stream_1(ptr %x, ptr %w, i64 %pairs, i64 %zero, ptr %sums, i64 %first) nounwind {
entry:
%s0 = alloca <8 x i32>
%s1 = alloca <8 x i32>
%v0 = trunc i64 %zero to i16
store <8 x i32> splat (i32 0), ptr %s0
store <8 x i32> splat (i32 0), ptr %s1
%v1 = icmp eq i64 %first, 0
br i1 %v1, label %then1, label %else2
then1:
%v2 = load <8 x i32>, ptr %sums, align 4
store <8 x i32> %v2, ptr %s0
%v3 = getelementptr i32, ptr %sums, i64 8
%v4 = load <8 x i32>, ptr %v3, align 4
store <8 x i32> %v4, ptr %s1
br label %end3
else2:
br label %end3
end3:
%v5 = icmp slt i64 0, %pairs
br i1 %v5, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v6 = phi i64 [ 0, %guard6 ], [ %v63, %loop4 ]
%v7 = mul i64 %v6, 32
%v8 = add i64 %v7, 1024
%v9 = getelementptr i8, ptr %w, i64 %v8
call void @llvm.prefetch.p0(ptr %v9, i32 0, i32 3, i32 1)
%v10 = mul i64 %v6, 32
%v11 = mul i64 %v6, 32
%v12 = add i64 %v11, 16
%v13 = getelementptr i8, ptr %w, i64 %v10
%v14 = load <16 x i8>, ptr %v13, align 1
%v15 = getelementptr i8, ptr %w, i64 %v12
%v16 = load <16 x i8>, ptr %v15, align 1
%v17 = sext <16 x i8> %v14 to <16 x i16>
%v18 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v19 = shufflevector <16 x i16> %v18, <16 x i16> poison, <16 x i32> zeroinitializer
%v20 = sub <16 x i16> %v17, %v19
%v21 = sext <16 x i8> %v16 to <16 x i16>
%v22 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v23 = shufflevector <16 x i16> %v22, <16 x i16> poison, <16 x i32> zeroinitializer
%v24 = sub <16 x i16> %v21, %v23
%v25 = getelementptr i32, ptr %x, i64 %v6
%v26 = load i32, ptr %v25, align 2
%v27 = insertelement <8 x i32> poison, i32 %v26, i32 0
%v28 = shufflevector <8 x i32> %v27, <8 x i32> poison, <8 x i32> zeroinitializer
%v29 = bitcast <8 x i32> %v28 to <16 x i16>
%v30 = load <8 x i32>, ptr %s0
%v31 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v20, <16 x i16> %v29)
%v32 = add <8 x i32> %v30, %v31
store <8 x i32> %v32, ptr %s0
%v33 = load <8 x i32>, ptr %s1
%v34 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v24, <16 x i16> %v29)
%v35 = add <8 x i32> %v33, %v34
store <8 x i32> %v35, ptr %s1
%v36 = add i64 %v6, 1
%v37 = mul i64 %v36, 32
%v38 = mul i64 %v36, 32
%v39 = add i64 %v38, 16
%v40 = getelementptr i8, ptr %w, i64 %v37
%v41 = load <16 x i8>, ptr %v40, align 1
%v42 = getelementptr i8, ptr %w, i64 %v39
%v43 = load <16 x i8>, ptr %v42, align 1
%v44 = sext <16 x i8> %v41 to <16 x i16>
%v45 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v46 = shufflevector <16 x i16> %v45, <16 x i16> poison, <16 x i32> zeroinitializer
%v47 = sub <16 x i16> %v44, %v46
%v48 = sext <16 x i8> %v43 to <16 x i16>
%v49 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v50 = shufflevector <16 x i16> %v49, <16 x i16> poison, <16 x i32> zeroinitializer
%v51 = sub <16 x i16> %v48, %v50
%v52 = getelementptr i32, ptr %x, i64 %v36
%v53 = load i32, ptr %v52, align 2
%v54 = insertelement <8 x i32> poison, i32 %v53, i32 0
%v55 = shufflevector <8 x i32> %v54, <8 x i32> poison, <8 x i32> zeroinitializer
%v56 = bitcast <8 x i32> %v55 to <16 x i16>
%v57 = load <8 x i32>, ptr %s0
%v58 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v47, <16 x i16> %v56)
%v59 = add <8 x i32> %v57, %v58
store <8 x i32> %v59, ptr %s0
%v60 = load <8 x i32>, ptr %s1
%v61 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v51, <16 x i16> %v56)
%v62 = add <8 x i32> %v60, %v61
store <8 x i32> %v62, ptr %s1
%v63 = add i64 %v6, 2
%v64 = icmp slt i64 %v63, %pairs
br i1 %v64, label %loop4, label %end5
end5:
%v65 = load <8 x i32>, ptr %s0
store <8 x i32> %v65, ptr %sums, align 4
%v66 = load <8 x i32>, ptr %s1
%v67 = getelementptr i32, ptr %sums, i64 8
store <8 x i32> %v66, ptr %v67, align 4
ret void
}

define internal void @bytes_stream_2(ptr %x, ptr %w, i64 %pairs, i64 %zero, ptr %sums, i64 %first) nounwind {
entry:
%s0 = alloca <8 x i32>
%s1 = alloca <8 x i32>
%s2 = alloca <8 x i32>
%s3 = alloca <8 x i32>
%v0 = trunc i64 %zero to i16
store <8 x i32> splat (i32 0), ptr %s0
store <8 x i32> splat (i32 0), ptr %s1
store <8 x i32> splat (i32 0), ptr %s2
store <8 x i32> splat (i32 0), ptr %s3
%v1 = icmp eq i64 %first, 0
br i1 %v1, label %then1, label %else2
then1:
%v2 = load <8 x i32>, ptr %sums, align 4
store <8 x i32> %v2, ptr %s0
%v3 = getelementptr i32, ptr %sums, i64 8
%v4 = load <8 x i32>, ptr %v3, align 4
store <8 x i32> %v4, ptr %s1
%v5 = getelementptr i32, ptr %sums, i64 64
%v6 = load <8 x i32>, ptr %v5, align 4
store <8 x i32> %v6, ptr %s2
%v7 = getelementptr i32, ptr %sums, i64 72
%v8 = load <8 x i32>, ptr %v7, align 4
store <8 x i32> %v8, ptr %s3
br label %end3
else2:
br label %end3
end3:
%v9 = icmp slt i64 0, %pairs
br i1 %v9, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v10 = phi i64 [ 0, %guard6 ], [ %v91, %loop4 ]
%v11 = mul i64 %v10, 32
%v12 = add i64 %v11, 1024
%v13 = getelementptr i8, ptr %w, i64 %v12
call void @llvm.prefetch.p0(ptr %v13, i32 0, i32 3, i32 1)
%v14 = mul i64 %v10, 32
%v15 = mul i64 %v10, 32
%v16 = add i64 %v15, 16
%v17 = getelementptr i8, ptr %w, i64 %v14
%v18 = load <16 x i8>, ptr %v17, align 1
%v19 = getelementptr i8, ptr %w, i64 %v16
%v20 = load <16 x i8>, ptr %v19, align 1
%v21 = sext <16 x i8> %v18 to <16 x i16>
%v22 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v23 = shufflevector <16 x i16> %v22, <16 x i16> poison, <16 x i32> zeroinitializer
%v24 = sub <16 x i16> %v21, %v23
%v25 = sext <16 x i8> %v20 to <16 x i16>
%v26 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v27 = shufflevector <16 x i16> %v26, <16 x i16> poison, <16 x i32> zeroinitializer
%v28 = sub <16 x i16> %v25, %v27
%v29 = getelementptr i32, ptr %x, i64 %v10
%v30 = load i32, ptr %v29, align 2
%v31 = insertelement <8 x i32> poison, i32 %v30, i32 0
%v32 = shufflevector <8 x i32> %v31, <8 x i32> poison, <8 x i32> zeroinitializer
%v33 = bitcast <8 x i32> %v32 to <16 x i16>
%v34 = load <8 x i32>, ptr %s0
%v35 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v24, <16 x i16> %v33)
%v36 = add <8 x i32> %v34, %v35
store <8 x i32> %v36, ptr %s0
%v37 = load <8 x i32>, ptr %s1
%v38 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v28, <16 x i16> %v33)
%v39 = add <8 x i32> %v37, %v38
store <8 x i32> %v39, ptr %s1
%v40 = add i64 %v10, 256
%v41 = getelementptr i32, ptr %x, i64 %v40
%v42 = load i32, ptr %v41, align 2
%v43 = insertelement <8 x i32> poison, i32 %v42, i32 0
%v44 = shufflevector <8 x i32> %v43, <8 x i32> poison, <8 x i32> zeroinitializer
%v45 = bitcast <8 x i32> %v44 to <16 x i16>
%v46 = load <8 x i32>, ptr %s2
%v47 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v24, <16 x i16> %v45)
%v48 = add <8 x i32> %v46, %v47
store <8 x i32> %v48, ptr %s2
%v49 = load <8 x i32>, ptr %s3
%v50 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v28, <16 x i16> %v45)
%v51 = add <8 x i32> %v49, %v50
store <8 x i32> %v51, ptr %s3
%v52 = add i64 %v10, 1
%v53 = mul i64 %v52, 32
%v54 = mul i64 %v52, 32
%v55 = add i64 %v54, 16
%v56 = getelementptr i8, ptr %w, i64 %v53
%v57 = load <16 x i8>, ptr %v56, align 1
%v58 = getelementptr i8, ptr %w, i64 %v55
%v59 = load <16 x i8>, ptr %v58, align 1
%v60 = sext <16 x i8> %v57 to <16 x i16>
%v61 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v62 = shufflevector <16 x i16> %v61, <16 x i16> poison, <16 x i32> zeroinitializer
%v63 = sub <16 x i16> %v60, %v62
%v64 = sext <16 x i8> %v59 to <16 x i16>
%v65 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v66 = shufflevector <16 x i16> %v65, <16 x i16> poison, <16 x i32> zeroinitializer
%v67 = sub <16 x i16> %v64, %v66
%v68 = getelementptr i32, ptr %x, i64 %v52
%v69 = load i32, ptr %v68, align 2
%v70 = insertelement <8 x i32> poison, i32 %v69, i32 0
%v71 = shufflevector <8 x i32> %v70, <8 x i32> poison, <8 x i32> zeroinitializer
%v72 = bitcast <8 x i32> %v71 to <16 x i16>
%v73 = load <8 x i32>, ptr %s0
%v74 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v63, <16 x i16> %v72)
%v75 = add <8 x i32> %v73, %v74
store <8 x i32> %v75, ptr %s0
%v76 = load <8 x i32>, ptr %s1
%v77 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v67, <16 x i16> %v72)
%v78 = add <8 x i32> %v76, %v77
store <8 x i32> %v78, ptr %s1
%v79 = add i64 %v52, 256
%v80 = getelementptr i32, ptr %x, i64 %v79
%v81 = load i32, ptr %v80, align 2
%v82 = insertelement <8 x i32> poison, i32 %v81, i32 0
%v83 = shufflevector <8 x i32> %v82, <8 x i32> poison, <8 x i32> zeroinitializer
%v84 = bitcast <8 x i32> %v83 to <16 x i16>
%v85 = load <8 x i32>, ptr %s2
%v86 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v63, <16 x i16> %v84)
%v87 = add <8 x i32> %v85, %v86
store <8 x i32> %v87, ptr %s2
%v88 = load <8 x i32>, ptr %s3
%v89 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v67, <16 x i16> %v84)
%v90 = add <8 x i32> %v88, %v89
store <8 x i32> %v90, ptr %s3
%v91 = add i64 %v10, 2
%v92 = icmp slt i64 %v91, %pairs
br i1 %v92, label %loop4, label %end5
end5:
%v93 = load <8 x i32>, ptr %s0
store <8 x i32> %v93, ptr %sums, align 4
%v94 = load <8 x i32>, ptr %s1
%v95 = getelementptr i32, ptr %sums, i64 8
store <8 x i32> %v94, ptr %v95, align 4
%v96 = load <8 x i32>, ptr %s2
%v97 = getelementptr i32, ptr %sums, i64 64
store <8 x i32> %v96, ptr %v97, align 4
%v98 = load <8 x i32>, ptr %s3
%v99 = getelementptr i32, ptr %sums, i64 72
store <8 x i32> %v98, ptr %v99, align 4
ret void
}

define internal void @bytes_stream_3(ptr %x, ptr %w, i64 %pairs, i64 %zero, ptr %sums, i64 %first) nounwind {
entry:
%s0 = alloca <8 x i32>
%s1 = alloca <8 x i32>
%s2 = alloca <8 x i32>
%s3 = alloca <8 x i32>
%s4 = alloca <8 x i32>
%s5 = alloca <8 x i32>
%v0 = trunc i64 %zero to i16
store <8 x i32> splat (i32 0), ptr %s0
store <8 x i32> splat (i32 0), ptr %s1
store <8 x i32> splat (i32 0), ptr %s2
store <8 x i32> splat (i32 0), ptr %s3
store <8 x i32> splat (i32 0), ptr %s4
store <8 x i32> splat (i32 0), ptr %s5
%v1 = icmp eq i64 %first, 0
br i1 %v1, label %then1, label %else2
then1:
%v2 = load <8 x i32>, ptr %sums, align 4
store <8 x i32> %v2, ptr %s0
%v3 = getelementptr i32, ptr %sums, i64 8
%v4 = load <8 x i32>, ptr %v3, align 4
store <8 x i32> %v4, ptr %s1
%v5 = getelementptr i32, ptr %sums, i64 64
%v6 = load <8 x i32>, ptr %v5, align 4
store <8 x i32> %v6, ptr %s2
%v7 = getelementptr i32, ptr %sums, i64 72
%v8 = load <8 x i32>, ptr %v7, align 4
store <8 x i32> %v8, ptr %s3
%v9 = getelementptr i32, ptr %sums, i64 128
%v10 = load <8 x i32>, ptr %v9, align 4
store <8 x i32> %v10, ptr %s4
%v11 = getelementptr i32, ptr %sums, i64 136
%v12 = load <8 x i32>, ptr %v11, align 4
store <8 x i32> %v12, ptr %s5
br label %end3
else2:
br label %end3
end3:
%v13 = icmp slt i64 0, %pairs
br i1 %v13, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v14 = phi i64 [ 0, %guard6 ], [ %v119, %loop4 ]
%v15 = mul i64 %v14, 32
%v16 = add i64 %v15, 1024
%v17 = getelementptr i8, ptr %w, i64 %v16
call void @llvm.prefetch.p0(ptr %v17, i32 0, i32 3, i32 1)
%v18 = mul i64 %v14, 32
%v19 = mul i64 %v14, 32
%v20 = add i64 %v19, 16
%v21 = getelementptr i8, ptr %w, i64 %v18
%v22 = load <16 x i8>, ptr %v21, align 1
%v23 = getelementptr i8, ptr %w, i64 %v20
%v24 = load <16 x i8>, ptr %v23, align 1
%v25 = sext <16 x i8> %v22 to <16 x i16>
%v26 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v27 = shufflevector <16 x i16> %v26, <16 x i16> poison, <16 x i32> zeroinitializer
%v28 = sub <16 x i16> %v25, %v27
%v29 = sext <16 x i8> %v24 to <16 x i16>
%v30 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v31 = shufflevector <16 x i16> %v30, <16 x i16> poison, <16 x i32> zeroinitializer
%v32 = sub <16 x i16> %v29, %v31
%v33 = getelementptr i32, ptr %x, i64 %v14
%v34 = load i32, ptr %v33, align 2
%v35 = insertelement <8 x i32> poison, i32 %v34, i32 0
%v36 = shufflevector <8 x i32> %v35, <8 x i32> poison, <8 x i32> zeroinitializer
%v37 = bitcast <8 x i32> %v36 to <16 x i16>
%v38 = load <8 x i32>, ptr %s0
%v39 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v28, <16 x i16> %v37)
%v40 = add <8 x i32> %v38, %v39
store <8 x i32> %v40, ptr %s0
%v41 = load <8 x i32>, ptr %s1
%v42 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v32, <16 x i16> %v37)
%v43 = add <8 x i32> %v41, %v42
store <8 x i32> %v43, ptr %s1
%v44 = add i64 %v14, 256
%v45 = getelementptr i32, ptr %x, i64 %v44
%v46 = load i32, ptr %v45, align 2
%v47 = insertelement <8 x i32> poison, i32 %v46, i32 0
%v48 = shufflevector <8 x i32> %v47, <8 x i32> poison, <8 x i32> zeroinitializer
%v49 = bitcast <8 x i32> %v48 to <16 x i16>
%v50 = load <8 x i32>, ptr %s2
%v51 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v28, <16 x i16> %v49)
%v52 = add <8 x i32> %v50, %v51
store <8 x i32> %v52, ptr %s2
%v53 = load <8 x i32>, ptr %s3
%v54 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v32, <16 x i16> %v49)
%v55 = add <8 x i32> %v53, %v54
store <8 x i32> %v55, ptr %s3
%v56 = add i64 %v14, 512
%v57 = getelementptr i32, ptr %x, i64 %v56
%v58 = load i32, ptr %v57, align 2
%v59 = insertelement <8 x i32> poison, i32 %v58, i32 0
%v60 = shufflevector <8 x i32> %v59, <8 x i32> poison, <8 x i32> zeroinitializer
%v61 = bitcast <8 x i32> %v60 to <16 x i16>
%v62 = load <8 x i32>, ptr %s4
%v63 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v28, <16 x i16> %v61)
%v64 = add <8 x i32> %v62, %v63
store <8 x i32> %v64, ptr %s4
%v65 = load <8 x i32>, ptr %s5
%v66 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v32, <16 x i16> %v61)
%v67 = add <8 x i32> %v65, %v66
store <8 x i32> %v67, ptr %s5
%v68 = add i64 %v14, 1
%v69 = mul i64 %v68, 32
%v70 = mul i64 %v68, 32
%v71 = add i64 %v70, 16
%v72 = getelementptr i8, ptr %w, i64 %v69
%v73 = load <16 x i8>, ptr %v72, align 1
%v74 = getelementptr i8, ptr %w, i64 %v71
%v75 = load <16 x i8>, ptr %v74, align 1
%v76 = sext <16 x i8> %v73 to <16 x i16>
%v77 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v78 = shufflevector <16 x i16> %v77, <16 x i16> poison, <16 x i32> zeroinitializer
%v79 = sub <16 x i16> %v76, %v78
%v80 = sext <16 x i8> %v75 to <16 x i16>
%v81 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v82 = shufflevector <16 x i16> %v81, <16 x i16> poison, <16 x i32> zeroinitializer
%v83 = sub <16 x i16> %v80, %v82
%v84 = getelementptr i32, ptr %x, i64 %v68
%v85 = load i32, ptr %v84, align 2
%v86 = insertelement <8 x i32> poison, i32 %v85, i32 0
%v87 = shufflevector <8 x i32> %v86, <8 x i32> poison, <8 x i32> zeroinitializer
%v88 = bitcast <8 x i32> %v87 to <16 x i16>
%v89 = load <8 x i32>, ptr %s0
%v90 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v79, <16 x i16> %v88)
%v91 = add <8 x i32> %v89, %v90
store <8 x i32> %v91, ptr %s0
%v92 = load <8 x i32>, ptr %s1
%v93 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v83, <16 x i16> %v88)
%v94 = add <8 x i32> %v92, %v93
store <8 x i32> %v94, ptr %s1
%v95 = add i64 %v68, 256
%v96 = getelementptr i32, ptr %x, i64 %v95
%v97 = load i32, ptr %v96, align 2
%v98 = insertelement <8 x i32> poison, i32 %v97, i32 0
%v99 = shufflevector <8 x i32> %v98, <8 x i32> poison, <8 x i32> zeroinitializer
%v100 = bitcast <8 x i32> %v99 to <16 x i16>
%v101 = load <8 x i32>, ptr %s2
%v102 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v79, <16 x i16> %v100)
%v103 = add <8 x i32> %v101, %v102
store <8 x i32> %v103, ptr %s2
%v104 = load <8 x i32>, ptr %s3
%v105 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v83, <16 x i16> %v100)
%v106 = add <8 x i32> %v104, %v105
store <8 x i32> %v106, ptr %s3
%v107 = add i64 %v68, 512
%v108 = getelementptr i32, ptr %x, i64 %v107
%v109 = load i32, ptr %v108, align 2
%v110 = insertelement <8 x i32> poison, i32 %v109, i32 0
%v111 = shufflevector <8 x i32> %v110, <8 x i32> poison, <8 x i32> zeroinitializer
%v112 = bitcast <8 x i32> %v111 to <16 x i16>
%v113 = load <8 x i32>, ptr %s4
%v114 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v79, <16 x i16> %v112)
%v115 = add <8 x i32> %v113, %v114
store <8 x i32> %v115, ptr %s4
%v116 = load <8 x i32>, ptr %s5
%v117 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v83, <16 x i16> %v112)
%v118 = add <8 x i32> %v116, %v117
store <8 x i32> %v118, ptr %s5
%v119 = add i64 %v14, 2
%v120 = icmp slt i64 %v119, %pairs
br i1 %v120, label %loop4, label %end5
end5:
%v121 = load <8 x i32>, ptr %s0
store <8 x i32> %v121, ptr %sums, align 4
%v122 = load <8 x i32>, ptr %s1
%v123 = getelementptr i32, ptr %sums, i64 8
store <8 x i32> %v122, ptr %v123, align 4
%v124 = load <8 x i32>, ptr %s2
%v125 = getelementptr i32, ptr %sums, i64 64
store <8 x i32> %v124, ptr %v125, align 4
%v126 = load <8 x i32>, ptr %s3
%v127 = getelementptr i32, ptr %sums, i64 72
store <8 x i32> %v126, ptr %v127, align 4
%v128 = load <8 x i32>, ptr %s4
%v129 = getelementptr i32, ptr %sums, i64 128
store <8 x i32> %v128, ptr %v129, align 4
%v130 = load <8 x i32>, ptr %s5
%v131 = getelementptr i32, ptr %sums, i64 136
store <8 x i32> %v130, ptr %v131, align 4
ret void
}

define internal void @bytes_stream_4(ptr %x, ptr %w, i64 %pairs, i64 %zero, ptr %sums, i64 %first) nounwind {
entry:
%s0 = alloca <8 x i32>
%s1 = alloca <8 x i32>
%s2 = alloca <8 x i32>
%s3 = alloca <8 x i32>
%s4 = alloca <8 x i32>
%s5 = alloca <8 x i32>
%s6 = alloca <8 x i32>
%s7 = alloca <8 x i32>
%v0 = trunc i64 %zero to i16
store <8 x i32> splat (i32 0), ptr %s0
store <8 x i32> splat (i32 0), ptr %s1
store <8 x i32> splat (i32 0), ptr %s2
store <8 x i32> splat (i32 0), ptr %s3
store <8 x i32> splat (i32 0), ptr %s4
store <8 x i32> splat (i32 0), ptr %s5
store <8 x i32> splat (i32 0), ptr %s6
store <8 x i32> splat (i32 0), ptr %s7
%v1 = icmp eq i64 %first, 0
br i1 %v1, label %then1, label %else2
then1:
%v2 = load <8 x i32>, ptr %sums, align 4
store <8 x i32> %v2, ptr %s0
%v3 = getelementptr i32, ptr %sums, i64 8
%v4 = load <8 x i32>, ptr %v3, align 4
store <8 x i32> %v4, ptr %s1
%v5 = getelementptr i32, ptr %sums, i64 64
%v6 = load <8 x i32>, ptr %v5, align 4
store <8 x i32> %v6, ptr %s2
%v7 = getelementptr i32, ptr %sums, i64 72
%v8 = load <8 x i32>, ptr %v7, align 4
store <8 x i32> %v8, ptr %s3
%v9 = getelementptr i32, ptr %sums, i64 128
%v10 = load <8 x i32>, ptr %v9, align 4
store <8 x i32> %v10, ptr %s4
%v11 = getelementptr i32, ptr %sums, i64 136
%v12 = load <8 x i32>, ptr %v11, align 4
store <8 x i32> %v12, ptr %s5
%v13 = getelementptr i32, ptr %sums, i64 192
%v14 = load <8 x i32>, ptr %v13, align 4
store <8 x i32> %v14, ptr %s6
%v15 = getelementptr i32, ptr %sums, i64 200
%v16 = load <8 x i32>, ptr %v15, align 4
store <8 x i32> %v16, ptr %s7
br label %end3
else2:
br label %end3
end3:
%v17 = icmp slt i64 0, %pairs
br i1 %v17, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v18 = phi i64 [ 0, %guard6 ], [ %v147, %loop4 ]
%v19 = mul i64 %v18, 32
%v20 = add i64 %v19, 1024
%v21 = getelementptr i8, ptr %w, i64 %v20
call void @llvm.prefetch.p0(ptr %v21, i32 0, i32 3, i32 1)
%v22 = mul i64 %v18, 32
%v23 = mul i64 %v18, 32
%v24 = add i64 %v23, 16
%v25 = getelementptr i8, ptr %w, i64 %v22
%v26 = load <16 x i8>, ptr %v25, align 1
%v27 = getelementptr i8, ptr %w, i64 %v24
%v28 = load <16 x i8>, ptr %v27, align 1
%v29 = sext <16 x i8> %v26 to <16 x i16>
%v30 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v31 = shufflevector <16 x i16> %v30, <16 x i16> poison, <16 x i32> zeroinitializer
%v32 = sub <16 x i16> %v29, %v31
%v33 = sext <16 x i8> %v28 to <16 x i16>
%v34 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v35 = shufflevector <16 x i16> %v34, <16 x i16> poison, <16 x i32> zeroinitializer
%v36 = sub <16 x i16> %v33, %v35
%v37 = getelementptr i32, ptr %x, i64 %v18
%v38 = load i32, ptr %v37, align 2
%v39 = insertelement <8 x i32> poison, i32 %v38, i32 0
%v40 = shufflevector <8 x i32> %v39, <8 x i32> poison, <8 x i32> zeroinitializer
%v41 = bitcast <8 x i32> %v40 to <16 x i16>
%v42 = load <8 x i32>, ptr %s0
%v43 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v32, <16 x i16> %v41)
%v44 = add <8 x i32> %v42, %v43
store <8 x i32> %v44, ptr %s0
%v45 = load <8 x i32>, ptr %s1
%v46 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v36, <16 x i16> %v41)
%v47 = add <8 x i32> %v45, %v46
store <8 x i32> %v47, ptr %s1
%v48 = add i64 %v18, 256
%v49 = getelementptr i32, ptr %x, i64 %v48
%v50 = load i32, ptr %v49, align 2
%v51 = insertelement <8 x i32> poison, i32 %v50, i32 0
%v52 = shufflevector <8 x i32> %v51, <8 x i32> poison, <8 x i32> zeroinitializer
%v53 = bitcast <8 x i32> %v52 to <16 x i16>
%v54 = load <8 x i32>, ptr %s2
%v55 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v32, <16 x i16> %v53)
%v56 = add <8 x i32> %v54, %v55
store <8 x i32> %v56, ptr %s2
%v57 = load <8 x i32>, ptr %s3
%v58 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v36, <16 x i16> %v53)
%v59 = add <8 x i32> %v57, %v58
store <8 x i32> %v59, ptr %s3
%v60 = add i64 %v18, 512
%v61 = getelementptr i32, ptr %x, i64 %v60
%v62 = load i32, ptr %v61, align 2
%v63 = insertelement <8 x i32> poison, i32 %v62, i32 0
%v64 = shufflevector <8 x i32> %v63, <8 x i32> poison, <8 x i32> zeroinitializer
%v65 = bitcast <8 x i32> %v64 to <16 x i16>
%v66 = load <8 x i32>, ptr %s4
%v67 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v32, <16 x i16> %v65)
%v68 = add <8 x i32> %v66, %v67
store <8 x i32> %v68, ptr %s4
%v69 = load <8 x i32>, ptr %s5
%v70 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v36, <16 x i16> %v65)
%v71 = add <8 x i32> %v69, %v70
store <8 x i32> %v71, ptr %s5
%v72 = add i64 %v18, 768
%v73 = getelementptr i32, ptr %x, i64 %v72
%v74 = load i32, ptr %v73, align 2
%v75 = insertelement <8 x i32> poison, i32 %v74, i32 0
%v76 = shufflevector <8 x i32> %v75, <8 x i32> poison, <8 x i32> zeroinitializer
%v77 = bitcast <8 x i32> %v76 to <16 x i16>
%v78 = load <8 x i32>, ptr %s6
%v79 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v32, <16 x i16> %v77)
%v80 = add <8 x i32> %v78, %v79
store <8 x i32> %v80, ptr %s6
%v81 = load <8 x i32>, ptr %s7
%v82 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v36, <16 x i16> %v77)
%v83 = add <8 x i32> %v81, %v82
store <8 x i32> %v83, ptr %s7
%v84 = add i64 %v18, 1
%v85 = mul i64 %v84, 32
%v86 = mul i64 %v84, 32
%v87 = add i64 %v86, 16
%v88 = getelementptr i8, ptr %w, i64 %v85
%v89 = load <16 x i8>, ptr %v88, align 1
%v90 = getelementptr i8, ptr %w, i64 %v87
%v91 = load <16 x i8>, ptr %v90, align 1
%v92 = sext <16 x i8> %v89 to <16 x i16>
%v93 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v94 = shufflevector <16 x i16> %v93, <16 x i16> poison, <16 x i32> zeroinitializer
%v95 = sub <16 x i16> %v92, %v94
%v96 = sext <16 x i8> %v91 to <16 x i16>
%v97 = insertelement <16 x i16> poison, i16 %v0, i32 0
%v98 = shufflevector <16 x i16> %v97, <16 x i16> poison, <16 x i32> zeroinitializer
%v99 = sub <16 x i16> %v96, %v98
%v100 = getelementptr i32, ptr %x, i64 %v84
%v101 = load i32, ptr %v100, align 2
%v102 = insertelement <8 x i32> poison, i32 %v101, i32 0
%v103 = shufflevector <8 x i32> %v102, <8 x i32> poison, <8 x i32> zeroinitializer
%v104 = bitcast <8 x i32> %v103 to <16 x i16>
%v105 = load <8 x i32>, ptr %s0
%v106 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v95, <16 x i16> %v104)
%v107 = add <8 x i32> %v105, %v106
store <8 x i32> %v107, ptr %s0
%v108 = load <8 x i32>, ptr %s1
%v109 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v99, <16 x i16> %v104)
%v110 = add <8 x i32> %v108, %v109
store <8 x i32> %v110, ptr %s1
%v111 = add i64 %v84, 256
%v112 = getelementptr i32, ptr %x, i64 %v111
%v113 = load i32, ptr %v112, align 2
%v114 = insertelement <8 x i32> poison, i32 %v113, i32 0
%v115 = shufflevector <8 x i32> %v114, <8 x i32> poison, <8 x i32> zeroinitializer
%v116 = bitcast <8 x i32> %v115 to <16 x i16>
%v117 = load <8 x i32>, ptr %s2
%v118 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v95, <16 x i16> %v116)
%v119 = add <8 x i32> %v117, %v118
store <8 x i32> %v119, ptr %s2
%v120 = load <8 x i32>, ptr %s3
%v121 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v99, <16 x i16> %v116)
%v122 = add <8 x i32> %v120, %v121
store <8 x i32> %v122, ptr %s3
%v123 = add i64 %v84, 512
%v124 = getelementptr i32, ptr %x, i64 %v123
%v125 = load i32, ptr %v124, align 2
%v126 = insertelement <8 x i32> poison, i32 %v125, i32 0
%v127 = shufflevector <8 x i32> %v126, <8 x i32> poison, <8 x i32> zeroinitializer
%v128 = bitcast <8 x i32> %v127 to <16 x i16>
%v129 = load <8 x i32>, ptr %s4
%v130 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v95, <16 x i16> %v128)
%v131 = add <8 x i32> %v129, %v130
store <8 x i32> %v131, ptr %s4
%v132 = load <8 x i32>, ptr %s5
%v133 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v99, <16 x i16> %v128)
%v134 = add <8 x i32> %v132, %v133
store <8 x i32> %v134, ptr %s5
%v135 = add i64 %v84, 768
%v136 = getelementptr i32, ptr %x, i64 %v135
%v137 = load i32, ptr %v136, align 2
%v138 = insertelement <8 x i32> poison, i32 %v137, i32 0
%v139 = shufflevector <8 x i32> %v138, <8 x i32> poison, <8 x i32> zeroinitializer
%v140 = bitcast <8 x i32> %v139 to <16 x i16>
%v141 = load <8 x i32>, ptr %s6
%v142 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v95, <16 x i16> %v140)
%v143 = add <8 x i32> %v141, %v142
store <8 x i32> %v143, ptr %s6
%v144 = load <8 x i32>, ptr %s7
%v145 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v99, <16 x i16> %v140)
%v146 = add <8 x i32> %v144, %v145
store <8 x i32> %v146, ptr %s7
%v147 = add i64 %v18, 2
%v148 = icmp slt i64 %v147, %pairs
br i1 %v148, label %loop4, label %end5
end5:
%v149 = load <8 x i32>, ptr %s0
store <8 x i32> %v149, ptr %sums, align 4
%v150 = load <8 x i32>, ptr %s1
%v151 = getelementptr i32, ptr %sums, i64 8
store <8 x i32> %v150, ptr %v151, align 4
%v152 = load <8 x i32>, ptr %s2
%v153 = getelementptr i32, ptr %sums, i64 64
store <8 x i32> %v152, ptr %v153, align 4
%v154 = load <8 x i32>, ptr %s3
%v155 = getelementptr i32, ptr %sums, i64 72
store <8 x i32> %v154, ptr %v155, align 4
%v156 = load <8 x i32>, ptr %s4
%v157 = getelementptr i32, ptr %sums, i64 128
store <8 x i32> %v156, ptr %v157, align 4
%v158 = load <8 x i32>, ptr %s5
%v159 = getelementptr i32, ptr %sums, i64 136
store <8 x i32> %v158, ptr %v159, align 4
%v160 = load <8 x i32>, ptr %s6
%v161 = getelementptr i32, ptr %sums, i64 192
store <8 x i32> %v160, ptr %v161, align 4
%v162 = load <8 x i32>, ptr %s7
%v163 = getelementptr i32, ptr %sums, i64 200
store <8 x i32> %v162, ptr %v163, align 4
ret void
}

define internal void @bytes_tile_6(ptr %x, ptr %w, i64 %pairs, ptr %sums, i64 %first) nounwind {
entry:
%s0 = alloca <8 x i32>
%s1 = alloca <8 x i32>
%s2 = alloca <8 x i32>
%s3 = alloca <8 x i32>
%s4 = alloca <8 x i32>
%s5 = alloca <8 x i32>
%s6 = alloca <8 x i32>
%s7 = alloca <8 x i32>
%s8 = alloca <8 x i32>
%s9 = alloca <8 x i32>
%s10 = alloca <8 x i32>
%s11 = alloca <8 x i32>
store <8 x i32> splat (i32 0), ptr %s0
store <8 x i32> splat (i32 0), ptr %s1
store <8 x i32> splat (i32 0), ptr %s2
store <8 x i32> splat (i32 0), ptr %s3
store <8 x i32> splat (i32 0), ptr %s4
store <8 x i32> splat (i32 0), ptr %s5
store <8 x i32> splat (i32 0), ptr %s6
store <8 x i32> splat (i32 0), ptr %s7
store <8 x i32> splat (i32 0), ptr %s8
store <8 x i32> splat (i32 0), ptr %s9
store <8 x i32> splat (i32 0), ptr %s10
store <8 x i32> splat (i32 0), ptr %s11
%v0 = icmp eq i64 %first, 0
br i1 %v0, label %then1, label %else2
then1:
%v1 = load <8 x i32>, ptr %sums, align 4
store <8 x i32> %v1, ptr %s0
%v2 = getelementptr i32, ptr %sums, i64 8
%v3 = load <8 x i32>, ptr %v2, align 4
store <8 x i32> %v3, ptr %s1
%v4 = getelementptr i32, ptr %sums, i64 64
%v5 = load <8 x i32>, ptr %v4, align 4
store <8 x i32> %v5, ptr %s2
%v6 = getelementptr i32, ptr %sums, i64 72
%v7 = load <8 x i32>, ptr %v6, align 4
store <8 x i32> %v7, ptr %s3
%v8 = getelementptr i32, ptr %sums, i64 128
%v9 = load <8 x i32>, ptr %v8, align 4
store <8 x i32> %v9, ptr %s4
%v10 = getelementptr i32, ptr %sums, i64 136
%v11 = load <8 x i32>, ptr %v10, align 4
store <8 x i32> %v11, ptr %s5
%v12 = getelementptr i32, ptr %sums, i64 192
%v13 = load <8 x i32>, ptr %v12, align 4
store <8 x i32> %v13, ptr %s6
%v14 = getelementptr i32, ptr %sums, i64 200
%v15 = load <8 x i32>, ptr %v14, align 4
store <8 x i32> %v15, ptr %s7
%v16 = getelementptr i32, ptr %sums, i64 256
%v17 = load <8 x i32>, ptr %v16, align 4
store <8 x i32> %v17, ptr %s8
%v18 = getelementptr i32, ptr %sums, i64 264
%v19 = load <8 x i32>, ptr %v18, align 4
store <8 x i32> %v19, ptr %s9
%v20 = getelementptr i32, ptr %sums, i64 320
%v21 = load <8 x i32>, ptr %v20, align 4
store <8 x i32> %v21, ptr %s10
%v22 = getelementptr i32, ptr %sums, i64 328
%v23 = load <8 x i32>, ptr %v22, align 4
store <8 x i32> %v23, ptr %s11
br label %end3
else2:
br label %end3
end3:
%v24 = icmp slt i64 0, %pairs
br i1 %v24, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v25 = phi i64 [ 0, %guard6 ], [ %v183, %loop4 ]
%v26 = mul i64 %v25, 32
%v27 = mul i64 %v25, 32
%v28 = add i64 %v27, 16
%v29 = getelementptr i16, ptr %w, i64 %v26
%v30 = load <16 x i16>, ptr %v29, align 2
%v31 = getelementptr i16, ptr %w, i64 %v28
%v32 = load <16 x i16>, ptr %v31, align 2
%v33 = getelementptr i32, ptr %x, i64 %v25
%v34 = load i32, ptr %v33, align 2
%v35 = insertelement <8 x i32> poison, i32 %v34, i32 0
%v36 = shufflevector <8 x i32> %v35, <8 x i32> poison, <8 x i32> zeroinitializer
%v37 = bitcast <8 x i32> %v36 to <16 x i16>
%v38 = load <8 x i32>, ptr %s0
%v39 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v30, <16 x i16> %v37)
%v40 = add <8 x i32> %v38, %v39
store <8 x i32> %v40, ptr %s0
%v41 = load <8 x i32>, ptr %s1
%v42 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v32, <16 x i16> %v37)
%v43 = add <8 x i32> %v41, %v42
store <8 x i32> %v43, ptr %s1
%v44 = add i64 %v25, 256
%v45 = getelementptr i32, ptr %x, i64 %v44
%v46 = load i32, ptr %v45, align 2
%v47 = insertelement <8 x i32> poison, i32 %v46, i32 0
%v48 = shufflevector <8 x i32> %v47, <8 x i32> poison, <8 x i32> zeroinitializer
%v49 = bitcast <8 x i32> %v48 to <16 x i16>
%v50 = load <8 x i32>, ptr %s2
%v51 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v30, <16 x i16> %v49)
%v52 = add <8 x i32> %v50, %v51
store <8 x i32> %v52, ptr %s2
%v53 = load <8 x i32>, ptr %s3
%v54 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v32, <16 x i16> %v49)
%v55 = add <8 x i32> %v53, %v54
store <8 x i32> %v55, ptr %s3
%v56 = add i64 %v25, 512
%v57 = getelementptr i32, ptr %x, i64 %v56
%v58 = load i32, ptr %v57, align 2
%v59 = insertelement <8 x i32> poison, i32 %v58, i32 0
%v60 = shufflevector <8 x i32> %v59, <8 x i32> poison, <8 x i32> zeroinitializer
%v61 = bitcast <8 x i32> %v60 to <16 x i16>
%v62 = load <8 x i32>, ptr %s4
%v63 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v30, <16 x i16> %v61)
%v64 = add <8 x i32> %v62, %v63
store <8 x i32> %v64, ptr %s4
%v65 = load <8 x i32>, ptr %s5
%v66 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v32, <16 x i16> %v61)
%v67 = add <8 x i32> %v65, %v66
store <8 x i32> %v67, ptr %s5
%v68 = add i64 %v25, 768
%v69 = getelementptr i32, ptr %x, i64 %v68
%v70 = load i32, ptr %v69, align 2
%v71 = insertelement <8 x i32> poison, i32 %v70, i32 0
%v72 = shufflevector <8 x i32> %v71, <8 x i32> poison, <8 x i32> zeroinitializer
%v73 = bitcast <8 x i32> %v72 to <16 x i16>
%v74 = load <8 x i32>, ptr %s6
%v75 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v30, <16 x i16> %v73)
%v76 = add <8 x i32> %v74, %v75
store <8 x i32> %v76, ptr %s6
%v77 = load <8 x i32>, ptr %s7
%v78 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v32, <16 x i16> %v73)
%v79 = add <8 x i32> %v77, %v78
store <8 x i32> %v79, ptr %s7
%v80 = add i64 %v25, 1024
%v81 = getelementptr i32, ptr %x, i64 %v80
%v82 = load i32, ptr %v81, align 2
%v83 = insertelement <8 x i32> poison, i32 %v82, i32 0
%v84 = shufflevector <8 x i32> %v83, <8 x i32> poison, <8 x i32> zeroinitializer
%v85 = bitcast <8 x i32> %v84 to <16 x i16>
%v86 = load <8 x i32>, ptr %s8
%v87 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v30, <16 x i16> %v85)
%v88 = add <8 x i32> %v86, %v87
store <8 x i32> %v88, ptr %s8
%v89 = load <8 x i32>, ptr %s9
%v90 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v32, <16 x i16> %v85)
%v91 = add <8 x i32> %v89, %v90
store <8 x i32> %v91, ptr %s9
%v92 = add i64 %v25, 1280
%v93 = getelementptr i32, ptr %x, i64 %v92
%v94 = load i32, ptr %v93, align 2
%v95 = insertelement <8 x i32> poison, i32 %v94, i32 0
%v96 = shufflevector <8 x i32> %v95, <8 x i32> poison, <8 x i32> zeroinitializer
%v97 = bitcast <8 x i32> %v96 to <16 x i16>
%v98 = load <8 x i32>, ptr %s10
%v99 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v30, <16 x i16> %v97)
%v100 = add <8 x i32> %v98, %v99
store <8 x i32> %v100, ptr %s10
%v101 = load <8 x i32>, ptr %s11
%v102 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v32, <16 x i16> %v97)
%v103 = add <8 x i32> %v101, %v102
store <8 x i32> %v103, ptr %s11
%v104 = add i64 %v25, 1
%v105 = mul i64 %v104, 32
%v106 = mul i64 %v104, 32
%v107 = add i64 %v106, 16
%v108 = getelementptr i16, ptr %w, i64 %v105
%v109 = load <16 x i16>, ptr %v108, align 2
%v110 = getelementptr i16, ptr %w, i64 %v107
%v111 = load <16 x i16>, ptr %v110, align 2
%v112 = getelementptr i32, ptr %x, i64 %v104
%v113 = load i32, ptr %v112, align 2
%v114 = insertelement <8 x i32> poison, i32 %v113, i32 0
%v115 = shufflevector <8 x i32> %v114, <8 x i32> poison, <8 x i32> zeroinitializer
%v116 = bitcast <8 x i32> %v115 to <16 x i16>
%v117 = load <8 x i32>, ptr %s0
%v118 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v109, <16 x i16> %v116)
%v119 = add <8 x i32> %v117, %v118
store <8 x i32> %v119, ptr %s0
%v120 = load <8 x i32>, ptr %s1
%v121 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v111, <16 x i16> %v116)
%v122 = add <8 x i32> %v120, %v121
store <8 x i32> %v122, ptr %s1
%v123 = add i64 %v104, 256
%v124 = getelementptr i32, ptr %x, i64 %v123
%v125 = load i32, ptr %v124, align 2
%v126 = insertelement <8 x i32> poison, i32 %v125, i32 0
%v127 = shufflevector <8 x i32> %v126, <8 x i32> poison, <8 x i32> zeroinitializer
%v128 = bitcast <8 x i32> %v127 to <16 x i16>
%v129 = load <8 x i32>, ptr %s2
%v130 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v109, <16 x i16> %v128)
%v131 = add <8 x i32> %v129, %v130
store <8 x i32> %v131, ptr %s2
%v132 = load <8 x i32>, ptr %s3
%v133 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v111, <16 x i16> %v128)
%v134 = add <8 x i32> %v132, %v133
store <8 x i32> %v134, ptr %s3
%v135 = add i64 %v104, 512
%v136 = getelementptr i32, ptr %x, i64 %v135
%v137 = load i32, ptr %v136, align 2
%v138 = insertelement <8 x i32> poison, i32 %v137, i32 0
%v139 = shufflevector <8 x i32> %v138, <8 x i32> poison, <8 x i32> zeroinitializer
%v140 = bitcast <8 x i32> %v139 to <16 x i16>
%v141 = load <8 x i32>, ptr %s4
%v142 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v109, <16 x i16> %v140)
%v143 = add <8 x i32> %v141, %v142
store <8 x i32> %v143, ptr %s4
%v144 = load <8 x i32>, ptr %s5
%v145 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v111, <16 x i16> %v140)
%v146 = add <8 x i32> %v144, %v145
store <8 x i32> %v146, ptr %s5
%v147 = add i64 %v104, 768
%v148 = getelementptr i32, ptr %x, i64 %v147
%v149 = load i32, ptr %v148, align 2
%v150 = insertelement <8 x i32> poison, i32 %v149, i32 0
%v151 = shufflevector <8 x i32> %v150, <8 x i32> poison, <8 x i32> zeroinitializer
%v152 = bitcast <8 x i32> %v151 to <16 x i16>
%v153 = load <8 x i32>, ptr %s6
%v154 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v109, <16 x i16> %v152)
%v155 = add <8 x i32> %v153, %v154
store <8 x i32> %v155, ptr %s6
%v156 = load <8 x i32>, ptr %s7
%v157 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v111, <16 x i16> %v152)
%v158 = add <8 x i32> %v156, %v157
store <8 x i32> %v158, ptr %s7
%v159 = add i64 %v104, 1024
%v160 = getelementptr i32, ptr %x, i64 %v159
%v161 = load i32, ptr %v160, align 2
%v162 = insertelement <8 x i32> poison, i32 %v161, i32 0
%v163 = shufflevector <8 x i32> %v162, <8 x i32> poison, <8 x i32> zeroinitializer
%v164 = bitcast <8 x i32> %v163 to <16 x i16>
%v165 = load <8 x i32>, ptr %s8
%v166 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v109, <16 x i16> %v164)
%v167 = add <8 x i32> %v165, %v166
store <8 x i32> %v167, ptr %s8
%v168 = load <8 x i32>, ptr %s9
%v169 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v111, <16 x i16> %v164)
%v170 = add <8 x i32> %v168, %v169
store <8 x i32> %v170, ptr %s9
%v171 = add i64 %v104, 1280
%v172 = getelementptr i32, ptr %x, i64 %v171
%v173 = load i32, ptr %v172, align 2
%v174 = insertelement <8 x i32> poison, i32 %v173, i32 0
%v175 = shufflevector <8 x i32> %v174, <8 x i32> poison, <8 x i32> zeroinitializer
%v176 = bitcast <8 x i32> %v175 to <16 x i16>
%v177 = load <8 x i32>, ptr %s10
%v178 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v109, <16 x i16> %v176)
%v179 = add <8 x i32> %v177, %v178
store <8 x i32> %v179, ptr %s10
%v180 = load <8 x i32>, ptr %s11
%v181 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v111, <16 x i16> %v176)
%v182 = add <8 x i32> %v180, %v181
store <8 x i32> %v182, ptr %s11
%v183 = add i64 %v25, 2
%v184 = icmp slt i64 %v183, %pairs
br i1 %v184, label %loop4, label %end5
end5:
%v185 = load <8 x i32>, ptr %s0
store <8 x i32> %v185, ptr %sums, align 4
%v186 = load <8 x i32>, ptr %s1
%v187 = getelementptr i32, ptr %sums, i64 8
store <8 x i32> %v186, ptr %v187, align 4
%v188 = load <8 x i32>, ptr %s2
%v189 = getelementptr i32, ptr %sums, i64 64
store <8 x i32> %v188, ptr %v189, align 4
%v190 = load <8 x i32>, ptr %s3
%v191 = getelementptr i32, ptr %sums, i64 72
store <8 x i32> %v190, ptr %v191, align 4
%v192 = load <8 x i32>, ptr %s4
%v193 = getelementptr i32, ptr %sums, i64 128
store <8 x i32> %v192, ptr %v193, align 4
%v194 = load <8 x i32>, ptr %s5
%v195 = getelementptr i32, ptr %sums, i64 136
store <8 x i32> %v194, ptr %v195, align 4
%v196 = load <8 x i32>, ptr %s6
%v197 = getelementptr i32, ptr %sums, i64 192
store <8 x i32> %v196, ptr %v197, align 4
%v198 = load <8 x i32>, ptr %s7
%v199 = getelementptr i32, ptr %sums, i64 200
store <8 x i32> %v198, ptr %v199, align 4
%v200 = load <8 x i32>, ptr %s8
%v201 = getelementptr i32, ptr %sums, i64 256
store <8 x i32> %v200, ptr %v201, align 4
%v202 = load <8 x i32>, ptr %s9
%v203 = getelementptr i32, ptr %sums, i64 264
store <8 x i32> %v202, ptr %v203, align 4
%v204 = load <8 x i32>, ptr %s10
%v205 = getelementptr i32, ptr %sums, i64 320
store <8 x i32> %v204, ptr %v205, align 4
%v206 = load <8 x i32>, ptr %s11
%v207 = getelementptr i32, ptr %sums, i64 328
store <8 x i32> %v206, ptr %v207, align 4
ret void
}

define internal void @bytes_tile_1(ptr %x, ptr %w, i64 %pairs, ptr %sums, i64 %first) nounwind {
entry:
%s0 = alloca <8 x i32>
%s1 = alloca <8 x i32>
store <8 x i32> splat (i32 0), ptr %s0
store <8 x i32> splat (i32 0), ptr %s1
%v0 = icmp eq i64 %first, 0
br i1 %v0, label %then1, label %else2
then1:
%v1 = load <8 x i32>, ptr %sums, align 4
store <8 x i32> %v1, ptr %s0
%v2 = getelementptr i32, ptr %sums, i64 8
%v3 = load <8 x i32>, ptr %v2, align 4
store <8 x i32> %v3, ptr %s1
br label %end3
else2:
br label %end3
end3:
%v4 = icmp slt i64 0, %pairs
br i1 %v4, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v5 = phi i64 [ 0, %guard6 ], [ %v43, %loop4 ]
%v6 = mul i64 %v5, 32
%v7 = mul i64 %v5, 32
%v8 = add i64 %v7, 16
%v9 = getelementptr i16, ptr %w, i64 %v6
%v10 = load <16 x i16>, ptr %v9, align 2
%v11 = getelementptr i16, ptr %w, i64 %v8
%v12 = load <16 x i16>, ptr %v11, align 2
%v13 = getelementptr i32, ptr %x, i64 %v5
%v14 = load i32, ptr %v13, align 2
%v15 = insertelement <8 x i32> poison, i32 %v14, i32 0
%v16 = shufflevector <8 x i32> %v15, <8 x i32> poison, <8 x i32> zeroinitializer
%v17 = bitcast <8 x i32> %v16 to <16 x i16>
%v18 = load <8 x i32>, ptr %s0
%v19 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v10, <16 x i16> %v17)
%v20 = add <8 x i32> %v18, %v19
store <8 x i32> %v20, ptr %s0
%v21 = load <8 x i32>, ptr %s1
%v22 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v12, <16 x i16> %v17)
%v23 = add <8 x i32> %v21, %v22
store <8 x i32> %v23, ptr %s1
%v24 = add i64 %v5, 1
%v25 = mul i64 %v24, 32
%v26 = mul i64 %v24, 32
%v27 = add i64 %v26, 16
%v28 = getelementptr i16, ptr %w, i64 %v25
%v29 = load <16 x i16>, ptr %v28, align 2
%v30 = getelementptr i16, ptr %w, i64 %v27
%v31 = load <16 x i16>, ptr %v30, align 2
%v32 = getelementptr i32, ptr %x, i64 %v24
%v33 = load i32, ptr %v32, align 2
%v34 = insertelement <8 x i32> poison, i32 %v33, i32 0
%v35 = shufflevector <8 x i32> %v34, <8 x i32> poison, <8 x i32> zeroinitializer
%v36 = bitcast <8 x i32> %v35 to <16 x i16>
%v37 = load <8 x i32>, ptr %s0
%v38 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v29, <16 x i16> %v36)
%v39 = add <8 x i32> %v37, %v38
store <8 x i32> %v39, ptr %s0
%v40 = load <8 x i32>, ptr %s1
%v41 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v31, <16 x i16> %v36)
%v42 = add <8 x i32> %v40, %v41
store <8 x i32> %v42, ptr %s1
%v43 = add i64 %v5, 2
%v44 = icmp slt i64 %v43, %pairs
br i1 %v44, label %loop4, label %end5
end5:
%v45 = load <8 x i32>, ptr %s0
store <8 x i32> %v45, ptr %sums, align 4
%v46 = load <8 x i32>, ptr %s1
%v47 = getelementptr i32, ptr %sums, i64 8
store <8 x i32> %v46, ptr %v47, align 4
ret void
}

define internal void @bytes_tile_2(ptr %x, ptr %w, i64 %pairs, ptr %sums, i64 %first) nounwind {
entry:
%s0 = alloca <8 x i32>
%s1 = alloca <8 x i32>
%s2 = alloca <8 x i32>
%s3 = alloca <8 x i32>
store <8 x i32> splat (i32 0), ptr %s0
store <8 x i32> splat (i32 0), ptr %s1
store <8 x i32> splat (i32 0), ptr %s2
store <8 x i32> splat (i32 0), ptr %s3
%v0 = icmp eq i64 %first, 0
br i1 %v0, label %then1, label %else2
then1:
%v1 = load <8 x i32>, ptr %sums, align 4
store <8 x i32> %v1, ptr %s0
%v2 = getelementptr i32, ptr %sums, i64 8
%v3 = load <8 x i32>, ptr %v2, align 4
store <8 x i32> %v3, ptr %s1
%v4 = getelementptr i32, ptr %sums, i64 64
%v5 = load <8 x i32>, ptr %v4, align 4
store <8 x i32> %v5, ptr %s2
%v6 = getelementptr i32, ptr %sums, i64 72
%v7 = load <8 x i32>, ptr %v6, align 4
store <8 x i32> %v7, ptr %s3
br label %end3
else2:
br label %end3
end3:
%v8 = icmp slt i64 0, %pairs
br i1 %v8, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v9 = phi i64 [ 0, %guard6 ], [ %v71, %loop4 ]
%v10 = mul i64 %v9, 32
%v11 = mul i64 %v9, 32
%v12 = add i64 %v11, 16
%v13 = getelementptr i16, ptr %w, i64 %v10
%v14 = load <16 x i16>, ptr %v13, align 2
%v15 = getelementptr i16, ptr %w, i64 %v12
%v16 = load <16 x i16>, ptr %v15, align 2
%v17 = getelementptr i32, ptr %x, i64 %v9
%v18 = load i32, ptr %v17, align 2
%v19 = insertelement <8 x i32> poison, i32 %v18, i32 0
%v20 = shufflevector <8 x i32> %v19, <8 x i32> poison, <8 x i32> zeroinitializer
%v21 = bitcast <8 x i32> %v20 to <16 x i16>
%v22 = load <8 x i32>, ptr %s0
%v23 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v14, <16 x i16> %v21)
%v24 = add <8 x i32> %v22, %v23
store <8 x i32> %v24, ptr %s0
%v25 = load <8 x i32>, ptr %s1
%v26 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v16, <16 x i16> %v21)
%v27 = add <8 x i32> %v25, %v26
store <8 x i32> %v27, ptr %s1
%v28 = add i64 %v9, 256
%v29 = getelementptr i32, ptr %x, i64 %v28
%v30 = load i32, ptr %v29, align 2
%v31 = insertelement <8 x i32> poison, i32 %v30, i32 0
%v32 = shufflevector <8 x i32> %v31, <8 x i32> poison, <8 x i32> zeroinitializer
%v33 = bitcast <8 x i32> %v32 to <16 x i16>
%v34 = load <8 x i32>, ptr %s2
%v35 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v14, <16 x i16> %v33)
%v36 = add <8 x i32> %v34, %v35
store <8 x i32> %v36, ptr %s2
%v37 = load <8 x i32>, ptr %s3
%v38 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v16, <16 x i16> %v33)
%v39 = add <8 x i32> %v37, %v38
store <8 x i32> %v39, ptr %s3
%v40 = add i64 %v9, 1
%v41 = mul i64 %v40, 32
%v42 = mul i64 %v40, 32
%v43 = add i64 %v42, 16
%v44 = getelementptr i16, ptr %w, i64 %v41
%v45 = load <16 x i16>, ptr %v44, align 2
%v46 = getelementptr i16, ptr %w, i64 %v43
%v47 = load <16 x i16>, ptr %v46, align 2
%v48 = getelementptr i32, ptr %x, i64 %v40
%v49 = load i32, ptr %v48, align 2
%v50 = insertelement <8 x i32> poison, i32 %v49, i32 0
%v51 = shufflevector <8 x i32> %v50, <8 x i32> poison, <8 x i32> zeroinitializer
%v52 = bitcast <8 x i32> %v51 to <16 x i16>
%v53 = load <8 x i32>, ptr %s0
%v54 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v45, <16 x i16> %v52)
%v55 = add <8 x i32> %v53, %v54
store <8 x i32> %v55, ptr %s0
%v56 = load <8 x i32>, ptr %s1
%v57 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v47, <16 x i16> %v52)
%v58 = add <8 x i32> %v56, %v57
store <8 x i32> %v58, ptr %s1
%v59 = add i64 %v40, 256
%v60 = getelementptr i32, ptr %x, i64 %v59
%v61 = load i32, ptr %v60, align 2
%v62 = insertelement <8 x i32> poison, i32 %v61, i32 0
%v63 = shufflevector <8 x i32> %v62, <8 x i32> poison, <8 x i32> zeroinitializer
%v64 = bitcast <8 x i32> %v63 to <16 x i16>
%v65 = load <8 x i32>, ptr %s2
%v66 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v45, <16 x i16> %v64)
%v67 = add <8 x i32> %v65, %v66
store <8 x i32> %v67, ptr %s2
%v68 = load <8 x i32>, ptr %s3
%v69 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v47, <16 x i16> %v64)
%v70 = add <8 x i32> %v68, %v69
store <8 x i32> %v70, ptr %s3
%v71 = add i64 %v9, 2
%v72 = icmp slt i64 %v71, %pairs
br i1 %v72, label %loop4, label %end5
end5:
%v73 = load <8 x i32>, ptr %s0
store <8 x i32> %v73, ptr %sums, align 4
%v74 = load <8 x i32>, ptr %s1
%v75 = getelementptr i32, ptr %sums, i64 8
store <8 x i32> %v74, ptr %v75, align 4
%v76 = load <8 x i32>, ptr %s2
%v77 = getelementptr i32, ptr %sums, i64 64
store <8 x i32> %v76, ptr %v77, align 4
%v78 = load <8 x i32>, ptr %s3
%v79 = getelementptr i32, ptr %sums, i64 72
store <8 x i32> %v78, ptr %v79, align 4
ret void
}

define internal void @bytes_tile_3(ptr %x, ptr %w, i64 %pairs, ptr %sums, i64 %first) nounwind {
entry:
%s0 = alloca <8 x i32>
%s1 = alloca <8 x i32>
%s2 = alloca <8 x i32>
%s3 = alloca <8 x i32>
%s4 = alloca <8 x i32>
%s5 = alloca <8 x i32>
store <8 x i32> splat (i32 0), ptr %s0
store <8 x i32> splat (i32 0), ptr %s1
store <8 x i32> splat (i32 0), ptr %s2
store <8 x i32> splat (i32 0), ptr %s3
store <8 x i32> splat (i32 0), ptr %s4
store <8 x i32> splat (i32 0), ptr %s5
%v0 = icmp eq i64 %first, 0
br i1 %v0, label %then1, label %else2
then1:
%v1 = load <8 x i32>, ptr %sums, align 4
store <8 x i32> %v1, ptr %s0
%v2 = getelementptr i32, ptr %sums, i64 8
%v3 = load <8 x i32>, ptr %v2, align 4
store <8 x i32> %v3, ptr %s1
%v4 = getelementptr i32, ptr %sums, i64 64
%v5 = load <8 x i32>, ptr %v4, align 4
store <8 x i32> %v5, ptr %s2
%v6 = getelementptr i32, ptr %sums, i64 72
%v7 = load <8 x i32>, ptr %v6, align 4
store <8 x i32> %v7, ptr %s3
%v8 = getelementptr i32, ptr %sums, i64 128
%v9 = load <8 x i32>, ptr %v8, align 4
store <8 x i32> %v9, ptr %s4
%v10 = getelementptr i32, ptr %sums, i64 136
%v11 = load <8 x i32>, ptr %v10, align 4
store <8 x i32> %v11, ptr %s5
br label %end3
else2:
br label %end3
end3:
%v12 = icmp slt i64 0, %pairs
br i1 %v12, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v13 = phi i64 [ 0, %guard6 ], [ %v99, %loop4 ]
%v14 = mul i64 %v13, 32
%v15 = mul i64 %v13, 32
%v16 = add i64 %v15, 16
%v17 = getelementptr i16, ptr %w, i64 %v14
%v18 = load <16 x i16>, ptr %v17, align 2
%v19 = getelementptr i16, ptr %w, i64 %v16
%v20 = load <16 x i16>, ptr %v19, align 2
%v21 = getelementptr i32, ptr %x, i64 %v13
%v22 = load i32, ptr %v21, align 2
%v23 = insertelement <8 x i32> poison, i32 %v22, i32 0
%v24 = shufflevector <8 x i32> %v23, <8 x i32> poison, <8 x i32> zeroinitializer
%v25 = bitcast <8 x i32> %v24 to <16 x i16>
%v26 = load <8 x i32>, ptr %s0
%v27 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v18, <16 x i16> %v25)
%v28 = add <8 x i32> %v26, %v27
store <8 x i32> %v28, ptr %s0
%v29 = load <8 x i32>, ptr %s1
%v30 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v20, <16 x i16> %v25)
%v31 = add <8 x i32> %v29, %v30
store <8 x i32> %v31, ptr %s1
%v32 = add i64 %v13, 256
%v33 = getelementptr i32, ptr %x, i64 %v32
%v34 = load i32, ptr %v33, align 2
%v35 = insertelement <8 x i32> poison, i32 %v34, i32 0
%v36 = shufflevector <8 x i32> %v35, <8 x i32> poison, <8 x i32> zeroinitializer
%v37 = bitcast <8 x i32> %v36 to <16 x i16>
%v38 = load <8 x i32>, ptr %s2
%v39 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v18, <16 x i16> %v37)
%v40 = add <8 x i32> %v38, %v39
store <8 x i32> %v40, ptr %s2
%v41 = load <8 x i32>, ptr %s3
%v42 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v20, <16 x i16> %v37)
%v43 = add <8 x i32> %v41, %v42
store <8 x i32> %v43, ptr %s3
%v44 = add i64 %v13, 512
%v45 = getelementptr i32, ptr %x, i64 %v44
%v46 = load i32, ptr %v45, align 2
%v47 = insertelement <8 x i32> poison, i32 %v46, i32 0
%v48 = shufflevector <8 x i32> %v47, <8 x i32> poison, <8 x i32> zeroinitializer
%v49 = bitcast <8 x i32> %v48 to <16 x i16>
%v50 = load <8 x i32>, ptr %s4
%v51 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v18, <16 x i16> %v49)
%v52 = add <8 x i32> %v50, %v51
store <8 x i32> %v52, ptr %s4
%v53 = load <8 x i32>, ptr %s5
%v54 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v20, <16 x i16> %v49)
%v55 = add <8 x i32> %v53, %v54
store <8 x i32> %v55, ptr %s5
%v56 = add i64 %v13, 1
%v57 = mul i64 %v56, 32
%v58 = mul i64 %v56, 32
%v59 = add i64 %v58, 16
%v60 = getelementptr i16, ptr %w, i64 %v57
%v61 = load <16 x i16>, ptr %v60, align 2
%v62 = getelementptr i16, ptr %w, i64 %v59
%v63 = load <16 x i16>, ptr %v62, align 2
%v64 = getelementptr i32, ptr %x, i64 %v56
%v65 = load i32, ptr %v64, align 2
%v66 = insertelement <8 x i32> poison, i32 %v65, i32 0
%v67 = shufflevector <8 x i32> %v66, <8 x i32> poison, <8 x i32> zeroinitializer
%v68 = bitcast <8 x i32> %v67 to <16 x i16>
%v69 = load <8 x i32>, ptr %s0
%v70 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v61, <16 x i16> %v68)
%v71 = add <8 x i32> %v69, %v70
store <8 x i32> %v71, ptr %s0
%v72 = load <8 x i32>, ptr %s1
%v73 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v63, <16 x i16> %v68)
%v74 = add <8 x i32> %v72, %v73
store <8 x i32> %v74, ptr %s1
%v75 = add i64 %v56, 256
%v76 = getelementptr i32, ptr %x, i64 %v75
%v77 = load i32, ptr %v76, align 2
%v78 = insertelement <8 x i32> poison, i32 %v77, i32 0
%v79 = shufflevector <8 x i32> %v78, <8 x i32> poison, <8 x i32> zeroinitializer
%v80 = bitcast <8 x i32> %v79 to <16 x i16>
%v81 = load <8 x i32>, ptr %s2
%v82 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v61, <16 x i16> %v80)
%v83 = add <8 x i32> %v81, %v82
store <8 x i32> %v83, ptr %s2
%v84 = load <8 x i32>, ptr %s3
%v85 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v63, <16 x i16> %v80)
%v86 = add <8 x i32> %v84, %v85
store <8 x i32> %v86, ptr %s3
%v87 = add i64 %v56, 512
%v88 = getelementptr i32, ptr %x, i64 %v87
%v89 = load i32, ptr %v88, align 2
%v90 = insertelement <8 x i32> poison, i32 %v89, i32 0
%v91 = shufflevector <8 x i32> %v90, <8 x i32> poison, <8 x i32> zeroinitializer
%v92 = bitcast <8 x i32> %v91 to <16 x i16>
%v93 = load <8 x i32>, ptr %s4
%v94 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v61, <16 x i16> %v92)
%v95 = add <8 x i32> %v93, %v94
store <8 x i32> %v95, ptr %s4
%v96 = load <8 x i32>, ptr %s5
%v97 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v63, <16 x i16> %v92)
%v98 = add <8 x i32> %v96, %v97
store <8 x i32> %v98, ptr %s5
%v99 = add i64 %v13, 2
%v100 = icmp slt i64 %v99, %pairs
br i1 %v100, label %loop4, label %end5
end5:
%v101 = load <8 x i32>, ptr %s0
store <8 x i32> %v101, ptr %sums, align 4
%v102 = load <8 x i32>, ptr %s1
%v103 = getelementptr i32, ptr %sums, i64 8
store <8 x i32> %v102, ptr %v103, align 4
%v104 = load <8 x i32>, ptr %s2
%v105 = getelementptr i32, ptr %sums, i64 64
store <8 x i32> %v104, ptr %v105, align 4
%v106 = load <8 x i32>, ptr %s3
%v107 = getelementptr i32, ptr %sums, i64 72
store <8 x i32> %v106, ptr %v107, align 4
%v108 = load <8 x i32>, ptr %s4
%v109 = getelementptr i32, ptr %sums, i64 128
store <8 x i32> %v108, ptr %v109, align 4
%v110 = load <8 x i32>, ptr %s5
%v111 = getelementptr i32, ptr %sums, i64 136
store <8 x i32> %v110, ptr %v111, align 4
ret void
}

define internal void @bytes_tile_4(ptr %x, ptr %w, i64 %pairs, ptr %sums, i64 %first) nounwind {
entry:
%s0 = alloca <8 x i32>
%s1 = alloca <8 x i32>
%s2 = alloca <8 x i32>
%s3 = alloca <8 x i32>
%s4 = alloca <8 x i32>
%s5 = alloca <8 x i32>
%s6 = alloca <8 x i32>
%s7 = alloca <8 x i32>
store <8 x i32> splat (i32 0), ptr %s0
store <8 x i32> splat (i32 0), ptr %s1
store <8 x i32> splat (i32 0), ptr %s2
store <8 x i32> splat (i32 0), ptr %s3
store <8 x i32> splat (i32 0), ptr %s4
store <8 x i32> splat (i32 0), ptr %s5
store <8 x i32> splat (i32 0), ptr %s6
store <8 x i32> splat (i32 0), ptr %s7
%v0 = icmp eq i64 %first, 0
br i1 %v0, label %then1, label %else2
then1:
%v1 = load <8 x i32>, ptr %sums, align 4
store <8 x i32> %v1, ptr %s0
%v2 = getelementptr i32, ptr %sums, i64 8
%v3 = load <8 x i32>, ptr %v2, align 4
store <8 x i32> %v3, ptr %s1
%v4 = getelementptr i32, ptr %sums, i64 64
%v5 = load <8 x i32>, ptr %v4, align 4
store <8 x i32> %v5, ptr %s2
%v6 = getelementptr i32, ptr %sums, i64 72
%v7 = load <8 x i32>, ptr %v6, align 4
store <8 x i32> %v7, ptr %s3
%v8 = getelementptr i32, ptr %sums, i64 128
%v9 = load <8 x i32>, ptr %v8, align 4
store <8 x i32> %v9, ptr %s4
%v10 = getelementptr i32, ptr %sums, i64 136
%v11 = load <8 x i32>, ptr %v10, align 4
store <8 x i32> %v11, ptr %s5
%v12 = getelementptr i32, ptr %sums, i64 192
%v13 = load <8 x i32>, ptr %v12, align 4
store <8 x i32> %v13, ptr %s6
%v14 = getelementptr i32, ptr %sums, i64 200
%v15 = load <8 x i32>, ptr %v14, align 4
store <8 x i32> %v15, ptr %s7
br label %end3
else2:
br label %end3
end3:
%v16 = icmp slt i64 0, %pairs
br i1 %v16, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v17 = phi i64 [ 0, %guard6 ], [ %v127, %loop4 ]
%v18 = mul i64 %v17, 32
%v19 = mul i64 %v17, 32
%v20 = add i64 %v19, 16
%v21 = getelementptr i16, ptr %w, i64 %v18
%v22 = load <16 x i16>, ptr %v21, align 2
%v23 = getelementptr i16, ptr %w, i64 %v20
%v24 = load <16 x i16>, ptr %v23, align 2
%v25 = getelementptr i32, ptr %x, i64 %v17
%v26 = load i32, ptr %v25, align 2
%v27 = insertelement <8 x i32> poison, i32 %v26, i32 0
%v28 = shufflevector <8 x i32> %v27, <8 x i32> poison, <8 x i32> zeroinitializer
%v29 = bitcast <8 x i32> %v28 to <16 x i16>
%v30 = load <8 x i32>, ptr %s0
%v31 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v22, <16 x i16> %v29)
%v32 = add <8 x i32> %v30, %v31
store <8 x i32> %v32, ptr %s0
%v33 = load <8 x i32>, ptr %s1
%v34 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v24, <16 x i16> %v29)
%v35 = add <8 x i32> %v33, %v34
store <8 x i32> %v35, ptr %s1
%v36 = add i64 %v17, 256
%v37 = getelementptr i32, ptr %x, i64 %v36
%v38 = load i32, ptr %v37, align 2
%v39 = insertelement <8 x i32> poison, i32 %v38, i32 0
%v40 = shufflevector <8 x i32> %v39, <8 x i32> poison, <8 x i32> zeroinitializer
%v41 = bitcast <8 x i32> %v40 to <16 x i16>
%v42 = load <8 x i32>, ptr %s2
%v43 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v22, <16 x i16> %v41)
%v44 = add <8 x i32> %v42, %v43
store <8 x i32> %v44, ptr %s2
%v45 = load <8 x i32>, ptr %s3
%v46 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v24, <16 x i16> %v41)
%v47 = add <8 x i32> %v45, %v46
store <8 x i32> %v47, ptr %s3
%v48 = add i64 %v17, 512
%v49 = getelementptr i32, ptr %x, i64 %v48
%v50 = load i32, ptr %v49, align 2
%v51 = insertelement <8 x i32> poison, i32 %v50, i32 0
%v52 = shufflevector <8 x i32> %v51, <8 x i32> poison, <8 x i32> zeroinitializer
%v53 = bitcast <8 x i32> %v52 to <16 x i16>
%v54 = load <8 x i32>, ptr %s4
%v55 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v22, <16 x i16> %v53)
%v56 = add <8 x i32> %v54, %v55
store <8 x i32> %v56, ptr %s4
%v57 = load <8 x i32>, ptr %s5
%v58 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v24, <16 x i16> %v53)
%v59 = add <8 x i32> %v57, %v58
store <8 x i32> %v59, ptr %s5
%v60 = add i64 %v17, 768
%v61 = getelementptr i32, ptr %x, i64 %v60
%v62 = load i32, ptr %v61, align 2
%v63 = insertelement <8 x i32> poison, i32 %v62, i32 0
%v64 = shufflevector <8 x i32> %v63, <8 x i32> poison, <8 x i32> zeroinitializer
%v65 = bitcast <8 x i32> %v64 to <16 x i16>
%v66 = load <8 x i32>, ptr %s6
%v67 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v22, <16 x i16> %v65)
%v68 = add <8 x i32> %v66, %v67
store <8 x i32> %v68, ptr %s6
%v69 = load <8 x i32>, ptr %s7
%v70 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v24, <16 x i16> %v65)
%v71 = add <8 x i32> %v69, %v70
store <8 x i32> %v71, ptr %s7
%v72 = add i64 %v17, 1
%v73 = mul i64 %v72, 32
%v74 = mul i64 %v72, 32
%v75 = add i64 %v74, 16
%v76 = getelementptr i16, ptr %w, i64 %v73
%v77 = load <16 x i16>, ptr %v76, align 2
%v78 = getelementptr i16, ptr %w, i64 %v75
%v79 = load <16 x i16>, ptr %v78, align 2
%v80 = getelementptr i32, ptr %x, i64 %v72
%v81 = load i32, ptr %v80, align 2
%v82 = insertelement <8 x i32> poison, i32 %v81, i32 0
%v83 = shufflevector <8 x i32> %v82, <8 x i32> poison, <8 x i32> zeroinitializer
%v84 = bitcast <8 x i32> %v83 to <16 x i16>
%v85 = load <8 x i32>, ptr %s0
%v86 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v77, <16 x i16> %v84)
%v87 = add <8 x i32> %v85, %v86
store <8 x i32> %v87, ptr %s0
%v88 = load <8 x i32>, ptr %s1
%v89 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v79, <16 x i16> %v84)
%v90 = add <8 x i32> %v88, %v89
store <8 x i32> %v90, ptr %s1
%v91 = add i64 %v72, 256
%v92 = getelementptr i32, ptr %x, i64 %v91
%v93 = load i32, ptr %v92, align 2
%v94 = insertelement <8 x i32> poison, i32 %v93, i32 0
%v95 = shufflevector <8 x i32> %v94, <8 x i32> poison, <8 x i32> zeroinitializer
%v96 = bitcast <8 x i32> %v95 to <16 x i16>
%v97 = load <8 x i32>, ptr %s2
%v98 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v77, <16 x i16> %v96)
%v99 = add <8 x i32> %v97, %v98
store <8 x i32> %v99, ptr %s2
%v100 = load <8 x i32>, ptr %s3
%v101 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v79, <16 x i16> %v96)
%v102 = add <8 x i32> %v100, %v101
store <8 x i32> %v102, ptr %s3
%v103 = add i64 %v72, 512
%v104 = getelementptr i32, ptr %x, i64 %v103
%v105 = load i32, ptr %v104, align 2
%v106 = insertelement <8 x i32> poison, i32 %v105, i32 0
%v107 = shufflevector <8 x i32> %v106, <8 x i32> poison, <8 x i32> zeroinitializer
%v108 = bitcast <8 x i32> %v107 to <16 x i16>
%v109 = load <8 x i32>, ptr %s4
%v110 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v77, <16 x i16> %v108)
%v111 = add <8 x i32> %v109, %v110
store <8 x i32> %v111, ptr %s4
%v112 = load <8 x i32>, ptr %s5
%v113 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v79, <16 x i16> %v108)
%v114 = add <8 x i32> %v112, %v113
store <8 x i32> %v114, ptr %s5
%v115 = add i64 %v72, 768
%v116 = getelementptr i32, ptr %x, i64 %v115
%v117 = load i32, ptr %v116, align 2
%v118 = insertelement <8 x i32> poison, i32 %v117, i32 0
%v119 = shufflevector <8 x i32> %v118, <8 x i32> poison, <8 x i32> zeroinitializer
%v120 = bitcast <8 x i32> %v119 to <16 x i16>
%v121 = load <8 x i32>, ptr %s6
%v122 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v77, <16 x i16> %v120)
%v123 = add <8 x i32> %v121, %v122
store <8 x i32> %v123, ptr %s6
%v124 = load <8 x i32>, ptr %s7
%v125 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v79, <16 x i16> %v120)
%v126 = add <8 x i32> %v124, %v125
store <8 x i32> %v126, ptr %s7
%v127 = add i64 %v17, 2
%v128 = icmp slt i64 %v127, %pairs
br i1 %v128, label %loop4, label %end5
end5:
%v129 = load <8 x i32>, ptr %s0
store <8 x i32> %v129, ptr %sums, align 4
%v130 = load <8 x i32>, ptr %s1
%v131 = getelementptr i32, ptr %sums, i64 8
store <8 x i32> %v130, ptr %v131, align 4
%v132 = load <8 x i32>, ptr %s2
%v133 = getelementptr i32, ptr %sums, i64 64
store <8 x i32> %v132, ptr %v133, align 4
%v134 = load <8 x i32>, ptr %s3
%v135 = getelementptr i32, ptr %sums, i64 72
store <8 x i32> %v134, ptr %v135, align 4
%v136 = load <8 x i32>, ptr %s4
%v137 = getelementptr i32, ptr %sums, i64 128
store <8 x i32> %v136, ptr %v137, align 4
%v138 = load <8 x i32>, ptr %s5
%v139 = getelementptr i32, ptr %sums, i64 136
store <8 x i32> %v138, ptr %v139, align 4
%v140 = load <8 x i32>, ptr %s6
%v141 = getelementptr i32, ptr %sums, i64 192
store <8 x i32> %v140, ptr %v141, align 4
%v142 = load <8 x i32>, ptr %s7
%v143 = getelementptr i32, ptr %sums, i64 200
store <8 x i32> %v142, ptr %v143, align 4
ret void
}

define internal void @bytes_tile_5(ptr %x, ptr %w, i64 %pairs, ptr %sums, i64 %first) nounwind {
entry:
%s0 = alloca <8 x i32>
%s1 = alloca <8 x i32>
%s2 = alloca <8 x i32>
%s3 = alloca <8 x i32>
%s4 = alloca <8 x i32>
%s5 = alloca <8 x i32>
%s6 = alloca <8 x i32>
%s7 = alloca <8 x i32>
%s8 = alloca <8 x i32>
%s9 = alloca <8 x i32>
store <8 x i32> splat (i32 0), ptr %s0
store <8 x i32> splat (i32 0), ptr %s1
store <8 x i32> splat (i32 0), ptr %s2
store <8 x i32> splat (i32 0), ptr %s3
store <8 x i32> splat (i32 0), ptr %s4
store <8 x i32> splat (i32 0), ptr %s5
store <8 x i32> splat (i32 0), ptr %s6
store <8 x i32> splat (i32 0), ptr %s7
store <8 x i32> splat (i32 0), ptr %s8
store <8 x i32> splat (i32 0), ptr %s9
%v0 = icmp eq i64 %first, 0
br i1 %v0, label %then1, label %else2
then1:
%v1 = load <8 x i32>, ptr %sums, align 4
store <8 x i32> %v1, ptr %s0
%v2 = getelementptr i32, ptr %sums, i64 8
%v3 = load <8 x i32>, ptr %v2, align 4
store <8 x i32> %v3, ptr %s1
%v4 = getelementptr i32, ptr %sums, i64 64
%v5 = load <8 x i32>, ptr %v4, align 4
store <8 x i32> %v5, ptr %s2
%v6 = getelementptr i32, ptr %sums, i64 72
%v7 = load <8 x i32>, ptr %v6, align 4
store <8 x i32> %v7, ptr %s3
%v8 = getelementptr i32, ptr %sums, i64 128
%v9 = load <8 x i32>, ptr %v8, align 4
store <8 x i32> %v9, ptr %s4
%v10 = getelementptr i32, ptr %sums, i64 136
%v11 = load <8 x i32>, ptr %v10, align 4
store <8 x i32> %v11, ptr %s5
%v12 = getelementptr i32, ptr %sums, i64 192
%v13 = load <8 x i32>, ptr %v12, align 4
store <8 x i32> %v13, ptr %s6
%v14 = getelementptr i32, ptr %sums, i64 200
%v15 = load <8 x i32>, ptr %v14, align 4
store <8 x i32> %v15, ptr %s7
%v16 = getelementptr i32, ptr %sums, i64 256
%v17 = load <8 x i32>, ptr %v16, align 4
store <8 x i32> %v17, ptr %s8
%v18 = getelementptr i32, ptr %sums, i64 264
%v19 = load <8 x i32>, ptr %v18, align 4
store <8 x i32> %v19, ptr %s9
br label %end3
else2:
br label %end3
end3:
%v20 = icmp slt i64 0, %pairs
br i1 %v20, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v21 = phi i64 [ 0, %guard6 ], [ %v155, %loop4 ]
%v22 = mul i64 %v21, 32
%v23 = mul i64 %v21, 32
%v24 = add i64 %v23, 16
%v25 = getelementptr i16, ptr %w, i64 %v22
%v26 = load <16 x i16>, ptr %v25, align 2
%v27 = getelementptr i16, ptr %w, i64 %v24
%v28 = load <16 x i16>, ptr %v27, align 2
%v29 = getelementptr i32, ptr %x, i64 %v21
%v30 = load i32, ptr %v29, align 2
%v31 = insertelement <8 x i32> poison, i32 %v30, i32 0
%v32 = shufflevector <8 x i32> %v31, <8 x i32> poison, <8 x i32> zeroinitializer
%v33 = bitcast <8 x i32> %v32 to <16 x i16>
%v34 = load <8 x i32>, ptr %s0
%v35 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v26, <16 x i16> %v33)
%v36 = add <8 x i32> %v34, %v35
store <8 x i32> %v36, ptr %s0
%v37 = load <8 x i32>, ptr %s1
%v38 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v28, <16 x i16> %v33)
%v39 = add <8 x i32> %v37, %v38
store <8 x i32> %v39, ptr %s1
%v40 = add i64 %v21, 256
%v41 = getelementptr i32, ptr %x, i64 %v40
%v42 = load i32, ptr %v41, align 2
%v43 = insertelement <8 x i32> poison, i32 %v42, i32 0
%v44 = shufflevector <8 x i32> %v43, <8 x i32> poison, <8 x i32> zeroinitializer
%v45 = bitcast <8 x i32> %v44 to <16 x i16>
%v46 = load <8 x i32>, ptr %s2
%v47 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v26, <16 x i16> %v45)
%v48 = add <8 x i32> %v46, %v47
store <8 x i32> %v48, ptr %s2
%v49 = load <8 x i32>, ptr %s3
%v50 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v28, <16 x i16> %v45)
%v51 = add <8 x i32> %v49, %v50
store <8 x i32> %v51, ptr %s3
%v52 = add i64 %v21, 512
%v53 = getelementptr i32, ptr %x, i64 %v52
%v54 = load i32, ptr %v53, align 2
%v55 = insertelement <8 x i32> poison, i32 %v54, i32 0
%v56 = shufflevector <8 x i32> %v55, <8 x i32> poison, <8 x i32> zeroinitializer
%v57 = bitcast <8 x i32> %v56 to <16 x i16>
%v58 = load <8 x i32>, ptr %s4
%v59 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v26, <16 x i16> %v57)
%v60 = add <8 x i32> %v58, %v59
store <8 x i32> %v60, ptr %s4
%v61 = load <8 x i32>, ptr %s5
%v62 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v28, <16 x i16> %v57)
%v63 = add <8 x i32> %v61, %v62
store <8 x i32> %v63, ptr %s5
%v64 = add i64 %v21, 768
%v65 = getelementptr i32, ptr %x, i64 %v64
%v66 = load i32, ptr %v65, align 2
%v67 = insertelement <8 x i32> poison, i32 %v66, i32 0
%v68 = shufflevector <8 x i32> %v67, <8 x i32> poison, <8 x i32> zeroinitializer
%v69 = bitcast <8 x i32> %v68 to <16 x i16>
%v70 = load <8 x i32>, ptr %s6
%v71 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v26, <16 x i16> %v69)
%v72 = add <8 x i32> %v70, %v71
store <8 x i32> %v72, ptr %s6
%v73 = load <8 x i32>, ptr %s7
%v74 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v28, <16 x i16> %v69)
%v75 = add <8 x i32> %v73, %v74
store <8 x i32> %v75, ptr %s7
%v76 = add i64 %v21, 1024
%v77 = getelementptr i32, ptr %x, i64 %v76
%v78 = load i32, ptr %v77, align 2
%v79 = insertelement <8 x i32> poison, i32 %v78, i32 0
%v80 = shufflevector <8 x i32> %v79, <8 x i32> poison, <8 x i32> zeroinitializer
%v81 = bitcast <8 x i32> %v80 to <16 x i16>
%v82 = load <8 x i32>, ptr %s8
%v83 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v26, <16 x i16> %v81)
%v84 = add <8 x i32> %v82, %v83
store <8 x i32> %v84, ptr %s8
%v85 = load <8 x i32>, ptr %s9
%v86 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v28, <16 x i16> %v81)
%v87 = add <8 x i32> %v85, %v86
store <8 x i32> %v87, ptr %s9
%v88 = add i64 %v21, 1
%v89 = mul i64 %v88, 32
%v90 = mul i64 %v88, 32
%v91 = add i64 %v90, 16
%v92 = getelementptr i16, ptr %w, i64 %v89
%v93 = load <16 x i16>, ptr %v92, align 2
%v94 = getelementptr i16, ptr %w, i64 %v91
%v95 = load <16 x i16>, ptr %v94, align 2
%v96 = getelementptr i32, ptr %x, i64 %v88
%v97 = load i32, ptr %v96, align 2
%v98 = insertelement <8 x i32> poison, i32 %v97, i32 0
%v99 = shufflevector <8 x i32> %v98, <8 x i32> poison, <8 x i32> zeroinitializer
%v100 = bitcast <8 x i32> %v99 to <16 x i16>
%v101 = load <8 x i32>, ptr %s0
%v102 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v93, <16 x i16> %v100)
%v103 = add <8 x i32> %v101, %v102
store <8 x i32> %v103, ptr %s0
%v104 = load <8 x i32>, ptr %s1
%v105 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v95, <16 x i16> %v100)
%v106 = add <8 x i32> %v104, %v105
store <8 x i32> %v106, ptr %s1
%v107 = add i64 %v88, 256
%v108 = getelementptr i32, ptr %x, i64 %v107
%v109 = load i32, ptr %v108, align 2
%v110 = insertelement <8 x i32> poison, i32 %v109, i32 0
%v111 = shufflevector <8 x i32> %v110, <8 x i32> poison, <8 x i32> zeroinitializer
%v112 = bitcast <8 x i32> %v111 to <16 x i16>
%v113 = load <8 x i32>, ptr %s2
%v114 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v93, <16 x i16> %v112)
%v115 = add <8 x i32> %v113, %v114
store <8 x i32> %v115, ptr %s2
%v116 = load <8 x i32>, ptr %s3
%v117 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v95, <16 x i16> %v112)
%v118 = add <8 x i32> %v116, %v117
store <8 x i32> %v118, ptr %s3
%v119 = add i64 %v88, 512
%v120 = getelementptr i32, ptr %x, i64 %v119
%v121 = load i32, ptr %v120, align 2
%v122 = insertelement <8 x i32> poison, i32 %v121, i32 0
%v123 = shufflevector <8 x i32> %v122, <8 x i32> poison, <8 x i32> zeroinitializer
%v124 = bitcast <8 x i32> %v123 to <16 x i16>
%v125 = load <8 x i32>, ptr %s4
%v126 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v93, <16 x i16> %v124)
%v127 = add <8 x i32> %v125, %v126
store <8 x i32> %v127, ptr %s4
%v128 = load <8 x i32>, ptr %s5
%v129 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v95, <16 x i16> %v124)
%v130 = add <8 x i32> %v128, %v129
store <8 x i32> %v130, ptr %s5
%v131 = add i64 %v88, 768
%v132 = getelementptr i32, ptr %x, i64 %v131
%v133 = load i32, ptr %v132, align 2
%v134 = insertelement <8 x i32> poison, i32 %v133, i32 0
%v135 = shufflevector <8 x i32> %v134, <8 x i32> poison, <8 x i32> zeroinitializer
%v136 = bitcast <8 x i32> %v135 to <16 x i16>
%v137 = load <8 x i32>, ptr %s6
%v138 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v93, <16 x i16> %v136)
%v139 = add <8 x i32> %v137, %v138
store <8 x i32> %v139, ptr %s6
%v140 = load <8 x i32>, ptr %s7
%v141 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v95, <16 x i16> %v136)
%v142 = add <8 x i32> %v140, %v141
store <8 x i32> %v142, ptr %s7
%v143 = add i64 %v88, 1024
%v144 = getelementptr i32, ptr %x, i64 %v143
%v145 = load i32, ptr %v144, align 2
%v146 = insertelement <8 x i32> poison, i32 %v145, i32 0
%v147 = shufflevector <8 x i32> %v146, <8 x i32> poison, <8 x i32> zeroinitializer
%v148 = bitcast <8 x i32> %v147 to <16 x i16>
%v149 = load <8 x i32>, ptr %s8
%v150 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v93, <16 x i16> %v148)
%v151 = add <8 x i32> %v149, %v150
store <8 x i32> %v151, ptr %s8
%v152 = load <8 x i32>, ptr %s9
%v153 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v95, <16 x i16> %v148)
%v154 = add <8 x i32> %v152, %v153
store <8 x i32> %v154, ptr %s9
%v155 = add i64 %v21, 2
%v156 = icmp slt i64 %v155, %pairs
br i1 %v156, label %loop4, label %end5
end5:
%v157 = load <8 x i32>, ptr %s0
store <8 x i32> %v157, ptr %sums, align 4
%v158 = load <8 x i32>, ptr %s1
%v159 = getelementptr i32, ptr %sums, i64 8
store <8 x i32> %v158, ptr %v159, align 4
%v160 = load <8 x i32>, ptr %s2
%v161 = getelementptr i32, ptr %sums, i64 64
store <8 x i32> %v160, ptr %v161, align 4
%v162 = load <8 x i32>, ptr %s3
%v163 = getelementptr i32, ptr %sums, i64 72
store <8 x i32> %v162, ptr %v163, align 4
%v164 = load <8 x i32>, ptr %s4
%v165 = getelementptr i32, ptr %sums, i64 128
store <8 x i32> %v164, ptr %v165, align 4
%v166 = load <8 x i32>, ptr %s5
%v167 = getelementptr i32, ptr %sums, i64 136
store <8 x i32> %v166, ptr %v167, align 4
%v168 = load <8 x i32>, ptr %s6
%v169 = getelementptr i32, ptr %sums, i64 192
store <8 x i32> %v168, ptr %v169, align 4
%v170 = load <8 x i32>, ptr %s7
%v171 = getelementptr i32, ptr %sums, i64 200
store <8 x i32> %v170, ptr %v171, align 4
%v172 = load <8 x i32>, ptr %s8
%v173 = getelementptr i32, ptr %sums, i64 256
store <8 x i32> %v172, ptr %v173, align 4
%v174 = load <8 x i32>, ptr %s9
%v175 = getelementptr i32, ptr %sums, i64 264
store <8 x i32> %v174, ptr %v175, align 4
ret void
}

