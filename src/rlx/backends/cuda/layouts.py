"""The order in which the GPU's products read weights: rows of the transposed matrix, so that a column's numbers lie side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size
from rlx.core.dtype import promote
from rlx.core.shape import Shape
from rlx.ir.op import OPS, Call
from rlx.ir.value import Value
from rlx.ir.weight_layout import WeightLayout

Array = npt.NDArray[Any]


class TransposedRows(WeightLayout):
    """`rows`: `[…, K, N]` as `[…, N, K]`. `row_pair`: two such matrices that multiply the same left operand, `[…, 2, N, K]`."""

    def __init__(self, sources: int) -> None:
        self.name = "rows" if sources == 1 else "row_pair"
        self.sources = sources

    def packed_shape(self, call: Call, *sources: Shape) -> Shape:
        """Of matrices of one shape."""
        matrix = self.common_matrix(call, sources)
        *outer, k, n = matrix.dims
        return matrix.with_dims((*outer, *((2,) if self.sources == 2 else ()), n, k))

    def matrix(self, call: Call, packed: Shape, n: Size) -> tuple[Size, ...]:
        """Of `[…, N, K]`."""
        least = 1 + self.sources
        if packed.rank < least or (self.sources == 2 and packed.dims[-3] != 2):
            raise call.error("RLX102", f"{packed} is not {self.name}", fix="pack makes [..., N, K], [..., 2, N, K] of two")
        call.check_same(n, packed.dims[-2], "columns of the weight and rows given,")
        return (*packed.dims[:-least], packed.dims[-1], n)

    def pack(self, *sources: Array) -> Array:
        """Transposed, one behind the other."""
        turned = [np.swapaxes(source, -1, -2) for source in sources]
        return np.ascontiguousarray(turned[0] if self.sources == 1 else np.stack(turned, axis=-3))

    def unpack(self, packed: Array, n: int) -> tuple[Array, ...]:
        """Transposed back."""
        parts = (packed,) if self.sources == 1 else (packed[..., 0, :, :], packed[..., 1, :, :])
        return tuple(np.swapaxes(part, -1, -2) for part in parts)

    def pack_values(self, *sources: Value) -> Value:
        """By transposing, and a new axis for two."""
        dtype = promote(*(source.dtype for source in sources))
        turned = [_swapped(source.astype(dtype)) for source in sources]
        if self.sources == 1:
            return turned[0]
        parts = [part.reshape(*part.shape[:-2], 1, *part.shape[-2:]) for part in turned]
        joined: Value = OPS["concat"](*parts, axis=parts[0].rank - 3)
        return joined

    def unpack_values(self, packed: Value, n: Size) -> tuple[Value, ...]:
        """The same back."""
        if self.sources == 1:
            return (_swapped(packed),)
        found = []
        for which in range(2):
            one = OPS["narrow"](packed, axis=packed.rank - 3, start=which, length=1)
            found.append(_swapped(one.reshape(*packed.shape[:-3], *packed.shape[-2:])))
        return tuple(found)


def _swapped(x: Value) -> Value:
    """The last two axes exchanged."""
    *lead, second, last = range(x.rank)
    return x.transpose(*lead, last, second)


_LAYOUTS = {layout.name: layout for layout in (TransposedRows(1), TransposedRows(2))}


def layout_named(name: str) -> WeightLayout | None:
    """What a name means on the GPU."""
    return _LAYOUTS.get(name)
