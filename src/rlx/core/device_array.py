"""Arrays in the memory of a device: what runs on such a device return, and take without a copy."""

from __future__ import annotations

import math
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DType

Array = npt.NDArray[Any]


class DeviceMemory(Protocol):
    """The device operations that a `DeviceArray` calls; `rlx.backends.base.DeviceArrays` is the full interface."""

    name: str

    def empty(self, dims: tuple[int, ...], dtype: DType) -> Any: ...
    def download(self, array: Any) -> Array: ...
    def write(self, target: Any, source: Any) -> None: ...


class DeviceArray:
    """A dense array in device memory; `handle` is the device's own object, and keeps the memory alive.

    Runs on such a device return these and take them as inputs, so a loop that feeds results back moves nothing. `download()`,
    `np.asarray(array)`, `float(array)` copy to the host, each time they are called. `exe.session.to_device(array)` makes one.

    >>> y = exe.run({"x": x})["y"]  # doctest: +SKIP
    >>> y = exe.run({"x": y})["y"]  # doctest: +SKIP
    >>> y, np.asarray(y)  # doctest: +SKIP
    (<DeviceArray f32[2] on cuda>, array([4., 8.], dtype=float32))
    """

    __slots__ = ("__weakref__", "arrays", "dtype", "handle", "shape")

    def __init__(self, arrays: DeviceMemory, shape: tuple[int, ...], dtype: np.dtype[Any], handle: Any) -> None:
        self.arrays, self.shape, self.dtype, self.handle = arrays, shape, dtype, handle

    @property
    def device(self) -> str:
        """The name of its device."""
        return self.arrays.name

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """The number of bytes."""
        return self.size * self.dtype.itemsize

    def download(self) -> Array:
        """Copies the array to host memory."""
        return self.arrays.download(self)

    def copy(self) -> DeviceArray:
        """Copies the array on its device."""
        made: DeviceArray = self.arrays.empty(self.shape, DType.of(self.dtype))
        self.arrays.write(made, self)
        return made

    def reshape(self, dims: tuple[int, ...]) -> Self:
        """Returns the same device memory with other dims."""
        return type(self)(self.arrays, dims, self.dtype, self.handle)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError(f"an array on {self.device!r} is copied to be a NumPy array")
        array = self.download()
        return array if dtype is None else array.astype(dtype, copy=False)

    def __float__(self) -> float:
        return float(self.download())

    def __int__(self) -> int:
        return int(self.download())

    def __bool__(self) -> bool:
        return bool(self.download())

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array of rank 0 has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<DeviceArray {DType.of(self.dtype)}{list(self.shape)} on {self.device}>"


def on_host(array: Any) -> Array:
    """Returns a host array as it is, a device array as a copy in host memory.

    >>> on_host(np.arange(3))
    array([0, 1, 2])
    """
    return array.download() if isinstance(array, DeviceArray) else array


def host_copy(array: Any) -> Array:
    """Copies an array to host memory, from the host or a device.

    >>> host_copy(np.arange(3))
    array([0, 1, 2])
    """
    return array.download() if isinstance(array, DeviceArray) else array.copy()
