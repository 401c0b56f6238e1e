"""Rows of the transposed matrix, so that the numbers of a column are contiguous: what products on GPUs read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rlx.core.dim import Size
from rlx.core.dtype import promote
from rlx.core.shape import Shape
from rlx.ir.op import OPS, Call
from rlx.ir.value import Value
from rlx.layouts.weight_layout import Array, WeightLayout, common_matrix, swap_axes


@dataclass(frozen=True)
class TransposedRows(WeightLayout):
    """`rows`: `[…, K, N]` as `[…, N, K]`. `row_pair`: two such matrices that multiply the same left operand, `[…, 2, N, K]`."""

    sources: int = 1

    @property
    def name(self) -> str:
        return "rows" if self.sources == 1 else "row_pair"

    @staticmethod
    def of_name(name: str) -> TransposedRows | None:
        """The transposed rows of a name; None where it is another layout's."""
        return {"rows": TransposedRows(1), "row_pair": TransposedRows(2)}.get(name)

    def packed_shape(self, call: Call, *sources: Shape) -> Shape:
        matrix = common_matrix(call, sources)
        *outer, k, n = matrix.dims
        return matrix.with_dims((*outer, *((2,) if self.sources == 2 else ()), n, k))

    def matrix(self, call: Call, packed: Shape, n: Size) -> tuple[Size, ...]:
        least = 1 + self.sources
        if packed.rank < least or (self.sources == 2 and packed.dims[-3] != 2):
            raise call.error("RLX102", f"{packed} is not {self.name}", fix="pack makes [..., N, K], [..., 2, N, K] of two")
        call.check_same(n, packed.dims[-2], "columns of the weight and rows given,")
        return (*packed.dims[:-least], packed.dims[-1], n)

    def pack(self, *sources: Array) -> Array:
        transposed = [np.swapaxes(source, -1, -2) for source in sources]
        return np.ascontiguousarray(transposed[0] if self.sources == 1 else np.stack(transposed, axis=-3))

    def unpack(self, packed: Array, n: int) -> tuple[Array, ...]:
        parts = (packed,) if self.sources == 1 else (packed[..., 0, :, :], packed[..., 1, :, :])
        return tuple(np.swapaxes(part, -1, -2) for part in parts)

    def pack_values(self, *sources: Value) -> Value:
        """Packs matrices by transposing them, with a new axis for two."""
        dtype = promote(*(source.dtype for source in sources))
        transposed = [swap_axes(source.astype(dtype), -1, -2) for source in sources]
        if self.sources == 1:
            return transposed[0]
        parts = [part.reshape(*part.shape[:-2], 1, *part.shape[-2:]) for part in transposed]
        return OPS["concat"](*parts, axis=parts[0].rank - 3)

    def unpack_values(self, packed: Value, n: Size) -> tuple[Value, ...]:
        if self.sources == 1:
            return (swap_axes(packed, -1, -2),)
        parts = [OPS["narrow"](packed, axis=packed.rank - 3, start=which, length=1) for which in range(2)]
        return tuple(swap_axes(part.reshape(*packed.shape[:-3], *packed.shape[-2:]), -1, -2) for part in parts)
