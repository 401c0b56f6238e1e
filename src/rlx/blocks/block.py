"""Blocks: a record of level "hir" that is defined by the MIR it lowers to.

A block is defined by one function that builds MIR on Values under a fusion policy. Its shape rule, its reference and
its decomposition follow from that function, so a block has no second definition to keep in sync.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from rlx.core.dim import Relation
from rlx.core.dtype import DType
from rlx.core.enums import FusionPolicy, OpKind
from rlx.core.errors import LowerError, RlxError
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.emit import emit, into
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.graph import Graph, Ref
from rlx.ir.op import OPS, Call, Infer, Op, OpDef, define
from rlx.ir.value import Value

Lower = Callable[..., "Value | tuple[Value, ...]"]
BLOCKS: dict[str, Lower] = {}  # lowering functions by record name: lower(lowering, *operands, **attributes)


@dataclass(eq=False)
class BlockLowering:
    """The context of a block's lowering function: the fusion policy, the graph it builds in, and what was already built."""

    policy: FusionPolicy
    graph: Graph
    shared: dict[tuple[Any, ...], tuple[Ref, ...]] = field(default_factory=dict)  # values emitted once, by key
    parts: dict[int, str] = field(default_factory=dict)  # node position -> suffix of the block's label

    @property
    def direct(self) -> bool:
        """Whether blocks become fused ops."""
        return self.policy is FusionPolicy.Direct

    @contextmanager
    def part(self, suffix: str) -> Iterator[None]:
        """A scope whose nodes carry the block's label with a suffix: `[0]`, `/ffn`."""
        first = len(self.graph.nodes)
        yield
        for position in range(first, len(self.graph.nodes)):
            self.parts[position] = suffix + self.parts.get(position, "")


def block(
    name: str,
    operands: str,
    lower: Lower,
    *,
    doc: str,
    attrs: Mapping[str, Attr] | None = None,
    infer: Infer | None = None,
    results: tuple[str, ...] = ("result",),
    label: Callable[[Op], str] | None = None,
) -> OpDef:
    """Defines the block `hir.<name>`; without its own shape rule, it has the shapes of its lowering."""
    full = f"hir.{name}"
    BLOCKS[full] = lower

    def decompose(*values: Value | None, **attributes: Any) -> Value | tuple[Value, ...]:
        graph = next(value.graph for value in values if value is not None)
        return lower(BlockLowering(FusionPolicy.Fusable, graph), *values, **attributes)

    def reference(*arrays: Any, **attributes: Any) -> tuple[Any, ...]:
        shapes = [None if a is None else Shape(a.shape, DType.of(a.dtype)) for a in arrays]
        graph, outputs = _trace(full, shapes, attributes)
        graph.set_output_refs({f"y{i}": value.ref for i, value in enumerate(outputs)})
        results = evaluate_graph(graph, {f"x{i}": np.asarray(a) for i, a in enumerate(arrays) if a is not None})
        return tuple(results.values())

    def shapes_of(call: Call) -> tuple[Shape, ...]:
        check_count(call.op.definition, call.shapes)
        shapes = infer(call) if infer is not None else _lowered_shapes(call.op, call.shapes, call.assumptions)
        return shapes if isinstance(shapes, tuple) else (shapes,)

    return define(
        full,
        operands,
        infer=shapes_of,
        reference=reference,
        decompose=decompose,
        kind=OpKind.Compute,
        attrs=attrs,
        doc=doc,
        level="hir",
        results=results,
        label=label or (lambda op: name),
        cases="a block is tested through its lowering",
        vjp="lower first",
        jvp="lower first",
        batch="lower first",
    )


def op_lowering(record: OpDef) -> Lower:
    """The lowering function of a block that is one op."""
    return lambda lowering, *operands, **attrs: record(*operands, **attrs)


def check_count(record: OpDef, inputs: Sequence[object]) -> None:
    """Raises a LowerError with both counts if a required input of a block is missing, or there are extra ones."""
    required = [i for i, operand in enumerate(record.operands) if not operand.optional]
    least, most = required[-1] + 1, len(record.operands)
    given = len(inputs)
    while given and inputs[given - 1] is None:
        given -= 1
    name = record.name.removeprefix("hir.")
    if given < least:
        raise LowerError(name, least, given)
    if given > most:
        raise LowerError(name, most, given)
    missing = [record.operands[i].name for i in required if inputs[i] is None]
    if missing:
        raise LowerError(name, least, given - len(missing))


def emit_block(graph: Graph, name: str, inputs: Sequence[Any], attrs: Mapping[str, Any], node_name: str | None) -> Any:
    """Appends a block; its node's label is the path of open scopes plus the block's own label."""
    record = OPS[name if name.startswith("hir.") else f"hir.{name}"]
    check_count(record, inputs)
    assert record.label is not None
    graph.scope.append(record.label(record.op(**attrs)))
    try:
        return emit(record, inputs, dict(attrs), graph=graph, name=node_name)
    finally:
        graph.scope.pop()


def lower_block(name: str, graph: Graph, inputs: Sequence[Any], attrs: Mapping[str, Any], out_shape: Shape | None) -> Value:
    """Emits the tensor ops of a block in a MIR graph; the first result must have the type `out_shape` if given."""
    record = OPS[f"hir.{name}"]
    check_count(record, inputs)
    op = record.op(**attrs)
    given = [None if value is None else into(graph, value) for value in inputs]
    made = BLOCKS[record.name](BlockLowering(FusionPolicy.Direct, graph), *given, **op.attrs)
    value = made[0] if isinstance(made, tuple) else made
    if out_shape is not None and value.type != out_shape:
        raise RlxError("RLX102", f"{name} gives {value.type}, out_shape is {out_shape}", fix="leave out_shape out")
    return value


def _trace(
    name: str, shapes: Sequence[Shape | None], attrs: Mapping[str, Any], assumptions: Sequence[Relation] = ()
) -> tuple[Graph, tuple[Value, ...]]:
    """Lowers a block alone, on inputs x0, x1, … of these shapes."""
    graph = Graph(name.removeprefix("hir."), "mir")
    graph.assumptions = list(assumptions)
    values: list[Value | None] = []
    for index, shape in enumerate(shapes):
        leaf = None if shape is None else graph.add_node(OPS["input"].op(name=f"x{index}", shape=shape))
        values.append(None if leaf is None else Value(graph, leaf.ref))
    made = BLOCKS[name](BlockLowering(FusionPolicy.Fusable, graph), *values, **attrs)
    return graph, made if isinstance(made, tuple) else (made,)


@lru_cache(maxsize=256)
def _shapes_by_tracing(op: Op, shapes: tuple[Shape | None, ...], assumptions: tuple[Relation, ...]) -> tuple[Shape, ...]:
    _, outputs = _trace(op.name, shapes, op.attrs, assumptions)
    return tuple(value.type for value in outputs)


def _lowered_shapes(op: Op, shapes: Sequence[Shape | None], assumptions: Sequence[Relation]) -> tuple[Shape, ...]:
    """The shapes of a block's lowering; equal layers are traced once. Errors name the block."""
    try:
        return _shapes_by_tracing(op, tuple(shapes), tuple(assumptions))
    except LowerError:
        raise
    except RlxError as error:
        message = f"in {op.name.removeprefix('hir.')}: {error.message}"
        raise RlxError(error.code, message, fix=error.fix) from error
