"""Stored rows: the rows of a GGUF tensor with eight side by side, in the order of `rlx.layouts.block_order`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rlx.core.dim import Size, ceildiv
from rlx.core.dtype import i32, u8
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.emit import constant
from rlx.ir.op import OPS, Call
from rlx.ir.value import Value
from rlx.layouts.block_order import ORDERS, ROWS, bit_sources, interleave_rows, restore_rows
from rlx.layouts.weight_layout import Array, WeightLayout, swap_axes

_PREFIX = f"rows{ROWS}_"


@dataclass(frozen=True)
class StoredRows(WeightLayout):
    """`rows8_<type>`: the bytes of a GGUF tensor's rows `[…, n, bytes]` with eight rows side by side, `[…, ceil(n/8), 8·bytes]`."""

    type_name: str
    """ggml's name of the type."""

    @property
    def name(self) -> str:
        return _PREFIX + str(self.scheme).removeprefix("gguf_")

    @property
    def scheme(self) -> QuantScheme:
        return QuantScheme.gguf(self.type_name)

    @staticmethod
    def of(scheme: QuantScheme) -> StoredRows | None:
        """The stored-rows layout of a scheme; None where products read its rows in the order of the file."""
        return StoredRows(scheme.detail) if scheme.is_gguf() and scheme.detail in ORDERS else None

    @staticmethod
    def of_name(name: str) -> StoredRows | None:
        """The stored rows of a name; None where it is another layout's."""
        return next((layout for layout in map(StoredRows, ORDERS) if layout.name == name), None)

    def packed_shape(self, call: Call, *sources: Shape) -> Shape:
        """The packed shape of rows that consist of complete blocks."""
        (rows,) = sources
        if rows.dtype is not u8 or rows.rank < 2:
            raise call.error("RLX103", f"the rows are {rows}", fix="the tensor's bytes u8[…, n, bytes of a row]")
        size, length = self.scheme.block_bytes(), rows.dims[-1]
        call.check_same(length // size * size, length, "whole blocks and a row:")
        return rows.with_dims((*rows.dims[:-2], ceildiv(rows.dims[-2], ROWS), length * ROWS))

    def matrix(self, call: Call, packed: Shape, n: Size) -> tuple[Size, ...]:
        """The dims of the matrix: a row of the tensor is a column of the matrix."""
        if packed.dtype is not u8 or packed.rank < 2:
            raise call.error("RLX103", f"the packed rows are {packed}", fix=f"what pack makes with the layout {self.name}")
        call.check_same(ceildiv(n, ROWS), packed.dims[-2], "eights of n columns and of the packed rows:")
        size, length = self.scheme.block_bytes() * ROWS, packed.dims[-1]
        call.check_same(length // size * size, length, "whole blocks and eight packed rows:")
        return (*packed.dims[:-2], length // size * self.scheme.block_size(), n)

    def pack(self, *sources: Array) -> Array:
        return interleave_rows(self.type_name, sources[0])

    def unpack(self, packed: Array, n: int) -> tuple[Array, ...]:
        return (restore_rows(self.type_name, packed, n),)

    def pack_values(self, *sources: Value) -> Value:
        """Packs rows: puts eight rows of a block side by side, then moves each bit to its position."""
        (rows,) = sources
        *lead, n, length = rows.shape
        size, groups = self.scheme.block_bytes(), ceildiv(n, ROWS)
        front = (0,) * len(lead)
        padded = OPS["pad"](rows, low=(*front, 0, 0), high=(*front, groups * ROWS - n, 0))
        blocks = swap_axes(padded.reshape(*lead, groups, ROWS, length // size, size), -2, -3)
        moved = _move_bits(blocks.reshape(*lead, groups, length // size, ROWS * size), bit_sources(self.type_name))
        return moved.reshape(*lead, groups, length * ROWS)

    def unpack_values(self, packed: Value, n: Size) -> tuple[Value, ...]:
        """Unpacks rows: moves the bits back, then restores the order of rows."""
        *lead, groups, length = packed.shape
        size, count = self.scheme.block_bytes(), length // (self.scheme.block_bytes() * ROWS)
        back = np.argsort(bit_sources(self.type_name))
        moved = _move_bits(packed.reshape(*lead, groups, count, ROWS * size), back)
        rows = swap_axes(moved.reshape(*lead, groups, count, ROWS, size), -2, -3).reshape(*lead, groups * ROWS, count * size)
        return (OPS["narrow"](rows, axis=-2, start=0, length=n),)


def _move_bits(blocks: Value, sources: Array) -> Value:
    """Permutes bits of the bytes along the last axis: bit i comes from bit `sources[i]`, with one byte per bit in between."""
    shifts = constant(blocks.graph, np.arange(8), blocks.dtype)
    bits = (OPS["shr"](blocks.reshape(*blocks.shape, 1), shifts) & 1).reshape(*blocks.shape[:-1], len(sources))
    gathered = OPS["gather"](bits, constant(blocks.graph, sources, i32), axis=-1).reshape(*blocks.shape, 8)
    bytes_: Value = OPS["reduce_sum"](OPS["shl"](gathered, shifts), axes=-1)
    return bytes_.astype(blocks.dtype)
