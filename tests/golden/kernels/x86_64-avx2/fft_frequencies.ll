; kernels for x86_64-avx2
; mir @fft_frequencies {
;   %0 = fftfreq(n=20, d=0.5, dtype=f32) : f32[20]
;   return y1=%0
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @fftfreq_0d3d6ce7(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%v0 = mul i64 %begin, 64
%v1 = mul i64 %end, 64
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 20)
%v3 = fmul double 0x4034000000000000, 0x3FE0000000000000
%v4 = fdiv double 0x3FF0000000000000, %v3
%v5 = icmp slt i64 %v0, %v2
br i1 %v5, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v6 = phi i64 [ %v0, %guard3 ], [ %v14, %loop1 ]
%v7 = icmp slt i64 %v6, 10
%v8 = sub i64 %v6, 20
%v9 = select i1 %v7, i64 %v6, i64 %v8
%v10 = sitofp i64 %v9 to double
%v11 = fmul double %v10, %v4
%v12 = fptrunc double %v11 to float
%v13 = getelementptr float, ptr %a0, i64 %v6
store float %v12, ptr %v13, align 4
%v14 = add i64 %v6, 1
%v15 = icmp slt i64 %v14, %v2
br i1 %v15, label %loop1, label %end2
end2:
ret void
}

