"""Slots: which buffers share memory, decided once for every size."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from rlx.core.dim import Size, Symbol, evaluate, maximum

TYPICAL = 1024  # the value of an unbounded symbol when sizes are compared
_WASTE = 1.1  # how much more memory than the peak is accepted with birth order


@dataclass
class Lifetime:
    """A buffer and the commands between which it is alive."""

    buffer: int
    size: Size
    first: int
    last: int


def assign_slots(lives: Sequence[Lifetime], symbols: Mapping[str, Symbol]) -> tuple[dict[int, int], list[Size]]:
    """Assign each buffer a slot so that no two live at once share one: the slot of each buffer, and the size of each slot as an expression.

    Buffers are placed in order of birth, for locality. If that takes much more than the peak of live memory, as in a training step,
    they are placed by size instead, the largest first. Sizes are compared at the symbols' maxima.
    """
    typical = {
        name: symbol.maximum if symbol.maximum is not None else max(TYPICAL, symbol.minimum) for name, symbol in symbols.items()
    }
    weights = {life.buffer: evaluate(life.size, typical) for life in lives}
    slots = _by_birth(lives, weights)
    if sum(slot.weight for slot in slots) > _WASTE * _peak(lives, weights):
        other = _by_size(lives, weights)
        if sum(slot.weight for slot in other) * _WASTE < sum(slot.weight for slot in slots):
            slots = other
    sizes: list[Size] = []
    for slot in slots:
        size: Size = 0
        for life in slot.members:
            size = maximum(size, life.size)
        sizes.append(size)
    return {life.buffer: number for number, slot in enumerate(slots) for life in slot.members}, sizes


@dataclass
class _Slot:
    """Buffers that share memory."""

    members: list[Lifetime]
    weight: int  # of the largest


def _by_birth(lives: Sequence[Lifetime], weights: Mapping[int, int]) -> list[_Slot]:
    """Linear scan: take the free slot that fits best, else grow the largest."""
    slots: list[_Slot] = []
    free: list[tuple[int, int]] = []  # (weight, number), in order
    busy: list[tuple[int, int]] = []  # (the last command of its last member, number), a heap
    for life in sorted(lives, key=lambda item: (item.first, item.buffer)):
        weight = weights[life.buffer]
        while busy and busy[0][0] < life.first:
            number = heappop(busy)[1]
            insort(free, (slots[number].weight, number))
        if free:
            fitting = bisect_left(free, (weight, 0))
            _, number = free.pop(fitting if fitting < len(free) else bisect_left(free, (free[-1][0], 0)))
            slots[number].members.append(life)
            slots[number].weight = max(slots[number].weight, weight)
        else:
            number = len(slots)
            slots.append(_Slot([life], weight))
        heappush(busy, (life.last, number))
    return slots


def _by_size(lives: Sequence[Lifetime], weights: Mapping[int, int]) -> list[_Slot]:
    """Largest first, each into the smallest slot that is free throughout its lifetime; slots are in descending size."""
    slots: list[_Slot] = []
    taken: list[list[tuple[int, int]]] = []  # by slot, the lives of its members, in order: no two overlap
    for life in sorted(lives, key=lambda item: (-weights[item.buffer], item.first, item.buffer)):
        for slot, spans in zip(reversed(slots), reversed(taken), strict=True):
            place = bisect_left(spans, (life.first, life.first))
            later = place < len(spans) and spans[place][0] <= life.last
            if not later and (place == 0 or spans[place - 1][1] < life.first):
                slot.members.append(life)
                spans.insert(place, (life.first, life.last))
                break
        else:
            slots.append(_Slot([life], weights[life.buffer]))
            taken.append([(life.first, life.last)])
    return slots


def _peak(lives: Sequence[Lifetime], weights: Mapping[int, int]) -> int:
    """The peak of live memory."""
    changes: dict[int, int] = {}
    for life in lives:
        changes[life.first] = changes.get(life.first, 0) + weights[life.buffer]
        changes[life.last + 1] = changes.get(life.last + 1, 0) - weights[life.buffer]
    most = now = 0
    for _, change in sorted(changes.items()):
        now += change
        most = max(most, now)
    return most
