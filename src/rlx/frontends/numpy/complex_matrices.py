"""The Cholesky factor of complex matrices by real ones.

Each element a + bi becomes the block [[a, -b], [b, a]]. Sums, products and adjoints of such matrices are those of the complex ones,
and triangles with a real, positive diagonal stay triangles with a positive diagonal. The factor with one is unique: it is the same on
both sides, and the complex one is read from the blocks.
"""

from __future__ import annotations

from rlx.frontends.numpy.joining import stack
from rlx.frontends.numpy.values import emit
from rlx.ir.array_methods import Array
from rlx.ir.value import Value


def _as_blocks(x: Value) -> Array:
    """`[…, m, n]` complex as `[…, 2m, 2n]` real."""
    re, im = emit("real", x), emit("imag", x)
    rows = stack([stack([re, -im], axis=-1), stack([im, re], axis=-1)], axis=-3)  # […, m, 2, n, 2]
    *batch, m, n = x.shape
    return rows.reshape((*batch, 2 * m, 2 * n))


def _from_blocks(x: Value) -> Value:
    """The complex matrix of blocks: their first columns."""
    return emit("complex", x[..., ::2, ::2], x[..., 1::2, ::2])


def cholesky_of_complex(a: Value) -> Value:
    """The lower factor of Hermitian matrices."""
    return _from_blocks(emit("cholesky", _as_blocks(a), upper=False))
