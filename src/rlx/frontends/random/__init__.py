"""Random numbers from keys; `rlx.random` is what users import. `docs/random.md` lists the functions."""

import typing as _typing

from rlx.frontends.random import continuous, discrete, gammas
from rlx.frontends.random import continuous as matrices
from rlx.frontends.random import discrete as counts
from rlx.frontends.random import source as keys
from rlx.frontends.random.continuous import *  # noqa: F403  # noqa: F403
from rlx.frontends.random.discrete import *  # noqa: F403  # noqa: F403
from rlx.frontends.random.gammas import *  # noqa: F403
from rlx.frontends.random.source import *  # noqa: F403

if not _typing.TYPE_CHECKING:
    _MODULES = (continuous, counts, discrete, gammas, keys, matrices)
    __all__ = sorted({name for module in _MODULES for name in module.__all__})
