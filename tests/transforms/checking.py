"""Derivatives of one op or function against f64 central differences, and against each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.backends.conformance.cases import has_derivative, place, random_like
from rlx.ir.emit import emit
from rlx.ir.evaluate import evaluate_body, shape_of
from rlx.ir.graph import Graph
from rlx.ir.op import OpDef
from rlx.ir.value import Value
from rlx.ir.verify import verify
from rlx.transforms.rules.tape import pull, push

__all__ = ["body_of", "body_of_op", "check_body", "has_derivative", "place", "pulled", "pushed", "random_like", "wide_arrays"]

STEP = 1e-6


def wide_arrays(row: Any, seed: int = 0) -> list[Any]:
    """The operands of a case in f64 and c128."""
    arrays = row.arrays(seed, dtype="f64")
    return [a.astype(np.complex128) if a is not None and a.dtype == np.complex64 else a for a in arrays]


def body_of_op(record: OpDef, arrays: Sequence[Any], attrs: Any) -> Graph:
    """A body of one node, its inputs the operands that are there."""
    return body_of(lambda *values, graph: emit(record, values, dict(attrs), graph=graph), arrays, True)


def body_of(make: Callable[..., Any], arrays: Sequence[Any], with_graph: bool = False) -> Graph:
    """A body of a function of Values, None for operands that are missing."""
    graph = Graph("one")
    values = [None if a is None else place(graph, f"x{i}", shape_of(a)) for i, a in enumerate(arrays)]
    found = make(*values, graph=graph) if with_graph else make(*values)
    results = found if isinstance(found, tuple) else (found,)
    graph.set_output_refs({f"y{i}": value.ref for i, value in enumerate(results)})
    return graph.freeze()


def pulled(body: Graph, arrays: Sequence[Any], seeds: Sequence[Any], wanted: Sequence[bool], wide: bool = False) -> list[Any]:
    """Gradients of the inputs as arrays, None where there is none."""
    graph = Graph("pulled")
    values = [place(graph, f"x{i}", node.shape) for i, node in enumerate(body.inputs.values())]
    types = [body.shape(ref) for ref in body.output_refs.values()]
    given = [None if u is None else place(graph, f"u{i}", shape) for i, (u, shape) in enumerate(zip(seeds, types, strict=True))]
    found = pull(body, values, given, wanted)
    return _evaluate(graph, found, [*arrays, *(u for u in seeds if u is not None)], wide)


def pushed(body: Graph, arrays: Sequence[Any], directions: Sequence[Any], wide: bool = False) -> list[Any]:
    """Tangents of the outputs as arrays."""
    graph = Graph("pushed")
    values = [place(graph, f"x{i}", node.shape) for i, node in enumerate(body.inputs.values())]
    given = [None if v is None else place(graph, f"v{i}", x.type) for i, (v, x) in enumerate(zip(directions, values, strict=True))]
    _, found = push(body, values, given)
    return _evaluate(graph, found, [*arrays, *(v for v in directions if v is not None)], wide)


def _evaluate(graph: Graph, found: Sequence[Value | None], arrays: Sequence[Any], wide: bool) -> list[Any]:
    outputs = {f"y{i}": value.ref for i, value in enumerate(found) if value is not None}
    graph.set_output_refs(outputs)
    verify(graph)
    answers = dict(zip(outputs, evaluate_body(graph, arrays, wide=wide), strict=True))
    return [answers.get(f"y{i}") for i in range(len(found))]


def inner(left: Sequence[Any], right: Sequence[Any]) -> float:
    """Re Σ conj(u)·v over those that are there."""
    return float(sum(np.sum(np.real(np.conj(u) * v)) for u, v in zip(left, right, strict=True) if u is not None and v is not None))


def difference(body: Graph, arrays: Sequence[Any], directions: Sequence[Any], seeds: Sequence[Any], wide: bool) -> float:
    """⟨u, f(x + hv) - f(x - hv)⟩ / 2h"""
    ends = []
    for sign in (1, -1):
        moved = [a if v is None else a + sign * STEP * v for a, v in zip(arrays, directions, strict=True)]
        found = evaluate_body(body, moved, wide=wide)
        ends.append(inner(seeds, [np.where(np.isfinite(y), y, 0) if has_derivative(y) else None for y in found]))
    return (ends[0] - ends[1]) / (2 * STEP)


def check_body(
    body: Graph,
    arrays: Sequence[Any],
    *,
    true_slope: bool = True,
    tolerance: float = 1e-6,
    agreement: float = 1e-9,
    wide: bool = False,
    frozen: Sequence[bool] | None = None,
    reverse: bool = True,
    each: bool = True,
) -> None:
    """vjp and jvp in one direction for all operands and (`each`) in one for each, against differences and each other.

    With `wide` the body is typed f32 and evaluated in f64. Operands that are `frozen` want no gradient.
    """
    random = np.random.default_rng(1)
    arrays = [a.astype(np.float64) if wide and a.dtype == np.float32 else a for a in arrays]
    results = evaluate_body(body, arrays, wide=wide)
    seeds = [random_like(y, random) for y in results]
    every = [None if frozen is not None and frozen[i] else random_like(a, random) for i, a in enumerate(arrays)]
    if all(v is None for v in every) or all(u is None for u in seeds):
        return
    gradients = pulled(body, arrays, seeds, [v is not None for v in every], wide) if reverse else None
    movable = [i for i, v in enumerate(every) if v is not None]
    choices = [movable] + ([[i] for i in movable] if each and len(movable) > 1 else [])
    for chosen in choices:
        directions = [v if i in chosen else None for i, v in enumerate(every)]
        forward = inner(seeds, pushed(body, arrays, directions, wide))
        scale = max(1.0, abs(forward), *(float(np.abs(y[np.isfinite(y)]).sum()) * 1e-2 for y in results if has_derivative(y)))
        if gradients is not None:
            back = inner(gradients, directions)
            assert abs(back - forward) <= agreement * scale, f"vjp {back} and jvp {forward}, operands {chosen}"
        if true_slope:
            numeric = difference(body, arrays, directions, seeds, wide)
            assert abs(forward - numeric) <= tolerance * scale, f"jvp {forward}, differences {numeric}, operands {chosen}"
