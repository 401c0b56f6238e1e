"""Sampling: one id for each row of logits, masked by top-k, top-p and min-p, and drawn by the numbers of `kernels/random.py`."""

from __future__ import annotations

from collections.abc import Callable

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.math import CpuAlgebra, exp
from rlx.backends.cpu.emit.values import F32, F64, I1, I8, I32, I64, Value, type_of
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.kernels.random import RandomSource
from rlx.backends.cpu.kernels.sorting import FEW, KeyLine, Keys, Sorter, best_of, first_largest, insert_in_order, sort_scratch
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size
from rlx.core.dtype import DType
from rlx.formulas.random import uniform
from rlx.ir.op import Op

_USUALLY = 1024  # likeliest ids that usually reach top_p


class _Sampler:
    """Samples an id from one row of logits: masks ids by top-k, top-p and min-p, and draws one of the rest."""

    def __init__(self, code: KernelCode, logits: Tensor, settings: dict[str, tuple[int, Tensor]], source: RandomSource) -> None:
        self.code, self.k, self.logits, self.settings, self.source = code, code.code, logits, settings, source
        self.size = index_of(code, logits.dims[1])
        self.weights = self.k.scratch
        room = (self.size + 15) // 16 * 64
        self.keys = self.k.pointer(self.k.scratch, room, I8)
        self.places = self.k.pointer(self.keys, FEW * 8, I8)
        self.sorting = self.k.pointer(self.places, FEW * 4, I8)

    @staticmethod
    def scratch(logits: Tensor) -> Size:
        """Bytes of scratch of a sampler: weights, the best few ids, and room to sort all."""
        return (logits.dims[1] + 16) * 4 + FEW * 12 + sort_scratch(logits.dims[1], Keys(logits.dtype).kind)

    def setting(self, name: str, row: Value, default: float) -> Value:
        """Load a sampling setting of a row as f64, or i64 for top_k."""
        kind = I64 if name == "top_k" else F64
        if name not in self.settings:
            return self.k.constant(default, kind)
        operand, tensor = self.settings[name]
        index = row * self.code.size(tensor.strides[0]) if tensor.dims else self.k.index(0)
        loaded = self.k.load(self.code.pointer(operand), index, type_of(tensor.dtype.name))
        return self.k.convert(loaded, kind, signed=tensor.dtype.category != "uint")

    def line(self, row: Value, *, reverse: bool = False) -> KeyLine:
        """The logits of a row as a line of keys."""
        code, (down, along) = self.code, self.logits.strides
        base = self.k.pointer(code.pointer(0), row * code.size(down), type_of(self.logits.dtype.name))
        return KeyLine(code, Keys(self.logits.dtype, reverse, not reverse), base, code.size(along), self.size)

    def row(self, row: Value, out: Value) -> None:
        """Draw and store the id of a row."""
        k, line = self.k, self.line(row)
        chosen = k.var(first_largest(line))
        temperature = self.setting("temperature", row, 1.0)
        with k.when(temperature > 0.0):
            self.top, self.temperature = k.convert(line.element(chosen.get()), F64), temperature
            self.min_p = k.minimum_fast(self.setting("min_p", row, 0.0), 1.0)
            self.number = self._number(row)
            chosen.set(self._draw(row, line))
        k.store(k.convert(chosen.get(), I32), out, row)

    def _draw(self, row: Value, line: KeyLine) -> Value:
        """Draw an id from a row. The unmasked ids are a prefix of all ids in descending order. A short one is summed id by id, a
        longer one in a pass over the vocabulary up to the last unmasked id."""
        k = self.k
        top_k, top_p = self.setting("top_k", row, 0), self.setting("top_p", row, 1.0)
        limited = (top_k > 0) & (top_k < self.size)
        chosen = k.var(0)
        with k.when(limited & (top_k <= FEW)):
            best_of(line, top_k, self.keys, self.places)
            for at in k.range(top_k):
                place = self._place(self.places, at)
                k.store(self._weight_of(line.element(place)), self.weights, place)
            length, _ = self._prefix(self.places, top_k, self._total(top_k, self.places), top_p)
            chosen.set(self._among(self.places, length))
        with k.otherwise():
            self._weigh(line)
            with k.when(limited | (top_p < 1.0)):
                chosen.set(self._draw_sorted(row, line, limited, top_k, top_p))
            with k.otherwise():
                chosen.set(self._past(lambda at: k.constant(1, I1)))
        return chosen.get()

    def _draw_sorted(self, row: Value, line: KeyLine, limited: Value, top_k: Value, top_p: Value) -> Value:
        """Draw an id after sorting; without top_k as many ids as usually reach top_p, and everything only if they do not."""
        k, backward = self.k, self.line(row, reverse=True)
        sorter = Sorter(self.code, line.keys.kind, self.size, self.sorting)
        count = k.select(limited, top_k, k.minimum(self.size, _USUALLY))
        order = sorter.first(backward, count)
        total = k.var(0.0, F64)
        with k.when(limited):
            total.set(self._total(count, order))
        with k.otherwise():
            total.set(self._total(self.size))
        length, reached = self._prefix(order, count, total.get(), top_p)
        final = k.var(length)
        with k.when(~limited & ~reached):
            sorter.all(backward)
            final.set(self._prefix(order, self.size, total.get(), top_p)[0])
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
        """The weight of a logit: exp((logit - max)/temperature) in f64, rounded to f32."""
        k = self.k
        return k.convert(exp(k, (k.convert(value, F64) - self.top) / self.temperature), F32)

    def _weigh(self, line: KeyLine) -> None:
        """Store the weights of all ids."""
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
        """Sum the first `count` weights, in vocabulary order or in a given order."""
        k = self.k
        total = k.var(0.0, F64)
        for at in k.range(count):
            total.set(total.get() + self._weight(at if order is None else self._place(order, at)))
        return total.get()

    # -- choices
    def _prefix(self, order: Value, count: Value, total: Value, top_p: Value) -> tuple[Value, Value]:
        """The number of ids in order that reach top_p, at most `count` (all if top_p is 1 or more), and whether they do."""
        k = self.k
        reached, length, target = k.var(0.0, F64), k.var(0), total * top_p
        with k.loop() as loop:
            reached.set(reached.get() + self._weight(self._place(order, length.get())))
            length.set(length.get() + 1)
            loop.stop(((reached.get() >= target) & (top_p < 1.0)) | (length.get() >= count))
        return length.get(), reached.get() >= target

    def _among(self, order: Value, length: Value) -> Value:
        """Draw an id from the first few in order."""
        k, ids = self.k, self.keys
        for at in k.range(length):
            place = k.load(order, at, I32)
            insert_in_order(self.code, place, place, at, ids, k.pointer(ids, FEW, I32), descending=False)
        return self._place(ids, self._walk(length, lambda at: self._kept(self._place(ids, at))))

    def _past(self, stays: Callable[[Value], Value]) -> Value:
        """Draw an id from the unmasked ones, in vocabulary order."""
        return self._walk(self.size, lambda at: self.k.select(stays(at), self._kept(at), 0.0))

    def _kept(self, place: Value) -> Value:
        weight = self._weight(place)
        return self.k.select(weight >= self.min_p, weight, 0.0)

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
        """Draw the uniform number of a row."""
        k = self.k
        words = self.source.words(k.convert(row // 4, I32))
        lane, bits = row % 4, words[0]
        for index, word in enumerate(words[1:], 1):
            bits = k.select(lane == index, word, bits)
        number: Value = uniform(CpuAlgebra(k), bits, DType.of("f64"))
        return number


def lower_sample(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `sample`: one id for each row; any view of logits, settings of any float or int dtype."""
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


LOWER: dict[str, Lower] = {"sample": lower_sample}
"""The ops of this file by name."""
