; kernels for x86_64-avx512
; mir @rope_interleaved {
;   %0 = input("x1") : f32[1, 5, 32]
;   %1 = param("w1") : f32[10, 8]
;   %2 = param("w2") : f32[10, 8]
;   %3 = rope(%0, %1, %2, head_dim=16, n_rot=16, interleaved=true) : f32[1, 5, 32]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr, i32, <16 x i1>, <16 x float>)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)

define void @rope_d5ace3b4(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 2
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 0
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 3
%a3 = load ptr, ptr %a3.p, align 8
%v0 = mul i64 %begin, 8
%v1 = mul i64 %end, 8
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 5)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v4 = phi i64 [ %v0, %guard3 ], [ %v35, %end5 ]
%v5 = udiv i64 %v4, 5
%v6 = urem i64 %v4, 5
%v7 = mul i64 %v6, 8
%v8 = getelementptr float, ptr %a0, i64 %v7
%v9 = mul i64 %v6, 8
%v10 = getelementptr float, ptr %a1, i64 %v9
%v11 = mul i64 %v5, 160
%v12 = mul i64 %v6, 32
%v13 = add i64 %v11, %v12
%v14 = getelementptr float, ptr %a2, i64 %v13
%v15 = mul i64 %v5, 160
%v16 = mul i64 %v6, 32
%v17 = add i64 %v15, %v16
%v18 = getelementptr float, ptr %a3, i64 %v17
%v19 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v8, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> splat (float 0x0000000000000000))
%v20 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v10, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> splat (float 0x0000000000000000))
%v21 = shufflevector <16 x float> %v19, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3, i32 4, i32 4, i32 5, i32 5, i32 6, i32 6, i32 7, i32 7>
%v22 = shufflevector <16 x float> %v20, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3, i32 4, i32 4, i32 5, i32 5, i32 6, i32 6, i32 7, i32 7>
%v23 = fmul <16 x float> %v22, <float 0xBFF0000000000000, float 0x3FF0000000000000, float 0xBFF0000000000000, float 0x3FF0000000000000, float 0xBFF0000000000000, float 0x3FF0000000000000, float 0xBFF0000000000000, float 0x3FF0000000000000, float 0xBFF0000000000000, float 0x3FF0000000000000, float 0xBFF0000000000000, float 0x3FF0000000000000, float 0xBFF0000000000000, float 0x3FF0000000000000, float 0xBFF0000000000000, float 0x3FF0000000000000>
br label %loop4
loop4:
%v24 = phi i64 [ 0, %loop1 ], [ %v33, %loop4 ]
%v25 = mul i64 %v24, 16
%v26 = getelementptr float, ptr %v14, i64 %v25
%v27 = mul i64 %v24, 16
%v28 = getelementptr float, ptr %v18, i64 %v27
%v29 = load <16 x float>, ptr %v26, align 4
%v30 = shufflevector <16 x float> %v29, <16 x float> poison, <16 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6, i32 9, i32 8, i32 11, i32 10, i32 13, i32 12, i32 15, i32 14>
%v31 = fmul <16 x float> %v30, %v23
%v32 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v29, <16 x float> %v21, <16 x float> %v31)
store <16 x float> %v32, ptr %v28, align 4
%v33 = add i64 %v24, 1
%v34 = icmp slt i64 %v33, 2
br i1 %v34, label %loop4, label %end5
end5:
%v35 = add i64 %v4, 1
%v36 = icmp slt i64 %v35, %v2
br i1 %v36, label %loop1, label %end2
end2:
ret void
}

