; kernels for x86_64-avx2
; mir @reduce_any {
;   %0 = input("x1") : f32[6, 37]
;   %1 = constant([0.5]) : f32[]
;   %2 = gt(%0, %1) : bool[6, 37]
;   %3 = reduce_any(%2, axes=(1,)) : bool[6]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)

define void @region_c66a0ad1(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca <8 x i32>
%s5 = alloca <32 x i32>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v45, %end5 ]
%v2 = mul i64 %v1, 442
%v3 = add i64 %v2, 442
%v4 = call i64 @llvm.smin.i64(i64 %v3, i64 6)
%v5 = icmp slt i64 %v2, %v4
br i1 %v5, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v6 = phi i64 [ %v2, %guard6 ], [ %v43, %loop4 ]
%v7 = mul i64 %v6, 37
%v8 = getelementptr float, ptr %a0, i64 %v7
%v9 = getelementptr i8, ptr %a1, i64 %v6
store <8 x i32> splat (i32 0), ptr %s4
store <32 x i32> splat (i32 0), ptr %s5
%v10 = load <32 x float>, ptr %v8, align 4
%v11 = fcmp ogt <32 x float> %v10, splat (float 0x3FE0000000000000)
%v12 = sext <32 x i1> %v11 to <32 x i32>
%v13 = load <32 x i32>, ptr %s5
%v14 = or <32 x i32> %v13, %v12
store <32 x i32> %v14, ptr %s5
%v15 = getelementptr float, ptr %v8, i64 32
%v16 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v15, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v17 = fcmp ogt <8 x float> %v16, splat (float 0x3FE0000000000000)
%v18 = sext <8 x i1> %v17 to <8 x i32>
%v19 = select <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x i32> %v18, <8 x i32> splat (i32 0)
%v20 = load <8 x i32>, ptr %s4
%v21 = or <8 x i32> %v20, %v19
store <8 x i32> %v21, ptr %s4
%v22 = load <8 x i32>, ptr %s4
%v23 = load <32 x i32>, ptr %s5
%v24 = shufflevector <32 x i32> %v23, <32 x i32> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v25 = shufflevector <32 x i32> %v23, <32 x i32> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
%v26 = or <16 x i32> %v24, %v25
%v27 = shufflevector <16 x i32> %v26, <16 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v28 = shufflevector <16 x i32> %v26, <16 x i32> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v29 = or <8 x i32> %v27, %v28
%v30 = or <8 x i32> %v29, %v22
%v31 = shufflevector <8 x i32> %v30, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v32 = shufflevector <8 x i32> %v30, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v33 = or <4 x i32> %v31, %v32
%v34 = shufflevector <4 x i32> %v33, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
%v35 = shufflevector <4 x i32> %v33, <4 x i32> poison, <2 x i32> <i32 2, i32 3>
%v36 = or <2 x i32> %v34, %v35
%v37 = shufflevector <2 x i32> %v36, <2 x i32> poison, <1 x i32> <i32 0>
%v38 = shufflevector <2 x i32> %v36, <2 x i32> poison, <1 x i32> <i32 1>
%v39 = or <1 x i32> %v37, %v38
%v40 = extractelement <1 x i32> %v39, i64 0
%v41 = icmp ne i32 %v40, 0
%v42 = zext i1 %v41 to i8
store i8 %v42, ptr %v9, align 1
%v43 = add i64 %v6, 1
%v44 = icmp slt i64 %v43, %v4
br i1 %v44, label %loop4, label %end5
end5:
%v45 = add i64 %v1, 1
%v46 = icmp slt i64 %v45, %end
br i1 %v46, label %loop1, label %end2
end2:
ret void
}

