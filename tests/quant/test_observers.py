"""Observers against NumPy on all the data at once, and grids against their formulas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rlx
from rlx.quant.calibrate import Histogram, MeanSquare, MinMax, MovingAverage, Percentile, observer_factory
from rlx.quant.grid import Grid, signal_to_noise


def batches(seed: int = 0, count: int = 5) -> list[np.ndarray]:
    random = np.random.default_rng(seed)
    return [(random.standard_normal((50, 8)) * (1 + i)).astype(np.float32) for i in range(count)]


def test_min_max_is_that_of_all_batches() -> None:
    observer, data = MinMax(), batches()
    for batch in data:
        observer.observe(batch)
    assert observer.range() == (min(map(np.min, data)), max(map(np.max, data)))


def test_moving_average_by_its_formula() -> None:
    observer, data = MovingAverage(0.8), batches()
    low, high = float(data[0].min()), float(data[0].max())
    for batch in data:
        observer.observe(batch)
    for batch in data[1:]:
        low, high = 0.8 * low + 0.2 * float(batch.min()), 0.8 * high + 0.2 * float(batch.max())
    assert observer.range() == pytest.approx((low, high))


@given(st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=8), st.integers(0, 3))
def test_a_histogram_that_grows_loses_no_number(scales: list[float], zeros: int) -> None:
    histogram, total = Histogram(), 0
    for index, scale in enumerate([0.0] * zeros + scales):
        data = np.random.default_rng(index).standard_normal(100) * scale
        histogram.observe(data)
        total += data.size
    assert histogram.counts.sum() == total
    drawn = [np.random.default_rng(zeros + index).standard_normal(100) * scale for index, scale in enumerate(scales)]
    everything = np.concatenate([np.zeros(100 * zeros), *drawn])
    low, high = histogram.limits()
    width = histogram.top / 2048
    assert low <= everything.min() + 1e-9 and low >= min(everything.min(), 0) - width * 1.001
    assert high >= everything.max() * (1 - 1e-9) and high <= max(everything.max(), 0) + width * 1.001


@pytest.mark.parametrize("percent", [90.0, 99.0, 99.9])
def test_a_percentile_is_numpys_to_a_bin(percent: float) -> None:
    observer, data = Percentile(percent), batches()
    for batch in data:
        observer.observe(batch)
    everything, width = np.concatenate([batch.ravel() for batch in data]), observer.histogram.top / 2048
    tail = (100 - percent) / 2
    low, high = observer.range()
    spread = np.abs(np.diff(np.sort(everything))).max()  # between neighbours NumPy interpolates
    assert low == pytest.approx(np.percentile(everything, tail), abs=float(2 * width + spread))
    assert high == pytest.approx(np.percentile(everything, 100 - tail), abs=float(2 * width + spread))


def test_mean_square_finds_the_range_of_the_least_error() -> None:
    """Of long-tailed numbers it cuts the tail; no symmetric range has a smaller error by the grid's formula on the numbers themselves."""
    data = np.random.default_rng(0).laplace(size=100_000).astype(np.float32) ** 3
    observer = MeanSquare()
    observer.observe(data)

    def error(low: float, high: float) -> float:
        step = (high - low) / 255
        return float(np.square(data - np.clip(np.rint(data / step) * step, low, high)).mean())

    low, high = observer.range()
    top = float(np.abs(data).max())
    assert high < 0.99 * top
    assert error(low, high) < 1.02 * min(error(-top * part, top * part) for part in np.linspace(0.05, 1, 60))


def test_an_unknown_observer_lists_the_known() -> None:
    with pytest.raises(rlx.RlxError, match="'median' is not an observer") as raised:
        observer_factory("median")
    assert "percentile" in raised.value.fix
    with pytest.raises(rlx.RlxError, match="percentile of 0"):
        Percentile(0)


# -- grids ------------------------------------------------------------------------------------------------------
@given(st.floats(-1e4, 1e4), st.floats(0, 1e4), st.booleans())
def test_zero_is_exact_and_the_range_is_covered(low: float, width: float, symmetric: bool) -> None:
    high = low + width
    grid = Grid.of_range(low, high, symmetric)
    assert grid.rounded(np.zeros(1)) == 0 and -128 <= grid.zero <= 127 and grid.scale > 0
    inside = np.linspace(min(low, 0), max(high, 0), 1001)
    assert np.abs(grid.rounded(inside) - inside).max() <= float(grid.scale) * 1.001


def test_a_range_of_zeros_has_a_scale() -> None:
    for symmetric in (False, True):
        grid = Grid.of_range(0.0, 0.0, symmetric)
        assert float(grid.scale) == 1.0 and grid.zero == 0


def test_channels_of_weights() -> None:
    w = np.random.default_rng(0).standard_normal((6, 4)).astype(np.float32)
    w[:, 2] = 0
    grid = Grid.of_weight(w, 1)
    wanted = np.abs(w).max(0) / 127
    wanted[2] = wanted.max()
    np.testing.assert_allclose(grid.scale, wanted, rtol=1e-6)
    np.testing.assert_allclose(Grid.of_weight(w, None).scale, np.abs(w).max() / 127, rtol=1e-6)
    assert float(Grid.of_weight(np.zeros((2, 2), np.float32), None).scale) > 0


def test_signal_to_noise() -> None:
    x = np.array([1.0, -2.0])
    assert signal_to_noise(x, x) == float("inf")
    assert signal_to_noise(x, x * 1.1) == pytest.approx(20)
    assert signal_to_noise(x * 0, x) == float("-inf")
