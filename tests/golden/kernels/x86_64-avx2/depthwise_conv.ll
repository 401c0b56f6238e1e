; kernels for x86_64-avx2
; mir @depthwise_conv {
;   %0 = input("x1") : f32[1, 2, 5, 6]
;   %1 = param("w1") : f32[2, 1, 3, 2]
;   %2 = conv(%0, %1, kernel_size=(3, 2), stride=(1, 1), padding=(1, 1), dilation=(1, 1), groups=2) : f32[1, 2, 5, 7]
;   return y1=%2
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @depthwise_conv_7f16fc3d(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 2
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
%s6 = alloca <8 x float>
%s7 = alloca <8 x float>
%s8 = alloca <8 x float>
%s9 = alloca <8 x float>
%s10 = alloca <8 x float>
%v0 = getelementptr float, ptr %scratch, i64 224
%v1 = getelementptr float, ptr %scratch, i64 264
%v2 = mul i64 %begin, 16
%v3 = mul i64 %end, 16
%v4 = call i64 @llvm.smin.i64(i64 %v3, i64 2)
%v5 = icmp slt i64 %v2, %v4
br i1 %v5, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v6 = phi i64 [ %v2, %guard3 ], [ %v118, %end26 ]
%v7 = udiv i64 %v6, 2
%v8 = urem i64 %v6, 2
%v9 = mul i64 %v7, 60
%v10 = mul i64 %v8, 30
%v11 = add i64 %v9, %v10
%v12 = getelementptr float, ptr %a1, i64 %v11
br label %loop4
loop4:
%v13 = phi i64 [ 1, %loop1 ], [ %v23, %loop4 ]
%v14 = mul i64 %v13, 32
%v15 = getelementptr float, ptr %scratch, i64 %v14
%v16 = add i64 -1, %v13
%v17 = mul i64 %v16, 6
%v18 = add i64 %v17, -1
%v19 = getelementptr float, ptr %v12, i64 %v18
store <8 x float> splat (float 0x0000000000000000), ptr %v15, align 4
%v20 = getelementptr float, ptr %v19, i64 1
%v21 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v20, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v22 = getelementptr float, ptr %v15, i64 1
store <8 x float> %v21, ptr %v22, align 4
%v23 = add i64 %v13, 1
%v24 = icmp slt i64 %v23, 6
br i1 %v24, label %loop4, label %end5
end5:
br label %loop6
loop6:
%v25 = phi i64 [ 0, %end5 ], [ %v27, %loop6 ]
%v26 = getelementptr float, ptr %scratch, i64 %v25
store <8 x float> splat (float 0x0000000000000000), ptr %v26, align 4
%v27 = add i64 %v25, 8
%v28 = icmp slt i64 %v27, 32
br i1 %v28, label %loop6, label %end7
end7:
%v29 = getelementptr float, ptr %scratch, i64 192
br label %loop8
loop8:
%v30 = phi i64 [ 0, %end7 ], [ %v32, %loop8 ]
%v31 = getelementptr float, ptr %v29, i64 %v30
store <8 x float> splat (float 0x0000000000000000), ptr %v31, align 4
%v32 = add i64 %v30, 8
%v33 = icmp slt i64 %v32, 32
br i1 %v33, label %loop8, label %end9
end9:
%v34 = mul i64 %v8, 6
%v35 = getelementptr float, ptr %a2, i64 %v34
%v36 = mul i64 %v6, 5
%v37 = mul i64 %v36, 7
store <8 x float> splat (float 0x0000000000000000), ptr %s6
store <8 x float> splat (float 0x0000000000000000), ptr %s7
store <8 x float> splat (float 0x0000000000000000), ptr %s8
store <8 x float> splat (float 0x0000000000000000), ptr %s9
store <8 x float> splat (float 0x0000000000000000), ptr %s10
br label %loop10
loop10:
%v38 = phi i64 [ 0, %end9 ], [ %v97, %loop10 ]
%v39 = getelementptr float, ptr %scratch, i64 %v38
%v40 = getelementptr float, ptr %v35, i64 %v38
%v41 = load float, ptr %v40, align 4
%v42 = insertelement <8 x float> poison, float %v41, i32 0
%v43 = shufflevector <8 x float> %v42, <8 x float> poison, <8 x i32> zeroinitializer
%v44 = add i64 %v38, 2
%v45 = getelementptr float, ptr %v35, i64 %v44
%v46 = load float, ptr %v45, align 4
%v47 = insertelement <8 x float> poison, float %v46, i32 0
%v48 = shufflevector <8 x float> %v47, <8 x float> poison, <8 x i32> zeroinitializer
%v49 = add i64 %v38, 4
%v50 = getelementptr float, ptr %v35, i64 %v49
%v51 = load float, ptr %v50, align 4
%v52 = insertelement <8 x float> poison, float %v51, i32 0
%v53 = shufflevector <8 x float> %v52, <8 x float> poison, <8 x i32> zeroinitializer
%v54 = load <8 x float>, ptr %v39, align 4
%v55 = load <8 x float>, ptr %s6
%v56 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v43, <8 x float> %v54, <8 x float> %v55)
store <8 x float> %v56, ptr %s6
%v57 = getelementptr float, ptr %v39, i64 32
%v58 = load <8 x float>, ptr %v57, align 4
%v59 = load <8 x float>, ptr %s6
%v60 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v48, <8 x float> %v58, <8 x float> %v59)
store <8 x float> %v60, ptr %s6
%v61 = load <8 x float>, ptr %s7
%v62 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v43, <8 x float> %v58, <8 x float> %v61)
store <8 x float> %v62, ptr %s7
%v63 = getelementptr float, ptr %v39, i64 64
%v64 = load <8 x float>, ptr %v63, align 4
%v65 = load <8 x float>, ptr %s6
%v66 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v53, <8 x float> %v64, <8 x float> %v65)
store <8 x float> %v66, ptr %s6
%v67 = load <8 x float>, ptr %s7
%v68 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v48, <8 x float> %v64, <8 x float> %v67)
store <8 x float> %v68, ptr %s7
%v69 = load <8 x float>, ptr %s8
%v70 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v43, <8 x float> %v64, <8 x float> %v69)
store <8 x float> %v70, ptr %s8
%v71 = getelementptr float, ptr %v39, i64 96
%v72 = load <8 x float>, ptr %v71, align 4
%v73 = load <8 x float>, ptr %s7
%v74 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v53, <8 x float> %v72, <8 x float> %v73)
store <8 x float> %v74, ptr %s7
%v75 = load <8 x float>, ptr %s8
%v76 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v48, <8 x float> %v72, <8 x float> %v75)
store <8 x float> %v76, ptr %s8
%v77 = load <8 x float>, ptr %s9
%v78 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v43, <8 x float> %v72, <8 x float> %v77)
store <8 x float> %v78, ptr %s9
%v79 = getelementptr float, ptr %v39, i64 128
%v80 = load <8 x float>, ptr %v79, align 4
%v81 = load <8 x float>, ptr %s8
%v82 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v53, <8 x float> %v80, <8 x float> %v81)
store <8 x float> %v82, ptr %s8
%v83 = load <8 x float>, ptr %s9
%v84 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v48, <8 x float> %v80, <8 x float> %v83)
store <8 x float> %v84, ptr %s9
%v85 = load <8 x float>, ptr %s10
%v86 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v43, <8 x float> %v80, <8 x float> %v85)
store <8 x float> %v86, ptr %s10
%v87 = getelementptr float, ptr %v39, i64 160
%v88 = load <8 x float>, ptr %v87, align 4
%v89 = load <8 x float>, ptr %s9
%v90 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v53, <8 x float> %v88, <8 x float> %v89)
store <8 x float> %v90, ptr %s9
%v91 = load <8 x float>, ptr %s10
%v92 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v48, <8 x float> %v88, <8 x float> %v91)
store <8 x float> %v92, ptr %s10
%v93 = getelementptr float, ptr %v39, i64 192
%v94 = load <8 x float>, ptr %v93, align 4
%v95 = load <8 x float>, ptr %s10
%v96 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v53, <8 x float> %v94, <8 x float> %v95)
store <8 x float> %v96, ptr %s10
%v97 = add i64 %v38, 1
%v98 = icmp slt i64 %v97, 2
br i1 %v98, label %loop10, label %end11
end11:
%v99 = load <8 x float>, ptr %s6
br i1 false, label %then12, label %else13
then12:
%v100 = getelementptr float, ptr %a0, i64 %v37
store <8 x float> %v99, ptr %v100, align 4
br label %end14
else13:
%v101 = getelementptr float, ptr %a0, i64 %v37
call void @llvm.masked.store.v8f32.p0(<8 x float> %v99, ptr %v101, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false>)
br label %end14
end14:
%v102 = add i64 %v37, 7
%v103 = load <8 x float>, ptr %s7
br i1 false, label %then15, label %else16
then15:
%v104 = getelementptr float, ptr %a0, i64 %v102
store <8 x float> %v103, ptr %v104, align 4
br label %end17
else16:
%v105 = getelementptr float, ptr %a0, i64 %v102
call void @llvm.masked.store.v8f32.p0(<8 x float> %v103, ptr %v105, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false>)
br label %end17
end17:
%v106 = add i64 %v37, 14
%v107 = load <8 x float>, ptr %s8
br i1 false, label %then18, label %else19
then18:
%v108 = getelementptr float, ptr %a0, i64 %v106
store <8 x float> %v107, ptr %v108, align 4
br label %end20
else19:
%v109 = getelementptr float, ptr %a0, i64 %v106
call void @llvm.masked.store.v8f32.p0(<8 x float> %v107, ptr %v109, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false>)
br label %end20
end20:
%v110 = add i64 %v37, 21
%v111 = load <8 x float>, ptr %s9
br i1 false, label %then21, label %else22
then21:
%v112 = getelementptr float, ptr %a0, i64 %v110
store <8 x float> %v111, ptr %v112, align 4
br label %end23
else22:
%v113 = getelementptr float, ptr %a0, i64 %v110
call void @llvm.masked.store.v8f32.p0(<8 x float> %v111, ptr %v113, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false>)
br label %end23
end23:
%v114 = add i64 %v37, 28
%v115 = load <8 x float>, ptr %s10
br i1 false, label %then24, label %else25
then24:
%v116 = getelementptr float, ptr %a0, i64 %v114
store <8 x float> %v115, ptr %v116, align 4
br label %end26
else25:
%v117 = getelementptr float, ptr %a0, i64 %v114
call void @llvm.masked.store.v8f32.p0(<8 x float> %v115, ptr %v117, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false>)
br label %end26
end26:
%v118 = add i64 %v6, 1
%v119 = icmp slt i64 %v118, %v4
br i1 %v119, label %loop1, label %end2
end2:
ret void
}

