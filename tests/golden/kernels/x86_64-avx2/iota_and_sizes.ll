; kernels for x86_64-avx2
; mir @iota_and_sizes {
;   sym rows in 1..
;   %0 = iota(shape=(rows, 20), axis=1, dtype=i32) : i32[rows, 20]
;   %1 = size_value(size=3*rows, dtype=i32) : i32[]
;   %2 = input("x1") : f32[rows, 20]
;   %3 = constant([2.0]) : f32[]
;   %4 = mul(%2, %3) : f32[rows, 20]
;   return y1=%0, y2=%1, y3=%4
; }

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)

define void @iota_01b7071f(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 3
%a0 = load i64, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 4
%a1 = load i64, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 5
%a2 = load i64, ptr %a2.p, align 8
%s6 = alloca i64
%s7 = alloca i64
%s8 = alloca i64
%a3.p = getelementptr i64, ptr %args, i64 0
%a3 = load ptr, ptr %a3.p, align 8
%v0 = call i64 @llvm.smax.i64(i64 %a1, i64 1)
%v1 = add i64 %a0, %v0
%v2 = sub i64 %v1, 1
%v3 = udiv i64 %v2, %v0
%v4 = add i64 %v3, 63
%v5 = ashr i64 %v4, 6
%v6 = mul i64 %v5, 64
%v7 = mul i64 %begin, %v6
%v8 = mul i64 %end, %v6
%v9 = call i64 @llvm.smin.i64(i64 %v8, i64 %a0)
%v10 = icmp slt i64 %v7, %v9
br i1 %v10, label %then1, label %else2
then1:
%v11 = udiv i64 %v7, 20
%v12 = urem i64 %v11, %a2
store i64 %v12, ptr %s6
%v13 = udiv i64 %v11, %a2
%v14 = urem i64 %v7, 20
store i64 %v14, ptr %s7
store i64 %v7, ptr %s8
br label %head4
head4:
%v15 = load i64, ptr %s7
%v16 = sub i64 20, %v15
%v17 = load i64, ptr %s8
%v18 = sub i64 %v9, %v17
%v19 = call i64 @llvm.smin.i64(i64 %v16, i64 %v18)
%v20 = load i64, ptr %s6
%v21 = load i64, ptr %s7
%v22 = mul i64 %v20, 20
%v23 = add i64 %v22, %v21
%v24 = getelementptr i32, ptr %a3, i64 %v23
%v25 = icmp slt i64 0, %v19
br i1 %v25, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v26 = phi i64 [ 0, %guard8 ], [ %v30, %loop6 ]
%v27 = add i64 %v21, %v26
%v28 = trunc i64 %v27 to i32
%v29 = getelementptr i32, ptr %v24, i64 %v26
store i32 %v28, ptr %v29, align 4
%v30 = add i64 %v26, 1
%v31 = icmp slt i64 %v30, %v19
br i1 %v31, label %loop6, label %end7
end7:
%v32 = load i64, ptr %s8
%v33 = add i64 %v32, %v19
store i64 %v33, ptr %s8
store i64 0, ptr %s7
%v34 = load i64, ptr %s6
%v35 = add i64 %v34, 1
%v36 = icmp eq i64 %v35, %a2
%v37 = select i1 %v36, i64 0, i64 %v35
store i64 %v37, ptr %s6
%v38 = load i64, ptr %s8
%v39 = icmp sge i64 %v38, %v9
br i1 %v39, label %end5, label %next9
next9:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}



define void @size_value_c995ad2b(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 3
%a0 = load i64, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 0
%a1 = load ptr, ptr %a1.p, align 8
%v0 = trunc i64 %a0 to i32
store i32 %v0, ptr %a1, align 4
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare void @llvm.x86.sse.sfence()

define void @region_d07d0408(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 2
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 5
%a3 = load i64, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 6
%a4 = load i64, ptr %a4.p, align 8
%a5.p = getelementptr i64, ptr %args, i64 7
%a5 = load i64, ptr %a5.p, align 8
%a6.p = getelementptr i64, ptr %args, i64 8
%a6 = load i64, ptr %a6.p, align 8
%v0 = load float, ptr %a1, align 4
%v1 = icmp sge i64 %a3, 16777216
%v2 = call i64 @llvm.smin.i64(i64 %end, i64 %a5)
%v3 = icmp slt i64 %begin, %v2
br i1 %v3, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v4 = phi i64 [ %begin, %guard3 ], [ %v56, %end5 ]
%v5 = udiv i64 %v4, %a5
%v6 = mul i64 %v5, %a4
%v7 = urem i64 %v4, %a5
%v8 = mul i64 %v7, 16384
%v9 = sub i64 %a6, %v8
%v10 = call i64 @llvm.smin.i64(i64 %v9, i64 16384)
%v11 = add i64 %v6, %a4
%v12 = call i64 @llvm.smin.i64(i64 %v11, i64 1)
%v13 = icmp slt i64 %v6, %v12
br i1 %v13, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v14 = phi i64 [ %v6, %guard6 ], [ %v54, %end14 ]
%v15 = insertelement <8 x float> poison, float %v0, i32 0
%v16 = shufflevector <8 x float> %v15, <8 x float> poison, <8 x i32> zeroinitializer
%v17 = insertelement <32 x float> poison, float %v0, i32 0
%v18 = shufflevector <32 x float> %v17, <32 x float> poison, <32 x i32> zeroinitializer
%v19 = getelementptr float, ptr %a2, i64 %v8
%v20 = ptrtoint ptr %v19 to i64
%v21 = and i64 %v20, 31
%v22 = icmp eq i64 %v21, 0
%v23 = and i1 %v1, %v22
%v24 = and i64 %v10, -32
%v25 = add i64 %v8, %v24
%v26 = icmp slt i64 %v8, %v25
br i1 %v26, label %guard9, label %end8
guard9:
br label %loop7
loop7:
%v27 = phi i64 [ %v8, %guard9 ], [ %v33, %end12 ]
%v28 = getelementptr float, ptr %a0, i64 %v27
%v29 = load <32 x float>, ptr %v28, align 4
%v30 = fmul <32 x float> %v29, %v18
br i1 %v23, label %then10, label %else11
then10:
%v31 = getelementptr float, ptr %a2, i64 %v27
store <32 x float> %v30, ptr %v31, align 32, !nontemporal !0
br label %end12
else11:
%v32 = getelementptr float, ptr %a2, i64 %v27
store <32 x float> %v30, ptr %v32, align 4
br label %end12
end12:
%v33 = add i64 %v27, 32
%v34 = icmp slt i64 %v33, %v25
br i1 %v34, label %loop7, label %end8
end8:
%v35 = add i64 %v8, %v10
%v36 = icmp slt i64 %v25, %v35
br i1 %v36, label %guard15, label %end14
guard15:
br label %loop13
loop13:
%v37 = phi i64 [ %v25, %guard15 ], [ %v52, %loop13 ]
%v38 = sub i64 %v35, %v37
%v39 = call i64 @llvm.smin.i64(i64 %v38, i64 8)
%v40 = trunc i64 %v39 to i32
%v41 = insertelement <8 x i32> poison, i32 %v40, i32 0
%v42 = shufflevector <8 x i32> %v41, <8 x i32> poison, <8 x i32> zeroinitializer
%v43 = icmp sgt <8 x i32> %v42, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
%v44 = getelementptr float, ptr %a0, i64 %v37
%v45 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v44, i32 4, <8 x i1> %v43, <8 x float> splat (float 0x0000000000000000))
%v46 = fmul <8 x float> %v45, %v16
%v47 = getelementptr float, ptr %a2, i64 %v37
%v48 = trunc i64 %v39 to i32
%v49 = insertelement <8 x i32> poison, i32 %v48, i32 0
%v50 = shufflevector <8 x i32> %v49, <8 x i32> poison, <8 x i32> zeroinitializer
%v51 = icmp sgt <8 x i32> %v50, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
call void @llvm.masked.store.v8f32.p0(<8 x float> %v46, ptr %v47, i32 4, <8 x i1> %v51)
%v52 = add i64 %v37, 8
%v53 = icmp slt i64 %v52, %v35
br i1 %v53, label %loop13, label %end14
end14:
%v54 = add i64 %v14, 1
%v55 = icmp slt i64 %v54, %v12
br i1 %v55, label %loop4, label %end5
end5:
%v56 = add i64 %v4, 1
%v57 = icmp slt i64 %v56, %v2
br i1 %v57, label %loop1, label %end2
end2:
call void @llvm.x86.sse.sfence()
ret void
}

!0 = !{i32 1}

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

define i64 @rlx_checked_dims(ptr %symbols, ptr %out) nounwind noinline optnone {
entry:
%v0 = load i64, ptr %symbols, align 8
%v1 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 20, i64 %v0)
%v2 = extractvalue { i64, i1 } %v1, 0
%v3 = extractvalue { i64, i1 } %v1, 1
%v4 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v2)
%v5 = extractvalue { i64, i1 } %v4, 0
%v6 = extractvalue { i64, i1 } %v4, 1
%v7 = or i1 %v3, %v6
store i64 %v5, ptr %out, align 8
%v8 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 80, i64 %v0)
%v9 = extractvalue { i64, i1 } %v8, 0
%v10 = extractvalue { i64, i1 } %v8, 1
%v11 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v9)
%v12 = extractvalue { i64, i1 } %v11, 0
%v13 = extractvalue { i64, i1 } %v11, 1
%v14 = or i1 %v10, %v13
%v15 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %v12, i64 32767)
%v16 = extractvalue { i64, i1 } %v15, 0
%v17 = extractvalue { i64, i1 } %v15, 1
%v18 = or i1 %v14, %v17
%v19 = ashr i64 %v16, 15
%v20 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 1, i64 %v19)
%v21 = extractvalue { i64, i1 } %v20, 0
%v22 = extractvalue { i64, i1 } %v20, 1
%v23 = or i1 %v18, %v22
%v24 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v21)
%v25 = extractvalue { i64, i1 } %v24, 0
%v26 = extractvalue { i64, i1 } %v24, 1
%v27 = or i1 %v23, %v26
%v28 = call i64 @llvm.smin.i64(i64 256, i64 %v25)
%v29 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 1, i64 %v28)
%v30 = extractvalue { i64, i1 } %v29, 0
%v31 = extractvalue { i64, i1 } %v29, 1
%v32 = or i1 %v27, %v31
%v33 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v30)
%v34 = extractvalue { i64, i1 } %v33, 0
%v35 = extractvalue { i64, i1 } %v33, 1
%v36 = or i1 %v32, %v35
%v37 = getelementptr i64, ptr %out, i64 1
store i64 %v34, ptr %v37, align 8
%v38 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 1, i64 %v0)
%v39 = extractvalue { i64, i1 } %v38, 0
%v40 = extractvalue { i64, i1 } %v38, 1
%v41 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v39)
%v42 = extractvalue { i64, i1 } %v41, 0
%v43 = extractvalue { i64, i1 } %v41, 1
%v44 = or i1 %v40, %v43
%v45 = getelementptr i64, ptr %out, i64 2
store i64 %v42, ptr %v45, align 8
%v46 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 80, i64 %v0)
%v47 = extractvalue { i64, i1 } %v46, 0
%v48 = extractvalue { i64, i1 } %v46, 1
%v49 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v47)
%v50 = extractvalue { i64, i1 } %v49, 0
%v51 = extractvalue { i64, i1 } %v49, 1
%v52 = or i1 %v48, %v51
%v53 = getelementptr i64, ptr %out, i64 4
store i64 %v50, ptr %v53, align 8
%v54 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 3, i64 %v0)
%v55 = extractvalue { i64, i1 } %v54, 0
%v56 = extractvalue { i64, i1 } %v54, 1
%v57 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v55)
%v58 = extractvalue { i64, i1 } %v57, 0
%v59 = extractvalue { i64, i1 } %v57, 1
%v60 = or i1 %v56, %v59
%v61 = getelementptr i64, ptr %out, i64 5
store i64 %v58, ptr %v61, align 8
%v62 = icmp eq i64 %v5, 0
%v63 = select i1 %v62, i64 1, i64 %v5
%v64 = sdiv i64 16384, %v63
%v65 = mul i64 %v64, %v63
%v66 = sub i64 16384, %v65
%v67 = icmp ne i64 %v66, 0
%v68 = xor i64 %v66, %v63
%v69 = icmp slt i64 %v68, 0
%v70 = and i1 %v67, %v69
%v71 = sub i64 %v64, 1
%v72 = select i1 %v70, i64 %v71, i64 %v64
%v73 = or i1 %v7, %v62
%v74 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 1, i64 %v72)
%v75 = extractvalue { i64, i1 } %v74, 0
%v76 = extractvalue { i64, i1 } %v74, 1
%v77 = or i1 %v73, %v76
%v78 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v75)
%v79 = extractvalue { i64, i1 } %v78, 0
%v80 = extractvalue { i64, i1 } %v78, 1
%v81 = or i1 %v77, %v80
%v82 = call i64 @llvm.smax.i64(i64 1, i64 %v79)
%v83 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 1, i64 %v82)
%v84 = extractvalue { i64, i1 } %v83, 0
%v85 = extractvalue { i64, i1 } %v83, 1
%v86 = or i1 %v81, %v85
%v87 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v84)
%v88 = extractvalue { i64, i1 } %v87, 0
%v89 = extractvalue { i64, i1 } %v87, 1
%v90 = or i1 %v86, %v89
%v91 = getelementptr i64, ptr %out, i64 8
store i64 %v88, ptr %v91, align 8
%v92 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 20, i64 %v0)
%v93 = extractvalue { i64, i1 } %v92, 0
%v94 = extractvalue { i64, i1 } %v92, 1
%v95 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v93)
%v96 = extractvalue { i64, i1 } %v95, 0
%v97 = extractvalue { i64, i1 } %v95, 1
%v98 = or i1 %v94, %v97
%v99 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %v96, i64 16383)
%v100 = extractvalue { i64, i1 } %v99, 0
%v101 = extractvalue { i64, i1 } %v99, 1
%v102 = or i1 %v98, %v101
%v103 = ashr i64 %v100, 14
%v104 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 1, i64 %v103)
%v105 = extractvalue { i64, i1 } %v104, 0
%v106 = extractvalue { i64, i1 } %v104, 1
%v107 = or i1 %v102, %v106
%v108 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v105)
%v109 = extractvalue { i64, i1 } %v108, 0
%v110 = extractvalue { i64, i1 } %v108, 1
%v111 = or i1 %v107, %v110
%v112 = getelementptr i64, ptr %out, i64 9
store i64 %v109, ptr %v112, align 8
%v113 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 160, i64 %v0)
%v114 = extractvalue { i64, i1 } %v113, 0
%v115 = extractvalue { i64, i1 } %v113, 1
%v116 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 0, i64 %v114)
%v117 = extractvalue { i64, i1 } %v116, 0
%v118 = extractvalue { i64, i1 } %v116, 1
%v119 = or i1 %v115, %v118
%v120 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %v117, i64 4)
%v121 = extractvalue { i64, i1 } %v120, 0
%v122 = extractvalue { i64, i1 } %v120, 1
%v123 = or i1 %v119, %v122
%v124 = getelementptr i64, ptr %out, i64 10
store i64 %v121, ptr %v124, align 8
%v125 = or i1 %v52, %v7
%v126 = or i1 %v125, %v36
%v127 = or i1 %v126, %v44
%v128 = or i1 %v127, %v60
%v129 = or i1 %v128, %v90
%v130 = or i1 %v129, %v111
%v131 = select i1 %v130, i64 1, i64 0
ret i64 %v131
unreachable1:
ret i64 0
}

