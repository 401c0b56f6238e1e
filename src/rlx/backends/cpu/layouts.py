"""The orders in which the CPU's products read weights: panels of columns, and rows of blocks side by side. Plain NumPy."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size, ceildiv
from rlx.core.dtype import i32, promote, u8
from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.emit import constant
from rlx.ir.op import OPS, Call
from rlx.ir.value import Value
from rlx.ir.weight_layout import WeightLayout
from rlx.layouts.block_order import ORDERS, ROWS, bit_sources, deinterleaved, interleaved

Array = npt.NDArray[Any]
_ROWS_NAME = f"rows{ROWS}_"


class Panels(WeightLayout):
    """`panel<w>`: `[…, K, N]` as `[…, ceil(N/w), K, w]`, zeros past N. `pair<w>`: w/2 columns of each of two matrices in a panel.

    `panel<w>x2`, `pair<w>x2`: two steps of k of a column side by side, for instructions that multiply both; K is even.
    """

    def __init__(self, width: int, sources: int, steps: int = 1) -> None:
        self.name = f"{'panel' if sources == 1 else 'pair'}{width}{'x2' if steps == 2 else ''}"
        self.width, self.sources, self.steps = width, sources, steps
        self.each = width // sources
        """Columns of one matrix in a panel."""

    def packed_shape(self, call: Call, *sources: Shape) -> Shape:
        """Of matrices of one shape."""
        matrix = self.common_matrix(call, sources)
        *outer, k, n = matrix.dims
        call.check_same(k // self.steps * self.steps, k, f"whole steps of {self.name} and K:")
        return matrix.with_dims((*outer, ceildiv(n, self.each), k, self.width))

    def matrix(self, call: Call, packed: Shape, n: Size) -> tuple[Size, ...]:
        """Of panels `[…, panels, K, w]`."""
        if packed.rank < 3 or packed.dims[-1] != self.width:
            raise call.error("RLX102", f"{packed} is not {self.name}", fix=f"pack makes [..., panels, K, {self.width}]")
        call.check_same(ceildiv(n, self.each), packed.dims[-3], f"panels for {n} columns and panels given,")
        return (*packed.dims[:-3], packed.dims[-2], n)

    def pack(self, *sources: Array) -> Array:
        """Each matrix cut into panels, side by side."""
        panels = np.concatenate([self._cut(source) for source in sources], axis=-1)
        *outer, k, width = panels.shape
        return np.swapaxes(panels.reshape(*outer, k // self.steps, self.steps, width), -1, -2).reshape(panels.shape)

    def _cut(self, source: Array) -> Array:
        count = -(-source.shape[-1] // self.each)
        padded = np.zeros((*source.shape[:-1], count * self.each), source.dtype)
        padded[..., : source.shape[-1]] = source
        return np.moveaxis(padded.reshape(*source.shape[:-1], count, self.each), -2, -3)

    def unpack(self, packed: Array, n: int) -> tuple[Array, ...]:
        """Each matrix put together from its columns."""
        found = []
        *outer, k, width = packed.shape
        packed = np.swapaxes(packed.reshape(*outer, k // self.steps, width, self.steps), -1, -2).reshape(packed.shape)
        for start in range(0, self.width, self.each):
            columns = np.moveaxis(packed[..., start : start + self.each], -3, -2)
            found.append(columns.reshape(*columns.shape[:-2], columns.shape[-2] * self.each)[..., :n])
        return tuple(found)

    def pack_values(self, *sources: Value) -> Value:
        """Zeros to a whole number of panels, then the panel axis in front of K; gate and up side by side."""
        dtype = promote(*(source.dtype for source in sources))
        parts = []
        for source in sources:
            rank, columns = source.rank, source.shape[-1]
            count = ceildiv(columns, self.each)
            after = (*(0,) * (rank - 1), count * self.each - columns)
            padded = OPS["pad"](source.astype(dtype), low=(0,) * rank, high=after)
            cut = padded.reshape(*source.shape[:-1], count, self.each)
            parts.append(cut.transpose(*range(rank - 2), rank - 1, rank - 2, rank))
        joined: Value = OPS["concat"](*parts, axis=-1)
        return self._swapped_steps(joined, (self.steps, self.width))

    def _swapped_steps(self, panels: Value, order: tuple[int, int]) -> Value:
        """Steps of k and columns, which are in this order, the other way around."""
        if self.steps == 1:
            return panels
        *outer, k, _ = panels.shape
        return _swapped_last(panels.reshape(*outer, k // self.steps, *order)).reshape(*panels.shape)

    def unpack_values(self, packed: Value, n: Size) -> tuple[Value, ...]:
        """The panel axis behind K, and the zeros cut off."""
        rank, found = packed.rank, []
        packed = self._swapped_steps(packed, (self.width, self.steps))
        for start in range(0, self.width, self.each):
            part = OPS["narrow"](packed, axis=-1, start=start, length=self.each) if self.sources > 1 else packed
            merged = part.transpose(*range(rank - 3), rank - 2, rank - 3, rank - 1)
            *outer, count, width = merged.shape
            found.append(OPS["narrow"](merged.reshape(*outer, count * width), axis=-1, start=0, length=n))
        return tuple(found)


class StoredRows(WeightLayout):
    """`rows8_<type>`: the bytes of a GGUF tensor's rows `[…, n, bytes]` with eight rows side by side, `[…, ceil(n/8), 8·bytes]`."""

    def __init__(self, scheme: QuantScheme) -> None:
        self.name = _ROWS_NAME + str(scheme).removeprefix("gguf_")
        self.scheme: QuantScheme = scheme

    def packed_shape(self, call: Call, *sources: Shape) -> Shape:
        """Of whole blocks."""
        (rows,) = sources
        if rows.dtype is not u8 or rows.rank < 2:
            raise call.error("RLX103", f"the rows are {rows}", fix="the tensor's bytes u8[…, n, bytes of a row]")
        size, length = self.scheme.block_bytes(), rows.dims[-1]
        call.check_same(length // size * size, length, "whole blocks and a row:")
        return rows.with_dims((*rows.dims[:-2], ceildiv(rows.dims[-2], ROWS), length * ROWS))

    def matrix(self, call: Call, packed: Shape, n: Size) -> tuple[Size, ...]:
        """A row of the tensor is a column of the matrix."""
        if packed.dtype is not u8 or packed.rank < 2:
            raise call.error("RLX103", f"the packed rows are {packed}", fix=f"what pack makes with the layout {self.name}")
        call.check_same(ceildiv(n, ROWS), packed.dims[-2], "eights of n columns and of the packed rows:")
        size, length = self.scheme.block_bytes() * ROWS, packed.dims[-1]
        call.check_same(length // size * size, length, "whole blocks and eight packed rows:")
        return (*packed.dims[:-2], length // size * self.scheme.block_size(), n)

    def pack(self, *sources: Array) -> Array:
        """By the order of the type's blocks."""
        return interleaved(self.scheme.detail, sources[0])

    def unpack(self, packed: Array, n: int) -> tuple[Array, ...]:
        """Bit by bit to where it was."""
        return (deinterleaved(self.scheme.detail, packed, n),)

    def pack_values(self, *sources: Value) -> Value:
        """Eight rows of a block, then its bits to their places."""
        (rows,) = sources
        *lead, n, length = rows.shape
        size, groups = self.scheme.block_bytes(), ceildiv(n, ROWS)
        front = (0,) * len(lead)
        padded = OPS["pad"](rows, low=(*front, 0, 0), high=(*front, groups * ROWS - n, 0))
        blocks = _swapped(padded.reshape(*lead, groups, ROWS, length // size, size))
        moved = _moved_bits(blocks.reshape(*lead, groups, length // size, ROWS * size), bit_sources(self.scheme.detail))
        return moved.reshape(*lead, groups, length * ROWS)

    def unpack_values(self, packed: Value, n: Size) -> tuple[Value, ...]:
        """The bits back, then row by row."""
        *lead, groups, length = packed.shape
        size, count = self.scheme.block_bytes(), length // (self.scheme.block_bytes() * ROWS)
        back = np.argsort(bit_sources(self.scheme.detail))
        moved = _moved_bits(packed.reshape(*lead, groups, count, ROWS * size), back)
        rows = _swapped(moved.reshape(*lead, groups, count, ROWS, size)).reshape(*lead, groups * ROWS, count * size)
        return (OPS["narrow"](rows, axis=-2, start=0, length=n),)


def _swapped(blocks: Value) -> Value:
    """The two axes before the last one exchanged."""
    *lead, second, third, last = range(blocks.rank)
    return blocks.transpose(*lead, third, second, last)


def _swapped_last(values: Value) -> Value:
    """The last two axes exchanged."""
    *lead, second, last = range(values.rank)
    return values.transpose(*lead, last, second)


def _moved_bits(blocks: Value, sources: Array) -> Value:
    """Bit i of the bytes along the last axis is what bit `sources[i]` was: every bit a byte of its own in between."""
    places = constant(blocks.graph, np.arange(8), blocks.dtype)
    bits = (OPS["shr"](blocks.reshape(*blocks.shape, 1), places) & 1).reshape(*blocks.shape[:-1], len(sources))
    taken = OPS["gather"](bits, constant(blocks.graph, sources, i32), axis=-1).reshape(*blocks.shape, 8)
    bytes_: Value = OPS["reduce_sum"](OPS["shl"](taken, places), axes=-1)
    return bytes_.astype(blocks.dtype)


@lru_cache(maxsize=256)
def layout_named(name: str) -> WeightLayout | None:
    """What a name means on the CPU."""
    panels = re.fullmatch(r"(panel|pair)([1-9]\d*)(x2)?", name)
    if panels is not None:
        width, sources = int(panels[2]), 1 if panels[1] == "panel" else 2
        return Panels(width, sources, 2 if panels[3] else 1) if width % sources == 0 else None
    if not name.startswith(_ROWS_NAME):
        return None
    try:
        return stored_rows(QuantScheme.parse("gguf_" + name.removeprefix(_ROWS_NAME)))
    except RlxError:
        return None


def stored_rows(scheme: QuantScheme) -> StoredRows | None:
    """The layout of a scheme's rows; None where products read them in the order of the file."""
    return StoredRows(scheme) if scheme.is_gguf() and scheme.detail in ORDERS else None
