"""`rlx.numpy.fft`: Fourier transforms with NumPy's arguments, over the ops on the last axis.

Results are c64, or c128 for f64 and c128; real ones f32 or f64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.dim import Size
from rlx.core.dtype import DTypeLike, f32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value, axes_of, axis_of, emit
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.movement import moveaxis
from rlx.ir.array_methods import Array
from rlx.ir.value import Value
from rlx.ops.fft import with_length
from rlx.runtime.array import ConcreteArray

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft", "irfft2",
    "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

Norm = str | None
Sizes = Sequence[Size] | None
Axes = Sequence[int] | None

_SWAPPED = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}


def _norm(norm: Norm) -> str:
    if norm not in _SWAPPED:
        raise RlxError("RLX109", f"norm={norm!r}", fix="'backward', 'ortho' or 'forward'")
    return norm or "backward"


def _on_axis(x: Value, axis: int, transform: Callable[[Value], Array]) -> Array:
    """Applies a transform of the last axis to another one."""
    axis = axis_of(axis, x.rank, "fft")
    if axis == x.rank - 1:
        return transform(x)
    return moveaxis(transform(as_value(moveaxis(x, axis, -1))), -1, axis)


def _complex(x: Value, n: Size | None, axis: int, norm: Norm, inverse: bool) -> Array:
    def transform(last: Value) -> Value:
        return emit("fft", last if n is None else with_length(last, n), inverse=inverse, norm=_norm(norm))

    return _on_axis(x, axis, transform)


@array_function
def fft(a: ArrayLike, n: Size | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """The Fourier transform along an axis, cut or filled with zeros to n points."""
    return _complex(as_value(a), n, axis, norm, inverse=False)


@array_function
def ifft(a: ArrayLike, n: Size | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """The inverse of `fft`."""
    return _complex(as_value(a), n, axis, norm, inverse=True)


@array_function
def rfft(a: ArrayLike, n: Size | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """The first half of the transform of real numbers: n // 2 + 1 points."""
    return _on_axis(as_value(a), axis, lambda last: emit("rfft", last, n=n, norm=_norm(norm)))


@array_function
def irfft(a: ArrayLike, n: Size | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """The inverse of `rfft`: n real numbers, 2 · (points - 1) by default."""
    return _on_axis(as_value(a), axis, lambda last: emit("irfft", last, n=n, norm=_norm(norm)))


@array_function
def hfft(a: ArrayLike, n: Size | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """The transform, real, of numbers that are symmetric with conjugation; a is their first half."""
    value = as_value(a)
    turned = emit("conjugate", value) if value.dtype.is_complex else value
    return irfft(turned, n, axis, _SWAPPED[_norm(norm)])


@array_function
def ihfft(a: ArrayLike, n: Size | None = None, axis: int = -1, norm: Norm = None) -> Value:
    """The inverse of `hfft`."""
    return emit("conjugate", rfft(as_value(a), n, axis, _SWAPPED[_norm(norm)]))


# -- several axes ---------------------------------------------------------------------------------------------------
def _axes_and_sizes(x: Value, s: Sizes, axes: Axes, what: str) -> tuple[tuple[int, ...], Sequence[Size | None]]:
    """The axes that an FFT transforms and the size of each; None keeps it."""
    if axes is None:
        places = tuple(range(x.rank - len(s), x.rank)) if s is not None else tuple(range(x.rank))
    else:
        places = axes_of(tuple(axes), x.rank, what)
    sizes: Sequence[Any] = [None] * len(places) if s is None else [None if size == -1 else size for size in s]
    if len(sizes) != len(places):
        raise RlxError("RLX109", f"{what} with s={s} and axes={axes}", fix="as many sizes as axes")
    return places, sizes


def _complex_axes(x: Value, s: Sizes, axes: Axes, norm: Norm, inverse: bool) -> Value:
    places, sizes = _axes_and_sizes(x, s, axes, "ifftn" if inverse else "fftn")
    for axis, size in zip(places, sizes, strict=True):
        if size is not None:
            x = as_value(_on_axis(x, axis, lambda last, size=size: with_length(last, size)))  # type: ignore[misc]
    return emit("ifftn" if inverse else "fftn", x, axes=places, norm=_norm(norm))


@array_function
def fftn(a: ArrayLike, s: Sizes = None, axes: Axes = None, norm: Norm = None) -> Value:
    """The Fourier transform along several axes, all by default; s are their sizes."""
    return _complex_axes(as_value(a), s, axes, norm, inverse=False)


@array_function
def ifftn(a: ArrayLike, s: Sizes = None, axes: Axes = None, norm: Norm = None) -> Value:
    """The inverse of `fftn`."""
    return _complex_axes(as_value(a), s, axes, norm, inverse=True)


@array_function
def rfftn(a: ArrayLike, s: Sizes = None, axes: Axes = None, norm: Norm = None) -> Array:
    """The transform of real numbers along several axes, the first half of it along the last of them."""
    value = as_value(a)
    places, sizes = _axes_and_sizes(value, s, axes, "rfftn")
    if not places:
        raise RlxError("RLX104", "rfftn along no axes", fix="at least one axis")
    spectrum = rfft(value, sizes[-1], places[-1], norm)
    for axis, size in zip(places[:-1], sizes[:-1], strict=True):
        spectrum = fft(spectrum, size, axis, norm)
    return spectrum


@array_function
def irfftn(a: ArrayLike, s: Sizes = None, axes: Axes = None, norm: Norm = None) -> Array:
    """The inverse of `rfftn`."""
    signal = as_value(a)
    places, sizes = _axes_and_sizes(signal, s, axes, "irfftn")
    if not places:
        raise RlxError("RLX104", "irfftn along no axes", fix="at least one axis")
    for axis, size in zip(places[:-1], sizes[:-1], strict=True):
        signal = as_value(ifft(signal, size, axis, norm))
    return irfft(signal, sizes[-1], places[-1], norm)


@array_function
def fft2(a: ArrayLike, s: Sizes = None, axes: Sequence[int] = (-2, -1), norm: Norm = None) -> Array:
    """`fftn` along two axes, the last by default."""
    return fftn(as_value(a), s, axes, norm)


@array_function
def ifft2(a: ArrayLike, s: Sizes = None, axes: Sequence[int] = (-2, -1), norm: Norm = None) -> Array:
    """The inverse of `fft2`."""
    return ifftn(as_value(a), s, axes, norm)


@array_function
def rfft2(a: ArrayLike, s: Sizes = None, axes: Sequence[int] = (-2, -1), norm: Norm = None) -> Array:
    """`rfftn` along two axes, the last by default."""
    return rfftn(as_value(a), s, axes, norm)


@array_function
def irfft2(a: ArrayLike, s: Sizes = None, axes: Sequence[int] = (-2, -1), norm: Norm = None) -> Array:
    """The inverse of `rfft2`."""
    return irfftn(as_value(a), s, axes, norm)


# -- frequencies ----------------------------------------------------------------------------------------------------
def _frequency(name: str, n: int, d: float, dtype: DTypeLike | None) -> Array:
    kind = f32 if dtype is None else named_dtype(dtype)
    return ConcreteArray(getattr(np.fft, name)(n, d).astype(kind.numpy))


def fftfreq(n: int, d: float = 1.0, *, dtype: DTypeLike | None = None, device: str | None = None) -> Array:
    """The frequency of each point of a transform of n samples at distance d."""
    return _frequency("fftfreq", n, d, dtype)


def rfftfreq(n: int, d: float = 1.0, *, dtype: DTypeLike | None = None, device: str | None = None) -> Array:
    """The frequency of each point of `rfft`."""
    return _frequency("rfftfreq", n, d, dtype)


def _rotate_axes(x: Value, axes: Any, cut: Callable[[Any], Any]) -> Value:
    """Rotates axes: the part of each axis behind an index, then the part before it."""
    for along in axes_of(axes, x.rank, "fftshift"):
        at = cut(x.shape[along])
        around = (slice(None),) * along
        x = emit("concat", x[(*around, slice(at, None))], x[(*around, slice(None, at))], axis=along)
    return x


@array_function
def fftshift(x: ArrayLike, axes: int | Sequence[int] | None = None) -> Value:
    """The zero frequency in the middle."""
    return _rotate_axes(as_value(x), axes, lambda size: size - size // 2)


@array_function
def ifftshift(x: ArrayLike, axes: int | Sequence[int] | None = None) -> Value:
    """The inverse of `fftshift`."""
    return _rotate_axes(as_value(x), axes, lambda size: size // 2)
