; kernels for x86_64-avx2
; mir @rope_interleaved {
;   %0 = input("x1") : f32[1, 5, 32]
;   %1 = param("w1") : f32[10, 8]
;   %2 = param("w2") : f32[10, 8]
;   %3 = rope(%0, %1, %2, head_dim=16, n_rot=16, interleaved=true) : f32[1, 5, 32]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @rope_80a13bc1(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v4 = phi i64 [ %v0, %guard3 ], [ %v55, %end7 ]
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
%v19 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v8, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v20 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v10, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v21 = shufflevector <8 x float> %v19, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3>
%v22 = shufflevector <8 x float> %v20, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3>
%v23 = fmul <8 x float> %v22, <float 0xBFF0000000000000, float 0x3FF0000000000000, float 0xBFF0000000000000, float 0x3FF0000000000000, float 0xBFF0000000000000, float 0x3FF0000000000000, float 0xBFF0000000000000, float 0x3FF0000000000000>
br label %loop4
loop4:
%v24 = phi i64 [ 0, %loop1 ], [ %v33, %loop4 ]
%v25 = mul i64 %v24, 16
%v26 = getelementptr float, ptr %v14, i64 %v25
%v27 = mul i64 %v24, 16
%v28 = getelementptr float, ptr %v18, i64 %v27
%v29 = load <8 x float>, ptr %v26, align 4
%v30 = shufflevector <8 x float> %v29, <8 x float> poison, <8 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6>
%v31 = fmul <8 x float> %v30, %v23
%v32 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v29, <8 x float> %v21, <8 x float> %v31)
store <8 x float> %v32, ptr %v28, align 4
%v33 = add i64 %v24, 1
%v34 = icmp slt i64 %v33, 2
br i1 %v34, label %loop4, label %end5
end5:
%v35 = getelementptr float, ptr %v8, i64 4
%v36 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v35, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v37 = getelementptr float, ptr %v10, i64 4
%v38 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v37, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v39 = shufflevector <8 x float> %v36, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3>
%v40 = shufflevector <8 x float> %v38, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3>
%v41 = fmul <8 x float> %v40, <float 0xBFF0000000000000, float 0x3FF0000000000000, float 0xBFF0000000000000, float 0x3FF0000000000000, float 0xBFF0000000000000, float 0x3FF0000000000000, float 0xBFF0000000000000, float 0x3FF0000000000000>
br label %loop6
loop6:
%v42 = phi i64 [ 0, %end5 ], [ %v53, %loop6 ]
%v43 = mul i64 %v42, 16
%v44 = getelementptr float, ptr %v14, i64 %v43
%v45 = mul i64 %v42, 16
%v46 = getelementptr float, ptr %v18, i64 %v45
%v47 = getelementptr float, ptr %v44, i64 8
%v48 = load <8 x float>, ptr %v47, align 4
%v49 = shufflevector <8 x float> %v48, <8 x float> poison, <8 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6>
%v50 = fmul <8 x float> %v49, %v41
%v51 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v48, <8 x float> %v39, <8 x float> %v50)
%v52 = getelementptr float, ptr %v46, i64 8
store <8 x float> %v51, ptr %v52, align 4
%v53 = add i64 %v42, 1
%v54 = icmp slt i64 %v53, 2
br i1 %v54, label %loop6, label %end7
end7:
%v55 = add i64 %v4, 1
%v56 = icmp slt i64 %v55, %v2
br i1 %v56, label %loop1, label %end2
end2:
ret void
}

