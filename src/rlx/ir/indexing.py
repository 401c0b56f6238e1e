"""`value[...]` as nodes: ints, slices, None, ..., and one array of integers, as NumPy reads them; `rlx.numpy` has all other indices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rlx.core.dim import Dim, Relation, Size, ceildiv, proves_at_most
from rlx.core.errors import RlxError
from rlx.ir.op import OPS

if TYPE_CHECKING:
    from rlx.ir.value import Value


def is_simple(index: Any) -> bool:
    """Whether `index_value` reads it: ints, slices, None, ..., and at most one array of integers, without an int beside it."""
    from rlx.ir.value import Value

    items = index if isinstance(index, tuple) else (index,)
    arrays = [item for item in items if isinstance(item, (Value, np.ndarray, list, bool)) or hasattr(item, "__array__")]
    if not arrays:
        return True
    whole = len(arrays) == 1 and isinstance(arrays[0], (Value, np.ndarray)) and arrays[0].dtype != bool
    return whole and not any(hasattr(item, "__index__") for item in items if not isinstance(item, (Value, np.ndarray)))


def index_value(value: Value, index: Any) -> Value:
    """Basic indexing by slices and reshapes, one array or Value index by gather."""
    from rlx.ir.value import Value

    items = list(index) if isinstance(index, tuple) else [index]
    used = sum(1 for item in items if item is not None and item is not Ellipsis)
    if sum(1 for item in items if item is Ellipsis) > 1:
        raise RlxError("RLX115", f"{value!r} indexed with more than one '...'")
    if used > value.rank:
        raise RlxError("RLX115", f"{value!r} indexed with {used} positions, but it has {value.rank} axes")
    if Ellipsis not in [item for item in items if not isinstance(item, (Value, np.ndarray))]:
        items.append(Ellipsis)
    where = next(i for i, item in enumerate(items) if item is Ellipsis)
    items[where : where + 1] = [slice(None)] * (value.rank - used)

    starts: list[Size] = []
    stops: list[Size] = []
    steps: list[int] = []
    new_shape: list[Size] = []
    gather: tuple[int, Any] | None = None
    axis = 0
    for item in items:
        if item is None:
            new_shape.append(1)
            continue
        size = value.shape[axis]
        if isinstance(item, slice):
            start, stop, step, length = _slice(item, size, value)
            starts.append(start)
            stops.append(stop)
            steps.append(step)
            new_shape.append(length)
        elif isinstance(item, (Value, np.ndarray, list)):
            gather = (len(new_shape), item)
            starts.append(0)
            stops.append(size)
            steps.append(1)
            new_shape.append(size)
        else:
            position = _position(item, size, value)
            starts.append(position)
            stops.append(position + 1)
            steps.append(1)
        axis += 1
    result = value
    whole = zip(starts, stops, steps, value.shape, strict=True)
    if not all(start == 0 and stop == size and step == 1 for start, stop, step, size in whole):
        result = OPS["slice"](result, start=tuple(starts), stop=tuple(stops), step=tuple(steps))
    if tuple(new_shape) != result.shape:
        result = OPS["reshape"](result, shape=tuple(new_shape))
    if gather is not None:
        at, indices = gather
        result = OPS["gather"](result, np.asarray(indices) if isinstance(indices, list) else indices, axis=at)
    return result


def _position(item: Any, size: Size, value: Value) -> Size:
    if isinstance(item, Dim):
        return item
    if isinstance(item, bool) or not hasattr(item, "__index__"):
        raise RlxError("RLX115", f"{value!r} indexed with {item!r}", fix="ints, slices, None, ... or an integer Value")
    position = int(item.__index__())
    counted = size + position if position < 0 else position
    if proves_at_most(size, counted) or proves_at_most(counted, -1):
        raise RlxError("RLX115", f"index {position} is out of range for size {size}")
    return counted


def _slice(item: slice, size: Size, value: Value) -> tuple[Size, Size, int, Size]:
    """Start, stop (-1: before the first), step and length, as Python reads the slice."""
    step = 1 if item.step is None else int(item.step.__index__())
    if step == 0:
        raise RlxError("RLX115", f"{value!r} sliced with step 0", fix="steps are positive or negative")
    if isinstance(size, int) and not any(isinstance(end, Dim) for end in (item.start, item.stop)):
        first, last, step = item.indices(size)
        return first, last, step, len(range(first, last, step))
    facts = value.graph.assumptions
    backward = step < 0
    start = _end(item.start, size - 1 if backward else 0, size)
    stop = _end(item.stop, -1 if backward else size, size)
    low, high = (stop, start) if backward else (start, stop)
    if not proves_at_most(high, low, facts):
        high = _clipped(high, size - 1 if backward else size, facts)
    if proves_at_most(high, low, facts):
        return 0, 0, step, 0
    start, stop = (high, low) if backward else (low, high)
    return start, stop, step, ceildiv(high - low, abs(step))


def _end(end: Any, default: Size, size: Size) -> Size:
    if end is None:
        return default
    if isinstance(end, Dim):
        return end
    number = int(end.__index__())
    return size + number if number < 0 else number


def _clipped(end: Size, limit: Size, facts: Sequence[Relation]) -> Size:
    """The end, or the limit if the end is provably past it; undecidable is an error."""
    inside = proves_at_most(end, limit, facts)
    if inside is None:
        message = f"whether the slice ends at {end} or at {limit} depends on the sizes"
        raise RlxError("RLX202", message, fix=f"graph.assume({end} <= {limit}), or give the symbol a min or max")
    return end if inside else limit
