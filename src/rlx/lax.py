"""`jax.lax`'s functions: control flow, computed slices, convolutions, windows, and its names for functions of elements.

>>> import rlx, rlx.numpy as rnp
>>> rlx.lax.top_k(rnp.asarray([3.0, 1.0, 2.0]), 2)
(Array([3., 2.], dtype=float32), Array([0, 2], dtype=int32))
"""

import typing as _typing

from rlx.frontends.lax import *  # noqa: F403

if not _typing.TYPE_CHECKING:
    from rlx.frontends.lax import __all__ as __all__
