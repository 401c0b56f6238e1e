"""Results written past the caches: large ones, at any address a user may give, in rows of any length.

The store that does it faults on an address that is not a multiple of the vector, so every test here is also one that the
process survives.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.kernels.region import schedule as region_plan
from rlx.backends.cpu.kernels.region.region import lower_region
from rlx.core.shape import Shape
from rlx.ir.op import OPS
from rlx.ops.control.fused import make_body
from tests.backends.cpu.levels import TARGETS
from tests.backends.cpu.lowered import Lowered, tensor_of

Array = np.ndarray[Any, Any]
LARGE = (1024, 4099)  # 16 MiB and an odd row: what streams without being forced to


def at(address: int, dims: tuple[int, ...]) -> tuple[Array, Array]:
    """An f32 array that starts `address` bytes past a multiple of 64, and the memory around it, which is zero."""
    size = 4 * int(np.prod(dims, dtype=np.int64))
    memory = np.zeros(size + 256, np.uint8)
    start = 64 + -memory.ctypes.data % 64 + address
    return memory[start : start + size].view(np.float32).reshape(dims), memory


def untouched(array: Array, memory: Array) -> None:
    """Nothing was written around the array."""
    start = array.ctypes.data - memory.ctypes.data
    assert not memory[:start].any() and not memory[start + array.nbytes :].any()


def softmax_of(x: Array, axis: int) -> Array:
    powers = np.exp(x.astype(np.float64) - x.max(axis, keepdims=True, initial=-np.inf))
    return powers / powers.sum(axis, keepdims=True)


def softmax(x: Any, axis: int) -> Any:
    powers = OPS["exp"](x - OPS["reduce_max"](x, axes=axis, keep_dim=True))
    return powers / OPS["reduce_sum"](powers, axes=axis, keep_dim=True)


def normed(x: Any) -> Any:
    """Three sweeps, of which the last reads x again, the mean and the deviation."""
    centred = x - OPS["reduce_mean"](x, axes=1, keep_dim=True)
    return centred * OPS["rsqrt"](OPS["reduce_mean"](centred * centred, axes=1, keep_dim=True) + 0.25) * 3.0


def normed_of(x: Array) -> Array:
    wide = x.astype(np.float64)
    return 3 * (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 0.25)


REGIONS: dict[str, tuple[Callable[[Any], Any], Callable[[Array], Array]]] = {
    "elementwise": (lambda x: OPS["tanh"](x) * 2.0, lambda x: np.tanh(x.astype(np.float64)) * 2),
    "rows": (lambda x: softmax(x, 1), lambda x: softmax_of(x, 1)),
    "rows in three sweeps": (normed, normed_of),
    "rows of half precision": (lambda x: OPS["cast"](softmax(x, 1), to="bf16"), lambda x: softmax_of(x, 1)),
    "columns": (lambda x: softmax(x, 0), lambda x: softmax_of(x, 0)),
    "half precision": (lambda x: OPS["cast"](x + 1.0, to="bf16"), lambda x: x.astype(np.float64) + 1),
}


@pytest.mark.parametrize("address", [0, 4, 16, 32, 60])
@pytest.mark.parametrize("dims", [(37, 72), (37, 73), (5, 7), (1, 300), (300, 1)])
@pytest.mark.parametrize("name", REGIONS)
def test_any_address_and_row_length(name: str, dims: tuple[int, int], address: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(region_plan, "STREAMED_BYTES", 1)
    make, formula = REGIONS[name]
    x = np.random.default_rng(0).standard_normal(dims).astype(np.float32)
    body = make_body("body", {"x": Shape(dims)}, make)
    for target in TARGETS:
        kernel = Lowered(lower_region, OPS["fused"].op(kind="region", body=body), [tensor_of(x)], target=target)
        (out,) = kernel.call([x], split=3, shift=address)
        np.testing.assert_allclose(out.astype(np.float64), formula(x), rtol=2**-7 if out.itemsize == 2 else 2e-6, atol=1e-7)


@pytest.mark.parametrize("dims", [(0, 16), (16, 0), (0, 0)])
def test_nothing_to_write(dims: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(region_plan, "STREAMED_BYTES", 0)
    for axis in (0, 1):
        graph = rlx.Graph("softmax")
        graph.set_outputs({"y": graph.softmax(graph.input("x", Shape(dims)) * 2.0, axis=axis)})
        found = rlx.compile(graph, device="cpu").run({"x": np.zeros(dims, np.float32)})["y"]
        assert np.asarray(found).shape == dims


@pytest.mark.parametrize("address", [0, 4, 20])
@pytest.mark.parametrize("axis", [0, 1])
def test_outputs_given_by_the_user(axis: int, address: int) -> None:
    """`exe.run(x, out=np.empty(n + 1)[1:])` and its like, at the size from which on results stream."""
    x = np.random.default_rng(1).standard_normal(LARGE).astype(np.float32)
    graph = rlx.Graph("softmax")
    graph.set_outputs({"y": graph.softmax(graph.input("x", Shape(LARGE)), axis=axis)})
    out, memory = at(address, LARGE)
    rlx.compile(graph, device="cpu").run({"x": x}, out={"y": out})
    untouched(out, memory)
    np.testing.assert_allclose(out, softmax_of(x, axis), rtol=4e-6, atol=1e-9)


def test_inputs_at_any_address() -> None:
    """What is read may lie anywhere, too; the result has the same bits."""
    values = np.random.default_rng(2).standard_normal(LARGE).astype(np.float32)
    graph = rlx.Graph("gelu")
    graph.set_outputs({"y": graph.gelu(graph.input("x", Shape(LARGE)) * 2.0)})
    executable = rlx.compile(graph, device="cpu")
    expected = np.array(executable.run({"x": values})["y"])
    for address in (4, 36):
        x, _ = at(address, LARGE)
        x[...] = values
        np.testing.assert_array_equal(executable.run({"x": x})["y"], expected)


@pytest.mark.parametrize("rows", [1, 2, 37])
def test_what_a_row_has_one_of_is_written_too(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last sweep of a row goes along with the next row; its scalars belong to it all the same, on any number of threads."""
    monkeypatch.setattr(region_plan, "STREAMED_BYTES", 1)
    x = np.random.default_rng(3).standard_normal((rows, 72)).astype(np.float32)

    def two(x: Any) -> tuple[Any, Any]:
        largest = OPS["reduce_max"](x, axes=1, keep_dim=True)
        powers = OPS["exp"](x - largest)
        total = OPS["reduce_sum"](powers, axes=1, keep_dim=True)
        return powers / total, largest + OPS["log"](total)

    body = make_body("body", {"x": Shape(x.shape)}, two)
    kernel = Lowered(lower_region, OPS["fused"].op(kind="region", body=body), [tensor_of(x)])
    found, logarithm = kernel.call([x], split=1)
    np.testing.assert_allclose(found, softmax_of(x, 1), rtol=2e-6)
    np.testing.assert_allclose(logarithm, np.log(np.exp(x.astype(np.float64)).sum(1, keepdims=True)), rtol=2e-6)
    for again, first in zip(kernel.call([x], split=2, threads=2), (found, logarithm), strict=True):
        np.testing.assert_array_equal(again, first)
