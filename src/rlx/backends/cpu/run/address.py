"""What native code reads from NumPy arrays: the address of their data, and whether they look as expected."""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def address_of(array: Array) -> int:
    """The address of the first element, through the documented interface, which builds a dict each time (1 µs)."""
    address: int = array.__array_interface__["data"][0]
    return address


@dataclass(frozen=True)
class ArrayLayout:
    """Offsets of the fields of an array object, in bytes from its `id`. All are pointers, except `rank` and `flags`, which are 32 bits."""

    kind: int
    """The object's type."""
    data: int
    rank: int
    dims: int
    dtype: int
    flags: int

    def describes(self, array: Array) -> bool:
        """Whether it agrees with the documented interface."""
        address, pointer = id(array), ctypes.c_size_t.from_address
        if pointer(address + self.kind).value != id(type(array)) or pointer(address + self.data).value != address_of(array):
            return False
        rank, flags = (ctypes.c_int32.from_address(address + offset).value for offset in (self.rank, self.flags))
        if rank != array.ndim or flags != array.flags.num or pointer(address + self.dtype).value != id(array.dtype):
            return False
        return rank == 0 or tuple((ctypes.c_int64 * rank).from_address(pointer(address + self.dims).value)) == array.shape


def _find_layout() -> ArrayLayout | None:
    """The order of the fields in NumPy's C headers, which every extension relies on. Used only if it is right for some test arrays."""
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return None
    head = object.__basicsize__
    layout = ArrayLayout(head - 8, head, head + 8, head + 16, head + 40, head + 48)
    if np.ndarray.__basicsize__ < layout.flags + 4:
        return None
    samples: list[Array] = [
        np.zeros(3),
        np.zeros((4, 5), np.int8)[1:],
        np.zeros(()),
        np.zeros((2, 6))[:, ::2],
        np.zeros((1, 0, 2), bool),
    ]
    return layout if all(layout.describes(array) for array in samples) else None


LAYOUT: ArrayLayout | None = _find_layout()
"""None if unknown: then Python gets the addresses and checks the arrays."""
