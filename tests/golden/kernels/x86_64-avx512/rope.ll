; kernels for x86_64-avx512
; mir @rope {
;   %0 = input("x1") : f32[1, 5, 32]
;   %1 = param("w1") : f32[10, 8]
;   %2 = param("w2") : f32[10, 8]
;   %3 = input("x2") : i32[1, 5]
;   %4 = rope(%0, %1, %2, %3, head_dim=16, n_rot=16) : f32[1, 5, 32]
;   return y1=%4
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr, i32, <16 x i1>, <16 x float>)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr, i32, <16 x i1>)

define void @rope_ff9ef19a(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 3
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 0
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 4
%a4 = load ptr, ptr %a4.p, align 8
%v0 = mul i64 %begin, 8
%v1 = mul i64 %end, 8
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 5)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v4 = phi i64 [ %v0, %guard3 ], [ %v48, %end5 ]
%v5 = udiv i64 %v4, 5
%v6 = urem i64 %v4, 5
%v7 = mul i64 %v5, 5
%v8 = add i64 %v7, %v6
%v9 = getelementptr i32, ptr %a0, i64 %v8
%v10 = load i32, ptr %v9, align 4
%v11 = sext i32 %v10 to i64
%v12 = icmp slt i64 %v11, 0
%v13 = add i64 %v11, 10
%v14 = select i1 %v12, i64 %v13, i64 %v11
%v15 = call i64 @llvm.smin.i64(i64 %v14, i64 9)
%v16 = call i64 @llvm.smax.i64(i64 %v15, i64 0)
%v17 = icmp uge i64 %v14, 10
%v18 = mul i64 %v16, 8
%v19 = getelementptr float, ptr %a1, i64 %v18
%v20 = mul i64 %v16, 8
%v21 = getelementptr float, ptr %a2, i64 %v20
%v22 = mul i64 %v5, 160
%v23 = mul i64 %v6, 32
%v24 = add i64 %v22, %v23
%v25 = getelementptr float, ptr %a3, i64 %v24
%v26 = mul i64 %v5, 160
%v27 = mul i64 %v6, 32
%v28 = add i64 %v26, %v27
%v29 = getelementptr float, ptr %a4, i64 %v28
%v30 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v19, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> splat (float 0x0000000000000000))
%v31 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v21, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> splat (float 0x0000000000000000))
br label %loop4
loop4:
%v32 = phi i64 [ 0, %loop1 ], [ %v46, %loop4 ]
%v33 = mul i64 %v32, 16
%v34 = getelementptr float, ptr %v25, i64 %v33
%v35 = mul i64 %v32, 16
%v36 = getelementptr float, ptr %v29, i64 %v35
%v37 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v34, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> splat (float 0x0000000000000000))
%v38 = getelementptr float, ptr %v34, i64 8
%v39 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v38, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> splat (float 0x0000000000000000))
%v40 = fmul <16 x float> %v39, %v31
%v41 = fneg <16 x float> %v40
%v42 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v37, <16 x float> %v30, <16 x float> %v41)
call void @llvm.masked.store.v16f32.p0(<16 x float> %v42, ptr %v36, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
%v43 = fmul <16 x float> %v37, %v31
%v44 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v39, <16 x float> %v30, <16 x float> %v43)
%v45 = getelementptr float, ptr %v36, i64 8
call void @llvm.masked.store.v16f32.p0(<16 x float> %v44, ptr %v45, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
%v46 = add i64 %v32, 1
%v47 = icmp slt i64 %v46, 2
br i1 %v47, label %loop4, label %end5
end5:
%v48 = add i64 %v4, 1
%v49 = icmp slt i64 %v48, %v2
br i1 %v49, label %loop1, label %end2
end2:
ret void
}

