"""Transforms of graphs: derivatives and batching.

Gradients by complex values follow torch here: dL/dRe + i·dL/dIm, the conjugate of what `rlx.grad` gives for functions.
"""

from __future__ import annotations

from rlx.transforms.graphs import grad, grad_with_loss, hvp, jvp, vjp
from rlx.transforms.jacobian import jacfwd, jacrev
from rlx.transforms.vmap import vmap

__all__ = ["grad", "grad_with_loss", "hvp", "jacfwd", "jacrev", "jvp", "vjp", "vmap"]
