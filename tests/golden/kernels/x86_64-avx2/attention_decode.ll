; kernels for x86_64-avx2
; mir @attention_decode {
;   %0 = input("x1") : f32[1, 1, 8]
;   %1 = input("x2") : f32[1, 2000, 8]
;   %2 = input("x3") : f32[1, 2000, 8]
;   %3 = input("x4") : i32[1]
;   %4 = attention(%0, %1, %2, _, _, %3, num_heads=1, head_dim=8, mask_kind=causal, num_kv_heads=1) : f32[1, 1, 8]
;   return y1=%4
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @attention_chunks_73cf7bc8(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%a4.p = getelementptr i64, ptr %args, i64 5
%a4 = load ptr, ptr %a4.p, align 8
%a5.p = getelementptr i64, ptr %args, i64 6
%a5 = load ptr, ptr %a5.p, align 8
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
%v1 = phi i64 [ %begin, %guard7 ], [ %v522, %end9 ]
%v2 = ashr i64 %v1, 2
%v3 = and i64 %v1, 3
%v4 = getelementptr i32, ptr %a0, i64 %v2
%v5 = load i32, ptr %v4, align 4
%v6 = sext i32 %v5 to i64
%v7 = call i64 @llvm.smin.i64(i64 %v6, i64 2000)
%v8 = sub i64 %v6, 1
%v9 = mul i64 %v3, 512
%v10 = add i64 %v9, 512
%v11 = mul i64 %v2, 8
%v12 = getelementptr float, ptr %a1, i64 %v11
%v13 = getelementptr float, ptr %scratch, i64 128
%v14 = load <8 x float>, ptr %v12, align 4
%v15 = fmul <8 x float> %v14, splat (float 0x3FD6A09E60000000)
store <8 x float> %v15, ptr %scratch, align 4
store <8 x float> splat (float 0x0000000000000000), ptr %v13, align 4
%v16 = getelementptr float, ptr %scratch, i64 8
store <8 x float> splat (float 0x0000000000000000), ptr %v16, align 4
%v17 = getelementptr float, ptr %v13, i64 8
store <8 x float> splat (float 0x0000000000000000), ptr %v17, align 4
%v18 = getelementptr float, ptr %scratch, i64 256
store <8 x float> splat (float 0xC7EFFFFFE0000000), ptr %v18, align 4
%v19 = getelementptr float, ptr %scratch, i64 320
store <8 x float> splat (float 0x0000000000000000), ptr %v19, align 4
%v20 = call i64 @llvm.smax.i64(i64 0, i64 %v9)
%v21 = add i64 %v8, 1
%v22 = call i64 @llvm.smin.i64(i64 %v21, i64 %v7)
%v23 = call i64 @llvm.smin.i64(i64 %v22, i64 %v10)
%v24 = icmp slt i64 %v20, %v23
br i1 %v24, label %guard10, label %end9
guard10:
br label %loop8
loop8:
%v25 = phi i64 [ %v20, %guard10 ], [ %v499, %end13 ]
%v26 = sub i64 %v23, %v25
%v27 = call i64 @llvm.smin.i64(i64 %v26, i64 64)
%v28 = add i64 %v25, %v27
%v29 = sub i64 %v28, 1
%v30 = sub i64 0, %v25
%v31 = call i64 @llvm.smax.i64(i64 %v30, i64 0)
%v32 = ashr i64 %v31, 3
%v33 = mul i64 %v32, 8
%v34 = add i64 %v8, 1
%v35 = call i64 @llvm.smin.i64(i64 %v34, i64 %v7)
%v36 = sub i64 %v35, %v25
%v37 = call i64 @llvm.smin.i64(i64 %v36, i64 %v27)
%v38 = icmp slt i64 %v33, %v37
br i1 %v38, label %then11, label %else12
then11:
%v39 = add i64 %v8, 1
%v40 = call i64 @llvm.smin.i64(i64 %v39, i64 %v7)
%v41 = sub i64 %v40, %v25
%v42 = icmp sge i64 %v41, %v37
%v43 = sub i64 0, %v25
%v44 = icmp sle i64 %v43, %v33
%v45 = and i1 %v42, %v44
%v46 = and i64 %v37, 7
%v47 = icmp eq i64 %v46, 0
%v48 = and i1 %v45, %v47
store <8 x float> splat (float 0xFFF0000000000000), ptr %s4
br i1 %v48, label %then14, label %else15
then14:
%v49 = icmp slt i64 %v33, %v37
br i1 %v49, label %guard19, label %end18
guard19:
br label %loop17
loop17:
%v50 = phi i64 [ %v33, %guard19 ], [ %v184, %loop17 ]
%v51 = add i64 %v25, %v50
%v52 = call i64 @llvm.smin.i64(i64 %v51, i64 %v29)
%v53 = mul i64 %v2, 16000
%v54 = mul i64 %v52, 8
%v55 = add i64 %v53, %v54
%v56 = getelementptr float, ptr %a2, i64 %v55
store <8 x float> splat (float 0x0000000000000000), ptr %s7
%v57 = getelementptr float, ptr %v56, i64 512
call void @llvm.prefetch.p0(ptr %v57, i32 0, i32 3, i32 1)
%v58 = load <8 x float>, ptr %v56, align 4
%v59 = load <8 x float>, ptr %scratch, align 4
%v60 = load <8 x float>, ptr %s7
%v61 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v59, <8 x float> %v58, <8 x float> %v60)
store <8 x float> %v61, ptr %s7
%v62 = load <8 x float>, ptr %s7
%v63 = add i64 %v50, 1
%v64 = add i64 %v25, %v63
%v65 = call i64 @llvm.smin.i64(i64 %v64, i64 %v29)
%v66 = mul i64 %v2, 16000
%v67 = mul i64 %v65, 8
%v68 = add i64 %v66, %v67
%v69 = getelementptr float, ptr %a2, i64 %v68
store <8 x float> splat (float 0x0000000000000000), ptr %s8
%v70 = getelementptr float, ptr %v69, i64 512
call void @llvm.prefetch.p0(ptr %v70, i32 0, i32 3, i32 1)
%v71 = load <8 x float>, ptr %v69, align 4
%v72 = load <8 x float>, ptr %scratch, align 4
%v73 = load <8 x float>, ptr %s8
%v74 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v72, <8 x float> %v71, <8 x float> %v73)
store <8 x float> %v74, ptr %s8
%v75 = load <8 x float>, ptr %s8
%v76 = shufflevector <8 x float> %v62, <8 x float> %v75, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v77 = shufflevector <8 x float> %v62, <8 x float> %v75, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v78 = fadd <8 x float> %v76, %v77
%v79 = add i64 %v50, 2
%v80 = add i64 %v25, %v79
%v81 = call i64 @llvm.smin.i64(i64 %v80, i64 %v29)
%v82 = mul i64 %v2, 16000
%v83 = mul i64 %v81, 8
%v84 = add i64 %v82, %v83
%v85 = getelementptr float, ptr %a2, i64 %v84
store <8 x float> splat (float 0x0000000000000000), ptr %s9
%v86 = getelementptr float, ptr %v85, i64 512
call void @llvm.prefetch.p0(ptr %v86, i32 0, i32 3, i32 1)
%v87 = load <8 x float>, ptr %v85, align 4
%v88 = load <8 x float>, ptr %scratch, align 4
%v89 = load <8 x float>, ptr %s9
%v90 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v88, <8 x float> %v87, <8 x float> %v89)
store <8 x float> %v90, ptr %s9
%v91 = load <8 x float>, ptr %s9
%v92 = add i64 %v50, 3
%v93 = add i64 %v25, %v92
%v94 = call i64 @llvm.smin.i64(i64 %v93, i64 %v29)
%v95 = mul i64 %v2, 16000
%v96 = mul i64 %v94, 8
%v97 = add i64 %v95, %v96
%v98 = getelementptr float, ptr %a2, i64 %v97
store <8 x float> splat (float 0x0000000000000000), ptr %s10
%v99 = getelementptr float, ptr %v98, i64 512
call void @llvm.prefetch.p0(ptr %v99, i32 0, i32 3, i32 1)
%v100 = load <8 x float>, ptr %v98, align 4
%v101 = load <8 x float>, ptr %scratch, align 4
%v102 = load <8 x float>, ptr %s10
%v103 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v101, <8 x float> %v100, <8 x float> %v102)
store <8 x float> %v103, ptr %s10
%v104 = load <8 x float>, ptr %s10
%v105 = shufflevector <8 x float> %v91, <8 x float> %v104, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v106 = shufflevector <8 x float> %v91, <8 x float> %v104, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v107 = fadd <8 x float> %v105, %v106
%v108 = shufflevector <8 x float> %v78, <8 x float> %v107, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v109 = shufflevector <8 x float> %v78, <8 x float> %v107, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v110 = fadd <8 x float> %v108, %v109
%v111 = add i64 %v50, 4
%v112 = add i64 %v25, %v111
%v113 = call i64 @llvm.smin.i64(i64 %v112, i64 %v29)
%v114 = mul i64 %v2, 16000
%v115 = mul i64 %v113, 8
%v116 = add i64 %v114, %v115
%v117 = getelementptr float, ptr %a2, i64 %v116
store <8 x float> splat (float 0x0000000000000000), ptr %s11
%v118 = getelementptr float, ptr %v117, i64 512
call void @llvm.prefetch.p0(ptr %v118, i32 0, i32 3, i32 1)
%v119 = load <8 x float>, ptr %v117, align 4
%v120 = load <8 x float>, ptr %scratch, align 4
%v121 = load <8 x float>, ptr %s11
%v122 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v120, <8 x float> %v119, <8 x float> %v121)
store <8 x float> %v122, ptr %s11
%v123 = load <8 x float>, ptr %s11
%v124 = add i64 %v50, 5
%v125 = add i64 %v25, %v124
%v126 = call i64 @llvm.smin.i64(i64 %v125, i64 %v29)
%v127 = mul i64 %v2, 16000
%v128 = mul i64 %v126, 8
%v129 = add i64 %v127, %v128
%v130 = getelementptr float, ptr %a2, i64 %v129
store <8 x float> splat (float 0x0000000000000000), ptr %s12
%v131 = getelementptr float, ptr %v130, i64 512
call void @llvm.prefetch.p0(ptr %v131, i32 0, i32 3, i32 1)
%v132 = load <8 x float>, ptr %v130, align 4
%v133 = load <8 x float>, ptr %scratch, align 4
%v134 = load <8 x float>, ptr %s12
%v135 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v133, <8 x float> %v132, <8 x float> %v134)
store <8 x float> %v135, ptr %s12
%v136 = load <8 x float>, ptr %s12
%v137 = shufflevector <8 x float> %v123, <8 x float> %v136, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v138 = shufflevector <8 x float> %v123, <8 x float> %v136, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v139 = fadd <8 x float> %v137, %v138
%v140 = add i64 %v50, 6
%v141 = add i64 %v25, %v140
%v142 = call i64 @llvm.smin.i64(i64 %v141, i64 %v29)
%v143 = mul i64 %v2, 16000
%v144 = mul i64 %v142, 8
%v145 = add i64 %v143, %v144
%v146 = getelementptr float, ptr %a2, i64 %v145
store <8 x float> splat (float 0x0000000000000000), ptr %s13
%v147 = getelementptr float, ptr %v146, i64 512
call void @llvm.prefetch.p0(ptr %v147, i32 0, i32 3, i32 1)
%v148 = load <8 x float>, ptr %v146, align 4
%v149 = load <8 x float>, ptr %scratch, align 4
%v150 = load <8 x float>, ptr %s13
%v151 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v149, <8 x float> %v148, <8 x float> %v150)
store <8 x float> %v151, ptr %s13
%v152 = load <8 x float>, ptr %s13
%v153 = add i64 %v50, 7
%v154 = add i64 %v25, %v153
%v155 = call i64 @llvm.smin.i64(i64 %v154, i64 %v29)
%v156 = mul i64 %v2, 16000
%v157 = mul i64 %v155, 8
%v158 = add i64 %v156, %v157
%v159 = getelementptr float, ptr %a2, i64 %v158
store <8 x float> splat (float 0x0000000000000000), ptr %s14
%v160 = getelementptr float, ptr %v159, i64 512
call void @llvm.prefetch.p0(ptr %v160, i32 0, i32 3, i32 1)
%v161 = load <8 x float>, ptr %v159, align 4
%v162 = load <8 x float>, ptr %scratch, align 4
%v163 = load <8 x float>, ptr %s14
%v164 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v162, <8 x float> %v161, <8 x float> %v163)
store <8 x float> %v164, ptr %s14
%v165 = load <8 x float>, ptr %s14
%v166 = shufflevector <8 x float> %v152, <8 x float> %v165, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v167 = shufflevector <8 x float> %v152, <8 x float> %v165, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v168 = fadd <8 x float> %v166, %v167
%v169 = shufflevector <8 x float> %v139, <8 x float> %v168, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v170 = shufflevector <8 x float> %v139, <8 x float> %v168, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v171 = fadd <8 x float> %v169, %v170
%v172 = shufflevector <8 x float> %v110, <8 x float> %v171, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v173 = shufflevector <8 x float> %v110, <8 x float> %v171, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v174 = fadd <8 x float> %v172, %v173
%v175 = trunc i64 %v50 to i32
%v176 = insertelement <8 x i32> poison, i32 %v175, i32 0
%v177 = shufflevector <8 x i32> %v176, <8 x i32> poison, <8 x i32> zeroinitializer
%v178 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v177
%v179 = getelementptr float, ptr %scratch, i64 400
%v180 = getelementptr float, ptr %v179, i64 %v50
store <8 x float> %v174, ptr %v180, align 4
%v181 = load <8 x float>, ptr %s4
%v182 = fcmp ogt <8 x float> %v174, %v181
%v183 = select <8 x i1> %v182, <8 x float> %v174, <8 x float> %v181
store <8 x float> %v183, ptr %s4
%v184 = add i64 %v50, 8
%v185 = icmp slt i64 %v184, %v37
br i1 %v185, label %loop17, label %end18
end18:
br label %end16
else15:
%v186 = add i64 %v8, 1
%v187 = call i64 @llvm.smin.i64(i64 %v186, i64 %v7)
%v188 = sub i64 %v187, %v25
%v189 = trunc i64 %v188 to i32
%v190 = icmp slt i64 %v33, %v37
br i1 %v190, label %guard22, label %end21
guard22:
br label %loop20
loop20:
%v191 = phi i64 [ %v33, %guard22 ], [ %v329, %loop20 ]
%v192 = add i64 %v25, %v191
%v193 = call i64 @llvm.smin.i64(i64 %v192, i64 %v29)
%v194 = mul i64 %v2, 16000
%v195 = mul i64 %v193, 8
%v196 = add i64 %v194, %v195
%v197 = getelementptr float, ptr %a2, i64 %v196
store <8 x float> splat (float 0x0000000000000000), ptr %s15
%v198 = getelementptr float, ptr %v197, i64 512
call void @llvm.prefetch.p0(ptr %v198, i32 0, i32 3, i32 1)
%v199 = load <8 x float>, ptr %v197, align 4
%v200 = load <8 x float>, ptr %scratch, align 4
%v201 = load <8 x float>, ptr %s15
%v202 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v200, <8 x float> %v199, <8 x float> %v201)
store <8 x float> %v202, ptr %s15
%v203 = load <8 x float>, ptr %s15
%v204 = add i64 %v191, 1
%v205 = add i64 %v25, %v204
%v206 = call i64 @llvm.smin.i64(i64 %v205, i64 %v29)
%v207 = mul i64 %v2, 16000
%v208 = mul i64 %v206, 8
%v209 = add i64 %v207, %v208
%v210 = getelementptr float, ptr %a2, i64 %v209
store <8 x float> splat (float 0x0000000000000000), ptr %s16
%v211 = getelementptr float, ptr %v210, i64 512
call void @llvm.prefetch.p0(ptr %v211, i32 0, i32 3, i32 1)
%v212 = load <8 x float>, ptr %v210, align 4
%v213 = load <8 x float>, ptr %scratch, align 4
%v214 = load <8 x float>, ptr %s16
%v215 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v213, <8 x float> %v212, <8 x float> %v214)
store <8 x float> %v215, ptr %s16
%v216 = load <8 x float>, ptr %s16
%v217 = shufflevector <8 x float> %v203, <8 x float> %v216, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v218 = shufflevector <8 x float> %v203, <8 x float> %v216, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v219 = fadd <8 x float> %v217, %v218
%v220 = add i64 %v191, 2
%v221 = add i64 %v25, %v220
%v222 = call i64 @llvm.smin.i64(i64 %v221, i64 %v29)
%v223 = mul i64 %v2, 16000
%v224 = mul i64 %v222, 8
%v225 = add i64 %v223, %v224
%v226 = getelementptr float, ptr %a2, i64 %v225
store <8 x float> splat (float 0x0000000000000000), ptr %s17
%v227 = getelementptr float, ptr %v226, i64 512
call void @llvm.prefetch.p0(ptr %v227, i32 0, i32 3, i32 1)
%v228 = load <8 x float>, ptr %v226, align 4
%v229 = load <8 x float>, ptr %scratch, align 4
%v230 = load <8 x float>, ptr %s17
%v231 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v229, <8 x float> %v228, <8 x float> %v230)
store <8 x float> %v231, ptr %s17
%v232 = load <8 x float>, ptr %s17
%v233 = add i64 %v191, 3
%v234 = add i64 %v25, %v233
%v235 = call i64 @llvm.smin.i64(i64 %v234, i64 %v29)
%v236 = mul i64 %v2, 16000
%v237 = mul i64 %v235, 8
%v238 = add i64 %v236, %v237
%v239 = getelementptr float, ptr %a2, i64 %v238
store <8 x float> splat (float 0x0000000000000000), ptr %s18
%v240 = getelementptr float, ptr %v239, i64 512
call void @llvm.prefetch.p0(ptr %v240, i32 0, i32 3, i32 1)
%v241 = load <8 x float>, ptr %v239, align 4
%v242 = load <8 x float>, ptr %scratch, align 4
%v243 = load <8 x float>, ptr %s18
%v244 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v242, <8 x float> %v241, <8 x float> %v243)
store <8 x float> %v244, ptr %s18
%v245 = load <8 x float>, ptr %s18
%v246 = shufflevector <8 x float> %v232, <8 x float> %v245, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v247 = shufflevector <8 x float> %v232, <8 x float> %v245, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v248 = fadd <8 x float> %v246, %v247
%v249 = shufflevector <8 x float> %v219, <8 x float> %v248, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v250 = shufflevector <8 x float> %v219, <8 x float> %v248, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v251 = fadd <8 x float> %v249, %v250
%v252 = add i64 %v191, 4
%v253 = add i64 %v25, %v252
%v254 = call i64 @llvm.smin.i64(i64 %v253, i64 %v29)
%v255 = mul i64 %v2, 16000
%v256 = mul i64 %v254, 8
%v257 = add i64 %v255, %v256
%v258 = getelementptr float, ptr %a2, i64 %v257
store <8 x float> splat (float 0x0000000000000000), ptr %s19
%v259 = getelementptr float, ptr %v258, i64 512
call void @llvm.prefetch.p0(ptr %v259, i32 0, i32 3, i32 1)
%v260 = load <8 x float>, ptr %v258, align 4
%v261 = load <8 x float>, ptr %scratch, align 4
%v262 = load <8 x float>, ptr %s19
%v263 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v261, <8 x float> %v260, <8 x float> %v262)
store <8 x float> %v263, ptr %s19
%v264 = load <8 x float>, ptr %s19
%v265 = add i64 %v191, 5
%v266 = add i64 %v25, %v265
%v267 = call i64 @llvm.smin.i64(i64 %v266, i64 %v29)
%v268 = mul i64 %v2, 16000
%v269 = mul i64 %v267, 8
%v270 = add i64 %v268, %v269
%v271 = getelementptr float, ptr %a2, i64 %v270
store <8 x float> splat (float 0x0000000000000000), ptr %s20
%v272 = getelementptr float, ptr %v271, i64 512
call void @llvm.prefetch.p0(ptr %v272, i32 0, i32 3, i32 1)
%v273 = load <8 x float>, ptr %v271, align 4
%v274 = load <8 x float>, ptr %scratch, align 4
%v275 = load <8 x float>, ptr %s20
%v276 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v274, <8 x float> %v273, <8 x float> %v275)
store <8 x float> %v276, ptr %s20
%v277 = load <8 x float>, ptr %s20
%v278 = shufflevector <8 x float> %v264, <8 x float> %v277, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v279 = shufflevector <8 x float> %v264, <8 x float> %v277, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v280 = fadd <8 x float> %v278, %v279
%v281 = add i64 %v191, 6
%v282 = add i64 %v25, %v281
%v283 = call i64 @llvm.smin.i64(i64 %v282, i64 %v29)
%v284 = mul i64 %v2, 16000
%v285 = mul i64 %v283, 8
%v286 = add i64 %v284, %v285
%v287 = getelementptr float, ptr %a2, i64 %v286
store <8 x float> splat (float 0x0000000000000000), ptr %s21
%v288 = getelementptr float, ptr %v287, i64 512
call void @llvm.prefetch.p0(ptr %v288, i32 0, i32 3, i32 1)
%v289 = load <8 x float>, ptr %v287, align 4
%v290 = load <8 x float>, ptr %scratch, align 4
%v291 = load <8 x float>, ptr %s21
%v292 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v290, <8 x float> %v289, <8 x float> %v291)
store <8 x float> %v292, ptr %s21
%v293 = load <8 x float>, ptr %s21
%v294 = add i64 %v191, 7
%v295 = add i64 %v25, %v294
%v296 = call i64 @llvm.smin.i64(i64 %v295, i64 %v29)
%v297 = mul i64 %v2, 16000
%v298 = mul i64 %v296, 8
%v299 = add i64 %v297, %v298
%v300 = getelementptr float, ptr %a2, i64 %v299
store <8 x float> splat (float 0x0000000000000000), ptr %s22
%v301 = getelementptr float, ptr %v300, i64 512
call void @llvm.prefetch.p0(ptr %v301, i32 0, i32 3, i32 1)
%v302 = load <8 x float>, ptr %v300, align 4
%v303 = load <8 x float>, ptr %scratch, align 4
%v304 = load <8 x float>, ptr %s22
%v305 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v303, <8 x float> %v302, <8 x float> %v304)
store <8 x float> %v305, ptr %s22
%v306 = load <8 x float>, ptr %s22
%v307 = shufflevector <8 x float> %v293, <8 x float> %v306, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v308 = shufflevector <8 x float> %v293, <8 x float> %v306, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v309 = fadd <8 x float> %v307, %v308
%v310 = shufflevector <8 x float> %v280, <8 x float> %v309, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v311 = shufflevector <8 x float> %v280, <8 x float> %v309, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v312 = fadd <8 x float> %v310, %v311
%v313 = shufflevector <8 x float> %v251, <8 x float> %v312, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v314 = shufflevector <8 x float> %v251, <8 x float> %v312, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v315 = fadd <8 x float> %v313, %v314
%v316 = trunc i64 %v191 to i32
%v317 = insertelement <8 x i32> poison, i32 %v316, i32 0
%v318 = shufflevector <8 x i32> %v317, <8 x i32> poison, <8 x i32> zeroinitializer
%v319 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v318
%v320 = insertelement <8 x i32> poison, i32 %v189, i32 0
%v321 = shufflevector <8 x i32> %v320, <8 x i32> poison, <8 x i32> zeroinitializer
%v322 = icmp slt <8 x i32> %v319, %v321
%v323 = select <8 x i1> %v322, <8 x float> %v315, <8 x float> splat (float 0xFFF0000000000000)
%v324 = getelementptr float, ptr %scratch, i64 400
%v325 = getelementptr float, ptr %v324, i64 %v191
store <8 x float> %v323, ptr %v325, align 4
%v326 = load <8 x float>, ptr %s4
%v327 = fcmp ogt <8 x float> %v323, %v326
%v328 = select <8 x i1> %v327, <8 x float> %v323, <8 x float> %v326
store <8 x float> %v328, ptr %s4
%v329 = add i64 %v191, 8
%v330 = icmp slt i64 %v329, %v37
br i1 %v330, label %loop20, label %end21
end21:
br label %end16
end16:
%v331 = load <8 x float>, ptr %s4
%v332 = getelementptr float, ptr %scratch, i64 256
%v333 = getelementptr float, ptr %scratch, i64 320
%v334 = shufflevector <8 x float> %v331, <8 x float> %v331, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v335 = shufflevector <8 x float> %v331, <8 x float> %v331, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v336 = fcmp ogt <8 x float> %v334, %v335
%v337 = select <8 x i1> %v336, <8 x float> %v334, <8 x float> %v335
%v338 = shufflevector <8 x float> %v337, <8 x float> %v337, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v339 = shufflevector <8 x float> %v337, <8 x float> %v337, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v340 = fcmp ogt <8 x float> %v338, %v339
%v341 = select <8 x i1> %v340, <8 x float> %v338, <8 x float> %v339
%v342 = shufflevector <8 x float> %v341, <8 x float> %v341, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v343 = shufflevector <8 x float> %v341, <8 x float> %v341, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v344 = fcmp ogt <8 x float> %v342, %v343
%v345 = select <8 x i1> %v344, <8 x float> %v342, <8 x float> %v343
%v346 = load <8 x float>, ptr %v332, align 4
%v347 = fcmp ogt <8 x float> %v345, %v346
%v348 = select <8 x i1> %v347, <8 x float> %v345, <8 x float> %v346
%v349 = freeze <8 x float> %v348
store <8 x float> %v349, ptr %v332, align 4
%v350 = fsub <8 x float> %v346, %v348
%v351 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v350
%v352 = select <8 x i1> %v351, <8 x float> splat (float 0xC056000000000000), <8 x float> %v350
%v353 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v352, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v354 = fsub <8 x float> %v353, splat (float 0x4168000FE0000000)
%v355 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v354, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v352)
%v356 = bitcast <8 x float> %v353 to <8 x i32>
%v357 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v354, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v355)
%v358 = shl <8 x i32> %v356, splat (i32 23)
%v359 = bitcast <8 x i32> %v358 to <8 x float>
%v360 = fmul <8 x float> %v357, %v357
%v361 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v357, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v362 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v357, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v363 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v360, <8 x float> %v362)
%v364 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v363, <8 x float> %v360, <8 x float> %v361)
%v365 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v360, <8 x float> %v364, <8 x float> %v357)
%v366 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v365, <8 x float> %v359, <8 x float> %v359)
%v367 = getelementptr float, ptr %scratch, i64 384
store <8 x float> %v366, ptr %v367, align 4
%v368 = load float, ptr %v332, align 4
%v369 = insertelement <8 x float> poison, float %v368, i32 0
%v370 = shufflevector <8 x float> %v369, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s23
%v371 = icmp slt i64 %v33, %v37
br i1 %v371, label %guard25, label %end24
guard25:
br label %loop23
loop23:
%v372 = phi i64 [ %v33, %guard25 ], [ %v397, %loop23 ]
%v373 = getelementptr float, ptr %scratch, i64 400
%v374 = getelementptr float, ptr %v373, i64 %v372
%v375 = load <8 x float>, ptr %v374, align 4
%v376 = fsub <8 x float> %v375, %v370
%v377 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v376
%v378 = select <8 x i1> %v377, <8 x float> splat (float 0xC056000000000000), <8 x float> %v376
%v379 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v378, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v380 = fsub <8 x float> %v379, splat (float 0x4168000FE0000000)
%v381 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v380, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v378)
%v382 = bitcast <8 x float> %v379 to <8 x i32>
%v383 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v380, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v381)
%v384 = shl <8 x i32> %v382, splat (i32 23)
%v385 = bitcast <8 x i32> %v384 to <8 x float>
%v386 = fmul <8 x float> %v383, %v383
%v387 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v383, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v388 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v383, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v389 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v386, <8 x float> %v388)
%v390 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v389, <8 x float> %v386, <8 x float> %v387)
%v391 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v386, <8 x float> %v390, <8 x float> %v383)
%v392 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v391, <8 x float> %v385, <8 x float> %v385)
%v393 = getelementptr float, ptr %scratch, i64 400
%v394 = getelementptr float, ptr %v393, i64 %v372
store <8 x float> %v392, ptr %v394, align 4
%v395 = load <8 x float>, ptr %s23
%v396 = fadd <8 x float> %v395, %v392
store <8 x float> %v396, ptr %s23
%v397 = add i64 %v372, 8
%v398 = icmp slt i64 %v397, %v37
br i1 %v398, label %loop23, label %end24
end24:
%v399 = load <8 x float>, ptr %s23
%v400 = shufflevector <8 x float> %v399, <8 x float> %v399, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v401 = shufflevector <8 x float> %v399, <8 x float> %v399, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v402 = fadd <8 x float> %v400, %v401
%v403 = shufflevector <8 x float> %v402, <8 x float> %v402, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v404 = shufflevector <8 x float> %v402, <8 x float> %v402, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v405 = fadd <8 x float> %v403, %v404
%v406 = shufflevector <8 x float> %v405, <8 x float> %v405, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v407 = shufflevector <8 x float> %v405, <8 x float> %v405, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v408 = fadd <8 x float> %v406, %v407
%v409 = load <8 x float>, ptr %v333, align 4
%v410 = getelementptr float, ptr %scratch, i64 384
%v411 = load <8 x float>, ptr %v410, align 4
%v412 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v409, <8 x float> %v411, <8 x float> %v408)
store <8 x float> %v412, ptr %v333, align 4
%v413 = getelementptr float, ptr %scratch, i64 128
%v414 = getelementptr float, ptr %scratch, i64 384
%v415 = load float, ptr %v414, align 4
%v416 = insertelement <8 x float> poison, float %v415, i32 0
%v417 = shufflevector <8 x float> %v416, <8 x float> poison, <8 x i32> zeroinitializer
%v418 = load <8 x float>, ptr %v413, align 4
%v419 = fmul <8 x float> %v418, %v417
store <8 x float> %v419, ptr %v413, align 4
%v420 = sub i64 %v37, %v33
%v421 = ashr i64 %v420, 2
%v422 = mul i64 %v421, 4
%v423 = add i64 %v33, %v422
%v424 = icmp slt i64 %v33, %v423
br i1 %v424, label %guard28, label %end27
guard28:
br label %loop26
loop26:
%v425 = phi i64 [ %v33, %guard28 ], [ %v479, %loop26 ]
%v426 = add i64 %v425, 1
%v427 = add i64 %v425, 2
%v428 = add i64 %v425, 3
%v429 = add i64 %v25, %v425
%v430 = mul i64 %v2, 16000
%v431 = mul i64 %v429, 8
%v432 = add i64 %v430, %v431
%v433 = getelementptr float, ptr %a3, i64 %v432
%v434 = add i64 %v25, %v426
%v435 = mul i64 %v2, 16000
%v436 = mul i64 %v434, 8
%v437 = add i64 %v435, %v436
%v438 = getelementptr float, ptr %a3, i64 %v437
%v439 = add i64 %v25, %v427
%v440 = mul i64 %v2, 16000
%v441 = mul i64 %v439, 8
%v442 = add i64 %v440, %v441
%v443 = getelementptr float, ptr %a3, i64 %v442
%v444 = add i64 %v25, %v428
%v445 = mul i64 %v2, 16000
%v446 = mul i64 %v444, 8
%v447 = add i64 %v445, %v446
%v448 = getelementptr float, ptr %a3, i64 %v447
%v449 = getelementptr float, ptr %scratch, i64 400
%v450 = getelementptr float, ptr %v449, i64 %v425
%v451 = load float, ptr %v450, align 4
%v452 = insertelement <8 x float> poison, float %v451, i32 0
%v453 = shufflevector <8 x float> %v452, <8 x float> poison, <8 x i32> zeroinitializer
%v454 = getelementptr float, ptr %v449, i64 %v426
%v455 = load float, ptr %v454, align 4
%v456 = insertelement <8 x float> poison, float %v455, i32 0
%v457 = shufflevector <8 x float> %v456, <8 x float> poison, <8 x i32> zeroinitializer
%v458 = getelementptr float, ptr %v449, i64 %v427
%v459 = load float, ptr %v458, align 4
%v460 = insertelement <8 x float> poison, float %v459, i32 0
%v461 = shufflevector <8 x float> %v460, <8 x float> poison, <8 x i32> zeroinitializer
%v462 = getelementptr float, ptr %v449, i64 %v428
%v463 = load float, ptr %v462, align 4
%v464 = insertelement <8 x float> poison, float %v463, i32 0
%v465 = shufflevector <8 x float> %v464, <8 x float> poison, <8 x i32> zeroinitializer
%v466 = getelementptr float, ptr %v433, i64 512
call void @llvm.prefetch.p0(ptr %v466, i32 0, i32 3, i32 1)
%v467 = getelementptr float, ptr %v438, i64 512
call void @llvm.prefetch.p0(ptr %v467, i32 0, i32 3, i32 1)
%v468 = getelementptr float, ptr %v443, i64 512
call void @llvm.prefetch.p0(ptr %v468, i32 0, i32 3, i32 1)
%v469 = getelementptr float, ptr %v448, i64 512
call void @llvm.prefetch.p0(ptr %v469, i32 0, i32 3, i32 1)
%v470 = load <8 x float>, ptr %v433, align 4
%v471 = load <8 x float>, ptr %v438, align 4
%v472 = load <8 x float>, ptr %v443, align 4
%v473 = load <8 x float>, ptr %v448, align 4
%v474 = load <8 x float>, ptr %v413, align 4
%v475 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v453, <8 x float> %v470, <8 x float> %v474)
%v476 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v457, <8 x float> %v471, <8 x float> %v475)
%v477 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v461, <8 x float> %v472, <8 x float> %v476)
%v478 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v465, <8 x float> %v473, <8 x float> %v477)
store <8 x float> %v478, ptr %v413, align 4
%v479 = add i64 %v425, 4
%v480 = icmp slt i64 %v479, %v423
br i1 %v480, label %loop26, label %end27
end27:
%v481 = icmp slt i64 %v423, %v37
br i1 %v481, label %guard31, label %end30
guard31:
br label %loop29
loop29:
%v482 = phi i64 [ %v423, %guard31 ], [ %v497, %loop29 ]
%v483 = add i64 %v25, %v482
%v484 = mul i64 %v2, 16000
%v485 = mul i64 %v483, 8
%v486 = add i64 %v484, %v485
%v487 = getelementptr float, ptr %a3, i64 %v486
%v488 = getelementptr float, ptr %scratch, i64 400
%v489 = getelementptr float, ptr %v488, i64 %v482
%v490 = load float, ptr %v489, align 4
%v491 = insertelement <8 x float> poison, float %v490, i32 0
%v492 = shufflevector <8 x float> %v491, <8 x float> poison, <8 x i32> zeroinitializer
%v493 = getelementptr float, ptr %v487, i64 512
call void @llvm.prefetch.p0(ptr %v493, i32 0, i32 3, i32 1)
%v494 = load <8 x float>, ptr %v487, align 4
%v495 = load <8 x float>, ptr %v413, align 4
%v496 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v492, <8 x float> %v494, <8 x float> %v495)
store <8 x float> %v496, ptr %v413, align 4
%v497 = add i64 %v482, 1
%v498 = icmp slt i64 %v497, %v37
br i1 %v498, label %loop29, label %end30
end30:
br label %end13
else12:
br label %end13
end13:
%v499 = add i64 %v25, 64
%v500 = icmp slt i64 %v499, %v23
br i1 %v500, label %loop8, label %end9
end9:
%v501 = mul i64 %v2, 4
%v502 = add i64 %v501, %v3
%v503 = getelementptr float, ptr %scratch, i64 128
%v504 = load <8 x float>, ptr %v503, align 4
%v505 = mul i64 %v502, 16
%v506 = getelementptr float, ptr %a4, i64 %v505
store <8 x float> %v504, ptr %v506, align 4
%v507 = getelementptr float, ptr %scratch, i64 128
%v508 = getelementptr float, ptr %v507, i64 8
%v509 = load <8 x float>, ptr %v508, align 4
%v510 = mul i64 %v502, 16
%v511 = add i64 %v510, 8
%v512 = getelementptr float, ptr %a4, i64 %v511
store <8 x float> %v509, ptr %v512, align 4
%v513 = getelementptr float, ptr %scratch, i64 256
%v514 = load float, ptr %v513, align 4
%v515 = mul i64 %v502, 2
%v516 = getelementptr float, ptr %a5, i64 %v515
store float %v514, ptr %v516, align 4
%v517 = getelementptr float, ptr %scratch, i64 320
%v518 = load float, ptr %v517, align 4
%v519 = mul i64 %v502, 2
%v520 = add i64 %v519, 1
%v521 = getelementptr float, ptr %a5, i64 %v520
store float %v518, ptr %v521, align 4
%v522 = add i64 %v1, 1
%v523 = icmp slt i64 %v522, %end
br i1 %v523, label %loop5, label %end6
end6:
ret void
}


declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @attention_combine_40a5df06(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 5
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 6
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca float
%a2.p = getelementptr i64, ptr %args, i64 4
%a2 = load ptr, ptr %a2.p, align 8
%s7 = alloca <8 x float>
%s8 = alloca <8 x float>
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
%v1 = phi i64 [ %begin, %guard7 ], [ %v65, %end11 ]
%v2 = mul i64 %v1, 4
%v3 = mul i64 %v2, 2
%v4 = getelementptr float, ptr %a1, i64 %v3
%v5 = load float, ptr %v4, align 4
store float %v5, ptr %s4
br label %loop8
loop8:
%v6 = phi i64 [ 0, %loop5 ], [ %v14, %loop8 ]
%v7 = add i64 %v2, %v6
%v8 = mul i64 %v7, 2
%v9 = getelementptr float, ptr %a1, i64 %v8
%v10 = load float, ptr %v9, align 4
%v11 = load float, ptr %s4
%v12 = fcmp ogt float %v10, %v11
%v13 = select i1 %v12, float %v10, float %v11
store float %v13, ptr %s4
%v14 = add i64 %v6, 1
%v15 = icmp slt i64 %v14, 4
br i1 %v15, label %loop8, label %end9
end9:
%v16 = mul i64 %v1, 8
%v17 = getelementptr float, ptr %a2, i64 %v16
store <8 x float> splat (float 0x0000000000000000), ptr %s7
store <8 x float> splat (float 0x0000000000000000), ptr %s8
br label %loop10
loop10:
%v18 = phi i64 [ 0, %end9 ], [ %v56, %loop10 ]
%v19 = add i64 %v2, %v18
%v20 = mul i64 %v19, 2
%v21 = getelementptr float, ptr %a1, i64 %v20
%v22 = load float, ptr %v21, align 4
%v23 = load float, ptr %s4
%v24 = fsub float %v22, %v23
%v25 = insertelement <8 x float> poison, float %v24, i32 0
%v26 = shufflevector <8 x float> %v25, <8 x float> poison, <8 x i32> zeroinitializer
%v27 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v26
%v28 = select <8 x i1> %v27, <8 x float> splat (float 0xC056000000000000), <8 x float> %v26
%v29 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v28, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v30 = fsub <8 x float> %v29, splat (float 0x4168000FE0000000)
%v31 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v30, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v28)
%v32 = bitcast <8 x float> %v29 to <8 x i32>
%v33 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v30, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v31)
%v34 = shl <8 x i32> %v32, splat (i32 23)
%v35 = bitcast <8 x i32> %v34 to <8 x float>
%v36 = fmul <8 x float> %v33, %v33
%v37 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v33, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v38 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v33, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v39 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v36, <8 x float> %v38)
%v40 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v39, <8 x float> %v36, <8 x float> %v37)
%v41 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v36, <8 x float> %v40, <8 x float> %v33)
%v42 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v41, <8 x float> %v35, <8 x float> %v35)
%v43 = mul i64 %v19, 2
%v44 = add i64 %v43, 1
%v45 = getelementptr float, ptr %a1, i64 %v44
%v46 = load float, ptr %v45, align 4
%v47 = insertelement <8 x float> poison, float %v46, i32 0
%v48 = shufflevector <8 x float> %v47, <8 x float> poison, <8 x i32> zeroinitializer
%v49 = load <8 x float>, ptr %s8
%v50 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v42, <8 x float> %v48, <8 x float> %v49)
store <8 x float> %v50, ptr %s8
%v51 = mul i64 %v19, 16
%v52 = getelementptr float, ptr %a0, i64 %v51
%v53 = load <8 x float>, ptr %v52, align 4
%v54 = load <8 x float>, ptr %s7
%v55 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v42, <8 x float> %v53, <8 x float> %v54)
store <8 x float> %v55, ptr %s7
%v56 = add i64 %v18, 1
%v57 = icmp slt i64 %v56, 4
br i1 %v57, label %loop10, label %end11
end11:
%v58 = load <8 x float>, ptr %s8
%v59 = fcmp oeq <8 x float> %v58, splat (float 0x0000000000000000)
%v60 = load <8 x float>, ptr %s8
%v61 = fdiv <8 x float> splat (float 0x3FF0000000000000), %v60
%v62 = select <8 x i1> %v59, <8 x float> splat (float 0x0000000000000000), <8 x float> %v61
%v63 = load <8 x float>, ptr %s7
%v64 = fmul <8 x float> %v63, %v62
store <8 x float> %v64, ptr %v17, align 4
%v65 = add i64 %v1, 1
%v66 = icmp slt i64 %v65, %end
br i1 %v66, label %loop5, label %end6
end6:
ret void
}

