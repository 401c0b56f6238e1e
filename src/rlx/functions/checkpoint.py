"""`checkpoint`: a function of which a gradient keeps its arguments and what a policy chooses, and computes the rest again."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from rlx.core.aligned import as_array
from rlx.core.dim import Dim, evaluate
from rlx.core.dtype import DType
from rlx.core.enums import OpKind
from rlx.core.errors import RlxError, check_function, check_is
from rlx.core.shape import Shape, ShapeDtypeStruct
from rlx.functions.jit import Jitted
from rlx.functions.jit_versions import Transformed, Version
from rlx.functions.partial_evaluation import Halves, split
from rlx.functions.transforms import compiled_on_arrays
from rlx.ir.emit import constant, emit
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS, Op
from rlx.ir.traced_bodies import outer_values
from rlx.ir.value import Value, as_dtype
from rlx.ops.control.control import record_body, scan_values
from rlx.ops.control.custom_fn import custom_fn, number_names
from rlx.ops.control.fused import inline
from rlx.runtime.array import as_arrays
from rlx.runtime.compile import compile_module
from rlx.runtime.executable import Executable
from rlx.runtime.parameters import ArgumentNumbers
from rlx.runtime.session import Session
from rlx.trace.tracer import TracedFunction
from rlx.trace.tree import Template, TreeDef, flatten, leaves_of, map_leaves, structure, with_fixed
from rlx.transforms import traced_derivatives as functions
from rlx.transforms.custom import moves
from rlx.transforms.graphs import nesting
from rlx.transforms.reference_derivatives import TakesReferences
from rlx.transforms.rules.derivative import differentiable
from rlx.transforms.rules.formulas import or_zeros
from rlx.transforms.rules.tape import open_tape, pull, push
from rlx.transforms.split_control_flow import part
from rlx.transforms.traced_derivatives import Traced, check_containers, trace_function

# -- `vjp` and `linearize` on arrays: the function runs once, its residuals are kept, and the linear half runs for each call after t


Array = npt.NDArray[Any]


class Halved(Jitted[..., Any]):
    """A function that returns (value, linear results, names of unknown inputs), compiled as two halves.

    A call runs the first half, and gives the value and what a LinearHalf is made of, which runs the second.
    """

    def _version(self, traced: TracedFunction, names: Mapping[str, str]) -> Version:
        value = len(leaves_of(traced.out_tree[0]))
        linear = [name for name in traced.outputs if int(name.removeprefix("out.")) >= value]
        graph = traced.graph
        unknown = [name for name in graph.inputs if name not in traced.inputs.values()]
        halves = split(graph, unknown, linear, graph.handles)
        session = Session(self._device)
        executable = compile_module(halves.known, session=session, **self._options)
        for name, array in graph.lifted.items():
            executable.set_param(name, array)
        whole = graph.whole_numbers
        return _Halves(traced, executable, whole if whole.is_checked else None, names, halves=halves)


@dataclass(kw_only=True)
class _Halves(Version):
    """One compiled version of a `Halved`: the executable of the known half, and from the first call on that of the linear half."""

    halves: Halves
    positional = None  # each call needs its arrays by path

    def run(self, arrays: Mapping[str, Any]) -> Any:
        """Runs the known half on arrays by path; returns the value, and version, residuals and sizes for the linear half."""
        results = self.results(arrays)
        leaves = {name: self._leaf(source, arrays) for name, source in self.halves.leaves.items()}
        residuals = {name: results.pop(name) for name in list(results) if name.startswith("residual.")}
        sizes = {name: arrays[path].shape[axis] for name, (path, axis) in self._symbols.items()}
        return self.rebuilt(0, [as_arrays(array) for array in results.values()]), (self, {**leaves, **residuals}, sizes)

    def _leaf(self, source: str, arrays: Mapping[str, Any]) -> Array:
        """The array of an argument or a handle, copied if anybody could write to it."""
        path = self.paths.get(source)
        return self.traced.graph.handles[source].value if path is None else _unchanging(arrays[path])

    @cached_property
    def paths(self) -> dict[str, str]:
        """Maps each input of the graph to its path among the arguments."""
        return {name: path for path, name in self.traced.inputs.items()}

    @cached_property
    def _symbols(self) -> dict[str, tuple[str, int]]:
        """Maps each symbol to an argument's axis that has its size: path and axis."""
        return {
            size.symbol.name: (self.paths[name], axis)
            for name, node in self.halves.known.inputs.items()
            for axis, size in enumerate(node.shape.dims)
            if isinstance(size, Dim) and size.symbol is not None
        }

    @cached_property
    def linear(self) -> Executable:
        """Compiles the linear half, with the params of the known one."""
        return compile_module(self.halves.linear, session=self.executable.session)

    @cached_property
    def unknown(self) -> list[tuple[int, str, Shape]]:
        """The unknown inputs: the index of each among the leaves that a call gets, its name and its type."""
        inputs = self.halves.linear.inputs
        _, names = self.traced.out_tree[2]
        return [(index, name, inputs[name].shape) for index, name in enumerate(names) if name]

    @property
    def structure(self) -> TreeDef:
        """The containers of the cotangents or tangents that a call of the linear half gets."""
        return self.traced.out_tree[2][0]

    def rebuilt(self, half: int, results: list[Any]) -> Any:
        """Rebuilds the containers of the value (0) or the linear results (1)."""
        return self._templates[half].filled(with_fixed(results, self._fixed[half]))

    @cached_property
    def _templates(self) -> list[Template]:
        """The containers of the value and of the linear results."""
        return [Template(tree) for tree in self.traced.out_tree[:2]]

    @cached_property
    def _fixed(self) -> list[dict[int, Any]]:
        """The leaves that are not arrays, of the value and of the linear results."""
        first, fixed = 0, []
        for tree in self.traced.out_tree[:2]:
            places = range(first, first + len(leaves_of(tree)))
            fixed.append({index - first: self.traced.fixed[index] for index in places if index in self.traced.fixed})
            first = places.stop
        return fixed


def _unchanging(array: Array) -> Array:
    """Returns the array itself if nobody can write to it, else a copy: the linear half uses the values at the call."""
    view: Any = array
    while isinstance(view, np.ndarray):
        if view.flags.writeable:
            return array.copy()
        view = view.base
    return array


class LinearHalf:
    """The linear half of a function at one point: `residuals` is all that it saves of it, and a call runs nothing else."""

    def __init__(self, version: _Halves, residuals: Mapping[str, Any], sizes: Mapping[str, int]) -> None:
        self._version, self._sizes = version, sizes
        self._kept = {name: np.asarray(array) for name, array in residuals.items()}

    @property
    def residuals(self) -> tuple[Array, ...]:
        """The arrays that are saved for the linear half."""
        return tuple(self._kept.values())

    def _apply(self, tree: Any, what: str) -> Any:
        """Runs the linear half: results for cotangents or tangents in their containers."""
        version = self._version
        check_containers(structure(tree), version.structure, what)
        leaves = leaves_of(tree)
        given = {name: leaves[index] for index, name, _ in version.unknown}
        if any(isinstance(leaf, Value) for leaf in given.values()):
            return self._on_values(given, what)
        inputs = {**self._kept, **{name: np.empty((self._sizes[name], 0), bool) for name in version.halves.sizes}}
        for _, name, shape in version.unknown:
            array = as_array(given[name], f"one of {what}", "RLX110")
            self._check(array.shape, array.dtype, shape, what)
            inputs[name] = array.astype(shape.dtype.numpy, copy=False)
        result = version.rebuilt(1, list(version.linear.run(inputs).values()))
        return as_arrays(result)

    def _on_values(self, given: Mapping[str, Any], what: str) -> Any:
        """Emits the linear half inside a trace, its residuals as constants."""
        version = self._version
        graph = version.halves.linear.bind(self._sizes)
        outer, values = outer_values(list(given.values()), None)
        arrays = {**self._kept, **{name: version.linear.param(name) for name in graph.params}}
        nodes = {**graph.inputs, **graph.params}
        leaves = {nodes[name].ref: constant(outer, array) for name, array in arrays.items()}
        for value, (_, name, shape) in zip(values, version.unknown, strict=True):
            self._check(value.shape, value.dtype, shape, what)
            leaves[nodes[name].ref] = as_dtype(value, shape.dtype)
        return version.rebuilt(1, part(graph, leaves, list(graph.output_refs.values()), values[0]))

    def _check(self, dims: Sequence[Any], dtype: object, shape: Shape, what: str) -> None:
        wanted = tuple(evaluate(size, self._sizes) for size in shape.dims)
        if tuple(dims) != wanted:
            message = f"one of {what} is {dtype}{list(dims)} for a value of {shape.dtype}{list(wanted)}"
            raise RlxError("RLX102", message, fix="the same shape")


class Pullback(LinearHalf, TakesReferences):
    """Maps cotangents of a function's value to gradients of its arguments, at the point `vjp` was called with."""

    def __call__(self, cotangents: Any) -> tuple[Any, ...]:
        """Returns the gradients of the arguments, one for each."""
        return self._apply(cotangents, "the cotangents")


class Pushforward(LinearHalf):
    """Maps tangents of a function's arguments to the tangent of its value, at the point `linearize` was called with."""

    def __call__(self, *tangents: Any) -> Any:
        """Returns the tangent of the value."""
        return self._apply(tangents, "the tangents")


# -- which values of a checkpointed function a gradient keeps. A policy is a function of a `Candidate`; these are JAX's by name


@dataclass(frozen=True)
class Candidate:
    """A value that a policy can save: the op that computes it, the shapes of its operands, its own, and its names by `checkpoint_name`."""

    op: Op
    operands: tuple[Shape, ...]
    shape: Shape
    names: frozenset[str] = field(default_factory=frozenset)


Policy = Callable[[Candidate], bool]


def everything_saveable(value: Candidate) -> bool:
    """Saves whatever a gradient reads, as without `checkpoint`."""
    return True


def nothing_saveable(value: Candidate) -> bool:
    """Saves the arguments alone: the default of `checkpoint`."""
    return False


def dots_saveable(value: Candidate) -> bool:
    """Saves results of ops of kind compute: products, convolutions, attention, transforms and solves; recomputes the cheap rest."""
    return value.op.definition.kind is OpKind.Compute


def dots_with_no_batch_dims_saveable(value: Candidate) -> bool:
    """Saves results of products with a matrix of weights, not those with a batch of matrices, such as attention scores."""
    return dots_saveable(value) and len(value.operands) > 1 and value.operands[1].rank <= 2


checkpoint_dots = dots_saveable
checkpoint_dots_with_no_batch_dims = dots_with_no_batch_dims_saveable


def save_only_these_names(*names: str) -> Policy:
    """Saves the values that `checkpoint_name` gave one of these names."""
    return lambda value: not value.names.isdisjoint(names)


def save_any_names_but_these(*names: str) -> Policy:
    """Saves all values that `checkpoint_name` named, except those with these names."""
    return lambda value: bool(value.names.difference(names))


def save_anything_except_these_names(*names: str) -> Policy:
    """Saves all values except those that `checkpoint_name` gave one of these names."""
    return lambda value: value.names.isdisjoint(names)


def save_from_both_policies(first: Policy, second: Policy) -> Policy:
    """Saves what either of two policies saves."""
    return lambda value: first(value) or second(value)


P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


def checkpoint(
    function: Callable[P, R], *, policy: Policy | None = None, static_argnums: ArgumentNumbers = None, prevent_cse: bool = True
) -> Transformed[P, R]:
    """Wraps a function so that a gradient saves only its arguments, and recomputes the rest in the backward pass.

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
    def call_with_policy(*args: P.args, **kwargs: P.kwargs) -> R:
        return checkpoint_values(function, args, kwargs, policy)

    return compiled_on_arrays(call_with_policy, static_argnums)


remat = checkpoint


# -- names ------------------------------------------------------------------------------------------------------
Named = list[tuple[Value, str]]
_NAMED: ContextVar[Named | None] = ContextVar("named", default=None)


def checkpoint_name(tree: T, name: str) -> T:
    """Names values for policies of `checkpoint` such as `save_only_these_names("hidden")`; returns them unchanged.

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
    """Collects the values that a checkpointed function names while it is traced."""
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
    """Emits a custom_fn of `function` whose gradient recomputes it, in a loop of one step that cse does not enter."""
    if policy is everything_saveable:
        return function(*args, **kwargs)
    tree = (tuple(args), dict(kwargs))
    which = [index for index, (_, leaf) in enumerate(flatten(tree)) if moves(leaf)]
    with _naming() as named:
        traced = trace_function(function, tree, which)
    if not traced.operands:
        return function(*args, **kwargs)
    saved = _choose_saved_values(traced.body, policy or nothing_saveable, named)
    try:
        attrs = _derivatives(traced, saved)
    except RlxError as error:
        if error.code not in ("RLX601", "RLX604"):
            raise
        # An op has no rule, or a while loop no bound. Whether one is needed shows when a gradient is taken: the body keeps its values.
        return traced.rebuilt(list(inline(*traced.operands, body=traced.body)))
    return traced.rebuilt(list(emit(custom_fn, traced.operands, attrs)))


def _derivatives(traced: Traced, saved: Sequence[Ref]) -> dict[str, Any]:
    """Builds the derivatives of the checkpoint's custom_fn, as its attributes."""
    return {
        "fwd_body": traced.body,
        "vjp_fwd": _keeping(traced.body, saved) if saved else record_body(traced.body, [True] * len(traced.operands)),
        "vjp_body": _checkpoint_vjp(traced, saved),
        "jvp_body": _checkpoint_jvp(traced),
        "jvp_results": True,
    }


def _choose_saved_values(body: Graph, policy: Policy, named: Named) -> list[Ref]:
    """Chooses the values of the body that the checkpoint policy saves."""
    names: dict[Ref, set[str]] = {}
    for value, name in named:
        if value.graph is body:
            names.setdefault(value.ref, set()).add(name)
    parts = []
    for node in body.nodes:
        operands = tuple(body.shape(ref) for ref in node.refs)
        for ref, shape in zip(node.outputs, node.results, strict=True):
            candidate = Candidate(node.op, operands, shape, frozenset(names.get(ref, ())))
            if not node.op.definition.leaf and policy(candidate):
                parts.append(ref)
    return parts


def _keeping(body: Graph, saved: Sequence[Ref]) -> Graph:
    """Builds the body that a gradient runs: it returns the saved values behind its own results."""
    made = Graph(body.name, body.level)
    made.assumptions, made.symbols = list(body.assumptions), dict(body.symbols)
    inputs = [Value(made, made.add_node(node.op).ref) for node in body.inputs.values()]
    tape = open_tape(body, inputs, [True] * len(inputs), range(len(body.output_refs)), made)
    outputs = {name: tape.emitter.values[ref].ref for name, ref in body.output_refs.items()}
    outputs |= {f"residual_{index}": tape.emitter.values[ref].ref for index, ref in enumerate(saved)}
    made.set_output_refs(outputs)
    return made.freeze()


def _body_with(traced: Traced, special: dict[str, Shape], name: str) -> tuple[Graph, list[Value], list[Value]]:
    """Begins a body whose inputs are the primals and named values."""
    body = Graph(name, "mir")
    body.assumptions = list(traced.body.assumptions)

    def place(key: str, shape: Shape) -> Value:
        return Value(body, body.add_node(OPS["input"].op(name=key, shape=shape)).ref)

    primals = [place(f"x{index}", node.shape) for index, node in enumerate(traced.body.inputs.values())]
    return body, primals, [place(key, shape) for key, shape in special.items()]


def _checkpoint_vjp(traced: Traced, saved: Sequence[Ref]) -> Graph:
    """Builds the vjp: the gradients, and what they recompute of the function, in a loop of one step."""
    inner = traced.body
    shapes = [inner.shape(ref) for ref in inner.output_refs.values()]
    count = len(shapes)
    special = {
        name: shape for key in ("primal_output", "d_output") for name, shape in zip(number_names(key, count), shapes, strict=True)
    }
    special |= {f"residual_{index}": inner.shape(ref) for index, ref in enumerate(saved)}
    body, primals, named = _body_with(traced, special, "vjp_body")
    cotangents, kept = named[count : 2 * count], named[2 * count :]
    wanted = [differentiable(primal.dtype) for primal in primals]

    def once(*values: Value) -> list[Value]:
        inside, ds = list(values[: len(primals)]), values[len(primals) : len(primals) + count]
        known = dict(zip(saved, values[len(primals) + count :], strict=True))
        gradients = pull(inner, inside, [d if differentiable(d.dtype) else None for d in ds], wanted, known)
        return [or_zeros(gradient, primal) for gradient, primal, flag in zip(gradients, inside, wanted, strict=True) if flag]

    rows = scan_values(once, (), (), bcasts=[*primals, *cotangents, *kept], length=1, graph=body) if any(wanted) else ()
    _set_rows(body, rows)
    return body.freeze()


def _checkpoint_jvp(traced: Traced) -> Graph:
    """Builds the jvp: value and tangent; under `linearize` in a loop of one step, around which it looks for values to save."""
    inner = traced.body
    floats = {f"tangent_{i}": node.shape for i, node in enumerate(inner.inputs.values()) if differentiable(node.shape.dtype)}
    body, primals, moving = _body_with(traced, floats, "jvp_body")
    count = len(primals)

    def once(*values: Value) -> list[Value]:
        tangents = dict(zip(floats, values[count:], strict=True))
        made, moved = push(inner, values[:count], [tangents.get(f"tangent_{index}") for index in range(count)])
        pairs = zip(moved, made, strict=True)
        return [*made, *(or_zeros(tangent, value) for tangent, value in pairs if differentiable(value.dtype))]

    if nesting().keeps_residuals:
        _set_rows(body, scan_values(once, (), (), bcasts=[*primals, *moving], length=1, graph=body))
    else:
        body.set_output_refs({f"y{index}": value.ref for index, value in enumerate(once(*primals, *moving))})
    return body.freeze()


def _set_rows(body: Graph, rows: Sequence[Value]) -> None:
    """Sets the single rows of a loop of one step as outputs."""
    body.set_output_refs({f"y{index}": row.reshape(row.shape[1:]).ref for index, row in enumerate(rows)})


# -- residuals listed and printed, as in `jax.ad_checkpoint`


def saved_residuals(function: Callable[..., Any], *args: Any, **kwargs: Any) -> list[tuple[ShapeDtypeStruct, str]]:
    """Lists what a gradient of a function saves in the forward pass: shape and dtype of each array, and where it comes from.

    >>> import numpy as np, rlx
    >>> from rlx.ad_checkpoint import saved_residuals
    >>> saved_residuals(lambda x: (x * x).sum(), np.float32([1, 2]))
    [(ShapeDtypeStruct(shape=(2,), dtype=float32), 'from the argument x')]
    """
    check_function(function, "saved_residuals")
    on_one = functools.partial(functions.vjp_joint, lambda given: function(*given[0], **given[1]))
    halved = Halved(on_one, "cpu", None, {})
    halved((args, kwargs))
    entry: Any = halved.latest
    known: Graph = entry.halves.known
    names = _names(function)
    rows = []
    for source in entry.halves.leaves.values():
        ref = known.inputs[source].ref if source in known.inputs else known.leaf("param", source)
        assert ref is not None
        shape = known.shape(ref)
        rows.append((ShapeDtypeStruct(shape.dims, shape.dtype), f"from {_argument(entry.paths.get(source, source), names)}"))
    for name, ref in known.output_refs.items():
        if name.startswith("residual."):
            shape = known.shape(ref)
            rows.append((ShapeDtypeStruct(shape.dims, shape.dtype), _origin(known.node(ref))))
    return rows


def print_saved_residuals(function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Prints what a gradient of a function saves in the forward pass, a line for each array.

    >>> import numpy as np
    >>> from rlx.ad_checkpoint import print_saved_residuals
    >>> print_saved_residuals(lambda x: (x * x).sum(), np.float32([1, 2]))
    f32[2] from the argument x
    """
    for struct, text in saved_residuals(function, *args, **kwargs):
        print(f"{DType.of(struct.dtype)}[{','.join(map(str, struct.shape))}] {text}")


def _names(function: Callable[..., Any]) -> list[str]:
    """The names of a function's positional parameters, as far as they are known."""
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def _argument(path: str, names: list[str]) -> str:
    """Describes an input by its parameter's name: `0.0.0.1.w` is the entry w of the second one, `0.0.1.b` the keyword argument b."""
    if not path.startswith("0.0."):
        return "a constant"
    kind, first, *inside = path.removeprefix("0.0.").split(".")
    name = names[int(first)] if kind == "0" and int(first) < len(names) else first
    return f"the argument {name}" + "".join(f"[{part}]" for part in inside)


def _origin(node: Node) -> str:
    return f"output of {node.op.name}" + (f" from {node.origin.location}" if node.origin.location else "")
