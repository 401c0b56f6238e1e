; kernels for x86_64-avx2
; mir @cumsum {
;   %0 = input("x1") : f32[5, 40]
;   %1 = cumsum(%0, axis=1) : f32[5, 40]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @cumsum_67854024(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v13 = phi i64 [ 0, %guard8 ], [ %v39, %end10 ]
%v14 = add i64 %v11, %v13
%v15 = mul i64 %v14, 40
%v16 = getelementptr float, ptr %a0, i64 %v15
%v17 = mul i64 %v14, 40
%v18 = getelementptr float, ptr %a1, i64 %v17
store float 0x0000000000000000, ptr %s6
br label %loop9
loop9:
%v19 = phi i64 [ 0, %loop6 ], [ %v36, %loop9 ]
%v20 = getelementptr float, ptr %v16, i64 %v19
%v21 = load <8 x float>, ptr %v20, align 4
%v22 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> %v21, <8 x i32> <i32 0, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14>
%v23 = fadd <8 x float> %v21, %v22
%v24 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> %v23, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13>
%v25 = fadd <8 x float> %v23, %v24
%v26 = shufflevector <8 x float> splat (float 0x0000000000000000), <8 x float> %v25, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v27 = fadd <8 x float> %v25, %v26
%v28 = load float, ptr %s6
%v29 = insertelement <8 x float> poison, float %v28, i32 0
%v30 = shufflevector <8 x float> %v29, <8 x float> poison, <8 x i32> zeroinitializer
%v31 = load float, ptr %s6
%v32 = extractelement <8 x float> %v27, i64 7
%v33 = fadd float %v31, %v32
store float %v33, ptr %s6
%v34 = fadd <8 x float> %v30, %v27
%v35 = getelementptr float, ptr %v18, i64 %v19
store <8 x float> %v34, ptr %v35, align 4
%v36 = add i64 %v19, 8
%v37 = icmp slt i64 %v36, 40
br i1 %v37, label %loop9, label %end10
end10:
%v38 = load float, ptr %s6
store float %v38, ptr %s7
%v39 = add i64 %v13, 1
%v40 = icmp slt i64 %v39, %v10
br i1 %v40, label %loop6, label %end7
end7:
%v41 = load i64, ptr %s1
%v42 = add i64 %v41, %v10
store i64 %v42, ptr %s1
store i64 0, ptr %s0
%v43 = load i64, ptr %s1
%v44 = icmp sge i64 %v43, %v2
br i1 %v44, label %end5, label %next11
next11:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

