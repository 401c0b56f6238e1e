; kernels for x86_64-avx2
; mir @roll {
;   %0 = input("x1") : f32[5, 9]
;   %1 = roll(%0, shift=(4,), axes=(1,)) : f32[5, 9]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @roll_cd739fae(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%s5 = alloca i64
%s6 = alloca i64
%s7 = alloca i64
%v0 = mul i64 %begin, 64
%v1 = mul i64 %end, 64
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 45)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 9
%v5 = urem i64 %v4, 5
store i64 %v5, ptr %s4
%v6 = udiv i64 %v4, 5
%v7 = urem i64 %v0, 9
store i64 %v7, ptr %s5
store i64 %v0, ptr %s6
br label %head4
head4:
%v8 = load i64, ptr %s5
%v9 = sub i64 9, %v8
%v10 = load i64, ptr %s6
%v11 = sub i64 %v2, %v10
%v12 = call i64 @llvm.smin.i64(i64 %v9, i64 %v11)
%v13 = load i64, ptr %s4
%v14 = load i64, ptr %s5
%v15 = mul i64 %v13, 9
%v16 = add i64 %v15, %v14
%v17 = getelementptr i32, ptr %a1, i64 %v16
%v18 = srem i64 %v13, 5
%v19 = icmp ne i64 %v18, 0
%v20 = xor i64 %v18, 5
%v21 = icmp slt i64 %v20, 0
%v22 = and i1 %v19, %v21
%v23 = add i64 %v18, 5
%v24 = select i1 %v22, i64 %v23, i64 %v18
%v25 = mul i64 %v24, 9
%v26 = getelementptr i32, ptr %a0, i64 %v25
store i64 0, ptr %s7
br label %head6
head6:
%v27 = load i64, ptr %s7
%v28 = icmp sge i64 %v27, %v12
br i1 %v28, label %end7, label %next8
next8:
%v29 = load i64, ptr %s7
%v30 = add i64 %v14, %v29
%v31 = sub i64 %v30, 4
%v32 = srem i64 %v31, 9
%v33 = icmp ne i64 %v32, 0
%v34 = xor i64 %v32, 9
%v35 = icmp slt i64 %v34, 0
%v36 = and i1 %v33, %v35
%v37 = add i64 %v32, 9
%v38 = select i1 %v36, i64 %v37, i64 %v32
%v39 = sub i64 9, %v38
%v40 = load i64, ptr %s7
%v41 = sub i64 %v12, %v40
%v42 = call i64 @llvm.smin.i64(i64 %v39, i64 %v41)
%v43 = getelementptr i32, ptr %v26, i64 %v38
%v44 = load i64, ptr %s7
%v45 = getelementptr i32, ptr %v17, i64 %v44
%v46 = ashr i64 %v42, 3
%v47 = mul i64 %v46, 8
%v48 = icmp slt i64 0, %v47
br i1 %v48, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v49 = phi i64 [ 0, %guard11 ], [ %v53, %loop9 ]
%v50 = getelementptr i32, ptr %v43, i64 %v49
%v51 = load <8 x i32>, ptr %v50, align 4
%v52 = getelementptr i32, ptr %v45, i64 %v49
store <8 x i32> %v51, ptr %v52, align 4
%v53 = add i64 %v49, 8
%v54 = icmp slt i64 %v53, %v47
br i1 %v54, label %loop9, label %end10
end10:
%v55 = icmp slt i64 %v47, %v42
br i1 %v55, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v56 = phi i64 [ %v47, %guard14 ], [ %v60, %loop12 ]
%v57 = getelementptr i32, ptr %v43, i64 %v56
%v58 = load i32, ptr %v57, align 4
%v59 = getelementptr i32, ptr %v45, i64 %v56
store i32 %v58, ptr %v59, align 4
%v60 = add i64 %v56, 1
%v61 = icmp slt i64 %v60, %v42
br i1 %v61, label %loop12, label %end13
end13:
%v62 = load i64, ptr %s7
%v63 = add i64 %v62, %v42
store i64 %v63, ptr %s7
br label %head6
end7:
%v64 = load i64, ptr %s6
%v65 = add i64 %v64, %v12
store i64 %v65, ptr %s6
store i64 0, ptr %s5
%v66 = load i64, ptr %s4
%v67 = add i64 %v66, 1
%v68 = icmp eq i64 %v67, 5
%v69 = select i1 %v68, i64 0, i64 %v67
store i64 %v69, ptr %s4
%v70 = load i64, ptr %s6
%v71 = icmp sge i64 %v70, %v2
br i1 %v71, label %end5, label %next15
next15:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

