"""Borders and order: padding with a constant or with the elements themselves, reversing, rolling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.shape import is_zero
from rlx.ir.emit import constant, emit, size_scalar
from rlx.ir.op import OpDef
from rlx.ops.elementwise.binary import clamp, max_, min_, mod
from rlx.ops.inference import define_movement, numeric
from rlx.ops.movement.parts import concat, narrow, slice_
from rlx.ops.movement.shape import MOVED, define_move, expand, per_axis, refuse_negative, replace_size, view_flip
from rlx.ops.record import OPS, Array, Attr, Call, Choice, DType, Op, Shape, Size, Value, case, sample
from rlx.transforms.rules.batching import Axis, Batched, Operands, again, along_axes, with_batch_axis
from rlx.transforms.rules.derivative import Derivative, Maybe, Values, vjp_by_parts
from rlx.transforms.rules.formulas import linear, one_result

# -- positions along an axis, and a size as a scalar


_NO_OPERANDS: dict[str, Any] = dict.fromkeys(("vjp", "jvp", "batch"), "no operands")


def _count_axis(call: Call) -> Op:
    """Counts an axis from the front of `shape`."""
    rank, axis = len(call.op.attrs["shape"]), call.axis
    if not -rank <= axis < rank:
        raise call.error("RLX104", f"axis {axis} is out of range for rank {rank}", fix="give shape at least one size")
    return call.op.with_attrs(axis=axis % rank)


def _iota_shape(call: Call) -> Shape:
    dtype, sizes = call.op.attrs["dtype"], call.op.attrs["shape"]
    if not numeric(dtype):
        raise call.error("RLX103", f"{dtype} does not count", fix="an int, float or complex dtype")
    refuse_negative(call, sizes, "shape")
    return Shape.make(sizes, dtype)


def _iota(shape: tuple[int, ...], axis: int, dtype: DType) -> Array:
    positions = np.arange(shape[axis]).reshape([-1 if a == axis else 1 for a in range(len(shape))])
    return np.broadcast_to(positions, shape)


iota = define_movement(
    "iota",
    "",
    infer=_iota_shape,
    normalize=_count_axis,
    reference=_iota,
    attrs={"shape": Attr("sizes"), "axis": Attr("axis", 0, help="the axis along which it counts"), "dtype": Attr("dtype", "i32")},
    doc="0, 1, 2, … along one axis.",
    cases=lambda: [
        case(note="plain", shape=(7,), axis=0),
        case(note="odd axis, a float", shape=(3, 5, 2), axis=-2, dtype="bf16"),
        case(note="size 0", shape=(0, 3), axis=1, dtype="i64"),
    ],
    **_NO_OPERANDS,
)


def _scalar_shape(call: Call) -> Shape:
    dtype = call.op.attrs["dtype"]
    if not numeric(dtype):
        raise call.error("RLX103", f"{dtype} does not hold a size", fix="an int, float or complex dtype")
    return Shape.make((), dtype)


size_value = define_movement(
    "size_value",
    "",
    infer=_scalar_shape,
    reference=lambda size, dtype: np.asarray(size),
    attrs={"size": Attr("size"), "dtype": Attr("dtype", "i32")},
    doc="A size as a scalar: how a symbolic size enters arithmetic (a mean divides by it).",
    cases=lambda: [
        case(note="plain", size=7),
        case(note="odd dtype", size=3, dtype="bf16"),
        case(note="size 0", size=0, dtype="f32"),
    ],
    **_NO_OPERANDS,
)


class PadMode(Choice):
    """The source of the border elements of `pad`."""

    Constant = "constant"
    Edge = "edge"
    Reflect = "reflect"
    Wrap = "wrap"


def _pad_shape(call: Call) -> Shape:
    (x,) = call.given
    dims: list[Size] = []
    for axis, (size, low, high) in enumerate(zip(x.dims, call.low, call.high, strict=True)):
        for count in (low, high):
            call.check_at_most(0, count, f"padding of axis {axis}", code="RLX105", fix="narrow makes an axis shorter")
        if call.mode != "constant" and not (is_zero(low) and is_zero(high)):
            fix = "mode='constant' pads an empty axis"
            call.check_at_most(1, size, f"elements of axis {axis} to pad from", code="RLX102", fix=fix)
        dims.append(low + size + high)
    _check_value(call, x.dtype)
    return x.with_dims(dims)


def _check_value(call: Call, dtype: DType) -> None:
    """Checks that the padding constant is a number of x's dtype, so that no float is silently rounded to an int."""
    if dtype.is_bool:
        fits = call.value in (0.0, 1.0)
    elif dtype.is_integer:
        info = np.iinfo(dtype.numpy)  # type: ignore[type-var]
        fits = float(call.value).is_integer() and int(info.min) <= call.value <= int(info.max)
    else:
        fits = True
    if not fits:
        raise call.error("RLX110", f"the padding value {call.value} does not fit {dtype}")


def _pad(x: Array, low: tuple[int, ...], high: tuple[int, ...], mode: str, value: float) -> Array:
    widths = list(zip(low, high, strict=True))
    if not widths:
        return x
    if mode == "constant":
        return np.pad(x, widths, mode="constant", constant_values=np.asarray(value).astype(x.dtype))
    return np.pad(x, widths, mode=mode)  # type: ignore[call-overload]


def _pad_by_axis(x: Value, *, low: tuple[Size, ...], high: tuple[Size, ...], mode: str, value: float) -> Value:
    """Decomposes `pad` axis by axis: joins constants, or gathers at indices reflected or wrapped into the axis."""
    for axis, (before, after) in enumerate(zip(low, high, strict=True)):
        if is_zero(before) and is_zero(after):
            continue
        if mode == "constant":
            number = constant(x.graph, value, x.dtype)
            borders = [expand(number, shape=replace_size(x.shape, axis, size)) for size in (before, after)]
            x = concat(borders[0], x, borders[1], axis=axis)
        else:
            x = OPS["gather"](x, _positions(x, axis, before, after, mode), axis=axis)
    return x


def _positions(x: Value, axis: int, before: Size, after: Size, mode: str) -> Value:
    """For each index of a padded axis, the index it repeats."""
    size = x.shape[axis]
    shifted = emit(iota, (), {"shape": (before + size + after,)}, graph=x.graph) - size_scalar(x, before)
    last = size_scalar(x, size - 1)
    index: Value
    if mode == "edge":
        index = clamp(shifted, 0, last)
    elif mode == "wrap":
        index = mod(shifted, last + 1)
    else:
        period = max_(last * 2, 1)
        inside = mod(shifted, period)
        index = min_(inside, period - inside)
    return index


def _pad_vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> Sequence[Maybe]:
    (x,), (dy,) = operands, cotangents
    if call.mode != "constant":
        return vjp_by_parts()(call, operands, results, cotangents)
    for axis, low in enumerate(call.low):
        dy = narrow(dy, axis=axis, start=low, length=x.shape[axis])
    return [dy]


pad = define_movement(
    "pad",
    "x",
    infer=_pad_shape,
    normalize=lambda call: call.op.with_attrs(low=per_axis(call, "low", 0), high=per_axis(call, "high", 0)),
    reference=_pad,
    attrs={
        "low": Attr("sizes", help="elements before each axis"),
        "high": Attr("sizes", help="elements after each axis"),
        "mode": Attr("tag", "constant", parse=PadMode.parse, annotation="PadMode | str"),
        "value": Attr("float", 0.0),
    },
    doc="A border around x, as np.pad: constant, edge, reflect or wrap.",
    decompose=_pad_by_axis,
    vjp=_pad_vjp,
    jvp=linear(0, value=0.0),
    batch=lambda call, operands, axes: with_batch_axis(again(call, operands, low=(0, *call.low), high=(0, *call.high))),
    cases=lambda: [
        case(sample(3, 5), note="plain", dtypes=MOVED, low=(1, 0), high=(0, 2)),
        case(sample(2, 3), note="a value, one count for all axes", low=1, high=1, value=-2.0),
        *(
            case(sample(4, 5), note=f"{mode}, odd widths", dtypes=("f32", "i32"), low=(0, 3), high=(2, 1), mode=mode)
            for mode in ("edge", "reflect", "wrap")
        ),
        case(sample(3), note="reflect wider than the axis, odd", low=(7,), high=(5,), mode="reflect"),
        case(sample(0, 2), note="size 0", low=(1, 0), high=(1, 0)),
    ],
)


# -- order ------------------------------------------------------------------------------------------------------
def _flip_by_slice(x: Value, *, axes: tuple[int, ...]) -> Any:
    starts: list[Size] = [0] * x.rank
    stops, steps = list(x.shape), [1] * x.rank
    for axis in axes:
        starts[axis], stops[axis], steps[axis] = x.shape[axis] - 1, -1, -1
    return slice_(x, start=tuple(starts), stop=tuple(stops), step=tuple(steps))


flip = define_move(
    "flip",
    "x",
    infer=lambda call: call.given[0],
    attrs={"axes": Attr("axes", help="the axes to reverse")},
    reference=lambda x, axes: np.flip(x, axes),
    doc="The order of positions reversed along axes, as np.flip.",
    view=view_flip,
    decompose=_flip_by_slice,
    vjp=one_result(lambda call, dy, x: [call.op.definition(dy, axes=call.axes)]),
    batch=along_axes,
    cases=lambda: [
        case(sample(4, 7), note="plain", dtypes=MOVED, axes=(1,)),
        case(sample(2, 3, 5), note="odd axes, two of three", axes=(0, -1)),
        case(sample(0, 3), note="size 0", axes=(0,)),
    ],
)


def _roll_each_axis(call: Call) -> Op:
    """Normalizes `roll` to one shift for each axis."""
    shift, axes = call.op.attrs["shift"], call.op.attrs["axes"]
    count = 1 if axes is None else len(axes)
    if len(shift) not in (1, count):
        raise call.error("RLX105", f"{len(shift)} shifts for {count} axes", fix="one shift, or one for each axis")
    return call.op.with_attrs(shift=shift * count if len(shift) == 1 else shift)


def _roll_by_gather(x: Value, *, shift: tuple[Size, ...], axes: tuple[int, ...] | None) -> Value:
    if axes is None:
        flat = x.reshape(x.type.num_elements)
        return _roll_by_gather(flat, shift=shift, axes=(0,)).reshape(x.shape)
    for by, axis in zip(shift, axes, strict=True):
        size = x.shape[axis]
        positions = emit(iota, (), {"shape": (size,), "axis": 0}, graph=x.graph)
        x = OPS["gather"](x, (positions - size_scalar(x, by)) % size_scalar(x, size), axis=axis)
    return x


def _batch_roll(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `roll` along its axes; without axes, the flattened elements of an example are one axis."""
    if call.op.attrs["axes"] is not None:
        return along_axes(call, operands, axes)
    (x,) = operands
    assert x is not None
    (rolled,) = again(call, [x.reshape(x.shape[0], call.given[0].num_elements)], axes=(1,))
    return with_batch_axis([rolled.reshape(*x.shape)])


roll: OpDef = define_move(
    "roll",
    "x",
    infer=lambda call: call.given[0],
    normalize=_roll_each_axis,
    reference=lambda x, shift, axes: np.roll(x, shift[0]) if axes is None else np.roll(x, shift, axes),
    attrs={
        "shift": Attr("sizes", help="how far positions move"),
        "axes": Attr("axes", None, help="the axes; None: the flat elements"),
    },
    doc="Positions moved along axes, those past the end come in at the front, as np.roll.",
    decompose=_roll_by_gather,
    vjp=one_result(lambda call, dy, x: [roll(dy, shift=tuple(-by for by in call.shift), axes=call.axes)]),
    batch=_batch_roll,
    cases=lambda: [
        case(sample(4, 7), note="plain", dtypes=MOVED, shift=2, axes=1),
        case(sample(3, 4, 5), note="odd axes, two shifts, one past the size", shift=(-1, 7), axes=(-1, 0)),
        case(sample(2, 3), note="the flat elements", shift=1),
        case(sample(0, 3), note="size 0", shift=1, axes=0),
    ],
)
