; kernels for x86_64-avx2
; mir @attention_in_pages {
;   %0 = input("x1") : i32[3]
;   %1 = input("x2") : i32[3]
;   %2 = input("x3") : i32[2, 4]
;   %3 = input("x4") : f32[5, 2, 8, 8]
;   %4 = input("x5") : f32[3, 2, 8]
;   %5 = page_write(%3, %4, %0, %1, %2, transposed=true) : f32[5, 2, 8, 8]
;   %6 = input("x6") : f32[5, 2, 8, 8]
;   %7 = input("x7") : f32[3, 2, 8]
;   %8 = page_write(%6, %7, %0, %1, %2, transposed=false) : f32[5, 2, 8, 8]
;   %9 = input("x8") : f32[3, 2, 8]
;   %10 = paged_attention(%9, %5, %8, %0, %1, %2, num_heads=2, mask_kind=causal) : f32[3, 2, 8]
;   return y1=%5, y2=%8, y3=%10
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @page_rest_04e10d99(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%s5 = alloca i64
%v0 = icmp ne ptr %a0, %a1
br i1 %v0, label %then1, label %else2
then1:
%v1 = mul i64 %begin, 640
%v2 = mul i64 %end, 640
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 640)
%v4 = icmp slt i64 %v1, %v3
br i1 %v4, label %then4, label %else5
then4:
%v5 = udiv i64 %v1, 640
%v6 = urem i64 %v1, 640
store i64 %v6, ptr %s4
store i64 %v1, ptr %s5
br label %head7
head7:
%v7 = load i64, ptr %s4
%v8 = sub i64 640, %v7
%v9 = load i64, ptr %s5
%v10 = sub i64 %v3, %v9
%v11 = call i64 @llvm.smin.i64(i64 %v8, i64 %v10)
%v12 = load i64, ptr %s4
%v13 = getelementptr i32, ptr %a1, i64 %v12
%v14 = getelementptr i32, ptr %a0, i64 %v12
%v15 = ashr i64 %v11, 3
%v16 = mul i64 %v15, 8
%v17 = icmp slt i64 0, %v16
br i1 %v17, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v18 = phi i64 [ 0, %guard11 ], [ %v22, %loop9 ]
%v19 = getelementptr i32, ptr %v14, i64 %v18
%v20 = load <8 x i32>, ptr %v19, align 4
%v21 = getelementptr i32, ptr %v13, i64 %v18
store <8 x i32> %v20, ptr %v21, align 4
%v22 = add i64 %v18, 8
%v23 = icmp slt i64 %v22, %v16
br i1 %v23, label %loop9, label %end10
end10:
%v24 = icmp slt i64 %v16, %v11
br i1 %v24, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v25 = phi i64 [ %v16, %guard14 ], [ %v29, %loop12 ]
%v26 = getelementptr i32, ptr %v14, i64 %v25
%v27 = load i32, ptr %v26, align 4
%v28 = getelementptr i32, ptr %v13, i64 %v25
store i32 %v27, ptr %v28, align 4
%v29 = add i64 %v25, 1
%v30 = icmp slt i64 %v29, %v11
br i1 %v30, label %loop12, label %end13
end13:
%v31 = load i64, ptr %s5
%v32 = add i64 %v31, %v11
store i64 %v32, ptr %s5
store i64 0, ptr %s4
%v33 = load i64, ptr %s5
%v34 = icmp sge i64 %v33, %v3
br i1 %v34, label %end8, label %next15
next15:
br label %head7
end8:
br label %end6
else5:
br label %end6
end6:
br label %end3
else2:
br label %end3
end3:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)

define void @page_write_d7fb08d1(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 2
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 3
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 0
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 4
%a4 = load ptr, ptr %a4.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v55, %end5 ]
%v2 = mul i64 %v1, 16
%v3 = mul i64 %v1, 16
%v4 = add i64 %v3, 16
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 3)
%v6 = icmp slt i64 %v2, %v5
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ %v2, %guard6 ], [ %v53, %end9 ]
%v8 = getelementptr i32, ptr %a0, i64 %v7
%v9 = load i32, ptr %v8, align 4
%v10 = sext i32 %v9 to i64
%v11 = getelementptr i32, ptr %a1, i64 %v7
%v12 = load i32, ptr %v11, align 4
%v13 = sext i32 %v12 to i64
%v14 = icmp ult i64 %v13, 2
%v15 = select i1 %v14, i64 32, i64 0
%v16 = icmp ult i64 %v10, %v15
br i1 %v16, label %then7, label %else8
then7:
%v17 = ashr i64 %v10, 3
%v18 = mul i64 %v13, 4
%v19 = add i64 %v18, %v17
%v20 = getelementptr i32, ptr %a2, i64 %v19
%v21 = load i32, ptr %v20, align 4
%v22 = sext i32 %v21 to i64
%v23 = icmp ult i64 %v22, 5
br i1 %v23, label %then10, label %else11
then10:
br label %loop13
loop13:
%v24 = phi i64 [ 0, %then10 ], [ %v51, %loop13 ]
%v25 = mul i64 %v22, 2
%v26 = add i64 %v25, %v24
%v27 = and i64 %v10, 7
%v28 = mul i64 %v7, 16
%v29 = mul i64 %v24, 8
%v30 = add i64 %v28, %v29
%v31 = getelementptr float, ptr %a3, i64 %v30
%v32 = mul i64 %v26, 64
%v33 = add i64 %v32, %v27
%v34 = getelementptr float, ptr %a4, i64 %v33
%v35 = load <8 x float>, ptr %v31, align 4
%v36 = extractelement <8 x float> %v35, i64 0
store float %v36, ptr %v34, align 4
%v37 = extractelement <8 x float> %v35, i64 1
%v38 = getelementptr float, ptr %v34, i64 8
store float %v37, ptr %v38, align 4
%v39 = extractelement <8 x float> %v35, i64 2
%v40 = getelementptr float, ptr %v34, i64 16
store float %v39, ptr %v40, align 4
%v41 = extractelement <8 x float> %v35, i64 3
%v42 = getelementptr float, ptr %v34, i64 24
store float %v41, ptr %v42, align 4
%v43 = extractelement <8 x float> %v35, i64 4
%v44 = getelementptr float, ptr %v34, i64 32
store float %v43, ptr %v44, align 4
%v45 = extractelement <8 x float> %v35, i64 5
%v46 = getelementptr float, ptr %v34, i64 40
store float %v45, ptr %v46, align 4
%v47 = extractelement <8 x float> %v35, i64 6
%v48 = getelementptr float, ptr %v34, i64 48
store float %v47, ptr %v48, align 4
%v49 = extractelement <8 x float> %v35, i64 7
%v50 = getelementptr float, ptr %v34, i64 56
store float %v49, ptr %v50, align 4
%v51 = add i64 %v24, 1
%v52 = icmp slt i64 %v51, 2
br i1 %v52, label %loop13, label %end14
end14:
br label %end12
else11:
br label %end12
end12:
br label %end9
else8:
br label %end9
end9:
%v53 = add i64 %v7, 1
%v54 = icmp slt i64 %v53, %v5
br i1 %v54, label %loop4, label %end5
end5:
%v55 = add i64 %v1, 1
%v56 = icmp slt i64 %v55, %end
br i1 %v56, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)

define void @page_write_7a288e58(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 2
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 3
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 0
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 4
%a4 = load ptr, ptr %a4.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v41, %end5 ]
%v2 = mul i64 %v1, 16
%v3 = mul i64 %v1, 16
%v4 = add i64 %v3, 16
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 3)
%v6 = icmp slt i64 %v2, %v5
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ %v2, %guard6 ], [ %v39, %end9 ]
%v8 = getelementptr i32, ptr %a0, i64 %v7
%v9 = load i32, ptr %v8, align 4
%v10 = sext i32 %v9 to i64
%v11 = getelementptr i32, ptr %a1, i64 %v7
%v12 = load i32, ptr %v11, align 4
%v13 = sext i32 %v12 to i64
%v14 = icmp ult i64 %v13, 2
%v15 = select i1 %v14, i64 32, i64 0
%v16 = icmp ult i64 %v10, %v15
br i1 %v16, label %then7, label %else8
then7:
%v17 = ashr i64 %v10, 3
%v18 = mul i64 %v13, 4
%v19 = add i64 %v18, %v17
%v20 = getelementptr i32, ptr %a2, i64 %v19
%v21 = load i32, ptr %v20, align 4
%v22 = sext i32 %v21 to i64
%v23 = icmp ult i64 %v22, 5
br i1 %v23, label %then10, label %else11
then10:
br label %loop13
loop13:
%v24 = phi i64 [ 0, %then10 ], [ %v37, %loop13 ]
%v25 = mul i64 %v22, 2
%v26 = add i64 %v25, %v24
%v27 = and i64 %v10, 7
%v28 = mul i64 %v7, 16
%v29 = mul i64 %v24, 8
%v30 = add i64 %v28, %v29
%v31 = getelementptr float, ptr %a3, i64 %v30
%v32 = mul i64 %v26, 64
%v33 = mul i64 %v27, 8
%v34 = add i64 %v32, %v33
%v35 = getelementptr float, ptr %a4, i64 %v34
%v36 = load <8 x float>, ptr %v31, align 4
store <8 x float> %v36, ptr %v35, align 4
%v37 = add i64 %v24, 1
%v38 = icmp slt i64 %v37, 2
br i1 %v38, label %loop13, label %end14
end14:
br label %end12
else11:
br label %end12
end12:
br label %end9
else8:
br label %end9
end9:
%v39 = add i64 %v7, 1
%v40 = icmp slt i64 %v39, %v5
br i1 %v40, label %loop4, label %end5
end5:
%v41 = add i64 %v1, 1
%v42 = icmp slt i64 %v41, %end
br i1 %v42, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @paged_attention_389242d2(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%s2 = alloca i64
%s3 = alloca i64
%s4 = alloca i64
%s5 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 3
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 4
%a1 = load ptr, ptr %a1.p, align 8
%s10 = alloca i64
%s11 = alloca i64
%s12 = alloca i64
%a2.p = getelementptr i64, ptr %args, i64 0
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 5
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 1
%a4 = load ptr, ptr %a4.p, align 8
%a5.p = getelementptr i64, ptr %args, i64 2
%a5 = load ptr, ptr %a5.p, align 8
%s21 = alloca <8 x float>
%s22 = alloca <8 x float>
%s23 = alloca <8 x float>
%s24 = alloca <8 x float>
%a6.p = getelementptr i64, ptr %args, i64 7
%a6 = load ptr, ptr %a6.p, align 8
%a7.p = getelementptr i64, ptr %args, i64 8
%a7 = load ptr, ptr %a7.p, align 8
%a8.p = getelementptr i64, ptr %args, i64 6
%a8 = load ptr, ptr %a8.p, align 8
%s31 = alloca <8 x float>
%s32 = alloca <8 x float>
%s33 = alloca <8 x float>
%s34 = alloca <8 x float>
%s35 = alloca <8 x float>
%s36 = alloca <8 x float>
%s37 = alloca <8 x float>
%s38 = alloca <8 x float>
%s39 = alloca <8 x float>
%s40 = alloca <8 x float>
%s41 = alloca <8 x float>
%s42 = alloca <8 x float>
%s43 = alloca <8 x float>
%s44 = alloca <8 x float>
%s45 = alloca <8 x float>
%s46 = alloca <8 x float>
%s47 = alloca <8 x float>
%s48 = alloca <8 x float>
%s49 = alloca <8 x float>
%s50 = alloca <8 x float>
%s51 = alloca <8 x float>
%s52 = alloca <8 x float>
%s53 = alloca <8 x float>
%s54 = alloca <8 x float>
%s55 = alloca <8 x float>
store i64 0, ptr %s0
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v1730, %end21 ]
%v2 = and i64 %v1, 1
%v3 = ashr i64 %v1, 1
%v4 = mul i64 %v3, 48
store i64 %v4, ptr %s1
%v5 = mul i64 %v3, 48
%v6 = add i64 %v5, 48
%v7 = call i64 @llvm.smin.i64(i64 %v6, i64 3)
store i64 %v7, ptr %s2
store i64 0, ptr %s3
store i64 1, ptr %s4
br i1 true, label %then4, label %else5
then4:
%v8 = srem i64 %v3, 3
%v9 = icmp ne i64 %v8, 0
%v10 = xor i64 %v8, 3
%v11 = icmp slt i64 %v10, 0
%v12 = and i1 %v9, %v11
%v13 = add i64 %v8, 3
%v14 = select i1 %v12, i64 %v13, i64 %v8
store i64 %v14, ptr %s1
%v15 = load i64, ptr %s1
%v16 = sdiv i64 %v15, 48
%v17 = mul i64 %v16, 48
%v18 = sub i64 %v15, %v17
%v19 = icmp ne i64 %v18, 0
%v20 = xor i64 %v18, 48
%v21 = icmp slt i64 %v20, 0
%v22 = and i1 %v19, %v21
%v23 = sub i64 %v16, 1
%v24 = select i1 %v22, i64 %v23, i64 %v16
%v25 = add i64 %v24, 1
%v26 = mul i64 %v25, 48
%v27 = call i64 @llvm.smin.i64(i64 %v26, i64 3)
store i64 %v27, ptr %s5
%v28 = srem i64 %v15, 48
%v29 = icmp ne i64 %v28, 0
%v30 = xor i64 %v28, 48
%v31 = icmp slt i64 %v30, 0
%v32 = and i1 %v29, %v31
%v33 = add i64 %v28, 48
%v34 = select i1 %v32, i64 %v33, i64 %v28
%v35 = icmp ne i64 %v34, 0
br i1 %v35, label %then7, label %else8
then7:
%v36 = sub i64 %v15, 1
%v37 = getelementptr i32, ptr %a0, i64 %v36
%v38 = load i32, ptr %v37, align 4
%v39 = sext i32 %v38 to i64
%v40 = sub i64 %v15, 1
%v41 = getelementptr i32, ptr %a1, i64 %v40
%v42 = load i32, ptr %v41, align 4
%v43 = sext i32 %v42 to i64
%v44 = getelementptr i32, ptr %a0, i64 %v15
%v45 = load i32, ptr %v44, align 4
%v46 = sext i32 %v45 to i64
%v47 = add i64 %v39, 1
%v48 = icmp eq i64 %v46, %v47
%v49 = getelementptr i32, ptr %a1, i64 %v15
%v50 = load i32, ptr %v49, align 4
%v51 = sext i32 %v50 to i64
%v52 = icmp eq i64 %v51, %v43
%v53 = and i1 %v48, %v52
br i1 %v53, label %then10, label %else11
then10:
store i64 %v15, ptr %s5
br label %end12
else11:
br label %end12
end12:
br label %end9
else8:
br label %end9
end9:
%v54 = load i64, ptr %s5
%v55 = icmp sgt i64 %v54, %v15
br i1 %v55, label %then13, label %else14
then13:
%v56 = load i64, ptr %s5
%v57 = add i64 %v15, 1
store i64 %v57, ptr %s10
br label %head16
head16:
%v58 = load i64, ptr %s10
%v59 = icmp sge i64 %v58, %v56
br i1 %v59, label %end17, label %next18
next18:
%v60 = load i64, ptr %s10
%v61 = sub i64 %v60, 1
%v62 = getelementptr i32, ptr %a0, i64 %v61
%v63 = load i32, ptr %v62, align 4
%v64 = sext i32 %v63 to i64
%v65 = sub i64 %v60, 1
%v66 = getelementptr i32, ptr %a1, i64 %v65
%v67 = load i32, ptr %v66, align 4
%v68 = sext i32 %v67 to i64
%v69 = getelementptr i32, ptr %a0, i64 %v60
%v70 = load i32, ptr %v69, align 4
%v71 = sext i32 %v70 to i64
%v72 = add i64 %v64, 1
%v73 = icmp eq i64 %v71, %v72
%v74 = getelementptr i32, ptr %a1, i64 %v60
%v75 = load i32, ptr %v74, align 4
%v76 = sext i32 %v75 to i64
%v77 = icmp eq i64 %v76, %v68
%v78 = and i1 %v73, %v77
%v79 = xor i1 %v78, true
br i1 %v79, label %end17, label %next19
next19:
%v80 = load i64, ptr %s10
%v81 = add i64 %v80, 1
store i64 %v81, ptr %s10
br label %head16
end17:
%v82 = load i64, ptr %s10
store i64 %v82, ptr %s5
br label %end15
else14:
br label %end15
end15:
%v83 = load i64, ptr %s5
store i64 %v83, ptr %s2
%v84 = sdiv i64 %v3, 3
%v85 = mul i64 %v84, 3
%v86 = sub i64 %v3, %v85
%v87 = icmp ne i64 %v86, 0
%v88 = xor i64 %v86, 3
%v89 = icmp slt i64 %v88, 0
%v90 = and i1 %v87, %v89
%v91 = sub i64 %v84, 1
%v92 = select i1 %v90, i64 %v91, i64 %v84
store i64 %v92, ptr %s3
%v93 = load i64, ptr %s3
%v94 = add i64 %v93, 1
store i64 %v94, ptr %s4
br label %end6
else5:
br label %end6
end6:
%v95 = load i64, ptr %s1
%v96 = load i64, ptr %s2
%v97 = load i64, ptr %s3
%v98 = load i64, ptr %s4
store i64 %v95, ptr %s11
br label %head20
head20:
%v99 = load i64, ptr %s11
%v100 = icmp sge i64 %v99, %v96
br i1 %v100, label %end21, label %next22
next22:
%v101 = load i64, ptr %s11
%v102 = add i64 %v101, 1
store i64 %v102, ptr %s12
br label %head23
head23:
%v103 = load i64, ptr %s12
%v104 = icmp sge i64 %v103, %v96
br i1 %v104, label %end24, label %next25
next25:
%v105 = load i64, ptr %s12
%v106 = sub i64 %v105, 1
%v107 = getelementptr i32, ptr %a0, i64 %v106
%v108 = load i32, ptr %v107, align 4
%v109 = sext i32 %v108 to i64
%v110 = sub i64 %v105, 1
%v111 = getelementptr i32, ptr %a1, i64 %v110
%v112 = load i32, ptr %v111, align 4
%v113 = sext i32 %v112 to i64
%v114 = getelementptr i32, ptr %a0, i64 %v105
%v115 = load i32, ptr %v114, align 4
%v116 = sext i32 %v115 to i64
%v117 = add i64 %v109, 1
%v118 = icmp eq i64 %v116, %v117
%v119 = getelementptr i32, ptr %a1, i64 %v105
%v120 = load i32, ptr %v119, align 4
%v121 = sext i32 %v120 to i64
%v122 = icmp eq i64 %v121, %v113
%v123 = and i1 %v118, %v122
%v124 = xor i1 %v123, true
br i1 %v124, label %end24, label %next26
next26:
%v125 = load i64, ptr %s12
%v126 = add i64 %v125, 1
store i64 %v126, ptr %s12
br label %head23
end24:
%v127 = load i64, ptr %s12
%v128 = load i64, ptr %s11
%v129 = getelementptr i32, ptr %a1, i64 %v128
%v130 = load i32, ptr %v129, align 4
%v131 = sext i32 %v130 to i64
%v132 = icmp ult i64 %v131, 2
%v133 = select i1 %v132, i64 32, i64 0
%v134 = sub i64 %v127, %v128
%v135 = getelementptr i32, ptr %a0, i64 %v128
%v136 = load i32, ptr %v135, align 4
%v137 = sext i32 %v136 to i64
%v138 = icmp eq i64 %v134, 1
br i1 %v138, label %then27, label %else28
then27:
%v139 = icmp eq i64 %v2, 1
%v140 = icmp slt i64 %v127, %v96
%v141 = call i64 @llvm.smin.i64(i64 %v96, i64 2)
%v142 = select i1 %v139, i64 %v141, i64 %v95
%v143 = select i1 %v140, i64 %v127, i64 %v142
%v144 = icmp slt i64 %v127, %v96
%v145 = add i64 %v2, 1
%v146 = select i1 %v139, i64 0, i64 %v145
%v147 = select i1 %v144, i64 %v2, i64 %v146
%v148 = getelementptr i32, ptr %a1, i64 %v143
%v149 = load i32, ptr %v148, align 4
%v150 = sext i32 %v149 to i64
%v151 = mul i64 %v134, 8
%v152 = icmp slt i64 0, %v151
br i1 %v152, label %guard32, label %end31
guard32:
br label %loop30
loop30:
%v153 = phi i64 [ 0, %guard32 ], [ %v156, %loop30 ]
%v154 = getelementptr float, ptr %scratch, i64 208
%v155 = getelementptr float, ptr %v154, i64 %v153
store <8 x float> splat (float 0x0000000000000000), ptr %v155, align 4
%v156 = add i64 %v153, 8
%v157 = icmp slt i64 %v156, %v151
br i1 %v157, label %loop30, label %end31
end31:
%v158 = mul i64 %v134, 8
%v159 = icmp slt i64 0, %v158
br i1 %v159, label %guard35, label %end34
guard35:
br label %loop33
loop33:
%v160 = phi i64 [ 0, %guard35 ], [ %v165, %loop33 ]
%v161 = getelementptr float, ptr %scratch, i64 224
%v162 = getelementptr float, ptr %v161, i64 %v160
store <8 x float> splat (float 0xC7EFFFFFE0000000), ptr %v162, align 4
%v163 = getelementptr float, ptr %scratch, i64 240
%v164 = getelementptr float, ptr %v163, i64 %v160
store <8 x float> splat (float 0x0000000000000000), ptr %v164, align 4
%v165 = add i64 %v160, 8
%v166 = icmp slt i64 %v165, %v158
br i1 %v166, label %loop33, label %end34
end34:
%v167 = add i64 %v137, 1
%v168 = call i64 @llvm.smin.i64(i64 %v167, i64 %v133)
%v169 = sub i64 %v168, 1
%v170 = call i64 @llvm.smax.i64(i64 %v169, i64 0)
%v171 = ashr i64 %v170, 9
%v172 = call i64 @llvm.smin.i64(i64 0, i64 %v171)
%v173 = call i64 @llvm.smax.i64(i64 %v172, i64 %v97)
%v174 = sub i64 %v134, 1
%v175 = add i64 %v137, %v174
%v176 = add i64 %v175, 1
%v177 = call i64 @llvm.smin.i64(i64 %v176, i64 %v133)
%v178 = sub i64 %v177, 1
%v179 = call i64 @llvm.smax.i64(i64 %v178, i64 0)
%v180 = ashr i64 %v179, 9
%v181 = add i64 %v180, 1
%v182 = call i64 @llvm.smin.i64(i64 %v181, i64 %v98)
%v183 = mul i64 %v173, 64
%v184 = call i64 @llvm.smax.i64(i64 %v183, i64 0)
%v185 = sub i64 %v134, 1
%v186 = add i64 %v137, %v185
%v187 = add i64 %v186, 1
%v188 = call i64 @llvm.smin.i64(i64 %v187, i64 %v133)
%v189 = add i64 %v188, 7
%v190 = ashr i64 %v189, 3
%v191 = mul i64 %v182, 64
%v192 = call i64 @llvm.smin.i64(i64 %v190, i64 %v191)
%v193 = icmp slt i64 %v173, %v182
br i1 %v193, label %then36, label %else37
then36:
%v194 = icmp slt i64 0, %v134
br i1 %v194, label %guard41, label %end40
guard41:
br label %loop39
loop39:
%v195 = phi i64 [ 0, %guard41 ], [ %v207, %loop39 ]
%v196 = sub i64 %v134, 1
%v197 = call i64 @llvm.smin.i64(i64 %v195, i64 %v196)
%v198 = add i64 %v128, %v197
%v199 = mul i64 %v198, 16
%v200 = mul i64 %v2, 8
%v201 = add i64 %v199, %v200
%v202 = getelementptr float, ptr %a2, i64 %v201
%v203 = load <8 x float>, ptr %v202, align 4
%v204 = fmul <8 x float> %v203, splat (float 0x3FD6A09E60000000)
%v205 = mul i64 %v195, 8
%v206 = getelementptr float, ptr %scratch, i64 %v205
store <8 x float> %v204, ptr %v206, align 4
%v207 = add i64 %v195, 1
%v208 = icmp slt i64 %v207, %v134
br i1 %v208, label %loop39, label %end40
end40:
%v209 = load i64, ptr %s0
%v210 = icmp eq i64 %v209, 0
br i1 %v210, label %then42, label %else43
then42:
%v211 = mul i64 %v184, 8
br label %loop45
loop45:
%v212 = phi i64 [ 0, %then42 ], [ %v247, %end50 ]
%v213 = sub i64 %v212, 32
%v214 = ashr i64 %v211, 3
%v215 = add i64 %v214, %v213
%v216 = add i64 %v215, 32
%v217 = icmp sge i64 %v216, %v192
%v218 = select i1 %v217, i64 %v150, i64 %v131
%v219 = call i64 @llvm.smax.i64(i64 %v218, i64 0)
%v220 = call i64 @llvm.smin.i64(i64 %v219, i64 1)
%v221 = select i1 %v217, i64 %v147, i64 %v2
%v222 = sub i64 %v216, %v192
%v223 = add i64 %v184, %v222
%v224 = select i1 %v217, i64 %v223, i64 %v216
%v225 = call i64 @llvm.smin.i64(i64 %v224, i64 3)
%v226 = mul i64 %v220, 4
%v227 = add i64 %v226, %v225
%v228 = getelementptr i32, ptr %a3, i64 %v227
%v229 = load i32, ptr %v228, align 4
%v230 = sext i32 %v229 to i64
%v231 = call i64 @llvm.smax.i64(i64 %v230, i64 0)
%v232 = call i64 @llvm.smin.i64(i64 %v231, i64 4)
%v233 = mul i64 %v232, 2
%v234 = add i64 %v233, %v221
br label %loop47
loop47:
%v235 = phi i64 [ 0, %loop45 ], [ %v239, %loop47 ]
%v236 = mul i64 %v234, 64
%v237 = add i64 %v236, %v235
%v238 = getelementptr float, ptr %a4, i64 %v237
call void @llvm.prefetch.p0(ptr %v238, i32 0, i32 2, i32 1)
%v239 = add i64 %v235, 16
%v240 = icmp slt i64 %v239, 64
br i1 %v240, label %loop47, label %end48
end48:
br label %loop49
loop49:
%v241 = phi i64 [ 0, %end48 ], [ %v245, %loop49 ]
%v242 = mul i64 %v234, 64
%v243 = add i64 %v242, %v241
%v244 = getelementptr float, ptr %a5, i64 %v243
call void @llvm.prefetch.p0(ptr %v244, i32 0, i32 2, i32 1)
%v245 = add i64 %v241, 16
%v246 = icmp slt i64 %v245, 64
br i1 %v246, label %loop49, label %end50
end50:
%v247 = add i64 %v212, 1
%v248 = icmp slt i64 %v247, 32
br i1 %v248, label %loop45, label %end46
end46:
br label %end44
else43:
br label %end44
end44:
store i64 1, ptr %s0
br label %end38
else37:
br label %end38
end38:
%v249 = icmp slt i64 %v173, %v182
br i1 %v249, label %guard53, label %end52
guard53:
br label %loop51
loop51:
%v250 = phi i64 [ %v173, %guard53 ], [ %v666, %end87 ]
%v251 = mul i64 %v250, 512
%v252 = add i64 %v250, 1
%v253 = mul i64 %v252, 512
%v254 = mul i64 %v134, 8
%v255 = icmp slt i64 0, %v254
br i1 %v255, label %guard56, label %end55
guard56:
br label %loop54
loop54:
%v256 = phi i64 [ 0, %guard56 ], [ %v259, %loop54 ]
%v257 = getelementptr float, ptr %scratch, i64 16
%v258 = getelementptr float, ptr %v257, i64 %v256
store <8 x float> splat (float 0x0000000000000000), ptr %v258, align 4
%v259 = add i64 %v256, 8
%v260 = icmp slt i64 %v259, %v254
br i1 %v260, label %loop54, label %end55
end55:
%v261 = mul i64 %v134, 8
%v262 = icmp slt i64 0, %v261
br i1 %v262, label %guard59, label %end58
guard59:
br label %loop57
loop57:
%v263 = phi i64 [ 0, %guard59 ], [ %v268, %loop57 ]
%v264 = getelementptr float, ptr %scratch, i64 32
%v265 = getelementptr float, ptr %v264, i64 %v263
store <8 x float> splat (float 0xC7EFFFFFE0000000), ptr %v265, align 4
%v266 = getelementptr float, ptr %scratch, i64 48
%v267 = getelementptr float, ptr %v266, i64 %v263
store <8 x float> splat (float 0x0000000000000000), ptr %v267, align 4
%v268 = add i64 %v263, 8
%v269 = icmp slt i64 %v268, %v261
br i1 %v269, label %loop57, label %end58
end58:
%v270 = sub i64 %v134, 1
%v271 = call i64 @llvm.smax.i64(i64 0, i64 %v251)
%v272 = ashr i64 %v271, 7
%v273 = mul i64 %v272, 128
%v274 = add i64 %v137, %v270
%v275 = add i64 %v274, 1
%v276 = call i64 @llvm.smin.i64(i64 %v275, i64 %v133)
%v277 = call i64 @llvm.smin.i64(i64 %v276, i64 %v253)
%v278 = icmp slt i64 %v273, %v277
br i1 %v278, label %guard62, label %end61
guard62:
br label %loop60
loop60:
%v279 = phi i64 [ %v273, %guard62 ], [ %v544, %end64 ]
%v280 = add i64 %v279, 128
%v281 = call i64 @llvm.smin.i64(i64 %v280, i64 %v277)
%v282 = icmp slt i64 0, %v134
br i1 %v282, label %guard65, label %end64
guard65:
br label %loop63
loop63:
%v283 = phi i64 [ 0, %guard65 ], [ %v542, %end68 ]
%v284 = sub i64 %v134, 1
%v285 = call i64 @llvm.smin.i64(i64 %v283, i64 %v284)
%v286 = call i64 @llvm.smax.i64(i64 0, i64 %v279)
%v287 = add i64 %v137, %v285
%v288 = add i64 %v287, 1
%v289 = call i64 @llvm.smin.i64(i64 %v288, i64 %v133)
%v290 = call i64 @llvm.smin.i64(i64 %v289, i64 %v281)
%v291 = icmp slt i64 %v286, %v290
br i1 %v291, label %then66, label %else67
then66:
%v292 = sub i64 %v134, 1
%v293 = call i64 @llvm.smin.i64(i64 %v283, i64 %v292)
%v294 = add i64 %v137, %v293
%v295 = add i64 %v294, 1
%v296 = call i64 @llvm.smin.i64(i64 %v295, i64 %v133)
store <8 x float> splat (float 0xFFF0000000000000), ptr %s21
%v297 = sub i64 %v286, %v279
%v298 = ashr i64 %v297, 3
%v299 = sub i64 %v290, %v279
%v300 = add i64 %v299, 7
%v301 = ashr i64 %v300, 3
%v302 = icmp slt i64 %v298, %v301
br i1 %v302, label %guard71, label %end70
guard71:
br label %loop69
loop69:
%v303 = phi i64 [ %v298, %guard71 ], [ %v371, %end73 ]
%v304 = ashr i64 %v279, 3
%v305 = add i64 %v304, %v303
%v306 = mul i64 %v131, 4
%v307 = add i64 %v306, %v305
%v308 = getelementptr i32, ptr %a3, i64 %v307
%v309 = load i32, ptr %v308, align 4
%v310 = sext i32 %v309 to i64
%v311 = call i64 @llvm.smax.i64(i64 %v310, i64 0)
%v312 = call i64 @llvm.smin.i64(i64 %v311, i64 4)
%v313 = mul i64 %v312, 2
%v314 = add i64 %v313, %v2
%v315 = ashr i64 %v279, 3
%v316 = add i64 %v315, %v303
%v317 = add i64 %v316, 32
%v318 = icmp sge i64 %v317, %v192
%v319 = select i1 %v318, i64 %v150, i64 %v131
%v320 = call i64 @llvm.smax.i64(i64 %v319, i64 0)
%v321 = call i64 @llvm.smin.i64(i64 %v320, i64 1)
%v322 = select i1 %v318, i64 %v147, i64 %v2
%v323 = sub i64 %v317, %v192
%v324 = add i64 %v184, %v323
%v325 = select i1 %v318, i64 %v324, i64 %v317
%v326 = call i64 @llvm.smin.i64(i64 %v325, i64 3)
%v327 = mul i64 %v321, 4
%v328 = add i64 %v327, %v326
%v329 = getelementptr i32, ptr %a3, i64 %v328
%v330 = load i32, ptr %v329, align 4
%v331 = sext i32 %v330 to i64
%v332 = call i64 @llvm.smax.i64(i64 %v331, i64 0)
%v333 = call i64 @llvm.smin.i64(i64 %v332, i64 4)
%v334 = mul i64 %v333, 2
%v335 = add i64 %v334, %v322
%v336 = mul i64 %v303, 8
%v337 = add i64 %v279, %v336
%v338 = mul i64 %v283, 8
%v339 = getelementptr float, ptr %scratch, i64 %v338
store <8 x float> splat (float 0x0000000000000000), ptr %s22
br label %loop72
loop72:
%v340 = phi i64 [ 0, %loop69 ], [ %v356, %loop72 ]
%v341 = mul i64 %v335, 8
%v342 = add i64 %v341, %v340
%v343 = mul i64 %v342, 8
%v344 = getelementptr float, ptr %a4, i64 %v343
call void @llvm.prefetch.p0(ptr %v344, i32 0, i32 2, i32 1)
%v345 = getelementptr float, ptr %v339, i64 %v340
%v346 = mul i64 %v314, 8
%v347 = add i64 %v346, %v340
%v348 = mul i64 %v347, 8
%v349 = getelementptr float, ptr %a4, i64 %v348
%v350 = load <8 x float>, ptr %v349, align 4
%v351 = load float, ptr %v345, align 4
%v352 = insertelement <8 x float> poison, float %v351, i32 0
%v353 = shufflevector <8 x float> %v352, <8 x float> poison, <8 x i32> zeroinitializer
%v354 = load <8 x float>, ptr %s22
%v355 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v353, <8 x float> %v350, <8 x float> %v354)
store <8 x float> %v355, ptr %s22
%v356 = add i64 %v340, 1
%v357 = icmp slt i64 %v356, 8
br i1 %v357, label %loop72, label %end73
end73:
%v358 = load <8 x float>, ptr %s22
%v359 = sub i64 %v296, %v337
%v360 = trunc i64 %v359 to i32
%v361 = insertelement <8 x i32> poison, i32 %v360, i32 0
%v362 = shufflevector <8 x i32> %v361, <8 x i32> poison, <8 x i32> zeroinitializer
%v363 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v362
%v364 = select <8 x i1> %v363, <8 x float> %v358, <8 x float> splat (float 0xFFF0000000000000)
%v365 = mul i64 %v303, 8
%v366 = getelementptr float, ptr %scratch, i64 80
%v367 = getelementptr float, ptr %v366, i64 %v365
store <8 x float> %v364, ptr %v367, align 4
%v368 = load <8 x float>, ptr %s21
%v369 = fcmp ogt <8 x float> %v364, %v368
%v370 = select <8 x i1> %v369, <8 x float> %v364, <8 x float> %v368
store <8 x float> %v370, ptr %s21
%v371 = add i64 %v303, 1
%v372 = icmp slt i64 %v371, %v301
br i1 %v372, label %loop69, label %end70
end70:
%v373 = mul i64 %v298, 8
%v374 = mul i64 %v301, 8
%v375 = load <8 x float>, ptr %s21
%v376 = mul i64 %v283, 8
%v377 = add i64 %v376, 32
%v378 = getelementptr float, ptr %scratch, i64 %v377
%v379 = mul i64 %v283, 8
%v380 = add i64 %v379, 48
%v381 = getelementptr float, ptr %scratch, i64 %v380
%v382 = shufflevector <8 x float> %v375, <8 x float> %v375, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v383 = shufflevector <8 x float> %v375, <8 x float> %v375, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v384 = fcmp ogt <8 x float> %v382, %v383
%v385 = select <8 x i1> %v384, <8 x float> %v382, <8 x float> %v383
%v386 = shufflevector <8 x float> %v385, <8 x float> %v385, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v387 = shufflevector <8 x float> %v385, <8 x float> %v385, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v388 = fcmp ogt <8 x float> %v386, %v387
%v389 = select <8 x i1> %v388, <8 x float> %v386, <8 x float> %v387
%v390 = shufflevector <8 x float> %v389, <8 x float> %v389, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v391 = shufflevector <8 x float> %v389, <8 x float> %v389, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v392 = fcmp ogt <8 x float> %v390, %v391
%v393 = select <8 x i1> %v392, <8 x float> %v390, <8 x float> %v391
%v394 = load <8 x float>, ptr %v378, align 4
%v395 = fcmp ogt <8 x float> %v393, %v394
%v396 = select <8 x i1> %v395, <8 x float> %v393, <8 x float> %v394
%v397 = freeze <8 x float> %v396
store <8 x float> %v397, ptr %v378, align 4
%v398 = fsub <8 x float> %v394, %v396
%v399 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v398
%v400 = select <8 x i1> %v399, <8 x float> splat (float 0xC056000000000000), <8 x float> %v398
%v401 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v400, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v402 = fsub <8 x float> %v401, splat (float 0x4168000FE0000000)
%v403 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v402, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v400)
%v404 = bitcast <8 x float> %v401 to <8 x i32>
%v405 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v402, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v403)
%v406 = shl <8 x i32> %v404, splat (i32 23)
%v407 = bitcast <8 x i32> %v406 to <8 x float>
%v408 = fmul <8 x float> %v405, %v405
%v409 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v405, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v410 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v405, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v411 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v408, <8 x float> %v410)
%v412 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v411, <8 x float> %v408, <8 x float> %v409)
%v413 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v408, <8 x float> %v412, <8 x float> %v405)
%v414 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v413, <8 x float> %v407, <8 x float> %v407)
%v415 = getelementptr float, ptr %scratch, i64 64
store <8 x float> %v414, ptr %v415, align 4
%v416 = load float, ptr %v378, align 4
%v417 = insertelement <8 x float> poison, float %v416, i32 0
%v418 = shufflevector <8 x float> %v417, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s23
%v419 = icmp slt i64 %v373, %v374
br i1 %v419, label %guard76, label %end75
guard76:
br label %loop74
loop74:
%v420 = phi i64 [ %v373, %guard76 ], [ %v445, %loop74 ]
%v421 = getelementptr float, ptr %scratch, i64 80
%v422 = getelementptr float, ptr %v421, i64 %v420
%v423 = load <8 x float>, ptr %v422, align 4
%v424 = fsub <8 x float> %v423, %v418
%v425 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v424
%v426 = select <8 x i1> %v425, <8 x float> splat (float 0xC056000000000000), <8 x float> %v424
%v427 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v426, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v428 = fsub <8 x float> %v427, splat (float 0x4168000FE0000000)
%v429 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v428, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v426)
%v430 = bitcast <8 x float> %v427 to <8 x i32>
%v431 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v428, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v429)
%v432 = shl <8 x i32> %v430, splat (i32 23)
%v433 = bitcast <8 x i32> %v432 to <8 x float>
%v434 = fmul <8 x float> %v431, %v431
%v435 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v431, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v436 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v431, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v437 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v434, <8 x float> %v436)
%v438 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v437, <8 x float> %v434, <8 x float> %v435)
%v439 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v434, <8 x float> %v438, <8 x float> %v431)
%v440 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v439, <8 x float> %v433, <8 x float> %v433)
%v441 = getelementptr float, ptr %scratch, i64 80
%v442 = getelementptr float, ptr %v441, i64 %v420
store <8 x float> %v440, ptr %v442, align 4
%v443 = load <8 x float>, ptr %s23
%v444 = fadd <8 x float> %v443, %v440
store <8 x float> %v444, ptr %s23
%v445 = add i64 %v420, 8
%v446 = icmp slt i64 %v445, %v374
br i1 %v446, label %loop74, label %end75
end75:
%v447 = load <8 x float>, ptr %s23
%v448 = shufflevector <8 x float> %v447, <8 x float> %v447, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v449 = shufflevector <8 x float> %v447, <8 x float> %v447, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v450 = fadd <8 x float> %v448, %v449
%v451 = shufflevector <8 x float> %v450, <8 x float> %v450, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v452 = shufflevector <8 x float> %v450, <8 x float> %v450, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v453 = fadd <8 x float> %v451, %v452
%v454 = shufflevector <8 x float> %v453, <8 x float> %v453, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v455 = shufflevector <8 x float> %v453, <8 x float> %v453, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v456 = fadd <8 x float> %v454, %v455
%v457 = load <8 x float>, ptr %v381, align 4
%v458 = getelementptr float, ptr %scratch, i64 64
%v459 = load <8 x float>, ptr %v458, align 4
%v460 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v457, <8 x float> %v459, <8 x float> %v456)
store <8 x float> %v460, ptr %v381, align 4
%v461 = mul i64 %v283, 8
%v462 = add i64 %v461, 16
%v463 = getelementptr float, ptr %scratch, i64 %v462
%v464 = getelementptr float, ptr %scratch, i64 64
%v465 = load float, ptr %v464, align 4
%v466 = fcmp une float %v465, 0x3FF0000000000000
br i1 %v466, label %then77, label %else78
then77:
%v467 = load <8 x float>, ptr %v463, align 4
%v468 = insertelement <8 x float> poison, float %v465, i32 0
%v469 = shufflevector <8 x float> %v468, <8 x float> poison, <8 x i32> zeroinitializer
%v470 = fmul <8 x float> %v467, %v469
store <8 x float> %v470, ptr %v463, align 4
br label %end79
else78:
br label %end79
end79:
%v471 = sub i64 %v286, %v279
%v472 = ashr i64 %v471, 3
%v473 = sub i64 %v290, %v279
%v474 = add i64 %v473, 7
%v475 = ashr i64 %v474, 3
%v476 = icmp slt i64 %v472, %v475
br i1 %v476, label %guard82, label %end81
guard82:
br label %loop80
loop80:
%v477 = phi i64 [ %v472, %guard82 ], [ %v540, %end84 ]
%v478 = ashr i64 %v279, 3
%v479 = add i64 %v478, %v477
%v480 = mul i64 %v131, 4
%v481 = add i64 %v480, %v479
%v482 = getelementptr i32, ptr %a3, i64 %v481
%v483 = load i32, ptr %v482, align 4
%v484 = sext i32 %v483 to i64
%v485 = call i64 @llvm.smax.i64(i64 %v484, i64 0)
%v486 = call i64 @llvm.smin.i64(i64 %v485, i64 4)
%v487 = mul i64 %v486, 2
%v488 = add i64 %v487, %v2
%v489 = mul i64 %v477, 8
%v490 = add i64 %v279, %v489
%v491 = ashr i64 %v279, 3
%v492 = add i64 %v491, %v477
%v493 = add i64 %v492, 32
%v494 = icmp sge i64 %v493, %v192
%v495 = select i1 %v494, i64 %v150, i64 %v131
%v496 = call i64 @llvm.smax.i64(i64 %v495, i64 0)
%v497 = call i64 @llvm.smin.i64(i64 %v496, i64 1)
%v498 = select i1 %v494, i64 %v147, i64 %v2
%v499 = sub i64 %v493, %v192
%v500 = add i64 %v184, %v499
%v501 = select i1 %v494, i64 %v500, i64 %v493
%v502 = call i64 @llvm.smin.i64(i64 %v501, i64 3)
%v503 = mul i64 %v497, 4
%v504 = add i64 %v503, %v502
%v505 = getelementptr i32, ptr %a3, i64 %v504
%v506 = load i32, ptr %v505, align 4
%v507 = sext i32 %v506 to i64
%v508 = call i64 @llvm.smax.i64(i64 %v507, i64 0)
%v509 = call i64 @llvm.smin.i64(i64 %v508, i64 4)
%v510 = mul i64 %v509, 2
%v511 = add i64 %v510, %v498
%v512 = sub i64 %v286, %v490
%v513 = call i64 @llvm.smax.i64(i64 %v512, i64 0)
%v514 = sub i64 %v290, %v490
%v515 = call i64 @llvm.smin.i64(i64 %v514, i64 8)
%v516 = mul i64 %v477, 8
%v517 = add i64 %v516, 80
%v518 = getelementptr float, ptr %scratch, i64 %v517
%v519 = load <8 x float>, ptr %v463, align 4
store <8 x float> %v519, ptr %s24
%v520 = icmp slt i64 %v513, %v515
br i1 %v520, label %guard85, label %end84
guard85:
br label %loop83
loop83:
%v521 = phi i64 [ %v513, %guard85 ], [ %v537, %loop83 ]
%v522 = mul i64 %v511, 8
%v523 = add i64 %v522, %v521
%v524 = mul i64 %v523, 8
%v525 = getelementptr float, ptr %a5, i64 %v524
call void @llvm.prefetch.p0(ptr %v525, i32 0, i32 2, i32 1)
%v526 = getelementptr float, ptr %v518, i64 %v521
%v527 = mul i64 %v488, 8
%v528 = add i64 %v527, %v521
%v529 = mul i64 %v528, 8
%v530 = getelementptr float, ptr %a5, i64 %v529
%v531 = load <8 x float>, ptr %v530, align 4
%v532 = load float, ptr %v526, align 4
%v533 = insertelement <8 x float> poison, float %v532, i32 0
%v534 = shufflevector <8 x float> %v533, <8 x float> poison, <8 x i32> zeroinitializer
%v535 = load <8 x float>, ptr %s24
%v536 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v534, <8 x float> %v531, <8 x float> %v535)
store <8 x float> %v536, ptr %s24
%v537 = add i64 %v521, 1
%v538 = icmp slt i64 %v537, %v515
br i1 %v538, label %loop83, label %end84
end84:
%v539 = load <8 x float>, ptr %s24
store <8 x float> %v539, ptr %v463, align 4
%v540 = add i64 %v477, 1
%v541 = icmp slt i64 %v540, %v475
br i1 %v541, label %loop80, label %end81
end81:
br label %end68
else67:
br label %end68
end68:
%v542 = add i64 %v283, 1
%v543 = icmp slt i64 %v542, %v134
br i1 %v543, label %loop63, label %end64
end64:
%v544 = add i64 %v279, 128
%v545 = icmp slt i64 %v544, %v277
br i1 %v545, label %loop60, label %end61
end61:
%v546 = icmp slt i64 0, %v134
br i1 %v546, label %guard88, label %end87
guard88:
br label %loop86
loop86:
%v547 = phi i64 [ 0, %guard88 ], [ %v664, %end91 ]
%v548 = add i64 %v137, %v547
%v549 = add i64 %v548, 1
%v550 = call i64 @llvm.smin.i64(i64 %v549, i64 %v133)
%v551 = sub i64 %v550, 1
%v552 = call i64 @llvm.smax.i64(i64 %v551, i64 0)
%v553 = ashr i64 %v552, 9
%v554 = call i64 @llvm.smin.i64(i64 0, i64 %v553)
%v555 = add i64 %v137, %v547
%v556 = add i64 %v555, 1
%v557 = call i64 @llvm.smin.i64(i64 %v556, i64 %v133)
%v558 = sub i64 %v557, 1
%v559 = call i64 @llvm.smax.i64(i64 %v558, i64 0)
%v560 = ashr i64 %v559, 9
%v561 = icmp sle i64 %v554, %v250
%v562 = icmp sle i64 %v250, %v560
%v563 = and i1 %v561, %v562
br i1 %v563, label %then89, label %else90
then89:
%v564 = icmp sle i64 %v97, %v554
%v565 = icmp slt i64 %v560, %v98
%v566 = and i1 %v564, %v565
br i1 %v566, label %then92, label %else93
then92:
%v567 = mul i64 %v547, 8
%v568 = getelementptr float, ptr %scratch, i64 32
%v569 = getelementptr float, ptr %v568, i64 %v567
%v570 = load float, ptr %v569, align 4
%v571 = getelementptr float, ptr %scratch, i64 48
%v572 = getelementptr float, ptr %v571, i64 %v567
%v573 = load float, ptr %v572, align 4
%v574 = mul i64 %v547, 8
%v575 = add i64 %v574, 16
%v576 = getelementptr float, ptr %scratch, i64 %v575
%v577 = mul i64 %v547, 8
%v578 = getelementptr float, ptr %scratch, i64 224
%v579 = getelementptr float, ptr %v578, i64 %v577
%v580 = load float, ptr %v579, align 4
%v581 = fcmp ogt float %v570, %v580
%v582 = select i1 %v581, float %v570, float %v580
%v583 = fsub float %v580, %v582
%v584 = insertelement <8 x float> poison, float %v583, i32 0
%v585 = shufflevector <8 x float> %v584, <8 x float> poison, <8 x i32> zeroinitializer
%v586 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v585
%v587 = select <8 x i1> %v586, <8 x float> splat (float 0xC056000000000000), <8 x float> %v585
%v588 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v587, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v589 = fsub <8 x float> %v588, splat (float 0x4168000FE0000000)
%v590 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v589, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v587)
%v591 = bitcast <8 x float> %v588 to <8 x i32>
%v592 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v589, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v590)
%v593 = shl <8 x i32> %v591, splat (i32 23)
%v594 = bitcast <8 x i32> %v593 to <8 x float>
%v595 = fmul <8 x float> %v592, %v592
%v596 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v592, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v597 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v592, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v598 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v595, <8 x float> %v597)
%v599 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v598, <8 x float> %v595, <8 x float> %v596)
%v600 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v595, <8 x float> %v599, <8 x float> %v592)
%v601 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v600, <8 x float> %v594, <8 x float> %v594)
%v602 = fsub float %v570, %v582
%v603 = insertelement <8 x float> poison, float %v602, i32 0
%v604 = shufflevector <8 x float> %v603, <8 x float> poison, <8 x i32> zeroinitializer
%v605 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v604
%v606 = select <8 x i1> %v605, <8 x float> splat (float 0xC056000000000000), <8 x float> %v604
%v607 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v606, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v608 = fsub <8 x float> %v607, splat (float 0x4168000FE0000000)
%v609 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v608, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v606)
%v610 = bitcast <8 x float> %v607 to <8 x i32>
%v611 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v608, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v609)
%v612 = shl <8 x i32> %v610, splat (i32 23)
%v613 = bitcast <8 x i32> %v612 to <8 x float>
%v614 = fmul <8 x float> %v611, %v611
%v615 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v611, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v616 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v611, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v617 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v614, <8 x float> %v616)
%v618 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v617, <8 x float> %v614, <8 x float> %v615)
%v619 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v614, <8 x float> %v618, <8 x float> %v611)
%v620 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v619, <8 x float> %v613, <8 x float> %v613)
%v621 = getelementptr float, ptr %scratch, i64 240
%v622 = getelementptr float, ptr %v621, i64 %v577
%v623 = load float, ptr %v622, align 4
%v624 = insertelement <8 x float> poison, float %v623, i32 0
%v625 = shufflevector <8 x float> %v624, <8 x float> poison, <8 x i32> zeroinitializer
%v626 = insertelement <8 x float> poison, float %v573, i32 0
%v627 = shufflevector <8 x float> %v626, <8 x float> poison, <8 x i32> zeroinitializer
%v628 = fmul <8 x float> %v625, %v601
%v629 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v627, <8 x float> %v620, <8 x float> %v628)
%v630 = getelementptr float, ptr %scratch, i64 224
%v631 = getelementptr float, ptr %v630, i64 %v577
store float %v582, ptr %v631, align 4
%v632 = extractelement <8 x float> %v629, i64 0
%v633 = getelementptr float, ptr %scratch, i64 240
%v634 = getelementptr float, ptr %v633, i64 %v577
store float %v632, ptr %v634, align 4
%v635 = mul i64 %v547, 8
%v636 = add i64 %v635, 208
%v637 = getelementptr float, ptr %scratch, i64 %v636
%v638 = load <8 x float>, ptr %v576, align 4
%v639 = load <8 x float>, ptr %v637, align 4
%v640 = fmul <8 x float> %v639, %v601
%v641 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v638, <8 x float> %v620, <8 x float> %v640)
store <8 x float> %v641, ptr %v637, align 4
br label %end94
else93:
%v642 = mul i64 %v547, 8
%v643 = getelementptr float, ptr %scratch, i64 32
%v644 = getelementptr float, ptr %v643, i64 %v642
%v645 = load float, ptr %v644, align 4
%v646 = getelementptr float, ptr %scratch, i64 48
%v647 = getelementptr float, ptr %v646, i64 %v642
%v648 = load float, ptr %v647, align 4
%v649 = mul i64 %v547, 8
%v650 = add i64 %v649, 16
%v651 = getelementptr float, ptr %scratch, i64 %v650
%v652 = add i64 %v128, %v547
%v653 = mul i64 %v652, 2
%v654 = add i64 %v653, %v2
%v655 = add i64 %v654, %v250
%v656 = load <8 x float>, ptr %v651, align 4
%v657 = mul i64 %v655, 8
%v658 = getelementptr float, ptr %a6, i64 %v657
store <8 x float> %v656, ptr %v658, align 4
%v659 = mul i64 %v655, 2
%v660 = getelementptr float, ptr %a7, i64 %v659
store float %v645, ptr %v660, align 4
%v661 = mul i64 %v655, 2
%v662 = add i64 %v661, 1
%v663 = getelementptr float, ptr %a7, i64 %v662
store float %v648, ptr %v663, align 4
br label %end94
end94:
br label %end91
else90:
br label %end91
end91:
%v664 = add i64 %v547, 1
%v665 = icmp slt i64 %v664, %v134
br i1 %v665, label %loop86, label %end87
end87:
%v666 = add i64 %v250, 1
%v667 = icmp slt i64 %v666, %v182
br i1 %v667, label %loop51, label %end52
end52:
%v668 = icmp slt i64 0, %v134
br i1 %v668, label %guard97, label %end96
guard97:
br label %loop95
loop95:
%v669 = phi i64 [ 0, %guard97 ], [ %v705, %end100 ]
%v670 = add i64 %v137, %v669
%v671 = add i64 %v670, 1
%v672 = call i64 @llvm.smin.i64(i64 %v671, i64 %v133)
%v673 = sub i64 %v672, 1
%v674 = call i64 @llvm.smax.i64(i64 %v673, i64 0)
%v675 = ashr i64 %v674, 9
%v676 = call i64 @llvm.smin.i64(i64 0, i64 %v675)
%v677 = icmp sle i64 %v97, %v676
%v678 = add i64 %v137, %v669
%v679 = add i64 %v678, 1
%v680 = call i64 @llvm.smin.i64(i64 %v679, i64 %v133)
%v681 = sub i64 %v680, 1
%v682 = call i64 @llvm.smax.i64(i64 %v681, i64 0)
%v683 = ashr i64 %v682, 9
%v684 = icmp slt i64 %v683, %v98
%v685 = and i1 %v677, %v684
br i1 %v685, label %then98, label %else99
then98:
%v686 = getelementptr float, ptr %scratch, i64 240
%v687 = mul i64 %v669, 8
%v688 = getelementptr float, ptr %v686, i64 %v687
%v689 = load float, ptr %v688, align 4
%v690 = fcmp oeq float %v689, 0x0000000000000000
%v691 = fdiv float 0x3FF0000000000000, %v689
%v692 = select i1 %v690, float 0x0000000000000000, float %v691
%v693 = insertelement <8 x float> poison, float %v692, i32 0
%v694 = shufflevector <8 x float> %v693, <8 x float> poison, <8 x i32> zeroinitializer
%v695 = add i64 %v128, %v669
%v696 = mul i64 %v695, 16
%v697 = mul i64 %v2, 8
%v698 = add i64 %v696, %v697
%v699 = getelementptr float, ptr %a8, i64 %v698
%v700 = mul i64 %v669, 8
%v701 = add i64 %v700, 208
%v702 = getelementptr float, ptr %scratch, i64 %v701
%v703 = load <8 x float>, ptr %v702, align 4
%v704 = fmul <8 x float> %v703, %v694
store <8 x float> %v704, ptr %v699, align 4
br label %end100
else99:
br label %end100
end100:
%v705 = add i64 %v669, 1
%v706 = icmp slt i64 %v705, %v134
br i1 %v706, label %loop95, label %end96
end96:
br label %end29
else28:
%v707 = add i64 %v134, 5
%v708 = sdiv i64 %v707, 6
%v709 = mul i64 %v708, 6
%v710 = sub i64 %v707, %v709
%v711 = icmp ne i64 %v710, 0
%v712 = xor i64 %v710, 6
%v713 = icmp slt i64 %v712, 0
%v714 = and i1 %v711, %v713
%v715 = sub i64 %v708, 1
%v716 = select i1 %v714, i64 %v715, i64 %v708
%v717 = mul i64 %v134, 8
%v718 = icmp slt i64 0, %v717
br i1 %v718, label %guard103, label %end102
guard103:
br label %loop101
loop101:
%v719 = phi i64 [ 0, %guard103 ], [ %v722, %loop101 ]
%v720 = getelementptr float, ptr %scratch, i64 1680
%v721 = getelementptr float, ptr %v720, i64 %v719
store <8 x float> splat (float 0x0000000000000000), ptr %v721, align 4
%v722 = add i64 %v719, 8
%v723 = icmp slt i64 %v722, %v717
br i1 %v723, label %loop101, label %end102
end102:
%v724 = mul i64 %v716, 8
%v725 = icmp slt i64 0, %v724
br i1 %v725, label %guard106, label %end105
guard106:
br label %loop104
loop104:
%v726 = phi i64 [ 0, %guard106 ], [ %v731, %loop104 ]
%v727 = getelementptr float, ptr %scratch, i64 2064
%v728 = getelementptr float, ptr %v727, i64 %v726
store <8 x float> splat (float 0xC7EFFFFFE0000000), ptr %v728, align 4
%v729 = getelementptr float, ptr %scratch, i64 2128
%v730 = getelementptr float, ptr %v729, i64 %v726
store <8 x float> splat (float 0x0000000000000000), ptr %v730, align 4
%v731 = add i64 %v726, 8
%v732 = icmp slt i64 %v731, %v724
br i1 %v732, label %loop104, label %end105
end105:
%v733 = add i64 %v137, 1
%v734 = call i64 @llvm.smin.i64(i64 %v733, i64 %v133)
%v735 = sub i64 %v734, 1
%v736 = call i64 @llvm.smax.i64(i64 %v735, i64 0)
%v737 = ashr i64 %v736, 9
%v738 = call i64 @llvm.smin.i64(i64 0, i64 %v737)
%v739 = call i64 @llvm.smax.i64(i64 %v738, i64 %v97)
%v740 = sub i64 %v134, 1
%v741 = add i64 %v137, %v740
%v742 = add i64 %v741, 1
%v743 = call i64 @llvm.smin.i64(i64 %v742, i64 %v133)
%v744 = sub i64 %v743, 1
%v745 = call i64 @llvm.smax.i64(i64 %v744, i64 0)
%v746 = ashr i64 %v745, 9
%v747 = add i64 %v746, 1
%v748 = call i64 @llvm.smin.i64(i64 %v747, i64 %v98)
%v749 = icmp slt i64 %v739, %v748
br i1 %v749, label %then107, label %else108
then107:
%v750 = mul i64 %v716, 6
%v751 = icmp slt i64 0, %v750
br i1 %v751, label %guard112, label %end111
guard112:
br label %loop110
loop110:
%v752 = phi i64 [ 0, %guard112 ], [ %v764, %loop110 ]
%v753 = sub i64 %v134, 1
%v754 = call i64 @llvm.smin.i64(i64 %v752, i64 %v753)
%v755 = add i64 %v128, %v754
%v756 = mul i64 %v755, 16
%v757 = mul i64 %v2, 8
%v758 = add i64 %v756, %v757
%v759 = getelementptr float, ptr %a2, i64 %v758
%v760 = load <8 x float>, ptr %v759, align 4
%v761 = fmul <8 x float> %v760, splat (float 0x3FD6A09E60000000)
%v762 = mul i64 %v752, 8
%v763 = getelementptr float, ptr %scratch, i64 %v762
store <8 x float> %v761, ptr %v763, align 4
%v764 = add i64 %v752, 1
%v765 = icmp slt i64 %v764, %v750
br i1 %v765, label %loop110, label %end111
end111:
store i64 0, ptr %s0
br label %end109
else108:
br label %end109
end109:
%v766 = icmp slt i64 %v739, %v748
br i1 %v766, label %guard115, label %end114
guard115:
br label %loop113
loop113:
%v767 = phi i64 [ %v739, %guard115 ], [ %v1672, %end181 ]
%v768 = mul i64 %v767, 512
%v769 = add i64 %v767, 1
%v770 = mul i64 %v769, 512
%v771 = mul i64 %v716, 48
%v772 = icmp slt i64 0, %v771
br i1 %v772, label %guard118, label %end117
guard118:
br label %loop116
loop116:
%v773 = phi i64 [ 0, %guard118 ], [ %v776, %loop116 ]
%v774 = getelementptr float, ptr %scratch, i64 384
%v775 = getelementptr float, ptr %v774, i64 %v773
store <8 x float> splat (float 0x0000000000000000), ptr %v775, align 4
%v776 = add i64 %v773, 8
%v777 = icmp slt i64 %v776, %v771
br i1 %v777, label %loop116, label %end117
end117:
%v778 = mul i64 %v716, 8
%v779 = icmp slt i64 0, %v778
br i1 %v779, label %guard121, label %end120
guard121:
br label %loop119
loop119:
%v780 = phi i64 [ 0, %guard121 ], [ %v785, %loop119 ]
%v781 = getelementptr float, ptr %scratch, i64 768
%v782 = getelementptr float, ptr %v781, i64 %v780
store <8 x float> splat (float 0xC7EFFFFFE0000000), ptr %v782, align 4
%v783 = getelementptr float, ptr %scratch, i64 832
%v784 = getelementptr float, ptr %v783, i64 %v780
store <8 x float> splat (float 0x0000000000000000), ptr %v784, align 4
%v785 = add i64 %v780, 8
%v786 = icmp slt i64 %v785, %v778
br i1 %v786, label %loop119, label %end120
end120:
%v787 = sub i64 %v134, 1
%v788 = call i64 @llvm.smax.i64(i64 0, i64 %v768)
%v789 = ashr i64 %v788, 7
%v790 = mul i64 %v789, 128
%v791 = add i64 %v137, %v787
%v792 = add i64 %v791, 1
%v793 = call i64 @llvm.smin.i64(i64 %v792, i64 %v133)
%v794 = call i64 @llvm.smin.i64(i64 %v793, i64 %v770)
%v795 = icmp slt i64 %v790, %v794
br i1 %v795, label %guard124, label %end123
guard124:
br label %loop122
loop122:
%v796 = phi i64 [ %v790, %guard124 ], [ %v1499, %end126 ]
%v797 = add i64 %v796, 128
%v798 = call i64 @llvm.smin.i64(i64 %v797, i64 %v794)
%v799 = icmp slt i64 0, %v716
br i1 %v799, label %guard127, label %end126
guard127:
br label %loop125
loop125:
%v800 = phi i64 [ 0, %guard127 ], [ %v1497, %end130 ]
%v801 = mul i64 %v800, 6
%v802 = add i64 %v801, 5
%v803 = sub i64 %v134, 1
%v804 = call i64 @llvm.smin.i64(i64 %v802, i64 %v803)
%v805 = call i64 @llvm.smax.i64(i64 0, i64 %v796)
%v806 = add i64 %v137, %v804
%v807 = add i64 %v806, 1
%v808 = call i64 @llvm.smin.i64(i64 %v807, i64 %v133)
%v809 = call i64 @llvm.smin.i64(i64 %v808, i64 %v798)
%v810 = icmp slt i64 %v805, %v809
br i1 %v810, label %then128, label %else129
then128:
%v811 = mul i64 %v800, 6
%v812 = sub i64 %v134, 1
%v813 = call i64 @llvm.smin.i64(i64 %v811, i64 %v812)
%v814 = mul i64 %v800, 6
%v815 = add i64 %v814, 1
%v816 = sub i64 %v134, 1
%v817 = call i64 @llvm.smin.i64(i64 %v815, i64 %v816)
%v818 = mul i64 %v800, 6
%v819 = add i64 %v818, 2
%v820 = sub i64 %v134, 1
%v821 = call i64 @llvm.smin.i64(i64 %v819, i64 %v820)
%v822 = mul i64 %v800, 6
%v823 = add i64 %v822, 3
%v824 = sub i64 %v134, 1
%v825 = call i64 @llvm.smin.i64(i64 %v823, i64 %v824)
%v826 = mul i64 %v800, 6
%v827 = add i64 %v826, 4
%v828 = sub i64 %v134, 1
%v829 = call i64 @llvm.smin.i64(i64 %v827, i64 %v828)
%v830 = mul i64 %v800, 6
%v831 = add i64 %v830, 5
%v832 = sub i64 %v134, 1
%v833 = call i64 @llvm.smin.i64(i64 %v831, i64 %v832)
%v834 = add i64 %v137, %v813
%v835 = add i64 %v834, 1
%v836 = call i64 @llvm.smin.i64(i64 %v835, i64 %v133)
%v837 = add i64 %v137, %v817
%v838 = add i64 %v837, 1
%v839 = call i64 @llvm.smin.i64(i64 %v838, i64 %v133)
%v840 = add i64 %v137, %v821
%v841 = add i64 %v840, 1
%v842 = call i64 @llvm.smin.i64(i64 %v841, i64 %v133)
%v843 = add i64 %v137, %v825
%v844 = add i64 %v843, 1
%v845 = call i64 @llvm.smin.i64(i64 %v844, i64 %v133)
%v846 = add i64 %v137, %v829
%v847 = add i64 %v846, 1
%v848 = call i64 @llvm.smin.i64(i64 %v847, i64 %v133)
%v849 = add i64 %v137, %v833
%v850 = add i64 %v849, 1
%v851 = call i64 @llvm.smin.i64(i64 %v850, i64 %v133)
store <8 x float> splat (float 0xFFF0000000000000), ptr %s31
store <8 x float> splat (float 0xFFF0000000000000), ptr %s32
store <8 x float> splat (float 0xFFF0000000000000), ptr %s33
store <8 x float> splat (float 0xFFF0000000000000), ptr %s34
store <8 x float> splat (float 0xFFF0000000000000), ptr %s35
store <8 x float> splat (float 0xFFF0000000000000), ptr %s36
%v852 = sub i64 %v805, %v796
%v853 = ashr i64 %v852, 3
%v854 = sub i64 %v809, %v796
%v855 = add i64 %v854, 7
%v856 = ashr i64 %v855, 3
%v857 = icmp slt i64 %v853, %v856
br i1 %v857, label %guard133, label %end132
guard133:
br label %loop131
loop131:
%v858 = phi i64 [ %v853, %guard133 ], [ %v1001, %end135 ]
%v859 = ashr i64 %v796, 3
%v860 = add i64 %v859, %v858
%v861 = mul i64 %v131, 4
%v862 = add i64 %v861, %v860
%v863 = getelementptr i32, ptr %a3, i64 %v862
%v864 = load i32, ptr %v863, align 4
%v865 = sext i32 %v864 to i64
%v866 = call i64 @llvm.smax.i64(i64 %v865, i64 0)
%v867 = call i64 @llvm.smin.i64(i64 %v866, i64 4)
%v868 = mul i64 %v867, 2
%v869 = add i64 %v868, %v2
%v870 = mul i64 %v858, 8
%v871 = add i64 %v796, %v870
%v872 = mul i64 %v800, 48
%v873 = getelementptr float, ptr %scratch, i64 %v872
store <8 x float> splat (float 0x0000000000000000), ptr %s37
store <8 x float> splat (float 0x0000000000000000), ptr %s38
store <8 x float> splat (float 0x0000000000000000), ptr %s39
store <8 x float> splat (float 0x0000000000000000), ptr %s40
store <8 x float> splat (float 0x0000000000000000), ptr %s41
store <8 x float> splat (float 0x0000000000000000), ptr %s42
br label %loop134
loop134:
%v874 = phi i64 [ 0, %loop131 ], [ %v916, %loop134 ]
%v875 = getelementptr float, ptr %v873, i64 %v874
%v876 = mul i64 %v869, 8
%v877 = add i64 %v876, %v874
%v878 = mul i64 %v877, 8
%v879 = getelementptr float, ptr %a4, i64 %v878
%v880 = load <8 x float>, ptr %v879, align 4
%v881 = load float, ptr %v875, align 4
%v882 = insertelement <8 x float> poison, float %v881, i32 0
%v883 = shufflevector <8 x float> %v882, <8 x float> poison, <8 x i32> zeroinitializer
%v884 = load <8 x float>, ptr %s37
%v885 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v883, <8 x float> %v880, <8 x float> %v884)
store <8 x float> %v885, ptr %s37
%v886 = getelementptr float, ptr %v875, i64 8
%v887 = load float, ptr %v886, align 4
%v888 = insertelement <8 x float> poison, float %v887, i32 0
%v889 = shufflevector <8 x float> %v888, <8 x float> poison, <8 x i32> zeroinitializer
%v890 = load <8 x float>, ptr %s38
%v891 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v889, <8 x float> %v880, <8 x float> %v890)
store <8 x float> %v891, ptr %s38
%v892 = getelementptr float, ptr %v875, i64 16
%v893 = load float, ptr %v892, align 4
%v894 = insertelement <8 x float> poison, float %v893, i32 0
%v895 = shufflevector <8 x float> %v894, <8 x float> poison, <8 x i32> zeroinitializer
%v896 = load <8 x float>, ptr %s39
%v897 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v895, <8 x float> %v880, <8 x float> %v896)
store <8 x float> %v897, ptr %s39
%v898 = getelementptr float, ptr %v875, i64 24
%v899 = load float, ptr %v898, align 4
%v900 = insertelement <8 x float> poison, float %v899, i32 0
%v901 = shufflevector <8 x float> %v900, <8 x float> poison, <8 x i32> zeroinitializer
%v902 = load <8 x float>, ptr %s40
%v903 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v901, <8 x float> %v880, <8 x float> %v902)
store <8 x float> %v903, ptr %s40
%v904 = getelementptr float, ptr %v875, i64 32
%v905 = load float, ptr %v904, align 4
%v906 = insertelement <8 x float> poison, float %v905, i32 0
%v907 = shufflevector <8 x float> %v906, <8 x float> poison, <8 x i32> zeroinitializer
%v908 = load <8 x float>, ptr %s41
%v909 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v907, <8 x float> %v880, <8 x float> %v908)
store <8 x float> %v909, ptr %s41
%v910 = getelementptr float, ptr %v875, i64 40
%v911 = load float, ptr %v910, align 4
%v912 = insertelement <8 x float> poison, float %v911, i32 0
%v913 = shufflevector <8 x float> %v912, <8 x float> poison, <8 x i32> zeroinitializer
%v914 = load <8 x float>, ptr %s42
%v915 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v913, <8 x float> %v880, <8 x float> %v914)
store <8 x float> %v915, ptr %s42
%v916 = add i64 %v874, 1
%v917 = icmp slt i64 %v916, 8
br i1 %v917, label %loop134, label %end135
end135:
%v918 = load <8 x float>, ptr %s37
%v919 = load <8 x float>, ptr %s38
%v920 = load <8 x float>, ptr %s39
%v921 = load <8 x float>, ptr %s40
%v922 = load <8 x float>, ptr %s41
%v923 = load <8 x float>, ptr %s42
%v924 = sub i64 %v836, %v871
%v925 = trunc i64 %v924 to i32
%v926 = insertelement <8 x i32> poison, i32 %v925, i32 0
%v927 = shufflevector <8 x i32> %v926, <8 x i32> poison, <8 x i32> zeroinitializer
%v928 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v927
%v929 = select <8 x i1> %v928, <8 x float> %v918, <8 x float> splat (float 0xFFF0000000000000)
%v930 = mul i64 %v858, 8
%v931 = getelementptr float, ptr %scratch, i64 912
%v932 = getelementptr float, ptr %v931, i64 %v930
store <8 x float> %v929, ptr %v932, align 4
%v933 = load <8 x float>, ptr %s31
%v934 = fcmp ogt <8 x float> %v929, %v933
%v935 = select <8 x i1> %v934, <8 x float> %v929, <8 x float> %v933
store <8 x float> %v935, ptr %s31
%v936 = sub i64 %v839, %v871
%v937 = trunc i64 %v936 to i32
%v938 = insertelement <8 x i32> poison, i32 %v937, i32 0
%v939 = shufflevector <8 x i32> %v938, <8 x i32> poison, <8 x i32> zeroinitializer
%v940 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v939
%v941 = select <8 x i1> %v940, <8 x float> %v919, <8 x float> splat (float 0xFFF0000000000000)
%v942 = mul i64 %v858, 8
%v943 = add i64 %v942, 128
%v944 = getelementptr float, ptr %scratch, i64 912
%v945 = getelementptr float, ptr %v944, i64 %v943
store <8 x float> %v941, ptr %v945, align 4
%v946 = load <8 x float>, ptr %s32
%v947 = fcmp ogt <8 x float> %v941, %v946
%v948 = select <8 x i1> %v947, <8 x float> %v941, <8 x float> %v946
store <8 x float> %v948, ptr %s32
%v949 = sub i64 %v842, %v871
%v950 = trunc i64 %v949 to i32
%v951 = insertelement <8 x i32> poison, i32 %v950, i32 0
%v952 = shufflevector <8 x i32> %v951, <8 x i32> poison, <8 x i32> zeroinitializer
%v953 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v952
%v954 = select <8 x i1> %v953, <8 x float> %v920, <8 x float> splat (float 0xFFF0000000000000)
%v955 = mul i64 %v858, 8
%v956 = add i64 %v955, 256
%v957 = getelementptr float, ptr %scratch, i64 912
%v958 = getelementptr float, ptr %v957, i64 %v956
store <8 x float> %v954, ptr %v958, align 4
%v959 = load <8 x float>, ptr %s33
%v960 = fcmp ogt <8 x float> %v954, %v959
%v961 = select <8 x i1> %v960, <8 x float> %v954, <8 x float> %v959
store <8 x float> %v961, ptr %s33
%v962 = sub i64 %v845, %v871
%v963 = trunc i64 %v962 to i32
%v964 = insertelement <8 x i32> poison, i32 %v963, i32 0
%v965 = shufflevector <8 x i32> %v964, <8 x i32> poison, <8 x i32> zeroinitializer
%v966 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v965
%v967 = select <8 x i1> %v966, <8 x float> %v921, <8 x float> splat (float 0xFFF0000000000000)
%v968 = mul i64 %v858, 8
%v969 = add i64 %v968, 384
%v970 = getelementptr float, ptr %scratch, i64 912
%v971 = getelementptr float, ptr %v970, i64 %v969
store <8 x float> %v967, ptr %v971, align 4
%v972 = load <8 x float>, ptr %s34
%v973 = fcmp ogt <8 x float> %v967, %v972
%v974 = select <8 x i1> %v973, <8 x float> %v967, <8 x float> %v972
store <8 x float> %v974, ptr %s34
%v975 = sub i64 %v848, %v871
%v976 = trunc i64 %v975 to i32
%v977 = insertelement <8 x i32> poison, i32 %v976, i32 0
%v978 = shufflevector <8 x i32> %v977, <8 x i32> poison, <8 x i32> zeroinitializer
%v979 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v978
%v980 = select <8 x i1> %v979, <8 x float> %v922, <8 x float> splat (float 0xFFF0000000000000)
%v981 = mul i64 %v858, 8
%v982 = add i64 %v981, 512
%v983 = getelementptr float, ptr %scratch, i64 912
%v984 = getelementptr float, ptr %v983, i64 %v982
store <8 x float> %v980, ptr %v984, align 4
%v985 = load <8 x float>, ptr %s35
%v986 = fcmp ogt <8 x float> %v980, %v985
%v987 = select <8 x i1> %v986, <8 x float> %v980, <8 x float> %v985
store <8 x float> %v987, ptr %s35
%v988 = sub i64 %v851, %v871
%v989 = trunc i64 %v988 to i32
%v990 = insertelement <8 x i32> poison, i32 %v989, i32 0
%v991 = shufflevector <8 x i32> %v990, <8 x i32> poison, <8 x i32> zeroinitializer
%v992 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v991
%v993 = select <8 x i1> %v992, <8 x float> %v923, <8 x float> splat (float 0xFFF0000000000000)
%v994 = mul i64 %v858, 8
%v995 = add i64 %v994, 640
%v996 = getelementptr float, ptr %scratch, i64 912
%v997 = getelementptr float, ptr %v996, i64 %v995
store <8 x float> %v993, ptr %v997, align 4
%v998 = load <8 x float>, ptr %s36
%v999 = fcmp ogt <8 x float> %v993, %v998
%v1000 = select <8 x i1> %v999, <8 x float> %v993, <8 x float> %v998
store <8 x float> %v1000, ptr %s36
%v1001 = add i64 %v858, 1
%v1002 = icmp slt i64 %v1001, %v856
br i1 %v1002, label %loop131, label %end132
end132:
%v1003 = mul i64 %v853, 8
%v1004 = mul i64 %v856, 8
%v1005 = load <8 x float>, ptr %s31
%v1006 = load <8 x float>, ptr %s32
%v1007 = load <8 x float>, ptr %s33
%v1008 = load <8 x float>, ptr %s34
%v1009 = load <8 x float>, ptr %s35
%v1010 = load <8 x float>, ptr %s36
%v1011 = mul i64 %v800, 8
%v1012 = add i64 %v1011, 768
%v1013 = getelementptr float, ptr %scratch, i64 %v1012
%v1014 = mul i64 %v800, 8
%v1015 = add i64 %v1014, 832
%v1016 = getelementptr float, ptr %scratch, i64 %v1015
%v1017 = shufflevector <8 x float> %v1005, <8 x float> %v1006, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v1018 = shufflevector <8 x float> %v1005, <8 x float> %v1006, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v1019 = fcmp ogt <8 x float> %v1017, %v1018
%v1020 = select <8 x i1> %v1019, <8 x float> %v1017, <8 x float> %v1018
%v1021 = shufflevector <8 x float> %v1007, <8 x float> %v1008, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v1022 = shufflevector <8 x float> %v1007, <8 x float> %v1008, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v1023 = fcmp ogt <8 x float> %v1021, %v1022
%v1024 = select <8 x i1> %v1023, <8 x float> %v1021, <8 x float> %v1022
%v1025 = shufflevector <8 x float> %v1009, <8 x float> %v1010, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v1026 = shufflevector <8 x float> %v1009, <8 x float> %v1010, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v1027 = fcmp ogt <8 x float> %v1025, %v1026
%v1028 = select <8 x i1> %v1027, <8 x float> %v1025, <8 x float> %v1026
%v1029 = shufflevector <8 x float> %v1020, <8 x float> %v1024, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v1030 = shufflevector <8 x float> %v1020, <8 x float> %v1024, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v1031 = fcmp ogt <8 x float> %v1029, %v1030
%v1032 = select <8 x i1> %v1031, <8 x float> %v1029, <8 x float> %v1030
%v1033 = shufflevector <8 x float> %v1028, <8 x float> %v1028, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v1034 = shufflevector <8 x float> %v1028, <8 x float> %v1028, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v1035 = fcmp ogt <8 x float> %v1033, %v1034
%v1036 = select <8 x i1> %v1035, <8 x float> %v1033, <8 x float> %v1034
%v1037 = shufflevector <8 x float> %v1032, <8 x float> %v1036, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v1038 = shufflevector <8 x float> %v1032, <8 x float> %v1036, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v1039 = fcmp ogt <8 x float> %v1037, %v1038
%v1040 = select <8 x i1> %v1039, <8 x float> %v1037, <8 x float> %v1038
%v1041 = load <8 x float>, ptr %v1013, align 4
%v1042 = fcmp ogt <8 x float> %v1040, %v1041
%v1043 = select <8 x i1> %v1042, <8 x float> %v1040, <8 x float> %v1041
%v1044 = freeze <8 x float> %v1043
store <8 x float> %v1044, ptr %v1013, align 4
%v1045 = fsub <8 x float> %v1041, %v1043
%v1046 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1045
%v1047 = select <8 x i1> %v1046, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1045
%v1048 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1047, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1049 = fsub <8 x float> %v1048, splat (float 0x4168000FE0000000)
%v1050 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1049, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1047)
%v1051 = bitcast <8 x float> %v1048 to <8 x i32>
%v1052 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1049, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1050)
%v1053 = shl <8 x i32> %v1051, splat (i32 23)
%v1054 = bitcast <8 x i32> %v1053 to <8 x float>
%v1055 = fmul <8 x float> %v1052, %v1052
%v1056 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1052, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1057 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1052, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1058 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1055, <8 x float> %v1057)
%v1059 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1058, <8 x float> %v1055, <8 x float> %v1056)
%v1060 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1055, <8 x float> %v1059, <8 x float> %v1052)
%v1061 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1060, <8 x float> %v1054, <8 x float> %v1054)
%v1062 = getelementptr float, ptr %scratch, i64 896
store <8 x float> %v1061, ptr %v1062, align 4
%v1063 = load float, ptr %v1013, align 4
%v1064 = insertelement <8 x float> poison, float %v1063, i32 0
%v1065 = shufflevector <8 x float> %v1064, <8 x float> poison, <8 x i32> zeroinitializer
%v1066 = getelementptr float, ptr %v1013, i64 1
%v1067 = load float, ptr %v1066, align 4
%v1068 = insertelement <8 x float> poison, float %v1067, i32 0
%v1069 = shufflevector <8 x float> %v1068, <8 x float> poison, <8 x i32> zeroinitializer
%v1070 = getelementptr float, ptr %v1013, i64 2
%v1071 = load float, ptr %v1070, align 4
%v1072 = insertelement <8 x float> poison, float %v1071, i32 0
%v1073 = shufflevector <8 x float> %v1072, <8 x float> poison, <8 x i32> zeroinitializer
%v1074 = getelementptr float, ptr %v1013, i64 3
%v1075 = load float, ptr %v1074, align 4
%v1076 = insertelement <8 x float> poison, float %v1075, i32 0
%v1077 = shufflevector <8 x float> %v1076, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s43
store <8 x float> splat (float 0x0000000000000000), ptr %s44
store <8 x float> splat (float 0x0000000000000000), ptr %s45
store <8 x float> splat (float 0x0000000000000000), ptr %s46
%v1078 = icmp slt i64 %v1003, %v1004
br i1 %v1078, label %guard138, label %end137
guard138:
br label %loop136
loop136:
%v1079 = phi i64 [ %v1003, %guard138 ], [ %v1179, %loop136 ]
%v1080 = getelementptr float, ptr %scratch, i64 912
%v1081 = getelementptr float, ptr %v1080, i64 %v1079
%v1082 = load <8 x float>, ptr %v1081, align 4
%v1083 = fsub <8 x float> %v1082, %v1065
%v1084 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1083
%v1085 = select <8 x i1> %v1084, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1083
%v1086 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1085, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1087 = fsub <8 x float> %v1086, splat (float 0x4168000FE0000000)
%v1088 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1087, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1085)
%v1089 = bitcast <8 x float> %v1086 to <8 x i32>
%v1090 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1087, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1088)
%v1091 = shl <8 x i32> %v1089, splat (i32 23)
%v1092 = bitcast <8 x i32> %v1091 to <8 x float>
%v1093 = fmul <8 x float> %v1090, %v1090
%v1094 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1090, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1095 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1090, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1096 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1093, <8 x float> %v1095)
%v1097 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1096, <8 x float> %v1093, <8 x float> %v1094)
%v1098 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1093, <8 x float> %v1097, <8 x float> %v1090)
%v1099 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1098, <8 x float> %v1092, <8 x float> %v1092)
%v1100 = getelementptr float, ptr %scratch, i64 912
%v1101 = getelementptr float, ptr %v1100, i64 %v1079
store <8 x float> %v1099, ptr %v1101, align 4
%v1102 = load <8 x float>, ptr %s43
%v1103 = fadd <8 x float> %v1102, %v1099
store <8 x float> %v1103, ptr %s43
%v1104 = add i64 %v1079, 128
%v1105 = getelementptr float, ptr %scratch, i64 912
%v1106 = getelementptr float, ptr %v1105, i64 %v1104
%v1107 = load <8 x float>, ptr %v1106, align 4
%v1108 = fsub <8 x float> %v1107, %v1069
%v1109 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1108
%v1110 = select <8 x i1> %v1109, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1108
%v1111 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1110, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1112 = fsub <8 x float> %v1111, splat (float 0x4168000FE0000000)
%v1113 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1112, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1110)
%v1114 = bitcast <8 x float> %v1111 to <8 x i32>
%v1115 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1112, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1113)
%v1116 = shl <8 x i32> %v1114, splat (i32 23)
%v1117 = bitcast <8 x i32> %v1116 to <8 x float>
%v1118 = fmul <8 x float> %v1115, %v1115
%v1119 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1115, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1120 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1115, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1121 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1118, <8 x float> %v1120)
%v1122 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1121, <8 x float> %v1118, <8 x float> %v1119)
%v1123 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1118, <8 x float> %v1122, <8 x float> %v1115)
%v1124 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1123, <8 x float> %v1117, <8 x float> %v1117)
%v1125 = getelementptr float, ptr %scratch, i64 912
%v1126 = getelementptr float, ptr %v1125, i64 %v1104
store <8 x float> %v1124, ptr %v1126, align 4
%v1127 = load <8 x float>, ptr %s44
%v1128 = fadd <8 x float> %v1127, %v1124
store <8 x float> %v1128, ptr %s44
%v1129 = add i64 %v1079, 256
%v1130 = getelementptr float, ptr %scratch, i64 912
%v1131 = getelementptr float, ptr %v1130, i64 %v1129
%v1132 = load <8 x float>, ptr %v1131, align 4
%v1133 = fsub <8 x float> %v1132, %v1073
%v1134 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1133
%v1135 = select <8 x i1> %v1134, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1133
%v1136 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1135, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1137 = fsub <8 x float> %v1136, splat (float 0x4168000FE0000000)
%v1138 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1137, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1135)
%v1139 = bitcast <8 x float> %v1136 to <8 x i32>
%v1140 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1137, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1138)
%v1141 = shl <8 x i32> %v1139, splat (i32 23)
%v1142 = bitcast <8 x i32> %v1141 to <8 x float>
%v1143 = fmul <8 x float> %v1140, %v1140
%v1144 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1140, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1145 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1140, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1146 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1143, <8 x float> %v1145)
%v1147 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1146, <8 x float> %v1143, <8 x float> %v1144)
%v1148 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1143, <8 x float> %v1147, <8 x float> %v1140)
%v1149 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1148, <8 x float> %v1142, <8 x float> %v1142)
%v1150 = getelementptr float, ptr %scratch, i64 912
%v1151 = getelementptr float, ptr %v1150, i64 %v1129
store <8 x float> %v1149, ptr %v1151, align 4
%v1152 = load <8 x float>, ptr %s45
%v1153 = fadd <8 x float> %v1152, %v1149
store <8 x float> %v1153, ptr %s45
%v1154 = add i64 %v1079, 384
%v1155 = getelementptr float, ptr %scratch, i64 912
%v1156 = getelementptr float, ptr %v1155, i64 %v1154
%v1157 = load <8 x float>, ptr %v1156, align 4
%v1158 = fsub <8 x float> %v1157, %v1077
%v1159 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1158
%v1160 = select <8 x i1> %v1159, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1158
%v1161 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1160, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1162 = fsub <8 x float> %v1161, splat (float 0x4168000FE0000000)
%v1163 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1162, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1160)
%v1164 = bitcast <8 x float> %v1161 to <8 x i32>
%v1165 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1162, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1163)
%v1166 = shl <8 x i32> %v1164, splat (i32 23)
%v1167 = bitcast <8 x i32> %v1166 to <8 x float>
%v1168 = fmul <8 x float> %v1165, %v1165
%v1169 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1165, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1170 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1165, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1171 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1168, <8 x float> %v1170)
%v1172 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1171, <8 x float> %v1168, <8 x float> %v1169)
%v1173 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1168, <8 x float> %v1172, <8 x float> %v1165)
%v1174 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1173, <8 x float> %v1167, <8 x float> %v1167)
%v1175 = getelementptr float, ptr %scratch, i64 912
%v1176 = getelementptr float, ptr %v1175, i64 %v1154
store <8 x float> %v1174, ptr %v1176, align 4
%v1177 = load <8 x float>, ptr %s46
%v1178 = fadd <8 x float> %v1177, %v1174
store <8 x float> %v1178, ptr %s46
%v1179 = add i64 %v1079, 8
%v1180 = icmp slt i64 %v1179, %v1004
br i1 %v1180, label %loop136, label %end137
end137:
%v1181 = load <8 x float>, ptr %s43
%v1182 = load <8 x float>, ptr %s44
%v1183 = load <8 x float>, ptr %s45
%v1184 = load <8 x float>, ptr %s46
%v1185 = getelementptr float, ptr %v1013, i64 4
%v1186 = load float, ptr %v1185, align 4
%v1187 = insertelement <8 x float> poison, float %v1186, i32 0
%v1188 = shufflevector <8 x float> %v1187, <8 x float> poison, <8 x i32> zeroinitializer
%v1189 = getelementptr float, ptr %v1013, i64 5
%v1190 = load float, ptr %v1189, align 4
%v1191 = insertelement <8 x float> poison, float %v1190, i32 0
%v1192 = shufflevector <8 x float> %v1191, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s47
store <8 x float> splat (float 0x0000000000000000), ptr %s48
%v1193 = icmp slt i64 %v1003, %v1004
br i1 %v1193, label %guard141, label %end140
guard141:
br label %loop139
loop139:
%v1194 = phi i64 [ %v1003, %guard141 ], [ %v1245, %loop139 ]
%v1195 = add i64 %v1194, 512
%v1196 = getelementptr float, ptr %scratch, i64 912
%v1197 = getelementptr float, ptr %v1196, i64 %v1195
%v1198 = load <8 x float>, ptr %v1197, align 4
%v1199 = fsub <8 x float> %v1198, %v1188
%v1200 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1199
%v1201 = select <8 x i1> %v1200, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1199
%v1202 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1201, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1203 = fsub <8 x float> %v1202, splat (float 0x4168000FE0000000)
%v1204 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1203, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1201)
%v1205 = bitcast <8 x float> %v1202 to <8 x i32>
%v1206 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1203, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1204)
%v1207 = shl <8 x i32> %v1205, splat (i32 23)
%v1208 = bitcast <8 x i32> %v1207 to <8 x float>
%v1209 = fmul <8 x float> %v1206, %v1206
%v1210 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1206, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1211 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1206, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1212 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1209, <8 x float> %v1211)
%v1213 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1212, <8 x float> %v1209, <8 x float> %v1210)
%v1214 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1209, <8 x float> %v1213, <8 x float> %v1206)
%v1215 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1214, <8 x float> %v1208, <8 x float> %v1208)
%v1216 = getelementptr float, ptr %scratch, i64 912
%v1217 = getelementptr float, ptr %v1216, i64 %v1195
store <8 x float> %v1215, ptr %v1217, align 4
%v1218 = load <8 x float>, ptr %s47
%v1219 = fadd <8 x float> %v1218, %v1215
store <8 x float> %v1219, ptr %s47
%v1220 = add i64 %v1194, 640
%v1221 = getelementptr float, ptr %scratch, i64 912
%v1222 = getelementptr float, ptr %v1221, i64 %v1220
%v1223 = load <8 x float>, ptr %v1222, align 4
%v1224 = fsub <8 x float> %v1223, %v1192
%v1225 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1224
%v1226 = select <8 x i1> %v1225, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1224
%v1227 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1226, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1228 = fsub <8 x float> %v1227, splat (float 0x4168000FE0000000)
%v1229 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1228, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1226)
%v1230 = bitcast <8 x float> %v1227 to <8 x i32>
%v1231 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1228, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1229)
%v1232 = shl <8 x i32> %v1230, splat (i32 23)
%v1233 = bitcast <8 x i32> %v1232 to <8 x float>
%v1234 = fmul <8 x float> %v1231, %v1231
%v1235 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1231, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1236 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1231, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1237 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1234, <8 x float> %v1236)
%v1238 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1237, <8 x float> %v1234, <8 x float> %v1235)
%v1239 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1234, <8 x float> %v1238, <8 x float> %v1231)
%v1240 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1239, <8 x float> %v1233, <8 x float> %v1233)
%v1241 = getelementptr float, ptr %scratch, i64 912
%v1242 = getelementptr float, ptr %v1241, i64 %v1220
store <8 x float> %v1240, ptr %v1242, align 4
%v1243 = load <8 x float>, ptr %s48
%v1244 = fadd <8 x float> %v1243, %v1240
store <8 x float> %v1244, ptr %s48
%v1245 = add i64 %v1194, 8
%v1246 = icmp slt i64 %v1245, %v1004
br i1 %v1246, label %loop139, label %end140
end140:
%v1247 = load <8 x float>, ptr %s47
%v1248 = load <8 x float>, ptr %s48
%v1249 = shufflevector <8 x float> %v1181, <8 x float> %v1182, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v1250 = shufflevector <8 x float> %v1181, <8 x float> %v1182, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v1251 = fadd <8 x float> %v1249, %v1250
%v1252 = shufflevector <8 x float> %v1183, <8 x float> %v1184, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v1253 = shufflevector <8 x float> %v1183, <8 x float> %v1184, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v1254 = fadd <8 x float> %v1252, %v1253
%v1255 = shufflevector <8 x float> %v1247, <8 x float> %v1248, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v1256 = shufflevector <8 x float> %v1247, <8 x float> %v1248, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v1257 = fadd <8 x float> %v1255, %v1256
%v1258 = shufflevector <8 x float> %v1251, <8 x float> %v1254, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v1259 = shufflevector <8 x float> %v1251, <8 x float> %v1254, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v1260 = fadd <8 x float> %v1258, %v1259
%v1261 = shufflevector <8 x float> %v1257, <8 x float> %v1257, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v1262 = shufflevector <8 x float> %v1257, <8 x float> %v1257, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v1263 = fadd <8 x float> %v1261, %v1262
%v1264 = shufflevector <8 x float> %v1260, <8 x float> %v1263, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v1265 = shufflevector <8 x float> %v1260, <8 x float> %v1263, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v1266 = fadd <8 x float> %v1264, %v1265
%v1267 = load <8 x float>, ptr %v1016, align 4
%v1268 = getelementptr float, ptr %scratch, i64 896
%v1269 = load <8 x float>, ptr %v1268, align 4
%v1270 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1267, <8 x float> %v1269, <8 x float> %v1266)
store <8 x float> %v1270, ptr %v1016, align 4
%v1271 = mul i64 %v800, 48
%v1272 = add i64 %v1271, 384
%v1273 = getelementptr float, ptr %scratch, i64 %v1272
%v1274 = getelementptr float, ptr %scratch, i64 896
%v1275 = load float, ptr %v1274, align 4
%v1276 = fcmp une float %v1275, 0x3FF0000000000000
br i1 %v1276, label %then142, label %else143
then142:
%v1277 = load <8 x float>, ptr %v1273, align 4
%v1278 = insertelement <8 x float> poison, float %v1275, i32 0
%v1279 = shufflevector <8 x float> %v1278, <8 x float> poison, <8 x i32> zeroinitializer
%v1280 = fmul <8 x float> %v1277, %v1279
store <8 x float> %v1280, ptr %v1273, align 4
br label %end144
else143:
br label %end144
end144:
%v1281 = getelementptr float, ptr %scratch, i64 896
%v1282 = getelementptr float, ptr %v1281, i64 1
%v1283 = load float, ptr %v1282, align 4
%v1284 = fcmp une float %v1283, 0x3FF0000000000000
br i1 %v1284, label %then145, label %else146
then145:
%v1285 = getelementptr float, ptr %v1273, i64 8
%v1286 = load <8 x float>, ptr %v1285, align 4
%v1287 = insertelement <8 x float> poison, float %v1283, i32 0
%v1288 = shufflevector <8 x float> %v1287, <8 x float> poison, <8 x i32> zeroinitializer
%v1289 = fmul <8 x float> %v1286, %v1288
%v1290 = getelementptr float, ptr %v1273, i64 8
store <8 x float> %v1289, ptr %v1290, align 4
br label %end147
else146:
br label %end147
end147:
%v1291 = getelementptr float, ptr %scratch, i64 896
%v1292 = getelementptr float, ptr %v1291, i64 2
%v1293 = load float, ptr %v1292, align 4
%v1294 = fcmp une float %v1293, 0x3FF0000000000000
br i1 %v1294, label %then148, label %else149
then148:
%v1295 = getelementptr float, ptr %v1273, i64 16
%v1296 = load <8 x float>, ptr %v1295, align 4
%v1297 = insertelement <8 x float> poison, float %v1293, i32 0
%v1298 = shufflevector <8 x float> %v1297, <8 x float> poison, <8 x i32> zeroinitializer
%v1299 = fmul <8 x float> %v1296, %v1298
%v1300 = getelementptr float, ptr %v1273, i64 16
store <8 x float> %v1299, ptr %v1300, align 4
br label %end150
else149:
br label %end150
end150:
%v1301 = getelementptr float, ptr %scratch, i64 896
%v1302 = getelementptr float, ptr %v1301, i64 3
%v1303 = load float, ptr %v1302, align 4
%v1304 = fcmp une float %v1303, 0x3FF0000000000000
br i1 %v1304, label %then151, label %else152
then151:
%v1305 = getelementptr float, ptr %v1273, i64 24
%v1306 = load <8 x float>, ptr %v1305, align 4
%v1307 = insertelement <8 x float> poison, float %v1303, i32 0
%v1308 = shufflevector <8 x float> %v1307, <8 x float> poison, <8 x i32> zeroinitializer
%v1309 = fmul <8 x float> %v1306, %v1308
%v1310 = getelementptr float, ptr %v1273, i64 24
store <8 x float> %v1309, ptr %v1310, align 4
br label %end153
else152:
br label %end153
end153:
%v1311 = getelementptr float, ptr %scratch, i64 896
%v1312 = getelementptr float, ptr %v1311, i64 4
%v1313 = load float, ptr %v1312, align 4
%v1314 = fcmp une float %v1313, 0x3FF0000000000000
br i1 %v1314, label %then154, label %else155
then154:
%v1315 = getelementptr float, ptr %v1273, i64 32
%v1316 = load <8 x float>, ptr %v1315, align 4
%v1317 = insertelement <8 x float> poison, float %v1313, i32 0
%v1318 = shufflevector <8 x float> %v1317, <8 x float> poison, <8 x i32> zeroinitializer
%v1319 = fmul <8 x float> %v1316, %v1318
%v1320 = getelementptr float, ptr %v1273, i64 32
store <8 x float> %v1319, ptr %v1320, align 4
br label %end156
else155:
br label %end156
end156:
%v1321 = getelementptr float, ptr %scratch, i64 896
%v1322 = getelementptr float, ptr %v1321, i64 5
%v1323 = load float, ptr %v1322, align 4
%v1324 = fcmp une float %v1323, 0x3FF0000000000000
br i1 %v1324, label %then157, label %else158
then157:
%v1325 = getelementptr float, ptr %v1273, i64 40
%v1326 = load <8 x float>, ptr %v1325, align 4
%v1327 = insertelement <8 x float> poison, float %v1323, i32 0
%v1328 = shufflevector <8 x float> %v1327, <8 x float> poison, <8 x i32> zeroinitializer
%v1329 = fmul <8 x float> %v1326, %v1328
%v1330 = getelementptr float, ptr %v1273, i64 40
store <8 x float> %v1329, ptr %v1330, align 4
br label %end159
else158:
br label %end159
end159:
%v1331 = call i64 @llvm.smax.i64(i64 0, i64 %v805)
%v1332 = call i64 @llvm.smin.i64(i64 %v1331, i64 %v809)
%v1333 = add i64 %v137, %v801
%v1334 = add i64 %v1333, 1
%v1335 = call i64 @llvm.smin.i64(i64 %v1334, i64 %v133)
%v1336 = call i64 @llvm.smin.i64(i64 %v1335, i64 %v809)
%v1337 = call i64 @llvm.smax.i64(i64 %v1336, i64 %v1332)
%v1338 = sub i64 %v1332, %v796
%v1339 = ashr i64 %v1338, 3
%v1340 = sub i64 %v1337, %v796
%v1341 = add i64 %v1340, 7
%v1342 = ashr i64 %v1341, 3
%v1343 = icmp slt i64 %v1339, %v1342
br i1 %v1343, label %guard162, label %end161
guard162:
br label %loop160
loop160:
%v1344 = phi i64 [ %v1339, %guard162 ], [ %v1432, %end164 ]
%v1345 = ashr i64 %v796, 3
%v1346 = add i64 %v1345, %v1344
%v1347 = mul i64 %v131, 4
%v1348 = add i64 %v1347, %v1346
%v1349 = getelementptr i32, ptr %a3, i64 %v1348
%v1350 = load i32, ptr %v1349, align 4
%v1351 = sext i32 %v1350 to i64
%v1352 = call i64 @llvm.smax.i64(i64 %v1351, i64 0)
%v1353 = call i64 @llvm.smin.i64(i64 %v1352, i64 4)
%v1354 = mul i64 %v1353, 2
%v1355 = add i64 %v1354, %v2
%v1356 = mul i64 %v1344, 8
%v1357 = add i64 %v796, %v1356
%v1358 = sub i64 %v1332, %v1357
%v1359 = call i64 @llvm.smax.i64(i64 %v1358, i64 0)
%v1360 = sub i64 %v1337, %v1357
%v1361 = call i64 @llvm.smin.i64(i64 %v1360, i64 8)
%v1362 = mul i64 %v1344, 8
%v1363 = add i64 %v1362, 912
%v1364 = getelementptr float, ptr %scratch, i64 %v1363
%v1365 = load <8 x float>, ptr %v1273, align 4
store <8 x float> %v1365, ptr %s49
%v1366 = getelementptr float, ptr %v1273, i64 8
%v1367 = load <8 x float>, ptr %v1366, align 4
store <8 x float> %v1367, ptr %s50
%v1368 = getelementptr float, ptr %v1273, i64 16
%v1369 = load <8 x float>, ptr %v1368, align 4
store <8 x float> %v1369, ptr %s51
%v1370 = getelementptr float, ptr %v1273, i64 24
%v1371 = load <8 x float>, ptr %v1370, align 4
store <8 x float> %v1371, ptr %s52
%v1372 = getelementptr float, ptr %v1273, i64 32
%v1373 = load <8 x float>, ptr %v1372, align 4
store <8 x float> %v1373, ptr %s53
%v1374 = getelementptr float, ptr %v1273, i64 40
%v1375 = load <8 x float>, ptr %v1374, align 4
store <8 x float> %v1375, ptr %s54
%v1376 = icmp slt i64 %v1359, %v1361
br i1 %v1376, label %guard165, label %end164
guard165:
br label %loop163
loop163:
%v1377 = phi i64 [ %v1359, %guard165 ], [ %v1419, %loop163 ]
%v1378 = getelementptr float, ptr %v1364, i64 %v1377
%v1379 = mul i64 %v1355, 8
%v1380 = add i64 %v1379, %v1377
%v1381 = mul i64 %v1380, 8
%v1382 = getelementptr float, ptr %a5, i64 %v1381
%v1383 = load <8 x float>, ptr %v1382, align 4
%v1384 = load float, ptr %v1378, align 4
%v1385 = insertelement <8 x float> poison, float %v1384, i32 0
%v1386 = shufflevector <8 x float> %v1385, <8 x float> poison, <8 x i32> zeroinitializer
%v1387 = load <8 x float>, ptr %s49
%v1388 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1386, <8 x float> %v1383, <8 x float> %v1387)
store <8 x float> %v1388, ptr %s49
%v1389 = getelementptr float, ptr %v1378, i64 128
%v1390 = load float, ptr %v1389, align 4
%v1391 = insertelement <8 x float> poison, float %v1390, i32 0
%v1392 = shufflevector <8 x float> %v1391, <8 x float> poison, <8 x i32> zeroinitializer
%v1393 = load <8 x float>, ptr %s50
%v1394 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1392, <8 x float> %v1383, <8 x float> %v1393)
store <8 x float> %v1394, ptr %s50
%v1395 = getelementptr float, ptr %v1378, i64 256
%v1396 = load float, ptr %v1395, align 4
%v1397 = insertelement <8 x float> poison, float %v1396, i32 0
%v1398 = shufflevector <8 x float> %v1397, <8 x float> poison, <8 x i32> zeroinitializer
%v1399 = load <8 x float>, ptr %s51
%v1400 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1398, <8 x float> %v1383, <8 x float> %v1399)
store <8 x float> %v1400, ptr %s51
%v1401 = getelementptr float, ptr %v1378, i64 384
%v1402 = load float, ptr %v1401, align 4
%v1403 = insertelement <8 x float> poison, float %v1402, i32 0
%v1404 = shufflevector <8 x float> %v1403, <8 x float> poison, <8 x i32> zeroinitializer
%v1405 = load <8 x float>, ptr %s52
%v1406 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1404, <8 x float> %v1383, <8 x float> %v1405)
store <8 x float> %v1406, ptr %s52
%v1407 = getelementptr float, ptr %v1378, i64 512
%v1408 = load float, ptr %v1407, align 4
%v1409 = insertelement <8 x float> poison, float %v1408, i32 0
%v1410 = shufflevector <8 x float> %v1409, <8 x float> poison, <8 x i32> zeroinitializer
%v1411 = load <8 x float>, ptr %s53
%v1412 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1410, <8 x float> %v1383, <8 x float> %v1411)
store <8 x float> %v1412, ptr %s53
%v1413 = getelementptr float, ptr %v1378, i64 640
%v1414 = load float, ptr %v1413, align 4
%v1415 = insertelement <8 x float> poison, float %v1414, i32 0
%v1416 = shufflevector <8 x float> %v1415, <8 x float> poison, <8 x i32> zeroinitializer
%v1417 = load <8 x float>, ptr %s54
%v1418 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1416, <8 x float> %v1383, <8 x float> %v1417)
store <8 x float> %v1418, ptr %s54
%v1419 = add i64 %v1377, 1
%v1420 = icmp slt i64 %v1419, %v1361
br i1 %v1420, label %loop163, label %end164
end164:
%v1421 = load <8 x float>, ptr %s49
store <8 x float> %v1421, ptr %v1273, align 4
%v1422 = load <8 x float>, ptr %s50
%v1423 = getelementptr float, ptr %v1273, i64 8
store <8 x float> %v1422, ptr %v1423, align 4
%v1424 = load <8 x float>, ptr %s51
%v1425 = getelementptr float, ptr %v1273, i64 16
store <8 x float> %v1424, ptr %v1425, align 4
%v1426 = load <8 x float>, ptr %s52
%v1427 = getelementptr float, ptr %v1273, i64 24
store <8 x float> %v1426, ptr %v1427, align 4
%v1428 = load <8 x float>, ptr %s53
%v1429 = getelementptr float, ptr %v1273, i64 32
store <8 x float> %v1428, ptr %v1429, align 4
%v1430 = load <8 x float>, ptr %s54
%v1431 = getelementptr float, ptr %v1273, i64 40
store <8 x float> %v1430, ptr %v1431, align 4
%v1432 = add i64 %v1344, 1
%v1433 = icmp slt i64 %v1432, %v1342
br i1 %v1433, label %loop160, label %end161
end161:
%v1434 = icmp slt i64 %v1337, %v809
br i1 %v1434, label %then166, label %else167
then166:
%v1435 = sub i64 %v1337, %v796
%v1436 = ashr i64 %v1435, 3
%v1437 = sub i64 %v809, %v796
%v1438 = add i64 %v1437, 7
%v1439 = ashr i64 %v1438, 3
%v1440 = icmp slt i64 %v1436, %v1439
br i1 %v1440, label %guard171, label %end170
guard171:
br label %loop169
loop169:
%v1441 = phi i64 [ %v1436, %guard171 ], [ %v1495, %end173 ]
%v1442 = ashr i64 %v796, 3
%v1443 = add i64 %v1442, %v1441
%v1444 = mul i64 %v131, 4
%v1445 = add i64 %v1444, %v1443
%v1446 = getelementptr i32, ptr %a3, i64 %v1445
%v1447 = load i32, ptr %v1446, align 4
%v1448 = sext i32 %v1447 to i64
%v1449 = call i64 @llvm.smax.i64(i64 %v1448, i64 0)
%v1450 = call i64 @llvm.smin.i64(i64 %v1449, i64 4)
%v1451 = mul i64 %v1450, 2
%v1452 = add i64 %v1451, %v2
%v1453 = mul i64 %v1441, 8
%v1454 = add i64 %v796, %v1453
br label %loop172
loop172:
%v1455 = phi i64 [ 0, %loop169 ], [ %v1493, %end176 ]
%v1456 = add i64 %v801, %v1455
%v1457 = sub i64 %v134, 1
%v1458 = call i64 @llvm.smin.i64(i64 %v1456, i64 %v1457)
%v1459 = call i64 @llvm.smax.i64(i64 %v1337, i64 0)
%v1460 = sub i64 %v1459, %v1454
%v1461 = call i64 @llvm.smax.i64(i64 %v1460, i64 0)
%v1462 = add i64 %v137, %v1458
%v1463 = add i64 %v1462, 1
%v1464 = call i64 @llvm.smin.i64(i64 %v1463, i64 %v133)
%v1465 = call i64 @llvm.smin.i64(i64 %v809, i64 %v1464)
%v1466 = sub i64 %v1465, %v1454
%v1467 = call i64 @llvm.smin.i64(i64 %v1466, i64 8)
%v1468 = mul i64 %v1441, 8
%v1469 = mul i64 %v1455, 128
%v1470 = add i64 %v1468, %v1469
%v1471 = add i64 %v1470, 912
%v1472 = getelementptr float, ptr %scratch, i64 %v1471
%v1473 = mul i64 %v1455, 8
%v1474 = getelementptr float, ptr %v1273, i64 %v1473
%v1475 = icmp slt i64 %v1461, %v1467
br i1 %v1475, label %then174, label %else175
then174:
%v1476 = load <8 x float>, ptr %v1474, align 4
store <8 x float> %v1476, ptr %s55
%v1477 = icmp slt i64 %v1461, %v1467
br i1 %v1477, label %guard179, label %end178
guard179:
br label %loop177
loop177:
%v1478 = phi i64 [ %v1461, %guard179 ], [ %v1490, %loop177 ]
%v1479 = getelementptr float, ptr %v1472, i64 %v1478
%v1480 = load float, ptr %v1479, align 4
%v1481 = insertelement <8 x float> poison, float %v1480, i32 0
%v1482 = shufflevector <8 x float> %v1481, <8 x float> poison, <8 x i32> zeroinitializer
%v1483 = mul i64 %v1452, 8
%v1484 = add i64 %v1483, %v1478
%v1485 = mul i64 %v1484, 8
%v1486 = getelementptr float, ptr %a5, i64 %v1485
%v1487 = load <8 x float>, ptr %v1486, align 4
%v1488 = load <8 x float>, ptr %s55
%v1489 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1482, <8 x float> %v1487, <8 x float> %v1488)
store <8 x float> %v1489, ptr %s55
%v1490 = add i64 %v1478, 1
%v1491 = icmp slt i64 %v1490, %v1467
br i1 %v1491, label %loop177, label %end178
end178:
%v1492 = load <8 x float>, ptr %s55
store <8 x float> %v1492, ptr %v1474, align 4
br label %end176
else175:
br label %end176
end176:
%v1493 = add i64 %v1455, 1
%v1494 = icmp slt i64 %v1493, 6
br i1 %v1494, label %loop172, label %end173
end173:
%v1495 = add i64 %v1441, 1
%v1496 = icmp slt i64 %v1495, %v1439
br i1 %v1496, label %loop169, label %end170
end170:
br label %end168
else167:
br label %end168
end168:
br label %end130
else129:
br label %end130
end130:
%v1497 = add i64 %v800, 1
%v1498 = icmp slt i64 %v1497, %v716
br i1 %v1498, label %loop125, label %end126
end126:
%v1499 = add i64 %v796, 128
%v1500 = icmp slt i64 %v1499, %v794
br i1 %v1500, label %loop122, label %end123
end123:
%v1501 = icmp slt i64 0, %v134
br i1 %v1501, label %guard182, label %end181
guard182:
br label %loop180
loop180:
%v1502 = phi i64 [ 0, %guard182 ], [ %v1670, %end185 ]
%v1503 = add i64 %v137, %v1502
%v1504 = add i64 %v1503, 1
%v1505 = call i64 @llvm.smin.i64(i64 %v1504, i64 %v133)
%v1506 = sub i64 %v1505, 1
%v1507 = call i64 @llvm.smax.i64(i64 %v1506, i64 0)
%v1508 = ashr i64 %v1507, 9
%v1509 = call i64 @llvm.smin.i64(i64 0, i64 %v1508)
%v1510 = add i64 %v137, %v1502
%v1511 = add i64 %v1510, 1
%v1512 = call i64 @llvm.smin.i64(i64 %v1511, i64 %v133)
%v1513 = sub i64 %v1512, 1
%v1514 = call i64 @llvm.smax.i64(i64 %v1513, i64 0)
%v1515 = ashr i64 %v1514, 9
%v1516 = icmp sle i64 %v1509, %v767
%v1517 = icmp sle i64 %v767, %v1515
%v1518 = and i1 %v1516, %v1517
br i1 %v1518, label %then183, label %else184
then183:
%v1519 = icmp sle i64 %v97, %v1509
%v1520 = icmp slt i64 %v1515, %v98
%v1521 = and i1 %v1519, %v1520
br i1 %v1521, label %then186, label %else187
then186:
%v1522 = sdiv i64 %v1502, 6
%v1523 = mul i64 %v1522, 6
%v1524 = sub i64 %v1502, %v1523
%v1525 = icmp ne i64 %v1524, 0
%v1526 = xor i64 %v1524, 6
%v1527 = icmp slt i64 %v1526, 0
%v1528 = and i1 %v1525, %v1527
%v1529 = sub i64 %v1522, 1
%v1530 = select i1 %v1528, i64 %v1529, i64 %v1522
%v1531 = mul i64 %v1530, 8
%v1532 = srem i64 %v1502, 6
%v1533 = icmp ne i64 %v1532, 0
%v1534 = xor i64 %v1532, 6
%v1535 = icmp slt i64 %v1534, 0
%v1536 = and i1 %v1533, %v1535
%v1537 = add i64 %v1532, 6
%v1538 = select i1 %v1536, i64 %v1537, i64 %v1532
%v1539 = add i64 %v1531, %v1538
%v1540 = getelementptr float, ptr %scratch, i64 768
%v1541 = getelementptr float, ptr %v1540, i64 %v1539
%v1542 = load float, ptr %v1541, align 4
%v1543 = getelementptr float, ptr %scratch, i64 832
%v1544 = getelementptr float, ptr %v1543, i64 %v1539
%v1545 = load float, ptr %v1544, align 4
%v1546 = mul i64 %v1502, 8
%v1547 = add i64 %v1546, 384
%v1548 = getelementptr float, ptr %scratch, i64 %v1547
%v1549 = sdiv i64 %v1502, 6
%v1550 = mul i64 %v1549, 6
%v1551 = sub i64 %v1502, %v1550
%v1552 = icmp ne i64 %v1551, 0
%v1553 = xor i64 %v1551, 6
%v1554 = icmp slt i64 %v1553, 0
%v1555 = and i1 %v1552, %v1554
%v1556 = sub i64 %v1549, 1
%v1557 = select i1 %v1555, i64 %v1556, i64 %v1549
%v1558 = mul i64 %v1557, 8
%v1559 = srem i64 %v1502, 6
%v1560 = icmp ne i64 %v1559, 0
%v1561 = xor i64 %v1559, 6
%v1562 = icmp slt i64 %v1561, 0
%v1563 = and i1 %v1560, %v1562
%v1564 = add i64 %v1559, 6
%v1565 = select i1 %v1563, i64 %v1564, i64 %v1559
%v1566 = add i64 %v1558, %v1565
%v1567 = getelementptr float, ptr %scratch, i64 2064
%v1568 = getelementptr float, ptr %v1567, i64 %v1566
%v1569 = load float, ptr %v1568, align 4
%v1570 = fcmp ogt float %v1542, %v1569
%v1571 = select i1 %v1570, float %v1542, float %v1569
%v1572 = fsub float %v1569, %v1571
%v1573 = insertelement <8 x float> poison, float %v1572, i32 0
%v1574 = shufflevector <8 x float> %v1573, <8 x float> poison, <8 x i32> zeroinitializer
%v1575 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1574
%v1576 = select <8 x i1> %v1575, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1574
%v1577 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1576, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1578 = fsub <8 x float> %v1577, splat (float 0x4168000FE0000000)
%v1579 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1578, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1576)
%v1580 = bitcast <8 x float> %v1577 to <8 x i32>
%v1581 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1578, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1579)
%v1582 = shl <8 x i32> %v1580, splat (i32 23)
%v1583 = bitcast <8 x i32> %v1582 to <8 x float>
%v1584 = fmul <8 x float> %v1581, %v1581
%v1585 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1581, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1586 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1581, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1587 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1584, <8 x float> %v1586)
%v1588 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1587, <8 x float> %v1584, <8 x float> %v1585)
%v1589 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1584, <8 x float> %v1588, <8 x float> %v1581)
%v1590 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1589, <8 x float> %v1583, <8 x float> %v1583)
%v1591 = fsub float %v1542, %v1571
%v1592 = insertelement <8 x float> poison, float %v1591, i32 0
%v1593 = shufflevector <8 x float> %v1592, <8 x float> poison, <8 x i32> zeroinitializer
%v1594 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1593
%v1595 = select <8 x i1> %v1594, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1593
%v1596 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1595, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1597 = fsub <8 x float> %v1596, splat (float 0x4168000FE0000000)
%v1598 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1597, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1595)
%v1599 = bitcast <8 x float> %v1596 to <8 x i32>
%v1600 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1597, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1598)
%v1601 = shl <8 x i32> %v1599, splat (i32 23)
%v1602 = bitcast <8 x i32> %v1601 to <8 x float>
%v1603 = fmul <8 x float> %v1600, %v1600
%v1604 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1600, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1605 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1600, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1606 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1603, <8 x float> %v1605)
%v1607 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1606, <8 x float> %v1603, <8 x float> %v1604)
%v1608 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1603, <8 x float> %v1607, <8 x float> %v1600)
%v1609 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1608, <8 x float> %v1602, <8 x float> %v1602)
%v1610 = getelementptr float, ptr %scratch, i64 2128
%v1611 = getelementptr float, ptr %v1610, i64 %v1566
%v1612 = load float, ptr %v1611, align 4
%v1613 = insertelement <8 x float> poison, float %v1612, i32 0
%v1614 = shufflevector <8 x float> %v1613, <8 x float> poison, <8 x i32> zeroinitializer
%v1615 = insertelement <8 x float> poison, float %v1545, i32 0
%v1616 = shufflevector <8 x float> %v1615, <8 x float> poison, <8 x i32> zeroinitializer
%v1617 = fmul <8 x float> %v1614, %v1590
%v1618 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1616, <8 x float> %v1609, <8 x float> %v1617)
%v1619 = getelementptr float, ptr %scratch, i64 2064
%v1620 = getelementptr float, ptr %v1619, i64 %v1566
store float %v1571, ptr %v1620, align 4
%v1621 = extractelement <8 x float> %v1618, i64 0
%v1622 = getelementptr float, ptr %scratch, i64 2128
%v1623 = getelementptr float, ptr %v1622, i64 %v1566
store float %v1621, ptr %v1623, align 4
%v1624 = mul i64 %v1502, 8
%v1625 = add i64 %v1624, 1680
%v1626 = getelementptr float, ptr %scratch, i64 %v1625
%v1627 = load <8 x float>, ptr %v1548, align 4
%v1628 = load <8 x float>, ptr %v1626, align 4
%v1629 = fmul <8 x float> %v1628, %v1590
%v1630 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1627, <8 x float> %v1609, <8 x float> %v1629)
store <8 x float> %v1630, ptr %v1626, align 4
br label %end188
else187:
%v1631 = sdiv i64 %v1502, 6
%v1632 = mul i64 %v1631, 6
%v1633 = sub i64 %v1502, %v1632
%v1634 = icmp ne i64 %v1633, 0
%v1635 = xor i64 %v1633, 6
%v1636 = icmp slt i64 %v1635, 0
%v1637 = and i1 %v1634, %v1636
%v1638 = sub i64 %v1631, 1
%v1639 = select i1 %v1637, i64 %v1638, i64 %v1631
%v1640 = mul i64 %v1639, 8
%v1641 = srem i64 %v1502, 6
%v1642 = icmp ne i64 %v1641, 0
%v1643 = xor i64 %v1641, 6
%v1644 = icmp slt i64 %v1643, 0
%v1645 = and i1 %v1642, %v1644
%v1646 = add i64 %v1641, 6
%v1647 = select i1 %v1645, i64 %v1646, i64 %v1641
%v1648 = add i64 %v1640, %v1647
%v1649 = getelementptr float, ptr %scratch, i64 768
%v1650 = getelementptr float, ptr %v1649, i64 %v1648
%v1651 = load float, ptr %v1650, align 4
%v1652 = getelementptr float, ptr %scratch, i64 832
%v1653 = getelementptr float, ptr %v1652, i64 %v1648
%v1654 = load float, ptr %v1653, align 4
%v1655 = mul i64 %v1502, 8
%v1656 = add i64 %v1655, 384
%v1657 = getelementptr float, ptr %scratch, i64 %v1656
%v1658 = add i64 %v128, %v1502
%v1659 = mul i64 %v1658, 2
%v1660 = add i64 %v1659, %v2
%v1661 = add i64 %v1660, %v767
%v1662 = load <8 x float>, ptr %v1657, align 4
%v1663 = mul i64 %v1661, 8
%v1664 = getelementptr float, ptr %a6, i64 %v1663
store <8 x float> %v1662, ptr %v1664, align 4
%v1665 = mul i64 %v1661, 2
%v1666 = getelementptr float, ptr %a7, i64 %v1665
store float %v1651, ptr %v1666, align 4
%v1667 = mul i64 %v1661, 2
%v1668 = add i64 %v1667, 1
%v1669 = getelementptr float, ptr %a7, i64 %v1668
store float %v1654, ptr %v1669, align 4
br label %end188
end188:
br label %end185
else184:
br label %end185
end185:
%v1670 = add i64 %v1502, 1
%v1671 = icmp slt i64 %v1670, %v134
br i1 %v1671, label %loop180, label %end181
end181:
%v1672 = add i64 %v767, 1
%v1673 = icmp slt i64 %v1672, %v748
br i1 %v1673, label %loop113, label %end114
end114:
%v1674 = icmp slt i64 0, %v134
br i1 %v1674, label %guard191, label %end190
guard191:
br label %loop189
loop189:
%v1675 = phi i64 [ 0, %guard191 ], [ %v1728, %end194 ]
%v1676 = add i64 %v137, %v1675
%v1677 = add i64 %v1676, 1
%v1678 = call i64 @llvm.smin.i64(i64 %v1677, i64 %v133)
%v1679 = sub i64 %v1678, 1
%v1680 = call i64 @llvm.smax.i64(i64 %v1679, i64 0)
%v1681 = ashr i64 %v1680, 9
%v1682 = call i64 @llvm.smin.i64(i64 0, i64 %v1681)
%v1683 = icmp sle i64 %v97, %v1682
%v1684 = add i64 %v137, %v1675
%v1685 = add i64 %v1684, 1
%v1686 = call i64 @llvm.smin.i64(i64 %v1685, i64 %v133)
%v1687 = sub i64 %v1686, 1
%v1688 = call i64 @llvm.smax.i64(i64 %v1687, i64 0)
%v1689 = ashr i64 %v1688, 9
%v1690 = icmp slt i64 %v1689, %v98
%v1691 = and i1 %v1683, %v1690
br i1 %v1691, label %then192, label %else193
then192:
%v1692 = getelementptr float, ptr %scratch, i64 2128
%v1693 = sdiv i64 %v1675, 6
%v1694 = mul i64 %v1693, 6
%v1695 = sub i64 %v1675, %v1694
%v1696 = icmp ne i64 %v1695, 0
%v1697 = xor i64 %v1695, 6
%v1698 = icmp slt i64 %v1697, 0
%v1699 = and i1 %v1696, %v1698
%v1700 = sub i64 %v1693, 1
%v1701 = select i1 %v1699, i64 %v1700, i64 %v1693
%v1702 = mul i64 %v1701, 8
%v1703 = srem i64 %v1675, 6
%v1704 = icmp ne i64 %v1703, 0
%v1705 = xor i64 %v1703, 6
%v1706 = icmp slt i64 %v1705, 0
%v1707 = and i1 %v1704, %v1706
%v1708 = add i64 %v1703, 6
%v1709 = select i1 %v1707, i64 %v1708, i64 %v1703
%v1710 = add i64 %v1702, %v1709
%v1711 = getelementptr float, ptr %v1692, i64 %v1710
%v1712 = load float, ptr %v1711, align 4
%v1713 = fcmp oeq float %v1712, 0x0000000000000000
%v1714 = fdiv float 0x3FF0000000000000, %v1712
%v1715 = select i1 %v1713, float 0x0000000000000000, float %v1714
%v1716 = insertelement <8 x float> poison, float %v1715, i32 0
%v1717 = shufflevector <8 x float> %v1716, <8 x float> poison, <8 x i32> zeroinitializer
%v1718 = add i64 %v128, %v1675
%v1719 = mul i64 %v1718, 16
%v1720 = mul i64 %v2, 8
%v1721 = add i64 %v1719, %v1720
%v1722 = getelementptr float, ptr %a8, i64 %v1721
%v1723 = mul i64 %v1675, 8
%v1724 = add i64 %v1723, 1680
%v1725 = getelementptr float, ptr %scratch, i64 %v1724
%v1726 = load <8 x float>, ptr %v1725, align 4
%v1727 = fmul <8 x float> %v1726, %v1717
store <8 x float> %v1727, ptr %v1722, align 4
br label %end194
else193:
br label %end194
end194:
%v1728 = add i64 %v1675, 1
%v1729 = icmp slt i64 %v1728, %v134
br i1 %v1729, label %loop189, label %end190
end190:
br label %end29
end29:
store i64 %v127, ptr %s11
br label %head20
end21:
%v1730 = add i64 %v1, 1
%v1731 = icmp slt i64 %v1730, %end
br i1 %v1731, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @paged_attention_combine_98e12fa7(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 7
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 8
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 4
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 3
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 6
%a4 = load ptr, ptr %a4.p, align 8
store i64 0, ptr %s0
%v0 = mul i64 %begin, 32
%v1 = mul i64 %end, 32
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 6)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v4 = phi i64 [ %v0, %guard3 ], [ %v134, %end12 ]
%v5 = ashr i64 %v4, 1
%v6 = and i64 %v4, 1
%v7 = add i64 %v5, 1
%v8 = getelementptr i32, ptr %a2, i64 %v5
%v9 = load i32, ptr %v8, align 4
%v10 = sext i32 %v9 to i64
%v11 = icmp ult i64 %v10, 2
%v12 = select i1 %v11, i64 32, i64 0
%v13 = sub i64 %v7, %v5
%v14 = getelementptr i32, ptr %a3, i64 %v5
%v15 = load i32, ptr %v14, align 4
%v16 = sext i32 %v15 to i64
%v17 = mul i64 %v13, 8
%v18 = icmp slt i64 0, %v17
br i1 %v18, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v19 = phi i64 [ 0, %guard6 ], [ %v22, %loop4 ]
%v20 = getelementptr float, ptr %scratch, i64 208
%v21 = getelementptr float, ptr %v20, i64 %v19
store <8 x float> splat (float 0x0000000000000000), ptr %v21, align 4
%v22 = add i64 %v19, 8
%v23 = icmp slt i64 %v22, %v17
br i1 %v23, label %loop4, label %end5
end5:
%v24 = mul i64 %v13, 8
%v25 = icmp slt i64 0, %v24
br i1 %v25, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v26 = phi i64 [ 0, %guard9 ], [ %v31, %loop7 ]
%v27 = getelementptr float, ptr %scratch, i64 224
%v28 = getelementptr float, ptr %v27, i64 %v26
store <8 x float> splat (float 0xC7EFFFFFE0000000), ptr %v28, align 4
%v29 = getelementptr float, ptr %scratch, i64 240
%v30 = getelementptr float, ptr %v29, i64 %v26
store <8 x float> splat (float 0x0000000000000000), ptr %v30, align 4
%v31 = add i64 %v26, 8
%v32 = icmp slt i64 %v31, %v24
br i1 %v32, label %loop7, label %end8
end8:
%v33 = add i64 %v16, 1
%v34 = call i64 @llvm.smin.i64(i64 %v33, i64 %v12)
%v35 = sub i64 %v34, 1
%v36 = call i64 @llvm.smax.i64(i64 %v35, i64 0)
%v37 = ashr i64 %v36, 9
%v38 = call i64 @llvm.smin.i64(i64 0, i64 %v37)
%v39 = add i64 %v16, 1
%v40 = call i64 @llvm.smin.i64(i64 %v39, i64 %v12)
%v41 = sub i64 %v40, 1
%v42 = call i64 @llvm.smax.i64(i64 %v41, i64 0)
%v43 = ashr i64 %v42, 9
%v44 = icmp slt i64 %v38, %v43
br i1 %v44, label %then10, label %else11
then10:
%v45 = add i64 %v43, 1
%v46 = icmp slt i64 %v38, %v45
br i1 %v46, label %guard15, label %end14
guard15:
br label %loop13
loop13:
%v47 = phi i64 [ %v38, %guard15 ], [ %v118, %loop13 ]
%v48 = mul i64 %v5, 2
%v49 = add i64 %v48, %v6
%v50 = add i64 %v49, %v47
%v51 = mul i64 %v50, 2
%v52 = getelementptr float, ptr %a1, i64 %v51
%v53 = load float, ptr %v52, align 4
%v54 = mul i64 %v50, 2
%v55 = add i64 %v54, 1
%v56 = getelementptr float, ptr %a1, i64 %v55
%v57 = load float, ptr %v56, align 4
%v58 = mul i64 %v50, 8
%v59 = getelementptr float, ptr %a0, i64 %v58
%v60 = getelementptr float, ptr %scratch, i64 224
%v61 = load float, ptr %v60, align 4
%v62 = fcmp ogt float %v53, %v61
%v63 = select i1 %v62, float %v53, float %v61
%v64 = fsub float %v61, %v63
%v65 = insertelement <8 x float> poison, float %v64, i32 0
%v66 = shufflevector <8 x float> %v65, <8 x float> poison, <8 x i32> zeroinitializer
%v67 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v66
%v68 = select <8 x i1> %v67, <8 x float> splat (float 0xC056000000000000), <8 x float> %v66
%v69 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v68, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v70 = fsub <8 x float> %v69, splat (float 0x4168000FE0000000)
%v71 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v70, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v68)
%v72 = bitcast <8 x float> %v69 to <8 x i32>
%v73 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v70, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v71)
%v74 = shl <8 x i32> %v72, splat (i32 23)
%v75 = bitcast <8 x i32> %v74 to <8 x float>
%v76 = fmul <8 x float> %v73, %v73
%v77 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v73, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v78 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v73, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v79 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v76, <8 x float> %v78)
%v80 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v79, <8 x float> %v76, <8 x float> %v77)
%v81 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v76, <8 x float> %v80, <8 x float> %v73)
%v82 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v81, <8 x float> %v75, <8 x float> %v75)
%v83 = fsub float %v53, %v63
%v84 = insertelement <8 x float> poison, float %v83, i32 0
%v85 = shufflevector <8 x float> %v84, <8 x float> poison, <8 x i32> zeroinitializer
%v86 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v85
%v87 = select <8 x i1> %v86, <8 x float> splat (float 0xC056000000000000), <8 x float> %v85
%v88 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v87, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v89 = fsub <8 x float> %v88, splat (float 0x4168000FE0000000)
%v90 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v89, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v87)
%v91 = bitcast <8 x float> %v88 to <8 x i32>
%v92 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v89, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v90)
%v93 = shl <8 x i32> %v91, splat (i32 23)
%v94 = bitcast <8 x i32> %v93 to <8 x float>
%v95 = fmul <8 x float> %v92, %v92
%v96 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v92, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v97 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v92, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v98 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v95, <8 x float> %v97)
%v99 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v98, <8 x float> %v95, <8 x float> %v96)
%v100 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v95, <8 x float> %v99, <8 x float> %v92)
%v101 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v100, <8 x float> %v94, <8 x float> %v94)
%v102 = getelementptr float, ptr %scratch, i64 240
%v103 = load float, ptr %v102, align 4
%v104 = insertelement <8 x float> poison, float %v103, i32 0
%v105 = shufflevector <8 x float> %v104, <8 x float> poison, <8 x i32> zeroinitializer
%v106 = insertelement <8 x float> poison, float %v57, i32 0
%v107 = shufflevector <8 x float> %v106, <8 x float> poison, <8 x i32> zeroinitializer
%v108 = fmul <8 x float> %v105, %v82
%v109 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v107, <8 x float> %v101, <8 x float> %v108)
%v110 = getelementptr float, ptr %scratch, i64 224
store float %v63, ptr %v110, align 4
%v111 = extractelement <8 x float> %v109, i64 0
%v112 = getelementptr float, ptr %scratch, i64 240
store float %v111, ptr %v112, align 4
%v113 = getelementptr float, ptr %scratch, i64 208
%v114 = load <8 x float>, ptr %v59, align 4
%v115 = load <8 x float>, ptr %v113, align 4
%v116 = fmul <8 x float> %v115, %v82
%v117 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v114, <8 x float> %v101, <8 x float> %v116)
store <8 x float> %v117, ptr %v113, align 4
%v118 = add i64 %v47, 1
%v119 = icmp slt i64 %v118, %v45
br i1 %v119, label %loop13, label %end14
end14:
%v120 = getelementptr float, ptr %scratch, i64 240
%v121 = load float, ptr %v120, align 4
%v122 = fcmp oeq float %v121, 0x0000000000000000
%v123 = fdiv float 0x3FF0000000000000, %v121
%v124 = select i1 %v122, float 0x0000000000000000, float %v123
%v125 = insertelement <8 x float> poison, float %v124, i32 0
%v126 = shufflevector <8 x float> %v125, <8 x float> poison, <8 x i32> zeroinitializer
%v127 = mul i64 %v5, 16
%v128 = mul i64 %v6, 8
%v129 = add i64 %v127, %v128
%v130 = getelementptr float, ptr %a4, i64 %v129
%v131 = getelementptr float, ptr %scratch, i64 208
%v132 = load <8 x float>, ptr %v131, align 4
%v133 = fmul <8 x float> %v132, %v126
store <8 x float> %v133, ptr %v130, align 4
br label %end12
else11:
br label %end12
end12:
%v134 = add i64 %v4, 1
%v135 = icmp slt i64 %v134, %v2
br i1 %v135, label %loop1, label %end2
end2:
ret void
}

