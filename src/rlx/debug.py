"""`rlx.debug`: look at values while a compiled program runs, as `jax.debug`."""

from __future__ import annotations

import builtins

from rlx.trace.callbacks import debug_callback as callback
from rlx.trace.callbacks import debug_print as print

__all__ = ["breakpoint", "callback", "print"]


def breakpoint() -> None:
    """Stop in Python's debugger when the program gets here, once for each run. `debug.callback(f, x)` stops with values: in `f`.

    rlx.lax.cond(rlx.numpy.isfinite(x).all(), lambda: None, rlx.debug.breakpoint)
    """
    callback(lambda: builtins.breakpoint())
