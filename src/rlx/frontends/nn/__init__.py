"""Functions of neural networks; `rlx.nn` is what users import."""

from rlx.frontends.nn import activations, attention, losses
from rlx.frontends.nn.activations import *  # noqa: F403
from rlx.frontends.nn.attention import *  # noqa: F403
from rlx.frontends.nn.losses import *  # noqa: F403

__all__ = sorted({name for module in (activations, attention, losses) for name in module.__all__})
