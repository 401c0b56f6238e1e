"""Functions of `rlx.lax` whose conventions differ from those of `rlx.numpy`."""

from __future__ import annotations

import jax
import numpy as np
import pytest

import rlx
from rlx import lax


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8"])
def test_rem_has_the_sign_of_what_is_divided(dtype: str) -> None:
    x, y = np.array([7, -7, 7, -7, 0], dtype), np.array([3, 3, -3, -3, 5], dtype)
    np.testing.assert_array_equal(lax.rem(x, y), np.fmod(x, y))


@pytest.mark.parametrize("reverse", [False, True])
def test_cumlogsumexp_of_infinities(reverse: bool) -> None:
    """Neighbours that are both −∞ or both ∞ are as in JAX; so are the derivatives of what is finite."""
    x = np.float32([[-np.inf, -np.inf, 0.5, 1.0, -np.inf], [2.0, -np.inf, -np.inf, np.inf, np.inf]])
    mine, other = (module.cumlogsumexp(x, axis=1, reverse=reverse) for module in (lax, jax.lax))
    np.testing.assert_allclose(mine, other, rtol=1e-6)
    finite = np.float32([0.5, -2.0, 3.0, 1.0])
    weights = np.float32([1, 2, -3, 4])
    mine, other = (
        module.grad(lambda x, place=place: (place.cumlogsumexp(x, reverse=reverse) * weights).sum())(finite)
        for module, place in ((rlx, lax), (jax, jax.lax))
    )
    np.testing.assert_allclose(mine, other, rtol=1e-5, atol=1e-6)
