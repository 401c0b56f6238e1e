; kernels for x86_64-avx2
; mir @q8_0_stream {
;   %0 = input("x1") : f32[1, 32]
;   %1 = param("w1", scheme=gguf_q8_0) : f32[32, 8]
;   %2 = matmul(%0, %1) : f32[1, 8]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.fabs.v8f32(<8 x float>)

define void @round_c0512789(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca <8 x float>
%v0 = call i64 @llvm.smin.i64(i64 %end, i64 1)
%v1 = icmp slt i64 %begin, %v0
br i1 %v1, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v2 = phi i64 [ %begin, %guard3 ], [ %v56, %end7 ]
%v3 = mul i64 %v2, 68
%v4 = getelementptr i8, ptr %a1, i64 %v3
store <8 x float> splat (float 0x0000000000000000), ptr %s4
br label %loop4
loop4:
%v5 = phi i64 [ 0, %loop1 ], [ %v14, %loop4 ]
%v6 = getelementptr float, ptr %a0, i64 %v5
%v7 = load <8 x float>, ptr %v6, align 4
%v8 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v7)
%v9 = load <8 x float>, ptr %s4
%v10 = fcmp ogt <8 x float> %v8, %v9
%v11 = select <8 x i1> %v10, <8 x float> %v8, <8 x float> %v9
%v12 = fcmp uno <8 x float> %v8, %v8
%v13 = select <8 x i1> %v12, <8 x float> %v8, <8 x float> %v11
store <8 x float> %v13, ptr %s4
%v14 = add i64 %v5, 8
%v15 = icmp slt i64 %v14, 32
br i1 %v15, label %loop4, label %end5
end5:
%v16 = load <8 x float>, ptr %s4
%v17 = shufflevector <8 x float> %v16, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v18 = shufflevector <8 x float> %v16, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v19 = fcmp ogt <4 x float> %v17, %v18
%v20 = select <4 x i1> %v19, <4 x float> %v17, <4 x float> %v18
%v21 = fcmp uno <4 x float> %v17, %v17
%v22 = select <4 x i1> %v21, <4 x float> %v17, <4 x float> %v20
%v23 = shufflevector <4 x float> %v22, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v24 = shufflevector <4 x float> %v22, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v25 = fcmp ogt <2 x float> %v23, %v24
%v26 = select <2 x i1> %v25, <2 x float> %v23, <2 x float> %v24
%v27 = fcmp uno <2 x float> %v23, %v23
%v28 = select <2 x i1> %v27, <2 x float> %v23, <2 x float> %v26
%v29 = shufflevector <2 x float> %v28, <2 x float> poison, <1 x i32> <i32 0>
%v30 = shufflevector <2 x float> %v28, <2 x float> poison, <1 x i32> <i32 1>
%v31 = fcmp ogt <1 x float> %v29, %v30
%v32 = select <1 x i1> %v31, <1 x float> %v29, <1 x float> %v30
%v33 = fcmp uno <1 x float> %v29, %v29
%v34 = select <1 x i1> %v33, <1 x float> %v29, <1 x float> %v32
%v35 = extractelement <1 x float> %v34, i64 0
%v36 = fmul float %v35, 0x3F00002000000000
%v37 = fcmp olt float %v35, 0x3870000000000000
%v38 = fdiv float 0x40DFFFC000000000, %v35
%v39 = select i1 %v37, float 0x0000000000000000, float %v38
%v40 = getelementptr i8, ptr %v4, i64 64
store float %v36, ptr %v40, align 4
br label %loop6
loop6:
%v41 = phi i64 [ 0, %end5 ], [ %v54, %loop6 ]
%v42 = getelementptr float, ptr %a0, i64 %v41
%v43 = load <8 x float>, ptr %v42, align 4
%v44 = insertelement <8 x float> poison, float %v39, i32 0
%v45 = shufflevector <8 x float> %v44, <8 x float> poison, <8 x i32> zeroinitializer
%v46 = fmul <8 x float> %v43, %v45
%v47 = fadd <8 x float> %v46, splat (float 0x4168000000000000)
%v48 = bitcast <8 x float> %v47 to <8 x i32>
%v49 = bitcast <8 x float> splat (float 0x4168000000000000) to <8 x i32>
%v50 = sub <8 x i32> %v48, %v49
%v51 = trunc <8 x i32> %v50 to <8 x i16>
%v52 = shufflevector <8 x i16> %v51, <8 x i16> %v51, <8 x i32> <i32 0, i32 2, i32 1, i32 3, i32 4, i32 6, i32 5, i32 7>
%v53 = getelementptr i16, ptr %v4, i64 %v41
store <8 x i16> %v52, ptr %v53, align 2
%v54 = add i64 %v41, 8
%v55 = icmp slt i64 %v54, 32
br i1 %v55, label %loop6, label %end7
end7:
%v56 = add i64 %v2, 1
%v57 = icmp slt i64 %v56, %v0
br i1 %v57, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16>, <16 x i16>)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @packed_matmul_918177c5(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%v0 = getelementptr i8, ptr %scratch, i64 1024
%v1 = icmp slt i64 %begin, %end
br i1 %v1, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v2 = phi i64 [ %begin, %guard3 ], [ %v9, %loop1 ]
store i64 0, ptr %scratch, align 8
%v3 = load i64, ptr %scratch, align 8
%v4 = mul i64 %v3, 68
%v5 = getelementptr i8, ptr %a1, i64 %v4
call void @stream_Q8_0_1(ptr %a0, i64 1, ptr %v0, ptr %v5)
%v6 = load <8 x float>, ptr %v0, align 4
%v7 = mul i64 %v3, 8
%v8 = getelementptr float, ptr %a2, i64 %v7
store <8 x float> %v6, ptr %v8, align 4
%v9 = add i64 %v2, 1
%v10 = icmp slt i64 %v9, %end
br i1 %v10, label %loop1, label %end2
end2:
ret void
}

define internal void @stream_Q8_0_1(ptr %weight, i64 %blocks, ptr %sums, ptr %row0) nounwind {
entry:
%s0 = alloca <8 x float>
store <8 x float> splat (float 0x0000000000000000), ptr %s0
%v0 = icmp slt i64 0, %blocks
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ 0, %guard3 ], [ %v194, %end5 ]
%v2 = add i64 %v1, 8
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 %blocks)
%v4 = icmp slt i64 %v1, %v3
br i1 %v4, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v5 = phi i64 [ %v1, %guard6 ], [ %v192, %loop4 ]
%v6 = mul i64 %v5, 272
%v7 = getelementptr i8, ptr %weight, i64 %v6
%v8 = mul i64 %v5, 68
%v9 = getelementptr i8, ptr %row0, i64 %v8
%v10 = load <8 x float>, ptr %s0
call void asm sideeffect "", "~{memory}"()
%v11 = getelementptr i8, ptr %v7, i64 1792
call void @llvm.prefetch.p0(ptr %v11, i32 0, i32 0, i32 1)
%v12 = getelementptr i8, ptr %v7, i64 16
%v13 = load <8 x i32>, ptr %v12, align 1
%v14 = bitcast <8 x i32> %v13 to <32 x i8>
%v15 = bitcast <32 x i8> %v14 to <16 x i16>
%v16 = shl <16 x i16> %v15, splat (i16 8)
%v17 = ashr <16 x i16> %v16, splat (i16 8)
%v18 = ashr <16 x i16> %v15, splat (i16 8)
%v19 = load i32, ptr %v9, align 4
%v20 = insertelement <8 x i32> poison, i32 %v19, i32 0
%v21 = shufflevector <8 x i32> %v20, <8 x i32> poison, <8 x i32> zeroinitializer
%v22 = bitcast <8 x i32> %v21 to <16 x i16>
%v23 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v17, <16 x i16> %v22)
%v24 = getelementptr i32, ptr %v9, i64 1
%v25 = load i32, ptr %v24, align 4
%v26 = insertelement <8 x i32> poison, i32 %v25, i32 0
%v27 = shufflevector <8 x i32> %v26, <8 x i32> poison, <8 x i32> zeroinitializer
%v28 = bitcast <8 x i32> %v27 to <16 x i16>
%v29 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v18, <16 x i16> %v28)
%v30 = add <8 x i32> %v23, %v29
call void asm sideeffect "", "~{memory}"()
%v31 = getelementptr i8, ptr %v7, i64 1856
call void @llvm.prefetch.p0(ptr %v31, i32 0, i32 0, i32 1)
%v32 = getelementptr i8, ptr %v7, i64 48
%v33 = load <8 x i32>, ptr %v32, align 1
%v34 = bitcast <8 x i32> %v33 to <32 x i8>
%v35 = bitcast <32 x i8> %v34 to <16 x i16>
%v36 = shl <16 x i16> %v35, splat (i16 8)
%v37 = ashr <16 x i16> %v36, splat (i16 8)
%v38 = ashr <16 x i16> %v35, splat (i16 8)
%v39 = getelementptr i32, ptr %v9, i64 2
%v40 = load i32, ptr %v39, align 4
%v41 = insertelement <8 x i32> poison, i32 %v40, i32 0
%v42 = shufflevector <8 x i32> %v41, <8 x i32> poison, <8 x i32> zeroinitializer
%v43 = bitcast <8 x i32> %v42 to <16 x i16>
%v44 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v37, <16 x i16> %v43)
%v45 = add <8 x i32> %v30, %v44
%v46 = getelementptr i32, ptr %v9, i64 3
%v47 = load i32, ptr %v46, align 4
%v48 = insertelement <8 x i32> poison, i32 %v47, i32 0
%v49 = shufflevector <8 x i32> %v48, <8 x i32> poison, <8 x i32> zeroinitializer
%v50 = bitcast <8 x i32> %v49 to <16 x i16>
%v51 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v38, <16 x i16> %v50)
%v52 = add <8 x i32> %v45, %v51
%v53 = getelementptr i8, ptr %v7, i64 80
%v54 = load <8 x i32>, ptr %v53, align 1
%v55 = bitcast <8 x i32> %v54 to <32 x i8>
%v56 = bitcast <32 x i8> %v55 to <16 x i16>
%v57 = shl <16 x i16> %v56, splat (i16 8)
%v58 = ashr <16 x i16> %v57, splat (i16 8)
%v59 = ashr <16 x i16> %v56, splat (i16 8)
%v60 = getelementptr i32, ptr %v9, i64 4
%v61 = load i32, ptr %v60, align 4
%v62 = insertelement <8 x i32> poison, i32 %v61, i32 0
%v63 = shufflevector <8 x i32> %v62, <8 x i32> poison, <8 x i32> zeroinitializer
%v64 = bitcast <8 x i32> %v63 to <16 x i16>
%v65 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v58, <16 x i16> %v64)
%v66 = add <8 x i32> %v52, %v65
%v67 = getelementptr i32, ptr %v9, i64 5
%v68 = load i32, ptr %v67, align 4
%v69 = insertelement <8 x i32> poison, i32 %v68, i32 0
%v70 = shufflevector <8 x i32> %v69, <8 x i32> poison, <8 x i32> zeroinitializer
%v71 = bitcast <8 x i32> %v70 to <16 x i16>
%v72 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v59, <16 x i16> %v71)
%v73 = add <8 x i32> %v66, %v72
call void asm sideeffect "", "~{memory}"()
%v74 = getelementptr i8, ptr %v7, i64 1920
call void @llvm.prefetch.p0(ptr %v74, i32 0, i32 0, i32 1)
%v75 = getelementptr i8, ptr %v7, i64 112
%v76 = load <8 x i32>, ptr %v75, align 1
%v77 = bitcast <8 x i32> %v76 to <32 x i8>
%v78 = bitcast <32 x i8> %v77 to <16 x i16>
%v79 = shl <16 x i16> %v78, splat (i16 8)
%v80 = ashr <16 x i16> %v79, splat (i16 8)
%v81 = ashr <16 x i16> %v78, splat (i16 8)
%v82 = getelementptr i32, ptr %v9, i64 6
%v83 = load i32, ptr %v82, align 4
%v84 = insertelement <8 x i32> poison, i32 %v83, i32 0
%v85 = shufflevector <8 x i32> %v84, <8 x i32> poison, <8 x i32> zeroinitializer
%v86 = bitcast <8 x i32> %v85 to <16 x i16>
%v87 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v80, <16 x i16> %v86)
%v88 = add <8 x i32> %v73, %v87
%v89 = getelementptr i32, ptr %v9, i64 7
%v90 = load i32, ptr %v89, align 4
%v91 = insertelement <8 x i32> poison, i32 %v90, i32 0
%v92 = shufflevector <8 x i32> %v91, <8 x i32> poison, <8 x i32> zeroinitializer
%v93 = bitcast <8 x i32> %v92 to <16 x i16>
%v94 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v81, <16 x i16> %v93)
%v95 = add <8 x i32> %v88, %v94
%v96 = getelementptr i8, ptr %v7, i64 144
%v97 = load <8 x i32>, ptr %v96, align 1
%v98 = bitcast <8 x i32> %v97 to <32 x i8>
%v99 = bitcast <32 x i8> %v98 to <16 x i16>
%v100 = shl <16 x i16> %v99, splat (i16 8)
%v101 = ashr <16 x i16> %v100, splat (i16 8)
%v102 = ashr <16 x i16> %v99, splat (i16 8)
%v103 = getelementptr i32, ptr %v9, i64 8
%v104 = load i32, ptr %v103, align 4
%v105 = insertelement <8 x i32> poison, i32 %v104, i32 0
%v106 = shufflevector <8 x i32> %v105, <8 x i32> poison, <8 x i32> zeroinitializer
%v107 = bitcast <8 x i32> %v106 to <16 x i16>
%v108 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v101, <16 x i16> %v107)
%v109 = add <8 x i32> %v95, %v108
%v110 = getelementptr i32, ptr %v9, i64 9
%v111 = load i32, ptr %v110, align 4
%v112 = insertelement <8 x i32> poison, i32 %v111, i32 0
%v113 = shufflevector <8 x i32> %v112, <8 x i32> poison, <8 x i32> zeroinitializer
%v114 = bitcast <8 x i32> %v113 to <16 x i16>
%v115 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v102, <16 x i16> %v114)
%v116 = add <8 x i32> %v109, %v115
call void asm sideeffect "", "~{memory}"()
%v117 = getelementptr i8, ptr %v7, i64 1984
call void @llvm.prefetch.p0(ptr %v117, i32 0, i32 0, i32 1)
%v118 = getelementptr i8, ptr %v7, i64 176
%v119 = load <8 x i32>, ptr %v118, align 1
%v120 = bitcast <8 x i32> %v119 to <32 x i8>
%v121 = bitcast <32 x i8> %v120 to <16 x i16>
%v122 = shl <16 x i16> %v121, splat (i16 8)
%v123 = ashr <16 x i16> %v122, splat (i16 8)
%v124 = ashr <16 x i16> %v121, splat (i16 8)
%v125 = getelementptr i32, ptr %v9, i64 10
%v126 = load i32, ptr %v125, align 4
%v127 = insertelement <8 x i32> poison, i32 %v126, i32 0
%v128 = shufflevector <8 x i32> %v127, <8 x i32> poison, <8 x i32> zeroinitializer
%v129 = bitcast <8 x i32> %v128 to <16 x i16>
%v130 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v123, <16 x i16> %v129)
%v131 = add <8 x i32> %v116, %v130
%v132 = getelementptr i32, ptr %v9, i64 11
%v133 = load i32, ptr %v132, align 4
%v134 = insertelement <8 x i32> poison, i32 %v133, i32 0
%v135 = shufflevector <8 x i32> %v134, <8 x i32> poison, <8 x i32> zeroinitializer
%v136 = bitcast <8 x i32> %v135 to <16 x i16>
%v137 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v124, <16 x i16> %v136)
%v138 = add <8 x i32> %v131, %v137
%v139 = getelementptr i8, ptr %v7, i64 208
%v140 = load <8 x i32>, ptr %v139, align 1
%v141 = bitcast <8 x i32> %v140 to <32 x i8>
%v142 = bitcast <32 x i8> %v141 to <16 x i16>
%v143 = shl <16 x i16> %v142, splat (i16 8)
%v144 = ashr <16 x i16> %v143, splat (i16 8)
%v145 = ashr <16 x i16> %v142, splat (i16 8)
%v146 = getelementptr i32, ptr %v9, i64 12
%v147 = load i32, ptr %v146, align 4
%v148 = insertelement <8 x i32> poison, i32 %v147, i32 0
%v149 = shufflevector <8 x i32> %v148, <8 x i32> poison, <8 x i32> zeroinitializer
%v150 = bitcast <8 x i32> %v149 to <16 x i16>
%v151 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v144, <16 x i16> %v150)
%v152 = add <8 x i32> %v138, %v151
%v153 = getelementptr i32, ptr %v9, i64 13
%v154 = load i32, ptr %v153, align 4
%v155 = insertelement <8 x i32> poison, i32 %v154, i32 0
%v156 = shufflevector <8 x i32> %v155, <8 x i32> poison, <8 x i32> zeroinitializer
%v157 = bitcast <8 x i32> %v156 to <16 x i16>
%v158 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v145, <16 x i16> %v157)
%v159 = add <8 x i32> %v152, %v158
call void asm sideeffect "", "~{memory}"()
%v160 = getelementptr i8, ptr %v7, i64 2048
call void @llvm.prefetch.p0(ptr %v160, i32 0, i32 0, i32 1)
%v161 = getelementptr i8, ptr %v7, i64 240
%v162 = load <8 x i32>, ptr %v161, align 1
%v163 = bitcast <8 x i32> %v162 to <32 x i8>
%v164 = bitcast <32 x i8> %v163 to <16 x i16>
%v165 = shl <16 x i16> %v164, splat (i16 8)
%v166 = ashr <16 x i16> %v165, splat (i16 8)
%v167 = ashr <16 x i16> %v164, splat (i16 8)
%v168 = getelementptr i32, ptr %v9, i64 14
%v169 = load i32, ptr %v168, align 4
%v170 = insertelement <8 x i32> poison, i32 %v169, i32 0
%v171 = shufflevector <8 x i32> %v170, <8 x i32> poison, <8 x i32> zeroinitializer
%v172 = bitcast <8 x i32> %v171 to <16 x i16>
%v173 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v166, <16 x i16> %v172)
%v174 = add <8 x i32> %v159, %v173
%v175 = getelementptr i32, ptr %v9, i64 15
%v176 = load i32, ptr %v175, align 4
%v177 = insertelement <8 x i32> poison, i32 %v176, i32 0
%v178 = shufflevector <8 x i32> %v177, <8 x i32> poison, <8 x i32> zeroinitializer
%v179 = bitcast <8 x i32> %v178 to <16 x i16>
%v180 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v167, <16 x i16> %v179)
%v181 = add <8 x i32> %v174, %v180
%v182 = sitofp <8 x i32> %v181 to <8 x float>
%v183 = getelementptr i8, ptr %v9, i64 64
%v184 = load float, ptr %v183, align 4
%v185 = insertelement <8 x float> poison, float %v184, i32 0
%v186 = shufflevector <8 x float> %v185, <8 x float> poison, <8 x i32> zeroinitializer
%v187 = fmul <8 x float> %v182, %v186
%v188 = load <8 x i16>, ptr %v7, align 1
%v189 = bitcast <8 x i16> %v188 to <8 x half>
%v190 = fpext <8 x half> %v189 to <8 x float>
%v191 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v190, <8 x float> %v187, <8 x float> %v10)
store <8 x float> %v191, ptr %s0
%v192 = add i64 %v5, 1
%v193 = icmp slt i64 %v192, %v3
br i1 %v193, label %loop4, label %end5
end5:
%v194 = add i64 %v1, 8
%v195 = icmp slt i64 %v194, %blocks
br i1 %v195, label %loop1, label %end2
end2:
%v196 = load <8 x float>, ptr %s0
store <8 x float> %v196, ptr %sums, align 4
ret void
}

