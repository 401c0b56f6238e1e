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

define void @selective_scan_backward_13d1e13b(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v3 = getelementptr float, ptr %scratch, i64 1138
%v4 = getelementptr float, ptr %scratch, i64 2162
%v5 = getelementptr float, ptr %scratch, i64 2178
%v6 = getelementptr float, ptr %scratch, i64 2194
%v7 = getelementptr float, ptr %scratch, i64 2322
%v8 = icmp slt i64 %begin, %end
br i1 %v8, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v9 = phi i64 [ %begin, %guard3 ], [ %v713, %end103 ]
br label %loop4
loop4:
%v10 = phi i64 [ 0, %loop1 ], [ %v83, %loop4 ]
%v11 = mul i64 %v10, 8
%v12 = ashr i64 %v10, 1
%v13 = mul i64 %v12, 16
%v14 = and i64 %v10, 1
%v15 = mul i64 %v14, 8
%v16 = add i64 %v13, %v15
%v17 = getelementptr float, ptr %scratch, i64 %v16
%v18 = call i64 @llvm.smin.i64(i64 %v11, i64 7)
%v19 = getelementptr float, ptr %a0, i64 %v18
%v20 = add i64 %v11, 1
%v21 = call i64 @llvm.smin.i64(i64 %v20, i64 7)
%v22 = getelementptr float, ptr %a0, i64 %v21
%v23 = add i64 %v11, 2
%v24 = call i64 @llvm.smin.i64(i64 %v23, i64 7)
%v25 = getelementptr float, ptr %a0, i64 %v24
%v26 = add i64 %v11, 3
%v27 = call i64 @llvm.smin.i64(i64 %v26, i64 7)
%v28 = getelementptr float, ptr %a0, i64 %v27
%v29 = add i64 %v11, 4
%v30 = call i64 @llvm.smin.i64(i64 %v29, i64 7)
%v31 = getelementptr float, ptr %a0, i64 %v30
%v32 = add i64 %v11, 5
%v33 = call i64 @llvm.smin.i64(i64 %v32, i64 7)
%v34 = getelementptr float, ptr %a0, i64 %v33
%v35 = add i64 %v11, 6
%v36 = call i64 @llvm.smin.i64(i64 %v35, i64 7)
%v37 = getelementptr float, ptr %a0, i64 %v36
%v38 = add i64 %v11, 7
%v39 = call i64 @llvm.smin.i64(i64 %v38, i64 7)
%v40 = getelementptr float, ptr %a0, i64 %v39
%v41 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v19, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v42 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v22, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v43 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v25, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v44 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v28, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v45 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v31, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v46 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v34, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v47 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v37, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v48 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v40, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v49 = shufflevector <8 x float> %v41, <8 x float> %v42, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v50 = shufflevector <8 x float> %v41, <8 x float> %v42, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v51 = shufflevector <8 x float> %v43, <8 x float> %v44, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v52 = shufflevector <8 x float> %v43, <8 x float> %v44, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v53 = shufflevector <8 x float> %v45, <8 x float> %v46, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v54 = shufflevector <8 x float> %v45, <8 x float> %v46, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v55 = shufflevector <8 x float> %v47, <8 x float> %v48, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v56 = shufflevector <8 x float> %v47, <8 x float> %v48, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v57 = shufflevector <8 x float> %v49, <8 x float> %v51, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v58 = shufflevector <8 x float> %v49, <8 x float> %v51, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v59 = shufflevector <8 x float> %v50, <8 x float> %v52, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v60 = shufflevector <8 x float> %v50, <8 x float> %v52, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v61 = shufflevector <8 x float> %v53, <8 x float> %v55, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v62 = shufflevector <8 x float> %v53, <8 x float> %v55, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v63 = shufflevector <8 x float> %v54, <8 x float> %v56, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v64 = shufflevector <8 x float> %v54, <8 x float> %v56, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v65 = shufflevector <8 x float> %v57, <8 x float> %v61, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v66 = shufflevector <8 x float> %v57, <8 x float> %v61, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v67 = shufflevector <8 x float> %v59, <8 x float> %v63, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v68 = shufflevector <8 x float> %v59, <8 x float> %v63, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v69 = shufflevector <8 x float> %v58, <8 x float> %v62, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v70 = shufflevector <8 x float> %v58, <8 x float> %v62, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v71 = shufflevector <8 x float> %v60, <8 x float> %v64, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v72 = shufflevector <8 x float> %v60, <8 x float> %v64, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v73 = fmul <8 x float> %v65, splat (float 0x3FF7154760000000)
store <8 x float> %v73, ptr %v17, align 4
%v74 = load <8 x float>, ptr %v17, align 4
%v75 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v74)
%v76 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v75
%v77 = select <8 x i1> %v76, <8 x float> splat (float 0x0000000000000000), <8 x float> %v75
%v78 = fcmp uno <8 x float> splat (float 0x0000000000000000), splat (float 0x0000000000000000)
%v79 = select <8 x i1> %v78, <8 x float> splat (float 0x0000000000000000), <8 x float> %v77
%v80 = mul i64 %v10, 8
%v81 = getelementptr float, ptr %v1, i64 %v80
store <8 x float> %v79, ptr %v81, align 4
%v82 = getelementptr float, ptr %v0, i64 %v16
store <8 x float> splat (float 0x0000000000000000), ptr %v82, align 4
%v83 = add i64 %v10, 1
%v84 = icmp slt i64 %v83, 2
br i1 %v84, label %loop4, label %end5
end5:
br label %loop6
loop6:
%v85 = phi i64 [ 0, %end5 ], [ %v87, %loop6 ]
%v86 = getelementptr float, ptr %v4, i64 %v85
store <8 x float> splat (float 0x0000000000000000), ptr %v86, align 4
%v87 = add i64 %v85, 8
%v88 = icmp slt i64 %v87, 16
br i1 %v88, label %loop6, label %end7
end7:
br label %loop8
loop8:
%v89 = phi i64 [ 0, %end7 ], [ %v91, %loop8 ]
%v90 = getelementptr float, ptr %v5, i64 %v89
store <8 x float> splat (float 0x0000000000000000), ptr %v90, align 4
%v91 = add i64 %v89, 8
%v92 = icmp slt i64 %v91, 16
br i1 %v92, label %loop8, label %end9
end9:
store <8 x float> splat (float 0x0000000000000000), ptr %v7, align 4
%v93 = getelementptr float, ptr %v7, i64 8
store <8 x float> splat (float 0x0000000000000000), ptr %v93, align 4
%v94 = getelementptr float, ptr %scratch, i64 32
%v95 = getelementptr float, ptr %scratch, i64 98
%v96 = getelementptr float, ptr %scratch, i64 2338
br label %loop10
loop10:
%v97 = phi i64 [ 0, %end9 ], [ %v101, %loop10 ]
%v98 = getelementptr float, ptr %v94, i64 %v97
%v99 = load <8 x float>, ptr %v98, align 4
%v100 = getelementptr float, ptr %v96, i64 %v97
store <8 x float> %v99, ptr %v100, align 4
%v101 = add i64 %v97, 8
%v102 = icmp slt i64 %v101, 16
br i1 %v102, label %loop10, label %end11
end11:
br label %loop12
loop12:
%v103 = phi i64 [ 0, %end11 ], [ %v243, %end16 ]
%v104 = mul i64 %v9, 6
%v105 = add i64 %v104, %v103
%v106 = getelementptr float, ptr %a1, i64 %v105
%v107 = mul i64 %v9, 6
%v108 = add i64 %v107, %v103
%v109 = getelementptr float, ptr %a2, i64 %v108
%v110 = mul i64 %v9, 48
%v111 = mul i64 %v103, 8
%v112 = add i64 %v110, %v111
%v113 = getelementptr float, ptr %a3, i64 %v112
%v114 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v113, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v115 = getelementptr float, ptr %v113, i64 8
%v116 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v115, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v117 = mul i64 %v9, 48
%v118 = mul i64 %v103, 8
%v119 = add i64 %v117, %v118
%v120 = getelementptr float, ptr %a4, i64 %v119
%v121 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v120, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v122 = getelementptr float, ptr %v120, i64 8
%v123 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v122, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v124 = fmul <8 x float> %v114, %v121
%v125 = fmul <8 x float> %v116, %v123
%v126 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v114)
%v127 = load <8 x float>, ptr %v1, align 4
%v128 = fmul <8 x float> %v126, %v127
%v129 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v116)
%v130 = getelementptr float, ptr %v1, i64 8
%v131 = load <8 x float>, ptr %v130, align 4
%v132 = fmul <8 x float> %v129, %v131
%v133 = fcmp olt <8 x float> %v128, splat (float 0x405F000000000000)
%v134 = fcmp olt <8 x float> %v132, splat (float 0x405F000000000000)
%v135 = and <8 x i1> %v133, %v134
%v136 = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %v135)
br i1 %v136, label %then14, label %else15
then14:
%v137 = load float, ptr %v106, align 4
%v138 = insertelement <8 x float> poison, float %v137, i32 0
%v139 = shufflevector <8 x float> %v138, <8 x float> poison, <8 x i32> zeroinitializer
%v140 = load <8 x float>, ptr %scratch, align 4
%v141 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v114, <8 x float> %v140, <8 x float> splat (float 0x4168000FE0000000))
%v142 = fsub <8 x float> %v141, splat (float 0x4168000FE0000000)
%v143 = fneg <8 x float> %v142
%v144 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v114, <8 x float> %v140, <8 x float> %v143)
%v145 = bitcast <8 x float> %v141 to <8 x i32>
%v146 = shl <8 x i32> %v145, splat (i32 23)
%v147 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F243D0720000000), <8 x float> %v144, <8 x float> splat (float 0x3F55F11C40000000))
%v148 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v147, <8 x float> %v144, <8 x float> splat (float 0x3F83B2A8E0000000))
%v149 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v148, <8 x float> %v144, <8 x float> splat (float 0x3FAC6AF740000000))
%v150 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v149, <8 x float> %v144, <8 x float> splat (float 0x3FCEBFBE00000000))
%v151 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v150, <8 x float> %v144, <8 x float> splat (float 0x3FE62E4300000000))
%v152 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v151, <8 x float> %v144, <8 x float> splat (float 0x3FF0000000000000))
%v153 = bitcast <8 x i32> %v146 to <8 x float>
%v154 = fmul <8 x float> %v152, %v153
%v155 = load <8 x float>, ptr %v94, align 4
%v156 = fmul <8 x float> %v124, %v139
%v157 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v155, <8 x float> %v154, <8 x float> %v156)
store <8 x float> %v157, ptr %v94, align 4
%v158 = getelementptr float, ptr %scratch, i64 8
%v159 = load <8 x float>, ptr %v158, align 4
%v160 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v116, <8 x float> %v159, <8 x float> splat (float 0x4168000FE0000000))
%v161 = fsub <8 x float> %v160, splat (float 0x4168000FE0000000)
%v162 = fneg <8 x float> %v161
%v163 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v116, <8 x float> %v159, <8 x float> %v162)
%v164 = bitcast <8 x float> %v160 to <8 x i32>
%v165 = shl <8 x i32> %v164, splat (i32 23)
%v166 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F243D0720000000), <8 x float> %v163, <8 x float> splat (float 0x3F55F11C40000000))
%v167 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v166, <8 x float> %v163, <8 x float> splat (float 0x3F83B2A8E0000000))
%v168 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v167, <8 x float> %v163, <8 x float> splat (float 0x3FAC6AF740000000))
%v169 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v168, <8 x float> %v163, <8 x float> splat (float 0x3FCEBFBE00000000))
%v170 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v169, <8 x float> %v163, <8 x float> splat (float 0x3FE62E4300000000))
%v171 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v170, <8 x float> %v163, <8 x float> splat (float 0x3FF0000000000000))
%v172 = bitcast <8 x i32> %v165 to <8 x float>
%v173 = fmul <8 x float> %v171, %v172
%v174 = getelementptr float, ptr %v94, i64 8
%v175 = load <8 x float>, ptr %v174, align 4
%v176 = fmul <8 x float> %v125, %v139
%v177 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v175, <8 x float> %v173, <8 x float> %v176)
%v178 = getelementptr float, ptr %v94, i64 8
store <8 x float> %v177, ptr %v178, align 4
br label %end16
else15:
%v179 = load float, ptr %v106, align 4
%v180 = insertelement <8 x float> poison, float %v179, i32 0
%v181 = shufflevector <8 x float> %v180, <8 x float> poison, <8 x i32> zeroinitializer
%v182 = load <8 x float>, ptr %scratch, align 4
%v183 = fmul <8 x float> %v114, %v182
%v184 = fmul <8 x float> %v183, splat (float 0x3FE62E4300000000)
%v185 = fcmp ogt <8 x float> splat (float 0xC066033340000000), %v184
%v186 = select <8 x i1> %v185, <8 x float> splat (float 0xC066033340000000), <8 x float> %v184
%v187 = fcmp olt <8 x float> splat (float 0x4056400000000000), %v186
%v188 = select <8 x i1> %v187, <8 x float> splat (float 0x4056400000000000), <8 x float> %v186
%v189 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v188, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168001FC0000000))
%v190 = fsub <8 x float> %v189, splat (float 0x4168001FC0000000)
%v191 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v190, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v188)
%v192 = bitcast <8 x float> %v189 to <8 x i32>
%v193 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v190, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v191)
%v194 = lshr <8 x i32> %v192, splat (i32 1)
%v195 = shl <8 x i32> %v194, splat (i32 23)
%v196 = bitcast <8 x i32> %v195 to <8 x float>
%v197 = fmul <8 x float> %v193, %v193
%v198 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v193, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v199 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v193, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v200 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v197, <8 x float> %v199)
%v201 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v200, <8 x float> %v197, <8 x float> %v198)
%v202 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v197, <8 x float> %v201, <8 x float> %v193)
%v203 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v202, <8 x float> %v196, <8 x float> %v196)
%v204 = sub <8 x i32> %v192, %v194
%v205 = shl <8 x i32> %v204, splat (i32 23)
%v206 = bitcast <8 x i32> %v205 to <8 x float>
%v207 = fmul <8 x float> %v203, %v206
%v208 = load <8 x float>, ptr %v94, align 4
%v209 = fmul <8 x float> %v124, %v181
%v210 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v208, <8 x float> %v207, <8 x float> %v209)
store <8 x float> %v210, ptr %v94, align 4
%v211 = getelementptr float, ptr %scratch, i64 8
%v212 = load <8 x float>, ptr %v211, align 4
%v213 = fmul <8 x float> %v116, %v212
%v214 = fmul <8 x float> %v213, splat (float 0x3FE62E4300000000)
%v215 = fcmp ogt <8 x float> splat (float 0xC066033340000000), %v214
%v216 = select <8 x i1> %v215, <8 x float> splat (float 0xC066033340000000), <8 x float> %v214
%v217 = fcmp olt <8 x float> splat (float 0x4056400000000000), %v216
%v218 = select <8 x i1> %v217, <8 x float> splat (float 0x4056400000000000), <8 x float> %v216
%v219 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v218, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168001FC0000000))
%v220 = fsub <8 x float> %v219, splat (float 0x4168001FC0000000)
%v221 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v220, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v218)
%v222 = bitcast <8 x float> %v219 to <8 x i32>
%v223 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v220, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v221)
%v224 = lshr <8 x i32> %v222, splat (i32 1)
%v225 = shl <8 x i32> %v224, splat (i32 23)
%v226 = bitcast <8 x i32> %v225 to <8 x float>
%v227 = fmul <8 x float> %v223, %v223
%v228 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v223, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v229 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v223, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v230 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v227, <8 x float> %v229)
%v231 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v230, <8 x float> %v227, <8 x float> %v228)
%v232 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v227, <8 x float> %v231, <8 x float> %v223)
%v233 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v232, <8 x float> %v226, <8 x float> %v226)
%v234 = sub <8 x i32> %v222, %v224
%v235 = shl <8 x i32> %v234, splat (i32 23)
%v236 = bitcast <8 x i32> %v235 to <8 x float>
%v237 = fmul <8 x float> %v233, %v236
%v238 = getelementptr float, ptr %v94, i64 8
%v239 = load <8 x float>, ptr %v238, align 4
%v240 = fmul <8 x float> %v125, %v181
%v241 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v239, <8 x float> %v237, <8 x float> %v240)
%v242 = getelementptr float, ptr %v94, i64 8
store <8 x float> %v241, ptr %v242, align 4
br label %end16
end16:
%v243 = add i64 %v103, 1
%v244 = icmp slt i64 %v243, 6
br i1 %v244, label %loop12, label %end13
end13:
br label %loop17
loop17:
%v245 = phi i64 [ 0, %end13 ], [ %v249, %loop17 ]
%v246 = getelementptr float, ptr %v96, i64 %v245
%v247 = load <8 x float>, ptr %v246, align 4
%v248 = getelementptr float, ptr %v95, i64 %v245
store <8 x float> %v247, ptr %v248, align 4
%v249 = add i64 %v245, 8
%v250 = icmp slt i64 %v249, 16
br i1 %v250, label %loop17, label %end18
end18:
br label %loop19
loop19:
%v251 = phi i64 [ 0, %end18 ], [ %v400, %end23 ]
%v252 = mul i64 %v251, 16
%v253 = getelementptr float, ptr %v95, i64 %v252
%v254 = add i64 %v251, 1
%v255 = mul i64 %v254, 16
%v256 = getelementptr float, ptr %v95, i64 %v255
%v257 = mul i64 %v251, 16
%v258 = getelementptr float, ptr %v3, i64 %v257
%v259 = mul i64 %v9, 6
%v260 = add i64 %v259, %v251
%v261 = getelementptr float, ptr %a1, i64 %v260
%v262 = mul i64 %v9, 6
%v263 = add i64 %v262, %v251
%v264 = getelementptr float, ptr %a2, i64 %v263
%v265 = mul i64 %v9, 48
%v266 = mul i64 %v251, 8
%v267 = add i64 %v265, %v266
%v268 = getelementptr float, ptr %a3, i64 %v267
%v269 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v268, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v270 = getelementptr float, ptr %v268, i64 8
%v271 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v270, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v272 = mul i64 %v9, 48
%v273 = mul i64 %v251, 8
%v274 = add i64 %v272, %v273
%v275 = getelementptr float, ptr %a4, i64 %v274
%v276 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v275, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v277 = getelementptr float, ptr %v275, i64 8
%v278 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v277, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v279 = fmul <8 x float> %v269, %v276
%v280 = fmul <8 x float> %v271, %v278
%v281 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v269)
%v282 = load <8 x float>, ptr %v1, align 4
%v283 = fmul <8 x float> %v281, %v282
%v284 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v271)
%v285 = getelementptr float, ptr %v1, i64 8
%v286 = load <8 x float>, ptr %v285, align 4
%v287 = fmul <8 x float> %v284, %v286
%v288 = fcmp olt <8 x float> %v283, splat (float 0x405F000000000000)
%v289 = fcmp olt <8 x float> %v287, splat (float 0x405F000000000000)
%v290 = and <8 x i1> %v288, %v289
%v291 = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %v290)
br i1 %v291, label %then21, label %else22
then21:
%v292 = load float, ptr %v261, align 4
%v293 = insertelement <8 x float> poison, float %v292, i32 0
%v294 = shufflevector <8 x float> %v293, <8 x float> poison, <8 x i32> zeroinitializer
%v295 = load <8 x float>, ptr %scratch, align 4
%v296 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v269, <8 x float> %v295, <8 x float> splat (float 0x4168000FE0000000))
%v297 = fsub <8 x float> %v296, splat (float 0x4168000FE0000000)
%v298 = fneg <8 x float> %v297
%v299 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v269, <8 x float> %v295, <8 x float> %v298)
%v300 = bitcast <8 x float> %v296 to <8 x i32>
%v301 = shl <8 x i32> %v300, splat (i32 23)
%v302 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F243D0720000000), <8 x float> %v299, <8 x float> splat (float 0x3F55F11C40000000))
%v303 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v302, <8 x float> %v299, <8 x float> splat (float 0x3F83B2A8E0000000))
%v304 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v303, <8 x float> %v299, <8 x float> splat (float 0x3FAC6AF740000000))
%v305 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v304, <8 x float> %v299, <8 x float> splat (float 0x3FCEBFBE00000000))
%v306 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v305, <8 x float> %v299, <8 x float> splat (float 0x3FE62E4300000000))
%v307 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v306, <8 x float> %v299, <8 x float> splat (float 0x3FF0000000000000))
%v308 = bitcast <8 x i32> %v301 to <8 x float>
%v309 = fmul <8 x float> %v307, %v308
store <8 x float> %v309, ptr %v258, align 4
%v310 = load <8 x float>, ptr %v253, align 4
%v311 = fmul <8 x float> %v279, %v294
%v312 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v310, <8 x float> %v309, <8 x float> %v311)
store <8 x float> %v312, ptr %v256, align 4
%v313 = getelementptr float, ptr %scratch, i64 8
%v314 = load <8 x float>, ptr %v313, align 4
%v315 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v271, <8 x float> %v314, <8 x float> splat (float 0x4168000FE0000000))
%v316 = fsub <8 x float> %v315, splat (float 0x4168000FE0000000)
%v317 = fneg <8 x float> %v316
%v318 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v271, <8 x float> %v314, <8 x float> %v317)
%v319 = bitcast <8 x float> %v315 to <8 x i32>
%v320 = shl <8 x i32> %v319, splat (i32 23)
%v321 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F243D0720000000), <8 x float> %v318, <8 x float> splat (float 0x3F55F11C40000000))
%v322 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v321, <8 x float> %v318, <8 x float> splat (float 0x3F83B2A8E0000000))
%v323 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v322, <8 x float> %v318, <8 x float> splat (float 0x3FAC6AF740000000))
%v324 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v323, <8 x float> %v318, <8 x float> splat (float 0x3FCEBFBE00000000))
%v325 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v324, <8 x float> %v318, <8 x float> splat (float 0x3FE62E4300000000))
%v326 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v325, <8 x float> %v318, <8 x float> splat (float 0x3FF0000000000000))
%v327 = bitcast <8 x i32> %v320 to <8 x float>
%v328 = fmul <8 x float> %v326, %v327
%v329 = getelementptr float, ptr %v258, i64 8
store <8 x float> %v328, ptr %v329, align 4
%v330 = getelementptr float, ptr %v253, i64 8
%v331 = load <8 x float>, ptr %v330, align 4
%v332 = fmul <8 x float> %v280, %v294
%v333 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v331, <8 x float> %v328, <8 x float> %v332)
%v334 = getelementptr float, ptr %v256, i64 8
store <8 x float> %v333, ptr %v334, align 4
br label %end23
else22:
%v335 = load float, ptr %v261, align 4
%v336 = insertelement <8 x float> poison, float %v335, i32 0
%v337 = shufflevector <8 x float> %v336, <8 x float> poison, <8 x i32> zeroinitializer
%v338 = load <8 x float>, ptr %scratch, align 4
%v339 = fmul <8 x float> %v269, %v338
%v340 = fmul <8 x float> %v339, splat (float 0x3FE62E4300000000)
%v341 = fcmp ogt <8 x float> splat (float 0xC066033340000000), %v340
%v342 = select <8 x i1> %v341, <8 x float> splat (float 0xC066033340000000), <8 x float> %v340
%v343 = fcmp olt <8 x float> splat (float 0x4056400000000000), %v342
%v344 = select <8 x i1> %v343, <8 x float> splat (float 0x4056400000000000), <8 x float> %v342
%v345 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v344, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168001FC0000000))
%v346 = fsub <8 x float> %v345, splat (float 0x4168001FC0000000)
%v347 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v346, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v344)
%v348 = bitcast <8 x float> %v345 to <8 x i32>
%v349 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v346, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v347)
%v350 = lshr <8 x i32> %v348, splat (i32 1)
%v351 = shl <8 x i32> %v350, splat (i32 23)
%v352 = bitcast <8 x i32> %v351 to <8 x float>
%v353 = fmul <8 x float> %v349, %v349
%v354 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v349, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v355 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v349, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v356 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v353, <8 x float> %v355)
%v357 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v356, <8 x float> %v353, <8 x float> %v354)
%v358 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v353, <8 x float> %v357, <8 x float> %v349)
%v359 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v358, <8 x float> %v352, <8 x float> %v352)
%v360 = sub <8 x i32> %v348, %v350
%v361 = shl <8 x i32> %v360, splat (i32 23)
%v362 = bitcast <8 x i32> %v361 to <8 x float>
%v363 = fmul <8 x float> %v359, %v362
store <8 x float> %v363, ptr %v258, align 4
%v364 = load <8 x float>, ptr %v253, align 4
%v365 = fmul <8 x float> %v279, %v337
%v366 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v364, <8 x float> %v363, <8 x float> %v365)
store <8 x float> %v366, ptr %v256, align 4
%v367 = getelementptr float, ptr %scratch, i64 8
%v368 = load <8 x float>, ptr %v367, align 4
%v369 = fmul <8 x float> %v271, %v368
%v370 = fmul <8 x float> %v369, splat (float 0x3FE62E4300000000)
%v371 = fcmp ogt <8 x float> splat (float 0xC066033340000000), %v370
%v372 = select <8 x i1> %v371, <8 x float> splat (float 0xC066033340000000), <8 x float> %v370
%v373 = fcmp olt <8 x float> splat (float 0x4056400000000000), %v372
%v374 = select <8 x i1> %v373, <8 x float> splat (float 0x4056400000000000), <8 x float> %v372
%v375 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v374, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168001FC0000000))
%v376 = fsub <8 x float> %v375, splat (float 0x4168001FC0000000)
%v377 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v376, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v374)
%v378 = bitcast <8 x float> %v375 to <8 x i32>
%v379 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v376, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v377)
%v380 = lshr <8 x i32> %v378, splat (i32 1)
%v381 = shl <8 x i32> %v380, splat (i32 23)
%v382 = bitcast <8 x i32> %v381 to <8 x float>
%v383 = fmul <8 x float> %v379, %v379
%v384 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v379, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v385 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v379, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v386 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v383, <8 x float> %v385)
%v387 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v386, <8 x float> %v383, <8 x float> %v384)
%v388 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v383, <8 x float> %v387, <8 x float> %v379)
%v389 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v388, <8 x float> %v382, <8 x float> %v382)
%v390 = sub <8 x i32> %v378, %v380
%v391 = shl <8 x i32> %v390, splat (i32 23)
%v392 = bitcast <8 x i32> %v391 to <8 x float>
%v393 = fmul <8 x float> %v389, %v392
%v394 = getelementptr float, ptr %v258, i64 8
store <8 x float> %v393, ptr %v394, align 4
%v395 = getelementptr float, ptr %v253, i64 8
%v396 = load <8 x float>, ptr %v395, align 4
%v397 = fmul <8 x float> %v280, %v337
%v398 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v396, <8 x float> %v393, <8 x float> %v397)
%v399 = getelementptr float, ptr %v256, i64 8
store <8 x float> %v398, ptr %v399, align 4
br label %end23
end23:
%v400 = add i64 %v251, 1
%v401 = icmp slt i64 %v400, 6
br i1 %v401, label %loop19, label %end20
end20:
br label %loop24
loop24:
%v402 = phi i64 [ 5, %end20 ], [ %v597, %end55 ]
%v403 = mul i64 %v402, 16
%v404 = getelementptr float, ptr %v95, i64 %v403
%v405 = add i64 %v402, 1
%v406 = mul i64 %v405, 16
%v407 = getelementptr float, ptr %v95, i64 %v406
%v408 = mul i64 %v402, 16
%v409 = getelementptr float, ptr %v3, i64 %v408
%v410 = mul i64 %v9, 6
%v411 = add i64 %v410, %v402
%v412 = getelementptr float, ptr %a1, i64 %v411
%v413 = mul i64 %v9, 6
%v414 = add i64 %v413, %v402
%v415 = getelementptr float, ptr %a2, i64 %v414
%v416 = mul i64 %v9, 48
%v417 = mul i64 %v402, 8
%v418 = add i64 %v416, %v417
%v419 = getelementptr float, ptr %a3, i64 %v418
%v420 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v419, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v421 = getelementptr float, ptr %v419, i64 8
%v422 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v421, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v423 = mul i64 %v9, 48
%v424 = mul i64 %v402, 8
%v425 = add i64 %v423, %v424
%v426 = getelementptr float, ptr %a4, i64 %v425
%v427 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v426, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v428 = getelementptr float, ptr %v426, i64 8
%v429 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v428, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v430 = mul i64 %v9, 48
%v431 = mul i64 %v402, 8
%v432 = add i64 %v430, %v431
%v433 = getelementptr float, ptr %a5, i64 %v432
%v434 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v433, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v435 = getelementptr float, ptr %v433, i64 8
%v436 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v435, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
store <8 x float> splat (float 0x0000000000000000), ptr %s14
store <8 x float> splat (float 0x0000000000000000), ptr %s15
%v437 = load float, ptr %v412, align 4
%v438 = insertelement <8 x float> poison, float %v437, i32 0
%v439 = shufflevector <8 x float> %v438, <8 x float> poison, <8 x i32> zeroinitializer
%v440 = load float, ptr %v415, align 4
%v441 = insertelement <8 x float> poison, float %v440, i32 0
%v442 = shufflevector <8 x float> %v441, <8 x float> poison, <8 x i32> zeroinitializer
%v443 = load <8 x float>, ptr %v4, align 4
%v444 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v434, <8 x float> %v442, <8 x float> %v443)
%v445 = load <8 x float>, ptr %v409, align 4
%v446 = fmul <8 x float> %v444, %v445
%v447 = load <8 x float>, ptr %v404, align 4
%v448 = fmul <8 x float> %v446, %v447
%v449 = load <8 x float>, ptr %s12
%v450 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v444, <8 x float> %v439, <8 x float> %v449)
store <8 x float> %v450, ptr %s12
%v451 = load <8 x float>, ptr %scratch, align 4
%v452 = load <8 x float>, ptr %s14
%v453 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v448, <8 x float> %v451, <8 x float> %v452)
store <8 x float> %v453, ptr %s14
%v454 = load <8 x float>, ptr %v5, align 4
%v455 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v448, <8 x float> %v420, <8 x float> %v454)
store <8 x float> %v455, ptr %v5, align 4
store <8 x float> %v446, ptr %v4, align 4
%v456 = fmul <8 x float> %v420, %v427
%v457 = fmul <8 x float> %v444, %v456
%v458 = load <8 x float>, ptr %v407, align 4
%v459 = fmul <8 x float> %v434, %v458
%v460 = getelementptr float, ptr %v4, i64 8
%v461 = load <8 x float>, ptr %v460, align 4
%v462 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v436, <8 x float> %v442, <8 x float> %v461)
%v463 = getelementptr float, ptr %v409, i64 8
%v464 = load <8 x float>, ptr %v463, align 4
%v465 = fmul <8 x float> %v462, %v464
%v466 = getelementptr float, ptr %v404, i64 8
%v467 = load <8 x float>, ptr %v466, align 4
%v468 = fmul <8 x float> %v465, %v467
%v469 = load <8 x float>, ptr %s13
%v470 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v462, <8 x float> %v439, <8 x float> %v469)
store <8 x float> %v470, ptr %s13
%v471 = getelementptr float, ptr %scratch, i64 8
%v472 = load <8 x float>, ptr %v471, align 4
%v473 = load <8 x float>, ptr %s15
%v474 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v468, <8 x float> %v472, <8 x float> %v473)
store <8 x float> %v474, ptr %s15
%v475 = getelementptr float, ptr %v5, i64 8
%v476 = load <8 x float>, ptr %v475, align 4
%v477 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v468, <8 x float> %v422, <8 x float> %v476)
%v478 = getelementptr float, ptr %v5, i64 8
store <8 x float> %v477, ptr %v478, align 4
%v479 = getelementptr float, ptr %v4, i64 8
store <8 x float> %v465, ptr %v479, align 4
%v480 = fmul <8 x float> %v422, %v429
%v481 = fmul <8 x float> %v462, %v480
%v482 = getelementptr float, ptr %v407, i64 8
%v483 = load <8 x float>, ptr %v482, align 4
%v484 = fmul <8 x float> %v436, %v483
%v485 = fadd <8 x float> %v457, %v481
store <8 x float> %v485, ptr %v6, align 4
%v486 = fadd <8 x float> %v459, %v484
%v487 = getelementptr float, ptr %v6, i64 64
store <8 x float> %v486, ptr %v487, align 4
%v488 = load <8 x float>, ptr %s12
%v489 = fmul <8 x float> %v420, %v488
%v490 = load <8 x float>, ptr %s13
%v491 = fmul <8 x float> %v422, %v490
%v492 = mul i64 %v9, 48
%v493 = mul i64 %v402, 8
%v494 = add i64 %v492, %v493
%v495 = getelementptr float, ptr %a6, i64 %v494
br i1 true, label %then26, label %else27
then26:
br i1 true, label %then29, label %else30
then29:
store <8 x float> %v489, ptr %v495, align 4
br label %end31
else30:
store <8 x float> %v489, ptr %v495, align 4
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
%v496 = getelementptr float, ptr %v495, i64 8
store <8 x float> %v491, ptr %v496, align 4
br label %end37
else36:
br label %end37
end37:
br label %end34
else33:
br label %end34
end34:
%v497 = load <8 x float>, ptr %s12
%v498 = load <8 x float>, ptr %s14
%v499 = fmul <8 x float> %v498, splat (float 0x3FE62E4300000000)
%v500 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v427, <8 x float> %v497, <8 x float> %v499)
%v501 = load <8 x float>, ptr %s13
%v502 = load <8 x float>, ptr %s15
%v503 = fmul <8 x float> %v502, splat (float 0x3FE62E4300000000)
%v504 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v429, <8 x float> %v501, <8 x float> %v503)
%v505 = mul i64 %v9, 48
%v506 = mul i64 %v402, 8
%v507 = add i64 %v505, %v506
%v508 = getelementptr float, ptr %a7, i64 %v507
br i1 true, label %then38, label %else39
then38:
br i1 true, label %then41, label %else42
then41:
store <8 x float> %v500, ptr %v508, align 4
br label %end43
else42:
store <8 x float> %v500, ptr %v508, align 4
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
%v509 = getelementptr float, ptr %v508, i64 8
store <8 x float> %v504, ptr %v509, align 4
br label %end49
else48:
br label %end49
end49:
br label %end46
else45:
br label %end46
end46:
%v510 = mul i64 %v9, 6
%v511 = add i64 %v510, %v402
%v512 = getelementptr float, ptr %a8, i64 %v511
%v513 = load <8 x float>, ptr %v6, align 4
%v514 = getelementptr float, ptr %v6, i64 8
%v515 = load <8 x float>, ptr %v514, align 4
%v516 = getelementptr float, ptr %v6, i64 16
%v517 = load <8 x float>, ptr %v516, align 4
%v518 = getelementptr float, ptr %v6, i64 24
%v519 = load <8 x float>, ptr %v518, align 4
%v520 = getelementptr float, ptr %v6, i64 32
%v521 = load <8 x float>, ptr %v520, align 4
%v522 = getelementptr float, ptr %v6, i64 40
%v523 = load <8 x float>, ptr %v522, align 4
%v524 = getelementptr float, ptr %v6, i64 48
%v525 = load <8 x float>, ptr %v524, align 4
%v526 = getelementptr float, ptr %v6, i64 56
%v527 = load <8 x float>, ptr %v526, align 4
%v528 = shufflevector <8 x float> %v513, <8 x float> %v515, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v529 = shufflevector <8 x float> %v513, <8 x float> %v515, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v530 = fadd <8 x float> %v528, %v529
%v531 = shufflevector <8 x float> %v517, <8 x float> %v519, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v532 = shufflevector <8 x float> %v517, <8 x float> %v519, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v533 = fadd <8 x float> %v531, %v532
%v534 = shufflevector <8 x float> %v521, <8 x float> %v523, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v535 = shufflevector <8 x float> %v521, <8 x float> %v523, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v536 = fadd <8 x float> %v534, %v535
%v537 = shufflevector <8 x float> %v525, <8 x float> %v527, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v538 = shufflevector <8 x float> %v525, <8 x float> %v527, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v539 = fadd <8 x float> %v537, %v538
%v540 = shufflevector <8 x float> %v530, <8 x float> %v533, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v541 = shufflevector <8 x float> %v530, <8 x float> %v533, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v542 = fadd <8 x float> %v540, %v541
%v543 = shufflevector <8 x float> %v536, <8 x float> %v539, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v544 = shufflevector <8 x float> %v536, <8 x float> %v539, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v545 = fadd <8 x float> %v543, %v544
%v546 = shufflevector <8 x float> %v542, <8 x float> %v545, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v547 = shufflevector <8 x float> %v542, <8 x float> %v545, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v548 = fadd <8 x float> %v546, %v547
store <8 x float> %v548, ptr %s22
br i1 false, label %then50, label %else51
then50:
%v549 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v512, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v550 = fadd <8 x float> %v549, %v548
store <8 x float> %v550, ptr %s22
br label %end52
else51:
br label %end52
end52:
%v551 = load <8 x float>, ptr %s22
%v552 = extractelement <8 x float> %v551, i64 0
store float %v552, ptr %v512, align 4
%v553 = mul i64 %v9, 6
%v554 = add i64 %v553, %v402
%v555 = getelementptr float, ptr %a9, i64 %v554
%v556 = getelementptr float, ptr %v6, i64 64
%v557 = load <8 x float>, ptr %v556, align 4
%v558 = getelementptr float, ptr %v6, i64 72
%v559 = load <8 x float>, ptr %v558, align 4
%v560 = getelementptr float, ptr %v6, i64 80
%v561 = load <8 x float>, ptr %v560, align 4
%v562 = getelementptr float, ptr %v6, i64 88
%v563 = load <8 x float>, ptr %v562, align 4
%v564 = getelementptr float, ptr %v6, i64 96
%v565 = load <8 x float>, ptr %v564, align 4
%v566 = getelementptr float, ptr %v6, i64 104
%v567 = load <8 x float>, ptr %v566, align 4
%v568 = getelementptr float, ptr %v6, i64 112
%v569 = load <8 x float>, ptr %v568, align 4
%v570 = getelementptr float, ptr %v6, i64 120
%v571 = load <8 x float>, ptr %v570, align 4
%v572 = shufflevector <8 x float> %v557, <8 x float> %v559, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v573 = shufflevector <8 x float> %v557, <8 x float> %v559, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v574 = fadd <8 x float> %v572, %v573
%v575 = shufflevector <8 x float> %v561, <8 x float> %v563, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v576 = shufflevector <8 x float> %v561, <8 x float> %v563, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v577 = fadd <8 x float> %v575, %v576
%v578 = shufflevector <8 x float> %v565, <8 x float> %v567, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v579 = shufflevector <8 x float> %v565, <8 x float> %v567, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v580 = fadd <8 x float> %v578, %v579
%v581 = shufflevector <8 x float> %v569, <8 x float> %v571, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v582 = shufflevector <8 x float> %v569, <8 x float> %v571, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v583 = fadd <8 x float> %v581, %v582
%v584 = shufflevector <8 x float> %v574, <8 x float> %v577, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v585 = shufflevector <8 x float> %v574, <8 x float> %v577, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v586 = fadd <8 x float> %v584, %v585
%v587 = shufflevector <8 x float> %v580, <8 x float> %v583, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v588 = shufflevector <8 x float> %v580, <8 x float> %v583, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v589 = fadd <8 x float> %v587, %v588
%v590 = shufflevector <8 x float> %v586, <8 x float> %v589, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v591 = shufflevector <8 x float> %v586, <8 x float> %v589, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v592 = fadd <8 x float> %v590, %v591
store <8 x float> %v592, ptr %s25
br i1 false, label %then53, label %else54
then53:
%v593 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v555, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v594 = fadd <8 x float> %v593, %v592
store <8 x float> %v594, ptr %s25
br label %end55
else54:
br label %end55
end55:
%v595 = load <8 x float>, ptr %s25
%v596 = extractelement <8 x float> %v595, i64 0
store float %v596, ptr %v555, align 4
%v597 = add i64 %v402, -1
%v598 = icmp sgt i64 %v597, -1
br i1 %v598, label %loop24, label %end25
end25:
%v599 = load <8 x float>, ptr %v5, align 4
%v600 = shufflevector <8 x float> %v599, <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v601 = shufflevector <8 x float> %v599, <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v602 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v603 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v604 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v605 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v606 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v607 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v608 = shufflevector <8 x float> %v600, <8 x float> %v602, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v609 = shufflevector <8 x float> %v600, <8 x float> %v602, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v610 = shufflevector <8 x float> %v601, <8 x float> %v603, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v611 = shufflevector <8 x float> %v601, <8 x float> %v603, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v612 = shufflevector <8 x float> %v604, <8 x float> %v606, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v613 = shufflevector <8 x float> %v604, <8 x float> %v606, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v614 = shufflevector <8 x float> %v605, <8 x float> %v607, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v615 = shufflevector <8 x float> %v605, <8 x float> %v607, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v616 = shufflevector <8 x float> %v608, <8 x float> %v612, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v617 = shufflevector <8 x float> %v608, <8 x float> %v612, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v618 = shufflevector <8 x float> %v610, <8 x float> %v614, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v619 = shufflevector <8 x float> %v610, <8 x float> %v614, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v620 = shufflevector <8 x float> %v609, <8 x float> %v613, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v621 = shufflevector <8 x float> %v609, <8 x float> %v613, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v622 = shufflevector <8 x float> %v611, <8 x float> %v615, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v623 = shufflevector <8 x float> %v611, <8 x float> %v615, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
br i1 true, label %then56, label %else57
then56:
%v624 = mul i64 %v9, 8
%v625 = getelementptr float, ptr %a10, i64 %v624
%v626 = extractelement <8 x float> %v616, i64 0
store float %v626, ptr %v625, align 4
br label %end58
else57:
br label %end58
end58:
br i1 true, label %then59, label %else60
then59:
%v627 = mul i64 %v9, 8
%v628 = add i64 %v627, 1
%v629 = getelementptr float, ptr %a10, i64 %v628
%v630 = extractelement <8 x float> %v618, i64 0
store float %v630, ptr %v629, align 4
br label %end61
else60:
br label %end61
end61:
br i1 true, label %then62, label %else63
then62:
%v631 = mul i64 %v9, 8
%v632 = add i64 %v631, 2
%v633 = getelementptr float, ptr %a10, i64 %v632
%v634 = extractelement <8 x float> %v620, i64 0
store float %v634, ptr %v633, align 4
br label %end64
else63:
br label %end64
end64:
br i1 true, label %then65, label %else66
then65:
%v635 = mul i64 %v9, 8
%v636 = add i64 %v635, 3
%v637 = getelementptr float, ptr %a10, i64 %v636
%v638 = extractelement <8 x float> %v622, i64 0
store float %v638, ptr %v637, align 4
br label %end67
else66:
br label %end67
end67:
br i1 true, label %then68, label %else69
then68:
%v639 = mul i64 %v9, 8
%v640 = add i64 %v639, 4
%v641 = getelementptr float, ptr %a10, i64 %v640
%v642 = extractelement <8 x float> %v617, i64 0
store float %v642, ptr %v641, align 4
br label %end70
else69:
br label %end70
end70:
br i1 true, label %then71, label %else72
then71:
%v643 = mul i64 %v9, 8
%v644 = add i64 %v643, 5
%v645 = getelementptr float, ptr %a10, i64 %v644
%v646 = extractelement <8 x float> %v619, i64 0
store float %v646, ptr %v645, align 4
br label %end73
else72:
br label %end73
end73:
br i1 true, label %then74, label %else75
then74:
%v647 = mul i64 %v9, 8
%v648 = add i64 %v647, 6
%v649 = getelementptr float, ptr %a10, i64 %v648
%v650 = extractelement <8 x float> %v621, i64 0
store float %v650, ptr %v649, align 4
br label %end76
else75:
br label %end76
end76:
br i1 true, label %then77, label %else78
then77:
%v651 = mul i64 %v9, 8
%v652 = add i64 %v651, 7
%v653 = getelementptr float, ptr %a10, i64 %v652
%v654 = extractelement <8 x float> %v623, i64 0
store float %v654, ptr %v653, align 4
br label %end79
else78:
br label %end79
end79:
%v655 = getelementptr float, ptr %v5, i64 8
%v656 = load <8 x float>, ptr %v655, align 4
%v657 = shufflevector <8 x float> %v656, <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v658 = shufflevector <8 x float> %v656, <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v659 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v660 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v661 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v662 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v663 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v664 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v665 = shufflevector <8 x float> %v657, <8 x float> %v659, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v666 = shufflevector <8 x float> %v657, <8 x float> %v659, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v667 = shufflevector <8 x float> %v658, <8 x float> %v660, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v668 = shufflevector <8 x float> %v658, <8 x float> %v660, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v669 = shufflevector <8 x float> %v661, <8 x float> %v663, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v670 = shufflevector <8 x float> %v661, <8 x float> %v663, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v671 = shufflevector <8 x float> %v662, <8 x float> %v664, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v672 = shufflevector <8 x float> %v662, <8 x float> %v664, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v673 = shufflevector <8 x float> %v665, <8 x float> %v669, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v674 = shufflevector <8 x float> %v665, <8 x float> %v669, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v675 = shufflevector <8 x float> %v667, <8 x float> %v671, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v676 = shufflevector <8 x float> %v667, <8 x float> %v671, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v677 = shufflevector <8 x float> %v666, <8 x float> %v670, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v678 = shufflevector <8 x float> %v666, <8 x float> %v670, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v679 = shufflevector <8 x float> %v668, <8 x float> %v672, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v680 = shufflevector <8 x float> %v668, <8 x float> %v672, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
br i1 false, label %then80, label %else81
then80:
%v681 = mul i64 %v9, 8
%v682 = add i64 %v681, 8
%v683 = getelementptr float, ptr %a10, i64 %v682
%v684 = extractelement <8 x float> %v673, i64 0
store float %v684, ptr %v683, align 4
br label %end82
else81:
br label %end82
end82:
br i1 false, label %then83, label %else84
then83:
%v685 = mul i64 %v9, 8
%v686 = add i64 %v685, 9
%v687 = getelementptr float, ptr %a10, i64 %v686
%v688 = extractelement <8 x float> %v675, i64 0
store float %v688, ptr %v687, align 4
br label %end85
else84:
br label %end85
end85:
br i1 false, label %then86, label %else87
then86:
%v689 = mul i64 %v9, 8
%v690 = add i64 %v689, 10
%v691 = getelementptr float, ptr %a10, i64 %v690
%v692 = extractelement <8 x float> %v677, i64 0
store float %v692, ptr %v691, align 4
br label %end88
else87:
br label %end88
end88:
br i1 false, label %then89, label %else90
then89:
%v693 = mul i64 %v9, 8
%v694 = add i64 %v693, 11
%v695 = getelementptr float, ptr %a10, i64 %v694
%v696 = extractelement <8 x float> %v679, i64 0
store float %v696, ptr %v695, align 4
br label %end91
else90:
br label %end91
end91:
br i1 false, label %then92, label %else93
then92:
%v697 = mul i64 %v9, 8
%v698 = add i64 %v697, 12
%v699 = getelementptr float, ptr %a10, i64 %v698
%v700 = extractelement <8 x float> %v674, i64 0
store float %v700, ptr %v699, align 4
br label %end94
else93:
br label %end94
end94:
br i1 false, label %then95, label %else96
then95:
%v701 = mul i64 %v9, 8
%v702 = add i64 %v701, 13
%v703 = getelementptr float, ptr %a10, i64 %v702
%v704 = extractelement <8 x float> %v676, i64 0
store float %v704, ptr %v703, align 4
br label %end97
else96:
br label %end97
end97:
br i1 false, label %then98, label %else99
then98:
%v705 = mul i64 %v9, 8
%v706 = add i64 %v705, 14
%v707 = getelementptr float, ptr %a10, i64 %v706
%v708 = extractelement <8 x float> %v678, i64 0
store float %v708, ptr %v707, align 4
br label %end100
else99:
br label %end100
end100:
br i1 false, label %then101, label %else102
then101:
%v709 = mul i64 %v9, 8
%v710 = add i64 %v709, 15
%v711 = getelementptr float, ptr %a10, i64 %v710
%v712 = extractelement <8 x float> %v680, i64 0
store float %v712, ptr %v711, align 4
br label %end103
else102:
br label %end103
end103:
%v713 = add i64 %v9, 1
%v714 = icmp slt i64 %v713, %end
br i1 %v714, label %loop1, label %end2
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

