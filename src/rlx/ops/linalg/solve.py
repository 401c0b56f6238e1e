"""Systems of linear equations, `A·x = b`, and what the records of linear algebra share: shape rules, triangles, matrices for cases."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from rlx.core.dim import proves_at_most
from rlx.core.dtype import promote
from rlx.core.errors import RlxError
from rlx.ir.emit import emit
from rlx.ir.tolerance import Tolerance
from rlx.ops.contraction.matmul import matmul
from rlx.ops.elementwise.complex import complex_, imag, real
from rlx.ops.fft import double, transformed_dtype
from rlx.ops.inference import require
from rlx.ops.movement.parts import concat, split
from rlx.ops.movement.shape import reshape
from rlx.ops.record import OPS, Array, Attr, Call, DType, OpDef, OpKind, Sample, Shape, Size, Value, as_dtype, case, define, sample
from rlx.transforms.rules.batching import Axis, Batched, Operands, again, batch_size, in_front, leading, with_batch_axis
from rlx.transforms.rules.derivative import Derivative, Maybe, Values, total
from rlx.transforms.rules.formulas import conj, match_type, swap_last_axes

# Well-conditioned matrices: the bound counts the rounding of n elimination steps, not the condition of a.
ELIMINATION = Tolerance(ulps=64.0, factor=64.0, scale="max", length=lambda op, operands: operands[0].shape[-1])  # type: ignore[union-attr]


def factored_dtype(*dtypes: DType) -> DType:
    """The dtype a factorization computes in: f32 for ints and 16-bit floats, f32 and f64 as they are."""
    return transformed_dtype(promote(*dtypes))


define_elimination = partial(define, kind=OpKind.Compute, tolerance=ELIMINATION, compute_dtype=factored_dtype, batch=leading)


def check_matrices(call: Call, *, square: bool = False) -> Shape:
    """Returns operand 0 as real matrices `[…, m, n]` in the dtype of the results."""
    require(call, lambda dtype: dtype.is_integer or dtype.is_float, "real numbers; only solve and matmul take complex ones")
    a = call.given[0]
    if a.rank < 2:
        raise call.error("RLX102", f"a has rank {a.rank}", fix="a matrix [m, n], or several […, m, n]")
    if square:
        call.check_same(a.dims[-2], a.dims[-1], "rows and columns of a", fix="a is square")
    return a.with_dtype(factored_dtype(*(shape.dtype for shape in call.given)))


def computed_in_float(name: str) -> Any:
    """Decomposes an op of this name by casting its operands to the dtype it computes in."""

    def decompose(*operands: Value, **attrs: Any) -> Any:
        dtype = factored_dtype(*(operand.dtype for operand in operands))
        return OPS[name](*(as_dtype(operand, dtype) for operand in operands), **attrs)

    return decompose


def order(call: Call, left: Size, right: Size) -> bool:
    """Whether `left <= right`, for derivatives of matrices whose formula depends on it; raises where symbols leave it open."""
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
    return columns - rows


def lower_part(x: Value, diagonal: int = 0) -> Value:
    """x with zeros above a diagonal, as np.tril."""
    return OPS["where"](_distance(x) <= diagonal, x, 0.0)


def upper_part(x: Value, diagonal: int = 0) -> Value:
    """x with zeros below a diagonal, as np.triu."""
    return OPS["where"](_distance(x) >= diagonal, x, 0.0)


def half_diagonal(x: Value) -> Value:
    """The lower triangle of x with half its diagonal."""
    return lower_part(OPS["where"](_distance(x) == 0, x * 0.5, x))


# -- matrices for cases -----------------------------------------------------------------------------------------
def dominant(*dims: int) -> Array:
    """Matrices whose diagonal outweighs their rows."""
    random, (rows, columns) = np.random.default_rng(5), dims[-2:]
    return np.asarray(random.uniform(-1, 1, dims) + 2 * max(rows, columns) * np.eye(rows, columns))


def positive_definite(*dims: int) -> Array:
    """Symmetric matrices whose diagonal outweighs their rows."""
    base = dominant(*dims)
    return np.asarray(base + np.swapaxes(base, -1, -2))


def given_matrix(content: Array, dtype: str = "f32") -> Sample:
    """A test sample with this content."""
    return sample(*content.shape, dtype=dtype, fixed=content)


# -- general matrices


def _check_system(call: Call, batch: bool) -> Shape:
    require(call, lambda dtype: dtype.category != "f8" and not dtype.is_bool, "numbers")
    a, b = call.given
    if (a.rank < 3) if batch else (a.rank != 2):
        form = "[…, n, n] with at least one axis in front" if batch else "[n, n]; batched_dense_solve takes several"
        raise call.error("RLX102", f"a has rank {a.rank}", fix=form)
    call.check_same(a.dims[-2], a.dims[-1], "rows and columns of a", fix="a is square")
    if b.rank not in (a.rank - 1, a.rank):
        raise call.error("RLX102", f"b has rank {b.rank}", fix="a vector […, n] or columns […, n, k] for each matrix")
    for axis, size in enumerate(a.dims[:-2]):
        call.check_same(size, b.dims[axis], f"sizes at axis {axis}")
    call.check_same(a.dims[-1], b.dims[a.rank - 2], "size of a and rows of b")
    return Shape.make(b.dims, factored_dtype(a.dtype, b.dtype))


def _solver(name: str) -> Any:
    def solve(a: Array, b: Array) -> Array:
        columns = b[..., None] if b.ndim < a.ndim else b
        try:
            solution = np.linalg.solve(double(a), double(columns))
        except np.linalg.LinAlgError:
            fix = "the matrix has no inverse: check the data, or add a small number to its diagonal"
            raise RlxError("RLX511", f"{name} of {list(a.shape)}: a matrix is singular", fix=fix, at=None) from None
        return solution[..., 0] if b.ndim < a.ndim else solution

    return solve


def _real_system(a: Value, b: Value) -> tuple[Value, Value]:
    """Rewrites complex equations as real ones: [[Re, -Im], [Im, Re]] and [Re; Im]."""
    rows = [concat(real(a), -imag(a), axis=-1), concat(imag(a), real(a), axis=-1)]
    return concat(*rows, axis=-2), concat(real(b), imag(b), axis=-2)


def _by_parts(record: Any) -> Any:
    def decompose(a: Value, b: Value) -> Any:
        """Decomposes `dense_solve`: complex equations become twice as many real ones; b becomes columns."""
        dtype = factored_dtype(a.dtype, b.dtype)
        a, b = as_dtype(a, dtype), as_dtype(b, dtype)
        if not dtype.is_complex:
            return record()(a, b)
        dims = b.shape
        columns = b if b.rank == a.rank else reshape(b, shape=(*dims, 1))
        n: Size = a.shape[-1]
        parts = record()(*_real_system(a, columns))
        re, im = split(parts, sizes=(n, n), axis=-2)
        return reshape(complex_(re, im), shape=dims)

    return decompose


def _solve_cost(call: Call, results: tuple[Shape, ...]) -> Size:
    a = call.given[0]
    return a.num_elements * a.dims[-1] + results[0].num_elements * a.dims[-1] * 2


def _solve_vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """The vjp of `dense_solve`: db solves the transposed system, and da = -db·xᴴ."""
    (a, b), (x,), (dx,) = operands, results, cotangents
    db = call.op.definition(swap_last_axes(conj(as_dtype(a, x.dtype))), dx)
    rows, columns = (value if b.rank == a.rank else reshape(value, shape=(*value.shape, 1)) for value in (db, x))
    da = -matmul(rows, swap_last_axes(conj(columns))) if call.wanted[0] else None
    return [None if da is None else match_type(da, a), match_type(db, b)]


def _solve_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """The jvp of `dense_solve`: solves a·t = tb - ta·x"""
    (a, b), (x,), (ta, tb) = operands, results, tangents
    terms: list[Maybe] = [tb]
    if ta is not None:
        columns = x if b.rank == a.rank else reshape(x, shape=(*x.shape, 1))
        terms.append(-matmul(as_dtype(ta, x.dtype), columns).reshape(x.shape))
    whole = total(terms)
    assert whole is not None
    return [call.op.definition(as_dtype(a, x.dtype), as_dtype(whole, x.dtype))]


def _batch_dense_solve(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `dense_solve`: a shared matrix is factored once for the columns of all examples; else a system for each."""
    a, b = operands
    assert a is not None and b is not None
    size = batch_size(operands, axes)
    if axes[0] is not None:
        return with_batch_axis([batched_dense_solve(a, in_front(b, axes[1], size))])
    if call.given[1].rank == 1:
        return with_batch_axis(again(call, (a, b.T)), 1)
    rows, columns = call.given[1].dims
    (solution,) = again(call, (a, b.transpose(1, 0, 2).reshape(rows, size * columns)))
    return with_batch_axis([solution.reshape(rows, size, columns)], 1)


def _solve_record(name: str, doc: str, batch: bool) -> OpDef:
    lead = (3,) if batch else ()
    more = (2, 2) if batch else ()

    def matrix(*dims: int, dtype: str = "f32") -> Any:
        return sample(*dims, dtype=dtype, fixed=dominant(*dims))

    return define_elimination(
        name,
        "a, b",
        infer=lambda call: _check_system(call, batch),
        reference=_solver(name),
        keeps_f32="a system of equations",
        decompose=_by_parts(lambda: dense_solve if not batch else batched_dense_solve),
        doc=doc,
        cost=_solve_cost,
        can_fail=True,
        vjp=_solve_vjp,
        jvp=_solve_jvp,
        batch=leading if batch else _batch_dense_solve,
        cases=lambda: [
            case(matrix(*lead, 5, 5), sample(*lead, 5), note="a vector", dtypes=("f32", "f64", "f16")),
            case(matrix(*more, 17, 17), sample(*more, 17, 3), note="columns, odd size", dtypes=("f32", "f64")),
            case(matrix(*lead, 4, 4, dtype="c64"), sample(*lead, 4, dtype="c64"), note="complex"),
            case(
                sample(*lead, 2, 2, fixed=np.broadcast_to([[0, 2], [3, 1]], (*lead, 2, 2))),
                sample(*lead, 2),
                note="odd: a zero on the diagonal",
            ),
            case(sample(*lead, 0, 0), sample(*lead, 0), note="size 0"),
        ],
    )


dense_solve = _solve_record(
    "dense_solve", "x with a @ x = b for a square matrix, as np.linalg.solve; a singular matrix is an error at run time.", False
)
batched_dense_solve = _solve_record(
    "batched_dense_solve", "`dense_solve` for each matrix of `[…, n, n]`; b is `[…, n]` or `[…, n, k]`.", True
)


# -- triangular matrices


def _solution_shape(call: Call) -> Shape:
    dims = check_matrices(call, square=True)
    a, b = call.given
    if b.rank != a.rank:
        fix = "b has the batch axes of a and is a matrix: reshape a vector to [n, 1], or [1, n] on the left of a"
        raise call.error("RLX102", f"a has rank {a.rank} and b rank {b.rank}", fix=fix)
    for axis, size in enumerate(a.dims[:-2]):
        call.check_same(size, b.dims[axis], f"sizes at axis {axis}")
    if call.left_side:
        call.check_same(a.dims[-1], b.dims[-2], "size of a and rows of b")
    else:
        call.check_same(a.dims[-1], b.dims[-1], "size of a and columns of b", fix="left_side=True solves a @ x = b")
    return b.with_dtype(dims.dtype)


def _solve(a: Array, b: Array, lower: bool, transpose: bool, unit_diagonal: bool, left_side: bool) -> Array:
    """The NumPy reference of `triangular_solve`, row by row: a zero on the diagonal gives infinities and NaN."""
    matrix, x = double(a), double(b).copy()
    if not left_side:
        x, transpose = np.ascontiguousarray(np.swapaxes(x, -1, -2)), not transpose
    if transpose:
        matrix, lower = np.swapaxes(matrix, -1, -2), not lower
    n = matrix.shape[-1]
    with np.errstate(all="ignore"):
        for row in range(n) if lower else reversed(range(n)):
            done = slice(0, row) if lower else slice(row + 1, n)
            x[..., row, :] -= (matrix[..., row, None, done] @ x[..., done, :])[..., 0, :]
            if not unit_diagonal:
                x[..., row, :] /= matrix[..., row, row, None]
    return x if left_side else np.swapaxes(x, -1, -2)


def _again(call: Call, a: Value, b: Value, **changes: Any) -> Value:
    return triangular_solve(a, b, **{**call.op.attrs, **changes})


def _triangle(call: Call, value: Value) -> Value:
    """The triangle of a matrix that `triangular_solve` reads."""
    offset = 1 if call.unit_diagonal else 0
    return lower_part(value, -offset) if call.lower else upper_part(value, offset)


def _vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """The vjp of `triangular_solve`: db solves the transposed system; da = -db·xᵀ in the triangle, transposed as the op says."""
    (a, b), (x,), (dx,) = operands, results, cotangents
    db = _again(call, as_dtype(a, x.dtype), dx, transpose=not call.transpose)
    da: Maybe = None
    if call.wanted[0]:
        left, right = (db, swap_last_axes(x)) if call.left_side else (swap_last_axes(x), db)
        product = matmul(left, right)
        da = match_type(_triangle(call, -(swap_last_axes(product) if call.transpose else product)), a)
    return [da, match_type(db, b)]


def _jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """The jvp of `triangular_solve`: the same system with tb - ta·x on the right, or tb - x·ta"""
    (a, _), (x,), (ta, tb) = operands, results, tangents
    terms: list[Maybe] = [None if tb is None else as_dtype(tb, x.dtype)]
    if ta is not None:
        moved = _triangle(call, as_dtype(ta, x.dtype))
        moved = swap_last_axes(moved) if call.transpose else moved
        terms.append(-(matmul(moved, x) if call.left_side else matmul(x, moved)))
    whole = total(terms)
    assert whole is not None
    return [_again(call, as_dtype(a, x.dtype), whole)]


def _batch(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `triangular_solve`: a shared matrix solves the columns, or rows, of all examples at once; else a system for each."""
    a, b = operands
    assert a is not None and b is not None
    if axes[0] is not None or call.given[0].rank > 2:
        return leading(call, operands, axes)
    size, (rows, columns) = batch_size(operands, axes), call.given[1].dims
    if call.left_side:
        (solution,) = again(call, (a, b.transpose(1, 0, 2).reshape(rows, size * columns)))
        return with_batch_axis([solution.reshape(rows, size, columns)], 1)
    (solution,) = again(call, (a, b.reshape(size * rows, columns)))
    return with_batch_axis([solution.reshape(size, rows, columns)])


def _triangular_cases() -> list[Any]:
    both = ("f32", "f64")
    return [
        case(given_matrix(dominant(5, 5)), sample(5, 3), note="plain: upper", dtypes=("f32", "f64", "f16")),
        case(given_matrix(dominant(2, 17, 17)), sample(2, 17, 19), note="lower, odd sizes", lower=True, dtypes=both),
        case(given_matrix(dominant(6, 6)), sample(6, 2), note="transposed, odd", lower=True, transpose=True),
        case(given_matrix(dominant(6, 6)), sample(4, 6), note="from the right", left_side=False, lower=True),
        case(
            given_matrix(dominant(3, 7, 7)),
            sample(3, 2, 7),
            note="from the right, transposed, odd",
            left_side=False,
            transpose=True,
        ),
        case(
            given_matrix(dominant(4, 4) / 8),
            sample(4, 5),
            note="ones on the diagonal",
            lower=True,
            transpose=True,
            unit_diagonal=True,
        ),
        case(given_matrix(np.zeros((0, 0))), sample(0, 2), note="size 0"),
    ]


triangular_solve = define_elimination(
    "triangular_solve",
    "a, b",
    infer=_solution_shape,
    reference=_solve,
    attrs={
        "lower": Attr("bool", False, help="a is lower triangular; what is above its diagonal is not read"),
        "transpose": Attr("bool", False, help="solve with aᵀ"),
        "unit_diagonal": Attr("bool", False, help="the diagonal is ones and not read"),
        "left_side": Attr("bool", True, help="a @ x = b; else x @ a = b"),
    },
    keeps_f32="a system of equations",
    decompose=computed_in_float("triangular_solve"),
    doc="x with a @ x = b for a triangular matrix, upper unless `lower`; b is a matrix `[…, n, k]`, "
    "with left_side=False `[…, k, n]`. A zero on the diagonal divides as floats do: infinities and NaN.",
    cost=lambda call, results: results[0].num_elements * call.given[0].dims[-1],
    vjp=_vjp,
    jvp=_jvp,
    batch=_batch,
    cases=_triangular_cases,
)
