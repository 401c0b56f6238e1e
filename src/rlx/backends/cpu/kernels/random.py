"""Random numbers: Philox4x32-10, and what is made of its bits: random_uniform, random_normal, dropout, sample.

The bits are those of `rlx.ops.random`: element i is lane i % 4 of the block with the counter (i // 4, stream, counter
low, counter high). A vector holds the same word of neighbouring blocks; four words interleaved are the elements in
order. Shares of a unit are multiples of 64 elements, so every unit starts at a block.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from rlx.backends.cpu.builder import F32, F64, I8, I32, I64, Function, Type, Value, type_of
from rlx.backends.cpu.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.kernels.runs import index_of, shares, unit_count
from rlx.backends.cpu.kernels.select import FEW, Keys, Line, best_of, first_largest, sort_line, sort_scratch
from rlx.backends.cpu.math import exp, log
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
        c0, c1 = block, k.constant(self.stream, kind)
        c2, c3 = (k.coerce(word, kind) for word in self.counter)
        key = list(self.key)
        for _ in range(_ROUNDS):
            first, second = (k.constant(number, kind) for number in _MULTIPLIERS)
            left = k.multiply_high(c2, second) ^ c1 ^ k.coerce(key[0], kind)
            right = k.multiply_high(c0, first) ^ c3 ^ k.coerce(key[1], kind)
            c0, c1, c2, c3 = left, c2 * second, right, c0 * first
            key = [word + step for word, step in zip(key, _KEY_STEPS, strict=True)]
        return c0, c1, c2, c3


def uniform(k: Function, bits: Value, kind: Type) -> Value:
    """(bits >> 8) · 2⁻²⁴ in f32 or f64."""
    return k.convert(bits.ushr(8), kind) * 2.0**-24


def _turn(k: Function, u: Value) -> tuple[Value, Value]:
    """cos and sin of u turns. u has 24 digits, so the quarter turns come off exactly and series of the rest suffice."""
    quarters = k.round_even(u * 4.0)
    angle = k.fma(quarters, -0.25, u) * (2 * math.pi)
    square = angle * angle
    terms = 5 if u.type.bits == 32 else 9
    cosine, sine = (k.constant(0, u.type) for _ in range(2))
    for n in range(terms - 1, -1, -1):
        sign = -1.0 if n % 2 else 1.0
        cosine = k.fma(cosine, square, sign / math.factorial(2 * n))
        sine = k.fma(sine, square, sign / math.factorial(2 * n + 1))
    sine = sine * angle
    number = k.convert(quarters, I32)
    odd = (number & 1) != 0
    cosine, sine = k.select(odd, sine, cosine), k.select(odd, cosine, sine)
    # after 0, 1, 2, 3 quarters: (c, s), (-s, c), (-c, -s), (s, -c)
    return k.select(((number + 1) & 2) != 0, -cosine, cosine), k.select((number & 2) != 0, -sine, sine)


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


def _emit_elements(
    code: KernelCode, total: Size, kind: Type, source: Source, make: Callable[[Words, Value], list[Value]]
) -> None:
    """Write the vectors that `make(words, address of operand 0's elements)` gives for neighbouring blocks into the last
    tensor. What is not a whole step goes through a buffer, so that the code is there once."""
    k = code.code
    lanes = code.target.lanes(I32)
    step = 4 * lanes
    x, out = code.pointer(0), code.pointer(len(code.tensors) - 1)
    reads = len(code.tensors) > 3
    first, last = shares(code, total, kind.size)
    rest = k.maximum(last - first, 0) % step
    given, made = k.alloca(kind, step), k.alloca(kind, step)
    if reads:
        for place in k.range(rest):
            k.store(k.load(x, last - rest + place, kind), given, place)
    for at in k.range(first, last, step):
        whole = at + step <= last
        read = k.select(whole, k.pointer(x, at, kind), given) if reads else x
        written = k.select(whole, k.pointer(out, at, kind), made)
        block = k.iota(I32.vector(lanes)) + k.convert(at // 4, I32)
        for index, elements in enumerate(make(source.words(block), read)):
            k.store(k.convert(elements, kind), written, index * lanes)
    for place in k.range(rest):
        k.store(k.load(made, place, kind), out, last - rest + place)


# -- draws ------------------------------------------------------------------------------------------------------
def _emit_drawn(code: KernelCode, total: Size, kind: Type, stream: int, normal: bool) -> None:
    k = code.code
    compute = F64 if kind == F64 else F32

    def pair(a: Value, b: Value) -> tuple[Value, Value]:
        radius = k.sqrt(log(k, 1.0 - uniform(k, a, compute)) * -2.0)
        cosine, sine = _turn(k, uniform(k, b, compute))
        return radius * cosine, radius * sine

    def make(words: Words, _: Value) -> list[Value]:
        if normal:
            return _interleaved(k, (*pair(*words[:2]), *pair(*words[2:])))
        return [uniform(k, bits, compute) for bits in _interleaved(k, words)]

    _emit_elements(code, total, kind, Source(code, 0, 1, stream), make)


def lower_drawn(
    op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target
) -> Lowering | str:
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

    def make(words: Words, x: Value) -> list[Value]:
        kept = []
        for index, bits in enumerate(_interleaved(k, words)):
            lanes = bits.type.lanes
            element = k.convert(k.load(x, index * lanes, kind.vector(lanes)), compute)
            kept.append(k.select(bits.ushr(8) >= threshold, element * scale, 0.0))
        return kept

    _emit_elements(code, total, kind, Source(code, 1, 2, stream), make)


def lower_dropout(
    op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target
) -> Lowering | str:
    """All floats, dense."""
    x = inputs[0]
    assert x is not None
    if not x.is_dense:
        return "dropout of a view that is not dense"
    total, kind, stream, rate = product(x.dims), type_of(x.dtype.name), op.attrs["stream"], op.attrs["rate"]
    emit = partial(_emit_dropout, total=total, kind=kind, stream=stream, rate=rate)
    stage = Stage("dropout", ("dropout", stream, rate), (0, 1, 2, 3), unit_count(total, kind.size), emit)
    return Lowering((stage,), in_place=((0, 0),))


# -- sample -----------------------------------------------------------------------------------------------------
class _Sampler:
    """One row of logits: which ids stay, and which of them is drawn."""

    def __init__(
        self, code: KernelCode, logits: Tensor, settings: dict[str, tuple[int, Tensor]], source: Source
    ) -> None:
        self.code, self.k, self.logits, self.settings, self.source = code, code.code, logits, settings, source
        self.size = index_of(code, logits.dims[1])
        self.weights = self.k.scratch
        room = (self.size + 15) // 16 * 64
        self.keys = self.k.pointer(self.k.scratch, room, I8)
        self.places = self.k.pointer(self.keys, FEW * 8, I8)
        self.sorting = self.k.pointer(self.places, FEW * 4, I8)

    @staticmethod
    def scratch(logits: Tensor) -> Size:
        """Weights, the best few, and room to sort all."""
        return (logits.dims[1] + 16) * 4 + FEW * 12 + sort_scratch(logits.dims[1], Keys(logits.dtype).kind)

    def setting(self, name: str, row: Value, default: float) -> Value:
        """A setting of a row as f64, or i64 for top_k."""
        kind = I64 if name == "top_k" else F64
        if name not in self.settings:
            return self.k.constant(default, kind)
        operand, tensor = self.settings[name]
        index = row * self.code.size(tensor.strides[0]) if tensor.dims else self.k.index(0)
        loaded = self.k.load(self.code.pointer(operand), index, type_of(tensor.dtype.name))
        return self.k.convert(loaded, kind, signed=tensor.dtype.category != "uint")

    def line(self, row: Value, *, reverse: bool = False) -> Line:
        """The logits of a row."""
        code, (down, along) = self.code, self.logits.strides
        base = self.k.pointer(code.pointer(0), row * code.size(down), type_of(self.logits.dtype.name))
        return Line(code, Keys(self.logits.dtype, reverse, not reverse), base, code.size(along), self.size)

    def weight(self, place: Value) -> Value:
        """The weight of an id, as f64."""
        return self.k.convert(self.k.load(self.weights, place, F32), F64)

    def row(self, row: Value, out: Value) -> None:
        """Draw the id of a row."""
        k, line = self.k, self.line(row)
        top = first_largest(line)
        heat = self.setting("temperature", row, 1.0)
        chosen = k.var(top)
        with k.when(heat > 0.0):
            self._weigh(line, k.convert(line.element(top), F64), heat)
            chosen.set(self._draw(line, row))
        k.store(k.convert(chosen.get(), I32), out, row)

    def _weigh(self, line: Line, top: Value, heat: Value) -> None:
        """exp((logit - max)/temperature) in f64, rounded to f32."""
        k, lanes = self.k, self.code.target.lanes(F64)
        kind = type_of(self.logits.dtype.name)

        def weight(value: Value) -> Value:
            return k.convert(exp(k, (k.convert(value, F64) - top) / heat), F32)

        whole = k.index(0)
        if isinstance(line.step, int) and line.step == 1:
            whole = self.size // lanes * lanes
            for at in k.range(0, whole, lanes):
                k.store(weight(k.load(line.base, at, kind.vector(lanes))), self.weights, at)
        for at in k.range(whole, self.size):
            k.store(weight(line.element(at)), self.weights, at)

    def _draw(self, line: Line, row: Value) -> Value:
        k = self.k
        wanted, mass = self.setting("top_k", row, 0), self.setting("top_p", row, 1.0)
        limited = (wanted > 0) & (wanted < self.size)
        count = k.select(limited, wanted, self.size)
        least = k.minimum_fast(self.setting("min_p", row, 0.0), 1.0)
        cut_key, cut_place = k.var(line.keys.lowest, line.keys.kind), k.var(self.size)
        with k.when(limited | (mass < 1.0)):
            order = k.var(self.places)
            with k.when(count <= FEW):
                best_of(line, count, self.keys, self.places)
            with k.otherwise():
                order.set(sort_line(self.line(row, reverse=True), self.sorting))
            last = k.convert(k.load(order.get(), self._prefix(order.get(), count, mass) - 1, I32), I64)
            cut_key.set(line.key(last))
            cut_place.set(last)
        return self._first_past(line, cut_key.get(), cut_place.get(), least, self._number(row))

    def _prefix(self, order: Value, count: Value, mass: Value) -> Value:
        """How many of the ids in descending order make up the mass; all of them from a mass of 1 on."""
        k = self.k
        total, length = k.var(0.0, F64), k.var(count)

        def weight(at: Value) -> Value:
            return self.weight(k.convert(k.load(order, at, I32), I64))

        with k.when(mass < 1.0):
            for at in k.range(count):
                total.set(total.get() + weight(at))
            target, reached = total.get() * mass, k.var(0.0, F64)
            length.set(0)
            with k.loop() as loop:
                reached.set(reached.get() + weight(length.get()))
                length.set(length.get() + 1)
                loop.stop((reached.get() >= target) | (length.get() >= count))
        return length.get()

    def _number(self, row: Value) -> Value:
        """Element `row` of the uniform numbers."""
        k = self.k
        words = self.source.words(k.convert(row // 4, I32))
        lane, bits = row % 4, words[0]
        for index, word in enumerate(words[1:], 1):
            bits = k.select(lane == index, word, bits)
        return uniform(k, bits, F64)

    def _first_past(self, line: Line, cut_key: Value, cut_place: Value, least: Value, number: Value) -> Value:
        """The first id in vocabulary order whose cumulative weight exceeds number · total, among those that stay."""
        k = self.k

        def kept(at: Value) -> Value:
            key, weight = line.key(at), self.weight(at)
            stays = ((key > cut_key) | ((key == cut_key) & (at <= cut_place))) & (weight >= least)
            return k.select(stays, weight, 0.0)

        total = k.var(0.0, F64)
        for at in k.range(self.size):
            total.set(total.get() + kept(at))
        target, reached, place = number * total.get(), k.var(0.0, F64), k.var(0)
        with k.loop() as loop:
            reached.set(reached.get() + kept(place.get()))
            loop.stop((reached.get() > target) | (place.get() >= self.size - 1))
            place.set(place.get() + 1)
        return place.get()


def lower_sample(
    op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target
) -> Lowering | str:
    """One id for each row; any view of logits, settings of any float or int dtype."""
    logits = inputs[0]
    assert logits is not None
    present = [index for index, tensor in enumerate(inputs) if tensor is not None]
    settings: dict[str, tuple[int, Tensor]] = {}
    for name, operand in zip(("temperature", "top_k", "top_p", "min_p"), range(3, len(inputs)), strict=False):
        tensor = inputs[operand]
        if tensor is not None:
            settings[name] = (present.index(operand), tensor)
    stream = op.attrs["stream"]

    def emit(code: KernelCode) -> None:
        sampler = _Sampler(code, logits, settings, Source(code, 1, 2, stream))
        for row in code.code.range(code.code.begin, code.code.end):
            sampler.row(row, code.pointer(len(present)))

    key = ("sample", stream, tuple(settings))
    return Lowering((Stage("sample", key, (*present, len(inputs)), logits.dims[0], emit, _Sampler.scratch(logits)),))


LOWER: dict[str, Lower] = {
    "random_uniform": lower_drawn, "random_normal": lower_drawn, "dropout": lower_dropout, "sample": lower_sample,
}  # fmt: skip
"""The ops of this file by name."""
