"""How far a whole graph may be from f64: the bounds of its ops, carried through it by perturbation.

Every inexact result of the f64 evaluation is moved by its record's bound, up or down at random, element by element, and what
that does to each later value is seen. The largest deviation of a tensor over a few such runs, times SAFETY, bounds the error
of an evaluation in the graph's own dtypes, fused or not. Tensors that are exact (see `exactness`) must be equal; where the
allowed error is no small part of the numbers themselves the comparison would say nothing: it is left out and counted.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from rlx.core.dtype import DType
from rlx.ir.evaluate import evaluate_op
from rlx.ir.graph import Graph, Ref
from tests.conformance.checking import first_of, widest
from tests.fuzz.generator import Made

TRIALS = 3
SAFETY = 4.0
# an allowed error above this share of the largest number says nothing
MEANINGLESS = {"f64": 1e-6, "f32": 1e-2, "f16": 0.25, "bf16": 0.5, "c64": 1e-2, "c128": 1e-6}


def rounds(dtype: DType) -> bool:
    """Whether results of this dtype have rounding errors."""
    return dtype.is_float or dtype.is_complex


def evaluate(
    graph: Graph, leaves: dict[str, Any], sizes: dict[str, int], exact: set[Ref], random: np.random.Generator | None
) -> dict[Ref, Any]:
    """Every value in f64; with `random`, each inexact one moved by its bound."""
    values: dict[Ref, Any] = {}
    for node in graph.nodes:
        if node.op.definition.leaf:
            array = node.op["value"].array if node.op.name == "constant" else leaves[node.op["name"]]
            values[node.ref] = widest(array) if node.shape.dtype.category != "f8" else array
            continue
        op = node.op.bind(sizes)
        shapes = [shape.bind(sizes) for shape in node.results]
        operands = [None if ref is None else values[ref] for ref in node.inputs]
        results = evaluate_op(op, operands, shapes, wide=True)
        for ref, array, shape in zip(node.outputs, results, shapes, strict=True):
            if random is not None and ref not in exact and rounds(shape.dtype):
                assert op.definition.tolerance is not None
                bound = op.definition.tolerance.bound(op, operands, array, shape.dtype)
                array = array + np.where(random.random(array.shape) < 0.5, -bound, bound)
                if shape.dtype.is_complex:
                    array = array + 1j * np.where(random.random(array.shape) < 0.5, -bound, bound)
            values[ref] = array
    return values


class Judge:
    """The f64 values of one run of a graph, and how far from them a device may be."""

    def __init__(self, made: Made, leaves: dict[str, Any], sizes: dict[str, int]) -> None:
        self.made, self.sizes = made, sizes
        self.values = evaluate(made.graph, leaves, sizes, made.exact, None)
        self.moved: dict[Ref, float] = {}
        for trial in range(TRIALS):
            other = evaluate(made.graph, leaves, sizes, made.exact, np.random.default_rng([made.seed, trial]))
            for ref, array in other.items():
                with np.errstate(all="ignore"):
                    away = np.abs(widest(array) - widest(self.values[ref])) if rounds(made.graph.shape(ref).dtype) else np.zeros(0)
                self.moved[ref] = max(self.moved.get(ref, 0.0), float(away.max(initial=0.0)))

    def check(self, ref: Ref, found: Any, where: str, skipped: Counter[str]) -> None:
        """Raise unless the value is right; a comparison without meaning is counted instead."""
        expected, dtype = self.values[ref], self.made.graph.shape(ref).dtype
        assert found.shape == expected.shape and found.dtype == dtype.numpy, where
        if rounds(dtype) and not np.isfinite(widest(expected)).all():
            skipped["not finite"] += 1
            return
        left, right = widest(found), widest(expected)
        if ref in self.made.exact or not rounds(dtype):
            wrong = left != right
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
            raise AssertionError(f"{where}: {np.count_nonzero(wrong)} of {wrong.size} differ by more than {allowed:.3g}, first {first}")
