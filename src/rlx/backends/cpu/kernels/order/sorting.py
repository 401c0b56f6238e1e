"""Sort keys: the largest of a line, the best few, and sorting; shared by the order ops and sampling.

Elements are compared as integer *keys* in the same order: NaN is the largest number, -0 equals 0; or, in the total order of floats,
-NaN < -inf < … < -0 < 0 < … < NaN. A reversed key makes the smallest the largest. Ties go to the lower position everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.types import F32, I16, I32, I64, PTR, Type, type_of
from rlx.backends.cpu.emit.values import Value
from rlx.core.dim import Size
from rlx.core.dtype import DType

FEW = 128
"""Up to this many, the largest are kept sorted while reading; for more, everything is sorted."""
_SHORT = 32
"""Lines up to this length are sorted by insertion."""
_SAMPLE = 64
"""Sampling interval of the keys, to estimate which are among the first."""


# -- keys -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Keys:
    """How elements of a dtype become integers in their order."""

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
        """The keys of loaded elements."""
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
    found = k.maximum(k.maximum(tops[0].get(), tops[1].get()), k.maximum(tops[2].get(), tops[3].get()))
    best = k.var(k.reduce(found, k.maximum))
    for at in k.range(line.vectors_end, line.length):
        best.set(k.maximum(line.key(at), best.get()))
    return best.get()


def first_with(line: KeyLine, key: Value) -> Value:
    """The first position of a key, which must exist."""
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


def insert_ordered(code: KernelCode, key: Value, place: Value, end: Value, keys: Value, places: Value, *, descending: bool) -> None:
    """Insert into the `end` entries of two sorted arrays, after equal ones; the entry at `end` is overwritten."""
    k = code.code
    at = k.var(end)
    with k.loop() as loop:
        loop.stop(at.get() == 0)
        before = k.load(keys, at.get() - 1, key.type)
        loop.stop(before >= key if descending else before <= key)
        k.store(before, keys, at.get())
        k.store(k.load(places, at.get() - 1, I32), places, at.get())
        at.set(at.get() - 1)
    k.store(key, keys, at.get())
    k.store(k.convert(place, I32), places, at.get())


def best_of(line: KeyLine, count: Value, keys: Value, places: Value) -> None:
    """The `count` largest keys in descending order and their positions (i32), into two arrays."""
    k, kind, lanes = line.code.code, line.keys.kind, line.lanes
    last = count - 1

    def insert(key: Value, place: Value, end: Value) -> None:
        insert_ordered(line.code, key, place, end, keys, places, descending=True)

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
    """Bytes that sorting a line needs: keys and positions twice, and counts."""
    return (length + 16) * (2 * (kind.size + 4)) + 256 * 4


class Sorter:
    """Sorts lines by their keys, ascending and stable, in a scratch memory of `sort_scratch` bytes."""

    def __init__(self, code: KernelCode, kind: Type, length: Value, scratch: Value) -> None:
        self.code, self.k, self.kind = code, code.code, kind
        room = (length + 15) // 16 * 16
        bytes_ = type_of("i8")
        self.keys = [self.k.pointer(scratch, room * index, kind) for index in (0, 1)]
        self.places = [self.k.pointer(scratch, room * (2 * kind.size + 4 * index), bytes_) for index in (0, 1)]
        self.counts = self.k.pointer(scratch, room * (2 * kind.size + 8), bytes_)

    def put(self, key: Value, place: Value, at: Value) -> None:
        """One entry, its key made unsigned."""
        self.k.store(key ^ (1 << (self.kind.bits - 1)), self.keys[0], at)
        self.k.store(self.k.convert(place, I32), self.places[0], at)

    def all(self, line: KeyLine) -> Value:
        """Sort a line; returns the address of its positions (i32) in order."""
        k = self.k
        with k.when(line.length <= _SHORT):
            for at in k.range(line.length):
                insert_ordered(self.code, line.key(at), at, at, self.keys[0], self.places[0], descending=False)
        with k.otherwise():
            for at in k.range(line.length):
                self.put(line.key(at), at, at)
            self.by_bytes(line.length)
        return self.places[0]

    def first(self, line: KeyLine, count: Value) -> Value:
        """The same, but only at least the first `count` positions are correct. A sample of the keys gives a bound below which there
        are probably enough, and only those are sorted. If there are too few, or the line is short, everything is sorted."""
        k = self.k
        found = k.var(0)
        with k.when((line.length >= 16 * _SAMPLE) & (count * 8 <= line.length)):
            drawn = line.length // _SAMPLE
            for at in k.range(drawn):
                self.put(line.key(at * _SAMPLE), at, at)
            self.by_bytes(drawn)
            rank = k.minimum(count * 5 // (4 * _SAMPLE) + 16, drawn - 1)
            found.set(self._collect(line, k.load(self.keys[0], rank, self.kind) ^ (1 << (self.kind.bits - 1))))
        with k.when((found.get() >= count) & (found.get() > 0)):
            self.by_bytes(found.get())
        with k.otherwise():
            self.all(line)
        return self.places[0]

    def _collect(self, line: KeyLine, bound: Value) -> Value:
        """Collect the entries whose keys are not above a bound; returns how many."""
        k = self.k
        found = k.var(0)

        def put(at: Value) -> None:
            self.put(line.key(at), at, found.get())
            found.set(found.get() + 1)

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
        return found.get()

    def by_bytes(self, length: Value) -> None:
        """Sort the entries by their unsigned keys."""
        self.k.call(_sort_by_bytes(self.code, self.kind), *self.keys, *self.places, self.counts, length)


def _sort_by_bytes(code: KernelCode, kind: Type) -> Function:
    """A function of the module that sorts keys with their positions by the keys' bytes, lowest first. Each pass moves
    everything to the other pair of arrays; after an even number of passes it is back in the first."""
    name = f"sort_by_bytes_{kind.name}"
    if name in code.module.functions:
        return code.module.functions[name]
    pointers = ("keys", "other_keys", "places", "other_places", "counts")
    k = code.module.function(name, [*((pointer, PTR) for pointer in pointers), ("length", I64)], internal=True)
    keys, other_keys, places, other_places = (k.var(pointer) for pointer in k.parameters[:4])
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
            place = k.load(counts, bucket, I32)
            k.store(place + 1, counts, bucket)
            k.store(key, other_keys.get(), k.convert(place, I64))
            k.store(k.load(places.get(), at, I32), other_places.get(), k.convert(place, I64))
        for a, b in ((keys, other_keys), (places, other_places)):
            old = a.get()
            a.set(b.get())
            b.set(old)
    return k
