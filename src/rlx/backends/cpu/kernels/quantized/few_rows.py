"""A few rows of x times packed weights: eight columns at a time, the weight read once and unpacked word by word in registers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rlx.backends.cpu.block_order import ROWS
from rlx.backends.cpu.emit.builder import F32, I8, I64, PTR, Function, Module, Value, Variable
from rlx.backends.cpu.kernels.quantized.integer_dot import FLOATS, IntegerDot
from rlx.backends.cpu.kernels.quantized.stored_words import PAIRS, Eight

__all__ = ["stream_function"]

_KEPT = 512
"""Bytes after the sums that hold the scales of a block while its second bytes are multiplied."""


def stream_function(module: Module, name: str, rows: int) -> Function:
    """(eight columns, blocks, sums, row, …): the sums of some rows of x, eight floats each."""
    parameters = [("weight", PTR), ("blocks", I64), ("sums", PTR), *((f"row{i}", PTR) for i in range(rows))]
    known = module.functions.get(f"stream_{name}_{rows}")
    if known is not None:
        return known
    k = module.function(f"stream_{name}_{rows}", parameters, internal=True)
    weight, blocks, sums, *given = k.parameters
    _WordStream(k, name).stream(weight, blocks, sums, given)
    return k


class _WordStream(IntegerDot):
    """Emits the function of a type."""

    def stream(self, weight: Value, blocks: Value, sums: Value, rows: Sequence[Value]) -> None:
        """Block by block, every word used by all rows at once; after each 256 values of k the contribution of second bytes."""
        k, each = self.k, self.each
        totals = [k.var(0.0, FLOATS) for _ in rows]
        for first in k.range(0, blocks, each):
            for block in [first] if each == 1 else k.range(first, k.minimum(first + each, blocks)):
                eight = Eight(k, self.name, k.pointer(weight, block * self.block_bytes, I8), k.target.prefetch_distance)
                xs = [k.pointer(row, block * self.rounded.stride, I8) for row in rows]
                for total, value in zip(totals, self._block([total.get() for total in totals], eight, xs), strict=True):
                    total.set(value)
            if not self.numbers.signed:
                self._stream_residuals(weight, first, blocks, sums, rows, totals)
        for index, total in enumerate(totals):
            k.store(total.get(), sums, index * ROWS)

    def _block(self, totals: list[Value], eight: Eight, xs: list[Value]) -> list[Value]:
        """The sums plus a block's contribution, directly from its words."""
        scales, minimums = eight.scale_pairs()
        if self.numbers.signed:
            found = self._wide_words(eight, xs, scales)
        else:
            found = self._words(eight.words(), xs, scales or [None], lambda i, pair: self._step(xs[i], pair))
        factors = self._factors(eight, scales, minimums)
        return [self._added(total, x, value, factors) for total, x, value in zip(totals, xs, found, strict=True)]

    def _wide_words(self, eight: Eight, xs: list[Value], scales: list[Value]) -> list[Value]:
        """The same for signed values: in 16 bits with the scales multiplied in, added in 32."""
        k = self.k
        totals: list[Value | None] = [None] * len(xs)
        for index, word in enumerate(eight.words()):
            for half, part in enumerate(self._widened(word, self._scale_of(scales, index))):
                for i, x in enumerate(xs):
                    totals[i] = _plus(totals[i], k.multiply_add_words(part, self._two(x, 2 * index + half)))
        return [
            k.convert(total, F32) * self._step(x, 0) for total, x in zip(totals, xs, strict=True) if total is not None
        ]

    def _stream_residuals(
        self, weight: Value, first: Value, blocks: Value, sums: Value, rows: Sequence[Value], totals: list[Variable]
    ) -> None:
        """The pairs that have second bytes in any of the rows, again with those."""
        k = self.k
        kept, pair_bytes = k.pointer(sums, _KEPT, I8), self.pair_words * sum(self.order.planes) * ROWS // 2
        mask = self._mask(rows, first, blocks)
        with k.when(mask != 0):
            if self.order.pairs:
                eight = Eight(k, self.name, k.pointer(weight, first * self.block_bytes, I8))
                for index, pair in enumerate(eight.scale_pairs()[0]):
                    k.store(pair, kept, index * PAIRS.lanes)
            for block, pair in self._marked(mask):
                base = k.pointer(weight, (first + block) * self.block_bytes, I8)
                d = Eight(k, self.name, base).scale()
                words = Eight(k, self.name, k.pointer(base, pair * pair_bytes, I8)).words(self.pair_words)
                scale = k.load(kept, pair * PAIRS.lanes, PAIRS) if self.order.pairs else None
                xs = [self._residual(row, first + block, pair, blocks) for row in rows]
                steps = [self._finer(row, first + block, pair) for row in rows]
                found = self._words(words, xs, [scale], lambda i, _, steps=steps: steps[i])  # type: ignore[misc]
                for total, value in zip(totals, found, strict=True):
                    total.set(k.fma(d, value, total.get()))

    def _words(
        self, words: Iterable[Value], xs: list[Value], scales: Sequence[Value | None], step: Callable[[int, int], Value]
    ) -> list[Value]:
        """Products accumulated in 16 bits as long as they fit, then scaled by pair and by the step of (row, pair)."""
        k = self.k
        found: list[Value | None] = [None] * len(xs)
        whole: list[Value | None] = [None] * len(xs)
        running: list[Value | None] = [None] * len(xs)
        for index, word in enumerate(words):
            pair = index // self.pair_words
            for i, x in enumerate(xs):
                part = _plus(running[i], k.multiply_add_bytes(word, self._four(x, index)))
                running[i] = part
                if (index + 1) % self.step == 0:
                    running[i], whole[i] = None, _plus(whole[i], self._by_scale(part, scales[pair]))
                total = whole[i]
                if (index + 1) % self.span == 0 and total is not None:
                    whole[i], found[i] = None, self._plus_product(found[i], k.convert(total, F32), step(i, pair))
        return [value for value in found if value is not None]


def _plus(total: Value | None, more: Value) -> Value:
    return more if total is None else total + more
