; kernels for x86_64-avx2
; mir @region_columns {
;   %0 = input("x1") : f32[9, 37]
;   %1 = softmax(%0, axis=0) : f32[9, 37]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare <32 x float> @llvm.fma.v32f32(<32 x float>, <32 x float>, <32 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @region_b398095f(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%v0 = getelementptr i8, ptr %scratch, i64 1472
%v1 = getelementptr i8, ptr %scratch, i64 1664
%v2 = getelementptr i8, ptr %scratch, i64 1856
%v3 = getelementptr i8, ptr %scratch, i64 2048
%v4 = call i64 @llvm.smin.i64(i64 %end, i64 1)
%v5 = icmp slt i64 %begin, %v4
br i1 %v5, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v6 = phi i64 [ %begin, %guard3 ], [ %v328, %end5 ]
%v7 = mul i64 %v6, 24
%v8 = add i64 %v7, 24
%v9 = call i64 @llvm.smin.i64(i64 %v8, i64 1)
%v10 = icmp slt i64 %v7, %v9
br i1 %v10, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v11 = phi i64 [ %v7, %guard6 ], [ %v326, %end20 ]
br label %loop7
loop7:
%v12 = phi i64 [ 0, %loop4 ], [ %v14, %loop7 ]
%v13 = getelementptr float, ptr %v2, i64 %v12
store <8 x float> splat (float 0xFFF0000000000000), ptr %v13, align 4
%v14 = add i64 %v12, 8
%v15 = icmp slt i64 %v14, 37
br i1 %v15, label %loop7, label %end8
end8:
br label %loop9
loop9:
%v16 = phi i64 [ 0, %end8 ], [ %v101, %end12 ]
%v17 = mul i64 %v16, 37
%v18 = getelementptr float, ptr %a0, i64 %v17
%v19 = mul i64 %v16, 37
%v20 = getelementptr float, ptr %a1, i64 %v19
%v21 = mul i64 %v16, 40
%v22 = getelementptr float, ptr %scratch, i64 %v21
%v23 = add i64 %v16, 1
%v24 = mul i64 %v23, 37
%v25 = getelementptr float, ptr %a0, i64 %v24
%v26 = mul i64 %v23, 37
%v27 = getelementptr float, ptr %a1, i64 %v26
%v28 = mul i64 %v23, 40
%v29 = getelementptr float, ptr %scratch, i64 %v28
%v30 = add i64 %v16, 2
%v31 = mul i64 %v30, 37
%v32 = getelementptr float, ptr %a0, i64 %v31
%v33 = mul i64 %v30, 37
%v34 = getelementptr float, ptr %a1, i64 %v33
%v35 = mul i64 %v30, 40
%v36 = getelementptr float, ptr %scratch, i64 %v35
%v37 = add i64 %v16, 3
%v38 = mul i64 %v37, 37
%v39 = getelementptr float, ptr %a0, i64 %v38
%v40 = mul i64 %v37, 37
%v41 = getelementptr float, ptr %a1, i64 %v40
%v42 = mul i64 %v37, 40
%v43 = getelementptr float, ptr %scratch, i64 %v42
br label %loop11
loop11:
%v44 = phi i64 [ 0, %loop9 ], [ %v72, %loop11 ]
%v45 = getelementptr float, ptr %v18, i64 %v44
%v46 = load <8 x float>, ptr %v45, align 4
%v47 = getelementptr float, ptr %v25, i64 %v44
%v48 = load <8 x float>, ptr %v47, align 4
%v49 = getelementptr float, ptr %v32, i64 %v44
%v50 = load <8 x float>, ptr %v49, align 4
%v51 = getelementptr float, ptr %v39, i64 %v44
%v52 = load <8 x float>, ptr %v51, align 4
%v53 = fcmp ogt <8 x float> %v46, %v48
%v54 = select <8 x i1> %v53, <8 x float> %v46, <8 x float> %v48
%v55 = fcmp uno <8 x float> %v46, %v46
%v56 = select <8 x i1> %v55, <8 x float> %v46, <8 x float> %v54
%v57 = fcmp ogt <8 x float> %v50, %v52
%v58 = select <8 x i1> %v57, <8 x float> %v50, <8 x float> %v52
%v59 = fcmp uno <8 x float> %v50, %v50
%v60 = select <8 x i1> %v59, <8 x float> %v50, <8 x float> %v58
%v61 = fcmp ogt <8 x float> %v56, %v60
%v62 = select <8 x i1> %v61, <8 x float> %v56, <8 x float> %v60
%v63 = fcmp uno <8 x float> %v56, %v56
%v64 = select <8 x i1> %v63, <8 x float> %v56, <8 x float> %v62
%v65 = getelementptr float, ptr %v2, i64 %v44
%v66 = load <8 x float>, ptr %v65, align 4
%v67 = fcmp ogt <8 x float> %v66, %v64
%v68 = select <8 x i1> %v67, <8 x float> %v66, <8 x float> %v64
%v69 = fcmp uno <8 x float> %v66, %v66
%v70 = select <8 x i1> %v69, <8 x float> %v66, <8 x float> %v68
%v71 = getelementptr float, ptr %v2, i64 %v44
store <8 x float> %v70, ptr %v71, align 4
%v72 = add i64 %v44, 8
%v73 = icmp slt i64 %v72, 32
br i1 %v73, label %loop11, label %end12
end12:
%v74 = getelementptr float, ptr %v18, i64 32
%v75 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v74, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v76 = getelementptr float, ptr %v25, i64 32
%v77 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v76, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v78 = getelementptr float, ptr %v32, i64 32
%v79 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v78, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v80 = getelementptr float, ptr %v39, i64 32
%v81 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v80, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v82 = fcmp ogt <8 x float> %v75, %v77
%v83 = select <8 x i1> %v82, <8 x float> %v75, <8 x float> %v77
%v84 = fcmp uno <8 x float> %v75, %v75
%v85 = select <8 x i1> %v84, <8 x float> %v75, <8 x float> %v83
%v86 = fcmp ogt <8 x float> %v79, %v81
%v87 = select <8 x i1> %v86, <8 x float> %v79, <8 x float> %v81
%v88 = fcmp uno <8 x float> %v79, %v79
%v89 = select <8 x i1> %v88, <8 x float> %v79, <8 x float> %v87
%v90 = fcmp ogt <8 x float> %v85, %v89
%v91 = select <8 x i1> %v90, <8 x float> %v85, <8 x float> %v89
%v92 = fcmp uno <8 x float> %v85, %v85
%v93 = select <8 x i1> %v92, <8 x float> %v85, <8 x float> %v91
%v94 = getelementptr float, ptr %v2, i64 32
%v95 = load <8 x float>, ptr %v94, align 4
%v96 = fcmp ogt <8 x float> %v95, %v93
%v97 = select <8 x i1> %v96, <8 x float> %v95, <8 x float> %v93
%v98 = fcmp uno <8 x float> %v95, %v95
%v99 = select <8 x i1> %v98, <8 x float> %v95, <8 x float> %v97
%v100 = getelementptr float, ptr %v2, i64 32
store <8 x float> %v99, ptr %v100, align 4
%v101 = add i64 %v16, 4
%v102 = icmp slt i64 %v101, 8
br i1 %v102, label %loop9, label %end10
end10:
%v103 = getelementptr float, ptr %a0, i64 296
%v104 = getelementptr float, ptr %a1, i64 296
%v105 = getelementptr float, ptr %scratch, i64 320
%v106 = load <32 x float>, ptr %v103, align 4
%v107 = load <32 x float>, ptr %v2, align 4
%v108 = fcmp ogt <32 x float> %v107, %v106
%v109 = select <32 x i1> %v108, <32 x float> %v107, <32 x float> %v106
%v110 = fcmp uno <32 x float> %v107, %v107
%v111 = select <32 x i1> %v110, <32 x float> %v107, <32 x float> %v109
store <32 x float> %v111, ptr %v2, align 4
%v112 = getelementptr float, ptr %v103, i64 32
%v113 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v112, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v114 = getelementptr float, ptr %v2, i64 32
%v115 = load <8 x float>, ptr %v114, align 4
%v116 = fcmp ogt <8 x float> %v115, %v113
%v117 = select <8 x i1> %v116, <8 x float> %v115, <8 x float> %v113
%v118 = fcmp uno <8 x float> %v115, %v115
%v119 = select <8 x i1> %v118, <8 x float> %v115, <8 x float> %v117
%v120 = getelementptr float, ptr %v2, i64 32
store <8 x float> %v119, ptr %v120, align 4
%v121 = load <32 x float>, ptr %v2, align 4
store <32 x float> %v121, ptr %v0, align 4
%v122 = getelementptr float, ptr %v2, i64 32
%v123 = load <8 x float>, ptr %v122, align 4
%v124 = getelementptr float, ptr %v0, i64 32
store <8 x float> %v123, ptr %v124, align 4
br label %loop13
loop13:
%v125 = phi i64 [ 0, %end10 ], [ %v127, %loop13 ]
%v126 = getelementptr float, ptr %v3, i64 %v125
store <8 x float> splat (float 0x0000000000000000), ptr %v126, align 4
%v127 = add i64 %v125, 8
%v128 = icmp slt i64 %v127, 37
br i1 %v128, label %loop13, label %end14
end14:
br label %loop15
loop15:
%v129 = phi i64 [ 0, %end14 ], [ %v248, %end18 ]
%v130 = mul i64 %v129, 37
%v131 = getelementptr float, ptr %a0, i64 %v130
%v132 = mul i64 %v129, 37
%v133 = getelementptr float, ptr %a1, i64 %v132
%v134 = mul i64 %v129, 40
%v135 = getelementptr float, ptr %scratch, i64 %v134
%v136 = add i64 %v129, 1
%v137 = mul i64 %v136, 37
%v138 = getelementptr float, ptr %a0, i64 %v137
%v139 = mul i64 %v136, 37
%v140 = getelementptr float, ptr %a1, i64 %v139
%v141 = mul i64 %v136, 40
%v142 = getelementptr float, ptr %scratch, i64 %v141
br label %loop17
loop17:
%v143 = phi i64 [ 0, %loop15 ], [ %v195, %loop17 ]
%v144 = getelementptr float, ptr %v131, i64 %v143
%v145 = load <16 x float>, ptr %v144, align 4
%v146 = getelementptr float, ptr %v0, i64 %v143
%v147 = load <16 x float>, ptr %v146, align 4
%v148 = fsub <16 x float> %v145, %v147
%v149 = fcmp ogt <16 x float> splat (float 0xC05A400000000000), %v148
%v150 = select <16 x i1> %v149, <16 x float> splat (float 0xC05A400000000000), <16 x float> %v148
%v151 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v150, <16 x float> splat (float 0x3FF7154760000000), <16 x float> splat (float 0x41680017E0000000))
%v152 = fsub <16 x float> %v151, splat (float 0x41680017E0000000)
%v153 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v152, <16 x float> splat (float 0xBFE62E4000000000), <16 x float> %v150)
%v154 = bitcast <16 x float> %v151 to <16 x i32>
%v155 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v152, <16 x float> splat (float 0xBEB7F7D1C0000000), <16 x float> %v153)
%v156 = shl <16 x i32> %v154, splat (i32 23)
%v157 = bitcast <16 x i32> %v156 to <16 x float>
%v158 = fmul <16 x float> %v155, %v155
%v159 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v155, <16 x float> splat (float 0x3FC5554820000000), <16 x float> splat (float 0x3FE0000000000000))
%v160 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v155, <16 x float> splat (float 0x3F81244B20000000), <16 x float> splat (float 0x3FA5555280000000))
%v161 = call <16 x float> @llvm.fma.v16f32(<16 x float> splat (float 0x3F56CF7760000000), <16 x float> %v158, <16 x float> %v160)
%v162 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v161, <16 x float> %v158, <16 x float> %v159)
%v163 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v158, <16 x float> %v162, <16 x float> %v155)
%v164 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v163, <16 x float> %v157, <16 x float> %v157)
%v165 = fmul <16 x float> %v164, splat (float 0x3BF0000000000000)
%v166 = getelementptr float, ptr %v138, i64 %v143
%v167 = load <16 x float>, ptr %v166, align 4
%v168 = getelementptr float, ptr %v0, i64 %v143
%v169 = load <16 x float>, ptr %v168, align 4
%v170 = fsub <16 x float> %v167, %v169
%v171 = fcmp ogt <16 x float> splat (float 0xC05A400000000000), %v170
%v172 = select <16 x i1> %v171, <16 x float> splat (float 0xC05A400000000000), <16 x float> %v170
%v173 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v172, <16 x float> splat (float 0x3FF7154760000000), <16 x float> splat (float 0x41680017E0000000))
%v174 = fsub <16 x float> %v173, splat (float 0x41680017E0000000)
%v175 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v174, <16 x float> splat (float 0xBFE62E4000000000), <16 x float> %v172)
%v176 = bitcast <16 x float> %v173 to <16 x i32>
%v177 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v174, <16 x float> splat (float 0xBEB7F7D1C0000000), <16 x float> %v175)
%v178 = shl <16 x i32> %v176, splat (i32 23)
%v179 = bitcast <16 x i32> %v178 to <16 x float>
%v180 = fmul <16 x float> %v177, %v177
%v181 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v177, <16 x float> splat (float 0x3FC5554820000000), <16 x float> splat (float 0x3FE0000000000000))
%v182 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v177, <16 x float> splat (float 0x3F81244B20000000), <16 x float> splat (float 0x3FA5555280000000))
%v183 = call <16 x float> @llvm.fma.v16f32(<16 x float> splat (float 0x3F56CF7760000000), <16 x float> %v180, <16 x float> %v182)
%v184 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v183, <16 x float> %v180, <16 x float> %v181)
%v185 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v180, <16 x float> %v184, <16 x float> %v177)
%v186 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v185, <16 x float> %v179, <16 x float> %v179)
%v187 = fmul <16 x float> %v186, splat (float 0x3BF0000000000000)
%v188 = getelementptr float, ptr %v135, i64 %v143
store <16 x float> %v165, ptr %v188, align 4
%v189 = getelementptr float, ptr %v142, i64 %v143
store <16 x float> %v187, ptr %v189, align 4
%v190 = fadd <16 x float> %v165, %v187
%v191 = getelementptr float, ptr %v3, i64 %v143
%v192 = load <16 x float>, ptr %v191, align 4
%v193 = fadd <16 x float> %v192, %v190
%v194 = getelementptr float, ptr %v3, i64 %v143
store <16 x float> %v193, ptr %v194, align 4
%v195 = add i64 %v143, 16
%v196 = icmp slt i64 %v195, 32
br i1 %v196, label %loop17, label %end18
end18:
%v197 = getelementptr float, ptr %v131, i64 32
%v198 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v197, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v199 = getelementptr float, ptr %v0, i64 32
%v200 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v199, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v201 = fsub <8 x float> %v198, %v200
%v202 = fcmp ogt <8 x float> splat (float 0xC05A400000000000), %v201
%v203 = select <8 x i1> %v202, <8 x float> splat (float 0xC05A400000000000), <8 x float> %v201
%v204 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v203, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x41680017E0000000))
%v205 = fsub <8 x float> %v204, splat (float 0x41680017E0000000)
%v206 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v205, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v203)
%v207 = bitcast <8 x float> %v204 to <8 x i32>
%v208 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v205, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v206)
%v209 = shl <8 x i32> %v207, splat (i32 23)
%v210 = bitcast <8 x i32> %v209 to <8 x float>
%v211 = fmul <8 x float> %v208, %v208
%v212 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v208, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v213 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v208, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v214 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v211, <8 x float> %v213)
%v215 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v214, <8 x float> %v211, <8 x float> %v212)
%v216 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v211, <8 x float> %v215, <8 x float> %v208)
%v217 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v216, <8 x float> %v210, <8 x float> %v210)
%v218 = fmul <8 x float> %v217, splat (float 0x3BF0000000000000)
%v219 = getelementptr float, ptr %v138, i64 32
%v220 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v219, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v221 = getelementptr float, ptr %v0, i64 32
%v222 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v221, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v223 = fsub <8 x float> %v220, %v222
%v224 = fcmp ogt <8 x float> splat (float 0xC05A400000000000), %v223
%v225 = select <8 x i1> %v224, <8 x float> splat (float 0xC05A400000000000), <8 x float> %v223
%v226 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v225, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x41680017E0000000))
%v227 = fsub <8 x float> %v226, splat (float 0x41680017E0000000)
%v228 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v227, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v225)
%v229 = bitcast <8 x float> %v226 to <8 x i32>
%v230 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v227, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v228)
%v231 = shl <8 x i32> %v229, splat (i32 23)
%v232 = bitcast <8 x i32> %v231 to <8 x float>
%v233 = fmul <8 x float> %v230, %v230
%v234 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v230, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v235 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v230, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v236 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v233, <8 x float> %v235)
%v237 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v236, <8 x float> %v233, <8 x float> %v234)
%v238 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v233, <8 x float> %v237, <8 x float> %v230)
%v239 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v238, <8 x float> %v232, <8 x float> %v232)
%v240 = fmul <8 x float> %v239, splat (float 0x3BF0000000000000)
%v241 = getelementptr float, ptr %v135, i64 32
store <8 x float> %v218, ptr %v241, align 4
%v242 = getelementptr float, ptr %v142, i64 32
store <8 x float> %v240, ptr %v242, align 4
%v243 = fadd <8 x float> %v218, %v240
%v244 = getelementptr float, ptr %v3, i64 32
%v245 = load <8 x float>, ptr %v244, align 4
%v246 = fadd <8 x float> %v245, %v243
%v247 = getelementptr float, ptr %v3, i64 32
store <8 x float> %v246, ptr %v247, align 4
%v248 = add i64 %v129, 2
%v249 = icmp slt i64 %v248, 8
br i1 %v249, label %loop15, label %end16
end16:
%v250 = getelementptr float, ptr %a0, i64 296
%v251 = getelementptr float, ptr %a1, i64 296
%v252 = getelementptr float, ptr %scratch, i64 320
%v253 = load <32 x float>, ptr %v250, align 4
%v254 = load <32 x float>, ptr %v0, align 4
%v255 = fsub <32 x float> %v253, %v254
%v256 = fcmp ogt <32 x float> splat (float 0xC05A400000000000), %v255
%v257 = select <32 x i1> %v256, <32 x float> splat (float 0xC05A400000000000), <32 x float> %v255
%v258 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v257, <32 x float> splat (float 0x3FF7154760000000), <32 x float> splat (float 0x41680017E0000000))
%v259 = fsub <32 x float> %v258, splat (float 0x41680017E0000000)
%v260 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v259, <32 x float> splat (float 0xBFE62E4000000000), <32 x float> %v257)
%v261 = bitcast <32 x float> %v258 to <32 x i32>
%v262 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v259, <32 x float> splat (float 0xBEB7F7D1C0000000), <32 x float> %v260)
%v263 = shl <32 x i32> %v261, splat (i32 23)
%v264 = bitcast <32 x i32> %v263 to <32 x float>
%v265 = fmul <32 x float> %v262, %v262
%v266 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v262, <32 x float> splat (float 0x3FC5554820000000), <32 x float> splat (float 0x3FE0000000000000))
%v267 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v262, <32 x float> splat (float 0x3F81244B20000000), <32 x float> splat (float 0x3FA5555280000000))
%v268 = call <32 x float> @llvm.fma.v32f32(<32 x float> splat (float 0x3F56CF7760000000), <32 x float> %v265, <32 x float> %v267)
%v269 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v268, <32 x float> %v265, <32 x float> %v266)
%v270 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v265, <32 x float> %v269, <32 x float> %v262)
%v271 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v270, <32 x float> %v264, <32 x float> %v264)
%v272 = fmul <32 x float> %v271, splat (float 0x3BF0000000000000)
store <32 x float> %v272, ptr %v252, align 4
%v273 = load <32 x float>, ptr %v3, align 4
%v274 = fadd <32 x float> %v273, %v272
store <32 x float> %v274, ptr %v3, align 4
%v275 = getelementptr float, ptr %v250, i64 32
%v276 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v275, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v277 = getelementptr float, ptr %v0, i64 32
%v278 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v277, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v279 = fsub <8 x float> %v276, %v278
%v280 = fcmp ogt <8 x float> splat (float 0xC05A400000000000), %v279
%v281 = select <8 x i1> %v280, <8 x float> splat (float 0xC05A400000000000), <8 x float> %v279
%v282 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v281, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x41680017E0000000))
%v283 = fsub <8 x float> %v282, splat (float 0x41680017E0000000)
%v284 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v283, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v281)
%v285 = bitcast <8 x float> %v282 to <8 x i32>
%v286 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v283, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v284)
%v287 = shl <8 x i32> %v285, splat (i32 23)
%v288 = bitcast <8 x i32> %v287 to <8 x float>
%v289 = fmul <8 x float> %v286, %v286
%v290 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v286, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v291 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v286, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v292 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v289, <8 x float> %v291)
%v293 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v292, <8 x float> %v289, <8 x float> %v290)
%v294 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v289, <8 x float> %v293, <8 x float> %v286)
%v295 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v294, <8 x float> %v288, <8 x float> %v288)
%v296 = fmul <8 x float> %v295, splat (float 0x3BF0000000000000)
%v297 = getelementptr float, ptr %v252, i64 32
store <8 x float> %v296, ptr %v297, align 4
%v298 = getelementptr float, ptr %v3, i64 32
%v299 = load <8 x float>, ptr %v298, align 4
%v300 = fadd <8 x float> %v299, %v296
%v301 = getelementptr float, ptr %v3, i64 32
store <8 x float> %v300, ptr %v301, align 4
%v302 = load <32 x float>, ptr %v3, align 4
%v303 = fdiv <32 x float> splat (float 0x3FF0000000000000), %v302
store <32 x float> %v303, ptr %v1, align 4
%v304 = getelementptr float, ptr %v3, i64 32
%v305 = load <8 x float>, ptr %v304, align 4
%v306 = fdiv <8 x float> splat (float 0x3FF0000000000000), %v305
%v307 = getelementptr float, ptr %v1, i64 32
store <8 x float> %v306, ptr %v307, align 4
br label %loop19
loop19:
%v308 = phi i64 [ 0, %end16 ], [ %v324, %loop19 ]
%v309 = mul i64 %v308, 37
%v310 = getelementptr float, ptr %a0, i64 %v309
%v311 = mul i64 %v308, 37
%v312 = getelementptr float, ptr %a1, i64 %v311
%v313 = mul i64 %v308, 40
%v314 = getelementptr float, ptr %scratch, i64 %v313
%v315 = load <32 x float>, ptr %v314, align 4
%v316 = load <32 x float>, ptr %v1, align 4
%v317 = fmul <32 x float> %v315, %v316
store <32 x float> %v317, ptr %v312, align 4
%v318 = getelementptr float, ptr %v314, i64 32
%v319 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v318, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v320 = getelementptr float, ptr %v1, i64 32
%v321 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v320, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v322 = fmul <8 x float> %v319, %v321
%v323 = getelementptr float, ptr %v312, i64 32
call void @llvm.masked.store.v8f32.p0(<8 x float> %v322, ptr %v323, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>)
%v324 = add i64 %v308, 1
%v325 = icmp slt i64 %v324, 9
br i1 %v325, label %loop19, label %end20
end20:
%v326 = add i64 %v11, 1
%v327 = icmp slt i64 %v326, %v9
br i1 %v327, label %loop4, label %end5
end5:
%v328 = add i64 %v6, 1
%v329 = icmp slt i64 %v328, %v4
br i1 %v329, label %loop1, label %end2
end2:
ret void
}

