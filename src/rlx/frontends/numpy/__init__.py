"""NumPy's functions on arrays and Values; `rlx.numpy` is what users import. `docs/numpy.md` lists them."""

from types import ModuleType as _ModuleType

from rlx.frontends.numpy import fft, linalg
from rlx.frontends.numpy.application import *  # noqa: F403
from rlx.frontends.numpy.at import *  # noqa: F403
from rlx.frontends.numpy.bits import *  # noqa: F403
from rlx.frontends.numpy.composed import *  # noqa: F403
from rlx.frontends.numpy.constants import *  # noqa: F403
from rlx.frontends.numpy.contraction import *  # noqa: F403
from rlx.frontends.numpy.correlation import *  # noqa: F403
from rlx.frontends.numpy.creation import *  # noqa: F403
from rlx.frontends.numpy.differences import *  # noqa: F403
from rlx.frontends.numpy.dtypes import *  # noqa: F403
from rlx.frontends.numpy.elementwise import *  # noqa: F403
from rlx.frontends.numpy.files import *  # noqa: F403
from rlx.frontends.numpy.grids import *  # noqa: F403
from rlx.frontends.numpy.histograms import *  # noqa: F403
from rlx.frontends.numpy.index_tables import *  # noqa: F403
from rlx.frontends.numpy.indexing import *  # noqa: F403
from rlx.frontends.numpy.insertion import *  # noqa: F403
from rlx.frontends.numpy.joining import *  # noqa: F403
from rlx.frontends.numpy.movement import *  # noqa: F403
from rlx.frontends.numpy.nan_reductions import *  # noqa: F403
from rlx.frontends.numpy.ordering import *  # noqa: F403
from rlx.frontends.numpy.padding import *  # noqa: F403
from rlx.frontends.numpy.polynomials import *  # noqa: F403
from rlx.frontends.numpy.protocols import *  # noqa: F403
from rlx.frontends.numpy.quantiles import *  # noqa: F403
from rlx.frontends.numpy.questions import *  # noqa: F403
from rlx.frontends.numpy.reductions import *  # noqa: F403
from rlx.frontends.numpy.repetition import *  # noqa: F403
from rlx.frontends.numpy.search import *  # noqa: F403
from rlx.frontends.numpy.selection import *  # noqa: F403
from rlx.frontends.numpy.sets import *  # noqa: F403
from rlx.frontends.numpy.special import *  # noqa: F403

_NAMESPACES = {"fft": fft, "linalg": linalg}
_OWN = {"apply_function", "apply_ufunc", "getitem", "method", "At"}  # for arrays and Values, not for users
_FOUND = {name for name, each in globals().items() if not (name.startswith("_") or isinstance(each, _ModuleType))}
__all__ = sorted(_FOUND - _OWN | _NAMESPACES.keys())
