"""Random numbers: Philox4x32-10, and what is made of its bits: random_uniform, random_normal, dropout, sample.

The bits are those of `rlx.ops.random`: element i is lane i % 4 of the block with the counter (i // 4, stream, counter low,
counter high). A vector holds the same word of neighbouring blocks; four words interleaved are the elements in order.
Shares of a unit are multiples of 64 elements, so every unit starts at a block.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rlx.backends.cpu.builder import F32, F64, I32, I64, Function, Type, Value, type_of
from rlx.backends.cpu.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.kernels.movement import shares, unit_count
from rlx.backends.cpu.math import cos, log, sin
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, product
from rlx.ir.op import Op

__all__ = ["LOWER", "Source", "uniform"]

_ROUNDS = 10
_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)

Words = tuple[Value, Value, Value, Value]


class Source:
    """The key and counter of a random op, read once in a kernel."""

    def __init__(self, code: KernelCode, key: int, counter: int, stream: int) -> None:
        k = code.code
        self.k, self.stream = k, stream
        self.key = [k.load(code.pointer(key), index, I32) for index in range(2)]
        self.counter = [k.load(code.pointer(counter), index, I32) for index in range(2)]

    def words(self, block: Value) -> Words:
        """The four words of a block, or of a vector of blocks."""
        k, kind = self.k, block.type
        c0, c1, c2, c3 = (k.coerce(word, kind) for word in (block, self.stream, *self.counter))
        key = list(self.key)
        for _ in range(_ROUNDS):
            first, second = (k.constant(number, kind) for number in _MULTIPLIERS)
            high, low = (k.multiply_high(c0, first), k.multiply_high(c2, second)), (c0 * first, c2 * second)
            c0, c1, c2, c3 = high[1] ^ c1 ^ k.coerce(key[0], kind), low[1], high[0] ^ c3 ^ k.coerce(key[1], kind), low[0]
            key = [word + step for word, step in zip(key, _KEY_STEPS, strict=True)]
        return c0, c1, c2, c3


def uniform(k: Function, bits: Value, kind: Type) -> Value:
    """(bits >> 8) · 2⁻²⁴ in f32 or f64."""
    return k.convert(bits.ushr(8), kind) * 2.0**-24


def _interleaved(k: Function, words: Words) -> list[Value]:
    """Four vectors of words, block by block, as four vectors of elements in order."""
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


def _emit_elements(code: KernelCode, total: Size, size: int, source: Source, make: Callable[[Words], Words], use: Callable[[Value, Value, Value | None], None]) -> None:
    """`use(elements, index, count or None for all lanes)` for the numbers that `make` makes of the words."""
    k = code.code
    lanes = code.target.lanes(I32)
    first, last = shares(code, total, size)
    whole = k.maximum(first + (last - first) // (4 * lanes) * (4 * lanes), first)

    def blocks(at: Value) -> list[Value]:
        block = k.iota(I32.vector(lanes)) + k.convert(at // 4, I32)
        return _interleaved(k, make(source.words(block)))

    for at in k.range(first, whole, 4 * lanes):
        for index, elements in enumerate(blocks(at)):
            use(elements, at + index * lanes, None)
    with k.when(whole < last):
        for index, elements in enumerate(blocks(whole)):
            start = whole + index * lanes
            use(elements, start, k.minimum(k.maximum(last - start, 0), lanes))


def _store(code: KernelCode, value: Value, out: Value, index: Value, count: Value | None) -> None:
    k = code.code
    if count is None:
        k.store(value, out, index)
    else:
        k.store_masked(value, out, index, count)


# -- draws ------------------------------------------------------------------------------------------------------
def _emit_drawn(code: KernelCode, total: Size, kind: Type, stream: int, normal: bool) -> None:
    k = code.code
    compute = F64 if kind == F64 else F32

    def pair(a: Value, b: Value) -> tuple[Value, Value]:
        radius = k.sqrt(log(k, 1.0 - uniform(k, a, compute)) * -2.0)
        angle = uniform(k, b, compute) * 6.283185307179586
        return radius * cos(k, angle), radius * sin(k, angle)

    def make(words: Words) -> Words:
        if normal:
            return (*pair(*words[:2]), *pair(*words[2:]))
        a, b, c, d = (uniform(k, word, compute) for word in words)
        return a, b, c, d

    def use(elements: Value, index: Value, count: Value | None) -> None:
        _store(code, k.convert(elements, kind), code.pointer(2), index, count)

    _emit_elements(code, total, kind.size, Source(code, 0, 1, stream), make, use)


def lower_drawn(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """random_uniform and random_normal in all floats."""
    out, stream = outputs[0], op.attrs["stream"]
    total, kind, normal = product(out.dims), type_of(out.dtype.name), op.name == "random_normal"
    emit = partial(_emit_drawn, total=total, kind=kind, stream=stream, normal=normal)
    return Lowering((Stage(op.name, (op.name, stream), (0, 1, 2), unit_count(total, kind.size), emit),))


def _emit_dropout(code: KernelCode, total: Size, kind: Type, stream: int, rate: float) -> None:
    k = code.code
    compute = F64 if kind == F64 else F32
    scale = 1 / (1 - rate) if rate < 1 else 0.0
    threshold = -int(-rate * 2**24 // 1)  # rounded up: an element stays iff bits >> 8 is at least this

    def use(bits: Value, index: Value, count: Value | None) -> None:
        wide = kind.vector(bits.type.lanes)
        x = k.load(code.pointer(0), index, wide) if count is None else k.load_masked(code.pointer(0), index, count, wide)
        kept = k.select(bits.ushr(8) >= threshold, k.convert(x, compute) * scale, 0.0)
        _store(code, k.convert(kept, kind), code.pointer(3), index, count)

    _emit_elements(code, total, kind.size, Source(code, 1, 2, stream), lambda words: words, use)


def lower_dropout(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """All floats, dense."""
    x = inputs[0]
    assert x is not None
    if not x.is_dense:
        return "dropout of a view that is not dense"
    total, kind, stream, rate = product(x.dims), type_of(x.dtype.name), op.attrs["stream"], op.attrs["rate"]
    emit = partial(_emit_dropout, total=total, kind=kind, stream=stream, rate=rate)
    stage = Stage("dropout", ("dropout", stream, rate), (0, 1, 2, 3), unit_count(total, kind.size), emit)
    return Lowering((stage,), in_place=((0, 0),))


LOWER: dict[str, Lower] = {"random_uniform": lower_drawn, "random_normal": lower_drawn, "dropout": lower_dropout}
"""The ops of this file by name."""
