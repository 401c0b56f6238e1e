"""View facets: what they read from a buffer is what the reference gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlx.core.dim import Dim
from rlx.core.shape import Shape
from rlx.ir.graph import Layout, dense_strides
from rlx.ir.op import Call
from rlx.ops.movement.pad import flip
from rlx.ops.movement.parts import narrow, slice_, split
from rlx.ops.movement.shape import expand, reshape, reshape_layout, transpose
from tests.ops.running import strided, through_view

BATCH, SEQ = Dim("batch", min=1, max=64), Dim("seq", min=1, max=512)


def shapes(least: int = 0, most: int = 4, smallest: int = 0) -> Any:
    return st.lists(st.integers(smallest, 4), min_size=least, max_size=most).map(tuple)


def equal(found: Any, wanted: Any) -> None:
    """The same numbers, bit for bit."""
    wanted = np.asarray(wanted)
    assert found.shape == wanted.shape and found.dtype == wanted.dtype
    assert np.ascontiguousarray(found).tobytes() == np.ascontiguousarray(wanted).tobytes()


# -- views ------------------------------------------------------------------------------------------------------
def layouts(dims: tuple[int, ...], data: st.DataObject) -> tuple[Any, Layout]:
    """A buffer, and a layout of these dims in it: axes in any order, with gaps, offsets, reversed or repeated."""
    order = data.draw(st.permutations(range(len(dims))))
    strides, step = [0] * len(dims), 1
    for axis in reversed(order):
        kind = data.draw(st.sampled_from(["plain", "plain", "plain", "gap", "repeat", "back"]))
        gap = step * (2 if kind == "gap" else 1)
        strides[axis] = 0 if kind == "repeat" else -gap if kind == "back" else gap
        step = step if kind == "repeat" else gap * max(dims[axis], 1)
    offset = sum(-(n - 1) * s for n, s in zip(dims, strides, strict=True) if s < 0 and n)
    return np.arange(step + offset + 3).astype(np.float32), Layout(dims, tuple(strides), offset + 1)


@given(shapes(1, 4), st.data())
def test_views_read_what_the_reference_gives(dims: tuple[int, ...], data: st.DataObject) -> None:
    buffer, layout = layouts(dims, data)
    axis = data.draw(st.integers(0, len(dims) - 1))
    start = data.draw(st.integers(0, dims[axis]))
    length = data.draw(st.integers(0, dims[axis] - start))
    ones = tuple(data.draw(st.sampled_from([1, size])) for size in dims)
    ends = [slice(None, None, data.draw(st.sampled_from([1, 2, -1, -2]))).indices(n) for n in dims]
    first, last, step = (tuple(part) for part in zip(*ends, strict=True))
    cases: list[tuple[Any, dict[str, Any]]] = [
        (transpose, {"perm": tuple(data.draw(st.permutations(range(len(dims)))))}),
        (narrow, {"axis": axis, "start": start, "length": length}),
        (slice_, {"start": first, "stop": last, "step": step}),
        (flip, {"axes": tuple(data.draw(st.sets(st.integers(0, len(dims) - 1))))}),
        (split, {"sizes": (start, dims[axis] - start), "axis": axis}),
        (reshape, {"shape": tuple(data.draw(st.permutations(dims)))}),
        (reshape, {"shape": (int(np.prod(dims)),)}),
        (reshape, {"shape": (*dims[:axis], 1, *dims[axis:])}),
    ]
    for record, attrs in cases:
        found, wanted = through_view(record, buffer, layout, **attrs)
        if found is None:
            assert record is reshape
        else:
            for a, b in zip(found, wanted, strict=True) if isinstance(found, tuple) else [(found, wanted)]:
                equal(a, b)
    buffer, layout = layouts(ones, data)
    found, wanted = through_view(
        expand, buffer, layout, shape=(2, *(n if one == 1 else one for n, one in zip(dims, ones, strict=True)))
    )
    equal(found, wanted)


def numpy_can_view(x: Any, shape: tuple[int, ...]) -> bool:
    view = x.view()
    try:
        view.shape = shape
    except AttributeError:
        return False
    return True


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple), st.data())
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_reshape_is_a_view_where_numpy_has_one(dims: tuple[int, ...], data: st.DataObject) -> None:
    buffer, layout = layouts(dims, data)
    source = strided(buffer, layout)
    total = int(np.prod(dims))
    shape = data.draw(st.sampled_from([s for s in factorings(total) if len(s) <= 4]))
    assert (reshape_layout(layout, shape) is not None) == numpy_can_view(source, shape)


def factorings(total: int) -> list[tuple[int, ...]]:
    found = [(total,)]
    for first in range(2, total):
        if total % first == 0:
            found += [(first, *rest) for rest in factorings(total // first)]
    return found


def test_symbolic_views() -> None:
    layout = Layout.dense((BATCH, SEQ, 8))
    heads = reshape_layout(layout, (BATCH, SEQ, 2, 4))
    assert heads is not None and heads.is_dense
    turned = Layout((BATCH, 8, SEQ), (8 * SEQ, 1, 8))  # transposed: seq and 8 do not merge, 8 splits
    split_axis = reshape_layout(turned, (BATCH, 2, 4, SEQ))
    assert split_axis is not None and split_axis.strides == (8 * SEQ, 4, 1, 8)
    assert reshape_layout(turned, (BATCH, 8 * SEQ)) is None
    repeated = Layout((BATCH, SEQ, 4), (0, 0, 1))  # both outer axes repeat one row
    merged = reshape_layout(repeated, (BATCH * SEQ, 4))
    assert merged is not None and merged.strides == (0, 1)
    op = slice_.op(start=(SEQ - 1,), stop=(-1,), step=(-1,))
    backward = slice_.view(Call(op, [Shape((SEQ,))]), Layout.dense((SEQ,)))  # type: ignore[misc]
    assert backward == Layout((SEQ,), (-1,), SEQ - 1)
    assert dense_strides((BATCH, SEQ, 8)) == (8 * SEQ, 8, 1)
