"""Batching: a graph of one example becomes a graph of many. The mechanism; what an op does is its record's facet `batch`.

    batch(call, operands, axes) -> (results, axis of each result)

`call` holds the op and the shapes of *one example*. `operands` are Values, None where one is missing; `axes` says of each
whether it is batched: 0 (the driver moved its batch axis to the front) or None (the same for every example). A rule
emits ops and answers with Values and where their batch axis is, None for a result that is the same for every example.
An op without a rule of its own is batched by its decomposition.

Rules that many records share:

pointwise     operands that broadcast                          add, where, cast, fft_conv1d
leading       any number of axes in front                      fft, pack, batched_dense_solve
along_axes    axes named by attributes, which move by one      softmax, sort, narrow, reductions
axes_of_x     the same, with gains shared by all examples      layer_norm, rms_norm
in_rows       independent rows of axis 0: n·B of them          pooling, losses, recurrences
rows_of_x     any rows of x with shared weights                lora_matmul, q_matmul
one_by_one    one example after the other, in a loop           ids sampled with several keys
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from rlx.core.dim import Size
from rlx.core.dtype import i32, i64
from rlx.core.shape import Shape
from rlx.ir.emit import add_input, emit, size_scalar
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS, Call, Op
from rlx.ir.traced_bodies import with_inputs
from rlx.ir.value import Value, as_dtype, one

Axis: TypeAlias = int | None
Batched: TypeAlias = tuple[Sequence[Value], Sequence[Axis]]
Operands: TypeAlias = Sequence[Value | None]


# -- the batch axis ---------------------------------------------------------------------------------------------
def move_axis(value: Value, source: int, target: int) -> Value:
    """Moves one axis to another index; the others keep their order."""
    if source == target:
        return value
    perm = [axis for axis in range(value.rank) if axis != source]
    perm.insert(target, source)
    return one("transpose", value, perm=tuple(perm))


def in_front(value: Value, axis: Axis, size: Size) -> Value:
    """Moves the batch axis to the front; a value without one is broadcast, which copies nothing."""
    if axis is not None:
        return move_axis(value, axis, 0)
    return one("expand", value, shape=(size, *value.shape))


def batch_size(operands: Operands, axes: Sequence[Axis]) -> Size:
    """The number of examples, read off the first batched operand."""
    return next(value.shape[axis] for value, axis in zip(operands, axes, strict=True) if value is not None and axis is not None)


def example_shape(shape: Shape, axis: Axis) -> Shape:
    """The shape of one example."""
    return shape if axis is None else shape.with_dims((*shape.dims[:axis], *shape.dims[axis + 1 :]))


# -- one op -----------------------------------------------------------------------------------------------------
def batch_op(graph: Graph, op: Op, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches an op over all examples: by its rule, else by its decomposition."""
    rule = op.definition.batch
    call = Call(
        op, [None if v is None else example_shape(v.type, a) for v, a in zip(operands, axes, strict=True)], graph.assumptions
    )
    if callable(rule):
        results, result_axes = rule(call, operands, axes)
        return results, result_axes
    if op.definition.decompose is None:
        raise call.error("RLX611", f"it cannot be batched: {rule}", fix=f"give the record of {op.name} a rule or a decomposition")
    return by_parts(call, operands, axes)


def by_parts(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """The batching rule of every composition: batches its decomposition op by op."""
    decompose = call.op.definition.decompose
    assert decompose is not None, call.op.name
    graph = next(value.graph for value in operands if value is not None)
    parts = Graph(call.op.name, graph.level)
    parts.assumptions = list(graph.assumptions)
    given = [None if shape is None else add_input(parts, f"x{index}", shape) for index, shape in enumerate(call.shapes)]
    results = decompose(*given, **call.op.attrs)
    parts.set_output_refs({f"y{i}": value.ref for i, value in enumerate(results if isinstance(results, tuple) else (results,))})
    present = [(value, axis) for value, axis in zip(operands, axes, strict=True) if value is not None]
    return inline_batch(graph, parts, [value for value, _ in present], [axis for _, axis in present])


# -- many -------------------------------------------------------------------------------------------------------
class Batcher:
    """Copies nodes of one example into `graph`, batched; maps each value to its batched copy and batch axis."""

    def __init__(self, graph: Graph, made_by: str = "vmap") -> None:
        self.graph, self.made_by = graph, made_by
        self.batched_values: dict[Ref, tuple[Value, Axis]] = {}

    def bind(self, ref: Ref, value: Value, axis: Axis) -> None:
        """Declares the batched copy of a value of the example."""
        self.batched_values[ref] = value, axis

    def front(self, ref: Ref) -> tuple[Value, Axis]:
        """Returns the batched copy of a value, its batch axis (if it has one) first."""
        value, axis = self.batched_values[ref]
        if axis:
            self.batched_values[ref] = value, axis = move_axis(value, axis, 0), 0
        return value, axis

    def run(self, nodes: Iterable[Node]) -> None:
        """Batches every node whose results are not declared yet, in order."""
        for node in nodes:
            if not node.outputs or not all(ref in self.batched_values for ref in node.outputs):
                self._apply(node)

    def _apply(self, node: Node) -> None:
        first = len(self.graph.nodes)
        operands, axes = self._operands(node)
        shared = all(axis is None for axis in axes)
        results, places = self._copy_once(node, operands) if shared else batch_op(self.graph, node.op, operands, axes)
        origin = replace(node.origin, made_by=self.made_by)
        for position in range(first, len(self.graph.nodes)):
            made = self.graph.nodes[position]
            name = node.name if len(node.results) == 1 and position == results[0].ref.node else made.name
            self.graph.nodes[position] = replace(made, origin=origin, name=name)
        for ref, value, axis in zip(node.outputs, results, places, strict=True):
            self.bind(ref, value, axis)

    def _copy_once(self, node: Node, operands: Operands) -> Batched:
        """Copies a node that all examples share, to compute it once."""
        inputs = [None if value is None else value.ref for value in operands]
        made = self.graph.add_node(node.op, inputs, results=node.results, name=node.name, origin=node.origin)
        return [Value(self.graph, ref) for ref in made.outputs], [None] * len(made.outputs)

    def _operands(self, node: Node) -> tuple[list[Value | None], list[Axis]]:
        pairs = [(None, None) if ref is None else self.front(ref) for ref in node.inputs]
        return [value for value, _ in pairs], [axis for _, axis in pairs]


def inline_batch(graph: Graph, body: Graph, operands: Sequence[Value], axes: Sequence[Axis]) -> tuple[list[Value], list[Axis]]:
    """Inlines a body of one example into `graph` for all examples; returns its outputs."""
    for fact in body.assumptions:
        graph.assume(fact)
    batcher = Batcher(graph)
    for leaf, value, axis in zip(body.inputs.values(), operands, axes, strict=True):
        batcher.bind(leaf.ref, value, axis)
    batcher.run(body.nodes)
    pairs = [batcher.batched_values[ref] for ref in body.output_refs.values()]
    return [value for value, _ in pairs], [axis for _, axis in pairs]


def batch_body(body: Graph, axes: Sequence[Axis], size: Size, forced: Sequence[bool] = ()) -> tuple[Graph, list[Axis]]:
    """Builds the body for all examples, not frozen; returns it with the batch axis of each output, 0 or None.

    Inputs with an axis get the batch in front; outputs `forced` to be batched are repeated where they are not.
    """
    made = Graph(body.name, body.level)
    made.assumptions, made.symbols = list(body.assumptions), dict(body.symbols)
    operands = []
    for (name, leaf), axis in zip(body.inputs.items(), axes, strict=True):
        operands.append(add_input(made, name, leaf.shape if axis is None else leaf.shape.with_dims((size, *leaf.shape.dims))))
    values, axes_of_results = inline_batch(made, body, operands, axes)
    places: list[Axis] = []
    outputs: dict[str, Ref] = {}
    for index, (name, value, axis) in enumerate(zip(body.output_refs, values, axes_of_results, strict=True)):
        whole = axis is not None or (index < len(forced) and forced[index])
        outputs[name] = in_front(value, axis, size).ref if whole else value.ref
        places.append(0 if whole else None)
    made.set_output_refs(outputs)
    return made, places


# -- rules that many records share


Rule: TypeAlias = Callable[[Call, Operands, Sequence[Axis]], Batched]


# -- pieces of rules --------------------------------------------------------------------------------------------
def again(call: Call, operands: Operands, **changes: Any) -> tuple[Value, ...]:
    """Emits the same op on other operands, with some attributes changed; returns all its results."""
    results = emit(call.op.definition, operands, {**call.op.attrs, **changes})
    return results if isinstance(results, tuple) else (results,)


def with_batch_axis(results: Sequence[Value], axis: Axis = 0) -> Batched:
    """Pairs results with their common batch axis."""
    return results, [axis] * len(results)


def align_example_axes(value: Value | None, axis: Axis, rank: int) -> Value | None:
    """Inserts axes of size 1 behind the batch axis, so that the example broadcasts as one of that rank."""
    if value is None or axis is None or value.rank == rank + 1:
        return value
    return value.reshape(value.shape[0], *(1,) * (rank + 1 - value.rank), *value.shape[1:])


def all_in_front(operands: Operands, axes: Sequence[Axis]) -> list[Value | None]:
    """Moves every batch axis to the front; broadcasts operands that all examples share."""
    size = batch_size(operands, axes)
    return [None if value is None else in_front(value, axis, size) for value, axis in zip(operands, axes, strict=True)]


def merge_batch(value: Value, axis: Axis, size: Size) -> Value:
    """Reshapes `[n, B, …]` to `[n·B, …]`."""
    whole = in_front(value, axis, size)
    return whole.reshape(whole.shape[0] * whole.shape[1], *whole.shape[2:])


def split_batch(call: Call, results: Sequence[Value], size: Size) -> Batched:
    """Reshapes results `[n·B, …]` to `[n, B, …]`."""
    examples = call.op.infer(call.shapes, call.assumptions)
    return with_batch_axis([value.reshape(size, *example.dims) for value, example in zip(results, examples, strict=True)])


def any_has_batch(axes: Sequence[Axis], indices: Sequence[int]) -> bool:
    """Whether one of these operands is batched; missing ones are not."""
    return any(index < len(axes) and axes[index] is not None for index in indices)


# -- rules ------------------------------------------------------------------------------------------------------
def pointwise(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batching rule of ops whose operands broadcast: the examples of batched ones get the rank of the result."""
    rank = max(shape.rank for shape in call.given)
    return with_batch_axis(again(call, [align_example_axes(value, axis, rank) for value, axis in zip(operands, axes, strict=True)]))


def leading(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batching rule of an op on the last axes, with any number of leading axes: the batch is one more."""
    return with_batch_axis(again(call, all_in_front(operands, axes)))


def along_axes(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batching rule of an op along axes that attributes name: the axes are shifted behind the batch."""
    return with_batch_axis(again(call, all_in_front(operands, axes), **_axes_behind(call)))


def axes_of_x(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """`along_axes` with operands along these axes, a gain and a shift: the op decomposes where one of these is batched."""
    if any_has_batch(axes, range(1, len(axes))):
        return by_parts(call, operands, axes)
    return with_batch_axis(again(call, operands, **_axes_behind(call)))


def _axes_behind(call: Call) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for name, attr in call.op.definition.attrs.items():
        value = call.op.attrs[name]
        if attr.kind == "axis" and value is not None:
            changes[name] = value + 1
        elif attr.kind == "axes" and value is not None:
            changes[name] = tuple(axis + 1 for axis in value)
    return changes


def in_rows(*shared: int) -> Rule:
    """Batching rule of an op on independent rows: merges the batch into axis 0. Where weights at `shared` are batched, it decomposes."""

    def rule(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
        if any_has_batch(axes, shared):
            return by_parts(call, operands, axes)
        size = batch_size(operands, axes)
        given = [
            value if value is None or index in shared else merge_batch(value, axis, size)
            for index, (value, axis) in enumerate(zip(operands, axes, strict=True))
        ]
        return split_batch(call, again(call, given), size)

    return rule


def rows_of_x(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batching rule of a product of rows `[…, K]` with weights: unchanged if only the rows are batched, else it decomposes."""
    if any_has_batch(axes, range(1, len(axes))):
        return by_parts(call, operands, axes)
    return with_batch_axis(again(call, operands))


def one_by_one(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batching rule that scans over the examples: the step is the op itself, so every bit is what a loop would give."""
    graph = next(value.graph for value in operands if value is not None)
    body = Graph(call.op.name, graph.level)
    body.assumptions = list(graph.assumptions)
    inside = [
        None if shape is None else body.add_node(OPS["input"].op(name=f"x{index}", shape=shape)).ref
        for index, shape in enumerate(call.shapes)
    ]
    step = body.add_node(call.op, inside)
    body.set_output_refs({f"y{index}": ref for index, ref in enumerate(step.outputs)})
    given = [index for index, value in enumerate(operands) if value is not None]
    order = sorted(given, key=lambda index: axes[index] is not None)
    rows = sum(axes[index] is not None for index in given)
    attrs = {
        "body": with_inputs(body, [given.index(index) for index in order]),
        "length": batch_size(operands, axes),
        "num_carry": 0,
        "num_bcast": len(given) - rows,
        "num_xs": rows,
    }
    return with_batch_axis(emit(OPS["scan"], [operands[index] for index in order], attrs))


# -- positions --------------------------------------------------------------------------------------------------
def positions_of_all(indices: Value, size: Size, *, keep_outside: bool) -> Value:
    """Converts indices `[n, …]` into an axis of `size` to indices into the n axes laid end to end.

    A negative index counts from the end of its own axis. One outside is clamped to its own axis; with `keep_outside` it
    lies past the end of all of them, so that it reads, writes or raises as it did.
    """
    count = indices.shape[0]
    total = count * size
    fits = isinstance(total, int) and total < 2**31 and indices.dtype.name in ("i8", "i16", "i32", "u8", "u16")
    kind = i32 if fits else i64
    if indices.dtype.name == "u64":
        indices = one("min", indices, 2**63 - 1)
    index = as_dtype(indices, kind)
    length = size_scalar(indices, size, kind)
    index = one("where", index < 0, index + length, index)
    example: Value = emit(
        OPS["iota"], (), {"shape": (count, *(1,) * (indices.rank - 1)), "axis": 0, "dtype": kind}, graph=indices.graph
    )
    within = one("clamp", index, 0, length - 1) + example * length
    if keep_outside:
        within = one("where", (index < 0) | (index >= length), size_scalar(indices, total, kind), within)
    return within
