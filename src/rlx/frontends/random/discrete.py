"""Integers, coins, classes and orders."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dim import Dim, Size
from rlx.core.dtype import DType, DTypeLike, boolean, f32, f64, i32, i64, u64
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.creation import asarray
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.dtypes import dtype_of, iinfo
from rlx.frontends.numpy.movement import broadcast_to, moveaxis
from rlx.frontends.numpy.ordering import take, take_along_axis
from rlx.frontends.numpy.values import axis_of, emit, size_of, sizes_of
from rlx.frontends.random.continuous import ShapeLike, gumbel_numbers
from rlx.frontends.random.source import KeySource, float_dtype, full_shape, in_dtype, parameters
from rlx.ir.array_methods import Array
from rlx.ir.emit import size_scalar
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import ConcreteArray

__all__ = ["bernoulli", "categorical", "choice", "geometric", "permutation", "rademacher", "randint"]


def integer_dtype(dtype: DTypeLike | None, what: str) -> DType:
    """The dtype of whole numbers: i32 by default."""
    kind = i32 if dtype is None else named_dtype(dtype)
    if not kind.is_integer:
        raise RlxError("RLX103", f"{what}: dtype {kind}", fix="an integer dtype")
    return kind


@array_function
def bernoulli(key: ArrayLike, p: ArrayLike = 0.5, shape: ShapeLike | None = None, mode: str = "low") -> Value:
    """True with probability p. Mode 'high' compares with 53 random bits instead of 24.

    >>> import rlx
    >>> rlx.random.bernoulli(rlx.random.key(0), 0.5, (4,))
    Array([ True, False, False, False], dtype=bool)
    """
    if mode not in ("low", "high"):
        raise RlxError("RLX109", f"bernoulli with mode {mode!r}", fix="'low' or 'high'")
    source = KeySource(key, "bernoulli", p)
    wide = f64 if mode == "high" or float_dtype(None, "bernoulli", p) is f64 else f32
    (chance,) = parameters("bernoulli", shape, wide, source.key, p)
    return source.uniform(chance.shape, wide) < chance


@array_function
def rademacher(key: ArrayLike, shape: ShapeLike = (), dtype: DTypeLike | None = None) -> Value:
    """-1 or 1, i32 by default.

    >>> import rlx
    >>> rlx.random.rademacher(rlx.random.key(0), (3,))
    Array([-1,  1,  1], dtype=int32)
    """
    kind = i32 if dtype is None else named_dtype(dtype)
    if kind is boolean or kind.name.startswith("u"):
        raise RlxError("RLX103", f"rademacher in dtype {kind}", fix="a signed dtype")
    top = KeySource(key, "rademacher").words(sizes_of(shape)) >> np.uint32(31)
    return as_dtype(as_dtype(top, i32) * 2 - 1, kind)


def randint(key: ArrayLike, shape: ShapeLike, minval: ArrayLike, maxval: ArrayLike, dtype: DTypeLike | None = None) -> Array:
    """Whole numbers from minval up to but without maxval: minval + a random u64 modulo the width; minval where the width is not positive.

    No number is more likely than another by more than width / 2^64. `maxval` may be one above the largest number of the dtype.

    >>> import rlx
    >>> rlx.random.randint(rlx.random.key(0), (4,), 0, 10)
    Array([9, 8, 8, 1], dtype=int32)
    """
    kind = integer_dtype(dtype, "randint")
    wide = u64 if kind is u64 else i64
    return _randint(key, sizes_of(shape), _bound(minval, kind, wide), _bound(maxval, kind, wide), kind)


def _bound(x: Any, kind: DType, wide: DType) -> Any:
    """A bound; a Python number in a dtype that also has the number above the largest of the result's."""
    if not isinstance(x, int) or isinstance(x, bool):
        return x
    if not iinfo(kind).min <= x <= min(iinfo(kind).max + 1, iinfo(wide).max):
        raise RlxError("RLX109", f"randint: {x} as a bound of {kind}", fix="a wider dtype")
    return wide.numpy.type(x)


@array_function
def _randint(key: ArrayLike, sizes: tuple[Size, ...], minval: ArrayLike, maxval: ArrayLike, kind: DType) -> Value:
    source = KeySource(key, "randint", minval, maxval)
    bounds = [as_value(x, source.key) for x in (minval, maxval)]
    for value in bounds:
        if not value.dtype.is_integer:
            raise RlxError("RLX103", f"randint: a bound is {value.type}", fix="integers")
    low, high = (as_dtype(value, u64 if kind is u64 else i64) for value in bounds)
    full_shape("randint", sizes, low, high)
    width = emit("where", high > low, as_dtype(high - low, u64), np.uint64(1))
    drawn = emit("mod", source.words(sizes, u64), broadcast_to(width, sizes))
    return as_dtype(as_dtype(drawn, low.dtype) + low, kind)


@array_function
def geometric(key: ArrayLike, p: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """How many trials with probability p there are up to the first success, from 1.

    >>> import rlx
    >>> rlx.random.geometric(rlx.random.key(0), 1.0)
    Array(1, dtype=int32)
    """
    kind = integer_dtype(dtype, "geometric")
    source = KeySource(key, "geometric", p)
    (chance,) = parameters("geometric", shape, f64, source.key, p)
    tries = emit("floor", emit("log", source.inside(chance.shape, f64)) / emit("log1p", -chance))
    return as_dtype(emit("min", tries, float(iinfo(kind).max // 2)), kind) + 1


@array_function
def categorical(
    key: ArrayLike, logits: ArrayLike, axis: int = -1, shape: ShapeLike | None = None, replace: bool = True, mode: str | None = None
) -> Array:
    """Classes with probabilities softmax(logits) along an axis, i32: the largest of logits + Gumbel numbers.

    `shape` is that of the other axes, with more in front; with `replace=False` those in front are different classes of the same logits.

    >>> import rlx
    >>> rlx.random.categorical(rlx.random.key(0), [0.0, -float("inf")], shape=(3,))
    Array([0, 0, 0], dtype=int32)
    """
    if mode not in (None, "low", "high"):
        raise RlxError("RLX109", f"categorical with mode {mode!r}", fix="None, 'low' or 'high'")
    source = KeySource(key, "categorical", logits)
    kind = float_dtype(None, "categorical", logits)
    scores = in_dtype(logits, f64 if kind is f64 else f32, source.key)
    if not scores.rank:
        raise RlxError("RLX102", "categorical of one logit without axes", fix="logits with an axis of classes")
    scores = as_value(moveaxis(scores, axis_of(axis, scores.rank, "categorical"), -1))
    batch, classes = scores.shape[:-1], scores.shape[-1]
    sizes = full_shape("categorical", shape, scores[..., 0])
    if replace:
        noise = gumbel_numbers(source, (*sizes, classes), scores.dtype)
        return as_dtype(emit("argmax", broadcast_to(scores, noise.shape) + noise, axis=len(sizes)), i32)
    front = sizes[: len(sizes) - len(batch)]
    count = size_of(front)
    if sizes[len(front) :] != batch or not isinstance(count, int) or (isinstance(classes, int) and count > classes):
        message = f"categorical: {list(sizes)} without replacement, of logits {list(scores.shape)}"
        raise RlxError("RLX102", message, fix="(number of draws, *batch), at most one draw for each class")
    _, chosen = emit("top_k", scores + gumbel_numbers(source, scores.shape, scores.dtype), k=count, axis=len(batch))
    return moveaxis(as_dtype(chosen, i32), -1, 0).reshape(sizes)


# -- orders -------------------------------------------------------------------------------------------------------
@array_function
def shuffled(key: ArrayLike, sizes: tuple[Size, ...], axis: int = 0) -> Value:
    """The positions along an axis in random order: that of random 64-bit numbers."""
    return as_dtype(emit("argsort", KeySource(key, "permutation").words(sizes, u64), axis=axis, descending=False), i32)


def _elements(x: Any, axis: int, what: str) -> tuple[Any, Size]:
    """An array, and how many slices it has along an axis; None and the number for a number, which stands for all below it."""
    if isinstance(x, (int, Dim)) and not isinstance(x, bool):
        return None, _at_least_none(x, what)
    values = x if isinstance(x, (Value, ConcreteArray)) else asarray(x)
    if values.shape:
        return values, values.shape[axis_of(axis, len(values.shape), what)]
    if isinstance(values, Value) or not dtype_of(values).is_integer:
        kind = "a traced number" if isinstance(values, Value) else repr(x)
        raise RlxError("RLX109", f"{what} of {kind:.60}", fix="an integer known when the function is traced, or an array")
    return None, _at_least_none(int(values), what)


def _at_least_none(count: Size, what: str) -> Size:
    if isinstance(count, int) and count < 0:
        raise RlxError("RLX105", f"{what} of {count} elements", fix="at least 0")
    return count


def permutation(key: ArrayLike, x: int | ArrayLike, axis: int = 0, independent: bool = False) -> Array:
    """An array with its slices along an axis in random order; of a number n, 0 to n - 1 in random order.

    With `independent` every line along the axis has an order of its own.

    >>> import rlx
    >>> rlx.random.permutation(rlx.random.key(0), 5)
    Array([3, 4, 2, 1, 0], dtype=int32)
    """
    values, count = _elements(x, axis, "permutation")
    if values is None:
        return shuffled(key, (count,))
    place = axis_of(axis, len(values.shape), "permutation")
    if independent:
        order = shuffled(key, tuple(values.shape), place)
        return take_along_axis(values, order, axis=place)
    return take(values, shuffled(key, (count,)), axis=place)


def choice(
    key: ArrayLike,
    a: int | ArrayLike,
    shape: ShapeLike = (),
    replace: bool = True,
    p: ArrayLike | None = None,
    axis: int = 0,
    mode: str | None = None,
) -> Array:
    """Elements of an array (slices along an axis), or numbers below a, with or without replacement, with probabilities p or all alike.

    >>> import rlx
    >>> rlx.random.choice(rlx.random.key(0), 5, (3,), replace=False)
    Array([3, 4, 2], dtype=int32)
    """
    values, count = _elements(a, axis, "choice")
    sizes = sizes_of(shape)
    wanted = size_of(sizes)
    if isinstance(count, int) and isinstance(wanted, int) and wanted > count and not (replace and count):
        message = f"{wanted} of {count} elements {'with' if replace else 'without'} replacement"
        raise RlxError("RLX105", message, fix="at least one element" if replace else "at least as many elements")
    if mode not in (None, "low", "high"):
        raise RlxError("RLX109", f"choice with mode {mode!r}", fix="None, 'low' or 'high'")
    found = _chosen(key, p, count, sizes, replace)
    return found if values is None else take(values, found, axis=axis)


@array_function
def _chosen(key: ArrayLike, p: ArrayLike | None, count: Size, sizes: tuple[Size, ...], replace: bool) -> Array:
    """Positions below count, by inverting the sums of p, or by sorting."""
    source = KeySource(key, "choice", p)
    wanted = size_of(sizes)
    if p is None:
        if replace:
            return _randint(source.key, sizes, np.int64(0), size_scalar(source.key, count, i32), i32)
        order = emit("argsort", source.words((count,), u64), axis=0, descending=False)
        return as_dtype(emit("narrow", order, axis=0, start=0, length=wanted), i32).reshape(sizes)
    kind = f64 if float_dtype(None, "choice", p) is f64 else f32
    shares = in_dtype(p, kind, source.key)
    if shares.shape != (count,):
        raise RlxError("RLX102", f"choice: p is {shares.type} for {count} elements", fix="one probability for each")
    if replace:
        sums = emit("cumsum", shares, axis=0)
        place = emit("searchsorted", sums, source.uniform((wanted,), kind) * sums[-1], side="right")
        return emit("min", place, size_scalar(source.key, count, i32) - 1).reshape(sizes)
    noise = gumbel_numbers(source, (count,), kind)
    _, found = emit("top_k", emit("log", shares) + noise, k=wanted, axis=0)
    return as_dtype(found, i32).reshape(sizes)
