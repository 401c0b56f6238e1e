"""Products of packed weights with VNNI: the instructions are there, and no bit differs from the products without them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.compile.codegen import assembly
from rlx.backends.cpu.emit.builder import Module
from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Tensor
from rlx.backends.cpu.kernels import KERNELS
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS
from rlx.backends.cpu.target import Target
from rlx.layouts.block_order import interleave_rows
from rlx.layouts.gguf_blocks import random_rows
from rlx.layouts.stored_rows import StoredRows
from tests.backends.cpu import lowered
from tests.backends.cpu.levels import HOST as THIS_CPU
from tests.backends.cpu.levels import LEVELS
from tests.backends.cpu.lowered import Lowered, op_for, tensor_of

HOST = replace(THIS_CPU, features=THIS_CPU.features.replace("+amx-", "-amx-"))
"""Without tiles, which have tests of their own (`test_tiles.py`) and other sums."""
PLAIN = replace(HOST, features=HOST.features.replace("+avx512vnni", "-avx512vnni").replace("+avxvnni", "-avxvnni"))
HALF = replace(HOST, vector_bytes=32, features=HOST.features.replace("+avx512f,", ""))
"""The host with vectors of half the size, and half as many registers: how a CPU with AVX-VNNI multiplies."""
AVX2 = LEVELS["x86_64-avx2"]
ALDER_LAKE = replace(AVX2, cpu="alderlake", features=AVX2.features + ",+avxvnni")
SERVERS = [replace(LEVELS["x86_64-avx512"], cpu=cpu) for cpu in ("znver4", "sapphirerapids")]

needs_vnni = pytest.mark.skipif(not HOST.has("avx512vnni"), reason="this machine has no AVX-512 VNNI")


def product(name: str, arrays: list[Any], n: int, target: Target) -> Lowered:
    dims = {0: ("rows", arrays[0].shape[-1]), 2: ("rows",)}
    tensors = [tensor_of(array, dims.get(index)) for index, array in enumerate(arrays)]
    kind = "packed_grouped_matmul" if len(arrays) == 3 else "packed_matmul"
    op = op_for(kind, tensors, layout=StoredRows(name).name, n=n, exact=False)
    return Lowered(KERNELS[kind], op, tensors, target)


def code_of(name: str, rows: int, target: Target) -> str:
    """The assembler text of a product's last command."""
    x, blocks = (Tensor.dense(tensor_of(array).shape) for array in (np.zeros((rows, 512), np.float32), stored(name)))  # type: ignore[union-attr]
    op = op_for("packed_matmul", [x, blocks], layout=StoredRows(name).name, n=24, exact=False)
    outputs = tuple(Tensor.dense(shape) for shape in op.infer([x.shape, blocks.shape]))
    lowering = KERNELS["packed_matmul"](op, (x, blocks), outputs, target)
    assert isinstance(lowering, Lowering)
    known, module = (x, blocks, *outputs, *lowering.temporaries), Module(target)
    stage = lowering.stages[-1]
    stage.emit(KernelCode(module, "run", [known[i] for i in stage.operands]))
    return assembly(module.text(), target)


def stored(name: str, n: int = 24, k: int = 512) -> Any:
    return interleave_rows(name, random_rows(name, n, k, seed=3))


def rows_of(count: int, k: int) -> Any:
    """Rows with outliers here and there: those have second bytes."""
    x = np.random.default_rng(1).standard_normal((count, k)).astype(np.float32)
    x[1::3, 7] *= 40
    x[2::5, min(200, k - 1)] *= -60
    return x


@pytest.mark.parametrize("target", [*SERVERS, ALDER_LAKE], ids=lambda t: t.cpu)
@pytest.mark.parametrize("name, rows", [("Q4_K", 2), ("Q4_K", 16), ("Q6_K", 16), ("Q4_0", 8)])
def test_products_are_made_of_dot_products(target: Target, name: str, rows: int) -> None:
    text = code_of(name, rows, target)
    assert "vpdpbusd" in text and "vpmaddubsw" not in text


def test_products_of_16_bits_are_as_well() -> None:
    """With 32 registers and with 16. For Intel's CPUs LLVM splits `vpdpwssd` in two again: its latency there is theirs."""
    assert "vpdpwssd" in code_of("Q8_0", 8, SERVERS[0])
    assert "vpmaddwd" in code_of("Q8_0", 8, ALDER_LAKE)


@pytest.mark.parametrize("name", ["Q4_K", "Q8_0"])
def test_without_vnni_there_are_none(name: str) -> None:
    for rows in (1, 16):
        assert "vpdp" not in code_of(name, rows, AVX2)


@needs_vnni
@pytest.mark.parametrize("name", ["Q4_K", "Q6_K", "Q8_0", "Q4_0"])
def test_no_bit_depends_on_the_instructions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compare(name, (1, 2, 5, 8, 9, 30), 768, 41, monkeypatch)


@needs_vnni
@pytest.mark.long
@pytest.mark.parametrize("name", NUMBERS)
def test_no_bit_depends_on_the_instructions_for_any_rows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for k, n in ((256, 8), (1280, 57)):
        compare(name, (*range(1, 34), 64, 127, 128, 129, 131, 300), k, n, monkeypatch)


def compare(name: str, counts: tuple[int, ...], k: int, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors of 64 and of 32 bytes with VNNI give the bits of those without it."""
    monkeypatch.setattr(lowered, "TARGETS", [PLAIN, HALF, HOST])
    x, blocks = rows_of(max(counts), k), stored(name, n, k)
    plain, half, whole = (product(name, [x, blocks], n, target) for target in (PLAIN, HALF, HOST))
    for count in counts:
        wanted = plain.call([x[:count], blocks])[0]
        for made in (half, whole):
            found = made.call([x[:count], blocks])[0]
            np.testing.assert_array_equal(found.view(np.int32), wanted.view(np.int32), f"{count} rows")


@needs_vnni
@pytest.mark.parametrize("name", ["Q6_K", pytest.param("Q8_0", marks=pytest.mark.long)])
def test_rows_of_experts_have_the_same_bits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lowered, "TARGETS", [PLAIN, HALF, HOST])
    x, blocks = rows_of(150, 512), np.stack([stored(name, 21), stored(name, 21)[::-1], stored(name, 21)])
    experts = np.random.default_rng(2).choice(3, 150, p=[0.9, 0.07, 0.03]).astype(np.int32)
    wanted, *others = (
        product(name, [x, blocks, experts], 21, target).call([x, blocks, experts])[0] for target in (PLAIN, HALF, HOST)
    )
    for found in others:
        np.testing.assert_array_equal(found.view(np.int32), wanted.view(np.int32))
