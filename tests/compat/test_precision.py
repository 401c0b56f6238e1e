"""Precision, policies, casts and op kinds in the original's words."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import rlx
from rlx import Precision, PrecisionPolicy
from rlx.compat import AutoMixedPrecision, CastConfig, OpKind
from rlx.ir.op import OPS
from tests.compat.running import F32, draw, near, run, silu


def product(policy: PrecisionPolicy) -> str:
    """The dtype in which a policy computes a matmul."""
    g = rlx.Graph("g")
    g.set_outputs({"y": g.input("x", (2, 4)) @ g.param("w", (4, 3))})
    graph = AutoMixedPrecision(policy).run(g)  # item: AutoMixedPrecision.run
    assert graph.shape(graph.output_refs["y"]).dtype.name == "f32", "outputs keep their dtype"
    return next(node.shape.dtype.name for node in graph.nodes if node.op.name == "matmul")


def test_precisions_are_dtypes():
    third = np.array([1 / 3], F32)
    for precision, dtype in (
        (Precision.F32, np.float32),  # item: Precision.F32
        (Precision.F16, np.float16),  # item: Precision.F16
        (Precision.BF16, ml_dtypes.bfloat16),  # item: Precision.BF16
    ):
        g = rlx.Graph("g")
        g.set_outputs([g.cast(g.input("x", (1,)), precision.dtype)])  # item: Precision.dtype
        np.testing.assert_array_equal(run(g, x=third), third.astype(dtype))
    assert Precision("f16") is Precision.of("F16")  # item: Precision


def test_policies_choose_the_dtype_of_a_product():
    for policy, dtype in (
        (PrecisionPolicy.AlwaysF32, "f32"),  # item: PrecisionPolicy.AlwaysF32
        (PrecisionPolicy.AlwaysF16, "f16"),  # item: PrecisionPolicy.AlwaysF16
        (PrecisionPolicy.AutoMixedConservative, "f16"),  # item: PrecisionPolicy.AutoMixedConservative
        (PrecisionPolicy.AutoMixed, "f16"),  # item: PrecisionPolicy.AutoMixed
        (PrecisionPolicy.AutoMixedBf16, "bf16"),  # item: PrecisionPolicy.AutoMixedBf16
        (PrecisionPolicy.Custom({OpKind.Compute: Precision.BF16}), "bf16"),  # item: PrecisionPolicy.Custom
        (PrecisionPolicy.Custom({OpKind.Boundary: Precision.F16}), "f32"),
        (PrecisionPolicy(), "f32"),  # item: PrecisionPolicy.default
    ):
        assert product(policy) == dtype
    assert PrecisionPolicy.parse("auto_mixed") is PrecisionPolicy.AutoMixed  # item: PrecisionPolicy


def test_precision_for_each_kind():
    policy = PrecisionPolicy.AutoMixedConservative
    assert policy.precision_for(OpKind.Compute) is Precision.F16  # item: PrecisionPolicy.precision_for, OpKind.Compute
    assert policy.precision_for(OpKind.Reduction) is Precision.F32  # item: OpKind.Reduction
    assert policy.precision_for(OpKind.Elementwise) is Precision.F16  # item: OpKind.Elementwise
    assert policy.precision_for(OpKind.DataMovement) is Precision.F16  # item: OpKind.DataMovement
    assert policy.precision_for(OpKind.Boundary) is Precision.F32  # item: OpKind.Boundary
    assert policy.precision_for(OpKind("compute")) is Precision.F16  # item: OpKind


def test_auto_mixed_precision_is_a_pass():
    pass_ = AutoMixedPrecision(PrecisionPolicy.AutoMixed)  # item: AutoMixedPrecision.new
    assert product(pass_.policy) == "f16"  # item: AutoMixedPrecision.policy
    assert pass_.name == "auto_mixed_precision"  # item: AutoMixedPrecision.name


def test_casts():
    x = draw(2, 8)
    wanted = x[:, :4] * silu(x[:, 4:])
    for config, dtype in (
        (CastConfig.plain("bf16"), ml_dtypes.bfloat16),  # item: CastConfig.plain
        (CastConfig("f16"), np.float16),  # item: CastConfig
        (CastConfig("f32"), np.float32),
    ):
        g = rlx.Graph("g")
        g.set_outputs([g.fused_swiglu(g.input("x", (2, 8)), cast_to=config)])
        found = run(g, x=x)
        assert found.dtype == dtype == config.out_dtype.numpy  # item: CastConfig.out_dtype
        np.testing.assert_allclose(found.astype(F32), wanted, rtol=1e-2, atol=1e-3)
        noop = config.is_noop("f32")  # item: CastConfig.is_noop
        assert noop == ("cast" not in str(g))


def test_casts_with_a_scale_for_each_block():
    """Elements times the scale of their block are the values, to half a step of the dtype; rounded scales are powers of two."""
    x, w, b = draw(3, 8), draw(8, 6, seed=1), draw(6, seed=2)
    wanted = x @ w + b
    largest = np.stack([np.abs(wanted[:, start : start + 4]).max(1) for start in (0, 4)], 1)
    for dtype, top, step in (("f8e4m3", 448, 2.0**-4), ("f8e5m2", 57344, 2.0**-3), ("f4e2m1", 6, 2.0**-2)):
        by_block = CastConfig(dtype, sf_block=(1, 4))  # item: CastConfig.sf_block
        rounded = CastConfig(dtype, sf_block=(1, 4), round_sf=True)  # item: CastConfig.round_sf
        for config, factors in ((by_block, largest / top), (rounded, 2.0 ** np.ceil(np.log2(largest / top)))):
            g = rlx.Graph("g")
            inputs = g.input("x", (3, 8)), g.input("w", (8, 6)), g.input("b", (6,))
            elements, scales = g.fused_matmul_bias_act(*inputs, cast_to=config)
            g.set_outputs([elements, scales, g.blocked_dequantize(elements, scales, config.sf_block)])
            found, factor, back = run(g, x=x, w=w, b=b)
            assert found.dtype == config.out_dtype.numpy and not config.is_noop(dtype)
            near(factor, factors)
            np.testing.assert_array_equal(back, found.astype(F32) * np.repeat(factor, 4, 1)[:, :6])
            limit = np.maximum(np.abs(wanted) * step, np.repeat(factors, 4, 1)[:, :6] * 0.26)
            assert (np.abs(back - wanted) <= limit).all()
    with pytest.raises(rlx.RlxError, match=r"RLX105.*each block of"):
        CastConfig("f8e4m3", sf_block=(0, 4))
    with pytest.raises(rlx.RlxError, match=r"RLX103.*out_dtype is bf16"):
        g.fused_swiglu(g.input("z", (2, 8)), cast_to=CastConfig("bf16", sf_block=(1, 4)))


KINDS = {
    OpKind.DataMovement: """pool max_pool2d_backward rope axial_rope_2d top_k scatter_add resize resize_nearest_2x cast gather
        reshape transpose if while""",
    OpKind.Reduction: """selective_scan gated_delta_net sample cumsum softmax_cross_entropy_with_logits layer_norm_backward
        rms_norm_backward reduce_sum softmax layer_norm rms_norm""",
    OpKind.Compute: """dequant_moe_weights lora_matmul dense_solve batched_dense_solve attention_backward fft scan custom_fn
        matmul attention conv""",
    OpKind.Elementwise: """fake_quantize fake_quantize_backward fake_quantize_lsq fake_quantize_lsq_backward_x
        fake_quantize_lsq_backward_scale quantize dequantize lt where complex_norm_sq relu gelu add""",
    OpKind.Boundary: "input param constant",
}


def test_kinds_of_ops():
    found = {name: OPS[name].kind for names in KINDS.values() for name in names.split()}  # item: Op.kind
    assert found == {name: kind for kind, names in KINDS.items() for name in names.split()}


def test_kinds_decide_the_precision_of_a_pool():
    g = rlx.Graph("g")
    g.set_outputs([g.pool(g.input("x", (1, 1, 4, 4)), kind="max", kernel_size=2)])
    graph = AutoMixedPrecision(PrecisionPolicy.Custom({"data_movement": "f16"})).run(g)
    x = draw(1, 1, 4, 4)
    wanted = x.astype(np.float16).reshape(1, 1, 2, 2, 2, 2).max((3, 5))
    near(run(graph, x=x), wanted.astype(F32))
