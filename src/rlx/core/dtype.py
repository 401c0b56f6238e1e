"""Element types and the one promotion table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import ml_dtypes
import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError

if TYPE_CHECKING:
    from rlx.ir.array_methods import Array


@dataclass(frozen=True, eq=False)
class DType:
    """An element type, one object per type. It equals NumPy's dtype, and NumPy accepts it as a dtype. Called, it casts.

    >>> DType.of("bf16").bits, str(DType.of(np.float32)), DType.of("f32") == np.float32
    (16, 'f32', True)
    """

    name: str
    numpy: np.dtype[np.generic]
    category: str  # "bool", "int", "uint", "float", "f8" (8 or 4 bits, storage only), "complex"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, np.dtype):
            return bool(other == self.numpy)
        if isinstance(other, str) and other in BY_NAME:
            return self is BY_NAME[other]
        if isinstance(other, (str, type)):
            try:
                return bool(np.dtype(other) == self.numpy)
            except (TypeError, ValueError, SyntaxError):  # NumPy reads more than names in a string
                return False
        return self is other

    def __hash__(self) -> int:
        return hash(self.numpy)

    def __call__(self, x: Any) -> Array:
        """An array, or a Value, cast to this dtype."""
        from rlx.frontends.numpy import asarray

        return asarray(x, dtype=self)

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """NumPy's dtype; by this attribute NumPy accepts a DType as a dtype."""
        return self.numpy

    @property
    def size(self) -> int:
        """Bytes per element."""
        return self.numpy.itemsize

    itemsize = size

    @property
    def bits(self) -> int:
        """Bits per element in memory: a bool takes 8, and so does an f4e2m1, which uses the low four."""
        return 8 * self.size

    @property
    def is_float(self) -> bool:
        """Whether ops compute with it as a float (not of 8 or 4 bits)."""
        return self.category == "float"

    @property
    def is_low_float(self) -> bool:
        """Whether it is f16 or bf16: stored in 16 bits, computed in f32."""
        return self.category == "float" and self.size == 2

    @property
    def is_integer(self) -> bool:
        """Whether it is a signed or unsigned integer; bool is neither."""
        return self.category in ("int", "uint")

    @property
    def is_bool(self) -> bool:
        """Whether it is bool, the dtype of masks."""
        return self.category == "bool"

    @property
    def is_complex(self) -> bool:
        """Whether it is c64 or c128."""
        return self.category == "complex"

    @property
    def compute(self) -> DType:
        """The dtype that arithmetic runs in: f32 for f16 and bf16, itself otherwise."""
        return f32 if self.is_low_float else self

    @staticmethod
    def of(kind: DTypeLike) -> DType:
        """The DType for a name, a NumPy dtype or scalar type, or a DType."""
        if isinstance(kind, DType):
            return kind
        if isinstance(kind, str) and kind in BY_NAME:
            return BY_NAME[kind]
        try:
            return _BY_NUMPY[np.dtype(kind)]
        except (TypeError, KeyError):
            names = " ".join(BY_NAME)
            raise RlxError("RLX103", f"{kind!r} is not a dtype of RLX", fix=f"one of: {names}") from None

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return DType.of, (self.name,)


DTypeLike: TypeAlias = "DType | str | npt.DTypeLike"

f64 = DType("f64", np.dtype(np.float64), "float")
f32 = DType("f32", np.dtype(np.float32), "float")
f16 = DType("f16", np.dtype(np.float16), "float")
bf16 = DType("bf16", np.dtype(ml_dtypes.bfloat16), "float")
f8e4m3 = DType("f8e4m3", np.dtype(ml_dtypes.float8_e4m3fn), "f8")
f8e5m2 = DType("f8e5m2", np.dtype(ml_dtypes.float8_e5m2), "f8")
f4e2m1 = DType("f4e2m1", np.dtype(ml_dtypes.float4_e2m1fn), "f8")
i64 = DType("i64", np.dtype(np.int64), "int")
i32 = DType("i32", np.dtype(np.int32), "int")
i16 = DType("i16", np.dtype(np.int16), "int")
i8 = DType("i8", np.dtype(np.int8), "int")
u64 = DType("u64", np.dtype(np.uint64), "uint")
u32 = DType("u32", np.dtype(np.uint32), "uint")
u16 = DType("u16", np.dtype(np.uint16), "uint")
u8 = DType("u8", np.dtype(np.uint8), "uint")
boolean = DType("bool", np.dtype(np.bool_), "bool")
c64 = DType("c64", np.dtype(np.complex64), "complex")
c128 = DType("c128", np.dtype(np.complex128), "complex")

ALL: tuple[DType, ...] = (
    *(f64, f32, f16, bf16, f8e4m3, f8e5m2, f4e2m1),
    *(i64, i32, i16, i8, u64, u32, u16, u8, boolean, c64, c128),
)
BY_NAME: dict[str, DType] = {dtype.name: dtype for dtype in ALL}
_BY_NUMPY: dict[np.dtype[np.generic], DType] = {dtype.numpy: dtype for dtype in ALL}
FLOATS = (f64, f32, f16, bf16)


def _promote_pair(a: DType, b: DType) -> DType | None:
    """Promotes two element types, the rule behind the table: None if they do not mix."""
    if a is b:
        return a
    if "f8" in (a.category, b.category):
        return None
    if a.is_complex or b.is_complex:
        wide = any(d in (c128, f64) for d in (a, b))
        return c128 if wide else c64
    if a.is_float and b.is_float:
        if {a, b} == {f16, bf16}:
            return f32
        return a if a.size >= b.size else b
    if a.is_float or b.is_float:
        return a if a.is_float else b
    return DType.of(np.promote_types(a.numpy, b.numpy))


PROMOTION: dict[tuple[DType, DType], DType | None] = {(a, b): _promote_pair(a, b) for a in ALL for b in ALL}


def promote(*dtypes: DType) -> DType:
    """Promotes the dtypes of several tensors to their common one.

    >>> promote(i32, f16), promote(f16, bf16), promote(u64, i64)
    (f16, f32, f64)
    """
    result = dtypes[0]
    for dtype in dtypes[1:]:
        common = PROMOTION[result, dtype]
        if common is None:
            raise RlxError(
                "RLX103", f"{result} does not mix with {dtype}", fix="floats of 8 and 4 bits are storage: cast them first"
            )
        result = common
    return result


def cast_array(array: npt.NDArray[np.generic], to: DType) -> npt.NDArray[np.generic]:
    """Cast as the IR defines it: float to int truncates and saturates with NaN as 0, int to int wraps, float to f8 as ml_dtypes.

    f4e2m1 has neither infinity nor NaN: what is too large becomes ±6, NaN 0.
    """
    source = DType.of(array.dtype)
    if source is to:
        return array
    if to.is_bool:
        return np.asarray(array.astype(np.float32) != 0 if source.category == "f8" else array != 0)
    if source.is_complex and not to.is_complex:
        array = array.real
        source = DType.of(array.dtype)
        if source is to:
            return array
    if to.is_integer and source.category in ("float", "f8"):
        wide = np.trunc(array.astype(np.float64))
        info = np.iinfo(to.numpy)  # type: ignore[type-var]
        out = np.zeros(array.shape, to.numpy)
        inside = (wide > float(info.min)) & (wide < float(info.max))
        out[inside] = wide[inside].astype(to.numpy)
        out[wide >= float(info.max)] = info.max
        out[wide <= float(info.min)] = info.min
        return out
    with np.errstate(all="ignore"):
        if to.category == "f8" or source.category == "f8":
            single = array.astype(np.float32)
            if to is f4e2m1:
                single = np.where(np.isnan(single), np.float32(0), single)
            return np.asarray(single.astype(to.numpy))
        return np.asarray(array.astype(to.numpy))
