; kernels for x86_64-avx512
; mir @reduce_chunks {
;   %0 = input("x1") : f32[2, 100000]
;   %1 = reduce_sum(%0, axes=(1,)) : f32[2]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr, i32, <16 x i1>, <16 x float>)

define void @region_fdaef69e(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
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
%v1 = phi i64 [ %begin, %guard3 ], [ %v78, %end5 ]
%v2 = add i64 %v1, 1
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 2)
%v4 = icmp slt i64 %v1, %v3
br i1 %v4, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v5 = phi i64 [ %v1, %guard6 ], [ %v76, %end8 ]
%v6 = mul i64 %v5, 100000
%v7 = getelementptr float, ptr %a0, i64 %v6
%v8 = getelementptr float, ptr %a1, i64 %v5
store <16 x double> splat (double 0x0000000000000000), ptr %s4
store <64 x double> splat (double 0x0000000000000000), ptr %s5
store <16 x float> splat (float 0x0000000000000000), ptr %s6
store <64 x float> splat (float 0x0000000000000000), ptr %s7
br label %loop7
loop7:
%v9 = phi i64 [ 0, %loop4 ], [ %v51, %end13 ]
store <16 x float> splat (float 0x0000000000000000), ptr %s6
store <64 x float> splat (float 0x0000000000000000), ptr %s7
%v10 = add i64 %v9, 8192
%v11 = call i64 @llvm.smin.i64(i64 %v10, i64 100000)
%v12 = sub i64 %v11, %v9
%v13 = and i64 %v12, -64
%v14 = add i64 %v9, %v13
%v15 = icmp slt i64 %v9, %v14
br i1 %v15, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v16 = phi i64 [ %v9, %guard11 ], [ %v21, %loop9 ]
%v17 = getelementptr float, ptr %v7, i64 %v16
%v18 = load <64 x float>, ptr %v17, align 4
%v19 = load <64 x float>, ptr %s7
%v20 = fadd <64 x float> %v19, %v18
store <64 x float> %v20, ptr %s7
%v21 = add i64 %v16, 64
%v22 = icmp slt i64 %v21, %v14
br i1 %v22, label %loop9, label %end10
end10:
%v23 = add i64 %v9, %v12
%v24 = icmp slt i64 %v14, %v23
br i1 %v24, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v25 = phi i64 [ %v14, %guard14 ], [ %v41, %loop12 ]
%v26 = sub i64 %v23, %v25
%v27 = call i64 @llvm.smin.i64(i64 %v26, i64 16)
%v28 = trunc i64 %v27 to i32
%v29 = insertelement <16 x i32> poison, i32 %v28, i32 0
%v30 = shufflevector <16 x i32> %v29, <16 x i32> poison, <16 x i32> zeroinitializer
%v31 = icmp sgt <16 x i32> %v30, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v32 = getelementptr float, ptr %v7, i64 %v25
%v33 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v32, i32 4, <16 x i1> %v31, <16 x float> splat (float 0x0000000000000000))
%v34 = trunc i64 %v27 to i32
%v35 = insertelement <16 x i32> poison, i32 %v34, i32 0
%v36 = shufflevector <16 x i32> %v35, <16 x i32> poison, <16 x i32> zeroinitializer
%v37 = icmp sgt <16 x i32> %v36, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v38 = select <16 x i1> %v37, <16 x float> %v33, <16 x float> splat (float 0x0000000000000000)
%v39 = load <16 x float>, ptr %s6
%v40 = fadd <16 x float> %v39, %v38
store <16 x float> %v40, ptr %s6
%v41 = add i64 %v25, 16
%v42 = icmp slt i64 %v41, %v23
br i1 %v42, label %loop12, label %end13
end13:
%v43 = load <16 x double>, ptr %s4
%v44 = load <16 x float>, ptr %s6
%v45 = fpext <16 x float> %v44 to <16 x double>
%v46 = fadd <16 x double> %v43, %v45
store <16 x double> %v46, ptr %s4
%v47 = load <64 x double>, ptr %s5
%v48 = load <64 x float>, ptr %s7
%v49 = fpext <64 x float> %v48 to <64 x double>
%v50 = fadd <64 x double> %v47, %v49
store <64 x double> %v50, ptr %s5
%v51 = add i64 %v9, 8192
%v52 = icmp slt i64 %v51, 100000
br i1 %v52, label %loop7, label %end8
end8:
%v53 = load <16 x double>, ptr %s4
%v54 = load <64 x double>, ptr %s5
%v55 = shufflevector <64 x double> %v54, <64 x double> poison, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
%v56 = shufflevector <64 x double> %v54, <64 x double> poison, <32 x i32> <i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
%v57 = fadd <32 x double> %v55, %v56
%v58 = shufflevector <32 x double> %v57, <32 x double> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v59 = shufflevector <32 x double> %v57, <32 x double> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
%v60 = fadd <16 x double> %v58, %v59
%v61 = fadd <16 x double> %v60, %v53
%v62 = shufflevector <16 x double> %v61, <16 x double> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v63 = shufflevector <16 x double> %v61, <16 x double> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v64 = fadd <8 x double> %v62, %v63
%v65 = shufflevector <8 x double> %v64, <8 x double> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v66 = shufflevector <8 x double> %v64, <8 x double> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v67 = fadd <4 x double> %v65, %v66
%v68 = shufflevector <4 x double> %v67, <4 x double> poison, <2 x i32> <i32 0, i32 1>
%v69 = shufflevector <4 x double> %v67, <4 x double> poison, <2 x i32> <i32 2, i32 3>
%v70 = fadd <2 x double> %v68, %v69
%v71 = shufflevector <2 x double> %v70, <2 x double> poison, <1 x i32> <i32 0>
%v72 = shufflevector <2 x double> %v70, <2 x double> poison, <1 x i32> <i32 1>
%v73 = fadd <1 x double> %v71, %v72
%v74 = extractelement <1 x double> %v73, i64 0
%v75 = fptrunc double %v74 to float
store float %v75, ptr %v8, align 4
%v76 = add i64 %v5, 1
%v77 = icmp slt i64 %v76, %v3
br i1 %v77, label %loop4, label %end5
end5:
%v78 = add i64 %v1, 1
%v79 = icmp slt i64 %v78, %end
br i1 %v79, label %loop1, label %end2
end2:
ret void
}

