"""New arrays. With sizes of a trace (Dims) they are Values of it, otherwise Arrays."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from rlx.core.dim import Dim, Size
from rlx.core.dtype import DType, DTypeLike, boolean, f32, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_array, as_value, graph_of
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.dtypes import dtype_of
from rlx.frontends.numpy.joining import stack
from rlx.frontends.numpy.values import emit, full_value, sizes_of
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant, traced_graph
from rlx.ir.op import is_weak
from rlx.ir.questions import ask
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import ConcreteArray

__all__ = [
    "arange",
    "array",
    "asarray",
    "copy",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "geomspace",
    "identity",
    "linspace",
    "logspace",
    "ones",
    "ones_like",
    "tri",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]

ArrayOrValue = Array | Value


def _check_device(device: Any) -> None:
    if device not in (None, "cpu"):
        raise RlxError("RLX401", f"an array on device {device!r}", fix="arrays live on 'cpu'")


def asarray(x: ArrayLike, /, dtype: DTypeLike | None = None, *, copy: bool | None = None, device: str | None = None) -> Array:
    """An Array of numbers, lists, NumPy's arrays and whatever exports dlpack; a Value stays one.

    Python's numbers are i32, f32 and c64; arrays keep their dtype.
    """
    _check_device(device)
    wanted = None if dtype is None else named_dtype(dtype)
    if isinstance(x, Value):
        return as_value(x) if wanted is None else as_dtype(as_value(x), wanted)
    if isinstance(x, (list, tuple)) and graph_of(x) is not None:
        inner = [asarray(each, wanted) if isinstance(each, (list, tuple)) else each for each in x]
        return stack(inner, dtype=wanted)
    found = as_array(x, wanted)
    if copy is False and not (type(x) is ConcreteArray and found._array is x._array):
        raise ValueError("this array needs a copy")
    return found.copy() if copy and type(x) is ConcreteArray and found._array is x._array else found


def array(x: ArrayLike, dtype: DTypeLike | None = None, *, copy: bool = True, ndmin: int = 0) -> Array:
    """As `asarray`; with at least `ndmin` axes."""
    found = asarray(x, dtype)
    return found.reshape((1,) * (ndmin - found.ndim) + tuple(found.shape)) if found.ndim < ndmin else found


def from_dlpack(x: Any, /, *, device: str | None = None, copy: bool | None = None) -> Array:
    """An Array over the memory of another library's array, without a copy where that is possible."""
    _check_device(device)
    if type(x) is ConcreteArray and not copy:
        return x
    return ConcreteArray(np.array(np.from_dlpack(x)) if copy else np.from_dlpack(x))


def copy(x: ArrayLike) -> Array:
    """The same elements in memory of their own."""
    return x if isinstance(x, Value) else asarray(x).copy()


def _filled(shape: Any, number: Any, dtype: DType) -> Any:
    sizes = sizes_of(shape)
    if builtins.any(isinstance(size, Dim) for size in sizes) or isinstance(number, Value):
        graph = number.graph if isinstance(number, Value) else traced_graph()
        if graph is None:
            raise RlxError("RLX107", f"the shape {list(sizes)} has symbols outside of any traced function", fix="ints")
        scalar = as_dtype(as_value(number), dtype) if isinstance(number, Value) else constant(graph, number, dtype)
        return emit("expand", scalar, shape=sizes) if sizes else scalar
    sizes = tuple(int(size.__index__()) for size in sizes)
    return ConcreteArray(np.full(sizes, np.asarray(number), dtype.numpy))


def zeros(shape: Any, dtype: DTypeLike | None = None, *, device: str | None = None) -> Array:
    """Zeros, of f32 by default."""
    _check_device(device)
    return _filled(shape, 0, f32 if dtype is None else named_dtype(dtype))


def ones(shape: Any, dtype: DTypeLike | None = None, *, device: str | None = None) -> Array:
    """Ones, of f32 by default."""
    _check_device(device)
    return _filled(shape, 1, f32 if dtype is None else named_dtype(dtype))


empty = zeros


def full(shape: Any, fill_value: ArrayLike, dtype: DTypeLike | None = None, *, device: str | None = None) -> Array:
    """One number everywhere; the dtype is that of the number by default."""
    _check_device(device)
    kind = dtype_of(fill_value) if dtype is None else named_dtype(dtype)
    if not isinstance(fill_value, Value) and not is_weak(fill_value) and np.ndim(np.asarray(fill_value)):
        from rlx.frontends.numpy.movement import broadcast_to

        return broadcast_to(asarray(fill_value, kind), sizes_of(shape))
    return _filled(shape, fill_value if isinstance(fill_value, Value) else np.asarray(fill_value).item(), kind)


def _like(x: ArrayLike, number: Any, dtype: DTypeLike | None, shape: Any) -> Any:
    given = x if isinstance(x, Value) else asarray(x)
    kind = dtype_of(given) if dtype is None else named_dtype(dtype)
    sizes = given.shape if shape is None else sizes_of(shape)
    if isinstance(given, Value) and not isinstance(number, Value):
        return full_value(given, sizes, number, kind)
    return _filled(sizes, number, kind)


def zeros_like(x: ArrayLike, /, dtype: DTypeLike | None = None, shape: Any = None, *, device: str | None = None) -> Array:
    """Zeros with the shape and dtype of another array."""
    _check_device(device)
    return _like(x, 0, dtype, shape)


def ones_like(x: ArrayLike, /, dtype: DTypeLike | None = None, shape: Any = None, *, device: str | None = None) -> Array:
    """Ones with the shape and dtype of another array."""
    _check_device(device)
    return _like(x, 1, dtype, shape)


empty_like = zeros_like


def full_like(
    x: ArrayLike, /, fill_value: ArrayLike, dtype: DTypeLike | None = None, shape: Any = None, *, device: str | None = None
) -> Array:
    """One number everywhere, with the shape and dtype of another array."""
    _check_device(device)
    number = fill_value if isinstance(fill_value, Value) else np.asarray(fill_value).item()
    return _like(x, number, dtype, shape)


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: DTypeLike | None = None, *, device: str | None = None) -> Array:
    """Numbers from start to before stop; i32, or f32 where one of them is a float."""
    _check_device(device)
    first, last = (0, start) if stop is None else (start, stop)
    step = 1 if step is None else step
    ends = (first, last, step)
    if builtins.any(isinstance(each, Value) for each in ends):
        ends = first, last, step = tuple(_known_number(each) for each in ends)
    kind = named_dtype(dtype) if dtype is not None else i32 if builtins.all(not _is_real(each) for each in ends) else f32
    if builtins.any(isinstance(each, Dim) for each in ends):
        return _symbolic_range(first, last, step, kind)
    plain = [each.item() if hasattr(each, "item") else each for each in ends]
    count = builtins.max(0, math.ceil((plain[1] - plain[0]) / plain[2]))
    if kind.is_integer and not builtins.any(_is_real(each) for each in plain):
        return ConcreteArray(np.array(range(*plain), dtype=kind.numpy).reshape(count))
    wide = plain[0] + np.arange(count, dtype=np.float64) * plain[2]
    return ConcreteArray(wide.astype(kind.numpy))


def _known_number(bound: Any) -> Any:
    """A bound of a range, whose size must be known."""
    found = ask(bound) if isinstance(bound, Value) else bound
    if found is None:
        raise RlxError("RLX202", "arange with a traced bound has no static size", fix="Python ints, or sizes of shapes")
    return found[()] if isinstance(found, np.ndarray) else found


def _is_real(x: Any) -> bool:
    return isinstance(x, (float, np.floating)) or (isinstance(x, ConcreteArray) and x.dtype.kind == "f")


def _symbolic_range(first: Size, last: Size, step: int, kind: DType) -> Value:
    from rlx.core.dim import ceildiv

    graph = traced_graph()
    if graph is None or not isinstance(step, int):
        raise RlxError("RLX107", f"arange({first}, {last}, {step}) outside of any traced function", fix="ints")
    count = last - first if step == 1 else ceildiv(last - first, step)
    found: Value = emit("iota", shape=(count,), axis=0, dtype=kind, graph=graph)
    if step != 1:
        found = found * step
    if isinstance(first, int):
        return found + first if first else found
    return found + emit("size_value", size=first, dtype=kind, graph=graph)


def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike | None = None,
    axis: int = 0,
    *,
    device: str | None = None,
) -> Array:
    """So many numbers with equal steps from start to stop."""
    _check_device(device)
    kind = None if dtype is None else named_dtype(dtype)
    parts = builtins.max(num - 1 if endpoint else num, 1)
    if graph_of((start, stop)) is None:
        first, last = np.asarray(_host(start)), np.asarray(_host(stop))
        own = _linear_dtype(start, stop)
        spread = np.linspace(first, last, num, endpoint=endpoint, axis=axis)
        found = ConcreteArray(_into(spread, own if kind is None else kind))
        step = (last - first) / (parts if num > 1 or not endpoint else math.nan)
        return (found, ConcreteArray(_into(np.asarray(step), own))) if retstep else found  # type: ignore[return-value]
    return _linspace_values(start, stop, num, parts, kind, axis, retstep)


def _linspace_values(start: Any, stop: Any, num: int, parts: int, kind: DType | None, axis: int, retstep: bool) -> Any:
    from rlx.frontends.numpy.movement import moveaxis
    from rlx.frontends.numpy.values import promoted

    first, last = promoted(start, stop, least=f32)
    step = (last - first) / parts
    rank = builtins.max(first.rank, last.rank)
    along = np.arange(num, dtype=np.float64).reshape((num,) + (1,) * rank)
    share = constant(step.graph, (along / parts).astype(step.dtype.numpy))
    found = first * (1 - share) + last * share
    moved = moveaxis(found if kind is None else found.astype(kind), 0, axis)
    return (moved, step) if retstep else moved


def _host(x: Any) -> Any:
    return np.asarray(x) if isinstance(x, ConcreteArray) else x


def _linear_dtype(*ends: Any) -> DType:
    from rlx.frontends.numpy.dtypes import result_type

    own = DType.of(result_type(*(each if is_weak(each) else asarray(each) for each in ends)))
    return own if own.is_float or own.is_complex else f32


def _into(array: np.ndarray[Any, Any], dtype: DType) -> np.ndarray[Any, Any]:
    return np.floor(array).astype(dtype.numpy) if dtype.is_integer else array.astype(dtype.numpy)


def logspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, base: float = 10.0, dtype: DTypeLike | None = None
) -> Array:
    """Powers of a base with equal steps between the exponents."""
    from rlx.frontends.numpy.elementwise import pow

    found = pow(float(base), linspace(start, stop, num, endpoint))
    return found if dtype is None else found.astype(dtype)


def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: DTypeLike | None = None, axis: int = 0) -> Array:
    """So many numbers with equal ratios from start to stop."""
    found = np.geomspace(_host(start), _host(stop), num, endpoint=endpoint, axis=axis)
    return ConcreteArray(found.astype((_linear_dtype(start, stop) if dtype is None else named_dtype(dtype)).numpy))


def eye(N: Size, M: Size | None = None, k: int = 0, dtype: DTypeLike | None = None, *, device: str | None = None) -> Array:
    """Ones on a diagonal, zeros elsewhere."""
    _check_device(device)
    kind = f32 if dtype is None else named_dtype(dtype)
    columns = N if M is None else M
    if not (isinstance(N, Dim) or isinstance(columns, Dim)):
        return ConcreteArray(np.eye(N, columns, k, dtype=kind.numpy))
    graph = traced_graph()
    assert graph is not None
    rows = emit("iota", shape=(N, columns), axis=0, dtype=i32, graph=graph)
    return (rows + k == emit("iota", shape=(N, columns), axis=1, dtype=i32, graph=graph)).astype(kind)


def identity(n: Size, dtype: DTypeLike | None = None) -> Array:
    """A square `eye`."""
    return eye(n, dtype=dtype)


def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Ones at and below a diagonal."""
    return ConcreteArray(np.tri(N, M, k, dtype=(f32 if dtype is None else named_dtype(dtype)).numpy))


def _triangle(x: Any, k: int, lower: bool) -> Value:
    value = as_value(x)
    if value.rank < 2:
        raise RlxError("RLX102", f"a triangle of {value.type}", fix="an array of at least two axes")
    rows = emit("iota", shape=value.shape[-2:], axis=0, dtype=i32, graph=value.graph)
    columns = emit("iota", shape=value.shape[-2:], axis=1, dtype=i32, graph=value.graph)
    mask = columns <= rows + k if lower else columns >= rows + k
    zero = constant(value.graph, False if value.dtype is boolean else 0, value.dtype)
    return emit("where", mask, value, zero)


@array_function
def tril(x: ArrayLike, /, k: int = 0) -> Value:
    """What is at and below a diagonal; zeros above."""
    return _triangle(x, k, lower=True)


@array_function
def triu(x: ArrayLike, /, k: int = 0) -> Value:
    """What is at and above a diagonal; zeros below."""
    return _triangle(x, k, lower=False)
