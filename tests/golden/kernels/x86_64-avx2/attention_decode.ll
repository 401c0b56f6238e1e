; kernels for x86_64-avx2
; mir @attention_decode {
;   %0 = input("x1") : i32[1]
;   %1 = input("x2") : f32[1, 1, 8]
;   %2 = input("x3") : f32[1, 40, 8]
;   %3 = input("x4") : f32[1, 40, 8]
;   %4 = attention(%1, %2, %3, _, _, %0, num_heads=1, head_dim=8, mask_kind=causal, num_kv_heads=1) : f32[1, 1, 8]
;   return y1=%4
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @attention_decode_6e35fec4(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 3
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca <8 x float>
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
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
%a3.p = getelementptr i64, ptr %args, i64 2
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 4
%a4 = load ptr, ptr %a4.p, align 8
br i1 false, label %then1, label %else2
then1:
ret void
unreachable4:
br label %end3
else2:
br label %end3
end3:
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard7, label %end6
guard7:
br label %loop5
loop5:
%v1 = phi i64 [ %begin, %guard7 ], [ %v508, %end9 ]
%v2 = getelementptr i32, ptr %a0, i64 %v1
%v3 = load i32, ptr %v2, align 4
%v4 = sext i32 %v3 to i64
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 40)
%v6 = sub i64 %v4, 1
%v7 = mul i64 %v1, 8
%v8 = getelementptr float, ptr %a1, i64 %v7
%v9 = getelementptr float, ptr %scratch, i64 128
%v10 = load <8 x float>, ptr %v8, align 4
%v11 = fmul <8 x float> %v10, splat (float 0x3FD6A09E60000000)
store <8 x float> %v11, ptr %scratch, align 4
store <8 x float> splat (float 0x0000000000000000), ptr %v9, align 4
%v12 = getelementptr float, ptr %scratch, i64 8
store <8 x float> splat (float 0x0000000000000000), ptr %v12, align 4
%v13 = getelementptr float, ptr %v9, i64 8
store <8 x float> splat (float 0x0000000000000000), ptr %v13, align 4
%v14 = getelementptr float, ptr %scratch, i64 256
store <8 x float> splat (float 0xC7EFFFFFE0000000), ptr %v14, align 4
%v15 = getelementptr float, ptr %scratch, i64 320
store <8 x float> splat (float 0x0000000000000000), ptr %v15, align 4
%v16 = add i64 %v6, 1
%v17 = call i64 @llvm.smin.i64(i64 %v16, i64 %v5)
%v18 = call i64 @llvm.smin.i64(i64 %v17, i64 40)
%v19 = icmp slt i64 0, %v18
br i1 %v19, label %guard10, label %end9
guard10:
br label %loop8
loop8:
%v20 = phi i64 [ 0, %guard10 ], [ %v494, %end13 ]
%v21 = sub i64 %v18, %v20
%v22 = call i64 @llvm.smin.i64(i64 %v21, i64 64)
%v23 = add i64 %v20, %v22
%v24 = sub i64 %v23, 1
%v25 = sub i64 0, %v20
%v26 = call i64 @llvm.smax.i64(i64 %v25, i64 0)
%v27 = ashr i64 %v26, 3
%v28 = mul i64 %v27, 8
%v29 = add i64 %v6, 1
%v30 = call i64 @llvm.smin.i64(i64 %v29, i64 %v5)
%v31 = sub i64 %v30, %v20
%v32 = call i64 @llvm.smin.i64(i64 %v31, i64 %v22)
%v33 = icmp slt i64 %v28, %v32
br i1 %v33, label %then11, label %else12
then11:
%v34 = add i64 %v6, 1
%v35 = call i64 @llvm.smin.i64(i64 %v34, i64 %v5)
%v36 = sub i64 %v35, %v20
%v37 = icmp sge i64 %v36, %v32
%v38 = sub i64 0, %v20
%v39 = icmp sle i64 %v38, %v28
%v40 = and i1 %v37, %v39
%v41 = and i64 %v32, 7
%v42 = icmp eq i64 %v41, 0
%v43 = and i1 %v40, %v42
store <8 x float> splat (float 0xFFF0000000000000), ptr %s4
br i1 %v43, label %then14, label %else15
then14:
%v44 = icmp slt i64 %v28, %v32
br i1 %v44, label %guard19, label %end18
guard19:
br label %loop17
loop17:
%v45 = phi i64 [ %v28, %guard19 ], [ %v179, %loop17 ]
%v46 = add i64 %v20, %v45
%v47 = call i64 @llvm.smin.i64(i64 %v46, i64 %v24)
%v48 = mul i64 %v1, 320
%v49 = mul i64 %v47, 8
%v50 = add i64 %v48, %v49
%v51 = getelementptr float, ptr %a2, i64 %v50
store <8 x float> splat (float 0x0000000000000000), ptr %s7
%v52 = getelementptr float, ptr %v51, i64 512
call void @llvm.prefetch.p0(ptr %v52, i32 0, i32 3, i32 1)
%v53 = load <8 x float>, ptr %v51, align 4
%v54 = load <8 x float>, ptr %scratch, align 4
%v55 = load <8 x float>, ptr %s7
%v56 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v54, <8 x float> %v53, <8 x float> %v55)
store <8 x float> %v56, ptr %s7
%v57 = load <8 x float>, ptr %s7
%v58 = add i64 %v45, 1
%v59 = add i64 %v20, %v58
%v60 = call i64 @llvm.smin.i64(i64 %v59, i64 %v24)
%v61 = mul i64 %v1, 320
%v62 = mul i64 %v60, 8
%v63 = add i64 %v61, %v62
%v64 = getelementptr float, ptr %a2, i64 %v63
store <8 x float> splat (float 0x0000000000000000), ptr %s8
%v65 = getelementptr float, ptr %v64, i64 512
call void @llvm.prefetch.p0(ptr %v65, i32 0, i32 3, i32 1)
%v66 = load <8 x float>, ptr %v64, align 4
%v67 = load <8 x float>, ptr %scratch, align 4
%v68 = load <8 x float>, ptr %s8
%v69 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v67, <8 x float> %v66, <8 x float> %v68)
store <8 x float> %v69, ptr %s8
%v70 = load <8 x float>, ptr %s8
%v71 = shufflevector <8 x float> %v57, <8 x float> %v70, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v72 = shufflevector <8 x float> %v57, <8 x float> %v70, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v73 = fadd <8 x float> %v71, %v72
%v74 = add i64 %v45, 2
%v75 = add i64 %v20, %v74
%v76 = call i64 @llvm.smin.i64(i64 %v75, i64 %v24)
%v77 = mul i64 %v1, 320
%v78 = mul i64 %v76, 8
%v79 = add i64 %v77, %v78
%v80 = getelementptr float, ptr %a2, i64 %v79
store <8 x float> splat (float 0x0000000000000000), ptr %s9
%v81 = getelementptr float, ptr %v80, i64 512
call void @llvm.prefetch.p0(ptr %v81, i32 0, i32 3, i32 1)
%v82 = load <8 x float>, ptr %v80, align 4
%v83 = load <8 x float>, ptr %scratch, align 4
%v84 = load <8 x float>, ptr %s9
%v85 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v83, <8 x float> %v82, <8 x float> %v84)
store <8 x float> %v85, ptr %s9
%v86 = load <8 x float>, ptr %s9
%v87 = add i64 %v45, 3
%v88 = add i64 %v20, %v87
%v89 = call i64 @llvm.smin.i64(i64 %v88, i64 %v24)
%v90 = mul i64 %v1, 320
%v91 = mul i64 %v89, 8
%v92 = add i64 %v90, %v91
%v93 = getelementptr float, ptr %a2, i64 %v92
store <8 x float> splat (float 0x0000000000000000), ptr %s10
%v94 = getelementptr float, ptr %v93, i64 512
call void @llvm.prefetch.p0(ptr %v94, i32 0, i32 3, i32 1)
%v95 = load <8 x float>, ptr %v93, align 4
%v96 = load <8 x float>, ptr %scratch, align 4
%v97 = load <8 x float>, ptr %s10
%v98 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v96, <8 x float> %v95, <8 x float> %v97)
store <8 x float> %v98, ptr %s10
%v99 = load <8 x float>, ptr %s10
%v100 = shufflevector <8 x float> %v86, <8 x float> %v99, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v101 = shufflevector <8 x float> %v86, <8 x float> %v99, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v102 = fadd <8 x float> %v100, %v101
%v103 = shufflevector <8 x float> %v73, <8 x float> %v102, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v104 = shufflevector <8 x float> %v73, <8 x float> %v102, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v105 = fadd <8 x float> %v103, %v104
%v106 = add i64 %v45, 4
%v107 = add i64 %v20, %v106
%v108 = call i64 @llvm.smin.i64(i64 %v107, i64 %v24)
%v109 = mul i64 %v1, 320
%v110 = mul i64 %v108, 8
%v111 = add i64 %v109, %v110
%v112 = getelementptr float, ptr %a2, i64 %v111
store <8 x float> splat (float 0x0000000000000000), ptr %s11
%v113 = getelementptr float, ptr %v112, i64 512
call void @llvm.prefetch.p0(ptr %v113, i32 0, i32 3, i32 1)
%v114 = load <8 x float>, ptr %v112, align 4
%v115 = load <8 x float>, ptr %scratch, align 4
%v116 = load <8 x float>, ptr %s11
%v117 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v115, <8 x float> %v114, <8 x float> %v116)
store <8 x float> %v117, ptr %s11
%v118 = load <8 x float>, ptr %s11
%v119 = add i64 %v45, 5
%v120 = add i64 %v20, %v119
%v121 = call i64 @llvm.smin.i64(i64 %v120, i64 %v24)
%v122 = mul i64 %v1, 320
%v123 = mul i64 %v121, 8
%v124 = add i64 %v122, %v123
%v125 = getelementptr float, ptr %a2, i64 %v124
store <8 x float> splat (float 0x0000000000000000), ptr %s12
%v126 = getelementptr float, ptr %v125, i64 512
call void @llvm.prefetch.p0(ptr %v126, i32 0, i32 3, i32 1)
%v127 = load <8 x float>, ptr %v125, align 4
%v128 = load <8 x float>, ptr %scratch, align 4
%v129 = load <8 x float>, ptr %s12
%v130 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v128, <8 x float> %v127, <8 x float> %v129)
store <8 x float> %v130, ptr %s12
%v131 = load <8 x float>, ptr %s12
%v132 = shufflevector <8 x float> %v118, <8 x float> %v131, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v133 = shufflevector <8 x float> %v118, <8 x float> %v131, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v134 = fadd <8 x float> %v132, %v133
%v135 = add i64 %v45, 6
%v136 = add i64 %v20, %v135
%v137 = call i64 @llvm.smin.i64(i64 %v136, i64 %v24)
%v138 = mul i64 %v1, 320
%v139 = mul i64 %v137, 8
%v140 = add i64 %v138, %v139
%v141 = getelementptr float, ptr %a2, i64 %v140
store <8 x float> splat (float 0x0000000000000000), ptr %s13
%v142 = getelementptr float, ptr %v141, i64 512
call void @llvm.prefetch.p0(ptr %v142, i32 0, i32 3, i32 1)
%v143 = load <8 x float>, ptr %v141, align 4
%v144 = load <8 x float>, ptr %scratch, align 4
%v145 = load <8 x float>, ptr %s13
%v146 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v144, <8 x float> %v143, <8 x float> %v145)
store <8 x float> %v146, ptr %s13
%v147 = load <8 x float>, ptr %s13
%v148 = add i64 %v45, 7
%v149 = add i64 %v20, %v148
%v150 = call i64 @llvm.smin.i64(i64 %v149, i64 %v24)
%v151 = mul i64 %v1, 320
%v152 = mul i64 %v150, 8
%v153 = add i64 %v151, %v152
%v154 = getelementptr float, ptr %a2, i64 %v153
store <8 x float> splat (float 0x0000000000000000), ptr %s14
%v155 = getelementptr float, ptr %v154, i64 512
call void @llvm.prefetch.p0(ptr %v155, i32 0, i32 3, i32 1)
%v156 = load <8 x float>, ptr %v154, align 4
%v157 = load <8 x float>, ptr %scratch, align 4
%v158 = load <8 x float>, ptr %s14
%v159 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v157, <8 x float> %v156, <8 x float> %v158)
store <8 x float> %v159, ptr %s14
%v160 = load <8 x float>, ptr %s14
%v161 = shufflevector <8 x float> %v147, <8 x float> %v160, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v162 = shufflevector <8 x float> %v147, <8 x float> %v160, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v163 = fadd <8 x float> %v161, %v162
%v164 = shufflevector <8 x float> %v134, <8 x float> %v163, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v165 = shufflevector <8 x float> %v134, <8 x float> %v163, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v166 = fadd <8 x float> %v164, %v165
%v167 = shufflevector <8 x float> %v105, <8 x float> %v166, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v168 = shufflevector <8 x float> %v105, <8 x float> %v166, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v169 = fadd <8 x float> %v167, %v168
%v170 = trunc i64 %v45 to i32
%v171 = insertelement <8 x i32> poison, i32 %v170, i32 0
%v172 = shufflevector <8 x i32> %v171, <8 x i32> poison, <8 x i32> zeroinitializer
%v173 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v172
%v174 = getelementptr float, ptr %scratch, i64 400
%v175 = getelementptr float, ptr %v174, i64 %v45
store <8 x float> %v169, ptr %v175, align 4
%v176 = load <8 x float>, ptr %s4
%v177 = fcmp ogt <8 x float> %v169, %v176
%v178 = select <8 x i1> %v177, <8 x float> %v169, <8 x float> %v176
store <8 x float> %v178, ptr %s4
%v179 = add i64 %v45, 8
%v180 = icmp slt i64 %v179, %v32
br i1 %v180, label %loop17, label %end18
end18:
br label %end16
else15:
%v181 = add i64 %v6, 1
%v182 = call i64 @llvm.smin.i64(i64 %v181, i64 %v5)
%v183 = sub i64 %v182, %v20
%v184 = trunc i64 %v183 to i32
%v185 = icmp slt i64 %v28, %v32
br i1 %v185, label %guard22, label %end21
guard22:
br label %loop20
loop20:
%v186 = phi i64 [ %v28, %guard22 ], [ %v324, %loop20 ]
%v187 = add i64 %v20, %v186
%v188 = call i64 @llvm.smin.i64(i64 %v187, i64 %v24)
%v189 = mul i64 %v1, 320
%v190 = mul i64 %v188, 8
%v191 = add i64 %v189, %v190
%v192 = getelementptr float, ptr %a2, i64 %v191
store <8 x float> splat (float 0x0000000000000000), ptr %s15
%v193 = getelementptr float, ptr %v192, i64 512
call void @llvm.prefetch.p0(ptr %v193, i32 0, i32 3, i32 1)
%v194 = load <8 x float>, ptr %v192, align 4
%v195 = load <8 x float>, ptr %scratch, align 4
%v196 = load <8 x float>, ptr %s15
%v197 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v195, <8 x float> %v194, <8 x float> %v196)
store <8 x float> %v197, ptr %s15
%v198 = load <8 x float>, ptr %s15
%v199 = add i64 %v186, 1
%v200 = add i64 %v20, %v199
%v201 = call i64 @llvm.smin.i64(i64 %v200, i64 %v24)
%v202 = mul i64 %v1, 320
%v203 = mul i64 %v201, 8
%v204 = add i64 %v202, %v203
%v205 = getelementptr float, ptr %a2, i64 %v204
store <8 x float> splat (float 0x0000000000000000), ptr %s16
%v206 = getelementptr float, ptr %v205, i64 512
call void @llvm.prefetch.p0(ptr %v206, i32 0, i32 3, i32 1)
%v207 = load <8 x float>, ptr %v205, align 4
%v208 = load <8 x float>, ptr %scratch, align 4
%v209 = load <8 x float>, ptr %s16
%v210 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v208, <8 x float> %v207, <8 x float> %v209)
store <8 x float> %v210, ptr %s16
%v211 = load <8 x float>, ptr %s16
%v212 = shufflevector <8 x float> %v198, <8 x float> %v211, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v213 = shufflevector <8 x float> %v198, <8 x float> %v211, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v214 = fadd <8 x float> %v212, %v213
%v215 = add i64 %v186, 2
%v216 = add i64 %v20, %v215
%v217 = call i64 @llvm.smin.i64(i64 %v216, i64 %v24)
%v218 = mul i64 %v1, 320
%v219 = mul i64 %v217, 8
%v220 = add i64 %v218, %v219
%v221 = getelementptr float, ptr %a2, i64 %v220
store <8 x float> splat (float 0x0000000000000000), ptr %s17
%v222 = getelementptr float, ptr %v221, i64 512
call void @llvm.prefetch.p0(ptr %v222, i32 0, i32 3, i32 1)
%v223 = load <8 x float>, ptr %v221, align 4
%v224 = load <8 x float>, ptr %scratch, align 4
%v225 = load <8 x float>, ptr %s17
%v226 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v224, <8 x float> %v223, <8 x float> %v225)
store <8 x float> %v226, ptr %s17
%v227 = load <8 x float>, ptr %s17
%v228 = add i64 %v186, 3
%v229 = add i64 %v20, %v228
%v230 = call i64 @llvm.smin.i64(i64 %v229, i64 %v24)
%v231 = mul i64 %v1, 320
%v232 = mul i64 %v230, 8
%v233 = add i64 %v231, %v232
%v234 = getelementptr float, ptr %a2, i64 %v233
store <8 x float> splat (float 0x0000000000000000), ptr %s18
%v235 = getelementptr float, ptr %v234, i64 512
call void @llvm.prefetch.p0(ptr %v235, i32 0, i32 3, i32 1)
%v236 = load <8 x float>, ptr %v234, align 4
%v237 = load <8 x float>, ptr %scratch, align 4
%v238 = load <8 x float>, ptr %s18
%v239 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v237, <8 x float> %v236, <8 x float> %v238)
store <8 x float> %v239, ptr %s18
%v240 = load <8 x float>, ptr %s18
%v241 = shufflevector <8 x float> %v227, <8 x float> %v240, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v242 = shufflevector <8 x float> %v227, <8 x float> %v240, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v243 = fadd <8 x float> %v241, %v242
%v244 = shufflevector <8 x float> %v214, <8 x float> %v243, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v245 = shufflevector <8 x float> %v214, <8 x float> %v243, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v246 = fadd <8 x float> %v244, %v245
%v247 = add i64 %v186, 4
%v248 = add i64 %v20, %v247
%v249 = call i64 @llvm.smin.i64(i64 %v248, i64 %v24)
%v250 = mul i64 %v1, 320
%v251 = mul i64 %v249, 8
%v252 = add i64 %v250, %v251
%v253 = getelementptr float, ptr %a2, i64 %v252
store <8 x float> splat (float 0x0000000000000000), ptr %s19
%v254 = getelementptr float, ptr %v253, i64 512
call void @llvm.prefetch.p0(ptr %v254, i32 0, i32 3, i32 1)
%v255 = load <8 x float>, ptr %v253, align 4
%v256 = load <8 x float>, ptr %scratch, align 4
%v257 = load <8 x float>, ptr %s19
%v258 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v256, <8 x float> %v255, <8 x float> %v257)
store <8 x float> %v258, ptr %s19
%v259 = load <8 x float>, ptr %s19
%v260 = add i64 %v186, 5
%v261 = add i64 %v20, %v260
%v262 = call i64 @llvm.smin.i64(i64 %v261, i64 %v24)
%v263 = mul i64 %v1, 320
%v264 = mul i64 %v262, 8
%v265 = add i64 %v263, %v264
%v266 = getelementptr float, ptr %a2, i64 %v265
store <8 x float> splat (float 0x0000000000000000), ptr %s20
%v267 = getelementptr float, ptr %v266, i64 512
call void @llvm.prefetch.p0(ptr %v267, i32 0, i32 3, i32 1)
%v268 = load <8 x float>, ptr %v266, align 4
%v269 = load <8 x float>, ptr %scratch, align 4
%v270 = load <8 x float>, ptr %s20
%v271 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v269, <8 x float> %v268, <8 x float> %v270)
store <8 x float> %v271, ptr %s20
%v272 = load <8 x float>, ptr %s20
%v273 = shufflevector <8 x float> %v259, <8 x float> %v272, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v274 = shufflevector <8 x float> %v259, <8 x float> %v272, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v275 = fadd <8 x float> %v273, %v274
%v276 = add i64 %v186, 6
%v277 = add i64 %v20, %v276
%v278 = call i64 @llvm.smin.i64(i64 %v277, i64 %v24)
%v279 = mul i64 %v1, 320
%v280 = mul i64 %v278, 8
%v281 = add i64 %v279, %v280
%v282 = getelementptr float, ptr %a2, i64 %v281
store <8 x float> splat (float 0x0000000000000000), ptr %s21
%v283 = getelementptr float, ptr %v282, i64 512
call void @llvm.prefetch.p0(ptr %v283, i32 0, i32 3, i32 1)
%v284 = load <8 x float>, ptr %v282, align 4
%v285 = load <8 x float>, ptr %scratch, align 4
%v286 = load <8 x float>, ptr %s21
%v287 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v285, <8 x float> %v284, <8 x float> %v286)
store <8 x float> %v287, ptr %s21
%v288 = load <8 x float>, ptr %s21
%v289 = add i64 %v186, 7
%v290 = add i64 %v20, %v289
%v291 = call i64 @llvm.smin.i64(i64 %v290, i64 %v24)
%v292 = mul i64 %v1, 320
%v293 = mul i64 %v291, 8
%v294 = add i64 %v292, %v293
%v295 = getelementptr float, ptr %a2, i64 %v294
store <8 x float> splat (float 0x0000000000000000), ptr %s22
%v296 = getelementptr float, ptr %v295, i64 512
call void @llvm.prefetch.p0(ptr %v296, i32 0, i32 3, i32 1)
%v297 = load <8 x float>, ptr %v295, align 4
%v298 = load <8 x float>, ptr %scratch, align 4
%v299 = load <8 x float>, ptr %s22
%v300 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v298, <8 x float> %v297, <8 x float> %v299)
store <8 x float> %v300, ptr %s22
%v301 = load <8 x float>, ptr %s22
%v302 = shufflevector <8 x float> %v288, <8 x float> %v301, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v303 = shufflevector <8 x float> %v288, <8 x float> %v301, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v304 = fadd <8 x float> %v302, %v303
%v305 = shufflevector <8 x float> %v275, <8 x float> %v304, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v306 = shufflevector <8 x float> %v275, <8 x float> %v304, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v307 = fadd <8 x float> %v305, %v306
%v308 = shufflevector <8 x float> %v246, <8 x float> %v307, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v309 = shufflevector <8 x float> %v246, <8 x float> %v307, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v310 = fadd <8 x float> %v308, %v309
%v311 = trunc i64 %v186 to i32
%v312 = insertelement <8 x i32> poison, i32 %v311, i32 0
%v313 = shufflevector <8 x i32> %v312, <8 x i32> poison, <8 x i32> zeroinitializer
%v314 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v313
%v315 = insertelement <8 x i32> poison, i32 %v184, i32 0
%v316 = shufflevector <8 x i32> %v315, <8 x i32> poison, <8 x i32> zeroinitializer
%v317 = icmp slt <8 x i32> %v314, %v316
%v318 = select <8 x i1> %v317, <8 x float> %v310, <8 x float> splat (float 0xFFF0000000000000)
%v319 = getelementptr float, ptr %scratch, i64 400
%v320 = getelementptr float, ptr %v319, i64 %v186
store <8 x float> %v318, ptr %v320, align 4
%v321 = load <8 x float>, ptr %s4
%v322 = fcmp ogt <8 x float> %v318, %v321
%v323 = select <8 x i1> %v322, <8 x float> %v318, <8 x float> %v321
store <8 x float> %v323, ptr %s4
%v324 = add i64 %v186, 8
%v325 = icmp slt i64 %v324, %v32
br i1 %v325, label %loop20, label %end21
end21:
br label %end16
end16:
%v326 = load <8 x float>, ptr %s4
%v327 = getelementptr float, ptr %scratch, i64 256
%v328 = getelementptr float, ptr %scratch, i64 320
%v329 = shufflevector <8 x float> %v326, <8 x float> %v326, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v330 = shufflevector <8 x float> %v326, <8 x float> %v326, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v331 = fcmp ogt <8 x float> %v329, %v330
%v332 = select <8 x i1> %v331, <8 x float> %v329, <8 x float> %v330
%v333 = shufflevector <8 x float> %v332, <8 x float> %v332, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v334 = shufflevector <8 x float> %v332, <8 x float> %v332, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v335 = fcmp ogt <8 x float> %v333, %v334
%v336 = select <8 x i1> %v335, <8 x float> %v333, <8 x float> %v334
%v337 = shufflevector <8 x float> %v336, <8 x float> %v336, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v338 = shufflevector <8 x float> %v336, <8 x float> %v336, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v339 = fcmp ogt <8 x float> %v337, %v338
%v340 = select <8 x i1> %v339, <8 x float> %v337, <8 x float> %v338
%v341 = load <8 x float>, ptr %v327, align 4
%v342 = fcmp ogt <8 x float> %v340, %v341
%v343 = select <8 x i1> %v342, <8 x float> %v340, <8 x float> %v341
%v344 = freeze <8 x float> %v343
store <8 x float> %v344, ptr %v327, align 4
%v345 = fsub <8 x float> %v341, %v343
%v346 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v345
%v347 = select <8 x i1> %v346, <8 x float> splat (float 0xC056000000000000), <8 x float> %v345
%v348 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v347, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v349 = fsub <8 x float> %v348, splat (float 0x4168000FE0000000)
%v350 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v349, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v347)
%v351 = bitcast <8 x float> %v348 to <8 x i32>
%v352 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v349, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v350)
%v353 = shl <8 x i32> %v351, splat (i32 23)
%v354 = bitcast <8 x i32> %v353 to <8 x float>
%v355 = fmul <8 x float> %v352, %v352
%v356 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v352, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v357 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v352, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v358 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v355, <8 x float> %v357)
%v359 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v358, <8 x float> %v355, <8 x float> %v356)
%v360 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v355, <8 x float> %v359, <8 x float> %v352)
%v361 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v360, <8 x float> %v354, <8 x float> %v354)
%v362 = getelementptr float, ptr %scratch, i64 384
store <8 x float> %v361, ptr %v362, align 4
%v363 = load float, ptr %v327, align 4
%v364 = insertelement <8 x float> poison, float %v363, i32 0
%v365 = shufflevector <8 x float> %v364, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s23
%v366 = icmp slt i64 %v28, %v32
br i1 %v366, label %guard25, label %end24
guard25:
br label %loop23
loop23:
%v367 = phi i64 [ %v28, %guard25 ], [ %v392, %loop23 ]
%v368 = getelementptr float, ptr %scratch, i64 400
%v369 = getelementptr float, ptr %v368, i64 %v367
%v370 = load <8 x float>, ptr %v369, align 4
%v371 = fsub <8 x float> %v370, %v365
%v372 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v371
%v373 = select <8 x i1> %v372, <8 x float> splat (float 0xC056000000000000), <8 x float> %v371
%v374 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v373, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v375 = fsub <8 x float> %v374, splat (float 0x4168000FE0000000)
%v376 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v375, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v373)
%v377 = bitcast <8 x float> %v374 to <8 x i32>
%v378 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v375, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v376)
%v379 = shl <8 x i32> %v377, splat (i32 23)
%v380 = bitcast <8 x i32> %v379 to <8 x float>
%v381 = fmul <8 x float> %v378, %v378
%v382 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v378, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v383 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v378, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v384 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v381, <8 x float> %v383)
%v385 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v384, <8 x float> %v381, <8 x float> %v382)
%v386 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v381, <8 x float> %v385, <8 x float> %v378)
%v387 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v386, <8 x float> %v380, <8 x float> %v380)
%v388 = getelementptr float, ptr %scratch, i64 400
%v389 = getelementptr float, ptr %v388, i64 %v367
store <8 x float> %v387, ptr %v389, align 4
%v390 = load <8 x float>, ptr %s23
%v391 = fadd <8 x float> %v390, %v387
store <8 x float> %v391, ptr %s23
%v392 = add i64 %v367, 8
%v393 = icmp slt i64 %v392, %v32
br i1 %v393, label %loop23, label %end24
end24:
%v394 = load <8 x float>, ptr %s23
%v395 = shufflevector <8 x float> %v394, <8 x float> %v394, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v396 = shufflevector <8 x float> %v394, <8 x float> %v394, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v397 = fadd <8 x float> %v395, %v396
%v398 = shufflevector <8 x float> %v397, <8 x float> %v397, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v399 = shufflevector <8 x float> %v397, <8 x float> %v397, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v400 = fadd <8 x float> %v398, %v399
%v401 = shufflevector <8 x float> %v400, <8 x float> %v400, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v402 = shufflevector <8 x float> %v400, <8 x float> %v400, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v403 = fadd <8 x float> %v401, %v402
%v404 = load <8 x float>, ptr %v328, align 4
%v405 = getelementptr float, ptr %scratch, i64 384
%v406 = load <8 x float>, ptr %v405, align 4
%v407 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v404, <8 x float> %v406, <8 x float> %v403)
store <8 x float> %v407, ptr %v328, align 4
%v408 = getelementptr float, ptr %scratch, i64 128
%v409 = getelementptr float, ptr %scratch, i64 384
%v410 = load float, ptr %v409, align 4
%v411 = insertelement <8 x float> poison, float %v410, i32 0
%v412 = shufflevector <8 x float> %v411, <8 x float> poison, <8 x i32> zeroinitializer
%v413 = load <8 x float>, ptr %v408, align 4
%v414 = fmul <8 x float> %v413, %v412
store <8 x float> %v414, ptr %v408, align 4
%v415 = sub i64 %v32, %v28
%v416 = ashr i64 %v415, 2
%v417 = mul i64 %v416, 4
%v418 = add i64 %v28, %v417
%v419 = icmp slt i64 %v28, %v418
br i1 %v419, label %guard28, label %end27
guard28:
br label %loop26
loop26:
%v420 = phi i64 [ %v28, %guard28 ], [ %v474, %loop26 ]
%v421 = add i64 %v420, 1
%v422 = add i64 %v420, 2
%v423 = add i64 %v420, 3
%v424 = add i64 %v20, %v420
%v425 = mul i64 %v1, 320
%v426 = mul i64 %v424, 8
%v427 = add i64 %v425, %v426
%v428 = getelementptr float, ptr %a3, i64 %v427
%v429 = add i64 %v20, %v421
%v430 = mul i64 %v1, 320
%v431 = mul i64 %v429, 8
%v432 = add i64 %v430, %v431
%v433 = getelementptr float, ptr %a3, i64 %v432
%v434 = add i64 %v20, %v422
%v435 = mul i64 %v1, 320
%v436 = mul i64 %v434, 8
%v437 = add i64 %v435, %v436
%v438 = getelementptr float, ptr %a3, i64 %v437
%v439 = add i64 %v20, %v423
%v440 = mul i64 %v1, 320
%v441 = mul i64 %v439, 8
%v442 = add i64 %v440, %v441
%v443 = getelementptr float, ptr %a3, i64 %v442
%v444 = getelementptr float, ptr %scratch, i64 400
%v445 = getelementptr float, ptr %v444, i64 %v420
%v446 = load float, ptr %v445, align 4
%v447 = insertelement <8 x float> poison, float %v446, i32 0
%v448 = shufflevector <8 x float> %v447, <8 x float> poison, <8 x i32> zeroinitializer
%v449 = getelementptr float, ptr %v444, i64 %v421
%v450 = load float, ptr %v449, align 4
%v451 = insertelement <8 x float> poison, float %v450, i32 0
%v452 = shufflevector <8 x float> %v451, <8 x float> poison, <8 x i32> zeroinitializer
%v453 = getelementptr float, ptr %v444, i64 %v422
%v454 = load float, ptr %v453, align 4
%v455 = insertelement <8 x float> poison, float %v454, i32 0
%v456 = shufflevector <8 x float> %v455, <8 x float> poison, <8 x i32> zeroinitializer
%v457 = getelementptr float, ptr %v444, i64 %v423
%v458 = load float, ptr %v457, align 4
%v459 = insertelement <8 x float> poison, float %v458, i32 0
%v460 = shufflevector <8 x float> %v459, <8 x float> poison, <8 x i32> zeroinitializer
%v461 = getelementptr float, ptr %v428, i64 512
call void @llvm.prefetch.p0(ptr %v461, i32 0, i32 3, i32 1)
%v462 = getelementptr float, ptr %v433, i64 512
call void @llvm.prefetch.p0(ptr %v462, i32 0, i32 3, i32 1)
%v463 = getelementptr float, ptr %v438, i64 512
call void @llvm.prefetch.p0(ptr %v463, i32 0, i32 3, i32 1)
%v464 = getelementptr float, ptr %v443, i64 512
call void @llvm.prefetch.p0(ptr %v464, i32 0, i32 3, i32 1)
%v465 = load <8 x float>, ptr %v428, align 4
%v466 = load <8 x float>, ptr %v433, align 4
%v467 = load <8 x float>, ptr %v438, align 4
%v468 = load <8 x float>, ptr %v443, align 4
%v469 = load <8 x float>, ptr %v408, align 4
%v470 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v448, <8 x float> %v465, <8 x float> %v469)
%v471 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v452, <8 x float> %v466, <8 x float> %v470)
%v472 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v456, <8 x float> %v467, <8 x float> %v471)
%v473 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v460, <8 x float> %v468, <8 x float> %v472)
store <8 x float> %v473, ptr %v408, align 4
%v474 = add i64 %v420, 4
%v475 = icmp slt i64 %v474, %v418
br i1 %v475, label %loop26, label %end27
end27:
%v476 = icmp slt i64 %v418, %v32
br i1 %v476, label %guard31, label %end30
guard31:
br label %loop29
loop29:
%v477 = phi i64 [ %v418, %guard31 ], [ %v492, %loop29 ]
%v478 = add i64 %v20, %v477
%v479 = mul i64 %v1, 320
%v480 = mul i64 %v478, 8
%v481 = add i64 %v479, %v480
%v482 = getelementptr float, ptr %a3, i64 %v481
%v483 = getelementptr float, ptr %scratch, i64 400
%v484 = getelementptr float, ptr %v483, i64 %v477
%v485 = load float, ptr %v484, align 4
%v486 = insertelement <8 x float> poison, float %v485, i32 0
%v487 = shufflevector <8 x float> %v486, <8 x float> poison, <8 x i32> zeroinitializer
%v488 = getelementptr float, ptr %v482, i64 512
call void @llvm.prefetch.p0(ptr %v488, i32 0, i32 3, i32 1)
%v489 = load <8 x float>, ptr %v482, align 4
%v490 = load <8 x float>, ptr %v408, align 4
%v491 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v487, <8 x float> %v489, <8 x float> %v490)
store <8 x float> %v491, ptr %v408, align 4
%v492 = add i64 %v477, 1
%v493 = icmp slt i64 %v492, %v32
br i1 %v493, label %loop29, label %end30
end30:
br label %end13
else12:
br label %end13
end13:
%v494 = add i64 %v20, 64
%v495 = icmp slt i64 %v494, %v18
br i1 %v495, label %loop8, label %end9
end9:
%v496 = getelementptr float, ptr %scratch, i64 320
%v497 = load float, ptr %v496, align 4
%v498 = fcmp oeq float %v497, 0x0000000000000000
%v499 = fdiv float 0x3FF0000000000000, %v497
%v500 = select i1 %v498, float 0x0000000000000000, float %v499
%v501 = insertelement <8 x float> poison, float %v500, i32 0
%v502 = shufflevector <8 x float> %v501, <8 x float> poison, <8 x i32> zeroinitializer
%v503 = mul i64 %v1, 8
%v504 = getelementptr float, ptr %a4, i64 %v503
%v505 = getelementptr float, ptr %scratch, i64 128
%v506 = load <8 x float>, ptr %v505, align 4
%v507 = fmul <8 x float> %v506, %v502
store <8 x float> %v507, ptr %v504, align 4
%v508 = add i64 %v1, 1
%v509 = icmp slt i64 %v508, %end
br i1 %v509, label %loop5, label %end6
end6:
ret void
}

