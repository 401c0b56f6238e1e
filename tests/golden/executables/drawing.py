"""Graphs with numbers drawn beside their leaves, the same on every machine and with every NumPy."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import rlx
from rlx import DType, Value

Array = np.ndarray[Any, Any]
Results = dict[str, Array]


class Numbers:
    """Numbers from the raw bits of a generator, by plain arithmetic: no function that a library rounds in its own way.

    Floats fill their mantissas, so that another order of a sum is seen in its last bit.
    """

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def _raw(self, dims: tuple[int, ...]) -> Array:
        return self._bits.random_raw(int(np.prod(dims, dtype=np.int64))).reshape(dims)

    def integers(self, *dims: int, low: int = 0, high: int, dtype: str = "i32") -> Array:
        """From low on, below high."""
        found: Array = (low + (self._raw(dims) % np.uint64(high - low)).astype(np.int64)).astype(DType.of(dtype).numpy)
        return found

    def floats(self, *dims: int, dtype: str = "f32", low: float = -1.0, high: float = 1.0) -> Array:
        """Even over low … high."""
        units = (self._raw(dims) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        found: Array = (low + units * (high - low)).astype(DType.of(dtype).numpy)
        return found

    def any(self, *dims: int, dtype: str, low: float = -1.0, high: float = 1.0) -> Array:
        """Numbers of a dtype: floats and complex numbers over low … high, integers over all of i8's range, bools."""
        kind = DType.of(dtype)
        if kind.name == "bool":
            return self.integers(*dims, high=2, dtype="u8").astype(np.bool_)
        if kind.is_complex:
            parts = [self.floats(*dims, dtype="f64", low=low, high=high) for _ in range(2)]
            return (parts[0] + 1j * parts[1]).astype(kind.numpy)
        if kind.is_float:
            return self.floats(*dims, dtype=dtype, low=low, high=high)
        return self.integers(*dims, low=-128, high=128, dtype=dtype)

    def turns(self, rows: int, columns: int) -> tuple[Array, Array]:
        """Cosines and sines of some angles: points (1 − t², 2t) / (1 + t²) of the circle, by plain arithmetic."""
        t = self.floats(rows, columns, dtype="f64")
        return tuple((part / (1 + t * t)).astype(np.float32) for part in (1 - t * t, 2 * t))  # type: ignore[return-value]


class Drawing(Numbers):
    """A graph under construction: each leaf is made together with the numbers it will hold."""

    def __init__(self, name: str) -> None:
        super().__init__(zlib.crc32(name.encode()))
        self.graph = rlx.Graph(name)
        self.inputs: dict[str, Array] = {}
        self.params: dict[str, Any] = {}

    def given(self, array: Array) -> Value:
        """An input that holds an array."""
        name = f"x{len(self.inputs)}"
        self.inputs[name] = array
        return self.graph.input(name, array.shape, DType.of(array.dtype).name)

    def input(self, *dims: int, dtype: str = "f32", low: float = -1.0, high: float = 1.0) -> Value:
        """An input of random numbers."""
        return self.given(self.any(*dims, dtype=dtype, low=low, high=high))

    def index(self, *dims: int, high: int, dtype: str = "i32") -> Value:
        """An input of positions below high."""
        return self.given(self.integers(*dims, high=high, dtype=dtype))

    def param(self, *dims: int, dtype: str = "f32", low: float = -1.0, high: float = 1.0) -> Value:
        """A param of random numbers."""
        name = f"w{len(self.params)}"
        self.params[name] = self.any(*dims, dtype=dtype, low=low, high=high)
        return self.graph.param(name, dims, dtype)

    def packed(self, dims: tuple[int, ...], scheme: str, stored: Any) -> Value:
        """A param in a storage scheme."""
        name = f"w{len(self.params)}"
        self.params[name] = stored
        return self.graph.param(name, dims, scheme=scheme)

    def run(self, outputs: Mapping[str, Value], wrt: tuple[Value, ...] = (), **options: Any) -> Results:
        """What the CPU makes of it; with `wrt`, gradients of the first output, a scalar, beside it."""
        self.graph.set_outputs(dict(outputs))
        made: Any = rlx.autodiff.grad_with_loss(self.graph, wrt, output=next(iter(outputs))) if wrt else self.graph
        return run(made, [self.inputs], self.params, **options)


def run(graph: Any, inputs: list[dict[str, Array]], params: Mapping[str, Any], **options: Any) -> Results:
    """The outputs of each run of one executable, and the states after the last."""
    executable = rlx.compile(graph, "cpu", **options)
    executable.set_params(params)
    found = {}
    for number, each in enumerate(inputs):
        found |= {f"{number}.{name}": np.array(array) for name, array in executable.run(each).items()}
    for name in executable.graph.states:
        found[f"state {name}"] = np.array(executable.state(name))
    return found


Make = Callable[[Drawing], Results]
EXECUTABLES: dict[str, Make] = {}
"""The set, by name."""


def executable(make: Make) -> Make:
    """Put it into the set."""
    EXECUTABLES[make.__name__] = make
    return make
