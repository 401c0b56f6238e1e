; kernels for aarch64
; mir @copy_transposed {
;   %0 = input("x1") : f32[5, 20, 12]
;   %1 = transpose(%0, perm=(2, 0, 1)) : f32[12, 5, 20]
;   return y1=%1
; }

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)

define void @copy_015ccca1(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%s5 = alloca i64
%v0 = call i64 @llvm.smax.i64(i64 %begin, i64 0)
%v1 = call i64 @llvm.smin.i64(i64 %v0, i64 1)
%v2 = call i64 @llvm.smax.i64(i64 %end, i64 0)
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 1)
%v4 = mul i64 %v1, 3
%v5 = mul i64 %v3, 3
%v6 = call i64 @llvm.smin.i64(i64 %v5, i64 3)
%v7 = icmp slt i64 %v4, %v6
br i1 %v7, label %then1, label %else2
then1:
%v8 = udiv i64 %v4, 3
%v9 = urem i64 %v4, 3
store i64 %v9, ptr %s4
store i64 %v4, ptr %s5
br label %head4
head4:
%v10 = load i64, ptr %s4
%v11 = sub i64 3, %v10
%v12 = load i64, ptr %s5
%v13 = sub i64 %v6, %v12
%v14 = call i64 @llvm.smin.i64(i64 %v11, i64 %v13)
%v15 = load i64, ptr %s4
%v16 = add i64 %v15, %v14
%v17 = icmp slt i64 %v15, %v16
br i1 %v17, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v18 = phi i64 [ %v15, %guard8 ], [ %v77, %end13 ]
%v19 = mul i64 %v18, 4
%v20 = mul i64 %v19, 100
%v21 = getelementptr i32, ptr %a0, i64 %v20
%v22 = getelementptr i32, ptr %a1, i64 %v19
%v23 = add i64 %v19, 4
%v24 = icmp sle i64 %v23, 12
%v25 = select i1 %v24, i64 100, i64 0
%v26 = icmp slt i64 0, %v25
br i1 %v26, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v27 = phi i64 [ 0, %guard11 ], [ %v58, %loop9 ]
%v28 = mul i64 %v27, 12
%v29 = getelementptr i32, ptr %v22, i64 %v28
%v30 = load <4 x i32>, ptr %v29, align 4
%v31 = add i64 %v27, 1
%v32 = mul i64 %v31, 12
%v33 = getelementptr i32, ptr %v22, i64 %v32
%v34 = load <4 x i32>, ptr %v33, align 4
%v35 = add i64 %v27, 2
%v36 = mul i64 %v35, 12
%v37 = getelementptr i32, ptr %v22, i64 %v36
%v38 = load <4 x i32>, ptr %v37, align 4
%v39 = add i64 %v27, 3
%v40 = mul i64 %v39, 12
%v41 = getelementptr i32, ptr %v22, i64 %v40
%v42 = load <4 x i32>, ptr %v41, align 4
%v43 = shufflevector <4 x i32> %v30, <4 x i32> %v34, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
%v44 = shufflevector <4 x i32> %v30, <4 x i32> %v34, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
%v45 = shufflevector <4 x i32> %v38, <4 x i32> %v42, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
%v46 = shufflevector <4 x i32> %v38, <4 x i32> %v42, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
%v47 = shufflevector <4 x i32> %v43, <4 x i32> %v45, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
%v48 = shufflevector <4 x i32> %v43, <4 x i32> %v45, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
%v49 = shufflevector <4 x i32> %v44, <4 x i32> %v46, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
%v50 = shufflevector <4 x i32> %v44, <4 x i32> %v46, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
%v51 = getelementptr i32, ptr %v21, i64 %v27
store <4 x i32> %v47, ptr %v51, align 4
%v52 = add i64 %v27, 100
%v53 = getelementptr i32, ptr %v21, i64 %v52
store <4 x i32> %v49, ptr %v53, align 4
%v54 = add i64 %v27, 200
%v55 = getelementptr i32, ptr %v21, i64 %v54
store <4 x i32> %v48, ptr %v55, align 4
%v56 = add i64 %v27, 300
%v57 = getelementptr i32, ptr %v21, i64 %v56
store <4 x i32> %v50, ptr %v57, align 4
%v58 = add i64 %v27, 4
%v59 = icmp slt i64 %v58, %v25
br i1 %v59, label %loop9, label %end10
end10:
%v60 = sub i64 12, %v19
%v61 = call i64 @llvm.smin.i64(i64 %v60, i64 4)
%v62 = icmp slt i64 0, %v61
br i1 %v62, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v63 = phi i64 [ 0, %guard14 ], [ %v75, %end16 ]
%v64 = mul i64 %v63, 100
%v65 = getelementptr i32, ptr %v21, i64 %v64
%v66 = getelementptr i32, ptr %v22, i64 %v63
%v67 = icmp slt i64 %v25, 100
br i1 %v67, label %guard17, label %end16
guard17:
br label %loop15
loop15:
%v68 = phi i64 [ %v25, %guard17 ], [ %v73, %loop15 ]
%v69 = mul i64 %v68, 12
%v70 = getelementptr i32, ptr %v66, i64 %v69
%v71 = load i32, ptr %v70, align 4
%v72 = getelementptr i32, ptr %v65, i64 %v68
store i32 %v71, ptr %v72, align 4
%v73 = add i64 %v68, 1
%v74 = icmp slt i64 %v73, 100
br i1 %v74, label %loop15, label %end16
end16:
%v75 = add i64 %v63, 1
%v76 = icmp slt i64 %v75, %v61
br i1 %v76, label %loop12, label %end13
end13:
%v77 = add i64 %v18, 1
%v78 = icmp slt i64 %v77, %v16
br i1 %v78, label %loop6, label %end7
end7:
%v79 = load i64, ptr %s5
%v80 = add i64 %v79, %v14
store i64 %v80, ptr %s5
store i64 0, ptr %s4
%v81 = load i64, ptr %s5
%v82 = icmp sge i64 %v81, %v6
br i1 %v82, label %end5, label %next18
next18:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

