; kernels for x86_64-avx2
; mir @dequant_gather {
;   %0 = param("w1", scheme=gguf_q8_0) : f32[16, 32]
;   %1 = input("x1") : i32[5]
;   %2 = gather(%0, %1, axis=0) : f32[5, 32]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

define void @dequant_gather_49d8d887(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%s2 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 2
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 0
%a2 = load ptr, ptr %a2.p, align 8
%v0 = mul i64 %begin, 192
%v1 = mul i64 %end, 192
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 160)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 32
%v5 = urem i64 %v4, 5
store i64 %v5, ptr %s0
%v6 = udiv i64 %v4, 5
%v7 = urem i64 %v0, 32
store i64 %v7, ptr %s1
store i64 %v0, ptr %s2
br label %head4
head4:
%v8 = load i64, ptr %s1
%v9 = sub i64 32, %v8
%v10 = load i64, ptr %s2
%v11 = sub i64 %v2, %v10
%v12 = call i64 @llvm.smin.i64(i64 %v9, i64 %v11)
%v13 = load i64, ptr %s0
%v14 = load i64, ptr %s1
%v15 = getelementptr i32, ptr %a0, i64 %v13
%v16 = load i32, ptr %v15, align 4
%v17 = sext i32 %v16 to i64
%v18 = icmp slt i64 %v17, 0
%v19 = add i64 %v17, 16
%v20 = select i1 %v18, i64 %v19, i64 %v17
%v21 = call i64 @llvm.smin.i64(i64 %v20, i64 15)
%v22 = call i64 @llvm.smax.i64(i64 %v21, i64 0)
%v23 = icmp uge i64 %v20, 16
%v24 = mul i64 %v13, 32
%v25 = add i64 %v24, %v14
%v26 = getelementptr float, ptr %a1, i64 %v25
%v27 = icmp slt i64 0, %v12
br i1 %v27, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v28 = phi i64 [ 0, %guard8 ], [ %v46, %loop6 ]
%v29 = add i64 %v14, %v28
%v30 = ashr i64 %v29, 5
%v31 = add i64 %v22, %v30
%v32 = mul i64 %v31, 34
%v33 = getelementptr i8, ptr %a2, i64 %v32
%v34 = and i64 %v29, 31
%v35 = load i16, ptr %v33, align 1
%v36 = bitcast i16 %v35 to half
%v37 = fpext half %v36 to float
%v38 = add i64 2, %v34
%v39 = getelementptr i8, ptr %v33, i64 %v38
%v40 = load i8, ptr %v39, align 1
%v41 = sext i8 %v40 to i64
%v42 = trunc i64 %v41 to i32
%v43 = sitofp i32 %v42 to float
%v44 = fmul float %v37, %v43
%v45 = getelementptr float, ptr %v26, i64 %v28
store float %v44, ptr %v45, align 4
%v46 = add i64 %v28, 1
%v47 = icmp slt i64 %v46, %v12
br i1 %v47, label %loop6, label %end7
end7:
%v48 = load i64, ptr %s2
%v49 = add i64 %v48, %v12
store i64 %v49, ptr %s2
store i64 0, ptr %s1
%v50 = load i64, ptr %s0
%v51 = add i64 %v50, 1
%v52 = icmp eq i64 %v51, 5
%v53 = select i1 %v52, i64 0, i64 %v51
store i64 %v53, ptr %s0
%v54 = load i64, ptr %s2
%v55 = icmp sge i64 %v54, %v2
br i1 %v55, label %end5, label %next9
next9:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

