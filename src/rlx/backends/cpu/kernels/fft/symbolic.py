"""Fourier transforms whose length is known only at run time: the same algorithms, with their stages in a loop.

A length that is a power of two uses Stockham's algorithm of radix 2, another through Bluestein's at the next
power of two m ≥ 2n - 1, which is below 4n: tables and buffers have that size. Three stages: twiddles, chirps, rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rlx.backends.cpu.emit import math as functions
from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import F64, I64, Value
from rlx.backends.cpu.kernels.fft.lines import FftLines, Pair, times
from rlx.backends.cpu.kernels.movement.runs import index_of, shares, unit_count
from rlx.core.dim import Size, ceildiv, product
from rlx.core.dtype import DType
from rlx.ir.graph import dense_strides

_SHARE = 4096


@dataclass(frozen=True)
class SymbolicRows(FftLines):
    """FFT rows of a symbolic number of points."""

    points: Size
    norm: str

    @property
    def room(self) -> Size:
        """Elements reserved for a buffer or table."""
        return self.points * 4


class _Work:
    """Emits the FFT of a symbolic length: its sizes as values, and the transform of a power of two."""

    def __init__(self, code: KernelCode, rows: SymbolicRows) -> None:
        self.code, self.k, self.rows, self.kind = code, code.code, rows, rows.kind
        k = self.k
        self.n, self.room = index_of(code, rows.points), index_of(code, rows.room)
        self.plain = k.popcount(self.n) == 1
        above = k.index(1) << (64 - k.count_leading_zeros(k.maximum(self.n * 2 - 2, 1)))
        self.m = k.select(self.plain, self.n, above)

    def pair(self, base: Value, first: int = 0) -> Pair:
        """Both halves (real and imaginary parts) of a table or buffer, one after the other."""
        k = self.k
        return k.pointer(base, self.room * first, self.kind), k.pointer(base, self.room * (first + 1), self.kind)

    def load(self, base: Pair, at: Value) -> Pair:
        """Load one complex number."""
        return self.k.load(base[0], at, self.kind), self.k.load(base[1], at, self.kind)

    def store(self, value: Pair, base: Pair, at: Value) -> None:
        """Store one complex number."""
        for part, target in zip(value, base, strict=True):
            self.k.store(part, target, at)

    def turn(self, angle: Value) -> Pair:
        """A point of the unit circle, at an angle."""
        k = self.k
        return k.convert(functions.cos(k, angle), self.kind), k.convert(functions.sin(k, angle), self.kind)

    def transform(self, source: Pair, other: Pair, twiddles: Pair) -> Pair:
        """Emit the forward FFT of m points; returns the buffers that hold the result."""
        k = self.k
        now, then = [k.var(part) for part in source], [k.var(part) for part in other]
        step, half = k.var(1, I64), self.m.udiv(2)
        with k.loop() as loop:
            loop.stop(step.get() >= self.m)
            x, y = (now[0].get(), now[1].get()), (then[0].get(), then[1].get())
            self._stage(step.get(), half, x, y, twiddles)
            for one, two, a, b in zip(now, then, x, y, strict=True):
                one.set(b)
                two.set(a)
            step.set(step.get() * 2)
        return now[0].get(), now[1].get()

    def _stage(self, step: Value, half: Value, x: Pair, y: Pair, twiddles: Pair) -> None:
        k, lanes = self.k, self.code.target.lanes(self.kind)
        full = step // lanes * lanes
        for start in k.range(0, half, step):
            turn = self.load(twiddles, start)
            for first, last, width in ((k.index(0), full, lanes), (full, step, 0)):
                wide = self.kind.vector(width)
                w = tuple(k.splat(part, width) if width else part for part in turn)
                for run in k.range(first, last, max(width, 1)):
                    at = start + run
                    a, b = ([k.load(part, where, wide) for part in x] for where in (at, at + half))
                    gap = (a[0] - b[0], a[1] - b[1])
                    twisted = times(gap, (w[0], w[1]))
                    for part in (0, 1):
                        k.store(a[part] + b[part], y[part], at + start)
                        k.store(twisted[part], y[part], at + start + step)


def _emit_turns(code: KernelCode, rows: SymbolicRows) -> None:
    """Emit the table of twiddle factors exp(-2πi·j/m)."""
    k, work = code.code, _Work(code, rows)
    table = work.pair(code.pointer(0))
    unit = k.constant(-2 * math.pi, F64) / k.convert(work.m, F64)
    for at in k.range(k.begin * _SHARE, k.minimum(k.end * _SHARE, work.m)):
        work.store(work.turn(k.convert(at, F64) * unit), table, at)


def _emit_chirps(code: KernelCode, rows: SymbolicRows) -> None:
    """Emit the chirp exp(-πi·j²/n), and the FFT of the conjugate chirp around 0 over m points; nothing for a power of two."""
    k, work = code.code, _Work(code, rows)
    twiddles, own, spectrum = (work.pair(code.pointer(i)) for i in range(3))
    one, two = work.pair(k.scratch), work.pair(k.scratch, 2)
    unit = k.constant(-math.pi, F64) / k.convert(work.n, F64)
    with k.when(~work.plain):
        zero = k.constant(0, rows.kind)
        for at in k.range(work.m):
            work.store((zero, zero), one, at)
        for at in k.range(work.n):
            re, im = work.turn(k.convert((at * at).urem(work.n * 2), F64) * unit)
            work.store((re, im), own, at)
            work.store((re, -im), one, at)
            work.store((re, -im), one, (work.m - at).urem(work.m))
        result = work.transform(one, two, twiddles)
        scale = k.convert(k.constant(1, F64) / k.convert(work.m, F64), rows.kind)
        for at in k.range(work.m):
            re, im = work.load(result, at)
            work.store((re * scale, im * scale), spectrum, at)


def _emit_rows(code: KernelCode, rows: SymbolicRows) -> None:
    """Emit the FFT of rows of symbolic length. Tensors: x, result, twiddles, chirp, spectrum."""
    k, work = code.code, _Work(code, rows)
    twiddles, own, spectrum = (work.pair(code.pointer(i)) for i in range(2, 5))
    one, two = work.pair(k.scratch), work.pair(k.scratch, 2)
    factor = _factor(code, rows, work)
    first, last = shares(code, product(rows.dims), rows.room * rows.kind.size * 2, align=1)
    for line in k.range(first, last):
        x, out = rows.addresses(code, line)

        def each(visit: Callable[[Value, Pair], None], x: Value = x) -> None:
            for at in k.range(work.n):
                visit(at, rows.read(code, x, at, 0))

        def write(at: Value, value: Pair, out: Value = out) -> None:
            rows.write(code, (value[0] * factor, value[1] * factor), out, at)

        with k.when(work.plain):
            each(lambda at, value: work.store(value, one, at))
            result = work.transform(one, two, twiddles)
            for at in k.range(work.n):
                write(at, work.load(result, at))
        with k.otherwise():
            for at in k.range(work.n, work.m):
                zero = k.constant(0, rows.kind)
                work.store((zero, zero), one, at)
            each(lambda at, value: work.store(times(value, work.load(own, at)), one, at))
            result = work.transform(one, two, twiddles)
            for at in k.range(work.m):
                re, im = times(work.load(result, at), work.load(spectrum, at))
                work.store((im, re), result, at)  # exchanged: the transform back
            other = tuple(k.select(a == b, c, b) for a, b, c in zip(result, one, two, strict=True))
            back = work.transform(result, (other[0], other[1]), twiddles)
            for at in k.range(work.n):
                im, re = work.load(back, at)
                write(at, times((re, im), work.load(own, at)))


def _factor(code: KernelCode, rows: SymbolicRows, work: _Work) -> Value:
    """The scale of the FFT's results."""
    k, count = code.code, code.code.convert(work.n, F64)
    one = k.constant(1, F64)
    if rows.norm == "ortho":
        return k.convert(one / k.sqrt(count), rows.kind)
    divided = rows.inverse if rows.norm == "backward" else not rows.inverse
    return k.convert(one / count if divided else one, rows.kind)


def lower_symbolic(rows: SymbolicRows) -> Lowering:
    """Lower an FFT of symbolic length: twiddles, chirps, then the rows."""
    room = (2, rows.room)
    tables = tuple(Tensor(DType.of(rows.kind.name), room, dense_strides(room)) for _ in range(3))
    scratch = rows.room * 4 * rows.kind.size
    units = unit_count(product(rows.dims), rows.room * rows.kind.size * 2)
    stages = (
        Stage(
            "fft_turns",
            ("fft_turns", rows.kind, rows.points),
            (2,),
            ceildiv(rows.room, _SHARE),
            lambda code: _emit_turns(code, rows),
        ),
        Stage("fft_chirps", ("fft_chirps", rows.kind, rows.points), (2, 3, 4), 1, lambda code: _emit_chirps(code, rows), scratch),
        Stage("fft", ("fft", rows), (0, 1, 2, 3, 4), units, lambda code: _emit_rows(code, rows), scratch),
    )
    return Lowering(stages, tables)
