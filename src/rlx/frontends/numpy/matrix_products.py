"""Products of matrices and vectors as `rlx.numpy.linalg` has them: of the last two axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.core.dtype import DTypeLike
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.contraction import cross as cross_along
from rlx.frontends.numpy.contraction import diagonal as diagonal_of
from rlx.frontends.numpy.contraction import matmul
from rlx.frontends.numpy.contraction import outer as outer_of
from rlx.frontends.numpy.contraction import trace as trace_of
from rlx.frontends.numpy.values import promoted
from rlx.ir.array_methods import Array
from rlx.ir.value import Value


@array_function
def multi_dot(arrays: Sequence[ArrayLike], *, precision: Any = None) -> Array:
    """The product of several matrices, in the order that takes the fewest multiplications; the ends may be vectors."""
    values = promoted(*arrays)
    if len(values) < 2:
        raise RlxError("RLX109", f"multi_dot of {len(values)} arrays", fix="at least two")
    first, last = values[0].rank == 1, values[-1].rank == 1
    if first:
        values[0] = values[0].reshape((1, values[0].shape[0]))
    if last:
        values[-1] = values[-1].reshape((values[-1].shape[0], 1))
    found = _product(values, _best_order([value.shape for value in values]), 0, len(values) - 1)
    kept = (() if first else (found.shape[0],)) + (() if last else (found.shape[1],))
    return found.reshape(kept) if first or last else found


def _best_order(shapes: Sequence[Sequence[Any]]) -> dict[tuple[int, int], int]:
    """Where to split each run of matrices."""
    sizes = [shape[0] for shape in shapes] + [shapes[-1][1]]
    plain = [size if isinstance(size, int) else 128 for size in sizes]
    count = len(shapes)
    cost = {(i, i): 0 for i in range(count)}
    split: dict[tuple[int, int], int] = {}
    for length in range(2, count + 1):
        for i in range(count - length + 1):
            j = i + length - 1
            options = [(cost[i, k] + cost[k + 1, j] + plain[i] * plain[k + 1] * plain[j + 1], k) for k in range(i, j)]
            cost[i, j], split[i, j] = min(options)
    return split


def _product(values: Sequence[Value], split: dict[tuple[int, int], int], i: int, j: int) -> Array:
    if i == j:
        return values[i]
    k = split[i, j]
    return matmul(_product(values, split, i, k), _product(values, split, k + 1, j))


@array_function
def outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """All products of two vectors."""
    x, y = promoted(x1, x2)
    if x.rank != 1 or y.rank != 1:
        raise RlxError("RLX102", f"outer of {x.type} and {y.type}", fix="two vectors; rlx.numpy.outer flattens")
    return outer_of(x, y)


@array_function
def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """The cross product of vectors of three elements along an axis."""
    return cross_along(x1, x2, axis=axis)


@array_function
def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """The diagonal of matrices in the last two axes."""
    value = as_value(x)
    return diagonal_of(value, offset, value.rank - 2, value.rank - 1)


@array_function
def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Array:
    """The sum of the diagonal of matrices in the last two axes."""
    value = as_value(x)
    return trace_of(value, offset, value.rank - 2, value.rank - 1, dtype)
