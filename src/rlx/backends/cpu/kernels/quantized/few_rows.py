"""A few rows of x times packed weights: eight columns at a time, the weight read once and unpacked word by word in registers.

With vectors of 64 bytes also sixteen: then the registers hold the sums of eight rows, and unpacking again for every eight rows of many
is cheaper than unpacking once into memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.values import F32, I8, I64, PTR, Operand, Value, Variable
from rlx.backends.cpu.kernels.quantized.grid_words import has_byte_tables, interleaved_block
from rlx.backends.cpu.kernels.quantized.integer_dot import IntegerDot, plus_in_order, signed_products
from rlx.backends.cpu.kernels.quantized.stored_words import InterleavedBlock
from rlx.layouts.block_order import ROWS

_UNROLLED_ROWS = 2
"""Up to this many rows, the words of a large block are unrolled."""
_CHAINS = 4
"""Sums of integers that do not wait for each other: of fewer rows each has several."""
_KEPT = 512
"""Bytes after the sums that hold the scales of a block while its second bytes are multiplied."""


def stream_function(module: Module, name: str, rows: int, is_alone: bool = False) -> Function:
    """The function (eight columns, blocks, sums, row, …): the sums of some rows of x, eight floats each; also for a single row of x."""
    title = f"stream_{name}_alone" if is_alone else f"stream_{name}_{rows}"
    parameters = [("weight", PTR), ("blocks", I64), ("sums", PTR), *((f"row{i}", PTR) for i in range(rows))]

    def emit(k: Function) -> None:
        weight, blocks, sums, *xs = k.parameters
        _WordStream(k, name, ROWS, is_alone).stream([weight], blocks, sums, xs)

    return module.shared(title, parameters, emit)


def wide_stream_function(module: Module, name: str, rows: int, stride: int | None) -> Function:
    """(eight columns, eight columns, blocks, sums, row, …): the sums of some rows of x, sixteen floats each.

    With a stride in bytes, only the first row is given: addresses need no register each.
    """
    pointers = [(f"row{i}", PTR) for i in range(rows if stride is None else 1)]
    parameters = [("weight", PTR), ("beside", PTR), ("blocks", I64), ("sums", PTR), *pointers]

    def emit(k: Function) -> None:
        weight, beside, blocks, sums, *xs = k.parameters
        if stride is not None:
            xs = [k.pointer(xs[0], index * stride, I8) for index in range(rows)]
        _WordStream(k, name, 2 * ROWS).stream([weight, beside], blocks, sums, xs)

    return module.shared(f"wide_stream_{name}_{rows}_{stride}", parameters, emit)


class _WordStream(IntegerDot):
    """Multiplies a few rows of x by each word of a packed weight as it is unpacked."""

    def stream(self, weights: Sequence[Value], blocks: Value, sums: Value, rows: Sequence[Value]) -> None:
        """Multiply block by block, every word by all rows at once; after each 256 values of k add the contribution of second bytes."""
        k, each = self.k, self.each
        totals = [k.var(0.0, self.floats) for _ in rows]
        for first in k.range(0, blocks, each):
            for block in [first] if each == 1 else k.range(first, k.minimum(first + each, blocks)):
                offset = block * self.block_bytes
                eight = self._eight(weights, offset, self._ahead(len(weights), offset, blocks))
                xs = [k.pointer(row, block * self.rounded.stride, I8) for row in rows]
                before = [total.get() for total in totals]
                if self._is_long(len(rows)):
                    values = self._block_by_pairs(before, weights, block, blocks, eight, xs, k.pointer(sums, _KEPT, I8))
                else:
                    values = self._block(before, eight, xs)
                for total, value in zip(totals, values, strict=True):
                    total.set(value)
            if not self.numbers.signed:
                self._stream_residuals(weights, first, blocks, sums, rows, totals)
        for index, total in enumerate(totals):
            k.store(total.get(), sums, index * self.columns)

    def _eight(self, weights: Sequence[Value], offset: Value, ahead: Operand = 0) -> InterleavedBlock:
        """The block of all streamed columns at an offset."""
        bases = [self.k.pointer(weight, offset, I8) for weight in weights]
        return interleaved_block(self.k, self.name, bases[0], ahead, *bases[1:])

    def _is_long(self, rows: int) -> bool:
        """Whether unrolling a block's words would be too much code: for many rows, or where codebook entries are loaded one by one."""
        loads = self.order.fields and not has_byte_tables(self.k)
        return bool(self.order.pairs) and (rows > _UNROLLED_ROWS or bool(loads))

    def _in_turn(self, eight: InterleavedBlock, count: int | None = None) -> Iterator[Value]:
        """The words of a block, or the first `count`, in the order in which its products use them."""
        return eight.quads(count) if self.has_dots and not self.numbers.signed else eight.words(count)

    def _block(self, totals: list[Value], eight: InterleavedBlock, xs: list[Value]) -> list[Value]:
        """Add a block's contribution to the sums, directly from its words."""
        scales, minimums = eight.scale_pairs()
        if self.numbers.signed:
            values = self._wide_words(eight, xs, scales)
        else:
            values = self._words(self._in_turn(eight), xs, scales or [None], lambda i, pair: self._step(xs[i], pair))
        factors = self._factors(eight, scales, minimums)
        return [self._add(total, x, value, factors) for total, x, value in zip(totals, xs, values, strict=True)]

    def _block_by_pairs(
        self,
        totals: list[Value],
        weights: Sequence[Value],
        block: Value,
        blocks: Value,
        eight: InterleavedBlock,
        xs: list[Value],
        saved: Value,
    ) -> list[Value]:
        """Add a block's contribution in a loop over the pairs of groups: less code where many rows make it long."""
        k = self.k
        scales, minimums = eight.scale_pairs()
        for index, pair in enumerate(scales):
            k.store(pair, saved, index * self.pairs.lanes)
        eight.collect_indices()
        signed, each = self.numbers.signed, len(self.order.words) // len(scales)
        sums = [k.var(0, self.words) if signed else k.var(0.0, self.floats) for _ in xs]
        for pair in k.range(len(scales)):
            offset = block * self.block_bytes + pair * self._stored_bytes(each)
            part = self._eight(weights, offset, self._ahead(len(weights), offset, blocks))
            part.take_indices(eight, pair)
            words = self._in_turn(part, each)
            scale = k.load(saved, pair * self.pairs.lanes, self.pairs)
            words_of_x = [k.pointer(x, pair * ((8 if signed else 4) * each), I8) for x in xs]
            before = [total.get() for total in sums]
            if signed:
                more = self._sums_of_wide(words, words_of_x, [scale] * each, before)
            else:
                steps = [self._step(x, pair) for x in xs]
                more = self._words(words, words_of_x, [scale], lambda i, _, steps=steps: steps[i], before)  # type: ignore[misc]
            for total, value in zip(sums, more, strict=True):
                total.set(value)
        values = [total.get() for total in sums]
        if signed:
            values = [k.convert(value, F32) * self._step(x, 0) for value, x in zip(values, xs, strict=True)]
        factors = self._factors(eight, scales, minimums)
        return [self._add(total, x, value, factors) for total, x, value in zip(totals, xs, values, strict=True)]

    def _wide_words(self, eight: InterleavedBlock, xs: list[Value], scales: list[Value]) -> list[Value]:
        """Multiply the rows by signed values: in 16 bits with the scales multiplied in, added in 32."""
        k, count = self.k, len(self.order.words)
        if self.splits_x:
            totals = signed_products(k, list(eight.words()), None)(xs)
        else:
            totals = self._sums_of_wide(eight.words(), xs, [self._scale_of(scales, index) for index in range(count)])
        return [k.convert(total, F32) * self._step(x, 0) for total, x in zip(totals, xs, strict=True)]

    def _sums_of_wide(
        self, words: Iterable[Value], xs: list[Value], scales: Sequence[Value | None], before: Sequence[Value] | None = None
    ) -> list[Value]:
        """Add up the products of widened signed words, each with its scale, in integers."""
        chains = max(_CHAINS // len(xs), 1) if self.has_dots else 1
        empty: list[Value | None] = [None] * len(xs)
        sums = [empty if before is None else list(before), *(list(empty) for _ in range(chains - 1))]
        for index, (word, scale) in enumerate(zip(words, scales, strict=True)):
            for half, part in enumerate(self._widen(word, scale)):
                at = 2 * index + half
                totals = sums[at % chains]
                for i, x in enumerate(xs):
                    totals[i] = self._plus_pairs(totals[i], part, self._two(x, at), len(xs))
        return [_sum_by_halves([total for total in line if total is not None]) for line in zip(*sums, strict=True)]

    def _stream_residuals(
        self, weights: Sequence[Value], first: Value, blocks: Value, sums: Value, rows: Sequence[Value], totals: list[Variable]
    ) -> None:
        """Multiply the pairs that have second bytes in any of the rows by those bytes."""
        k = self.k
        saved, pair_bytes = k.pointer(sums, _KEPT, I8), self._stored_bytes(self.pair_words)
        mask = self._mask(rows, first, blocks)
        with k.when(mask != 0):
            if self.order.pairs:
                eight = self._eight(weights, first * self.block_bytes)
                for index, pair in enumerate(eight.scale_pairs()[0]):
                    k.store(pair, saved, index * self.pairs.lanes)
            for block, pair in self._pairs_of_mask(mask):
                bases = [k.pointer(weight, (first + block) * self.block_bytes, I8) for weight in weights]
                d = interleaved_block(k, self.name, bases[0], 0, *bases[1:]).scale()
                words = self._in_turn(self._eight(bases, pair * pair_bytes), self.pair_words)
                scale = k.load(saved, pair * self.pairs.lanes, self.pairs) if self.order.pairs else None
                xs = [self._residual(row, first + block, pair, blocks) for row in rows]
                steps = [self._finer(row, first + block, pair) for row in rows]
                values = self._words(words, xs, [scale], lambda i, _, steps=steps: steps[i])  # type: ignore[misc]
                for total, value in zip(totals, values, strict=True):
                    total.set(k.fma(d, value, total.get()))

    def _words(
        self,
        words: Iterable[Value],
        xs: list[Value],
        scales: Sequence[Value | None],
        step: Callable[[int, int], Value],
        before: Sequence[Value] | None = None,
    ) -> list[Value]:
        """Add up byte products in 16 bits as long as they fit, then scale by pair and by the step of (row, pair)."""
        if self.has_dots:
            return self._spans(words, xs, scales, step, before)
        k = self.k
        results: list[Value | None] = [None] * len(xs) if before is None else list(before)
        integers: list[Value | None] = [None] * len(xs)
        running: list[Value | None] = [None] * len(xs)
        for index, word in enumerate(words):
            pair = index // self.pair_words
            for i, x in enumerate(xs):
                part = self._plus(running[i], k.multiply_add_bytes(word, self._four(x, index)), len(xs))
                running[i] = part
                if (index + 1) % self.step == 0:
                    running[i], integers[i] = None, self._plus(integers[i], self._by_scale(part, scales[pair]), len(xs))
                total = integers[i]
                if (index + 1) % self.span == 0 and total is not None:
                    integers[i], results[i] = None, self._plus_product(results[i], k.convert(total, F32), step(i, pair))
        return [value for value in results if value is not None]

    def _spans(
        self,
        words: Iterable[Value],
        xs: list[Value],
        scales: Sequence[Value | None],
        step: Callable[[int, int], Value],
        before: Sequence[Value] | None,
    ) -> list[Value]:
        """Add up the products of quads with VNNI dot products, scaled as in `_words`."""
        results: list[Value | None] = [None] * len(xs) if before is None else list(before)
        sums = self._no_sums(len(xs))
        for index, quad in enumerate(words):
            pair = index // self.pair_words
            self._add_quad(sums, index % len(sums[0]), quad, xs, index)
            if (index + 1) % self.span == 0:
                for i, total in enumerate(self._scale_sums(sums, scales[pair])):
                    results[i] = self._plus_product(results[i], total, step(i, pair))
                sums = self._no_sums(len(xs))
        return [value for value in results if value is not None]

    def _plus_pairs(self, total: Value | None, a: Value, b: Value, rows: int) -> Value:
        """Add products of 16-bit values to a sum in 32 bits."""
        if self.has_dots:
            return self.k.dot_words(self.k.constant(0, self.words) if total is None else total, a, b)
        return self._plus(total, self.k.multiply_add_words(a, b), rows)

    def _plus(self, total: Value | None, more: Value, rows: int) -> Value:
        """Add in source order where there are many rows: every word is used by all of them before the next is unpacked."""
        if self.columns > ROWS or (self.order.pairs and rows > _UNROLLED_ROWS):
            return plus_in_order(self.k, total, more)
        return more if total is None else total + more


def _sum_by_halves(parts: list[Value]) -> Value:
    """Add up integers by halves, as a tree."""
    while len(parts) > 1:
        parts = [parts[i] + parts[i + 1] if i + 1 < len(parts) else parts[i] for i in range(0, len(parts), 2)]
    return parts[0]
