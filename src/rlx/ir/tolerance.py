"""Tolerance: how far a result may be from the f64 reference, as a function of dtype and shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DType, f32
from rlx.core.shape import Shape

if TYPE_CHECKING:
    from rlx.core.shape import Shape
    from rlx.ir.op import Op

Array = npt.NDArray[Any]


def epsilon(dtype: DType) -> float:
    """Machine epsilon of a dtype: the distance from 1 to the next number."""
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
        """Whether the result is an exact value, rounded once if its dtype cannot hold it: movement, selection, casts, integers."""
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
        """The growth of rounding errors over this many terms, in half eps (if biased) or eps of the scale."""
        return max(terms, 1) / 2 if self.biased else math.sqrt(max(terms, 1))

    def scale_of(self, op: Op, operands: Sequence[Array | None], expected: Array) -> Array:
        """The magnitude that the error is relative to, element by element."""
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
    """Tolerance of exact results: movement, integers, comparisons (stored floats are rounded once)."""
    return Tolerance()


def rounded_once() -> Tolerance:
    """Tolerance of casts: the same number, rounded to the dtype of the result."""
    return Tolerance(rounded=True)


def ulps(count: float) -> Tolerance:
    """Tolerance of `count` units in the last place of the result."""
    return Tolerance(ulps=count)


def summed(factor: float = 2.0, length: Callable[..., int] | None = None) -> Tolerance:
    """Tolerance of a sum of K products in any order: c·K·eps/2·Σ|a||b|, and two roundings of the result."""
    return Tolerance(ulps=2.0, factor=factor, scale="abs", length=length, biased=True)


def near_max(factor: float = 4.0) -> Tolerance:
    """Tolerance of a few ulps of the largest element: reductions feeding elementwise work (softmax, norms)."""
    return Tolerance(ulps=factor, scale="max")


# -- comparing
def first_of(wrong: Array, found: Array, expected: Array) -> str:
    """The first index where the mask is true, with both values."""
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"at {list(index)}: {found[index]!s} instead of {expected[index]!s}"


def widest(array: Array) -> Array:
    """Widens floats to f64 and complex numbers to c128; others unchanged."""
    dtype = DType.of(array.dtype)
    if dtype.is_complex:
        return array.astype(np.complex128)
    return array.astype(np.float64) if dtype.is_float or dtype.category == "f8" else array


# -- the error bound of an op defined by a body: the bounds of the body's ops, propagated through it by perturbation -
#
# If larger values cancel inside, the size of a result says nothing about their rounding. So the body is evaluated in f64 with one of its
# ops
# perturbed by its own bound, each element up or down at random, at every step; how far that moves a result is the op's share, and the
# shares
# of all ops are added. Ops of long bodies are perturbed in groups, which limits the number of evaluations.


if TYPE_CHECKING:
    from rlx.ir.op import Op

Move = Callable[["Op", Sequence[Array | None], tuple[Array, ...], Sequence[Shape]], tuple[Array, ...]]
# if set, the wide results of every op inside a body pass through it; `evaluate` calls it
moving: ContextVar[Move | None] = ContextVar("moving", default=None)

GROUPS = 16
TRIALS = 2
SAFETY = 4.0  # random signs may miss the worst case in a sum of many elements


def rounding(op: Op, operands: Sequence[Array | None], results: Sequence[Array], shapes: Sequence[Shape]) -> list[Array]:
    """Bounds the distance of one op's results from f64, on these operands; ops without a stated bound round once."""
    tolerance = op.definition.tolerance or Tolerance()
    return tolerance.bounds(op, operands, results, shapes)


def moved(results: Sequence[Array], bounds: Sequence[Array], random: np.random.Generator) -> tuple[Array, ...]:
    """Perturbs float and complex arrays: each element up or down by its bound."""
    parts = []
    for array, bound in zip(results, bounds, strict=True):
        if array.dtype.kind in "fc":
            array = array + np.where(random.random(array.shape) < 0.5, -bound, bound)
            if array.dtype.kind == "c":
                array = array + 1j * np.where(random.random(array.shape) < 0.5, -bound, bound)
        parts.append(array)
    return tuple(parts)


def carried(evaluate: Callable[[], tuple[Array, ...]]) -> list[float]:
    """Bounds how far the rounding of ops inside bodies (run by `evaluate`) moves each result: the maximum over its elements."""
    seen: dict[int, int] = {}

    def note(op: Op, operands: Sequence[Array | None], results: tuple[Array, ...], shapes: Sequence[Shape]) -> tuple[Array, ...]:
        if not any(True for _ in op.graphs()):
            seen.setdefault(id(op), len(seen))
        return results

    plain = _with(note, evaluate)
    total = [0.0] * len(plain)
    for group in range(min(GROUPS, len(seen))):
        chosen = {key for key, number in seen.items() if number % GROUPS == group}
        shares = [0.0] * len(plain)
        for trial in range(TRIALS):
            moved_results = _with(_mover(chosen, np.random.default_rng([group, trial])), evaluate)
            shares = [max(share, _distance(a, b)) for share, a, b in zip(shares, moved_results, plain, strict=True)]
        total = [sum(pair) for pair in zip(total, shares, strict=True)]
    return total


def _mover(chosen: set[int], random: np.random.Generator) -> Move:
    def move(op: Op, operands: Sequence[Array | None], results: tuple[Array, ...], shapes: Sequence[Shape]) -> tuple[Array, ...]:
        if id(op) not in chosen:
            return results
        bounds = _with(None, lambda: rounding(op, operands, results, shapes))
        return moved(results, bounds, random)

    return move


def _with(move: Move | None, evaluate: Callable[[], Any]) -> Any:
    token = moving.set(move)
    try:
        return evaluate()
    finally:
        moving.reset(token)


def _distance(left: Array, right: Array) -> float:
    if left.dtype.kind not in "fc":
        return 0.0
    with np.errstate(all="ignore"):
        away = np.abs(left - right)
    return float(np.max(away, initial=0.0, where=np.isfinite(away)))


class OfBody(Tolerance):
    """Tolerance of an op defined by a body: the larger of a few ulps of the largest element and the propagated rounding inside."""

    def bounds(self, op: Op, operands: Sequence[Array | None], expected: Sequence[Array], shapes: Sequence[Shape]) -> list[Array]:
        """The largest absolute error allowed for each result, element by element."""
        from rlx.ir.evaluate import evaluate_op

        own = super().bounds(op, operands, expected, shapes)
        inside = carried(lambda: evaluate_op(op, operands, shapes, wide=True))
        return [np.maximum(bound, SAFETY * error) for bound, error in zip(own, inside, strict=True)]


# -- cases: the test rows of an op, kept in its record. They drive the reference, every backend, gradients, vmap and the docs


@dataclass(frozen=True)
class Sample:
    """A recipe for one operand: shape, dtype, and the range its values are drawn from."""

    dims: tuple[int, ...]
    dtype: str = "f32"
    low: float = -3.0
    high: float = 3.0
    fixed: Any = None  # exact content instead of random

    def array(self, random: np.random.Generator) -> npt.NDArray[Any]:
        """Draws the array of this operand."""
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
    """One test row of an op: operands (None where an optional one is missing), attributes, and what is special about it.

    `note` says what the row tests; every op must have a row with "broadcast", "axis" or "odd" in its note.
    """

    operands: tuple[Sample | None, ...]
    attrs: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    dtypes: tuple[str, ...] = ("f32",)  # the value operands are drawn in each of these

    def arrays(self, seed: int = 0, dtype: str | None = None) -> list[npt.NDArray[Any] | None]:
        """Draws the operands of the test row; f32 ones as `dtype` when one is given."""
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
    """Converts an array drawn as f32 to another dtype: half of the bools true, no negative numbers for unsigned types."""
    if dtype.is_bool:
        return np.asarray(array > 0)
    return np.asarray((np.abs(array) if dtype.category == "uint" else array).astype(dtype.numpy))


def sample(*dims: int, dtype: str = "f32", low: float = -3.0, high: float = 3.0, fixed: Any = None) -> Sample:
    """Shorthand for a Sample."""
    return Sample(dims, dtype, low, high, fixed)


def case(*operands: Sample | None, note: str = "", dtypes: tuple[str, ...] = ("f32",), **attrs: Any) -> Case:
    """Shorthand for a Case."""
    return Case(operands, attrs, note, dtypes)
