"""The rows of a Fourier transform: their layout, and how their complex numbers are read and written."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.types import Type
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.complex import load_pair, store_pair
from rlx.backends.cpu.kernels.movement.runs import offset_of, unravel
from rlx.core.dim import Size

Pair = tuple[Value, Value]
"""Real and imaginary part."""


def times(a: Pair, b: Pair) -> Pair:
    """The product of complex numbers."""
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


@dataclass(frozen=True)
class FftLines:
    """Rows of x and of the result: their sizes, the direction of the transform, and their layout."""

    kind: Type
    inverse: bool
    is_complex: bool
    dims: tuple[Size, ...]
    x_strides: tuple[Size, ...]
    out_strides: tuple[Size, ...]
    x_step: Size
    out_step: Size

    def addresses(self, code: KernelCode, line: Value) -> tuple[Value, Value]:
        """The first numbers of one row of x and of the result."""
        places = unravel(code, line, self.dims)
        x = code.code.pointer(code.pointer(0), offset_of(code, places, self.x_strides) * (2 if self.is_complex else 1), self.kind)
        return x, code.code.pointer(code.pointer(1), offset_of(code, places, self.out_strides) * 2, self.kind)

    def read(self, code: KernelCode, x: Value, at: Value, lanes: int) -> Pair:
        """Elements of x, imaginary parts 0 for real numbers; exchanged for the inverse. 0 lanes: one element."""
        k, place = code.code, at * code.size(self.x_step)
        if self.is_complex:
            re, im = load_pair(k, x, place, self.kind, lanes)
        else:
            re, im = k.load(x, place, self.kind.vector(lanes)), k.constant(0, self.kind.vector(lanes))
        return (im, re) if self.inverse else (re, im)

    def write(self, code: KernelCode, value: Pair, out: Value, at: Value) -> None:
        """Elements of the result, scaled already."""
        re, im = (value[1], value[0]) if self.inverse else value
        store_pair(code.code, [re, im], out, at * code.size(self.out_step))
