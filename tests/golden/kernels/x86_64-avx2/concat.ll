; kernels for x86_64-avx2
; mir @concat {
;   %0 = input("x1") : f32[5, 9]
;   %1 = input("x2") : f32[5, 4]
;   %2 = slice(%1, start=(0, 0), stop=(5, 3), step=(1, 2)) : f32[5, 2]
;   %3 = concat(%0, %2, axis=1) : f32[5, 11]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @subroutine_a016258f(ptr %target, ptr %source, i64 %length, i64 %to, i64 %of, i64 %first, i64 %last) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%s2 = alloca i64
%v0 = icmp slt i64 %first, %last
br i1 %v0, label %then1, label %else2
then1:
%v1 = udiv i64 %first, %length
store i64 %v1, ptr %s0
%v2 = urem i64 %first, %length
store i64 %v2, ptr %s1
store i64 %first, ptr %s2
br label %head4
head4:
%v3 = load i64, ptr %s1
%v4 = sub i64 %length, %v3
%v5 = load i64, ptr %s2
%v6 = sub i64 %last, %v5
%v7 = call i64 @llvm.smin.i64(i64 %v4, i64 %v6)
%v8 = load i64, ptr %s0
%v9 = mul i64 %v8, %to
%v10 = load i64, ptr %s1
%v11 = add i64 %v9, %v10
%v12 = getelementptr i32, ptr %target, i64 %v11
%v13 = load i64, ptr %s0
%v14 = mul i64 %v13, %of
%v15 = load i64, ptr %s1
%v16 = add i64 %v14, %v15
%v17 = getelementptr i32, ptr %source, i64 %v16
%v18 = ashr i64 %v7, 3
%v19 = mul i64 %v18, 8
%v20 = icmp slt i64 0, %v19
br i1 %v20, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v21 = phi i64 [ 0, %guard8 ], [ %v25, %loop6 ]
%v22 = getelementptr i32, ptr %v17, i64 %v21
%v23 = load <8 x i32>, ptr %v22, align 4
%v24 = getelementptr i32, ptr %v12, i64 %v21
store <8 x i32> %v23, ptr %v24, align 4
%v25 = add i64 %v21, 8
%v26 = icmp slt i64 %v25, %v19
br i1 %v26, label %loop6, label %end7
end7:
%v27 = icmp slt i64 %v19, %v7
br i1 %v27, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v28 = phi i64 [ %v19, %guard11 ], [ %v32, %loop9 ]
%v29 = getelementptr i32, ptr %v17, i64 %v28
%v30 = load i32, ptr %v29, align 4
%v31 = getelementptr i32, ptr %v12, i64 %v28
store i32 %v30, ptr %v31, align 4
%v32 = add i64 %v28, 1
%v33 = icmp slt i64 %v32, %v7
br i1 %v33, label %loop9, label %end10
end10:
%v34 = load i64, ptr %s2
%v35 = add i64 %v34, %v7
store i64 %v35, ptr %s2
store i64 0, ptr %s1
%v36 = load i64, ptr %s0
%v37 = add i64 %v36, 1
store i64 %v37, ptr %s0
%v38 = load i64, ptr %s2
%v39 = icmp sge i64 %v38, %last
br i1 %v39, label %end5, label %next12
next12:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}


declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @subroutine_a016258f(ptr, ptr, i64, i64, i64, i64, i64)

define void @concat_49ab2f32(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 2
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
%s6 = alloca i64
%s7 = alloca i64
%s8 = alloca i64
%v0 = call i64 @llvm.smax.i64(i64 %begin, i64 0)
%v1 = call i64 @llvm.smin.i64(i64 %v0, i64 1)
%v2 = call i64 @llvm.smax.i64(i64 %end, i64 0)
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 1)
%v4 = mul i64 %v1, 64
%v5 = mul i64 %v3, 64
%v6 = call i64 @llvm.smin.i64(i64 %v5, i64 45)
call void @subroutine_a016258f(ptr %a0, ptr %a1, i64 9, i64 11, i64 9, i64 %v4, i64 %v6)
%v7 = sub i64 %begin, 1
%v8 = call i64 @llvm.smax.i64(i64 %v7, i64 0)
%v9 = call i64 @llvm.smin.i64(i64 %v8, i64 1)
%v10 = sub i64 %end, 1
%v11 = call i64 @llvm.smax.i64(i64 %v10, i64 0)
%v12 = call i64 @llvm.smin.i64(i64 %v11, i64 1)
%v13 = getelementptr i32, ptr %a0, i64 9
%v14 = mul i64 %v9, 64
%v15 = mul i64 %v12, 64
%v16 = call i64 @llvm.smin.i64(i64 %v15, i64 10)
%v17 = icmp slt i64 %v14, %v16
br i1 %v17, label %then1, label %else2
then1:
%v18 = udiv i64 %v14, 2
%v19 = urem i64 %v18, 5
store i64 %v19, ptr %s6
%v20 = udiv i64 %v18, 5
%v21 = urem i64 %v14, 2
store i64 %v21, ptr %s7
store i64 %v14, ptr %s8
br label %head4
head4:
%v22 = load i64, ptr %s7
%v23 = sub i64 2, %v22
%v24 = load i64, ptr %s8
%v25 = sub i64 %v16, %v24
%v26 = call i64 @llvm.smin.i64(i64 %v23, i64 %v25)
%v27 = load i64, ptr %s6
%v28 = load i64, ptr %s7
%v29 = mul i64 %v27, 11
%v30 = add i64 %v29, %v28
%v31 = getelementptr i32, ptr %v13, i64 %v30
%v32 = mul i64 %v27, 4
%v33 = mul i64 %v28, 2
%v34 = add i64 %v32, %v33
%v35 = getelementptr i32, ptr %a2, i64 %v34
%v36 = icmp slt i64 0, %v26
br i1 %v36, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v37 = phi i64 [ 0, %guard8 ], [ %v42, %loop6 ]
%v38 = mul i64 %v37, 2
%v39 = getelementptr i32, ptr %v35, i64 %v38
%v40 = load i32, ptr %v39, align 4
%v41 = getelementptr i32, ptr %v31, i64 %v37
store i32 %v40, ptr %v41, align 4
%v42 = add i64 %v37, 1
%v43 = icmp slt i64 %v42, %v26
br i1 %v43, label %loop6, label %end7
end7:
%v44 = load i64, ptr %s8
%v45 = add i64 %v44, %v26
store i64 %v45, ptr %s8
store i64 0, ptr %s7
%v46 = load i64, ptr %s6
%v47 = add i64 %v46, 1
%v48 = icmp eq i64 %v47, 5
%v49 = select i1 %v48, i64 0, i64 %v47
store i64 %v49, ptr %s6
%v50 = load i64, ptr %s8
%v51 = icmp sge i64 %v50, %v16
br i1 %v51, label %end5, label %next9
next9:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

