"""Tables of 256 and more bytes by index, many lanes at once: from registers with AVX-512 VBMI, which has such an instruction."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.types import I8
from rlx.backends.cpu.emit.values import Value

_LANES = 64
"""Bytes of a register, and entries that one register holds."""


def has_byte_tables(k: Function) -> bool:
    """Whether the target picks bytes from registers by index (`vpermi2b`) and bits from words (`vpmultishiftqb`)."""
    return k.target.is_x86 and k.target.vector_bytes == _LANES and k.target.has("avx512vbmi")


def look_up_byte(k: Function, table: bytes, index: Value, upper: Value | None = None) -> Value:
    """Entries by the bytes of an index, and the lowest bits of the bytes of `upper` above them."""
    lanes = index.type.lanes
    low = _widened(k, index)
    vectors = [_constant(k, table[at : at + _LANES]) for at in range(0, len(table), _LANES)]
    found = [
        k.intrinsic("llvm.x86.avx512.vpermi2var.qi.512", low.type, [first, low, second])
        for first, second in zip(vectors[::2], vectors[1::2], strict=True)
    ]
    more = None if upper is None else _widened(k, upper)
    for bit in range(len(found).bit_length() - 1):
        if bit == 0:
            chosen = low < 0
        else:
            assert more is not None
            chosen = (more & (1 << (bit - 1))) != 0
        found = [k.select(chosen, high, low) for low, high in zip(found[::2], found[1::2], strict=True)]
    return found[0] if lanes == _LANES else k.slice(found[0], 0, lanes)


def bits_at(k: Function, words: Value, places: Sequence[int]) -> Value:
    """Of each word of 32 bits four bytes, of which the lowest bits are those from a place of the word on."""
    lanes = words.type.lanes * 4
    control = k.vector_of([(place + side) % 64 for _ in range(lanes // 8) for side in (0, 32) for place in places], I8)
    name = f"llvm.x86.avx512.pmultishift.qb.{8 * lanes}"
    return k.intrinsic(name, I8.vector(lanes), [control, k.bitcast(words, I8.vector(lanes))])


def index_bits(lanes: int) -> int:
    """The bits of an index that `level_of` looks at: a register's bytes are its table."""
    return lanes.bit_length() - 1


def level_of(k: Function, levels: Sequence[int], index: Value) -> Value:
    """Entries of a table that fits a register, a power of two of them, by the lowest bits of the bytes of an index."""
    lanes = index.type.lanes
    entries = k.vector_of([levels[lane % len(levels)] for lane in range(lanes)], I8)
    name = {64: "llvm.x86.avx512.permvar.qi.512", 32: "llvm.x86.avx512.permvar.qi.256"}[lanes]
    return k.intrinsic(name, index.type, [entries, index])


def _constant(k: Function, entries: bytes) -> Value:
    return k.vector_of([entry - 256 if entry > 127 else entry for entry in entries], I8)


def _widened(k: Function, index: Value) -> Value:
    """In a whole register."""
    if index.type.lanes == _LANES:
        return index
    return k.shuffle(index, None, [*range(index.type.lanes), *[None] * (_LANES - index.type.lanes)])
