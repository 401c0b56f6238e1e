; kernels for x86_64-avx2
; mir @while_loop {
;   %0 = input("x1") : f32[20]
;   %1 = while(%0, cond=mir @cond {
;     %0 = input("x0") : f32[20]
;     %1 = reduce_sum(%0, axes=(0,)) : f32[]
;     %2 = constant([100.0]) : f32[]
;     %3 = lt(%1, %2) : bool[]
;     return y0=%3
;   }, body=mir @body {
;     %0 = input("x0") : f32[20]
;     %1 = constant([1.25]) : f32[]
;     %2 = mul(%0, %1) : f32[20]
;     return y0=%2
;   }, max_iterations=40) : f32[20]
;   return y1=%1
; }

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)

define void @copy_f5a65d92(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v6 = call i64 @llvm.smin.i64(i64 %v5, i64 20)
%v7 = icmp slt i64 %v4, %v6
br i1 %v7, label %then1, label %else2
then1:
%v8 = udiv i64 %v4, 20
%v9 = urem i64 %v4, 20
store i64 %v9, ptr %s4
store i64 %v4, ptr %s5
br label %head4
head4:
%v10 = load i64, ptr %s4
%v11 = sub i64 20, %v10
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
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)

define void @region_3e97713f(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca <8 x float>
%s5 = alloca <16 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v33, %end5 ]
%v2 = mul i64 %v1, 819
%v3 = add i64 %v2, 819
%v4 = call i64 @llvm.smin.i64(i64 %v3, i64 1)
%v5 = icmp slt i64 %v2, %v4
br i1 %v5, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v6 = phi i64 [ %v2, %guard6 ], [ %v31, %loop4 ]
store <8 x float> splat (float 0x0000000000000000), ptr %s4
store <16 x float> splat (float 0x0000000000000000), ptr %s5
%v7 = load <16 x float>, ptr %a0, align 4
%v8 = load <16 x float>, ptr %s5
%v9 = fadd <16 x float> %v8, %v7
store <16 x float> %v9, ptr %s5
%v10 = getelementptr float, ptr %a0, i64 16
%v11 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v10, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v12 = select <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> %v11, <8 x float> splat (float 0x0000000000000000)
%v13 = load <8 x float>, ptr %s4
%v14 = fadd <8 x float> %v13, %v12
store <8 x float> %v14, ptr %s4
%v15 = load <8 x float>, ptr %s4
%v16 = load <16 x float>, ptr %s5
%v17 = shufflevector <16 x float> %v16, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v18 = shufflevector <16 x float> %v16, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v19 = fadd <8 x float> %v17, %v18
%v20 = fadd <8 x float> %v19, %v15
%v21 = shufflevector <8 x float> %v20, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v22 = shufflevector <8 x float> %v20, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v23 = fadd <4 x float> %v21, %v22
%v24 = shufflevector <4 x float> %v23, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v25 = shufflevector <4 x float> %v23, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v26 = fadd <2 x float> %v24, %v25
%v27 = shufflevector <2 x float> %v26, <2 x float> poison, <1 x i32> <i32 0>
%v28 = shufflevector <2 x float> %v26, <2 x float> poison, <1 x i32> <i32 1>
%v29 = fadd <1 x float> %v27, %v28
%v30 = extractelement <1 x float> %v29, i64 0
store float %v30, ptr %a1, align 4
%v31 = add i64 %v6, 1
%v32 = icmp slt i64 %v31, %v4
br i1 %v32, label %loop4, label %end5
end5:
%v33 = add i64 %v1, 1
%v34 = icmp slt i64 %v33, %end
br i1 %v34, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)

define void @region_47a02937(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%s6 = alloca [512 x i8], align 64
%v0 = load float, ptr %a0, align 4
%v1 = load float, ptr %a1, align 4
%v2 = fcmp olt float %v0, %v1
%v3 = call i64 @llvm.smin.i64(i64 %end, i64 1)
%v4 = icmp slt i64 %begin, %v3
br i1 %v4, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v5 = phi i64 [ %begin, %guard3 ], [ %v17, %end5 ]
%v6 = mul i64 %v5, 16384
%v7 = add i64 %v6, 16384
%v8 = call i64 @llvm.smin.i64(i64 %v7, i64 1)
%v9 = icmp slt i64 %v6, %v8
br i1 %v9, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v10 = phi i64 [ %v6, %guard6 ], [ %v15, %loop4 ]
%v11 = insertelement <2 x i1> poison, i1 %v2, i32 0
%v12 = shufflevector <2 x i1> %v11, <2 x i1> poison, <2 x i32> zeroinitializer
%v13 = zext <2 x i1> %v12 to <2 x i8>
store <2 x i8> %v13, ptr %s6, align 1
%v14 = load i8, ptr %s6, align 1
store i8 %v14, ptr %a2, align 1
%v15 = add i64 %v10, 1
%v16 = icmp slt i64 %v15, %v8
br i1 %v16, label %loop4, label %end5
end5:
%v17 = add i64 %v5, 1
%v18 = icmp slt i64 %v17, %v3
br i1 %v18, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @region_33811b6c(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v3 = phi i64 [ %begin, %guard3 ], [ %v21, %end5 ]
%v4 = mul i64 %v3, 819
%v5 = add i64 %v4, 819
%v6 = call i64 @llvm.smin.i64(i64 %v5, i64 1)
%v7 = icmp slt i64 %v4, %v6
br i1 %v7, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v8 = phi i64 [ %v4, %guard6 ], [ %v19, %loop4 ]
%v9 = insertelement <8 x float> poison, float %v0, i32 0
%v10 = shufflevector <8 x float> %v9, <8 x float> poison, <8 x i32> zeroinitializer
%v11 = insertelement <16 x float> poison, float %v0, i32 0
%v12 = shufflevector <16 x float> %v11, <16 x float> poison, <16 x i32> zeroinitializer
%v13 = load <16 x float>, ptr %a0, align 4
%v14 = fmul <16 x float> %v13, %v12
store <16 x float> %v14, ptr %a2, align 4
%v15 = getelementptr float, ptr %a0, i64 16
%v16 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v15, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v17 = fmul <8 x float> %v16, %v10
%v18 = getelementptr float, ptr %a2, i64 16
call void @llvm.masked.store.v8f32.p0(<8 x float> %v17, ptr %v18, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>)
%v19 = add i64 %v8, 1
%v20 = icmp slt i64 %v19, %v6
br i1 %v20, label %loop4, label %end5
end5:
%v21 = add i64 %v3, 1
%v22 = icmp slt i64 %v21, %v1
br i1 %v22, label %loop1, label %end2
end2:
ret void
}

