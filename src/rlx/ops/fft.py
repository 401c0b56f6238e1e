"""Fourier transforms of any length, as in NumPy, and what is built on `fft` of the last axis: signals as in SciPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from rlx.core.dim import maximum
from rlx.core.dtype import f32, promote
from rlx.ir.emit import constant
from rlx.ir.tolerance import near_max, ulps
from rlx.ops.conv.conv import within_axis
from rlx.ops.elementwise.complex import complex_, complex_norm_sq, complex_type, conjugate, imag, part_type, real
from rlx.ops.elementwise.complex import real as real_part
from rlx.ops.inference import broadcast_dims, require
from rlx.ops.movement.pad import flip, pad
from rlx.ops.movement.parts import concat, narrow, slice_
from rlx.ops.movement.shape import replace_size, reshape, transpose
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
from rlx.ops.reduction import reduce_mean
from rlx.transforms.rules.batching import along_axes, leading, pointwise
from rlx.transforms.rules.derivative import Derivative, Maybe
from rlx.transforms.rules.formulas import linear, one_result, real_if


class FftNorm(Choice):
    """The direction of an FFT that is divided: by n backward or forward, by √n both (ortho)."""

    Backward = "backward"
    Ortho = "ortho"
    Forward = "forward"


_NORM = Attr("tag", "backward", parse=FftNorm.parse, annotation="FftNorm | str", help="backward, ortho or forward, as NumPy's")


def transformed_dtype(*dtypes: DType) -> DType:
    """The dtype an FFT reads: f32 for ints and 16-bit floats; f32, f64 and complex numbers stay."""
    common = promote(*dtypes)
    return f32 if common.is_integer or common.is_bool or common.is_low_float else common


define_transform = partial(define, kind=OpKind.Compute, compute_dtype=transformed_dtype, batch=leading)


def _is_not_f8(dtype: DType) -> bool:
    return dtype.category != "f8"


def _check_length(call: Call, size: Size) -> None:
    call.check_at_most(1, size, "points to transform", code="RLX102", fix="a transform has at least one point")


def _last_shape(call: Call) -> Shape:
    require(call, _is_not_f8, "numbers")
    x = call.given[0]
    if x.rank == 0:
        raise call.error("RLX102", "a scalar has no axis to transform", fix="reshape to rank 1")
    _check_length(call, x.dims[-1])
    return x.with_dtype(complex_type(transformed_dtype(x.dtype)))


def double(x: Array) -> Array:
    """Converts to double precision, so that references round once."""
    return x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)


def flops(points: Size, rows: Size) -> Size:
    """Operations of an FFT: 5·n·log₂ n for each row; a symbolic n counts ten levels."""
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
    """The vjp of an FFT, its conjugate transpose: the other direction, scaled where this one is not."""
    back = fft(dy, inverse=not call.inverse, norm=_SWAPPED[call.norm])
    return [as_dtype(real_if(back, x), x.dtype)]


fft = define_transform(
    "fft",
    "x",
    infer=_last_shape,
    reference=lambda x, inverse, norm: (np.fft.ifft if inverse else np.fft.fft)(double(x), norm=norm),
    attrs={"inverse": Attr("bool", False, help="np.fft.ifft"), "norm": _NORM},
    doc="The Fourier transform along the last axis, as np.fft.fft and ifft, of any length; c128 for f64 and c128, else c64.",
    tolerance=near_max(24),
    cost=_cost,
    vjp=one_result(_fft_vjp),
    jvp=linear(0),
    cases=_fft_cases,
)


# -- several axes -----------------------------------------------------------------------------------------------


def _axes_shape(call: Call) -> Shape:
    require(call, _is_not_f8, "numbers")
    x = call.given[0]
    for axis in call.axes:
        _check_length(call, x.dims[axis])
    return x.with_dtype(complex_type(transformed_dtype(x.dtype)))


def move_to_end(x: Value, axis: int) -> tuple[Value, tuple[int, ...]]:
    """Moves the axis of an FFT to the end; returns the permutation too, which is its own inverse."""
    perm = list(range(x.rank))
    perm[axis], perm[-1] = perm[-1], perm[axis]
    return (x if axis == x.rank - 1 else transpose(x, perm=tuple(perm))), tuple(perm)


def _by_axis(inverse: bool) -> Callable[..., Value]:
    def decompose(x: Value, *, axes: tuple[int, ...], norm: str) -> Value:
        """Runs a multi-axis FFT as one transform for each axis, moved to the end."""
        if not axes:
            return as_dtype(x, complex_type(transformed_dtype(x.dtype)))
        for axis in axes:
            moved, perm = move_to_end(x, axis)
            made = fft(moved, inverse=inverse, norm=norm)
            x = made if axis == x.rank - 1 else transpose(made, perm=perm)
        return x

    return decompose


def _define_nd_transform(name: str, transform: Callable[..., Array], inverse: bool) -> OpDef:
    return define_transform(
        name,
        "x",
        infer=_axes_shape,
        normalize=lambda call: call.op if call.axes is not None else call.op.with_attrs(axes=tuple(range(call.given[0].rank))),
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


fftn = _define_nd_transform("fftn", np.fft.fftn, False)
ifftn = _define_nd_transform("ifftn", np.fft.ifftn, True)


# -- real numbers -----------------------------------------------------------------------------------------------
def with_length(x: Value, n: Size) -> Value:
    """Cuts or zero-pads the last axis to n points."""
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
    require(call, lambda dtype: dtype.category != "f8" and not dtype.is_complex, "real numbers: fft takes complex ones")
    x = call.given[0]
    _check_length(call, call.n)
    return Shape.make(replace_size(x.dims, x.rank - 1, call.n // 2 + 1), complex_type(transformed_dtype(x.dtype)))


def _rfft_by_fft(x: Value, *, n: Size, norm: str) -> Any:
    """Decomposes `rfft`: the first half of the full spectrum, which the second half mirrors."""
    whole = fft(with_length(as_dtype(x, transformed_dtype(x.dtype)), n), norm=norm)
    return narrow(whole, axis=-1, start=0, length=within_axis(whole, -1, n // 2 + 1))


rfft = define_transform(
    "rfft",
    "x",
    infer=_half_shape,
    normalize=_points,
    reference=lambda x, n, norm: np.fft.rfft(double(x), n, norm=norm),
    attrs={"n": Attr("size", None, help="points: x is cut or filled with zeros"), "norm": _NORM},
    doc="The first n/2 + 1 entries of the transform of real numbers along the last axis, as np.fft.rfft.",
    tolerance=near_max(24),
    cost=_cost,
    decompose=_rfft_by_fft,
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
    require(call, _is_not_f8, "numbers")
    x = call.given[0]
    _check_length(call, call.n)
    return Shape.make(replace_size(x.dims, x.rank - 1, call.n), part_type(transformed_dtype(x.dtype)))


def _irfft_by_fft(x: Value, *, n: Size, norm: str) -> Any:
    """Decomposes `irfft`: mirrors the spectrum, transforms it back and drops the imaginary parts."""
    x = as_dtype(x, complex_type(transformed_dtype(x.dtype)))
    half = with_length(x, n // 2 + 1)
    count = n - (n // 2 + 1)
    parts = [half]
    if not (isinstance(count, int) and count == 0):
        within_axis(half, -1, count + 1)
        parts.append(flip(conjugate(narrow(half, axis=-1, start=1, length=count)), axes=-1))
    return real_part(fft(concat(*parts, axis=-1), inverse=True, norm=norm))


irfft = define_transform(
    "irfft",
    "x",
    infer=_whole_shape,
    normalize=_mirror_points,
    reference=lambda x, n, norm: np.fft.irfft(double(x), n, norm=norm),
    attrs={"n": Attr("size", None, help="points of the result; 2·(size - 1)"), "norm": _NORM},
    doc="The real numbers whose transform starts with x, along the last axis, as np.fft.irfft.",
    tolerance=near_max(24),
    cost=_cost,
    decompose=_irfft_by_fft,
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
        no_gradient="no operands",
        batch="no operands",
    )


fftfreq = _frequencies("fftfreq", np.fft.fftfreq)
rfftfreq = _frequencies("rfftfreq", np.fft.rfftfreq)


# -- signals, as SciPy: `stft`, `psd` (Welch's method) and `fft_conv1d`


class SignalWindow(Choice):
    """The window function of STFT segments, periodic as in SciPy's get_window."""

    Hann = "hann"
    Hamming = "hamming"
    Blackman = "blackman"
    Boxcar = "boxcar"


class SignalScaling(Choice):
    """The divisor of a spectrum: the window's sum, or the power in one hertz."""

    Spectrum = "spectrum"
    Density = "density"


class ConvMode(Choice):
    """The part of a full convolution that `fft_conv1d` returns."""

    Full = "full"
    Same = "same"
    Valid = "valid"


def window_values(name: str, size: int) -> Array:
    """The weights of a window function in f64."""
    turn = 2 * np.pi * np.arange(size) / size
    if name == "hann":
        return 0.5 - 0.5 * np.cos(turn)
    if name == "hamming":
        return 0.54 - 0.46 * np.cos(turn)
    if name == "blackman":
        return 0.42 - 0.5 * np.cos(turn) + 0.08 * np.cos(2 * turn)
    return np.ones(size)


# -- segments ---------------------------------------------------------------------------------------------------
_SEGMENTS = {
    "nperseg": Attr("int", 256, help="points of a segment"),
    "noverlap": Attr("int", None, help="points two neighbours share; half"),
    "nfft": Attr("int", None, help="points of the transform, filled with zeros; nperseg"),
    "window": Attr(
        "tag", "hann", parse=SignalWindow.parse, annotation="SignalWindow | str", help="hann, hamming, blackman or boxcar"
    ),
    "fs": Attr("float", 1.0, help="samples in a second"),
}


def _normal_segments(call: Call) -> Op:
    overlap = call.nperseg // 2 if call.noverlap is None else call.noverlap
    points = call.nperseg if call.nfft is None else call.nfft
    if call.nperseg < 1 or not 0 <= overlap < call.nperseg:
        message = f"nperseg is {call.nperseg} and noverlap {overlap}"
        raise call.error("RLX105", message, fix="at least one point, and less overlap than that")
    if points < call.nperseg:
        raise call.error("RLX105", f"nfft is {points}", fix=f"at least nperseg = {call.nperseg}")
    return call.op.with_attrs(noverlap=overlap, nfft=points)


def _check_signal(call: Call) -> Shape:
    require(call, lambda d: d.category != "f8" and not d.is_complex, "real numbers")
    x = call.given[0]
    if x.rank == 0:
        raise call.error("RLX102", "a scalar is not a signal", fix="[…, time]")
    return x


def _padding(length: Size, nperseg: int, noverlap: int, boundary: bool, padded: bool) -> tuple[int, Size]:
    """Zeros before and after the signal: half a segment on both sides, and the rest of the last segment."""
    step, side = nperseg - noverlap, nperseg // 2 if boundary else 0
    total = length + 2 * side
    rest: Size = (nperseg - total) % step if padded and isinstance(total, int) else 0
    if padded and not isinstance(total, int):
        blocks = (total - nperseg + (step - 1)) // step
        rest = blocks * step - (total - nperseg)
    if padded and isinstance(total, int) and total < nperseg:
        rest = nperseg - total
    return side, side + rest


def _count_segments(length: Size, nperseg: int, noverlap: int) -> Size:
    step = nperseg - noverlap
    return (length - nperseg) // step + 1


def _stft_shape(call: Call) -> Shape:
    x = _check_signal(call)
    before, after = _padding(x.dims[-1], call.nperseg, call.noverlap, call.boundary, call.padded)
    length = x.dims[-1] + before + after
    call.check_at_most(call.nperseg, length, "points of a segment against the signal", code="RLX102", fix="a smaller nperseg")
    dims = (*x.dims[:-1], call.nfft // 2 + 1, _count_segments(length, call.nperseg, call.noverlap))
    return Shape.make(dims, complex_type(transformed_dtype(x.dtype)))


def _segments(x: Array, nperseg: int, noverlap: int) -> Array:
    """Cuts a signal into overlapping segments `[…, segment, point]`."""
    views = np.lib.stride_tricks.sliding_window_view(x, nperseg, -1)
    return views[..., :: nperseg - noverlap, :]


def _factor(window: Array, fs: float, scaling: str) -> float:
    """The factor of squared magnitudes in a scaled spectrum."""
    return float(1 / (fs * np.square(window).sum()) if scaling == "density" else 1 / np.square(window.sum()))


def _stft(
    x: Array, nperseg: int, noverlap: int, nfft: int, window: str, fs: float, boundary: bool, padded: bool, scaling: str
) -> Array:
    before, after = _padding(x.shape[-1], nperseg, noverlap, boundary, padded)
    signal = np.pad(double(x), [(0, 0)] * (x.ndim - 1) + [(before, int(after))])
    weights = window_values(window, nperseg)
    spectrum = np.fft.rfft(_segments(signal, nperseg, noverlap) * weights, nfft)
    return np.asarray(np.moveaxis(spectrum, -1, -2) * np.sqrt(_factor(weights, fs, scaling)))


def _segment_values(x: Value, nperseg: int, noverlap: int) -> Value:
    """Cuts a Value into segments `[…, segment, point]`, joined from slices of `step` points."""
    step, length = nperseg - noverlap, x.shape[-1]
    count = _count_segments(length, nperseg, noverlap)
    parts = []
    for start in range(0, nperseg, step):
        size = min(step, nperseg - start)
        # piece `start` of every segment: positions start + i·step … + size
        if size == step:
            run = slice_(x, start=(*(0,) * (x.rank - 1), start), stop=(*x.shape[:-1], start + count * step))
            parts.append(reshape(run, shape=(*x.shape[:-1], count, step)))
            continue
        last = start + (count - 1) * step + size
        filled = pad(
            narrow(x, axis=-1, start=start, length=last - start), low=(0,) * x.rank, high=(*(0,) * (x.rank - 1), step - size)
        )
        parts.append(narrow(reshape(filled, shape=(*x.shape[:-1], count, step)), axis=-1, start=0, length=size))
    return parts[0] if len(parts) == 1 else concat(*parts, axis=-1)


def _stft_by_rfft(
    x: Value, *, nperseg: int, noverlap: int, nfft: int, window: str, fs: float, boundary: bool, padded: bool, scaling: str
) -> Any:
    """Decomposes `stft`: weighted segments, then rfft; the scale is folded into the weights."""
    x = as_dtype(x, transformed_dtype(x.dtype))
    before, after = _padding(x.shape[-1], nperseg, noverlap, boundary, padded)
    zero = (0,) * (x.rank - 1)
    x = pad(x, low=(*zero, before), high=(*zero, after))
    weights = window_values(window, nperseg)
    scaled = constant(x.graph, weights * np.sqrt(_factor(weights, fs, scaling)), x.dtype)
    spectrum = rfft(_segment_values(x, nperseg, noverlap) * scaled, n=nfft)
    rank = x.rank + 1
    return transpose(spectrum, perm=(*range(rank - 2), rank - 1, rank - 2))


_SCALING = Attr("tag", "spectrum", parse=SignalScaling.parse, annotation="SignalScaling | str", help="spectrum or density")
stft = define_transform(
    "stft",
    "x",
    infer=_stft_shape,
    normalize=_normal_segments,
    reference=_stft,
    attrs={
        **_SEGMENTS,
        "boundary": Attr("bool", True, help="half a segment of zeros on both sides"),
        "padded": Attr("bool", True, help="zeros that complete the last segment"),
        "scaling": _SCALING,
    },
    doc="The short-time Fourier transform of real signals `[…, time]`, as the Zxx of scipy.signal.stft: `[…, frequency, segment]`.",
    tolerance=near_max(32),
    cost=lambda call, results: flops(call.nfft, results[0].num_elements // (call.nfft // 2 + 1)),
    decompose=_stft_by_rfft,
    cases=lambda: [
        case(sample(2, 50), note="half overlap", dtypes=("f32", "f64"), nperseg=16),
        case(sample(37), note="odd lengths, more points than a segment", nperseg=9, noverlap=4, nfft=12, window="hamming", fs=10.0),
        case(sample(1, 40), note="odd: nothing added", nperseg=10, noverlap=7, boundary=False, padded=False, window="blackman"),
    ],
)


# -- power ------------------------------------------------------------------------------------------------------
def _psd_shape(call: Call) -> Shape:
    x = _check_signal(call)
    call.check_at_most(call.nperseg, x.dims[-1], "points of a segment against the signal", code="RLX102", fix="a smaller nperseg")
    return Shape.make((*x.dims[:-1], call.nfft // 2 + 1), part_type(transformed_dtype(x.dtype)))


def _sides(nfft: int) -> Array:
    """The factors of a one-sided spectrum: 2 for entries that combine two frequencies of opposite sign."""
    sides = np.full(nfft // 2 + 1, 2.0)
    sides[0] = 1
    if nfft % 2 == 0:
        sides[-1] = 1
    return sides


def _psd(x: Array, nperseg: int, noverlap: int, nfft: int, window: str, fs: float, scaling: str, detrend: bool) -> Array:
    segments = _segments(double(x), nperseg, noverlap)
    segments = segments - segments.mean(-1, keepdims=True) if detrend else segments
    weights = window_values(window, nperseg)
    power = np.square(np.abs(np.fft.rfft(segments * weights, nfft))) * _factor(weights, fs, scaling) * _sides(nfft)
    return np.asarray(power.mean(-2))


def _psd_by_rfft(x: Value, *, nperseg: int, noverlap: int, nfft: int, window: str, fs: float, scaling: str, detrend: bool) -> Any:
    """Decomposes `psd`: the mean of squared rfft magnitudes of weighted segments."""
    x = as_dtype(x, transformed_dtype(x.dtype))
    segments = _segment_values(x, nperseg, noverlap)
    if detrend:
        segments = segments - reduce_mean(segments, axes=-1, keep_dim=True)
    weights = window_values(window, nperseg)
    power = complex_norm_sq(rfft(segments * constant(x.graph, weights, x.dtype), n=nfft))
    factors = constant(x.graph, _factor(weights, fs, scaling) * _sides(nfft), power.dtype)
    return reduce_mean(power, axes=-2, keep_dim=False) * factors


psd = define_transform(
    "psd",
    "x",
    infer=_psd_shape,
    normalize=_normal_segments,
    reference=_psd,
    attrs={
        **_SEGMENTS,
        "scaling": Attr("tag", "density", parse=SignalScaling.parse, annotation="SignalScaling | str", help="density or spectrum"),
        "detrend": Attr("bool", True, help="the mean of each segment is taken off"),
    },
    doc="The power spectral density of real signals `[…, time]` by Welch's method, as the Pxx of scipy.signal.welch.",
    tolerance=near_max(64),
    cost=lambda call, results: flops(call.nfft, call.given[0].num_elements // call.nfft + 1),
    decompose=_psd_by_rfft,
    cases=lambda: [
        case(sample(2, 64), note="half overlap", dtypes=("f32", "f64"), nperseg=16),
        case(sample(50), note="odd lengths", nperseg=9, noverlap=4, nfft=13, window="boxcar", fs=4.0, scaling="spectrum"),
        case(sample(1, 40), note="odd: one segment, mean kept", nperseg=40, noverlap=0, detrend=False),
    ],
)


# -- convolution ------------------------------------------------------------------------------------------------
def _conv_shape(call: Call) -> Shape:
    require(call, lambda d: d.category != "f8" and not d.is_complex, "real numbers")
    x, kernel = call.given
    if x.rank == 0 or kernel.rank == 0:
        raise call.error("RLX102", "a scalar is not a signal", fix="[…, time] and […, taps]")
    for name, shape in (("x", x), ("kernel", kernel)):
        call.check_at_most(1, shape.dims[-1], f"points of {name}", code="RLX102")
    n, m = x.dims[-1], kernel.dims[-1]
    if call.mode == "valid":
        call.check_at_most(m, n, "taps against points", code="RLX102", fix="mode='full', or swap the operands")
    length: Size = {"full": n + m - 1, "same": n, "valid": n - m + 1}[call.mode]
    dims = broadcast_dims(call, x.dims[:-1], kernel.dims[:-1])
    return Shape.make((*dims, length), transformed_dtype(promote(x.dtype, kernel.dtype)))


def fast_length(size: int) -> int:
    """The next power of two, as an FFT length."""
    return 1 << max(size - 1, 0).bit_length()


def _cut_of_mode(n: Any, m: Any, mode: str) -> tuple[Any, Any]:
    """Start and length of the part of n + m - 1 points that a convolution mode returns."""
    return {"full": (0, n + m - 1), "same": ((m - 1) // 2, n), "valid": (m - 1, n - m + 1)}[mode]


def _fft_conv(x: Array, kernel: Array, mode: str) -> Array:
    n, m = x.shape[-1], kernel.shape[-1]
    points = fast_length(n + m - 1)
    out = np.fft.irfft(np.fft.rfft(double(x), points) * np.fft.rfft(double(kernel), points), points)
    start, length = _cut_of_mode(n, m, mode)
    return out[..., start : start + length]


def _fft_conv_by_rfft(x: Value, kernel: Value, *, mode: str) -> Any:
    """Decomposes `fft_conv1d`: multiplies spectra in real and imaginary parts, then transforms back."""
    dtype = transformed_dtype(promote(x.dtype, kernel.dtype))
    n, m = x.shape[-1], kernel.shape[-1]
    points: Size = fast_length(n + m - 1) if isinstance(n, int) and isinstance(m, int) else n + m - 1
    a, b = (rfft(with_length(as_dtype(value, dtype), points)) for value in (x, kernel))
    product = complex_(real(a) * real(b) - imag(a) * imag(b), real(a) * imag(b) + imag(a) * real(b))
    start, length = _cut_of_mode(n, m, mode)
    return narrow(irfft(product, n=points), axis=-1, start=start, length=length)


fft_conv1d = define_transform(
    "fft_conv1d",
    "x, kernel",
    infer=_conv_shape,
    reference=_fft_conv,
    attrs={"mode": Attr("tag", "full", parse=ConvMode.parse, annotation="ConvMode | str", help="full, same or valid")},
    doc="The convolution along the last axis (the kernel reversed), as scipy.signal.fftconvolve; other axes broadcast.",
    tolerance=near_max(48),
    cost=lambda call, results: flops(results[0].dims[-1], 3),
    decompose=_fft_conv_by_rfft,
    batch=pointwise,
    cases=lambda: [
        case(sample(2, 20), sample(5), note="broadcast of the kernel", dtypes=("f32", "f64", "f16")),
        case(sample(3, 1, 9), sample(2, 4), note="broadcast both ways, odd", mode="same"),
        case(sample(17), sample(3), note="odd, valid", mode="valid"),
    ],
)
