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
from rlx.ir.op import Op, OpDef
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
    found: dict[str, list[_Asked]] = {}
    for case in record.cases():
        for kind in _kinds(case):
            asked = _asked(record, case, kind) if dtype is None or kind == dtype else None
            if asked is not None:
                found.setdefault(kind, []).append(asked)
    return [
        Support(record.name, one.name, _answer(backend, record, found[one.name])) for one in ALL if one.name in found
    ]


@dataclass(frozen=True)
class _Asked:
    """A case in one dtype, as passes ask a backend about it: value operands in one type."""

    case: Case
    op: Op
    operands: tuple[Shape | None, ...]
    results: tuple[Shape, ...]


def _kinds(case: Case) -> list[str]:
    """The dtypes to try: all of them where the case draws values, else what it has."""
    samples = [sample for sample in case.operands if sample is not None]
    return (
        [one.name for one in ALL]
        if any(sample.dtype == "f32" for sample in samples)
        else [samples[0].dtype if samples else "f32"]
    )


def _asked(record: OpDef, case: Case, kind: str) -> _Asked | None:
    """The case with its values in a dtype; None where its op does not accept that."""
    given = [None if s is None else Shape(s.dims, kind if s.dtype == "f32" else s.dtype) for s in case.operands]
    try:
        normalize(record.op(**case.attrs), given).infer(given)
        shapes = tuple(_in_one_type(record, given))
        op = normalize(record.op(**case.attrs), shapes)
        return _Asked(case, op, shapes, tuple(op.infer(shapes)))
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


def _answer(backend: Backend, record: OpDef, cases: Sequence[_Asked]) -> str:
    """The cases that the device does not claim are lowered together."""
    others = [asked for asked in cases if backend.claims(asked.op, asked.operands, asked.results) is not None]
    if not others:
        return YES
    graph = Graph(record.name)
    for number, asked in enumerate(others):
        build(record, asked.operands, asked.case.attrs, graph=graph, prefix=f"r{number}_")
    return _refusal(backend, record, graph) or DECOMPOSED


def _refusal(backend: Backend, record: OpDef, graph: Graph) -> str | None:
    """Why a device cannot lower a graph, without what only makes it faster."""
    try:
        backend.lower(graph, Options(fuse=False, skip=OPTIONAL), Report())
    except RlxError as error:
        return error.message.removeprefix(f"{record.name} on {backend.name}: ")
    return None
