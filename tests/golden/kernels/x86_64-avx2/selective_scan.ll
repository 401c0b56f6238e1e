; kernels for x86_64-avx2
; mir @selective_scan {
;   %0 = input("x1") : f32[1, 6, 8]
;   %1 = input("x2") : f32[1, 6, 8]
;   %2 = input("x3") : f32[8, 1]
;   %3 = input("x4") : f32[1, 6, 1]
;   %4 = input("x5") : f32[1, 6, 1]
;   %5 = param("w1") : f32[8]
;   %6:2 = selective_scan(%0, %1, %2, %3, %4, %5, state_size=1) : (f32[1, 6, 8], f32[1, 8, 1])
;   return y1=%6.0
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare <8 x float> @llvm.fabs.v8f32(<8 x float>)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i1 @llvm.vector.reduce.and.v8i1(<8 x i1>)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @selective_scan_01fba4a5(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 2
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 3
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 4
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 0
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 1
%a4 = load ptr, ptr %a4.p, align 8
%a5.p = getelementptr i64, ptr %args, i64 6
%a5 = load ptr, ptr %a5.p, align 8
%s12 = alloca <8 x float>
%s13 = alloca <8 x float>
%a6.p = getelementptr i64, ptr %args, i64 5
%a6 = load ptr, ptr %a6.p, align 8
%a7.p = getelementptr i64, ptr %args, i64 7
%a7 = load ptr, ptr %a7.p, align 8
%v0 = getelementptr float, ptr %scratch, i64 32
%v1 = getelementptr float, ptr %scratch, i64 64
%v2 = getelementptr float, ptr %scratch, i64 96
%v3 = icmp slt i64 %begin, %end
br i1 %v3, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v4 = phi i64 [ %begin, %guard3 ], [ %v341, %end24 ]
br label %loop4
loop4:
%v5 = phi i64 [ 0, %loop1 ], [ %v78, %loop4 ]
%v6 = mul i64 %v5, 8
%v7 = ashr i64 %v5, 1
%v8 = mul i64 %v7, 16
%v9 = and i64 %v5, 1
%v10 = mul i64 %v9, 8
%v11 = add i64 %v8, %v10
%v12 = getelementptr float, ptr %scratch, i64 %v11
%v13 = call i64 @llvm.smin.i64(i64 %v6, i64 7)
%v14 = getelementptr float, ptr %a0, i64 %v13
%v15 = add i64 %v6, 1
%v16 = call i64 @llvm.smin.i64(i64 %v15, i64 7)
%v17 = getelementptr float, ptr %a0, i64 %v16
%v18 = add i64 %v6, 2
%v19 = call i64 @llvm.smin.i64(i64 %v18, i64 7)
%v20 = getelementptr float, ptr %a0, i64 %v19
%v21 = add i64 %v6, 3
%v22 = call i64 @llvm.smin.i64(i64 %v21, i64 7)
%v23 = getelementptr float, ptr %a0, i64 %v22
%v24 = add i64 %v6, 4
%v25 = call i64 @llvm.smin.i64(i64 %v24, i64 7)
%v26 = getelementptr float, ptr %a0, i64 %v25
%v27 = add i64 %v6, 5
%v28 = call i64 @llvm.smin.i64(i64 %v27, i64 7)
%v29 = getelementptr float, ptr %a0, i64 %v28
%v30 = add i64 %v6, 6
%v31 = call i64 @llvm.smin.i64(i64 %v30, i64 7)
%v32 = getelementptr float, ptr %a0, i64 %v31
%v33 = add i64 %v6, 7
%v34 = call i64 @llvm.smin.i64(i64 %v33, i64 7)
%v35 = getelementptr float, ptr %a0, i64 %v34
%v36 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v14, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v37 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v17, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v38 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v20, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v39 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v23, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v40 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v26, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v41 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v29, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v42 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v32, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v43 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v35, i32 4, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v44 = shufflevector <8 x float> %v36, <8 x float> %v37, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v45 = shufflevector <8 x float> %v36, <8 x float> %v37, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v46 = shufflevector <8 x float> %v38, <8 x float> %v39, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v47 = shufflevector <8 x float> %v38, <8 x float> %v39, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v48 = shufflevector <8 x float> %v40, <8 x float> %v41, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v49 = shufflevector <8 x float> %v40, <8 x float> %v41, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v50 = shufflevector <8 x float> %v42, <8 x float> %v43, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v51 = shufflevector <8 x float> %v42, <8 x float> %v43, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v52 = shufflevector <8 x float> %v44, <8 x float> %v46, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v53 = shufflevector <8 x float> %v44, <8 x float> %v46, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v54 = shufflevector <8 x float> %v45, <8 x float> %v47, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v55 = shufflevector <8 x float> %v45, <8 x float> %v47, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v56 = shufflevector <8 x float> %v48, <8 x float> %v50, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v57 = shufflevector <8 x float> %v48, <8 x float> %v50, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v58 = shufflevector <8 x float> %v49, <8 x float> %v51, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v59 = shufflevector <8 x float> %v49, <8 x float> %v51, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v60 = shufflevector <8 x float> %v52, <8 x float> %v56, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v61 = shufflevector <8 x float> %v52, <8 x float> %v56, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v62 = shufflevector <8 x float> %v54, <8 x float> %v58, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v63 = shufflevector <8 x float> %v54, <8 x float> %v58, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v64 = shufflevector <8 x float> %v53, <8 x float> %v57, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v65 = shufflevector <8 x float> %v53, <8 x float> %v57, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v66 = shufflevector <8 x float> %v55, <8 x float> %v59, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v67 = shufflevector <8 x float> %v55, <8 x float> %v59, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v68 = fmul <8 x float> %v60, splat (float 0x3FF7154760000000)
store <8 x float> %v68, ptr %v12, align 4
%v69 = load <8 x float>, ptr %v12, align 4
%v70 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v69)
%v71 = fcmp ogt <8 x float> splat (float 0x0000000000000000), %v70
%v72 = select <8 x i1> %v71, <8 x float> splat (float 0x0000000000000000), <8 x float> %v70
%v73 = fcmp uno <8 x float> splat (float 0x0000000000000000), splat (float 0x0000000000000000)
%v74 = select <8 x i1> %v73, <8 x float> splat (float 0x0000000000000000), <8 x float> %v72
%v75 = mul i64 %v5, 8
%v76 = getelementptr float, ptr %v1, i64 %v75
store <8 x float> %v74, ptr %v76, align 4
%v77 = getelementptr float, ptr %v0, i64 %v11
store <8 x float> splat (float 0x0000000000000000), ptr %v77, align 4
%v78 = add i64 %v5, 1
%v79 = icmp slt i64 %v78, 2
br i1 %v79, label %loop4, label %end5
end5:
br label %loop6
loop6:
%v80 = phi i64 [ 0, %end5 ], [ %v250, %end19 ]
%v81 = mul i64 %v4, 6
%v82 = add i64 %v81, %v80
%v83 = getelementptr float, ptr %a1, i64 %v82
%v84 = mul i64 %v4, 6
%v85 = add i64 %v84, %v80
%v86 = getelementptr float, ptr %a2, i64 %v85
%v87 = mul i64 %v4, 48
%v88 = mul i64 %v80, 8
%v89 = add i64 %v87, %v88
%v90 = getelementptr float, ptr %a3, i64 %v89
%v91 = mul i64 %v4, 48
%v92 = mul i64 %v80, 8
%v93 = add i64 %v91, %v92
%v94 = getelementptr float, ptr %a4, i64 %v93
%v95 = mul i64 %v4, 48
%v96 = mul i64 %v80, 8
%v97 = add i64 %v95, %v96
%v98 = getelementptr float, ptr %a5, i64 %v97
%v99 = getelementptr i8, ptr %v90, i64 256
call void @llvm.prefetch.p0(ptr %v99, i32 0, i32 3, i32 1)
%v100 = getelementptr i8, ptr %v90, i64 320
call void @llvm.prefetch.p0(ptr %v100, i32 0, i32 3, i32 1)
%v101 = getelementptr i8, ptr %v94, i64 256
call void @llvm.prefetch.p0(ptr %v101, i32 0, i32 3, i32 1)
%v102 = getelementptr i8, ptr %v94, i64 320
call void @llvm.prefetch.p0(ptr %v102, i32 0, i32 3, i32 1)
%v103 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v90, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v104 = getelementptr float, ptr %v90, i64 8
%v105 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v104, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
%v106 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v94, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v107 = getelementptr float, ptr %v94, i64 8
%v108 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v107, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v109 = fmul <8 x float> %v103, %v106
%v110 = fmul <8 x float> %v105, %v108
%v111 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v106)
%v112 = load <8 x float>, ptr %v1, align 4
%v113 = fmul <8 x float> %v111, %v112
%v114 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v108)
%v115 = getelementptr float, ptr %v1, i64 8
%v116 = load <8 x float>, ptr %v115, align 4
%v117 = fmul <8 x float> %v114, %v116
%v118 = fcmp olt <8 x float> %v113, splat (float 0x405F000000000000)
%v119 = fcmp olt <8 x float> %v117, splat (float 0x405F000000000000)
%v120 = and <8 x i1> %v118, %v119
%v121 = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %v120)
br i1 %v121, label %then8, label %else9
then8:
%v122 = load float, ptr %v83, align 4
%v123 = insertelement <8 x float> poison, float %v122, i32 0
%v124 = shufflevector <8 x float> %v123, <8 x float> poison, <8 x i32> zeroinitializer
%v125 = load float, ptr %v86, align 4
%v126 = insertelement <8 x float> poison, float %v125, i32 0
%v127 = shufflevector <8 x float> %v126, <8 x float> poison, <8 x i32> zeroinitializer
%v128 = load <8 x float>, ptr %scratch, align 4
%v129 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v106, <8 x float> %v128, <8 x float> splat (float 0x4168000FE0000000))
%v130 = fsub <8 x float> %v129, splat (float 0x4168000FE0000000)
%v131 = fneg <8 x float> %v130
%v132 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v106, <8 x float> %v128, <8 x float> %v131)
%v133 = bitcast <8 x float> %v129 to <8 x i32>
%v134 = shl <8 x i32> %v133, splat (i32 23)
%v135 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F243D0720000000), <8 x float> %v132, <8 x float> splat (float 0x3F55F11C40000000))
%v136 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v135, <8 x float> %v132, <8 x float> splat (float 0x3F83B2A8E0000000))
%v137 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v136, <8 x float> %v132, <8 x float> splat (float 0x3FAC6AF740000000))
%v138 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v137, <8 x float> %v132, <8 x float> splat (float 0x3FCEBFBE00000000))
%v139 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v138, <8 x float> %v132, <8 x float> splat (float 0x3FE62E4300000000))
%v140 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v139, <8 x float> %v132, <8 x float> splat (float 0x3FF0000000000000))
%v141 = bitcast <8 x i32> %v134 to <8 x float>
%v142 = fmul <8 x float> %v140, %v141
%v143 = load <8 x float>, ptr %v0, align 4
%v144 = fmul <8 x float> %v109, %v124
%v145 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v143, <8 x float> %v142, <8 x float> %v144)
store <8 x float> %v145, ptr %v0, align 4
%v146 = load <8 x float>, ptr %s12
%v147 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v145, <8 x float> %v127, <8 x float> %v146)
store <8 x float> %v147, ptr %s12
%v148 = getelementptr float, ptr %scratch, i64 8
%v149 = load <8 x float>, ptr %v148, align 4
%v150 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v108, <8 x float> %v149, <8 x float> splat (float 0x4168000FE0000000))
%v151 = fsub <8 x float> %v150, splat (float 0x4168000FE0000000)
%v152 = fneg <8 x float> %v151
%v153 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v108, <8 x float> %v149, <8 x float> %v152)
%v154 = bitcast <8 x float> %v150 to <8 x i32>
%v155 = shl <8 x i32> %v154, splat (i32 23)
%v156 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F243D0720000000), <8 x float> %v153, <8 x float> splat (float 0x3F55F11C40000000))
%v157 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v156, <8 x float> %v153, <8 x float> splat (float 0x3F83B2A8E0000000))
%v158 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v157, <8 x float> %v153, <8 x float> splat (float 0x3FAC6AF740000000))
%v159 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v158, <8 x float> %v153, <8 x float> splat (float 0x3FCEBFBE00000000))
%v160 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v159, <8 x float> %v153, <8 x float> splat (float 0x3FE62E4300000000))
%v161 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v160, <8 x float> %v153, <8 x float> splat (float 0x3FF0000000000000))
%v162 = bitcast <8 x i32> %v155 to <8 x float>
%v163 = fmul <8 x float> %v161, %v162
%v164 = getelementptr float, ptr %v0, i64 8
%v165 = load <8 x float>, ptr %v164, align 4
%v166 = fmul <8 x float> %v110, %v124
%v167 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> %v163, <8 x float> %v166)
%v168 = getelementptr float, ptr %v0, i64 8
store <8 x float> %v167, ptr %v168, align 4
%v169 = load <8 x float>, ptr %s13
%v170 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v167, <8 x float> %v127, <8 x float> %v169)
store <8 x float> %v170, ptr %s13
br label %end10
else9:
%v171 = load float, ptr %v83, align 4
%v172 = insertelement <8 x float> poison, float %v171, i32 0
%v173 = shufflevector <8 x float> %v172, <8 x float> poison, <8 x i32> zeroinitializer
%v174 = load float, ptr %v86, align 4
%v175 = insertelement <8 x float> poison, float %v174, i32 0
%v176 = shufflevector <8 x float> %v175, <8 x float> poison, <8 x i32> zeroinitializer
%v177 = load <8 x float>, ptr %scratch, align 4
%v178 = fmul <8 x float> %v106, %v177
%v179 = fmul <8 x float> %v178, splat (float 0x3FE62E4300000000)
%v180 = fcmp ogt <8 x float> splat (float 0xC066033340000000), %v179
%v181 = select <8 x i1> %v180, <8 x float> splat (float 0xC066033340000000), <8 x float> %v179
%v182 = fcmp olt <8 x float> splat (float 0x4056400000000000), %v181
%v183 = select <8 x i1> %v182, <8 x float> splat (float 0x4056400000000000), <8 x float> %v181
%v184 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v183, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168001FC0000000))
%v185 = fsub <8 x float> %v184, splat (float 0x4168001FC0000000)
%v186 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v185, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v183)
%v187 = bitcast <8 x float> %v184 to <8 x i32>
%v188 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v185, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v186)
%v189 = lshr <8 x i32> %v187, splat (i32 1)
%v190 = shl <8 x i32> %v189, splat (i32 23)
%v191 = bitcast <8 x i32> %v190 to <8 x float>
%v192 = fmul <8 x float> %v188, %v188
%v193 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v188, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v194 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v188, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v195 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v192, <8 x float> %v194)
%v196 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v195, <8 x float> %v192, <8 x float> %v193)
%v197 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v192, <8 x float> %v196, <8 x float> %v188)
%v198 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v197, <8 x float> %v191, <8 x float> %v191)
%v199 = sub <8 x i32> %v187, %v189
%v200 = shl <8 x i32> %v199, splat (i32 23)
%v201 = bitcast <8 x i32> %v200 to <8 x float>
%v202 = fmul <8 x float> %v198, %v201
%v203 = load <8 x float>, ptr %v0, align 4
%v204 = fmul <8 x float> %v109, %v173
%v205 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v203, <8 x float> %v202, <8 x float> %v204)
store <8 x float> %v205, ptr %v0, align 4
%v206 = load <8 x float>, ptr %s12
%v207 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v205, <8 x float> %v176, <8 x float> %v206)
store <8 x float> %v207, ptr %s12
%v208 = getelementptr float, ptr %scratch, i64 8
%v209 = load <8 x float>, ptr %v208, align 4
%v210 = fmul <8 x float> %v108, %v209
%v211 = fmul <8 x float> %v210, splat (float 0x3FE62E4300000000)
%v212 = fcmp ogt <8 x float> splat (float 0xC066033340000000), %v211
%v213 = select <8 x i1> %v212, <8 x float> splat (float 0xC066033340000000), <8 x float> %v211
%v214 = fcmp olt <8 x float> splat (float 0x4056400000000000), %v213
%v215 = select <8 x i1> %v214, <8 x float> splat (float 0x4056400000000000), <8 x float> %v213
%v216 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v215, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168001FC0000000))
%v217 = fsub <8 x float> %v216, splat (float 0x4168001FC0000000)
%v218 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v217, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v215)
%v219 = bitcast <8 x float> %v216 to <8 x i32>
%v220 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v217, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v218)
%v221 = lshr <8 x i32> %v219, splat (i32 1)
%v222 = shl <8 x i32> %v221, splat (i32 23)
%v223 = bitcast <8 x i32> %v222 to <8 x float>
%v224 = fmul <8 x float> %v220, %v220
%v225 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v220, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v226 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v220, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v227 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v224, <8 x float> %v226)
%v228 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v227, <8 x float> %v224, <8 x float> %v225)
%v229 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v224, <8 x float> %v228, <8 x float> %v220)
%v230 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v229, <8 x float> %v223, <8 x float> %v223)
%v231 = sub <8 x i32> %v219, %v221
%v232 = shl <8 x i32> %v231, splat (i32 23)
%v233 = bitcast <8 x i32> %v232 to <8 x float>
%v234 = fmul <8 x float> %v230, %v233
%v235 = getelementptr float, ptr %v0, i64 8
%v236 = load <8 x float>, ptr %v235, align 4
%v237 = fmul <8 x float> %v110, %v173
%v238 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v236, <8 x float> %v234, <8 x float> %v237)
%v239 = getelementptr float, ptr %v0, i64 8
store <8 x float> %v238, ptr %v239, align 4
%v240 = load <8 x float>, ptr %s13
%v241 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v238, <8 x float> %v176, <8 x float> %v240)
store <8 x float> %v241, ptr %s13
br label %end10
end10:
%v242 = load <8 x float>, ptr %s12
%v243 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %a6, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> splat (float 0x0000000000000000))
%v244 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v243, <8 x float> %v103, <8 x float> %v242)
br i1 true, label %then11, label %else12
then11:
br i1 true, label %then14, label %else15
then14:
store <8 x float> %v244, ptr %v98, align 4
br label %end16
else15:
store <8 x float> %v244, ptr %v98, align 4
br label %end16
end16:
br label %end13
else12:
br label %end13
end13:
%v245 = load <8 x float>, ptr %s13
%v246 = getelementptr float, ptr %a6, i64 8
%v247 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v246, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v248 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v247, <8 x float> %v105, <8 x float> %v245)
br i1 false, label %then17, label %else18
then17:
br i1 false, label %then20, label %else21
then20:
%v249 = getelementptr float, ptr %v98, i64 8
store <8 x float> %v248, ptr %v249, align 4
br label %end22
else21:
br label %end22
end22:
br label %end19
else18:
br label %end19
end19:
%v250 = add i64 %v80, 1
%v251 = icmp slt i64 %v250, 6
br i1 %v251, label %loop6, label %end7
end7:
br label %loop23
loop23:
%v252 = phi i64 [ 0, %end7 ], [ %v339, %end48 ]
%v253 = ashr i64 %v252, 1
%v254 = mul i64 %v253, 16
%v255 = and i64 %v252, 1
%v256 = mul i64 %v255, 8
%v257 = add i64 %v254, %v256
%v258 = mul i64 %v252, 8
%v259 = getelementptr float, ptr %v0, i64 %v257
%v260 = load <8 x float>, ptr %v259, align 4
%v261 = shufflevector <8 x float> %v260, <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v262 = shufflevector <8 x float> %v260, <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v263 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v264 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v265 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v266 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v267 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v268 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> splat (float 0x0000000000000000), <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v269 = shufflevector <8 x float> %v261, <8 x float> %v263, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v270 = shufflevector <8 x float> %v261, <8 x float> %v263, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v271 = shufflevector <8 x float> %v262, <8 x float> %v264, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v272 = shufflevector <8 x float> %v262, <8 x float> %v264, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v273 = shufflevector <8 x float> %v265, <8 x float> %v267, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v274 = shufflevector <8 x float> %v265, <8 x float> %v267, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v275 = shufflevector <8 x float> %v266, <8 x float> %v268, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v276 = shufflevector <8 x float> %v266, <8 x float> %v268, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v277 = shufflevector <8 x float> %v269, <8 x float> %v273, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v278 = shufflevector <8 x float> %v269, <8 x float> %v273, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v279 = shufflevector <8 x float> %v271, <8 x float> %v275, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v280 = shufflevector <8 x float> %v271, <8 x float> %v275, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v281 = shufflevector <8 x float> %v270, <8 x float> %v274, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v282 = shufflevector <8 x float> %v270, <8 x float> %v274, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v283 = shufflevector <8 x float> %v272, <8 x float> %v276, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v284 = shufflevector <8 x float> %v272, <8 x float> %v276, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v285 = icmp slt i64 %v258, 8
br i1 %v285, label %then25, label %else26
then25:
%v286 = mul i64 %v4, 8
%v287 = add i64 %v286, %v258
%v288 = getelementptr float, ptr %a7, i64 %v287
%v289 = extractelement <8 x float> %v277, i64 0
store float %v289, ptr %v288, align 4
br label %end27
else26:
br label %end27
end27:
%v290 = add i64 %v258, 1
%v291 = icmp slt i64 %v290, 8
br i1 %v291, label %then28, label %else29
then28:
%v292 = add i64 %v258, 1
%v293 = mul i64 %v4, 8
%v294 = add i64 %v293, %v292
%v295 = getelementptr float, ptr %a7, i64 %v294
%v296 = extractelement <8 x float> %v279, i64 0
store float %v296, ptr %v295, align 4
br label %end30
else29:
br label %end30
end30:
%v297 = add i64 %v258, 2
%v298 = icmp slt i64 %v297, 8
br i1 %v298, label %then31, label %else32
then31:
%v299 = add i64 %v258, 2
%v300 = mul i64 %v4, 8
%v301 = add i64 %v300, %v299
%v302 = getelementptr float, ptr %a7, i64 %v301
%v303 = extractelement <8 x float> %v281, i64 0
store float %v303, ptr %v302, align 4
br label %end33
else32:
br label %end33
end33:
%v304 = add i64 %v258, 3
%v305 = icmp slt i64 %v304, 8
br i1 %v305, label %then34, label %else35
then34:
%v306 = add i64 %v258, 3
%v307 = mul i64 %v4, 8
%v308 = add i64 %v307, %v306
%v309 = getelementptr float, ptr %a7, i64 %v308
%v310 = extractelement <8 x float> %v283, i64 0
store float %v310, ptr %v309, align 4
br label %end36
else35:
br label %end36
end36:
%v311 = add i64 %v258, 4
%v312 = icmp slt i64 %v311, 8
br i1 %v312, label %then37, label %else38
then37:
%v313 = add i64 %v258, 4
%v314 = mul i64 %v4, 8
%v315 = add i64 %v314, %v313
%v316 = getelementptr float, ptr %a7, i64 %v315
%v317 = extractelement <8 x float> %v278, i64 0
store float %v317, ptr %v316, align 4
br label %end39
else38:
br label %end39
end39:
%v318 = add i64 %v258, 5
%v319 = icmp slt i64 %v318, 8
br i1 %v319, label %then40, label %else41
then40:
%v320 = add i64 %v258, 5
%v321 = mul i64 %v4, 8
%v322 = add i64 %v321, %v320
%v323 = getelementptr float, ptr %a7, i64 %v322
%v324 = extractelement <8 x float> %v280, i64 0
store float %v324, ptr %v323, align 4
br label %end42
else41:
br label %end42
end42:
%v325 = add i64 %v258, 6
%v326 = icmp slt i64 %v325, 8
br i1 %v326, label %then43, label %else44
then43:
%v327 = add i64 %v258, 6
%v328 = mul i64 %v4, 8
%v329 = add i64 %v328, %v327
%v330 = getelementptr float, ptr %a7, i64 %v329
%v331 = extractelement <8 x float> %v282, i64 0
store float %v331, ptr %v330, align 4
br label %end45
else44:
br label %end45
end45:
%v332 = add i64 %v258, 7
%v333 = icmp slt i64 %v332, 8
br i1 %v333, label %then46, label %else47
then46:
%v334 = add i64 %v258, 7
%v335 = mul i64 %v4, 8
%v336 = add i64 %v335, %v334
%v337 = getelementptr float, ptr %a7, i64 %v336
%v338 = extractelement <8 x float> %v284, i64 0
store float %v338, ptr %v337, align 4
br label %end48
else47:
br label %end48
end48:
%v339 = add i64 %v252, 1
%v340 = icmp slt i64 %v339, 2
br i1 %v340, label %loop23, label %end24
end24:
%v341 = add i64 %v4, 1
%v342 = icmp slt i64 %v341, %end
br i1 %v342, label %loop1, label %end2
end2:
ret void
}

