"""Shape ops: the same elements in another shape, another order of axes, or repeated. They move data, or only change how it is read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from rlx.core.dim import Dim, exact_division, product, proves_at_most, same
from rlx.core.shape import is_one, is_zero
from rlx.ir.graph import Layout, dense_strides
from rlx.ops.inference import define_movement
from rlx.ops.record import Attr, Call, Op, Shape, Size, case, sample
from rlx.transforms.rules.batching import Axis, Batched, Operands, again, align_example_axes, with_batch_axis
from rlx.transforms.rules.formulas import linear, match_type, one_result

MOVED = ("f32", "f64", "f16", "bf16", "i32", "u8", "bool")  # dtypes of the cases: movement takes every dtype


def refuse_negative(call: Call, sizes: Sequence[Size], what: str) -> None:
    """Raises for sizes known to be negative; a symbolic size is checked when it is bound."""
    for size in sizes:
        if proves_at_most(size, -1, call.assumptions):
            raise call.error("RLX105", f"the size {size} in {what} is negative", fix="sizes are at least 0")


def per_axis(call: Call, name: str, default: Size) -> tuple[Size, ...]:
    """Expands an attribute to one entry for each axis of operand 0; one entry alone counts for all, None is the default."""
    rank, value = call.given[0].rank, call.op.attrs[name]
    entries = (default,) if value is None else value
    if len(entries) == 1 and rank != 1:
        return (entries[0],) * rank
    if len(entries) != rank:
        raise call.error("RLX105", f"{name} has {len(entries)} entries for {rank} axes", fix="one entry for each axis")
    return tuple(entries)


def replace_size(dims: Sequence[Size], axis: int, size: Size) -> tuple[Size, ...]:
    """Returns the dims with another size at one axis."""
    return (*dims[:axis], size, *dims[axis + 1 :])


def _list_sizes(sizes: Sequence[Size]) -> str:
    return f"[{', '.join(str(size) for size in sizes)}]"


define_move = partial(define_movement, moves_elements=True, jvp=linear(0))


# -- view facets: how the result of a movement op lies in its operand's buffer. None means that it must be copied ----


def _contiguous_runs(layout: Layout) -> list[tuple[Size, Size]]:
    """Merges adjacent axes without gaps: (size, stride) of the fewest axes with the same elements in the same order."""
    runs: list[tuple[Size, Size]] = []
    for size, stride in zip(layout.dims, layout.strides, strict=True):
        if is_one(size):
            continue
        if runs and same(runs[-1][1], size * stride):
            runs[-1] = (runs[-1][0] * size, stride)
        else:
            runs.append((size, stride))
    return runs


def reshape_layout(layout: Layout, dims: Sequence[Size]) -> Layout | None:
    """The strided layout of a reshape without a copy: the new axes must divide each contiguous run exactly."""
    dims = tuple(dims)
    if layout.is_dense or any(is_zero(size) for size in dims):
        return Layout(dims, dense_strides(dims), layout.offset)
    runs = _contiguous_runs(layout)
    left: Size = 1  # elements of the current run not yet given to a new axis
    stride: Size = 1
    strides: list[Size] = []
    for size in reversed(dims):
        if is_one(size):
            strides.append(stride)
            continue
        if is_one(left):
            if not runs:
                return None
            left, stride = runs.pop()
        rest = exact_division(left, size)
        if rest is None:
            return None
        strides.append(stride)
        left, stride = rest, stride * size
    return Layout(dims, tuple(reversed(strides)), layout.offset) if is_one(left) and not runs else None


def view_reshape(call: Call, layout: Layout) -> Layout | None:
    """The view facet of `reshape`: strides of the new axes, where the elements are evenly spaced."""
    return reshape_layout(layout, call.op.attrs["shape"])


def view_transpose(call: Call, layout: Layout) -> Layout:
    """The view facet of `transpose`: dims and strides permuted."""
    perm = call.perm
    return Layout(tuple(layout.dims[a] for a in perm), tuple(layout.strides[a] for a in perm), layout.offset)


def slice_layout(layout: Layout, axis: int, start: Size, length: Size, step: int = 1) -> Layout:
    """The layout of `length` positions of one axis from `start` on, `step` apart."""
    dims, strides = list(layout.dims), list(layout.strides)
    offset = layout.offset if is_zero(length) else layout.offset + start * strides[axis]
    dims[axis], strides[axis] = length, strides[axis] * step
    return Layout(tuple(dims), tuple(strides), offset)


def view_narrow(call: Call, layout: Layout) -> Layout:
    """The view facet of `narrow`: the same strides at another offset."""
    return slice_layout(layout, call.axis, call.start, call.length)


def view_slice(call: Call, layout: Layout) -> Layout:
    """The view facet of `slice`: strides times steps; a negative step begins at the far end."""
    lengths = call.op.infer(call.shapes, call.assumptions)[0].dims
    for axis, (start, step) in enumerate(zip(call.start, call.step, strict=True)):
        layout = slice_layout(layout, axis, start, lengths[axis], step)
    return layout


def view_flip(call: Call, layout: Layout) -> Layout:
    """The view facet of `flip`: negative strides from the last element."""
    for axis in call.axes:
        layout = slice_layout(layout, axis, layout.dims[axis] - 1, layout.dims[axis], -1)
    return layout


def view_expand(call: Call, layout: Layout) -> Layout:
    """The view facet of `expand`: stride 0 along every repeated axis."""
    dims = call.op.attrs["shape"]
    new_axes = len(dims) - len(layout.dims)
    strides: list[Size] = [0] * new_axes
    for old, new, stride in zip(layout.dims, dims[new_axes:], layout.strides, strict=True):
        strides.append(0 if is_one(old) and not is_one(new) else stride)
    return Layout(dims, tuple(strides), layout.offset)


def view_split(call: Call, layout: Layout) -> tuple[Layout, ...]:
    """The view facet of `split`: one narrowed layout for each part."""
    parts: list[Layout] = []
    start: Size = 0
    for size in call.sizes:
        parts.append(slice_layout(layout, call.axis, start, size))
        start = start + size
    return tuple(parts)


# -- another shape ----------------------------------------------------------------------------------------------
def _fill_hole(call: Call) -> Op:
    """Normalizes `reshape`: replaces its -1 by the number of elements left."""
    sizes = call.op.attrs["shape"]
    holes = [axis for axis, size in enumerate(sizes) if isinstance(size, int) and size == -1]
    if not holes:
        return call.op
    if len(holes) > 1:
        raise call.error("RLX106", f"two sizes of {_list_sizes(sizes)} are -1", fix="at most one size is -1")
    total = call.given[0].num_elements
    others = product(size for axis, size in enumerate(sizes) if axis != holes[0])
    quotient = None if is_zero(others) else exact_division(total, others)
    if quotient is None:
        message = f"{total} elements do not divide by the other sizes of {_list_sizes(sizes)}, {others}"
        fix = "write the size instead of -1" + (", and graph.assume(...) what makes it fit" if isinstance(total, Dim) else "")
        raise call.error("RLX106", message, fix=fix)
    return call.op.with_attrs(shape=(*sizes[: holes[0]], quotient, *sizes[holes[0] + 1 :]))


def _reshape_shape(call: Call) -> Shape:
    (x,), sizes = call.given, call.op.attrs["shape"]
    refuse_negative(call, sizes, "shape")
    total, wanted = x.num_elements, product(sizes)
    if not call.same(total, wanted):
        message = f"{total} elements do not fit {_list_sizes(sizes)}, which has {wanted}"
        if any(proves_at_most(a + 1, b, call.assumptions) for a, b in ((total, wanted), (wanted, total))):
            raise call.error("RLX106", message)
        raise call.error("RLX202", f"{message}, for some sizes", fix=f"graph.assume({total} == {wanted})")
    return x.with_dims(sizes)


def _batch_reshape(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `reshape`: `[n, …]` to `[n, *shape]`."""
    (x,) = operands
    assert x is not None
    return with_batch_axis(again(call, operands, shape=(x.shape[0], *call.op.attrs["shape"])))


reshape = define_move(
    "reshape",
    "x",
    infer=_reshape_shape,
    normalize=_fill_hole,
    attrs={"shape": Attr("sizes", help="the new sizes; one may be -1")},
    reference=lambda x, shape: np.reshape(x, shape),
    doc="The same elements, in row-major order, in another shape.",
    view=view_reshape,
    vjp=one_result(lambda call, dy, x: [call.op.definition(dy, shape=x.shape)]),
    batch=_batch_reshape,
    cases=lambda: [
        case(sample(4, 6), note="plain", dtypes=MOVED, shape=(2, 12)),
        case(sample(3, 5, 7), note="one size left open, odd", shape=(7, -1)),
        case(sample(1, 1), note="to rank 0", shape=()),
        case(sample(0, 3), note="size 0", shape=(5, 0, 2)),
    ],
)


# -- another order of axes --------------------------------------------------------------------------------------
def _transpose_shape(call: Call) -> Shape:
    (x,) = call.given
    if sorted(call.perm) != list(range(x.rank)):
        raise call.error("RLX104", f"perm {call.perm} does not name each of the {x.rank} axes once")
    return x.with_dims(x.dims[axis] for axis in call.perm)


def _inverse(perm: Sequence[int]) -> tuple[int, ...]:
    return tuple(perm.index(axis) for axis in range(len(perm)))


transpose = define_move(
    "transpose",
    "x",
    infer=_transpose_shape,
    attrs={"perm": Attr("axes", help="for each axis of the result, the axis of x it is")},
    reference=lambda x, perm: np.transpose(x, perm),
    packed_operand=0,
    doc="Axes permuted, as np.transpose.",
    view=view_transpose,
    vjp=one_result(lambda call, dy, x: [call.op.definition(dy, perm=_inverse(call.perm))]),
    batch=lambda call, operands, axes: with_batch_axis(again(call, operands, perm=(0, *(axis + 1 for axis in call.perm)))),
    cases=lambda: [
        case(sample(5, 7), note="plain", dtypes=MOVED, perm=(1, 0)),
        case(sample(2, 3, 4, 5), note="odd axes, one negative", dtypes=("f32", "bf16"), perm=(2, 0, -1, 1)),
        case(sample(), note="rank 0", perm=()),
        case(sample(3, 0, 2), note="size 0", perm=(2, 1, 0)),
    ],
)


# -- repeated ---------------------------------------------------------------------------------------------------
def _expand_shape(call: Call) -> Shape:
    (x,), sizes = call.given, call.op.attrs["shape"]
    refuse_negative(call, sizes, "shape")
    if len(sizes) < x.rank:
        fix = "expand adds axes in front and repeats axes of size 1"
        raise call.error("RLX102", f"{_list_sizes(sizes)} has fewer axes than x", fix=fix)
    for axis in range(-x.rank, 0):
        if not is_one(x.dims[axis]):
            call.check_same(x.dims[axis], sizes[axis], f"sizes at axis {axis}", fix="only an axis of size 1 expands")
    return x.with_dims(sizes)


def _batch_expand(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `expand`: the example gets its new axes behind the batch, then all are repeated."""
    (x,), shape = operands, call.op.attrs["shape"]
    assert x is not None
    return with_batch_axis(again(call, [align_example_axes(x, 0, len(shape))], shape=(x.shape[0], *shape)))


expand = define_move(
    "expand",
    "x",
    infer=_expand_shape,
    attrs={"shape": Attr("sizes", help="the new sizes")},
    reference=lambda x, shape: np.broadcast_to(x, shape),
    doc="Repeated along axes of size 1 and new leading axes, as np.broadcast_to.",
    view=view_expand,
    vjp=one_result(lambda call, dy, x: [match_type(dy, x)]),
    batch=_batch_expand,
    cases=lambda: [
        case(sample(4, 1), note="broadcast of a column", dtypes=MOVED, shape=(4, 5)),
        case(sample(3), note="broadcast to new axes", shape=(2, 5, 3)),
        case(sample(), note="rank 0", shape=(2, 0)),
        case(sample(2, 3), note="nothing to do", shape=(2, 3)),
    ],
)
