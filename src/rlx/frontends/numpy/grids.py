"""Grids of coordinates, elements from bytes and iterators, windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import DTypeLike, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.values import emit
from rlx.ir.array_methods import Array
from rlx.ir.value import Value
from rlx.runtime.array import ConcreteArray

__all__ = ["bartlett", "blackman", "frombuffer", "fromfunction", "fromiter", "hamming", "hanning", "indices", "kaiser", "meshgrid"]


@array_function
def meshgrid(*arrays: ArrayLike, indexing: str = "xy", sparse: bool = False, copy: bool = True) -> list[Array]:
    """The coordinates of a grid, one array for each axis."""
    if indexing not in ("xy", "ij"):
        raise RlxError("RLX109", f"meshgrid with indexing={indexing!r}", fix="'xy' or 'ij'")
    if not arrays:
        return []
    like = next(each for each in arrays if isinstance(each, Value))
    flat = [as_value(each, like).reshape(-1) if as_value(each, like).rank == 0 else as_value(each, like) for each in arrays]
    order = list(range(len(flat)))
    if indexing == "xy" and len(flat) > 1:
        order[:2] = [1, 0]
    sizes = [flat[i].shape[0] for i in order]
    found = []
    for i, value in enumerate(flat):
        place = order.index(i)
        thin = value.reshape(tuple(size if at == place else 1 for at, size in enumerate(sizes)))
        found.append(thin if sparse else emit("expand", thin, shape=tuple(sizes)))
    return found


def indices(dimensions: Sequence[int], dtype: DTypeLike | None = None, sparse: bool = False) -> Array | Any:
    """The index of each place of a shape, by axis."""
    kind = i32 if dtype is None else named_dtype(dtype)
    found: Any = np.indices(tuple(dimensions), kind.numpy, sparse=sparse)  # type: ignore[call-overload]
    return tuple(ConcreteArray(np.asarray(part)) for part in found) if sparse else ConcreteArray(np.asarray(found))


def fromfunction(function: Callable[..., Any], shape: Sequence[int], *, dtype: DTypeLike = float, **kwargs: Any) -> Array:
    """A function of the coordinates of each place."""
    grids = indices(tuple(shape), dtype)
    return function(*(grids[i] for i in range(len(tuple(shape)))), **kwargs)


def frombuffer(buffer: Any, dtype: DTypeLike = float, count: int = -1, offset: int = 0) -> Array:
    """Elements from bytes."""
    return ConcreteArray(np.array(np.frombuffer(buffer, named_dtype(dtype).numpy, count, offset)))


def fromiter(iterable: Any, dtype: DTypeLike, count: int = -1) -> Array:
    """Elements from an iterator."""
    return ConcreteArray(np.fromiter(iterable, named_dtype(dtype).numpy, count))


def _window(name: str) -> Callable[..., Array]:
    def window(M: int) -> Array:
        return ConcreteArray(np.asarray(getattr(np, name)(M)).astype(np.float32))

    window.__name__ = name
    window.__doc__ = f"The {name} window of M points, f32."
    return window


bartlett, blackman, hamming, hanning = map(_window, ("bartlett", "blackman", "hamming", "hanning"))


def kaiser(M: int, beta: float) -> Array:
    """The Kaiser window of M points with the shape beta, f32."""
    return ConcreteArray(np.kaiser(M, beta).astype(np.float32))
