"""Traps of casts and rounding: halves, saturation, eight-bit floats."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import torch

from tests.traps.running import outputs

NAN, INF = float("nan"), float("inf")


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
        numbers += [2147483520.0, 2147483648.0, -2147483648.0, 4294967040.0, 4294967296.0, 1e18, 9.3e18, -9.3e18, 1e30, -1e30]
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
                    (int(v) + (2 ** (bits - 1) if letter == "i" else 0)) % 2**bits - (2 ** (bits - 1) if letter == "i" else 0)
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
    x = np.concatenate([x, ties, [65504.0, 65519.9, 65520.0, 2.0**-24, 2.0**-25, 2.0**-26, INF, -INF]]).astype(np.float32)
    found = outputs(device, lambda g, x: {"y": x.astype(to), "z": (x.astype(to)).astype("f32")}, {"x": x})
    with np.errstate(over="ignore"):
        expected = x.astype(kind)
    np.testing.assert_array_equal(found["y"].astype(np.float64), expected.astype(np.float64))
    np.testing.assert_array_equal(found["z"], expected.astype(np.float32))
    finite = np.isfinite(x)
    torch_kind = torch.float16 if to == "f16" else torch.bfloat16
    np.testing.assert_array_equal(found["z"][finite], torch.tensor(x[finite]).to(torch_kind).float().numpy())


def test_4_bit_floats_saturate_and_have_no_nan(device):
    """Every number between two neighbours, ties to even; what is too large is ±6, NaN is 0."""
    numbers = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float32)
    codes = np.arange(16, dtype=np.uint8).view(ml_dtypes.float4_e2m1fn)
    x = np.arange(-9, 9, 1 / 64, dtype=np.float32)
    nearest = np.abs(np.abs(x)[:, None] - numbers)
    ties = nearest == nearest.min(1, keepdims=True)
    even = np.where(ties & (np.arange(8) % 2 == 0), -1, np.where(ties, 0, 1)).argmin(1)
    specials = np.array([INF, -INF, 3e38, NAN, -NAN, -0.0], np.float32)
    found = outputs(
        device,
        lambda g, x, q, s: {"y": x.astype("f4e2m1"), "numbers": q.astype("f32"), "s": s.astype("f4e2m1")},
        {"x": x, "q": codes, "s": specials},
    )
    np.testing.assert_array_equal(found["y"].view(np.uint8), even + 8 * np.signbit(x))
    np.testing.assert_array_equal(found["numbers"], np.concatenate([numbers, -numbers]))
    assert found["s"].view(np.uint8).tolist() == [7, 15, 7, 0, 0, 8]


def test_f8e4m3_0x7e_is_448(device):
    codes = np.arange(256, dtype=np.uint8)
    for kind, name in ((ml_dtypes.float8_e4m3fn, "f8e4m3"), (ml_dtypes.float8_e5m2, "f8e5m2")):
        x = codes.view(kind)
        found = outputs(
            device, lambda g, x: {"f32": x.astype("f32"), "f16": x.astype("f16"), "copy": g.concat(x, x, axis=0)}, {"x": x}
        )
        values = found["f32"]
        if name == "f8e4m3":
            assert values[0x7E] == 448.0 and values[0xFE] == -448.0 and np.isnan(values[0x7F]) and values[0x01] == 2.0**-9
            exponent, mantissa = (codes >> 3) & 15, codes & 7
            magnitude = np.where(exponent == 0, mantissa * 2.0**-9, (1 + mantissa / 8) * 2.0 ** (exponent.astype(np.float64) - 7))
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


def test_round_half_to_even(device):
    x = np.array([0.5, 1.5, 2.5, 3.5, -0.5, -1.5, -2.5, 0.49999997, 8388607.5, 8388609.0, -0.0, INF, NAN], np.float32)
    found = outputs(
        device, lambda g, x: {"y": g.round(x), "i": g.round(x + 0.0).astype("i32"), "h": g.round(x.astype("f64"))}, {"x": x}
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
