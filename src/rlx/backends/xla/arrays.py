"""Arrays of the device `xla`: a `rlx.DeviceArray` whose handle is a jax.Array, which is never changed but replaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax.experimental import multihost_utils
from jax.sharding import NamedSharding, PartitionSpec

from rlx.backends.xla.processes import gathered
from rlx.core.device_array import DeviceArray
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.sharding import Mesh, P, ShardingTable

Array = npt.NDArray[Any]


class XlaArray(DeviceArray):
    """A device array that holds a jax.Array, which is immutable: a write replaces the handle.

    `handle` is None until something was written: a result's memory is XLA's to allocate.
    """

    __slots__ = ()

    def reshape(self, dims: tuple[int, ...]) -> XlaArray:
        """A new device array of the same numbers with other sizes."""
        handle = None if self.handle is None else self.handle.reshape(dims)
        return XlaArray(self.arrays, dims, self.dtype, handle)

    def __dlpack__(self, **options: Any) -> Any:
        return self.handle.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[Any, int]:
        device: tuple[Any, int] = self.handle.__dlpack_device__()
        return device


class XlaArrays:
    """The device arrays of JAX's default devices. Values have their own dtype, 64 bits included."""

    name = "xla"
    is_host = False

    def __init__(self, table: ShardingTable | None = None) -> None:
        self.table = table
        self._mesh = None if table is None else _jax_mesh(table.mesh)
        self.process: int = 0 if table is None else jax.process_index()
        self.processes: int = 1 if table is None else jax.process_count()

    def on_mesh(self, table: ShardingTable) -> XlaArrays:
        """Device arrays over a mesh of JAX's devices, the first of them."""
        return XlaArrays(table)

    def sharding(self, spec: P) -> Any:
        """JAX's sharding for a spec on this mesh."""
        return NamedSharding(self._mesh, PartitionSpec(*spec))

    def cut(self, array: Any, spec: P) -> XlaArray:
        """Shards an array of the host or of a device as a spec says; each device gets its part alone."""
        given = array.handle if isinstance(array, XlaArray) else array
        with jax.enable_x64(True):
            return self.placed(self._put(given, self.sharding(spec)))

    def _put(self, given: Any, sharding: Any) -> Any:
        """Puts an array on the mesh; each process puts its own parts: JAX would compare all of it between them."""
        if self.processes > 1 and isinstance(given, np.ndarray):
            return jax.make_array_from_callback(given.shape, sharding, lambda index: given[index])
        return jax.device_put(given, sharding, may_alias=False)

    def gathered(self, number: int) -> list[int]:
        """Gathers one number from every process, in their order."""
        return gathered(number)

    def pieces(self, array: XlaArray) -> list[tuple[tuple[int, ...], Array]]:
        """The shards of this process, each once: where the shard begins, and a copy of it."""
        shards = []
        for shard in array.handle.addressable_shards:
            if shard.replica_id == 0:
                starts = tuple(part.start or 0 for part in shard.index)
                shards.append((starts, np.array(shard.data)))
        return shards

    def assembled(self, dims: Sequence[int], dtype: DType, spec: P, read: Callable[[tuple[slice, ...]], Array]) -> XlaArray:
        """Assembles a sharded array; each device reads its part alone."""

        def part(index: tuple[slice, ...]) -> Array:
            bounds = (where.indices(size) for where, size in zip(index, dims, strict=True))
            return read(tuple(slice(start, stop) for start, stop, _ in bounds)).astype(dtype.numpy)

        with jax.enable_x64(True):
            return self.placed(jax.make_array_from_callback(tuple(dims), self.sharding(spec), part))

    def empty(self, dims: Sequence[int], dtype: DType) -> XlaArray:
        """An array without memory: the run that fills it allocates its own."""
        return XlaArray(self, tuple(int(size) for size in dims), dtype.numpy, None)

    def placed(self, array: Any) -> XlaArray:
        """Wraps a jax.Array as a device array."""
        return XlaArray(self, tuple(array.shape), np.dtype(array.dtype), array)

    def upload(self, array: Array) -> XlaArray:
        """Copies an array to the device, where nobody else writes to it: XLA on a CPU would alias aligned memory."""
        if self.table is not None:
            return self.cut(array, P())
        with jax.enable_x64(True):
            return self.placed(jnp.array(array, copy=True))

    def download(self, array: XlaArray) -> Array:
        """Copies a device array to host memory."""
        if array.handle is None:
            return np.zeros(array.shape, array.dtype)
        if array.handle.is_fully_addressable or array.handle.is_fully_replicated:
            return np.array(array.handle)
        with jax.enable_x64(True):  # every process asks for it, and gets the parts of the others
            return np.array(multihost_utils.process_allgather(array.handle, tiled=True))

    def write(self, target: XlaArray, source: Any) -> None:
        """Copies into an array, sharded like it: a state's handle is donated to the next run, so no two arrays share one."""
        given = source if isinstance(source, np.ndarray) else source.handle
        with jax.enable_x64(True):
            if self.table is not None and target.handle is not None:
                target.handle = self._put(given, target.handle.sharding)
            else:
                target.handle = jnp.array(given, copy=True)

    def shares(self, first: XlaArray, second: XlaArray) -> bool:
        """Whether two arrays are the same, or hold one jax.Array."""
        return first is second or (first.handle is not None and first.handle is second.handle)

    def from_dlpack(self, value: Any) -> XlaArray | None:
        """Wraps a jax.Array as it is; another library's array where JAX takes it without a copy."""
        try:
            if isinstance(value, jax.Array):
                DType.of(value.dtype)  # RLX has it
                return self.placed(value)
            with jax.enable_x64(True):
                return self.placed(jax.dlpack.from_dlpack(value, copy=False))
        except Exception:  # the object's own conversion can raise anything
            return None


def _jax_mesh(mesh: Mesh) -> Any:
    """JAX's mesh of its first devices."""
    devices = jax.devices()
    if mesh.size > len(devices):
        fix = "a smaller mesh; on a CPU XLA_FLAGS=--xla_force_host_platform_device_count=8 makes 8 virtual devices"
        raise RlxError("RLX406", f"a mesh of {mesh.size} devices, JAX has {len(devices)}", fix=fix)
    if jax.process_count() > 1 and mesh.size != len(devices):
        message = f"a mesh of {mesh.size} devices, the {jax.process_count()} processes have {len(devices)}"
        raise RlxError("RLX406", message, fix="a mesh of all of them")
    return jax.sharding.Mesh(np.array(devices[: mesh.size]).reshape(mesh.shape), mesh.axis_names)


# -- what a program of XLA exchanges between devices, read from its text ---------------------------------------------


_COLLECTIVE = re.compile(r"= (\(.*?\)|\S+) (all-gather|all-reduce|reduce-scatter|all-to-all|collective-permute)(-start)?\(")
_ARRAY = re.compile(r"(\w+?)\[([\d,]*)\]")
_BITS = re.compile(r"\d+")


def collectives_in(text: str) -> dict[str, tuple[int, int]]:
    """Counts the collectives of each kind in a program, and the bytes of their results on a device; joined ones count once."""
    seen: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(text.splitlines()):
        match = _COLLECTIVE.search(line)
        if match is None:
            continue
        arrays = _ARRAY.findall(match[1])
        if match[3] and match[2] != "all-reduce":  # what goes in stands before what comes out, and counters after both
            arrays = [array for array in arrays if array != ("u32", "")]
            arrays = arrays[len(arrays) // 2 :]
        channel = re.search(r"channel_id=(\d+)", line)
        size = sum(_array_bytes(kind, dims) for kind, dims in arrays)
        seen[channel[1] if channel else f"line {number}"] = match[2], size
    totals: dict[str, tuple[int, int]] = {}
    for kind, size in seen.values():
        count, before = totals.get(kind, (0, 0))
        totals[kind] = count + 1, before + size
    return dict(sorted(totals.items()))


def _array_bytes(kind: str, dims: str) -> int:
    bits = _BITS.search(kind)
    size = int(bits[0]) // 8 if bits else 1  # pred
    for part in dims.split(","):
        size *= int(part) if part else 1
    return size
