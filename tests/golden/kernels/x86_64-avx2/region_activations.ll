; kernels for x86_64-avx2
; mir @region_activations {
;   %0 = input("x1") : f32[40]
;   %1 = gelu(%0) : f32[40]
;   %2 = abs(%0) : f32[40]
;   %3 = log(%2) : f32[40]
;   %4 = add(%1, %3) : f32[40]
;   return y1=%4
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <32 x float> @llvm.fabs.v32f32(<32 x float>)
declare <32 x float> @llvm.fma.v32f32(<32 x float>, <32 x float>, <32 x float>)
declare <8 x float> @llvm.fabs.v8f32(<8 x float>)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @region_a9507ece(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v2 = phi i64 [ %begin, %guard3 ], [ %v158, %end5 ]
%v3 = mul i64 %v2, 204
%v4 = add i64 %v3, 204
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 1)
%v6 = icmp slt i64 %v3, %v5
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ %v3, %guard6 ], [ %v156, %loop4 ]
%v8 = load <32 x float>, ptr %a0, align 4
%v9 = call <32 x float> @llvm.fabs.v32f32(<32 x float> %v8)
%v10 = fcmp olt <32 x float> splat (float 0x402A8A3D80000000), %v9
%v11 = select <32 x i1> %v10, <32 x float> splat (float 0x402A8A3D80000000), <32 x float> %v9
%v12 = fmul <32 x float> %v11, %v11
%v13 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v11, <32 x float> splat (float 0x3FC76CD700000000), <32 x float> splat (float 0x3FDC0866A0000000))
%v14 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v11, <32 x float> splat (float 0x3F70CE2CE0000000), <32 x float> splat (float 0x3FA4C33F00000000))
%v15 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v14, <32 x float> %v12, <32 x float> %v13)
%v16 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v15, <32 x float> %v11, <32 x float> splat (float 0x3FE0000000000000))
%v17 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v11, <32 x float> splat (float 0x3FF339C1E0000000), <32 x float> splat (float 0x3FFAC85640000000))
%v18 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v11, <32 x float> splat (float 0x3FBA0618E0000000), <32 x float> splat (float 0x3FDE01F580000000))
%v19 = call <32 x float> @llvm.fma.v32f32(<32 x float> splat (float 0x3F850FEA00000000), <32 x float> %v12, <32 x float> %v18)
%v20 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v19, <32 x float> %v12, <32 x float> %v17)
%v21 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v20, <32 x float> %v11, <32 x float> splat (float 0x3FF0000000000000))
%v22 = fdiv <32 x float> %v16, %v21
%v23 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v12, <32 x float> splat (float 0xBFE7154760000000), <32 x float> splat (float 0x4168000FE0000000))
%v24 = fsub <32 x float> %v23, splat (float 0x4168000FE0000000)
%v25 = fmul <32 x float> %v24, splat (float 0x3FF62E4000000000)
%v26 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v11, <32 x float> %v11, <32 x float> %v25)
%v27 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v24, <32 x float> splat (float 0x3EC7F7D1C0000000), <32 x float> %v26)
%v28 = call <32 x float> @llvm.fma.v32f32(<32 x float> splat (float 0x3EF6CF7760000000), <32 x float> %v27, <32 x float> splat (float 0xBF31244B20000000))
%v29 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v28, <32 x float> %v27, <32 x float> splat (float 0x3F65555280000000))
%v30 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v29, <32 x float> %v27, <32 x float> splat (float 0xBF95554820000000))
%v31 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v30, <32 x float> %v27, <32 x float> splat (float 0x3FC0000000000000))
%v32 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v31, <32 x float> %v27, <32 x float> splat (float 0xBFE0000000000000))
%v33 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v32, <32 x float> %v27, <32 x float> splat (float 0x3FF0000000000000))
%v34 = bitcast <32 x float> %v23 to <32 x i32>
%v35 = shl <32 x i32> %v34, splat (i32 23)
%v36 = bitcast <32 x i32> %v35 to <32 x float>
%v37 = fmul <32 x float> %v33, %v36
%v38 = fmul <32 x float> %v22, %v37
%v39 = fcmp olt <32 x float> %v8, splat (float 0x0000000000000000)
%v40 = fsub <32 x float> splat (float 0x3FF0000000000000), %v38
%v41 = select <32 x i1> %v39, <32 x float> %v38, <32 x float> %v40
%v42 = fmul <32 x float> %v8, %v41
%v43 = call <32 x float> @llvm.fabs.v32f32(<32 x float> %v8)
%v44 = fcmp olt <32 x float> %v43, splat (float 0x3810000000000000)
%v45 = fmul <32 x float> %v43, splat (float 0x4350000000000000)
%v46 = select <32 x i1> %v44, <32 x float> %v45, <32 x float> %v43
%v47 = bitcast <32 x float> %v46 to <32 x i32>
%v48 = sub <32 x i32> %v47, splat (i32 1060439283)
%v49 = ashr <32 x i32> %v48, splat (i32 23)
%v50 = and <32 x i32> %v48, splat (i32 8388607)
%v51 = add <32 x i32> %v50, splat (i32 1060439283)
%v52 = bitcast <32 x i32> %v51 to <32 x float>
%v53 = sitofp <32 x i32> %v49 to <32 x float>
%v54 = select <32 x i1> %v44, <32 x float> splat (float 0x404B000000000000), <32 x float> splat (float 0x0000000000000000)
%v55 = fsub <32 x float> %v53, %v54
%v56 = fsub <32 x float> %v52, splat (float 0x3FF0000000000000)
%v57 = fmul <32 x float> %v56, %v56
%v58 = fmul <32 x float> %v57, splat (float 0x3FE0000000000000)
%v59 = fmul <32 x float> %v56, %v56
%v60 = fmul <32 x float> %v59, %v56
%v61 = call <32 x float> @llvm.fma.v32f32(<32 x float> splat (float 0x3FAB75E8C0000000), <32 x float> %v56, <32 x float> splat (float 0xBFBBF83EA0000000))
%v62 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v61, <32 x float> %v56, <32 x float> splat (float 0x3FBEFDF4A0000000))
%v63 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v62, <32 x float> %v56, <32 x float> splat (float 0xBFC00FF060000000))
%v64 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v63, <32 x float> %v56, <32 x float> splat (float 0x3FC2303360000000))
%v65 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v64, <32 x float> %v56, <32 x float> splat (float 0xBFC552F300000000))
%v66 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v65, <32 x float> %v56, <32 x float> splat (float 0x3FC99A5420000000))
%v67 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v66, <32 x float> %v56, <32 x float> splat (float 0xBFD0000700000000))
%v68 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v67, <32 x float> %v56, <32 x float> splat (float 0x3FD5555480000000))
%v69 = fmul <32 x float> %v55, splat (float 0x3EB7F7D1C0000000)
%v70 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v60, <32 x float> %v68, <32 x float> %v69)
%v71 = fsub <32 x float> %v70, %v58
%v72 = fadd <32 x float> %v56, %v71
%v73 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v55, <32 x float> splat (float 0x3FE62E4000000000), <32 x float> %v72)
%v74 = fcmp oeq <32 x float> %v43, splat (float 0x0000000000000000)
%v75 = select <32 x i1> %v74, <32 x float> splat (float 0xFFF0000000000000), <32 x float> splat (float 0x7FF8000000000000)
%v76 = fcmp oeq <32 x float> %v43, splat (float 0x7FF0000000000000)
%v77 = fcmp ogt <32 x float> %v43, splat (float 0x0000000000000000)
%v78 = select <32 x i1> %v77, <32 x float> %v73, <32 x float> %v75
%v79 = select <32 x i1> %v76, <32 x float> %v43, <32 x float> %v78
%v80 = fadd <32 x float> %v42, %v79
store <32 x float> %v80, ptr %a1, align 4
%v81 = getelementptr float, ptr %a0, i64 32
%v82 = load <8 x float>, ptr %v81, align 4
%v83 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v82)
%v84 = fcmp olt <8 x float> splat (float 0x402A8A3D80000000), %v83
%v85 = select <8 x i1> %v84, <8 x float> splat (float 0x402A8A3D80000000), <8 x float> %v83
%v86 = fmul <8 x float> %v85, %v85
%v87 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v85, <8 x float> splat (float 0x3FC76CD700000000), <8 x float> splat (float 0x3FDC0866A0000000))
%v88 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v85, <8 x float> splat (float 0x3F70CE2CE0000000), <8 x float> splat (float 0x3FA4C33F00000000))
%v89 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v88, <8 x float> %v86, <8 x float> %v87)
%v90 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v89, <8 x float> %v85, <8 x float> splat (float 0x3FE0000000000000))
%v91 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v85, <8 x float> splat (float 0x3FF339C1E0000000), <8 x float> splat (float 0x3FFAC85640000000))
%v92 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v85, <8 x float> splat (float 0x3FBA0618E0000000), <8 x float> splat (float 0x3FDE01F580000000))
%v93 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F850FEA00000000), <8 x float> %v86, <8 x float> %v92)
%v94 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v93, <8 x float> %v86, <8 x float> %v91)
%v95 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v94, <8 x float> %v85, <8 x float> splat (float 0x3FF0000000000000))
%v96 = fdiv <8 x float> %v90, %v95
%v97 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v86, <8 x float> splat (float 0xBFE7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v98 = fsub <8 x float> %v97, splat (float 0x4168000FE0000000)
%v99 = fmul <8 x float> %v98, splat (float 0x3FF62E4000000000)
%v100 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v85, <8 x float> %v85, <8 x float> %v99)
%v101 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v98, <8 x float> splat (float 0x3EC7F7D1C0000000), <8 x float> %v100)
%v102 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3EF6CF7760000000), <8 x float> %v101, <8 x float> splat (float 0xBF31244B20000000))
%v103 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v102, <8 x float> %v101, <8 x float> splat (float 0x3F65555280000000))
%v104 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v103, <8 x float> %v101, <8 x float> splat (float 0xBF95554820000000))
%v105 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v104, <8 x float> %v101, <8 x float> splat (float 0x3FC0000000000000))
%v106 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v105, <8 x float> %v101, <8 x float> splat (float 0xBFE0000000000000))
%v107 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v106, <8 x float> %v101, <8 x float> splat (float 0x3FF0000000000000))
%v108 = bitcast <8 x float> %v97 to <8 x i32>
%v109 = shl <8 x i32> %v108, splat (i32 23)
%v110 = bitcast <8 x i32> %v109 to <8 x float>
%v111 = fmul <8 x float> %v107, %v110
%v112 = fmul <8 x float> %v96, %v111
%v113 = fcmp olt <8 x float> %v82, splat (float 0x0000000000000000)
%v114 = fsub <8 x float> splat (float 0x3FF0000000000000), %v112
%v115 = select <8 x i1> %v113, <8 x float> %v112, <8 x float> %v114
%v116 = fmul <8 x float> %v82, %v115
%v117 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v82)
%v118 = fcmp olt <8 x float> %v117, splat (float 0x3810000000000000)
%v119 = fmul <8 x float> %v117, splat (float 0x4350000000000000)
%v120 = select <8 x i1> %v118, <8 x float> %v119, <8 x float> %v117
%v121 = bitcast <8 x float> %v120 to <8 x i32>
%v122 = sub <8 x i32> %v121, splat (i32 1060439283)
%v123 = ashr <8 x i32> %v122, splat (i32 23)
%v124 = and <8 x i32> %v122, splat (i32 8388607)
%v125 = add <8 x i32> %v124, splat (i32 1060439283)
%v126 = bitcast <8 x i32> %v125 to <8 x float>
%v127 = sitofp <8 x i32> %v123 to <8 x float>
%v128 = select <8 x i1> %v118, <8 x float> splat (float 0x404B000000000000), <8 x float> splat (float 0x0000000000000000)
%v129 = fsub <8 x float> %v127, %v128
%v130 = fsub <8 x float> %v126, splat (float 0x3FF0000000000000)
%v131 = fmul <8 x float> %v130, %v130
%v132 = fmul <8 x float> %v131, splat (float 0x3FE0000000000000)
%v133 = fmul <8 x float> %v130, %v130
%v134 = fmul <8 x float> %v133, %v130
%v135 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3FAB75E8C0000000), <8 x float> %v130, <8 x float> splat (float 0xBFBBF83EA0000000))
%v136 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v135, <8 x float> %v130, <8 x float> splat (float 0x3FBEFDF4A0000000))
%v137 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v136, <8 x float> %v130, <8 x float> splat (float 0xBFC00FF060000000))
%v138 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v137, <8 x float> %v130, <8 x float> splat (float 0x3FC2303360000000))
%v139 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v138, <8 x float> %v130, <8 x float> splat (float 0xBFC552F300000000))
%v140 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v139, <8 x float> %v130, <8 x float> splat (float 0x3FC99A5420000000))
%v141 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v140, <8 x float> %v130, <8 x float> splat (float 0xBFD0000700000000))
%v142 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v141, <8 x float> %v130, <8 x float> splat (float 0x3FD5555480000000))
%v143 = fmul <8 x float> %v129, splat (float 0x3EB7F7D1C0000000)
%v144 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v134, <8 x float> %v142, <8 x float> %v143)
%v145 = fsub <8 x float> %v144, %v132
%v146 = fadd <8 x float> %v130, %v145
%v147 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v129, <8 x float> splat (float 0x3FE62E4000000000), <8 x float> %v146)
%v148 = fcmp oeq <8 x float> %v117, splat (float 0x0000000000000000)
%v149 = select <8 x i1> %v148, <8 x float> splat (float 0xFFF0000000000000), <8 x float> splat (float 0x7FF8000000000000)
%v150 = fcmp oeq <8 x float> %v117, splat (float 0x7FF0000000000000)
%v151 = fcmp ogt <8 x float> %v117, splat (float 0x0000000000000000)
%v152 = select <8 x i1> %v151, <8 x float> %v147, <8 x float> %v149
%v153 = select <8 x i1> %v150, <8 x float> %v117, <8 x float> %v152
%v154 = fadd <8 x float> %v116, %v153
%v155 = getelementptr float, ptr %a1, i64 32
store <8 x float> %v154, ptr %v155, align 4
%v156 = add i64 %v7, 1
%v157 = icmp slt i64 %v156, %v5
br i1 %v157, label %loop4, label %end5
end5:
%v158 = add i64 %v2, 1
%v159 = icmp slt i64 %v158, %v0
br i1 %v159, label %loop1, label %end2
end2:
ret void
}

