"""`jax.ops.segment_sum` and its siblings: the rows of an array reduced by the segment each belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.errors import RlxError
from rlx.frontends import numpy as rnp
from rlx.frontends.dispatch import ArrayLike
from rlx.ir.array_methods import Array
from rlx.ir.questions import known_int
from rlx.ir.value import Value


def segment_sum(
    data: ArrayLike,
    segment_ids: ArrayLike,
    num_segments: int | None = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    bucket_size: int | None = None,
    mode: str | None = None,
) -> Array:
    """The sum of the rows of each segment: row i is added to segment `segment_ids[i]`; ids outside of `0 … num_segments - 1` are dropped.

    Without `num_segments` it is the largest id plus one, which must be known: not in a traced function. The promises
    `indices_are_sorted` and `unique_indices` are not needed, and `bucket_size` changes nothing.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.ops.segment_sum(rnp.asarray([1.0, 2.0, 4.0]), rnp.asarray([0, 1, 0]), num_segments=3)
    Array([5., 2., 0.], dtype=float32)
    """
    return _segments("add", 0, data, segment_ids, num_segments, mode)


def segment_prod(
    data: ArrayLike,
    segment_ids: ArrayLike,
    num_segments: int | None = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    bucket_size: int | None = None,
    mode: str | None = None,
) -> Array:
    """The product of the rows of each segment, 1 where there is none; otherwise as `segment_sum`.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.ops.segment_prod(rnp.asarray([1.0, 2.0, 4.0]), rnp.asarray([0, 1, 0]), num_segments=3)
    Array([4., 2., 1.], dtype=float32)
    """
    return _segments("multiply", 1, data, segment_ids, num_segments, mode)


def segment_max(
    data: ArrayLike,
    segment_ids: ArrayLike,
    num_segments: int | None = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    bucket_size: int | None = None,
    mode: str | None = None,
) -> Array:
    """The largest of the rows of each segment, the dtype's least number where there is none; otherwise as `segment_sum`.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.ops.segment_max(rnp.asarray([1.0, 2.0, 4.0]), rnp.asarray([0, 1, 0]), num_segments=3)
    Array([  4.,   2., -inf], dtype=float32)
    """
    return _segments("max", -np.inf, data, segment_ids, num_segments, mode)


def segment_min(
    data: ArrayLike,
    segment_ids: ArrayLike,
    num_segments: int | None = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    bucket_size: int | None = None,
    mode: str | None = None,
) -> Array:
    """The smallest of the rows of each segment, the dtype's largest number where there is none; otherwise as `segment_sum`.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.ops.segment_min(rnp.asarray([1.0, 2.0, 4.0]), rnp.asarray([0, 1, 0]), num_segments=3)
    Array([ 1.,  2., inf], dtype=float32)
    """
    return _segments("min", np.inf, data, segment_ids, num_segments, mode)


def _segments(how: str, start: float, data: Any, ids: Any, count: int | None, mode: str | None) -> Array:
    data, ids = (x if isinstance(x, Value) else rnp.asarray(x) for x in (data, ids))
    if count is None:
        largest = known_int(ids.max()) if isinstance(ids, Value) else int(ids.max()) if ids.size else -1
        if largest is None:
            message = f"segment_{'sum' if how == 'add' else how} without num_segments in a traced function"
            raise RlxError("RLX108", message, fix="num_segments=…, an int")
        count = largest + 1
    if isinstance(start, float):
        start = _edge(start, data.dtype)
    made = rnp.full((count, *data.shape[len(ids.shape) :]), start, dtype=data.dtype)
    if count == 0 or 0 in ids.shape:
        return made
    index = rnp.where(ids < 0, count, ids)  # negative ids are dropped, they do not count from the end
    return getattr(made.at[index], how)(data, mode=mode or "drop")


def _edge(sign: float, dtype: Any) -> float:
    """The least or largest number of a dtype, for empty segments."""
    if rnp.issubdtype(dtype, rnp.floating):
        return sign
    if rnp.issubdtype(dtype, rnp.bool_):
        return sign > 0
    info = rnp.iinfo(dtype)
    return info.max if sign > 0 else info.min
