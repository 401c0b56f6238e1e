; kernels for aarch64
; mir @q4_0_stream {
;   %0 = input("x1") : f32[1, 32]
;   %1 = param("w1", scheme=gguf_q4_0) : f32[32, 8]
;   %2 = matmul(%0, %1) : f32[1, 8]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16>, <16 x i16>)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare i32 @llvm.cttz.i32(i32, i1)

define void @packed_matmul_42e637b1(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v1 = phi i64 [ 0, %guard3 ], [ %v332, %end9 ]
%v2 = add i64 %v1, 8
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 %blocks)
%v4 = icmp slt i64 %v1, %v3
br i1 %v4, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v5 = phi i64 [ %v1, %guard6 ], [ %v158, %loop4 ]
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
%v20 = zext <32 x i8> %v15 to <32 x i16>
%v21 = sext <32 x i8> %v19 to <32 x i16>
%v22 = mul <32 x i16> %v20, %v21
%v23 = shufflevector <32 x i16> %v22, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v24 = shufflevector <32 x i16> %v22, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v25 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v23, <16 x i16> %v24)
%v26 = lshr <8 x i32> %v13, splat (i32 4)
%v27 = and <8 x i32> %v26, splat (i32 252645135)
%v28 = bitcast <8 x i32> %v27 to <32 x i8>
%v29 = getelementptr i32, ptr %v9, i64 1
%v30 = load i32, ptr %v29, align 4
%v31 = insertelement <8 x i32> poison, i32 %v30, i32 0
%v32 = shufflevector <8 x i32> %v31, <8 x i32> poison, <8 x i32> zeroinitializer
%v33 = bitcast <8 x i32> %v32 to <32 x i8>
%v34 = zext <32 x i8> %v28 to <32 x i16>
%v35 = sext <32 x i8> %v33 to <32 x i16>
%v36 = mul <32 x i16> %v34, %v35
%v37 = shufflevector <32 x i16> %v36, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v38 = shufflevector <32 x i16> %v36, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v39 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v37, <16 x i16> %v38)
%v40 = add <16 x i16> %v25, %v39
call void asm sideeffect "", "~{memory}"()
%v41 = getelementptr i8, ptr %v7, i64 1856
call void @llvm.prefetch.p0(ptr %v41, i32 0, i32 0, i32 1)
%v42 = getelementptr i8, ptr %v7, i64 48
%v43 = load <8 x i32>, ptr %v42, align 1
%v44 = and <8 x i32> %v43, splat (i32 252645135)
%v45 = bitcast <8 x i32> %v44 to <32 x i8>
%v46 = getelementptr i32, ptr %v9, i64 2
%v47 = load i32, ptr %v46, align 4
%v48 = insertelement <8 x i32> poison, i32 %v47, i32 0
%v49 = shufflevector <8 x i32> %v48, <8 x i32> poison, <8 x i32> zeroinitializer
%v50 = bitcast <8 x i32> %v49 to <32 x i8>
%v51 = zext <32 x i8> %v45 to <32 x i16>
%v52 = sext <32 x i8> %v50 to <32 x i16>
%v53 = mul <32 x i16> %v51, %v52
%v54 = shufflevector <32 x i16> %v53, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v55 = shufflevector <32 x i16> %v53, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v56 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v54, <16 x i16> %v55)
%v57 = add <16 x i16> %v40, %v56
%v58 = lshr <8 x i32> %v43, splat (i32 4)
%v59 = and <8 x i32> %v58, splat (i32 252645135)
%v60 = bitcast <8 x i32> %v59 to <32 x i8>
%v61 = getelementptr i32, ptr %v9, i64 3
%v62 = load i32, ptr %v61, align 4
%v63 = insertelement <8 x i32> poison, i32 %v62, i32 0
%v64 = shufflevector <8 x i32> %v63, <8 x i32> poison, <8 x i32> zeroinitializer
%v65 = bitcast <8 x i32> %v64 to <32 x i8>
%v66 = zext <32 x i8> %v60 to <32 x i16>
%v67 = sext <32 x i8> %v65 to <32 x i16>
%v68 = mul <32 x i16> %v66, %v67
%v69 = shufflevector <32 x i16> %v68, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v70 = shufflevector <32 x i16> %v68, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v71 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v69, <16 x i16> %v70)
%v72 = add <16 x i16> %v57, %v71
%v73 = getelementptr i8, ptr %v7, i64 80
%v74 = load <8 x i32>, ptr %v73, align 1
%v75 = and <8 x i32> %v74, splat (i32 252645135)
%v76 = bitcast <8 x i32> %v75 to <32 x i8>
%v77 = getelementptr i32, ptr %v9, i64 4
%v78 = load i32, ptr %v77, align 4
%v79 = insertelement <8 x i32> poison, i32 %v78, i32 0
%v80 = shufflevector <8 x i32> %v79, <8 x i32> poison, <8 x i32> zeroinitializer
%v81 = bitcast <8 x i32> %v80 to <32 x i8>
%v82 = zext <32 x i8> %v76 to <32 x i16>
%v83 = sext <32 x i8> %v81 to <32 x i16>
%v84 = mul <32 x i16> %v82, %v83
%v85 = shufflevector <32 x i16> %v84, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v86 = shufflevector <32 x i16> %v84, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v87 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v85, <16 x i16> %v86)
%v88 = add <16 x i16> %v72, %v87
%v89 = lshr <8 x i32> %v74, splat (i32 4)
%v90 = and <8 x i32> %v89, splat (i32 252645135)
%v91 = bitcast <8 x i32> %v90 to <32 x i8>
%v92 = getelementptr i32, ptr %v9, i64 5
%v93 = load i32, ptr %v92, align 4
%v94 = insertelement <8 x i32> poison, i32 %v93, i32 0
%v95 = shufflevector <8 x i32> %v94, <8 x i32> poison, <8 x i32> zeroinitializer
%v96 = bitcast <8 x i32> %v95 to <32 x i8>
%v97 = zext <32 x i8> %v91 to <32 x i16>
%v98 = sext <32 x i8> %v96 to <32 x i16>
%v99 = mul <32 x i16> %v97, %v98
%v100 = shufflevector <32 x i16> %v99, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v101 = shufflevector <32 x i16> %v99, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v102 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v100, <16 x i16> %v101)
%v103 = add <16 x i16> %v88, %v102
call void asm sideeffect "", "~{memory}"()
%v104 = getelementptr i8, ptr %v7, i64 1920
call void @llvm.prefetch.p0(ptr %v104, i32 0, i32 0, i32 1)
%v105 = getelementptr i8, ptr %v7, i64 112
%v106 = load <8 x i32>, ptr %v105, align 1
%v107 = and <8 x i32> %v106, splat (i32 252645135)
%v108 = bitcast <8 x i32> %v107 to <32 x i8>
%v109 = getelementptr i32, ptr %v9, i64 6
%v110 = load i32, ptr %v109, align 4
%v111 = insertelement <8 x i32> poison, i32 %v110, i32 0
%v112 = shufflevector <8 x i32> %v111, <8 x i32> poison, <8 x i32> zeroinitializer
%v113 = bitcast <8 x i32> %v112 to <32 x i8>
%v114 = zext <32 x i8> %v108 to <32 x i16>
%v115 = sext <32 x i8> %v113 to <32 x i16>
%v116 = mul <32 x i16> %v114, %v115
%v117 = shufflevector <32 x i16> %v116, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v118 = shufflevector <32 x i16> %v116, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v119 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v117, <16 x i16> %v118)
%v120 = add <16 x i16> %v103, %v119
%v121 = lshr <8 x i32> %v106, splat (i32 4)
%v122 = and <8 x i32> %v121, splat (i32 252645135)
%v123 = bitcast <8 x i32> %v122 to <32 x i8>
%v124 = getelementptr i32, ptr %v9, i64 7
%v125 = load i32, ptr %v124, align 4
%v126 = insertelement <8 x i32> poison, i32 %v125, i32 0
%v127 = shufflevector <8 x i32> %v126, <8 x i32> poison, <8 x i32> zeroinitializer
%v128 = bitcast <8 x i32> %v127 to <32 x i8>
%v129 = zext <32 x i8> %v123 to <32 x i16>
%v130 = sext <32 x i8> %v128 to <32 x i16>
%v131 = mul <32 x i16> %v129, %v130
%v132 = shufflevector <32 x i16> %v131, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v133 = shufflevector <32 x i16> %v131, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v134 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v132, <16 x i16> %v133)
%v135 = add <16 x i16> %v120, %v134
%v136 = sext <16 x i16> %v135 to <16 x i32>
%v137 = sext <16 x i16> splat (i16 1) to <16 x i32>
%v138 = mul <16 x i32> %v136, %v137
%v139 = shufflevector <16 x i32> %v138, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
%v140 = shufflevector <16 x i32> %v138, <16 x i32> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
%v141 = add <8 x i32> %v139, %v140
%v142 = sitofp <8 x i32> %v141 to <8 x float>
%v143 = getelementptr i8, ptr %v9, i64 32
%v144 = load float, ptr %v143, align 4
%v145 = insertelement <8 x float> poison, float %v144, i32 0
%v146 = shufflevector <8 x float> %v145, <8 x float> poison, <8 x i32> zeroinitializer
%v147 = fmul <8 x float> %v142, %v146
%v148 = load <8 x i16>, ptr %v7, align 1
%v149 = bitcast <8 x i16> %v148 to <8 x half>
%v150 = fpext <8 x half> %v149 to <8 x float>
%v151 = fmul <8 x float> %v150, splat (float 0xC020000000000000)
%v152 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v150, <8 x float> %v147, <8 x float> %v10)
%v153 = getelementptr i8, ptr %v9, i64 36
%v154 = load float, ptr %v153, align 4
%v155 = insertelement <8 x float> poison, float %v154, i32 0
%v156 = shufflevector <8 x float> %v155, <8 x float> poison, <8 x i32> zeroinitializer
%v157 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v151, <8 x float> %v156, <8 x float> %v152)
store <8 x float> %v157, ptr %s0
%v158 = add i64 %v5, 1
%v159 = icmp slt i64 %v158, %v3
br i1 %v159, label %loop4, label %end5
end5:
%v160 = getelementptr i8, ptr %sums, i64 512
%v161 = mul i64 %blocks, 40
%v162 = udiv i64 %v1, 8
%v163 = add i64 %v161, %v162
%v164 = getelementptr i8, ptr %row0, i64 %v163
%v165 = load i8, ptr %v164, align 1
%v166 = zext i8 %v165 to i32
%v167 = icmp ne i32 %v166, 0
br i1 %v167, label %then7, label %else8
then7:
store i32 %v166, ptr %s1
br label %head10
head10:
%v168 = load i32, ptr %s1
%v169 = call i32 @llvm.cttz.i32(i32 %v168, i1 false)
%v170 = zext i32 %v169 to i64
%v171 = add i64 %v1, %v170
%v172 = mul i64 %v171, 144
%v173 = getelementptr i8, ptr %weight, i64 %v172
%v174 = load <8 x i16>, ptr %v173, align 1
%v175 = bitcast <8 x i16> %v174 to <8 x half>
%v176 = fpext <8 x half> %v175 to <8 x float>
%v177 = add i64 %v1, %v170
%v178 = mul i64 %blocks, 40
%v179 = add i64 %blocks, 63
%v180 = ashr i64 %v179, 6
%v181 = mul i64 %v180, 8
%v182 = add i64 %v178, %v181
%v183 = mul i64 %v177, 32
%v184 = add i64 %v182, %v183
%v185 = getelementptr i8, ptr %row0, i64 %v184
%v186 = add i64 %v1, %v170
%v187 = mul i64 %v186, 40
%v188 = getelementptr i8, ptr %row0, i64 %v187
%v189 = getelementptr i8, ptr %v188, i64 32
%v190 = load float, ptr %v189, align 4
%v191 = insertelement <8 x float> poison, float %v190, i32 0
%v192 = shufflevector <8 x float> %v191, <8 x float> poison, <8 x i32> zeroinitializer
%v193 = fmul <8 x float> %v192, splat (float 0x3F70204080000000)
%v194 = getelementptr i8, ptr %v173, i64 16
%v195 = load <8 x i32>, ptr %v194, align 1
%v196 = and <8 x i32> %v195, splat (i32 252645135)
%v197 = bitcast <8 x i32> %v196 to <32 x i8>
%v198 = load i32, ptr %v185, align 4
%v199 = insertelement <8 x i32> poison, i32 %v198, i32 0
%v200 = shufflevector <8 x i32> %v199, <8 x i32> poison, <8 x i32> zeroinitializer
%v201 = bitcast <8 x i32> %v200 to <32 x i8>
%v202 = zext <32 x i8> %v197 to <32 x i16>
%v203 = sext <32 x i8> %v201 to <32 x i16>
%v204 = mul <32 x i16> %v202, %v203
%v205 = shufflevector <32 x i16> %v204, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v206 = shufflevector <32 x i16> %v204, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v207 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v205, <16 x i16> %v206)
%v208 = lshr <8 x i32> %v195, splat (i32 4)
%v209 = and <8 x i32> %v208, splat (i32 252645135)
%v210 = bitcast <8 x i32> %v209 to <32 x i8>
%v211 = getelementptr i32, ptr %v185, i64 1
%v212 = load i32, ptr %v211, align 4
%v213 = insertelement <8 x i32> poison, i32 %v212, i32 0
%v214 = shufflevector <8 x i32> %v213, <8 x i32> poison, <8 x i32> zeroinitializer
%v215 = bitcast <8 x i32> %v214 to <32 x i8>
%v216 = zext <32 x i8> %v210 to <32 x i16>
%v217 = sext <32 x i8> %v215 to <32 x i16>
%v218 = mul <32 x i16> %v216, %v217
%v219 = shufflevector <32 x i16> %v218, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v220 = shufflevector <32 x i16> %v218, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v221 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v219, <16 x i16> %v220)
%v222 = add <16 x i16> %v207, %v221
%v223 = getelementptr i8, ptr %v173, i64 48
%v224 = load <8 x i32>, ptr %v223, align 1
%v225 = and <8 x i32> %v224, splat (i32 252645135)
%v226 = bitcast <8 x i32> %v225 to <32 x i8>
%v227 = getelementptr i32, ptr %v185, i64 2
%v228 = load i32, ptr %v227, align 4
%v229 = insertelement <8 x i32> poison, i32 %v228, i32 0
%v230 = shufflevector <8 x i32> %v229, <8 x i32> poison, <8 x i32> zeroinitializer
%v231 = bitcast <8 x i32> %v230 to <32 x i8>
%v232 = zext <32 x i8> %v226 to <32 x i16>
%v233 = sext <32 x i8> %v231 to <32 x i16>
%v234 = mul <32 x i16> %v232, %v233
%v235 = shufflevector <32 x i16> %v234, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v236 = shufflevector <32 x i16> %v234, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v237 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v235, <16 x i16> %v236)
%v238 = add <16 x i16> %v222, %v237
%v239 = lshr <8 x i32> %v224, splat (i32 4)
%v240 = and <8 x i32> %v239, splat (i32 252645135)
%v241 = bitcast <8 x i32> %v240 to <32 x i8>
%v242 = getelementptr i32, ptr %v185, i64 3
%v243 = load i32, ptr %v242, align 4
%v244 = insertelement <8 x i32> poison, i32 %v243, i32 0
%v245 = shufflevector <8 x i32> %v244, <8 x i32> poison, <8 x i32> zeroinitializer
%v246 = bitcast <8 x i32> %v245 to <32 x i8>
%v247 = zext <32 x i8> %v241 to <32 x i16>
%v248 = sext <32 x i8> %v246 to <32 x i16>
%v249 = mul <32 x i16> %v247, %v248
%v250 = shufflevector <32 x i16> %v249, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v251 = shufflevector <32 x i16> %v249, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v252 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v250, <16 x i16> %v251)
%v253 = add <16 x i16> %v238, %v252
%v254 = getelementptr i8, ptr %v173, i64 80
%v255 = load <8 x i32>, ptr %v254, align 1
%v256 = and <8 x i32> %v255, splat (i32 252645135)
%v257 = bitcast <8 x i32> %v256 to <32 x i8>
%v258 = getelementptr i32, ptr %v185, i64 4
%v259 = load i32, ptr %v258, align 4
%v260 = insertelement <8 x i32> poison, i32 %v259, i32 0
%v261 = shufflevector <8 x i32> %v260, <8 x i32> poison, <8 x i32> zeroinitializer
%v262 = bitcast <8 x i32> %v261 to <32 x i8>
%v263 = zext <32 x i8> %v257 to <32 x i16>
%v264 = sext <32 x i8> %v262 to <32 x i16>
%v265 = mul <32 x i16> %v263, %v264
%v266 = shufflevector <32 x i16> %v265, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v267 = shufflevector <32 x i16> %v265, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v268 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v266, <16 x i16> %v267)
%v269 = add <16 x i16> %v253, %v268
%v270 = lshr <8 x i32> %v255, splat (i32 4)
%v271 = and <8 x i32> %v270, splat (i32 252645135)
%v272 = bitcast <8 x i32> %v271 to <32 x i8>
%v273 = getelementptr i32, ptr %v185, i64 5
%v274 = load i32, ptr %v273, align 4
%v275 = insertelement <8 x i32> poison, i32 %v274, i32 0
%v276 = shufflevector <8 x i32> %v275, <8 x i32> poison, <8 x i32> zeroinitializer
%v277 = bitcast <8 x i32> %v276 to <32 x i8>
%v278 = zext <32 x i8> %v272 to <32 x i16>
%v279 = sext <32 x i8> %v277 to <32 x i16>
%v280 = mul <32 x i16> %v278, %v279
%v281 = shufflevector <32 x i16> %v280, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v282 = shufflevector <32 x i16> %v280, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v283 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v281, <16 x i16> %v282)
%v284 = add <16 x i16> %v269, %v283
%v285 = getelementptr i8, ptr %v173, i64 112
%v286 = load <8 x i32>, ptr %v285, align 1
%v287 = and <8 x i32> %v286, splat (i32 252645135)
%v288 = bitcast <8 x i32> %v287 to <32 x i8>
%v289 = getelementptr i32, ptr %v185, i64 6
%v290 = load i32, ptr %v289, align 4
%v291 = insertelement <8 x i32> poison, i32 %v290, i32 0
%v292 = shufflevector <8 x i32> %v291, <8 x i32> poison, <8 x i32> zeroinitializer
%v293 = bitcast <8 x i32> %v292 to <32 x i8>
%v294 = zext <32 x i8> %v288 to <32 x i16>
%v295 = sext <32 x i8> %v293 to <32 x i16>
%v296 = mul <32 x i16> %v294, %v295
%v297 = shufflevector <32 x i16> %v296, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v298 = shufflevector <32 x i16> %v296, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v299 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v297, <16 x i16> %v298)
%v300 = add <16 x i16> %v284, %v299
%v301 = lshr <8 x i32> %v286, splat (i32 4)
%v302 = and <8 x i32> %v301, splat (i32 252645135)
%v303 = bitcast <8 x i32> %v302 to <32 x i8>
%v304 = getelementptr i32, ptr %v185, i64 7
%v305 = load i32, ptr %v304, align 4
%v306 = insertelement <8 x i32> poison, i32 %v305, i32 0
%v307 = shufflevector <8 x i32> %v306, <8 x i32> poison, <8 x i32> zeroinitializer
%v308 = bitcast <8 x i32> %v307 to <32 x i8>
%v309 = zext <32 x i8> %v303 to <32 x i16>
%v310 = sext <32 x i8> %v308 to <32 x i16>
%v311 = mul <32 x i16> %v309, %v310
%v312 = shufflevector <32 x i16> %v311, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
%v313 = shufflevector <32 x i16> %v311, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
%v314 = call <16 x i16> @llvm.sadd.sat.v16i16(<16 x i16> %v312, <16 x i16> %v313)
%v315 = add <16 x i16> %v300, %v314
%v316 = sext <16 x i16> %v315 to <16 x i32>
%v317 = sext <16 x i16> splat (i16 1) to <16 x i32>
%v318 = mul <16 x i32> %v316, %v317
%v319 = shufflevector <16 x i32> %v318, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
%v320 = shufflevector <16 x i32> %v318, <16 x i32> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
%v321 = add <8 x i32> %v319, %v320
%v322 = sitofp <8 x i32> %v321 to <8 x float>
%v323 = fmul <8 x float> %v322, %v193
%v324 = load <8 x float>, ptr %s0
%v325 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v176, <8 x float> %v323, <8 x float> %v324)
store <8 x float> %v325, ptr %s0
%v326 = load i32, ptr %s1
%v327 = load i32, ptr %s1
%v328 = sub i32 %v327, 1
%v329 = and i32 %v326, %v328
store i32 %v329, ptr %s1
%v330 = load i32, ptr %s1
%v331 = icmp eq i32 %v330, 0
br i1 %v331, label %end11, label %next12
next12:
br label %head10
end11:
br label %end9
else8:
br label %end9
end9:
%v332 = add i64 %v1, 8
%v333 = icmp slt i64 %v332, %blocks
br i1 %v333, label %loop1, label %end2
end2:
%v334 = load <8 x float>, ptr %s0
store <8 x float> %v334, ptr %sums, align 4
ret void
}

