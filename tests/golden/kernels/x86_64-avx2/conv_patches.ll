; kernels for x86_64-avx2
; mir @conv_patches {
;   %0 = input("x1") : f32[1, 2, 5, 6]
;   %1 = param("w1") : f32[4, 2, 2, 2]
;   %2 = conv(%0, %1, kernel_size=(2, 2), stride=(1, 1), padding=(0, 0), dilation=(1, 1)) : f32[1, 4, 4, 5]
;   return y1=%2
; }

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)

define void @concat_732672da(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 4
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%s5 = alloca i64
%s6 = alloca i64
%s7 = alloca i64
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
%s10 = alloca i64
%s11 = alloca i64
%s12 = alloca i64
%s13 = alloca i64
%a3.p = getelementptr i64, ptr %args, i64 2
%a3 = load ptr, ptr %a3.p, align 8
%s16 = alloca i64
%s17 = alloca i64
%s18 = alloca i64
%s19 = alloca i64
%a4.p = getelementptr i64, ptr %args, i64 3
%a4 = load ptr, ptr %a4.p, align 8
%s22 = alloca i64
%s23 = alloca i64
%s24 = alloca i64
%s25 = alloca i64
%v0 = call i64 @llvm.smax.i64(i64 %begin, i64 0)
%v1 = call i64 @llvm.smin.i64(i64 %v0, i64 1)
%v2 = call i64 @llvm.smax.i64(i64 %end, i64 0)
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 1)
%v4 = mul i64 %v1, 64
%v5 = mul i64 %v3, 64
%v6 = call i64 @llvm.smin.i64(i64 %v5, i64 40)
%v7 = icmp slt i64 %v4, %v6
br i1 %v7, label %then1, label %else2
then1:
%v8 = udiv i64 %v4, 5
%v9 = urem i64 %v8, 4
store i64 %v9, ptr %s4
%v10 = udiv i64 %v8, 4
%v11 = urem i64 %v10, 2
store i64 %v11, ptr %s5
%v12 = udiv i64 %v10, 2
%v13 = urem i64 %v4, 5
store i64 %v13, ptr %s6
store i64 %v4, ptr %s7
br label %head4
head4:
%v14 = load i64, ptr %s6
%v15 = sub i64 5, %v14
%v16 = load i64, ptr %s7
%v17 = sub i64 %v6, %v16
%v18 = call i64 @llvm.smin.i64(i64 %v15, i64 %v17)
%v19 = load i64, ptr %s5
%v20 = load i64, ptr %s4
%v21 = load i64, ptr %s6
%v22 = mul i64 %v19, 80
%v23 = mul i64 %v20, 5
%v24 = add i64 %v22, %v23
%v25 = add i64 %v24, %v21
%v26 = getelementptr i32, ptr %a0, i64 %v25
%v27 = mul i64 %v19, 30
%v28 = mul i64 %v20, 6
%v29 = add i64 %v27, %v28
%v30 = add i64 %v29, %v21
%v31 = getelementptr i32, ptr %a1, i64 %v30
%v32 = ashr i64 %v18, 3
%v33 = mul i64 %v32, 8
%v34 = icmp slt i64 0, %v33
br i1 %v34, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v35 = phi i64 [ 0, %guard8 ], [ %v39, %loop6 ]
%v36 = getelementptr i32, ptr %v31, i64 %v35
%v37 = load <8 x i32>, ptr %v36, align 4
%v38 = getelementptr i32, ptr %v26, i64 %v35
store <8 x i32> %v37, ptr %v38, align 4
%v39 = add i64 %v35, 8
%v40 = icmp slt i64 %v39, %v33
br i1 %v40, label %loop6, label %end7
end7:
%v41 = icmp slt i64 %v33, %v18
br i1 %v41, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v42 = phi i64 [ %v33, %guard11 ], [ %v46, %loop9 ]
%v43 = getelementptr i32, ptr %v31, i64 %v42
%v44 = load i32, ptr %v43, align 4
%v45 = getelementptr i32, ptr %v26, i64 %v42
store i32 %v44, ptr %v45, align 4
%v46 = add i64 %v42, 1
%v47 = icmp slt i64 %v46, %v18
br i1 %v47, label %loop9, label %end10
end10:
%v48 = load i64, ptr %s7
%v49 = add i64 %v48, %v18
store i64 %v49, ptr %s7
store i64 0, ptr %s6
%v50 = load i64, ptr %s4
%v51 = add i64 %v50, 1
%v52 = icmp eq i64 %v51, 4
%v53 = select i1 %v52, i64 0, i64 %v51
store i64 %v53, ptr %s4
br i1 %v52, label %then12, label %else13
then12:
%v54 = load i64, ptr %s5
%v55 = add i64 %v54, 1
%v56 = icmp eq i64 %v55, 2
%v57 = select i1 %v56, i64 0, i64 %v55
store i64 %v57, ptr %s5
br label %end14
else13:
br label %end14
end14:
%v58 = load i64, ptr %s7
%v59 = icmp sge i64 %v58, %v6
br i1 %v59, label %end5, label %next15
next15:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
%v60 = sub i64 %begin, 1
%v61 = call i64 @llvm.smax.i64(i64 %v60, i64 0)
%v62 = call i64 @llvm.smin.i64(i64 %v61, i64 1)
%v63 = sub i64 %end, 1
%v64 = call i64 @llvm.smax.i64(i64 %v63, i64 0)
%v65 = call i64 @llvm.smin.i64(i64 %v64, i64 1)
%v66 = getelementptr i32, ptr %a0, i64 20
%v67 = mul i64 %v62, 64
%v68 = mul i64 %v65, 64
%v69 = call i64 @llvm.smin.i64(i64 %v68, i64 40)
%v70 = icmp slt i64 %v67, %v69
br i1 %v70, label %then16, label %else17
then16:
%v71 = udiv i64 %v67, 5
%v72 = urem i64 %v71, 4
store i64 %v72, ptr %s10
%v73 = udiv i64 %v71, 4
%v74 = urem i64 %v73, 2
store i64 %v74, ptr %s11
%v75 = udiv i64 %v73, 2
%v76 = urem i64 %v67, 5
store i64 %v76, ptr %s12
store i64 %v67, ptr %s13
br label %head19
head19:
%v77 = load i64, ptr %s12
%v78 = sub i64 5, %v77
%v79 = load i64, ptr %s13
%v80 = sub i64 %v69, %v79
%v81 = call i64 @llvm.smin.i64(i64 %v78, i64 %v80)
%v82 = load i64, ptr %s11
%v83 = load i64, ptr %s10
%v84 = load i64, ptr %s12
%v85 = mul i64 %v82, 80
%v86 = mul i64 %v83, 5
%v87 = add i64 %v85, %v86
%v88 = add i64 %v87, %v84
%v89 = getelementptr i32, ptr %v66, i64 %v88
%v90 = mul i64 %v82, 30
%v91 = mul i64 %v83, 6
%v92 = add i64 %v90, %v91
%v93 = add i64 %v92, %v84
%v94 = getelementptr i32, ptr %a2, i64 %v93
%v95 = ashr i64 %v81, 3
%v96 = mul i64 %v95, 8
%v97 = icmp slt i64 0, %v96
br i1 %v97, label %guard23, label %end22
guard23:
br label %loop21
loop21:
%v98 = phi i64 [ 0, %guard23 ], [ %v102, %loop21 ]
%v99 = getelementptr i32, ptr %v94, i64 %v98
%v100 = load <8 x i32>, ptr %v99, align 4
%v101 = getelementptr i32, ptr %v89, i64 %v98
store <8 x i32> %v100, ptr %v101, align 4
%v102 = add i64 %v98, 8
%v103 = icmp slt i64 %v102, %v96
br i1 %v103, label %loop21, label %end22
end22:
%v104 = icmp slt i64 %v96, %v81
br i1 %v104, label %guard26, label %end25
guard26:
br label %loop24
loop24:
%v105 = phi i64 [ %v96, %guard26 ], [ %v109, %loop24 ]
%v106 = getelementptr i32, ptr %v94, i64 %v105
%v107 = load i32, ptr %v106, align 4
%v108 = getelementptr i32, ptr %v89, i64 %v105
store i32 %v107, ptr %v108, align 4
%v109 = add i64 %v105, 1
%v110 = icmp slt i64 %v109, %v81
br i1 %v110, label %loop24, label %end25
end25:
%v111 = load i64, ptr %s13
%v112 = add i64 %v111, %v81
store i64 %v112, ptr %s13
store i64 0, ptr %s12
%v113 = load i64, ptr %s10
%v114 = add i64 %v113, 1
%v115 = icmp eq i64 %v114, 4
%v116 = select i1 %v115, i64 0, i64 %v114
store i64 %v116, ptr %s10
br i1 %v115, label %then27, label %else28
then27:
%v117 = load i64, ptr %s11
%v118 = add i64 %v117, 1
%v119 = icmp eq i64 %v118, 2
%v120 = select i1 %v119, i64 0, i64 %v118
store i64 %v120, ptr %s11
br label %end29
else28:
br label %end29
end29:
%v121 = load i64, ptr %s13
%v122 = icmp sge i64 %v121, %v69
br i1 %v122, label %end20, label %next30
next30:
br label %head19
end20:
br label %end18
else17:
br label %end18
end18:
%v123 = sub i64 %begin, 2
%v124 = call i64 @llvm.smax.i64(i64 %v123, i64 0)
%v125 = call i64 @llvm.smin.i64(i64 %v124, i64 1)
%v126 = sub i64 %end, 2
%v127 = call i64 @llvm.smax.i64(i64 %v126, i64 0)
%v128 = call i64 @llvm.smin.i64(i64 %v127, i64 1)
%v129 = getelementptr i32, ptr %a0, i64 40
%v130 = mul i64 %v125, 64
%v131 = mul i64 %v128, 64
%v132 = call i64 @llvm.smin.i64(i64 %v131, i64 40)
%v133 = icmp slt i64 %v130, %v132
br i1 %v133, label %then31, label %else32
then31:
%v134 = udiv i64 %v130, 5
%v135 = urem i64 %v134, 4
store i64 %v135, ptr %s16
%v136 = udiv i64 %v134, 4
%v137 = urem i64 %v136, 2
store i64 %v137, ptr %s17
%v138 = udiv i64 %v136, 2
%v139 = urem i64 %v130, 5
store i64 %v139, ptr %s18
store i64 %v130, ptr %s19
br label %head34
head34:
%v140 = load i64, ptr %s18
%v141 = sub i64 5, %v140
%v142 = load i64, ptr %s19
%v143 = sub i64 %v132, %v142
%v144 = call i64 @llvm.smin.i64(i64 %v141, i64 %v143)
%v145 = load i64, ptr %s17
%v146 = load i64, ptr %s16
%v147 = load i64, ptr %s18
%v148 = mul i64 %v145, 80
%v149 = mul i64 %v146, 5
%v150 = add i64 %v148, %v149
%v151 = add i64 %v150, %v147
%v152 = getelementptr i32, ptr %v129, i64 %v151
%v153 = mul i64 %v145, 30
%v154 = mul i64 %v146, 6
%v155 = add i64 %v153, %v154
%v156 = add i64 %v155, %v147
%v157 = getelementptr i32, ptr %a3, i64 %v156
%v158 = ashr i64 %v144, 3
%v159 = mul i64 %v158, 8
%v160 = icmp slt i64 0, %v159
br i1 %v160, label %guard38, label %end37
guard38:
br label %loop36
loop36:
%v161 = phi i64 [ 0, %guard38 ], [ %v165, %loop36 ]
%v162 = getelementptr i32, ptr %v157, i64 %v161
%v163 = load <8 x i32>, ptr %v162, align 4
%v164 = getelementptr i32, ptr %v152, i64 %v161
store <8 x i32> %v163, ptr %v164, align 4
%v165 = add i64 %v161, 8
%v166 = icmp slt i64 %v165, %v159
br i1 %v166, label %loop36, label %end37
end37:
%v167 = icmp slt i64 %v159, %v144
br i1 %v167, label %guard41, label %end40
guard41:
br label %loop39
loop39:
%v168 = phi i64 [ %v159, %guard41 ], [ %v172, %loop39 ]
%v169 = getelementptr i32, ptr %v157, i64 %v168
%v170 = load i32, ptr %v169, align 4
%v171 = getelementptr i32, ptr %v152, i64 %v168
store i32 %v170, ptr %v171, align 4
%v172 = add i64 %v168, 1
%v173 = icmp slt i64 %v172, %v144
br i1 %v173, label %loop39, label %end40
end40:
%v174 = load i64, ptr %s19
%v175 = add i64 %v174, %v144
store i64 %v175, ptr %s19
store i64 0, ptr %s18
%v176 = load i64, ptr %s16
%v177 = add i64 %v176, 1
%v178 = icmp eq i64 %v177, 4
%v179 = select i1 %v178, i64 0, i64 %v177
store i64 %v179, ptr %s16
br i1 %v178, label %then42, label %else43
then42:
%v180 = load i64, ptr %s17
%v181 = add i64 %v180, 1
%v182 = icmp eq i64 %v181, 2
%v183 = select i1 %v182, i64 0, i64 %v181
store i64 %v183, ptr %s17
br label %end44
else43:
br label %end44
end44:
%v184 = load i64, ptr %s19
%v185 = icmp sge i64 %v184, %v132
br i1 %v185, label %end35, label %next45
next45:
br label %head34
end35:
br label %end33
else32:
br label %end33
end33:
%v186 = sub i64 %begin, 3
%v187 = call i64 @llvm.smax.i64(i64 %v186, i64 0)
%v188 = call i64 @llvm.smin.i64(i64 %v187, i64 1)
%v189 = sub i64 %end, 3
%v190 = call i64 @llvm.smax.i64(i64 %v189, i64 0)
%v191 = call i64 @llvm.smin.i64(i64 %v190, i64 1)
%v192 = getelementptr i32, ptr %a0, i64 60
%v193 = mul i64 %v188, 64
%v194 = mul i64 %v191, 64
%v195 = call i64 @llvm.smin.i64(i64 %v194, i64 40)
%v196 = icmp slt i64 %v193, %v195
br i1 %v196, label %then46, label %else47
then46:
%v197 = udiv i64 %v193, 5
%v198 = urem i64 %v197, 4
store i64 %v198, ptr %s22
%v199 = udiv i64 %v197, 4
%v200 = urem i64 %v199, 2
store i64 %v200, ptr %s23
%v201 = udiv i64 %v199, 2
%v202 = urem i64 %v193, 5
store i64 %v202, ptr %s24
store i64 %v193, ptr %s25
br label %head49
head49:
%v203 = load i64, ptr %s24
%v204 = sub i64 5, %v203
%v205 = load i64, ptr %s25
%v206 = sub i64 %v195, %v205
%v207 = call i64 @llvm.smin.i64(i64 %v204, i64 %v206)
%v208 = load i64, ptr %s23
%v209 = load i64, ptr %s22
%v210 = load i64, ptr %s24
%v211 = mul i64 %v208, 80
%v212 = mul i64 %v209, 5
%v213 = add i64 %v211, %v212
%v214 = add i64 %v213, %v210
%v215 = getelementptr i32, ptr %v192, i64 %v214
%v216 = mul i64 %v208, 30
%v217 = mul i64 %v209, 6
%v218 = add i64 %v216, %v217
%v219 = add i64 %v218, %v210
%v220 = getelementptr i32, ptr %a4, i64 %v219
%v221 = ashr i64 %v207, 3
%v222 = mul i64 %v221, 8
%v223 = icmp slt i64 0, %v222
br i1 %v223, label %guard53, label %end52
guard53:
br label %loop51
loop51:
%v224 = phi i64 [ 0, %guard53 ], [ %v228, %loop51 ]
%v225 = getelementptr i32, ptr %v220, i64 %v224
%v226 = load <8 x i32>, ptr %v225, align 4
%v227 = getelementptr i32, ptr %v215, i64 %v224
store <8 x i32> %v226, ptr %v227, align 4
%v228 = add i64 %v224, 8
%v229 = icmp slt i64 %v228, %v222
br i1 %v229, label %loop51, label %end52
end52:
%v230 = icmp slt i64 %v222, %v207
br i1 %v230, label %guard56, label %end55
guard56:
br label %loop54
loop54:
%v231 = phi i64 [ %v222, %guard56 ], [ %v235, %loop54 ]
%v232 = getelementptr i32, ptr %v220, i64 %v231
%v233 = load i32, ptr %v232, align 4
%v234 = getelementptr i32, ptr %v215, i64 %v231
store i32 %v233, ptr %v234, align 4
%v235 = add i64 %v231, 1
%v236 = icmp slt i64 %v235, %v207
br i1 %v236, label %loop54, label %end55
end55:
%v237 = load i64, ptr %s25
%v238 = add i64 %v237, %v207
store i64 %v238, ptr %s25
store i64 0, ptr %s24
%v239 = load i64, ptr %s22
%v240 = add i64 %v239, 1
%v241 = icmp eq i64 %v240, 4
%v242 = select i1 %v241, i64 0, i64 %v240
store i64 %v242, ptr %s22
br i1 %v241, label %then57, label %else58
then57:
%v243 = load i64, ptr %s23
%v244 = add i64 %v243, 1
%v245 = icmp eq i64 %v244, 2
%v246 = select i1 %v245, i64 0, i64 %v244
store i64 %v246, ptr %s23
br label %end59
else58:
br label %end59
end59:
%v247 = load i64, ptr %s25
%v248 = icmp sge i64 %v247, %v195
br i1 %v248, label %end50, label %next60
next60:
br label %head49
end50:
br label %end48
else47:
br label %end48
end48:
ret void
}

