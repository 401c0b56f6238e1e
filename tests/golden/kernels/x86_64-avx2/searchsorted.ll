; kernels for x86_64-avx2
; mir @searchsorted {
;   %0 = input("x1") : f32[5, 40]
;   %1 = input("x2") : f32[5, 7]
;   %2 = searchsorted(%0, %1) : i32[5, 7]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @searchsorted_a0759404(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%s2 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s7 = alloca i64
%s8 = alloca i64
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%v0 = mul i64 %begin, 35
%v1 = mul i64 %end, 35
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 35)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 7
%v5 = urem i64 %v4, 5
store i64 %v5, ptr %s0
%v6 = udiv i64 %v4, 5
%v7 = urem i64 %v0, 7
store i64 %v7, ptr %s1
store i64 %v0, ptr %s2
br label %head4
head4:
%v8 = load i64, ptr %s1
%v9 = sub i64 7, %v8
%v10 = load i64, ptr %s2
%v11 = sub i64 %v2, %v10
%v12 = call i64 @llvm.smin.i64(i64 %v9, i64 %v11)
%v13 = load i64, ptr %s0
%v14 = load i64, ptr %s1
%v15 = icmp slt i64 0, %v12
br i1 %v15, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v16 = phi i64 [ 0, %guard8 ], [ %v54, %end10 ]
%v17 = add i64 %v14, %v16
%v18 = mul i64 %v13, 40
%v19 = getelementptr float, ptr %a0, i64 %v18
%v20 = mul i64 %v13, 7
%v21 = add i64 %v20, %v17
%v22 = getelementptr float, ptr %a1, i64 %v21
%v23 = load float, ptr %v22, align 4
%v24 = fadd float %v23, 0x0000000000000000
%v25 = bitcast float %v24 to i32
%v26 = ashr i32 %v25, 31
%v27 = and i32 %v26, 2147483647
%v28 = xor i32 %v25, %v27
%v29 = fcmp uno float %v23, %v23
%v30 = select i1 %v29, i32 2147483647, i32 %v28
store i64 0, ptr %s7
store i64 40, ptr %s8
br label %head9
head9:
%v31 = load i64, ptr %s7
%v32 = load i64, ptr %s8
%v33 = icmp sge i64 %v31, %v32
br i1 %v33, label %end10, label %next11
next11:
%v34 = add i64 %v31, %v32
%v35 = lshr i64 %v34, 1
%v36 = getelementptr float, ptr %v19, i64 %v35
%v37 = load float, ptr %v36, align 4
%v38 = fadd float %v37, 0x0000000000000000
%v39 = bitcast float %v38 to i32
%v40 = ashr i32 %v39, 31
%v41 = and i32 %v40, 2147483647
%v42 = xor i32 %v39, %v41
%v43 = fcmp uno float %v37, %v37
%v44 = select i1 %v43, i32 2147483647, i32 %v42
%v45 = icmp slt i32 %v44, %v30
%v46 = add i64 %v35, 1
%v47 = select i1 %v45, i64 %v46, i64 %v31
store i64 %v47, ptr %s7
%v48 = select i1 %v45, i64 %v32, i64 %v35
store i64 %v48, ptr %s8
br label %head9
end10:
%v49 = load i64, ptr %s7
%v50 = trunc i64 %v49 to i32
%v51 = mul i64 %v13, 7
%v52 = add i64 %v51, %v17
%v53 = getelementptr i32, ptr %a2, i64 %v52
store i32 %v50, ptr %v53, align 4
%v54 = add i64 %v16, 1
%v55 = icmp slt i64 %v54, %v12
br i1 %v55, label %loop6, label %end7
end7:
%v56 = load i64, ptr %s2
%v57 = add i64 %v56, %v12
store i64 %v57, ptr %s2
store i64 0, ptr %s1
%v58 = load i64, ptr %s0
%v59 = add i64 %v58, 1
%v60 = icmp eq i64 %v59, 5
%v61 = select i1 %v60, i64 0, i64 %v59
store i64 %v61, ptr %s0
%v62 = load i64, ptr %s2
%v63 = icmp sge i64 %v62, %v2
br i1 %v63, label %end5, label %next12
next12:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

