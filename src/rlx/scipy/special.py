"""Functions of `jax.scipy.special`."""

from rlx.frontends.scipy.special import *  # noqa: F403
from rlx.frontends.scipy.special import __all__ as __all__
