; kernels for x86_64-avx2
; mir @sort {
;   %0 = input("x1") : f32[5, 40]
;   %1 = sort(%0, axis=1) : f32[5, 40]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @sort_78c08d96(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%s4 = alloca i64
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
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
%v13 = phi i64 [ 0, %guard8 ], [ %v83, %end21 ]
%v14 = add i64 %v11, %v13
%v15 = mul i64 %v14, 40
%v16 = add i64 %v11, %v13
%v17 = mul i64 %v16, 40
%v18 = getelementptr float, ptr %a0, i64 %v15
%v19 = getelementptr i32, ptr %scratch, i64 48
%v20 = getelementptr i8, ptr %scratch, i64 384
%v21 = getelementptr i8, ptr %scratch, i64 576
%v22 = getelementptr i8, ptr %scratch, i64 768
br i1 false, label %then9, label %else10
then9:
br label %loop12
loop12:
%v23 = phi i64 [ 0, %then9 ], [ %v55, %end15 ]
%v24 = getelementptr float, ptr %v18, i64 %v23
%v25 = load float, ptr %v24, align 4
%v26 = fadd float %v25, 0x0000000000000000
%v27 = bitcast float %v26 to i32
%v28 = ashr i32 %v27, 31
%v29 = and i32 %v28, 2147483647
%v30 = xor i32 %v27, %v29
%v31 = fcmp uno float %v25, %v25
%v32 = select i1 %v31, i32 2147483647, i32 %v30
store i64 %v23, ptr %s4
br label %head14
head14:
%v33 = load i64, ptr %s4
%v34 = icmp eq i64 %v33, 0
br i1 %v34, label %end15, label %next16
next16:
%v35 = load i64, ptr %s4
%v36 = sub i64 %v35, 1
%v37 = getelementptr i32, ptr %scratch, i64 %v36
%v38 = load i32, ptr %v37, align 4
%v39 = icmp sle i32 %v38, %v32
br i1 %v39, label %end15, label %next17
next17:
%v40 = load i64, ptr %s4
%v41 = getelementptr i32, ptr %scratch, i64 %v40
store i32 %v38, ptr %v41, align 4
%v42 = load i64, ptr %s4
%v43 = sub i64 %v42, 1
%v44 = getelementptr i32, ptr %v20, i64 %v43
%v45 = load i32, ptr %v44, align 4
%v46 = load i64, ptr %s4
%v47 = getelementptr i32, ptr %v20, i64 %v46
store i32 %v45, ptr %v47, align 4
%v48 = load i64, ptr %s4
%v49 = sub i64 %v48, 1
store i64 %v49, ptr %s4
br label %head14
end15:
%v50 = load i64, ptr %s4
%v51 = getelementptr i32, ptr %scratch, i64 %v50
store i32 %v32, ptr %v51, align 4
%v52 = trunc i64 %v23 to i32
%v53 = load i64, ptr %s4
%v54 = getelementptr i32, ptr %v20, i64 %v53
store i32 %v52, ptr %v54, align 4
%v55 = add i64 %v23, 1
%v56 = icmp slt i64 %v55, 40
br i1 %v56, label %loop12, label %end13
end13:
br label %end11
else10:
br label %loop18
loop18:
%v57 = phi i64 [ 0, %else10 ], [ %v71, %loop18 ]
%v58 = getelementptr float, ptr %v18, i64 %v57
%v59 = load float, ptr %v58, align 4
%v60 = fadd float %v59, 0x0000000000000000
%v61 = bitcast float %v60 to i32
%v62 = ashr i32 %v61, 31
%v63 = and i32 %v62, 2147483647
%v64 = xor i32 %v61, %v63
%v65 = fcmp uno float %v59, %v59
%v66 = select i1 %v65, i32 2147483647, i32 %v64
%v67 = xor i32 %v66, -2147483648
%v68 = getelementptr i32, ptr %scratch, i64 %v57
store i32 %v67, ptr %v68, align 4
%v69 = trunc i64 %v57 to i32
%v70 = getelementptr i32, ptr %v20, i64 %v57
store i32 %v69, ptr %v70, align 4
%v71 = add i64 %v57, 1
%v72 = icmp slt i64 %v71, 40
br i1 %v72, label %loop18, label %end19
end19:
call void @sort_by_bytes_i32(ptr %scratch, ptr %v19, ptr %v20, ptr %v21, ptr %v22, i64 40)
br label %end11
end11:
%v73 = getelementptr float, ptr %a1, i64 %v17
br label %loop20
loop20:
%v74 = phi i64 [ 0, %end11 ], [ %v81, %loop20 ]
%v75 = getelementptr i32, ptr %v20, i64 %v74
%v76 = load i32, ptr %v75, align 4
%v77 = sext i32 %v76 to i64
%v78 = getelementptr float, ptr %v18, i64 %v77
%v79 = load float, ptr %v78, align 4
%v80 = getelementptr float, ptr %v73, i64 %v74
store float %v79, ptr %v80, align 4
%v81 = add i64 %v74, 1
%v82 = icmp slt i64 %v81, 40
br i1 %v82, label %loop20, label %end21
end21:
%v83 = add i64 %v13, 1
%v84 = icmp slt i64 %v83, %v10
br i1 %v84, label %loop6, label %end7
end7:
%v85 = load i64, ptr %s1
%v86 = add i64 %v85, %v10
store i64 %v86, ptr %s1
store i64 0, ptr %s0
%v87 = load i64, ptr %s1
%v88 = icmp sge i64 %v87, %v2
br i1 %v88, label %end5, label %next22
next22:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

define internal void @sort_by_bytes_i32(ptr %keys, ptr %other_keys, ptr %places, ptr %other_places, ptr %counts, i64 %length) nounwind {
entry:
%s0 = alloca ptr
%s1 = alloca ptr
%s2 = alloca ptr
%s3 = alloca ptr
%s4 = alloca i32
store ptr %keys, ptr %s0
store ptr %other_keys, ptr %s1
store ptr %places, ptr %s2
store ptr %other_places, ptr %s3
br label %loop1
loop1:
%v0 = phi i64 [ 0, %entry ], [ %v56, %end11 ]
%v1 = trunc i64 %v0 to i32
br label %loop3
loop3:
%v2 = phi i64 [ 0, %loop1 ], [ %v4, %loop3 ]
%v3 = getelementptr i32, ptr %counts, i64 %v2
store i32 0, ptr %v3, align 4
%v4 = add i64 %v2, 1
%v5 = icmp slt i64 %v4, 256
br i1 %v5, label %loop3, label %end4
end4:
%v6 = icmp slt i64 0, %length
br i1 %v6, label %guard7, label %end6
guard7:
br label %loop5
loop5:
%v7 = phi i64 [ 0, %guard7 ], [ %v18, %loop5 ]
%v8 = load ptr, ptr %s0
%v9 = getelementptr i32, ptr %v8, i64 %v7
%v10 = load i32, ptr %v9, align 4
%v11 = lshr i32 %v10, %v1
%v12 = and i32 %v11, 255
%v13 = sext i32 %v12 to i64
%v14 = getelementptr i32, ptr %counts, i64 %v13
%v15 = load i32, ptr %v14, align 4
%v16 = add i32 %v15, 1
%v17 = getelementptr i32, ptr %counts, i64 %v13
store i32 %v16, ptr %v17, align 4
%v18 = add i64 %v7, 1
%v19 = icmp slt i64 %v18, %length
br i1 %v19, label %loop5, label %end6
end6:
store i32 0, ptr %s4
br label %loop8
loop8:
%v20 = phi i64 [ 0, %end6 ], [ %v27, %loop8 ]
%v21 = getelementptr i32, ptr %counts, i64 %v20
%v22 = load i32, ptr %v21, align 4
%v23 = load i32, ptr %s4
%v24 = getelementptr i32, ptr %counts, i64 %v20
store i32 %v23, ptr %v24, align 4
%v25 = load i32, ptr %s4
%v26 = add i32 %v25, %v22
store i32 %v26, ptr %s4
%v27 = add i64 %v20, 1
%v28 = icmp slt i64 %v27, 256
br i1 %v28, label %loop8, label %end9
end9:
%v29 = icmp slt i64 0, %length
br i1 %v29, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v30 = phi i64 [ 0, %guard12 ], [ %v50, %loop10 ]
%v31 = load ptr, ptr %s0
%v32 = getelementptr i32, ptr %v31, i64 %v30
%v33 = load i32, ptr %v32, align 4
%v34 = lshr i32 %v33, %v1
%v35 = and i32 %v34, 255
%v36 = sext i32 %v35 to i64
%v37 = getelementptr i32, ptr %counts, i64 %v36
%v38 = load i32, ptr %v37, align 4
%v39 = add i32 %v38, 1
%v40 = getelementptr i32, ptr %counts, i64 %v36
store i32 %v39, ptr %v40, align 4
%v41 = load ptr, ptr %s1
%v42 = sext i32 %v38 to i64
%v43 = getelementptr i32, ptr %v41, i64 %v42
store i32 %v33, ptr %v43, align 4
%v44 = load ptr, ptr %s2
%v45 = getelementptr i32, ptr %v44, i64 %v30
%v46 = load i32, ptr %v45, align 4
%v47 = load ptr, ptr %s3
%v48 = sext i32 %v38 to i64
%v49 = getelementptr i32, ptr %v47, i64 %v48
store i32 %v46, ptr %v49, align 4
%v50 = add i64 %v30, 1
%v51 = icmp slt i64 %v50, %length
br i1 %v51, label %loop10, label %end11
end11:
%v52 = load ptr, ptr %s0
%v53 = load ptr, ptr %s1
store ptr %v53, ptr %s0
store ptr %v52, ptr %s1
%v54 = load ptr, ptr %s2
%v55 = load ptr, ptr %s3
store ptr %v55, ptr %s2
store ptr %v54, ptr %s3
%v56 = add i64 %v0, 8
%v57 = icmp slt i64 %v56, 32
br i1 %v57, label %loop1, label %end2
end2:
ret void
}

