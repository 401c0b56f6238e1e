; kernels for x86_64-avx2
; mir @dequant_grouped_matmul {
;   %0 = input("x1") : f32[3, 32]
;   %1 = param("w1", scheme=int8/32) : f32[2, 32, 8]
;   %2 = input("x2") : i32[3]
;   %3 = grouped_matmul(%0, %1, %2) : f32[3, 8]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

define void @expert_rows_ed7faec2(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%v0 = getelementptr i64, ptr %a0, i64 5
%v1 = getelementptr i64, ptr %a0, i64 8
%v2 = getelementptr i64, ptr %a0, i64 11
%v3 = getelementptr i64, ptr %a0, i64 14
br label %loop1
loop1:
%v4 = phi i64 [ 0, %entry ], [ %v6, %loop1 ]
%v5 = getelementptr i64, ptr %a0, i64 %v4
store i64 0, ptr %v5, align 8
%v6 = add i64 %v4, 1
%v7 = icmp slt i64 %v6, 5
br i1 %v7, label %loop1, label %end2
end2:
br label %loop3
loop3:
%v8 = phi i64 [ 0, %end2 ], [ %v24, %loop3 ]
%v9 = getelementptr i32, ptr %a1, i64 %v8
%v10 = load i32, ptr %v9, align 4
%v11 = sext i32 %v10 to i64
%v12 = icmp slt i64 %v11, 0
%v13 = add i64 %v11, 2
%v14 = select i1 %v12, i64 %v13, i64 %v11
%v15 = call i64 @llvm.smin.i64(i64 %v14, i64 1)
%v16 = call i64 @llvm.smax.i64(i64 %v15, i64 0)
%v17 = icmp uge i64 %v14, 2
%v18 = getelementptr i64, ptr %v1, i64 %v8
store i64 %v16, ptr %v18, align 8
%v19 = add i64 %v16, 2
%v20 = getelementptr i64, ptr %a0, i64 %v19
%v21 = load i64, ptr %v20, align 8
%v22 = add i64 %v21, 1
%v23 = getelementptr i64, ptr %a0, i64 %v19
store i64 %v22, ptr %v23, align 8
%v24 = add i64 %v8, 1
%v25 = icmp slt i64 %v24, 3
br i1 %v25, label %loop3, label %end4
end4:
store i64 0, ptr %s4
br label %loop5
loop5:
%v26 = phi i64 [ 0, %end4 ], [ %v41, %end9 ]
%v27 = add i64 %v26, 2
%v28 = getelementptr i64, ptr %a0, i64 %v27
%v29 = load i64, ptr %v28, align 8
%v30 = add i64 %v26, 1
%v31 = getelementptr i64, ptr %a0, i64 %v30
%v32 = load i64, ptr %v31, align 8
%v33 = add i64 %v32, %v29
%v34 = add i64 %v26, 2
%v35 = getelementptr i64, ptr %a0, i64 %v34
store i64 %v33, ptr %v35, align 8
%v36 = icmp sgt i64 %v29, 0
br i1 %v36, label %then7, label %else8
then7:
%v37 = load i64, ptr %s4
%v38 = getelementptr i64, ptr %v0, i64 %v37
store i64 %v26, ptr %v38, align 8
%v39 = load i64, ptr %s4
%v40 = add i64 %v39, 1
store i64 %v40, ptr %s4
br label %end9
else8:
br label %end9
end9:
%v41 = add i64 %v26, 1
%v42 = icmp slt i64 %v41, 2
br i1 %v42, label %loop5, label %end6
end6:
%v43 = load i64, ptr %s4
%v44 = getelementptr i64, ptr %a0, i64 7
store i64 %v43, ptr %v44, align 8
br label %loop10
loop10:
%v45 = phi i64 [ 0, %end6 ], [ %v55, %loop10 ]
%v46 = getelementptr i64, ptr %v1, i64 %v45
%v47 = load i64, ptr %v46, align 8
%v48 = add i64 %v47, 1
%v49 = getelementptr i64, ptr %a0, i64 %v48
%v50 = load i64, ptr %v49, align 8
%v51 = getelementptr i64, ptr %v3, i64 %v50
store i64 %v45, ptr %v51, align 8
%v52 = getelementptr i64, ptr %v2, i64 %v45
store i64 %v50, ptr %v52, align 8
%v53 = add i64 %v50, 1
%v54 = getelementptr i64, ptr %a0, i64 %v48
store i64 %v53, ptr %v54, align 8
%v55 = add i64 %v45, 1
%v56 = icmp slt i64 %v55, 3
br i1 %v56, label %loop10, label %end11
end11:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @dequant_grouped_matmul_3079813e(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 3
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 4
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 0
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 1
%a3 = load ptr, ptr %a3.p, align 8
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
%s18 = alloca <8 x float>
%s19 = alloca <8 x float>
%s20 = alloca <8 x float>
%s21 = alloca <8 x float>
%s22 = alloca <8 x float>
%s23 = alloca <8 x float>
%s24 = alloca <8 x float>
%s25 = alloca <8 x float>
%s26 = alloca <8 x float>
%s27 = alloca <8 x float>
%a4.p = getelementptr i64, ptr %args, i64 5
%a4 = load ptr, ptr %a4.p, align 8
%v0 = getelementptr i8, ptr %scratch, i64 768
%v1 = getelementptr i8, ptr %scratch, i64 105216
%v2 = getelementptr i8, ptr %scratch, i64 121600
%v3 = icmp slt i64 %begin, %end
br i1 %v3, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v4 = phi i64 [ %begin, %guard3 ], [ %v392, %end5 ]
%v5 = getelementptr i64, ptr %a1, i64 7
%v6 = load i64, ptr %v5, align 8
%v7 = icmp slt i64 %v4, %v6
%v8 = getelementptr i64, ptr %a1, i64 5
%v9 = select i1 %v7, i64 %v4, i64 0
%v10 = getelementptr i64, ptr %v8, i64 %v9
%v11 = load i64, ptr %v10, align 8
%v12 = select i1 %v7, i64 %v11, i64 0
%v13 = getelementptr i64, ptr %a1, i64 %v12
%v14 = load i64, ptr %v13, align 8
%v15 = add i64 %v12, 1
%v16 = getelementptr i64, ptr %a1, i64 %v15
%v17 = load i64, ptr %v16, align 8
%v18 = select i1 %v7, i64 %v17, i64 %v14
%v19 = icmp slt i64 %v14, %v18
br i1 %v19, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v20 = phi i64 [ %v14, %guard6 ], [ %v390, %end38 ]
%v21 = sub i64 %v18, %v20
%v22 = call i64 @llvm.smin.i64(i64 %v21, i64 96)
%v23 = icmp slt i64 0, %v22
br i1 %v23, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v24 = phi i64 [ 0, %guard9 ], [ %v30, %loop7 ]
%v25 = add i64 %v20, %v24
%v26 = getelementptr i64, ptr %a1, i64 14
%v27 = getelementptr i64, ptr %v26, i64 %v25
%v28 = load i64, ptr %v27, align 8
%v29 = getelementptr i64, ptr %scratch, i64 %v24
store i64 %v28, ptr %v29, align 8
%v30 = add i64 %v24, 1
%v31 = icmp slt i64 %v30, %v22
br i1 %v31, label %loop7, label %end8
end8:
%v32 = mul i64 %v22, 16
%v33 = icmp slt i64 0, %v32
br i1 %v33, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v34 = phi i64 [ 0, %guard12 ], [ %v36, %loop10 ]
%v35 = getelementptr float, ptr %v2, i64 %v34
store <8 x float> splat (float 0x0000000000000000), ptr %v35, align 4
%v36 = add i64 %v34, 8
%v37 = icmp slt i64 %v36, %v32
br i1 %v37, label %loop10, label %end11
end11:
%v38 = icmp slt i64 0, %v22
br i1 %v38, label %guard15, label %end14
guard15:
br label %loop13
loop13:
%v39 = phi i64 [ 0, %guard15 ], [ %v54, %end17 ]
%v40 = getelementptr i64, ptr %scratch, i64 %v39
%v41 = load i64, ptr %v40, align 8
%v42 = urem i64 %v41, 3
%v43 = udiv i64 %v41, 3
%v44 = mul i64 %v42, 32
%v45 = getelementptr float, ptr %a2, i64 %v44
%v46 = mul i64 %v39, 256
br label %loop16
loop16:
%v47 = phi i64 [ 0, %loop13 ], [ %v52, %loop16 ]
%v48 = getelementptr float, ptr %v45, i64 %v47
%v49 = load <8 x float>, ptr %v48, align 4
%v50 = add i64 %v46, %v47
%v51 = getelementptr float, ptr %v0, i64 %v50
store <8 x float> %v49, ptr %v51, align 4
%v52 = add i64 %v47, 8
%v53 = icmp slt i64 %v52, 32
br i1 %v53, label %loop16, label %end17
end17:
%v54 = add i64 %v39, 1
%v55 = icmp slt i64 %v54, %v22
br i1 %v55, label %loop13, label %end14
end14:
br i1 true, label %then18, label %else19
then18:
br label %loop21
loop21:
%v56 = phi i64 [ 0, %then18 ], [ %v58, %loop21 ]
%v57 = getelementptr float, ptr %v1, i64 %v56
store <8 x float> splat (float 0x0000000000000000), ptr %v57, align 4
%v58 = add i64 %v56, 8
%v59 = icmp slt i64 %v58, 512
br i1 %v59, label %loop21, label %end22
end22:
br label %end20
else19:
br label %end20
end20:
br label %loop23
loop23:
%v60 = phi i64 [ 0, %end20 ], [ %v82, %end26 ]
br label %loop25
loop25:
%v61 = phi i64 [ 0, %loop23 ], [ %v80, %loop25 ]
%v62 = mul i64 %v12, 32
%v63 = add i64 %v62, %v60
%v64 = mul i64 %v63, 8
%v65 = add i64 %v64, %v61
%v66 = getelementptr i8, ptr %a3, i64 %v65
%v67 = load i8, ptr %v66, align 1
%v68 = sext i8 %v67 to i32
%v69 = udiv i64 %v60, 32
%v70 = add i64 %v12, %v69
%v71 = mul i64 %v70, 8
%v72 = add i64 %v71, %v61
%v73 = sitofp i32 %v68 to float
%v74 = getelementptr float, ptr %a0, i64 %v72
%v75 = load float, ptr %v74, align 4
%v76 = fmul float %v73, %v75
%v77 = mul i64 %v60, 16
%v78 = add i64 %v77, %v61
%v79 = getelementptr float, ptr %v1, i64 %v78
store float %v76, ptr %v79, align 4
%v80 = add i64 %v61, 1
%v81 = icmp slt i64 %v80, 8
br i1 %v81, label %loop25, label %end26
end26:
%v82 = add i64 %v60, 1
%v83 = icmp slt i64 %v82, 32
br i1 %v83, label %loop23, label %end24
end24:
%v84 = icmp eq i64 %v22, 1
br i1 %v84, label %then27, label %else28
then27:
store <8 x float> splat (float 0x0000000000000000), ptr %s8
store <8 x float> splat (float 0x0000000000000000), ptr %s9
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <8 x float> splat (float 0x0000000000000000), ptr %s11
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
store <8 x float> splat (float 0x0000000000000000), ptr %s14
store <8 x float> splat (float 0x0000000000000000), ptr %s15
br label %loop30
loop30:
%v85 = phi i64 [ 0, %then27 ], [ %v148, %loop30 ]
%v86 = mul i64 %v85, 16
%v87 = getelementptr float, ptr %v1, i64 %v86
%v88 = load <8 x float>, ptr %v87, align 4
%v89 = add i64 %v86, 8
%v90 = getelementptr float, ptr %v1, i64 %v89
%v91 = load <8 x float>, ptr %v90, align 4
%v92 = getelementptr float, ptr %v0, i64 %v85
%v93 = load float, ptr %v92, align 4
%v94 = insertelement <8 x float> poison, float %v93, i32 0
%v95 = shufflevector <8 x float> %v94, <8 x float> poison, <8 x i32> zeroinitializer
%v96 = load <8 x float>, ptr %s8
%v97 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v95, <8 x float> %v88, <8 x float> %v96)
store <8 x float> %v97, ptr %s8
%v98 = load <8 x float>, ptr %s12
%v99 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v95, <8 x float> %v91, <8 x float> %v98)
store <8 x float> %v99, ptr %s12
%v100 = mul i64 %v85, 16
%v101 = add i64 %v100, 16
%v102 = getelementptr float, ptr %v1, i64 %v101
%v103 = load <8 x float>, ptr %v102, align 4
%v104 = add i64 %v101, 8
%v105 = getelementptr float, ptr %v1, i64 %v104
%v106 = load <8 x float>, ptr %v105, align 4
%v107 = add i64 %v85, 1
%v108 = getelementptr float, ptr %v0, i64 %v107
%v109 = load float, ptr %v108, align 4
%v110 = insertelement <8 x float> poison, float %v109, i32 0
%v111 = shufflevector <8 x float> %v110, <8 x float> poison, <8 x i32> zeroinitializer
%v112 = load <8 x float>, ptr %s9
%v113 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v111, <8 x float> %v103, <8 x float> %v112)
store <8 x float> %v113, ptr %s9
%v114 = load <8 x float>, ptr %s13
%v115 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v111, <8 x float> %v106, <8 x float> %v114)
store <8 x float> %v115, ptr %s13
%v116 = mul i64 %v85, 16
%v117 = add i64 %v116, 32
%v118 = getelementptr float, ptr %v1, i64 %v117
%v119 = load <8 x float>, ptr %v118, align 4
%v120 = add i64 %v117, 8
%v121 = getelementptr float, ptr %v1, i64 %v120
%v122 = load <8 x float>, ptr %v121, align 4
%v123 = add i64 %v85, 2
%v124 = getelementptr float, ptr %v0, i64 %v123
%v125 = load float, ptr %v124, align 4
%v126 = insertelement <8 x float> poison, float %v125, i32 0
%v127 = shufflevector <8 x float> %v126, <8 x float> poison, <8 x i32> zeroinitializer
%v128 = load <8 x float>, ptr %s10
%v129 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v127, <8 x float> %v119, <8 x float> %v128)
store <8 x float> %v129, ptr %s10
%v130 = load <8 x float>, ptr %s14
%v131 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v127, <8 x float> %v122, <8 x float> %v130)
store <8 x float> %v131, ptr %s14
%v132 = mul i64 %v85, 16
%v133 = add i64 %v132, 48
%v134 = getelementptr float, ptr %v1, i64 %v133
%v135 = load <8 x float>, ptr %v134, align 4
%v136 = add i64 %v133, 8
%v137 = getelementptr float, ptr %v1, i64 %v136
%v138 = load <8 x float>, ptr %v137, align 4
%v139 = add i64 %v85, 3
%v140 = getelementptr float, ptr %v0, i64 %v139
%v141 = load float, ptr %v140, align 4
%v142 = insertelement <8 x float> poison, float %v141, i32 0
%v143 = shufflevector <8 x float> %v142, <8 x float> poison, <8 x i32> zeroinitializer
%v144 = load <8 x float>, ptr %s11
%v145 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v143, <8 x float> %v135, <8 x float> %v144)
store <8 x float> %v145, ptr %s11
%v146 = load <8 x float>, ptr %s15
%v147 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v143, <8 x float> %v138, <8 x float> %v146)
store <8 x float> %v147, ptr %s15
%v148 = add i64 %v85, 4
%v149 = icmp slt i64 %v148, 32
br i1 %v149, label %loop30, label %end31
end31:
%v150 = load <8 x float>, ptr %s8
%v151 = load <8 x float>, ptr %s9
%v152 = load <8 x float>, ptr %s10
%v153 = load <8 x float>, ptr %s11
%v154 = fadd <8 x float> %v150, %v151
%v155 = fadd <8 x float> %v152, %v153
%v156 = fadd <8 x float> %v154, %v155
%v157 = load <8 x float>, ptr %s12
%v158 = load <8 x float>, ptr %s13
%v159 = load <8 x float>, ptr %s14
%v160 = load <8 x float>, ptr %s15
%v161 = fadd <8 x float> %v157, %v158
%v162 = fadd <8 x float> %v159, %v160
%v163 = fadd <8 x float> %v161, %v162
%v164 = load <8 x float>, ptr %v2, align 4
%v165 = fadd <8 x float> %v164, %v156
store <8 x float> %v165, ptr %v2, align 4
%v166 = getelementptr float, ptr %v2, i64 8
%v167 = load <8 x float>, ptr %v166, align 4
%v168 = fadd <8 x float> %v167, %v163
%v169 = getelementptr float, ptr %v2, i64 8
store <8 x float> %v168, ptr %v169, align 4
br label %end29
else28:
%v170 = icmp slt i64 0, %v22
br i1 %v170, label %guard34, label %end33
guard34:
br label %loop32
loop32:
%v171 = phi i64 [ 0, %guard34 ], [ %v372, %end36 ]
%v172 = mul i64 %v171, 256
%v173 = getelementptr float, ptr %v0, i64 %v172
%v174 = mul i64 %v171, 16
%v175 = getelementptr float, ptr %v2, i64 %v174
%v176 = sub i64 %v22, 1
%v177 = sub i64 %v176, %v171
store <8 x float> splat (float 0x0000000000000000), ptr %s16
store <8 x float> splat (float 0x0000000000000000), ptr %s17
store <8 x float> splat (float 0x0000000000000000), ptr %s18
store <8 x float> splat (float 0x0000000000000000), ptr %s19
store <8 x float> splat (float 0x0000000000000000), ptr %s20
store <8 x float> splat (float 0x0000000000000000), ptr %s21
store <8 x float> splat (float 0x0000000000000000), ptr %s22
store <8 x float> splat (float 0x0000000000000000), ptr %s23
store <8 x float> splat (float 0x0000000000000000), ptr %s24
store <8 x float> splat (float 0x0000000000000000), ptr %s25
store <8 x float> splat (float 0x0000000000000000), ptr %s26
store <8 x float> splat (float 0x0000000000000000), ptr %s27
%v178 = call i64 @llvm.smin.i64(i64 0, i64 %v177)
%v179 = mul i64 256, %v178
%v180 = getelementptr float, ptr %v173, i64 %v179
%v181 = call i64 @llvm.smin.i64(i64 1, i64 %v177)
%v182 = mul i64 256, %v181
%v183 = getelementptr float, ptr %v173, i64 %v182
%v184 = call i64 @llvm.smin.i64(i64 2, i64 %v177)
%v185 = mul i64 256, %v184
%v186 = getelementptr float, ptr %v173, i64 %v185
%v187 = call i64 @llvm.smin.i64(i64 3, i64 %v177)
%v188 = mul i64 256, %v187
%v189 = getelementptr float, ptr %v173, i64 %v188
%v190 = call i64 @llvm.smin.i64(i64 4, i64 %v177)
%v191 = mul i64 256, %v190
%v192 = getelementptr float, ptr %v173, i64 %v191
%v193 = call i64 @llvm.smin.i64(i64 5, i64 %v177)
%v194 = mul i64 256, %v193
%v195 = getelementptr float, ptr %v173, i64 %v194
br label %loop35
loop35:
%v196 = phi i64 [ 0, %loop32 ], [ %v312, %loop35 ]
%v197 = mul i64 %v196, 16
%v198 = getelementptr float, ptr %v1, i64 %v197
%v199 = load <8 x float>, ptr %v198, align 4
%v200 = add i64 %v197, 8
%v201 = getelementptr float, ptr %v1, i64 %v200
%v202 = load <8 x float>, ptr %v201, align 4
%v203 = getelementptr float, ptr %v180, i64 %v196
%v204 = load float, ptr %v203, align 4
%v205 = insertelement <8 x float> poison, float %v204, i32 0
%v206 = shufflevector <8 x float> %v205, <8 x float> poison, <8 x i32> zeroinitializer
%v207 = load <8 x float>, ptr %s16
%v208 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v206, <8 x float> %v199, <8 x float> %v207)
store <8 x float> %v208, ptr %s16
%v209 = load <8 x float>, ptr %s17
%v210 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v206, <8 x float> %v202, <8 x float> %v209)
store <8 x float> %v210, ptr %s17
%v211 = getelementptr float, ptr %v183, i64 %v196
%v212 = load float, ptr %v211, align 4
%v213 = insertelement <8 x float> poison, float %v212, i32 0
%v214 = shufflevector <8 x float> %v213, <8 x float> poison, <8 x i32> zeroinitializer
%v215 = load <8 x float>, ptr %s18
%v216 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v214, <8 x float> %v199, <8 x float> %v215)
store <8 x float> %v216, ptr %s18
%v217 = load <8 x float>, ptr %s19
%v218 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v214, <8 x float> %v202, <8 x float> %v217)
store <8 x float> %v218, ptr %s19
%v219 = getelementptr float, ptr %v186, i64 %v196
%v220 = load float, ptr %v219, align 4
%v221 = insertelement <8 x float> poison, float %v220, i32 0
%v222 = shufflevector <8 x float> %v221, <8 x float> poison, <8 x i32> zeroinitializer
%v223 = load <8 x float>, ptr %s20
%v224 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v222, <8 x float> %v199, <8 x float> %v223)
store <8 x float> %v224, ptr %s20
%v225 = load <8 x float>, ptr %s21
%v226 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v222, <8 x float> %v202, <8 x float> %v225)
store <8 x float> %v226, ptr %s21
%v227 = getelementptr float, ptr %v189, i64 %v196
%v228 = load float, ptr %v227, align 4
%v229 = insertelement <8 x float> poison, float %v228, i32 0
%v230 = shufflevector <8 x float> %v229, <8 x float> poison, <8 x i32> zeroinitializer
%v231 = load <8 x float>, ptr %s22
%v232 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v230, <8 x float> %v199, <8 x float> %v231)
store <8 x float> %v232, ptr %s22
%v233 = load <8 x float>, ptr %s23
%v234 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v230, <8 x float> %v202, <8 x float> %v233)
store <8 x float> %v234, ptr %s23
%v235 = getelementptr float, ptr %v192, i64 %v196
%v236 = load float, ptr %v235, align 4
%v237 = insertelement <8 x float> poison, float %v236, i32 0
%v238 = shufflevector <8 x float> %v237, <8 x float> poison, <8 x i32> zeroinitializer
%v239 = load <8 x float>, ptr %s24
%v240 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v238, <8 x float> %v199, <8 x float> %v239)
store <8 x float> %v240, ptr %s24
%v241 = load <8 x float>, ptr %s25
%v242 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v238, <8 x float> %v202, <8 x float> %v241)
store <8 x float> %v242, ptr %s25
%v243 = getelementptr float, ptr %v195, i64 %v196
%v244 = load float, ptr %v243, align 4
%v245 = insertelement <8 x float> poison, float %v244, i32 0
%v246 = shufflevector <8 x float> %v245, <8 x float> poison, <8 x i32> zeroinitializer
%v247 = load <8 x float>, ptr %s26
%v248 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v246, <8 x float> %v199, <8 x float> %v247)
store <8 x float> %v248, ptr %s26
%v249 = load <8 x float>, ptr %s27
%v250 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v246, <8 x float> %v202, <8 x float> %v249)
store <8 x float> %v250, ptr %s27
%v251 = mul i64 %v196, 16
%v252 = add i64 %v251, 16
%v253 = getelementptr float, ptr %v1, i64 %v252
%v254 = load <8 x float>, ptr %v253, align 4
%v255 = add i64 %v252, 8
%v256 = getelementptr float, ptr %v1, i64 %v255
%v257 = load <8 x float>, ptr %v256, align 4
%v258 = add i64 %v196, 1
%v259 = getelementptr float, ptr %v180, i64 %v258
%v260 = load float, ptr %v259, align 4
%v261 = insertelement <8 x float> poison, float %v260, i32 0
%v262 = shufflevector <8 x float> %v261, <8 x float> poison, <8 x i32> zeroinitializer
%v263 = load <8 x float>, ptr %s16
%v264 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v262, <8 x float> %v254, <8 x float> %v263)
store <8 x float> %v264, ptr %s16
%v265 = load <8 x float>, ptr %s17
%v266 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v262, <8 x float> %v257, <8 x float> %v265)
store <8 x float> %v266, ptr %s17
%v267 = add i64 %v196, 1
%v268 = getelementptr float, ptr %v183, i64 %v267
%v269 = load float, ptr %v268, align 4
%v270 = insertelement <8 x float> poison, float %v269, i32 0
%v271 = shufflevector <8 x float> %v270, <8 x float> poison, <8 x i32> zeroinitializer
%v272 = load <8 x float>, ptr %s18
%v273 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v271, <8 x float> %v254, <8 x float> %v272)
store <8 x float> %v273, ptr %s18
%v274 = load <8 x float>, ptr %s19
%v275 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v271, <8 x float> %v257, <8 x float> %v274)
store <8 x float> %v275, ptr %s19
%v276 = add i64 %v196, 1
%v277 = getelementptr float, ptr %v186, i64 %v276
%v278 = load float, ptr %v277, align 4
%v279 = insertelement <8 x float> poison, float %v278, i32 0
%v280 = shufflevector <8 x float> %v279, <8 x float> poison, <8 x i32> zeroinitializer
%v281 = load <8 x float>, ptr %s20
%v282 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v280, <8 x float> %v254, <8 x float> %v281)
store <8 x float> %v282, ptr %s20
%v283 = load <8 x float>, ptr %s21
%v284 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v280, <8 x float> %v257, <8 x float> %v283)
store <8 x float> %v284, ptr %s21
%v285 = add i64 %v196, 1
%v286 = getelementptr float, ptr %v189, i64 %v285
%v287 = load float, ptr %v286, align 4
%v288 = insertelement <8 x float> poison, float %v287, i32 0
%v289 = shufflevector <8 x float> %v288, <8 x float> poison, <8 x i32> zeroinitializer
%v290 = load <8 x float>, ptr %s22
%v291 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v289, <8 x float> %v254, <8 x float> %v290)
store <8 x float> %v291, ptr %s22
%v292 = load <8 x float>, ptr %s23
%v293 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v289, <8 x float> %v257, <8 x float> %v292)
store <8 x float> %v293, ptr %s23
%v294 = add i64 %v196, 1
%v295 = getelementptr float, ptr %v192, i64 %v294
%v296 = load float, ptr %v295, align 4
%v297 = insertelement <8 x float> poison, float %v296, i32 0
%v298 = shufflevector <8 x float> %v297, <8 x float> poison, <8 x i32> zeroinitializer
%v299 = load <8 x float>, ptr %s24
%v300 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v298, <8 x float> %v254, <8 x float> %v299)
store <8 x float> %v300, ptr %s24
%v301 = load <8 x float>, ptr %s25
%v302 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v298, <8 x float> %v257, <8 x float> %v301)
store <8 x float> %v302, ptr %s25
%v303 = add i64 %v196, 1
%v304 = getelementptr float, ptr %v195, i64 %v303
%v305 = load float, ptr %v304, align 4
%v306 = insertelement <8 x float> poison, float %v305, i32 0
%v307 = shufflevector <8 x float> %v306, <8 x float> poison, <8 x i32> zeroinitializer
%v308 = load <8 x float>, ptr %s26
%v309 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v307, <8 x float> %v254, <8 x float> %v308)
store <8 x float> %v309, ptr %s26
%v310 = load <8 x float>, ptr %s27
%v311 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v307, <8 x float> %v257, <8 x float> %v310)
store <8 x float> %v311, ptr %s27
%v312 = add i64 %v196, 2
%v313 = icmp slt i64 %v312, 32
br i1 %v313, label %loop35, label %end36
end36:
%v314 = load <8 x float>, ptr %s16
%v315 = load <8 x float>, ptr %s17
%v316 = load <8 x float>, ptr %s18
%v317 = load <8 x float>, ptr %s19
%v318 = load <8 x float>, ptr %s20
%v319 = load <8 x float>, ptr %s21
%v320 = load <8 x float>, ptr %s22
%v321 = load <8 x float>, ptr %s23
%v322 = load <8 x float>, ptr %s24
%v323 = load <8 x float>, ptr %s25
%v324 = load <8 x float>, ptr %s26
%v325 = load <8 x float>, ptr %s27
%v326 = load <8 x float>, ptr %v175, align 4
%v327 = fadd <8 x float> %v326, %v314
store <8 x float> %v327, ptr %v175, align 4
%v328 = getelementptr float, ptr %v175, i64 8
%v329 = load <8 x float>, ptr %v328, align 4
%v330 = fadd <8 x float> %v329, %v315
%v331 = getelementptr float, ptr %v175, i64 8
store <8 x float> %v330, ptr %v331, align 4
%v332 = getelementptr float, ptr %v175, i64 16
%v333 = load <8 x float>, ptr %v332, align 4
%v334 = fadd <8 x float> %v333, %v316
%v335 = getelementptr float, ptr %v175, i64 16
store <8 x float> %v334, ptr %v335, align 4
%v336 = getelementptr float, ptr %v175, i64 24
%v337 = load <8 x float>, ptr %v336, align 4
%v338 = fadd <8 x float> %v337, %v317
%v339 = getelementptr float, ptr %v175, i64 24
store <8 x float> %v338, ptr %v339, align 4
%v340 = getelementptr float, ptr %v175, i64 32
%v341 = load <8 x float>, ptr %v340, align 4
%v342 = fadd <8 x float> %v341, %v318
%v343 = getelementptr float, ptr %v175, i64 32
store <8 x float> %v342, ptr %v343, align 4
%v344 = getelementptr float, ptr %v175, i64 40
%v345 = load <8 x float>, ptr %v344, align 4
%v346 = fadd <8 x float> %v345, %v319
%v347 = getelementptr float, ptr %v175, i64 40
store <8 x float> %v346, ptr %v347, align 4
%v348 = getelementptr float, ptr %v175, i64 48
%v349 = load <8 x float>, ptr %v348, align 4
%v350 = fadd <8 x float> %v349, %v320
%v351 = getelementptr float, ptr %v175, i64 48
store <8 x float> %v350, ptr %v351, align 4
%v352 = getelementptr float, ptr %v175, i64 56
%v353 = load <8 x float>, ptr %v352, align 4
%v354 = fadd <8 x float> %v353, %v321
%v355 = getelementptr float, ptr %v175, i64 56
store <8 x float> %v354, ptr %v355, align 4
%v356 = getelementptr float, ptr %v175, i64 64
%v357 = load <8 x float>, ptr %v356, align 4
%v358 = fadd <8 x float> %v357, %v322
%v359 = getelementptr float, ptr %v175, i64 64
store <8 x float> %v358, ptr %v359, align 4
%v360 = getelementptr float, ptr %v175, i64 72
%v361 = load <8 x float>, ptr %v360, align 4
%v362 = fadd <8 x float> %v361, %v323
%v363 = getelementptr float, ptr %v175, i64 72
store <8 x float> %v362, ptr %v363, align 4
%v364 = getelementptr float, ptr %v175, i64 80
%v365 = load <8 x float>, ptr %v364, align 4
%v366 = fadd <8 x float> %v365, %v324
%v367 = getelementptr float, ptr %v175, i64 80
store <8 x float> %v366, ptr %v367, align 4
%v368 = getelementptr float, ptr %v175, i64 88
%v369 = load <8 x float>, ptr %v368, align 4
%v370 = fadd <8 x float> %v369, %v325
%v371 = getelementptr float, ptr %v175, i64 88
store <8 x float> %v370, ptr %v371, align 4
%v372 = add i64 %v171, 6
%v373 = icmp slt i64 %v372, %v22
br i1 %v373, label %loop32, label %end33
end33:
br label %end29
end29:
%v374 = icmp slt i64 0, %v22
br i1 %v374, label %guard39, label %end38
guard39:
br label %loop37
loop37:
%v375 = phi i64 [ 0, %guard39 ], [ %v388, %end41 ]
%v376 = getelementptr i64, ptr %scratch, i64 %v375
%v377 = load i64, ptr %v376, align 8
%v378 = mul i64 %v377, 8
br label %loop40
loop40:
%v379 = phi i64 [ 0, %loop37 ], [ %v386, %loop40 ]
%v380 = mul i64 %v375, 16
%v381 = add i64 %v380, %v379
%v382 = getelementptr float, ptr %v2, i64 %v381
%v383 = load float, ptr %v382, align 4
%v384 = add i64 %v378, %v379
%v385 = getelementptr float, ptr %a4, i64 %v384
store float %v383, ptr %v385, align 4
%v386 = add i64 %v379, 1
%v387 = icmp slt i64 %v386, 8
br i1 %v387, label %loop40, label %end41
end41:
%v388 = add i64 %v375, 1
%v389 = icmp slt i64 %v388, %v22
br i1 %v389, label %loop37, label %end38
end38:
%v390 = add i64 %v20, 96
%v391 = icmp slt i64 %v390, %v18
br i1 %v391, label %loop4, label %end5
end5:
%v392 = add i64 %v4, 1
%v393 = icmp slt i64 %v392, %end
br i1 %v393, label %loop1, label %end2
end2:
ret void
}

