"""Fourier transforms of rows, and the frequencies of their entries.

Lengths that are a power of two go through Stockham's algorithm: stages of radix 4 (and 2) from one pair of buffers to
another, real and imaginary parts separate, every load and store a contiguous vector. Other lengths become a convolution of
such a length (Bluestein's algorithm); very short ones are summed directly. An inverse transform is the forward one with
real and imaginary parts exchanged on the way in and out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import F64, Type, Value, type_of
from rlx.backends.cpu.kernels.complex import part_kind
from rlx.backends.cpu.kernels.fft.lines import FftLines, Pair, Tables, emit_chirps, emit_twiddles, padded_length, tables_of, times
from rlx.backends.cpu.kernels.fft.symbolic import SymbolicRows, lower_symbolic
from rlx.backends.cpu.kernels.movement.runs import index_of, merge_axes, shares, unit_count
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, product
from rlx.core.dtype import DType
from rlx.ir.graph import dense_strides
from rlx.ir.op import Op

_DIRECT = 7
"""Up to this length a transform is summed directly."""
_LITERAL = 8192
"""Tables up to this length are constants in the code; longer ones are computed before each run."""


def rows_lanes(points: int, kind: Type, target: Target) -> int:
    """Lanes of an FFT's vectors: as many as half of the points fill."""
    return min(target.lanes(kind), points // 2)


# -- powers of two ----------------------------------------------------------------------------------------------
def transform(code: KernelCode, kind: Type, points: int, source: Pair, other: Pair, twiddles: Pair) -> Pair:
    """Emit the forward FFT of a buffer pair; returns the pair that holds the result, `source` or `other`."""
    lanes, step = rows_lanes(points, kind, code.target), 1
    while step < points:
        if step >= lanes and points // step >= 4:
            _radix_4(code.code, kind, points, step, lanes, source, other, twiddles)
            step *= 4
        else:
            emit = _radix_2 if step >= lanes else _radix_2_within
            emit(code.code, kind, points, step, lanes, source, other, twiddles)
            step *= 2
        source, other = other, source
    return source


def _load(k: Function, base: Pair, at: Value, kind: Type, lanes: int) -> Pair:
    return k.load(base[0], at, kind.vector(lanes)), k.load(base[1], at, kind.vector(lanes))


def _store(k: Function, value: Pair, base: Pair, at: Value) -> None:
    for part, target in zip(value, base, strict=True):
        k.store(part, target, at)


def _splat(k: Function, table: Pair, at: Value, kind: Type, lanes: int) -> Pair:
    return k.splat(k.load(table[0], at, kind), lanes), k.splat(k.load(table[1], at, kind), lanes)


def _add(a: Pair, b: Pair) -> Pair:
    return a[0] + b[0], a[1] + b[1]


def _subtract(a: Pair, b: Pair) -> Pair:
    return a[0] - b[0], a[1] - b[1]


def _radix_2_within(k: Function, kind: Type, points: int, step: int, lanes: int, x: Pair, y: Pair, table: Pair) -> None:
    """Emit a radix-2 stage whose runs are shorter than a vector: sums and differences are interleaved in runs of `step`."""
    half = points // 2
    spread = [lane // step * step for lane in range(lanes)]
    order = [
        lane // (2 * step) * step + (lane % (2 * step) if lane % (2 * step) < step else lanes + lane % (2 * step) - step)
        for lane in range(2 * lanes)
    ]
    for at in k.range(0, half, lanes):
        a, b = _load(k, x, at, kind, lanes), _load(k, x, at + half, kind, lanes)
        w = tuple(k.shuffle(part, None, spread) for part in _load(k, table, at, kind, lanes))
        total, twisted = _add(a, b), times(_subtract(a, b), (w[0], w[1]))
        for first in (0, lanes):
            picked = order[first : first + lanes]
            mixed = (k.shuffle(total[0], twisted[0], picked), k.shuffle(total[1], twisted[1], picked))
            _store(k, mixed, y, at * 2 + first)


def _radix_2(k: Function, kind: Type, points: int, step: int, lanes: int, x: Pair, y: Pair, table: Pair) -> None:
    half = points // 2
    for start in k.range(0, half, step):
        w = _splat(k, table, start, kind, lanes)
        for run in k.range(0, step, lanes):
            at = start + run
            a, b = _load(k, x, at, kind, lanes), _load(k, x, at + half, kind, lanes)
            _store(k, _add(a, b), y, start * 2 + run)
            _store(k, times(_subtract(a, b), w), y, start * 2 + run + step)


def _radix_4(k: Function, kind: Type, points: int, step: int, lanes: int, x: Pair, y: Pair, table: Pair) -> None:
    quarter = points // 4
    for start in k.range(0, quarter, step):
        turns = [_splat(k, table, start * (r + 1), kind, lanes) for r in range(3)]
        for run in k.range(0, step, lanes):
            at = start + run
            a, b, c, d = (_load(k, x, at + part * quarter, kind, lanes) for part in range(4))
            even, odd = _add(a, c), _subtract(a, c)
            sums, gaps = _add(b, d), _subtract(b, d)
            minus = (odd[0] + gaps[1], odd[1] - gaps[0])  # odd - i·gaps
            plus = (odd[0] - gaps[1], odd[1] + gaps[0])
            parts = [_add(even, sums), minus, _subtract(even, sums), plus]
            for part, value in enumerate(parts):
                _store(k, value if part == 0 else times(value, turns[part - 1]), y, start * 4 + run + part * step)


# -- rows -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class FftRows(FftLines):
    """FFT rows of `points` points, and the scale of the results."""

    points: int
    factor: float

    @property
    def padded(self) -> int:
        """Points of the padded power-of-two FFT."""
        return padded_length(self.points)


class _FftRow:
    """Emits the FFT of one row: its addresses, and its buffers in scratch."""

    def __init__(self, code: KernelCode, rows: FftRows, x: Value, out: Value) -> None:
        self.code, self.k, self.rows, self.x, self.out = code, code.code, rows, x, out
        size = max(rows.padded, 8)
        buffers = [self.k.pointer(self.k.scratch, part * size, rows.kind) for part in range(4)]
        self.first, self.second = (buffers[0], buffers[1]), (buffers[2], buffers[3])

    def _each(self, count: int, step: Size, visit: Callable[[Value, int], None]) -> None:
        """The offsets of a row's elements: by vectors if the row is contiguous, else one at a time."""
        lanes = self.code.target.lanes(self.rows.kind)
        end = count // lanes * lanes if isinstance(step, int) and step == 1 else 0
        for at in self.k.range(0, end, lanes):
            visit(at, lanes)
        for at in self.k.range(end, count):
            visit(at, 0)

    def read(self, at: Value, lanes: int) -> Pair:
        """Load elements of x; 0 lanes: one element."""
        return self.rows.read(self.code, self.x, at, lanes)

    def write(self, value: Pair, at: Value) -> None:
        """Store elements of the result, scaled."""
        factor = self.rows.factor
        scaled = value if factor == 1 else (value[0] * factor, value[1] * factor)
        self.rows.write(self.code, scaled, self.out, at)

    def direct(self, twiddles: Pair) -> None:
        """Compute the DFT of a row directly: sums over all points."""
        k, n, kind = self.k, self.rows.points, self.rows.kind
        for number in k.range(n):
            total = [k.var(0, kind), k.var(0, kind)]
            for at in k.range(n):
                turn = (at * number).urem(n)
                w = (k.load(twiddles[0], turn, kind), k.load(twiddles[1], turn, kind))
                for sum_, part in zip(total, times(self.read(at, 0), w), strict=True):
                    sum_.set(sum_.get() + part)
            self.write((total[0].get(), total[1].get()), number)

    def power_of_two(self, twiddles: Pair) -> None:
        """Compute the FFT of a power of two: load into scratch, transform stage by stage, store."""
        rows, k = self.rows, self.k
        self._each(rows.points, rows.x_step, lambda at, lanes: _store(k, self.read(at, lanes), self.first, at))
        result = transform(self.code, rows.kind, rows.points, self.first, self.second, twiddles)
        self._each(rows.points, rows.out_step, lambda at, lanes: self.write(_load(k, result, at, rows.kind, lanes), at))

    def bluestein(self, tables: Tables) -> None:
        """Compute a row's DFT by Bluestein: multiply by a chirp, convolve with the conjugate chirp, multiply by the chirp again."""
        rows, k, kind, size = self.rows, self.k, self.rows.kind, self.rows.padded
        one, two = self.first, self.second
        lanes = rows_lanes(size, kind, self.code.target)
        for at in k.range(0, size, lanes):
            zero = k.constant(0, kind.vector(lanes))
            _store(k, (zero, zero), one, at)

        def turn_in(at: Value, width: int) -> None:
            _store(k, times(self.read(at, width), _load(k, tables.chirp, at, kind, width)), one, at)

        self._each(rows.points, rows.x_step, turn_in)
        result = transform(self.code, kind, size, one, two, tables.twiddles)
        other = two if result is one else one
        for at in k.range(0, size, lanes):
            product_ = times(_load(k, result, at, kind, lanes), _load(k, tables.spectrum, at, kind, lanes))
            _store(k, (product_[1], product_[0]), result, at)  # exchanged: the transform back
        result = transform(self.code, kind, size, result, other, tables.twiddles)

        def turn_out(at: Value, width: int) -> None:
            im, re = _load(k, result, at, kind, width)
            self.write(times((re, im), _load(k, tables.chirp, at, kind, width)), at)

        self._each(rows.points, rows.out_step, turn_out)


def _emit_transforms(code: KernelCode, rows: FftRows, literal: bool) -> None:
    """Emit the FFT of rows. Tensors: x, result, and the tables where they are not constants."""
    k = code.code
    tables = tables_of(code, rows.kind, rows.points, literal, direct=rows.points <= _DIRECT)
    first, last = shares(code, product(rows.dims), _row_bytes(rows), align=1)
    for line in k.range(first, last):
        row = _FftRow(code, rows, *rows.addresses(code, line))
        if rows.points <= _DIRECT:
            row.direct(tables.twiddles)
        elif rows.points == rows.padded:
            row.power_of_two(tables.twiddles)
        else:
            row.bluestein(tables)


def _row_bytes(rows: FftRows) -> int:
    return rows.padded * rows.kind.size * 8


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower the FFT of f32, f64 and complex rows of any length and view; a symbolic length uses the slower code of `symbolic.py`."""
    (x,), out = inputs, outputs[0]
    assert x is not None
    points = x.dims[-1]
    if x.dtype.name not in ("f32", "f64", "c64", "c128"):
        return f"a transform of {x.dtype}: cast it first"
    inverse, norm = op.attrs["inverse"], op.attrs["norm"]
    dims, (x_strides, out_strides) = (
        merge_axes(x.dims[:-1], x.strides[:-1], out.strides[:-1]) if len(x.dims) > 1 else ((1,), ((0,), (0,)))
    )
    lines = (part_kind(out.dtype), inverse, x.dtype.is_complex, dims, x_strides, out_strides, x.strides[-1], out.strides[-1])
    if not isinstance(points, int):
        return lower_symbolic(SymbolicRows(*lines, points, norm))
    divided = {"backward": inverse, "forward": not inverse, "ortho": False}[norm]
    factor = 1 / math.sqrt(points) if norm == "ortho" else 1 / points if divided else 1.0
    rows = FftRows(*lines, points, factor)
    literal = rows.padded <= _LITERAL
    scratch = 4 * max(rows.padded, 8) * rows.kind.size
    units = unit_count(product(dims), _row_bytes(rows))
    if literal:
        stage = Stage("fft", ("fft", rows), (0, 1), units, lambda code: _emit_transforms(code, rows, True), scratch)
        return Lowering((stage,))
    return _with_tables(rows, units, scratch)


def _with_tables(rows: FftRows, units: Size, scratch: int) -> Lowering:
    """The commands of a long FFT: twiddles, then for lengths that are not powers of two the chirps and their spectrum, then the rows."""
    size, kind, dtype = rows.padded, rows.kind, DType.of(rows.kind.name)
    sizes = [size] if size == rows.points else [size, rows.points, size]
    temporaries = tuple(Tensor(dtype, (2, count), dense_strides((2, count))) for count in sizes)
    stages = [
        Stage("fft_twiddles", ("fft_twiddles", kind, size), (2,), -(-size // 4096), lambda code: emit_twiddles(code, kind, size))
    ]
    if size != rows.points:
        chirps = Stage(
            "fft_chirps",
            ("fft_chirps", kind, rows.points),
            (2, 3, 4),
            1,
            lambda code: emit_chirps(code, kind, rows.points, transform),
            scratch,
        )
        stages.append(chirps)
    operands = (0, 1, *range(2, 2 + len(sizes)))
    stages.append(Stage("fft", ("fft", rows), operands, units, lambda code: _emit_transforms(code, rows, False), scratch))
    return Lowering(tuple(stages), temporaries)


# -- frequencies ------------------------------------------------------------------------------------------------
def _emit_frequencies(code: KernelCode, points: Size, distance: float, count: Size, negative: bool, kind: Type) -> None:
    """Emit k/(n·d); for `fftfreq`, k counts from 0 up to half of n, then the negative ones."""
    k, n = code.code, index_of(code, points)
    first, last = shares(code, count, kind.size)
    scale = k.constant(1.0, F64) / (k.convert(n, F64) * distance)
    for at in k.range(first, last):
        number = k.select(at < (n + 1).udiv(2), at, at - n) if negative else at
        k.store(k.convert(k.convert(number, F64) * scale, kind), code.pointer(0), at)


def lower_frequencies(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower fftfreq and rfftfreq."""
    out, attrs = outputs[0], op.attrs
    kind = type_of(out.dtype.name)
    key = (op.name, attrs["n"], attrs["d"], kind)

    def emit(code: KernelCode) -> None:
        _emit_frequencies(code, attrs["n"], attrs["d"], out.dims[0], op.name == "fftfreq", kind)

    return Lowering((Stage(op.name, key, (0,), unit_count(out.dims[0], kind.size), emit),))


LOWER: dict[str, Lower] = {"fft": lower, "fftfreq": lower_frequencies, "rfftfreq": lower_frequencies}
"""The ops of this file by name."""
