; kernels for x86_64-avx2 | prepare
; mir @pack {
;   %0 = input("x1") : f32[9, 12]
;   %1 = param("w1") : f32[12, 20]
;   %2 = matmul(%0, %1) : f32[9, 20]
;   return y1=%2
; }

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)

define void @pack_5216b9c9(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v41, %end7 ]
%v2 = mul i64 %v1, 2
%v3 = mul i64 %v2, 192
%v4 = getelementptr float, ptr %a0, i64 %v3
br label %loop4
loop4:
%v5 = phi i64 [ 0, %loop1 ], [ %v21, %loop4 ]
%v6 = add i64 %v5, 8
%v7 = mul i64 %v6, 20
%v8 = getelementptr float, ptr %a1, i64 %v7
call void @llvm.prefetch.p0(ptr %v8, i32 0, i32 3, i32 1)
%v9 = mul i64 %v5, 20
%v10 = getelementptr float, ptr %a1, i64 %v9
%v11 = load <8 x float>, ptr %v10, align 4
%v12 = mul i64 %v5, 16
%v13 = getelementptr float, ptr %v4, i64 %v12
store <8 x float> %v11, ptr %v13, align 4
%v14 = mul i64 %v5, 20
%v15 = add i64 %v14, 8
%v16 = getelementptr float, ptr %a1, i64 %v15
%v17 = load <8 x float>, ptr %v16, align 4
%v18 = mul i64 %v5, 16
%v19 = add i64 %v18, 8
%v20 = getelementptr float, ptr %v4, i64 %v19
store <8 x float> %v17, ptr %v20, align 4
%v21 = add i64 %v5, 1
%v22 = icmp slt i64 %v21, 12
br i1 %v22, label %loop4, label %end5
end5:
%v23 = getelementptr float, ptr %v4, i64 192
br label %loop6
loop6:
%v24 = phi i64 [ 0, %end5 ], [ %v39, %loop6 ]
%v25 = mul i64 %v24, 20
%v26 = add i64 %v25, 16
%v27 = getelementptr float, ptr %a1, i64 %v26
%v28 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v27, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v29 = mul i64 %v24, 16
%v30 = getelementptr float, ptr %v23, i64 %v29
store <8 x float> %v28, ptr %v30, align 4
%v31 = mul i64 %v24, 20
%v32 = add i64 %v31, 16
%v33 = add i64 %v32, 8
%v34 = getelementptr float, ptr %a1, i64 %v33
%v35 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v34, i32 4, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v36 = mul i64 %v24, 16
%v37 = add i64 %v36, 8
%v38 = getelementptr float, ptr %v23, i64 %v37
store <8 x float> %v35, ptr %v38, align 4
%v39 = add i64 %v24, 1
%v40 = icmp slt i64 %v39, 12
br i1 %v40, label %loop6, label %end7
end7:
%v41 = add i64 %v1, 1
%v42 = icmp slt i64 %v41, %end
br i1 %v42, label %loop1, label %end2
end2:
ret void
}

