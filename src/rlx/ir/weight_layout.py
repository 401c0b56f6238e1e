"""Weight layouts: the orders in memory that devices' products read. What a name means is said by the device that owns it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from rlx.core.dim import Size
from rlx.core.dtype import promote
from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.op import Call
from rlx.ir.value import Value

Array = npt.NDArray[Any]


class WeightLayout:
    """One order of a weight in memory: data movement and padding alone, so that `unpack` gives back every bit.

    The sources are dense matrices `[…, k, n]`, or the rows `[…, n, bytes]` that a scheme stores; `sources` is how many there are.
    """

    name: str
    scheme: QuantScheme | None = None
    sources: int = 1

    @staticmethod
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

    def packed_shape(self, call: Call, *sources: Shape) -> Shape:
        """What `pack` makes of sources of these shapes; errors begin with the call."""
        raise NotImplementedError

    def matrix(self, call: Call, packed: Shape, n: Size) -> tuple[Size, ...]:
        """The dims `[…, k, n]` of each matrix in a packed weight; an error unless the weight has n columns."""
        raise NotImplementedError

    def pack(self, *sources: Array) -> Array:
        """The definition, in NumPy."""
        raise NotImplementedError

    def unpack(self, packed: Array, n: int) -> tuple[Array, ...]:
        """The sources, as they were to the bit."""
        raise NotImplementedError

    def pack_values(self, *sources: Value) -> Value:
        """`pack` by other ops."""
        raise self._not_by_ops()

    def unpack_values(self, packed: Value, n: Size) -> tuple[Value, ...]:
        """`unpack` by other ops."""
        raise self._not_by_ops()

    def _not_by_ops(self) -> RlxError:
        return RlxError("RLX403", f"the layout {self.name} cannot be taken apart by other ops", fix="a device with its kernels")

    def columns(self, source: Shape) -> Size:
        """n, of the shape of a source."""
        return source.dims[-1 if self.scheme is None else -2]


def find_layout(name: str) -> WeightLayout:
    """The layout of a name, from the device that owns it."""
    from rlx.backends.registry import find_layout as owned

    return owned(name)


def layout_attr() -> Attr:
    """The attribute of ops on packed weights."""
    return Attr("tag", parse=lambda text: find_layout(str(text)).name, help="a layout of the device: panel16, pair16, rows8_q4k")
