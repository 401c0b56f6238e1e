"""Functions of `rlx.numpy` that order and arrange elements, with the arguments that `jax.lax` gives them."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.core.dim import Size
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike
from rlx.frontends.numpy import joining, movement, ordering, search
from rlx.ir.array_methods import Array

__all__ = ["concatenate", "reshape", "sort", "squeeze", "transpose"]


def concatenate(operands: Sequence[ArrayLike], dimension: int) -> Array:
    """Arrays one after the other along an axis."""
    return joining.concatenate(operands, axis=dimension)


def reshape(operand: ArrayLike, new_sizes: Sequence[Size], dimensions: Sequence[int] | None = None) -> Array:
    """Another shape with the same elements, read in an order of axes."""
    read = operand if dimensions is None else movement.permute_dims(operand, tuple(dimensions))
    return movement.reshape(read, tuple(new_sizes))


def squeeze(array: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Without axes of size 1."""
    return movement.squeeze(array, tuple(dimensions))


def transpose(operand: ArrayLike, permutation: Sequence[int]) -> Array:
    """Axes in another order."""
    return movement.permute_dims(operand, tuple(permutation))


def sort(
    operand: ArrayLike | Sequence[ArrayLike], dimension: int = -1, is_stable: bool = True, num_keys: int = 1
) -> Array | tuple[Array, ...]:
    """Sorted along an axis; several arrays by the first `num_keys` of them, the first counting most.

    >>> import numpy as np
    >>> sort((np.int32([2, 1, 2]), np.int32([5, 4, 3])), num_keys=2)
    (Array([1, 2, 2], dtype=int32), Array([4, 3, 5], dtype=int32))
    """
    if not isinstance(operand, (tuple, list)):
        return ordering.sort(operand, axis=dimension, stable=is_stable)
    if not 1 <= num_keys <= len(operand):
        raise RlxError("RLX109", f"sort of {len(operand)} arrays by {num_keys} keys", fix="1 to as many as there are")
    order = search.lexsort(tuple(operand[:num_keys])[::-1], axis=dimension)
    return tuple(ordering.take_along_axis(each, order, axis=dimension) for each in operand)
