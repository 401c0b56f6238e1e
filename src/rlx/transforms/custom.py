"""Functions with derivatives of their own on Values: `custom_vjp` and `custom_jvp`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rlx.core.errors import RlxError
from rlx.ir.op import OPS, is_weak
from rlx.ir.traced_bodies import outer_values
from rlx.ir.value import Value, WeakValue, as_dtype
from rlx.ops.control.custom_fn import number_names
from rlx.ops.control.custom_values import BodyPart, emit_custom, trace_by_name
from rlx.trace.tracer import graph_of
from rlx.trace.tree import difference, leaves_of, map_leaves, rebuild, structure, with_leaves
from rlx.transforms.graphs import in_graph, inside_rule, nesting
from rlx.transforms.rules.derivative import differentiable
from rlx.transforms.rules.formulas import conj, or_zeros
from rlx.transforms.traced_derivatives import is_data


class _Call:
    """One call of a custom function: its arguments, which of their leaves are data, and the value of the function on them, traced."""

    def __init__(self, function: Callable[..., Any], args: Sequence[Any], static: Sequence[int]) -> None:
        self.graph = graph_of([function], args)
        self.args, self.static = (tuple(in_graph(tuple(args), self.graph)), tuple(number % len(args) for number in static))
        self.moving = tuple(arg for number, arg in enumerate(self.args) if number not in self.static)
        leaves = leaves_of(self.moving)
        self.places = [index for index, leaf in enumerate(leaves) if moves(leaf)]
        _, self.data = outer_values([leaves[index] for index in self.places], self.graph)
        self.primals = {f"x{index}": value.type for index, value in enumerate(self.data)}
        self.known = {f"x{index}": value for index, value in enumerate(self.data)}
        made: list[Any] = []
        self.forward = self.body("fwd_body", lambda values: _flat(function(*self.arguments(values)), made))
        self.containers = made[0]
        self.results = [self.forward.body.shape(ref) for ref in self.forward.body.output_refs.values()]

    def body(self, role: str, make: Callable[[list[Value]], Any]) -> BodyPart:
        """Traces a body of the primals."""
        return trace_by_name(lambda given: make(self.of(given)), self.primals, self.graph, role, self.known)

    def of(self, given: Mapping[str, Value]) -> list[Value]:
        """Selects the primals from values by name."""
        return [given[name] for name in self.primals]

    def filled(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """The differentiable arguments, with these values as data."""
        return with_leaves(self.moving, self.places, values)

    def directions(self, tangents: Sequence[Any]) -> tuple[Any, ...]:
        """The tangents in the containers of the differentiable arguments; those of Python numbers are zero."""
        still = map_leaves(lambda leaf: 0.0 if is_data(leaf) and not moves(leaf) else leaf, self.moving)
        return with_leaves(still, self.places, tangents)

    def arguments(self, values: Sequence[Any]) -> list[Any]:
        """All arguments, in order."""
        left = list(self.filled(values))
        return [arg if number in self.static else left.pop(0) for number, arg in enumerate(self.args)]

    def fixed(self) -> list[Any]:
        """The arguments that have no derivative."""
        return [self.args[number] for number in self.static]

    def emit(self, rules: Mapping[str, BodyPart], **attrs: Any) -> Any:
        """Emits the custom function's node with these rules; returns its results in the function's containers."""
        results = emit_custom(self.graph, self.data, {"fwd_body": self.forward, **rules}, **attrs)
        return rebuild(self.containers, list(results))

    def same_containers(self, who: str, result: Any, fix: str) -> None:
        """Checks that what a rule returns for the function's value has the function's containers."""
        made, wanted = structure(result), structure(self.containers)
        if made != wanted:
            raise RlxError("RLX114", f"{who} gives {made}, the function {wanted}; {difference(wanted, made)}", fix=fix)


def moves(leaf: Any) -> bool:
    """Whether a leaf may have a derivative: Python numbers have none, and keep their full width."""
    return is_data(leaf) and not is_weak(leaf) and not isinstance(leaf, WeakValue)


def _flat(result: Any, seen: list[Any]) -> list[Any]:
    seen.append(result)
    return leaves_of(result)


def _pair(result: Any, who: str, fix: str) -> tuple[Any, Any]:
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise RlxError("RLX114", f"{who} returns {structure(result)}", fix=fix)
    return result[0], result[1]


def _end_of_derivatives(function: Callable[..., Any]) -> dict[str, str]:
    """The attribute of a call nested too deep in its own rule: a derivative that reaches it raises this message."""
    name = getattr(function, "__name__", "the function")
    return {
        "no_derivative": f"{name} calls itself in its rule, and a derivative of a higher order is taken than the rules were traced for"
    }


def custom_vjp_values(
    function: Callable[..., Any], fwd: Callable[..., Any], bwd: Callable[..., Any], static: Sequence[int], args: Sequence[Any]
) -> Any:
    """A custom_fn of `function` whose gradient is `bwd(*static, residuals, cotangents)`, residuals from `fwd(*args)`.

    Complex cotangents and gradients of `bwd` are JAX's, those of the node are their conjugates, as of every op.
    """
    call = _Call(function, args, static)
    if nesting().ends_at(function):
        return call.emit({}, **_end_of_derivatives(function))
    kept: list[Any] = []
    places: list[int] = []  # of the residuals that are computed on the way

    def there(values: list[Value]) -> list[Any]:
        out, residuals = _pair(fwd(*call.arguments(values)), "fwd", "fwd returns (output, residuals)")
        call.same_containers("fwd", out, "fwd returns (output, residuals)")
        kept.append(residuals)
        inside = leaves_of(residuals)
        places.extend(
            i for i, leaf in enumerate(inside) if moves(leaf) or any(getattr(leaf, "graph", None) is v.graph for v in values)
        )
        return [*leaves_of(out), *(inside[index] for index in places)]

    with inside_rule(function):
        way = call.body("vjp_fwd", there)
        results = len(call.results)
        residuals = [Value(way.body, ref) for ref in way.body.output_refs.values()][results:]
        known = {f"residual_{index}": value for index, value in enumerate(residuals)}
        named = {name: value.type for name, value in known.items()}
        cotangents = dict(zip(number_names("d_output", results), call.results, strict=True))
        outputs = dict(zip(number_names("primal_output", results), call.results, strict=True))

        def back(given: Mapping[str, Value]) -> list[Value]:
            inside = with_leaves(kept[0], places, [given[name] for name in named])
            gradients = bwd(*call.fixed(), inside, rebuild(call.containers, [conj(given[name]) for name in cotangents]))
            return [conj(gradient) for gradient in _gradients(gradients, call, call.of(given))]

        special = {**outputs, **cotangents, **named}
        body = trace_by_name(back, {**call.primals, **special}, call.graph, "vjp_body", {**call.known, **known})
    return call.emit({"vjp_fwd": way, "vjp_body": body})


def _gradients(result: Any, call: _Call, primals: Sequence[Value]) -> list[Value]:
    """Reads what bwd returned, one gradient for each float argument; None for a full argument is zeros."""
    if not isinstance(result, (tuple, list)) or len(result) != len(call.moving):
        what = f"{len(result)} gradients" if isinstance(result, (tuple, list)) else type(result).__name__
        raise RlxError("RLX101", f"bwd returns {what} for {len(call.moving)} arguments", fix="a tuple with one gradient for each")
    answers: list[Any] = []
    for gradient, argument in zip(result, call.moving, strict=True):
        answers += [None] * len(leaves_of(argument)) if gradient is None else leaves_of(gradient)
    chosen = [answers[index] for index in call.places]
    return [
        _cast_gradient(gradient, primal) for gradient, primal in zip(chosen, primals, strict=True) if differentiable(primal.dtype)
    ]


def _cast_gradient(gradient: Any, primal: Value) -> Value:
    value = or_zeros(gradient, primal) if gradient is None or isinstance(gradient, Value) else OPS["add"](primal * 0, gradient)
    return as_dtype(value, primal.dtype)


def custom_jvp_values(function: Callable[..., Any], rule: Callable[..., Any], static: Sequence[int], args: Sequence[Any]) -> Any:
    """A custom_fn of `function` whose tangent is `rule(*static, primals, tangents) -> (output, tangent)`."""
    call = _Call(function, args, static)
    if nesting().ends_at(function):
        return call.emit({}, **_end_of_derivatives(function))
    moving = {f"tangent_{index}": value.type for index, value in enumerate(call.data) if differentiable(value.dtype)}

    def forward(given: Mapping[str, Value]) -> list[Any]:
        primals = call.of(given)
        tangents = [given.get(f"tangent_{index}", primal) for index, primal in enumerate(primals)]
        fix = "the rule returns (output, tangent of the output)"
        out, moved = _pair(rule(*call.fixed(), call.filled(primals), call.directions(tangents)), "the rule", fix)
        call.same_containers("the rule", out, fix)
        call.same_containers("the rule's tangent", moved, fix)
        wanted = zip(leaves_of(out), leaves_of(moved), call.results, strict=True)
        pairs = [(value, tangent, shape.dtype) for value, tangent, shape in wanted]
        return [
            *(value for value, _, _ in pairs),
            *(_like_value(tangent, value) for value, tangent, dtype in pairs if differentiable(dtype)),
        ]

    with inside_rule(function):
        body = trace_by_name(forward, {**call.primals, **moving}, call.graph, "jvp_body", call.known)
    return call.emit({"jvp_body": body}, jvp_results=True)


def _like_value(tangent: Any, value: Any) -> Any:
    """Converts a tangent that is a number or an array to the type of its primal."""
    return tangent if isinstance(tangent, Value) or not isinstance(value, Value) else _cast_gradient(tangent, value)
