"""Graphs from the cases of op records: one op on its own inputs, its gradients, and batches of examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rlx.core.dim import Dim
from rlx.core.dtype import DType, cast_array
from rlx.core.shape import Shape
from rlx.ir.emit import emit
from rlx.ir.evaluate import evaluate_body, shape_of
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, Op, OpDef
from rlx.ir.tolerance import Case
from rlx.ir.value import Value
from rlx.transforms.rules.derivative import differentiable
from rlx.transforms.rules.tape import pull


@dataclass(frozen=True, eq=False)
class Row:
    """One case of a record with its value operands drawn in one dtype."""

    record: OpDef
    number: int
    case: Case
    dtype: str

    @property
    def name(self) -> str:
        """A unique prefix for the row's names in a graph."""
        return f"{self.record.name}_r{self.number}_{self.dtype}_"

    @property
    def kind(self) -> str:
        """The dtype that distinguishes the rows of an op: that of its drawn values, or of its first operand."""
        samples = [sample for sample in self.case.operands if sample is not None]
        return self.dtype if not samples or any(sample.dtype == "f32" for sample in samples) else samples[0].dtype

    def __str__(self) -> str:
        return f"{self.record.name}, row {self.number} ({self.case.note}) in {self.dtype}"


def records() -> list[OpDef]:
    """The records with cases: every MIR op that computes something."""
    return [record for record in OPS if record.level == "mir" and not record.leaf and callable(record.cases)]


def rows_of(record: OpDef) -> list[Row]:
    """Every case of a record in each of its dtypes."""
    assert callable(record.cases)
    return [Row(record, number, case, dtype) for number, case in enumerate(record.cases()) for dtype in case.dtypes]


# -- one op -----------------------------------------------------------------------------------------------------
@dataclass
class Built:
    """One op in a graph with its operands as inputs x0, x1, …; `sizes` are the values of the symbols in the case."""

    graph: Graph
    op: Op
    sizes: dict[int, Dim] = field(default_factory=dict)
    prefix: str = ""

    def feed(self, arrays: Sequence[Any]) -> dict[str, Any]:
        """The case's operands, by input name."""
        return {f"{self.prefix}x{i}": array for i, array in enumerate(arrays) if array is not None}

    def results(self, outputs: Mapping[str, Any]) -> tuple[Any, ...]:
        """The op's results among the graph's outputs."""
        return tuple(array for name, array in outputs.items() if name.startswith(f"{self.prefix}y"))


def build(
    record: OpDef,
    shapes: Sequence[Shape | None],
    attrs: Mapping[str, Any],
    extra: Sequence[Dim] = (),
    graph: Graph | None = None,
    prefix: str = "",
) -> Built:
    """Builds the op on inputs of these shapes; symbols that occur in no operand get an extra input to bind them."""
    graph = graph if graph is not None else Graph(record.name)
    operands = [None if shape is None else place(graph, f"{prefix}x{i}", shape) for i, shape in enumerate(shapes)]
    for dim in extra:
        if f"size_{dim}" not in graph.inputs:
            place(graph, f"size_{dim}", Shape((dim,), "u8"))
    results = emit(record, operands, dict(attrs), graph=graph)
    op = graph.nodes[-1].op
    values = results if isinstance(results, tuple) else (results,)
    named = {f"{prefix}y{i}": value.ref for i, value in enumerate(values)}
    graph.set_output_refs({**graph.output_refs, **named})
    return Built(graph, op, prefix=prefix)


def place(graph: Graph, name: str, shape: Shape) -> Value:
    """Adds an input to a graph."""
    return Value(graph, graph.add_node(OPS["input"].op(name=name, shape=shape)).ref)


def shapes_of(arrays: Sequence[Any]) -> list[Shape | None]:
    """The shapes of operands, None for those that are missing."""
    return [None if a is None else shape_of(a) for a in arrays]


def feed(arrays: Sequence[Any]) -> dict[str, Any]:
    """Operands by input name, for a graph of one op."""
    return {f"x{i}": array for i, array in enumerate(arrays) if array is not None}


def in_one_type(record: OpDef, arrays: Sequence[Any]) -> list[Any]:
    """Value operands cast as `canonicalize` casts them: kernels see one dtype."""
    values = [i for i, a in enumerate(arrays) if a is not None and record.operand(i).role == "value"]
    if record.compute_dtype is None or not values:
        return list(arrays)
    common = record.compute_dtype(*(DType.of(arrays[i].dtype) for i in values))
    if common is None:
        return list(arrays)
    return [cast_array(a, common) if i in values else a for i, a in enumerate(arrays)]


# -- its gradients ----------------------------------------------------------------------------------------------
def has_derivative(array: Any) -> bool:
    """Whether a dtype has gradients: floats and complex numbers."""
    return differentiable(DType.of(array.dtype))


def random_like(array: Any, random: np.random.Generator) -> Any:
    """A direction or seed; zero where the value is not finite, None if it has no derivative."""
    if not has_derivative(array):
        return None
    values = random.uniform(-1, 1, array.shape)
    if array.dtype.kind == "c":
        values = values + 1j * random.uniform(-1, 1, array.shape)
    return np.where(np.isfinite(array), values, 0).astype(array.dtype)


def gradients(record: OpDef, arrays: Sequence[Any], attrs: Mapping[str, Any]) -> tuple[Graph, dict[str, Any]] | None:
    """The graph of the gradients of one op in a random direction of its results, and its inputs; None if nothing has one.

    Packed weights are not differentiated, although their scales are floats."""
    body = build(record, shapes_of(arrays), attrs).graph.freeze()
    inputs = feed(arrays)
    frozen = _packed_inputs(record, len(arrays))
    differentiated = [has_derivative(array) and name not in frozen for name, array in inputs.items()]
    random = np.random.default_rng(2)
    seeds = [random_like(array, random) for array in evaluate_body(body, list(inputs.values()))]
    if not any(differentiated) or all(seed is None for seed in seeds):
        return None
    graph = Graph("gradients")
    values = [place(graph, name, node.shape) for name, node in body.inputs.items()]
    directions = [None if seed is None else place(graph, f"u{i}", shape_of(seed)) for i, seed in enumerate(seeds)]
    slopes = pull(body, values, directions, differentiated)
    graph.set_output_refs({f"d{i}": value.ref for i, value in enumerate(slopes) if value is not None})
    return graph, {**inputs, **{f"u{i}": seed for i, seed in enumerate(seeds) if seed is not None}}


def _packed_inputs(record: OpDef, count: int) -> set[str]:
    return {f"x{i}" for i in range(count) if record.name.startswith("dequant_") and record.operand(i).role == "packed"}


# -- batches of it ----------------------------------------------------------------------------------------------
def example(array: Any, drawn: Any, number: int, fixed: bool) -> Any:
    """Operand `number` of an example of a batch: drawn again, or a valid variant of a fixed one."""
    if array is None or number == 0:
        return array
    if not fixed:
        return drawn
    if array.dtype == np.bool_ and array.ndim == 0:
        return np.asarray(bool(array) ^ bool(number % 2))
    if DType.of(array.dtype).is_integer or array.dtype == np.bool_:
        return np.roll(array, number, axis=0) if array.ndim else np.asarray(array + number).astype(array.dtype)
    return (array * np.asarray(1 + number / 4).astype(array.dtype)).astype(array.dtype)


def examples(row: Case, count: int, dtype: str | None = None) -> list[list[Any]]:
    """`count` examples of a row's operands."""
    draws = [row.arrays(seed, dtype) for seed in range(count)]
    return [
        [
            example(array, drawn, number, sample is not None and sample.fixed is not None)
            for array, drawn, sample in zip(draws[0], draws[number], row.operands, strict=True)
        ]
        for number in range(count)
    ]


def stacked(batch: Sequence[Sequence[Any]], axes: Mapping[str, int]) -> dict[str, Any]:
    """The inputs of the batched graph: operands with a batch axis, or the first example's if all share it."""
    return {
        f"x{i}": np.stack([operands[i] for operands in batch], axes[f"x{i}"]) if f"x{i}" in axes else array
        for i, array in enumerate(batch[0])
        if array is not None
    }


def one_graph(record: OpDef, row: Case, operands: Sequence[Any]) -> tuple[Graph, Op]:
    """The row's op in a graph of one example, an input for each operand."""
    built = build(record, shapes_of(operands), row.attrs, graph=Graph("example"))
    return built.graph, built.op
