"""Training with quantization in mind: values rounded to the grid they will be stored on, gradients passed through."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlx.core.dim import product, proves_at_most
from rlx.core.dtype import promote
from rlx.core.errors import RlxError
from rlx.ir.emit import size_scalar
from rlx.ir.tolerance import Tolerance, ulps
from rlx.ops.elementwise.binary import clamp, max_, where
from rlx.ops.elementwise.unary import abs_, exp, round_, sqrt
from rlx.ops.inference import per_operand_element
from rlx.ops.quantized.quantize import by_channel, by_channels, channel_value, check_channels, define_on_grid
from rlx.ops.record import Array, Attr, Call, Choice, Shape, Size, Value, as_dtype, case, define, sample
from rlx.ops.reduction import FLOATS, reduce_max, reduce_sum, wide
from rlx.transforms.rules.derivative import Derivative, Maybe, Values, trace_body
from rlx.transforms.rules.formulas import by_transposition, one_result


class Ste(Choice):
    """The straight-through estimator of a rounding's gradient."""

    Identity = "identity"
    ClippedIdentity = "clipped_identity"
    Tanh = "tanh"
    HardTanh = "hard_tanh"


@dataclass(frozen=True)
class ScaleMode:
    """The source of fake_quantize's scale: the batch, a running average, or an operand.

    >>> ScaleMode.parse("ema(0.99)"), ScaleMode.parse("PerBatch") == ScaleMode("per_batch")
    (ema(0.99), True)
    """

    kind: str  # "per_batch", "ema", "fixed"
    decay: float = 0.0

    @staticmethod
    def parse(value: object) -> ScaleMode:
        """Parses a ScaleMode from its name: per_batch, ema(decay), fixed."""
        if isinstance(value, ScaleMode):
            return value
        text = re.sub(r"[\s_]", "", str(value)).lower()
        if text in ("perbatch", "fixed"):
            return ScaleMode("fixed" if text == "fixed" else "per_batch")
        match = re.fullmatch(r"ema\(([0-9.e+-]+)\)", text)
        if match and 0 <= float(match[1]) <= 1:
            return ScaleMode("ema", float(match[1]))
        raise RlxError("RLX105", f"{value!r} is not a scale mode", fix="per_batch, ema(decay) with a decay from 0 to 1, or fixed")

    @property
    def has_operand(self) -> bool:
        """Whether fake_quantize takes a scale operand."""
        return self.kind != "per_batch"

    def __str__(self) -> str:
        return f"ema({self.decay})" if self.kind == "ema" else self.kind

    __repr__ = __str__


def largest(bits: int) -> int:
    """The largest quantized number of a bit width: 127, 7, 1 for 8, 4, 2 bits."""
    return (1 << (bits - 1)) - 1


BITS = Attr("int", 8, help="bits of the grid, 2 to 16")
AXIS = Attr("axis", None, help="the axis of channels with a scale each; None: one scale")
_STE = Attr("tag", "identity", parse=Ste.parse, annotation="Ste | str", help="identity, clipped_identity, tanh or hard_tanh")


def check_scale(call: Call, scale: int) -> Shape:
    """Checks x, a float, and its scale; returns the scale's shape."""
    x = call.given[0]
    if not x.dtype.is_float:
        raise call.error("RLX103", f"x is {x.dtype}", fix="floats")
    if not 2 <= call.bits <= 16:
        raise call.error("RLX105", f"bits is {call.bits}", fix="2 to 16")
    given = call.shape(scale)
    dims: tuple[Size, ...] = () if call.axis is None else (x.dims[call.axis],)
    if given is not None:
        if not given.dtype.is_float or given.rank != len(dims):
            raise call.error(
                "RLX102", f"scale is {given}", fix=f"a float of rank {len(dims)}: one for each channel of axis={call.axis}"
            )
        check_channels(call, x, scale)
    return Shape.make(dims, x.dtype.compute)


# -- fake_quantize ----------------------------------------------------------------------------------------------
def _fake_shape(call: Call) -> tuple[Shape, Shape]:
    scale = check_scale(call, 1)
    if call.scale_mode.has_operand != (call.shape(1) is not None):
        what = "needs the operand scale" if call.scale_mode.has_operand else "finds the scale itself"
        raise call.error(
            "RLX101", f"scale_mode {call.scale_mode} {what}", fix="per_batch takes x; ema(decay) and fixed take (x, scale)"
        )
    return call.given[0], scale


def others(x: Any, axis: int | None) -> tuple[int, ...]:
    """The axes of x that share a scale."""
    return tuple(a for a in range(x.ndim) if axis is None or a != axis)


def on_grid(x: Array, scale: Array, top: int) -> Array:
    """Rounds to the quantization grid in NumPy: clamp(round(x/s), ±q_max)·s; a scale of 0 gives zeros."""
    safe = np.where(scale == 0, 1, scale)
    return np.clip(np.rint(x / safe), -top, top) * scale


def _fake_quantize(
    x: Array, scale: Array | None = None, *, bits: int, axis: int | None, ste: str, scale_mode: ScaleMode
) -> tuple[Array, Array]:
    top = largest(bits)
    if scale_mode.kind == "fixed":
        assert scale is not None
        used = scale.astype(x.dtype)
    else:
        used = np.max(np.abs(x), axis=others(x, axis), initial=0).astype(x.dtype) / np.asarray(top, x.dtype)
        if scale is not None:
            decay = np.asarray(scale_mode.decay, x.dtype)
            used = decay * scale.astype(x.dtype) + (1 - decay) * used
    return on_grid(x, by_channel(used, x, axis), top), used


def grid_value(x: Value, scale: Value, top: int) -> Value:
    """Rounds a Value to the quantization grid, as `on_grid`."""
    safe = where(scale == 0.0, 1.0, scale)
    return clamp(round_(x / safe), float(-top), float(top)) * scale


def _largest_of(sizes: Value, axes: tuple[int, ...]) -> Value:
    """The maximum of nonnegative numbers; 0 where there are none."""
    result: Value = reduce_max(sizes, axes=axes, keep_dim=False)
    return result if proves_at_most(1, product(sizes.shape[axis] for axis in axes)) else max_(result, 0.0)


def _fake_by_round(
    x: Value, scale: Value | None = None, *, bits: int, axis: int | None, ste: str, scale_mode: ScaleMode
) -> tuple[Value, Value]:
    """Decomposes `fake_quantize`: the scale (computed, averaged or given), then rounding to the grid."""
    dtype, top = x.dtype, largest(bits)
    x = as_dtype(x, dtype.compute)
    if scale_mode.kind == "fixed":
        assert scale is not None
        used = as_dtype(scale, x.dtype)
    else:
        axes = others(x, axis)
        used = (_largest_of(abs_(x), axes) if axes else abs_(x)) / float(top)
        if scale is not None:
            used = as_dtype(scale, x.dtype) * scale_mode.decay + used * (1 - scale_mode.decay)
    return as_dtype(grid_value(x, channel_value(used, x, axis), top), dtype), used


def _through(call: Derivative, x: Any, scale: Any, t: Any) -> Any:
    """Multiplies a cotangent or tangent by the straight-through slope, with the scale of the forward."""
    made = fake_quantize_backward(x, scale, t, bits=call.bits, axis=call.axis, ste=call.ste)
    return as_dtype(made, x.dtype)


def _fake_vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    dy = cotangents[0]
    return [None if dy is None else _through(call, operands[0], results[1], dy), *(None for _ in operands[1:])]


def _fake_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    t = tangents[0]
    return [None if t is None else _through(call, operands[0], results[1], t), None]


fake_quantize = define(
    "fake_quantize",
    "x, scale?",
    infer=_fake_shape,
    reference=_fake_quantize,
    results=("y", "new_scale"),
    attrs={
        "bits": BITS,
        "axis": AXIS,
        "ste": _STE,
        "scale_mode": Attr(
            "tag",
            "per_batch",
            parse=ScaleMode.parse,
            annotation="ScaleMode | str",
            help="per_batch: max|x|/q_max; ema(decay): averaged into the scale given; fixed: the scale given",
        ),
    },
    keeps_f32="its grid follows the scale",
    doc="""x on the grid of a quantized number, clamp(round(x/s), ±q_max)·s, and the scale that was used.

    q_max is 2^(bits-1) - 1. `ste` says which gradient passes the rounding.""",
    tolerance=Tolerance(ulps=4.0, scale="max"),
    cost=per_operand_element(6),
    decompose=_fake_by_round,
    grid="onto",
    vjp=_fake_vjp,
    jvp=_fake_jvp,
    batch=by_channels("x", "scale", reduces=True),
    cases=lambda: [
        case(sample(4, 7), note="per batch", dtypes=FLOATS),
        case(sample(3, 5, 2), note="channels on an odd axis, four bits", bits=4, axis=1),
        case(sample(4, 7), sample(fixed=0.02), note="averaged, odd", scale_mode="ema(0.9)"),
        case(
            sample(4, 3),
            sample(3, low=0.1, high=0.9),
            note="given by channel on the last axis, two bits",
            bits=2,
            axis=-1,
            scale_mode="fixed",
        ),
        case(sample(3, fixed=[0.0, 0.0, 0.0]), note="odd: zeros have scale 0"),
    ],
)


# -- its gradient -----------------------------------------------------------------------------------------------
def backward_shape(call: Call) -> Shape:
    """The result shape of `fake_quantize_backward`, after checking that dy has the shape of x."""
    check_scale(call, 1)
    x, dy = call.given[0], call.given[2]
    if dy.rank != x.rank:
        raise call.error("RLX102", f"ranks {x.rank} and {dy.rank} differ", fix="dy has the shape of x")
    for axis, (mine, other) in enumerate(zip(x.dims, dy.dims, strict=True)):
        call.check_same(mine, other, f"sizes at axis {axis}")
    return Shape.make(x.dims, promote(x.dtype, dy.dtype))


def pass_through(x: Array, scale: Array, ste: str, top: int) -> Any:
    """The straight-through slope of the rounding."""
    if ste == "identity":
        return 1.0
    if ste == "clipped_identity":
        return (np.abs(x) <= top * scale).astype(x.dtype)
    if ste == "tanh":
        fall = np.exp(-2 * np.abs(x / scale))  # 1 - tanh² without cancellation
        return 4 * fall / np.square(1 + fall)
    return np.maximum(0, 1 - np.abs(x) / (top * scale))


def _passed_value(x: Value, scale: Value, ste: str, top: int) -> Value | float:
    if ste == "identity":
        return 1.0
    result: Value
    if ste == "clipped_identity":
        result = as_dtype(abs_(x) <= scale * float(top), x.dtype)
    elif ste == "tanh":
        fall = exp(abs_(x / scale) * -2.0)  # 1 - tanh² without cancellation
        result = fall * 4.0 / ((fall + 1.0) * (fall + 1.0))
    else:
        result = max_(1.0 - abs_(x) / (scale * float(top)), 0.0)
    return result


def fake_backward_by(x: Value, scale: Value, dy: Value, *, bits: int, axis: int | None, ste: str) -> Value:
    """Decomposes `fake_quantize_backward`: dy times the straight-through slope."""
    dtype = promote(x.dtype, dy.dtype)
    x, scale, dy = (as_dtype(value, dtype.compute) for value in (x, scale, dy))
    return as_dtype(dy * _passed_value(x, channel_value(scale, x, axis), ste, largest(bits)), dtype)


def seed_vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """The vjp of `fake_quantize_backward`: only dy has a gradient, the straight-through slope is a constant."""
    if not call.wanted[2]:
        return [None, None, None]
    assert call.op.definition.decompose is not None
    body = trace_body(call.op.definition.decompose, operands, call.op.attrs, call)
    return call.pull(body, operands, cotangents, [False, False, True])


def seed_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """The jvp of `fake_quantize_backward`: the op on the tangent of dy, in which it is linear."""
    return [None if tangents[2] is None else call.op.definition(*operands[:2], tangents[2], **call.op.attrs)]


fake_quantize_backward = define_on_grid(
    "fake_quantize_backward",
    "x, scale:packed, dy",
    infer=backward_shape,
    reference=lambda x, scale, dy, bits, axis, ste: np.asarray(
        dy * pass_through(x, by_channel(scale, x, axis), ste, largest(bits))
    ),
    attrs={"bits": BITS, "axis": AXIS, "ste": _STE},
    doc="""The gradient of `fake_quantize` by x, with the scale s the forward used.

    identity: dy; clipped_identity: dy·[|x| ≤ q_max·s]; tanh: dy·(1 - tanh²(x/s)); hard_tanh: dy·max(0, 1 - |x|/(q_max·s)).""",
    tolerance=ulps(128),
    cost=per_operand_element(4),
    decompose=fake_backward_by,
    vjp=seed_vjp,
    jvp=seed_jvp,
    cases=lambda: [
        *(
            case(sample(4, 7), sample(fixed=0.2), sample(4, 7), note=f"{ste}, odd", dtypes=("f32", "f64"), bits=4, ste=ste)
            for ste in ("identity", "clipped_identity", "tanh", "hard_tanh")
        ),
        case(sample(3, 5), sample(5, low=0.01, high=0.1), sample(3, 5), note="channels on the last axis", axis=-1, ste="hard_tanh"),
    ],
)


# -- fake quantization with a learned step size (LSQ), and its gradients by x and by the step ------------------------


def _lsq_shape(call: Call) -> Shape:
    check_scale(call, 1)
    return call.given[0]


def _lsq_by_round(x: Value, scale: Value, *, bits: int, axis: int | None) -> Value:
    dtype = x.dtype
    x = as_dtype(x, dtype.compute)
    return as_dtype(grid_value(x, channel_value(as_dtype(scale, x.dtype), x, axis), largest(bits)), dtype)


def _lsq_vjp(call: Derivative, dy: Any, x: Any, scale: Any) -> list[Maybe]:
    attrs = {"bits": call.bits, "axis": call.axis}
    back = [fake_quantize_lsq_backward_x(x, scale, dy, **attrs), fake_quantize_lsq_backward_scale(x, scale, dy, **attrs)]
    return [as_dtype(gradient, operand.dtype) for gradient, operand in zip(back, (x, scale), strict=True)]


fake_quantize_lsq = define_on_grid(
    "fake_quantize_lsq",
    "x, scale:packed",
    infer=_lsq_shape,
    reference=lambda x, scale, bits, axis: on_grid(x, by_channel(scale.astype(x.dtype), x, axis), largest(bits)),
    attrs={"bits": BITS, "axis": AXIS},
    doc="x on the grid of a learned step size (LSQ): clamp(round(x/scale), ±q_max)·scale.",
    tolerance=Tolerance(ulps=4.0, scale="max"),
    cost=per_operand_element(5),
    decompose=_lsq_by_round,
    grid="onto",
    vjp=one_result(_lsq_vjp),
    jvp=by_transposition,
    cases=lambda: [
        case(sample(4, 7), sample(fixed=0.21), note="one scale", dtypes=("f32", "f64"), bits=4),
        case(sample(3, 5, 2), sample(5, low=0.01, high=0.1), note="channels on an odd axis", axis=1),
        case(sample(0, 3), sample(fixed=0.1), note="size 0"),
    ],
)


# -- by x -------------------------------------------------------------------------------------------------------
def _lsq_backward_x(x: Array, scale: Array, dy: Array, bits: int, axis: int | None) -> Array:
    return np.asarray(dy * pass_through(x, by_channel(scale, x, axis), "clipped_identity", largest(bits)))


def _lsq_cases(tail: Callable[[], dict[str, Any]] = dict) -> Any:
    return lambda: [
        case(sample(4, 7), sample(fixed=0.21), sample(4, 7), note="one scale", dtypes=("f32", "f64"), bits=4),
        case(sample(3, 5, 2), sample(5, low=0.01, high=0.1), sample(3, 5, 2), note="channels on an odd axis", axis=1, **tail()),
        case(sample(0, 3), sample(fixed=0.1), sample(0, 3), note="size 0"),
    ]


fake_quantize_lsq_backward_x = define_on_grid(
    "fake_quantize_lsq_backward_x",
    "x, scale:packed, dy",
    infer=backward_shape,
    reference=_lsq_backward_x,
    attrs={"bits": BITS, "axis": AXIS},
    doc="The gradient of `fake_quantize_lsq` by x: dy inside the grid, 0 outside.",
    tolerance=ulps(2),
    cost=per_operand_element(2),
    decompose=lambda x, scale, dy, *, bits, axis: fake_backward_by(x, scale, dy, bits=bits, axis=axis, ste="clipped_identity"),
    vjp=seed_vjp,
    jvp=seed_jvp,
    cases=_lsq_cases(),
)


# -- by the step ------------------------------------------------------------------------------------------------
def _scale_shape(call: Call) -> Shape:
    dtype = backward_shape(call).dtype
    scale = call.given[1]
    return scale.with_dtype(promote(scale.dtype, dtype))


def _lsq_backward_scale(x: Array, scale: Array, dy: Array, bits: int, axis: int | None, grad_scale: bool) -> Array:
    top = largest(bits)
    ratio = wide(x) / wide(by_channel(scale, x, axis))
    slope = np.where(np.abs(ratio) <= top, np.rint(ratio) - ratio, np.sign(ratio) * top)
    total = np.asarray((wide(dy) * slope).sum(axis=others(x, axis)))
    count = x.size // max(total.size, 1)
    return np.asarray(total / np.sqrt(max(count, 1) * top) if grad_scale else total)


def _lsq_backward_scale_by(x: Value, scale: Value, dy: Value, *, bits: int, axis: int | None, grad_scale: bool) -> Value:
    """The gradient of an LSQ step: Σ dy·(round(x/s) - x/s) inside the grid, ±q_max outside."""
    top, dtype = largest(bits), promote(x.dtype, scale.dtype, dy.dtype)
    x, step, dy = (as_dtype(value, dtype.compute) for value in (x, scale, dy))
    ratio = x / channel_value(step, x, axis)
    edge = where(ratio < 0.0, float(-top), float(top))
    slope = where(abs_(ratio) <= float(top), round_(ratio) - ratio, edge)
    axes = others(x, axis)
    total: Value = reduce_sum(dy * slope, axes=axes, keep_dim=False) if axes else dy * slope
    if grad_scale:
        count: Size = 1
        for a in axes:
            count = count * x.shape[a]
        total = total / sqrt(max_(size_scalar(x, count, x.dtype) * float(top), 1.0))
    return as_dtype(total, dtype)


fake_quantize_lsq_backward_scale = define(
    "fake_quantize_lsq_backward_scale",
    "x, scale:packed, dy",
    infer=_scale_shape,
    reference=_lsq_backward_scale,
    attrs={
        "bits": BITS,
        "axis": AXIS,
        "grad_scale": Attr("bool", False, help="divide by sqrt(N·q_max), N the elements with one scale, as the paper does"),
    },
    keeps_f32="its grid follows the scale",
    doc="The gradient of `fake_quantize_lsq` by its scale: Σ dy·(round(x/s) - x/s) inside the grid, dy·±q_max outside.",
    tolerance=Tolerance(ulps=64.0, factor=64.0, scale="max", length=lambda op, operands: operands[0].size),  # type: ignore[union-attr]
    cost=per_operand_element(6),
    decompose=_lsq_backward_scale_by,
    vjp=seed_vjp,
    jvp=seed_jvp,
    batch=by_channels("scale", reduces=True),
    cases=_lsq_cases(lambda: {"grad_scale": True}),
)
