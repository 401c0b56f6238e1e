"""Products by a library, with one that stands in for cuBLASLt: which go there, what it is given, and that a graph has them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.backends.cuda import cublaslt
from rlx.backends.cuda.backend import CudaBackend
from rlx.backends.cuda.cublaslt import ProductLibrary, find_library
from rlx.backends.cuda.fake_driver import FakeDriver
from rlx.backends.cuda.kernel_data import LibraryProduct
from rlx.core.dtype import DType
from rlx.core.report import Report
from rlx.passes.entry import Options
from tests.backends.cuda.device import NEEDS_TRITON

BF16 = DType.of("bf16").numpy


class Products:
    """By NumPy, on host memory."""

    version = "0.0.0"

    def __init__(self, takes: bool = True) -> None:
        self.taken, self.done = takes, list[LibraryProduct]()

    def takes(self, product: LibraryProduct) -> bool:
        return self.taken

    def multiply(self, product: LibraryProduct, addresses: Sequence[int], workspace: int, stream: int) -> None:
        self.done.append(product)
        m, n, k = product.rows, product.columns, product.depth
        dims = [(m, k), (n, k) if product.turned else (k, n), *([(m, n)] if product.adds else []), (m, n)]
        arrays = []
        for address, (rows, columns) in zip(addresses, dims, strict=True):
            memory = (ctypes.c_uint16 * (rows * columns)).from_address(address)
            arrays.append(np.frombuffer(memory, np.uint16).view(DType.of(product.dtype).numpy).reshape(rows, columns))
        left, right, *added, result = arrays
        wide = left.astype(np.float32) @ (right.T if product.turned else right).astype(np.float32)
        result[...] = (wide + (added[0].astype(np.float32) if added else 0)).astype(result.dtype)


def drawn(*dims: int) -> np.ndarray:
    return np.random.default_rng(sum(dims)).standard_normal(dims, np.float32).astype(BF16)


def run(build: Any, products: Products | None, **arrays: np.ndarray) -> tuple[np.ndarray, Any, Report]:
    driver = FakeDriver()
    driver.products = products
    backend, report = CudaBackend(driver), Report()
    g = rlx.Graph("product")
    result = build(g, *(g.input(name, array.shape, str(DType.of(array.dtype))) for name, array in arrays.items()))
    g.set_outputs({"y": result})
    code = backend.compile(backend.lower(g, Options(), report), Options(), report)
    runner, _ = code.runners(tuple(arrays), ("y",))
    target = backend.arrays.empty(result.shape, result.dtype)
    given = [backend.arrays.upload(array) for array in arrays.values()]
    for _ in range(2):
        runner.run({}, given, [target])
    return np.asarray(backend.arrays.download(target)), code, report


def turned(g: rlx.Graph, x: Any, w: Any) -> Any:
    return g.matmul(x, g.transpose(w, (1, 0)))


CASES: dict[str, tuple[Any, dict[str, tuple[int, ...]], bool | None]] = {
    "weights as rows": (turned, {"x": (72, 32), "w": (48, 32)}, False),
    "weights as they are": (lambda g, x, w: g.matmul(x, w), {"x": (72, 32), "w": (32, 48)}, False),
    "with what is added": (lambda g, x, w, r: r + turned(g, x, w), {"x": (72, 32), "w": (48, 32), "r": (72, 48)}, True),
    "more axes": (turned, {"x": (2, 36, 32), "w": (48, 32)}, False),
    "a bias": (lambda g, x, w, b: turned(g, x, w) + b, {"x": (72, 32), "w": (48, 32), "b": (48,)}, None),
    "gelu behind it": (lambda g, x, w: g.gelu(turned(g, x, w)), {"x": (72, 32), "w": (48, 32)}, None),
    "few rows": (turned, {"x": (8, 32), "w": (48, 32)}, None),
    "odd columns": (turned, {"x": (72, 32), "w": (47, 32)}, None),
    "several matrices": (lambda g, x, w: g.matmul(x, w), {"x": (2, 72, 32), "w": (2, 32, 48)}, None),
}


@NEEDS_TRITON
@pytest.mark.parametrize("name", CASES)
def test_bare_products_of_many_rows_are_the_librarys(name: str) -> None:
    """And with a matrix that is added; what has more behind it, or is not dense, stays one kernel."""
    build, dims, adds = CASES[name]
    arrays = {each: drawn(*own) for each, own in dims.items()}
    products = Products()
    found, _, report = run(build, products, **arrays)
    alone, _, plain = run(build, None, **arrays)
    np.testing.assert_allclose(found.astype(np.float32), alone.astype(np.float32), rtol=2e-2, atol=2e-2)
    lines = [entry for entry in report.entries if entry.kind == "library"]
    assert [one.adds for one in products.done] == ([] if adds is None else [adds] * 2)
    assert len(lines) == (adds is not None) and not any(entry.kind == "library" for entry in plain.entries)


@NEEDS_TRITON
def test_a_product_that_the_library_does_not_take_is_a_kernel() -> None:
    products = Products(takes=False)
    found, _, report = run(turned, products, x=drawn(72, 32), w=drawn(48, 32))
    wanted = drawn(72, 32).astype(np.float32) @ drawn(48, 32).astype(np.float32).T
    np.testing.assert_allclose(found.astype(np.float32), wanted, rtol=1e-2, atol=1e-2)
    assert not products.done and not any(entry.kind == "library" for entry in report.entries)


@NEEDS_TRITON
def test_a_stored_program_has_its_products() -> None:
    arrays = {"x": drawn(72, 32), "w": drawn(48, 32), "r": drawn(72, 48)}
    _, code, _ = run(CASES["with what is added"][0], Products(), **arrays)
    driver = FakeDriver()
    parts = code.pack()
    assert parts is not None
    again = type(code).unpack(parts, {}, driver)
    assert [step.library for step in again.programs[0].steps] == [step.library for step in code.programs[0].steps]


# -- what the library itself is given -----------------------------------------------------------------------------------
class Recorder:
    """Functions of cuBLASLt that note their calls; objects are numbers, counted up."""

    def __init__(self, kernels: int = 1, status: int = 0) -> None:
        self.calls, self.kernels, self.status = list[tuple[str, tuple[Any, ...]]](), kernels, status

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> int:
            self.calls.append((name, arguments))
            if name == "cublasLtGetVersion":
                return 130002
            if "Create" in name:
                arguments[0]._obj.value = len(self.calls)
            if name == "cublasLtMatmulAlgoGetHeuristic":
                arguments[-1]._obj.value = self.kernels
            return self.status if name == "cublasLtMatmul" else 0

        call.restype = None
        self.__dict__[name] = call
        return call


def test_the_library_is_given_transposes_and_addresses() -> None:
    recorder = Recorder()
    library = ProductLibrary(recorder)
    product = LibraryProduct(72, 48, 32, "bf16", True, True, (0, 1, 2, 3))
    assert library.version == "13.0.2" and library.takes(product)
    library.multiply(product, (100, 200, 300, 400), 500, 600)
    layouts = [[one.value for one in given[1:]] for name, given in recorder.calls if name == "cublasLtMatrixLayoutCreate"]
    assert layouts == [[14, 32, 48, 32], [14, 32, 72, 32], [14, 48, 72, 48]]
    (call,) = [given for name, given in recorder.calls if name == "cublasLtMatmul"]
    assert [call[place].value for place in (3, 5, 8, 10, 13, 15)] == [200, 100, 300, 400, 500, 600]
    assert call[7]._obj.value == 1.0
    library.multiply(product, (100, 200, 300, 400), 500, 600)
    assert sum(name == "cublasLtMatmulAlgoGetHeuristic" for name, _ in recorder.calls) == 1  # planned once


def test_a_product_without_a_kernel_is_not_taken_and_failures_are_errors() -> None:
    product = LibraryProduct(72, 48, 32, "f16", False, False, (0, 1, 2))
    assert not ProductLibrary(Recorder(kernels=0)).takes(product)
    with pytest.raises(rlx.RlxError, match="cublasLtMatmul of cuBLASLt failed: status 13"):
        ProductLibrary(Recorder(status=13)).multiply(product, (1, 2, 3), 4, 5)


def test_without_the_library_there_is_none(monkeypatch) -> None:
    def missing(path: str) -> Any:
        raise OSError(path)

    find_library.cache_clear()
    assert find_library(missing) is None
    find_library.cache_clear()
    monkeypatch.setattr(cublaslt, "_files", lambda: ["a", "b"])
    found = find_library(lambda path: missing(path) if path == "a" else Recorder())
    assert found is not None and found.version == "13.0.2"
    find_library.cache_clear()
