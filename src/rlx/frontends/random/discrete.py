"""Integers, coins, classes and orders."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from rlx.core.dim import Dim, Size
from rlx.core.dtype import DType, DTypeLike, boolean, f32, f64, i32, i64, u64
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value, axis_of, emit, size_of, sizes_of
from rlx.frontends.numpy.creation import asarray
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.dtypes import dtype_of, iinfo
from rlx.frontends.numpy.movement import broadcast_to, moveaxis
from rlx.frontends.numpy.ordering import take, take_along_axis
from rlx.frontends.random.continuous import ShapeLike, gumbel_numbers
from rlx.frontends.random.source import KeySource, float_dtype, full_shape, in_dtype, parameters
from rlx.functions.control_flow import scan, while_loop
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant, size_scalar
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import ConcreteArray

__all__ = [
    "bernoulli", "binomial", "categorical", "choice", "geometric", "multinomial", "permutation", "poisson", "rademacher",
    "randint",
]  # fmt: skip


def integer_dtype(dtype: DTypeLike | None, what: str) -> DType:
    """The dtype of an integer sampler's result: i32 by default."""
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
    return _randint(key, sizes_of(shape), _bound_of_range(minval, kind, wide), _bound_of_range(maxval, kind, wide), kind)


def _bound_of_range(x: Any, kind: DType, wide: DType) -> Any:
    """Converts a bound of `randint`; a Python number gets a dtype that also has the number above the result's largest."""
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
def shuffle_positions(key: ArrayLike, sizes: tuple[Size, ...], axis: int = 0) -> Value:
    """Shuffles the positions along an axis: sorts random 64-bit numbers."""
    return as_dtype(emit("argsort", KeySource(key, "permutation").words(sizes, u64), axis=axis, descending=False), i32)


def _elements(x: Any, axis: int, what: str) -> tuple[Any, Size]:
    """An array, and its number of slices along an axis; None and the number for a number, which stands for all below it."""
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
        return shuffle_positions(key, (count,))
    axis = axis_of(axis, len(values.shape), "permutation")
    if independent:
        order = shuffle_positions(key, tuple(values.shape), axis)
        return take_along_axis(values, order, axis=axis)
    return take(values, shuffle_positions(key, (count,)), axis=axis)


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
    indices = _choose_positions(key, p, count, sizes, replace)
    return indices if values is None else take(values, indices, axis=axis)


@array_function
def _choose_positions(key: ArrayLike, p: ArrayLike | None, count: Size, sizes: tuple[Size, ...], replace: bool) -> Array:
    """Chooses positions below count, by inverting the sums of p, or by sorting."""
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
        index = emit("searchsorted", sums, source.uniform((wanted,), kind) * sums[-1], side="right")
        return emit("min", index, size_scalar(source.key, count, i32) - 1).reshape(sizes)
    noise = gumbel_numbers(source, (count,), kind)
    _, indices = emit("top_k", emit("log", shares) + noise, k=wanted, axis=0)
    return as_dtype(indices, i32).reshape(sizes)


# -- poisson, binomial and multinomial counts: by summing probabilities where they are small, by rejection where they are large


_FEW = 10.0  # means below are drawn by summing
_MOST = 200  # terms of such a sum: what lies beyond has no probability


def _any(x: Value) -> Value:
    return emit("reduce_any", x, axes=tuple(range(x.rank)), keep_dim=False) if x.rank else x


def _by_sums(u: Value, first: Value, ratio: Callable[[Value], Value]) -> Value:
    """Draws counts by inversion: where the sum of probabilities passes u; `ratio(k)` is p(k + 1) / p(k)."""

    def is_unfinished(carry: tuple[Value, ...]) -> Value:
        return _any(u >= carry[2])

    def body(carry: tuple[Value, ...]) -> tuple[Value, ...]:
        number, term, total, count = carry
        more = u >= total
        term = term * ratio(number)
        count = emit("where", more, number + 1.0, count)
        return number + 1.0, term, emit("where", more, total + term, total), count

    start = constant(u.graph, 0.0, f64), first, first, u * 0.0
    return while_loop(is_unfinished, body, start, max_iterations=_MOST)[3]


def _by_rejection(source: KeySource, like: Value, propose: Callable[[Value, Value], tuple[Value, Value]]) -> Value:
    """Draws counts by rejection: `propose(u, v)` of uniform numbers returns counts and whether they are accepted, until all are."""
    streams = source.take_stream(), source.take_stream()

    def body(carry: tuple[Value, Value, Value]) -> tuple[Value, Value, Value]:
        number, waiting, kept = carry
        u, v = (source.inside(like.shape, f64, stream=stream, counter=number) for stream in streams)
        count, accepted = propose(u - 0.5, v)
        return number + np.uint64(1), waiting & ~accepted, emit("where", waiting & accepted, count, kept)

    start = constant(like.graph, np.uint64(0), u64), like >= 0.0, like * 0.0
    return while_loop(lambda carry: _any(carry[1]), body, start)[2]


def log_factorial(k: Value) -> Value:
    """log(k!) of k >= 0."""
    return emit("lgamma", k + 1.0)


# -- poisson ------------------------------------------------------------------------------------------------------
@array_function
def poisson(key: ArrayLike, lam: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """Poisson counts with mean lam, i32 by default: at most the dtype's largest number, and -1 where lam
    is negative or NaN.

    >>> import rlx
    >>> rlx.random.poisson(rlx.random.key(0), 0.0)
    Array(0, dtype=int32)
    """
    kind = integer_dtype(dtype, "poisson")
    source = KeySource(key, "poisson", lam)
    (mean,) = parameters("poisson", shape, f64, source.key, lam)
    top = math.floor(np.nextafter(float(iinfo(kind).max) + 1, 0))  # the largest that both dtypes have
    few, valid = mean < _FEW, mean >= 0.0
    small = emit("where", few & valid, mean, 0.0)
    by_sums = _by_sums(source.uniform(mean.shape, f64), emit("exp", -small), lambda k: small / (k + 1.0))
    large = emit("where", few | ~valid, _FEW, emit("min", mean, float(top)))
    counts = emit("where", few, by_sums, _large_poisson(source, large))
    counts = emit("where", mean < top, emit("min", counts, float(top)), float(top))
    return as_dtype(emit("where", valid, counts, -1.0 if kind.numpy.kind == "i" else float(top)), kind)


def _large_poisson(source: KeySource, mean: Value) -> Value:
    """Draws Poisson counts for means from 10 by Hörmann's PTRS (1993): transformed rejection with squeeze."""
    root, log_mean = emit("sqrt", mean), emit("log", mean)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    bound = 0.9277 - 3.6224 / (b - 2.0)

    def propose(u: Value, v: Value) -> tuple[Value, Value]:
        side = 0.5 - emit("abs", u)
        k = emit("floor", (2.0 * a / side + b) * u + mean + 0.43)
        at = emit("max", k, 0.0)
        exact = emit("log", v * inverse_alpha / (a / (side * side) + b)) <= at * log_mean - mean - log_factorial(at)
        surely = (side >= 0.07) & (v <= bound)
        never = (k < 0.0) | ((side < 0.013) & (v > side))
        return k, surely | (exact & ~never)

    return _by_rejection(source, mean, propose)


# -- binomial -----------------------------------------------------------------------------------------------------
@array_function
def binomial(key: ArrayLike, n: ArrayLike, p: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """How many of n trials with probability p succeed, as floats (f32 by default, as in JAX); NaN where n or p cannot be.

    >>> import rlx
    >>> rlx.random.binomial(rlx.random.key(0), 10, 1.0)
    Array(10., dtype=float32)
    """
    kind = float_dtype(dtype, "binomial", p) if dtype is not None else f32
    source = KeySource(key, "binomial", n, p)
    trials, chance = parameters("binomial", shape, f64, source.key, n, p)
    return as_dtype(_binomial(source, trials, chance), kind)


def _binomial(source: KeySource, trials: Value, chance: Value) -> Value:
    valid = (trials >= 0.0) & (trials < float("inf")) & (chance >= 0.0) & (chance <= 1.0)
    n = emit("floor", emit("where", valid, trials, 0.0))
    turned = chance > 0.5
    p = emit("where", valid, emit("where", turned, 1.0 - chance, chance), 0.0)
    few = n * p < _FEW
    odds, small = p / (1.0 - p), emit("where", few, n, 0.0)
    by_sums = _by_sums(
        source.uniform(n.shape, f64), emit("exp", small * emit("log1p", -p)), lambda k: odds * (small - k) / (k + 1.0)
    )
    large = _large_binomial(source, emit("where", few, 40.0, n), emit("where", few, 0.5, p))
    counts = emit("where", few, emit("min", by_sums, n), large)
    return emit("where", valid, emit("where", turned, n - counts, counts), float("nan"))


def _large_binomial(source: KeySource, n: Value, p: Value) -> Value:
    """Draws binomial counts for n p from 10 and p up to 1/2 by Hörmann's BTRS (1993): transformed rejection with squeeze."""
    root = emit("sqrt", n * p * (1.0 - p))
    b = 1.15 + 2.53 * root
    a = -0.0873 + 0.0248 * b + 0.01 * p
    alpha, bound = (2.83 + 5.1 / b) * root, 0.92 - 4.2 / b
    mode, log_odds = emit("floor", (n + 1.0) * p), emit("log", p / (1.0 - p))
    highest = log_factorial(mode) + log_factorial(n - mode)

    def propose(u: Value, v: Value) -> tuple[Value, Value]:
        side = 0.5 - emit("abs", u)
        k = emit("floor", (2.0 * a / side + b) * u + n * p + 0.5)
        at = emit("min", emit("max", k, 0.0), n)
        height = highest - log_factorial(at) - log_factorial(n - at) + (at - mode) * log_odds
        exact = emit("log", v * alpha / (a / (side * side) + b)) <= height
        within = (k >= 0.0) & (k <= n)
        return k, within & (((side >= 0.07) & (v <= bound)) | exact)

    return _by_rejection(source, n, propose)


@array_function
def multinomial(
    key: ArrayLike,
    n: ArrayLike,
    p: ArrayLike,
    *,
    shape: ShapeLike | None = None,
    dtype: DTypeLike | None = None,
    unroll: int | bool = 1,
) -> Value:
    """How n trials divide among the classes of the last axis of p: class after class, a binomial of what is left.

    >>> import rlx
    >>> rlx.random.multinomial(rlx.random.key(0), 5, [1.0, 0.0])
    Array([5., 0.], dtype=float32)
    """
    kind = float_dtype(dtype, "multinomial", p) if dtype is not None else f32
    source = KeySource(key, "multinomial", n, p)
    shares, trials = in_dtype(p, f64, source.key), in_dtype(n, f64, source.key)
    if not shares.rank:
        raise RlxError("RLX102", "multinomial of one probability without axes", fix="p with an axis of classes")
    batch = full_shape("multinomial", None if shape is None else tuple(shape)[:-1], trials, shares[..., 0])  # type: ignore[arg-type]
    rows = moveaxis(broadcast_to(shares, (*batch, shares.shape[-1])), -1, 0)
    keys = source.draw("random_bits", (shares.shape[-1], 2))

    def step(carry: tuple[Value, Value], row: tuple[Value, Value]) -> tuple[tuple[Value, Value], Value]:
        left, mass = carry
        words, share = row
        chance = emit("where", mass > share, share / emit("max", mass, 1e-300), 1.0)
        chance = emit("where", share > 0.0, chance, 0.0)
        count = _binomial(KeySource(words, "multinomial"), left, chance)
        return (left - count, mass - share), count

    total = broadcast_to(emit("reduce_sum", rows, axes=(0,), keep_dim=False), batch)
    _, counts = scan(step, (broadcast_to(trials, batch), total), (keys, rows))
    return as_dtype(as_value(moveaxis(counts, 0, -1)), kind)
