"""rlx.Array: what arrays and traced values have in common. NumPy's methods: each calls the function of `rlx.numpy` with the same name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from rlx.core.dim import Dim, Relation, Size, ceildiv, proves_at_most
from rlx.core.errors import RlxError, unknown_attribute
from rlx.ir.op import OPS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    import numpy as np
    import numpy.typing as npt

    from rlx.frontends.numpy.indexing import At

_NUMPY: ModuleType | None = None
_TORCH = {"unsqueeze": "expand_dims", "permute": "permute_dims", "clamp": "clip", "t": "matrix_transpose"}
"""torch's names of methods, and NumPy's functions that take the same arguments."""
_FILLED = ("out", "order")  # arguments that NumPy's functions pass to methods, None unless the caller sets them


def numpy_functions() -> Any:
    """Imports `rlx.numpy` when it is first needed."""
    global _NUMPY
    if _NUMPY is None:
        from rlx.frontends import numpy

        _NUMPY = numpy
    return _NUMPY


def _axes(given: tuple[Any, ...]) -> Any:
    """Reads axes or sizes given as separate arguments or as one sequence."""
    return given[0] if len(given) == 1 and isinstance(given[0], (tuple, list)) else given


def _drop_filled(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Drops arguments of a method that NumPy fills in: `np.sum(x)` calls `x.sum(out=None)`."""
    for name in _FILLED:
        if kwargs.get(name) is not None and name == "out":
            raise RlxError("RLX109", "a method of an array got out=", fix="use the array it returns")
    return {name: value for name, value in kwargs.items() if name not in _FILLED or value is not None}


class ElementCount(int):
    """The number of elements of an array; called like torch's `x.size(0)`, it returns the size of an axis."""

    shape: tuple[Any, ...]

    def __call__(self, axis: int | None = None) -> Any:
        return self.shape if axis is None else self.shape[axis]


def element_count(shape: tuple[Any, ...]) -> Any:
    """The number of elements of a shape, an int or symbolic."""
    number = math.prod(shape)
    if not isinstance(number, int):
        return number
    count = ElementCount(number)
    count.shape = shape
    return count


def reduction_arguments(axis: Any, dtype: Any, keepdims: bool, old: dict[str, Any]) -> tuple[Any, Any, bool]:
    """Reads the arguments of a reduction: NumPy's, or the builders' (`axes`, `keep_dim`); a bool in second position is `keep_dim`."""
    if isinstance(dtype, bool):
        dtype, keepdims = None, dtype
    for name, value in _drop_filled(old).items():
        if name == "axes":
            axis = value
        elif name == "keep_dim":
            keepdims = value
        elif name in ("dim", "keepdim"):
            raise RlxError("RLX109", f"a reduction got {name}=", fix={"dim": "axis=", "keepdim": "keepdims="}[name])
        else:
            raise RlxError("RLX109", f"a reduction got {name}=", fix="axis=, dtype=, keepdims=, where=, initial=")
    return tuple(axis) if isinstance(axis, list) else axis, dtype, keepdims


def refuse_comparison(other: Any) -> Any:
    """Rejects `==` of an array and a list or another library's array, where Python would return False."""
    if isinstance(other, (list, tuple)) or hasattr(other, "__array__"):
        kind = type(other).__name__
        raise TypeError(f"an array and a {kind} are not compared element by element: use rlx.numpy.asarray({kind})")
    return NotImplemented


def further_arguments(given: dict[str, Any]) -> dict[str, Any]:
    """Splits `where`, `initial` and `correction` off the arguments of a reduction: only `rlx.numpy` has them."""
    options = {name: given.pop(name) for name in ("where", "initial", "correction") if name in given}
    return {name: value for name, value in options.items() if value is not None}


class Array:
    """An array, or a traced value that stands for one: what functions of arrays take and return, and the name to annotate.

    Its methods are NumPy's; functions of `rlx.numpy` and `rlx.nn` are methods too: `x.exp()`, `x.softmax(-1)`.

    >>> import rlx.numpy as rnp
    >>> rnp.arange(6).reshape(2, 3).sum(axis=1)
    Array([ 3, 12], dtype=int32)
    """

    __slots__ = ()

    def __init__(self, *given: Any) -> None:
        raise RlxError("RLX109", "rlx.Array is the class of all arrays, and makes none", fix="rlx.numpy.asarray(x)")

    def block_until_ready(self) -> Self:
        """The array itself: a call returns when its results are there."""
        return self

    if TYPE_CHECKING:  # both classes define these

        @property
        def shape(self) -> tuple[int, ...]: ...
        @property
        def dtype(self) -> np.dtype[Any]: ...
        @property
        def ndim(self) -> int: ...
        @property
        def size(self) -> int: ...
        def copy(self) -> Array: ...
        def item(self, *index: Any) -> Any: ...
        def tolist(self) -> Any: ...
        def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]: ...
        def __bool__(self) -> bool: ...
        def __float__(self) -> float: ...
        def __int__(self) -> int: ...
        def __complex__(self) -> complex: ...
        def __index__(self) -> int: ...
        def __len__(self) -> int: ...
        def __iter__(self) -> Iterator[Array]: ...
        def __getitem__(self, index: Any) -> Array: ...
        def __neg__(self) -> Array: ...
        def __pos__(self) -> Array: ...
        def __abs__(self) -> Array: ...
        def __invert__(self) -> Array: ...
        def __round__(self, digits: int = 0) -> Array: ...
        def __eq__(self, other: object) -> Array: ...  # type: ignore[override]
        def __ne__(self, other: object) -> Array: ...  # type: ignore[override]
        def __add__(self, other: Any) -> Array: ...
        def __radd__(self, other: Any) -> Array: ...
        def __sub__(self, other: Any) -> Array: ...
        def __rsub__(self, other: Any) -> Array: ...
        def __mul__(self, other: Any) -> Array: ...
        def __rmul__(self, other: Any) -> Array: ...
        def __truediv__(self, other: Any) -> Array: ...
        def __rtruediv__(self, other: Any) -> Array: ...
        def __floordiv__(self, other: Any) -> Array: ...
        def __rfloordiv__(self, other: Any) -> Array: ...
        def __mod__(self, other: Any) -> Array: ...
        def __rmod__(self, other: Any) -> Array: ...
        def __pow__(self, other: Any) -> Array: ...
        def __rpow__(self, other: Any) -> Array: ...
        def __matmul__(self, other: Any) -> Array: ...
        def __rmatmul__(self, other: Any) -> Array: ...
        def __and__(self, other: Any) -> Array: ...
        def __rand__(self, other: Any) -> Array: ...
        def __or__(self, other: Any) -> Array: ...
        def __ror__(self, other: Any) -> Array: ...
        def __xor__(self, other: Any) -> Array: ...
        def __rxor__(self, other: Any) -> Array: ...
        def __lshift__(self, other: Any) -> Array: ...
        def __rlshift__(self, other: Any) -> Array: ...
        def __rshift__(self, other: Any) -> Array: ...
        def __rrshift__(self, other: Any) -> Array: ...
        def __lt__(self, other: Any) -> Array: ...
        def __le__(self, other: Any) -> Array: ...
        def __gt__(self, other: Any) -> Array: ...
        def __ge__(self, other: Any) -> Array: ...

    if not TYPE_CHECKING:  # for unknown names, which a type checker finds by itself

        def __getattr__(self, name: str) -> Any:
            function = None if name.startswith("_") else numpy_functions().method(_TORCH.get(name, name))
            if function is None:
                raise unknown_attribute(self, name)
            return lambda *args, **kwargs: function(self, *args, **_drop_filled(kwargs))

    # -- reductions ---------------------------------------------------------------------------------------------
    def sum(self, axis: Any = None, dtype: Any = None, keepdims: bool = False, **old: Any) -> Self:
        """Sum over axes, all by default."""
        further = further_arguments(old)
        axis, dtype, keepdims = reduction_arguments(axis, dtype, keepdims, old)
        return numpy_functions().sum(self, axis=axis, dtype=dtype, keepdims=keepdims, **further)

    def prod(self, axis: Any = None, dtype: Any = None, keepdims: bool = False, **old: Any) -> Self:
        """Product over axes."""
        further = further_arguments(old)
        axis, dtype, keepdims = reduction_arguments(axis, dtype, keepdims, old)
        return numpy_functions().prod(self, axis=axis, dtype=dtype, keepdims=keepdims, **further)

    def mean(self, axis: Any = None, dtype: Any = None, keepdims: bool = False, **old: Any) -> Self:
        """Mean over axes."""
        further = further_arguments(old)
        axis, dtype, keepdims = reduction_arguments(axis, dtype, keepdims, old)
        return numpy_functions().mean(self, axis=axis, dtype=dtype, keepdims=keepdims, **further)

    def std(self, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False, **old: Any) -> Self:
        """Standard deviation over axes."""
        further = further_arguments(old)
        axis, dtype, keepdims = reduction_arguments(axis, dtype, keepdims, old)
        return numpy_functions().std(self, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims, **further)

    def var(self, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False, **old: Any) -> Self:
        """Variance over axes."""
        further = further_arguments(old)
        axis, dtype, keepdims = reduction_arguments(axis, dtype, keepdims, old)
        return numpy_functions().var(self, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims, **further)

    def max(self, axis: Any = None, keepdims: bool = False, **old: Any) -> Self:
        """Maximum over axes."""
        further = further_arguments(old)
        axis, _, keepdims = reduction_arguments(axis, None, keepdims, old)
        return numpy_functions().max(self, axis=axis, keepdims=keepdims, **further)

    def min(self, axis: Any = None, keepdims: bool = False, **old: Any) -> Self:
        """Minimum over axes."""
        further = further_arguments(old)
        axis, _, keepdims = reduction_arguments(axis, None, keepdims, old)
        return numpy_functions().min(self, axis=axis, keepdims=keepdims, **further)

    def any(self, axis: Any = None, keepdims: bool = False, **old: Any) -> Self:
        """Logical or over axes."""
        further = further_arguments(old)
        axis, _, keepdims = reduction_arguments(axis, None, keepdims, old)
        return numpy_functions().any(self, axis=axis, keepdims=keepdims, **further)

    def all(self, axis: Any = None, keepdims: bool = False, **old: Any) -> Self:
        """Logical and over axes."""
        further = further_arguments(old)
        axis, _, keepdims = reduction_arguments(axis, None, keepdims, old)
        return numpy_functions().all(self, axis=axis, keepdims=keepdims, **further)

    def argmax(self, axis: int | None = None, keepdims: bool = False, **old: Any) -> Self:
        """The index of the maximum, of the flattened array by default."""
        axis, _, keepdims = reduction_arguments(axis, None, keepdims, old)
        return numpy_functions().argmax(self, axis=axis, keepdims=keepdims)

    def argmin(self, axis: int | None = None, keepdims: bool = False, **old: Any) -> Self:
        """The index of the minimum."""
        axis, _, keepdims = reduction_arguments(axis, None, keepdims, old)
        return numpy_functions().argmin(self, axis=axis, keepdims=keepdims)

    # -- parts --------------------------------------------------------------------------------------------------
    @property
    def real(self) -> Self:
        """The real part."""
        return numpy_functions().real(self)

    @property
    def imag(self) -> Self:
        """The imaginary part."""
        return numpy_functions().imag(self)

    def compress(self, condition: Any, axis: int | None = None, *, size: int | None = None, fill_value: Any = 0) -> Self:
        """The parts of an axis, of the flattened array by default, where a condition holds; traced, so many as `size`."""
        return numpy_functions().compress(condition, self, axis, size=size, fill_value=fill_value)

    # -- shape --------------------------------------------------------------------------------------------------
    @property
    def T(self) -> Self:
        """All axes reversed."""
        return numpy_functions().permute_dims(self, None)

    @property
    def mT(self) -> Self:
        """The last two axes swapped."""
        return numpy_functions().matrix_transpose(self)

    @property
    def at(self) -> At:
        """Changed copies: `x.at[index].set(values)`, `.add`, `.multiply`, `.min`, `.max`, `.get`."""
        return numpy_functions().At(self)

    def reshape(self, *shape: Any) -> Self:
        """Another shape with the same elements; one size may be -1."""
        return numpy_functions().reshape(self, _axes(shape))

    view = reshape

    def transpose(self, *axes: Any) -> Self:
        """Axes permuted; all reversed by default."""
        chosen = _axes(axes)
        return numpy_functions().permute_dims(self, None if chosen in ((), (None,)) else tuple(chosen))

    permute = transpose

    def flatten(self) -> Self:
        """One axis with all elements."""
        return numpy_functions().ravel(self)

    ravel = flatten

    def squeeze(self, axis: Any = None) -> Self:
        """Without axes of size 1."""
        return numpy_functions().squeeze(self, axis)

    def astype(self, dtype: Any) -> Self:
        """Cast."""
        return numpy_functions().astype(self, dtype)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        from rlx import numpy

        if api_version is not None and api_version not in numpy.API_VERSIONS:
            raise RlxError("RLX109", f"array API version {api_version!r}", fix=f"one of {numpy.API_VERSIONS}")
        return numpy


# -- `value[...]` as graph nodes, for ints, slices, None, `...` and one integer array; `rlx.numpy` handles all other indices


if TYPE_CHECKING:
    from rlx.ir.value import Value


def is_simple(index: Any) -> bool:
    """Whether `index_value` supports an index: ints, slices, None, ..., and at most one array of integers, without an int beside it."""
    from rlx.ir.value import Value

    items = index if isinstance(index, tuple) else (index,)
    arrays = [item for item in items if isinstance(item, (Value, np.ndarray, list, bool)) or hasattr(item, "__array__")]
    if not arrays:
        return True
    whole = len(arrays) == 1 and isinstance(arrays[0], (Value, np.ndarray)) and arrays[0].dtype != bool
    return whole and not any(hasattr(item, "__index__") for item in items if not isinstance(item, (Value, np.ndarray)))


def index_value(value: Value, index: Any) -> Value:
    """Emits basic indexing as slices and reshapes, and one array or Value index as gather."""
    from rlx.ir.value import Value

    starts: list[Size] = []
    stops: list[Size] = []
    steps: list[int] = []
    new_shape: list[Size] = []
    gather: tuple[int, Any] | None = None
    sizes = iter(value.shape)
    for item in _each_axis(value, index):
        if item is None:
            new_shape.append(1)
            continue
        size = next(sizes)
        if isinstance(item, slice):
            start, stop, step, length = _slice(item, size, value)
            new_shape.append(length)
        elif isinstance(item, (Value, np.ndarray, list)):
            gather = (len(new_shape), np.asarray(item) if isinstance(item, list) else item)
            start, stop, step = 0, size, 1
            new_shape.append(size)
        else:
            start = _position(item, size, value)
            stop, step = start + 1, 1
        starts.append(start)
        stops.append(stop)
        steps.append(step)
    result = value
    windows = zip(starts, stops, steps, value.shape, strict=True)
    if not all(start == 0 and stop == size and step == 1 for start, stop, step, size in windows):
        result = OPS["slice"](result, start=tuple(starts), stop=tuple(stops), step=tuple(steps))
    if tuple(new_shape) != result.shape:
        result = OPS["reshape"](result, shape=tuple(new_shape))
    return result if gather is None else OPS["gather"](result, gather[1], axis=gather[0])


def _each_axis(value: Value, index: Any) -> list[Any]:
    """Expands an index to one item for each axis, and None for each new one."""
    items = list(index) if isinstance(index, tuple) else [index]
    used = sum(item is not None and item is not Ellipsis for item in items)
    ellipses = [i for i, item in enumerate(items) if item is Ellipsis]
    if len(ellipses) > 1:
        raise RlxError("RLX115", f"{value!r} indexed with more than one '...'")
    if used > value.rank:
        raise RlxError("RLX115", f"{value!r} indexed with {used} positions, but it has {value.rank} axes")
    at = ellipses[0] if ellipses else len(items)
    items[at : at + 1] = [slice(None)] * (value.rank - used)
    return items


def _position(item: Any, size: Size, value: Value) -> Size:
    if isinstance(item, Dim):
        return item
    if isinstance(item, bool) or not hasattr(item, "__index__"):
        raise RlxError("RLX115", f"{value!r} indexed with {item!r}", fix="ints, slices, None, ... or an integer Value")
    position = int(item.__index__())
    counted = size + position if position < 0 else position
    if proves_at_most(size, counted) or proves_at_most(counted, -1):
        raise RlxError("RLX115", f"index {position} is out of range for size {size}")
    return counted


def _slice(item: slice, size: Size, value: Value) -> tuple[Size, Size, int, Size]:
    """Start, stop (-1: before the first), step and length of a slice, as Python defines them."""
    step = 1 if item.step is None else int(item.step.__index__())
    if step == 0:
        raise RlxError("RLX115", f"{value!r} sliced with step 0", fix="steps are positive or negative")
    if isinstance(size, int) and not any(isinstance(end, Dim) for end in (item.start, item.stop)):
        first, last, step = item.indices(size)
        return first, last, step, len(range(first, last, step))
    facts = value.graph.assumptions
    backward = step < 0
    start = _end(item.start, size - 1 if backward else 0, size)
    stop = _end(item.stop, -1 if backward else size, size)
    low, high = (stop, start) if backward else (start, stop)
    if not proves_at_most(high, low, facts):
        high = _clip(high, size - 1 if backward else size, facts)
    if proves_at_most(high, low, facts):
        return 0, 0, step, 0
    start, stop = (high, low) if backward else (low, high)
    return start, stop, step, ceildiv(high - low, abs(step))


def _end(end: Any, default: Size, size: Size) -> Size:
    if end is None:
        return default
    if isinstance(end, Dim):
        return end
    number = int(end.__index__())
    return size + number if number < 0 else number


def _clip(end: Size, limit: Size, facts: Sequence[Relation]) -> Size:
    """Clamps the end of a slice to the limit if it is provably past it; raises if that is undecidable."""
    inside = proves_at_most(end, limit, facts)
    if inside is None:
        message = f"whether the slice ends at {end} or at {limit} depends on the sizes"
        raise RlxError("RLX202", message, fix=f"graph.assume({end} <= {limit}), or give the symbol a min or max")
    return end if inside else limit
