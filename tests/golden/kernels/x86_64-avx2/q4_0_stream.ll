; kernels for x86_64-avx2
; mir @q4_0_stream {
;   %0 = input("x1") : f32[1, 32]
;   %1 = param("w1", scheme=gguf_q4_0) : f32[32, 8]
;   %2 = matmul(%0, %1) : f32[1, 8]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8>, <32 x i8>)
declare <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16>, <16 x i16>)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare i32 @llvm.cttz.i32(i32, i1)

define void @packed_matmul_2caf80b3(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%v0 = getelementptr i8, ptr %scratch, i64 1024
%v1 = icmp slt i64 %begin, %end
br i1 %v1, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v2 = phi i64 [ %begin, %guard3 ], [ %v9, %loop1 ]
store i64 0, ptr %scratch, align 8
%v3 = load i64, ptr %scratch, align 8
%v4 = mul i64 %v3, 80
%v5 = getelementptr i8, ptr %a1, i64 %v4
call void @stream_Q4_0_1(ptr %a0, i64 1, ptr %v0, ptr %v5)
%v6 = load <8 x float>, ptr %v0, align 4
%v7 = mul i64 %v3, 8
%v8 = getelementptr float, ptr %a2, i64 %v7
store <8 x float> %v6, ptr %v8, align 4
%v9 = add i64 %v2, 1
%v10 = icmp slt i64 %v9, %end
br i1 %v10, label %loop1, label %end2
end2:
ret void
}

define internal void @stream_Q4_0_1(ptr %weight, i64 %blocks, ptr %sums, ptr %row0) nounwind {
entry:
%s0 = alloca <8 x float>
%s1 = alloca i32
store <8 x float> splat (float 0x0000000000000000), ptr %s0
%v0 = icmp slt i64 0, %blocks
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ 0, %guard3 ], [ %v242, %end9 ]
%v2 = add i64 %v1, 8
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 %blocks)
%v4 = icmp slt i64 %v1, %v3
br i1 %v4, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v5 = phi i64 [ %v1, %guard6 ], [ %v113, %loop4 ]
%v6 = mul i64 %v5, 144
%v7 = getelementptr i8, ptr %weight, i64 %v6
%v8 = mul i64 %v5, 40
%v9 = getelementptr i8, ptr %row0, i64 %v8
%v10 = load <8 x float>, ptr %s0
call void asm sideeffect "", "~{memory}"()
%v11 = getelementptr i8, ptr %v7, i64 1792
call void @llvm.prefetch.p0(ptr %v11, i32 0, i32 0, i32 1)
%v12 = getelementptr i8, ptr %v7, i64 16
%v13 = load <8 x i32>, ptr %v12, align 1
%v14 = and <8 x i32> %v13, splat (i32 252645135)
%v15 = bitcast <8 x i32> %v14 to <32 x i8>
%v16 = load i32, ptr %v9, align 4
%v17 = insertelement <8 x i32> poison, i32 %v16, i32 0
%v18 = shufflevector <8 x i32> %v17, <8 x i32> poison, <8 x i32> zeroinitializer
%v19 = bitcast <8 x i32> %v18 to <32 x i8>
%v20 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v15, <32 x i8> %v19)
%v21 = lshr <8 x i32> %v13, splat (i32 4)
%v22 = and <8 x i32> %v21, splat (i32 252645135)
%v23 = bitcast <8 x i32> %v22 to <32 x i8>
%v24 = getelementptr i32, ptr %v9, i64 1
%v25 = load i32, ptr %v24, align 4
%v26 = insertelement <8 x i32> poison, i32 %v25, i32 0
%v27 = shufflevector <8 x i32> %v26, <8 x i32> poison, <8 x i32> zeroinitializer
%v28 = bitcast <8 x i32> %v27 to <32 x i8>
%v29 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v23, <32 x i8> %v28)
%v30 = add <16 x i16> %v20, %v29
call void asm sideeffect "", "~{memory}"()
%v31 = getelementptr i8, ptr %v7, i64 1856
call void @llvm.prefetch.p0(ptr %v31, i32 0, i32 0, i32 1)
%v32 = getelementptr i8, ptr %v7, i64 48
%v33 = load <8 x i32>, ptr %v32, align 1
%v34 = and <8 x i32> %v33, splat (i32 252645135)
%v35 = bitcast <8 x i32> %v34 to <32 x i8>
%v36 = getelementptr i32, ptr %v9, i64 2
%v37 = load i32, ptr %v36, align 4
%v38 = insertelement <8 x i32> poison, i32 %v37, i32 0
%v39 = shufflevector <8 x i32> %v38, <8 x i32> poison, <8 x i32> zeroinitializer
%v40 = bitcast <8 x i32> %v39 to <32 x i8>
%v41 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v35, <32 x i8> %v40)
%v42 = add <16 x i16> %v30, %v41
%v43 = lshr <8 x i32> %v33, splat (i32 4)
%v44 = and <8 x i32> %v43, splat (i32 252645135)
%v45 = bitcast <8 x i32> %v44 to <32 x i8>
%v46 = getelementptr i32, ptr %v9, i64 3
%v47 = load i32, ptr %v46, align 4
%v48 = insertelement <8 x i32> poison, i32 %v47, i32 0
%v49 = shufflevector <8 x i32> %v48, <8 x i32> poison, <8 x i32> zeroinitializer
%v50 = bitcast <8 x i32> %v49 to <32 x i8>
%v51 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v45, <32 x i8> %v50)
%v52 = add <16 x i16> %v42, %v51
%v53 = getelementptr i8, ptr %v7, i64 80
%v54 = load <8 x i32>, ptr %v53, align 1
%v55 = and <8 x i32> %v54, splat (i32 252645135)
%v56 = bitcast <8 x i32> %v55 to <32 x i8>
%v57 = getelementptr i32, ptr %v9, i64 4
%v58 = load i32, ptr %v57, align 4
%v59 = insertelement <8 x i32> poison, i32 %v58, i32 0
%v60 = shufflevector <8 x i32> %v59, <8 x i32> poison, <8 x i32> zeroinitializer
%v61 = bitcast <8 x i32> %v60 to <32 x i8>
%v62 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v56, <32 x i8> %v61)
%v63 = add <16 x i16> %v52, %v62
%v64 = lshr <8 x i32> %v54, splat (i32 4)
%v65 = and <8 x i32> %v64, splat (i32 252645135)
%v66 = bitcast <8 x i32> %v65 to <32 x i8>
%v67 = getelementptr i32, ptr %v9, i64 5
%v68 = load i32, ptr %v67, align 4
%v69 = insertelement <8 x i32> poison, i32 %v68, i32 0
%v70 = shufflevector <8 x i32> %v69, <8 x i32> poison, <8 x i32> zeroinitializer
%v71 = bitcast <8 x i32> %v70 to <32 x i8>
%v72 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v66, <32 x i8> %v71)
%v73 = add <16 x i16> %v63, %v72
call void asm sideeffect "", "~{memory}"()
%v74 = getelementptr i8, ptr %v7, i64 1920
call void @llvm.prefetch.p0(ptr %v74, i32 0, i32 0, i32 1)
%v75 = getelementptr i8, ptr %v7, i64 112
%v76 = load <8 x i32>, ptr %v75, align 1
%v77 = and <8 x i32> %v76, splat (i32 252645135)
%v78 = bitcast <8 x i32> %v77 to <32 x i8>
%v79 = getelementptr i32, ptr %v9, i64 6
%v80 = load i32, ptr %v79, align 4
%v81 = insertelement <8 x i32> poison, i32 %v80, i32 0
%v82 = shufflevector <8 x i32> %v81, <8 x i32> poison, <8 x i32> zeroinitializer
%v83 = bitcast <8 x i32> %v82 to <32 x i8>
%v84 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v78, <32 x i8> %v83)
%v85 = add <16 x i16> %v73, %v84
%v86 = lshr <8 x i32> %v76, splat (i32 4)
%v87 = and <8 x i32> %v86, splat (i32 252645135)
%v88 = bitcast <8 x i32> %v87 to <32 x i8>
%v89 = getelementptr i32, ptr %v9, i64 7
%v90 = load i32, ptr %v89, align 4
%v91 = insertelement <8 x i32> poison, i32 %v90, i32 0
%v92 = shufflevector <8 x i32> %v91, <8 x i32> poison, <8 x i32> zeroinitializer
%v93 = bitcast <8 x i32> %v92 to <32 x i8>
%v94 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v88, <32 x i8> %v93)
%v95 = add <16 x i16> %v85, %v94
%v96 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v95, <16 x i16> splat (i16 1))
%v97 = sitofp <8 x i32> %v96 to <8 x float>
%v98 = getelementptr i8, ptr %v9, i64 32
%v99 = load float, ptr %v98, align 4
%v100 = insertelement <8 x float> poison, float %v99, i32 0
%v101 = shufflevector <8 x float> %v100, <8 x float> poison, <8 x i32> zeroinitializer
%v102 = fmul <8 x float> %v97, %v101
%v103 = load <8 x i16>, ptr %v7, align 1
%v104 = bitcast <8 x i16> %v103 to <8 x half>
%v105 = fpext <8 x half> %v104 to <8 x float>
%v106 = fmul <8 x float> %v105, splat (float 0xC020000000000000)
%v107 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v105, <8 x float> %v102, <8 x float> %v10)
%v108 = getelementptr i8, ptr %v9, i64 36
%v109 = load float, ptr %v108, align 4
%v110 = insertelement <8 x float> poison, float %v109, i32 0
%v111 = shufflevector <8 x float> %v110, <8 x float> poison, <8 x i32> zeroinitializer
%v112 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v106, <8 x float> %v111, <8 x float> %v107)
store <8 x float> %v112, ptr %s0
%v113 = add i64 %v5, 1
%v114 = icmp slt i64 %v113, %v3
br i1 %v114, label %loop4, label %end5
end5:
%v115 = getelementptr i8, ptr %sums, i64 512
%v116 = mul i64 %blocks, 40
%v117 = udiv i64 %v1, 8
%v118 = add i64 %v116, %v117
%v119 = getelementptr i8, ptr %row0, i64 %v118
%v120 = load i8, ptr %v119, align 1
%v121 = zext i8 %v120 to i32
%v122 = icmp ne i32 %v121, 0
br i1 %v122, label %then7, label %else8
then7:
store i32 %v121, ptr %s1
br label %head10
head10:
%v123 = load i32, ptr %s1
%v124 = call i32 @llvm.cttz.i32(i32 %v123, i1 false)
%v125 = zext i32 %v124 to i64
%v126 = add i64 %v1, %v125
%v127 = mul i64 %v126, 144
%v128 = getelementptr i8, ptr %weight, i64 %v127
%v129 = load <8 x i16>, ptr %v128, align 1
%v130 = bitcast <8 x i16> %v129 to <8 x half>
%v131 = fpext <8 x half> %v130 to <8 x float>
%v132 = add i64 %v1, %v125
%v133 = mul i64 %blocks, 40
%v134 = add i64 %blocks, 63
%v135 = ashr i64 %v134, 6
%v136 = mul i64 %v135, 8
%v137 = add i64 %v133, %v136
%v138 = mul i64 %v132, 32
%v139 = add i64 %v137, %v138
%v140 = getelementptr i8, ptr %row0, i64 %v139
%v141 = add i64 %v1, %v125
%v142 = mul i64 %v141, 40
%v143 = getelementptr i8, ptr %row0, i64 %v142
%v144 = getelementptr i8, ptr %v143, i64 32
%v145 = load float, ptr %v144, align 4
%v146 = insertelement <8 x float> poison, float %v145, i32 0
%v147 = shufflevector <8 x float> %v146, <8 x float> poison, <8 x i32> zeroinitializer
%v148 = fmul <8 x float> %v147, splat (float 0x3F70204080000000)
%v149 = getelementptr i8, ptr %v128, i64 16
%v150 = load <8 x i32>, ptr %v149, align 1
%v151 = and <8 x i32> %v150, splat (i32 252645135)
%v152 = bitcast <8 x i32> %v151 to <32 x i8>
%v153 = load i32, ptr %v140, align 4
%v154 = insertelement <8 x i32> poison, i32 %v153, i32 0
%v155 = shufflevector <8 x i32> %v154, <8 x i32> poison, <8 x i32> zeroinitializer
%v156 = bitcast <8 x i32> %v155 to <32 x i8>
%v157 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v152, <32 x i8> %v156)
%v158 = lshr <8 x i32> %v150, splat (i32 4)
%v159 = and <8 x i32> %v158, splat (i32 252645135)
%v160 = bitcast <8 x i32> %v159 to <32 x i8>
%v161 = getelementptr i32, ptr %v140, i64 1
%v162 = load i32, ptr %v161, align 4
%v163 = insertelement <8 x i32> poison, i32 %v162, i32 0
%v164 = shufflevector <8 x i32> %v163, <8 x i32> poison, <8 x i32> zeroinitializer
%v165 = bitcast <8 x i32> %v164 to <32 x i8>
%v166 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v160, <32 x i8> %v165)
%v167 = add <16 x i16> %v157, %v166
%v168 = getelementptr i8, ptr %v128, i64 48
%v169 = load <8 x i32>, ptr %v168, align 1
%v170 = and <8 x i32> %v169, splat (i32 252645135)
%v171 = bitcast <8 x i32> %v170 to <32 x i8>
%v172 = getelementptr i32, ptr %v140, i64 2
%v173 = load i32, ptr %v172, align 4
%v174 = insertelement <8 x i32> poison, i32 %v173, i32 0
%v175 = shufflevector <8 x i32> %v174, <8 x i32> poison, <8 x i32> zeroinitializer
%v176 = bitcast <8 x i32> %v175 to <32 x i8>
%v177 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v171, <32 x i8> %v176)
%v178 = add <16 x i16> %v167, %v177
%v179 = lshr <8 x i32> %v169, splat (i32 4)
%v180 = and <8 x i32> %v179, splat (i32 252645135)
%v181 = bitcast <8 x i32> %v180 to <32 x i8>
%v182 = getelementptr i32, ptr %v140, i64 3
%v183 = load i32, ptr %v182, align 4
%v184 = insertelement <8 x i32> poison, i32 %v183, i32 0
%v185 = shufflevector <8 x i32> %v184, <8 x i32> poison, <8 x i32> zeroinitializer
%v186 = bitcast <8 x i32> %v185 to <32 x i8>
%v187 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v181, <32 x i8> %v186)
%v188 = add <16 x i16> %v178, %v187
%v189 = getelementptr i8, ptr %v128, i64 80
%v190 = load <8 x i32>, ptr %v189, align 1
%v191 = and <8 x i32> %v190, splat (i32 252645135)
%v192 = bitcast <8 x i32> %v191 to <32 x i8>
%v193 = getelementptr i32, ptr %v140, i64 4
%v194 = load i32, ptr %v193, align 4
%v195 = insertelement <8 x i32> poison, i32 %v194, i32 0
%v196 = shufflevector <8 x i32> %v195, <8 x i32> poison, <8 x i32> zeroinitializer
%v197 = bitcast <8 x i32> %v196 to <32 x i8>
%v198 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v192, <32 x i8> %v197)
%v199 = add <16 x i16> %v188, %v198
%v200 = lshr <8 x i32> %v190, splat (i32 4)
%v201 = and <8 x i32> %v200, splat (i32 252645135)
%v202 = bitcast <8 x i32> %v201 to <32 x i8>
%v203 = getelementptr i32, ptr %v140, i64 5
%v204 = load i32, ptr %v203, align 4
%v205 = insertelement <8 x i32> poison, i32 %v204, i32 0
%v206 = shufflevector <8 x i32> %v205, <8 x i32> poison, <8 x i32> zeroinitializer
%v207 = bitcast <8 x i32> %v206 to <32 x i8>
%v208 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v202, <32 x i8> %v207)
%v209 = add <16 x i16> %v199, %v208
%v210 = getelementptr i8, ptr %v128, i64 112
%v211 = load <8 x i32>, ptr %v210, align 1
%v212 = and <8 x i32> %v211, splat (i32 252645135)
%v213 = bitcast <8 x i32> %v212 to <32 x i8>
%v214 = getelementptr i32, ptr %v140, i64 6
%v215 = load i32, ptr %v214, align 4
%v216 = insertelement <8 x i32> poison, i32 %v215, i32 0
%v217 = shufflevector <8 x i32> %v216, <8 x i32> poison, <8 x i32> zeroinitializer
%v218 = bitcast <8 x i32> %v217 to <32 x i8>
%v219 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v213, <32 x i8> %v218)
%v220 = add <16 x i16> %v209, %v219
%v221 = lshr <8 x i32> %v211, splat (i32 4)
%v222 = and <8 x i32> %v221, splat (i32 252645135)
%v223 = bitcast <8 x i32> %v222 to <32 x i8>
%v224 = getelementptr i32, ptr %v140, i64 7
%v225 = load i32, ptr %v224, align 4
%v226 = insertelement <8 x i32> poison, i32 %v225, i32 0
%v227 = shufflevector <8 x i32> %v226, <8 x i32> poison, <8 x i32> zeroinitializer
%v228 = bitcast <8 x i32> %v227 to <32 x i8>
%v229 = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %v223, <32 x i8> %v228)
%v230 = add <16 x i16> %v220, %v229
%v231 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v230, <16 x i16> splat (i16 1))
%v232 = sitofp <8 x i32> %v231 to <8 x float>
%v233 = fmul <8 x float> %v232, %v148
%v234 = load <8 x float>, ptr %s0
%v235 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v131, <8 x float> %v233, <8 x float> %v234)
store <8 x float> %v235, ptr %s0
%v236 = load i32, ptr %s1
%v237 = load i32, ptr %s1
%v238 = sub i32 %v237, 1
%v239 = and i32 %v236, %v238
store i32 %v239, ptr %s1
%v240 = load i32, ptr %s1
%v241 = icmp eq i32 %v240, 0
br i1 %v241, label %end11, label %next12
next12:
br label %head10
end11:
br label %end9
else8:
br label %end9
end9:
%v242 = add i64 %v1, 8
%v243 = icmp slt i64 %v242, %blocks
br i1 %v243, label %loop1, label %end2
end2:
%v244 = load <8 x float>, ptr %s0
store <8 x float> %v244, ptr %sums, align 4
ret void
}

