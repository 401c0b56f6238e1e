"""What the records of linear algebra share: shape rules, triangles of Values, and matrices for cases."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dim import proves_at_most
from rlx.core.dtype import promote
from rlx.core.errors import RlxError
from rlx.ir.emit import emit
from rlx.ir.tolerance import Tolerance
from rlx.ops.fft.fft import transformed_dtype
from rlx.ops.inference import require
from rlx.ops.record import OPS, Array, Call, DType, Sample, Shape, Size, Value, as_dtype, sample

# Well-conditioned matrices: the bound counts the rounding of n elimination steps, not the condition of a.
ELIMINATION = Tolerance(ulps=64.0, factor=64.0, scale="max", length=lambda op, operands: operands[0].shape[-1])  # type: ignore[union-attr]


def factored_dtype(*dtypes: DType) -> DType:
    """What a factorization computes in: f32 for ints and 16-bit floats, f32 and f64 as they are."""
    return transformed_dtype(promote(*dtypes))


def _is_factorable(dtype: DType) -> bool:
    return dtype.is_integer or dtype.is_float


def check_matrices(call: Call, *, square: bool = False) -> Shape:
    """Operand 0 as `[…, m, n]` of real numbers, in the dtype of the results."""
    require(call, _is_factorable, "real numbers; only solve and matmul take complex ones")
    a = call.given[0]
    if a.rank < 2:
        raise call.error("RLX102", f"a has rank {a.rank}", fix="a matrix [m, n], or several […, m, n]")
    if square:
        call.check_same(a.dims[-2], a.dims[-1], "rows and columns of a", fix="a is square")
    return a.with_dtype(factored_dtype(*(shape.dtype for shape in call.given)))


def computed_in_float(name: str) -> Any:
    """The decomposition of an op of this name: operands cast to the dtype it computes in."""

    def decompose(*operands: Value, **attrs: Any) -> Any:
        dtype = factored_dtype(*(operand.dtype for operand in operands))
        return OPS[name](*(as_dtype(operand, dtype) for operand in operands), **attrs)

    return decompose


def order(call: Call, left: Size, right: Size) -> bool:
    """Whether `left <= right`, for derivatives whose formula depends on it."""
    if proves_at_most(left, right, call.assumptions):
        return True
    if proves_at_most(right, left, call.assumptions):
        return False
    message = f"{call.describe()}: its derivative depends on whether {left} <= {right}, which the symbols leave open"
    raise RlxError("RLX202", message, fix=f"graph.assume({left} <= {right}), or the other way round")


# -- triangles --------------------------------------------------------------------------------------------------
def _distance(x: Value) -> Value:
    """Column minus row of each element of a matrix."""
    rows, columns = (emit(OPS["iota"], (), {"shape": (x.shape[-2], x.shape[-1]), "axis": axis}, graph=x.graph) for axis in (0, 1))
    found: Value = columns - rows
    return found


def lower_part(x: Value, diagonal: int = 0) -> Value:
    """x with zeros above a diagonal, as np.tril."""
    found: Value = OPS["where"](_distance(x) <= diagonal, x, 0.0)
    return found


def upper_part(x: Value, diagonal: int = 0) -> Value:
    """x with zeros below a diagonal, as np.triu."""
    found: Value = OPS["where"](_distance(x) >= diagonal, x, 0.0)
    return found


def half_diagonal(x: Value) -> Value:
    """The lower triangle of x with half its diagonal."""
    found: Value = lower_part(OPS["where"](_distance(x) == 0, x * 0.5, x))
    return found


# -- matrices for cases -----------------------------------------------------------------------------------------
def dominant(*dims: int) -> Array:
    """Matrices whose diagonal outweighs their rows."""
    random, (rows, columns) = np.random.default_rng(5), dims[-2:]
    return np.asarray(random.uniform(-1, 1, dims) + 2 * max(rows, columns) * np.eye(rows, columns))


def positive_definite(*dims: int) -> Array:
    """Symmetric matrices whose diagonal outweighs their rows."""
    found = dominant(*dims)
    return np.asarray(found + np.swapaxes(found, -1, -2))


def given_matrix(content: Array, dtype: str = "f32") -> Sample:
    """A sample with this content."""
    return sample(*content.shape, dtype=dtype, fixed=content)
