"""`vmap` on graphs and on functions: what computes one example computes many, each op by the batching rule of its record."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from rlx.core.dim import Dim, Relation, Size, same
from rlx.core.errors import RlxError
from rlx.core.shape import Shape, as_size
from rlx.ir.emit import emit
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.graph import Node
from rlx.ir.op import OPS
from rlx.ir.pattern import compose
from rlx.ir.traced_bodies import trace
from rlx.ir.value import Value
from rlx.module.graph import Graph
from rlx.module.levels import MirModule
from rlx.module.modules import GraphModule
from rlx.ops.control.control import BATCHED
from rlx.trace.tree import children_of, flatten, leaves_of, rebuild
from rlx.transforms.graphs import Arguments, lower_for_derivative
from rlx.transforms.rules.batching import Axis, Batcher, example_shape, in_front, inline_batch, move_axis

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
    source, first = lower_for_derivative(module, "vmap")
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
        value, axis = batcher.batched_values[ref]
        if axis is not None:
            raise RlxError(
                "RLX611",
                f"the update of {name!r} differs by example, the value it replaces is one for all",
                fix="reduce it over the batch after vmap, or make it an output",
                at=source.node(ref).origin.location,
            )
        target.updates[name] = value.ref
    refs = {ref: value.ref for ref, (value, _) in batcher.batched_values.items()}
    return GraphModule.from_mir(MirModule(target, compose(first, refs)))


def _by_name(axes: Axes, names: Mapping[str, Any], what: str, kind: str, absent: Axis) -> dict[str, Axis]:
    """Reads `in_axes` or `out_axes`: an axis for each input or output, by name."""
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


def count_from_front(axis: int, rank: int, what: str) -> int:
    """Counts an axis of a batched value from the front; `rank` includes the batch."""
    if not -rank <= axis < rank:
        raise RlxError("RLX612", f"{what}: axis {axis} is out of range for rank {rank}", fix=f"from {-rank} to {rank - 1}")
    return axis % rank


def _add_input(batcher: Batcher, node: Node, axis: Axis, size: Size) -> None:
    name, shape = node.op["name"], node.shape
    if axis is not None:
        axis = count_from_front(axis, shape.rank + 1, f"in_axes of input {name!r}")
        shape = Shape.make((*shape.dims[:axis], size, *shape.dims[axis:]), shape.dtype)
    made = batcher.graph.add_node(OPS["input"].op(name=name, shape=shape), origin=node.origin)
    batcher.bind(node.ref, Value(batcher.graph, made.ref), axis)


def _output(batcher: Batcher, source: BaseGraph, name: str, axis: Axis, size: Size) -> Value:
    value, at = batcher.batched_values[source.output_refs[name]]
    return move_to_out_axis(value, at, axis, size, f"output {name!r}")


def move_to_out_axis(value: Value, axis: Axis, wanted: Axis, size: Size, what: str) -> Value:
    """Moves the batch axis of a result to its `out_axes`."""
    if wanted is None:
        if axis is not None:
            raise RlxError("RLX612", f"{what} differs by example, its out_axes is None", fix="out_axes=0, or reduce over the batch")
        return value
    rank = value.rank + (axis is None)
    target = count_from_front(wanted, rank, f"out_axes of {what}")
    return move_axis(in_front(value, None, size), 0, target) if axis is None else move_axis(value, axis, target)


def _fresh_symbol(graph: BaseGraph) -> Dim:
    """Makes a symbol for the number of examples, one that the graph does not have."""
    name, number = "examples", 1
    while name in graph.symbols:
        number += 1
        name = f"examples_{number}"
    return Dim(name)


# -- named axes, while the function of one example is traced


@dataclass(frozen=True)
class NamedAxis:
    """A named `vmap` axis: its name, that name made unique among the open ones, the number of the example, and how many there are."""

    name: str
    unique: str
    index: Value
    size: Size


_OPEN: ContextVar[tuple[NamedAxis, ...]] = ContextVar("the named axes of the vmaps around what is traced", default=())


def new_axis_name(name: str) -> str:
    """Makes an axis name unique among the open ones: an inner `vmap` may use the name of an outer one."""
    return f"{name}@{len(_OPEN.get())}"


@contextmanager
def open_axis(axis: NamedAxis) -> Iterator[None]:
    """Opens a named axis while `vmap` traces the function of one example."""
    token = _OPEN.set((*_OPEN.get(), axis))
    try:
        yield
    finally:
        _OPEN.reset(token)


def named_axis(name: str, what: str) -> NamedAxis:
    """Finds the innermost open `vmap` axis of that name."""
    for axis in reversed(_OPEN.get()):
        if axis.name == name:
            return axis
    names = [axis.name for axis in _OPEN.get()]
    fix = f"vmap(f, axis_name={name!r}) around it" + (f"; the names here: {', '.join(names)}" if names else "")
    raise RlxError("RLX612", f"{what} over {name!r}: no vmap around it has that axis name", fix=fix)


# -- vmap on functions: the function is traced for one example, and its graph is emitted in place for all of them.


def vmap_values(
    function: Callable[..., Any],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_size: Size | str | None = None,
    axis_name: str | None = None,
) -> Callable[..., Any]:
    """`rlx.vmap` for calls on Values, inside a traced function."""

    @functools.wraps(function)
    def many(*args: Any, **kwargs: Any) -> Any:
        tree = (tuple(args), dict(kwargs))
        axes = [*spread_axes(in_axes, tuple(args), "in_axes"), *spread_axes(0, dict(kwargs), "in_axes")]
        return _apply(function, tree, axes, out_axes, None if axis_size is None else as_size(axis_size), axis_name)

    return many


def spread_axes(axes: Any, tree: Any, what: str) -> list[Axis]:
    """Spreads axes over the leaves of a container: one axis (or None) counts for everything below it."""
    if axes is None or isinstance(axes, int):
        return [axes] * len(flatten(tree))
    if isinstance(axes, dict) and isinstance(tree, dict) and axes.keys() == tree.keys():
        axes = {key: axes[key] for key in tree}  # keys without an order among them come as they were inserted
    inner, parts = children_of(axes), children_of(tree)
    if inner is not None and parts is not None and len(inner) == len(parts) and _alike(axes, tree):
        return [axis for one, part in zip(inner, parts, strict=True) for axis in spread_axes(one, part, what)]
    described = repr(axes) if inner is None else f"{len(inner)} entries"
    count = 1 if parts is None else len(parts)
    raise RlxError(
        "RLX612", f"{what} has {described} for {count} values", fix="an axis, None, or containers as those of the values"
    )


def _alike(axes: Any, tree: Any) -> bool:
    """Whether `in_axes` in one container fit another: of the same kind, or any list or tuple for another one."""
    if isinstance(axes, (list, tuple)) and isinstance(tree, (list, tuple)):
        return True
    if isinstance(axes, dict) and isinstance(tree, dict):
        return axes.keys() == tree.keys()
    return type(axes) is type(tree)


def _apply(
    function: Callable[..., Any], tree: Any, axes: Sequence[Axis], out_axes: Any, size: Size | None, name: str | None
) -> Any:
    which = [index for index, axis in enumerate(axes) if axis is not None]
    arguments = Arguments.of(function, tree, which)
    outer, values = arguments.graph, arguments.operands
    paths = [path.partition(".")[2] for path, _ in flatten(tree)]
    places = [
        count_from_front(axes[i] or 0, value.rank, f"in_axes of argument {paths[i]}")
        for i, value in zip(which, values, strict=True)
    ]
    size = _common_size(values, places, [paths[index] for index in which], size, outer)
    containers: list[Any] = []
    unique = "" if name is None else new_axis_name(name)
    if name is not None:  # the number of the example is one more argument, the first
        values, places = [emit(OPS["iota"], (), {"shape": (size,), "axis": 0}, graph=outer), *values], [0, *places]

    def example(*given: Value) -> list[Any]:
        if name is None:
            containers.append(arguments.apply(function, given))
        else:
            with open_axis(NamedAxis(name, unique, given[0], size)):
                containers.append(arguments.apply(function, given[1:]))
        return leaves_of(containers[0])

    shapes: list[Shape] = [example_shape(value.type, place) for value, place in zip(values, places, strict=True)]
    body, captured = trace(example, shapes, outer, getattr(function, "__name__", "example"))
    operands = [*values, *(Value(outer, ref) for ref in captured)]
    token = BATCHED.set(unique)
    try:
        results, result_axes = inline_batch(outer, body.freeze(), operands, [*places, *[None] * len(captured)])
    finally:
        BATCHED.reset(token)
    wanted = spread_axes(out_axes, containers[0], "out_axes")
    rows = zip(results, result_axes, wanted, strict=True)
    return rebuild(containers[0], [move_to_out_axis(value, at, to, size, f"result {i}") for i, (value, at, to) in enumerate(rows)])


def _common_size(values: Sequence[Value], places: Sequence[int], names: Sequence[str], size: Size | None, outer: BaseGraph) -> Size:
    """The number of examples, on which all batched arguments agree; sizes not known to be equal are assumed to be."""
    origin = "axis_size"
    for value, axis, name in zip(values, places, names, strict=True):
        mine = value.shape[axis]
        if size is not None and not same(size, mine, outer.assumptions):
            if isinstance(size - mine, int):
                raise RlxError("RLX612", f"{origin} has {size} examples, argument {name} has {mine} along axis {axis}")
            outer.assume(Relation("==", size, mine))
        if size is None:
            size, origin = mine, f"argument {name}"
    if size is None:
        raise RlxError("RLX612", "no argument is batched", fix="in_axes=0, or axis_size=…")
    return size
