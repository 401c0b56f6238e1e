"""Small graphs by name, run on a device, against formulas in f64."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import rlx

F32 = np.float32


def draw(*dims: int, seed: int = 0, low: float = -2.0, high: float = 2.0, dtype: Any = F32) -> Any:
    return np.random.default_rng([seed, *dims]).uniform(low, high, dims).astype(dtype)


def outputs(
    device: str,
    make: Callable[..., Mapping[str, Any]],
    inputs: Mapping[str, Any],
    params: Mapping[str, Any] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """`make(graph, **values)` gives the outputs; each array becomes an input or a param of its shape."""
    g = rlx.Graph("trap")
    given = {name: np.asarray(array) for name, array in inputs.items()}
    owned = {name: np.asarray(array) for name, array in (params or {}).items()}
    values = {name: g.input(name, array.shape, array.dtype) for name, array in given.items()}
    values |= {name: g.param(name, array.shape, array.dtype) for name, array in owned.items()}
    g.set_outputs(dict(make(g, **values)))
    exe = rlx.compile(g, device, **options)
    exe.set_params(owned)
    return exe.run(given)


def near(found: Any, expected: Any, terms: int = 1, ulps: float = 16.0) -> None:
    """Within (ulps + 2·√terms)·eps of the largest number: sums of `terms` products followed by a few roundings, in f32."""
    expected = np.asarray(expected, np.float64)
    assert found.shape == expected.shape, (found.shape, expected.shape)
    bound = (ulps + 2 * np.sqrt(terms)) * 2.0**-23 * max(float(np.abs(expected).max(initial=0.0)), 1e-30)
    np.testing.assert_allclose(found.astype(np.float64), expected, rtol=0, atol=bound)


def wide(*arrays: Any) -> Any:
    """As f64."""
    found = tuple(array.astype(np.float64) for array in arrays)
    return found if len(found) > 1 else found[0]
