"""Shape: dims and dtype in one value."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rlx.core.cache import CachedAttribute
from rlx.core.dim import LARGEST_SIZE, Dim, Size, Symbol, bind, product, symbols
from rlx.core.dtype import DType, DTypeLike
from rlx.core.errors import RlxError


def as_size(size: object) -> Size:
    """A size from an int, a Dim, or the name of a symbol."""
    if isinstance(size, Dim):
        return size
    if isinstance(size, str):
        return Dim(size)
    if isinstance(size, bool) or not hasattr(size, "__index__"):
        raise RlxError("RLX105", f"{size!r} is not a size", fix="a size is an int, a Dim, or the name of a symbol")
    try:
        number = operator.index(size)
    except TypeError:  # an array of several numbers
        raise RlxError("RLX105", f"{size!r:.60} is not a size", fix="a size is an int, a Dim, or the name of a symbol") from None
    if number < 0:
        raise RlxError("RLX105", f"size {number} is negative", fix="sizes are at least 0")
    return int(number)


@dataclass(frozen=True, init=False)
class Shape:
    """Dims and dtype of a tensor; rank 0 and size 0 are allowed.

    >>> print(Shape((2, Dim("seq"), 128), "f32"))
    f32[2, seq, 128]
    """

    dims: tuple[Size, ...]
    dtype: DType

    def __init__(self, dims: Iterable[object], dtype: DTypeLike = "f32") -> None:
        if isinstance(dims, (str, bytes)) or not isinstance(dims, Iterable):
            raise RlxError("RLX105", f"{dims!r:.60} are not sizes", fix="a tuple of sizes: (2, 'seq', 128)")
        object.__setattr__(self, "dims", tuple(as_size(size) for size in dims))
        object.__setattr__(self, "dtype", DType.of(dtype))

    @staticmethod
    def make(dims: Iterable[Size], dtype: DType) -> Shape:
        """Builds a Shape from sizes that are already checked, without conversion."""
        shape = object.__new__(Shape)
        object.__setattr__(shape, "dims", tuple(dims))
        object.__setattr__(shape, "dtype", dtype)
        return shape

    @staticmethod
    def scalar(dtype: DTypeLike = "f32") -> Shape:
        """Rank 0."""
        return Shape((), dtype)

    @staticmethod
    def batch_seq(batch: object, seq: object, hidden: object, dtype: DTypeLike = "f32") -> Shape:
        """`[batch, seq, hidden]`."""
        return Shape((batch, seq, hidden), dtype)

    @property
    def rank(self) -> int:
        """Number of dims."""
        return len(self.dims)

    @property
    def num_elements(self) -> Size:
        """The product of the dims."""
        return product(self.dims)

    @property
    def size_bytes(self) -> Size:
        """Bytes of the dense tensor."""
        return self.num_elements * self.dtype.size

    def check_bytes(self, what: str) -> None:
        """Raise RLX208 if a static shape has more bytes than i64 can count; a symbolic one is checked when its symbols are bound."""
        if self.is_static:
            count = self.size_bytes
            if isinstance(count, int) and count > LARGEST_SIZE:
                raise RlxError("RLX208", f"{what} is {self}: {self.num_elements} elements, {count} bytes")

    @property
    def is_static(self) -> bool:
        """Whether it has no symbols."""
        return not [size for size in self.dims if isinstance(size, Dim)]  # faster than any() for a few

    def with_dtype(self, dtype: DTypeLike) -> Shape:
        """The same dims with another dtype."""
        return Shape.make(self.dims, DType.of(dtype))

    def with_dims(self, dims: Iterable[Size]) -> Shape:
        """The same dtype with other dims."""
        return Shape.make(dims, self.dtype)

    def bind(self, sizes: Mapping[str, Size]) -> Shape:
        """Replace symbols by sizes."""
        return Shape.make((bind(size, sizes) for size in self.dims), self.dtype)

    def symbols(self) -> frozenset[Symbol]:
        """Every symbol in the dims."""
        return frozenset() if self.is_static else self._symbols

    @CachedAttribute
    def _symbols(self) -> frozenset[Symbol]:
        return frozenset().union(*(symbols(size) for size in self.dims if isinstance(size, Dim)))

    def __str__(self) -> str:
        return f"{self.dtype}[{', '.join(str(size) for size in self.dims)}]"

    __repr__ = __str__


def is_one(size: Size) -> bool:
    """Whether a size is known to be 1; a symbol never is."""
    return isinstance(size, int) and size == 1


def is_zero(size: Size) -> bool:
    """Whether a size is known to be 0; a symbol never is."""
    return isinstance(size, int) and size == 0


# -- an array's shape and dtype without its elements


@dataclass(frozen=True)
class ShapeDtypeStruct:
    """Shape and dtype of an array that need not exist: what `eval_shape` returns, and what `jit(f).lower` accepts for an array.

    >>> ShapeDtypeStruct((2, 3), "f32")
    ShapeDtypeStruct(shape=(2, 3), dtype=float32)
    """

    shape: tuple[Size, ...]
    dtype: np.dtype[np.generic]

    def __init__(self, shape: object, dtype: DTypeLike) -> None:
        checked = Shape(shape, dtype)  # type: ignore[arg-type]  # which says what is wrong with it
        object.__setattr__(self, "shape", checked.dims)
        object.__setattr__(self, "dtype", checked.dtype.numpy)

    @classmethod
    def like(cls, x: Any) -> Self:
        """Shape and dtype of an array, of a Value, or of anything with both.

        >>> import numpy as np
        >>> ShapeDtypeStruct.like(np.ones((2, 3), np.float32))
        ShapeDtypeStruct(shape=(2, 3), dtype=float32)
        """
        return cls(x.shape, x.dtype)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> Size:
        """The number of elements."""
        return Shape.make(self.shape, DType.of(self.dtype)).num_elements

    def __repr__(self) -> str:
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype})"
