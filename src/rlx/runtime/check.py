"""rlx.check: compares every op of an executable with the f64 reference, on the values it actually computed.

Errors do not accumulate: each op is checked on its actual operands, so the first row that fails shows where the bug is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rlx.backends.base import Array
from rlx.backends.registry import find_backend
from rlx.core.device_array import on_host
from rlx.core.dtype import DType
from rlx.core.errors import check_is
from rlx.ir.evaluate import evaluate_graph, evaluate_op
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.pattern import Rewriter
from rlx.ir.tolerance import exact, first_of, widest
from rlx.passes.entry import Context
from rlx.passes.select_dequant import select_dequant
from rlx.runtime.executable import Executable
from rlx.runtime.session import Session, declarations

_LARGEST = {"f16": 65504.0, "bf16": 3.38953139e38, "f32": 3.40282347e38, "c64": 3.40282347e38}  # the largest finite value


@dataclass(frozen=True)
class Checked:
    """A row of `exe.check`: one result of one op. `ratio` is its largest error over the op's tolerance: more than 1 is wrong."""

    stage: str  # "prepare", "compiled" (as the executable runs it), "op by op" (nothing fused)
    op: str
    where: str
    ratio: float
    error: float
    wrong: int
    count: int
    example: str = ""

    @property
    def ok(self) -> bool:
        """Every element is within its bound."""
        return self.wrong == 0

    def __str__(self) -> str:
        state = "ok   " if self.ok else "WRONG"
        text = f"{state} {self.stage:9} {self.error:10.3g} {self.ratio:9.3g}  {self.op}  {self.where}"
        return text if self.ok else f"{text}\n        {self.wrong} of {self.count} elements, first {self.example}"


@dataclass(frozen=True)
class CheckReport:
    """The rows of `exe.check` in the order of the schedule; prints as a table. `ok` is about the executable as it runs."""

    rows: tuple[Checked, ...]

    @property
    def ok(self) -> bool:
        """Everything the executable runs is correct."""
        return all(row.ok for row in self.rows if row.stage != "op by op")

    @property
    def first(self) -> Checked | None:
        """The first op whose error exceeds its tolerance: the op itself if it is also wrong unfused, else the fused command."""
        if self.ok:
            return None
        alone = next((row for row in self.rows if not row.ok and row.stage == "op by op"), None)
        return alone or next(row for row in self.rows if not row.ok)

    def __str__(self) -> str:
        lines = ["      stage          error  of bound  op", *(str(row) for row in self.rows)]
        first = self.first
        lines.append("every op is within its tolerance" if first is None else f"first wrong: {first.op} ({first.where})")
        return "\n".join(lines)


def check(exe: Executable, inputs: Mapping[str, Any] | None = None) -> CheckReport:
    """Run every op of an executable and compare it with its f64 reference; names the first op whose error exceeds its tolerance.

    The executable's own commands are run with every intermediate value kept, then the same graph without fusion. States and params
    are not changed.

    >>> import numpy as np; from rlx import Graph, compile
    >>> g = Graph("double"); x = g.input("x", (2,), "f32"); g.set_outputs({"y": x + x})
    >>> check(compile(g), {"x": np.ones(2, np.float32)}).ok
    True
    """
    check_is(exe, Executable, "RLX406", "the executable to check", "check(rlx.compile(graph), {name: array, …})")
    leaves, sizes = exe.leaves({} if inputs is None else inputs)
    for name in exe.graph.params:
        leaves = {**leaves, **exe.session.entries[name].values_as_set(name)}
    written = _taken_apart(exe.graph)
    if exe.session.device == "reference":  # the definition itself
        return CheckReport(tuple(_judge("compiled", written, _evaluate(written, leaves, sizes), sizes)))
    rows: list[Checked] = []
    lir = exe.lir
    if lir.prepare is not None:
        values = _compute(exe, lir.prepare.graph, leaves, {})
        rows += _judge("prepare", lir.prepare.graph, values, {})
        leaves = {**leaves, **{name: values[ref] for name, ref in lir.prepare.graph.output_refs.items()}}
    rows += _judge("compiled", lir.graph, _compute(exe, lir.graph, leaves, sizes), sizes)
    rows += _judge("op by op", written, _one_by_one(exe, written, leaves), sizes)
    return CheckReport(tuple(rows))


# -- every value of a graph
def _name(ref: Ref) -> str:
    return f"value.{ref.node}.{ref.index}"


def _observe_all(graph: Graph) -> Graph:
    """Builds the graph with every computed value as an output, and without updates."""
    rewriter = Rewriter(graph, "check", level="mir")
    for node in graph.nodes:
        rewriter.copy(node)
    made = rewriter.graph
    made.set_output_refs(
        {_name(ref): rewriter.ref(ref) for node in graph.nodes if not node.op.definition.leaf for ref in node.outputs}
    )
    return made


def _with_leaves(graph: Graph, leaves: Mapping[str, Array], found: Mapping[str, Array]) -> dict[Ref, Array]:
    values: dict[Ref, Array] = {}
    for node in graph.nodes:
        if node.op.is_constant:
            values[node.ref] = node.op["value"].array
        elif node.op.definition.leaf:
            values[node.ref] = leaves[node.op["name"]]
        else:
            values.update({ref: found[_name(ref)] for ref in node.outputs})
    return values


def _compute(exe: Executable, graph: Graph, leaves: Mapping[str, Array], sizes: Mapping[str, int]) -> dict[Ref, Array]:
    """Computes every value of an optimized graph by the executable's commands."""
    observed = _observe_all(graph)
    if not observed.output_refs:
        return _with_leaves(graph, leaves, {})
    backend = find_backend(exe.session.device).accept(exe.code, exe.graph.name)
    runner, _ = backend.compile_as_planned(observed).runners(tuple(observed.inputs), tuple(observed.output_refs))
    for name in (*observed.params, *observed.states):
        runner.attach(name, exe.session.to_device(leaves[name]))
    outputs = {name: observed.shape(ref).bind(sizes) for name, ref in observed.output_refs.items()}
    arrays = exe.session.arrays
    results = {name: arrays.empty([int(size) for size in shape.dims], shape.dtype) for name, shape in outputs.items()}
    inputs = [exe.session.to_device(leaves[name]) for name in observed.inputs]
    runner.run(sizes, inputs, list(results.values()))
    return _with_leaves(graph, leaves, {name: on_host(array) for name, array in results.items()})


def _taken_apart(graph: Graph) -> Graph:
    """Splits each packed param of a graph into its stored arrays, which references can read."""
    return select_dequant(graph, Context(find_backend("reference")))[0]


def _one_by_one(exe: Executable, graph: Graph, leaves: Mapping[str, Array]) -> dict[Ref, Array]:
    """Computes every value of the graph as written, without fusion."""
    from rlx.runtime.compile import compile_module

    observed = _observe_all(graph)
    if not observed.output_refs:
        return _with_leaves(graph, leaves, {})
    session = Session(exe.session.device)
    for name, entry in declarations(observed).items():
        session.declare(name, replace(entry, array=session.to_device(leaves[name]), version=1))
    values = compile_module(observed, session=session, fuse=False).run({name: leaves[name] for name in observed.inputs})
    return _with_leaves(graph, leaves, {name: on_host(array) for name, array in values.items()})


def _evaluate(graph: Graph, leaves: Mapping[str, Array], sizes: Mapping[str, int]) -> dict[Ref, Array]:
    """Computes every value by the references of the op records, in the dtypes of the graph."""
    values: dict[Ref, Array] = {}
    evaluate_graph(graph, leaves, sizes, watch=lambda node, results: values.update(zip(node.outputs, results, strict=True)))
    return values


# -- comparing
def _judge(stage: str, graph: Graph, values: Mapping[Ref, Array], sizes: Mapping[str, int]) -> list[Checked]:
    rows = []
    for node in graph.nodes:
        if not node.op.definition.leaf:
            operands = [None if ref is None else values[ref] for ref in node.inputs]
            rows += _compare(stage, node, operands, [values[ref] for ref in node.outputs], sizes)
    return rows


def _compare(
    stage: str, node: Node, operands: Sequence[Array | None], found: Sequence[Array], sizes: Mapping[str, int]
) -> list[Checked]:
    """Compares the results of one node with its reference on the same operands."""
    op, shapes = node.op.bind(sizes), [shape.bind(sizes) for shape in node.results]
    tolerance = op.definition.tolerance or exact()
    rounded = tolerance.bits_known
    expected = evaluate_op(op, operands, shapes, wide=not rounded)
    bounds = [np.zeros(array.shape) for array in found] if rounded else tolerance.bounds(op, operands, expected, shapes)
    rows = []
    for index, (array, wanted, bound) in enumerate(zip(found, expected, bounds, strict=True)):
        left, right = widest(array), widest(wanted)
        with np.errstate(all="ignore"):
            error = np.abs(left - right) if left.dtype.kind in "fc" else np.abs(left.astype(np.float64) - right.astype(np.float64))
            fine = (left == right) | (error <= bound)
            if left.dtype.kind in "fc":
                fine |= np.isnan(left) & np.isnan(right)
            largest = _LARGEST.get(DType.of(array.dtype).name)
            if largest is not None:
                fine |= np.isinf(left) & (np.sign(left) == np.sign(right)) & (np.abs(right) + bound >= largest)
            error = np.where((left == right) | ~np.isfinite(error), np.where(fine, 0.0, np.inf), error)
            ratio = np.where(error == 0, 0.0, error / np.maximum(bound, 1e-300))
        wrong = int(np.count_nonzero(~fine))
        example = first_of(~fine, array, wanted) if wrong else ""
        name = _describe(node) + (f" result {index}" if len(found) > 1 else "")
        worst, largest_error = (float(np.max(values, initial=0.0)) for values in (ratio, error))
        rows.append(Checked(stage, name, str(node.origin), worst, largest_error, wrong, fine.size, example))
    return rows


def _describe(node: Node) -> str:
    if not node.op.is_fused:
        return node.op.name
    inner = " + ".join(inner.op.name for inner in node.op["body"].nodes if not inner.op.definition.leaf)
    return f"fused {node.op['kind']} ({inner})"
