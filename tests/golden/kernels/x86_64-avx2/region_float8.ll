; kernels for x86_64-avx2
; mir @region_float8 {
;   %0 = input("x1") : f32[40]
;   %1 = cast(%0, to=f8e4m3) : f8e4m3[40]
;   %2 = input("x2") : f8e4m3[40]
;   %3 = cast(%2, to=f32) : f32[40]
;   return y1=%1, y2=%3
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <32 x i32> @llvm.smin.v32i32(<32 x i32>, <32 x i32>)
declare <8 x i32> @llvm.smin.v8i32(<8 x i32>, <8 x i32>)

define void @region_68b35192(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%v0 = call i64 @llvm.smin.i64(i64 %end, i64 1)
%v1 = icmp slt i64 %begin, %v0
br i1 %v1, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v2 = phi i64 [ %begin, %guard3 ], [ %v58, %end5 ]
%v3 = mul i64 %v2, 409
%v4 = add i64 %v3, 409
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 1)
%v6 = icmp slt i64 %v3, %v5
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ %v3, %guard6 ], [ %v56, %loop4 ]
%v8 = load <32 x float>, ptr %a0, align 4
%v9 = bitcast <32 x float> %v8 to <32 x i32>
%v10 = and <32 x i32> %v9, splat (i32 2147483647)
%v11 = add <32 x i32> %v10, splat (i32 524287)
%v12 = lshr <32 x i32> %v10, splat (i32 20)
%v13 = and <32 x i32> %v12, splat (i32 1)
%v14 = add <32 x i32> %v11, %v13
%v15 = lshr <32 x i32> %v14, splat (i32 20)
%v16 = sub <32 x i32> %v15, splat (i32 960)
%v17 = bitcast <32 x i32> %v10 to <32 x float>
%v18 = fadd <32 x float> %v17, splat (float 0x40D0000000000000)
%v19 = bitcast <32 x float> %v18 to <32 x i32>
%v20 = bitcast <32 x float> splat (float 0x40D0000000000000) to <32 x i32>
%v21 = sub <32 x i32> %v19, %v20
%v22 = icmp slt <32 x i32> %v10, splat (i32 1015021568)
%v23 = select <32 x i1> %v22, <32 x i32> %v21, <32 x i32> %v16
%v24 = call <32 x i32> @llvm.smin.v32i32(<32 x i32> %v23, <32 x i32> splat (i32 127))
%v25 = icmp sgt <32 x i32> %v10, splat (i32 2139095040)
%v26 = select <32 x i1> %v25, <32 x i32> splat (i32 127), <32 x i32> %v24
%v27 = lshr <32 x i32> %v9, splat (i32 24)
%v28 = and <32 x i32> %v27, splat (i32 128)
%v29 = or <32 x i32> %v26, %v28
%v30 = trunc <32 x i32> %v29 to <32 x i8>
store <32 x i8> %v30, ptr %a1, align 1
%v31 = getelementptr float, ptr %a0, i64 32
%v32 = load <8 x float>, ptr %v31, align 4
%v33 = bitcast <8 x float> %v32 to <8 x i32>
%v34 = and <8 x i32> %v33, splat (i32 2147483647)
%v35 = add <8 x i32> %v34, splat (i32 524287)
%v36 = lshr <8 x i32> %v34, splat (i32 20)
%v37 = and <8 x i32> %v36, splat (i32 1)
%v38 = add <8 x i32> %v35, %v37
%v39 = lshr <8 x i32> %v38, splat (i32 20)
%v40 = sub <8 x i32> %v39, splat (i32 960)
%v41 = bitcast <8 x i32> %v34 to <8 x float>
%v42 = fadd <8 x float> %v41, splat (float 0x40D0000000000000)
%v43 = bitcast <8 x float> %v42 to <8 x i32>
%v44 = bitcast <8 x float> splat (float 0x40D0000000000000) to <8 x i32>
%v45 = sub <8 x i32> %v43, %v44
%v46 = icmp slt <8 x i32> %v34, splat (i32 1015021568)
%v47 = select <8 x i1> %v46, <8 x i32> %v45, <8 x i32> %v40
%v48 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %v47, <8 x i32> splat (i32 127))
%v49 = icmp sgt <8 x i32> %v34, splat (i32 2139095040)
%v50 = select <8 x i1> %v49, <8 x i32> splat (i32 127), <8 x i32> %v48
%v51 = lshr <8 x i32> %v33, splat (i32 24)
%v52 = and <8 x i32> %v51, splat (i32 128)
%v53 = or <8 x i32> %v50, %v52
%v54 = trunc <8 x i32> %v53 to <8 x i8>
%v55 = getelementptr i8, ptr %a1, i64 32
store <8 x i8> %v54, ptr %v55, align 1
%v56 = add i64 %v7, 1
%v57 = icmp slt i64 %v56, %v5
br i1 %v57, label %loop4, label %end5
end5:
%v58 = add i64 %v2, 1
%v59 = icmp slt i64 %v58, %v0
br i1 %v59, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)

define void @region_6df93ebf(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%v0 = call i64 @llvm.smin.i64(i64 %end, i64 1)
%v1 = icmp slt i64 %begin, %v0
br i1 %v1, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v2 = phi i64 [ %begin, %guard3 ], [ %v36, %end5 ]
%v3 = mul i64 %v2, 409
%v4 = add i64 %v3, 409
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 1)
%v6 = icmp slt i64 %v3, %v5
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ %v3, %guard6 ], [ %v34, %loop4 ]
%v8 = load <32 x i8>, ptr %a0, align 1
%v9 = zext <32 x i8> %v8 to <32 x i32>
%v10 = and <32 x i32> %v9, splat (i32 127)
%v11 = shl <32 x i32> %v10, splat (i32 20)
%v12 = bitcast <32 x i32> %v11 to <32 x float>
%v13 = fmul <32 x float> %v12, splat (float 0x4770000000000000)
%v14 = icmp eq <32 x i32> %v10, splat (i32 127)
%v15 = select <32 x i1> %v14, <32 x float> splat (float 0x7FF8000000000000), <32 x float> %v13
%v16 = and <32 x i32> %v9, splat (i32 128)
%v17 = icmp eq <32 x i32> %v16, splat (i32 0)
%v18 = fneg <32 x float> %v15
%v19 = select <32 x i1> %v17, <32 x float> %v15, <32 x float> %v18
store <32 x float> %v19, ptr %a1, align 4
%v20 = getelementptr i8, ptr %a0, i64 32
%v21 = load <8 x i8>, ptr %v20, align 1
%v22 = zext <8 x i8> %v21 to <8 x i32>
%v23 = and <8 x i32> %v22, splat (i32 127)
%v24 = shl <8 x i32> %v23, splat (i32 20)
%v25 = bitcast <8 x i32> %v24 to <8 x float>
%v26 = fmul <8 x float> %v25, splat (float 0x4770000000000000)
%v27 = icmp eq <8 x i32> %v23, splat (i32 127)
%v28 = select <8 x i1> %v27, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %v26
%v29 = and <8 x i32> %v22, splat (i32 128)
%v30 = icmp eq <8 x i32> %v29, splat (i32 0)
%v31 = fneg <8 x float> %v28
%v32 = select <8 x i1> %v30, <8 x float> %v28, <8 x float> %v31
%v33 = getelementptr float, ptr %a1, i64 32
store <8 x float> %v32, ptr %v33, align 4
%v34 = add i64 %v7, 1
%v35 = icmp slt i64 %v34, %v5
br i1 %v35, label %loop4, label %end5
end5:
%v36 = add i64 %v2, 1
%v37 = icmp slt i64 %v36, %v0
br i1 %v37, label %loop1, label %end2
end2:
ret void
}

