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

define void @attention_chunks_5e64ee58(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v1 = phi i64 [ %begin, %guard7 ], [ %v394, %end9 ]
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
%v25 = phi i64 [ %v20, %guard10 ], [ %v371, %end13 ]
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
%v49 = icmp slt i64 %v33, %v37
br i1 %v49, label %guard16, label %end15
guard16:
br label %loop14
loop14:
%v50 = phi i64 [ %v33, %guard16 ], [ %v201, %end19 ]
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
br i1 %v48, label %then17, label %else18
then17:
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
br label %end19
else18:
%v184 = add i64 %v8, 1
%v185 = call i64 @llvm.smin.i64(i64 %v184, i64 %v7)
%v186 = sub i64 %v185, %v25
%v187 = trunc i64 %v186 to i32
%v188 = trunc i64 %v50 to i32
%v189 = insertelement <8 x i32> poison, i32 %v188, i32 0
%v190 = shufflevector <8 x i32> %v189, <8 x i32> poison, <8 x i32> zeroinitializer
%v191 = add <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v190
%v192 = insertelement <8 x i32> poison, i32 %v187, i32 0
%v193 = shufflevector <8 x i32> %v192, <8 x i32> poison, <8 x i32> zeroinitializer
%v194 = icmp slt <8 x i32> %v191, %v193
%v195 = select <8 x i1> %v194, <8 x float> %v174, <8 x float> splat (float 0xFFF0000000000000)
%v196 = getelementptr float, ptr %scratch, i64 400
%v197 = getelementptr float, ptr %v196, i64 %v50
store <8 x float> %v195, ptr %v197, align 4
%v198 = load <8 x float>, ptr %s4
%v199 = fcmp ogt <8 x float> %v195, %v198
%v200 = select <8 x i1> %v199, <8 x float> %v195, <8 x float> %v198
store <8 x float> %v200, ptr %s4
br label %end19
end19:
%v201 = add i64 %v50, 8
%v202 = icmp slt i64 %v201, %v37
br i1 %v202, label %loop14, label %end15
end15:
%v203 = load <8 x float>, ptr %s4
%v204 = getelementptr float, ptr %scratch, i64 256
%v205 = getelementptr float, ptr %scratch, i64 320
%v206 = shufflevector <8 x float> %v203, <8 x float> %v203, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v207 = shufflevector <8 x float> %v203, <8 x float> %v203, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v208 = fcmp ogt <8 x float> %v206, %v207
%v209 = select <8 x i1> %v208, <8 x float> %v206, <8 x float> %v207
%v210 = shufflevector <8 x float> %v209, <8 x float> %v209, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v211 = shufflevector <8 x float> %v209, <8 x float> %v209, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v212 = fcmp ogt <8 x float> %v210, %v211
%v213 = select <8 x i1> %v212, <8 x float> %v210, <8 x float> %v211
%v214 = shufflevector <8 x float> %v213, <8 x float> %v213, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v215 = shufflevector <8 x float> %v213, <8 x float> %v213, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v216 = fcmp ogt <8 x float> %v214, %v215
%v217 = select <8 x i1> %v216, <8 x float> %v214, <8 x float> %v215
%v218 = load <8 x float>, ptr %v204, align 4
%v219 = fcmp ogt <8 x float> %v217, %v218
%v220 = select <8 x i1> %v219, <8 x float> %v217, <8 x float> %v218
%v221 = freeze <8 x float> %v220
store <8 x float> %v221, ptr %v204, align 4
%v222 = fsub <8 x float> %v218, %v220
%v223 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v222
%v224 = select <8 x i1> %v223, <8 x float> splat (float 0xC056000000000000), <8 x float> %v222
%v225 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v224, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v226 = fsub <8 x float> %v225, splat (float 0x4168000FE0000000)
%v227 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v226, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v224)
%v228 = bitcast <8 x float> %v225 to <8 x i32>
%v229 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v226, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v227)
%v230 = shl <8 x i32> %v228, splat (i32 23)
%v231 = bitcast <8 x i32> %v230 to <8 x float>
%v232 = fmul <8 x float> %v229, %v229
%v233 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v229, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v234 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v229, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v235 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v232, <8 x float> %v234)
%v236 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v235, <8 x float> %v232, <8 x float> %v233)
%v237 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v232, <8 x float> %v236, <8 x float> %v229)
%v238 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v237, <8 x float> %v231, <8 x float> %v231)
%v239 = getelementptr float, ptr %scratch, i64 384
store <8 x float> %v238, ptr %v239, align 4
%v240 = load float, ptr %v204, align 4
%v241 = insertelement <8 x float> poison, float %v240, i32 0
%v242 = shufflevector <8 x float> %v241, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s15
%v243 = icmp slt i64 %v33, %v37
br i1 %v243, label %guard22, label %end21
guard22:
br label %loop20
loop20:
%v244 = phi i64 [ %v33, %guard22 ], [ %v269, %loop20 ]
%v245 = getelementptr float, ptr %scratch, i64 400
%v246 = getelementptr float, ptr %v245, i64 %v244
%v247 = load <8 x float>, ptr %v246, align 4
%v248 = fsub <8 x float> %v247, %v242
%v249 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v248
%v250 = select <8 x i1> %v249, <8 x float> splat (float 0xC056000000000000), <8 x float> %v248
%v251 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v250, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v252 = fsub <8 x float> %v251, splat (float 0x4168000FE0000000)
%v253 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v252, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v250)
%v254 = bitcast <8 x float> %v251 to <8 x i32>
%v255 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v252, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v253)
%v256 = shl <8 x i32> %v254, splat (i32 23)
%v257 = bitcast <8 x i32> %v256 to <8 x float>
%v258 = fmul <8 x float> %v255, %v255
%v259 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v255, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v260 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v255, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v261 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v258, <8 x float> %v260)
%v262 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v261, <8 x float> %v258, <8 x float> %v259)
%v263 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v258, <8 x float> %v262, <8 x float> %v255)
%v264 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v263, <8 x float> %v257, <8 x float> %v257)
%v265 = getelementptr float, ptr %scratch, i64 400
%v266 = getelementptr float, ptr %v265, i64 %v244
store <8 x float> %v264, ptr %v266, align 4
%v267 = load <8 x float>, ptr %s15
%v268 = fadd <8 x float> %v267, %v264
store <8 x float> %v268, ptr %s15
%v269 = add i64 %v244, 8
%v270 = icmp slt i64 %v269, %v37
br i1 %v270, label %loop20, label %end21
end21:
%v271 = load <8 x float>, ptr %s15
%v272 = shufflevector <8 x float> %v271, <8 x float> %v271, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v273 = shufflevector <8 x float> %v271, <8 x float> %v271, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v274 = fadd <8 x float> %v272, %v273
%v275 = shufflevector <8 x float> %v274, <8 x float> %v274, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v276 = shufflevector <8 x float> %v274, <8 x float> %v274, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v277 = fadd <8 x float> %v275, %v276
%v278 = shufflevector <8 x float> %v277, <8 x float> %v277, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v279 = shufflevector <8 x float> %v277, <8 x float> %v277, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v280 = fadd <8 x float> %v278, %v279
%v281 = load <8 x float>, ptr %v205, align 4
%v282 = getelementptr float, ptr %scratch, i64 384
%v283 = load <8 x float>, ptr %v282, align 4
%v284 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v281, <8 x float> %v283, <8 x float> %v280)
store <8 x float> %v284, ptr %v205, align 4
%v285 = getelementptr float, ptr %scratch, i64 128
%v286 = getelementptr float, ptr %scratch, i64 384
%v287 = load float, ptr %v286, align 4
%v288 = insertelement <8 x float> poison, float %v287, i32 0
%v289 = shufflevector <8 x float> %v288, <8 x float> poison, <8 x i32> zeroinitializer
%v290 = load <8 x float>, ptr %v285, align 4
%v291 = fmul <8 x float> %v290, %v289
store <8 x float> %v291, ptr %v285, align 4
%v292 = sub i64 %v37, %v33
%v293 = ashr i64 %v292, 2
%v294 = mul i64 %v293, 4
%v295 = add i64 %v33, %v294
%v296 = icmp slt i64 %v33, %v295
br i1 %v296, label %guard25, label %end24
guard25:
br label %loop23
loop23:
%v297 = phi i64 [ %v33, %guard25 ], [ %v351, %loop23 ]
%v298 = add i64 %v297, 1
%v299 = add i64 %v297, 2
%v300 = add i64 %v297, 3
%v301 = add i64 %v25, %v297
%v302 = mul i64 %v2, 16000
%v303 = mul i64 %v301, 8
%v304 = add i64 %v302, %v303
%v305 = getelementptr float, ptr %a3, i64 %v304
%v306 = add i64 %v25, %v298
%v307 = mul i64 %v2, 16000
%v308 = mul i64 %v306, 8
%v309 = add i64 %v307, %v308
%v310 = getelementptr float, ptr %a3, i64 %v309
%v311 = add i64 %v25, %v299
%v312 = mul i64 %v2, 16000
%v313 = mul i64 %v311, 8
%v314 = add i64 %v312, %v313
%v315 = getelementptr float, ptr %a3, i64 %v314
%v316 = add i64 %v25, %v300
%v317 = mul i64 %v2, 16000
%v318 = mul i64 %v316, 8
%v319 = add i64 %v317, %v318
%v320 = getelementptr float, ptr %a3, i64 %v319
%v321 = getelementptr float, ptr %scratch, i64 400
%v322 = getelementptr float, ptr %v321, i64 %v297
%v323 = load float, ptr %v322, align 4
%v324 = insertelement <8 x float> poison, float %v323, i32 0
%v325 = shufflevector <8 x float> %v324, <8 x float> poison, <8 x i32> zeroinitializer
%v326 = getelementptr float, ptr %v321, i64 %v298
%v327 = load float, ptr %v326, align 4
%v328 = insertelement <8 x float> poison, float %v327, i32 0
%v329 = shufflevector <8 x float> %v328, <8 x float> poison, <8 x i32> zeroinitializer
%v330 = getelementptr float, ptr %v321, i64 %v299
%v331 = load float, ptr %v330, align 4
%v332 = insertelement <8 x float> poison, float %v331, i32 0
%v333 = shufflevector <8 x float> %v332, <8 x float> poison, <8 x i32> zeroinitializer
%v334 = getelementptr float, ptr %v321, i64 %v300
%v335 = load float, ptr %v334, align 4
%v336 = insertelement <8 x float> poison, float %v335, i32 0
%v337 = shufflevector <8 x float> %v336, <8 x float> poison, <8 x i32> zeroinitializer
%v338 = getelementptr float, ptr %v305, i64 512
call void @llvm.prefetch.p0(ptr %v338, i32 0, i32 3, i32 1)
%v339 = getelementptr float, ptr %v310, i64 512
call void @llvm.prefetch.p0(ptr %v339, i32 0, i32 3, i32 1)
%v340 = getelementptr float, ptr %v315, i64 512
call void @llvm.prefetch.p0(ptr %v340, i32 0, i32 3, i32 1)
%v341 = getelementptr float, ptr %v320, i64 512
call void @llvm.prefetch.p0(ptr %v341, i32 0, i32 3, i32 1)
%v342 = load <8 x float>, ptr %v305, align 4
%v343 = load <8 x float>, ptr %v310, align 4
%v344 = load <8 x float>, ptr %v315, align 4
%v345 = load <8 x float>, ptr %v320, align 4
%v346 = load <8 x float>, ptr %v285, align 4
%v347 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v325, <8 x float> %v342, <8 x float> %v346)
%v348 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v329, <8 x float> %v343, <8 x float> %v347)
%v349 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v333, <8 x float> %v344, <8 x float> %v348)
%v350 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v337, <8 x float> %v345, <8 x float> %v349)
store <8 x float> %v350, ptr %v285, align 4
%v351 = add i64 %v297, 4
%v352 = icmp slt i64 %v351, %v295
br i1 %v352, label %loop23, label %end24
end24:
%v353 = icmp slt i64 %v295, %v37
br i1 %v353, label %guard28, label %end27
guard28:
br label %loop26
loop26:
%v354 = phi i64 [ %v295, %guard28 ], [ %v369, %loop26 ]
%v355 = add i64 %v25, %v354
%v356 = mul i64 %v2, 16000
%v357 = mul i64 %v355, 8
%v358 = add i64 %v356, %v357
%v359 = getelementptr float, ptr %a3, i64 %v358
%v360 = getelementptr float, ptr %scratch, i64 400
%v361 = getelementptr float, ptr %v360, i64 %v354
%v362 = load float, ptr %v361, align 4
%v363 = insertelement <8 x float> poison, float %v362, i32 0
%v364 = shufflevector <8 x float> %v363, <8 x float> poison, <8 x i32> zeroinitializer
%v365 = getelementptr float, ptr %v359, i64 512
call void @llvm.prefetch.p0(ptr %v365, i32 0, i32 3, i32 1)
%v366 = load <8 x float>, ptr %v359, align 4
%v367 = load <8 x float>, ptr %v285, align 4
%v368 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v364, <8 x float> %v366, <8 x float> %v367)
store <8 x float> %v368, ptr %v285, align 4
%v369 = add i64 %v354, 1
%v370 = icmp slt i64 %v369, %v37
br i1 %v370, label %loop26, label %end27
end27:
br label %end13
else12:
br label %end13
end13:
%v371 = add i64 %v25, 64
%v372 = icmp slt i64 %v371, %v23
br i1 %v372, label %loop8, label %end9
end9:
%v373 = mul i64 %v2, 4
%v374 = add i64 %v373, %v3
%v375 = getelementptr float, ptr %scratch, i64 128
%v376 = load <8 x float>, ptr %v375, align 4
%v377 = mul i64 %v374, 16
%v378 = getelementptr float, ptr %a4, i64 %v377
store <8 x float> %v376, ptr %v378, align 4
%v379 = getelementptr float, ptr %scratch, i64 128
%v380 = getelementptr float, ptr %v379, i64 8
%v381 = load <8 x float>, ptr %v380, align 4
%v382 = mul i64 %v374, 16
%v383 = add i64 %v382, 8
%v384 = getelementptr float, ptr %a4, i64 %v383
store <8 x float> %v381, ptr %v384, align 4
%v385 = getelementptr float, ptr %scratch, i64 256
%v386 = load float, ptr %v385, align 4
%v387 = mul i64 %v374, 2
%v388 = getelementptr float, ptr %a5, i64 %v387
store float %v386, ptr %v388, align 4
%v389 = getelementptr float, ptr %scratch, i64 320
%v390 = load float, ptr %v389, align 4
%v391 = mul i64 %v374, 2
%v392 = add i64 %v391, 1
%v393 = getelementptr float, ptr %a5, i64 %v392
store float %v390, ptr %v393, align 4
%v394 = add i64 %v1, 1
%v395 = icmp slt i64 %v394, %end
br i1 %v395, label %loop5, label %end6
end6:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @attention_combine_e48913fa(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v0 = mul i64 %begin, 32
%v1 = mul i64 %end, 32
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 1)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %guard7, label %end6
guard7:
br label %loop5
loop5:
%v4 = phi i64 [ %v0, %guard7 ], [ %v68, %end11 ]
%v5 = mul i64 %v4, 4
%v6 = mul i64 %v5, 2
%v7 = getelementptr float, ptr %a1, i64 %v6
%v8 = load float, ptr %v7, align 4
store float %v8, ptr %s4
br label %loop8
loop8:
%v9 = phi i64 [ 0, %loop5 ], [ %v17, %loop8 ]
%v10 = add i64 %v5, %v9
%v11 = mul i64 %v10, 2
%v12 = getelementptr float, ptr %a1, i64 %v11
%v13 = load float, ptr %v12, align 4
%v14 = load float, ptr %s4
%v15 = fcmp ogt float %v13, %v14
%v16 = select i1 %v15, float %v13, float %v14
store float %v16, ptr %s4
%v17 = add i64 %v9, 1
%v18 = icmp slt i64 %v17, 4
br i1 %v18, label %loop8, label %end9
end9:
%v19 = mul i64 %v4, 8
%v20 = getelementptr float, ptr %a2, i64 %v19
store <8 x float> splat (float 0x0000000000000000), ptr %s7
store <8 x float> splat (float 0x0000000000000000), ptr %s8
br label %loop10
loop10:
%v21 = phi i64 [ 0, %end9 ], [ %v59, %loop10 ]
%v22 = add i64 %v5, %v21
%v23 = mul i64 %v22, 2
%v24 = getelementptr float, ptr %a1, i64 %v23
%v25 = load float, ptr %v24, align 4
%v26 = load float, ptr %s4
%v27 = fsub float %v25, %v26
%v28 = insertelement <8 x float> poison, float %v27, i32 0
%v29 = shufflevector <8 x float> %v28, <8 x float> poison, <8 x i32> zeroinitializer
%v30 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v29
%v31 = select <8 x i1> %v30, <8 x float> splat (float 0xC056000000000000), <8 x float> %v29
%v32 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v31, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v33 = fsub <8 x float> %v32, splat (float 0x4168000FE0000000)
%v34 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v33, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v31)
%v35 = bitcast <8 x float> %v32 to <8 x i32>
%v36 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v33, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v34)
%v37 = shl <8 x i32> %v35, splat (i32 23)
%v38 = bitcast <8 x i32> %v37 to <8 x float>
%v39 = fmul <8 x float> %v36, %v36
%v40 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v36, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v41 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v36, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v42 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v39, <8 x float> %v41)
%v43 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v42, <8 x float> %v39, <8 x float> %v40)
%v44 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v39, <8 x float> %v43, <8 x float> %v36)
%v45 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v44, <8 x float> %v38, <8 x float> %v38)
%v46 = mul i64 %v22, 2
%v47 = add i64 %v46, 1
%v48 = getelementptr float, ptr %a1, i64 %v47
%v49 = load float, ptr %v48, align 4
%v50 = insertelement <8 x float> poison, float %v49, i32 0
%v51 = shufflevector <8 x float> %v50, <8 x float> poison, <8 x i32> zeroinitializer
%v52 = load <8 x float>, ptr %s8
%v53 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v45, <8 x float> %v51, <8 x float> %v52)
store <8 x float> %v53, ptr %s8
%v54 = mul i64 %v22, 16
%v55 = getelementptr float, ptr %a0, i64 %v54
%v56 = load <8 x float>, ptr %v55, align 4
%v57 = load <8 x float>, ptr %s7
%v58 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v45, <8 x float> %v56, <8 x float> %v57)
store <8 x float> %v58, ptr %s7
%v59 = add i64 %v21, 1
%v60 = icmp slt i64 %v59, 4
br i1 %v60, label %loop10, label %end11
end11:
%v61 = load <8 x float>, ptr %s8
%v62 = fcmp oeq <8 x float> %v61, splat (float 0x0000000000000000)
%v63 = load <8 x float>, ptr %s8
%v64 = fdiv <8 x float> splat (float 0x3FF0000000000000), %v63
%v65 = select <8 x i1> %v62, <8 x float> splat (float 0x0000000000000000), <8 x float> %v64
%v66 = load <8 x float>, ptr %s7
%v67 = fmul <8 x float> %v66, %v65
store <8 x float> %v67, ptr %v20, align 4
%v68 = add i64 %v4, 1
%v69 = icmp slt i64 %v68, %v2
br i1 %v69, label %loop5, label %end6
end6:
ret void
}

