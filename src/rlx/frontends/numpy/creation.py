"""New arrays. With sizes of a trace (Dims) they are Values of it, otherwise Arrays."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.dim import Dim, Size, ceildiv
from rlx.core.dtype import DType, DTypeLike, boolean, f32, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import (
    ArrayLike,
    array_function,
    as_array,
    as_value,
    emit,
    full_value,
    graph_of,
    promote_values,
    sizes_of,
)
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.dtypes import dtype_of, result_type
from rlx.frontends.numpy.elementwise import power
from rlx.frontends.numpy.insertion import concat, stack
from rlx.frontends.numpy.movement import broadcast_arrays, broadcast_to, moveaxis
from rlx.frontends.numpy.ordering import nonzero
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant, traced_graph
from rlx.ir.op import is_weak
from rlx.ir.questions import ask
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import ConcreteArray

__all__ = [
    "arange", "array", "asarray", "bartlett", "blackman", "c_", "copy", "diag_indices", "diag_indices_from", "e", "empty",
    "empty_like", "euler_gamma", "eye", "from_dlpack", "frombuffer", "fromfunction", "fromiter", "full", "full_like", "geomspace",
    "hamming", "hanning", "identity", "index_exp", "indices", "inf", "ix_", "kaiser", "linspace", "logspace", "mask_indices",
    "meshgrid", "mgrid", "nan", "newaxis", "ogrid", "ones", "ones_like", "pi", "r_", "ravel_multi_index", "s_", "tri", "tril",
    "tril_indices", "tril_indices_from", "triu", "triu_indices", "triu_indices_from", "unravel_index", "zeros", "zeros_like",
]  # fmt: skip


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
    own = as_array(x, wanted)
    if copy is False and not (type(x) is ConcreteArray and own._array is x._array):
        raise ValueError("this array needs a copy")
    return own.copy() if copy and type(x) is ConcreteArray and own._array is x._array else own


def array(x: ArrayLike, dtype: DTypeLike | None = None, *, copy: bool = True, ndmin: int = 0) -> Array:
    """As `asarray`; with at least `ndmin` axes."""
    own = asarray(x, dtype)
    return own.reshape((1,) * (ndmin - own.ndim) + tuple(own.shape)) if own.ndim < ndmin else own


def from_dlpack(x: Any, /, *, device: str | None = None, copy: bool | None = None) -> Array:
    """An Array over the memory of another library's array, without a copy where that is possible."""
    _check_device(device)
    if type(x) is ConcreteArray and not copy:
        return x
    return ConcreteArray(np.array(np.from_dlpack(x)) if copy else np.from_dlpack(x))


def copy(x: ArrayLike) -> Array:
    """The same elements in memory of their own."""
    return x if isinstance(x, Value) else asarray(x).copy()


def _fill(shape: Any, number: Any, dtype: DType) -> Any:
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
    return _fill(shape, 0, f32 if dtype is None else named_dtype(dtype))


def ones(shape: Any, dtype: DTypeLike | None = None, *, device: str | None = None) -> Array:
    """Ones, of f32 by default."""
    _check_device(device)
    return _fill(shape, 1, f32 if dtype is None else named_dtype(dtype))


empty = zeros


def full(shape: Any, fill_value: ArrayLike, dtype: DTypeLike | None = None, *, device: str | None = None) -> Array:
    """One number everywhere; the dtype is that of the number by default."""
    _check_device(device)
    kind = dtype_of(fill_value) if dtype is None else named_dtype(dtype)
    if not isinstance(fill_value, Value) and not is_weak(fill_value) and np.ndim(np.asarray(fill_value)):
        return broadcast_to(asarray(fill_value, kind), sizes_of(shape))
    return _fill(shape, fill_value if isinstance(fill_value, Value) else np.asarray(fill_value).item(), kind)


def _like(x: ArrayLike, number: Any, dtype: DTypeLike | None, shape: Any) -> Any:
    given = x if isinstance(x, Value) else asarray(x)
    kind = dtype_of(given) if dtype is None else named_dtype(dtype)
    sizes = given.shape if shape is None else sizes_of(shape)
    if isinstance(given, Value) and not isinstance(number, Value):
        return full_value(given, sizes, number, kind)
    return _fill(sizes, number, kind)


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
    ends = (*((0, start) if stop is None else (start, stop)), 1 if step is None else step)
    if builtins.any(isinstance(each, Value) for each in ends):
        ends = tuple(_known_number(each) for each in ends)
    kind = named_dtype(dtype) if dtype is not None else f32 if builtins.any(map(_is_real, ends)) else i32
    if builtins.any(isinstance(each, Dim) for each in ends):
        first, last, by = ends
        return _symbolic_range(first, last, by, kind)
    return _concrete_range([each.item() if hasattr(each, "item") else each for each in ends], kind)


def _concrete_range(ends: Sequence[Any], kind: DType) -> Array:
    first, last, step = ends
    count = builtins.max(0, math.ceil((last - first) / step))
    if kind.is_integer and not builtins.any(map(_is_real, ends)):
        return ConcreteArray(np.array(range(first, last, step), dtype=kind.numpy).reshape(count))
    return ConcreteArray((first + np.arange(count, dtype=np.float64) * step).astype(kind.numpy))


def _known_number(bound: Any) -> Any:
    """A bound of `arange`, which must be a known number."""
    number = ask(bound) if isinstance(bound, Value) else bound
    if number is None:
        raise RlxError("RLX202", "arange with a traced bound has no static size", fix="Python ints, or sizes of shapes")
    return number[()] if isinstance(number, np.ndarray) else number


def _is_real(x: Any) -> bool:
    return isinstance(x, (float, np.floating)) or (isinstance(x, ConcreteArray) and x.dtype.kind == "f")


def _symbolic_range(first: Size, last: Size, step: int, kind: DType) -> Value:
    graph = traced_graph()
    if graph is None or not isinstance(step, int):
        raise RlxError("RLX107", f"arange({first}, {last}, {step}) outside of any traced function", fix="ints")
    count = last - first if step == 1 else ceildiv(last - first, step)
    numbers: Value = emit("iota", shape=(count,), axis=0, dtype=kind, graph=graph)
    if step != 1:
        numbers = numbers * step
    if isinstance(first, int):
        return numbers + first if first else numbers
    return numbers + emit("size_value", size=first, dtype=kind, graph=graph)


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
        numbers = ConcreteArray(_into(spread, own if kind is None else kind))
        step = (last - first) / (parts if num > 1 or not endpoint else math.nan)
        return (numbers, ConcreteArray(_into(np.asarray(step), own))) if retstep else numbers  # type: ignore[return-value]
    return _linspace_values(start, stop, num, parts, kind, axis, retstep)


def _linspace_values(start: Any, stop: Any, num: int, parts: int, kind: DType | None, axis: int, retstep: bool) -> Any:
    first, last = promote_values(start, stop, least=f32)
    step = (last - first) / parts
    rank = builtins.max(first.rank, last.rank)
    along = np.arange(num, dtype=np.float64).reshape((num,) + (1,) * rank)
    share = constant(step.graph, (along / parts).astype(step.dtype.numpy))
    numbers = first * (1 - share) + last * share
    moved = moveaxis(numbers if kind is None else numbers.astype(kind), 0, axis)
    return (moved, step) if retstep else moved


def _host(x: Any) -> Any:
    return np.asarray(x) if isinstance(x, ConcreteArray) else x


def _linear_dtype(*ends: Any) -> DType:
    own = DType.of(result_type(*(each if is_weak(each) else asarray(each) for each in ends)))
    return own if own.is_float or own.is_complex else f32


def _into(array: np.ndarray[Any, Any], dtype: DType) -> np.ndarray[Any, Any]:
    return np.floor(array).astype(dtype.numpy) if dtype.is_integer else array.astype(dtype.numpy)


def logspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, base: float = 10.0, dtype: DTypeLike | None = None
) -> Array:
    """Powers of a base with equal steps between the exponents."""
    numbers = power(float(base), linspace(start, stop, num, endpoint))
    return numbers if dtype is None else numbers.astype(dtype)


def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: DTypeLike | None = None, axis: int = 0) -> Array:
    """So many numbers with equal ratios from start to stop."""
    numbers = np.geomspace(_host(start), _host(stop), num, endpoint=endpoint, axis=axis)
    return ConcreteArray(numbers.astype((_linear_dtype(start, stop) if dtype is None else named_dtype(dtype)).numpy))


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


# -- indices of diagonals and triangles, of places in a shape, and the objects that turn `[...]` into arrays ---------


def _indices(parts: Sequence[Any]) -> tuple[Array, ...]:

    return tuple(ConcreteArray(np.asarray(part).astype(np.int32)) for part in parts)


def _static_shape(arr: ArrayLike, what: str) -> tuple[int, ...]:

    shape = arr.shape if isinstance(arr, Value) else as_array(arr).shape
    if not all(isinstance(size, int) for size in shape):
        raise RlxError("RLX202", f"{what} of symbolic sizes {list(shape)}", fix="static sizes")
    return tuple(int(size) for size in shape)


# -- diagonals and triangles ----------------------------------------------------------------------------------------
def diag_indices(n: int, ndim: int = 2) -> tuple[Array, ...]:
    """The indices of the diagonal of an array of n in each of its axes."""
    return (arange(n),) * ndim


def diag_indices_from(arr: ArrayLike) -> tuple[Array, ...]:
    """The indices of the diagonal of an array."""
    shape = _static_shape(arr, "diag_indices_from")
    if len(shape) < 2 or len(set(shape)) > 1:
        raise RlxError("RLX102", f"the diagonal of shape {list(shape)}", fix="at least two axes of one size")
    return diag_indices(shape[0], len(shape))


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, ...]:
    """The indices of what is at and below a diagonal of an n × m array."""
    return _indices(np.tril_indices(n, k, m))


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, ...]:
    """The indices of what is at and above a diagonal of an n × m array."""
    return _indices(np.triu_indices(n, k, m))


def _of_plane(arr: ArrayLike, what: str) -> tuple[int, int]:

    shape = _static_shape(arr, what)
    if len(shape) != 2:
        raise RlxError("RLX102", f"{what} of shape {list(shape)}", fix="two axes")
    return shape[0], shape[1]


def tril_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, ...]:
    """The indices of the lower triangle of an array."""
    rows, columns = _of_plane(arr, "tril_indices_from")
    return tril_indices(rows, k, columns)


def triu_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, ...]:
    """The indices of the upper triangle of an array."""
    rows, columns = _of_plane(arr, "triu_indices_from")
    return triu_indices(rows, k, columns)


def mask_indices(n: int, mask_func: Callable[..., Any], k: int = 0, *, size: int | None = None) -> tuple[Array, ...]:
    """The indices of what a function such as `rnp.triu` leaves of an n × n array of ones."""
    kept = mask_func(ones((n, n)), k=k) if mask_func.__name__ in ("tril", "triu") else mask_func(ones((n, n)), k)
    return nonzero(kept, size=size)


# -- places in a shape ----------------------------------------------------------------------------------------------
def ix_(*args: ArrayLike) -> tuple[Array, ...]:
    """Indices that pick the rows and columns of a grid: each array along an axis of its own; masks become places."""
    lines: list[Array] = [each if isinstance(each, Value) else as_array(each) for each in args]
    grids: list[Any] = []
    for i, line in enumerate(lines):
        if len(line.shape) != 1:
            raise RlxError("RLX102", f"ix_ of shape {list(line.shape)}", fix="arrays of one axis")
        if line.dtype == boolean:
            line = nonzero(line)[0]
        grids.append(line.reshape((1,) * i + tuple(line.shape) + (1,) * (len(lines) - i - 1)))
    return tuple(grids)


@array_function
def unravel_index(indices: ArrayLike, shape: int | Sequence[int]) -> tuple[Array, ...]:
    """The index along each axis of places counted in the flattened array; outside, the nearest inside."""
    value = as_value(indices)
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    total = math.prod(sizes)
    rest = emit("where", value < 0, value + total, value)
    rest = emit("clamp", rest, 0, max(total - 1, 0))
    digits = []
    for size in reversed(sizes):
        digits.append(emit("mod", rest, max(size, 1)))
        rest = emit("floor_div", rest, max(size, 1))
    return tuple(reversed(digits))


@array_function
def ravel_multi_index(multi_index: Sequence[ArrayLike], dims: Sequence[int], mode: str = "raise", order: str = "C") -> Value:
    """The place in the flattened array of indices along each axis. With mode='raise' they are taken to be inside."""
    if mode not in ("raise", "wrap", "clip") or order not in ("C", "F"):
        message = f"ravel_multi_index with mode={mode!r}, order={order!r}"
        raise RlxError("RLX109", message, fix="'raise', 'wrap' or 'clip'; 'C' or 'F'")
    if len(multi_index) != len(dims):
        raise RlxError("RLX102", f"{len(multi_index)} indices for {len(dims)} axes", fix="one for each axis")
    like = next(each for each in multi_index if isinstance(each, Value))
    values = map(as_value, broadcast_arrays(*(as_dtype(as_value(each, like), i32) for each in multi_index)))
    position: Value | None = None
    pairs = list(zip(values, dims, strict=True))
    for value, size in pairs if order == "C" else reversed(pairs):
        inside = value if mode == "raise" else emit("mod", value, size)
        inside = emit("clamp", value, 0, size - 1) if mode == "clip" else inside
        position = inside if position is None else position * size + inside
    assert position is not None
    return position


# -- r_[...], c_[...], mgrid[...] -----------------------------------------------------------------------------------
def _range_of(item: slice) -> Array:
    """Reads a slice as numbers: start, stop, step, or with 2j so many between both ends."""
    start, stop, step = item.start, item.stop, item.step
    start, step = 0 if start is None else start, 1 if step is None else step
    if isinstance(step, complex):
        return linspace(start, stop, int(abs(step)))
    return arange(start, stop, step)


class CoordinateGrid:
    """`mgrid[a:b, c:d]`, whole grids of coordinates, or `ogrid`, one axis each."""

    def __init__(self, sparse: bool) -> None:
        self._sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        """The coordinates of each axis."""
        if not isinstance(key, tuple):
            return _range_of(key)
        lines = [np.asarray(_range_of(each)) for each in key]
        common = np.float32 if any(line.dtype.kind == "f" for line in lines) else np.int32
        grids = np.meshgrid(*(line.astype(common) for line in lines), indexing="ij", sparse=self._sparse)
        if self._sparse:
            return [ConcreteArray(np.ascontiguousarray(part)) for part in grids]
        return ConcreteArray(np.stack(grids) if grids else np.zeros(0, np.int32))


class JoinedParts:
    """`r_[...]` and `c_[...]`: slices, numbers and arrays put together; a first string says along which axis."""

    def __init__(self, axis: int, rank: int, place: int) -> None:
        self._settings = axis, rank, place

    def __getitem__(self, key: Any) -> Any:
        """Joins all parts along one axis."""
        parts = list(key) if isinstance(key, tuple) else [key]
        axis, rank, offset = self._settings
        if parts and isinstance(parts[0], str):
            numbers = [int(each) for each in parts.pop(0).split(",")]
            axis, rank, offset = (*numbers, *(0, 1, -1)[len(numbers) :])
        return concat([_with_rank(each, rank, offset) for each in parts], axis)


def _with_rank(part: Any, rank: int, place: int) -> Any:
    """Reshapes a part to at least so many axes; its own axes start at `place`."""
    value = _range_of(part) if isinstance(part, slice) else part if isinstance(part, Value) else as_array(part)
    own = len(value.shape)
    if own == 0:
        return value.reshape((1,) * max(rank, 1))
    missing = rank - own
    if missing <= 0:
        return value
    before = missing if place == -1 else min(place, missing)
    return value.reshape((1,) * before + tuple(value.shape) + (1,) * (missing - before))


mgrid, ogrid = CoordinateGrid(sparse=False), CoordinateGrid(sparse=True)
r_, c_ = JoinedParts(0, 1, -1), JoinedParts(-1, 2, 0)
s_, index_exp = np.s_, np.index_exp


# -- grids of coordinates, elements from bytes and iterators, windows ------------------------------------------------


@array_function
def meshgrid(*arrays: ArrayLike, indexing: str = "xy", sparse: bool = False, copy: bool = True) -> list[Array]:
    """The coordinates of a grid, one array for each axis."""
    if indexing not in ("xy", "ij"):
        raise RlxError("RLX109", f"meshgrid with indexing={indexing!r}", fix="'xy' or 'ij'")
    if not arrays:
        return []
    like = next(each for each in arrays if isinstance(each, Value))
    flat = [as_value(each, like).reshape(-1) if as_value(each, like).rank == 0 else as_value(each, like) for each in arrays]
    order = list(range(len(flat)))
    if indexing == "xy" and len(flat) > 1:
        order[:2] = [1, 0]
    sizes = [flat[i].shape[0] for i in order]
    grids = []
    for i, value in enumerate(flat):
        axis = order.index(i)
        thin = value.reshape(tuple(size if at == axis else 1 for at, size in enumerate(sizes)))
        grids.append(thin if sparse else emit("expand", thin, shape=tuple(sizes)))
    return grids


def indices(dimensions: Sequence[int], dtype: DTypeLike | None = None, sparse: bool = False) -> Array | Any:
    """The index of each place of a shape, by axis."""
    kind = i32 if dtype is None else named_dtype(dtype)
    grids: Any = np.indices(tuple(dimensions), kind.numpy, sparse=sparse)  # type: ignore[call-overload]
    return tuple(ConcreteArray(np.asarray(part)) for part in grids) if sparse else ConcreteArray(np.asarray(grids))


def fromfunction(function: Callable[..., Any], shape: Sequence[int], *, dtype: DTypeLike = float, **kwargs: Any) -> Array:
    """A function of the coordinates of each place."""
    grids = indices(tuple(shape), dtype)
    return function(*(grids[i] for i in range(len(tuple(shape)))), **kwargs)


def frombuffer(buffer: Any, dtype: DTypeLike = float, count: int = -1, offset: int = 0) -> Array:
    """Elements from bytes."""
    return ConcreteArray(np.array(np.frombuffer(buffer, named_dtype(dtype).numpy, count, offset)))


def fromiter(iterable: Any, dtype: DTypeLike, count: int = -1) -> Array:
    """Elements from an iterator."""
    return ConcreteArray(np.fromiter(iterable, named_dtype(dtype).numpy, count))


def _window(name: str) -> Callable[..., Array]:
    def window(M: int) -> Array:
        return ConcreteArray(np.asarray(getattr(np, name)(M)).astype(np.float32))

    window.__name__ = name
    window.__doc__ = f"The {name} window of M points, f32."
    return window


bartlett, blackman, hamming, hanning = map(_window, ("bartlett", "blackman", "hamming", "hanning"))


def kaiser(M: int, beta: float) -> Array:
    """The Kaiser window of M points with the shape beta, f32."""
    return ConcreteArray(np.kaiser(M, beta).astype(np.float32))


# -- numbers with a name ---------------------------------------------------------------------------------------------


e, pi, inf, nan, newaxis = math.e, math.pi, math.inf, math.nan, None
euler_gamma = 0.5772156649015329
