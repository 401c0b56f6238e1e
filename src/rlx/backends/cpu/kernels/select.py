"""Order and extremes: argmax, argmin, top_k, sort, argsort along any axis.

Elements are compared as integer *keys* in the same order: NaN is the largest number, -0 equals 0. A reversed key makes
the smallest the largest (NaN stays the largest for argmin, as in NumPy). Ties go to the lower position.

    argmax   the largest key by vectors, then the first place that has it
    top_k    the k best so far in order; a vector none of whose keys beats the last of them is passed over
    sort     insertion for short lines; else counting by bytes, lowest first, which is stable
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rlx.backends.cpu.builder import F32, I32, I64, PTR, Type, Value, type_of
from rlx.backends.cpu.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.kernels.runs import index_of, merged, offset_of, shares, unit_count, walk_runs
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, product
from rlx.core.dtype import DType
from rlx.ir.op import Op

__all__ = ["FEW", "LOWER", "Keys", "Line", "best_of", "first_largest", "sort_bytes", "sort_line", "sort_scratch"]

FEW = 128
"""Up to this many, the largest are kept in order while reading; more are sorted."""
_SHORT = 32
"""Lines up to this length are sorted by insertion."""


# -- keys -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Keys:
    """How elements of a dtype become integers in their order."""

    dtype: DType
    reverse: bool = False
    nan_largest: bool = True  # after reversing

    @property
    def kind(self) -> Type:
        """The integer type of the keys."""
        return I64 if self.dtype.size == 8 or self.dtype.name == "u32" else I32

    @property
    def lowest(self) -> int:
        """Not above any key."""
        return -(1 << (self.kind.bits - 1))

    def of(self, code: KernelCode, value: Value) -> Value:
        """The keys of loaded elements."""
        k, kind = code.code, self.kind
        if not self.dtype.is_float:
            if self.dtype.name == "u64":
                key = value ^ self.lowest
            else:
                key = k.convert(value, kind, signed=self.dtype.category == "int")
            return ~key if self.reverse else key
        number = k.convert(value, F32) if self.dtype.is_low_float else value
        integer = kind.like(value.type)
        bits = k.bitcast(number + 0.0, integer)  # -0 + 0 = 0
        key = bits ^ ((bits >> (kind.bits - 1)) & ~self.lowest)
        key = ~key if self.reverse else key
        nan = ~self.lowest if self.nan_largest else self.lowest
        return k.select(k.is_nan(number), k.constant(nan, integer), key)


@dataclass(frozen=True)
class Line:
    """Elements along one axis: where they start, how far apart they are, how many."""

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
        """Where the last whole vector ends."""
        return self.length // self.lanes * self.lanes

    def element(self, at: Value) -> Value:
        """One element."""
        return self.code.code.load(self.base, at * self.step, type_of(self.keys.dtype.name))

    def key(self, at: Value) -> Value:
        """The key of one element."""
        return self.keys.of(self.code, self.element(at))

    def vector(self, at: Value) -> Value:
        """The keys of a vector of elements."""
        k, kind = self.code.code, type_of(self.keys.dtype.name).vector(self.lanes)
        if isinstance(self.step, int) and self.step == 1:
            return self.keys.of(self.code, k.load(self.base, at, kind))
        if kind.bits == 1:
            bytes_ = k.gather_strided(self.base, at * self.step, self.step, type_of("u8").vector(self.lanes))
            return self.keys.of(self.code, bytes_ != 0)
        return self.keys.of(self.code, k.gather_strided(self.base, at * self.step, self.step, kind))


# -- the largest ------------------------------------------------------------------------------------------------
def largest_key(line: Line) -> Value:
    """The largest key of a line."""
    k, kind, lanes = line.code.code, line.keys.kind, line.lanes
    tops = [k.var(line.keys.lowest, kind.vector(lanes)) for _ in range(4)]
    many = line.length // (4 * lanes) * (4 * lanes)
    for at in k.range(0, many, 4 * lanes):
        for index, top in enumerate(tops):
            top.set(k.maximum(line.vector(at + index * lanes), top.get()))
    for at in k.range(many, line.vectors_end, lanes):
        tops[0].set(k.maximum(line.vector(at), tops[0].get()))
    found = k.maximum(k.maximum(tops[0].get(), tops[1].get()), k.maximum(tops[2].get(), tops[3].get()))
    best = k.var(k.reduce(found, k.maximum))
    for at in k.range(line.vectors_end, line.length):
        best.set(k.maximum(line.key(at), best.get()))
    return best.get()


def first_with(line: Line, key: Value) -> Value:
    """The first position that has a key; it is there."""
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


def first_largest(line: Line) -> Value:
    """The position of the first of the largest elements."""
    return first_with(line, largest_key(line))


def best_of(line: Line, count: Value, keys: Value, places: Value) -> None:
    """The `count` largest keys in descending order and their positions (i32), into two arrays."""
    k, kind, lanes = line.code.code, line.keys.kind, line.lanes
    last = count - 1

    def insert(key: Value, place: Value, end: Value) -> None:
        """Among the entries before `end`, after those that are not smaller; the one at `end` is overwritten."""
        at = k.var(end)
        with k.loop() as loop:
            loop.stop(at.get() == 0)
            before = k.load(keys, at.get() - 1, kind)
            loop.stop(before >= key)
            k.store(before, keys, at.get())
            k.store(k.load(places, at.get() - 1, I32), places, at.get())
            at.set(at.get() - 1)
        k.store(key, keys, at.get())
        k.store(k.convert(place, I32), places, at.get())

    for at in k.range(count):
        insert(line.key(at), at, at)
    whole = count + (line.length - count) // lanes * lanes
    for at in k.range(count, whole, lanes):
        vector = line.vector(at)
        hits = k.var(k.mask_bits(vector > k.load(keys, last, kind)))
        with k.loop() as loop:
            loop.stop(hits.get() == 0)
            lane = k.convert(k.count_trailing_zeros(hits.get()), I64)
            hits.set(hits.get() & (hits.get() - 1))
            key = line.key(at + lane)
            with k.when(key > k.load(keys, last, kind)):
                insert(key, at + lane, last)
    for at in k.range(whole, line.length):
        key = line.key(at)
        with k.when(key > k.load(keys, last, kind)):
            insert(key, at, last)


# -- sorting ----------------------------------------------------------------------------------------------------
def sort_scratch(length: Size, kind: Type) -> Size:
    """Bytes `sort_line` needs: keys and positions twice, and counts."""
    return (length + 16) * (2 * (kind.size + 4)) + 256 * 4


def sort_line(line: Line, scratch: Value) -> Value:
    """Sort a line's keys ascending, stable; gives the address of its positions (i32) in that order."""
    code, k, kind = line.code, line.code.code, line.keys.kind
    room = (line.length + 15) // 16 * 16
    keys = [scratch, k.pointer(scratch, room, kind)]
    places = [k.pointer(scratch, room * (2 * kind.size) + room * (index * 4), type_of("i8")) for index in (0, 1)]
    counts = k.pointer(scratch, room * (2 * kind.size + 8), type_of("i8"))
    unsigned = k.constant(line.keys.lowest, kind)
    result = k.var(places[0])
    with k.when(line.length <= _SHORT):
        for at in k.range(line.length):
            _insert_ascending(code, line.key(at), at, keys[0], places[0], kind)
    with k.otherwise():
        for at in k.range(line.length):
            k.store(line.key(at) ^ unsigned, keys[0], at)
            k.store(k.convert(at, I32), places[0], at)
        result.set(sort_bytes(code, keys, places, counts, line.length, kind))
    return result.get()


def _insert_ascending(code: KernelCode, key: Value, place: Value, keys: Value, places: Value, kind: Type) -> None:
    k = code.code
    at = k.var(place)
    with k.loop() as loop:
        loop.stop(at.get() == 0)
        before = k.load(keys, at.get() - 1, kind)
        loop.stop(before <= key)
        k.store(before, keys, at.get())
        k.store(k.load(places, at.get() - 1, I32), places, at.get())
        at.set(at.get() - 1)
    k.store(key, keys, at.get())
    k.store(k.convert(place, I32), places, at.get())


def sort_bytes(
    code: KernelCode, keys: Sequence[Value], places: Sequence[Value], counts: Value, length: Value, kind: Type
) -> Value:
    """Sort unsigned keys with their positions byte by byte, lowest first; gives where the positions are then."""
    k = code.code
    source, target, from_, to = (k.var(pointer, PTR) for pointer in (*keys, *places))
    for shift in k.range(0, kind.bits, 8):
        by = k.convert(shift, kind)

        def digit(key: Value, by: Value = by) -> Value:
            return k.convert(key.ushr(by) & 255, I64, signed=False)

        for bucket in k.range(256):
            k.store(0, counts, bucket, I32)
        for at in k.range(length):
            bucket = digit(k.load(source.get(), at, kind))
            k.store(k.load(counts, bucket, I32) + 1, counts, bucket)
        start = k.var(0, I32)
        for bucket in k.range(256):
            size = k.load(counts, bucket, I32)
            k.store(start.get(), counts, bucket)
            start.set(start.get() + size)
        for at in k.range(length):
            key = k.load(source.get(), at, kind)
            bucket = digit(key)
            place = k.load(counts, bucket, I32)
            k.store(place + 1, counts, bucket)
            wide = k.convert(place, I64)
            k.store(key, target.get(), wide)
            k.store(k.load(from_.get(), at, I32), to.get(), wide)
        for a, b in ((source, target), (from_, to)):
            old = a.get()
            a.set(b.get())
            b.set(old)
    return from_.get()


# -- the ops ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Lines:
    """The lines of x along an axis, and the strides of the results' lines."""

    keys: Keys
    dims: tuple[Size, ...]
    strides: tuple[tuple[Size, ...], ...]  # of x, then of each output
    steps: tuple[Size, ...]  # along the axis
    length: Size

    @staticmethod
    def make(keys: Keys, x: Tensor, axis: int, outputs: Sequence[Tensor]) -> Lines:
        """`outputs` have the axis too, or lack it."""
        others = [a for a in range(len(x.dims)) if a != axis]
        strides, steps = [[x.strides[a] for a in others]], [x.strides[axis]]
        for out in outputs:
            whole = len(out.dims) == len(x.dims)
            strides.append([out.strides[a] for a in others] if whole else list(out.strides))
            steps.append(out.strides[axis] if whole else 0)
        dims, merged_strides = merged([x.dims[a] for a in others], *strides)
        return Lines(keys, dims, merged_strides, tuple(steps), x.dims[axis])

    @property
    def line_bytes(self) -> Size:
        """The work of one line."""
        return self.length * self.keys.dtype.size

    def each(self, code: KernelCode, work: Callable[[Line, list[Value]], None]) -> None:
        """`work(line, starts of the results' lines in elements)` for each line of these units."""
        k = code.code
        first, last = shares(code, product(self.dims), self.line_bytes, align=1)
        for positions, column, count in walk_runs(code, self.dims, first, last):
            for at in k.range(count):
                offsets = [offset_of(code, [*positions, column + at], strides) for strides in self.strides]
                base = k.pointer(code.pointer(0), offsets[0], type_of(self.keys.dtype.name))
                work(Line(code, self.keys, base, code.size(self.steps[0]), index_of(code, self.length)), offsets[1:])

    def stage(
        self, name: str, key: object, outputs: int, emit: Callable[[KernelCode], None], scratch: Size = 0
    ) -> Lowering:
        """One command over all lines."""
        units = unit_count(product(self.dims), self.line_bytes)
        return Lowering((Stage(name, (name, key, self), tuple(range(1 + outputs)), units, emit, scratch),))


def lower_arg(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """argmax and argmin: the first extreme, the first NaN if there is one."""
    (x,) = inputs
    assert x is not None
    lines = Lines.make(Keys(x.dtype, reverse=op.name == "argmin"), x, op.attrs["axis"], outputs)

    def emit(code: KernelCode) -> None:
        def work(line: Line, starts: list[Value]) -> None:
            code.code.store(code.code.convert(first_largest(line), I32), code.pointer(1), starts[0])

        lines.each(code, work)

    return lines.stage(op.name, None, 1, emit)


def lower_top_k(
    op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target
) -> Lowering | str:
    """The k largest, NaN first, ties to the lower position."""
    (x,) = inputs
    assert x is not None
    count = op.attrs["k"]
    few = count <= FEW
    lines = Lines.make(Keys(x.dtype, reverse=not few, nan_largest=few), x, op.attrs["axis"], outputs)
    kind, stored = lines.keys.kind, type_of(x.dtype.name)

    def emit(code: KernelCode) -> None:
        k = code.code

        def work(line: Line, starts: list[Value]) -> None:
            if few:
                places = k.pointer(k.scratch, count, kind)
                best_of(line, k.index(count), k.scratch, places)
            else:
                places = sort_line(line, k.scratch)
            for at in k.range(count):
                place = k.load(places, at, I32)
                value = line.element(k.convert(place, I64))
                k.store(value, k.pointer(code.pointer(1), starts[0], stored), at * code.size(lines.steps[1]))
                k.store(place, k.pointer(code.pointer(2), starts[1], I32), at * code.size(lines.steps[2]))

        lines.each(code, work)

    scratch = count * (kind.size + 4) if few else sort_scratch(lines.length, kind)
    return lines.stage("top_k", count, 2, emit, scratch)


def lower_sort(
    op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target
) -> Lowering | str:
    """sort and argsort, stable both ways; NaN is the largest."""
    (x,) = inputs
    assert x is not None
    descending = op.attrs["descending"]
    lines = Lines.make(Keys(x.dtype, reverse=descending, nan_largest=not descending), x, op.attrs["axis"], outputs)
    stored = type_of(x.dtype.name)

    def emit(code: KernelCode) -> None:
        k = code.code

        def work(line: Line, starts: list[Value]) -> None:
            places = sort_line(line, k.scratch)
            target = k.pointer(code.pointer(1), starts[0], I32 if op.name == "argsort" else stored)
            for at in k.range(line.length):
                place = k.load(places, at, I32)
                value = place if op.name == "argsort" else line.element(k.convert(place, I64))
                k.store(value, target, at * code.size(lines.steps[1]))

        lines.each(code, work)

    return lines.stage(op.name, descending, 1, emit, sort_scratch(lines.length, lines.keys.kind))


LOWER: dict[str, Lower] = {
    "argmax": lower_arg, "argmin": lower_arg, "top_k": lower_top_k, "sort": lower_sort, "argsort": lower_sort,
}  # fmt: skip
"""The ops of this file by name."""
