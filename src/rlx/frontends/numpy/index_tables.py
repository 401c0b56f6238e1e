"""Indices of diagonals and triangles, of places in a shape, and the objects that turn `[...]` into arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import boolean, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_array, as_value
from rlx.frontends.numpy.creation import arange, linspace, ones
from rlx.frontends.numpy.joining import concat
from rlx.frontends.numpy.movement import broadcast_arrays
from rlx.frontends.numpy.ordering import nonzero
from rlx.frontends.numpy.values import emit
from rlx.ir.array_methods import Array
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import ConcreteArray

__all__ = [
    "c_",
    "diag_indices",
    "diag_indices_from",
    "index_exp",
    "ix_",
    "mask_indices",
    "mgrid",
    "ogrid",
    "r_",
    "ravel_multi_index",
    "s_",
    "tril_indices",
    "tril_indices_from",
    "triu_indices",
    "triu_indices_from",
    "unravel_index",
]


def _indices(found: Sequence[Any]) -> tuple[Array, ...]:

    return tuple(ConcreteArray(np.asarray(part).astype(np.int32)) for part in found)


def _static_shape(arr: ArrayLike, what: str) -> tuple[int, ...]:

    shape = arr.shape if isinstance(arr, Value) else as_array(arr).shape
    if not all(isinstance(size, int) for size in shape):
        raise RlxError("RLX202", f"{what} of symbolic sizes {list(shape)}", fix="static sizes")
    return tuple(int(size) for size in shape)


# -- diagonals and triangles ----------------------------------------------------------------------------------------
def diag_indices(n: int, ndim: int = 2) -> tuple[Array, ...]:
    """The indices of the diagonal of an array of n in each of its axes."""
    return (arange(n),) * ndim


def diag_indices_from(arr: ArrayLike) -> tuple[Array, ...]:
    """The indices of the diagonal of an array."""
    shape = _static_shape(arr, "diag_indices_from")
    if len(shape) < 2 or len(set(shape)) > 1:
        raise RlxError("RLX102", f"the diagonal of shape {list(shape)}", fix="at least two axes of one size")
    return diag_indices(shape[0], len(shape))


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, ...]:
    """The indices of what is at and below a diagonal of an n × m array."""
    return _indices(np.tril_indices(n, k, m))


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, ...]:
    """The indices of what is at and above a diagonal of an n × m array."""
    return _indices(np.triu_indices(n, k, m))


def _of_plane(arr: ArrayLike, what: str) -> tuple[int, int]:

    shape = _static_shape(arr, what)
    if len(shape) != 2:
        raise RlxError("RLX102", f"{what} of shape {list(shape)}", fix="two axes")
    return shape[0], shape[1]


def tril_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, ...]:
    """The indices of the lower triangle of an array."""
    rows, columns = _of_plane(arr, "tril_indices_from")
    return tril_indices(rows, k, columns)


def triu_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, ...]:
    """The indices of the upper triangle of an array."""
    rows, columns = _of_plane(arr, "triu_indices_from")
    return triu_indices(rows, k, columns)


def mask_indices(n: int, mask_func: Callable[..., Any], k: int = 0, *, size: int | None = None) -> tuple[Array, ...]:
    """The indices of what a function such as `rnp.triu` leaves of an n × n array of ones."""
    kept = mask_func(ones((n, n)), k=k) if mask_func.__name__ in ("tril", "triu") else mask_func(ones((n, n)), k)
    return nonzero(kept, size=size)


# -- places in a shape ----------------------------------------------------------------------------------------------
def ix_(*args: ArrayLike) -> tuple[Array, ...]:
    """Indices that pick the rows and columns of a grid: each array along an axis of its own; masks become places."""
    lines: list[Array] = [each if isinstance(each, Value) else as_array(each) for each in args]
    found: list[Any] = []
    for i, line in enumerate(lines):
        if len(line.shape) != 1:
            raise RlxError("RLX102", f"ix_ of shape {list(line.shape)}", fix="arrays of one axis")
        if line.dtype == boolean:
            line = nonzero(line)[0]
        found.append(line.reshape((1,) * i + tuple(line.shape) + (1,) * (len(lines) - i - 1)))
    return tuple(found)


@array_function
def unravel_index(indices: ArrayLike, shape: int | Sequence[int]) -> tuple[Array, ...]:
    """The index along each axis of places counted in the flattened array; outside, the nearest inside."""
    value = as_value(indices)
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    total = math.prod(sizes)
    rest = emit("where", value < 0, value + total, value)
    rest = emit("clamp", rest, 0, max(total - 1, 0))
    found = []
    for size in reversed(sizes):
        found.append(emit("mod", rest, max(size, 1)))
        rest = emit("floor_div", rest, max(size, 1))
    return tuple(reversed(found))


@array_function
def ravel_multi_index(multi_index: Sequence[ArrayLike], dims: Sequence[int], mode: str = "raise", order: str = "C") -> Value:
    """The place in the flattened array of indices along each axis. With mode='raise' they are taken to be inside."""
    if mode not in ("raise", "wrap", "clip") or order not in ("C", "F"):
        message = f"ravel_multi_index with mode={mode!r}, order={order!r}"
        raise RlxError("RLX109", message, fix="'raise', 'wrap' or 'clip'; 'C' or 'F'")
    if len(multi_index) != len(dims):
        raise RlxError("RLX102", f"{len(multi_index)} indices for {len(dims)} axes", fix="one for each axis")
    like = next(each for each in multi_index if isinstance(each, Value))
    values = map(as_value, broadcast_arrays(*(as_dtype(as_value(each, like), i32) for each in multi_index)))
    found: Value | None = None
    pairs = list(zip(values, dims, strict=True))
    for value, size in pairs if order == "C" else reversed(pairs):
        inside = value if mode == "raise" else emit("mod", value, size)
        inside = emit("clamp", value, 0, size - 1) if mode == "clip" else inside
        found = inside if found is None else found * size + inside
    assert found is not None
    return found


# -- r_[...], c_[...], mgrid[...] -----------------------------------------------------------------------------------
def _range_of(item: slice) -> Array:
    """A slice as numbers: start, stop, step, or with 2j so many between both ends."""
    start, stop, step = item.start, item.stop, item.step
    start, step = 0 if start is None else start, 1 if step is None else step
    if isinstance(step, complex):
        return linspace(start, stop, int(abs(step)))
    return arange(start, stop, step)


class CoordinateGrid:
    """`mgrid[a:b, c:d]`, whole grids of coordinates, or `ogrid`, one axis each."""

    def __init__(self, sparse: bool) -> None:
        self._sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        """The coordinates of each axis."""
        if not isinstance(key, tuple):
            return _range_of(key)
        lines = [np.asarray(_range_of(each)) for each in key]
        common = np.float32 if any(line.dtype.kind == "f" for line in lines) else np.int32
        found = np.meshgrid(*(line.astype(common) for line in lines), indexing="ij", sparse=self._sparse)
        if self._sparse:
            return [ConcreteArray(np.ascontiguousarray(part)) for part in found]
        return ConcreteArray(np.stack(found) if found else np.zeros(0, np.int32))


class JoinedParts:
    """`r_[...]` and `c_[...]`: slices, numbers and arrays put together; a first string says along which axis."""

    def __init__(self, axis: int, rank: int, place: int) -> None:
        self._settings = axis, rank, place

    def __getitem__(self, key: Any) -> Any:
        """All parts along one axis."""
        parts = list(key) if isinstance(key, tuple) else [key]
        axis, rank, place = self._settings
        if parts and isinstance(parts[0], str):
            numbers = [int(each) for each in parts.pop(0).split(",")]
            axis, rank, place = (*numbers, *(0, 1, -1)[len(numbers) :])
        return concat([_with_rank(each, rank, place) for each in parts], axis)


def _with_rank(part: Any, rank: int, place: int) -> Any:
    """A part with at least so many axes; its own stand where `place` says."""
    value = _range_of(part) if isinstance(part, slice) else part if isinstance(part, Value) else as_array(part)
    own = len(value.shape)
    if own == 0:
        return value.reshape((1,) * max(rank, 1))
    missing = rank - own
    if missing <= 0:
        return value
    before = missing if place == -1 else min(place, missing)
    return value.reshape((1,) * before + tuple(value.shape) + (1,) * (missing - before))


mgrid, ogrid = CoordinateGrid(sparse=False), CoordinateGrid(sparse=True)
r_, c_ = JoinedParts(0, 1, -1), JoinedParts(-1, 2, 0)
s_, index_exp = np.s_, np.index_exp
