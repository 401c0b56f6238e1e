; kernels for x86_64-avx2
; mir @q8_0_panel {
;   %0 = input("x1") : f32[8, 32]
;   %1 = param("w1", scheme=gguf_q8_0) : f32[32, 8]
;   %2 = matmul(%0, %1) : f32[8, 8]
;   return y1=%2
; }

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i64 @llvm.smin.i64(i64, i64)
declare <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16>, <16 x i16>)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

define void @packed_matmul_e2e80b73(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%v0 = getelementptr i8, ptr %scratch, i64 1024
%v1 = icmp slt i64 %begin, %end
br i1 %v1, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v2 = phi i64 [ %begin, %guard3 ], [ %v28, %end9 ]
br label %loop4
loop4:
%v3 = phi i64 [ 0, %loop1 ], [ %v5, %loop4 ]
%v4 = getelementptr i64, ptr %scratch, i64 %v3
store i64 %v3, ptr %v4, align 8
%v5 = add i64 %v3, 1
%v6 = icmp slt i64 %v5, 8
br i1 %v6, label %loop4, label %end5
end5:
br label %loop6
loop6:
%v7 = phi i64 [ 0, %end5 ], [ %v9, %loop6 ]
%v8 = getelementptr float, ptr %v0, i64 %v7
store <8 x float> splat (float 0x0000000000000000), ptr %v8, align 4
%v9 = add i64 %v7, 8
%v10 = icmp slt i64 %v9, 176
br i1 %v10, label %loop6, label %end7
end7:
%v11 = getelementptr i8, ptr %scratch, i64 9728
call void @unpack_Q8_0_0(ptr %a0, ptr %v11)
call void @unpack_Q8_0_1(ptr %a0, ptr %v11)
call void @tiles_Q8_0(ptr %a1, i64 0, i64 1, i64 68, i64 8, ptr %scratch)
br label %loop8
loop8:
%v12 = phi i64 [ 0, %end7 ], [ %v26, %end15 ]
%v13 = getelementptr i64, ptr %scratch, i64 %v12
%v14 = load i64, ptr %v13, align 8
%v15 = mul i64 %v12, 16
%v16 = getelementptr float, ptr %v0, i64 %v15
%v17 = load <8 x float>, ptr %v16, align 4
br i1 true, label %then10, label %else11
then10:
%v18 = mul i64 %v14, 8
%v19 = getelementptr float, ptr %a2, i64 %v18
store <8 x float> %v17, ptr %v19, align 4
br label %end12
else11:
br label %end12
end12:
%v20 = mul i64 %v12, 16
%v21 = add i64 %v20, 8
%v22 = getelementptr float, ptr %v0, i64 %v21
%v23 = load <8 x float>, ptr %v22, align 4
br i1 false, label %then13, label %else14
then13:
%v24 = mul i64 %v14, 8
%v25 = add i64 %v24, 8
br label %end15
else14:
br label %end15
end15:
%v26 = add i64 %v12, 1
%v27 = icmp slt i64 %v26, 8
br i1 %v27, label %loop8, label %end9
end9:
%v28 = add i64 %v2, 1
%v29 = icmp slt i64 %v28, %end
br i1 %v29, label %loop1, label %end2
end2:
ret void
}

define internal void @unpack_Q8_0_0(ptr %weight, ptr %block) nounwind {
entry:
%v0 = load <8 x i16>, ptr %weight, align 1
%v1 = bitcast <8 x i16> %v0 to <8 x half>
%v2 = fpext <8 x half> %v1 to <8 x float>
call void asm sideeffect "", "~{memory}"()
%v3 = getelementptr i8, ptr %weight, i64 1792
call void @llvm.prefetch.p0(ptr %v3, i32 0, i32 0, i32 1)
%v4 = getelementptr i8, ptr %weight, i64 16
%v5 = load <8 x i32>, ptr %v4, align 1
%v6 = bitcast <8 x i32> %v5 to <32 x i8>
%v7 = bitcast <32 x i8> %v6 to <16 x i16>
%v8 = shl <16 x i16> %v7, splat (i16 8)
%v9 = ashr <16 x i16> %v8, splat (i16 8)
%v10 = ashr <16 x i16> %v7, splat (i16 8)
store <16 x i16> %v9, ptr %block, align 2
%v11 = getelementptr i8, ptr %block, i64 64
store <16 x i16> %v10, ptr %v11, align 2
call void asm sideeffect "", "~{memory}"()
%v12 = getelementptr i8, ptr %weight, i64 1856
call void @llvm.prefetch.p0(ptr %v12, i32 0, i32 0, i32 1)
%v13 = getelementptr i8, ptr %weight, i64 48
%v14 = load <8 x i32>, ptr %v13, align 1
%v15 = bitcast <8 x i32> %v14 to <32 x i8>
%v16 = bitcast <32 x i8> %v15 to <16 x i16>
%v17 = shl <16 x i16> %v16, splat (i16 8)
%v18 = ashr <16 x i16> %v17, splat (i16 8)
%v19 = ashr <16 x i16> %v16, splat (i16 8)
%v20 = getelementptr i8, ptr %block, i64 128
store <16 x i16> %v18, ptr %v20, align 2
%v21 = getelementptr i8, ptr %block, i64 192
store <16 x i16> %v19, ptr %v21, align 2
%v22 = getelementptr i8, ptr %weight, i64 80
%v23 = load <8 x i32>, ptr %v22, align 1
%v24 = bitcast <8 x i32> %v23 to <32 x i8>
%v25 = bitcast <32 x i8> %v24 to <16 x i16>
%v26 = shl <16 x i16> %v25, splat (i16 8)
%v27 = ashr <16 x i16> %v26, splat (i16 8)
%v28 = ashr <16 x i16> %v25, splat (i16 8)
%v29 = getelementptr i8, ptr %block, i64 256
store <16 x i16> %v27, ptr %v29, align 2
%v30 = getelementptr i8, ptr %block, i64 320
store <16 x i16> %v28, ptr %v30, align 2
call void asm sideeffect "", "~{memory}"()
%v31 = getelementptr i8, ptr %weight, i64 1920
call void @llvm.prefetch.p0(ptr %v31, i32 0, i32 0, i32 1)
%v32 = getelementptr i8, ptr %weight, i64 112
%v33 = load <8 x i32>, ptr %v32, align 1
%v34 = bitcast <8 x i32> %v33 to <32 x i8>
%v35 = bitcast <32 x i8> %v34 to <16 x i16>
%v36 = shl <16 x i16> %v35, splat (i16 8)
%v37 = ashr <16 x i16> %v36, splat (i16 8)
%v38 = ashr <16 x i16> %v35, splat (i16 8)
%v39 = getelementptr i8, ptr %block, i64 384
store <16 x i16> %v37, ptr %v39, align 2
%v40 = getelementptr i8, ptr %block, i64 448
store <16 x i16> %v38, ptr %v40, align 2
%v41 = getelementptr i8, ptr %weight, i64 144
%v42 = load <8 x i32>, ptr %v41, align 1
%v43 = bitcast <8 x i32> %v42 to <32 x i8>
%v44 = bitcast <32 x i8> %v43 to <16 x i16>
%v45 = shl <16 x i16> %v44, splat (i16 8)
%v46 = ashr <16 x i16> %v45, splat (i16 8)
%v47 = ashr <16 x i16> %v44, splat (i16 8)
%v48 = getelementptr i8, ptr %block, i64 512
store <16 x i16> %v46, ptr %v48, align 2
%v49 = getelementptr i8, ptr %block, i64 576
store <16 x i16> %v47, ptr %v49, align 2
call void asm sideeffect "", "~{memory}"()
%v50 = getelementptr i8, ptr %weight, i64 1984
call void @llvm.prefetch.p0(ptr %v50, i32 0, i32 0, i32 1)
%v51 = getelementptr i8, ptr %weight, i64 176
%v52 = load <8 x i32>, ptr %v51, align 1
%v53 = bitcast <8 x i32> %v52 to <32 x i8>
%v54 = bitcast <32 x i8> %v53 to <16 x i16>
%v55 = shl <16 x i16> %v54, splat (i16 8)
%v56 = ashr <16 x i16> %v55, splat (i16 8)
%v57 = ashr <16 x i16> %v54, splat (i16 8)
%v58 = getelementptr i8, ptr %block, i64 640
store <16 x i16> %v56, ptr %v58, align 2
%v59 = getelementptr i8, ptr %block, i64 704
store <16 x i16> %v57, ptr %v59, align 2
%v60 = getelementptr i8, ptr %weight, i64 208
%v61 = load <8 x i32>, ptr %v60, align 1
%v62 = bitcast <8 x i32> %v61 to <32 x i8>
%v63 = bitcast <32 x i8> %v62 to <16 x i16>
%v64 = shl <16 x i16> %v63, splat (i16 8)
%v65 = ashr <16 x i16> %v64, splat (i16 8)
%v66 = ashr <16 x i16> %v63, splat (i16 8)
%v67 = getelementptr i8, ptr %block, i64 768
store <16 x i16> %v65, ptr %v67, align 2
%v68 = getelementptr i8, ptr %block, i64 832
store <16 x i16> %v66, ptr %v68, align 2
call void asm sideeffect "", "~{memory}"()
%v69 = getelementptr i8, ptr %weight, i64 2048
call void @llvm.prefetch.p0(ptr %v69, i32 0, i32 0, i32 1)
%v70 = getelementptr i8, ptr %weight, i64 240
%v71 = load <8 x i32>, ptr %v70, align 1
%v72 = bitcast <8 x i32> %v71 to <32 x i8>
%v73 = bitcast <32 x i8> %v72 to <16 x i16>
%v74 = shl <16 x i16> %v73, splat (i16 8)
%v75 = ashr <16 x i16> %v74, splat (i16 8)
%v76 = ashr <16 x i16> %v73, splat (i16 8)
%v77 = getelementptr i8, ptr %block, i64 896
store <16 x i16> %v75, ptr %v77, align 2
%v78 = getelementptr i8, ptr %block, i64 960
store <16 x i16> %v76, ptr %v78, align 2
%v79 = getelementptr i8, ptr %block, i64 1024
store <8 x float> %v2, ptr %v79, align 4
ret void
}

define internal void @unpack_Q8_0_1(ptr %weight, ptr %block) nounwind {
entry:
%v0 = load <8 x i16>, ptr %weight, align 1
%v1 = bitcast <8 x i16> %v0 to <8 x half>
%v2 = fpext <8 x half> %v1 to <8 x float>
call void asm sideeffect "", "~{memory}"()
%v3 = getelementptr i8, ptr %weight, i64 1792
call void @llvm.prefetch.p0(ptr %v3, i32 0, i32 0, i32 1)
%v4 = getelementptr i8, ptr %weight, i64 16
%v5 = load <8 x i32>, ptr %v4, align 1
%v6 = bitcast <8 x i32> %v5 to <32 x i8>
%v7 = bitcast <32 x i8> %v6 to <16 x i16>
%v8 = shl <16 x i16> %v7, splat (i16 8)
%v9 = ashr <16 x i16> %v8, splat (i16 8)
%v10 = ashr <16 x i16> %v7, splat (i16 8)
%v11 = getelementptr i8, ptr %block, i64 32
store <16 x i16> %v9, ptr %v11, align 2
%v12 = getelementptr i8, ptr %block, i64 96
store <16 x i16> %v10, ptr %v12, align 2
call void asm sideeffect "", "~{memory}"()
%v13 = getelementptr i8, ptr %weight, i64 1856
call void @llvm.prefetch.p0(ptr %v13, i32 0, i32 0, i32 1)
%v14 = getelementptr i8, ptr %weight, i64 48
%v15 = load <8 x i32>, ptr %v14, align 1
%v16 = bitcast <8 x i32> %v15 to <32 x i8>
%v17 = bitcast <32 x i8> %v16 to <16 x i16>
%v18 = shl <16 x i16> %v17, splat (i16 8)
%v19 = ashr <16 x i16> %v18, splat (i16 8)
%v20 = ashr <16 x i16> %v17, splat (i16 8)
%v21 = getelementptr i8, ptr %block, i64 160
store <16 x i16> %v19, ptr %v21, align 2
%v22 = getelementptr i8, ptr %block, i64 224
store <16 x i16> %v20, ptr %v22, align 2
%v23 = getelementptr i8, ptr %weight, i64 80
%v24 = load <8 x i32>, ptr %v23, align 1
%v25 = bitcast <8 x i32> %v24 to <32 x i8>
%v26 = bitcast <32 x i8> %v25 to <16 x i16>
%v27 = shl <16 x i16> %v26, splat (i16 8)
%v28 = ashr <16 x i16> %v27, splat (i16 8)
%v29 = ashr <16 x i16> %v26, splat (i16 8)
%v30 = getelementptr i8, ptr %block, i64 288
store <16 x i16> %v28, ptr %v30, align 2
%v31 = getelementptr i8, ptr %block, i64 352
store <16 x i16> %v29, ptr %v31, align 2
call void asm sideeffect "", "~{memory}"()
%v32 = getelementptr i8, ptr %weight, i64 1920
call void @llvm.prefetch.p0(ptr %v32, i32 0, i32 0, i32 1)
%v33 = getelementptr i8, ptr %weight, i64 112
%v34 = load <8 x i32>, ptr %v33, align 1
%v35 = bitcast <8 x i32> %v34 to <32 x i8>
%v36 = bitcast <32 x i8> %v35 to <16 x i16>
%v37 = shl <16 x i16> %v36, splat (i16 8)
%v38 = ashr <16 x i16> %v37, splat (i16 8)
%v39 = ashr <16 x i16> %v36, splat (i16 8)
%v40 = getelementptr i8, ptr %block, i64 416
store <16 x i16> %v38, ptr %v40, align 2
%v41 = getelementptr i8, ptr %block, i64 480
store <16 x i16> %v39, ptr %v41, align 2
%v42 = getelementptr i8, ptr %weight, i64 144
%v43 = load <8 x i32>, ptr %v42, align 1
%v44 = bitcast <8 x i32> %v43 to <32 x i8>
%v45 = bitcast <32 x i8> %v44 to <16 x i16>
%v46 = shl <16 x i16> %v45, splat (i16 8)
%v47 = ashr <16 x i16> %v46, splat (i16 8)
%v48 = ashr <16 x i16> %v45, splat (i16 8)
%v49 = getelementptr i8, ptr %block, i64 544
store <16 x i16> %v47, ptr %v49, align 2
%v50 = getelementptr i8, ptr %block, i64 608
store <16 x i16> %v48, ptr %v50, align 2
call void asm sideeffect "", "~{memory}"()
%v51 = getelementptr i8, ptr %weight, i64 1984
call void @llvm.prefetch.p0(ptr %v51, i32 0, i32 0, i32 1)
%v52 = getelementptr i8, ptr %weight, i64 176
%v53 = load <8 x i32>, ptr %v52, align 1
%v54 = bitcast <8 x i32> %v53 to <32 x i8>
%v55 = bitcast <32 x i8> %v54 to <16 x i16>
%v56 = shl <16 x i16> %v55, splat (i16 8)
%v57 = ashr <16 x i16> %v56, splat (i16 8)
%v58 = ashr <16 x i16> %v55, splat (i16 8)
%v59 = getelementptr i8, ptr %block, i64 672
store <16 x i16> %v57, ptr %v59, align 2
%v60 = getelementptr i8, ptr %block, i64 736
store <16 x i16> %v58, ptr %v60, align 2
%v61 = getelementptr i8, ptr %weight, i64 208
%v62 = load <8 x i32>, ptr %v61, align 1
%v63 = bitcast <8 x i32> %v62 to <32 x i8>
%v64 = bitcast <32 x i8> %v63 to <16 x i16>
%v65 = shl <16 x i16> %v64, splat (i16 8)
%v66 = ashr <16 x i16> %v65, splat (i16 8)
%v67 = ashr <16 x i16> %v64, splat (i16 8)
%v68 = getelementptr i8, ptr %block, i64 800
store <16 x i16> %v66, ptr %v68, align 2
%v69 = getelementptr i8, ptr %block, i64 864
store <16 x i16> %v67, ptr %v69, align 2
call void asm sideeffect "", "~{memory}"()
%v70 = getelementptr i8, ptr %weight, i64 2048
call void @llvm.prefetch.p0(ptr %v70, i32 0, i32 0, i32 1)
%v71 = getelementptr i8, ptr %weight, i64 240
%v72 = load <8 x i32>, ptr %v71, align 1
%v73 = bitcast <8 x i32> %v72 to <32 x i8>
%v74 = bitcast <32 x i8> %v73 to <16 x i16>
%v75 = shl <16 x i16> %v74, splat (i16 8)
%v76 = ashr <16 x i16> %v75, splat (i16 8)
%v77 = ashr <16 x i16> %v74, splat (i16 8)
%v78 = getelementptr i8, ptr %block, i64 928
store <16 x i16> %v76, ptr %v78, align 2
%v79 = getelementptr i8, ptr %block, i64 992
store <16 x i16> %v77, ptr %v79, align 2
%v80 = getelementptr i8, ptr %block, i64 1056
store <8 x float> %v2, ptr %v80, align 4
ret void
}

define internal void @tiles_Q8_0(ptr %x, i64 %first, i64 %length, i64 %row, i64 %count, ptr %scratch) nounwind {
entry:
%s0 = alloca <8 x i32>
%s1 = alloca <8 x i32>
%s2 = alloca <8 x i32>
%s3 = alloca <8 x i32>
%s4 = alloca <8 x i32>
%s5 = alloca <8 x i32>
%s6 = alloca <8 x i32>
%s7 = alloca <8 x i32>
%v0 = sub i64 %length, %first
%v1 = call i64 @llvm.smin.i64(i64 %v0, i64 8)
%v2 = icmp slt i64 0, %count
br i1 %v2, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v3 = phi i64 [ 0, %guard3 ], [ %v625, %end5 ]
%v4 = sub i64 %count, 1
%v5 = call i64 @llvm.smin.i64(i64 %v3, i64 %v4)
%v6 = getelementptr i64, ptr %scratch, i64 %v5
%v7 = load i64, ptr %v6, align 8
%v8 = add i64 %v3, 1
%v9 = sub i64 %count, 1
%v10 = call i64 @llvm.smin.i64(i64 %v8, i64 %v9)
%v11 = getelementptr i64, ptr %scratch, i64 %v10
%v12 = load i64, ptr %v11, align 8
%v13 = add i64 %v3, 2
%v14 = sub i64 %count, 1
%v15 = call i64 @llvm.smin.i64(i64 %v13, i64 %v14)
%v16 = getelementptr i64, ptr %scratch, i64 %v15
%v17 = load i64, ptr %v16, align 8
%v18 = add i64 %v3, 3
%v19 = sub i64 %count, 1
%v20 = call i64 @llvm.smin.i64(i64 %v18, i64 %v19)
%v21 = getelementptr i64, ptr %scratch, i64 %v20
%v22 = load i64, ptr %v21, align 8
%v23 = mul i64 %v7, %row
%v24 = getelementptr i8, ptr %x, i64 %v23
%v25 = mul i64 %v12, %row
%v26 = getelementptr i8, ptr %x, i64 %v25
%v27 = mul i64 %v17, %row
%v28 = getelementptr i8, ptr %x, i64 %v27
%v29 = mul i64 %v22, %row
%v30 = getelementptr i8, ptr %x, i64 %v29
%v31 = mul i64 %v3, 64
%v32 = add i64 %v31, 1024
%v33 = getelementptr i8, ptr %scratch, i64 %v32
%v34 = icmp slt i64 0, %v1
br i1 %v34, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v35 = phi i64 [ 0, %guard6 ], [ %v623, %end8 ]
%v36 = mul i64 %v35, 1152
%v37 = add i64 %v36, 9728
%v38 = getelementptr i8, ptr %scratch, i64 %v37
%v39 = add i64 %first, %v35
%v40 = mul i64 %v39, 68
%v41 = getelementptr i8, ptr %v24, i64 %v40
%v42 = add i64 %first, %v35
%v43 = mul i64 %v42, 68
%v44 = getelementptr i8, ptr %v26, i64 %v43
%v45 = add i64 %first, %v35
%v46 = mul i64 %v45, 68
%v47 = getelementptr i8, ptr %v28, i64 %v46
%v48 = add i64 %first, %v35
%v49 = mul i64 %v48, 68
%v50 = getelementptr i8, ptr %v30, i64 %v49
store <8 x i32> splat (i32 0), ptr %s0
store <8 x i32> splat (i32 0), ptr %s1
store <8 x i32> splat (i32 0), ptr %s2
store <8 x i32> splat (i32 0), ptr %s3
store <8 x i32> splat (i32 0), ptr %s4
store <8 x i32> splat (i32 0), ptr %s5
store <8 x i32> splat (i32 0), ptr %s6
store <8 x i32> splat (i32 0), ptr %s7
br label %loop7
loop7:
%v51 = phi i64 [ 0, %loop4 ], [ %v543, %loop7 ]
%v52 = mul i64 %v51, 64
%v53 = getelementptr i8, ptr %v38, i64 %v52
%v54 = load <16 x i16>, ptr %v53, align 2
%v55 = getelementptr i16, ptr %v53, i64 16
%v56 = load <16 x i16>, ptr %v55, align 2
%v57 = getelementptr i32, ptr %v41, i64 %v51
%v58 = load i32, ptr %v57, align 4
%v59 = insertelement <8 x i32> poison, i32 %v58, i32 0
%v60 = shufflevector <8 x i32> %v59, <8 x i32> poison, <8 x i32> zeroinitializer
%v61 = bitcast <8 x i32> %v60 to <16 x i16>
%v62 = load <8 x i32>, ptr %s0
%v63 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v54, <16 x i16> %v61)
%v64 = add <8 x i32> %v62, %v63
%v65 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v64)
store <8 x i32> %v65, ptr %s0
%v66 = load <8 x i32>, ptr %s1
%v67 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v56, <16 x i16> %v61)
%v68 = add <8 x i32> %v66, %v67
%v69 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v68)
store <8 x i32> %v69, ptr %s1
%v70 = getelementptr i32, ptr %v44, i64 %v51
%v71 = load i32, ptr %v70, align 4
%v72 = insertelement <8 x i32> poison, i32 %v71, i32 0
%v73 = shufflevector <8 x i32> %v72, <8 x i32> poison, <8 x i32> zeroinitializer
%v74 = bitcast <8 x i32> %v73 to <16 x i16>
%v75 = load <8 x i32>, ptr %s2
%v76 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v54, <16 x i16> %v74)
%v77 = add <8 x i32> %v75, %v76
%v78 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v77)
store <8 x i32> %v78, ptr %s2
%v79 = load <8 x i32>, ptr %s3
%v80 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v56, <16 x i16> %v74)
%v81 = add <8 x i32> %v79, %v80
%v82 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v81)
store <8 x i32> %v82, ptr %s3
%v83 = getelementptr i32, ptr %v47, i64 %v51
%v84 = load i32, ptr %v83, align 4
%v85 = insertelement <8 x i32> poison, i32 %v84, i32 0
%v86 = shufflevector <8 x i32> %v85, <8 x i32> poison, <8 x i32> zeroinitializer
%v87 = bitcast <8 x i32> %v86 to <16 x i16>
%v88 = load <8 x i32>, ptr %s4
%v89 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v54, <16 x i16> %v87)
%v90 = add <8 x i32> %v88, %v89
%v91 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v90)
store <8 x i32> %v91, ptr %s4
%v92 = load <8 x i32>, ptr %s5
%v93 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v56, <16 x i16> %v87)
%v94 = add <8 x i32> %v92, %v93
%v95 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v94)
store <8 x i32> %v95, ptr %s5
%v96 = getelementptr i32, ptr %v50, i64 %v51
%v97 = load i32, ptr %v96, align 4
%v98 = insertelement <8 x i32> poison, i32 %v97, i32 0
%v99 = shufflevector <8 x i32> %v98, <8 x i32> poison, <8 x i32> zeroinitializer
%v100 = bitcast <8 x i32> %v99 to <16 x i16>
%v101 = load <8 x i32>, ptr %s6
%v102 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v54, <16 x i16> %v100)
%v103 = add <8 x i32> %v101, %v102
%v104 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v103)
store <8 x i32> %v104, ptr %s6
%v105 = load <8 x i32>, ptr %s7
%v106 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v56, <16 x i16> %v100)
%v107 = add <8 x i32> %v105, %v106
%v108 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v107)
store <8 x i32> %v108, ptr %s7
%v109 = add i64 %v51, 1
%v110 = mul i64 %v109, 64
%v111 = getelementptr i8, ptr %v38, i64 %v110
%v112 = load <16 x i16>, ptr %v111, align 2
%v113 = getelementptr i16, ptr %v111, i64 16
%v114 = load <16 x i16>, ptr %v113, align 2
%v115 = add i64 %v51, 1
%v116 = getelementptr i32, ptr %v41, i64 %v115
%v117 = load i32, ptr %v116, align 4
%v118 = insertelement <8 x i32> poison, i32 %v117, i32 0
%v119 = shufflevector <8 x i32> %v118, <8 x i32> poison, <8 x i32> zeroinitializer
%v120 = bitcast <8 x i32> %v119 to <16 x i16>
%v121 = load <8 x i32>, ptr %s0
%v122 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v112, <16 x i16> %v120)
%v123 = add <8 x i32> %v121, %v122
%v124 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v123)
store <8 x i32> %v124, ptr %s0
%v125 = load <8 x i32>, ptr %s1
%v126 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v114, <16 x i16> %v120)
%v127 = add <8 x i32> %v125, %v126
%v128 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v127)
store <8 x i32> %v128, ptr %s1
%v129 = add i64 %v51, 1
%v130 = getelementptr i32, ptr %v44, i64 %v129
%v131 = load i32, ptr %v130, align 4
%v132 = insertelement <8 x i32> poison, i32 %v131, i32 0
%v133 = shufflevector <8 x i32> %v132, <8 x i32> poison, <8 x i32> zeroinitializer
%v134 = bitcast <8 x i32> %v133 to <16 x i16>
%v135 = load <8 x i32>, ptr %s2
%v136 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v112, <16 x i16> %v134)
%v137 = add <8 x i32> %v135, %v136
%v138 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v137)
store <8 x i32> %v138, ptr %s2
%v139 = load <8 x i32>, ptr %s3
%v140 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v114, <16 x i16> %v134)
%v141 = add <8 x i32> %v139, %v140
%v142 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v141)
store <8 x i32> %v142, ptr %s3
%v143 = add i64 %v51, 1
%v144 = getelementptr i32, ptr %v47, i64 %v143
%v145 = load i32, ptr %v144, align 4
%v146 = insertelement <8 x i32> poison, i32 %v145, i32 0
%v147 = shufflevector <8 x i32> %v146, <8 x i32> poison, <8 x i32> zeroinitializer
%v148 = bitcast <8 x i32> %v147 to <16 x i16>
%v149 = load <8 x i32>, ptr %s4
%v150 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v112, <16 x i16> %v148)
%v151 = add <8 x i32> %v149, %v150
%v152 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v151)
store <8 x i32> %v152, ptr %s4
%v153 = load <8 x i32>, ptr %s5
%v154 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v114, <16 x i16> %v148)
%v155 = add <8 x i32> %v153, %v154
%v156 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v155)
store <8 x i32> %v156, ptr %s5
%v157 = add i64 %v51, 1
%v158 = getelementptr i32, ptr %v50, i64 %v157
%v159 = load i32, ptr %v158, align 4
%v160 = insertelement <8 x i32> poison, i32 %v159, i32 0
%v161 = shufflevector <8 x i32> %v160, <8 x i32> poison, <8 x i32> zeroinitializer
%v162 = bitcast <8 x i32> %v161 to <16 x i16>
%v163 = load <8 x i32>, ptr %s6
%v164 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v112, <16 x i16> %v162)
%v165 = add <8 x i32> %v163, %v164
%v166 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v165)
store <8 x i32> %v166, ptr %s6
%v167 = load <8 x i32>, ptr %s7
%v168 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v114, <16 x i16> %v162)
%v169 = add <8 x i32> %v167, %v168
%v170 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v169)
store <8 x i32> %v170, ptr %s7
%v171 = add i64 %v51, 2
%v172 = mul i64 %v171, 64
%v173 = getelementptr i8, ptr %v38, i64 %v172
%v174 = load <16 x i16>, ptr %v173, align 2
%v175 = getelementptr i16, ptr %v173, i64 16
%v176 = load <16 x i16>, ptr %v175, align 2
%v177 = add i64 %v51, 2
%v178 = getelementptr i32, ptr %v41, i64 %v177
%v179 = load i32, ptr %v178, align 4
%v180 = insertelement <8 x i32> poison, i32 %v179, i32 0
%v181 = shufflevector <8 x i32> %v180, <8 x i32> poison, <8 x i32> zeroinitializer
%v182 = bitcast <8 x i32> %v181 to <16 x i16>
%v183 = load <8 x i32>, ptr %s0
%v184 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v174, <16 x i16> %v182)
%v185 = add <8 x i32> %v183, %v184
%v186 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v185)
store <8 x i32> %v186, ptr %s0
%v187 = load <8 x i32>, ptr %s1
%v188 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v176, <16 x i16> %v182)
%v189 = add <8 x i32> %v187, %v188
%v190 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v189)
store <8 x i32> %v190, ptr %s1
%v191 = add i64 %v51, 2
%v192 = getelementptr i32, ptr %v44, i64 %v191
%v193 = load i32, ptr %v192, align 4
%v194 = insertelement <8 x i32> poison, i32 %v193, i32 0
%v195 = shufflevector <8 x i32> %v194, <8 x i32> poison, <8 x i32> zeroinitializer
%v196 = bitcast <8 x i32> %v195 to <16 x i16>
%v197 = load <8 x i32>, ptr %s2
%v198 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v174, <16 x i16> %v196)
%v199 = add <8 x i32> %v197, %v198
%v200 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v199)
store <8 x i32> %v200, ptr %s2
%v201 = load <8 x i32>, ptr %s3
%v202 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v176, <16 x i16> %v196)
%v203 = add <8 x i32> %v201, %v202
%v204 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v203)
store <8 x i32> %v204, ptr %s3
%v205 = add i64 %v51, 2
%v206 = getelementptr i32, ptr %v47, i64 %v205
%v207 = load i32, ptr %v206, align 4
%v208 = insertelement <8 x i32> poison, i32 %v207, i32 0
%v209 = shufflevector <8 x i32> %v208, <8 x i32> poison, <8 x i32> zeroinitializer
%v210 = bitcast <8 x i32> %v209 to <16 x i16>
%v211 = load <8 x i32>, ptr %s4
%v212 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v174, <16 x i16> %v210)
%v213 = add <8 x i32> %v211, %v212
%v214 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v213)
store <8 x i32> %v214, ptr %s4
%v215 = load <8 x i32>, ptr %s5
%v216 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v176, <16 x i16> %v210)
%v217 = add <8 x i32> %v215, %v216
%v218 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v217)
store <8 x i32> %v218, ptr %s5
%v219 = add i64 %v51, 2
%v220 = getelementptr i32, ptr %v50, i64 %v219
%v221 = load i32, ptr %v220, align 4
%v222 = insertelement <8 x i32> poison, i32 %v221, i32 0
%v223 = shufflevector <8 x i32> %v222, <8 x i32> poison, <8 x i32> zeroinitializer
%v224 = bitcast <8 x i32> %v223 to <16 x i16>
%v225 = load <8 x i32>, ptr %s6
%v226 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v174, <16 x i16> %v224)
%v227 = add <8 x i32> %v225, %v226
%v228 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v227)
store <8 x i32> %v228, ptr %s6
%v229 = load <8 x i32>, ptr %s7
%v230 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v176, <16 x i16> %v224)
%v231 = add <8 x i32> %v229, %v230
%v232 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v231)
store <8 x i32> %v232, ptr %s7
%v233 = add i64 %v51, 3
%v234 = mul i64 %v233, 64
%v235 = getelementptr i8, ptr %v38, i64 %v234
%v236 = load <16 x i16>, ptr %v235, align 2
%v237 = getelementptr i16, ptr %v235, i64 16
%v238 = load <16 x i16>, ptr %v237, align 2
%v239 = add i64 %v51, 3
%v240 = getelementptr i32, ptr %v41, i64 %v239
%v241 = load i32, ptr %v240, align 4
%v242 = insertelement <8 x i32> poison, i32 %v241, i32 0
%v243 = shufflevector <8 x i32> %v242, <8 x i32> poison, <8 x i32> zeroinitializer
%v244 = bitcast <8 x i32> %v243 to <16 x i16>
%v245 = load <8 x i32>, ptr %s0
%v246 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v236, <16 x i16> %v244)
%v247 = add <8 x i32> %v245, %v246
%v248 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v247)
store <8 x i32> %v248, ptr %s0
%v249 = load <8 x i32>, ptr %s1
%v250 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v238, <16 x i16> %v244)
%v251 = add <8 x i32> %v249, %v250
%v252 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v251)
store <8 x i32> %v252, ptr %s1
%v253 = add i64 %v51, 3
%v254 = getelementptr i32, ptr %v44, i64 %v253
%v255 = load i32, ptr %v254, align 4
%v256 = insertelement <8 x i32> poison, i32 %v255, i32 0
%v257 = shufflevector <8 x i32> %v256, <8 x i32> poison, <8 x i32> zeroinitializer
%v258 = bitcast <8 x i32> %v257 to <16 x i16>
%v259 = load <8 x i32>, ptr %s2
%v260 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v236, <16 x i16> %v258)
%v261 = add <8 x i32> %v259, %v260
%v262 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v261)
store <8 x i32> %v262, ptr %s2
%v263 = load <8 x i32>, ptr %s3
%v264 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v238, <16 x i16> %v258)
%v265 = add <8 x i32> %v263, %v264
%v266 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v265)
store <8 x i32> %v266, ptr %s3
%v267 = add i64 %v51, 3
%v268 = getelementptr i32, ptr %v47, i64 %v267
%v269 = load i32, ptr %v268, align 4
%v270 = insertelement <8 x i32> poison, i32 %v269, i32 0
%v271 = shufflevector <8 x i32> %v270, <8 x i32> poison, <8 x i32> zeroinitializer
%v272 = bitcast <8 x i32> %v271 to <16 x i16>
%v273 = load <8 x i32>, ptr %s4
%v274 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v236, <16 x i16> %v272)
%v275 = add <8 x i32> %v273, %v274
%v276 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v275)
store <8 x i32> %v276, ptr %s4
%v277 = load <8 x i32>, ptr %s5
%v278 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v238, <16 x i16> %v272)
%v279 = add <8 x i32> %v277, %v278
%v280 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v279)
store <8 x i32> %v280, ptr %s5
%v281 = add i64 %v51, 3
%v282 = getelementptr i32, ptr %v50, i64 %v281
%v283 = load i32, ptr %v282, align 4
%v284 = insertelement <8 x i32> poison, i32 %v283, i32 0
%v285 = shufflevector <8 x i32> %v284, <8 x i32> poison, <8 x i32> zeroinitializer
%v286 = bitcast <8 x i32> %v285 to <16 x i16>
%v287 = load <8 x i32>, ptr %s6
%v288 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v236, <16 x i16> %v286)
%v289 = add <8 x i32> %v287, %v288
%v290 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v289)
store <8 x i32> %v290, ptr %s6
%v291 = load <8 x i32>, ptr %s7
%v292 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v238, <16 x i16> %v286)
%v293 = add <8 x i32> %v291, %v292
%v294 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v293)
store <8 x i32> %v294, ptr %s7
%v295 = add i64 %v51, 4
%v296 = mul i64 %v295, 64
%v297 = getelementptr i8, ptr %v38, i64 %v296
%v298 = load <16 x i16>, ptr %v297, align 2
%v299 = getelementptr i16, ptr %v297, i64 16
%v300 = load <16 x i16>, ptr %v299, align 2
%v301 = add i64 %v51, 4
%v302 = getelementptr i32, ptr %v41, i64 %v301
%v303 = load i32, ptr %v302, align 4
%v304 = insertelement <8 x i32> poison, i32 %v303, i32 0
%v305 = shufflevector <8 x i32> %v304, <8 x i32> poison, <8 x i32> zeroinitializer
%v306 = bitcast <8 x i32> %v305 to <16 x i16>
%v307 = load <8 x i32>, ptr %s0
%v308 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v298, <16 x i16> %v306)
%v309 = add <8 x i32> %v307, %v308
%v310 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v309)
store <8 x i32> %v310, ptr %s0
%v311 = load <8 x i32>, ptr %s1
%v312 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v300, <16 x i16> %v306)
%v313 = add <8 x i32> %v311, %v312
%v314 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v313)
store <8 x i32> %v314, ptr %s1
%v315 = add i64 %v51, 4
%v316 = getelementptr i32, ptr %v44, i64 %v315
%v317 = load i32, ptr %v316, align 4
%v318 = insertelement <8 x i32> poison, i32 %v317, i32 0
%v319 = shufflevector <8 x i32> %v318, <8 x i32> poison, <8 x i32> zeroinitializer
%v320 = bitcast <8 x i32> %v319 to <16 x i16>
%v321 = load <8 x i32>, ptr %s2
%v322 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v298, <16 x i16> %v320)
%v323 = add <8 x i32> %v321, %v322
%v324 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v323)
store <8 x i32> %v324, ptr %s2
%v325 = load <8 x i32>, ptr %s3
%v326 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v300, <16 x i16> %v320)
%v327 = add <8 x i32> %v325, %v326
%v328 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v327)
store <8 x i32> %v328, ptr %s3
%v329 = add i64 %v51, 4
%v330 = getelementptr i32, ptr %v47, i64 %v329
%v331 = load i32, ptr %v330, align 4
%v332 = insertelement <8 x i32> poison, i32 %v331, i32 0
%v333 = shufflevector <8 x i32> %v332, <8 x i32> poison, <8 x i32> zeroinitializer
%v334 = bitcast <8 x i32> %v333 to <16 x i16>
%v335 = load <8 x i32>, ptr %s4
%v336 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v298, <16 x i16> %v334)
%v337 = add <8 x i32> %v335, %v336
%v338 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v337)
store <8 x i32> %v338, ptr %s4
%v339 = load <8 x i32>, ptr %s5
%v340 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v300, <16 x i16> %v334)
%v341 = add <8 x i32> %v339, %v340
%v342 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v341)
store <8 x i32> %v342, ptr %s5
%v343 = add i64 %v51, 4
%v344 = getelementptr i32, ptr %v50, i64 %v343
%v345 = load i32, ptr %v344, align 4
%v346 = insertelement <8 x i32> poison, i32 %v345, i32 0
%v347 = shufflevector <8 x i32> %v346, <8 x i32> poison, <8 x i32> zeroinitializer
%v348 = bitcast <8 x i32> %v347 to <16 x i16>
%v349 = load <8 x i32>, ptr %s6
%v350 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v298, <16 x i16> %v348)
%v351 = add <8 x i32> %v349, %v350
%v352 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v351)
store <8 x i32> %v352, ptr %s6
%v353 = load <8 x i32>, ptr %s7
%v354 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v300, <16 x i16> %v348)
%v355 = add <8 x i32> %v353, %v354
%v356 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v355)
store <8 x i32> %v356, ptr %s7
%v357 = add i64 %v51, 5
%v358 = mul i64 %v357, 64
%v359 = getelementptr i8, ptr %v38, i64 %v358
%v360 = load <16 x i16>, ptr %v359, align 2
%v361 = getelementptr i16, ptr %v359, i64 16
%v362 = load <16 x i16>, ptr %v361, align 2
%v363 = add i64 %v51, 5
%v364 = getelementptr i32, ptr %v41, i64 %v363
%v365 = load i32, ptr %v364, align 4
%v366 = insertelement <8 x i32> poison, i32 %v365, i32 0
%v367 = shufflevector <8 x i32> %v366, <8 x i32> poison, <8 x i32> zeroinitializer
%v368 = bitcast <8 x i32> %v367 to <16 x i16>
%v369 = load <8 x i32>, ptr %s0
%v370 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v360, <16 x i16> %v368)
%v371 = add <8 x i32> %v369, %v370
%v372 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v371)
store <8 x i32> %v372, ptr %s0
%v373 = load <8 x i32>, ptr %s1
%v374 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v362, <16 x i16> %v368)
%v375 = add <8 x i32> %v373, %v374
%v376 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v375)
store <8 x i32> %v376, ptr %s1
%v377 = add i64 %v51, 5
%v378 = getelementptr i32, ptr %v44, i64 %v377
%v379 = load i32, ptr %v378, align 4
%v380 = insertelement <8 x i32> poison, i32 %v379, i32 0
%v381 = shufflevector <8 x i32> %v380, <8 x i32> poison, <8 x i32> zeroinitializer
%v382 = bitcast <8 x i32> %v381 to <16 x i16>
%v383 = load <8 x i32>, ptr %s2
%v384 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v360, <16 x i16> %v382)
%v385 = add <8 x i32> %v383, %v384
%v386 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v385)
store <8 x i32> %v386, ptr %s2
%v387 = load <8 x i32>, ptr %s3
%v388 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v362, <16 x i16> %v382)
%v389 = add <8 x i32> %v387, %v388
%v390 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v389)
store <8 x i32> %v390, ptr %s3
%v391 = add i64 %v51, 5
%v392 = getelementptr i32, ptr %v47, i64 %v391
%v393 = load i32, ptr %v392, align 4
%v394 = insertelement <8 x i32> poison, i32 %v393, i32 0
%v395 = shufflevector <8 x i32> %v394, <8 x i32> poison, <8 x i32> zeroinitializer
%v396 = bitcast <8 x i32> %v395 to <16 x i16>
%v397 = load <8 x i32>, ptr %s4
%v398 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v360, <16 x i16> %v396)
%v399 = add <8 x i32> %v397, %v398
%v400 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v399)
store <8 x i32> %v400, ptr %s4
%v401 = load <8 x i32>, ptr %s5
%v402 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v362, <16 x i16> %v396)
%v403 = add <8 x i32> %v401, %v402
%v404 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v403)
store <8 x i32> %v404, ptr %s5
%v405 = add i64 %v51, 5
%v406 = getelementptr i32, ptr %v50, i64 %v405
%v407 = load i32, ptr %v406, align 4
%v408 = insertelement <8 x i32> poison, i32 %v407, i32 0
%v409 = shufflevector <8 x i32> %v408, <8 x i32> poison, <8 x i32> zeroinitializer
%v410 = bitcast <8 x i32> %v409 to <16 x i16>
%v411 = load <8 x i32>, ptr %s6
%v412 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v360, <16 x i16> %v410)
%v413 = add <8 x i32> %v411, %v412
%v414 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v413)
store <8 x i32> %v414, ptr %s6
%v415 = load <8 x i32>, ptr %s7
%v416 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v362, <16 x i16> %v410)
%v417 = add <8 x i32> %v415, %v416
%v418 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v417)
store <8 x i32> %v418, ptr %s7
%v419 = add i64 %v51, 6
%v420 = mul i64 %v419, 64
%v421 = getelementptr i8, ptr %v38, i64 %v420
%v422 = load <16 x i16>, ptr %v421, align 2
%v423 = getelementptr i16, ptr %v421, i64 16
%v424 = load <16 x i16>, ptr %v423, align 2
%v425 = add i64 %v51, 6
%v426 = getelementptr i32, ptr %v41, i64 %v425
%v427 = load i32, ptr %v426, align 4
%v428 = insertelement <8 x i32> poison, i32 %v427, i32 0
%v429 = shufflevector <8 x i32> %v428, <8 x i32> poison, <8 x i32> zeroinitializer
%v430 = bitcast <8 x i32> %v429 to <16 x i16>
%v431 = load <8 x i32>, ptr %s0
%v432 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v422, <16 x i16> %v430)
%v433 = add <8 x i32> %v431, %v432
%v434 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v433)
store <8 x i32> %v434, ptr %s0
%v435 = load <8 x i32>, ptr %s1
%v436 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v424, <16 x i16> %v430)
%v437 = add <8 x i32> %v435, %v436
%v438 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v437)
store <8 x i32> %v438, ptr %s1
%v439 = add i64 %v51, 6
%v440 = getelementptr i32, ptr %v44, i64 %v439
%v441 = load i32, ptr %v440, align 4
%v442 = insertelement <8 x i32> poison, i32 %v441, i32 0
%v443 = shufflevector <8 x i32> %v442, <8 x i32> poison, <8 x i32> zeroinitializer
%v444 = bitcast <8 x i32> %v443 to <16 x i16>
%v445 = load <8 x i32>, ptr %s2
%v446 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v422, <16 x i16> %v444)
%v447 = add <8 x i32> %v445, %v446
%v448 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v447)
store <8 x i32> %v448, ptr %s2
%v449 = load <8 x i32>, ptr %s3
%v450 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v424, <16 x i16> %v444)
%v451 = add <8 x i32> %v449, %v450
%v452 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v451)
store <8 x i32> %v452, ptr %s3
%v453 = add i64 %v51, 6
%v454 = getelementptr i32, ptr %v47, i64 %v453
%v455 = load i32, ptr %v454, align 4
%v456 = insertelement <8 x i32> poison, i32 %v455, i32 0
%v457 = shufflevector <8 x i32> %v456, <8 x i32> poison, <8 x i32> zeroinitializer
%v458 = bitcast <8 x i32> %v457 to <16 x i16>
%v459 = load <8 x i32>, ptr %s4
%v460 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v422, <16 x i16> %v458)
%v461 = add <8 x i32> %v459, %v460
%v462 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v461)
store <8 x i32> %v462, ptr %s4
%v463 = load <8 x i32>, ptr %s5
%v464 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v424, <16 x i16> %v458)
%v465 = add <8 x i32> %v463, %v464
%v466 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v465)
store <8 x i32> %v466, ptr %s5
%v467 = add i64 %v51, 6
%v468 = getelementptr i32, ptr %v50, i64 %v467
%v469 = load i32, ptr %v468, align 4
%v470 = insertelement <8 x i32> poison, i32 %v469, i32 0
%v471 = shufflevector <8 x i32> %v470, <8 x i32> poison, <8 x i32> zeroinitializer
%v472 = bitcast <8 x i32> %v471 to <16 x i16>
%v473 = load <8 x i32>, ptr %s6
%v474 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v422, <16 x i16> %v472)
%v475 = add <8 x i32> %v473, %v474
%v476 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v475)
store <8 x i32> %v476, ptr %s6
%v477 = load <8 x i32>, ptr %s7
%v478 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v424, <16 x i16> %v472)
%v479 = add <8 x i32> %v477, %v478
%v480 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v479)
store <8 x i32> %v480, ptr %s7
%v481 = add i64 %v51, 7
%v482 = mul i64 %v481, 64
%v483 = getelementptr i8, ptr %v38, i64 %v482
%v484 = load <16 x i16>, ptr %v483, align 2
%v485 = getelementptr i16, ptr %v483, i64 16
%v486 = load <16 x i16>, ptr %v485, align 2
%v487 = add i64 %v51, 7
%v488 = getelementptr i32, ptr %v41, i64 %v487
%v489 = load i32, ptr %v488, align 4
%v490 = insertelement <8 x i32> poison, i32 %v489, i32 0
%v491 = shufflevector <8 x i32> %v490, <8 x i32> poison, <8 x i32> zeroinitializer
%v492 = bitcast <8 x i32> %v491 to <16 x i16>
%v493 = load <8 x i32>, ptr %s0
%v494 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v484, <16 x i16> %v492)
%v495 = add <8 x i32> %v493, %v494
%v496 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v495)
store <8 x i32> %v496, ptr %s0
%v497 = load <8 x i32>, ptr %s1
%v498 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v486, <16 x i16> %v492)
%v499 = add <8 x i32> %v497, %v498
%v500 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v499)
store <8 x i32> %v500, ptr %s1
%v501 = add i64 %v51, 7
%v502 = getelementptr i32, ptr %v44, i64 %v501
%v503 = load i32, ptr %v502, align 4
%v504 = insertelement <8 x i32> poison, i32 %v503, i32 0
%v505 = shufflevector <8 x i32> %v504, <8 x i32> poison, <8 x i32> zeroinitializer
%v506 = bitcast <8 x i32> %v505 to <16 x i16>
%v507 = load <8 x i32>, ptr %s2
%v508 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v484, <16 x i16> %v506)
%v509 = add <8 x i32> %v507, %v508
%v510 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v509)
store <8 x i32> %v510, ptr %s2
%v511 = load <8 x i32>, ptr %s3
%v512 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v486, <16 x i16> %v506)
%v513 = add <8 x i32> %v511, %v512
%v514 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v513)
store <8 x i32> %v514, ptr %s3
%v515 = add i64 %v51, 7
%v516 = getelementptr i32, ptr %v47, i64 %v515
%v517 = load i32, ptr %v516, align 4
%v518 = insertelement <8 x i32> poison, i32 %v517, i32 0
%v519 = shufflevector <8 x i32> %v518, <8 x i32> poison, <8 x i32> zeroinitializer
%v520 = bitcast <8 x i32> %v519 to <16 x i16>
%v521 = load <8 x i32>, ptr %s4
%v522 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v484, <16 x i16> %v520)
%v523 = add <8 x i32> %v521, %v522
%v524 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v523)
store <8 x i32> %v524, ptr %s4
%v525 = load <8 x i32>, ptr %s5
%v526 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v486, <16 x i16> %v520)
%v527 = add <8 x i32> %v525, %v526
%v528 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v527)
store <8 x i32> %v528, ptr %s5
%v529 = add i64 %v51, 7
%v530 = getelementptr i32, ptr %v50, i64 %v529
%v531 = load i32, ptr %v530, align 4
%v532 = insertelement <8 x i32> poison, i32 %v531, i32 0
%v533 = shufflevector <8 x i32> %v532, <8 x i32> poison, <8 x i32> zeroinitializer
%v534 = bitcast <8 x i32> %v533 to <16 x i16>
%v535 = load <8 x i32>, ptr %s6
%v536 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v484, <16 x i16> %v534)
%v537 = add <8 x i32> %v535, %v536
%v538 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v537)
store <8 x i32> %v538, ptr %s6
%v539 = load <8 x i32>, ptr %s7
%v540 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %v486, <16 x i16> %v534)
%v541 = add <8 x i32> %v539, %v540
%v542 = call <8 x i32> asm "", "=x,0"(<8 x i32> %v541)
store <8 x i32> %v542, ptr %s7
%v543 = add i64 %v51, 8
%v544 = icmp slt i64 %v543, 16
br i1 %v544, label %loop7, label %end8
end8:
%v545 = getelementptr i8, ptr %v38, i64 1024
%v546 = load <8 x float>, ptr %v545, align 4
%v547 = getelementptr i8, ptr %v38, i64 1056
%v548 = load <8 x float>, ptr %v547, align 4
%v549 = getelementptr i8, ptr %v38, i64 1088
%v550 = load <8 x float>, ptr %v549, align 4
%v551 = getelementptr i8, ptr %v38, i64 1120
%v552 = load <8 x float>, ptr %v551, align 4
%v553 = getelementptr i8, ptr %v41, i64 64
%v554 = load float, ptr %v553, align 4
%v555 = insertelement <8 x float> poison, float %v554, i32 0
%v556 = shufflevector <8 x float> %v555, <8 x float> poison, <8 x i32> zeroinitializer
%v557 = load <8 x i32>, ptr %s0
%v558 = sitofp <8 x i32> %v557 to <8 x float>
%v559 = fmul <8 x float> %v558, %v556
%v560 = load <8 x i32>, ptr %s1
%v561 = sitofp <8 x i32> %v560 to <8 x float>
%v562 = fmul <8 x float> %v561, %v556
%v563 = load <8 x float>, ptr %v33, align 4
%v564 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v546, <8 x float> %v559, <8 x float> %v563)
store <8 x float> %v564, ptr %v33, align 4
%v565 = getelementptr float, ptr %v33, i64 8
%v566 = load <8 x float>, ptr %v565, align 4
%v567 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v548, <8 x float> %v562, <8 x float> %v566)
%v568 = getelementptr float, ptr %v33, i64 8
store <8 x float> %v567, ptr %v568, align 4
%v569 = getelementptr i8, ptr %v44, i64 64
%v570 = load float, ptr %v569, align 4
%v571 = insertelement <8 x float> poison, float %v570, i32 0
%v572 = shufflevector <8 x float> %v571, <8 x float> poison, <8 x i32> zeroinitializer
%v573 = load <8 x i32>, ptr %s2
%v574 = sitofp <8 x i32> %v573 to <8 x float>
%v575 = fmul <8 x float> %v574, %v572
%v576 = load <8 x i32>, ptr %s3
%v577 = sitofp <8 x i32> %v576 to <8 x float>
%v578 = fmul <8 x float> %v577, %v572
%v579 = getelementptr float, ptr %v33, i64 16
%v580 = load <8 x float>, ptr %v579, align 4
%v581 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v546, <8 x float> %v575, <8 x float> %v580)
%v582 = getelementptr float, ptr %v33, i64 16
store <8 x float> %v581, ptr %v582, align 4
%v583 = getelementptr float, ptr %v33, i64 24
%v584 = load <8 x float>, ptr %v583, align 4
%v585 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v548, <8 x float> %v578, <8 x float> %v584)
%v586 = getelementptr float, ptr %v33, i64 24
store <8 x float> %v585, ptr %v586, align 4
%v587 = getelementptr i8, ptr %v47, i64 64
%v588 = load float, ptr %v587, align 4
%v589 = insertelement <8 x float> poison, float %v588, i32 0
%v590 = shufflevector <8 x float> %v589, <8 x float> poison, <8 x i32> zeroinitializer
%v591 = load <8 x i32>, ptr %s4
%v592 = sitofp <8 x i32> %v591 to <8 x float>
%v593 = fmul <8 x float> %v592, %v590
%v594 = load <8 x i32>, ptr %s5
%v595 = sitofp <8 x i32> %v594 to <8 x float>
%v596 = fmul <8 x float> %v595, %v590
%v597 = getelementptr float, ptr %v33, i64 32
%v598 = load <8 x float>, ptr %v597, align 4
%v599 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v546, <8 x float> %v593, <8 x float> %v598)
%v600 = getelementptr float, ptr %v33, i64 32
store <8 x float> %v599, ptr %v600, align 4
%v601 = getelementptr float, ptr %v33, i64 40
%v602 = load <8 x float>, ptr %v601, align 4
%v603 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v548, <8 x float> %v596, <8 x float> %v602)
%v604 = getelementptr float, ptr %v33, i64 40
store <8 x float> %v603, ptr %v604, align 4
%v605 = getelementptr i8, ptr %v50, i64 64
%v606 = load float, ptr %v605, align 4
%v607 = insertelement <8 x float> poison, float %v606, i32 0
%v608 = shufflevector <8 x float> %v607, <8 x float> poison, <8 x i32> zeroinitializer
%v609 = load <8 x i32>, ptr %s6
%v610 = sitofp <8 x i32> %v609 to <8 x float>
%v611 = fmul <8 x float> %v610, %v608
%v612 = load <8 x i32>, ptr %s7
%v613 = sitofp <8 x i32> %v612 to <8 x float>
%v614 = fmul <8 x float> %v613, %v608
%v615 = getelementptr float, ptr %v33, i64 48
%v616 = load <8 x float>, ptr %v615, align 4
%v617 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v546, <8 x float> %v611, <8 x float> %v616)
%v618 = getelementptr float, ptr %v33, i64 48
store <8 x float> %v617, ptr %v618, align 4
%v619 = getelementptr float, ptr %v33, i64 56
%v620 = load <8 x float>, ptr %v619, align 4
%v621 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v548, <8 x float> %v614, <8 x float> %v620)
%v622 = getelementptr float, ptr %v33, i64 56
store <8 x float> %v621, ptr %v622, align 4
%v623 = add i64 %v35, 1
%v624 = icmp slt i64 %v623, %v1
br i1 %v624, label %loop4, label %end5
end5:
%v625 = add i64 %v3, 4
%v626 = icmp slt i64 %v625, %count
br i1 %v626, label %loop1, label %end2
end2:
ret void
}

