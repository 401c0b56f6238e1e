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
from rlx.passes.context import OPTIONAL, Options

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
    found: dict[str, list[tuple[Case, list[Shape | None]]]] = {}
    for case in record.cases():
        for kind, shapes in _drawn(record, case).items():
            if dtype is None or kind == dtype:
                found.setdefault(kind, []).append((case, shapes))
    return [Support(record.name, one.name, _answer(backend, record, found[one.name])) for one in ALL if one.name in found]


def _drawn(record: OpDef, case: Case) -> dict[str, list[Shape | None]]:
    """The shapes of a case's operands in every dtype that its op accepts."""
    samples = [sample for sample in case.operands if sample is not None]
    kinds = [one.name for one in ALL] if any(sample.dtype == "f32" for sample in samples) else [samples[0].dtype if samples else "f32"]
    found: dict[str, list[Shape | None]] = {}
    for kind in kinds:
        shapes = [
            None if sample is None else Shape(sample.dims, kind if sample.dtype == "f32" else sample.dtype) for sample in case.operands
        ]
        try:
            normalize(record.op(**case.attrs), shapes).infer(shapes)
        except RlxError:
            continue
        found[kind] = shapes
    return found


def _answer(backend: Backend, record: OpDef, cases: Sequence[tuple[Case, list[Shape | None]]]) -> str:
    """The cases that the device does not claim are lowered together."""
    others = Graph(record.name)
    for number, (case, shapes) in enumerate(cases):
        given = _in_one_type(record, shapes)
        node = build(record, given, case.attrs).graph.nodes[-1]
        operands = tuple(given[index] if index < len(given) else None for index in range(len(node.inputs)))
        if backend.claims(node.op, operands, node.results) is not None:
            build(record, given, case.attrs, graph=others, prefix=f"r{number}_")
    if not others.outputs:
        return YES
    return _refusal(backend, record, others) or DECOMPOSED


def _in_one_type(record: OpDef, shapes: Sequence[Shape | None]) -> list[Shape | None]:
    places = [i for i, shape in enumerate(shapes) if shape is not None and record.operand(i).role == "value"]
    if record.compute_dtype is None or not places:
        return list(shapes)
    common = record.compute_dtype(*(shape.dtype for i in places if (shape := shapes[i]) is not None))
    if common is None:
        return list(shapes)
    return [Shape(shape.dims, common) if i in places and shape is not None else shape for i, shape in enumerate(shapes)]


def _refusal(backend: Backend, record: OpDef, graph: Graph) -> str | None:
    """Why a device cannot lower a graph, without what only makes it faster."""
    try:
        backend.lower(graph, Options(fuse=False, skip=OPTIONAL), Report())
    except RlxError as error:
        return error.message.removeprefix(f"{record.name} on {backend.name}: ")
    return None
