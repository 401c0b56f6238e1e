"""What a weight layout is: one order of a weight in memory, as a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from rlx.core.dim import Size
from rlx.core.dtype import promote
from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.op import Call
from rlx.ir.value import Value

Array = npt.NDArray[Any]


class WeightLayout:
    """One order of a weight in memory: data movement and padding alone, so that `unpack` gives back every bit.

    The sources are dense matrices `[…, k, n]`, or the rows `[…, n, bytes]` that a scheme stores. Layouts are immutable values, which
    compare by what they hold, and print as their names.
    """

    @property
    def name(self) -> str:
        """The layout's name in texts; `rlx.layouts.table.parse_layout` reads it."""
        raise NotImplementedError

    @property
    def sources(self) -> int:
        """The number of weights that are packed together."""
        return 1

    @property
    def scheme(self) -> QuantScheme | None:
        """The quantization scheme whose stored rows the layout orders; None: dense matrices."""
        return None

    def __str__(self) -> str:
        return self.name

    def packed_shape(self, call: Call, *sources: Shape) -> Shape:
        """The packed shape of sources of these shapes; errors begin with the call."""
        raise NotImplementedError

    def matrix(self, call: Call, packed: Shape, n: Size) -> tuple[Size, ...]:
        """The dims `[…, k, n]` of each matrix in a packed weight; an error unless the weight has n columns."""
        raise NotImplementedError

    def pack(self, *sources: Array) -> Array:
        """Packs the sources in NumPy: the definition of the layout."""
        raise NotImplementedError

    def unpack(self, packed: Array, n: int) -> tuple[Array, ...]:
        """Unpacks the sources, bit-exact."""
        raise NotImplementedError

    def pack_values(self, *sources: Value) -> Value:
        """Packs the sources by other ops."""
        raise self._not_by_ops()

    def unpack_values(self, packed: Value, n: Size) -> tuple[Value, ...]:
        """Unpacks the sources by other ops."""
        raise self._not_by_ops()

    def _not_by_ops(self) -> RlxError:
        return RlxError("RLX403", f"the layout {self.name} cannot be taken apart by other ops", fix="a device with its kernels")

    def columns(self, source: Shape) -> Size:
        """The number of columns n in the shape of a source."""
        return source.dims[-1 if self.scheme is None else -2]


def common_matrix(call: Call, sources: Sequence[Shape]) -> Shape:
    """The one shape `[…, K, N]` that dense sources must have, in the dtype they promote to."""
    first = sources[0]
    if first.rank < 2:
        raise call.error("RLX102", f"rank {first.rank} is not a matrix", fix="pack takes [..., K, N]")
    for other in sources[1:]:
        if other.rank != first.rank:
            raise call.error("RLX102", f"ranks {first.rank} and {other.rank} differ")
        for axis in range(first.rank):
            call.check_same(first.dims[axis], other.dims[axis], f"sizes at axis {axis}")
    return Shape.make(first.dims, promote(*(shape.dtype for shape in sources)))


def swap_axes(x: Value, first: int, second: int) -> Value:
    """Exchanges two axes of a value."""
    order = list(range(x.rank))
    order[first], order[second] = order[second], order[first]
    return x.transpose(*order)
