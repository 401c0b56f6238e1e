"""Functions with derivatives of their own on Values: `custom_vjp`, `custom_jvp`, and `checkpoint`, which keeps nothing."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.derivative import Maybe, differentiable
from rlx.ir.emit import emit
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.ir.tape import pull, push
from rlx.ir.value import Value
from rlx.ops.control import scan_values
from rlx.ops.custom import custom_fn, custom_fn_values
from rlx.ops.derivatives import given
from rlx.ops.reduce import as_dtype
from rlx.trace.tree import flatten, leaves_of, rebuild, structure, with_leaves
from rlx.transforms.functions import Traced, is_data, trace_function


def _numbered(name: str, count: int) -> list[str]:
    return [name] if count == 1 else [f"{name}_{index}" for index in range(count)]


def _signed(function: Callable[..., Any], names: Sequence[str]) -> Callable[..., Any]:
    """A function of positional values with named parameters, by which custom_fn knows them."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    function.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])  # type: ignore[attr-defined]
    return function


class _Leaves:
    """The arguments of one call: which leaves are data, and how they go back into containers."""

    def __init__(self, args: Sequence[Any], static: Sequence[int]) -> None:
        self.args, self.static = tuple(args), tuple(number % len(args) for number in static)
        self.moving = tuple(arg for number, arg in enumerate(args) if number not in self.static)
        self.leaves = leaves_of(self.moving)
        self.places = [index for index, leaf in enumerate(self.leaves) if is_data(leaf)]

    @property
    def data(self) -> list[Any]:
        """The leaves that are Values or become them."""
        return [self.leaves[index] for index in self.places]

    def filled(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """The arguments that move, with these values as data."""
        found: tuple[Any, ...] = with_leaves(self.moving, self.places, values)
        return found

    def arguments(self, values: Sequence[Any]) -> list[Any]:
        """All arguments, in order."""
        left = list(self.filled(values))
        return [arg if number in self.static else left.pop(0) for number, arg in enumerate(self.args)]

    def fixed(self) -> list[Any]:
        """The arguments that do not move."""
        return [self.args[number] for number in self.static]


def _flat_results(found: Any, seen: list[Any]) -> list[Any]:
    seen.append(found)
    return leaves_of(found)


def custom_vjp_values(
    function: Callable[..., Any], fwd: Callable[..., Any], bwd: Callable[..., Any], static: Sequence[int], args: Sequence[Any]
) -> Any:
    """A custom_fn of `function` whose gradient is `bwd(*static, residuals, cotangents)`, residuals from `fwd(*args)`."""
    call = _Leaves(args, static)
    count, seen = len(call.data), []  # type: ignore[var-annotated]

    def forward(*values: Value) -> list[Any]:
        return _flat_results(function(*call.arguments(values)), seen)

    def gradient(*values: Value) -> list[Value]:
        primals, seeds = list(values[:count]), list(values[count + outputs :])
        out, residuals = fwd(*call.arguments(primals))
        if structure(out) != structure(seen[0]):
            message = f"fwd gives {structure(out)}, the function {structure(seen[0])}"
            raise RlxError("RLX114", message, fix="fwd returns (output, residuals)")
        found = bwd(*call.fixed(), residuals, rebuild(seen[0], seeds))
        return _gradients(found, call, primals)

    outputs = len(_result_shapes(forward, call))
    names = [*(f"x{index}" for index in range(count)), *_numbered("primal_output", outputs), *_numbered("d_output", outputs)]
    made = custom_fn_values(call.data, forward, _signed(gradient, names))
    return rebuild(seen[0], list(made))


def _result_shapes(forward: Callable[..., Any], call: _Leaves) -> list[Shape]:
    """The types of the function's results: it is traced once for that, as names of parameters depend on their number."""
    body = trace_function(lambda *values: forward(*values), (tuple(call.data), {}), range(len(call.data))).body
    return [body.shape(ref) for ref in body.outputs.values()]


def _gradients(found: Any, call: _Leaves, primals: Sequence[Value]) -> list[Value]:
    """What bwd returned, one gradient for each float argument; None for a whole argument is zeros."""
    if not isinstance(found, (tuple, list)) or len(found) != len(call.moving):
        what = f"{len(found)} gradients" if isinstance(found, (tuple, list)) else type(found).__name__
        raise RlxError("RLX101", f"bwd returns {what} for {len(call.moving)} arguments", fix="a tuple with one gradient for each")
    answers: list[Any] = []
    for gradient, argument in zip(found, call.moving, strict=True):
        answers += [None] * len(leaves_of(argument)) if gradient is None else leaves_of(gradient)
    chosen = [answers[index] for index in call.places]
    return [
        _typed(gradient, primal) for gradient, primal in zip(chosen, primals, strict=True) if differentiable(primal.dtype)
    ]


def _typed(gradient: Any, primal: Value) -> Value:
    value = given(gradient, primal) if gradient is None or isinstance(gradient, Value) else OPS["add"](primal * 0, gradient)
    return as_dtype(value, primal.dtype)


def custom_jvp_values(function: Callable[..., Any], rule: Callable[..., Any], static: Sequence[int], args: Sequence[Any]) -> Any:
    """A custom_fn of `function` whose tangent is `rule(*static, primals, tangents) -> (output, tangent)`."""
    call = _Leaves(args, static)
    count, seen = len(call.data), []  # type: ignore[var-annotated]

    def forward(*values: Value) -> list[Any]:
        return _flat_results(function(*call.arguments(values)), seen)

    shapes = _result_shapes(forward, call)
    floats = [index for index, leaf in enumerate(call.data) if _has_derivative(leaf)]

    def tangent(*values: Value) -> list[Any]:
        primals, tangents = list(values[:count]), dict(zip(floats, values[count:], strict=True))
        moving = call.filled([tangents.get(index, primals[index]) for index in range(count)])
        _, moved = rule(*call.fixed(), call.filled(primals), moving)
        return [leaf for (_, leaf), shape in zip(flatten(moved), shapes, strict=True) if differentiable(shape.dtype)]

    names = [*(f"x{index}" for index in range(count)), *(f"tangent_{index}" for index in floats)]
    made = custom_fn_values(call.data, forward, None, _signed(tangent, names))
    return rebuild(seen[0], list(made))


def _has_derivative(leaf: Any) -> bool:
    if isinstance(leaf, Value):
        return differentiable(leaf.dtype)
    kind = getattr(leaf, "dtype", None)
    return isinstance(leaf, (float, complex)) if kind is None else kind.kind in "fcV"


# -- keeping nothing --------------------------------------------------------------------------------------------
def checkpoint_values(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """A custom_fn of `function` whose gradient computes it once more, in a loop of one step that cse does not look into."""
    tree = (tuple(args), dict(kwargs))
    which = [index for index, (_, leaf) in enumerate(flatten(tree)) if is_data(leaf)]
    traced = trace_function(function, tree, which)
    if not traced.operands:
        return function(*args, **kwargs)
    attrs = {"fwd_body": traced.body, "vjp_body": _recomputing_vjp(traced), "jvp_body": _plain_jvp(traced)}
    return traced.rebuilt(list(emit(custom_fn, traced.operands, attrs)))


def _body_with(traced: Traced, special: dict[str, Shape], name: str) -> tuple[Graph, list[Value], list[Value]]:
    """A body whose inputs are the primals and named values."""
    body = Graph(name, "mir")
    body.assumptions = list(traced.body.assumptions)

    def place(key: str, shape: Shape) -> Value:
        return Value(body, body.add_node(OPS["input"].op(name=key, shape=shape)).ref)

    primals = [place(f"x{index}", node.shape) for index, node in enumerate(traced.body.inputs.values())]
    return body, primals, [place(key, shape) for key, shape in special.items()]


def _recomputing_vjp(traced: Traced) -> Graph:
    inner = traced.body
    shapes = [inner.shape(ref) for ref in inner.outputs.values()]
    count = len(shapes)
    special = {name: shape for key in ("primal_output", "d_output") for name, shape in zip(_numbered(key, count), shapes, strict=True)}
    body, primals, named = _body_with(traced, special, "vjp_body")
    seeds = named[count:]
    wanted = [differentiable(primal.dtype) for primal in primals]

    def once(*values: Value) -> list[Value]:
        inside, ds = list(values[: len(primals)]), list(values[len(primals) :])
        cotangents: list[Maybe] = [d if differentiable(d.dtype) else None for d in ds]
        found = pull(inner, inside, cotangents, wanted)
        return [given(gradient, primal) for gradient, primal, flag in zip(found, inside, wanted, strict=True) if flag]

    rows = scan_values(once, (), (), bcasts=[*primals, *seeds], length=1, graph=body) if any(wanted) else ()
    body.set_output_refs({f"y{index}": row.reshape(row.shape[1:]).ref for index, row in enumerate(rows)})
    return body.freeze()


def _plain_jvp(traced: Traced) -> Graph:
    inner = traced.body
    floats = {f"tangent_{i}": node.shape for i, node in enumerate(inner.inputs.values()) if differentiable(node.shape.dtype)}
    body, primals, moving = _body_with(traced, floats, "jvp_body")
    tangents = dict(zip(floats, moving, strict=True))
    made, moved = push(inner, primals, [tangents.get(f"tangent_{index}") for index in range(len(primals))])
    answers = [given(tangent, value) for tangent, value in zip(moved, made, strict=True) if differentiable(value.dtype)]
    body.set_output_refs({f"y{index}": value.ref for index, value in enumerate(answers)})
    return body.freeze()
