; kernels for aarch64 | prepare
; mir @pack {
;   %0 = input("x1") : f32[9, 12]
;   %1 = param("w1") : f32[12, 20]
;   %2 = matmul(%0, %1) : f32[9, 20]
;   return y1=%2
; }

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, i32, <4 x i1>, <4 x float>)

define void @pack_01bec705(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v1 = phi i64 [ %begin, %guard3 ], [ %v54, %end9 ]
%v2 = mul i64 %v1, 3
%v3 = mul i64 %v2, 96
%v4 = getelementptr float, ptr %a0, i64 %v3
br label %loop4
loop4:
%v5 = phi i64 [ 0, %loop1 ], [ %v34, %end7 ]
br label %loop6
loop6:
%v6 = phi i64 [ 0, %loop4 ], [ %v32, %loop6 ]
%v7 = add i64 %v5, 8
%v8 = mul i64 %v7, 20
%v9 = mul i64 %v6, 8
%v10 = add i64 %v8, %v9
%v11 = getelementptr float, ptr %a1, i64 %v10
call void @llvm.prefetch.p0(ptr %v11, i32 0, i32 3, i32 1)
%v12 = mul i64 %v5, 20
%v13 = mul i64 %v6, 8
%v14 = add i64 %v12, %v13
%v15 = getelementptr float, ptr %a1, i64 %v14
%v16 = load <4 x float>, ptr %v15, align 4
%v17 = mul i64 %v6, 96
%v18 = mul i64 %v5, 8
%v19 = add i64 %v17, %v18
%v20 = getelementptr float, ptr %v4, i64 %v19
store <4 x float> %v16, ptr %v20, align 4
%v21 = mul i64 %v5, 20
%v22 = mul i64 %v6, 8
%v23 = add i64 %v21, %v22
%v24 = add i64 %v23, 4
%v25 = getelementptr float, ptr %a1, i64 %v24
%v26 = load <4 x float>, ptr %v25, align 4
%v27 = mul i64 %v6, 96
%v28 = mul i64 %v5, 8
%v29 = add i64 %v27, %v28
%v30 = add i64 %v29, 4
%v31 = getelementptr float, ptr %v4, i64 %v30
store <4 x float> %v26, ptr %v31, align 4
%v32 = add i64 %v6, 1
%v33 = icmp slt i64 %v32, 2
br i1 %v33, label %loop6, label %end7
end7:
%v34 = add i64 %v5, 1
%v35 = icmp slt i64 %v34, 12
br i1 %v35, label %loop4, label %end5
end5:
%v36 = getelementptr float, ptr %v4, i64 192
br label %loop8
loop8:
%v37 = phi i64 [ 0, %end5 ], [ %v52, %loop8 ]
%v38 = mul i64 %v37, 20
%v39 = add i64 %v38, 16
%v40 = getelementptr float, ptr %a1, i64 %v39
%v41 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v40, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 true>, <4 x float> splat (float 0x0000000000000000))
%v42 = mul i64 %v37, 8
%v43 = getelementptr float, ptr %v36, i64 %v42
store <4 x float> %v41, ptr %v43, align 4
%v44 = mul i64 %v37, 20
%v45 = add i64 %v44, 16
%v46 = add i64 %v45, 4
%v47 = getelementptr float, ptr %a1, i64 %v46
%v48 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v47, i32 4, <4 x i1> <i1 false, i1 false, i1 false, i1 false>, <4 x float> splat (float 0x0000000000000000))
%v49 = mul i64 %v37, 8
%v50 = add i64 %v49, 4
%v51 = getelementptr float, ptr %v36, i64 %v50
store <4 x float> %v48, ptr %v51, align 4
%v52 = add i64 %v37, 1
%v53 = icmp slt i64 %v52, 12
br i1 %v53, label %loop8, label %end9
end9:
%v54 = add i64 %v1, 1
%v55 = icmp slt i64 %v54, %end
br i1 %v55, label %loop1, label %end2
end2:
ret void
}

