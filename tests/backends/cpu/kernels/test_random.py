"""Random kernels: Philox by its known answers and in Python integers, the laws of what is drawn, and sampling."""

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from rlx.backends.cpu.kernels import KERNELS
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim
from tests.backends.cpu.levels import HOST, OTHERS, TARGETS
from tests.backends.cpu.lowered import Array, Lowered, op_for, tensor_of

WORD = 0xFFFFFFFF


def philox(counter: list[int], key: list[int]) -> list[int]:
    """Philox4x32-10, in Python integers."""
    for _ in range(10):
        first, second = counter[0] * 0xD2511F53, counter[2] * 0xCD9E8D57
        counter = [second >> 32 ^ counter[1] ^ key[0], second & WORD, first >> 32 ^ counter[3] ^ key[1], first & WORD]
        key = [key[0] + 0x9E3779B9 & WORD, key[1] + 0xBB67AE85 & WORD]
    return counter


def bits(count: int, key: list[int], counter: int, stream: int) -> list[int]:
    blocks = [philox([b, stream, counter & WORD, counter >> 32], key) for b in range((count + 3) // 4)]
    return [word for block in blocks for word in block][:count]


def source(key: list[int], counter: int) -> list[Array]:
    return [np.array(key, np.uint32), np.array(counter, np.uint64)]


def call(name: str, arrays: list[Any], target: Target | None = None, **attrs: Any) -> Array:
    """The result; splits give the same bits."""
    tensors = [tensor_of(array) for array in arrays]
    made = Lowered(KERNELS[name], op_for(name, tensors, **attrs), tensors, target)
    (actual,) = made.call(arrays)
    for split in ({"split": 1}, {"split": 2, "threads": 2}):
        np.testing.assert_array_equal(made.call(arrays, **split)[0].reshape(-1).view(np.uint8), actual.reshape(-1).view(np.uint8))
    return actual


def test_known_answers() -> None:
    """The published vectors for this generator; the formula above first, then the kernel through its first block."""
    answers = [
        ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        ([WORD] * 4, [WORD] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
            [0xA4093822, 0x299F31D0],
            [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
        ),
    ]
    for counter, key, answer in answers:
        assert philox(counter, key) == answer
    (actual,) = Lowered(KERNELS["random_uniform"], op_for("random_uniform", _two(), shape=(4,)), _two()).call(source([0, 0], 0))
    assert actual.tolist() == [(word >> 8) * 2.0**-24 for word in answers[0][2]]


def _two() -> list[Any]:
    return [tensor_of(array) for array in source([0, 0], 0)]


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("count", [0, 1, 3, 4, 31, 32, 33, 1000])
def test_uniform_bits(target: Target, count: int) -> None:
    key, counter, stream = [0xDEADBEEF, 0x80000001], 2**40 + 12345, 2**31 + 5
    wanted = [(word >> 8) * 2.0**-24 for word in bits(count, key, counter, stream)]
    for dtype, kind in (("f32", np.float32), ("f64", np.float64), ("f16", np.float16), ("bf16", ml_dtypes.bfloat16)):
        actual = call("random_uniform", source(key, counter), target, shape=(count,), dtype=dtype, stream=stream)
        np.testing.assert_array_equal(actual.astype(np.float64), np.array(wanted).astype(kind).astype(np.float64))


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("count", [0, 1, 3, 33, 1000])
def test_words(target: Target, count: int) -> None:
    actual = call("random_bits", source([0xDEADBEEF, 0x80000001], 2**40 + 1), target, shape=(count,), stream=WORD)
    assert actual.dtype == np.uint32
    assert actual.tolist() == bits(count, [0xDEADBEEF, 0x80000001], 2**40 + 1, WORD)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("count", [1, 70])
def test_rows_of_keys_and_counters_are_each_drawn_as_if_alone(target: Target, count: int) -> None:
    keys = np.random.default_rng(0).integers(0, 2**32, (2, 90), np.uint32).T  # strided
    counters = np.random.default_rng(1).integers(0, 2**64 - 1, 180, np.uint64)[::2]
    one_key, one_counter = np.array([3, 4], np.uint32), np.array(2**50, np.uint64)
    for key, counter in ((keys, one_counter), (one_key, counters), (keys, counters)):
        actual = call("random_bits", [key, counter], target, shape=(count,), stream=6)
        rows = np.broadcast_to(key, (90, 2)), np.broadcast_to(counter, (90,))
        for i in (0, 1, 31, 89):
            assert actual[i].tolist() == bits(count, rows[0][i].tolist(), int(rows[1][i]), 6)
    for name in ("random_uniform", "random_normal"):
        actual = call(name, [keys, counters], target, shape=(count,), stream=6)
        alone = [np.ascontiguousarray(keys[37]), np.array(counters[37])]
        np.testing.assert_array_equal(actual[37], call(name, alone, target, shape=(count,), stream=6))


def test_a_key_with_its_words_apart() -> None:
    key = np.array([5, 0, 6, 0], np.uint32)[::2]
    actual = call("random_bits", [key, np.array(7, np.uint64)], shape=(9,), stream=8)
    assert actual.tolist() == bits(9, [5, 6], 7, 8)


def test_many_numbers_by_any_split() -> None:
    actual = call("random_uniform", source([1, 2], 3), shape=(5, 20_011), stream=4)
    assert actual.min() >= 0 and actual.max() < 1 and abs(actual.mean() - 0.5) < 0.01
    assert len(np.unique(actual)) > 90_000


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_normal(target: Target, dtype: str) -> None:
    u = np.array([word >> 8 for word in bits(1004, [5, 6], 7, 8)], np.float64) * 2.0**-24
    radius, angle = np.sqrt(-2 * np.log1p(-u[::2])), 2 * np.pi * u[1::2]
    wanted = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).reshape(-1)[:1001]
    actual = call("random_normal", source([5, 6], 7), target, shape=(7, 143), dtype=dtype, stream=8)
    np.testing.assert_allclose(actual.reshape(-1), wanted, rtol=1e-6 if dtype == "f32" else 1e-14, atol=1e-15)


def test_normal_moments() -> None:
    x = call("random_normal", source([5, 6], 7), shape=(400_000,)).astype(np.float64)
    assert abs(x.mean()) < 0.01 and abs(x.var() - 1) < 0.01 and abs((x**4).mean() - 3) < 0.1


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("rate", [0.0, 0.25, 0.1, 1 / 3, 1.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_dropout(target: Target, rate: float, dtype: Any) -> None:
    x = np.random.default_rng(0).standard_normal((11, 13)).astype(dtype)
    drawn = np.array([word >> 8 for word in bits(143, [3, 4], 9, 2)]).reshape(11, 13) * 2.0**-24
    scale = 1 / (1 - rate) if rate < 1 else 0
    actual = call("dropout", [x, *source([3, 4], 9)], target, rate=rate, stream=2)
    np.testing.assert_allclose(
        actual, np.where(drawn >= rate, x.astype(np.float64) * scale, 0), rtol=2e-3 if dtype == np.float16 else 3e-7
    )
    assert ((actual == 0) == (drawn < rate)).all() or rate == 1
    made = Lowered(
        KERNELS["dropout"], op_for("dropout", [tensor_of(x), *_two()], rate=rate, stream=2), [tensor_of(x), *_two()], target
    )
    np.testing.assert_array_equal(made.call([x, *source([3, 4], 9)], in_place=True)[0], actual)


# -- sampling ---------------------------------------------------------------------------------------------------
def drawn(logits: Array, u: float, heat: float, most: int, mass: float, least: float) -> int:
    """One row, by the words of the record: sort, keep, and walk along the cumulative weights."""
    x = [float(v) for v in logits]
    if heat <= 0:
        return int(np.argmax(logits))
    weights = [float(np.float32(math.exp((v - max(x)) / heat))) for v in x]
    order = sorted(range(len(x)), key=lambda i: -x[i])
    if 0 < most < len(x):
        order = order[:most]
    if mass < 1:
        total, reached = math.fsum(weights[i] for i in order), 0.0
        for place, i in enumerate(order):
            reached += weights[i]
            if reached >= mass * total:
                order = order[: place + 1]
                break
    kept = sorted(i for i in order if weights[i] >= min(least, 1.0))
    target, reached = u * math.fsum(weights[i] for i in kept), 0.0
    for i in kept:
        reached += weights[i]
        if reached > target:
            return i
    return kept[-1]


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("size", [1, 5, 40, 700])
def test_sampling_settings(target: Target, size: int) -> None:
    random = np.random.default_rng(size)
    rows: list[tuple[float, int, float, float]] = [
        (heat, most, mass, least)
        for heat in (0.0, 0.7, 3.0)
        for most in (0, 1, 3, 128, 129, 400, 10_000)
        for mass in (0.0, 0.3, 0.95, 1.0)
        for least in (0.0, 0.2, 2.0)
    ]
    logits = (random.standard_normal((len(rows), size)) * 3).round(1).astype(np.float32)
    settings = [np.array(column, dtype) for column, dtype in zip(zip(*rows, strict=True), ("f4", "i4", "f4", "f4"), strict=True)]
    actual = call("sample", [logits, *source([8, 9], 1), *settings], target, stream=3)
    numbers = [(word >> 8) * 2.0**-24 for word in bits(len(rows), [8, 9], 1, 3)]
    wanted = [
        drawn(line, u, *(float(column[i]) if n != 1 else int(column[i]) for n, column in enumerate(settings)))  # type: ignore[arg-type]
        for i, (line, u) in enumerate(zip(logits, numbers, strict=True))
    ]
    assert actual.tolist() == wanted


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16])
def test_sampling_of_dtypes_and_views(dtype: Any) -> None:
    logits = np.random.default_rng(0).standard_normal((9, 60)).astype(dtype)
    numbers = [(word >> 8) * 2.0**-24 for word in bits(9, [8, 9], 1, 0)]
    half = np.array(0.5, np.float32)
    for view in (logits, logits[:, ::-2], logits[::-1, 3:50]):
        actual = call("sample", [view, *source([8, 9], 1), half, None, half])
        assert actual.tolist() == [drawn(line, u, 0.5, 0, 0.5, 0.0) for line, u in zip(view, numbers, strict=True)]


def test_sampling_follows_the_weights() -> None:
    logits = np.broadcast_to(np.log(np.array([1, 2, 3, 4], np.float32)), (40_000, 4)).copy()
    counts = np.bincount(call("sample", [logits, *source([1, 1], 1)]), minlength=4) / 40_000
    np.testing.assert_allclose(counts, [0.1, 0.2, 0.3, 0.4], atol=0.01)


def test_sampling_with_symbolic_sizes() -> None:
    made: Lowered | None = None
    for batch, size in [(1, 3), (4, 1000), (2, 129), (0, 5)]:
        logits = np.random.default_rng(0).standard_normal((batch, size)).astype(np.float32)
        arrays = [logits, *source([8, 9], 1), np.full(batch, 0.9, np.float32), np.array(200, np.int32)]
        if made is None:
            dims: list[Any] = [("b", Dim("v")), None, None, ("b",), None]  # a vocabulary is never empty
            tensors = [tensor_of(array, size) for array, size in zip(arrays, dims, strict=True)]
            made = Lowered(KERNELS["sample"], op_for("sample", tensors), tensors)
        numbers = [(word >> 8) * 2.0**-24 for word in bits(batch, [8, 9], 1, 0)]
        heat = float(np.float32(0.9))
        assert made.call(arrays)[0].tolist() == [drawn(x, u, heat, 200, 1.0, 0.0) for x, u in zip(logits, numbers, strict=True)]


def test_what_it_refuses_says_why() -> None:
    x = np.zeros((4, 8), np.float32)[:, ::2]
    op = op_for("dropout", [tensor_of(x), *_two()], rate=0.5)
    reason = KERNELS["dropout"](op, (tensor_of(x), *_two()), (tensor_of(x.copy()),), HOST)  # type: ignore[arg-type]
    assert reason == "dropout of a view that is not dense"


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
def test_cross_compiles(target: Target) -> None:
    x = tensor_of(np.zeros((3, 50), ml_dtypes.bfloat16))
    for name, tensors, attrs in [
        ("random_bits", _two(), {"shape": (50,)}),
        ("random_uniform", _two(), {"shape": (50,), "dtype": "f16"}),
        ("random_normal", _two(), {"shape": (50,), "dtype": "f64"}),
        ("dropout", [x, *_two()], {"rate": 0.5}),
        ("sample", [x, *_two()], {}),
    ]:
        made = Lowered(KERNELS[name], op_for(name, tensors, **attrs), tensors, target)
        assert len(made.stages[0].object) > 500
