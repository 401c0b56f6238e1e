; kernels for x86_64-avx2
; mir @concat {
;   %0 = input("x1") : f32[5, 9]
;   %1 = input("x2") : f32[5, 4]
;   %2 = slice(%1, start=(0, 0), stop=(5, 3), step=(1, 2)) : f32[5, 2]
;   %3 = concat(%0, %2, axis=1) : f32[5, 11]
;   return y1=%3
; }

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)

define void @concat_48d9060f(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 2
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%s5 = alloca i64
%s6 = alloca i64
%a2.p = getelementptr i64, ptr %args, i64 1
%a2 = load ptr, ptr %a2.p, align 8
%s9 = alloca i64
%s10 = alloca i64
%s11 = alloca i64
%v0 = call i64 @llvm.smax.i64(i64 %begin, i64 0)
%v1 = call i64 @llvm.smin.i64(i64 %v0, i64 1)
%v2 = call i64 @llvm.smax.i64(i64 %end, i64 0)
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 1)
%v4 = mul i64 %v1, 64
%v5 = mul i64 %v3, 64
%v6 = call i64 @llvm.smin.i64(i64 %v5, i64 45)
%v7 = icmp slt i64 %v4, %v6
br i1 %v7, label %then1, label %else2
then1:
%v8 = udiv i64 %v4, 9
%v9 = urem i64 %v8, 5
store i64 %v9, ptr %s4
%v10 = udiv i64 %v8, 5
%v11 = urem i64 %v4, 9
store i64 %v11, ptr %s5
store i64 %v4, ptr %s6
br label %head4
head4:
%v12 = load i64, ptr %s5
%v13 = sub i64 9, %v12
%v14 = load i64, ptr %s6
%v15 = sub i64 %v6, %v14
%v16 = call i64 @llvm.smin.i64(i64 %v13, i64 %v15)
%v17 = load i64, ptr %s4
%v18 = load i64, ptr %s5
%v19 = mul i64 %v17, 11
%v20 = add i64 %v19, %v18
%v21 = getelementptr i32, ptr %a0, i64 %v20
%v22 = mul i64 %v17, 9
%v23 = add i64 %v22, %v18
%v24 = getelementptr i32, ptr %a1, i64 %v23
%v25 = ashr i64 %v16, 3
%v26 = mul i64 %v25, 8
%v27 = icmp slt i64 0, %v26
br i1 %v27, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v28 = phi i64 [ 0, %guard8 ], [ %v32, %loop6 ]
%v29 = getelementptr i32, ptr %v24, i64 %v28
%v30 = load <8 x i32>, ptr %v29, align 4
%v31 = getelementptr i32, ptr %v21, i64 %v28
store <8 x i32> %v30, ptr %v31, align 4
%v32 = add i64 %v28, 8
%v33 = icmp slt i64 %v32, %v26
br i1 %v33, label %loop6, label %end7
end7:
%v34 = icmp slt i64 %v26, %v16
br i1 %v34, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v35 = phi i64 [ %v26, %guard11 ], [ %v39, %loop9 ]
%v36 = getelementptr i32, ptr %v24, i64 %v35
%v37 = load i32, ptr %v36, align 4
%v38 = getelementptr i32, ptr %v21, i64 %v35
store i32 %v37, ptr %v38, align 4
%v39 = add i64 %v35, 1
%v40 = icmp slt i64 %v39, %v16
br i1 %v40, label %loop9, label %end10
end10:
%v41 = load i64, ptr %s6
%v42 = add i64 %v41, %v16
store i64 %v42, ptr %s6
store i64 0, ptr %s5
%v43 = load i64, ptr %s4
%v44 = add i64 %v43, 1
%v45 = icmp eq i64 %v44, 5
%v46 = select i1 %v45, i64 0, i64 %v44
store i64 %v46, ptr %s4
%v47 = load i64, ptr %s6
%v48 = icmp sge i64 %v47, %v6
br i1 %v48, label %end5, label %next12
next12:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
%v49 = sub i64 %begin, 1
%v50 = call i64 @llvm.smax.i64(i64 %v49, i64 0)
%v51 = call i64 @llvm.smin.i64(i64 %v50, i64 1)
%v52 = sub i64 %end, 1
%v53 = call i64 @llvm.smax.i64(i64 %v52, i64 0)
%v54 = call i64 @llvm.smin.i64(i64 %v53, i64 1)
%v55 = getelementptr i32, ptr %a0, i64 9
%v56 = mul i64 %v51, 64
%v57 = mul i64 %v54, 64
%v58 = call i64 @llvm.smin.i64(i64 %v57, i64 10)
%v59 = icmp slt i64 %v56, %v58
br i1 %v59, label %then13, label %else14
then13:
%v60 = udiv i64 %v56, 2
%v61 = urem i64 %v60, 5
store i64 %v61, ptr %s9
%v62 = udiv i64 %v60, 5
%v63 = urem i64 %v56, 2
store i64 %v63, ptr %s10
store i64 %v56, ptr %s11
br label %head16
head16:
%v64 = load i64, ptr %s10
%v65 = sub i64 2, %v64
%v66 = load i64, ptr %s11
%v67 = sub i64 %v58, %v66
%v68 = call i64 @llvm.smin.i64(i64 %v65, i64 %v67)
%v69 = load i64, ptr %s9
%v70 = load i64, ptr %s10
%v71 = mul i64 %v69, 11
%v72 = add i64 %v71, %v70
%v73 = getelementptr i32, ptr %v55, i64 %v72
%v74 = mul i64 %v69, 4
%v75 = mul i64 %v70, 2
%v76 = add i64 %v74, %v75
%v77 = getelementptr i32, ptr %a2, i64 %v76
%v78 = icmp slt i64 0, %v68
br i1 %v78, label %guard20, label %end19
guard20:
br label %loop18
loop18:
%v79 = phi i64 [ 0, %guard20 ], [ %v84, %loop18 ]
%v80 = mul i64 %v79, 2
%v81 = getelementptr i32, ptr %v77, i64 %v80
%v82 = load i32, ptr %v81, align 4
%v83 = getelementptr i32, ptr %v73, i64 %v79
store i32 %v82, ptr %v83, align 4
%v84 = add i64 %v79, 1
%v85 = icmp slt i64 %v84, %v68
br i1 %v85, label %loop18, label %end19
end19:
%v86 = load i64, ptr %s11
%v87 = add i64 %v86, %v68
store i64 %v87, ptr %s11
store i64 0, ptr %s10
%v88 = load i64, ptr %s9
%v89 = add i64 %v88, 1
%v90 = icmp eq i64 %v89, 5
%v91 = select i1 %v90, i64 0, i64 %v89
store i64 %v91, ptr %s9
%v92 = load i64, ptr %s11
%v93 = icmp sge i64 %v92, %v58
br i1 %v93, label %end17, label %next21
next21:
br label %head16
end17:
br label %end15
else14:
br label %end15
end15:
ret void
}

