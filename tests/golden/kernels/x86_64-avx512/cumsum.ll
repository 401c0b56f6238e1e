; kernels for x86_64-avx512
; mir @cumsum {
;   %0 = input("x1") : f32[5, 40]
;   %1 = cumsum(%0, axis=1) : f32[5, 40]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @cumsum_376d840b(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s6 = alloca float
%s7 = alloca float
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
%v13 = phi i64 [ 0, %guard8 ], [ %v49, %end12 ]
%v14 = add i64 %v11, %v13
%v15 = mul i64 %v14, 40
%v16 = getelementptr float, ptr %a0, i64 %v15
%v17 = mul i64 %v14, 40
%v18 = getelementptr float, ptr %a1, i64 %v17
store float 0x0000000000000000, ptr %s6
br label %loop9
loop9:
%v19 = phi i64 [ 0, %loop6 ], [ %v38, %loop9 ]
%v20 = getelementptr float, ptr %v16, i64 %v19
%v21 = load <16 x float>, ptr %v20, align 4
%v22 = shufflevector <16 x float> splat (float 0x0000000000000000), <16 x float> %v21, <16 x i32> <i32 0, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
%v23 = fadd <16 x float> %v21, %v22
%v24 = shufflevector <16 x float> splat (float 0x0000000000000000), <16 x float> %v23, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
%v25 = fadd <16 x float> %v23, %v24
%v26 = shufflevector <16 x float> splat (float 0x0000000000000000), <16 x float> %v25, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
%v27 = fadd <16 x float> %v25, %v26
%v28 = shufflevector <16 x float> splat (float 0x0000000000000000), <16 x float> %v27, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
%v29 = fadd <16 x float> %v27, %v28
%v30 = load float, ptr %s6
%v31 = insertelement <16 x float> poison, float %v30, i32 0
%v32 = shufflevector <16 x float> %v31, <16 x float> poison, <16 x i32> zeroinitializer
%v33 = load float, ptr %s6
%v34 = extractelement <16 x float> %v29, i64 15
%v35 = fadd float %v33, %v34
store float %v35, ptr %s6
%v36 = fadd <16 x float> %v32, %v29
%v37 = getelementptr float, ptr %v18, i64 %v19
store <16 x float> %v36, ptr %v37, align 4
%v38 = add i64 %v19, 16
%v39 = icmp slt i64 %v38, 32
br i1 %v39, label %loop9, label %end10
end10:
%v40 = load float, ptr %s6
store float %v40, ptr %s7
br label %loop11
loop11:
%v41 = phi i64 [ 32, %end10 ], [ %v47, %loop11 ]
%v42 = getelementptr float, ptr %v16, i64 %v41
%v43 = load float, ptr %v42, align 4
%v44 = load float, ptr %s7
%v45 = fadd float %v44, %v43
store float %v45, ptr %s7
%v46 = getelementptr float, ptr %v18, i64 %v41
store float %v45, ptr %v46, align 4
%v47 = add i64 %v41, 1
%v48 = icmp slt i64 %v47, 40
br i1 %v48, label %loop11, label %end12
end12:
%v49 = add i64 %v13, 1
%v50 = icmp slt i64 %v49, %v10
br i1 %v50, label %loop6, label %end7
end7:
%v51 = load i64, ptr %s1
%v52 = add i64 %v51, %v10
store i64 %v52, ptr %s1
store i64 0, ptr %s0
%v53 = load i64, ptr %s1
%v54 = icmp sge i64 %v53, %v2
br i1 %v54, label %end5, label %next13
next13:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

