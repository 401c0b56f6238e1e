"""Values that loops carry keep their types, whatever the sizes: at symbols (64 bits), at one element, with scalars beside arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.backends.cuda.driver_interface import GpuTarget
from rlx.backends.cuda.triton_compile import compile_here
from rlx.core.dtype import DType
from tests.backends.cuda.device import NEEDS_TRITON, Running

pytestmark = NEEDS_TRITON

ROW = np.random.default_rng(0).integers(1, 50, (3, 37)).astype(np.int32)
LINE = np.sort(np.random.default_rng(1).normal(size=37)).astype(np.float32)
ZEROS = np.array([-0.0, 0.0, -1, 0.0, np.inf, np.nan, -np.inf, -np.nan, 1])
ONE = np.array([6], np.int32)

GRAPHS: dict[str, tuple[Callable[[rlx.Graph], Any], dict[str, Any], Any]] = {
    "argmax": (lambda g: g.argmax(g.input("x", (3, "n"), "i32"), axis=1), {"x": ROW}, ROW.argmax(1)),
    "argmin": (lambda g: g.argmin(g.input("x", ("n", 3), "i32"), axis=0), {"x": ROW.T}, ROW.argmin(1)),
    "cumsum": (lambda g: g.cumsum(g.input("x", (3, "n"), "i32"), axis=1), {"x": ROW}, ROW.cumsum(1)),
    "argsort": (lambda g: g.argsort(g.input("x", (3, "n"), "i32"), axis=1), {"x": ROW}, np.argsort(ROW, axis=1, kind="stable")),
    **{
        f"argsort of {dtype} in total order": (
            lambda g, dtype=dtype: g.argsort(g.input("x", ("n",), dtype), axis=0, descending=True, total=True),
            {"x": ZEROS.astype(DType.of(dtype).numpy)},
            np.array([5, 4, 8, 1, 3, 0, 2, 6, 7]),
        )
        for dtype in ("f32", "f64", "f16", "bf16")
    },
    "searchsorted": (
        lambda g: g.searchsorted(g.input("x", ("n",)), g.input("q", (1,))),
        {"x": LINE, "q": np.zeros(1, np.float32)},
        np.searchsorted(LINE, np.zeros(1, np.float32)),
    ),
    "gcd of one and a constant": (lambda g: g.gcd(g.input("x", (1,), "i32"), g.constant(np.int32(4))), {"x": ONE}, np.gcd(ONE, 4)),
    "pow of a constant and one": (
        lambda g: g.pow(g.constant(np.int32(3)), g.popcount(g.input("x", (1,), "i32"))),
        {"x": ONE},
        np.array([9]),
    ),
    "a long sum": (lambda g: g.reduce_sum(g.input("x", (3, "n"), "i32"), axes=1), {"x": ROW}, ROW.sum(1)),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_a_loop(name: str) -> None:
    make, given, wanted = GRAPHS[name]
    g = rlx.Graph("loop")
    g.set_outputs({"y": make(g)})
    run = Running(g)
    symbols = (
        {"n": given["x"].size if given["x"].ndim == 1 else 37}
        if any("n" in map(str, node.shape.dims) for node in g.inputs.values())
        else {}
    )
    np.testing.assert_array_equal(run(symbols, **given)["y"], wanted)
    kernels = [kernel for kernel in run.code.programs[0].kernels if "    for " in kernel.text]
    assert kernels
    for kernel in kernels:
        assert compile_here(kernel, GpuTarget(90)).global_scratch == 0
