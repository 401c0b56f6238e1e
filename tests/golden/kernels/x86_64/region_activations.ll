; kernels for x86_64
; mir @region_activations {
;   %0 = input("x1") : f32[40]
;   %1 = gelu(%0) : f32[40]
;   %2 = abs(%0) : f32[40]
;   %3 = log(%2) : f32[40]
;   %4 = add(%1, %3) : f32[40]
;   return y1=%4
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <16 x float> @llvm.fabs.v16f32(<16 x float>)
declare <16 x float> @llvm.fmuladd.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare <4 x float> @llvm.fabs.v4f32(<4 x float>)
declare <4 x float> @llvm.fmuladd.v4f32(<4 x float>, <4 x float>, <4 x float>)

define void @region_8a386d28(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%v0 = call i64 @llvm.smin.i64(i64 %end, i64 1)
%v1 = icmp slt i64 %begin, %v0
br i1 %v1, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v2 = phi i64 [ %begin, %guard3 ], [ %v202, %end5 ]
%v3 = mul i64 %v2, 204
%v4 = add i64 %v3, 204
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 1)
%v6 = icmp slt i64 %v3, %v5
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ %v3, %guard6 ], [ %v200, %end10 ]
br label %loop7
loop7:
%v8 = phi i64 [ 0, %loop4 ], [ %v102, %loop7 ]
%v9 = getelementptr float, ptr %a0, i64 %v8
%v10 = load <16 x float>, ptr %v9, align 4
%v11 = call <16 x float> @llvm.fabs.v16f32(<16 x float> %v10)
%v12 = fcmp olt <16 x float> splat (float 0x402A8A3D80000000), %v11
%v13 = select <16 x i1> %v12, <16 x float> splat (float 0x402A8A3D80000000), <16 x float> %v11
%v14 = fmul <16 x float> %v13, %v13
%v15 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v13, <16 x float> splat (float 0x3FC76CD700000000), <16 x float> splat (float 0x3FDC0866A0000000))
%v16 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v13, <16 x float> splat (float 0x3F70CE2CE0000000), <16 x float> splat (float 0x3FA4C33F00000000))
%v17 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v16, <16 x float> %v14, <16 x float> %v15)
%v18 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v17, <16 x float> %v13, <16 x float> splat (float 0x3FE0000000000000))
%v19 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v13, <16 x float> splat (float 0x3FF339C1E0000000), <16 x float> splat (float 0x3FFAC85640000000))
%v20 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v13, <16 x float> splat (float 0x3FBA0618E0000000), <16 x float> splat (float 0x3FDE01F580000000))
%v21 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> splat (float 0x3F850FEA00000000), <16 x float> %v14, <16 x float> %v20)
%v22 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v21, <16 x float> %v14, <16 x float> %v19)
%v23 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v22, <16 x float> %v13, <16 x float> splat (float 0x3FF0000000000000))
%v24 = fdiv <16 x float> %v18, %v23
%v25 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v14, <16 x float> splat (float 0xBFE7154760000000), <16 x float> splat (float 0x4168000FE0000000))
%v26 = fsub <16 x float> %v25, splat (float 0x4168000FE0000000)
%v27 = fmul <16 x float> %v26, splat (float 0x3FF62E4000000000)
%v28 = fmul <16 x float> %v13, %v13
%v29 = fmul <16 x float> %v13, splat (float 0x40B0010000000000)
%v30 = fsub <16 x float> %v29, %v13
%v31 = fsub <16 x float> %v29, %v30
%v32 = fsub <16 x float> %v13, %v31
%v33 = fmul <16 x float> %v13, splat (float 0x40B0010000000000)
%v34 = fsub <16 x float> %v33, %v13
%v35 = fsub <16 x float> %v33, %v34
%v36 = fsub <16 x float> %v13, %v35
%v37 = fmul <16 x float> %v31, %v35
%v38 = fsub <16 x float> %v37, %v28
%v39 = fmul <16 x float> %v31, %v36
%v40 = fadd <16 x float> %v38, %v39
%v41 = fmul <16 x float> %v32, %v35
%v42 = fadd <16 x float> %v40, %v41
%v43 = fmul <16 x float> %v32, %v36
%v44 = fadd <16 x float> %v42, %v43
%v45 = fadd <16 x float> %v28, %v27
%v46 = fadd <16 x float> %v45, %v44
%v47 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v26, <16 x float> splat (float 0x3EC7F7D1C0000000), <16 x float> %v46)
%v48 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> splat (float 0x3EF6CF7760000000), <16 x float> %v47, <16 x float> splat (float 0xBF31244B20000000))
%v49 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v48, <16 x float> %v47, <16 x float> splat (float 0x3F65555280000000))
%v50 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v49, <16 x float> %v47, <16 x float> splat (float 0xBF95554820000000))
%v51 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v50, <16 x float> %v47, <16 x float> splat (float 0x3FC0000000000000))
%v52 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v51, <16 x float> %v47, <16 x float> splat (float 0xBFE0000000000000))
%v53 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v52, <16 x float> %v47, <16 x float> splat (float 0x3FF0000000000000))
%v54 = bitcast <16 x float> %v25 to <16 x i32>
%v55 = shl <16 x i32> %v54, splat (i32 23)
%v56 = bitcast <16 x i32> %v55 to <16 x float>
%v57 = fmul <16 x float> %v53, %v56
%v58 = fmul <16 x float> %v24, %v57
%v59 = fcmp olt <16 x float> %v10, splat (float 0x0000000000000000)
%v60 = fsub <16 x float> splat (float 0x3FF0000000000000), %v58
%v61 = select <16 x i1> %v59, <16 x float> %v58, <16 x float> %v60
%v62 = fmul <16 x float> %v10, %v61
%v63 = call <16 x float> @llvm.fabs.v16f32(<16 x float> %v10)
%v64 = fcmp olt <16 x float> %v63, splat (float 0x3810000000000000)
%v65 = fmul <16 x float> %v63, splat (float 0x4350000000000000)
%v66 = select <16 x i1> %v64, <16 x float> %v65, <16 x float> %v63
%v67 = bitcast <16 x float> %v66 to <16 x i32>
%v68 = sub <16 x i32> %v67, splat (i32 1060439283)
%v69 = ashr <16 x i32> %v68, splat (i32 23)
%v70 = and <16 x i32> %v68, splat (i32 8388607)
%v71 = add <16 x i32> %v70, splat (i32 1060439283)
%v72 = bitcast <16 x i32> %v71 to <16 x float>
%v73 = sitofp <16 x i32> %v69 to <16 x float>
%v74 = select <16 x i1> %v64, <16 x float> splat (float 0x404B000000000000), <16 x float> splat (float 0x0000000000000000)
%v75 = fsub <16 x float> %v73, %v74
%v76 = fsub <16 x float> %v72, splat (float 0x3FF0000000000000)
%v77 = fmul <16 x float> %v76, %v76
%v78 = fmul <16 x float> %v77, splat (float 0x3FE0000000000000)
%v79 = fmul <16 x float> %v76, %v76
%v80 = fmul <16 x float> %v79, %v76
%v81 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> splat (float 0x3FAB75E8C0000000), <16 x float> %v76, <16 x float> splat (float 0xBFBBF83EA0000000))
%v82 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v81, <16 x float> %v76, <16 x float> splat (float 0x3FBEFDF4A0000000))
%v83 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v82, <16 x float> %v76, <16 x float> splat (float 0xBFC00FF060000000))
%v84 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v83, <16 x float> %v76, <16 x float> splat (float 0x3FC2303360000000))
%v85 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v84, <16 x float> %v76, <16 x float> splat (float 0xBFC552F300000000))
%v86 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v85, <16 x float> %v76, <16 x float> splat (float 0x3FC99A5420000000))
%v87 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v86, <16 x float> %v76, <16 x float> splat (float 0xBFD0000700000000))
%v88 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v87, <16 x float> %v76, <16 x float> splat (float 0x3FD5555480000000))
%v89 = fmul <16 x float> %v75, splat (float 0x3EB7F7D1C0000000)
%v90 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v80, <16 x float> %v88, <16 x float> %v89)
%v91 = fsub <16 x float> %v90, %v78
%v92 = fadd <16 x float> %v76, %v91
%v93 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %v75, <16 x float> splat (float 0x3FE62E4000000000), <16 x float> %v92)
%v94 = fcmp oeq <16 x float> %v63, splat (float 0x0000000000000000)
%v95 = select <16 x i1> %v94, <16 x float> splat (float 0xFFF0000000000000), <16 x float> splat (float 0x7FF8000000000000)
%v96 = fcmp oeq <16 x float> %v63, splat (float 0x7FF0000000000000)
%v97 = fcmp ogt <16 x float> %v63, splat (float 0x0000000000000000)
%v98 = select <16 x i1> %v97, <16 x float> %v93, <16 x float> %v95
%v99 = select <16 x i1> %v96, <16 x float> %v63, <16 x float> %v98
%v100 = fadd <16 x float> %v62, %v99
%v101 = getelementptr float, ptr %a1, i64 %v8
store <16 x float> %v100, ptr %v101, align 4
%v102 = add i64 %v8, 16
%v103 = icmp slt i64 %v102, 32
br i1 %v103, label %loop7, label %end8
end8:
br label %loop9
loop9:
%v104 = phi i64 [ 32, %end8 ], [ %v198, %loop9 ]
%v105 = getelementptr float, ptr %a0, i64 %v104
%v106 = load <4 x float>, ptr %v105, align 4
%v107 = call <4 x float> @llvm.fabs.v4f32(<4 x float> %v106)
%v108 = fcmp olt <4 x float> splat (float 0x402A8A3D80000000), %v107
%v109 = select <4 x i1> %v108, <4 x float> splat (float 0x402A8A3D80000000), <4 x float> %v107
%v110 = fmul <4 x float> %v109, %v109
%v111 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v109, <4 x float> splat (float 0x3FC76CD700000000), <4 x float> splat (float 0x3FDC0866A0000000))
%v112 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v109, <4 x float> splat (float 0x3F70CE2CE0000000), <4 x float> splat (float 0x3FA4C33F00000000))
%v113 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v112, <4 x float> %v110, <4 x float> %v111)
%v114 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v113, <4 x float> %v109, <4 x float> splat (float 0x3FE0000000000000))
%v115 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v109, <4 x float> splat (float 0x3FF339C1E0000000), <4 x float> splat (float 0x3FFAC85640000000))
%v116 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v109, <4 x float> splat (float 0x3FBA0618E0000000), <4 x float> splat (float 0x3FDE01F580000000))
%v117 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> splat (float 0x3F850FEA00000000), <4 x float> %v110, <4 x float> %v116)
%v118 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v117, <4 x float> %v110, <4 x float> %v115)
%v119 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v118, <4 x float> %v109, <4 x float> splat (float 0x3FF0000000000000))
%v120 = fdiv <4 x float> %v114, %v119
%v121 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v110, <4 x float> splat (float 0xBFE7154760000000), <4 x float> splat (float 0x4168000FE0000000))
%v122 = fsub <4 x float> %v121, splat (float 0x4168000FE0000000)
%v123 = fmul <4 x float> %v122, splat (float 0x3FF62E4000000000)
%v124 = fmul <4 x float> %v109, %v109
%v125 = fmul <4 x float> %v109, splat (float 0x40B0010000000000)
%v126 = fsub <4 x float> %v125, %v109
%v127 = fsub <4 x float> %v125, %v126
%v128 = fsub <4 x float> %v109, %v127
%v129 = fmul <4 x float> %v109, splat (float 0x40B0010000000000)
%v130 = fsub <4 x float> %v129, %v109
%v131 = fsub <4 x float> %v129, %v130
%v132 = fsub <4 x float> %v109, %v131
%v133 = fmul <4 x float> %v127, %v131
%v134 = fsub <4 x float> %v133, %v124
%v135 = fmul <4 x float> %v127, %v132
%v136 = fadd <4 x float> %v134, %v135
%v137 = fmul <4 x float> %v128, %v131
%v138 = fadd <4 x float> %v136, %v137
%v139 = fmul <4 x float> %v128, %v132
%v140 = fadd <4 x float> %v138, %v139
%v141 = fadd <4 x float> %v124, %v123
%v142 = fadd <4 x float> %v141, %v140
%v143 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v122, <4 x float> splat (float 0x3EC7F7D1C0000000), <4 x float> %v142)
%v144 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> splat (float 0x3EF6CF7760000000), <4 x float> %v143, <4 x float> splat (float 0xBF31244B20000000))
%v145 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v144, <4 x float> %v143, <4 x float> splat (float 0x3F65555280000000))
%v146 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v145, <4 x float> %v143, <4 x float> splat (float 0xBF95554820000000))
%v147 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v146, <4 x float> %v143, <4 x float> splat (float 0x3FC0000000000000))
%v148 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v147, <4 x float> %v143, <4 x float> splat (float 0xBFE0000000000000))
%v149 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v148, <4 x float> %v143, <4 x float> splat (float 0x3FF0000000000000))
%v150 = bitcast <4 x float> %v121 to <4 x i32>
%v151 = shl <4 x i32> %v150, splat (i32 23)
%v152 = bitcast <4 x i32> %v151 to <4 x float>
%v153 = fmul <4 x float> %v149, %v152
%v154 = fmul <4 x float> %v120, %v153
%v155 = fcmp olt <4 x float> %v106, splat (float 0x0000000000000000)
%v156 = fsub <4 x float> splat (float 0x3FF0000000000000), %v154
%v157 = select <4 x i1> %v155, <4 x float> %v154, <4 x float> %v156
%v158 = fmul <4 x float> %v106, %v157
%v159 = call <4 x float> @llvm.fabs.v4f32(<4 x float> %v106)
%v160 = fcmp olt <4 x float> %v159, splat (float 0x3810000000000000)
%v161 = fmul <4 x float> %v159, splat (float 0x4350000000000000)
%v162 = select <4 x i1> %v160, <4 x float> %v161, <4 x float> %v159
%v163 = bitcast <4 x float> %v162 to <4 x i32>
%v164 = sub <4 x i32> %v163, splat (i32 1060439283)
%v165 = ashr <4 x i32> %v164, splat (i32 23)
%v166 = and <4 x i32> %v164, splat (i32 8388607)
%v167 = add <4 x i32> %v166, splat (i32 1060439283)
%v168 = bitcast <4 x i32> %v167 to <4 x float>
%v169 = sitofp <4 x i32> %v165 to <4 x float>
%v170 = select <4 x i1> %v160, <4 x float> splat (float 0x404B000000000000), <4 x float> splat (float 0x0000000000000000)
%v171 = fsub <4 x float> %v169, %v170
%v172 = fsub <4 x float> %v168, splat (float 0x3FF0000000000000)
%v173 = fmul <4 x float> %v172, %v172
%v174 = fmul <4 x float> %v173, splat (float 0x3FE0000000000000)
%v175 = fmul <4 x float> %v172, %v172
%v176 = fmul <4 x float> %v175, %v172
%v177 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> splat (float 0x3FAB75E8C0000000), <4 x float> %v172, <4 x float> splat (float 0xBFBBF83EA0000000))
%v178 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v177, <4 x float> %v172, <4 x float> splat (float 0x3FBEFDF4A0000000))
%v179 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v178, <4 x float> %v172, <4 x float> splat (float 0xBFC00FF060000000))
%v180 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v179, <4 x float> %v172, <4 x float> splat (float 0x3FC2303360000000))
%v181 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v180, <4 x float> %v172, <4 x float> splat (float 0xBFC552F300000000))
%v182 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v181, <4 x float> %v172, <4 x float> splat (float 0x3FC99A5420000000))
%v183 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v182, <4 x float> %v172, <4 x float> splat (float 0xBFD0000700000000))
%v184 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v183, <4 x float> %v172, <4 x float> splat (float 0x3FD5555480000000))
%v185 = fmul <4 x float> %v171, splat (float 0x3EB7F7D1C0000000)
%v186 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v176, <4 x float> %v184, <4 x float> %v185)
%v187 = fsub <4 x float> %v186, %v174
%v188 = fadd <4 x float> %v172, %v187
%v189 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v171, <4 x float> splat (float 0x3FE62E4000000000), <4 x float> %v188)
%v190 = fcmp oeq <4 x float> %v159, splat (float 0x0000000000000000)
%v191 = select <4 x i1> %v190, <4 x float> splat (float 0xFFF0000000000000), <4 x float> splat (float 0x7FF8000000000000)
%v192 = fcmp oeq <4 x float> %v159, splat (float 0x7FF0000000000000)
%v193 = fcmp ogt <4 x float> %v159, splat (float 0x0000000000000000)
%v194 = select <4 x i1> %v193, <4 x float> %v189, <4 x float> %v191
%v195 = select <4 x i1> %v192, <4 x float> %v159, <4 x float> %v194
%v196 = fadd <4 x float> %v158, %v195
%v197 = getelementptr float, ptr %a1, i64 %v104
store <4 x float> %v196, ptr %v197, align 4
%v198 = add i64 %v104, 4
%v199 = icmp slt i64 %v198, 40
br i1 %v199, label %loop9, label %end10
end10:
%v200 = add i64 %v7, 1
%v201 = icmp slt i64 %v200, %v5
br i1 %v201, label %loop4, label %end5
end5:
%v202 = add i64 %v2, 1
%v203 = icmp slt i64 %v202, %v0
br i1 %v203, label %loop1, label %end2
end2:
ret void
}

