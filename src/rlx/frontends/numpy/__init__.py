"""NumPy's functions on arrays and Values; `rlx.numpy` is what users import. `docs/numpy.md` lists them."""

from rlx.frontends.numpy import (
    at,
    composed,
    constants,
    contraction,
    creation,
    dtypes,
    elementwise,
    grids,
    indexing,
    joining,
    movement,
    nan_reductions,
    ordering,
    protocols,
    reductions,
)
from rlx.frontends.numpy.at import *  # noqa: F403
from rlx.frontends.numpy.composed import *  # noqa: F403
from rlx.frontends.numpy.constants import *  # noqa: F403
from rlx.frontends.numpy.contraction import *  # noqa: F403
from rlx.frontends.numpy.creation import *  # noqa: F403
from rlx.frontends.numpy.dtypes import *  # noqa: F403
from rlx.frontends.numpy.elementwise import *  # noqa: F403
from rlx.frontends.numpy.grids import *  # noqa: F403
from rlx.frontends.numpy.indexing import *  # noqa: F403
from rlx.frontends.numpy.joining import *  # noqa: F403
from rlx.frontends.numpy.movement import *  # noqa: F403
from rlx.frontends.numpy.nan_reductions import *  # noqa: F403
from rlx.frontends.numpy.ordering import *  # noqa: F403
from rlx.frontends.numpy.protocols import *  # noqa: F403
from rlx.frontends.numpy.reductions import *  # noqa: F403

_MODULES = (
    at,
    composed,
    constants,
    contraction,
    creation,
    dtypes,
    elementwise,
    grids,
    indexing,
    joining,
    movement,
    nan_reductions,
    ordering,
    protocols,
    reductions,
)
_OWN = {"apply_function", "apply_ufunc", "getitem", "method", "At"}  # for arrays and Values, not for users
__all__ = sorted({name for module in _MODULES for name in module.__all__} - _OWN)
