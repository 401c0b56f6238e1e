"""Functions of a user applied along axes, over axes and element by element."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import update_wrapper
from typing import Any

from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, as_array
from rlx.frontends.numpy.movement import broadcast_sizes, broadcast_to, expand_dims, moveaxis
from rlx.frontends.numpy.values import axes_of, axis_of
from rlx.ir.array_methods import Array
from rlx.ir.value import Value
from rlx.transforms.function_transforms import vmap

__all__ = ["apply_along_axis", "apply_over_axes", "vectorize"]


def _given(x: ArrayLike) -> Any:

    return x if isinstance(x, Value) else as_array(x)


def _over_rows(function: Callable[..., Any], count: int) -> Callable[..., Any]:

    for _ in range(count):
        function = vmap(function)
    return function


def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: ArrayLike, *args: Any, **kwargs: Any) -> Array:
    """A function of one axis applied to all of them; what it returns stands where the axis was."""
    value = _given(arr)
    rank = len(value.shape)
    place = axis_of(axis, rank, "apply_along_axis")
    rows = _over_rows(lambda row: func1d(row, *args, **kwargs), rank - 1)(moveaxis(value, place, -1))
    own = len(rows.shape) - (rank - 1)
    return moveaxis(rows, tuple(range(rank - 1, rank - 1 + own)), tuple(range(place, place + own))) if own else rows


def apply_over_axes(func: Callable[..., Any], a: ArrayLike, axes: int | Sequence[int]) -> Array:
    """A function `func(x, axis)` applied for one axis after the other; axes that it removes come back with size 1."""
    value = _given(a)
    rank = len(value.shape)
    for axis in axes_of(axes, rank, "apply_over_axes"):
        found = func(value, axis)
        value = found if len(found.shape) == rank else expand_dims(found, axis)
        if len(value.shape) != rank:
            raise RlxError("RLX102", f"a function over axis {axis} returned {len(found.shape)} axes", fix="one less, or as many")
    return value


# -- vectorize ------------------------------------------------------------------------------------------------------
_CORE = r"\(\s*\w*\s*(?:,\s*\w+\s*)*\)"
_SIGNATURE = re.compile(rf"^\s*{_CORE}(?:\s*,\s*{_CORE})*\s*->\s*{_CORE}(?:\s*,\s*{_CORE})*\s*$")


def _core_ranks(signature: str, count: int) -> list[int]:
    """How many axes of each argument a call of the function sees."""
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
        arrays = [_given(args[i]) for i in places]
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
