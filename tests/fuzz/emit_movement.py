"""Movement, selection, reductions and norms in random graphs."""

from __future__ import annotations

from typing import Any

from rlx.core.dim import Dim
from rlx.ir.value import Value
from tests.fuzz.generator import FLOATS, Maker
from tests.fuzz.registry import ANY, REAL, build, emitter


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
        lambda v: m.is_exact(v) and v.dtype.category != "f8" and any(isinstance(s, int) and s > 0 for s in v.shape),
        (4, 6),
        style="grid",
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
        lambda v: (
            v.rank > 0 and m.is_exact(v) and v.dtype.category != "f8" and not any(isinstance(s, int) and s == 0 for s in v.shape)
        ),
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
    return (
        m.graph.reduce_prod(x, axes=m.axes(x), keep_dim=m.chance(0.5)) if name == "reduce_prod" else m.graph.cumprod(x, m.axis(x))
    )


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
