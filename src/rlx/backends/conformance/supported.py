"""Which op a device runs in which dtype: asked of `claims` and of what legalizing makes of an op, running nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlx.backends.base import Backend
from rlx.backends.conformance.cases import build
from rlx.core.dtype import ALL
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.case import Case
from rlx.ir.emit import normalize
from rlx.ir.graph import Graph
from rlx.ir.op import OpDef
from rlx.passes.context import Options

__all__ = ["DECOMPOSED", "YES", "Support", "support"]

YES, DECOMPOSED = "yes", "via decomposition"


@dataclass(frozen=True)
class Support:
    """An op in one dtype: "yes", "via decomposition", or the reason why not. Where its cases differ, the least of them."""

    op: str
    dtype: str
    answer: str


def support(backend: Backend, record: OpDef, dtype: str | None = None) -> list[Support]:
    """Every dtype that the op accepts for its values (those that its cases draw as f32), and how the device runs it."""
    assert callable(record.cases)
    found: dict[str, str] = {}
    for case in record.cases():
        for kind, shapes in _drawn(record, case).items():
            if dtype is None or kind == dtype:
                found[kind] = max(found.get(kind, YES), _answer(backend, record, case, shapes), key=_rank)
    order = [one.name for one in ALL]
    return [Support(record.name, kind, found[kind]) for kind in sorted(found, key=order.index)]


def _drawn(record: OpDef, case: Case) -> dict[str, list[Shape | None]]:
    """The shapes of a case's operands in every dtype that its op accepts."""
    samples = [sample for sample in case.operands if sample is not None]
    kinds = [one.name for one in ALL] if any(sample.dtype == "f32" for sample in samples) else [samples[0].dtype if samples else "f32"]
    found: dict[str, list[Shape | None]] = {}
    for kind in kinds:
        shapes = [sample and Shape(sample.dims, kind if sample.dtype == "f32" else sample.dtype) for sample in case.operands]
        try:
            normalize(record.op(**case.attrs), shapes).infer(shapes)
        except RlxError:
            continue
        found[kind] = shapes
    return found


def _answer(backend: Backend, record: OpDef, case: Case, shapes: Sequence[Shape | None]) -> str:
    built = build(record, _in_one_type(record, shapes), case.attrs)
    node = built.graph.nodes[-1]
    operands = tuple(None if ref is None else built.graph.shape(ref) for ref in node.inputs)
    reason = backend.claims(node.op, operands, node.results)
    if reason is None:
        return YES
    refused = _refusal(backend, built.graph)
    return DECOMPOSED if refused is None else refused


def _in_one_type(record: OpDef, shapes: Sequence[Shape | None]) -> list[Shape | None]:
    places = [i for i, shape in enumerate(shapes) if shape is not None and record.operand(i).role == "value"]
    if record.compute_dtype is None or not places:
        return list(shapes)
    common = record.compute_dtype(*(shape.dtype for i in places if (shape := shapes[i]) is not None))
    return [Shape(shape.dims, common) if i in places and shape is not None else shape for i, shape in enumerate(shapes)]


def _refusal(backend: Backend, graph: Graph) -> str | None:
    """Why a device cannot lower a graph."""
    try:
        backend.lower(graph, Options(), Report())
    except RlxError as error:
        return error.message
    return None


def _rank(answer: str) -> int:
    return 0 if answer == YES else 1 if answer == DECOMPOSED else 2
