"""Products: dense ones by dtype, shape and where the weight comes from, fused ones, experts, and weights in blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

import rlx

from .drawing import Drawing, Results, executable, run


# -- dense ------------------------------------------------------------------------------------------------------
@executable
def matmul_f32_params(d: Drawing) -> Results:
    """Weights packed ahead: odd sizes, sizes that fill tiles, K over several blocks, few columns."""
    x, deep = d.input(37, 129), d.input(19, 901)
    return d.run(
        {
            "odd": x @ d.param(129, 65),
            "even": d.input(96, 64) @ d.param(64, 256),
            "deep": deep @ d.param(901, 70),
            "narrow": x @ d.param(129, 3),
            "one column": x @ d.param(129, 1),
        }
    )


@executable
def matmul_f32_inputs(d: Drawing) -> Results:
    """Nothing known ahead."""
    return d.run(
        {
            "odd": d.input(131, 257) @ d.input(257, 190),
            "thin": d.input(600, 3) @ d.input(3, 101),
            "few": d.input(3, 700) @ d.input(700, 101),
        }
    )


@executable
def matmul_f32_one_row(d: Drawing) -> Results:
    """Vectors times matrices."""
    row, vector = d.input(1, 600), d.input(301)
    return d.run(
        {
            "param": row @ d.param(600, 1001),
            "input": row @ d.input(600, 301),
            "turned": row @ d.param(301, 600).T,
            "vector": vector @ d.param(301, 64),
            "dot": vector @ d.input(301),
            "matrix by vector": d.input(65, 301) @ vector,
        }
    )


@executable
def matmul_f32_batch(d: Drawing) -> Results:
    """Batches on both sides, on one, and broadcast."""
    x = d.input(4, 40, 33)
    return d.run(
        {
            "both": x @ d.input(4, 33, 50),
            "shared": x @ d.param(33, 18),
            "broadcast": d.input(2, 1, 9, 33) @ x[:3, :33],
            "params": x @ d.param(4, 33, 21),
            "rows": d.input(16, 1, 20) @ d.input(16, 20, 31),
        }
    )


def _each_way(d: Drawing, dtype: str) -> dict[str, Any]:
    """A param, an input, one row, a batch, and a bias with an activation."""
    x = d.input(35, 131, dtype=dtype)
    return {
        "param": x @ d.param(131, 67, dtype=dtype),
        "input": x @ d.input(131, 49, dtype=dtype),
        "row": d.input(1, 131, dtype=dtype) @ d.param(131, 130, dtype=dtype),
        "batch": d.input(3, 17, 20, dtype=dtype) @ d.input(3, 20, 23, dtype=dtype),
        "gelu": d.graph.gelu(x @ d.param(131, 48, dtype=dtype) + d.param(48, dtype=dtype)),
    }


@executable
def matmul_other_floats(d: Drawing) -> Results:
    """f64, and f16 and bf16, which are summed in f32."""
    return d.run({f"{dtype} {name}": value for dtype in ("f64", "f16", "bf16") for name, value in _each_way(d, dtype).items()})


@executable
def matmul_other_axes(d: Drawing) -> Results:
    """Operands stored the other way; contracted axes in other places, two of them, batches in the middle."""
    g = d.graph
    x, y = d.input(20, 15, 30), d.input(30, 18, 20)
    left, right = d.input(65, 130), d.input(65, 77)
    return d.run(
        {
            "left": left.T @ right,
            "right": left @ d.param(93, 130).T,
            "both": left.T @ d.input(43, 65).T,
            "one": g.dot_general(x, y, lhs_contract=2, rhs_contract=0),
            "two": g.dot_general(x, y, lhs_contract=(0, 2), rhs_contract=(2, 0)),
            "batch": g.dot_general(x, y, lhs_contract=0, rhs_contract=2, lhs_batch=2, rhs_batch=0),
        }
    )


# -- with an epilogue -------------------------------------------------------------------------------------------
@executable
def contraction_bias_activation_residual(d: Drawing) -> Results:
    g = d.graph
    x = d.input(45, 96)
    h = g.gelu(x @ d.param(96, 130) + d.param(130))
    y = x + (h @ d.param(130, 96) + d.param(96))
    return d.run({"y": y, "tanh": g.tanh(y @ d.param(96, 33)) * 0.5, "relu": g.relu(y @ d.input(96, 21) + d.input(21))})


@executable
def contraction_shared_operand(d: Drawing) -> Results:
    """Gate and up in one pass, for many rows and for one; three products of one norm, two with a bias."""
    g = d.graph
    gate, up, down = d.param(64, 150), d.param(64, 150), d.param(150, 64)
    many, one = d.input(39, 64), d.input(1, 64)
    x = g.rms_norm(d.input(37, 80), d.param(80))
    return d.run(
        {
            "many": (g.silu(many @ gate) * (many @ up)) @ down,
            "one": (g.silu(one @ gate) * (one @ up)) @ down,
            "q": x @ d.param(80, 80) + d.param(80),
            "k": x @ d.param(80, 40) + d.param(40),
            "v": x @ d.param(80, 40),
        }
    )


@executable
def mixed_precision(d: Drawing) -> Results:
    """The policy casts: products in bf16, reductions in f32, weights stored low."""
    g = d.graph
    h = g.silu(d.input(33, 64) @ d.param(64, 96))
    return d.run({"y": g.softmax(h @ d.param(96, 50))}, precision="auto_mixed_bf16", store_params="bf16")


# -- experts ----------------------------------------------------------------------------------------------------
@executable
def experts(d: Drawing) -> Results:
    """Rows by expert, grouped and not, with the gradient of the weights."""
    g = d.graph
    chosen = d.given(np.sort(d.integers(50, high=5)))
    x, w = d.input(50, 64), d.param(5, 64, 70)
    y = g.grouped_matmul(x, w, chosen)
    scattered = g.grouped_matmul(x, d.input(5, 64, 24), d.index(50, high=5))
    return d.run({"loss": (y * y).sum() + scattered.sum(), "y": y, "scattered": scattered}, wrt=(x, w))


@executable
def experts_q4_k(d: Drawing) -> Results:
    """Packed experts, in both modes; the rows of many are put in order."""
    found = {}
    for mode in ("fast", "exact"):
        each = Drawing("experts_q4_k")
        w = each.packed((4, 256, 24), "gguf_q4k", blocks(each, "gguf_q4k", 4, 24, 256))
        outputs = {f"{rows}": each.graph.grouped_matmul(each.input(rows, 256), w, each.index(rows, high=4)) for rows in (2, 40)}
        found |= {f"{mode} {name}": array for name, array in each.run(outputs, quant_mode=mode).items()}
    return found


# -- weights in blocks ------------------------------------------------------------------------------------------
SCALES = {"gguf_q4_0": (18, (0,)), "gguf_q8_0": (34, (0,)), "gguf_q4k": (144, (0, 2)), "gguf_q6k": (210, (208,))}
"""Bytes of a block, and where in it the half-precision scales are. All other bytes may be anything."""


def blocks(d: Drawing, scheme: str, *dims: int) -> Any:
    """Bytes of rows `[…, n, k]`: random, with scales of ordinary size."""
    size, places = SCALES[scheme]
    count = dims[-1] // rlx.QuantScheme.parse(scheme).block_size()
    found = d.integers(*dims[:-1], count, size, high=256, dtype="u8")
    for place in places:
        found[..., place : place + 2] = d.floats(*dims[:-1], count, 1, dtype="f16", low=2.0**-10, high=2.0**-6).view(np.uint8)
    return found.reshape(*dims[:-1], count * size)


def _gguf(name: str, scheme: str) -> Results:
    """A table that is the head as well and a layer between, for one token, for five, and for 40, in both modes."""
    found = {}
    for mode in ("fast", "exact"):
        d = Drawing(name)
        g, table = d.graph, d.packed((40, 256), scheme, blocks(d, scheme, 40, 256))
        h = g.gather(table, g.input("ids", ("tokens",), "i32"), axis=0)
        h = g.silu(h @ d.packed((256, 256), scheme, blocks(d, scheme, 256, 256)))
        g.set_outputs({"h": h, "logits": h @ table.T})
        inputs = [{"ids": d.integers(count, high=40)} for count in (1, 5, 40)]
        found |= {f"{mode} {key}": array for key, array in run(g, inputs, d.params, quant_mode=mode).items()}
    return found


@executable
def gguf_q4_k(d: Drawing) -> Results:
    return _gguf("gguf_q4_k", "gguf_q4k")


@executable
def gguf_q6_k(d: Drawing) -> Results:
    return _gguf("gguf_q6_k", "gguf_q6k")


@executable
def gguf_q8_0(d: Drawing) -> Results:
    return _gguf("gguf_q8_0", "gguf_q8_0")


@executable
def gguf_q4_0(d: Drawing) -> Results:
    return _gguf("gguf_q4_0", "gguf_q4_0")


@executable
def blocks_with_scales_beside(d: Drawing) -> Results:
    """Storage schemes whose scales are arrays of their own."""
    x, scale = d.input(7, 64), d.floats(2, 33, low=2.0**-8, high=2.0**-5)
    bytes_, halves = d.integers(64, 33, low=-128, high=128, dtype="i8"), d.integers(64 * 33 // 2, high=256, dtype="u8")
    zeros = d.integers(2, 33, high=16).astype(np.float32)
    low = d.floats(64, 33, dtype="f8e4m3")
    return d.run(
        {
            "int8": x @ d.packed((64, 33), "int8/32", (bytes_, scale)),
            "int4": x @ d.packed((64, 33), "int4/32", (halves, scale, zeros)),
            "fp8": x @ d.packed((64, 33), "fp8_e4m3", (low, scale[0])),
        }
    )


@executable
def integer_products(d: Drawing) -> Results:
    """Sums that wrap; i8 in, i8 out with zero points and factors for all or each column; a convolution; quantizing."""
    g = d.graph
    x, w, bias = d.input(35, 96, dtype="i8"), d.param(96, 40, dtype="i8"), d.param(40, dtype="i32")
    factors = [2.0**-9 * (1 + n / 64) for n in range(40)]
    steps, real = d.param(96, low=2.0**-7, high=2.0**-5), d.input(35, 96)
    return d.run(
        {
            "one factor": g.q_matmul(x, w, bias, x_zp=3, w_zp=-2, out_zp=1, mult=0.0015),
            "columns": g.q_matmul(x, w, mult=factors),
            "sums": g.q_matmul(x, w, dtype="f32"),
            "conv": g.q_conv2d(
                d.input(2, 3, 9, 10, dtype="i8"), d.param(8, 3, 3, 3, dtype="i8"), x_zp=1, mult=0.002, padding=(1, 1)
            ),
            "there and back": g.dequantize(g.quantize(real, steps, axis=1), steps, axis=1),
            "fake": g.fake_quantize(real, bits=4)[0],
            "i32": d.input(33, 80, dtype="i32") @ d.param(80, 65, dtype="i32"),
            "i8": x @ w,
            "i64": d.input(5, 80, dtype="i64") @ d.input(80, 9, dtype="i64"),
            "u8": d.input(1, 80, dtype="u8") @ d.input(80, 33, dtype="u8"),
        }
    )
