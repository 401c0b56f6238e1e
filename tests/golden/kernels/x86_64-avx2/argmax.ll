; kernels for x86_64-avx2
; mir @argmax {
;   %0 = input("x1") : f32[5, 40]
;   %1 = argmax(%0, axis=1) : i32[5]
;   return y1=%1
; }

declare i64 @llvm.smin.i64(i64, i64)
declare <8 x i32> @llvm.smax.v8i32(<8 x i32>, <8 x i32>)
declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>)
declare <2 x i32> @llvm.smax.v2i32(<2 x i32>, <2 x i32>)
declare <1 x i32> @llvm.smax.v1i32(<1 x i32>, <1 x i32>)
declare i32 @llvm.cttz.i32(i32, i1)

define void @argmax_7493b656(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%s0 = alloca i64
%s1 = alloca i64
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%s4 = alloca <8 x i32>
%s5 = alloca <8 x i32>
%s6 = alloca <8 x i32>
%s7 = alloca <8 x i32>
%s8 = alloca i32
%s9 = alloca i64
%s10 = alloca i32
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%v0 = mul i64 %begin, 5
%v1 = mul i64 %end, 5
%v2 = call i64 @llvm.smin.i64(i64 %v1, i64 5)
%v3 = icmp slt i64 %v0, %v2
br i1 %v3, label %then1, label %else2
then1:
%v4 = udiv i64 %v0, 5
%v5 = urem i64 %v0, 5
store i64 %v5, ptr %s0
store i64 %v0, ptr %s1
br label %head4
head4:
%v6 = load i64, ptr %s0
%v7 = sub i64 5, %v6
%v8 = load i64, ptr %s1
%v9 = sub i64 %v2, %v8
%v10 = call i64 @llvm.smin.i64(i64 %v7, i64 %v9)
%v11 = load i64, ptr %s0
%v12 = icmp slt i64 0, %v10
br i1 %v12, label %guard8, label %end7
guard8:
br label %loop6
loop6:
%v13 = phi i64 [ 0, %guard8 ], [ %v134, %end15 ]
%v14 = add i64 %v11, %v13
%v15 = mul i64 %v14, 40
%v16 = add i64 %v11, %v13
%v17 = getelementptr float, ptr %a0, i64 %v15
store <8 x i32> splat (i32 -2147483648), ptr %s4
store <8 x i32> splat (i32 -2147483648), ptr %s5
store <8 x i32> splat (i32 -2147483648), ptr %s6
store <8 x i32> splat (i32 -2147483648), ptr %s7
%v18 = load <8 x float>, ptr %v17, align 4
%v19 = fadd <8 x float> %v18, splat (float 0x0000000000000000)
%v20 = bitcast <8 x float> %v19 to <8 x i32>
%v21 = ashr <8 x i32> %v20, splat (i32 31)
%v22 = and <8 x i32> %v21, splat (i32 2147483647)
%v23 = xor <8 x i32> %v20, %v22
%v24 = fcmp uno <8 x float> %v18, %v18
%v25 = select <8 x i1> %v24, <8 x i32> splat (i32 2147483647), <8 x i32> %v23
%v26 = load <8 x i32>, ptr %s4
%v27 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v25, <8 x i32> %v26)
store <8 x i32> %v27, ptr %s4
%v28 = getelementptr float, ptr %v17, i64 8
%v29 = load <8 x float>, ptr %v28, align 4
%v30 = fadd <8 x float> %v29, splat (float 0x0000000000000000)
%v31 = bitcast <8 x float> %v30 to <8 x i32>
%v32 = ashr <8 x i32> %v31, splat (i32 31)
%v33 = and <8 x i32> %v32, splat (i32 2147483647)
%v34 = xor <8 x i32> %v31, %v33
%v35 = fcmp uno <8 x float> %v29, %v29
%v36 = select <8 x i1> %v35, <8 x i32> splat (i32 2147483647), <8 x i32> %v34
%v37 = load <8 x i32>, ptr %s5
%v38 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v36, <8 x i32> %v37)
store <8 x i32> %v38, ptr %s5
%v39 = getelementptr float, ptr %v17, i64 16
%v40 = load <8 x float>, ptr %v39, align 4
%v41 = fadd <8 x float> %v40, splat (float 0x0000000000000000)
%v42 = bitcast <8 x float> %v41 to <8 x i32>
%v43 = ashr <8 x i32> %v42, splat (i32 31)
%v44 = and <8 x i32> %v43, splat (i32 2147483647)
%v45 = xor <8 x i32> %v42, %v44
%v46 = fcmp uno <8 x float> %v40, %v40
%v47 = select <8 x i1> %v46, <8 x i32> splat (i32 2147483647), <8 x i32> %v45
%v48 = load <8 x i32>, ptr %s6
%v49 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v47, <8 x i32> %v48)
store <8 x i32> %v49, ptr %s6
%v50 = getelementptr float, ptr %v17, i64 24
%v51 = load <8 x float>, ptr %v50, align 4
%v52 = fadd <8 x float> %v51, splat (float 0x0000000000000000)
%v53 = bitcast <8 x float> %v52 to <8 x i32>
%v54 = ashr <8 x i32> %v53, splat (i32 31)
%v55 = and <8 x i32> %v54, splat (i32 2147483647)
%v56 = xor <8 x i32> %v53, %v55
%v57 = fcmp uno <8 x float> %v51, %v51
%v58 = select <8 x i1> %v57, <8 x i32> splat (i32 2147483647), <8 x i32> %v56
%v59 = load <8 x i32>, ptr %s7
%v60 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v58, <8 x i32> %v59)
store <8 x i32> %v60, ptr %s7
%v61 = getelementptr float, ptr %v17, i64 32
%v62 = load <8 x float>, ptr %v61, align 4
%v63 = fadd <8 x float> %v62, splat (float 0x0000000000000000)
%v64 = bitcast <8 x float> %v63 to <8 x i32>
%v65 = ashr <8 x i32> %v64, splat (i32 31)
%v66 = and <8 x i32> %v65, splat (i32 2147483647)
%v67 = xor <8 x i32> %v64, %v66
%v68 = fcmp uno <8 x float> %v62, %v62
%v69 = select <8 x i1> %v68, <8 x i32> splat (i32 2147483647), <8 x i32> %v67
%v70 = load <8 x i32>, ptr %s4
%v71 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v69, <8 x i32> %v70)
store <8 x i32> %v71, ptr %s4
%v72 = load <8 x i32>, ptr %s4
%v73 = load <8 x i32>, ptr %s5
%v74 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v72, <8 x i32> %v73)
%v75 = load <8 x i32>, ptr %s6
%v76 = load <8 x i32>, ptr %s7
%v77 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v75, <8 x i32> %v76)
%v78 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %v74, <8 x i32> %v77)
%v79 = shufflevector <8 x i32> %v78, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v80 = shufflevector <8 x i32> %v78, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v81 = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %v79, <4 x i32> %v80)
%v82 = shufflevector <4 x i32> %v81, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
%v83 = shufflevector <4 x i32> %v81, <4 x i32> poison, <2 x i32> <i32 2, i32 3>
%v84 = call <2 x i32> @llvm.smax.v2i32(<2 x i32> %v82, <2 x i32> %v83)
%v85 = shufflevector <2 x i32> %v84, <2 x i32> poison, <1 x i32> <i32 0>
%v86 = shufflevector <2 x i32> %v84, <2 x i32> poison, <1 x i32> <i32 1>
%v87 = call <1 x i32> @llvm.smax.v1i32(<1 x i32> %v85, <1 x i32> %v86)
%v88 = extractelement <1 x i32> %v87, i64 0
store i32 %v88, ptr %s8
%v89 = load i32, ptr %s8
store i64 0, ptr %s9
store i32 0, ptr %s10
br label %head9
head9:
%v90 = load i64, ptr %s9
%v91 = icmp sge i64 %v90, 40
br i1 %v91, label %end10, label %next11
next11:
%v92 = load i64, ptr %s9
%v93 = getelementptr float, ptr %v17, i64 %v92
%v94 = load <8 x float>, ptr %v93, align 4
%v95 = fadd <8 x float> %v94, splat (float 0x0000000000000000)
%v96 = bitcast <8 x float> %v95 to <8 x i32>
%v97 = ashr <8 x i32> %v96, splat (i32 31)
%v98 = and <8 x i32> %v97, splat (i32 2147483647)
%v99 = xor <8 x i32> %v96, %v98
%v100 = fcmp uno <8 x float> %v94, %v94
%v101 = select <8 x i1> %v100, <8 x i32> splat (i32 2147483647), <8 x i32> %v99
%v102 = insertelement <8 x i32> poison, i32 %v89, i32 0
%v103 = shufflevector <8 x i32> %v102, <8 x i32> poison, <8 x i32> zeroinitializer
%v104 = icmp eq <8 x i32> %v101, %v103
%v105 = bitcast <8 x i1> %v104 to i8
%v106 = zext i8 %v105 to i32
store i32 %v106, ptr %s10
%v107 = load i32, ptr %s10
%v108 = icmp ne i32 %v107, 0
br i1 %v108, label %end10, label %next12
next12:
%v109 = load i64, ptr %s9
%v110 = add i64 %v109, 8
store i64 %v110, ptr %s9
br label %head9
end10:
%v111 = load i32, ptr %s10
%v112 = icmp ne i32 %v111, 0
br i1 %v112, label %then13, label %else14
then13:
%v113 = load i64, ptr %s9
%v114 = load i32, ptr %s10
%v115 = call i32 @llvm.cttz.i32(i32 %v114, i1 false)
%v116 = sext i32 %v115 to i64
%v117 = add i64 %v113, %v116
store i64 %v117, ptr %s9
br label %end15
else14:
br label %head16
head16:
%v118 = load i64, ptr %s9
%v119 = getelementptr float, ptr %v17, i64 %v118
%v120 = load float, ptr %v119, align 4
%v121 = fadd float %v120, 0x0000000000000000
%v122 = bitcast float %v121 to i32
%v123 = ashr i32 %v122, 31
%v124 = and i32 %v123, 2147483647
%v125 = xor i32 %v122, %v124
%v126 = fcmp uno float %v120, %v120
%v127 = select i1 %v126, i32 2147483647, i32 %v125
%v128 = icmp eq i32 %v127, %v89
br i1 %v128, label %end17, label %next18
next18:
%v129 = load i64, ptr %s9
%v130 = add i64 %v129, 1
store i64 %v130, ptr %s9
br label %head16
end17:
br label %end15
end15:
%v131 = load i64, ptr %s9
%v132 = trunc i64 %v131 to i32
%v133 = getelementptr i32, ptr %a1, i64 %v16
store i32 %v132, ptr %v133, align 4
%v134 = add i64 %v13, 1
%v135 = icmp slt i64 %v134, %v10
br i1 %v135, label %loop6, label %end7
end7:
%v136 = load i64, ptr %s1
%v137 = add i64 %v136, %v10
store i64 %v137, ptr %s1
store i64 0, ptr %s0
%v138 = load i64, ptr %s1
%v139 = icmp sge i64 %v138, %v2
br i1 %v139, label %end5, label %next19
next19:
br label %head4
end5:
br label %end3
else2:
br label %end3
end3:
ret void
}

