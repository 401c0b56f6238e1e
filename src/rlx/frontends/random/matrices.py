"""Vectors with a covariance, and orthogonal matrices."""

from __future__ import annotations

from rlx.core.dim import Size
from rlx.core.dtype import DType, DTypeLike, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.contraction import einsum
from rlx.frontends.numpy.movement import broadcast_to, moveaxis
from rlx.frontends.numpy.values import emit, sizes_of
from rlx.frontends.random.continuous import ShapeLike
from rlx.frontends.random.source import KeySource, float_dtype, full_shape, in_dtype, wide_float
from rlx.ir.value import Value, as_dtype
from rlx.transforms.control_flow import scan

__all__ = ["multivariate_normal", "orthogonal"]


def _places(like: Value, size: Size) -> Value:
    return emit("iota", shape=(size,), axis=0, dtype=i32, graph=like.graph)


@array_function
def orthogonal(key: ArrayLike, n: int, shape: ShapeLike = (), dtype: DTypeLike | None = None, m: int | None = None) -> Value:
    """Orthogonal matrices [*shape, n, n], each as likely as any other; [*shape, n, m] with orthonormal rows or columns.

    >>> import rlx
    >>> q = rlx.random.orthogonal(rlx.random.key(0), 3)
    >>> abs(q @ q.T - rlx.numpy.eye(3)).max() < 1e-6
    Array(True, dtype=bool)
    """
    kind, columns = float_dtype(dtype, "orthogonal"), n if m is None else m
    if min(n, columns) < 0:
        raise RlxError("RLX105", f"orthogonal matrices of sizes {n} and {columns}", fix="sizes of at least 0")
    source, sizes = KeySource(key, "orthogonal"), sizes_of(shape)
    tall = _reflected(source, sizes, max(n, columns), min(n, columns), wide_float(kind))
    return as_dtype(tall if n >= columns else as_value(moveaxis(tall, -1, -2)), kind)


def _reflected(source: KeySource, batch: tuple[Size, ...], rows: int, columns: int, dtype: DType) -> Value:
    """The first columns of a product of reflections of normal vectors, one in each dimension, with random signs (Stewart, 1980)."""
    normals = source.normal((columns, *batch, rows), dtype)
    places = _places(source.key, rows)
    identity = as_dtype(places.reshape((rows, 1)) == _places(source.key, columns).reshape((1, columns)), dtype)
    start = broadcast_to(identity, (*batch, rows, columns))

    def step(matrix: Value, row: tuple[Value, Value]) -> tuple[Value, Value]:
        x, place = row
        x = emit("where", places >= place, x, 0.0)
        at = places == place
        pivot = emit("reduce_sum", emit("where", at, x, 0.0), axes=(len(batch),), keep_dim=True)
        sign = emit("where", pivot < 0.0, -1.0, as_dtype(pivot * 0.0, dtype) + 1.0)
        length = emit("sqrt", emit("reduce_sum", x * x, axes=(len(batch),), keep_dim=True))
        v = x + emit("where", at, sign * length, 0.0)
        scale = 2.0 / emit("reduce_sum", v * v, axes=(len(batch),), keep_dim=True)
        found = matrix - (scale * v).reshape((*batch, rows, 1)) * einsum("...i,...ij->...j", v, matrix).reshape(
            (*batch, 1, columns)
        )
        return found, -sign

    matrix, signs = scan(step, start, (normals, _places(source.key, columns)), reverse=True)
    return matrix * moveaxis(signs, 0, -1)


@array_function
def multivariate_normal(
    key: ArrayLike,
    mean: ArrayLike,
    cov: ArrayLike,
    shape: ShapeLike | None = None,
    dtype: DTypeLike | None = None,
    method: str = "cholesky",
) -> Value:
    """Normal vectors with a mean [..., n] and a covariance [..., n, n]; `shape` is that of the axes before n.

    >>> import rlx
    >>> rlx.random.multivariate_normal(rlx.random.key(0), [0.0, 1.0], [[2.0, 1.0], [1.0, 2.0]], (5,)).shape
    (5, 2)
    """
    if method != "cholesky":
        raise RlxError("RLX109", f"multivariate_normal by {method!r}", fix="method='cholesky'")
    kind = float_dtype(dtype, "multivariate_normal", mean, cov)
    source = KeySource(key, "multivariate_normal", mean, cov)
    middle, spread = (in_dtype(x, wide_float(kind), source.key) for x in (mean, cov))
    if middle.rank < 1 or spread.rank < 2 or spread.shape[-2:] != (middle.shape[-1],) * 2:
        message = f"multivariate_normal of mean {middle.type} and cov {spread.type}"
        raise RlxError("RLX102", message, fix="mean [..., n] and cov [..., n, n]")
    size = middle.shape[-1]
    batch = full_shape("multivariate_normal", shape, middle[..., 0], spread[..., 0, 0])
    z = source.normal((*batch, size), middle.dtype)
    return as_dtype(middle + einsum("...ij,...j->...i", emit("cholesky", spread), z), kind)
