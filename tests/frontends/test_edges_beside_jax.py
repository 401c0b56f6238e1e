"""Ties, zeros, infinities, empty windows and short dtypes: values and gradients are JAX's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import rlx
import rlx.numpy as rnp
from rlx.core.errors import RlxError

BF16 = ml_dtypes.bfloat16
NAN, INF = np.nan, np.inf


class Ours:
    np, lax, nn, jit, grad, asarray = rnp, rlx.lax, rlx.nn, rlx.jit, rlx.grad, rnp.asarray


class Theirs:
    np, lax, nn, jit, grad, asarray = jnp, jax.lax, jax.nn, jax.jit, jax.grad, jnp.asarray


Case = Callable[..., Any]


def leaves(found: Any) -> list[Any]:
    return [np.asarray(leaf) for leaf in jax.tree.leaves(jax.tree.map(np.asarray, found))]


def assert_same(found: Any, expected: Any, what: str = "") -> None:
    mine, other = leaves(found), leaves(expected)
    assert [(x.shape, x.dtype) for x in mine] == [(x.shape, x.dtype) for x in other], what
    for x, y in zip(mine, other, strict=True):
        rtol = {"bfloat16": 2e-2, "float16": 2e-3}.get(x.dtype.name, 1e-5)
        wide = np.complex128 if x.dtype.kind == "c" else np.float64
        np.testing.assert_allclose(x.astype(wide), y.astype(wide), rtol=rtol, atol=1e-6, err_msg=what)


def both(case: Case, *arrays: Any, traced: bool = True) -> None:
    """A function of (library, *arrays) at once on arrays, and traced."""
    expected = case(Theirs, *map(jnp.asarray, arrays))
    assert_same(case(Ours, *map(rnp.asarray, arrays)), expected, "at once")
    if traced:
        assert_same(rlx.jit(lambda *xs: case(Ours, *xs))(*arrays), expected, "traced")


# -- subgradients ---------------------------------------------------------------------------------------------------
POINTS = (0.0, -0.0, 1.0, -1.0, 2.0, 6.0, -3.0, 3.0)
SLOPES: dict[str, Case] = {
    **{f"np.{name}": (lambda m, a, name=name: getattr(m.np, name)(a)) for name in ("abs", "fabs", "sign", "i0", "sinc")},
    **{
        f"nn.{name}": (lambda m, a, name=name: getattr(m.nn, name)(a))
        for name in ("relu", "relu6", "leaky_relu", "elu", "hard_tanh", "hard_sigmoid", "hard_swish", "soft_sign")
    },
    **{
        f"np.{name} {side}": (lambda m, a, name=name, side=side: getattr(m.np, name)(*((a, 1.0) if side == "left" else (1.0, a))))
        for name in ("maximum", "minimum", "fmax", "fmin", "logaddexp", "copysign", "hypot")
        for side in ("left", "right")
    },
    **{
        f"np.{name} of both": (lambda m, a, name=name: getattr(m.np, name)(a, a))
        for name in ("maximum", "minimum", "fmax", "fmin", "logaddexp", "copysign", "hypot")
    },
    "hypot beside 0": lambda m, a: m.np.hypot(a, 0.0),
    "clip": lambda m, a: m.np.clip(a, 0.0, 1.0),
    "clamp": lambda m, a: m.lax.clamp(np.zeros((), a.dtype), a, np.ones((), a.dtype)),
    "clamp, the lower limit": lambda m, a: m.lax.clamp(a, np.ones((), a.dtype), np.full((), 2, a.dtype)),
    "clamp, the upper limit": lambda m, a: m.lax.clamp(np.full((), -1, a.dtype), np.ones((), a.dtype), a),
    "a power of itself": lambda m, a: a**a,
    "a power of 2": lambda m, a: 2.0**a,
    "a power of 0": lambda m, a: 0.0**a,
    "to integers": lambda m, a: (a ** m.np.arange(4)).sum(),
    "to the power of 0": lambda m, a: a**0,
}


@pytest.mark.parametrize("name", SLOPES)
@pytest.mark.parametrize("dtype", [np.float32, BF16, np.float16])
def test_slopes_at_ties_and_zeros(name: str, dtype: Any) -> None:
    x = np.array(POINTS, np.float32).astype(dtype)

    def slopes(m: Any) -> Any:
        return m.jit(m.grad(lambda a: sum(SLOPES[name](m, a[i]).astype(np.float32) for i in range(len(POINTS)))))(x)

    assert_same(slopes(Ours), slopes(Theirs), name)


VECTORS = ((0.0, 0, 0), (1, 1, 0), (2, 2, 2), (-1, 0, 1), (1, -1, 1), (INF, INF, 0))
REDUCED: dict[str, Case] = {
    **{f"np.{name}": (lambda m, a, name=name: getattr(m.np, name)(a)) for name in ("max", "min", "median", "ptp", "prod")},
    **{f"norm {order}": (lambda m, a, order=order: m.np.linalg.norm(a, order)) for order in (None, 1, 2, INF, -INF)},
    **{
        f"lax.{name}": (lambda m, a, name=name: (getattr(m.lax, name)(a) * m.np.arange(1.0, 4.0)).sum())
        for name in ("cummax", "cummin")
    },
    "sort": lambda m, a: (m.np.sort(a) * m.np.arange(1.0, 4.0)).sum(),
    "the largest of windows": lambda m, a: (
        m.lax.reduce_window(a, -INF, m.lax.max, (2,), (1,), "SAME") * m.np.arange(1.0, 4.0)
    ).sum(),
    "the smallest of windows": lambda m, a: (
        m.lax.reduce_window(a, INF, m.lax.min, (2,), (1,), "SAME") * m.np.arange(1.0, 4.0)
    ).sum(),
}


@pytest.mark.parametrize("name", REDUCED)
def test_slopes_of_equal_elements(name: str) -> None:
    mine, other = (m.jit(m.grad(lambda a, m=m: REDUCED[name](m, a))) for m in (Ours, Theirs))
    for vector in VECTORS:
        x = np.array(vector, np.float32)
        assert_same(mine(x), other(x), f"{name} of {vector}")


def test_the_first_of_equal_elements_of_a_window_in_row_major_order() -> None:
    x = np.random.default_rng(0).integers(0, 3, (5, 6)).astype(np.float32)

    def slopes(m: Any) -> Any:
        def loss(a: Any) -> Any:
            found = m.lax.reduce_window(a, -INF, m.lax.max, (3, 2), (1, 2), "SAME")
            return (found * m.np.arange(1.0, found.size + 1).reshape(found.shape)).sum()

        return m.grad(loss)(x)

    assert_same(slopes(Ours), slopes(Theirs))


def test_slopes_that_are_documented_to_differ() -> None:
    """docs/coming-from-jax.md, numbers that differ."""
    low = np.full(3, -INF, np.float32)
    np.testing.assert_array_equal(rlx.grad(lambda a: rlx.nn.logsumexp(a))(low), [0, 0, 0])
    np.testing.assert_array_equal(rlx.grad(lambda a: rnp.logaddexp(a, a))(np.float32(-INF)), 1)
    np.testing.assert_array_equal(rlx.grad(lambda a: a**0.0)(np.float32(0)), 0)


def test_logsumexp_of_an_infinity_has_no_finite_slope_there() -> None:
    x = np.array([0, 1, INF], np.float32)
    assert_same(rlx.grad(rlx.nn.logsumexp)(x), jax.grad(jax.nn.logsumexp)(x))


# -- infinities and NaN ---------------------------------------------------------------------------------------------
ODD = ([1, INF, -INF, 3], [1, INF, 2], [1, INF, NAN], [NAN, NAN], [-INF, NAN], [INF], [0.0, 1, 2])


@pytest.mark.parametrize("dtype", [np.float32, np.float16, BF16, np.complex64])
@pytest.mark.parametrize("name", ["nanvar", "nanstd", "nanmean", "nanmax", "nanmin", "nanargmax", "nanargmin"])
def test_reductions_without_nan_keep_infinities(name: str, dtype: Any) -> None:
    if dtype is np.complex64 and name not in ("nanvar", "nanstd", "nanmean"):
        pytest.skip("JAX orders complex NaN by chance")
    for values in ODD:
        both(lambda m, x: getattr(m.np, name)(x), np.array(values, np.float32).astype(dtype))


@pytest.mark.parametrize("b", [None, [-1, -2, -3, -4], [1, -1, 0, 2], [0, 0, 0, 0]])
@pytest.mark.parametrize("sign", [False, True])
def test_logsumexp_with_factors_and_sign(b: Any, sign: bool) -> None:
    factors = None if b is None else np.array(b, np.float32)
    for values in ([1, 2, 3, 4], [INF, 1, 2, 3], [-INF] * 4, [0, 0, INF, 0], [-INF, 0, 1, NAN]):
        x = np.array(values, np.float32)
        both(lambda m, x: m.nn.logsumexp(x, b=factors, return_sign=sign, keepdims=True), x)


# -- sets -----------------------------------------------------------------------------------------------------------
KINDS = [np.float32, np.float16, BF16, np.int8, np.uint16, np.bool_]


def members(dtype: Any) -> Any:
    whole = np.dtype(dtype).kind in "iub"
    return np.array([0, 3, 1, 1, 0, 7, 0] if whole else [0.0, -0.0, 1, NAN, NAN, -1, 0], np.float32).astype(dtype)


@pytest.mark.parametrize("dtype", KINDS)
def test_sets(dtype: Any) -> None:
    x = members(dtype)
    y = x[::-1][:4].copy()
    both(lambda m, x: m.np.unique(x, True, True, True), x, traced=False)
    both(lambda m, x: m.np.unique(x.reshape(7, 1), axis=0), x, traced=False)
    for size in (3, 9):
        both(lambda m, x, size=size: m.np.unique(x, True, True, True, size=size), x)
    for name in ("unique_values", "unique_counts", "unique_inverse", "unique_all"):
        both(lambda m, x, name=name: jax.tree.leaves(getattr(m.np, name)(x)), x, traced=False)
    for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d", "isin"):
        both(lambda m, x, y, name=name: getattr(m.np, name)(x, y), x, y, traced=False)


def test_the_parts_of_an_axis_that_differ() -> None:
    x = np.array([[0, NAN], [1, 2], [-0.0, NAN], [1, 2], [0, 1]], np.float32)
    both(lambda m, x: m.np.unique(x, True, True, True, axis=0), x, traced=False)
    both(lambda m, x: m.np.unique(x.T, axis=1), x, traced=False)


# -- windows --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("op", ["add", "max", "min", "mul"])
@pytest.mark.parametrize("padding", ["SAME", "SAME_LOWER", "VALID", ((2, 0), (0, 1))])
def test_windows_of_spread_elements(op: str, padding: Any) -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    start = np.float32({"add": 0, "mul": 1, "max": -INF, "min": INF}[op])
    for window, steps, base, apart in [((3, 2), (2, 1), (2, 1), (2, 2)), ((1, 5), (1, 2), (1, 2), (2, 2))]:
        both(
            lambda m, x, w=window, s=steps, b=base, a=apart: m.lax.reduce_window(
                x, start, getattr(m.lax, op), w, s, padding, base_dilation=b, window_dilation=a
            ),
            x,
        )


@pytest.mark.parametrize("dtype", [np.float32, BF16])
def test_a_window_larger_than_the_image(dtype: Any) -> None:
    x, w = np.ones((2, 3, 2, 5), dtype), np.ones((4, 3, 3, 2), dtype)
    both(lambda m, x, w: m.lax.conv_general_dilated(x, w, (1, 1), "VALID"), x, w)
    both(lambda m, x: m.lax.reduce_window(x, 0.0, m.lax.add, (1, 1, 3, 2), (1, 1, 1, 1), "VALID"), x)
    slopes = rlx.grad(lambda x, w: rlx.lax.conv_general_dilated(x, w, (1, 1), "VALID").sum(), argnums=(0, 1))(x, w)
    assert_same(slopes, (np.zeros_like(x), np.zeros_like(w)))


@pytest.mark.parametrize("config", [[(1, 3, 1)], [(0, 0, 2)], [(2, -1, 1)]])
def test_pad_of_an_empty_array(config: Any) -> None:
    both(lambda m, x: m.lax.pad(x, np.float32(1.5), config), np.zeros(0, np.float32))
    both(lambda m, x: m.lax.pad(x, np.float32(1.5), [(1, 0, 0), *config]), np.zeros((2, 0), np.float32))


def test_groups_of_a_batch() -> None:
    draw = np.random.default_rng(0)
    x, w = (draw.normal(size=size).astype(np.float32) for size in ((6, 2, 5, 4), (9, 2, 2, 3)))

    def case(m: Any, x: Any, w: Any) -> Any:
        return m.lax.conv_general_dilated(x, w, (2, 1), ((1, 0), (1, 2)), rhs_dilation=(2, 1), batch_group_count=3)

    both(case, x, w)
    mine, other = (m.grad(lambda x, w, m=m: (case(m, x, w) ** 2).sum(), argnums=(0, 1))(x, w) for m in (Ours, Theirs))
    for a, b in zip(mine, other, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)
    with pytest.raises(RlxError, match="batch_group_count=4"):
        rlx.lax.conv_general_dilated(x, w, (1, 1), "VALID", batch_group_count=4)


# -- forms of calls -------------------------------------------------------------------------------------------------
X = np.arange(1, 5, dtype=np.float32)
M = np.arange(12, dtype=np.float32).reshape(3, 4)
B = np.array([[1, 0, 1], [0, 0, 1]], bool)
C = np.array([1 + 2j, 3 - 5j, 3 + 1j, 1 - 4j], np.complex64)
FORMS: dict[str, tuple[Case, tuple[Any, ...]]] = {
    "einsum with numbers": (lambda m, x: m.np.einsum(x, [0, 1], x, [2, 1], [0, 2]), (M,)),
    "einsum with numbers, no result": (lambda m, x: m.np.einsum(x, [0, 1], x, [2, 1]), (M,)),
    "einsum with numbers and dots": (lambda m, x: m.np.einsum(x, [..., 30], x, [..., 30], [...]), (M,)),
    "tensordot with lists": (lambda m, x: m.np.tensordot(x, x, axes=([0, 1], [0, 1])), (M,)),
    "pad with a list": (lambda m, x: m.np.pad(x, pad_width=((1, 1), [0, 2])), (M,)),
    "max where": (lambda m, x: x.max(where=x > 2, initial=0.0), (X,)),
    "min of an axis where": (lambda m, x: x.min(axis=1, keepdims=True, where=x > 2, initial=1), (M,)),
    "sum where": (lambda m, x: x.sum(where=x > 2), (X,)),
    "prod where": (lambda m, x: x.prod(where=x > 2), (X,)),
    "mean where": (lambda m, x: x.mean(where=x > 2), (X,)),
    "std with correction": (lambda m, x: x.std(correction=1, where=x > 1), (X,)),
    "any, all where": (lambda m, x: (x.any(where=x > 2), (x > 2).all(where=x > 2)), (X,)),
    "compress": (lambda m, x: x.compress(np.array([1, 0, 1, 0], bool), size=3, fill_value=9), (X,)),
    "compress an axis": (lambda m, x: x.compress(np.array([1, 0, 1, 0], bool), axis=1, size=2), (M,)),
    "bool matmul": (lambda m, x: (x @ x.T, m.np.dot(x, x.T), m.np.einsum("ij,kj", x, x)), (B,)),
    "bool dot_general": (lambda m, x: m.lax.dot_general(x, x, (((1,), (1,)), ((), ()))), (B,)),
    "bool division": (lambda m, x, y: (x // y, x % y, m.np.fmod(x, y), m.np.divmod(x, y)), (B, B | True)),
    "bool power": (lambda m, x, y: (m.np.power(x, y), m.np.square(x)), (B, ~B)),
    "complex max": (lambda m, x: (x.max(), x.min(), m.np.ptp(x), m.np.max(x, initial=3)), (C,)),
    "complex max of an axis": (lambda m, x: m.np.max(x.reshape(2, 2), axis=1, keepdims=True), (C,)),
    "complex maximum": (lambda m, x: (m.np.maximum(x, x[::-1]), m.np.minimum(x, x[::-1])), (C,)),
    "mean as integers": (lambda m, x: m.np.mean(x - 4, dtype="int32"), (X,)),
    "mean as i8 where": (lambda m, x: m.np.mean(x, dtype="int8", where=x > 2), (X,)),
}


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_calls(name: str) -> None:
    case, arrays = FORMS[name]
    both(case, *arrays)


def test_a_complex_nan_is_the_largest_and_the_smallest() -> None:
    x = np.array([1 + 2j, complex(1, NAN), 3], np.complex64)
    for name in ("max", "min"):
        assert np.isnan(np.asarray(getattr(rnp, name)(x))) and np.isnan(getattr(np, name)(x))


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "bool", "float32", "bfloat16"])
@pytest.mark.parametrize("name", ["cumsum", "cumprod", "nancumsum", "nancumprod", "cumulative_sum", "square"])
def test_dtypes_of_sums_along_an_axis(name: str, dtype: str) -> None:
    x = np.array([3, 100, 0, 2], np.float32).astype(BF16 if dtype == "bfloat16" else dtype)
    with jax.enable_x64(dtype == "int64"):
        both(lambda m, x: getattr(m.np, name)(x), x)


def test_a_power_by_an_array_of_integers_has_a_slope_at_zero() -> None:
    """The exponent 0 is a constant function, also where it is promoted to the dtype of the base."""
    x, y = np.zeros(3, np.float32), np.arange(3, dtype=np.int32)
    mine, other = (m.jit(m.grad(lambda x, y, m=m: m.np.power(x, y).sum()))(x, y) for m in (Ours, Theirs))
    assert_same(mine, other)
