; kernels for x86_64-avx2
; mir @pack_stored_rows {
;   %0 = input("x1") : u8[8, 34]
;   %1 = pack(%0, layout=rows8_q8_0) : u8[1, 272]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @pack_5344cf1a(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%v0 = call i64 @llvm.smin.i64(i64 %end, i64 1)
%v1 = icmp slt i64 %begin, %v0
br i1 %v1, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v2 = phi i64 [ %begin, %guard3 ], [ %v49, %end5 ]
store i64 0, ptr %s0
%v3 = load i64, ptr %s0
%v4 = icmp slt i64 %v3, 1
br i1 %v4, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v5 = phi i64 [ %v3, %guard6 ], [ %v47, %end8 ]
%v6 = mul i64 %v2, 34
%v7 = mul i64 %v6, 8
%v8 = mul i64 %v5, 272
%v9 = add i64 %v7, %v8
%v10 = getelementptr i8, ptr %a0, i64 %v9
br label %loop7
loop7:
%v11 = phi i64 [ 0, %loop4 ], [ %v45, %end12 ]
%v12 = icmp slt i64 %v11, 8
%v13 = mul i64 %v2, 8
%v14 = call i64 @llvm.smin.i64(i64 %v11, i64 7)
%v15 = add i64 %v13, %v14
%v16 = mul i64 %v15, 34
%v17 = mul i64 %v5, 34
%v18 = add i64 %v16, %v17
%v19 = getelementptr i8, ptr %a1, i64 %v18
%v20 = load i16, ptr %v19, align 1
%v21 = select i1 %v12, i16 %v20, i16 0
%v22 = getelementptr i16, ptr %v10, i64 %v11
store i16 %v21, ptr %v22, align 1
br label %loop9
loop9:
%v23 = phi i64 [ 0, %loop7 ], [ %v30, %loop9 ]
%v24 = add i64 %v23, 2
%v25 = getelementptr i8, ptr %v19, i64 %v24
%v26 = load <8 x i8>, ptr %v25, align 1
%v27 = zext <8 x i8> %v26 to <8 x i32>
%v28 = trunc <8 x i32> %v27 to <8 x i8>
%v29 = getelementptr i8, ptr %scratch, i64 %v23
store <8 x i8> %v28, ptr %v29, align 1
%v30 = add i64 %v23, 8
%v31 = icmp slt i64 %v30, 32
br i1 %v31, label %loop9, label %end10
end10:
%v32 = getelementptr i8, ptr %v10, i64 16
br label %loop11
loop11:
%v33 = phi i64 [ 0, %end10 ], [ %v43, %loop11 ]
%v34 = udiv i64 %v33, 4
%v35 = mul i64 %v34, 8
%v36 = mul i64 %v35, 8
%v37 = ashr i64 %v36, 1
%v38 = getelementptr i8, ptr %v32, i64 %v37
%v39 = getelementptr i8, ptr %scratch, i64 %v33
%v40 = load i32, ptr %v39, align 4
%v41 = select i1 %v12, i32 %v40, i32 0
%v42 = getelementptr i32, ptr %v38, i64 %v11
store i32 %v41, ptr %v42, align 1
%v43 = add i64 %v33, 4
%v44 = icmp slt i64 %v43, 32
br i1 %v44, label %loop11, label %end12
end12:
%v45 = add i64 %v11, 1
%v46 = icmp slt i64 %v45, 8
br i1 %v46, label %loop7, label %end8
end8:
%v47 = add i64 %v5, 1
%v48 = icmp slt i64 %v47, 1
br i1 %v48, label %loop4, label %end5
end5:
%v49 = add i64 %v2, 1
%v50 = icmp slt i64 %v49, %v0
br i1 %v50, label %loop1, label %end2
end2:
ret void
}

