"""Arrays in files and text, and what is planned for `einsum`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from rlx.core.dtype import DTypeLike
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, as_array
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.ir.array_methods import Array
from rlx.ir.value import Value
from rlx.runtime.array import ConcreteArray

__all__ = [
    "ComplexWarning",
    "array_repr",
    "array_str",
    "einsum_path",
    "fromfile",
    "fromstring",
    "get_printoptions",
    "load",
    "ndarray",
    "printoptions",
    "save",
    "savez",
    "set_printoptions",
]

ndarray = Array
ComplexWarning = np.exceptions.ComplexWarning


def _host(x: ArrayLike) -> np.ndarray[Any, Any]:

    if isinstance(x, Value):
        raise RlxError("RLX108", f"{x!r} has no numbers before a run", fix="save and print what the function returns")
    return np.asarray(as_array(x))


def save(file: Any, arr: ArrayLike, allow_pickle: bool = False) -> None:
    """An array into a file of NumPy's format `.npy`."""
    np.save(file, _host(arr), allow_pickle=allow_pickle)


def savez(file: Any, *args: ArrayLike, **kwds: ArrayLike) -> None:
    """Several arrays into a file `.npz`, by name."""
    named: Any = {name: _host(x) for name, x in kwds.items()}
    np.savez(file, *map(_host, args), **named)


def load(file: Any, *args: Any, **kwargs: Any) -> Array | Any:
    """An Array from a file `.npy`; of a file `.npz` the archive, with NumPy's arrays by name."""
    found = np.load(file, *args, **kwargs)
    return as_array(found) if isinstance(found, np.ndarray) else found


def fromfile(file: Any, dtype: DTypeLike = float, count: int = -1, sep: str = "", offset: int = 0) -> Array:
    """An Array from the bytes, or with `sep` the text, of a file."""
    return ConcreteArray(np.fromfile(file, named_dtype(dtype).numpy, count, sep, offset=offset))


def fromstring(string: str, dtype: DTypeLike = float, count: int = -1, *, sep: str) -> Array:
    """An Array from numbers in text, with `sep` between them."""
    return ConcreteArray(np.fromstring(string, named_dtype(dtype).numpy, count, sep=sep))


def array_repr(
    arr: ArrayLike, max_line_width: int | None = None, precision: int | None = None, suppress_small: bool | None = None
) -> str:
    """An array as its `repr` shows it."""
    if isinstance(arr, Value):
        return repr(arr)
    return np.array_repr(_host(arr), max_line_width, precision, suppress_small).replace("array(", "Array(", 1)


def array_str(
    a: ArrayLike, max_line_width: int | None = None, precision: int | None = None, suppress_small: bool | None = None
) -> str:
    """The elements of an array as text."""
    return str(a) if isinstance(a, Value) else np.array_str(_host(a), max_line_width, precision, suppress_small)


def set_printoptions(*args: Any, **kwargs: Any) -> None:
    """How arrays are shown, NumPy's and ours."""
    np.set_printoptions(*args, **kwargs)


def get_printoptions() -> dict[str, Any]:
    """How arrays are shown."""
    return np.get_printoptions()  # type: ignore[return-value]


@contextmanager
def printoptions(*args: Any, **kwargs: Any) -> Iterator[Any]:
    """How arrays are shown inside of a `with` statement."""
    with np.printoptions(*args, **kwargs) as settings:
        yield settings


def einsum_path(subscripts: str, *operands: ArrayLike, optimize: Any = "greedy") -> tuple[list[Any], str]:
    """The order of products that NumPy would choose for `einsum`, and a text about it. Only the sizes of operands are read."""
    given = [np.broadcast_to(np.float32(0), tuple(map(int, _shape(each)))) for each in operands]
    path, text = np.einsum_path(subscripts, *given, optimize=optimize)
    return list(path), text


def _shape(x: ArrayLike) -> Any:

    return x.shape if hasattr(x, "shape") else np.shape(x)
