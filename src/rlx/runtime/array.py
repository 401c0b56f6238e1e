"""Arrays with memory: what functions return that are called on arrays. Immutable; on the CPU a view of NumPy memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, Self, TypeVar

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.ir.array_methods import Array, element_count, numpy_functions, refuse_comparison
from rlx.ir.emit import constant
from rlx.ir.graph import Graph
from rlx.ir.value import Value
from rlx.trace.tree import map_leaves

if TYPE_CHECKING:
    from rlx.runtime.one_device import ArrayDevice, SingleDeviceSharding

T = TypeVar("T")


def block_until_ready(tree: T) -> T:
    """Returns its argument, for programs that time JAX's asynchronous calls: RLX's calls return after their results are computed.

    >>> block_until_ready({"loss": 1.5})
    {'loss': 1.5}
    """
    return tree


class ConcreteArray(Array):
    """An immutable array. Operators, methods and `x[...]` are the functions of `rlx.numpy`; `x.at[...]` gives changed copies.

    `np.asarray(x)` is a read-only view of its memory, without a copy.

    >>> import rlx.numpy as rnp
    >>> x = rnp.asarray([1.0, 2.0])
    >>> x * 2 + 1, x.at[0].set(5), x.dtype
    (Array([3., 5.], dtype=float32), Array([5., 2.], dtype=float32), dtype('float32'))
    """

    __slots__ = ("__weakref__", "_array")
    __array_priority__ = 100  # ndarray + x reaches __radd__
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._array = array

    # -- what it is ---------------------------------------------------------------------------------------------
    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each axis."""
        return self._array.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type, as a NumPy dtype."""
        return self._array.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._array.ndim

    @property
    def size(self) -> int:
        """The number of elements; `x.size(0)` is torch's `x.shape[0]`."""
        return element_count(self._array.shape)  # type: ignore[no-any-return]

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self._array.nbytes

    @property
    def itemsize(self) -> int:
        """The bytes of one element."""
        return self._array.itemsize

    @property
    def device(self) -> str:
        """The device that holds the array."""
        return "cpu"

    def devices(self) -> set[ArrayDevice]:
        """The set of devices that hold the array."""
        return self.sharding.device_set

    @property
    def sharding(self) -> SingleDeviceSharding:
        """The sharding of the array: all of it on one device."""
        from rlx.runtime.one_device import ArrayDevice, SingleDeviceSharding

        return SingleDeviceSharding(ArrayDevice("cpu"))

    def to_device(self, device: str, /, *, stream: Any = None) -> Self:
        """Returns the array on a device; the only one supported is its own."""
        if device != self.device or stream is not None:
            raise RlxError("RLX401", f"an array to device {device!r}", fix="arrays live on 'cpu'")
        return self

    @property
    def addressable_data(self) -> npt.NDArray[Any]:
        """The array's memory as a read-only NumPy array."""
        return self.__array__()

    # -- out ----------------------------------------------------------------------------------------------------
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy or (dtype is not None and np.dtype(dtype) != self._array.dtype):
            if copy is False:
                raise ValueError(f"{self.dtype} as {dtype} needs a copy")
            return np.array(self._array, dtype=dtype)
        view = self._array.view()
        view.flags.writeable = False
        return view

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        return self._array.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()

    @property
    def __array_interface__(self) -> dict[str, Any]:
        if self._array.dtype.isbuiltin != 1:  # bf16 and f8 have no typestr: readers fall back to `__array__`
            raise AttributeError("__array_interface__")
        interface = dict(self._array.__array_interface__)
        interface["data"] = (interface["data"][0], True)
        return interface

    def item(self, *index: Any) -> Any:
        """One element as a Python number: the only one of the array, or the one at an index."""
        return self._array.item(*index)

    def tolist(self) -> Any:
        """Nested lists of Python numbers."""
        return self._array.tolist()

    def copy(self) -> Self:
        """A copy with its own memory."""
        return type(self)(self._array.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._array,)

    def __rlx_value__(self, graph: Graph) -> Value:
        return constant(graph, self._array)

    def __repr__(self) -> str:
        text = np.array2string(self._array, separator=", ", prefix="Array(")
        return f"Array({text}, dtype={self._array.dtype.name})"

    def __str__(self) -> str:
        return str(self._array)

    def __format__(self, how: str) -> str:
        return format(self._array.item() if self.ndim == 0 else self._array, how)

    def _number(self, kind: str) -> Any:
        if self._array.ndim:
            raise TypeError(f"only an array of one element without axes becomes {kind}; this one has shape {self.shape}")
        return self._array.item()

    def __bool__(self) -> bool:
        if self._array.size != 1:
            raise ValueError(f"the truth of {self._array.size} elements is not one: use .any() or .all()")
        return bool(self._array.reshape(()).item())

    def __float__(self) -> float:
        return float(self._number("a float"))

    def __int__(self) -> int:
        return int(self._number("an int"))

    def __complex__(self) -> complex:
        return complex(self._number("a complex"))

    def __index__(self) -> int:
        if self._array.dtype.kind not in "iu":
            raise TypeError(f"an index is an integer, not {self.dtype}")
        return int(self._number("an index"))

    def __round__(self, digits: int = 0) -> Any:
        return numpy_functions().round(self, digits)

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[Array]:
        if self._array.ndim == 0:
            raise TypeError("iteration over an array without axes")
        return (
            (ConcreteArray(row) for row in self._array)
            if self._array.ndim > 1
            else (ConcreteArray(np.asarray(e)) for e in self._array)
        )

    def __contains__(self, element: Any) -> bool:
        return bool((self._array == np.asarray(element)).any())

    def __getitem__(self, index: Any) -> Any:
        return numpy_functions().getitem(self, index)

    def __setitem__(self, index: Any, value: Any) -> NoReturn:
        shown = "..." if isinstance(index, (ConcreteArray, np.ndarray, tuple)) else repr(index)
        raise RlxError("RLX108", "an array is immutable: x[...] = y", fix=f"x = x.at[{shown}].set(y)")

    # -- operators; those with functions of their names are below -------------------------------------------------
    def __eq__(self, other: Any) -> Any:
        return numpy_functions().equal(self, other) if _is_operand(other) else refuse_comparison(other)

    def __ne__(self, other: Any) -> Any:
        return numpy_functions().not_equal(self, other) if _is_operand(other) else refuse_comparison(other)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self


_BINARY = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide", "mod": "remainder",
    "pow": "pow", "matmul": "matmul", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift",
}  # fmt: skip
"""Functions of `rlx.numpy` by operator; reflected ones such as `__radd__` swap the operands."""
_COMPARISONS = {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}
_UNARY = {"neg": "negative", "pos": "positive", "invert": "bitwise_invert", "abs": "abs"}


def _binary(function: str, swapped: bool = False) -> Callable[[ConcreteArray, Any], Any]:
    def operate(self: ConcreteArray, other: Any) -> Any:
        if not _is_operand(other):
            return NotImplemented
        compute = getattr(numpy_functions(), function)
        return compute(other, self) if swapped else compute(self, other)

    return operate


def _unary(function: str) -> Callable[[ConcreteArray], Any]:
    return lambda self: getattr(numpy_functions(), function)(self)


for _name, _function in {**_BINARY, **_COMPARISONS}.items():
    setattr(ConcreteArray, f"__{_name}__", _binary(_function))
for _name, _function in _BINARY.items():
    setattr(ConcreteArray, f"__r{_name}__", _binary(_function, swapped=True))
for _name, _function in _UNARY.items():
    setattr(ConcreteArray, f"__{_name}__", _unary(_function))


def _is_operand(other: Any) -> bool:
    return type(other) is ConcreteArray or isinstance(other, (int, float, complex, np.ndarray, np.generic, Array))


def as_arrays(tree: Any) -> Any:
    """Wraps the NumPy arrays in nested containers as Arrays."""
    if type(tree) is np.ndarray:
        return ConcreteArray(tree)
    if type(tree) is ConcreteArray:
        return tree
    return map_leaves(lambda leaf: ConcreteArray(leaf) if type(leaf) is np.ndarray else leaf, tree)
