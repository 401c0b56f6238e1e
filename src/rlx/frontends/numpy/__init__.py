"""NumPy's functions on arrays and Values; `rlx.numpy` is what users import. `docs/numpy.md` lists them."""

import typing as _typing
from types import ModuleType as _ModuleType

from rlx.frontends.numpy import fft as fft
from rlx.frontends.numpy import linalg as linalg
from rlx.frontends.numpy.contraction import *  # noqa: F403
from rlx.frontends.numpy.creation import *  # noqa: F403
from rlx.frontends.numpy.dtypes import *  # noqa: F403
from rlx.frontends.numpy.elementwise import *  # noqa: F403
from rlx.frontends.numpy.files import *  # noqa: F403
from rlx.frontends.numpy.files import apply_function, apply_ufunc, method  # noqa: F401
from rlx.frontends.numpy.histograms import *  # noqa: F403
from rlx.frontends.numpy.indexing import At, getitem  # noqa: F401
from rlx.frontends.numpy.insertion import *  # noqa: F403
from rlx.frontends.numpy.movement import *  # noqa: F403
from rlx.frontends.numpy.ordering import *  # noqa: F403
from rlx.frontends.numpy.padding import *  # noqa: F403
from rlx.frontends.numpy.polynomials import *  # noqa: F403
from rlx.frontends.numpy.reductions import *  # noqa: F403
from rlx.frontends.numpy.selection import *  # noqa: F403
from rlx.frontends.numpy.sets import *  # noqa: F403

if not _typing.TYPE_CHECKING:  # type checkers cannot compute a list; they take the stars above
    _METHODS = {"At", "apply_function", "apply_ufunc", "getitem", "method"}  # for the methods of arrays
    _MODULES = {name for name, each in globals().items() if isinstance(each, _ModuleType)} - {"fft", "linalg"}
    __all__ = sorted(name for name in globals().keys() - _METHODS - _MODULES if not name.startswith("_"))
