"""References: arrays that are read and written in place, as `jax.ref`.

>>> import rlx
>>> from rlx.ref import get, swap
>>> ref = rlx.new_ref(1.0)
>>> swap(ref, ..., 2.0), get(ref, ...)
(Array(1., dtype=float32), Array(2., dtype=float32))
"""

from rlx.frontends.references import addupdate, freeze, get, new_ref, set, swap
from rlx.trace.references import Ref

__all__ = ["Ref", "addupdate", "freeze", "get", "new_ref", "set", "swap"]
