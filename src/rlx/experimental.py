"""Names of `jax.experimental` that RLX has.

>>> from rlx.experimental import io_callback
"""

from rlx.trace.callbacks import io_callback

__all__ = ["io_callback"]
