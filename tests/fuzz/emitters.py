"""How each op is put into a random graph: which operands it takes, and what is done to them so that the result means something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rlx.core.dim import Dim
from rlx.ir.value import Value
from tests.fuzz.generator import FLOATS, INTS, Maker

REAL = (*FLOATS, "i32", "i64", "u8")
ANY = (*REAL, "bool")
Emitter = Callable[[Maker], Any]
EMITTERS: dict[str, Emitter] = {}


def emitter(*names: str) -> Callable[[Callable[[Maker, str], Any]], Callable[[Maker, str], Any]]:
    """Register for ops by name."""

    def add(function: Callable[[Maker, str], Any]) -> Callable[[Maker, str], Any]:
        for name in names:
            EMITTERS[name] = lambda m, name=name: function(m, name)
        return function

    return add


def build(m: Maker, name: str, *operands: Any, **attrs: Any) -> Any:
    return getattr(m.graph, {"not": "not_", "and": "and_", "or": "or_"}.get(name, name))(*operands, **attrs)


# -- functions of one operand -----------------------------------------------------------------------------------
@emitter("gelu", "gelu_approx", "silu", "sigmoid", "tanh", "sin", "cos", "atan", "erf", "softplus", "elu", "hard_swish", "exp", "expm1")
def smooth(m: Maker, name: str) -> Any:
    return build(m, name, m.tame(m.numbers((*FLOATS, "i32") if m.chance(0.1) else FLOATS), 4.0 if "exp" in name else 8.0))


@emitter("neg", "abs", "relu", "relu2")
def simple(m: Maker, name: str) -> Any:
    return build(m, name, m.tame(m.numbers(REAL if m.chance(0.3) else FLOATS), 16.0))


@emitter("log", "sqrt", "rsqrt", "log1p")
def of_positive(m: Maker, name: str) -> Any:
    return build(m, name, m.positive(m.numbers()))


@emitter("tan")
def tangent(m: Maker, name: str) -> Any:
    return m.graph.tan(m.graph.clamp(m.numbers(), -1.25, 1.25))


@emitter("round", "floor", "ceil", "sign")
def steps(m: Maker, name: str) -> Any:
    return build(m, name, m.tame(m.numbers(FLOATS, exact=True), 64.0))


@emitter("is_nan")
def special(m: Maker, name: str) -> Any:
    return m.graph.is_nan(m.numbers())


@emitter("not")
def inverted(m: Maker, name: str) -> Any:
    return m.graph.not_(m.numbers(("bool", *INTS)))


# -- functions of several ---------------------------------------------------------------------------------------
@emitter("add", "sub", "mul", "max", "min")
def arithmetic(m: Maker, name: str) -> Any:
    kinds = REAL if m.chance(0.25) else FLOATS
    x = m.tame(m.numbers(kinds), 30.0)
    if m.chance(0.15):
        scalar = m.choose([0.5, 2.0, -1.5, 1, 3]) if x.dtype.is_float else m.choose([1, 2, 3])
        return build(m, name, x, scalar) if m.chance(0.5) else build(m, name, scalar, x)
    return build(m, name, x, m.tame(m.partner(x, kinds), 30.0))


@emitter("div", "pow", "atan2")
def quotient(m: Maker, name: str) -> Any:
    x = m.numbers()
    y = m.partner(x, FLOATS)
    if name == "pow":
        return m.graph.pow(m.positive(m.tame(x, 3.0)), m.tame(y, 3.0))
    return build(m, name, m.tame(x, 16.0), m.positive(y))


@emitter("floor_div", "mod")
def whole(m: Maker, name: str) -> Any:
    kinds = ("i32", "i64", "u8") if m.chance(0.6) else ("f32", "f64")
    x = m.tame(m.numbers(kinds, exact=True), 64.0)
    y = m.partner(x, kinds, exact=True)
    return build(m, name, x, y if not y.dtype.is_float else m.graph.floor(m.tame(m.graph.abs(y), 8.0)) + 1.0)


@emitter("and", "or", "xor")
def bits(m: Maker, name: str) -> Any:
    kinds = ("bool",) if m.chance(0.5) else ("i32", "i64", "u8")
    x = m.numbers(kinds)
    return build(m, name, x, m.partner(x, kinds))


@emitter("shl", "shr")
def shifts(m: Maker, name: str) -> Any:
    x = m.numbers(("i32", "i64", "u8"))
    return build(m, name, x, m.graph.clamp(m.partner(x, (x.dtype.name,)), 0, 40))


@emitter("eq", "ne", "lt", "le", "gt", "ge")
def compare(m: Maker, name: str) -> Any:
    x = m.numbers(ANY, exact=True)
    if m.chance(0.25) and not x.dtype.is_bool:
        return build(m, name, x, m.choose([0, 1, 2]))
    return build(m, name, x, m.partner(x, (x.dtype.name,) if x.dtype.is_bool else REAL, exact=True))


@emitter("where")
def where(m: Maker, name: str) -> Any:
    x = m.numbers(ANY)
    condition = m.partner(x, ("bool",))
    return m.graph.where(condition, x, m.choose([0, 1]) if m.chance(0.3) and not x.dtype.is_bool else m.partner(x, (x.dtype.name,)))


@emitter("clamp")
def clamp(m: Maker, name: str) -> Any:
    x = m.numbers(REAL)
    return m.graph.clamp(x, 0, 2) if m.chance(0.5) else m.graph.clamp(x, m.partner(x, (x.dtype.name,)), 2)


@emitter("cast")
def cast(m: Maker, name: str) -> Any:
    if m.chance(0.1):
        return m.graph.cast(m.graph.cast(m.tame(m.numbers(("f32", "f16", "bf16"), exact=True), 200.0), "f8e4m3"), "f32")
    if m.chance(0.5):
        return m.graph.cast(m.tame(m.numbers(ANY, exact=True), 100.0), m.choose([*FLOATS, *INTS, "bool", "u32", "i16"]))
    return m.graph.cast(m.tame(m.numbers(), 100.0), m.choose(["f32", "f32", "f64", "f16", "bf16"]))


# -- movement ---------------------------------------------------------------------------------------------------
@emitter("reshape")
def reshape(m: Maker, name: str) -> Any:
    x = m.numbers(ANY, rank=1)
    if m.chance(0.4) and x.rank >= 2:
        axis = int(m.random.integers(0, x.rank - 1))
        return x.reshape(*x.shape[:axis], x.shape[axis] * x.shape[axis + 1], *x.shape[axis + 2 :])
    sizes = list(x.shape)
    axis = m.axis(x) % x.rank
    size = sizes[axis]
    factor = next((f for f in (2, 3, 4, 8) if isinstance(size, int) and size and size % f == 0), 1)
    if isinstance(size, Dim) or factor == 1:
        sizes.insert(int(m.random.integers(0, x.rank + 1)), 1)
    else:
        sizes[axis : axis + 1] = [factor, -1] if size else [factor, size // factor]
    return x.reshape(*sizes)


@emitter("transpose")
def transpose(m: Maker, name: str) -> Any:
    x = m.numbers(ANY, rank=2)
    return m.graph.transpose(x, tuple(int(a) for a in m.random.permutation(x.rank)))


@emitter("expand")
def expand(m: Maker, name: str) -> Any:
    x = m.numbers(ANY)
    sizes = tuple(m.choose(m.sizes) if isinstance(size, int) and size == 1 else size for size in x.shape)
    dims = (*m.dims(1), *sizes) if m.chance(0.5) else sizes
    return m.graph.expand(x, dims) if m.elements(dims) <= 3000 else m.graph.expand(x, x.shape)


@emitter("narrow")
def narrow(m: Maker, name: str) -> Any:
    x = m.numbers(ANY, rank=1)
    axis = m.axis(x)
    size = x.shape[axis]
    if isinstance(size, Dim):
        return m.graph.narrow(x, axis, 0, 1) if m.chance(0.5) else m.graph.narrow(x, axis, 1, size - 1)
    start = int(m.random.integers(0, size + 1))
    return m.graph.narrow(x, axis, start, int(m.random.integers(0 if m.chance(0.1) else min(1, size - start), size - start + 1)))


@emitter("slice")
def slices(m: Maker, name: str) -> Any:
    x = m.numbers(ANY, rank=1)
    return x[tuple(slice(None, None, m.choose([1, 1, 2, 3, -1, -2])) if isinstance(size, int) else slice(None) for size in x.shape)]


@emitter("concat")
def concat(m: Maker, name: str) -> Any:
    x = m.numbers(ANY, rank=1)
    axis = m.axis(x) % x.rank

    def alike(v: Value) -> bool:
        return (
            v.rank == x.rank
            and v.dtype is x.dtype
            and all(a == b for i, (a, b) in enumerate(zip(v.shape, x.shape, strict=True)) if i != axis)
        )

    found = [m.pick(alike) for _ in range(int(m.random.integers(1, 3)))]
    parts = [x, *(x if part is None else part for part in found)]
    return m.graph.concat(*parts, axis=axis) if sum(m.elements(p.shape) for p in parts) <= 3000 else m.graph.concat(x, axis=axis)


@emitter("split")
def split(m: Maker, name: str) -> Any:
    x = m.find(lambda v: any(isinstance(s, int) and s > 1 for s in v.shape), (4, 6))
    axis = m.choose([a for a, s in enumerate(x.shape) if isinstance(s, int) and s > 1])
    first = int(m.random.integers(0, x.shape[axis] + 1))
    return m.graph.split(x, (first, x.shape[axis] - first), axis=axis)


@emitter("pad")
def pad(m: Maker, name: str) -> Any:
    x = m.numbers(REAL, rank=1)
    low, high = ([int(v) for v in m.random.integers(0, 3, x.rank)] for _ in range(2))
    mode = m.choose(["constant", "constant", "edge", "reflect", "wrap"])
    value = float(m.choose([0, 1, 2])) if mode == "constant" else 0.0
    grown = [size + a + b for size, a, b in zip(x.shape, low, high, strict=True)]
    if m.elements(grown) > 3000:
        low, high = [0] * x.rank, [0] * x.rank
    return m.graph.pad(x, low, high, mode=mode, value=value)


@emitter("flip")
def flip(m: Maker, name: str) -> Any:
    x = m.numbers(ANY, rank=1)
    return m.graph.flip(x, m.axes(x))


@emitter("roll")
def roll(m: Maker, name: str) -> Any:
    x = m.numbers(ANY, rank=1)
    return m.graph.roll(x, int(m.random.integers(-5, 6)), m.axis(x) if m.chance(0.8) else None)


@emitter("iota")
def iota(m: Maker, name: str) -> Any:
    dims = m.dims(None, 1)
    made = m.graph.iota(dims, axis=int(m.random.integers(0, len(dims))), dtype=m.choose(["i32", "f32", "i64"]))
    m.sync()
    return m.graph.clamp(made, 0, 8)


@emitter("size_value")
def size_value(m: Maker, name: str) -> Any:
    x = m.numbers(("f32",), rank=1)
    return x * m.graph.size_value(x.shape[m.axis(x)], "f32") * 0.125


@emitter("gather")
def gather(m: Maker, name: str) -> Any:
    x = m.find(lambda v: v.rank >= 1 and v.rank <= 3 and all(not isinstance(s, int) or s > 0 for s in v.shape), (5, 3))
    indices = m.leaf(m.dims(m.choose([0, 1, 1, 2])), "i32" if m.chance(0.8) else "i64", high=9)
    axis = m.axis(x)
    if m.elements(x.shape) * m.elements(indices.shape) > 3000:
        indices = m.leaf((3,), "i32", high=9)
    return m.graph.gather(x, indices, axis=axis, mode="clip")


@emitter("take_along_axis")
def take_along(m: Maker, name: str) -> Any:
    x = m.find(lambda v: v.rank >= 1 and all(not isinstance(s, int) or s > 0 for s in v.shape), (5, 3))
    axis = m.axis(x) % x.rank
    dims = tuple(m.choose([1, 2, 3]) if a == axis else 1 if m.chance(0.2) else size for a, size in enumerate(x.shape))
    return m.graph.take_along_axis(x, m.leaf(dims, "i32", high=9), axis=axis)


@emitter("dynamic_slice")
def dynamic_slice(m: Maker, name: str) -> Any:
    x = m.find(lambda v: any(isinstance(s, int) and s > 0 for s in v.shape), (4, 6))
    axis = m.choose([a for a, s in enumerate(x.shape) if isinstance(s, int) and s > 0])
    per_row = axis > 0 and x.rank > 1 and m.chance(0.5)
    start = m.leaf((x.shape[0],) if per_row else (), "i32", high=9)
    return m.graph.dynamic_slice(x, start, axes=(axis,), sizes=(int(m.random.integers(1, x.shape[axis] + 1)),))


@emitter("dynamic_update_slice")
def dynamic_update(m: Maker, name: str) -> Any:
    x = m.find(lambda v: any(isinstance(s, int) and s > 0 for s in v.shape), (4, 6))
    axis = m.choose([a for a, s in enumerate(x.shape) if isinstance(s, int) and s > 0])
    per_row = axis > 0 and x.rank > 1 and m.chance(0.5)
    start = m.leaf((x.shape[0],) if per_row else (), "i32", high=9)
    part = m.graph.narrow(x, axis, 0, int(m.random.integers(1, x.shape[axis] + 1)))
    update = m.graph.flip(part, axis) if m.chance(0.5) else m.leaf(part.shape, x.dtype.name)
    return m.graph.dynamic_update_slice(x, update, start, axes=(axis,))


@emitter("top_k")
def top_k(m: Maker, name: str) -> Any:
    x = m.find(
        lambda v: m.is_exact(v) and v.dtype.category != "f8" and any(isinstance(s, int) and s > 0 for s in v.shape), (4, 6), style="grid"
    )
    axis = m.choose([a for a, s in enumerate(x.shape) if isinstance(s, int) and s > 0])
    return m.graph.top_k(x, k=int(m.random.integers(1, x.shape[axis] + 1)), axis=axis)


@emitter("sort", "argsort")
def sort(m: Maker, name: str) -> Any:
    x = m.numbers(ANY, rank=1, exact=name == "argsort")
    return build(m, name, x, axis=m.axis(x), descending=m.chance(0.5))


@emitter("argmax", "argmin")
def arg(m: Maker, name: str) -> Any:
    x = m.find(
        lambda v: v.rank > 0 and m.is_exact(v) and v.dtype.category != "f8" and not any(isinstance(s, int) and s == 0 for s in v.shape),
        (3, 4),
        style="grid",
    )
    return build(m, name, x, axis=m.axis(x), keep_dim=m.chance(0.5))


# -- reductions and norms ---------------------------------------------------------------------------------------
@emitter("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_log_sum_exp")
def reduce(m: Maker, name: str) -> Any:
    kinds = REAL if m.chance(0.2) and name != "reduce_log_sum_exp" else FLOATS
    x = m.find(lambda v: v.dtype.name in kinds and not any(isinstance(s, int) and s == 0 for s in v.shape), (3, 5))
    x = m.tame(x, 8.0)
    axes = m.axes(x) if x.rank and m.chance(0.9) else None
    return build(m, name, x, axes=axes, keep_dim=m.chance(0.5))


@emitter("reduce_any", "reduce_all")
def logical(m: Maker, name: str) -> Any:
    x = m.numbers(("bool",) if m.chance(0.7) else REAL, rank=1, exact=True)
    return build(m, name, x, axes=m.axes(x), keep_dim=m.chance(0.5))


@emitter("reduce_prod", "cumprod")
def products(m: Maker, name: str) -> Any:
    x = m.graph.clamp(m.numbers(rank=1), 0.75, 1.25)
    return m.graph.reduce_prod(x, axes=m.axes(x), keep_dim=m.chance(0.5)) if name == "reduce_prod" else m.graph.cumprod(x, m.axis(x))


@emitter("cumsum")
def cumsum(m: Maker, name: str) -> Any:
    x = m.tame(m.numbers((*FLOATS, "i32"), rank=1), 4.0)
    return m.graph.cumsum(x, m.axis(x), exclusive=m.chance(0.3), reverse=m.chance(0.3))


@emitter("softmax", "log_softmax")
def softmax(m: Maker, name: str) -> Any:
    x = m.tame(m.numbers(rank=1), 8.0)
    return build(m, name, x, axis=m.axis(x))


@emitter("layer_norm", "rms_norm")
def norm(m: Maker, name: str) -> Any:
    x = m.tame(m.find(lambda v: v.dtype.is_float and v.rank >= 1 and m.varies(v), (5, 9)), 8.0)
    axes = sorted(a % x.rank for a in (m.axes(x) if name == "layer_norm" and m.chance(0.4) else (m.axis(x),)))
    sizes = tuple(x.shape[a] for a in axes)
    gamma, beta = m.leaf(sizes, x.dtype.name), m.leaf(sizes, x.dtype.name) if m.chance(0.5) else None
    eps = 0.25  # rows may be all equal: the norm of them is then a number divided by the root of eps
    if name == "rms_norm":
        return m.graph.rms_norm(x, gamma, beta, axis=axes[0], eps=eps)
    return m.graph.layer_norm(x, gamma, beta, axes=tuple(axes), eps=eps)


@emitter("softmax_cross_entropy_with_logits", "softmax_cross_entropy_backward")
def cross_entropy(m: Maker, name: str) -> Any:
    x = m.find(lambda v: v.dtype.is_float and v.rank == 2 and not any(isinstance(s, int) and s == 0 for s in v.shape), (5, 7))
    x = m.tame(x, 8.0)
    labels = m.leaf((x.shape[0],), "i32", high=8)
    ignore = m.choose([None, 1])
    if name.endswith("backward"):
        return m.graph.softmax_cross_entropy_backward(x, labels, m.leaf((x.shape[0],), x.dtype.name), ignore_index=ignore)
    return m.graph.softmax_cross_entropy_with_logits(x, labels, ignore_index=ignore)


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
        return m.graph.packed_pair_matmul(x, panels, n=columns)
    return m.graph.packed_matmul(x, m.graph.pack(weight(m, (x.shape[-1], columns), "f32"), layout="panel16"), n=columns)


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
        mask, causal = m.leaf((batch, 1, 1, keys) if m.chance(0.5) else (batch, heads * group, seq, keys)), m.chance(0.3)
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
    return m.graph.constant(m.random.integers(0, 2**32, 2, dtype=np.uint32)), m.graph.constant(np.uint64(m.random.integers(0, 2**40)))


@emitter("random_uniform", "random_normal")
def random(m: Maker, name: str) -> Any:
    return build(m, name, *source(m), m.dims(), dtype=m.choose(["f32", "f32", "bf16"]), stream=int(m.random.integers(0, 9)))


@emitter("dropout")
def dropout(m: Maker, name: str) -> Any:
    return m.graph.dropout(m.tame(m.numbers(), 8.0), *source(m), rate=0.25, stream=int(m.random.integers(0, 9)))


ELEMENTWISE = [
    "gelu", "gelu_approx", "silu", "sigmoid", "tanh", "sin", "cos", "atan", "erf", "softplus", "elu", "hard_swish", "exp", "expm1",
    "neg", "abs", "relu",
    "relu2", "log", "sqrt", "rsqrt", "log1p", "tan", "round", "floor", "ceil", "sign", "is_nan", "not", "and", "or", "xor", "shl", "shr",
    "floor_div", "mod",
    "eq", "ne", "lt", "le", "gt", "ge", "cast", *["add", "sub", "mul", "max", "min", "where", "div"] * 4, "pow", "atan2", "clamp",
    "cast", "cast",
]  # fmt: skip
CONTRACTIONS = [
    *["matmul"] * 3, "dot_general", "packed_matmul", "packed_pair_matmul", "fused", "attention", "rope", "rope_backward",
    *["gated", "shared products", "residual norm", "softmax product"] * 2,
]  # fmt: skip
REDUCTIONS = [
    "reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_log_sum_exp", "reduce_any", "reduce_all", "reduce_prod", "cumprod",
    "cumsum", "softmax", "softmax", "log_softmax", "layer_norm", "rms_norm", "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_backward", "dropout",
]  # fmt: skip
MOVEMENT = [
    "reshape", "transpose", "transpose", "expand", "narrow", "slice", "concat", "split", "pad", "flip", "roll", "iota", "size_value",
    "gather",
    "take_along_axis", "dynamic_slice", "dynamic_update_slice", "top_k", "sort", "argsort", "argmax", "argmin", "random_uniform",
    "random_normal",
]  # fmt: skip
KINDS = [ELEMENTWISE, CONTRACTIONS, REDUCTIONS, MOVEMENT]
