; kernels for aarch64
; mir @reduce_chunks {
;   %0 = input("x1") : f32[2, 1048576]
;   %1 = reduce_sum(%0, axes=(1,)) : f32[2]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @region_chunks_c91f8d7c(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca <4 x double>
%s5 = alloca <16 x double>
%s6 = alloca <4 x float>
%s7 = alloca <16 x float>
%s8 = alloca [512 x i8], align 64
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v83, %end5 ]
%v2 = urem i64 %v1, 32
%v3 = udiv i64 %v1, 32
%v4 = add i64 %v3, 1
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 2)
%v6 = icmp slt i64 %v3, %v5
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ %v3, %guard6 ], [ %v81, %end8 ]
%v8 = mul i64 %v7, 1048576
%v9 = getelementptr float, ptr %a0, i64 %v8
%v10 = mul i64 %v7, 32
%v11 = getelementptr float, ptr %a1, i64 %v10
store <4 x double> splat (double 0x0000000000000000), ptr %s4
store <16 x double> splat (double 0x0000000000000000), ptr %s5
%v12 = mul i64 %v2, 32768
%v13 = add i64 %v12, 32768
%v14 = call i64 @llvm.smin.i64(i64 %v13, i64 1048576)
store <4 x float> splat (float 0x0000000000000000), ptr %s6
store <16 x float> splat (float 0x0000000000000000), ptr %s7
%v15 = icmp slt i64 %v12, %v14
br i1 %v15, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v16 = phi i64 [ %v12, %guard9 ], [ %v61, %end14 ]
store <4 x float> splat (float 0x0000000000000000), ptr %s6
store <16 x float> splat (float 0x0000000000000000), ptr %s7
%v17 = add i64 %v16, 2048
%v18 = call i64 @llvm.smin.i64(i64 %v17, i64 %v14)
%v19 = sub i64 %v18, %v16
%v20 = and i64 %v19, -16
%v21 = add i64 %v16, %v20
%v22 = icmp slt i64 %v16, %v21
br i1 %v22, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v23 = phi i64 [ %v16, %guard12 ], [ %v28, %loop10 ]
%v24 = getelementptr float, ptr %v9, i64 %v23
%v25 = load <16 x float>, ptr %v24, align 4
%v26 = load <16 x float>, ptr %s7
%v27 = fadd <16 x float> %v26, %v25
store <16 x float> %v27, ptr %s7
%v28 = add i64 %v23, 16
%v29 = icmp slt i64 %v28, %v21
br i1 %v29, label %loop10, label %end11
end11:
%v30 = add i64 %v16, %v19
%v31 = icmp slt i64 %v21, %v30
br i1 %v31, label %guard15, label %end14
guard15:
br label %loop13
loop13:
%v32 = phi i64 [ %v21, %guard15 ], [ %v51, %end17 ]
%v33 = sub i64 %v30, %v32
%v34 = call i64 @llvm.smin.i64(i64 %v33, i64 4)
store <4 x float> splat (float 0x0000000000000000), ptr %s8, align 4
%v35 = icmp slt i64 0, %v34
br i1 %v35, label %guard18, label %end17
guard18:
br label %loop16
loop16:
%v36 = phi i64 [ 0, %guard18 ], [ %v41, %loop16 ]
%v37 = add i64 %v32, %v36
%v38 = getelementptr float, ptr %v9, i64 %v37
%v39 = load float, ptr %v38, align 4
%v40 = getelementptr float, ptr %s8, i64 %v36
store float %v39, ptr %v40, align 4
%v41 = add i64 %v36, 1
%v42 = icmp slt i64 %v41, %v34
br i1 %v42, label %loop16, label %end17
end17:
%v43 = load <4 x float>, ptr %s8, align 4
%v44 = trunc i64 %v34 to i32
%v45 = insertelement <4 x i32> poison, i32 %v44, i32 0
%v46 = shufflevector <4 x i32> %v45, <4 x i32> poison, <4 x i32> zeroinitializer
%v47 = icmp sgt <4 x i32> %v46, <i32 0, i32 1, i32 2, i32 3>
%v48 = select <4 x i1> %v47, <4 x float> %v43, <4 x float> splat (float 0x0000000000000000)
%v49 = load <4 x float>, ptr %s6
%v50 = fadd <4 x float> %v49, %v48
store <4 x float> %v50, ptr %s6
%v51 = add i64 %v32, 4
%v52 = icmp slt i64 %v51, %v30
br i1 %v52, label %loop13, label %end14
end14:
%v53 = load <4 x double>, ptr %s4
%v54 = load <4 x float>, ptr %s6
%v55 = fpext <4 x float> %v54 to <4 x double>
%v56 = fadd <4 x double> %v53, %v55
store <4 x double> %v56, ptr %s4
%v57 = load <16 x double>, ptr %s5
%v58 = load <16 x float>, ptr %s7
%v59 = fpext <16 x float> %v58 to <16 x double>
%v60 = fadd <16 x double> %v57, %v59
store <16 x double> %v60, ptr %s5
%v61 = add i64 %v16, 2048
%v62 = icmp slt i64 %v61, %v14
br i1 %v62, label %loop7, label %end8
end8:
%v63 = load <4 x double>, ptr %s4
%v64 = load <16 x double>, ptr %s5
%v65 = shufflevector <16 x double> %v64, <16 x double> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v66 = shufflevector <16 x double> %v64, <16 x double> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v67 = fadd <8 x double> %v65, %v66
%v68 = shufflevector <8 x double> %v67, <8 x double> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v69 = shufflevector <8 x double> %v67, <8 x double> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v70 = fadd <4 x double> %v68, %v69
%v71 = fadd <4 x double> %v70, %v63
%v72 = shufflevector <4 x double> %v71, <4 x double> poison, <2 x i32> <i32 0, i32 1>
%v73 = shufflevector <4 x double> %v71, <4 x double> poison, <2 x i32> <i32 2, i32 3>
%v74 = fadd <2 x double> %v72, %v73
%v75 = shufflevector <2 x double> %v74, <2 x double> poison, <1 x i32> <i32 0>
%v76 = shufflevector <2 x double> %v74, <2 x double> poison, <1 x i32> <i32 1>
%v77 = fadd <1 x double> %v75, %v76
%v78 = extractelement <1 x double> %v77, i64 0
%v79 = fptrunc double %v78 to float
%v80 = getelementptr float, ptr %v11, i64 %v2
store float %v79, ptr %v80, align 4
%v81 = add i64 %v7, 1
%v82 = icmp slt i64 %v81, %v5
br i1 %v82, label %loop4, label %end5
end5:
%v83 = add i64 %v1, 1
%v84 = icmp slt i64 %v83, %end
br i1 %v84, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)

define void @region_total_f3d4d733(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca <4 x float>
%s5 = alloca <16 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v35, %end5 ]
%v2 = mul i64 %v1, 512
%v3 = add i64 %v2, 512
%v4 = call i64 @llvm.smin.i64(i64 %v3, i64 2)
%v5 = icmp slt i64 %v2, %v4
br i1 %v5, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v6 = phi i64 [ %v2, %guard6 ], [ %v33, %end8 ]
%v7 = mul i64 %v6, 32
%v8 = getelementptr float, ptr %a0, i64 %v7
%v9 = getelementptr float, ptr %a1, i64 %v6
store <4 x float> splat (float 0x0000000000000000), ptr %s4
store <16 x float> splat (float 0x0000000000000000), ptr %s5
br label %loop7
loop7:
%v10 = phi i64 [ 0, %loop4 ], [ %v15, %loop7 ]
%v11 = getelementptr float, ptr %v8, i64 %v10
%v12 = load <16 x float>, ptr %v11, align 4
%v13 = load <16 x float>, ptr %s5
%v14 = fadd <16 x float> %v13, %v12
store <16 x float> %v14, ptr %s5
%v15 = add i64 %v10, 16
%v16 = icmp slt i64 %v15, 32
br i1 %v16, label %loop7, label %end8
end8:
%v17 = load <4 x float>, ptr %s4
%v18 = load <16 x float>, ptr %s5
%v19 = shufflevector <16 x float> %v18, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v20 = shufflevector <16 x float> %v18, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v21 = fadd <8 x float> %v19, %v20
%v22 = shufflevector <8 x float> %v21, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v23 = shufflevector <8 x float> %v21, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v24 = fadd <4 x float> %v22, %v23
%v25 = fadd <4 x float> %v24, %v17
%v26 = shufflevector <4 x float> %v25, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v27 = shufflevector <4 x float> %v25, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v28 = fadd <2 x float> %v26, %v27
%v29 = shufflevector <2 x float> %v28, <2 x float> poison, <1 x i32> <i32 0>
%v30 = shufflevector <2 x float> %v28, <2 x float> poison, <1 x i32> <i32 1>
%v31 = fadd <1 x float> %v29, %v30
%v32 = extractelement <1 x float> %v31, i64 0
store float %v32, ptr %v9, align 4
%v33 = add i64 %v6, 1
%v34 = icmp slt i64 %v33, %v4
br i1 %v34, label %loop4, label %end5
end5:
%v35 = add i64 %v1, 1
%v36 = icmp slt i64 %v35, %end
br i1 %v36, label %loop1, label %end2
end2:
ret void
}

