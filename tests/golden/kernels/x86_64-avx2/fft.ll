; kernels for x86_64-avx2
; mir @fft {
;   %0 = input("x1") : c64[3, 16]
;   %1 = fft(%0) : c64[3, 16]
;   return y1=%1
; }

@table0 = private unnamed_addr constant [16 x float] [float 0x3FF0000000000000, float 0x3FED906BC0000000, float 0x3FE6A09E60000000, float 0x3FD87DE2A0000000, float 0x3C91A62640000000, float 0xBFD87DE2A0000000, float 0xBFE6A09E60000000, float 0xBFED906BC0000000, float 0xBFF0000000000000, float 0xBFED906BC0000000, float 0xBFE6A09E60000000, float 0xBFD87DE2A0000000, float 0xBCAA793940000000, float 0x3FD87DE2A0000000, float 0x3FE6A09E60000000, float 0x3FED906BC0000000], align 64
@table1 = private unnamed_addr constant [16 x float] [float 0x0000000000000000, float 0xBFD87DE2A0000000, float 0xBFE6A09E60000000, float 0xBFED906BC0000000, float 0xBFF0000000000000, float 0xBFED906BC0000000, float 0xBFE6A09E60000000, float 0xBFD87DE2A0000000, float 0xBCA1A62640000000, float 0x3FD87DE2A0000000, float 0x3FE6A09E60000000, float 0x3FED906BC0000000, float 0x3FF0000000000000, float 0x3FED906BC0000000, float 0x3FE6A09E60000000, float 0x3FD87DE2A0000000], align 64
declare i64 @llvm.smin.i64(i64, i64)

define void @fft_c270cb08(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%v0 = mul i64 %begin, 3
%v1 = mul i64 %end, 3
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 3)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v4 = phi i64 [ %v0, %guard3 ], [ %v138, %end7 ]
%v5 = urem i64 %v4, 3
%v6 = udiv i64 %v4, 3
%v7 = mul i64 %v5, 16
%v8 = mul i64 %v7, 2
%v9 = getelementptr float, ptr %a0, i64 %v8
%v10 = mul i64 %v5, 16
%v11 = mul i64 %v10, 2
%v12 = getelementptr float, ptr %a1, i64 %v11
%v13 = getelementptr float, ptr %scratch, i64 16
%v14 = getelementptr float, ptr %scratch, i64 32
%v15 = getelementptr float, ptr %scratch, i64 48
br label %loop4
loop4:
%v16 = phi i64 [ 0, %loop1 ], [ %v24, %loop4 ]
%v17 = mul i64 %v16, 2
%v18 = getelementptr float, ptr %v9, i64 %v17
%v19 = load <16 x float>, ptr %v18, align 4
%v20 = shufflevector <16 x float> %v19, <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
%v21 = shufflevector <16 x float> %v19, <16 x float> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
%v22 = getelementptr float, ptr %scratch, i64 %v16
store <8 x float> %v20, ptr %v22, align 4
%v23 = getelementptr float, ptr %v13, i64 %v16
store <8 x float> %v21, ptr %v23, align 4
%v24 = add i64 %v16, 8
%v25 = icmp slt i64 %v24, 16
br i1 %v25, label %loop4, label %end5
end5:
%v26 = load <8 x float>, ptr %scratch, align 4
%v27 = load <8 x float>, ptr %v13, align 4
%v28 = getelementptr float, ptr %scratch, i64 8
%v29 = load <8 x float>, ptr %v28, align 4
%v30 = getelementptr float, ptr %v13, i64 8
%v31 = load <8 x float>, ptr %v30, align 4
%v32 = load <8 x float>, ptr @table0, align 4
%v33 = load <8 x float>, ptr @table1, align 4
%v34 = shufflevector <8 x float> %v32, <8 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v35 = shufflevector <8 x float> %v33, <8 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v36 = fadd <8 x float> %v26, %v29
%v37 = fadd <8 x float> %v27, %v31
%v38 = fsub <8 x float> %v26, %v29
%v39 = fsub <8 x float> %v27, %v31
%v40 = fmul <8 x float> %v38, %v34
%v41 = fmul <8 x float> %v39, %v35
%v42 = fsub <8 x float> %v40, %v41
%v43 = fmul <8 x float> %v38, %v35
%v44 = fmul <8 x float> %v39, %v34
%v45 = fadd <8 x float> %v43, %v44
%v46 = shufflevector <8 x float> %v36, <8 x float> %v42, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
%v47 = shufflevector <8 x float> %v37, <8 x float> %v45, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
store <8 x float> %v46, ptr %v14, align 4
store <8 x float> %v47, ptr %v15, align 4
%v48 = shufflevector <8 x float> %v36, <8 x float> %v42, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
%v49 = shufflevector <8 x float> %v37, <8 x float> %v45, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
%v50 = getelementptr float, ptr %v14, i64 8
store <8 x float> %v48, ptr %v50, align 4
%v51 = getelementptr float, ptr %v15, i64 8
store <8 x float> %v49, ptr %v51, align 4
%v52 = load <8 x float>, ptr %v14, align 4
%v53 = load <8 x float>, ptr %v15, align 4
%v54 = getelementptr float, ptr %v14, i64 8
%v55 = load <8 x float>, ptr %v54, align 4
%v56 = getelementptr float, ptr %v15, i64 8
%v57 = load <8 x float>, ptr %v56, align 4
%v58 = load <8 x float>, ptr @table0, align 4
%v59 = load <8 x float>, ptr @table1, align 4
%v60 = shufflevector <8 x float> %v58, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 2, i32 2, i32 4, i32 4, i32 6, i32 6>
%v61 = shufflevector <8 x float> %v59, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 2, i32 2, i32 4, i32 4, i32 6, i32 6>
%v62 = fadd <8 x float> %v52, %v55
%v63 = fadd <8 x float> %v53, %v57
%v64 = fsub <8 x float> %v52, %v55
%v65 = fsub <8 x float> %v53, %v57
%v66 = fmul <8 x float> %v64, %v60
%v67 = fmul <8 x float> %v65, %v61
%v68 = fsub <8 x float> %v66, %v67
%v69 = fmul <8 x float> %v64, %v61
%v70 = fmul <8 x float> %v65, %v60
%v71 = fadd <8 x float> %v69, %v70
%v72 = shufflevector <8 x float> %v62, <8 x float> %v68, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 2, i32 3, i32 10, i32 11>
%v73 = shufflevector <8 x float> %v63, <8 x float> %v71, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 2, i32 3, i32 10, i32 11>
store <8 x float> %v72, ptr %scratch, align 4
store <8 x float> %v73, ptr %v13, align 4
%v74 = shufflevector <8 x float> %v62, <8 x float> %v68, <8 x i32> <i32 4, i32 5, i32 12, i32 13, i32 6, i32 7, i32 14, i32 15>
%v75 = shufflevector <8 x float> %v63, <8 x float> %v71, <8 x i32> <i32 4, i32 5, i32 12, i32 13, i32 6, i32 7, i32 14, i32 15>
%v76 = getelementptr float, ptr %scratch, i64 8
store <8 x float> %v74, ptr %v76, align 4
%v77 = getelementptr float, ptr %v13, i64 8
store <8 x float> %v75, ptr %v77, align 4
%v78 = load <8 x float>, ptr %scratch, align 4
%v79 = load <8 x float>, ptr %v13, align 4
%v80 = getelementptr float, ptr %scratch, i64 8
%v81 = load <8 x float>, ptr %v80, align 4
%v82 = getelementptr float, ptr %v13, i64 8
%v83 = load <8 x float>, ptr %v82, align 4
%v84 = load <8 x float>, ptr @table0, align 4
%v85 = load <8 x float>, ptr @table1, align 4
%v86 = shufflevector <8 x float> %v84, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 4, i32 4, i32 4, i32 4>
%v87 = shufflevector <8 x float> %v85, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 4, i32 4, i32 4, i32 4>
%v88 = fadd <8 x float> %v78, %v81
%v89 = fadd <8 x float> %v79, %v83
%v90 = fsub <8 x float> %v78, %v81
%v91 = fsub <8 x float> %v79, %v83
%v92 = fmul <8 x float> %v90, %v86
%v93 = fmul <8 x float> %v91, %v87
%v94 = fsub <8 x float> %v92, %v93
%v95 = fmul <8 x float> %v90, %v87
%v96 = fmul <8 x float> %v91, %v86
%v97 = fadd <8 x float> %v95, %v96
%v98 = shufflevector <8 x float> %v88, <8 x float> %v94, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v99 = shufflevector <8 x float> %v89, <8 x float> %v97, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
store <8 x float> %v98, ptr %v14, align 4
store <8 x float> %v99, ptr %v15, align 4
%v100 = shufflevector <8 x float> %v88, <8 x float> %v94, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v101 = shufflevector <8 x float> %v89, <8 x float> %v97, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v102 = getelementptr float, ptr %v14, i64 8
store <8 x float> %v100, ptr %v102, align 4
%v103 = getelementptr float, ptr %v15, i64 8
store <8 x float> %v101, ptr %v103, align 4
%v104 = load float, ptr @table0, align 4
%v105 = insertelement <8 x float> poison, float %v104, i32 0
%v106 = shufflevector <8 x float> %v105, <8 x float> poison, <8 x i32> zeroinitializer
%v107 = load float, ptr @table1, align 4
%v108 = insertelement <8 x float> poison, float %v107, i32 0
%v109 = shufflevector <8 x float> %v108, <8 x float> poison, <8 x i32> zeroinitializer
%v110 = load <8 x float>, ptr %v14, align 4
%v111 = load <8 x float>, ptr %v15, align 4
%v112 = getelementptr float, ptr %v14, i64 8
%v113 = load <8 x float>, ptr %v112, align 4
%v114 = getelementptr float, ptr %v15, i64 8
%v115 = load <8 x float>, ptr %v114, align 4
%v116 = fadd <8 x float> %v110, %v113
%v117 = fadd <8 x float> %v111, %v115
store <8 x float> %v116, ptr %scratch, align 4
store <8 x float> %v117, ptr %v13, align 4
%v118 = fsub <8 x float> %v110, %v113
%v119 = fsub <8 x float> %v111, %v115
%v120 = fmul <8 x float> %v118, %v106
%v121 = fmul <8 x float> %v119, %v109
%v122 = fsub <8 x float> %v120, %v121
%v123 = fmul <8 x float> %v118, %v109
%v124 = fmul <8 x float> %v119, %v106
%v125 = fadd <8 x float> %v123, %v124
%v126 = getelementptr float, ptr %scratch, i64 8
store <8 x float> %v122, ptr %v126, align 4
%v127 = getelementptr float, ptr %v13, i64 8
store <8 x float> %v125, ptr %v127, align 4
br label %loop6
loop6:
%v128 = phi i64 [ 0, %end5 ], [ %v136, %loop6 ]
%v129 = getelementptr float, ptr %scratch, i64 %v128
%v130 = load <8 x float>, ptr %v129, align 4
%v131 = getelementptr float, ptr %v13, i64 %v128
%v132 = load <8 x float>, ptr %v131, align 4
%v133 = shufflevector <8 x float> %v130, <8 x float> %v132, <16 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11, i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
%v134 = mul i64 %v128, 2
%v135 = getelementptr float, ptr %v12, i64 %v134
store <16 x float> %v133, ptr %v135, align 4
%v136 = add i64 %v128, 8
%v137 = icmp slt i64 %v136, 16
br i1 %v137, label %loop6, label %end7
end7:
%v138 = add i64 %v4, 1
%v139 = icmp slt i64 %v138, %v2
br i1 %v139, label %loop1, label %end2
end2:
ret void
}

