; kernels for x86_64-avx2
; mir @take_along_axis {
;   %0 = input("x1") : f32[5, 24]
;   %1 = input("x2") : i32[5, 3]
;   %2 = take_along_axis(%0, %1, axis=1) : f32[5, 3]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

define void @take_along_axis_7ea1c7e4(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%s2 = alloca i64
%s3 = alloca i64
%s4 = alloca i64
%a1.p = getelementptr i64, ptr %args, i64 2
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
%v0 = mul i64 %begin, 64
%v1 = mul i64 %end, 64
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 15)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 3
%v5 = urem i64 %v4, 5
store i64 %v5, ptr %s2
%v6 = udiv i64 %v4, 5
%v7 = urem i64 %v0, 3
store i64 %v7, ptr %s3
store i64 %v0, ptr %s4
br label %head4
head4:
%v8 = load i64, ptr %s3
%v9 = sub i64 3, %v8
%v10 = load i64, ptr %s4
%v11 = sub i64 %v2, %v10
%v12 = call i64 @llvm.smin.i64(i64 %v9, i64 %v11)
%v13 = load i64, ptr %s2
%v14 = load i64, ptr %s3
%v15 = mul i64 %v13, 3
%v16 = add i64 %v15, %v14
%v17 = getelementptr i32, ptr %a1, i64 %v16
%v18 = mul i64 %v13, 24
%v19 = mul i64 %v13, 3
%v20 = add i64 %v19, %v14
%v21 = icmp slt i64 0, %v12
br i1 %v21, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v22 = phi i64 [ 0, %guard8 ], [ %v37, %loop6 ]
%v23 = add i64 %v20, %v22
%v24 = getelementptr i32, ptr %a2, i64 %v23
%v25 = load i32, ptr %v24, align 4
%v26 = sext i32 %v25 to i64
%v27 = icmp slt i64 %v26, 0
%v28 = add i64 %v26, 24
%v29 = select i1 %v27, i64 %v28, i64 %v26
%v30 = call i64 @llvm.smin.i64(i64 %v29, i64 23)
%v31 = call i64 @llvm.smax.i64(i64 %v30, i64 0)
%v32 = icmp uge i64 %v29, 24
%v33 = add i64 %v18, %v31
%v34 = getelementptr i32, ptr %a0, i64 %v33
%v35 = load i32, ptr %v34, align 4
%v36 = getelementptr i32, ptr %v17, i64 %v22
store i32 %v35, ptr %v36, align 4
%v37 = add i64 %v22, 1
%v38 = icmp slt i64 %v37, %v12
br i1 %v38, label %loop6, label %end7
end7:
%v39 = load i64, ptr %s4
%v40 = add i64 %v39, %v12
store i64 %v40, ptr %s4
store i64 0, ptr %s3
%v41 = load i64, ptr %s2
%v42 = add i64 %v41, 1
%v43 = icmp eq i64 %v42, 5
%v44 = select i1 %v43, i64 0, i64 %v42
store i64 %v44, ptr %s2
%v45 = load i64, ptr %s4
%v46 = icmp sge i64 %v45, %v2
br i1 %v46, label %end5, label %next9
next9:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

