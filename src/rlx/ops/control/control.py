"""Control flow on Values: scan, if and while of Python functions. Bodies are frozen graphs, compiled once; captured values are operands.

    scan    operands carries, bcasts, xs     body(carries, bcasts, x_t) -> carries, ys
    if      operands pred, xs                then(xs) and else(xs) -> the same types
    while   operands carries, bcasts         cond(carries, bcasts) -> bool[]; body(carries, bcasts) -> carries

`Graph`'s builders and the functions `rlx.lax.scan`, `rlx.lax.cond`, `rlx.lax.while_loop` stand on these; the records are in `scan`,
`branch` and `while_loop`.

`over_axis`: sum, maximum, minimum or all of a value over the examples of a `vmap` whose axis has a name.

The op exists while the function of one example is traced. `vmap` batches it away: over its own axis the result is a reduction, the same for
every example. `index`, the number of the example, is batched in exactly that `vmap`, so the op is too, whatever `x` is.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

from rlx.core.errors import RlxError
from rlx.ir.emit import emit
from rlx.ir.graph import Graph
from rlx.ir.traced_bodies import Body, add_captures, outer_values, trace, with_inputs
from rlx.ops.inference import define_movement
from rlx.ops.record import OPS, Attr, Call, Shape, Size, Value, as_dtype, case, sample
from rlx.transforms.rules.batching import Batched, Operands, in_front
from rlx.transforms.rules.tape import open_tape


def scan_values(
    body: Body,
    carries: Sequence[Any],
    xs: Sequence[Any] = (),
    *,
    bcasts: Sequence[Any] = (),
    length: Size | None = None,
    reverse: bool = False,
    num_checkpoints: int | None = None,
    graph: Graph | None = None,
    name: str | None = None,
) -> tuple[Value, ...]:
    """Emits a scan of `body(*carries, *bcasts, *rows) -> carries and ys, flat`; returns the last carries, then the stacked ys."""
    outer, values = outer_values((*carries, *bcasts, *xs), graph)
    first, last = len(carries) + len(bcasts), len(values)
    shapes = [value.type for value in values[:first]]
    for index, value in enumerate(values[first:]):
        if value.rank == 0:
            raise RlxError("RLX102", f"xs {index} is the scalar {value.type}", fix="[length, …]: a step takes one row")
        shapes.append(Shape.make(value.shape[1:], value.dtype))
    if length is None:
        if first == last:
            raise RlxError("RLX105", "a scan without xs needs its length", fix="length=…")
        length = values[first].shape[0]
    traced, captured = trace(body, shapes, outer, "body")
    order = (
        [*range(first), *range(last, last + len(captured)), *range(first, last)] if captured else list(range(len(traced.inputs)))
    )
    operands = [*values[:first], *(Value(outer, ref) for ref in captured), *values[first:]]
    attrs = {
        "body": with_inputs(traced, order),
        "length": length,
        "num_carry": len(carries),
        "num_bcast": len(bcasts) + len(captured),
        "num_xs": last - first,
        "reverse": reverse,
        "num_checkpoints": num_checkpoints,
    }
    return emit(OPS["scan"], operands, attrs, graph=outer, name=name)


def cond_values(
    pred: Any, then: Body, otherwise: Body, operands: Sequence[Any] = (), *, graph: Graph | None = None, name: str | None = None
) -> tuple[Value, ...]:
    """Emits an `if`: the results of `then(*operands)` where the bool scalar holds, else of `otherwise(*operands)`."""
    outer, (chosen, *values) = outer_values((pred, *operands), graph)
    shapes = [value.type for value in values]
    traced = [trace(body, shapes, outer, role, branch=True) for body, role in ((then, "then"), (otherwise, "else"))]
    branches, union = add_captures(traced, outer)
    attrs = {"then": branches[0], "else": branches[1]}
    return emit(OPS["if"], (chosen, *values, *(Value(outer, ref) for ref in union)), attrs, graph=outer, name=name)


def while_values(
    carries: Sequence[Any],
    cond: Body,
    body: Body,
    *,
    max_iterations: int | None = None,
    graph: Graph | None = None,
    name: str | None = None,
) -> tuple[Value, ...]:
    """Emits a `while`: the carries after `body(*carries)` ran as long as `cond(*carries)` held."""
    if not carries:
        raise RlxError("RLX101", "a while loop without carries never changes", fix="carry at least what cond reads")
    outer, values = outer_values(carries, graph)
    traced = [trace(part, [v.type for v in values], outer, role) for part, role in ((cond, "cond"), (body, "body"))]
    parts, union = add_captures(traced, outer)
    attrs = {"cond": parts[0], "body": parts[1], "max_iterations": max_iterations, "num_bcast": len(union)}
    return emit(OPS["while"], (*values, *(Value(outer, ref) for ref in union)), attrs, graph=outer, name=name)


# -- bodies as derivatives run them: a rule of a custom function computes the function's results anew, and these count from there on


def _has_results_of_rules(body: Graph) -> bool:
    """Whether derivatives of a body replace its results by those that the rules of custom functions compute."""
    return any(
        (node.op.name == "custom_fn" and (node.op["vjp_fwd"] is not None or node.op["jvp_results"]))
        or any(_has_results_of_rules(inner) for _, inner in node.op.graphs())
        for node in body.nodes
    )


def record_body(body: Graph, wanted: Sequence[bool]) -> Graph:
    """The body of a control-flow op as its derivative by some of the inputs runs it."""
    if not _has_results_of_rules(body):
        return body
    made = Graph(body.name, body.level)
    made.assumptions, made.symbols = list(body.assumptions), dict(body.symbols)
    inputs = [Value(made, made.add_node(node.op).ref) for node in body.inputs.values()]
    tape = open_tape(body, inputs, wanted, range(len(body.output_refs)), made)
    made.set_output_refs({name: tape.emitter.values[ref].ref for name, ref in body.output_refs.items()})
    return made.freeze()


# -- `stop_gradient`: where derivatives end --------------------------------------------------------------------------


stop_gradient = define_movement(
    "stop_gradient",
    "x",
    infer=lambda call: call.given[0],
    reference=lambda x: x,
    doc="x, taken as a constant by every derivative.",
    decompose=lambda x: x,
    view=lambda call, layout: layout,
    batch=lambda call, operands, axes: ([call.op.definition(operands[0])], axes),
    vjp=lambda call, operands, results, seeds: [None],
    jvp=lambda call, operands, results, tangents: [None],
    cases=lambda: [
        case(sample(4, 7), note="plain"),
        case(sample(3, dtype="i32"), note="odd: ints"),
        case(sample(0, 3), note="size 0"),
    ],
)


# -- `over_axis`: a reduction over the examples of a `vmap` whose axis has a name


BATCHED: ContextVar[str] = ContextVar("the named axis that vmap batches now", default="")
_REDUCED = {"sum": "reduce_sum", "max": "reduce_max", "min": "reduce_min"}


def _shape_over_axis(call: Call) -> Shape:
    given, kind = call.given[0], call.op["kind"]
    if kind != "all" and kind not in _REDUCED:
        raise call.error("RLX105", f"kind is {kind!r}", fix="sum, max, min or all")
    return Shape((call.op["size"], *given.dims), given.dtype) if call.op["kind"] == "all" else given


def _decompose(x: Value, index: Value, *, axis_name: str, kind: str, size: Size) -> Any:
    return OPS["expand"](x, shape=(size, *x.shape)) if kind == "all" else x


def _batch(call: Call, operands: Operands, axes: Sequence[int | None]) -> Batched:
    """Batches `over_axis`: a reduction over its own named axis; under another `vmap`, the same op on all examples."""
    (x, index), kind, attrs = operands, call.op["kind"], call.op.attrs
    assert x is not None and index is not None
    if attrs["axis_name"] != BATCHED.get():
        axis = None if axes[0] is None else axes[0] + int(kind == "all")
        alone = axes[1] is not None  # an index batched by another `vmap` is not the index of the named axis
        return [_decompose(x, index, **attrs) if alone else OPS["over_axis"](x, index, **attrs)], [axis]
    rows = in_front(x, axes[0], attrs["size"])
    if kind == "all":
        return [rows], [None]
    return [OPS[_REDUCED[kind]](rows, axes=(0,), keep_dim=False)], [None]


def _batch_sum_over_axis(call: Call, x: Value, index: Value) -> Value:
    return OPS["over_axis"](x, index, **{**call.op.attrs, "kind": "sum"})


def _share(call: Call, x: Value, index: Value, result: Value) -> Value:
    """The derivative of an extremum over examples: shared evenly by the examples that are equal to it."""
    mine = as_dtype(OPS["eq"](x, result), x.dtype)
    return mine / _batch_sum_over_axis(call, mine, index)


def _vjp(call: Call, operands: Operands, results: Sequence[Value], seeds: Sequence[Value | None]) -> list[Value | None]:
    (x, index), (result,), (dy,) = operands, results, seeds
    assert x is not None and index is not None and dy is not None
    total = _batch_sum_over_axis(call, dy, index)
    if call.op["kind"] == "all":
        return [OPS["gather"](total, index, axis=0), None]
    return [total if call.op["kind"] == "sum" else total * _share(call, x, index, result), None]


def _jvp(call: Call, operands: Operands, results: Sequence[Value], tangents: Sequence[Value | None]) -> list[Value | None]:
    (x, index), (result,), dx = operands, results, tangents[0]
    assert x is not None and index is not None
    if dx is None:
        return [None]
    if call.op["kind"] == "all":
        return [OPS["over_axis"](dx, index, **call.op.attrs)]
    return [_batch_sum_over_axis(call, dx if call.op["kind"] == "sum" else dx * _share(call, x, index, result), index)]


over_axis = define_movement(
    "over_axis",
    "x, index:index",
    infer=_shape_over_axis,
    reference=lambda x, index, axis_name, kind, size: np.broadcast_to(x, (size, *x.shape)) if kind == "all" else x,
    attrs={
        "axis_name": Attr("str", help="the name of the axis, and of which vmap it is"),
        "kind": Attr("str", "sum", help="sum, max, min, or all: every example's value, stacked"),
        "size": Attr("size", 1, help="the number of examples"),
    },
    doc="A value over the examples of a named vmap; outside of one, over one example.",
    decompose=_decompose,
    batch=_batch,
    vjp=_vjp,
    jvp=_jvp,
    cases=lambda: [
        case(sample(4, 7), sample(dtype="i32", low=0, high=1), note="plain", axis_name="i"),
        case(sample(3), sample(dtype="i32", low=0, high=1), note="odd: all of one", axis_name="i", kind="all"),
        case(sample(0, 3), sample(dtype="i32", low=0, high=1), note="size 0", axis_name="i", kind="max"),
    ],
)
