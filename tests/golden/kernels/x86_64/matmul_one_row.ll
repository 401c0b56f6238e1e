; kernels for x86_64
; mir @matmul_one_row {
;   %0 = input("x1") : f32[1, 16]
;   %1 = param("w1") : f32[16, 40]
;   %2 = matmul(%0, %1) : f32[1, 40]
;   return y1=%2
; }

declare <4 x float> @llvm.fmuladd.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

define void @matmul_02cd39b4(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%s6 = alloca <4 x float>
%s7 = alloca <4 x float>
%s8 = alloca <4 x float>
%s9 = alloca <4 x float>
%s10 = alloca <4 x float>
%s11 = alloca <4 x float>
%s12 = alloca <4 x float>
%s13 = alloca <4 x float>
%s14 = alloca <4 x float>
%s15 = alloca <4 x float>
%s16 = alloca <4 x float>
%s17 = alloca <4 x float>
%s18 = alloca <4 x float>
%s19 = alloca <4 x float>
%s20 = alloca <4 x float>
%s21 = alloca <4 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v224, %end9 ]
store <4 x float> splat (float 0x0000000000000000), ptr %s6
store <4 x float> splat (float 0x0000000000000000), ptr %s7
store <4 x float> splat (float 0x0000000000000000), ptr %s8
store <4 x float> splat (float 0x0000000000000000), ptr %s9
store <4 x float> splat (float 0x0000000000000000), ptr %s10
store <4 x float> splat (float 0x0000000000000000), ptr %s11
store <4 x float> splat (float 0x0000000000000000), ptr %s12
store <4 x float> splat (float 0x0000000000000000), ptr %s13
br label %loop4
loop4:
%v2 = phi i64 [ 0, %loop1 ], [ %v99, %loop4 ]
%v3 = mul i64 %v2, 8
%v4 = getelementptr float, ptr %a1, i64 %v3
%v5 = load <4 x float>, ptr %v4, align 4
%v6 = add i64 %v3, 4
%v7 = getelementptr float, ptr %a1, i64 %v6
%v8 = load <4 x float>, ptr %v7, align 4
%v9 = getelementptr float, ptr %a1, i64 128
%v10 = getelementptr float, ptr %v9, i64 %v3
%v11 = load <4 x float>, ptr %v10, align 4
%v12 = getelementptr float, ptr %a1, i64 128
%v13 = add i64 %v3, 4
%v14 = getelementptr float, ptr %v12, i64 %v13
%v15 = load <4 x float>, ptr %v14, align 4
%v16 = getelementptr float, ptr %a1, i64 256
%v17 = getelementptr float, ptr %v16, i64 %v3
%v18 = load <4 x float>, ptr %v17, align 4
%v19 = getelementptr float, ptr %a1, i64 256
%v20 = add i64 %v3, 4
%v21 = getelementptr float, ptr %v19, i64 %v20
%v22 = load <4 x float>, ptr %v21, align 4
%v23 = getelementptr float, ptr %a1, i64 384
%v24 = getelementptr float, ptr %v23, i64 %v3
%v25 = load <4 x float>, ptr %v24, align 4
%v26 = getelementptr float, ptr %a1, i64 384
%v27 = add i64 %v3, 4
%v28 = getelementptr float, ptr %v26, i64 %v27
%v29 = load <4 x float>, ptr %v28, align 4
%v30 = getelementptr float, ptr %a0, i64 %v2
%v31 = load float, ptr %v30, align 4
%v32 = insertelement <4 x float> poison, float %v31, i32 0
%v33 = shufflevector <4 x float> %v32, <4 x float> poison, <4 x i32> zeroinitializer
%v34 = load <4 x float>, ptr %s6
%v35 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v33, <4 x float> %v5, <4 x float> %v34)
store <4 x float> %v35, ptr %s6
%v36 = load <4 x float>, ptr %s7
%v37 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v33, <4 x float> %v8, <4 x float> %v36)
store <4 x float> %v37, ptr %s7
%v38 = load <4 x float>, ptr %s8
%v39 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v33, <4 x float> %v11, <4 x float> %v38)
store <4 x float> %v39, ptr %s8
%v40 = load <4 x float>, ptr %s9
%v41 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v33, <4 x float> %v15, <4 x float> %v40)
store <4 x float> %v41, ptr %s9
%v42 = load <4 x float>, ptr %s10
%v43 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v33, <4 x float> %v18, <4 x float> %v42)
store <4 x float> %v43, ptr %s10
%v44 = load <4 x float>, ptr %s11
%v45 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v33, <4 x float> %v22, <4 x float> %v44)
store <4 x float> %v45, ptr %s11
%v46 = load <4 x float>, ptr %s12
%v47 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v33, <4 x float> %v25, <4 x float> %v46)
store <4 x float> %v47, ptr %s12
%v48 = load <4 x float>, ptr %s13
%v49 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v33, <4 x float> %v29, <4 x float> %v48)
store <4 x float> %v49, ptr %s13
%v50 = mul i64 %v2, 8
%v51 = add i64 %v50, 8
%v52 = getelementptr float, ptr %a1, i64 %v51
%v53 = load <4 x float>, ptr %v52, align 4
%v54 = add i64 %v51, 4
%v55 = getelementptr float, ptr %a1, i64 %v54
%v56 = load <4 x float>, ptr %v55, align 4
%v57 = getelementptr float, ptr %a1, i64 128
%v58 = getelementptr float, ptr %v57, i64 %v51
%v59 = load <4 x float>, ptr %v58, align 4
%v60 = getelementptr float, ptr %a1, i64 128
%v61 = add i64 %v51, 4
%v62 = getelementptr float, ptr %v60, i64 %v61
%v63 = load <4 x float>, ptr %v62, align 4
%v64 = getelementptr float, ptr %a1, i64 256
%v65 = getelementptr float, ptr %v64, i64 %v51
%v66 = load <4 x float>, ptr %v65, align 4
%v67 = getelementptr float, ptr %a1, i64 256
%v68 = add i64 %v51, 4
%v69 = getelementptr float, ptr %v67, i64 %v68
%v70 = load <4 x float>, ptr %v69, align 4
%v71 = getelementptr float, ptr %a1, i64 384
%v72 = getelementptr float, ptr %v71, i64 %v51
%v73 = load <4 x float>, ptr %v72, align 4
%v74 = getelementptr float, ptr %a1, i64 384
%v75 = add i64 %v51, 4
%v76 = getelementptr float, ptr %v74, i64 %v75
%v77 = load <4 x float>, ptr %v76, align 4
%v78 = add i64 %v2, 1
%v79 = getelementptr float, ptr %a0, i64 %v78
%v80 = load float, ptr %v79, align 4
%v81 = insertelement <4 x float> poison, float %v80, i32 0
%v82 = shufflevector <4 x float> %v81, <4 x float> poison, <4 x i32> zeroinitializer
%v83 = load <4 x float>, ptr %s6
%v84 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v82, <4 x float> %v53, <4 x float> %v83)
store <4 x float> %v84, ptr %s6
%v85 = load <4 x float>, ptr %s7
%v86 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v82, <4 x float> %v56, <4 x float> %v85)
store <4 x float> %v86, ptr %s7
%v87 = load <4 x float>, ptr %s8
%v88 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v82, <4 x float> %v59, <4 x float> %v87)
store <4 x float> %v88, ptr %s8
%v89 = load <4 x float>, ptr %s9
%v90 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v82, <4 x float> %v63, <4 x float> %v89)
store <4 x float> %v90, ptr %s9
%v91 = load <4 x float>, ptr %s10
%v92 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v82, <4 x float> %v66, <4 x float> %v91)
store <4 x float> %v92, ptr %s10
%v93 = load <4 x float>, ptr %s11
%v94 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v82, <4 x float> %v70, <4 x float> %v93)
store <4 x float> %v94, ptr %s11
%v95 = load <4 x float>, ptr %s12
%v96 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v82, <4 x float> %v73, <4 x float> %v95)
store <4 x float> %v96, ptr %s12
%v97 = load <4 x float>, ptr %s13
%v98 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v82, <4 x float> %v77, <4 x float> %v97)
store <4 x float> %v98, ptr %s13
%v99 = add i64 %v2, 2
%v100 = icmp slt i64 %v99, 16
br i1 %v100, label %loop4, label %end5
end5:
%v101 = load <4 x float>, ptr %s6
%v102 = load <4 x float>, ptr %s7
%v103 = load <4 x float>, ptr %s8
%v104 = load <4 x float>, ptr %s9
%v105 = load <4 x float>, ptr %s10
%v106 = load <4 x float>, ptr %s11
%v107 = load <4 x float>, ptr %s12
%v108 = load <4 x float>, ptr %s13
store <4 x float> %v101, ptr %scratch, align 4
%v109 = getelementptr float, ptr %scratch, i64 4
store <4 x float> %v102, ptr %v109, align 4
%v110 = getelementptr float, ptr %scratch, i64 576
store <4 x float> %v103, ptr %v110, align 4
%v111 = getelementptr float, ptr %scratch, i64 580
store <4 x float> %v104, ptr %v111, align 4
%v112 = getelementptr float, ptr %scratch, i64 1152
store <4 x float> %v105, ptr %v112, align 4
%v113 = getelementptr float, ptr %scratch, i64 1156
store <4 x float> %v106, ptr %v113, align 4
%v114 = getelementptr float, ptr %scratch, i64 1728
store <4 x float> %v107, ptr %v114, align 4
%v115 = getelementptr float, ptr %scratch, i64 1732
store <4 x float> %v108, ptr %v115, align 4
br label %loop6
loop6:
%v116 = phi i64 [ 0, %end5 ], [ %v127, %loop6 ]
%v117 = mul i64 %v116, 576
%v118 = getelementptr float, ptr %scratch, i64 %v117
%v119 = mul i64 %v116, 8
%v120 = sub i64 40, %v119
%v121 = load <4 x float>, ptr %v118, align 4
%v122 = getelementptr float, ptr %v118, i64 4
%v123 = load <4 x float>, ptr %v122, align 4
%v124 = getelementptr float, ptr %a2, i64 %v119
store <4 x float> %v121, ptr %v124, align 4
%v125 = add i64 %v119, 4
%v126 = getelementptr float, ptr %a2, i64 %v125
store <4 x float> %v123, ptr %v126, align 4
%v127 = add i64 %v116, 1
%v128 = icmp slt i64 %v127, 4
br i1 %v128, label %loop6, label %end7
end7:
%v129 = getelementptr float, ptr %a1, i64 512
%v130 = getelementptr float, ptr %v129, i64 -384
%v131 = getelementptr float, ptr %scratch, i64 2304
%v132 = getelementptr float, ptr %a2, i64 32
store <4 x float> splat (float 0x0000000000000000), ptr %s14
store <4 x float> splat (float 0x0000000000000000), ptr %s15
store <4 x float> splat (float 0x0000000000000000), ptr %s16
store <4 x float> splat (float 0x0000000000000000), ptr %s17
store <4 x float> splat (float 0x0000000000000000), ptr %s18
store <4 x float> splat (float 0x0000000000000000), ptr %s19
store <4 x float> splat (float 0x0000000000000000), ptr %s20
store <4 x float> splat (float 0x0000000000000000), ptr %s21
br label %loop8
loop8:
%v133 = phi i64 [ 0, %end7 ], [ %v207, %loop8 ]
%v134 = mul i64 %v133, 32
%v135 = getelementptr i8, ptr %v129, i64 %v134
call void @llvm.prefetch.p0(ptr %v135, i32 0, i32 3, i32 1)
%v136 = mul i64 %v133, 8
%v137 = getelementptr float, ptr %v129, i64 %v136
%v138 = load <4 x float>, ptr %v137, align 4
%v139 = add i64 %v136, 4
%v140 = getelementptr float, ptr %v129, i64 %v139
%v141 = load <4 x float>, ptr %v140, align 4
%v142 = getelementptr float, ptr %a0, i64 %v133
%v143 = load float, ptr %v142, align 4
%v144 = insertelement <4 x float> poison, float %v143, i32 0
%v145 = shufflevector <4 x float> %v144, <4 x float> poison, <4 x i32> zeroinitializer
%v146 = load <4 x float>, ptr %s14
%v147 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v145, <4 x float> %v138, <4 x float> %v146)
store <4 x float> %v147, ptr %s14
%v148 = load <4 x float>, ptr %s18
%v149 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v145, <4 x float> %v141, <4 x float> %v148)
store <4 x float> %v149, ptr %s18
%v150 = add i64 %v133, 1
%v151 = mul i64 %v150, 32
%v152 = getelementptr i8, ptr %v129, i64 %v151
call void @llvm.prefetch.p0(ptr %v152, i32 0, i32 3, i32 1)
%v153 = mul i64 %v133, 8
%v154 = add i64 %v153, 8
%v155 = getelementptr float, ptr %v129, i64 %v154
%v156 = load <4 x float>, ptr %v155, align 4
%v157 = add i64 %v154, 4
%v158 = getelementptr float, ptr %v129, i64 %v157
%v159 = load <4 x float>, ptr %v158, align 4
%v160 = add i64 %v133, 1
%v161 = getelementptr float, ptr %a0, i64 %v160
%v162 = load float, ptr %v161, align 4
%v163 = insertelement <4 x float> poison, float %v162, i32 0
%v164 = shufflevector <4 x float> %v163, <4 x float> poison, <4 x i32> zeroinitializer
%v165 = load <4 x float>, ptr %s15
%v166 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v164, <4 x float> %v156, <4 x float> %v165)
store <4 x float> %v166, ptr %s15
%v167 = load <4 x float>, ptr %s19
%v168 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v164, <4 x float> %v159, <4 x float> %v167)
store <4 x float> %v168, ptr %s19
%v169 = add i64 %v133, 2
%v170 = mul i64 %v169, 32
%v171 = getelementptr i8, ptr %v129, i64 %v170
call void @llvm.prefetch.p0(ptr %v171, i32 0, i32 3, i32 1)
%v172 = mul i64 %v133, 8
%v173 = add i64 %v172, 16
%v174 = getelementptr float, ptr %v129, i64 %v173
%v175 = load <4 x float>, ptr %v174, align 4
%v176 = add i64 %v173, 4
%v177 = getelementptr float, ptr %v129, i64 %v176
%v178 = load <4 x float>, ptr %v177, align 4
%v179 = add i64 %v133, 2
%v180 = getelementptr float, ptr %a0, i64 %v179
%v181 = load float, ptr %v180, align 4
%v182 = insertelement <4 x float> poison, float %v181, i32 0
%v183 = shufflevector <4 x float> %v182, <4 x float> poison, <4 x i32> zeroinitializer
%v184 = load <4 x float>, ptr %s16
%v185 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v183, <4 x float> %v175, <4 x float> %v184)
store <4 x float> %v185, ptr %s16
%v186 = load <4 x float>, ptr %s20
%v187 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v183, <4 x float> %v178, <4 x float> %v186)
store <4 x float> %v187, ptr %s20
%v188 = add i64 %v133, 3
%v189 = mul i64 %v188, 32
%v190 = getelementptr i8, ptr %v129, i64 %v189
call void @llvm.prefetch.p0(ptr %v190, i32 0, i32 3, i32 1)
%v191 = mul i64 %v133, 8
%v192 = add i64 %v191, 24
%v193 = getelementptr float, ptr %v129, i64 %v192
%v194 = load <4 x float>, ptr %v193, align 4
%v195 = add i64 %v192, 4
%v196 = getelementptr float, ptr %v129, i64 %v195
%v197 = load <4 x float>, ptr %v196, align 4
%v198 = add i64 %v133, 3
%v199 = getelementptr float, ptr %a0, i64 %v198
%v200 = load float, ptr %v199, align 4
%v201 = insertelement <4 x float> poison, float %v200, i32 0
%v202 = shufflevector <4 x float> %v201, <4 x float> poison, <4 x i32> zeroinitializer
%v203 = load <4 x float>, ptr %s17
%v204 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v202, <4 x float> %v194, <4 x float> %v203)
store <4 x float> %v204, ptr %s17
%v205 = load <4 x float>, ptr %s21
%v206 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v202, <4 x float> %v197, <4 x float> %v205)
store <4 x float> %v206, ptr %s21
%v207 = add i64 %v133, 4
%v208 = icmp slt i64 %v207, 16
br i1 %v208, label %loop8, label %end9
end9:
%v209 = load <4 x float>, ptr %s14
%v210 = load <4 x float>, ptr %s15
%v211 = load <4 x float>, ptr %s16
%v212 = load <4 x float>, ptr %s17
%v213 = fadd <4 x float> %v209, %v210
%v214 = fadd <4 x float> %v211, %v212
%v215 = fadd <4 x float> %v213, %v214
%v216 = load <4 x float>, ptr %s18
%v217 = load <4 x float>, ptr %s19
%v218 = load <4 x float>, ptr %s20
%v219 = load <4 x float>, ptr %s21
%v220 = fadd <4 x float> %v216, %v217
%v221 = fadd <4 x float> %v218, %v219
%v222 = fadd <4 x float> %v220, %v221
store <4 x float> %v215, ptr %v132, align 4
%v223 = getelementptr float, ptr %v132, i64 4
store <4 x float> %v222, ptr %v223, align 4
%v224 = add i64 %v1, 1
%v225 = icmp slt i64 %v224, %end
br i1 %v225, label %loop1, label %end2
end2:
ret void
}

