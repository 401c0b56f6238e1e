"""Types whose numbers are looked up: where their bits go, their tables, and the same bits with tables in registers and without."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.compile.codegen import assembly
from rlx.backends.cpu.emit.builder import Module
from rlx.backends.cpu.kernels import KERNELS
from rlx.backends.cpu.kernels.quantized.few_rows import stream_function, wide_stream_function
from rlx.backends.cpu.kernels.quantized.grid_words import CODEBOOKS
from rlx.backends.cpu.kernels.quantized.many_rows import tiles_function
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS
from rlx.backends.cpu.target import Target
from rlx.layouts.block_order import ORDERS, interleave_rows
from rlx.layouts.gguf_blocks import dequantize_rows, random_rows
from rlx.layouts.gguf_grids import codebook
from rlx.layouts.stored_rows import StoredRows
from tests.backends.cpu import lowered
from tests.backends.cpu.levels import HOST, LEVELS
from tests.backends.cpu.lowered import Lowered, op_for, tensor_of

RANDOM = np.random.default_rng(0)
needs_tables = pytest.mark.skipif(not HOST.has("avx512vbmi"), reason="this machine has no AVX-512 VBMI")
WITHOUT_TABLES = replace(HOST, features=HOST.features.replace("+avx512vbmi,", "-avx512vbmi,"))
WITHOUT_DOTS = replace(WITHOUT_TABLES, features=WITHOUT_TABLES.features.replace("+avx512vnni", "-avx512vnni"))
ICE_LAKE = replace(LEVELS["x86_64-avx512"], cpu="icelake-server", features=LEVELS["x86_64-avx512"].features + ",+avx512vbmi")


def long(name: str) -> Any:
    return pytest.param(name, marks=pytest.mark.long)


TYPES = ["IQ2_XS", "IQ3_S", *map(long, ("IQ2_XXS", "IQ2_S", "IQ3_XXS", "IQ1_S", "IQ1_M", "TQ1_0"))]


# -- bits -------------------------------------------------------------------------------------------------------
def test_iq2_xxs_by_hand() -> None:
    """Behind d: four indices of each row, then its signs, those of a quad at one bit of every byte, and the scale above them."""
    rows = RANDOM.integers(0, 256, (8, 66), np.uint8)
    blocks = interleave_rows("IQ2_XXS", rows)[0]
    np.testing.assert_array_equal(blocks[:16].reshape(8, 2), rows[:, :2])
    for segment in range(8):
        stored = blocks[16 + 64 * segment :][:64].reshape(2, 8, 4)
        given = rows[:, 2 + 8 * segment :][:, :8]
        np.testing.assert_array_equal(stored[0], given[:, :4])
        word, signs = (np.ascontiguousarray(part).view("<u4")[:, 0] for part in (given[:, 4:], stored[1]))
        np.testing.assert_array_equal(signs >> 28, word >> 28)
        for number in range(32):
            entry, place = divmod(number, 8)
            if place < 7:
                bit = 8 * (place % 4) + entry + (4 if place > 3 else 0)
                np.testing.assert_array_equal(signs >> bit & 1, word >> (7 * entry + place) & 1)


def test_the_ninth_bits_of_iq2_xs_are_where_signs_are_missing() -> None:
    rows = RANDOM.integers(0, 256, (8, 74), np.uint8)
    blocks = interleave_rows("IQ2_XS", rows)[0]
    words = np.ascontiguousarray(rows[:, 2:66]).view("<u2")
    at = 8 * 10  # behind d and scales
    for segment in range(8):
        stored = blocks[at + 64 * segment :][:64].reshape(2, 8, 4)
        given = words[:, 4 * segment :][:, :4]
        np.testing.assert_array_equal(stored[0], given & 255)
        upper = sum((given[:, entry] >> 8 & 1).astype(np.uint8) << entry for entry in range(4))
        np.testing.assert_array_equal(stored[1][:, 3] >> 4, upper)


# -- tables -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", CODEBOOKS)
def test_levels_are_the_codebooks_numbers_above_a_zero(name: str) -> None:
    book, numbers = CODEBOOKS[name], NUMBERS[name]
    each = book.each
    values = np.array(codebook(book.name)).reshape(-1, each)
    values //= np.gcd.reduce(values.reshape(-1))  # all numbers of IQ3_XXS are even
    plain = np.array(book.plain, np.uint64)[:, None] >> (8 * np.arange(each, dtype=np.uint64)) & np.uint64(255)
    wanted = 8 * values + 1 if book.shifts else values  # an eighth up, and all of it times eight
    np.testing.assert_array_equal(plain.astype(int), wanted + numbers.zero)
    assert max(book.levels) <= numbers.most and len(book.levels) == 2 << book.code_bits
    half = len(book.levels) // 2
    for code in np.unique(values).searchsorted(np.unique(values)):
        up, down = (level - numbers.zero for level in (book.levels[code], book.levels[half + code]))
        assert down == (up - 2 if book.shifts else -up)


def test_sizes_of_tables() -> None:
    """Of 16 bits an entry: up to 4 KB, which the first cache holds beside the weights."""
    assert {name: len(book.low) for name, book in CODEBOOKS.items()} == {
        **{"IQ2_XXS": 256, "IQ2_XS": 512, "IQ2_S": 1024, "IQ3_XXS": 256, "IQ3_S": 512},
        **{"IQ1_S": 2048, "IQ1_M": 2048},
    }


# -- products ---------------------------------------------------------------------------------------------------
def products(name: str, x: Any, blocks: Any, n: int, target: Target, exact: bool) -> list[Any]:
    """Of 1, 3, 8 and all rows."""
    tensors = [tensor_of(x, ("rows", x.shape[-1])), tensor_of(blocks)]
    layout = StoredRows(name).name
    op = op_for("packed_matmul", tensors, layout=layout, n=n, exact=exact)
    made = Lowered(KERNELS["packed_matmul"], op, tensors, target)
    return [made.call([x[:rows], blocks])[0] for rows in (1, 3, 8, len(x))]


@needs_tables
@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("exact", [False, pytest.param(True, marks=pytest.mark.long)])
def test_entries_from_memory_make_the_same_bits(name: str, exact: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With AVX-512 but neither tables in registers nor dot products, and on AVX2: the same integers, the same order of floats."""
    others = [WITHOUT_TABLES, WITHOUT_DOTS, *([] if exact else [LEVELS["x86_64-avx2"]])]
    monkeypatch.setattr(lowered, "TARGETS", [HOST, *others])
    n, k = 43, 768
    blocks = interleave_rows(name, random_rows(name, n, k, seed=2))
    x = RANDOM.standard_normal((21, k)).astype(np.float32)
    x[3, 300] = 70  # second bytes
    wanted = products(name, x, blocks, n, HOST, exact)
    for target in others:
        for found, row in zip(products(name, x, blocks, n, target, exact), wanted, strict=True):
            np.testing.assert_array_equal(found, row)
    for rows in wanted if not exact else ():
        np.testing.assert_array_equal(rows[0], wanted[0][0])


@pytest.mark.parametrize("name", [name for name, order in ORDERS.items() if order.fields or order.digits])
def test_tables_are_in_registers(name: str) -> None:
    """An Ice Lake server: no entry is loaded by its index."""
    module = Module(ICE_LAKE)
    wide_stream_function(module, name, 1, None)._linkage = ""
    text = assembly(module.text(), ICE_LAKE)
    assert "vpermt2b" in text or "vpermi2b" in text
    assert "vpdpbusd" in text and "entries_" not in text
    assert ("vpmultishiftqb" in text) == bool(ORDERS[name].fields)


@pytest.mark.parametrize("name", ["IQ2_XXS", "IQ3_XXS"])
def test_without_tables_the_files_bytes_are_the_indices(name: str) -> None:
    """AVX2: no lane of a vector is picked to find an entry, and a sign chooses one of two numbers."""
    module = Module(LEVELS["x86_64-avx2"])
    stream_function(module, name, 1)._linkage = ""
    text = assembly(module.text(), module.target)
    assert "vpextr" not in text and "vpblendvb" in text


@pytest.mark.parametrize("name", [name for name, book in CODEBOOKS.items() if book.upper])
def test_indices_of_more_than_a_byte_are_loaded_from_memory(name: str) -> None:
    """AVX2: in 16 bits, one for each entry and row; lanes are picked only in the rare loop over second bytes."""
    module = Module(LEVELS["x86_64-avx2"])
    stream_function(module, name, 1)._linkage = ""
    text = assembly(module.text(), module.target)
    entries = 32 // CODEBOOKS[name].each
    assert text.count("movzwl") == 8 * entries
    assert text.count("vpextrd") == 6 * entries


@pytest.mark.parametrize("name", ["IQ2_XXS", "IQ2_S"])
def test_a_word_of_a_saturating_pair_is_scaled_at_once(name: str) -> None:
    """AVX2: tiles have one loop body for saturating pairs and one for safe ones, whose words are scaled by twos; sums stay in registers."""
    module = Module(LEVELS["x86_64-avx2"])
    tiles_function(module, name)._linkage = ""
    lines = assembly(module.text(), module.target).splitlines()
    assert NUMBERS[name].depth == 1 and sum("vpmaddubsw" in line for line in lines) == 3 * 64
    assert sum("vpmaddwd" in line for line in lines) == 2 * 64 + 32
    assert sum("%ymm" in line and "(%rsp)" in line for line in lines) < 64


def whole_numbers(rows: int, k: int) -> Any:
    """Numbers up to 127 that quantization leaves as they are: pairs of groups whose four values come to about 381, to 508, or to less."""
    x = RANDOM.integers(95, 97, (rows, k // 32, 32))
    x[:, 1::4] = 127
    x[:, 2::4] = RANDOM.integers(-127, 128, x[:, 2::4].shape)
    x[:, 3::4] = RANDOM.integers(-9, 10, x[:, 3::4].shape)
    x[::2, 3::8] = -127  # saturating in every second row only
    x[..., 5] = 127
    return x.reshape(rows, k).astype(np.float32)


@pytest.mark.skipif(HOST.vector_bytes < 32 or not HOST.is_x86, reason="this machine has no AVX2")
@pytest.mark.parametrize("name", ["IQ2_XXS", "IQ2_S", long("IQ2_XS")])
def test_saturating_pairs_do_not_overflow(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """AVX2: where four values of x are so large that 16 bits do not hold the products of two words, these are not added."""
    target = LEVELS["x86_64-avx2"]
    monkeypatch.setattr(lowered, "TARGETS", [HOST, target])
    n, k = 43, 1024
    rows = random_rows(name, n, k, seed=5)
    x = whole_numbers(11, k)
    wanted = x.astype(np.float64) @ dequantize_rows(name, rows).astype(np.float64).T
    for found in products(name, x, interleave_rows(name, rows), n, target, False):
        expected = wanted[: len(found)]
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * np.abs(wanted).max())


def test_numbers_of_iq3_xxs_are_halved() -> None:
    """All are even: products of two words fit 16 bits."""
    assert NUMBERS["IQ3_XXS"].depth == 2 and NUMBERS["IQ3_XXS"].factor == 0.5
