"""Random numbers: Philox4x32-10, and the ops based on it: random_bits, random_uniform, random_normal, dropout.

The bits are those of `rlx.ops.random`: element i is lane i % 4 of the block with the counter (i // 4, stream, counter
low, counter high). A vector holds the same word of adjacent blocks; four words interleaved are the elements in
order. Shares of a unit are multiples of 64 elements, so every unit starts at a block. Draws of several keys or counters
are rows, each from block 0; then units are shares of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.math import CpuAlgebra
from rlx.backends.cpu.emit.values import F32, F64, I32, I64, Type, Value, type_of
from rlx.backends.cpu.kernels.movement.runs import index_of, share_of, shares, unit_count
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, product
from rlx.core.dtype import DType
from rlx.formulas.random import normal_pair, philox, uniform
from rlx.ir.op import Op


class RandomSource:
    """The key and counter of a random op, loaded once per kernel, or once per row where there are several."""

    def __init__(self, code: KernelCode, key: int, counter: int, stream: int, row: Value | None = None) -> None:
        k = code.code
        self.k, self.stream = k, stream
        keys, counters = code.tensors[key], code.tensors[counter]
        assert keys is not None and counters is not None
        words, number = code.pointer(key), code.pointer(counter)
        if row is not None and len(keys.dims) == 2:
            words = k.pointer(words, row * code.size(keys.strides[0]), I32)
        if row is not None and counters.dims:
            number = k.pointer(number, row * code.size(counters.strides[0]), I64)
        self.key = [k.load(words, index * code.size(keys.strides[-1]), I32) for index in range(2)]
        self.counter = [k.load(number, index, I32) for index in range(2)]

    def words(self, block: Value) -> list[Value]:
        """The four random words of a block, or of a vector of blocks."""
        return philox(CpuAlgebra(self.k), block, self.stream, self.key, self.counter)


def _interleaved(k: Function, words: Sequence[Value]) -> list[Value]:
    """Interleave four vectors of words, block by block, as four vectors of elements in order."""
    lanes = words[0].type.lanes
    half = lanes // 2
    pairs = []
    for a, b in (words[:2], words[2:]):
        for start in (0, half):
            pairs.append(k.shuffle(a, b, [start + lane // 2 + lanes * (lane % 2) for lane in range(lanes)]))
    elements = []
    for low, high in ((pairs[0], pairs[2]), (pairs[1], pairs[3])):
        for start in (0, half):
            order = [start + lane // 4 * 2 + lane % 2 + (lanes if lane % 4 > 1 else 0) for lane in range(lanes)]
            elements.append(k.shuffle(low, high, order))
    return elements


Make = Callable[[Sequence[Value], Value], list[Value]]


class _Elements:
    """Writes a draw's elements in vectors of adjacent blocks. A partial step uses a buffer, so that the code is emitted once."""

    def __init__(self, code: KernelCode, kind: Type, *, reads: bool) -> None:
        self.code, self.kind, self.reads = code, kind, reads
        self.step = 4 * code.target.lanes(I32)
        self.given, self.made = (code.code.alloca(kind, self.step) for _ in range(2))

    def write(self, x: Value, out: Value, first: Value, last: Value, source: RandomSource, make: Make) -> None:
        """Store the vectors that `make(words, address of x's elements)` returns, as the elements [first, last) of out."""
        k, kind, step = self.code.code, self.kind, self.step
        lanes = step // 4
        rest = k.maximum(last - first, 0) % step
        if self.reads:
            for place in k.range(rest):
                k.store(k.load(x, last - rest + place, kind), self.given, place)
        for at in k.range(first, last, step):
            whole = at + step <= last
            read = k.select(whole, k.pointer(x, at, kind), self.given) if self.reads else x
            written = k.select(whole, k.pointer(out, at, kind), self.made)
            block = k.iota(I32.vector(lanes)) + k.convert(at // 4, I32)
            for index, elements in enumerate(make(source.words(block), read)):
                k.store(k.convert(elements, kind), written, index * lanes)
        for place in k.range(rest):
            k.store(k.load(self.made, place, kind), out, last - rest + place)


# -- draws ------------------------------------------------------------------------------------------------------
def _drawing(k: Function, name: str, kind: Type) -> Make:
    """The function that converts random words to elements of a draw."""
    m, compute = CpuAlgebra(k), DType.of("f64" if kind == F64 else "f32")

    def bits(words: Sequence[Value], _: Value) -> list[Value]:
        return _interleaved(k, words)

    def uniforms(words: Sequence[Value], _: Value) -> list[Value]:
        return [uniform(m, bits, compute) for bits in _interleaved(k, words)]

    def normals(words: Sequence[Value], _: Value) -> list[Value]:
        return _interleaved(k, (*normal_pair(m, compute, *words[:2]), *normal_pair(m, compute, *words[2:])))

    return {"random_bits": bits, "random_uniform": uniforms, "random_normal": normals}[name]


def _emit_drawn(code: KernelCode, total: Size, kind: Type, stream: int, name: str) -> None:
    source, make, out = RandomSource(code, 0, 1, stream), _drawing(code.code, name, kind), code.pointer(2)
    first, last = shares(code, total, kind.size)
    _Elements(code, kind, reads=False).write(out, out, first, last, source, make)


def _emit_rows(code: KernelCode, rows: Size, count: Size, kind: Type, stream: int, name: str) -> None:
    """Emit draws of several keys or counters: `count` elements of each."""
    k = code.code
    units = unit_count(rows * count, kind.size)
    first, last = share_of(code, rows, units, 1, k.begin, k.end)
    elements, make, length = _Elements(code, kind, reads=False), _drawing(k, name, kind), index_of(code, count)
    for row in k.range(first, last):
        out = k.pointer(code.pointer(2), row * length, kind)
        elements.write(out, out, k.index(0), length, RandomSource(code, 0, 1, stream, row), make)


def lower_drawn(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower random_bits in u32, random_uniform and random_normal in all float types."""
    key, counter = inputs
    assert key is not None and counter is not None
    out, stream = outputs[0], op.attrs["stream"]
    total, kind = product(out.dims), type_of(out.dtype.name)
    if len(key.dims) == 1 and not counter.dims:
        emit = partial(_emit_drawn, total=total, kind=kind, stream=stream, name=op.name)
    else:
        count = product(out.dims[1:])
        emit = partial(_emit_rows, rows=out.dims[0], count=count, kind=kind, stream=stream, name=op.name)
    return Lowering((Stage(op.name, (op.name, stream), (0, 1, 2), unit_count(total, kind.size), emit),))


def _emit_dropout(code: KernelCode, total: Size, kind: Type, stream: int, rate: float) -> None:
    k = code.code
    compute = F64 if kind == F64 else F32
    scale = 1 / (1 - rate) if rate < 1 else 0.0
    threshold = -int(-rate * 2**24 // 1)  # rounded up: an element is kept iff bits >> 8 is at least this

    def make(words: Sequence[Value], x: Value) -> list[Value]:
        kept = []
        for index, bits in enumerate(_interleaved(k, words)):
            lanes = bits.type.lanes
            element = k.convert(k.load(x, index * lanes, kind.vector(lanes)), compute)
            kept.append(k.select(bits.ushr(8) >= threshold, element * scale, 0.0))
        return kept

    source, x, out = RandomSource(code, 1, 2, stream), code.pointer(0), code.pointer(3)
    first, last = shares(code, total, kind.size)
    _Elements(code, kind, reads=True).write(x, out, first, last, source, make)


def lower_dropout(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `dropout` of dense tensors of all float types."""
    x = inputs[0]
    assert x is not None
    if not x.is_dense:
        return "dropout of a view that is not dense"
    total, kind, stream, rate = product(x.dims), type_of(x.dtype.name), op.attrs["stream"], op.attrs["rate"]
    emit = partial(_emit_dropout, total=total, kind=kind, stream=stream, rate=rate)
    stage = Stage("dropout", ("dropout", stream, rate), (0, 1, 2, 3), unit_count(total, kind.size), emit)
    return Lowering((stage,), in_place=((0, 0),))


LOWER: dict[str, Lower] = {
    "random_bits": lower_drawn,
    "random_uniform": lower_drawn,
    "random_normal": lower_drawn,
    "dropout": lower_dropout,
}
"""The ops of this file by name."""
