"""Panels: the columns of dense matrices in groups as wide as a product's tile."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from rlx.core.dim import Size, ceildiv
from rlx.core.dtype import promote
from rlx.core.shape import Shape
from rlx.ir.op import OPS, Call
from rlx.ir.value import Value
from rlx.layouts.weight_layout import Array, WeightLayout, common_matrix, swap_axes


@dataclass(frozen=True)
class Panels(WeightLayout):
    """`panel<w>`: `[…, K, N]` as `[…, ceil(N/w), K, w]`, zeros past N. `pair<w>`: w/2 columns of each of two matrices in a panel.

    `panel<w>x2`, `pair<w>x2`: two steps of k of a column side by side, for instructions that multiply both; K is even.
    """

    width: int
    sources: int = 1
    steps: int = 1

    @property
    def name(self) -> str:
        return f"{'panel' if self.sources == 1 else 'pair'}{self.width}{'x2' if self.steps == 2 else ''}"

    @staticmethod
    def of_name(name: str) -> Panels | None:
        """The panels of a name; None where it is another layout's."""
        match = re.fullmatch(r"(panel|pair)([1-9]\d*)(x2)?", name)
        if match is None:
            return None
        width, sources = int(match[2]), 1 if match[1] == "panel" else 2
        return Panels(width, sources, 2 if match[3] else 1) if width % sources == 0 else None

    @property
    def each(self) -> int:
        """The number of columns of one matrix in a panel."""
        return self.width // self.sources

    def packed_shape(self, call: Call, *sources: Shape) -> Shape:
        matrix = common_matrix(call, sources)
        *outer, k, n = matrix.dims
        call.check_same(k // self.steps * self.steps, k, f"whole steps of {self.name} and K:")
        return matrix.with_dims((*outer, ceildiv(n, self.each), k, self.width))

    def matrix(self, call: Call, packed: Shape, n: Size) -> tuple[Size, ...]:
        if packed.rank < 3 or packed.dims[-1] != self.width:
            raise call.error("RLX102", f"{packed} is not {self.name}", fix=f"pack makes [..., panels, K, {self.width}]")
        call.check_same(ceildiv(n, self.each), packed.dims[-3], f"panels for {n} columns and panels given,")
        return (*packed.dims[:-3], packed.dims[-2], n)

    def pack(self, *sources: Array) -> Array:
        panels = np.concatenate([self._cut(source) for source in sources], axis=-1)
        *outer, k, width = panels.shape
        return np.swapaxes(panels.reshape(*outer, k // self.steps, self.steps, width), -1, -2).reshape(panels.shape)

    def _cut(self, source: Array) -> Array:
        """Cuts `[…, K, N]` into panels `[…, panels, K, each]`."""
        count = -(-source.shape[-1] // self.each)
        padded = np.zeros((*source.shape[:-1], count * self.each), source.dtype)
        padded[..., : source.shape[-1]] = source
        return np.moveaxis(padded.reshape(*source.shape[:-1], count, self.each), -2, -3)

    def unpack(self, packed: Array, n: int) -> tuple[Array, ...]:
        *outer, k, width = packed.shape
        packed = np.swapaxes(packed.reshape(*outer, k // self.steps, width, self.steps), -1, -2).reshape(packed.shape)
        matrices = []
        for start in range(0, self.width, self.each):
            columns = np.moveaxis(packed[..., start : start + self.each], -3, -2)
            matrices.append(columns.reshape(*columns.shape[:-2], columns.shape[-2] * self.each)[..., :n])
        return tuple(matrices)

    def pack_values(self, *sources: Value) -> Value:
        """Packs sources into panels: pads N to complete panels, puts the panel axis in front of K, and gate and up side by side."""
        dtype = promote(*(source.dtype for source in sources))
        parts = []
        for source in sources:
            columns = source.shape[-1]
            count = ceildiv(columns, self.each)
            none = (0,) * source.rank
            padded = OPS["pad"](source.astype(dtype), low=none, high=(*none[1:], count * self.each - columns))
            parts.append(swap_axes(padded.reshape(*source.shape[:-1], count, self.each), -2, -3))
        joined: Value = OPS["concat"](*parts, axis=-1)
        return self._swap_steps(joined, (self.steps, self.width))

    def unpack_values(self, packed: Value, n: Size) -> tuple[Value, ...]:
        """Unpacks panels: puts the panel axis behind K, and removes the padding."""
        packed, matrices = self._swap_steps(packed, (self.width, self.steps)), []
        for start in range(0, self.width, self.each):
            part = OPS["narrow"](packed, axis=-1, start=start, length=self.each) if self.sources > 1 else packed
            columns = swap_axes(part, -2, -3)
            *outer, count, width = columns.shape
            matrices.append(OPS["narrow"](columns.reshape(*outer, count * width), axis=-1, start=0, length=n))
        return tuple(matrices)

    def _swap_steps(self, panels: Value, order: tuple[int, int]) -> Value:
        """Exchanges steps of k and columns, which are in this order."""
        if self.steps == 1:
            return panels
        *outer, k, _ = panels.shape
        return swap_axes(panels.reshape(*outer, k // self.steps, *order), -1, -2).reshape(*panels.shape)
