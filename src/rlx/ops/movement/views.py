"""View facets: how the result of a movement op lies in its operand's buffer. None means that it must be copied.

A facet takes the call and the operand's layout and answers with the result's layout. Sizes may be symbolic: what cannot
be decided for every size is a copy.
"""

from __future__ import annotations

from collections.abc import Sequence

from rlx.core.dim import exact_division, same
from rlx.core.shape import is_one, is_zero
from rlx.ir.graph import Layout, dense_strides
from rlx.ops.record import Call, Size


def _contiguous_runs(layout: Layout) -> list[tuple[Size, Size]]:
    """(size, stride) of the fewest axes with the same elements in the same order: neighbours without a gap merge."""
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
    """The layout under other dims with as many elements: each contiguous run must be cut exactly by the new axes."""
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
    """Strides of the new axes, where the elements keep an even spacing."""
    return reshape_layout(layout, call.op.attrs["shape"])


def view_transpose(call: Call, layout: Layout) -> Layout:
    """Dims and strides permuted."""
    perm = call.perm
    return Layout(tuple(layout.dims[a] for a in perm), tuple(layout.strides[a] for a in perm), layout.offset)


def slice_layout(layout: Layout, axis: int, start: Size, length: Size, step: int = 1) -> Layout:
    """`length` positions of one axis from `start` on, `step` apart."""
    dims, strides = list(layout.dims), list(layout.strides)
    offset = layout.offset if is_zero(length) else layout.offset + start * strides[axis]
    dims[axis], strides[axis] = length, strides[axis] * step
    return Layout(tuple(dims), tuple(strides), offset)


def view_narrow(call: Call, layout: Layout) -> Layout:
    """The same strides from another offset."""
    return slice_layout(layout, call.axis, call.start, call.length)


def view_slice(call: Call, layout: Layout) -> Layout:
    """Strides times steps; a negative step begins at the far end."""
    lengths = call.op.infer(call.shapes, call.assumptions)[0].dims
    for axis, (start, step) in enumerate(zip(call.start, call.step, strict=True)):
        layout = slice_layout(layout, axis, start, lengths[axis], step)
    return layout


def view_flip(call: Call, layout: Layout) -> Layout:
    """Negative strides from the last element."""
    for axis in call.axes:
        layout = slice_layout(layout, axis, layout.dims[axis] - 1, layout.dims[axis], -1)
    return layout


def view_expand(call: Call, layout: Layout) -> Layout:
    """Stride 0 along every axis that repeats."""
    dims = call.op.attrs["shape"]
    new_axes = len(dims) - len(layout.dims)
    strides: list[Size] = [0] * new_axes
    for old, new, stride in zip(layout.dims, dims[new_axes:], layout.strides, strict=True):
        strides.append(0 if is_one(old) and not is_one(new) else stride)
    return Layout(dims, tuple(strides), layout.offset)


def view_split(call: Call, layout: Layout) -> tuple[Layout, ...]:
    """One narrowed layout for each part."""
    parts: list[Layout] = []
    start: Size = 0
    for size in call.sizes:
        parts.append(slice_layout(layout, call.axis, start, size))
        start = start + size
    return tuple(parts)
