"""The error bound of an op defined by a body: the bounds of the body's ops, propagated through it by perturbation.

If larger values cancel inside, the size of a result says nothing about their rounding. So the body is evaluated in f64 with one of its ops
perturbed by its own bound, each element up or down at random, at every step; how far that moves a result is the op's share, and the shares
of all ops are added. Ops of long bodies are perturbed in groups, which limits the number of evaluations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np

from rlx.core.shape import Shape
from rlx.ir.tolerance import Array, Tolerance

if TYPE_CHECKING:
    from rlx.ir.op import Op

Move = Callable[["Op", Sequence[Array | None], tuple[Array, ...], Sequence[Shape]], tuple[Array, ...]]
# if set, the wide results of every op inside a body pass through it; `evaluate` calls it
moving: ContextVar[Move | None] = ContextVar("moving", default=None)

GROUPS = 16
TRIALS = 2
SAFETY = 4.0  # random signs may miss the worst case in a sum of many elements


def rounding(op: Op, operands: Sequence[Array | None], results: Sequence[Array], shapes: Sequence[Shape]) -> list[Array]:
    """How far each result of one op may be from f64, on these operands; ops without a stated bound round once."""
    tolerance = op.definition.tolerance or Tolerance()
    return tolerance.bounds(op, operands, results, shapes)


def moved(results: Sequence[Array], bounds: Sequence[Array], random: np.random.Generator) -> tuple[Array, ...]:
    """Float and complex arrays, each element moved up or down by its bound."""
    found = []
    for array, bound in zip(results, bounds, strict=True):
        if array.dtype.kind in "fc":
            array = array + np.where(random.random(array.shape) < 0.5, -bound, bound)
            if array.dtype.kind == "c":
                array = array + 1j * np.where(random.random(array.shape) < 0.5, -bound, bound)
        found.append(array)
    return tuple(found)


def carried(evaluate: Callable[[], tuple[Array, ...]]) -> list[float]:
    """How far the rounding of the ops that `evaluate` runs inside bodies may move each result: the maximum over its elements."""
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
            found = _with(_mover(chosen, np.random.default_rng([group, trial])), evaluate)
            shares = [max(share, _distance(a, b)) for share, a, b in zip(shares, found, plain, strict=True)]
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
    """The larger of a few ulps of the largest element and the propagated rounding inside the body."""

    def bounds(self, op: Op, operands: Sequence[Array | None], expected: Sequence[Array], shapes: Sequence[Shape]) -> list[Array]:
        """The largest absolute error allowed for each result, element by element."""
        from rlx.ir.evaluate import evaluate_op

        own = super().bounds(op, operands, expected, shapes)
        inside = carried(lambda: evaluate_op(op, operands, shapes, wide=True))
        return [np.maximum(bound, SAFETY * error) for bound, error in zip(own, inside, strict=True)]
