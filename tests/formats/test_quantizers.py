"""Quantizers: read back by the format's own package, measured against llama.cpp's figures, and fed what is not a weight."""

import gguf
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rlx
from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.formats.quantizers import WRITTEN, quantize_rows
from tests.formats.quantizer_samples import relative_error, samples

# Errors that llama.cpp leaves on the samples in the order they have there: scripts/measure_quantizers.py with the library
# of llama-cpp-python 0.3.36. SmolLM2 is stored in Q4_1 and Q8_0, so some types give its numbers back.
LLAMA_CPP = {
    "F16": (0.00021, 0.00021, 0.00019, 0.00019, 0.00021),
    "BF16": (0.00167, 0.00166, 0.00135, 0.00133, 0.00144),
    "MXFP4": (0.11497, 0.13134, 0.11616, 0.11756, 0.12532),
    "Q4_1": (0.07818, 0.09370, 0.00000, 0.00000, 0.08576),
    "Q5_1": (0.03776, 0.04523, 0.04644, 0.04712, 0.04146),
    "TQ1_0": (0.80524, 0.84502, 0.81639, 0.82374, 0.84871),
    "TQ2_0": (0.80524, 0.84502, 0.81639, 0.82374, 0.84871),
    "Q4_0": (0.08576, 0.11560, 0.08698, 0.08885, 0.10352),
    "Q5_0": (0.04262, 0.05790, 0.04410, 0.04494, 0.05185),
    "Q8_0": (0.00535, 0.00726, 0.00554, 0.00566, 0.00000),
    "IQ4_NL": (0.07610, 0.09325, 0.07524, 0.07655, 0.08604),
    "Q2_K": (0.29599, 0.34325, 0.30541, 0.30897, 0.31667),
    "Q3_K": (0.15062, 0.18398, 0.15396, 0.15658, 0.16871),
    "Q4_K": (0.07134, 0.08656, 0.01867, 0.01875, 0.07904),
    "Q5_K": (0.03607, 0.04381, 0.01963, 0.01959, 0.03996),
    "Q6_K": (0.01773, 0.02282, 0.01788, 0.01815, 0.02067),
    "IQ4_XS": (0.07668, 0.09418, 0.07600, 0.07734, 0.08689),
}

# The most a number may be off, as a part of the largest magnitude in its block: half a step between neighbouring levels, plus what
# rounding the integer scales of groups costs.
STEP = {
    "F16": 2**-11,
    "BF16": 2**-8,
    "Q8_0": 1 / 253,
    "Q4_0": 1 / 7,
    "Q5_0": 1 / 15,
    "Q4_1": 1 / 14,
    "Q5_1": 1 / 30,
    "IQ4_NL": 0.16,
    "MXFP4": 1 / 4,
    "TQ1_0": 1.0,
    "TQ2_0": 1.0,
    "Q2_K": 0.55,
    "Q3_K": 0.32,
    "Q4_K": 0.13,
    "Q5_K": 0.1,
    "Q6_K": 0.05,
    "IQ4_XS": 0.2,
}


def read(name, rows):
    return gguf.quants.dequantize(rows, gguf.GGMLQuantizationType[name])


@pytest.fixture(scope="module")
def sources():
    return samples()


@pytest.mark.parametrize("name", WRITTEN)
def test_the_error_is_at_most_that_of_llama_cpp(name, sources):
    for (source, x), theirs in zip(sources.items(), LLAMA_CPP[name], strict=True):
        ours = relative_error(name, x, quantize_rows(name, x))
        assert ours <= 1.05 * theirs + 1e-5, f"{name} of {source}: {ours}, llama.cpp {theirs}"


@pytest.mark.parametrize("name", ["F16", "BF16"])
def test_bytes_are_those_of_the_formats_own_package(name):
    x = np.random.default_rng(3).standard_normal((7, 512)).astype(np.float32) * np.float32(0.02)
    np.testing.assert_array_equal(quantize_rows(name, x), gguf.quants.quantize(x, gguf.GGMLQuantizationType[name]).view(np.uint8))


@pytest.mark.parametrize("name", ["TQ1_0", "TQ2_0"])
def test_ternary_weights_are_kept(name):
    x = np.random.default_rng(4).integers(-1, 2, (9, 512)).astype(np.float32) * np.float32(0.0625)
    np.testing.assert_array_equal(read(name, quantize_rows(name, x)), x)


@pytest.mark.parametrize("name", WRITTEN)
def test_zeros_stay_zeros(name):
    assert not read(name, quantize_rows(name, np.zeros((3, 512), np.float32))).any()


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("value", [1.0, -1.0, 1e-3, 300.0, -0.37])
def test_a_constant_row_stays_one(name, value):
    found = read(name, quantize_rows(name, np.full((2, 256), value, np.float32)))
    assert np.ptp(found) <= 2e-3 * abs(value)
    np.testing.assert_allclose(found, value, rtol=STEP[name] if name == "MXFP4" else 0.02)


@pytest.mark.parametrize("name", [name for name in WRITTEN if name not in ("TQ1_0", "TQ2_0")])
def test_numbers_of_one_sign_and_one_outlier(name):
    random = np.random.default_rng(5)
    negative = -random.uniform(1, 2, (4, 512)).astype(np.float32)
    assert relative_error(name, negative, quantize_rows(name, negative)) < STEP[name]
    outlier = random.standard_normal((4, 512)).astype(np.float32) * np.float32(1e-3)
    outlier[:, 37] = 10
    found = read(name, quantize_rows(name, outlier))
    np.testing.assert_allclose(found[:, 37], 10, rtol=0.2 if name == "MXFP4" else 0.03)


@pytest.mark.parametrize("name", ["Q4_1", "Q5_1"])
def test_the_scale_fits_the_rounded_minimum(name):
    """1000.2 is not an f16: the step up from its minimum must reach the numbers."""
    x = np.random.default_rng(6).normal(1000.2, 0.01, (4, 64)).astype(np.float32)
    np.testing.assert_allclose(read(name, quantize_rows(name, x)), x, atol=0.04)


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("exponent", [-140, -60, -30, -24, -20, -16])
def test_small_numbers_end_as_small_numbers(name, exponent):
    """Scales become denormal, or 0: what is read is never larger than it should be, nor not a number."""
    with np.errstate(under="ignore"):
        x = (np.random.default_rng(7).standard_normal((3, 512)) * 2.0**exponent).astype(np.float32)
    found = read(name, quantize_rows(name, x))
    assert np.isfinite(found).all()
    least = {"F16": 2.0**-25, "BF16": 2.0**-134, "MXFP4": 2.0**-127}.get(name, 2.0**-24 * 64)  # half the largest level
    assert np.abs(found - x).max() <= STEP[name] * np.abs(x).max() + least


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_what_is_not_a_number_is_refused_by_name(name, wrong):
    x = np.ones((4, 256), np.float32)
    x[2, 77] = wrong
    with pytest.raises(RlxError, match=f"tensor 'w' has {wrong:g}, {name}") as raised:
        quantize_rows(name, x, what="tensor 'w'")
    assert raised.value.code == "RLX705"


@pytest.mark.parametrize("name", WRITTEN)
def test_numbers_beyond_the_largest_scale_are_refused_and_those_before_it_kept(name):
    most = {"BF16": 3.3e38, "MXFP4": 2.5e38}.get(name, 65504.0)
    x = np.full((1, 256), most, np.float32)
    x[0, ::2] *= -1 if name not in ("Q4_1", "Q5_1") else 0
    found = read(name, quantize_rows(name, x))
    assert np.isfinite(found).all() and np.abs(found - x).max() <= 1.01 * STEP[name] * most
    with pytest.raises(RlxError, match="RLX705"):
        quantize_rows(name, np.full((1, 256), 3.4e38, np.float32))


def test_rows_that_do_not_divide_and_types_that_are_only_read():
    with pytest.raises(RlxError, match="rows of 33 are not a multiple of Q4_0's block size, 32"):
        quantize_rows("Q4_0", np.zeros((2, 33)))
    with pytest.raises(RlxError, match="IQ2_XS can be read but not written"):
        quantize_rows("IQ2_XS", np.zeros((2, 256)))


@pytest.mark.parametrize("name", ["Q4_0", "Q6_K", "MXFP4", "BF16"])
def test_shapes_and_threads_do_not_change_a_block(name, request):
    request.addfinalizer(lambda: rlx.set_threads(None))
    x = np.random.default_rng(8).standard_normal((3, 700, 256)).astype(np.float32)
    rlx.set_threads(2)
    rows = quantize_rows(name, x)
    scheme = QuantScheme.gguf(name)
    assert rows.shape == (3, 700, 256 // scheme.block_size() * scheme.block_bytes())
    rlx.set_threads(1)
    np.testing.assert_array_equal(rows, quantize_rows(name, x))
    np.testing.assert_array_equal(rows[1, 5:6], quantize_rows(name, x[1, 5:6]))
    assert quantize_rows(name, x[:0]).shape == (0, *rows.shape[1:])


@st.composite
def blocks(draw):
    """Numbers as weights have them and as they have not: of any size, some of them 0, large, equal, or of one sign."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    x = random.standard_normal((2, 256)) * 10.0 ** draw(st.integers(-4, 3))
    kind = draw(st.sampled_from(["plain", "sparse", "positive", "tails", "steps", "scales"]))
    if kind == "sparse":
        x *= random.random(x.shape) < 0.05
    elif kind == "positive":
        x = np.abs(x)
    elif kind == "tails":
        x *= 10 ** random.uniform(-3, 1, x.shape)
    elif kind == "steps":
        x = np.rint(x)
    elif kind == "scales":
        x *= np.repeat(10 ** random.uniform(-3, 1, (2, 16)), 16, 1)
    return np.clip(x, -6e4, 6e4).astype(np.float32)


@pytest.mark.parametrize("name", WRITTEN)
@given(x=blocks())
def test_numbers_come_back_within_a_step(name, x):
    """The root of the mean square of a block's error is below a step of the type, whatever its numbers are."""
    count = QuantScheme.gguf(name).block_size()
    found = read(name, quantize_rows(name, x)).reshape(-1, max(count, 1)).astype(np.float64)
    x = x.reshape(found.shape).astype(np.float64)
    error, top = np.sqrt(((found - x) ** 2).mean(1)), np.abs(x).max(1)
    assert (error <= STEP[name] * top + 2.0**-24 * 32).all(), (error / np.maximum(top, 1e-30)).max()


@pytest.mark.parametrize(("name", "low", "high"), [("Q4_0", -8, 7), ("Q5_0", -16, 15)])
@given(x=blocks())
def test_no_block_is_worse_than_by_its_largest_number(name, low, high, x):
    """d = largest / low is one of the scales that are tried, so the search can only gain; but for the rounding of d to f16."""
    x = x.reshape(-1, 32).astype(np.float64)
    top = np.take_along_axis(x, np.abs(x).argmax(1)[:, None], 1)
    scale = np.where(top == 0, 1, top / low)
    plain = np.clip(np.rint(x / scale), low, high) * scale
    found = read(name, quantize_rows(name, x.astype(np.float32)))
    error, other = (np.sqrt(((y - x) ** 2).mean(1)) for y in (found, plain))
    assert (error <= 1.001 * other + np.abs(top[:, 0]) * 2.0**-11 + 2.0**-24 * -low).all()
