"""Callbacks in traced functions: `pure_callback`, `io_callback` and those of `rlx.debug`, as in JAX, on nested containers.

Outside of a trace they run at once.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar, overload

import numpy as np

from rlx.core.dtype import DType
from rlx.core.errors import RlxError, check_function, check_is
from rlx.core.shape import Shape, ShapeDtypeStruct
from rlx.ir.emit import constant, emit, find_graph, inside_body, traced_graph
from rlx.ir.graph import Graph
from rlx.ir.host_function import HostFunction
from rlx.ir.op import OpDef, is_weak
from rlx.ir.value import Value
from rlx.ops.control import callback as records
from rlx.trace.tree import leaves_of, rebuild, structure

Typed: TypeAlias = ShapeDtypeStruct | Value
Key = TypeVar("Key")


@overload
def pure_callback(
    f: Callable[..., Any], result_shape_dtypes: ShapeDtypeStruct | Value, *args: Any, vmap_method: str | None = None
) -> Value: ...
@overload
def pure_callback(f: Callable[..., Any], result_shape_dtypes: None, *args: Any, vmap_method: str | None = None) -> None: ...
@overload
def pure_callback(
    f: Callable[..., Any], result_shape_dtypes: tuple[Typed, ...], *args: Any, vmap_method: str | None = None
) -> tuple[Value, ...]: ...
@overload
def pure_callback(
    f: Callable[..., Any], result_shape_dtypes: list[Typed], *args: Any, vmap_method: str | None = None
) -> list[Value]: ...
@overload
def pure_callback(
    f: Callable[..., Any], result_shape_dtypes: dict[Key, Typed], *args: Any, vmap_method: str | None = None
) -> dict[Key, Value]: ...
@overload
def pure_callback(f: Callable[..., Any], result_shape_dtypes: Any, *args: Any, vmap_method: str | None = None) -> Any: ...
def pure_callback(f: Callable[..., Any], result_shape_dtypes: Any, *args: Any, vmap_method: str | None = None) -> Any:
    """Calls a Python function without side effects on the host while the program runs, and returns its result.

    `result_shape_dtypes` has the containers of what `f` returns, with anything that has a shape and a dtype for each array. The program
    may call `f` again, or not at all where nothing reads the results. It has no derivative: `rlx.custom_vjp` gives it one.
    `vmap_method` says how it is batched: "sequential" calls it for each example, "expand_dims" and "broadcast_all" once, on arrays with
    the batch in front; arrays that all examples share then have size 1 there, or are repeated.

    >>> import math
    >>> import numpy as np, rlx
    >>> @rlx.jit
    ... def logarithm(x):
    ...     return rlx.pure_callback(lambda a: np.vectorize(math.lgamma)(a), x, x)
    >>> logarithm(np.float32([1, 3]))
    Array([0.       , 0.6931472], dtype=float32)
    """
    method = records.VmapMethod.Refused if vmap_method is None else vmap_method
    return _call_or_emit(records.pure_callback, f, result_shape_dtypes, args, {}, {"vmap_method": method})


@overload
def io_callback(
    f: Callable[..., Any], result_shape_dtypes: ShapeDtypeStruct | Value, *args: Any, ordered: bool = False
) -> Value: ...
@overload
def io_callback(f: Callable[..., Any], result_shape_dtypes: None, *args: Any, ordered: bool = False) -> None: ...
@overload
def io_callback(
    f: Callable[..., Any], result_shape_dtypes: tuple[Typed, ...], *args: Any, ordered: bool = False
) -> tuple[Value, ...]: ...
@overload
def io_callback(f: Callable[..., Any], result_shape_dtypes: list[Typed], *args: Any, ordered: bool = False) -> list[Value]: ...
@overload
def io_callback(
    f: Callable[..., Any], result_shape_dtypes: dict[Key, Typed], *args: Any, ordered: bool = False
) -> dict[Key, Value]: ...
@overload
def io_callback(f: Callable[..., Any], result_shape_dtypes: Any, *args: Any, ordered: bool = False) -> Any: ...
def io_callback(f: Callable[..., Any], result_shape_dtypes: Any, *args: Any, ordered: bool = False) -> Any:
    """Calls a Python function with side effects on the host exactly once in each run, whether its results are read or not.

    Calls run in the order of the program, `ordered` or not. Results are declared as for `pure_callback`; None declares that there are none.

    >>> import numpy as np, rlx
    >>> seen = []
    >>> @rlx.jit
    ... def noted(x):
    ...     rlx.io_callback(lambda a: seen.append(a.tolist()), None, x)
    ...     return x * 2
    >>> noted(np.float32([1, 2])), noted(np.float32([3, 4]))
    (Array([2., 4.], dtype=float32), Array([6., 8.], dtype=float32))
    >>> seen
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return _call_or_emit(records.io_callback, f, result_shape_dtypes, args, {}, {"ordered": ordered})


def debug_callback(f: Callable[..., Any], *args: Any, ordered: bool = False, **kwargs: Any) -> None:
    """Calls a Python function on the values while the program runs; what it returns is ignored.

    Under `grad` it sees the function's values, once; under `vmap` one example after the other.

    >>> import numpy as np, rlx
    >>> largest = []
    >>> @rlx.jit
    ... def clipped(x):
    ...     rlx.debug.callback(lambda top: largest.append(float(top)), x.max())
    ...     return x * 0.5
    >>> clipped(np.float32([1, 4])), largest
    (Array([0.5, 2. ], dtype=float32), [4.0])
    """
    _call_or_emit(records.debug_callback, f, None, args, kwargs, {"ordered": ordered})


def debug_print(fmt: str, *args: Any, ordered: bool = False, **kwargs: Any) -> None:
    """Prints values while the program runs, with the fields of `str.format`.

    >>> import numpy as np, rlx
    >>> @rlx.jit
    ... def doubled(x):
    ...     rlx.debug.print("x is {} and its sum {total:.1f}", x, total=x.sum())
    ...     return x * 2
    >>> doubled(np.float32([1, 2]))
    x is [1. 2.] and its sum 3.0
    Array([2., 4.], dtype=float32)
    """
    check_is(fmt, str, "RLX105", "the format of debug.print", "a str with fields, such as 'x is {}'")
    _check_format(fmt, args, kwargs)

    def print_values(*values: Any, **named: Any) -> None:
        print(fmt.format(*values, **named))

    debug_callback(print_values, *args, ordered=ordered, **kwargs)


# -- formats ----------------------------------------------------------------------------------------------------
class _FieldNames(string.Formatter):
    """Collects the arguments that a format string has fields for; formats nothing."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return ""

    def convert_field(self, value: Any, conversion: Any) -> Any:
        return ""

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        first = field_name.partition(".")[0].partition("[")[0]
        key: int | str = int(first) if first.isdigit() else first
        return self.get_value(key, args, kwargs), key

    def check_unused_args(self, used_args: Any, args: Any, kwargs: Any) -> None:
        unused = [f"argument {index}" for index in range(len(args)) if index not in used_args]
        unused += [name for name in kwargs if name not in used_args]
        if unused:
            raise RlxError("RLX105", f"debug.print has no field for {', '.join(unused)}", fix="a field {} for each")


def _check_format(fmt: str, args: Sequence[Any], kwargs: Any) -> None:
    """Raises errors of a format string where it is written, not when the program runs."""
    try:
        _FieldNames().vformat(fmt, args, kwargs)
    except (IndexError, KeyError, ValueError) as error:
        message = f"debug.print({fmt!r}) with {len(args)} values and {list(kwargs) or 'no'} names: {error}"
        raise RlxError("RLX105", message, fix="a value for each field, and {{ for a brace") from None


# -- calls ------------------------------------------------------------------------------------------------------
def _is_data(leaf: Any) -> bool:
    """Whether an argument of a callback is, or becomes, a value of the graph; anything else is passed to the function unchanged."""
    if isinstance(leaf, bool) or (is_weak(leaf) and not isinstance(leaf, np.generic)):
        return False
    return isinstance(leaf, (Value, np.ndarray, np.generic)) or hasattr(leaf, "__rlx_value__")


def _call_or_emit(record: OpDef, f: Callable[..., Any], declared: Any, args: Any, kwargs: Any, attrs: dict[str, Any]) -> Any:
    """Emits the callback where a trace is open, else calls the function now."""
    check_function(f, record.name)
    tree = (tuple(args), dict(kwargs))
    leaves = leaves_of(tree)
    data = [leaf for leaf in leaves if _is_data(leaf)]
    shapes = [_declared_shape(leaf, record.name) for leaf in leaves_of(declared)]
    title = getattr(f, "__name__", type(f).__name__)
    function = HostFunction(_on_arrays(f, tree, declared, record.effect and not shapes), title)
    graph = _graph(data)
    if graph is None:
        arrays = [np.asarray(leaf) for leaf in data]
        return rebuild(declared, list(_now(function, arrays, shapes)))
    values = [_value(graph, leaf) for leaf in data]
    given = {**attrs, "function": function, **({"results": shapes} if "results" in record.attrs else {})}
    return rebuild(declared, list(emit(record, values, given, graph=graph)))


def _now(function: HostFunction, arrays: Sequence[Any], shapes: Sequence[Shape]) -> tuple[Any, ...]:
    try:
        return records.call_function(function, arrays, shapes)
    except RlxError as error:
        raise RlxError(error.code, error.message, fix=error.fix) from error.__cause__


def _graph(data: Sequence[Any]) -> Graph | None:
    """The innermost body that is being traced: a callback in a loop runs in each iteration, whatever it reads."""
    if any(isinstance(leaf, Value) for leaf in data):
        return inside_body(find_graph(data))
    return traced_graph()


def _value(graph: Graph, leaf: Any) -> Value:
    if hasattr(leaf, "__rlx_value__"):
        return leaf.__rlx_value__(graph)
    return leaf if isinstance(leaf, Value) else constant(graph, leaf)


def _declared_shape(leaf: Any, what: str) -> Shape:
    if not hasattr(leaf, "shape") or not hasattr(leaf, "dtype"):
        fix = "rlx.ShapeDtypeStruct(shape, dtype), or an array, for each array that the function returns"
        raise RlxError("RLX105", f"{what}: {leaf!r:.60} has no shape and dtype", fix=fix)
    return Shape(tuple(leaf.shape), DType.of(leaf.dtype))


def _on_arrays(f: Callable[..., Any], tree: Any, declared: Any, ignored: bool) -> Callable[..., tuple[Any, ...]]:
    """Wraps a function of containers as one of arrays that returns a tuple of arrays; with `ignored`, it drops the result."""
    template = [None if _is_data(leaf) else leaf for leaf in leaves_of(tree)]
    places = [index for index, leaf in enumerate(leaves_of(tree)) if _is_data(leaf)]
    containers, wanted = rebuild(tree, [0] * len(template)), structure(declared)
    title = getattr(f, "__name__", "function")

    def on_arrays(*arrays: Any) -> tuple[Any, ...]:
        filled = list(template)
        for index, array in zip(places, arrays, strict=True):
            filled[index] = array
        args, kwargs = rebuild(containers, filled)
        results = f(*args, **kwargs)
        if ignored:
            return ()
        if structure(results) != wanted:
            message = f"the callback {title!r} returned {structure(results)}, {wanted} is declared"
            raise RlxError("RLX516", message, fix="return the containers of result_shape_dtypes", at=None)
        return tuple(np.asarray(leaf) for leaf in leaves_of(results))

    return on_arrays
