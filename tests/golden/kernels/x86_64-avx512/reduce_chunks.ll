; kernels for x86_64-avx512
; mir @reduce_chunks {
;   %0 = input("x1") : f32[2, 1048576]
;   %1 = reduce_sum(%0, axes=(1,)) : f32[2]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr, i32, <16 x i1>, <16 x float>)

define void @region_chunks_51785836(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca <16 x double>
%s5 = alloca <64 x double>
%s6 = alloca <16 x float>
%s7 = alloca <64 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v86, %end5 ]
%v2 = urem i64 %v1, 32
%v3 = udiv i64 %v1, 32
%v4 = add i64 %v3, 1
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 2)
%v6 = icmp slt i64 %v3, %v5
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ %v3, %guard6 ], [ %v84, %end8 ]
%v8 = mul i64 %v7, 1048576
%v9 = getelementptr float, ptr %a0, i64 %v8
%v10 = mul i64 %v7, 32
%v11 = getelementptr float, ptr %a1, i64 %v10
store <16 x double> splat (double 0x0000000000000000), ptr %s4
store <64 x double> splat (double 0x0000000000000000), ptr %s5
%v12 = mul i64 %v2, 32768
%v13 = add i64 %v12, 32768
%v14 = call i64 @llvm.smin.i64(i64 %v13, i64 1048576)
store <16 x float> splat (float 0x0000000000000000), ptr %s6
store <64 x float> splat (float 0x0000000000000000), ptr %s7
%v15 = icmp slt i64 %v12, %v14
br i1 %v15, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v16 = phi i64 [ %v12, %guard9 ], [ %v58, %end14 ]
store <16 x float> splat (float 0x0000000000000000), ptr %s6
store <64 x float> splat (float 0x0000000000000000), ptr %s7
%v17 = add i64 %v16, 8192
%v18 = call i64 @llvm.smin.i64(i64 %v17, i64 %v14)
%v19 = sub i64 %v18, %v16
%v20 = and i64 %v19, -64
%v21 = add i64 %v16, %v20
%v22 = icmp slt i64 %v16, %v21
br i1 %v22, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v23 = phi i64 [ %v16, %guard12 ], [ %v28, %loop10 ]
%v24 = getelementptr float, ptr %v9, i64 %v23
%v25 = load <64 x float>, ptr %v24, align 4
%v26 = load <64 x float>, ptr %s7
%v27 = fadd <64 x float> %v26, %v25
store <64 x float> %v27, ptr %s7
%v28 = add i64 %v23, 64
%v29 = icmp slt i64 %v28, %v21
br i1 %v29, label %loop10, label %end11
end11:
%v30 = add i64 %v16, %v19
%v31 = icmp slt i64 %v21, %v30
br i1 %v31, label %guard15, label %end14
guard15:
br label %loop13
loop13:
%v32 = phi i64 [ %v21, %guard15 ], [ %v48, %loop13 ]
%v33 = sub i64 %v30, %v32
%v34 = call i64 @llvm.smin.i64(i64 %v33, i64 16)
%v35 = trunc i64 %v34 to i32
%v36 = insertelement <16 x i32> poison, i32 %v35, i32 0
%v37 = shufflevector <16 x i32> %v36, <16 x i32> poison, <16 x i32> zeroinitializer
%v38 = icmp sgt <16 x i32> %v37, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v39 = getelementptr float, ptr %v9, i64 %v32
%v40 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v39, i32 4, <16 x i1> %v38, <16 x float> splat (float 0x0000000000000000))
%v41 = trunc i64 %v34 to i32
%v42 = insertelement <16 x i32> poison, i32 %v41, i32 0
%v43 = shufflevector <16 x i32> %v42, <16 x i32> poison, <16 x i32> zeroinitializer
%v44 = icmp sgt <16 x i32> %v43, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v45 = select <16 x i1> %v44, <16 x float> %v40, <16 x float> splat (float 0x0000000000000000)
%v46 = load <16 x float>, ptr %s6
%v47 = fadd <16 x float> %v46, %v45
store <16 x float> %v47, ptr %s6
%v48 = add i64 %v32, 16
%v49 = icmp slt i64 %v48, %v30
br i1 %v49, label %loop13, label %end14
end14:
%v50 = load <16 x double>, ptr %s4
%v51 = load <16 x float>, ptr %s6
%v52 = fpext <16 x float> %v51 to <16 x double>
%v53 = fadd <16 x double> %v50, %v52
store <16 x double> %v53, ptr %s4
%v54 = load <64 x double>, ptr %s5
%v55 = load <64 x float>, ptr %s7
%v56 = fpext <64 x float> %v55 to <64 x double>
%v57 = fadd <64 x double> %v54, %v56
store <64 x double> %v57, ptr %s5
%v58 = add i64 %v16, 8192
%v59 = icmp slt i64 %v58, %v14
br i1 %v59, label %loop7, label %end8
end8:
%v60 = load <16 x double>, ptr %s4
%v61 = load <64 x double>, ptr %s5
%v62 = shufflevector <64 x double> %v61, <64 x double> poison, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
%v63 = shufflevector <64 x double> %v61, <64 x double> poison, <32 x i32> <i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
%v64 = fadd <32 x double> %v62, %v63
%v65 = shufflevector <32 x double> %v64, <32 x double> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v66 = shufflevector <32 x double> %v64, <32 x double> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
%v67 = fadd <16 x double> %v65, %v66
%v68 = fadd <16 x double> %v67, %v60
%v69 = shufflevector <16 x double> %v68, <16 x double> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v70 = shufflevector <16 x double> %v68, <16 x double> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v71 = fadd <8 x double> %v69, %v70
%v72 = shufflevector <8 x double> %v71, <8 x double> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v73 = shufflevector <8 x double> %v71, <8 x double> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v74 = fadd <4 x double> %v72, %v73
%v75 = shufflevector <4 x double> %v74, <4 x double> poison, <2 x i32> <i32 0, i32 1>
%v76 = shufflevector <4 x double> %v74, <4 x double> poison, <2 x i32> <i32 2, i32 3>
%v77 = fadd <2 x double> %v75, %v76
%v78 = shufflevector <2 x double> %v77, <2 x double> poison, <1 x i32> <i32 0>
%v79 = shufflevector <2 x double> %v77, <2 x double> poison, <1 x i32> <i32 1>
%v80 = fadd <1 x double> %v78, %v79
%v81 = extractelement <1 x double> %v80, i64 0
%v82 = fptrunc double %v81 to float
%v83 = getelementptr float, ptr %v11, i64 %v2
store float %v82, ptr %v83, align 4
%v84 = add i64 %v7, 1
%v85 = icmp slt i64 %v84, %v5
br i1 %v85, label %loop4, label %end5
end5:
%v86 = add i64 %v1, 1
%v87 = icmp slt i64 %v86, %end
br i1 %v87, label %loop1, label %end2
end2:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)

define void @region_total_f0c9b705(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca <16 x float>
%s5 = alloca <32 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v34, %end5 ]
%v2 = mul i64 %v1, 512
%v3 = add i64 %v2, 512
%v4 = call i64 @llvm.smin.i64(i64 %v3, i64 2)
%v5 = icmp slt i64 %v2, %v4
br i1 %v5, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v6 = phi i64 [ %v2, %guard6 ], [ %v32, %loop4 ]
%v7 = mul i64 %v6, 32
%v8 = getelementptr float, ptr %a0, i64 %v7
%v9 = getelementptr float, ptr %a1, i64 %v6
store <16 x float> splat (float 0x0000000000000000), ptr %s4
store <32 x float> splat (float 0x0000000000000000), ptr %s5
%v10 = load <32 x float>, ptr %v8, align 4
%v11 = load <32 x float>, ptr %s5
%v12 = fadd <32 x float> %v11, %v10
store <32 x float> %v12, ptr %s5
%v13 = load <16 x float>, ptr %s4
%v14 = load <32 x float>, ptr %s5
%v15 = shufflevector <32 x float> %v14, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v16 = shufflevector <32 x float> %v14, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
%v17 = fadd <16 x float> %v15, %v16
%v18 = fadd <16 x float> %v17, %v13
%v19 = shufflevector <16 x float> %v18, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v20 = shufflevector <16 x float> %v18, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v21 = fadd <8 x float> %v19, %v20
%v22 = shufflevector <8 x float> %v21, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v23 = shufflevector <8 x float> %v21, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v24 = fadd <4 x float> %v22, %v23
%v25 = shufflevector <4 x float> %v24, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v26 = shufflevector <4 x float> %v24, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v27 = fadd <2 x float> %v25, %v26
%v28 = shufflevector <2 x float> %v27, <2 x float> poison, <1 x i32> <i32 0>
%v29 = shufflevector <2 x float> %v27, <2 x float> poison, <1 x i32> <i32 1>
%v30 = fadd <1 x float> %v28, %v29
%v31 = extractelement <1 x float> %v30, i64 0
store float %v31, ptr %v9, align 4
%v32 = add i64 %v6, 1
%v33 = icmp slt i64 %v32, %v4
br i1 %v33, label %loop4, label %end5
end5:
%v34 = add i64 %v1, 1
%v35 = icmp slt i64 %v34, %end
br i1 %v35, label %loop1, label %end2
end2:
ret void
}

