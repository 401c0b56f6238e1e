"""Fourier transforms of any length, as NumPy's: `fft` on the last axis, and what is made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.dim import maximum
from rlx.core.dtype import f32, promote
from rlx.ir.tolerance import near_max, ulps
from rlx.ops.conv.conv import within_axis
from rlx.ops.elementwise.complex import complex_type, conjugate, part_type
from rlx.ops.elementwise.complex import real as real_part
from rlx.ops.inference import require
from rlx.ops.movement.pad import flip, pad
from rlx.ops.movement.parts import concat, narrow
from rlx.ops.movement.shape import replaced, transpose
from rlx.ops.record import (
    Array,
    Attr,
    Call,
    Case,
    Choice,
    DType,
    Op,
    OpDef,
    OpKind,
    Shape,
    Size,
    Value,
    as_dtype,
    case,
    define,
    sample,
)
from rlx.transforms.rules.batch_formulas import along_axes, leading
from rlx.transforms.rules.derivative import Derivative, Maybe
from rlx.transforms.rules.formulas import linear, one, real_if


class FftNorm(Choice):
    """Which direction is divided: by n backward or forward, by √n both (ortho)."""

    Backward = "backward"
    Ortho = "ortho"
    Forward = "forward"


_NORM = Attr("tag", "backward", parse=FftNorm.parse, annotation="FftNorm | str", help="backward, ortho or forward, as NumPy's")


def transformed_dtype(*dtypes: DType) -> DType:
    """What a transform reads: f32 for ints and 16-bit floats; f32, f64 and complex numbers as they are."""
    common = promote(*dtypes)
    return f32 if common.is_integer or common.is_bool or common.is_low_float else common


def _number(dtype: DType) -> bool:
    return dtype.category != "f8"


def _real(dtype: DType) -> bool:
    return dtype.category != "f8" and not dtype.is_complex


def _check_length(call: Call, size: Size) -> None:
    call.check_at_most(1, size, "points to transform", code="RLX102", fix="a transform has at least one point")


def _last_shape(call: Call) -> Shape:
    require(call, _number, "numbers")
    x = call.given[0]
    if x.rank == 0:
        raise call.error("RLX102", "a scalar has no axis to transform", fix="reshape to rank 1")
    _check_length(call, x.dims[-1])
    return x.with_dtype(complex_type(transformed_dtype(x.dtype)))


def double(x: Array) -> Array:
    """In double precision: references round once."""
    return x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)


def flops(points: Size, rows: Size) -> Size:
    """5·n·log₂ n for each row; a symbolic n counts ten levels."""
    return rows * points * 5 * (max(int(points).bit_length() - 1, 1) if isinstance(points, int) else 10)


def _cost(call: Call, results: tuple[Shape, ...]) -> Size:
    return flops(call.given[0].dims[-1], 1) * (results[0].num_elements // results[0].dims[-1])


def _fft_cases() -> list[Case]:
    return [
        case(sample(3, 8, dtype="c64"), note="a power of two"),
        case(sample(2, 64), note="real numbers", dtypes=("f32", "f64", "f16", "i32"), norm="ortho"),
        case(sample(2, 3, 6, dtype="c64"), note="odd: six points", inverse=True),
        case(sample(2, 67, dtype="c64"), note="odd: a prime", norm="forward"),
        case(sample(5, 1, dtype="c128"), note="odd: one point"),
        case(sample(1, 1000, dtype="c128"), note="many points", inverse=True, norm="ortho"),
        case(sample(0, 4, dtype="c64"), note="no rows"),
    ]


_SWAPPED = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def _fft_vjp(call: Derivative, dy: Value, x: Value) -> list[Maybe]:
    """The conjugate transpose is the other direction, scaled where this one is not."""
    back = fft(dy, inverse=not call.inverse, norm=_SWAPPED[call.norm])
    return [as_dtype(real_if(back, x), x.dtype)]


fft = define(
    "fft",
    "x",
    infer=_last_shape,
    kind=OpKind.Compute,
    compute_dtype=transformed_dtype,
    reference=lambda x, inverse, norm: (np.fft.ifft if inverse else np.fft.fft)(double(x), norm=norm),
    attrs={"inverse": Attr("bool", False, help="np.fft.ifft"), "norm": _NORM},
    doc="The Fourier transform along the last axis, as np.fft.fft and ifft, of any length; c128 for f64 and c128, else c64.",
    tolerance=near_max(24),
    cost=_cost,
    vjp=one(_fft_vjp),
    jvp=linear(0),
    batch=leading,
    cases=_fft_cases,
)


# -- several axes -----------------------------------------------------------------------------------------------
def _all_axes(call: Call) -> Op:
    return call.op if call.axes is not None else call.op.with_attrs(axes=tuple(range(call.given[0].rank)))


def _axes_shape(call: Call) -> Shape:
    require(call, _number, "numbers")
    x = call.given[0]
    for axis in call.axes:
        _check_length(call, x.dims[axis])
    return x.with_dtype(complex_type(transformed_dtype(x.dtype)))


def last_moved(x: Value, axis: int) -> tuple[Value, tuple[int, ...]]:
    """The axis brought to the end, and the permutation that does it (it is its own reverse)."""
    perm = list(range(x.rank))
    perm[axis], perm[-1] = perm[-1], perm[axis]
    return (x if axis == x.rank - 1 else transpose(x, perm=tuple(perm))), tuple(perm)


def _by_axis(inverse: bool) -> Callable[..., Value]:
    def decompose(x: Value, *, axes: tuple[int, ...], norm: str) -> Value:
        """One axis after the other, each brought to the end."""
        if not axes:
            return as_dtype(x, complex_type(transformed_dtype(x.dtype)))
        for axis in axes:
            moved, perm = last_moved(x, axis)
            made = fft(moved, inverse=inverse, norm=norm)
            x = made if axis == x.rank - 1 else transpose(made, perm=perm)
        return x

    return decompose


def _several(name: str, transform: Callable[..., Array], inverse: bool) -> OpDef:
    return define(
        name,
        "x",
        infer=_axes_shape,
        normalize=_all_axes,
        kind=OpKind.Compute,
        compute_dtype=transformed_dtype,
        reference=lambda x, axes, norm: transform(double(x), axes=axes, norm=norm),
        attrs={"axes": Attr("axes", None, help="the axes transformed; all"), "norm": _NORM},
        doc=f"The {'inverse ' if inverse else ''}Fourier transform along several axes, as np.fft.{name}.",
        tolerance=near_max(32),
        cost=lambda call, results: flops(results[0].num_elements, 1),
        decompose=_by_axis(inverse),
        batch=along_axes,
        cases=lambda: [
            case(sample(4, 8, dtype="c64"), note="a plane"),
            case(sample(3, 2, 5), note="odd axes of real numbers", axes=(0, -1), norm="ortho"),
            case(sample(2, 3, 4, dtype="c128"), note="one axis in the middle", axes=(1,), norm="forward"),
        ],
    )


fftn = _several("fftn", np.fft.fftn, False)
ifftn = _several("ifftn", np.fft.ifftn, True)


# -- real numbers -----------------------------------------------------------------------------------------------
def with_length(x: Value, n: Size) -> Value:
    """The last axis cut or filled with zeros to n points."""
    missing = maximum(n - x.shape[-1], 0)
    if not (isinstance(missing, int) and missing == 0):
        x = pad(x, low=(0,) * x.rank, high=(*(0,) * (x.rank - 1), missing))
    if not x.shape[-1] == n:
        x = narrow(x, axis=-1, start=0, length=n)
    return x


def _points(call: Call) -> Op:
    if call.given[0].rank == 0:
        raise call.error("RLX102", "a scalar has no axis to transform", fix="reshape to rank 1")
    return call.op if call.n is not None else call.op.with_attrs(n=call.given[0].dims[-1])


def _half_shape(call: Call) -> Shape:
    require(call, _real, "real numbers: fft takes complex ones")
    x = call.given[0]
    _check_length(call, call.n)
    return Shape.make(replaced(x.dims, x.rank - 1, call.n // 2 + 1), complex_type(transformed_dtype(x.dtype)))


def _rfft_by_fft(x: Value, *, n: Size, norm: str) -> Any:
    """The first half of the whole spectrum: the other mirrors it."""
    whole = fft(with_length(as_dtype(x, transformed_dtype(x.dtype)), n), norm=norm)
    return narrow(whole, axis=-1, start=0, length=within_axis(whole, -1, n // 2 + 1))


rfft = define(
    "rfft",
    "x",
    infer=_half_shape,
    normalize=_points,
    kind=OpKind.Compute,
    compute_dtype=transformed_dtype,
    reference=lambda x, n, norm: np.fft.rfft(double(x), n, norm=norm),
    attrs={"n": Attr("size", None, help="points: x is cut or filled with zeros"), "norm": _NORM},
    doc="The first n/2 + 1 entries of the transform of real numbers along the last axis, as np.fft.rfft.",
    tolerance=near_max(24),
    cost=_cost,
    decompose=_rfft_by_fft,
    batch=leading,
    cases=lambda: [
        case(sample(2, 8), note="a power of two", dtypes=("f32", "f64", "bf16", "i32")),
        case(sample(3, 6), note="odd: six points", norm="ortho"),
        case(sample(2, 7), note="odd length, filled to nine", n=9),
        case(sample(2, 7), note="odd length, cut to four", n=4, norm="forward"),
        case(sample(0, 4), note="no rows"),
    ],
)


def _mirror_points(call: Call) -> Op:
    if call.given[0].rank == 0:
        raise call.error("RLX102", "a scalar has no axis to transform", fix="reshape to rank 1")
    return call.op if call.n is not None else call.op.with_attrs(n=(call.given[0].dims[-1] - 1) * 2)


def _whole_shape(call: Call) -> Shape:
    require(call, _number, "numbers")
    x = call.given[0]
    _check_length(call, call.n)
    return Shape.make(replaced(x.dims, x.rank - 1, call.n), part_type(transformed_dtype(x.dtype)))


def _irfft_by_fft(x: Value, *, n: Size, norm: str) -> Any:
    """The spectrum with its mirror image, transformed back; what is left of imaginary parts is dropped."""
    x = as_dtype(x, complex_type(transformed_dtype(x.dtype)))
    half = with_length(x, n // 2 + 1)
    count = n - (n // 2 + 1)
    parts = [half]
    if not (isinstance(count, int) and count == 0):
        within_axis(half, -1, count + 1)
        parts.append(flip(conjugate(narrow(half, axis=-1, start=1, length=count)), axes=-1))
    return real_part(fft(concat(*parts, axis=-1), inverse=True, norm=norm))


irfft = define(
    "irfft",
    "x",
    infer=_whole_shape,
    normalize=_mirror_points,
    kind=OpKind.Compute,
    compute_dtype=transformed_dtype,
    reference=lambda x, n, norm: np.fft.irfft(double(x), n, norm=norm),
    attrs={"n": Attr("size", None, help="points of the result; 2·(size - 1)"), "norm": _NORM},
    doc="The real numbers whose transform starts with x, along the last axis, as np.fft.irfft.",
    tolerance=near_max(24),
    cost=_cost,
    decompose=_irfft_by_fft,
    batch=leading,
    cases=lambda: [
        case(sample(2, 5, dtype="c64"), note="eight points"),
        case(sample(3, 4, dtype="c64"), note="odd: seven points", n=7, norm="ortho"),
        case(sample(2, 3, dtype="c128"), note="odd: filled to ten", n=10),
        case(sample(2, 9, dtype="c64"), note="cut to six", n=6, norm="forward"),
        case(sample(2, 1, dtype="c64"), note="odd: one point", n=1),
        case(sample(0, 3, dtype="c64"), note="no rows"),
    ],
)


# -- frequencies ------------------------------------------------------------------------------------------------
def _frequency_shape(half: bool) -> Callable[[Call], Shape]:
    def infer(call: Call) -> Shape:
        if not call.dtype.is_float:
            raise call.error("RLX103", f"dtype is {call.dtype}", fix="a float")
        _check_length(call, call.n)
        if call.d == 0:
            raise call.error("RLX105", "d is 0", fix="the distance of samples, not 0")
        return Shape.make((call.n // 2 + 1,) if half else (call.n,), call.dtype)

    return infer


def _frequencies(name: str, find: Callable[..., Array]) -> OpDef:
    def rows() -> Sequence[Case]:
        return [
            case(note="even", n=8),
            case(note="odd number of points", n=7, d=0.5),
            case(note="odd: one point", n=1, dtype="f64"),
            case(note="a low float", n=6, dtype="bf16"),
        ]

    return define(
        name,
        "",
        infer=_frequency_shape(name == "rfftfreq"),
        kind=OpKind.DataMovement,
        reference=lambda n, d, dtype: find(n, d),
        attrs={
            "n": Attr("size", help="points of the transform"),
            "d": Attr("float", 1.0, help="the distance of samples"),
            "dtype": Attr("dtype", "f32"),
        },
        doc=f"The frequency of each entry of a transform of n points, as np.fft.{name}.",
        tolerance=ulps(2),
        cost=lambda call, results: results[0].num_elements,
        cases=rows,
        vjp="no operands",
        jvp="no operands",
        batch="no operands",
    )


fftfreq = _frequencies("fftfreq", np.fft.fftfreq)
rfftfreq = _frequencies("rfftfreq", np.fft.rfftfreq)
