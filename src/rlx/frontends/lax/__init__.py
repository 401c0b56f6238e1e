"""`jax.lax`'s functions; `rlx.lax` is what users import."""

from rlx.frontends.lax import operators, slicing, windows
from rlx.frontends.lax.operators import *  # noqa: F403
from rlx.frontends.lax.slicing import *  # noqa: F403
from rlx.frontends.lax.windows import *  # noqa: F403
from rlx.trace.control import cond as cond
from rlx.trace.control import scan as scan
from rlx.trace.control import while_loop as while_loop
from rlx.transforms.functions import stop_gradient as stop_gradient

_CONTROL = {"cond", "scan", "stop_gradient", "while_loop"}
__all__ = sorted(_CONTROL | {name for module in (operators, slicing, windows) for name in module.__all__})
