; kernels for aarch64
; mir @reduce_chunks {
;   %0 = input("x1") : f32[2, 100000]
;   %1 = reduce_sum(%0, axes=(1,)) : f32[2]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @region_9f52e1f1(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v1 = phi i64 [ %begin, %guard3 ], [ %v75, %end5 ]
%v2 = add i64 %v1, 1
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 2)
%v4 = icmp slt i64 %v1, %v3
br i1 %v4, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v5 = phi i64 [ %v1, %guard6 ], [ %v73, %end8 ]
%v6 = mul i64 %v5, 100000
%v7 = getelementptr float, ptr %a0, i64 %v6
%v8 = getelementptr float, ptr %a1, i64 %v5
store <4 x double> splat (double 0x0000000000000000), ptr %s4
store <16 x double> splat (double 0x0000000000000000), ptr %s5
store <4 x float> splat (float 0x0000000000000000), ptr %s6
store <16 x float> splat (float 0x0000000000000000), ptr %s7
br label %loop7
loop7:
%v9 = phi i64 [ 0, %loop4 ], [ %v54, %end13 ]
store <4 x float> splat (float 0x0000000000000000), ptr %s6
store <16 x float> splat (float 0x0000000000000000), ptr %s7
%v10 = add i64 %v9, 2048
%v11 = call i64 @llvm.smin.i64(i64 %v10, i64 100000)
%v12 = sub i64 %v11, %v9
%v13 = and i64 %v12, -16
%v14 = add i64 %v9, %v13
%v15 = icmp slt i64 %v9, %v14
br i1 %v15, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v16 = phi i64 [ %v9, %guard11 ], [ %v21, %loop9 ]
%v17 = getelementptr float, ptr %v7, i64 %v16
%v18 = load <16 x float>, ptr %v17, align 4
%v19 = load <16 x float>, ptr %s7
%v20 = fadd <16 x float> %v19, %v18
store <16 x float> %v20, ptr %s7
%v21 = add i64 %v16, 16
%v22 = icmp slt i64 %v21, %v14
br i1 %v22, label %loop9, label %end10
end10:
%v23 = add i64 %v9, %v12
%v24 = icmp slt i64 %v14, %v23
br i1 %v24, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v25 = phi i64 [ %v14, %guard14 ], [ %v44, %end16 ]
%v26 = sub i64 %v23, %v25
%v27 = call i64 @llvm.smin.i64(i64 %v26, i64 4)
store <4 x float> splat (float 0x0000000000000000), ptr %s8, align 4
%v28 = icmp slt i64 0, %v27
br i1 %v28, label %guard17, label %end16
guard17:
br label %loop15
loop15:
%v29 = phi i64 [ 0, %guard17 ], [ %v34, %loop15 ]
%v30 = add i64 %v25, %v29
%v31 = getelementptr float, ptr %v7, i64 %v30
%v32 = load float, ptr %v31, align 4
%v33 = getelementptr float, ptr %s8, i64 %v29
store float %v32, ptr %v33, align 4
%v34 = add i64 %v29, 1
%v35 = icmp slt i64 %v34, %v27
br i1 %v35, label %loop15, label %end16
end16:
%v36 = load <4 x float>, ptr %s8, align 4
%v37 = trunc i64 %v27 to i32
%v38 = insertelement <4 x i32> poison, i32 %v37, i32 0
%v39 = shufflevector <4 x i32> %v38, <4 x i32> poison, <4 x i32> zeroinitializer
%v40 = icmp sgt <4 x i32> %v39, <i32 0, i32 1, i32 2, i32 3>
%v41 = select <4 x i1> %v40, <4 x float> %v36, <4 x float> splat (float 0x0000000000000000)
%v42 = load <4 x float>, ptr %s6
%v43 = fadd <4 x float> %v42, %v41
store <4 x float> %v43, ptr %s6
%v44 = add i64 %v25, 4
%v45 = icmp slt i64 %v44, %v23
br i1 %v45, label %loop12, label %end13
end13:
%v46 = load <4 x double>, ptr %s4
%v47 = load <4 x float>, ptr %s6
%v48 = fpext <4 x float> %v47 to <4 x double>
%v49 = fadd <4 x double> %v46, %v48
store <4 x double> %v49, ptr %s4
%v50 = load <16 x double>, ptr %s5
%v51 = load <16 x float>, ptr %s7
%v52 = fpext <16 x float> %v51 to <16 x double>
%v53 = fadd <16 x double> %v50, %v52
store <16 x double> %v53, ptr %s5
%v54 = add i64 %v9, 2048
%v55 = icmp slt i64 %v54, 100000
br i1 %v55, label %loop7, label %end8
end8:
%v56 = load <4 x double>, ptr %s4
%v57 = load <16 x double>, ptr %s5
%v58 = shufflevector <16 x double> %v57, <16 x double> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v59 = shufflevector <16 x double> %v57, <16 x double> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v60 = fadd <8 x double> %v58, %v59
%v61 = shufflevector <8 x double> %v60, <8 x double> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v62 = shufflevector <8 x double> %v60, <8 x double> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v63 = fadd <4 x double> %v61, %v62
%v64 = fadd <4 x double> %v63, %v56
%v65 = shufflevector <4 x double> %v64, <4 x double> poison, <2 x i32> <i32 0, i32 1>
%v66 = shufflevector <4 x double> %v64, <4 x double> poison, <2 x i32> <i32 2, i32 3>
%v67 = fadd <2 x double> %v65, %v66
%v68 = shufflevector <2 x double> %v67, <2 x double> poison, <1 x i32> <i32 0>
%v69 = shufflevector <2 x double> %v67, <2 x double> poison, <1 x i32> <i32 1>
%v70 = fadd <1 x double> %v68, %v69
%v71 = extractelement <1 x double> %v70, i64 0
%v72 = fptrunc double %v71 to float
store float %v72, ptr %v8, align 4
%v73 = add i64 %v5, 1
%v74 = icmp slt i64 %v73, %v3
br i1 %v74, label %loop4, label %end5
end5:
%v75 = add i64 %v1, 1
%v76 = icmp slt i64 %v75, %end
br i1 %v76, label %loop1, label %end2
end2:
ret void
}

