"""Functions and ops of the user: `custom_fn`, a body with derivatives of its own, and registered ops.

**custom_fn.** Its value is its forward body, inlined. In the derivative bodies some inputs are known by name; all others
are the primals, in the order of the operands:

    vjp body   primal_output, d_output         (K results: primal_output_0 …, d_output_0 …)
               outputs: one gradient for each float or complex primal, in order
    jvp body   tangent_i for primal i          (integer primals have none; primal_output… where wanted)
               outputs: one tangent for each float or complex result
               (with `jvp_results`: all results in front of them)

`vjp_fwd`, where it is given, computes the results on the way to a gradient: its outputs are the results, then residuals that the vjp body
knows as residual_0 …. A derivative of that derivative goes through these results, as one goes through the results of a jvp body.

**register_op** takes the facets of a built-in record, and kernels: `native` ones are commands like any other, Python ones
(`kernels`) are host calls, on the calling thread, named in the report, and refused by `save`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.given import check_is
from rlx.core.kinds import OpKind
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.bodies import Body, outer_values, trace, with_inputs
from rlx.ir.case import Case, case, sample
from rlx.ir.emit import emit
from rlx.ir.evaluate import evaluate_body
from rlx.ir.graph import Graph, Ref
from rlx.ir.op import OPS, Call, Infer, OpDef, Operand, define
from rlx.ir.perturbation import OfBody
from rlx.ir.tolerance import Tolerance
from rlx.ir.value import Value
from rlx.ops.control.control import body_cost
from rlx.ops.control.fused import inline
from rlx.ops.control.user_facets import check_facets
from rlx.transforms.rules.batch_formulas import one_by_one, pointwise
from rlx.transforms.rules.formulas import by_transposition

Array = npt.NDArray[Any]
_VJP_NAMES = re.compile(r"(primal_output|d_output)(_\d+)?")
_JVP_NAMES = re.compile(r"tangent_\d+|primal_output(_\d+)?")


# -- custom_fn --------------------------------------------------------------------------------------------------
def _differentiable(dtype: DType) -> bool:
    return dtype.is_float or dtype.is_complex


def _numbered(name: str, count: int) -> list[str]:
    return [name] if count == 1 else [f"{name}_{index}" for index in range(count)]


def _expect(call: Call, role: str, what: str, found: Shape, wanted: Shape) -> None:
    if found.dtype is not wanted.dtype or found.rank != wanted.rank:
        raise call.error("RLX102", f"{what} of the {role} is {found}, expected {wanted}")
    for mine, other in zip(found.dims, wanted.dims, strict=True):
        call.check_same(mine, other, f"{what} of the {role} is {found}, expected {wanted}: sizes")


def _check_inputs(
    call: Call, role: str, body: Graph, special: Mapping[str, Shape], required: Sequence[str], names: re.Pattern[str]
) -> None:
    """The named inputs are there and have these types; the others are the primals."""
    inputs = {name: node.shape for name, node in body.inputs.items()}
    for name in required:
        if name not in inputs:
            listed = ", ".join(inputs) or "none"
            fix = f'declare input("{name}", …) in it'
            raise call.error("RLX109", f"the {role} has no input {name!r}; its inputs are {listed}", fix=fix)
    for name in inputs:
        if names.fullmatch(name) and name not in special:
            expected = ", ".join(special) or "none"
            fix = f"the names it may have: {expected}"
            raise call.error("RLX109", f"the {role} has an input {name!r} that stands for nothing", fix=fix)
    primals = [name for name in inputs if name not in special]
    if len(primals) != len(call.given):
        listed = ", ".join(primals) or "none"
        message = f"the {role} has {len(primals)} inputs for primals ({listed}), there are {len(call.given)} primals"
        raise call.error("RLX101", message)
    for name, wanted in ((name, shape) for name, shape in special.items() if name in inputs):
        _expect(call, role, f"input {name}", inputs[name], wanted)
    for name, wanted in zip(primals, call.given, strict=True):
        _expect(call, role, f"input {name}", inputs[name], wanted)


def _check_outputs(call: Call, role: str, body: Graph, wanted: Sequence[tuple[str, Shape]], what: str) -> None:
    found = [body.shape(ref) for ref in body.outputs.values()]
    if len(found) != len(wanted):
        listed = ", ".join(name for name, _ in wanted) or "none"
        raise call.error("RLX101", f"the {role} returns {len(found)} values, {what}: {len(wanted)} ({listed})")
    for shape, (name, expected) in zip(found, wanted, strict=True):
        _expect(call, role, f"the output for {name}", shape, expected)


def _custom_shapes(call: Call) -> tuple[Shape, ...]:
    forward: Graph = call.fwd_body
    if len(forward.inputs) != len(call.given):
        raise call.error(
            "RLX101", f"the fwd_body has {len(forward.inputs)} inputs, {len(call.given)} operands are given"
        )
    for (name, node), given in zip(forward.inputs.items(), call.given, strict=True):
        _expect(call, "fwd_body", f"input {name}", node.shape, given)
    if not 0 <= call.num_captured <= len(call.given):
        raise call.error("RLX105", f"num_captured is {call.num_captured} for {len(call.given)} operands")
    results = [forward.shape(ref) for ref in forward.outputs.values()]
    primals = list(zip(list(forward.inputs), call.given, strict=True))[: len(call.given) - call.num_captured]
    outputs = dict(zip(_numbered("primal_output", len(results)), results, strict=True))
    named = list(zip(forward.outputs, results, strict=True))
    if call.vjp_body is not None:
        seeds = dict(zip(_numbered("d_output", len(results)), results, strict=True))
        special = {**outputs, **seeds, **_residuals(call, named)}
        _check_inputs(call, "vjp_body", call.vjp_body, special, tuple(special), _VJP_NAMES)
        wanted = [(name, shape) for name, shape in primals if _differentiable(shape.dtype)]
        _check_outputs(call, "vjp_body", call.vjp_body, wanted, "one gradient for each float or complex primal")
    if call.jvp_body is not None:
        tangents = {f"tangent_{i}": shape for i, (_, shape) in enumerate(primals) if _differentiable(shape.dtype)}
        _check_inputs(call, "jvp_body", call.jvp_body, {**outputs, **tangents}, tuple(tangents), _JVP_NAMES)
        answers = [(name, shape) for name, shape in named if _differentiable(shape.dtype)]
        what = "one tangent for each float or complex result"
        if call.jvp_results:
            answers, what = (
                [*named, *((f"the tangent of {name}", shape) for name, shape in answers)],
                f"the results, then {what}",
            )
        _check_outputs(call, "jvp_body", call.jvp_body, answers, what)
    return tuple(results)


def _residuals(call: Call, results: Sequence[tuple[str, Shape]]) -> dict[str, Shape]:
    """What vjp_fwd keeps for the vjp body, by name; its inputs are those of the function, its first outputs the function's."""
    if call.vjp_fwd is None:
        return {}
    found = [call.vjp_fwd.shape(ref) for ref in call.vjp_fwd.outputs.values()]
    if len(call.vjp_fwd.inputs) != len(call.given):
        raise call.error(
            "RLX101", f"the vjp_fwd has {len(call.vjp_fwd.inputs)} inputs, {len(call.given)} operands are given"
        )
    for (name, node), given in zip(call.vjp_fwd.inputs.items(), call.given, strict=True):
        _expect(call, "vjp_fwd", f"input {name}", node.shape, given)
    if len(found) < len(results):
        raise call.error("RLX101", f"the vjp_fwd returns {len(found)} values, the function {len(results)}")
    for shape, (name, expected) in zip(found, results, strict=False):
        _expect(call, "vjp_fwd", f"the output for {name}", shape, expected)
    return {f"residual_{index}": shape for index, shape in enumerate(found[len(results) :])}


def _forward(*xs: Array, fwd_body: Graph, wide: bool = False, **derivatives: object) -> tuple[Array, ...]:
    return evaluate_body(fwd_body, xs, wide=wide)


def _inlined(*xs: Value, fwd_body: Graph, **derivatives: object) -> tuple[Value, ...]:
    return inline(*xs, kind="custom_fn", body=fwd_body)


def _cases() -> list[Case]:
    from rlx.ops.control.cases import body_of

    square = body_of(lambda x: x * x, (4,))
    pair = body_of(lambda x, y: (x + y, OPS["exp"](x) * y), (2, 3), (3,))
    slope = _named(
        {"x": (4,), "primal_output": (4,), "d_output": (4,)}, lambda x, primal_output, d_output: d_output * x
    )
    return [
        case(sample(4), note="one result", fwd_body=square),
        case(sample(2, 3), sample(3), note="odd: two results, one operand broadcast", fwd_body=pair),
        case(sample(4), note="a gradient of its own: the value stays", fwd_body=square, vjp_body=slope),
    ]


def _named(shapes: Mapping[str, tuple[int, ...]], make: Callable[..., Any]) -> Graph:
    from rlx.ops.control.fused import make_body

    return make_body("body", {name: Shape(dims, "f32") for name, dims in shapes.items()}, make)


custom_fn = define(
    "custom_fn",
    "xs*",
    infer=_custom_shapes,
    reference=_forward,
    decompose=_inlined,
    kind=OpKind.Compute,
    results=("results*",),
    attrs={
        "fwd_body": Attr("graph", help="the value: operands in the order of its inputs"),
        "vjp_body": Attr("graph", None, "its gradient: primals, primal_output…, d_output… by name"),
        "jvp_body": Attr("graph", None, "its tangent: primals and tangent_i by name"),
        "num_captured": Attr("int", 0, "operands, the last ones, that a function closed over: they have no gradient"),
        "vjp_fwd": Attr("graph", None, "the results on the way to a gradient, then what vjp_body gets as residual_0 …"),
        "jvp_results": Attr("bool", False, "jvp_body returns the results, then the tangents"),
        "no_derivative": Attr("str", "", "why it has none; empty: it has"),
    },
    doc="A function with derivatives of its own: the value of fwd_body; transforms use vjp_body and jvp_body where given.",
    tolerance=OfBody(ulps=16.0, factor=4.0, scale="max"),
    cost=lambda call, results: body_cost(call.fwd_body),
    cases=_cases,
)


class CustomResults(tuple[Value, ...]):
    """The results of a custom_fn."""

    __slots__ = ()

    def n_outputs(self) -> int:
        """How many there are."""
        return len(self)

    def output(self, graph: object, index: int) -> Value:
        """Result `index`; the graph is the one it belongs to, as in the Rust API."""
        if not 0 <= index < len(self):
            raise RlxError(
                "RLX115", f"output {index} of a custom_fn with {len(self)} results", fix=f"0 to {len(self) - 1}"
            )
        return self[index]


def custom_fn_values(
    operands: Sequence[Any],
    fwd_body: Body,
    vjp_body: Body | None = None,
    jvp_body: Body | None = None,
    *,
    graph: Graph | None = None,
    name: str | None = None,
) -> CustomResults:
    """Trace the bodies that are functions; special inputs are known by the names of their parameters."""
    outer, values = outer_values(operands, graph)
    shapes = [value.type for value in values]
    forward, captured = trace(fwd_body, shapes, outer, "fwd_body")
    results = [forward.shape(ref) for ref in forward.outputs.values()]
    special = dict(zip(_numbered("primal_output", len(results)), results, strict=True))
    seeds = dict(zip(_numbered("d_output", len(results)), results, strict=True))
    tangents = {f"tangent_{i}": shape for i, shape in enumerate(shapes) if _differentiable(shape.dtype)}
    parts = {"fwd_body": BodyPart(forward, captured)}
    for role, body, names in (
        ("vjp_body", vjp_body, {**special, **seeds}),
        ("jvp_body", jvp_body, {**special, **tangents}),
    ):
        if body is not None:
            parts[role] = _trace_named(body, shapes, names, outer)
    return emit_custom(outer, values, parts, name=name)


@dataclass(frozen=True)
class BodyPart:
    """A body of a custom_fn as it was traced, the outer values it closes over, and the names of inputs that are not x0, x1 ….

    The last inputs are those of what it closes over, in order.
    """

    body: Graph
    captured: Sequence[Ref] = ()
    names: Mapping[str, str] = field(default_factory=dict)


def emit_custom(
    outer: Graph, values: Sequence[Value], parts: Mapping[str, BodyPart], *, name: str | None = None, **attrs: Any
) -> CustomResults:
    """A custom_fn of bodies by role; what any of them closes over becomes an operand, and an input of all."""
    union = list(dict.fromkeys(ref for part in parts.values() for ref in part.captured))
    made: dict[str, Graph] = {}
    for role, part in parts.items():
        plain = len(part.body.inputs) - len(part.captured)
        order: list[int | Shape] = list(range(plain))
        order += [plain + part.captured.index(ref) if ref in part.captured else outer.shape(ref) for ref in union]
        made[role] = _renamed(with_inputs(part.body, order), part.names)
    operands = (*values, *(Value(outer, ref) for ref in union))
    return CustomResults(
        emit(custom_fn, operands, {**made, "num_captured": len(union), **attrs}, graph=outer, name=name)
    )


def trace_by_name(
    make: Callable[[Mapping[str, Value]], Any], shapes: Mapping[str, Shape], outer: Graph, role: str
) -> BodyPart:
    """A body of a function of values by name."""
    names = list(shapes)
    body, captured = trace(
        lambda *values: make(dict(zip(names, values, strict=True))), list(shapes.values()), outer, role
    )
    return BodyPart(body, captured, {f"x{index}": name for index, name in enumerate(names)})


def _trace_named(body: Body, primals: Sequence[Shape], special: Mapping[str, Shape], outer: Graph) -> BodyPart:
    """A derivative body; of a function, parameters with special names get those values, the others the primals in order."""
    if isinstance(body, Graph):
        return BodyPart(body)
    parameters = list(inspect.signature(body).parameters)
    rest = [name for name in parameters if name not in special]
    if len(rest) != len(primals):
        raise RlxError(
            "RLX101",
            f"{getattr(body, '__name__', 'a derivative')} has {len(rest)} parameters for primals ({', '.join(rest) or 'none'}), "
            f"there are {len(primals)} primals",
            fix=f"parameters with other meanings are named {', '.join(special)}",
        )
    # the special ones it does not ask for are there too, unread
    shapes = {**dict(zip(rest, primals, strict=True)), **special}
    return trace_by_name(lambda given: body(*(given[name] for name in parameters)), shapes, outer, "derivative")


def _renamed(body: Graph, names: Mapping[str, str]) -> Graph:
    """The body with inputs of other names."""
    if not names:
        return body
    made = Graph(body.name, body.level)
    made.assumptions, made.symbols = list(body.assumptions), dict(body.symbols)
    for node in body.nodes:
        op = node.op
        if op.name == "input":
            op = OPS["input"].op(name=names.get(op["name"], op["name"]), shape=op["shape"])
        made.add_node(op, node.inputs, results=node.results, name=node.name, origin=node.origin)
    made.set_output_refs(body.outputs)
    return made.freeze()


# -- registered ops ---------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class UserKernels:
    """The kernels of a registered op by device: native lowerings, Python functions on arrays, and what an elementwise op writes for each
    element of any kernel it is fused into."""

    native: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    python: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    elementwise: Mapping[str, Callable[..., Any]] = field(default_factory=dict)


USER_KERNELS: dict[str, UserKernels] = {}


def register_op(
    name: str,
    operands: str,
    *,
    infer: Infer,
    reference: Callable[..., Any],
    attrs: Mapping[str, Attr] | None = None,
    kernels: Mapping[str, Callable[..., Any]] | None = None,
    native: Mapping[str, Callable[..., Any]] | None = None,
    elementwise: Mapping[str, Callable[..., Any]] | None = None,
    kind: OpKind = OpKind.Compute,
    doc: str = "An op of the user.",
    replace: bool = False,
    **facets: Any,
) -> OpDef:
    """Register an op: the facets of a built-in record, and its kernels. The record is callable on Values.

    `operands` is a signature such as "x, index:index, bias?"; `infer(call)` gives the result's Shape (or a tuple);
    `reference(*arrays, **attrs)` is its meaning in NumPy. `kernels={"cpu": function}` are Python functions of arrays and
    attributes, run as host calls; `native={"cpu": lower}` are kernel families as in `rlx.backends.cpu.kernels`.
    `elementwise={"cpu": lambda k, x: …}` is one line of such a family: what the op does to values in registers, which broadcast;
    it is fused with its neighbors like a built-in op. Without any of these, a device uses `decompose=…`. `vmap` runs one example
    after the other unless `elementwise=…`, `batch=…` (as in `rlx.transforms.rules.batching`) or `decompose=…` is given.

    >>> import numpy as np
    >>> import rlx
    >>> cube = rlx.register_op("doc_cube", "x", infer=lambda call: call.given[0], reference=lambda x: x**3)
    >>> g = rlx.Graph("g")
    >>> g.set_outputs([g.custom("doc_cube", g.input("x", (2,)))])
    >>> rlx.compile(g, "reference")(np.float32([1, 2]))
    array([1., 8.], dtype=float32)
    """
    check_is(name, str, "RLX109", "the name of an op", "a str of letters, digits, _ and dots")
    if not re.fullmatch(r"[A-Za-z_][\w.]*", name):
        raise RlxError("RLX109", f"{name!r} is not a name for an op", fix="letters, digits, _ and dots")
    if name in OPS and (name not in USER_KERNELS or not replace):
        kind_of = "a registered op" if name in USER_KERNELS else "a built-in op"
        raise RlxError(
            "RLX109", f"{name!r} is {kind_of} already", fix="another name, or replace=True for one of your own"
        )
    stated = {
        "operands": operands,
        "infer": infer,
        "reference": reference,
        "attrs": attrs,
        "kernels": kernels,
        "native": native,
        "elementwise": elementwise,
    }
    check_facets(name, {**stated, "kind": kind, "doc": doc, **facets})
    if elementwise or "decompose" not in facets:
        facets.setdefault("batch", pointwise if elementwise else one_by_one)
    if callable(facets.get("vjp")) and "decompose" not in facets:
        facets.setdefault("jvp", by_transposition)
    facets = {
        "tolerance": Tolerance(ulps=16.0, scale="max"),
        "cost": lambda call, results: 0,
        "cases": "an op of the user",
        **facets,
    }
    OPS.records.pop(name, None)
    places = Operand.parse(operands)
    family = ("activation", "binary", "select")[min(len(places), 3) - 1] if elementwise else "custom"
    record = OPS.add(OpDef(name, places, dict(attrs or {}), infer, reference, kind, doc, family=family, **facets))
    USER_KERNELS[name] = UserKernels(dict(native or {}), dict(kernels or {}), dict(elementwise or {}))
    return record


def unregister_op(name: str) -> None:
    """Forget a registered op; graphs that hold it cannot be compiled any more.

    >>> import rlx
    >>> same = rlx.register_op("doc_same", "x", infer=lambda call: call.given[0], reference=lambda x: x)
    >>> rlx.unregister_op("doc_same")
    >>> rlx.Graph("g").custom("doc_same")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
      ...
    rlx.core.errors.RlxError: [RLX113] 'doc_same' is not a registered op
      ...
    """
    check_is(name, str, "RLX113", "the name of an op", "a str")
    if name not in USER_KERNELS:
        raise RlxError(
            "RLX113", f"{name!r} is not a registered op", fix=f"registered: {', '.join(USER_KERNELS) or 'none'}"
        )
    del USER_KERNELS[name]
    OPS.records.pop(name, None)


def holds_user_op(graph: Graph) -> bool:
    """Whether a graph or one of its bodies uses a registered op: its code is not part of any fingerprint."""
    return any(
        node.op.name in USER_KERNELS or any(holds_user_op(body) for _, body in node.op.graphs()) for node in graph.nodes
    )
