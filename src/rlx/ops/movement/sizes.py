"""Numbers that come from sizes alone: positions along an axis, and a size as a scalar."""

from __future__ import annotations

import numpy as np

from rlx.ops.inference import no_arithmetic, numeric
from rlx.ops.movement.shape import refuse_negative
from rlx.ops.record import Array, Attr, Call, DType, Op, OpKind, Shape, case, define, exact

_NO_OPERANDS = dict.fromkeys(("vjp", "jvp", "batch"), "no operands")


def _count_axis(call: Call) -> Op:
    """The axis counted from the front of `shape`."""
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


iota = define(
    "iota",
    "",
    infer=_iota_shape,
    normalize=_count_axis,
    reference=_iota,
    kind=OpKind.DataMovement,
    attrs={"shape": Attr("sizes"), "axis": Attr("axis", 0, help="the axis along which it counts"), "dtype": Attr("dtype", "i32")},
    doc="0, 1, 2, … along one axis.",
    tolerance=exact(),
    cost=no_arithmetic,
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


size_value = define(
    "size_value",
    "",
    infer=_scalar_shape,
    kind=OpKind.DataMovement,
    reference=lambda size, dtype: np.asarray(size),
    attrs={"size": Attr("size"), "dtype": Attr("dtype", "i32")},
    doc="A size as a scalar: how a symbolic size enters arithmetic (a mean divides by it).",
    tolerance=exact(),
    cost=no_arithmetic,
    cases=lambda: [
        case(note="plain", size=7),
        case(note="odd dtype", size=3, dtype="bf16"),
        case(note="size 0", size=0, dtype="f32"),
    ],
    **_NO_OPERANDS,
)
