; kernels for x86_64-avx2
; mir @scan {
;   sym steps in 1..
;   %0 = input("x1") : f32[8]
;   %1 = input("x2") : f32[steps, 8]
;   %2:2 = scan(%0, %1, body=mir @body {
;     %0 = input("x0") : f32[8]
;     %1 = input("x1") : f32[8]
;     %2 = constant([0.5]) : f32[]
;     %3 = mul(%0, %2) : f32[8]
;     %4 = add(%3, %1) : f32[8]
;     return y0=%4, y1=%0
;   }, length=steps, num_carry=1, num_xs=1) : (f32[8], f32[steps, 8])
;   return y1=%2.0
; }

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)

define void @copy_468265d9(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%s5 = alloca i64
%v0 = call i64 @llvm.smax.i64(i64 %begin, i64 0)
%v1 = call i64 @llvm.smin.i64(i64 %v0, i64 1)
%v2 = call i64 @llvm.smax.i64(i64 %end, i64 0)
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 1)
%v4 = mul i64 %v1, 64
%v5 = mul i64 %v3, 64
%v6 = call i64 @llvm.smin.i64(i64 %v5, i64 8)
%v7 = icmp slt i64 %v4, %v6
br i1 %v7, label %then1, label %else2
then1:
%v8 = udiv i64 %v4, 8
%v9 = urem i64 %v4, 8
store i64 %v9, ptr %s4
store i64 %v4, ptr %s5
br label %head4
head4:
%v10 = load i64, ptr %s4
%v11 = sub i64 8, %v10
%v12 = load i64, ptr %s5
%v13 = sub i64 %v6, %v12
%v14 = call i64 @llvm.smin.i64(i64 %v11, i64 %v13)
%v15 = load i64, ptr %s4
%v16 = getelementptr i32, ptr %a0, i64 %v15
%v17 = getelementptr i32, ptr %a1, i64 %v15
%v18 = ashr i64 %v14, 3
%v19 = mul i64 %v18, 8
%v20 = icmp slt i64 0, %v19
br i1 %v20, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v21 = phi i64 [ 0, %guard8 ], [ %v25, %loop6 ]
%v22 = getelementptr i32, ptr %v17, i64 %v21
%v23 = load <8 x i32>, ptr %v22, align 4
%v24 = getelementptr i32, ptr %v16, i64 %v21
store <8 x i32> %v23, ptr %v24, align 4
%v25 = add i64 %v21, 8
%v26 = icmp slt i64 %v25, %v19
br i1 %v26, label %loop6, label %end7
end7:
%v27 = icmp slt i64 %v19, %v14
br i1 %v27, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v28 = phi i64 [ %v19, %guard11 ], [ %v32, %loop9 ]
%v29 = getelementptr i32, ptr %v17, i64 %v28
%v30 = load i32, ptr %v29, align 4
%v31 = getelementptr i32, ptr %v16, i64 %v28
store i32 %v30, ptr %v31, align 4
%v32 = add i64 %v28, 1
%v33 = icmp slt i64 %v32, %v14
br i1 %v33, label %loop9, label %end10
end10:
%v34 = load i64, ptr %s5
%v35 = add i64 %v34, %v14
store i64 %v35, ptr %s5
store i64 0, ptr %s4
%v36 = load i64, ptr %s5
%v37 = icmp sge i64 %v36, %v6
br i1 %v37, label %end5, label %next12
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

define void @region_029ea6e5(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%v0 = call i64 @llvm.smin.i64(i64 %end, i64 1)
%v1 = icmp slt i64 %begin, %v0
br i1 %v1, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v2 = phi i64 [ %begin, %guard3 ], [ %v14, %end5 ]
%v3 = mul i64 %v2, 2048
%v4 = add i64 %v3, 2048
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 1)
%v6 = icmp slt i64 %v3, %v5
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ %v3, %guard6 ], [ %v12, %loop4 ]
%v8 = load <8 x float>, ptr %a0, align 4
%v9 = load <8 x float>, ptr %a1, align 4
%v10 = fmul <8 x float> %v8, splat (float 0x3FE0000000000000)
%v11 = fadd <8 x float> %v10, %v9
store <8 x float> %v11, ptr %a2, align 4
%v12 = add i64 %v7, 1
%v13 = icmp slt i64 %v12, %v5
br i1 %v13, label %loop4, label %end5
end5:
%v14 = add i64 %v2, 1
%v15 = icmp slt i64 %v14, %v0
br i1 %v15, label %loop1, label %end2
end2:
ret void
}


declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)

define i64 @rlx_checked_dims(ptr %symbols, ptr %out) nounwind noinline optnone {
entry:
%v0 = load i64, ptr %symbols, align 8
%v1 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 1, i64 %v0)
%v2 = extractvalue { i64, i1 } %v1, 0
%v3 = extractvalue { i64, i1 } %v1, 1
%v4 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v2)
%v5 = extractvalue { i64, i1 } %v4, 0
%v6 = extractvalue { i64, i1 } %v4, 1
%v7 = or i1 %v3, %v6
%v8 = getelementptr i64, ptr %out, i64 2
store i64 %v5, ptr %v8, align 8
%v9 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 32, i64 %v0)
%v10 = extractvalue { i64, i1 } %v9, 0
%v11 = extractvalue { i64, i1 } %v9, 1
%v12 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v10)
%v13 = extractvalue { i64, i1 } %v12, 0
%v14 = extractvalue { i64, i1 } %v12, 1
%v15 = or i1 %v11, %v14
%v16 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %v13, i64 63)
%v17 = extractvalue { i64, i1 } %v16, 0
%v18 = extractvalue { i64, i1 } %v16, 1
%v19 = or i1 %v15, %v18
%v20 = ashr i64 %v17, 6
%v21 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 64, i64 %v20)
%v22 = extractvalue { i64, i1 } %v21, 0
%v23 = extractvalue { i64, i1 } %v21, 1
%v24 = or i1 %v19, %v23
%v25 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v22)
%v26 = extractvalue { i64, i1 } %v25, 0
%v27 = extractvalue { i64, i1 } %v25, 1
%v28 = or i1 %v24, %v27
%v29 = getelementptr i64, ptr %out, i64 4
store i64 %v26, ptr %v29, align 8
%v30 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 64, i64 %v20)
%v31 = extractvalue { i64, i1 } %v30, 0
%v32 = extractvalue { i64, i1 } %v30, 1
%v33 = or i1 %v19, %v32
%v34 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v31)
%v35 = extractvalue { i64, i1 } %v34, 0
%v36 = extractvalue { i64, i1 } %v34, 1
%v37 = or i1 %v33, %v36
%v38 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %v35, i64 64)
%v39 = extractvalue { i64, i1 } %v38, 0
%v40 = extractvalue { i64, i1 } %v38, 1
%v41 = or i1 %v37, %v40
%v42 = getelementptr i64, ptr %out, i64 8
store i64 %v39, ptr %v42, align 8
%v43 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 32, i64 %v0)
%v44 = extractvalue { i64, i1 } %v43, 0
%v45 = extractvalue { i64, i1 } %v43, 1
%v46 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v44)
%v47 = extractvalue { i64, i1 } %v46, 0
%v48 = extractvalue { i64, i1 } %v46, 1
%v49 = or i1 %v45, %v48
%v50 = or i1 %v49, %v7
%v51 = or i1 %v50, %v28
%v52 = or i1 %v51, %v41
%v53 = select i1 %v52, i64 1, i64 0
ret i64 %v53
unreachable1:
ret i64 0
}

