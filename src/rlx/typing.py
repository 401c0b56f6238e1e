"""Types to annotate with, as `jax.typing`.

>>> import rlx
>>> from rlx.typing import ArrayLike
>>> def double(x: ArrayLike) -> rlx.Array:
...     return rlx.numpy.asarray(x) * 2
>>> double(2.0)
Array(4., dtype=float32)
"""

from typing import TypeAlias

import numpy as np

from rlx.core.dtype import DTypeLike
from rlx.ir.array_methods import Array

__all__ = ["Array", "ArrayLike", "DTypeLike"]

ArrayLike: TypeAlias = Array | np.ndarray | np.bool_ | np.number | bool | int | float | complex
"""What functions take for an array. Containers of numbers are not among it: `rlx.numpy.asarray` makes arrays of them."""
