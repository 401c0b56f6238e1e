"""Arrays passed by callers: NumPy arrays and whatever converts to one without loss; everything else is an error that names it."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DType
from rlx.core.errors import RlxError

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
    """Whether it is a masked array: who has one has imported `numpy.ma`. Importing it to ask takes 13 ms."""
    return isinstance(value, getattr(sys.modules.get("numpy.ma"), "MaskedArray", ()))


_FIX = "pass a NumPy array, or something that converts to one: a number, lists of numbers"


def _of_objects(value: Any, array: Array, what: str, code: str) -> Array:
    """An object array: NumPy keeps integers beyond 64 bits as objects; other objects are not numbers."""
    items = array.ravel().tolist()
    large = next((item for item in items if isinstance(item, int) and not -(2**63) <= item < 2**64), None)
    if large is not None and all(isinstance(item, (int, float)) for item in items):
        if isinstance(value, np.ndarray):
            raise RlxError(code, f"{what} holds the integer {large}, which has more than 64 bits", fix=_FIX)
        return array
    wrong = next((item for item in items if not isinstance(item, (int, float, complex))), value)
    raise RlxError(code, f"{what} is a {type(value).__name__} that contains {_short(wrong)}", fix=_FIX)


def in_dtype(value: Any, dtype: DType, what: str, code: str = "RLX504") -> Array:
    """Python numbers and lists of them in a dtype; a value that does not fit (1.5 in i32, 300 in u8) is an error.

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
