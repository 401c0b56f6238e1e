"""Regions: elementwise code and reductions over one iteration space, as one kernel.

`lower_region` takes a `fused` op; `lower_elementwise` and `lower_reduce` take a single record as a region of one node.
What cannot be one kernel gets a reason, and the compiler splits it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.kernels.region.columns import ColumnCode, TileCode
from rlx.backends.cpu.kernels.region.rows import RowCode
from rlx.backends.cpu.kernels.region.schedule import Plan, plan_of
from rlx.backends.cpu.kernels.region.space import Axis, Refused, Space, Term, space_of
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size
from rlx.ir.graph import Graph, dense_strides, single_op_graph
from rlx.ir.op import Op


def lower_region(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower a `fused` op whose body is elementwise nodes, broadcasts and reductions over one set of axes."""
    return _lower_body(op["body"], ("region", op), inputs, outputs, target)


def lower_elementwise(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower one elementwise op as a region of one node."""
    return _lower_body(_body(op, inputs, outputs), (op.name, op), inputs, outputs, target)


def lower_reduce(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower one reduction as a region of one node."""
    return _lower_body(_body(op, inputs, outputs), (op.name, op), inputs, outputs, target)


def _body(op: Op, inputs: Sequence[Tensor | None], outputs: Sequence[Tensor]) -> Graph:
    shapes = [None if tensor is None else tensor.shape for tensor in inputs]
    return single_op_graph(op, shapes, [tensor.shape for tensor in outputs])


def _lower_body(
    body: Graph, key: Hashable, inputs: Sequence[Tensor | None], outputs: Sequence[Tensor], target: Target
) -> Lowering | str:
    try:
        space = space_of(body, inputs, outputs)
        plan = plan_of(space, target)
    except Refused as reason:
        return str(reason)
    if plan.chunk is not None:
        return _two_stages(plan, key, inputs, outputs, target)
    operands = tuple(range(len(inputs) + len(outputs)))
    stage = Stage("region", key, operands, plan.units, partial(_emit_region, plan=plan, operands=operands), plan.scratch)
    return Lowering((stage,), in_place=_in_place(plan, inputs, outputs))


def _emit_region(code: KernelCode, plan: Plan, operands: tuple[int, ...], partials: dict[int, int] | None = None) -> None:
    (RowCode if plan.by_rows else TileCode if plan.staged else ColumnCode)(code, plan, operands).emit(partials)


# -- few long rows ----------------------------------------------------------------------------------------------
def _two_stages(plan: Plan, key: Hashable, inputs: Sequence[Tensor | None], outputs: Sequence[Tensor], target: Target) -> Lowering:
    """Lower a region in two stages: chunks of the rows in parallel, then their partial results in sequence."""
    space, tensors = plan.space, len(inputs) + len(outputs)
    (sweep,) = plan.sweeps
    chunks = plan.chunks
    columns: tuple[Size, ...] = () if plan.by_rows else (space.axes[plan.vector].size,)
    dims = (*(space.axes[axis].size for axis in plan.outer), chunks, *columns)
    temporaries = tuple(Tensor(space.terms[index].dtype.compute, dims, dense_strides(dims)) for index in sweep.reductions)
    partials = {index: tensors + position for position, index in enumerate(sweep.reductions)}
    loads = {space.terms[t].tensor for t in plan.live if space.terms[t].kind == "load"}
    full = [output.tensor for output in space.outputs if len(output.axes) == len(space.axes)]
    first = tuple(sorted({*loads, *full, *partials.values()}))
    one = Stage(
        "region_chunks",
        (key, 1),
        first,
        plan.units,
        partial(_emit_region, plan=plan, operands=first, partials=partials),
        plan.scratch,
    )
    rest = plan_of(_of_partials(plan, partials, chunks), target, complete_rows=True)
    loads = {rest.space.terms[t].tensor for t in rest.live if rest.space.terms[t].kind == "load"}
    second = tuple(sorted({*loads, *(output.tensor for output in rest.space.outputs)}))
    two = Stage("region_total", (key, 2), second, rest.units, partial(_emit_region, plan=rest, operands=second), rest.scratch)
    in_place = [pair for pair in _in_place(plan, inputs, outputs) if pair[0] not in second]
    return Lowering((one, two), temporaries, tuple(in_place))


def _of_partials(plan: Plan, partials: dict[int, int], chunks: Size) -> Space:
    """The space of the second stage: the outer axes, the chunks (folded), the columns. Terms keep their meaning, but
    reductions fold partial results, and what only the first stage needs becomes an unused number."""
    space = plan.space
    order = [*plan.outer, None, *([] if plan.by_rows else [plan.vector])]
    number = {axis: index for index, axis in enumerate(order) if axis is not None}
    axes = tuple(Axis(chunks, reduced=True) if axis is None else space.axes[axis] for axis in order)
    dense = dense_strides([axis.size for axis in axes])

    def renumber(names: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(number[axis] for axis in names if axis in number))

    def row(strides: Sequence[Size]) -> tuple[Size, ...]:
        return tuple(0 if axis is None else strides[axis] for axis in order)

    terms: list[Term] = []
    extra: list[Term] = []
    for index, term in enumerate(space.terms):
        if index in partials:
            load = Term("load", term.dtype.compute, tuple(range(len(axes))), tensor=partials[index], strides=dense)
            inputs = (len(space.terms) + len(extra),)
            extra.append(load)
            terms.append(replace(term, axes=renumber(term.axes), inputs=inputs, over=(order.index(None),)))
        elif plan.inner(index):
            terms.append(Term("number", term.dtype, value=0, strides=(0,) * len(axes)))
        else:
            strides = row(term.strides) if term.in_memory else ()
            terms.append(replace(term, axes=renumber(term.axes), over=renumber(term.over), strides=strides))
    outputs = tuple(
        replace(output, axes=renumber(output.axes), strides=row(output.strides))
        for output in space.outputs
        if len(output.axes) < len(space.axes)
    )
    return Space(axes, (*terms, *extra), outputs)


# -- sharing memory ---------------------------------------------------------------------------------------------
def _in_place(plan: Plan, inputs: Sequence[Tensor | None], outputs: Sequence[Tensor]) -> tuple[tuple[int, int], ...]:
    """The pairs (input, output) that can share memory: every element is read for the last time before it is written, by the same unit."""
    last = _last_reads(plan)
    pairs = []
    for position, (result, output) in enumerate(zip(outputs, plan.space.outputs, strict=True)):
        if len(output.axes) < len(plan.space.axes):
            continue  # results of reductions are written while other rows' operands may still be read
        for number, tensor in enumerate(inputs):
            if (
                tensor is not None
                and tensor.dtype is result.dtype
                and tensor.is_dense
                and result.is_dense
                and len(tensor.dims) == len(result.dims)
                and all(a == b for a, b in zip(tensor.dims, result.dims, strict=True))
                and last.get(number, 0) <= plan.space.terms[output.term].level
            ):
                pairs.append((number, position))
    return tuple(pairs)


def _last_reads(plan: Plan) -> dict[int, int]:
    """The last sweep that reads each operand."""
    last: dict[int, int] = {}
    terms = plan.space.terms
    for sweep in plan.sweeps:
        waiting = [terms[t].inputs[0] for t in sweep.reductions] + [plan.space.outputs[o].term for o in sweep.stores]
        seen: set[int] = set()
        while waiting:
            index = waiting.pop()
            if index in seen or (index in plan.kept and terms[index].level < sweep.level):
                continue
            seen.add(index)
            if terms[index].kind == "load":
                last[terms[index].tensor] = sweep.level
            waiting.extend(terms[index].inputs if terms[index].kind != "reduce" else ())
    return last
