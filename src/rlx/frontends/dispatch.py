"""Functions on arrays and Values: written once on Values, traced where they meet one, and run at once on arrays, compiled by kind of call.

A function is written on Values and Python numbers, with `@array_function`. Parameters annotated `ArrayLike` are arrays (or containers of
them); all others are part of the program, and make another one when they change.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar, overload

import numpy as np

from rlx.core.cache import Recent
from rlx.core.dim import Dim, Size
from rlx.core.dtype import DType, DTypeLike, cast_array, f32, i32, promote
from rlx.core.errors import RlxError
from rlx.functions.jit import Jitted
from rlx.functions.jit_versions import Version
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant, find_graph, into, literal_dtype, size_scalar, traced_graph
from rlx.ir.emit import emit as emit_node
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, is_weak
from rlx.ir.value import Value, WeakValue, as_dtype, literal_like, plain_value, taken_as
from rlx.runtime.array import ConcreteArray, as_arrays
from rlx.trace.tracer import Handle
from rlx.trace.tree import leaves_of, map_leaves

ArrayLike: TypeAlias = Any
"""An Array, a Value, NumPy's arrays and numbers, Python's numbers, lists of them, or what has `__array__` or `__dlpack__`."""

P = ParamSpec("P")
R = TypeVar("R")
_KNOWN = 1024  # calls of a function by kind and sizes whose version is known without asking
_JITTED = 256  # programs of a function by what they depend on besides arrays
_TORCH = {"dim": "axis", "keepdim": "keepdims", "dims": "axis", "input": "the first argument", "other": "the second"}


def as_array(given: ArrayLike, dtype: DTypeLike | None = None) -> ConcreteArray:
    """Converts to an Array. Python's numbers are i32, f32 and c64; arrays keep their dtype.

    >>> as_array([1, 2]).dtype, as_array(np.float64([1])).dtype
    (dtype('int32'), dtype('float64'))
    """
    if type(given) is ConcreteArray:
        array = given._array
    elif isinstance(given, np.ndarray):
        array = np.array(given)  # whoever passes it may change it afterwards
    elif isinstance(given, (Handle, ConcreteArray)):
        array = np.asarray(given)
    else:
        array = _convert(given, dtype)
    if dtype is not None and array.dtype != DType.of(dtype).numpy:
        array = cast_array(array, DType.of(dtype))
    DType.of(array.dtype)  # refuses what is not a dtype of ours
    return ConcreteArray(array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("=")))


def _convert(given: Any, dtype: DTypeLike | None) -> np.ndarray[Any, Any]:
    if not isinstance(given, (bool, int, float, complex, list, tuple, np.generic)) and hasattr(given, "__dlpack__"):
        return np.from_dlpack(given)
    if hasattr(given, "__array__") and not isinstance(given, np.generic):
        return np.asarray(given)
    if isinstance(given, (list, tuple)):
        given = map_leaves(lambda leaf: np.asarray(leaf) if isinstance(leaf, ConcreteArray) else leaf, given)
        strong = any(isinstance(leaf, (np.ndarray, np.generic)) for leaf in leaves_of(given))
    else:
        strong = isinstance(given, np.generic)
    array = np.asarray(given)
    if strong or dtype is not None:
        return array
    default = {"f": np.float32, "c": np.complex64, "i": np.int32}.get(array.dtype.kind)
    if default is np.int32 and array.size and not -(2**31) <= array.min() <= array.max() < 2**31:
        raise RlxError("RLX110", f"{given!r:.60} does not fit i32", fix="give a dtype, such as dtype=rnp.int64")
    return array if default is None else array.astype(default)


def graph_of(*given: Any) -> Graph | None:
    """The innermost graph that the Values in containers belong to; None without any."""
    values = [leaf for leaf in leaves_of(given) if isinstance(leaf, Value)]
    return find_graph(values) if values else None


def as_value(x: Any, like: Value | None = None) -> Value:
    """Converts an argument in a function's body to a Value: a number or an array becomes a constant in the graph of `like`."""
    if isinstance(x, WeakValue):
        return plain_value(x)
    if isinstance(x, Value):
        return x
    graph = like.graph if like is not None else traced_graph()
    if graph is None:
        raise RlxError("RLX107", f"{x!r:.60} is needed as a Value outside of any traced function")
    if hasattr(x, "__rlx_value__"):
        return x.__rlx_value__(graph)
    return constant(graph, np.bool_(x) if isinstance(x, bool) else x if is_weak(x) else as_array(x)._array)


@dataclass(frozen=True)
class _KnownCall:
    """A compiled version of an array function, called without a check that it fits."""

    version: Version
    paths: tuple[str, ...]
    inputs: tuple[str, ...] | None  # where all are read and there is one result, not in a container

    @staticmethod
    def of(version: Version, count: int) -> _KnownCall:
        traced, paths = version.traced, tuple(f"0.{i}" for i in range(count))
        plain = version.whole is None and not traced.graph.handles
        direct = plain and version.single and tuple(traced.inputs) == paths
        return _KnownCall(version, paths, tuple(traced.inputs.values()) if direct else None)

    def __call__(self, arrays: list[Any]) -> Any:
        if self.inputs is not None:  # as many arrays as names; a call is short
            (array,) = self.version.executable.run(dict(zip(self.inputs, arrays))).values()  # noqa: B905
            return ConcreteArray(array)
        return self.version.run(dict(zip(self.paths, arrays, strict=True)))


class ArrayFunction(Generic[P, R]):
    """A function on arrays and Values, as `array_function` makes it."""

    __name__: str

    def __init__(self, body: Callable[P, R]) -> None:
        functools.update_wrapper(self, body)
        self._body = body
        self._signature = inspect.signature(body)
        parameters = list(self._signature.parameters.values())
        kinds = {each.name: str(each.annotation) for each in parameters}
        self._arrays = {name for name, kind in kinds.items() if "ArrayLike" in kind}
        self._many = {each.name for each in parameters if "Sequence[ArrayLike]" in kinds[each.name]}
        self._many |= {each.name for each in parameters if each.kind is each.VAR_POSITIONAL} & self._arrays
        leading = [each.name in self._arrays and each.name not in self._many for each in parameters]
        self._leading = leading.index(False) if False in leading else len(leading)
        self._fixed = [each.name not in self._arrays and each.kind is not each.VAR_POSITIONAL for each in parameters]
        self._jitted: Recent[Any, Jitted[..., Any]] = Recent(_JITTED)
        self._known: dict[Any, _KnownCall] = {}

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Runs at once on arrays; on Values, emits."""
        key: list[Any] = []
        arrays: list[Any] = []
        for each in args:
            if type(each) is not ConcreteArray:
                break
            array = each._array
            arrays.append(array)
            key += (array.dtype, array.shape)
        if len(arrays) > self._leading:
            return self._run(args, kwargs, None)
        if len(arrays) < len(args):
            for each, fixed in zip_longest(args[len(arrays) :], self._fixed[len(arrays) : len(args)], fillvalue=False):
                if not fixed or not _is_simple(each):
                    return self._run(args, kwargs, None)
                key += (type(each), each)
        if kwargs:
            for name, value in kwargs.items():
                if name in self._arrays or not _is_simple(value):
                    return self._run(args, kwargs, None)
                key += (name, type(value), value)
        fast = self._known.get(tuple(key))
        return self._run(args, kwargs, tuple(key)) if fast is None else fast(arrays)

    def __repr__(self) -> str:
        return f"<function {self.__name__}{self._signature}>"

    def _run(self, args: Sequence[Any], kwargs: dict[str, Any], key: Any) -> R:
        bound = self._bound(args, kwargs)
        leaves = self._convert_arrays(bound)
        sizes = (leaf for name, value in bound.arguments.items() if name not in self._arrays for leaf in leaves_of(value))
        traced = [leaf for leaf in leaves if isinstance(leaf, Value)]
        if traced or any(isinstance(size, Dim) for size in sizes):
            return self._emit(bound, traced)
        jitted, arrays = self._compile(bound)
        result = as_arrays(jitted(*arrays))
        if key is not None and jitted.latest is not None:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            self._known[key] = _KnownCall.of(jitted.latest, len(arrays))
        return result

    def _convert_arrays(self, bound: inspect.BoundArguments) -> list[Any]:
        """Converts the arguments that are arrays in place; returns their leaves."""
        leaves: list[Any] = []
        for name in self._arrays & bound.arguments.keys():
            value = bound.arguments[name]
            if name in self._many:  # an array is the sequence of its rows
                value = tuple(map(_leaf, value if isinstance(value, (list, tuple)) else list(value)))
            else:
                value = _leaf(value)
            bound.arguments[name] = value
            leaves += leaves_of(value)
        return leaves

    def _emit(self, bound: inspect.BoundArguments, traced: Sequence[Value]) -> R:
        """Emits the body on Values; arrays among the arguments become constants beside them."""
        graph = find_graph(traced) if traced else traced_graph()

        def value(leaf: Any) -> Any:
            if isinstance(leaf, np.ndarray) and graph is not None:
                return constant(graph, leaf)
            return leaf.__rlx_value__(graph) if isinstance(leaf, Handle) else leaf

        for name in self._arrays & bound.arguments.keys():
            given = bound.arguments[name]
            bound.arguments[name] = tuple(map(value, given)) if name in self._many else value(given)
        return self._body(*bound.args, **bound.kwargs)

    def _bound(self, args: Sequence[Any], kwargs: dict[str, Any]) -> inspect.BoundArguments:
        for name in kwargs:
            if name in _TORCH and name not in self._signature.parameters:
                raise RlxError("RLX109", f"{self.__name__} got {name}=, which is torch's", fix=f"use {_TORCH[name]}=")
        try:
            return self._signature.bind(*args, **kwargs)
        except TypeError as error:
            message = f"{self.__name__}{self._signature}: {error}"
            raise RlxError("RLX109", message, fix="the arguments of this signature") from None

    def _compile(self, bound: inspect.BoundArguments) -> tuple[Jitted[..., Any], list[Any]]:
        """Compiles the program for the fixed arguments and containers of a call; returns it and the arrays to run it on."""
        arrays: list[Any] = []
        places: dict[str, Any] = {}  # of each argument: itself if it is fixed, else where its arrays are
        key: list[Any] = []
        for name, value in bound.arguments.items():
            if name not in self._arrays or value is None:
                places[name] = _Fixed(value)
                key.append((name, type(value), _hashable(value)))
            elif name in self._many:
                places[name] = tuple(range(len(arrays), len(arrays) + len(value)))
                arrays += value
                key.append((name, len(value)))
            else:
                places[name] = len(arrays)
                arrays.append(value)
                key.append(name)
        try:
            jitted = self._jitted.get(tuple(key))
        except TypeError:
            message = f"an argument of {self.__name__} that is no array is not hashable: {dict(bound.arguments)!r:.120}"
            raise RlxError("RLX109", message, fix="numbers, strings, dtypes or tuples of them") from None
        if jitted is None:
            jitted = Jitted(self._on_leaves(places), "cpu", None, {})
            self._jitted[tuple(key)] = jitted
        return jitted, arrays

    def _on_leaves(self, places: dict[str, Any]) -> Callable[..., Any]:
        """Wraps the body as a function of arrays alone."""

        def run(*leaves: Any) -> Any:
            def at(place: Any) -> Any:
                if isinstance(place, _Fixed):
                    return place.value
                return tuple(leaves[i] for i in place) if isinstance(place, tuple) else leaves[place]

            arguments = {name: at(slot) for name, slot in places.items()}
            call = inspect.BoundArguments(self._signature, arguments)
            return self._body(*call.args, **call.kwargs)

        run.__name__ = self.__name__
        return run


@dataclass(frozen=True)
class _Fixed:
    value: Any


_SIMPLE = (int, bool, str, float, type(None), tuple, DType)


def _is_simple(value: Any) -> bool:
    """Whether an argument that is not an array selects the program by its value: a number, a name, a dtype, a shape of ints."""
    kind = type(value)
    return all(type(size) is int for size in value) if kind is tuple else kind in _SIMPLE


def _leaf(x: Any) -> Any:
    """Converts an argument that is an array: to a Value, a Python number, a handle, or NumPy's array."""
    if type(x) is ConcreteArray:
        return x._array
    if isinstance(x, bool):
        return np.asarray(x)
    if x is None or isinstance(x, (Value, Handle, int, float, complex)):
        return float(x) if type(x) is np.float64 else x
    if isinstance(x, (list, tuple)) and any(isinstance(leaf, Value) for leaf in leaves_of(x)):
        from rlx.frontends.numpy.insertion import stack

        return stack([_leaf(each) for each in x])
    return as_array(x)._array if not isinstance(x, np.ndarray) else x


def _hashable(value: Any) -> Any:
    """Converts a fixed argument to a hashable key of its contents."""
    if isinstance(value, (list, tuple)):
        return tuple(map(_hashable, value))
    if isinstance(value, dict):
        return tuple((key, _hashable(each)) for key, each in value.items())
    if isinstance(value, slice):
        return (slice, value.start, value.stop, value.step)
    if isinstance(value, (np.ndarray, ConcreteArray)):
        return (str(value.dtype), value.shape, np.asarray(value).tobytes())
    return value


@overload
def array_function(body: Callable[P, Value]) -> ArrayFunction[P, Array]: ...
@overload
def array_function(body: Callable[P, R]) -> ArrayFunction[P, R]: ...
def array_function(body: Callable[P, Any]) -> ArrayFunction[P, Any]:
    """Makes a public function on arrays of its body on Values.

    Parameters annotated `ArrayLike` (`Sequence[ArrayLike]`, `*xs: ArrayLike`) are arrays: the body receives Values and Python numbers for
    them (`as_value` makes a Value of either). All others are fixed: sizes, axes, dtypes, names.

    >>> @array_function
    ... def double(x: ArrayLike) -> Value:
    ...     return as_value(x) * 2
    >>> double(np.float32([1, 2])), double(3)
    (Array([2., 4.], dtype=float32), Array(6, dtype=int32))
    """
    return ArrayFunction(body)


# -- what the body of a function is written with: ops by name, arguments as Values of one dtype, sizes, axes ------------


def emit(op: str, *operands: Any, graph: Graph | None = None, **attrs: Any) -> Any:
    """Emits one op by name; returns a Value, or a tuple of them. An op without operands needs the graph."""
    return emit_node(OPS[op], operands, attrs, graph=graph)


def floating(x: Any) -> Value:
    """Converts an argument to a Value of floats or complex numbers: integers and bools become f32."""
    value = as_value(x)
    return value if value.dtype.is_float or value.dtype.is_complex else value.astype(f32)


def promote_values(*xs: Any, least: DType | None = None) -> list[Value]:
    """Converts arguments to Values of their common dtype; numbers take the dtype of the arrays they are combined with."""
    strong = [x.dtype for x in xs if isinstance(x, Value) and not isinstance(x, WeakValue)]
    numbers = [literal_like(x) if isinstance(x, WeakValue) else x for x in xs if isinstance(x, WeakValue) or is_weak(x)]
    common = promote(*strong) if strong else None
    for number in numbers:
        common = literal_dtype(number, [] if common is None else [common], "value")
    assert common is not None, "a function of at least one array"
    if least is not None and not (common.is_float or common.is_complex):
        common = least
    return same_dtype(xs, common)


def same_dtype(xs: Sequence[Any], dtype: DType) -> list[Value]:
    """Converts arguments to Values of a dtype, in one graph."""
    graph = find_graph([x for x in xs if isinstance(x, Value)])
    values = []
    for x in xs:
        if isinstance(x, WeakValue):
            x = taken_as(x, dtype) if dtype.is_integer or not dtype.is_bool else plain_value(x)
        values.append(as_dtype(into(graph, x), dtype) if isinstance(x, Value) else constant(graph, x, dtype))
    return values


def full_value(like: Value, shape: Sequence[Size], number: Any, dtype: DType) -> Value:
    """Broadcasts a number to a shape."""
    scalar = constant(like.graph, number, dtype)
    return scalar if not shape else emit("expand", scalar, shape=tuple(shape))


def axis_of(axis: Any, rank: int, what: str) -> int:
    """Counts an axis from the front."""
    try:
        index = int(axis.__index__())
    except AttributeError:
        raise RlxError("RLX104", f"{what}: axis {axis!r}", fix="an int") from None
    if not -rank <= index < rank:
        fix = f"axes run from {-rank} to {rank - 1}" if rank else "an array without axes has none"
        raise RlxError("RLX104", f"{what}: axis {index} is out of range for {rank} axes", fix=fix)
    return index % rank


def axes_of(axis: Any, rank: int, what: str) -> tuple[int, ...]:
    """Counts axes from the front: all for None, one, or several that differ."""
    if axis is None:
        return tuple(range(rank))
    axes = tuple(axis_of(each, rank, what) for each in (axis if isinstance(axis, (tuple, list)) else (axis,)))
    if len(set(axes)) != len(axes):
        raise RlxError("RLX104", f"{what}: axis {axis} names an axis twice", fix="name each axis once")
    return axes


def size_of(shape: Sequence[Size]) -> Size:
    """The number of elements of a Value, an int or symbolic."""
    return math.prod(shape)


def sizes_of(shape: Any) -> tuple[Size, ...]:
    """Reads a shape as a tuple: a size alone is one axis."""
    if isinstance(shape, (tuple, list)):
        return tuple(shape)
    return tuple(shape.tolist()) if hasattr(shape, "tolist") and np.ndim(shape) else (shape,)


def count_along(x: Value, axes: Sequence[int], dtype: DType = i32) -> Value:
    """The number of elements along axes, as a scalar."""
    return size_scalar(x, size_of([x.shape[axis] for axis in axes]), dtype)
