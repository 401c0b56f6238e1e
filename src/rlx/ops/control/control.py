"""Control flow: scan, if and while. Their bodies are frozen graphs, compiled once; a body's captured values are operands.

    scan    operands carries, bcasts, xs     body(carries, bcasts, x_t) -> carries, ys
    if      operands pred, xs                then(xs) and else(xs) -> the same types
    while   operands carries, bcasts         cond(carries, bcasts) -> bool[]; body(carries, bcasts) -> carries

`scan_values`, `cond_values` and `while_values` trace Python functions on Values; `Graph`'s builders and the functions
`rlx.scan`, `rlx.cond`, `rlx.while_loop` stand on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Dim, Size
from rlx.core.errors import RlxError
from rlx.core.kinds import OpKind
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.bodies import Body, outer_values, trace, with_inputs
from rlx.ir.emit import emit
from rlx.ir.evaluate import evaluate_body
from rlx.ir.graph import Graph
from rlx.ir.op import Call, define
from rlx.ir.perturbation import OfBody
from rlx.ir.value import Value
from rlx.ops.control.cases import if_cases, scan_cases, while_cases

Array = npt.NDArray[Any]


# -- shapes -----------------------------------------------------------------------------------------------------
def _same_type(call: Call, what: str, inside: Shape, outside: Shape, fix: str) -> None:
    """A body's value and what it stands for have one dtype and equal sizes."""
    if inside.dtype is not outside.dtype or inside.rank != outside.rank:
        raise call.error("RLX102", f"{what} is {inside}, expected {outside}", fix=fix)
    for mine, other in zip(inside.dims, outside.dims, strict=True):
        call.check_same(mine, other, f"{what} is {inside}, expected {outside}: sizes", fix=fix)


def _check_inputs(call: Call, role: str, body: Graph, operands: Sequence[Shape]) -> None:
    names = list(body.inputs)
    if len(names) != len(operands):
        listed = ", ".join(names) or "none"
        raise call.error(
            "RLX101",
            f"the {role} has {len(names)} inputs ({listed}), {len(operands)} values are given",
            fix=f"a {role} of {len(operands)} arguments",
        )
    for (name, node), given in zip(body.inputs.items(), operands, strict=True):
        _same_type(call, f"input {name} of the {role}", node.shape, given, "cast or reshape the operand")


def _check_carries(call: Call, body: Graph, carries: Sequence[Shape]) -> tuple[Shape, ...]:
    """The first results of a body are the carries again; gives the types of the others."""
    found = tuple(body.shape(ref) for ref in body.outputs.values())
    if len(found) < len(carries):
        raise call.error(
            "RLX101",
            f"the body returns {len(found)} values for {len(carries)} carries",
            fix="return every carry, in the order of the arguments",
        )
    for index, (new, old) in enumerate(zip(found, carries, strict=False)):
        _same_type(
            call, f"carry {index} after a step", new, old, "a carry keeps its shape and dtype: reshape, or .astype(…)"
        )
    return found[len(carries) :]


def _scan_shapes(call: Call) -> tuple[Shape, ...]:
    counts = (call.num_carry, call.num_bcast, call.num_xs)
    if min(counts) < 0 or sum(counts) != len(call.given):
        raise call.error("RLX101", f"num_carry, num_bcast, num_xs are {counts} for {len(call.given)} operands")
    length: Size = call.length
    if not isinstance(length, Dim) and length < 0:
        raise call.error("RLX105", f"length is {length}", fix="at least 0")
    marks = call.num_checkpoints
    if marks is not None and (marks < 1 or not (isinstance(length, Dim) or marks <= length)):
        raise RlxError("RLX105", f"scan over {length} steps: num_checkpoints is {marks}", fix=f"from 1 to {length}")
    carries, bcasts = call.given[: counts[0]], call.given[counts[0] : counts[0] + counts[1]]
    rows = []
    for index, shape in enumerate(call.given[counts[0] + counts[1] :]):
        if shape.rank == 0:
            raise call.error("RLX102", f"xs {index} is the scalar {shape}", fix="[length, …]: a step takes one row")
        call.check_same(shape.dims[0], length, f"rows of xs {index} and length:")
        rows.append(Shape.make(shape.dims[1:], shape.dtype))
    _check_inputs(call, "body", call.body, (*carries, *bcasts, *rows))
    ys = _check_carries(call, call.body, carries)
    return (*carries, *(Shape.make((length, *shape.dims), shape.dtype) for shape in ys))


def _if_shapes(call: Call) -> tuple[Shape, ...]:
    pred, operands = call.given[0], call.given[1:]
    if pred.rank != 0 or not pred.dtype.is_bool:
        raise call.error("RLX102", f"pred is {pred}", fix="a bool scalar, such as (x.sum() > 0)")
    results = []
    for role in ("then", "else"):
        branch: Graph = call.op.attrs[role]
        _check_inputs(call, f"{role} branch", branch, operands)
        results.append([branch.shape(ref) for ref in branch.outputs.values()])
    if len(results[0]) != len(results[1]):
        message = f"then returns {len(results[0])} values, else returns {len(results[1])}"
        raise call.error("RLX101", message, fix="both branches return the same number of values")
    for index, (one, other) in enumerate(zip(*results, strict=True)):
        _same_type(call, f"result {index} of else", other, one, "both branches return the same shapes and dtypes")
    return tuple(results[0])


def _while_shapes(call: Call) -> tuple[Shape, ...]:
    if not 0 <= call.num_bcast <= len(call.given):
        raise call.error("RLX101", f"num_bcast is {call.num_bcast} for {len(call.given)} operands")
    if call.max_iterations is not None and call.max_iterations < 0:
        raise call.error("RLX105", f"max_iterations is {call.max_iterations}", fix="at least 0")
    carries = call.given[: len(call.given) - call.num_bcast]
    condition: Graph = call.cond
    _check_inputs(call, "cond", condition, call.given)
    answers = [condition.shape(ref) for ref in condition.outputs.values()]
    if len(answers) != 1 or answers[0].rank != 0 or not answers[0].dtype.is_bool:
        found = ", ".join(map(str, answers)) or "nothing"
        raise call.error("RLX102", f"cond returns {found}", fix="one bool scalar, such as (i < 10)")
    _check_inputs(call, "body", call.body, call.given)
    extra = _check_carries(call, call.body, carries)
    if extra:
        raise call.error("RLX101", f"the body returns {len(carries) + len(extra)} values for {len(carries)} carries")
    return tuple(carries)


# -- meaning ----------------------------------------------------------------------------------------------------
def _scan(
    *operands: Array,
    body: Graph,
    length: int,
    num_carry: int,
    num_bcast: int,
    num_xs: int,
    reverse: bool,
    num_checkpoints: int | None,
    wide: bool = False,
) -> tuple[Array, ...]:
    carries, fixed = tuple(operands[:num_carry]), operands[num_carry : num_carry + num_bcast]
    rows = operands[num_carry + num_bcast :]
    kept: list[tuple[Array, ...]] = []
    for t in reversed(range(length)) if reverse else range(length):
        found = evaluate_body(body, (*carries, *fixed, *(row[t] for row in rows)), wide=wide)
        carries = found[:num_carry]
        kept.append(found[num_carry:])
    if reverse:
        kept.reverse()
    shapes = [body.shape(ref) for ref in list(body.outputs.values())[num_carry:]]
    stacked = []
    for index, shape in enumerate(shapes):
        kind = np.float64 if wide and shape.dtype.is_float else shape.dtype.numpy
        stacked.append(np.stack([ys[index] for ys in kept]) if kept else np.zeros((0, *shape.dims), kind))
    return (*carries, *stacked)


def _if(pred: Array, *operands: Array, then: Graph, wide: bool = False, **branches: Graph) -> tuple[Array, ...]:
    return evaluate_body(then if bool(pred) else branches["else"], operands, wide=wide)


def _while(
    *operands: Array, cond: Graph, body: Graph, max_iterations: int | None, num_bcast: int, wide: bool = False
) -> tuple[Array, ...]:
    carries, fixed = tuple(operands[: len(operands) - num_bcast]), operands[len(operands) - num_bcast :]
    done = 0
    while (max_iterations is None or done < max_iterations) and bool(
        evaluate_body(cond, (*carries, *fixed), wide=wide)[0]
    ):
        carries = evaluate_body(body, (*carries, *fixed), wide=wide)
        done += 1
    return carries


def body_cost(body: Graph) -> Size:
    """Operations of one run of a body."""
    total: Size = 0
    for node in body.nodes:
        if node.op.definition.cost is not None:
            shapes = [None if ref is None else body.shape(ref) for ref in node.inputs]
            total = total + node.op.definition.cost(Call(node.op, shapes, body.assumptions), node.results)
    return total


# -- the records ------------------------------------------------------------------------------------------------
_ACCUMULATED = OfBody(ulps=64.0, scale="max")

scan = define(
    "scan",
    "operands*",
    infer=_scan_shapes,
    reference=_scan,
    kind=OpKind.DataMovement,
    results=("results*",),
    attrs={
        "body": Attr("graph", help="one step: carries, bcasts, x_t -> carries, ys"),
        "length": Attr("size", help="the number of steps"),
        "num_carry": Attr("int", help="operands that a step hands to the next"),
        "num_bcast": Attr("int", 0, "operands every step reads whole"),
        "num_xs": Attr("int", 0, "operands of which step t reads row t"),
        "reverse": Attr("bool", False, "from the last row to the first"),
        "num_checkpoints": Attr("int", None, "carries kept for the gradient; it never changes values"),
    },
    doc="""As `lax.scan`: the body once for each row; the results are the last carries, then the ys of all steps stacked.

    The tuple has one Value for each output of the body.""",
    tolerance=_ACCUMULATED,
    cost=lambda call, results: body_cost(call.body) * call.length,
    cases=scan_cases,
)

if_ = define(
    "if",
    "pred:mask, xs*",
    infer=_if_shapes,
    reference=_if,
    kind=OpKind.DataMovement,
    results=("results*",),
    attrs={"then": Attr("graph", help="what a true pred runs"), "else": Attr("graph", help="what a false one runs")},
    doc="The outputs of one of two bodies on the same operands; only the one the bool scalar `pred` chooses runs.",
    tolerance=_ACCUMULATED,
    cost=lambda call, results: body_cost(call.then),
    cases=if_cases,
)

while_ = define(
    "while",
    "operands*",
    infer=_while_shapes,
    reference=_while,
    kind=OpKind.DataMovement,
    results=("results*",),
    attrs={
        "cond": Attr("graph", help="whether another step is due: carries, bcasts -> bool[]"),
        "body": Attr("graph", help="one step: carries, bcasts -> carries"),
        "max_iterations": Attr("int", None, "stop after so many steps, whatever cond says"),
        "num_bcast": Attr("int", 0, "operands, the last ones, that every step reads and none changes"),
    },
    doc="The carries after the body ran as long as cond held (and at most max_iterations times); all are results.",
    tolerance=_ACCUMULATED,
    cost=lambda call, results: body_cost(call.body) * (call.max_iterations or 1),
    cases=while_cases,
)


# -- on Values -------------------------------------------------------------------------------------------------
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
    """The last carries, then the stacked ys, of `body(*carries, *bcasts, *rows) -> carries and ys, flat`."""
    outer, values = outer_values((*carries, *bcasts, *xs), graph)
    first, last = len(carries) + len(bcasts), len(values)
    if length is None:
        if first == last:
            raise RlxError("RLX105", "a scan without xs needs its length", fix="length=…")
        if values[first].rank == 0:
            raise RlxError(
                "RLX102", f"xs 0 is the scalar {values[first].type}", fix="[length, …]: a step takes one row"
            )
        length = values[first].shape[0]
    shapes = [value.type for value in values[:first]]
    for index, value in enumerate(values[first:]):
        if value.rank == 0:
            raise RlxError("RLX102", f"xs {index} is the scalar {value.type}", fix="[length, …]: a step takes one row")
        shapes.append(Shape.make(value.shape[1:], value.dtype))
    traced, captured = trace(body, shapes, outer, "body")
    order = (
        [*range(first), *range(last, last + len(captured)), *range(first, last)]
        if captured
        else list(range(len(traced.inputs)))
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
    found: tuple[Value, ...] = emit(scan, operands, attrs, graph=outer, name=name)
    return found


def cond_values(
    pred: Any,
    then: Body,
    otherwise: Body,
    operands: Sequence[Any] = (),
    *,
    graph: Graph | None = None,
    name: str | None = None,
) -> tuple[Value, ...]:
    """The results of `then(*operands)` where the bool scalar holds, else of `otherwise(*operands)`."""
    outer, (chosen, *values) = outer_values((pred, *operands), graph)
    shapes = [value.type for value in values]
    traced = [trace(body, shapes, outer, role, branch=True) for body, role in ((then, "then"), (otherwise, "else"))]
    union = list(dict.fromkeys(ref for _, captured in traced for ref in captured))
    branches = []
    for branch, captured in traced:
        order: list[int | Shape] = list(range(len(branch.inputs) - len(captured)))
        order += [len(values) + captured.index(ref) if ref in captured else outer.shape(ref) for ref in union]
        branches.append(with_inputs(branch, order))
    attrs = {"then": branches[0], "else": branches[1]}
    found: tuple[Value, ...] = emit(
        if_, (chosen, *values, *(Value(outer, ref) for ref in union)), attrs, graph=outer, name=name
    )
    return found


def while_values(
    carries: Sequence[Any],
    cond: Body,
    body: Body,
    *,
    max_iterations: int | None = None,
    graph: Graph | None = None,
    name: str | None = None,
) -> tuple[Value, ...]:
    """The carries after `body(*carries)` ran as long as `cond(*carries)` held."""
    if not carries:
        raise RlxError("RLX101", "a while loop without carries never changes", fix="carry at least what cond reads")
    outer, values = outer_values(carries, graph)
    traced = [trace(part, [v.type for v in values], outer, role) for part, role in ((cond, "cond"), (body, "body"))]
    union = list(dict.fromkeys(ref for _, captured in traced for ref in captured))
    parts = []
    for part, captured in traced:
        order: list[int | Shape] = list(range(len(part.inputs) - len(captured)))
        order += [len(values) + captured.index(ref) if ref in captured else outer.shape(ref) for ref in union]
        parts.append(with_inputs(part, order))
    attrs = {"cond": parts[0], "body": parts[1], "max_iterations": max_iterations, "num_bcast": len(union)}
    found: tuple[Value, ...] = emit(
        while_, (*values, *(Value(outer, ref) for ref in union)), attrs, graph=outer, name=name
    )
    return found
