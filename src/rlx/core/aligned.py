"""Array memory: aligned to cache lines; weights, which are streamed, in huge pages."""

from __future__ import annotations

import math
import mmap
import threading
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.allocation import not_enough
from rlx.core.dtype import DType

Array = npt.NDArray[Any]

LINE = 64
"""Bytes of a cache line: arrays start on one, so an allocation can be larger by this much."""
_LARGE_PAGE = 2 << 20
_SLAB = 256 << 20
"""Bytes of address space for weights, of which none is larger than half of it; what is written takes memory, one huge page at a time."""
_OWN_PAGES = 1 << 20
"""Bytes from which on a param has pages of its own."""
_PRIVATE = hasattr(mmap, "MAP_PRIVATE")


def aligned_zeros(dims: Iterable[int], dtype: np.dtype[Any]) -> Array:
    """Zeros; memory is committed when they are first written."""
    return aligned_empty(dims, dtype, np.zeros)


def aligned_empty(dims: Iterable[int], dtype: np.dtype[Any], made: Callable[..., Array] = np.empty) -> Array:
    """An array that starts on a cache line."""
    shape = tuple(dims)
    count = _byte_count(shape, dtype)
    try:
        room = made(count + LINE, np.uint8)
    except (MemoryError, ValueError) as error:  # ValueError: too large for NumPy
        raise not_enough(count, _described(shape, dtype)) from error
    return _from_line(room, 0, count).view(dtype).reshape(shape)


def filled_over_time(dims: Iterable[int], dtype: np.dtype[Any]) -> Array:
    """Zeros that are written from their start on, as the pages of a cache are: what is not written takes no memory.

    The first 2 MB are in small pages, since a huge one is committed by its first byte: a model has two arrays for each layer, and a short
    sequence needs 100 KB of each. What follows is in huge pages, as NumPy has it for all large arrays.

    >>> filled_over_time((3, 5), np.dtype(np.float32)).any()
    np.False_
    """
    shape = tuple(dims)
    count = _byte_count(shape, dtype)
    if count <= _LARGE_PAGE or not _SLABS.exist:
        return aligned_zeros(shape, dtype)
    try:
        mapping = _anonymous(count)
    except (OSError, OverflowError) as error:
        raise not_enough(count, _described(shape, dtype)) from error
    mapping.madvise(mmap.MADV_HUGEPAGE, _LARGE_PAGE)
    return np.frombuffer(mapping, dtype).reshape(shape)


def give_back(array: Array, start: int = 0) -> None:
    """The memory behind the first `start` bytes of what `filled_over_time` made goes back to the system, and is zeros when next read.

    >>> array = filled_over_time((3, 1 << 20), np.dtype(np.float32))
    >>> array[...] = 1
    >>> give_back(array, 4 << 20); array[:, 0].tolist()
    [1.0, 0.0, 0.0]
    """
    root: Any = array
    while isinstance(root, np.ndarray) and root.base is not None:
        root = root.base
    mapping = root.obj if isinstance(root, memoryview) else root
    if not isinstance(mapping, mmap.mmap) or len(mapping) != array.nbytes:
        return  # small, from the heap
    first = -(-start // mmap.PAGESIZE) * mmap.PAGESIZE
    if first < len(mapping):
        mapping.madvise(mmap.MADV_DONTNEED, first)


def aligned_copy(array: Array) -> Array:
    """A dense copy that starts on a cache line."""
    copy = aligned_empty(array.shape, array.dtype)
    copy[...] = array
    return copy


def param_copy(array: Array) -> Array:
    """A dense copy in pages of its own, which go back to the system with it: from the heap, large arrays among others might not.

    >>> param_copy(np.arange(3)).tolist()
    [0, 1, 2]
    """
    if array.nbytes < _OWN_PAGES or not _PRIVATE:
        return aligned_copy(array)
    try:
        mapping = _anonymous(array.nbytes)
    except (OSError, OverflowError) as error:
        raise not_enough(array.nbytes, _described(array.shape, array.dtype)) from error
    if hasattr(mmap, "MADV_HUGEPAGE"):
        mapping.madvise(mmap.MADV_HUGEPAGE)
    copy = np.frombuffer(mapping, array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def weights_empty(dims: Iterable[int], dtype: np.dtype[Any]) -> Array:
    """An array for weights, in huge pages if the system has them: streaming through 4 KB pages stalls at every page boundary.

    Many weights are smaller than a huge page, and none ends with one, so they share slabs and lie side by side in them. The pages of an
    array go back to the system with it, and a slab with its last array.

    >>> weights_empty((3, 5), np.dtype(np.float32)).shape
    (3, 5)
    """
    shape = tuple(dims)
    count = _byte_count(shape, dtype)
    if not _SLABS.exist:
        return aligned_empty(shape, dtype)
    try:
        return _SLABS.take(count).view(dtype).reshape(shape)
    except (OSError, OverflowError) as error:
        raise not_enough(count, _described(shape, dtype)) from error


class _Slabs:
    """Anonymous memory, advised to use huge pages, allocated from its start to its end."""

    exist = hasattr(mmap, "MADV_HUGEPAGE") and _PRIVATE

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._slab: Callable[[], mmap.mmap | None] = lambda: None  # a weak reference: its arrays keep it alive
        self._used = 0

    def take(self, count: int) -> Array:
        """`count` bytes, aligned to a cache line; a large array gets a slab of its own."""
        with self._lock:
            if count >= _SLAB // 2:
                slab, start = _large_pages(count)
                return np.frombuffer(slab, np.uint8, count, start)
            known = self._slab()
            if known is None or self._used + count > len(known):
                known, self._used = _slab_for(count)
                self._slab = weakref.ref(known)
            taken = _part_of(known, self._used, count)
            self._used += -(-count // LINE) * LINE
            return taken


def _slab_for(count: int) -> tuple[mmap.mmap, int]:
    """A new slab, and the offset of its first huge page; only as large as needed where the system grants no more."""
    try:
        return _large_pages(_SLAB)
    except OSError:
        return _large_pages(count)


def _part_of(slab: mmap.mmap, start: int, count: int) -> Array:
    """`count` bytes of a slab; the pages that are theirs alone go back to the system with them, though the slab may stay."""
    part = np.frombuffer(slab, np.uint8, count, start)
    first, last = -(-start // mmap.PAGESIZE) * mmap.PAGESIZE, (start + count) // mmap.PAGESIZE * mmap.PAGESIZE
    if first < last:
        weakref.finalize(part, slab.madvise, mmap.MADV_DONTNEED, first, last - first).atexit = False
    return part


def _large_pages(count: int) -> tuple[mmap.mmap, int]:
    """New memory, and the offset of its first huge page; `count` bytes follow it."""
    mapping = _anonymous(count + _LARGE_PAGE)
    mapping.madvise(mmap.MADV_HUGEPAGE)
    return mapping, -np.frombuffer(mapping, np.uint8).ctypes.data % _LARGE_PAGE


def _anonymous(count: int) -> mmap.mmap:
    return mmap.mmap(-1, count, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


def _from_line(room: Array, start: int, count: int) -> Array:
    """`count` bytes from the first cache line at or after `start`."""
    skip = start + -(room.ctypes.data + start) % LINE
    return room[skip : skip + count]


def _described(shape: tuple[int, ...], dtype: np.dtype[Any]) -> str:
    return f"an array {DType.of(dtype)}{list(shape)}"


def _byte_count(shape: tuple[int, ...], dtype: np.dtype[Any]) -> int:
    return math.prod(shape) * dtype.itemsize


_SLABS = _Slabs()
