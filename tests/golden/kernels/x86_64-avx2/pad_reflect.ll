; kernels for x86_64-avx2
; mir @pad_reflect {
;   %0 = input("x1") : f32[5, 9]
;   %1 = pad(%0, low=(1, 2), high=(0, 3), mode=reflect) : f32[6, 14]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

define void @pad_95c2983c(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%s5 = alloca i64
%s6 = alloca i64
%v0 = mul i64 %begin, 128
%v1 = mul i64 %end, 128
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 84)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 14
%v5 = urem i64 %v4, 6
store i64 %v5, ptr %s4
%v6 = udiv i64 %v4, 6
%v7 = urem i64 %v0, 14
store i64 %v7, ptr %s5
store i64 %v0, ptr %s6
br label %head4
head4:
%v8 = load i64, ptr %s5
%v9 = sub i64 14, %v8
%v10 = load i64, ptr %s6
%v11 = sub i64 %v2, %v10
%v12 = call i64 @llvm.smin.i64(i64 %v9, i64 %v11)
%v13 = load i64, ptr %s4
%v14 = load i64, ptr %s5
%v15 = mul i64 %v13, 14
%v16 = add i64 %v15, %v14
%v17 = getelementptr i32, ptr %a1, i64 %v16
%v18 = sub i64 %v13, 1
%v19 = and i64 %v18, 7
%v20 = sub i64 8, %v19
%v21 = call i64 @llvm.smin.i64(i64 %v19, i64 %v20)
%v22 = mul i64 %v21, 9
%v23 = getelementptr i32, ptr %a0, i64 %v22
%v24 = sub i64 2, %v14
%v25 = call i64 @llvm.smax.i64(i64 %v24, i64 0)
%v26 = call i64 @llvm.smin.i64(i64 %v25, i64 %v12)
%v27 = sub i64 11, %v14
%v28 = call i64 @llvm.smin.i64(i64 %v27, i64 %v12)
%v29 = call i64 @llvm.smax.i64(i64 %v28, i64 %v26)
%v30 = icmp slt i64 0, %v26
br i1 %v30, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v31 = phi i64 [ 0, %guard8 ], [ %v40, %loop6 ]
%v32 = add i64 %v14, %v31
%v33 = sub i64 %v32, 2
%v34 = and i64 %v33, 15
%v35 = sub i64 16, %v34
%v36 = call i64 @llvm.smin.i64(i64 %v34, i64 %v35)
%v37 = getelementptr i32, ptr %v23, i64 %v36
%v38 = load i32, ptr %v37, align 4
%v39 = getelementptr i32, ptr %v17, i64 %v31
store i32 %v38, ptr %v39, align 4
%v40 = add i64 %v31, 1
%v41 = icmp slt i64 %v40, %v26
br i1 %v41, label %loop6, label %end7
end7:
%v42 = icmp slt i64 %v29, %v12
br i1 %v42, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v43 = phi i64 [ %v29, %guard11 ], [ %v52, %loop9 ]
%v44 = add i64 %v14, %v43
%v45 = sub i64 %v44, 2
%v46 = and i64 %v45, 15
%v47 = sub i64 16, %v46
%v48 = call i64 @llvm.smin.i64(i64 %v46, i64 %v47)
%v49 = getelementptr i32, ptr %v23, i64 %v48
%v50 = load i32, ptr %v49, align 4
%v51 = getelementptr i32, ptr %v17, i64 %v43
store i32 %v50, ptr %v51, align 4
%v52 = add i64 %v43, 1
%v53 = icmp slt i64 %v52, %v12
br i1 %v53, label %loop9, label %end10
end10:
%v54 = add i64 %v14, %v26
%v55 = sub i64 %v54, 2
%v56 = getelementptr i32, ptr %v23, i64 %v55
%v57 = getelementptr i32, ptr %v17, i64 %v26
%v58 = sub i64 %v29, %v26
%v59 = ashr i64 %v58, 3
%v60 = mul i64 %v59, 8
%v61 = icmp slt i64 0, %v60
br i1 %v61, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v62 = phi i64 [ 0, %guard14 ], [ %v66, %loop12 ]
%v63 = getelementptr i32, ptr %v56, i64 %v62
%v64 = load <8 x i32>, ptr %v63, align 4
%v65 = getelementptr i32, ptr %v57, i64 %v62
store <8 x i32> %v64, ptr %v65, align 4
%v66 = add i64 %v62, 8
%v67 = icmp slt i64 %v66, %v60
br i1 %v67, label %loop12, label %end13
end13:
%v68 = icmp slt i64 %v60, %v58
br i1 %v68, label %guard17, label %end16
guard17:
br label %loop15
loop15:
%v69 = phi i64 [ %v60, %guard17 ], [ %v73, %loop15 ]
%v70 = getelementptr i32, ptr %v56, i64 %v69
%v71 = load i32, ptr %v70, align 4
%v72 = getelementptr i32, ptr %v57, i64 %v69
store i32 %v71, ptr %v72, align 4
%v73 = add i64 %v69, 1
%v74 = icmp slt i64 %v73, %v58
br i1 %v74, label %loop15, label %end16
end16:
%v75 = load i64, ptr %s6
%v76 = add i64 %v75, %v12
store i64 %v76, ptr %s6
store i64 0, ptr %s5
%v77 = load i64, ptr %s4
%v78 = add i64 %v77, 1
%v79 = icmp eq i64 %v78, 6
%v80 = select i1 %v79, i64 0, i64 %v78
store i64 %v80, ptr %s4
%v81 = load i64, ptr %s6
%v82 = icmp sge i64 %v81, %v2
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

