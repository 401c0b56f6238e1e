"""Traps of numbers: casts, halves, specials, wrapping ints, scalars, eight-bit floats, sums of low floats."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import torch

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
    expected = {
        "sub": 2 - x,
        "div": 1 / x,
        "pow": 2**x,
        "mod": 5 % x,
        "floor": 7 // x,
        "min": np.minimum(1, x),
        "rank0": x + x[0],
    }
    for name, array in expected.items():
        near(found[name], array)


def test_a_scalar_condition_chooses_whole_tensors(device):
    x, y = draw(3, 4), draw(3, 4, seed=1)
    found = outputs(
        device,
        lambda g, c, x, y: {"y": g.where(c, x, y), "z": g.where(g.not_(c), x, 0.0)},
        {"c": np.True_, "x": x, "y": y},
    )
    np.testing.assert_array_equal(found["y"], x)
    np.testing.assert_array_equal(found["z"], np.zeros_like(x))


# -- casts ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("through", ["i32", "i64", "i8", "u8", "u32", "i16", "u16"])
@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16"])
def test_float_to_int_to_float_truncates_and_saturates(device, through, dtype):
    """It is no identity, also where one region does both; NaN gives 0, what does not fit the nearest end."""
    numbers = [
        0.0,
        -0.0,
        0.5,
        0.99,
        -0.99,
        1.5,
        -1.5,
        2.5,
        127.9,
        128.0,
        -128.7,
        -129.0,
        255.5,
        256.0,
        3e4,
        6.5e4,
        -4.0,
        INF,
        -INF,
        NAN,
    ]
    if dtype in ("f32", "f64", "bf16"):
        numbers += [
            2147483520.0,
            2147483648.0,
            -2147483648.0,
            4294967040.0,
            4294967296.0,
            1e18,
            9.3e18,
            -9.3e18,
            1e30,
            -1e30,
        ]
    kind = ml_dtypes.bfloat16 if dtype == "bf16" else {"f32": np.float32, "f64": np.float64, "f16": np.float16}[dtype]
    x = np.array(numbers).astype(kind)

    def make(g, x):
        whole = x.astype(through)
        return {
            "int": whole,
            "float": x.astype(through).astype(dtype) + g.constant(np.zeros((), kind)),
            "back": (x.astype(through)).astype("f64"),
        }

    found = outputs(device, make, {"x": x})
    bits, signed = int(through[1:]), through[0] == "i"
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    expected = []
    for number in x.astype(np.float64).tolist():
        whole = 0 if number != number else high if number == INF else low if number == -INF else int(number)
        expected.append(min(max(whole, low), high))
    assert found["int"].tolist() == expected
    np.testing.assert_array_equal(
        found["float"].astype(np.float64), np.array(expected, object).astype(np.float64).astype(kind).astype(np.float64)
    )
    np.testing.assert_array_equal(found["back"], np.array(expected, object).astype(np.float64))


def test_int_casts_wrap_and_bools_are_not_zero(device):
    x = np.array([-129, -128, -1, 0, 1, 127, 128, 255, 256, 70000, -70000, 2**31 - 1, -(2**31)], np.int32)

    def make(g, x):
        return {to: x.astype(to) for to in ("i8", "u8", "i16", "u16", "u32", "i64", "u64", "bool")} | {
            "low": x.astype("i8").astype("i32")
        }

    found = outputs(device, make, {"x": x})
    for bits in (8, 16, 32, 64):
        for letter in "iu":
            name = f"{letter}{bits}"
            if name in found:
                wrapped = [
                    (int(v) + (2 ** (bits - 1) if letter == "i" else 0)) % 2**bits
                    - (2 ** (bits - 1) if letter == "i" else 0)
                    for v in x
                ]
                assert found[name].tolist() == wrapped, name
    assert found["bool"].tolist() == [bool(v) for v in x]
    assert found["low"].tolist() == [(int(v) + 128) % 256 - 128 for v in x]


def test_bool_casts_of_nan_small_numbers_and_zeros(device):
    x = np.array([0.0, -0.0, 1e-45, -1e-45, 0.5, NAN, INF], np.float32)
    found = outputs(
        device,
        lambda g, x: {"b": x.astype("bool"), "f": x.astype("bool").astype("f32"), "i": x.astype("bool").astype("i32")},
        {"x": x},
    )
    assert found["b"].tolist() == [False, False, True, True, True, True, True]
    assert found["f"].tolist() == [0, 0, 1, 1, 1, 1, 1] and found["i"].tolist() == [0, 0, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("to", ["f16", "bf16"])
def test_casts_to_16_bit_floats_round_to_nearest_even(device, to):
    kind = np.float16 if to == "f16" else ml_dtypes.bfloat16
    random = np.random.default_rng(0)
    bits = random.integers(0, 2**32, 5000, dtype=np.uint32)
    x = np.concatenate(
        [bits.view(np.float32), np.arange(2**16, dtype=np.uint32).astype(np.uint16).view(kind).astype(np.float32)[::7]]
    )
    ties = (np.arange(1, 200, dtype=np.float32) * 2 + 1) * np.float32(2.0**-12 if to == "f16" else 2.0**-9) + 1
    x = np.concatenate([x, ties, [65504.0, 65519.9, 65520.0, 2.0**-24, 2.0**-25, 2.0**-26, INF, -INF]]).astype(
        np.float32
    )
    found = outputs(device, lambda g, x: {"y": x.astype(to), "z": (x.astype(to)).astype("f32")}, {"x": x})
    with np.errstate(over="ignore"):
        expected = x.astype(kind)
    np.testing.assert_array_equal(found["y"].astype(np.float64), expected.astype(np.float64))
    np.testing.assert_array_equal(found["z"], expected.astype(np.float32))
    finite = np.isfinite(x)
    torch_kind = torch.float16 if to == "f16" else torch.bfloat16
    np.testing.assert_array_equal(found["z"][finite], torch.tensor(x[finite]).to(torch_kind).float().numpy())


def test_f8e4m3_0x7e_is_448(device):
    codes = np.arange(256, dtype=np.uint8)
    for kind, name in ((ml_dtypes.float8_e4m3fn, "f8e4m3"), (ml_dtypes.float8_e5m2, "f8e5m2")):
        x = codes.view(kind)
        found = outputs(
            device,
            lambda g, x: {"f32": x.astype("f32"), "f16": x.astype("f16"), "copy": g.concat(x, x, axis=0)},
            {"x": x},
        )
        values = found["f32"]
        if name == "f8e4m3":
            assert (
                values[0x7E] == 448.0 and values[0xFE] == -448.0 and np.isnan(values[0x7F]) and values[0x01] == 2.0**-9
            )
            exponent, mantissa = (codes >> 3) & 15, codes & 7
            magnitude = np.where(
                exponent == 0, mantissa * 2.0**-9, (1 + mantissa / 8) * 2.0 ** (exponent.astype(np.float64) - 7)
            )
            expected = np.where(codes & 0x7F == 0x7F, np.nan, np.where(codes >= 128, -magnitude, magnitude))
            np.testing.assert_array_equal(values, expected.astype(np.float32))
        np.testing.assert_array_equal(values, x.astype(np.float32))
        np.testing.assert_array_equal(found["f16"].astype(np.float32), x.astype(np.float16).astype(np.float32))
        assert found["copy"].view(np.uint8).tolist() == codes.tolist() * 2


@pytest.mark.parametrize("kind", [ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2])
@pytest.mark.parametrize("source", ["f32", "f16", "bf16"])
def test_casts_to_8_bit_floats_follow_ml_dtypes(device, kind, source):
    name = {ml_dtypes.float8_e4m3fn: "f8e4m3", ml_dtypes.float8_e5m2: "f8e5m2"}[kind]
    exact = np.unique(np.arange(256, dtype=np.uint8).view(kind).astype(np.float32))
    exact = exact[np.isfinite(exact)]
    between = (exact[1:] + exact[:-1]) / 2
    numbers = np.concatenate([exact, between, np.nextafter(between, -np.inf), np.nextafter(between, np.inf)])
    numbers = np.concatenate(
        [numbers, [447.9, 448, 463.9, 464, 464.1, 480, 57344, 61439, 61440, 65504, 1e30, INF, -INF, NAN]]
    ).astype(np.float32)
    x = numbers.astype({"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}[source])
    found = outputs(device, lambda g, x: {"y": x.astype(name), "z": x.astype(name).astype("f32")}, {"x": x})
    with np.errstate(all="ignore"):
        expected = x.astype(np.float32).astype(kind)
    np.testing.assert_array_equal(found["y"].astype(np.float32), expected.astype(np.float32))
    np.testing.assert_array_equal(found["z"], expected.astype(np.float32))


# -- rounding ---------------------------------------------------------------------------------------------------
def test_round_half_to_even(device):
    x = np.array([0.5, 1.5, 2.5, 3.5, -0.5, -1.5, -2.5, 0.49999997, 8388607.5, 8388609.0, -0.0, INF, NAN], np.float32)
    found = outputs(
        device,
        lambda g, x: {"y": g.round(x), "i": g.round(x + 0.0).astype("i32"), "h": g.round(x.astype("f64"))},
        {"x": x},
    )
    expected = np.array([0, 2, 2, 4, -0.0, -2, -2, 0, 8388608, 8388609, -0.0, INF, NAN], np.float32)
    np.testing.assert_array_equal(found["y"], expected)
    np.testing.assert_array_equal(np.signbit(found["y"]), np.signbit(expected))
    np.testing.assert_array_equal(found["i"][:10], expected[:10].astype(np.int32))
    np.testing.assert_array_equal(found["h"], expected)
    assert found["y"][0] == 0.0 and found["y"][2] == 2.0


def test_floor_ceil_and_sign_of_specials(device):
    x = np.array([-0.5, 0.5, -0.0, 0.0, 1e10, -1e10, INF, -INF, NAN, 1e-45], np.float32)
    found = outputs(device, lambda g, x: {"floor": g.floor(x), "ceil": g.ceil(x), "sign": g.sign(x)}, {"x": x})
    for name, function in (("floor", np.floor), ("ceil", np.ceil), ("sign", np.sign)):
        np.testing.assert_array_equal(found[name], function(x), err_msg=name)


# -- specials ---------------------------------------------------------------------------------------------------
def test_nan_spreads_through_max_min_relu_clamp_and_reductions(device):
    x = np.array(
        [[1.0, NAN, 3.0, -2.0, 0.0], [NAN, 1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0, NAN], [5.0, -INF, INF, 0.0, 1.0]],
        np.float32,
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


# -- ints -------------------------------------------------------------------------------------------------------
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
    found = outputs(
        device, lambda g, x, y: {"l": x << y, "r": x >> y, "u": x.astype("u32") >> y.astype("u32")}, {"x": x, "y": y}
    )
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
    assert found["div"].tolist() == [v // 3 for v in x.tolist()] and found["mod"].tolist() == [
        v % 1000 for v in x.tolist()
    ]


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
    assert found["div"].tolist() == [v // 3 for v in x.tolist()] and found["shr"].tolist() == [
        v >> 1 for v in x.tolist()
    ]
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
    assert found["sum"].astype(np.float32).tolist() == [4096, 4096] and found["mean"].astype(np.float32).tolist() == [
        1,
        1,
    ]
    assert found["dot"].astype(np.float32).tolist() == [[4096, 4096]] * 2 and found["column"].astype(
        np.float32
    ).tolist() == [4096, 4096]
    assert found["run"].astype(np.float32).tolist() == [4096, 4096]


def test_a_mean_of_f16_does_not_overflow(device):
    x = np.full((3, 64), 60000, np.float16)
    found = outputs(
        device,
        lambda g, x: {"mean": x.mean(axes=1), "square": g.rms_norm(x, g.constant(np.ones(64, np.float16)))},
        {"x": x},
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
