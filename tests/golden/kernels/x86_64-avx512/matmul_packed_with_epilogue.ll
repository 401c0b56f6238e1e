; kernels for x86_64-avx512
; mir @matmul_packed_with_epilogue {
;   %0 = input("x1") : f32[5, 20]
;   %1 = input("x2") : f32[5, 12]
;   %2 = param("w1") : f32[12, 20]
;   %3 = matmul(%1, %2) : f32[5, 20]
;   %4 = param("w2") : f32[20]
;   %5 = add(%3, %4) : f32[5, 20]
;   %6 = relu(%5) : f32[5, 20]
;   %7 = add(%0, %6) : f32[5, 20]
;   return y1=%7
; }

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr, i32, <16 x i1>, <16 x float>)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr, i32, <16 x i1>)

define void @matmul_add_relu_add_b272561f(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 3
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 4
%a2 = load ptr, ptr %a2.p, align 8
%s6 = alloca <16 x float>
%s7 = alloca <16 x float>
%s8 = alloca <16 x float>
%s9 = alloca <16 x float>
%s10 = alloca <16 x float>
%s11 = alloca <16 x float>
%s12 = alloca <16 x float>
%s13 = alloca <16 x float>
%s14 = alloca <16 x float>
%s15 = alloca <16 x float>
%a3.p = getelementptr i64, ptr %args, i64 1
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 2
%a4 = load ptr, ptr %a4.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v166, %end7 ]
%v2 = getelementptr float, ptr %a1, i64 384
%v3 = getelementptr i8, ptr %a1, i64 1024
store <16 x float> splat (float 0x0000000000000000), ptr %s6
store <16 x float> splat (float 0x0000000000000000), ptr %s7
store <16 x float> splat (float 0x0000000000000000), ptr %s8
store <16 x float> splat (float 0x0000000000000000), ptr %s9
store <16 x float> splat (float 0x0000000000000000), ptr %s10
store <16 x float> splat (float 0x0000000000000000), ptr %s11
store <16 x float> splat (float 0x0000000000000000), ptr %s12
store <16 x float> splat (float 0x0000000000000000), ptr %s13
store <16 x float> splat (float 0x0000000000000000), ptr %s14
store <16 x float> splat (float 0x0000000000000000), ptr %s15
%v4 = getelementptr float, ptr %a0, i64 12
%v5 = getelementptr float, ptr %a0, i64 24
%v6 = getelementptr float, ptr %a0, i64 36
%v7 = getelementptr float, ptr %a0, i64 48
br label %loop4
loop4:
%v8 = phi i64 [ 0, %loop1 ], [ %v112, %loop4 ]
%v9 = mul i64 %v8, 128
%v10 = getelementptr i8, ptr %v3, i64 %v9
call void @llvm.prefetch.p0(ptr %v10, i32 0, i32 3, i32 1)
%v11 = mul i64 %v8, 32
%v12 = getelementptr float, ptr %a1, i64 %v11
%v13 = load <16 x float>, ptr %v12, align 4
%v14 = add i64 %v11, 16
%v15 = getelementptr float, ptr %a1, i64 %v14
%v16 = load <16 x float>, ptr %v15, align 4
%v17 = getelementptr float, ptr %a0, i64 %v8
%v18 = load float, ptr %v17, align 4
%v19 = insertelement <16 x float> poison, float %v18, i32 0
%v20 = shufflevector <16 x float> %v19, <16 x float> poison, <16 x i32> zeroinitializer
%v21 = load <16 x float>, ptr %s6
%v22 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v20, <16 x float> %v13, <16 x float> %v21)
store <16 x float> %v22, ptr %s6
%v23 = load <16 x float>, ptr %s7
%v24 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v20, <16 x float> %v16, <16 x float> %v23)
store <16 x float> %v24, ptr %s7
%v25 = getelementptr float, ptr %v4, i64 %v8
%v26 = load float, ptr %v25, align 4
%v27 = insertelement <16 x float> poison, float %v26, i32 0
%v28 = shufflevector <16 x float> %v27, <16 x float> poison, <16 x i32> zeroinitializer
%v29 = load <16 x float>, ptr %s8
%v30 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v28, <16 x float> %v13, <16 x float> %v29)
store <16 x float> %v30, ptr %s8
%v31 = load <16 x float>, ptr %s9
%v32 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v28, <16 x float> %v16, <16 x float> %v31)
store <16 x float> %v32, ptr %s9
%v33 = getelementptr float, ptr %v5, i64 %v8
%v34 = load float, ptr %v33, align 4
%v35 = insertelement <16 x float> poison, float %v34, i32 0
%v36 = shufflevector <16 x float> %v35, <16 x float> poison, <16 x i32> zeroinitializer
%v37 = load <16 x float>, ptr %s10
%v38 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v36, <16 x float> %v13, <16 x float> %v37)
store <16 x float> %v38, ptr %s10
%v39 = load <16 x float>, ptr %s11
%v40 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v36, <16 x float> %v16, <16 x float> %v39)
store <16 x float> %v40, ptr %s11
%v41 = getelementptr float, ptr %v6, i64 %v8
%v42 = load float, ptr %v41, align 4
%v43 = insertelement <16 x float> poison, float %v42, i32 0
%v44 = shufflevector <16 x float> %v43, <16 x float> poison, <16 x i32> zeroinitializer
%v45 = load <16 x float>, ptr %s12
%v46 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v44, <16 x float> %v13, <16 x float> %v45)
store <16 x float> %v46, ptr %s12
%v47 = load <16 x float>, ptr %s13
%v48 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v44, <16 x float> %v16, <16 x float> %v47)
store <16 x float> %v48, ptr %s13
%v49 = getelementptr float, ptr %v7, i64 %v8
%v50 = load float, ptr %v49, align 4
%v51 = insertelement <16 x float> poison, float %v50, i32 0
%v52 = shufflevector <16 x float> %v51, <16 x float> poison, <16 x i32> zeroinitializer
%v53 = load <16 x float>, ptr %s14
%v54 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v52, <16 x float> %v13, <16 x float> %v53)
store <16 x float> %v54, ptr %s14
%v55 = load <16 x float>, ptr %s15
%v56 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v52, <16 x float> %v16, <16 x float> %v55)
store <16 x float> %v56, ptr %s15
%v57 = add i64 %v8, 1
%v58 = mul i64 %v57, 128
%v59 = getelementptr i8, ptr %v3, i64 %v58
call void @llvm.prefetch.p0(ptr %v59, i32 0, i32 3, i32 1)
%v60 = mul i64 %v8, 32
%v61 = add i64 %v60, 32
%v62 = getelementptr float, ptr %a1, i64 %v61
%v63 = load <16 x float>, ptr %v62, align 4
%v64 = add i64 %v61, 16
%v65 = getelementptr float, ptr %a1, i64 %v64
%v66 = load <16 x float>, ptr %v65, align 4
%v67 = add i64 %v8, 1
%v68 = getelementptr float, ptr %a0, i64 %v67
%v69 = load float, ptr %v68, align 4
%v70 = insertelement <16 x float> poison, float %v69, i32 0
%v71 = shufflevector <16 x float> %v70, <16 x float> poison, <16 x i32> zeroinitializer
%v72 = load <16 x float>, ptr %s6
%v73 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v63, <16 x float> %v72)
store <16 x float> %v73, ptr %s6
%v74 = load <16 x float>, ptr %s7
%v75 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v66, <16 x float> %v74)
store <16 x float> %v75, ptr %s7
%v76 = add i64 %v8, 1
%v77 = getelementptr float, ptr %v4, i64 %v76
%v78 = load float, ptr %v77, align 4
%v79 = insertelement <16 x float> poison, float %v78, i32 0
%v80 = shufflevector <16 x float> %v79, <16 x float> poison, <16 x i32> zeroinitializer
%v81 = load <16 x float>, ptr %s8
%v82 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v80, <16 x float> %v63, <16 x float> %v81)
store <16 x float> %v82, ptr %s8
%v83 = load <16 x float>, ptr %s9
%v84 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v80, <16 x float> %v66, <16 x float> %v83)
store <16 x float> %v84, ptr %s9
%v85 = add i64 %v8, 1
%v86 = getelementptr float, ptr %v5, i64 %v85
%v87 = load float, ptr %v86, align 4
%v88 = insertelement <16 x float> poison, float %v87, i32 0
%v89 = shufflevector <16 x float> %v88, <16 x float> poison, <16 x i32> zeroinitializer
%v90 = load <16 x float>, ptr %s10
%v91 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v89, <16 x float> %v63, <16 x float> %v90)
store <16 x float> %v91, ptr %s10
%v92 = load <16 x float>, ptr %s11
%v93 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v89, <16 x float> %v66, <16 x float> %v92)
store <16 x float> %v93, ptr %s11
%v94 = add i64 %v8, 1
%v95 = getelementptr float, ptr %v6, i64 %v94
%v96 = load float, ptr %v95, align 4
%v97 = insertelement <16 x float> poison, float %v96, i32 0
%v98 = shufflevector <16 x float> %v97, <16 x float> poison, <16 x i32> zeroinitializer
%v99 = load <16 x float>, ptr %s12
%v100 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v63, <16 x float> %v99)
store <16 x float> %v100, ptr %s12
%v101 = load <16 x float>, ptr %s13
%v102 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v66, <16 x float> %v101)
store <16 x float> %v102, ptr %s13
%v103 = add i64 %v8, 1
%v104 = getelementptr float, ptr %v7, i64 %v103
%v105 = load float, ptr %v104, align 4
%v106 = insertelement <16 x float> poison, float %v105, i32 0
%v107 = shufflevector <16 x float> %v106, <16 x float> poison, <16 x i32> zeroinitializer
%v108 = load <16 x float>, ptr %s14
%v109 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v107, <16 x float> %v63, <16 x float> %v108)
store <16 x float> %v109, ptr %s14
%v110 = load <16 x float>, ptr %s15
%v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v107, <16 x float> %v66, <16 x float> %v110)
store <16 x float> %v111, ptr %s15
%v112 = add i64 %v8, 2
%v113 = icmp slt i64 %v112, 12
br i1 %v113, label %loop4, label %end5
end5:
%v114 = load <16 x float>, ptr %s6
%v115 = load <16 x float>, ptr %s7
%v116 = load <16 x float>, ptr %s8
%v117 = load <16 x float>, ptr %s9
%v118 = load <16 x float>, ptr %s10
%v119 = load <16 x float>, ptr %s11
%v120 = load <16 x float>, ptr %s12
%v121 = load <16 x float>, ptr %s13
%v122 = load <16 x float>, ptr %s14
%v123 = load <16 x float>, ptr %s15
store <16 x float> %v114, ptr %scratch, align 4
%v124 = getelementptr float, ptr %scratch, i64 16
store <16 x float> %v115, ptr %v124, align 4
%v125 = getelementptr float, ptr %scratch, i64 32
store <16 x float> %v116, ptr %v125, align 4
%v126 = getelementptr float, ptr %scratch, i64 48
store <16 x float> %v117, ptr %v126, align 4
%v127 = getelementptr float, ptr %scratch, i64 64
store <16 x float> %v118, ptr %v127, align 4
%v128 = getelementptr float, ptr %scratch, i64 80
store <16 x float> %v119, ptr %v128, align 4
%v129 = getelementptr float, ptr %scratch, i64 96
store <16 x float> %v120, ptr %v129, align 4
%v130 = getelementptr float, ptr %scratch, i64 112
store <16 x float> %v121, ptr %v130, align 4
%v131 = getelementptr float, ptr %scratch, i64 128
store <16 x float> %v122, ptr %v131, align 4
%v132 = getelementptr float, ptr %scratch, i64 144
store <16 x float> %v123, ptr %v132, align 4
br label %loop6
loop6:
%v133 = phi i64 [ 0, %end5 ], [ %v164, %loop6 ]
%v134 = mul i64 %v133, 32
%v135 = getelementptr float, ptr %scratch, i64 %v134
%v136 = load <16 x float>, ptr %v135, align 4
%v137 = mul i64 %v133, 32
%v138 = add i64 %v137, 16
%v139 = getelementptr float, ptr %scratch, i64 %v138
%v140 = load <16 x float>, ptr %v139, align 4
%v141 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %a3, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <16 x float> splat (float 0x0000000000000000))
%v142 = mul i64 %v133, 20
%v143 = getelementptr float, ptr %a4, i64 %v142
%v144 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v143, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <16 x float> splat (float 0x0000000000000000))
%v145 = fadd <16 x float> %v136, %v141
%v146 = fcmp ogt <16 x float> splat (float 0x0000000000000000), %v145
%v147 = select <16 x i1> %v146, <16 x float> splat (float 0x0000000000000000), <16 x float> %v145
%v148 = fadd <16 x float> %v144, %v147
%v149 = getelementptr float, ptr %a3, i64 16
%v150 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v149, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> splat (float 0x0000000000000000))
%v151 = mul i64 %v133, 20
%v152 = add i64 %v151, 16
%v153 = getelementptr float, ptr %a4, i64 %v152
%v154 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v153, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> splat (float 0x0000000000000000))
%v155 = fadd <16 x float> %v140, %v150
%v156 = fcmp ogt <16 x float> splat (float 0x0000000000000000), %v155
%v157 = select <16 x i1> %v156, <16 x float> splat (float 0x0000000000000000), <16 x float> %v155
%v158 = fadd <16 x float> %v154, %v157
%v159 = mul i64 %v133, 20
%v160 = getelementptr float, ptr %a2, i64 %v159
store <16 x float> %v148, ptr %v160, align 4
%v161 = mul i64 %v133, 20
%v162 = add i64 %v161, 16
%v163 = getelementptr float, ptr %a2, i64 %v162
call void @llvm.masked.store.v16f32.p0(<16 x float> %v158, ptr %v163, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
%v164 = add i64 %v133, 1
%v165 = icmp slt i64 %v164, 5
br i1 %v165, label %loop6, label %end7
end7:
%v166 = add i64 %v1, 1
%v167 = icmp slt i64 %v166, %end
br i1 %v167, label %loop1, label %end2
end2:
ret void
}

