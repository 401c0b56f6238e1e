"""Arrays in a read-only memory-mapped file: nobody can change them, so they need no copy, and their pages can be released."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


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
    """The read-only mapping an array is a view of."""
    owner = array
    while isinstance(owner, np.ndarray):
        if owner.flags.writeable:
            return None
        owner = owner.base
    if isinstance(owner, memoryview):
        owner = owner.obj if owner.readonly else None
    return owner if isinstance(owner, mmap.mmap) else None
