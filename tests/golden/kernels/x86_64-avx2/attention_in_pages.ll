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

define void @paged_attention_8ba2a48e(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%s2 = alloca i64
%s3 = alloca i64
%s4 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 3
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 4
%a1 = load ptr, ptr %a1.p, align 8
%s9 = alloca i64
%s10 = alloca i64
%s11 = alloca i64
%a2.p = getelementptr i64, ptr %args, i64 0
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 5
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 1
%a4 = load ptr, ptr %a4.p, align 8
%a5.p = getelementptr i64, ptr %args, i64 2
%a5 = load ptr, ptr %a5.p, align 8
%s20 = alloca <8 x float>
%s21 = alloca <8 x float>
%s22 = alloca <8 x float>
%s23 = alloca <8 x float>
%a6.p = getelementptr i64, ptr %args, i64 7
%a6 = load ptr, ptr %a6.p, align 8
%a7.p = getelementptr i64, ptr %args, i64 8
%a7 = load ptr, ptr %a7.p, align 8
%a8.p = getelementptr i64, ptr %args, i64 6
%a8 = load ptr, ptr %a8.p, align 8
%s30 = alloca <8 x float>
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
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v1718, %end21 ]
%v2 = and i64 %v1, 1
%v3 = ashr i64 %v1, 1
%v4 = mul i64 %v3, 48
store i64 %v4, ptr %s0
%v5 = mul i64 %v3, 48
%v6 = add i64 %v5, 48
%v7 = call i64 @llvm.smin.i64(i64 %v6, i64 3)
store i64 %v7, ptr %s1
store i64 0, ptr %s2
store i64 1, ptr %s3
br i1 true, label %then4, label %else5
then4:
%v8 = srem i64 %v3, 3
%v9 = icmp ne i64 %v8, 0
%v10 = xor i64 %v8, 3
%v11 = icmp slt i64 %v10, 0
%v12 = and i1 %v9, %v11
%v13 = add i64 %v8, 3
%v14 = select i1 %v12, i64 %v13, i64 %v8
store i64 %v14, ptr %s0
%v15 = load i64, ptr %s0
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
store i64 %v27, ptr %s4
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
store i64 %v15, ptr %s4
br label %end12
else11:
br label %end12
end12:
br label %end9
else8:
br label %end9
end9:
%v54 = load i64, ptr %s4
%v55 = icmp sgt i64 %v54, %v15
br i1 %v55, label %then13, label %else14
then13:
%v56 = load i64, ptr %s4
%v57 = add i64 %v15, 1
store i64 %v57, ptr %s9
br label %head16
head16:
%v58 = load i64, ptr %s9
%v59 = icmp sge i64 %v58, %v56
br i1 %v59, label %end17, label %next18
next18:
%v60 = load i64, ptr %s9
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
%v80 = load i64, ptr %s9
%v81 = add i64 %v80, 1
store i64 %v81, ptr %s9
br label %head16
end17:
%v82 = load i64, ptr %s9
store i64 %v82, ptr %s4
br label %end15
else14:
br label %end15
end15:
%v83 = load i64, ptr %s4
store i64 %v83, ptr %s1
%v84 = sdiv i64 %v3, 3
%v85 = mul i64 %v84, 3
%v86 = sub i64 %v3, %v85
%v87 = icmp ne i64 %v86, 0
%v88 = xor i64 %v86, 3
%v89 = icmp slt i64 %v88, 0
%v90 = and i1 %v87, %v89
%v91 = sub i64 %v84, 1
%v92 = select i1 %v90, i64 %v91, i64 %v84
store i64 %v92, ptr %s2
%v93 = load i64, ptr %s2
%v94 = add i64 %v93, 1
store i64 %v94, ptr %s3
br label %end6
else5:
br label %end6
end6:
%v95 = load i64, ptr %s0
%v96 = load i64, ptr %s1
%v97 = load i64, ptr %s2
%v98 = load i64, ptr %s3
store i64 %v95, ptr %s10
br label %head20
head20:
%v99 = load i64, ptr %s10
%v100 = icmp sge i64 %v99, %v96
br i1 %v100, label %end21, label %next22
next22:
%v101 = load i64, ptr %s10
%v102 = add i64 %v101, 1
store i64 %v102, ptr %s11
br label %head23
head23:
%v103 = load i64, ptr %s11
%v104 = icmp sge i64 %v103, %v96
br i1 %v104, label %end24, label %next25
next25:
%v105 = load i64, ptr %s11
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
%v125 = load i64, ptr %s11
%v126 = add i64 %v125, 1
store i64 %v126, ptr %s11
br label %head23
end24:
%v127 = load i64, ptr %s11
%v128 = load i64, ptr %s10
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
%v139 = mul i64 %v134, 8
%v140 = icmp slt i64 0, %v139
br i1 %v140, label %guard32, label %end31
guard32:
br label %loop30
loop30:
%v141 = phi i64 [ 0, %guard32 ], [ %v144, %loop30 ]
%v142 = getelementptr float, ptr %scratch, i64 208
%v143 = getelementptr float, ptr %v142, i64 %v141
store <8 x float> splat (float 0x0000000000000000), ptr %v143, align 4
%v144 = add i64 %v141, 8
%v145 = icmp slt i64 %v144, %v139
br i1 %v145, label %loop30, label %end31
end31:
%v146 = mul i64 %v134, 8
%v147 = icmp slt i64 0, %v146
br i1 %v147, label %guard35, label %end34
guard35:
br label %loop33
loop33:
%v148 = phi i64 [ 0, %guard35 ], [ %v153, %loop33 ]
%v149 = getelementptr float, ptr %scratch, i64 224
%v150 = getelementptr float, ptr %v149, i64 %v148
store <8 x float> splat (float 0xC7EFFFFFE0000000), ptr %v150, align 4
%v151 = getelementptr float, ptr %scratch, i64 240
%v152 = getelementptr float, ptr %v151, i64 %v148
store <8 x float> splat (float 0x0000000000000000), ptr %v152, align 4
%v153 = add i64 %v148, 8
%v154 = icmp slt i64 %v153, %v146
br i1 %v154, label %loop33, label %end34
end34:
%v155 = add i64 %v137, 1
%v156 = call i64 @llvm.smin.i64(i64 %v155, i64 %v133)
%v157 = sub i64 %v156, 1
%v158 = call i64 @llvm.smax.i64(i64 %v157, i64 0)
%v159 = ashr i64 %v158, 9
%v160 = call i64 @llvm.smin.i64(i64 0, i64 %v159)
%v161 = call i64 @llvm.smax.i64(i64 %v160, i64 %v97)
%v162 = sub i64 %v134, 1
%v163 = add i64 %v137, %v162
%v164 = add i64 %v163, 1
%v165 = call i64 @llvm.smin.i64(i64 %v164, i64 %v133)
%v166 = sub i64 %v165, 1
%v167 = call i64 @llvm.smax.i64(i64 %v166, i64 0)
%v168 = ashr i64 %v167, 9
%v169 = add i64 %v168, 1
%v170 = call i64 @llvm.smin.i64(i64 %v169, i64 %v98)
%v171 = icmp slt i64 %v161, %v170
br i1 %v171, label %then36, label %else37
then36:
%v172 = icmp slt i64 0, %v134
br i1 %v172, label %guard41, label %end40
guard41:
br label %loop39
loop39:
%v173 = phi i64 [ 0, %guard41 ], [ %v185, %loop39 ]
%v174 = sub i64 %v134, 1
%v175 = call i64 @llvm.smin.i64(i64 %v173, i64 %v174)
%v176 = add i64 %v128, %v175
%v177 = mul i64 %v176, 16
%v178 = mul i64 %v2, 8
%v179 = add i64 %v177, %v178
%v180 = getelementptr float, ptr %a2, i64 %v179
%v181 = load <8 x float>, ptr %v180, align 4
%v182 = fmul <8 x float> %v181, splat (float 0x3FD6A09E60000000)
%v183 = mul i64 %v173, 8
%v184 = getelementptr float, ptr %scratch, i64 %v183
store <8 x float> %v182, ptr %v184, align 4
%v185 = add i64 %v173, 1
%v186 = icmp slt i64 %v185, %v134
br i1 %v186, label %loop39, label %end40
end40:
br label %end38
else37:
br label %end38
end38:
%v187 = icmp slt i64 %v161, %v170
br i1 %v187, label %guard44, label %end43
guard44:
br label %loop42
loop42:
%v188 = phi i64 [ %v161, %guard44 ], [ %v617, %end84 ]
%v189 = mul i64 %v188, 512
%v190 = add i64 %v188, 1
%v191 = mul i64 %v190, 512
%v192 = mul i64 %v134, 8
%v193 = icmp slt i64 0, %v192
br i1 %v193, label %guard47, label %end46
guard47:
br label %loop45
loop45:
%v194 = phi i64 [ 0, %guard47 ], [ %v197, %loop45 ]
%v195 = getelementptr float, ptr %scratch, i64 16
%v196 = getelementptr float, ptr %v195, i64 %v194
store <8 x float> splat (float 0x0000000000000000), ptr %v196, align 4
%v197 = add i64 %v194, 8
%v198 = icmp slt i64 %v197, %v192
br i1 %v198, label %loop45, label %end46
end46:
%v199 = mul i64 %v134, 8
%v200 = icmp slt i64 0, %v199
br i1 %v200, label %guard50, label %end49
guard50:
br label %loop48
loop48:
%v201 = phi i64 [ 0, %guard50 ], [ %v206, %loop48 ]
%v202 = getelementptr float, ptr %scratch, i64 32
%v203 = getelementptr float, ptr %v202, i64 %v201
store <8 x float> splat (float 0xC7EFFFFFE0000000), ptr %v203, align 4
%v204 = getelementptr float, ptr %scratch, i64 48
%v205 = getelementptr float, ptr %v204, i64 %v201
store <8 x float> splat (float 0x0000000000000000), ptr %v205, align 4
%v206 = add i64 %v201, 8
%v207 = icmp slt i64 %v206, %v199
br i1 %v207, label %loop48, label %end49
end49:
%v208 = sub i64 %v134, 1
%v209 = call i64 @llvm.smax.i64(i64 0, i64 %v189)
%v210 = ashr i64 %v209, 7
%v211 = mul i64 %v210, 128
%v212 = add i64 %v137, %v208
%v213 = add i64 %v212, 1
%v214 = call i64 @llvm.smin.i64(i64 %v213, i64 %v133)
%v215 = call i64 @llvm.smin.i64(i64 %v214, i64 %v191)
br label %loop51
loop51:
%v216 = phi i64 [ 0, %end49 ], [ %v243, %end56 ]
%v217 = sub i64 %v216, 32
%v218 = ashr i64 %v211, 3
%v219 = add i64 %v218, %v217
%v220 = add i64 %v219, 32
%v221 = call i64 @llvm.smin.i64(i64 %v220, i64 3)
%v222 = mul i64 %v131, 4
%v223 = add i64 %v222, %v221
%v224 = getelementptr i32, ptr %a3, i64 %v223
%v225 = load i32, ptr %v224, align 4
%v226 = sext i32 %v225 to i64
%v227 = call i64 @llvm.smax.i64(i64 %v226, i64 0)
%v228 = call i64 @llvm.smin.i64(i64 %v227, i64 4)
%v229 = mul i64 %v228, 2
%v230 = add i64 %v229, %v2
br label %loop53
loop53:
%v231 = phi i64 [ 0, %loop51 ], [ %v235, %loop53 ]
%v232 = mul i64 %v230, 64
%v233 = add i64 %v232, %v231
%v234 = getelementptr float, ptr %a4, i64 %v233
call void @llvm.prefetch.p0(ptr %v234, i32 0, i32 2, i32 1)
%v235 = add i64 %v231, 16
%v236 = icmp slt i64 %v235, 64
br i1 %v236, label %loop53, label %end54
end54:
br label %loop55
loop55:
%v237 = phi i64 [ 0, %end54 ], [ %v241, %loop55 ]
%v238 = mul i64 %v230, 64
%v239 = add i64 %v238, %v237
%v240 = getelementptr float, ptr %a5, i64 %v239
call void @llvm.prefetch.p0(ptr %v240, i32 0, i32 2, i32 1)
%v241 = add i64 %v237, 16
%v242 = icmp slt i64 %v241, 64
br i1 %v242, label %loop55, label %end56
end56:
%v243 = add i64 %v216, 1
%v244 = icmp slt i64 %v243, 32
br i1 %v244, label %loop51, label %end52
end52:
%v245 = icmp slt i64 %v211, %v215
br i1 %v245, label %guard59, label %end58
guard59:
br label %loop57
loop57:
%v246 = phi i64 [ %v211, %guard59 ], [ %v495, %end61 ]
%v247 = add i64 %v246, 128
%v248 = call i64 @llvm.smin.i64(i64 %v247, i64 %v215)
%v249 = icmp slt i64 0, %v134
br i1 %v249, label %guard62, label %end61
guard62:
br label %loop60
loop60:
%v250 = phi i64 [ 0, %guard62 ], [ %v493, %end65 ]
%v251 = sub i64 %v134, 1
%v252 = call i64 @llvm.smin.i64(i64 %v250, i64 %v251)
%v253 = call i64 @llvm.smax.i64(i64 0, i64 %v246)
%v254 = add i64 %v137, %v252
%v255 = add i64 %v254, 1
%v256 = call i64 @llvm.smin.i64(i64 %v255, i64 %v133)
%v257 = call i64 @llvm.smin.i64(i64 %v256, i64 %v248)
%v258 = icmp slt i64 %v253, %v257
br i1 %v258, label %then63, label %else64
then63:
%v259 = sub i64 %v134, 1
%v260 = call i64 @llvm.smin.i64(i64 %v250, i64 %v259)
%v261 = add i64 %v137, %v260
%v262 = add i64 %v261, 1
%v263 = call i64 @llvm.smin.i64(i64 %v262, i64 %v133)
store <8 x float> splat (float 0xFFF0000000000000), ptr %s20
%v264 = sub i64 %v253, %v246
%v265 = ashr i64 %v264, 3
%v266 = sub i64 %v257, %v246
%v267 = add i64 %v266, 7
%v268 = ashr i64 %v267, 3
%v269 = icmp slt i64 %v265, %v268
br i1 %v269, label %guard68, label %end67
guard68:
br label %loop66
loop66:
%v270 = phi i64 [ %v265, %guard68 ], [ %v330, %end70 ]
%v271 = ashr i64 %v246, 3
%v272 = add i64 %v271, %v270
%v273 = mul i64 %v131, 4
%v274 = add i64 %v273, %v272
%v275 = getelementptr i32, ptr %a3, i64 %v274
%v276 = load i32, ptr %v275, align 4
%v277 = sext i32 %v276 to i64
%v278 = call i64 @llvm.smax.i64(i64 %v277, i64 0)
%v279 = call i64 @llvm.smin.i64(i64 %v278, i64 4)
%v280 = mul i64 %v279, 2
%v281 = add i64 %v280, %v2
%v282 = ashr i64 %v246, 3
%v283 = add i64 %v282, %v270
%v284 = add i64 %v283, 32
%v285 = call i64 @llvm.smin.i64(i64 %v284, i64 3)
%v286 = mul i64 %v131, 4
%v287 = add i64 %v286, %v285
%v288 = getelementptr i32, ptr %a3, i64 %v287
%v289 = load i32, ptr %v288, align 4
%v290 = sext i32 %v289 to i64
%v291 = call i64 @llvm.smax.i64(i64 %v290, i64 0)
%v292 = call i64 @llvm.smin.i64(i64 %v291, i64 4)
%v293 = mul i64 %v292, 2
%v294 = add i64 %v293, %v2
%v295 = mul i64 %v270, 8
%v296 = add i64 %v246, %v295
%v297 = mul i64 %v250, 8
%v298 = getelementptr float, ptr %scratch, i64 %v297
store <8 x float> splat (float 0x0000000000000000), ptr %s21
br label %loop69
loop69:
%v299 = phi i64 [ 0, %loop66 ], [ %v315, %loop69 ]
%v300 = mul i64 %v294, 8
%v301 = add i64 %v300, %v299
%v302 = mul i64 %v301, 8
%v303 = getelementptr float, ptr %a4, i64 %v302
call void @llvm.prefetch.p0(ptr %v303, i32 0, i32 2, i32 1)
%v304 = getelementptr float, ptr %v298, i64 %v299
%v305 = mul i64 %v281, 8
%v306 = add i64 %v305, %v299
%v307 = mul i64 %v306, 8
%v308 = getelementptr float, ptr %a4, i64 %v307
%v309 = load <8 x float>, ptr %v308, align 4
%v310 = load float, ptr %v304, align 4
%v311 = insertelement <8 x float> poison, float %v310, i32 0
%v312 = shufflevector <8 x float> %v311, <8 x float> poison, <8 x i32> zeroinitializer
%v313 = load <8 x float>, ptr %s21
%v314 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v312, <8 x float> %v309, <8 x float> %v313)
store <8 x float> %v314, ptr %s21
%v315 = add i64 %v299, 1
%v316 = icmp slt i64 %v315, 8
br i1 %v316, label %loop69, label %end70
end70:
%v317 = load <8 x float>, ptr %s21
%v318 = sub i64 %v263, %v296
%v319 = trunc i64 %v318 to i32
%v320 = insertelement <8 x i32> poison, i32 %v319, i32 0
%v321 = shufflevector <8 x i32> %v320, <8 x i32> poison, <8 x i32> zeroinitializer
%v322 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v321
%v323 = select <8 x i1> %v322, <8 x float> %v317, <8 x float> splat (float 0xFFF0000000000000)
%v324 = mul i64 %v270, 8
%v325 = getelementptr float, ptr %scratch, i64 80
%v326 = getelementptr float, ptr %v325, i64 %v324
store <8 x float> %v323, ptr %v326, align 4
%v327 = load <8 x float>, ptr %s20
%v328 = fcmp ogt <8 x float> %v323, %v327
%v329 = select <8 x i1> %v328, <8 x float> %v323, <8 x float> %v327
store <8 x float> %v329, ptr %s20
%v330 = add i64 %v270, 1
%v331 = icmp slt i64 %v330, %v268
br i1 %v331, label %loop66, label %end67
end67:
%v332 = mul i64 %v265, 8
%v333 = mul i64 %v268, 8
%v334 = load <8 x float>, ptr %s20
%v335 = mul i64 %v250, 8
%v336 = add i64 %v335, 32
%v337 = getelementptr float, ptr %scratch, i64 %v336
%v338 = mul i64 %v250, 8
%v339 = add i64 %v338, 48
%v340 = getelementptr float, ptr %scratch, i64 %v339
%v341 = shufflevector <8 x float> %v334, <8 x float> %v334, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v342 = shufflevector <8 x float> %v334, <8 x float> %v334, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v343 = fcmp ogt <8 x float> %v341, %v342
%v344 = select <8 x i1> %v343, <8 x float> %v341, <8 x float> %v342
%v345 = shufflevector <8 x float> %v344, <8 x float> %v344, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v346 = shufflevector <8 x float> %v344, <8 x float> %v344, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v347 = fcmp ogt <8 x float> %v345, %v346
%v348 = select <8 x i1> %v347, <8 x float> %v345, <8 x float> %v346
%v349 = shufflevector <8 x float> %v348, <8 x float> %v348, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v350 = shufflevector <8 x float> %v348, <8 x float> %v348, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v351 = fcmp ogt <8 x float> %v349, %v350
%v352 = select <8 x i1> %v351, <8 x float> %v349, <8 x float> %v350
%v353 = load <8 x float>, ptr %v337, align 4
%v354 = fcmp ogt <8 x float> %v352, %v353
%v355 = select <8 x i1> %v354, <8 x float> %v352, <8 x float> %v353
%v356 = freeze <8 x float> %v355
store <8 x float> %v356, ptr %v337, align 4
%v357 = fsub <8 x float> %v353, %v355
%v358 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v357
%v359 = select <8 x i1> %v358, <8 x float> splat (float 0xC056000000000000), <8 x float> %v357
%v360 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v359, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v361 = fsub <8 x float> %v360, splat (float 0x4168000FE0000000)
%v362 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v361, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v359)
%v363 = bitcast <8 x float> %v360 to <8 x i32>
%v364 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v361, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v362)
%v365 = shl <8 x i32> %v363, splat (i32 23)
%v366 = bitcast <8 x i32> %v365 to <8 x float>
%v367 = fmul <8 x float> %v364, %v364
%v368 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v364, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v369 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v364, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v370 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v367, <8 x float> %v369)
%v371 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v370, <8 x float> %v367, <8 x float> %v368)
%v372 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v367, <8 x float> %v371, <8 x float> %v364)
%v373 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v372, <8 x float> %v366, <8 x float> %v366)
%v374 = getelementptr float, ptr %scratch, i64 64
store <8 x float> %v373, ptr %v374, align 4
%v375 = load float, ptr %v337, align 4
%v376 = insertelement <8 x float> poison, float %v375, i32 0
%v377 = shufflevector <8 x float> %v376, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s22
%v378 = icmp slt i64 %v332, %v333
br i1 %v378, label %guard73, label %end72
guard73:
br label %loop71
loop71:
%v379 = phi i64 [ %v332, %guard73 ], [ %v404, %loop71 ]
%v380 = getelementptr float, ptr %scratch, i64 80
%v381 = getelementptr float, ptr %v380, i64 %v379
%v382 = load <8 x float>, ptr %v381, align 4
%v383 = fsub <8 x float> %v382, %v377
%v384 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v383
%v385 = select <8 x i1> %v384, <8 x float> splat (float 0xC056000000000000), <8 x float> %v383
%v386 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v385, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v387 = fsub <8 x float> %v386, splat (float 0x4168000FE0000000)
%v388 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v387, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v385)
%v389 = bitcast <8 x float> %v386 to <8 x i32>
%v390 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v387, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v388)
%v391 = shl <8 x i32> %v389, splat (i32 23)
%v392 = bitcast <8 x i32> %v391 to <8 x float>
%v393 = fmul <8 x float> %v390, %v390
%v394 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v390, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v395 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v390, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v396 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v393, <8 x float> %v395)
%v397 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v396, <8 x float> %v393, <8 x float> %v394)
%v398 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v393, <8 x float> %v397, <8 x float> %v390)
%v399 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v398, <8 x float> %v392, <8 x float> %v392)
%v400 = getelementptr float, ptr %scratch, i64 80
%v401 = getelementptr float, ptr %v400, i64 %v379
store <8 x float> %v399, ptr %v401, align 4
%v402 = load <8 x float>, ptr %s22
%v403 = fadd <8 x float> %v402, %v399
store <8 x float> %v403, ptr %s22
%v404 = add i64 %v379, 8
%v405 = icmp slt i64 %v404, %v333
br i1 %v405, label %loop71, label %end72
end72:
%v406 = load <8 x float>, ptr %s22
%v407 = shufflevector <8 x float> %v406, <8 x float> %v406, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v408 = shufflevector <8 x float> %v406, <8 x float> %v406, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v409 = fadd <8 x float> %v407, %v408
%v410 = shufflevector <8 x float> %v409, <8 x float> %v409, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v411 = shufflevector <8 x float> %v409, <8 x float> %v409, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v412 = fadd <8 x float> %v410, %v411
%v413 = shufflevector <8 x float> %v412, <8 x float> %v412, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v414 = shufflevector <8 x float> %v412, <8 x float> %v412, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v415 = fadd <8 x float> %v413, %v414
%v416 = load <8 x float>, ptr %v340, align 4
%v417 = getelementptr float, ptr %scratch, i64 64
%v418 = load <8 x float>, ptr %v417, align 4
%v419 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v416, <8 x float> %v418, <8 x float> %v415)
store <8 x float> %v419, ptr %v340, align 4
%v420 = mul i64 %v250, 8
%v421 = add i64 %v420, 16
%v422 = getelementptr float, ptr %scratch, i64 %v421
%v423 = getelementptr float, ptr %scratch, i64 64
%v424 = load float, ptr %v423, align 4
%v425 = fcmp une float %v424, 0x3FF0000000000000
br i1 %v425, label %then74, label %else75
then74:
%v426 = load <8 x float>, ptr %v422, align 4
%v427 = insertelement <8 x float> poison, float %v424, i32 0
%v428 = shufflevector <8 x float> %v427, <8 x float> poison, <8 x i32> zeroinitializer
%v429 = fmul <8 x float> %v426, %v428
store <8 x float> %v429, ptr %v422, align 4
br label %end76
else75:
br label %end76
end76:
%v430 = sub i64 %v253, %v246
%v431 = ashr i64 %v430, 3
%v432 = sub i64 %v257, %v246
%v433 = add i64 %v432, 7
%v434 = ashr i64 %v433, 3
%v435 = icmp slt i64 %v431, %v434
br i1 %v435, label %guard79, label %end78
guard79:
br label %loop77
loop77:
%v436 = phi i64 [ %v431, %guard79 ], [ %v491, %end81 ]
%v437 = ashr i64 %v246, 3
%v438 = add i64 %v437, %v436
%v439 = mul i64 %v131, 4
%v440 = add i64 %v439, %v438
%v441 = getelementptr i32, ptr %a3, i64 %v440
%v442 = load i32, ptr %v441, align 4
%v443 = sext i32 %v442 to i64
%v444 = call i64 @llvm.smax.i64(i64 %v443, i64 0)
%v445 = call i64 @llvm.smin.i64(i64 %v444, i64 4)
%v446 = mul i64 %v445, 2
%v447 = add i64 %v446, %v2
%v448 = mul i64 %v436, 8
%v449 = add i64 %v246, %v448
%v450 = ashr i64 %v246, 3
%v451 = add i64 %v450, %v436
%v452 = add i64 %v451, 32
%v453 = call i64 @llvm.smin.i64(i64 %v452, i64 3)
%v454 = mul i64 %v131, 4
%v455 = add i64 %v454, %v453
%v456 = getelementptr i32, ptr %a3, i64 %v455
%v457 = load i32, ptr %v456, align 4
%v458 = sext i32 %v457 to i64
%v459 = call i64 @llvm.smax.i64(i64 %v458, i64 0)
%v460 = call i64 @llvm.smin.i64(i64 %v459, i64 4)
%v461 = mul i64 %v460, 2
%v462 = add i64 %v461, %v2
%v463 = sub i64 %v253, %v449
%v464 = call i64 @llvm.smax.i64(i64 %v463, i64 0)
%v465 = sub i64 %v257, %v449
%v466 = call i64 @llvm.smin.i64(i64 %v465, i64 8)
%v467 = mul i64 %v436, 8
%v468 = add i64 %v467, 80
%v469 = getelementptr float, ptr %scratch, i64 %v468
%v470 = load <8 x float>, ptr %v422, align 4
store <8 x float> %v470, ptr %s23
%v471 = icmp slt i64 %v464, %v466
br i1 %v471, label %guard82, label %end81
guard82:
br label %loop80
loop80:
%v472 = phi i64 [ %v464, %guard82 ], [ %v488, %loop80 ]
%v473 = mul i64 %v462, 8
%v474 = add i64 %v473, %v472
%v475 = mul i64 %v474, 8
%v476 = getelementptr float, ptr %a5, i64 %v475
call void @llvm.prefetch.p0(ptr %v476, i32 0, i32 2, i32 1)
%v477 = getelementptr float, ptr %v469, i64 %v472
%v478 = mul i64 %v447, 8
%v479 = add i64 %v478, %v472
%v480 = mul i64 %v479, 8
%v481 = getelementptr float, ptr %a5, i64 %v480
%v482 = load <8 x float>, ptr %v481, align 4
%v483 = load float, ptr %v477, align 4
%v484 = insertelement <8 x float> poison, float %v483, i32 0
%v485 = shufflevector <8 x float> %v484, <8 x float> poison, <8 x i32> zeroinitializer
%v486 = load <8 x float>, ptr %s23
%v487 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v485, <8 x float> %v482, <8 x float> %v486)
store <8 x float> %v487, ptr %s23
%v488 = add i64 %v472, 1
%v489 = icmp slt i64 %v488, %v466
br i1 %v489, label %loop80, label %end81
end81:
%v490 = load <8 x float>, ptr %s23
store <8 x float> %v490, ptr %v422, align 4
%v491 = add i64 %v436, 1
%v492 = icmp slt i64 %v491, %v434
br i1 %v492, label %loop77, label %end78
end78:
br label %end65
else64:
br label %end65
end65:
%v493 = add i64 %v250, 1
%v494 = icmp slt i64 %v493, %v134
br i1 %v494, label %loop60, label %end61
end61:
%v495 = add i64 %v246, 128
%v496 = icmp slt i64 %v495, %v215
br i1 %v496, label %loop57, label %end58
end58:
%v497 = icmp slt i64 0, %v134
br i1 %v497, label %guard85, label %end84
guard85:
br label %loop83
loop83:
%v498 = phi i64 [ 0, %guard85 ], [ %v615, %end88 ]
%v499 = add i64 %v137, %v498
%v500 = add i64 %v499, 1
%v501 = call i64 @llvm.smin.i64(i64 %v500, i64 %v133)
%v502 = sub i64 %v501, 1
%v503 = call i64 @llvm.smax.i64(i64 %v502, i64 0)
%v504 = ashr i64 %v503, 9
%v505 = call i64 @llvm.smin.i64(i64 0, i64 %v504)
%v506 = add i64 %v137, %v498
%v507 = add i64 %v506, 1
%v508 = call i64 @llvm.smin.i64(i64 %v507, i64 %v133)
%v509 = sub i64 %v508, 1
%v510 = call i64 @llvm.smax.i64(i64 %v509, i64 0)
%v511 = ashr i64 %v510, 9
%v512 = icmp sle i64 %v505, %v188
%v513 = icmp sle i64 %v188, %v511
%v514 = and i1 %v512, %v513
br i1 %v514, label %then86, label %else87
then86:
%v515 = icmp sle i64 %v97, %v505
%v516 = icmp slt i64 %v511, %v98
%v517 = and i1 %v515, %v516
br i1 %v517, label %then89, label %else90
then89:
%v518 = mul i64 %v498, 8
%v519 = getelementptr float, ptr %scratch, i64 32
%v520 = getelementptr float, ptr %v519, i64 %v518
%v521 = load float, ptr %v520, align 4
%v522 = getelementptr float, ptr %scratch, i64 48
%v523 = getelementptr float, ptr %v522, i64 %v518
%v524 = load float, ptr %v523, align 4
%v525 = mul i64 %v498, 8
%v526 = add i64 %v525, 16
%v527 = getelementptr float, ptr %scratch, i64 %v526
%v528 = mul i64 %v498, 8
%v529 = getelementptr float, ptr %scratch, i64 224
%v530 = getelementptr float, ptr %v529, i64 %v528
%v531 = load float, ptr %v530, align 4
%v532 = fcmp ogt float %v521, %v531
%v533 = select i1 %v532, float %v521, float %v531
%v534 = fsub float %v531, %v533
%v535 = insertelement <8 x float> poison, float %v534, i32 0
%v536 = shufflevector <8 x float> %v535, <8 x float> poison, <8 x i32> zeroinitializer
%v537 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v536
%v538 = select <8 x i1> %v537, <8 x float> splat (float 0xC056000000000000), <8 x float> %v536
%v539 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v538, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v540 = fsub <8 x float> %v539, splat (float 0x4168000FE0000000)
%v541 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v540, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v538)
%v542 = bitcast <8 x float> %v539 to <8 x i32>
%v543 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v540, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v541)
%v544 = shl <8 x i32> %v542, splat (i32 23)
%v545 = bitcast <8 x i32> %v544 to <8 x float>
%v546 = fmul <8 x float> %v543, %v543
%v547 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v543, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v548 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v543, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v549 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v546, <8 x float> %v548)
%v550 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v549, <8 x float> %v546, <8 x float> %v547)
%v551 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v546, <8 x float> %v550, <8 x float> %v543)
%v552 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v551, <8 x float> %v545, <8 x float> %v545)
%v553 = fsub float %v521, %v533
%v554 = insertelement <8 x float> poison, float %v553, i32 0
%v555 = shufflevector <8 x float> %v554, <8 x float> poison, <8 x i32> zeroinitializer
%v556 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v555
%v557 = select <8 x i1> %v556, <8 x float> splat (float 0xC056000000000000), <8 x float> %v555
%v558 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v557, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v559 = fsub <8 x float> %v558, splat (float 0x4168000FE0000000)
%v560 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v559, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v557)
%v561 = bitcast <8 x float> %v558 to <8 x i32>
%v562 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v559, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v560)
%v563 = shl <8 x i32> %v561, splat (i32 23)
%v564 = bitcast <8 x i32> %v563 to <8 x float>
%v565 = fmul <8 x float> %v562, %v562
%v566 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v562, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v567 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v562, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v568 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v565, <8 x float> %v567)
%v569 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v568, <8 x float> %v565, <8 x float> %v566)
%v570 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v565, <8 x float> %v569, <8 x float> %v562)
%v571 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v570, <8 x float> %v564, <8 x float> %v564)
%v572 = getelementptr float, ptr %scratch, i64 240
%v573 = getelementptr float, ptr %v572, i64 %v528
%v574 = load float, ptr %v573, align 4
%v575 = insertelement <8 x float> poison, float %v574, i32 0
%v576 = shufflevector <8 x float> %v575, <8 x float> poison, <8 x i32> zeroinitializer
%v577 = insertelement <8 x float> poison, float %v524, i32 0
%v578 = shufflevector <8 x float> %v577, <8 x float> poison, <8 x i32> zeroinitializer
%v579 = fmul <8 x float> %v576, %v552
%v580 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v578, <8 x float> %v571, <8 x float> %v579)
%v581 = getelementptr float, ptr %scratch, i64 224
%v582 = getelementptr float, ptr %v581, i64 %v528
store float %v533, ptr %v582, align 4
%v583 = extractelement <8 x float> %v580, i64 0
%v584 = getelementptr float, ptr %scratch, i64 240
%v585 = getelementptr float, ptr %v584, i64 %v528
store float %v583, ptr %v585, align 4
%v586 = mul i64 %v498, 8
%v587 = add i64 %v586, 208
%v588 = getelementptr float, ptr %scratch, i64 %v587
%v589 = load <8 x float>, ptr %v527, align 4
%v590 = load <8 x float>, ptr %v588, align 4
%v591 = fmul <8 x float> %v590, %v552
%v592 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v589, <8 x float> %v571, <8 x float> %v591)
store <8 x float> %v592, ptr %v588, align 4
br label %end91
else90:
%v593 = mul i64 %v498, 8
%v594 = getelementptr float, ptr %scratch, i64 32
%v595 = getelementptr float, ptr %v594, i64 %v593
%v596 = load float, ptr %v595, align 4
%v597 = getelementptr float, ptr %scratch, i64 48
%v598 = getelementptr float, ptr %v597, i64 %v593
%v599 = load float, ptr %v598, align 4
%v600 = mul i64 %v498, 8
%v601 = add i64 %v600, 16
%v602 = getelementptr float, ptr %scratch, i64 %v601
%v603 = add i64 %v128, %v498
%v604 = mul i64 %v603, 2
%v605 = add i64 %v604, %v2
%v606 = add i64 %v605, %v188
%v607 = load <8 x float>, ptr %v602, align 4
%v608 = mul i64 %v606, 8
%v609 = getelementptr float, ptr %a6, i64 %v608
store <8 x float> %v607, ptr %v609, align 4
%v610 = mul i64 %v606, 2
%v611 = getelementptr float, ptr %a7, i64 %v610
store float %v596, ptr %v611, align 4
%v612 = mul i64 %v606, 2
%v613 = add i64 %v612, 1
%v614 = getelementptr float, ptr %a7, i64 %v613
store float %v599, ptr %v614, align 4
br label %end91
end91:
br label %end88
else87:
br label %end88
end88:
%v615 = add i64 %v498, 1
%v616 = icmp slt i64 %v615, %v134
br i1 %v616, label %loop83, label %end84
end84:
%v617 = add i64 %v188, 1
%v618 = icmp slt i64 %v617, %v170
br i1 %v618, label %loop42, label %end43
end43:
%v619 = icmp slt i64 0, %v134
br i1 %v619, label %guard94, label %end93
guard94:
br label %loop92
loop92:
%v620 = phi i64 [ 0, %guard94 ], [ %v656, %end97 ]
%v621 = add i64 %v137, %v620
%v622 = add i64 %v621, 1
%v623 = call i64 @llvm.smin.i64(i64 %v622, i64 %v133)
%v624 = sub i64 %v623, 1
%v625 = call i64 @llvm.smax.i64(i64 %v624, i64 0)
%v626 = ashr i64 %v625, 9
%v627 = call i64 @llvm.smin.i64(i64 0, i64 %v626)
%v628 = icmp sle i64 %v97, %v627
%v629 = add i64 %v137, %v620
%v630 = add i64 %v629, 1
%v631 = call i64 @llvm.smin.i64(i64 %v630, i64 %v133)
%v632 = sub i64 %v631, 1
%v633 = call i64 @llvm.smax.i64(i64 %v632, i64 0)
%v634 = ashr i64 %v633, 9
%v635 = icmp slt i64 %v634, %v98
%v636 = and i1 %v628, %v635
br i1 %v636, label %then95, label %else96
then95:
%v637 = getelementptr float, ptr %scratch, i64 240
%v638 = mul i64 %v620, 8
%v639 = getelementptr float, ptr %v637, i64 %v638
%v640 = load float, ptr %v639, align 4
%v641 = fcmp oeq float %v640, 0x0000000000000000
%v642 = fdiv float 0x3FF0000000000000, %v640
%v643 = select i1 %v641, float 0x0000000000000000, float %v642
%v644 = insertelement <8 x float> poison, float %v643, i32 0
%v645 = shufflevector <8 x float> %v644, <8 x float> poison, <8 x i32> zeroinitializer
%v646 = add i64 %v128, %v620
%v647 = mul i64 %v646, 16
%v648 = mul i64 %v2, 8
%v649 = add i64 %v647, %v648
%v650 = getelementptr float, ptr %a8, i64 %v649
%v651 = mul i64 %v620, 8
%v652 = add i64 %v651, 208
%v653 = getelementptr float, ptr %scratch, i64 %v652
%v654 = load <8 x float>, ptr %v653, align 4
%v655 = fmul <8 x float> %v654, %v645
store <8 x float> %v655, ptr %v650, align 4
br label %end97
else96:
br label %end97
end97:
%v656 = add i64 %v620, 1
%v657 = icmp slt i64 %v656, %v134
br i1 %v657, label %loop92, label %end93
end93:
br label %end29
else28:
%v658 = add i64 %v134, 5
%v659 = sdiv i64 %v658, 6
%v660 = mul i64 %v659, 6
%v661 = sub i64 %v658, %v660
%v662 = icmp ne i64 %v661, 0
%v663 = xor i64 %v661, 6
%v664 = icmp slt i64 %v663, 0
%v665 = and i1 %v662, %v664
%v666 = sub i64 %v659, 1
%v667 = select i1 %v665, i64 %v666, i64 %v659
%v668 = mul i64 %v134, 8
%v669 = icmp slt i64 0, %v668
br i1 %v669, label %guard100, label %end99
guard100:
br label %loop98
loop98:
%v670 = phi i64 [ 0, %guard100 ], [ %v673, %loop98 ]
%v671 = getelementptr float, ptr %scratch, i64 1680
%v672 = getelementptr float, ptr %v671, i64 %v670
store <8 x float> splat (float 0x0000000000000000), ptr %v672, align 4
%v673 = add i64 %v670, 8
%v674 = icmp slt i64 %v673, %v668
br i1 %v674, label %loop98, label %end99
end99:
%v675 = mul i64 %v667, 8
%v676 = icmp slt i64 0, %v675
br i1 %v676, label %guard103, label %end102
guard103:
br label %loop101
loop101:
%v677 = phi i64 [ 0, %guard103 ], [ %v682, %loop101 ]
%v678 = getelementptr float, ptr %scratch, i64 2064
%v679 = getelementptr float, ptr %v678, i64 %v677
store <8 x float> splat (float 0xC7EFFFFFE0000000), ptr %v679, align 4
%v680 = getelementptr float, ptr %scratch, i64 2128
%v681 = getelementptr float, ptr %v680, i64 %v677
store <8 x float> splat (float 0x0000000000000000), ptr %v681, align 4
%v682 = add i64 %v677, 8
%v683 = icmp slt i64 %v682, %v675
br i1 %v683, label %loop101, label %end102
end102:
%v684 = add i64 %v137, 1
%v685 = call i64 @llvm.smin.i64(i64 %v684, i64 %v133)
%v686 = sub i64 %v685, 1
%v687 = call i64 @llvm.smax.i64(i64 %v686, i64 0)
%v688 = ashr i64 %v687, 9
%v689 = call i64 @llvm.smin.i64(i64 0, i64 %v688)
%v690 = call i64 @llvm.smax.i64(i64 %v689, i64 %v97)
%v691 = sub i64 %v134, 1
%v692 = add i64 %v137, %v691
%v693 = add i64 %v692, 1
%v694 = call i64 @llvm.smin.i64(i64 %v693, i64 %v133)
%v695 = sub i64 %v694, 1
%v696 = call i64 @llvm.smax.i64(i64 %v695, i64 0)
%v697 = ashr i64 %v696, 9
%v698 = add i64 %v697, 1
%v699 = call i64 @llvm.smin.i64(i64 %v698, i64 %v98)
%v700 = icmp slt i64 %v690, %v699
br i1 %v700, label %then104, label %else105
then104:
%v701 = mul i64 %v667, 6
%v702 = icmp slt i64 0, %v701
br i1 %v702, label %guard109, label %end108
guard109:
br label %loop107
loop107:
%v703 = phi i64 [ 0, %guard109 ], [ %v715, %loop107 ]
%v704 = sub i64 %v134, 1
%v705 = call i64 @llvm.smin.i64(i64 %v703, i64 %v704)
%v706 = add i64 %v128, %v705
%v707 = mul i64 %v706, 16
%v708 = mul i64 %v2, 8
%v709 = add i64 %v707, %v708
%v710 = getelementptr float, ptr %a2, i64 %v709
%v711 = load <8 x float>, ptr %v710, align 4
%v712 = fmul <8 x float> %v711, splat (float 0x3FD6A09E60000000)
%v713 = mul i64 %v703, 8
%v714 = getelementptr float, ptr %scratch, i64 %v713
store <8 x float> %v712, ptr %v714, align 4
%v715 = add i64 %v703, 1
%v716 = icmp slt i64 %v715, %v701
br i1 %v716, label %loop107, label %end108
end108:
br label %end106
else105:
br label %end106
end106:
%v717 = icmp slt i64 %v690, %v699
br i1 %v717, label %guard112, label %end111
guard112:
br label %loop110
loop110:
%v718 = phi i64 [ %v690, %guard112 ], [ %v1660, %end180 ]
%v719 = mul i64 %v718, 512
%v720 = add i64 %v718, 1
%v721 = mul i64 %v720, 512
%v722 = mul i64 %v667, 48
%v723 = icmp slt i64 0, %v722
br i1 %v723, label %guard115, label %end114
guard115:
br label %loop113
loop113:
%v724 = phi i64 [ 0, %guard115 ], [ %v727, %loop113 ]
%v725 = getelementptr float, ptr %scratch, i64 384
%v726 = getelementptr float, ptr %v725, i64 %v724
store <8 x float> splat (float 0x0000000000000000), ptr %v726, align 4
%v727 = add i64 %v724, 8
%v728 = icmp slt i64 %v727, %v722
br i1 %v728, label %loop113, label %end114
end114:
%v729 = mul i64 %v667, 8
%v730 = icmp slt i64 0, %v729
br i1 %v730, label %guard118, label %end117
guard118:
br label %loop116
loop116:
%v731 = phi i64 [ 0, %guard118 ], [ %v736, %loop116 ]
%v732 = getelementptr float, ptr %scratch, i64 768
%v733 = getelementptr float, ptr %v732, i64 %v731
store <8 x float> splat (float 0xC7EFFFFFE0000000), ptr %v733, align 4
%v734 = getelementptr float, ptr %scratch, i64 832
%v735 = getelementptr float, ptr %v734, i64 %v731
store <8 x float> splat (float 0x0000000000000000), ptr %v735, align 4
%v736 = add i64 %v731, 8
%v737 = icmp slt i64 %v736, %v729
br i1 %v737, label %loop116, label %end117
end117:
%v738 = sub i64 %v134, 1
%v739 = call i64 @llvm.smax.i64(i64 0, i64 %v719)
%v740 = ashr i64 %v739, 7
%v741 = mul i64 %v740, 128
%v742 = add i64 %v137, %v738
%v743 = add i64 %v742, 1
%v744 = call i64 @llvm.smin.i64(i64 %v743, i64 %v133)
%v745 = call i64 @llvm.smin.i64(i64 %v744, i64 %v721)
%v746 = icmp slt i64 %v741, %v745
br i1 %v746, label %guard121, label %end120
guard121:
br label %loop119
loop119:
%v747 = phi i64 [ %v741, %guard121 ], [ %v1487, %end123 ]
%v748 = add i64 %v747, 128
%v749 = call i64 @llvm.smin.i64(i64 %v748, i64 %v745)
%v750 = icmp slt i64 0, %v667
br i1 %v750, label %guard124, label %end123
guard124:
br label %loop122
loop122:
%v751 = phi i64 [ 0, %guard124 ], [ %v1485, %end127 ]
%v752 = mul i64 %v751, 6
%v753 = add i64 %v752, 5
%v754 = sub i64 %v134, 1
%v755 = call i64 @llvm.smin.i64(i64 %v753, i64 %v754)
%v756 = call i64 @llvm.smax.i64(i64 0, i64 %v747)
%v757 = add i64 %v137, %v755
%v758 = add i64 %v757, 1
%v759 = call i64 @llvm.smin.i64(i64 %v758, i64 %v133)
%v760 = call i64 @llvm.smin.i64(i64 %v759, i64 %v749)
%v761 = icmp slt i64 %v756, %v760
br i1 %v761, label %then125, label %else126
then125:
%v762 = mul i64 %v751, 6
%v763 = sub i64 %v134, 1
%v764 = call i64 @llvm.smin.i64(i64 %v762, i64 %v763)
%v765 = mul i64 %v751, 6
%v766 = add i64 %v765, 1
%v767 = sub i64 %v134, 1
%v768 = call i64 @llvm.smin.i64(i64 %v766, i64 %v767)
%v769 = mul i64 %v751, 6
%v770 = add i64 %v769, 2
%v771 = sub i64 %v134, 1
%v772 = call i64 @llvm.smin.i64(i64 %v770, i64 %v771)
%v773 = mul i64 %v751, 6
%v774 = add i64 %v773, 3
%v775 = sub i64 %v134, 1
%v776 = call i64 @llvm.smin.i64(i64 %v774, i64 %v775)
%v777 = mul i64 %v751, 6
%v778 = add i64 %v777, 4
%v779 = sub i64 %v134, 1
%v780 = call i64 @llvm.smin.i64(i64 %v778, i64 %v779)
%v781 = mul i64 %v751, 6
%v782 = add i64 %v781, 5
%v783 = sub i64 %v134, 1
%v784 = call i64 @llvm.smin.i64(i64 %v782, i64 %v783)
%v785 = add i64 %v137, %v764
%v786 = add i64 %v785, 1
%v787 = call i64 @llvm.smin.i64(i64 %v786, i64 %v133)
%v788 = add i64 %v137, %v768
%v789 = add i64 %v788, 1
%v790 = call i64 @llvm.smin.i64(i64 %v789, i64 %v133)
%v791 = add i64 %v137, %v772
%v792 = add i64 %v791, 1
%v793 = call i64 @llvm.smin.i64(i64 %v792, i64 %v133)
%v794 = add i64 %v137, %v776
%v795 = add i64 %v794, 1
%v796 = call i64 @llvm.smin.i64(i64 %v795, i64 %v133)
%v797 = add i64 %v137, %v780
%v798 = add i64 %v797, 1
%v799 = call i64 @llvm.smin.i64(i64 %v798, i64 %v133)
%v800 = add i64 %v137, %v784
%v801 = add i64 %v800, 1
%v802 = call i64 @llvm.smin.i64(i64 %v801, i64 %v133)
store <8 x float> splat (float 0xFFF0000000000000), ptr %s30
store <8 x float> splat (float 0xFFF0000000000000), ptr %s31
store <8 x float> splat (float 0xFFF0000000000000), ptr %s32
store <8 x float> splat (float 0xFFF0000000000000), ptr %s33
store <8 x float> splat (float 0xFFF0000000000000), ptr %s34
store <8 x float> splat (float 0xFFF0000000000000), ptr %s35
%v803 = sub i64 %v756, %v747
%v804 = ashr i64 %v803, 3
%v805 = sub i64 %v760, %v747
%v806 = add i64 %v805, 7
%v807 = ashr i64 %v806, 3
%v808 = icmp slt i64 %v804, %v807
br i1 %v808, label %guard130, label %end129
guard130:
br label %loop128
loop128:
%v809 = phi i64 [ %v804, %guard130 ], [ %v952, %end132 ]
%v810 = ashr i64 %v747, 3
%v811 = add i64 %v810, %v809
%v812 = mul i64 %v131, 4
%v813 = add i64 %v812, %v811
%v814 = getelementptr i32, ptr %a3, i64 %v813
%v815 = load i32, ptr %v814, align 4
%v816 = sext i32 %v815 to i64
%v817 = call i64 @llvm.smax.i64(i64 %v816, i64 0)
%v818 = call i64 @llvm.smin.i64(i64 %v817, i64 4)
%v819 = mul i64 %v818, 2
%v820 = add i64 %v819, %v2
%v821 = mul i64 %v809, 8
%v822 = add i64 %v747, %v821
%v823 = mul i64 %v751, 48
%v824 = getelementptr float, ptr %scratch, i64 %v823
store <8 x float> splat (float 0x0000000000000000), ptr %s36
store <8 x float> splat (float 0x0000000000000000), ptr %s37
store <8 x float> splat (float 0x0000000000000000), ptr %s38
store <8 x float> splat (float 0x0000000000000000), ptr %s39
store <8 x float> splat (float 0x0000000000000000), ptr %s40
store <8 x float> splat (float 0x0000000000000000), ptr %s41
br label %loop131
loop131:
%v825 = phi i64 [ 0, %loop128 ], [ %v867, %loop131 ]
%v826 = getelementptr float, ptr %v824, i64 %v825
%v827 = mul i64 %v820, 8
%v828 = add i64 %v827, %v825
%v829 = mul i64 %v828, 8
%v830 = getelementptr float, ptr %a4, i64 %v829
%v831 = load <8 x float>, ptr %v830, align 4
%v832 = load float, ptr %v826, align 4
%v833 = insertelement <8 x float> poison, float %v832, i32 0
%v834 = shufflevector <8 x float> %v833, <8 x float> poison, <8 x i32> zeroinitializer
%v835 = load <8 x float>, ptr %s36
%v836 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v834, <8 x float> %v831, <8 x float> %v835)
store <8 x float> %v836, ptr %s36
%v837 = getelementptr float, ptr %v826, i64 8
%v838 = load float, ptr %v837, align 4
%v839 = insertelement <8 x float> poison, float %v838, i32 0
%v840 = shufflevector <8 x float> %v839, <8 x float> poison, <8 x i32> zeroinitializer
%v841 = load <8 x float>, ptr %s37
%v842 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v840, <8 x float> %v831, <8 x float> %v841)
store <8 x float> %v842, ptr %s37
%v843 = getelementptr float, ptr %v826, i64 16
%v844 = load float, ptr %v843, align 4
%v845 = insertelement <8 x float> poison, float %v844, i32 0
%v846 = shufflevector <8 x float> %v845, <8 x float> poison, <8 x i32> zeroinitializer
%v847 = load <8 x float>, ptr %s38
%v848 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v846, <8 x float> %v831, <8 x float> %v847)
store <8 x float> %v848, ptr %s38
%v849 = getelementptr float, ptr %v826, i64 24
%v850 = load float, ptr %v849, align 4
%v851 = insertelement <8 x float> poison, float %v850, i32 0
%v852 = shufflevector <8 x float> %v851, <8 x float> poison, <8 x i32> zeroinitializer
%v853 = load <8 x float>, ptr %s39
%v854 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v852, <8 x float> %v831, <8 x float> %v853)
store <8 x float> %v854, ptr %s39
%v855 = getelementptr float, ptr %v826, i64 32
%v856 = load float, ptr %v855, align 4
%v857 = insertelement <8 x float> poison, float %v856, i32 0
%v858 = shufflevector <8 x float> %v857, <8 x float> poison, <8 x i32> zeroinitializer
%v859 = load <8 x float>, ptr %s40
%v860 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v858, <8 x float> %v831, <8 x float> %v859)
store <8 x float> %v860, ptr %s40
%v861 = getelementptr float, ptr %v826, i64 40
%v862 = load float, ptr %v861, align 4
%v863 = insertelement <8 x float> poison, float %v862, i32 0
%v864 = shufflevector <8 x float> %v863, <8 x float> poison, <8 x i32> zeroinitializer
%v865 = load <8 x float>, ptr %s41
%v866 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v864, <8 x float> %v831, <8 x float> %v865)
store <8 x float> %v866, ptr %s41
%v867 = add i64 %v825, 1
%v868 = icmp slt i64 %v867, 8
br i1 %v868, label %loop131, label %end132
end132:
%v869 = load <8 x float>, ptr %s36
%v870 = load <8 x float>, ptr %s37
%v871 = load <8 x float>, ptr %s38
%v872 = load <8 x float>, ptr %s39
%v873 = load <8 x float>, ptr %s40
%v874 = load <8 x float>, ptr %s41
%v875 = sub i64 %v787, %v822
%v876 = trunc i64 %v875 to i32
%v877 = insertelement <8 x i32> poison, i32 %v876, i32 0
%v878 = shufflevector <8 x i32> %v877, <8 x i32> poison, <8 x i32> zeroinitializer
%v879 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v878
%v880 = select <8 x i1> %v879, <8 x float> %v869, <8 x float> splat (float 0xFFF0000000000000)
%v881 = mul i64 %v809, 8
%v882 = getelementptr float, ptr %scratch, i64 912
%v883 = getelementptr float, ptr %v882, i64 %v881
store <8 x float> %v880, ptr %v883, align 4
%v884 = load <8 x float>, ptr %s30
%v885 = fcmp ogt <8 x float> %v880, %v884
%v886 = select <8 x i1> %v885, <8 x float> %v880, <8 x float> %v884
store <8 x float> %v886, ptr %s30
%v887 = sub i64 %v790, %v822
%v888 = trunc i64 %v887 to i32
%v889 = insertelement <8 x i32> poison, i32 %v888, i32 0
%v890 = shufflevector <8 x i32> %v889, <8 x i32> poison, <8 x i32> zeroinitializer
%v891 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v890
%v892 = select <8 x i1> %v891, <8 x float> %v870, <8 x float> splat (float 0xFFF0000000000000)
%v893 = mul i64 %v809, 8
%v894 = add i64 %v893, 128
%v895 = getelementptr float, ptr %scratch, i64 912
%v896 = getelementptr float, ptr %v895, i64 %v894
store <8 x float> %v892, ptr %v896, align 4
%v897 = load <8 x float>, ptr %s31
%v898 = fcmp ogt <8 x float> %v892, %v897
%v899 = select <8 x i1> %v898, <8 x float> %v892, <8 x float> %v897
store <8 x float> %v899, ptr %s31
%v900 = sub i64 %v793, %v822
%v901 = trunc i64 %v900 to i32
%v902 = insertelement <8 x i32> poison, i32 %v901, i32 0
%v903 = shufflevector <8 x i32> %v902, <8 x i32> poison, <8 x i32> zeroinitializer
%v904 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v903
%v905 = select <8 x i1> %v904, <8 x float> %v871, <8 x float> splat (float 0xFFF0000000000000)
%v906 = mul i64 %v809, 8
%v907 = add i64 %v906, 256
%v908 = getelementptr float, ptr %scratch, i64 912
%v909 = getelementptr float, ptr %v908, i64 %v907
store <8 x float> %v905, ptr %v909, align 4
%v910 = load <8 x float>, ptr %s32
%v911 = fcmp ogt <8 x float> %v905, %v910
%v912 = select <8 x i1> %v911, <8 x float> %v905, <8 x float> %v910
store <8 x float> %v912, ptr %s32
%v913 = sub i64 %v796, %v822
%v914 = trunc i64 %v913 to i32
%v915 = insertelement <8 x i32> poison, i32 %v914, i32 0
%v916 = shufflevector <8 x i32> %v915, <8 x i32> poison, <8 x i32> zeroinitializer
%v917 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v916
%v918 = select <8 x i1> %v917, <8 x float> %v872, <8 x float> splat (float 0xFFF0000000000000)
%v919 = mul i64 %v809, 8
%v920 = add i64 %v919, 384
%v921 = getelementptr float, ptr %scratch, i64 912
%v922 = getelementptr float, ptr %v921, i64 %v920
store <8 x float> %v918, ptr %v922, align 4
%v923 = load <8 x float>, ptr %s33
%v924 = fcmp ogt <8 x float> %v918, %v923
%v925 = select <8 x i1> %v924, <8 x float> %v918, <8 x float> %v923
store <8 x float> %v925, ptr %s33
%v926 = sub i64 %v799, %v822
%v927 = trunc i64 %v926 to i32
%v928 = insertelement <8 x i32> poison, i32 %v927, i32 0
%v929 = shufflevector <8 x i32> %v928, <8 x i32> poison, <8 x i32> zeroinitializer
%v930 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v929
%v931 = select <8 x i1> %v930, <8 x float> %v873, <8 x float> splat (float 0xFFF0000000000000)
%v932 = mul i64 %v809, 8
%v933 = add i64 %v932, 512
%v934 = getelementptr float, ptr %scratch, i64 912
%v935 = getelementptr float, ptr %v934, i64 %v933
store <8 x float> %v931, ptr %v935, align 4
%v936 = load <8 x float>, ptr %s34
%v937 = fcmp ogt <8 x float> %v931, %v936
%v938 = select <8 x i1> %v937, <8 x float> %v931, <8 x float> %v936
store <8 x float> %v938, ptr %s34
%v939 = sub i64 %v802, %v822
%v940 = trunc i64 %v939 to i32
%v941 = insertelement <8 x i32> poison, i32 %v940, i32 0
%v942 = shufflevector <8 x i32> %v941, <8 x i32> poison, <8 x i32> zeroinitializer
%v943 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v942
%v944 = select <8 x i1> %v943, <8 x float> %v874, <8 x float> splat (float 0xFFF0000000000000)
%v945 = mul i64 %v809, 8
%v946 = add i64 %v945, 640
%v947 = getelementptr float, ptr %scratch, i64 912
%v948 = getelementptr float, ptr %v947, i64 %v946
store <8 x float> %v944, ptr %v948, align 4
%v949 = load <8 x float>, ptr %s35
%v950 = fcmp ogt <8 x float> %v944, %v949
%v951 = select <8 x i1> %v950, <8 x float> %v944, <8 x float> %v949
store <8 x float> %v951, ptr %s35
%v952 = add i64 %v809, 1
%v953 = icmp slt i64 %v952, %v807
br i1 %v953, label %loop128, label %end129
end129:
%v954 = mul i64 %v804, 8
%v955 = mul i64 %v807, 8
%v956 = load <8 x float>, ptr %s30
%v957 = load <8 x float>, ptr %s31
%v958 = load <8 x float>, ptr %s32
%v959 = load <8 x float>, ptr %s33
%v960 = load <8 x float>, ptr %s34
%v961 = load <8 x float>, ptr %s35
%v962 = mul i64 %v751, 8
%v963 = add i64 %v962, 768
%v964 = getelementptr float, ptr %scratch, i64 %v963
%v965 = mul i64 %v751, 8
%v966 = add i64 %v965, 832
%v967 = getelementptr float, ptr %scratch, i64 %v966
%v968 = shufflevector <8 x float> %v956, <8 x float> %v957, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v969 = shufflevector <8 x float> %v956, <8 x float> %v957, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v970 = fcmp ogt <8 x float> %v968, %v969
%v971 = select <8 x i1> %v970, <8 x float> %v968, <8 x float> %v969
%v972 = shufflevector <8 x float> %v958, <8 x float> %v959, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v973 = shufflevector <8 x float> %v958, <8 x float> %v959, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v974 = fcmp ogt <8 x float> %v972, %v973
%v975 = select <8 x i1> %v974, <8 x float> %v972, <8 x float> %v973
%v976 = shufflevector <8 x float> %v960, <8 x float> %v961, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v977 = shufflevector <8 x float> %v960, <8 x float> %v961, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v978 = fcmp ogt <8 x float> %v976, %v977
%v979 = select <8 x i1> %v978, <8 x float> %v976, <8 x float> %v977
%v980 = shufflevector <8 x float> %v971, <8 x float> %v975, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v981 = shufflevector <8 x float> %v971, <8 x float> %v975, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v982 = fcmp ogt <8 x float> %v980, %v981
%v983 = select <8 x i1> %v982, <8 x float> %v980, <8 x float> %v981
%v984 = shufflevector <8 x float> %v979, <8 x float> %v979, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v985 = shufflevector <8 x float> %v979, <8 x float> %v979, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v986 = fcmp ogt <8 x float> %v984, %v985
%v987 = select <8 x i1> %v986, <8 x float> %v984, <8 x float> %v985
%v988 = shufflevector <8 x float> %v983, <8 x float> %v987, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v989 = shufflevector <8 x float> %v983, <8 x float> %v987, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v990 = fcmp ogt <8 x float> %v988, %v989
%v991 = select <8 x i1> %v990, <8 x float> %v988, <8 x float> %v989
%v992 = load <8 x float>, ptr %v964, align 4
%v993 = fcmp ogt <8 x float> %v991, %v992
%v994 = select <8 x i1> %v993, <8 x float> %v991, <8 x float> %v992
%v995 = freeze <8 x float> %v994
store <8 x float> %v995, ptr %v964, align 4
%v996 = fsub <8 x float> %v992, %v994
%v997 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v996
%v998 = select <8 x i1> %v997, <8 x float> splat (float 0xC056000000000000), <8 x float> %v996
%v999 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v998, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1000 = fsub <8 x float> %v999, splat (float 0x4168000FE0000000)
%v1001 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1000, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v998)
%v1002 = bitcast <8 x float> %v999 to <8 x i32>
%v1003 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1000, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1001)
%v1004 = shl <8 x i32> %v1002, splat (i32 23)
%v1005 = bitcast <8 x i32> %v1004 to <8 x float>
%v1006 = fmul <8 x float> %v1003, %v1003
%v1007 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1003, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1008 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1003, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1009 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1006, <8 x float> %v1008)
%v1010 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1009, <8 x float> %v1006, <8 x float> %v1007)
%v1011 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1006, <8 x float> %v1010, <8 x float> %v1003)
%v1012 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1011, <8 x float> %v1005, <8 x float> %v1005)
%v1013 = getelementptr float, ptr %scratch, i64 896
store <8 x float> %v1012, ptr %v1013, align 4
%v1014 = load float, ptr %v964, align 4
%v1015 = insertelement <8 x float> poison, float %v1014, i32 0
%v1016 = shufflevector <8 x float> %v1015, <8 x float> poison, <8 x i32> zeroinitializer
%v1017 = getelementptr float, ptr %v964, i64 1
%v1018 = load float, ptr %v1017, align 4
%v1019 = insertelement <8 x float> poison, float %v1018, i32 0
%v1020 = shufflevector <8 x float> %v1019, <8 x float> poison, <8 x i32> zeroinitializer
%v1021 = getelementptr float, ptr %v964, i64 2
%v1022 = load float, ptr %v1021, align 4
%v1023 = insertelement <8 x float> poison, float %v1022, i32 0
%v1024 = shufflevector <8 x float> %v1023, <8 x float> poison, <8 x i32> zeroinitializer
%v1025 = getelementptr float, ptr %v964, i64 3
%v1026 = load float, ptr %v1025, align 4
%v1027 = insertelement <8 x float> poison, float %v1026, i32 0
%v1028 = shufflevector <8 x float> %v1027, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s42
store <8 x float> splat (float 0x0000000000000000), ptr %s43
store <8 x float> splat (float 0x0000000000000000), ptr %s44
store <8 x float> splat (float 0x0000000000000000), ptr %s45
%v1029 = icmp slt i64 %v954, %v955
br i1 %v1029, label %guard135, label %end134
guard135:
br label %loop133
loop133:
%v1030 = phi i64 [ %v954, %guard135 ], [ %v1130, %loop133 ]
%v1031 = getelementptr float, ptr %scratch, i64 912
%v1032 = getelementptr float, ptr %v1031, i64 %v1030
%v1033 = load <8 x float>, ptr %v1032, align 4
%v1034 = fsub <8 x float> %v1033, %v1016
%v1035 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1034
%v1036 = select <8 x i1> %v1035, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1034
%v1037 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1036, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1038 = fsub <8 x float> %v1037, splat (float 0x4168000FE0000000)
%v1039 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1038, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1036)
%v1040 = bitcast <8 x float> %v1037 to <8 x i32>
%v1041 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1038, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1039)
%v1042 = shl <8 x i32> %v1040, splat (i32 23)
%v1043 = bitcast <8 x i32> %v1042 to <8 x float>
%v1044 = fmul <8 x float> %v1041, %v1041
%v1045 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1041, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1046 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1041, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1047 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1044, <8 x float> %v1046)
%v1048 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1047, <8 x float> %v1044, <8 x float> %v1045)
%v1049 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1044, <8 x float> %v1048, <8 x float> %v1041)
%v1050 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1049, <8 x float> %v1043, <8 x float> %v1043)
%v1051 = getelementptr float, ptr %scratch, i64 912
%v1052 = getelementptr float, ptr %v1051, i64 %v1030
store <8 x float> %v1050, ptr %v1052, align 4
%v1053 = load <8 x float>, ptr %s42
%v1054 = fadd <8 x float> %v1053, %v1050
store <8 x float> %v1054, ptr %s42
%v1055 = add i64 %v1030, 128
%v1056 = getelementptr float, ptr %scratch, i64 912
%v1057 = getelementptr float, ptr %v1056, i64 %v1055
%v1058 = load <8 x float>, ptr %v1057, align 4
%v1059 = fsub <8 x float> %v1058, %v1020
%v1060 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1059
%v1061 = select <8 x i1> %v1060, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1059
%v1062 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1061, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1063 = fsub <8 x float> %v1062, splat (float 0x4168000FE0000000)
%v1064 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1063, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1061)
%v1065 = bitcast <8 x float> %v1062 to <8 x i32>
%v1066 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1063, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1064)
%v1067 = shl <8 x i32> %v1065, splat (i32 23)
%v1068 = bitcast <8 x i32> %v1067 to <8 x float>
%v1069 = fmul <8 x float> %v1066, %v1066
%v1070 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1066, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1071 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1066, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1072 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1069, <8 x float> %v1071)
%v1073 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1072, <8 x float> %v1069, <8 x float> %v1070)
%v1074 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1069, <8 x float> %v1073, <8 x float> %v1066)
%v1075 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1074, <8 x float> %v1068, <8 x float> %v1068)
%v1076 = getelementptr float, ptr %scratch, i64 912
%v1077 = getelementptr float, ptr %v1076, i64 %v1055
store <8 x float> %v1075, ptr %v1077, align 4
%v1078 = load <8 x float>, ptr %s43
%v1079 = fadd <8 x float> %v1078, %v1075
store <8 x float> %v1079, ptr %s43
%v1080 = add i64 %v1030, 256
%v1081 = getelementptr float, ptr %scratch, i64 912
%v1082 = getelementptr float, ptr %v1081, i64 %v1080
%v1083 = load <8 x float>, ptr %v1082, align 4
%v1084 = fsub <8 x float> %v1083, %v1024
%v1085 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1084
%v1086 = select <8 x i1> %v1085, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1084
%v1087 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1086, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1088 = fsub <8 x float> %v1087, splat (float 0x4168000FE0000000)
%v1089 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1088, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1086)
%v1090 = bitcast <8 x float> %v1087 to <8 x i32>
%v1091 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1088, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1089)
%v1092 = shl <8 x i32> %v1090, splat (i32 23)
%v1093 = bitcast <8 x i32> %v1092 to <8 x float>
%v1094 = fmul <8 x float> %v1091, %v1091
%v1095 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1091, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1096 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1091, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1097 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1094, <8 x float> %v1096)
%v1098 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1097, <8 x float> %v1094, <8 x float> %v1095)
%v1099 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1094, <8 x float> %v1098, <8 x float> %v1091)
%v1100 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1099, <8 x float> %v1093, <8 x float> %v1093)
%v1101 = getelementptr float, ptr %scratch, i64 912
%v1102 = getelementptr float, ptr %v1101, i64 %v1080
store <8 x float> %v1100, ptr %v1102, align 4
%v1103 = load <8 x float>, ptr %s44
%v1104 = fadd <8 x float> %v1103, %v1100
store <8 x float> %v1104, ptr %s44
%v1105 = add i64 %v1030, 384
%v1106 = getelementptr float, ptr %scratch, i64 912
%v1107 = getelementptr float, ptr %v1106, i64 %v1105
%v1108 = load <8 x float>, ptr %v1107, align 4
%v1109 = fsub <8 x float> %v1108, %v1028
%v1110 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1109
%v1111 = select <8 x i1> %v1110, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1109
%v1112 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1111, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1113 = fsub <8 x float> %v1112, splat (float 0x4168000FE0000000)
%v1114 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1113, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1111)
%v1115 = bitcast <8 x float> %v1112 to <8 x i32>
%v1116 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1113, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1114)
%v1117 = shl <8 x i32> %v1115, splat (i32 23)
%v1118 = bitcast <8 x i32> %v1117 to <8 x float>
%v1119 = fmul <8 x float> %v1116, %v1116
%v1120 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1116, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1121 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1116, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1122 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1119, <8 x float> %v1121)
%v1123 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1122, <8 x float> %v1119, <8 x float> %v1120)
%v1124 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1119, <8 x float> %v1123, <8 x float> %v1116)
%v1125 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1124, <8 x float> %v1118, <8 x float> %v1118)
%v1126 = getelementptr float, ptr %scratch, i64 912
%v1127 = getelementptr float, ptr %v1126, i64 %v1105
store <8 x float> %v1125, ptr %v1127, align 4
%v1128 = load <8 x float>, ptr %s45
%v1129 = fadd <8 x float> %v1128, %v1125
store <8 x float> %v1129, ptr %s45
%v1130 = add i64 %v1030, 8
%v1131 = icmp slt i64 %v1130, %v955
br i1 %v1131, label %loop133, label %end134
end134:
%v1132 = load <8 x float>, ptr %s42
%v1133 = load <8 x float>, ptr %s43
%v1134 = load <8 x float>, ptr %s44
%v1135 = load <8 x float>, ptr %s45
%v1136 = getelementptr float, ptr %v964, i64 4
%v1137 = load float, ptr %v1136, align 4
%v1138 = insertelement <8 x float> poison, float %v1137, i32 0
%v1139 = shufflevector <8 x float> %v1138, <8 x float> poison, <8 x i32> zeroinitializer
%v1140 = getelementptr float, ptr %v964, i64 5
%v1141 = load float, ptr %v1140, align 4
%v1142 = insertelement <8 x float> poison, float %v1141, i32 0
%v1143 = shufflevector <8 x float> %v1142, <8 x float> poison, <8 x i32> zeroinitializer
store <8 x float> splat (float 0x0000000000000000), ptr %s46
store <8 x float> splat (float 0x0000000000000000), ptr %s47
%v1144 = icmp slt i64 %v954, %v955
br i1 %v1144, label %guard138, label %end137
guard138:
br label %loop136
loop136:
%v1145 = phi i64 [ %v954, %guard138 ], [ %v1196, %loop136 ]
%v1146 = add i64 %v1145, 512
%v1147 = getelementptr float, ptr %scratch, i64 912
%v1148 = getelementptr float, ptr %v1147, i64 %v1146
%v1149 = load <8 x float>, ptr %v1148, align 4
%v1150 = fsub <8 x float> %v1149, %v1139
%v1151 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1150
%v1152 = select <8 x i1> %v1151, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1150
%v1153 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1152, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1154 = fsub <8 x float> %v1153, splat (float 0x4168000FE0000000)
%v1155 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1154, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1152)
%v1156 = bitcast <8 x float> %v1153 to <8 x i32>
%v1157 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1154, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1155)
%v1158 = shl <8 x i32> %v1156, splat (i32 23)
%v1159 = bitcast <8 x i32> %v1158 to <8 x float>
%v1160 = fmul <8 x float> %v1157, %v1157
%v1161 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1157, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1162 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1157, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1163 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1160, <8 x float> %v1162)
%v1164 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1163, <8 x float> %v1160, <8 x float> %v1161)
%v1165 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1160, <8 x float> %v1164, <8 x float> %v1157)
%v1166 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1165, <8 x float> %v1159, <8 x float> %v1159)
%v1167 = getelementptr float, ptr %scratch, i64 912
%v1168 = getelementptr float, ptr %v1167, i64 %v1146
store <8 x float> %v1166, ptr %v1168, align 4
%v1169 = load <8 x float>, ptr %s46
%v1170 = fadd <8 x float> %v1169, %v1166
store <8 x float> %v1170, ptr %s46
%v1171 = add i64 %v1145, 640
%v1172 = getelementptr float, ptr %scratch, i64 912
%v1173 = getelementptr float, ptr %v1172, i64 %v1171
%v1174 = load <8 x float>, ptr %v1173, align 4
%v1175 = fsub <8 x float> %v1174, %v1143
%v1176 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1175
%v1177 = select <8 x i1> %v1176, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1175
%v1178 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1177, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1179 = fsub <8 x float> %v1178, splat (float 0x4168000FE0000000)
%v1180 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1179, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1177)
%v1181 = bitcast <8 x float> %v1178 to <8 x i32>
%v1182 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1179, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1180)
%v1183 = shl <8 x i32> %v1181, splat (i32 23)
%v1184 = bitcast <8 x i32> %v1183 to <8 x float>
%v1185 = fmul <8 x float> %v1182, %v1182
%v1186 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1182, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1187 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1182, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1188 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1185, <8 x float> %v1187)
%v1189 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1188, <8 x float> %v1185, <8 x float> %v1186)
%v1190 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1185, <8 x float> %v1189, <8 x float> %v1182)
%v1191 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1190, <8 x float> %v1184, <8 x float> %v1184)
%v1192 = getelementptr float, ptr %scratch, i64 912
%v1193 = getelementptr float, ptr %v1192, i64 %v1171
store <8 x float> %v1191, ptr %v1193, align 4
%v1194 = load <8 x float>, ptr %s47
%v1195 = fadd <8 x float> %v1194, %v1191
store <8 x float> %v1195, ptr %s47
%v1196 = add i64 %v1145, 8
%v1197 = icmp slt i64 %v1196, %v955
br i1 %v1197, label %loop136, label %end137
end137:
%v1198 = load <8 x float>, ptr %s46
%v1199 = load <8 x float>, ptr %s47
%v1200 = shufflevector <8 x float> %v1132, <8 x float> %v1133, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v1201 = shufflevector <8 x float> %v1132, <8 x float> %v1133, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v1202 = fadd <8 x float> %v1200, %v1201
%v1203 = shufflevector <8 x float> %v1134, <8 x float> %v1135, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v1204 = shufflevector <8 x float> %v1134, <8 x float> %v1135, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v1205 = fadd <8 x float> %v1203, %v1204
%v1206 = shufflevector <8 x float> %v1198, <8 x float> %v1199, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
%v1207 = shufflevector <8 x float> %v1198, <8 x float> %v1199, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
%v1208 = fadd <8 x float> %v1206, %v1207
%v1209 = shufflevector <8 x float> %v1202, <8 x float> %v1205, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v1210 = shufflevector <8 x float> %v1202, <8 x float> %v1205, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v1211 = fadd <8 x float> %v1209, %v1210
%v1212 = shufflevector <8 x float> %v1208, <8 x float> %v1208, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
%v1213 = shufflevector <8 x float> %v1208, <8 x float> %v1208, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
%v1214 = fadd <8 x float> %v1212, %v1213
%v1215 = shufflevector <8 x float> %v1211, <8 x float> %v1214, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
%v1216 = shufflevector <8 x float> %v1211, <8 x float> %v1214, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
%v1217 = fadd <8 x float> %v1215, %v1216
%v1218 = load <8 x float>, ptr %v967, align 4
%v1219 = getelementptr float, ptr %scratch, i64 896
%v1220 = load <8 x float>, ptr %v1219, align 4
%v1221 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1218, <8 x float> %v1220, <8 x float> %v1217)
store <8 x float> %v1221, ptr %v967, align 4
%v1222 = mul i64 %v751, 48
%v1223 = add i64 %v1222, 384
%v1224 = getelementptr float, ptr %scratch, i64 %v1223
%v1225 = getelementptr float, ptr %scratch, i64 896
%v1226 = load float, ptr %v1225, align 4
%v1227 = fcmp une float %v1226, 0x3FF0000000000000
br i1 %v1227, label %then139, label %else140
then139:
%v1228 = load <8 x float>, ptr %v1224, align 4
%v1229 = insertelement <8 x float> poison, float %v1226, i32 0
%v1230 = shufflevector <8 x float> %v1229, <8 x float> poison, <8 x i32> zeroinitializer
%v1231 = fmul <8 x float> %v1228, %v1230
store <8 x float> %v1231, ptr %v1224, align 4
br label %end141
else140:
br label %end141
end141:
%v1232 = getelementptr float, ptr %scratch, i64 896
%v1233 = getelementptr float, ptr %v1232, i64 1
%v1234 = load float, ptr %v1233, align 4
%v1235 = fcmp une float %v1234, 0x3FF0000000000000
br i1 %v1235, label %then142, label %else143
then142:
%v1236 = getelementptr float, ptr %v1224, i64 8
%v1237 = load <8 x float>, ptr %v1236, align 4
%v1238 = insertelement <8 x float> poison, float %v1234, i32 0
%v1239 = shufflevector <8 x float> %v1238, <8 x float> poison, <8 x i32> zeroinitializer
%v1240 = fmul <8 x float> %v1237, %v1239
%v1241 = getelementptr float, ptr %v1224, i64 8
store <8 x float> %v1240, ptr %v1241, align 4
br label %end144
else143:
br label %end144
end144:
%v1242 = getelementptr float, ptr %scratch, i64 896
%v1243 = getelementptr float, ptr %v1242, i64 2
%v1244 = load float, ptr %v1243, align 4
%v1245 = fcmp une float %v1244, 0x3FF0000000000000
br i1 %v1245, label %then145, label %else146
then145:
%v1246 = getelementptr float, ptr %v1224, i64 16
%v1247 = load <8 x float>, ptr %v1246, align 4
%v1248 = insertelement <8 x float> poison, float %v1244, i32 0
%v1249 = shufflevector <8 x float> %v1248, <8 x float> poison, <8 x i32> zeroinitializer
%v1250 = fmul <8 x float> %v1247, %v1249
%v1251 = getelementptr float, ptr %v1224, i64 16
store <8 x float> %v1250, ptr %v1251, align 4
br label %end147
else146:
br label %end147
end147:
%v1252 = getelementptr float, ptr %scratch, i64 896
%v1253 = getelementptr float, ptr %v1252, i64 3
%v1254 = load float, ptr %v1253, align 4
%v1255 = fcmp une float %v1254, 0x3FF0000000000000
br i1 %v1255, label %then148, label %else149
then148:
%v1256 = getelementptr float, ptr %v1224, i64 24
%v1257 = load <8 x float>, ptr %v1256, align 4
%v1258 = insertelement <8 x float> poison, float %v1254, i32 0
%v1259 = shufflevector <8 x float> %v1258, <8 x float> poison, <8 x i32> zeroinitializer
%v1260 = fmul <8 x float> %v1257, %v1259
%v1261 = getelementptr float, ptr %v1224, i64 24
store <8 x float> %v1260, ptr %v1261, align 4
br label %end150
else149:
br label %end150
end150:
%v1262 = getelementptr float, ptr %scratch, i64 896
%v1263 = getelementptr float, ptr %v1262, i64 4
%v1264 = load float, ptr %v1263, align 4
%v1265 = fcmp une float %v1264, 0x3FF0000000000000
br i1 %v1265, label %then151, label %else152
then151:
%v1266 = getelementptr float, ptr %v1224, i64 32
%v1267 = load <8 x float>, ptr %v1266, align 4
%v1268 = insertelement <8 x float> poison, float %v1264, i32 0
%v1269 = shufflevector <8 x float> %v1268, <8 x float> poison, <8 x i32> zeroinitializer
%v1270 = fmul <8 x float> %v1267, %v1269
%v1271 = getelementptr float, ptr %v1224, i64 32
store <8 x float> %v1270, ptr %v1271, align 4
br label %end153
else152:
br label %end153
end153:
%v1272 = getelementptr float, ptr %scratch, i64 896
%v1273 = getelementptr float, ptr %v1272, i64 5
%v1274 = load float, ptr %v1273, align 4
%v1275 = fcmp une float %v1274, 0x3FF0000000000000
br i1 %v1275, label %then154, label %else155
then154:
%v1276 = getelementptr float, ptr %v1224, i64 40
%v1277 = load <8 x float>, ptr %v1276, align 4
%v1278 = insertelement <8 x float> poison, float %v1274, i32 0
%v1279 = shufflevector <8 x float> %v1278, <8 x float> poison, <8 x i32> zeroinitializer
%v1280 = fmul <8 x float> %v1277, %v1279
%v1281 = getelementptr float, ptr %v1224, i64 40
store <8 x float> %v1280, ptr %v1281, align 4
br label %end156
else155:
br label %end156
end156:
%v1282 = call i64 @llvm.smax.i64(i64 0, i64 %v756)
%v1283 = call i64 @llvm.smin.i64(i64 %v1282, i64 %v760)
%v1284 = add i64 %v137, %v752
%v1285 = add i64 %v1284, 1
%v1286 = call i64 @llvm.smin.i64(i64 %v1285, i64 %v133)
%v1287 = call i64 @llvm.smin.i64(i64 %v1286, i64 %v760)
%v1288 = call i64 @llvm.smax.i64(i64 %v1287, i64 %v1283)
%v1289 = icmp slt i64 %v756, %v1283
br i1 %v1289, label %guard159, label %end158
guard159:
br label %loop157
loop157:
%v1290 = phi i64 [ %v756, %guard159 ], [ %v1337, %end161 ]
%v1291 = sub i64 %v1290, %v747
%v1292 = ashr i64 %v1291, 3
%v1293 = sub i64 %v1290, %v747
%v1294 = and i64 %v1293, 7
%v1295 = ashr i64 %v747, 3
%v1296 = add i64 %v1295, %v1292
%v1297 = mul i64 %v131, 4
%v1298 = add i64 %v1297, %v1296
%v1299 = getelementptr i32, ptr %a3, i64 %v1298
%v1300 = load i32, ptr %v1299, align 4
%v1301 = sext i32 %v1300 to i64
%v1302 = call i64 @llvm.smax.i64(i64 %v1301, i64 0)
%v1303 = call i64 @llvm.smin.i64(i64 %v1302, i64 4)
%v1304 = mul i64 %v1303, 2
%v1305 = add i64 %v1304, %v2
%v1306 = mul i64 %v1292, 8
%v1307 = add i64 %v1306, %v1294
br label %loop160
loop160:
%v1308 = phi i64 [ 0, %loop157 ], [ %v1335, %end164 ]
%v1309 = add i64 %v752, %v1308
%v1310 = sub i64 %v134, 1
%v1311 = call i64 @llvm.smin.i64(i64 %v1309, i64 %v1310)
%v1312 = add i64 %v137, %v1311
%v1313 = add i64 %v1312, 1
%v1314 = call i64 @llvm.smin.i64(i64 %v1313, i64 %v133)
%v1315 = icmp slt i64 %v1290, %v1314
%v1316 = icmp sge i64 %v1290, 0
%v1317 = and i1 %v1315, %v1316
br i1 %v1317, label %then162, label %else163
then162:
%v1318 = getelementptr float, ptr %scratch, i64 912
%v1319 = mul i64 %v1308, 128
%v1320 = add i64 %v1307, %v1319
%v1321 = getelementptr float, ptr %v1318, i64 %v1320
%v1322 = load float, ptr %v1321, align 4
%v1323 = mul i64 %v1308, 8
%v1324 = mul i64 %v1305, 8
%v1325 = add i64 %v1324, %v1294
%v1326 = mul i64 %v1325, 8
%v1327 = getelementptr float, ptr %a5, i64 %v1326
%v1328 = load <8 x float>, ptr %v1327, align 4
%v1329 = insertelement <8 x float> poison, float %v1322, i32 0
%v1330 = shufflevector <8 x float> %v1329, <8 x float> poison, <8 x i32> zeroinitializer
%v1331 = getelementptr float, ptr %v1224, i64 %v1323
%v1332 = load <8 x float>, ptr %v1331, align 4
%v1333 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1330, <8 x float> %v1328, <8 x float> %v1332)
%v1334 = getelementptr float, ptr %v1224, i64 %v1323
store <8 x float> %v1333, ptr %v1334, align 4
br label %end164
else163:
br label %end164
end164:
%v1335 = add i64 %v1308, 1
%v1336 = icmp slt i64 %v1335, 6
br i1 %v1336, label %loop160, label %end161
end161:
%v1337 = add i64 %v1290, 1
%v1338 = icmp slt i64 %v1337, %v1283
br i1 %v1338, label %loop157, label %end158
end158:
%v1339 = sub i64 %v1283, %v747
%v1340 = ashr i64 %v1339, 3
%v1341 = sub i64 %v1288, %v747
%v1342 = add i64 %v1341, 7
%v1343 = ashr i64 %v1342, 3
%v1344 = icmp slt i64 %v1340, %v1343
br i1 %v1344, label %guard167, label %end166
guard167:
br label %loop165
loop165:
%v1345 = phi i64 [ %v1340, %guard167 ], [ %v1433, %end169 ]
%v1346 = ashr i64 %v747, 3
%v1347 = add i64 %v1346, %v1345
%v1348 = mul i64 %v131, 4
%v1349 = add i64 %v1348, %v1347
%v1350 = getelementptr i32, ptr %a3, i64 %v1349
%v1351 = load i32, ptr %v1350, align 4
%v1352 = sext i32 %v1351 to i64
%v1353 = call i64 @llvm.smax.i64(i64 %v1352, i64 0)
%v1354 = call i64 @llvm.smin.i64(i64 %v1353, i64 4)
%v1355 = mul i64 %v1354, 2
%v1356 = add i64 %v1355, %v2
%v1357 = mul i64 %v1345, 8
%v1358 = add i64 %v747, %v1357
%v1359 = sub i64 %v1283, %v1358
%v1360 = call i64 @llvm.smax.i64(i64 %v1359, i64 0)
%v1361 = sub i64 %v1288, %v1358
%v1362 = call i64 @llvm.smin.i64(i64 %v1361, i64 8)
%v1363 = mul i64 %v1345, 8
%v1364 = add i64 %v1363, 912
%v1365 = getelementptr float, ptr %scratch, i64 %v1364
%v1366 = load <8 x float>, ptr %v1224, align 4
store <8 x float> %v1366, ptr %s48
%v1367 = getelementptr float, ptr %v1224, i64 8
%v1368 = load <8 x float>, ptr %v1367, align 4
store <8 x float> %v1368, ptr %s49
%v1369 = getelementptr float, ptr %v1224, i64 16
%v1370 = load <8 x float>, ptr %v1369, align 4
store <8 x float> %v1370, ptr %s50
%v1371 = getelementptr float, ptr %v1224, i64 24
%v1372 = load <8 x float>, ptr %v1371, align 4
store <8 x float> %v1372, ptr %s51
%v1373 = getelementptr float, ptr %v1224, i64 32
%v1374 = load <8 x float>, ptr %v1373, align 4
store <8 x float> %v1374, ptr %s52
%v1375 = getelementptr float, ptr %v1224, i64 40
%v1376 = load <8 x float>, ptr %v1375, align 4
store <8 x float> %v1376, ptr %s53
%v1377 = icmp slt i64 %v1360, %v1362
br i1 %v1377, label %guard170, label %end169
guard170:
br label %loop168
loop168:
%v1378 = phi i64 [ %v1360, %guard170 ], [ %v1420, %loop168 ]
%v1379 = getelementptr float, ptr %v1365, i64 %v1378
%v1380 = mul i64 %v1356, 8
%v1381 = add i64 %v1380, %v1378
%v1382 = mul i64 %v1381, 8
%v1383 = getelementptr float, ptr %a5, i64 %v1382
%v1384 = load <8 x float>, ptr %v1383, align 4
%v1385 = load float, ptr %v1379, align 4
%v1386 = insertelement <8 x float> poison, float %v1385, i32 0
%v1387 = shufflevector <8 x float> %v1386, <8 x float> poison, <8 x i32> zeroinitializer
%v1388 = load <8 x float>, ptr %s48
%v1389 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1387, <8 x float> %v1384, <8 x float> %v1388)
store <8 x float> %v1389, ptr %s48
%v1390 = getelementptr float, ptr %v1379, i64 128
%v1391 = load float, ptr %v1390, align 4
%v1392 = insertelement <8 x float> poison, float %v1391, i32 0
%v1393 = shufflevector <8 x float> %v1392, <8 x float> poison, <8 x i32> zeroinitializer
%v1394 = load <8 x float>, ptr %s49
%v1395 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1393, <8 x float> %v1384, <8 x float> %v1394)
store <8 x float> %v1395, ptr %s49
%v1396 = getelementptr float, ptr %v1379, i64 256
%v1397 = load float, ptr %v1396, align 4
%v1398 = insertelement <8 x float> poison, float %v1397, i32 0
%v1399 = shufflevector <8 x float> %v1398, <8 x float> poison, <8 x i32> zeroinitializer
%v1400 = load <8 x float>, ptr %s50
%v1401 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1399, <8 x float> %v1384, <8 x float> %v1400)
store <8 x float> %v1401, ptr %s50
%v1402 = getelementptr float, ptr %v1379, i64 384
%v1403 = load float, ptr %v1402, align 4
%v1404 = insertelement <8 x float> poison, float %v1403, i32 0
%v1405 = shufflevector <8 x float> %v1404, <8 x float> poison, <8 x i32> zeroinitializer
%v1406 = load <8 x float>, ptr %s51
%v1407 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1405, <8 x float> %v1384, <8 x float> %v1406)
store <8 x float> %v1407, ptr %s51
%v1408 = getelementptr float, ptr %v1379, i64 512
%v1409 = load float, ptr %v1408, align 4
%v1410 = insertelement <8 x float> poison, float %v1409, i32 0
%v1411 = shufflevector <8 x float> %v1410, <8 x float> poison, <8 x i32> zeroinitializer
%v1412 = load <8 x float>, ptr %s52
%v1413 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1411, <8 x float> %v1384, <8 x float> %v1412)
store <8 x float> %v1413, ptr %s52
%v1414 = getelementptr float, ptr %v1379, i64 640
%v1415 = load float, ptr %v1414, align 4
%v1416 = insertelement <8 x float> poison, float %v1415, i32 0
%v1417 = shufflevector <8 x float> %v1416, <8 x float> poison, <8 x i32> zeroinitializer
%v1418 = load <8 x float>, ptr %s53
%v1419 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1417, <8 x float> %v1384, <8 x float> %v1418)
store <8 x float> %v1419, ptr %s53
%v1420 = add i64 %v1378, 1
%v1421 = icmp slt i64 %v1420, %v1362
br i1 %v1421, label %loop168, label %end169
end169:
%v1422 = load <8 x float>, ptr %s48
store <8 x float> %v1422, ptr %v1224, align 4
%v1423 = load <8 x float>, ptr %s49
%v1424 = getelementptr float, ptr %v1224, i64 8
store <8 x float> %v1423, ptr %v1424, align 4
%v1425 = load <8 x float>, ptr %s50
%v1426 = getelementptr float, ptr %v1224, i64 16
store <8 x float> %v1425, ptr %v1426, align 4
%v1427 = load <8 x float>, ptr %s51
%v1428 = getelementptr float, ptr %v1224, i64 24
store <8 x float> %v1427, ptr %v1428, align 4
%v1429 = load <8 x float>, ptr %s52
%v1430 = getelementptr float, ptr %v1224, i64 32
store <8 x float> %v1429, ptr %v1430, align 4
%v1431 = load <8 x float>, ptr %s53
%v1432 = getelementptr float, ptr %v1224, i64 40
store <8 x float> %v1431, ptr %v1432, align 4
%v1433 = add i64 %v1345, 1
%v1434 = icmp slt i64 %v1433, %v1343
br i1 %v1434, label %loop165, label %end166
end166:
%v1435 = icmp slt i64 %v1288, %v760
br i1 %v1435, label %guard173, label %end172
guard173:
br label %loop171
loop171:
%v1436 = phi i64 [ %v1288, %guard173 ], [ %v1483, %end175 ]
%v1437 = sub i64 %v1436, %v747
%v1438 = ashr i64 %v1437, 3
%v1439 = sub i64 %v1436, %v747
%v1440 = and i64 %v1439, 7
%v1441 = ashr i64 %v747, 3
%v1442 = add i64 %v1441, %v1438
%v1443 = mul i64 %v131, 4
%v1444 = add i64 %v1443, %v1442
%v1445 = getelementptr i32, ptr %a3, i64 %v1444
%v1446 = load i32, ptr %v1445, align 4
%v1447 = sext i32 %v1446 to i64
%v1448 = call i64 @llvm.smax.i64(i64 %v1447, i64 0)
%v1449 = call i64 @llvm.smin.i64(i64 %v1448, i64 4)
%v1450 = mul i64 %v1449, 2
%v1451 = add i64 %v1450, %v2
%v1452 = mul i64 %v1438, 8
%v1453 = add i64 %v1452, %v1440
br label %loop174
loop174:
%v1454 = phi i64 [ 0, %loop171 ], [ %v1481, %end178 ]
%v1455 = add i64 %v752, %v1454
%v1456 = sub i64 %v134, 1
%v1457 = call i64 @llvm.smin.i64(i64 %v1455, i64 %v1456)
%v1458 = add i64 %v137, %v1457
%v1459 = add i64 %v1458, 1
%v1460 = call i64 @llvm.smin.i64(i64 %v1459, i64 %v133)
%v1461 = icmp slt i64 %v1436, %v1460
%v1462 = icmp sge i64 %v1436, 0
%v1463 = and i1 %v1461, %v1462
br i1 %v1463, label %then176, label %else177
then176:
%v1464 = getelementptr float, ptr %scratch, i64 912
%v1465 = mul i64 %v1454, 128
%v1466 = add i64 %v1453, %v1465
%v1467 = getelementptr float, ptr %v1464, i64 %v1466
%v1468 = load float, ptr %v1467, align 4
%v1469 = mul i64 %v1454, 8
%v1470 = mul i64 %v1451, 8
%v1471 = add i64 %v1470, %v1440
%v1472 = mul i64 %v1471, 8
%v1473 = getelementptr float, ptr %a5, i64 %v1472
%v1474 = load <8 x float>, ptr %v1473, align 4
%v1475 = insertelement <8 x float> poison, float %v1468, i32 0
%v1476 = shufflevector <8 x float> %v1475, <8 x float> poison, <8 x i32> zeroinitializer
%v1477 = getelementptr float, ptr %v1224, i64 %v1469
%v1478 = load <8 x float>, ptr %v1477, align 4
%v1479 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1476, <8 x float> %v1474, <8 x float> %v1478)
%v1480 = getelementptr float, ptr %v1224, i64 %v1469
store <8 x float> %v1479, ptr %v1480, align 4
br label %end178
else177:
br label %end178
end178:
%v1481 = add i64 %v1454, 1
%v1482 = icmp slt i64 %v1481, 6
br i1 %v1482, label %loop174, label %end175
end175:
%v1483 = add i64 %v1436, 1
%v1484 = icmp slt i64 %v1483, %v760
br i1 %v1484, label %loop171, label %end172
end172:
br label %end127
else126:
br label %end127
end127:
%v1485 = add i64 %v751, 1
%v1486 = icmp slt i64 %v1485, %v667
br i1 %v1486, label %loop122, label %end123
end123:
%v1487 = add i64 %v747, 128
%v1488 = icmp slt i64 %v1487, %v745
br i1 %v1488, label %loop119, label %end120
end120:
%v1489 = icmp slt i64 0, %v134
br i1 %v1489, label %guard181, label %end180
guard181:
br label %loop179
loop179:
%v1490 = phi i64 [ 0, %guard181 ], [ %v1658, %end184 ]
%v1491 = add i64 %v137, %v1490
%v1492 = add i64 %v1491, 1
%v1493 = call i64 @llvm.smin.i64(i64 %v1492, i64 %v133)
%v1494 = sub i64 %v1493, 1
%v1495 = call i64 @llvm.smax.i64(i64 %v1494, i64 0)
%v1496 = ashr i64 %v1495, 9
%v1497 = call i64 @llvm.smin.i64(i64 0, i64 %v1496)
%v1498 = add i64 %v137, %v1490
%v1499 = add i64 %v1498, 1
%v1500 = call i64 @llvm.smin.i64(i64 %v1499, i64 %v133)
%v1501 = sub i64 %v1500, 1
%v1502 = call i64 @llvm.smax.i64(i64 %v1501, i64 0)
%v1503 = ashr i64 %v1502, 9
%v1504 = icmp sle i64 %v1497, %v718
%v1505 = icmp sle i64 %v718, %v1503
%v1506 = and i1 %v1504, %v1505
br i1 %v1506, label %then182, label %else183
then182:
%v1507 = icmp sle i64 %v97, %v1497
%v1508 = icmp slt i64 %v1503, %v98
%v1509 = and i1 %v1507, %v1508
br i1 %v1509, label %then185, label %else186
then185:
%v1510 = sdiv i64 %v1490, 6
%v1511 = mul i64 %v1510, 6
%v1512 = sub i64 %v1490, %v1511
%v1513 = icmp ne i64 %v1512, 0
%v1514 = xor i64 %v1512, 6
%v1515 = icmp slt i64 %v1514, 0
%v1516 = and i1 %v1513, %v1515
%v1517 = sub i64 %v1510, 1
%v1518 = select i1 %v1516, i64 %v1517, i64 %v1510
%v1519 = mul i64 %v1518, 8
%v1520 = srem i64 %v1490, 6
%v1521 = icmp ne i64 %v1520, 0
%v1522 = xor i64 %v1520, 6
%v1523 = icmp slt i64 %v1522, 0
%v1524 = and i1 %v1521, %v1523
%v1525 = add i64 %v1520, 6
%v1526 = select i1 %v1524, i64 %v1525, i64 %v1520
%v1527 = add i64 %v1519, %v1526
%v1528 = getelementptr float, ptr %scratch, i64 768
%v1529 = getelementptr float, ptr %v1528, i64 %v1527
%v1530 = load float, ptr %v1529, align 4
%v1531 = getelementptr float, ptr %scratch, i64 832
%v1532 = getelementptr float, ptr %v1531, i64 %v1527
%v1533 = load float, ptr %v1532, align 4
%v1534 = mul i64 %v1490, 8
%v1535 = add i64 %v1534, 384
%v1536 = getelementptr float, ptr %scratch, i64 %v1535
%v1537 = sdiv i64 %v1490, 6
%v1538 = mul i64 %v1537, 6
%v1539 = sub i64 %v1490, %v1538
%v1540 = icmp ne i64 %v1539, 0
%v1541 = xor i64 %v1539, 6
%v1542 = icmp slt i64 %v1541, 0
%v1543 = and i1 %v1540, %v1542
%v1544 = sub i64 %v1537, 1
%v1545 = select i1 %v1543, i64 %v1544, i64 %v1537
%v1546 = mul i64 %v1545, 8
%v1547 = srem i64 %v1490, 6
%v1548 = icmp ne i64 %v1547, 0
%v1549 = xor i64 %v1547, 6
%v1550 = icmp slt i64 %v1549, 0
%v1551 = and i1 %v1548, %v1550
%v1552 = add i64 %v1547, 6
%v1553 = select i1 %v1551, i64 %v1552, i64 %v1547
%v1554 = add i64 %v1546, %v1553
%v1555 = getelementptr float, ptr %scratch, i64 2064
%v1556 = getelementptr float, ptr %v1555, i64 %v1554
%v1557 = load float, ptr %v1556, align 4
%v1558 = fcmp ogt float %v1530, %v1557
%v1559 = select i1 %v1558, float %v1530, float %v1557
%v1560 = fsub float %v1557, %v1559
%v1561 = insertelement <8 x float> poison, float %v1560, i32 0
%v1562 = shufflevector <8 x float> %v1561, <8 x float> poison, <8 x i32> zeroinitializer
%v1563 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1562
%v1564 = select <8 x i1> %v1563, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1562
%v1565 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1564, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1566 = fsub <8 x float> %v1565, splat (float 0x4168000FE0000000)
%v1567 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1566, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1564)
%v1568 = bitcast <8 x float> %v1565 to <8 x i32>
%v1569 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1566, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1567)
%v1570 = shl <8 x i32> %v1568, splat (i32 23)
%v1571 = bitcast <8 x i32> %v1570 to <8 x float>
%v1572 = fmul <8 x float> %v1569, %v1569
%v1573 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1569, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1574 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1569, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1575 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1572, <8 x float> %v1574)
%v1576 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1575, <8 x float> %v1572, <8 x float> %v1573)
%v1577 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1572, <8 x float> %v1576, <8 x float> %v1569)
%v1578 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1577, <8 x float> %v1571, <8 x float> %v1571)
%v1579 = fsub float %v1530, %v1559
%v1580 = insertelement <8 x float> poison, float %v1579, i32 0
%v1581 = shufflevector <8 x float> %v1580, <8 x float> poison, <8 x i32> zeroinitializer
%v1582 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v1581
%v1583 = select <8 x i1> %v1582, <8 x float> splat (float 0xC056000000000000), <8 x float> %v1581
%v1584 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1583, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v1585 = fsub <8 x float> %v1584, splat (float 0x4168000FE0000000)
%v1586 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1585, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v1583)
%v1587 = bitcast <8 x float> %v1584 to <8 x i32>
%v1588 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1585, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v1586)
%v1589 = shl <8 x i32> %v1587, splat (i32 23)
%v1590 = bitcast <8 x i32> %v1589 to <8 x float>
%v1591 = fmul <8 x float> %v1588, %v1588
%v1592 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1588, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v1593 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1588, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v1594 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v1591, <8 x float> %v1593)
%v1595 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1594, <8 x float> %v1591, <8 x float> %v1592)
%v1596 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1591, <8 x float> %v1595, <8 x float> %v1588)
%v1597 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1596, <8 x float> %v1590, <8 x float> %v1590)
%v1598 = getelementptr float, ptr %scratch, i64 2128
%v1599 = getelementptr float, ptr %v1598, i64 %v1554
%v1600 = load float, ptr %v1599, align 4
%v1601 = insertelement <8 x float> poison, float %v1600, i32 0
%v1602 = shufflevector <8 x float> %v1601, <8 x float> poison, <8 x i32> zeroinitializer
%v1603 = insertelement <8 x float> poison, float %v1533, i32 0
%v1604 = shufflevector <8 x float> %v1603, <8 x float> poison, <8 x i32> zeroinitializer
%v1605 = fmul <8 x float> %v1602, %v1578
%v1606 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1604, <8 x float> %v1597, <8 x float> %v1605)
%v1607 = getelementptr float, ptr %scratch, i64 2064
%v1608 = getelementptr float, ptr %v1607, i64 %v1554
store float %v1559, ptr %v1608, align 4
%v1609 = extractelement <8 x float> %v1606, i64 0
%v1610 = getelementptr float, ptr %scratch, i64 2128
%v1611 = getelementptr float, ptr %v1610, i64 %v1554
store float %v1609, ptr %v1611, align 4
%v1612 = mul i64 %v1490, 8
%v1613 = add i64 %v1612, 1680
%v1614 = getelementptr float, ptr %scratch, i64 %v1613
%v1615 = load <8 x float>, ptr %v1536, align 4
%v1616 = load <8 x float>, ptr %v1614, align 4
%v1617 = fmul <8 x float> %v1616, %v1578
%v1618 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v1615, <8 x float> %v1597, <8 x float> %v1617)
store <8 x float> %v1618, ptr %v1614, align 4
br label %end187
else186:
%v1619 = sdiv i64 %v1490, 6
%v1620 = mul i64 %v1619, 6
%v1621 = sub i64 %v1490, %v1620
%v1622 = icmp ne i64 %v1621, 0
%v1623 = xor i64 %v1621, 6
%v1624 = icmp slt i64 %v1623, 0
%v1625 = and i1 %v1622, %v1624
%v1626 = sub i64 %v1619, 1
%v1627 = select i1 %v1625, i64 %v1626, i64 %v1619
%v1628 = mul i64 %v1627, 8
%v1629 = srem i64 %v1490, 6
%v1630 = icmp ne i64 %v1629, 0
%v1631 = xor i64 %v1629, 6
%v1632 = icmp slt i64 %v1631, 0
%v1633 = and i1 %v1630, %v1632
%v1634 = add i64 %v1629, 6
%v1635 = select i1 %v1633, i64 %v1634, i64 %v1629
%v1636 = add i64 %v1628, %v1635
%v1637 = getelementptr float, ptr %scratch, i64 768
%v1638 = getelementptr float, ptr %v1637, i64 %v1636
%v1639 = load float, ptr %v1638, align 4
%v1640 = getelementptr float, ptr %scratch, i64 832
%v1641 = getelementptr float, ptr %v1640, i64 %v1636
%v1642 = load float, ptr %v1641, align 4
%v1643 = mul i64 %v1490, 8
%v1644 = add i64 %v1643, 384
%v1645 = getelementptr float, ptr %scratch, i64 %v1644
%v1646 = add i64 %v128, %v1490
%v1647 = mul i64 %v1646, 2
%v1648 = add i64 %v1647, %v2
%v1649 = add i64 %v1648, %v718
%v1650 = load <8 x float>, ptr %v1645, align 4
%v1651 = mul i64 %v1649, 8
%v1652 = getelementptr float, ptr %a6, i64 %v1651
store <8 x float> %v1650, ptr %v1652, align 4
%v1653 = mul i64 %v1649, 2
%v1654 = getelementptr float, ptr %a7, i64 %v1653
store float %v1639, ptr %v1654, align 4
%v1655 = mul i64 %v1649, 2
%v1656 = add i64 %v1655, 1
%v1657 = getelementptr float, ptr %a7, i64 %v1656
store float %v1642, ptr %v1657, align 4
br label %end187
end187:
br label %end184
else183:
br label %end184
end184:
%v1658 = add i64 %v1490, 1
%v1659 = icmp slt i64 %v1658, %v134
br i1 %v1659, label %loop179, label %end180
end180:
%v1660 = add i64 %v718, 1
%v1661 = icmp slt i64 %v1660, %v699
br i1 %v1661, label %loop110, label %end111
end111:
%v1662 = icmp slt i64 0, %v134
br i1 %v1662, label %guard190, label %end189
guard190:
br label %loop188
loop188:
%v1663 = phi i64 [ 0, %guard190 ], [ %v1716, %end193 ]
%v1664 = add i64 %v137, %v1663
%v1665 = add i64 %v1664, 1
%v1666 = call i64 @llvm.smin.i64(i64 %v1665, i64 %v133)
%v1667 = sub i64 %v1666, 1
%v1668 = call i64 @llvm.smax.i64(i64 %v1667, i64 0)
%v1669 = ashr i64 %v1668, 9
%v1670 = call i64 @llvm.smin.i64(i64 0, i64 %v1669)
%v1671 = icmp sle i64 %v97, %v1670
%v1672 = add i64 %v137, %v1663
%v1673 = add i64 %v1672, 1
%v1674 = call i64 @llvm.smin.i64(i64 %v1673, i64 %v133)
%v1675 = sub i64 %v1674, 1
%v1676 = call i64 @llvm.smax.i64(i64 %v1675, i64 0)
%v1677 = ashr i64 %v1676, 9
%v1678 = icmp slt i64 %v1677, %v98
%v1679 = and i1 %v1671, %v1678
br i1 %v1679, label %then191, label %else192
then191:
%v1680 = getelementptr float, ptr %scratch, i64 2128
%v1681 = sdiv i64 %v1663, 6
%v1682 = mul i64 %v1681, 6
%v1683 = sub i64 %v1663, %v1682
%v1684 = icmp ne i64 %v1683, 0
%v1685 = xor i64 %v1683, 6
%v1686 = icmp slt i64 %v1685, 0
%v1687 = and i1 %v1684, %v1686
%v1688 = sub i64 %v1681, 1
%v1689 = select i1 %v1687, i64 %v1688, i64 %v1681
%v1690 = mul i64 %v1689, 8
%v1691 = srem i64 %v1663, 6
%v1692 = icmp ne i64 %v1691, 0
%v1693 = xor i64 %v1691, 6
%v1694 = icmp slt i64 %v1693, 0
%v1695 = and i1 %v1692, %v1694
%v1696 = add i64 %v1691, 6
%v1697 = select i1 %v1695, i64 %v1696, i64 %v1691
%v1698 = add i64 %v1690, %v1697
%v1699 = getelementptr float, ptr %v1680, i64 %v1698
%v1700 = load float, ptr %v1699, align 4
%v1701 = fcmp oeq float %v1700, 0x0000000000000000
%v1702 = fdiv float 0x3FF0000000000000, %v1700
%v1703 = select i1 %v1701, float 0x0000000000000000, float %v1702
%v1704 = insertelement <8 x float> poison, float %v1703, i32 0
%v1705 = shufflevector <8 x float> %v1704, <8 x float> poison, <8 x i32> zeroinitializer
%v1706 = add i64 %v128, %v1663
%v1707 = mul i64 %v1706, 16
%v1708 = mul i64 %v2, 8
%v1709 = add i64 %v1707, %v1708
%v1710 = getelementptr float, ptr %a8, i64 %v1709
%v1711 = mul i64 %v1663, 8
%v1712 = add i64 %v1711, 1680
%v1713 = getelementptr float, ptr %scratch, i64 %v1712
%v1714 = load <8 x float>, ptr %v1713, align 4
%v1715 = fmul <8 x float> %v1714, %v1705
store <8 x float> %v1715, ptr %v1710, align 4
br label %end193
else192:
br label %end193
end193:
%v1716 = add i64 %v1663, 1
%v1717 = icmp slt i64 %v1716, %v134
br i1 %v1717, label %loop188, label %end189
end189:
br label %end29
end29:
store i64 %v127, ptr %s10
br label %head20
end21:
%v1718 = add i64 %v1, 1
%v1719 = icmp slt i64 %v1718, %end
br i1 %v1719, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @paged_attention_combine_19d6c8ce(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
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
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v131, %end12 ]
%v2 = ashr i64 %v1, 1
%v3 = and i64 %v1, 1
%v4 = add i64 %v2, 1
%v5 = getelementptr i32, ptr %a2, i64 %v2
%v6 = load i32, ptr %v5, align 4
%v7 = sext i32 %v6 to i64
%v8 = icmp ult i64 %v7, 2
%v9 = select i1 %v8, i64 32, i64 0
%v10 = sub i64 %v4, %v2
%v11 = getelementptr i32, ptr %a3, i64 %v2
%v12 = load i32, ptr %v11, align 4
%v13 = sext i32 %v12 to i64
%v14 = mul i64 %v10, 8
%v15 = icmp slt i64 0, %v14
br i1 %v15, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v16 = phi i64 [ 0, %guard6 ], [ %v19, %loop4 ]
%v17 = getelementptr float, ptr %scratch, i64 208
%v18 = getelementptr float, ptr %v17, i64 %v16
store <8 x float> splat (float 0x0000000000000000), ptr %v18, align 4
%v19 = add i64 %v16, 8
%v20 = icmp slt i64 %v19, %v14
br i1 %v20, label %loop4, label %end5
end5:
%v21 = mul i64 %v10, 8
%v22 = icmp slt i64 0, %v21
br i1 %v22, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v23 = phi i64 [ 0, %guard9 ], [ %v28, %loop7 ]
%v24 = getelementptr float, ptr %scratch, i64 224
%v25 = getelementptr float, ptr %v24, i64 %v23
store <8 x float> splat (float 0xC7EFFFFFE0000000), ptr %v25, align 4
%v26 = getelementptr float, ptr %scratch, i64 240
%v27 = getelementptr float, ptr %v26, i64 %v23
store <8 x float> splat (float 0x0000000000000000), ptr %v27, align 4
%v28 = add i64 %v23, 8
%v29 = icmp slt i64 %v28, %v21
br i1 %v29, label %loop7, label %end8
end8:
%v30 = add i64 %v13, 1
%v31 = call i64 @llvm.smin.i64(i64 %v30, i64 %v9)
%v32 = sub i64 %v31, 1
%v33 = call i64 @llvm.smax.i64(i64 %v32, i64 0)
%v34 = ashr i64 %v33, 9
%v35 = call i64 @llvm.smin.i64(i64 0, i64 %v34)
%v36 = add i64 %v13, 1
%v37 = call i64 @llvm.smin.i64(i64 %v36, i64 %v9)
%v38 = sub i64 %v37, 1
%v39 = call i64 @llvm.smax.i64(i64 %v38, i64 0)
%v40 = ashr i64 %v39, 9
%v41 = icmp slt i64 %v35, %v40
br i1 %v41, label %then10, label %else11
then10:
%v42 = add i64 %v40, 1
%v43 = icmp slt i64 %v35, %v42
br i1 %v43, label %guard15, label %end14
guard15:
br label %loop13
loop13:
%v44 = phi i64 [ %v35, %guard15 ], [ %v115, %loop13 ]
%v45 = mul i64 %v2, 2
%v46 = add i64 %v45, %v3
%v47 = add i64 %v46, %v44
%v48 = mul i64 %v47, 2
%v49 = getelementptr float, ptr %a1, i64 %v48
%v50 = load float, ptr %v49, align 4
%v51 = mul i64 %v47, 2
%v52 = add i64 %v51, 1
%v53 = getelementptr float, ptr %a1, i64 %v52
%v54 = load float, ptr %v53, align 4
%v55 = mul i64 %v47, 8
%v56 = getelementptr float, ptr %a0, i64 %v55
%v57 = getelementptr float, ptr %scratch, i64 224
%v58 = load float, ptr %v57, align 4
%v59 = fcmp ogt float %v50, %v58
%v60 = select i1 %v59, float %v50, float %v58
%v61 = fsub float %v58, %v60
%v62 = insertelement <8 x float> poison, float %v61, i32 0
%v63 = shufflevector <8 x float> %v62, <8 x float> poison, <8 x i32> zeroinitializer
%v64 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v63
%v65 = select <8 x i1> %v64, <8 x float> splat (float 0xC056000000000000), <8 x float> %v63
%v66 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v65, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v67 = fsub <8 x float> %v66, splat (float 0x4168000FE0000000)
%v68 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v67, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v65)
%v69 = bitcast <8 x float> %v66 to <8 x i32>
%v70 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v67, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v68)
%v71 = shl <8 x i32> %v69, splat (i32 23)
%v72 = bitcast <8 x i32> %v71 to <8 x float>
%v73 = fmul <8 x float> %v70, %v70
%v74 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v70, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v75 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v70, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v76 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v73, <8 x float> %v75)
%v77 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v76, <8 x float> %v73, <8 x float> %v74)
%v78 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v73, <8 x float> %v77, <8 x float> %v70)
%v79 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v78, <8 x float> %v72, <8 x float> %v72)
%v80 = fsub float %v50, %v60
%v81 = insertelement <8 x float> poison, float %v80, i32 0
%v82 = shufflevector <8 x float> %v81, <8 x float> poison, <8 x i32> zeroinitializer
%v83 = fcmp ogt <8 x float> splat (float 0xC056000000000000), %v82
%v84 = select <8 x i1> %v83, <8 x float> splat (float 0xC056000000000000), <8 x float> %v82
%v85 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v84, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FE0000000))
%v86 = fsub <8 x float> %v85, splat (float 0x4168000FE0000000)
%v87 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v86, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v84)
%v88 = bitcast <8 x float> %v85 to <8 x i32>
%v89 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v86, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v87)
%v90 = shl <8 x i32> %v88, splat (i32 23)
%v91 = bitcast <8 x i32> %v90 to <8 x float>
%v92 = fmul <8 x float> %v89, %v89
%v93 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v89, <8 x float> splat (float 0x3FC5554820000000), <8 x float> splat (float 0x3FE0000000000000))
%v94 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v89, <8 x float> splat (float 0x3F81244B20000000), <8 x float> splat (float 0x3FA5555280000000))
%v95 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56CF7760000000), <8 x float> %v92, <8 x float> %v94)
%v96 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v95, <8 x float> %v92, <8 x float> %v93)
%v97 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v92, <8 x float> %v96, <8 x float> %v89)
%v98 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v97, <8 x float> %v91, <8 x float> %v91)
%v99 = getelementptr float, ptr %scratch, i64 240
%v100 = load float, ptr %v99, align 4
%v101 = insertelement <8 x float> poison, float %v100, i32 0
%v102 = shufflevector <8 x float> %v101, <8 x float> poison, <8 x i32> zeroinitializer
%v103 = insertelement <8 x float> poison, float %v54, i32 0
%v104 = shufflevector <8 x float> %v103, <8 x float> poison, <8 x i32> zeroinitializer
%v105 = fmul <8 x float> %v102, %v79
%v106 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v104, <8 x float> %v98, <8 x float> %v105)
%v107 = getelementptr float, ptr %scratch, i64 224
store float %v60, ptr %v107, align 4
%v108 = extractelement <8 x float> %v106, i64 0
%v109 = getelementptr float, ptr %scratch, i64 240
store float %v108, ptr %v109, align 4
%v110 = getelementptr float, ptr %scratch, i64 208
%v111 = load <8 x float>, ptr %v56, align 4
%v112 = load <8 x float>, ptr %v110, align 4
%v113 = fmul <8 x float> %v112, %v79
%v114 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v111, <8 x float> %v98, <8 x float> %v113)
store <8 x float> %v114, ptr %v110, align 4
%v115 = add i64 %v44, 1
%v116 = icmp slt i64 %v115, %v42
br i1 %v116, label %loop13, label %end14
end14:
%v117 = getelementptr float, ptr %scratch, i64 240
%v118 = load float, ptr %v117, align 4
%v119 = fcmp oeq float %v118, 0x0000000000000000
%v120 = fdiv float 0x3FF0000000000000, %v118
%v121 = select i1 %v119, float 0x0000000000000000, float %v120
%v122 = insertelement <8 x float> poison, float %v121, i32 0
%v123 = shufflevector <8 x float> %v122, <8 x float> poison, <8 x i32> zeroinitializer
%v124 = mul i64 %v2, 16
%v125 = mul i64 %v3, 8
%v126 = add i64 %v124, %v125
%v127 = getelementptr float, ptr %a4, i64 %v126
%v128 = getelementptr float, ptr %scratch, i64 208
%v129 = load <8 x float>, ptr %v128, align 4
%v130 = fmul <8 x float> %v129, %v123
store <8 x float> %v130, ptr %v127, align 4
br label %end12
else11:
br label %end12
end12:
%v131 = add i64 %v1, 1
%v132 = icmp slt i64 %v131, %end
br i1 %v132, label %loop1, label %end2
end2:
ret void
}

