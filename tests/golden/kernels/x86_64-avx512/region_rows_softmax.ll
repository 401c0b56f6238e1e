; kernels for x86_64-avx512
; mir @region_rows_softmax {
;   %0 = input("x1") : f32[6, 37]
;   %1 = softmax(%0, axis=1) : f32[6, 37]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr, i32, <16 x i1>, <16 x float>)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <32 x float> @llvm.fma.v32f32(<32 x float>, <32 x float>, <32 x float>)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr, i32, <16 x i1>)

define void @region_f3330293(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca <16 x float>
%s5 = alloca <32 x float>
%s6 = alloca <16 x float>
%s7 = alloca <32 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v146, %end5 ]
%v2 = mul i64 %v1, 221
%v3 = add i64 %v2, 221
%v4 = call i64 @llvm.smin.i64(i64 %v3, i64 6)
%v5 = icmp slt i64 %v2, %v4
br i1 %v5, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v6 = phi i64 [ %v2, %guard6 ], [ %v144, %loop4 ]
%v7 = mul i64 %v6, 37
%v8 = getelementptr float, ptr %a0, i64 %v7
%v9 = mul i64 %v6, 37
%v10 = getelementptr float, ptr %a1, i64 %v9
store <16 x float> splat (float 0xFFF0000000000000), ptr %s4
store <32 x float> splat (float 0xFFF0000000000000), ptr %s5
%v11 = load <32 x float>, ptr %v8, align 4
%v12 = load <32 x float>, ptr %s5
%v13 = fcmp ogt <32 x float> %v12, %v11
%v14 = select <32 x i1> %v13, <32 x float> %v12, <32 x float> %v11
%v15 = fcmp uno <32 x float> %v12, %v12
%v16 = select <32 x i1> %v15, <32 x float> %v12, <32 x float> %v14
store <32 x float> %v16, ptr %s5
%v17 = getelementptr float, ptr %v8, i64 32
%v18 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v17, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> splat (float 0x0000000000000000))
%v19 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v18, <16 x float> splat (float 0xFFF0000000000000)
%v20 = load <16 x float>, ptr %s4
%v21 = fcmp ogt <16 x float> %v20, %v19
%v22 = select <16 x i1> %v21, <16 x float> %v20, <16 x float> %v19
%v23 = fcmp uno <16 x float> %v20, %v20
%v24 = select <16 x i1> %v23, <16 x float> %v20, <16 x float> %v22
store <16 x float> %v24, ptr %s4
%v25 = load <16 x float>, ptr %s4
%v26 = load <32 x float>, ptr %s5
%v27 = shufflevector <32 x float> %v26, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v28 = shufflevector <32 x float> %v26, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
%v29 = fcmp ogt <16 x float> %v27, %v28
%v30 = select <16 x i1> %v29, <16 x float> %v27, <16 x float> %v28
%v31 = fcmp uno <16 x float> %v27, %v27
%v32 = select <16 x i1> %v31, <16 x float> %v27, <16 x float> %v30
%v33 = fcmp ogt <16 x float> %v32, %v25
%v34 = select <16 x i1> %v33, <16 x float> %v32, <16 x float> %v25
%v35 = fcmp uno <16 x float> %v32, %v32
%v36 = select <16 x i1> %v35, <16 x float> %v32, <16 x float> %v34
%v37 = shufflevector <16 x float> %v36, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v38 = shufflevector <16 x float> %v36, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v39 = fcmp ogt <8 x float> %v37, %v38
%v40 = select <8 x i1> %v39, <8 x float> %v37, <8 x float> %v38
%v41 = fcmp uno <8 x float> %v37, %v37
%v42 = select <8 x i1> %v41, <8 x float> %v37, <8 x float> %v40
%v43 = shufflevector <8 x float> %v42, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v44 = shufflevector <8 x float> %v42, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v45 = fcmp ogt <4 x float> %v43, %v44
%v46 = select <4 x i1> %v45, <4 x float> %v43, <4 x float> %v44
%v47 = fcmp uno <4 x float> %v43, %v43
%v48 = select <4 x i1> %v47, <4 x float> %v43, <4 x float> %v46
%v49 = shufflevector <4 x float> %v48, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v50 = shufflevector <4 x float> %v48, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v51 = fcmp ogt <2 x float> %v49, %v50
%v52 = select <2 x i1> %v51, <2 x float> %v49, <2 x float> %v50
%v53 = fcmp uno <2 x float> %v49, %v49
%v54 = select <2 x i1> %v53, <2 x float> %v49, <2 x float> %v52
%v55 = shufflevector <2 x float> %v54, <2 x float> poison, <1 x i32> <i32 0>
%v56 = shufflevector <2 x float> %v54, <2 x float> poison, <1 x i32> <i32 1>
%v57 = fcmp ogt <1 x float> %v55, %v56
%v58 = select <1 x i1> %v57, <1 x float> %v55, <1 x float> %v56
%v59 = fcmp uno <1 x float> %v55, %v55
%v60 = select <1 x i1> %v59, <1 x float> %v55, <1 x float> %v58
%v61 = extractelement <1 x float> %v60, i64 0
store <16 x float> splat (float 0x0000000000000000), ptr %s6
store <32 x float> splat (float 0x0000000000000000), ptr %s7
%v62 = insertelement <16 x float> poison, float %v61, i32 0
%v63 = shufflevector <16 x float> %v62, <16 x float> poison, <16 x i32> zeroinitializer
%v64 = insertelement <32 x float> poison, float %v61, i32 0
%v65 = shufflevector <32 x float> %v64, <32 x float> poison, <32 x i32> zeroinitializer
%v66 = getelementptr i8, ptr %v8, i64 148
call void @llvm.prefetch.p0(ptr %v66, i32 0, i32 3, i32 1)
%v67 = getelementptr i8, ptr %v8, i64 212
call void @llvm.prefetch.p0(ptr %v67, i32 0, i32 3, i32 1)
%v68 = load <32 x float>, ptr %v8, align 4
%v69 = fsub <32 x float> %v68, %v65
%v70 = fcmp ogt <32 x float> splat (float 0xC05A400000000000), %v69
%v71 = select <32 x i1> %v70, <32 x float> splat (float 0xC05A400000000000), <32 x float> %v69
%v72 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v71, <32 x float> splat (float 0x3FF7154760000000), <32 x float> splat (float 0x41680017E0000000))
%v73 = fsub <32 x float> %v72, splat (float 0x41680017E0000000)
%v74 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v73, <32 x float> splat (float 0xBFE62E4000000000), <32 x float> %v71)
%v75 = bitcast <32 x float> %v72 to <32 x i32>
%v76 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v73, <32 x float> splat (float 0xBEB7F7D1C0000000), <32 x float> %v74)
%v77 = shl <32 x i32> %v75, splat (i32 23)
%v78 = bitcast <32 x i32> %v77 to <32 x float>
%v79 = fmul <32 x float> %v76, %v76
%v80 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v76, <32 x float> splat (float 0x3FC5554820000000), <32 x float> splat (float 0x3FE0000000000000))
%v81 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v76, <32 x float> splat (float 0x3F81244B20000000), <32 x float> splat (float 0x3FA5555280000000))
%v82 = call <32 x float> @llvm.fma.v32f32(<32 x float> splat (float 0x3F56CF7760000000), <32 x float> %v79, <32 x float> %v81)
%v83 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v82, <32 x float> %v79, <32 x float> %v80)
%v84 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v79, <32 x float> %v83, <32 x float> %v76)
%v85 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v84, <32 x float> %v78, <32 x float> %v78)
%v86 = fmul <32 x float> %v85, splat (float 0x3BF0000000000000)
store <32 x float> %v86, ptr %scratch, align 4
%v87 = load <32 x float>, ptr %s7
%v88 = fadd <32 x float> %v87, %v86
store <32 x float> %v88, ptr %s7
%v89 = getelementptr i8, ptr %v8, i64 276
call void @llvm.prefetch.p0(ptr %v89, i32 0, i32 3, i32 1)
%v90 = getelementptr float, ptr %v8, i64 32
%v91 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v90, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> splat (float 0x0000000000000000))
%v92 = fsub <16 x float> %v91, %v63
%v93 = fcmp ogt <16 x float> splat (float 0xC05A400000000000), %v92
%v94 = select <16 x i1> %v93, <16 x float> splat (float 0xC05A400000000000), <16 x float> %v92
%v95 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v94, <16 x float> splat (float 0x3FF7154760000000), <16 x float> splat (float 0x41680017E0000000))
%v96 = fsub <16 x float> %v95, splat (float 0x41680017E0000000)
%v97 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v96, <16 x float> splat (float 0xBFE62E4000000000), <16 x float> %v94)
%v98 = bitcast <16 x float> %v95 to <16 x i32>
%v99 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v96, <16 x float> splat (float 0xBEB7F7D1C0000000), <16 x float> %v97)
%v100 = shl <16 x i32> %v98, splat (i32 23)
%v101 = bitcast <16 x i32> %v100 to <16 x float>
%v102 = fmul <16 x float> %v99, %v99
%v103 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v99, <16 x float> splat (float 0x3FC5554820000000), <16 x float> splat (float 0x3FE0000000000000))
%v104 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v99, <16 x float> splat (float 0x3F81244B20000000), <16 x float> splat (float 0x3FA5555280000000))
%v105 = call <16 x float> @llvm.fma.v16f32(<16 x float> splat (float 0x3F56CF7760000000), <16 x float> %v102, <16 x float> %v104)
%v106 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v105, <16 x float> %v102, <16 x float> %v103)
%v107 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v102, <16 x float> %v106, <16 x float> %v99)
%v108 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v107, <16 x float> %v101, <16 x float> %v101)
%v109 = fmul <16 x float> %v108, splat (float 0x3BF0000000000000)
%v110 = getelementptr float, ptr %scratch, i64 32
call void @llvm.masked.store.v16f32.p0(<16 x float> %v109, ptr %v110, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
%v111 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v109, <16 x float> splat (float 0x0000000000000000)
%v112 = load <16 x float>, ptr %s6
%v113 = fadd <16 x float> %v112, %v111
store <16 x float> %v113, ptr %s6
%v114 = load <16 x float>, ptr %s6
%v115 = load <32 x float>, ptr %s7
%v116 = shufflevector <32 x float> %v115, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v117 = shufflevector <32 x float> %v115, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
%v118 = fadd <16 x float> %v116, %v117
%v119 = fadd <16 x float> %v118, %v114
%v120 = shufflevector <16 x float> %v119, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v121 = shufflevector <16 x float> %v119, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v122 = fadd <8 x float> %v120, %v121
%v123 = shufflevector <8 x float> %v122, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v124 = shufflevector <8 x float> %v122, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v125 = fadd <4 x float> %v123, %v124
%v126 = shufflevector <4 x float> %v125, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v127 = shufflevector <4 x float> %v125, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v128 = fadd <2 x float> %v126, %v127
%v129 = shufflevector <2 x float> %v128, <2 x float> poison, <1 x i32> <i32 0>
%v130 = shufflevector <2 x float> %v128, <2 x float> poison, <1 x i32> <i32 1>
%v131 = fadd <1 x float> %v129, %v130
%v132 = extractelement <1 x float> %v131, i64 0
%v133 = fdiv float 0x3FF0000000000000, %v132
%v134 = insertelement <16 x float> poison, float %v133, i32 0
%v135 = shufflevector <16 x float> %v134, <16 x float> poison, <16 x i32> zeroinitializer
%v136 = insertelement <32 x float> poison, float %v133, i32 0
%v137 = shufflevector <32 x float> %v136, <32 x float> poison, <32 x i32> zeroinitializer
%v138 = load <32 x float>, ptr %scratch, align 4
%v139 = fmul <32 x float> %v138, %v137
store <32 x float> %v139, ptr %v10, align 4
%v140 = getelementptr float, ptr %scratch, i64 32
%v141 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v140, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> splat (float 0x0000000000000000))
%v142 = fmul <16 x float> %v141, %v135
%v143 = getelementptr float, ptr %v10, i64 32
call void @llvm.masked.store.v16f32.p0(<16 x float> %v142, ptr %v143, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
%v144 = add i64 %v6, 1
%v145 = icmp slt i64 %v144, %v4
br i1 %v145, label %loop4, label %end5
end5:
%v146 = add i64 %v1, 1
%v147 = icmp slt i64 %v146, %end
br i1 %v147, label %loop1, label %end2
end2:
ret void
}

