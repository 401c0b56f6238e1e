"""Random numbers from keys; `rlx.random` is what users import. `docs/random.md` lists the functions."""

import typing as _typing

from rlx.frontends.random import continuous, discrete, source
from rlx.frontends.random.continuous import *  # noqa: F403
from rlx.frontends.random.discrete import *  # noqa: F403
from rlx.frontends.random.source import *  # noqa: F403

if not _typing.TYPE_CHECKING:
    __all__ = sorted({name for module in (continuous, discrete, source) for name in module.__all__})
