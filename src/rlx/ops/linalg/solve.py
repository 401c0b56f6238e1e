"""Systems of linear equations: `A·x = b`, one or many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.errors import RlxError
from rlx.ops.contraction.matmul import matmul
from rlx.ops.elementwise.complex import complex_, imag, real
from rlx.ops.fft.fft import double
from rlx.ops.inference import require
from rlx.ops.linalg.factorizations import ELIMINATION, dominant, factored_dtype
from rlx.ops.movement.parts import concat, split
from rlx.ops.movement.shape import reshape
from rlx.ops.record import Array, Call, OpDef, OpKind, Shape, Size, Value, as_dtype, case, define, sample
from rlx.transforms.rules.batch_formulas import again, batched, leading
from rlx.transforms.rules.batching import Axis, Batched, Operands, batch_size, in_front
from rlx.transforms.rules.derivative import Derivative, Maybe, Values, total
from rlx.transforms.rules.formulas import conj, matched, swapped


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
            found = np.linalg.solve(double(a), double(columns))
        except np.linalg.LinAlgError:
            fix = "the matrix has no inverse: check the data, or add a small number to its diagonal"
            raise RlxError("RLX511", f"{name} of {list(a.shape)}: a matrix is singular", fix=fix, at=None) from None
        return found[..., 0] if b.ndim < a.ndim else found

    return solve


def _real_system(a: Value, b: Value) -> tuple[Value, Value]:
    """[[Re, -Im], [Im, Re]] and [Re; Im]: the same equations in real numbers."""
    rows = [concat(real(a), -imag(a), axis=-1), concat(imag(a), real(a), axis=-1)]
    return concat(*rows, axis=-2), concat(real(b), imag(b), axis=-2)


def _by_parts(record: Any) -> Any:
    def decompose(a: Value, b: Value) -> Any:
        """Complex equations as twice as many real ones; b as columns."""
        dtype = factored_dtype(a.dtype, b.dtype)
        a, b = as_dtype(a, dtype), as_dtype(b, dtype)
        if not dtype.is_complex:
            return record()(a, b)
        dims = b.shape
        columns = b if b.rank == a.rank else reshape(b, shape=(*dims, 1))
        n: Size = a.shape[-1]
        found = record()(*_real_system(a, columns))
        re, im = split(found, sizes=(n, n), axis=-2)
        return reshape(complex_(re, im), shape=dims)

    return decompose


def _cost(call: Call, results: tuple[Shape, ...]) -> Size:
    a = call.given[0]
    return a.num_elements * a.dims[-1] + results[0].num_elements * a.dims[-1] * 2


def _solve_vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """db solves the transposed system, and da = -db·xᴴ."""
    (a, b), (x,), (dx,) = operands, results, cotangents
    db = call.op.definition(swapped(conj(as_dtype(a, x.dtype))), dx)
    rows, columns = (value if b.rank == a.rank else reshape(value, shape=(*value.shape, 1)) for value in (db, x))
    da = -matmul(rows, swapped(conj(columns))) if call.wanted[0] else None
    return [None if da is None else matched(da, a), matched(db, b)]


def _solve_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """a·t = tb - ta·x"""
    (a, b), (x,), (ta, tb) = operands, results, tangents
    terms: list[Maybe] = [tb]
    if ta is not None:
        columns = x if b.rank == a.rank else reshape(x, shape=(*x.shape, 1))
        terms.append(-matmul(as_dtype(ta, x.dtype), columns).reshape(x.shape))
    whole = total(terms)
    assert whole is not None
    return [call.op.definition(as_dtype(a, x.dtype), as_dtype(whole, x.dtype))]


def _batch_dense_solve(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """A shared matrix is factored once, for the columns of all examples; else a system for each example."""
    a, b = operands
    assert a is not None and b is not None
    size = batch_size(operands, axes)
    if axes[0] is not None:
        return batched([batched_dense_solve(a, in_front(b, axes[1], size))])
    if call.given[1].rank == 1:
        return batched(again(call, (a, b.T)), 1)
    rows, columns = call.given[1].dims
    (found,) = again(call, (a, b.transpose(1, 0, 2).reshape(rows, size * columns)))
    return batched([found.reshape(rows, size, columns)], 1)


def _solve_record(name: str, doc: str, batch: bool) -> OpDef:
    lead = (3,) if batch else ()
    more = (2, 2) if batch else ()

    def matrix(*dims: int, dtype: str = "f32") -> Any:
        return sample(*dims, dtype=dtype, fixed=dominant(*dims))

    return define(
        name,
        "a, b",
        infer=lambda call: _check_system(call, batch),
        reference=_solver(name),
        kind=OpKind.Compute,
        compute_dtype=factored_dtype,
        keeps_f32="a system of equations",
        decompose=_by_parts(lambda: dense_solve if not batch else batched_dense_solve),
        doc=doc,
        tolerance=ELIMINATION,
        cost=_cost,
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
