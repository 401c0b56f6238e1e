"""Derivatives of functions on Values: the function is traced into a body, and its derivative is emitted in place.

What the function closes over is captured: a constant of this derivative, and a value like any other for a transform around it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from rlx.core.errors import RlxError, check_is
from rlx.ir.emit import constant, find_graph
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, is_weak
from rlx.ir.traced_bodies import trace
from rlx.ir.value import Value, as_dtype
from rlx.trace.tree import TreeDef, difference, flatten, leaves_of, map_leaves, rebuild, structure, with_fixed
from rlx.transforms.graphs import Arguments, differentiating, in_graph, keeping_residuals
from rlx.transforms.rules.derivative import Maybe, differentiable
from rlx.transforms.rules.formulas import conj, or_zeros, zeros_like
from rlx.transforms.rules.tape import Tape, open_tape, pull_tape, push

T = TypeVar("T")


def is_data(leaf: Any) -> bool:
    """Whether a leaf is a Value or becomes one: an array, a number, a handle; not a string or a bool."""
    if isinstance(leaf, bool):
        return False
    return isinstance(leaf, (Value, np.ndarray, np.generic)) or is_weak(leaf) or hasattr(leaf, "__rlx_value__")


@dataclass
class Traced:
    """A function traced on some of its leaves: the body, its operands (arguments, then captured values), and its containers."""

    body: Graph
    operands: list[Value]
    count: int  # operands that are arguments
    containers: Any  # what the function returned
    fixed: dict[int, Any]  # leaves of it that are not data

    def rebuilt(self, results: Sequence[Any]) -> Any:
        """Rebuilds results in the function's containers."""
        return rebuild(self.containers, with_fixed(results, self.fixed))

    def tape(self, wanted: Sequence[bool] | None = None) -> tuple[list[Value], Tape]:
        """Emits the body and records its tape; returns the results and the tape, for arguments (all, or those that are wanted)."""
        flags = [*(wanted or map(_has_derivative, self.operands[: self.count])), *[False] * (len(self.operands) - self.count)]
        target = _graph_of(self.operands, self.body)
        tape = open_tape(self.body, self.operands, flags, range(len(self.body.output_refs)), target)
        return [tape.emitter.values[ref] for ref in self.body.output_refs.values()], tape

    def gradients(self, tape: Tape, cotangents: Sequence[Maybe]) -> list[Value]:
        """The gradients of the arguments for cotangents of the results, both as JAX has them.

        The rules of ops are adjoint: a holomorphic f pulls back by conj(f'). JAX pulls back by f', so complex cotangents and gradients
        are conjugated here, where the derivative of a function begins and ends.
        """
        gradients = pull_tape(tape, [conj(cotangent) for cotangent in cotangents])[: self.count]
        return [or_zeros(conj(gradient), operand) for gradient, operand in zip(gradients, self.operands, strict=False)]


def _has_derivative(value: Value) -> bool:
    return differentiable(value.dtype)


def _graph_of(operands: Sequence[Value], body: Graph) -> Graph:
    if not operands:
        raise RlxError("RLX101", f"{body.name} has no argument to differentiate by")
    return find_graph(operands)


def trace_function(function: Callable[..., Any], tree: Any, which: Sequence[int], beside: Any = ()) -> Traced:
    """Traces a function to differentiate: `function(*args, **kwargs)`, leaves of `tree = (args, kwargs)` at `which` as inputs.

    `beside` are tangents or other Values of the call.
    """
    arguments = Arguments.of(function, tree, which, beside)
    seen: list[Any] = []
    fixed: dict[int, Any] = {}

    def on_leaves(*inputs: Value) -> list[Any]:
        seen.append(arguments.apply(function, inputs))
        results = leaves_of(seen[0])
        fixed.update({i: leaf for i, leaf in enumerate(results) if not is_data(leaf)})
        return [leaf for i, leaf in enumerate(results) if i not in fixed]

    shapes = [value.type for value in arguments.operands]
    with differentiating():
        name = getattr(function, "__name__", "traced")
        body, captured = trace(on_leaves, shapes, arguments.graph, name, stands_for=arguments.operands)
    operands = [*arguments.operands, *(Value(arguments.graph, ref) for ref in captured)]
    return Traced(body.freeze(), operands, len(shapes), seen[0], fixed)


def _choose_leaves(args: Sequence[Any], argnums: Sequence[int], what: str, integers: bool = False) -> list[int]:
    """The positions of the leaves of some positional arguments; all must have derivatives, except `integers` where these are allowed."""
    values, position = [], 0
    for number, arg in enumerate(args):
        for path, leaf in flatten(arg):
            if number in argnums:
                _check_leaf(leaf, f"{what} by argument {number}{'.' + path if path else ''}", integers)
                values.append(position)
            position += 1
    return values


def _check_leaf(leaf: Any, what: str, integers: bool) -> None:
    if not is_data(leaf):
        raise RlxError("RLX602", f"{what}, which is {leaf!r}", fix="choose other arguments: argnums=…")
    if integers:
        return
    kind = getattr(leaf, "dtype", None)
    whole = (
        isinstance(leaf, int) if kind is None else not (kind.kind in "fcV" if isinstance(kind, np.dtype) else differentiable(kind))
    )
    if whole:
        raise RlxError(
            "RLX602", f"{what}, which is of {kind or 'an int'}", fix="floats and complex numbers have derivatives; argnums=…"
        )


def checked_argnums(argnums: int | Sequence[int], count: int, what: str) -> tuple[int, ...]:
    """Checks `argnums`: the numbers of positional arguments, counted from the front."""
    numbers = tuple(argnums) if isinstance(argnums, (list, tuple)) else (argnums,)
    for number in numbers:
        check_is(number, int, "RLX602", f"{what}: argnums", "the number of a positional argument, or a tuple of them")
        if not -count <= number < count:
            raise RlxError("RLX602", f"{what}: argnums {number} for {count} positional arguments", fix="pass it by position")
    return tuple(number % count for number in numbers)


def _as_containers(args: Sequence[Any], numbers: Sequence[int], single: bool, gradients: Sequence[Value]) -> Any:
    """Puts gradients into the containers of the arguments they belong to."""
    left = list(gradients)
    by_argument = {number: rebuild(args[number], left) for number in sorted(set(numbers))}
    return by_argument[numbers[0]] if single else tuple(by_argument[number] for number in numbers)


def check_holomorphic(leaves: Sequence[Any], what: str, kind: str) -> None:
    """Checks `holomorphic=True`: it is for functions of complex numbers that return complex numbers."""
    for leaf in leaves:
        dtype = getattr(leaf, "dtype", None)
        if not (dtype.kind == "c" if isinstance(dtype, np.dtype) else getattr(dtype, "is_complex", isinstance(leaf, complex))):
            raise RlxError(
                "RLX602",
                f"{what} with holomorphic=True of a function whose {kind} is {dtype or type(leaf).__name__}",
                fix=f"complex {kind}s, or leave out holomorphic=True",
            )


def _check_loss(loss: Any, holomorphic: bool) -> None:
    if holomorphic:
        check_holomorphic([loss], "grad", "result")
    if not isinstance(loss, Value) or loss.rank != 0 or not (loss.dtype.is_float or holomorphic):
        what = str(loss.type) if isinstance(loss, Value) else type(loss).__name__
        fix = "return one float scalar, such as .mean(); or vjp"
        if isinstance(loss, Value) and loss.dtype.is_complex:
            fix = "return a real scalar, such as abs(z) or z.real; holomorphic=True for a holomorphic function of complex numbers"
        raise RlxError("RLX603", f"grad of a function that returns {what}", fix=fix)


# -- reverse ----------------------------------------------------------------------------------------------------
def value_and_grad_values(
    function: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[..., Any]:
    """`rlx.value_and_grad` for calls on Values."""

    @functools.wraps(function)
    def both(*args: Any, **kwargs: Any) -> Any:
        numbers = checked_argnums(argnums, len(args), "grad")
        traced = trace_function(function, (tuple(args), dict(kwargs)), _choose_leaves(args, numbers, "grad"))
        if has_aux:
            _check_aux(traced)
        results, tape = traced.tape()
        if holomorphic:
            check_holomorphic(traced.operands[: traced.count], "grad", "argument")
        loss = traced.containers[0] if has_aux else traced.containers
        if is_data(loss):  # an array or a number too: it does not depend on the arguments
            loss = results[0]
        _check_loss(loss, holomorphic)
        cotangents: list[Maybe] = [constant(loss.graph, 1.0, loss.dtype), *[None] * (len(results) - 1)]
        gradients = traced.gradients(tape, cotangents)
        return traced.rebuilt(results), _as_containers(args, numbers, isinstance(argnums, int), gradients)

    return both


def grad_values(
    function: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[..., Any]:
    """`rlx.grad` for calls on Values."""
    both = value_and_grad_values(function, argnums, has_aux, holomorphic)

    @functools.wraps(function)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, gradients = both(*args, **kwargs)
        return (gradients, value[1]) if has_aux else gradients

    return gradient


def _check_aux(traced: Traced) -> None:
    if not (isinstance(traced.containers, tuple) and len(traced.containers) == 2):
        message = f"has_aux: the function returns {structure(traced.containers)}"
        raise RlxError("RLX603", message, fix="return (value, aux), such as (loss, logits)")


def vjp_values(function: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """`rlx.vjp` for calls on Values: value and pullback, and with `has_aux` what the function gives beside the value."""
    numbers = tuple(range(len(primals)))
    traced = trace_function(function, (primals, {}), _choose_leaves(primals, numbers, "vjp", integers=True))
    if has_aux:
        _check_aux(traced)
    results, tape = traced.tape()
    value, *aux = traced.rebuilt(results) if has_aux else (traced.rebuilt(results),)
    count = sum(is_data(leaf) for leaf in leaves_of(value))  # of the results, those that take cotangents

    def pullback(cotangents: Any) -> tuple[Any, ...]:
        given_cotangents = like_results(cotangents, value, results[:count], "the cotangents")
        gradients = traced.gradients(tape, [*given_cotangents, *[None] * (len(results) - count)])
        return _as_containers(primals, numbers, False, gradients)

    return value, pullback, *aux


def vjp_joint(function: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, Any, Any]:
    """Value (and aux) and gradients for cotangents that are inputs of the graph; and the cotangents' structure and names, "" where
    none is taken."""
    value, pullback, *aux = vjp_values(function, *primals, has_aux=has_aux)
    cotangents, names = _unknown_inputs(value, leaves_of(value), "cotangent")
    return (value, *aux) if has_aux else value, pullback(cotangents), names


def _unknown_inputs(containers: Any, like: Sequence[Any], what: str) -> tuple[Any, tuple[TreeDef, list[str]]]:
    """Inputs of the graph that are like some leaves, where those have derivatives, in their containers; the structure of these, and the
    name of the input, or "", for each leaf."""
    inputs, names = list(like), [""] * len(like)
    for index, leaf in enumerate(like):
        if isinstance(leaf, Value) and differentiable(leaf.dtype):
            names[index] = f"{what}.{index}"
            inputs[index] = Value(leaf.graph, leaf.graph.add_node(OPS["input"].op(name=names[index], shape=leaf.type)).ref)
    return rebuild(containers, inputs), (structure(containers), names)


def like_results(tree: Any, containers: Any, results: Sequence[Value], what: str) -> list[Maybe]:
    """Converts leaves of `tree` to Values of the types of results; results without a derivative take none."""
    check_containers(structure(tree), structure(containers), what)
    filled: list[Maybe] = []
    data = [leaf for (_, leaf), (_, like) in zip(flatten(tree), flatten(containers), strict=True) if is_data(like)]
    for leaf, result in zip(data, results, strict=True):
        if not differentiable(result.dtype):
            filled.append(None)
            continue
        leaf = in_graph(leaf, result.graph)
        value = leaf if isinstance(leaf, Value) else constant(result.graph, np.asarray(leaf, result.dtype.numpy))
        if value.shape != result.shape:
            raise RlxError("RLX102", f"one of {what} is {value.type} for a value of {result.type}", fix="the same shape")
        filled.append(as_dtype(value, result.dtype))
    return filled


def check_containers(actual: TreeDef, wanted: TreeDef, what: str) -> None:
    """Checks that cotangents or tangents have the containers of the values they belong to."""
    if actual != wanted:
        message = f"{what} are {actual}, the values they belong to {wanted}; {difference(wanted, actual)}"
        raise RlxError("RLX114", message, fix="the same containers")


# -- forward ----------------------------------------------------------------------------------------------------
def jvp_values(function: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """`rlx.jvp` for calls on Values."""
    traced = _traced_forward(function, primals, tangents)
    return _push(traced, _tangents(traced, primals, tangents))


def linearize_values(function: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """`rlx.linearize` for calls on Values."""
    traced = _traced_forward(function, primals)
    zeros = [zeros_like(value) if differentiable(value.dtype) else None for value in traced.operands[: traced.count]]

    def pushforward(*tangents: Any) -> Any:
        return _push(traced, _tangents(traced, primals, tangents))[1]

    return _push(traced, zeros)[0], pushforward


def linearize_joint(function: Callable[..., Any], *primals: Any) -> tuple[Any, Any, Any]:
    """Value and tangent for tangents that are inputs of the graph; and the tangents' structure and names."""
    with keeping_residuals():
        traced = _traced_forward(function, primals)
    tangents, names = _unknown_inputs(primals, traced.operands[: traced.count], "tangent")
    known = zip(leaves_of(tangents), names[1], strict=True)
    return *_push(traced, [tangent if name else None for tangent, name in known]), names


def _traced_forward(function: Callable[..., Any], primals: Sequence[Any], tangents: Any = ()) -> Traced:
    which = _choose_leaves(primals, range(len(primals)), "jvp", integers=True)
    return trace_function(function, (tuple(primals), {}), which, tangents)


def _tangents(traced: Traced, primals: Sequence[Any], tangents: Sequence[Any]) -> list[Maybe]:
    """Reads the tangents of the arguments."""
    return like_results(tuple(tangents), tuple(primals), traced.operands[: traced.count], "the tangents")


def _push(traced: Traced, given_tangents: Sequence[Maybe]) -> tuple[Any, Any]:
    """Runs forward mode: the value and its tangent, both as the function's rules give them."""
    _graph_of(traced.operands, traced.body)
    captured = [None] * (len(traced.operands) - traced.count)
    values, moved_out = push(traced.body, traced.operands, [*given_tangents, *captured])
    pairs = zip(moved_out, values, strict=True)
    tangents = [or_zeros(tangent if differentiable(value.dtype) else None, value) for tangent, value in pairs]
    return traced.rebuilt(values), traced.rebuilt(tangents)


def stop_gradient(tree: T) -> T:
    """Makes values constants for every derivative; arrays and numbers are that already.

    >>> import numpy as np, rlx
    >>> rlx.grad(lambda x: (x * rlx.lax.stop_gradient(x)).sum())(np.float32([1, 2]))
    Array([1., 2.], dtype=float32)
    """
    return map_leaves(lambda leaf: OPS["stop_gradient"](leaf) if isinstance(leaf, Value) else leaf, tree)
