"""`ravel_pytree`: a tree of arrays as one vector, and back."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import accumulate
from typing import Any

import numpy as np

from rlx.core.errors import RlxError
from rlx.frontends import numpy as rnp
from rlx.frontends.dispatch import as_array
from rlx.ir.value import Value
from rlx.trace.tree.functions import tree_flatten, tree_unflatten


def ravel_pytree(pytree: Any) -> tuple[Any, Callable[[Any], Any]]:
    """The arrays of a tree as one vector of the dtype they promote to, and a function that makes the tree of such a vector.

    >>> import rlx.numpy as rnp
    >>> from rlx.flatten_util import ravel_pytree
    >>> flat, unravel = ravel_pytree({"a": rnp.ones(2), "b": 3.0})
    >>> flat, unravel(flat * 2)
    (Array([1., 1., 3.], dtype=float32), {'a': Array([2., 2.], dtype=float32), 'b': Array(6., dtype=float32)})
    """
    leaves, form = tree_flatten(pytree)
    arrays = [leaf if isinstance(leaf, Value) else as_array(leaf) for leaf in leaves]
    shapes, dtypes = [array.shape for array in arrays], [array.dtype for array in arrays]
    sizes = [math.prod(shape) for shape in shapes]
    starts = [0, *accumulate(sizes)]
    vector = rnp.concatenate([rnp.ravel(array) for array in arrays]) if arrays else rnp.zeros(0)

    def unravel(flat: Any) -> Any:
        if tuple(np.shape(flat) if not isinstance(flat, Value) else flat.shape) != (starts[-1],):
            raise RlxError("RLX102", f"a vector of shape {flat.shape}", fix=f"one of {starts[-1]} elements")
        parts = [
            rnp.reshape(flat[start : start + size], shape).astype(dtype)
            for start, size, shape, dtype in zip(starts, sizes, shapes, dtypes, strict=False)
        ]
        return tree_unflatten(form, parts)

    return vector, unravel
