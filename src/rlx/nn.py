"""Functions of neural networks, with `jax.nn`'s names and arguments, and losses.

>>> import rlx, rlx.numpy as rnp
>>> rlx.nn.softmax(rnp.zeros(2))
Array([0.5, 0.5], dtype=float32)
"""

from rlx.frontends.nn import *  # noqa: F403
from rlx.frontends.nn import __all__ as __all__
