"""What the Array API standard asks a namespace about itself."""

from __future__ import annotations

from typing import Any

from rlx.core import dtype as dtypes
from rlx.frontends.numpy.dtypes import isdtype

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
