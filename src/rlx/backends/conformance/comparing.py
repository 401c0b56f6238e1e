"""Compares results of an op with its record: within the record's bound of the f64 reference, or bit-equal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import DType
from rlx.ir.evaluate import evaluate_op, shape_of
from rlx.ir.op import Op
from rlx.ir.tolerance import first_of, widest

LARGEST = {"f16": 65504.0}  # the largest finite f16; the other floats hold every value of the cases


def agree(op: Op, operands: Sequence[Any], found: Sequence[Any], what: str, *, drawn: bool = True) -> float:
    """Check that the results of an op (symbols bound) on these operands are within its record's bound; else AssertionError.

    Operands that are not `drawn` at random may be equal, so that all rounding errors have the same sign: then the worst-case bound is
    used. Returns the largest error relative to its bound.
    """
    tolerance = op.definition.tolerance
    assert tolerance is not None, f"{op.name} states no bound"
    tolerance = tolerance.typical() if drawn else tolerance
    wide = evaluate_op(op, operands, wide=True)
    narrow = evaluate_op(op, operands)
    bounds = tolerance.bounds(op, operands, wide, [shape_of(array) for array in narrow])
    worst = 0.0
    for index, (array, expected, stored, bound) in enumerate(zip(found, wide, narrow, bounds, strict=True)):
        where = f"{what}: result {index}"
        if array.dtype != stored.dtype or array.shape != stored.shape:
            raise AssertionError(f"{where}: {array.dtype}{array.shape} is not {stored.dtype}{stored.shape}")
        rounds = DType.of(stored.dtype).category in ("float", "complex", "f8")
        if (
            tolerance.bits_known or not rounds
        ):  # movement, selection, ints, bools: rounded at most once, so the stored bits are known
            same_numbers(array, stored, where)
        else:
            worst = max(worst, within(array, expected, bound, where))
    return worst


def same_numbers(found: Any, expected: Any, where: str) -> None:
    """Equal, NaN where NaN is."""
    left, right = widest(found), widest(expected)
    wrong = ~((left == right) | (np.isnan(left) & np.isnan(right))) if left.dtype.kind in "fc" else left != right
    if np.any(wrong):
        raise AssertionError(f"{where}: {np.count_nonzero(wrong)} of {wrong.size} differ, first {first_of(wrong, found, expected)}")


def within(found: Any, expected: Any, bound: Any, where: str) -> float:
    """Within an absolute bound, element by element; NaN and infinities where the reference has them. Returns the worst ratio."""
    left, right = widest(found), widest(expected)
    with np.errstate(all="ignore"):
        same = (left == right) | (np.isnan(left) & np.isnan(right))
        error = np.abs(left - right)
        fine = same | (error <= bound)
        largest = LARGEST.get(DType.of(found.dtype).name)
        if largest is not None:
            over = np.isinf(left) & (np.sign(left) == np.sign(right)) & (np.abs(right) + bound >= largest)
            same, fine = same | over, fine | over
        ratio = float(np.nanmax(np.where(same, 0.0, error / np.maximum(bound, 1e-300)), initial=0.0))
    if not np.all(fine):
        count = np.count_nonzero(~fine)
        first = first_of(~fine, found, expected)
        raise AssertionError(f"{where}: {count} of {fine.size} outside the bound, worst {ratio:.3g} times, first {first}")
    return ratio


def same_bits(left: Sequence[Any], right: Sequence[Any], what: str) -> None:
    """Check byte equality."""
    for index, (a, b) in enumerate(zip(left, right, strict=True)):
        if a.tobytes() != b.tobytes():
            raise AssertionError(f"{what}: result {index} has different bits")
