"""Which ops a device runs in which dtypes: from `claims` and from legalizing the op, without running anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlx.backends.base import Backend
from rlx.backends.conformance.cases import build
from rlx.core.dtype import ALL
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.emit import normalize
from rlx.ir.graph import Graph
from rlx.ir.op import Op, OpDef
from rlx.ir.tolerance import Case
from rlx.passes.entry import OPTIONAL, Options

YES, DECOMPOSED = "yes", "via decomposition"


@dataclass(frozen=True)
class Support:
    """An op in one dtype: "yes", "via decomposition", or the reason why not. If its cases differ, the worst of them."""

    op: str
    dtype: str
    answer: str


def support(backend: Backend, record: OpDef, dtype: str | None = None) -> list[Support]:
    """Every dtype that the op accepts for its values (those that its cases draw as f32), and how the device runs it."""
    assert callable(record.cases)
    found: dict[str, list[_Query]] = {}
    for case in record.cases():
        for kind in _kinds(case):
            query = _query(record, case, kind) if dtype is None or kind == dtype else None
            if query is not None:
                found.setdefault(kind, []).append(query)
    return [Support(record.name, one.name, _answer(backend, record, found[one.name])) for one in ALL if one.name in found]


@dataclass(frozen=True)
class _Query:
    """A case in one dtype, as passes see it: value operands in one type."""

    case: Case
    op: Op
    operands: tuple[Shape | None, ...]
    results: tuple[Shape, ...]


def _kinds(case: Case) -> list[str]:
    """The dtypes to try: all of them if the case draws values, else its own."""
    samples = [sample for sample in case.operands if sample is not None]
    return (
        [one.name for one in ALL] if any(sample.dtype == "f32" for sample in samples) else [samples[0].dtype if samples else "f32"]
    )


def _query(record: OpDef, case: Case, kind: str) -> _Query | None:
    """The case with its values in a dtype; None if its op does not accept that."""
    given = [None if s is None else Shape(s.dims, kind if s.dtype == "f32" else s.dtype) for s in case.operands]
    try:
        normalize(record.op(**case.attrs), given).infer(given)
        shapes = tuple(_in_one_type(record, given))
        op = normalize(record.op(**case.attrs), shapes)
        return _Query(case, op, shapes, tuple(op.infer(shapes)))
    except RlxError:
        return None


def _in_one_type(record: OpDef, shapes: Sequence[Shape | None]) -> list[Shape | None]:
    places = [i for i, shape in enumerate(shapes) if shape is not None and record.operand(i).role == "value"]
    if record.compute_dtype is None or not places:
        return list(shapes)
    common = record.compute_dtype(*(shape.dtype for i in places if (shape := shapes[i]) is not None))
    if common is None:
        return list(shapes)
    return [Shape(shape.dims, common) if i in places and shape is not None else shape for i, shape in enumerate(shapes)]


def _answer(backend: Backend, record: OpDef, cases: Sequence[_Query]) -> str:
    """Lower the cases that the device does not claim, all together."""
    others = [query for query in cases if backend.claims(query.op, query.operands, query.results) is not None]
    if not others:
        return YES
    graph = Graph(record.name)
    for number, query in enumerate(others):
        build(record, query.operands, query.case.attrs, graph=graph, prefix=f"r{number}_")
    return _refusal(backend, record, graph) or DECOMPOSED


def _refusal(backend: Backend, record: OpDef, graph: Graph) -> str | None:
    """Why a device cannot lower a graph, without optional passes."""
    try:
        backend.lower(graph, Options(fuse=False, skip=OPTIONAL), Report())
    except RlxError as error:
        return error.message.removeprefix(f"{record.name} on {backend.name}: ")
    return None
