"""Weights of 16-bit floats by tiles of bf16: the precision is that of f32, for any rows and sizes, and what is not finite stays so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rlx.layouts.block_order import interleave_rows
from rlx.layouts.gguf_blocks import dequantize_rows
from tests.backends.cpu import lowered
from tests.backends.cpu.kernels.quantized.test_tiles import AMX, LOOPS
from tests.backends.cpu.kernels.quantized.test_vnni import code_of, product
from tests.backends.cpu.levels import HOST

TYPES = ["F16", "BF16"]
needs_avx512 = pytest.mark.skipif(HOST.vector_bytes < 64, reason="kernels of tiles need vectors of 64 bytes")
TARGETS = [LOOPS, *([HOST] if HOST.has_tiles("bf16") else [])]


def rows_of_halves(name: str, n: int, k: int) -> Any:
    """Bytes of rows of numbers of all sizes, subnormal ones among them."""
    random = np.random.default_rng(5)
    numbers = (random.standard_normal((n, k)) * 2.0 ** random.integers(-22, 6, (n, k))).astype(np.float32)
    if name == "F16":
        return numbers.astype("<f2").view(np.uint8)
    return (numbers.view(np.uint32) >> 16).astype("<u2").view(np.uint8)


@pytest.mark.parametrize("name", TYPES)
def test_with_amx_products_of_many_rows_are_made_of_tiles(name: str) -> None:
    many = code_of(name, 64, AMX)
    for instruction in ("ldtilecfg", "tileloadd", "tdpbf16ps", "tilestored", "tilerelease"):
        assert instruction in many


@needs_avx512
@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("k, n", [(1, 8), (67, 33), (544, 40)])
def test_parts_are_as_precise_as_f32(name: str, k: int, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lowered, "TARGETS", TARGETS)
    stored = rows_of_halves(name, n, k)
    weight = dequantize_rows(name, stored).astype(np.float64).T
    x = np.random.default_rng(2).standard_normal((300, k)).astype(np.float32)
    for target in TARGETS:
        made = product(name, [x, interleave_rows(name, stored)], n, target)
        for count in (1, 15, 16, 17, 33, 300):
            found = made.call([x[:count], interleave_rows(name, stored)], split=1)[0]
            wide = x[:count].astype(np.float64)
            bound = np.abs(wide) @ np.abs(weight) * (2.0**-22 + k * 2.0**-24)
            lowered.assert_close(found, wide @ weight, bound + 1e-37, f"{count} rows")


@needs_avx512
@pytest.mark.parametrize("name", TYPES)
def test_what_is_not_finite_stays_so(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lowered, "TARGETS", TARGETS)
    stored = rows_of_halves(name, 24, 64)
    weight = dequantize_rows(name, stored).astype(np.float64).T
    x = np.ones((20, 64), np.float32)
    x[3, 5], x[7, 6], x[18, 0] = np.inf, np.nan, -np.inf
    for target in TARGETS:
        found = product(name, [x, interleave_rows(name, stored)], 24, target).call([x, interleave_rows(name, stored)])[0]
        lowered.assert_close(found, x.astype(np.float64) @ weight, 1e-3)


@needs_avx512
@pytest.mark.parametrize("name", TYPES)
def test_a_weight_that_is_not_finite_stays_so(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parts would be infinite and NaN, or meet parts of x that are zero: such a panel is multiplied without tiles."""
    monkeypatch.setattr(lowered, "TARGETS", TARGETS)
    n, k = 72, 300
    strange = {"F16": (0x7C00, 0xFC00, 0x7E00), "BF16": (0x7F80, 0xFF80, 0x7FC0)}[name]
    stored = rows_of_halves(name, n, k)
    words = stored.view("<u2")
    words[3, 17], words[40, 299], words[41, 0] = strange
    words[42, 5], words[42, 260] = strange[:2]  # of both signs: NaN
    weight = dequantize_rows(name, stored).astype(np.float64).T
    x = np.random.default_rng(2).standard_normal((300, k)).astype(np.float32)
    x[1::2] = np.round(x[1::2] * 4) / 4 + 0.125  # whose second and third parts are zero
    for target in TARGETS:
        made = product(name, [x, interleave_rows(name, stored)], n, target)
        for count in (16, 300):
            found = made.call([x[:count], interleave_rows(name, stored)], split=1)[0]
            wide = x[:count].astype(np.float64)
            finite = np.where(np.isfinite(weight), weight, 0)
            bound = np.abs(wide) @ np.abs(finite) * (2.0**-22 + k * 2.0**-24)
            with np.errstate(invalid="ignore"):
                lowered.assert_close(found, wide @ weight, bound + 1e-37, f"{count} rows")
