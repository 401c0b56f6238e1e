"""Functions traced without computing: `eval_shape` returns shapes and dtypes, `make_jaxpr` the graph."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Literal, overload

from rlx.core.dtype import DType
from rlx.core.errors import check_function
from rlx.core.shape import Shape, ShapeDtypeStruct
from rlx.functions.jit import jit
from rlx.functions.jit_versions import arrays_or_shapes
from rlx.ir import traced_bodies as bodies
from rlx.ir.graph import Graph
from rlx.ir.op import is_weak
from rlx.ir.value import Value, WeakValue
from rlx.runtime.parameters import ArgumentNumbers
from rlx.runtime.tracebacks import hiding_own_frames
from rlx.trace.tracer import TracedFunction, graph_of, is_traced, trace
from rlx.trace.tree import flatten, leaves_of, rebuild


@overload
def eval_shape(function: Callable[..., Value], *args: Any, **kwargs: Any) -> ShapeDtypeStruct: ...
@overload
def eval_shape(function: Callable[..., tuple[Value, ...]], *args: Any, **kwargs: Any) -> tuple[ShapeDtypeStruct, ...]: ...
@overload
def eval_shape(function: Callable[..., dict[str, Value]], *args: Any, **kwargs: Any) -> dict[str, ShapeDtypeStruct]: ...
@overload
def eval_shape(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any: ...
@hiding_own_frames
def eval_shape(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What a function returns, with a `ShapeDtypeStruct` for each array, as `jax.eval_shape`: it is traced, nothing is computed.

    Arguments are arrays, or `ShapeDtypeStruct`s for them; sizes may be symbols.

    >>> import rlx
    >>> x = rlx.ShapeDtypeStruct((2, 3), "f32")
    >>> eval_shape(lambda x: {"sum": x.sum(), "cast": x.astype("bf16")}, x)
    {'sum': ShapeDtypeStruct(shape=(), dtype=float32), 'cast': ShapeDtypeStruct(shape=(2, 3), dtype=bfloat16)}
    """
    check_function(function, "eval_shape")
    given = {path: _type_of(leaf) for path, leaf in arrays_or_shapes((args, kwargs)).items()}
    if is_traced(function, (args, kwargs)):
        return _inside_a_trace(function, args, kwargs, given)
    traced = trace(function, args, kwargs, given)
    types = {int(name.removeprefix("out.")): traced.graph.shape(ref) for name, ref in traced.graph.output_refs.items()}
    count = len(leaves_of(traced.out_tree))
    leaves = [_struct(types[index]) if index in types else traced.fixed[index] for index in range(count)]
    return rebuild(traced.out_tree, leaves)


def _inside_a_trace(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], given: dict[str, Shape]) -> Any:
    """Evaluates shapes inside a trace: traces the function into a body and drops it."""
    tree, shapes = (args, kwargs), list[Any]()

    def on_leaves(*values: Value) -> list[Any]:
        left = dict(zip(given, values, strict=True))
        filled = [_promote_number(leaf, left[path]) if path in left else leaf for path, leaf in flatten(tree)]
        new_args, new_kwargs = rebuild(tree, filled)
        shapes.append(function(*new_args, **new_kwargs))
        return [leaf for leaf in leaves_of(shapes[0]) if isinstance(leaf, Value)]

    bodies.trace(on_leaves, list(given.values()), graph_of([function], tree), "eval_shape")
    return rebuild(shapes[0], [_struct(leaf.type) if isinstance(leaf, Value) else leaf for leaf in leaves_of(shapes[0])])


def _promote_number(leaf: Any, value: Value) -> Value:
    """Makes the input of a Python number weak: it takes the dtype of what it is combined with."""
    return WeakValue(value.graph, value.ref) if is_weak(leaf) else value


def _type_of(leaf: Any) -> Shape:
    return leaf.type if isinstance(leaf, Value) else Shape(leaf.shape, DType.of(leaf.dtype))


def _struct(shape: Shape) -> ShapeDtypeStruct:
    return ShapeDtypeStruct(shape.dims, shape.dtype)


# -- the graph, to be printed


class TracedProgram:
    """A traced program, before any pass. Its text is RLX's, not a jaxpr: one line for each op.

    >>> import numpy as np, rlx
    >>> program = rlx.make_jaxpr(lambda x: x * 2)(np.ones(3, np.float32))
    >>> program.in_avals, program.out_avals
    ([ShapeDtypeStruct(shape=(3,), dtype=float32)], [ShapeDtypeStruct(shape=(3,), dtype=float32)])
    """

    def __init__(self, traced: TracedFunction) -> None:
        self.graph: Graph = traced.graph
        self._inputs = list(traced.inputs.values())

    @property
    def jaxpr(self) -> TracedProgram:
        """The program itself: its constants are part of it, so there is nothing to close over."""
        return self

    @property
    def in_avals(self) -> list[ShapeDtypeStruct]:
        """Shape and dtype of each argument."""
        shapes = [self.graph.inputs[name].shape for name in self._inputs]
        return [ShapeDtypeStruct(shape.dims, shape.dtype) for shape in shapes]

    @property
    def out_avals(self) -> list[ShapeDtypeStruct]:
        """Shape and dtype of each result."""
        shapes = [self.graph.shape(ref) for ref in self.graph.output_refs.values()]
        return [ShapeDtypeStruct(shape.dims, shape.dtype) for shape in shapes]

    def __repr__(self) -> str:
        return str(self.graph)


@overload
def make_jaxpr(
    function: Callable[..., Any], static_argnums: ArgumentNumbers = None, *, return_shape: Literal[False] = False
) -> Callable[..., TracedProgram]: ...
@overload
def make_jaxpr(
    function: Callable[..., Any], static_argnums: ArgumentNumbers = None, *, return_shape: Literal[True]
) -> Callable[..., tuple[TracedProgram, Any]]: ...
def make_jaxpr(
    function: Callable[..., Any], static_argnums: ArgumentNumbers = None, *, return_shape: bool = False
) -> Callable[..., Any]:
    """A function that traces instead of computing and returns what was traced: RLX's graph, which prints as text.

    With `return_shape` it returns (program, what the function returns as `ShapeDtypeStruct`s). Later forms of the program, down to
    assembly, are at `rlx.jit(f).lower(*args)`.

    >>> import numpy as np, rlx
    >>> print(rlx.make_jaxpr(lambda x: x * 2 + 1)(np.float32([1, 2])))  # doctest: +ELLIPSIS
    mir @"<lambda>"...
    """

    @functools.wraps(function)
    def trace_program(*args: Any, **kwargs: Any) -> Any:
        lowered = jit(function, static_argnums=static_argnums).lower(*args, **kwargs)
        program = TracedProgram(lowered.traced)
        return (program, lowered.out_info) if return_shape else program

    return trace_program
