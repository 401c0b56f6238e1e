"""Functions of `rlx.numpy` that order and arrange elements, with the arguments that `jax.lax` gives them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from rlx.core.dim import Size
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, as_array
from rlx.frontends.numpy import joining, movement, ordering, repetition, search
from rlx.ir.array_methods import Array
from rlx.ir.value import Value

__all__ = ["broadcast_shapes", "concatenate", "reshape", "sort", "split", "squeeze", "stack", "tile", "transpose", "unstack"]

broadcast_shapes = movement.broadcast_shapes


def concatenate(operands: Sequence[ArrayLike], dimension: int) -> Array:
    """Arrays one after the other along an axis."""
    return joining.concatenate(operands, axis=dimension)


def split(operand: ArrayLike, sizes: Sequence[int], axis: int = 0) -> list[Array]:
    """Parts of these sizes along an axis; together they are the whole axis.

    >>> import numpy as np
    >>> split(np.int32([1, 2, 3]), (1, 2))
    [Array([1], dtype=int32), Array([2, 3], dtype=int32)]
    """
    value = operand if isinstance(operand, Value) else as_array(operand)
    length = value.shape[axis]
    if isinstance(length, int) and sum(sizes) != length:
        raise RlxError("RLX102", f"split of an axis of {length} into {tuple(sizes)}", fix="sizes whose sum is the axis")
    return joining.split(value, list(itertools.accumulate(sizes[:-1])), axis=axis)


def stack(operands: Sequence[ArrayLike], axis: int = 0) -> Array:
    """Arrays of one shape along a new axis."""
    return joining.stack(operands, axis=axis)


def unstack(operand: ArrayLike, axis: int = 0) -> tuple[Array, ...]:
    """The parts of an axis, without it."""
    return joining.unstack(operand, axis=axis)


def tile(operand: ArrayLike, reps: Sequence[int]) -> Array:
    """The array repeated so many times along each axis."""
    return repetition.tile(operand, tuple(reps))


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


def sort(operand: ArrayLike | Sequence[ArrayLike], dimension: int = -1, is_stable: bool = True, num_keys: int = 1) -> Array | Any:
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
