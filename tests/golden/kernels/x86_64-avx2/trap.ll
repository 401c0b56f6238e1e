; kernels for x86_64-avx2 | trap_nan=True
; mir @trap {
;   %0 = input("x1") : f32[6, 37]
;   %1 = constant([2.0]) : f32[]
;   %2 = mul(%0, %1) : f32[6, 37]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @region_6179e753(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%v0 = load float, ptr %a1, align 4
%v1 = call i64 @llvm.smin.i64(i64 %end, i64 1)
%v2 = icmp slt i64 %begin, %v1
br i1 %v2, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v3 = phi i64 [ %begin, %guard3 ], [ %v33, %end5 ]
%v4 = mul i64 %v3, 73
%v5 = add i64 %v4, 73
%v6 = call i64 @llvm.smin.i64(i64 %v5, i64 1)
%v7 = icmp slt i64 %v4, %v6
br i1 %v7, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v8 = phi i64 [ %v4, %guard6 ], [ %v31, %end10 ]
%v9 = insertelement <8 x float> poison, float %v0, i32 0
%v10 = shufflevector <8 x float> %v9, <8 x float> poison, <8 x i32> zeroinitializer
%v11 = insertelement <32 x float> poison, float %v0, i32 0
%v12 = shufflevector <32 x float> %v11, <32 x float> poison, <32 x i32> zeroinitializer
br label %loop7
loop7:
%v13 = phi i64 [ 0, %loop4 ], [ %v18, %loop7 ]
%v14 = getelementptr float, ptr %a0, i64 %v13
%v15 = load <32 x float>, ptr %v14, align 4
%v16 = fmul <32 x float> %v15, %v12
%v17 = getelementptr float, ptr %a2, i64 %v13
store <32 x float> %v16, ptr %v17, align 4
%v18 = add i64 %v13, 32
%v19 = icmp slt i64 %v18, 192
br i1 %v19, label %loop7, label %end8
end8:
br label %loop9
loop9:
%v20 = phi i64 [ 192, %end8 ], [ %v25, %loop9 ]
%v21 = getelementptr float, ptr %a0, i64 %v20
%v22 = load <8 x float>, ptr %v21, align 4
%v23 = fmul <8 x float> %v22, %v10
%v24 = getelementptr float, ptr %a2, i64 %v20
store <8 x float> %v23, ptr %v24, align 4
%v25 = add i64 %v20, 8
%v26 = icmp slt i64 %v25, 216
br i1 %v26, label %loop9, label %end10
end10:
%v27 = getelementptr float, ptr %a0, i64 216
%v28 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v27, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v29 = fmul <8 x float> %v28, %v10
%v30 = getelementptr float, ptr %a2, i64 216
call void @llvm.masked.store.v8f32.p0(<8 x float> %v29, ptr %v30, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false>)
%v31 = add i64 %v8, 1
%v32 = icmp slt i64 %v31, %v6
br i1 %v32, label %loop4, label %end5
end5:
%v33 = add i64 %v3, 1
%v34 = icmp slt i64 %v33, %v1
br i1 %v34, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i1 @llvm.vector.reduce.or.v8i1(<8 x i1>)

define void @trap_mul_67cdca50(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%s2 = alloca i64
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load i64, ptr %a2.p, align 8
%v0 = mul i64 %begin, 256
%v1 = mul i64 %end, 256
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 222)
store i64 0, ptr %s2
%v3 = sub i64 %v2, %v0
%v4 = call i64 @llvm.smax.i64(i64 %v3, i64 0)
%v5 = ashr i64 %v4, 3
%v6 = mul i64 %v5, 8
%v7 = add i64 %v0, %v6
%v8 = icmp slt i64 %v0, %v7
br i1 %v8, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v9 = phi i64 [ %v0, %guard3 ], [ %v15, %end6 ]
%v10 = getelementptr i32, ptr %a0, i64 %v9
%v11 = load <8 x i32>, ptr %v10, align 4
%v12 = and <8 x i32> %v11, splat (i32 2139095040)
%v13 = icmp eq <8 x i32> %v12, splat (i32 2139095040)
%v14 = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %v13)
br i1 %v14, label %then4, label %else5
then4:
store i64 1, ptr %s2
br label %end6
else5:
br label %end6
end6:
%v15 = add i64 %v9, 8
%v16 = icmp slt i64 %v15, %v7
br i1 %v16, label %loop1, label %end2
end2:
%v17 = icmp slt i64 %v7, %v2
br i1 %v17, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v18 = phi i64 [ %v7, %guard9 ], [ %v23, %end12 ]
%v19 = getelementptr i32, ptr %a0, i64 %v18
%v20 = load i32, ptr %v19, align 4
%v21 = and i32 %v20, 2139095040
%v22 = icmp eq i32 %v21, 2139095040
br i1 %v22, label %then10, label %else11
then10:
store i64 1, ptr %s2
br label %end12
else11:
br label %end12
end12:
%v23 = add i64 %v18, 1
%v24 = icmp slt i64 %v23, %v2
br i1 %v24, label %loop7, label %end8
end8:
%v25 = load i64, ptr %s2
%v26 = icmp ne i64 %v25, 0
br i1 %v26, label %then13, label %else14
then13:
%v27 = shl i64 %a2, 32
%v28 = or i64 %v27, 510
%v29 = cmpxchg ptr %a1, i64 0, i64 %v28 acq_rel acquire
%v30 = extractvalue { i64, i1 } %v29, 0
%v31 = extractvalue { i64, i1 } %v29, 1
br label %end15
else14:
br label %end15
end15:
ret void
}

