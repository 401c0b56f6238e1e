"""rlx.eval_shape: shapes and dtypes of what a function returns, without computing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

from rlx.core.argument_checks import check_function
from rlx.core.dtype import DType
from rlx.core.shape import Shape
from rlx.core.shape_struct import ShapeDtypeStruct
from rlx.functions.jit_versions import arrays_or_shapes
from rlx.ir import traced_bodies as bodies
from rlx.ir.op import is_weak
from rlx.ir.value import Value, WeakValue
from rlx.runtime.tracebacks import hiding_own_frames
from rlx.trace.closures import graph_of, is_traced
from rlx.trace.tracer import trace
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
    given = {path: _shape(leaf) for path, leaf in arrays_or_shapes((args, kwargs)).items()}
    if is_traced(function, (args, kwargs)):
        return _inside_a_trace(function, args, kwargs, given)
    traced = trace(function, args, kwargs, given)
    types = {int(name.removeprefix("out.")): traced.graph.shape(ref) for name, ref in traced.graph.output_refs.items()}
    count = len(leaves_of(traced.out_tree))
    leaves = [_struct(types[index]) if index in types else traced.fixed[index] for index in range(count)]
    return rebuild(traced.out_tree, leaves)


def _inside_a_trace(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], given: dict[str, Shape]) -> Any:
    """A body that is traced and dropped."""
    tree, found = (args, kwargs), list[Any]()

    def on_leaves(*values: Value) -> list[Any]:
        left = dict(zip(given, values, strict=True))
        filled = [_number(leaf, left[path]) if path in left else leaf for path, leaf in flatten(tree)]
        new_args, new_kwargs = rebuild(tree, filled)
        found.append(function(*new_args, **new_kwargs))
        return [leaf for leaf in leaves_of(found[0]) if isinstance(leaf, Value)]

    bodies.trace(on_leaves, list(given.values()), graph_of([function], tree), "eval_shape")
    return rebuild(found[0], [_struct(leaf.type) if isinstance(leaf, Value) else leaf for leaf in leaves_of(found[0])])


def _number(leaf: Any, value: Value) -> Value:
    """A Python number takes the dtype of what it is combined with."""
    return WeakValue(value.graph, value.ref) if is_weak(leaf) else value


def _shape(leaf: Any) -> Shape:
    return leaf.type if isinstance(leaf, Value) else Shape(leaf.shape, DType.of(leaf.dtype))


def _struct(shape: Shape) -> ShapeDtypeStruct:
    return ShapeDtypeStruct(shape.dims, shape.dtype)
