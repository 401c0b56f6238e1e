"""How far a whole graph may be from f64: the bounds of its ops, carried through it by perturbation.

One op at a time, its inexact results in the f64 evaluation are moved by the record's bound, up or down at random, element by element, and
what that does to each later value is seen. The largest deviation of a tensor is the op's share; shares add up, because the errors of two
ops may have any signs (moved together, they could cancel by chance, and in a tensor of one element nothing else would be left to see).
The sum, times SAFETY, bounds the error of an evaluation in the graph's own dtypes, fused or not. Tensors that are exact (see `exactness`)
must be equal; where the allowed error is no small part of the numbers themselves the comparison would say nothing: it is left out and
counted.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from rlx.core.dtype import DType, cast_array
from rlx.ir.evaluate import evaluate_op
from rlx.ir.graph import Ref
from rlx.ir.tolerance import moved, rounding
from tests.conformance.checking import first_of, widest
from tests.fuzz.made import Made

TRIALS = 2
SAFETY = 4.0
# an allowed error above this share of the largest number says nothing
MEANINGLESS = {"f64": 1e-6, "f32": 1e-2, "f16": 0.25, "bf16": 0.5, "c64": 1e-2, "c128": 1e-6}


def rounds(dtype: DType) -> bool:
    """Whether results of this dtype have rounding errors."""
    return dtype.is_float or dtype.is_complex


class Judge:
    """The f64 values of one run of a graph, and how far from them a device may be."""

    def __init__(self, made: Made, leaves: dict[str, Any], sizes: dict[str, int]) -> None:
        self.made, self.sizes = made, sizes
        self.values: dict[Ref, Any] = {}
        self.moved: dict[Ref, float] = {}
        bounds: dict[int, list[Any]] = {}
        self.steps = [(node, node.op.bind(sizes), [shape.bind(sizes) for shape in node.results]) for node in made.steps()]
        for node in made.graph.nodes:
            if node.op.definition.leaf:
                array = node.op["value"].array if node.op.name == "constant" else leaves[node.op["name"]]
                self.values[node.ref] = widest(array) if node.shape.dtype.category != "f8" else array
        for node, op, shapes in self.steps:
            operands = [None if ref is None else self.values[ref] for ref in node.inputs]
            results = evaluate_op(op, operands, shapes, wide=True)
            self.values.update(zip(node.outputs, results, strict=True))
            if any(self.inexact(ref) for ref in node.outputs):
                allowed = rounding(op, operands, results, shapes)
                bounds[node.id] = [
                    bound if self.inexact(ref) else np.zeros(()) for ref, bound in zip(node.outputs, allowed, strict=True)
                ]
        self.moved = dict.fromkeys(self.values, 0.0)
        for place, (node, _, _) in enumerate(self.steps):
            if node.id in bounds:
                self.move(place, bounds[node.id])

    def inexact(self, ref: Ref) -> bool:
        return ref not in self.made.exact and rounds(self.made.graph.shape(ref).dtype)

    def move(self, place: int, bounds: list[Any]) -> None:
        """Add the share of one op to what it may move."""
        source = self.steps[place][0]
        shares: dict[Ref, float] = {}
        for trial in range(TRIALS):
            random = np.random.default_rng([self.made.seed, source.id, trial])
            results = moved([self.values[ref] for ref in source.outputs], bounds, random)
            changed = dict(zip(source.outputs, results, strict=True))
            for node, op, shapes in self.steps[place + 1 :]:
                if any(ref in changed for ref in node.refs):
                    operands = [None if ref is None else changed.get(ref, self.values[ref]) for ref in node.inputs]
                    changed.update(zip(node.outputs, evaluate_op(op, operands, shapes, wide=True), strict=True))
            for ref, array in changed.items():
                if rounds(self.made.graph.shape(ref).dtype):
                    with np.errstate(all="ignore"):
                        away = float(np.abs(array - self.values[ref]).max(initial=0.0))
                    shares[ref] = max(shares.get(ref, 0.0), away, key=lambda number: (np.isnan(number), number))
        for ref, share in shares.items():
            self.moved[ref] += share

    def check(self, ref: Ref, found: Any, where: str, skipped: Counter[str]) -> None:
        """Raise unless the value is right; a comparison without meaning is counted instead."""
        expected, dtype = self.values[ref], self.made.graph.shape(ref).dtype
        assert found.shape == expected.shape and found.dtype == dtype.numpy, where
        if rounds(dtype) and not np.isfinite(widest(cast_array(np.asarray(expected), dtype))).all():  # or past its range
            skipped["not finite"] += 1
            return
        left, right = widest(found), widest(expected)
        if ref in self.made.exact or not rounds(dtype):
            wrong = ~((left == right) | (np.isnan(left) & np.isnan(right)))
            allowed = 0.0
        else:
            allowed = SAFETY * self.moved[ref]
            if not allowed <= MEANINGLESS[dtype.name] * max(float(np.abs(right).max(initial=0.0)), 1e-3):
                skipped["ill-conditioned"] += 1
                return
            wrong = ~(np.abs(left - right) <= allowed)
        skipped["compared"] += 1
        if wrong.any():
            first = first_of(wrong, found, expected)
            raise AssertionError(
                f"{where}: {np.count_nonzero(wrong)} of {wrong.size} differ by more than {allowed:.3g}, first {first}"
            )
