"""What records of decompositions share: which matrices they take, their references, and pieces of their derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rlx.core.errors import RlxError
from rlx.ir.tolerance import Tolerance
from rlx.ir.value import one
from rlx.ops.contraction.matmul import identity
from rlx.ops.fft.fft import double, transformed_dtype
from rlx.ops.inference import require
from rlx.ops.record import OPS, Array, Call, Op, Shape, Size, Value
from rlx.transforms.rules.formulas import conj, swapped

HOST = "NumPy's LAPACK"
"""Where they run: a host call, in double precision, rounded once."""


def check_matrix(call: Call, *, square: bool = False) -> Shape:
    """The first operand as matrices `[…, m, n]` of the dtype that is computed in."""
    require(call, lambda dtype: dtype.category != "f8" and not dtype.is_bool, "numbers")
    a = call.given[0]
    if a.rank < 2:
        raise call.error("RLX102", f"a has rank {a.rank}", fix="a matrix [m, n], or several […, m, n]")
    if square:
        call.check_same(a.dims[-2], a.dims[-1], "rows and columns", fix="a is square")
    return a.with_dtype(transformed_dtype(a.dtype))


def in_double(name: str, function: Callable[[Array], Any]) -> Callable[[Array], tuple[Array, ...]]:
    """A decomposition of NumPy on matrices in double precision; one of a matrix that is not finite is NaN, as JAX's are."""

    def found(a: Array) -> tuple[Array, ...]:
        finite = np.isfinite(a).all((-2, -1), keepdims=True)
        try:
            made = function(np.where(finite, double(a), 0.0))
        except np.linalg.LinAlgError as error:
            fix = "scale the matrix, or remove rows and columns that are almost equal"
            raise RlxError("RLX511", f"{name} of {list(a.shape)}: {error}", fix=fix, at=None) from None
        results = made if isinstance(made, tuple) else (made,)
        if finite.all():
            return results
        return tuple(np.where(finite.reshape(a.shape[:-2] + (1,) * (x.ndim - a.ndim + 2)), x, np.nan) for x in results)

    return found


def rounding(factor: float) -> Tolerance:
    """Computed in double precision and rounded once; `factor` for what is composed of it."""
    return Tolerance(ulps=4.0, factor=factor, scale="max", length=_side, rounded=True)


def _side(op: Op, operands: Any) -> int:
    return int(max(operands[0].shape[-2:]))


def decomposition_cost(call: Call, results: tuple[Shape, ...]) -> Size:
    """About ten passes over a matrix for each of its columns."""
    a = call.given[0]
    return a.num_elements * a.dims[-1] * 10


# -- pieces of derivatives --------------------------------------------------------------------------------------
def adjoint(x: Value) -> Value:
    """The conjugate transpose of each matrix."""
    return conj(swapped(x))  # type: ignore[no-any-return]


def eye(like: Value, size: Size) -> Value:
    """The identity matrix, in the graph and dtype of a value."""
    return identity(like.graph, like, size)


def real_part(x: Value) -> Value:
    """The real parts of complex numbers; real ones as they are."""
    found: Value = OPS["real"](x) if x.dtype.is_complex else x
    return found


def diagonal(x: Value) -> Value:
    """The diagonal of each square matrix."""
    chosen = one("where", eye(x, x.shape[-1]) == 1, x, 0.0)
    return chosen.sum(axes=(x.rank - 1,))


def as_row(x: Value) -> Value:
    """`[…, n]` as `[…, 1, n]`."""
    return x.reshape(*x.shape[:-1], 1, x.shape[-1])


def as_column(x: Value) -> Value:
    """`[…, n]` as `[…, n, 1]`."""
    return x.reshape(*x.shape, 1)
