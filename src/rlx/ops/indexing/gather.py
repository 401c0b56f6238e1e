"""Index ops: elements chosen by integer values at run time.

One rule for positions everywhere: a negative index counts from the end, once; what is still outside is clamped
(`clip`) or reads as NaN, 0 for ints and bools (`fill`); `check_bounds` makes it an error at run time.

Where every example of a batch has its own positions, the indexed axes of all examples are laid side by side and positions
count into that one axis: a gather stays one gather, a scatter one scatter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dim import product
from rlx.core.dtype import f4e2m1, i32
from rlx.core.errors import RlxError
from rlx.core.shape import is_zero
from rlx.ir.emit import emit, size_scalar
from rlx.ops.elementwise.binary import clamp, where
from rlx.ops.inference import broadcast_dims, define_movement, require_integers
from rlx.ops.movement.shape import MOVED, expand, replace_size
from rlx.ops.record import OPS, Array, Attr, Call, Choice, DType, Shape, Size, Value, as_dtype, case, sample
from rlx.transforms.rules.batching import Axis, Batched, Operands, again, move_axis, positions_of_all, with_batch_axis
from rlx.transforms.rules.derivative import Derivative, Maybe
from rlx.transforms.rules.formulas import one_result


class IndexMode(Choice):
    """The result of reading at an index out of range."""

    Clip = "clip"
    Fill = "fill"


def index_attrs() -> dict[str, Attr]:
    """The attributes of every op that takes indices."""
    return {
        "mode": Attr("tag", "clip", parse=IndexMode.parse, annotation="IndexMode | str", help="clip: clamp; fill: NaN or 0"),
        "check_bounds": Attr("bool", False, help="an index outside the axis is an error at run time"),
    }


def resolve_positions(indices: Array, size: int, check_bounds: bool, what: str) -> tuple[Array, Array]:
    """Resolves indices in NumPy to `[0, size)` by the rule above; also returns the mask of indices out of range."""
    largest = np.iinfo(np.int64).max
    wide = np.minimum(indices, largest).astype(np.int64) if indices.dtype == np.uint64 else indices.astype(np.int64)
    counted = np.where(wide < 0, wide + size, wide)
    outside = (counted < 0) | (counted >= size)
    if check_bounds and outside.any():
        first = indices[outside].flat[0]
        raise RlxError(
            "RLX508",
            f"{what}: index {first} is outside an axis of size {size}",
            fix=f"indices run from {-size} to {size - 1}",
            at=None,
        )
    return np.clip(counted, 0, max(size - 1, 0)), outside


def fill_value(dtype: DType) -> Any:
    """The element that `fill` returns for an index out of range: NaN for floats and complex numbers, else 0."""
    return 0 if dtype.is_integer or dtype.is_bool or dtype is f4e2m1 else np.nan


def _mask_outside(values: Array, outside: Array, mode: str, empty: bool) -> Array:
    """Replaces gathered values whose index was out of range under `fill`, or where the axis is empty and nothing can clamp."""
    if mode == "fill" or empty:
        values = np.where(outside, np.asarray(fill_value(DType.of(values.dtype))).astype(values.dtype), values)
    return values


def _refuse_empty(call: Call, size: Size, taken: Size) -> None:
    """Raises where an index must be clamped to an empty axis."""
    if call.mode == "clip" and is_zero(size) and isinstance(taken, int) and taken > 0:
        raise call.error("RLX102", f"{taken} indices into axis {call.axis} of size 0", fix="mode='fill' reads NaN or 0")


# -- choosing by index ------------------------------------------------------------------------------------------
def _gather_shape(call: Call) -> Shape:
    x, indices = call.given
    require_integers(call)
    _refuse_empty(call, x.dims[call.axis], indices.num_elements)
    return x.with_dims((*x.dims[: call.axis], *indices.dims, *x.dims[call.axis + 1 :]))


def _gather(x: Array, indices: Array, axis: int, mode: str, check_bounds: bool) -> Array:
    axis, size = axis % x.ndim, x.shape[axis]
    positions, outside = resolve_positions(indices, size, check_bounds, "gather")
    dims = (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])
    taken = np.take(x, positions, axis=axis) if size else np.zeros(dims, x.dtype)
    return _mask_outside(taken, outside.reshape(outside.shape + (1,) * (x.ndim - axis - 1)), mode, size == 0)


def count_from_front(indices: Value, size: Value) -> tuple[Value, Value]:
    """Converts indices to i32 counted from the front, with a mask of those in range: the rule of `rlx.ops.indexing.gather`."""
    places = as_dtype(indices, i32)
    places = where(places < 0, places + size, places)
    return places, (places >= 0) & (places < size)


def take_or_zero(x: Value, indices: Value, axis: int, mode: str) -> Value:
    """`gather` that reads 0 where `fill` reads NaN: the transpose of scatter_add."""
    elements: Value = gather(x, indices, axis=axis)
    if mode == "fill":
        _, inside = count_from_front(indices, size_scalar(x, x.shape[axis]))
        elements = where(inside.reshape(*indices.shape, *(1,) * (x.rank - axis - 1)), elements, 0.0)
    return elements


def _gather_vjp(call: Derivative, dy: Value, x: Value, indices: Value) -> list[Maybe]:
    if indices.rank == 0:  # one position: an axis of size 1, since dy may have no axis left to name
        dy, indices = dy.reshape(*dy.shape[: call.axis], 1, *dy.shape[call.axis :]), indices.reshape(1)
    return [OPS["gather_backward"](dy, indices, axis=call.axis, size=x.shape[call.axis], mode=call.mode), None]


def side_by_side(x: Value, axis: int) -> Value:
    """Concatenates the tables of n examples for a batched gather: `[n, before…, A, behind…]` becomes `[n·A, before…, behind…]`."""
    first = move_axis(x, axis + 1, 1)
    return first.reshape(first.shape[0] * first.shape[1], *first.shape[2:])


def move_block(x: Value, source: int, count: int, target: int) -> Value:
    """Moves `count` neighboring axes from `source` to `target`, in order."""
    block = range(source, source + count)
    perm = [axis for axis in range(x.rank) if axis not in block]
    perm[target:target] = block
    if perm == list(range(x.rank)):
        return x
    return x.transpose(*perm)


def batch_gather(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `gather`: shared indices read along the axis, a shared table takes more indices, else tables are concatenated."""
    x, indices = operands
    assert x is not None and indices is not None
    if axes[1] is None:
        return with_batch_axis(again(call, operands, axis=call.axis + 1))
    if axes[0] is None:
        return with_batch_axis(again(call, operands), call.axis)
    outside = call.mode == "fill" or call.check_bounds
    places = positions_of_all(indices, call.given[0].dims[call.axis], keep_outside=outside)
    (rows,) = again(call, [side_by_side(x, call.axis), places], axis=0)
    return with_batch_axis([move_block(rows, 1, indices.rank - 1, 1 + call.axis)])


gather = define_movement(
    "gather",
    "x, indices:index",
    infer=_gather_shape,
    reference=_gather,
    attrs={"axis": Attr("axis"), **index_attrs()},
    packed_operand=0,
    doc="Slices of x at positions of one axis, as np.take: the axis is replaced by the axes of the indices.",
    vjp=one_result(_gather_vjp),
    jvp=lambda call, operands, results, tangents: [take_or_zero(tangents[0], operands[1], call.axis, call.mode)],
    batch=batch_gather,
    cases=lambda: [
        case(sample(9, 4), sample(5, dtype="i32", low=0, high=8), note="rows of a table", dtypes=(*MOVED, "c64", "c128"), axis=0),
        case(sample(3, 7, 2), sample(2, 4, dtype="i32", low=-7, high=6), note="odd axis, outer rows, negative", axis=1),
        case(sample(2, 5), sample(6, dtype="i64", fixed=[-9, -6, -5, 4, 5, 99]), note="outside, clamped", axis=-1),
        case(
            sample(2, 5),
            sample(6, dtype="i32", fixed=[-9, -6, -5, 4, 5, 99]),
            note="outside, filled",
            axis=-1,
            mode="fill",
            dtypes=("f32", "bf16", "i32", "bool"),
        ),
        case(sample(4, 3), sample(dtype="i32", fixed=2), note="a scalar index drops the axis", axis=0),
        case(sample(4, 3), sample(0, dtype="i32"), note="size 0", axis=0),
    ],
)


# -- choosing by index, each line for itself --------------------------------------------------------------------
def _take_along_shape(call: Call) -> Shape:
    x, indices = call.given
    require_integers(call)
    if x.rank != indices.rank:
        raise call.error(
            "RLX102", f"ranks {x.rank} and {indices.rank} differ", fix="indices have the rank of x; gather takes any rank"
        )
    _refuse_empty(call, x.dims[call.axis], indices.num_elements)
    others = [replace_size(shape.dims, call.axis, 1) for shape in (x, indices)]
    dims = broadcast_dims(call, *others)
    return x.with_dims(replace_size(dims, call.axis, indices.dims[call.axis]))


def _take_along(x: Array, indices: Array, axis: int, mode: str, check_bounds: bool) -> Array:
    size = x.shape[axis]
    positions, outside = resolve_positions(indices, size, check_bounds, "take_along_axis")
    if size == 0:
        x = np.zeros([1 if a == axis % x.ndim else n for a, n in enumerate(x.shape)], x.dtype)
    return _mask_outside(np.take_along_axis(x, positions, axis), outside, mode, size == 0)


def iota_like(like: Value, dims: Sequence[Size], axis: int) -> Value:
    """Emits `iota` in the graph of a Value."""
    return emit(OPS["iota"], (), {"shape": tuple(dims), "axis": axis}, graph=like.graph)


def _flat_places(x: Value, indices: Value, dims: Sequence[Size], axis: int, mode: str) -> Value:
    """The flat index into x of each element from take_along_axis; past the end if it was filled."""
    places, inside = count_from_front(indices, size_scalar(x, x.shape[axis]))
    places = clamp(places, 0, size_scalar(x, x.shape[axis] - 1))
    stride: Size = 1
    index: Value | None = None
    for a in reversed(range(x.rank)):
        place = places if a == axis else None if isinstance(x.shape[a], int) and x.shape[a] == 1 else iota_like(x, dims, a)
        if place is not None:
            term = place * size_scalar(x, stride)
            index = term if index is None else index + term
        stride = stride * x.shape[a]
    assert index is not None
    if mode == "fill":
        index = where(inside, index, size_scalar(x, x.type.num_elements))
    whole: Value = expand(index, shape=tuple(dims))
    return whole.reshape(product(dims))


def added_along(dy: Value, x: Value, indices: Value, axis: int, mode: str) -> Value:
    """Adds dy into zeros of x's shape at its indices along the axis: the transpose of take_along_axis."""
    places = _flat_places(x, indices, dy.shape, axis, mode)
    summed = OPS["scatter_add"](dy.reshape(product(dy.shape)), places, out_dim=x.type.num_elements, mode="fill")
    return summed.reshape(x.shape)


def _taken_along(x: Value, indices: Value, axis: int, mode: str) -> Value:
    elements: Value = take_along_axis(x, indices, axis=axis)
    if mode == "fill":
        elements = where(count_from_front(indices, size_scalar(x, x.shape[axis]))[1], elements, 0.0)
    return elements


def _batch_take_along_axis(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `take_along_axis`, whose other axes broadcast: a shared operand gets a batch of 1."""
    given = [
        value.reshape(1, *value.shape) if value is not None and axis is None else value
        for value, axis in zip(operands, axes, strict=True)
    ]
    return with_batch_axis(again(call, given, axis=call.axis + 1))


take_along_axis = define_movement(
    "take_along_axis",
    "x, indices:index",
    infer=_take_along_shape,
    reference=_take_along,
    attrs={"axis": Attr("axis"), **index_attrs()},
    doc="For each line along one axis, the elements at its own positions, as np.take_along_axis; other axes broadcast.",
    vjp=one_result(lambda call, dy, x, indices: [added_along(dy, x, indices, call.axis, call.mode), None]),
    jvp=lambda call, operands, results, tangents: [_taken_along(tangents[0], operands[1], call.axis, call.mode)],
    batch=_batch_take_along_axis,
    cases=lambda: [
        case(sample(4, 7), sample(4, 3, dtype="i32", low=-7, high=6), note="plain", dtypes=(*MOVED, "c64", "c128"), axis=1),
        case(sample(5, 3, 2), sample(2, 3, 2, dtype="i64", low=0, high=4), note="odd axis", axis=0),
        case(
            sample(4, 7), sample(1, 2, dtype="i32", fixed=[1, 9]), note="broadcast of the indices, one outside", axis=1, mode="fill"
        ),
        case(sample(4, 7), sample(4, 0, dtype="i32"), note="size 0", axis=1),
    ],
)
