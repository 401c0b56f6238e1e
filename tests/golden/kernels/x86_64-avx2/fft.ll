; kernels for x86_64-avx2
; mir @fft {
;   %0 = input("x1") : c64[3, 64]
;   %1 = fft(%0) : c64[3, 64]
;   return y1=%1
; }

@table0 = private unnamed_addr constant [64 x float] [float 0x3FF0000000000000, float 0x3FEFD88DA0000000, float 0x3FEF6297C0000000, float 0x3FEE9F4160000000, float 0x3FED906BC0000000, float 0x3FEC38B300000000, float 0x3FEA9B6620000000, float 0x3FE8BC8060000000, float 0x3FE6A09E60000000, float 0x3FE44CF320000000, float 0x3FE1C73B40000000, float 0x3FDE2B5D40000000, float 0x3FD87DE2A0000000, float 0x3FD2940620000000, float 0x3FC8F8B840000000, float 0x3FB917A6C0000000, float 0x3C91A62640000000, float 0xBFB917A6C0000000, float 0xBFC8F8B840000000, float 0xBFD2940620000000, float 0xBFD87DE2A0000000, float 0xBFDE2B5D40000000, float 0xBFE1C73B40000000, float 0xBFE44CF320000000, float 0xBFE6A09E60000000, float 0xBFE8BC8060000000, float 0xBFEA9B6620000000, float 0xBFEC38B300000000, float 0xBFED906BC0000000, float 0xBFEE9F4160000000, float 0xBFEF6297C0000000, float 0xBFEFD88DA0000000, float 0xBFF0000000000000, float 0xBFEFD88DA0000000, float 0xBFEF6297C0000000, float 0xBFEE9F4160000000, float 0xBFED906BC0000000, float 0xBFEC38B300000000, float 0xBFEA9B6620000000, float 0xBFE8BC8060000000, float 0xBFE6A09E60000000, float 0xBFE44CF320000000, float 0xBFE1C73B40000000, float 0xBFDE2B5D40000000, float 0xBFD87DE2A0000000, float 0xBFD2940620000000, float 0xBFC8F8B840000000, float 0xBFB917A6C0000000, float 0xBCAA793940000000, float 0x3FB917A6C0000000, float 0x3FC8F8B840000000, float 0x3FD2940620000000, float 0x3FD87DE2A0000000, float 0x3FDE2B5D40000000, float 0x3FE1C73B40000000, float 0x3FE44CF320000000, float 0x3FE6A09E60000000, float 0x3FE8BC8060000000, float 0x3FEA9B6620000000, float 0x3FEC38B300000000, float 0x3FED906BC0000000, float 0x3FEE9F4160000000, float 0x3FEF6297C0000000, float 0x3FEFD88DA0000000], align 64
@table1 = private unnamed_addr constant [64 x float] [float 0x0000000000000000, float 0xBFB917A6C0000000, float 0xBFC8F8B840000000, float 0xBFD2940620000000, float 0xBFD87DE2A0000000, float 0xBFDE2B5D40000000, float 0xBFE1C73B40000000, float 0xBFE44CF320000000, float 0xBFE6A09E60000000, float 0xBFE8BC8060000000, float 0xBFEA9B6620000000, float 0xBFEC38B300000000, float 0xBFED906BC0000000, float 0xBFEE9F4160000000, float 0xBFEF6297C0000000, float 0xBFEFD88DA0000000, float 0xBFF0000000000000, float 0xBFEFD88DA0000000, float 0xBFEF6297C0000000, float 0xBFEE9F4160000000, float 0xBFED906BC0000000, float 0xBFEC38B300000000, float 0xBFEA9B6620000000, float 0xBFE8BC8060000000, float 0xBFE6A09E60000000, float 0xBFE44CF320000000, float 0xBFE1C73B40000000, float 0xBFDE2B5D40000000, float 0xBFD87DE2A0000000, float 0xBFD2940620000000, float 0xBFC8F8B840000000, float 0xBFB917A6C0000000, float 0xBCA1A62640000000, float 0x3FB917A6C0000000, float 0x3FC8F8B840000000, float 0x3FD2940620000000, float 0x3FD87DE2A0000000, float 0x3FDE2B5D40000000, float 0x3FE1C73B40000000, float 0x3FE44CF320000000, float 0x3FE6A09E60000000, float 0x3FE8BC8060000000, float 0x3FEA9B6620000000, float 0x3FEC38B300000000, float 0x3FED906BC0000000, float 0x3FEE9F4160000000, float 0x3FEF6297C0000000, float 0x3FEFD88DA0000000, float 0x3FF0000000000000, float 0x3FEFD88DA0000000, float 0x3FEF6297C0000000, float 0x3FEE9F4160000000, float 0x3FED906BC0000000, float 0x3FEC38B300000000, float 0x3FEA9B6620000000, float 0x3FE8BC8060000000, float 0x3FE6A09E60000000, float 0x3FE44CF320000000, float 0x3FE1C73B40000000, float 0x3FDE2B5D40000000, float 0x3FD87DE2A0000000, float 0x3FD2940620000000, float 0x3FC8F8B840000000, float 0x3FB917A6C0000000], align 64
declare i64 @llvm.smin.i64(i64, i64)

define void @fft_284b045f(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%v0 = mul i64 %begin, 3
%v1 = mul i64 %end, 3
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 3)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v4 = phi i64 [ %v0, %guard3 ], [ %v283, %end17 ]
%v5 = urem i64 %v4, 3
%v6 = udiv i64 %v4, 3
%v7 = mul i64 %v5, 64
%v8 = mul i64 %v7, 2
%v9 = getelementptr float, ptr %a0, i64 %v8
%v10 = mul i64 %v5, 64
%v11 = mul i64 %v10, 2
%v12 = getelementptr float, ptr %a1, i64 %v11
%v13 = getelementptr float, ptr %scratch, i64 64
%v14 = getelementptr float, ptr %scratch, i64 128
%v15 = getelementptr float, ptr %scratch, i64 192
br label %loop4
loop4:
%v16 = phi i64 [ 0, %loop1 ], [ %v24, %loop4 ]
%v17 = mul i64 %v16, 2
%v18 = getelementptr float, ptr %v9, i64 %v17
%v19 = load <16 x float>, ptr %v18, align 4
%v20 = shufflevector <16 x float> %v19, <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
%v21 = shufflevector <16 x float> %v19, <16 x float> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
%v22 = getelementptr float, ptr %scratch, i64 %v16
store <8 x float> %v20, ptr %v22, align 4
%v23 = getelementptr float, ptr %v13, i64 %v16
store <8 x float> %v21, ptr %v23, align 4
%v24 = add i64 %v16, 8
%v25 = icmp slt i64 %v24, 64
br i1 %v25, label %loop4, label %end5
end5:
br label %loop6
loop6:
%v26 = phi i64 [ 0, %end5 ], [ %v63, %loop6 ]
%v27 = getelementptr float, ptr %scratch, i64 %v26
%v28 = load <8 x float>, ptr %v27, align 4
%v29 = getelementptr float, ptr %v13, i64 %v26
%v30 = load <8 x float>, ptr %v29, align 4
%v31 = add i64 %v26, 32
%v32 = getelementptr float, ptr %scratch, i64 %v31
%v33 = load <8 x float>, ptr %v32, align 4
%v34 = getelementptr float, ptr %v13, i64 %v31
%v35 = load <8 x float>, ptr %v34, align 4
%v36 = getelementptr float, ptr @table0, i64 %v26
%v37 = load <8 x float>, ptr %v36, align 4
%v38 = getelementptr float, ptr @table1, i64 %v26
%v39 = load <8 x float>, ptr %v38, align 4
%v40 = shufflevector <8 x float> %v37, <8 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v41 = shufflevector <8 x float> %v39, <8 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v42 = fadd <8 x float> %v28, %v33
%v43 = fadd <8 x float> %v30, %v35
%v44 = fsub <8 x float> %v28, %v33
%v45 = fsub <8 x float> %v30, %v35
%v46 = fmul <8 x float> %v44, %v40
%v47 = fmul <8 x float> %v45, %v41
%v48 = fsub <8 x float> %v46, %v47
%v49 = fmul <8 x float> %v44, %v41
%v50 = fmul <8 x float> %v45, %v40
%v51 = fadd <8 x float> %v49, %v50
%v52 = shufflevector <8 x float> %v42, <8 x float> %v48, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
%v53 = shufflevector <8 x float> %v43, <8 x float> %v51, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
%v54 = mul i64 %v26, 2
%v55 = getelementptr float, ptr %v14, i64 %v54
store <8 x float> %v52, ptr %v55, align 4
%v56 = getelementptr float, ptr %v15, i64 %v54
store <8 x float> %v53, ptr %v56, align 4
%v57 = shufflevector <8 x float> %v42, <8 x float> %v48, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
%v58 = shufflevector <8 x float> %v43, <8 x float> %v51, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
%v59 = mul i64 %v26, 2
%v60 = add i64 %v59, 8
%v61 = getelementptr float, ptr %v14, i64 %v60
store <8 x float> %v57, ptr %v61, align 4
%v62 = getelementptr float, ptr %v15, i64 %v60
store <8 x float> %v58, ptr %v62, align 4
%v63 = add i64 %v26, 8
%v64 = icmp slt i64 %v63, 32
br i1 %v64, label %loop6, label %end7
end7:
br label %loop8
loop8:
%v65 = phi i64 [ 0, %end7 ], [ %v102, %loop8 ]
%v66 = getelementptr float, ptr %v14, i64 %v65
%v67 = load <8 x float>, ptr %v66, align 4
%v68 = getelementptr float, ptr %v15, i64 %v65
%v69 = load <8 x float>, ptr %v68, align 4
%v70 = add i64 %v65, 32
%v71 = getelementptr float, ptr %v14, i64 %v70
%v72 = load <8 x float>, ptr %v71, align 4
%v73 = getelementptr float, ptr %v15, i64 %v70
%v74 = load <8 x float>, ptr %v73, align 4
%v75 = getelementptr float, ptr @table0, i64 %v65
%v76 = load <8 x float>, ptr %v75, align 4
%v77 = getelementptr float, ptr @table1, i64 %v65
%v78 = load <8 x float>, ptr %v77, align 4
%v79 = shufflevector <8 x float> %v76, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 2, i32 2, i32 4, i32 4, i32 6, i32 6>
%v80 = shufflevector <8 x float> %v78, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 2, i32 2, i32 4, i32 4, i32 6, i32 6>
%v81 = fadd <8 x float> %v67, %v72
%v82 = fadd <8 x float> %v69, %v74
%v83 = fsub <8 x float> %v67, %v72
%v84 = fsub <8 x float> %v69, %v74
%v85 = fmul <8 x float> %v83, %v79
%v86 = fmul <8 x float> %v84, %v80
%v87 = fsub <8 x float> %v85, %v86
%v88 = fmul <8 x float> %v83, %v80
%v89 = fmul <8 x float> %v84, %v79
%v90 = fadd <8 x float> %v88, %v89
%v91 = shufflevector <8 x float> %v81, <8 x float> %v87, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 2, i32 3, i32 10, i32 11>
%v92 = shufflevector <8 x float> %v82, <8 x float> %v90, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 2, i32 3, i32 10, i32 11>
%v93 = mul i64 %v65, 2
%v94 = getelementptr float, ptr %scratch, i64 %v93
store <8 x float> %v91, ptr %v94, align 4
%v95 = getelementptr float, ptr %v13, i64 %v93
store <8 x float> %v92, ptr %v95, align 4
%v96 = shufflevector <8 x float> %v81, <8 x float> %v87, <8 x i32> <i32 4, i32 5, i32 12, i32 13, i32 6, i32 7, i32 14, i32 15>
%v97 = shufflevector <8 x float> %v82, <8 x float> %v90, <8 x i32> <i32 4, i32 5, i32 12, i32 13, i32 6, i32 7, i32 14, i32 15>
%v98 = mul i64 %v65, 2
%v99 = add i64 %v98, 8
%v100 = getelementptr float, ptr %scratch, i64 %v99
store <8 x float> %v96, ptr %v100, align 4
%v101 = getelementptr float, ptr %v13, i64 %v99
store <8 x float> %v97, ptr %v101, align 4
%v102 = add i64 %v65, 8
%v103 = icmp slt i64 %v102, 32
br i1 %v103, label %loop8, label %end9
end9:
br label %loop10
loop10:
%v104 = phi i64 [ 0, %end9 ], [ %v141, %loop10 ]
%v105 = getelementptr float, ptr %scratch, i64 %v104
%v106 = load <8 x float>, ptr %v105, align 4
%v107 = getelementptr float, ptr %v13, i64 %v104
%v108 = load <8 x float>, ptr %v107, align 4
%v109 = add i64 %v104, 32
%v110 = getelementptr float, ptr %scratch, i64 %v109
%v111 = load <8 x float>, ptr %v110, align 4
%v112 = getelementptr float, ptr %v13, i64 %v109
%v113 = load <8 x float>, ptr %v112, align 4
%v114 = getelementptr float, ptr @table0, i64 %v104
%v115 = load <8 x float>, ptr %v114, align 4
%v116 = getelementptr float, ptr @table1, i64 %v104
%v117 = load <8 x float>, ptr %v116, align 4
%v118 = shufflevector <8 x float> %v115, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 4, i32 4, i32 4, i32 4>
%v119 = shufflevector <8 x float> %v117, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 4, i32 4, i32 4, i32 4>
%v120 = fadd <8 x float> %v106, %v111
%v121 = fadd <8 x float> %v108, %v113
%v122 = fsub <8 x float> %v106, %v111
%v123 = fsub <8 x float> %v108, %v113
%v124 = fmul <8 x float> %v122, %v118
%v125 = fmul <8 x float> %v123, %v119
%v126 = fsub <8 x float> %v124, %v125
%v127 = fmul <8 x float> %v122, %v119
%v128 = fmul <8 x float> %v123, %v118
%v129 = fadd <8 x float> %v127, %v128
%v130 = shufflevector <8 x float> %v120, <8 x float> %v126, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v131 = shufflevector <8 x float> %v121, <8 x float> %v129, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v132 = mul i64 %v104, 2
%v133 = getelementptr float, ptr %v14, i64 %v132
store <8 x float> %v130, ptr %v133, align 4
%v134 = getelementptr float, ptr %v15, i64 %v132
store <8 x float> %v131, ptr %v134, align 4
%v135 = shufflevector <8 x float> %v120, <8 x float> %v126, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v136 = shufflevector <8 x float> %v121, <8 x float> %v129, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v137 = mul i64 %v104, 2
%v138 = add i64 %v137, 8
%v139 = getelementptr float, ptr %v14, i64 %v138
store <8 x float> %v135, ptr %v139, align 4
%v140 = getelementptr float, ptr %v15, i64 %v138
store <8 x float> %v136, ptr %v140, align 4
%v141 = add i64 %v104, 8
%v142 = icmp slt i64 %v141, 32
br i1 %v142, label %loop10, label %end11
end11:
br label %loop12
loop12:
%v143 = phi i64 [ 0, %end11 ], [ %v238, %loop12 ]
%v144 = getelementptr float, ptr @table0, i64 %v143
%v145 = load float, ptr %v144, align 4
%v146 = insertelement <8 x float> poison, float %v145, i32 0
%v147 = shufflevector <8 x float> %v146, <8 x float> poison, <8 x i32> zeroinitializer
%v148 = getelementptr float, ptr @table1, i64 %v143
%v149 = load float, ptr %v148, align 4
%v150 = insertelement <8 x float> poison, float %v149, i32 0
%v151 = shufflevector <8 x float> %v150, <8 x float> poison, <8 x i32> zeroinitializer
%v152 = mul i64 %v143, 2
%v153 = getelementptr float, ptr @table0, i64 %v152
%v154 = load float, ptr %v153, align 4
%v155 = insertelement <8 x float> poison, float %v154, i32 0
%v156 = shufflevector <8 x float> %v155, <8 x float> poison, <8 x i32> zeroinitializer
%v157 = getelementptr float, ptr @table1, i64 %v152
%v158 = load float, ptr %v157, align 4
%v159 = insertelement <8 x float> poison, float %v158, i32 0
%v160 = shufflevector <8 x float> %v159, <8 x float> poison, <8 x i32> zeroinitializer
%v161 = mul i64 %v143, 3
%v162 = getelementptr float, ptr @table0, i64 %v161
%v163 = load float, ptr %v162, align 4
%v164 = insertelement <8 x float> poison, float %v163, i32 0
%v165 = shufflevector <8 x float> %v164, <8 x float> poison, <8 x i32> zeroinitializer
%v166 = getelementptr float, ptr @table1, i64 %v161
%v167 = load float, ptr %v166, align 4
%v168 = insertelement <8 x float> poison, float %v167, i32 0
%v169 = shufflevector <8 x float> %v168, <8 x float> poison, <8 x i32> zeroinitializer
%v170 = getelementptr float, ptr %v14, i64 %v143
%v171 = load <8 x float>, ptr %v170, align 4
%v172 = getelementptr float, ptr %v15, i64 %v143
%v173 = load <8 x float>, ptr %v172, align 4
%v174 = add i64 %v143, 16
%v175 = getelementptr float, ptr %v14, i64 %v174
%v176 = load <8 x float>, ptr %v175, align 4
%v177 = getelementptr float, ptr %v15, i64 %v174
%v178 = load <8 x float>, ptr %v177, align 4
%v179 = add i64 %v143, 32
%v180 = getelementptr float, ptr %v14, i64 %v179
%v181 = load <8 x float>, ptr %v180, align 4
%v182 = getelementptr float, ptr %v15, i64 %v179
%v183 = load <8 x float>, ptr %v182, align 4
%v184 = add i64 %v143, 48
%v185 = getelementptr float, ptr %v14, i64 %v184
%v186 = load <8 x float>, ptr %v185, align 4
%v187 = getelementptr float, ptr %v15, i64 %v184
%v188 = load <8 x float>, ptr %v187, align 4
%v189 = fadd <8 x float> %v171, %v181
%v190 = fadd <8 x float> %v173, %v183
%v191 = fsub <8 x float> %v171, %v181
%v192 = fsub <8 x float> %v173, %v183
%v193 = fadd <8 x float> %v176, %v186
%v194 = fadd <8 x float> %v178, %v188
%v195 = fsub <8 x float> %v176, %v186
%v196 = fsub <8 x float> %v178, %v188
%v197 = fadd <8 x float> %v191, %v196
%v198 = fsub <8 x float> %v192, %v195
%v199 = fsub <8 x float> %v191, %v196
%v200 = fadd <8 x float> %v192, %v195
%v201 = fadd <8 x float> %v189, %v193
%v202 = fadd <8 x float> %v190, %v194
%v203 = fsub <8 x float> %v189, %v193
%v204 = fsub <8 x float> %v190, %v194
%v205 = mul i64 %v143, 4
%v206 = getelementptr float, ptr %scratch, i64 %v205
store <8 x float> %v201, ptr %v206, align 4
%v207 = getelementptr float, ptr %v13, i64 %v205
store <8 x float> %v202, ptr %v207, align 4
%v208 = fmul <8 x float> %v197, %v147
%v209 = fmul <8 x float> %v198, %v151
%v210 = fsub <8 x float> %v208, %v209
%v211 = fmul <8 x float> %v197, %v151
%v212 = fmul <8 x float> %v198, %v147
%v213 = fadd <8 x float> %v211, %v212
%v214 = mul i64 %v143, 4
%v215 = add i64 %v214, 8
%v216 = getelementptr float, ptr %scratch, i64 %v215
store <8 x float> %v210, ptr %v216, align 4
%v217 = getelementptr float, ptr %v13, i64 %v215
store <8 x float> %v213, ptr %v217, align 4
%v218 = fmul <8 x float> %v203, %v156
%v219 = fmul <8 x float> %v204, %v160
%v220 = fsub <8 x float> %v218, %v219
%v221 = fmul <8 x float> %v203, %v160
%v222 = fmul <8 x float> %v204, %v156
%v223 = fadd <8 x float> %v221, %v222
%v224 = mul i64 %v143, 4
%v225 = add i64 %v224, 16
%v226 = getelementptr float, ptr %scratch, i64 %v225
store <8 x float> %v220, ptr %v226, align 4
%v227 = getelementptr float, ptr %v13, i64 %v225
store <8 x float> %v223, ptr %v227, align 4
%v228 = fmul <8 x float> %v199, %v165
%v229 = fmul <8 x float> %v200, %v169
%v230 = fsub <8 x float> %v228, %v229
%v231 = fmul <8 x float> %v199, %v169
%v232 = fmul <8 x float> %v200, %v165
%v233 = fadd <8 x float> %v231, %v232
%v234 = mul i64 %v143, 4
%v235 = add i64 %v234, 24
%v236 = getelementptr float, ptr %scratch, i64 %v235
store <8 x float> %v230, ptr %v236, align 4
%v237 = getelementptr float, ptr %v13, i64 %v235
store <8 x float> %v233, ptr %v237, align 4
%v238 = add i64 %v143, 8
%v239 = icmp slt i64 %v238, 16
br i1 %v239, label %loop12, label %end13
end13:
%v240 = load float, ptr @table0, align 4
%v241 = insertelement <8 x float> poison, float %v240, i32 0
%v242 = shufflevector <8 x float> %v241, <8 x float> poison, <8 x i32> zeroinitializer
%v243 = load float, ptr @table1, align 4
%v244 = insertelement <8 x float> poison, float %v243, i32 0
%v245 = shufflevector <8 x float> %v244, <8 x float> poison, <8 x i32> zeroinitializer
br label %loop14
loop14:
%v246 = phi i64 [ 0, %end13 ], [ %v271, %loop14 ]
%v247 = getelementptr float, ptr %scratch, i64 %v246
%v248 = load <8 x float>, ptr %v247, align 4
%v249 = getelementptr float, ptr %v13, i64 %v246
%v250 = load <8 x float>, ptr %v249, align 4
%v251 = add i64 %v246, 32
%v252 = getelementptr float, ptr %scratch, i64 %v251
%v253 = load <8 x float>, ptr %v252, align 4
%v254 = getelementptr float, ptr %v13, i64 %v251
%v255 = load <8 x float>, ptr %v254, align 4
%v256 = fadd <8 x float> %v248, %v253
%v257 = fadd <8 x float> %v250, %v255
%v258 = getelementptr float, ptr %v14, i64 %v246
store <8 x float> %v256, ptr %v258, align 4
%v259 = getelementptr float, ptr %v15, i64 %v246
store <8 x float> %v257, ptr %v259, align 4
%v260 = fsub <8 x float> %v248, %v253
%v261 = fsub <8 x float> %v250, %v255
%v262 = fmul <8 x float> %v260, %v242
%v263 = fmul <8 x float> %v261, %v245
%v264 = fsub <8 x float> %v262, %v263
%v265 = fmul <8 x float> %v260, %v245
%v266 = fmul <8 x float> %v261, %v242
%v267 = fadd <8 x float> %v265, %v266
%v268 = add i64 %v246, 32
%v269 = getelementptr float, ptr %v14, i64 %v268
store <8 x float> %v264, ptr %v269, align 4
%v270 = getelementptr float, ptr %v15, i64 %v268
store <8 x float> %v267, ptr %v270, align 4
%v271 = add i64 %v246, 8
%v272 = icmp slt i64 %v271, 32
br i1 %v272, label %loop14, label %end15
end15:
br label %loop16
loop16:
%v273 = phi i64 [ 0, %end15 ], [ %v281, %loop16 ]
%v274 = getelementptr float, ptr %v14, i64 %v273
%v275 = load <8 x float>, ptr %v274, align 4
%v276 = getelementptr float, ptr %v15, i64 %v273
%v277 = load <8 x float>, ptr %v276, align 4
%v278 = shufflevector <8 x float> %v275, <8 x float> %v277, <16 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11, i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
%v279 = mul i64 %v273, 2
%v280 = getelementptr float, ptr %v12, i64 %v279
store <16 x float> %v278, ptr %v280, align 4
%v281 = add i64 %v273, 8
%v282 = icmp slt i64 %v281, 64
br i1 %v282, label %loop16, label %end17
end17:
%v283 = add i64 %v4, 1
%v284 = icmp slt i64 %v283, %v2
br i1 %v284, label %loop1, label %end2
end2:
ret void
}

