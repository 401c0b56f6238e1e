; kernels for x86_64-avx2
; mir @copy_transposed {
;   %0 = input("x1") : f32[5, 20, 12]
;   %1 = transpose(%0, perm=(2, 0, 1)) : f32[12, 5, 20]
;   return y1=%1
; }

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)

define void @copy_86ecf724(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%s5 = alloca i64
%v0 = call i64 @llvm.smax.i64(i64 %begin, i64 0)
%v1 = call i64 @llvm.smin.i64(i64 %v0, i64 1)
%v2 = call i64 @llvm.smax.i64(i64 %end, i64 0)
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 1)
%v4 = mul i64 %v1, 2
%v5 = mul i64 %v3, 2
%v6 = call i64 @llvm.smin.i64(i64 %v5, i64 2)
%v7 = icmp slt i64 %v4, %v6
br i1 %v7, label %then1, label %else2
then1:
%v8 = udiv i64 %v4, 2
%v9 = urem i64 %v4, 2
store i64 %v9, ptr %s4
store i64 %v4, ptr %s5
br label %head4
head4:
%v10 = load i64, ptr %s4
%v11 = sub i64 2, %v10
%v12 = load i64, ptr %s5
%v13 = sub i64 %v6, %v12
%v14 = call i64 @llvm.smin.i64(i64 %v11, i64 %v13)
%v15 = load i64, ptr %s4
%v16 = add i64 %v15, %v14
%v17 = icmp slt i64 %v15, %v16
br i1 %v17, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v18 = phi i64 [ %v15, %guard8 ], [ %v117, %end13 ]
%v19 = mul i64 %v18, 8
%v20 = mul i64 %v19, 100
%v21 = getelementptr i32, ptr %a0, i64 %v20
%v22 = getelementptr i32, ptr %a1, i64 %v19
%v23 = add i64 %v19, 8
%v24 = icmp sle i64 %v23, 12
%v25 = select i1 %v24, i64 96, i64 0
%v26 = icmp slt i64 0, %v25
br i1 %v26, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v27 = phi i64 [ 0, %guard11 ], [ %v98, %loop9 ]
%v28 = mul i64 %v27, 12
%v29 = getelementptr i32, ptr %v22, i64 %v28
%v30 = load <8 x i32>, ptr %v29, align 4
%v31 = add i64 %v27, 1
%v32 = mul i64 %v31, 12
%v33 = getelementptr i32, ptr %v22, i64 %v32
%v34 = load <8 x i32>, ptr %v33, align 4
%v35 = add i64 %v27, 2
%v36 = mul i64 %v35, 12
%v37 = getelementptr i32, ptr %v22, i64 %v36
%v38 = load <8 x i32>, ptr %v37, align 4
%v39 = add i64 %v27, 3
%v40 = mul i64 %v39, 12
%v41 = getelementptr i32, ptr %v22, i64 %v40
%v42 = load <8 x i32>, ptr %v41, align 4
%v43 = add i64 %v27, 4
%v44 = mul i64 %v43, 12
%v45 = getelementptr i32, ptr %v22, i64 %v44
%v46 = load <8 x i32>, ptr %v45, align 4
%v47 = add i64 %v27, 5
%v48 = mul i64 %v47, 12
%v49 = getelementptr i32, ptr %v22, i64 %v48
%v50 = load <8 x i32>, ptr %v49, align 4
%v51 = add i64 %v27, 6
%v52 = mul i64 %v51, 12
%v53 = getelementptr i32, ptr %v22, i64 %v52
%v54 = load <8 x i32>, ptr %v53, align 4
%v55 = add i64 %v27, 7
%v56 = mul i64 %v55, 12
%v57 = getelementptr i32, ptr %v22, i64 %v56
%v58 = load <8 x i32>, ptr %v57, align 4
%v59 = shufflevector <8 x i32> %v30, <8 x i32> %v34, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v60 = shufflevector <8 x i32> %v30, <8 x i32> %v34, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v61 = shufflevector <8 x i32> %v38, <8 x i32> %v42, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v62 = shufflevector <8 x i32> %v38, <8 x i32> %v42, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v63 = shufflevector <8 x i32> %v46, <8 x i32> %v50, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v64 = shufflevector <8 x i32> %v46, <8 x i32> %v50, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v65 = shufflevector <8 x i32> %v54, <8 x i32> %v58, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v66 = shufflevector <8 x i32> %v54, <8 x i32> %v58, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v67 = shufflevector <8 x i32> %v59, <8 x i32> %v61, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v68 = shufflevector <8 x i32> %v59, <8 x i32> %v61, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v69 = shufflevector <8 x i32> %v60, <8 x i32> %v62, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v70 = shufflevector <8 x i32> %v60, <8 x i32> %v62, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v71 = shufflevector <8 x i32> %v63, <8 x i32> %v65, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v72 = shufflevector <8 x i32> %v63, <8 x i32> %v65, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v73 = shufflevector <8 x i32> %v64, <8 x i32> %v66, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v74 = shufflevector <8 x i32> %v64, <8 x i32> %v66, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v75 = shufflevector <8 x i32> %v67, <8 x i32> %v71, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v76 = shufflevector <8 x i32> %v67, <8 x i32> %v71, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v77 = shufflevector <8 x i32> %v69, <8 x i32> %v73, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v78 = shufflevector <8 x i32> %v69, <8 x i32> %v73, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v79 = shufflevector <8 x i32> %v68, <8 x i32> %v72, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v80 = shufflevector <8 x i32> %v68, <8 x i32> %v72, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v81 = shufflevector <8 x i32> %v70, <8 x i32> %v74, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v82 = shufflevector <8 x i32> %v70, <8 x i32> %v74, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v83 = getelementptr i32, ptr %v21, i64 %v27
store <8 x i32> %v75, ptr %v83, align 4
%v84 = add i64 %v27, 100
%v85 = getelementptr i32, ptr %v21, i64 %v84
store <8 x i32> %v77, ptr %v85, align 4
%v86 = add i64 %v27, 200
%v87 = getelementptr i32, ptr %v21, i64 %v86
store <8 x i32> %v79, ptr %v87, align 4
%v88 = add i64 %v27, 300
%v89 = getelementptr i32, ptr %v21, i64 %v88
store <8 x i32> %v81, ptr %v89, align 4
%v90 = add i64 %v27, 400
%v91 = getelementptr i32, ptr %v21, i64 %v90
store <8 x i32> %v76, ptr %v91, align 4
%v92 = add i64 %v27, 500
%v93 = getelementptr i32, ptr %v21, i64 %v92
store <8 x i32> %v78, ptr %v93, align 4
%v94 = add i64 %v27, 600
%v95 = getelementptr i32, ptr %v21, i64 %v94
store <8 x i32> %v80, ptr %v95, align 4
%v96 = add i64 %v27, 700
%v97 = getelementptr i32, ptr %v21, i64 %v96
store <8 x i32> %v82, ptr %v97, align 4
%v98 = add i64 %v27, 8
%v99 = icmp slt i64 %v98, %v25
br i1 %v99, label %loop9, label %end10
end10:
%v100 = sub i64 12, %v19
%v101 = call i64 @llvm.smin.i64(i64 %v100, i64 8)
%v102 = icmp slt i64 0, %v101
br i1 %v102, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v103 = phi i64 [ 0, %guard14 ], [ %v115, %end16 ]
%v104 = mul i64 %v103, 100
%v105 = getelementptr i32, ptr %v21, i64 %v104
%v106 = getelementptr i32, ptr %v22, i64 %v103
%v107 = icmp slt i64 %v25, 100
br i1 %v107, label %guard17, label %end16
guard17:
br label %loop15
loop15:
%v108 = phi i64 [ %v25, %guard17 ], [ %v113, %loop15 ]
%v109 = mul i64 %v108, 12
%v110 = getelementptr i32, ptr %v106, i64 %v109
%v111 = load i32, ptr %v110, align 4
%v112 = getelementptr i32, ptr %v105, i64 %v108
store i32 %v111, ptr %v112, align 4
%v113 = add i64 %v108, 1
%v114 = icmp slt i64 %v113, 100
br i1 %v114, label %loop15, label %end16
end16:
%v115 = add i64 %v103, 1
%v116 = icmp slt i64 %v115, %v101
br i1 %v116, label %loop12, label %end13
end13:
%v117 = add i64 %v18, 1
%v118 = icmp slt i64 %v117, %v16
br i1 %v118, label %loop6, label %end7
end7:
%v119 = load i64, ptr %s5
%v120 = add i64 %v119, %v14
store i64 %v120, ptr %s5
store i64 0, ptr %s4
%v121 = load i64, ptr %s5
%v122 = icmp sge i64 %v121, %v6
br i1 %v122, label %end5, label %next18
next18:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

