; kernels for x86_64-avx2
; mir @dequant_weights {
;   %0 = input("x1") : u8[2, 8, 34]
;   %1 = dequant_moe_weights(%0, scheme=gguf_q8_0, k=32, dtype=f32) : f32[2, 32, 8]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @dequant_moe_weights_2478bfef(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%s2 = alloca i64
%s3 = alloca i64
%s4 = alloca i64
%s5 = alloca i64
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%v0 = mul i64 %begin, 512
%v1 = mul i64 %end, 512
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 512)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 8
%v5 = urem i64 %v4, 32
store i64 %v5, ptr %s2
%v6 = udiv i64 %v4, 32
%v7 = urem i64 %v6, 2
store i64 %v7, ptr %s3
%v8 = udiv i64 %v6, 2
%v9 = urem i64 %v0, 8
store i64 %v9, ptr %s4
store i64 %v0, ptr %s5
br label %head4
head4:
%v10 = load i64, ptr %s4
%v11 = sub i64 8, %v10
%v12 = load i64, ptr %s5
%v13 = sub i64 %v2, %v12
%v14 = call i64 @llvm.smin.i64(i64 %v11, i64 %v13)
%v15 = load i64, ptr %s3
%v16 = load i64, ptr %s2
%v17 = load i64, ptr %s4
%v18 = mul i64 %v15, 32
%v19 = add i64 %v18, %v16
%v20 = mul i64 %v19, 8
%v21 = add i64 %v20, %v17
%v22 = icmp slt i64 0, %v14
br i1 %v22, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v23 = phi i64 [ 0, %guard8 ], [ %v44, %loop6 ]
%v24 = add i64 %v17, %v23
%v25 = mul i64 %v15, 8
%v26 = add i64 %v25, %v24
%v27 = ashr i64 %v16, 5
%v28 = add i64 %v26, %v27
%v29 = mul i64 %v28, 34
%v30 = getelementptr i8, ptr %a1, i64 %v29
%v31 = and i64 %v16, 31
%v32 = load i16, ptr %v30, align 1
%v33 = bitcast i16 %v32 to half
%v34 = fpext half %v33 to float
%v35 = add i64 2, %v31
%v36 = getelementptr i8, ptr %v30, i64 %v35
%v37 = load i8, ptr %v36, align 1
%v38 = sext i8 %v37 to i64
%v39 = trunc i64 %v38 to i32
%v40 = sitofp i32 %v39 to float
%v41 = fmul float %v34, %v40
%v42 = add i64 %v21, %v23
%v43 = getelementptr float, ptr %a0, i64 %v42
store float %v41, ptr %v43, align 4
%v44 = add i64 %v23, 1
%v45 = icmp slt i64 %v44, %v14
br i1 %v45, label %loop6, label %end7
end7:
%v46 = load i64, ptr %s5
%v47 = add i64 %v46, %v14
store i64 %v47, ptr %s5
store i64 0, ptr %s4
%v48 = load i64, ptr %s2
%v49 = add i64 %v48, 1
%v50 = icmp eq i64 %v49, 32
%v51 = select i1 %v50, i64 0, i64 %v49
store i64 %v51, ptr %s2
br i1 %v50, label %then9, label %else10
then9:
%v52 = load i64, ptr %s3
%v53 = add i64 %v52, 1
%v54 = icmp eq i64 %v53, 2
%v55 = select i1 %v54, i64 0, i64 %v53
store i64 %v55, ptr %s3
br label %end11
else10:
br label %end11
end11:
%v56 = load i64, ptr %s5
%v57 = icmp sge i64 %v56, %v2
br i1 %v57, label %end5, label %next12
next12:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

