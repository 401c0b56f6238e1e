; kernels for x86_64-avx2
; mir @complex_numbers {
;   %0 = input("x1") : c64[5, 9]
;   %1 = imag(%0) : f32[5, 9]
;   %2 = real(%0) : f32[5, 9]
;   %3 = complex(%1, %2) : c64[5, 9]
;   %4 = conjugate(%0) : c64[5, 9]
;   %5 = complex_norm_sq(%0) : f32[5, 9]
;   return y1=%3, y2=%4, y3=%5
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @imag_ff70925a(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%v0 = mul i64 %begin, 64
%v1 = mul i64 %end, 64
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 45)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 45
%v5 = urem i64 %v0, 45
store i64 %v5, ptr %s0
store i64 %v0, ptr %s1
br label %head4
head4:
%v6 = load i64, ptr %s0
%v7 = sub i64 45, %v6
%v8 = load i64, ptr %s1
%v9 = sub i64 %v2, %v8
%v10 = call i64 @llvm.smin.i64(i64 %v7, i64 %v9)
%v11 = load i64, ptr %s0
%v12 = ashr i64 %v10, 3
%v13 = mul i64 %v12, 8
%v14 = icmp slt i64 0, %v13
br i1 %v14, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v15 = phi i64 [ 0, %guard8 ], [ %v24, %loop6 ]
%v16 = add i64 %v11, %v15
%v17 = add i64 %v11, %v15
%v18 = mul i64 %v16, 2
%v19 = getelementptr float, ptr %a0, i64 %v18
%v20 = load <16 x float>, ptr %v19, align 4
%v21 = shufflevector <16 x float> %v20, <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
%v22 = shufflevector <16 x float> %v20, <16 x float> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
%v23 = getelementptr float, ptr %a1, i64 %v17
store <8 x float> %v22, ptr %v23, align 4
%v24 = add i64 %v15, 8
%v25 = icmp slt i64 %v24, %v13
br i1 %v25, label %loop6, label %end7
end7:
%v26 = icmp slt i64 %v13, %v10
br i1 %v26, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v27 = phi i64 [ %v13, %guard11 ], [ %v38, %loop9 ]
%v28 = add i64 %v11, %v27
%v29 = add i64 %v11, %v27
%v30 = mul i64 %v28, 2
%v31 = getelementptr float, ptr %a0, i64 %v30
%v32 = load float, ptr %v31, align 4
%v33 = mul i64 %v28, 2
%v34 = add i64 %v33, 1
%v35 = getelementptr float, ptr %a0, i64 %v34
%v36 = load float, ptr %v35, align 4
%v37 = getelementptr float, ptr %a1, i64 %v29
store float %v36, ptr %v37, align 4
%v38 = add i64 %v27, 1
%v39 = icmp slt i64 %v38, %v10
br i1 %v39, label %loop9, label %end10
end10:
%v40 = load i64, ptr %s1
%v41 = add i64 %v40, %v10
store i64 %v41, ptr %s1
store i64 0, ptr %s0
%v42 = load i64, ptr %s1
%v43 = icmp sge i64 %v42, %v2
br i1 %v43, label %end5, label %next12
next12:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)

define void @real_5e6d0f19(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%v0 = mul i64 %begin, 64
%v1 = mul i64 %end, 64
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 45)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 45
%v5 = urem i64 %v0, 45
store i64 %v5, ptr %s0
store i64 %v0, ptr %s1
br label %head4
head4:
%v6 = load i64, ptr %s0
%v7 = sub i64 45, %v6
%v8 = load i64, ptr %s1
%v9 = sub i64 %v2, %v8
%v10 = call i64 @llvm.smin.i64(i64 %v7, i64 %v9)
%v11 = load i64, ptr %s0
%v12 = ashr i64 %v10, 3
%v13 = mul i64 %v12, 8
%v14 = icmp slt i64 0, %v13
br i1 %v14, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v15 = phi i64 [ 0, %guard8 ], [ %v24, %loop6 ]
%v16 = add i64 %v11, %v15
%v17 = add i64 %v11, %v15
%v18 = mul i64 %v16, 2
%v19 = getelementptr float, ptr %a0, i64 %v18
%v20 = load <16 x float>, ptr %v19, align 4
%v21 = shufflevector <16 x float> %v20, <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
%v22 = shufflevector <16 x float> %v20, <16 x float> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
%v23 = getelementptr float, ptr %a1, i64 %v17
store <8 x float> %v21, ptr %v23, align 4
%v24 = add i64 %v15, 8
%v25 = icmp slt i64 %v24, %v13
br i1 %v25, label %loop6, label %end7
end7:
%v26 = icmp slt i64 %v13, %v10
br i1 %v26, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v27 = phi i64 [ %v13, %guard11 ], [ %v38, %loop9 ]
%v28 = add i64 %v11, %v27
%v29 = add i64 %v11, %v27
%v30 = mul i64 %v28, 2
%v31 = getelementptr float, ptr %a0, i64 %v30
%v32 = load float, ptr %v31, align 4
%v33 = mul i64 %v28, 2
%v34 = add i64 %v33, 1
%v35 = getelementptr float, ptr %a0, i64 %v34
%v36 = load float, ptr %v35, align 4
%v37 = getelementptr float, ptr %a1, i64 %v29
store float %v32, ptr %v37, align 4
%v38 = add i64 %v27, 1
%v39 = icmp slt i64 %v38, %v10
br i1 %v39, label %loop9, label %end10
end10:
%v40 = load i64, ptr %s1
%v41 = add i64 %v40, %v10
store i64 %v41, ptr %s1
store i64 0, ptr %s0
%v42 = load i64, ptr %s1
%v43 = icmp sge i64 %v42, %v2
br i1 %v43, label %end5, label %next12
next12:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)

define void @complex_f22292a6(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%v0 = mul i64 %begin, 64
%v1 = mul i64 %end, 64
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 45)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 45
%v5 = urem i64 %v0, 45
store i64 %v5, ptr %s0
store i64 %v0, ptr %s1
br label %head4
head4:
%v6 = load i64, ptr %s0
%v7 = sub i64 45, %v6
%v8 = load i64, ptr %s1
%v9 = sub i64 %v2, %v8
%v10 = call i64 @llvm.smin.i64(i64 %v7, i64 %v9)
%v11 = load i64, ptr %s0
%v12 = ashr i64 %v10, 3
%v13 = mul i64 %v12, 8
%v14 = icmp slt i64 0, %v13
br i1 %v14, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v15 = phi i64 [ 0, %guard8 ], [ %v26, %loop6 ]
%v16 = add i64 %v11, %v15
%v17 = add i64 %v11, %v15
%v18 = add i64 %v11, %v15
%v19 = getelementptr float, ptr %a0, i64 %v16
%v20 = load <8 x float>, ptr %v19, align 4
%v21 = getelementptr float, ptr %a1, i64 %v17
%v22 = load <8 x float>, ptr %v21, align 4
%v23 = shufflevector <8 x float> %v20, <8 x float> %v22, <16 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11, i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
%v24 = mul i64 %v18, 2
%v25 = getelementptr float, ptr %a2, i64 %v24
store <16 x float> %v23, ptr %v25, align 4
%v26 = add i64 %v15, 8
%v27 = icmp slt i64 %v26, %v13
br i1 %v27, label %loop6, label %end7
end7:
%v28 = icmp slt i64 %v13, %v10
br i1 %v28, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v29 = phi i64 [ %v13, %guard11 ], [ %v42, %loop9 ]
%v30 = add i64 %v11, %v29
%v31 = add i64 %v11, %v29
%v32 = add i64 %v11, %v29
%v33 = getelementptr float, ptr %a0, i64 %v30
%v34 = load float, ptr %v33, align 4
%v35 = getelementptr float, ptr %a1, i64 %v31
%v36 = load float, ptr %v35, align 4
%v37 = mul i64 %v32, 2
%v38 = getelementptr float, ptr %a2, i64 %v37
store float %v34, ptr %v38, align 4
%v39 = mul i64 %v32, 2
%v40 = add i64 %v39, 1
%v41 = getelementptr float, ptr %a2, i64 %v40
store float %v36, ptr %v41, align 4
%v42 = add i64 %v29, 1
%v43 = icmp slt i64 %v42, %v10
br i1 %v43, label %loop9, label %end10
end10:
%v44 = load i64, ptr %s1
%v45 = add i64 %v44, %v10
store i64 %v45, ptr %s1
store i64 0, ptr %s0
%v46 = load i64, ptr %s1
%v47 = icmp sge i64 %v46, %v2
br i1 %v47, label %end5, label %next12
next12:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)

define void @conjugate_8c7b8eb0(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%v0 = mul i64 %begin, 64
%v1 = mul i64 %end, 64
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 45)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 45
%v5 = urem i64 %v0, 45
store i64 %v5, ptr %s0
store i64 %v0, ptr %s1
br label %head4
head4:
%v6 = load i64, ptr %s0
%v7 = sub i64 45, %v6
%v8 = load i64, ptr %s1
%v9 = sub i64 %v2, %v8
%v10 = call i64 @llvm.smin.i64(i64 %v7, i64 %v9)
%v11 = load i64, ptr %s0
%v12 = ashr i64 %v10, 3
%v13 = mul i64 %v12, 8
%v14 = icmp slt i64 0, %v13
br i1 %v14, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v15 = phi i64 [ 0, %guard8 ], [ %v27, %loop6 ]
%v16 = add i64 %v11, %v15
%v17 = add i64 %v11, %v15
%v18 = mul i64 %v16, 2
%v19 = getelementptr float, ptr %a0, i64 %v18
%v20 = load <16 x float>, ptr %v19, align 4
%v21 = shufflevector <16 x float> %v20, <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
%v22 = shufflevector <16 x float> %v20, <16 x float> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
%v23 = fneg <8 x float> %v22
%v24 = shufflevector <8 x float> %v21, <8 x float> %v23, <16 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11, i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
%v25 = mul i64 %v17, 2
%v26 = getelementptr float, ptr %a1, i64 %v25
store <16 x float> %v24, ptr %v26, align 4
%v27 = add i64 %v15, 8
%v28 = icmp slt i64 %v27, %v13
br i1 %v28, label %loop6, label %end7
end7:
%v29 = icmp slt i64 %v13, %v10
br i1 %v29, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v30 = phi i64 [ %v13, %guard11 ], [ %v46, %loop9 ]
%v31 = add i64 %v11, %v30
%v32 = add i64 %v11, %v30
%v33 = mul i64 %v31, 2
%v34 = getelementptr float, ptr %a0, i64 %v33
%v35 = load float, ptr %v34, align 4
%v36 = mul i64 %v31, 2
%v37 = add i64 %v36, 1
%v38 = getelementptr float, ptr %a0, i64 %v37
%v39 = load float, ptr %v38, align 4
%v40 = fneg float %v39
%v41 = mul i64 %v32, 2
%v42 = getelementptr float, ptr %a1, i64 %v41
store float %v35, ptr %v42, align 4
%v43 = mul i64 %v32, 2
%v44 = add i64 %v43, 1
%v45 = getelementptr float, ptr %a1, i64 %v44
store float %v40, ptr %v45, align 4
%v46 = add i64 %v30, 1
%v47 = icmp slt i64 %v46, %v10
br i1 %v47, label %loop9, label %end10
end10:
%v48 = load i64, ptr %s1
%v49 = add i64 %v48, %v10
store i64 %v49, ptr %s1
store i64 0, ptr %s0
%v50 = load i64, ptr %s1
%v51 = icmp sge i64 %v50, %v2
br i1 %v51, label %end5, label %next12
next12:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)

define void @complex_norm_sq_cb711876(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%v0 = mul i64 %begin, 64
%v1 = mul i64 %end, 64
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 45)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 45
%v5 = urem i64 %v0, 45
store i64 %v5, ptr %s0
store i64 %v0, ptr %s1
br label %head4
head4:
%v6 = load i64, ptr %s0
%v7 = sub i64 45, %v6
%v8 = load i64, ptr %s1
%v9 = sub i64 %v2, %v8
%v10 = call i64 @llvm.smin.i64(i64 %v7, i64 %v9)
%v11 = load i64, ptr %s0
%v12 = ashr i64 %v10, 3
%v13 = mul i64 %v12, 8
%v14 = icmp slt i64 0, %v13
br i1 %v14, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v15 = phi i64 [ 0, %guard8 ], [ %v27, %loop6 ]
%v16 = add i64 %v11, %v15
%v17 = add i64 %v11, %v15
%v18 = mul i64 %v16, 2
%v19 = getelementptr float, ptr %a0, i64 %v18
%v20 = load <16 x float>, ptr %v19, align 4
%v21 = shufflevector <16 x float> %v20, <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
%v22 = shufflevector <16 x float> %v20, <16 x float> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
%v23 = fmul <8 x float> %v21, %v21
%v24 = fmul <8 x float> %v22, %v22
%v25 = fadd <8 x float> %v23, %v24
%v26 = getelementptr float, ptr %a1, i64 %v17
store <8 x float> %v25, ptr %v26, align 4
%v27 = add i64 %v15, 8
%v28 = icmp slt i64 %v27, %v13
br i1 %v28, label %loop6, label %end7
end7:
%v29 = icmp slt i64 %v13, %v10
br i1 %v29, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v30 = phi i64 [ %v13, %guard11 ], [ %v44, %loop9 ]
%v31 = add i64 %v11, %v30
%v32 = add i64 %v11, %v30
%v33 = mul i64 %v31, 2
%v34 = getelementptr float, ptr %a0, i64 %v33
%v35 = load float, ptr %v34, align 4
%v36 = mul i64 %v31, 2
%v37 = add i64 %v36, 1
%v38 = getelementptr float, ptr %a0, i64 %v37
%v39 = load float, ptr %v38, align 4
%v40 = fmul float %v35, %v35
%v41 = fmul float %v39, %v39
%v42 = fadd float %v40, %v41
%v43 = getelementptr float, ptr %a1, i64 %v32
store float %v42, ptr %v43, align 4
%v44 = add i64 %v30, 1
%v45 = icmp slt i64 %v44, %v10
br i1 %v45, label %loop9, label %end10
end10:
%v46 = load i64, ptr %s1
%v47 = add i64 %v46, %v10
store i64 %v47, ptr %s1
store i64 0, ptr %s0
%v48 = load i64, ptr %s1
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

