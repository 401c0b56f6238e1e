"""Tiles: what one operation does, as a loop and, where this machine has AMX, as the instruction."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from rlx.backends.cpu.compile.codegen import compile_object, load_object
from rlx.backends.cpu.emit.builder import Module
from rlx.backends.cpu.emit.tiles import Tiles
from rlx.backends.cpu.emit.values import PTR
from rlx.backends.cpu.target import Target
from tests.backends.cpu.levels import HOST
from tests.backends.cpu.lowered import SIGNATURE

Array = np.ndarray[Any, Any]
LOOPS = replace(HOST, features=HOST.features + ",+amx-tile,+amx-int8,+amx-bf16", tiles_as_loops=True)
KINDS = [LOOPS, *([HOST] if HOST.has_tiles("int8") and HOST.has_tiles("bf16") else [])]
NUMBERS = {"s": np.int8, "u": np.uint8}

targets = pytest.mark.parametrize("target", KINDS, ids=["loops", "instructions"][: len(KINDS)])


def multiplied(target: Target, a: Array, b: Array, c: Array, signs: str = "") -> Array:
    """c + a b with b `[k, 16]`; bytes with signs, else bf16. Rows of a are three bytes of padding apart."""
    depth = a.shape[1] * a.itemsize
    each = 4 // a.itemsize
    stored = np.ascontiguousarray(b.reshape(-1, each, 16).swapaxes(1, 2))
    padded = np.full((16, depth + 3), 0xFF, np.uint8)
    padded[:, :depth] = a.view(np.uint8)
    module = Module(target)
    k = module.kernel("product")
    left, right, total = (k.argument(index, PTR) for index in range(3))
    tiles = Tiles(k, bytes_of_k=depth)
    with tiles.configured():
        tiles.zero(1)
        tiles.load(0, total, 64)
        tiles.load(5, left, depth + 3)
        tiles.load(6, right, 64)
        if signs:
            tiles.dot_bytes(0, 5, 6, *signs)
        else:
            tiles.dot_bf16(0, 5, 6)
        tiles.store(0, total, 64)
    loaded, result = load_object(compile_object(module.text(), target)), c.copy()
    table = np.array([array.ctypes.data for array in (padded, stored, result)], np.int64)
    SIGNATURE(loaded.address("product"))(table.ctypes.data, 0, 1, 0)
    return result


@targets
@pytest.mark.parametrize("signs", ["ss", "su", "us", "uu"])
@pytest.mark.parametrize("depth", [4, 32, 64])
def test_bytes(target: Target, signs: str, depth: int) -> None:
    random = np.random.default_rng(depth)
    a, b = (random.integers(0, 256, dims).astype(np.uint8) for dims in ((16, depth), (depth, 16)))
    c = random.integers(-(1 << 20), 1 << 20, (16, 16)).astype(np.int32)
    wanted = c + a.view(NUMBERS[signs[0]]).astype(np.int32) @ b.view(NUMBERS[signs[1]]).astype(np.int32)
    np.testing.assert_array_equal(multiplied(target, a, b, c, signs), wanted)


@targets
@pytest.mark.parametrize("depth", [2, 32])
def test_bf16(target: Target, depth: int) -> None:
    """Even and odd places of k are summed apart, each product added with one rounding."""
    random = np.random.default_rng(depth)
    a, b = (random.standard_normal(dims).astype(ml_dtypes.bfloat16) for dims in ((16, depth), (depth, 16)))
    c = random.standard_normal((16, 16)).astype(np.float32)
    sums = np.zeros((2, 16, 16), np.float32)
    for place in range(depth):
        exact = a[:, place, None].astype(np.float64) * b[place].astype(np.float64)  # a sum of two f32 in f64 is exact or nearly
        sums[place % 2] = (sums[place % 2] + exact).astype(np.float32)
    found = multiplied(target, a, b, c)
    np.testing.assert_allclose(found, c + (sums[0] + sums[1]), rtol=1e-6, atol=1e-6)
    if target is not LOOPS:
        assert found.tobytes() == multiplied(LOOPS, a, b, c).tobytes()
