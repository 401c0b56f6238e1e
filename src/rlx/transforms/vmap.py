"""vmap on graphs: a graph of one example becomes a graph of many, each op by the batching rule of its record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rlx.core.dim import Dim, Size
from rlx.core.errors import RlxError
from rlx.core.shape import Shape, as_size
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.graph import Node
from rlx.ir.op import OPS
from rlx.ir.pattern import compose
from rlx.ir.value import Value
from rlx.module.graph import Graph
from rlx.module.levels import MirModule
from rlx.module.modules import GraphModule
from rlx.transforms.graphs import lowered
from rlx.transforms.rules.batching import Axis, Batcher, in_front, moved

Axes = int | None | Mapping[str, int | None] | Sequence[int | None]


def vmap(module: Any, in_axes: Axes = 0, out_axes: Axes = 0, *, axis_size: Size | str | None = None) -> GraphModule:
    """A graph of one example applied to many: inputs get a batch axis, and so do the outputs that depend on them.

    `in_axes` says where each input has its batch axis, None for one that all examples share: an axis for all inputs, a dict by
    name (inputs not in it are shared), or a list in order. `out_axes` likewise for outputs; an output that does not depend on the
    batch is repeated, or stays as it is under None. `axis_size` is the number of examples, an int or a symbol; a new symbol when
    it is not given. Params and states are shared by all examples, so an update may not depend on the batch.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("distance")
    >>> x, y = g.input("x", (3,)), g.input("y", (3,))
    >>> g.set_outputs({"d": ((x - y) * (x - y)).sum()})
    >>> many = rlx.autodiff.vmap(g, {"x": 0})
    >>> rlx.compile(many, "reference")(x=np.float32([[1, 2, 3], [0, 0, 1]]), y=np.float32([0, 0, 0]))
    array([14.,  1.], dtype=float32)
    """
    source, first = lowered(module, "vmap")
    inside = _by_name(in_axes, source.inputs, "in_axes", "input", absent=None)
    outside = _by_name(out_axes, source.output_refs, "out_axes", "output", absent=0)
    size = _fresh_symbol(source) if axis_size is None else as_size(axis_size)
    target = Graph(source.name, "mir")
    target.symbols, target.assumptions = dict(source.symbols), list(source.assumptions)
    batcher = Batcher(target)
    for node in source.nodes:
        if node.op.is_input:
            _add_input(batcher, node, inside[node.op["name"]], size)
    batcher.run(source.nodes)
    target.set_output_refs({name: _output(batcher, source, name, axis, size).ref for name, axis in outside.items()})
    for name, ref in source.updates.items():
        value, axis = batcher.found[ref]
        if axis is not None:
            raise RlxError(
                "RLX611",
                f"the update of {name!r} differs by example, the value it replaces is one for all",
                fix="reduce it over the batch after vmap, or make it an output",
                at=source.node(ref).origin.location,
            )
        target.updates[name] = value.ref
    found = {ref: value.ref for ref, (value, _) in batcher.found.items()}
    return GraphModule.from_mir(MirModule(target, compose(first, found)))


def _by_name(axes: Axes, names: Mapping[str, Any], what: str, kind: str, absent: Axis) -> dict[str, Axis]:
    """An axis for each input or output."""
    if axes is None or isinstance(axes, int):
        return dict.fromkeys(names, axes)
    if isinstance(axes, Mapping):
        unknown = [name for name in axes if name not in names]
        if unknown:
            raise RlxError("RLX109", f"{what} names {unknown[0]!r}", fix=f"the {kind}s are {', '.join(names) or 'none'}")
        return {name: axes.get(name, absent) for name in names}
    if len(axes) != len(names):
        raise RlxError(
            "RLX612", f"{what} has {len(axes)} entries for {len(names)} {kind}s", fix=f"the {kind}s are {', '.join(names)}"
        )
    return dict(zip(names, axes, strict=True))


def placed(axis: int, rank: int, what: str) -> int:
    """An axis of a batched value counted from the front; `rank` includes the batch."""
    if not -rank <= axis < rank:
        raise RlxError("RLX612", f"{what}: axis {axis} is out of range for rank {rank}", fix=f"from {-rank} to {rank - 1}")
    return axis % rank


def _add_input(batcher: Batcher, node: Node, axis: Axis, size: Size) -> None:
    name, shape = node.op["name"], node.shape
    if axis is not None:
        axis = placed(axis, shape.rank + 1, f"in_axes of input {name!r}")
        shape = Shape.make((*shape.dims[:axis], size, *shape.dims[axis:]), shape.dtype)
    made = batcher.graph.add_node(OPS["input"].op(name=name, shape=shape), origin=node.origin)
    batcher.bind(node.ref, Value(batcher.graph, made.ref), axis)


def _output(batcher: Batcher, source: BaseGraph, name: str, axis: Axis, size: Size) -> Value:
    value, found = batcher.found[source.output_refs[name]]
    return returned(value, found, axis, size, f"output {name!r}")


def returned(value: Value, found: Axis, wanted: Axis, size: Size, what: str) -> Value:
    """A result with its batch axis where the caller wants it."""
    if wanted is None:
        if found is not None:
            raise RlxError("RLX612", f"{what} differs by example, its out_axes is None", fix="out_axes=0, or reduce over the batch")
        return value
    rank = value.rank + (found is None)
    place = placed(wanted, rank, f"out_axes of {what}")
    return moved(in_front(value, None, size), 0, place) if found is None else moved(value, found, place)


def _fresh_symbol(graph: BaseGraph) -> Dim:
    """A symbol for the number of examples that the graph does not have."""
    name, number = "examples", 1
    while name in graph.symbols:
        number += 1
        name = f"examples_{number}"
    return Dim(name)
