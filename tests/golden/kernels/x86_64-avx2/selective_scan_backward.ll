; kernels for x86_64-avx2
; mir @selective_scan_backward {
;   %0 = input("x1") : f32[1, 6, 8]
;   %1 = input("x2") : f32[1, 6, 8]
;   %2 = input("x3") : f32[8, 1]
;   %3 = input("x4") : f32[1, 6, 1]
;   %4 = input("x5") : f32[1, 6, 1]
;   %5 = input("x6") : f32[1, 6, 8]
;   %6:5 = selective_scan_backward(%0, %1, %2, %3, %4, %5, state_size=1) : (f32[1, 6, 8], f32[1, 6, 8], f32[8, 1], f32[1, 6, 1], f32[1, 6, 1])
;   return y1=%6.0, y2=%6.1, y3=%6.2, y4=%6.3, y5=%6.4
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare <8 x float> @llvm.fabs.v8f32(<8 x float>)
declare i1 @llvm.vector.reduce.and.v8i1(<8 x i1>)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @selective_scan_backward_64161304(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 2
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 3
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 4
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 1
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 0
%a4 = load ptr, ptr %a4.p, align 8
%a5.p = getelementptr i64, ptr %args, i64 5
%a5 = load ptr, ptr %a5.p, align 8
%s12 = alloca <8 x float>
%s13 = alloca <8 x float>
%s14 = alloca <8 x float>
%s15 = alloca <8 x float>
%a6.p = getelementptr i64, ptr %args, i64 6
%a6 = load ptr, ptr %a6.p, align 8
%a7.p = getelementptr i64, ptr %args, i64 7
%a7 = load ptr, ptr %a7.p, align 8
%a8.p = getelementptr i64, ptr %args, i64 11
%a8 = load ptr, ptr %a8.p, align 8
%s22 = alloca <8 x float>
%a9.p = getelementptr i64, ptr %args, i64 12
%a9 = load ptr, ptr %a9.p, align 8
%s25 = alloca <8 x float>
%a10.p = getelementptr i64, ptr %args, i64 13
%a10 = load ptr, ptr %a10.p, align 8
%v0 = getelementptr float, ptr %scratch, i64 32
%v1 = getelementptr float, ptr %scratch, i64 64
%v2 = getelementptr float, ptr %scratch, i64 96
%v3 = getelementptr float, ptr %scratch, i64 98
%v4 = getelementptr float, ptr %scratch, i64 1138
%v5 = getelementptr float, ptr %scratch, i64 2162
%v6 = getelementptr float, ptr %scratch, i64 2178
%v7 = getelementptr float, ptr %scratch, i64 2194
%v8 = getelementptr float, ptr %scratch, i64 2322
%v9 = getelementptr float, ptr %scratch, i64 2338
%v10 = icmp slt i64 %begin, %end
br i1 %v10, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v11 = phi i64 [ %begin, %guard3 ], [ %v712, %end103 ]
br label %loop4
loop4:
%v12 = phi i64 [ 0, %loop1 ], [ %v85, %loop4 ]
%v13 = mul i64 %v12, 8
%v14 = ashr i64 %v12, 1
%v15 = mul i64 %v14, 16
%v16 = and i64 %v12, 1
%v17 = mul i64 %v16, 8
%v18 = add i64 %v15, %v17
%v19 = getelementptr float, ptr %scratch, i64 %v18
%v20 = call i64 @llvm.smin.i64(i64 %v13, i64 7)
%v21 = getelementptr float, ptr %a0, i64 %v20
%v22 = add i64 %v13, 1
%v23 = call i64 @llvm.smin.i64(i64 %v22, i64 7)
%v24 = getelementptr float, ptr %a0, i64 %v23
%v25 = add i64 %v13, 2
%v26 = call i64 @llvm.smin.i64(i64 %v25, i64 7)
%v27 = getelementptr float, ptr %a0, i64 %v26
%v28 = add i64 %v13, 3
%v29 = call i64 @llvm.smin.i64(i64 %v28, i64 7)
%v30 = getelementptr float, ptr %a0, i64 %v29
%v31 = add i64 %v13, 4
%v32 = call i64 @llvm.smin.i64(i64 %v31, i64 7)
%v33 = getelementptr float, ptr %a0, i64 %v32
%v34 = add i64 %v13, 5
%v35 = call i64 @llvm.smin.i64(i64 %v34, i64 7)
%v36 = getelementptr float, ptr %a0, i64 %v35
%v37 = add i64 %v13, 6
%v38 = call i64 @llvm.smin.i64(i64 %v37, i64 7)
%v39 = getelementptr float, ptr %a0, i64 %v38
%v40 = add i64 %v13, 7
%v41 = call i64 @llvm.smin.i64(i64 %v40, i64 7)
%v42 = getelementptr float, ptr %a0, i64 %v41
%v43 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v21, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v44 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v24, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v45 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v27, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v46 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v30, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v47 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v33, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v48 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v36, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v49 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v39, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v50 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v42, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v51 = shufflevector <8 x float> %v43, <8 x float> %v44, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v52 = shufflevector <8 x float> %v43, <8 x float> %v44, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v53 = shufflevector <8 x float> %v45, <8 x float> %v46, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v54 = shufflevector <8 x float> %v45, <8 x float> %v46, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v55 = shufflevector <8 x float> %v47, <8 x float> %v48, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v56 = shufflevector <8 x float> %v47, <8 x float> %v48, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v57 = shufflevector <8 x float> %v49, <8 x float> %v50, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v58 = shufflevector <8 x float> %v49, <8 x float> %v50, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v59 = shufflevector <8 x float> %v51, <8 x float> %v53, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v60 = shufflevector <8 x float> %v51, <8 x float> %v53, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v61 = shufflevector <8 x float> %v52, <8 x float> %v54, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v62 = shufflevector <8 x float> %v52, <8 x float> %v54, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v63 = shufflevector <8 x float> %v55, <8 x float> %v57, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v64 = shufflevector <8 x float> %v55, <8 x float> %v57, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v65 = shufflevector <8 x float> %v56, <8 x float> %v58, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v66 = shufflevector <8 x float> %v56, <8 x float> %v58, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v67 = shufflevector <8 x float> %v59, <8 x float> %v63, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v68 = shufflevector <8 x float> %v59, <8 x float> %v63, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v69 = shufflevector <8 x float> %v61, <8 x float> %v65, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v70 = shufflevector <8 x float> %v61, <8 x float> %v65, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v71 = shufflevector <8 x float> %v60, <8 x float> %v64, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v72 = shufflevector <8 x float> %v60, <8 x float> %v64, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v73 = shufflevector <8 x float> %v62, <8 x float> %v66, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v74 = shufflevector <8 x float> %v62, <8 x float> %v66, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v75 = fmul <8 x float> %v67, splat (float 0x3FF7154760000000)
store <8 x float> %v75, ptr %v19, align 4
%v76 = load <8 x float>, ptr %v19, align 4
%v77 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v76)
%v78 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v77
%v79 = select <8 x i1> %v78, <8 x float> splat (float 0x0000000000000000), <8 x float> %v77
%v80 = fcmp uno <8 x float> splat (float 0x0000000000000000), splat (float 0x0000000000000000)
%v81 = select <8 x i1> %v80, <8 x float> splat (float 0x0000000000000000), <8 x float> %v79
%v82 = mul i64 %v12, 8
%v83 = getelementptr float, ptr %v1, i64 %v82
store <8 x float> %v81, ptr %v83, align 4
%v84 = getelementptr float, ptr %v0, i64 %v18
store <8 x float> splat (float 0x0000000000000000), ptr %v84, align 4
%v85 = add i64 %v12, 1
%v86 = icmp slt i64 %v85, 2
br i1 %v86, label %loop4, label %end5
end5:
br label %loop6
loop6:
%v87 = phi i64 [ 0, %end5 ], [ %v89, %loop6 ]
%v88 = getelementptr float, ptr %v5, i64 %v87
store <8 x float> splat (float 0x0000000000000000), ptr %v88, align 4
%v89 = add i64 %v87, 8
%v90 = icmp slt i64 %v89, 16
br i1 %v90, label %loop6, label %end7
end7:
br label %loop8
loop8:
%v91 = phi i64 [ 0, %end7 ], [ %v93, %loop8 ]
%v92 = getelementptr float, ptr %v6, i64 %v91
store <8 x float> splat (float 0x0000000000000000), ptr %v92, align 4
%v93 = add i64 %v91, 8
%v94 = icmp slt i64 %v93, 16
br i1 %v94, label %loop8, label %end9
end9:
store <8 x float> splat (float 0x0000000000000000), ptr %v8, align 4
%v95 = getelementptr float, ptr %v8, i64 8
store <8 x float> splat (float 0x0000000000000000), ptr %v95, align 4
br label %loop10
loop10:
%v96 = phi i64 [ 0, %end9 ], [ %v100, %loop10 ]
%v97 = getelementptr float, ptr %v0, i64 %v96
%v98 = load <8 x float>, ptr %v97, align 4
%v99 = getelementptr float, ptr %v9, i64 %v96
store <8 x float> %v98, ptr %v99, align 4
%v100 = add i64 %v96, 8
%v101 = icmp slt i64 %v100, 16
br i1 %v101, label %loop10, label %end11
end11:
br label %loop12
loop12:
%v102 = phi i64 [ 0, %end11 ], [ %v242, %end16 ]
%v103 = mul i64 %v11, 6
%v104 = add i64 %v103, %v102
%v105 = getelementptr float, ptr %a1, i64 %v104
%v106 = mul i64 %v11, 6
%v107 = add i64 %v106, %v102
%v108 = getelementptr float, ptr %a2, i64 %v107
%v109 = mul i64 %v11, 48
%v110 = mul i64 %v102, 8
%v111 = add i64 %v109, %v110
%v112 = getelementptr float, ptr %a3, i64 %v111
%v113 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v112, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v114 = getelementptr float, ptr %v112, i64 8
%v115 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v114, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v116 = mul i64 %v11, 48
%v117 = mul i64 %v102, 8
%v118 = add i64 %v116, %v117
%v119 = getelementptr float, ptr %a4, i64 %v118
%v120 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v119, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v121 = getelementptr float, ptr %v119, i64 8
%v122 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v121, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v123 = fmul <8 x float> %v113, %v120
%v124 = fmul <8 x float> %v115, %v122
%v125 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v113)
%v126 = load <8 x float>, ptr %v1, align 4
%v127 = fmul <8 x float> %v125, %v126
%v128 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v115)
%v129 = getelementptr float, ptr %v1, i64 8
%v130 = load <8 x float>, ptr %v129, align 4
%v131 = fmul <8 x float> %v128, %v130
%v132 = fcmp olt <8 x float> %v127, splat (float 0x405F000000000000)
%v133 = fcmp olt <8 x float> %v131, splat (float 0x405F000000000000)
%v134 = and <8 x i1> %v132, %v133
%v135 = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %v134)
br i1 %v135, label %then14, label %else15
then14:
%v136 = load float, ptr %v105, align 4
%v137 = insertelement <8 x float> poison, float %v136, i32 0
%v138 = shufflevector <8 x float> %v137, <8 x float> poison, <8 x i32> zeroinitializer
%v139 = load <8 x float>, ptr %scratch, align 4
%v140 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v113, <8 x float> %v139, <8 x float> splat (float 0x4168000FE0000000))
%v141 = fsub <8 x float> %v140, splat (float 0x4168000FE0000000)
%v142 = fneg <8 x float> %v141
%v143 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v113, <8 x float> %v139, <8 x float> %v142)
%v144 = bitcast <8 x float> %v140 to <8 x i32>
%v145 = shl <8 x i32> %v144, splat (i32 23)
%v146 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F243D0720000000), <8 x float> %v143, <8 x float> splat (float 0x3F55F11C40000000))
%v147 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v146, <8 x float> %v143, <8 x float> splat (float 0x3F83B2A8E0000000))
%v148 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v147, <8 x float> %v143, <8 x float> splat (float 0x3FAC6AF740000000))
%v149 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v148, <8 x float> %v143, <8 x float> splat (float 0x3FCEBFBE00000000))
%v150 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v149, <8 x float> %v143, <8 x float> splat (float 0x3FE62E4300000000))
%v151 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v150, <8 x float> %v143, <8 x float> splat (float 0x3FF0000000000000))
%v152 = bitcast <8 x i32> %v145 to <8 x float>
%v153 = fmul <8 x float> %v151, %v152
%v154 = load <8 x float>, ptr %v0, align 4
%v155 = fmul <8 x float> %v123, %v138
%v156 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v154, <8 x float> %v153, <8 x float> %v155)
store <8 x float> %v156, ptr %v0, align 4
%v157 = getelementptr float, ptr %scratch, i64 8
%v158 = load <8 x float>, ptr %v157, align 4
%v159 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v115, <8 x float> %v158, <8 x float> splat (float 0x4168000FE0000000))
%v160 = fsub <8 x float> %v159, splat (float 0x4168000FE0000000)
%v161 = fneg <8 x float> %v160
%v162 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v115, <8 x float> %v158, <8 x float> %v161)
%v163 = bitcast <8 x float> %v159 to <8 x i32>
%v164 = shl <8 x i32> %v163, splat (i32 23)
%v165 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F243D0720000000), <8 x float> %v162, <8 x float> splat (float 0x3F55F11C40000000))
%v166 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> %v162, <8 x float> splat (float 0x3F83B2A8E0000000))
%v167 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v166, <8 x float> %v162, <8 x float> splat (float 0x3FAC6AF740000000))
%v168 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v167, <8 x float> %v162, <8 x float> splat (float 0x3FCEBFBE00000000))
%v169 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v168, <8 x float> %v162, <8 x float> splat (float 0x3FE62E4300000000))
%v170 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v169, <8 x float> %v162, <8 x float> splat (float 0x3FF0000000000000))
%v171 = bitcast <8 x i32> %v164 to <8 x float>
%v172 = fmul <8 x float> %v170, %v171
%v173 = getelementptr float, ptr %v0, i64 8
%v174 = load <8 x float>, ptr %v173, align 4
%v175 = fmul <8 x float> %v124, %v138
%v176 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v174, <8 x float> %v172, <8 x float> %v175)
%v177 = getelementptr float, ptr %v0, i64 8
store <8 x float> %v176, ptr %v177, align 4
br label %end16
else15:
%v178 = load float, ptr %v105, align 4
%v179 = insertelement <8 x float> poison, float %v178, i32 0
%v180 = shufflevector <8 x float> %v179, <8 x float> poison, <8 x i32> zeroinitializer
%v181 = load <8 x float>, ptr %scratch, align 4
%v182 = fmul <8 x float> %v113, %v181
%v183 = fmul <8 x float> %v182, splat (float 0x3FE62E4300000000)
%v184 = fcmp ogt <8 x float> splat (float 0xC066033340000000), %v183
%v185 = select <8 x i1> %v184, <8 x float> splat (float 0xC066033340000000), <8 x float> %v183
%v186 = fcmp olt <8 x float> splat (float 0x4056400000000000), %v185
%v187 = select <8 x i1> %v186, <8 x float> splat (float 0x4056400000000000), <8 x float> %v185
%v188 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v187, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168001FC0000000))
%v189 = fsub <8 x float> %v188, splat (float 0x4168001FC0000000)
%v190 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v189, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v187)
%v191 = bitcast <8 x float> %v188 to <8 x i32>
%v192 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v189, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v190)
%v193 = lshr <8 x i32> %v191, splat (i32 1)
%v194 = shl <8 x i32> %v193, splat (i32 23)
%v195 = bitcast <8 x i32> %v194 to <8 x float>
%v196 = fmul <8 x float> %v192, %v192
%v197 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v192, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v198 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v192, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v199 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v196, <8 x float> %v198)
%v200 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v199, <8 x float> %v196, <8 x float> %v197)
%v201 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v196, <8 x float> %v200, <8 x float> %v192)
%v202 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v201, <8 x float> %v195, <8 x float> %v195)
%v203 = sub <8 x i32> %v191, %v193
%v204 = shl <8 x i32> %v203, splat (i32 23)
%v205 = bitcast <8 x i32> %v204 to <8 x float>
%v206 = fmul <8 x float> %v202, %v205
%v207 = load <8 x float>, ptr %v0, align 4
%v208 = fmul <8 x float> %v123, %v180
%v209 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v207, <8 x float> %v206, <8 x float> %v208)
store <8 x float> %v209, ptr %v0, align 4
%v210 = getelementptr float, ptr %scratch, i64 8
%v211 = load <8 x float>, ptr %v210, align 4
%v212 = fmul <8 x float> %v115, %v211
%v213 = fmul <8 x float> %v212, splat (float 0x3FE62E4300000000)
%v214 = fcmp ogt <8 x float> splat (float 0xC066033340000000), %v213
%v215 = select <8 x i1> %v214, <8 x float> splat (float 0xC066033340000000), <8 x float> %v213
%v216 = fcmp olt <8 x float> splat (float 0x4056400000000000), %v215
%v217 = select <8 x i1> %v216, <8 x float> splat (float 0x4056400000000000), <8 x float> %v215
%v218 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v217, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168001FC0000000))
%v219 = fsub <8 x float> %v218, splat (float 0x4168001FC0000000)
%v220 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v219, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v217)
%v221 = bitcast <8 x float> %v218 to <8 x i32>
%v222 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v219, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v220)
%v223 = lshr <8 x i32> %v221, splat (i32 1)
%v224 = shl <8 x i32> %v223, splat (i32 23)
%v225 = bitcast <8 x i32> %v224 to <8 x float>
%v226 = fmul <8 x float> %v222, %v222
%v227 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v222, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v228 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v222, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v229 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v226, <8 x float> %v228)
%v230 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v229, <8 x float> %v226, <8 x float> %v227)
%v231 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v226, <8 x float> %v230, <8 x float> %v222)
%v232 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v231, <8 x float> %v225, <8 x float> %v225)
%v233 = sub <8 x i32> %v221, %v223
%v234 = shl <8 x i32> %v233, splat (i32 23)
%v235 = bitcast <8 x i32> %v234 to <8 x float>
%v236 = fmul <8 x float> %v232, %v235
%v237 = getelementptr float, ptr %v0, i64 8
%v238 = load <8 x float>, ptr %v237, align 4
%v239 = fmul <8 x float> %v124, %v180
%v240 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v238, <8 x float> %v236, <8 x float> %v239)
%v241 = getelementptr float, ptr %v0, i64 8
store <8 x float> %v240, ptr %v241, align 4
br label %end16
end16:
%v242 = add i64 %v102, 1
%v243 = icmp slt i64 %v242, 6
br i1 %v243, label %loop12, label %end13
end13:
br label %loop17
loop17:
%v244 = phi i64 [ 0, %end13 ], [ %v248, %loop17 ]
%v245 = getelementptr float, ptr %v9, i64 %v244
%v246 = load <8 x float>, ptr %v245, align 4
%v247 = getelementptr float, ptr %v3, i64 %v244
store <8 x float> %v246, ptr %v247, align 4
%v248 = add i64 %v244, 8
%v249 = icmp slt i64 %v248, 16
br i1 %v249, label %loop17, label %end18
end18:
br label %loop19
loop19:
%v250 = phi i64 [ 0, %end18 ], [ %v399, %end23 ]
%v251 = mul i64 %v250, 16
%v252 = getelementptr float, ptr %v3, i64 %v251
%v253 = add i64 %v250, 1
%v254 = mul i64 %v253, 16
%v255 = getelementptr float, ptr %v3, i64 %v254
%v256 = mul i64 %v250, 16
%v257 = getelementptr float, ptr %v4, i64 %v256
%v258 = mul i64 %v11, 6
%v259 = add i64 %v258, %v250
%v260 = getelementptr float, ptr %a1, i64 %v259
%v261 = mul i64 %v11, 6
%v262 = add i64 %v261, %v250
%v263 = getelementptr float, ptr %a2, i64 %v262
%v264 = mul i64 %v11, 48
%v265 = mul i64 %v250, 8
%v266 = add i64 %v264, %v265
%v267 = getelementptr float, ptr %a3, i64 %v266
%v268 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v267, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v269 = getelementptr float, ptr %v267, i64 8
%v270 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v269, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v271 = mul i64 %v11, 48
%v272 = mul i64 %v250, 8
%v273 = add i64 %v271, %v272
%v274 = getelementptr float, ptr %a4, i64 %v273
%v275 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v274, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v276 = getelementptr float, ptr %v274, i64 8
%v277 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v276, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v278 = fmul <8 x float> %v268, %v275
%v279 = fmul <8 x float> %v270, %v277
%v280 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v268)
%v281 = load <8 x float>, ptr %v1, align 4
%v282 = fmul <8 x float> %v280, %v281
%v283 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v270)
%v284 = getelementptr float, ptr %v1, i64 8
%v285 = load <8 x float>, ptr %v284, align 4
%v286 = fmul <8 x float> %v283, %v285
%v287 = fcmp olt <8 x float> %v282, splat (float 0x405F000000000000)
%v288 = fcmp olt <8 x float> %v286, splat (float 0x405F000000000000)
%v289 = and <8 x i1> %v287, %v288
%v290 = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %v289)
br i1 %v290, label %then21, label %else22
then21:
%v291 = load float, ptr %v260, align 4
%v292 = insertelement <8 x float> poison, float %v291, i32 0
%v293 = shufflevector <8 x float> %v292, <8 x float> poison, <8 x i32> zeroinitializer
%v294 = load <8 x float>, ptr %scratch, align 4
%v295 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v268, <8 x float> %v294, <8 x float> splat (float 0x4168000FE0000000))
%v296 = fsub <8 x float> %v295, splat (float 0x4168000FE0000000)
%v297 = fneg <8 x float> %v296
%v298 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v268, <8 x float> %v294, <8 x float> %v297)
%v299 = bitcast <8 x float> %v295 to <8 x i32>
%v300 = shl <8 x i32> %v299, splat (i32 23)
%v301 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F243D0720000000), <8 x float> %v298, <8 x float> splat (float 0x3F55F11C40000000))
%v302 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v301, <8 x float> %v298, <8 x float> splat (float 0x3F83B2A8E0000000))
%v303 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v302, <8 x float> %v298, <8 x float> splat (float 0x3FAC6AF740000000))
%v304 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v303, <8 x float> %v298, <8 x float> splat (float 0x3FCEBFBE00000000))
%v305 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v304, <8 x float> %v298, <8 x float> splat (float 0x3FE62E4300000000))
%v306 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v305, <8 x float> %v298, <8 x float> splat (float 0x3FF0000000000000))
%v307 = bitcast <8 x i32> %v300 to <8 x float>
%v308 = fmul <8 x float> %v306, %v307
store <8 x float> %v308, ptr %v257, align 4
%v309 = load <8 x float>, ptr %v252, align 4
%v310 = fmul <8 x float> %v278, %v293
%v311 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v309, <8 x float> %v308, <8 x float> %v310)
store <8 x float> %v311, ptr %v255, align 4
%v312 = getelementptr float, ptr %scratch, i64 8
%v313 = load <8 x float>, ptr %v312, align 4
%v314 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v270, <8 x float> %v313, <8 x float> splat (float 0x4168000FE0000000))
%v315 = fsub <8 x float> %v314, splat (float 0x4168000FE0000000)
%v316 = fneg <8 x float> %v315
%v317 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v270, <8 x float> %v313, <8 x float> %v316)
%v318 = bitcast <8 x float> %v314 to <8 x i32>
%v319 = shl <8 x i32> %v318, splat (i32 23)
%v320 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F243D0720000000), <8 x float> %v317, <8 x float> splat (float 0x3F55F11C40000000))
%v321 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v320, <8 x float> %v317, <8 x float> splat (float 0x3F83B2A8E0000000))
%v322 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v321, <8 x float> %v317, <8 x float> splat (float 0x3FAC6AF740000000))
%v323 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v322, <8 x float> %v317, <8 x float> splat (float 0x3FCEBFBE00000000))
%v324 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v323, <8 x float> %v317, <8 x float> splat (float 0x3FE62E4300000000))
%v325 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v324, <8 x float> %v317, <8 x float> splat (float 0x3FF0000000000000))
%v326 = bitcast <8 x i32> %v319 to <8 x float>
%v327 = fmul <8 x float> %v325, %v326
%v328 = getelementptr float, ptr %v257, i64 8
store <8 x float> %v327, ptr %v328, align 4
%v329 = getelementptr float, ptr %v252, i64 8
%v330 = load <8 x float>, ptr %v329, align 4
%v331 = fmul <8 x float> %v279, %v293
%v332 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v330, <8 x float> %v327, <8 x float> %v331)
%v333 = getelementptr float, ptr %v255, i64 8
store <8 x float> %v332, ptr %v333, align 4
br label %end23
else22:
%v334 = load float, ptr %v260, align 4
%v335 = insertelement <8 x float> poison, float %v334, i32 0
%v336 = shufflevector <8 x float> %v335, <8 x float> poison, <8 x i32> zeroinitializer
%v337 = load <8 x float>, ptr %scratch, align 4
%v338 = fmul <8 x float> %v268, %v337
%v339 = fmul <8 x float> %v338, splat (float 0x3FE62E4300000000)
%v340 = fcmp ogt <8 x float> splat (float 0xC066033340000000), %v339
%v341 = select <8 x i1> %v340, <8 x float> splat (float 0xC066033340000000), <8 x float> %v339
%v342 = fcmp olt <8 x float> splat (float 0x4056400000000000), %v341
%v343 = select <8 x i1> %v342, <8 x float> splat (float 0x4056400000000000), <8 x float> %v341
%v344 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v343, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168001FC0000000))
%v345 = fsub <8 x float> %v344, splat (float 0x4168001FC0000000)
%v346 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v345, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v343)
%v347 = bitcast <8 x float> %v344 to <8 x i32>
%v348 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v345, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v346)
%v349 = lshr <8 x i32> %v347, splat (i32 1)
%v350 = shl <8 x i32> %v349, splat (i32 23)
%v351 = bitcast <8 x i32> %v350 to <8 x float>
%v352 = fmul <8 x float> %v348, %v348
%v353 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v348, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v354 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v348, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v355 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v352, <8 x float> %v354)
%v356 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v355, <8 x float> %v352, <8 x float> %v353)
%v357 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v352, <8 x float> %v356, <8 x float> %v348)
%v358 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v357, <8 x float> %v351, <8 x float> %v351)
%v359 = sub <8 x i32> %v347, %v349
%v360 = shl <8 x i32> %v359, splat (i32 23)
%v361 = bitcast <8 x i32> %v360 to <8 x float>
%v362 = fmul <8 x float> %v358, %v361
store <8 x float> %v362, ptr %v257, align 4
%v363 = load <8 x float>, ptr %v252, align 4
%v364 = fmul <8 x float> %v278, %v336
%v365 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v363, <8 x float> %v362, <8 x float> %v364)
store <8 x float> %v365, ptr %v255, align 4
%v366 = getelementptr float, ptr %scratch, i64 8
%v367 = load <8 x float>, ptr %v366, align 4
%v368 = fmul <8 x float> %v270, %v367
%v369 = fmul <8 x float> %v368, splat (float 0x3FE62E4300000000)
%v370 = fcmp ogt <8 x float> splat (float 0xC066033340000000), %v369
%v371 = select <8 x i1> %v370, <8 x float> splat (float 0xC066033340000000), <8 x float> %v369
%v372 = fcmp olt <8 x float> splat (float 0x4056400000000000), %v371
%v373 = select <8 x i1> %v372, <8 x float> splat (float 0x4056400000000000), <8 x float> %v371
%v374 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v373, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168001FC0000000))
%v375 = fsub <8 x float> %v374, splat (float 0x4168001FC0000000)
%v376 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v375, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v373)
%v377 = bitcast <8 x float> %v374 to <8 x i32>
%v378 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v375, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v376)
%v379 = lshr <8 x i32> %v377, splat (i32 1)
%v380 = shl <8 x i32> %v379, splat (i32 23)
%v381 = bitcast <8 x i32> %v380 to <8 x float>
%v382 = fmul <8 x float> %v378, %v378
%v383 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v378, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v384 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v378, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v385 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v382, <8 x float> %v384)
%v386 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v385, <8 x float> %v382, <8 x float> %v383)
%v387 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v382, <8 x float> %v386, <8 x float> %v378)
%v388 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v387, <8 x float> %v381, <8 x float> %v381)
%v389 = sub <8 x i32> %v377, %v379
%v390 = shl <8 x i32> %v389, splat (i32 23)
%v391 = bitcast <8 x i32> %v390 to <8 x float>
%v392 = fmul <8 x float> %v388, %v391
%v393 = getelementptr float, ptr %v257, i64 8
store <8 x float> %v392, ptr %v393, align 4
%v394 = getelementptr float, ptr %v252, i64 8
%v395 = load <8 x float>, ptr %v394, align 4
%v396 = fmul <8 x float> %v279, %v336
%v397 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v395, <8 x float> %v392, <8 x float> %v396)
%v398 = getelementptr float, ptr %v255, i64 8
store <8 x float> %v397, ptr %v398, align 4
br label %end23
end23:
%v399 = add i64 %v250, 1
%v400 = icmp slt i64 %v399, 6
br i1 %v400, label %loop19, label %end20
end20:
br label %loop24
loop24:
%v401 = phi i64 [ 5, %end20 ], [ %v596, %end55 ]
%v402 = mul i64 %v11, 6
%v403 = add i64 %v402, %v401
%v404 = getelementptr float, ptr %a1, i64 %v403
%v405 = mul i64 %v11, 6
%v406 = add i64 %v405, %v401
%v407 = getelementptr float, ptr %a2, i64 %v406
%v408 = mul i64 %v11, 48
%v409 = mul i64 %v401, 8
%v410 = add i64 %v408, %v409
%v411 = getelementptr float, ptr %a3, i64 %v410
%v412 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v411, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v413 = getelementptr float, ptr %v411, i64 8
%v414 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v413, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v415 = mul i64 %v11, 48
%v416 = mul i64 %v401, 8
%v417 = add i64 %v415, %v416
%v418 = getelementptr float, ptr %a4, i64 %v417
%v419 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v418, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v420 = getelementptr float, ptr %v418, i64 8
%v421 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v420, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v422 = mul i64 %v11, 48
%v423 = mul i64 %v401, 8
%v424 = add i64 %v422, %v423
%v425 = getelementptr float, ptr %a5, i64 %v424
%v426 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v425, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v427 = getelementptr float, ptr %v425, i64 8
%v428 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v427, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v429 = mul i64 %v401, 16
%v430 = getelementptr float, ptr %v3, i64 %v429
%v431 = add i64 %v401, 1
%v432 = mul i64 %v431, 16
%v433 = getelementptr float, ptr %v3, i64 %v432
%v434 = mul i64 %v401, 16
%v435 = getelementptr float, ptr %v4, i64 %v434
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
store <8 x float> splat (float 0x0000000000000000), ptr %s14
store <8 x float> splat (float 0x0000000000000000), ptr %s15
%v436 = load float, ptr %v404, align 4
%v437 = insertelement <8 x float> poison, float %v436, i32 0
%v438 = shufflevector <8 x float> %v437, <8 x float> poison, <8 x i32> zeroinitializer
%v439 = load float, ptr %v407, align 4
%v440 = insertelement <8 x float> poison, float %v439, i32 0
%v441 = shufflevector <8 x float> %v440, <8 x float> poison, <8 x i32> zeroinitializer
%v442 = load <8 x float>, ptr %v5, align 4
%v443 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v426, <8 x float> %v441, <8 x float> %v442)
%v444 = load <8 x float>, ptr %v435, align 4
%v445 = fmul <8 x float> %v443, %v444
%v446 = load <8 x float>, ptr %v430, align 4
%v447 = fmul <8 x float> %v445, %v446
%v448 = load <8 x float>, ptr %s12
%v449 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v443, <8 x float> %v438, <8 x float> %v448)
store <8 x float> %v449, ptr %s12
%v450 = load <8 x float>, ptr %scratch, align 4
%v451 = load <8 x float>, ptr %s14
%v452 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v447, <8 x float> %v450, <8 x float> %v451)
store <8 x float> %v452, ptr %s14
%v453 = load <8 x float>, ptr %v6, align 4
%v454 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v447, <8 x float> %v412, <8 x float> %v453)
store <8 x float> %v454, ptr %v6, align 4
store <8 x float> %v445, ptr %v5, align 4
%v455 = fmul <8 x float> %v412, %v419
%v456 = fmul <8 x float> %v443, %v455
%v457 = load <8 x float>, ptr %v433, align 4
%v458 = fmul <8 x float> %v426, %v457
%v459 = getelementptr float, ptr %v5, i64 8
%v460 = load <8 x float>, ptr %v459, align 4
%v461 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v428, <8 x float> %v441, <8 x float> %v460)
%v462 = getelementptr float, ptr %v435, i64 8
%v463 = load <8 x float>, ptr %v462, align 4
%v464 = fmul <8 x float> %v461, %v463
%v465 = getelementptr float, ptr %v430, i64 8
%v466 = load <8 x float>, ptr %v465, align 4
%v467 = fmul <8 x float> %v464, %v466
%v468 = load <8 x float>, ptr %s13
%v469 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v461, <8 x float> %v438, <8 x float> %v468)
store <8 x float> %v469, ptr %s13
%v470 = getelementptr float, ptr %scratch, i64 8
%v471 = load <8 x float>, ptr %v470, align 4
%v472 = load <8 x float>, ptr %s15
%v473 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v467, <8 x float> %v471, <8 x float> %v472)
store <8 x float> %v473, ptr %s15
%v474 = getelementptr float, ptr %v6, i64 8
%v475 = load <8 x float>, ptr %v474, align 4
%v476 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v467, <8 x float> %v414, <8 x float> %v475)
%v477 = getelementptr float, ptr %v6, i64 8
store <8 x float> %v476, ptr %v477, align 4
%v478 = getelementptr float, ptr %v5, i64 8
store <8 x float> %v464, ptr %v478, align 4
%v479 = fmul <8 x float> %v414, %v421
%v480 = fmul <8 x float> %v461, %v479
%v481 = getelementptr float, ptr %v433, i64 8
%v482 = load <8 x float>, ptr %v481, align 4
%v483 = fmul <8 x float> %v428, %v482
%v484 = fadd <8 x float> %v456, %v480
store <8 x float> %v484, ptr %v7, align 4
%v485 = fadd <8 x float> %v458, %v483
%v486 = getelementptr float, ptr %v7, i64 64
store <8 x float> %v485, ptr %v486, align 4
%v487 = load <8 x float>, ptr %s12
%v488 = fmul <8 x float> %v412, %v487
%v489 = load <8 x float>, ptr %s13
%v490 = fmul <8 x float> %v414, %v489
%v491 = mul i64 %v11, 48
%v492 = mul i64 %v401, 8
%v493 = add i64 %v491, %v492
%v494 = getelementptr float, ptr %a6, i64 %v493
br i1 true, label %then26, label %else27
then26:
br i1 true, label %then29, label %else30
then29:
store <8 x float> %v488, ptr %v494, align 4
br label %end31
else30:
store <8 x float> %v488, ptr %v494, align 4
br label %end31
end31:
br label %end28
else27:
br label %end28
end28:
br i1 false, label %then32, label %else33
then32:
br i1 false, label %then35, label %else36
then35:
%v495 = getelementptr float, ptr %v494, i64 8
store <8 x float> %v490, ptr %v495, align 4
br label %end37
else36:
br label %end37
end37:
br label %end34
else33:
br label %end34
end34:
%v496 = load <8 x float>, ptr %s12
%v497 = load <8 x float>, ptr %s14
%v498 = fmul <8 x float> %v497, splat (float 0x3FE62E4300000000)
%v499 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v419, <8 x float> %v496, <8 x float> %v498)
%v500 = load <8 x float>, ptr %s13
%v501 = load <8 x float>, ptr %s15
%v502 = fmul <8 x float> %v501, splat (float 0x3FE62E4300000000)
%v503 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v421, <8 x float> %v500, <8 x float> %v502)
%v504 = mul i64 %v11, 48
%v505 = mul i64 %v401, 8
%v506 = add i64 %v504, %v505
%v507 = getelementptr float, ptr %a7, i64 %v506
br i1 true, label %then38, label %else39
then38:
br i1 true, label %then41, label %else42
then41:
store <8 x float> %v499, ptr %v507, align 4
br label %end43
else42:
store <8 x float> %v499, ptr %v507, align 4
br label %end43
end43:
br label %end40
else39:
br label %end40
end40:
br i1 false, label %then44, label %else45
then44:
br i1 false, label %then47, label %else48
then47:
%v508 = getelementptr float, ptr %v507, i64 8
store <8 x float> %v503, ptr %v508, align 4
br label %end49
else48:
br label %end49
end49:
br label %end46
else45:
br label %end46
end46:
%v509 = mul i64 %v11, 6
%v510 = add i64 %v509, %v401
%v511 = getelementptr float, ptr %a8, i64 %v510
%v512 = load <8 x float>, ptr %v7, align 4
%v513 = getelementptr float, ptr %v7, i64 8
%v514 = load <8 x float>, ptr %v513, align 4
%v515 = getelementptr float, ptr %v7, i64 16
%v516 = load <8 x float>, ptr %v515, align 4
%v517 = getelementptr float, ptr %v7, i64 24
%v518 = load <8 x float>, ptr %v517, align 4
%v519 = getelementptr float, ptr %v7, i64 32
%v520 = load <8 x float>, ptr %v519, align 4
%v521 = getelementptr float, ptr %v7, i64 40
%v522 = load <8 x float>, ptr %v521, align 4
%v523 = getelementptr float, ptr %v7, i64 48
%v524 = load <8 x float>, ptr %v523, align 4
%v525 = getelementptr float, ptr %v7, i64 56
%v526 = load <8 x float>, ptr %v525, align 4
%v527 = shufflevector <8 x float> %v512, <8 x float> %v514, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v528 = shufflevector <8 x float> %v512, <8 x float> %v514, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v529 = fadd <8 x float> %v527, %v528
%v530 = shufflevector <8 x float> %v516, <8 x float> %v518, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v531 = shufflevector <8 x float> %v516, <8 x float> %v518, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v532 = fadd <8 x float> %v530, %v531
%v533 = shufflevector <8 x float> %v520, <8 x float> %v522, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v534 = shufflevector <8 x float> %v520, <8 x float> %v522, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v535 = fadd <8 x float> %v533, %v534
%v536 = shufflevector <8 x float> %v524, <8 x float> %v526, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v537 = shufflevector <8 x float> %v524, <8 x float> %v526, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v538 = fadd <8 x float> %v536, %v537
%v539 = shufflevector <8 x float> %v529, <8 x float> %v532, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v540 = shufflevector <8 x float> %v529, <8 x float> %v532, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v541 = fadd <8 x float> %v539, %v540
%v542 = shufflevector <8 x float> %v535, <8 x float> %v538, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v543 = shufflevector <8 x float> %v535, <8 x float> %v538, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v544 = fadd <8 x float> %v542, %v543
%v545 = shufflevector <8 x float> %v541, <8 x float> %v544, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v546 = shufflevector <8 x float> %v541, <8 x float> %v544, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v547 = fadd <8 x float> %v545, %v546
store <8 x float> %v547, ptr %s22
br i1 false, label %then50, label %else51
then50:
%v548 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v511, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v549 = fadd <8 x float> %v548, %v547
store <8 x float> %v549, ptr %s22
br label %end52
else51:
br label %end52
end52:
%v550 = load <8 x float>, ptr %s22
%v551 = extractelement <8 x float> %v550, i64 0
store float %v551, ptr %v511, align 4
%v552 = mul i64 %v11, 6
%v553 = add i64 %v552, %v401
%v554 = getelementptr float, ptr %a9, i64 %v553
%v555 = getelementptr float, ptr %v7, i64 64
%v556 = load <8 x float>, ptr %v555, align 4
%v557 = getelementptr float, ptr %v7, i64 72
%v558 = load <8 x float>, ptr %v557, align 4
%v559 = getelementptr float, ptr %v7, i64 80
%v560 = load <8 x float>, ptr %v559, align 4
%v561 = getelementptr float, ptr %v7, i64 88
%v562 = load <8 x float>, ptr %v561, align 4
%v563 = getelementptr float, ptr %v7, i64 96
%v564 = load <8 x float>, ptr %v563, align 4
%v565 = getelementptr float, ptr %v7, i64 104
%v566 = load <8 x float>, ptr %v565, align 4
%v567 = getelementptr float, ptr %v7, i64 112
%v568 = load <8 x float>, ptr %v567, align 4
%v569 = getelementptr float, ptr %v7, i64 120
%v570 = load <8 x float>, ptr %v569, align 4
%v571 = shufflevector <8 x float> %v556, <8 x float> %v558, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v572 = shufflevector <8 x float> %v556, <8 x float> %v558, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v573 = fadd <8 x float> %v571, %v572
%v574 = shufflevector <8 x float> %v560, <8 x float> %v562, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v575 = shufflevector <8 x float> %v560, <8 x float> %v562, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v576 = fadd <8 x float> %v574, %v575
%v577 = shufflevector <8 x float> %v564, <8 x float> %v566, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v578 = shufflevector <8 x float> %v564, <8 x float> %v566, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v579 = fadd <8 x float> %v577, %v578
%v580 = shufflevector <8 x float> %v568, <8 x float> %v570, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v581 = shufflevector <8 x float> %v568, <8 x float> %v570, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v582 = fadd <8 x float> %v580, %v581
%v583 = shufflevector <8 x float> %v573, <8 x float> %v576, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v584 = shufflevector <8 x float> %v573, <8 x float> %v576, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v585 = fadd <8 x float> %v583, %v584
%v586 = shufflevector <8 x float> %v579, <8 x float> %v582, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v587 = shufflevector <8 x float> %v579, <8 x float> %v582, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v588 = fadd <8 x float> %v586, %v587
%v589 = shufflevector <8 x float> %v585, <8 x float> %v588, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v590 = shufflevector <8 x float> %v585, <8 x float> %v588, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v591 = fadd <8 x float> %v589, %v590
store <8 x float> %v591, ptr %s25
br i1 false, label %then53, label %else54
then53:
%v592 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v554, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v593 = fadd <8 x float> %v592, %v591
store <8 x float> %v593, ptr %s25
br label %end55
else54:
br label %end55
end55:
%v594 = load <8 x float>, ptr %s25
%v595 = extractelement <8 x float> %v594, i64 0
store float %v595, ptr %v554, align 4
%v596 = add i64 %v401, -1
%v597 = icmp sgt i64 %v596, -1
br i1 %v597, label %loop24, label %end25
end25:
%v598 = load <8 x float>, ptr %v6, align 4
%v599 = shufflevector <8 x float> %v598, <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v600 = shufflevector <8 x float> %v598, <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v601 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v602 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v603 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v604 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v605 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v606 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v607 = shufflevector <8 x float> %v599, <8 x float> %v601, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v608 = shufflevector <8 x float> %v599, <8 x float> %v601, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v609 = shufflevector <8 x float> %v600, <8 x float> %v602, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v610 = shufflevector <8 x float> %v600, <8 x float> %v602, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v611 = shufflevector <8 x float> %v603, <8 x float> %v605, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v612 = shufflevector <8 x float> %v603, <8 x float> %v605, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v613 = shufflevector <8 x float> %v604, <8 x float> %v606, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v614 = shufflevector <8 x float> %v604, <8 x float> %v606, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v615 = shufflevector <8 x float> %v607, <8 x float> %v611, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v616 = shufflevector <8 x float> %v607, <8 x float> %v611, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v617 = shufflevector <8 x float> %v609, <8 x float> %v613, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v618 = shufflevector <8 x float> %v609, <8 x float> %v613, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v619 = shufflevector <8 x float> %v608, <8 x float> %v612, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v620 = shufflevector <8 x float> %v608, <8 x float> %v612, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v621 = shufflevector <8 x float> %v610, <8 x float> %v614, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v622 = shufflevector <8 x float> %v610, <8 x float> %v614, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
br i1 true, label %then56, label %else57
then56:
%v623 = mul i64 %v11, 8
%v624 = getelementptr float, ptr %a10, i64 %v623
%v625 = extractelement <8 x float> %v615, i64 0
store float %v625, ptr %v624, align 4
br label %end58
else57:
br label %end58
end58:
br i1 true, label %then59, label %else60
then59:
%v626 = mul i64 %v11, 8
%v627 = add i64 %v626, 1
%v628 = getelementptr float, ptr %a10, i64 %v627
%v629 = extractelement <8 x float> %v617, i64 0
store float %v629, ptr %v628, align 4
br label %end61
else60:
br label %end61
end61:
br i1 true, label %then62, label %else63
then62:
%v630 = mul i64 %v11, 8
%v631 = add i64 %v630, 2
%v632 = getelementptr float, ptr %a10, i64 %v631
%v633 = extractelement <8 x float> %v619, i64 0
store float %v633, ptr %v632, align 4
br label %end64
else63:
br label %end64
end64:
br i1 true, label %then65, label %else66
then65:
%v634 = mul i64 %v11, 8
%v635 = add i64 %v634, 3
%v636 = getelementptr float, ptr %a10, i64 %v635
%v637 = extractelement <8 x float> %v621, i64 0
store float %v637, ptr %v636, align 4
br label %end67
else66:
br label %end67
end67:
br i1 true, label %then68, label %else69
then68:
%v638 = mul i64 %v11, 8
%v639 = add i64 %v638, 4
%v640 = getelementptr float, ptr %a10, i64 %v639
%v641 = extractelement <8 x float> %v616, i64 0
store float %v641, ptr %v640, align 4
br label %end70
else69:
br label %end70
end70:
br i1 true, label %then71, label %else72
then71:
%v642 = mul i64 %v11, 8
%v643 = add i64 %v642, 5
%v644 = getelementptr float, ptr %a10, i64 %v643
%v645 = extractelement <8 x float> %v618, i64 0
store float %v645, ptr %v644, align 4
br label %end73
else72:
br label %end73
end73:
br i1 true, label %then74, label %else75
then74:
%v646 = mul i64 %v11, 8
%v647 = add i64 %v646, 6
%v648 = getelementptr float, ptr %a10, i64 %v647
%v649 = extractelement <8 x float> %v620, i64 0
store float %v649, ptr %v648, align 4
br label %end76
else75:
br label %end76
end76:
br i1 true, label %then77, label %else78
then77:
%v650 = mul i64 %v11, 8
%v651 = add i64 %v650, 7
%v652 = getelementptr float, ptr %a10, i64 %v651
%v653 = extractelement <8 x float> %v622, i64 0
store float %v653, ptr %v652, align 4
br label %end79
else78:
br label %end79
end79:
%v654 = getelementptr float, ptr %v6, i64 8
%v655 = load <8 x float>, ptr %v654, align 4
%v656 = shufflevector <8 x float> %v655, <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v657 = shufflevector <8 x float> %v655, <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v658 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v659 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v660 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v661 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v662 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v663 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v664 = shufflevector <8 x float> %v656, <8 x float> %v658, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v665 = shufflevector <8 x float> %v656, <8 x float> %v658, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v666 = shufflevector <8 x float> %v657, <8 x float> %v659, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v667 = shufflevector <8 x float> %v657, <8 x float> %v659, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v668 = shufflevector <8 x float> %v660, <8 x float> %v662, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v669 = shufflevector <8 x float> %v660, <8 x float> %v662, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v670 = shufflevector <8 x float> %v661, <8 x float> %v663, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v671 = shufflevector <8 x float> %v661, <8 x float> %v663, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v672 = shufflevector <8 x float> %v664, <8 x float> %v668, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v673 = shufflevector <8 x float> %v664, <8 x float> %v668, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v674 = shufflevector <8 x float> %v666, <8 x float> %v670, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v675 = shufflevector <8 x float> %v666, <8 x float> %v670, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v676 = shufflevector <8 x float> %v665, <8 x float> %v669, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v677 = shufflevector <8 x float> %v665, <8 x float> %v669, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v678 = shufflevector <8 x float> %v667, <8 x float> %v671, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v679 = shufflevector <8 x float> %v667, <8 x float> %v671, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
br i1 false, label %then80, label %else81
then80:
%v680 = mul i64 %v11, 8
%v681 = add i64 %v680, 8
%v682 = getelementptr float, ptr %a10, i64 %v681
%v683 = extractelement <8 x float> %v672, i64 0
store float %v683, ptr %v682, align 4
br label %end82
else81:
br label %end82
end82:
br i1 false, label %then83, label %else84
then83:
%v684 = mul i64 %v11, 8
%v685 = add i64 %v684, 9
%v686 = getelementptr float, ptr %a10, i64 %v685
%v687 = extractelement <8 x float> %v674, i64 0
store float %v687, ptr %v686, align 4
br label %end85
else84:
br label %end85
end85:
br i1 false, label %then86, label %else87
then86:
%v688 = mul i64 %v11, 8
%v689 = add i64 %v688, 10
%v690 = getelementptr float, ptr %a10, i64 %v689
%v691 = extractelement <8 x float> %v676, i64 0
store float %v691, ptr %v690, align 4
br label %end88
else87:
br label %end88
end88:
br i1 false, label %then89, label %else90
then89:
%v692 = mul i64 %v11, 8
%v693 = add i64 %v692, 11
%v694 = getelementptr float, ptr %a10, i64 %v693
%v695 = extractelement <8 x float> %v678, i64 0
store float %v695, ptr %v694, align 4
br label %end91
else90:
br label %end91
end91:
br i1 false, label %then92, label %else93
then92:
%v696 = mul i64 %v11, 8
%v697 = add i64 %v696, 12
%v698 = getelementptr float, ptr %a10, i64 %v697
%v699 = extractelement <8 x float> %v673, i64 0
store float %v699, ptr %v698, align 4
br label %end94
else93:
br label %end94
end94:
br i1 false, label %then95, label %else96
then95:
%v700 = mul i64 %v11, 8
%v701 = add i64 %v700, 13
%v702 = getelementptr float, ptr %a10, i64 %v701
%v703 = extractelement <8 x float> %v675, i64 0
store float %v703, ptr %v702, align 4
br label %end97
else96:
br label %end97
end97:
br i1 false, label %then98, label %else99
then98:
%v704 = mul i64 %v11, 8
%v705 = add i64 %v704, 14
%v706 = getelementptr float, ptr %a10, i64 %v705
%v707 = extractelement <8 x float> %v677, i64 0
store float %v707, ptr %v706, align 4
br label %end100
else99:
br label %end100
end100:
br i1 false, label %then101, label %else102
then101:
%v708 = mul i64 %v11, 8
%v709 = add i64 %v708, 15
%v710 = getelementptr float, ptr %a10, i64 %v709
%v711 = extractelement <8 x float> %v679, i64 0
store float %v711, ptr %v710, align 4
br label %end103
else102:
br label %end103
end103:
%v712 = add i64 %v11, 1
%v713 = icmp slt i64 %v712, %end
br i1 %v713, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @sum_parts_eb774f0b(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca <8 x float>
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v25, %end5 ]
%v2 = mul i64 %v1, 256
%v3 = mul i64 %v1, 256
%v4 = add i64 %v3, 256
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 6)
%v6 = icmp slt i64 %v2, %v5
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ %v2, %guard6 ], [ %v23, %loop4 ]
%v8 = sub i64 6, %v7
store <8 x float> splat (float 0x0000000000000000), ptr %s0
%v9 = load <8 x float>, ptr %s0
%v10 = trunc i64 %v8 to i32
%v11 = insertelement <8 x i32> poison, i32 %v10, i32 0
%v12 = shufflevector <8 x i32> %v11, <8 x i32> poison, <8 x i32> zeroinitializer
%v13 = icmp sgt <8 x i32> %v12, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v14 = getelementptr float, ptr %a0, i64 %v7
%v15 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v14, i32 4, <8 x i1> %v13, <8 x float> splat (float 0x0000000000000000))
%v16 = fadd <8 x float> %v9, %v15
store <8 x float> %v16, ptr %s0
%v17 = load <8 x float>, ptr %s0
%v18 = getelementptr float, ptr %a1, i64 %v7
%v19 = trunc i64 %v8 to i32
%v20 = insertelement <8 x i32> poison, i32 %v19, i32 0
%v21 = shufflevector <8 x i32> %v20, <8 x i32> poison, <8 x i32> zeroinitializer
%v22 = icmp sgt <8 x i32> %v21, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v17, ptr %v18, i32 4, <8 x i1> %v22)
%v23 = add i64 %v7, 8
%v24 = icmp slt i64 %v23, %v5
br i1 %v24, label %loop4, label %end5
end5:
%v25 = add i64 %v1, 1
%v26 = icmp slt i64 %v25, %end
br i1 %v26, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @sum_parts_961130c0(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca <8 x float>
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v25, %end5 ]
%v2 = mul i64 %v1, 256
%v3 = mul i64 %v1, 256
%v4 = add i64 %v3, 256
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 8)
%v6 = icmp slt i64 %v2, %v5
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ %v2, %guard6 ], [ %v23, %loop4 ]
%v8 = sub i64 8, %v7
store <8 x float> splat (float 0x0000000000000000), ptr %s0
%v9 = load <8 x float>, ptr %s0
%v10 = trunc i64 %v8 to i32
%v11 = insertelement <8 x i32> poison, i32 %v10, i32 0
%v12 = shufflevector <8 x i32> %v11, <8 x i32> poison, <8 x i32> zeroinitializer
%v13 = icmp sgt <8 x i32> %v12, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v14 = getelementptr float, ptr %a0, i64 %v7
%v15 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v14, i32 4, <8 x i1> %v13, <8 x float> splat (float 0x0000000000000000))
%v16 = fadd <8 x float> %v9, %v15
store <8 x float> %v16, ptr %s0
%v17 = load <8 x float>, ptr %s0
%v18 = getelementptr float, ptr %a1, i64 %v7
%v19 = trunc i64 %v8 to i32
%v20 = insertelement <8 x i32> poison, i32 %v19, i32 0
%v21 = shufflevector <8 x i32> %v20, <8 x i32> poison, <8 x i32> zeroinitializer
%v22 = icmp sgt <8 x i32> %v21, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v17, ptr %v18, i32 4, <8 x i1> %v22)
%v23 = add i64 %v7, 8
%v24 = icmp slt i64 %v23, %v5
br i1 %v24, label %loop4, label %end5
end5:
%v25 = add i64 %v1, 1
%v26 = icmp slt i64 %v25, %end
br i1 %v26, label %loop1, label %end2
end2:
ret void
}

