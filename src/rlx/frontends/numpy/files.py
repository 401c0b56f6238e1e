"""Arrays in files and text, and what is planned for `einsum`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import update_wrapper
from typing import Any

import numpy as np

from rlx.core.dtype import DTypeLike
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayFunction, ArrayLike, as_array, axes_of, axis_of
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.movement import broadcast_sizes, broadcast_to, expand_dims, moveaxis
from rlx.functions.transforms import vmap
from rlx.ir.array_methods import Array
from rlx.ir.value import Value
from rlx.runtime.array import ConcreteArray

__all__ = [
    "ComplexWarning", "apply_along_axis", "apply_over_axes", "array_repr", "array_str", "einsum_path", "fromfile", "fromstring",
    "get_printoptions", "load", "ndarray", "printoptions", "save", "savez", "set_printoptions", "vectorize",
]  # fmt: skip


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
    content = np.load(file, *args, **kwargs)
    return as_array(content) if isinstance(content, np.ndarray) else content


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
    given = [np.broadcast_to(np.float32(0), tuple(map(int, _shape_of(each)))) for each in operands]
    path, text = np.einsum_path(subscripts, *given, optimize=optimize)
    return list(path), text


def _shape_of(x: ArrayLike) -> Any:

    return x.shape if hasattr(x, "shape") else np.shape(x)


# -- functions of a user applied along axes, over axes and element by element ----------------------------------------


def _as_operand(x: ArrayLike) -> Any:

    return x if isinstance(x, Value) else as_array(x)


def _over_rows(function: Callable[..., Any], count: int) -> Callable[..., Any]:

    for _ in range(count):
        function = vmap(function)
    return function


def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: ArrayLike, *args: Any, **kwargs: Any) -> Array:
    """A function of one axis applied to all of them; what it returns stands where the axis was."""
    value = _as_operand(arr)
    rank = len(value.shape)
    axis = axis_of(axis, rank, "apply_along_axis")
    rows = _over_rows(lambda row: func1d(row, *args, **kwargs), rank - 1)(moveaxis(value, axis, -1))
    own = len(rows.shape) - (rank - 1)
    return moveaxis(rows, tuple(range(rank - 1, rank - 1 + own)), tuple(range(axis, axis + own))) if own else rows


def apply_over_axes(func: Callable[..., Any], a: ArrayLike, axes: int | Sequence[int]) -> Array:
    """A function `func(x, axis)` applied for one axis after the other; axes that it removes come back with size 1."""
    value = _as_operand(a)
    rank = len(value.shape)
    for axis in axes_of(axes, rank, "apply_over_axes"):
        reduced = func(value, axis)
        value = reduced if len(reduced.shape) == rank else expand_dims(reduced, axis)
        if len(value.shape) != rank:
            raise RlxError("RLX102", f"a function over axis {axis} returned {len(reduced.shape)} axes", fix="one less, or as many")
    return value


# -- vectorize ------------------------------------------------------------------------------------------------------
_CORE = r"\(\s*\w*\s*(?:,\s*\w+\s*)*\)"
_SIGNATURE = re.compile(rf"^\s*{_CORE}(?:\s*,\s*{_CORE})*\s*->\s*{_CORE}(?:\s*,\s*{_CORE})*\s*$")


def _core_ranks(signature: str, count: int) -> list[int]:
    """The number of axes of each argument that one call of a vectorized function sees."""
    if not _SIGNATURE.match(signature):
        raise RlxError("RLX109", f"vectorize with signature={signature!r}", fix="such as '(n),(m)->(n,m)'")
    cores = re.findall(r"\(([^)]*)\)", signature.partition("->")[0])
    ranks = [len([name for name in core.split(",") if name.strip()]) for core in cores]
    if len(ranks) != count:
        raise RlxError("RLX109", f"{count} arrays for signature {signature!r}", fix=f"{len(ranks)} of them")
    return ranks


def vectorize(
    pyfunc: Callable[..., Any], *, excluded: Iterable[int | str] = (), signature: str | None = None, otypes: Any = None
) -> Callable[..., Array]:
    """A function of numbers, or of the axes that `signature` names, as one of arrays that are broadcast together.

    >>> import rlx.numpy as rnp
    >>> larger = rnp.vectorize(lambda x, y: rnp.where(x > y, x, y))
    >>> larger(rnp.asarray([1, 5]), 3)
    Array([3, 5], dtype=int32)
    """
    left_out = set(excluded)

    def run(*args: Any, **kwargs: Any) -> Any:
        places = [i for i in range(len(args)) if i not in left_out]
        arrays = [_as_operand(args[i]) for i in places]
        ranks = [0] * len(arrays) if signature is None else _core_ranks(signature, len(arrays))
        outer = [tuple(x.shape[: len(x.shape) - rank]) for x, rank in zip(arrays, ranks, strict=True)]
        batch = broadcast_sizes(*outer) if outer else ()
        whole = [broadcast_to(x, (*batch, *x.shape[len(x.shape) - rank :])) for x, rank in zip(arrays, ranks, strict=True)]

        def of_one(*parts: Any) -> Any:
            given = list(args)
            for i, part in zip(places, parts, strict=True):
                given[i] = part
            return pyfunc(*given, **kwargs)

        return _over_rows(of_one, len(batch))(*whole)

    return update_wrapper(run, pyfunc)


# -- how NumPy's own functions and methods of arrays find ours: `np.exp(x)` on a Value, `x.exp()` --------------------


_REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any"}
_METHODS = ("nonzero", "repeat", "where")  # that look at their arguments before they are array functions
_NOT_METHODS = ("array", "asarray", "getitem", "method", "apply_ufunc", "apply_function", "einsum", "save", "load", "copy")


def _find(function: Any) -> Any:
    """Finds the RLX function by the name and module of NumPy's; None if there is none."""
    from rlx.frontends import numpy as ours

    module = function.__module__ or "numpy"
    space: Any = ours
    for part in module.split(".")[1:]:
        if part in ("linalg", "fft"):
            space = getattr(ours, part)
    return getattr(space, function.__name__, None)


def _no_counterpart(name: str) -> RlxError:
    return RlxError("RLX108", f"np.{name} of a Value has no counterpart", fix="a function of rlx.numpy; docs/numpy.md lists them")


def apply_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], settings: dict[str, Any]) -> Any:
    """Applies a NumPy ufunc to Values."""
    given = {name: value for name, value in settings.items() if value is not None}
    if "out" in given:
        raise RlxError("RLX108", f"np.{ufunc.__name__} with out= on a Value", fix="use the result it returns")
    if method == "reduce" and ufunc.__name__ in _REDUCTIONS:
        from rlx.frontends import numpy as ours

        axis = given.pop("axis", 0)
        return getattr(ours, _REDUCTIONS[ufunc.__name__])(*inputs, axis=axis, **given)
    ours_by_name = _find(ufunc)
    if method != "__call__" or ours_by_name is None:
        raise _no_counterpart(ufunc.__name__ + ("" if method == "__call__" else f".{method}"))
    return ours_by_name(*inputs, **given)


def apply_function(function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Applies a NumPy function to Values."""
    own = _find(function)
    if own is None:
        raise _no_counterpart(function.__name__)
    return own(*args, **{name: value for name, value in kwargs.items() if value is not np._NoValue})


def method(name: str) -> Any:
    """The function that is a method of arrays by its name; None if there is none."""
    from rlx.frontends import nn
    from rlx.frontends import numpy as ours

    own = None if name in _NOT_METHODS else getattr(ours, name, None) or getattr(nn, name, None)
    return own if isinstance(own, ArrayFunction) or name in _METHODS else None
