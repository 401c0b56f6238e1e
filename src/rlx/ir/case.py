"""Cases: the test rows of an op, kept in its record. They drive the reference, every backend, gradients, vmap and the docs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DType


@dataclass(frozen=True)
class Sample:
    """A recipe for one operand: shape, dtype, and the range its values are drawn from."""

    dims: tuple[int, ...]
    dtype: str = "f32"
    low: float = -3.0
    high: float = 3.0
    fixed: Any = None  # exact content instead of random

    def array(self, random: np.random.Generator) -> npt.NDArray[Any]:
        """Draw it."""
        dtype = DType.of(self.dtype)
        if self.fixed is not None:
            return np.asarray(self.fixed).astype(dtype.numpy).reshape(self.dims)
        if dtype.is_bool:
            return np.asarray(random.random(self.dims) < 0.5)
        if dtype.is_integer:
            low = max(int(self.low), int(np.iinfo(dtype.numpy).min))  # type: ignore[type-var]
            return np.asarray(random.integers(low, int(self.high) + 1, self.dims), dtype.numpy)
        if dtype.is_complex:
            real, imaginary = random.uniform(self.low, self.high, (2, *self.dims))
            return np.asarray(real + 1j * imaginary, dtype.numpy)
        return np.asarray(random.uniform(self.low, self.high, self.dims), dtype.numpy)


@dataclass(frozen=True)
class Case:
    """One row: operands (None where an optional one is missing), attributes, and what is special about it.

    `note` says what the row tests; every op must have a row with "broadcast", "axis" or "odd" in its note.
    """

    operands: tuple[Sample | None, ...]
    attrs: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    dtypes: tuple[str, ...] = ("f32",)  # the value operands are drawn in each of these

    def arrays(self, seed: int = 0, dtype: str | None = None) -> list[npt.NDArray[Any] | None]:
        """The operands; f32 ones drawn as `dtype` when one is given."""
        random = np.random.default_rng(seed)
        drawn: list[npt.NDArray[Any] | None] = []
        for sample in self.operands:
            if sample is None:
                drawn.append(None)
                continue
            array = sample.array(random)
            if dtype is not None and sample.dtype == "f32":
                array = _as_drawn(array, DType.of(dtype))
            drawn.append(array)
        return drawn


def _as_drawn(array: npt.NDArray[Any], dtype: DType) -> npt.NDArray[Any]:
    """Drawn as f32, converted to another dtype: half of the bools true, no negative numbers for unsigned types."""
    if dtype.is_bool:
        return np.asarray(array > 0)
    return np.asarray((np.abs(array) if dtype.category == "uint" else array).astype(dtype.numpy))


def sample(*dims: int, dtype: str = "f32", low: float = -3.0, high: float = 3.0, fixed: Any = None) -> Sample:
    """Shorthand for a Sample."""
    return Sample(dims, dtype, low, high, fixed)


def case(*operands: Sample | None, note: str = "", dtypes: tuple[str, ...] = ("f32",), **attrs: Any) -> Case:
    """Shorthand for a Case."""
    return Case(operands, attrs, note, dtypes)
