"""Shape ops: the same elements in another shape, order or number. They move data, or only change how it is read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.bounds import proves_at_most
from rlx.core.dim import Dim, Size, exact_division, product
from rlx.core.dtype import DType
from rlx.core.kinds import OpKind
from rlx.core.shape import Shape, is_one, is_zero
from rlx.ir.attributes import Attr
from rlx.ir.case import case, sample
from rlx.ir.op import Call, Op, define
from rlx.ir.tolerance import exact
from rlx.ops.inference import compute_common, no_arithmetic, numeric
from rlx.ops.movement.views import view_expand, view_narrow, view_reshape, view_slice, view_split, view_transpose

Array = npt.NDArray[Any]
MOVED = ("f32", "f64", "f16", "bf16", "i32", "u8", "bool")  # dtypes of the cases: movement takes every dtype


def _refuse_negative(call: Call, sizes: Sequence[Size], what: str) -> None:
    """Sizes known to be negative are an error; a symbolic one is checked when it is bound."""
    for size in sizes:
        if proves_at_most(size, -1, call.assumptions):
            raise call.error("RLX105", f"the size {size} in {what} is negative", fix="sizes are at least 0")


def per_axis(call: Call, name: str, default: Size) -> tuple[Size, ...]:
    """An attribute with one entry for each axis of operand 0; one entry alone counts for all, None is the default."""
    rank, value = call.given[0].rank, call.op.attrs[name]
    entries = (default,) if value is None else value
    if len(entries) == 1 and rank != 1:
        return (entries[0],) * rank
    if len(entries) != rank:
        raise call.error("RLX105", f"{name} has {len(entries)} entries for {rank} axes", fix="one entry for each axis")
    return tuple(entries)


def replaced(dims: Sequence[Size], axis: int, size: Size) -> tuple[Size, ...]:
    """The dims with another size at one axis."""
    return (*dims[:axis], size, *dims[axis + 1 :])


# -- another shape ----------------------------------------------------------------------------------------------
def _fill_hole(call: Call) -> Op:
    """The op with its -1 replaced by the number of elements left."""
    sizes = call.op.attrs["shape"]
    holes = [axis for axis, size in enumerate(sizes) if isinstance(size, int) and size == -1]
    if not holes:
        return call.op
    if len(holes) > 1:
        raise call.error("RLX106", f"two sizes of {_text(sizes)} are -1", fix="at most one size is -1")
    total = call.given[0].num_elements
    others = product(size for axis, size in enumerate(sizes) if axis != holes[0])
    quotient = None if is_zero(others) else exact_division(total, others)
    if quotient is None:
        message = f"{total} elements do not divide by the other sizes of {_text(sizes)}, {others}"
        fix = "write the size instead of -1" + (
            ", and graph.assume(...) what makes it fit" if isinstance(total, Dim) else ""
        )
        raise call.error("RLX106", message, fix=fix)
    return call.op.with_attrs(shape=(*sizes[: holes[0]], quotient, *sizes[holes[0] + 1 :]))


def _text(sizes: Sequence[Size]) -> str:
    return f"[{', '.join(str(size) for size in sizes)}]"


def _reshape_shape(call: Call) -> Shape:
    (x,), sizes = call.given, call.op.attrs["shape"]
    _refuse_negative(call, sizes, "shape")
    total, wanted = x.num_elements, product(sizes)
    if not call.same(total, wanted):
        message = f"{total} elements do not fit {_text(sizes)}, which has {wanted}"
        if any(proves_at_most(a + 1, b, call.assumptions) for a, b in ((total, wanted), (wanted, total))):
            raise call.error("RLX106", message)
        raise call.error("RLX202", f"{message}, for some sizes", fix=f"graph.assume({total} == {wanted})")
    return x.with_dims(sizes)


reshape = define(
    "reshape",
    "x",
    infer=_reshape_shape,
    normalize=_fill_hole,
    kind=OpKind.DataMovement,
    attrs={"shape": Attr("sizes", help="the new sizes; one may be -1")},
    reference=lambda x, shape: np.reshape(x, shape),
    doc="The same elements, in row-major order, in another shape.",
    tolerance=exact(),
    cost=no_arithmetic,
    view=view_reshape,
    cases=lambda: [
        case(sample(4, 6), note="plain", dtypes=MOVED, shape=(2, 12)),
        case(sample(3, 5, 7), note="one size left open, odd", shape=(7, -1)),
        case(sample(1, 1), note="to rank 0", shape=()),
        case(sample(0, 3), note="size 0", shape=(5, 0, 2)),
    ],
)


def _transpose_shape(call: Call) -> Shape:
    (x,) = call.given
    if sorted(call.perm) != list(range(x.rank)):
        raise call.error("RLX104", f"perm {call.perm} does not name each of the {x.rank} axes once")
    return x.with_dims(x.dims[axis] for axis in call.perm)


transpose = define(
    "transpose",
    "x",
    infer=_transpose_shape,
    kind=OpKind.DataMovement,
    attrs={"perm": Attr("axes", help="for each axis of the result, the axis of x it is")},
    reference=lambda x, perm: np.transpose(x, perm),
    doc="Axes permuted, as np.transpose.",
    tolerance=exact(),
    cost=no_arithmetic,
    view=view_transpose,
    cases=lambda: [
        case(sample(5, 7), note="plain", dtypes=MOVED, perm=(1, 0)),
        case(sample(2, 3, 4, 5), note="odd axes, one negative", dtypes=("f32", "bf16"), perm=(2, 0, -1, 1)),
        case(sample(), note="rank 0", perm=()),
        case(sample(3, 0, 2), note="size 0", perm=(2, 1, 0)),
    ],
)


def _expand_shape(call: Call) -> Shape:
    (x,), sizes = call.given, call.op.attrs["shape"]
    _refuse_negative(call, sizes, "shape")
    if len(sizes) < x.rank:
        fix = "expand adds axes in front and repeats axes of size 1"
        raise call.error("RLX102", f"{_text(sizes)} has fewer axes than x", fix=fix)
    for axis in range(-x.rank, 0):
        if not is_one(x.dims[axis]):
            call.check_same(x.dims[axis], sizes[axis], f"sizes at axis {axis}", fix="only an axis of size 1 expands")
    return x.with_dims(sizes)


expand = define(
    "expand",
    "x",
    infer=_expand_shape,
    kind=OpKind.DataMovement,
    attrs={"shape": Attr("sizes", help="the new sizes")},
    reference=lambda x, shape: np.broadcast_to(x, shape),
    doc="Repeated along axes of size 1 and new leading axes, as np.broadcast_to.",
    tolerance=exact(),
    cost=no_arithmetic,
    view=view_expand,
    cases=lambda: [
        case(sample(4, 1), note="broadcast of a column", dtypes=MOVED, shape=(4, 5)),
        case(sample(3), note="broadcast to new axes", shape=(2, 5, 3)),
        case(sample(), note="rank 0", shape=(2, 0)),
        case(sample(2, 3), note="nothing to do", shape=(2, 3)),
    ],
)


# -- parts ------------------------------------------------------------------------------------------------------
def _narrow_shape(call: Call) -> Shape:
    (x,) = call.given
    call.check_at_most(0, call.start, "start")
    call.check_at_most(0, call.length, "length")
    call.check_at_most(call.start + call.length, x.dims[call.axis], f"start + length against axis {call.axis}")
    return x.with_dims(replaced(x.dims, call.axis, call.length))


def _narrow(x: Array, axis: int, start: int, length: int) -> Array:
    index: list[slice] = [slice(None)] * x.ndim
    index[axis] = slice(start, start + length)
    return x[tuple(index)]


narrow = define(
    "narrow",
    "x",
    infer=_narrow_shape,
    reference=_narrow,
    kind=OpKind.DataMovement,
    attrs={
        "axis": Attr("axis"),
        "start": Attr("size", help="first position"),
        "length": Attr("size", help="number of positions"),
    },
    doc="`length` positions of one axis from `start` on.",
    tolerance=exact(),
    cost=no_arithmetic,
    view=view_narrow,
    cases=lambda: [
        case(sample(5, 7), note="plain", dtypes=MOVED, axis=1, start=2, length=4),
        case(sample(3, 6, 2), note="odd axis from the end", axis=-2, start=1, length=5),
        case(sample(4), note="size 0", axis=0, start=4, length=0),
    ],
)


def _length(start: Size, stop: Size, step: int) -> Size:
    """How many positions from `start` to before `stop`."""
    if isinstance(start, int) and isinstance(stop, int):
        return len(range(start, stop, step))
    forward = (stop - start) if step > 0 else (start - stop)
    return (forward + (abs(step) - 1)) // abs(step)


def _canonical_slice(call: Call) -> Op:
    """One entry for each axis; static ones end right after their last position, empty ones go from 0 to 0."""
    starts, steps = per_axis(call, "start", 0), per_axis(call, "step", 1)
    stops = call.given[0].dims if call.stop is None else per_axis(call, "stop", 0)
    ends: list[tuple[Size, Size]] = []
    for start, stop, step in zip(starts, stops, steps, strict=True):
        if step == 0:
            raise call.error("RLX105", "a step is 0", fix="steps are positive or negative")
        length = _length(start, stop, int(step))
        if is_zero(length):
            start, stop = 0, 0
        elif isinstance(length, int):
            stop = start + (length - 1) * step + (1 if step > 0 else -1)
        ends.append((start, stop))
    return call.op.with_attrs(start=tuple(a for a, _ in ends), stop=tuple(b for _, b in ends), step=steps)


def _slice_shape(call: Call) -> Shape:
    (x,) = call.given
    dims: list[Size] = []
    for axis, (size, start, stop, step) in enumerate(zip(x.dims, call.start, call.stop, call.step, strict=True)):
        dims.append(_length(start, stop, step))
        if is_zero(dims[-1]):
            continue
        order = (0, start, stop, size) if step > 0 else (-1, stop, start, size - 1)
        for low, high in pairwise(order):
            fix = "positions count from the front and are not clipped; x[...] reads them as Python does"
            call.check_at_most(low, high, f"positions {start} to {stop} of axis {axis}, size {size}", fix=fix)
    return x.with_dims(dims)


def _slice(x: Array, start: tuple[int, ...], stop: tuple[int, ...], step: tuple[int, ...]) -> Array:
    ends = zip(start, stop, step, strict=True)
    return x[tuple(slice(first, None if last < 0 else last, by) for first, last, by in ends)]


slice_ = define(
    "slice",
    "x",
    infer=_slice_shape,
    normalize=_canonical_slice,
    reference=_slice,
    kind=OpKind.DataMovement,
    attrs={
        "start": Attr("sizes", help="first position of each axis"),
        "stop": Attr(
            "sizes", None, help="position after the last (-1: before the first, for negative steps); the sizes of x"
        ),
        "step": Attr("ints", None, help="distance of positions, not 0; 1"),
    },
    doc="Every `step`-th position of each axis from `start` to before `stop`, counted from the front.",
    tolerance=exact(),
    cost=no_arithmetic,
    view=view_slice,
    cases=lambda: [
        case(sample(5, 7), note="plain", dtypes=MOVED, start=(1, 2), stop=(4, 7), step=(1, 1)),
        case(sample(6, 7), note="steps, odd length", start=(0, 1), stop=(6, 7), step=(3, 2)),
        case(sample(5, 4), note="a negative step over the whole axis, odd", start=(4, 3), stop=(-1, 0), step=(-1, -2)),
        case(sample(3, 4), note="size 0", start=(2, 0), stop=(2, 4), step=(1, 1)),
    ],
)


def _split_shape(call: Call) -> tuple[Shape, ...]:
    (x,) = call.given
    if not call.sizes:
        raise call.error("RLX105", "sizes is empty", fix="one size for each part")
    for size in call.sizes:
        call.check_at_most(0, size, "size of a part", code="RLX105")
    total: Size = 0
    for size in call.sizes:
        total = total + size
    call.check_same(total, x.dims[call.axis], f"the sum of the sizes and the size of axis {call.axis},")
    return tuple(x.with_dims(replaced(x.dims, call.axis, part)) for part in call.sizes)


def _split(x: Array, sizes: tuple[int, ...], axis: int) -> tuple[Array, ...]:
    return tuple(np.split(x, np.cumsum(sizes)[:-1], axis=axis))


split = define(
    "split",
    "x",
    infer=_split_shape,
    reference=_split,
    kind=OpKind.DataMovement,
    results=("parts*",),
    attrs={"sizes": Attr("sizes", help="the size of each part"), "axis": Attr("axis", 0)},
    doc="Consecutive parts of one axis, as np.split; always a tuple.",
    tolerance=exact(),
    cost=no_arithmetic,
    view=view_split,
    cases=lambda: [
        case(sample(6, 4), note="plain", dtypes=MOVED, sizes=(2, 4), axis=0),
        case(sample(2, 9, 3), note="odd axis, uneven parts", sizes=(1, 5, 0, 3), axis=-2),
        case(sample(5), note="one part", sizes=(5,), axis=0),
    ],
)


def _concat_shape(call: Call) -> Shape:
    shapes = call.given
    if not shapes:
        raise call.error("RLX101", "there is nothing to join", fix="pass at least one value")
    first = shapes[0]
    joined: Size = 0
    for shape in shapes:
        if shape.rank != first.rank:
            raise call.error("RLX102", f"ranks {first.rank} and {shape.rank} differ", fix="reshape to one rank")
        for axis in range(first.rank):
            if axis != call.axis:
                call.check_same(first.dims[axis], shape.dims[axis], f"sizes at axis {axis}")
        joined = joined + shape.dims[call.axis]
    dtype = compute_common(*(shape.dtype for shape in shapes))
    return Shape.make(replaced(first.dims, call.axis, joined), dtype)


concat = define(
    "concat",
    "xs*",
    infer=_concat_shape,
    kind=OpKind.DataMovement,
    attrs={"axis": Attr("axis", 0)},
    compute_dtype=compute_common,
    reference=lambda *xs, axis: np.concatenate(xs, axis=axis),
    doc="Joined along one axis, as np.concatenate.",
    tolerance=exact(),
    cost=no_arithmetic,
    cases=lambda: [
        case(sample(2, 3), sample(4, 3), note="plain", dtypes=MOVED, axis=0),
        case(sample(2, 3, 2), sample(2, 1, 2), sample(2, 4, 2), note="odd axis, three parts", axis=-2),
        case(sample(3, 2), sample(3, 0), note="size 0", axis=1),
        case(sample(3), sample(2, dtype="i32"), note="promotes, broadcast of nothing"),
    ],
)


# -- numbers from sizes -----------------------------------------------------------------------------------------
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
    _refuse_negative(call, sizes, "shape")
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
    attrs={
        "shape": Attr("sizes"),
        "axis": Attr("axis", 0, help="the axis along which it counts"),
        "dtype": Attr("dtype", "i32"),
    },
    doc="0, 1, 2, … along one axis.",
    tolerance=exact(),
    cost=no_arithmetic,
    cases=lambda: [
        case(note="plain", shape=(7,), axis=0),
        case(note="odd axis, a float", shape=(3, 5, 2), axis=-2, dtype="bf16"),
        case(note="size 0", shape=(0, 3), axis=1, dtype="i64"),
    ],
    vjp="no operands",
    jvp="no operands",
    batch="no operands",
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
    vjp="no operands",
    jvp="no operands",
    batch="no operands",
)
