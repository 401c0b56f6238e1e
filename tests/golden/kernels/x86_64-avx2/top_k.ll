; kernels for x86_64-avx2
; mir @top_k {
;   %0 = input("x1") : f32[5, 40]
;   %1:2 = top_k(%0, k=3, axis=1) : (f32[5, 3], i32[5, 3])
;   return y1=%1.0, y2=%1.1
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i32 @llvm.cttz.i32(i32, i1)

define void @top_k_f6693d02(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v13 = phi i64 [ 0, %guard8 ], [ %v157, %end37 ]
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
%v22 = phi i64 [ 0, %loop6 ], [ %v51, %end12 ]
%v23 = getelementptr float, ptr %v20, i64 %v22
%v24 = load float, ptr %v23, align 4
%v25 = bitcast float %v24 to i32
%v26 = ashr i32 %v25, 31
%v27 = and i32 %v26, 2147483647
%v28 = xor i32 %v25, %v27
store i64 %v22, ptr %s4
br label %head11
head11:
%v29 = load i64, ptr %s4
%v30 = icmp eq i64 %v29, 0
br i1 %v30, label %end12, label %next13
next13:
%v31 = load i64, ptr %s4
%v32 = sub i64 %v31, 1
%v33 = getelementptr i32, ptr %scratch, i64 %v32
%v34 = load i32, ptr %v33, align 4
%v35 = icmp sge i32 %v34, %v28
br i1 %v35, label %end12, label %next14
next14:
%v36 = load i64, ptr %s4
%v37 = getelementptr i32, ptr %scratch, i64 %v36
store i32 %v34, ptr %v37, align 4
%v38 = load i64, ptr %s4
%v39 = sub i64 %v38, 1
%v40 = getelementptr i32, ptr %v21, i64 %v39
%v41 = load i32, ptr %v40, align 4
%v42 = load i64, ptr %s4
%v43 = getelementptr i32, ptr %v21, i64 %v42
store i32 %v41, ptr %v43, align 4
%v44 = load i64, ptr %s4
%v45 = sub i64 %v44, 1
store i64 %v45, ptr %s4
br label %head11
end12:
%v46 = load i64, ptr %s4
%v47 = getelementptr i32, ptr %scratch, i64 %v46
store i32 %v28, ptr %v47, align 4
%v48 = trunc i64 %v22 to i32
%v49 = load i64, ptr %s4
%v50 = getelementptr i32, ptr %v21, i64 %v49
store i32 %v48, ptr %v50, align 4
%v51 = add i64 %v22, 1
%v52 = icmp slt i64 %v51, 3
br i1 %v52, label %loop9, label %end10
end10:
br label %loop15
loop15:
%v53 = phi i64 [ 3, %end10 ], [ %v109, %end18 ]
%v54 = getelementptr float, ptr %v20, i64 %v53
%v55 = load <8 x float>, ptr %v54, align 4
%v56 = bitcast <8 x float> %v55 to <8 x i32>
%v57 = ashr <8 x i32> %v56, splat (i32 31)
%v58 = and <8 x i32> %v57, splat (i32 2147483647)
%v59 = xor <8 x i32> %v56, %v58
%v60 = getelementptr i32, ptr %scratch, i64 2
%v61 = load i32, ptr %v60, align 4
%v62 = insertelement <8 x i32> poison, i32 %v61, i32 0
%v63 = shufflevector <8 x i32> %v62, <8 x i32> poison, <8 x i32> zeroinitializer
%v64 = icmp sgt <8 x i32> %v59, %v63
%v65 = bitcast <8 x i1> %v64 to i8
%v66 = zext i8 %v65 to i32
store i32 %v66, ptr %s5
br label %head17
head17:
%v67 = load i32, ptr %s5
%v68 = icmp eq i32 %v67, 0
br i1 %v68, label %end18, label %next19
next19:
%v69 = load i32, ptr %s5
%v70 = call i32 @llvm.cttz.i32(i32 %v69, i1 false)
%v71 = sext i32 %v70 to i64
%v72 = load i32, ptr %s5
%v73 = load i32, ptr %s5
%v74 = sub i32 %v73, 1
%v75 = and i32 %v72, %v74
store i32 %v75, ptr %s5
%v76 = add i64 %v53, %v71
%v77 = getelementptr float, ptr %v20, i64 %v76
%v78 = load float, ptr %v77, align 4
%v79 = bitcast float %v78 to i32
%v80 = ashr i32 %v79, 31
%v81 = and i32 %v80, 2147483647
%v82 = xor i32 %v79, %v81
%v83 = getelementptr i32, ptr %scratch, i64 2
%v84 = load i32, ptr %v83, align 4
%v85 = icmp sgt i32 %v82, %v84
br i1 %v85, label %then20, label %else21
then20:
%v86 = add i64 %v53, %v71
store i64 2, ptr %s6
br label %head23
head23:
%v87 = load i64, ptr %s6
%v88 = icmp eq i64 %v87, 0
br i1 %v88, label %end24, label %next25
next25:
%v89 = load i64, ptr %s6
%v90 = sub i64 %v89, 1
%v91 = getelementptr i32, ptr %scratch, i64 %v90
%v92 = load i32, ptr %v91, align 4
%v93 = icmp sge i32 %v92, %v82
br i1 %v93, label %end24, label %next26
next26:
%v94 = load i64, ptr %s6
%v95 = getelementptr i32, ptr %scratch, i64 %v94
store i32 %v92, ptr %v95, align 4
%v96 = load i64, ptr %s6
%v97 = sub i64 %v96, 1
%v98 = getelementptr i32, ptr %v21, i64 %v97
%v99 = load i32, ptr %v98, align 4
%v100 = load i64, ptr %s6
%v101 = getelementptr i32, ptr %v21, i64 %v100
store i32 %v99, ptr %v101, align 4
%v102 = load i64, ptr %s6
%v103 = sub i64 %v102, 1
store i64 %v103, ptr %s6
br label %head23
end24:
%v104 = load i64, ptr %s6
%v105 = getelementptr i32, ptr %scratch, i64 %v104
store i32 %v82, ptr %v105, align 4
%v106 = trunc i64 %v86 to i32
%v107 = load i64, ptr %s6
%v108 = getelementptr i32, ptr %v21, i64 %v107
store i32 %v106, ptr %v108, align 4
br label %end22
else21:
br label %end22
end22:
br label %head17
end18:
%v109 = add i64 %v53, 8
%v110 = icmp slt i64 %v109, 35
br i1 %v110, label %loop15, label %end16
end16:
br label %loop27
loop27:
%v111 = phi i64 [ 35, %end16 ], [ %v143, %end31 ]
%v112 = getelementptr float, ptr %v20, i64 %v111
%v113 = load float, ptr %v112, align 4
%v114 = bitcast float %v113 to i32
%v115 = ashr i32 %v114, 31
%v116 = and i32 %v115, 2147483647
%v117 = xor i32 %v114, %v116
%v118 = getelementptr i32, ptr %scratch, i64 2
%v119 = load i32, ptr %v118, align 4
%v120 = icmp sgt i32 %v117, %v119
br i1 %v120, label %then29, label %else30
then29:
store i64 2, ptr %s7
br label %head32
head32:
%v121 = load i64, ptr %s7
%v122 = icmp eq i64 %v121, 0
br i1 %v122, label %end33, label %next34
next34:
%v123 = load i64, ptr %s7
%v124 = sub i64 %v123, 1
%v125 = getelementptr i32, ptr %scratch, i64 %v124
%v126 = load i32, ptr %v125, align 4
%v127 = icmp sge i32 %v126, %v117
br i1 %v127, label %end33, label %next35
next35:
%v128 = load i64, ptr %s7
%v129 = getelementptr i32, ptr %scratch, i64 %v128
store i32 %v126, ptr %v129, align 4
%v130 = load i64, ptr %s7
%v131 = sub i64 %v130, 1
%v132 = getelementptr i32, ptr %v21, i64 %v131
%v133 = load i32, ptr %v132, align 4
%v134 = load i64, ptr %s7
%v135 = getelementptr i32, ptr %v21, i64 %v134
store i32 %v133, ptr %v135, align 4
%v136 = load i64, ptr %s7
%v137 = sub i64 %v136, 1
store i64 %v137, ptr %s7
br label %head32
end33:
%v138 = load i64, ptr %s7
%v139 = getelementptr i32, ptr %scratch, i64 %v138
store i32 %v117, ptr %v139, align 4
%v140 = trunc i64 %v111 to i32
%v141 = load i64, ptr %s7
%v142 = getelementptr i32, ptr %v21, i64 %v141
store i32 %v140, ptr %v142, align 4
br label %end31
else30:
br label %end31
end31:
%v143 = add i64 %v111, 1
%v144 = icmp slt i64 %v143, 40
br i1 %v144, label %loop27, label %end28
end28:
br label %loop36
loop36:
%v145 = phi i64 [ 0, %end28 ], [ %v155, %loop36 ]
%v146 = getelementptr i32, ptr %v21, i64 %v145
%v147 = load i32, ptr %v146, align 4
%v148 = sext i32 %v147 to i64
%v149 = getelementptr float, ptr %v20, i64 %v148
%v150 = load float, ptr %v149, align 4
%v151 = getelementptr float, ptr %a1, i64 %v17
%v152 = getelementptr float, ptr %v151, i64 %v145
store float %v150, ptr %v152, align 4
%v153 = getelementptr i32, ptr %a2, i64 %v19
%v154 = getelementptr i32, ptr %v153, i64 %v145
store i32 %v147, ptr %v154, align 4
%v155 = add i64 %v145, 1
%v156 = icmp slt i64 %v155, 3
br i1 %v156, label %loop36, label %end37
end37:
%v157 = add i64 %v13, 1
%v158 = icmp slt i64 %v157, %v10
br i1 %v158, label %loop6, label %end7
end7:
%v159 = load i64, ptr %s1
%v160 = add i64 %v159, %v10
store i64 %v160, ptr %s1
store i64 0, ptr %s0
%v161 = load i64, ptr %s1
%v162 = icmp sge i64 %v161, %v2
br i1 %v162, label %end5, label %next38
next38:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

