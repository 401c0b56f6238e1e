"""Arrays in the memory of a GPU: handles that free their memory with the last one who holds them.

By DLPack other libraries read them in place, and we theirs; the C structures are filled by ctypes.
"""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.backends.base import Array
from rlx.backends.cuda.driver_interface import Driver
from rlx.backends.cuda.kernel_data import ALIGNMENT
from rlx.core.device_array import DeviceArray
from rlx.core.dtype import BY_NAME, DType

_KINDS = {"int": 0, "uint": 1, "float": 2, "complex": 5, "bool": 6}
_BF16 = 4


class _Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class _ElementType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("rank", ctypes.c_int32),
        ("dtype", _ElementType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    pass


_DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _DELETER))

_NAME, _USED = b"dltensor", b"used_dltensor"
_exported: dict[int, tuple[Any, ...]] = {}
"""What capsules given out keep alive, by the address of their structure."""

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
_rename = ctypes.pythonapi.PyCapsule_SetName
_rename.restype, _rename.argtypes = ctypes.c_int, (ctypes.py_object, ctypes.c_char_p)


def _drop(managed: Any) -> None:
    """DLPack deleter: called by the consumer of a capsule when it is done with the memory."""
    _exported.pop(ctypes.addressof(managed.contents), None)


_DROP = _DELETER(_drop)


def capsule_of(address: int, shape: tuple[int, ...], dtype: DType, device: tuple[int, int], owner: object) -> Any:
    """A DLPack capsule for dense memory that `owner` keeps alive. Floats of 8 and 4 bits have no common code: ValueError."""
    code = _BF16 if dtype.name == "bf16" else _KINDS.get(dtype.category)
    if code is None:
        raise ValueError(f"DLPack has no type for {dtype}")
    dims = (ctypes.c_int64 * max(len(shape), 1))(*shape)
    managed = _Managed()
    managed.tensor = _Tensor(address, _Device(*device), len(shape), _ElementType(code, 8 * dtype.size, 1), dims, None, 0)
    managed.deleter = _DROP
    where = ctypes.addressof(managed)
    _exported[where] = (managed, dims, owner)
    return _new(where, _NAME, None)


class Imported:
    """Memory imported by DLPack, released with its last holder, once no submitted work uses it."""

    __slots__ = ("__weakref__", "_managed", "_wait", "address", "size")

    def __init__(self, managed: Any, address: int, size: int, wait: Callable[[], None]) -> None:
        self._managed, self.address, self.size, self._wait = managed, address, size, wait

    def __del__(self) -> None:
        if self._managed.contents.deleter:
            self._wait()
            self._managed.contents.deleter(self._managed)


def imported(
    value: Any, device: tuple[int, int], alignment: int, stream: int | None, wait: Callable[[], None]
) -> tuple[tuple[int, ...], DType, Imported] | None:
    """Imports shape, dtype and memory by DLPack; None if it is elsewhere, not dense, or of a dtype RLX lacks.

    Later work of our stream comes after what the other library has submitted: it is told the stream. `wait` is called before
    the memory goes back.
    """
    kind, number = value.__dlpack_device__()
    if (int(kind), int(number)) != device:
        return None
    capsule = value.__dlpack__() if stream is None else value.__dlpack__(stream=stream)
    managed = ctypes.cast(_pointer(capsule, _NAME), ctypes.POINTER(_Managed))
    _rename(capsule, _USED)  # from here on the memory is ours to give back
    tensor = managed.contents.tensor
    shape = tuple(tensor.shape[axis] for axis in range(tensor.rank))
    dtype = _dtype_of(tensor.dtype)
    address = int(tensor.data or 0) + int(tensor.byte_offset)
    found = Imported(managed, address, 0 if dtype is None else math.prod(shape) * dtype.size, wait)
    if dtype is None or not _is_dense(tensor, shape) or address % alignment:
        return None
    return shape, dtype, found


def _dtype_of(kind: Any) -> DType | None:
    if kind.lanes != 1:
        return None
    if kind.code == _BF16:
        return BY_NAME["bf16"] if kind.bits == 16 else None
    for dtype in BY_NAME.values():
        if _KINDS.get(dtype.category) == kind.code and 8 * dtype.size == kind.bits and dtype.name != "bf16":
            return dtype
    return None


def _is_dense(tensor: Any, shape: tuple[int, ...]) -> bool:
    if not tensor.strides:
        return True
    step = 1
    for axis in range(len(shape) - 1, -1, -1):
        if shape[axis] != 1 and tensor.strides[axis] != step:
            return 0 in shape
        step *= shape[axis]
    return True


class DeviceBytes:
    """An allocation of device memory; freed with its last holder."""

    __slots__ = ("__weakref__", "address", "driver", "keeps", "size")

    def __init__(self, driver: Driver, size: int, what: str) -> None:
        self.address = 0
        self.driver, self.size, self.keeps = driver, size, None
        self.address = driver.allocate(max(size, 1), what)

    def __del__(self) -> None:
        if self.address and not sys.is_finalizing():
            self.driver.free(self.address)


class _Lent:
    """Memory exported to another library, which may use it: free again when everything on the device is done."""

    def __init__(self, driver: Driver, memory: object) -> None:
        self.driver, self.memory = driver, memory

    def __del__(self) -> None:
        if not sys.is_finalizing():
            self.driver.finish()


def address_in(array: DeviceArray) -> int:
    """The device address of an array."""
    return int(array.handle.address)


class CudaArray(DeviceArray):
    """A CUDA array that other libraries can read in place, by DLPack."""

    __slots__ = ()

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
        """Exports a DLPack capsule; everything that writes the array is done by then."""
        arrays = self.arrays
        assert isinstance(arrays, CudaArrays)
        arrays.driver.synchronize()
        driver, owner = arrays.driver, _Lent(arrays.driver, self.handle)
        return capsule_of(address_in(self), self.shape, DType.of(self.dtype), driver.dlpack_device, owner)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The DLPack device: its kind and number."""
        arrays = self.arrays
        assert isinstance(arrays, CudaArrays)
        return arrays.driver.dlpack_device


class CudaArrays:
    """Allocates arrays on the CUDA device and copies to and from them."""

    name = "cuda"
    is_host = False

    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    def empty(self, dims: Sequence[int], dtype: DType) -> DeviceArray:
        """A device array with any content."""
        shape = tuple(int(size) for size in dims)
        size = math.prod(shape) * dtype.numpy.itemsize
        return CudaArray(self, shape, dtype.numpy, DeviceBytes(self.driver, size, f"an array {dtype}{list(shape)}"))

    def upload(self, array: Array) -> DeviceArray:
        """Copies an array to the CUDA device."""
        made = self.empty(array.shape, DType.of(array.dtype))
        self.driver.write(address_in(made), np.ascontiguousarray(array))
        return made

    def download(self, array: Any) -> Array:
        """Copies an array to host memory, after every run submitted so far."""
        found = np.empty(array.shape, array.dtype)
        self.driver.read(address_in(array), found)
        return found

    def write(self, target: Any, source: Any) -> None:
        """Copies into a CUDA array: from another of the device's, or one of the host's."""
        if isinstance(source, DeviceArray):
            self.driver.copy(address_in(target), address_in(source), target.nbytes)
        else:
            self.driver.write(address_in(target), np.ascontiguousarray(source))

    def shares(self, first: Any, second: Any) -> bool:
        """Whether the device memory of two arrays overlaps."""
        a, b = address_in(first), address_in(second)
        return bool(a < b + second.nbytes and b < a + first.nbytes)

    def from_dlpack(self, value: Any) -> DeviceArray | None:
        """Wraps another library's array in this memory, without a copy."""
        driver = self.driver
        found = imported(value, driver.dlpack_device, ALIGNMENT, driver.stream_handle, driver.synchronize)
        if found is None:
            return None
        shape, dtype, memory = found
        return CudaArray(self, shape, dtype.numpy, memory)
