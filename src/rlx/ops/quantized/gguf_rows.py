"""Rows of ggml blocks as NumPy arrays: the formulas of `gguf_blocks` for many blocks at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.quant_scheme import QuantScheme
from rlx.ops.quantized.gguf_blocks import ELEMENTS, Table

Array = npt.NDArray[Any]


class ArrayBlock:
    """Blocks as rows of bytes; every place is read from all of them at once."""

    def __init__(self, rows: Array) -> None:
        self.rows = rows

    def u8(self, place: Any) -> Array:
        """The byte at a place, 0 to 255."""
        return self.rows[:, np.atleast_1d(place)].astype(np.int64)

    def i8(self, place: Any) -> Array:
        """The byte at a place, -128 to 127."""
        return np.asarray(self.rows[:, np.atleast_1d(place)].view(np.int8).astype(np.int64))

    def u16(self, place: Any) -> Array:
        """Two bytes, the low one first."""
        return np.asarray(self.u8(place) | self.u8(place + 1) << 8)

    def f16(self, place: Any) -> Array:
        """An f16 as an f32."""
        return self.half(self.u16(place))

    def f32(self, place: Any) -> Array:
        """An f32."""
        return self.power(self.u16(place) | self.u16(place + 2) << 16)

    def half(self, bits: Array) -> Array:
        """The f16 with these bits, as an f32."""
        return bits.astype(np.uint16).view(np.float16).astype(np.float32)

    def power(self, exponent: Array) -> Array:
        """The f32 with these bits."""
        return exponent.astype(np.uint32).view(np.float32)

    def real(self, integer: Array) -> Array:
        """An integer as an f32."""
        return np.asarray(integer).astype(np.float32)

    def flag(self, condition: Any) -> Any:
        """1 where a comparison holds, else 0."""
        return np.asarray(condition).astype(np.int64)

    def table(self, table: Table, index: Array) -> Array:
        """An entry of a table."""
        return np.asarray(np.asarray(table.values, np.int64)[index])


def dequantize_rows(name: str, rows: Array) -> Array:
    """The numbers in the bytes of a tensor, `[…, bytes of a row]` to f32 `[…, elements of a row]`."""
    scheme = QuantScheme.gguf(name)
    size, count = scheme.block_bytes(), scheme.block_size()
    blocks = np.ascontiguousarray(rows, np.uint8).reshape(-1, size)
    with np.errstate(all="ignore"):
        found = ELEMENTS[name](ArrayBlock(blocks), np.arange(count))
    found = np.broadcast_to(found, (blocks.shape[0], count)).astype(np.float32)
    return found.reshape(*rows.shape[:-1], rows.shape[-1] // size * count)


_SCALE_PLACES: dict[str, Sequence[int]] = {
    "Q4_1": (0, 2),
    "Q5_1": (0, 2),
    "Q4_K": (0, 2),
    "Q5_K": (0, 2),
    "Q2_K": (80, 82),
    "Q3_K": (108,),
    "Q6_K": (208,),
    "TQ1_0": (52,),
    "TQ2_0": (64,),
}


def random_rows(name: str, *dims: int, seed: int = 0) -> Array:
    """Bytes for `dims` numbers whose scales are of ordinary size: what tests and cases read."""
    scheme, random = QuantScheme.gguf(name), np.random.default_rng(seed)
    if name in ("F16", "BF16"):
        numbers = random.standard_normal(dims).astype(np.float32)
        low = numbers.astype(np.float16).view(np.uint16) if name == "F16" else numbers.view(np.uint32) >> 16
        return low.astype("<u2").view(np.uint8).reshape(*dims[:-1], dims[-1] * 2)
    blocks = random.integers(0, 256, (*dims[:-1], dims[-1] // scheme.block_size(), scheme.block_bytes()), np.uint8)

    def put(place: int, numbers: Array) -> None:
        stored = np.ascontiguousarray(numbers)[..., None].view(np.uint8)
        blocks[..., place : place + stored.shape[-1]] = stored

    scales = random.uniform(0.001, 0.01, blocks.shape[:-1]) * random.choice([-1, 1], blocks.shape[:-1])
    if name == "Q8_K":
        put(0, scales.astype("<f4"))
    elif name == "MXFP4":
        blocks[..., 0] = random.integers(118, 128, blocks.shape[:-1])
    elif name == "IQ1_M":  # four nibbles of the scale stand at the top of four words
        bits = scales.astype(np.float16).view(np.uint16)
        for place in range(4):
            blocks[..., 49 + 2 * place] = blocks[..., 49 + 2 * place] & 15 | (bits >> (4 * place) & 15) << 4
    else:
        for place in _SCALE_PLACES.get(name, (0,)):
            put(place, scales.astype("<f2"))
    return blocks.reshape(*dims[:-1], blocks.shape[-2] * blocks.shape[-1])
