"""Attributes: the kinds of an op's parameters, and the canonical immutable value of each."""

from __future__ import annotations

import hashlib
import operator
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.aligned import as_array
from rlx.core.dim import Dim, Size, bind
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.shape import Shape, as_size
from rlx.ir.host_function import HostFunction


class _Required:
    def __repr__(self) -> str:
        return "required"


REQUIRED = _Required()


class ArrayValue:
    """A read-only array that compares and hashes by content: the value of a constant."""

    __slots__ = ("__weakref__", "array", "digest")

    def __init__(self, array: npt.NDArray[Any]) -> None:
        array = np.array(array, order="C", copy=True)
        array.flags.writeable = False
        header = f"{DType.of(array.dtype)}{array.shape}".encode()
        self.digest = hashlib.sha256(header + array.tobytes()).hexdigest()[:32]
        # equal constants share one array, alive as long as one of them
        self.array = _ALIVE.setdefault(self.digest, array)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArrayValue) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"#{self.digest}"

    @staticmethod
    def alive(digest: str) -> ArrayValue | None:
        """Returns the constant with this content that some graph of the process still holds; None if there is none."""
        array = _ALIVE.get(digest)
        return None if array is None else ArrayValue(array)


_ALIVE: weakref.WeakValueDictionary[str, npt.NDArray[Any]] = weakref.WeakValueDictionary()


def _integer(value: Any, what: str) -> int:
    if isinstance(value, (bool, Dim)) or not hasattr(value, "__index__"):
        raise RlxError("RLX105", f"{what} is {value!r}", fix="an int")
    try:
        return operator.index(value)
    except TypeError:  # an array of several numbers
        raise RlxError("RLX105", f"{what} is {value!r:.60}", fix="an int") from None


def _float(value: Any, what: str) -> float:
    if isinstance(value, (bool, complex)) or not hasattr(value, "__float__"):
        raise RlxError("RLX105", f"{what} is {value!r}", fix="a number")
    try:
        return float(value)
    except (TypeError, OverflowError):  # an array of several numbers, an int beyond floats
        raise RlxError("RLX105", f"{what} is {value!r:.60}", fix="a number") from None


def _boolean(value: Any, what: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise RlxError("RLX105", f"{what} is {value!r}", fix="True or False")
    return bool(value)


def _string(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise RlxError("RLX105", f"{what} is {value!r}", fix="a string")
    return str(value)


def _signed_size(value: Any, what: str) -> Size:
    """Checks a signed size or index: an int of either sign, or a Dim."""
    return value if isinstance(value, Dim) else _integer(value, what) if not isinstance(value, str) else as_size(value)


def _many(one: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    def convert(value: Any, what: str) -> tuple[Any, ...]:
        items = value if isinstance(value, (tuple, list, np.ndarray, range)) else (value,)
        return tuple(one(item, what) for item in items)

    return convert


def _shape(value: Any, what: str) -> Shape:
    if not isinstance(value, Shape):
        raise RlxError("RLX105", f"{what} is {value!r}", fix="a Shape, e.g. Shape((2, 128), 'f32')")
    return value


def _function(value: Any, what: str) -> HostFunction:
    if not callable(value) and not isinstance(value, HostFunction):
        raise RlxError("RLX105", f"{what} is {value!r}", fix="a function")
    return value if isinstance(value, HostFunction) else HostFunction(value)


def _array(value: Any, what: str) -> ArrayValue:
    return value if isinstance(value, ArrayValue) else ArrayValue(as_array(value, what, "RLX105"))


def _graph(value: Any, what: str) -> Any:
    from rlx.ir.graph import Graph

    if not isinstance(value, Graph):
        raise RlxError("RLX105", f"{what} is {value!r}", fix="a Graph, or a function the builder traces")
    return value.freeze()


_NORMALIZE: dict[str, tuple[Callable[[Any, str], Any], str]] = {
    # kind: (to the canonical value, annotation in builders)
    "int": (_integer, "int"),
    "axis": (_integer, "int"),
    "float": (_float, "float"),
    "bool": (_boolean, "bool"),
    "str": (_string, "str"),
    "size": (_signed_size, "Size"),
    "ints": (_many(_integer), "Sequence[int] | int"),
    "axes": (_many(_integer), "Sequence[int] | int"),
    "floats": (_many(_float), "Sequence[float] | float"),
    "strs": (_many(_string), "Sequence[str] | str"),
    "sizes": (_many(_signed_size), "Sequence[Size] | Size"),
    "dtype": (lambda value, what: DType.of(value), "DTypeLike"),
    "shape": (_shape, "Shape"),
    "shapes": (_many(_shape), "Sequence[Shape]"),
    "function": (_function, "Callable[..., Any]"),
    "array": (_array, "ArrayLike"),
    "graph": (_graph, "Body"),
}


@dataclass(frozen=True)
class Attr:
    """One attribute: its kind, default, and for kind `tag` the function that reads its name.

    Kinds `axis` and `axes` accept negative values; emitting normalizes them against the rank of operand `of`.
    """

    kind: str
    default: Any = REQUIRED
    help: str = ""
    optional: bool = False
    parse: Callable[[Any], Any] | None = None  # kind "tag"
    annotation: str = ""
    of: int = 0  # axis kinds: the operand whose rank is used; -1: the result's rank is operand 0's plus one

    def normalize(self, value: Any, what: str) -> Any:
        """The canonical value, or an error that names the attribute."""
        if value is None and (self.optional or self.default is None):
            return None
        if self.kind == "tag":
            assert self.parse is not None
            return self.parse(value)
        return _NORMALIZE[self.kind][0](value, what)

    @property
    def type_text(self) -> str:
        """The annotation in generated builders."""
        text = self.annotation or ("str" if self.kind == "tag" else _NORMALIZE[self.kind][1])
        return f"{text} | None" if self.optional or self.default is None else text


def bind_attribute(value: Any, sizes: Mapping[str, Size]) -> Any:
    """Replace symbols by sizes inside an attribute value."""
    if isinstance(value, Dim):
        return bind(value, sizes)
    if isinstance(value, Shape):
        return value.bind(sizes)
    if isinstance(value, tuple):
        return tuple(bind_attribute(item, sizes) for item in value)
    if hasattr(value, "nodes") and value.symbols:
        return value.bind(sizes)
    return value
