"""cuBLASLt through ctypes: 16-bit matrix products, if the library is installed (`pip install nvidia-cublas`, or a CUDA toolkit).

A `LibraryProduct` is plain data; `ProductLibrary` makes a plan of it once (the library's own choice of a kernel) and launches it in
a stream, which may be one that captures. Sums are in f32 and rounded once; split-K partial sums are added in f32 too.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from ctypes import byref, c_float, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p, sizeof
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rlx.backends.cuda.kernel_data import LibraryProduct
from rlx.core.errors import RlxError

WORKSPACE = 32 << 20  # bytes of workspace, shared by all products: they run one at a time
_VERSIONS = ("13", "12")
_DTYPES = {"f16": 2, "bf16": 14}  # cudaDataType_t
_F32, _COMPUTE_F32 = 0, 68
_TRANS_A, _TRANS_B = 3, 4  # cublasLtMatmulDescAttributes_t
_MOST_WORKSPACE, _REDUCTION, _ALIGNMENTS = 1, 3, (5, 6, 7, 8)  # cublasLtMatmulPreferenceAttributes_t
_SUMS_IN_F32 = 2  # split-K reduction scheme: partial sums in the compute type


class _Algorithm(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t"""

    _fields_ = (("algorithm", c_uint64 * 8), ("workspace", c_size_t), ("state", c_int), ("waves", c_float), ("reserved", c_int * 4))


@dataclass(frozen=True)
class _Plan:
    """Arguments of a cuBLASLt call besides addresses."""

    description: c_void_p
    right: c_void_p
    left: c_void_p
    result: c_void_p
    algorithm: _Algorithm
    adds: bool


class ProductLibrary:
    """A cuBLASLt handle, and a plan for each product."""

    def __init__(self, library: Any) -> None:
        self.library = library
        self.handle = c_void_p()
        self._call("cublasLtCreate", byref(self.handle))
        library.cublasLtGetVersion.restype = c_size_t
        number = int(library.cublasLtGetVersion())
        self.version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
        self._plans: dict[LibraryProduct, _Plan | None] = {}

    def _call(self, name: str, *arguments: Any) -> None:
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            raise RlxError("RLX517", f"{name} of cuBLASLt failed: status {status}", at=None)

    def takes(self, product: LibraryProduct) -> bool:
        """Whether cuBLASLt has a kernel for a product."""
        return self._plan(product) is not None

    def multiply(self, product: LibraryProduct, addresses: Sequence[int], workspace: int, stream: int) -> None:
        """Launches a product in a stream."""
        plan = self._plan(product)
        assert plan is not None
        left, right, *added, result = addresses
        alpha, beta = c_float(1.0), c_float(1.0 if plan.adds else 0.0)
        self._call(
            "cublasLtMatmul",
            *(self.handle, plan.description, byref(alpha), c_void_p(right), plan.right, c_void_p(left), plan.left),
            *(byref(beta), c_void_p(added[0] if added else result), plan.result, c_void_p(result), plan.result),
            *(byref(plan.algorithm), c_void_p(workspace), c_size_t(WORKSPACE), c_void_p(stream)),
        )

    def _plan(self, product: LibraryProduct) -> _Plan | None:
        if product not in self._plans:
            self._plans[product] = self._planned(product)
        return self._plans[product]

    def _planned(self, product: LibraryProduct) -> _Plan | None:
        """Plans a product. cuBLASLt is column-major: its transposed result is the transposed right matrix times the left's."""
        description = self._made("cublasLtMatmulDescCreate", c_int(_COMPUTE_F32), c_int(_F32))
        self._set("cublasLtMatmulDescSetAttribute", description, _TRANS_A, c_int32(1 if product.turned else 0))
        self._set("cublasLtMatmulDescSetAttribute", description, _TRANS_B, c_int32(0))
        m, n, k = product.rows, product.columns, product.depth
        right = self._layout(product, k, n) if product.turned else self._layout(product, n, k)
        left, result = self._layout(product, k, m), self._layout(product, n, m)
        wishes = self._made("cublasLtMatmulPreferenceCreate")
        for which, value in ((_MOST_WORKSPACE, c_uint64(WORKSPACE)), (_REDUCTION, c_uint32(_SUMS_IN_F32))):
            self._set("cublasLtMatmulPreferenceSetAttribute", wishes, which, value)
        for which in _ALIGNMENTS:
            self._set("cublasLtMatmulPreferenceSetAttribute", wishes, which, c_uint32(16))
        found, count = _Algorithm(), c_int(0)
        status = self.library.cublasLtMatmulAlgoGetHeuristic(
            *(self.handle, description, right, left, result, result, wishes, c_int(1), byref(found), byref(count))
        )
        if status != 0 or count.value < 1 or found.state != 0:
            return None
        return _Plan(description, right, left, result, found, product.adds)

    def _layout(self, product: LibraryProduct, rows: int, columns: int) -> c_void_p:
        kind = c_int(_DTYPES[product.dtype])
        return self._made("cublasLtMatrixLayoutCreate", kind, c_uint64(rows), c_uint64(columns), c_int64(rows))

    def _made(self, name: str, *arguments: Any) -> c_void_p:
        """Creates an object of the library, which lives as long as the process."""
        found = c_void_p()
        self._call(name, byref(found), *arguments)
        return found

    def _set(self, name: str, of: c_void_p, which: int, value: Any) -> None:
        self._call(name, of, c_int(which), byref(value), c_size_t(sizeof(value)))


def _files() -> list[str]:
    """Paths where cuBLASLt may be: NVIDIA's wheels, toolkits, and the system's search path."""
    found = []
    spec = find_spec("nvidia")
    for version in _VERSIONS:
        name = f"libcublasLt.so.{version}"
        folders = [Path(place) for place in (spec.submodule_search_locations or ())] if spec is not None else []
        found += [str(path) for folder in folders for path in sorted(folder.glob(f"*/lib/{name}"))]
        found += [str(path) for path in (Path("/usr/local/cuda/lib64") / name,) if path.exists()]
        found.append(name)
    return found


@lru_cache(maxsize=1)
def find_library(load: Callable[[str], Any] = ctypes.CDLL) -> ProductLibrary | None:
    """Loads cuBLASLt, if the machine has it and it answers; a context of the GPU is current."""
    if not sys.platform.startswith("linux"):
        return None
    for path in _files():
        try:
            return ProductLibrary(load(path))
        except (OSError, AttributeError, RlxError):  # missing, of an incompatible version, or without a GPU
            continue
    return None
