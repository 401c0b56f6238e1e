"""`rlx.debug`: look at values while a compiled program runs, as `jax.debug`."""

from __future__ import annotations

from rlx.trace.callbacks import debug_callback as callback
from rlx.trace.callbacks import debug_print as print

__all__ = ["callback", "print"]
