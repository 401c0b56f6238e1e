"""`x.at[...]` where a position comes more than once: every change counts, as in JAX."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import rlx
import rlx.numpy as rnp

ROWS, COLUMNS = np.int32([2, 0, 2, 9, 2, -1, -9]), np.int32([1, 2, 1, 0, -2, 1, 1])  # some twice, some outside
CHANGES = ("add", "subtract", "multiply", "divide", "power", "min", "max")


def numbers(dtype: str, shape: tuple[int, ...], low: float = 0.5, high: float = 3) -> np.ndarray:
    random = np.random.default_rng(len(shape))
    found = random.uniform(low, high, shape)
    return (found + 1j * random.uniform(low, high, shape) if dtype == "complex64" else found).astype(dtype)


def changed(module: Any, x: Any, rows: Any, places: Any) -> list[Any]:
    """Every change at places and at whole rows."""
    x = module.asarray(x)
    ordered = CHANGES if not module.iscomplexobj(x) else [name for name in CHANGES if name not in ("min", "max")]
    found = [getattr(x.at[ROWS, COLUMNS], name)(places) for name in ordered]
    found += [getattr(x.at[ROWS], name)(rows) for name in ordered]
    return [*found, x.at[1:3].multiply(2), x.at[::2, 1].multiply(places[:2])]


@pytest.mark.parametrize("dtype", ["float32", "int32", "complex64"])
def test_changes_of_one_position_all_count(dtype: str) -> None:
    x, rows, places = numbers(dtype, (4, 3)), numbers(dtype, (7, 3), 1), numbers(dtype, (7,), 1)
    mine = rlx.jit(lambda x, rows, places: changed(rnp, x, rows, places))(x, rows, places)
    other = jax.jit(lambda x, rows, places: changed(jnp, x, rows, places))(x, rows, places)
    for number, (found, expected) in enumerate(zip(mine, other, strict=True)):
        np.testing.assert_allclose(found, expected, rtol=1e-4, err_msg=str(number))
        assert found.dtype == expected.dtype, number


def test_changes_of_arrays() -> None:
    x = rnp.asarray([2.0, 3.0, 4.0])
    place = rnp.asarray([0, 0, 2, 5])
    np.testing.assert_allclose(x.at[place].multiply(rnp.asarray([3.0, 5.0, 7.0, 9.0])), [30, 3, 28])
    np.testing.assert_allclose(x.at[place].divide(2.0), [0.5, 3, 2])
    np.testing.assert_allclose(x.at[place].power(2.0), [16, 3, 16])


def test_a_mask_in_a_trace() -> None:
    x = numbers("float32", (4, 3))
    found = rlx.jit(lambda x: x.at[x[:, 0] > 1.5].multiply(3.0))(x)
    np.testing.assert_allclose(found, np.where(x[:, :1] > 1.5, x * 3, x), rtol=1e-6)


def test_derivatives_of_products_with_zeros_among_the_factors() -> None:
    """Each factor's derivative is the product of the others: one zero, two zeros and none at a position."""
    x, factors = np.float64([2, 3, 4, 5]), np.float64([3, 0, 5, 0, 0, 7, 2, 9])
    places = np.int32([0, 0, 0, 1, 1, 2, 2, 8])
    weights = np.float64([1, -2, 3, 0.5])

    def total(x: Any, factors: Any) -> Any:
        return (rnp.asarray(x).at[places].multiply(factors) * weights).sum()

    def written_out(x: np.ndarray, factors: np.ndarray) -> float:
        whole = x.copy()
        np.multiply.at(whole, places[:-1], factors[:-1])
        return float((whole * weights).sum())

    def slopes(of: Any, given: np.ndarray) -> np.ndarray:
        return np.array([(of(given + step) - of(given - step)) / 2 for step in np.eye(len(given))])  # it is linear in each

    mine = rlx.jit(rlx.grad(total, argnums=(0, 1)))(x, factors)
    np.testing.assert_allclose(mine[0], slopes(lambda x: written_out(x, factors), x), atol=1e-9)
    np.testing.assert_allclose(mine[1], slopes(lambda f: written_out(x, f), factors), atol=1e-9)
    _, tangent = rlx.jvp(total, (x, factors), (x, factors))
    np.testing.assert_allclose(tangent, (mine[0] * x).sum() + (mine[1] * factors).sum())
