"""Array memory: aligned to cache lines; weights, which are streamed, in huge pages."""

from __future__ import annotations

import itertools
import math
import mmap
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DType
from rlx.core.errors import RlxError

# -- arrays passed by callers: NumPy arrays and whatever converts to one without loss; everything else is an error that names it


Array = npt.NDArray[Any]

_RANKS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}  # which kinds hold which, by NumPy's kind letters


def as_array(value: Any, what: str, code: str = "RLX504") -> Array:
    """A dense NumPy array from an array, a scalar, an object with `__array__` or `__dlpack__`, a number, or lists of numbers.

    >>> as_array([1, 2], "the input 'x'")
    array([1, 2])
    """
    if type(value) is not np.ndarray and _is_masked(value):
        message = f"{what} is a masked array; RLX does not support masks"
        raise RlxError(code, message, fix="pass array.filled(0), or the mask as a separate array")
    if isinstance(value, (str, bytes)) or value is None:
        raise RlxError(code, f"{what} is {_short(value)}, {type(value).__name__}", fix=_FIX)
    try:
        array = np.from_dlpack(value) if hasattr(value, "__dlpack__") and not hasattr(value, "__array__") else np.asarray(value)
    except RlxError:
        raise
    except Exception as error:  # the object's own conversion can raise anything
        reason = " ".join(str(error).split()) or type(error).__name__
        raise RlxError(
            code, f"{what} is a {type(value).__name__} that cannot be converted to an array: {reason}", fix=_FIX
        ) from error
    if array.dtype == object:
        return _of_objects(value, array, what, code)
    return array


def _is_masked(value: Any) -> bool:
    """Whether `value` is a masked array: only a process that has imported `numpy.ma` has one, and importing it takes 13 ms."""
    return isinstance(value, getattr(sys.modules.get("numpy.ma"), "MaskedArray", ()))


_FIX = "pass a NumPy array, or something that converts to one: a number, lists of numbers"


def _of_objects(value: Any, array: Array, what: str, code: str) -> Array:
    """Returns an object array of integers beyond 64 bits, which NumPy stores as objects; raises for any other objects."""
    items = array.ravel().tolist()
    large = next((item for item in items if isinstance(item, int) and not -(2**63) <= item < 2**64), None)
    if large is not None and all(isinstance(item, (int, float)) for item in items):
        if isinstance(value, np.ndarray):
            raise RlxError(code, f"{what} holds the integer {large}, which has more than 64 bits", fix=_FIX)
        return array
    wrong = next((item for item in items if not isinstance(item, (int, float, complex))), value)
    raise RlxError(code, f"{what} is a {type(value).__name__} that contains {_short(wrong)}", fix=_FIX)


def in_dtype(value: Any, dtype: DType, what: str, code: str = "RLX504") -> Array:
    """Converts Python numbers or lists of them to a dtype; raises if a value does not fit (1.5 in i32, 300 in u8).

    >>> in_dtype([1, 2], DType.of("u8"), "the input 'x'")
    array([1, 2], dtype=uint8)
    """
    array = as_array(value, what, code)
    if not array.size:
        return array.astype(dtype.numpy)
    large = array.dtype == object
    kind = 1 if large else _RANKS.get(array.dtype.kind, 4)
    room = 0 if dtype.is_bool else 1 if dtype.is_integer else 3 if dtype.is_complex else 2
    if kind > room:
        given = {1: "an integer", 2: "a fraction", 3: "a complex number"}.get(kind, f"of {array.dtype}")
        raise RlxError(code, f"{what} is declared {dtype}, but {_short(value)} is {given}", fix=f"pass numbers that fit {dtype}")
    if dtype.is_integer and kind == 1:
        info = np.iinfo(dtype.numpy)  # type: ignore[type-var]
        low, high = array.min(), array.max()
        if low < info.min or high > info.max:
            number = low if low < info.min else high
            raise RlxError(code, f"{what} is declared {dtype}, which cannot hold {number}", fix=f"{info.min} to {info.max}")
    try:
        return array.astype(dtype.numpy)
    except OverflowError as error:
        raise RlxError(code, f"{what} is declared {dtype}, which cannot hold {_short(value)}: {error}") from error


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


# -- arrays in a read-only memory-mapped file: nobody can change them, so they need no copy, and their pages can be released


def is_mapped(array: Any) -> bool:
    """Whether the array is dense and its memory a mapping that nobody in this process can write to.

    >>> is_mapped(np.zeros(3)), is_mapped(np.frombuffer(mmap.mmap(-1, 8), np.uint8))
    (False, False)
    """
    return _mapping(array) is not None and array.flags.c_contiguous


def drop_pages(array: Any) -> None:
    """Release the pages that lie entirely within a mapped array: the next use reads them from the file again."""
    mapping = _mapping(array)
    if mapping is None or not hasattr(mmap, "MADV_DONTNEED"):
        return
    start = array.ctypes.data - np.frombuffer(mapping, np.uint8).ctypes.data
    first, last = -(-start // mmap.PAGESIZE) * mmap.PAGESIZE, (start + array.nbytes) // mmap.PAGESIZE * mmap.PAGESIZE
    if last > first:
        mapping.madvise(mmap.MADV_DONTNEED, first, last - first)


def _mapping(array: Any) -> mmap.mmap | None:
    """The read-only memory mapping that an array is a view of; None if there is none."""
    owner = array
    while isinstance(owner, np.ndarray):
        if owner.flags.writeable:
            return None
        owner = owner.base
    if isinstance(owner, memoryview):
        owner = owner.obj if owner.readonly else None
    return owner if isinstance(owner, mmap.mmap) else None


# -- A failed allocation is an error with the number of bytes and their purpose --------------------------------------


def not_enough(count: int, what: str) -> RlxError:
    """Returns the error for bytes that the system could not allocate."""
    size = f"{count} bytes ({count / 2**30:.1f} GiB)" if count >= 1 << 30 else f"{count} bytes"
    return RlxError("RLX514", f"{what} takes {size}, which the system could not allocate")


@contextmanager
def memory_for(what: str) -> Iterator[None]:
    """Converts a MemoryError raised inside (by NumPy or others) to RLX514."""
    try:
        yield
    except MemoryError as error:
        raise RlxError("RLX514", f"{what} does not fit in memory: {error}", at=None) from error


LINE = 64
"""Bytes of a cache line: arrays start on one, so an allocation can be larger by this much."""
_LARGE_PAGE = 2 << 20
_SPREAD = 317 * 4096
"""Bytes between the beginnings of arrays in their first huge pages: by the golden ratio, so that any number of them is spread evenly."""
_filled = itertools.count()
_SLAB = 256 << 20
"""Bytes of address space for weights, of which none is larger than half of it; what is written takes memory, one huge page at a time."""
_OWN_PAGES = 1 << 20
"""Bytes from which on a param has pages of its own."""
_PRIVATE = hasattr(mmap, "MAP_PRIVATE")


def aligned_zeros(dims: Iterable[int], dtype: np.dtype[Any]) -> Array:
    """Allocates an array of zeros; the system commits its memory at the first write."""
    return aligned_empty(dims, dtype, np.zeros)


def aligned_empty(dims: Iterable[int], dtype: np.dtype[Any], made: Callable[..., Array] = np.empty) -> Array:
    """Allocates an array whose data starts on a cache line."""
    shape = tuple(dims)
    count = _byte_count(shape, dtype)
    try:
        room = made(count + LINE, np.uint8)
    except (MemoryError, ValueError) as error:  # ValueError: too large for NumPy
        raise not_enough(count, _describe_array(shape, dtype)) from error
    return _from_line(room, 0, count).view(dtype).reshape(shape)


def filled_over_time(dims: Iterable[int], dtype: np.dtype[Any]) -> Array:
    """Allocates zeros that are filled from the start, as the pages of a cache are: unwritten pages take no memory.

    The first 2 MB are in small pages, since a huge one is committed by its first byte: a model has two arrays for each layer, and a short
    sequence needs 100 KB of each. What follows is in huge pages, as NumPy has it for all large arrays. Each array begins elsewhere in its
    first page: arrays that are written side by side need their next huge pages one after the other, not sixty of them in one step (0.1 s).

    >>> filled_over_time((3, 5), np.dtype(np.float32)).any()
    np.False_
    """
    shape = tuple(dims)
    count = _byte_count(shape, dtype)
    if count <= _LARGE_PAGE or not _SLABS.exist:
        return aligned_zeros(shape, dtype)
    try:
        mapping = _anonymous(count + _LARGE_PAGE)
    except (OSError, OverflowError) as error:
        raise not_enough(count, _describe_array(shape, dtype)) from error
    offset = (next(_filled) * _SPREAD - _address(mapping)) % _LARGE_PAGE
    mapping.madvise(mmap.MADV_HUGEPAGE, _page_after(offset + _LARGE_PAGE))
    return np.frombuffer(mapping, np.uint8, count, offset).view(dtype).reshape(shape)


def give_back(array: Array, start: int = 0) -> None:
    """Returns the memory after the first `start` bytes of a `filled_over_time` array to the system; it reads as zeros afterwards.

    >>> array = filled_over_time((3, 1 << 20), np.dtype(np.float32))
    >>> array[...] = 1
    >>> give_back(array, 4 << 20); array[:, 0].tolist()
    [1.0, 0.0, 0.0]
    """
    root: Any = array
    while isinstance(root, np.ndarray) and root.base is not None:
        root = root.base
    mapping = root.obj if isinstance(root, memoryview) else root
    if not isinstance(mapping, mmap.mmap) or len(mapping) != array.nbytes + _LARGE_PAGE:
        return  # small, from the heap
    first = _page_after(array.ctypes.data - _address(mapping) + start)
    if first < len(mapping):
        mapping.madvise(mmap.MADV_DONTNEED, first)


def aligned_copy(array: Array) -> Array:
    """Copies an array to a dense one that starts on a cache line."""
    copy = aligned_empty(array.shape, array.dtype)
    copy[...] = array
    return copy


def param_copy(array: Array) -> Array:
    """Copies a param into pages of its own, which the system gets back when the copy is freed; a heap allocation might not return them.

    >>> param_copy(np.arange(3)).tolist()
    [0, 1, 2]
    """
    if array.nbytes < _OWN_PAGES or not _PRIVATE:
        return aligned_copy(array)
    try:
        mapping = _anonymous(array.nbytes)
    except (OSError, OverflowError) as error:
        raise not_enough(array.nbytes, _describe_array(array.shape, array.dtype)) from error
    if hasattr(mmap, "MADV_HUGEPAGE"):
        mapping.madvise(mmap.MADV_HUGEPAGE)
    copy = np.frombuffer(mapping, array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def weights_empty(dims: Iterable[int], dtype: np.dtype[Any]) -> Array:
    """Allocates an array for weights, in huge pages if available: streaming through 4 KB pages stalls at every page boundary.

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
        raise not_enough(count, _describe_array(shape, dtype)) from error


class _Slabs:
    """Slabs of anonymous memory, advised to use huge pages, from which `weights_empty` allocates front to back."""

    exist = hasattr(mmap, "MADV_HUGEPAGE") and _PRIVATE

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._slab: Callable[[], mmap.mmap | None] = lambda: None  # a weak reference: its arrays keep it alive
        self._used = 0

    def take(self, count: int) -> Array:
        """Allocates `count` bytes of a slab, aligned to a cache line; a large array gets a slab of its own."""
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
    """Maps a new slab; returns it and the offset of its first huge page. It is only as large as needed if the system grants no more."""
    try:
        return _large_pages(_SLAB)
    except OSError:
        return _large_pages(count)


def _part_of(slab: mmap.mmap, start: int, count: int) -> Array:
    """Returns `count` bytes of a slab as an array; freeing the array returns the pages it does not share, though the slab may stay."""
    part = np.frombuffer(slab, np.uint8, count, start)
    first, last = -(-start // mmap.PAGESIZE) * mmap.PAGESIZE, (start + count) // mmap.PAGESIZE * mmap.PAGESIZE
    if first < last:
        weakref.finalize(part, slab.madvise, mmap.MADV_DONTNEED, first, last - first).atexit = False
    return part


def _large_pages(count: int) -> tuple[mmap.mmap, int]:
    """Maps memory for `count` bytes in huge pages; returns it and the offset of the first huge page."""
    mapping = _anonymous(count + _LARGE_PAGE)
    mapping.madvise(mmap.MADV_HUGEPAGE)
    return mapping, -_address(mapping) % _LARGE_PAGE


def _anonymous(count: int) -> mmap.mmap:
    return mmap.mmap(-1, count, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


def _address(mapping: mmap.mmap) -> int:
    return np.frombuffer(mapping, np.uint8).ctypes.data


def _page_after(offset: int) -> int:
    return -(-offset // mmap.PAGESIZE) * mmap.PAGESIZE


def _from_line(room: Array, start: int, count: int) -> Array:
    """Slices `count` bytes from the first cache line at or after `start`."""
    skip = start + -(room.ctypes.data + start) % LINE
    return room[skip : skip + count]


def _describe_array(shape: tuple[int, ...], dtype: np.dtype[Any]) -> str:
    return f"an array {DType.of(dtype)}{list(shape)}"


def _byte_count(shape: tuple[int, ...], dtype: np.dtype[Any]) -> int:
    return math.prod(shape) * dtype.itemsize


_SLABS = _Slabs()
