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

define internal void @rlx_walk(ptr %job, i64 %thread) nounwind {
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
store i64 0, ptr %s4
store i64 0, ptr %s5
store i64 0, ptr %s6
store i64 0, ptr %s7
br label %head16
head16:
%v69 = load i64, ptr %s3
%v70 = icmp sge i64 %v69, %v0
br i1 %v70, label %end17, label %next18
next18:
%v71 = add i64 %v69, 1
store i64 %v71, ptr %s3
%v72 = mul i64 %v69, 8
%v73 = getelementptr i64, ptr %v2, i64 %v72
%v74 = getelementptr i64, ptr %v73, i64 3
%v75 = load i64, ptr %v74, align 8
%v76 = getelementptr i64, ptr %v73, i64 2
%v77 = load i64, ptr %v76, align 8
%v78 = getelementptr i64, ptr %v6, i64 %v77
%v79 = load i64, ptr %v78, align 8
%v80 = call i64 @llvm.smax.i64(i64 %v79, i64 0)
%v81 = and i64 %v75, 2
%v82 = icmp ne i64 %v81, 0
%v83 = and i64 %v75, 3840
%v84 = icmp ne i64 %v83, 0
%v85 = and i64 %v75, 4
%v86 = icmp ne i64 %v85, 0
%v87 = icmp sle i64 %v80, 1
%v88 = or i1 %v87, %v82
%v89 = or i1 %v88, %v84
br i1 %v84, label %then19, label %else20
then19:
%v90 = mul i64 %v69, 8
%v91 = getelementptr i64, ptr %v22, i64 %v90
%v92 = getelementptr i64, ptr %v91, i64 3
%v93 = load i64, ptr %v92, align 8
%v94 = getelementptr i64, ptr %v91, i64 7
%v95 = load i64, ptr %v94, align 8
%v96 = and i64 %v93, 256
%v97 = icmp ne i64 %v96, 0
br i1 %v97, label %then22, label %else23
then22:
%v98 = getelementptr i64, ptr %v91, i64 2
%v99 = load i64, ptr %v98, align 8
%v100 = getelementptr i64, ptr %v24, i64 %v99
%v101 = load i64, ptr %v100, align 8
%v102 = icmp sgt i64 %v101, 0
br i1 %v102, label %then25, label %else26
then25:
%v103 = getelementptr i64, ptr %v91, i64 5
%v104 = load i64, ptr %v103, align 8
%v105 = getelementptr i64, ptr %v48, i64 %v104
store i64 0, ptr %v105, align 8
%v106 = sub i64 %v101, 1
%v107 = getelementptr i64, ptr %v91, i64 1
%v108 = load i64, ptr %v107, align 8
%v109 = getelementptr i64, ptr %v91, i64 6
%v110 = load i64, ptr %v109, align 8
%v111 = add i64 %v108, %v110
%v112 = icmp slt i64 %v108, %v111
br i1 %v112, label %guard30, label %end29
guard30:
br label %loop28
loop28:
%v113 = phi i64 [ %v108, %guard30 ], [ %v134, %loop28 ]
%v114 = mul i64 %v113, 4
%v115 = getelementptr i64, ptr %v32, i64 %v114
%v116 = load i64, ptr %v115, align 8
%v117 = mul i64 %v113, 4
%v118 = add i64 %v117, 1
%v119 = getelementptr i64, ptr %v32, i64 %v118
%v120 = load i64, ptr %v119, align 8
%v121 = mul i64 %v113, 4
%v122 = add i64 %v121, 2
%v123 = getelementptr i64, ptr %v32, i64 %v122
%v124 = load i64, ptr %v123, align 8
%v125 = getelementptr i64, ptr %v24, i64 %v120
%v126 = load i64, ptr %v125, align 8
%v127 = icmp ne i64 %v124, 0
%v128 = select i1 %v127, i64 %v106, i64 0
%v129 = mul i64 %v126, %v128
%v130 = getelementptr i64, ptr %v49, i64 %v116
%v131 = load i64, ptr %v130, align 8
%v132 = add i64 %v131, %v129
%v133 = getelementptr i64, ptr %v49, i64 %v116
store i64 %v132, ptr %v133, align 8
%v134 = add i64 %v113, 1
%v135 = icmp slt i64 %v134, %v111
br i1 %v135, label %loop28, label %end29
end29:
br label %end27
else26:
store i64 %v95, ptr %s3
br label %end27
end27:
br label %end24
else23:
br label %end24
end24:
%v136 = and i64 %v93, 512
%v137 = icmp ne i64 %v136, 0
br i1 %v137, label %then31, label %else32
then31:
%v138 = mul i64 %v95, 8
%v139 = getelementptr i64, ptr %v22, i64 %v138
%v140 = getelementptr i64, ptr %v139, i64 2
%v141 = load i64, ptr %v140, align 8
%v142 = getelementptr i64, ptr %v24, i64 %v141
%v143 = load i64, ptr %v142, align 8
%v144 = getelementptr i64, ptr %v139, i64 5
%v145 = load i64, ptr %v144, align 8
%v146 = getelementptr i64, ptr %v48, i64 %v145
%v147 = load i64, ptr %v146, align 8
%v148 = add i64 %v147, 1
%v149 = icmp slt i64 %v148, %v143
br i1 %v149, label %then34, label %else35
then34:
%v150 = getelementptr i64, ptr %v48, i64 %v145
store i64 %v148, ptr %v150, align 8
%v151 = getelementptr i64, ptr %v139, i64 1
%v152 = load i64, ptr %v151, align 8
%v153 = getelementptr i64, ptr %v139, i64 6
%v154 = load i64, ptr %v153, align 8
%v155 = add i64 %v152, %v154
%v156 = icmp slt i64 %v152, %v155
br i1 %v156, label %guard39, label %end38
guard39:
br label %loop37
loop37:
%v157 = phi i64 [ %v152, %guard39 ], [ %v178, %loop37 ]
%v158 = mul i64 %v157, 4
%v159 = getelementptr i64, ptr %v32, i64 %v158
%v160 = load i64, ptr %v159, align 8
%v161 = mul i64 %v157, 4
%v162 = add i64 %v161, 1
%v163 = getelementptr i64, ptr %v32, i64 %v162
%v164 = load i64, ptr %v163, align 8
%v165 = mul i64 %v157, 4
%v166 = add i64 %v165, 2
%v167 = getelementptr i64, ptr %v32, i64 %v166
%v168 = load i64, ptr %v167, align 8
%v169 = getelementptr i64, ptr %v24, i64 %v164
%v170 = load i64, ptr %v169, align 8
%v171 = icmp ne i64 %v168, 0
%v172 = select i1 %v171, i64 -1, i64 1
%v173 = mul i64 %v170, %v172
%v174 = getelementptr i64, ptr %v49, i64 %v160
%v175 = load i64, ptr %v174, align 8
%v176 = add i64 %v175, %v173
%v177 = getelementptr i64, ptr %v49, i64 %v160
store i64 %v176, ptr %v177, align 8
%v178 = add i64 %v157, 1
%v179 = icmp slt i64 %v178, %v155
br i1 %v179, label %loop37, label %end38
end38:
%v180 = add i64 %v95, 1
store i64 %v180, ptr %s3
br label %end36
else35:
%v181 = getelementptr i64, ptr %v48, i64 %v145
store i64 -1, ptr %v181, align 8
%v182 = sub i64 1, %v143
%v183 = getelementptr i64, ptr %v139, i64 1
%v184 = load i64, ptr %v183, align 8
%v185 = getelementptr i64, ptr %v139, i64 6
%v186 = load i64, ptr %v185, align 8
%v187 = add i64 %v184, %v186
%v188 = icmp slt i64 %v184, %v187
br i1 %v188, label %guard42, label %end41
guard42:
br label %loop40
loop40:
%v189 = phi i64 [ %v184, %guard42 ], [ %v210, %loop40 ]
%v190 = mul i64 %v189, 4
%v191 = getelementptr i64, ptr %v32, i64 %v190
%v192 = load i64, ptr %v191, align 8
%v193 = mul i64 %v189, 4
%v194 = add i64 %v193, 1
%v195 = getelementptr i64, ptr %v32, i64 %v194
%v196 = load i64, ptr %v195, align 8
%v197 = mul i64 %v189, 4
%v198 = add i64 %v197, 2
%v199 = getelementptr i64, ptr %v32, i64 %v198
%v200 = load i64, ptr %v199, align 8
%v201 = getelementptr i64, ptr %v24, i64 %v196
%v202 = load i64, ptr %v201, align 8
%v203 = icmp ne i64 %v200, 0
%v204 = select i1 %v203, i64 0, i64 %v182
%v205 = mul i64 %v202, %v204
%v206 = getelementptr i64, ptr %v49, i64 %v192
%v207 = load i64, ptr %v206, align 8
%v208 = add i64 %v207, %v205
%v209 = getelementptr i64, ptr %v49, i64 %v192
store i64 %v208, ptr %v209, align 8
%v210 = add i64 %v189, 1
%v211 = icmp slt i64 %v210, %v187
br i1 %v211, label %loop40, label %end41
end41:
br label %end36
end36:
br label %end33
else32:
br label %end33
end33:
%v212 = and i64 %v93, 2048
%v213 = icmp ne i64 %v212, 0
br i1 %v213, label %then43, label %else44
then43:
store i64 %v95, ptr %s3
br label %end45
else44:
br label %end45
end45:
%v214 = and i64 %v93, 1024
%v215 = icmp ne i64 %v214, 0
br i1 %v215, label %then46, label %else47
then46:
%v216 = load i64, ptr %s0
%v217 = add i64 %v216, 1
store i64 %v217, ptr %s0
br i1 %v64, label %then49, label %else50
then49:
%v218 = load i64, ptr %s5
%v219 = load i64, ptr %s7
%v220 = sub i64 %v218, %v219
%v221 = getelementptr i64, ptr %job, i64 16
%v222 = call i64 @rlx_wait_for_units(ptr %v66, i64 %v68, ptr %v221, i64 %v220)
%v223 = getelementptr i64, ptr %v91, i64 1
%v224 = load i64, ptr %v223, align 8
%v225 = getelementptr ptr, ptr %v49, i64 %v224
%v226 = load ptr, ptr %v225, align 8
%v227 = load atomic i64, ptr %v30 acquire, align 8
%v228 = icmp eq i64 %v227, 0
%v229 = load i8, ptr %v226, align 1
%v230 = icmp ne i8 %v229, 0
%v231 = and i1 %v230, %v228
%v232 = load i64, ptr %s3
%v233 = select i1 %v231, i64 %v232, i64 %v95
store i64 %v233, ptr %s3
%v234 = load i64, ptr %v34, align 8
%v235 = add i64 %v234, 1
store atomic i64 %v235, ptr %v34 release, align 8
fence seq_cst
%v236 = load i64, ptr %s0
%v237 = getelementptr i64, ptr %v34, i64 1
store atomic i64 %v236, ptr %v237 monotonic, align 8
%v238 = load i64, ptr %s5
%v239 = getelementptr i64, ptr %v34, i64 2
store atomic i64 %v238, ptr %v239 monotonic, align 8
%v240 = load i64, ptr %s3
%v241 = getelementptr i64, ptr %v34, i64 3
store atomic i64 %v240, ptr %v241 monotonic, align 8
%v242 = icmp slt i64 0, %v41
br i1 %v242, label %guard54, label %end53
guard54:
br label %loop52
loop52:
%v243 = phi i64 [ 0, %guard54 ], [ %v248, %loop52 ]
%v244 = getelementptr i64, ptr %v48, i64 %v243
%v245 = load i64, ptr %v244, align 8
%v246 = add i64 %v243, 7
%v247 = getelementptr i64, ptr %v34, i64 %v246
store atomic i64 %v245, ptr %v247 monotonic, align 8
%v248 = add i64 %v243, 1
%v249 = icmp slt i64 %v248, %v41
br i1 %v249, label %loop52, label %end53
end53:
%v250 = add i64 %v234, 2
store atomic i64 %v250, ptr %v34 release, align 8
%v251 = getelementptr i64, ptr %job, i64 32
call void @rlx_signal(ptr %v251, i64 1)
br label %end51
else50:
%v252 = getelementptr i64, ptr %job, i64 32
%v253 = load i64, ptr %s0
%v254 = call i64 @rlx_wait_for(ptr %v252, i64 %v253)
store i64 0, ptr %s8
br label %head55
head55:
%v255 = load atomic i64, ptr %v34 acquire, align 8
%v256 = getelementptr i64, ptr %v34, i64 1
%v257 = load atomic i64, ptr %v256 monotonic, align 8
store i64 %v257, ptr %s8
%v258 = getelementptr i64, ptr %v34, i64 3
%v259 = load atomic i64, ptr %v258 monotonic, align 8
store i64 %v259, ptr %s3
%v260 = getelementptr i64, ptr %v34, i64 2
%v261 = load atomic i64, ptr %v260 monotonic, align 8
store i64 %v261, ptr %s5
%v262 = load i64, ptr %s8
%v263 = load i64, ptr %s0
%v264 = icmp ne i64 %v262, %v263
br i1 %v264, label %then57, label %else58
then57:
%v265 = icmp slt i64 0, %v41
br i1 %v265, label %guard62, label %end61
guard62:
br label %loop60
loop60:
%v266 = phi i64 [ 0, %guard62 ], [ %v271, %loop60 ]
%v267 = add i64 %v266, 7
%v268 = getelementptr i64, ptr %v34, i64 %v267
%v269 = load atomic i64, ptr %v268 monotonic, align 8
%v270 = getelementptr i64, ptr %v48, i64 %v266
store i64 %v269, ptr %v270, align 8
%v271 = add i64 %v266, 1
%v272 = icmp slt i64 %v271, %v41
br i1 %v272, label %loop60, label %end61
end61:
br label %end59
else58:
br label %end59
end59:
fence seq_cst
%v273 = load atomic i64, ptr %v34 acquire, align 8
%v274 = icmp eq i64 %v273, %v255
%v275 = and i64 %v273, 1
%v276 = icmp eq i64 %v275, 0
%v277 = and i1 %v274, %v276
br i1 %v277, label %end56, label %next63
next63:
call void @llvm.x86.sse2.pause()
br label %head55
end56:
%v278 = load i64, ptr %s8
%v279 = load i64, ptr %s0
%v280 = icmp ne i64 %v278, %v279
br i1 %v280, label %then64, label %else65
then64:
%v281 = icmp slt i64 0, %v28
br i1 %v281, label %guard69, label %end68
guard69:
br label %loop67
loop67:
%v282 = phi i64 [ 0, %guard69 ], [ %v286, %loop67 ]
%v283 = getelementptr i64, ptr %v26, i64 %v282
%v284 = load i64, ptr %v283, align 8
%v285 = getelementptr i64, ptr %v49, i64 %v282
store i64 %v284, ptr %v285, align 8
%v286 = add i64 %v282, 1
%v287 = icmp slt i64 %v286, %v28
br i1 %v287, label %loop67, label %end68
end68:
%v288 = getelementptr i64, ptr %v34, i64 5
%v289 = load i64, ptr %v288, align 8
%v290 = icmp slt i64 0, %v289
br i1 %v290, label %guard72, label %end71
guard72:
br label %loop70
loop70:
%v291 = phi i64 [ 0, %guard72 ], [ %v339, %end75 ]
%v292 = mul i64 %v291, 4
%v293 = getelementptr i64, ptr %v32, i64 %v292
%v294 = load i64, ptr %v293, align 8
%v295 = mul i64 %v291, 4
%v296 = add i64 %v295, 1
%v297 = getelementptr i64, ptr %v32, i64 %v296
%v298 = load i64, ptr %v297, align 8
%v299 = mul i64 %v291, 4
%v300 = add i64 %v299, 2
%v301 = getelementptr i64, ptr %v32, i64 %v300
%v302 = load i64, ptr %v301, align 8
%v303 = mul i64 %v291, 4
%v304 = add i64 %v303, 3
%v305 = getelementptr i64, ptr %v32, i64 %v304
%v306 = load i64, ptr %v305, align 8
%v307 = getelementptr i64, ptr %v48, i64 %v306
%v308 = load i64, ptr %v307, align 8
%v309 = icmp sge i64 %v308, 0
br i1 %v309, label %then73, label %else74
then73:
store i64 0, ptr %s9
store i64 0, ptr %s10
br label %head76
head76:
%v310 = load i64, ptr %s10
%v311 = mul i64 %v310, 8
%v312 = getelementptr i64, ptr %v22, i64 %v311
%v313 = getelementptr i64, ptr %v312, i64 3
%v314 = load i64, ptr %v313, align 8
%v315 = and i64 %v314, 256
%v316 = icmp ne i64 %v315, 0
br i1 %v316, label %then78, label %else79
then78:
%v317 = getelementptr i64, ptr %v312, i64 2
%v318 = load i64, ptr %v317, align 8
%v319 = getelementptr i64, ptr %v24, i64 %v318
%v320 = load i64, ptr %v319, align 8
store i64 %v320, ptr %s9
br label %end80
else79:
br label %end80
end80:
%v321 = getelementptr i64, ptr %v312, i64 5
%v322 = load i64, ptr %v321, align 8
%v323 = icmp eq i64 %v322, %v306
%v324 = and i1 %v316, %v323
br i1 %v324, label %end77, label %next81
next81:
%v325 = load i64, ptr %s10
%v326 = add i64 %v325, 1
store i64 %v326, ptr %s10
br label %head76
end77:
%v327 = load i64, ptr %s9
%v328 = icmp ne i64 %v302, 0
%v329 = sub i64 %v327, 1
%v330 = sub i64 %v329, %v308
%v331 = select i1 %v328, i64 %v330, i64 %v308
%v332 = getelementptr i64, ptr %v49, i64 %v294
%v333 = load i64, ptr %v332, align 8
%v334 = getelementptr i64, ptr %v24, i64 %v298
%v335 = load i64, ptr %v334, align 8
%v336 = mul i64 %v335, %v331
%v337 = add i64 %v333, %v336
%v338 = getelementptr i64, ptr %v49, i64 %v294
store i64 %v337, ptr %v338, align 8
br label %end75
else74:
br label %end75
end75:
%v339 = add i64 %v291, 1
%v340 = icmp slt i64 %v339, %v289
br i1 %v340, label %loop70, label %end71
end71:
br label %end66
else65:
br label %end66
end66:
%v341 = load i64, ptr %s8
store i64 %v341, ptr %s0
br label %end51
end51:
%v342 = load i64, ptr %s5
store i64 %v342, ptr %s6
br label %end48
else47:
br label %end48
end48:
br label %end21
else20:
%v343 = and i64 %v75, 1
%v344 = icmp ne i64 %v343, 0
%v345 = load i64, ptr %s5
%v346 = load i64, ptr %s6
%v347 = select i1 %v344, i64 %v345, i64 %v346
store i64 %v347, ptr %s6
%v348 = load i64, ptr %s5
%v349 = add i64 %v348, %v80
store i64 %v349, ptr %s5
br i1 %v89, label %then82, label %else83
then82:
br i1 %v64, label %then85, label %else86
then85:
%v350 = load i64, ptr %s6
%v351 = load i64, ptr %s7
%v352 = sub i64 %v350, %v351
%v353 = getelementptr i64, ptr %job, i64 16
%v354 = call i64 @rlx_wait_for_units(ptr %v66, i64 %v68, ptr %v353, i64 %v352)
%v355 = icmp ne i64 %v14, 0
br i1 %v355, label %then88, label %else89
then88:
%v356 = inttoptr i64 %v14 to ptr
%v357 = mul i64 %v69, 2
%v358 = getelementptr i64, ptr %v356, i64 %v357
%v359 = load i64, ptr %v358, align 8
%v360 = call i64 @rlx_now()
%v361 = add i64 %v359, %v360
%v362 = getelementptr i64, ptr %v356, i64 %v357
store i64 %v361, ptr %v362, align 8
br label %end90
else89:
br label %end90
end90:
%v363 = icmp sgt i64 %v80, 0
%v364 = load atomic i64, ptr %v8 acquire, align 8
%v365 = icmp eq i64 %v364, 0
%v366 = and i1 %v363, %v365
br i1 %v366, label %then91, label %else92
then91:
br i1 %v82, label %then94, label %else95
then94:
%v367 = load ptr, ptr %v73, align 8
%v368 = getelementptr i64, ptr %v73, i64 1
%v369 = load i64, ptr %v368, align 8
%v370 = select i1 %v86, ptr %v49, ptr %v4
%v371 = getelementptr i64, ptr %v370, i64 %v369
%v372 = call i64 %v367(ptr %v371, i64 0, i64 %v80, ptr %v20)
%v373 = icmp ne i64 %v372, 7308901721098964050
br i1 %v373, label %then97, label %else98
then97:
%v374 = getelementptr i64, ptr %v73, i64 5
%v375 = load i64, ptr %v374, align 8
%v376 = shl i64 %v375, 32
%v377 = or i64 %v376, 65535
%v378 = cmpxchg ptr %v8, i64 0, i64 %v377 acq_rel acquire
%v379 = extractvalue { i64, i1 } %v378, 0
%v380 = extractvalue { i64, i1 } %v378, 1
br label %end99
else98:
br label %end99
end99:
store i32 8064, ptr %s11, align 4
call void @llvm.x86.sse.ldmxcsr(ptr %s11)
br label %end96
else95:
%v381 = load ptr, ptr %v73, align 8
%v382 = getelementptr i64, ptr %v73, i64 1
%v383 = load i64, ptr %v382, align 8
%v384 = select i1 %v86, ptr %v49, ptr %v4
%v385 = getelementptr i64, ptr %v384, i64 %v383
call void %v381(ptr %v385, i64 0, i64 %v80, ptr %v20)
br label %end96
end96:
br label %end93
else92:
br label %end93
end93:
%v386 = icmp ne i64 %v14, 0
br i1 %v386, label %then100, label %else101
then100:
%v387 = inttoptr i64 %v14 to ptr
%v388 = mul i64 %v69, 2
%v389 = add i64 %v388, 1
%v390 = getelementptr i64, ptr %v387, i64 %v389
%v391 = load i64, ptr %v390, align 8
%v392 = call i64 @rlx_now()
%v393 = add i64 %v391, %v392
%v394 = getelementptr i64, ptr %v387, i64 %v389
store i64 %v393, ptr %v394, align 8
br label %end102
else101:
br label %end102
end102:
%v395 = load i64, ptr %s7
%v396 = add i64 %v395, %v80
store i64 %v396, ptr %s7
br label %end87
else86:
br label %end87
end87:
br label %end84
else83:
%v397 = load i64, ptr %s7
%v398 = icmp sgt i64 %v397, 0
br i1 %v398, label %then103, label %else104
then103:
%v399 = load i64, ptr %s7
%v400 = load i64, ptr %s4
%v401 = add i64 %v400, %v399
store i64 %v401, ptr %s4
%v402 = load i64, ptr %s4
%v403 = mul i64 %thread, 32
%v404 = getelementptr i64, ptr %v66, i64 %v403
store atomic i64 %v402, ptr %v404 seq_cst, align 8
%v405 = getelementptr i64, ptr %job, i64 16
%v406 = getelementptr i64, ptr %v405, i64 8
%v407 = load atomic i64, ptr %v406 seq_cst, align 8
%v408 = icmp sgt i64 %v407, 0
br i1 %v408, label %then106, label %else107
then106:
%v409 = atomicrmw add ptr %v405, i64 1 seq_cst
call void @rlx_wake(ptr %v405, i64 2147483647)
br label %end108
else107:
br label %end108
end108:
store i64 0, ptr %s7
br label %end105
else104:
br label %end105
end105:
%v410 = load i64, ptr %s6
%v411 = getelementptr i64, ptr %job, i64 16
%v412 = call i64 @rlx_wait_for_units(ptr %v66, i64 %v68, ptr %v411, i64 %v410)
%v413 = icmp ne i64 %v14, 0
br i1 %v413, label %then109, label %else110
then109:
%v414 = inttoptr i64 %v14 to ptr
%v415 = mul i64 %v69, 2
%v416 = getelementptr i64, ptr %v414, i64 %v415
%v417 = load i64, ptr %v416, align 8
%v418 = call i64 @rlx_now()
%v419 = add i64 %v417, %v418
%v420 = getelementptr i64, ptr %v414, i64 %v415
store i64 %v419, ptr %v420, align 8
br label %end111
else110:
br label %end111
end111:
%v421 = load atomic i64, ptr %v8 acquire, align 8
%v422 = icmp eq i64 %v421, 0
%v423 = getelementptr i64, ptr %v73, i64 6
%v424 = load i64, ptr %v423, align 8
%v425 = select i1 %v422, i64 %v424, i64 %v80
store i64 0, ptr %s12
%v426 = and i64 %v75, 8
%v427 = icmp ne i64 %v426, 0
br i1 %v427, label %then112, label %else113
then112:
%v428 = sub i64 %v68, 1
%v429 = add i64 %v80, %v428
%v430 = udiv i64 %v429, %v68
%v431 = sub i64 %v424, 1
%v432 = add i64 %v430, %v431
%v433 = udiv i64 %v432, %v424
%v434 = icmp slt i64 0, %v68
br i1 %v434, label %guard117, label %end116
guard117:
br label %loop115
loop115:
%v435 = phi i64 [ 0, %guard117 ], [ %v469, %end119 ]
%v436 = add i64 %thread, %v435
%v437 = icmp slt i64 %v436, %v68
%v438 = sub i64 %v436, %v68
%v439 = select i1 %v437, i64 %v436, i64 %v438
%v440 = add i64 %v439, 1
%v441 = mul i64 %v439, %v430
%v442 = call i64 @llvm.smin.i64(i64 %v441, i64 %v80)
%v443 = add i64 %v348, %v442
%v444 = mul i64 %v440, %v430
%v445 = call i64 @llvm.smin.i64(i64 %v444, i64 %v80)
%v446 = add i64 %v348, %v445
%v447 = mul i64 %v439, 32
%v448 = add i64 %v447, 16
br label %head118
head118:
%v449 = getelementptr i64, ptr %v66, i64 %v448
%v450 = load atomic i64, ptr %v449 acquire, align 8
%v451 = call i64 @llvm.smax.i64(i64 %v450, i64 %v443)
%v452 = icmp sge i64 %v451, %v446
br i1 %v452, label %end119, label %next120
next120:
%v453 = add i64 %v451, %v433
%v454 = call i64 @llvm.smin.i64(i64 %v453, i64 %v446)
%v455 = getelementptr i64, ptr %v66, i64 %v448
%v456 = cmpxchg ptr %v455, i64 %v450, i64 %v454 acq_rel acquire
%v457 = extractvalue { i64, i1 } %v456, 0
%v458 = extractvalue { i64, i1 } %v456, 1
br i1 %v458, label %then121, label %else122
then121:
%v459 = sub i64 %v451, %v348
%v460 = sub i64 %v454, %v348
br i1 %v422, label %then124, label %else125
then124:
%v461 = load ptr, ptr %v73, align 8
%v462 = getelementptr i64, ptr %v73, i64 1
%v463 = load i64, ptr %v462, align 8
%v464 = select i1 %v86, ptr %v49, ptr %v4
%v465 = getelementptr i64, ptr %v464, i64 %v463
call void %v461(ptr %v465, i64 %v459, i64 %v460, ptr %v20)
br label %end126
else125:
br label %end126
end126:
%v466 = load i64, ptr %s12
%v467 = add i64 %v466, %v460
%v468 = sub i64 %v467, %v459
store i64 %v468, ptr %s12
br label %end123
else122:
br label %end123
end123:
br label %head118
end119:
%v469 = add i64 %v435, 1
%v470 = icmp slt i64 %v469, %v68
br i1 %v470, label %loop115, label %end116
end116:
br label %end114
else113:
br i1 %v86, label %then127, label %else128
then127:
br label %head130
head130:
%v471 = getelementptr i64, ptr %v73, i64 4
%v472 = load atomic i64, ptr %v471 acquire, align 8
%v473 = call i64 @llvm.smax.i64(i64 %v472, i64 %v348)
%v474 = add i64 %v348, %v80
%v475 = icmp sge i64 %v473, %v474
br i1 %v475, label %end131, label %next132
next132:
%v476 = add i64 %v473, %v425
%v477 = add i64 %v348, %v80
%v478 = call i64 @llvm.smin.i64(i64 %v476, i64 %v477)
%v479 = getelementptr i64, ptr %v73, i64 4
%v480 = cmpxchg ptr %v479, i64 %v472, i64 %v478 acq_rel acquire
%v481 = extractvalue { i64, i1 } %v480, 0
%v482 = extractvalue { i64, i1 } %v480, 1
br i1 %v482, label %then133, label %else134
then133:
%v483 = sub i64 %v473, %v348
%v484 = sub i64 %v478, %v348
br i1 %v422, label %then136, label %else137
then136:
%v485 = load ptr, ptr %v73, align 8
%v486 = getelementptr i64, ptr %v73, i64 1
%v487 = load i64, ptr %v486, align 8
%v488 = select i1 %v86, ptr %v49, ptr %v4
%v489 = getelementptr i64, ptr %v488, i64 %v487
call void %v485(ptr %v489, i64 %v483, i64 %v484, ptr %v20)
br label %end138
else137:
br label %end138
end138:
%v490 = load i64, ptr %s12
%v491 = add i64 %v490, %v484
%v492 = sub i64 %v491, %v483
store i64 %v492, ptr %s12
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
%v493 = getelementptr i64, ptr %v73, i64 4
%v494 = load atomic i64, ptr %v493 monotonic, align 8
%v495 = icmp sge i64 %v494, %v80
br i1 %v495, label %end140, label %next141
next141:
%v496 = getelementptr i64, ptr %v73, i64 4
%v497 = atomicrmw add ptr %v496, i64 %v425 monotonic
%v498 = icmp sge i64 %v497, %v80
br i1 %v498, label %end140, label %next142
next142:
%v499 = add i64 %v497, %v425
%v500 = call i64 @llvm.smin.i64(i64 %v499, i64 %v80)
br i1 %v422, label %then143, label %else144
then143:
%v501 = load ptr, ptr %v73, align 8
%v502 = getelementptr i64, ptr %v73, i64 1
%v503 = load i64, ptr %v502, align 8
%v504 = select i1 %v86, ptr %v49, ptr %v4
%v505 = getelementptr i64, ptr %v504, i64 %v503
call void %v501(ptr %v505, i64 %v497, i64 %v500, ptr %v20)
br label %end145
else144:
br label %end145
end145:
%v506 = load i64, ptr %s12
%v507 = add i64 %v506, %v500
%v508 = sub i64 %v507, %v497
store i64 %v508, ptr %s12
br label %head139
end140:
br label %end129
end129:
br label %end114
end114:
%v509 = load i64, ptr %s12
%v510 = icmp sgt i64 %v509, 0
br i1 %v510, label %then146, label %else147
then146:
%v511 = load i64, ptr %s4
%v512 = add i64 %v511, %v509
store i64 %v512, ptr %s4
%v513 = load i64, ptr %s4
%v514 = mul i64 %thread, 32
%v515 = getelementptr i64, ptr %v66, i64 %v514
store atomic i64 %v513, ptr %v515 seq_cst, align 8
%v516 = getelementptr i64, ptr %job, i64 16
%v517 = getelementptr i64, ptr %v516, i64 8
%v518 = load atomic i64, ptr %v517 seq_cst, align 8
%v519 = icmp sgt i64 %v518, 0
br i1 %v519, label %then149, label %else150
then149:
%v520 = atomicrmw add ptr %v516, i64 1 seq_cst
call void @rlx_wake(ptr %v516, i64 2147483647)
br label %end151
else150:
br label %end151
end151:
br label %end148
else147:
br label %end148
end148:
%v521 = icmp ne i64 %v14, 0
br i1 %v521, label %then152, label %else153
then152:
%v522 = getelementptr i64, ptr %job, i64 16
%v523 = call i64 @rlx_wait_for_units(ptr %v66, i64 %v68, ptr %v522, i64 %v349)
br label %end154
else153:
br label %end154
end154:
%v524 = icmp ne i64 %v14, 0
br i1 %v524, label %then155, label %else156
then155:
%v525 = inttoptr i64 %v14 to ptr
%v526 = mul i64 %v69, 2
%v527 = add i64 %v526, 1
%v528 = getelementptr i64, ptr %v525, i64 %v527
%v529 = load i64, ptr %v528, align 8
%v530 = call i64 @rlx_now()
%v531 = add i64 %v529, %v530
%v532 = getelementptr i64, ptr %v525, i64 %v527
store i64 %v531, ptr %v532, align 8
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
call void @rlx_walk(ptr %job, i64 0)
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

define void @rlx_worker(ptr %pool) nounwind {
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
call void @rlx_walk(ptr %v17, i64 %v18)
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

