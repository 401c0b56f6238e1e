"""Functions and modules of neural networks; `rlx.nn` is what users import."""

import typing as _typing

from rlx.frontends.nn import activations, attention, losses, modules
from rlx.frontends.nn import initializers as initializers
from rlx.frontends.nn.activations import *  # noqa: F403
from rlx.frontends.nn.attention import *  # noqa: F403
from rlx.frontends.nn.losses import *  # noqa: F403
from rlx.frontends.nn.modules import *  # noqa: F403

if not _typing.TYPE_CHECKING:
    _MODULES = (activations, attention, losses, modules)
    __all__ = sorted({"initializers"}.union(*(module.__all__ for module in _MODULES)))
