"""The lowering of each op to JAX, by family."""

from __future__ import annotations

from rlx.backends.xla.lowerings import attention, contraction, control, conv, elementwise, linalg, movement, quantized, random
from rlx.backends.xla.lowerings.contraction import TAKE_AS_STORED
from rlx.backends.xla.site import Lowering

__all__ = ["LOWERINGS", "TAKE_AS_STORED"]

_FAMILIES = (elementwise, movement, contraction, attention, conv, linalg, random, quantized, control)

LOWERINGS: dict[str, Lowering] = {name: lower for family in _FAMILIES for name, lower in family.LOWERINGS.items()}
"""By the name of the op. An op that is not here is lowered by its decomposition, or called on the host."""
