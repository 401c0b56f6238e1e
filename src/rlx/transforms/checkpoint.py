"""`checkpoint`: a function of which a gradient keeps its arguments and what a policy chooses, and computes the rest again."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

from rlx.core.argument_checks import check_function, check_is
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.emit import emit
from rlx.ir.graph import Graph, Ref
from rlx.ir.op import OPS
from rlx.ir.value import Value
from rlx.ops.control.control import scan_values
from rlx.ops.control.custom_fn import custom_fn, numbered
from rlx.ops.control.fused import inline
from rlx.ops.control.recorded import as_recorded
from rlx.runtime.parameters import ArgumentNumbers
from rlx.runtime.transformed import Transformed
from rlx.trace.tree import flatten, map_leaves
from rlx.transforms.checkpoint_policies import Candidate, Policy, everything_saveable, nothing_saveable
from rlx.transforms.custom import moves
from rlx.transforms.function_transforms import compiled_on_arrays
from rlx.transforms.nesting import nesting
from rlx.transforms.rules.derivative import differentiable
from rlx.transforms.rules.formulas import given
from rlx.transforms.rules.tape import open_tape, pull, push
from rlx.transforms.traced_derivatives import Traced, trace_function

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


def checkpoint(
    function: Callable[P, R], *, policy: Policy | None = None, static_argnums: ArgumentNumbers = None, prevent_cse: bool = True
) -> Transformed[P, R]:
    """The same function, of which a gradient keeps nothing but the arguments: it is computed again on the way back.

    A `policy` chooses values to be kept beside them: one of `rlx.checkpoint_policies`, or a function of a `Candidate`. What is computed
    again is never shared with what was computed before, whatever `prevent_cse` says.

    >>> import numpy as np, rlx
    >>> layer = rlx.checkpoint(lambda x: (x * x) * x, policy=rlx.checkpoint_policies.dots_saveable)
    >>> rlx.grad(lambda x: layer(x).sum())(np.float32([1, 2]))
    Array([ 3., 12.], dtype=float32)
    """
    check_function(function, "checkpoint")
    if policy is not None:
        check_function(policy, "the policy of checkpoint")

    @functools.wraps(function)
    def kept(*args: P.args, **kwargs: P.kwargs) -> R:
        return checkpoint_values(function, args, kwargs, policy)  # type: ignore[no-any-return]

    return compiled_on_arrays(kept, static_argnums)


remat = checkpoint


# -- names ------------------------------------------------------------------------------------------------------
Named = list[tuple[Value, str]]
_NAMED: ContextVar[Named | None] = ContextVar("named", default=None)


def checkpoint_name(tree: T, name: str) -> T:
    """The same values, under a name that policies of `checkpoint` know: `save_only_these_names("hidden")`.

    >>> import numpy as np, rlx
    >>> @rlx.checkpoint
    ... def layer(x):
    ...     return rlx.checkpoint_name(x * x, "hidden") * x
    >>> layer(np.float32([1, 2]))
    Array([1., 8.], dtype=float32)
    """
    check_is(name, str, "RLX109", "the name of checkpoint_name", "a str")
    named = _NAMED.get()
    if named is not None:
        map_leaves(lambda leaf: named.append((leaf, name)) if isinstance(leaf, Value) else None, tree)
    return tree


@contextmanager
def _naming() -> Iterator[Named]:
    """While a checkpointed function is traced: the values that it names."""
    named: Named = []
    token = _NAMED.set(named)
    try:
        yield named
    finally:
        _NAMED.reset(token)


# -- on Values --------------------------------------------------------------------------------------------------
def checkpoint_values(
    function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], policy: Policy | None = None
) -> Any:
    """A custom_fn of `function` whose gradient computes it once more, in a loop of one step that cse does not look into."""
    if policy is everything_saveable:
        return function(*args, **kwargs)
    tree = (tuple(args), dict(kwargs))
    which = [index for index, (_, leaf) in enumerate(flatten(tree)) if moves(leaf)]
    with _naming() as named:
        traced = trace_function(function, tree, which)
    if not traced.operands:
        return function(*args, **kwargs)
    saved = _chosen(traced.body, policy or nothing_saveable, named)
    try:
        attrs = _derivatives(traced, saved)
    except RlxError as error:
        if error.code not in ("RLX601", "RLX604"):
            raise
        # An op has no rule, or a while loop no bound. Whether one is needed shows when a gradient is taken: the body keeps its values.
        return traced.rebuilt(list(inline(*traced.operands, body=traced.body)))
    return traced.rebuilt(list(emit(custom_fn, traced.operands, attrs)))


def _derivatives(traced: Traced, saved: Sequence[Ref]) -> dict[str, Any]:
    """The attributes of the custom_fn."""
    return {
        "fwd_body": traced.body,
        "vjp_fwd": _keeping(traced.body, saved) if saved else as_recorded(traced.body, [True] * len(traced.operands)),
        "vjp_body": _checkpoint_vjp(traced, saved),
        "jvp_body": _checkpoint_jvp(traced),
        "jvp_results": True,
    }


def _chosen(body: Graph, policy: Policy, named: Named) -> list[Ref]:
    """The values of the body that are kept."""
    names: dict[Ref, set[str]] = {}
    for value, name in named:
        if value.graph is body:
            names.setdefault(value.ref, set()).add(name)
    found = []
    for node in body.nodes:
        operands = tuple(body.shape(ref) for ref in node.refs)
        for ref, shape in zip(node.outputs, node.results, strict=True):
            candidate = Candidate(node.op, operands, shape, frozenset(names.get(ref, ())))
            if not node.op.definition.leaf and policy(candidate):
                found.append(ref)
    return found


def _keeping(body: Graph, saved: Sequence[Ref]) -> Graph:
    """The body as a gradient runs it, with the values that are kept as results behind its own."""
    made = Graph(body.name, body.level)
    made.assumptions, made.symbols = list(body.assumptions), dict(body.symbols)
    inputs = [Value(made, made.add_node(node.op).ref) for node in body.inputs.values()]
    tape = open_tape(body, inputs, [True] * len(inputs), range(len(body.output_refs)), made)
    found = {name: tape.emitter.values[ref].ref for name, ref in body.output_refs.items()}
    found |= {f"residual_{index}": tape.emitter.values[ref].ref for index, ref in enumerate(saved)}
    made.set_output_refs(found)
    return made.freeze()


def _body_with(traced: Traced, special: dict[str, Shape], name: str) -> tuple[Graph, list[Value], list[Value]]:
    """A body whose inputs are the primals and named values."""
    body = Graph(name, "mir")
    body.assumptions = list(traced.body.assumptions)

    def place(key: str, shape: Shape) -> Value:
        return Value(body, body.add_node(OPS["input"].op(name=key, shape=shape)).ref)

    primals = [place(f"x{index}", node.shape) for index, node in enumerate(traced.body.inputs.values())]
    return body, primals, [place(key, shape) for key, shape in special.items()]


def _checkpoint_vjp(traced: Traced, saved: Sequence[Ref]) -> Graph:
    """The gradients, and all of the function they need beside what is saved, in a loop of one step."""
    inner = traced.body
    shapes = [inner.shape(ref) for ref in inner.output_refs.values()]
    count = len(shapes)
    special = {
        name: shape for key in ("primal_output", "d_output") for name, shape in zip(numbered(key, count), shapes, strict=True)
    }
    special |= {f"residual_{index}": inner.shape(ref) for index, ref in enumerate(saved)}
    body, primals, named = _body_with(traced, special, "vjp_body")
    cotangents, kept = named[count : 2 * count], named[2 * count :]
    wanted = [differentiable(primal.dtype) for primal in primals]

    def once(*values: Value) -> list[Value]:
        inside, ds = list(values[: len(primals)]), values[len(primals) : len(primals) + count]
        known = dict(zip(saved, values[len(primals) + count :], strict=True))
        found = pull(inner, inside, [d if differentiable(d.dtype) else None for d in ds], wanted, known)
        return [given(gradient, primal) for gradient, primal, flag in zip(found, inside, wanted, strict=True) if flag]

    rows = scan_values(once, (), (), bcasts=[*primals, *cotangents, *kept], length=1, graph=body) if any(wanted) else ()
    _set_rows(body, rows)
    return body.freeze()


def _checkpoint_jvp(traced: Traced) -> Graph:
    """Value and tangent; where `linearize` keeps values, in a loop of one step: it looks for them around that, not inside."""
    inner = traced.body
    floats = {f"tangent_{i}": node.shape for i, node in enumerate(inner.inputs.values()) if differentiable(node.shape.dtype)}
    body, primals, moving = _body_with(traced, floats, "jvp_body")
    count = len(primals)

    def once(*values: Value) -> list[Value]:
        tangents = dict(zip(floats, values[count:], strict=True))
        made, moved = push(inner, values[:count], [tangents.get(f"tangent_{index}") for index in range(count)])
        pairs = zip(moved, made, strict=True)
        return [*made, *(given(tangent, value) for tangent, value in pairs if differentiable(value.dtype))]

    if nesting().keeps_residuals:
        _set_rows(body, scan_values(once, (), (), bcasts=[*primals, *moving], length=1, graph=body))
    else:
        body.set_output_refs({f"y{index}": value.ref for index, value in enumerate(once(*primals, *moving))})
    return body.freeze()


def _set_rows(body: Graph, rows: Sequence[Value]) -> None:
    """The only rows of a loop of one step as outputs."""
    body.set_output_refs({f"y{index}": row.reshape(row.shape[1:]).ref for index, row in enumerate(rows)})
