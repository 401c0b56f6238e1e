"""Functions of `jax.scipy.signal`: convolution and correlation."""

from rlx.frontends.scipy.signal import *  # noqa: F403
from rlx.frontends.scipy.signal import __all__ as __all__
