"""The values of eight interleaved rows as floats: for the panels of exact products."""

from __future__ import annotations

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.types import F32, I8, I64, PTR, Type
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.quantized.grid_words import block_of_eight
from rlx.backends.cpu.kernels.quantized.stored_words import WORDS, Eight
from rlx.layouts.block_order import ORDERS, ROWS


def floats_function(module: Module, name: str, width: int, kind: Type) -> Function:
    """(blocks of eight rows, panel, how many blocks): emitted once per object."""
    order = ORDERS[name]

    def emit(k: Function) -> None:
        first, panel, count = k.parameters
        for block in k.range(count):
            eight = block_of_eight(k, name, k.pointer(first, block * (order.scheme.block_bytes() * ROWS), I8))
            _store_floats(k, eight, k.pointer(panel, block * (order.size * width), kind), width, kind)

    parameters = [("blocks", PTR), ("panel", PTR), ("count", I64)]
    return module.shared(f"floats_{name}_{kind.name}_{width}", parameters, emit)


def _store_floats(k: Function, eight: Eight, panel: Value, width: int, kind: Type) -> None:
    """The block's values in file order, those of eight rows adjacent, `width` elements apart.

    Each is computed with the formula of `rlx.layouts.gguf_blocks`, so it has the same bits.
    """
    order, numbers = eight.order, eight.numbers
    if numbers is None:
        k.store(k.convert(eight.real(0), kind), panel, 0)
        return
    d, m = eight.scale(), eight.minimum()
    scales, minimums = eight.scale_pairs()
    factors = {group: d * scale for group, scale in _by_group(k, order.pairs, scales).items()} or {0: d}
    offsets = {group: -(m * value) for group, value in _by_group(k, order.pairs, minimums).items()} if m is not None else {}
    for places, word in zip(order.words, eight.words(), strict=True):
        bits = k.bitcast(word, WORDS)
        for byte, place in enumerate(places):
            whole = (bits << (24 - 8 * byte)) >> 24 if numbers.signed else bits.ushr(8 * byte) & 255
            number = k.convert(whole, F32)
            group = place // order.group
            number = factors[group] * (number - float(numbers.zero) if numbers.zero else number)
            offset = offsets.get(group, m)
            number = number if offset is None else number + offset
            k.store(k.convert(number, kind), panel, place * width)


def _by_group(k: Function, pairs: tuple[tuple[int, ...], ...], stored: list[Value]) -> dict[int, Value]:
    """Pairs of 16 bits as an f32 for each group."""
    found = {}
    for pair, both in zip(pairs, stored, strict=False):
        word = k.bitcast(both, WORDS)
        found[pair[0]], found[pair[-1]] = k.convert((word << 16) >> 16, F32), k.convert(word >> 16, F32)
    return found
