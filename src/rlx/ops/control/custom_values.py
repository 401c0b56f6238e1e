"""`custom_fn` on Values: its bodies traced from Python functions, and what they close over made operands.

`register_op` defines an op of the user: it takes the facets of a built-in record, and kernels. `native`
kernels are commands like any other; Python ones (`kernels`) are host calls on the
calling thread: the report names them, and `save` refuses them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlx.core.errors import RlxError, check_is, did_you_mean
from rlx.ir.emit import emit
from rlx.ir.graph import Graph, Ref
from rlx.ir.op import Infer, Operand
from rlx.ir.tolerance import Tolerance
from rlx.ir.traced_bodies import Body, add_captures, outer_values, trace
from rlx.ops.control.custom_fn import custom_fn, number_names
from rlx.ops.record import OPS, Attr, OpDef, OpKind, Shape, Size, Value
from rlx.transforms.rules.batching import one_by_one, pointwise
from rlx.transforms.rules.derivative import differentiable
from rlx.transforms.rules.formulas import by_transposition


class MultiOutputHandle(tuple[Value, ...]):
    """The results of a custom_fn as a tuple of Values, with the offsets and sub-shapes that the Rust API has.

    >>> from rlx import Graph
    >>> g = Graph("g")
    >>> pair = g.custom_fn_multi([g.input("x", (2, 3))], lambda x: (x * 2, x.sum(axes=0)))
    >>> pair.offsets, [str(shape) for shape in pair.sub_shapes], g.node(pair.source).op.name
    ((0, 6), ['f32[2, 3]', 'f32[3]'], 'custom_fn')
    """

    __slots__ = ()

    @property
    def source(self) -> int:
        """The id of the custom_fn node."""
        return self[0].ref.node

    @property
    def sub_shapes(self) -> tuple[Shape, ...]:
        """The shape of each result of the custom_fn."""
        return tuple(value.type for value in self)

    @property
    def offsets(self) -> tuple[Size, ...]:
        """Offset of each result in the concatenation of all results, in elements."""
        sizes = [shape.num_elements for shape in self.sub_shapes]
        return tuple(sum(sizes[:index]) for index in range(len(sizes)))

    def n_outputs(self) -> int:
        """The number of results of the custom_fn."""
        return len(self)

    def output(self, graph: object, index: int) -> Value:
        """Result `index` of the custom_fn; `graph` is unread, a parameter of the Rust API."""
        if not 0 <= index < len(self):
            raise RlxError("RLX115", f"output {index} of a custom_fn with {len(self)} results", fix=f"0 to {len(self) - 1}")
        return self[index]


def custom_fn_values(
    operands: Sequence[Any],
    fwd_body: Body,
    vjp_body: Body | None = None,
    jvp_body: Body | None = None,
    *,
    graph: Graph | None = None,
    name: str | None = None,
) -> MultiOutputHandle:
    """Emits a custom_fn, tracing bodies that are functions; their special inputs are recognized by parameter names."""
    outer, values = outer_values(operands, graph)
    shapes = [value.type for value in values]
    forward, captured = trace(fwd_body, shapes, outer, "fwd_body")
    results = [forward.shape(ref) for ref in forward.output_refs.values()]
    special = dict(zip(number_names("primal_output", len(results)), results, strict=True))
    seeds = dict(zip(number_names("d_output", len(results)), results, strict=True))
    tangents = {f"tangent_{i}": shape for i, shape in enumerate(shapes) if differentiable(shape.dtype)}
    parts = {"fwd_body": BodyPart(forward, captured)}
    for role, body, names in (("vjp_body", vjp_body, {**special, **seeds}), ("jvp_body", jvp_body, {**special, **tangents})):
        if body is not None:
            parts[role] = _trace_by_names(body, shapes, names, outer)
    return emit_custom(outer, values, parts, name=name)


@dataclass(frozen=True)
class BodyPart:
    """A traced body of a custom_fn, the outer values it captures, and the names of inputs that are not x0, x1, ….

    The last inputs are the captured values, in order.
    """

    body: Graph
    captured: Sequence[Ref] = ()
    names: Mapping[str, str] = field(default_factory=dict)


def emit_custom(
    outer: Graph, values: Sequence[Value], parts: Mapping[str, BodyPart], *, name: str | None = None, **attrs: Any
) -> MultiOutputHandle:
    """Emits a custom_fn of bodies by role; a value captured by any body becomes an operand, and an input of all bodies."""
    bodies, union = add_captures([(part.body, part.captured) for part in parts.values()], outer)
    made = {role: _rename_inputs(body, parts[role].names) for role, body in zip(parts, bodies, strict=True)}
    operands = (*values, *(Value(outer, ref) for ref in union))
    return MultiOutputHandle(emit(custom_fn, operands, {**made, "num_captured": len(union), **attrs}, graph=outer, name=name))


def trace_by_name(
    make: Callable[[Mapping[str, Value]], Any],
    shapes: Mapping[str, Shape],
    outer: Graph,
    role: str,
    stands_for: Mapping[str, Value] | None = None,
) -> BodyPart:
    """Traces a custom_fn body that takes its values by name; `stands_for` maps some names to outer values."""
    names = list(shapes)
    body, captured = trace(
        lambda *values: make(dict(zip(names, values, strict=True))),
        list(shapes.values()),
        outer,
        role,
        stands_for=[(stands_for or {}).get(name) for name in names],
    )
    return BodyPart(body, captured, {f"x{index}": name for index, name in enumerate(names)})


def _trace_by_names(body: Body, primals: Sequence[Shape], special: Mapping[str, Shape], outer: Graph) -> BodyPart:
    """Traces a derivative body: parameters with special names get those values, the others the primals in order."""
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
    # special inputs that the function does not name are declared too, unread
    shapes = {**dict(zip(rest, primals, strict=True)), **special}
    return trace_by_name(lambda given: body(*(given[name] for name in parameters)), shapes, outer, "derivative")


def _rename_inputs(body: Graph, names: Mapping[str, str]) -> Graph:
    """Copies a custom_fn body with other names for its inputs."""
    if not names:
        return body
    made = Graph(body.name, body.level)
    made.assumptions, made.symbols = list(body.assumptions), dict(body.symbols)
    for node in body.nodes:
        op = node.op
        if op.name == "input":
            op = OPS["input"].op(name=names.get(op["name"], op["name"]), shape=op["shape"])
        made.add_node(op, node.inputs, results=node.results, name=node.name, origin=node.origin)
    made.set_output_refs(body.output_refs)
    return made.freeze()


# -- what `rlx.register_op` takes for each facet of a user's op; anything else is refused before anything is registered


_OPERAND = re.compile(r"[A-Za-z_]\w*(:(value|index|mask|packed))?[?*]?")


def _is_function(value: Any) -> bool:
    return callable(value)


def _is_function_or_none(value: Any) -> bool:
    return value is None or callable(value)


def _is_function_or_reason(value: Any) -> bool:
    return callable(value) or isinstance(value, str)


def _are_operands(value: Any) -> bool:
    """Whether a facet is an operand signature such as `x, index:index, mask:mask?, rest*`, or empty."""
    if not isinstance(value, str):
        return False
    return not value.strip() or all(_OPERAND.fullmatch(part.strip()) for part in value.split(","))


def _by_name(kind: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def test(value: Any) -> bool:
        return value is None or (
            isinstance(value, Mapping) and all(isinstance(name, str) and kind(each) for name, each in value.items())
        )

    return test


def _are_results(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(name, str) for name in value)


_RULE = (_is_function_or_reason, "a function, or a str that says why there is none")
_OPTIONAL = (_is_function_or_none, "a function, or None")
_KERNELS = (_by_name(callable), "functions by device: {'cpu': function}")
_TAKES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "operands": (_are_operands, "a signature: 'x, index:index, mask:mask?, rest*'"),
    "infer": (_is_function, "a function of the call that gives the result's Shape, or a tuple of them"),
    "reference": (_is_function, "a function of NumPy arrays and the attributes"),
    "attrs": (_by_name(lambda attr: isinstance(attr, Attr)), "Attrs by name: {'scale': Attr('float', 1.0)}"),
    "kernels": _KERNELS,
    "native": _KERNELS,
    "elementwise": _KERNELS,
    "kind": (lambda kind: isinstance(kind, OpKind), f"one of: {', '.join(f'OpKind.{kind.name}' for kind in OpKind)}"),
    "doc": (lambda doc: isinstance(doc, str), "a sentence"),
    "results": (_are_results, "a tuple of names"),
    "tolerance": (lambda tolerance: isinstance(tolerance, Tolerance), "a Tolerance"),
    "can_fail": (lambda flag: isinstance(flag, bool), "True or False"),
    **dict.fromkeys(("vjp", "jvp", "batch", "cases"), _RULE),
    **dict.fromkeys(("decompose", "cost", "normalize", "compute_dtype", "saving", "view"), _OPTIONAL),
}


def check_facets(name: str, facets: Mapping[str, Any]) -> None:
    """Raises RLX105 for the first facet of `register_op` that is unknown or has the wrong type."""
    for facet, value in facets.items():
        if facet not in _TAKES:
            hint = did_you_mean(facet, _TAKES)
            known = f"its facets: {', '.join(_TAKES)}"
            raise RlxError("RLX105", f"register_op of {name!r} has no facet {facet!r}", fix=f"{hint} {known}" if hint else known)
        test, takes = _TAKES[facet]
        if not test(value):
            raise RlxError("RLX105", f"{facet} of the op {name!r} is {value!r:.60}", fix=takes)


# -- ops of the user


@dataclass(frozen=True)
class UserKernels:
    """The kernels of a registered op by device: native lowerings, host functions on arrays, and the per-element code that is fused
    into any kernel."""

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
    _check_name(name, replace)
    stated = {"operands": operands, "infer": infer, "reference": reference, "attrs": attrs, "kernels": kernels, "native": native}
    check_facets(name, {**stated, "elementwise": elementwise, "kind": kind, "doc": doc, **facets})
    facets = _with_defaults(facets, bool(elementwise))
    OPS.records.pop(name, None)
    parsed = Operand.parse(operands)
    family = ("activation", "binary", "select")[min(len(parsed), 3) - 1] if elementwise else "custom"
    record = OPS.add(OpDef(name, parsed, dict(attrs or {}), infer, reference, kind, doc, family=family, **facets))
    USER_KERNELS[name] = UserKernels(dict(native or {}), dict(kernels or {}), dict(elementwise or {}))
    return record


def _check_name(name: str, replace: bool) -> None:
    check_is(name, str, "RLX109", "the name of an op", "a str of letters, digits, _ and dots")
    if not re.fullmatch(r"[A-Za-z_][\w.]*", name):
        raise RlxError("RLX109", f"{name!r} is not a name for an op", fix="letters, digits, _ and dots")
    if name in OPS and (name not in USER_KERNELS or not replace):
        kind_of = "a registered op" if name in USER_KERNELS else "a built-in op"
        raise RlxError("RLX109", f"{name!r} is {kind_of} already", fix="another name, or replace=True for one of your own")


def _with_defaults(facets: Mapping[str, Any], elementwise: bool) -> dict[str, Any]:
    """Completes the facets of a user's op; a decomposition provides its derivatives and its batching."""
    defaults: dict[str, Any] = {
        "tolerance": Tolerance(ulps=16.0, scale="max"),
        "cost": lambda call, results: 0,
        "cases": "an op of the user",
    }
    if elementwise or "decompose" not in facets:
        defaults["batch"] = pointwise if elementwise else one_by_one
    if callable(facets.get("vjp")) and "decompose" not in facets:
        defaults["jvp"] = by_transposition
    return {**defaults, **facets}


def unregister_op(name: str) -> None:
    """Forget a registered op; graphs that hold it cannot be compiled any more.

    >>> import rlx
    >>> same = rlx.register_op("doc_same", "x", infer=lambda call: call.given[0], reference=lambda x: x)
    >>> rlx.graphs.unregister_op("doc_same")
    >>> rlx.Graph("g").custom("doc_same")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
      ...
    rlx.core.errors.RlxError: [RLX113] 'doc_same' is not a registered op
      ...
    """
    check_is(name, str, "RLX113", "the name of an op", "a str")
    if name not in USER_KERNELS:
        raise RlxError("RLX113", f"{name!r} is not a registered op", fix=f"registered: {', '.join(USER_KERNELS) or 'none'}")
    del USER_KERNELS[name]
    OPS.records.pop(name, None)


def holds_user_op(graph: Graph) -> bool:
    """Whether a graph or one of its bodies calls user code (a registered op or a callback), which no fingerprint covers."""
    return any(
        node.op.name in USER_KERNELS or node.op.definition.calls_user or any(holds_user_op(body) for _, body in node.op.graphs())
        for node in graph.nodes
    )
