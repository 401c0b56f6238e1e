"""`rlx.random`: distributions against SciPy, keys, the same numbers in and out of transforms, gradients, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
import scipy.stats as stats

import rlx
from rlx import random
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ops.random import philox
from rlx.runtime.threads import set_threads
from rlx.trace.tracer import trace

PAGE = Path(__file__).resolve().parents[2] / "docs" / "random.md"
COUNT = 20_000
N = (COUNT,)
LEAST = 1e-3  # of the p-values: keys are fixed, so a test that passes always does


def f64(x: Any) -> np.ndarray[Any, Any]:
    return np.asarray(rlx.numpy.astype(x, np.float64))


# -- distributions ------------------------------------------------------------------------------------------------
Draw = Callable[[Any], Any]
CONTINUOUS: dict[str, tuple[Draw, Any]] = {
    "uniform": (lambda k: random.uniform(k, N), stats.uniform),
    "uniform f64": (lambda k: random.uniform(k, N, "f64"), stats.uniform),
    "uniform between": (lambda k: random.uniform(k, N, minval=-1, maxval=np.float32(3)), stats.uniform(-1, 4)),
    "normal": (lambda k: random.normal(k, N), stats.norm),
    "normal f64": (lambda k: random.normal(k, N, "f64"), stats.norm),
    "normal f16": (lambda k: random.normal(k, N, np.float16), stats.norm),
    "normal c64": (lambda k: rlx.numpy.imag(random.normal(k, N, "c64")) * np.sqrt(2), stats.norm),
    "truncated_normal": (lambda k: random.truncated_normal(k, -1.0, 2.5, N), stats.truncnorm(-1, 2.5)),
    "truncated_normal, tail": (lambda k: random.truncated_normal(k, 4.0, np.inf, N), stats.truncnorm(4, np.inf)),
    "exponential": (lambda k: random.exponential(k, N), stats.expon),
    "gumbel": (lambda k: random.gumbel(k, N), stats.gumbel_r),
    "laplace": (lambda k: random.laplace(k, N), stats.laplace),
    "logistic": (lambda k: random.logistic(k, N, "f64"), stats.logistic),
    "cauchy": (lambda k: random.cauchy(k, N), stats.cauchy),
    "maxwell": (lambda k: random.maxwell(k, N), stats.maxwell),
    "double_sided_maxwell": (lambda k: random.double_sided_maxwell(k, 1.0, 2.0, N), stats.maxwell(1, 2)),
    "lognormal": (lambda k: random.lognormal(k, 0.5, N), stats.lognorm(0.5)),
    "rayleigh": (lambda k: random.rayleigh(k, 0.5, N), stats.rayleigh(scale=0.5)),
    "pareto": (lambda k: random.pareto(k, 2.0, N), stats.pareto(2)),
    "weibull_min": (lambda k: random.weibull_min(k, 2.0, 3.0, N), stats.weibull_min(3, scale=2)),
    "triangular": (lambda k: random.triangular(k, -1.0, 0.5, 2.0, N), stats.triang(0.5, -1, 3)),
    "wald": (lambda k: random.wald(k, 2.0, N), stats.invgauss(2)),
    "gamma, small": (lambda k: random.gamma(k, 0.1, N, "f64"), stats.gamma(0.1)),
    "gamma": (lambda k: random.gamma(k, 3.0, N), stats.gamma(3)),
    "loggamma": (lambda k: random.loggamma(k, 0.7, N), stats.loggamma(0.7)),
    "beta": (lambda k: random.beta(k, 2.5, 0.5, N), stats.beta(2.5, 0.5)),
    "chisquare": (lambda k: random.chisquare(k, 3, N), stats.chi2(3)),
    "f": (lambda k: random.f(k, 3, 5, N), stats.f(3, 5)),
    "t": (lambda k: random.t(k, 3, N), stats.t(3)),
    "dirichlet": (lambda k: random.dirichlet(k, [1.0, 2.0, 3.0], N)[:, 1], stats.beta(2, 4)),
    "generalized_normal": (lambda k: random.generalized_normal(k, 1.5, N), stats.gennorm(1.5)),
    "ball": (lambda k: (random.ball(k, 3, shape=N) ** 2).sum(1), stats.beta(1.5, 1)),
    "ball of another norm": (lambda k: abs(random.ball(k, 2, 3.5, N)[:, 0]) * 0 + _norm(k), stats.beta(2, 1)),
    "orthogonal": (lambda k: random.orthogonal(k, 4, N)[:, 3, 2] ** 2, stats.beta(0.5, 1.5)),
    "multivariate_normal": (
        lambda k: random.multivariate_normal(k, [1.0, 2.0], [[2.0, 1.0], [1.0, 3.0]], N).sum(1),
        stats.norm(3, np.sqrt(7)),
    ),
}


def _norm(key: Any) -> Any:
    return (abs(random.ball(key, 2, 3.5, N)) ** 3.5).sum(1) ** (1 / 3.5)


SLOW = {  # to compile, and made of others
    "loggamma",
    "chisquare",
    "f",
    "t",
    "dirichlet",
    "generalized_normal",
    "ball of another norm",
    "categorical, first without replacement",
    "binomial, few",
    "multinomial",
    "gamma, small",
    "binomial, many",
    "beta",
}


def rows(table: dict[str, Any]) -> list[Any]:
    return [pytest.param(name, marks=[pytest.mark.long] if name in SLOW else []) for name in table]


@pytest.mark.parametrize("name", rows(CONTINUOUS))
def test_continuous_distributions(name: str) -> None:
    draw, distribution = CONTINUOUS[name]
    x = f64(draw(random.key(2024)))
    if name == "double_sided_maxwell":
        assert abs(np.mean(x > 1) - 0.5) < 0.02
        x = 1 + abs(x - 1)
    assert x.shape == N
    assert stats.kstest(x, distribution.cdf).pvalue > LEAST
    if distribution.var() < np.inf:
        assert abs(x.mean() - distribution.mean()) < 5 * distribution.std() / np.sqrt(COUNT)


def _of(*shares: float) -> Any:
    return stats.rv_discrete(values=(range(len(shares)), shares))


LOGS = np.log(np.float32([0.1, 0.2, 0.7]))
DISCRETE: dict[str, tuple[Draw, Any]] = {
    "bernoulli": (lambda k: random.bernoulli(k, 0.3, N), stats.bernoulli(0.3)),
    "bernoulli, high": (lambda k: random.bernoulli(k, 0.3, N, "high"), stats.bernoulli(0.3)),
    "rademacher": (lambda k: (random.rademacher(k, N) + 1) // 2, stats.bernoulli(0.5)),
    "randint": (lambda k: random.randint(k, N, -3, 4), stats.randint(-3, 4)),
    "randint u8": (lambda k: random.randint(k, N, 0, 256, "u8"), stats.randint(0, 256)),
    "geometric": (lambda k: random.geometric(k, 0.3, N), stats.geom(0.3)),
    "categorical": (lambda k: random.categorical(k, LOGS, shape=N), _of(0.1, 0.2, 0.7)),
    "categorical, first without replacement": (
        lambda k: random.categorical(k, np.tile(LOGS, (COUNT, 1)), shape=(2, COUNT), replace=False)[0],
        _of(0.1, 0.2, 0.7),
    ),
    "choice": (lambda k: random.choice(k, np.arange(3), N), stats.randint(0, 3)),
    "choice, p": (lambda k: random.choice(k, 4, N, p=[0.1, 0.2, 0.0, 0.7]), _of(0.1, 0.2, 0.0, 0.7)),
    "poisson, few": (lambda k: random.poisson(k, 3.0, N), stats.poisson(3)),
    "poisson, many": (lambda k: random.poisson(k, 35.0, N), stats.poisson(35)),
    "binomial, few": (lambda k: random.binomial(k, 12, 0.7, N), stats.binom(12, 0.7)),
    "binomial, many": (lambda k: random.binomial(k, 1000, 0.3, N), stats.binom(1000, 0.3)),
    "multinomial": (lambda k: random.multinomial(k, np.full(N, 12), [0.2, 0.5, 0.0, 0.3])[:, 3], stats.binom(12, 0.3)),
}


@pytest.mark.parametrize("name", rows(DISCRETE))
def test_discrete_distributions(name: str) -> None:
    draw, distribution = DISCRETE[name]
    x = np.asarray(draw(random.key(7))).astype(np.int64)
    assert x.shape == N
    numbers = np.arange(x.min(), x.max() + 1)
    wanted = distribution.pmf(numbers) * COUNT
    found = np.bincount(x - x.min(), minlength=len(numbers))
    assert not found[wanted == 0].any()
    often = wanted > 5
    pairs = zip(np.append(found[often], COUNT - found[often].sum()), np.append(wanted[often], 0), strict=True)
    rest = max(COUNT - wanted[often].sum(), 1e-9)
    square = sum((have - (want or rest)) ** 2 / (want or max(rest, 5)) for have, want in pairs)
    assert stats.chi2(max(often.sum() - 1, 1)).sf(square) > LEAST


def test_covariances() -> None:
    spread = np.array([[2, 1, 0.5], [1, 3, -0.2], [0.5, -0.2, 1]], np.float32)
    x = np.asarray(random.multivariate_normal(random.key(1), np.float32([1, 2, 3]), spread, N))
    np.testing.assert_allclose(np.cov(x.T), spread, atol=0.1)
    q = np.asarray(random.orthogonal(random.key(1), 3, (50,), m=5))
    np.testing.assert_allclose(q @ q.swapaxes(1, 2), np.broadcast_to(np.eye(3), (50, 3, 3)), atol=2e-6)


# -- keys ---------------------------------------------------------------------------------------------------------
def test_keys_follow_the_documented_streams() -> None:
    """By Philox in NumPy: the stream and counter that docs/random.md names."""

    def words(block: int, stream: int, data: int, key: tuple[int, int]) -> list[int]:
        counter = [np.uint32(word) for word in (block, stream, data & 0xFFFFFFFF, data >> 32)]
        return [int(word) for word in philox(tuple(np.asarray(word) for word in counter), key)]  # type: ignore[arg-type]

    key = random.key(2**40 + 5)
    assert np.asarray(key).tolist() == [256, 5]
    assert np.asarray(random.bits(key, (4,))).tolist() == words(0, 0, 0, (256, 5))
    assert np.asarray(random.split(key, 2)).ravel().tolist() == words(0, 2**32 - 1, 0, (256, 5))
    assert np.asarray(random.fold_in(key, 9)).tolist() == words(0, 2**32 - 2, 9, (256, 5))[:2]


def test_split_and_fold_in() -> None:
    key = random.key(0)
    many = np.asarray(random.split(key, 1000))
    assert len({tuple(row) for row in many.tolist()}) == 1000
    np.testing.assert_array_equal(np.asarray(random.split(key, (2, 3))).reshape(6, 2), many[:6])
    folded = np.asarray(rlx.vmap(lambda i: random.fold_in(key, i))(np.arange(100)))
    assert len({tuple(row) for row in np.concatenate([folded, many]).tolist()}) == 1100
    np.testing.assert_array_equal(folded[42], np.asarray(random.fold_in(key, 42)))


def test_numbers_of_split_keys_are_independent() -> None:
    keys = random.split(random.key(3), 40)
    x = np.asarray(rlx.vmap(lambda k: random.normal(k, (5000,)))(keys))
    apart = np.corrcoef(x)[np.triu_indices(40, 1)] * np.sqrt(5000)
    assert abs(apart).max() < 5 and abs(apart.var() - 1) < 0.2
    chain, firsts = random.key(0), []
    for _ in range(30):
        chain, key = random.split(chain)
        firsts.append(float(random.uniform(key)))
    assert stats.kstest(firsts, stats.uniform.cdf).pvalue > LEAST


@pytest.mark.parametrize("seed", [0, 42, -1, 2**40 + 5, -(2**63), 2**64 - 1])
def test_traced_seeds(seed: int) -> None:
    wanted = [seed >> 32 & 0xFFFFFFFF, seed & 0xFFFFFFFF]
    assert np.asarray(random.PRNGKey(seed)).tolist() == wanted
    array = np.asarray(seed) if seed < 2**63 else np.uint64(seed)
    assert np.asarray(rlx.jit(random.key)(array)).tolist() == wanted


def test_every_public_name_of_jax() -> None:
    names = {name for name in dir(jax.random) if not name.startswith("_")}
    missing = names - set(random.__all__)
    assert missing == {"key_dtype", "random_gamma_p"}
    for name in missing:
        assert f"`{name}`" in PAGE.read_text()


# -- the same numbers everywhere ----------------------------------------------------------------------------------
def _several(key: Any, a: Any) -> tuple[Any, ...]:
    plain = (
        random.bits(key, (5,)),
        random.uniform(key, (2, 3)),
        random.normal(key, (7,)),
        random.randint(key, (4,), 0, 100),
        random.permutation(key, 9),
        random.split(key, 3),
    )
    return plain if a is None else (*plain, random.gamma(key, a, (3,)))


def test_jit_vmap_and_scan_give_the_numbers_of_each_key_alone() -> None:
    keys, a = random.split(random.key(11), 6), np.float32([0.5, 1, 2, 3, 4, 50])
    alone = [rlx.jit(_several)(keys[i], a[i]) for i in range(6)]
    batched = rlx.jit(rlx.vmap(_several))(keys, a)
    nested = rlx.vmap(rlx.vmap(lambda k: _several(k, None)))(keys.reshape(2, 3, 2))
    scanned = rlx.jit(lambda keys: rlx.lax.scan(lambda c, key: (c, _several(key, None)), 0, keys)[1])(keys)
    for place in range(len(alone[0])):
        wanted = np.stack([np.asarray(row[place]) for row in alone])
        np.testing.assert_array_equal(batched[place], wanted)
        if place < len(scanned):
            np.testing.assert_array_equal(np.asarray(nested[place]).reshape(wanted.shape), wanted)
            np.testing.assert_array_equal(scanned[place], wanted)


def test_eager_draws_are_those_of_jit() -> None:
    key = random.key(5)
    for draw in (random.bits, random.uniform, random.normal, random.exponential, random.gumbel):
        np.testing.assert_array_equal(np.asarray(draw(key, (33,))), rlx.jit(lambda k, d=draw: d(k, (33,)))(key))


def test_warm_calls_tell_settings_apart() -> None:
    """The second call of a kind goes by the arguments alone, in whatever way they are passed."""
    key = random.key(5)
    for _ in range(3):
        assert [random.uniform(key, *rest).shape for rest in (((3,),), ((),), ((2, 2),))] == [(3,), (), (2, 2)]
        assert random.uniform(key, [3]).shape == random.uniform(key, 3).shape == (3,)
        assert random.uniform(key, (3,), "f64").dtype == np.float64
        assert random.uniform(key, (3,), "f32", 5.0, 6.0).min() >= 5 > random.uniform(key, (3,), "f32", 2.0, 3.0).max()


@pytest.mark.parametrize("draw", [random.uniform, random.normal, random.bits])
def test_threads_and_devices(draw: Any) -> None:
    key = random.key(8)
    wanted = np.asarray(draw(key, (50_001,)))
    try:
        set_threads(2)
        np.testing.assert_array_equal(np.asarray(draw(key, (50_001,))), wanted)
    finally:
        set_threads(None)
    reference = rlx.jit(lambda k: draw(k, (1001,)), device="reference")(np.asarray(key))
    np.testing.assert_allclose(reference, np.asarray(draw(key, (1001,))), rtol=1e-5, atol=1e-6)


def test_symbolic_sizes() -> None:
    key = random.key(1)

    @rlx.jit
    def noise(x: Any) -> Any:
        return random.normal(key, (x.shape[0], 3)), random.permutation(key, x.shape[0]), random.choice(key, x, (2,))

    for size in (4, 7, 9):
        drawn, order, chosen = noise(np.arange(size, dtype=np.float32))
        np.testing.assert_array_equal(drawn, np.asarray(random.normal(key, (size, 3))))
        np.testing.assert_array_equal(order, np.asarray(random.permutation(key, size)))
        assert set(np.asarray(chosen)) <= set(range(size))


# -- shapes and dtypes --------------------------------------------------------------------------------------------
def traced(function: Callable[[Any], Any]) -> Shape:
    """The shape and dtype of a function's result for a key."""
    seen = []
    trace(lambda key: seen.append(function(key)) or key, (np.zeros(2, np.uint32),), {}, {"0.0": Shape((2,), "u32")})
    return seen[0].type


def test_shapes_and_dtypes_are_those_of_jax() -> None:
    logits = np.zeros((4, 5), np.float32)
    calls: list[Callable[[Any, Any], Any]] = [
        lambda r, k: r.uniform(k, (2, 0)),
        lambda r, k: r.uniform(k, (3,), "bfloat16"),
        lambda r, k: r.normal(k, (), "complex64"),
        lambda r, k: r.bits(k, (3,), "uint8"),
        lambda r, k: r.bernoulli(k, np.full((2, 1), 0.5, np.float32), (3, 2, 4)),
        lambda r, k: r.gamma(k, np.ones((2, 1), np.float32), (3, 2, 4)),
        lambda r, k: r.beta(k, np.ones((2, 1), np.float32), np.ones(3, np.float32)),
        lambda r, k: r.categorical(k, logits),
        lambda r, k: r.categorical(k, logits, axis=0, shape=(7, 5)),
        lambda r, k: r.categorical(k, logits, shape=(3, 4), replace=False),
        lambda r, k: r.categorical(k, logits, axis=0, shape=(2, 5), replace=False),
        lambda r, k: r.choice(k, logits, (3,), axis=1),
        lambda r, k: r.choice(k, 5, (2, 2), replace=False, p=np.full(5, 0.2, np.float32)),
        lambda r, k: r.permutation(k, logits, 1, independent=True),
        lambda r, k: r.rademacher(k, (2,), "int8"),
        lambda r, k: r.poisson(k, np.ones(3, np.float32)),
        lambda r, k: r.binomial(k, 5, np.full(3, 0.5, np.float32)),
        lambda r, k: r.dirichlet(k, np.ones((2, 3), np.float32), (4, 2)),
        lambda r, k: r.multivariate_normal(k, np.zeros(3, np.float32), np.eye(3, dtype=np.float32), (2,)),
        lambda r, k: r.orthogonal(k, 3, (2,)),
        lambda r, k: r.ball(k, 3, shape=(2,)),
        lambda r, k: r.weibull_min(k, np.ones(3, np.float32), np.ones(3, np.float32), (2, 3)),
        lambda r, k: r.double_sided_maxwell(k, np.ones(3, np.float32), 1.0, (2,)),
        lambda r, k: r.multinomial(k, np.full(2, 5), np.full((2, 3), 1 / 3, np.float32)),
        lambda r, k: r.t(k, np.ones(3, np.float32), dtype="float32"),
    ]
    for call in calls:
        mine = traced(lambda k, call=call: call(random, k))
        theirs = jax.eval_shape(lambda k, call=call: call(jax.random, k), jax.random.key(0))
        assert (mine.dims, mine.dtype.numpy) == (theirs.shape, theirs.dtype)


def test_orders() -> None:
    key = random.key(4)
    table = np.arange(24).reshape(4, 6)
    rows = np.asarray(random.permutation(key, table))
    assert sorted(rows.tolist()) == table.tolist() and rows.tolist() != table.tolist()
    own = np.asarray(random.permutation(key, table, axis=1, independent=True))
    np.testing.assert_array_equal(np.sort(own, 1), table)
    assert len({tuple(np.argsort(row).tolist()) for row in own}) > 1
    picked = np.asarray(random.choice(key, 100, (100,), replace=False))
    assert sorted(picked.tolist()) == list(range(100))
    orders = np.asarray(rlx.vmap(lambda k: random.permutation(k, 3))(random.split(key, 6000)))
    counts = np.unique(orders @ [9, 3, 1], return_counts=True)[1]
    assert len(counts) == 6 and stats.chisquare(counts).pvalue > LEAST


def test_ends_of_intervals() -> None:
    key = random.key(0)
    for dtype in ("float16", "bfloat16", "float32"):
        u = f64(random.uniform(key, (100_000,), dtype))
        assert u.min() >= 0 and u.max() < 1
    assert np.isfinite(f64(random.gumbel(key, (300_000,)))).all()
    assert np.asarray(random.randint(key, (3,), 5, 5)).tolist() == [5, 5, 5]
    wide = f64(random.randint(key, (1000,), -(2**31), 2**31))
    assert wide.min() < -(2**30) and wide.max() > 2**30
    x = f64(random.truncated_normal(key, -0.1, 0.1, (1000,)))
    assert -0.1 <= x.min() < -0.09 and 0.09 < x.max() <= 0.1000001
    assert np.isnan(f64(random.gamma(key, np.float32([-1, 0, np.nan, 2])))).tolist() == [True, True, True, False]


@pytest.mark.long
def test_counts_that_cannot_be() -> None:
    key = random.key(0)
    assert np.asarray(random.poisson(key, [0.0, -1.0, np.nan, 1e12])).tolist() == [0, -1, -1, 2**31 - 1]
    found = np.asarray(random.binomial(key, [-1.0, 5, 5, 5], [0.5, 0, 1, 2]))
    np.testing.assert_array_equal(found, [np.nan, 0, 5, np.nan])


# -- gradients ----------------------------------------------------------------------------------------------------
def test_gradients_of_reparameterized_samples() -> None:
    key = random.key(6)
    z = f64(random.normal(key, (5,)))
    scale = rlx.grad(lambda s: (s * random.normal(key, (5,))).sum())(np.float32(2))
    np.testing.assert_allclose(scale, z.sum(), rtol=1e-5)
    u = f64(random.uniform(key, (5,)))
    low, high = rlx.grad(lambda a, b: random.uniform(key, (5,), minval=a, maxval=b).sum(), argnums=(0, 1))(
        np.float32(1), np.float32(3)
    )
    np.testing.assert_allclose([low, high], [5 - u.sum(), u.sum()], rtol=1e-5)
    sigma = rlx.grad(lambda s: random.lognormal(key, s, (5,)).sum())(np.float32(0.5))
    np.testing.assert_allclose(sigma, (z * np.exp(0.5 * z)).sum(), rtol=1e-5)


def test_gradient_of_gamma_is_the_implicit_one() -> None:
    """By differences of SciPy's inverse of the distribution function."""
    a = np.array([0.05, 0.3, 1.0, 2.7, 20.0, 150.0, 1000.0])

    def draw(a: Any) -> Any:
        return random.gamma(random.key(0), a, (7,), "f64")

    x = f64(draw(a))
    step = 1e-4 * a
    share = stats.gamma(a).cdf(x)
    wanted = (stats.gamma(a + step).ppf(share) - stats.gamma(a - step).ppf(share)) / (2 * step)
    found = rlx.grad(lambda a: draw(a).sum())(a)
    np.testing.assert_allclose(found, wanted, rtol=1e-4)
    mean = rlx.grad(lambda a: random.gamma(random.key(1), a, (20_000,)).mean())(np.float32(2))
    assert abs(float(mean) - 1) < 0.02, "the mean of gamma(a) is a"


# -- errors -------------------------------------------------------------------------------------------------------
KEY = random.key(0)
WRONG: list[tuple[Callable[[], Any], str, str]] = [
    (lambda: random.normal(0, (3,)), "RLX102", "the key is i32[]"),
    (lambda: random.normal(random.split(KEY, 3), (3,)), "RLX102", "the key is u32[3, 2]"),
    (lambda: random.normal(KEY, (3,), "int32"), "RLX103", "dtype i32"),
    (lambda: random.bits(KEY, (3,), "int32"), "RLX103", "dtype i32"),
    (lambda: random.randint(KEY, (3,), 0, 2**40), "RLX109", "1099511627776"),
    (lambda: random.randint(KEY, (3,), 0.5, 4), "RLX103", "a bound is f32[]"),
    (lambda: random.key(1.5), "RLX109", "1.5"),
    (lambda: random.key(2**64), "RLX109", "does not fit 64 bits"),
    (lambda: random.key(0, impl="rbg"), "RLX109", "'rbg'"),
    (lambda: random.fold_in(KEY, 1.5), "RLX109", "f32[]"),
    (lambda: random.gamma(KEY, np.ones((2, 3)), (2,)), "RLX102", "shape [2] for a parameter of shape [2, 3]"),
    (lambda: random.choice(KEY, 3, (4,), replace=False), "RLX105", "4 of 3 elements"),
    (lambda: random.choice(KEY, 3, (4,), p=[0.5, 0.5]), "RLX102", "for 3 elements"),
    (lambda: random.permutation(KEY, 1.5), "RLX109", "1.5"),
    (lambda: random.permutation(KEY, np.ones(3), axis=1), "RLX104", "axis 1"),
    (lambda: random.categorical(KEY, 1.0), "RLX102", "without axes"),
    (lambda: random.multivariate_normal(KEY, [0.0, 1.0], np.eye(3)), "RLX102", "mean"),
    (lambda: random.normal(KEY, (-2,)), "RLX105", "negative"),
    (lambda: random.wrap_key_data(np.zeros(3, np.uint32)), "RLX102", "u32[3]"),
    (lambda: random.bernoulli(KEY, 0.5, mode="x"), "RLX109", "'x'"),
]


@pytest.mark.parametrize(("call", "code", "message"), WRONG, ids=[row[2] for row in WRONG])
def test_errors(call: Callable[[], Any], code: str, message: str) -> None:
    with pytest.raises(RlxError) as raised:
        call()
    assert raised.value.code == code and message in str(raised.value) and "fix:" in str(raised.value)
