"""Factorizations of complex matrices, as host calls to NumPy's LAPACK; `qr` and `lu` take real ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from rlx.core.dim import minimum
from rlx.core.errors import RlxError
from rlx.ir.tolerance import Tolerance
from rlx.ir.value import one
from rlx.ops.contraction.matmul import identity, matmul
from rlx.ops.elementwise.complex import complex_, part_type
from rlx.ops.fft import double, transformed_dtype
from rlx.ops.inference import require
from rlx.ops.linalg.factorizations import QR_MODE
from rlx.ops.linalg.solve import batched_dense_solve, dense_solve, lower_part, order, upper_part
from rlx.ops.record import OPS, Array, Call, Case, DType, Op, OpKind, Shape, Size, Value, as_dtype, case, define, sample
from rlx.transforms.rules.batching import leading
from rlx.transforms.rules.derivative import Derivative, Maybe, Values
from rlx.transforms.rules.formulas import by_transposed_jvp, conj, swap_last_axes

# -- what records of decompositions share: which matrices they take, their references, and pieces of their derivatives


HOST = "NumPy's LAPACK"
"""Where they run: a host call, in double precision, rounded once."""


def check_matrix(call: Call, *, square: bool = False) -> Shape:
    """Returns the first operand as matrices `[…, m, n]` of the dtype that a decomposition computes in."""
    require(call, lambda dtype: dtype.category != "f8" and not dtype.is_bool, "numbers")
    a = call.given[0]
    if a.rank < 2:
        raise call.error("RLX102", f"a has rank {a.rank}", fix="a matrix [m, n], or several […, m, n]")
    if square:
        call.check_same(a.dims[-2], a.dims[-1], "rows and columns", fix="a is square")
    return a.with_dtype(transformed_dtype(a.dtype))


def in_double(name: str, function: Callable[[Array], Any]) -> Callable[[Array], tuple[Array, ...]]:
    """Runs a NumPy decomposition in double precision; matrices that are not finite give NaN, as in JAX."""

    def factorize(a: Array) -> tuple[Array, ...]:
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

    return factorize


def rounding(factor: float) -> Tolerance:
    """Tolerance of a result computed in double precision and rounded once; `factor` for compositions of it."""
    return Tolerance(ulps=4.0, factor=factor, scale="max", length=_side, rounded=True)


def _side(op: Op, operands: Any) -> int:
    return int(max(operands[0].shape[-2:]))


def decomposition_cost(call: Call, results: tuple[Shape, ...]) -> Size:
    """Operations of a decomposition: about ten passes over a matrix for each of its columns."""
    a = call.given[0]
    return a.num_elements * a.dims[-1] * 10


define_decomposition = partial(
    define, kind=OpKind.Compute, keeps_f32="a decomposition", cost=decomposition_cost, can_fail=True, host=HOST, batch=leading
)


# -- pieces of derivatives --------------------------------------------------------------------------------------
def adjoint(x: Value) -> Value:
    """The conjugate transpose of each matrix."""
    return conj(swap_last_axes(x))


def eye(like: Value, size: Size) -> Value:
    """The identity matrix in the graph and dtype of a Value."""
    return identity(like.graph, like, size)


def real_part(x: Value) -> Value:
    """The real parts of complex numbers; real numbers stay as they are."""
    return OPS["real"](x) if x.dtype.is_complex else x


def diagonal(x: Value) -> Value:
    """The diagonal of each square matrix."""
    chosen = one("where", eye(x, x.shape[-1]) == 1, x, 0.0)
    return chosen.sum(axes=(x.rank - 1,))


def as_row(x: Value) -> Value:
    """Reshapes vectors `[…, n]` to `[…, 1, n]`."""
    return x.reshape(*x.shape[:-1], 1, x.shape[-1])


def as_column(x: Value) -> Value:
    """Reshapes vectors `[…, n]` to `[…, n, 1]`."""
    return x.reshape(*x.shape, 1)


def _check_complex(call: Call, *, square: bool = False) -> Shape:
    require(call, lambda dtype: dtype.is_complex, "complex numbers")
    return check_matrix(call, square=square)


def solve(a: Value, b: Value) -> Value:
    """Solves a @ x = b, for one matrix or several."""
    return dense_solve(a, b) if a.rank == 2 else batched_dense_solve(a, b)


def _same(dtype: DType) -> DType:
    return dtype


# -- qr ---------------------------------------------------------------------------------------------------------
def _qr_shapes(call: Call) -> tuple[Shape, Shape]:
    a = _check_complex(call)
    *batch, rows, columns = a.dims
    inner = rows if call.mode == "complete" else minimum(rows, columns)
    return a.with_dims((*batch, rows, inner)), a.with_dims((*batch, inner, columns))


def _qr(a: Array, mode: str) -> tuple[Array, ...]:
    def factorize(x: Array) -> Any:
        rows, columns = x.shape[-2:]
        if x.size:
            return tuple(np.linalg.qr(x, mode))  # type: ignore[call-overload]
        inner = rows if mode == "complete" else min(rows, columns)  # NumPy's has no q without columns
        q = np.broadcast_to(np.eye(rows, inner, dtype=x.dtype), (*x.shape[:-2], rows, inner)).copy()
        return q, np.zeros((*x.shape[:-2], inner, columns), x.dtype)

    q, r = in_double("complex_qr", factorize)(a)
    return q, np.triu(r)


def _qr_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """The jvp of complex QR: q·(o - s) + ta·r⁻¹ and (s - o)·r, with s = qᴴ·ta·r⁻¹ and o its lower triangle less its adjoint.

    o includes the imaginary parts of the diagonal of s, so that the diagonal of r stays real.
    """
    rows, columns = call.given[0].dims[-2:]
    square = call.same(rows, columns)
    if not square and (call.mode == "complete" or not order(call, columns, rows)):
        fix = "a square matrix, or one with more rows than columns and mode='reduced'"
        raise call.error("RLX601", "the derivative of complex_qr with columns that q or r leave open", fix=fix)
    q, r = results
    scaled = adjoint(solve(adjoint(r), adjoint(as_dtype(tangents[0], q.dtype))))
    slope = matmul(adjoint(q), scaled)
    below = lower_part(slope, -1)
    own = diagonal(slope)
    turn = OPS["where"](eye(slope, slope.shape[-1]) == 1, as_column(own - as_dtype(real_part(own), own.dtype)), 0.0)
    turned = below - adjoint(below) + turn
    return [matmul(q, turned - slope) + scaled, upper_part(matmul(slope - turned, r))]


def _matrix(*dims: int, dtype: str = "c64") -> Any:
    random = np.random.default_rng(5)
    content = random.normal(size=dims) + 1j * random.normal(size=dims) + 3.0 * np.eye(dims[-2], dims[-1])
    return sample(*dims, dtype=dtype, fixed=content)


def _qr_cases() -> list[Case]:
    return [
        case(_matrix(4, 4), note="plain"),
        case(_matrix(3, 3, dtype="c128"), note="in double precision"),
        case(_matrix(2, 5, 3), note="odd: several tall ones"),
        case(_matrix(2, 2), note="complete", mode="complete"),
        case(sample(2, 0, 0, dtype="c64"), note="size 0"),
    ]


complex_qr = define_decomposition(
    "complex_qr",
    "a",
    infer=_qr_shapes,
    reference=_qr,
    results=("q", "r"),
    attrs={"mode": QR_MODE},
    compute_dtype=_same,
    doc="""q with orthonormal columns and upper triangular r with q @ r = a, for each complex matrix, as np.linalg.qr.

    Runs on the host, in NumPy's LAPACK.""",
    tolerance=rounding(4.0),
    jvp=_qr_jvp,
    vjp=by_transposed_jvp,
    cases=_qr_cases,
)


# -- determinants -----------------------------------------------------------------------------------------------
def _slogdet_shapes(call: Call) -> tuple[Shape, Shape]:
    a = _check_complex(call, square=True)
    return Shape.make(a.dims[:-2], a.dtype), Shape.make(a.dims[:-2], part_type(a.dtype))


def _slogdet(a: Array) -> tuple[Array, ...]:
    sign, size = in_double("complex_slogdet", lambda x: tuple(np.linalg.slogdet(x)))(a)
    return sign, np.asarray(size).real


def _slogdet_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """The jvp of slogdet: the real part of trace(a⁻¹·ta) is the tangent of log |det|, the imaginary part that of the angle."""
    sign, _ = results
    own = diagonal(solve(operands[0], as_dtype(tangents[0], sign.dtype)))
    change = own.sum(axes=(own.rank - 1,))
    angle = OPS["imag"](change)
    return [sign * complex_(angle * 0.0, angle), real_part(change)]


def _slogdet_cases() -> list[Case]:
    return [
        case(_matrix(4, 4), note="plain"),
        case(_matrix(3, 3, dtype="c128"), note="in double precision"),
        case(_matrix(2, 3, 5, 5), note="odd: several in two axes"),
        case(sample(2, 0, 0, dtype="c64"), note="size 0"),
    ]


complex_slogdet = define_decomposition(
    "complex_slogdet",
    "a",
    infer=_slogdet_shapes,
    reference=_slogdet,
    results=("sign", "logabsdet"),
    compute_dtype=_same,
    doc="""The determinant of each complex matrix as sign · exp(logabsdet), |sign| = 1; of a singular one 0 and -inf, as np.linalg.slogdet.

    Runs on the host, in NumPy's LAPACK.""",
    tolerance=rounding(4.0),
    jvp=_slogdet_jvp,
    vjp=by_transposed_jvp,
    cases=_slogdet_cases,
)
