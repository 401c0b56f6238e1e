"""Functions written with the builder, compiled and called on NumPy arrays: what the builder's tests share."""

from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest

from rlx.backends.cpu.compile.codegen import Loaded, compile_object, load_object
from rlx.backends.cpu.emit.builder import Module
from rlx.backends.cpu.emit.values import BF16, F16, F32, F64, I1, I8, I16, I32, I64, PTR, Type, Value
from rlx.backends.cpu.target import Target
from tests.backends.cpu.levels import TARGETS
from tests.backends.cpu.lowered import SIGNATURE

DTYPES = {
    I1: np.bool_,
    I8: np.int8,
    I16: np.int16,
    I32: np.int32,
    I64: np.int64,
    F16: np.float16,
    BF16: ml_dtypes.bfloat16,
    F32: np.float32,
    F64: np.float64,
}
every_target = pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)


def compiled(module: Module) -> Loaded:
    """A module's functions, ready to be called."""
    return load_object(compile_object(module.text(), module.target))


def call(loaded: Loaded, name: str, *arguments: np.ndarray | int, begin: int = 0, end: int = 0) -> None:
    """Call a kernel with a table of pointers and numbers."""
    table = np.array([a.ctypes.data if isinstance(a, np.ndarray) else a for a in arguments], np.int64)
    SIGNATURE(loaded.address(name))(table.ctypes.data, begin, end, None)


def elementwise(
    target: Target, build: Callable[..., Value], *inputs: np.ndarray, result: Type, lanes: int | None = None
) -> np.ndarray:
    """Run `build(k, *vectors)` over equally long inputs, full vectors and a masked tail."""
    module = Module(target)
    k = module.kernel("run")
    kinds = [next(kind for kind, dtype in DTYPES.items() if dtype == x.dtype.type) for x in inputs]
    width = lanes or 8
    pointers = [k.argument(i, PTR) for i in range(len(inputs) + 1)]
    size = k.argument(len(inputs) + 1)
    full = size // width * width
    for i in k.range(0, full, width):
        values = [k.load(p, i, kind.vector(width)) for p, kind in zip(pointers, kinds, strict=False)]
        k.store(build(k, *values), pointers[-1], i)
    with k.when(full < size):
        values = [k.load_masked(p, full, size - full, kind.vector(width), fill=1) for p, kind in zip(pointers, kinds, strict=False)]
        k.store_masked(build(k, *values), pointers[-1], full, size - full)
    out = np.zeros(len(inputs[0]) + 3, DTYPES[result])
    call(compiled(module), "run", *inputs, out, len(inputs[0]))
    assert not out[len(inputs[0]) :].any(), "wrote past the tail"
    return out[: len(inputs[0])]


def same(actual: np.ndarray, expected: np.ndarray) -> None:
    """Equal bits, NaNs of any payload being equal."""
    np.testing.assert_array_equal(np.asarray(actual, np.longdouble), np.asarray(expected, np.longdouble))
    if expected.dtype.kind == "f":
        known = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(actual)[known], np.signbit(expected)[known])


def numbers(kind: Type, count: int = 77, seed: int = 0) -> np.ndarray:
    """Random numbers: integers of the whole range, floats around 0."""
    rng = np.random.default_rng(seed)
    if kind.is_integer:
        info = np.iinfo(DTYPES[kind])
        return rng.integers(info.min, info.max, count, DTYPES[kind], endpoint=True)
    return (rng.standard_normal(count) * 10).astype(DTYPES[kind])
