; kernels for x86_64-avx2
; mir @pages_of_bytes {
;   %0 = input("x1") : i32[3]
;   %1 = input("x2") : i32[3]
;   %2 = input("x3") : i32[2, 4]
;   %3 = input("x4") : i8[5, 1, 32, 8]
;   %4 = input("x5") : f16[5, 1, 1, 8]
;   %5 = input("x6") : f32[3, 1, 32]
;   %6:2 = page_write_q8(%3, %4, %5, %0, %1, %2, transposed=true) : (i8[5, 1, 32, 8], f16[5, 1, 1, 8])
;   return y1=%6.0, y2=%6.1
; }

declare i64 @llvm.smin.i64(i64, i64)

define void @page_rest_119da1fd(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%s5 = alloca i64
%v0 = icmp ne ptr %a0, %a1
br i1 %v0, label %then1, label %else2
then1:
%v1 = mul i64 %begin, 1280
%v2 = mul i64 %end, 1280
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 1280)
%v4 = icmp slt i64 %v1, %v3
br i1 %v4, label %then4, label %else5
then4:
%v5 = udiv i64 %v1, 1280
%v6 = urem i64 %v1, 1280
store i64 %v6, ptr %s4
store i64 %v1, ptr %s5
br label %head7
head7:
%v7 = load i64, ptr %s4
%v8 = sub i64 1280, %v7
%v9 = load i64, ptr %s5
%v10 = sub i64 %v3, %v9
%v11 = call i64 @llvm.smin.i64(i64 %v8, i64 %v10)
%v12 = load i64, ptr %s4
%v13 = getelementptr i8, ptr %a1, i64 %v12
%v14 = getelementptr i8, ptr %a0, i64 %v12
%v15 = ashr i64 %v11, 5
%v16 = mul i64 %v15, 32
%v17 = icmp slt i64 0, %v16
br i1 %v17, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v18 = phi i64 [ 0, %guard11 ], [ %v22, %loop9 ]
%v19 = getelementptr i8, ptr %v14, i64 %v18
%v20 = load <32 x i8>, ptr %v19, align 1
%v21 = getelementptr i8, ptr %v13, i64 %v18
store <32 x i8> %v20, ptr %v21, align 1
%v22 = add i64 %v18, 32
%v23 = icmp slt i64 %v22, %v16
br i1 %v23, label %loop9, label %end10
end10:
%v24 = icmp slt i64 %v16, %v11
br i1 %v24, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v25 = phi i64 [ %v16, %guard14 ], [ %v29, %loop12 ]
%v26 = getelementptr i8, ptr %v14, i64 %v25
%v27 = load i8, ptr %v26, align 1
%v28 = getelementptr i8, ptr %v13, i64 %v25
store i8 %v27, ptr %v28, align 1
%v29 = add i64 %v25, 1
%v30 = icmp slt i64 %v29, %v11
br i1 %v30, label %loop12, label %end13
end13:
%v31 = load i64, ptr %s5
%v32 = add i64 %v31, %v11
store i64 %v32, ptr %s5
store i64 0, ptr %s4
%v33 = load i64, ptr %s5
%v34 = icmp sge i64 %v33, %v3
br i1 %v34, label %end8, label %next15
next15:
br label %head7
end8:
br label %end6
else5:
br label %end6
end6:
br label %end3
else2:
br label %end3
end3:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)

define void @page_rest_44bd89a4(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca i64
%s5 = alloca i64
%v0 = icmp ne ptr %a0, %a1
br i1 %v0, label %then1, label %else2
then1:
%v1 = mul i64 %begin, 64
%v2 = mul i64 %end, 64
%v3 = call i64 @llvm.smin.i64(i64 %v2, i64 40)
%v4 = icmp slt i64 %v1, %v3
br i1 %v4, label %then4, label %else5
then4:
%v5 = udiv i64 %v1, 40
%v6 = urem i64 %v1, 40
store i64 %v6, ptr %s4
store i64 %v1, ptr %s5
br label %head7
head7:
%v7 = load i64, ptr %s4
%v8 = sub i64 40, %v7
%v9 = load i64, ptr %s5
%v10 = sub i64 %v3, %v9
%v11 = call i64 @llvm.smin.i64(i64 %v8, i64 %v10)
%v12 = load i64, ptr %s4
%v13 = getelementptr i16, ptr %a1, i64 %v12
%v14 = getelementptr i16, ptr %a0, i64 %v12
%v15 = ashr i64 %v11, 4
%v16 = mul i64 %v15, 16
%v17 = icmp slt i64 0, %v16
br i1 %v17, label %guard11, label %end10
guard11:
br label %loop9
loop9:
%v18 = phi i64 [ 0, %guard11 ], [ %v22, %loop9 ]
%v19 = getelementptr i16, ptr %v14, i64 %v18
%v20 = load <16 x i16>, ptr %v19, align 2
%v21 = getelementptr i16, ptr %v13, i64 %v18
store <16 x i16> %v20, ptr %v21, align 2
%v22 = add i64 %v18, 16
%v23 = icmp slt i64 %v22, %v16
br i1 %v23, label %loop9, label %end10
end10:
%v24 = icmp slt i64 %v16, %v11
br i1 %v24, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v25 = phi i64 [ %v16, %guard14 ], [ %v29, %loop12 ]
%v26 = getelementptr i16, ptr %v14, i64 %v25
%v27 = load i16, ptr %v26, align 2
%v28 = getelementptr i16, ptr %v13, i64 %v25
store i16 %v27, ptr %v28, align 2
%v29 = add i64 %v25, 1
%v30 = icmp slt i64 %v29, %v11
br i1 %v30, label %loop12, label %end13
end13:
%v31 = load i64, ptr %s5
%v32 = add i64 %v31, %v11
store i64 %v32, ptr %s5
store i64 0, ptr %s4
%v33 = load i64, ptr %s5
%v34 = icmp sge i64 %v33, %v3
br i1 %v34, label %end8, label %next15
next15:
br label %head7
end8:
br label %end6
else5:
br label %end6
end6:
br label %end3
else2:
br label %end3
end3:
ret void
}


declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.fabs.v8f32(<8 x float>)
declare <8 x float> @llvm.roundeven.v8f32(<8 x float>)
declare <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float>)

define void @page_write_q8_b4392906(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 1
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 2
%a1 = load ptr, ptr %a1.p, align 8
%a2.p = getelementptr i64, ptr %args, i64 3
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 0
%a3 = load ptr, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 4
%a4 = load ptr, ptr %a4.p, align 8
%a5.p = getelementptr i64, ptr %args, i64 5
%a5 = load ptr, ptr %a5.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v209, %end5 ]
%v2 = mul i64 %v1, 16
%v3 = mul i64 %v1, 16
%v4 = add i64 %v3, 16
%v5 = call i64 @llvm.smin.i64(i64 %v4, i64 3)
%v6 = icmp slt i64 %v2, %v5
br i1 %v6, label %guard6, label %end5
guard6:
br label %loop4
loop4:
%v7 = phi i64 [ %v2, %guard6 ], [ %v207, %end9 ]
%v8 = getelementptr i32, ptr %a0, i64 %v7
%v9 = load i32, ptr %v8, align 4
%v10 = sext i32 %v9 to i64
%v11 = getelementptr i32, ptr %a1, i64 %v7
%v12 = load i32, ptr %v11, align 4
%v13 = sext i32 %v12 to i64
%v14 = icmp ult i64 %v13, 2
%v15 = select i1 %v14, i64 32, i64 0
%v16 = icmp ult i64 %v10, %v15
br i1 %v16, label %then7, label %else8
then7:
%v17 = ashr i64 %v10, 3
%v18 = mul i64 %v13, 4
%v19 = add i64 %v18, %v17
%v20 = getelementptr i32, ptr %a2, i64 %v19
%v21 = load i32, ptr %v20, align 4
%v22 = sext i32 %v21 to i64
%v23 = icmp ult i64 %v22, 5
br i1 %v23, label %then10, label %else11
then10:
%v24 = and i64 %v10, 7
%v25 = mul i64 %v7, 32
%v26 = getelementptr float, ptr %a3, i64 %v25
%v27 = mul i64 %v22, 256
%v28 = add i64 %v27, %v24
%v29 = getelementptr i8, ptr %a4, i64 %v28
%v30 = mul i64 %v22, 8
%v31 = add i64 %v30, %v24
%v32 = getelementptr i16, ptr %a5, i64 %v31
%v33 = load <8 x float>, ptr %v26, align 4
%v34 = getelementptr float, ptr %v26, i64 8
%v35 = load <8 x float>, ptr %v34, align 4
%v36 = getelementptr float, ptr %v26, i64 16
%v37 = load <8 x float>, ptr %v36, align 4
%v38 = getelementptr float, ptr %v26, i64 24
%v39 = load <8 x float>, ptr %v38, align 4
%v40 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v33)
%v41 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v35)
%v42 = fcmp ogt <8 x float> %v40, %v41
%v43 = select <8 x i1> %v42, <8 x float> %v40, <8 x float> %v41
%v44 = fcmp uno <8 x float> %v40, %v40
%v45 = select <8 x i1> %v44, <8 x float> %v40, <8 x float> %v43
%v46 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v37)
%v47 = fcmp ogt <8 x float> %v45, %v46
%v48 = select <8 x i1> %v47, <8 x float> %v45, <8 x float> %v46
%v49 = fcmp uno <8 x float> %v45, %v45
%v50 = select <8 x i1> %v49, <8 x float> %v45, <8 x float> %v48
%v51 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v39)
%v52 = fcmp ogt <8 x float> %v50, %v51
%v53 = select <8 x i1> %v52, <8 x float> %v50, <8 x float> %v51
%v54 = fcmp uno <8 x float> %v50, %v50
%v55 = select <8 x i1> %v54, <8 x float> %v50, <8 x float> %v53
%v56 = shufflevector <8 x float> %v55, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
%v57 = shufflevector <8 x float> %v55, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
%v58 = fcmp ogt <4 x float> %v56, %v57
%v59 = select <4 x i1> %v58, <4 x float> %v56, <4 x float> %v57
%v60 = fcmp uno <4 x float> %v56, %v56
%v61 = select <4 x i1> %v60, <4 x float> %v56, <4 x float> %v59
%v62 = shufflevector <4 x float> %v61, <4 x float> poison, <2 x i32> <i32 0, i32 1>
%v63 = shufflevector <4 x float> %v61, <4 x float> poison, <2 x i32> <i32 2, i32 3>
%v64 = fcmp ogt <2 x float> %v62, %v63
%v65 = select <2 x i1> %v64, <2 x float> %v62, <2 x float> %v63
%v66 = fcmp uno <2 x float> %v62, %v62
%v67 = select <2 x i1> %v66, <2 x float> %v62, <2 x float> %v65
%v68 = shufflevector <2 x float> %v67, <2 x float> poison, <1 x i32> <i32 0>
%v69 = shufflevector <2 x float> %v67, <2 x float> poison, <1 x i32> <i32 1>
%v70 = fcmp ogt <1 x float> %v68, %v69
%v71 = select <1 x i1> %v70, <1 x float> %v68, <1 x float> %v69
%v72 = fcmp uno <1 x float> %v68, %v68
%v73 = select <1 x i1> %v72, <1 x float> %v68, <1 x float> %v71
%v74 = extractelement <1 x float> %v73, i64 0
%v75 = fdiv float %v74, 0x405FC00000000000
%v76 = fcmp olt float %v75, 0x40EFFC0000000000
%v77 = select i1 %v76, float %v75, float 0x40EFFC0000000000
%v78 = fcmp uno float %v75, %v75
%v79 = select i1 %v78, float %v75, float %v77
%v80 = fptrunc float %v79 to half
%v81 = bitcast half %v80 to i16
%v82 = bitcast i16 %v81 to half
%v83 = fpext half %v82 to float
%v84 = fcmp olt float %v83, %v75
%v85 = fcmp olt float %v75, 0x3F10000000000000
%v86 = and i1 %v84, %v85
%v87 = fadd float %v83, 0x3E70000000000000
%v88 = select i1 %v86, float %v87, float %v83
%v89 = fptrunc float %v88 to half
%v90 = bitcast half %v89 to i16
store i16 %v90, ptr %v32, align 2
%v91 = fcmp oeq float %v88, 0x0000000000000000
%v92 = fdiv float 0x3FF0000000000000, %v88
%v93 = select i1 %v91, float 0x0000000000000000, float %v92
%v94 = insertelement <8 x float> poison, float %v93, i32 0
%v95 = shufflevector <8 x float> %v94, <8 x float> poison, <8 x i32> zeroinitializer
%v96 = fmul <8 x float> %v33, %v95
%v97 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v96)
%v98 = fcmp olt <8 x float> %v97, splat (float 0x405FC00000000000)
%v99 = select <8 x i1> %v98, <8 x float> %v97, <8 x float> splat (float 0x405FC00000000000)
%v100 = fcmp uno <8 x float> %v97, %v97
%v101 = select <8 x i1> %v100, <8 x float> %v97, <8 x float> %v99
%v102 = fcmp ogt <8 x float> %v101, splat (float 0xC05FC00000000000)
%v103 = select <8 x i1> %v102, <8 x float> %v101, <8 x float> splat (float 0xC05FC00000000000)
%v104 = fcmp uno <8 x float> %v101, %v101
%v105 = select <8 x i1> %v104, <8 x float> %v101, <8 x float> %v103
%v106 = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %v105)
%v107 = trunc <8 x i32> %v106 to <8 x i8>
%v108 = extractelement <8 x i8> %v107, i64 0
store i8 %v108, ptr %v29, align 1
%v109 = extractelement <8 x i8> %v107, i64 1
%v110 = getelementptr i8, ptr %v29, i64 8
store i8 %v109, ptr %v110, align 1
%v111 = extractelement <8 x i8> %v107, i64 2
%v112 = getelementptr i8, ptr %v29, i64 16
store i8 %v111, ptr %v112, align 1
%v113 = extractelement <8 x i8> %v107, i64 3
%v114 = getelementptr i8, ptr %v29, i64 24
store i8 %v113, ptr %v114, align 1
%v115 = extractelement <8 x i8> %v107, i64 4
%v116 = getelementptr i8, ptr %v29, i64 32
store i8 %v115, ptr %v116, align 1
%v117 = extractelement <8 x i8> %v107, i64 5
%v118 = getelementptr i8, ptr %v29, i64 40
store i8 %v117, ptr %v118, align 1
%v119 = extractelement <8 x i8> %v107, i64 6
%v120 = getelementptr i8, ptr %v29, i64 48
store i8 %v119, ptr %v120, align 1
%v121 = extractelement <8 x i8> %v107, i64 7
%v122 = getelementptr i8, ptr %v29, i64 56
store i8 %v121, ptr %v122, align 1
%v123 = fmul <8 x float> %v35, %v95
%v124 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v123)
%v125 = fcmp olt <8 x float> %v124, splat (float 0x405FC00000000000)
%v126 = select <8 x i1> %v125, <8 x float> %v124, <8 x float> splat (float 0x405FC00000000000)
%v127 = fcmp uno <8 x float> %v124, %v124
%v128 = select <8 x i1> %v127, <8 x float> %v124, <8 x float> %v126
%v129 = fcmp ogt <8 x float> %v128, splat (float 0xC05FC00000000000)
%v130 = select <8 x i1> %v129, <8 x float> %v128, <8 x float> splat (float 0xC05FC00000000000)
%v131 = fcmp uno <8 x float> %v128, %v128
%v132 = select <8 x i1> %v131, <8 x float> %v128, <8 x float> %v130
%v133 = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %v132)
%v134 = trunc <8 x i32> %v133 to <8 x i8>
%v135 = extractelement <8 x i8> %v134, i64 0
%v136 = getelementptr i8, ptr %v29, i64 64
store i8 %v135, ptr %v136, align 1
%v137 = extractelement <8 x i8> %v134, i64 1
%v138 = getelementptr i8, ptr %v29, i64 72
store i8 %v137, ptr %v138, align 1
%v139 = extractelement <8 x i8> %v134, i64 2
%v140 = getelementptr i8, ptr %v29, i64 80
store i8 %v139, ptr %v140, align 1
%v141 = extractelement <8 x i8> %v134, i64 3
%v142 = getelementptr i8, ptr %v29, i64 88
store i8 %v141, ptr %v142, align 1
%v143 = extractelement <8 x i8> %v134, i64 4
%v144 = getelementptr i8, ptr %v29, i64 96
store i8 %v143, ptr %v144, align 1
%v145 = extractelement <8 x i8> %v134, i64 5
%v146 = getelementptr i8, ptr %v29, i64 104
store i8 %v145, ptr %v146, align 1
%v147 = extractelement <8 x i8> %v134, i64 6
%v148 = getelementptr i8, ptr %v29, i64 112
store i8 %v147, ptr %v148, align 1
%v149 = extractelement <8 x i8> %v134, i64 7
%v150 = getelementptr i8, ptr %v29, i64 120
store i8 %v149, ptr %v150, align 1
%v151 = fmul <8 x float> %v37, %v95
%v152 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v151)
%v153 = fcmp olt <8 x float> %v152, splat (float 0x405FC00000000000)
%v154 = select <8 x i1> %v153, <8 x float> %v152, <8 x float> splat (float 0x405FC00000000000)
%v155 = fcmp uno <8 x float> %v152, %v152
%v156 = select <8 x i1> %v155, <8 x float> %v152, <8 x float> %v154
%v157 = fcmp ogt <8 x float> %v156, splat (float 0xC05FC00000000000)
%v158 = select <8 x i1> %v157, <8 x float> %v156, <8 x float> splat (float 0xC05FC00000000000)
%v159 = fcmp uno <8 x float> %v156, %v156
%v160 = select <8 x i1> %v159, <8 x float> %v156, <8 x float> %v158
%v161 = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %v160)
%v162 = trunc <8 x i32> %v161 to <8 x i8>
%v163 = extractelement <8 x i8> %v162, i64 0
%v164 = getelementptr i8, ptr %v29, i64 128
store i8 %v163, ptr %v164, align 1
%v165 = extractelement <8 x i8> %v162, i64 1
%v166 = getelementptr i8, ptr %v29, i64 136
store i8 %v165, ptr %v166, align 1
%v167 = extractelement <8 x i8> %v162, i64 2
%v168 = getelementptr i8, ptr %v29, i64 144
store i8 %v167, ptr %v168, align 1
%v169 = extractelement <8 x i8> %v162, i64 3
%v170 = getelementptr i8, ptr %v29, i64 152
store i8 %v169, ptr %v170, align 1
%v171 = extractelement <8 x i8> %v162, i64 4
%v172 = getelementptr i8, ptr %v29, i64 160
store i8 %v171, ptr %v172, align 1
%v173 = extractelement <8 x i8> %v162, i64 5
%v174 = getelementptr i8, ptr %v29, i64 168
store i8 %v173, ptr %v174, align 1
%v175 = extractelement <8 x i8> %v162, i64 6
%v176 = getelementptr i8, ptr %v29, i64 176
store i8 %v175, ptr %v176, align 1
%v177 = extractelement <8 x i8> %v162, i64 7
%v178 = getelementptr i8, ptr %v29, i64 184
store i8 %v177, ptr %v178, align 1
%v179 = fmul <8 x float> %v39, %v95
%v180 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v179)
%v181 = fcmp olt <8 x float> %v180, splat (float 0x405FC00000000000)
%v182 = select <8 x i1> %v181, <8 x float> %v180, <8 x float> splat (float 0x405FC00000000000)
%v183 = fcmp uno <8 x float> %v180, %v180
%v184 = select <8 x i1> %v183, <8 x float> %v180, <8 x float> %v182
%v185 = fcmp ogt <8 x float> %v184, splat (float 0xC05FC00000000000)
%v186 = select <8 x i1> %v185, <8 x float> %v184, <8 x float> splat (float 0xC05FC00000000000)
%v187 = fcmp uno <8 x float> %v184, %v184
%v188 = select <8 x i1> %v187, <8 x float> %v184, <8 x float> %v186
%v189 = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %v188)
%v190 = trunc <8 x i32> %v189 to <8 x i8>
%v191 = extractelement <8 x i8> %v190, i64 0
%v192 = getelementptr i8, ptr %v29, i64 192
store i8 %v191, ptr %v192, align 1
%v193 = extractelement <8 x i8> %v190, i64 1
%v194 = getelementptr i8, ptr %v29, i64 200
store i8 %v193, ptr %v194, align 1
%v195 = extractelement <8 x i8> %v190, i64 2
%v196 = getelementptr i8, ptr %v29, i64 208
store i8 %v195, ptr %v196, align 1
%v197 = extractelement <8 x i8> %v190, i64 3
%v198 = getelementptr i8, ptr %v29, i64 216
store i8 %v197, ptr %v198, align 1
%v199 = extractelement <8 x i8> %v190, i64 4
%v200 = getelementptr i8, ptr %v29, i64 224
store i8 %v199, ptr %v200, align 1
%v201 = extractelement <8 x i8> %v190, i64 5
%v202 = getelementptr i8, ptr %v29, i64 232
store i8 %v201, ptr %v202, align 1
%v203 = extractelement <8 x i8> %v190, i64 6
%v204 = getelementptr i8, ptr %v29, i64 240
store i8 %v203, ptr %v204, align 1
%v205 = extractelement <8 x i8> %v190, i64 7
%v206 = getelementptr i8, ptr %v29, i64 248
store i8 %v205, ptr %v206, align 1
br label %end12
else11:
br label %end12
end12:
br label %end9
else8:
br label %end9
end9:
%v207 = add i64 %v7, 1
%v208 = icmp slt i64 %v207, %v5
br i1 %v208, label %loop4, label %end5
end5:
%v209 = add i64 %v1, 1
%v210 = icmp slt i64 %v209, %end
br i1 %v210, label %loop1, label %end2
end2:
ret void
}

