; kernels for x86_64-avx2
; mir @factorization_by_tasks {
;   %0 = input("x1") : f64[70, 70]
;   %1:3 = lu(%0) : (f64[70, 70], i32[70], i32[70])
;   return y1=%1.0, y2=%1.1, y3=%1.2
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @lu_load_33d30f1b(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 4
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 5
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 0
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 6
%a3 = load ptr, ptr %a3.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v66, %end25 ]
%v2 = udiv i64 %v1, 2
%v3 = urem i64 %v1, 2
%v4 = mul i64 %v2, 10240
%v5 = getelementptr double, ptr %a0, i64 %v4
%v6 = mul i64 %v2, 70
%v7 = getelementptr i32, ptr %a1, i64 %v6
%v8 = mul i64 %v3, 64
%v9 = sub i64 70, %v8
%v10 = call i64 @llvm.smin.i64(i64 %v9, i64 64)
%v11 = getelementptr double, ptr %a2, i64 %v8
%v12 = mul i64 %v3, 5120
%v13 = getelementptr double, ptr %v5, i64 %v12
%v14 = add i64 %v10, 15
%v15 = and i64 %v14, -16
br label %loop4
loop4:
%v16 = phi i64 [ 0, %loop1 ], [ %v42, %end13 ]
%v17 = mul i64 %v16, 64
%v18 = getelementptr double, ptr %v13, i64 %v17
%v19 = mul i64 %v16, 70
%v20 = getelementptr double, ptr %v11, i64 %v19
%v21 = ashr i64 %v10, 2
%v22 = mul i64 %v21, 4
%v23 = icmp slt i64 0, %v22
br i1 %v23, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v24 = phi i64 [ 0, %guard8 ], [ %v28, %loop6 ]
%v25 = getelementptr double, ptr %v20, i64 %v24
%v26 = load <4 x double>, ptr %v25, align 8
%v27 = getelementptr double, ptr %v18, i64 %v24
store <4 x double> %v26, ptr %v27, align 8
%v28 = add i64 %v24, 4
%v29 = icmp slt i64 %v28, %v22
br i1 %v29, label %loop6, label %end7
end7:
%v30 = icmp slt i64 %v22, %v10
br i1 %v30, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v31 = phi i64 [ %v22, %guard11 ], [ %v35, %loop9 ]
%v32 = getelementptr double, ptr %v20, i64 %v31
%v33 = load double, ptr %v32, align 8
%v34 = getelementptr double, ptr %v18, i64 %v31
store double %v33, ptr %v34, align 8
%v35 = add i64 %v31, 1
%v36 = icmp slt i64 %v35, %v10
br i1 %v36, label %loop9, label %end10
end10:
%v37 = icmp slt i64 %v10, %v15
br i1 %v37, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v38 = phi i64 [ %v10, %guard14 ], [ %v40, %loop12 ]
%v39 = getelementptr double, ptr %v18, i64 %v38
store double 0x0000000000000000, ptr %v39, align 8
%v40 = add i64 %v38, 1
%v41 = icmp slt i64 %v40, %v15
br i1 %v41, label %loop12, label %end13
end13:
%v42 = add i64 %v16, 1
%v43 = icmp slt i64 %v42, 70
br i1 %v43, label %loop4, label %end5
end5:
br label %loop15
loop15:
%v44 = phi i64 [ 70, %end5 ], [ %v59, %end21 ]
%v45 = mul i64 %v44, 64
%v46 = getelementptr double, ptr %v13, i64 %v45
%v47 = ashr i64 %v15, 2
%v48 = mul i64 %v47, 4
%v49 = icmp slt i64 0, %v48
br i1 %v49, label %guard19, label %end18
guard19:
br label %loop17
loop17:
%v50 = phi i64 [ 0, %guard19 ], [ %v52, %loop17 ]
%v51 = getelementptr double, ptr %v46, i64 %v50
store <4 x double> splat (double 0x0000000000000000), ptr %v51, align 8
%v52 = add i64 %v50, 4
%v53 = icmp slt i64 %v52, %v48
br i1 %v53, label %loop17, label %end18
end18:
%v54 = icmp slt i64 %v48, %v15
br i1 %v54, label %guard22, label %end21
guard22:
br label %loop20
loop20:
%v55 = phi i64 [ %v48, %guard22 ], [ %v57, %loop20 ]
%v56 = getelementptr double, ptr %v46, i64 %v55
store double 0x0000000000000000, ptr %v56, align 8
%v57 = add i64 %v55, 1
%v58 = icmp slt i64 %v57, %v15
br i1 %v58, label %loop20, label %end21
end21:
%v59 = add i64 %v44, 1
%v60 = icmp slt i64 %v59, 80
br i1 %v60, label %loop15, label %end16
end16:
%v61 = icmp eq i64 %v3, 0
br i1 %v61, label %then23, label %else24
then23:
br label %loop26
loop26:
%v62 = phi i64 [ 0, %then23 ], [ %v64, %loop26 ]
%v63 = getelementptr i64, ptr %a3, i64 %v62
store i64 0, ptr %v63, align 8
%v64 = add i64 %v62, 1
%v65 = icmp slt i64 %v64, 3
br i1 %v65, label %loop26, label %end27
end27:
br label %end25
else24:
br label %end25
end25:
%v66 = add i64 %v1, 1
%v67 = icmp slt i64 %v66, %end
br i1 %v67, label %loop1, label %end2
end2:
ret void
}


declare void @llvm.x86.sse2.pause()
declare i32 @sched_yield()
declare i64 @llvm.smin.i64(i64, i64)
declare <4 x double> @llvm.fma.v4f64(<4 x double>, <4 x double>, <4 x double>)
declare double @llvm.fabs.f64(double)
declare i64 @llvm.smax.i64(i64, i64)
declare double @llvm.fma.f64(double, double, double)

define void @lu_0cdf2686(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 4
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 5
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 6
%a2 = load ptr, ptr %a2.p, align 8
%s6 = alloca i64
%s7 = alloca i64
%s8 = alloca i64
%s9 = alloca i64
%a3.p = getelementptr i64, ptr %args, i64 7
%a3 = load ptr, ptr %a3.p, align 8
%s12 = alloca i64
%s13 = alloca i64
%s14 = alloca i64
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v703, %end33 ]
%v2 = udiv i64 %v1, 2
%v3 = urem i64 %v1, 2
%v4 = mul i64 %v2, 10240
%v5 = getelementptr double, ptr %a0, i64 %v4
%v6 = mul i64 %v2, 70
%v7 = getelementptr i32, ptr %a1, i64 %v6
store i64 0, ptr %s6
store i64 -1, ptr %s7
store i64 %v3, ptr %s8
%v8 = icmp sgt i64 %v3, 0
br i1 %v8, label %then4, label %else5
then4:
br label %head7
head7:
%v9 = load i64, ptr %s7
%v10 = add i64 %v9, 1
store i64 %v10, ptr %s7
%v11 = load i64, ptr %s7
%v12 = sub i64 1, %v11
%v13 = load i64, ptr %s8
%v14 = icmp sle i64 %v13, %v12
br i1 %v14, label %end8, label %next9
next9:
%v15 = load i64, ptr %s8
%v16 = sub i64 %v15, %v12
store i64 %v16, ptr %s8
br label %head7
end8:
%v17 = load i64, ptr %s7
%v18 = load i64, ptr %s7
%v19 = load i64, ptr %s8
%v20 = add i64 %v18, %v19
%v21 = add i64 %v17, 1
store i64 0, ptr %s9
br label %head10
head10:
%v22 = load atomic i64, ptr %a2 acquire, align 8
%v23 = icmp sge i64 %v22, %v21
%v24 = load atomic i64, ptr %a3 acquire, align 8
%v25 = icmp ne i64 %v24, 0
%v26 = or i1 %v23, %v25
br i1 %v26, label %end11, label %next12
next12:
call void @llvm.x86.sse2.pause()
%v27 = load i64, ptr %s9
%v28 = add i64 %v27, 1
store i64 %v28, ptr %s9
%v29 = load i64, ptr %s9
%v30 = icmp sgt i64 %v29, 4096
br i1 %v30, label %then13, label %else14
then13:
store i64 0, ptr %s9
%v31 = call i32 @sched_yield()
br label %end15
else14:
br label %end15
end15:
br label %head10
end11:
%v32 = load atomic i64, ptr %a2 acquire, align 8
%v33 = icmp sge i64 %v32, %v21
%v34 = add i64 %v20, 1
store i64 0, ptr %s12
br label %head16
head16:
%v35 = getelementptr i64, ptr %a2, i64 %v34
%v36 = load atomic i64, ptr %v35 acquire, align 8
%v37 = icmp sge i64 %v36, %v17
%v38 = load atomic i64, ptr %a3 acquire, align 8
%v39 = icmp ne i64 %v38, 0
%v40 = or i1 %v37, %v39
br i1 %v40, label %end17, label %next18
next18:
call void @llvm.x86.sse2.pause()
%v41 = load i64, ptr %s12
%v42 = add i64 %v41, 1
store i64 %v42, ptr %s12
%v43 = load i64, ptr %s12
%v44 = icmp sgt i64 %v43, 4096
br i1 %v44, label %then19, label %else20
then19:
store i64 0, ptr %s12
%v45 = call i32 @sched_yield()
br label %end21
else20:
br label %end21
end21:
br label %head16
end17:
%v46 = getelementptr i64, ptr %a2, i64 %v34
%v47 = load atomic i64, ptr %v46 acquire, align 8
%v48 = icmp sge i64 %v47, %v17
%v49 = and i1 %v33, %v48
br i1 %v49, label %then22, label %else23
then22:
%v50 = mul i64 %v20, 5120
%v51 = getelementptr double, ptr %v5, i64 %v50
%v52 = mul i64 %v17, 5120
%v53 = getelementptr double, ptr %v5, i64 %v52
%v54 = icmp slt i64 %v20, 2
%v55 = mul i64 %v20, 64
%v56 = sub i64 70, %v55
%v57 = sub i64 %v20, 2
%v58 = mul i64 %v57, 64
%v59 = sub i64 0, %v58
%v60 = select i1 %v54, i64 %v56, i64 %v59
%v61 = call i64 @llvm.smin.i64(i64 %v60, i64 64)
%v62 = add i64 %v61, 15
%v63 = and i64 %v62, -16
%v64 = mul i64 %v17, 64
%v65 = sub i64 70, %v64
%v66 = call i64 @llvm.smin.i64(i64 %v65, i64 64)
%v67 = add i64 %v64, 64
%v68 = add i64 %v64, %v66
%v69 = icmp slt i64 %v64, %v68
br i1 %v69, label %guard27, label %end26
guard27:
br label %loop25
loop25:
%v70 = phi i64 [ %v64, %guard27 ], [ %v295, %end30 ]
%v71 = getelementptr i32, ptr %v7, i64 %v70
%v72 = load i32, ptr %v71, align 4
%v73 = sext i32 %v72 to i64
%v74 = icmp ne i64 %v70, %v73
br i1 %v74, label %then28, label %else29
then28:
%v75 = mul i64 %v70, 64
%v76 = getelementptr double, ptr %v51, i64 %v75
%v77 = load <4 x double>, ptr %v76, align 8
%v78 = mul i64 %v73, 64
%v79 = getelementptr double, ptr %v51, i64 %v78
%v80 = load <4 x double>, ptr %v79, align 8
%v81 = mul i64 %v70, 64
%v82 = getelementptr double, ptr %v51, i64 %v81
store <4 x double> %v80, ptr %v82, align 8
%v83 = mul i64 %v73, 64
%v84 = getelementptr double, ptr %v51, i64 %v83
store <4 x double> %v77, ptr %v84, align 8
%v85 = mul i64 %v70, 64
%v86 = add i64 %v85, 4
%v87 = getelementptr double, ptr %v51, i64 %v86
%v88 = load <4 x double>, ptr %v87, align 8
%v89 = mul i64 %v73, 64
%v90 = add i64 %v89, 4
%v91 = getelementptr double, ptr %v51, i64 %v90
%v92 = load <4 x double>, ptr %v91, align 8
%v93 = mul i64 %v70, 64
%v94 = add i64 %v93, 4
%v95 = getelementptr double, ptr %v51, i64 %v94
store <4 x double> %v92, ptr %v95, align 8
%v96 = mul i64 %v73, 64
%v97 = add i64 %v96, 4
%v98 = getelementptr double, ptr %v51, i64 %v97
store <4 x double> %v88, ptr %v98, align 8
%v99 = mul i64 %v70, 64
%v100 = add i64 %v99, 8
%v101 = getelementptr double, ptr %v51, i64 %v100
%v102 = load <4 x double>, ptr %v101, align 8
%v103 = mul i64 %v73, 64
%v104 = add i64 %v103, 8
%v105 = getelementptr double, ptr %v51, i64 %v104
%v106 = load <4 x double>, ptr %v105, align 8
%v107 = mul i64 %v70, 64
%v108 = add i64 %v107, 8
%v109 = getelementptr double, ptr %v51, i64 %v108
store <4 x double> %v106, ptr %v109, align 8
%v110 = mul i64 %v73, 64
%v111 = add i64 %v110, 8
%v112 = getelementptr double, ptr %v51, i64 %v111
store <4 x double> %v102, ptr %v112, align 8
%v113 = mul i64 %v70, 64
%v114 = add i64 %v113, 12
%v115 = getelementptr double, ptr %v51, i64 %v114
%v116 = load <4 x double>, ptr %v115, align 8
%v117 = mul i64 %v73, 64
%v118 = add i64 %v117, 12
%v119 = getelementptr double, ptr %v51, i64 %v118
%v120 = load <4 x double>, ptr %v119, align 8
%v121 = mul i64 %v70, 64
%v122 = add i64 %v121, 12
%v123 = getelementptr double, ptr %v51, i64 %v122
store <4 x double> %v120, ptr %v123, align 8
%v124 = mul i64 %v73, 64
%v125 = add i64 %v124, 12
%v126 = getelementptr double, ptr %v51, i64 %v125
store <4 x double> %v116, ptr %v126, align 8
%v127 = mul i64 %v70, 64
%v128 = add i64 %v127, 16
%v129 = getelementptr double, ptr %v51, i64 %v128
%v130 = load <4 x double>, ptr %v129, align 8
%v131 = mul i64 %v73, 64
%v132 = add i64 %v131, 16
%v133 = getelementptr double, ptr %v51, i64 %v132
%v134 = load <4 x double>, ptr %v133, align 8
%v135 = mul i64 %v70, 64
%v136 = add i64 %v135, 16
%v137 = getelementptr double, ptr %v51, i64 %v136
store <4 x double> %v134, ptr %v137, align 8
%v138 = mul i64 %v73, 64
%v139 = add i64 %v138, 16
%v140 = getelementptr double, ptr %v51, i64 %v139
store <4 x double> %v130, ptr %v140, align 8
%v141 = mul i64 %v70, 64
%v142 = add i64 %v141, 20
%v143 = getelementptr double, ptr %v51, i64 %v142
%v144 = load <4 x double>, ptr %v143, align 8
%v145 = mul i64 %v73, 64
%v146 = add i64 %v145, 20
%v147 = getelementptr double, ptr %v51, i64 %v146
%v148 = load <4 x double>, ptr %v147, align 8
%v149 = mul i64 %v70, 64
%v150 = add i64 %v149, 20
%v151 = getelementptr double, ptr %v51, i64 %v150
store <4 x double> %v148, ptr %v151, align 8
%v152 = mul i64 %v73, 64
%v153 = add i64 %v152, 20
%v154 = getelementptr double, ptr %v51, i64 %v153
store <4 x double> %v144, ptr %v154, align 8
%v155 = mul i64 %v70, 64
%v156 = add i64 %v155, 24
%v157 = getelementptr double, ptr %v51, i64 %v156
%v158 = load <4 x double>, ptr %v157, align 8
%v159 = mul i64 %v73, 64
%v160 = add i64 %v159, 24
%v161 = getelementptr double, ptr %v51, i64 %v160
%v162 = load <4 x double>, ptr %v161, align 8
%v163 = mul i64 %v70, 64
%v164 = add i64 %v163, 24
%v165 = getelementptr double, ptr %v51, i64 %v164
store <4 x double> %v162, ptr %v165, align 8
%v166 = mul i64 %v73, 64
%v167 = add i64 %v166, 24
%v168 = getelementptr double, ptr %v51, i64 %v167
store <4 x double> %v158, ptr %v168, align 8
%v169 = mul i64 %v70, 64
%v170 = add i64 %v169, 28
%v171 = getelementptr double, ptr %v51, i64 %v170
%v172 = load <4 x double>, ptr %v171, align 8
%v173 = mul i64 %v73, 64
%v174 = add i64 %v173, 28
%v175 = getelementptr double, ptr %v51, i64 %v174
%v176 = load <4 x double>, ptr %v175, align 8
%v177 = mul i64 %v70, 64
%v178 = add i64 %v177, 28
%v179 = getelementptr double, ptr %v51, i64 %v178
store <4 x double> %v176, ptr %v179, align 8
%v180 = mul i64 %v73, 64
%v181 = add i64 %v180, 28
%v182 = getelementptr double, ptr %v51, i64 %v181
store <4 x double> %v172, ptr %v182, align 8
%v183 = mul i64 %v70, 64
%v184 = add i64 %v183, 32
%v185 = getelementptr double, ptr %v51, i64 %v184
%v186 = load <4 x double>, ptr %v185, align 8
%v187 = mul i64 %v73, 64
%v188 = add i64 %v187, 32
%v189 = getelementptr double, ptr %v51, i64 %v188
%v190 = load <4 x double>, ptr %v189, align 8
%v191 = mul i64 %v70, 64
%v192 = add i64 %v191, 32
%v193 = getelementptr double, ptr %v51, i64 %v192
store <4 x double> %v190, ptr %v193, align 8
%v194 = mul i64 %v73, 64
%v195 = add i64 %v194, 32
%v196 = getelementptr double, ptr %v51, i64 %v195
store <4 x double> %v186, ptr %v196, align 8
%v197 = mul i64 %v70, 64
%v198 = add i64 %v197, 36
%v199 = getelementptr double, ptr %v51, i64 %v198
%v200 = load <4 x double>, ptr %v199, align 8
%v201 = mul i64 %v73, 64
%v202 = add i64 %v201, 36
%v203 = getelementptr double, ptr %v51, i64 %v202
%v204 = load <4 x double>, ptr %v203, align 8
%v205 = mul i64 %v70, 64
%v206 = add i64 %v205, 36
%v207 = getelementptr double, ptr %v51, i64 %v206
store <4 x double> %v204, ptr %v207, align 8
%v208 = mul i64 %v73, 64
%v209 = add i64 %v208, 36
%v210 = getelementptr double, ptr %v51, i64 %v209
store <4 x double> %v200, ptr %v210, align 8
%v211 = mul i64 %v70, 64
%v212 = add i64 %v211, 40
%v213 = getelementptr double, ptr %v51, i64 %v212
%v214 = load <4 x double>, ptr %v213, align 8
%v215 = mul i64 %v73, 64
%v216 = add i64 %v215, 40
%v217 = getelementptr double, ptr %v51, i64 %v216
%v218 = load <4 x double>, ptr %v217, align 8
%v219 = mul i64 %v70, 64
%v220 = add i64 %v219, 40
%v221 = getelementptr double, ptr %v51, i64 %v220
store <4 x double> %v218, ptr %v221, align 8
%v222 = mul i64 %v73, 64
%v223 = add i64 %v222, 40
%v224 = getelementptr double, ptr %v51, i64 %v223
store <4 x double> %v214, ptr %v224, align 8
%v225 = mul i64 %v70, 64
%v226 = add i64 %v225, 44
%v227 = getelementptr double, ptr %v51, i64 %v226
%v228 = load <4 x double>, ptr %v227, align 8
%v229 = mul i64 %v73, 64
%v230 = add i64 %v229, 44
%v231 = getelementptr double, ptr %v51, i64 %v230
%v232 = load <4 x double>, ptr %v231, align 8
%v233 = mul i64 %v70, 64
%v234 = add i64 %v233, 44
%v235 = getelementptr double, ptr %v51, i64 %v234
store <4 x double> %v232, ptr %v235, align 8
%v236 = mul i64 %v73, 64
%v237 = add i64 %v236, 44
%v238 = getelementptr double, ptr %v51, i64 %v237
store <4 x double> %v228, ptr %v238, align 8
%v239 = mul i64 %v70, 64
%v240 = add i64 %v239, 48
%v241 = getelementptr double, ptr %v51, i64 %v240
%v242 = load <4 x double>, ptr %v241, align 8
%v243 = mul i64 %v73, 64
%v244 = add i64 %v243, 48
%v245 = getelementptr double, ptr %v51, i64 %v244
%v246 = load <4 x double>, ptr %v245, align 8
%v247 = mul i64 %v70, 64
%v248 = add i64 %v247, 48
%v249 = getelementptr double, ptr %v51, i64 %v248
store <4 x double> %v246, ptr %v249, align 8
%v250 = mul i64 %v73, 64
%v251 = add i64 %v250, 48
%v252 = getelementptr double, ptr %v51, i64 %v251
store <4 x double> %v242, ptr %v252, align 8
%v253 = mul i64 %v70, 64
%v254 = add i64 %v253, 52
%v255 = getelementptr double, ptr %v51, i64 %v254
%v256 = load <4 x double>, ptr %v255, align 8
%v257 = mul i64 %v73, 64
%v258 = add i64 %v257, 52
%v259 = getelementptr double, ptr %v51, i64 %v258
%v260 = load <4 x double>, ptr %v259, align 8
%v261 = mul i64 %v70, 64
%v262 = add i64 %v261, 52
%v263 = getelementptr double, ptr %v51, i64 %v262
store <4 x double> %v260, ptr %v263, align 8
%v264 = mul i64 %v73, 64
%v265 = add i64 %v264, 52
%v266 = getelementptr double, ptr %v51, i64 %v265
store <4 x double> %v256, ptr %v266, align 8
%v267 = mul i64 %v70, 64
%v268 = add i64 %v267, 56
%v269 = getelementptr double, ptr %v51, i64 %v268
%v270 = load <4 x double>, ptr %v269, align 8
%v271 = mul i64 %v73, 64
%v272 = add i64 %v271, 56
%v273 = getelementptr double, ptr %v51, i64 %v272
%v274 = load <4 x double>, ptr %v273, align 8
%v275 = mul i64 %v70, 64
%v276 = add i64 %v275, 56
%v277 = getelementptr double, ptr %v51, i64 %v276
store <4 x double> %v274, ptr %v277, align 8
%v278 = mul i64 %v73, 64
%v279 = add i64 %v278, 56
%v280 = getelementptr double, ptr %v51, i64 %v279
store <4 x double> %v270, ptr %v280, align 8
%v281 = mul i64 %v70, 64
%v282 = add i64 %v281, 60
%v283 = getelementptr double, ptr %v51, i64 %v282
%v284 = load <4 x double>, ptr %v283, align 8
%v285 = mul i64 %v73, 64
%v286 = add i64 %v285, 60
%v287 = getelementptr double, ptr %v51, i64 %v286
%v288 = load <4 x double>, ptr %v287, align 8
%v289 = mul i64 %v70, 64
%v290 = add i64 %v289, 60
%v291 = getelementptr double, ptr %v51, i64 %v290
store <4 x double> %v288, ptr %v291, align 8
%v292 = mul i64 %v73, 64
%v293 = add i64 %v292, 60
%v294 = getelementptr double, ptr %v51, i64 %v293
store <4 x double> %v284, ptr %v294, align 8
br label %end30
else29:
br label %end30
end30:
%v295 = add i64 %v70, 1
%v296 = icmp slt i64 %v295, %v68
br i1 %v296, label %loop25, label %end26
end26:
%v297 = mul i64 %v64, 64
%v298 = getelementptr double, ptr %v51, i64 %v297
%v299 = mul i64 %v64, 64
%v300 = getelementptr double, ptr %v53, i64 %v299
call void @linalg_solve_lower_unit_f64_64(ptr %v298, ptr %v300, i64 %v66, i64 %v63)
%v301 = mul i64 %v67, 64
%v302 = getelementptr double, ptr %v51, i64 %v301
%v303 = mul i64 %v67, 64
%v304 = getelementptr double, ptr %v53, i64 %v303
%v305 = sub i64 80, %v67
call void @linalg_subtract_f64_64(ptr %v302, ptr %v304, ptr %v298, i64 %v305, i64 %v63, i64 64)
%v306 = add i64 %v17, 1
%v307 = add i64 %v20, 1
%v308 = getelementptr i64, ptr %a2, i64 %v307
store atomic i64 %v306, ptr %v308 release, align 8
br label %end24
else23:
br label %end24
end24:
%v309 = add i64 %v17, 1
%v310 = icmp eq i64 %v20, %v309
%v311 = and i1 %v49, %v310
%v312 = select i1 %v311, i64 %v20, i64 2
store i64 %v312, ptr %s6
br label %end6
else5:
br label %end6
end6:
%v313 = load i64, ptr %s6
%v314 = icmp slt i64 %v313, 2
br i1 %v314, label %then31, label %else32
then31:
%v315 = load i64, ptr %s6
%v316 = mul i64 %v315, 5120
%v317 = getelementptr double, ptr %v5, i64 %v316
%v318 = icmp slt i64 %v315, 2
%v319 = mul i64 %v315, 64
%v320 = sub i64 70, %v319
%v321 = sub i64 %v315, 2
%v322 = mul i64 %v321, 64
%v323 = sub i64 0, %v322
%v324 = select i1 %v318, i64 %v320, i64 %v323
%v325 = call i64 @llvm.smin.i64(i64 %v324, i64 64)
%v326 = add i64 %v325, 15
%v327 = and i64 %v326, -16
%v328 = mul i64 %v315, 64
%v329 = sub i64 70, %v328
%v330 = call i64 @llvm.smin.i64(i64 64, i64 %v329)
%v331 = icmp slt i64 0, %v330
br i1 %v331, label %guard36, label %end35
guard36:
br label %loop34
loop34:
%v332 = phi i64 [ 0, %guard36 ], [ %v699, %end41 ]
%v333 = add i64 %v328, %v332
%v334 = add i64 %v332, 16
%v335 = sub i64 %v330, %v332
%v336 = call i64 @llvm.smin.i64(i64 16, i64 %v335)
store i64 -1, ptr %s13
store i64 %v333, ptr %s14
%v337 = icmp slt i64 %v333, 70
br i1 %v337, label %guard39, label %end38
guard39:
br label %loop37
loop37:
%v338 = phi i64 [ %v333, %guard39 ], [ %v350, %loop37 ]
%v339 = mul i64 %v338, 64
%v340 = add i64 %v339, %v332
%v341 = getelementptr double, ptr %v317, i64 %v340
%v342 = load double, ptr %v341, align 8
%v343 = load i64, ptr %s13
%v344 = call double @llvm.fabs.f64(double %v342)
%v345 = bitcast double %v344 to i64
%v346 = icmp sgt i64 %v345, %v343
%v347 = load i64, ptr %s14
%v348 = select i1 %v346, i64 %v338, i64 %v347
store i64 %v348, ptr %s14
%v349 = call i64 @llvm.smax.i64(i64 %v345, i64 %v343)
store i64 %v349, ptr %s13
%v350 = add i64 %v338, 1
%v351 = icmp slt i64 %v350, 70
br i1 %v351, label %loop37, label %end38
end38:
%v352 = icmp slt i64 0, %v336
br i1 %v352, label %guard42, label %end41
guard42:
br label %loop40
loop40:
%v353 = phi i64 [ 0, %guard42 ], [ %v687, %end47 ]
%v354 = add i64 %v333, %v353
%v355 = load i64, ptr %s14
%v356 = trunc i64 %v355 to i32
%v357 = getelementptr i32, ptr %v7, i64 %v354
store i32 %v356, ptr %v357, align 4
%v358 = icmp ne i64 %v354, %v355
br i1 %v358, label %then43, label %else44
then43:
%v359 = mul i64 %v354, 64
%v360 = getelementptr double, ptr %v317, i64 %v359
%v361 = load <4 x double>, ptr %v360, align 8
%v362 = mul i64 %v355, 64
%v363 = getelementptr double, ptr %v317, i64 %v362
%v364 = load <4 x double>, ptr %v363, align 8
%v365 = mul i64 %v354, 64
%v366 = getelementptr double, ptr %v317, i64 %v365
store <4 x double> %v364, ptr %v366, align 8
%v367 = mul i64 %v355, 64
%v368 = getelementptr double, ptr %v317, i64 %v367
store <4 x double> %v361, ptr %v368, align 8
%v369 = mul i64 %v354, 64
%v370 = add i64 %v369, 4
%v371 = getelementptr double, ptr %v317, i64 %v370
%v372 = load <4 x double>, ptr %v371, align 8
%v373 = mul i64 %v355, 64
%v374 = add i64 %v373, 4
%v375 = getelementptr double, ptr %v317, i64 %v374
%v376 = load <4 x double>, ptr %v375, align 8
%v377 = mul i64 %v354, 64
%v378 = add i64 %v377, 4
%v379 = getelementptr double, ptr %v317, i64 %v378
store <4 x double> %v376, ptr %v379, align 8
%v380 = mul i64 %v355, 64
%v381 = add i64 %v380, 4
%v382 = getelementptr double, ptr %v317, i64 %v381
store <4 x double> %v372, ptr %v382, align 8
%v383 = mul i64 %v354, 64
%v384 = add i64 %v383, 8
%v385 = getelementptr double, ptr %v317, i64 %v384
%v386 = load <4 x double>, ptr %v385, align 8
%v387 = mul i64 %v355, 64
%v388 = add i64 %v387, 8
%v389 = getelementptr double, ptr %v317, i64 %v388
%v390 = load <4 x double>, ptr %v389, align 8
%v391 = mul i64 %v354, 64
%v392 = add i64 %v391, 8
%v393 = getelementptr double, ptr %v317, i64 %v392
store <4 x double> %v390, ptr %v393, align 8
%v394 = mul i64 %v355, 64
%v395 = add i64 %v394, 8
%v396 = getelementptr double, ptr %v317, i64 %v395
store <4 x double> %v386, ptr %v396, align 8
%v397 = mul i64 %v354, 64
%v398 = add i64 %v397, 12
%v399 = getelementptr double, ptr %v317, i64 %v398
%v400 = load <4 x double>, ptr %v399, align 8
%v401 = mul i64 %v355, 64
%v402 = add i64 %v401, 12
%v403 = getelementptr double, ptr %v317, i64 %v402
%v404 = load <4 x double>, ptr %v403, align 8
%v405 = mul i64 %v354, 64
%v406 = add i64 %v405, 12
%v407 = getelementptr double, ptr %v317, i64 %v406
store <4 x double> %v404, ptr %v407, align 8
%v408 = mul i64 %v355, 64
%v409 = add i64 %v408, 12
%v410 = getelementptr double, ptr %v317, i64 %v409
store <4 x double> %v400, ptr %v410, align 8
%v411 = mul i64 %v354, 64
%v412 = add i64 %v411, 16
%v413 = getelementptr double, ptr %v317, i64 %v412
%v414 = load <4 x double>, ptr %v413, align 8
%v415 = mul i64 %v355, 64
%v416 = add i64 %v415, 16
%v417 = getelementptr double, ptr %v317, i64 %v416
%v418 = load <4 x double>, ptr %v417, align 8
%v419 = mul i64 %v354, 64
%v420 = add i64 %v419, 16
%v421 = getelementptr double, ptr %v317, i64 %v420
store <4 x double> %v418, ptr %v421, align 8
%v422 = mul i64 %v355, 64
%v423 = add i64 %v422, 16
%v424 = getelementptr double, ptr %v317, i64 %v423
store <4 x double> %v414, ptr %v424, align 8
%v425 = mul i64 %v354, 64
%v426 = add i64 %v425, 20
%v427 = getelementptr double, ptr %v317, i64 %v426
%v428 = load <4 x double>, ptr %v427, align 8
%v429 = mul i64 %v355, 64
%v430 = add i64 %v429, 20
%v431 = getelementptr double, ptr %v317, i64 %v430
%v432 = load <4 x double>, ptr %v431, align 8
%v433 = mul i64 %v354, 64
%v434 = add i64 %v433, 20
%v435 = getelementptr double, ptr %v317, i64 %v434
store <4 x double> %v432, ptr %v435, align 8
%v436 = mul i64 %v355, 64
%v437 = add i64 %v436, 20
%v438 = getelementptr double, ptr %v317, i64 %v437
store <4 x double> %v428, ptr %v438, align 8
%v439 = mul i64 %v354, 64
%v440 = add i64 %v439, 24
%v441 = getelementptr double, ptr %v317, i64 %v440
%v442 = load <4 x double>, ptr %v441, align 8
%v443 = mul i64 %v355, 64
%v444 = add i64 %v443, 24
%v445 = getelementptr double, ptr %v317, i64 %v444
%v446 = load <4 x double>, ptr %v445, align 8
%v447 = mul i64 %v354, 64
%v448 = add i64 %v447, 24
%v449 = getelementptr double, ptr %v317, i64 %v448
store <4 x double> %v446, ptr %v449, align 8
%v450 = mul i64 %v355, 64
%v451 = add i64 %v450, 24
%v452 = getelementptr double, ptr %v317, i64 %v451
store <4 x double> %v442, ptr %v452, align 8
%v453 = mul i64 %v354, 64
%v454 = add i64 %v453, 28
%v455 = getelementptr double, ptr %v317, i64 %v454
%v456 = load <4 x double>, ptr %v455, align 8
%v457 = mul i64 %v355, 64
%v458 = add i64 %v457, 28
%v459 = getelementptr double, ptr %v317, i64 %v458
%v460 = load <4 x double>, ptr %v459, align 8
%v461 = mul i64 %v354, 64
%v462 = add i64 %v461, 28
%v463 = getelementptr double, ptr %v317, i64 %v462
store <4 x double> %v460, ptr %v463, align 8
%v464 = mul i64 %v355, 64
%v465 = add i64 %v464, 28
%v466 = getelementptr double, ptr %v317, i64 %v465
store <4 x double> %v456, ptr %v466, align 8
%v467 = mul i64 %v354, 64
%v468 = add i64 %v467, 32
%v469 = getelementptr double, ptr %v317, i64 %v468
%v470 = load <4 x double>, ptr %v469, align 8
%v471 = mul i64 %v355, 64
%v472 = add i64 %v471, 32
%v473 = getelementptr double, ptr %v317, i64 %v472
%v474 = load <4 x double>, ptr %v473, align 8
%v475 = mul i64 %v354, 64
%v476 = add i64 %v475, 32
%v477 = getelementptr double, ptr %v317, i64 %v476
store <4 x double> %v474, ptr %v477, align 8
%v478 = mul i64 %v355, 64
%v479 = add i64 %v478, 32
%v480 = getelementptr double, ptr %v317, i64 %v479
store <4 x double> %v470, ptr %v480, align 8
%v481 = mul i64 %v354, 64
%v482 = add i64 %v481, 36
%v483 = getelementptr double, ptr %v317, i64 %v482
%v484 = load <4 x double>, ptr %v483, align 8
%v485 = mul i64 %v355, 64
%v486 = add i64 %v485, 36
%v487 = getelementptr double, ptr %v317, i64 %v486
%v488 = load <4 x double>, ptr %v487, align 8
%v489 = mul i64 %v354, 64
%v490 = add i64 %v489, 36
%v491 = getelementptr double, ptr %v317, i64 %v490
store <4 x double> %v488, ptr %v491, align 8
%v492 = mul i64 %v355, 64
%v493 = add i64 %v492, 36
%v494 = getelementptr double, ptr %v317, i64 %v493
store <4 x double> %v484, ptr %v494, align 8
%v495 = mul i64 %v354, 64
%v496 = add i64 %v495, 40
%v497 = getelementptr double, ptr %v317, i64 %v496
%v498 = load <4 x double>, ptr %v497, align 8
%v499 = mul i64 %v355, 64
%v500 = add i64 %v499, 40
%v501 = getelementptr double, ptr %v317, i64 %v500
%v502 = load <4 x double>, ptr %v501, align 8
%v503 = mul i64 %v354, 64
%v504 = add i64 %v503, 40
%v505 = getelementptr double, ptr %v317, i64 %v504
store <4 x double> %v502, ptr %v505, align 8
%v506 = mul i64 %v355, 64
%v507 = add i64 %v506, 40
%v508 = getelementptr double, ptr %v317, i64 %v507
store <4 x double> %v498, ptr %v508, align 8
%v509 = mul i64 %v354, 64
%v510 = add i64 %v509, 44
%v511 = getelementptr double, ptr %v317, i64 %v510
%v512 = load <4 x double>, ptr %v511, align 8
%v513 = mul i64 %v355, 64
%v514 = add i64 %v513, 44
%v515 = getelementptr double, ptr %v317, i64 %v514
%v516 = load <4 x double>, ptr %v515, align 8
%v517 = mul i64 %v354, 64
%v518 = add i64 %v517, 44
%v519 = getelementptr double, ptr %v317, i64 %v518
store <4 x double> %v516, ptr %v519, align 8
%v520 = mul i64 %v355, 64
%v521 = add i64 %v520, 44
%v522 = getelementptr double, ptr %v317, i64 %v521
store <4 x double> %v512, ptr %v522, align 8
%v523 = mul i64 %v354, 64
%v524 = add i64 %v523, 48
%v525 = getelementptr double, ptr %v317, i64 %v524
%v526 = load <4 x double>, ptr %v525, align 8
%v527 = mul i64 %v355, 64
%v528 = add i64 %v527, 48
%v529 = getelementptr double, ptr %v317, i64 %v528
%v530 = load <4 x double>, ptr %v529, align 8
%v531 = mul i64 %v354, 64
%v532 = add i64 %v531, 48
%v533 = getelementptr double, ptr %v317, i64 %v532
store <4 x double> %v530, ptr %v533, align 8
%v534 = mul i64 %v355, 64
%v535 = add i64 %v534, 48
%v536 = getelementptr double, ptr %v317, i64 %v535
store <4 x double> %v526, ptr %v536, align 8
%v537 = mul i64 %v354, 64
%v538 = add i64 %v537, 52
%v539 = getelementptr double, ptr %v317, i64 %v538
%v540 = load <4 x double>, ptr %v539, align 8
%v541 = mul i64 %v355, 64
%v542 = add i64 %v541, 52
%v543 = getelementptr double, ptr %v317, i64 %v542
%v544 = load <4 x double>, ptr %v543, align 8
%v545 = mul i64 %v354, 64
%v546 = add i64 %v545, 52
%v547 = getelementptr double, ptr %v317, i64 %v546
store <4 x double> %v544, ptr %v547, align 8
%v548 = mul i64 %v355, 64
%v549 = add i64 %v548, 52
%v550 = getelementptr double, ptr %v317, i64 %v549
store <4 x double> %v540, ptr %v550, align 8
%v551 = mul i64 %v354, 64
%v552 = add i64 %v551, 56
%v553 = getelementptr double, ptr %v317, i64 %v552
%v554 = load <4 x double>, ptr %v553, align 8
%v555 = mul i64 %v355, 64
%v556 = add i64 %v555, 56
%v557 = getelementptr double, ptr %v317, i64 %v556
%v558 = load <4 x double>, ptr %v557, align 8
%v559 = mul i64 %v354, 64
%v560 = add i64 %v559, 56
%v561 = getelementptr double, ptr %v317, i64 %v560
store <4 x double> %v558, ptr %v561, align 8
%v562 = mul i64 %v355, 64
%v563 = add i64 %v562, 56
%v564 = getelementptr double, ptr %v317, i64 %v563
store <4 x double> %v554, ptr %v564, align 8
%v565 = mul i64 %v354, 64
%v566 = add i64 %v565, 60
%v567 = getelementptr double, ptr %v317, i64 %v566
%v568 = load <4 x double>, ptr %v567, align 8
%v569 = mul i64 %v355, 64
%v570 = add i64 %v569, 60
%v571 = getelementptr double, ptr %v317, i64 %v570
%v572 = load <4 x double>, ptr %v571, align 8
%v573 = mul i64 %v354, 64
%v574 = add i64 %v573, 60
%v575 = getelementptr double, ptr %v317, i64 %v574
store <4 x double> %v572, ptr %v575, align 8
%v576 = mul i64 %v355, 64
%v577 = add i64 %v576, 60
%v578 = getelementptr double, ptr %v317, i64 %v577
store <4 x double> %v568, ptr %v578, align 8
br label %end45
else44:
br label %end45
end45:
%v579 = mul i64 %v354, 64
%v580 = add i64 %v579, %v332
%v581 = getelementptr double, ptr %v317, i64 %v580
%v582 = getelementptr double, ptr %v581, i64 %v353
%v583 = load double, ptr %v582, align 8
%v584 = fcmp oeq double %v583, 0x0000000000000000
%v585 = select i1 %v584, double 0x3FF0000000000000, double %v583
%v586 = trunc i64 %v353 to i32
%v587 = insertelement <4 x i32> poison, i32 %v586, i32 0
%v588 = shufflevector <4 x i32> %v587, <4 x i32> poison, <4 x i32> zeroinitializer
%v589 = icmp eq <4 x i32> <i32 0, i32 1, i32 2, i32 3>, %v588
%v590 = insertelement <4 x i32> poison, i32 %v586, i32 0
%v591 = shufflevector <4 x i32> %v590, <4 x i32> poison, <4 x i32> zeroinitializer
%v592 = icmp eq <4 x i32> <i32 4, i32 5, i32 6, i32 7>, %v591
%v593 = insertelement <4 x i32> poison, i32 %v586, i32 0
%v594 = shufflevector <4 x i32> %v593, <4 x i32> poison, <4 x i32> zeroinitializer
%v595 = icmp eq <4 x i32> <i32 8, i32 9, i32 10, i32 11>, %v594
%v596 = insertelement <4 x i32> poison, i32 %v586, i32 0
%v597 = shufflevector <4 x i32> %v596, <4 x i32> poison, <4 x i32> zeroinitializer
%v598 = icmp eq <4 x i32> <i32 12, i32 13, i32 14, i32 15>, %v597
%v599 = insertelement <4 x i32> poison, i32 %v586, i32 0
%v600 = shufflevector <4 x i32> %v599, <4 x i32> poison, <4 x i32> zeroinitializer
%v601 = icmp sgt <4 x i32> <i32 0, i32 1, i32 2, i32 3>, %v600
%v602 = insertelement <4 x i32> poison, i32 %v586, i32 0
%v603 = shufflevector <4 x i32> %v602, <4 x i32> poison, <4 x i32> zeroinitializer
%v604 = icmp sgt <4 x i32> <i32 4, i32 5, i32 6, i32 7>, %v603
%v605 = insertelement <4 x i32> poison, i32 %v586, i32 0
%v606 = shufflevector <4 x i32> %v605, <4 x i32> poison, <4 x i32> zeroinitializer
%v607 = icmp sgt <4 x i32> <i32 8, i32 9, i32 10, i32 11>, %v606
%v608 = insertelement <4 x i32> poison, i32 %v586, i32 0
%v609 = shufflevector <4 x i32> %v608, <4 x i32> poison, <4 x i32> zeroinitializer
%v610 = icmp sgt <4 x i32> <i32 12, i32 13, i32 14, i32 15>, %v609
%v611 = load <4 x double>, ptr %v581, align 8
%v612 = getelementptr double, ptr %v581, i64 4
%v613 = load <4 x double>, ptr %v612, align 8
%v614 = getelementptr double, ptr %v581, i64 8
%v615 = load <4 x double>, ptr %v614, align 8
%v616 = getelementptr double, ptr %v581, i64 12
%v617 = load <4 x double>, ptr %v616, align 8
%v618 = add i64 %v353, 1
%v619 = call i64 @llvm.smin.i64(i64 %v618, i64 15)
%v620 = getelementptr double, ptr %v581, i64 %v619
%v621 = load double, ptr %v620, align 8
%v622 = add i64 %v354, 1
store i64 -1, ptr %s13
store i64 %v622, ptr %s14
%v623 = add i64 %v354, 1
%v624 = icmp slt i64 %v623, 70
br i1 %v624, label %guard48, label %end47
guard48:
br label %loop46
loop46:
%v625 = phi i64 [ %v623, %guard48 ], [ %v685, %loop46 ]
%v626 = mul i64 %v625, 64
%v627 = add i64 %v626, %v332
%v628 = getelementptr double, ptr %v317, i64 %v627
%v629 = getelementptr double, ptr %v628, i64 %v353
%v630 = load double, ptr %v629, align 8
%v631 = fdiv double %v630, %v585
%v632 = fneg double %v631
%v633 = getelementptr double, ptr %v628, i64 %v619
%v634 = load double, ptr %v633, align 8
%v635 = call double @llvm.fma.f64(double %v632, double %v621, double %v634)
%v636 = load i64, ptr %s13
%v637 = call double @llvm.fabs.f64(double %v635)
%v638 = bitcast double %v637 to i64
%v639 = icmp sgt i64 %v638, %v636
%v640 = load i64, ptr %s14
%v641 = select i1 %v639, i64 %v625, i64 %v640
store i64 %v641, ptr %s14
%v642 = call i64 @llvm.smax.i64(i64 %v638, i64 %v636)
store i64 %v642, ptr %s13
%v643 = load <4 x double>, ptr %v628, align 8
%v644 = insertelement <4 x double> poison, double %v631, i32 0
%v645 = shufflevector <4 x double> %v644, <4 x double> poison, <4 x i32> zeroinitializer
%v646 = fneg <4 x double> %v645
%v647 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v646, <4 x double> %v611, <4 x double> %v643)
%v648 = select <4 x i1> %v601, <4 x double> %v647, <4 x double> %v643
%v649 = insertelement <4 x double> poison, double %v631, i32 0
%v650 = shufflevector <4 x double> %v649, <4 x double> poison, <4 x i32> zeroinitializer
%v651 = select <4 x i1> %v589, <4 x double> %v650, <4 x double> %v648
store <4 x double> %v651, ptr %v628, align 8
%v652 = getelementptr double, ptr %v628, i64 4
%v653 = load <4 x double>, ptr %v652, align 8
%v654 = insertelement <4 x double> poison, double %v631, i32 0
%v655 = shufflevector <4 x double> %v654, <4 x double> poison, <4 x i32> zeroinitializer
%v656 = fneg <4 x double> %v655
%v657 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v656, <4 x double> %v613, <4 x double> %v653)
%v658 = select <4 x i1> %v604, <4 x double> %v657, <4 x double> %v653
%v659 = insertelement <4 x double> poison, double %v631, i32 0
%v660 = shufflevector <4 x double> %v659, <4 x double> poison, <4 x i32> zeroinitializer
%v661 = select <4 x i1> %v592, <4 x double> %v660, <4 x double> %v658
%v662 = getelementptr double, ptr %v628, i64 4
store <4 x double> %v661, ptr %v662, align 8
%v663 = getelementptr double, ptr %v628, i64 8
%v664 = load <4 x double>, ptr %v663, align 8
%v665 = insertelement <4 x double> poison, double %v631, i32 0
%v666 = shufflevector <4 x double> %v665, <4 x double> poison, <4 x i32> zeroinitializer
%v667 = fneg <4 x double> %v666
%v668 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v667, <4 x double> %v615, <4 x double> %v664)
%v669 = select <4 x i1> %v607, <4 x double> %v668, <4 x double> %v664
%v670 = insertelement <4 x double> poison, double %v631, i32 0
%v671 = shufflevector <4 x double> %v670, <4 x double> poison, <4 x i32> zeroinitializer
%v672 = select <4 x i1> %v595, <4 x double> %v671, <4 x double> %v669
%v673 = getelementptr double, ptr %v628, i64 8
store <4 x double> %v672, ptr %v673, align 8
%v674 = getelementptr double, ptr %v628, i64 12
%v675 = load <4 x double>, ptr %v674, align 8
%v676 = insertelement <4 x double> poison, double %v631, i32 0
%v677 = shufflevector <4 x double> %v676, <4 x double> poison, <4 x i32> zeroinitializer
%v678 = fneg <4 x double> %v677
%v679 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v678, <4 x double> %v617, <4 x double> %v675)
%v680 = select <4 x i1> %v610, <4 x double> %v679, <4 x double> %v675
%v681 = insertelement <4 x double> poison, double %v631, i32 0
%v682 = shufflevector <4 x double> %v681, <4 x double> poison, <4 x i32> zeroinitializer
%v683 = select <4 x i1> %v598, <4 x double> %v682, <4 x double> %v680
%v684 = getelementptr double, ptr %v628, i64 12
store <4 x double> %v683, ptr %v684, align 8
%v685 = add i64 %v625, 1
%v686 = icmp slt i64 %v685, 70
br i1 %v686, label %loop46, label %end47
end47:
%v687 = add i64 %v353, 1
%v688 = icmp slt i64 %v687, %v336
br i1 %v688, label %loop40, label %end41
end41:
%v689 = mul i64 %v333, 64
%v690 = add i64 %v689, %v332
%v691 = getelementptr double, ptr %v317, i64 %v690
%v692 = getelementptr double, ptr %v691, i64 16
%v693 = getelementptr double, ptr %v691, i64 1024
%v694 = sub i64 %v327, %v334
call void @linalg_rows_lower_unit_f64_64(ptr %v692, ptr %v691, i64 %v336, i64 %v694)
%v695 = getelementptr double, ptr %v693, i64 16
%v696 = sub i64 80, %v333
%v697 = sub i64 %v696, 16
%v698 = sub i64 %v327, %v334
call void @linalg_subtract_f64_64(ptr %v695, ptr %v693, ptr %v692, i64 %v697, i64 %v698, i64 16)
%v699 = add i64 %v332, 16
%v700 = icmp slt i64 %v699, %v330
br i1 %v700, label %loop34, label %end35
end35:
%v701 = load i64, ptr %s6
%v702 = add i64 %v701, 1
store atomic i64 %v702, ptr %a2 release, align 8
br label %end33
else32:
br label %end33
end33:
%v703 = add i64 %v1, 1
%v704 = icmp slt i64 %v703, %end
br i1 %v704, label %loop1, label %end2
end2:
ret void
}

define internal void @linalg_rows_lower_unit_f64_64(ptr %x, ptr %a, i64 %rows, i64 %columns) nounwind {
entry:
%s0 = alloca <4 x double>
%s1 = alloca <4 x double>
%s2 = alloca <4 x double>
%s3 = alloca <4 x double>
%v0 = ashr i64 %columns, 4
%v1 = mul i64 %v0, 16
%v2 = icmp slt i64 0, %v1
br i1 %v2, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v3 = phi i64 [ 0, %guard3 ], [ %v78, %end5 ]
%v4 = add i64 %v3, 4
%v5 = add i64 %v3, 8
%v6 = add i64 %v3, 12
%v7 = icmp slt i64 0, %rows
br i1 %v7, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v8 = phi i64 [ 0, %guard6 ], [ %v76, %end8 ]
%v9 = mul i64 %v8, 64
%v10 = add i64 %v9, %v3
%v11 = getelementptr double, ptr %x, i64 %v10
%v12 = load <4 x double>, ptr %v11, align 8
store <4 x double> %v12, ptr %s0
%v13 = mul i64 %v8, 64
%v14 = add i64 %v13, %v4
%v15 = getelementptr double, ptr %x, i64 %v14
%v16 = load <4 x double>, ptr %v15, align 8
store <4 x double> %v16, ptr %s1
%v17 = mul i64 %v8, 64
%v18 = add i64 %v17, %v5
%v19 = getelementptr double, ptr %x, i64 %v18
%v20 = load <4 x double>, ptr %v19, align 8
store <4 x double> %v20, ptr %s2
%v21 = mul i64 %v8, 64
%v22 = add i64 %v21, %v6
%v23 = getelementptr double, ptr %x, i64 %v22
%v24 = load <4 x double>, ptr %v23, align 8
store <4 x double> %v24, ptr %s3
%v25 = icmp slt i64 0, %v8
br i1 %v25, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v26 = phi i64 [ 0, %guard9 ], [ %v58, %loop7 ]
%v27 = mul i64 %v8, 64
%v28 = add i64 %v27, %v26
%v29 = getelementptr double, ptr %a, i64 %v28
%v30 = load double, ptr %v29, align 8
%v31 = insertelement <4 x double> poison, double %v30, i32 0
%v32 = shufflevector <4 x double> %v31, <4 x double> poison, <4 x i32> zeroinitializer
%v33 = fneg <4 x double> %v32
%v34 = mul i64 %v26, 64
%v35 = add i64 %v34, %v3
%v36 = getelementptr double, ptr %x, i64 %v35
%v37 = load <4 x double>, ptr %v36, align 8
%v38 = load <4 x double>, ptr %s0
%v39 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v33, <4 x double> %v37, <4 x double> %v38)
store <4 x double> %v39, ptr %s0
%v40 = mul i64 %v26, 64
%v41 = add i64 %v40, %v4
%v42 = getelementptr double, ptr %x, i64 %v41
%v43 = load <4 x double>, ptr %v42, align 8
%v44 = load <4 x double>, ptr %s1
%v45 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v33, <4 x double> %v43, <4 x double> %v44)
store <4 x double> %v45, ptr %s1
%v46 = mul i64 %v26, 64
%v47 = add i64 %v46, %v5
%v48 = getelementptr double, ptr %x, i64 %v47
%v49 = load <4 x double>, ptr %v48, align 8
%v50 = load <4 x double>, ptr %s2
%v51 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v33, <4 x double> %v49, <4 x double> %v50)
store <4 x double> %v51, ptr %s2
%v52 = mul i64 %v26, 64
%v53 = add i64 %v52, %v6
%v54 = getelementptr double, ptr %x, i64 %v53
%v55 = load <4 x double>, ptr %v54, align 8
%v56 = load <4 x double>, ptr %s3
%v57 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v33, <4 x double> %v55, <4 x double> %v56)
store <4 x double> %v57, ptr %s3
%v58 = add i64 %v26, 1
%v59 = icmp slt i64 %v58, %v8
br i1 %v59, label %loop7, label %end8
end8:
%v60 = load <4 x double>, ptr %s0
%v61 = mul i64 %v8, 64
%v62 = add i64 %v61, %v3
%v63 = getelementptr double, ptr %x, i64 %v62
store <4 x double> %v60, ptr %v63, align 8
%v64 = load <4 x double>, ptr %s1
%v65 = mul i64 %v8, 64
%v66 = add i64 %v65, %v4
%v67 = getelementptr double, ptr %x, i64 %v66
store <4 x double> %v64, ptr %v67, align 8
%v68 = load <4 x double>, ptr %s2
%v69 = mul i64 %v8, 64
%v70 = add i64 %v69, %v5
%v71 = getelementptr double, ptr %x, i64 %v70
store <4 x double> %v68, ptr %v71, align 8
%v72 = load <4 x double>, ptr %s3
%v73 = mul i64 %v8, 64
%v74 = add i64 %v73, %v6
%v75 = getelementptr double, ptr %x, i64 %v74
store <4 x double> %v72, ptr %v75, align 8
%v76 = add i64 %v8, 1
%v77 = icmp slt i64 %v76, %rows
br i1 %v77, label %loop4, label %end5
end5:
%v78 = add i64 %v3, 16
%v79 = icmp slt i64 %v78, %v1
br i1 %v79, label %loop1, label %end2
end2:
ret void
}

define internal void @linalg_subtract_f64_64(ptr %c, ptr %a, ptr %b, i64 %rows, i64 %columns, i64 %depth) nounwind {
entry:
%s0 = alloca <4 x double>
%s1 = alloca <4 x double>
%s2 = alloca <4 x double>
%s3 = alloca <4 x double>
%s4 = alloca <4 x double>
%s5 = alloca <4 x double>
%s6 = alloca <4 x double>
%s7 = alloca <4 x double>
%v0 = ashr i64 %columns, 3
%v1 = mul i64 %v0, 8
%v2 = icmp slt i64 0, %v1
br i1 %v2, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v3 = phi i64 [ 0, %guard3 ], [ %v165, %end5 ]
%v4 = icmp slt i64 0, %rows
br i1 %v4, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v5 = phi i64 [ 0, %guard6 ], [ %v163, %end8 ]
%v6 = mul i64 %v5, 64
%v7 = getelementptr double, ptr %a, i64 %v6
%v8 = getelementptr double, ptr %b, i64 %v3
store <4 x double> splat (double 0x0000000000000000), ptr %s0
store <4 x double> splat (double 0x0000000000000000), ptr %s1
store <4 x double> splat (double 0x0000000000000000), ptr %s2
store <4 x double> splat (double 0x0000000000000000), ptr %s3
store <4 x double> splat (double 0x0000000000000000), ptr %s4
store <4 x double> splat (double 0x0000000000000000), ptr %s5
store <4 x double> splat (double 0x0000000000000000), ptr %s6
store <4 x double> splat (double 0x0000000000000000), ptr %s7
%v9 = getelementptr double, ptr %v7, i64 64
%v10 = getelementptr double, ptr %v7, i64 128
%v11 = getelementptr double, ptr %v7, i64 192
%v12 = icmp slt i64 0, %depth
br i1 %v12, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v13 = phi i64 [ 0, %guard9 ], [ %v95, %loop7 ]
%v14 = mul i64 %v13, 64
%v15 = getelementptr double, ptr %v8, i64 %v14
%v16 = load <4 x double>, ptr %v15, align 8
%v17 = add i64 %v14, 4
%v18 = getelementptr double, ptr %v8, i64 %v17
%v19 = load <4 x double>, ptr %v18, align 8
%v20 = getelementptr double, ptr %v7, i64 %v13
%v21 = load double, ptr %v20, align 8
%v22 = insertelement <4 x double> poison, double %v21, i32 0
%v23 = shufflevector <4 x double> %v22, <4 x double> poison, <4 x i32> zeroinitializer
%v24 = load <4 x double>, ptr %s0
%v25 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v23, <4 x double> %v16, <4 x double> %v24)
store <4 x double> %v25, ptr %s0
%v26 = load <4 x double>, ptr %s1
%v27 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v23, <4 x double> %v19, <4 x double> %v26)
store <4 x double> %v27, ptr %s1
%v28 = getelementptr double, ptr %v9, i64 %v13
%v29 = load double, ptr %v28, align 8
%v30 = insertelement <4 x double> poison, double %v29, i32 0
%v31 = shufflevector <4 x double> %v30, <4 x double> poison, <4 x i32> zeroinitializer
%v32 = load <4 x double>, ptr %s2
%v33 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v31, <4 x double> %v16, <4 x double> %v32)
store <4 x double> %v33, ptr %s2
%v34 = load <4 x double>, ptr %s3
%v35 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v31, <4 x double> %v19, <4 x double> %v34)
store <4 x double> %v35, ptr %s3
%v36 = getelementptr double, ptr %v10, i64 %v13
%v37 = load double, ptr %v36, align 8
%v38 = insertelement <4 x double> poison, double %v37, i32 0
%v39 = shufflevector <4 x double> %v38, <4 x double> poison, <4 x i32> zeroinitializer
%v40 = load <4 x double>, ptr %s4
%v41 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v39, <4 x double> %v16, <4 x double> %v40)
store <4 x double> %v41, ptr %s4
%v42 = load <4 x double>, ptr %s5
%v43 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v39, <4 x double> %v19, <4 x double> %v42)
store <4 x double> %v43, ptr %s5
%v44 = getelementptr double, ptr %v11, i64 %v13
%v45 = load double, ptr %v44, align 8
%v46 = insertelement <4 x double> poison, double %v45, i32 0
%v47 = shufflevector <4 x double> %v46, <4 x double> poison, <4 x i32> zeroinitializer
%v48 = load <4 x double>, ptr %s6
%v49 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v47, <4 x double> %v16, <4 x double> %v48)
store <4 x double> %v49, ptr %s6
%v50 = load <4 x double>, ptr %s7
%v51 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v47, <4 x double> %v19, <4 x double> %v50)
store <4 x double> %v51, ptr %s7
%v52 = mul i64 %v13, 64
%v53 = add i64 %v52, 64
%v54 = getelementptr double, ptr %v8, i64 %v53
%v55 = load <4 x double>, ptr %v54, align 8
%v56 = add i64 %v53, 4
%v57 = getelementptr double, ptr %v8, i64 %v56
%v58 = load <4 x double>, ptr %v57, align 8
%v59 = add i64 %v13, 1
%v60 = getelementptr double, ptr %v7, i64 %v59
%v61 = load double, ptr %v60, align 8
%v62 = insertelement <4 x double> poison, double %v61, i32 0
%v63 = shufflevector <4 x double> %v62, <4 x double> poison, <4 x i32> zeroinitializer
%v64 = load <4 x double>, ptr %s0
%v65 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v63, <4 x double> %v55, <4 x double> %v64)
store <4 x double> %v65, ptr %s0
%v66 = load <4 x double>, ptr %s1
%v67 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v63, <4 x double> %v58, <4 x double> %v66)
store <4 x double> %v67, ptr %s1
%v68 = add i64 %v13, 1
%v69 = getelementptr double, ptr %v9, i64 %v68
%v70 = load double, ptr %v69, align 8
%v71 = insertelement <4 x double> poison, double %v70, i32 0
%v72 = shufflevector <4 x double> %v71, <4 x double> poison, <4 x i32> zeroinitializer
%v73 = load <4 x double>, ptr %s2
%v74 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v72, <4 x double> %v55, <4 x double> %v73)
store <4 x double> %v74, ptr %s2
%v75 = load <4 x double>, ptr %s3
%v76 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v72, <4 x double> %v58, <4 x double> %v75)
store <4 x double> %v76, ptr %s3
%v77 = add i64 %v13, 1
%v78 = getelementptr double, ptr %v10, i64 %v77
%v79 = load double, ptr %v78, align 8
%v80 = insertelement <4 x double> poison, double %v79, i32 0
%v81 = shufflevector <4 x double> %v80, <4 x double> poison, <4 x i32> zeroinitializer
%v82 = load <4 x double>, ptr %s4
%v83 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v81, <4 x double> %v55, <4 x double> %v82)
store <4 x double> %v83, ptr %s4
%v84 = load <4 x double>, ptr %s5
%v85 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v81, <4 x double> %v58, <4 x double> %v84)
store <4 x double> %v85, ptr %s5
%v86 = add i64 %v13, 1
%v87 = getelementptr double, ptr %v11, i64 %v86
%v88 = load double, ptr %v87, align 8
%v89 = insertelement <4 x double> poison, double %v88, i32 0
%v90 = shufflevector <4 x double> %v89, <4 x double> poison, <4 x i32> zeroinitializer
%v91 = load <4 x double>, ptr %s6
%v92 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v90, <4 x double> %v55, <4 x double> %v91)
store <4 x double> %v92, ptr %s6
%v93 = load <4 x double>, ptr %s7
%v94 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v90, <4 x double> %v58, <4 x double> %v93)
store <4 x double> %v94, ptr %s7
%v95 = add i64 %v13, 2
%v96 = icmp slt i64 %v95, %depth
br i1 %v96, label %loop7, label %end8
end8:
%v97 = load <4 x double>, ptr %s0
%v98 = load <4 x double>, ptr %s1
%v99 = load <4 x double>, ptr %s2
%v100 = load <4 x double>, ptr %s3
%v101 = load <4 x double>, ptr %s4
%v102 = load <4 x double>, ptr %s5
%v103 = load <4 x double>, ptr %s6
%v104 = load <4 x double>, ptr %s7
%v105 = mul i64 %v5, 64
%v106 = add i64 %v105, %v3
%v107 = getelementptr double, ptr %c, i64 %v106
%v108 = load <4 x double>, ptr %v107, align 8
%v109 = fsub <4 x double> %v108, %v97
%v110 = getelementptr double, ptr %c, i64 %v106
store <4 x double> %v109, ptr %v110, align 8
%v111 = mul i64 %v5, 64
%v112 = add i64 %v111, %v3
%v113 = add i64 %v112, 4
%v114 = getelementptr double, ptr %c, i64 %v113
%v115 = load <4 x double>, ptr %v114, align 8
%v116 = fsub <4 x double> %v115, %v98
%v117 = getelementptr double, ptr %c, i64 %v113
store <4 x double> %v116, ptr %v117, align 8
%v118 = add i64 %v5, 1
%v119 = mul i64 %v118, 64
%v120 = add i64 %v119, %v3
%v121 = getelementptr double, ptr %c, i64 %v120
%v122 = load <4 x double>, ptr %v121, align 8
%v123 = fsub <4 x double> %v122, %v99
%v124 = getelementptr double, ptr %c, i64 %v120
store <4 x double> %v123, ptr %v124, align 8
%v125 = add i64 %v5, 1
%v126 = mul i64 %v125, 64
%v127 = add i64 %v126, %v3
%v128 = add i64 %v127, 4
%v129 = getelementptr double, ptr %c, i64 %v128
%v130 = load <4 x double>, ptr %v129, align 8
%v131 = fsub <4 x double> %v130, %v100
%v132 = getelementptr double, ptr %c, i64 %v128
store <4 x double> %v131, ptr %v132, align 8
%v133 = add i64 %v5, 2
%v134 = mul i64 %v133, 64
%v135 = add i64 %v134, %v3
%v136 = getelementptr double, ptr %c, i64 %v135
%v137 = load <4 x double>, ptr %v136, align 8
%v138 = fsub <4 x double> %v137, %v101
%v139 = getelementptr double, ptr %c, i64 %v135
store <4 x double> %v138, ptr %v139, align 8
%v140 = add i64 %v5, 2
%v141 = mul i64 %v140, 64
%v142 = add i64 %v141, %v3
%v143 = add i64 %v142, 4
%v144 = getelementptr double, ptr %c, i64 %v143
%v145 = load <4 x double>, ptr %v144, align 8
%v146 = fsub <4 x double> %v145, %v102
%v147 = getelementptr double, ptr %c, i64 %v143
store <4 x double> %v146, ptr %v147, align 8
%v148 = add i64 %v5, 3
%v149 = mul i64 %v148, 64
%v150 = add i64 %v149, %v3
%v151 = getelementptr double, ptr %c, i64 %v150
%v152 = load <4 x double>, ptr %v151, align 8
%v153 = fsub <4 x double> %v152, %v103
%v154 = getelementptr double, ptr %c, i64 %v150
store <4 x double> %v153, ptr %v154, align 8
%v155 = add i64 %v5, 3
%v156 = mul i64 %v155, 64
%v157 = add i64 %v156, %v3
%v158 = add i64 %v157, 4
%v159 = getelementptr double, ptr %c, i64 %v158
%v160 = load <4 x double>, ptr %v159, align 8
%v161 = fsub <4 x double> %v160, %v104
%v162 = getelementptr double, ptr %c, i64 %v158
store <4 x double> %v161, ptr %v162, align 8
%v163 = add i64 %v5, 4
%v164 = icmp slt i64 %v163, %rows
br i1 %v164, label %loop4, label %end5
end5:
%v165 = add i64 %v3, 8
%v166 = icmp slt i64 %v165, %v1
br i1 %v166, label %loop1, label %end2
end2:
ret void
}

define internal void @linalg_solve_lower_unit_f64_64(ptr %x, ptr %a, i64 %size, i64 %columns) nounwind {
entry:
%v0 = add i64 %size, 15
%v1 = and i64 %v0, -16
%v2 = icmp slt i64 0, %v1
br i1 %v2, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v3 = phi i64 [ 0, %guard3 ], [ %v18, %loop1 ]
%v4 = mul i64 %v3, 64
%v5 = getelementptr double, ptr %x, i64 %v4
%v6 = mul i64 %v3, 65
%v7 = getelementptr double, ptr %a, i64 %v6
%v8 = sub i64 %size, %v3
%v9 = call i64 @llvm.smin.i64(i64 %v8, i64 16)
call void @linalg_rows_lower_unit_f64_64(ptr %v5, ptr %v7, i64 %v9, i64 %columns)
%v10 = add i64 %v3, 16
%v11 = mul i64 %v10, 64
%v12 = add i64 %v11, %v3
%v13 = getelementptr double, ptr %a, i64 %v12
%v14 = mul i64 %v10, 64
%v15 = getelementptr double, ptr %x, i64 %v14
%v16 = sub i64 %v1, 16
%v17 = sub i64 %v16, %v3
call void @linalg_subtract_f64_64(ptr %v15, ptr %v13, ptr %v5, i64 %v17, i64 %columns, i64 16)
%v18 = add i64 %v3, 16
%v19 = icmp slt i64 %v18, %v1
br i1 %v19, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)

define void @lu_end_2b02c356(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 4
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 5
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 3
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 2
%a4 = load ptr, ptr %a4.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v287, %end20 ]
%v2 = udiv i64 %v1, 2
%v3 = urem i64 %v1, 2
%v4 = mul i64 %v2, 10240
%v5 = getelementptr double, ptr %a0, i64 %v4
%v6 = mul i64 %v2, 70
%v7 = getelementptr i32, ptr %a1, i64 %v6
%v8 = add i64 %v3, 1
%v9 = mul i64 %v8, 64
%v10 = icmp slt i64 %v9, 70
br i1 %v10, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v11 = phi i64 [ %v9, %guard6 ], [ %v238, %end9 ]
%v12 = mul i64 %v3, 5120
%v13 = getelementptr double, ptr %v5, i64 %v12
%v14 = getelementptr i32, ptr %v7, i64 %v11
%v15 = load i32, ptr %v14, align 4
%v16 = sext i32 %v15 to i64
%v17 = icmp ne i64 %v11, %v16
br i1 %v17, label %then7, label %else8
then7:
%v18 = mul i64 %v11, 64
%v19 = getelementptr double, ptr %v13, i64 %v18
%v20 = load <4 x double>, ptr %v19, align 8
%v21 = mul i64 %v16, 64
%v22 = getelementptr double, ptr %v13, i64 %v21
%v23 = load <4 x double>, ptr %v22, align 8
%v24 = mul i64 %v11, 64
%v25 = getelementptr double, ptr %v13, i64 %v24
store <4 x double> %v23, ptr %v25, align 8
%v26 = mul i64 %v16, 64
%v27 = getelementptr double, ptr %v13, i64 %v26
store <4 x double> %v20, ptr %v27, align 8
%v28 = mul i64 %v11, 64
%v29 = add i64 %v28, 4
%v30 = getelementptr double, ptr %v13, i64 %v29
%v31 = load <4 x double>, ptr %v30, align 8
%v32 = mul i64 %v16, 64
%v33 = add i64 %v32, 4
%v34 = getelementptr double, ptr %v13, i64 %v33
%v35 = load <4 x double>, ptr %v34, align 8
%v36 = mul i64 %v11, 64
%v37 = add i64 %v36, 4
%v38 = getelementptr double, ptr %v13, i64 %v37
store <4 x double> %v35, ptr %v38, align 8
%v39 = mul i64 %v16, 64
%v40 = add i64 %v39, 4
%v41 = getelementptr double, ptr %v13, i64 %v40
store <4 x double> %v31, ptr %v41, align 8
%v42 = mul i64 %v11, 64
%v43 = add i64 %v42, 8
%v44 = getelementptr double, ptr %v13, i64 %v43
%v45 = load <4 x double>, ptr %v44, align 8
%v46 = mul i64 %v16, 64
%v47 = add i64 %v46, 8
%v48 = getelementptr double, ptr %v13, i64 %v47
%v49 = load <4 x double>, ptr %v48, align 8
%v50 = mul i64 %v11, 64
%v51 = add i64 %v50, 8
%v52 = getelementptr double, ptr %v13, i64 %v51
store <4 x double> %v49, ptr %v52, align 8
%v53 = mul i64 %v16, 64
%v54 = add i64 %v53, 8
%v55 = getelementptr double, ptr %v13, i64 %v54
store <4 x double> %v45, ptr %v55, align 8
%v56 = mul i64 %v11, 64
%v57 = add i64 %v56, 12
%v58 = getelementptr double, ptr %v13, i64 %v57
%v59 = load <4 x double>, ptr %v58, align 8
%v60 = mul i64 %v16, 64
%v61 = add i64 %v60, 12
%v62 = getelementptr double, ptr %v13, i64 %v61
%v63 = load <4 x double>, ptr %v62, align 8
%v64 = mul i64 %v11, 64
%v65 = add i64 %v64, 12
%v66 = getelementptr double, ptr %v13, i64 %v65
store <4 x double> %v63, ptr %v66, align 8
%v67 = mul i64 %v16, 64
%v68 = add i64 %v67, 12
%v69 = getelementptr double, ptr %v13, i64 %v68
store <4 x double> %v59, ptr %v69, align 8
%v70 = mul i64 %v11, 64
%v71 = add i64 %v70, 16
%v72 = getelementptr double, ptr %v13, i64 %v71
%v73 = load <4 x double>, ptr %v72, align 8
%v74 = mul i64 %v16, 64
%v75 = add i64 %v74, 16
%v76 = getelementptr double, ptr %v13, i64 %v75
%v77 = load <4 x double>, ptr %v76, align 8
%v78 = mul i64 %v11, 64
%v79 = add i64 %v78, 16
%v80 = getelementptr double, ptr %v13, i64 %v79
store <4 x double> %v77, ptr %v80, align 8
%v81 = mul i64 %v16, 64
%v82 = add i64 %v81, 16
%v83 = getelementptr double, ptr %v13, i64 %v82
store <4 x double> %v73, ptr %v83, align 8
%v84 = mul i64 %v11, 64
%v85 = add i64 %v84, 20
%v86 = getelementptr double, ptr %v13, i64 %v85
%v87 = load <4 x double>, ptr %v86, align 8
%v88 = mul i64 %v16, 64
%v89 = add i64 %v88, 20
%v90 = getelementptr double, ptr %v13, i64 %v89
%v91 = load <4 x double>, ptr %v90, align 8
%v92 = mul i64 %v11, 64
%v93 = add i64 %v92, 20
%v94 = getelementptr double, ptr %v13, i64 %v93
store <4 x double> %v91, ptr %v94, align 8
%v95 = mul i64 %v16, 64
%v96 = add i64 %v95, 20
%v97 = getelementptr double, ptr %v13, i64 %v96
store <4 x double> %v87, ptr %v97, align 8
%v98 = mul i64 %v11, 64
%v99 = add i64 %v98, 24
%v100 = getelementptr double, ptr %v13, i64 %v99
%v101 = load <4 x double>, ptr %v100, align 8
%v102 = mul i64 %v16, 64
%v103 = add i64 %v102, 24
%v104 = getelementptr double, ptr %v13, i64 %v103
%v105 = load <4 x double>, ptr %v104, align 8
%v106 = mul i64 %v11, 64
%v107 = add i64 %v106, 24
%v108 = getelementptr double, ptr %v13, i64 %v107
store <4 x double> %v105, ptr %v108, align 8
%v109 = mul i64 %v16, 64
%v110 = add i64 %v109, 24
%v111 = getelementptr double, ptr %v13, i64 %v110
store <4 x double> %v101, ptr %v111, align 8
%v112 = mul i64 %v11, 64
%v113 = add i64 %v112, 28
%v114 = getelementptr double, ptr %v13, i64 %v113
%v115 = load <4 x double>, ptr %v114, align 8
%v116 = mul i64 %v16, 64
%v117 = add i64 %v116, 28
%v118 = getelementptr double, ptr %v13, i64 %v117
%v119 = load <4 x double>, ptr %v118, align 8
%v120 = mul i64 %v11, 64
%v121 = add i64 %v120, 28
%v122 = getelementptr double, ptr %v13, i64 %v121
store <4 x double> %v119, ptr %v122, align 8
%v123 = mul i64 %v16, 64
%v124 = add i64 %v123, 28
%v125 = getelementptr double, ptr %v13, i64 %v124
store <4 x double> %v115, ptr %v125, align 8
%v126 = mul i64 %v11, 64
%v127 = add i64 %v126, 32
%v128 = getelementptr double, ptr %v13, i64 %v127
%v129 = load <4 x double>, ptr %v128, align 8
%v130 = mul i64 %v16, 64
%v131 = add i64 %v130, 32
%v132 = getelementptr double, ptr %v13, i64 %v131
%v133 = load <4 x double>, ptr %v132, align 8
%v134 = mul i64 %v11, 64
%v135 = add i64 %v134, 32
%v136 = getelementptr double, ptr %v13, i64 %v135
store <4 x double> %v133, ptr %v136, align 8
%v137 = mul i64 %v16, 64
%v138 = add i64 %v137, 32
%v139 = getelementptr double, ptr %v13, i64 %v138
store <4 x double> %v129, ptr %v139, align 8
%v140 = mul i64 %v11, 64
%v141 = add i64 %v140, 36
%v142 = getelementptr double, ptr %v13, i64 %v141
%v143 = load <4 x double>, ptr %v142, align 8
%v144 = mul i64 %v16, 64
%v145 = add i64 %v144, 36
%v146 = getelementptr double, ptr %v13, i64 %v145
%v147 = load <4 x double>, ptr %v146, align 8
%v148 = mul i64 %v11, 64
%v149 = add i64 %v148, 36
%v150 = getelementptr double, ptr %v13, i64 %v149
store <4 x double> %v147, ptr %v150, align 8
%v151 = mul i64 %v16, 64
%v152 = add i64 %v151, 36
%v153 = getelementptr double, ptr %v13, i64 %v152
store <4 x double> %v143, ptr %v153, align 8
%v154 = mul i64 %v11, 64
%v155 = add i64 %v154, 40
%v156 = getelementptr double, ptr %v13, i64 %v155
%v157 = load <4 x double>, ptr %v156, align 8
%v158 = mul i64 %v16, 64
%v159 = add i64 %v158, 40
%v160 = getelementptr double, ptr %v13, i64 %v159
%v161 = load <4 x double>, ptr %v160, align 8
%v162 = mul i64 %v11, 64
%v163 = add i64 %v162, 40
%v164 = getelementptr double, ptr %v13, i64 %v163
store <4 x double> %v161, ptr %v164, align 8
%v165 = mul i64 %v16, 64
%v166 = add i64 %v165, 40
%v167 = getelementptr double, ptr %v13, i64 %v166
store <4 x double> %v157, ptr %v167, align 8
%v168 = mul i64 %v11, 64
%v169 = add i64 %v168, 44
%v170 = getelementptr double, ptr %v13, i64 %v169
%v171 = load <4 x double>, ptr %v170, align 8
%v172 = mul i64 %v16, 64
%v173 = add i64 %v172, 44
%v174 = getelementptr double, ptr %v13, i64 %v173
%v175 = load <4 x double>, ptr %v174, align 8
%v176 = mul i64 %v11, 64
%v177 = add i64 %v176, 44
%v178 = getelementptr double, ptr %v13, i64 %v177
store <4 x double> %v175, ptr %v178, align 8
%v179 = mul i64 %v16, 64
%v180 = add i64 %v179, 44
%v181 = getelementptr double, ptr %v13, i64 %v180
store <4 x double> %v171, ptr %v181, align 8
%v182 = mul i64 %v11, 64
%v183 = add i64 %v182, 48
%v184 = getelementptr double, ptr %v13, i64 %v183
%v185 = load <4 x double>, ptr %v184, align 8
%v186 = mul i64 %v16, 64
%v187 = add i64 %v186, 48
%v188 = getelementptr double, ptr %v13, i64 %v187
%v189 = load <4 x double>, ptr %v188, align 8
%v190 = mul i64 %v11, 64
%v191 = add i64 %v190, 48
%v192 = getelementptr double, ptr %v13, i64 %v191
store <4 x double> %v189, ptr %v192, align 8
%v193 = mul i64 %v16, 64
%v194 = add i64 %v193, 48
%v195 = getelementptr double, ptr %v13, i64 %v194
store <4 x double> %v185, ptr %v195, align 8
%v196 = mul i64 %v11, 64
%v197 = add i64 %v196, 52
%v198 = getelementptr double, ptr %v13, i64 %v197
%v199 = load <4 x double>, ptr %v198, align 8
%v200 = mul i64 %v16, 64
%v201 = add i64 %v200, 52
%v202 = getelementptr double, ptr %v13, i64 %v201
%v203 = load <4 x double>, ptr %v202, align 8
%v204 = mul i64 %v11, 64
%v205 = add i64 %v204, 52
%v206 = getelementptr double, ptr %v13, i64 %v205
store <4 x double> %v203, ptr %v206, align 8
%v207 = mul i64 %v16, 64
%v208 = add i64 %v207, 52
%v209 = getelementptr double, ptr %v13, i64 %v208
store <4 x double> %v199, ptr %v209, align 8
%v210 = mul i64 %v11, 64
%v211 = add i64 %v210, 56
%v212 = getelementptr double, ptr %v13, i64 %v211
%v213 = load <4 x double>, ptr %v212, align 8
%v214 = mul i64 %v16, 64
%v215 = add i64 %v214, 56
%v216 = getelementptr double, ptr %v13, i64 %v215
%v217 = load <4 x double>, ptr %v216, align 8
%v218 = mul i64 %v11, 64
%v219 = add i64 %v218, 56
%v220 = getelementptr double, ptr %v13, i64 %v219
store <4 x double> %v217, ptr %v220, align 8
%v221 = mul i64 %v16, 64
%v222 = add i64 %v221, 56
%v223 = getelementptr double, ptr %v13, i64 %v222
store <4 x double> %v213, ptr %v223, align 8
%v224 = mul i64 %v11, 64
%v225 = add i64 %v224, 60
%v226 = getelementptr double, ptr %v13, i64 %v225
%v227 = load <4 x double>, ptr %v226, align 8
%v228 = mul i64 %v16, 64
%v229 = add i64 %v228, 60
%v230 = getelementptr double, ptr %v13, i64 %v229
%v231 = load <4 x double>, ptr %v230, align 8
%v232 = mul i64 %v11, 64
%v233 = add i64 %v232, 60
%v234 = getelementptr double, ptr %v13, i64 %v233
store <4 x double> %v231, ptr %v234, align 8
%v235 = mul i64 %v16, 64
%v236 = add i64 %v235, 60
%v237 = getelementptr double, ptr %v13, i64 %v236
store <4 x double> %v227, ptr %v237, align 8
br label %end9
else8:
br label %end9
end9:
%v238 = add i64 %v11, 1
%v239 = icmp slt i64 %v238, 70
br i1 %v239, label %loop4, label %end5
end5:
%v240 = mul i64 %v3, 64
%v241 = sub i64 70, %v240
%v242 = call i64 @llvm.smin.i64(i64 %v241, i64 64)
%v243 = getelementptr double, ptr %a2, i64 %v240
%v244 = mul i64 %v3, 5120
%v245 = getelementptr double, ptr %v5, i64 %v244
br label %loop10
loop10:
%v246 = phi i64 [ 0, %end5 ], [ %v267, %end16 ]
%v247 = mul i64 %v246, 70
%v248 = getelementptr double, ptr %v243, i64 %v247
%v249 = mul i64 %v246, 64
%v250 = getelementptr double, ptr %v245, i64 %v249
%v251 = ashr i64 %v242, 2
%v252 = mul i64 %v251, 4
%v253 = icmp slt i64 0, %v252
br i1 %v253, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v254 = phi i64 [ 0, %guard14 ], [ %v258, %loop12 ]
%v255 = getelementptr double, ptr %v250, i64 %v254
%v256 = load <4 x double>, ptr %v255, align 8
%v257 = getelementptr double, ptr %v248, i64 %v254
store <4 x double> %v256, ptr %v257, align 8
%v258 = add i64 %v254, 4
%v259 = icmp slt i64 %v258, %v252
br i1 %v259, label %loop12, label %end13
end13:
%v260 = icmp slt i64 %v252, %v242
br i1 %v260, label %guard17, label %end16
guard17:
br label %loop15
loop15:
%v261 = phi i64 [ %v252, %guard17 ], [ %v265, %loop15 ]
%v262 = getelementptr double, ptr %v250, i64 %v261
%v263 = load double, ptr %v262, align 8
%v264 = getelementptr double, ptr %v248, i64 %v261
store double %v263, ptr %v264, align 8
%v265 = add i64 %v261, 1
%v266 = icmp slt i64 %v265, %v242
br i1 %v266, label %loop15, label %end16
end16:
%v267 = add i64 %v246, 1
%v268 = icmp slt i64 %v267, 70
br i1 %v268, label %loop10, label %end11
end11:
%v269 = icmp eq i64 %v3, 0
br i1 %v269, label %then18, label %else19
then18:
br label %loop21
loop21:
%v270 = phi i64 [ 0, %then18 ], [ %v273, %loop21 ]
%v271 = trunc i64 %v270 to i32
%v272 = getelementptr i32, ptr %a3, i64 %v270
store i32 %v271, ptr %v272, align 4
%v273 = add i64 %v270, 1
%v274 = icmp slt i64 %v273, 70
br i1 %v274, label %loop21, label %end22
end22:
br label %loop23
loop23:
%v275 = phi i64 [ 0, %end22 ], [ %v285, %loop23 ]
%v276 = getelementptr i32, ptr %v7, i64 %v275
%v277 = load i32, ptr %v276, align 4
%v278 = sext i32 %v277 to i64
%v279 = trunc i64 %v278 to i32
%v280 = getelementptr i32, ptr %a4, i64 %v275
store i32 %v279, ptr %v280, align 4
%v281 = getelementptr i32, ptr %a3, i64 %v275
%v282 = getelementptr i32, ptr %a3, i64 %v278
%v283 = load i32, ptr %v281, align 4
%v284 = load i32, ptr %v282, align 4
store i32 %v284, ptr %v281, align 4
store i32 %v283, ptr %v282, align 4
%v285 = add i64 %v275, 1
%v286 = icmp slt i64 %v285, 70
br i1 %v286, label %loop23, label %end24
end24:
br label %end20
else19:
br label %end20
end20:
%v287 = add i64 %v1, 1
%v288 = icmp slt i64 %v287, %end
br i1 %v288, label %loop1, label %end2
end2:
ret void
}

