"""Pages of a cache as states of a module: written in place, read by attention; and what their records refuse."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.formats.quantizers.block_types import _q8_0
from rlx.ops.attention.paged import page_write, page_write_q8, paged_attention, rounded_to_q8
from tests.ops.running import infer

ROWS, SEQUENCES, BLOCKS, PAGES = (Dim(name, min=1) for name in ("rows", "sequences", "blocks", "pages"))


def model(kv_heads: int = 2, heads: int = 6, dim: int = 32, stored: str = "f32", device: str = "cpu") -> Any:
    """One layer of attention over pages that are states."""
    module = rlx.Graph("paged")
    q, k, v = (module.input(n, (ROWS, 1, h * dim)) for n, h in (("q", heads), ("k", kv_heads), ("v", kv_heads)))
    start, sequence = (module.input(name, (ROWS,), "i32") for name in ("start", "sequence"))
    where = start, sequence, module.input("tables", (SEQUENCES, BLOCKS), "i32")
    kept, scales = [], []
    for name, new, dims in (("k", k, (kv_heads, dim, 32)), ("v", v, (kv_heads, 32, dim))):
        turned = name == "k"
        if stored == "q8":
            small = tuple(size // 32 if size == dim and (axis == (1 if turned else 2)) else size for axis, size in enumerate(dims))
            old = (module.state(f"pages.{name}", (PAGES, *dims), "i8"), module.state(f"scales.{name}", (PAGES, *small), "f16"))
            pair = module.page_write_q8(*old, new, *where, transposed=turned)
            for before, after in zip(old, pair, strict=True):
                module.update(before, after)
            kept.append(pair[0])
            scales.append(pair[1])
        else:
            before = module.state(f"pages.{name}", (PAGES, *dims), stored)
            kept.append(module.page_write(before, new, *where, transposed=turned))
            module.update(before, kept[-1])
    module.set_outputs({"y": module.paged_attention(q, *kept, *where, *scales, num_heads=heads)})
    return rlx.compile(module, device=device)


def inputs(start: list[int], sequence: list[int], tables: Any, heads: int, kv_heads: int, dim: int) -> dict[str, Any]:
    random = np.random.default_rng(len(start))
    drawn = {
        n: random.standard_normal((len(start), 1, h * dim), np.float32) for n, h in (("q", heads), ("k", kv_heads), ("v", kv_heads))
    }
    numbers = {name: np.array(each, np.int32) for name, each in (("start", start), ("sequence", sequence), ("tables", tables))}
    return {**drawn, **numbers}


@pytest.mark.parametrize("stored", ["f32", "f16", "bf16", "q8"])
def test_the_pool_is_written_in_place(stored: str) -> None:
    exe = model(stored=stored)
    count = 4 if stored == "q8" else 2
    assert len(exe.lir.in_place) == count
    small, large = (exe.memory(rows=4, sequences=2, blocks=8, pages=pages) for pages in (10, 10_000))
    assert small["working"] == large["working"] and large["states"] > 900 * small["states"]


def test_writing_to_a_large_pool_takes_no_longer() -> None:
    exe = model(kv_heads=3, heads=9, dim=64)
    feeds = inputs([40, 7], [0, 1], [[5, 3], [2, 0]], 9, 3, 64)
    best = {}
    for pages in (8, 2200):  # 100 MB in all
        exe.session.init_state(pages=pages)
        exe.run(feeds)
        times = []
        for _ in range(20):
            begun = time.perf_counter()
            exe.run(feeds)
            times.append(time.perf_counter() - begun)
        best[pages] = min(times)
    assert best[2200] < 10 * best[8] + 1e-3, best  # a copy of the pool takes 20 ms and more


@pytest.mark.parametrize("stored", ["f32", "f16", "bf16", "q8"])
def test_a_conversation_is_the_reference_s(stored: str) -> None:
    """Prompts in chunks and tokens one by one on both devices, from empty pages."""
    heads, kv_heads, dim = 6, 2, 32
    pair = [model(kv_heads, heads, dim, stored, device) for device in ("cpu", "reference")]
    for exe in pair:
        exe.session.init_state(pages=7)
    tables = [[6, 1, 0], [3, 5, 2]]
    for start, sequence in (
        ([*range(30), *range(5)], [0] * 30 + [1] * 5),
        ([*range(30, 45), 5], [0] * 15 + [1]),
        ([45, 6], [0, 1]),
        ([-1, 46, 7, 8, 9], [-1, 0, 1, 1, 1]),
    ):
        feeds = inputs(start, sequence, tables, heads, kv_heads, dim)
        found, wanted = (exe.run(feeds)["y"] for exe in pair)
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
        for name in pair[0].session.entries:
            np.testing.assert_array_equal(*(exe.state(name) for exe in pair))


# -- q8_0 -------------------------------------------------------------------------------------------------------
def test_rows_are_rounded_as_the_quantizer_does() -> None:
    random = np.random.default_rng(3)
    rows = random.standard_normal((40, 64), np.float32) * np.float32(10.0) ** random.integers(-9, 9, (40, 1))
    rows[3] = 0
    numbers, scales = rounded_to_q8(rows)
    stored = _q8_0(np.ascontiguousarray(rows.reshape(-1, 32).T))
    np.testing.assert_array_equal(scales.reshape(-1).view(np.uint16), stored[:2].T.copy().view(np.uint16).reshape(-1))
    np.testing.assert_array_equal(numbers.reshape(-1, 32).T, stored[2:].view(np.int8))


# -- what is refused --------------------------------------------------------------------------------------------
def refused(record: Any, *shapes: Shape, code: str, fix: str, **attrs: Any) -> None:
    with pytest.raises(RlxError, match=code) as caught:
        infer(record, *shapes, **attrs)
    assert fix in str(caught.value), str(caught.value)


NUMBERS = (Shape((5,), "i32"), Shape((5,), "i32"), Shape((2, 3), "i32"))
KEYS, VALUES = Shape((9, 2, 16, 32)), Shape((9, 2, 32, 16))


def test_what_page_write_refuses() -> None:
    rows = Shape((5, 2, 16))
    assert infer(page_write, KEYS, rows, *NUMBERS, transposed=True) == KEYS
    assert infer(page_write, VALUES, Shape((5, 1, 32)), *NUMBERS, transposed=False) == VALUES
    refused(page_write, VALUES, rows, *NUMBERS, transposed=True, code="RLX102", fix="heads · head dim")
    refused(page_write, KEYS, Shape((5, 32), "i32"), *NUMBERS, transposed=True, code="RLX103", fix="floats")
    refused(page_write, Shape((9, 32)), rows, *NUMBERS, transposed=True, code="RLX102", fix="[pages, kv_heads")
    refused(page_write, KEYS, Shape((4, 32)), *NUMBERS, transposed=True, code="RLX102", fix="start")
    floats = (Shape((5,)), *NUMBERS[1:])
    refused(page_write, KEYS, rows, *floats, transposed=True, code="RLX103", fix="astype('i32')")
    symbolic = Shape((9, 2, Dim("d"), 32))
    refused(page_write, symbolic, rows, *NUMBERS, transposed=True, code="RLX102", fix="are numbers")


def test_what_q8_pages_refuse() -> None:
    pages, scales = Shape((9, 2, 64, 32), "i8"), Shape((9, 2, 2, 32), "f16")
    rows = Shape((5, 128))
    assert infer(page_write_q8, pages, scales, rows, *NUMBERS, transposed=True) == (pages, scales)
    odd = Shape((9, 2, 80, 32), "i8")
    refused(page_write_q8, odd, scales, Shape((5, 160)), *NUMBERS, transposed=True, code="RLX102", fix="f16 or bf16")
    refused(page_write_q8, pages, Shape((9, 2, 2, 32)), rows, *NUMBERS, transposed=True, code="RLX103", fix="f16")
    refused(page_write_q8, pages, Shape((9, 2, 1, 32), "f16"), rows, *NUMBERS, transposed=True, code="RLX102", fix="scales")
    values = Shape((9, 2, 32, 64), "i8")
    refused(paged_attention, rows, pages, values, *NUMBERS, num_heads=2, code="RLX103", fix="page_write_q8")


def test_what_paged_attention_refuses() -> None:
    q = Shape((5, 64), "f16")
    assert infer(paged_attention, q, KEYS, VALUES, *NUMBERS, num_heads=4) == q
    refused(paged_attention, q, KEYS, KEYS, *NUMBERS, num_heads=4, code="RLX102", fix="v_pages")
    refused(paged_attention, q, KEYS, VALUES, *NUMBERS, num_heads=3, code="RLX105", fix="multiple of 2")
    refused(paged_attention, q, KEYS, VALUES, *NUMBERS, num_heads=2, code="RLX102", fix="heads · head dim")
    refused(paged_attention, q, KEYS, VALUES, *NUMBERS, num_heads=4, mask_kind="bias", code="RLX105", fix="causal")
    refused(paged_attention, q, KEYS, VALUES, *NUMBERS, num_heads=4, softcap=-1.0, code="RLX105", fix="positive")
