"""Functions and modules of neural networks; `rlx.nn` is what users import."""

from rlx.frontends.nn import activations, attention, losses, modules
from rlx.frontends.nn import initializers as initializers
from rlx.frontends.nn.activations import *  # noqa: F403
from rlx.frontends.nn.attention import *  # noqa: F403
from rlx.frontends.nn.losses import *  # noqa: F403
from rlx.frontends.nn.modules import *  # noqa: F403

__all__ = sorted(
    {"initializers"} | {name for module in (activations, attention, losses, modules) for name in module.__all__}
)
