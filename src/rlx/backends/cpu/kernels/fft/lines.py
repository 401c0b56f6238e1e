"""The rows of a Fourier transform: their layout, how their complex numbers are loaded and stored, and the tables of all rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rlx.backends.cpu.emit import math as functions
from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.values import F64, Type, Value
from rlx.backends.cpu.kernels.complex import load_pair, store_pair
from rlx.backends.cpu.kernels.movement.runs import offset_of, unravel
from rlx.core.dim import Size

Pair = tuple[Value, Value]
"""Real and imaginary part."""


def times(a: Pair, b: Pair) -> Pair:
    """The product of complex numbers, as pairs of real and imaginary parts."""
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


@dataclass(frozen=True)
class FftLines:
    """The rows of an FFT in x and in the result: their sizes, the direction of the transform, and their layout."""

    kind: Type
    inverse: bool
    is_complex: bool
    dims: tuple[Size, ...]
    x_strides: tuple[Size, ...]
    out_strides: tuple[Size, ...]
    x_step: Size
    out_step: Size

    def addresses(self, code: KernelCode, line: Value) -> tuple[Value, Value]:
        """The addresses of one row of x and of the result."""
        point = unravel(code, line, self.dims)
        x = code.code.pointer(code.pointer(0), offset_of(code, point, self.x_strides) * (2 if self.is_complex else 1), self.kind)
        return x, code.code.pointer(code.pointer(1), offset_of(code, point, self.out_strides) * 2, self.kind)

    def read(self, code: KernelCode, x: Value, at: Value, lanes: int) -> Pair:
        """Load elements of x, imaginary parts 0 for real numbers; both parts exchanged for the inverse FFT. 0 lanes: one element."""
        k, index = code.code, at * code.size(self.x_step)
        if self.is_complex:
            re, im = load_pair(k, x, index, self.kind, lanes)
        else:
            re, im = k.load(x, index, self.kind.vector(lanes)), k.constant(0, self.kind.vector(lanes))
        return (im, re) if self.inverse else (re, im)

    def write(self, code: KernelCode, value: Pair, out: Value, at: Value) -> None:
        """Store elements of the FFT's result, already scaled."""
        re, im = (value[1], value[0]) if self.inverse else value
        store_pair(code.code, [re, im], out, at * code.size(self.out_step))


# -- the tables of Fourier transforms: twiddle factors, and the chirps of Bluestein's algorithm -----------------------
#
# Short ones are constants in the code; long ones are computed by separate stages. All are computed in f64.


Complex = npt.NDArray[np.complex128]
_SHARE = 4096


@dataclass(frozen=True)
class Tables:
    """Addresses of the real and imaginary parts of an FFT's tables."""

    twiddles: Pair
    chirp: Pair
    spectrum: Pair


def padded_length(points: int) -> int:
    """Points of the power-of-two FFT for a length: the length itself, or enough for Bluestein's convolution."""
    if points & (points - 1) == 0:
        return points
    return 1 << (2 * points - 2).bit_length()


def turns(points: int) -> Complex:
    """The twiddle factors exp(-2πi·j/points)."""
    result: Complex = np.exp(-2j * np.pi * np.arange(points) / points)
    return result


def chirp(points: int) -> Complex:
    """The chirp exp(-πi·j²/points); j² is reduced before it is a float."""
    squares = np.array([j * j % (2 * points) for j in range(points)], np.float64)
    result: Complex = np.exp(-1j * np.pi * squares / points)
    return result


def chirp_spectrum(points: int) -> Complex:
    """The FFT of the conjugate chirp on both sides of 0, divided by its length: the scale of the inverse transform."""
    size, conjugate = padded_length(points), np.conj(chirp(points))
    around = np.zeros(size, np.complex128)
    around[:points] = conjugate
    around[size - points + 1 :] = conjugate[1:][::-1]
    return np.fft.fft(around) / size


def tables_of(code: KernelCode, kind: Type, points: int, literal: bool, direct: bool) -> Tables:
    """The FFT's tables: constants of the module, or the temporaries after x and the result."""
    k, size = code.code, padded_length(points)
    if not literal:
        pairs = []
        for index, count in enumerate((size, points, size)):
            if 2 + index < len(code.tensors):
                base = code.pointer(2 + index)
                pairs.append((base, k.pointer(base, count, kind)))
        return Tables(pairs[0], pairs[-2] if len(pairs) > 2 else pairs[0], pairs[-1])

    def constant(values: Complex) -> Pair:
        return code.module.constant_array(values.real.tolist(), kind), code.module.constant_array(values.imag.tolist(), kind)

    if direct or size == points:
        twiddles = constant(turns(points))
        return Tables(twiddles, twiddles, twiddles)
    return Tables(constant(turns(size)), constant(chirp(points)), constant(chirp_spectrum(points)))


def _turn(code: KernelCode, angle: Value, kind: Type) -> Pair:
    k = code.code
    return k.convert(functions.cos(k, angle), kind), k.convert(functions.sin(k, angle), kind)


def emit_twiddles(code: KernelCode, kind: Type, points: int) -> None:
    """The twiddle factors of a power of two; a unit computes 4096 of them."""
    k = code.code
    base = code.pointer(0)
    imaginary = k.pointer(base, points, kind)
    for at in k.range(k.begin * _SHARE, k.minimum(k.end * _SHARE, points)):
        angle = k.convert(at, F64) * (-2 * math.pi / points)  # exact: points is a power of two
        re, im = _turn(code, angle, kind)
        k.store(re, base, at)
        k.store(im, imaginary, at)


def emit_chirps(code: KernelCode, kind: Type, points: int, transform: Callable[..., Pair]) -> None:
    """Emit the chirp, and the FFT of the conjugate chirp around 0, divided by its length. Tensors: twiddles, chirp, spectrum."""
    k, size = code.code, padded_length(points)
    pairs = [(code.pointer(i), k.pointer(code.pointer(i), count, kind)) for i, count in enumerate((size, points, size))]
    twiddles, own, spectrum = pairs
    buffers = [k.pointer(k.scratch, part * size, kind) for part in range(4)]
    one, two = (buffers[0], buffers[1]), (buffers[2], buffers[3])
    for _ in k.range(k.begin, k.end):
        for at in k.range(size):
            for target in one:
                k.store(0.0, target, at, kind)
        for at in k.range(points):
            square = (at * at).urem(2 * points)
            re, im = _turn(code, k.convert(square, F64) * -math.pi / points, kind)
            k.store(re, own[0], at)
            k.store(im, own[1], at)
            for mirror in (at, (size - at).urem(size)):
                k.store(re, one[0], mirror)
                k.store(-im, one[1], mirror)
        result = transform(code, kind, size, one, two, twiddles)
        for at in k.range(size):
            for source, target in zip(result, spectrum, strict=True):
                k.store(k.load(source, at, kind) * (1.0 / size), target, at)
