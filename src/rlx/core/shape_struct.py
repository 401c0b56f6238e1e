"""ShapeDtypeStruct: an array's shape and dtype without its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rlx.core.dim import Size
from rlx.core.dtype import DType, DTypeLike
from rlx.core.shape import Shape


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
