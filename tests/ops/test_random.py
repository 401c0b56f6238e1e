"""Random ops: the published Philox vectors, the bits of every op, distributions, and sampling against a plain loop."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_graph
from rlx.module import Graph
from rlx.ops.random import dropout, philox, philox_bits, random_bits, random_normal, random_uniform, sample_op
from tests.ops.running import draw, infer, run

KEY = np.array([0xDEADBEEF, 7], np.uint32)
COUNTER = np.uint64(2**40 + 3)


# Random123 (Salmon et al., SC'11), kat_vectors: counter, key and result of philox4x32 with 10 rounds.
@pytest.mark.parametrize(
    ("counter", "key", "result"),
    [
        ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)
def test_philox_known_answers(counter: str, key: str, result: str) -> None:
    words = [np.array([int(word, 16)], np.uint32) for word in counter.split()]
    found = philox(tuple(words), tuple(int(word, 16) for word in key.split()))  # type: ignore[arg-type]
    assert [f"{int(word[0]):08x}" for word in found] == result.split()


def philox_plain(counter: list[int], key: list[int]) -> list[int]:
    """The paper's round function on Python ints."""
    for _ in range(10):
        high0, low0 = divmod(counter[0] * 0xD2511F53, 2**32)
        high1, low1 = divmod(counter[2] * 0xCD9E8D57, 2**32)
        counter = [high1 ^ counter[1] ^ key[0], low1, high0 ^ counter[3] ^ key[1], low0]
        key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]
    return counter


def plain_bits(element: int, stream: int) -> int:
    """Element, stream and counter as the docstring lays them out."""
    number = int(COUNTER)
    return philox_plain([element // 4, stream, number % 2**32, number >> 32], [int(word) for word in KEY])[element % 4]


def test_bits_have_the_documented_layout() -> None:
    for stream in (0, 5, 2**32 - 1):
        found = philox_bits(KEY, COUNTER, stream, 11)
        assert [int(word) for word in found] == [plain_bits(element, stream) for element in range(11)]


def test_words_are_these_bits() -> None:
    found = run(random_bits, KEY, COUNTER, shape=(3, 5), stream=2)
    assert found.dtype == np.uint32 and found.ravel().tolist() == [plain_bits(i, 2) for i in range(15)]


def test_rows_are_draws_of_their_own() -> None:
    keys = np.array([[1, 2], [3, 4], [0, 2**32 - 1]], np.uint32)
    counters = np.array([5, 6, 2**64 - 1], np.uint64)
    for record in (random_bits, random_uniform, random_normal):
        for key, counter in ((keys, counters), (keys, counters[0]), (keys[0], counters)):
            found = run(record, key, counter, shape=(3,), stream=1)
            for row in range(3):
                alone = np.broadcast_to(key, (3, 2))[row], np.broadcast_to(counter, (3,))[row]
                np.testing.assert_array_equal(found[row], run(record, *alone, shape=(3,), stream=1))
    assert run(random_bits, keys[:0], counters[0], shape=(3,)).shape == (0, 3)


def test_uniform_and_normal_come_from_these_bits() -> None:
    u = run(random_uniform, KEY, COUNTER, shape=(3, 5), stream=2)
    wanted = [(plain_bits(i, 2) >> 8) * 2.0**-24 for i in range(15)]
    np.testing.assert_array_equal(u.ravel(), np.array(wanted, np.float32))
    z = run(random_normal, KEY, COUNTER, shape=(7,), dtype="f64", stream=2)
    for i in range(7):
        first, second = ((plain_bits(i // 2 * 2 + j, 2) >> 8) * 2.0**-24 for j in (0, 1))
        radius, angle = math.sqrt(-2 * math.log(1 - first)), 2 * math.pi * second
        assert math.isclose(z[i], radius * (math.sin(angle) if i % 2 else math.cos(angle)), rel_tol=1e-12)


def test_distributions() -> None:
    u = run(random_uniform, KEY, COUNTER, shape=(100_000,))
    z = run(random_normal, KEY, COUNTER, shape=(100_000,), stream=1)
    assert u.min() >= 0 and u.max() < 1 and abs(u.mean() - 0.5) < 5e-3 and abs(u.var() - 1 / 12) < 2e-3
    assert abs(z.mean()) < 0.02 and abs(z.std() - 1) < 0.01 and abs((z**3).mean()) < 0.05
    assert abs(np.corrcoef(u, z)[0, 1]) < 0.01, "streams are independent"


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5, 1.0])
def test_dropout_keeps_what_uniform_says(rate: float) -> None:
    x = draw((40, 50), seed=1, low=1, high=2)
    u = run(random_uniform, KEY, COUNTER, shape=x.shape, stream=4)
    wanted = np.where(u.astype(np.float64) >= rate, x / (1 - rate) if rate < 1 else 0, 0)
    np.testing.assert_allclose(run(dropout, x, KEY, COUNTER, rate=rate, stream=4), wanted, rtol=1e-6)


# -- sampling ---------------------------------------------------------------------------------------------------
def sample_plain(logits: Any, u: float, temperature: float, top_k: int, top_p: float, min_p: float) -> int:
    """ops.md as a loop over sorted pairs."""
    if temperature <= 0:
        return int(max(range(len(logits)), key=lambda i: (logits[i], -i)))
    pairs = sorted(enumerate(float(x) / temperature for x in logits), key=lambda pair: (-pair[1], pair[0]))
    pairs = pairs[:top_k] if 0 < top_k < len(logits) else pairs
    total = sum(math.exp(x - pairs[0][1]) for _, x in pairs)
    kept, mass = [], 0.0
    for index, x in pairs:
        kept.append((index, math.exp(x - pairs[0][1]) / total))
        mass += kept[-1][1]
        if top_p < 1 and mass >= top_p:
            break
    kept = [(index, p) for index, p in kept if p >= min_p * kept[0][1]]
    total, cdf = sum(p for _, p in kept), 0.0
    for index, p in sorted(kept):
        cdf += p / total
        if cdf > u:
            return index
    return max(index for index, _ in kept)


@pytest.mark.parametrize(
    "settings",
    [
        (1.0, 0, 1.0, 0.0),
        (0.0, 0, 1.0, 0.0),
        (0.7, 5, 1.0, 0.0),
        (1.3, 0, 0.6, 0.0),
        (1.0, 0, 1.0, 0.2),
        (0.9, 20, 0.8, 0.05),
        (1.0, 1, 1.0, 0.0),
        (1.0, 0, 0.0, 0.0),
        (5.0, 999, 2.0, 1.0),
    ],
)
def test_sample_is_the_plain_loop(settings: Any) -> None:
    logits = draw((64, 50), seed=3)
    values = [np.asarray(s, np.int32 if i == 1 else np.float32) for i, s in enumerate(settings)]
    found = run(sample_op, logits, KEY, COUNTER, *values, stream=9)
    u = run(random_uniform, KEY, COUNTER, shape=(64,), stream=9)
    settings = [float(v) if i != 1 else int(v) for i, v in enumerate(values)]
    assert found.dtype == np.int32
    assert found.tolist() == [sample_plain(logits[b], float(u[b]), *settings) for b in range(64)]  # type: ignore[arg-type]


def test_sample_settings_for_each_row_and_frequencies() -> None:
    logits = np.tile(np.log(np.array([0.1, 0.2, 0.3, 0.4], np.float32)), (20_000, 1))
    top_k = np.where(np.arange(20_000) % 2 == 0, 0, 2).astype(np.int32)
    found = run(sample_op, logits, KEY, COUNTER, None, top_k)
    free, limited = (np.bincount(found[top_k == k], minlength=4) / 10_000 for k in (0, 2))
    np.testing.assert_allclose(free, [0.1, 0.2, 0.3, 0.4], atol=0.02)
    np.testing.assert_allclose(limited, [0, 0, 3 / 7, 4 / 7], atol=0.02)


def test_trap_sampling_four_times_in_a_row_differs() -> None:
    """Four runs: the counter advances; four draws of one run: the streams differ."""
    graph = Graph("sampling")
    logits = graph.input("logits", (8, 1000))
    rng = graph.rng("rng", seed=2**40 + 1)
    draws = [rng.sample(logits, temperature=1.0) for _ in range(4)]
    graph.set_outputs({f"y{i}": value for i, value in enumerate(draws)})
    arrays: dict[str, Any] = {"logits": np.zeros((8, 1000), np.float32), "rng": np.zeros((), np.uint64)}
    seen = []
    for step in range(4):
        found = evaluate_graph(graph, arrays)
        seen += [tuple(found[f"y{i}"]) for i in range(4)]
        arrays["rng"] = found["update:rng"]
        assert int(arrays["rng"]) == step + 1
    assert len(set(seen)) == 16
    assert evaluate_graph(graph, {**arrays, "rng": np.zeros((), np.uint64)})["y0"].tolist() == list(seen[0])


def test_rng_takes_free_streams_and_symbolic_shapes() -> None:
    graph = Graph("noise")
    rng, other = graph.rng("a", seed=1), graph.rng("b", seed=1)
    x = graph.input("x", ("batch", 3))
    values = [rng.uniform(("batch", 3)), other.normal(x.shape, "bf16"), rng.dropout(x, 0.5)]
    assert [graph.node(value.ref).op["stream"] for value in values] == [0, 0, 1]
    assert graph.constants() and len({tuple(array.array) for array in graph.constants().values() if array.array.shape == (2,)}) == 2
    graph.set_outputs(values)
    arrays = {"x": np.ones((5, 3), np.float32), "a": np.uint64(0), "b": np.uint64(0)}
    found = evaluate_graph(graph, arrays, {"batch": 5})
    assert [found[f"output_{i}"].shape for i in range(3)] == [(5, 3)] * 3


def test_settings_of_sample_stay_f32_beside_low_logits() -> None:
    graph = Graph("low")
    logits, rng = graph.input("logits", (2, 5), "bf16"), graph.rng("rng")
    for value in (rng.sample(logits, 0.7, 3, 0.9), graph.sample(logits, rng.key, rng.counter, 0.7, 3, 0.9, stream=8)):
        settings = [graph.shape(ref).dtype.name for ref in graph.node(value.ref).refs[3:]]
        assert settings == ["f32", "i32", "f32"]


WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: infer(random_uniform, Shape((3,), "u32"), Shape((), "u64"), shape=(2,)), "key is u32[3]"),
    (lambda: infer(random_uniform, Shape((2,), "u32"), Shape((), "i32"), shape=(2,)), "counter is i32[]"),
    (lambda: infer(random_normal, Shape((2,), "u32"), Shape((), "u64"), shape=(2,), dtype="i32"), "dtype is i32"),
    (lambda: infer(random_normal, Shape((2,), "u32"), Shape((), "u64"), shape=(2,), stream=-1), "stream is -1"),
    (lambda: infer(random_normal, Shape((2,), "u32"), Shape((), "u64"), shape=(-2,)), "the size -2 is negative"),
    (lambda: infer(random_normal, Shape((2,), "u32"), Shape((), "u64"), shape=(2**35,)), "random numbers at once"),
    (lambda: infer(dropout, Shape((2,)), Shape((2,), "u32"), Shape((), "u64"), rate=1.5), "rate is 1.5"),
    (lambda: infer(sample_op, Shape((2,)), Shape((2,), "u32"), Shape((), "u64")), "logits are f32[2]"),
    (lambda: infer(sample_op, Shape((2, 3)), Shape((2,), "u32"), Shape((), "u64"), None, Shape((2,))), "top_k is f32"),
    (lambda: infer(sample_op, Shape((2, 3)), Shape((2,), "u32"), Shape((), "u64"), Shape((3,))), "size of temperature"),
    (lambda: infer(sample_op, Shape((Dim("b"), 0)), Shape((2,), "u32"), Shape((), "u64")), "the vocabulary is empty"),
    (lambda: Graph("g").rng("r", seed=-1), "seed -1"),
]


@pytest.mark.parametrize(("build", "message"), WRONG, ids=[row[1] for row in WRONG])
def test_errors_say_both_facts(build: Callable[[], Any], message: str) -> None:
    with pytest.raises(RlxError) as raised:
        build()
    assert message in str(raised.value) and "fix:" in str(raised.value)
