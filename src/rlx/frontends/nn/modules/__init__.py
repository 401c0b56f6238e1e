"""Modules: dataclasses that are trees, with parameters named by path."""

import typing as _typing

from rlx.frontends.nn.modules import layers, module, transformer
from rlx.frontends.nn.modules.layers import *  # noqa: F403
from rlx.frontends.nn.modules.module import *  # noqa: F403
from rlx.frontends.nn.modules.transformer import *  # noqa: F403

if not _typing.TYPE_CHECKING:
    __all__ = sorted({name for each in (layers, module, transformer) for name in each.__all__})
