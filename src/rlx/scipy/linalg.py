"""Functions of `jax.scipy.linalg`."""

from rlx.frontends.scipy.linalg import *  # noqa: F403
from rlx.frontends.scipy.linalg import __all__ as __all__
