"""Value: the user's handle on a Ref, with operators that emit nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np

from rlx.core.dim import Dim, Size
from rlx.core.dtype import DType, DTypeLike, c64, c128, f32, f64, i32, i64
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.array_methods import Array, element_count, further_arguments, numpy_functions, reduction_arguments, refuse_comparison
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS, OpDef
from rlx.ir.questions import ask, known_array
from rlx.ir.whole import WholeNumbers

if TYPE_CHECKING:
    from types import EllipsisType

    Index = int | slice | None | EllipsisType | "Value"


ON_TRUTH = (
    "`rlx.numpy.where(c, a, b)` for a choice between values, `rlx.lax.cond(c, f, g, *operands)` for one between functions, "
    "`rlx.lax.while_loop` for a loop; or make what is tested a static argument: jit(f, static_argnums=…)"
)
ON_NUMBERS = (
    "its numbers exist when the compiled function runs: return it and convert the result, print it with `rlx.debug.print`, "
    "or pass a static argument: jit(f, static_argnums=…)"
)


class Value(Array):
    """A handle on a value of a graph. Operators emit nodes; `==` is elementwise, so Values cannot be dict keys.

    >>> from rlx import Graph
    >>> x = Graph("g").input("x", (2, 3))
    >>> (x * 2 + 1).mean(axes=-1)
    <Value %5 : f32[2]>
    """

    __slots__ = ("graph", "ref")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, graph: Graph, ref: Ref) -> None:
        self.graph, self.ref = graph, ref

    @property
    def type(self) -> Shape:
        """Dims and dtype in one value."""
        return self.graph.shape(self.ref)

    @property
    def shape(self) -> tuple[Size, ...]:  # type: ignore[override]  # users write it for ints
        """The dims, ints or Dims."""
        return self.type.dims

    @property
    def dtype(self) -> DType:  # type: ignore[override]  # which equals NumPy's
        """The element type."""
        return self.type.dtype

    @property
    def rank(self) -> int:
        """The number of dims."""
        return self.type.rank

    ndim = rank

    @property
    def size(self) -> Size:  # type: ignore[override]
        """The number of elements, an int or a Dim; `x.size(0)` is torch's `x.shape[0]`."""
        return element_count(self.shape)

    @property
    def name(self) -> str | None:
        """The node's name."""
        return self.graph.node(self.ref).name

    def __repr__(self) -> str:
        return f"<Value {self.ref} : {self.type}>"

    # -- arithmetic ---------------------------------------------------------------------------------------------
    def _binary(self, op: str, other: Any, swapped: bool = False) -> Value:
        if not isinstance(other, (Value, int, float, complex, np.ndarray, np.generic)) and not hasattr(other, "__rlx_value__"):
            return NotImplemented
        return one(op, other, self) if swapped else one(op, self, other)

    def __add__(self, other: Any) -> Value:
        return self._binary("add", other)

    def __radd__(self, other: Any) -> Value:
        return self._binary("add", other, True)

    def __sub__(self, other: Any) -> Value:
        return self._binary("sub", other)

    def __rsub__(self, other: Any) -> Value:
        return self._binary("sub", other, True)

    def __mul__(self, other: Any) -> Value:
        return self._binary("mul", other)

    def __rmul__(self, other: Any) -> Value:
        return self._binary("mul", other, True)

    def __truediv__(self, other: Any) -> Value:
        return self._binary("div", other)

    def __rtruediv__(self, other: Any) -> Value:
        return self._binary("div", other, True)

    def __floordiv__(self, other: Any) -> Value:
        if self.dtype.is_bool and isinstance(other, Value):
            return numpy_functions().floor_divide(self, other)
        return self._binary("floor_div", other)

    def __rfloordiv__(self, other: Any) -> Value:
        return self._binary("floor_div", other, True)

    def __mod__(self, other: Any) -> Value:
        if self.dtype.is_bool and isinstance(other, Value):
            return numpy_functions().remainder(self, other)
        return self._binary("mod", other)

    def __rmod__(self, other: Any) -> Value:
        return self._binary("mod", other, True)

    def __pow__(self, other: Any) -> Value:
        return self._binary("pow", other)

    def __rpow__(self, other: Any) -> Value:
        return self._binary("pow", other, True)

    def __matmul__(self, other: Any) -> Value:
        if self.dtype.is_bool and isinstance(other, Value):
            return numpy_functions().matmul(self, other)
        return self._binary("matmul", other)

    def __rmatmul__(self, other: Any) -> Value:
        return self._binary("matmul", other, True)

    def __and__(self, other: Any) -> Value:
        return self._binary("and", other)

    def __rand__(self, other: Any) -> Value:
        return self._binary("and", other, True)

    def __or__(self, other: Any) -> Value:
        return self._binary("or", other)

    def __ror__(self, other: Any) -> Value:
        return self._binary("or", other, True)

    def __xor__(self, other: Any) -> Value:
        return self._binary("xor", other)

    def __rxor__(self, other: Any) -> Value:
        return self._binary("xor", other, True)

    def __lshift__(self, other: Any) -> Value:
        return self._binary("shl", other)

    def __rlshift__(self, other: Any) -> Value:
        return self._binary("shl", other, True)

    def __rshift__(self, other: Any) -> Value:
        return self._binary("shr", other)

    def __rrshift__(self, other: Any) -> Value:
        return self._binary("shr", other, True)

    def _compare(self, op: str, other: Any) -> Value:
        result = self._binary(op, other)
        return refuse_comparison(other) if result is NotImplemented else result

    def __eq__(self, other: object) -> Value:  # type: ignore[override]
        return self._compare("eq", other)

    def __ne__(self, other: object) -> Value:  # type: ignore[override]
        return self._compare("ne", other)

    def __lt__(self, other: Any) -> Value:
        return self._binary("lt", other)

    def __le__(self, other: Any) -> Value:
        return self._binary("le", other)

    def __gt__(self, other: Any) -> Value:
        return self._binary("gt", other)

    def __ge__(self, other: Any) -> Value:
        return self._binary("ge", other)

    def __neg__(self) -> Value:
        return one("neg", self)

    def __pos__(self) -> Value:
        return self

    def __invert__(self) -> Value:
        return one("not", self)

    def __abs__(self) -> Value:
        return one("abs", self)

    def abs(self) -> Value:
        """Elementwise absolute value."""
        return one("abs", self)

    # -- shape and reductions -----------------------------------------------------------------------------------
    @property
    def T(self) -> Value:
        """All axes reversed."""
        return one("transpose", self, perm=tuple(reversed(range(self.rank))))

    def reshape(self, *shape: Any) -> Self:
        """Another shape with the same elements; one size may be -1."""
        dims = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        return one("reshape", self, shape=tuple(dims))  # type: ignore[return-value]

    def transpose(self, *perm: Any) -> Value:
        """Axes permuted; all reversed by default."""
        if not perm:
            return self.T
        axes = perm[0] if len(perm) == 1 and isinstance(perm[0], (tuple, list)) else perm
        return one("transpose", self, perm=tuple(axes))

    def astype(self, dtype: DTypeLike) -> Value:
        """Cast."""
        return one("cast", self, to=dtype)

    def _reduce(self, kind: str, axis: Any, dtype: Any, keepdims: bool, old: dict[str, Any]) -> Self:
        further = further_arguments(old)
        axis, dtype, keepdims = reduction_arguments(axis, dtype, keepdims, old)
        if further or (self.dtype.is_complex and kind in ("reduce_max", "reduce_min")):
            function = getattr(numpy_functions(), kind.removeprefix("reduce_"))
            named = further if dtype is None else {**further, "dtype": dtype}
            return function(self, axis=axis, keepdims=keepdims, **named)
        operand = self if dtype is None else as_dtype(self, DType.of(dtype))
        axes = tuple(range(self.rank)) if axis is None else axis
        return one(kind, operand, axes=axes, keep_dim=keepdims)  # type: ignore[return-value]

    def sum(self, axis: Any = None, dtype: Any = None, keepdims: bool = False, **old: Any) -> Self:
        """Sum over axes (all by default)."""
        return self._reduce("reduce_sum", axis, dtype, keepdims, old)

    def prod(self, axis: Any = None, dtype: Any = None, keepdims: bool = False, **old: Any) -> Self:
        """Product over axes."""
        return self._reduce("reduce_prod", axis, dtype, keepdims, old)

    def mean(self, axis: Any = None, dtype: Any = None, keepdims: bool = False, **old: Any) -> Self:
        """Mean over axes."""
        return self._reduce("reduce_mean", axis, dtype, keepdims, old)

    def max(self, axis: Any = None, keepdims: bool = False, **old: Any) -> Self:
        """Maximum over axes."""
        return self._reduce("reduce_max", axis, None, keepdims, old)

    def min(self, axis: Any = None, keepdims: bool = False, **old: Any) -> Self:
        """Minimum over axes."""
        return self._reduce("reduce_min", axis, None, keepdims, old)

    def any(self, axis: Any = None, keepdims: bool = False, **old: Any) -> Self:
        """Logical or over axes."""
        return self._reduce("reduce_any", axis, None, keepdims, old)

    def all(self, axis: Any = None, keepdims: bool = False, **old: Any) -> Self:
        """Logical and over axes."""
        return self._reduce("reduce_all", axis, None, keepdims, old)

    def __getitem__(self, index: Any) -> Value:
        from rlx.ir.array_methods import index_value, is_simple

        return index_value(self, index) if is_simple(index) else numpy_functions().getitem(self, index)

    # -- NumPy's functions, inside a traced function --------------------------------------------------------------
    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **settings: Any) -> Any:
        return numpy_functions().apply_ufunc(ufunc, method, inputs, settings)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return numpy_functions().apply_function(function, args, kwargs)

    # -- not available before a run -----------------------------------------------------------------------------
    def _unknown(self, what: str, fix: str) -> RlxError:
        """Returns the error for a use of a Value that needs numbers."""
        if self.graph.frozen:
            return self.graph.leaked(f"{self!r} {what}")
        return RlxError("RLX108", f"{self!r} {what} before a run", fix=fix)

    def __bool__(self) -> bool:
        answer = ask(self, truth=True)
        if answer is None:
            raise self._unknown("has no truth value", ON_TRUTH)
        if answer.size != 1:
            raise ValueError(f"the truth of {answer.size} elements is not one: use .any() or .all()")
        return bool(answer.any())

    def __len__(self) -> int:
        if self.rank == 0 or isinstance(self.shape[0], Dim):
            raise RlxError("RLX108", f"{self!r} has no static length", fix="use .shape[0], which is a Dim")
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Value]:
        if self.rank == 0:
            raise RlxError("RLX108", f"iteration over the scalar {self!r}")
        if isinstance(self.shape[0], Dim):
            raise RlxError(
                "RLX108",
                f"iteration over the symbolic axis {self.shape[0]} of {self!r}",
                fix="use rlx.lax.scan, or index with a static position",
            )
        return (self[i] for i in range(int(self.shape[0])))

    def _known_numbers(self) -> np.ndarray[Any, Any]:
        """Returns the array of a Value that no derivative is taken by: NumPy would lose the derivative of others silently."""
        array = known_array(self)
        if array is None:
            raise self._unknown("is not an array", ON_NUMBERS)
        return array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self._known_numbers(), dtype=dtype)

    def _number(self) -> Any:
        """Returns the number of a scalar Value, outside of `jit`."""
        answer = None if self.rank else ask(self)
        if answer is None:
            raise self._unknown("is not a number", ON_NUMBERS)
        return answer.item()

    def __float__(self) -> float:
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __complex__(self) -> complex:
        return complex(self._number())

    def __index__(self) -> int:
        number = self._number()
        if not self.dtype.is_integer:
            raise TypeError(f"an index is an integer, not {self.dtype}")
        return int(number)

    def __round__(self, digits: int = 0) -> Value:
        return numpy_functions().round(self, digits)

    def item(self, *index: Any) -> bool | int | float | complex:
        """The number of a scalar, where it is known: not inside `jit`."""
        if index:
            return self[index].item()
        return (self.reshape(()) if self.rank and self.size == 1 else self)._number()

    def tolist(self) -> list[Any] | bool | int | float | complex:
        """Nested lists of Python numbers, where they are known: not inside `jit`, and not of what is differentiated."""
        return self._known_numbers().tolist()

    def __setitem__(self, index: Any, value: Any) -> NoReturn:
        fix = f"x = x.at[{_index_text(index)}].set(…), which gives a new value; also add, multiply, min, max"
        raise RlxError("RLX108", f"{self!r} cannot be changed in place: values are immutable", fix=fix)

    def __delitem__(self, index: Any) -> NoReturn:
        raise RlxError("RLX108", f"{self!r} cannot be changed in place: values are immutable", fix="slice and concat")


def _index_text(index: Any) -> str:
    """Renders an index as it appears between brackets."""
    if isinstance(index, tuple):
        return ", ".join(map(_index_text, index))
    if isinstance(index, slice):
        ends = [f"{index.start if index.start is not None else ''}", f"{index.stop if index.stop is not None else ''}"]
        return ":".join([*ends, *([] if index.step is None else [str(index.step)])])
    return "..." if index is Ellipsis else "i" if isinstance(index, (Value, np.ndarray)) else f"{index!r:.20}"


class WeakValue(Value):
    """A Python number passed to a traced function, in full width, or one computed only from such: it takes a tensor's dtype as literals do.

    `places` are the integers of `rlx.ir.whole` behind it: they must fit the dtype it is used as.
    """

    __slots__ = ("places",)

    def __init__(self, graph: Graph, ref: Ref, places: tuple[int, ...] = ()) -> None:
        super().__init__(graph, ref)
        self.places = places

    def __repr__(self) -> str:
        return f"<Value {self.ref} : weak {self.type}>"


def one(op: str, *operands: Any, **attrs: Any) -> Value:
    """Emit an op of a single result by name."""
    return OPS[op](*operands, **attrs)


def as_dtype(x: Value, dtype: DType) -> Value:
    """Casts a Value, if its dtype differs."""
    return x if x.dtype is dtype else x.astype(dtype)


# -- python numbers as values: kept in full width until combined with a tensor, whose dtype they take, as literals do


WIDE = (i64, f64, c128)  # from the narrowest kind to the widest
PLAIN = {i64: i32, f64: f32, c128: c64}


def literal_like(value: WeakValue) -> int | float | complex:
    """The zero literal of the same kind as a traced number: int, float or complex."""
    return {i64: 0, f64: 0.0, c128: 0j}[value.dtype]


def wide_dtype(operands: Sequence[Any]) -> DType:
    """The full-width dtype in which Python numbers are combined."""
    return max((number.dtype if isinstance(number, WeakValue) else _wide(number) for number in operands), key=WIDE.index)


def _wide(literal: Any) -> DType:
    return c128 if isinstance(literal, complex) else f64 if isinstance(literal, float) else i64


def taken_as(value: WeakValue, dtype: DType) -> Value:
    """Converts a traced number to a tensor's dtype, in the number's own graph; each call checks that an integer fits it."""
    if value.dtype is i64 and dtype.is_integer and dtype is not i64:
        whole = _whole_numbers(value.graph)
        if whole is not None:
            whole.use(value.places, dtype)
    plain = Value(value.graph, value.ref)
    if plain.dtype is dtype:
        return plain
    return OPS["cast"](plain, to=dtype)


def places_of_result(record: OpDef, operands: Sequence[Any], node: Node, graph: Graph) -> tuple[int, ...]:
    """The integers behind the result of an op of Python numbers only, for the check at each call; empty for other results."""
    whole = _whole_numbers(graph)
    if whole is None or node.results[0].dtype is not i64:
        return ()
    values = [operand for i, operand in enumerate(operands) if operand is not None and record.operand(i).role == "value"]
    return whole.combine(record.name, [each.places if isinstance(each, WeakValue) else each for each in values], str(node.origin))


def plain_value(value: WeakValue) -> Value:
    """Converts a traced number without a tensor to a Value, like a literal: i32, f32 or c64."""
    return taken_as(value, PLAIN[value.dtype])


def check_role(value: WeakValue, dtype: DType, what: str) -> None:
    """Checks that a traced number used as an index is an integer."""
    if dtype.is_integer and value.dtype is not i64:
        raise RlxError("RLX110", f"{what}: a number of {value.dtype} is not an integer", fix="pass an integer")


def _whole_numbers(graph: Graph) -> WholeNumbers | None:
    """The `WholeNumbers` of the function being traced."""
    while graph.parent is not None:
        graph = graph.parent
    return getattr(graph, "whole_numbers", None)
