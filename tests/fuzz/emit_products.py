"""Contractions, attention, chains that fusion looks for, and random numbers in random graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dim import Dim
from rlx.ir.value import Value
from tests.fuzz.generator import FLOATS, Maker
from tests.fuzz.registry import build, emitter


# -- contractions -----------------------------------------------------------------------------------------------
def weight(m: Maker, dims: Any, dtype: str) -> Value:
    static = not any(isinstance(size, Dim) for size in dims)
    return m.leaf(dims, dtype, kind="param" if static and m.chance(0.6) else "input")


@emitter("matmul")
def matmul(m: Maker, name: str) -> Any:
    kinds = ("i32", "u8") if m.chance(0.08) else FLOATS
    x = m.tame(m.numbers(kinds, rank=1), 6.0)
    if m.chance(0.25):
        found = m.pick(lambda v: v.rank >= 2 and v.dtype is x.dtype and v.shape[-2] == x.shape[-1] and v.rank == 2)
        if found is not None:
            return m.graph.matmul(x, m.tame(found, 6.0))
    columns = m.choose(m.sizes)
    batch = x.shape[:-2] if x.rank > 2 and m.chance(0.3) else ()
    dims = (x.shape[-1],) if m.chance(0.06) else (*batch, x.shape[-1], columns)
    y = weight(m, dims, x.dtype.name)
    if m.chance(0.15) and y.rank == 2:
        y = m.graph.transpose(weight(m, dims[::-1], x.dtype.name), (1, 0))
    made = m.graph.matmul(x, y)
    m.sync()
    if m.chance(0.5) and made.rank >= 1 and made.dtype.is_float:  # an epilogue
        made = made + m.leaf(made.shape[-1:], made.dtype.name)
        m.sync()
        made = build(m, m.choose(["gelu", "silu", "relu", "tanh", "sigmoid"]), m.tame(made, 8.0))
    return made


@emitter("dot_general")
def dot_general(m: Maker, name: str) -> Any:
    x = m.tame(m.numbers(rank=2, most=3), 6.0)
    if x.rank == 3:
        y = weight(m, (x.shape[0], m.choose(m.sizes), x.shape[1]), x.dtype.name)
        return m.graph.dot_general(x, y, lhs_contract=1, rhs_contract=2, lhs_batch=0, rhs_batch=0)
    y = weight(m, (m.choose(m.sizes), x.shape[0]), x.dtype.name)
    return m.graph.dot_general(x, y, lhs_contract=0, rhs_contract=1)


@emitter("pack", "packed_matmul", "packed_pair_matmul")
def packed(m: Maker, name: str) -> Any:
    x = m.tame(m.find(lambda v: v.dtype.name == "f32" and v.rank >= 2 and isinstance(v.shape[-1], int), (4, 7)), 6.0)
    columns = m.choose([5, 16, 21])
    if name == "packed_pair_matmul":
        panels = m.graph.pack(weight(m, (x.shape[-1], columns), "f32"), weight(m, (x.shape[-1], columns), "f32"), layout="pair16")
        return m.graph.packed_pair_matmul(x, panels, layout="pair16", n=columns)
    panels = m.graph.pack(weight(m, (x.shape[-1], columns), "f32"), layout="panel16")
    return m.graph.packed_matmul(x, panels, layout="panel16", n=columns)


@emitter("fused")
def fused(m: Maker, name: str) -> Any:
    x = m.tame(m.numbers(("f32", "bf16"), rank=2), 4.0)
    kind = m.choose(["bias", "swiglu", "rms", "layer", "region"])
    if kind == "bias":
        columns = m.choose(m.sizes)
        w, b = weight(m, (x.shape[-1], columns), x.dtype.name), weight(m, (columns,), x.dtype.name)
        return m.graph.fused_matmul_bias_act(x, w, b, m.choose([None, "gelu", "relu", "silu"]))
    if kind == "swiglu" and isinstance(x.shape[-1], int):
        return m.graph.fused_swiglu(m.graph.concat(x, x, axis=-1), gate_first=m.chance(0.5))
    if kind == "region":
        return m.graph.elementwise_region(x, m.partner(x, (x.dtype.name,)), body=lambda a, b: (a * b + a, abs(a) - b))
    residual, gamma = m.tame(m.partner(x, (x.dtype.name,)), 4.0), m.leaf(x.shape[-1:], x.dtype.name)
    if m.elements(residual.shape) > m.elements(x.shape) or residual.rank > x.rank:
        residual = x
    if kind == "rms":
        return m.graph.fused_residual_rms_norm(x, residual, gamma, eps=0.25)
    return m.graph.fused_residual_layer_norm(x, residual, gamma, eps=0.25)


@emitter("attention")
def attention(m: Maker, name: str) -> Any:
    heads, group, size = m.choose([1, 2, 4]), m.choose([1, 2]), m.choose([2, 4, 8])
    batch, seq, keys = m.choose(m.sizes[:3]), m.choose(m.sizes[1:]), m.choose(m.sizes[1:])
    if m.elements((batch, seq, heads * group * size)) > 3000 or m.elements((batch, keys, heads * size)) > 3000:
        batch, seq, keys = 2, 3, 5
    wide = (batch, seq, heads * group * size)
    q = m.pick(lambda v: v.dtype.name == "f32" and v.shape == wide)
    q = m.tame(q, 4.0) if q is not None else m.leaf(wide)
    k, v = m.leaf((batch, keys, heads * size)), m.leaf((batch, keys, heads * size))
    mask, kind = None, m.choose(["none", "causal", "sliding_window(3)", "custom", "bias"])
    causal = False
    if kind == "custom":
        mask, causal = m.leaf((batch, keys), "bool"), m.chance(0.3)
    if kind == "bias":
        mask, causal = (m.leaf((batch, 1, 1, keys) if m.chance(0.5) else (batch, heads * group, seq, keys)), m.chance(0.3))
    lengths = m.leaf((batch,), "i32", style="index", high=6) if m.chance(0.4) else None
    softcap = 2.0 if m.chance(0.2) else None
    if lengths is not None:
        lengths = m.graph.min(lengths, m.graph.size_value(keys, "i32"))
    return m.graph.attention(
        q,
        k,
        v,
        mask,
        None,
        lengths,
        num_heads=heads * group,
        num_kv_heads=heads,
        head_dim=size,
        mask_kind=kind,
        causal=causal,
        softcap=softcap,
    )


@emitter("rope", "rope_backward")
def rope(m: Maker, name: str) -> Any:
    size, heads = m.choose([4, 6, 8]), m.choose([1, 2, 3])
    turned = m.choose([size, 4, 2])
    batch, seq = m.choose(m.sizes[:3]), m.choose(m.sizes[1:])
    if m.elements((batch, seq, heads * size)) > 3000:
        batch, seq = 2, 5
    wide = (batch, seq, heads * size) if m.chance(0.6) else (batch, seq, heads, size)
    x = m.pick(lambda v: v.dtype.name == "f32" and v.shape == wide)
    x = m.tame(x, 8.0) if x is not None else m.leaf(wide, m.choose(["f32", "f32", "bf16"]))
    positions = m.leaf((batch, seq), "i32", high=12) if m.chance(0.6) else None
    rows = 9 if positions is not None else None
    dims = (rows, turned // 2) if rows else (1, seq, turned // 2)
    cos, sin = (m.leaf(dims, "f32", "unit") for _ in range(2))
    return build(m, name, x, cos, sin, positions, head_dim=size, n_rot=turned, interleaved=m.chance(0.4))


# -- what models are made of: chains that fusion looks for, with some of their values read by others too -----------
@emitter("gated", "shared products", "residual norm", "softmax product")
def pattern(m: Maker, name: str) -> Any:
    g = m.graph
    x = m.tame(m.find(lambda v: v.dtype.name in ("f32", "bf16") and v.rank >= 2, (5, 8)), 4.0)
    dtype, inner = x.dtype.name, x.shape[-1]
    if name == "gated":
        columns = m.choose(m.sizes)
        gate, up = (g.matmul(x, weight(m, (inner, columns), dtype)) for _ in range(2))
        m.sync()
        return g.silu(m.tame(gate, 8.0)) * m.tame(up, 8.0) if m.chance(0.7) else m.tame(up, 8.0) * g.gelu(m.tame(gate, 8.0))
    if name == "shared products":
        made = [g.matmul(x, weight(m, (inner, m.choose(m.sizes)), dtype)) for _ in range(3)]
        m.sync()
        biased = [v + m.leaf(v.shape[-1:], dtype) if m.chance(0.5) else v for v in made]
        m.sync()
        return [build(m, m.choose(["tanh", "relu", "sigmoid"]), m.tame(v, 8.0)) for v in biased if m.chance(0.6)]
    if name == "residual norm":
        y = m.tame(g.matmul(x, weight(m, (inner, inner), dtype)) + x, 8.0)
        norm = g.rms_norm(y, m.leaf((inner,), dtype), eps=0.25)
        return g.matmul(norm, weight(m, (inner, m.choose(m.sizes)), dtype)) if m.chance(0.5) else norm + y
    keys = m.tame(m.partner(x, (dtype,)), 4.0) if m.chance(0.3) else x
    if keys.shape != x.shape:
        keys = x
    perm = (*range(x.rank - 2), x.rank - 1, x.rank - 2)
    scores = m.tame(g.matmul(x, g.transpose(keys, perm)), 8.0)
    return g.matmul(g.softmax(scores, axis=m.choose([-1, -1, -2])), keys)


# -- random -----------------------------------------------------------------------------------------------------
def source(m: Maker) -> tuple[Value, Value]:
    return m.graph.constant(m.random.integers(0, 2**32, 2, dtype=np.uint32)), m.graph.constant(
        np.uint64(m.random.integers(0, 2**40))
    )


@emitter("random_uniform", "random_normal")
def random(m: Maker, name: str) -> Any:
    return build(m, name, *source(m), m.dims(), dtype=m.choose(["f32", "f32", "bf16"]), stream=int(m.random.integers(0, 9)))


@emitter("dropout")
def dropout(m: Maker, name: str) -> Any:
    return m.graph.dropout(m.tame(m.numbers(), 8.0), *source(m), rate=0.25, stream=int(m.random.integers(0, 9)))


@emitter("sample")
def sample(m: Maker, name: str) -> Any:
    """Ids for exact logits, so that no last bit of theirs decides; settings for all rows, for each row, or left out."""
    logits = m.find(lambda v: v.dtype.name in FLOATS and v.rank == 2 and m.is_exact(v) and m.full(v), (4, 19), style="grid")
    rows = logits.shape[0]

    def setting(numbers: list[float], dtype: Any) -> Value | None:
        dims = (rows,) if isinstance(rows, int) and m.chance(0.5) else ()
        return None if m.chance(0.4) else m.graph.constant(np.asarray(m.random.choice(numbers, dims), dtype))

    heat, mass, least = (setting(numbers, np.float32) for numbers in ([0.0, 0.7, 1.0, 3.0], [0.0, 0.3, 0.9, 1.0], [0.0, 0.2, 2.0]))
    most = setting([-1, 0, 1, 3, 40], np.int32)
    return m.graph.sample(logits, *source(m), heat, most, mass, least, stream=int(m.random.integers(0, 9)))
