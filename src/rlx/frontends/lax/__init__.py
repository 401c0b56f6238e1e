"""`jax.lax`'s functions; `rlx.lax` is what users import."""

import typing as _typing

from rlx.frontends.lax import collectives, operators, slicing, windows
from rlx.frontends.lax.collectives import *  # noqa: F403
from rlx.frontends.lax.operators import *  # noqa: F403
from rlx.frontends.lax.slicing import *  # noqa: F403
from rlx.frontends.lax.windows import *  # noqa: F403
from rlx.functions.control_flow import associative_scan as associative_scan
from rlx.functions.control_flow import cond as cond
from rlx.functions.control_flow import fori_loop as fori_loop
from rlx.functions.control_flow import map_rows
from rlx.functions.control_flow import scan as scan
from rlx.functions.control_flow import switch as switch
from rlx.functions.control_flow import while_loop as while_loop
from rlx.transforms.traced_derivatives import stop_gradient as stop_gradient

map = map_rows
if not _typing.TYPE_CHECKING:
    _CONTROL = {"associative_scan", "cond", "fori_loop", "map", "scan", "stop_gradient", "switch", "while_loop"}
    _MODULES = (collectives, operators, slicing, windows)
    __all__ = sorted(_CONTROL.union(*(module.__all__ for module in _MODULES)))
