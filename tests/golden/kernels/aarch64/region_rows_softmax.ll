; kernels for aarch64
; mir @region_rows_softmax {
;   %0 = input("x1") : f32[6, 37]
;   %1 = softmax(%0, axis=1) : f32[6, 37]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)

define void @region_5cca4672(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca <4 x float>
%s5 = alloca <16 x float>
%s6 = alloca [512 x i8], align 64
%s7 = alloca <4 x float>
%s8 = alloca <16 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v192, %end5 ]
%v2 = mul i64 %v1, 221
%v3 = add i64 %v2, 221
%v4 = call i64 @llvm.smin.i64(i64 %v3, i64 6)
%v5 = icmp slt i64 %v2, %v4
br i1 %v5, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v6 = phi i64 [ %v2, %guard6 ], [ %v190, %end12 ]
%v7 = mul i64 %v6, 37
%v8 = getelementptr float, ptr %a0, i64 %v7
%v9 = mul i64 %v6, 37
%v10 = getelementptr float, ptr %a1, i64 %v9
store <4 x float> splat (float 0xFFF0000000000000), ptr %s4
store <16 x float> splat (float 0xFFF0000000000000), ptr %s5
br label %loop7
loop7:
%v11 = phi i64 [ 0, %loop4 ], [ %v19, %loop7 ]
%v12 = getelementptr float, ptr %v8, i64 %v11
%v13 = load <16 x float>, ptr %v12, align 4
%v14 = load <16 x float>, ptr %s5
%v15 = fcmp ogt <16 x float> %v14, %v13
%v16 = select <16 x i1> %v15, <16 x float> %v14, <16 x float> %v13
%v17 = fcmp uno <16 x float> %v14, %v14
%v18 = select <16 x i1> %v17, <16 x float> %v14, <16 x float> %v16
store <16 x float> %v18, ptr %s5
%v19 = add i64 %v11, 16
%v20 = icmp slt i64 %v19, 32
br i1 %v20, label %loop7, label %end8
end8:
%v21 = getelementptr float, ptr %v8, i64 32
%v22 = load <4 x float>, ptr %v21, align 4
%v23 = load <4 x float>, ptr %s4
%v24 = fcmp ogt <4 x float> %v23, %v22
%v25 = select <4 x i1> %v24, <4 x float> %v23, <4 x float> %v22
%v26 = fcmp uno <4 x float> %v23, %v23
%v27 = select <4 x i1> %v26, <4 x float> %v23, <4 x float> %v25
store <4 x float> %v27, ptr %s4
store <4 x float> splat (float 0x0000000000000000), ptr %s6, align 4
%v28 = getelementptr float, ptr %v8, i64 36
%v29 = load float, ptr %v28, align 4
store float %v29, ptr %s6, align 4
%v30 = load <4 x float>, ptr %s6, align 4
%v31 = select <4 x i1> <i1 true, i1 false, i1 false, i1 false>, <4 x float> %v30, <4 x float> splat (float 0xFFF0000000000000)
%v32 = load <4 x float>, ptr %s4
%v33 = fcmp ogt <4 x float> %v32, %v31
%v34 = select <4 x i1> %v33, <4 x float> %v32, <4 x float> %v31
%v35 = fcmp uno <4 x float> %v32, %v32
%v36 = select <4 x i1> %v35, <4 x float> %v32, <4 x float> %v34
store <4 x float> %v36, ptr %s4
%v37 = load <4 x float>, ptr %s4
%v38 = load <16 x float>, ptr %s5
%v39 = shufflevector <16 x float> %v38, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v40 = shufflevector <16 x float> %v38, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v41 = fcmp ogt <8 x float> %v39, %v40
%v42 = select <8 x i1> %v41, <8 x float> %v39, <8 x float> %v40
%v43 = fcmp uno <8 x float> %v39, %v39
%v44 = select <8 x i1> %v43, <8 x float> %v39, <8 x float> %v42
%v45 = shufflevector <8 x float> %v44, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v46 = shufflevector <8 x float> %v44, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v47 = fcmp ogt <4 x float> %v45, %v46
%v48 = select <4 x i1> %v47, <4 x float> %v45, <4 x float> %v46
%v49 = fcmp uno <4 x float> %v45, %v45
%v50 = select <4 x i1> %v49, <4 x float> %v45, <4 x float> %v48
%v51 = fcmp ogt <4 x float> %v50, %v37
%v52 = select <4 x i1> %v51, <4 x float> %v50, <4 x float> %v37
%v53 = fcmp uno <4 x float> %v50, %v50
%v54 = select <4 x i1> %v53, <4 x float> %v50, <4 x float> %v52
%v55 = shufflevector <4 x float> %v54, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v56 = shufflevector <4 x float> %v54, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v57 = fcmp ogt <2 x float> %v55, %v56
%v58 = select <2 x i1> %v57, <2 x float> %v55, <2 x float> %v56
%v59 = fcmp uno <2 x float> %v55, %v55
%v60 = select <2 x i1> %v59, <2 x float> %v55, <2 x float> %v58
%v61 = shufflevector <2 x float> %v60, <2 x float> poison, <1 x i32> <i32 0>
%v62 = shufflevector <2 x float> %v60, <2 x float> poison, <1 x i32> <i32 1>
%v63 = fcmp ogt <1 x float> %v61, %v62
%v64 = select <1 x i1> %v63, <1 x float> %v61, <1 x float> %v62
%v65 = fcmp uno <1 x float> %v61, %v61
%v66 = select <1 x i1> %v65, <1 x float> %v61, <1 x float> %v64
%v67 = extractelement <1 x float> %v66, i64 0
store <4 x float> splat (float 0x0000000000000000), ptr %s7
store <16 x float> splat (float 0x0000000000000000), ptr %s8
%v68 = insertelement <16 x float> poison, float %v67, i32 0
%v69 = shufflevector <16 x float> %v68, <16 x float> poison, <16 x i32> zeroinitializer
%v70 = insertelement <4 x float> poison, float %v67, i32 0
%v71 = shufflevector <4 x float> %v70, <4 x float> poison, <4 x i32> zeroinitializer
br label %loop9
loop9:
%v72 = phi i64 [ 0, %end8 ], [ %v99, %loop9 ]
%v73 = add i64 %v72, 37
%v74 = mul i64 %v73, 4
%v75 = getelementptr i8, ptr %v8, i64 %v74
call void @llvm.prefetch.p0(ptr %v75, i32 0, i32 3, i32 1)
%v76 = getelementptr float, ptr %v8, i64 %v72
%v77 = load <16 x float>, ptr %v76, align 4
%v78 = fsub <16 x float> %v77, %v69
%v79 = fcmp ogt <16 x float> splat (float 0xC05A400000000000), %v78
%v80 = select <16 x i1> %v79, <16 x float> splat (float 0xC05A400000000000), <16 x float> %v78
%v81 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v80, <16 x float> splat (float 0x3FF7154760000000), <16 x float> splat (float 0x41680017E0000000))
%v82 = fsub <16 x float> %v81, splat (float 0x41680017E0000000)
%v83 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> splat (float 0xBFE62E4000000000), <16 x float> %v80)
%v84 = bitcast <16 x float> %v81 to <16 x i32>
%v85 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> splat (float 0xBEB7F7D1C0000000), <16 x float> %v83)
%v86 = shl <16 x i32> %v84, splat (i32 23)
%v87 = bitcast <16 x i32> %v86 to <16 x float>
%v88 = fmul <16 x float> %v85, %v85
%v89 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> splat (float 0x3FC5554820000000), <16 x float> splat (float 0x3FE0000000000000))
%v90 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> splat (float 0x3F81244B20000000), <16 x float> splat (float 0x3FA5555280000000))
%v91 = call <16 x float> @llvm.fma.v16f32(<16 x float> splat (float 0x3F56CF7760000000), <16 x float> %v88, <16 x float> %v90)
%v92 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v91, <16 x float> %v88, <16 x float> %v89)
%v93 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v92, <16 x float> %v85)
%v94 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %v87, <16 x float> %v87)
%v95 = fmul <16 x float> %v94, splat (float 0x3BF0000000000000)
%v96 = getelementptr float, ptr %scratch, i64 %v72
store <16 x float> %v95, ptr %v96, align 4
%v97 = load <16 x float>, ptr %s8
%v98 = fadd <16 x float> %v97, %v95
store <16 x float> %v98, ptr %s8
%v99 = add i64 %v72, 16
%v100 = icmp slt i64 %v99, 32
br i1 %v100, label %loop9, label %end10
end10:
%v101 = getelementptr i8, ptr %v8, i64 276
call void @llvm.prefetch.p0(ptr %v101, i32 0, i32 3, i32 1)
%v102 = getelementptr float, ptr %v8, i64 32
%v103 = load <4 x float>, ptr %v102, align 4
%v104 = fsub <4 x float> %v103, %v71
%v105 = fcmp ogt <4 x float> splat (float 0xC05A400000000000), %v104
%v106 = select <4 x i1> %v105, <4 x float> splat (float 0xC05A400000000000), <4 x float> %v104
%v107 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v106, <4 x float> splat (float 0x3FF7154760000000), <4 x float> splat (float 0x41680017E0000000))
%v108 = fsub <4 x float> %v107, splat (float 0x41680017E0000000)
%v109 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v108, <4 x float> splat (float 0xBFE62E4000000000), <4 x float> %v106)
%v110 = bitcast <4 x float> %v107 to <4 x i32>
%v111 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v108, <4 x float> splat (float 0xBEB7F7D1C0000000), <4 x float> %v109)
%v112 = shl <4 x i32> %v110, splat (i32 23)
%v113 = bitcast <4 x i32> %v112 to <4 x float>
%v114 = fmul <4 x float> %v111, %v111
%v115 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v111, <4 x float> splat (float 0x3FC5554820000000), <4 x float> splat (float 0x3FE0000000000000))
%v116 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v111, <4 x float> splat (float 0x3F81244B20000000), <4 x float> splat (float 0x3FA5555280000000))
%v117 = call <4 x float> @llvm.fma.v4f32(<4 x float> splat (float 0x3F56CF7760000000), <4 x float> %v114, <4 x float> %v116)
%v118 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v117, <4 x float> %v114, <4 x float> %v115)
%v119 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v114, <4 x float> %v118, <4 x float> %v111)
%v120 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v119, <4 x float> %v113, <4 x float> %v113)
%v121 = fmul <4 x float> %v120, splat (float 0x3BF0000000000000)
%v122 = getelementptr float, ptr %scratch, i64 32
store <4 x float> %v121, ptr %v122, align 4
%v123 = load <4 x float>, ptr %s7
%v124 = fadd <4 x float> %v123, %v121
store <4 x float> %v124, ptr %s7
%v125 = getelementptr i8, ptr %v8, i64 292
call void @llvm.prefetch.p0(ptr %v125, i32 0, i32 3, i32 1)
store <4 x float> splat (float 0x0000000000000000), ptr %s6, align 4
%v126 = getelementptr float, ptr %v8, i64 36
%v127 = load float, ptr %v126, align 4
store float %v127, ptr %s6, align 4
%v128 = load <4 x float>, ptr %s6, align 4
%v129 = fsub <4 x float> %v128, %v71
%v130 = fcmp ogt <4 x float> splat (float 0xC05A400000000000), %v129
%v131 = select <4 x i1> %v130, <4 x float> splat (float 0xC05A400000000000), <4 x float> %v129
%v132 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v131, <4 x float> splat (float 0x3FF7154760000000), <4 x float> splat (float 0x41680017E0000000))
%v133 = fsub <4 x float> %v132, splat (float 0x41680017E0000000)
%v134 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v133, <4 x float> splat (float 0xBFE62E4000000000), <4 x float> %v131)
%v135 = bitcast <4 x float> %v132 to <4 x i32>
%v136 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v133, <4 x float> splat (float 0xBEB7F7D1C0000000), <4 x float> %v134)
%v137 = shl <4 x i32> %v135, splat (i32 23)
%v138 = bitcast <4 x i32> %v137 to <4 x float>
%v139 = fmul <4 x float> %v136, %v136
%v140 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v136, <4 x float> splat (float 0x3FC5554820000000), <4 x float> splat (float 0x3FE0000000000000))
%v141 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v136, <4 x float> splat (float 0x3F81244B20000000), <4 x float> splat (float 0x3FA5555280000000))
%v142 = call <4 x float> @llvm.fma.v4f32(<4 x float> splat (float 0x3F56CF7760000000), <4 x float> %v139, <4 x float> %v141)
%v143 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v142, <4 x float> %v139, <4 x float> %v140)
%v144 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v139, <4 x float> %v143, <4 x float> %v136)
%v145 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v144, <4 x float> %v138, <4 x float> %v138)
%v146 = fmul <4 x float> %v145, splat (float 0x3BF0000000000000)
store <4 x float> %v146, ptr %s6, align 4
%v147 = load float, ptr %s6, align 4
%v148 = getelementptr float, ptr %scratch, i64 36
store float %v147, ptr %v148, align 4
%v149 = select <4 x i1> <i1 true, i1 false, i1 false, i1 false>, <4 x float> %v146, <4 x float> splat (float 0x0000000000000000)
%v150 = load <4 x float>, ptr %s7
%v151 = fadd <4 x float> %v150, %v149
store <4 x float> %v151, ptr %s7
%v152 = load <4 x float>, ptr %s7
%v153 = load <16 x float>, ptr %s8
%v154 = shufflevector <16 x float> %v153, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v155 = shufflevector <16 x float> %v153, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v156 = fadd <8 x float> %v154, %v155
%v157 = shufflevector <8 x float> %v156, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v158 = shufflevector <8 x float> %v156, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v159 = fadd <4 x float> %v157, %v158
%v160 = fadd <4 x float> %v159, %v152
%v161 = shufflevector <4 x float> %v160, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v162 = shufflevector <4 x float> %v160, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v163 = fadd <2 x float> %v161, %v162
%v164 = shufflevector <2 x float> %v163, <2 x float> poison, <1 x i32> <i32 0>
%v165 = shufflevector <2 x float> %v163, <2 x float> poison, <1 x i32> <i32 1>
%v166 = fadd <1 x float> %v164, %v165
%v167 = extractelement <1 x float> %v166, i64 0
%v168 = fdiv float 0x3FF0000000000000, %v167
%v169 = insertelement <16 x float> poison, float %v168, i32 0
%v170 = shufflevector <16 x float> %v169, <16 x float> poison, <16 x i32> zeroinitializer
%v171 = insertelement <4 x float> poison, float %v168, i32 0
%v172 = shufflevector <4 x float> %v171, <4 x float> poison, <4 x i32> zeroinitializer
br label %loop11
loop11:
%v173 = phi i64 [ 0, %end10 ], [ %v178, %loop11 ]
%v174 = getelementptr float, ptr %scratch, i64 %v173
%v175 = load <16 x float>, ptr %v174, align 4
%v176 = fmul <16 x float> %v175, %v170
%v177 = getelementptr float, ptr %v10, i64 %v173
store <16 x float> %v176, ptr %v177, align 4
%v178 = add i64 %v173, 16
%v179 = icmp slt i64 %v178, 32
br i1 %v179, label %loop11, label %end12
end12:
%v180 = getelementptr float, ptr %scratch, i64 32
%v181 = load <4 x float>, ptr %v180, align 4
%v182 = fmul <4 x float> %v181, %v172
%v183 = getelementptr float, ptr %v10, i64 32
store <4 x float> %v182, ptr %v183, align 4
store <4 x float> splat (float 0x0000000000000000), ptr %s6, align 4
%v184 = getelementptr float, ptr %scratch, i64 36
%v185 = load float, ptr %v184, align 4
store float %v185, ptr %s6, align 4
%v186 = load <4 x float>, ptr %s6, align 4
%v187 = fmul <4 x float> %v186, %v172
store <4 x float> %v187, ptr %s6, align 4
%v188 = load float, ptr %s6, align 4
%v189 = getelementptr float, ptr %v10, i64 36
store float %v188, ptr %v189, align 4
%v190 = add i64 %v6, 1
%v191 = icmp slt i64 %v190, %v4
br i1 %v191, label %loop4, label %end5
end5:
%v192 = add i64 %v1, 1
%v193 = icmp slt i64 %v192, %end
br i1 %v193, label %loop1, label %end2
end2:
ret void
}

