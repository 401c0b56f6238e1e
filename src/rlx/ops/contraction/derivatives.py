"""Derivatives of products, convolutions, windows, transforms and systems of equations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.core.dim import Size, product
from rlx.ir.emit import emit, size_scalar
from rlx.ir.graph import Graph
from rlx.ir.op import complete
from rlx.ir.value import Value, as_dtype
from rlx.ops.contraction import contract, grouped
from rlx.ops.contraction import solve as linalg
from rlx.ops.conv import backward as conv_backward
from rlx.ops.conv import conv, pool
from rlx.ops.elementwise.binary import max_
from rlx.ops.elementwise.select import clamp, where
from rlx.ops.elementwise.unary import not_
from rlx.ops.fft import fft
from rlx.ops.fft import signal as fft_signal
from rlx.ops.movement.derivatives import counted
from rlx.ops.movement.pad import pad
from rlx.ops.movement.shape import expand, iota, reshape
from rlx.ops.quantized import dequant, interleave
from rlx.ops.reduction.reduce import reduce_sum
from rlx.transforms.rules.derivative import Derivative, Maybe, total, vjp_by_parts
from rlx.transforms.rules.formulas import (
    by_parts,
    conj,
    linear,
    matched,
    multilinear,
    one,
    real_if,
    shaped,
    swapped,
    zeros_like,
)


# -- products ---------------------------------------------------------------------------------------------------
def is_packed(w: Value) -> bool:
    """A packed param: products read it, nothing else does."""
    node = w.graph.node(w.ref)
    return node.op.name == "param" and node.op["scheme"] is not None


def _identity(graph: Graph, like: Value, size: Size) -> Value:
    rows, columns = (emit(iota, (), {"shape": (size, size), "axis": axis}, graph=graph) for axis in (0, 1))
    return as_dtype(rows == columns, like.dtype)


def _dense(w: Value, like: Value) -> Value:
    """A packed weight as a product with the identity, which is how its reader unpacks it."""
    found: Value = contract.matmul(_identity(like.graph, like, w.shape[-2]), w) if is_packed(w) else w
    return found


def _matmul_vjp(call: Derivative, dy: Value, x: Value, y: Value) -> list[Maybe]:
    """dx = dy·yᴴ and dy = xᴴ·dy, with rows and columns for vectors; a product with one matrix is flattened to one product."""
    rows = x if x.rank > 1 else x.reshape(1, *x.shape)
    columns = y if y.rank > 1 else y.reshape(*y.shape, 1)
    batch = dy.shape[: dy.rank - (x.rank > 1) - (y.rank > 1)]
    seed = dy.reshape(*batch, rows.shape[-2], columns.shape[-1])
    left: Maybe = None
    right: Maybe = None
    if call.wanted[0]:
        left = matched(contract.matmul(seed, swapped(conj(_dense(columns, dy)))), rows).reshape(x.shape)
    if call.wanted[1]:
        if columns.rank == 2 and rows.rank > 2:
            rows = rows.reshape(product(rows.shape[:-1]), rows.shape[-1])
            seed = seed.reshape(product(seed.shape[:-1]), seed.shape[-1])
        right = matched(contract.matmul(swapped(conj(rows)), seed), columns).reshape(y.shape)
    return [left, right]


complete(contract.matmul, vjp=one(_matmul_vjp), jvp=multilinear(0, 1))
complete(contract.dot_general, vjp=vjp_by_parts(), jvp=multilinear(0, 1))
complete(contract.packed_matmul, vjp=vjp_by_parts(), jvp=multilinear(0, 1))
by_parts(contract.pack, contract.packed_pair_matmul, grouped.lora_matmul)


# -- a row, its expert ------------------------------------------------------------------------------------------
def _expert_mask(call: Derivative, dy: Value, experts: Value, count: Size) -> tuple[Value, Value]:
    """The expert of each row, clamped; dy without rows whose expert is outside, where these were filled."""
    size = size_scalar(dy, count)
    places, inside = counted(experts, size)
    if call.mode == "fill":
        dy = where(inside.reshape(*experts.shape, 1), dy, 0.0)
    return clamp(places, 0, size - 1), dy


def _grouped_vjp(call: Derivative, dy: Value, x: Value, w: Value, experts: Value) -> list[Maybe]:
    places, seed = _expert_mask(call, dy, experts, w.shape[0])
    left: Maybe = None
    right: Maybe = None
    if call.wanted[0]:
        whole = _dense_experts(w, dy) if is_packed(w) else w
        left = as_dtype(grouped.grouped_matmul(seed, swapped(conj(whole)), places), x.dtype)
    if call.wanted[1]:
        right = as_dtype(grouped.grouped_matmul_backward_weight(conj(x), seed, places, num_experts=w.shape[0]), w.dtype)
    return [left, right, None]


def _dense_experts(w: Value, like: Value) -> Value:
    """Packed experts `[E, K, N]` as a product of the identity with each."""
    count, inner, columns = w.shape
    rows = expand(_identity(like.graph, like, inner), shape=(count, inner, inner)).reshape(count * inner, inner)
    places = emit(iota, (), {"shape": (count, inner), "axis": 0}, graph=like.graph).reshape(count * inner)
    found: Value = grouped.grouped_matmul(rows, w, places).reshape(count, inner, columns)
    return found


def _grouped_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe]:
    """The product of each tangent; rows of an expert outside, which were filled, have none."""
    experts = operands[2]
    (moved,) = multilinear(0, 1)(call.of(call.op.with_attrs(mode="clip")), operands, results, tangents)
    assert moved is not None
    return [_expert_mask(call, moved, experts, operands[1].shape[0])[1]]


def _experts_vjp(call: Derivative, ct: Value, x: Value, dy: Value, experts: Value) -> list[Maybe]:
    """Each row of x and of dy by the cotangent of its expert; zeros where there is none."""
    size = as_dtype(size_scalar(ct, call.num_experts), experts.dtype)
    inside = ((experts >= 0) & (experts < size)).reshape(*experts.shape, 1)
    places = clamp(experts, 0, size - 1)
    found = (grouped.grouped_matmul(rows, w, places) for rows, w in ((conj(dy), swapped(ct)), (conj(x), ct)))
    return [*(matched(where(inside, rows, 0.0), operand) for rows, operand in zip(found, (x, dy), strict=True)), None]


complete(grouped.grouped_matmul, vjp=one(_grouped_vjp), jvp=_grouped_jvp)
by_parts(grouped.packed_grouped_matmul)
complete(grouped.grouped_matmul_backward_weight, vjp=one(_experts_vjp), jvp=multilinear(0, 1))


# -- packed weights: x alone has a gradient ---------------------------------------------------------------------
def _dequant_vjp(call: Derivative, dy: Value, x: Value, *storage: Any) -> list[Maybe]:
    _only_x(call)
    dense = dequant.dequant_matmul(_identity(dy.graph, dy, x.shape[-1]), *storage, **call.op.attrs)
    return [as_dtype(contract.matmul(dy, swapped(dense)), x.dtype), *(None for _ in storage)]


def _dequant_grouped_vjp(call: Derivative, dy: Value, x: Value, w: Value, experts: Value, *storage: Any) -> list[Maybe]:
    _only_x(call)
    if is_packed(w):
        dense = _dense_experts(w, dy)
    else:
        dense = dequant.dequant_moe_weights(w, *storage, scheme=call.scheme, k=x.shape[-1], dtype=dy.dtype)
    places, seed = _expert_mask(call, dy, experts, dense.shape[0])
    return [
        as_dtype(grouped.grouped_matmul(seed, swapped(dense), places), x.dtype),
        *(None for _ in range(2 + len(storage))),
    ]


def _only_x(call: Derivative) -> None:
    if any(call.wanted[1:]):
        raise call.error(
            "RLX601",
            "packed weights and their scales have no gradient",
            fix="train x, or dense weights with fake_quantize",
        )


complete(dequant.dequant_matmul, vjp=one(_dequant_vjp), jvp=multilinear(0))
complete(dequant.dequant_grouped_matmul, vjp=one(_dequant_grouped_vjp), jvp=multilinear(0))
for record in (
    dequant.dequant_gather,
    dequant.dequant_moe_weights,
    interleave.interleave,
    interleave.interleaved_gather,
):
    complete(record, vjp="packed weights have no gradient", jvp="packed weights have no gradient")
for record in (interleave.interleaved_matmul, interleave.interleaved_grouped_matmul):
    complete(record, vjp="made by passes, after transforms", jvp="made by passes, after transforms")


# -- convolutions -----------------------------------------------------------------------------------------------
def _windows(call: Derivative) -> dict[str, Any]:
    return {name: call.op.attrs[name] for name in ("stride", "padding", "dilation", "groups")}


def _conv_vjp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]
) -> Sequence[Maybe]:
    (x, w, *bias), (dy,) = operands, cotangents
    assert dy is not None
    if dy.dtype.is_complex:
        return vjp_by_parts()(call, operands, results, cotangents)
    found: list[Maybe] = [None] * len(operands)
    if call.wanted[0]:
        found[0] = as_dtype(
            conv_backward.conv2d_backward_input(dy, w, input_size=x.shape[2:], **_windows(call)), x.dtype
        )
    if call.wanted[1]:
        made = conv_backward.conv2d_backward_weight(x, dy, kernel_size=call.kernel_size, **_windows(call))
        found[1] = as_dtype(made, w.dtype)
    if bias and bias[0] is not None:
        found[2] = as_dtype(reduce_sum(dy, axes=(0, *range(2, dy.rank)), keep_dim=False), bias[0].dtype)
    return found


def _conv_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe]:
    (x, w, *_), (y,) = operands, results
    t, u, b = (*tangents, None)[:3]
    windows = _windows(call)
    terms: list[Maybe] = [
        None if t is None else conv.conv(t, w, **windows),
        None if u is None else conv.conv(x, u, **windows),
    ]
    if b is not None:
        terms.append(b.reshape(*b.shape, *(1,) * (y.rank - 2)))
    whole = total(terms)
    return [None if whole is None else shaped(whole, y)]


def _back_to_input_vjp(call: Derivative, ct: Value, dy: Value, w: Value) -> list[Maybe]:
    """It is linear in dy, where it transposes a convolution, and in the weight."""
    kernel = w.shape[2:]
    return [
        as_dtype(conv.conv(ct, w, **_windows(call)), dy.dtype),
        as_dtype(conv_backward.conv2d_backward_weight(ct, dy, kernel_size=kernel, **_windows(call)), w.dtype),
    ]


def _back_to_weight_vjp(call: Derivative, ct: Value, x: Value, dy: Value) -> list[Maybe]:
    back = conv_backward.conv2d_backward_input(dy, ct, input_size=x.shape[2:], **_windows(call))
    return [as_dtype(back, x.dtype), as_dtype(conv.conv(x, ct, **_windows(call)), dy.dtype)]


complete(conv.conv, vjp=_conv_vjp, jvp=_conv_jvp)
complete(conv_backward.conv2d_backward_input, vjp=one(_back_to_input_vjp), jvp=multilinear(0, 1))
complete(conv_backward.conv2d_backward_weight, vjp=one(_back_to_weight_vjp), jvp=multilinear(0, 1))
by_parts(conv.conv_transpose)


# -- windows ----------------------------------------------------------------------------------------------------
def _at_first_maximum(call: Derivative, x: Value, t: Value) -> Value:
    """t where each window of x has its first maximum: what a max pool does to a tangent."""
    amounts = (0, 0, *call.padding)
    values, moved = (
        pad(value, low=amounts, high=amounts, value=number)
        for value, number in ((x, pool.border("max", x.dtype)), (t, 0.0))
    )
    outputs = [
        conv.window_size(n, k, s, 0) for n, k, s in zip(values.shape[2:], call.kernel_size, call.stride, strict=True)
    ]
    offsets = list(conv.taps(call.kernel_size, (1,) * len(call.kernel_size)))
    windows = [conv.shifted(values, offset, outputs, call.stride) for offset in offsets]
    top = windows[0]
    for window in windows[1:]:
        top = max_(top, window)
    found, open_ = zeros_like(top), top == top
    for offset, window in zip(offsets, windows, strict=True):
        here = open_ & (window == top)
        found = where(here, conv.shifted(moved, offset, outputs, call.stride), found)
        open_ = open_ & not_(here)
    return found


def _pool_vjp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]
) -> Sequence[Maybe]:
    (x,), (dy,) = operands, cotangents
    if call.kind in ("mean", "sum"):
        return vjp_by_parts()(call, operands, results, cotangents)
    names = {name: call.op.attrs[name] for name in ("kernel_size", "stride", "padding")}
    return [pool.max_pool2d_backward(x if call.kind == "max" else -x, dy, **names)]


def _pool_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> Sequence[Maybe]:
    (x,), (t,) = operands, tangents
    if call.kind in ("mean", "sum"):
        return linear(0)(call, operands, results, tangents)
    assert t is not None
    return [_at_first_maximum(call, x if call.kind == "max" else -x, t)]


complete(pool.pool, vjp=_pool_vjp, jvp=_pool_jvp)
complete(
    pool.max_pool2d_backward,
    jvp=lambda call, operands, results, tangents: (
        [None] if tangents[1] is None else [pool.max_pool2d_backward(operands[0], tangents[1], **call.op.attrs)]
    ),
    vjp=one(lambda call, ct, x, dy: [None, _at_first_maximum(call, x, ct)]),
)
by_parts(pool.resize_nearest_2x, pool.resize)


# -- transforms, equations -------------------------------------------------------------------------------------
_SWAPPED = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def _fft_vjp(call: Derivative, dy: Value, x: Value) -> list[Maybe]:
    """The conjugate transpose is the other direction, scaled where this one is not."""
    back = fft.fft(dy, inverse=not call.inverse, norm=_SWAPPED[call.norm])
    return [as_dtype(real_if(back, x), x.dtype)]


complete(fft.fft, vjp=one(_fft_vjp), jvp=linear(0))
by_parts(fft.fftn, fft.ifftn, fft.rfft, fft.irfft, fft_signal.stft, fft_signal.psd, fft_signal.fft_conv1d)


def _solve_vjp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]
) -> list[Maybe]:
    """db solves the transposed system, and da = -db·xᴴ."""
    (a, b), (x,), (dx,) = operands, results, cotangents
    db = call.op.definition(swapped(conj(as_dtype(a, x.dtype))), dx)
    rows, columns = (value if b.rank == a.rank else reshape(value, shape=(*value.shape, 1)) for value in (db, x))
    da = -contract.matmul(rows, swapped(conj(columns))) if call.wanted[0] else None
    return [None if da is None else matched(da, a), matched(db, b)]


def _solve_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe]:
    """a·t = tb - ta·x"""
    (a, b), (x,), (ta, tb) = operands, results, tangents
    terms: list[Maybe] = [tb]
    if ta is not None:
        columns = x if b.rank == a.rank else reshape(x, shape=(*x.shape, 1))
        terms.append(-contract.matmul(as_dtype(ta, x.dtype), columns).reshape(x.shape))
    whole = total(terms)
    assert whole is not None
    return [call.op.definition(as_dtype(a, x.dtype), as_dtype(whole, x.dtype))]


for record in (linalg.dense_solve, linalg.batched_dense_solve):
    complete(record, vjp=_solve_vjp, jvp=_solve_jvp)
