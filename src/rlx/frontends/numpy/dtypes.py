"""Dtypes under NumPy's names, and what is known about them."""

from __future__ import annotations

import builtins
from typing import Any

import ml_dtypes
import numpy as np

from rlx.core import dtype as dtypes
from rlx.core.dtype import DType, DTypeLike, promote
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike
from rlx.ir.emit import literal_dtype
from rlx.ir.op import is_weak

__all__ = [
    "bfloat16", "bool", "bool_", "can_cast", "cdouble", "character", "complex64", "complex128", "complex_", "complexfloating",
    "csingle", "double", "dtype", "finfo", "flexible", "float8_e4m3fn", "float8_e5m2", "float16", "float32", "float64", "float_",
    "floating", "generic", "iinfo", "inexact", "int8", "int16", "int32", "int64", "int_", "integer", "isdtype", "issubdtype",
    "number", "object_", "promote_types", "result_type", "signedinteger", "single", "uint", "uint8", "uint16", "uint32", "uint64",
    "unsignedinteger",
]  # fmt: skip


# the Array API standard's names and NumPy's
bool_ = bool = dtypes.boolean
int8, int16, int32, int64 = dtypes.i8, dtypes.i16, dtypes.i32, dtypes.i64
uint8, uint16, uint32, uint64 = dtypes.u8, dtypes.u16, dtypes.u32, dtypes.u64
float16, float32, float64, bfloat16 = dtypes.f16, dtypes.f32, dtypes.f64, dtypes.bf16
float8_e4m3fn, float8_e5m2 = dtypes.f8e4m3, dtypes.f8e5m2
complex64, complex128 = dtypes.c64, dtypes.c128
int_, uint, float_, complex_ = int32, uint32, float32, complex64  # the defaults, as in JAX
single, double, csingle, cdouble = float32, float64, complex64, complex128

generic, number, inexact, floating, complexfloating = np.generic, np.number, np.inexact, np.floating, np.complexfloating
integer, signedinteger, unsignedinteger = np.integer, np.signedinteger, np.unsignedinteger
flexible, character, object_ = np.flexible, np.character, np.object_
dtype = np.dtype

_DEFAULTS: dict[Any, DType] = {int: int32, float: float32, complex: complex64, builtins.bool: bool_}


def as_dtype(kind: DTypeLike) -> DType:
    """Converts to a dtype of RLX; Python's own types are the defaults i32, f32, c64 and bool."""
    try:
        known = _DEFAULTS.get(kind)
    except TypeError:
        known = None
    return DType.of(kind) if known is None else known


def dtype_of(x: ArrayLike) -> DType:
    """The dtype of an array, a number or a dtype itself."""
    if isinstance(x, (DType, np.dtype, str, type)):
        return as_dtype(x)
    if isinstance(x, builtins.bool):
        return bool_
    if is_weak(x):
        return _DEFAULTS[complex if isinstance(x, complex) else float if isinstance(x, float) else int]
    return DType.of(x.dtype) if hasattr(x, "dtype") else DType.of(np.asarray(x).dtype)


class FloatInfo:
    """What is known about a float dtype: `bits eps max min smallest_normal dtype`, as Python numbers."""

    def __init__(self, kind: DTypeLike | ArrayLike) -> None:
        own = dtype_of(kind)
        info: Any = ml_dtypes.finfo(own.numpy)  # type: ignore[no-untyped-call]
        self.bits = int(info.bits)
        self.eps, self.max, self.min = float(info.eps), float(info.max), float(info.min)
        self.smallest_normal = self.tiny = float(info.smallest_normal)
        self.smallest_subnormal = float(info.smallest_subnormal)
        self.resolution = float(info.resolution)
        self.dtype = np.dtype({"c": f"f{own.size // 2}"}.get(own.numpy.kind, own.numpy))

    def __repr__(self) -> str:
        return f"finfo(max={self.max}, min={self.min}, eps={self.eps}, dtype={self.dtype})"


class IntegerInfo:
    """What is known about an integer dtype: `bits max min dtype`."""

    def __init__(self, kind: DTypeLike | ArrayLike) -> None:
        info = np.iinfo(dtype_of(kind).numpy)  # type: ignore[type-var]
        self.bits, self.max, self.min, self.dtype = info.bits, info.max, info.min, np.dtype(info.dtype)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


def finfo(kind: DTypeLike | ArrayLike) -> FloatInfo:
    """Limits of a float dtype, or of an array's."""
    return FloatInfo(kind)


def iinfo(kind: DTypeLike | ArrayLike) -> IntegerInfo:
    """Limits of an integer dtype, or of an array's."""
    return IntegerInfo(kind)


def result_type(*given: ArrayLike | DTypeLike) -> np.dtype[Any]:
    """The dtype that these have together, by the table of JAX: an integer takes the float's dtype, whatever their sizes.

    >>> result_type(int32, float16), result_type(np.float32(1), 2.0)
    (dtype('float16'), dtype('float32'))
    """
    strong = [dtype_of(x) for x in given if not is_weak(x) or isinstance(x, np.generic)]
    weak = [x for x in given if is_weak(x) and not isinstance(x, np.generic)]
    if not strong:
        return promote(*(dtype_of(x) for x in weak)).numpy
    common = promote(*strong)
    for x in weak:
        common = literal_dtype(x, [common], "value")
    return common.numpy


def promote_types(a: DTypeLike, b: DTypeLike) -> np.dtype[Any]:
    """The common dtype of two."""
    return promote(as_dtype(a), as_dtype(b)).numpy


def can_cast(from_: ArrayLike | DTypeLike, to: DTypeLike, casting: str = "safe") -> builtins.bool:
    """Whether a cast follows from promotion."""
    return np.can_cast(dtype_of(from_).numpy, as_dtype(to).numpy, casting)  # type: ignore[arg-type]


def issubdtype(arg1: Any, arg2: Any) -> builtins.bool:
    """Whether a dtype belongs to a kind, such as `rnp.floating`; bf16 and the 8-bit floats are floats."""
    low = dtype_of(arg1) if not (isinstance(arg1, type) and issubclass(arg1, np.generic)) else arg1
    if isinstance(low, DType) and isinstance(arg2, type) and issubclass(arg2, np.generic):
        if low.numpy.kind == "V" or low in (bfloat16, float8_e4m3fn, float8_e5m2):
            return issubclass(np.floating, arg2)
        return np.issubdtype(low.numpy, arg2)
    first = low.numpy if isinstance(low, DType) else low
    return np.issubdtype(first, arg2.numpy if isinstance(arg2, DType) else arg2)


_KINDS = {
    "bool": ("bool",),
    "signed integer": ("int",),
    "unsigned integer": ("uint",),
    "integral": ("int", "uint"),
    "real floating": ("float", "f8"),
    "complex floating": ("complex",),
    "numeric": ("int", "uint", "float", "f8", "complex"),
}


def isdtype(dtype: DTypeLike, kind: Any) -> builtins.bool:
    """Whether a dtype is another, or of a kind by its name in the Array API standard, or of one of several."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, each) for each in kind)
    if isinstance(kind, str) and kind in _KINDS:
        return as_dtype(dtype).category in _KINDS[kind]
    if isinstance(kind, str) and kind not in dtypes.BY_NAME:
        raise RlxError("RLX109", f"{kind!r} is not a kind of dtypes", fix=f"one of {', '.join(_KINDS)}, or a dtype")
    return as_dtype(dtype) is as_dtype(kind)


# -- what the Array API standard asks a namespace about itself -------------------------------------------------------


__array_api_version__ = "2024.12"
API_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12")

_NAMED = {
    "bool": dtypes.boolean,
    "int8": dtypes.i8,
    "int16": dtypes.i16,
    "int32": dtypes.i32,
    "int64": dtypes.i64,
    "uint8": dtypes.u8,
    "uint16": dtypes.u16,
    "uint32": dtypes.u32,
    "uint64": dtypes.u64,
    "float32": dtypes.f32,
    "float64": dtypes.f64,
    "complex64": dtypes.c64,
    "complex128": dtypes.c128,
}


class NamespaceInfo:
    """Capabilities, dtypes and devices of `rlx.numpy`."""

    def capabilities(self) -> dict[str, Any]:
        """Masks work where their elements are known, and no more than 64 axes are taken."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        """The device of new arrays."""
        return "cpu"

    def devices(self) -> list[str]:
        """Where arrays can be."""
        return ["cpu"]

    def default_dtypes(self, *, device: str | None = None) -> dict[str, Any]:
        """The dtypes of new arrays from Python's numbers."""
        return {"real floating": dtypes.f32, "complex floating": dtypes.c64, "integral": dtypes.i32, "indexing": dtypes.i32}

    def dtypes(self, *, device: str | None = None, kind: Any = None) -> dict[str, Any]:
        """The standard's dtypes by name, of all kinds or some."""
        return {name: dtype for name, dtype in _NAMED.items() if kind is None or isdtype(dtype, kind)}


def __array_namespace_info__() -> NamespaceInfo:
    """What this namespace can do."""
    return NamespaceInfo()
