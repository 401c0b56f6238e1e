"""`x[...]` and `x.at[...]` as NumPy and JAX read them, on arrays and Values.

An index is split into what is fixed (ints, slices, None, the order of everything) and its arrays. Arrays are broadcast together and become
one position along the axes they stand for; a change is a scatter to the positions that the same index would read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

import numpy as np

from rlx.core.dim import Dim, Size
from rlx.core.dtype import DType, i32
from rlx.core.errors import RlxError
from rlx.core.shape import is_zero
from rlx.frontends.dispatch import ArrayLike, array_function, as_value, emit, promote_values, size_of
from rlx.frontends.numpy.creation import ones_like, zeros_like
from rlx.frontends.numpy.elementwise import negative
from rlx.frontends.numpy.movement import broadcast_sizes, broadcast_to, moveaxis
from rlx.frontends.numpy.ordering import nonzero, or_fill
from rlx.frontends.numpy.selection import where
from rlx.functions.control_flow import scan, while_loop
from rlx.ir.array_methods import Array, index_value
from rlx.ir.emit import constant, size_scalar
from rlx.ir.questions import known_int
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import ConcreteArray


@dataclass(frozen=True)
class _ArrayPlace:
    """An array inside an index, by its number; a single bool stands for an axis that it makes itself."""

    number: int
    new_axis: bool = False


Item = Any  # int, Dim, (start, stop, step), None, or _ArrayPlace


def _plain_index(item: Any) -> Any:
    """Simplifies one part of an index: known integer arrays without axes become ints, and ends of slices known sizes."""
    if isinstance(item, (list, np.ndarray, np.generic, ConcreteArray)):
        array = item._array if isinstance(item, ConcreteArray) else np.asarray(item)
        if array.size == 0 and isinstance(item, list):
            array = array.astype(np.int32)
        if array.ndim == 0 and array.dtype.kind in "iu":
            return int(array)
        return array
    if isinstance(item, slice):
        ends = [_slice_end(end) for end in (item.start, item.stop, item.step)]
        return slice(*ends)
    return item


def _slice_end(end: Any) -> Any:
    if isinstance(end, Value):
        known = known_int(end) if end.dtype.is_integer else None
        if known is not None:
            return known
        fix = "rlx.lax.dynamic_slice(x, starts, sizes): the size is static there"
        raise RlxError("RLX115", f"a slice that starts or ends at the traced {end!r} has no static size", fix=fix)
    return end if end is None or isinstance(end, Dim) else int(end.__index__())


@dataclass(frozen=True)
class _Truth:
    """A single bool as an index: a new axis of size 1 or 0."""

    holds: bool


def _expand_masks(index: Any, shape: Sequence[Size]) -> list[Any]:
    """Expands masks in an index to positions along their axes, single bools to `_Truth`; '...' stays."""
    given = [_plain_index(item) for item in (index if isinstance(index, tuple) else (index,))]
    after_dots = sum(_count_axes(item) for item in given[_place_of_dots(given) :])
    items: list[Any] = []
    axis = 0
    for item in given:
        if item is Ellipsis:
            axis = len(shape) - after_dots
        if isinstance(item, bool) or (_is_mask(item) and item.ndim == 0):
            items.append(_Truth(bool(item)))
        elif _is_mask(item):
            _check_mask(item, shape[axis : axis + item.ndim])
            items += [part.astype(np.int32) for part in np.nonzero(item)]
        elif _is_traced_mask(item):
            items += _positions(item)
        else:
            items.append(item)
        axis += _count_axes(item)
    return items


def _place_of_dots(items: list[Any]) -> int:
    dots = [i for i, item in enumerate(items) if item is Ellipsis]
    if len(dots) > 1:
        raise RlxError("RLX115", "an index with more than one '...'", fix="one at most")
    return dots[0] if dots else len(items)


def _is_traced_mask(item: Any) -> bool:
    return isinstance(item, Value) and item.dtype.is_bool and item.rank > 0


def _positions(mask: Value) -> list[Any]:
    """The positions where a traced mask is true, if the call that is traced tells how many there are."""
    count = known_int(mask.astype("i32").sum())
    return [mask] if count is None else list(nonzero(mask, size=count))


def _is_mask(item: Any) -> bool:
    return isinstance(item, np.ndarray) and item.dtype == bool


def _count_axes(item: Any) -> int:
    """The number of axes that one part of an index consumes."""
    if item is None or item is Ellipsis or isinstance(item, (bool, _Truth)):
        return 0
    return item.ndim if _is_mask(item) or _is_traced_mask(item) else 1


def _check_mask(mask: np.ndarray[Any, Any], sizes: Sequence[Size]) -> None:
    fits = len(sizes) == mask.ndim and all(
        own == 0 or not isinstance(size, int) or size == own for size, own in zip(sizes, mask.shape, strict=True)
    )
    if not fits:
        message = f"a mask of shape {list(mask.shape)} for axes of the sizes {list(sizes)}"
        raise RlxError("RLX115", message, fix="the sizes of the axes it stands for, or 0")


def split_index(index: Any, shape: Sequence[Size], ints_inside: bool = True) -> tuple[tuple[Item, ...], list[Any]]:
    """Splits an index into its fixed part, with one entry for each axis and new axis, and its arrays.

    Without `ints_inside`, an int that is not inside its axis is an array, for which there are modes.
    """
    items = _expand_masks(index, shape)
    rank, used = len(shape), sum(map(_count_axes, items))
    if used > rank:
        raise RlxError("RLX115", f"an index with {used} positions for an array of {rank} axes", fix=f"at most {rank}")
    dots = _place_of_dots(items)
    items[dots : dots + 1] = [slice(None)] * (rank - used)
    fixed: list[Item] = []
    arrays: list[Any] = []
    sizes = iter(shape)
    for item in items:
        size = next(sizes) if _count_axes(item) else 1
        if not ints_inside and isinstance(item, int) and isinstance(size, int) and not 0 <= item < size:
            item = np.asarray(item, np.int32)
        if isinstance(item, _Truth):
            fixed.append(_ArrayPlace(len(arrays), new_axis=True))
            arrays.append(np.zeros(int(item.holds), np.int32))
        elif isinstance(item, (Value, np.ndarray)):
            _check_index_array(item)
            fixed.append(_ArrayPlace(len(arrays)))
            arrays.append(item)
        elif isinstance(item, slice):
            fixed.append((item.start, item.stop, item.step))
        elif item is None or isinstance(item, Dim):
            fixed.append(item)
        elif hasattr(item, "__index__"):
            fixed.append(int(item.__index__()))
        else:
            raise RlxError("RLX115", f"an index of {item!r:.60}", fix="ints, slices, None, ... or arrays of integers")
    return tuple(fixed), arrays


def _check_index_array(item: Any) -> None:
    kind = item.dtype if isinstance(item, Value) else None
    if kind is not None and kind.is_bool:
        fix = "rnp.where(mask, x, other), x.at[mask].set(y), or rnp.nonzero(mask, size=n) for a known number"
        raise RlxError("RLX115", f"the mask {item!r} has a number of elements that is known only in a run", fix=fix)
    if (kind is not None and not kind.is_integer) or (kind is None and item.dtype.kind not in "iu"):
        raise RlxError("RLX115", f"an index of {item.dtype}", fix="integers, or bools as a mask")


def getitem(x: ArrayLike, index: Any) -> Any:
    """`x[index]`."""
    if isinstance(x, ConcreteArray) and (view := _static_getitem(x, index)) is not None:
        return view
    fixed, arrays = split_index(index, x.shape)
    return take_at(x, *arrays, fixed=fixed)


def _static_getitem(x: ConcreteArray, index: Any) -> Array | None:
    """Indexes a concrete Array by basic indexing: a view."""
    items = index if isinstance(index, tuple) else (index,)
    basic = (int, slice, type(None), type(Ellipsis), np.integer)
    if not all(isinstance(item, basic) and not isinstance(item, bool) for item in items):
        return None
    try:
        return ConcreteArray(np.asarray(x._array[index]))
    except IndexError as error:
        raise RlxError("RLX115", f"{error}", fix=f"positions inside the shape {x.shape}") from None


@array_function
def take_at(x: ArrayLike, *indices: ArrayLike, fixed: tuple[Item, ...], wraps: bool = True) -> Array:
    """Gathers what an index reads; positions outside are clamped."""
    like = next(each for each in (x, *indices) if isinstance(each, Value))
    value = as_value(x, like)
    if not indices:
        return index_value(value, tuple(slice(*item) if isinstance(item, tuple) else item for item in fixed))
    apart, places = basic_part(value, fixed)
    arrays = as_positions([as_value(each, value) for each in indices], fixed, apart, places)
    arrays = arrays if wraps else only_from_the_front(arrays, apart, places)
    return gather_along(apart, places, arrays, side_by_side(fixed))


def basic_part(value: Value, fixed: tuple[Item, ...]) -> tuple[Value, list[int]]:
    """Applies slices and new axes; returns also which axes the arrays and ints stand for."""
    basic = tuple(slice(*item) if isinstance(item, tuple) else None if _makes_axis(item) else slice(None) for item in fixed)
    places = [i for i, item in enumerate(fixed) if item is not None and not isinstance(item, tuple)]
    return index_value(value, basic), places


def _makes_axis(item: Item) -> bool:
    return item is None or (isinstance(item, _ArrayPlace) and item.new_axis)


def as_positions(arrays: list[Value], fixed: tuple[Item, ...], apart: Value, places: list[int]) -> list[Value]:
    """Lists the arrays and ints of an index in the order of their axes."""
    positions = []
    for axis in places:
        item = fixed[axis]
        if isinstance(item, _ArrayPlace):
            positions.append(as_dtype(arrays[item.number], i32) if arrays[item.number].dtype is not i32 else arrays[item.number])
        else:
            size = apart.shape[axis]
            if isinstance(size, int) and isinstance(item, int) and not -size <= item < size:
                raise RlxError("RLX115", f"index {item} is out of range for size {size}", fix=f"{-size} to {size - 1}")
            positions.append(constant(apart.graph, item, i32) if isinstance(item, int) else size_scalar(apart, item))
    return positions


def side_by_side(fixed: tuple[Item, ...]) -> bool:
    """Whether arrays and ints of an index are adjacent: then the axes they make stay where they were."""
    places = [i for i, item in enumerate(fixed) if isinstance(item, (_ArrayPlace, int, Dim))]
    return places[-1] - places[0] + 1 == len(places)


def gather_along(x: Value, places: list[int], arrays: list[Value], beside: bool, outside: str = "clip") -> Array:
    """Gathers by arrays along the axes they stand for. `outside="fill"` may leave anything at positions outside."""
    if len(places) == 1:
        return emit("gather", x, arrays[0], axis=places[0], mode=outside)
    flat, position, shape = _one_axis(x, places, arrays)
    rows = emit("gather", flat, position, axis=0)
    return moveaxis(rows, tuple(range(len(shape))), tuple(range(places[0], places[0] + len(shape)))) if beside else rows


def _one_axis(x: Value, places: Sequence[int], arrays: Sequence[Value]) -> tuple[Value, Value, tuple[Size, ...]]:
    """Merges the leading axes of the arrays into one, with the position along it; clamps what is outside of an axis."""
    front = as_value(moveaxis(x, tuple(places), tuple(range(len(places)))))
    sizes = front.shape[: len(places)]
    shape = broadcast_sizes(*(array.shape for array in arrays))
    position: Value | None = None
    for array, size in zip(arrays, sizes, strict=True):
        limit = size_scalar(x, size)
        inside = emit("clamp", emit("where", array < 0, array + limit, array), 0, emit("max", limit - 1, 0))
        position = inside if position is None else position * limit + inside
    assert position is not None
    flat = front.reshape((size_of(sizes), *front.shape[len(places) :]))
    return flat, as_value(broadcast_to(position, shape)), shape


def only_from_the_front(arrays: Sequence[Value], x: Value, places: Sequence[int]) -> list[Value]:
    """Moves negative positions outside of their axes, so that they do not count from the end."""
    limits = [size_scalar(x, x.shape[axis]) for axis in places]
    return [emit("where", array < 0, -limit - 1, array) for array, limit in zip(arrays, limits, strict=True)]


def inside(x: Value, elements: Value, places: Sequence[int], arrays: Sequence[Value], beside: bool) -> Array:
    """Mask of the positions that gave `elements` and lie inside of their axes, in a shape that broadcasts with it."""
    shape = broadcast_sizes(*(array.shape for array in arrays))
    holds: Value | None = None
    for array, axis in zip(arrays, places, strict=True):
        limit = size_scalar(x, x.shape[axis])
        here = (array < limit) & (array >= -limit)
        holds = here if holds is None else holds & here
    assert holds is not None
    rest = elements.rank - len(shape)
    start = places[0] if beside else 0
    return broadcast_to(holds, shape).reshape((1,) * start + shape + (1,) * (rest - start))


@array_function
def take_or_fill(x: ArrayLike, fill_value: ArrayLike | None, *indices: ArrayLike, fixed: tuple[Item, ...], wraps: bool) -> Value:
    """Gathers what an index reads, and the fill value where it is out of bounds."""
    like = next(each for each in (x, *indices) if isinstance(each, Value))
    value = as_value(x, like)
    apart, places = basic_part(value, fixed)
    arrays = as_positions([as_value(each, value) for each in indices], fixed, apart, places)
    arrays = arrays if wraps else only_from_the_front(arrays, apart, places)
    beside = side_by_side(fixed)
    elements = as_value(gather_along(apart, places, arrays, beside, "fill"))
    return or_fill(elements, as_value(inside(apart, elements, places, arrays, beside)), fill_value)


# -- `x.at[...]`: changed copies of an array -------------------------------------------------------------------------


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
        _, wraps, ints_inside = _read_hints(hints)
        if (hints.get("mode") is None and wraps) or self._mask() is not None:
            return getitem(self._x, self._index)
        fixed, arrays = split_index(self._index, self._x.shape, ints_inside)
        if fills and arrays:
            return take_or_fill(self._x, fill_value, *arrays, fixed=fixed, wraps=wraps)
        return take_at(self._x, *arrays, fixed=fixed, wraps=wraps)

    def set(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """These values instead."""
        return self._change("set", values, hints)

    def add(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """What is there and these, all of them where a position comes twice."""
        return self._change("add", values, hints)

    def subtract(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """What is there less these."""
        return self._change("subtract", values, hints)

    def multiply(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """What is there times these, all of them where a position comes twice."""
        return self._change("mul", values, hints)

    mul = multiply

    def divide(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """What is there divided by these, all of them where a position comes twice. Integers become floats."""
        return self._x / self._product(values, hints)

    def power(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """What is there to the power of these, all of them where a position comes twice."""
        return self._x ** self._product(values, hints)

    def _product(self, values: ArrayLike, hints: Hints) -> Any:
        """Multiplies the values for each position, one elsewhere."""
        return AtIndex(ones_like(self._x), self._index).multiply(values, **hints)

    def max(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """The larger of what is there and these."""
        return self._change("max", values, hints)

    def min(self, values: ArrayLike, **hints: Unpack[Hints]) -> Array:
        """The smaller of what is there and these."""
        return self._change("min", values, hints)

    def apply(self, function: Any, **hints: Unpack[Hints]) -> Array:
        """A function of one element applied there, as often as a position comes."""
        mask = self._mask()
        if mask is not None:
            return _where_mask(self._x, mask, function(self._x), mode="set")
        ints_inside = _read_hints(hints)[2]
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

    def _change(self, mode: str, values: Any, hints: Hints) -> Any:
        drops, wraps, ints_inside = _read_hints(hints)
        if isinstance(values, int) and DType.of(self._x.dtype).is_integer:
            values = np.asarray(values).astype(DType.of(self._x.dtype).numpy)
        mask = self._mask()
        if mask is not None:
            return _where_mask(self._x, mask, values, mode=mode)
        fixed, arrays = split_index(self._index, self._x.shape, ints_inside)
        return _update(self._x, values, *arrays, fixed=fixed, mode=mode, drops=drops, wraps=wraps)


def _read_hints(hints: Hints) -> tuple[bool, bool, bool]:
    """Reads `x.at` hints: whether positions outside are dropped, negative ones count from the end, and ints must lie inside."""
    mode, wraps = hints.get("mode"), hints.get("wrap_negative_indices", True)
    if mode not in _DROPS:
        raise RlxError("RLX109", f"x.at[...] with mode={mode!r}", fix="'drop', 'fill', 'clip' or 'promise_in_bounds'")
    if unknown := hints.keys() - _HINTS:
        message = f"x.at[...] got an unexpected keyword argument {min(unknown)!r}"
        raise RlxError("RLX109", message, fix=f"one of: {', '.join(sorted(_HINTS))}")
    return _DROPS[mode], wraps, mode in (None, "promise_in_bounds") and wraps


_COMBINED = {"add": "add", "mul": "mul", "max": "max", "min": "min"}


def _operands(value: Value, values: Any, mode: str) -> tuple[Value, Value, str]:
    """Converts x and the new values to the dtype of the change; a subtraction adds the negated values."""
    both, new = promote_values(value, values)
    if mode == "set":
        return value, as_dtype(new, value.dtype), mode
    return both, as_value(negative(new)) if mode == "subtract" else new, "add" if mode == "subtract" else mode


@array_function
def _where_mask(x: ArrayLike, mask: ArrayLike, values: ArrayLike, mode: str) -> Value:
    """Changes x where a mask of the leading axes is true."""
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
    positions, known = _flat_positions(value, [as_value(each, value) for each in indices], fixed, drops, wraps)
    flat = there.reshape(size_of(value.shape))
    spread = as_value(broadcast_to(_fitting(new, known), known)).reshape(size_of(known))
    places = positions.reshape(size_of(known))
    if mode == "mul" and there.dtype.is_complex:
        updated = _multiplied_in_turn(flat, places, spread)
    else:
        updated = emit("scatter", flat, places, spread, axis=0, mode=mode, outside="fill")
    return as_dtype(updated, value.dtype).reshape(value.shape)


def _multiplied_in_turn(flat: Value, places: Value, factors: Value) -> Value:
    """Multiplies each factor in turn into its position: `scatter` has no products of complex numbers."""

    def step(whole: Value, row: tuple[Value, Value]) -> tuple[Value, None]:
        index, factor = row
        new = emit("gather", whole, index, axis=0) * factor
        return emit("scatter", whole, index, new, axis=0, mode="set", outside="fill"), None

    return scan(step, flat, (places, factors))[0]


def _fitting(new: Value, shape: Sequence[Size]) -> Value:
    """Drops leading axes of size 1 that the values have and their positions do not."""
    while new.rank > len(shape) and new.shape[0] == 1:
        new = new.reshape(new.shape[1:])
    return new


def _window(value: Value, fixed: tuple[Item, ...]) -> list[tuple[Size, Size]] | None:
    """The (start, length) of each axis if the index is a dense block; None otherwise."""
    ranges: list[tuple[Size, Size]] = []
    sizes = iter(value.shape)
    for item in fixed:
        if item is None:
            continue
        size = next(sizes)
        if isinstance(item, tuple):
            if item == (None, None, None):
                ranges.append((0, size))
                continue
            if not isinstance(size, int) or any(isinstance(end, Dim) for end in item) or item[2] not in (None, 1):
                return None
            start, stop, _ = slice(*item).indices(size)
            ranges.append((start, max(stop - start, 0)))
        elif isinstance(size, int) and isinstance(item, int):
            if not -size <= item < size:
                raise RlxError("RLX115", f"index {item} is out of range for size {size}", fix=f"{-size} to {size - 1}")
            ranges.append((item % size, 1))
        else:
            return None
    return ranges


def _update_window(value: Value, new: Value, fixed: tuple[Item, ...], window: list[tuple[Size, Size]], mode: str) -> Array:
    """Updates a dense block in place."""
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


def _flat_positions(
    value: Value, arrays: list[Value], fixed: tuple[Item, ...], drops: bool, wraps: bool
) -> tuple[Value, tuple[Size, ...]]:
    """The flattened position of every element an index reads; past the end where a change is dropped."""
    total = size_of(value.shape)
    places = emit("iota", shape=(total,), axis=0, dtype=i32, graph=value.graph).reshape(value.shape)
    if not arrays:
        positions = index_value(places, tuple(slice(*item) if isinstance(item, tuple) else item for item in fixed))
        return positions, positions.shape
    apart, axes = basic_part(places, fixed)
    indices = as_positions(arrays, fixed, apart, axes)
    indices = indices if wraps else only_from_the_front(indices, apart, axes)
    beside = side_by_side(fixed)
    positions = as_value(gather_along(apart, axes, indices, beside))
    if not drops:
        return positions, positions.shape
    return emit("where", inside(apart, positions, axes, indices, beside), positions, size_scalar(value, total)), positions.shape
