"""The formulas of the activations against mpmath: in double precision within two units in the last place, tail and all."""

from collections.abc import Callable

import mpmath
import numpy as np
import pytest

from rlx.ops.elementwise import references as formulas
from rlx.ops.elementwise.binary import pow_


def _gelu(x: mpmath.mpf) -> mpmath.mpf:
    return x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def _gelu_approx(x: mpmath.mpf) -> mpmath.mpf:
    return x / (1 + mpmath.exp(-2 * mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf(0.044715) * x**3)))


EXACT: dict[str, tuple[Callable[[np.ndarray], np.ndarray], Callable[[mpmath.mpf], mpmath.mpf], float]] = {
    "gelu": (formulas.gelu, _gelu, -37.0),
    "gelu_approx": (formulas.gelu_approx, _gelu_approx, -21.0),
    "sigmoid": (formulas.sigmoid, lambda x: 1 / (1 + mpmath.exp(-x)), -700.0),
    "erf": (formulas.erf, mpmath.erf, -6.0),
}


@pytest.mark.parametrize("name", EXACT)
def test_double_precision_in_the_tail(name: str) -> None:
    """gelu was off by 28 units in the last place at -6: the rounded exponent alone costs x²/2 of them."""
    formula, exact, lowest = EXACT[name]
    random = np.random.default_rng(0)
    x = np.concatenate([random.uniform(lowest, 0, 500), random.uniform(-6, 6, 500), random.uniform(0, 40, 100)])
    with mpmath.workdps(60):
        wanted = [exact(mpmath.mpf(number)) for number in x.tolist()]
        found = formula(x)
        error = max(abs(mpmath.mpf(y) / w - 1) for y, w in zip(found.tolist(), wanted, strict=True))
    assert float(error) / np.finfo(np.float64).eps <= 2.0


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["gelu", "gelu_approx"])
def test_limits(name: str) -> None:
    found = EXACT[name][0](np.array([np.inf, 1e300, -1e300, -np.inf, np.nan, 0.0, -0.0]))
    np.testing.assert_array_equal(found, [np.inf, 1e300, 0.0, np.nan, np.nan, 0.0, 0.0])
    np.testing.assert_array_equal(np.signbit(found[5:]), [False, True])


def test_powers_of_u64_are_exact() -> None:
    """3^40 is above 2^53: it was computed through f64."""
    x, y = np.array([3, 3, 7, 2, 0, 0], np.uint64), np.array([40, 41, 22, 64, 0, 5], np.uint64)
    wanted = [pow(a, b, 1 << 64) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    found = pow_.reference(x, y)  # type: ignore[misc]
    assert found.dtype == np.uint64 and found.tolist() == wanted
