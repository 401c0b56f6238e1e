"""Slots: which buffers share memory, decided once for every size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rlx.core.dim import Size, Symbol, evaluate, maximum

TYPICAL = 1024  # stands for a symbol without an upper bound when sizes are compared


@dataclass
class Lifetime:
    """A buffer and the commands between which it is alive."""

    buffer: int
    size: Size
    first: int
    last: int


def assign_slots(lives: Sequence[Lifetime], symbols: Mapping[str, Symbol]) -> tuple[dict[int, int], list[Size]]:
    """Give each buffer a slot so that no two alive at once share one.

    Linear scan in order of birth; among free slots the best fit is taken (sizes compared at the symbols' maxima), and a slot grows to the
    largest of its members. Returns the slot of each buffer, and the size of each slot as an expression.
    """
    typical = {name: symbol.maximum if symbol.maximum is not None else max(TYPICAL, symbol.minimum) for name, symbol in symbols.items()}
    slot_of: dict[int, int] = {}
    sizes: list[Size] = []
    weights: list[int] = []
    busy_until: list[int] = []
    for life in sorted(lives, key=lambda item: (item.first, item.buffer)):
        weight = evaluate(life.size, typical)
        free = [slot for slot, until in enumerate(busy_until) if until < life.first]
        fitting = [slot for slot in free if weights[slot] >= weight]
        if fitting:
            slot = min(fitting, key=lambda s: weights[s])
        elif free:
            slot = max(free, key=lambda s: weights[s])
        else:
            slot = len(sizes)
            sizes.append(0)
            weights.append(0)
            busy_until.append(-1)
        slot_of[life.buffer] = slot
        sizes[slot] = maximum(sizes[slot], life.size)
        weights[slot] = max(weights[slot], weight)
        busy_until[slot] = life.last
    return slot_of, sizes
