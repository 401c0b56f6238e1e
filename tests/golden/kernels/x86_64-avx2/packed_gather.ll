; kernels for x86_64-avx2
; mir @packed_gather {
;   %0 = param("w1", scheme=gguf_q4_0) : f32[16, 32]
;   %1 = input("x1") : i32[5]
;   %2 = gather(%0, %1, axis=0) : f32[5, 32]
;   %3 = input("x2") : f32[1, 32]
;   %4 = transpose(%0, perm=(1, 0)) : f32[32, 16]
;   %5 = matmul(%3, %4) : f32[1, 16]
;   return y1=%2, y2=%5
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

define void @packed_gather_4761dc5b(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v27, %end5 ]
%v2 = urem i64 %v1, 5
%v3 = udiv i64 %v1, 5
%v4 = getelementptr i32, ptr %a0, i64 %v2
%v5 = load i32, ptr %v4, align 4
%v6 = sext i32 %v5 to i64
%v7 = icmp slt i64 %v6, 0
%v8 = add i64 %v6, 16
%v9 = select i1 %v7, i64 %v8, i64 %v6
%v10 = call i64 @llvm.smin.i64(i64 %v9, i64 15)
%v11 = call i64 @llvm.smax.i64(i64 %v10, i64 0)
%v12 = icmp uge i64 %v9, 16
%v13 = udiv i64 %v11, 8
%v14 = mul i64 %v13, 144
%v15 = getelementptr i8, ptr %a1, i64 %v14
call void @floats_Q4_0_f32_8(ptr %v15, ptr %scratch, i64 1)
br label %loop4
loop4:
%v16 = phi i64 [ 0, %loop1 ], [ %v25, %loop4 ]
%v17 = mul i64 %v16, 8
%v18 = urem i64 %v11, 8
%v19 = add i64 %v17, %v18
%v20 = getelementptr float, ptr %scratch, i64 %v19
%v21 = load float, ptr %v20, align 4
%v22 = mul i64 %v1, 32
%v23 = add i64 %v22, %v16
%v24 = getelementptr float, ptr %a2, i64 %v23
store float %v21, ptr %v24, align 4
%v25 = add i64 %v16, 1
%v26 = icmp slt i64 %v25, 32
br i1 %v26, label %loop4, label %end5
end5:
%v27 = add i64 %v1, 1
%v28 = icmp slt i64 %v27, %end
br i1 %v28, label %loop1, label %end2
end2:
ret void
}

define internal void @floats_Q4_0_f32_8(ptr %blocks, ptr %panel, i64 %count) nounwind {
entry:
%v0 = icmp slt i64 0, %count
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ 0, %guard3 ], [ %v228, %loop1 ]
%v2 = mul i64 %v1, 144
%v3 = getelementptr i8, ptr %blocks, i64 %v2
%v4 = mul i64 %v1, 256
%v5 = getelementptr float, ptr %panel, i64 %v4
%v6 = load <8 x i16>, ptr %v3, align 1
%v7 = bitcast <8 x i16> %v6 to <8 x half>
%v8 = fpext <8 x half> %v7 to <8 x float>
%v9 = getelementptr i8, ptr %v3, i64 16
%v10 = load <8 x i32>, ptr %v9, align 1
%v11 = and <8 x i32> %v10, splat (i32 252645135)
%v12 = bitcast <8 x i32> %v11 to <32 x i8>
%v13 = bitcast <32 x i8> %v12 to <8 x i32>
%v14 = and <8 x i32> %v13, splat (i32 255)
%v15 = sitofp <8 x i32> %v14 to <8 x float>
%v16 = fsub <8 x float> %v15, splat (float 0x4020000000000000)
%v17 = fmul <8 x float> %v8, %v16
store <8 x float> %v17, ptr %v5, align 4
%v18 = lshr <8 x i32> %v13, splat (i32 8)
%v19 = and <8 x i32> %v18, splat (i32 255)
%v20 = sitofp <8 x i32> %v19 to <8 x float>
%v21 = fsub <8 x float> %v20, splat (float 0x4020000000000000)
%v22 = fmul <8 x float> %v8, %v21
%v23 = getelementptr float, ptr %v5, i64 8
store <8 x float> %v22, ptr %v23, align 4
%v24 = lshr <8 x i32> %v13, splat (i32 16)
%v25 = and <8 x i32> %v24, splat (i32 255)
%v26 = sitofp <8 x i32> %v25 to <8 x float>
%v27 = fsub <8 x float> %v26, splat (float 0x4020000000000000)
%v28 = fmul <8 x float> %v8, %v27
%v29 = getelementptr float, ptr %v5, i64 16
store <8 x float> %v28, ptr %v29, align 4
%v30 = lshr <8 x i32> %v13, splat (i32 24)
%v31 = and <8 x i32> %v30, splat (i32 255)
%v32 = sitofp <8 x i32> %v31 to <8 x float>
%v33 = fsub <8 x float> %v32, splat (float 0x4020000000000000)
%v34 = fmul <8 x float> %v8, %v33
%v35 = getelementptr float, ptr %v5, i64 24
store <8 x float> %v34, ptr %v35, align 4
%v36 = lshr <8 x i32> %v10, splat (i32 4)
%v37 = and <8 x i32> %v36, splat (i32 252645135)
%v38 = bitcast <8 x i32> %v37 to <32 x i8>
%v39 = bitcast <32 x i8> %v38 to <8 x i32>
%v40 = and <8 x i32> %v39, splat (i32 255)
%v41 = sitofp <8 x i32> %v40 to <8 x float>
%v42 = fsub <8 x float> %v41, splat (float 0x4020000000000000)
%v43 = fmul <8 x float> %v8, %v42
%v44 = getelementptr float, ptr %v5, i64 32
store <8 x float> %v43, ptr %v44, align 4
%v45 = lshr <8 x i32> %v39, splat (i32 8)
%v46 = and <8 x i32> %v45, splat (i32 255)
%v47 = sitofp <8 x i32> %v46 to <8 x float>
%v48 = fsub <8 x float> %v47, splat (float 0x4020000000000000)
%v49 = fmul <8 x float> %v8, %v48
%v50 = getelementptr float, ptr %v5, i64 40
store <8 x float> %v49, ptr %v50, align 4
%v51 = lshr <8 x i32> %v39, splat (i32 16)
%v52 = and <8 x i32> %v51, splat (i32 255)
%v53 = sitofp <8 x i32> %v52 to <8 x float>
%v54 = fsub <8 x float> %v53, splat (float 0x4020000000000000)
%v55 = fmul <8 x float> %v8, %v54
%v56 = getelementptr float, ptr %v5, i64 48
store <8 x float> %v55, ptr %v56, align 4
%v57 = lshr <8 x i32> %v39, splat (i32 24)
%v58 = and <8 x i32> %v57, splat (i32 255)
%v59 = sitofp <8 x i32> %v58 to <8 x float>
%v60 = fsub <8 x float> %v59, splat (float 0x4020000000000000)
%v61 = fmul <8 x float> %v8, %v60
%v62 = getelementptr float, ptr %v5, i64 56
store <8 x float> %v61, ptr %v62, align 4
%v63 = getelementptr i8, ptr %v3, i64 48
%v64 = load <8 x i32>, ptr %v63, align 1
%v65 = and <8 x i32> %v64, splat (i32 252645135)
%v66 = bitcast <8 x i32> %v65 to <32 x i8>
%v67 = bitcast <32 x i8> %v66 to <8 x i32>
%v68 = and <8 x i32> %v67, splat (i32 255)
%v69 = sitofp <8 x i32> %v68 to <8 x float>
%v70 = fsub <8 x float> %v69, splat (float 0x4020000000000000)
%v71 = fmul <8 x float> %v8, %v70
%v72 = getelementptr float, ptr %v5, i64 64
store <8 x float> %v71, ptr %v72, align 4
%v73 = lshr <8 x i32> %v67, splat (i32 8)
%v74 = and <8 x i32> %v73, splat (i32 255)
%v75 = sitofp <8 x i32> %v74 to <8 x float>
%v76 = fsub <8 x float> %v75, splat (float 0x4020000000000000)
%v77 = fmul <8 x float> %v8, %v76
%v78 = getelementptr float, ptr %v5, i64 72
store <8 x float> %v77, ptr %v78, align 4
%v79 = lshr <8 x i32> %v67, splat (i32 16)
%v80 = and <8 x i32> %v79, splat (i32 255)
%v81 = sitofp <8 x i32> %v80 to <8 x float>
%v82 = fsub <8 x float> %v81, splat (float 0x4020000000000000)
%v83 = fmul <8 x float> %v8, %v82
%v84 = getelementptr float, ptr %v5, i64 80
store <8 x float> %v83, ptr %v84, align 4
%v85 = lshr <8 x i32> %v67, splat (i32 24)
%v86 = and <8 x i32> %v85, splat (i32 255)
%v87 = sitofp <8 x i32> %v86 to <8 x float>
%v88 = fsub <8 x float> %v87, splat (float 0x4020000000000000)
%v89 = fmul <8 x float> %v8, %v88
%v90 = getelementptr float, ptr %v5, i64 88
store <8 x float> %v89, ptr %v90, align 4
%v91 = lshr <8 x i32> %v64, splat (i32 4)
%v92 = and <8 x i32> %v91, splat (i32 252645135)
%v93 = bitcast <8 x i32> %v92 to <32 x i8>
%v94 = bitcast <32 x i8> %v93 to <8 x i32>
%v95 = and <8 x i32> %v94, splat (i32 255)
%v96 = sitofp <8 x i32> %v95 to <8 x float>
%v97 = fsub <8 x float> %v96, splat (float 0x4020000000000000)
%v98 = fmul <8 x float> %v8, %v97
%v99 = getelementptr float, ptr %v5, i64 96
store <8 x float> %v98, ptr %v99, align 4
%v100 = lshr <8 x i32> %v94, splat (i32 8)
%v101 = and <8 x i32> %v100, splat (i32 255)
%v102 = sitofp <8 x i32> %v101 to <8 x float>
%v103 = fsub <8 x float> %v102, splat (float 0x4020000000000000)
%v104 = fmul <8 x float> %v8, %v103
%v105 = getelementptr float, ptr %v5, i64 104
store <8 x float> %v104, ptr %v105, align 4
%v106 = lshr <8 x i32> %v94, splat (i32 16)
%v107 = and <8 x i32> %v106, splat (i32 255)
%v108 = sitofp <8 x i32> %v107 to <8 x float>
%v109 = fsub <8 x float> %v108, splat (float 0x4020000000000000)
%v110 = fmul <8 x float> %v8, %v109
%v111 = getelementptr float, ptr %v5, i64 112
store <8 x float> %v110, ptr %v111, align 4
%v112 = lshr <8 x i32> %v94, splat (i32 24)
%v113 = and <8 x i32> %v112, splat (i32 255)
%v114 = sitofp <8 x i32> %v113 to <8 x float>
%v115 = fsub <8 x float> %v114, splat (float 0x4020000000000000)
%v116 = fmul <8 x float> %v8, %v115
%v117 = getelementptr float, ptr %v5, i64 120
store <8 x float> %v116, ptr %v117, align 4
%v118 = getelementptr i8, ptr %v3, i64 80
%v119 = load <8 x i32>, ptr %v118, align 1
%v120 = and <8 x i32> %v119, splat (i32 252645135)
%v121 = bitcast <8 x i32> %v120 to <32 x i8>
%v122 = bitcast <32 x i8> %v121 to <8 x i32>
%v123 = and <8 x i32> %v122, splat (i32 255)
%v124 = sitofp <8 x i32> %v123 to <8 x float>
%v125 = fsub <8 x float> %v124, splat (float 0x4020000000000000)
%v126 = fmul <8 x float> %v8, %v125
%v127 = getelementptr float, ptr %v5, i64 128
store <8 x float> %v126, ptr %v127, align 4
%v128 = lshr <8 x i32> %v122, splat (i32 8)
%v129 = and <8 x i32> %v128, splat (i32 255)
%v130 = sitofp <8 x i32> %v129 to <8 x float>
%v131 = fsub <8 x float> %v130, splat (float 0x4020000000000000)
%v132 = fmul <8 x float> %v8, %v131
%v133 = getelementptr float, ptr %v5, i64 136
store <8 x float> %v132, ptr %v133, align 4
%v134 = lshr <8 x i32> %v122, splat (i32 16)
%v135 = and <8 x i32> %v134, splat (i32 255)
%v136 = sitofp <8 x i32> %v135 to <8 x float>
%v137 = fsub <8 x float> %v136, splat (float 0x4020000000000000)
%v138 = fmul <8 x float> %v8, %v137
%v139 = getelementptr float, ptr %v5, i64 144
store <8 x float> %v138, ptr %v139, align 4
%v140 = lshr <8 x i32> %v122, splat (i32 24)
%v141 = and <8 x i32> %v140, splat (i32 255)
%v142 = sitofp <8 x i32> %v141 to <8 x float>
%v143 = fsub <8 x float> %v142, splat (float 0x4020000000000000)
%v144 = fmul <8 x float> %v8, %v143
%v145 = getelementptr float, ptr %v5, i64 152
store <8 x float> %v144, ptr %v145, align 4
%v146 = lshr <8 x i32> %v119, splat (i32 4)
%v147 = and <8 x i32> %v146, splat (i32 252645135)
%v148 = bitcast <8 x i32> %v147 to <32 x i8>
%v149 = bitcast <32 x i8> %v148 to <8 x i32>
%v150 = and <8 x i32> %v149, splat (i32 255)
%v151 = sitofp <8 x i32> %v150 to <8 x float>
%v152 = fsub <8 x float> %v151, splat (float 0x4020000000000000)
%v153 = fmul <8 x float> %v8, %v152
%v154 = getelementptr float, ptr %v5, i64 160
store <8 x float> %v153, ptr %v154, align 4
%v155 = lshr <8 x i32> %v149, splat (i32 8)
%v156 = and <8 x i32> %v155, splat (i32 255)
%v157 = sitofp <8 x i32> %v156 to <8 x float>
%v158 = fsub <8 x float> %v157, splat (float 0x4020000000000000)
%v159 = fmul <8 x float> %v8, %v158
%v160 = getelementptr float, ptr %v5, i64 168
store <8 x float> %v159, ptr %v160, align 4
%v161 = lshr <8 x i32> %v149, splat (i32 16)
%v162 = and <8 x i32> %v161, splat (i32 255)
%v163 = sitofp <8 x i32> %v162 to <8 x float>
%v164 = fsub <8 x float> %v163, splat (float 0x4020000000000000)
%v165 = fmul <8 x float> %v8, %v164
%v166 = getelementptr float, ptr %v5, i64 176
store <8 x float> %v165, ptr %v166, align 4
%v167 = lshr <8 x i32> %v149, splat (i32 24)
%v168 = and <8 x i32> %v167, splat (i32 255)
%v169 = sitofp <8 x i32> %v168 to <8 x float>
%v170 = fsub <8 x float> %v169, splat (float 0x4020000000000000)
%v171 = fmul <8 x float> %v8, %v170
%v172 = getelementptr float, ptr %v5, i64 184
store <8 x float> %v171, ptr %v172, align 4
%v173 = getelementptr i8, ptr %v3, i64 112
%v174 = load <8 x i32>, ptr %v173, align 1
%v175 = and <8 x i32> %v174, splat (i32 252645135)
%v176 = bitcast <8 x i32> %v175 to <32 x i8>
%v177 = bitcast <32 x i8> %v176 to <8 x i32>
%v178 = and <8 x i32> %v177, splat (i32 255)
%v179 = sitofp <8 x i32> %v178 to <8 x float>
%v180 = fsub <8 x float> %v179, splat (float 0x4020000000000000)
%v181 = fmul <8 x float> %v8, %v180
%v182 = getelementptr float, ptr %v5, i64 192
store <8 x float> %v181, ptr %v182, align 4
%v183 = lshr <8 x i32> %v177, splat (i32 8)
%v184 = and <8 x i32> %v183, splat (i32 255)
%v185 = sitofp <8 x i32> %v184 to <8 x float>
%v186 = fsub <8 x float> %v185, splat (float 0x4020000000000000)
%v187 = fmul <8 x float> %v8, %v186
%v188 = getelementptr float, ptr %v5, i64 200
store <8 x float> %v187, ptr %v188, align 4
%v189 = lshr <8 x i32> %v177, splat (i32 16)
%v190 = and <8 x i32> %v189, splat (i32 255)
%v191 = sitofp <8 x i32> %v190 to <8 x float>
%v192 = fsub <8 x float> %v191, splat (float 0x4020000000000000)
%v193 = fmul <8 x float> %v8, %v192
%v194 = getelementptr float, ptr %v5, i64 208
store <8 x float> %v193, ptr %v194, align 4
%v195 = lshr <8 x i32> %v177, splat (i32 24)
%v196 = and <8 x i32> %v195, splat (i32 255)
%v197 = sitofp <8 x i32> %v196 to <8 x float>
%v198 = fsub <8 x float> %v197, splat (float 0x4020000000000000)
%v199 = fmul <8 x float> %v8, %v198
%v200 = getelementptr float, ptr %v5, i64 216
store <8 x float> %v199, ptr %v200, align 4
%v201 = lshr <8 x i32> %v174, splat (i32 4)
%v202 = and <8 x i32> %v201, splat (i32 252645135)
%v203 = bitcast <8 x i32> %v202 to <32 x i8>
%v204 = bitcast <32 x i8> %v203 to <8 x i32>
%v205 = and <8 x i32> %v204, splat (i32 255)
%v206 = sitofp <8 x i32> %v205 to <8 x float>
%v207 = fsub <8 x float> %v206, splat (float 0x4020000000000000)
%v208 = fmul <8 x float> %v8, %v207
%v209 = getelementptr float, ptr %v5, i64 224
store <8 x float> %v208, ptr %v209, align 4
%v210 = lshr <8 x i32> %v204, splat (i32 8)
%v211 = and <8 x i32> %v210, splat (i32 255)
%v212 = sitofp <8 x i32> %v211 to <8 x float>
%v213 = fsub <8 x float> %v212, splat (float 0x4020000000000000)
%v214 = fmul <8 x float> %v8, %v213
%v215 = getelementptr float, ptr %v5, i64 232
store <8 x float> %v214, ptr %v215, align 4
%v216 = lshr <8 x i32> %v204, splat (i32 16)
%v217 = and <8 x i32> %v216, splat (i32 255)
%v218 = sitofp <8 x i32> %v217 to <8 x float>
%v219 = fsub <8 x float> %v218, splat (float 0x4020000000000000)
%v220 = fmul <8 x float> %v8, %v219
%v221 = getelementptr float, ptr %v5, i64 240
store <8 x float> %v220, ptr %v221, align 4
%v222 = lshr <8 x i32> %v204, splat (i32 24)
%v223 = and <8 x i32> %v222, splat (i32 255)
%v224 = sitofp <8 x i32> %v223 to <8 x float>
%v225 = fsub <8 x float> %v224, splat (float 0x4020000000000000)
%v226 = fmul <8 x float> %v8, %v225
%v227 = getelementptr float, ptr %v5, i64 248
store <8 x float> %v226, ptr %v227, align 4
%v228 = add i64 %v1, 1
%v229 = icmp slt i64 %v228, %count
br i1 %v229, label %loop1, label %end2
end2:
ret void
}

