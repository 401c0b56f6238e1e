; kernels for x86_64-avx2
; mir @region_rows_rms_norm {
;   sym rows in 1..
;   %0 = input("x1") : f32[rows, 37]
;   %1 = input("x2") : f32[rows, 37]
;   %2 = add(%0, %1) : f32[rows, 37]
;   %3 = param("w1") : f32[37]
;   %4 = rms_norm(%2, %3, axis=1) : f32[rows, 37]
;   return y1=%4
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <32 x float> @llvm.fma.v32f32(<32 x float>, <32 x float>, <32 x float>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare float @llvm.sqrt.f32(float)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare void @llvm.x86.sse.sfence()

define void @region_884c142f(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 3
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 6
%a4 = load i64, ptr %a4.p, align 8
%a5.p = getelementptr i64, ptr %args, i64 7
%a5 = load i64, ptr %a5.p, align 8
%s12 = alloca <8 x float>
%s13 = alloca <32 x float>
%v0 = icmp sge i64 %a4, 16777216
%v1 = icmp slt i64 %begin, %end
br i1 %v1, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v2 = phi i64 [ %begin, %guard3 ], [ %v84, %end5 ]
%v3 = mul i64 %v2, 442
%v4 = add i64 %v3, 442
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 %a5)
%v6 = icmp slt i64 %v3, %v5
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ %v3, %guard6 ], [ %v82, %end9 ]
%v8 = mul i64 %v7, 37
%v9 = getelementptr float, ptr %a0, i64 %v8
%v10 = mul i64 %v7, 37
%v11 = getelementptr float, ptr %a1, i64 %v10
%v12 = mul i64 %v7, 37
%v13 = getelementptr float, ptr %a3, i64 %v12
store <8 x float> splat (float 0x0000000000000000), ptr %s12
store <32 x float> splat (float 0x0000000000000000), ptr %s13
%v14 = load <32 x float>, ptr %v9, align 4
%v15 = load <32 x float>, ptr %v11, align 4
%v16 = fadd <32 x float> %v14, %v15
%v17 = fmul <32 x float> %v16, %v16
%v18 = load <32 x float>, ptr %s13
%v19 = call <32 x float> @llvm.fma.v32f32(<32 x float> %v16, <32 x float> %v16, <32 x float> %v18)
store <32 x float> %v19, ptr %s13
%v20 = getelementptr float, ptr %v9, i64 32
%v21 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v20, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v22 = getelementptr float, ptr %v11, i64 32
%v23 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v22, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v24 = fadd <8 x float> %v21, %v23
%v25 = fmul <8 x float> %v24, %v24
%v26 = select <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> %v25, <8 x float> splat (float 0x0000000000000000)
%v27 = load <8 x float>, ptr %s12
%v28 = fadd <8 x float> %v27, %v26
store <8 x float> %v28, ptr %s12
%v29 = load <8 x float>, ptr %s12
%v30 = load <32 x float>, ptr %s13
%v31 = shufflevector <32 x float> %v30, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v32 = shufflevector <32 x float> %v30, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
%v33 = fadd <16 x float> %v31, %v32
%v34 = shufflevector <16 x float> %v33, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v35 = shufflevector <16 x float> %v33, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
%v36 = fadd <8 x float> %v34, %v35
%v37 = fadd <8 x float> %v36, %v29
%v38 = shufflevector <8 x float> %v37, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v39 = shufflevector <8 x float> %v37, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v40 = fadd <4 x float> %v38, %v39
%v41 = shufflevector <4 x float> %v40, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v42 = shufflevector <4 x float> %v40, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v43 = fadd <2 x float> %v41, %v42
%v44 = shufflevector <2 x float> %v43, <2 x float> poison, <1 x i32> <i32 0>
%v45 = shufflevector <2 x float> %v43, <2 x float> poison, <1 x i32> <i32 1>
%v46 = fadd <1 x float> %v44, %v45
%v47 = extractelement <1 x float> %v46, i64 0
%v48 = fdiv float %v47, 0x4042800000000000
%v49 = fadd float %v48, 0x3EB0C6F7A0000000
%v50 = call float @llvm.sqrt.f32(float %v49)
%v51 = fdiv float 0x3FF0000000000000, %v50
%v52 = ptrtoint ptr %v13 to i64
%v53 = and i64 %v52, 31
%v54 = icmp eq i64 %v53, 0
%v55 = and i1 %v0, %v54
%v56 = insertelement <8 x float> poison, float %v51, i32 0
%v57 = shufflevector <8 x float> %v56, <8 x float> poison, <8 x i32> zeroinitializer
%v58 = insertelement <32 x float> poison, float %v51, i32 0
%v59 = shufflevector <32 x float> %v58, <32 x float> poison, <32 x i32> zeroinitializer
%v60 = getelementptr i8, ptr %v9, i64 148
call void @llvm.prefetch.p0(ptr %v60, i32 0, i32 3, i32 1)
%v61 = getelementptr i8, ptr %v9, i64 212
call void @llvm.prefetch.p0(ptr %v61, i32 0, i32 3, i32 1)
%v62 = getelementptr i8, ptr %v11, i64 148
call void @llvm.prefetch.p0(ptr %v62, i32 0, i32 3, i32 1)
%v63 = getelementptr i8, ptr %v11, i64 212
call void @llvm.prefetch.p0(ptr %v63, i32 0, i32 3, i32 1)
%v64 = load <32 x float>, ptr %v9, align 4
%v65 = load <32 x float>, ptr %v11, align 4
%v66 = load <32 x float>, ptr %a2, align 4
%v67 = fadd <32 x float> %v64, %v65
%v68 = fmul <32 x float> %v67, %v59
%v69 = fmul <32 x float> %v68, %v66
br i1 %v55, label %then7, label %else8
then7:
store <32 x float> %v69, ptr %v13, align 32, !nontemporal !0
br label %end9
else8:
store <32 x float> %v69, ptr %v13, align 4
br label %end9
end9:
%v70 = getelementptr i8, ptr %v9, i64 276
call void @llvm.prefetch.p0(ptr %v70, i32 0, i32 3, i32 1)
%v71 = getelementptr i8, ptr %v11, i64 276
call void @llvm.prefetch.p0(ptr %v71, i32 0, i32 3, i32 1)
%v72 = getelementptr float, ptr %v9, i64 32
%v73 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v72, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v74 = getelementptr float, ptr %v11, i64 32
%v75 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v74, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v76 = getelementptr float, ptr %a2, i64 32
%v77 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v76, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> splat (float 0x0000000000000000))
%v78 = fadd <8 x float> %v73, %v75
%v79 = fmul <8 x float> %v78, %v57
%v80 = fmul <8 x float> %v79, %v77
%v81 = getelementptr float, ptr %v13, i64 32
call void @llvm.masked.store.v8f32.p0(<8 x float> %v80, ptr %v81, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>)
%v82 = add i64 %v7, 1
%v83 = icmp slt i64 %v82, %v5
br i1 %v83, label %loop4, label %end5
end5:
%v84 = add i64 %v2, 1
%v85 = icmp slt i64 %v84, %end
br i1 %v85, label %loop1, label %end2
end2:
call void @llvm.x86.sse.sfence()
ret void
}

!0 = !{i32 1}

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)

define i64 @rlx_checked_dims(ptr %symbols, ptr %out) nounwind noinline optnone {
entry:
%v0 = load i64, ptr %symbols, align 8
%v1 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 148, i64 %v0)
%v2 = extractvalue { i64, i1 } %v1, 0
%v3 = extractvalue { i64, i1 } %v1, 1
%v4 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v2)
%v5 = extractvalue { i64, i1 } %v4, 0
%v6 = extractvalue { i64, i1 } %v4, 1
%v7 = or i1 %v3, %v6
store i64 %v5, ptr %out, align 8
%v8 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 1, i64 %v0)
%v9 = extractvalue { i64, i1 } %v8, 0
%v10 = extractvalue { i64, i1 } %v8, 1
%v11 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v9)
%v12 = extractvalue { i64, i1 } %v11, 0
%v13 = extractvalue { i64, i1 } %v11, 1
%v14 = or i1 %v10, %v13
%v15 = getelementptr i64, ptr %out, i64 1
store i64 %v12, ptr %v15, align 8
%v16 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 1, i64 %v0)
%v17 = extractvalue { i64, i1 } %v16, 0
%v18 = extractvalue { i64, i1 } %v16, 1
%v19 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v17)
%v20 = extractvalue { i64, i1 } %v19, 0
%v21 = extractvalue { i64, i1 } %v19, 1
%v22 = or i1 %v18, %v21
%v23 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %v20, i64 441)
%v24 = extractvalue { i64, i1 } %v23, 0
%v25 = extractvalue { i64, i1 } %v23, 1
%v26 = or i1 %v22, %v25
%v27 = sdiv i64 %v24, 442
%v28 = mul i64 %v27, 442
%v29 = sub i64 %v24, %v28
%v30 = icmp ne i64 %v29, 0
%v31 = xor i64 %v29, 442
%v32 = icmp slt i64 %v31, 0
%v33 = and i1 %v30, %v32
%v34 = sub i64 %v27, 1
%v35 = select i1 %v33, i64 %v34, i64 %v27
%v36 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 1, i64 %v35)
%v37 = extractvalue { i64, i1 } %v36, 0
%v38 = extractvalue { i64, i1 } %v36, 1
%v39 = or i1 %v26, %v38
%v40 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v37)
%v41 = extractvalue { i64, i1 } %v40, 0
%v42 = extractvalue { i64, i1 } %v40, 1
%v43 = or i1 %v39, %v42
%v44 = getelementptr i64, ptr %out, i64 2
store i64 %v41, ptr %v44, align 8
%v45 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 188, i64 %v0)
%v46 = extractvalue { i64, i1 } %v45, 0
%v47 = extractvalue { i64, i1 } %v45, 1
%v48 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v46)
%v49 = extractvalue { i64, i1 } %v48, 0
%v50 = extractvalue { i64, i1 } %v48, 1
%v51 = or i1 %v47, %v50
%v52 = getelementptr i64, ptr %out, i64 3
store i64 %v49, ptr %v52, align 8
%v53 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 444, i64 %v0)
%v54 = extractvalue { i64, i1 } %v53, 0
%v55 = extractvalue { i64, i1 } %v53, 1
%v56 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v54)
%v57 = extractvalue { i64, i1 } %v56, 0
%v58 = extractvalue { i64, i1 } %v56, 1
%v59 = or i1 %v55, %v58
%v60 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %v57, i64 148)
%v61 = extractvalue { i64, i1 } %v60, 0
%v62 = extractvalue { i64, i1 } %v60, 1
%v63 = or i1 %v59, %v62
%v64 = getelementptr i64, ptr %out, i64 4
store i64 %v61, ptr %v64, align 8
%v65 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 4, i64 %v0)
%v66 = extractvalue { i64, i1 } %v65, 0
%v67 = extractvalue { i64, i1 } %v65, 1
%v68 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v66)
%v69 = extractvalue { i64, i1 } %v68, 0
%v70 = extractvalue { i64, i1 } %v68, 1
%v71 = or i1 %v67, %v70
%v72 = or i1 %v7, %v71
%v73 = or i1 %v72, %v14
%v74 = or i1 %v73, %v43
%v75 = select i1 %v74, i64 1, i64 0
ret i64 %v75
unreachable1:
ret i64 0
}

