"""Probability distributions with `jax.scipy.stats`' names: densities, shares below and above, and their inverses.

A continuous one is written for location 0 and scale 1; the others of its functions follow.

>>> from rlx.scipy.stats import norm
>>> norm.cdf(3.0, loc=3.0, scale=2.0)
Array(0.5, dtype=float32)
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from rlx.frontends.dispatch import ArrayFunction, ArrayLike, array_function, as_value, emit, floating, promote_values
from rlx.frontends.numpy.elementwise import exp, make_function
from rlx.frontends.numpy.linalg import cholesky
from rlx.frontends.scipy.linalg import solve_triangular
from rlx.frontends.scipy.special import betainc, betaln, gammainc, gammaincc, xlog1py, xlogy
from rlx.ir.array_methods import Array
from rlx.ir.value import Value

__all__ = [
    "bernoulli", "beta", "binom", "cauchy", "chi2", "dirichlet", "expon", "gamma", "geom", "gumbel_l", "gumbel_r", "laplace",
    "logistic", "multivariate_normal", "nbinom", "norm", "pareto", "poisson", "t", "uniform",
]  # fmt: skip

Formula = Callable[..., Array]
_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
_DOCS = {
    "logpdf": "The logarithm of the density at x.",
    "pdf": "The density at x.",
    "logcdf": "The logarithm of the probability of at most x.",
    "cdf": "The probability of at most x.",
    "logsf": "The logarithm of the probability of more than x.",
    "sf": "The probability of more than x.",
    "ppf": "The x with probability q of at most x.",
    "isf": "The x with probability q of more than x.",
    "logpmf": "The logarithm of the probability of k.",
    "pmf": "The probability of k.",
}


def _exp(x: Array) -> Value:
    return emit("exp", x)


def _log(x: Array) -> Value:
    return emit("log", x)


def _choose(condition: Any, x: Any, y: Any) -> Value:
    return emit("where", condition, x, y)


def _log_or_never(probability: Array) -> Value:
    """Takes the logarithm of a probability; of 0 it is -∞ with gradient 0."""
    return _choose(probability == 0, -math.inf, _log(_choose(probability == 0, 1.0, probability)))


def _function(name: str, first: str, parameters: Sequence[str], defaults: dict[str, float], formula: Formula) -> Any:
    """Makes a public function of arrays with these parameters, its arguments promoted to one dtype."""
    plain = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [
            inspect.Parameter(each, plain, default=defaults.get(each, inspect.Parameter.empty), annotation="ArrayLike")
            for each in (first, *parameters, *defaults)
        ]
    )

    def body(*args: Any, **kwargs: Any) -> Array:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        x, *others = bound.arguments.values()
        return formula(*promote_values(floating(x), *others))

    body.__signature__ = signature  # type: ignore[attr-defined]
    return make_function(body, name, _DOCS[name])


def _continuous(parameters: str, *, logpdf: Formula, **formulas: Formula) -> SimpleNamespace:
    """Makes a continuous distribution from formulas of (z, *parameters) at location 0 and scale 1."""
    logcdf, logsf = formulas.get("logcdf"), formulas.get("logsf")
    cdf, sf = formulas.get("cdf"), formulas.get("sf")
    if cdf is None and logcdf is not None:
        formulas["cdf"] = lambda *values: _exp(logcdf(*values))
    if sf is None and logsf is not None:
        formulas["sf"] = lambda *values: _exp(logsf(*values))
    if logcdf is None and cdf is not None:
        formulas["logcdf"] = lambda *values: _log_or_never(cdf(*values))
    if logsf is None and sf is not None:
        formulas["logsf"] = lambda *values: _log_or_never(sf(*values))

    def at(formula: Formula, finish: Formula) -> Formula:
        def on_all(x: Value, *values: Value) -> Array:
            *shapes, loc, scale = values
            return finish(formula((x - loc) / scale, *shapes), scale)

        return on_all

    def inverse(formula: Formula) -> Formula:
        def on_all(q: Value, *values: Value) -> Array:
            *shapes, loc, scale = values
            return formula(q, *shapes) * scale + loc

        return on_all

    names = parameters.split()
    where: dict[str, float] = {"loc": 0, "scale": 1}
    density = at(logpdf, lambda density, scale: density - _log(scale))
    all_of = {"logpdf": density, "pdf": lambda *values: _exp(density(*values))}
    for name, formula in formulas.items():
        all_of[name] = inverse(formula) if name in ("ppf", "isf") else at(formula, lambda density, scale: density)
    return SimpleNamespace(
        **{name: _function(name, "q" if name in ("ppf", "isf") else "x", names, where, formula) for name, formula in all_of.items()}
    )


def _discrete(parameters: str, *, logpmf: Formula, **formulas: Formula) -> SimpleNamespace:
    """Makes a distribution of integers from formulas of (k, *parameters) at location 0."""

    def at(formula: Formula) -> Formula:
        return lambda k, *values: formula(k - values[-1], *values[:-1])

    all_of = {"logpmf": logpmf, "pmf": lambda *values: _exp(logpmf(*values)), **formulas}
    names = parameters.split()
    return SimpleNamespace(**{name: _function(name, "k", names, {"loc": 0}, at(formula)) for name, formula in all_of.items()})


# -- on the whole line ----------------------------------------------------------------------------------------------
norm = _continuous(
    "",
    logpdf=lambda z: -0.5 * z * z - _HALF_LOG_2PI,
    cdf=lambda z: emit("ndtr", z),
    logcdf=lambda z: emit("log_ndtr", z),
    sf=lambda z: emit("ndtr", -z),
    logsf=lambda z: emit("log_ndtr", -z),
    ppf=lambda q: emit("ndtri", q),
    isf=lambda q: -emit("ndtri", q),
)
logistic = _continuous(
    "",
    logpdf=lambda z: -emit("abs", z) - 2.0 * emit("log1p", _exp(-emit("abs", z))),
    cdf=lambda z: emit("sigmoid", z),
    sf=lambda z: emit("sigmoid", -z),
    ppf=lambda q: _log(q) - emit("log1p", -q),
    isf=lambda q: emit("log1p", -q) - _log(q),
)
laplace = _continuous(
    "",
    logpdf=lambda z: -emit("abs", z) - math.log(2),
    cdf=lambda z: _choose(z <= 0, 0.5 * _exp(-emit("abs", z)), 1.0 - 0.5 * _exp(-emit("abs", z))),
)
cauchy = _continuous(
    "",
    logpdf=lambda z: -math.log(math.pi) - emit("log1p", z * z),
    cdf=lambda z: 0.5 + emit("atan", z) / math.pi,
    sf=lambda z: 0.5 - emit("atan", z) / math.pi,
    ppf=lambda q: emit("tan", math.pi * q - 0.5 * math.pi),
    isf=lambda q: emit("tan", 0.5 * math.pi - math.pi * q),
)
gumbel_r = _continuous(
    "",
    logpdf=lambda z: -z - _exp(-z),
    logcdf=lambda z: -_exp(-z),
    sf=lambda z: -emit("expm1", -_exp(-z)),
    ppf=lambda q: -_log(-_log(q)),
)
gumbel_l = _continuous(
    "",
    logpdf=lambda z: z - _exp(z),
    cdf=lambda z: -emit("expm1", -_exp(z)),
    logsf=lambda z: -_exp(z),
    ppf=lambda q: _log(-emit("log1p", -q)),
)


def _t_logpdf(z: Value, df: Value) -> Value:
    half = 0.5 * df
    size = emit("lgamma", half + 0.5) - emit("lgamma", half) - 0.5 * _log(math.pi * df)
    return size - (half + 0.5) * emit("log1p", z * z / df)


t = _continuous("df", logpdf=_t_logpdf)


# -- on a part of the line ------------------------------------------------------------------------------------------
def _between(low: float, high: float, formula: Formula, below: float, above: float) -> Formula:
    """Restricts a formula to z between two ends, with constants beyond; a safe z keeps unused results finite."""

    def function(z: Value, *shapes: Value) -> Value:
        fits = (z >= low) & (z <= high)
        safe = low + 0.5 if high == math.inf else 0.5 * (low + high)
        value = formula(_choose(fits, z, safe), *shapes)
        return _choose(fits, value, _choose(z < low, below, _choose(z > high, above, math.nan)))

    return function


def _from(low: float, formula: Formula, below: float) -> Formula:
    return _between(low, math.inf, formula, below, math.nan)


_NEVER = -math.inf
uniform = _continuous(
    "",
    logpdf=_between(0, 1, lambda z: z * 0.0, _NEVER, _NEVER),
    cdf=_between(0, 1, lambda z: z, 0.0, 1.0),
    ppf=_between(0, 1, lambda q: q, math.nan, math.nan),
)
expon = _continuous(
    "",
    logpdf=_from(0, lambda z: -z, _NEVER),
    cdf=_from(0, lambda z: -emit("expm1", -z), 0.0),
    logsf=_from(0, lambda z: -z, 0.0),
    ppf=lambda q: -emit("log1p", -q),
)
gamma = _continuous(
    "a",
    logpdf=_from(0, lambda z, a: xlogy(a - 1.0, z) - z - emit("lgamma", a), _NEVER),
    cdf=_from(0, lambda z, a: gammainc(a, z), 0.0),
    sf=_from(0, lambda z, a: gammaincc(a, z), 1.0),
)
chi2 = _continuous(
    "df",
    logpdf=_from(0, lambda z, df: xlogy(0.5 * df - 1.0, z) - 0.5 * z - 0.5 * df * math.log(2) - emit("lgamma", 0.5 * df), _NEVER),
    cdf=_from(0, lambda z, df: gammainc(0.5 * df, 0.5 * z), 0.0),
    sf=_from(0, lambda z, df: gammaincc(0.5 * df, 0.5 * z), 1.0),
)
beta = _continuous(
    "a b",
    logpdf=_between(0, 1, lambda z, a, b: xlogy(a - 1.0, z) + xlog1py(b - 1.0, -z) - betaln(a, b), _NEVER, _NEVER),
    cdf=_between(0, 1, lambda z, a, b: betainc(a, b, z), 0.0, 1.0),
    sf=_between(0, 1, lambda z, a, b: betainc(b, a, 1.0 - z), 1.0, 0.0),
)
pareto = _continuous(
    "b",
    logpdf=_from(1, lambda z, b: _log(b) - (b + 1.0) * _log(z), _NEVER),
    cdf=_from(1, lambda z, b: -emit("expm1", -b * _log(z)), 0.0),
    logsf=_from(1, lambda z, b: -b * _log(z), 0.0),
    ppf=lambda q, b: _exp(-emit("log1p", -q) / b),
)


# -- integers -------------------------------------------------------------------------------------------------------
def _of_integers(low: float, formula: Formula) -> Formula:
    """Restricts a formula to integers from `low`; elsewhere the probability is 0."""

    def function(k: Value, *shapes: Value) -> Value:
        fits = (k >= low) & (emit("floor", k) == k)
        return _choose(fits, formula(_choose(fits, k, low), *shapes), _NEVER)

    return function


def _choices(n: Value, k: Value) -> Value:
    """The logarithm of the binomial coefficient n over k."""
    return emit("lgamma", n + 1.0) - emit("lgamma", k + 1.0) - emit("lgamma", n - k + 1.0)


def _binom_logpmf(k: Value, n: Value, p: Value) -> Value:
    fits = k <= n
    k = _choose(fits, k, 0.0)
    return _choose(fits, _choices(n, k) + xlogy(k, p) + xlog1py(n - k, -p), _NEVER)


bernoulli = _discrete(
    "p", logpmf=_of_integers(0, lambda k, p: _choose(k <= 1, xlogy(_choose(k <= 1, k, 0.0), p) + xlog1py(1.0 - k, -p), _NEVER))
)
binom = _discrete("n p", logpmf=_of_integers(0, _binom_logpmf))
geom = _discrete("p", logpmf=_of_integers(1, lambda k, p: xlog1py(k - 1.0, -p) + _log(p)))
nbinom = _discrete("n p", logpmf=_of_integers(0, lambda k, n, p: _choices(k + n - 1.0, k) + xlogy(n, p) + xlog1py(k, -p)))
poisson = _discrete(
    "mu",
    logpmf=_of_integers(0, lambda k, mu: xlogy(k, mu) - emit("lgamma", k + 1.0) - mu),
    cdf=lambda k, mu: _choose(k < 0, 0.0, gammaincc(emit("floor", _choose(k < 0, 0.0, k)) + 1.0, mu)),
)


# -- vectors --------------------------------------------------------------------------------------------------------
@array_function
def _dirichlet_logpdf(x: ArrayLike, alpha: ArrayLike) -> Value:
    """The logarithm of the Dirichlet density at x; its first axis has one entry for each of alpha."""
    x, alpha = promote_values(floating(x), alpha)
    alpha = alpha.reshape((*alpha.shape, *(1,) * (x.rank - alpha.rank)))
    total = _sum(emit("lgamma", alpha)) - emit("lgamma", _sum(alpha))
    return _sum(xlogy(alpha - 1.0, x)) - total


def _sum(x: Array, axis: int = 0) -> Value:
    return emit("reduce_sum", x, axes=(axis,), keep_dim=False)


@array_function
def _normal_logpdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike) -> Value:
    """The logarithm of the normal density at x, vectors in the last axis."""
    x, mean, cov = promote_values(floating(x), mean, cov)
    if not mean.rank:
        z = x - mean
        return -0.5 * z * z / cov - 0.5 * _log(cov) - _HALF_LOG_2PI
    factor = as_value(cholesky(cov))
    z = x - mean
    between = as_value(solve_triangular(factor, z.reshape((*z.shape, 1)), lower=True))[..., 0]
    size = z.shape[-1]
    on_diagonal = emit("reduce_sum", factor * _unit(factor), axes=(factor.rank - 1,), keep_dim=False)
    logs = _sum(_log(on_diagonal), on_diagonal.rank - 1)
    return -0.5 * _sum(between * between, between.rank - 1) - logs - size * _HALF_LOG_2PI


def _unit(x: Value) -> Value:
    rows, columns = (emit("iota", shape=x.shape[-2:], axis=axis, dtype=x.dtype, graph=x.graph) for axis in (0, 1))
    return (rows == columns).astype(x.dtype)


def _pdf(logpdf: ArrayFunction[..., Array]) -> Callable[..., Any]:
    def pdf(*args: Any, **kwargs: Any) -> Any:
        """The density at x."""
        return exp(logpdf(*args, **kwargs))

    return pdf


dirichlet = SimpleNamespace(logpdf=_dirichlet_logpdf, pdf=_pdf(_dirichlet_logpdf))
multivariate_normal = SimpleNamespace(logpdf=_normal_logpdf, pdf=_pdf(_normal_logpdf))
