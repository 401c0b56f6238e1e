; the run loop and the pool for x86_64-avx2 | platform=futex

declare i32 @sched_getaffinity(i32, i64, ptr)
declare i32 @sched_setaffinity(i32, i64, ptr)
declare i64 @syscall(i64, ptr, i64, i64, i64)
declare i32 @sched_getcpu()
declare i32 @clock_gettime(i32, ptr)
declare i32 @sched_yield()
declare i64 @pthread_self()
declare void @llvm.x86.sse2.pause()
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.x86.sse.ldmxcsr(ptr)
declare void @llvm.x86.sse.stmxcsr(ptr)

define internal void @rlx_wait(ptr %word, i64 %seen) nounwind {
entry:
%s0 = alloca [16 x i64], align 64
%s1 = alloca [16 x i64], align 64
%s2 = alloca [16 x i64], align 64
%s3 = alloca i64
%s4 = alloca i64
%v0 = getelementptr i64, ptr %word, i64 9
%v1 = load atomic i64, ptr %v0 monotonic, align 8
%v2 = sub i64 %v1, 1
store i64 0, ptr %s3
%v3 = icmp sge i64 %v2, 0
%v4 = icmp slt i64 %v2, 1024
%v5 = and i1 %v3, %v4
br i1 %v5, label %then1, label %else2
then1:
%v6 = call i32 @sched_getaffinity(i32 0, i64 128, ptr %s0)
%v7 = icmp eq i32 %v6, 0
br i1 %v7, label %then4, label %else5
then4:
br label %loop7
loop7:
%v8 = phi i64 [ 0, %then4 ], [ %v12, %loop7 ]
%v9 = getelementptr i64, ptr %s0, i64 %v8
%v10 = load i64, ptr %v9, align 8
%v11 = getelementptr i64, ptr %s1, i64 %v8
store i64 %v10, ptr %v11, align 8
%v12 = add i64 %v8, 1
%v13 = icmp slt i64 %v12, 16
br i1 %v13, label %loop7, label %end8
end8:
%v14 = ashr i64 %v2, 6
%v15 = getelementptr i64, ptr %s1, i64 %v14
%v16 = load i64, ptr %v15, align 8
%v17 = and i64 %v2, 63
%v18 = shl i64 1, %v17
%v19 = xor i64 %v18, -1
%v20 = and i64 %v16, %v19
%v21 = ashr i64 %v2, 6
%v22 = getelementptr i64, ptr %s1, i64 %v21
store i64 %v20, ptr %v22, align 8
%v23 = call i32 @sched_setaffinity(i32 0, i64 128, ptr %s1)
%v24 = icmp eq i32 %v23, 0
%v25 = select i1 %v24, i64 1, i64 0
store i64 %v25, ptr %s3
br label %end6
else5:
br label %end6
end6:
br label %end3
else2:
br label %end3
end3:
%v26 = call i64 @syscall(i64 202, ptr %word, i64 128, i64 %seen, i64 0)
%v27 = load i64, ptr %s3
%v28 = icmp ne i64 %v27, 0
br i1 %v28, label %then9, label %else10
then9:
%v29 = call i32 @sched_getaffinity(i32 0, i64 128, ptr %s2)
%v30 = icmp eq i32 %v29, 0
br i1 %v30, label %then12, label %else13
then12:
store i64 0, ptr %s4
br label %loop15
loop15:
%v31 = phi i64 [ 0, %then12 ], [ %v39, %loop15 ]
%v32 = load i64, ptr %s4
%v33 = getelementptr i64, ptr %s2, i64 %v31
%v34 = load i64, ptr %v33, align 8
%v35 = getelementptr i64, ptr %s1, i64 %v31
%v36 = load i64, ptr %v35, align 8
%v37 = xor i64 %v34, %v36
%v38 = or i64 %v32, %v37
store i64 %v38, ptr %s4
%v39 = add i64 %v31, 1
%v40 = icmp slt i64 %v39, 16
br i1 %v40, label %loop15, label %end16
end16:
%v41 = load i64, ptr %s4
%v42 = icmp eq i64 %v41, 0
br i1 %v42, label %then17, label %else18
then17:
%v43 = call i32 @sched_setaffinity(i32 0, i64 128, ptr %s0)
br label %end19
else18:
br label %end19
end19:
br label %end14
else13:
br label %end14
end14:
br label %end11
else10:
br label %end11
end11:
ret void
}

define internal void @rlx_wake(ptr %word, i64 %count) nounwind {
entry:
%v0 = call i64 @syscall(i64 202, ptr %word, i64 129, i64 %count, i64 0)
ret void
}

define internal void @rlx_wake_from_here(ptr %signal) nounwind {
entry:
%v0 = call i32 @sched_getcpu()
%v1 = sext i32 %v0 to i64
%v2 = add i64 %v1, 1
%v3 = getelementptr i64, ptr %signal, i64 9
store atomic i64 %v2, ptr %v3 monotonic, align 8
ret void
}

define void @rlx_reset() nounwind {
entry:
ret void
}

define internal i64 @rlx_now() nounwind {
entry:
%s0 = alloca [2 x i64], align 64
%v0 = call i32 @clock_gettime(i32 1, ptr %s0)
%v1 = load i64, ptr %s0, align 8
%v2 = mul i64 %v1, 1000000000
%v3 = getelementptr i64, ptr %s0, i64 1
%v4 = load i64, ptr %v3, align 8
%v5 = add i64 %v2, %v4
ret i64 %v5
unreachable1:
ret i64 0
}

define internal void @rlx_yield() nounwind {
entry:
%v0 = call i32 @sched_yield()
ret void
}

define internal i64 @rlx_self() nounwind {
entry:
%v0 = call i64 @pthread_self()
ret i64 %v0
unreachable1:
ret i64 0
}

define internal i64 @rlx_wait_for(ptr %signal, i64 %target) nounwind {
entry:
%s0 = alloca i64
%v0 = load atomic i64, ptr %signal acquire, align 8
%v1 = icmp sge i64 %v0, %target
br i1 %v1, label %then1, label %else2
then1:
ret i64 %v0
unreachable4:
br label %end3
else2:
br label %end3
end3:
br label %head5
head5:
store i64 0, ptr %s0
br label %head7
head7:
br label %loop9
loop9:
%v2 = phi i64 [ 0, %head7 ], [ %v5, %end13 ]
call void @llvm.x86.sse2.pause()
%v3 = load atomic i64, ptr %signal acquire, align 8
%v4 = icmp sge i64 %v3, %target
br i1 %v4, label %then11, label %else12
then11:
ret i64 %v3
unreachable14:
br label %end13
else12:
br label %end13
end13:
%v5 = add i64 %v2, 1
%v6 = icmp slt i64 %v5, 64
br i1 %v6, label %loop9, label %end10
end10:
%v7 = call i64 @rlx_now()
%v8 = load i64, ptr %s0
%v9 = icmp eq i64 %v8, 0
br i1 %v9, label %then15, label %else16
then15:
store i64 %v7, ptr %s0
br label %end17
else16:
br label %end17
end17:
%v10 = load i64, ptr %s0
%v11 = sub i64 %v7, %v10
%v12 = icmp sgt i64 %v11, 50000
br i1 %v12, label %then18, label %else19
then18:
call void @rlx_yield()
br label %end20
else19:
br label %end20
end20:
%v13 = icmp sgt i64 %v11, 150000
br i1 %v13, label %end8, label %next21
next21:
br label %head7
end8:
%v14 = getelementptr i64, ptr %signal, i64 8
%v15 = atomicrmw add ptr %v14, i64 1 seq_cst
%v16 = load atomic i64, ptr %signal seq_cst, align 8
%v17 = load atomic i64, ptr %signal seq_cst, align 8
%v18 = icmp slt i64 %v17, %target
br i1 %v18, label %then22, label %else23
then22:
call void @rlx_wait(ptr %signal, i64 %v16)
br label %end24
else23:
br label %end24
end24:
%v19 = getelementptr i64, ptr %signal, i64 8
%v20 = atomicrmw add ptr %v19, i64 -1 seq_cst
%v21 = load atomic i64, ptr %signal acquire, align 8
%v22 = icmp sge i64 %v21, %target
br i1 %v22, label %then25, label %else26
then25:
ret i64 %v21
unreachable28:
br label %end27
else26:
br label %end27
end27:
br label %head5
end6:
ret i64 0
}

define internal void @rlx_signal(ptr %signal, i64 %amount) nounwind {
entry:
%v0 = atomicrmw add ptr %signal, i64 %amount seq_cst
%v1 = getelementptr i64, ptr %signal, i64 8
%v2 = load atomic i64, ptr %v1 seq_cst, align 8
%v3 = icmp sgt i64 %v2, 0
br i1 %v3, label %then1, label %else2
then1:
call void @rlx_wake(ptr %signal, i64 2147483647)
br label %end3
else2:
br label %end3
end3:
ret void
}

define internal i64 @rlx_prepare(ptr %job) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%s2 = alloca i64
%s3 = alloca i64
%v0 = getelementptr ptr, ptr %job, i64 6
%v1 = load ptr, ptr %v0, align 8
%v2 = getelementptr i64, ptr %job, i64 8
%v3 = load i64, ptr %v2, align 8
%v4 = getelementptr ptr, ptr %job, i64 7
%v5 = load ptr, ptr %v4, align 8
%v6 = icmp ne i64 %v3, 0
%v7 = ptrtoint ptr %v5 to i64
%v8 = icmp ne i64 %v7, 0
%v9 = and i1 %v6, %v8
br i1 %v9, label %then1, label %else2
then1:
%v10 = inttoptr i64 %v3 to ptr
call void %v10(ptr %v5, ptr %v1)
br label %end3
else2:
br label %end3
end3:
%v11 = getelementptr ptr, ptr %job, i64 9
%v12 = load ptr, ptr %v11, align 8
store i64 0, ptr %v12, align 8
%v13 = getelementptr ptr, ptr %job, i64 3
%v14 = load ptr, ptr %v13, align 8
%v15 = getelementptr ptr, ptr %job, i64 5
%v16 = load ptr, ptr %v15, align 8
store i64 1, ptr %s0
%v17 = getelementptr ptr, ptr %job, i64 48
%v18 = load ptr, ptr %v17, align 8
%v19 = getelementptr ptr, ptr %job, i64 49
%v20 = load ptr, ptr %v19, align 8
%v21 = getelementptr i64, ptr %job, i64 50
%v22 = load i64, ptr %v21, align 8
%v23 = getelementptr i64, ptr %job, i64 52
%v24 = load i64, ptr %v23, align 8
%v25 = icmp ne i64 %v24, 0
%v26 = icmp slt i64 0, %v22
br i1 %v26, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v27 = phi i64 [ 0, %guard6 ], [ %v84, %end21 ]
%v28 = getelementptr ptr, ptr %v18, i64 %v27
%v29 = load ptr, ptr %v28, align 8
%v30 = mul i64 %v27, 8
%v31 = getelementptr i64, ptr %v20, i64 %v30
br i1 %v25, label %then7, label %else8
then7:
%v32 = load i64, ptr %s0
store i64 0, ptr %s1
%v33 = getelementptr i8, ptr %v29, i64 8
%v34 = load i64, ptr %v33, align 8
%v35 = getelementptr i64, ptr %v31, i64 1
%v36 = load i64, ptr %v35, align 8
%v37 = icmp eq i64 %v34, %v36
br i1 %v37, label %then10, label %else11
then10:
%v38 = getelementptr i8, ptr %v29, i64 24
%v39 = load i32, ptr %v38, align 4
%v40 = sext i32 %v39 to i64
%v41 = getelementptr i8, ptr %v29, i64 64
%v42 = load i32, ptr %v41, align 4
%v43 = sext i32 %v42 to i64
%v44 = getelementptr i64, ptr %v31, i64 5
%v45 = load i64, ptr %v44, align 8
%v46 = getelementptr i64, ptr %v31, i64 3
%v47 = load i64, ptr %v46, align 8
%v48 = icmp eq i64 %v40, %v47
%v49 = getelementptr i8, ptr %v29, i64 56
%v50 = load i64, ptr %v49, align 8
%v51 = getelementptr i64, ptr %v31, i64 2
%v52 = load i64, ptr %v51, align 8
%v53 = icmp eq i64 %v50, %v52
%v54 = and i1 %v48, %v53
%v55 = and i64 %v43, %v45
%v56 = icmp eq i64 %v55, %v45
%v57 = and i1 %v54, %v56
br i1 %v57, label %then13, label %else14
then13:
store i64 1, ptr %s1
%v58 = getelementptr i8, ptr %v29, i64 32
%v59 = load ptr, ptr %v58, align 8
%v60 = getelementptr ptr, ptr %v31, i64 4
%v61 = load ptr, ptr %v60, align 8
%v62 = icmp slt i64 0, %v40
br i1 %v62, label %guard18, label %end17
guard18:
br label %loop16
loop16:
%v63 = phi i64 [ 0, %guard18 ], [ %v72, %loop16 ]
%v64 = getelementptr i64, ptr %v59, i64 %v63
%v65 = load i64, ptr %v64, align 8
%v66 = getelementptr i64, ptr %v61, i64 %v63
%v67 = load i64, ptr %v66, align 8
%v68 = icmp eq i64 %v65, %v67
%v69 = load i64, ptr %s1
%v70 = select i1 %v68, i64 1, i64 0
%v71 = and i64 %v69, %v70
store i64 %v71, ptr %s1
%v72 = add i64 %v63, 1
%v73 = icmp slt i64 %v72, %v40
br i1 %v73, label %loop16, label %end17
end17:
br label %end15
else14:
br label %end15
end15:
br label %end12
else11:
br label %end12
end12:
%v74 = load i64, ptr %s1
%v75 = and i64 %v32, %v74
store i64 %v75, ptr %s0
br label %end9
else8:
br label %end9
end9:
%v76 = load i64, ptr %s0
%v77 = icmp ne i64 %v76, 0
br i1 %v77, label %then19, label %else20
then19:
%v78 = getelementptr i8, ptr %v29, i64 16
%v79 = load i64, ptr %v78, align 8
%v80 = load i64, ptr %v31, align 8
%v81 = getelementptr i64, ptr %v31, i64 7
store i64 %v79, ptr %v81, align 8
%v82 = icmp sge i64 %v80, 0
br i1 %v82, label %then22, label %else23
then22:
%v83 = getelementptr i64, ptr %v16, i64 %v80
store i64 %v79, ptr %v83, align 8
br label %end24
else23:
br label %end24
end24:
br label %end21
else20:
br label %end21
end21:
%v84 = add i64 %v27, 1
%v85 = icmp slt i64 %v84, %v22
br i1 %v85, label %loop4, label %end5
end5:
%v86 = load i64, ptr %s0
%v87 = icmp ne i64 %v86, 0
%v88 = and i1 %v25, %v87
br i1 %v88, label %then25, label %else26
then25:
%v89 = getelementptr i64, ptr %job, i64 51
%v90 = load i64, ptr %v89, align 8
%v91 = icmp slt i64 %v90, %v22
br i1 %v91, label %guard30, label %end29
guard30:
br label %loop28
loop28:
%v92 = phi i64 [ %v90, %guard30 ], [ %v117, %end32 ]
%v93 = icmp slt i64 0, %v92
br i1 %v93, label %guard33, label %end32
guard33:
br label %loop31
loop31:
%v94 = phi i64 [ 0, %guard33 ], [ %v115, %loop31 ]
%v95 = mul i64 %v92, 8
%v96 = getelementptr i64, ptr %v20, i64 %v95
%v97 = mul i64 %v94, 8
%v98 = getelementptr i64, ptr %v20, i64 %v97
%v99 = getelementptr i64, ptr %v96, i64 7
%v100 = load i64, ptr %v99, align 8
%v101 = getelementptr i64, ptr %v96, i64 6
%v102 = load i64, ptr %v101, align 8
%v103 = getelementptr i64, ptr %v98, i64 7
%v104 = load i64, ptr %v103, align 8
%v105 = getelementptr i64, ptr %v98, i64 6
%v106 = load i64, ptr %v105, align 8
%v107 = add i64 %v100, %v102
%v108 = icmp sle i64 %v107, %v104
%v109 = add i64 %v104, %v106
%v110 = icmp sle i64 %v109, %v100
%v111 = or i1 %v108, %v110
%v112 = load i64, ptr %s0
%v113 = select i1 %v111, i64 1, i64 0
%v114 = and i64 %v112, %v113
store i64 %v114, ptr %s0
%v115 = add i64 %v94, 1
%v116 = icmp slt i64 %v115, %v92
br i1 %v116, label %loop31, label %end32
end32:
%v117 = add i64 %v92, 1
%v118 = icmp slt i64 %v117, %v22
br i1 %v118, label %loop28, label %end29
end29:
br label %end27
else26:
br label %end27
end27:
%v119 = load i64, ptr %s0
%v120 = icmp ne i64 %v119, 0
%v121 = xor i1 %v120, true
br i1 %v121, label %then34, label %else35
then34:
ret i64 0
unreachable37:
br label %end36
else35:
br label %end36
end36:
%v122 = getelementptr ptr, ptr %job, i64 2
%v123 = load ptr, ptr %v122, align 8
%v124 = getelementptr i64, ptr %job, i64 4
%v125 = load i64, ptr %v124, align 8
%v126 = icmp slt i64 0, %v125
br i1 %v126, label %guard40, label %end39
guard40:
br label %loop38
loop38:
%v127 = phi i64 [ 0, %guard40 ], [ %v154, %end52 ]
%v128 = mul i64 %v127, 3
%v129 = getelementptr i64, ptr %v123, i64 %v128
%v130 = load i64, ptr %v129, align 8
%v131 = mul i64 %v127, 3
%v132 = add i64 %v131, 1
%v133 = getelementptr i64, ptr %v123, i64 %v132
%v134 = load i64, ptr %v133, align 8
%v135 = mul i64 %v127, 3
%v136 = add i64 %v135, 2
%v137 = getelementptr i64, ptr %v123, i64 %v136
%v138 = load i64, ptr %v137, align 8
store i64 %v134, ptr %s2
%v139 = icmp eq i64 %v130, 0
br i1 %v139, label %then41, label %else42
then41:
%v140 = getelementptr i64, ptr %v1, i64 %v134
%v141 = load i64, ptr %v140, align 8
store i64 %v141, ptr %s2
br label %end43
else42:
br label %end43
end43:
%v142 = icmp eq i64 %v130, 1
br i1 %v142, label %then44, label %else45
then44:
%v143 = getelementptr i64, ptr %v16, i64 %v134
%v144 = load i64, ptr %v143, align 8
store i64 %v144, ptr %s2
%v145 = icmp sge i64 %v138, 0
br i1 %v145, label %then47, label %else48
then47:
%v146 = load i64, ptr %s2
%v147 = getelementptr i64, ptr %v1, i64 %v138
%v148 = load i64, ptr %v147, align 8
%v149 = add i64 %v146, %v148
store i64 %v149, ptr %s2
br label %end49
else48:
br label %end49
end49:
br label %end46
else45:
br label %end46
end46:
%v150 = icmp eq i64 %v130, 3
br i1 %v150, label %then50, label %else51
then50:
%v151 = ptrtoint ptr %v12 to i64
store i64 %v151, ptr %s2
br label %end52
else51:
br label %end52
end52:
%v152 = load i64, ptr %s2
%v153 = getelementptr i64, ptr %v14, i64 %v127
store i64 %v152, ptr %v153, align 8
%v154 = add i64 %v127, 1
%v155 = icmp slt i64 %v154, %v125
br i1 %v155, label %loop38, label %end39
end39:
%v156 = getelementptr ptr, ptr %job, i64 53
%v157 = load ptr, ptr %v156, align 8
%v158 = getelementptr i64, ptr %job, i64 13
%v159 = load i64, ptr %v158, align 8
%v160 = icmp slt i64 0, %v159
br i1 %v160, label %guard55, label %end54
guard55:
br label %loop53
loop53:
%v161 = phi i64 [ 0, %guard55 ], [ %v167, %loop53 ]
%v162 = mul i64 %v161, 32
%v163 = getelementptr i64, ptr %v157, i64 %v162
store i64 0, ptr %v163, align 8
%v164 = mul i64 %v161, 32
%v165 = add i64 %v164, 16
%v166 = getelementptr i64, ptr %v157, i64 %v165
store i64 0, ptr %v166, align 8
%v167 = add i64 %v161, 1
%v168 = icmp slt i64 %v167, %v159
br i1 %v168, label %loop53, label %end54
end54:
%v169 = getelementptr i64, ptr %job, i64 16
store i64 0, ptr %v169, align 8
%v170 = getelementptr i64, ptr %job, i64 32
store i64 0, ptr %v170, align 8
%v171 = getelementptr ptr, ptr %job, i64 1
%v172 = load ptr, ptr %v171, align 8
store i64 1, ptr %s3
%v173 = load i64, ptr %job, align 8
%v174 = icmp slt i64 0, %v173
br i1 %v174, label %guard58, label %end57
guard58:
br label %loop56
loop56:
%v175 = phi i64 [ 0, %guard58 ], [ %v198, %loop56 ]
%v176 = mul i64 %v175, 8
%v177 = getelementptr i64, ptr %v172, i64 %v176
%v178 = getelementptr i64, ptr %v177, i64 3
%v179 = load i64, ptr %v178, align 8
%v180 = getelementptr i64, ptr %v177, i64 2
%v181 = load i64, ptr %v180, align 8
%v182 = getelementptr i64, ptr %v1, i64 %v181
%v183 = load i64, ptr %v182, align 8
%v184 = call i64 @llvm.smax.i64(i64 %v183, i64 0)
%v185 = and i64 %v179, 2
%v186 = icmp ne i64 %v185, 0
%v187 = and i64 %v179, 3840
%v188 = icmp ne i64 %v187, 0
%v189 = and i64 %v179, 4
%v190 = icmp ne i64 %v189, 0
%v191 = icmp sle i64 %v184, 1
%v192 = or i1 %v191, %v186
%v193 = or i1 %v192, %v188
%v194 = getelementptr i64, ptr %v177, i64 4
store i64 0, ptr %v194, align 8
%v195 = load i64, ptr %s3
%v196 = select i1 %v193, i64 1, i64 %v184
%v197 = call i64 @llvm.smax.i64(i64 %v195, i64 %v196)
store i64 %v197, ptr %s3
%v198 = add i64 %v175, 1
%v199 = icmp slt i64 %v198, %v173
br i1 %v199, label %loop56, label %end57
end57:
%v200 = load i64, ptr %s3
%v201 = getelementptr i64, ptr %job, i64 13
%v202 = load i64, ptr %v201, align 8
%v203 = call i64 @llvm.smin.i64(i64 %v200, i64 %v202)
ret i64 %v203
unreachable59:
ret i64 0
}

define internal void @rlx_walk_alone(ptr %job) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%s2 = alloca i64
%s3 = alloca i64
%s4 = alloca [1 x i32], align 64
%v0 = load i64, ptr %job, align 8
%v1 = getelementptr ptr, ptr %job, i64 1
%v2 = load ptr, ptr %v1, align 8
%v3 = getelementptr ptr, ptr %job, i64 3
%v4 = load ptr, ptr %v3, align 8
%v5 = getelementptr ptr, ptr %job, i64 6
%v6 = load ptr, ptr %v5, align 8
%v7 = getelementptr ptr, ptr %job, i64 9
%v8 = load ptr, ptr %v7, align 8
%v9 = getelementptr i64, ptr %job, i64 13
%v10 = load i64, ptr %v9, align 8
%v11 = getelementptr i64, ptr %job, i64 10
%v12 = load i64, ptr %v11, align 8
%v13 = getelementptr i64, ptr %job, i64 12
%v14 = load i64, ptr %v13, align 8
%v15 = getelementptr ptr, ptr %job, i64 11
%v16 = load ptr, ptr %v15, align 8
%v17 = getelementptr ptr, ptr %job, i64 1
%v18 = load ptr, ptr %v17, align 8
%v19 = getelementptr ptr, ptr %job, i64 6
%v20 = load ptr, ptr %v19, align 8
%v21 = getelementptr ptr, ptr %job, i64 3
%v22 = load ptr, ptr %v21, align 8
%v23 = getelementptr i64, ptr %job, i64 4
%v24 = load i64, ptr %v23, align 8
%v25 = getelementptr ptr, ptr %job, i64 9
%v26 = load ptr, ptr %v25, align 8
%v27 = getelementptr ptr, ptr %job, i64 15
%v28 = load ptr, ptr %v27, align 8
%v29 = getelementptr ptr, ptr %job, i64 14
%v30 = load ptr, ptr %v29, align 8
store i64 0, ptr %s0
store i64 0, ptr %s1
store i64 0, ptr %s2
%v31 = ptrtoint ptr %v30 to i64
%v32 = icmp ne i64 %v31, 0
br i1 %v32, label %then1, label %else2
then1:
%v33 = getelementptr i64, ptr %v30, i64 4
%v34 = load i64, ptr %v33, align 8
store i64 %v34, ptr %s1
%v35 = getelementptr i64, ptr %v30, i64 6
%v36 = load i64, ptr %v35, align 8
store i64 %v36, ptr %s2
br label %end3
else2:
br label %end3
end3:
%v37 = load i64, ptr %s1
%v38 = add i64 %v37, 14
%v39 = ashr i64 %v38, 3
%v40 = mul i64 %v39, 8
%v41 = load i64, ptr %s2
%v42 = getelementptr i64, ptr %v30, i64 %v40
%v43 = getelementptr i64, ptr %v42, i64 %v37
br i1 %v32, label %then4, label %else5
then4:
br i1 true, label %then7, label %else8
then7:
%v44 = getelementptr i64, ptr %v30, i64 1
store atomic i64 0, ptr %v44 release, align 8
br label %end9
else8:
br label %end9
end9:
%v45 = icmp slt i64 0, %v37
br i1 %v45, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v46 = phi i64 [ 0, %guard12 ], [ %v48, %loop10 ]
%v47 = getelementptr i64, ptr %v42, i64 %v46
store i64 -1, ptr %v47, align 8
%v48 = add i64 %v46, 1
%v49 = icmp slt i64 %v48, %v37
br i1 %v49, label %loop10, label %end11
end11:
%v50 = icmp slt i64 0, %v24
br i1 %v50, label %guard15, label %end14
guard15:
br label %loop13
loop13:
%v51 = phi i64 [ 0, %guard15 ], [ %v55, %loop13 ]
%v52 = getelementptr i64, ptr %v22, i64 %v51
%v53 = load i64, ptr %v52, align 8
%v54 = getelementptr i64, ptr %v43, i64 %v51
store i64 %v53, ptr %v54, align 8
%v55 = add i64 %v51, 1
%v56 = icmp slt i64 %v55, %v24
br i1 %v56, label %loop13, label %end14
end14:
br label %end6
else5:
br label %end6
end6:
store i64 0, ptr %s3
br label %head16
head16:
%v57 = load i64, ptr %s3
%v58 = icmp sge i64 %v57, %v0
br i1 %v58, label %end17, label %next18
next18:
%v59 = add i64 %v57, 1
store i64 %v59, ptr %s3
%v60 = mul i64 %v57, 8
%v61 = getelementptr i64, ptr %v2, i64 %v60
%v62 = getelementptr i64, ptr %v61, i64 3
%v63 = load i64, ptr %v62, align 8
%v64 = getelementptr i64, ptr %v61, i64 2
%v65 = load i64, ptr %v64, align 8
%v66 = getelementptr i64, ptr %v6, i64 %v65
%v67 = load i64, ptr %v66, align 8
%v68 = call i64 @llvm.smax.i64(i64 %v67, i64 0)
%v69 = and i64 %v63, 2
%v70 = icmp ne i64 %v69, 0
%v71 = and i64 %v63, 3840
%v72 = icmp ne i64 %v71, 0
%v73 = and i64 %v63, 4
%v74 = icmp ne i64 %v73, 0
%v75 = icmp sle i64 %v68, 1
%v76 = or i1 %v75, %v70
%v77 = or i1 %v76, %v72
br i1 %v72, label %then19, label %else20
then19:
%v78 = mul i64 %v57, 8
%v79 = getelementptr i64, ptr %v18, i64 %v78
%v80 = getelementptr i64, ptr %v79, i64 3
%v81 = load i64, ptr %v80, align 8
%v82 = getelementptr i64, ptr %v79, i64 7
%v83 = load i64, ptr %v82, align 8
%v84 = and i64 %v81, 256
%v85 = icmp ne i64 %v84, 0
br i1 %v85, label %then22, label %else23
then22:
%v86 = getelementptr i64, ptr %v79, i64 2
%v87 = load i64, ptr %v86, align 8
%v88 = getelementptr i64, ptr %v20, i64 %v87
%v89 = load i64, ptr %v88, align 8
%v90 = icmp sgt i64 %v89, 0
br i1 %v90, label %then25, label %else26
then25:
%v91 = getelementptr i64, ptr %v79, i64 5
%v92 = load i64, ptr %v91, align 8
%v93 = getelementptr i64, ptr %v42, i64 %v92
store i64 0, ptr %v93, align 8
%v94 = sub i64 %v89, 1
%v95 = getelementptr i64, ptr %v79, i64 1
%v96 = load i64, ptr %v95, align 8
%v97 = getelementptr i64, ptr %v79, i64 6
%v98 = load i64, ptr %v97, align 8
%v99 = add i64 %v96, %v98
%v100 = icmp slt i64 %v96, %v99
br i1 %v100, label %guard30, label %end29
guard30:
br label %loop28
loop28:
%v101 = phi i64 [ %v96, %guard30 ], [ %v122, %loop28 ]
%v102 = mul i64 %v101, 4
%v103 = getelementptr i64, ptr %v28, i64 %v102
%v104 = load i64, ptr %v103, align 8
%v105 = mul i64 %v101, 4
%v106 = add i64 %v105, 1
%v107 = getelementptr i64, ptr %v28, i64 %v106
%v108 = load i64, ptr %v107, align 8
%v109 = mul i64 %v101, 4
%v110 = add i64 %v109, 2
%v111 = getelementptr i64, ptr %v28, i64 %v110
%v112 = load i64, ptr %v111, align 8
%v113 = getelementptr i64, ptr %v20, i64 %v108
%v114 = load i64, ptr %v113, align 8
%v115 = icmp ne i64 %v112, 0
%v116 = select i1 %v115, i64 %v94, i64 0
%v117 = mul i64 %v114, %v116
%v118 = getelementptr i64, ptr %v43, i64 %v104
%v119 = load i64, ptr %v118, align 8
%v120 = add i64 %v119, %v117
%v121 = getelementptr i64, ptr %v43, i64 %v104
store i64 %v120, ptr %v121, align 8
%v122 = add i64 %v101, 1
%v123 = icmp slt i64 %v122, %v99
br i1 %v123, label %loop28, label %end29
end29:
br label %end27
else26:
store i64 %v83, ptr %s3
br label %end27
end27:
br label %end24
else23:
br label %end24
end24:
%v124 = and i64 %v81, 512
%v125 = icmp ne i64 %v124, 0
br i1 %v125, label %then31, label %else32
then31:
%v126 = mul i64 %v83, 8
%v127 = getelementptr i64, ptr %v18, i64 %v126
%v128 = getelementptr i64, ptr %v127, i64 2
%v129 = load i64, ptr %v128, align 8
%v130 = getelementptr i64, ptr %v20, i64 %v129
%v131 = load i64, ptr %v130, align 8
%v132 = getelementptr i64, ptr %v127, i64 5
%v133 = load i64, ptr %v132, align 8
%v134 = getelementptr i64, ptr %v42, i64 %v133
%v135 = load i64, ptr %v134, align 8
%v136 = add i64 %v135, 1
%v137 = icmp slt i64 %v136, %v131
br i1 %v137, label %then34, label %else35
then34:
%v138 = getelementptr i64, ptr %v42, i64 %v133
store i64 %v136, ptr %v138, align 8
%v139 = getelementptr i64, ptr %v127, i64 1
%v140 = load i64, ptr %v139, align 8
%v141 = getelementptr i64, ptr %v127, i64 6
%v142 = load i64, ptr %v141, align 8
%v143 = add i64 %v140, %v142
%v144 = icmp slt i64 %v140, %v143
br i1 %v144, label %guard39, label %end38
guard39:
br label %loop37
loop37:
%v145 = phi i64 [ %v140, %guard39 ], [ %v166, %loop37 ]
%v146 = mul i64 %v145, 4
%v147 = getelementptr i64, ptr %v28, i64 %v146
%v148 = load i64, ptr %v147, align 8
%v149 = mul i64 %v145, 4
%v150 = add i64 %v149, 1
%v151 = getelementptr i64, ptr %v28, i64 %v150
%v152 = load i64, ptr %v151, align 8
%v153 = mul i64 %v145, 4
%v154 = add i64 %v153, 2
%v155 = getelementptr i64, ptr %v28, i64 %v154
%v156 = load i64, ptr %v155, align 8
%v157 = getelementptr i64, ptr %v20, i64 %v152
%v158 = load i64, ptr %v157, align 8
%v159 = icmp ne i64 %v156, 0
%v160 = select i1 %v159, i64 -1, i64 1
%v161 = mul i64 %v158, %v160
%v162 = getelementptr i64, ptr %v43, i64 %v148
%v163 = load i64, ptr %v162, align 8
%v164 = add i64 %v163, %v161
%v165 = getelementptr i64, ptr %v43, i64 %v148
store i64 %v164, ptr %v165, align 8
%v166 = add i64 %v145, 1
%v167 = icmp slt i64 %v166, %v143
br i1 %v167, label %loop37, label %end38
end38:
%v168 = add i64 %v83, 1
store i64 %v168, ptr %s3
br label %end36
else35:
%v169 = getelementptr i64, ptr %v42, i64 %v133
store i64 -1, ptr %v169, align 8
%v170 = sub i64 1, %v131
%v171 = getelementptr i64, ptr %v127, i64 1
%v172 = load i64, ptr %v171, align 8
%v173 = getelementptr i64, ptr %v127, i64 6
%v174 = load i64, ptr %v173, align 8
%v175 = add i64 %v172, %v174
%v176 = icmp slt i64 %v172, %v175
br i1 %v176, label %guard42, label %end41
guard42:
br label %loop40
loop40:
%v177 = phi i64 [ %v172, %guard42 ], [ %v198, %loop40 ]
%v178 = mul i64 %v177, 4
%v179 = getelementptr i64, ptr %v28, i64 %v178
%v180 = load i64, ptr %v179, align 8
%v181 = mul i64 %v177, 4
%v182 = add i64 %v181, 1
%v183 = getelementptr i64, ptr %v28, i64 %v182
%v184 = load i64, ptr %v183, align 8
%v185 = mul i64 %v177, 4
%v186 = add i64 %v185, 2
%v187 = getelementptr i64, ptr %v28, i64 %v186
%v188 = load i64, ptr %v187, align 8
%v189 = getelementptr i64, ptr %v20, i64 %v184
%v190 = load i64, ptr %v189, align 8
%v191 = icmp ne i64 %v188, 0
%v192 = select i1 %v191, i64 0, i64 %v170
%v193 = mul i64 %v190, %v192
%v194 = getelementptr i64, ptr %v43, i64 %v180
%v195 = load i64, ptr %v194, align 8
%v196 = add i64 %v195, %v193
%v197 = getelementptr i64, ptr %v43, i64 %v180
store i64 %v196, ptr %v197, align 8
%v198 = add i64 %v177, 1
%v199 = icmp slt i64 %v198, %v175
br i1 %v199, label %loop40, label %end41
end41:
br label %end36
end36:
br label %end33
else32:
br label %end33
end33:
%v200 = and i64 %v81, 2048
%v201 = icmp ne i64 %v200, 0
br i1 %v201, label %then43, label %else44
then43:
store i64 %v83, ptr %s3
br label %end45
else44:
br label %end45
end45:
%v202 = and i64 %v81, 1024
%v203 = icmp ne i64 %v202, 0
br i1 %v203, label %then46, label %else47
then46:
%v204 = load i64, ptr %s0
%v205 = add i64 %v204, 1
store i64 %v205, ptr %s0
%v206 = getelementptr i64, ptr %v79, i64 1
%v207 = load i64, ptr %v206, align 8
%v208 = getelementptr ptr, ptr %v43, i64 %v207
%v209 = load ptr, ptr %v208, align 8
%v210 = load atomic i64, ptr %v26 acquire, align 8
%v211 = icmp eq i64 %v210, 0
%v212 = load i8, ptr %v209, align 1
%v213 = icmp ne i8 %v212, 0
%v214 = and i1 %v213, %v211
%v215 = load i64, ptr %s3
%v216 = select i1 %v214, i64 %v215, i64 %v83
store i64 %v216, ptr %s3
br label %end48
else47:
br label %end48
end48:
br label %end21
else20:
%v217 = icmp ne i64 %v12, 0
br i1 %v217, label %then49, label %else50
then49:
%v218 = inttoptr i64 %v12 to ptr
%v219 = mul i64 %v57, 2
%v220 = getelementptr i64, ptr %v218, i64 %v219
%v221 = load i64, ptr %v220, align 8
%v222 = call i64 @rlx_now()
%v223 = add i64 %v221, %v222
%v224 = getelementptr i64, ptr %v218, i64 %v219
store i64 %v223, ptr %v224, align 8
br label %end51
else50:
br label %end51
end51:
%v225 = icmp sgt i64 %v68, 0
%v226 = load atomic i64, ptr %v8 acquire, align 8
%v227 = icmp eq i64 %v226, 0
%v228 = and i1 %v225, %v227
br i1 %v228, label %then52, label %else53
then52:
br i1 %v70, label %then55, label %else56
then55:
%v229 = load ptr, ptr %v61, align 8
%v230 = getelementptr i64, ptr %v61, i64 1
%v231 = load i64, ptr %v230, align 8
%v232 = select i1 %v74, ptr %v43, ptr %v4
%v233 = getelementptr i64, ptr %v232, i64 %v231
%v234 = call i64 %v229(ptr %v233, i64 0, i64 %v68, ptr %v16)
%v235 = icmp ne i64 %v234, 7308901721098964050
br i1 %v235, label %then58, label %else59
then58:
%v236 = getelementptr i64, ptr %v61, i64 5
%v237 = load i64, ptr %v236, align 8
%v238 = shl i64 %v237, 32
%v239 = or i64 %v238, 65535
%v240 = cmpxchg ptr %v8, i64 0, i64 %v239 acq_rel acquire
%v241 = extractvalue { i64, i1 } %v240, 0
%v242 = extractvalue { i64, i1 } %v240, 1
br label %end60
else59:
br label %end60
end60:
store i32 8064, ptr %s4, align 4
call void @llvm.x86.sse.ldmxcsr(ptr %s4)
br label %end57
else56:
%v243 = load ptr, ptr %v61, align 8
%v244 = getelementptr i64, ptr %v61, i64 1
%v245 = load i64, ptr %v244, align 8
%v246 = select i1 %v74, ptr %v43, ptr %v4
%v247 = getelementptr i64, ptr %v246, i64 %v245
call void %v243(ptr %v247, i64 0, i64 %v68, ptr %v16)
br label %end57
end57:
br label %end54
else53:
br label %end54
end54:
%v248 = icmp ne i64 %v12, 0
br i1 %v248, label %then61, label %else62
then61:
%v249 = inttoptr i64 %v12 to ptr
%v250 = mul i64 %v57, 2
%v251 = add i64 %v250, 1
%v252 = getelementptr i64, ptr %v249, i64 %v251
%v253 = load i64, ptr %v252, align 8
%v254 = call i64 @rlx_now()
%v255 = add i64 %v253, %v254
%v256 = getelementptr i64, ptr %v249, i64 %v251
store i64 %v255, ptr %v256, align 8
br label %end63
else62:
br label %end63
end63:
br label %end21
end21:
br label %head16
end17:
ret void
}

define internal void @rlx_walk(ptr %job, i64 %thread, i64 %home) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%s2 = alloca i64
%s3 = alloca i64
%s4 = alloca i64
%s5 = alloca i64
%s6 = alloca i64
%s7 = alloca i64
%s8 = alloca i64
%s9 = alloca i64
%s10 = alloca i64
%s11 = alloca [1 x i32], align 64
%s12 = alloca i64
%v0 = load i64, ptr %job, align 8
%v1 = getelementptr ptr, ptr %job, i64 1
%v2 = load ptr, ptr %v1, align 8
%v3 = getelementptr ptr, ptr %job, i64 3
%v4 = load ptr, ptr %v3, align 8
%v5 = getelementptr ptr, ptr %job, i64 6
%v6 = load ptr, ptr %v5, align 8
%v7 = getelementptr ptr, ptr %job, i64 9
%v8 = load ptr, ptr %v7, align 8
%v9 = getelementptr i64, ptr %job, i64 13
%v10 = load i64, ptr %v9, align 8
%v11 = icmp eq i64 %thread, 0
%v12 = getelementptr i64, ptr %job, i64 10
%v13 = load i64, ptr %v12, align 8
%v14 = select i1 %v11, i64 %v13, i64 0
%v15 = getelementptr i64, ptr %job, i64 12
%v16 = load i64, ptr %v15, align 8
%v17 = mul i64 %thread, %v16
%v18 = getelementptr ptr, ptr %job, i64 11
%v19 = load ptr, ptr %v18, align 8
%v20 = getelementptr i8, ptr %v19, i64 %v17
%v21 = getelementptr ptr, ptr %job, i64 1
%v22 = load ptr, ptr %v21, align 8
%v23 = getelementptr ptr, ptr %job, i64 6
%v24 = load ptr, ptr %v23, align 8
%v25 = getelementptr ptr, ptr %job, i64 3
%v26 = load ptr, ptr %v25, align 8
%v27 = getelementptr i64, ptr %job, i64 4
%v28 = load i64, ptr %v27, align 8
%v29 = getelementptr ptr, ptr %job, i64 9
%v30 = load ptr, ptr %v29, align 8
%v31 = getelementptr ptr, ptr %job, i64 15
%v32 = load ptr, ptr %v31, align 8
%v33 = getelementptr ptr, ptr %job, i64 14
%v34 = load ptr, ptr %v33, align 8
store i64 0, ptr %s0
store i64 0, ptr %s1
store i64 0, ptr %s2
%v35 = ptrtoint ptr %v34 to i64
%v36 = icmp ne i64 %v35, 0
br i1 %v36, label %then1, label %else2
then1:
%v37 = getelementptr i64, ptr %v34, i64 4
%v38 = load i64, ptr %v37, align 8
store i64 %v38, ptr %s1
%v39 = getelementptr i64, ptr %v34, i64 6
%v40 = load i64, ptr %v39, align 8
store i64 %v40, ptr %s2
br label %end3
else2:
br label %end3
end3:
%v41 = load i64, ptr %s1
%v42 = add i64 %v41, 14
%v43 = ashr i64 %v42, 3
%v44 = mul i64 %v43, 8
%v45 = load i64, ptr %s2
%v46 = mul i64 %thread, %v45
%v47 = add i64 %v44, %v46
%v48 = getelementptr i64, ptr %v34, i64 %v47
%v49 = getelementptr i64, ptr %v48, i64 %v41
br i1 %v36, label %then4, label %else5
then4:
%v50 = icmp eq i64 %thread, 0
br i1 %v50, label %then7, label %else8
then7:
%v51 = getelementptr i64, ptr %v34, i64 1
store atomic i64 0, ptr %v51 release, align 8
br label %end9
else8:
br label %end9
end9:
%v52 = icmp slt i64 0, %v41
br i1 %v52, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v53 = phi i64 [ 0, %guard12 ], [ %v55, %loop10 ]
%v54 = getelementptr i64, ptr %v48, i64 %v53
store i64 -1, ptr %v54, align 8
%v55 = add i64 %v53, 1
%v56 = icmp slt i64 %v55, %v41
br i1 %v56, label %loop10, label %end11
end11:
%v57 = icmp slt i64 0, %v28
br i1 %v57, label %guard15, label %end14
guard15:
br label %loop13
loop13:
%v58 = phi i64 [ 0, %guard15 ], [ %v62, %loop13 ]
%v59 = getelementptr i64, ptr %v26, i64 %v58
%v60 = load i64, ptr %v59, align 8
%v61 = getelementptr i64, ptr %v49, i64 %v58
store i64 %v60, ptr %v61, align 8
%v62 = add i64 %v58, 1
%v63 = icmp slt i64 %v62, %v28
br i1 %v63, label %loop13, label %end14
end14:
br label %end6
else5:
br label %end6
end6:
store i64 0, ptr %s3
%v64 = icmp eq i64 %thread, 0
%v65 = getelementptr ptr, ptr %job, i64 53
%v66 = load ptr, ptr %v65, align 8
%v67 = getelementptr i64, ptr %job, i64 13
%v68 = load i64, ptr %v67, align 8
%v69 = urem i64 %home, %v68
store i64 0, ptr %s4
store i64 0, ptr %s5
store i64 0, ptr %s6
store i64 0, ptr %s7
br label %head16
head16:
%v70 = load i64, ptr %s3
%v71 = icmp sge i64 %v70, %v0
br i1 %v71, label %end17, label %next18
next18:
%v72 = add i64 %v70, 1
store i64 %v72, ptr %s3
%v73 = mul i64 %v70, 8
%v74 = getelementptr i64, ptr %v2, i64 %v73
%v75 = getelementptr i64, ptr %v74, i64 3
%v76 = load i64, ptr %v75, align 8
%v77 = getelementptr i64, ptr %v74, i64 2
%v78 = load i64, ptr %v77, align 8
%v79 = getelementptr i64, ptr %v6, i64 %v78
%v80 = load i64, ptr %v79, align 8
%v81 = call i64 @llvm.smax.i64(i64 %v80, i64 0)
%v82 = and i64 %v76, 2
%v83 = icmp ne i64 %v82, 0
%v84 = and i64 %v76, 3840
%v85 = icmp ne i64 %v84, 0
%v86 = and i64 %v76, 4
%v87 = icmp ne i64 %v86, 0
%v88 = icmp sle i64 %v81, 1
%v89 = or i1 %v88, %v83
%v90 = or i1 %v89, %v85
br i1 %v85, label %then19, label %else20
then19:
%v91 = mul i64 %v70, 8
%v92 = getelementptr i64, ptr %v22, i64 %v91
%v93 = getelementptr i64, ptr %v92, i64 3
%v94 = load i64, ptr %v93, align 8
%v95 = getelementptr i64, ptr %v92, i64 7
%v96 = load i64, ptr %v95, align 8
%v97 = and i64 %v94, 256
%v98 = icmp ne i64 %v97, 0
br i1 %v98, label %then22, label %else23
then22:
%v99 = getelementptr i64, ptr %v92, i64 2
%v100 = load i64, ptr %v99, align 8
%v101 = getelementptr i64, ptr %v24, i64 %v100
%v102 = load i64, ptr %v101, align 8
%v103 = icmp sgt i64 %v102, 0
br i1 %v103, label %then25, label %else26
then25:
%v104 = getelementptr i64, ptr %v92, i64 5
%v105 = load i64, ptr %v104, align 8
%v106 = getelementptr i64, ptr %v48, i64 %v105
store i64 0, ptr %v106, align 8
%v107 = sub i64 %v102, 1
%v108 = getelementptr i64, ptr %v92, i64 1
%v109 = load i64, ptr %v108, align 8
%v110 = getelementptr i64, ptr %v92, i64 6
%v111 = load i64, ptr %v110, align 8
%v112 = add i64 %v109, %v111
%v113 = icmp slt i64 %v109, %v112
br i1 %v113, label %guard30, label %end29
guard30:
br label %loop28
loop28:
%v114 = phi i64 [ %v109, %guard30 ], [ %v135, %loop28 ]
%v115 = mul i64 %v114, 4
%v116 = getelementptr i64, ptr %v32, i64 %v115
%v117 = load i64, ptr %v116, align 8
%v118 = mul i64 %v114, 4
%v119 = add i64 %v118, 1
%v120 = getelementptr i64, ptr %v32, i64 %v119
%v121 = load i64, ptr %v120, align 8
%v122 = mul i64 %v114, 4
%v123 = add i64 %v122, 2
%v124 = getelementptr i64, ptr %v32, i64 %v123
%v125 = load i64, ptr %v124, align 8
%v126 = getelementptr i64, ptr %v24, i64 %v121
%v127 = load i64, ptr %v126, align 8
%v128 = icmp ne i64 %v125, 0
%v129 = select i1 %v128, i64 %v107, i64 0
%v130 = mul i64 %v127, %v129
%v131 = getelementptr i64, ptr %v49, i64 %v117
%v132 = load i64, ptr %v131, align 8
%v133 = add i64 %v132, %v130
%v134 = getelementptr i64, ptr %v49, i64 %v117
store i64 %v133, ptr %v134, align 8
%v135 = add i64 %v114, 1
%v136 = icmp slt i64 %v135, %v112
br i1 %v136, label %loop28, label %end29
end29:
br label %end27
else26:
store i64 %v96, ptr %s3
br label %end27
end27:
br label %end24
else23:
br label %end24
end24:
%v137 = and i64 %v94, 512
%v138 = icmp ne i64 %v137, 0
br i1 %v138, label %then31, label %else32
then31:
%v139 = mul i64 %v96, 8
%v140 = getelementptr i64, ptr %v22, i64 %v139
%v141 = getelementptr i64, ptr %v140, i64 2
%v142 = load i64, ptr %v141, align 8
%v143 = getelementptr i64, ptr %v24, i64 %v142
%v144 = load i64, ptr %v143, align 8
%v145 = getelementptr i64, ptr %v140, i64 5
%v146 = load i64, ptr %v145, align 8
%v147 = getelementptr i64, ptr %v48, i64 %v146
%v148 = load i64, ptr %v147, align 8
%v149 = add i64 %v148, 1
%v150 = icmp slt i64 %v149, %v144
br i1 %v150, label %then34, label %else35
then34:
%v151 = getelementptr i64, ptr %v48, i64 %v146
store i64 %v149, ptr %v151, align 8
%v152 = getelementptr i64, ptr %v140, i64 1
%v153 = load i64, ptr %v152, align 8
%v154 = getelementptr i64, ptr %v140, i64 6
%v155 = load i64, ptr %v154, align 8
%v156 = add i64 %v153, %v155
%v157 = icmp slt i64 %v153, %v156
br i1 %v157, label %guard39, label %end38
guard39:
br label %loop37
loop37:
%v158 = phi i64 [ %v153, %guard39 ], [ %v179, %loop37 ]
%v159 = mul i64 %v158, 4
%v160 = getelementptr i64, ptr %v32, i64 %v159
%v161 = load i64, ptr %v160, align 8
%v162 = mul i64 %v158, 4
%v163 = add i64 %v162, 1
%v164 = getelementptr i64, ptr %v32, i64 %v163
%v165 = load i64, ptr %v164, align 8
%v166 = mul i64 %v158, 4
%v167 = add i64 %v166, 2
%v168 = getelementptr i64, ptr %v32, i64 %v167
%v169 = load i64, ptr %v168, align 8
%v170 = getelementptr i64, ptr %v24, i64 %v165
%v171 = load i64, ptr %v170, align 8
%v172 = icmp ne i64 %v169, 0
%v173 = select i1 %v172, i64 -1, i64 1
%v174 = mul i64 %v171, %v173
%v175 = getelementptr i64, ptr %v49, i64 %v161
%v176 = load i64, ptr %v175, align 8
%v177 = add i64 %v176, %v174
%v178 = getelementptr i64, ptr %v49, i64 %v161
store i64 %v177, ptr %v178, align 8
%v179 = add i64 %v158, 1
%v180 = icmp slt i64 %v179, %v156
br i1 %v180, label %loop37, label %end38
end38:
%v181 = add i64 %v96, 1
store i64 %v181, ptr %s3
br label %end36
else35:
%v182 = getelementptr i64, ptr %v48, i64 %v146
store i64 -1, ptr %v182, align 8
%v183 = sub i64 1, %v144
%v184 = getelementptr i64, ptr %v140, i64 1
%v185 = load i64, ptr %v184, align 8
%v186 = getelementptr i64, ptr %v140, i64 6
%v187 = load i64, ptr %v186, align 8
%v188 = add i64 %v185, %v187
%v189 = icmp slt i64 %v185, %v188
br i1 %v189, label %guard42, label %end41
guard42:
br label %loop40
loop40:
%v190 = phi i64 [ %v185, %guard42 ], [ %v211, %loop40 ]
%v191 = mul i64 %v190, 4
%v192 = getelementptr i64, ptr %v32, i64 %v191
%v193 = load i64, ptr %v192, align 8
%v194 = mul i64 %v190, 4
%v195 = add i64 %v194, 1
%v196 = getelementptr i64, ptr %v32, i64 %v195
%v197 = load i64, ptr %v196, align 8
%v198 = mul i64 %v190, 4
%v199 = add i64 %v198, 2
%v200 = getelementptr i64, ptr %v32, i64 %v199
%v201 = load i64, ptr %v200, align 8
%v202 = getelementptr i64, ptr %v24, i64 %v197
%v203 = load i64, ptr %v202, align 8
%v204 = icmp ne i64 %v201, 0
%v205 = select i1 %v204, i64 0, i64 %v183
%v206 = mul i64 %v203, %v205
%v207 = getelementptr i64, ptr %v49, i64 %v193
%v208 = load i64, ptr %v207, align 8
%v209 = add i64 %v208, %v206
%v210 = getelementptr i64, ptr %v49, i64 %v193
store i64 %v209, ptr %v210, align 8
%v211 = add i64 %v190, 1
%v212 = icmp slt i64 %v211, %v188
br i1 %v212, label %loop40, label %end41
end41:
br label %end36
end36:
br label %end33
else32:
br label %end33
end33:
%v213 = and i64 %v94, 2048
%v214 = icmp ne i64 %v213, 0
br i1 %v214, label %then43, label %else44
then43:
store i64 %v96, ptr %s3
br label %end45
else44:
br label %end45
end45:
%v215 = and i64 %v94, 1024
%v216 = icmp ne i64 %v215, 0
br i1 %v216, label %then46, label %else47
then46:
%v217 = load i64, ptr %s0
%v218 = add i64 %v217, 1
store i64 %v218, ptr %s0
br i1 %v64, label %then49, label %else50
then49:
%v219 = load i64, ptr %s5
%v220 = load i64, ptr %s7
%v221 = sub i64 %v219, %v220
%v222 = getelementptr i64, ptr %job, i64 16
%v223 = call i64 @rlx_wait_for_units(ptr %v66, i64 %v68, ptr %v222, i64 %v221)
%v224 = getelementptr i64, ptr %v92, i64 1
%v225 = load i64, ptr %v224, align 8
%v226 = getelementptr ptr, ptr %v49, i64 %v225
%v227 = load ptr, ptr %v226, align 8
%v228 = load atomic i64, ptr %v30 acquire, align 8
%v229 = icmp eq i64 %v228, 0
%v230 = load i8, ptr %v227, align 1
%v231 = icmp ne i8 %v230, 0
%v232 = and i1 %v231, %v229
%v233 = load i64, ptr %s3
%v234 = select i1 %v232, i64 %v233, i64 %v96
store i64 %v234, ptr %s3
%v235 = load i64, ptr %v34, align 8
%v236 = add i64 %v235, 1
store atomic i64 %v236, ptr %v34 release, align 8
fence seq_cst
%v237 = load i64, ptr %s0
%v238 = getelementptr i64, ptr %v34, i64 1
store atomic i64 %v237, ptr %v238 monotonic, align 8
%v239 = load i64, ptr %s5
%v240 = getelementptr i64, ptr %v34, i64 2
store atomic i64 %v239, ptr %v240 monotonic, align 8
%v241 = load i64, ptr %s3
%v242 = getelementptr i64, ptr %v34, i64 3
store atomic i64 %v241, ptr %v242 monotonic, align 8
%v243 = icmp slt i64 0, %v41
br i1 %v243, label %guard54, label %end53
guard54:
br label %loop52
loop52:
%v244 = phi i64 [ 0, %guard54 ], [ %v249, %loop52 ]
%v245 = getelementptr i64, ptr %v48, i64 %v244
%v246 = load i64, ptr %v245, align 8
%v247 = add i64 %v244, 7
%v248 = getelementptr i64, ptr %v34, i64 %v247
store atomic i64 %v246, ptr %v248 monotonic, align 8
%v249 = add i64 %v244, 1
%v250 = icmp slt i64 %v249, %v41
br i1 %v250, label %loop52, label %end53
end53:
%v251 = add i64 %v235, 2
store atomic i64 %v251, ptr %v34 release, align 8
%v252 = getelementptr i64, ptr %job, i64 32
call void @rlx_signal(ptr %v252, i64 1)
br label %end51
else50:
%v253 = getelementptr i64, ptr %job, i64 32
%v254 = load i64, ptr %s0
%v255 = call i64 @rlx_wait_for(ptr %v253, i64 %v254)
store i64 0, ptr %s8
br label %head55
head55:
%v256 = load atomic i64, ptr %v34 acquire, align 8
%v257 = getelementptr i64, ptr %v34, i64 1
%v258 = load atomic i64, ptr %v257 monotonic, align 8
store i64 %v258, ptr %s8
%v259 = getelementptr i64, ptr %v34, i64 3
%v260 = load atomic i64, ptr %v259 monotonic, align 8
store i64 %v260, ptr %s3
%v261 = getelementptr i64, ptr %v34, i64 2
%v262 = load atomic i64, ptr %v261 monotonic, align 8
store i64 %v262, ptr %s5
%v263 = load i64, ptr %s8
%v264 = load i64, ptr %s0
%v265 = icmp ne i64 %v263, %v264
br i1 %v265, label %then57, label %else58
then57:
%v266 = icmp slt i64 0, %v41
br i1 %v266, label %guard62, label %end61
guard62:
br label %loop60
loop60:
%v267 = phi i64 [ 0, %guard62 ], [ %v272, %loop60 ]
%v268 = add i64 %v267, 7
%v269 = getelementptr i64, ptr %v34, i64 %v268
%v270 = load atomic i64, ptr %v269 monotonic, align 8
%v271 = getelementptr i64, ptr %v48, i64 %v267
store i64 %v270, ptr %v271, align 8
%v272 = add i64 %v267, 1
%v273 = icmp slt i64 %v272, %v41
br i1 %v273, label %loop60, label %end61
end61:
br label %end59
else58:
br label %end59
end59:
fence seq_cst
%v274 = load atomic i64, ptr %v34 acquire, align 8
%v275 = icmp eq i64 %v274, %v256
%v276 = and i64 %v274, 1
%v277 = icmp eq i64 %v276, 0
%v278 = and i1 %v275, %v277
br i1 %v278, label %end56, label %next63
next63:
call void @llvm.x86.sse2.pause()
br label %head55
end56:
%v279 = load i64, ptr %s8
%v280 = load i64, ptr %s0
%v281 = icmp ne i64 %v279, %v280
br i1 %v281, label %then64, label %else65
then64:
%v282 = icmp slt i64 0, %v28
br i1 %v282, label %guard69, label %end68
guard69:
br label %loop67
loop67:
%v283 = phi i64 [ 0, %guard69 ], [ %v287, %loop67 ]
%v284 = getelementptr i64, ptr %v26, i64 %v283
%v285 = load i64, ptr %v284, align 8
%v286 = getelementptr i64, ptr %v49, i64 %v283
store i64 %v285, ptr %v286, align 8
%v287 = add i64 %v283, 1
%v288 = icmp slt i64 %v287, %v28
br i1 %v288, label %loop67, label %end68
end68:
%v289 = getelementptr i64, ptr %v34, i64 5
%v290 = load i64, ptr %v289, align 8
%v291 = icmp slt i64 0, %v290
br i1 %v291, label %guard72, label %end71
guard72:
br label %loop70
loop70:
%v292 = phi i64 [ 0, %guard72 ], [ %v340, %end75 ]
%v293 = mul i64 %v292, 4
%v294 = getelementptr i64, ptr %v32, i64 %v293
%v295 = load i64, ptr %v294, align 8
%v296 = mul i64 %v292, 4
%v297 = add i64 %v296, 1
%v298 = getelementptr i64, ptr %v32, i64 %v297
%v299 = load i64, ptr %v298, align 8
%v300 = mul i64 %v292, 4
%v301 = add i64 %v300, 2
%v302 = getelementptr i64, ptr %v32, i64 %v301
%v303 = load i64, ptr %v302, align 8
%v304 = mul i64 %v292, 4
%v305 = add i64 %v304, 3
%v306 = getelementptr i64, ptr %v32, i64 %v305
%v307 = load i64, ptr %v306, align 8
%v308 = getelementptr i64, ptr %v48, i64 %v307
%v309 = load i64, ptr %v308, align 8
%v310 = icmp sge i64 %v309, 0
br i1 %v310, label %then73, label %else74
then73:
store i64 0, ptr %s9
store i64 0, ptr %s10
br label %head76
head76:
%v311 = load i64, ptr %s10
%v312 = mul i64 %v311, 8
%v313 = getelementptr i64, ptr %v22, i64 %v312
%v314 = getelementptr i64, ptr %v313, i64 3
%v315 = load i64, ptr %v314, align 8
%v316 = and i64 %v315, 256
%v317 = icmp ne i64 %v316, 0
br i1 %v317, label %then78, label %else79
then78:
%v318 = getelementptr i64, ptr %v313, i64 2
%v319 = load i64, ptr %v318, align 8
%v320 = getelementptr i64, ptr %v24, i64 %v319
%v321 = load i64, ptr %v320, align 8
store i64 %v321, ptr %s9
br label %end80
else79:
br label %end80
end80:
%v322 = getelementptr i64, ptr %v313, i64 5
%v323 = load i64, ptr %v322, align 8
%v324 = icmp eq i64 %v323, %v307
%v325 = and i1 %v317, %v324
br i1 %v325, label %end77, label %next81
next81:
%v326 = load i64, ptr %s10
%v327 = add i64 %v326, 1
store i64 %v327, ptr %s10
br label %head76
end77:
%v328 = load i64, ptr %s9
%v329 = icmp ne i64 %v303, 0
%v330 = sub i64 %v328, 1
%v331 = sub i64 %v330, %v309
%v332 = select i1 %v329, i64 %v331, i64 %v309
%v333 = getelementptr i64, ptr %v49, i64 %v295
%v334 = load i64, ptr %v333, align 8
%v335 = getelementptr i64, ptr %v24, i64 %v299
%v336 = load i64, ptr %v335, align 8
%v337 = mul i64 %v336, %v332
%v338 = add i64 %v334, %v337
%v339 = getelementptr i64, ptr %v49, i64 %v295
store i64 %v338, ptr %v339, align 8
br label %end75
else74:
br label %end75
end75:
%v340 = add i64 %v292, 1
%v341 = icmp slt i64 %v340, %v290
br i1 %v341, label %loop70, label %end71
end71:
br label %end66
else65:
br label %end66
end66:
%v342 = load i64, ptr %s8
store i64 %v342, ptr %s0
br label %end51
end51:
%v343 = load i64, ptr %s5
store i64 %v343, ptr %s6
br label %end48
else47:
br label %end48
end48:
br label %end21
else20:
%v344 = and i64 %v76, 1
%v345 = icmp ne i64 %v344, 0
%v346 = load i64, ptr %s5
%v347 = load i64, ptr %s6
%v348 = select i1 %v345, i64 %v346, i64 %v347
store i64 %v348, ptr %s6
%v349 = load i64, ptr %s5
%v350 = add i64 %v349, %v81
store i64 %v350, ptr %s5
br i1 %v90, label %then82, label %else83
then82:
br i1 %v64, label %then85, label %else86
then85:
%v351 = load i64, ptr %s6
%v352 = load i64, ptr %s7
%v353 = sub i64 %v351, %v352
%v354 = getelementptr i64, ptr %job, i64 16
%v355 = call i64 @rlx_wait_for_units(ptr %v66, i64 %v68, ptr %v354, i64 %v353)
%v356 = icmp ne i64 %v14, 0
br i1 %v356, label %then88, label %else89
then88:
%v357 = inttoptr i64 %v14 to ptr
%v358 = mul i64 %v70, 2
%v359 = getelementptr i64, ptr %v357, i64 %v358
%v360 = load i64, ptr %v359, align 8
%v361 = call i64 @rlx_now()
%v362 = add i64 %v360, %v361
%v363 = getelementptr i64, ptr %v357, i64 %v358
store i64 %v362, ptr %v363, align 8
br label %end90
else89:
br label %end90
end90:
%v364 = icmp sgt i64 %v81, 0
%v365 = load atomic i64, ptr %v8 acquire, align 8
%v366 = icmp eq i64 %v365, 0
%v367 = and i1 %v364, %v366
br i1 %v367, label %then91, label %else92
then91:
br i1 %v83, label %then94, label %else95
then94:
%v368 = load ptr, ptr %v74, align 8
%v369 = getelementptr i64, ptr %v74, i64 1
%v370 = load i64, ptr %v369, align 8
%v371 = select i1 %v87, ptr %v49, ptr %v4
%v372 = getelementptr i64, ptr %v371, i64 %v370
%v373 = call i64 %v368(ptr %v372, i64 0, i64 %v81, ptr %v20)
%v374 = icmp ne i64 %v373, 7308901721098964050
br i1 %v374, label %then97, label %else98
then97:
%v375 = getelementptr i64, ptr %v74, i64 5
%v376 = load i64, ptr %v375, align 8
%v377 = shl i64 %v376, 32
%v378 = or i64 %v377, 65535
%v379 = cmpxchg ptr %v8, i64 0, i64 %v378 acq_rel acquire
%v380 = extractvalue { i64, i1 } %v379, 0
%v381 = extractvalue { i64, i1 } %v379, 1
br label %end99
else98:
br label %end99
end99:
store i32 8064, ptr %s11, align 4
call void @llvm.x86.sse.ldmxcsr(ptr %s11)
br label %end96
else95:
%v382 = load ptr, ptr %v74, align 8
%v383 = getelementptr i64, ptr %v74, i64 1
%v384 = load i64, ptr %v383, align 8
%v385 = select i1 %v87, ptr %v49, ptr %v4
%v386 = getelementptr i64, ptr %v385, i64 %v384
call void %v382(ptr %v386, i64 0, i64 %v81, ptr %v20)
br label %end96
end96:
br label %end93
else92:
br label %end93
end93:
%v387 = icmp ne i64 %v14, 0
br i1 %v387, label %then100, label %else101
then100:
%v388 = inttoptr i64 %v14 to ptr
%v389 = mul i64 %v70, 2
%v390 = add i64 %v389, 1
%v391 = getelementptr i64, ptr %v388, i64 %v390
%v392 = load i64, ptr %v391, align 8
%v393 = call i64 @rlx_now()
%v394 = add i64 %v392, %v393
%v395 = getelementptr i64, ptr %v388, i64 %v390
store i64 %v394, ptr %v395, align 8
br label %end102
else101:
br label %end102
end102:
%v396 = load i64, ptr %s7
%v397 = add i64 %v396, %v81
store i64 %v397, ptr %s7
br label %end87
else86:
br label %end87
end87:
br label %end84
else83:
%v398 = load i64, ptr %s7
%v399 = icmp sgt i64 %v398, 0
br i1 %v399, label %then103, label %else104
then103:
%v400 = load i64, ptr %s7
%v401 = load i64, ptr %s4
%v402 = add i64 %v401, %v400
store i64 %v402, ptr %s4
%v403 = load i64, ptr %s4
%v404 = mul i64 %thread, 32
%v405 = getelementptr i64, ptr %v66, i64 %v404
store atomic i64 %v403, ptr %v405 seq_cst, align 8
%v406 = getelementptr i64, ptr %job, i64 16
%v407 = getelementptr i64, ptr %v406, i64 8
%v408 = load atomic i64, ptr %v407 seq_cst, align 8
%v409 = icmp sgt i64 %v408, 0
br i1 %v409, label %then106, label %else107
then106:
%v410 = atomicrmw add ptr %v406, i64 1 seq_cst
call void @rlx_wake(ptr %v406, i64 2147483647)
br label %end108
else107:
br label %end108
end108:
store i64 0, ptr %s7
br label %end105
else104:
br label %end105
end105:
%v411 = load i64, ptr %s6
%v412 = getelementptr i64, ptr %job, i64 16
%v413 = call i64 @rlx_wait_for_units(ptr %v66, i64 %v68, ptr %v412, i64 %v411)
%v414 = icmp ne i64 %v14, 0
br i1 %v414, label %then109, label %else110
then109:
%v415 = inttoptr i64 %v14 to ptr
%v416 = mul i64 %v70, 2
%v417 = getelementptr i64, ptr %v415, i64 %v416
%v418 = load i64, ptr %v417, align 8
%v419 = call i64 @rlx_now()
%v420 = add i64 %v418, %v419
%v421 = getelementptr i64, ptr %v415, i64 %v416
store i64 %v420, ptr %v421, align 8
br label %end111
else110:
br label %end111
end111:
%v422 = load atomic i64, ptr %v8 acquire, align 8
%v423 = icmp eq i64 %v422, 0
%v424 = getelementptr i64, ptr %v74, i64 6
%v425 = load i64, ptr %v424, align 8
%v426 = select i1 %v423, i64 %v425, i64 %v81
store i64 0, ptr %s12
%v427 = and i64 %v76, 8
%v428 = icmp ne i64 %v427, 0
br i1 %v428, label %then112, label %else113
then112:
%v429 = sub i64 %v68, 1
%v430 = add i64 %v81, %v429
%v431 = udiv i64 %v430, %v68
%v432 = sub i64 %v425, 1
%v433 = add i64 %v431, %v432
%v434 = udiv i64 %v433, %v425
%v435 = icmp slt i64 0, %v68
br i1 %v435, label %guard117, label %end116
guard117:
br label %loop115
loop115:
%v436 = phi i64 [ 0, %guard117 ], [ %v470, %end119 ]
%v437 = add i64 %v69, %v436
%v438 = icmp slt i64 %v437, %v68
%v439 = sub i64 %v437, %v68
%v440 = select i1 %v438, i64 %v437, i64 %v439
%v441 = add i64 %v440, 1
%v442 = mul i64 %v440, %v431
%v443 = call i64 @llvm.smin.i64(i64 %v442, i64 %v81)
%v444 = add i64 %v349, %v443
%v445 = mul i64 %v441, %v431
%v446 = call i64 @llvm.smin.i64(i64 %v445, i64 %v81)
%v447 = add i64 %v349, %v446
%v448 = mul i64 %v440, 32
%v449 = add i64 %v448, 16
br label %head118
head118:
%v450 = getelementptr i64, ptr %v66, i64 %v449
%v451 = load atomic i64, ptr %v450 acquire, align 8
%v452 = call i64 @llvm.smax.i64(i64 %v451, i64 %v444)
%v453 = icmp sge i64 %v452, %v447
br i1 %v453, label %end119, label %next120
next120:
%v454 = add i64 %v452, %v434
%v455 = call i64 @llvm.smin.i64(i64 %v454, i64 %v447)
%v456 = getelementptr i64, ptr %v66, i64 %v449
%v457 = cmpxchg ptr %v456, i64 %v451, i64 %v455 acq_rel acquire
%v458 = extractvalue { i64, i1 } %v457, 0
%v459 = extractvalue { i64, i1 } %v457, 1
br i1 %v459, label %then121, label %else122
then121:
%v460 = sub i64 %v452, %v349
%v461 = sub i64 %v455, %v349
br i1 %v423, label %then124, label %else125
then124:
%v462 = load ptr, ptr %v74, align 8
%v463 = getelementptr i64, ptr %v74, i64 1
%v464 = load i64, ptr %v463, align 8
%v465 = select i1 %v87, ptr %v49, ptr %v4
%v466 = getelementptr i64, ptr %v465, i64 %v464
call void %v462(ptr %v466, i64 %v460, i64 %v461, ptr %v20)
br label %end126
else125:
br label %end126
end126:
%v467 = load i64, ptr %s12
%v468 = add i64 %v467, %v461
%v469 = sub i64 %v468, %v460
store i64 %v469, ptr %s12
br label %end123
else122:
br label %end123
end123:
br label %head118
end119:
%v470 = add i64 %v436, 1
%v471 = icmp slt i64 %v470, %v68
br i1 %v471, label %loop115, label %end116
end116:
br label %end114
else113:
br i1 %v87, label %then127, label %else128
then127:
br label %head130
head130:
%v472 = getelementptr i64, ptr %v74, i64 4
%v473 = load atomic i64, ptr %v472 acquire, align 8
%v474 = call i64 @llvm.smax.i64(i64 %v473, i64 %v349)
%v475 = add i64 %v349, %v81
%v476 = icmp sge i64 %v474, %v475
br i1 %v476, label %end131, label %next132
next132:
%v477 = add i64 %v474, %v426
%v478 = add i64 %v349, %v81
%v479 = call i64 @llvm.smin.i64(i64 %v477, i64 %v478)
%v480 = getelementptr i64, ptr %v74, i64 4
%v481 = cmpxchg ptr %v480, i64 %v473, i64 %v479 acq_rel acquire
%v482 = extractvalue { i64, i1 } %v481, 0
%v483 = extractvalue { i64, i1 } %v481, 1
br i1 %v483, label %then133, label %else134
then133:
%v484 = sub i64 %v474, %v349
%v485 = sub i64 %v479, %v349
br i1 %v423, label %then136, label %else137
then136:
%v486 = load ptr, ptr %v74, align 8
%v487 = getelementptr i64, ptr %v74, i64 1
%v488 = load i64, ptr %v487, align 8
%v489 = select i1 %v87, ptr %v49, ptr %v4
%v490 = getelementptr i64, ptr %v489, i64 %v488
call void %v486(ptr %v490, i64 %v484, i64 %v485, ptr %v20)
br label %end138
else137:
br label %end138
end138:
%v491 = load i64, ptr %s12
%v492 = add i64 %v491, %v485
%v493 = sub i64 %v492, %v484
store i64 %v493, ptr %s12
br label %end135
else134:
br label %end135
end135:
br label %head130
end131:
br label %end129
else128:
br label %head139
head139:
%v494 = getelementptr i64, ptr %v74, i64 4
%v495 = load atomic i64, ptr %v494 monotonic, align 8
%v496 = icmp sge i64 %v495, %v81
br i1 %v496, label %end140, label %next141
next141:
%v497 = getelementptr i64, ptr %v74, i64 4
%v498 = atomicrmw add ptr %v497, i64 %v426 monotonic
%v499 = icmp sge i64 %v498, %v81
br i1 %v499, label %end140, label %next142
next142:
%v500 = add i64 %v498, %v426
%v501 = call i64 @llvm.smin.i64(i64 %v500, i64 %v81)
br i1 %v423, label %then143, label %else144
then143:
%v502 = load ptr, ptr %v74, align 8
%v503 = getelementptr i64, ptr %v74, i64 1
%v504 = load i64, ptr %v503, align 8
%v505 = select i1 %v87, ptr %v49, ptr %v4
%v506 = getelementptr i64, ptr %v505, i64 %v504
call void %v502(ptr %v506, i64 %v498, i64 %v501, ptr %v20)
br label %end145
else144:
br label %end145
end145:
%v507 = load i64, ptr %s12
%v508 = add i64 %v507, %v501
%v509 = sub i64 %v508, %v498
store i64 %v509, ptr %s12
br label %head139
end140:
br label %end129
end129:
br label %end114
end114:
%v510 = load i64, ptr %s12
%v511 = icmp sgt i64 %v510, 0
br i1 %v511, label %then146, label %else147
then146:
%v512 = load i64, ptr %s4
%v513 = add i64 %v512, %v510
store i64 %v513, ptr %s4
%v514 = load i64, ptr %s4
%v515 = mul i64 %thread, 32
%v516 = getelementptr i64, ptr %v66, i64 %v515
store atomic i64 %v514, ptr %v516 seq_cst, align 8
%v517 = getelementptr i64, ptr %job, i64 16
%v518 = getelementptr i64, ptr %v517, i64 8
%v519 = load atomic i64, ptr %v518 seq_cst, align 8
%v520 = icmp sgt i64 %v519, 0
br i1 %v520, label %then149, label %else150
then149:
%v521 = atomicrmw add ptr %v517, i64 1 seq_cst
call void @rlx_wake(ptr %v517, i64 2147483647)
br label %end151
else150:
br label %end151
end151:
br label %end148
else147:
br label %end148
end148:
%v522 = icmp ne i64 %v14, 0
br i1 %v522, label %then152, label %else153
then152:
%v523 = getelementptr i64, ptr %job, i64 16
%v524 = call i64 @rlx_wait_for_units(ptr %v66, i64 %v68, ptr %v523, i64 %v350)
br label %end154
else153:
br label %end154
end154:
%v525 = icmp ne i64 %v14, 0
br i1 %v525, label %then155, label %else156
then155:
%v526 = inttoptr i64 %v14 to ptr
%v527 = mul i64 %v70, 2
%v528 = add i64 %v527, 1
%v529 = getelementptr i64, ptr %v526, i64 %v528
%v530 = load i64, ptr %v529, align 8
%v531 = call i64 @rlx_now()
%v532 = add i64 %v530, %v531
%v533 = getelementptr i64, ptr %v526, i64 %v528
store i64 %v532, ptr %v533, align 8
br label %end157
else156:
br label %end157
end157:
br label %end84
end84:
br label %end21
end21:
br label %head16
end17:
ret void
}

define internal i64 @rlx_wait_for_units(ptr %records, i64 %threads, ptr %signal, i64 %target) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%s2 = alloca i64
%s3 = alloca i64
%s4 = alloca i64
store i64 0, ptr %s0
%v0 = icmp slt i64 0, %threads
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ 0, %guard3 ], [ %v7, %loop1 ]
%v2 = mul i64 %v1, 32
%v3 = load i64, ptr %s0
%v4 = getelementptr i64, ptr %records, i64 %v2
%v5 = load atomic i64, ptr %v4 acquire, align 8
%v6 = add i64 %v3, %v5
store i64 %v6, ptr %s0
%v7 = add i64 %v1, 1
%v8 = icmp slt i64 %v7, %threads
br i1 %v8, label %loop1, label %end2
end2:
%v9 = load i64, ptr %s0
%v10 = icmp sge i64 %v9, %target
br i1 %v10, label %then4, label %else5
then4:
ret i64 %v9
unreachable7:
br label %end6
else5:
br label %end6
end6:
br label %head8
head8:
store i64 0, ptr %s1
br label %head10
head10:
br label %loop12
loop12:
%v11 = phi i64 [ 0, %head10 ], [ %v23, %end19 ]
call void @llvm.x86.sse2.pause()
store i64 0, ptr %s2
%v12 = icmp slt i64 0, %threads
br i1 %v12, label %guard16, label %end15
guard16:
br label %loop14
loop14:
%v13 = phi i64 [ 0, %guard16 ], [ %v19, %loop14 ]
%v14 = mul i64 %v13, 32
%v15 = load i64, ptr %s2
%v16 = getelementptr i64, ptr %records, i64 %v14
%v17 = load atomic i64, ptr %v16 acquire, align 8
%v18 = add i64 %v15, %v17
store i64 %v18, ptr %s2
%v19 = add i64 %v13, 1
%v20 = icmp slt i64 %v19, %threads
br i1 %v20, label %loop14, label %end15
end15:
%v21 = load i64, ptr %s2
%v22 = icmp sge i64 %v21, %target
br i1 %v22, label %then17, label %else18
then17:
ret i64 %v21
unreachable20:
br label %end19
else18:
br label %end19
end19:
%v23 = add i64 %v11, 1
%v24 = icmp slt i64 %v23, 64
br i1 %v24, label %loop12, label %end13
end13:
%v25 = call i64 @rlx_now()
%v26 = load i64, ptr %s1
%v27 = icmp eq i64 %v26, 0
br i1 %v27, label %then21, label %else22
then21:
store i64 %v25, ptr %s1
br label %end23
else22:
br label %end23
end23:
%v28 = load i64, ptr %s1
%v29 = sub i64 %v25, %v28
%v30 = icmp sgt i64 %v29, 50000
br i1 %v30, label %then24, label %else25
then24:
call void @rlx_yield()
br label %end26
else25:
br label %end26
end26:
%v31 = icmp sgt i64 %v29, 150000
br i1 %v31, label %end11, label %next27
next27:
br label %head10
end11:
%v32 = getelementptr i64, ptr %signal, i64 8
%v33 = atomicrmw add ptr %v32, i64 1 seq_cst
%v34 = load atomic i64, ptr %signal seq_cst, align 8
store i64 0, ptr %s3
%v35 = icmp slt i64 0, %threads
br i1 %v35, label %guard30, label %end29
guard30:
br label %loop28
loop28:
%v36 = phi i64 [ 0, %guard30 ], [ %v42, %loop28 ]
%v37 = mul i64 %v36, 32
%v38 = load i64, ptr %s3
%v39 = getelementptr i64, ptr %records, i64 %v37
%v40 = load atomic i64, ptr %v39 seq_cst, align 8
%v41 = add i64 %v38, %v40
store i64 %v41, ptr %s3
%v42 = add i64 %v36, 1
%v43 = icmp slt i64 %v42, %threads
br i1 %v43, label %loop28, label %end29
end29:
%v44 = load i64, ptr %s3
%v45 = icmp slt i64 %v44, %target
br i1 %v45, label %then31, label %else32
then31:
call void @rlx_wait(ptr %signal, i64 %v34)
br label %end33
else32:
br label %end33
end33:
%v46 = getelementptr i64, ptr %signal, i64 8
%v47 = atomicrmw add ptr %v46, i64 -1 seq_cst
store i64 0, ptr %s4
%v48 = icmp slt i64 0, %threads
br i1 %v48, label %guard36, label %end35
guard36:
br label %loop34
loop34:
%v49 = phi i64 [ 0, %guard36 ], [ %v55, %loop34 ]
%v50 = mul i64 %v49, 32
%v51 = load i64, ptr %s4
%v52 = getelementptr i64, ptr %records, i64 %v50
%v53 = load atomic i64, ptr %v52 acquire, align 8
%v54 = add i64 %v51, %v53
store i64 %v54, ptr %s4
%v55 = add i64 %v49, 1
%v56 = icmp slt i64 %v55, %threads
br i1 %v56, label %loop34, label %end35
end35:
%v57 = load i64, ptr %s4
%v58 = icmp sge i64 %v57, %target
br i1 %v58, label %then37, label %else38
then37:
ret i64 %v57
unreachable40:
br label %end39
else38:
br label %end39
end39:
br label %head8
end9:
ret i64 0
}

define i64 @rlx_run(ptr %job, ptr %pool) nounwind {
entry:
%s0 = alloca [1 x i32], align 64
%s1 = alloca [1 x i32], align 64
%s2 = alloca [1 x i32], align 64
%s3 = alloca i64
%s4 = alloca [1 x i32], align 64
call void @llvm.x86.sse.stmxcsr(ptr %s0)
%v0 = load i32, ptr %s0, align 4
%v1 = sext i32 %v0 to i64
store i32 8064, ptr %s1, align 4
call void @llvm.x86.sse.ldmxcsr(ptr %s1)
%v2 = call i64 @rlx_prepare(ptr %job)
%v3 = icmp eq i64 %v2, 0
br i1 %v3, label %then1, label %else2
then1:
%v4 = trunc i64 %v1 to i32
store i32 %v4, ptr %s2, align 4
call void @llvm.x86.sse.ldmxcsr(ptr %s2)
ret i64 -1
unreachable4:
br label %end3
else2:
br label %end3
end3:
store i64 0, ptr %s3
%v5 = icmp sgt i64 %v2, 1
%v6 = ptrtoint ptr %pool to i64
%v7 = icmp ne i64 %v6, 0
%v8 = and i1 %v5, %v7
br i1 %v8, label %then5, label %else6
then5:
%v9 = getelementptr i64, ptr %pool, i64 67
%v10 = load atomic i64, ptr %v9 acquire, align 8
%v11 = call i64 @rlx_self()
%v12 = icmp eq i64 %v10, %v11
%v13 = select i1 %v12, i64 0, i64 1
store i64 %v13, ptr %s3
br label %end7
else6:
br label %end7
end7:
%v14 = load i64, ptr %s3
%v15 = icmp ne i64 %v14, 0
br i1 %v15, label %then8, label %else9
then8:
call void @rlx_run_shared(ptr %job, ptr %pool, i64 %v2)
br label %end10
else9:
call void @rlx_walk_alone(ptr %job)
br label %end10
end10:
%v16 = trunc i64 %v1 to i32
store i32 %v16, ptr %s4, align 4
call void @llvm.x86.sse.ldmxcsr(ptr %s4)
%v17 = getelementptr ptr, ptr %job, i64 9
%v18 = load ptr, ptr %v17, align 8
%v19 = load i64, ptr %v18, align 8
ret i64 %v19
unreachable11:
ret i64 0
}

define internal void @rlx_run_shared(ptr %job, ptr %pool, i64 %useful) nounwind {
entry:
%v0 = getelementptr i64, ptr %pool, i64 32
%v1 = getelementptr i64, ptr %pool, i64 56
%v2 = atomicrmw add ptr %v1, i64 1 acq_rel
%v3 = call i64 @rlx_wait_for(ptr %v0, i64 %v2)
%v4 = call i64 @rlx_self()
%v5 = getelementptr i64, ptr %pool, i64 67
store atomic i64 %v4, ptr %v5 release, align 8
%v6 = sub i64 %useful, 1
%v7 = getelementptr i64, ptr %pool, i64 65
%v8 = load i64, ptr %v7, align 8
%v9 = call i64 @llvm.smin.i64(i64 %v6, i64 %v8)
%v10 = icmp sgt i64 %v9, 0
br i1 %v10, label %then1, label %else2
then1:
call void @rlx_open(ptr %pool, ptr %job, i64 %v9)
call void @rlx_walk(ptr %job, i64 0, i64 0)
%v11 = getelementptr i64, ptr %pool, i64 48
%v12 = atomicrmw xchg ptr %v11, i64 0 acq_rel
%v13 = getelementptr i64, ptr %pool, i64 16
%v14 = and i64 %v12, 4294967295
%v15 = call i64 @llvm.smin.i64(i64 %v14, i64 %v9)
%v16 = call i64 @rlx_wait_for(ptr %v13, i64 %v15)
br label %end3
else2:
call void @rlx_walk_alone(ptr %job)
br label %end3
end3:
%v17 = getelementptr i64, ptr %pool, i64 67
store atomic i64 0, ptr %v17 release, align 8
%v18 = getelementptr i64, ptr %pool, i64 32
call void @rlx_signal(ptr %v18, i64 1)
ret void
}

define internal void @rlx_open(ptr %pool, ptr %job, i64 %seats) nounwind {
entry:
%v0 = getelementptr ptr, ptr %pool, i64 64
store ptr %job, ptr %v0, align 8
%v1 = getelementptr i64, ptr %pool, i64 16
store i64 0, ptr %v1, align 8
call void @rlx_wake_from_here(ptr %pool)
%v2 = shl i64 %seats, 32
%v3 = getelementptr i64, ptr %pool, i64 48
store atomic i64 %v2, ptr %v3 release, align 8
%v4 = atomicrmw add ptr %pool, i64 1 seq_cst
%v5 = getelementptr i64, ptr %pool, i64 8
%v6 = load atomic i64, ptr %v5 seq_cst, align 8
%v7 = getelementptr i64, ptr %pool, i64 65
%v8 = load i64, ptr %v7, align 8
%v9 = sub i64 %v8, %v6
%v10 = sub i64 %seats, %v9
%v11 = icmp sgt i64 %v10, 0
br i1 %v11, label %then1, label %else2
then1:
call void @rlx_wake(ptr %pool, i64 %v10)
br label %end3
else2:
br label %end3
end3:
ret void
}

define void @rlx_worker(ptr %pool, i64 %number) nounwind {
entry:
%s0 = alloca [1 x i32], align 64
%s1 = alloca i64
store i32 8064, ptr %s0, align 4
call void @llvm.x86.sse.ldmxcsr(ptr %s0)
store i64 0, ptr %s1
br label %head1
head1:
%v0 = load i64, ptr %s1
%v1 = add i64 %v0, 1
%v2 = call i64 @rlx_wait_for(ptr %pool, i64 %v1)
store i64 %v2, ptr %s1
%v3 = getelementptr i64, ptr %pool, i64 66
%v4 = load atomic i64, ptr %v3 acquire, align 8
%v5 = icmp ne i64 %v4, 0
br i1 %v5, label %end2, label %next3
next3:
%v6 = getelementptr i64, ptr %pool, i64 48
%v7 = load atomic i64, ptr %v6 acquire, align 8
%v8 = and i64 %v7, 4294967295
%v9 = lshr i64 %v7, 32
%v10 = icmp slt i64 %v8, %v9
br i1 %v10, label %then4, label %else5
then4:
%v11 = getelementptr i64, ptr %pool, i64 48
%v12 = atomicrmw add ptr %v11, i64 1 acq_rel
%v13 = and i64 %v12, 4294967295
%v14 = lshr i64 %v12, 32
%v15 = icmp slt i64 %v13, %v14
br i1 %v15, label %then7, label %else8
then7:
%v16 = getelementptr ptr, ptr %pool, i64 64
%v17 = load ptr, ptr %v16, align 8
%v18 = add i64 %v13, 1
call void @rlx_walk(ptr %v17, i64 %v18, i64 %number)
%v19 = getelementptr i64, ptr %pool, i64 16
call void @rlx_signal(ptr %v19, i64 1)
br label %end9
else8:
br label %end9
end9:
br label %end6
else5:
br label %end6
end6:
br label %head1
end2:
ret void
}

define i64 @rlx_stop(ptr %pool) nounwind {
entry:
%v0 = getelementptr i64, ptr %pool, i64 67
%v1 = load atomic i64, ptr %v0 acquire, align 8
%v2 = call i64 @rlx_self()
%v3 = icmp eq i64 %v1, %v2
br i1 %v3, label %then1, label %else2
then1:
ret i64 0
unreachable4:
br label %end3
else2:
br label %end3
end3:
%v4 = getelementptr i64, ptr %pool, i64 32
%v5 = getelementptr i64, ptr %pool, i64 56
%v6 = atomicrmw add ptr %v5, i64 1 acq_rel
%v7 = call i64 @rlx_wait_for(ptr %v4, i64 %v6)
%v8 = call i64 @rlx_self()
%v9 = getelementptr i64, ptr %pool, i64 67
store atomic i64 %v8, ptr %v9 release, align 8
%v10 = getelementptr i64, ptr %pool, i64 65
store i64 0, ptr %v10, align 8
%v11 = getelementptr i64, ptr %pool, i64 66
store atomic i64 1, ptr %v11 release, align 8
call void @rlx_signal(ptr %pool, i64 1)
%v12 = getelementptr i64, ptr %pool, i64 67
store atomic i64 0, ptr %v12 release, align 8
%v13 = getelementptr i64, ptr %pool, i64 32
call void @rlx_signal(ptr %v13, i64 1)
ret i64 1
unreachable5:
ret i64 0
}

