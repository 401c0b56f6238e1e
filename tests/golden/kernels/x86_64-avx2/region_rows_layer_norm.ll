; kernels for x86_64-avx2
; mir @region_rows_layer_norm {
;   %0 = input("x1") : f32[6, 37]
;   %1 = param("w1") : f32[37]
;   %2 = param("w2") : f32[37]
;   %3 = layer_norm(%0, %1, %2, axes=(1,)) : f32[6, 37]
;   return y1=%3
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <32 x float> @llvm.fma.v32f32(<32 x float>, <32 x float>, <32 x float>)
declare float @llvm.sqrt.f32(float)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @region_974e0fb2(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 3
%a3 = load ptr, ptr %a3.p, align 8
%s8 = alloca <8 x float>
%s9 = alloca <32 x float>
%s10 = alloca <8 x float>
%s11 = alloca <32 x float>
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v112, %end5 ]
%v2 = mul i64 %v1, 442
%v3 = add i64 %v2, 442
%v4 = call i64 @llvm.smin.i64(i64 %v3, i64 6)
%v5 = icmp slt i64 %v2, %v4
br i1 %v5, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v6 = phi i64 [ %v2, %guard6 ], [ %v110, %loop4 ]
%v7 = mul i64 %v6, 37
%v8 = getelementptr float, ptr %a0, i64 %v7
%v9 = mul i64 %v6, 37
%v10 = getelementptr float, ptr %a3, i64 %v9
store <8 x float> splat (float 0x0000000000000000), ptr %s8
store <32 x float> splat (float 0x0000000000000000), ptr %s9
%v11 = load <32 x float>, ptr %v8, align 4
%v12 = load <32 x float>, ptr %s9
%v13 = fadd <32 x float> %v12, %v11
store <32 x float> %v13, ptr %s9
%v14 = getelementptr float, ptr %v8, i64 32
%v15 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v14, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v16 = select <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> %v15, <8 x float> splat (float 0x0000000000000000)
%v17 = load <8 x float>, ptr %s8
%v18 = fadd <8 x float> %v17, %v16
store <8 x float> %v18, ptr %s8
%v19 = load <8 x float>, ptr %s8
%v20 = load <32 x float>, ptr %s9
%v21 = shufflevector <32 x float> %v20, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v22 = shufflevector <32 x float> %v20, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
%v23 = fadd <16 x float> %v21, %v22
%v24 = shufflevector <16 x float> %v23, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v25 = shufflevector <16 x float> %v23, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v26 = fadd <8 x float> %v24, %v25
%v27 = fadd <8 x float> %v26, %v19
%v28 = shufflevector <8 x float> %v27, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v29 = shufflevector <8 x float> %v27, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v30 = fadd <4 x float> %v28, %v29
%v31 = shufflevector <4 x float> %v30, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v32 = shufflevector <4 x float> %v30, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v33 = fadd <2 x float> %v31, %v32
%v34 = shufflevector <2 x float> %v33, <2 x float> poison, <1 x i32> <i32 0>
%v35 = shufflevector <2 x float> %v33, <2 x float> poison, <1 x i32> <i32 1>
%v36 = fadd <1 x float> %v34, %v35
%v37 = extractelement <1 x float> %v36, i64 0
%v38 = fdiv float %v37, 0x4042800000000000
store <8 x float> splat (float 0x0000000000000000), ptr %s10
store <32 x float> splat (float 0x0000000000000000), ptr %s11
%v39 = insertelement <8 x float> poison, float %v38, i32 0
%v40 = shufflevector <8 x float> %v39, <8 x float> poison, <8 x i32> zeroinitializer
%v41 = insertelement <32 x float> poison, float %v38, i32 0
%v42 = shufflevector <32 x float> %v41, <32 x float> poison, <32 x i32> zeroinitializer
%v43 = getelementptr i8, ptr %v8, i64 148
call void @llvm.prefetch.p0(ptr %v43, i32 0, i32 3, i32 1)
%v44 = getelementptr i8, ptr %v8, i64 212
call void @llvm.prefetch.p0(ptr %v44, i32 0, i32 3, i32 1)
%v45 = load <32 x float>, ptr %v8, align 4
%v46 = fsub <32 x float> %v45, %v42
%v47 = fmul <32 x float> %v46, %v46
%v48 = load <32 x float>, ptr %s11
%v49 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v46, <32 x float> %v46, <32 x float> %v48)
store <32 x float> %v49, ptr %s11
%v50 = getelementptr i8, ptr %v8, i64 276
call void @llvm.prefetch.p0(ptr %v50, i32 0, i32 3, i32 1)
%v51 = getelementptr float, ptr %v8, i64 32
%v52 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v51, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v53 = fsub <8 x float> %v52, %v40
%v54 = fmul <8 x float> %v53, %v53
%v55 = select <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> %v54, <8 x float> splat (float 0x0000000000000000)
%v56 = load <8 x float>, ptr %s10
%v57 = fadd <8 x float> %v56, %v55
store <8 x float> %v57, ptr %s10
%v58 = load <8 x float>, ptr %s10
%v59 = load <32 x float>, ptr %s11
%v60 = shufflevector <32 x float> %v59, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v61 = shufflevector <32 x float> %v59, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
%v62 = fadd <16 x float> %v60, %v61
%v63 = shufflevector <16 x float> %v62, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v64 = shufflevector <16 x float> %v62, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v65 = fadd <8 x float> %v63, %v64
%v66 = fadd <8 x float> %v65, %v58
%v67 = shufflevector <8 x float> %v66, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v68 = shufflevector <8 x float> %v66, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v69 = fadd <4 x float> %v67, %v68
%v70 = shufflevector <4 x float> %v69, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v71 = shufflevector <4 x float> %v69, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v72 = fadd <2 x float> %v70, %v71
%v73 = shufflevector <2 x float> %v72, <2 x float> poison, <1 x i32> <i32 0>
%v74 = shufflevector <2 x float> %v72, <2 x float> poison, <1 x i32> <i32 1>
%v75 = fadd <1 x float> %v73, %v74
%v76 = extractelement <1 x float> %v75, i64 0
%v77 = fdiv float %v76, 0x4042800000000000
%v78 = fadd float %v77, 0x3EE4F8B580000000
%v79 = call float @llvm.sqrt.f32(float %v78)
%v80 = fdiv float 0x3FF0000000000000, %v79
%v81 = insertelement <8 x float> poison, float %v38, i32 0
%v82 = shufflevector <8 x float> %v81, <8 x float> poison, <8 x i32> zeroinitializer
%v83 = insertelement <8 x float> poison, float %v80, i32 0
%v84 = shufflevector <8 x float> %v83, <8 x float> poison, <8 x i32> zeroinitializer
%v85 = insertelement <32 x float> poison, float %v38, i32 0
%v86 = shufflevector <32 x float> %v85, <32 x float> poison, <32 x i32> zeroinitializer
%v87 = insertelement <32 x float> poison, float %v80, i32 0
%v88 = shufflevector <32 x float> %v87, <32 x float> poison, <32 x i32> zeroinitializer
%v89 = getelementptr i8, ptr %v8, i64 148
call void @llvm.prefetch.p0(ptr %v89, i32 0, i32 3, i32 1)
%v90 = getelementptr i8, ptr %v8, i64 212
call void @llvm.prefetch.p0(ptr %v90, i32 0, i32 3, i32 1)
%v91 = load <32 x float>, ptr %v8, align 4
%v92 = load <32 x float>, ptr %a1, align 4
%v93 = load <32 x float>, ptr %a2, align 4
%v94 = fsub <32 x float> %v91, %v86
%v95 = fmul <32 x float> %v94, %v88
%v96 = fmul <32 x float> %v95, %v92
%v97 = fadd <32 x float> %v96, %v93
store <32 x float> %v97, ptr %v10, align 4
%v98 = getelementptr i8, ptr %v8, i64 276
call void @llvm.prefetch.p0(ptr %v98, i32 0, i32 3, i32 1)
%v99 = getelementptr float, ptr %v8, i64 32
%v100 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v99, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v101 = getelementptr float, ptr %a1, i64 32
%v102 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v101, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v103 = getelementptr float, ptr %a2, i64 32
%v104 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v103, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v105 = fsub <8 x float> %v100, %v82
%v106 = fmul <8 x float> %v105, %v84
%v107 = fmul <8 x float> %v106, %v102
%v108 = fadd <8 x float> %v107, %v104
%v109 = getelementptr float, ptr %v10, i64 32
call void @llvm.masked.store.v8f32.p0(<8 x float> %v108, ptr %v109, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>)
%v110 = add i64 %v6, 1
%v111 = icmp slt i64 %v110, %v4
br i1 %v111, label %loop4, label %end5
end5:
%v112 = add i64 %v1, 1
%v113 = icmp slt i64 %v112, %end
br i1 %v113, label %loop1, label %end2
end2:
ret void
}

