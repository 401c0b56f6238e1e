"""Random numbers: Philox4x32-10, and the ops based on it: random_uniform, random_normal, dropout, sample.

The bits are those of `rlx.ops.random`: element i is lane i % 4 of the block with the counter (i // 4, stream, counter
low, counter high). A vector holds the same word of adjacent blocks; four words interleaved are the elements in
order. Shares of a unit are multiples of 64 elements, so every unit starts at a block.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from rlx.backends.cpu.emit.builder import F32, F64, I1, I8, I32, I64, Function, Type, Value, type_of
from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.math import exp, log
from rlx.backends.cpu.kernels.movement.runs import index_of, shares, unit_count
from rlx.backends.cpu.kernels.order.sorting import (
    FEW,
    KeyLine,
    Keys,
    Sorter,
    best_of,
    first_largest,
    insert_ordered,
    sort_scratch,
)
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, product
from rlx.ir.op import Op

__all__ = ["LOWER", "RandomSource", "uniform"]

_ROUNDS = 10
_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_USUALLY = 1024  # ids that usually make up a top_p
_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)

Words = tuple[Value, Value, Value, Value]


class RandomSource:
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
    code: KernelCode, total: Size, kind: Type, source: RandomSource, make: Callable[[Words, Value], list[Value]]
) -> None:
    """Write the vectors that `make(words, address of operand 0's elements)` returns for adjacent blocks into the last
    tensor. A partial step goes through a buffer, so that the code is emitted once."""
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

    _emit_elements(code, total, kind, RandomSource(code, 0, 1, stream), make)


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
    threshold = -int(-rate * 2**24 // 1)  # rounded up: an element is kept iff bits >> 8 is at least this

    def make(words: Words, x: Value) -> list[Value]:
        kept = []
        for index, bits in enumerate(_interleaved(k, words)):
            lanes = bits.type.lanes
            element = k.convert(k.load(x, index * lanes, kind.vector(lanes)), compute)
            kept.append(k.select(bits.ushr(8) >= threshold, element * scale, 0.0))
        return kept

    _emit_elements(code, total, kind, RandomSource(code, 1, 2, stream), make)


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
    """One row of logits: which ids are kept, and which of them is drawn."""

    def __init__(
        self, code: KernelCode, logits: Tensor, settings: dict[str, tuple[int, Tensor]], source: RandomSource
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

    def line(self, row: Value, *, reverse: bool = False) -> KeyLine:
        """The logits of a row."""
        code, (down, along) = self.code, self.logits.strides
        base = self.k.pointer(code.pointer(0), row * code.size(down), type_of(self.logits.dtype.name))
        return KeyLine(code, Keys(self.logits.dtype, reverse, not reverse), base, code.size(along), self.size)

    def row(self, row: Value, out: Value) -> None:
        """Draw the id of a row."""
        k, line = self.k, self.line(row)
        chosen = k.var(first_largest(line))
        heat = self.setting("temperature", row, 1.0)
        with k.when(heat > 0.0):
            self.top, self.heat = k.convert(line.element(chosen.get()), F64), heat
            self.least = k.minimum_fast(self.setting("min_p", row, 0.0), 1.0)
            self.number = self._number(row)
            chosen.set(self._draw(row, line))
        k.store(k.convert(chosen.get(), I32), out, row)

    def _draw(self, row: Value, line: KeyLine) -> Value:
        """The kept ids are a prefix of all ids in descending order. A short one is summed id by id, a longer one in
        a pass over the vocabulary up to the last kept id."""
        k = self.k
        wanted, mass = self.setting("top_k", row, 0), self.setting("top_p", row, 1.0)
        limited = (wanted > 0) & (wanted < self.size)
        chosen = k.var(0)
        with k.when(limited & (wanted <= FEW)):
            best_of(line, wanted, self.keys, self.places)
            for at in k.range(wanted):
                place = self._place(self.places, at)
                k.store(self._weight_of(line.element(place)), self.weights, place)
            length, _ = self._prefix(self.places, wanted, self._total(wanted, self.places), mass)
            chosen.set(self._among(self.places, length))
        with k.otherwise():
            self._weigh(line)
            with k.when(limited | (mass < 1.0)):
                chosen.set(self._draw_sorted(row, line, limited, wanted, mass))
            with k.otherwise():
                chosen.set(self._past(lambda at: k.constant(1, I1)))
        return chosen.get()

    def _draw_sorted(self, row: Value, line: KeyLine, limited: Value, wanted: Value, mass: Value) -> Value:
        """By sorting; without a limit as many as usually reach the mass, and everything only if they do not."""
        k, backward = self.k, self.line(row, reverse=True)
        sorter = Sorter(self.code, line.keys.kind, self.size, self.sorting)
        count = k.select(limited, wanted, k.minimum(self.size, _USUALLY))
        order = sorter.first(backward, count)
        total = k.var(0.0, F64)
        with k.when(limited):
            total.set(self._total(count, order))
        with k.otherwise():
            total.set(self._total(self.size))
        length, reached = self._prefix(order, count, total.get(), mass)
        final = k.var(length)
        with k.when(~limited & ~reached):
            sorter.all(backward)
            final.set(self._prefix(order, self.size, total.get(), mass)[0])
        chosen = k.var(0)
        with k.when(final.get() <= FEW):
            chosen.set(self._among(order, final.get()))
        with k.otherwise():
            last = self._place(order, final.get() - 1)
            bound = line.key(last)
            chosen.set(self._past(lambda at: (line.key(at) > bound) | ((line.key(at) == bound) & (at <= last))))
        return chosen.get()

    # -- weights
    def _weight_of(self, value: Value) -> Value:
        """exp((logit - max)/temperature) in f64, rounded to f32."""
        k = self.k
        return k.convert(exp(k, (k.convert(value, F64) - self.top) / self.heat), F32)

    def _weigh(self, line: KeyLine) -> None:
        """The weights of all ids."""
        k, lanes = self.k, self.code.target.lanes(F64)
        kind, whole = type_of(self.logits.dtype.name), k.index(0)
        if isinstance(line.step, int) and line.step == 1:
            whole = self.size // lanes * lanes
            for at in k.range(0, whole, lanes):
                k.store(self._weight_of(k.load(line.base, at, kind.vector(lanes))), self.weights, at)
        for at in k.range(whole, self.size):
            k.store(self._weight_of(line.element(at)), self.weights, at)

    def _place(self, order: Value, at: Value) -> Value:
        return self.k.convert(self.k.load(order, at, I32), I64)

    def _weight(self, place: Value) -> Value:
        return self.k.convert(self.k.load(self.weights, place, F32), F64)

    def _total(self, count: Value, order: Value | None = None) -> Value:
        """The sum of the first `count` weights, in the vocabulary or in an order."""
        k = self.k
        total = k.var(0.0, F64)
        for at in k.range(count):
            total.set(total.get() + self._weight(at if order is None else self._place(order, at)))
        return total.get()

    # -- choices
    def _prefix(self, order: Value, count: Value, total: Value, mass: Value) -> tuple[Value, Value]:
        """How many ids in order reach the mass, at most `count` (all if the mass is 1 or more), and whether they do."""
        k = self.k
        reached, length, target = k.var(0.0, F64), k.var(0), total * mass
        with k.loop() as loop:
            reached.set(reached.get() + self._weight(self._place(order, length.get())))
            length.set(length.get() + 1)
            loop.stop(((reached.get() >= target) & (mass < 1.0)) | (length.get() >= count))
        return length.get(), reached.get() >= target

    def _among(self, order: Value, length: Value) -> Value:
        """The id drawn from a few."""
        k, ids = self.k, self.keys
        for at in k.range(length):
            place = k.load(order, at, I32)
            insert_ordered(self.code, place, place, at, ids, k.pointer(ids, FEW, I32), descending=False)
        return self._place(ids, self._walk(length, lambda at: self._kept(self._place(ids, at))))

    def _past(self, stays: Callable[[Value], Value]) -> Value:
        """The id drawn from those kept, in vocabulary order."""
        return self._walk(self.size, lambda at: self.k.select(stays(at), self._kept(at), 0.0))

    def _kept(self, place: Value) -> Value:
        weight = self._weight(place)
        return self.k.select(weight >= self.least, weight, 0.0)

    def _walk(self, count: Value, weight: Callable[[Value], Value]) -> Value:
        """The first position whose cumulative weight exceeds number · total."""
        k = self.k
        total = k.var(0.0, F64)
        for at in k.range(count):
            total.set(total.get() + weight(at))
        target, reached, place = self.number * total.get(), k.var(0.0, F64), k.var(0)
        with k.loop() as loop:
            reached.set(reached.get() + weight(place.get()))
            loop.stop((reached.get() > target) | (place.get() >= count - 1))
            place.set(place.get() + 1)
        return place.get()

    def _number(self, row: Value) -> Value:
        """Element `row` of the uniform numbers."""
        k = self.k
        words = self.source.words(k.convert(row // 4, I32))
        lane, bits = row % 4, words[0]
        for index, word in enumerate(words[1:], 1):
            bits = k.select(lane == index, word, bits)
        return uniform(k, bits, F64)


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
        sampler = _Sampler(code, logits, settings, RandomSource(code, 1, 2, stream))
        for row in code.code.range(code.code.begin, code.code.end):
            sampler.row(row, code.pointer(len(present)))

    key = ("sample", stream, tuple(settings))
    return Lowering((Stage("sample", key, (*present, len(inputs)), logits.dims[0], emit, _Sampler.scratch(logits)),))


LOWER: dict[str, Lower] = {
    "random_uniform": lower_drawn,
    "random_normal": lower_drawn,
    "dropout": lower_dropout,
    "sample": lower_sample,
}
"""The ops of this file by name."""
