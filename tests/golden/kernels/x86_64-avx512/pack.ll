; kernels for x86_64-avx512 | prepare
; mir @pack {
;   %0 = input("x1") : f32[9, 12]
;   %1 = param("w1") : f32[12, 20]
;   %2 = matmul(%0, %1) : f32[9, 20]
;   return y1=%2
; }

declare <16 x float> @llvm.masked.load.v16f32.p0(ptr, i32, <16 x i1>, <16 x float>)

define void @pack_77c1f50a(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v1 = phi i64 [ %begin, %guard3 ], [ %v22, %end7 ]
%v2 = mul i64 %v1, 384
%v3 = getelementptr float, ptr %a0, i64 %v2
br label %loop4
loop4:
%v4 = phi i64 [ 0, %loop1 ], [ %v5, %loop4 ]
%v5 = add i64 %v4, 1
%v6 = icmp slt i64 %v5, 12
br i1 %v6, label %loop4, label %end5
end5:
br label %loop6
loop6:
%v7 = phi i64 [ 0, %end5 ], [ %v20, %loop6 ]
%v8 = mul i64 %v7, 20
%v9 = getelementptr float, ptr %a1, i64 %v8
%v10 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v9, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <16 x float> splat (float 0x0000000000000000))
%v11 = mul i64 %v7, 32
%v12 = getelementptr float, ptr %v3, i64 %v11
store <16 x float> %v10, ptr %v12, align 4
%v13 = mul i64 %v7, 20
%v14 = add i64 %v13, 16
%v15 = getelementptr float, ptr %a1, i64 %v14
%v16 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v15, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> splat (float 0x0000000000000000))
%v17 = mul i64 %v7, 32
%v18 = add i64 %v17, 16
%v19 = getelementptr float, ptr %v3, i64 %v18
store <16 x float> %v16, ptr %v19, align 4
%v20 = add i64 %v7, 1
%v21 = icmp slt i64 %v20, 12
br i1 %v21, label %loop6, label %end7
end7:
%v22 = add i64 %v1, 1
%v23 = icmp slt i64 %v22, %end
br i1 %v23, label %loop1, label %end2
end2:
ret void
}

