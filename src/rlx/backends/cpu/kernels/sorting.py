"""argmax, argmin, top_k, sort, argsort and searchsorted, and what sampling shares with them: the largest of a line, the best few, sorting.

Elements are compared as integer *keys* in the same order: NaN is the largest number, -0 equals 0; or, in the total order of floats,
-NaN < -inf < … < -0 < 0 < … < NaN. A reversed key makes the smallest the largest. Ties go to the lower position everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import F32, I16, I32, I64, PTR, Type, Value, type_of
from rlx.backends.cpu.kernels.movement.runs import index_of, merge_axes, offset_of, shares, unit_count, walk_runs
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, product
from rlx.core.dtype import DType
from rlx.ir.op import Op

FEW = 128
"""Up to this many, the largest are kept sorted while reading; for more, everything is sorted."""
_SHORT = 32
"""Lines up to this length are sorted by insertion."""
_SAMPLE = 64
"""Sampling interval of the keys, to estimate which are among the first."""


# -- keys -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Keys:
    """The mapping from elements of a dtype to integer keys of the same order."""

    dtype: DType
    reverse: bool = False
    nan_largest: bool = True  # after reversing
    total: bool = False  # the total order of floats

    @property
    def kind(self) -> Type:
        """The integer type of the keys."""
        return I64 if self.dtype.size == 8 or self.dtype.name == "u32" else I32

    @property
    def lowest(self) -> int:
        """A lower bound of all keys."""
        return -(1 << (self.kind.bits - 1))

    def of(self, code: KernelCode, value: Value) -> Value:
        """Convert loaded elements to keys."""
        k, kind = code.code, self.kind
        if not self.dtype.is_float:
            if self.dtype.name == "u64":
                key = value ^ self.lowest
            else:
                key = k.convert(value, kind, signed=self.dtype.category == "int")
            return ~key if self.reverse else key
        if self.total:
            stored = I16 if self.dtype.is_low_float else kind
            bits = k.convert(k.bitcast(value, stored.like(value.type)), kind)
            key = bits ^ ((bits >> (kind.bits - 1)) & ((1 << (stored.bits - 1)) - 1))
            return ~key if self.reverse else key
        number = k.convert(value, F32) if self.dtype.is_low_float else value
        integer = kind.like(value.type)
        bits = k.bitcast(number + 0.0, integer)  # -0 + 0 = 0
        key = bits ^ ((bits >> (kind.bits - 1)) & ~self.lowest)
        key = ~key if self.reverse else key
        nan = ~self.lowest if self.nan_largest else self.lowest
        return k.select(k.is_nan(number), k.constant(nan, integer), key)


@dataclass(frozen=True)
class KeyLine:
    """Elements to be sorted or searched along one axis: their start, stride and count."""

    code: KernelCode
    keys: Keys
    base: Value
    step: int | Value
    length: Value

    @property
    def lanes(self) -> int:
        """Keys in a vector."""
        return self.code.target.lanes(self.keys.kind)

    @property
    def vectors_end(self) -> Value:
        """The end of the last full vector."""
        return self.length // self.lanes * self.lanes

    def element(self, at: Value) -> Value:
        """Load one element of the line."""
        return self.code.code.load(self.base, at * self.step, type_of(self.keys.dtype.name))

    def key(self, at: Value) -> Value:
        """Load one element as a key."""
        return self.keys.of(self.code, self.element(at))

    def vector(self, at: Value) -> Value:
        """Load a vector of elements as keys."""
        k, kind = self.code.code, type_of(self.keys.dtype.name).vector(self.lanes)
        if isinstance(self.step, int) and self.step == 1:
            return self.keys.of(self.code, k.load(self.base, at, kind))
        if kind.bits == 1:
            bytes_ = k.gather_strided(self.base, at * self.step, self.step, type_of("u8").vector(self.lanes))
            return self.keys.of(self.code, bytes_ != 0)
        return self.keys.of(self.code, k.gather_strided(self.base, at * self.step, self.step, kind))


# -- the largest ------------------------------------------------------------------------------------------------
def largest_key(line: KeyLine) -> Value:
    """The largest key of a line."""
    k, kind, lanes = line.code.code, line.keys.kind, line.lanes
    tops = [k.var(line.keys.lowest, kind.vector(lanes)) for _ in range(4)]
    many = line.length // (4 * lanes) * (4 * lanes)
    for at in k.range(0, many, 4 * lanes):
        for index, top in enumerate(tops):
            top.set(k.maximum(line.vector(at + index * lanes), top.get()))
    for at in k.range(many, line.vectors_end, lanes):
        tops[0].set(k.maximum(line.vector(at), tops[0].get()))
    joined = k.maximum(k.maximum(tops[0].get(), tops[1].get()), k.maximum(tops[2].get(), tops[3].get()))
    best = k.var(k.reduce(joined, k.maximum))
    for at in k.range(line.vectors_end, line.length):
        best.set(k.maximum(line.key(at), best.get()))
    return best.get()


def first_with(line: KeyLine, key: Value) -> Value:
    """The first position of a key in a line, which must have it."""
    k, lanes = line.code.code, line.lanes
    at, hits = k.var(0), k.var(0, I32)
    with k.loop() as loop:
        loop.stop(at.get() >= line.vectors_end)
        hits.set(k.mask_bits(line.vector(at.get()) == key))
        loop.stop(hits.get() != 0)
        at.set(at.get() + lanes)
    with k.when(hits.get() != 0):
        at.set(at.get() + k.convert(k.count_trailing_zeros(hits.get()), I64))
    with k.otherwise():
        with k.loop() as loop:
            loop.stop(line.key(at.get()) == key)
            at.set(at.get() + 1)
    return at.get()


def first_largest(line: KeyLine) -> Value:
    """The position of the first of the largest elements."""
    return first_with(line, largest_key(line))


def insert_in_order(
    code: KernelCode, key: Value, index: Value, end: Value, keys: Value, indices: Value, *, descending: bool
) -> None:
    """Insert a key and its position into two sorted arrays of `end` entries, after equal ones; the entry at `end` is overwritten."""
    k = code.code
    at = k.var(end)
    with k.loop() as loop:
        loop.stop(at.get() == 0)
        before = k.load(keys, at.get() - 1, key.type)
        loop.stop(before >= key if descending else before <= key)
        k.store(before, keys, at.get())
        k.store(k.load(indices, at.get() - 1, I32), indices, at.get())
        at.set(at.get() - 1)
    k.store(key, keys, at.get())
    k.store(k.convert(index, I32), indices, at.get())


def best_of(line: KeyLine, count: Value, keys: Value, indices: Value) -> None:
    """Store the `count` largest keys in descending order and their positions (i32) into two arrays."""
    k, kind, lanes = line.code.code, line.keys.kind, line.lanes
    last = count - 1

    def insert(key: Value, index: Value, end: Value) -> None:
        insert_in_order(line.code, key, index, end, keys, indices, descending=True)

    for at in k.range(count):
        insert(line.key(at), at, at)
    bulk = count + (line.length - count) // lanes * lanes
    for at in k.range(count, bulk, lanes):
        vector = line.vector(at)
        hits = k.var(k.mask_bits(vector > k.load(keys, last, kind)))
        with k.loop() as loop:
            loop.stop(hits.get() == 0)
            lane = k.convert(k.count_trailing_zeros(hits.get()), I64)
            hits.set(hits.get() & (hits.get() - 1))
            key = line.key(at + lane)
            with k.when(key > k.load(keys, last, kind)):
                insert(key, at + lane, last)
    for at in k.range(bulk, line.length):
        key = line.key(at)
        with k.when(key > k.load(keys, last, kind)):
            insert(key, at, last)


# -- sorting ----------------------------------------------------------------------------------------------------
def sort_scratch(length: Size, kind: Type) -> Size:
    """Bytes of scratch that sorting a line needs: keys and positions twice, and counts."""
    return (length + 16) * (2 * (kind.size + 4)) + 256 * 4


class Sorter:
    """Sorts lines by their keys, ascending and stable, in a scratch of `sort_scratch` bytes."""

    def __init__(self, code: KernelCode, kind: Type, length: Value, scratch: Value) -> None:
        self.code, self.k, self.kind = code, code.code, kind
        room = (length + 15) // 16 * 16
        bytes_ = type_of("i8")
        self.keys = [self.k.pointer(scratch, room * index, kind) for index in (0, 1)]
        self.indices = [self.k.pointer(scratch, room * (2 * kind.size + 4 * index), bytes_) for index in (0, 1)]
        self.counts = self.k.pointer(scratch, room * (2 * kind.size + 8), bytes_)

    def put(self, key: Value, index: Value, at: Value) -> None:
        """Store one entry to be sorted, its key made unsigned."""
        self.k.store(key ^ (1 << (self.kind.bits - 1)), self.keys[0], at)
        self.k.store(self.k.convert(index, I32), self.indices[0], at)

    def all(self, line: KeyLine) -> Value:
        """Sort a line; returns the address of its positions (i32) in order."""
        k = self.k
        with k.when(line.length <= _SHORT):
            for at in k.range(line.length):
                insert_in_order(self.code, line.key(at), at, at, self.keys[0], self.indices[0], descending=False)
        with k.otherwise():
            for at in k.range(line.length):
                self.put(line.key(at), at, at)
            self.by_bytes(line.length)
        return self.indices[0]

    def first(self, line: KeyLine, count: Value) -> Value:
        """Sort a line so that at least the first `count` positions are correct. A sample of the keys gives a bound below which
        there are probably enough; only those are sorted. If there are too few, or the line is short, everything is."""
        k = self.k
        candidates = k.var(0)
        with k.when((line.length >= 16 * _SAMPLE) & (count * 8 <= line.length)):
            drawn = line.length // _SAMPLE
            for at in k.range(drawn):
                self.put(line.key(at * _SAMPLE), at, at)
            self.by_bytes(drawn)
            rank = k.minimum(count * 5 // (4 * _SAMPLE) + 16, drawn - 1)
            candidates.set(self._collect(line, k.load(self.keys[0], rank, self.kind) ^ (1 << (self.kind.bits - 1))))
        with k.when((candidates.get() >= count) & (candidates.get() > 0)):
            self.by_bytes(candidates.get())
        with k.otherwise():
            self.all(line)
        return self.indices[0]

    def _collect(self, line: KeyLine, bound: Value) -> Value:
        """Collect the entries whose keys are not above a bound; returns how many."""
        k = self.k
        count = k.var(0)

        def put(at: Value) -> None:
            self.put(line.key(at), at, count.get())
            count.set(count.get() + 1)

        for at in k.range(0, line.vectors_end, line.lanes):
            hits = k.var(k.mask_bits(line.vector(at) <= bound))
            with k.loop() as loop:
                loop.stop(hits.get() == 0)
                lane = k.convert(k.count_trailing_zeros(hits.get()), I64)
                hits.set(hits.get() & (hits.get() - 1))
                put(at + lane)
        for at in k.range(line.vectors_end, line.length):
            with k.when(line.key(at) <= bound):
                put(at)
        return count.get()

    def by_bytes(self, length: Value) -> None:
        """Sort the entries by their unsigned keys."""
        self.k.call(_sort_by_bytes(self.code, self.kind), *self.keys, *self.indices, self.counts, length)


def _sort_by_bytes(code: KernelCode, kind: Type) -> Function:
    """A function of the module that radix-sorts keys with their positions by the keys' bytes, lowest first. Each pass moves
    everything to the other pair of arrays; after an even number of passes it is back in the first."""
    name = f"sort_by_bytes_{kind.name}"
    if name in code.module.functions:
        return code.module.functions[name]
    pointers = ("keys", "other_keys", "places", "other_places", "counts")
    k = code.module.function(name, [*((pointer, PTR) for pointer in pointers), ("length", I64)], internal=True)
    keys, other_keys, indices, other_indices = (k.var(pointer) for pointer in k.parameters[:4])
    counts, length = k.parameters[4:]
    for shift in k.range(0, kind.bits, 8):
        by = k.convert(shift, kind)
        for bucket in k.range(256):
            k.store(0, counts, bucket, I32)
        for at in k.range(length):
            bucket = k.convert(k.load(keys.get(), at, kind).ushr(by) & 255, I64)
            k.store(k.load(counts, bucket, I32) + 1, counts, bucket)
        start = k.var(0, I32)
        for bucket in k.range(256):
            size = k.load(counts, bucket, I32)
            k.store(start.get(), counts, bucket)
            start.set(start.get() + size)
        for at in k.range(length):
            key = k.load(keys.get(), at, kind)
            bucket = k.convert(key.ushr(by) & 255, I64)
            slot = k.load(counts, bucket, I32)
            k.store(slot + 1, counts, bucket)
            k.store(key, other_keys.get(), k.convert(slot, I64))
            k.store(k.load(indices.get(), at, I32), other_indices.get(), k.convert(slot, I64))
        for a, b in ((keys, other_keys), (indices, other_indices)):
            old = a.get()
            a.set(b.get())
            b.set(old)
    return k


# -- order and extremes: argmax, argmin, top_k, sort, argsort along any axis ------------------------------------------
#
# argmax   the largest key by vectors, then its first position
# top_k    the k best so far, sorted; a vector without a key better than the last of them is skipped
# sort     insertion for short lines; else counting by bytes, lowest first, which is stable


@dataclass(frozen=True)
class AxisLines:
    """The lines of x along an axis, and the strides of the results' lines."""

    keys: Keys
    dims: tuple[Size, ...]
    strides: tuple[tuple[Size, ...], ...]  # of x, then of each output
    steps: tuple[Size, ...]  # along the axis
    length: Size

    @staticmethod
    def make(keys: Keys, x: Tensor, axis: int, outputs: Sequence[Tensor]) -> AxisLines:
        """The lines of x along an axis; `outputs` have the axis too, or lack it."""
        others = [a for a in range(len(x.dims)) if a != axis]
        strides, steps = [[x.strides[a] for a in others]], [x.strides[axis]]
        for out in outputs:
            has_axis = len(out.dims) == len(x.dims)
            strides.append([out.strides[a] for a in others] if has_axis else list(out.strides))
            steps.append(out.strides[axis] if has_axis else 0)
        dims, merged_strides = merge_axes([x.dims[a] for a in others], *strides)
        return AxisLines(keys, dims, merged_strides, tuple(steps), x.dims[axis])

    @property
    def line_bytes(self) -> Size:
        """Bytes of one line, the measure of its work."""
        return self.length * self.keys.dtype.size

    def each(self, code: KernelCode, work: Callable[[KeyLine, list[Value]], None]) -> None:
        """Call `work(line, starts of the results' lines in elements)` for each line of this call's units."""
        k = code.code
        first, last = shares(code, product(self.dims), self.line_bytes, align=1)
        for positions, column, count in walk_runs(code, self.dims, first, last):
            for at in k.range(count):
                offsets = [offset_of(code, [*positions, column + at], strides) for strides in self.strides]
                base = k.pointer(code.pointer(0), offsets[0], type_of(self.keys.dtype.name))
                work(KeyLine(code, self.keys, base, code.size(self.steps[0]), index_of(code, self.length)), offsets[1:])

    def stage(self, name: str, key: object, outputs: int, emit: Callable[[KernelCode], None], scratch: Size = 0) -> Lowering:
        """The command that processes all lines."""
        units = unit_count(product(self.dims), self.line_bytes)
        return Lowering((Stage(name, (name, key, self), tuple(range(1 + outputs)), units, emit, scratch),))


def lower_arg(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower argmax and argmin: the first extreme, or the first NaN if there is one."""
    (x,) = inputs
    assert x is not None
    lines = AxisLines.make(Keys(x.dtype, reverse=op.name == "argmin"), x, op.attrs["axis"], outputs)

    def emit(code: KernelCode) -> None:
        def work(line: KeyLine, starts: list[Value]) -> None:
            code.code.store(code.code.convert(first_largest(line), I32), code.pointer(1), starts[0])

        lines.each(code, work)

    return lines.stage(op.name, None, 1, emit)


def lower_top_k(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `top_k`: the k largest in the total order of floats, ties to the lower position."""
    (x,) = inputs
    assert x is not None
    count = op.attrs["k"]
    few = count <= FEW
    lines = AxisLines.make(Keys(x.dtype, reverse=not few, total=True), x, op.attrs["axis"], outputs)
    kind, stored = lines.keys.kind, type_of(x.dtype.name)

    def emit(code: KernelCode) -> None:
        k = code.code

        def work(line: KeyLine, starts: list[Value]) -> None:
            if few:
                indices = k.pointer(k.scratch, count, kind)
                best_of(line, k.index(count), k.scratch, indices)
            else:
                indices = Sorter(code, kind, line.length, k.scratch).first(line, k.index(count))
            for at in k.range(count):
                index = k.load(indices, at, I32)
                value = line.element(k.convert(index, I64))
                k.store(value, k.pointer(code.pointer(1), starts[0], stored), at * code.size(lines.steps[1]))
                k.store(index, k.pointer(code.pointer(2), starts[1], I32), at * code.size(lines.steps[2]))

        lines.each(code, work)

    scratch = count * (kind.size + 4) if few else sort_scratch(lines.length, kind)
    return lines.stage("top_k", count, 2, emit, scratch)


def lower_sort(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower sort and argsort, stable both ways; NaN is the largest except in total order."""
    (x,) = inputs
    assert x is not None
    descending = op.attrs["descending"]
    keys = Keys(x.dtype, reverse=descending, nan_largest=not descending, total=op.attrs.get("total", False))
    lines = AxisLines.make(keys, x, op.attrs["axis"], outputs)
    stored = type_of(x.dtype.name)

    def emit(code: KernelCode) -> None:
        k = code.code

        def work(line: KeyLine, starts: list[Value]) -> None:
            indices = Sorter(code, line.keys.kind, line.length, k.scratch).all(line)
            target = k.pointer(code.pointer(1), starts[0], I32 if op.name == "argsort" else stored)
            for at in k.range(line.length):
                index = k.load(indices, at, I32)
                value = index if op.name == "argsort" else line.element(k.convert(index, I64))
                k.store(value, target, at * code.size(lines.steps[1]))

        lines.each(code, work)

    return lines.stage(op.name, descending, 1, emit, sort_scratch(lines.length, lines.keys.kind))


# -- searchsorted: a binary search of each query in its line, on the keys that sorting uses ---------------------------


_QUERY_BYTES = 128  # the work of one query, counted as a copy of as many bytes


def _count_below(line: KeyLine, query: Value, behind_equal: bool) -> Value:
    """Count the keys below the query, or not above it, in a sorted line."""
    k = line.code.code
    low, high = k.var(k.index(0)), k.var(line.length)
    with k.loop() as loop:
        start, end = low.get(), high.get()
        loop.stop(start >= end)
        middle = (start + end).ushr(1)
        key = line.key(middle)
        below = key <= query if behind_equal else key < query
        low.set(k.select(below, middle + 1, start))
        high.set(k.select(below, end, middle))
    return low.get()


def lower_search(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `searchsorted`: the positions of queries in sorted lines."""
    lines, queries = inputs
    assert lines is not None and queries is not None
    batch = len(lines.dims) - 1
    line_strides = [*lines.strides[:-1], *(0 for _ in queries.dims[batch:])]
    dims, (line_steps, query_steps, out_steps) = merge_axes(queries.dims, line_strides, queries.strides, outputs[0].strides)
    keys, stored = Keys(lines.dtype), type_of(lines.dtype.name)
    right = op.attrs["side"] == "right"

    def emit(code: KernelCode) -> None:
        k = code.code
        first, last = shares(code, product(dims), _QUERY_BYTES, align=1)
        length = index_of(code, lines.dims[-1])
        for positions, column, count in walk_runs(code, dims, first, last):
            for at in k.range(count):
                point = [*positions, column + at]
                base = k.pointer(code.pointer(0), offset_of(code, point, line_steps), stored)
                line = KeyLine(code, keys, base, code.size(lines.strides[-1]), length)
                query = keys.of(code, k.load(code.pointer(1), offset_of(code, point, query_steps), stored))
                position = k.convert(_count_below(line, query, right), I32)
                k.store(position, code.pointer(2), offset_of(code, point, out_steps))

    units = unit_count(product(dims), _QUERY_BYTES)
    key = (dims, line_steps, query_steps, out_steps, lines.strides[-1], lines.dims[-1], keys, right)
    return Lowering((Stage("searchsorted", ("searchsorted", key), (0, 1, 2), units, emit),))


LOWER: dict[str, Lower] = {
    "argmax": lower_arg,
    "argmin": lower_arg,
    "top_k": lower_top_k,
    "sort": lower_sort,
    "argsort": lower_sort,
    "searchsorted": lower_search,
}
"""The ops of this file by name."""
