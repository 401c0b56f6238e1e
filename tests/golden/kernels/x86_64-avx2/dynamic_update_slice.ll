; kernels for x86_64-avx2
; mir @dynamic_update_slice {
;   %0 = input("x1") : f32[5, 24]
;   %1 = input("x2") : f32[5, 4]
;   %2 = input("x3") : i32[5]
;   %3 = dynamic_update_slice(%0, %1, %2, axes=(1,)) : f32[5, 24]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @update_rest_b780578c(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%s5 = alloca i64
%v0 = icmp ne ptr %a0, %a1
br i1 %v0, label %then1, label %else2
then1:
%v1 = mul i64 %begin, 128
%v2 = mul i64 %end, 128
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 120)
%v4 = icmp slt i64 %v1, %v3
br i1 %v4, label %then4, label %else5
then4:
%v5 = udiv i64 %v1, 120
%v6 = urem i64 %v1, 120
store i64 %v6, ptr %s4
store i64 %v1, ptr %s5
br label %head7
head7:
%v7 = load i64, ptr %s4
%v8 = sub i64 120, %v7
%v9 = load i64, ptr %s5
%v10 = sub i64 %v3, %v9
%v11 = call i64 @llvm.smin.i64(i64 %v8, i64 %v10)
%v12 = load i64, ptr %s4
%v13 = getelementptr i32, ptr %a1, i64 %v12
%v14 = getelementptr i32, ptr %a0, i64 %v12
%v15 = ashr i64 %v11, 3
%v16 = mul i64 %v15, 8
%v17 = icmp slt i64 0, %v16
br i1 %v17, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v18 = phi i64 [ 0, %guard11 ], [ %v22, %loop9 ]
%v19 = getelementptr i32, ptr %v14, i64 %v18
%v20 = load <8 x i32>, ptr %v19, align 4
%v21 = getelementptr i32, ptr %v13, i64 %v18
store <8 x i32> %v20, ptr %v21, align 4
%v22 = add i64 %v18, 8
%v23 = icmp slt i64 %v22, %v16
br i1 %v23, label %loop9, label %end10
end10:
%v24 = icmp slt i64 %v16, %v11
br i1 %v24, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v25 = phi i64 [ %v16, %guard14 ], [ %v29, %loop12 ]
%v26 = getelementptr i32, ptr %v14, i64 %v25
%v27 = load i32, ptr %v26, align 4
%v28 = getelementptr i32, ptr %v13, i64 %v25
store i32 %v27, ptr %v28, align 4
%v29 = add i64 %v25, 1
%v30 = icmp slt i64 %v29, %v11
br i1 %v30, label %loop12, label %end13
end13:
%v31 = load i64, ptr %s5
%v32 = add i64 %v31, %v11
store i64 %v32, ptr %s5
store i64 0, ptr %s4
%v33 = load i64, ptr %s5
%v34 = icmp sge i64 %v33, %v3
br i1 %v34, label %end8, label %next15
next15:
br label %head7
end8:
br label %end6
else5:
br label %end6
end6:
br label %end3
else2:
br label %end3
end3:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

define void @update_window_49188636(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%s2 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 2
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 3
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
%v0 = mul i64 %begin, 64
%v1 = mul i64 %end, 64
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 20)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 4
%v5 = urem i64 %v4, 5
store i64 %v5, ptr %s0
%v6 = udiv i64 %v4, 5
%v7 = urem i64 %v0, 4
store i64 %v7, ptr %s1
store i64 %v0, ptr %s2
br label %head4
head4:
%v8 = load i64, ptr %s1
%v9 = sub i64 4, %v8
%v10 = load i64, ptr %s2
%v11 = sub i64 %v2, %v10
%v12 = call i64 @llvm.smin.i64(i64 %v9, i64 %v11)
%v13 = load i64, ptr %s0
%v14 = load i64, ptr %s1
%v15 = getelementptr i32, ptr %a0, i64 %v13
%v16 = load i32, ptr %v15, align 4
%v17 = sext i32 %v16 to i64
%v18 = call i64 @llvm.smax.i64(i64 %v17, i64 0)
%v19 = call i64 @llvm.smin.i64(i64 %v18, i64 20)
%v20 = mul i64 %v13, 24
%v21 = add i64 %v20, %v14
%v22 = add i64 %v21, %v19
%v23 = getelementptr i32, ptr %a1, i64 %v22
%v24 = mul i64 %v13, 4
%v25 = add i64 %v24, %v14
%v26 = getelementptr i32, ptr %a2, i64 %v25
%v27 = ashr i64 %v12, 3
%v28 = mul i64 %v27, 8
%v29 = icmp slt i64 0, %v28
br i1 %v29, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v30 = phi i64 [ 0, %guard8 ], [ %v34, %loop6 ]
%v31 = getelementptr i32, ptr %v26, i64 %v30
%v32 = load <8 x i32>, ptr %v31, align 4
%v33 = getelementptr i32, ptr %v23, i64 %v30
store <8 x i32> %v32, ptr %v33, align 4
%v34 = add i64 %v30, 8
%v35 = icmp slt i64 %v34, %v28
br i1 %v35, label %loop6, label %end7
end7:
%v36 = icmp slt i64 %v28, %v12
br i1 %v36, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v37 = phi i64 [ %v28, %guard11 ], [ %v41, %loop9 ]
%v38 = getelementptr i32, ptr %v26, i64 %v37
%v39 = load i32, ptr %v38, align 4
%v40 = getelementptr i32, ptr %v23, i64 %v37
store i32 %v39, ptr %v40, align 4
%v41 = add i64 %v37, 1
%v42 = icmp slt i64 %v41, %v12
br i1 %v42, label %loop9, label %end10
end10:
%v43 = load i64, ptr %s2
%v44 = add i64 %v43, %v12
store i64 %v44, ptr %s2
store i64 0, ptr %s1
%v45 = load i64, ptr %s0
%v46 = add i64 %v45, 1
%v47 = icmp eq i64 %v46, 5
%v48 = select i1 %v47, i64 0, i64 %v46
store i64 %v48, ptr %s0
%v49 = load i64, ptr %s2
%v50 = icmp sge i64 %v49, %v2
br i1 %v50, label %end5, label %next12
next12:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

