"""Traps of numbers: scalars, specials, sums of low floats."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.traps.running import draw, near, outputs, wide

NAN, INF = float("nan"), float("inf")


# -- scalars ----------------------------------------------------------------------------------------------------
def test_compare_and_where_with_scalars(device):
    x = np.array([-1.5, -0.0, 0.0, 0.5, 1.0, 2.0, NAN, INF], np.float32)

    def make(g, x):
        return {
            "lt": x < 0.5,
            "le": x <= 0.5,
            "gt": x > 0.5,
            "ge": x >= 0.5,
            "eq": x == 0.5,
            "ne": x != 0.5,
            "left": g.where(x > 0, 1.0, x),
            "right": g.where(x > 0, x, -1.0),
            "both": g.where(x > 0, 1.0, -1.0),
            "count": g.where(x > 0, 1, 0),
            "swapped": x > 0.5,
        }

    found = outputs(device, make, {"x": x})
    with np.errstate(invalid="ignore"):
        expected = {
            "lt": x < 0.5,
            "le": x <= 0.5,
            "gt": x > 0.5,
            "ge": x >= 0.5,
            "eq": x == 0.5,
            "ne": x != 0.5,
            "left": np.where(x > 0, np.float32(1), x),
            "right": np.where(x > 0, x, np.float32(-1)),
            "both": np.where(x > 0, np.float32(1), np.float32(-1)),
            "count": np.where(x > 0, np.int32(1), np.int32(0)),
            "swapped": x > 0.5,
        }
    for name, array in expected.items():
        np.testing.assert_array_equal(found[name], array, err_msg=name)
        assert found[name].dtype == array.dtype, name


def test_scalar_operands_on_both_sides_of_every_binary(device):
    x = draw(9, low=0.5, high=3)
    found = outputs(
        device,
        lambda g, x: {
            "sub": 2.0 - x,
            "div": 1 / x,
            "pow": 2.0**x,
            "mod": 5.0 % x,
            "floor": 7.0 // x,
            "min": g.min(1.0, x),
            "rank0": x + x[0],
        },
        {"x": x},
    )
    x = wide(x)
    expected = {"sub": 2 - x, "div": 1 / x, "pow": 2**x, "mod": 5 % x, "floor": 7 // x, "min": np.minimum(1, x), "rank0": x + x[0]}
    for name, array in expected.items():
        near(found[name], array)


def test_a_scalar_condition_chooses_whole_tensors(device):
    x, y = draw(3, 4), draw(3, 4, seed=1)
    found = outputs(
        device, lambda g, c, x, y: {"y": g.where(c, x, y), "z": g.where(g.not_(c), x, 0.0)}, {"c": np.True_, "x": x, "y": y}
    )
    np.testing.assert_array_equal(found["y"], x)
    np.testing.assert_array_equal(found["z"], np.zeros_like(x))


# -- specials ---------------------------------------------------------------------------------------------------
def test_nan_spreads_through_max_min_relu_clamp_and_reductions(device):
    x = np.array(
        [[1.0, NAN, 3.0, -2.0, 0.0], [NAN, 1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0, NAN], [5.0, -INF, INF, 0.0, 1.0]], np.float32
    )

    def make(g, x):
        return {
            "max": g.max(x, 0.0),
            "min": g.min(0.0, x),
            "relu": g.relu(x),
            "clamp": g.clamp(x, -1.0, 1.0),
            "top": x.max(axes=1),
            "low": x.min(axes=1),
            "columns": x.max(axes=0),
            "argmax": g.argmax(x, 1),
            "argmin": g.argmin(x, 1),
            "isnan": g.is_nan(x),
            "sum": x.sum(axes=1),
        }

    found = outputs(device, make, {"x": x})
    expected = {
        "max": np.maximum(x, 0),
        "min": np.minimum(x, 0),
        "relu": np.maximum(x, 0),
        "clamp": np.clip(x, -1, 1),
        "top": x.max(1),
        "low": x.min(1),
        "columns": x.max(0),
        "argmax": x.argmax(1),
        "argmin": x.argmin(1),
        "isnan": np.isnan(x),
        "sum": x.sum(1),
    }
    for name, array in expected.items():
        np.testing.assert_array_equal(found[name], array, err_msg=name)


def test_softmax_of_infinities(device):
    x = np.array([[0.0, -INF, 1.0], [-INF, -INF, -INF], [1e30, -1e30, 0.0], [INF, 0.0, 0.0]], np.float32)
    found = outputs(device, lambda g, x: {"y": g.softmax(x), "l": g.log_sum_exp(x, axes=1)}, {"x": x})
    e = np.e
    near(found["y"][0], [1 / (1 + e), 0, e / (1 + e)])
    assert np.isnan(found["y"][1]).all()
    np.testing.assert_array_equal(found["y"][2], [1, 0, 0])
    assert np.isnan(found["y"][3, 0])
    near(found["l"][:1], [np.log(1 + e)])
    assert found["l"][1] == -INF and found["l"][2] == np.float32(1e30) and found["l"][3] == INF


def test_denormals_are_kept(device):
    x = np.array([1e-45, 1e-40, -1e-40, 1.2e-38], np.float32)
    found = outputs(
        device,
        lambda g, x: {"same": x + 0.0, "half": x * 0.5, "twice": x + x, "sum": x.sum(), "square": (x * 1e20) * 1e20},
        {"x": x},
    )
    np.testing.assert_array_equal(found["same"], x)
    np.testing.assert_array_equal(found["half"], x * np.float32(0.5))
    np.testing.assert_array_equal(found["twice"], x + x)
    near(found["sum"], x.astype(np.float64).sum())
    near(found["square"], x.astype(np.float64) * 1e40)


def test_negative_zero_is_kept(device):
    x = np.array([-0.0, 0.0], np.float32)
    found = outputs(
        device,
        lambda g, x: {
            "neg": -x,
            "mul": x * 1.0,
            "sub": x - 0.0,
            "add": x + 0.0,
            "abs": abs(x),
            "div": 1.0 / x,
            "copy": g.flip(x, 0),
        },
        {"x": x},
    )
    assert np.signbit(found["neg"]).tolist() == [False, True]
    assert np.signbit(found["mul"]).tolist() == [True, False]
    assert np.signbit(found["sub"]).tolist() == [True, False]
    assert np.signbit(found["add"]).tolist() == [False, False]
    assert np.signbit(found["abs"]).tolist() == [False, False]
    assert found["div"].tolist() == [-INF, INF]
    assert np.signbit(found["copy"]).tolist() == [False, True]


# -- low floats -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16])
def test_sums_of_low_floats_accumulate_in_f32(device, kind):
    """4096 ones: a sum kept in f16 stops at 2048, one in bf16 at 256."""
    x = np.ones((2, 4096), kind)

    def make(g, x):
        return {
            "sum": x.sum(axes=1),
            "mean": x.mean(axes=1),
            "dot": x @ x.T,
            "run": g.cumsum(x, 1)[:, -1],
            "column": x.T.sum(axes=0),
        }

    found = outputs(device, make, {"x": x})
    assert found["sum"].astype(np.float32).tolist() == [4096, 4096] and found["mean"].astype(np.float32).tolist() == [1, 1]
    assert found["dot"].astype(np.float32).tolist() == [[4096, 4096]] * 2 and found["column"].astype(np.float32).tolist() == [
        4096,
        4096,
    ]
    assert found["run"].astype(np.float32).tolist() == [4096, 4096]


def test_a_mean_of_f16_does_not_overflow(device):
    x = np.full((3, 64), 60000, np.float16)
    found = outputs(
        device, lambda g, x: {"mean": x.mean(axes=1), "square": g.rms_norm(x, g.constant(np.ones(64, np.float16)))}, {"x": x}
    )
    assert found["mean"].tolist() == [60000.0] * 3
    np.testing.assert_allclose(found["square"].astype(np.float32), 1, rtol=2e-3)


def test_large_sums_keep_their_small_terms(device):
    """A million terms: the record's bound, eps·√n·Σ|x|, needs more than one running sum."""
    x = draw(3, 400000, low=0, high=1)
    found = outputs(device, lambda g, x: {"rows": x.sum(axes=1), "all": x.sum(), "mean": x.mean()}, {"x": x})
    x = wide(x)
    bound = (2 + np.sqrt(x.size)) * 2.0**-23
    np.testing.assert_allclose(found["rows"], x.sum(1), rtol=(2 + np.sqrt(x.shape[1])) * 2.0**-23)
    np.testing.assert_allclose(found["all"], x.sum(), rtol=bound)
    np.testing.assert_allclose(found["mean"], x.mean(), rtol=bound)
