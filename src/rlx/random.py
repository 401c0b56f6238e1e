"""Random numbers from keys, with `jax.random`'s names and arguments.

The same key gives the same numbers on every device, with any number of threads, in and out of `jit`, `vmap` and `scan`.

>>> import rlx
>>> key = rlx.random.key(0)
>>> rlx.random.normal(key, (2,))
Array([ 0.73792565, -0.68843365], dtype=float32)
"""

import typing as _typing

from rlx.frontends.random import *  # noqa: F403

if not _typing.TYPE_CHECKING:
    from rlx.frontends.random import __all__ as __all__
