"""f16 past its largest number: inside one kernel numbers have the range of f32, what is stored between kernels has that of f16.

At every level of the CPU family that this machine can run (docs/decisions/0004-precision.md).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import rlx
from rlx.backends.cpu.target import Target
from rlx.ir.value import Value

LARGE = 60000.0  # twice as much is no f16
COUNT = 37  # a vector tail at every width


def runs_here(name: str) -> bool:
    host, target = Target.host(), Target.named(name)
    return host.is_x86 and all(host.has(item[1:]) for item in target.features.split(","))


LEVELS = [
    pytest.param(name, marks=pytest.mark.skipif(not runs_here(name), reason=f"this CPU has not the instructions of {name}"))
    for name in ("x86_64", "x86_64-avx2", "x86_64-avx512")
]


def run(build: Callable[..., Any], x: Any, **options: Any) -> dict[str, Any]:
    g = rlx.Graph("range")
    g.set_outputs(build(g, g.input("x", x.shape, str(rlx.DType.of(x.dtype)))))
    return rlx.compile(g, **options).run({"x": x})


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("RLX_CPU", request.param)
    return str(request.param)


def test_inside_a_kernel_f16_has_the_range_of_f32(level: str) -> None:
    x = np.full(COUNT, LARGE, np.float16)
    found = run(lambda g, v: {"half": (v + v) * 0.5}, x)
    np.testing.assert_array_equal(found["half"], x)


def test_what_is_stored_has_the_range_of_f16(level: str) -> None:
    """An output is rounded where it is stored; what the same kernel computes from it goes on from before."""
    found = run(lambda g, v: {"twice": v + v, "half": (v + v) * 0.5}, np.full(COUNT, LARGE, np.float16))
    np.testing.assert_array_equal(found["twice"], np.full(COUNT, np.inf, np.float16))
    np.testing.assert_array_equal(found["half"], np.full(COUNT, LARGE, np.float16))


@pytest.mark.parametrize("options", [{"fuse": False}, {"device": "reference"}])
def test_nothing_is_carried_across_kernels(level: str, options: dict[str, Any]) -> None:
    """One op to a kernel: each result is an f16, as NumPy's are."""
    x = np.full(COUNT, LARGE, np.float16)
    with np.errstate(over="ignore"):
        expected = (x + x) * np.float16(0.5)
    found = run(lambda g, v: {"half": (v + v) * 0.5}, x, **options)
    np.testing.assert_array_equal(found["half"], expected)
    assert np.isinf(expected).all()


def test_a_product_overflows_between_kernels(level: str) -> None:
    """Two products are two kernels: the first one's f16 result is infinite, and so is what the second makes of it."""
    x = np.full((5, COUNT), 400.0, np.float16)

    def build(g: rlx.Graph, v: Value) -> dict[str, Value]:
        eye = g.constant(np.eye(5, dtype=np.float16) / 1024)
        return {"y": g.matmul(g.matmul(v, g.transpose(v, (1, 0))), eye + 2.0**-10)}

    assert np.isinf(run(build, x)["y"]).all()  # Σ of 37 · 160000 is 90 times the largest f16, and 5/1024 of it would be one


def test_a_cast_that_is_written_rounds_inside_a_kernel(level: str) -> None:
    x = np.float32([70000.0, -70000.0, 1.0001, 1e-9, np.inf, np.nan])
    found = run(lambda g, v: {"y": g.cast(g.cast(v * 1.0, "f16"), "f32") * 0.5}, x)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(found["y"], x.astype(np.float16).astype(np.float32) * 0.5)


def test_bf16_rounds_and_overflows_as_ml_dtypes(level: str) -> None:
    x = np.full(COUNT, 3e38, ml_dtypes.bfloat16)
    found = run(lambda g, v: {"twice": v + v, "same": (v + 1.0) - 1.0, "third": v / 3.0}, x)
    wide = x.astype(np.float32)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(found["twice"], (wide + wide).astype(ml_dtypes.bfloat16))
    np.testing.assert_array_equal(found["same"], x)
    np.testing.assert_array_equal(found["third"], (wide / 3).astype(ml_dtypes.bfloat16))
