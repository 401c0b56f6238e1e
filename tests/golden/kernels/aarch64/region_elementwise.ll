; kernels for aarch64
; mir @region_elementwise {
;   %0 = input("x1") : f32[6, 21]
;   %1 = input("x2") : f32[6, 21]
;   %2 = mul(%0, %1) : f32[6, 21]
;   %3 = input("x3") : f32[21]
;   %4 = add(%2, %3) : f32[6, 21]
;   %5 = gt(%0, %1) : bool[6, 21]
;   %6 = abs(%1) : f32[6, 21]
;   %7 = where(%5, %4, %6) : f32[6, 21]
;   %8 = cast(%4, to=bf16) : bf16[6, 21]
;   return y1=%7, y2=%8
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <16 x float> @llvm.fabs.v16f32(<16 x float>)
declare <4 x float> @llvm.fabs.v4f32(<4 x float>)

define void @region_417f8bf2(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 3
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 4
%a4 = load ptr, ptr %a4.p, align 8
%s10 = alloca [512 x i8], align 64
%v0 = call i64 @llvm.smin.i64(i64 %end, i64 1)
%v1 = icmp slt i64 %begin, %v0
br i1 %v1, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v2 = phi i64 [ %begin, %guard3 ], [ %v90, %end5 ]
%v3 = mul i64 %v2, 780
%v4 = add i64 %v3, 780
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 6)
%v6 = icmp slt i64 %v3, %v5
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ %v3, %guard6 ], [ %v88, %loop4 ]
%v8 = mul i64 %v7, 21
%v9 = getelementptr float, ptr %a0, i64 %v8
%v10 = mul i64 %v7, 21
%v11 = getelementptr float, ptr %a1, i64 %v10
%v12 = mul i64 %v7, 21
%v13 = getelementptr float, ptr %a3, i64 %v12
%v14 = mul i64 %v7, 21
%v15 = getelementptr i16, ptr %a4, i64 %v14
%v16 = load <16 x float>, ptr %v9, align 4
%v17 = load <16 x float>, ptr %v11, align 4
%v18 = load <16 x float>, ptr %a2, align 4
%v19 = fmul <16 x float> %v16, %v17
%v20 = fadd <16 x float> %v19, %v18
%v21 = fcmp ogt <16 x float> %v16, %v17
%v22 = call <16 x float> @llvm.fabs.v16f32(<16 x float> %v17)
%v23 = select <16 x i1> %v21, <16 x float> %v20, <16 x float> %v22
%v24 = bitcast <16 x float> %v20 to <16 x i32>
%v25 = add <16 x i32> %v24, splat (i32 32767)
%v26 = lshr <16 x i32> %v24, splat (i32 16)
%v27 = and <16 x i32> %v26, splat (i32 1)
%v28 = add <16 x i32> %v25, %v27
%v29 = lshr <16 x i32> %v28, splat (i32 16)
%v30 = lshr <16 x i32> %v24, splat (i32 16)
%v31 = or <16 x i32> %v30, splat (i32 64)
%v32 = fcmp uno <16 x float> %v20, %v20
%v33 = select <16 x i1> %v32, <16 x i32> %v31, <16 x i32> %v29
%v34 = trunc <16 x i32> %v33 to <16 x i16>
store <16 x float> %v23, ptr %v13, align 4
store <16 x i16> %v34, ptr %v15, align 2
%v35 = getelementptr float, ptr %v9, i64 16
%v36 = load <4 x float>, ptr %v35, align 4
%v37 = getelementptr float, ptr %v11, i64 16
%v38 = load <4 x float>, ptr %v37, align 4
%v39 = getelementptr float, ptr %a2, i64 16
%v40 = load <4 x float>, ptr %v39, align 4
%v41 = fmul <4 x float> %v36, %v38
%v42 = fadd <4 x float> %v41, %v40
%v43 = fcmp ogt <4 x float> %v36, %v38
%v44 = call <4 x float> @llvm.fabs.v4f32(<4 x float> %v38)
%v45 = select <4 x i1> %v43, <4 x float> %v42, <4 x float> %v44
%v46 = bitcast <4 x float> %v42 to <4 x i32>
%v47 = add <4 x i32> %v46, splat (i32 32767)
%v48 = lshr <4 x i32> %v46, splat (i32 16)
%v49 = and <4 x i32> %v48, splat (i32 1)
%v50 = add <4 x i32> %v47, %v49
%v51 = lshr <4 x i32> %v50, splat (i32 16)
%v52 = lshr <4 x i32> %v46, splat (i32 16)
%v53 = or <4 x i32> %v52, splat (i32 64)
%v54 = fcmp uno <4 x float> %v42, %v42
%v55 = select <4 x i1> %v54, <4 x i32> %v53, <4 x i32> %v51
%v56 = trunc <4 x i32> %v55 to <4 x i16>
%v57 = getelementptr float, ptr %v13, i64 16
store <4 x float> %v45, ptr %v57, align 4
%v58 = getelementptr i16, ptr %v15, i64 16
store <4 x i16> %v56, ptr %v58, align 2
store <4 x float> splat (float 0x0000000000000000), ptr %s10, align 4
%v59 = getelementptr float, ptr %v9, i64 20
%v60 = load float, ptr %v59, align 4
store float %v60, ptr %s10, align 4
%v61 = load <4 x float>, ptr %s10, align 4
store <4 x float> splat (float 0x0000000000000000), ptr %s10, align 4
%v62 = getelementptr float, ptr %v11, i64 20
%v63 = load float, ptr %v62, align 4
store float %v63, ptr %s10, align 4
%v64 = load <4 x float>, ptr %s10, align 4
store <4 x float> splat (float 0x0000000000000000), ptr %s10, align 4
%v65 = getelementptr float, ptr %a2, i64 20
%v66 = load float, ptr %v65, align 4
store float %v66, ptr %s10, align 4
%v67 = load <4 x float>, ptr %s10, align 4
%v68 = fmul <4 x float> %v61, %v64
%v69 = fadd <4 x float> %v68, %v67
%v70 = fcmp ogt <4 x float> %v61, %v64
%v71 = call <4 x float> @llvm.fabs.v4f32(<4 x float> %v64)
%v72 = select <4 x i1> %v70, <4 x float> %v69, <4 x float> %v71
%v73 = bitcast <4 x float> %v69 to <4 x i32>
%v74 = add <4 x i32> %v73, splat (i32 32767)
%v75 = lshr <4 x i32> %v73, splat (i32 16)
%v76 = and <4 x i32> %v75, splat (i32 1)
%v77 = add <4 x i32> %v74, %v76
%v78 = lshr <4 x i32> %v77, splat (i32 16)
%v79 = lshr <4 x i32> %v73, splat (i32 16)
%v80 = or <4 x i32> %v79, splat (i32 64)
%v81 = fcmp uno <4 x float> %v69, %v69
%v82 = select <4 x i1> %v81, <4 x i32> %v80, <4 x i32> %v78
%v83 = trunc <4 x i32> %v82 to <4 x i16>
store <4 x float> %v72, ptr %s10, align 4
%v84 = load float, ptr %s10, align 4
%v85 = getelementptr float, ptr %v13, i64 20
store float %v84, ptr %v85, align 4
store <4 x i16> %v83, ptr %s10, align 2
%v86 = load i16, ptr %s10, align 2
%v87 = getelementptr i16, ptr %v15, i64 20
store i16 %v86, ptr %v87, align 2
%v88 = add i64 %v7, 1
%v89 = icmp slt i64 %v88, %v5
br i1 %v89, label %loop4, label %end5
end5:
%v90 = add i64 %v2, 1
%v91 = icmp slt i64 %v90, %v0
br i1 %v91, label %loop1, label %end2
end2:
ret void
}

