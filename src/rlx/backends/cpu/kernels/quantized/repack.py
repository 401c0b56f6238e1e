"""pack: rows of stored blocks interleaved eight at a time, natively and block by block; a unit is some groups of eight rows."""

from __future__ import annotations

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import I8, I16, I32, I64, Value
from rlx.backends.cpu.kernels.movement.runs import index_of, shares, unit_count
from rlx.backends.cpu.kernels.quantized.dequant_values import LANES, stored_run
from rlx.core.dim import ceildiv, product
from rlx.layouts.block_order import ROWS, SEGMENT, BlockOrder

_BYTES = {1: I8, 2: I16, 4: I32}
_WINDOWS = {**_BYTES, 7: I64}
"""The type that holds so many bytes."""


def lower_rows_side_by_side(order: BlockOrder, source: Tensor, result: Tensor) -> Lowering | str:
    """Lower the packing of rows of blocks side by side: every block order, with experts or without."""
    if not source.is_dense or not result.is_dense:
        return "packed rows with gaps"
    eights = product(source.dims[:-2]) * ceildiv(source.dims[-2], ROWS)
    units = unit_count(eights, source.dims[-1] * ROWS)

    def emit(code: KernelCode) -> None:
        k = code.code
        first, last = shares(code, eights, source.dims[-1] * ROWS, align=1)
        for eight in k.range(first, last):
            _eight_rows(code, order, source, eight)

    scratch = ROWS * order.size if order.planes else 0
    return Lowering((Stage("pack", ("pack", order.name), (0, 1), units, emit, scratch),))


def _eight_rows(code: KernelCode, order: BlockOrder, source: Tensor, eight: Value) -> None:
    k, size = code.code, order.scheme.block_bytes()
    count, length = index_of(code, source.dims[-2]), index_of(code, source.dims[-1])
    eights = (count + (ROWS - 1)).udiv(ROWS)
    matrix, first = eight.udiv(eights), eight.urem(eights) * ROWS
    blocks, done = length.udiv(size), k.var(0, I64)
    if order.holds_floats:
        with k.when(first + ROWS <= count):
            full = blocks & -ROWS
            _halves(code, (matrix * count + first) * length, length, eight * length * ROWS, full)
            done.set(full)
    for block in k.range(done.get(), blocks):
        target = k.pointer(code.pointer(1), eight * length * ROWS + block * (size * ROWS), I8)
        for row in k.range(ROWS):
            inside = first + row < count
            line = matrix * count + k.minimum(first + row, count - 1)
            _one_row(code, order, k.pointer(code.pointer(0), line * length + block * size, I8), target, row, inside)
        if order.fields:
            _fields(code, order, (matrix * count, first, count, length), block * size, target)


def _halves(code: KernelCode, source: Value, length: Value, target: Value, count: Value) -> None:
    """Interleave the 16-bit values of eight rows, eight of each at a time: a square transposed in three rounds."""
    k, kind = code.code, I16.vector(ROWS)
    low, high = ([lane for i in range(start, start + ROWS // 2) for lane in (i, i + ROWS)] for start in (0, ROWS // 2))
    for at in k.range(0, count, ROWS):
        lines = [k.load(k.pointer(code.pointer(0), source + length * row + at * 2, I8), 0, kind, align=1) for row in range(ROWS)]
        for _ in range(3):
            pairs = zip(lines[: ROWS // 2], lines[ROWS // 2 :], strict=True)
            lines = [k.shuffle(*pair, lanes) for pair in pairs for lanes in (low, high)]
        for number, line in enumerate(lines):
            k.store(line, k.pointer(code.pointer(1), target + (at + number) * (2 * ROWS), I8), 0, align=1)


def _one_row(code: KernelCode, order: BlockOrder, source: Value, target: Value, row: Value, inside: Value) -> None:
    """Copy a block of one row into its lanes; zeros for a row that does not exist."""
    k, at = code.code, 0
    for offset, bytes_ in order.items:
        kind = _BYTES[bytes_]
        value = k.load(k.pointer(source, offset, I8), 0, kind, align=1)
        k.store(k.select(inside, value, 0), k.pointer(target, at, I8), row, align=1)
        at += ROWS * bytes_
    if not order.planes:
        return
    numbers = k.scratch
    for first in k.range(0, order.size, LANES):
        k.store(stored_run(code, order.name, source, first), numbers, first)
    words = k.pointer(target, at, I8)
    if not order.pairs:
        for unit in k.range(0, order.size, 4 * order.unit):
            stored = k.pointer(words, unit.udiv(4) * sum(order.planes) * ROWS // 2, I8)
            read = [k.load(k.pointer(numbers, unit + 4 * i, I8), 0, I32) for i in range(order.unit)]
            _store_unit(code, order, read, stored, row, inside)
        return
    for index, (left, right) in enumerate(order.pairs):
        for start in range(0, order.group // 2, order.unit):
            steps = [2 * (start + i) for i in range(order.unit)]
            read = [_interleave(code, numbers, left * order.group + step, right * order.group + step) for step in steps]
            offset = (index * order.group // 2 + start) * sum(order.planes) * ROWS // 2
            _store_unit(code, order, read, k.pointer(words, offset, I8), row, inside)


def _fields(code: KernelCode, order: BlockOrder, rows: tuple[Value, Value, Value, Value], offset: Value, target: Value) -> None:
    """Copy the bits of codebooks by segments, for eight rows at once; `rows`: where they start, which, of how many, their bytes."""
    k, (start, first, count, length) = code.code, rows
    numbers = [first + row for row in range(ROWS)]
    lines = [(start + k.minimum(number, count - 1)) * length + offset for number in numbers]
    size = order.stored_bytes(SEGMENT // 4)
    for segment in k.range(order.size // SEGMENT):
        at = ROWS * order.item_bytes
        for field in order.fields:
            origin, kind = field.window[0] + segment * field.step, _WINDOWS[field.window[1]]
            window = k.constant(0, kind.vector(ROWS))
            for row, (number, line) in enumerate(zip(numbers, lines, strict=True)):
                read = k.load(k.pointer(code.pointer(0), line + origin, I8), 0, kind, align=1)
                window = k.insert(window, k.select(number < count, read, 0), row)
            moved = k.constant(0, window.type)
            for distance, mask in field.moves.items():
                part = window & mask
                moved = moved | (part << distance if distance >= 0 else part.ushr(-distance))
            stored = k.convert(moved, _BYTES[field.size])
            k.store(stored, k.pointer(target, segment * size + at, I8), 0, align=1)
            at += ROWS * field.size


def _interleave(code: KernelCode, numbers: Value, left: int, right: int) -> Value:
    """Interleave bytes: two of one group below two of its partner."""
    k = code.code
    low, high = (k.convert(k.load(k.pointer(numbers, at, I8), 0, I16), I32, signed=False) for at in (left, right))
    return low | high << 16


def _store_unit(code: KernelCode, order: BlockOrder, read: list[Value], target: Value, row: Value, inside: Value) -> None:
    """Store the planes of a unit of unpacked words."""
    k, taken, number = code.code, 0, 0
    for bits in order.planes:
        each, mask = 8 // bits, ((1 << bits) - 1) * 0x01010101
        for first in range(0, order.unit, each):
            word = k.constant(0, I32)
            for index in range(each):
                word = word | (read[first + index].ushr(taken) & mask) << (bits * index)
            k.store(k.select(inside, word, 0), k.pointer(target, number * 4 * ROWS, I8), row, align=1)
            number += 1
        taken += bits
