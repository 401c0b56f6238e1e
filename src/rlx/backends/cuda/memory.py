"""Arrays in the memory of a GPU: handles that free their memory with the last one who holds them."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.backends.base import Array
from rlx.backends.cuda.dlpack import capsule_of, imported
from rlx.backends.cuda.driver_interface import Driver
from rlx.backends.cuda.kernel_data import ALIGNMENT
from rlx.core.device_array import DeviceArray
from rlx.core.dtype import DType


class DeviceBytes:
    """Memory of the device; freed with its last holder."""

    __slots__ = ("__weakref__", "address", "driver", "keeps", "size")

    def __init__(self, driver: Driver, size: int, what: str) -> None:
        self.address = 0
        self.driver, self.size, self.keeps = driver, size, None
        self.address = driver.allocate(max(size, 1), what)

    def __del__(self) -> None:
        if self.address and not sys.is_finalizing():
            self.driver.free(self.address)


class _Lent:
    """Memory that another library reads or writes: it is ours again when everything on the device is done."""

    def __init__(self, driver: Driver, memory: object) -> None:
        self.driver, self.memory = driver, memory

    def __del__(self) -> None:
        if not sys.is_finalizing():
            self.driver.finish()


def address_in(array: DeviceArray) -> int:
    """Where an array of this device begins."""
    return int(array.handle.address)


class CudaArray(DeviceArray):
    """An array of the device that other libraries can read in place, by DLPack."""

    __slots__ = ()

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
        """A capsule; everything that writes the array is done by then."""
        arrays = self.arrays
        assert isinstance(arrays, CudaArrays)
        arrays.driver.synchronize()
        driver, owner = arrays.driver, _Lent(arrays.driver, self.handle)
        return capsule_of(address_in(self), self.shape, DType.of(self.dtype), driver.dlpack_device, owner)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The kind of device and its number."""
        arrays = self.arrays
        assert isinstance(arrays, CudaArrays)
        return arrays.driver.dlpack_device


class CudaArrays:
    """Makes arrays on the device and copies to and from them."""

    name = "cuda"
    is_host = False

    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    def empty(self, dims: Sequence[int], dtype: DType) -> DeviceArray:
        """Memory with any content."""
        shape = tuple(int(size) for size in dims)
        size = math.prod(shape) * dtype.numpy.itemsize
        return CudaArray(self, shape, dtype.numpy, DeviceBytes(self.driver, size, f"an array {dtype}{list(shape)}"))

    def upload(self, array: Array) -> DeviceArray:
        """A copy on the device."""
        made = self.empty(array.shape, DType.of(array.dtype))
        self.driver.write(address_in(made), np.ascontiguousarray(array))
        return made

    def download(self, array: Any) -> Array:
        """A copy in host memory, after every run asked for so far."""
        found = np.empty(array.shape, array.dtype)
        self.driver.read(address_in(array), found)
        return found

    def write(self, target: Any, source: Any) -> None:
        """Copy into an array: another of the device's, or one of the host's."""
        if isinstance(source, DeviceArray):
            self.driver.copy(address_in(target), address_in(source), target.nbytes)
        else:
            self.driver.write(address_in(target), np.ascontiguousarray(source))

    def shares(self, first: Any, second: Any) -> bool:
        """Whether their memory overlaps."""
        a, b = address_in(first), address_in(second)
        return bool(a < b + second.nbytes and b < a + first.nbytes)

    def from_dlpack(self, value: Any) -> DeviceArray | None:
        """Another library's array in this memory, without a copy."""
        driver = self.driver
        found = imported(value, driver.dlpack_device, ALIGNMENT, driver.stream_handle, driver.synchronize)
        if found is None:
            return None
        shape, dtype, memory = found
        return CudaArray(self, shape, dtype.numpy, memory)
