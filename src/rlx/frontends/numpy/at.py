"""`x.at[...]`: changed copies of an array. A change is a scatter to the positions that the same index reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict, Unpack

import numpy as np

from rlx.core.dim import Dim, Size
from rlx.core.dtype import DType, i32
from rlx.core.errors import RlxError
from rlx.core.shape import is_zero
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.creation import ones_like, zeros_like
from rlx.frontends.numpy.elementwise import negative
from rlx.frontends.numpy.indexing import (
    Item,
    as_positions,
    basic_part,
    filled,
    gathered,
    getitem,
    inside,
    only_from_the_front,
    side_by_side,
    split_index,
    take_at,
)
from rlx.frontends.numpy.movement import broadcast_to
from rlx.frontends.numpy.selection import where
from rlx.frontends.numpy.values import emit, promoted, size_of
from rlx.functions.control_flow import scan, while_loop
from rlx.ir.array_methods import Array, index_value
from rlx.ir.emit import constant, size_scalar
from rlx.ir.value import Value, as_dtype


class At:
    """`x.at`: an index gives what can be done there."""

    __slots__ = ("_x",)

    def __init__(self, x: Any) -> None:
        self._x = x

    def __getitem__(self, index: Any) -> AtIndex:
        return AtIndex(self._x, index)


class Hints(TypedDict, total=False):
    """What JAX's `x.at[index]` functions take beside values."""

    mode: str | None
    wrap_negative_indices: bool
    indices_are_sorted: bool
    unique_indices: bool
    out_sharding: None


_DROPS = {None: True, "drop": True, "fill": True, "promise_in_bounds": True, "clip": False}
_HINTS = frozenset(Hints.__annotations__)


class AtIndex:
    """`x.at[index]`: copies of x that are changed there.

    Changes at positions outside of x are dropped, and with `mode="clip"` made at the nearest position inside. `get` reads the nearest
    position inside, and with `mode="fill"` (or "drop") NaN, the integer furthest from zero, or `fill_value`.

    >>> import rlx.numpy as rnp
    >>> rnp.zeros(3).at[rnp.asarray([0, 2, 2])].add(1.0)
    Array([1., 0., 2.], dtype=float32)
    >>> rnp.zeros(3).at[rnp.asarray([0, 9])].add(1.0, mode="clip"), rnp.zeros(3).at[9].get(mode="fill")
    (Array([1., 0., 1.], dtype=float32), Array(nan, dtype=float32))
    """

    __slots__ = ("_index", "_x")

    def __init__(self, x: Any, index: Any) -> None:
        self._x, self._index = x, index

    def get(self, *, fill_value: Any = None, **hints: Unpack[Hints]) -> Array:
        """What is there: `x[index]`."""
        fills = hints.get("mode") in ("fill", "drop")
        _, wraps, ints_inside = _read(hints)
        if (hints.get("mode") is None and wraps) or self._mask() is not None:
            return getitem(self._x, self._index)
        fixed, arrays = split_index(self._index, self._x.shape, ints_inside)
        if fills and arrays:
            return filled(self._x, fill_value, *arrays, fixed=fixed, wraps=wraps)
        return take_at(self._x, *arrays, fixed=fixed, wraps=wraps)

    def set(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """These values instead."""
        return self._changed("set", values, hints)

    def add(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """What is there and these, all of them where a position comes twice."""
        return self._changed("add", values, hints)

    def subtract(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """What is there less these."""
        return self._changed("subtract", values, hints)

    def multiply(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """What is there times these, all of them where a position comes twice."""
        return self._changed("mul", values, hints)

    mul = multiply

    def divide(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """What is there divided by these, all of them where a position comes twice. Integers become floats."""
        return self._x / self._product(values, hints)

    def power(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """What is there to the power of these, all of them where a position comes twice."""
        return self._x ** self._product(values, hints)

    def _product(self, values: ArrayLike, hints: Hints) -> Any:
        """The product of the values for each place, and one elsewhere."""
        return AtIndex(ones_like(self._x), self._index).multiply(values, **hints)

    def max(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """The larger of what is there and these."""
        return self._changed("max", values, hints)

    def min(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """The smaller of what is there and these."""
        return self._changed("min", values, hints)

    def apply(self, function: Any, **hints: Unpack[Hints]) -> Array:
        """A function of one element applied there, as often as a position comes."""
        mask = self._mask()
        if mask is not None:
            return _where_mask(self._x, mask, function(self._x), mode="set")
        ints_inside = _read(hints)[2]
        _, arrays = split_index(self._index, self._x.shape, ints_inside)
        if all(size_of(array.shape) == 1 for array in arrays):
            return self.set(function(self.get(**hints)), **hints)
        times = AtIndex(zeros_like(self._x, dtype=i32), self._index).add(1, **hints)
        return while_loop(
            lambda state: (state[1] > state[0]).any(),
            lambda state: (state[0] + 1, state[1], where(state[1] > state[0], function(state[2]), state[2])),
            (zeros_like(self._x, dtype=i32, shape=()), times, self._x),
        )[2]

    def _mask(self) -> Any:
        index = self._index[0] if isinstance(self._index, tuple) and len(self._index) == 1 else self._index
        return index if isinstance(index, Value) and index.dtype.is_bool else None

    def _changed(self, mode: str, values: Any, hints: Hints) -> Any:
        drops, wraps, ints_inside = _read(hints)
        if isinstance(values, int) and DType.of(self._x.dtype).is_integer:
            values = np.asarray(values).astype(DType.of(self._x.dtype).numpy)
        mask = self._mask()
        if mask is not None:
            return _where_mask(self._x, mask, values, mode=mode)
        fixed, arrays = split_index(self._index, self._x.shape, ints_inside)
        return _update(self._x, values, *arrays, fixed=fixed, mode=mode, drops=drops, wraps=wraps)


def _read(hints: Hints) -> tuple[bool, bool, bool]:
    """Whether positions outside are dropped, whether negative ones count from the end, and whether ints must lie inside."""
    mode, wraps = hints.get("mode"), hints.get("wrap_negative_indices", True)
    if mode not in _DROPS:
        raise RlxError("RLX109", f"x.at[...] with mode={mode!r}", fix="'drop', 'fill', 'clip' or 'promise_in_bounds'")
    if unknown := hints.keys() - _HINTS:
        message = f"x.at[...] got an unexpected keyword argument {min(unknown)!r}"
        raise RlxError("RLX109", message, fix=f"one of: {', '.join(sorted(_HINTS))}")
    return _DROPS[mode], wraps, mode in (None, "promise_in_bounds") and wraps


_COMBINED = {"add": "add", "mul": "mul", "max": "max", "min": "min"}


def _operands(value: Value, values: Any, mode: str) -> tuple[Value, Value, str]:
    """What is there and what comes, in the dtype the change is made in; a difference is the sum with what is negated."""
    both, new = promoted(value, values)
    if mode == "set":
        return value, as_dtype(new, value.dtype), mode
    return both, as_value(negative(new)) if mode == "subtract" else new, "add" if mode == "subtract" else mode


@array_function
def _where_mask(x: ArrayLike, mask: ArrayLike, values: ArrayLike, mode: str) -> Value:
    """A change where a mask of the leading axes holds."""
    like = next(each for each in (x, mask, values) if isinstance(each, Value))
    value, chosen = as_value(x, like), as_value(mask, like)
    if isinstance(values, Value) and values.rank > 0 and values.rank != value.rank - chosen.rank and values.rank != value.rank:
        fix = "one number, rows without the axes of the mask, or rnp.where with an array of the same shape"
        raise RlxError("RLX115", f"{values!r} for the places of a mask of {chosen.type}", fix=fix)
    chosen = chosen.reshape(chosen.shape + (1,) * (value.rank - chosen.rank))
    there, new, mode = _operands(value, values, mode)
    if mode != "set":
        new = emit(_COMBINED[mode], there, new)
    return emit("where", broadcast_to(chosen, value.shape), as_dtype(new, value.dtype), value)


@array_function
def _update(
    x: ArrayLike, values: ArrayLike, *indices: ArrayLike, fixed: tuple[Item, ...], mode: str, drops: bool, wraps: bool
) -> Value:
    like = next(each for each in (x, values, *indices) if isinstance(each, Value))
    value = as_value(x, like)
    if is_zero(size_of(value.shape)):
        return value
    there, new, mode = _operands(value, values, mode)
    if not indices:
        window = _window(value, fixed)
        if window is not None:
            return as_dtype(as_value(_update_window(there, new, fixed, window, mode)), value.dtype)
    positions, known = _positions(value, [as_value(each, value) for each in indices], fixed, drops, wraps)
    flat = there.reshape(size_of(value.shape))
    spread = as_value(broadcast_to(_fitting(new, known), known)).reshape(size_of(known))
    places = positions.reshape(size_of(known))
    if mode == "mul" and there.dtype.is_complex:
        found = _multiplied_in_turn(flat, places, spread)
    else:
        found = emit("scatter", flat, places, spread, axis=0, mode=mode, outside="fill")
    return as_dtype(found, value.dtype).reshape(value.shape)


def _multiplied_in_turn(flat: Value, places: Value, factors: Value) -> Value:
    """Each factor times what is at its place, one after the other: `scatter` has no products of complex numbers."""

    def step(whole: Value, row: tuple[Value, Value]) -> tuple[Value, None]:
        place, factor = row
        new = emit("gather", whole, place, axis=0) * factor
        return emit("scatter", whole, place, new, axis=0, mode="set", outside="fill"), None

    found: Value = scan(step, flat, (places, factors))[0]
    return found


def _fitting(new: Value, shape: Sequence[Size]) -> Value:
    """Values without leading axes of size 1 that their places do not have."""
    while new.rank > len(shape) and new.shape[0] == 1:
        new = new.reshape(new.shape[1:])
    return new


def _window(value: Value, fixed: tuple[Item, ...]) -> list[tuple[Size, Size]] | None:
    """(start, length) of each axis if the index is a dense block; None otherwise."""
    found: list[tuple[Size, Size]] = []
    sizes = iter(value.shape)
    for item in fixed:
        if item is None:
            continue
        size = next(sizes)
        if isinstance(item, tuple):
            if item == (None, None, None):
                found.append((0, size))
                continue
            if not isinstance(size, int) or any(isinstance(end, Dim) for end in item) or item[2] not in (None, 1):
                return None
            start, stop, _ = slice(*item).indices(size)
            found.append((start, max(stop - start, 0)))
        elif isinstance(size, int) and isinstance(item, int):
            if not -size <= item < size:
                raise RlxError("RLX115", f"index {item} is out of range for size {size}", fix=f"{-size} to {size - 1}")
            found.append((item % size, 1))
        else:
            return None
    return found


def _update_window(value: Value, new: Value, fixed: tuple[Item, ...], window: list[tuple[Size, Size]], mode: str) -> Array:
    """A dense block changed in place."""
    read = index_value(value, tuple(slice(*item) if isinstance(item, tuple) else item for item in fixed))
    block = broadcast_to(_fitting(new, read.shape), read.shape).reshape(tuple(length for _, length in window))
    if any(length == 0 for _, length in window):
        return value
    if mode != "set":
        block = emit(_COMBINED[mode], read.reshape(block.shape), block)
    axes = tuple(i for i, (start, length) in enumerate(window) if not (start == 0 and length == value.shape[i]))
    if not axes:
        return block
    starts = [constant(value.graph, window[axis][0], i32) for axis in axes]
    return emit("dynamic_update_slice", value, block, *starts, axes=axes)


def _positions(
    value: Value, arrays: list[Value], fixed: tuple[Item, ...], drops: bool, wraps: bool
) -> tuple[Value, tuple[Size, ...]]:
    """The place in the flattened array of everything an index reads; past the end where a change is dropped."""
    total = size_of(value.shape)
    places = emit("iota", shape=(total,), axis=0, dtype=i32, graph=value.graph).reshape(value.shape)
    if not arrays:
        found = index_value(places, tuple(slice(*item) if isinstance(item, tuple) else item for item in fixed))
        return found, found.shape
    apart, axes = basic_part(places, fixed)
    indices = as_positions(arrays, fixed, apart, axes)
    indices = indices if wraps else only_from_the_front(indices, apart, axes)
    beside = side_by_side(fixed)
    found = as_value(gathered(apart, axes, indices, beside))
    if not drops:
        return found, found.shape
    return emit("where", inside(apart, found, axes, indices, beside), found, size_scalar(value, total)), found.shape
