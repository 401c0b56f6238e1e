; kernels for x86_64-avx2
; mir @gather {
;   %0 = input("x1") : f32[20, 24]
;   %1 = input("x2") : i32[7]
;   %2 = gather(%0, %1, axis=0, check_bounds=true) : f32[7, 24]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

define void @gather_3dacb996(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%s2 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 3
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 4
%a2 = load i64, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 2
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 0
%a4 = load ptr, ptr %a4.p, align 8
%v0 = mul i64 %begin, 192
%v1 = mul i64 %end, 192
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 168)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 24
%v5 = urem i64 %v4, 7
store i64 %v5, ptr %s0
%v6 = udiv i64 %v4, 7
%v7 = urem i64 %v0, 24
store i64 %v7, ptr %s1
store i64 %v0, ptr %s2
br label %head4
head4:
%v8 = load i64, ptr %s1
%v9 = sub i64 24, %v8
%v10 = load i64, ptr %s2
%v11 = sub i64 %v2, %v10
%v12 = call i64 @llvm.smin.i64(i64 %v9, i64 %v11)
%v13 = load i64, ptr %s0
%v14 = load i64, ptr %s1
%v15 = getelementptr i32, ptr %a0, i64 %v13
%v16 = load i32, ptr %v15, align 4
%v17 = sext i32 %v16 to i64
%v18 = icmp slt i64 %v17, 0
%v19 = add i64 %v17, 20
%v20 = select i1 %v18, i64 %v19, i64 %v17
%v21 = call i64 @llvm.smin.i64(i64 %v20, i64 19)
%v22 = call i64 @llvm.smax.i64(i64 %v21, i64 0)
%v23 = icmp uge i64 %v20, 20
br i1 %v23, label %then6, label %else7
then6:
%v24 = shl i64 %a2, 32
%v25 = or i64 %v24, 508
%v26 = cmpxchg ptr %a1, i64 0, i64 %v25 acq_rel acquire
%v27 = extractvalue { i64, i1 } %v26, 0
%v28 = extractvalue { i64, i1 } %v26, 1
br label %end8
else7:
br label %end8
end8:
%v29 = mul i64 %v13, 24
%v30 = add i64 %v29, %v14
%v31 = getelementptr i32, ptr %a3, i64 %v30
%v32 = mul i64 %v22, 24
%v33 = add i64 %v14, %v32
%v34 = getelementptr i32, ptr %a4, i64 %v33
%v35 = ashr i64 %v12, 3
%v36 = mul i64 %v35, 8
%v37 = icmp slt i64 0, %v36
br i1 %v37, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v38 = phi i64 [ 0, %guard11 ], [ %v42, %loop9 ]
%v39 = getelementptr i32, ptr %v34, i64 %v38
%v40 = load <8 x i32>, ptr %v39, align 4
%v41 = getelementptr i32, ptr %v31, i64 %v38
store <8 x i32> %v40, ptr %v41, align 4
%v42 = add i64 %v38, 8
%v43 = icmp slt i64 %v42, %v36
br i1 %v43, label %loop9, label %end10
end10:
%v44 = icmp slt i64 %v36, %v12
br i1 %v44, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v45 = phi i64 [ %v36, %guard14 ], [ %v49, %loop12 ]
%v46 = getelementptr i32, ptr %v34, i64 %v45
%v47 = load i32, ptr %v46, align 4
%v48 = getelementptr i32, ptr %v31, i64 %v45
store i32 %v47, ptr %v48, align 4
%v49 = add i64 %v45, 1
%v50 = icmp slt i64 %v49, %v12
br i1 %v50, label %loop12, label %end13
end13:
%v51 = load i64, ptr %s2
%v52 = add i64 %v51, %v12
store i64 %v52, ptr %s2
store i64 0, ptr %s1
%v53 = load i64, ptr %s0
%v54 = add i64 %v53, 1
%v55 = icmp eq i64 %v54, 7
%v56 = select i1 %v55, i64 0, i64 %v54
store i64 %v56, ptr %s0
%v57 = load i64, ptr %s2
%v58 = icmp sge i64 %v57, %v2
br i1 %v58, label %end5, label %next15
next15:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

