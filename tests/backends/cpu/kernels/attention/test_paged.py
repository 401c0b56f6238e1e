"""Paged attention: the right numbers, and the bits of a row whatever rows, chunks and threads it comes with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.kernels.attention.paged import lower_paged_attention
from rlx.backends.cpu.target import Target
from rlx.core.dtype import DType
from tests.backends.cpu.levels import HOST, TARGETS
from tests.backends.cpu.lowered import Array, Lowered, op_for, tensor_of

PAGE = 32


@dataclass
class Cache:
    """Sequences of given lengths in pages, in scattered order; what no sequence owns is NaN, or the largest i8 with a scale of NaN."""

    keys: list[Array]  # [length, kv heads, dim] of each sequence, as stored
    values: list[Array]
    operands: list[Array]  # k_pages, v_pages
    tables: Array
    scales: list[Array]

    @staticmethod
    def make(lengths: list[int], kv_heads: int, dim: int, stored: str = "f32", page: int = PAGE, seed: int = 0) -> Cache:
        random = np.random.default_rng(seed)
        blocks = max(-(-length // page) for length in lengths)
        count = len(lengths) * blocks + 3
        order = random.permutation(count)
        tables = np.full((len(lengths), blocks), count + 99, np.int32)
        kind = DType.of("f32" if stored == "q8" else stored).numpy
        k_pages = np.full((count, kv_heads, dim, page), np.nan, kind)
        v_pages = np.full((count, kv_heads, page, dim), np.nan, kind)
        scales = []
        if stored == "q8":
            k_pages, v_pages = np.full(k_pages.shape, 127, np.int8), np.full(v_pages.shape, 127, np.int8)
            scales = [
                np.full((count, kv_heads, dim // 32, page), np.nan, np.float16),
                np.full((count, kv_heads, page, dim // 32), np.nan, np.float16),
            ]
        keys, values = [], []
        for owner, length in enumerate(lengths):
            own = order[owner * blocks : owner * blocks + -(-length // page)]
            tables[owner, : len(own)] = own
            pair = [random.standard_normal((length, kv_heads, dim)).astype(kind) for _ in range(2)]
            if stored == "q8":
                numbers = [random.integers(-127, 128, (length, kv_heads, dim)).astype(np.int8) for _ in range(2)]
                factors = [random.uniform(0.005, 0.02, (length, kv_heads, dim // 32)).astype(np.float16) for _ in range(2)]
                pair = [n * np.repeat(f.astype(np.float32), 32, 2) for n, f in zip(numbers, factors, strict=True)]
            for position in range(length):
                where, place = own[position // page], position % page
                if stored == "q8":
                    k_pages[where, :, :, place], v_pages[where, :, place] = (n[position] for n in numbers)
                    scales[0][where, :, :, place], scales[1][where, :, place] = (f[position] for f in factors)
                else:
                    k_pages[where, :, :, place], v_pages[where, :, place] = (x[position] for x in pair)
            keys.append(pair[0])
            values.append(pair[1])
        return Cache(keys, values, [k_pages, v_pages], tables, scales)


class Attention:
    """A compiled paged attention for all numbers of rows, sequences, blocks and pages."""

    def __init__(self, cache: Cache, heads: int, target: Target | None = None, query: str = "f32", **attrs: Any) -> None:
        self.cache, self.heads, self.attrs = cache, heads, attrs
        self.dim = cache.operands[0].shape[2]
        row = np.zeros((1, heads * self.dim), DType.of(query).numpy)
        arrays = self.arrays(row, [0], [0])
        names: dict[int, Any] = {
            0: ("rows", row.shape[1]),
            **{index: ("pages", *arrays[index].shape[1:]) for index in (1, 2, *range(6, len(arrays)))},
            3: ("rows",),
            4: ("rows",),
            5: ("sequences", "blocks"),
        }
        tensors = [tensor_of(array, names[index]) for index, array in enumerate(arrays)]
        op = op_for("paged_attention", tensors, num_heads=heads, **attrs)
        self.lowered = Lowered(lower_paged_attention, op, tensors, target)

    def arrays(self, q: Array, start: list[int], sequence: list[int]) -> list[Array]:
        numbers = [np.array(each, np.int32) for each in (start, sequence)]
        return [q, *self.cache.operands, *numbers, self.cache.tables, *self.cache.scales]

    def __call__(self, q: Array, start: list[int], sequence: list[int], **options: Any) -> Array:
        return self.lowered.call(self.arrays(q, start, sequence), **options)[0]

    def expected(self, q: Array, start: list[int], sequence: list[int]) -> Array:
        """By the formula, in f64."""
        kind = self.attrs.get("mask_kind", "causal")
        window = int(kind.removeprefix("sliding_window(").rstrip(")")) if "window" in kind else 1 << 40
        cap = self.attrs.get("softcap")
        result = []
        for row, position, owner in zip(q, start, sequence, strict=True):
            keys, values = (
                x[owner][max(0, position + 1 - window) : position + 1].astype(np.float64)
                for x in (self.cache.keys, self.cache.values)
            )
            queries = row.astype(np.float64).reshape(keys.shape[1], -1, self.dim)
            scores = np.einsum("hgd,thd->hgt", queries, keys) * self.attrs.get("score_scale", self.dim**-0.5)
            scores = scores if cap is None else cap * np.tanh(scores / cap)
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            mixed = np.einsum("hgt,thd->hgd", weights / weights.sum(-1, keepdims=True), values)
            result.append(mixed.reshape(-1))
        return np.array(result)


def drawn(rows: int, width: int, kind: str = "f32") -> Array:
    return np.random.default_rng(5).standard_normal((rows, width)).astype(DType.of(kind).numpy)


def mixture(lengths: list[int], chunks: list[int]) -> tuple[list[int], list[int]]:
    """The last `chunk` tokens of each sequence."""
    start = [p for length, chunk in zip(lengths, chunks, strict=True) for p in range(length - chunk, length)]
    return start, [owner for owner, chunk in enumerate(chunks) for _ in range(chunk)]


FORMS = [
    # group, kv heads, dim, stored, attributes
    (1, 2, 64, "f32", {}),
    (3, 3, 64, "f32", {}),
    (3, 1, 64, "f16", {}),
    (4, 1, 80, "bf16", {}),
    (8, 1, 128, "f32", {"softcap": 20.0, "score_scale": 0.3}),
    (3, 1, 16, "f32", {"mask_kind": "sliding_window(40)"}),
    (7, 1, 256, "f16", {}),
    (3, 2, 64, "q8", {}),
    (4, 1, 128, "q8", {"mask_kind": "sliding_window(700)"}),
    (2, 1, 33, "f32", {}),
]
NAMES = [f"{group}x{kv}-{dim}-{stored}{'-' if attrs else ''}{'-'.join(attrs)}" for group, kv, dim, stored, attrs in FORMS]


SOME = (1, 3, 5, 7)
"""The forms that older CPUs run every day; `--long` runs all."""
EVERYWHERE = [
    pytest.param(*form, target, id=f"{name}-{target.cpu}", marks=[] if target is HOST or number in SOME else pytest.mark.long)
    for target in TARGETS
    for number, (form, name) in enumerate(zip(FORMS, NAMES, strict=True))
]


@pytest.mark.parametrize(("group", "kv_heads", "dim", "stored", "attrs", "target"), EVERYWHERE)
def test_a_row_has_the_same_bits_in_any_company(
    group: int, kv_heads: int, dim: int, stored: str, attrs: dict[str, Any], target: Target
) -> None:
    lengths = [1100, 37, 1, 530, 90]
    attend = Attention(Cache.make(lengths, kv_heads, dim, stored), group * kv_heads, target, **attrs)
    start, sequence = mixture(lengths, [21, 5, 1, 40, 8])
    q = drawn(len(start), group * kv_heads * dim)
    alone = np.concatenate([attend(q[r : r + 1], start[r : r + 1], sequence[r : r + 1]) for r in range(len(start))])
    wanted = attend.expected(q, start, sequence)
    assert np.abs(alone - wanted).max() < 2e-5 * np.abs(wanted).max()
    together = attend(q, start, sequence)  # 75 rows: all keys of a run in one unit
    np.testing.assert_array_equal(together, alone)
    for pieces in (2, 3, 7, 11):
        found = [
            attend(q[part], [start[i] for i in part], [sequence[i] for i in part], split=1, threads=2)
            for part in np.array_split(np.arange(len(start)), pieces)
        ]
        np.testing.assert_array_equal(np.concatenate(found), alone)
    some = np.random.default_rng(1).permutation(len(start))[:50]  # rows in no order are runs of their own
    np.testing.assert_array_equal(attend(q[some], [start[i] for i in some], [sequence[i] for i in some]), alone[some])


@pytest.mark.parametrize("query", ["f32", "f16", "bf16", "f64"])
def test_queries_of_every_float(query: str) -> None:
    lengths = [70, 600]
    cache = Cache.make(lengths, 2, 32, "f16" if query != "f64" else "f64")
    attend = Attention(cache, 6, query=query)
    start, sequence = mixture(lengths, [9, 3])
    q = drawn(len(start), 6 * 32, query)
    wanted = attend.expected(q, start, sequence)
    bound = {"f32": 1e-6, "f64": 1e-14, "f16": 2e-3, "bf16": 1e-2}[query]
    assert np.abs(attend(q, start, sequence).astype(np.float64) - wanted).max() < bound * np.abs(wanted).max()


@pytest.mark.parametrize("page", [1, 5, 16, 64, 700])
def test_pages_of_every_size(page: int) -> None:
    lengths = [801, 33]
    attend = Attention(Cache.make(lengths, 1, 24, page=page), 2)
    start, sequence = mixture(lengths, [50, 20])
    q = drawn(len(start), 48)
    found, wanted = attend(q, start, sequence), attend.expected(q, start, sequence)
    assert np.abs(found - wanted).max() < 1e-5 * np.abs(wanted).max()
    np.testing.assert_array_equal(attend(q[-30:], start[-30:], sequence[-30:]), found[-30:])


def test_a_value_that_is_not_finite_reaches_only_the_rows_that_see_it() -> None:
    cache = Cache.make([64], 1, 32)
    page = cache.tables[0, 1]
    cache.operands[1][page, 0, 8, 3] = np.inf  # position 40
    cache.operands[0][page, 0, 5, 20] = np.nan  # position 52
    attend = Attention(cache, 2)
    q = drawn(64, 64)
    found = attend(q, list(range(64)), [0] * 64)
    assert np.isfinite(found[:40]).all() and np.isnan(found[52:]).all()
    assert not np.isfinite(found[40:, [3, 35]]).any() and np.isfinite(np.delete(found[40:52], [3, 35], 1)).all()
    for row in (39, 40, 51, 52):
        np.testing.assert_array_equal(attend(q[row : row + 1], [row], [0])[0], found[row])


def test_rows_without_keys_are_zero_and_tables_are_read_safely() -> None:
    cache = Cache.make([40, 10], 1, 16)
    attend = Attention(cache, 1)
    q = drawn(5, 16)
    found = attend(q, [39, -1, 3, 5, 9], [0, 0, -1, 2, 1])
    assert (found[1:4] == 0).all()
    np.testing.assert_allclose(found[[0, 4]], attend.expected(q[[0, 4]], [39, 9], [0, 1]), rtol=1e-5, atol=1e-6)
    cache.operands = [np.nan_to_num(pages) for pages in cache.operands]
    assert np.isfinite(attend(q, [60, 1 << 30, 63, 40, 45], [0, 0, 1, 1, 1])).all()  # past what a sequence has
