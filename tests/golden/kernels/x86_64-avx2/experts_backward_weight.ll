; kernels for x86_64-avx2
; mir @experts_backward_weight {
;   %0 = input("x1") : f32[10, 12]
;   %1 = input("x2") : f32[10, 16]
;   %2 = input("x3") : i32[10]
;   %3 = grouped_matmul_backward_weight(%0, %1, %2, num_experts=3) : f32[3, 12, 16]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @grouped_weights_410533b0(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 2
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 0
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
%a3.p = getelementptr i64, ptr %args, i64 3
%a3 = load ptr, ptr %a3.p, align 8
%v0 = getelementptr float, ptr %scratch, i64 9216
%v1 = getelementptr float, ptr %scratch, i64 15360
%v2 = getelementptr float, ptr %v1, i64 6144
%v3 = icmp slt i64 %begin, %end
br i1 %v3, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v4 = phi i64 [ %begin, %guard3 ], [ %v282, %end32 ]
store i64 0, ptr %s0
br label %loop4
loop4:
%v5 = phi i64 [ 0, %loop1 ], [ %v14, %end8 ]
%v6 = getelementptr i32, ptr %a0, i64 %v5
%v7 = load i32, ptr %v6, align 4
%v8 = sext i32 %v7 to i64
%v9 = icmp eq i64 %v8, %v4
br i1 %v9, label %then6, label %else7
then6:
%v10 = load i64, ptr %s0
%v11 = getelementptr i64, ptr %v2, i64 %v10
store i64 %v5, ptr %v11, align 8
%v12 = load i64, ptr %s0
%v13 = add i64 %v12, 1
store i64 %v13, ptr %s0
br label %end8
else7:
br label %end8
end8:
%v14 = add i64 %v5, 1
%v15 = icmp slt i64 %v14, 10
br i1 %v15, label %loop4, label %end5
end5:
%v16 = load i64, ptr %s0
br label %loop9
loop9:
%v17 = phi i64 [ 0, %end5 ], [ %v19, %loop9 ]
%v18 = getelementptr float, ptr %v1, i64 %v17
store <8 x float> splat (float 0x0000000000000000), ptr %v18, align 4
%v19 = add i64 %v17, 8
%v20 = icmp slt i64 %v19, 768
br i1 %v20, label %loop9, label %end10
end10:
%v21 = icmp slt i64 0, %v16
br i1 %v21, label %guard13, label %end12
guard13:
br label %loop11
loop11:
%v22 = phi i64 [ 0, %guard13 ], [ %v241, %end25 ]
%v23 = sub i64 %v16, %v22
%v24 = call i64 @llvm.smin.i64(i64 %v23, i64 96)
%v25 = icmp slt i64 0, %v24
br i1 %v25, label %guard16, label %end15
guard16:
br label %loop14
loop14:
%v26 = phi i64 [ 0, %guard16 ], [ %v45, %end18 ]
%v27 = add i64 %v22, %v26
%v28 = getelementptr i64, ptr %v2, i64 %v27
%v29 = load i64, ptr %v28, align 8
%v30 = mul i64 %v29, 16
%v31 = getelementptr float, ptr %a1, i64 %v30
br label %loop17
loop17:
%v32 = phi i64 [ 0, %loop14 ], [ %v43, %loop17 ]
%v33 = sub i64 16, %v32
%v34 = trunc i64 %v33 to i32
%v35 = insertelement <8 x i32> poison, i32 %v34, i32 0
%v36 = shufflevector <8 x i32> %v35, <8 x i32> poison, <8 x i32> zeroinitializer
%v37 = icmp sgt <8 x i32> %v36, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v38 = getelementptr float, ptr %v31, i64 %v32
%v39 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v38, i32 4, <8 x i1> %v37, <8 x float> splat (float 0x0000000000000000))
%v40 = mul i64 %v26, 64
%v41 = add i64 %v40, %v32
%v42 = getelementptr float, ptr %v0, i64 %v41
store <8 x float> %v39, ptr %v42, align 4
%v43 = add i64 %v32, 8
%v44 = icmp slt i64 %v43, 64
br i1 %v44, label %loop17, label %end18
end18:
%v45 = add i64 %v26, 1
%v46 = icmp slt i64 %v45, %v24
br i1 %v46, label %loop14, label %end15
end15:
%v47 = icmp slt i64 0, %v24
br i1 %v47, label %guard21, label %end20
guard21:
br label %loop19
loop19:
%v48 = phi i64 [ 0, %guard21 ], [ %v67, %end23 ]
%v49 = add i64 %v22, %v48
%v50 = getelementptr i64, ptr %v2, i64 %v49
%v51 = load i64, ptr %v50, align 8
%v52 = mul i64 %v51, 12
%v53 = getelementptr float, ptr %a2, i64 %v52
br label %loop22
loop22:
%v54 = phi i64 [ 0, %loop19 ], [ %v65, %loop22 ]
%v55 = sub i64 12, %v54
%v56 = trunc i64 %v55 to i32
%v57 = insertelement <8 x i32> poison, i32 %v56, i32 0
%v58 = shufflevector <8 x i32> %v57, <8 x i32> poison, <8 x i32> zeroinitializer
%v59 = icmp sgt <8 x i32> %v58, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v60 = getelementptr float, ptr %v53, i64 %v54
%v61 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v60, i32 4, <8 x i1> %v59, <8 x float> splat (float 0x0000000000000000))
%v62 = mul i64 %v48, 96
%v63 = add i64 %v62, %v54
%v64 = getelementptr float, ptr %scratch, i64 %v63
store <8 x float> %v61, ptr %v64, align 4
%v65 = add i64 %v54, 8
%v66 = icmp slt i64 %v65, 96
br i1 %v66, label %loop22, label %end23
end23:
%v67 = add i64 %v48, 1
%v68 = icmp slt i64 %v67, %v24
br i1 %v68, label %loop19, label %end20
end20:
br label %loop24
loop24:
%v69 = phi i64 [ 0, %end20 ], [ %v239, %end27 ]
br label %loop26
loop26:
%v70 = phi i64 [ 0, %loop24 ], [ %v237, %end29 ]
%v71 = mul i64 %v69, 64
%v72 = add i64 %v71, %v70
%v73 = mul i64 %v69, 64
%v74 = add i64 %v73, %v70
%v75 = add i64 %v74, 8
%v76 = add i64 %v69, 1
%v77 = mul i64 %v76, 64
%v78 = add i64 %v77, %v70
%v79 = add i64 %v69, 1
%v80 = mul i64 %v79, 64
%v81 = add i64 %v80, %v70
%v82 = add i64 %v81, 8
%v83 = add i64 %v69, 2
%v84 = mul i64 %v83, 64
%v85 = add i64 %v84, %v70
%v86 = add i64 %v69, 2
%v87 = mul i64 %v86, 64
%v88 = add i64 %v87, %v70
%v89 = add i64 %v88, 8
%v90 = add i64 %v69, 3
%v91 = mul i64 %v90, 64
%v92 = add i64 %v91, %v70
%v93 = add i64 %v69, 3
%v94 = mul i64 %v93, 64
%v95 = add i64 %v94, %v70
%v96 = add i64 %v95, 8
%v97 = add i64 %v69, 4
%v98 = mul i64 %v97, 64
%v99 = add i64 %v98, %v70
%v100 = add i64 %v69, 4
%v101 = mul i64 %v100, 64
%v102 = add i64 %v101, %v70
%v103 = add i64 %v102, 8
%v104 = add i64 %v69, 5
%v105 = mul i64 %v104, 64
%v106 = add i64 %v105, %v70
%v107 = add i64 %v69, 5
%v108 = mul i64 %v107, 64
%v109 = add i64 %v108, %v70
%v110 = add i64 %v109, 8
%v111 = getelementptr float, ptr %v1, i64 %v72
%v112 = load <8 x float>, ptr %v111, align 4
store <8 x float> %v112, ptr %s7
%v113 = getelementptr float, ptr %v1, i64 %v75
%v114 = load <8 x float>, ptr %v113, align 4
store <8 x float> %v114, ptr %s8
%v115 = getelementptr float, ptr %v1, i64 %v78
%v116 = load <8 x float>, ptr %v115, align 4
store <8 x float> %v116, ptr %s9
%v117 = getelementptr float, ptr %v1, i64 %v82
%v118 = load <8 x float>, ptr %v117, align 4
store <8 x float> %v118, ptr %s10
%v119 = getelementptr float, ptr %v1, i64 %v85
%v120 = load <8 x float>, ptr %v119, align 4
store <8 x float> %v120, ptr %s11
%v121 = getelementptr float, ptr %v1, i64 %v89
%v122 = load <8 x float>, ptr %v121, align 4
store <8 x float> %v122, ptr %s12
%v123 = getelementptr float, ptr %v1, i64 %v92
%v124 = load <8 x float>, ptr %v123, align 4
store <8 x float> %v124, ptr %s13
%v125 = getelementptr float, ptr %v1, i64 %v96
%v126 = load <8 x float>, ptr %v125, align 4
store <8 x float> %v126, ptr %s14
%v127 = getelementptr float, ptr %v1, i64 %v99
%v128 = load <8 x float>, ptr %v127, align 4
store <8 x float> %v128, ptr %s15
%v129 = getelementptr float, ptr %v1, i64 %v103
%v130 = load <8 x float>, ptr %v129, align 4
store <8 x float> %v130, ptr %s16
%v131 = getelementptr float, ptr %v1, i64 %v106
%v132 = load <8 x float>, ptr %v131, align 4
store <8 x float> %v132, ptr %s17
%v133 = getelementptr float, ptr %v1, i64 %v110
%v134 = load <8 x float>, ptr %v133, align 4
store <8 x float> %v134, ptr %s18
%v135 = icmp slt i64 0, %v24
br i1 %v135, label %guard30, label %end29
guard30:
br label %loop28
loop28:
%v136 = phi i64 [ 0, %guard30 ], [ %v211, %loop28 ]
%v137 = mul i64 %v136, 64
%v138 = add i64 %v137, %v70
%v139 = getelementptr float, ptr %v0, i64 %v138
%v140 = load <8 x float>, ptr %v139, align 4
%v141 = mul i64 %v136, 64
%v142 = add i64 %v141, %v70
%v143 = add i64 %v142, 8
%v144 = getelementptr float, ptr %v0, i64 %v143
%v145 = load <8 x float>, ptr %v144, align 4
%v146 = mul i64 %v136, 96
%v147 = add i64 %v146, %v69
%v148 = getelementptr float, ptr %scratch, i64 %v147
%v149 = load float, ptr %v148, align 4
%v150 = insertelement <8 x float> poison, float %v149, i32 0
%v151 = shufflevector <8 x float> %v150, <8 x float> poison, <8 x i32> zeroinitializer
%v152 = load <8 x float>, ptr %s7
%v153 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v151, <8 x float> %v140, <8 x float> %v152)
store <8 x float> %v153, ptr %s7
%v154 = load <8 x float>, ptr %s8
%v155 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v151, <8 x float> %v145, <8 x float> %v154)
store <8 x float> %v155, ptr %s8
%v156 = mul i64 %v136, 96
%v157 = add i64 %v156, %v69
%v158 = add i64 %v157, 1
%v159 = getelementptr float, ptr %scratch, i64 %v158
%v160 = load float, ptr %v159, align 4
%v161 = insertelement <8 x float> poison, float %v160, i32 0
%v162 = shufflevector <8 x float> %v161, <8 x float> poison, <8 x i32> zeroinitializer
%v163 = load <8 x float>, ptr %s9
%v164 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v162, <8 x float> %v140, <8 x float> %v163)
store <8 x float> %v164, ptr %s9
%v165 = load <8 x float>, ptr %s10
%v166 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v162, <8 x float> %v145, <8 x float> %v165)
store <8 x float> %v166, ptr %s10
%v167 = mul i64 %v136, 96
%v168 = add i64 %v167, %v69
%v169 = add i64 %v168, 2
%v170 = getelementptr float, ptr %scratch, i64 %v169
%v171 = load float, ptr %v170, align 4
%v172 = insertelement <8 x float> poison, float %v171, i32 0
%v173 = shufflevector <8 x float> %v172, <8 x float> poison, <8 x i32> zeroinitializer
%v174 = load <8 x float>, ptr %s11
%v175 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v173, <8 x float> %v140, <8 x float> %v174)
store <8 x float> %v175, ptr %s11
%v176 = load <8 x float>, ptr %s12
%v177 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v173, <8 x float> %v145, <8 x float> %v176)
store <8 x float> %v177, ptr %s12
%v178 = mul i64 %v136, 96
%v179 = add i64 %v178, %v69
%v180 = add i64 %v179, 3
%v181 = getelementptr float, ptr %scratch, i64 %v180
%v182 = load float, ptr %v181, align 4
%v183 = insertelement <8 x float> poison, float %v182, i32 0
%v184 = shufflevector <8 x float> %v183, <8 x float> poison, <8 x i32> zeroinitializer
%v185 = load <8 x float>, ptr %s13
%v186 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v184, <8 x float> %v140, <8 x float> %v185)
store <8 x float> %v186, ptr %s13
%v187 = load <8 x float>, ptr %s14
%v188 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v184, <8 x float> %v145, <8 x float> %v187)
store <8 x float> %v188, ptr %s14
%v189 = mul i64 %v136, 96
%v190 = add i64 %v189, %v69
%v191 = add i64 %v190, 4
%v192 = getelementptr float, ptr %scratch, i64 %v191
%v193 = load float, ptr %v192, align 4
%v194 = insertelement <8 x float> poison, float %v193, i32 0
%v195 = shufflevector <8 x float> %v194, <8 x float> poison, <8 x i32> zeroinitializer
%v196 = load <8 x float>, ptr %s15
%v197 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v195, <8 x float> %v140, <8 x float> %v196)
store <8 x float> %v197, ptr %s15
%v198 = load <8 x float>, ptr %s16
%v199 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v195, <8 x float> %v145, <8 x float> %v198)
store <8 x float> %v199, ptr %s16
%v200 = mul i64 %v136, 96
%v201 = add i64 %v200, %v69
%v202 = add i64 %v201, 5
%v203 = getelementptr float, ptr %scratch, i64 %v202
%v204 = load float, ptr %v203, align 4
%v205 = insertelement <8 x float> poison, float %v204, i32 0
%v206 = shufflevector <8 x float> %v205, <8 x float> poison, <8 x i32> zeroinitializer
%v207 = load <8 x float>, ptr %s17
%v208 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v206, <8 x float> %v140, <8 x float> %v207)
store <8 x float> %v208, ptr %s17
%v209 = load <8 x float>, ptr %s18
%v210 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v206, <8 x float> %v145, <8 x float> %v209)
store <8 x float> %v210, ptr %s18
%v211 = add i64 %v136, 1
%v212 = icmp slt i64 %v211, %v24
br i1 %v212, label %loop28, label %end29
end29:
%v213 = load <8 x float>, ptr %s7
%v214 = getelementptr float, ptr %v1, i64 %v72
store <8 x float> %v213, ptr %v214, align 4
%v215 = load <8 x float>, ptr %s8
%v216 = getelementptr float, ptr %v1, i64 %v75
store <8 x float> %v215, ptr %v216, align 4
%v217 = load <8 x float>, ptr %s9
%v218 = getelementptr float, ptr %v1, i64 %v78
store <8 x float> %v217, ptr %v218, align 4
%v219 = load <8 x float>, ptr %s10
%v220 = getelementptr float, ptr %v1, i64 %v82
store <8 x float> %v219, ptr %v220, align 4
%v221 = load <8 x float>, ptr %s11
%v222 = getelementptr float, ptr %v1, i64 %v85
store <8 x float> %v221, ptr %v222, align 4
%v223 = load <8 x float>, ptr %s12
%v224 = getelementptr float, ptr %v1, i64 %v89
store <8 x float> %v223, ptr %v224, align 4
%v225 = load <8 x float>, ptr %s13
%v226 = getelementptr float, ptr %v1, i64 %v92
store <8 x float> %v225, ptr %v226, align 4
%v227 = load <8 x float>, ptr %s14
%v228 = getelementptr float, ptr %v1, i64 %v96
store <8 x float> %v227, ptr %v228, align 4
%v229 = load <8 x float>, ptr %s15
%v230 = getelementptr float, ptr %v1, i64 %v99
store <8 x float> %v229, ptr %v230, align 4
%v231 = load <8 x float>, ptr %s16
%v232 = getelementptr float, ptr %v1, i64 %v103
store <8 x float> %v231, ptr %v232, align 4
%v233 = load <8 x float>, ptr %s17
%v234 = getelementptr float, ptr %v1, i64 %v106
store <8 x float> %v233, ptr %v234, align 4
%v235 = load <8 x float>, ptr %s18
%v236 = getelementptr float, ptr %v1, i64 %v110
store <8 x float> %v235, ptr %v236, align 4
%v237 = add i64 %v70, 16
%v238 = icmp slt i64 %v237, 64
br i1 %v238, label %loop26, label %end27
end27:
%v239 = add i64 %v69, 6
%v240 = icmp slt i64 %v239, 12
br i1 %v240, label %loop24, label %end25
end25:
%v241 = add i64 %v22, 96
%v242 = icmp slt i64 %v241, %v16
br i1 %v242, label %loop11, label %end12
end12:
br label %loop31
loop31:
%v243 = phi i64 [ 0, %end12 ], [ %v280, %end56 ]
%v244 = mul i64 %v4, 12
%v245 = add i64 %v244, %v243
%v246 = mul i64 %v245, 16
%v247 = getelementptr float, ptr %a3, i64 %v246
br i1 true, label %then33, label %else34
then33:
%v248 = mul i64 %v243, 64
%v249 = getelementptr float, ptr %v1, i64 %v248
%v250 = load <8 x float>, ptr %v249, align 4
store <8 x float> %v250, ptr %v247, align 4
br label %end35
else34:
br label %end35
end35:
br i1 true, label %then36, label %else37
then36:
%v251 = mul i64 %v243, 64
%v252 = add i64 %v251, 8
%v253 = getelementptr float, ptr %v1, i64 %v252
%v254 = load <8 x float>, ptr %v253, align 4
%v255 = getelementptr float, ptr %v247, i64 8
store <8 x float> %v254, ptr %v255, align 4
br label %end38
else37:
br label %end38
end38:
br i1 false, label %then39, label %else40
then39:
%v256 = mul i64 %v243, 64
%v257 = add i64 %v256, 16
%v258 = getelementptr float, ptr %v1, i64 %v257
%v259 = load <8 x float>, ptr %v258, align 4
br label %end41
else40:
br label %end41
end41:
br i1 false, label %then42, label %else43
then42:
%v260 = mul i64 %v243, 64
%v261 = add i64 %v260, 24
%v262 = getelementptr float, ptr %v1, i64 %v261
%v263 = load <8 x float>, ptr %v262, align 4
br label %end44
else43:
br label %end44
end44:
br i1 false, label %then45, label %else46
then45:
%v264 = mul i64 %v243, 64
%v265 = add i64 %v264, 32
%v266 = getelementptr float, ptr %v1, i64 %v265
%v267 = load <8 x float>, ptr %v266, align 4
br label %end47
else46:
br label %end47
end47:
br i1 false, label %then48, label %else49
then48:
%v268 = mul i64 %v243, 64
%v269 = add i64 %v268, 40
%v270 = getelementptr float, ptr %v1, i64 %v269
%v271 = load <8 x float>, ptr %v270, align 4
br label %end50
else49:
br label %end50
end50:
br i1 false, label %then51, label %else52
then51:
%v272 = mul i64 %v243, 64
%v273 = add i64 %v272, 48
%v274 = getelementptr float, ptr %v1, i64 %v273
%v275 = load <8 x float>, ptr %v274, align 4
br label %end53
else52:
br label %end53
end53:
br i1 false, label %then54, label %else55
then54:
%v276 = mul i64 %v243, 64
%v277 = add i64 %v276, 56
%v278 = getelementptr float, ptr %v1, i64 %v277
%v279 = load <8 x float>, ptr %v278, align 4
br label %end56
else55:
br label %end56
end56:
%v280 = add i64 %v243, 1
%v281 = icmp slt i64 %v280, 12
br i1 %v281, label %loop31, label %end32
end32:
%v282 = add i64 %v4, 1
%v283 = icmp slt i64 %v282, %end
br i1 %v283, label %loop1, label %end2
end2:
ret void
}

