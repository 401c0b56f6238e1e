"""The product of bytes that `q_matmul` and `q_conv2d` are made of: what differs from layer to layer is an operand, not an attribute."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dim import ceildiv
from rlx.core.dtype import f32, f64, i8, i32
from rlx.ops.contraction.matmul import matmul
from rlx.ops.elementwise.select import clamp
from rlx.ops.elementwise.unary import round_
from rlx.ops.movement.pad import pad
from rlx.ops.movement.parts import narrow
from rlx.ops.movement.shape import reshape, transpose
from rlx.ops.record import Array, Attr, Call, DType, OpKind, Shape, Size, Value, as_dtype, case, define, exact, sample
from rlx.transforms.rules.batch_formulas import rows_of_x

COLUMNS = 16
"""Of a panel."""
STEPS = 4
"""Steps of k come in multiples of so many."""


def requantized(total: Array, factors: Array, out_zp: int, dtype: DType) -> Array:
    """clamp(round(total·factors) + out_zp) as i8, or total·factors as f32; the product in f64 is exact enough to round once."""
    scaled = total.astype(np.float64) * factors
    return np.asarray(scaled.astype(np.float32) if dtype is f32 else np.clip(np.rint(scaled) + out_zp, -128, 127).astype(np.int8))


# -- panels -----------------------------------------------------------------------------------------------------
def panels_of(w: Value) -> Value:
    """w `[K, N]` as `[⌈N/16⌉, 2⌈K/4⌉, 16, 2]`: panels of columns, in each of them pairs along k side by side; zeros fill it up."""
    k, n = w.shape
    fours, panels = ceildiv(k, STEPS), ceildiv(n, COLUMNS)
    filled = pad(w, low=(0, 0), high=(fours * STEPS - k, panels * COLUMNS - n))
    found: Value = transpose(reshape(filled, shape=(fours * (STEPS // 2), 2, panels, COLUMNS)), perm=(2, 0, 3, 1))
    return found


def _matrix(panels: Array, k: int, n: int) -> Array:
    """The matrix `[k, n]` again."""
    count, pairs = panels.shape[:2]
    return panels.transpose(1, 3, 0, 2).reshape(2 * pairs, count * COLUMNS)[:k, :n]


def _matrix_value(panels: Value, k: Size, n: Size) -> Value:
    count, pairs = panels.shape[:2]
    whole = reshape(transpose(panels, perm=(1, 3, 0, 2)), shape=(pairs * 2, count * COLUMNS))
    found: Value = narrow(narrow(whole, axis=0, start=0, length=k), axis=1, start=0, length=n)
    return found


# -- the record -------------------------------------------------------------------------------------------------
def _product_shape(call: Call) -> Shape:
    x, panels, factors, zeros = call.given[:4]
    for name, shape, wanted in (("x", x, i8), ("panels", panels, i8), ("factors", factors, f64), ("zeros", zeros, i32)):
        if shape.dtype is not wanted:
            raise call.error("RLX103", f"{name} is {shape.dtype}", fix=str(wanted))
    if not x.rank or panels.rank != 4 or factors.rank > 1 or zeros.dims != (3,):
        message = f"x {x}, panels {panels}, factors {factors}, zeros {zeros}"
        raise call.error("RLX102", message, fix="x […, K], panels of rank 4, factors [] or [N], zeros [3]")
    wanted_dims = (ceildiv(call.n, COLUMNS), ceildiv(x.dims[-1], STEPS) * (STEPS // 2), COLUMNS, 2)
    for mine, other in zip(panels.dims, wanted_dims, strict=True):
        call.check_same(mine, other, "sizes of the panels and those of x and n:")
    for shape in call.given[4:] + ((factors,) if factors.rank else ()):
        call.check_same(shape.dims[0], call.n, "entries of bias or factors and columns")
    return Shape.make((*x.dims[:-1], call.n), call.dtype)


def _product(x: Array, panels: Array, factors: Array, zeros: Array, bias: Array | None = None, *, n: int, dtype: DType) -> Array:
    w = _matrix(panels, x.shape[-1], n)
    total = np.matmul(x.astype(np.int32) - zeros[0], w.astype(np.int32) - zeros[1], dtype=np.int32)
    return requantized(total if bias is None else total + bias, factors, int(zeros[2]), dtype)


def _product_by_matmul(
    x: Value, panels: Value, factors: Value, zeros: Value, bias: Value | None = None, *, n: Size, dtype: DType
) -> Value:
    """The product in i32, then scaled and rounded."""
    x_zp, w_zp, out_zp = (narrow(zeros, axis=0, start=index, length=1) for index in range(3))
    total = matmul(as_dtype(x, i32) - x_zp, as_dtype(_matrix_value(panels, x.shape[-1], n), i32) - w_zp)
    scaled = as_dtype(total if bias is None else total + bias, f64) * factors
    return as_dtype(scaled if dtype is f32 else clamp(round_(scaled) + as_dtype(out_zp, f64), -128.0, 127.0), dtype)


def _bytes(*dims: int) -> Any:
    return sample(*dims, dtype="i8", low=-128, high=127)


_ZEROS = sample(3, dtype="i32", fixed=[3, -2, 5])
q_product = define(
    "q_product",
    "x, panels, factors, zeros:index, bias:index?",
    infer=_product_shape,
    reference=_product,
    kind=OpKind.Compute,
    attrs={
        "n": Attr("size", help="columns of the result"),
        "dtype": Attr("dtype", "i8", help="i8; or f32: the sums times the factors, not rounded"),
    },
    doc="""`q_matmul` with w in panels, its factors and zero points operands: clamp(round((bias + Σ(x - z₀)(w - z₁))·factors) + z₂).

    w `[K, N]` is stored as `[⌈N/16⌉, 2⌈K/4⌉, 16, 2]`; factors are f64, one or one for each column; zeros are those of x, w, the result.""",
    tolerance=exact(),
    decompose=_product_by_matmul,
    cost=lambda call, results: results[0].num_elements * call.given[0].dims[-1] * 2,
    batch=rows_of_x,
    cases=lambda: [
        case(_bytes(7, 70), _bytes(3, 36, 16, 2), sample(dtype="f64", fixed=0.003), _ZEROS, note="odd sizes", n=35),
        case(
            _bytes(2, 3, 33),
            _bytes(5, 18, 16, 2),
            sample(80, dtype="f64", low=0.001, high=0.01),
            _ZEROS,
            sample(80, dtype="i32", low=-9999, high=9999),
            note="a batch, a factor for each column, a bias",
            n=80,
        ),
        case(
            _bytes(1, 1041),
            _bytes(5, 522, 16, 2),
            sample(dtype="f64", fixed=0.001),
            sample(3, dtype="i32", fixed=[-128, 127, 0]),
            note="odd: a long row, as floats",
            n=67,
            dtype="f32",
        ),
        case(_bytes(101, 5), _bytes(1, 4, 16, 2), sample(dtype="f64", fixed=0.02), _ZEROS, note="odd: few columns, many rows", n=3),
        case(_bytes(9), _bytes(2, 6, 16, 2), sample(dtype="f64", fixed=0.02), _ZEROS, note="a vector, odd", n=20),
        case(_bytes(3, 0), _bytes(1, 0, 16, 2), sample(dtype="f64", fixed=0.5), _ZEROS, note="nothing to sum", n=2),
        case(_bytes(0, 4), _bytes(1, 2, 16, 2), sample(dtype="f64", fixed=1.0), _ZEROS, note="size 0", n=3),
    ],
    vjp="integer operands",
    jvp="integer operands",
)
