"""DLPack: arrays of the device for other libraries, and theirs for us, without a copy. The C structures are filled by ctypes."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

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
    """Called by the library that took a capsule, when it is done with the memory."""
    _exported.pop(ctypes.addressof(managed.contents), None)


_DROP = _DELETER(_drop)


def capsule_of(address: int, shape: tuple[int, ...], dtype: DType, device: tuple[int, int], owner: object) -> Any:
    """A capsule for dense memory that `owner` keeps alive. Floats of 8 and 4 bits have no common code: ValueError."""
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
    """Memory of another library, given back with the last one who holds it, once nothing of ours uses it any more."""

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
    """Shape, dtype and memory of another library's array; None where it lies elsewhere, is not dense, or has a dtype we lack.

    What our stream does from now on comes after what the other library has asked for: it is told the stream. `wait` is called before
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
