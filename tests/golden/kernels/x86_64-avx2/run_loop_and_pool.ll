; the run loop and the pool for x86_64-avx2 | platform=futex

declare i32 @sched_getaffinity(i32, i64, ptr)
declare i32 @sched_setaffinity(i32, i64, ptr)
declare i64 @syscall(i64, ptr, i64, i64, i64)
declare i32 @sched_getcpu()
declare i32 @clock_gettime(i32, ptr)
declare i64 @pthread_self()
declare i32 @sched_yield()
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

define internal i64 @rlx_self() nounwind {
entry:
%v0 = call i64 @pthread_self()
ret i64 %v0
unreachable1:
ret i64 0
}

define internal void @rlx_yield() nounwind {
entry:
%v0 = call i32 @sched_yield()
ret void
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
%v17 = icmp slt i64 %v16, %target
br i1 %v17, label %then22, label %else23
then22:
call void @rlx_wait(ptr %signal, i64 %v16)
br label %end24
else23:
br label %end24
end24:
%v18 = getelementptr i64, ptr %signal, i64 8
%v19 = atomicrmw add ptr %v18, i64 -1 seq_cst
%v20 = load atomic i64, ptr %signal acquire, align 8
%v21 = icmp sge i64 %v20, %target
br i1 %v21, label %then25, label %else26
then25:
ret i64 %v20
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
%v156 = getelementptr i64, ptr %job, i64 16
store i64 0, ptr %v156, align 8
%v157 = getelementptr i64, ptr %job, i64 32
store i64 0, ptr %v157, align 8
%v158 = getelementptr ptr, ptr %job, i64 1
%v159 = load ptr, ptr %v158, align 8
store i64 1, ptr %s3
%v160 = load i64, ptr %job, align 8
%v161 = icmp slt i64 0, %v160
br i1 %v161, label %guard55, label %end54
guard55:
br label %loop53
loop53:
%v162 = phi i64 [ 0, %guard55 ], [ %v185, %loop53 ]
%v163 = mul i64 %v162, 8
%v164 = getelementptr i64, ptr %v159, i64 %v163
%v165 = getelementptr i64, ptr %v164, i64 3
%v166 = load i64, ptr %v165, align 8
%v167 = getelementptr i64, ptr %v164, i64 2
%v168 = load i64, ptr %v167, align 8
%v169 = getelementptr i64, ptr %v1, i64 %v168
%v170 = load i64, ptr %v169, align 8
%v171 = call i64 @llvm.smax.i64(i64 %v170, i64 0)
%v172 = and i64 %v166, 2
%v173 = icmp ne i64 %v172, 0
%v174 = and i64 %v166, 3840
%v175 = icmp ne i64 %v174, 0
%v176 = and i64 %v166, 4
%v177 = icmp ne i64 %v176, 0
%v178 = icmp sle i64 %v171, 1
%v179 = or i1 %v178, %v173
%v180 = or i1 %v179, %v175
%v181 = getelementptr i64, ptr %v164, i64 4
store i64 0, ptr %v181, align 8
%v182 = load i64, ptr %s3
%v183 = select i1 %v180, i64 1, i64 %v171
%v184 = call i64 @llvm.smax.i64(i64 %v182, i64 %v183)
store i64 %v184, ptr %s3
%v185 = add i64 %v162, 1
%v186 = icmp slt i64 %v185, %v160
br i1 %v186, label %loop53, label %end54
end54:
%v187 = load i64, ptr %s3
%v188 = getelementptr i64, ptr %job, i64 13
%v189 = load i64, ptr %v188, align 8
%v190 = call i64 @llvm.smin.i64(i64 %v187, i64 %v189)
ret i64 %v190
unreachable56:
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
%s10 = alloca [1 x i32], align 64
%s11 = alloca i64
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
%v65 = getelementptr i64, ptr %job, i64 16
store i64 0, ptr %s4
store i64 0, ptr %s5
store i64 0, ptr %s6
br label %head16
head16:
%v66 = load i64, ptr %s3
%v67 = icmp sge i64 %v66, %v0
br i1 %v67, label %end17, label %next18
next18:
%v68 = add i64 %v66, 1
store i64 %v68, ptr %s3
%v69 = mul i64 %v66, 8
%v70 = getelementptr i64, ptr %v2, i64 %v69
%v71 = getelementptr i64, ptr %v70, i64 3
%v72 = load i64, ptr %v71, align 8
%v73 = getelementptr i64, ptr %v70, i64 2
%v74 = load i64, ptr %v73, align 8
%v75 = getelementptr i64, ptr %v6, i64 %v74
%v76 = load i64, ptr %v75, align 8
%v77 = call i64 @llvm.smax.i64(i64 %v76, i64 0)
%v78 = and i64 %v72, 2
%v79 = icmp ne i64 %v78, 0
%v80 = and i64 %v72, 3840
%v81 = icmp ne i64 %v80, 0
%v82 = and i64 %v72, 4
%v83 = icmp ne i64 %v82, 0
%v84 = icmp sle i64 %v77, 1
%v85 = or i1 %v84, %v79
%v86 = or i1 %v85, %v81
br i1 %v81, label %then19, label %else20
then19:
%v87 = mul i64 %v66, 8
%v88 = getelementptr i64, ptr %v22, i64 %v87
%v89 = getelementptr i64, ptr %v88, i64 3
%v90 = load i64, ptr %v89, align 8
%v91 = getelementptr i64, ptr %v88, i64 7
%v92 = load i64, ptr %v91, align 8
%v93 = and i64 %v90, 256
%v94 = icmp ne i64 %v93, 0
br i1 %v94, label %then22, label %else23
then22:
%v95 = getelementptr i64, ptr %v88, i64 2
%v96 = load i64, ptr %v95, align 8
%v97 = getelementptr i64, ptr %v24, i64 %v96
%v98 = load i64, ptr %v97, align 8
%v99 = icmp sgt i64 %v98, 0
br i1 %v99, label %then25, label %else26
then25:
%v100 = getelementptr i64, ptr %v88, i64 5
%v101 = load i64, ptr %v100, align 8
%v102 = getelementptr i64, ptr %v48, i64 %v101
store i64 0, ptr %v102, align 8
%v103 = sub i64 %v98, 1
%v104 = getelementptr i64, ptr %v88, i64 1
%v105 = load i64, ptr %v104, align 8
%v106 = getelementptr i64, ptr %v88, i64 6
%v107 = load i64, ptr %v106, align 8
%v108 = add i64 %v105, %v107
%v109 = icmp slt i64 %v105, %v108
br i1 %v109, label %guard30, label %end29
guard30:
br label %loop28
loop28:
%v110 = phi i64 [ %v105, %guard30 ], [ %v131, %loop28 ]
%v111 = mul i64 %v110, 4
%v112 = getelementptr i64, ptr %v32, i64 %v111
%v113 = load i64, ptr %v112, align 8
%v114 = mul i64 %v110, 4
%v115 = add i64 %v114, 1
%v116 = getelementptr i64, ptr %v32, i64 %v115
%v117 = load i64, ptr %v116, align 8
%v118 = mul i64 %v110, 4
%v119 = add i64 %v118, 2
%v120 = getelementptr i64, ptr %v32, i64 %v119
%v121 = load i64, ptr %v120, align 8
%v122 = getelementptr i64, ptr %v24, i64 %v117
%v123 = load i64, ptr %v122, align 8
%v124 = icmp ne i64 %v121, 0
%v125 = select i1 %v124, i64 %v103, i64 0
%v126 = mul i64 %v123, %v125
%v127 = getelementptr i64, ptr %v49, i64 %v113
%v128 = load i64, ptr %v127, align 8
%v129 = add i64 %v128, %v126
%v130 = getelementptr i64, ptr %v49, i64 %v113
store i64 %v129, ptr %v130, align 8
%v131 = add i64 %v110, 1
%v132 = icmp slt i64 %v131, %v108
br i1 %v132, label %loop28, label %end29
end29:
br label %end27
else26:
store i64 %v92, ptr %s3
br label %end27
end27:
br label %end24
else23:
br label %end24
end24:
%v133 = and i64 %v90, 512
%v134 = icmp ne i64 %v133, 0
br i1 %v134, label %then31, label %else32
then31:
%v135 = mul i64 %v92, 8
%v136 = getelementptr i64, ptr %v22, i64 %v135
%v137 = getelementptr i64, ptr %v136, i64 2
%v138 = load i64, ptr %v137, align 8
%v139 = getelementptr i64, ptr %v24, i64 %v138
%v140 = load i64, ptr %v139, align 8
%v141 = getelementptr i64, ptr %v136, i64 5
%v142 = load i64, ptr %v141, align 8
%v143 = getelementptr i64, ptr %v48, i64 %v142
%v144 = load i64, ptr %v143, align 8
%v145 = add i64 %v144, 1
%v146 = icmp slt i64 %v145, %v140
br i1 %v146, label %then34, label %else35
then34:
%v147 = getelementptr i64, ptr %v48, i64 %v142
store i64 %v145, ptr %v147, align 8
%v148 = getelementptr i64, ptr %v136, i64 1
%v149 = load i64, ptr %v148, align 8
%v150 = getelementptr i64, ptr %v136, i64 6
%v151 = load i64, ptr %v150, align 8
%v152 = add i64 %v149, %v151
%v153 = icmp slt i64 %v149, %v152
br i1 %v153, label %guard39, label %end38
guard39:
br label %loop37
loop37:
%v154 = phi i64 [ %v149, %guard39 ], [ %v175, %loop37 ]
%v155 = mul i64 %v154, 4
%v156 = getelementptr i64, ptr %v32, i64 %v155
%v157 = load i64, ptr %v156, align 8
%v158 = mul i64 %v154, 4
%v159 = add i64 %v158, 1
%v160 = getelementptr i64, ptr %v32, i64 %v159
%v161 = load i64, ptr %v160, align 8
%v162 = mul i64 %v154, 4
%v163 = add i64 %v162, 2
%v164 = getelementptr i64, ptr %v32, i64 %v163
%v165 = load i64, ptr %v164, align 8
%v166 = getelementptr i64, ptr %v24, i64 %v161
%v167 = load i64, ptr %v166, align 8
%v168 = icmp ne i64 %v165, 0
%v169 = select i1 %v168, i64 -1, i64 1
%v170 = mul i64 %v167, %v169
%v171 = getelementptr i64, ptr %v49, i64 %v157
%v172 = load i64, ptr %v171, align 8
%v173 = add i64 %v172, %v170
%v174 = getelementptr i64, ptr %v49, i64 %v157
store i64 %v173, ptr %v174, align 8
%v175 = add i64 %v154, 1
%v176 = icmp slt i64 %v175, %v152
br i1 %v176, label %loop37, label %end38
end38:
%v177 = add i64 %v92, 1
store i64 %v177, ptr %s3
br label %end36
else35:
%v178 = getelementptr i64, ptr %v48, i64 %v142
store i64 -1, ptr %v178, align 8
%v179 = sub i64 1, %v140
%v180 = getelementptr i64, ptr %v136, i64 1
%v181 = load i64, ptr %v180, align 8
%v182 = getelementptr i64, ptr %v136, i64 6
%v183 = load i64, ptr %v182, align 8
%v184 = add i64 %v181, %v183
%v185 = icmp slt i64 %v181, %v184
br i1 %v185, label %guard42, label %end41
guard42:
br label %loop40
loop40:
%v186 = phi i64 [ %v181, %guard42 ], [ %v207, %loop40 ]
%v187 = mul i64 %v186, 4
%v188 = getelementptr i64, ptr %v32, i64 %v187
%v189 = load i64, ptr %v188, align 8
%v190 = mul i64 %v186, 4
%v191 = add i64 %v190, 1
%v192 = getelementptr i64, ptr %v32, i64 %v191
%v193 = load i64, ptr %v192, align 8
%v194 = mul i64 %v186, 4
%v195 = add i64 %v194, 2
%v196 = getelementptr i64, ptr %v32, i64 %v195
%v197 = load i64, ptr %v196, align 8
%v198 = getelementptr i64, ptr %v24, i64 %v193
%v199 = load i64, ptr %v198, align 8
%v200 = icmp ne i64 %v197, 0
%v201 = select i1 %v200, i64 0, i64 %v179
%v202 = mul i64 %v199, %v201
%v203 = getelementptr i64, ptr %v49, i64 %v189
%v204 = load i64, ptr %v203, align 8
%v205 = add i64 %v204, %v202
%v206 = getelementptr i64, ptr %v49, i64 %v189
store i64 %v205, ptr %v206, align 8
%v207 = add i64 %v186, 1
%v208 = icmp slt i64 %v207, %v184
br i1 %v208, label %loop40, label %end41
end41:
br label %end36
end36:
br label %end33
else32:
br label %end33
end33:
%v209 = and i64 %v90, 2048
%v210 = icmp ne i64 %v209, 0
br i1 %v210, label %then43, label %else44
then43:
store i64 %v92, ptr %s3
br label %end45
else44:
br label %end45
end45:
%v211 = and i64 %v90, 1024
%v212 = icmp ne i64 %v211, 0
br i1 %v212, label %then46, label %else47
then46:
%v213 = load i64, ptr %s0
%v214 = add i64 %v213, 1
store i64 %v214, ptr %s0
br i1 %v64, label %then49, label %else50
then49:
%v215 = load i64, ptr %s4
%v216 = load i64, ptr %s6
%v217 = sub i64 %v215, %v216
%v218 = call i64 @rlx_wait_for(ptr %v65, i64 %v217)
%v219 = getelementptr i64, ptr %v88, i64 1
%v220 = load i64, ptr %v219, align 8
%v221 = getelementptr ptr, ptr %v49, i64 %v220
%v222 = load ptr, ptr %v221, align 8
%v223 = load atomic i64, ptr %v30 acquire, align 8
%v224 = icmp eq i64 %v223, 0
%v225 = load i8, ptr %v222, align 1
%v226 = icmp ne i8 %v225, 0
%v227 = and i1 %v226, %v224
%v228 = load i64, ptr %s3
%v229 = select i1 %v227, i64 %v228, i64 %v92
store i64 %v229, ptr %s3
%v230 = load i64, ptr %v34, align 8
%v231 = add i64 %v230, 1
store atomic i64 %v231, ptr %v34 release, align 8
fence seq_cst
%v232 = load i64, ptr %s0
%v233 = getelementptr i64, ptr %v34, i64 1
store atomic i64 %v232, ptr %v233 monotonic, align 8
%v234 = load i64, ptr %s4
%v235 = getelementptr i64, ptr %v34, i64 2
store atomic i64 %v234, ptr %v235 monotonic, align 8
%v236 = load i64, ptr %s3
%v237 = getelementptr i64, ptr %v34, i64 3
store atomic i64 %v236, ptr %v237 monotonic, align 8
%v238 = icmp slt i64 0, %v41
br i1 %v238, label %guard54, label %end53
guard54:
br label %loop52
loop52:
%v239 = phi i64 [ 0, %guard54 ], [ %v244, %loop52 ]
%v240 = getelementptr i64, ptr %v48, i64 %v239
%v241 = load i64, ptr %v240, align 8
%v242 = add i64 %v239, 7
%v243 = getelementptr i64, ptr %v34, i64 %v242
store atomic i64 %v241, ptr %v243 monotonic, align 8
%v244 = add i64 %v239, 1
%v245 = icmp slt i64 %v244, %v41
br i1 %v245, label %loop52, label %end53
end53:
%v246 = add i64 %v230, 2
store atomic i64 %v246, ptr %v34 release, align 8
%v247 = getelementptr i64, ptr %job, i64 32
call void @rlx_signal(ptr %v247, i64 1)
br label %end51
else50:
%v248 = getelementptr i64, ptr %job, i64 32
%v249 = load i64, ptr %s0
%v250 = call i64 @rlx_wait_for(ptr %v248, i64 %v249)
store i64 0, ptr %s7
br label %head55
head55:
%v251 = load atomic i64, ptr %v34 acquire, align 8
%v252 = getelementptr i64, ptr %v34, i64 1
%v253 = load atomic i64, ptr %v252 monotonic, align 8
store i64 %v253, ptr %s7
%v254 = getelementptr i64, ptr %v34, i64 3
%v255 = load atomic i64, ptr %v254 monotonic, align 8
store i64 %v255, ptr %s3
%v256 = getelementptr i64, ptr %v34, i64 2
%v257 = load atomic i64, ptr %v256 monotonic, align 8
store i64 %v257, ptr %s4
%v258 = load i64, ptr %s7
%v259 = load i64, ptr %s0
%v260 = icmp ne i64 %v258, %v259
br i1 %v260, label %then57, label %else58
then57:
%v261 = icmp slt i64 0, %v41
br i1 %v261, label %guard62, label %end61
guard62:
br label %loop60
loop60:
%v262 = phi i64 [ 0, %guard62 ], [ %v267, %loop60 ]
%v263 = add i64 %v262, 7
%v264 = getelementptr i64, ptr %v34, i64 %v263
%v265 = load atomic i64, ptr %v264 monotonic, align 8
%v266 = getelementptr i64, ptr %v48, i64 %v262
store i64 %v265, ptr %v266, align 8
%v267 = add i64 %v262, 1
%v268 = icmp slt i64 %v267, %v41
br i1 %v268, label %loop60, label %end61
end61:
br label %end59
else58:
br label %end59
end59:
fence seq_cst
%v269 = load atomic i64, ptr %v34 acquire, align 8
%v270 = icmp eq i64 %v269, %v251
%v271 = and i64 %v269, 1
%v272 = icmp eq i64 %v271, 0
%v273 = and i1 %v270, %v272
br i1 %v273, label %end56, label %next63
next63:
call void @llvm.x86.sse2.pause()
br label %head55
end56:
%v274 = load i64, ptr %s7
%v275 = load i64, ptr %s0
%v276 = icmp ne i64 %v274, %v275
br i1 %v276, label %then64, label %else65
then64:
%v277 = icmp slt i64 0, %v28
br i1 %v277, label %guard69, label %end68
guard69:
br label %loop67
loop67:
%v278 = phi i64 [ 0, %guard69 ], [ %v282, %loop67 ]
%v279 = getelementptr i64, ptr %v26, i64 %v278
%v280 = load i64, ptr %v279, align 8
%v281 = getelementptr i64, ptr %v49, i64 %v278
store i64 %v280, ptr %v281, align 8
%v282 = add i64 %v278, 1
%v283 = icmp slt i64 %v282, %v28
br i1 %v283, label %loop67, label %end68
end68:
%v284 = getelementptr i64, ptr %v34, i64 5
%v285 = load i64, ptr %v284, align 8
%v286 = icmp slt i64 0, %v285
br i1 %v286, label %guard72, label %end71
guard72:
br label %loop70
loop70:
%v287 = phi i64 [ 0, %guard72 ], [ %v335, %end75 ]
%v288 = mul i64 %v287, 4
%v289 = getelementptr i64, ptr %v32, i64 %v288
%v290 = load i64, ptr %v289, align 8
%v291 = mul i64 %v287, 4
%v292 = add i64 %v291, 1
%v293 = getelementptr i64, ptr %v32, i64 %v292
%v294 = load i64, ptr %v293, align 8
%v295 = mul i64 %v287, 4
%v296 = add i64 %v295, 2
%v297 = getelementptr i64, ptr %v32, i64 %v296
%v298 = load i64, ptr %v297, align 8
%v299 = mul i64 %v287, 4
%v300 = add i64 %v299, 3
%v301 = getelementptr i64, ptr %v32, i64 %v300
%v302 = load i64, ptr %v301, align 8
%v303 = getelementptr i64, ptr %v48, i64 %v302
%v304 = load i64, ptr %v303, align 8
%v305 = icmp sge i64 %v304, 0
br i1 %v305, label %then73, label %else74
then73:
store i64 0, ptr %s8
store i64 0, ptr %s9
br label %head76
head76:
%v306 = load i64, ptr %s9
%v307 = mul i64 %v306, 8
%v308 = getelementptr i64, ptr %v22, i64 %v307
%v309 = getelementptr i64, ptr %v308, i64 3
%v310 = load i64, ptr %v309, align 8
%v311 = and i64 %v310, 256
%v312 = icmp ne i64 %v311, 0
br i1 %v312, label %then78, label %else79
then78:
%v313 = getelementptr i64, ptr %v308, i64 2
%v314 = load i64, ptr %v313, align 8
%v315 = getelementptr i64, ptr %v24, i64 %v314
%v316 = load i64, ptr %v315, align 8
store i64 %v316, ptr %s8
br label %end80
else79:
br label %end80
end80:
%v317 = getelementptr i64, ptr %v308, i64 5
%v318 = load i64, ptr %v317, align 8
%v319 = icmp eq i64 %v318, %v302
%v320 = and i1 %v312, %v319
br i1 %v320, label %end77, label %next81
next81:
%v321 = load i64, ptr %s9
%v322 = add i64 %v321, 1
store i64 %v322, ptr %s9
br label %head76
end77:
%v323 = load i64, ptr %s8
%v324 = icmp ne i64 %v298, 0
%v325 = sub i64 %v323, 1
%v326 = sub i64 %v325, %v304
%v327 = select i1 %v324, i64 %v326, i64 %v304
%v328 = getelementptr i64, ptr %v49, i64 %v290
%v329 = load i64, ptr %v328, align 8
%v330 = getelementptr i64, ptr %v24, i64 %v294
%v331 = load i64, ptr %v330, align 8
%v332 = mul i64 %v331, %v327
%v333 = add i64 %v329, %v332
%v334 = getelementptr i64, ptr %v49, i64 %v290
store i64 %v333, ptr %v334, align 8
br label %end75
else74:
br label %end75
end75:
%v335 = add i64 %v287, 1
%v336 = icmp slt i64 %v335, %v285
br i1 %v336, label %loop70, label %end71
end71:
br label %end66
else65:
br label %end66
end66:
%v337 = load i64, ptr %s7
store i64 %v337, ptr %s0
br label %end51
end51:
%v338 = load i64, ptr %s4
store i64 %v338, ptr %s5
br label %end48
else47:
br label %end48
end48:
br label %end21
else20:
%v339 = and i64 %v72, 1
%v340 = icmp ne i64 %v339, 0
%v341 = load i64, ptr %s4
%v342 = load i64, ptr %s5
%v343 = select i1 %v340, i64 %v341, i64 %v342
store i64 %v343, ptr %s5
%v344 = load i64, ptr %s4
%v345 = add i64 %v344, %v77
store i64 %v345, ptr %s4
br i1 %v86, label %then82, label %else83
then82:
br i1 %v64, label %then85, label %else86
then85:
%v346 = load i64, ptr %s5
%v347 = load i64, ptr %s6
%v348 = sub i64 %v346, %v347
%v349 = call i64 @rlx_wait_for(ptr %v65, i64 %v348)
%v350 = icmp ne i64 %v14, 0
br i1 %v350, label %then88, label %else89
then88:
%v351 = inttoptr i64 %v14 to ptr
%v352 = mul i64 %v66, 2
%v353 = getelementptr i64, ptr %v351, i64 %v352
%v354 = load i64, ptr %v353, align 8
%v355 = call i64 @rlx_now()
%v356 = add i64 %v354, %v355
%v357 = getelementptr i64, ptr %v351, i64 %v352
store i64 %v356, ptr %v357, align 8
br label %end90
else89:
br label %end90
end90:
%v358 = icmp sgt i64 %v77, 0
%v359 = load atomic i64, ptr %v8 acquire, align 8
%v360 = icmp eq i64 %v359, 0
%v361 = and i1 %v358, %v360
br i1 %v361, label %then91, label %else92
then91:
br i1 %v79, label %then94, label %else95
then94:
%v362 = load ptr, ptr %v70, align 8
%v363 = getelementptr i64, ptr %v70, i64 1
%v364 = load i64, ptr %v363, align 8
%v365 = select i1 %v83, ptr %v49, ptr %v4
%v366 = getelementptr i64, ptr %v365, i64 %v364
%v367 = call i64 %v362(ptr %v366, i64 0, i64 %v77, ptr %v20)
%v368 = icmp ne i64 %v367, 7308901721098964050
br i1 %v368, label %then97, label %else98
then97:
%v369 = getelementptr i64, ptr %v70, i64 5
%v370 = load i64, ptr %v369, align 8
%v371 = shl i64 %v370, 32
%v372 = or i64 %v371, 65535
%v373 = cmpxchg ptr %v8, i64 0, i64 %v372 acq_rel acquire
%v374 = extractvalue { i64, i1 } %v373, 0
%v375 = extractvalue { i64, i1 } %v373, 1
br label %end99
else98:
br label %end99
end99:
store i32 8064, ptr %s10, align 4
call void @llvm.x86.sse.ldmxcsr(ptr %s10)
br label %end96
else95:
%v376 = load ptr, ptr %v70, align 8
%v377 = getelementptr i64, ptr %v70, i64 1
%v378 = load i64, ptr %v377, align 8
%v379 = select i1 %v83, ptr %v49, ptr %v4
%v380 = getelementptr i64, ptr %v379, i64 %v378
call void %v376(ptr %v380, i64 0, i64 %v77, ptr %v20)
br label %end96
end96:
br label %end93
else92:
br label %end93
end93:
%v381 = icmp ne i64 %v14, 0
br i1 %v381, label %then100, label %else101
then100:
%v382 = inttoptr i64 %v14 to ptr
%v383 = mul i64 %v66, 2
%v384 = add i64 %v383, 1
%v385 = getelementptr i64, ptr %v382, i64 %v384
%v386 = load i64, ptr %v385, align 8
%v387 = call i64 @rlx_now()
%v388 = add i64 %v386, %v387
%v389 = getelementptr i64, ptr %v382, i64 %v384
store i64 %v388, ptr %v389, align 8
br label %end102
else101:
br label %end102
end102:
%v390 = load i64, ptr %s6
%v391 = add i64 %v390, %v77
store i64 %v391, ptr %s6
br label %end87
else86:
br label %end87
end87:
br label %end84
else83:
%v392 = load i64, ptr %s6
%v393 = icmp sgt i64 %v392, 0
br i1 %v393, label %then103, label %else104
then103:
%v394 = load i64, ptr %s6
call void @rlx_signal(ptr %v65, i64 %v394)
store i64 0, ptr %s6
br label %end105
else104:
br label %end105
end105:
%v395 = load i64, ptr %s5
%v396 = call i64 @rlx_wait_for(ptr %v65, i64 %v395)
%v397 = icmp ne i64 %v14, 0
br i1 %v397, label %then106, label %else107
then106:
%v398 = inttoptr i64 %v14 to ptr
%v399 = mul i64 %v66, 2
%v400 = getelementptr i64, ptr %v398, i64 %v399
%v401 = load i64, ptr %v400, align 8
%v402 = call i64 @rlx_now()
%v403 = add i64 %v401, %v402
%v404 = getelementptr i64, ptr %v398, i64 %v399
store i64 %v403, ptr %v404, align 8
br label %end108
else107:
br label %end108
end108:
%v405 = load atomic i64, ptr %v8 acquire, align 8
%v406 = icmp eq i64 %v405, 0
%v407 = getelementptr i64, ptr %v70, i64 6
%v408 = load i64, ptr %v407, align 8
%v409 = and i64 %v72, 8
%v410 = icmp ne i64 %v409, 0
%v411 = mul i64 %v10, %v408
%v412 = sub i64 %v411, 1
%v413 = add i64 %v77, %v412
%v414 = udiv i64 %v413, %v411
%v415 = select i1 %v410, i64 %v414, i64 %v408
%v416 = select i1 %v406, i64 %v415, i64 %v77
store i64 0, ptr %s11
br i1 %v83, label %then109, label %else110
then109:
br label %head112
head112:
%v417 = getelementptr i64, ptr %v70, i64 4
%v418 = load atomic i64, ptr %v417 acquire, align 8
%v419 = call i64 @llvm.smax.i64(i64 %v418, i64 %v344)
%v420 = add i64 %v344, %v77
%v421 = icmp sge i64 %v419, %v420
br i1 %v421, label %end113, label %next114
next114:
%v422 = add i64 %v419, %v416
%v423 = add i64 %v344, %v77
%v424 = call i64 @llvm.smin.i64(i64 %v422, i64 %v423)
%v425 = getelementptr i64, ptr %v70, i64 4
%v426 = cmpxchg ptr %v425, i64 %v418, i64 %v424 acq_rel acquire
%v427 = extractvalue { i64, i1 } %v426, 0
%v428 = extractvalue { i64, i1 } %v426, 1
br i1 %v428, label %then115, label %else116
then115:
%v429 = sub i64 %v419, %v344
%v430 = sub i64 %v424, %v344
br i1 %v406, label %then118, label %else119
then118:
%v431 = load ptr, ptr %v70, align 8
%v432 = getelementptr i64, ptr %v70, i64 1
%v433 = load i64, ptr %v432, align 8
%v434 = select i1 %v83, ptr %v49, ptr %v4
%v435 = getelementptr i64, ptr %v434, i64 %v433
call void %v431(ptr %v435, i64 %v429, i64 %v430, ptr %v20)
br label %end120
else119:
br label %end120
end120:
%v436 = load i64, ptr %s11
%v437 = add i64 %v436, %v430
%v438 = sub i64 %v437, %v429
store i64 %v438, ptr %s11
br label %end117
else116:
br label %end117
end117:
br label %head112
end113:
br label %end111
else110:
br i1 %v410, label %then121, label %else122
then121:
%v439 = call i64 @llvm.smin.i64(i64 %v10, i64 8)
%v440 = sub i64 %v439, 1
%v441 = add i64 %v77, %v440
%v442 = udiv i64 %v441, %v439
%v443 = sub i64 %v439, 1
%v444 = add i64 %v10, %v443
%v445 = udiv i64 %v444, %v439
%v446 = mul i64 %v408, %v445
%v447 = call i64 @llvm.smin.i64(i64 %v446, i64 255)
%v448 = sub i64 %v447, 1
%v449 = add i64 %v442, %v448
%v450 = udiv i64 %v449, %v447
%v451 = icmp slt i64 0, %v439
br i1 %v451, label %guard126, label %end125
guard126:
br label %loop124
loop124:
%v452 = phi i64 [ 0, %guard126 ], [ %v483, %end128 ]
%v453 = add i64 %thread, %v452
%v454 = urem i64 %v453, %v439
%v455 = mul i64 %v454, %v442
%v456 = call i64 @llvm.smin.i64(i64 %v455, i64 %v77)
%v457 = add i64 %v456, %v442
%v458 = call i64 @llvm.smin.i64(i64 %v457, i64 %v77)
%v459 = mul i64 %v454, 8
br label %head127
head127:
%v460 = getelementptr i64, ptr %v70, i64 4
%v461 = load atomic i64, ptr %v460 acquire, align 8
%v462 = ashr i64 %v461, %v459
%v463 = and i64 %v462, 255
%v464 = mul i64 %v463, %v450
%v465 = add i64 %v456, %v464
%v466 = icmp sge i64 %v465, %v458
br i1 %v466, label %end128, label %next129
next129:
%v467 = shl i64 1, %v459
%v468 = add i64 %v461, %v467
%v469 = getelementptr i64, ptr %v70, i64 4
%v470 = cmpxchg ptr %v469, i64 %v461, i64 %v468 acq_rel acquire
%v471 = extractvalue { i64, i1 } %v470, 0
%v472 = extractvalue { i64, i1 } %v470, 1
br i1 %v472, label %then130, label %else131
then130:
%v473 = add i64 %v465, %v450
%v474 = call i64 @llvm.smin.i64(i64 %v473, i64 %v458)
br i1 %v406, label %then133, label %else134
then133:
%v475 = load ptr, ptr %v70, align 8
%v476 = getelementptr i64, ptr %v70, i64 1
%v477 = load i64, ptr %v476, align 8
%v478 = select i1 %v83, ptr %v49, ptr %v4
%v479 = getelementptr i64, ptr %v478, i64 %v477
call void %v475(ptr %v479, i64 %v465, i64 %v474, ptr %v20)
br label %end135
else134:
br label %end135
end135:
%v480 = load i64, ptr %s11
%v481 = add i64 %v480, %v474
%v482 = sub i64 %v481, %v465
store i64 %v482, ptr %s11
br label %end132
else131:
br label %end132
end132:
br label %head127
end128:
%v483 = add i64 %v452, 1
%v484 = icmp slt i64 %v483, %v439
br i1 %v484, label %loop124, label %end125
end125:
br label %end123
else122:
br label %head136
head136:
%v485 = getelementptr i64, ptr %v70, i64 4
%v486 = load atomic i64, ptr %v485 monotonic, align 8
%v487 = icmp sge i64 %v486, %v77
br i1 %v487, label %end137, label %next138
next138:
%v488 = getelementptr i64, ptr %v70, i64 4
%v489 = atomicrmw add ptr %v488, i64 %v416 monotonic
%v490 = icmp sge i64 %v489, %v77
br i1 %v490, label %end137, label %next139
next139:
%v491 = add i64 %v489, %v416
%v492 = call i64 @llvm.smin.i64(i64 %v491, i64 %v77)
br i1 %v406, label %then140, label %else141
then140:
%v493 = load ptr, ptr %v70, align 8
%v494 = getelementptr i64, ptr %v70, i64 1
%v495 = load i64, ptr %v494, align 8
%v496 = select i1 %v83, ptr %v49, ptr %v4
%v497 = getelementptr i64, ptr %v496, i64 %v495
call void %v493(ptr %v497, i64 %v489, i64 %v492, ptr %v20)
br label %end142
else141:
br label %end142
end142:
%v498 = load i64, ptr %s11
%v499 = add i64 %v498, %v492
%v500 = sub i64 %v499, %v489
store i64 %v500, ptr %s11
br label %head136
end137:
br label %end123
end123:
br label %end111
end111:
%v501 = load i64, ptr %s11
%v502 = icmp sgt i64 %v501, 0
br i1 %v502, label %then143, label %else144
then143:
call void @rlx_signal(ptr %v65, i64 %v501)
br label %end145
else144:
br label %end145
end145:
%v503 = icmp ne i64 %v14, 0
br i1 %v503, label %then146, label %else147
then146:
%v504 = call i64 @rlx_wait_for(ptr %v65, i64 %v345)
br label %end148
else147:
br label %end148
end148:
%v505 = icmp ne i64 %v14, 0
br i1 %v505, label %then149, label %else150
then149:
%v506 = inttoptr i64 %v14 to ptr
%v507 = mul i64 %v66, 2
%v508 = add i64 %v507, 1
%v509 = getelementptr i64, ptr %v506, i64 %v508
%v510 = load i64, ptr %v509, align 8
%v511 = call i64 @rlx_now()
%v512 = add i64 %v510, %v511
%v513 = getelementptr i64, ptr %v506, i64 %v508
store i64 %v512, ptr %v513, align 8
br label %end151
else150:
br label %end151
end151:
br label %end84
end84:
br label %end21
end21:
br label %head16
end17:
ret void
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

