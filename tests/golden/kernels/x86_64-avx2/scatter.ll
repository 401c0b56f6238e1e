; kernels for x86_64-avx2
; mir @scatter {
;   %0 = input("x1") : f32[9, 20]
;   %1 = input("x2") : i32[30]
;   %2 = input("x3") : f32[30, 20]
;   %3 = scatter(%0, %1, %2, mode=max) : f32[9, 20]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @scatter_start_f2bf19a9(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v1 = mul i64 %begin, 192
%v2 = mul i64 %end, 192
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 180)
%v4 = icmp slt i64 %v1, %v3
br i1 %v4, label %then4, label %else5
then4:
%v5 = udiv i64 %v1, 180
%v6 = urem i64 %v1, 180
store i64 %v6, ptr %s4
store i64 %v1, ptr %s5
br label %head7
head7:
%v7 = load i64, ptr %s4
%v8 = sub i64 180, %v7
%v9 = load i64, ptr %s5
%v10 = sub i64 %v3, %v9
%v11 = call i64 @llvm.smin.i64(i64 %v8, i64 %v10)
%v12 = load i64, ptr %s4
%v13 = getelementptr float, ptr %a1, i64 %v12
%v14 = getelementptr float, ptr %a0, i64 %v12
%v15 = icmp slt i64 0, %v11
br i1 %v15, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v16 = phi i64 [ 0, %guard11 ], [ %v20, %loop9 ]
%v17 = getelementptr float, ptr %v14, i64 %v16
%v18 = load float, ptr %v17, align 4
%v19 = getelementptr float, ptr %v13, i64 %v16
store float %v18, ptr %v19, align 4
%v20 = add i64 %v16, 1
%v21 = icmp slt i64 %v20, %v11
br i1 %v21, label %loop9, label %end10
end10:
%v22 = load i64, ptr %s5
%v23 = add i64 %v22, %v11
store i64 %v23, ptr %s5
store i64 0, ptr %s4
%v24 = load i64, ptr %s5
%v25 = icmp sge i64 %v24, %v3
br i1 %v25, label %end8, label %next12
next12:
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

define void @scatter_ac5d24e8(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v1 = phi i64 [ %begin, %guard3 ], [ %v58, %end5 ]
br label %loop4
loop4:
%v2 = phi i64 [ 0, %loop1 ], [ %v56, %end8 ]
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
%v27 = phi i64 [ 0, %guard16 ], [ %v37, %loop14 ]
%v28 = getelementptr float, ptr %v23, i64 %v27
%v29 = load <8 x float>, ptr %v28, align 4
%v30 = getelementptr float, ptr %v21, i64 %v27
%v31 = load <8 x float>, ptr %v30, align 4
%v32 = fcmp ogt <8 x float> %v31, %v29
%v33 = select <8 x i1> %v32, <8 x float> %v31, <8 x float> %v29
%v34 = fcmp uno <8 x float> %v31, %v31
%v35 = select <8 x i1> %v34, <8 x float> %v31, <8 x float> %v33
%v36 = getelementptr float, ptr %v21, i64 %v27
store <8 x float> %v35, ptr %v36, align 4
%v37 = add i64 %v27, 8
%v38 = icmp slt i64 %v37, %v25
br i1 %v38, label %loop14, label %end15
end15:
%v39 = icmp slt i64 %v25, %v18
br i1 %v39, label %guard19, label %end18
guard19:
br label %loop17
loop17:
%v40 = phi i64 [ %v25, %guard19 ], [ %v50, %loop17 ]
%v41 = getelementptr float, ptr %v23, i64 %v40
%v42 = load float, ptr %v41, align 4
%v43 = getelementptr float, ptr %v21, i64 %v40
%v44 = load float, ptr %v43, align 4
%v45 = fcmp ogt float %v44, %v42
%v46 = select i1 %v45, float %v44, float %v42
%v47 = fcmp uno float %v44, %v44
%v48 = select i1 %v47, float %v44, float %v46
%v49 = getelementptr float, ptr %v21, i64 %v40
store float %v48, ptr %v49, align 4
%v50 = add i64 %v40, 1
%v51 = icmp slt i64 %v50, %v18
br i1 %v51, label %loop17, label %end18
end18:
%v52 = load i64, ptr %s3
%v53 = add i64 %v52, %v18
store i64 %v53, ptr %s3
store i64 0, ptr %s2
%v54 = load i64, ptr %s3
%v55 = icmp sge i64 %v54, 20
br i1 %v55, label %end13, label %next20
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
%v56 = add i64 %v2, 1
%v57 = icmp slt i64 %v56, 30
br i1 %v57, label %loop4, label %end5
end5:
%v58 = add i64 %v1, 1
%v59 = icmp slt i64 %v58, %end
br i1 %v59, label %loop1, label %end2
end2:
ret void
}

