"""Where an array's data lies, read fast: a run asks once per input and output."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Reader = Callable[[npt.NDArray[Any]], int]


def _public(array: npt.NDArray[Any]) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def _choose() -> Reader:
    """CPython keeps the data pointer right behind the object header; the documented way builds a dict each time (1 µs against 0.2 µs).

    The short way is taken only where it gives the same answer on a few arrays of different kinds.
    """
    if sys.implementation.name != "cpython" or not hasattr(sys, "getrefcount"):
        return _public
    offset = object.__basicsize__
    cell = ctypes.c_size_t

    def direct(array: npt.NDArray[Any]) -> int:
        return cell.from_address(id(array) + offset).value

    samples: list[npt.NDArray[Any]] = [np.zeros(3), np.zeros((4, 5), np.int8)[1:], np.zeros(()), np.zeros((2, 6))[:, ::2]]
    return direct if all(direct(array) == _public(array) for array in samples) else _public


address_of: Reader = _choose()
