"""Neural networks: functions with `jax.nn`'s names and arguments, losses, initializers, and modules that are trees.

>>> import rlx, rlx.numpy as rnp
>>> rlx.nn.softmax(rnp.zeros(2))
Array([0.5, 0.5], dtype=float32)
>>> model = rlx.nn.Linear(3, 2, key=rlx.random.key(0))
>>> model(rnp.ones(3)).shape
(2,)
"""

import sys as _sys
import typing as _typing

from rlx.formats.safetensors import load as load
from rlx.formats.safetensors import save as save
from rlx.frontends.nn import *  # noqa: F403
from rlx.frontends.nn import initializers as initializers

_sys.modules[f"{__name__}.initializers"] = initializers  # so that `from rlx.nn.initializers import …` works, as `os.path` does

if not _typing.TYPE_CHECKING:
    from rlx.frontends.nn import __all__ as _functions

    __all__ = sorted([*_functions, "load", "save"])
