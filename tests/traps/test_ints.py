"""Traps of ints: wrapping, division, shifts, 64 bits."""

from __future__ import annotations

import numpy as np
import pytest

from tests.traps.running import outputs

NAN, INF = float("nan"), float("inf")


def test_ints_divided_by_zero_and_the_smallest_by_minus_one(device):
    x = np.array([7, -7, 0, 2**31 - 1, -(2**31), -(2**31), 5, -5, 6, -6], np.int32)
    y = np.array([0, 0, 0, -1, -1, 1, 3, 3, -4, -4], np.int32)
    found = outputs(device, lambda g, x, y: {"div": x // y, "mod": x % y}, {"x": x, "y": y})
    assert found["div"].tolist() == [0, 0, 0, -(2**31 - 1), -(2**31), -(2**31), 1, -2, -2, 1]
    assert found["mod"].tolist() == [0, 0, 0, 0, 0, 0, 2, 1, -2, -2]


def test_float_floor_div_and_mod_have_the_sign_of_the_divisor(device):
    x = np.array([7, -7, 7, -7, 0.5, -0.5, 1e10, 0.0, -0.0, INF, 3.0], np.float32)
    y = np.array([3, 3, -3, -3, 0.1, 0.1, 3, 2, 2, 2, INF], np.float32)
    found = outputs(device, lambda g, x, y: {"div": x // y, "mod": x % y}, {"x": x, "y": y})
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(found["div"], np.floor_divide(x, y))
        np.testing.assert_array_equal(found["mod"], np.mod(x, y))


@pytest.mark.parametrize("dtype", ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"])
def test_ints_wrap(device, dtype):
    bits, signed = int(dtype[1:]), dtype[0] == "i"
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    kind = np.dtype(f"{'int' if signed else 'uint'}{bits}")
    left, right = [high, low, high, high - 1, 3], [1, 1, high, 2, 5]
    x, y = np.array(left, kind), np.array(right, kind)

    def wrap(number):
        return (number - low) % 2**bits + low

    found = outputs(
        device,
        lambda g, x, y: {"add": x + y, "sub": x - y, "mul": x * y, "neg": -x, "not": ~x, "max": g.max(x, y)},
        {"x": x, "y": y},
    )
    assert found["add"].tolist() == [wrap(a + b) for a, b in zip(left, right, strict=True)]
    assert found["sub"].tolist() == [wrap(a - b) for a, b in zip(left, right, strict=True)]
    assert found["mul"].tolist() == [wrap(a * b) for a, b in zip(left, right, strict=True)]
    assert found["neg"].tolist() == [wrap(-a) for a in left]
    assert found["not"].tolist() == [wrap(~a) for a in left]
    assert found["max"].tolist() == [max(a, b) for a, b in zip(left, right, strict=True)]


def test_shifts_past_the_width(device):
    x = np.array([1, -1, -8, 2**30, 5, -5], np.int32)
    y = np.array([31, 31, 1, 32, 40, 33], np.int32)
    found = outputs(device, lambda g, x, y: {"l": x << y, "r": x >> y, "u": x.astype("u32") >> y.astype("u32")}, {"x": x, "y": y})
    assert found["l"].tolist() == [-(2**31), -(2**31), -16, 0, 0, 0]
    assert found["r"].tolist() == [0, -1, -4, 0, 0, -1]
    assert found["u"].tolist() == [0, 1, (2**32 - 8) >> 1, 0, 0, 0]


def test_int_powers(device):
    x = np.array([2, -2, 0, 1, -1, -1, 3, 7, 0, 2], np.int32)
    y = np.array([10, 3, 0, -5, -4, -5, -1, 12, 5, 31], np.int32)
    found = outputs(device, lambda g, x, y: {"y": x**y}, {"x": x, "y": y})
    assert found["y"].tolist() == [1024, -8, 1, 1, 1, -1, 0, (7**12 + 2**31) % 2**32 - 2**31, 0, -(2**31)]


def test_64_bit_ints_do_not_pass_through_doubles(device):
    x = np.array([2**53 + 1, -(2**53) - 1, 2**62 + 3, 2**63 - 1, -(2**63)], np.int64)
    y = np.array([2**53, -(2**53), 2**62 + 2, 2**63 - 2, -(2**63) + 1], np.int64)
    found = outputs(
        device,
        lambda g, x, y: {
            "gt": x > y,
            "eq": x == y,
            "sub": x - y,
            "max": x.max(),
            "sort": g.sort(x),
            "div": x // 3,
            "mod": x % 1000,
            "arg": g.argmin(x, 0),
        },
        {"x": x, "y": y},
    )
    assert found["gt"].tolist() == [True, False, True, True, False] and not found["eq"].any()
    assert found["sub"].tolist() == [1, -1, 1, 1, -1]
    assert found["max"] == 2**63 - 1 and found["arg"] == 4
    assert found["sort"].tolist() == sorted(x.tolist())
    assert found["div"].tolist() == [v // 3 for v in x.tolist()] and found["mod"].tolist() == [v % 1000 for v in x.tolist()]


def test_unsigned_64_bit_ints_above_the_sign_bit(device):
    x = np.array([2**64 - 1, 2**63, 1, 0, 2**63 - 1], np.uint64)

    def make(g, x):
        one = g.constant(np.uint64(1))
        return {
            "gt": x > one,
            "div": x // g.constant(np.uint64(3)),
            "shr": x >> one,
            "f64": x.astype("f64"),
            "f32": x.astype("f32"),
            "max": x.max(),
            "sort": g.sort(x),
        }

    found = outputs(device, make, {"x": x})
    assert found["gt"].tolist() == [True, True, False, False, True]
    assert found["div"].tolist() == [v // 3 for v in x.tolist()] and found["shr"].tolist() == [v >> 1 for v in x.tolist()]
    assert found["f64"].tolist() == [float(v) for v in x.tolist()]
    assert found["f32"].tolist() == [float(np.float32(float(v))) for v in x.tolist()]
    assert found["max"] == 2**64 - 1 and found["sort"].tolist() == sorted(x.tolist())


def test_sums_of_small_ints_and_bools_are_i32(device):
    x = np.full((2, 300), 127, np.int8)
    found = outputs(
        device,
        lambda g, x, b: {"sum": x.sum(axes=1), "count": b.sum(), "mean": x.mean(axes=1), "run": g.cumsum(x, 1)},
        {"x": x, "b": x > 0},
    )
    assert found["sum"].dtype == np.int32 and found["sum"].tolist() == [38100, 38100]
    assert found["count"] == 600 and found["mean"].tolist() == [127.0, 127.0]
    assert found["run"].dtype == np.int32 and found["run"][1, -1] == 38100
