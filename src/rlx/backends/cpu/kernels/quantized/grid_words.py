"""Blocks of eight rows whose numbers are looked up: in codebooks, or as digits of base 3.

`GridBlock` reads a segment of 32 numbers at a time. Four entries of a row are the bytes of a word, so one look-up finds the entries of all
rows; their codes are spread over the bytes of words, a sign bit is put above each, and a second, small table makes numbers of them. With
AVX-512 VBMI both tables are in registers. Elsewhere entries are loaded one by one, with a byte for each number, and their signs computed.
Indices of more than eight bits are put together in memory, those of a full block before the first is used: to move lanes of a vector
one by one to the registers of addresses takes longer, and so does loading what was stored just before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.values import F16, F32, I8, I16, I32, I64, Operand, Type, Value
from rlx.backends.cpu.kernels.quantized.stored_words import InterleavedBlock
from rlx.layouts.block_order import ORDERS, ROWS, SEGMENT, sign_place
from rlx.layouts.gguf_grids import codebook, codebook_levels, codebook_places

_QUADS = SEGMENT // 4
_EVERY_BYTE = 0x01010101
_DIGIT_RUNS = ((8, 5), (4, 5), (1, 4))
"""TQ1_0: so many words of so many digits each."""


# -- the types whose numbers come from codebooks: which fields of a segment hold what, and the bytes that stand for the numbers
#
# An entry of a codebook is 16 bits: eight codes of 2 bits, or four of 4. A code and a sign bit are an index among at most 16 levels, which
# are bytes without signs: the number plus a zero point, as other types have it. Where the fields are is data in
# `rlx.layouts.block_order`.


@dataclass(frozen=True)
class BitsOfEntries:
    """The bits of a field that belong to the entries of a segment: `count` of entry e from `first + apart · e` on."""

    field: int
    first: int
    apart: int
    count: int = 1


@dataclass(frozen=True)
class Codebook:
    """The codebook of a packed type: the numbers of its entries, and where a block stores indices, signs and scales."""

    name: str
    levels: tuple[int, ...]
    signs: int | None = None  # the field with a bit for each number
    even: bool = False  # the sign of every eighth number makes their count even
    shifts: BitsOfEntries | None = None  # signs that all numbers of an entry share
    upper: BitsOfEntries | None = None  # of the indices, above eight bits
    scale_bits: int = 4
    scale_field: int | None = None  # the field with the scale of its segment, or else items hold them
    scale_place: Callable[[int], tuple[int, int]] = lambda group: (0, 0)  # of a group: its item, or 0 for a field; its first bit

    @property
    def code_bits(self) -> int:
        """The significant bits of a number's code in a codebook entry."""
        return len(self.levels).bit_length() - 2

    @property
    def each(self) -> int:
        """Numbers of a codebook entry."""
        return 2 * len(codebook(self.name)) // len(codebook_places(self.name))

    @property
    def low(self) -> bytes:
        """The lower bytes of the codebook's entries."""
        return codebook_places(self.name)[::2]

    @property
    def high(self) -> bytes:
        """The upper bytes of the codebook's entries."""
        return codebook_places(self.name)[1::2]

    @property
    def plain(self) -> list[int]:
        """Each codebook entry with a byte for every number, without its sign."""
        stored, bits = codebook_places(self.name), 16 // self.each
        entries = [int.from_bytes(stored[at : at + 2], "little") for at in range(0, len(stored), 2)]
        codes = [[entry >> (bits * i) & ((1 << bits) - 1) for i in range(self.each)] for entry in entries]
        return [int.from_bytes(bytes(self.levels[code] for code in entry), "little") for entry in codes]


def _signed(name: str) -> tuple[int, ...]:
    """The levels plus the largest one, then the same minus each; padded to a power of two.

    Without a factor that all have (IQ3_XXS: 2), so that more products fit 16 bits.
    """
    common = math.gcd(*codebook_levels(name))
    levels = tuple(level // common for level in codebook_levels(name))
    padding = (0,) * ((1 << (len(levels) - 1).bit_length()) - len(levels))
    zero = levels[-1]
    return (*(zero + level for level in levels), *padding, *(zero - level for level in levels), *padding)


_TERNARY = (2, 10, 18, 0, 0, 8, 16, 0)
"""Eight times -1, 0 and 1, an eighth up, then an eighth down, plus 9."""


def _nibbles(first: int) -> Callable[[int], tuple[int, int]]:
    """Eight scales of 4 bits to an item: the function from a group to (item, first bit)."""
    return lambda group: (first + group // 8, group % 8 * 4)


CODEBOOKS: dict[str, Codebook] = {
    "IQ2_XXS": Codebook("IQ2_XXS", _signed("IQ2_XXS"), signs=1, even=True, scale_field=1, scale_place=lambda group: (0, 28)),
    "IQ2_XS": Codebook("IQ2_XS", _signed("IQ2_XS"), signs=1, even=True, upper=BitsOfEntries(1, 28, 1), scale_place=_nibbles(1)),
    "IQ2_S": Codebook("IQ2_S", _signed("IQ2_S"), signs=1, upper=BitsOfEntries(2, 0, 2, 2), scale_place=_nibbles(1)),
    "IQ3_XXS": Codebook("IQ3_XXS", _signed("IQ3_XXS"), signs=2, even=True, scale_field=2, scale_place=lambda group: (0, 28)),
    "IQ3_S": Codebook("IQ3_S", _signed("IQ3_S"), signs=2, upper=BitsOfEntries(3, 0, 1), scale_place=_nibbles(1)),
    "IQ1_S": Codebook(
        "IQ1_S",
        _TERNARY,
        shifts=BitsOfEntries(1, 15, 0),
        upper=BitsOfEntries(1, 0, 3, 3),
        scale_bits=3,
        scale_field=1,
        scale_place=lambda group: (0, 12),
    ),
    "IQ1_M": Codebook(
        "IQ1_S",
        _TERNARY,
        shifts=BitsOfEntries(1, 3, 4),
        upper=BitsOfEntries(1, 0, 4, 3),
        scale_bits=3,
        scale_place=lambda group: (group // 8, group // 4 % 2 * 16 + group % 4 * 3),
    ),
}


# -- tables of 256 and more bytes by index, many lanes at once: from registers with AVX-512 VBMI, which has such an instruction


_LANES = 64
"""Bytes of a register, and entries that one register holds."""


def has_byte_tables(k: Function) -> bool:
    """Whether the target selects bytes from registers by index (`vpermi2b`) and bits from words (`vpmultishiftqb`)."""
    return k.target.is_x86 and k.target.vector_bytes == _LANES and k.target.has("avx512vbmi")


def look_up_byte(k: Function, table: bytes, index: Value, upper: Value | None = None) -> Value:
    """Look up table entries by the bytes of an index, and the lowest bits of the bytes of `upper` above them."""
    lanes = index.type.lanes
    low = _widen(k, index)
    signed = [entry - 256 if entry > 127 else entry for entry in table]
    vectors = [k.vector_of(signed[at : at + _LANES], I8) for at in range(0, len(table), _LANES)]
    halves = [
        k.intrinsic("llvm.x86.avx512.vpermi2var.qi.512", low.type, [first, low, second])
        for first, second in zip(vectors[::2], vectors[1::2], strict=True)
    ]
    more = None if upper is None else _widen(k, upper)
    for bit in range(len(halves).bit_length() - 1):
        if bit == 0:
            chosen = low < 0
        else:
            assert more is not None
            chosen = (more & (1 << (bit - 1))) != 0
        halves = [k.select(chosen, high, low) for low, high in zip(halves[::2], halves[1::2], strict=True)]
    return halves[0] if lanes == _LANES else k.slice(halves[0], 0, lanes)


def bits_at(k: Function, words: Value, bits: Sequence[int]) -> Value:
    """Extract four bytes from each word of 32 bits: the lowest bits of each byte are the word's from a bit offset on."""
    lanes = words.type.lanes * 4
    control = k.vector_of([(bit + side) % 64 for _ in range(lanes // 8) for side in (0, 32) for bit in bits], I8)
    name = f"llvm.x86.avx512.pmultishift.qb.{8 * lanes}"
    return k.intrinsic(name, I8.vector(lanes), [control, k.bitcast(words, I8.vector(lanes))])


def index_bits(lanes: int) -> int:
    """The number of index bits that `level_of` uses: its table is one register of bytes."""
    return lanes.bit_length() - 1


def level_of(k: Function, levels: Sequence[int], index: Value) -> Value:
    """Look up entries of a table that fits a register, a power of two of them, by the lowest bits of the bytes of an index."""
    lanes = index.type.lanes
    entries = k.vector_of([levels[lane % len(levels)] for lane in range(lanes)], I8)
    name = {64: "llvm.x86.avx512.permvar.qi.512", 32: "llvm.x86.avx512.permvar.qi.256"}[lanes]
    return k.intrinsic(name, index.type, [entries, index])


def _widen(k: Function, index: Value) -> Value:
    """Widen an index to a full register."""
    if index.type.lanes == _LANES:
        return index
    return k.shuffle(index, None, [*range(index.type.lanes), *[None] * (_LANES - index.type.lanes)])


# -- a block of eight rows of such a type ------------------------------------------------------------------------------


def interleaved_block(k: Function, name: str, base: Value, ahead: Operand = 0, beside: Value | None = None) -> InterleavedBlock:
    """The block of eight interleaved rows at an address, or of sixteen; see `InterleavedBlock`."""
    kind = GridBlock if ORDERS[name].fields else DigitBlock if ORDERS[name].digits else InterleavedBlock
    return kind(k, name, base, ahead, beside)


class GridBlock(InterleavedBlock):
    """A block of eight interleaved rows whose numbers are looked up in a codebook."""

    def __init__(self, k: Function, name: str, base: Value, ahead: Operand = 0, beside: Value | None = None) -> None:
        super().__init__(k, name, base, ahead, beside)
        self.codebook: Codebook = CODEBOOKS[name]
        self.indices: Value | None = None  # where they were collected
        self.is_alone = self.order.groups == len(self.order.pairs)

    def scale(self) -> Value:
        """The block scale d in f32; IQ1_M has its four nibbles at the top of four words of scales."""
        if self.order.items[0][1] == 2:
            return super().scale()
        k, numbers, words = self.k, self.numbers, [self.item(index) for index in range(2)]
        assert numbers is not None
        low = (words[0].ushr(12) & 0xF) | (words[0].ushr(24) & 0xF0)
        bits = low | (words[1].ushr(4) & 0xF00) | (words[1].ushr(16) & 0xF000)
        half = k.bitcast(k.convert(bits, I16), F16.vector(bits.type.lanes))
        return k.convert(half, F32) * numbers.factor

    def scale_pairs(self) -> tuple[list[Value], list[Value]]:
        """For each pair of groups their scales, 2s + 1, as adjacent 16-bit values; a group alone has its scale twice."""
        pairs = []
        for segment, groups in enumerate(self.order.pairs):
            scales = [self._scale(segment, group) for group in groups]
            pairs.append(self.k.bitcast(scales[0] | (scales[-1] << 16), self.pairs))
        return pairs, []

    def _scale(self, segment: int, group: int) -> Value:
        book = self.codebook
        item, first = book.scale_place(group)
        word = self.item(item) if book.scale_field is None else self.field(segment, book.scale_field)
        moved = word << 1 if first == 0 else word.ushr(first - 1)
        return (moved & ((2 << book.scale_bits) - 2)) | 1

    def field(self, segment: int, index: int) -> Value:
        """Load a field of a segment, in 32 bits."""
        kind = {1: I8, 2: I16, 4: I32}[self.order.fields[index].size]
        return self.k.convert(self._read(self._offset(segment, index), kind.vector(ROWS)), I32, signed=False)

    def field_addresses(self, segment: int, index: int) -> list[Value]:
        """The address of a field of a segment, for every eight rows."""
        return [self.k.pointer(base, self._offset(segment, index), I8) for base in self.bases]

    def _offset(self, segment: int, index: int) -> int:
        before = sum(field.size for field in self.order.fields[:index])
        return self.order.stored_bytes(_QUADS) * segment + ROWS * (self.order.item_bytes + before)

    @property
    def _segment_indices(self) -> int:
        """The number of codebook indices in a segment of all rows."""
        return SEGMENT // self.codebook.each * ROWS * len(self.bases)

    def collect_indices(self) -> None:
        """Store the codebook indices of a block in memory, in 16 bits each, if they have more than eight."""
        k, upper, size = self.k, self.codebook.upper, self._segment_indices
        if upper is None or has_byte_tables(k) or not k.target.has("avx2"):
            return
        segments = self.order.size // SEGMENT
        self.indices = k.alloca(I16, segments * size)
        for number in k.range(segments):
            bases = [k.pointer(base, number * self.order.stored_bytes(_QUADS), I8) for base in self.bases]
            segment = _SegmentByLoads(GridBlock(k, self.order.name, bases[0], 0, *bases[1:]), 0)
            segment.store_indices(upper, k.pointer(self.indices, number * size, I16))

    def take_indices(self, block: InterleavedBlock, segment: Value) -> None:
        """Use the stored indices of `block` from a segment on, where this part of the block starts."""
        assert isinstance(block, GridBlock)
        if block.indices is not None:
            self.indices = self.k.pointer(block.indices, segment * self._segment_indices, I16)

    @cached_property
    def entries(self) -> tuple[Value, Type]:
        """The address of the table of the codebook's entries, and the type of an entry."""
        return _entries_table(self.k.module, self.codebook)

    def words(self, count: int | None = None) -> Iterator[Value]:
        """The unpacked words in order; where groups are in pairs, a word has two numbers of each."""
        quads = self.quads(count)
        if self.is_alone:
            yield from quads
            return
        for first in quads:
            yield from self._regroup(first, next(quads))

    def quads(self, count: int | None = None) -> Iterator[Value]:
        """The unpacked words of four neighbors of each row, from a group and its partner in turn."""
        total = len(self.order.words) if count is None else count
        turns = [side + i for i in range(_QUADS // 2) for side in (0, _QUADS // 2)]
        prefetched, size = 0, self.order.stored_bytes(_QUADS)
        kind = _SegmentByTables if has_byte_tables(self.k) else _SegmentByLoads
        for number in range(total // _QUADS):
            prefetched = self._prefetch(prefetched, ROWS * self.order.item_bytes + (number + 1) * size)
            segment = kind(self, number)
            for quad in range(_QUADS) if self.is_alone else turns:
                yield segment.quad(quad)


class _GridSegment:
    """A segment of a codebook block: 32 numbers of each row."""

    def __init__(self, eight: GridBlock, number: int) -> None:
        self.k, self.book, self.eight = eight.k, eight.codebook, eight
        fields = [eight.field(number, index) for index in range(len(eight.order.fields))]
        self.indices, self.fields = fields[: SEGMENT // 4 // self.book.each], fields
        self.signs = None if self.book.signs is None else self._all_signs(fields[self.book.signs])

    def _all_signs(self, stored: Value) -> Value:
        """A sign bit for each number: the last of eight makes their count even, if the file omits it."""
        if not self.book.even:
            return stored
        odd = stored ^ (stored << 16 | stored.ushr(16))
        odd = odd ^ (odd << 8 | odd.ushr(24))  # in every byte the sum of all four
        return (stored & 0x0FFFFFFF) | ((odd ^ (odd << 4) ^ stored) & -0x10000000)


class _SegmentByTables(_GridSegment):
    """A codebook segment whose entries and levels are looked up in registers."""

    def __init__(self, eight: GridBlock, number: int) -> None:
        super().__init__(eight, number)
        self.halves: list[tuple[Value, Value]] = []

    def quad(self, number: int) -> Value:
        """Four neighboring numbers of each row."""
        k, book, kind = self.k, self.book, self.eight.bytes
        word, half_entry = divmod(number, book.each)
        while len(self.halves) <= word:
            self.halves.append(self._entries(len(self.halves)))
        halves = self.halves[word]
        if book.each == 8:
            codes = bits_at(k, halves[half_entry % 2], [8 * (half_entry // 2) + 2 * i for i in range(4)])
        else:
            low, high = (bits_at(k, half, [8 * half_entry, 8 * half_entry + 4] * 2) for half in halves)
            lanes = range(kind.lanes)
            codes = k.shuffle(low, high, [lane + (kind.lanes if lane % 4 > 1 else 0) for lane in lanes])
        above, bit = self._shift_bytes(number // 2) if self.signs is None else self._sign_bytes(number)
        mask = (1 << book.code_bits) - 1
        half = len(book.levels) // 2
        levels = [book.levels[index % half + half * (index >> bit & 1)] for index in range(2 << bit)]
        return level_of(k, levels, (codes & mask) | (above & ~mask))

    def _entries(self, word: int) -> tuple[Value, Value]:
        """The lower and the upper bytes of four entries of each row, as words."""
        k, book, upper = self.k, self.book, None
        index = k.bitcast(self.indices[word], self.eight.bytes)
        if book.upper is not None:
            first, apart = book.upper.first + 4 * word * book.upper.apart, book.upper.apart
            upper = bits_at(k, self.fields[book.upper.field], [first + apart * entry for entry in range(4)])
        low, high = (look_up_byte(k, table, index, upper) for table in (book.low, book.high))
        return k.bitcast(low, self.indices[word].type), k.bitcast(high, self.indices[word].type)

    def _shift_bytes(self, entry: int) -> tuple[Value, int]:
        """The shared sign of an entry in every byte, and its bit, above the codes; other bits are undefined."""
        shifts = self.book.shifts
        assert shifts is not None
        first = shifts.first + shifts.apart * entry - self.book.code_bits
        return bits_at(self.k, self.fields[shifts.field], [first] * 4), self.book.code_bits

    def _sign_bytes(self, quad: int) -> tuple[Value, int]:
        """The signs of a quad, and their bit: as stored, or shifted by as much as aligns most of them."""
        assert self.signs is not None
        first, end = self.book.code_bits, index_bits(self.eight.bytes.lanes)
        stored = sign_place(quad)
        bit = first + (stored - first) % (end - first)
        distance = stored - bit
        shifted = self.signs.ushr(distance) if distance > 0 else self.signs << -distance
        return self.k.bitcast(shifted, self.eight.bytes), bit


class _SegmentByLoads(_GridSegment):
    """A codebook segment whose entries are loaded from memory, one for each row."""

    def __init__(self, eight: GridBlock, number: int) -> None:
        super().__init__(eight, number)
        self.number = number
        self.quads: dict[int, Value] = {}

    def quad(self, number: int) -> Value:
        """Four neighboring numbers of each row."""
        if number not in self.quads:
            self._load(number * 4 // self.book.each)
        k, bytes_ = self.k, self.eight.bytes
        plain = k.bitcast(self.quads[number], bytes_)
        if self.signs is None:  # an eighth down is two of 18 less
            return plain - k.bitcast(self._shift(number // 2) << 1, bytes_)
        numbers = self.eight.numbers
        assert numbers is not None
        uppermost = k.bitcast(self.signs << (7 - sign_place(number)), bytes_)
        return k.select(uppermost < 0, k.constant(2 * numbers.zero, bytes_) - plain, plain)

    def _load(self, entry: int) -> None:
        """Load the numbers of an entry of each row without their signs, four to a word."""
        k, book = self.k, self.book
        if not k.target.has("avx2"):  # with vectors of 16 bytes, one function is less code than 32 or 64 copies of it
            index = self._index(entry)
            looked_up = k.call(_entries_function(k.module, book, index.type.lanes), index)
            entries = [k.extract(looked_up, row) for row in range(index.type.lanes)]
        else:
            table, kind = self.eight.entries
            entries = [k.load(table, index, kind) for index in self._entry_indices(entry)]
        for number, quad in enumerate(_quads_of(k, entries)):
            self.quads[entry * book.each // 4 + number] = quad

    def _entry_indices(self, entry: int) -> list[Value]:
        """The codebook index of an entry of each row, as scalars: bytes of the file, unless there are upper bits to be added."""
        k, collected = self.k, self.eight.indices
        word, byte = divmod(entry, 4)
        rows = self.indices[0].type.lanes
        if collected is not None:
            first = rows * (SEGMENT // self.book.each * self.number + 2 * (2 * word + byte % 2)) + byte // 2
            lanes = [k.load(collected, first + 2 * row, I16) for row in range(rows)]
        elif self.book.upper is not None:
            index = self._index(entry)
            lanes = [k.extract(index, lane) for lane in range(rows)]
        else:
            addresses = self.eight.field_addresses(self.number, word)
            lanes = [k.load(address, 4 * row + byte, I8) for address in addresses for row in range(ROWS)]
        return [k.convert(lane, I64, signed=False) for lane in lanes]

    def store_indices(self, upper: BitsOfEntries, room: Value) -> None:
        """Store all codebook indices in 16 bits each: of every four entries the first beside the third, then the others."""
        mask, rows = (1 << upper.count) - 1, self.indices[0].type.lanes
        for word, stored in enumerate(self.indices):
            for side in range(2):
                both = stored.ushr(8 * side) & 0x00FF00FF
                for half in range(2):
                    bit = 16 * half + 8
                    distance = bit - (upper.first + upper.apart * (4 * word + 2 * half + side))
                    bits = self.fields[upper.field]
                    shifted = bits << distance if distance > 0 else bits.ushr(-distance)
                    both = both | (shifted & (mask << bit))
                self.k.store(both, room, (2 * word + side) * rows)

    def _index(self, entry: int) -> Value:
        """The codebook index of an entry of each row, as a vector."""
        word, byte = divmod(entry, 4)
        index, upper = self.indices[word].ushr(8 * byte) & 255, self.book.upper
        if upper is None:
            return index
        stored = self.fields[upper.field].ushr(upper.first + upper.apart * entry)
        return index | (stored & ((1 << upper.count) - 1)) << 8

    def _shift(self, entry: int) -> Value:
        """The shared sign of an entry, a 1 or 0 in every byte."""
        shifts = self.book.shifts
        assert shifts is not None
        return (self.fields[shifts.field].ushr(shifts.first + shifts.apart * entry) & 1) * _EVERY_BYTE


def _quads_of(k: Function, entries: list[Value]) -> list[Value]:
    """The first four numbers of an entry of each row, and the second four if it has eight.

    Rows are dealt out by twos to two vectors, so that picking halves of entries moves nothing across 16 bytes.
    """
    rows = len(entries)
    if entries[0].type.bits == 32:
        return [_vector_of(k, entries)]
    sides = [[row for row in range(rows) if row // 2 % 2 == side] for side in range(2)]
    first, second = (k.bitcast(_vector_of(k, [entries[row] for row in side]), I32.vector(rows)) for side in sides)
    lane_of = {row: 2 * at + rows * side for side, dealt in enumerate(sides) for at, row in enumerate(dealt)}
    return [k.shuffle(first, second, [lane_of[row] + half for row in range(rows)]) for half in range(2)]


def _vector_of(k: Function, scalars: list[Value]) -> Value:
    vector = k.constant(0, scalars[0].type.vector(len(scalars)))
    for lane, scalar in enumerate(scalars):
        vector = k.insert(vector, scalar, lane)
    return vector


def _entries_table(module: Module, book: Codebook) -> tuple[Value, Type]:
    """The table of every entry's numbers without signs, and the type of an entry."""
    kind = I64 if book.each == 8 else I32
    half = 1 << (kind.bits - 1)
    return module.constant_array([entry - 2 * half if entry >= half else entry for entry in book.plain], kind), kind


def _entries_function(module: Module, book: Codebook, rows: int) -> Function:
    """The function (indices): the numbers of an entry for each row, without signs. Emitted once per object: a block has 32 or 64."""
    table, kind = _entries_table(module, book)

    def emit(k: Function) -> None:
        indices = [k.convert(k.extract(k.parameters[0], row), I64, signed=False) for row in range(rows)]
        k.ret(_vector_of(k, [k.load(table, index, kind) for index in indices]))

    return module.shared(f"entries_{book.name}_{rows}", [("index", I32.vector(rows))], emit, kind.vector(rows))


class DigitBlock(InterleavedBlock):
    """TQ1_0: a byte is five digits of base 3 as a fraction of 256, each number plus 1; a word's digits are four neighbors each."""

    def words(self, count: int | None = None) -> Iterator[Value]:
        """Unpack all digits of the first words, then of the others: the numbers in order."""
        first, item = 0, len(self.order.items) - self.order.digits
        prefetched, end = 0, ROWS * sum(size for _, size in self.order.items[:item])
        for words, digits in _DIGIT_RUNS:
            end += 4 * ROWS * words
            prefetched = self._prefetch(prefetched, end)
            stored = [self.item(item + first + index) for index in range(words)]
            yield from self._by_tables(stored, digits) if has_byte_tables(self.k) else self._by_products(stored, digits)
            first += words

    def _by_tables(self, stored: list[Value], digits: int) -> Iterator[Value]:
        """Look up four digits of a byte in one table, the fifth in another."""
        k, powers = self.k, [3**number for number in range(5)]
        entries = [[(byte * power % 256 * 3) >> 8 for power in powers] for byte in range(256)]
        low = bytes(sum(digit << (2 * number) for number, digit in enumerate(entry[:4])) for entry in entries)
        bytes_ = [k.bitcast(word, self.bytes) for word in stored]
        digits_of = [k.bitcast(look_up_byte(k, low, index), stored[0].type) for index in bytes_]
        for number in range(4):
            yield from (k.bitcast(word.ushr(2 * number) & (3 * _EVERY_BYTE), self.bytes) for word in digits_of)
        if digits == 5:
            yield from (look_up_byte(k, bytes(entry[4] for entry in entries), index) for index in bytes_)

    def _by_products(self, stored: list[Value], digits: int) -> Iterator[Value]:
        """Extract digits by products: a digit is what three times the byte has above 8 bits; the bits below hold the next ones."""
        bytes_ = [self.k.bitcast(word, self.bytes) for word in stored]
        for _ in range(digits):
            for number in bytes_:
                yield self._digit(number)
            bytes_ = [number + number + number for number in bytes_]

    def _digit(self, number: Value) -> Value:
        k, wide = self.k, I16.vector(self.bytes.lanes)
        tripled = k.convert(number, wide, signed=False) * 3
        return k.convert(tripled.ushr(8), I8)
