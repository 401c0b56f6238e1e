"""The cast with a scale for each block, and its inverse: against a loop over blocks with exact scales and ml_dtypes."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rlx
from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ops.quantized.blocked_cast import blocked_cast, blocked_dequantize
from tests.ops.running import decomposed, draw, infer, run, symbolic

KINDS = {
    "f8e4m3": (ml_dtypes.float8_e4m3fn, 448, 3),
    "f8e5m2": (ml_dtypes.float8_e5m2, 57344, 2),
    "f4e2m1": (ml_dtypes.float4_e2m1fn, 6, 1),
}
SPECIALS = np.array(
    [0.0, -0.0, 1e-45, -3e-39, 2.0**-126, 448.0, 449.0, 57344.0, 6.0, 3.4e38, -3.4e38, np.inf, -np.inf, np.nan], np.float32
)


def smallest_power_of_two(largest: float, top: int) -> float:
    """The least 2^e with largest <= top·2^e, in fractions, and at least 2^-126."""
    exponent = max(math.frexp(largest / top)[1] - 2, -126)
    while Fraction(largest) > top * Fraction(2) ** exponent:
        exponent += 1
    return 2.0**exponent


def expected(x: Any, name: str, block: tuple[int, int], round_sf: bool) -> tuple[Any, Any]:
    """One block after the other."""
    kind, top, _ = KINDS[name]
    x = x.astype(np.float32)
    elements = np.zeros(x.shape, kind)
    counts = [-(-size // side) for size, side in zip(x.shape[-2:], block, strict=True)]
    scales = np.zeros((*x.shape[:-2], *counts), np.float32)
    for at in np.ndindex(*scales.shape):
        place = (*at[:-2], *(slice(i * side, (i + 1) * side) for i, side in zip(at[-2:], block, strict=True)))
        part = x[place].astype(np.float64)
        largest = float(np.abs(part[np.isfinite(part)]).max(initial=0))
        scale = max(np.float32(largest / top), np.float32(2.0**-126))
        if round_sf:
            scale = np.float32(smallest_power_of_two(largest, top))
        scales[at] = scale = np.float32(1) if largest == 0 else scale
        with np.errstate(all="ignore"):
            quotient = np.clip((part / float(scale)).astype(np.float32), -top, top)
            if name == "f4e2m1":
                quotient[np.isnan(quotient)] = 0
            elements[place] = quotient.astype(kind)
    return elements, scales


def same_bits(found: Any, wanted: Any) -> None:
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    nan = np.isnan(wanted.astype(np.float32))
    np.testing.assert_array_equal(np.isnan(found.astype(np.float32)), nan)
    bits = np.dtype(f"u{found.itemsize}")
    np.testing.assert_array_equal(found.view(bits)[~nan], wanted.view(bits)[~nan])


@given(
    st.sampled_from(sorted(KINDS)),
    st.lists(st.integers(0, 3), max_size=1),
    st.tuples(st.integers(0, 9), st.integers(1, 40)),
    st.tuples(st.integers(1, 5), st.integers(1, 17)),
    st.booleans(),
    st.integers(-40, 40),
    st.integers(0, 2**31),
)
def test_elements_and_scales_of_any_block(
    name: str, lead: list[int], size: Any, block: Any, round_sf: bool, power: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    x = (random.normal(size=(*lead, *size)) * 2.0**power).astype(np.float32)
    x = np.where(random.random(x.shape) < 0.1, random.choice(SPECIALS, x.shape), x)
    for found, wanted in zip(
        run(blocked_cast, x, out_dtype=name, sf_block=block, round_sf=round_sf), expected(x, name, block, round_sf), strict=True
    ):
        same_bits(found, wanted)


@pytest.mark.parametrize(("name", "round_sf"), list(product(KINDS, (False, True))))
def test_a_cast_of_what_the_dtype_holds_is_exact(name: str, round_sf: bool) -> None:
    """Every finite number of the dtype, times a power of two: the largest one is there, so the scale is that power."""
    kind, top, _ = KINDS[name]
    numbers = np.arange(16 if name == "f4e2m1" else 256, dtype=np.uint8).view(kind)
    numbers = numbers[np.isfinite(numbers.astype(np.float32))]
    x = (numbers.astype(np.float32) * np.float32(2.0**-9))[None]
    assert np.abs(numbers.astype(np.float32)).max() == top
    elements, scales = run(blocked_cast, x, out_dtype=name, sf_block=(1, 300), round_sf=round_sf)
    same_bits(elements, numbers[None])
    assert scales.tolist() == [[2.0**-9]]


@pytest.mark.parametrize("name", KINDS)
def test_rounded_scales_are_powers_of_two_and_nothing_overflows(name: str) -> None:
    _, top, _ = KINDS[name]
    edges = [np.float32(top * 2.0**e) for e in (-30, -1, 0, 7)]
    x = np.array([[e, np.nextafter(e, np.float32(np.inf)), np.nextafter(e, np.float32(0))] for e in edges], np.float32)
    _, scales = run(blocked_cast, x, out_dtype=name, sf_block=(1, 1), round_sf=True)
    np.testing.assert_array_equal(scales / [[2.0**e] for e in (-30, -1, 0, 7)], [[1, 2, 1]] * 4)
    big = (np.random.default_rng(0).normal(size=(64, 64)) * np.exp(np.linspace(-60, 60, 64))).astype(np.float32)
    _, scales = run(blocked_cast, big, out_dtype=name, sf_block=(1, 8), round_sf=True)
    assert (np.frexp(scales)[0] == 0.5).all()
    assert (np.abs(big).reshape(64, 8, 8).max(-1) <= top * scales.astype(np.float64)).all()


def test_zeros_infinities_and_nan() -> None:
    """Zeros have the scale 1 and keep their sign; infinities saturate and do not count; NaN stays, and is 0 in 4 bits."""
    x = np.array([[0.0, -0.0, -0.0], [np.inf, -1.0, -np.inf], [np.nan, 2.0, -np.inf], [np.nan] * 3], np.float32)
    for name, (_, top, _) in KINDS.items():
        elements, scales = run(blocked_cast, x, out_dtype=name, sf_block=(1, 3))
        found = elements.astype(np.float32)
        assert scales[0, 0] == 1 and np.signbit(found[0]).tolist() == [False, True, True] and not found[0].any()
        assert found[1].tolist() == [top, -top, -top] and scales[1, 0] == np.float32(1 / top)
        nan = 0.0 if name == "f4e2m1" else np.nan
        np.testing.assert_array_equal(found[2:], [[nan, top, -top], [nan] * 3])
        assert scales[3, 0] == 1


def test_denormals_keep_a_finite_inverse() -> None:
    x = np.array([[1e-45, -2e-40, 5e-39]], np.float32)
    for round_sf in (False, True):
        elements, scales = run(blocked_cast, x, sf_block=(1, 3), round_sf=round_sf)
        assert scales[0, 0] == np.float32(2.0**-126)
        same_bits(elements, (x / np.float32(2.0**-126)).astype(ml_dtypes.float8_e4m3fn))


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("block", [(1, 32), (7, 5), (64, 1), (100, 100)])
def test_the_inverse(name: str, block: tuple[int, int]) -> None:
    x = draw((2, 21, 70), seed=3)
    for round_sf in (False, True):
        elements, scales = run(blocked_cast, x, out_dtype=name, sf_block=block, round_sf=round_sf)
        each = np.repeat(np.repeat(scales, block[0], 1), block[1], 2)[:, :21, :70]
        for apply in (run, decomposed):
            found = apply(blocked_dequantize, elements, scales, sf_block=block)
            np.testing.assert_array_equal(found, elements.astype(np.float32) * each)
        _, top, fraction = KINDS[name]
        half_step = 2.0 ** -(fraction + 1) * np.abs(x) + top * each * 2.0**-16
        if name == "f4e2m1":
            half_step = np.maximum(half_step, 0.25 * each)
        assert (np.abs(found - x) <= half_step).all()


def test_a_block_larger_than_the_matrix_is_one_block() -> None:
    x = draw((3, 5))
    whole, huge = (run(blocked_cast, x, sf_block=block) for block in ((3, 5), (1 << 40, 1 << 40)))
    for one, other in zip(whole, huge, strict=True):
        same_bits(one, other)
    for apply in (run, decomposed):
        found = apply(blocked_dequantize, *huge, sf_block=(1 << 40, 1 << 40))
        np.testing.assert_array_equal(found, whole[0].astype(np.float32) * whole[1])


def test_a_result_in_the_dtype_of_the_scales() -> None:
    elements, scales = run(blocked_cast, draw((4, 6)), sf_block=(2, 3))
    for dtype in ("f64", "f16", "bf16"):
        given = scales.astype(rlx.DType.of(dtype).numpy)
        found = run(blocked_dequantize, elements, given, sf_block=(2, 3))
        wide = elements.astype(np.float64) * np.repeat(np.repeat(given.astype(np.float64), 2, 0), 3, 1)
        assert found.dtype == given.dtype
        np.testing.assert_allclose(found.astype(np.float64), wide, rtol=2.0**-8 if dtype != "f64" else 1e-15)


def test_symbolic_sizes() -> None:
    m, n = Dim("m", min=1, max=9), Dim("n", min=1, max=50)
    elements, scales = infer(blocked_cast, Shape((3, m, n), "bf16"), out_dtype="f4e2m1", sf_block=(4, 16))
    assert elements == Shape((3, m, n), "f4e2m1") and scales == Shape((3, (m + 3) // 4, (n + 15) // 16), "f32")
    assert infer(blocked_dequantize, elements, scales, sf_block=(4, 16)) == Shape((3, m, n), "f32")
    for sizes in ({"m": 1, "n": 50}, {"m": 9, "n": 17}):
        symbolic(blocked_cast, [Shape((3, m, n))], sizes, {"sf_block": (4, 16)})
        for decompose in (False, True):
            symbolic(blocked_dequantize, [elements, scales], sizes, {"sf_block": (4, 16)}, decompose)


@pytest.mark.parametrize(
    ("shapes", "attrs", "code", "message"),
    [
        ([Shape((4, 4), "f32")], {"sf_block": (0, 4)}, "RLX105", "sf_block is (0, 4)"),
        ([Shape((4, 4), "f32")], {"sf_block": 4}, "RLX105", "sf_block is (4,)"),
        ([Shape((4, 4), "f32")], {"sf_block": (1, 2, 3)}, "RLX105", "sf_block is (1, 2, 3)"),
        ([Shape((4, 4), "f32")], {"sf_block": (1, 2.5)}, "RLX105", "sf_block of blocked_cast is 2.5"),
        ([Shape((4, 4), "f32")], {"sf_block": (1, 4), "out_dtype": "bf16"}, "RLX103", "out_dtype is bf16"),
        ([Shape((4, 4), "i32")], {"sf_block": (1, 4)}, "RLX103", "x is i32"),
        ([Shape((4,), "f32")], {"sf_block": (1, 4)}, "RLX102", "rank 1"),
        (
            [Shape((4, 5), "f8e4m3"), Shape((4, 3), "f32")],
            {"sf_block": (1, 4)},
            "RLX102",
            "blocks and scales at axis 1: 2 and 3 differ",
        ),
        ([Shape((4, 5), "f8e4m3"), Shape((2,), "f32")], {"sf_block": (1, 4)}, "RLX102", "ranks 2 and 1 differ"),
        ([Shape((4, 5), "i8"), Shape((4, 2), "f32")], {"sf_block": (1, 4)}, "RLX103", "elements are i8"),
    ],
)
def test_bad_operands_and_blocks(shapes: list[Shape], attrs: dict[str, Any], code: str, message: str) -> None:
    g = rlx.Graph("g")
    values = [g.input(f"x{i}", shape) for i, shape in enumerate(shapes)]
    with pytest.raises(RlxError) as raised:
        (g.blocked_cast if len(values) == 1 else g.blocked_dequantize)(*values, **attrs)
    assert raised.value.code == code and message in str(raised.value)


# -- gradients --------------------------------------------------------------------------------------------------
def test_the_cast_has_no_gradient_and_says_what_to_write_instead() -> None:
    def rounded(x: Any) -> Any:
        return blocked_dequantize(*blocked_cast(x, sf_block=(1, 4)), sf_block=(1, 4))

    x = draw((3, 10))
    with pytest.raises(RlxError, match=r"RLX601.*stop_gradient"):
        rlx.grad(lambda x: (rounded(x) * rounded(x)).sum())(x)
    through = rlx.grad(lambda x: ((x + rlx.lax.stop_gradient(rounded(x) - x)) ** 2.0).sum())(x)
    elements, scales = run(blocked_cast, x, sf_block=(1, 4))
    np.testing.assert_allclose(through, 2 * run(blocked_dequantize, elements, scales, sf_block=(1, 4)), rtol=1e-5, atol=1e-6)


def test_the_gradient_by_the_scales_is_the_sum_of_each_block() -> None:
    elements, scales = run(blocked_cast, draw((5, 10)), sf_block=(2, 4))
    found = rlx.grad(lambda e, s: (blocked_dequantize(e, s, sf_block=(2, 4)) * 3.0).sum(), argnums=1)(elements, scales)
    whole = np.zeros((6, 12), np.float32)
    whole[:5, :10] = elements.astype(np.float32) * 3
    np.testing.assert_allclose(found, whole.reshape(3, 2, 3, 4).sum((1, 3)), rtol=1e-5)
