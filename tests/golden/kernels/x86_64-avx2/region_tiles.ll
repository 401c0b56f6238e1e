; kernels for x86_64-avx2
; mir @region_tiles {
;   %0 = input("x1") : f32[70, 80]
;   %1 = transpose(%0, perm=(1, 0)) : f32[80, 70]
;   %2 = input("x2") : f32[80, 70]
;   %3 = add(%1, %2) : f32[80, 70]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @region_bbf54630(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%v0 = call i64 @llvm.smin.i64(i64 %end, i64 4)
%v1 = icmp slt i64 %begin, %v0
br i1 %v1, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v2 = phi i64 [ %begin, %guard3 ], [ %v225, %end23 ]
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
%v15 = ashr i64 %v14, 3
%v16 = mul i64 %v15, 8
%v17 = add i64 %v9, %v16
%v18 = ashr i64 %v7, 3
%v19 = mul i64 %v18, 8
%v20 = add i64 %v5, %v19
%v21 = icmp slt i64 %v5, %v20
br i1 %v21, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v22 = phi i64 [ %v5, %guard6 ], [ %v137, %end8 ]
%v23 = icmp slt i64 %v9, %v17
br i1 %v23, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v24 = phi i64 [ %v9, %guard9 ], [ %v135, %loop7 ]
%v25 = mul i64 %v22, 80
%v26 = add i64 %v25, %v24
%v27 = getelementptr float, ptr %a0, i64 %v26
%v28 = load <8 x float>, ptr %v27, align 4
%v29 = add i64 %v22, 1
%v30 = mul i64 %v29, 80
%v31 = add i64 %v30, %v24
%v32 = getelementptr float, ptr %a0, i64 %v31
%v33 = load <8 x float>, ptr %v32, align 4
%v34 = add i64 %v22, 2
%v35 = mul i64 %v34, 80
%v36 = add i64 %v35, %v24
%v37 = getelementptr float, ptr %a0, i64 %v36
%v38 = load <8 x float>, ptr %v37, align 4
%v39 = add i64 %v22, 3
%v40 = mul i64 %v39, 80
%v41 = add i64 %v40, %v24
%v42 = getelementptr float, ptr %a0, i64 %v41
%v43 = load <8 x float>, ptr %v42, align 4
%v44 = add i64 %v22, 4
%v45 = mul i64 %v44, 80
%v46 = add i64 %v45, %v24
%v47 = getelementptr float, ptr %a0, i64 %v46
%v48 = load <8 x float>, ptr %v47, align 4
%v49 = add i64 %v22, 5
%v50 = mul i64 %v49, 80
%v51 = add i64 %v50, %v24
%v52 = getelementptr float, ptr %a0, i64 %v51
%v53 = load <8 x float>, ptr %v52, align 4
%v54 = add i64 %v22, 6
%v55 = mul i64 %v54, 80
%v56 = add i64 %v55, %v24
%v57 = getelementptr float, ptr %a0, i64 %v56
%v58 = load <8 x float>, ptr %v57, align 4
%v59 = add i64 %v22, 7
%v60 = mul i64 %v59, 80
%v61 = add i64 %v60, %v24
%v62 = getelementptr float, ptr %a0, i64 %v61
%v63 = load <8 x float>, ptr %v62, align 4
%v64 = shufflevector <8 x float> %v28, <8 x float> %v33, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v65 = shufflevector <8 x float> %v28, <8 x float> %v33, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v66 = shufflevector <8 x float> %v38, <8 x float> %v43, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v67 = shufflevector <8 x float> %v38, <8 x float> %v43, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v68 = shufflevector <8 x float> %v48, <8 x float> %v53, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v69 = shufflevector <8 x float> %v48, <8 x float> %v53, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v70 = shufflevector <8 x float> %v58, <8 x float> %v63, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v71 = shufflevector <8 x float> %v58, <8 x float> %v63, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v72 = shufflevector <8 x float> %v64, <8 x float> %v66, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v73 = shufflevector <8 x float> %v64, <8 x float> %v66, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v74 = shufflevector <8 x float> %v65, <8 x float> %v67, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v75 = shufflevector <8 x float> %v65, <8 x float> %v67, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v76 = shufflevector <8 x float> %v68, <8 x float> %v70, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v77 = shufflevector <8 x float> %v68, <8 x float> %v70, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v78 = shufflevector <8 x float> %v69, <8 x float> %v71, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v79 = shufflevector <8 x float> %v69, <8 x float> %v71, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v80 = shufflevector <8 x float> %v72, <8 x float> %v76, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v81 = shufflevector <8 x float> %v72, <8 x float> %v76, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v82 = shufflevector <8 x float> %v74, <8 x float> %v78, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v83 = shufflevector <8 x float> %v74, <8 x float> %v78, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v84 = shufflevector <8 x float> %v73, <8 x float> %v77, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v85 = shufflevector <8 x float> %v73, <8 x float> %v77, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v86 = shufflevector <8 x float> %v75, <8 x float> %v79, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v87 = shufflevector <8 x float> %v75, <8 x float> %v79, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v88 = sub i64 %v24, %v9
%v89 = mul i64 %v88, 64
%v90 = sub i64 %v22, %v5
%v91 = add i64 %v89, %v90
%v92 = getelementptr float, ptr %scratch, i64 %v91
store <8 x float> %v80, ptr %v92, align 4
%v93 = add i64 %v24, 1
%v94 = sub i64 %v93, %v9
%v95 = mul i64 %v94, 64
%v96 = sub i64 %v22, %v5
%v97 = add i64 %v95, %v96
%v98 = getelementptr float, ptr %scratch, i64 %v97
store <8 x float> %v82, ptr %v98, align 4
%v99 = add i64 %v24, 2
%v100 = sub i64 %v99, %v9
%v101 = mul i64 %v100, 64
%v102 = sub i64 %v22, %v5
%v103 = add i64 %v101, %v102
%v104 = getelementptr float, ptr %scratch, i64 %v103
store <8 x float> %v84, ptr %v104, align 4
%v105 = add i64 %v24, 3
%v106 = sub i64 %v105, %v9
%v107 = mul i64 %v106, 64
%v108 = sub i64 %v22, %v5
%v109 = add i64 %v107, %v108
%v110 = getelementptr float, ptr %scratch, i64 %v109
store <8 x float> %v86, ptr %v110, align 4
%v111 = add i64 %v24, 4
%v112 = sub i64 %v111, %v9
%v113 = mul i64 %v112, 64
%v114 = sub i64 %v22, %v5
%v115 = add i64 %v113, %v114
%v116 = getelementptr float, ptr %scratch, i64 %v115
store <8 x float> %v81, ptr %v116, align 4
%v117 = add i64 %v24, 5
%v118 = sub i64 %v117, %v9
%v119 = mul i64 %v118, 64
%v120 = sub i64 %v22, %v5
%v121 = add i64 %v119, %v120
%v122 = getelementptr float, ptr %scratch, i64 %v121
store <8 x float> %v83, ptr %v122, align 4
%v123 = add i64 %v24, 6
%v124 = sub i64 %v123, %v9
%v125 = mul i64 %v124, 64
%v126 = sub i64 %v22, %v5
%v127 = add i64 %v125, %v126
%v128 = getelementptr float, ptr %scratch, i64 %v127
store <8 x float> %v85, ptr %v128, align 4
%v129 = add i64 %v24, 7
%v130 = sub i64 %v129, %v9
%v131 = mul i64 %v130, 64
%v132 = sub i64 %v22, %v5
%v133 = add i64 %v131, %v132
%v134 = getelementptr float, ptr %scratch, i64 %v133
store <8 x float> %v87, ptr %v134, align 4
%v135 = add i64 %v24, 8
%v136 = icmp slt i64 %v135, %v17
br i1 %v136, label %loop7, label %end8
end8:
%v137 = add i64 %v22, 8
%v138 = icmp slt i64 %v137, %v20
br i1 %v138, label %loop4, label %end5
end5:
%v139 = icmp slt i64 %v9, %v17
br i1 %v139, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v140 = phi i64 [ %v9, %guard12 ], [ %v154, %end14 ]
%v141 = icmp slt i64 %v20, %v13
br i1 %v141, label %guard15, label %end14
guard15:
br label %loop13
loop13:
%v142 = phi i64 [ %v20, %guard15 ], [ %v152, %loop13 ]
%v143 = mul i64 %v142, 80
%v144 = add i64 %v143, %v140
%v145 = getelementptr float, ptr %a0, i64 %v144
%v146 = load float, ptr %v145, align 4
%v147 = sub i64 %v140, %v9
%v148 = mul i64 %v147, 64
%v149 = sub i64 %v142, %v5
%v150 = add i64 %v148, %v149
%v151 = getelementptr float, ptr %scratch, i64 %v150
store float %v146, ptr %v151, align 4
%v152 = add i64 %v142, 1
%v153 = icmp slt i64 %v152, %v13
br i1 %v153, label %loop13, label %end14
end14:
%v154 = add i64 %v140, 1
%v155 = icmp slt i64 %v154, %v17
br i1 %v155, label %loop10, label %end11
end11:
%v156 = icmp slt i64 %v17, %v12
br i1 %v156, label %guard18, label %end17
guard18:
br label %loop16
loop16:
%v157 = phi i64 [ %v17, %guard18 ], [ %v171, %end20 ]
%v158 = icmp slt i64 %v5, %v13
br i1 %v158, label %guard21, label %end20
guard21:
br label %loop19
loop19:
%v159 = phi i64 [ %v5, %guard21 ], [ %v169, %loop19 ]
%v160 = mul i64 %v159, 80
%v161 = add i64 %v160, %v157
%v162 = getelementptr float, ptr %a0, i64 %v161
%v163 = load float, ptr %v162, align 4
%v164 = sub i64 %v157, %v9
%v165 = mul i64 %v164, 64
%v166 = sub i64 %v159, %v5
%v167 = add i64 %v165, %v166
%v168 = getelementptr float, ptr %scratch, i64 %v167
store float %v163, ptr %v168, align 4
%v169 = add i64 %v159, 1
%v170 = icmp slt i64 %v169, %v13
br i1 %v170, label %loop19, label %end20
end20:
%v171 = add i64 %v157, 1
%v172 = icmp slt i64 %v171, %v12
br i1 %v172, label %loop16, label %end17
end17:
%v173 = mul i64 %v9, 64
%v174 = add i64 %v173, %v5
%v175 = sub i64 0, %v174
%v176 = getelementptr float, ptr %scratch, i64 %v175
%v177 = icmp slt i64 %v9, %v12
br i1 %v177, label %guard24, label %end23
guard24:
br label %loop22
loop22:
%v178 = phi i64 [ %v9, %guard24 ], [ %v223, %end29 ]
%v179 = mul i64 %v178, 64
%v180 = getelementptr float, ptr %v176, i64 %v179
%v181 = mul i64 %v178, 70
%v182 = getelementptr float, ptr %a1, i64 %v181
%v183 = mul i64 %v178, 70
%v184 = getelementptr float, ptr %a2, i64 %v183
%v185 = getelementptr float, ptr %a0, i64 %v178
%v186 = and i64 %v7, -8
%v187 = add i64 %v5, %v186
%v188 = icmp slt i64 %v5, %v187
br i1 %v188, label %guard27, label %end26
guard27:
br label %loop25
loop25:
%v189 = phi i64 [ %v5, %guard27 ], [ %v196, %loop25 ]
%v190 = getelementptr float, ptr %v180, i64 %v189
%v191 = load <8 x float>, ptr %v190, align 4
%v192 = getelementptr float, ptr %v182, i64 %v189
%v193 = load <8 x float>, ptr %v192, align 4
%v194 = fadd <8 x float> %v191, %v193
%v195 = getelementptr float, ptr %v184, i64 %v189
store <8 x float> %v194, ptr %v195, align 4
%v196 = add i64 %v189, 8
%v197 = icmp slt i64 %v196, %v187
br i1 %v197, label %loop25, label %end26
end26:
%v198 = add i64 %v5, %v7
%v199 = icmp slt i64 %v187, %v198
br i1 %v199, label %guard30, label %end29
guard30:
br label %loop28
loop28:
%v200 = phi i64 [ %v187, %guard30 ], [ %v221, %loop28 ]
%v201 = sub i64 %v198, %v200
%v202 = call i64 @llvm.smin.i64(i64 %v201, i64 8)
%v203 = trunc i64 %v202 to i32
%v204 = insertelement <8 x i32> poison, i32 %v203, i32 0
%v205 = shufflevector <8 x i32> %v204, <8 x i32> poison, <8 x i32> zeroinitializer
%v206 = icmp sgt <8 x i32> %v205, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v207 = getelementptr float, ptr %v180, i64 %v200
%v208 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v207, i32 4, <8 x i1> %v206, <8 x float> splat (float 0x0000000000000000))
%v209 = trunc i64 %v202 to i32
%v210 = insertelement <8 x i32> poison, i32 %v209, i32 0
%v211 = shufflevector <8 x i32> %v210, <8 x i32> poison, <8 x i32> zeroinitializer
%v212 = icmp sgt <8 x i32> %v211, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v213 = getelementptr float, ptr %v182, i64 %v200
%v214 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v213, i32 4, <8 x i1> %v212, <8 x float> splat (float 0x0000000000000000))
%v215 = fadd <8 x float> %v208, %v214
%v216 = getelementptr float, ptr %v184, i64 %v200
%v217 = trunc i64 %v202 to i32
%v218 = insertelement <8 x i32> poison, i32 %v217, i32 0
%v219 = shufflevector <8 x i32> %v218, <8 x i32> poison, <8 x i32> zeroinitializer
%v220 = icmp sgt <8 x i32> %v219, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v215, ptr %v216, i32 4, <8 x i1> %v220)
%v221 = add i64 %v200, 8
%v222 = icmp slt i64 %v221, %v198
br i1 %v222, label %loop28, label %end29
end29:
%v223 = add i64 %v178, 1
%v224 = icmp slt i64 %v223, %v12
br i1 %v224, label %loop22, label %end23
end23:
%v225 = add i64 %v2, 1
%v226 = icmp slt i64 %v225, %v0
br i1 %v226, label %loop1, label %end2
end2:
ret void
}

