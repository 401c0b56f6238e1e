; kernels for x86_64-avx2
; mir @attention_prefill {
;   %0 = input("x1") : f32[1, 12, 8]
;   %1 = input("x2") : f32[1, 12, 8]
;   %2 = input("x3") : f32[1, 12, 8]
;   %3 = attention(%0, %1, %2, num_heads=1, head_dim=8, mask_kind=causal, num_kv_heads=1) : f32[1, 12, 8]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @attention_7df43528(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%s6 = alloca <8 x float>
%s7 = alloca <8 x float>
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
%s28 = alloca <8 x float>
%s29 = alloca <8 x float>
%s30 = alloca <8 x float>
%s31 = alloca <8 x float>
%s32 = alloca <8 x float>
%s33 = alloca <8 x float>
%s34 = alloca <8 x float>
%s35 = alloca <8 x float>
%s36 = alloca <8 x float>
%s37 = alloca <8 x float>
%s38 = alloca <8 x float>
%s39 = alloca <8 x float>
%a3.p = getelementptr i64, ptr %args, i64 3
%a3 = load ptr, ptr %a3.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v875, %end34 ]
br label %loop4
loop4:
%v2 = phi i64 [ 0, %loop1 ], [ %v17, %loop4 ]
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 11)
%v4 = mul i64 %v1, 96
%v5 = mul i64 %v3, 8
%v6 = add i64 %v4, %v5
%v7 = getelementptr float, ptr %a0, i64 %v6
%v8 = mul i64 %v2, 16
%v9 = getelementptr float, ptr %scratch, i64 %v8
%v10 = getelementptr float, ptr %scratch, i64 192
%v11 = mul i64 %v2, 16
%v12 = getelementptr float, ptr %v10, i64 %v11
%v13 = load <8 x float>, ptr %v7, align 4
%v14 = fmul <8 x float> %v13, splat (float 0x3FD6A09E60000000)
store <8 x float> %v14, ptr %v9, align 4
store <8 x float> splat (float 0x0000000000000000), ptr %v12, align 4
%v15 = getelementptr float, ptr %v9, i64 8
store <8 x float> splat (float 0x0000000000000000), ptr %v15, align 4
%v16 = getelementptr float, ptr %v12, i64 8
store <8 x float> splat (float 0x0000000000000000), ptr %v16, align 4
%v17 = add i64 %v2, 1
%v18 = icmp slt i64 %v17, 12
br i1 %v18, label %loop4, label %end5
end5:
br label %loop6
loop6:
%v19 = phi i64 [ 0, %end5 ], [ %v24, %loop6 ]
%v20 = getelementptr float, ptr %scratch, i64 384
%v21 = getelementptr float, ptr %v20, i64 %v19
store <8 x float> splat (float 0xC7EFFFFFE0000000), ptr %v21, align 4
%v22 = getelementptr float, ptr %scratch, i64 400
%v23 = getelementptr float, ptr %v22, i64 %v19
store <8 x float> splat (float 0x0000000000000000), ptr %v23, align 4
%v24 = add i64 %v19, 8
%v25 = icmp slt i64 %v24, 16
br i1 %v25, label %loop6, label %end7
end7:
%v26 = mul i64 %v1, 96
%v27 = getelementptr float, ptr %a1, i64 %v26
br label %loop8
loop8:
%v28 = phi i64 [ 0, %end7 ], [ %v105, %loop8 ]
%v29 = call i64 @llvm.smin.i64(i64 %v28, i64 11)
%v30 = mul i64 %v29, 8
%v31 = getelementptr float, ptr %v27, i64 %v30
%v32 = add i64 %v28, 1
%v33 = call i64 @llvm.smin.i64(i64 %v32, i64 11)
%v34 = mul i64 %v33, 8
%v35 = getelementptr float, ptr %v27, i64 %v34
%v36 = add i64 %v28, 2
%v37 = call i64 @llvm.smin.i64(i64 %v36, i64 11)
%v38 = mul i64 %v37, 8
%v39 = getelementptr float, ptr %v27, i64 %v38
%v40 = add i64 %v28, 3
%v41 = call i64 @llvm.smin.i64(i64 %v40, i64 11)
%v42 = mul i64 %v41, 8
%v43 = getelementptr float, ptr %v27, i64 %v42
%v44 = add i64 %v28, 4
%v45 = call i64 @llvm.smin.i64(i64 %v44, i64 11)
%v46 = mul i64 %v45, 8
%v47 = getelementptr float, ptr %v27, i64 %v46
%v48 = add i64 %v28, 5
%v49 = call i64 @llvm.smin.i64(i64 %v48, i64 11)
%v50 = mul i64 %v49, 8
%v51 = getelementptr float, ptr %v27, i64 %v50
%v52 = add i64 %v28, 6
%v53 = call i64 @llvm.smin.i64(i64 %v52, i64 11)
%v54 = mul i64 %v53, 8
%v55 = getelementptr float, ptr %v27, i64 %v54
%v56 = add i64 %v28, 7
%v57 = call i64 @llvm.smin.i64(i64 %v56, i64 11)
%v58 = mul i64 %v57, 8
%v59 = getelementptr float, ptr %v27, i64 %v58
%v60 = ashr i64 %v28, 4
%v61 = mul i64 %v60, 128
%v62 = and i64 %v28, 15
%v63 = add i64 %v61, %v62
%v64 = getelementptr float, ptr %scratch, i64 1376
%v65 = getelementptr float, ptr %v64, i64 %v63
%v66 = load <8 x float>, ptr %v31, align 4
%v67 = load <8 x float>, ptr %v35, align 4
%v68 = load <8 x float>, ptr %v39, align 4
%v69 = load <8 x float>, ptr %v43, align 4
%v70 = load <8 x float>, ptr %v47, align 4
%v71 = load <8 x float>, ptr %v51, align 4
%v72 = load <8 x float>, ptr %v55, align 4
%v73 = load <8 x float>, ptr %v59, align 4
%v74 = shufflevector <8 x float> %v66, <8 x float> %v67, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v75 = shufflevector <8 x float> %v66, <8 x float> %v67, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v76 = shufflevector <8 x float> %v68, <8 x float> %v69, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v77 = shufflevector <8 x float> %v68, <8 x float> %v69, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v78 = shufflevector <8 x float> %v70, <8 x float> %v71, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v79 = shufflevector <8 x float> %v70, <8 x float> %v71, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v80 = shufflevector <8 x float> %v72, <8 x float> %v73, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v81 = shufflevector <8 x float> %v72, <8 x float> %v73, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v82 = shufflevector <8 x float> %v74, <8 x float> %v76, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v83 = shufflevector <8 x float> %v74, <8 x float> %v76, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v84 = shufflevector <8 x float> %v75, <8 x float> %v77, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v85 = shufflevector <8 x float> %v75, <8 x float> %v77, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v86 = shufflevector <8 x float> %v78, <8 x float> %v80, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v87 = shufflevector <8 x float> %v78, <8 x float> %v80, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v88 = shufflevector <8 x float> %v79, <8 x float> %v81, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v89 = shufflevector <8 x float> %v79, <8 x float> %v81, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v90 = shufflevector <8 x float> %v82, <8 x float> %v86, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v91 = shufflevector <8 x float> %v82, <8 x float> %v86, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v92 = shufflevector <8 x float> %v84, <8 x float> %v88, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v93 = shufflevector <8 x float> %v84, <8 x float> %v88, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v94 = shufflevector <8 x float> %v83, <8 x float> %v87, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v95 = shufflevector <8 x float> %v83, <8 x float> %v87, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v96 = shufflevector <8 x float> %v85, <8 x float> %v89, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v97 = shufflevector <8 x float> %v85, <8 x float> %v89, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
store <8 x float> %v90, ptr %v65, align 4
%v98 = getelementptr float, ptr %v65, i64 16
store <8 x float> %v92, ptr %v98, align 4
%v99 = getelementptr float, ptr %v65, i64 32
store <8 x float> %v94, ptr %v99, align 4
%v100 = getelementptr float, ptr %v65, i64 48
store <8 x float> %v96, ptr %v100, align 4
%v101 = getelementptr float, ptr %v65, i64 64
store <8 x float> %v91, ptr %v101, align 4
%v102 = getelementptr float, ptr %v65, i64 80
store <8 x float> %v93, ptr %v102, align 4
%v103 = getelementptr float, ptr %v65, i64 96
store <8 x float> %v95, ptr %v103, align 4
%v104 = getelementptr float, ptr %v65, i64 112
store <8 x float> %v97, ptr %v104, align 4
%v105 = add i64 %v28, 8
%v106 = icmp slt i64 %v105, 12
br i1 %v106, label %loop8, label %end9
end9:
br label %loop10
loop10:
%v107 = phi i64 [ 0, %end9 ], [ %v117, %loop10 ]
%v108 = mul i64 %v1, 96
%v109 = mul i64 %v107, 8
%v110 = add i64 %v108, %v109
%v111 = getelementptr float, ptr %a2, i64 %v110
%v112 = getelementptr float, ptr %scratch, i64 2400
%v113 = mul i64 %v107, 16
%v114 = getelementptr float, ptr %v112, i64 %v113
%v115 = load <8 x float>, ptr %v111, align 4
store <8 x float> %v115, ptr %v114, align 4
%v116 = getelementptr float, ptr %v114, i64 8
store <8 x float> splat (float 0x0000000000000000), ptr %v116, align 4
%v117 = add i64 %v107, 1
%v118 = icmp slt i64 %v117, 12
br i1 %v118, label %loop10, label %end11
end11:
br label %loop12
loop12:
%v119 = phi i64 [ 0, %end11 ], [ %v835, %end16 ]
%v120 = mul i64 %v119, 6
%v121 = add i64 %v120, 5
%v122 = call i64 @llvm.smin.i64(i64 %v121, i64 11)
%v123 = add i64 %v122, 1
%v124 = call i64 @llvm.smin.i64(i64 %v123, i64 12)
%v125 = call i64 @llvm.smin.i64(i64 %v124, i64 12)
%v126 = icmp slt i64 0, %v125
br i1 %v126, label %then14, label %else15
then14:
%v127 = add i64 %v120, 1
%v128 = call i64 @llvm.smin.i64(i64 %v127, i64 12)
%v129 = icmp sge i64 %v128, %v125
%v130 = and i64 %v125, 15
%v131 = icmp eq i64 %v130, 0
%v132 = and i1 %v129, %v131
%v133 = mul i64 %v119, 6
%v134 = call i64 @llvm.smin.i64(i64 %v133, i64 11)
%v135 = mul i64 %v119, 6
%v136 = add i64 %v135, 1
%v137 = call i64 @llvm.smin.i64(i64 %v136, i64 11)
%v138 = mul i64 %v119, 6
%v139 = add i64 %v138, 2
%v140 = call i64 @llvm.smin.i64(i64 %v139, i64 11)
%v141 = mul i64 %v119, 6
%v142 = add i64 %v141, 3
%v143 = call i64 @llvm.smin.i64(i64 %v142, i64 11)
%v144 = mul i64 %v119, 6
%v145 = add i64 %v144, 4
%v146 = call i64 @llvm.smin.i64(i64 %v145, i64 11)
%v147 = mul i64 %v119, 6
%v148 = add i64 %v147, 5
%v149 = call i64 @llvm.smin.i64(i64 %v148, i64 11)
store <8 x float> splat (float 0xFFF0000000000000), ptr %s6
store <8 x float> splat (float 0xFFF0000000000000), ptr %s7
store <8 x float> splat (float 0xFFF0000000000000), ptr %s8
store <8 x float> splat (float 0xFFF0000000000000), ptr %s9
store <8 x float> splat (float 0xFFF0000000000000), ptr %s10
store <8 x float> splat (float 0xFFF0000000000000), ptr %s11
%v150 = icmp slt i64 0, %v125
br i1 %v150, label %guard19, label %end18
guard19:
br label %loop17
loop17:
%v151 = phi i64 [ 0, %guard19 ], [ %v456, %end24 ]
%v152 = mul i64 %v119, 96
%v153 = getelementptr float, ptr %scratch, i64 %v152
%v154 = getelementptr float, ptr %scratch, i64 1376
%v155 = mul i64 %v151, 8
%v156 = getelementptr float, ptr %v154, i64 %v155
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <8 x float> splat (float 0x0000000000000000), ptr %s13
store <8 x float> splat (float 0x0000000000000000), ptr %s14
store <8 x float> splat (float 0x0000000000000000), ptr %s15
store <8 x float> splat (float 0x0000000000000000), ptr %s16
store <8 x float> splat (float 0x0000000000000000), ptr %s17
store <8 x float> splat (float 0x0000000000000000), ptr %s18
store <8 x float> splat (float 0x0000000000000000), ptr %s19
store <8 x float> splat (float 0x0000000000000000), ptr %s20
store <8 x float> splat (float 0x0000000000000000), ptr %s21
store <8 x float> splat (float 0x0000000000000000), ptr %s22
store <8 x float> splat (float 0x0000000000000000), ptr %s23
br label %loop20
loop20:
%v157 = phi i64 [ 0, %loop17 ], [ %v218, %loop20 ]
%v158 = mul i64 %v157, 16
%v159 = getelementptr float, ptr %v156, i64 %v158
%v160 = load <8 x float>, ptr %v159, align 4
%v161 = mul i64 %v157, 16
%v162 = add i64 %v161, 8
%v163 = getelementptr float, ptr %v156, i64 %v162
%v164 = load <8 x float>, ptr %v163, align 4
%v165 = getelementptr float, ptr %v153, i64 %v157
%v166 = load float, ptr %v165, align 4
%v167 = insertelement <8 x float> poison, float %v166, i32 0
%v168 = shufflevector <8 x float> %v167, <8 x float> poison, <8 x i32> zeroinitializer
%v169 = load <8 x float>, ptr %s12
%v170 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v168, <8 x float> %v160, <8 x float> %v169)
store <8 x float> %v170, ptr %s12
%v171 = load <8 x float>, ptr %s13
%v172 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v168, <8 x float> %v164, <8 x float> %v171)
store <8 x float> %v172, ptr %s13
%v173 = add i64 %v157, 16
%v174 = getelementptr float, ptr %v153, i64 %v173
%v175 = load float, ptr %v174, align 4
%v176 = insertelement <8 x float> poison, float %v175, i32 0
%v177 = shufflevector <8 x float> %v176, <8 x float> poison, <8 x i32> zeroinitializer
%v178 = load <8 x float>, ptr %s14
%v179 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v177, <8 x float> %v160, <8 x float> %v178)
store <8 x float> %v179, ptr %s14
%v180 = load <8 x float>, ptr %s15
%v181 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v177, <8 x float> %v164, <8 x float> %v180)
store <8 x float> %v181, ptr %s15
%v182 = add i64 %v157, 32
%v183 = getelementptr float, ptr %v153, i64 %v182
%v184 = load float, ptr %v183, align 4
%v185 = insertelement <8 x float> poison, float %v184, i32 0
%v186 = shufflevector <8 x float> %v185, <8 x float> poison, <8 x i32> zeroinitializer
%v187 = load <8 x float>, ptr %s16
%v188 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v186, <8 x float> %v160, <8 x float> %v187)
store <8 x float> %v188, ptr %s16
%v189 = load <8 x float>, ptr %s17
%v190 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v186, <8 x float> %v164, <8 x float> %v189)
store <8 x float> %v190, ptr %s17
%v191 = add i64 %v157, 48
%v192 = getelementptr float, ptr %v153, i64 %v191
%v193 = load float, ptr %v192, align 4
%v194 = insertelement <8 x float> poison, float %v193, i32 0
%v195 = shufflevector <8 x float> %v194, <8 x float> poison, <8 x i32> zeroinitializer
%v196 = load <8 x float>, ptr %s18
%v197 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v195, <8 x float> %v160, <8 x float> %v196)
store <8 x float> %v197, ptr %s18
%v198 = load <8 x float>, ptr %s19
%v199 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v195, <8 x float> %v164, <8 x float> %v198)
store <8 x float> %v199, ptr %s19
%v200 = add i64 %v157, 64
%v201 = getelementptr float, ptr %v153, i64 %v200
%v202 = load float, ptr %v201, align 4
%v203 = insertelement <8 x float> poison, float %v202, i32 0
%v204 = shufflevector <8 x float> %v203, <8 x float> poison, <8 x i32> zeroinitializer
%v205 = load <8 x float>, ptr %s20
%v206 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v204, <8 x float> %v160, <8 x float> %v205)
store <8 x float> %v206, ptr %s20
%v207 = load <8 x float>, ptr %s21
%v208 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v204, <8 x float> %v164, <8 x float> %v207)
store <8 x float> %v208, ptr %s21
%v209 = add i64 %v157, 80
%v210 = getelementptr float, ptr %v153, i64 %v209
%v211 = load float, ptr %v210, align 4
%v212 = insertelement <8 x float> poison, float %v211, i32 0
%v213 = shufflevector <8 x float> %v212, <8 x float> poison, <8 x i32> zeroinitializer
%v214 = load <8 x float>, ptr %s22
%v215 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v213, <8 x float> %v160, <8 x float> %v214)
store <8 x float> %v215, ptr %s22
%v216 = load <8 x float>, ptr %s23
%v217 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v213, <8 x float> %v164, <8 x float> %v216)
store <8 x float> %v217, ptr %s23
%v218 = add i64 %v157, 1
%v219 = icmp slt i64 %v218, 8
br i1 %v219, label %loop20, label %end21
end21:
%v220 = load <8 x float>, ptr %s12
%v221 = load <8 x float>, ptr %s13
%v222 = load <8 x float>, ptr %s14
%v223 = load <8 x float>, ptr %s15
%v224 = load <8 x float>, ptr %s16
%v225 = load <8 x float>, ptr %s17
%v226 = load <8 x float>, ptr %s18
%v227 = load <8 x float>, ptr %s19
%v228 = load <8 x float>, ptr %s20
%v229 = load <8 x float>, ptr %s21
%v230 = load <8 x float>, ptr %s22
%v231 = load <8 x float>, ptr %s23
br i1 %v132, label %then22, label %else23
then22:
%v232 = trunc i64 %v151 to i32
%v233 = insertelement <8 x i32> poison, i32 %v232, i32 0
%v234 = shufflevector <8 x i32> %v233, <8 x i32> poison, <8 x i32> zeroinitializer
%v235 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v234
%v236 = getelementptr float, ptr %scratch, i64 432
%v237 = getelementptr float, ptr %v236, i64 %v151
store <8 x float> %v220, ptr %v237, align 4
%v238 = load <8 x float>, ptr %s6
%v239 = fcmp ogt <8 x float> %v220, %v238
%v240 = select <8 x i1> %v239, <8 x float> %v220, <8 x float> %v238
store <8 x float> %v240, ptr %s6
%v241 = getelementptr float, ptr %scratch, i64 432
%v242 = add i64 %v151, 128
%v243 = getelementptr float, ptr %v241, i64 %v242
store <8 x float> %v222, ptr %v243, align 4
%v244 = load <8 x float>, ptr %s7
%v245 = fcmp ogt <8 x float> %v222, %v244
%v246 = select <8 x i1> %v245, <8 x float> %v222, <8 x float> %v244
store <8 x float> %v246, ptr %s7
%v247 = getelementptr float, ptr %scratch, i64 432
%v248 = add i64 %v151, 256
%v249 = getelementptr float, ptr %v247, i64 %v248
store <8 x float> %v224, ptr %v249, align 4
%v250 = load <8 x float>, ptr %s8
%v251 = fcmp ogt <8 x float> %v224, %v250
%v252 = select <8 x i1> %v251, <8 x float> %v224, <8 x float> %v250
store <8 x float> %v252, ptr %s8
%v253 = getelementptr float, ptr %scratch, i64 432
%v254 = add i64 %v151, 384
%v255 = getelementptr float, ptr %v253, i64 %v254
store <8 x float> %v226, ptr %v255, align 4
%v256 = load <8 x float>, ptr %s9
%v257 = fcmp ogt <8 x float> %v226, %v256
%v258 = select <8 x i1> %v257, <8 x float> %v226, <8 x float> %v256
store <8 x float> %v258, ptr %s9
%v259 = getelementptr float, ptr %scratch, i64 432
%v260 = add i64 %v151, 512
%v261 = getelementptr float, ptr %v259, i64 %v260
store <8 x float> %v228, ptr %v261, align 4
%v262 = load <8 x float>, ptr %s10
%v263 = fcmp ogt <8 x float> %v228, %v262
%v264 = select <8 x i1> %v263, <8 x float> %v228, <8 x float> %v262
store <8 x float> %v264, ptr %s10
%v265 = getelementptr float, ptr %scratch, i64 432
%v266 = add i64 %v151, 640
%v267 = getelementptr float, ptr %v265, i64 %v266
store <8 x float> %v230, ptr %v267, align 4
%v268 = load <8 x float>, ptr %s11
%v269 = fcmp ogt <8 x float> %v230, %v268
%v270 = select <8 x i1> %v269, <8 x float> %v230, <8 x float> %v268
store <8 x float> %v270, ptr %s11
%v271 = add i64 %v151, 8
%v272 = trunc i64 %v271 to i32
%v273 = insertelement <8 x i32> poison, i32 %v272, i32 0
%v274 = shufflevector <8 x i32> %v273, <8 x i32> poison, <8 x i32> zeroinitializer
%v275 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v274
%v276 = getelementptr float, ptr %scratch, i64 432
%v277 = getelementptr float, ptr %v276, i64 %v271
store <8 x float> %v221, ptr %v277, align 4
%v278 = load <8 x float>, ptr %s6
%v279 = fcmp ogt <8 x float> %v221, %v278
%v280 = select <8 x i1> %v279, <8 x float> %v221, <8 x float> %v278
store <8 x float> %v280, ptr %s6
%v281 = getelementptr float, ptr %scratch, i64 432
%v282 = add i64 %v271, 128
%v283 = getelementptr float, ptr %v281, i64 %v282
store <8 x float> %v223, ptr %v283, align 4
%v284 = load <8 x float>, ptr %s7
%v285 = fcmp ogt <8 x float> %v223, %v284
%v286 = select <8 x i1> %v285, <8 x float> %v223, <8 x float> %v284
store <8 x float> %v286, ptr %s7
%v287 = getelementptr float, ptr %scratch, i64 432
%v288 = add i64 %v271, 256
%v289 = getelementptr float, ptr %v287, i64 %v288
store <8 x float> %v225, ptr %v289, align 4
%v290 = load <8 x float>, ptr %s8
%v291 = fcmp ogt <8 x float> %v225, %v290
%v292 = select <8 x i1> %v291, <8 x float> %v225, <8 x float> %v290
store <8 x float> %v292, ptr %s8
%v293 = getelementptr float, ptr %scratch, i64 432
%v294 = add i64 %v271, 384
%v295 = getelementptr float, ptr %v293, i64 %v294
store <8 x float> %v227, ptr %v295, align 4
%v296 = load <8 x float>, ptr %s9
%v297 = fcmp ogt <8 x float> %v227, %v296
%v298 = select <8 x i1> %v297, <8 x float> %v227, <8 x float> %v296
store <8 x float> %v298, ptr %s9
%v299 = getelementptr float, ptr %scratch, i64 432
%v300 = add i64 %v271, 512
%v301 = getelementptr float, ptr %v299, i64 %v300
store <8 x float> %v229, ptr %v301, align 4
%v302 = load <8 x float>, ptr %s10
%v303 = fcmp ogt <8 x float> %v229, %v302
%v304 = select <8 x i1> %v303, <8 x float> %v229, <8 x float> %v302
store <8 x float> %v304, ptr %s10
%v305 = getelementptr float, ptr %scratch, i64 432
%v306 = add i64 %v271, 640
%v307 = getelementptr float, ptr %v305, i64 %v306
store <8 x float> %v231, ptr %v307, align 4
%v308 = load <8 x float>, ptr %s11
%v309 = fcmp ogt <8 x float> %v231, %v308
%v310 = select <8 x i1> %v309, <8 x float> %v231, <8 x float> %v308
store <8 x float> %v310, ptr %s11
br label %end24
else23:
%v311 = add i64 %v134, 1
%v312 = call i64 @llvm.smin.i64(i64 %v311, i64 12)
%v313 = trunc i64 %v312 to i32
%v314 = add i64 %v137, 1
%v315 = call i64 @llvm.smin.i64(i64 %v314, i64 12)
%v316 = trunc i64 %v315 to i32
%v317 = add i64 %v140, 1
%v318 = call i64 @llvm.smin.i64(i64 %v317, i64 12)
%v319 = trunc i64 %v318 to i32
%v320 = add i64 %v143, 1
%v321 = call i64 @llvm.smin.i64(i64 %v320, i64 12)
%v322 = trunc i64 %v321 to i32
%v323 = add i64 %v146, 1
%v324 = call i64 @llvm.smin.i64(i64 %v323, i64 12)
%v325 = trunc i64 %v324 to i32
%v326 = add i64 %v149, 1
%v327 = call i64 @llvm.smin.i64(i64 %v326, i64 12)
%v328 = trunc i64 %v327 to i32
%v329 = trunc i64 %v151 to i32
%v330 = insertelement <8 x i32> poison, i32 %v329, i32 0
%v331 = shufflevector <8 x i32> %v330, <8 x i32> poison, <8 x i32> zeroinitializer
%v332 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v331
%v333 = insertelement <8 x i32> poison, i32 %v313, i32 0
%v334 = shufflevector <8 x i32> %v333, <8 x i32> poison, <8 x i32> zeroinitializer
%v335 = icmp slt <8 x i32> %v332, %v334
%v336 = select <8 x i1> %v335, <8 x float> %v220, <8 x float> splat (float 0xFFF0000000000000)
%v337 = getelementptr float, ptr %scratch, i64 432
%v338 = getelementptr float, ptr %v337, i64 %v151
store <8 x float> %v336, ptr %v338, align 4
%v339 = load <8 x float>, ptr %s6
%v340 = fcmp ogt <8 x float> %v336, %v339
%v341 = select <8 x i1> %v340, <8 x float> %v336, <8 x float> %v339
store <8 x float> %v341, ptr %s6
%v342 = insertelement <8 x i32> poison, i32 %v316, i32 0
%v343 = shufflevector <8 x i32> %v342, <8 x i32> poison, <8 x i32> zeroinitializer
%v344 = icmp slt <8 x i32> %v332, %v343
%v345 = select <8 x i1> %v344, <8 x float> %v222, <8 x float> splat (float 0xFFF0000000000000)
%v346 = getelementptr float, ptr %scratch, i64 432
%v347 = add i64 %v151, 128
%v348 = getelementptr float, ptr %v346, i64 %v347
store <8 x float> %v345, ptr %v348, align 4
%v349 = load <8 x float>, ptr %s7
%v350 = fcmp ogt <8 x float> %v345, %v349
%v351 = select <8 x i1> %v350, <8 x float> %v345, <8 x float> %v349
store <8 x float> %v351, ptr %s7
%v352 = insertelement <8 x i32> poison, i32 %v319, i32 0
%v353 = shufflevector <8 x i32> %v352, <8 x i32> poison, <8 x i32> zeroinitializer
%v354 = icmp slt <8 x i32> %v332, %v353
%v355 = select <8 x i1> %v354, <8 x float> %v224, <8 x float> splat (float 0xFFF0000000000000)
%v356 = getelementptr float, ptr %scratch, i64 432
%v357 = add i64 %v151, 256
%v358 = getelementptr float, ptr %v356, i64 %v357
store <8 x float> %v355, ptr %v358, align 4
%v359 = load <8 x float>, ptr %s8
%v360 = fcmp ogt <8 x float> %v355, %v359
%v361 = select <8 x i1> %v360, <8 x float> %v355, <8 x float> %v359
store <8 x float> %v361, ptr %s8
%v362 = insertelement <8 x i32> poison, i32 %v322, i32 0
%v363 = shufflevector <8 x i32> %v362, <8 x i32> poison, <8 x i32> zeroinitializer
%v364 = icmp slt <8 x i32> %v332, %v363
%v365 = select <8 x i1> %v364, <8 x float> %v226, <8 x float> splat (float 0xFFF0000000000000)
%v366 = getelementptr float, ptr %scratch, i64 432
%v367 = add i64 %v151, 384
%v368 = getelementptr float, ptr %v366, i64 %v367
store <8 x float> %v365, ptr %v368, align 4
%v369 = load <8 x float>, ptr %s9
%v370 = fcmp ogt <8 x float> %v365, %v369
%v371 = select <8 x i1> %v370, <8 x float> %v365, <8 x float> %v369
store <8 x float> %v371, ptr %s9
%v372 = insertelement <8 x i32> poison, i32 %v325, i32 0
%v373 = shufflevector <8 x i32> %v372, <8 x i32> poison, <8 x i32> zeroinitializer
%v374 = icmp slt <8 x i32> %v332, %v373
%v375 = select <8 x i1> %v374, <8 x float> %v228, <8 x float> splat (float 0xFFF0000000000000)
%v376 = getelementptr float, ptr %scratch, i64 432
%v377 = add i64 %v151, 512
%v378 = getelementptr float, ptr %v376, i64 %v377
store <8 x float> %v375, ptr %v378, align 4
%v379 = load <8 x float>, ptr %s10
%v380 = fcmp ogt <8 x float> %v375, %v379
%v381 = select <8 x i1> %v380, <8 x float> %v375, <8 x float> %v379
store <8 x float> %v381, ptr %s10
%v382 = insertelement <8 x i32> poison, i32 %v328, i32 0
%v383 = shufflevector <8 x i32> %v382, <8 x i32> poison, <8 x i32> zeroinitializer
%v384 = icmp slt <8 x i32> %v332, %v383
%v385 = select <8 x i1> %v384, <8 x float> %v230, <8 x float> splat (float 0xFFF0000000000000)
%v386 = getelementptr float, ptr %scratch, i64 432
%v387 = add i64 %v151, 640
%v388 = getelementptr float, ptr %v386, i64 %v387
store <8 x float> %v385, ptr %v388, align 4
%v389 = load <8 x float>, ptr %s11
%v390 = fcmp ogt <8 x float> %v385, %v389
%v391 = select <8 x i1> %v390, <8 x float> %v385, <8 x float> %v389
store <8 x float> %v391, ptr %s11
%v392 = add i64 %v151, 8
%v393 = trunc i64 %v392 to i32
%v394 = insertelement <8 x i32> poison, i32 %v393, i32 0
%v395 = shufflevector <8 x i32> %v394, <8 x i32> poison, <8 x i32> zeroinitializer
%v396 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v395
%v397 = insertelement <8 x i32> poison, i32 %v313, i32 0
%v398 = shufflevector <8 x i32> %v397, <8 x i32> poison, <8 x i32> zeroinitializer
%v399 = icmp slt <8 x i32> %v396, %v398
%v400 = select <8 x i1> %v399, <8 x float> %v221, <8 x float> splat (float 0xFFF0000000000000)
%v401 = getelementptr float, ptr %scratch, i64 432
%v402 = getelementptr float, ptr %v401, i64 %v392
store <8 x float> %v400, ptr %v402, align 4
%v403 = load <8 x float>, ptr %s6
%v404 = fcmp ogt <8 x float> %v400, %v403
%v405 = select <8 x i1> %v404, <8 x float> %v400, <8 x float> %v403
store <8 x float> %v405, ptr %s6
%v406 = insertelement <8 x i32> poison, i32 %v316, i32 0
%v407 = shufflevector <8 x i32> %v406, <8 x i32> poison, <8 x i32> zeroinitializer
%v408 = icmp slt <8 x i32> %v396, %v407
%v409 = select <8 x i1> %v408, <8 x float> %v223, <8 x float> splat (float 0xFFF0000000000000)
%v410 = getelementptr float, ptr %scratch, i64 432
%v411 = add i64 %v392, 128
%v412 = getelementptr float, ptr %v410, i64 %v411
store <8 x float> %v409, ptr %v412, align 4
%v413 = load <8 x float>, ptr %s7
%v414 = fcmp ogt <8 x float> %v409, %v413
%v415 = select <8 x i1> %v414, <8 x float> %v409, <8 x float> %v413
store <8 x float> %v415, ptr %s7
%v416 = insertelement <8 x i32> poison, i32 %v319, i32 0
%v417 = shufflevector <8 x i32> %v416, <8 x i32> poison, <8 x i32> zeroinitializer
%v418 = icmp slt <8 x i32> %v396, %v417
%v419 = select <8 x i1> %v418, <8 x float> %v225, <8 x float> splat (float 0xFFF0000000000000)
%v420 = getelementptr float, ptr %scratch, i64 432
%v421 = add i64 %v392, 256
%v422 = getelementptr float, ptr %v420, i64 %v421
store <8 x float> %v419, ptr %v422, align 4
%v423 = load <8 x float>, ptr %s8
%v424 = fcmp ogt <8 x float> %v419, %v423
%v425 = select <8 x i1> %v424, <8 x float> %v419, <8 x float> %v423
store <8 x float> %v425, ptr %s8
%v426 = insertelement <8 x i32> poison, i32 %v322, i32 0
%v427 = shufflevector <8 x i32> %v426, <8 x i32> poison, <8 x i32> zeroinitializer
%v428 = icmp slt <8 x i32> %v396, %v427
%v429 = select <8 x i1> %v428, <8 x float> %v227, <8 x float> splat (float 0xFFF0000000000000)
%v430 = getelementptr float, ptr %scratch, i64 432
%v431 = add i64 %v392, 384
%v432 = getelementptr float, ptr %v430, i64 %v431
store <8 x float> %v429, ptr %v432, align 4
%v433 = load <8 x float>, ptr %s9
%v434 = fcmp ogt <8 x float> %v429, %v433
%v435 = select <8 x i1> %v434, <8 x float> %v429, <8 x float> %v433
store <8 x float> %v435, ptr %s9
%v436 = insertelement <8 x i32> poison, i32 %v325, i32 0
%v437 = shufflevector <8 x i32> %v436, <8 x i32> poison, <8 x i32> zeroinitializer
%v438 = icmp slt <8 x i32> %v396, %v437
%v439 = select <8 x i1> %v438, <8 x float> %v229, <8 x float> splat (float 0xFFF0000000000000)
%v440 = getelementptr float, ptr %scratch, i64 432
%v441 = add i64 %v392, 512
%v442 = getelementptr float, ptr %v440, i64 %v441
store <8 x float> %v439, ptr %v442, align 4
%v443 = load <8 x float>, ptr %s10
%v444 = fcmp ogt <8 x float> %v439, %v443
%v445 = select <8 x i1> %v444, <8 x float> %v439, <8 x float> %v443
store <8 x float> %v445, ptr %s10
%v446 = insertelement <8 x i32> poison, i32 %v328, i32 0
%v447 = shufflevector <8 x i32> %v446, <8 x i32> poison, <8 x i32> zeroinitializer
%v448 = icmp slt <8 x i32> %v396, %v447
%v449 = select <8 x i1> %v448, <8 x float> %v231, <8 x float> splat (float 0xFFF0000000000000)
%v450 = getelementptr float, ptr %scratch, i64 432
%v451 = add i64 %v392, 640
%v452 = getelementptr float, ptr %v450, i64 %v451
store <8 x float> %v449, ptr %v452, align 4
%v453 = load <8 x float>, ptr %s11
%v454 = fcmp ogt <8 x float> %v449, %v453
%v455 = select <8 x i1> %v454, <8 x float> %v449, <8 x float> %v453
store <8 x float> %v455, ptr %s11
br label %end24
end24:
%v456 = add i64 %v151, 16
%v457 = icmp slt i64 %v456, %v125
br i1 %v457, label %loop17, label %end18
end18:
%v458 = load <8 x float>, ptr %s6
%v459 = load <8 x float>, ptr %s7
%v460 = load <8 x float>, ptr %s8
%v461 = load <8 x float>, ptr %s9
%v462 = load <8 x float>, ptr %s10
%v463 = load <8 x float>, ptr %s11
%v464 = mul i64 %v119, 8
%v465 = add i64 %v464, 384
%v466 = getelementptr float, ptr %scratch, i64 %v465
%v467 = mul i64 %v119, 8
%v468 = add i64 %v467, 400
%v469 = getelementptr float, ptr %scratch, i64 %v468
%v470 = shufflevector <8 x float> %v458, <8 x float> %v459, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v471 = shufflevector <8 x float> %v458, <8 x float> %v459, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v472 = fcmp ogt <8 x float> %v470, %v471
%v473 = select <8 x i1> %v472, <8 x float> %v470, <8 x float> %v471
%v474 = shufflevector <8 x float> %v460, <8 x float> %v461, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v475 = shufflevector <8 x float> %v460, <8 x float> %v461, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v476 = fcmp ogt <8 x float> %v474, %v475
%v477 = select <8 x i1> %v476, <8 x float> %v474, <8 x float> %v475
%v478 = shufflevector <8 x float> %v462, <8 x float> %v463, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v479 = shufflevector <8 x float> %v462, <8 x float> %v463, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v480 = fcmp ogt <8 x float> %v478, %v479
%v481 = select <8 x i1> %v480, <8 x float> %v478, <8 x float> %v479
%v482 = shufflevector <8 x float> %v473, <8 x float> %v477, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v483 = shufflevector <8 x float> %v473, <8 x float> %v477, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v484 = fcmp ogt <8 x float> %v482, %v483
%v485 = select <8 x i1> %v484, <8 x float> %v482, <8 x float> %v483
%v486 = shufflevector <8 x float> %v481, <8 x float> %v481, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v487 = shufflevector <8 x float> %v481, <8 x float> %v481, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v488 = fcmp ogt <8 x float> %v486, %v487
%v489 = select <8 x i1> %v488, <8 x float> %v486, <8 x float> %v487
%v490 = shufflevector <8 x float> %v485, <8 x float> %v489, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v491 = shufflevector <8 x float> %v485, <8 x float> %v489, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v492 = fcmp ogt <8 x float> %v490, %v491
%v493 = select <8 x i1> %v492, <8 x float> %v490, <8 x float> %v491
%v494 = load <8 x float>, ptr %v466, align 4
%v495 = fcmp ogt <8 x float> %v493, %v494
%v496 = select <8 x i1> %v495, <8 x float> %v493, <8 x float> %v494
%v497 = freeze <8 x float> %v496
store <8 x float> %v497, ptr %v466, align 4
%v498 = fsub <8 x float> %v494, %v496
%v499 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v498
%v500 = select <8 x i1> %v499, <8 x float> splat (float 0xC056000000000000), <8 x float> %v498
%v501 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v500, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v502 = fsub <8 x float> %v501, splat (float 0x4168000FE0000000)
%v503 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v502, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v500)
%v504 = bitcast <8 x float> %v501 to <8 x i32>
%v505 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v502, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v503)
%v506 = shl <8 x i32> %v504, splat (i32 23)
%v507 = bitcast <8 x i32> %v506 to <8 x float>
%v508 = fmul <8 x float> %v505, %v505
%v509 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v505, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v510 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v505, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v511 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v508, <8 x float> %v510)
%v512 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v511, <8 x float> %v508, <8 x float> %v509)
%v513 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v508, <8 x float> %v512, <8 x float> %v505)
%v514 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v513, <8 x float> %v507, <8 x float> %v507)
%v515 = getelementptr float, ptr %scratch, i64 416
store <8 x float> %v514, ptr %v515, align 4
%v516 = getelementptr float, ptr %scratch, i64 1328
br label %loop25
loop25:
%v517 = phi i64 [ 0, %end18 ], [ %v649, %end28 ]
%v518 = getelementptr float, ptr %v466, i64 %v517
%v519 = load float, ptr %v518, align 4
%v520 = insertelement <8 x float> poison, float %v519, i32 0
%v521 = shufflevector <8 x float> %v520, <8 x float> poison, <8 x i32> zeroinitializer
%v522 = add i64 %v517, 1
%v523 = getelementptr float, ptr %v466, i64 %v522
%v524 = load float, ptr %v523, align 4
%v525 = insertelement <8 x float> poison, float %v524, i32 0
%v526 = shufflevector <8 x float> %v525, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s24
store <8 x float> splat (float 0x0000000000000000), ptr %s25
store <8 x float> splat (float 0x0000000000000000), ptr %s26
store <8 x float> splat (float 0x0000000000000000), ptr %s27
%v527 = icmp slt i64 0, %v125
br i1 %v527, label %guard29, label %end28
guard29:
br label %loop27
loop27:
%v528 = phi i64 [ 0, %guard29 ], [ %v636, %loop27 ]
%v529 = mul i64 %v517, 128
%v530 = add i64 %v528, %v529
%v531 = getelementptr float, ptr %scratch, i64 432
%v532 = getelementptr float, ptr %v531, i64 %v530
%v533 = load <8 x float>, ptr %v532, align 4
%v534 = fsub <8 x float> %v533, %v521
%v535 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v534
%v536 = select <8 x i1> %v535, <8 x float> splat (float 0xC056000000000000), <8 x float> %v534
%v537 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v536, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v538 = fsub <8 x float> %v537, splat (float 0x4168000FE0000000)
%v539 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v538, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v536)
%v540 = bitcast <8 x float> %v537 to <8 x i32>
%v541 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v538, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v539)
%v542 = shl <8 x i32> %v540, splat (i32 23)
%v543 = bitcast <8 x i32> %v542 to <8 x float>
%v544 = fmul <8 x float> %v541, %v541
%v545 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v541, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v546 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v541, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v547 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v544, <8 x float> %v546)
%v548 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v547, <8 x float> %v544, <8 x float> %v545)
%v549 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v544, <8 x float> %v548, <8 x float> %v541)
%v550 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v549, <8 x float> %v543, <8 x float> %v543)
%v551 = getelementptr float, ptr %scratch, i64 432
%v552 = getelementptr float, ptr %v551, i64 %v530
store <8 x float> %v550, ptr %v552, align 4
%v553 = load <8 x float>, ptr %s24
%v554 = fadd <8 x float> %v553, %v550
store <8 x float> %v554, ptr %s24
%v555 = mul i64 %v517, 128
%v556 = add i64 %v528, %v555
%v557 = add i64 %v556, 8
%v558 = getelementptr float, ptr %scratch, i64 432
%v559 = getelementptr float, ptr %v558, i64 %v557
%v560 = load <8 x float>, ptr %v559, align 4
%v561 = fsub <8 x float> %v560, %v521
%v562 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v561
%v563 = select <8 x i1> %v562, <8 x float> splat (float 0xC056000000000000), <8 x float> %v561
%v564 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v563, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v565 = fsub <8 x float> %v564, splat (float 0x4168000FE0000000)
%v566 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v565, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v563)
%v567 = bitcast <8 x float> %v564 to <8 x i32>
%v568 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v565, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v566)
%v569 = shl <8 x i32> %v567, splat (i32 23)
%v570 = bitcast <8 x i32> %v569 to <8 x float>
%v571 = fmul <8 x float> %v568, %v568
%v572 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v568, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v573 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v568, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v574 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v571, <8 x float> %v573)
%v575 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v574, <8 x float> %v571, <8 x float> %v572)
%v576 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v571, <8 x float> %v575, <8 x float> %v568)
%v577 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v576, <8 x float> %v570, <8 x float> %v570)
%v578 = getelementptr float, ptr %scratch, i64 432
%v579 = getelementptr float, ptr %v578, i64 %v557
store <8 x float> %v577, ptr %v579, align 4
%v580 = load <8 x float>, ptr %s25
%v581 = fadd <8 x float> %v580, %v577
store <8 x float> %v581, ptr %s25
%v582 = mul i64 %v517, 128
%v583 = add i64 %v528, %v582
%v584 = add i64 %v583, 128
%v585 = getelementptr float, ptr %scratch, i64 432
%v586 = getelementptr float, ptr %v585, i64 %v584
%v587 = load <8 x float>, ptr %v586, align 4
%v588 = fsub <8 x float> %v587, %v526
%v589 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v588
%v590 = select <8 x i1> %v589, <8 x float> splat (float 0xC056000000000000), <8 x float> %v588
%v591 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v590, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v592 = fsub <8 x float> %v591, splat (float 0x4168000FE0000000)
%v593 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v592, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v590)
%v594 = bitcast <8 x float> %v591 to <8 x i32>
%v595 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v592, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v593)
%v596 = shl <8 x i32> %v594, splat (i32 23)
%v597 = bitcast <8 x i32> %v596 to <8 x float>
%v598 = fmul <8 x float> %v595, %v595
%v599 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v595, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v600 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v595, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v601 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v598, <8 x float> %v600)
%v602 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v601, <8 x float> %v598, <8 x float> %v599)
%v603 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v598, <8 x float> %v602, <8 x float> %v595)
%v604 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v603, <8 x float> %v597, <8 x float> %v597)
%v605 = getelementptr float, ptr %scratch, i64 432
%v606 = getelementptr float, ptr %v605, i64 %v584
store <8 x float> %v604, ptr %v606, align 4
%v607 = load <8 x float>, ptr %s26
%v608 = fadd <8 x float> %v607, %v604
store <8 x float> %v608, ptr %s26
%v609 = mul i64 %v517, 128
%v610 = add i64 %v528, %v609
%v611 = add i64 %v610, 136
%v612 = getelementptr float, ptr %scratch, i64 432
%v613 = getelementptr float, ptr %v612, i64 %v611
%v614 = load <8 x float>, ptr %v613, align 4
%v615 = fsub <8 x float> %v614, %v526
%v616 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v615
%v617 = select <8 x i1> %v616, <8 x float> splat (float 0xC056000000000000), <8 x float> %v615
%v618 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v617, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v619 = fsub <8 x float> %v618, splat (float 0x4168000FE0000000)
%v620 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v619, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v617)
%v621 = bitcast <8 x float> %v618 to <8 x i32>
%v622 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v619, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v620)
%v623 = shl <8 x i32> %v621, splat (i32 23)
%v624 = bitcast <8 x i32> %v623 to <8 x float>
%v625 = fmul <8 x float> %v622, %v622
%v626 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v622, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v627 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v622, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v628 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v625, <8 x float> %v627)
%v629 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v628, <8 x float> %v625, <8 x float> %v626)
%v630 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v625, <8 x float> %v629, <8 x float> %v622)
%v631 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v630, <8 x float> %v624, <8 x float> %v624)
%v632 = getelementptr float, ptr %scratch, i64 432
%v633 = getelementptr float, ptr %v632, i64 %v611
store <8 x float> %v631, ptr %v633, align 4
%v634 = load <8 x float>, ptr %s27
%v635 = fadd <8 x float> %v634, %v631
store <8 x float> %v635, ptr %s27
%v636 = add i64 %v528, 16
%v637 = icmp slt i64 %v636, %v125
br i1 %v637, label %loop27, label %end28
end28:
%v638 = load <8 x float>, ptr %s24
%v639 = load <8 x float>, ptr %s25
%v640 = fadd <8 x float> %v638, %v639
%v641 = load <8 x float>, ptr %s26
%v642 = load <8 x float>, ptr %s27
%v643 = fadd <8 x float> %v641, %v642
%v644 = mul i64 %v517, 8
%v645 = getelementptr float, ptr %v516, i64 %v644
store <8 x float> %v640, ptr %v645, align 4
%v646 = add i64 %v517, 1
%v647 = mul i64 %v646, 8
%v648 = getelementptr float, ptr %v516, i64 %v647
store <8 x float> %v643, ptr %v648, align 4
%v649 = add i64 %v517, 2
%v650 = icmp slt i64 %v649, 6
br i1 %v650, label %loop25, label %end26
end26:
%v651 = load <8 x float>, ptr %v516, align 4
%v652 = getelementptr float, ptr %v516, i64 8
%v653 = load <8 x float>, ptr %v652, align 4
%v654 = getelementptr float, ptr %v516, i64 16
%v655 = load <8 x float>, ptr %v654, align 4
%v656 = getelementptr float, ptr %v516, i64 24
%v657 = load <8 x float>, ptr %v656, align 4
%v658 = getelementptr float, ptr %v516, i64 32
%v659 = load <8 x float>, ptr %v658, align 4
%v660 = getelementptr float, ptr %v516, i64 40
%v661 = load <8 x float>, ptr %v660, align 4
%v662 = shufflevector <8 x float> %v651, <8 x float> %v653, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v663 = shufflevector <8 x float> %v651, <8 x float> %v653, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v664 = fadd <8 x float> %v662, %v663
%v665 = shufflevector <8 x float> %v655, <8 x float> %v657, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v666 = shufflevector <8 x float> %v655, <8 x float> %v657, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v667 = fadd <8 x float> %v665, %v666
%v668 = shufflevector <8 x float> %v659, <8 x float> %v661, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v669 = shufflevector <8 x float> %v659, <8 x float> %v661, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v670 = fadd <8 x float> %v668, %v669
%v671 = shufflevector <8 x float> %v664, <8 x float> %v667, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v672 = shufflevector <8 x float> %v664, <8 x float> %v667, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v673 = fadd <8 x float> %v671, %v672
%v674 = shufflevector <8 x float> %v670, <8 x float> %v670, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v675 = shufflevector <8 x float> %v670, <8 x float> %v670, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v676 = fadd <8 x float> %v674, %v675
%v677 = shufflevector <8 x float> %v673, <8 x float> %v676, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v678 = shufflevector <8 x float> %v673, <8 x float> %v676, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v679 = fadd <8 x float> %v677, %v678
%v680 = load <8 x float>, ptr %v469, align 4
%v681 = getelementptr float, ptr %scratch, i64 416
%v682 = load <8 x float>, ptr %v681, align 4
%v683 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v680, <8 x float> %v682, <8 x float> %v679)
store <8 x float> %v683, ptr %v469, align 4
%v684 = mul i64 %v119, 96
%v685 = add i64 %v684, 192
%v686 = getelementptr float, ptr %scratch, i64 %v685
%v687 = getelementptr float, ptr %scratch, i64 432
%v688 = getelementptr float, ptr %scratch, i64 416
%v689 = getelementptr float, ptr %scratch, i64 2400
%v690 = load float, ptr %v688, align 4
%v691 = insertelement <8 x float> poison, float %v690, i32 0
%v692 = shufflevector <8 x float> %v691, <8 x float> poison, <8 x i32> zeroinitializer
%v693 = load <8 x float>, ptr %v686, align 4
%v694 = fmul <8 x float> %v693, %v692
store <8 x float> %v694, ptr %s28
%v695 = getelementptr float, ptr %v686, i64 8
%v696 = load <8 x float>, ptr %v695, align 4
%v697 = fmul <8 x float> %v696, %v692
store <8 x float> %v697, ptr %s29
%v698 = getelementptr float, ptr %v688, i64 1
%v699 = load float, ptr %v698, align 4
%v700 = insertelement <8 x float> poison, float %v699, i32 0
%v701 = shufflevector <8 x float> %v700, <8 x float> poison, <8 x i32> zeroinitializer
%v702 = getelementptr float, ptr %v686, i64 16
%v703 = load <8 x float>, ptr %v702, align 4
%v704 = fmul <8 x float> %v703, %v701
store <8 x float> %v704, ptr %s30
%v705 = getelementptr float, ptr %v686, i64 24
%v706 = load <8 x float>, ptr %v705, align 4
%v707 = fmul <8 x float> %v706, %v701
store <8 x float> %v707, ptr %s31
%v708 = getelementptr float, ptr %v688, i64 2
%v709 = load float, ptr %v708, align 4
%v710 = insertelement <8 x float> poison, float %v709, i32 0
%v711 = shufflevector <8 x float> %v710, <8 x float> poison, <8 x i32> zeroinitializer
%v712 = getelementptr float, ptr %v686, i64 32
%v713 = load <8 x float>, ptr %v712, align 4
%v714 = fmul <8 x float> %v713, %v711
store <8 x float> %v714, ptr %s32
%v715 = getelementptr float, ptr %v686, i64 40
%v716 = load <8 x float>, ptr %v715, align 4
%v717 = fmul <8 x float> %v716, %v711
store <8 x float> %v717, ptr %s33
%v718 = getelementptr float, ptr %v688, i64 3
%v719 = load float, ptr %v718, align 4
%v720 = insertelement <8 x float> poison, float %v719, i32 0
%v721 = shufflevector <8 x float> %v720, <8 x float> poison, <8 x i32> zeroinitializer
%v722 = getelementptr float, ptr %v686, i64 48
%v723 = load <8 x float>, ptr %v722, align 4
%v724 = fmul <8 x float> %v723, %v721
store <8 x float> %v724, ptr %s34
%v725 = getelementptr float, ptr %v686, i64 56
%v726 = load <8 x float>, ptr %v725, align 4
%v727 = fmul <8 x float> %v726, %v721
store <8 x float> %v727, ptr %s35
%v728 = getelementptr float, ptr %v688, i64 4
%v729 = load float, ptr %v728, align 4
%v730 = insertelement <8 x float> poison, float %v729, i32 0
%v731 = shufflevector <8 x float> %v730, <8 x float> poison, <8 x i32> zeroinitializer
%v732 = getelementptr float, ptr %v686, i64 64
%v733 = load <8 x float>, ptr %v732, align 4
%v734 = fmul <8 x float> %v733, %v731
store <8 x float> %v734, ptr %s36
%v735 = getelementptr float, ptr %v686, i64 72
%v736 = load <8 x float>, ptr %v735, align 4
%v737 = fmul <8 x float> %v736, %v731
store <8 x float> %v737, ptr %s37
%v738 = getelementptr float, ptr %v688, i64 5
%v739 = load float, ptr %v738, align 4
%v740 = insertelement <8 x float> poison, float %v739, i32 0
%v741 = shufflevector <8 x float> %v740, <8 x float> poison, <8 x i32> zeroinitializer
%v742 = getelementptr float, ptr %v686, i64 80
%v743 = load <8 x float>, ptr %v742, align 4
%v744 = fmul <8 x float> %v743, %v741
store <8 x float> %v744, ptr %s38
%v745 = getelementptr float, ptr %v686, i64 88
%v746 = load <8 x float>, ptr %v745, align 4
%v747 = fmul <8 x float> %v746, %v741
store <8 x float> %v747, ptr %s39
%v748 = icmp slt i64 0, %v125
br i1 %v748, label %guard32, label %end31
guard32:
br label %loop30
loop30:
%v749 = phi i64 [ 0, %guard32 ], [ %v810, %loop30 ]
%v750 = mul i64 %v749, 16
%v751 = getelementptr float, ptr %v689, i64 %v750
%v752 = load <8 x float>, ptr %v751, align 4
%v753 = mul i64 %v749, 16
%v754 = add i64 %v753, 8
%v755 = getelementptr float, ptr %v689, i64 %v754
%v756 = load <8 x float>, ptr %v755, align 4
%v757 = getelementptr float, ptr %v687, i64 %v749
%v758 = load float, ptr %v757, align 4
%v759 = insertelement <8 x float> poison, float %v758, i32 0
%v760 = shufflevector <8 x float> %v759, <8 x float> poison, <8 x i32> zeroinitializer
%v761 = load <8 x float>, ptr %s28
%v762 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v760, <8 x float> %v752, <8 x float> %v761)
store <8 x float> %v762, ptr %s28
%v763 = load <8 x float>, ptr %s29
%v764 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v760, <8 x float> %v756, <8 x float> %v763)
store <8 x float> %v764, ptr %s29
%v765 = add i64 %v749, 128
%v766 = getelementptr float, ptr %v687, i64 %v765
%v767 = load float, ptr %v766, align 4
%v768 = insertelement <8 x float> poison, float %v767, i32 0
%v769 = shufflevector <8 x float> %v768, <8 x float> poison, <8 x i32> zeroinitializer
%v770 = load <8 x float>, ptr %s30
%v771 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v769, <8 x float> %v752, <8 x float> %v770)
store <8 x float> %v771, ptr %s30
%v772 = load <8 x float>, ptr %s31
%v773 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v769, <8 x float> %v756, <8 x float> %v772)
store <8 x float> %v773, ptr %s31
%v774 = add i64 %v749, 256
%v775 = getelementptr float, ptr %v687, i64 %v774
%v776 = load float, ptr %v775, align 4
%v777 = insertelement <8 x float> poison, float %v776, i32 0
%v778 = shufflevector <8 x float> %v777, <8 x float> poison, <8 x i32> zeroinitializer
%v779 = load <8 x float>, ptr %s32
%v780 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v778, <8 x float> %v752, <8 x float> %v779)
store <8 x float> %v780, ptr %s32
%v781 = load <8 x float>, ptr %s33
%v782 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v778, <8 x float> %v756, <8 x float> %v781)
store <8 x float> %v782, ptr %s33
%v783 = add i64 %v749, 384
%v784 = getelementptr float, ptr %v687, i64 %v783
%v785 = load float, ptr %v784, align 4
%v786 = insertelement <8 x float> poison, float %v785, i32 0
%v787 = shufflevector <8 x float> %v786, <8 x float> poison, <8 x i32> zeroinitializer
%v788 = load <8 x float>, ptr %s34
%v789 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v787, <8 x float> %v752, <8 x float> %v788)
store <8 x float> %v789, ptr %s34
%v790 = load <8 x float>, ptr %s35
%v791 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v787, <8 x float> %v756, <8 x float> %v790)
store <8 x float> %v791, ptr %s35
%v792 = add i64 %v749, 512
%v793 = getelementptr float, ptr %v687, i64 %v792
%v794 = load float, ptr %v793, align 4
%v795 = insertelement <8 x float> poison, float %v794, i32 0
%v796 = shufflevector <8 x float> %v795, <8 x float> poison, <8 x i32> zeroinitializer
%v797 = load <8 x float>, ptr %s36
%v798 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v796, <8 x float> %v752, <8 x float> %v797)
store <8 x float> %v798, ptr %s36
%v799 = load <8 x float>, ptr %s37
%v800 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v796, <8 x float> %v756, <8 x float> %v799)
store <8 x float> %v800, ptr %s37
%v801 = add i64 %v749, 640
%v802 = getelementptr float, ptr %v687, i64 %v801
%v803 = load float, ptr %v802, align 4
%v804 = insertelement <8 x float> poison, float %v803, i32 0
%v805 = shufflevector <8 x float> %v804, <8 x float> poison, <8 x i32> zeroinitializer
%v806 = load <8 x float>, ptr %s38
%v807 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v805, <8 x float> %v752, <8 x float> %v806)
store <8 x float> %v807, ptr %s38
%v808 = load <8 x float>, ptr %s39
%v809 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v805, <8 x float> %v756, <8 x float> %v808)
store <8 x float> %v809, ptr %s39
%v810 = add i64 %v749, 1
%v811 = icmp slt i64 %v810, %v125
br i1 %v811, label %loop30, label %end31
end31:
%v812 = load <8 x float>, ptr %s28
store <8 x float> %v812, ptr %v686, align 4
%v813 = load <8 x float>, ptr %s29
%v814 = getelementptr float, ptr %v686, i64 8
store <8 x float> %v813, ptr %v814, align 4
%v815 = load <8 x float>, ptr %s30
%v816 = getelementptr float, ptr %v686, i64 16
store <8 x float> %v815, ptr %v816, align 4
%v817 = load <8 x float>, ptr %s31
%v818 = getelementptr float, ptr %v686, i64 24
store <8 x float> %v817, ptr %v818, align 4
%v819 = load <8 x float>, ptr %s32
%v820 = getelementptr float, ptr %v686, i64 32
store <8 x float> %v819, ptr %v820, align 4
%v821 = load <8 x float>, ptr %s33
%v822 = getelementptr float, ptr %v686, i64 40
store <8 x float> %v821, ptr %v822, align 4
%v823 = load <8 x float>, ptr %s34
%v824 = getelementptr float, ptr %v686, i64 48
store <8 x float> %v823, ptr %v824, align 4
%v825 = load <8 x float>, ptr %s35
%v826 = getelementptr float, ptr %v686, i64 56
store <8 x float> %v825, ptr %v826, align 4
%v827 = load <8 x float>, ptr %s36
%v828 = getelementptr float, ptr %v686, i64 64
store <8 x float> %v827, ptr %v828, align 4
%v829 = load <8 x float>, ptr %s37
%v830 = getelementptr float, ptr %v686, i64 72
store <8 x float> %v829, ptr %v830, align 4
%v831 = load <8 x float>, ptr %s38
%v832 = getelementptr float, ptr %v686, i64 80
store <8 x float> %v831, ptr %v832, align 4
%v833 = load <8 x float>, ptr %s39
%v834 = getelementptr float, ptr %v686, i64 88
store <8 x float> %v833, ptr %v834, align 4
br label %end16
else15:
br label %end16
end16:
%v835 = add i64 %v119, 1
%v836 = icmp slt i64 %v835, 2
br i1 %v836, label %loop12, label %end13
end13:
br label %loop33
loop33:
%v837 = phi i64 [ 0, %end13 ], [ %v873, %loop33 ]
%v838 = getelementptr float, ptr %scratch, i64 400
%v839 = sdiv i64 %v837, 6
%v840 = mul i64 %v839, 6
%v841 = sub i64 %v837, %v840
%v842 = icmp ne i64 %v841, 0
%v843 = xor i64 %v841, 6
%v844 = icmp slt i64 %v843, 0
%v845 = and i1 %v842, %v844
%v846 = sub i64 %v839, 1
%v847 = select i1 %v845, i64 %v846, i64 %v839
%v848 = mul i64 %v847, 8
%v849 = srem i64 %v837, 6
%v850 = icmp ne i64 %v849, 0
%v851 = xor i64 %v849, 6
%v852 = icmp slt i64 %v851, 0
%v853 = and i1 %v850, %v852
%v854 = add i64 %v849, 6
%v855 = select i1 %v853, i64 %v854, i64 %v849
%v856 = add i64 %v848, %v855
%v857 = getelementptr float, ptr %v838, i64 %v856
%v858 = load float, ptr %v857, align 4
%v859 = fcmp oeq float %v858, 0x0000000000000000
%v860 = fdiv float 0x3FF0000000000000, %v858
%v861 = select i1 %v859, float 0x0000000000000000, float %v860
%v862 = insertelement <8 x float> poison, float %v861, i32 0
%v863 = shufflevector <8 x float> %v862, <8 x float> poison, <8 x i32> zeroinitializer
%v864 = mul i64 %v1, 96
%v865 = mul i64 %v837, 8
%v866 = add i64 %v864, %v865
%v867 = getelementptr float, ptr %a3, i64 %v866
%v868 = getelementptr float, ptr %scratch, i64 192
%v869 = mul i64 %v837, 16
%v870 = getelementptr float, ptr %v868, i64 %v869
%v871 = load <8 x float>, ptr %v870, align 4
%v872 = fmul <8 x float> %v871, %v863
store <8 x float> %v872, ptr %v867, align 4
%v873 = add i64 %v837, 1
%v874 = icmp slt i64 %v873, 12
br i1 %v874, label %loop33, label %end34
end34:
%v875 = add i64 %v1, 1
%v876 = icmp slt i64 %v875, %end
br i1 %v876, label %loop1, label %end2
end2:
ret void
}

