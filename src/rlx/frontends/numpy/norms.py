"""Norms of vectors and matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.movement import moveaxis
from rlx.frontends.numpy.values import axes_of, emit, floating
from rlx.ir.value import Value, as_dtype

Axis = int | Sequence[int] | None


def _reduced(op: str, x: Value, axes: Sequence[int], keepdims: bool) -> Value:
    found: Value = emit(op, x, axes=tuple(axes), keep_dim=keepdims)
    return found


def _of_vectors(x: Value, order: Any, axes: Sequence[int], keepdims: bool) -> Value:
    if order in (None, 2):
        squares = emit("complex_norm_sq", x) if x.dtype.is_complex else x * x
        return emit("sqrt", _reduced("reduce_sum", squares, axes, keepdims))
    size = emit("abs", x)
    if order == math.inf:
        return emit("max", _reduced("reduce_max", size, axes, keepdims), 0.0)  # the norm of nothing is 0
    if order == -math.inf:
        return _reduced("reduce_min", size, axes, keepdims)
    if order == 0:
        return _reduced("reduce_sum", as_dtype(size != 0, size.dtype), axes, keepdims)
    if order == 1:
        return _reduced("reduce_sum", size, axes, keepdims)
    if isinstance(order, str):
        raise RlxError("RLX109", f"the norm {order!r} of vectors", fix="a number, or inf")
    powers = _reduced("reduce_sum", emit("pow", size, float(order)), axes, keepdims)
    return emit("pow", powers, 1.0 / order)


def _of_matrices(x: Value, order: Any, axes: Sequence[int], keepdims: bool) -> Value:
    row, column = axes
    if order in (None, "fro"):
        return _of_vectors(x, 2, axes, keepdims)
    if order in (1, -1, math.inf, -math.inf):
        along, across = (row, column) if order in (1, -1) else (column, row)
        sums = _reduced("reduce_sum", emit("abs", x), (along,), True)
        found = _reduced("reduce_max" if order > 0 else "reduce_min", sums, (across,), True)
    elif order in ("nuc", 2, -2):
        last = moveaxis(x, (row, column), (-2, -1))
        (singular,) = _several(emit("svd", last, full_matrices=False, compute_uv=False))
        op = {"nuc": "reduce_sum", 2: "reduce_max", -2: "reduce_min"}[order]
        flat = _reduced(op, singular, (singular.rank - 1,), False)
        kept = tuple(1 if i in axes else size for i, size in enumerate(x.shape))
        found = flat.reshape(kept)
    else:
        raise RlxError("RLX109", f"the norm {order!r} of matrices", fix="'fro', 'nuc', 1, -1, 2, -2, inf or -inf")
    if keepdims:
        return found
    return found.reshape(tuple(size for i, size in enumerate(found.shape) if i not in axes))


def _several(found: Any) -> tuple[Value, ...]:
    return found if isinstance(found, tuple) else (found,)


@array_function
def norm(x: ArrayLike, ord: Any = None, axis: Axis = None, keepdims: bool = False) -> Value:
    """The norm of vectors along one axis, of matrices along two; without an axis of all elements, or of the array as one of both."""
    value = floating(x)
    if axis is None and (ord is None or value.rank not in (1, 2)):
        if ord is not None:
            raise RlxError("RLX102", f"norm with ord={ord!r} of {value.type}", fix="one or two axes, or axis=")
        return _of_vectors(value, 2, range(value.rank), keepdims)
    axes = axes_of(axis, value.rank, "norm")
    if len(axes) not in (1, 2):
        raise RlxError("RLX104", f"norm along {len(axes)} axes", fix="one axis for vectors, two for matrices")
    return (_of_vectors if len(axes) == 1 else _of_matrices)(value, ord, axes, keepdims)


@array_function
def vector_norm(x: ArrayLike, /, *, axis: Axis = None, keepdims: bool = False, ord: Any = 2) -> Value:
    """The norm of vectors along axes, of all elements by default."""
    value = floating(as_value(x))
    return _of_vectors(value, ord, axes_of(axis, value.rank, "vector_norm"), keepdims)


@array_function
def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: Any = "fro") -> Value:
    """The norm of matrices in the last two axes."""
    value = floating(as_value(x))
    return _of_matrices(value, ord, axes_of((-2, -1), value.rank, "matrix_norm"), keepdims)
