"""Poisson, binomial and multinomial counts: by summing probabilities where they are small, by rejection where they are large."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from rlx.core.dtype import DTypeLike, f32, f64, u64
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.dtypes import iinfo
from rlx.frontends.numpy.movement import broadcast_to, moveaxis
from rlx.frontends.numpy.values import emit
from rlx.frontends.random.continuous import ShapeLike
from rlx.frontends.random.discrete import integer_dtype
from rlx.frontends.random.source import KeySource, float_dtype, full_shape, in_dtype, parameters
from rlx.ir.emit import constant
from rlx.ir.value import Value, as_dtype
from rlx.transforms.control_flow import scan, while_loop

__all__ = ["binomial", "multinomial", "poisson"]

_FEW = 10.0  # means below are drawn by summing
_MOST = 200  # terms of such a sum: what lies beyond has no probability


def _any(x: Value) -> Value:
    return emit("reduce_any", x, axes=tuple(range(x.rank)), keep_dim=False) if x.rank else x


def _by_sums(u: Value, first: Value, ratio: Callable[[Value], Value]) -> Value:
    """The count at which the sum of probabilities passes u; `ratio(k)` is p(k + 1) / p(k)."""

    def unfinished(carry: tuple[Value, ...]) -> Value:
        return _any(u >= carry[2])

    def body(carry: tuple[Value, ...]) -> tuple[Value, ...]:
        number, term, total, count = carry
        more = u >= total
        term = term * ratio(number)
        count = emit("where", more, number + 1.0, count)
        return number + 1.0, term, emit("where", more, total + term, total), count

    start = constant(u.graph, 0.0, f64), first, first, u * 0.0
    return while_loop(unfinished, body, start, max_iterations=_MOST)[3]


def _by_rejection(source: KeySource, like: Value, propose: Callable[[Value, Value], tuple[Value, Value]]) -> Value:
    """`propose(u, v)` of uniform numbers gives counts and whether they are accepted; round after round, until all are."""
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
    found = emit("where", few, by_sums, _large_poisson(source, large))
    found = emit("where", mean < top, emit("min", found, float(top)), float(top))
    return as_dtype(emit("where", valid, found, -1.0 if kind.numpy.kind == "i" else float(top)), kind)


def _large_poisson(source: KeySource, mean: Value) -> Value:
    """Hörmann's PTRS (1993): transformed rejection with squeeze, for means from 10."""
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
    found = emit("where", few, emit("min", by_sums, n), large)
    return emit("where", valid, emit("where", turned, n - found, found), float("nan"))


def _large_binomial(source: KeySource, n: Value, p: Value) -> Value:
    """Hörmann's BTRS (1993): transformed rejection with squeeze, for n p from 10 and p up to 1/2."""
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
