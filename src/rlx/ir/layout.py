"""Layout: how a tensor is stored in its buffer. Movement that only changes the layout copies nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlx.core.cache import CachedAttribute
from rlx.core.dim import Size


def dense_strides(dims: Sequence[Size]) -> tuple[Size, ...]:
    """Row-major strides, in elements."""
    strides: list[Size] = []
    step: Size = 1
    for size in reversed(dims):
        strides.append(step)
        step = step * size
    return tuple(reversed(strides))


@dataclass(frozen=True)
class Layout:
    """Dims, strides and offset, in elements. A broadcast axis has stride 0."""

    dims: tuple[Size, ...]
    strides: tuple[Size, ...]
    offset: Size = 0

    @staticmethod
    def dense(dims: Sequence[Size]) -> Layout:
        """Row-major from the start of the buffer."""
        return Layout(tuple(dims), dense_strides(dims))

    @CachedAttribute
    def is_dense(self) -> bool:
        """Row-major without gaps (axes of size 1 may have any stride); the offset does not matter."""
        wanted = dense_strides(self.dims)
        return all(
            mine == want or (isinstance(size, int) and size == 1)
            for mine, want, size in zip(self.strides, wanted, self.dims, strict=True)
        )
