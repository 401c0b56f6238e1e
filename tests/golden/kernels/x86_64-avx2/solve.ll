; kernels for x86_64-avx2
; mir @solve {
;   %0 = input("x1") : f32[6, 6]
;   %1 = input("x2") : f32[6]
;   %2 = dense_solve(%0, %1) : f32[6]
;   return y1=%2
; }

declare float @llvm.fabs.f32(float)

define void @dense_solve_a496ff6c(ptr %args, i64 %begin, i64 %end, ptr %scratch) nounwind {
entry:
%a0.p = getelementptr i64, ptr %args, i64 0
%a0 = load ptr, ptr %a0.p, align 8
%a1.p = getelementptr i64, ptr %args, i64 1
%a1 = load ptr, ptr %a1.p, align 8
%s4 = alloca float
%s5 = alloca i64
%a2.p = getelementptr i64, ptr %args, i64 3
%a2 = load ptr, ptr %a2.p, align 8
%a3.p = getelementptr i64, ptr %args, i64 4
%a3 = load i64, ptr %a3.p, align 8
%a4.p = getelementptr i64, ptr %args, i64 2
%a4 = load ptr, ptr %a4.p, align 8
%v0 = icmp slt i64 %begin, %end
br i1 %v0, label %guard3, label %end2
guard3:
br label %loop1
loop1:
%v1 = phi i64 [ %begin, %guard3 ], [ %v161, %end39 ]
br label %loop4
loop4:
%v2 = phi i64 [ 0, %loop1 ], [ %v13, %end7 ]
br label %loop6
loop6:
%v3 = phi i64 [ 0, %loop4 ], [ %v11, %loop6 ]
%v4 = mul i64 %v2, 6
%v5 = add i64 %v4, %v3
%v6 = getelementptr float, ptr %a0, i64 %v5
%v7 = load float, ptr %v6, align 4
%v8 = mul i64 %v2, 7
%v9 = getelementptr float, ptr %scratch, i64 %v8
%v10 = getelementptr float, ptr %v9, i64 %v3
store float %v7, ptr %v10, align 4
%v11 = add i64 %v3, 1
%v12 = icmp slt i64 %v11, 6
br i1 %v12, label %loop6, label %end7
end7:
%v13 = add i64 %v2, 1
%v14 = icmp slt i64 %v13, 6
br i1 %v14, label %loop4, label %end5
end5:
br label %loop8
loop8:
%v15 = phi i64 [ 0, %end5 ], [ %v21, %loop8 ]
%v16 = getelementptr float, ptr %a1, i64 %v15
%v17 = load float, ptr %v16, align 4
%v18 = mul i64 %v15, 7
%v19 = getelementptr float, ptr %scratch, i64 %v18
%v20 = getelementptr float, ptr %v19, i64 6
store float %v17, ptr %v20, align 4
%v21 = add i64 %v15, 1
%v22 = icmp slt i64 %v21, 6
br i1 %v22, label %loop8, label %end9
end9:
br label %loop10
loop10:
%v23 = phi i64 [ 0, %end9 ], [ %v120, %end25 ]
%v24 = mul i64 %v23, 7
%v25 = getelementptr float, ptr %scratch, i64 %v24
%v26 = getelementptr float, ptr %v25, i64 %v23
%v27 = load float, ptr %v26, align 4
%v28 = call float @llvm.fabs.f32(float %v27)
store float %v28, ptr %s4
store i64 %v23, ptr %s5
%v29 = add i64 %v23, 1
%v30 = icmp slt i64 %v29, 6
br i1 %v30, label %guard14, label %end13
guard14:
br label %loop12
loop12:
%v31 = phi i64 [ %v29, %guard14 ], [ %v49, %loop12 ]
%v32 = mul i64 %v31, 7
%v33 = getelementptr float, ptr %scratch, i64 %v32
%v34 = getelementptr float, ptr %v33, i64 %v23
%v35 = load float, ptr %v34, align 4
%v36 = call float @llvm.fabs.f32(float %v35)
%v37 = load float, ptr %s4
%v38 = fcmp ogt float %v36, %v37
%v39 = fcmp uno float %v36, %v36
%v40 = load float, ptr %s4
%v41 = fcmp uno float %v40, %v40
%v42 = xor i1 %v41, true
%v43 = and i1 %v39, %v42
%v44 = or i1 %v38, %v43
%v45 = load float, ptr %s4
%v46 = select i1 %v44, float %v36, float %v45
store float %v46, ptr %s4
%v47 = load i64, ptr %s5
%v48 = select i1 %v44, i64 %v31, i64 %v47
store i64 %v48, ptr %s5
%v49 = add i64 %v31, 1
%v50 = icmp slt i64 %v49, 6
br i1 %v50, label %loop12, label %end13
end13:
%v51 = load i64, ptr %s5
%v52 = icmp ne i64 %v23, %v51
br i1 %v52, label %then15, label %else16
then15:
%v53 = mul i64 %v23, 7
%v54 = getelementptr float, ptr %scratch, i64 %v53
%v55 = mul i64 %v51, 7
%v56 = getelementptr float, ptr %scratch, i64 %v55
%v57 = icmp slt i64 %v23, 7
br i1 %v57, label %guard20, label %end19
guard20:
br label %loop18
loop18:
%v58 = phi i64 [ %v23, %guard20 ], [ %v65, %loop18 ]
%v59 = getelementptr float, ptr %v54, i64 %v58
%v60 = load float, ptr %v59, align 4
%v61 = getelementptr float, ptr %v56, i64 %v58
%v62 = load float, ptr %v61, align 4
%v63 = getelementptr float, ptr %v54, i64 %v58
store float %v62, ptr %v63, align 4
%v64 = getelementptr float, ptr %v56, i64 %v58
store float %v60, ptr %v64, align 4
%v65 = add i64 %v58, 1
%v66 = icmp slt i64 %v65, 7
br i1 %v66, label %loop18, label %end19
end19:
br label %end17
else16:
br label %end17
end17:
%v67 = mul i64 %v23, 7
%v68 = getelementptr float, ptr %scratch, i64 %v67
%v69 = getelementptr float, ptr %v68, i64 %v23
%v70 = load float, ptr %v69, align 4
%v71 = fcmp oeq float %v70, 0x0000000000000000
br i1 %v71, label %then21, label %else22
then21:
%v72 = shl i64 %a3, 32
%v73 = or i64 %v72, 511
%v74 = cmpxchg ptr %a2, i64 0, i64 %v73 acq_rel acquire
%v75 = extractvalue { i64, i1 } %v74, 0
%v76 = extractvalue { i64, i1 } %v74, 1
br label %end23
else22:
br label %end23
end23:
%v77 = add i64 %v23, 1
%v78 = icmp slt i64 %v77, 6
br i1 %v78, label %guard26, label %end25
guard26:
br label %loop24
loop24:
%v79 = phi i64 [ %v77, %guard26 ], [ %v118, %end31 ]
%v80 = mul i64 %v79, 7
%v81 = getelementptr float, ptr %scratch, i64 %v80
%v82 = getelementptr float, ptr %v81, i64 %v23
%v83 = load float, ptr %v82, align 4
%v84 = fdiv float %v83, %v70
%v85 = mul i64 %v79, 7
%v86 = getelementptr float, ptr %scratch, i64 %v85
%v87 = mul i64 %v23, 7
%v88 = getelementptr float, ptr %scratch, i64 %v87
%v89 = add i64 %v23, 1
%v90 = sub i64 7, %v89
%v91 = ashr i64 %v90, 3
%v92 = mul i64 %v91, 8
%v93 = add i64 %v89, %v92
%v94 = icmp slt i64 %v89, %v93
br i1 %v94, label %guard29, label %end28
guard29:
br label %loop27
loop27:
%v95 = phi i64 [ %v89, %guard29 ], [ %v105, %loop27 ]
%v96 = insertelement <8 x float> poison, float %v84, i32 0
%v97 = shufflevector <8 x float> %v96, <8 x float> poison, <8 x i32> zeroinitializer
%v98 = getelementptr float, ptr %v86, i64 %v95
%v99 = load <8 x float>, ptr %v98, align 4
%v100 = getelementptr float, ptr %v88, i64 %v95
%v101 = load <8 x float>, ptr %v100, align 4
%v102 = fmul <8 x float> %v97, %v101
%v103 = fsub <8 x float> %v99, %v102
%v104 = getelementptr float, ptr %v86, i64 %v95
store <8 x float> %v103, ptr %v104, align 4
%v105 = add i64 %v95, 8
%v106 = icmp slt i64 %v105, %v93
br i1 %v106, label %loop27, label %end28
end28:
%v107 = icmp slt i64 %v93, 7
br i1 %v107, label %guard32, label %end31
guard32:
br label %loop30
loop30:
%v108 = phi i64 [ %v93, %guard32 ], [ %v116, %loop30 ]
%v109 = getelementptr float, ptr %v86, i64 %v108
%v110 = load float, ptr %v109, align 4
%v111 = getelementptr float, ptr %v88, i64 %v108
%v112 = load float, ptr %v111, align 4
%v113 = fmul float %v84, %v112
%v114 = fsub float %v110, %v113
%v115 = getelementptr float, ptr %v86, i64 %v108
store float %v114, ptr %v115, align 4
%v116 = add i64 %v108, 1
%v117 = icmp slt i64 %v116, 7
br i1 %v117, label %loop30, label %end31
end31:
%v118 = add i64 %v79, 1
%v119 = icmp slt i64 %v118, 6
br i1 %v119, label %loop24, label %end25
end25:
%v120 = add i64 %v23, 1
%v121 = icmp slt i64 %v120, 6
br i1 %v121, label %loop10, label %end11
end11:
br label %loop33
loop33:
%v122 = phi i64 [ 0, %end11 ], [ %v151, %end36 ]
%v123 = sub i64 5, %v122
%v124 = mul i64 %v123, 7
%v125 = getelementptr float, ptr %scratch, i64 %v124
%v126 = getelementptr float, ptr %v125, i64 %v123
%v127 = load float, ptr %v126, align 4
%v128 = mul i64 %v123, 7
%v129 = getelementptr float, ptr %scratch, i64 %v128
%v130 = getelementptr float, ptr %v129, i64 6
%v131 = load float, ptr %v130, align 4
%v132 = fdiv float %v131, %v127
%v133 = getelementptr float, ptr %v129, i64 6
store float %v132, ptr %v133, align 4
%v134 = icmp slt i64 0, %v123
br i1 %v134, label %guard37, label %end36
guard37:
br label %loop35
loop35:
%v135 = phi i64 [ 0, %guard37 ], [ %v149, %loop35 ]
%v136 = mul i64 %v135, 7
%v137 = getelementptr float, ptr %scratch, i64 %v136
%v138 = mul i64 %v135, 7
%v139 = getelementptr float, ptr %scratch, i64 %v138
%v140 = getelementptr float, ptr %v139, i64 %v123
%v141 = load float, ptr %v140, align 4
%v142 = getelementptr float, ptr %v137, i64 6
%v143 = load float, ptr %v142, align 4
%v144 = getelementptr float, ptr %v129, i64 6
%v145 = load float, ptr %v144, align 4
%v146 = fmul float %v141, %v145
%v147 = fsub float %v143, %v146
%v148 = getelementptr float, ptr %v137, i64 6
store float %v147, ptr %v148, align 4
%v149 = add i64 %v135, 1
%v150 = icmp slt i64 %v149, %v123
br i1 %v150, label %loop35, label %end36
end36:
%v151 = add i64 %v122, 1
%v152 = icmp slt i64 %v151, 6
br i1 %v152, label %loop33, label %end34
end34:
br label %loop38
loop38:
%v153 = phi i64 [ 0, %end34 ], [ %v159, %loop38 ]
%v154 = mul i64 %v153, 7
%v155 = getelementptr float, ptr %scratch, i64 %v154
%v156 = getelementptr float, ptr %v155, i64 6
%v157 = load float, ptr %v156, align 4
%v158 = getelementptr float, ptr %a4, i64 %v153
store float %v157, ptr %v158, align 4
%v159 = add i64 %v153, 1
%v160 = icmp slt i64 %v159, 6
br i1 %v160, label %loop38, label %end39
end39:
%v161 = add i64 %v1, 1
%v162 = icmp slt i64 %v161, %end
br i1 %v162, label %loop1, label %end2
end2:
ret void
}

