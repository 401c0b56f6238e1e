"""NumPy's functions, on arrays (they run at once) and inside `rlx.jit`, `grad` and `vmap` (they trace). `docs/numpy.md` lists them.

>>> import rlx.numpy as rnp
>>> rnp.linspace(0, 1, 3) + rnp.ones(3)
Array([1. , 1.5, 2. ], dtype=float32)
"""

import typing as _typing

from rlx.frontends.numpy import *  # noqa: F403
from rlx.frontends.numpy.dtypes import API_VERSIONS as API_VERSIONS
from rlx.frontends.numpy.dtypes import __array_api_version__ as __array_api_version__
from rlx.frontends.numpy.dtypes import __array_namespace_info__ as __array_namespace_info__

if not _typing.TYPE_CHECKING:
    from rlx.frontends.numpy import __all__ as __all__
