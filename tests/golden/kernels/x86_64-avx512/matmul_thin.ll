; kernels for x86_64-avx512
; mir @matmul_thin {
;   %0 = input("x1") : f32[2, 12]
;   %1 = input("x2") : f32[12, 40]
;   %2 = matmul(%0, %1) : f32[2, 40]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr, i32, <16 x i1>, <16 x float>)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr, i32, <16 x i1>)

define void @matmul_ea738b2b(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%s7 = alloca <16 x float>
%s8 = alloca <16 x float>
%s9 = alloca <16 x float>
%s10 = alloca <16 x float>
%s11 = alloca <16 x float>
%s12 = alloca <16 x float>
%s13 = alloca <16 x float>
%s14 = alloca <16 x float>
%s15 = alloca <16 x float>
%s16 = alloca <16 x float>
%s17 = alloca <16 x float>
%s18 = alloca <16 x float>
store i64 %begin, ptr %s0
br label %head1
head1:
%v0 = load i64, ptr %s0
%v1 = icmp sge i64 %v0, %end
br i1 %v1, label %end2, label %next3
next3:
%v2 = load i64, ptr %s0
%v3 = sub i64 %end, %v2
%v4 = call i64 @llvm.smin.i64(i64 %v3, i64 1)
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 32)
%v6 = mul i64 2, %v5
%v7 = call i64 @llvm.smin.i64(i64 %v6, i64 2)
%v8 = mul i64 %v7, 2
%v9 = mul i64 %v8, 32
%v10 = icmp slt i64 0, %v9
br i1 %v10, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v11 = phi i64 [ 0, %guard6 ], [ %v13, %loop4 ]
%v12 = getelementptr float, ptr %scratch, i64 %v11
store <16 x float> splat (float 0x0000000000000000), ptr %v12, align 4
%v13 = add i64 %v11, 16
%v14 = icmp slt i64 %v13, %v9
br i1 %v14, label %loop4, label %end5
end5:
%v15 = mul i64 %v7, 32
%v16 = call i64 @llvm.smin.i64(i64 %v15, i64 40)
%v17 = udiv i64 %v16, 64
%v18 = mul i64 %v17, 64
%v19 = icmp slt i64 0, %v18
br i1 %v19, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v20 = phi i64 [ 0, %guard9 ], [ %v179, %end11 ]
%v21 = getelementptr float, ptr %a1, i64 %v20
%v22 = getelementptr i8, ptr %scratch, i64 16384
%v23 = getelementptr float, ptr %v21, i64 1280
%v24 = udiv i64 %v20, 32
%v25 = mul i64 %v24, 64
%v26 = getelementptr float, ptr %scratch, i64 %v25
%v27 = udiv i64 %v20, 32
%v28 = mul i64 %v27, 64
%v29 = add i64 %v28, 16
%v30 = getelementptr float, ptr %scratch, i64 %v29
%v31 = udiv i64 %v20, 32
%v32 = add i64 %v31, 1
%v33 = mul i64 %v32, 64
%v34 = getelementptr float, ptr %scratch, i64 %v33
%v35 = udiv i64 %v20, 32
%v36 = add i64 %v35, 1
%v37 = mul i64 %v36, 64
%v38 = add i64 %v37, 16
%v39 = getelementptr float, ptr %scratch, i64 %v38
%v40 = udiv i64 %v20, 32
%v41 = mul i64 %v40, 64
%v42 = add i64 %v41, 32
%v43 = getelementptr float, ptr %scratch, i64 %v42
%v44 = udiv i64 %v20, 32
%v45 = mul i64 %v44, 64
%v46 = add i64 %v45, 48
%v47 = getelementptr float, ptr %scratch, i64 %v46
%v48 = udiv i64 %v20, 32
%v49 = add i64 %v48, 1
%v50 = mul i64 %v49, 64
%v51 = add i64 %v50, 32
%v52 = getelementptr float, ptr %scratch, i64 %v51
%v53 = udiv i64 %v20, 32
%v54 = add i64 %v53, 1
%v55 = mul i64 %v54, 64
%v56 = add i64 %v55, 48
%v57 = getelementptr float, ptr %scratch, i64 %v56
%v58 = load <16 x float>, ptr %v26, align 4
%v59 = load <16 x float>, ptr %v30, align 4
%v60 = load <16 x float>, ptr %v34, align 4
%v61 = load <16 x float>, ptr %v39, align 4
%v62 = load <16 x float>, ptr %v43, align 4
%v63 = load <16 x float>, ptr %v47, align 4
%v64 = load <16 x float>, ptr %v52, align 4
%v65 = load <16 x float>, ptr %v57, align 4
store <16 x float> %v58, ptr %s7
store <16 x float> %v59, ptr %s8
store <16 x float> %v60, ptr %s9
store <16 x float> %v61, ptr %s10
store <16 x float> %v62, ptr %s11
store <16 x float> %v63, ptr %s12
store <16 x float> %v64, ptr %s13
store <16 x float> %v65, ptr %s14
%v66 = getelementptr float, ptr %a0, i64 12
br label %loop10
loop10:
%v67 = phi i64 [ 0, %loop7 ], [ %v169, %loop10 ]
%v68 = mul i64 %v67, 160
%v69 = getelementptr i8, ptr %v23, i64 %v68
call void @llvm.prefetch.p0(ptr %v69, i32 0, i32 3, i32 1)
%v70 = mul i64 %v67, 160
%v71 = add i64 %v70, 64
%v72 = getelementptr i8, ptr %v23, i64 %v71
call void @llvm.prefetch.p0(ptr %v72, i32 0, i32 3, i32 1)
%v73 = mul i64 %v67, 160
%v74 = add i64 %v73, 128
%v75 = getelementptr i8, ptr %v23, i64 %v74
call void @llvm.prefetch.p0(ptr %v75, i32 0, i32 3, i32 1)
%v76 = mul i64 %v67, 160
%v77 = add i64 %v76, 192
%v78 = getelementptr i8, ptr %v23, i64 %v77
call void @llvm.prefetch.p0(ptr %v78, i32 0, i32 3, i32 1)
%v79 = mul i64 %v67, 40
%v80 = getelementptr float, ptr %v21, i64 %v79
%v81 = load <16 x float>, ptr %v80, align 4
%v82 = add i64 %v79, 16
%v83 = getelementptr float, ptr %v21, i64 %v82
%v84 = load <16 x float>, ptr %v83, align 4
%v85 = add i64 %v79, 32
%v86 = getelementptr float, ptr %v21, i64 %v85
%v87 = load <16 x float>, ptr %v86, align 4
%v88 = add i64 %v79, 48
%v89 = getelementptr float, ptr %v21, i64 %v88
%v90 = load <16 x float>, ptr %v89, align 4
%v91 = getelementptr float, ptr %a0, i64 %v67
%v92 = load float, ptr %v91, align 4
%v93 = insertelement <16 x float> poison, float %v92, i32 0
%v94 = shufflevector <16 x float> %v93, <16 x float> poison, <16 x i32> zeroinitializer
%v95 = load <16 x float>, ptr %s7
%v96 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v94, <16 x float> %v81, <16 x float> %v95)
store <16 x float> %v96, ptr %s7
%v97 = load <16 x float>, ptr %s8
%v98 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v94, <16 x float> %v84, <16 x float> %v97)
store <16 x float> %v98, ptr %s8
%v99 = load <16 x float>, ptr %s9
%v100 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v94, <16 x float> %v87, <16 x float> %v99)
store <16 x float> %v100, ptr %s9
%v101 = load <16 x float>, ptr %s10
%v102 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v94, <16 x float> %v90, <16 x float> %v101)
store <16 x float> %v102, ptr %s10
%v103 = getelementptr float, ptr %v66, i64 %v67
%v104 = load float, ptr %v103, align 4
%v105 = insertelement <16 x float> poison, float %v104, i32 0
%v106 = shufflevector <16 x float> %v105, <16 x float> poison, <16 x i32> zeroinitializer
%v107 = load <16 x float>, ptr %s11
%v108 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v106, <16 x float> %v81, <16 x float> %v107)
store <16 x float> %v108, ptr %s11
%v109 = load <16 x float>, ptr %s12
%v110 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v106, <16 x float> %v84, <16 x float> %v109)
store <16 x float> %v110, ptr %s12
%v111 = load <16 x float>, ptr %s13
%v112 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v106, <16 x float> %v87, <16 x float> %v111)
store <16 x float> %v112, ptr %s13
%v113 = load <16 x float>, ptr %s14
%v114 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v106, <16 x float> %v90, <16 x float> %v113)
store <16 x float> %v114, ptr %s14
%v115 = add i64 %v67, 1
%v116 = mul i64 %v115, 160
%v117 = getelementptr i8, ptr %v23, i64 %v116
call void @llvm.prefetch.p0(ptr %v117, i32 0, i32 3, i32 1)
%v118 = add i64 %v67, 1
%v119 = mul i64 %v118, 160
%v120 = add i64 %v119, 64
%v121 = getelementptr i8, ptr %v23, i64 %v120
call void @llvm.prefetch.p0(ptr %v121, i32 0, i32 3, i32 1)
%v122 = add i64 %v67, 1
%v123 = mul i64 %v122, 160
%v124 = add i64 %v123, 128
%v125 = getelementptr i8, ptr %v23, i64 %v124
call void @llvm.prefetch.p0(ptr %v125, i32 0, i32 3, i32 1)
%v126 = add i64 %v67, 1
%v127 = mul i64 %v126, 160
%v128 = add i64 %v127, 192
%v129 = getelementptr i8, ptr %v23, i64 %v128
call void @llvm.prefetch.p0(ptr %v129, i32 0, i32 3, i32 1)
%v130 = mul i64 %v67, 40
%v131 = add i64 %v130, 40
%v132 = getelementptr float, ptr %v21, i64 %v131
%v133 = load <16 x float>, ptr %v132, align 4
%v134 = add i64 %v131, 16
%v135 = getelementptr float, ptr %v21, i64 %v134
%v136 = load <16 x float>, ptr %v135, align 4
%v137 = add i64 %v131, 32
%v138 = getelementptr float, ptr %v21, i64 %v137
%v139 = load <16 x float>, ptr %v138, align 4
%v140 = add i64 %v131, 48
%v141 = getelementptr float, ptr %v21, i64 %v140
%v142 = load <16 x float>, ptr %v141, align 4
%v143 = add i64 %v67, 1
%v144 = getelementptr float, ptr %a0, i64 %v143
%v145 = load float, ptr %v144, align 4
%v146 = insertelement <16 x float> poison, float %v145, i32 0
%v147 = shufflevector <16 x float> %v146, <16 x float> poison, <16 x i32> zeroinitializer
%v148 = load <16 x float>, ptr %s7
%v149 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v147, <16 x float> %v133, <16 x float> %v148)
store <16 x float> %v149, ptr %s7
%v150 = load <16 x float>, ptr %s8
%v151 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v147, <16 x float> %v136, <16 x float> %v150)
store <16 x float> %v151, ptr %s8
%v152 = load <16 x float>, ptr %s9
%v153 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v147, <16 x float> %v139, <16 x float> %v152)
store <16 x float> %v153, ptr %s9
%v154 = load <16 x float>, ptr %s10
%v155 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v147, <16 x float> %v142, <16 x float> %v154)
store <16 x float> %v155, ptr %s10
%v156 = add i64 %v67, 1
%v157 = getelementptr float, ptr %v66, i64 %v156
%v158 = load float, ptr %v157, align 4
%v159 = insertelement <16 x float> poison, float %v158, i32 0
%v160 = shufflevector <16 x float> %v159, <16 x float> poison, <16 x i32> zeroinitializer
%v161 = load <16 x float>, ptr %s11
%v162 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v160, <16 x float> %v133, <16 x float> %v161)
store <16 x float> %v162, ptr %s11
%v163 = load <16 x float>, ptr %s12
%v164 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v160, <16 x float> %v136, <16 x float> %v163)
store <16 x float> %v164, ptr %s12
%v165 = load <16 x float>, ptr %s13
%v166 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v160, <16 x float> %v139, <16 x float> %v165)
store <16 x float> %v166, ptr %s13
%v167 = load <16 x float>, ptr %s14
%v168 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v160, <16 x float> %v142, <16 x float> %v167)
store <16 x float> %v168, ptr %s14
%v169 = add i64 %v67, 2
%v170 = icmp slt i64 %v169, 12
br i1 %v170, label %loop10, label %end11
end11:
%v171 = load <16 x float>, ptr %s7
%v172 = load <16 x float>, ptr %s8
%v173 = load <16 x float>, ptr %s9
%v174 = load <16 x float>, ptr %s10
%v175 = load <16 x float>, ptr %s11
%v176 = load <16 x float>, ptr %s12
%v177 = load <16 x float>, ptr %s13
%v178 = load <16 x float>, ptr %s14
store <16 x float> %v171, ptr %v26, align 4
store <16 x float> %v172, ptr %v30, align 4
store <16 x float> %v173, ptr %v34, align 4
store <16 x float> %v174, ptr %v39, align 4
store <16 x float> %v175, ptr %v43, align 4
store <16 x float> %v176, ptr %v47, align 4
store <16 x float> %v177, ptr %v52, align 4
store <16 x float> %v178, ptr %v57, align 4
%v179 = add i64 %v20, 64
%v180 = icmp slt i64 %v179, %v18
br i1 %v180, label %loop7, label %end8
end8:
%v181 = icmp slt i64 %v18, %v16
br i1 %v181, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v182 = phi i64 [ %v18, %guard14 ], [ %v373, %end16 ]
%v183 = sub i64 %v16, %v182
%v184 = getelementptr float, ptr %a1, i64 %v182
%v185 = getelementptr i8, ptr %scratch, i64 16384
%v186 = getelementptr float, ptr %v184, i64 1280
%v187 = udiv i64 %v182, 32
%v188 = mul i64 %v187, 64
%v189 = getelementptr float, ptr %scratch, i64 %v188
%v190 = udiv i64 %v182, 32
%v191 = mul i64 %v190, 64
%v192 = add i64 %v191, 16
%v193 = getelementptr float, ptr %scratch, i64 %v192
%v194 = udiv i64 %v182, 32
%v195 = mul i64 %v194, 64
%v196 = add i64 %v195, 32
%v197 = getelementptr float, ptr %scratch, i64 %v196
%v198 = udiv i64 %v182, 32
%v199 = mul i64 %v198, 64
%v200 = add i64 %v199, 48
%v201 = getelementptr float, ptr %scratch, i64 %v200
%v202 = load <16 x float>, ptr %v189, align 4
%v203 = load <16 x float>, ptr %v193, align 4
%v204 = load <16 x float>, ptr %v197, align 4
%v205 = load <16 x float>, ptr %v201, align 4
store <16 x float> %v202, ptr %s15
store <16 x float> %v203, ptr %s16
store <16 x float> %v204, ptr %s17
store <16 x float> %v205, ptr %s18
%v206 = getelementptr float, ptr %a0, i64 12
br label %loop15
loop15:
%v207 = phi i64 [ 0, %loop12 ], [ %v367, %loop15 ]
%v208 = mul i64 %v207, 160
%v209 = getelementptr i8, ptr %v186, i64 %v208
call void @llvm.prefetch.p0(ptr %v209, i32 0, i32 3, i32 1)
%v210 = mul i64 %v207, 160
%v211 = add i64 %v210, 64
%v212 = getelementptr i8, ptr %v186, i64 %v211
call void @llvm.prefetch.p0(ptr %v212, i32 0, i32 3, i32 1)
%v213 = mul i64 %v207, 40
%v214 = trunc i64 %v183 to i32
%v215 = insertelement <16 x i32> poison, i32 %v214, i32 0
%v216 = shufflevector <16 x i32> %v215, <16 x i32> poison, <16 x i32> zeroinitializer
%v217 = icmp sgt <16 x i32> %v216, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v218 = getelementptr float, ptr %v184, i64 %v213
%v219 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v218, i32 4, <16 x i1> %v217, <16 x float> splat (float 0x0000000000000000))
%v220 = add i64 %v213, 16
%v221 = sub i64 %v183, 16
%v222 = trunc i64 %v221 to i32
%v223 = insertelement <16 x i32> poison, i32 %v222, i32 0
%v224 = shufflevector <16 x i32> %v223, <16 x i32> poison, <16 x i32> zeroinitializer
%v225 = icmp sgt <16 x i32> %v224, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v226 = getelementptr float, ptr %v184, i64 %v220
%v227 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v226, i32 4, <16 x i1> %v225, <16 x float> splat (float 0x0000000000000000))
%v228 = getelementptr float, ptr %a0, i64 %v207
%v229 = load float, ptr %v228, align 4
%v230 = insertelement <16 x float> poison, float %v229, i32 0
%v231 = shufflevector <16 x float> %v230, <16 x float> poison, <16 x i32> zeroinitializer
%v232 = load <16 x float>, ptr %s15
%v233 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v231, <16 x float> %v219, <16 x float> %v232)
store <16 x float> %v233, ptr %s15
%v234 = load <16 x float>, ptr %s16
%v235 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v231, <16 x float> %v227, <16 x float> %v234)
store <16 x float> %v235, ptr %s16
%v236 = getelementptr float, ptr %v206, i64 %v207
%v237 = load float, ptr %v236, align 4
%v238 = insertelement <16 x float> poison, float %v237, i32 0
%v239 = shufflevector <16 x float> %v238, <16 x float> poison, <16 x i32> zeroinitializer
%v240 = load <16 x float>, ptr %s17
%v241 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v239, <16 x float> %v219, <16 x float> %v240)
store <16 x float> %v241, ptr %s17
%v242 = load <16 x float>, ptr %s18
%v243 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v239, <16 x float> %v227, <16 x float> %v242)
store <16 x float> %v243, ptr %s18
%v244 = add i64 %v207, 1
%v245 = mul i64 %v244, 160
%v246 = getelementptr i8, ptr %v186, i64 %v245
call void @llvm.prefetch.p0(ptr %v246, i32 0, i32 3, i32 1)
%v247 = add i64 %v207, 1
%v248 = mul i64 %v247, 160
%v249 = add i64 %v248, 64
%v250 = getelementptr i8, ptr %v186, i64 %v249
call void @llvm.prefetch.p0(ptr %v250, i32 0, i32 3, i32 1)
%v251 = mul i64 %v207, 40
%v252 = add i64 %v251, 40
%v253 = trunc i64 %v183 to i32
%v254 = insertelement <16 x i32> poison, i32 %v253, i32 0
%v255 = shufflevector <16 x i32> %v254, <16 x i32> poison, <16 x i32> zeroinitializer
%v256 = icmp sgt <16 x i32> %v255, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v257 = getelementptr float, ptr %v184, i64 %v252
%v258 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v257, i32 4, <16 x i1> %v256, <16 x float> splat (float 0x0000000000000000))
%v259 = add i64 %v252, 16
%v260 = sub i64 %v183, 16
%v261 = trunc i64 %v260 to i32
%v262 = insertelement <16 x i32> poison, i32 %v261, i32 0
%v263 = shufflevector <16 x i32> %v262, <16 x i32> poison, <16 x i32> zeroinitializer
%v264 = icmp sgt <16 x i32> %v263, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v265 = getelementptr float, ptr %v184, i64 %v259
%v266 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v265, i32 4, <16 x i1> %v264, <16 x float> splat (float 0x0000000000000000))
%v267 = add i64 %v207, 1
%v268 = getelementptr float, ptr %a0, i64 %v267
%v269 = load float, ptr %v268, align 4
%v270 = insertelement <16 x float> poison, float %v269, i32 0
%v271 = shufflevector <16 x float> %v270, <16 x float> poison, <16 x i32> zeroinitializer
%v272 = load <16 x float>, ptr %s15
%v273 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v271, <16 x float> %v258, <16 x float> %v272)
store <16 x float> %v273, ptr %s15
%v274 = load <16 x float>, ptr %s16
%v275 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v271, <16 x float> %v266, <16 x float> %v274)
store <16 x float> %v275, ptr %s16
%v276 = add i64 %v207, 1
%v277 = getelementptr float, ptr %v206, i64 %v276
%v278 = load float, ptr %v277, align 4
%v279 = insertelement <16 x float> poison, float %v278, i32 0
%v280 = shufflevector <16 x float> %v279, <16 x float> poison, <16 x i32> zeroinitializer
%v281 = load <16 x float>, ptr %s17
%v282 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v280, <16 x float> %v258, <16 x float> %v281)
store <16 x float> %v282, ptr %s17
%v283 = load <16 x float>, ptr %s18
%v284 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v280, <16 x float> %v266, <16 x float> %v283)
store <16 x float> %v284, ptr %s18
%v285 = add i64 %v207, 2
%v286 = mul i64 %v285, 160
%v287 = getelementptr i8, ptr %v186, i64 %v286
call void @llvm.prefetch.p0(ptr %v287, i32 0, i32 3, i32 1)
%v288 = add i64 %v207, 2
%v289 = mul i64 %v288, 160
%v290 = add i64 %v289, 64
%v291 = getelementptr i8, ptr %v186, i64 %v290
call void @llvm.prefetch.p0(ptr %v291, i32 0, i32 3, i32 1)
%v292 = mul i64 %v207, 40
%v293 = add i64 %v292, 80
%v294 = trunc i64 %v183 to i32
%v295 = insertelement <16 x i32> poison, i32 %v294, i32 0
%v296 = shufflevector <16 x i32> %v295, <16 x i32> poison, <16 x i32> zeroinitializer
%v297 = icmp sgt <16 x i32> %v296, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v298 = getelementptr float, ptr %v184, i64 %v293
%v299 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v298, i32 4, <16 x i1> %v297, <16 x float> splat (float 0x0000000000000000))
%v300 = add i64 %v293, 16
%v301 = sub i64 %v183, 16
%v302 = trunc i64 %v301 to i32
%v303 = insertelement <16 x i32> poison, i32 %v302, i32 0
%v304 = shufflevector <16 x i32> %v303, <16 x i32> poison, <16 x i32> zeroinitializer
%v305 = icmp sgt <16 x i32> %v304, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v306 = getelementptr float, ptr %v184, i64 %v300
%v307 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v306, i32 4, <16 x i1> %v305, <16 x float> splat (float 0x0000000000000000))
%v308 = add i64 %v207, 2
%v309 = getelementptr float, ptr %a0, i64 %v308
%v310 = load float, ptr %v309, align 4
%v311 = insertelement <16 x float> poison, float %v310, i32 0
%v312 = shufflevector <16 x float> %v311, <16 x float> poison, <16 x i32> zeroinitializer
%v313 = load <16 x float>, ptr %s15
%v314 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v312, <16 x float> %v299, <16 x float> %v313)
store <16 x float> %v314, ptr %s15
%v315 = load <16 x float>, ptr %s16
%v316 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v312, <16 x float> %v307, <16 x float> %v315)
store <16 x float> %v316, ptr %s16
%v317 = add i64 %v207, 2
%v318 = getelementptr float, ptr %v206, i64 %v317
%v319 = load float, ptr %v318, align 4
%v320 = insertelement <16 x float> poison, float %v319, i32 0
%v321 = shufflevector <16 x float> %v320, <16 x float> poison, <16 x i32> zeroinitializer
%v322 = load <16 x float>, ptr %s17
%v323 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v321, <16 x float> %v299, <16 x float> %v322)
store <16 x float> %v323, ptr %s17
%v324 = load <16 x float>, ptr %s18
%v325 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v321, <16 x float> %v307, <16 x float> %v324)
store <16 x float> %v325, ptr %s18
%v326 = add i64 %v207, 3
%v327 = mul i64 %v326, 160
%v328 = getelementptr i8, ptr %v186, i64 %v327
call void @llvm.prefetch.p0(ptr %v328, i32 0, i32 3, i32 1)
%v329 = add i64 %v207, 3
%v330 = mul i64 %v329, 160
%v331 = add i64 %v330, 64
%v332 = getelementptr i8, ptr %v186, i64 %v331
call void @llvm.prefetch.p0(ptr %v332, i32 0, i32 3, i32 1)
%v333 = mul i64 %v207, 40
%v334 = add i64 %v333, 120
%v335 = trunc i64 %v183 to i32
%v336 = insertelement <16 x i32> poison, i32 %v335, i32 0
%v337 = shufflevector <16 x i32> %v336, <16 x i32> poison, <16 x i32> zeroinitializer
%v338 = icmp sgt <16 x i32> %v337, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v339 = getelementptr float, ptr %v184, i64 %v334
%v340 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v339, i32 4, <16 x i1> %v338, <16 x float> splat (float 0x0000000000000000))
%v341 = add i64 %v334, 16
%v342 = sub i64 %v183, 16
%v343 = trunc i64 %v342 to i32
%v344 = insertelement <16 x i32> poison, i32 %v343, i32 0
%v345 = shufflevector <16 x i32> %v344, <16 x i32> poison, <16 x i32> zeroinitializer
%v346 = icmp sgt <16 x i32> %v345, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v347 = getelementptr float, ptr %v184, i64 %v341
%v348 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v347, i32 4, <16 x i1> %v346, <16 x float> splat (float 0x0000000000000000))
%v349 = add i64 %v207, 3
%v350 = getelementptr float, ptr %a0, i64 %v349
%v351 = load float, ptr %v350, align 4
%v352 = insertelement <16 x float> poison, float %v351, i32 0
%v353 = shufflevector <16 x float> %v352, <16 x float> poison, <16 x i32> zeroinitializer
%v354 = load <16 x float>, ptr %s15
%v355 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v353, <16 x float> %v340, <16 x float> %v354)
store <16 x float> %v355, ptr %s15
%v356 = load <16 x float>, ptr %s16
%v357 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v353, <16 x float> %v348, <16 x float> %v356)
store <16 x float> %v357, ptr %s16
%v358 = add i64 %v207, 3
%v359 = getelementptr float, ptr %v206, i64 %v358
%v360 = load float, ptr %v359, align 4
%v361 = insertelement <16 x float> poison, float %v360, i32 0
%v362 = shufflevector <16 x float> %v361, <16 x float> poison, <16 x i32> zeroinitializer
%v363 = load <16 x float>, ptr %s17
%v364 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v362, <16 x float> %v340, <16 x float> %v363)
store <16 x float> %v364, ptr %s17
%v365 = load <16 x float>, ptr %s18
%v366 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v362, <16 x float> %v348, <16 x float> %v365)
store <16 x float> %v366, ptr %s18
%v367 = add i64 %v207, 4
%v368 = icmp slt i64 %v367, 12
br i1 %v368, label %loop15, label %end16
end16:
%v369 = load <16 x float>, ptr %s15
%v370 = load <16 x float>, ptr %s16
%v371 = load <16 x float>, ptr %s17
%v372 = load <16 x float>, ptr %s18
store <16 x float> %v369, ptr %v189, align 4
store <16 x float> %v370, ptr %v193, align 4
store <16 x float> %v371, ptr %v197, align 4
store <16 x float> %v372, ptr %v201, align 4
%v373 = add i64 %v182, 32
%v374 = icmp slt i64 %v373, %v16
br i1 %v374, label %loop12, label %end13
end13:
%v375 = icmp slt i64 0, %v7
br i1 %v375, label %guard19, label %end18
guard19:
br label %loop17
loop17:
%v376 = phi i64 [ 0, %guard19 ], [ %v425, %end22 ]
%v377 = mul i64 %v376, 64
%v378 = getelementptr float, ptr %scratch, i64 %v377
%v379 = mul i64 %v376, 32
%v380 = sub i64 40, %v379
%v381 = icmp sge i64 %v380, 32
br i1 %v381, label %then20, label %else21
then20:
br label %loop23
loop23:
%v382 = phi i64 [ 0, %then20 ], [ %v397, %loop23 ]
%v383 = mul i64 %v382, 32
%v384 = getelementptr float, ptr %v378, i64 %v383
%v385 = load <16 x float>, ptr %v384, align 4
%v386 = mul i64 %v382, 32
%v387 = add i64 %v386, 16
%v388 = getelementptr float, ptr %v378, i64 %v387
%v389 = load <16 x float>, ptr %v388, align 4
%v390 = mul i64 %v382, 40
%v391 = add i64 %v390, %v379
%v392 = getelementptr float, ptr %a2, i64 %v391
store <16 x float> %v385, ptr %v392, align 4
%v393 = mul i64 %v382, 40
%v394 = add i64 %v393, %v379
%v395 = add i64 %v394, 16
%v396 = getelementptr float, ptr %a2, i64 %v395
store <16 x float> %v389, ptr %v396, align 4
%v397 = add i64 %v382, 1
%v398 = icmp slt i64 %v397, 2
br i1 %v398, label %loop23, label %end24
end24:
br label %end22
else21:
br label %loop25
loop25:
%v399 = phi i64 [ 0, %else21 ], [ %v423, %loop25 ]
%v400 = mul i64 %v399, 32
%v401 = getelementptr float, ptr %v378, i64 %v400
%v402 = load <16 x float>, ptr %v401, align 4
%v403 = mul i64 %v399, 32
%v404 = add i64 %v403, 16
%v405 = getelementptr float, ptr %v378, i64 %v404
%v406 = load <16 x float>, ptr %v405, align 4
%v407 = mul i64 %v399, 40
%v408 = add i64 %v407, %v379
%v409 = getelementptr float, ptr %a2, i64 %v408
%v410 = trunc i64 %v380 to i32
%v411 = insertelement <16 x i32> poison, i32 %v410, i32 0
%v412 = shufflevector <16 x i32> %v411, <16 x i32> poison, <16 x i32> zeroinitializer
%v413 = icmp sgt <16 x i32> %v412, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
call void @llvm.masked.store.v16f32.p0(<16 x float> %v402, ptr %v409, i32 4, <16 x i1> %v413)
%v414 = mul i64 %v399, 40
%v415 = add i64 %v414, %v379
%v416 = add i64 %v415, 16
%v417 = sub i64 %v380, 16
%v418 = getelementptr float, ptr %a2, i64 %v416
%v419 = trunc i64 %v417 to i32
%v420 = insertelement <16 x i32> poison, i32 %v419, i32 0
%v421 = shufflevector <16 x i32> %v420, <16 x i32> poison, <16 x i32> zeroinitializer
%v422 = icmp sgt <16 x i32> %v421, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
call void @llvm.masked.store.v16f32.p0(<16 x float> %v406, ptr %v418, i32 4, <16 x i1> %v422)
%v423 = add i64 %v399, 1
%v424 = icmp slt i64 %v423, 2
br i1 %v424, label %loop25, label %end26
end26:
br label %end22
end22:
%v425 = add i64 %v376, 1
%v426 = icmp slt i64 %v425, %v7
br i1 %v426, label %loop17, label %end18
end18:
%v427 = load i64, ptr %s0
%v428 = add i64 %v427, %v5
store i64 %v428, ptr %s0
br label %head1
end2:
ret void
}

