"""`x.at[...]`: changed copies of an array. A change is a scatter to the positions that the same index reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.core.dim import Dim, Size
from rlx.core.dtype import i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.creation import ones_like
from rlx.frontends.numpy.elementwise import negative
from rlx.frontends.numpy.indexing import Item, as_positions, basic_part, gathered, getitem, side_by_side, split_index
from rlx.frontends.numpy.movement import broadcast_sizes, broadcast_to
from rlx.frontends.numpy.values import emit, promoted, size_of
from rlx.ir.emit import constant, size_scalar
from rlx.ir.indexing import index_value
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import Array
from rlx.transforms.control_flow import scan

__all__ = [
    "At",
]


class At:
    """`x.at`: an index gives what can be done there."""

    __slots__ = ("_x",)

    def __init__(self, x: Any) -> None:
        self._x = x

    def __getitem__(self, index: Any) -> AtIndex:
        return AtIndex(self._x, index)


class AtIndex:
    """`x.at[index]`: copies of x that are changed there. Positions outside are left out, as in JAX.

    >>> import rlx.numpy as rnp
    >>> rnp.zeros(3).at[rnp.asarray([0, 2, 2])].add(1.0)
    Array([1., 0., 2.], dtype=float32)
    """

    __slots__ = ("_index", "_x")

    def __init__(self, x: Any, index: Any) -> None:
        self._x, self._index = x, index

    def get(self, *, mode: str | None = None, fill_value: Any = None, **hints: Any) -> Array:
        """What is there: `x[index]`."""
        return getitem(self._x, self._index)

    def set(self, values: ArrayLike, **hints: Any) -> Array:
        """These values instead."""
        return self._changed("set", values)

    def add(self, values: ArrayLike, **hints: Any) -> Array:
        """What is there and these, all of them where a position comes twice."""
        return self._changed("add", values)

    def subtract(self, values: ArrayLike, **hints: Any) -> Array:
        """What is there less these."""
        return self._changed("add", -values if isinstance(values, (int, float, complex)) else negative(values))

    def multiply(self, values: ArrayLike, **hints: Any) -> Array:
        """What is there times these, all of them where a position comes twice."""
        return self._changed("mul", values)

    mul = multiply

    def divide(self, values: ArrayLike, **hints: Any) -> Array:
        """What is there divided by these, all of them where a position comes twice."""
        return (self._x / self._product(values)).astype(self._x.dtype)

    def power(self, values: ArrayLike, **hints: Any) -> Array:
        """What is there to the power of these, all of them where a position comes twice."""
        return (self._x ** self._product(values)).astype(self._x.dtype)

    def _product(self, values: ArrayLike) -> Any:
        """The product of the values for each place, and one elsewhere."""
        return AtIndex(ones_like(self._x), self._index).multiply(values)

    def max(self, values: ArrayLike, **hints: Any) -> Array:
        """The larger of what is there and these."""
        return self._changed("max", values)

    def min(self, values: ArrayLike, **hints: Any) -> Array:
        """The smaller of what is there and these."""
        return self._changed("min", values)

    def apply(self, function: Any, **hints: Any) -> Array:
        """A function of what is there."""
        return self._computed(function)

    def _computed(self, function: Any) -> Any:
        mask = self._mask()
        if mask is not None:
            return _where_mask(self._x, mask, function(self._x), mode="set")
        return self._changed("set", function(self.get()))

    def _mask(self) -> Any:
        index = self._index[0] if isinstance(self._index, tuple) and len(self._index) == 1 else self._index
        return index if isinstance(index, Value) and index.dtype.is_bool else None

    def _changed(self, mode: str, values: Any) -> Any:
        mask = self._mask()
        if mask is not None:
            return _where_mask(self._x, mask, values, mode=mode)
        fixed, arrays = split_index(self._index, self._x.shape)
        return _update(self._x, values, *arrays, fixed=fixed, mode=mode)


_COMBINED = {"add": "add", "mul": "mul", "max": "max", "min": "min"}


@array_function
def _where_mask(x: ArrayLike, mask: ArrayLike, values: ArrayLike, mode: str) -> Value:
    """A change where a mask of the leading axes holds."""
    like = next(each for each in (x, mask, values) if isinstance(each, Value))
    value, chosen = as_value(x, like), as_value(mask, like)
    if (
        isinstance(values, Value)
        and values.rank > 0
        and values.rank != value.rank - chosen.rank
        and values.rank != value.rank
    ):
        fix = "one number, rows without the axes of the mask, or rnp.where with an array of the same shape"
        raise RlxError("RLX115", f"{values!r} for the places of a mask of {chosen.type}", fix=fix)
    chosen = chosen.reshape(chosen.shape + (1,) * (value.rank - chosen.rank))
    new = as_dtype(promoted(value, values)[1], value.dtype)
    if mode != "set":
        new = emit(_COMBINED[mode], value, new)
    return emit("where", broadcast_to(chosen, value.shape), new, value)


@array_function
def _update(x: ArrayLike, values: ArrayLike, *indices: ArrayLike, fixed: tuple[Item, ...], mode: str) -> Value:
    like = next(each for each in (x, values, *indices) if isinstance(each, Value))
    value = as_value(x, like)
    new = as_dtype(promoted(value, values)[1], value.dtype)
    if not indices:
        window = _window(value, fixed)
        if window is not None:
            return _update_window(value, new, fixed, window, mode)
    positions, known = _positions(value, [as_value(each, value) for each in indices], fixed)
    flat = value.reshape(size_of(value.shape))
    spread = broadcast_to(_fitting(new, known), known).reshape(size_of(known))
    places = positions.reshape(size_of(known))
    if mode == "mul" and value.dtype.is_complex:
        return _multiplied_in_turn(flat, places, spread).reshape(value.shape)
    found = emit("scatter", flat, places, spread, axis=0, mode=mode, outside="fill")
    return found.reshape(value.shape)


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


def _update_window(
    value: Value, new: Value, fixed: tuple[Item, ...], window: list[tuple[Size, Size]], mode: str
) -> Value:
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


def _positions(value: Value, arrays: list[Value], fixed: tuple[Item, ...]) -> tuple[Value, tuple[Size, ...]]:
    """The place in the flattened array of everything an index reads; past the end where an array points outside."""
    total = size_of(value.shape)
    places = emit("iota", shape=(total,), axis=0, dtype=i32, graph=value.graph).reshape(value.shape)
    if not arrays:
        found = index_value(places, tuple(slice(*item) if isinstance(item, tuple) else item for item in fixed))
        return found, found.shape
    apart, axes = basic_part(places, fixed)
    indices = as_positions(arrays, fixed, apart, axes)
    found = gathered(apart, axes, indices, side_by_side(fixed))
    shape = broadcast_sizes(*(array.shape for array in indices))
    inside: Value | None = None
    for array, axis in zip(indices, axes, strict=True):
        limit = size_scalar(value, apart.shape[axis])
        ok = (array < limit) & (array >= -limit)
        inside = ok if inside is None else inside & ok
    assert inside is not None
    mask = broadcast_to(inside, shape)
    rest = found.rank - len(shape)
    start = axes[0] if side_by_side(fixed) else 0
    mask = mask.reshape((1,) * start + shape + (1,) * (rest - start))
    return emit("where", broadcast_to(mask, found.shape), found, size_scalar(value, total)), found.shape
