; kernels for x86_64-avx2
; mir @scatter_add {
;   %0 = input("x1") : f32[30, 20]
;   %1 = input("x2") : i32[30]
;   %2 = scatter_add(%0, %1, out_dim=9) : f32[9, 20]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

define void @scatter_zeros_222a48a8(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%v0 = mul i64 %begin, 192
%v1 = mul i64 %end, 192
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 180)
%v3 = getelementptr float, ptr %a0, i64 %v0
%v4 = sub i64 %v2, %v0
%v5 = call i64 @llvm.smax.i64(i64 %v4, i64 0)
%v6 = ashr i64 %v5, 3
%v7 = mul i64 %v6, 8
%v8 = icmp slt i64 0, %v7
br i1 %v8, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v9 = phi i64 [ 0, %guard3 ], [ %v11, %loop1 ]
%v10 = getelementptr float, ptr %v3, i64 %v9
store <8 x float> splat (float 0x0000000000000000), ptr %v10, align 4
%v11 = add i64 %v9, 8
%v12 = icmp slt i64 %v11, %v7
br i1 %v12, label %loop1, label %end2
end2:
%v13 = icmp slt i64 %v7, %v5
br i1 %v13, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v14 = phi i64 [ %v7, %guard6 ], [ %v16, %loop4 ]
%v15 = getelementptr float, ptr %v3, i64 %v14
store float 0x0000000000000000, ptr %v15, align 4
%v16 = add i64 %v14, 1
%v17 = icmp slt i64 %v16, %v5
br i1 %v17, label %loop4, label %end5
end5:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

define void @scatter_516ebc89(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%s2 = alloca i64
%s3 = alloca i64
%a1.p = getelementptr i64, ptr %args, i64 2
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v52, %end5 ]
br label %loop4
loop4:
%v2 = phi i64 [ 0, %loop1 ], [ %v50, %end8 ]
%v3 = mul i64 %v2, 20
%v4 = getelementptr i32, ptr %a0, i64 %v2
%v5 = load i32, ptr %v4, align 4
%v6 = sext i32 %v5 to i64
%v7 = icmp slt i64 %v6, 0
%v8 = add i64 %v6, 9
%v9 = select i1 %v7, i64 %v8, i64 %v6
%v10 = call i64 @llvm.smin.i64(i64 %v9, i64 8)
%v11 = call i64 @llvm.smax.i64(i64 %v10, i64 0)
%v12 = icmp uge i64 %v9, 9
br i1 true, label %then6, label %else7
then6:
%v13 = mul i64 %v11, 20
br i1 true, label %then9, label %else10
then9:
store i64 0, ptr %s2
store i64 0, ptr %s3
br label %head12
head12:
%v14 = load i64, ptr %s2
%v15 = sub i64 20, %v14
%v16 = load i64, ptr %s3
%v17 = sub i64 20, %v16
%v18 = call i64 @llvm.smin.i64(i64 %v15, i64 %v17)
%v19 = load i64, ptr %s2
%v20 = add i64 %v13, %v19
%v21 = getelementptr float, ptr %a1, i64 %v20
%v22 = add i64 %v3, %v19
%v23 = getelementptr float, ptr %a2, i64 %v22
%v24 = ashr i64 %v18, 3
%v25 = mul i64 %v24, 8
%v26 = icmp slt i64 0, %v25
br i1 %v26, label %guard16, label %end15
guard16:
br label %loop14
loop14:
%v27 = phi i64 [ 0, %guard16 ], [ %v34, %loop14 ]
%v28 = getelementptr float, ptr %v23, i64 %v27
%v29 = load <8 x float>, ptr %v28, align 4
%v30 = getelementptr float, ptr %v21, i64 %v27
%v31 = load <8 x float>, ptr %v30, align 4
%v32 = fadd <8 x float> %v31, %v29
%v33 = getelementptr float, ptr %v21, i64 %v27
store <8 x float> %v32, ptr %v33, align 4
%v34 = add i64 %v27, 8
%v35 = icmp slt i64 %v34, %v25
br i1 %v35, label %loop14, label %end15
end15:
%v36 = icmp slt i64 %v25, %v18
br i1 %v36, label %guard19, label %end18
guard19:
br label %loop17
loop17:
%v37 = phi i64 [ %v25, %guard19 ], [ %v44, %loop17 ]
%v38 = getelementptr float, ptr %v23, i64 %v37
%v39 = load float, ptr %v38, align 4
%v40 = getelementptr float, ptr %v21, i64 %v37
%v41 = load float, ptr %v40, align 4
%v42 = fadd float %v41, %v39
%v43 = getelementptr float, ptr %v21, i64 %v37
store float %v42, ptr %v43, align 4
%v44 = add i64 %v37, 1
%v45 = icmp slt i64 %v44, %v18
br i1 %v45, label %loop17, label %end18
end18:
%v46 = load i64, ptr %s3
%v47 = add i64 %v46, %v18
store i64 %v47, ptr %s3
store i64 0, ptr %s2
%v48 = load i64, ptr %s3
%v49 = icmp sge i64 %v48, 20
br i1 %v49, label %end13, label %next20
next20:
br label %head12
end13:
br label %end11
else10:
br label %end11
end11:
br label %end8
else7:
br label %end8
end8:
%v50 = add i64 %v2, 1
%v51 = icmp slt i64 %v50, 30
br i1 %v51, label %loop4, label %end5
end5:
%v52 = add i64 %v1, 1
%v53 = icmp slt i64 %v52, %end
br i1 %v53, label %loop1, label %end2
end2:
ret void
}

