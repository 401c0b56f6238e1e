; kernels for aarch64
; mir @region_tiles {
;   %0 = input("x1") : f32[70, 80]
;   %1 = transpose(%0, perm=(1, 0)) : f32[80, 70]
;   %2 = input("x2") : f32[80, 70]
;   %3 = add(%1, %2) : f32[80, 70]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @region_e8fc60b0(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%s6 = alloca [512 x i8], align 64
%v0 = call i64 @llvm.smin.i64(i64 %end, i64 4)
%v1 = icmp slt i64 %begin, %v0
br i1 %v1, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v2 = phi i64 [ %begin, %guard3 ], [ %v174, %end23 ]
%v3 = udiv i64 %v2, 2
%v4 = urem i64 %v2, 2
%v5 = mul i64 %v4, 64
%v6 = sub i64 70, %v5
%v7 = call i64 @llvm.smin.i64(i64 %v6, i64 64)
%v8 = urem i64 %v3, 2
%v9 = mul i64 %v8, 64
%v10 = udiv i64 %v3, 2
%v11 = add i64 %v9, 64
%v12 = call i64 @llvm.smin.i64(i64 %v11, i64 80)
%v13 = add i64 %v5, %v7
%v14 = sub i64 %v12, %v9
%v15 = ashr i64 %v14, 2
%v16 = mul i64 %v15, 4
%v17 = add i64 %v9, %v16
%v18 = ashr i64 %v7, 2
%v19 = mul i64 %v18, 4
%v20 = add i64 %v5, %v19
%v21 = icmp slt i64 %v5, %v20
br i1 %v21, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v22 = phi i64 [ %v5, %guard6 ], [ %v77, %end8 ]
%v23 = icmp slt i64 %v9, %v17
br i1 %v23, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v24 = phi i64 [ %v9, %guard9 ], [ %v75, %loop7 ]
%v25 = mul i64 %v22, 80
%v26 = add i64 %v25, %v24
%v27 = getelementptr float, ptr %a0, i64 %v26
%v28 = load <4 x float>, ptr %v27, align 4
%v29 = add i64 %v22, 1
%v30 = mul i64 %v29, 80
%v31 = add i64 %v30, %v24
%v32 = getelementptr float, ptr %a0, i64 %v31
%v33 = load <4 x float>, ptr %v32, align 4
%v34 = add i64 %v22, 2
%v35 = mul i64 %v34, 80
%v36 = add i64 %v35, %v24
%v37 = getelementptr float, ptr %a0, i64 %v36
%v38 = load <4 x float>, ptr %v37, align 4
%v39 = add i64 %v22, 3
%v40 = mul i64 %v39, 80
%v41 = add i64 %v40, %v24
%v42 = getelementptr float, ptr %a0, i64 %v41
%v43 = load <4 x float>, ptr %v42, align 4
%v44 = shufflevector <4 x float> %v28, <4 x float> %v33, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
%v45 = shufflevector <4 x float> %v28, <4 x float> %v33, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
%v46 = shufflevector <4 x float> %v38, <4 x float> %v43, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
%v47 = shufflevector <4 x float> %v38, <4 x float> %v43, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
%v48 = shufflevector <4 x float> %v44, <4 x float> %v46, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
%v49 = shufflevector <4 x float> %v44, <4 x float> %v46, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
%v50 = shufflevector <4 x float> %v45, <4 x float> %v47, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
%v51 = shufflevector <4 x float> %v45, <4 x float> %v47, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
%v52 = sub i64 %v24, %v9
%v53 = mul i64 %v52, 64
%v54 = sub i64 %v22, %v5
%v55 = add i64 %v53, %v54
%v56 = getelementptr float, ptr %scratch, i64 %v55
store <4 x float> %v48, ptr %v56, align 4
%v57 = add i64 %v24, 1
%v58 = sub i64 %v57, %v9
%v59 = mul i64 %v58, 64
%v60 = sub i64 %v22, %v5
%v61 = add i64 %v59, %v60
%v62 = getelementptr float, ptr %scratch, i64 %v61
store <4 x float> %v50, ptr %v62, align 4
%v63 = add i64 %v24, 2
%v64 = sub i64 %v63, %v9
%v65 = mul i64 %v64, 64
%v66 = sub i64 %v22, %v5
%v67 = add i64 %v65, %v66
%v68 = getelementptr float, ptr %scratch, i64 %v67
store <4 x float> %v49, ptr %v68, align 4
%v69 = add i64 %v24, 3
%v70 = sub i64 %v69, %v9
%v71 = mul i64 %v70, 64
%v72 = sub i64 %v22, %v5
%v73 = add i64 %v71, %v72
%v74 = getelementptr float, ptr %scratch, i64 %v73
store <4 x float> %v51, ptr %v74, align 4
%v75 = add i64 %v24, 4
%v76 = icmp slt i64 %v75, %v17
br i1 %v76, label %loop7, label %end8
end8:
%v77 = add i64 %v22, 4
%v78 = icmp slt i64 %v77, %v20
br i1 %v78, label %loop4, label %end5
end5:
%v79 = icmp slt i64 %v9, %v17
br i1 %v79, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v80 = phi i64 [ %v9, %guard12 ], [ %v94, %end14 ]
%v81 = icmp slt i64 %v20, %v13
br i1 %v81, label %guard15, label %end14
guard15:
br label %loop13
loop13:
%v82 = phi i64 [ %v20, %guard15 ], [ %v92, %loop13 ]
%v83 = mul i64 %v82, 80
%v84 = add i64 %v83, %v80
%v85 = getelementptr float, ptr %a0, i64 %v84
%v86 = load float, ptr %v85, align 4
%v87 = sub i64 %v80, %v9
%v88 = mul i64 %v87, 64
%v89 = sub i64 %v82, %v5
%v90 = add i64 %v88, %v89
%v91 = getelementptr float, ptr %scratch, i64 %v90
store float %v86, ptr %v91, align 4
%v92 = add i64 %v82, 1
%v93 = icmp slt i64 %v92, %v13
br i1 %v93, label %loop13, label %end14
end14:
%v94 = add i64 %v80, 1
%v95 = icmp slt i64 %v94, %v17
br i1 %v95, label %loop10, label %end11
end11:
%v96 = icmp slt i64 %v17, %v12
br i1 %v96, label %guard18, label %end17
guard18:
br label %loop16
loop16:
%v97 = phi i64 [ %v17, %guard18 ], [ %v111, %end20 ]
%v98 = icmp slt i64 %v5, %v13
br i1 %v98, label %guard21, label %end20
guard21:
br label %loop19
loop19:
%v99 = phi i64 [ %v5, %guard21 ], [ %v109, %loop19 ]
%v100 = mul i64 %v99, 80
%v101 = add i64 %v100, %v97
%v102 = getelementptr float, ptr %a0, i64 %v101
%v103 = load float, ptr %v102, align 4
%v104 = sub i64 %v97, %v9
%v105 = mul i64 %v104, 64
%v106 = sub i64 %v99, %v5
%v107 = add i64 %v105, %v106
%v108 = getelementptr float, ptr %scratch, i64 %v107
store float %v103, ptr %v108, align 4
%v109 = add i64 %v99, 1
%v110 = icmp slt i64 %v109, %v13
br i1 %v110, label %loop19, label %end20
end20:
%v111 = add i64 %v97, 1
%v112 = icmp slt i64 %v111, %v12
br i1 %v112, label %loop16, label %end17
end17:
%v113 = mul i64 %v9, 64
%v114 = add i64 %v113, %v5
%v115 = sub i64 0, %v114
%v116 = getelementptr float, ptr %scratch, i64 %v115
%v117 = icmp slt i64 %v9, %v12
br i1 %v117, label %guard24, label %end23
guard24:
br label %loop22
loop22:
%v118 = phi i64 [ %v9, %guard24 ], [ %v172, %end29 ]
%v119 = mul i64 %v118, 64
%v120 = getelementptr float, ptr %v116, i64 %v119
%v121 = mul i64 %v118, 70
%v122 = getelementptr float, ptr %a1, i64 %v121
%v123 = mul i64 %v118, 70
%v124 = getelementptr float, ptr %a2, i64 %v123
%v125 = getelementptr float, ptr %a0, i64 %v118
%v126 = and i64 %v7, -4
%v127 = add i64 %v5, %v126
%v128 = icmp slt i64 %v5, %v127
br i1 %v128, label %guard27, label %end26
guard27:
br label %loop25
loop25:
%v129 = phi i64 [ %v5, %guard27 ], [ %v136, %loop25 ]
%v130 = getelementptr float, ptr %v120, i64 %v129
%v131 = load <4 x float>, ptr %v130, align 4
%v132 = getelementptr float, ptr %v122, i64 %v129
%v133 = load <4 x float>, ptr %v132, align 4
%v134 = fadd <4 x float> %v131, %v133
%v135 = getelementptr float, ptr %v124, i64 %v129
store <4 x float> %v134, ptr %v135, align 4
%v136 = add i64 %v129, 4
%v137 = icmp slt i64 %v136, %v127
br i1 %v137, label %loop25, label %end26
end26:
%v138 = add i64 %v5, %v7
%v139 = icmp slt i64 %v127, %v138
br i1 %v139, label %guard30, label %end29
guard30:
br label %loop28
loop28:
%v140 = phi i64 [ %v127, %guard30 ], [ %v170, %end38 ]
%v141 = sub i64 %v138, %v140
%v142 = call i64 @llvm.smin.i64(i64 %v141, i64 4)
store <4 x float> splat (float 0x0000000000000000), ptr %s6, align 4
%v143 = icmp slt i64 0, %v142
br i1 %v143, label %guard33, label %end32
guard33:
br label %loop31
loop31:
%v144 = phi i64 [ 0, %guard33 ], [ %v149, %loop31 ]
%v145 = add i64 %v140, %v144
%v146 = getelementptr float, ptr %v120, i64 %v145
%v147 = load float, ptr %v146, align 4
%v148 = getelementptr float, ptr %s6, i64 %v144
store float %v147, ptr %v148, align 4
%v149 = add i64 %v144, 1
%v150 = icmp slt i64 %v149, %v142
br i1 %v150, label %loop31, label %end32
end32:
%v151 = load <4 x float>, ptr %s6, align 4
store <4 x float> splat (float 0x0000000000000000), ptr %s6, align 4
%v152 = icmp slt i64 0, %v142
br i1 %v152, label %guard36, label %end35
guard36:
br label %loop34
loop34:
%v153 = phi i64 [ 0, %guard36 ], [ %v158, %loop34 ]
%v154 = add i64 %v140, %v153
%v155 = getelementptr float, ptr %v122, i64 %v154
%v156 = load float, ptr %v155, align 4
%v157 = getelementptr float, ptr %s6, i64 %v153
store float %v156, ptr %v157, align 4
%v158 = add i64 %v153, 1
%v159 = icmp slt i64 %v158, %v142
br i1 %v159, label %loop34, label %end35
end35:
%v160 = load <4 x float>, ptr %s6, align 4
%v161 = fadd <4 x float> %v151, %v160
store <4 x float> %v161, ptr %s6, align 4
%v162 = icmp slt i64 0, %v142
br i1 %v162, label %guard39, label %end38
guard39:
br label %loop37
loop37:
%v163 = phi i64 [ 0, %guard39 ], [ %v168, %loop37 ]
%v164 = getelementptr float, ptr %s6, i64 %v163
%v165 = load float, ptr %v164, align 4
%v166 = add i64 %v140, %v163
%v167 = getelementptr float, ptr %v124, i64 %v166
store float %v165, ptr %v167, align 4
%v168 = add i64 %v163, 1
%v169 = icmp slt i64 %v168, %v142
br i1 %v169, label %loop37, label %end38
end38:
%v170 = add i64 %v140, 4
%v171 = icmp slt i64 %v170, %v138
br i1 %v171, label %loop28, label %end29
end29:
%v172 = add i64 %v118, 1
%v173 = icmp slt i64 %v172, %v12
br i1 %v173, label %loop22, label %end23
end23:
%v174 = add i64 %v2, 1
%v175 = icmp slt i64 %v174, %v0
br i1 %v175, label %loop1, label %end2
end2:
ret void
}

