"""vmap on functions: the function is traced for one example, and its graph is emitted in place for all of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from rlx.core.dim import Relation, Size, same
from rlx.core.errors import RlxError
from rlx.core.shape import Shape, as_size
from rlx.ir.emit import emit
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.ir.traced_bodies import trace
from rlx.ir.value import Value
from rlx.ops.control.control import BATCHED
from rlx.trace.named_axes import NamedAxis, new_axis_name, open_axis
from rlx.trace.tree import children_of, flatten, leaves_of, rebuild
from rlx.transforms.arguments import Arguments
from rlx.transforms.rules.batching import Axis, example_shape, inline_batched
from rlx.transforms.vmap import placed, returned


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
    """An axis for each leaf of a container: one axis (or None) counts for everything below it."""
    if axes is None or isinstance(axes, int):
        return [axes] * len(flatten(tree))
    if isinstance(axes, dict) and isinstance(tree, dict) and axes.keys() == tree.keys():
        axes = {key: axes[key] for key in tree}  # keys without an order among them come as they were inserted
    inner, parts = children_of(axes), children_of(tree)
    if inner is not None and parts is not None and len(inner) == len(parts) and _alike(axes, tree):
        return [axis for one, part in zip(inner, parts, strict=True) for axis in spread_axes(one, part, what)]
    found = repr(axes) if inner is None else f"{len(inner)} entries"
    count = 1 if parts is None else len(parts)
    raise RlxError("RLX612", f"{what} has {found} for {count} values", fix="an axis, None, or containers as those of the values")


def _alike(axes: Any, tree: Any) -> bool:
    """Whether axes can be said in such a container: one of the same kind, or any list or tuple for another one."""
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
    places = [placed(axes[i] or 0, value.rank, f"in_axes of argument {paths[i]}") for i, value in zip(which, values, strict=True)]
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
        results, found = inline_batched(outer, body.freeze(), operands, [*places, *[None] * len(captured)])
    finally:
        BATCHED.reset(token)
    wanted = spread_axes(out_axes, containers[0], "out_axes")
    rows = zip(results, found, wanted, strict=True)
    return rebuild(containers[0], [returned(value, at, to, size, f"result {i}") for i, (value, at, to) in enumerate(rows)])


def _common_size(values: Sequence[Value], places: Sequence[int], names: Sequence[str], size: Size | None, outer: Graph) -> Size:
    """The number of examples, which all batched arguments agree about; symbols that are not known to are assumed to."""
    origin = "axis_size"
    for value, place, name in zip(values, places, names, strict=True):
        mine = value.shape[place]
        if size is not None and not same(size, mine, outer.assumptions):
            if isinstance(size - mine, int):
                raise RlxError("RLX612", f"{origin} has {size} examples, argument {name} has {mine} along axis {place}")
            outer.assume(Relation("==", size, mine))
        if size is None:
            size, origin = mine, f"argument {name}"
    if size is None:
        raise RlxError("RLX612", "no argument is batched", fix="in_axes=0, or axis_size=…")
    return size
