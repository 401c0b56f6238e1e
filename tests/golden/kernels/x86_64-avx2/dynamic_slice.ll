; kernels for x86_64-avx2
; mir @dynamic_slice {
;   %0 = input("x1") : f32[5, 24]
;   %1 = input("x2") : i32[]
;   %2 = dynamic_slice(%0, %1, axes=(1,), sizes=(8,)) : f32[5, 8]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

define void @dynamic_slice_98b492a1(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%s2 = alloca i64
%s3 = alloca i64
%s4 = alloca i64
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%v0 = mul i64 %begin, 64
%v1 = mul i64 %end, 64
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 40)
%v3 = load i32, ptr %a0, align 4
%v4 = sext i32 %v3 to i64
%v5 = call i64 @llvm.smax.i64(i64 %v4, i64 0)
%v6 = call i64 @llvm.smin.i64(i64 %v5, i64 16)
%v7 = icmp slt i64 %v0, %v2
br i1 %v7, label %then1, label %else2
then1:
%v8 = udiv i64 %v0, 8
%v9 = urem i64 %v8, 5
store i64 %v9, ptr %s2
%v10 = udiv i64 %v8, 5
%v11 = urem i64 %v0, 8
store i64 %v11, ptr %s3
store i64 %v0, ptr %s4
br label %head4
head4:
%v12 = load i64, ptr %s3
%v13 = sub i64 8, %v12
%v14 = load i64, ptr %s4
%v15 = sub i64 %v2, %v14
%v16 = call i64 @llvm.smin.i64(i64 %v13, i64 %v15)
%v17 = load i64, ptr %s2
%v18 = load i64, ptr %s3
%v19 = mul i64 %v17, 24
%v20 = add i64 %v19, %v18
%v21 = add i64 %v20, %v6
%v22 = getelementptr i32, ptr %a1, i64 %v21
%v23 = mul i64 %v17, 8
%v24 = add i64 %v23, %v18
%v25 = getelementptr i32, ptr %a2, i64 %v24
%v26 = ashr i64 %v16, 3
%v27 = mul i64 %v26, 8
%v28 = icmp slt i64 0, %v27
br i1 %v28, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v29 = phi i64 [ 0, %guard8 ], [ %v33, %loop6 ]
%v30 = getelementptr i32, ptr %v22, i64 %v29
%v31 = load <8 x i32>, ptr %v30, align 4
%v32 = getelementptr i32, ptr %v25, i64 %v29
store <8 x i32> %v31, ptr %v32, align 4
%v33 = add i64 %v29, 8
%v34 = icmp slt i64 %v33, %v27
br i1 %v34, label %loop6, label %end7
end7:
%v35 = icmp slt i64 %v27, %v16
br i1 %v35, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v36 = phi i64 [ %v27, %guard11 ], [ %v40, %loop9 ]
%v37 = getelementptr i32, ptr %v22, i64 %v36
%v38 = load i32, ptr %v37, align 4
%v39 = getelementptr i32, ptr %v25, i64 %v36
store i32 %v38, ptr %v39, align 4
%v40 = add i64 %v36, 1
%v41 = icmp slt i64 %v40, %v16
br i1 %v41, label %loop9, label %end10
end10:
%v42 = load i64, ptr %s4
%v43 = add i64 %v42, %v16
store i64 %v43, ptr %s4
store i64 0, ptr %s3
%v44 = load i64, ptr %s2
%v45 = add i64 %v44, 1
%v46 = icmp eq i64 %v45, 5
%v47 = select i1 %v46, i64 0, i64 %v45
store i64 %v47, ptr %s2
%v48 = load i64, ptr %s4
%v49 = icmp sge i64 %v48, %v2
br i1 %v49, label %end5, label %next12
next12:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

