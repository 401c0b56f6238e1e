; kernels for x86_64-avx2
; mir @cumprod_down {
;   %0 = input("x1") : f32[5, 20]
;   %1 = cumprod(%0, axis=0) : f32[5, 20]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @cumprod_11e0e484(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s6 = alloca <8 x float>
%s7 = alloca <8 x float>
%s8 = alloca <8 x float>
%s9 = alloca <8 x float>
%s10 = alloca <8 x float>
%s11 = alloca <8 x float>
%v0 = mul i64 %begin, 64
%v1 = mul i64 %end, 64
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 20)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 20
%v5 = urem i64 %v0, 20
store i64 %v5, ptr %s0
store i64 %v0, ptr %s1
br label %head4
head4:
%v6 = load i64, ptr %s0
%v7 = sub i64 20, %v6
%v8 = load i64, ptr %s1
%v9 = sub i64 %v2, %v8
%v10 = call i64 @llvm.smin.i64(i64 %v7, i64 %v9)
%v11 = load i64, ptr %s0
%v12 = getelementptr float, ptr %a0, i64 %v11
%v13 = getelementptr float, ptr %a1, i64 %v11
%v14 = ashr i64 %v10, 5
%v15 = mul i64 %v14, 32
%v16 = ashr i64 %v10, 3
%v17 = mul i64 %v16, 8
%v18 = icmp slt i64 0, %v15
br i1 %v18, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v19 = phi i64 [ 0, %guard8 ], [ %v53, %end10 ]
store <8 x float> splat (float 0x3FF0000000000000), ptr %s6
store <8 x float> splat (float 0x3FF0000000000000), ptr %s7
store <8 x float> splat (float 0x3FF0000000000000), ptr %s8
store <8 x float> splat (float 0x3FF0000000000000), ptr %s9
br label %loop9
loop9:
%v20 = phi i64 [ 0, %loop6 ], [ %v51, %loop9 ]
%v21 = mul i64 %v20, 20
%v22 = add i64 %v19, %v21
%v23 = mul i64 %v20, 20
%v24 = add i64 %v19, %v23
%v25 = load <8 x float>, ptr %s6
%v26 = getelementptr float, ptr %v12, i64 %v22
%v27 = load <8 x float>, ptr %v26, align 4
%v28 = fmul <8 x float> %v25, %v27
store <8 x float> %v28, ptr %s6
%v29 = getelementptr float, ptr %v13, i64 %v24
store <8 x float> %v28, ptr %v29, align 4
%v30 = load <8 x float>, ptr %s7
%v31 = add i64 %v22, 8
%v32 = getelementptr float, ptr %v12, i64 %v31
%v33 = load <8 x float>, ptr %v32, align 4
%v34 = fmul <8 x float> %v30, %v33
store <8 x float> %v34, ptr %s7
%v35 = add i64 %v24, 8
%v36 = getelementptr float, ptr %v13, i64 %v35
store <8 x float> %v34, ptr %v36, align 4
%v37 = load <8 x float>, ptr %s8
%v38 = add i64 %v22, 16
%v39 = getelementptr float, ptr %v12, i64 %v38
%v40 = load <8 x float>, ptr %v39, align 4
%v41 = fmul <8 x float> %v37, %v40
store <8 x float> %v41, ptr %s8
%v42 = add i64 %v24, 16
%v43 = getelementptr float, ptr %v13, i64 %v42
store <8 x float> %v41, ptr %v43, align 4
%v44 = load <8 x float>, ptr %s9
%v45 = add i64 %v22, 24
%v46 = getelementptr float, ptr %v12, i64 %v45
%v47 = load <8 x float>, ptr %v46, align 4
%v48 = fmul <8 x float> %v44, %v47
store <8 x float> %v48, ptr %s9
%v49 = add i64 %v24, 24
%v50 = getelementptr float, ptr %v13, i64 %v49
store <8 x float> %v48, ptr %v50, align 4
%v51 = add i64 %v20, 1
%v52 = icmp slt i64 %v51, 5
br i1 %v52, label %loop9, label %end10
end10:
%v53 = add i64 %v19, 32
%v54 = icmp slt i64 %v53, %v15
br i1 %v54, label %loop6, label %end7
end7:
%v55 = icmp slt i64 %v15, %v17
br i1 %v55, label %guard13, label %end12
guard13:
br label %loop11
loop11:
%v56 = phi i64 [ %v15, %guard13 ], [ %v69, %end15 ]
store <8 x float> splat (float 0x3FF0000000000000), ptr %s10
br label %loop14
loop14:
%v57 = phi i64 [ 0, %loop11 ], [ %v67, %loop14 ]
%v58 = mul i64 %v57, 20
%v59 = add i64 %v56, %v58
%v60 = mul i64 %v57, 20
%v61 = add i64 %v56, %v60
%v62 = load <8 x float>, ptr %s10
%v63 = getelementptr float, ptr %v12, i64 %v59
%v64 = load <8 x float>, ptr %v63, align 4
%v65 = fmul <8 x float> %v62, %v64
store <8 x float> %v65, ptr %s10
%v66 = getelementptr float, ptr %v13, i64 %v61
store <8 x float> %v65, ptr %v66, align 4
%v67 = add i64 %v57, 1
%v68 = icmp slt i64 %v67, 5
br i1 %v68, label %loop14, label %end15
end15:
%v69 = add i64 %v56, 8
%v70 = icmp slt i64 %v69, %v17
br i1 %v70, label %loop11, label %end12
end12:
%v71 = icmp slt i64 %v17, %v10
br i1 %v71, label %then16, label %else17
then16:
%v72 = sub i64 %v10, %v17
store <8 x float> splat (float 0x3FF0000000000000), ptr %s11
br label %loop19
loop19:
%v73 = phi i64 [ 0, %then16 ], [ %v92, %loop19 ]
%v74 = mul i64 %v73, 20
%v75 = add i64 %v17, %v74
%v76 = mul i64 %v73, 20
%v77 = add i64 %v17, %v76
%v78 = load <8 x float>, ptr %s11
%v79 = trunc i64 %v72 to i32
%v80 = insertelement <8 x i32> poison, i32 %v79, i32 0
%v81 = shufflevector <8 x i32> %v80, <8 x i32> poison, <8 x i32> zeroinitializer
%v82 = icmp sgt <8 x i32> %v81, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v83 = getelementptr float, ptr %v12, i64 %v75
%v84 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v83, i32 4, <8 x i1> %v82, <8 x float> splat (float 0x0000000000000000))
%v85 = select <8 x i1> %v82, <8 x float> %v84, <8 x float> splat (float 0x3FF0000000000000)
%v86 = fmul <8 x float> %v78, %v85
store <8 x float> %v86, ptr %s11
%v87 = getelementptr float, ptr %v13, i64 %v77
%v88 = trunc i64 %v72 to i32
%v89 = insertelement <8 x i32> poison, i32 %v88, i32 0
%v90 = shufflevector <8 x i32> %v89, <8 x i32> poison, <8 x i32> zeroinitializer
%v91 = icmp sgt <8 x i32> %v90, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v86, ptr %v87, i32 4, <8 x i1> %v91)
%v92 = add i64 %v73, 1
%v93 = icmp slt i64 %v92, 5
br i1 %v93, label %loop19, label %end20
end20:
br label %end18
else17:
br label %end18
end18:
%v94 = load i64, ptr %s1
%v95 = add i64 %v94, %v10
store i64 %v95, ptr %s1
store i64 0, ptr %s0
%v96 = load i64, ptr %s1
%v97 = icmp sge i64 %v96, %v2
br i1 %v97, label %end5, label %next21
next21:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

