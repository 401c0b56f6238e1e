; kernels for x86_64-avx2 | prepare
; mir @pack {
;   %0 = input("x1") : f32[9, 12]
;   %1 = param("w1") : f32[12, 20]
;   %2 = matmul(%0, %1) : f32[9, 20]
;   return y1=%2
; }

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)

define void @pack_74de05c8(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 4
%a0 = load i64, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 5
%a1 = load i64, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 6
%a2 = load i64, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 1
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 0
%a4 = load ptr, ptr %a4.p, align 8
%a5.p = getelementptr i64, ptr %args, i64 7
%a5 = load i64, ptr %a5.p, align 8
%v0 = add i64 %a0, 15
%v1 = udiv i64 %v0, 16
%v2 = add i64 %v1, 3
%v3 = udiv i64 %v2, 4
%v4 = add i64 %a1, 127
%v5 = udiv i64 %v4, 128
%v6 = call i64 @llvm.smax.i64(i64 %v5, i64 1)
%v7 = icmp slt i64 %begin, %end
br i1 %v7, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v8 = phi i64 [ %begin, %guard3 ], [ %v106, %end11 ]
%v9 = udiv i64 %v8, %v6
%v10 = urem i64 %v8, %v6
%v11 = mul i64 %v10, 128
%v12 = sub i64 %a1, %v11
%v13 = call i64 @llvm.smin.i64(i64 %v12, i64 128)
%v14 = udiv i64 %v9, %v3
%v15 = urem i64 %v9, %v3
%v16 = mul i64 %v15, 4
%v17 = sub i64 %v1, %v16
%v18 = call i64 @llvm.smin.i64(i64 4, i64 %v17)
%v19 = mul i64 %a1, 16
%v20 = mul i64 %v14, %v1
%v21 = add i64 %v20, %v16
%v22 = mul i64 %v21, %v19
%v23 = mul i64 %v11, 16
%v24 = add i64 %v22, %v23
%v25 = getelementptr float, ptr %a3, i64 %v24
%v26 = mul i64 %v11, %a2
%v27 = mul i64 %v14, %a5
%v28 = add i64 %v27, %v26
%v29 = getelementptr float, ptr %a4, i64 %v28
%v30 = mul i64 %v16, 16
%v31 = sub i64 %a0, %v30
%v32 = udiv i64 %v31, 16
%v33 = call i64 @llvm.smin.i64(i64 %v18, i64 %v32)
%v34 = icmp slt i64 0, %v13
br i1 %v34, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v35 = phi i64 [ 0, %guard6 ], [ %v68, %end8 ]
%v36 = icmp slt i64 0, %v33
br i1 %v36, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v37 = phi i64 [ 0, %guard9 ], [ %v66, %loop7 ]
%v38 = add i64 %v35, 8
%v39 = mul i64 %v38, %a2
%v40 = add i64 %v39, %v30
%v41 = mul i64 %v37, 16
%v42 = add i64 %v40, %v41
%v43 = getelementptr float, ptr %v29, i64 %v42
call void @llvm.prefetch.p0(ptr %v43, i32 0, i32 3, i32 1)
%v44 = mul i64 %v35, %a2
%v45 = add i64 %v44, %v30
%v46 = mul i64 %v37, 16
%v47 = add i64 %v45, %v46
%v48 = getelementptr float, ptr %v29, i64 %v47
%v49 = load <8 x float>, ptr %v48, align 4
%v50 = mul i64 %v37, %v19
%v51 = mul i64 %v35, 16
%v52 = add i64 %v50, %v51
%v53 = getelementptr float, ptr %v25, i64 %v52
store <8 x float> %v49, ptr %v53, align 4
%v54 = mul i64 %v35, %a2
%v55 = add i64 %v54, %v30
%v56 = mul i64 %v37, 16
%v57 = add i64 %v55, %v56
%v58 = add i64 %v57, 8
%v59 = getelementptr float, ptr %v29, i64 %v58
%v60 = load <8 x float>, ptr %v59, align 4
%v61 = mul i64 %v37, %v19
%v62 = mul i64 %v35, 16
%v63 = add i64 %v61, %v62
%v64 = add i64 %v63, 8
%v65 = getelementptr float, ptr %v25, i64 %v64
store <8 x float> %v60, ptr %v65, align 4
%v66 = add i64 %v37, 1
%v67 = icmp slt i64 %v66, %v33
br i1 %v67, label %loop7, label %end8
end8:
%v68 = add i64 %v35, 1
%v69 = icmp slt i64 %v68, %v13
br i1 %v69, label %loop4, label %end5
end5:
%v70 = icmp slt i64 %v33, %v18
br i1 %v70, label %guard12, label %end11
guard12:
br label %loop10
loop10:
%v71 = phi i64 [ %v33, %guard12 ], [ %v104, %end14 ]
%v72 = mul i64 %v71, 16
%v73 = mul i64 %v71, %v19
%v74 = getelementptr float, ptr %v25, i64 %v73
%v75 = add i64 %v30, %v72
%v76 = sub i64 %v31, %v72
%v77 = icmp slt i64 0, %v13
br i1 %v77, label %guard15, label %end14
guard15:
br label %loop13
loop13:
%v78 = phi i64 [ 0, %guard15 ], [ %v102, %loop13 ]
%v79 = mul i64 %v78, %a2
%v80 = add i64 %v79, %v75
%v81 = trunc i64 %v76 to i32
%v82 = insertelement <8 x i32> poison, i32 %v81, i32 0
%v83 = shufflevector <8 x i32> %v82, <8 x i32> poison, <8 x i32> zeroinitializer
%v84 = icmp sgt <8 x i32> %v83, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v85 = getelementptr float, ptr %v29, i64 %v80
%v86 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v85, i32 4, <8 x i1> %v84, <8 x float> splat (float 0x0000000000000000))
%v87 = mul i64 %v78, 16
%v88 = getelementptr float, ptr %v74, i64 %v87
store <8 x float> %v86, ptr %v88, align 4
%v89 = mul i64 %v78, %a2
%v90 = add i64 %v89, %v75
%v91 = add i64 %v90, 8
%v92 = sub i64 %v76, 8
%v93 = trunc i64 %v92 to i32
%v94 = insertelement <8 x i32> poison, i32 %v93, i32 0
%v95 = shufflevector <8 x i32> %v94, <8 x i32> poison, <8 x i32> zeroinitializer
%v96 = icmp sgt <8 x i32> %v95, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v97 = getelementptr float, ptr %v29, i64 %v91
%v98 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v97, i32 4, <8 x i1> %v96, <8 x float> splat (float 0x0000000000000000))
%v99 = mul i64 %v78, 16
%v100 = add i64 %v99, 8
%v101 = getelementptr float, ptr %v74, i64 %v100
store <8 x float> %v98, ptr %v101, align 4
%v102 = add i64 %v78, 1
%v103 = icmp slt i64 %v102, %v13
br i1 %v103, label %loop13, label %end14
end14:
%v104 = add i64 %v71, 1
%v105 = icmp slt i64 %v104, %v18
br i1 %v105, label %loop10, label %end11
end11:
%v106 = add i64 %v8, 1
%v107 = icmp slt i64 %v106, %end
br i1 %v107, label %loop1, label %end2
end2:
ret void
}

