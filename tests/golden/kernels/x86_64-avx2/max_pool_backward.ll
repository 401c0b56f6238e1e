; kernels for x86_64-avx2
; mir @max_pool_backward {
;   %0 = input("x1") : f32[1, 2, 6, 6]
;   %1 = input("x2") : f32[1, 2, 3, 3]
;   %2 = max_pool2d_backward(%0, %1, kernel_size=(2, 2), stride=(2, 2), padding=(0, 0)) : f32[1, 2, 6, 6]
;   return y1=%2
; }

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)

define void @max_pool_backward_579c0f25(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%s6 = alloca float
%s7 = alloca i64
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v75, %end9 ]
%v2 = udiv i64 %v1, 2
%v3 = urem i64 %v1, 2
%v4 = mul i64 %v2, 72
%v5 = mul i64 %v3, 36
%v6 = add i64 %v4, %v5
%v7 = getelementptr float, ptr %a0, i64 %v6
%v8 = mul i64 %v2, 18
%v9 = mul i64 %v3, 9
%v10 = add i64 %v8, %v9
%v11 = getelementptr float, ptr %a1, i64 %v10
%v12 = mul i64 %v1, 36
%v13 = getelementptr float, ptr %a2, i64 %v12
br label %loop4
loop4:
%v14 = phi i64 [ 0, %loop1 ], [ %v16, %loop4 ]
%v15 = getelementptr float, ptr %v13, i64 %v14
store <8 x float> splat (float 0x0000000000000000), ptr %v15, align 4
%v16 = add i64 %v14, 8
%v17 = icmp slt i64 %v16, 32
br i1 %v17, label %loop4, label %end5
end5:
br label %loop6
loop6:
%v18 = phi i64 [ 32, %end5 ], [ %v20, %loop6 ]
%v19 = getelementptr float, ptr %v13, i64 %v18
store float 0x0000000000000000, ptr %v19, align 4
%v20 = add i64 %v18, 1
%v21 = icmp slt i64 %v20, 36
br i1 %v21, label %loop6, label %end7
end7:
br label %loop8
loop8:
%v22 = phi i64 [ 0, %end7 ], [ %v73, %end11 ]
br label %loop10
loop10:
%v23 = phi i64 [ 0, %loop8 ], [ %v71, %end20 ]
store float 0x0000000000000000, ptr %s6
store i64 -1, ptr %s7
%v24 = mul i64 %v22, 2
%v25 = call i64 @llvm.smax.i64(i64 %v24, i64 0)
%v26 = add i64 %v24, 2
%v27 = call i64 @llvm.smin.i64(i64 %v26, i64 6)
%v28 = icmp slt i64 %v25, %v27
br i1 %v28, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v29 = phi i64 [ %v25, %guard14 ], [ %v59, %end16 ]
%v30 = mul i64 %v23, 2
%v31 = call i64 @llvm.smax.i64(i64 %v30, i64 0)
%v32 = add i64 %v30, 2
%v33 = call i64 @llvm.smin.i64(i64 %v32, i64 6)
%v34 = icmp slt i64 %v31, %v33
br i1 %v34, label %guard17, label %end16
guard17:
br label %loop15
loop15:
%v35 = phi i64 [ %v31, %guard17 ], [ %v57, %loop15 ]
%v36 = mul i64 %v29, 6
%v37 = add i64 %v36, %v35
%v38 = getelementptr float, ptr %v7, i64 %v37
%v39 = load float, ptr %v38, align 4
%v40 = load float, ptr %s6
%v41 = fcmp ogt float %v39, %v40
%v42 = fcmp uno float %v39, %v39
%v43 = load float, ptr %s6
%v44 = fcmp uno float %v43, %v43
%v45 = xor i1 %v44, true
%v46 = and i1 %v42, %v45
%v47 = or i1 %v41, %v46
%v48 = load i64, ptr %s7
%v49 = icmp slt i64 %v48, 0
%v50 = or i1 %v47, %v49
%v51 = load float, ptr %s6
%v52 = select i1 %v50, float %v39, float %v51
store float %v52, ptr %s6
%v53 = mul i64 %v29, 6
%v54 = add i64 %v53, %v35
%v55 = load i64, ptr %s7
%v56 = select i1 %v50, i64 %v54, i64 %v55
store i64 %v56, ptr %s7
%v57 = add i64 %v35, 1
%v58 = icmp slt i64 %v57, %v33
br i1 %v58, label %loop15, label %end16
end16:
%v59 = add i64 %v29, 1
%v60 = icmp slt i64 %v59, %v27
br i1 %v60, label %loop12, label %end13
end13:
%v61 = mul i64 %v22, 3
%v62 = add i64 %v61, %v23
%v63 = getelementptr float, ptr %v11, i64 %v62
%v64 = load float, ptr %v63, align 4
%v65 = load i64, ptr %s7
%v66 = icmp sge i64 %v65, 0
br i1 %v66, label %then18, label %else19
then18:
%v67 = getelementptr float, ptr %v13, i64 %v65
%v68 = load float, ptr %v67, align 4
%v69 = fadd float %v68, %v64
%v70 = getelementptr float, ptr %v13, i64 %v65
store float %v69, ptr %v70, align 4
br label %end20
else19:
br label %end20
end20:
%v71 = add i64 %v23, 1
%v72 = icmp slt i64 %v71, 3
br i1 %v72, label %loop10, label %end11
end11:
%v73 = add i64 %v22, 1
%v74 = icmp slt i64 %v73, 3
br i1 %v74, label %loop8, label %end9
end9:
%v75 = add i64 %v1, 1
%v76 = icmp slt i64 %v75, %end
br i1 %v76, label %loop1, label %end2
end2:
ret void
}

