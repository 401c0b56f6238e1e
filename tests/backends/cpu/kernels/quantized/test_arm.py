"""Products of packed weights on Arm: `sdot` and `smmla` are there, and no bit differs from the products without them.

The tests that run code need an Arm CPU with both: `make test-emulated` runs them under QEMU.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS
from rlx.backends.cpu.target import Target
from tests.backends.cpu import lowered
from tests.backends.cpu.kernels.quantized.test_vnni import code_of, product, rows_of, stored
from tests.backends.cpu.levels import HOST

NEON, DOTPROD, I8MM = (Target.named(name) for name in ("aarch64", "aarch64-dotprod", "aarch64-i8mm"))
WITHOUT_MATRICES = replace(HOST, features=HOST.features.replace("+i8mm", "-i8mm"))
PLAIN = replace(WITHOUT_MATRICES, features=WITHOUT_MATRICES.features.replace("+dotprod", "-dotprod"))
EVERY_DAY = ("Q4_0", "Q8_0", "Q4_K", "Q6_K", "IQ3_XXS")
needs_arm = pytest.mark.skipif(not HOST.has_byte_matrices, reason="this machine has no i8mm: make test-emulated has")


@pytest.mark.parametrize("name, rows", [("Q4_K", 1), ("Q4_K", 2), ("Q6_K", 16), ("Q4_0", 8), ("IQ2_XS", 1), ("Q8_0", 1)])
def test_products_are_made_of_dot_products(name: str, rows: int) -> None:
    text = code_of(name, rows, DOTPROD)
    assert "sdot" in text and "smmla" not in text


@pytest.mark.parametrize("name", ["Q4_K", "Q6_K", "Q4_0", "Q2_K", "Q8_0", "IQ4_NL"])
def test_many_rows_are_made_of_matrices(name: str) -> None:
    assert "smmla" in code_of(name, 16, I8MM)


@pytest.mark.parametrize("name", ["Q4_K", "Q8_0"])
def test_without_the_features_there_are_none(name: str) -> None:
    for rows in (1, 16):
        text = code_of(name, rows, NEON)
        assert "sdot" not in text and "smmla" not in text


def test_unsigned_weights_are_the_same_with_a_sign() -> None:
    assert all(numbers.most < 128 for numbers in NUMBERS.values())


@needs_arm
@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name in EVERY_DAY else [pytest.mark.long]) for name in NUMBERS])
def test_no_bit_depends_on_the_instructions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lowered, "TARGETS", [PLAIN, WITHOUT_MATRICES, HOST])
    x, blocks = rows_of(30, 768), stored(name, 41, 768)
    plain, *others = (product(name, [x, blocks], 41, target) for target in (PLAIN, WITHOUT_MATRICES, HOST))
    for count in (1, 2, 5, 8, 9, 30):
        wanted = plain.call([x[:count], blocks])[0]
        for made in others:
            found = made.call([x[:count], blocks])[0]
            np.testing.assert_array_equal(found.view(np.int32), wanted.view(np.int32), f"{count} rows")


@needs_arm
def test_rows_of_experts_have_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lowered, "TARGETS", [PLAIN, WITHOUT_MATRICES, HOST])
    x, blocks = rows_of(50, 512), np.stack([stored("Q6_K", 21), stored("Q6_K", 21)[::-1], stored("Q6_K", 21)])
    experts = np.random.default_rng(2).choice(3, 50, p=[0.9, 0.07, 0.03]).astype(np.int32)
    wanted, *others = (
        product("Q6_K", [x, blocks, experts], 21, target).call([x, blocks, experts])[0]
        for target in (PLAIN, WITHOUT_MATRICES, HOST)
    )
    for found in others:
        np.testing.assert_array_equal(found.view(np.int32), wanted.view(np.int32))
