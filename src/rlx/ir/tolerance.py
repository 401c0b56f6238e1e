"""Tolerance: how far a result may be from the f64 reference, as a function of dtype and shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DType, f32

if TYPE_CHECKING:
    from rlx.core.shape import Shape
    from rlx.ir.op import Op

Array = npt.NDArray[Any]


def epsilon(dtype: DType) -> float:
    """Distance from 1 to the next number."""
    bits = {"f64": 52, "f32": 23, "f16": 10, "bf16": 7, "f8e4m3": 3, "f8e5m2": 2, "f4e2m1": 1, "c64": 23, "c128": 52}
    return 2.0 ** -bits[dtype.name] if dtype.name in bits else 0.0


@dataclass(frozen=True)
class Tolerance:
    """A bound `(ulps + factor * sqrt(length)) * eps * scale` on the absolute error; `factor * length / 2` if `biased`.

    `scale` is what the error is relative to: "value" (the element itself), "max" (the largest element), or "abs" (the
    reference on absolute operands, the natural size of a sum of products). `length` is the number of terms summed. Each
    term rounds by at most half an eps of the sum so far; equal terms round the same way every time (`biased`), and the bound
    must hold for them too. 16-bit floats are computed in f32 and rounded once, so the bound is that of f32 plus half an ulp
    of the stored type. `rounded`: the result may be narrower than the operand, so f32 has that half ulp too.
    """

    ulps: float = 0.0
    factor: float = 0.0
    scale: str = "value"
    length: Callable[[Op, Sequence[Array | None]], int] | None = None
    biased: bool = False
    rounded: bool = False

    @property
    def bits_known(self) -> bool:
        """The result is an exact value, rounded once if its dtype cannot hold it: movement, selection, casts, integers."""
        return self.ulps == 0 and self.factor == 0

    def typical(self) -> Tolerance:
        """The bound for random values, whose rounding errors cancel: √n terms instead of the worst case n/2."""
        return replace(self, biased=False)

    def bounds(self, op: Op, operands: Sequence[Array | None], expected: Sequence[Array], shapes: Sequence[Shape]) -> list[Array]:
        """The largest absolute error allowed for each result, element by element."""
        return [self.bound(op, operands, array, shape.dtype) for array, shape in zip(expected, shapes, strict=True)]

    def bound(self, op: Op, operands: Sequence[Array | None], expected: Array, dtype: DType) -> Array:
        """The largest absolute error allowed, element by element."""
        if not (dtype.is_float or dtype.is_complex or dtype.category == "f8"):
            return np.zeros(expected.shape)
        terms = self.length(op, operands) if self.length else 1
        relative = (self.ulps + self.factor * self.growth(terms)) * epsilon(dtype.compute)
        if self.rounded or dtype.is_low_float or dtype.category == "f8":
            relative += 0.51 * epsilon(dtype)
        scale = self.scale_of(op, operands, expected)
        tiny = 2.0**-24 if dtype.name == "f16" else float(np.finfo(np.float32 if dtype.compute is f32 else np.float64).tiny)
        return np.asarray(relative * np.where(np.isfinite(scale), scale, 0.0) + tiny)

    def growth(self, terms: int) -> float:
        """How many half eps (if biased) or eps of the scale add up over this many terms."""
        return max(terms, 1) / 2 if self.biased else math.sqrt(max(terms, 1))

    def scale_of(self, op: Op, operands: Sequence[Array | None], expected: Array) -> Array:
        """What the error is relative to, element by element."""
        scale = np.abs(expected.astype(np.complex128 if np.iscomplexobj(expected) else np.float64))
        if self.scale == "max":
            finite = scale[np.isfinite(scale)]
            scale = np.maximum(scale, finite.max() if finite.size else 0.0)
        elif self.scale == "abs":
            from rlx.ir.evaluate import evaluate_op

            magnitudes = [
                None if a is None else np.abs(a) if np.issubdtype(a.dtype, np.inexact) or DType.of(a.dtype).is_low_float else a
                for a in operands
            ]
            (size, *_) = evaluate_op(op, magnitudes, wide=True)
            scale = (
                np.maximum(scale, np.abs(size))
                if np.shape(size) == scale.shape
                else np.maximum(scale, np.max(np.abs(size), initial=0.0))
            )
        return np.asarray(scale)


def exact() -> Tolerance:
    """The same number: movement, integers, comparisons (stored floats are rounded once)."""
    return Tolerance()


def rounded_once() -> Tolerance:
    """The same number, rounded to the dtype of the result: casts."""
    return Tolerance(rounded=True)


def ulps(count: float) -> Tolerance:
    """Within `count` units in the last place of the result."""
    return Tolerance(ulps=count)


def summed(factor: float = 2.0, length: Callable[..., int] | None = None) -> Tolerance:
    """A sum of K products in any order: c·K·eps/2·Σ|a||b|, and two roundings of the result."""
    return Tolerance(ulps=2.0, factor=factor, scale="abs", length=length, biased=True)


def near_max(factor: float = 4.0) -> Tolerance:
    """Within a few ulps of the largest element: reductions feeding elementwise work (softmax, norms)."""
    return Tolerance(ulps=factor, scale="max")


# -- comparing
def first_of(wrong: Array, found: Array, expected: Array) -> str:
    """The first position where the mask is true, with both values."""
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"at {list(place)}: {found[place]!s} instead of {expected[place]!s}"


def widest(array: Array) -> Array:
    """Floats as f64, complex as c128, others unchanged."""
    dtype = DType.of(array.dtype)
    if dtype.is_complex:
        return array.astype(np.complex128)
    return array.astype(np.float64) if dtype.is_float or dtype.category == "f8" else array
