; kernels for x86_64-avx2
; mir @branches {
;   %0 = input("x1") : bool[]
;   %1 = input("x2") : f32[20]
;   %2 = if(%0, %1, then=mir @then {
;     %0 = input("x0") : f32[20]
;     %1 = constant([1.0]) : f32[]
;     %2 = add(%0, %1) : f32[20]
;     return y0=%2
;   }, else=mir @else {
;     %0 = input("x0") : f32[20]
;     %1 = constant([0.5]) : f32[]
;     %2 = mul(%0, %1) : f32[20]
;     return y0=%2
;   }) : f32[20]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @region_3a0addcb(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v14 = fadd <16 x float> %v13, %v12
store <16 x float> %v14, ptr %a2, align 4
%v15 = getelementptr float, ptr %a0, i64 16
%v16 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v15, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v17 = fadd <8 x float> %v16, %v10
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

