"""The modes: each gives an outcome for every row of one record."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from rlx.backends.base import Backend
from rlx.backends.conformance.cases import (
    Built,
    Row,
    build,
    examples,
    gradients,
    in_one_type,
    one_graph,
    rows_of,
    shapes_of,
    stacked,
)
from rlx.backends.conformance.supported import DeviceProgram, agree, same_bits, within
from rlx.core.dim import evaluate
from rlx.core.errors import RlxError
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.graph import Graph
from rlx.ir.op import Call, OpDef
from rlx.ir.tolerance import SAFETY, carried
from rlx.transforms.vmap import vmap

NOT_SUPPORTED = "RLX403"
EXAMPLES = 2
_SECONDS = 0.02  # seconds per timed case


@dataclass(frozen=True)
class CaseOutcome:
    """The outcome of a row. `state` is "ok", "planned", "not supported" or "FAIL"; `worst` the largest error relative to its bound."""

    row: Row
    state: str
    detail: str = ""
    worst: float = 0.0


Judge = Callable[[Backend, Row], CaseOutcome]


def outcomes(backend: Backend, mode: str, record: OpDef, dtype: str | None = None) -> list[CaseOutcome]:
    """Every row of a record (of one dtype) in one mode."""
    rows = [row for row in rows_of(record) if dtype is None or row.kind == dtype]
    return MODES[mode](backend, rows)


# -- test -------------------------------------------------------------------------------------------------------
def test(backend: Backend, rows: Sequence[Row]) -> list[CaseOutcome]:
    """Tests through all passes, and with the kernel alone if the device claims the op: the worse of both."""
    first = compiled(backend, rows)
    second = {outcome.row: outcome for outcome in alone(backend, rows)} if backend.computes else {}
    order = ("ok", "planned", "not supported", "FAIL")
    pairs = ((outcome, second.get(outcome.row, outcome)) for outcome in first)
    return [max(pair, key=lambda outcome: (order.index(outcome.state), outcome.worst)) for pair in pairs]


def compiled(backend: Backend, rows: Sequence[Row]) -> list[CaseOutcome]:
    """Runs the rows through all passes: in one graph, which is faster, or one by one if the device does not accept that graph."""
    return _together(backend, [(row, row.case.arrays(1, row.dtype)) for row in rows], False)


def alone(backend: Backend, rows: Sequence[Row]) -> list[CaseOutcome]:
    """Runs the rows that the device claims as they are, with their kernels, without any pass."""
    chosen = []
    for row in rows:
        operands = in_one_type(row.record, row.case.arrays(0, row.dtype))
        built = build(row.record, shapes_of(operands), row.case.attrs)
        node = built.graph.nodes[-1]
        has_bodies = any(True for _ in node.op.graphs()) and not node.op.is_fused  # whose ops passes have to see first
        if not has_bodies and backend.claims(node.op, tuple(shapes_of(operands)), node.results) is None:
            chosen.append((row, operands))
    return _together(backend, chosen, True)


def _together(backend: Backend, rows: Sequence[tuple[Row, list[Any]]], by_kernel: bool) -> list[CaseOutcome]:
    """Runs rows in one graph; if that fails, each separately."""
    if not rows:
        return []
    graph = Graph(rows[0][0].record.name)
    built = [build(row.record, shapes_of(operands), row.case.attrs, graph=graph, prefix=row.name) for row, operands in rows]
    inputs = {name: array for one, (_, operands) in zip(built, rows, strict=True) for name, array in one.feed(operands).items()}
    try:
        program = DeviceProgram(backend, graph, by_kernel)
        outputs = program.run(inputs)
        if backend.computes and not by_kernel:
            _same_on_two_threads(program, inputs, outputs)
    except Exception as error:  # the failing row is found by running each separately
        if len(rows) > 1:
            return [outcome for row in rows for outcome in _together(backend, [row], by_kernel)]
        return [_outcome_of_error(rows[0][0], error)]
    return [_judge(backend, row, one, operands, outputs) for one, (row, operands) in zip(built, rows, strict=True)]


def _judge(backend: Backend, row: Row, built: Built, operands: Sequence[Any], outputs: dict[str, Any]) -> CaseOutcome:
    if not backend.computes:
        return CaseOutcome(row, "planned")
    try:
        return CaseOutcome(row, "ok", worst=agree(built.op, operands, built.results(outputs), str(row)))
    except AssertionError as error:
        return CaseOutcome(row, "FAIL", str(error))


def _same_on_two_threads(program: DeviceProgram, given: dict[str, Any], outputs: dict[str, Any]) -> None:
    """Checks that one thread and two give the same bits, if the device has threads."""
    backend = program.backend
    before = backend.thread_count()
    other = 1 if before > 1 else 2
    backend.set_threads(other)
    try:
        if backend.thread_count() == other:
            again = program.run(given)
            same_bits(list(outputs.values()), list(again.values()), f"{before} threads and {other}")
    finally:
        backend.set_threads(before)


def _outcome_of_error(row: Row, error: Exception) -> CaseOutcome:
    """The outcome of an error of a device: a reason not to support the row, or a failure."""
    if isinstance(error, RlxError) and error.code == NOT_SUPPORTED:
        return CaseOutcome(row, "not supported", error.message)
    if isinstance(error, AssertionError):
        return CaseOutcome(row, "FAIL", f"{row}: {error}")
    return CaseOutcome(row, "FAIL", f"{row}: {type(error).__name__}: {error}")


def _one_by_one(judge: Judge) -> Callable[[Backend, Sequence[Row]], list[CaseOutcome]]:
    def each(backend: Backend, rows: Sequence[Row]) -> list[CaseOutcome]:
        each_outcome = []
        for row in rows:
            try:
                each_outcome.append(judge(backend, row))
            except Exception as error:
                each_outcome.append(_outcome_of_error(row, error))
        return each_outcome

    return each


# -- grad -------------------------------------------------------------------------------------------------------
def grad(backend: Backend, row: Row) -> CaseOutcome:
    """Checks the gradients of a case within the propagated bounds of the ops of their graph, evaluated in f64."""
    if not row.record.has("vjp"):
        return CaseOutcome(row, "not supported", f"no vjp: {row.record.vjp or 'it was registered without one'}")
    if row.record.name == "while" and row.case.attrs.get("max_iterations") is None:
        return CaseOutcome(row, "not supported", "no vjp: a loop without max_iterations")
    made = gradients(row.record, row.case.arrays(1, row.dtype), row.case.attrs)
    if made is None:
        return CaseOutcome(row, "not supported", "no vjp: nothing here is differentiable")
    graph, inputs = made
    outputs = DeviceProgram(backend, graph).run(inputs)
    if not backend.computes:
        return CaseOutcome(row, "planned")

    def evaluated() -> tuple[Any, ...]:
        return tuple(evaluate_graph(graph, inputs, wide=True).values())

    worst = 0.0
    for name, expected, error in zip(graph.output_refs, evaluated(), carried(evaluated), strict=True):
        gradient = outputs[name]
        worst = max(worst, within(gradient, expected, SAFETY * error + np.finfo(np.float32).tiny, f"gradient {name}"))
    return CaseOutcome(row, "ok", worst=worst)


# -- vmap -------------------------------------------------------------------------------------------------------
def batched(backend: Backend, row: Row) -> CaseOutcome:
    """Checks the case on several examples at once, each operand with a batch axis."""
    if all(sample is None for sample in row.case.operands):
        return CaseOutcome(row, "not supported", "no operand to batch")
    batch = examples(row.case, EXAMPLES, row.dtype)
    graph, op = one_graph(row.record, row.case, batch[0])
    axes = dict.fromkeys(graph.inputs, 0)
    outputs = DeviceProgram(backend, vmap(graph, axes, axis_size=EXAMPLES).into_graph()).run(stacked(batch, axes))
    if not backend.computes:
        return CaseOutcome(row, "planned")
    worst = 0.0
    for number, operands in enumerate(batch):
        worst = max(worst, agree(op, operands, [array[number] for array in outputs.values()], f"{row}, example {number}"))
    return CaseOutcome(row, "ok", worst=worst)


# -- perf -------------------------------------------------------------------------------------------------------
def perf(backend: Backend, row: Row) -> CaseOutcome:
    """Times a case."""
    operands = row.case.arrays(1, row.dtype)
    built = build(row.record, shapes_of(operands), row.case.attrs)
    run = DeviceProgram(backend, built.graph).prepared_run(built.feed(operands))
    run()
    times: list[float] = []
    end = time.perf_counter() + _SECONDS
    while len(times) < 5 or (time.perf_counter() < end and len(times) < 1000):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    shapes, results = shapes_of(operands), built.graph.nodes[-1].results
    cost = row.record.cost
    operations = 0 if cost is None else evaluate(cost(Call(built.op, shapes), results), {})
    moved = sum(evaluate(shape.size_bytes, {}) for shape in (*shapes, *results) if shape is not None)
    seconds = median(times)
    detail = f"{seconds * 1e6:10.2f} us {operations / seconds / 1e9:9.3f} GFLOP/s {moved / seconds / 1e9:9.3f} GB/s"
    return CaseOutcome(row, "ok", f"{detail}  {row.case.note}")


MODES: dict[str, Callable[[Backend, Sequence[Row]], list[CaseOutcome]]] = {
    "test": test,
    "grad": _one_by_one(grad),
    "vmap": _one_by_one(batched),
    "perf": _one_by_one(perf),
}
