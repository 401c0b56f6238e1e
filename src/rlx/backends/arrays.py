"""Arrays in the host's memory: what devices use that compute there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from rlx.core.aligned import aligned_copy, aligned_empty
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.sharding import ShardingTable

Array = npt.NDArray[Any]


class HostArrays:
    """NumPy's arrays, from a cache line on."""

    name = "host"
    is_host = True

    def empty(self, dims: Sequence[int], dtype: DType) -> Array:
        """Memory with any content."""
        return aligned_empty(dims, dtype.numpy)

    def upload(self, array: Array) -> Array:
        """A copy that nobody else writes to."""
        return aligned_copy(array)

    def download(self, array: Any) -> Array:
        """The array itself: it is in the host's memory."""
        return np.asarray(array)

    def write(self, target: Array, source: Array) -> None:
        """Copy."""
        np.copyto(target, source)

    def shares(self, first: Array, second: Array) -> bool:
        """Whether their bounds in memory overlap."""
        return np.may_share_memory(first, second)

    def from_dlpack(self, value: Any) -> Array | None:
        """The same memory, if it is the host's and NumPy has its dtype."""
        try:
            return np.from_dlpack(value)
        except Exception:  # the object's own conversion can raise anything
            return None

    def on_mesh(self, table: ShardingTable) -> NoReturn:
        """The host is one device."""
        raise RlxError("RLX403", f"a mesh of {table.mesh.size} devices in the host's memory", fix="device='xla'")
