; kernels for x86_64-avx2
; mir @max_pool {
;   %0 = input("x1") : f32[1, 2, 6, 6]
;   %1 = pool(%0, kind=max, kernel_size=(2, 3), stride=(2, 2), padding=(0, 0)) : f32[1, 2, 3, 2]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, i32, <4 x i1>, <4 x float>)
declare void @llvm.masked.store.v4f32.p0(<4 x float>, ptr, i32, <4 x i1>)

define void @max_pool_e687688b(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca <4 x float>
%s5 = alloca <4 x float>
%s6 = alloca <4 x float>
%v0 = getelementptr float, ptr %scratch, i64 144
%v1 = getelementptr float, ptr %scratch, i64 172
%v2 = mul i64 %begin, 16
%v3 = mul i64 %end, 16
%v4 = call i64 @llvm.smin.i64(i64 %v3, i64 2)
%v5 = icmp slt i64 %v2, %v4
br i1 %v5, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v6 = phi i64 [ %v2, %guard3 ], [ %v104, %end18 ]
%v7 = udiv i64 %v6, 2
%v8 = urem i64 %v6, 2
%v9 = mul i64 %v7, 72
%v10 = mul i64 %v8, 36
%v11 = add i64 %v9, %v10
%v12 = getelementptr float, ptr %a1, i64 %v11
br label %loop4
loop4:
%v13 = phi i64 [ 0, %loop1 ], [ %v39, %end7 ]
%v14 = mul i64 %v13, 24
%v15 = getelementptr float, ptr %scratch, i64 %v14
%v16 = mul i64 %v13, 6
%v17 = getelementptr float, ptr %v12, i64 %v16
%v18 = load <4 x float>, ptr %v17, align 4
store <4 x float> %v18, ptr %v0, align 4
%v19 = getelementptr float, ptr %v17, i64 4
%v20 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v19, i32 4, <4 x i1> <i1 true, i1 true, i1 false, i1 false>, <4 x float> splat (float 0x0000000000000000))
%v21 = select <4 x i1> <i1 true, i1 true, i1 false, i1 false>, <4 x float> %v20, <4 x float> splat (float 0xFFF0000000000000)
%v22 = getelementptr float, ptr %v0, i64 4
store <4 x float> %v21, ptr %v22, align 4
%v23 = getelementptr float, ptr %v0, i64 8
store <4 x float> splat (float 0xFFF0000000000000), ptr %v23, align 4
br label %loop6
loop6:
%v24 = phi i64 [ 0, %loop4 ], [ %v37, %loop6 ]
%v25 = mul i64 %v24, 2
%v26 = getelementptr float, ptr %v0, i64 %v25
%v27 = load <4 x float>, ptr %v26, align 4
%v28 = mul i64 %v24, 2
%v29 = add i64 %v28, 4
%v30 = getelementptr float, ptr %v0, i64 %v29
%v31 = load <4 x float>, ptr %v30, align 4
%v32 = shufflevector <4 x float> %v27, <4 x float> %v31, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
%v33 = shufflevector <4 x float> %v27, <4 x float> %v31, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
%v34 = getelementptr float, ptr %v15, i64 %v24
store <4 x float> %v32, ptr %v34, align 4
%v35 = add i64 %v24, 9
%v36 = getelementptr float, ptr %v15, i64 %v35
store <4 x float> %v33, ptr %v36, align 4
%v37 = add i64 %v24, 4
%v38 = icmp slt i64 %v37, 5
br i1 %v38, label %loop6, label %end7
end7:
%v39 = add i64 %v13, 1
%v40 = icmp slt i64 %v39, 6
br i1 %v40, label %loop4, label %end5
end5:
%v41 = mul i64 %v6, 3
%v42 = mul i64 %v41, 2
store <4 x float> splat (float 0xFFF0000000000000), ptr %s4
store <4 x float> splat (float 0xFFF0000000000000), ptr %s5
store <4 x float> splat (float 0xFFF0000000000000), ptr %s6
br label %loop8
loop8:
%v43 = phi i64 [ 0, %end5 ], [ %v91, %loop8 ]
%v44 = udiv i64 %v43, 2
%v45 = urem i64 %v43, 2
%v46 = mul i64 %v45, 9
%v47 = add i64 %v44, %v46
%v48 = getelementptr float, ptr %scratch, i64 %v47
%v49 = add i64 %v43, 3
%v50 = load <4 x float>, ptr %v48, align 4
%v51 = load <4 x float>, ptr %s4
%v52 = fcmp ogt <4 x float> %v50, %v51
%v53 = select <4 x i1> %v52, <4 x float> %v50, <4 x float> %v51
%v54 = fcmp uno <4 x float> %v50, %v50
%v55 = select <4 x i1> %v54, <4 x float> %v50, <4 x float> %v53
store <4 x float> %v55, ptr %s4
%v56 = getelementptr float, ptr %v48, i64 24
%v57 = load <4 x float>, ptr %v56, align 4
%v58 = load <4 x float>, ptr %s4
%v59 = fcmp ogt <4 x float> %v57, %v58
%v60 = select <4 x i1> %v59, <4 x float> %v57, <4 x float> %v58
%v61 = fcmp uno <4 x float> %v57, %v57
%v62 = select <4 x i1> %v61, <4 x float> %v57, <4 x float> %v60
store <4 x float> %v62, ptr %s4
%v63 = getelementptr float, ptr %v48, i64 48
%v64 = load <4 x float>, ptr %v63, align 4
%v65 = load <4 x float>, ptr %s5
%v66 = fcmp ogt <4 x float> %v64, %v65
%v67 = select <4 x i1> %v66, <4 x float> %v64, <4 x float> %v65
%v68 = fcmp uno <4 x float> %v64, %v64
%v69 = select <4 x i1> %v68, <4 x float> %v64, <4 x float> %v67
store <4 x float> %v69, ptr %s5
%v70 = getelementptr float, ptr %v48, i64 72
%v71 = load <4 x float>, ptr %v70, align 4
%v72 = load <4 x float>, ptr %s5
%v73 = fcmp ogt <4 x float> %v71, %v72
%v74 = select <4 x i1> %v73, <4 x float> %v71, <4 x float> %v72
%v75 = fcmp uno <4 x float> %v71, %v71
%v76 = select <4 x i1> %v75, <4 x float> %v71, <4 x float> %v74
store <4 x float> %v76, ptr %s5
%v77 = getelementptr float, ptr %v48, i64 96
%v78 = load <4 x float>, ptr %v77, align 4
%v79 = load <4 x float>, ptr %s6
%v80 = fcmp ogt <4 x float> %v78, %v79
%v81 = select <4 x i1> %v80, <4 x float> %v78, <4 x float> %v79
%v82 = fcmp uno <4 x float> %v78, %v78
%v83 = select <4 x i1> %v82, <4 x float> %v78, <4 x float> %v81
store <4 x float> %v83, ptr %s6
%v84 = getelementptr float, ptr %v48, i64 120
%v85 = load <4 x float>, ptr %v84, align 4
%v86 = load <4 x float>, ptr %s6
%v87 = fcmp ogt <4 x float> %v85, %v86
%v88 = select <4 x i1> %v87, <4 x float> %v85, <4 x float> %v86
%v89 = fcmp uno <4 x float> %v85, %v85
%v90 = select <4 x i1> %v89, <4 x float> %v85, <4 x float> %v88
store <4 x float> %v90, ptr %s6
%v91 = add i64 %v43, 1
%v92 = icmp slt i64 %v91, 3
br i1 %v92, label %loop8, label %end9
end9:
%v93 = load <4 x float>, ptr %s4
br i1 false, label %then10, label %else11
then10:
%v94 = getelementptr float, ptr %a0, i64 %v42
store <4 x float> %v93, ptr %v94, align 4
br label %end12
else11:
%v95 = getelementptr float, ptr %a0, i64 %v42
call void @llvm.masked.store.v4f32.p0(<4 x float> %v93, ptr %v95, i32 4, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
br label %end12
end12:
%v96 = add i64 %v42, 2
%v97 = load <4 x float>, ptr %s5
br i1 false, label %then13, label %else14
then13:
%v98 = getelementptr float, ptr %a0, i64 %v96
store <4 x float> %v97, ptr %v98, align 4
br label %end15
else14:
%v99 = getelementptr float, ptr %a0, i64 %v96
call void @llvm.masked.store.v4f32.p0(<4 x float> %v97, ptr %v99, i32 4, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
br label %end15
end15:
%v100 = add i64 %v42, 4
%v101 = load <4 x float>, ptr %s6
br i1 false, label %then16, label %else17
then16:
%v102 = getelementptr float, ptr %a0, i64 %v100
store <4 x float> %v101, ptr %v102, align 4
br label %end18
else17:
%v103 = getelementptr float, ptr %a0, i64 %v100
call void @llvm.masked.store.v4f32.p0(<4 x float> %v101, ptr %v103, i32 4, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
br label %end18
end18:
%v104 = add i64 %v6, 1
%v105 = icmp slt i64 %v104, %v4
br i1 %v105, label %loop1, label %end2
end2:
ret void
}

