; kernels for x86_64-avx2
; mir @top_k {
;   %0 = input("x1") : f32[5, 40]
;   %1:2 = top_k(%0, k=3, axis=1) : (f32[5, 3], i32[5, 3])
;   return y1=%1.0, y2=%1.1
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i32 @llvm.cttz.i32(i32, i1)

define void @top_k_830ae8fd(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%s4 = alloca i64
%s5 = alloca i32
%s6 = alloca i64
%s7 = alloca i64
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%v0 = mul i64 %begin, 5
%v1 = mul i64 %end, 5
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 5)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 5
%v5 = urem i64 %v0, 5
store i64 %v5, ptr %s0
store i64 %v0, ptr %s1
br label %head4
head4:
%v6 = load i64, ptr %s0
%v7 = sub i64 5, %v6
%v8 = load i64, ptr %s1
%v9 = sub i64 %v2, %v8
%v10 = call i64 @llvm.smin.i64(i64 %v7, i64 %v9)
%v11 = load i64, ptr %s0
%v12 = icmp slt i64 0, %v10
br i1 %v12, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v13 = phi i64 [ 0, %guard8 ], [ %v169, %end37 ]
%v14 = add i64 %v11, %v13
%v15 = mul i64 %v14, 40
%v16 = add i64 %v11, %v13
%v17 = mul i64 %v16, 3
%v18 = add i64 %v11, %v13
%v19 = mul i64 %v18, 3
%v20 = getelementptr float, ptr %a0, i64 %v15
%v21 = getelementptr i32, ptr %scratch, i64 3
br label %loop9
loop9:
%v22 = phi i64 [ 0, %loop6 ], [ %v54, %end12 ]
%v23 = getelementptr float, ptr %v20, i64 %v22
%v24 = load float, ptr %v23, align 4
%v25 = fadd float %v24, 0x0000000000000000
%v26 = bitcast float %v25 to i32
%v27 = ashr i32 %v26, 31
%v28 = and i32 %v27, 2147483647
%v29 = xor i32 %v26, %v28
%v30 = fcmp uno float %v24, %v24
%v31 = select i1 %v30, i32 2147483647, i32 %v29
store i64 %v22, ptr %s4
br label %head11
head11:
%v32 = load i64, ptr %s4
%v33 = icmp eq i64 %v32, 0
br i1 %v33, label %end12, label %next13
next13:
%v34 = load i64, ptr %s4
%v35 = sub i64 %v34, 1
%v36 = getelementptr i32, ptr %scratch, i64 %v35
%v37 = load i32, ptr %v36, align 4
%v38 = icmp sge i32 %v37, %v31
br i1 %v38, label %end12, label %next14
next14:
%v39 = load i64, ptr %s4
%v40 = getelementptr i32, ptr %scratch, i64 %v39
store i32 %v37, ptr %v40, align 4
%v41 = load i64, ptr %s4
%v42 = sub i64 %v41, 1
%v43 = getelementptr i32, ptr %v21, i64 %v42
%v44 = load i32, ptr %v43, align 4
%v45 = load i64, ptr %s4
%v46 = getelementptr i32, ptr %v21, i64 %v45
store i32 %v44, ptr %v46, align 4
%v47 = load i64, ptr %s4
%v48 = sub i64 %v47, 1
store i64 %v48, ptr %s4
br label %head11
end12:
%v49 = load i64, ptr %s4
%v50 = getelementptr i32, ptr %scratch, i64 %v49
store i32 %v31, ptr %v50, align 4
%v51 = trunc i64 %v22 to i32
%v52 = load i64, ptr %s4
%v53 = getelementptr i32, ptr %v21, i64 %v52
store i32 %v51, ptr %v53, align 4
%v54 = add i64 %v22, 1
%v55 = icmp slt i64 %v54, 3
br i1 %v55, label %loop9, label %end10
end10:
br label %loop15
loop15:
%v56 = phi i64 [ 3, %end10 ], [ %v118, %end18 ]
%v57 = getelementptr float, ptr %v20, i64 %v56
%v58 = load <8 x float>, ptr %v57, align 4
%v59 = fadd <8 x float> %v58, splat (float 0x0000000000000000)
%v60 = bitcast <8 x float> %v59 to <8 x i32>
%v61 = ashr <8 x i32> %v60, splat (i32 31)
%v62 = and <8 x i32> %v61, splat (i32 2147483647)
%v63 = xor <8 x i32> %v60, %v62
%v64 = fcmp uno <8 x float> %v58, %v58
%v65 = select <8 x i1> %v64, <8 x i32> splat (i32 2147483647), <8 x i32> %v63
%v66 = getelementptr i32, ptr %scratch, i64 2
%v67 = load i32, ptr %v66, align 4
%v68 = insertelement <8 x i32> poison, i32 %v67, i32 0
%v69 = shufflevector <8 x i32> %v68, <8 x i32> poison, <8 x i32> zeroinitializer
%v70 = icmp sgt <8 x i32> %v65, %v69
%v71 = bitcast <8 x i1> %v70 to i8
%v72 = zext i8 %v71 to i32
store i32 %v72, ptr %s5
br label %head17
head17:
%v73 = load i32, ptr %s5
%v74 = icmp eq i32 %v73, 0
br i1 %v74, label %end18, label %next19
next19:
%v75 = load i32, ptr %s5
%v76 = call i32 @llvm.cttz.i32(i32 %v75, i1 false)
%v77 = sext i32 %v76 to i64
%v78 = load i32, ptr %s5
%v79 = load i32, ptr %s5
%v80 = sub i32 %v79, 1
%v81 = and i32 %v78, %v80
store i32 %v81, ptr %s5
%v82 = add i64 %v56, %v77
%v83 = getelementptr float, ptr %v20, i64 %v82
%v84 = load float, ptr %v83, align 4
%v85 = fadd float %v84, 0x0000000000000000
%v86 = bitcast float %v85 to i32
%v87 = ashr i32 %v86, 31
%v88 = and i32 %v87, 2147483647
%v89 = xor i32 %v86, %v88
%v90 = fcmp uno float %v84, %v84
%v91 = select i1 %v90, i32 2147483647, i32 %v89
%v92 = getelementptr i32, ptr %scratch, i64 2
%v93 = load i32, ptr %v92, align 4
%v94 = icmp sgt i32 %v91, %v93
br i1 %v94, label %then20, label %else21
then20:
%v95 = add i64 %v56, %v77
store i64 2, ptr %s6
br label %head23
head23:
%v96 = load i64, ptr %s6
%v97 = icmp eq i64 %v96, 0
br i1 %v97, label %end24, label %next25
next25:
%v98 = load i64, ptr %s6
%v99 = sub i64 %v98, 1
%v100 = getelementptr i32, ptr %scratch, i64 %v99
%v101 = load i32, ptr %v100, align 4
%v102 = icmp sge i32 %v101, %v91
br i1 %v102, label %end24, label %next26
next26:
%v103 = load i64, ptr %s6
%v104 = getelementptr i32, ptr %scratch, i64 %v103
store i32 %v101, ptr %v104, align 4
%v105 = load i64, ptr %s6
%v106 = sub i64 %v105, 1
%v107 = getelementptr i32, ptr %v21, i64 %v106
%v108 = load i32, ptr %v107, align 4
%v109 = load i64, ptr %s6
%v110 = getelementptr i32, ptr %v21, i64 %v109
store i32 %v108, ptr %v110, align 4
%v111 = load i64, ptr %s6
%v112 = sub i64 %v111, 1
store i64 %v112, ptr %s6
br label %head23
end24:
%v113 = load i64, ptr %s6
%v114 = getelementptr i32, ptr %scratch, i64 %v113
store i32 %v91, ptr %v114, align 4
%v115 = trunc i64 %v95 to i32
%v116 = load i64, ptr %s6
%v117 = getelementptr i32, ptr %v21, i64 %v116
store i32 %v115, ptr %v117, align 4
br label %end22
else21:
br label %end22
end22:
br label %head17
end18:
%v118 = add i64 %v56, 8
%v119 = icmp slt i64 %v118, 35
br i1 %v119, label %loop15, label %end16
end16:
br label %loop27
loop27:
%v120 = phi i64 [ 35, %end16 ], [ %v155, %end31 ]
%v121 = getelementptr float, ptr %v20, i64 %v120
%v122 = load float, ptr %v121, align 4
%v123 = fadd float %v122, 0x0000000000000000
%v124 = bitcast float %v123 to i32
%v125 = ashr i32 %v124, 31
%v126 = and i32 %v125, 2147483647
%v127 = xor i32 %v124, %v126
%v128 = fcmp uno float %v122, %v122
%v129 = select i1 %v128, i32 2147483647, i32 %v127
%v130 = getelementptr i32, ptr %scratch, i64 2
%v131 = load i32, ptr %v130, align 4
%v132 = icmp sgt i32 %v129, %v131
br i1 %v132, label %then29, label %else30
then29:
store i64 2, ptr %s7
br label %head32
head32:
%v133 = load i64, ptr %s7
%v134 = icmp eq i64 %v133, 0
br i1 %v134, label %end33, label %next34
next34:
%v135 = load i64, ptr %s7
%v136 = sub i64 %v135, 1
%v137 = getelementptr i32, ptr %scratch, i64 %v136
%v138 = load i32, ptr %v137, align 4
%v139 = icmp sge i32 %v138, %v129
br i1 %v139, label %end33, label %next35
next35:
%v140 = load i64, ptr %s7
%v141 = getelementptr i32, ptr %scratch, i64 %v140
store i32 %v138, ptr %v141, align 4
%v142 = load i64, ptr %s7
%v143 = sub i64 %v142, 1
%v144 = getelementptr i32, ptr %v21, i64 %v143
%v145 = load i32, ptr %v144, align 4
%v146 = load i64, ptr %s7
%v147 = getelementptr i32, ptr %v21, i64 %v146
store i32 %v145, ptr %v147, align 4
%v148 = load i64, ptr %s7
%v149 = sub i64 %v148, 1
store i64 %v149, ptr %s7
br label %head32
end33:
%v150 = load i64, ptr %s7
%v151 = getelementptr i32, ptr %scratch, i64 %v150
store i32 %v129, ptr %v151, align 4
%v152 = trunc i64 %v120 to i32
%v153 = load i64, ptr %s7
%v154 = getelementptr i32, ptr %v21, i64 %v153
store i32 %v152, ptr %v154, align 4
br label %end31
else30:
br label %end31
end31:
%v155 = add i64 %v120, 1
%v156 = icmp slt i64 %v155, 40
br i1 %v156, label %loop27, label %end28
end28:
br label %loop36
loop36:
%v157 = phi i64 [ 0, %end28 ], [ %v167, %loop36 ]
%v158 = getelementptr i32, ptr %v21, i64 %v157
%v159 = load i32, ptr %v158, align 4
%v160 = sext i32 %v159 to i64
%v161 = getelementptr float, ptr %v20, i64 %v160
%v162 = load float, ptr %v161, align 4
%v163 = getelementptr float, ptr %a1, i64 %v17
%v164 = getelementptr float, ptr %v163, i64 %v157
store float %v162, ptr %v164, align 4
%v165 = getelementptr i32, ptr %a2, i64 %v19
%v166 = getelementptr i32, ptr %v165, i64 %v157
store i32 %v159, ptr %v166, align 4
%v167 = add i64 %v157, 1
%v168 = icmp slt i64 %v167, 3
br i1 %v168, label %loop36, label %end37
end37:
%v169 = add i64 %v13, 1
%v170 = icmp slt i64 %v169, %v10
br i1 %v170, label %loop6, label %end7
end7:
%v171 = load i64, ptr %s1
%v172 = add i64 %v171, %v10
store i64 %v172, ptr %s1
store i64 0, ptr %s0
%v173 = load i64, ptr %s1
%v174 = icmp sge i64 %v173, %v2
br i1 %v174, label %end5, label %next38
next38:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

