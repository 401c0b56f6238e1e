; kernels for aarch64
; mir @cumsum {
;   %0 = input("x1") : f32[5, 40]
;   %1 = cumsum(%0, axis=1) : f32[5, 40]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @cumsum_f24b8431(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v13 = phi i64 [ 0, %guard8 ], [ %v37, %end10 ]
%v14 = add i64 %v11, %v13
%v15 = mul i64 %v14, 40
%v16 = getelementptr float, ptr %a0, i64 %v15
%v17 = mul i64 %v14, 40
%v18 = getelementptr float, ptr %a1, i64 %v17
store float 0x0000000000000000, ptr %s6
br label %loop9
loop9:
%v19 = phi i64 [ 0, %loop6 ], [ %v34, %loop9 ]
%v20 = getelementptr float, ptr %v16, i64 %v19
%v21 = load <4 x float>, ptr %v20, align 4
%v22 = shufflevector <4 x float> splat (float 0x0000000000000000), <4 x float> %v21, <4 x i32> <i32 0, i32 4, i32 5, i32 6>
%v23 = fadd <4 x float> %v21, %v22
%v24 = shufflevector <4 x float> splat (float 0x0000000000000000), <4 x float> %v23, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
%v25 = fadd <4 x float> %v23, %v24
%v26 = load float, ptr %s6
%v27 = insertelement <4 x float> poison, float %v26, i32 0
%v28 = shufflevector <4 x float> %v27, <4 x float> poison, <4 x i32> zeroinitializer
%v29 = load float, ptr %s6
%v30 = extractelement <4 x float> %v25, i64 3
%v31 = fadd float %v29, %v30
store float %v31, ptr %s6
%v32 = fadd <4 x float> %v28, %v25
%v33 = getelementptr float, ptr %v18, i64 %v19
store <4 x float> %v32, ptr %v33, align 4
%v34 = add i64 %v19, 4
%v35 = icmp slt i64 %v34, 40
br i1 %v35, label %loop9, label %end10
end10:
%v36 = load float, ptr %s6
store float %v36, ptr %s7
%v37 = add i64 %v13, 1
%v38 = icmp slt i64 %v37, %v10
br i1 %v38, label %loop6, label %end7
end7:
%v39 = load i64, ptr %s1
%v40 = add i64 %v39, %v10
store i64 %v40, ptr %s1
store i64 0, ptr %s0
%v41 = load i64, ptr %s1
%v42 = icmp sge i64 %v41, %v2
br i1 %v42, label %end5, label %next11
next11:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

