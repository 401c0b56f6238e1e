"""Slots: no two buffers alive at once share memory, at any binding; sharing does save memory."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlx.core.dim import Dim, evaluate
from rlx.ir.parse_lir import ALIGNMENT, Lir
from rlx.plan.slots import Lifetime, _by_birth, _by_size, _peak, assign_slots

N, M = Dim("n", 1, 100), Dim("m")
SIZES = st.sampled_from([64, 4 * N, 4 * M, 4 * N * M, 100, 8 * N + 16, 1])


@given(st.lists(st.tuples(SIZES, st.integers(0, 20), st.integers(0, 8)), min_size=1, max_size=25))
def test_no_overlap_in_time_and_slot(rows):
    lives = [Lifetime(i, size, first, first + length) for i, (size, first, length) in enumerate(rows)]
    slot_of, sizes = assign_slots(lives, {"n": next(iter(N.symbols())), "m": next(iter(M.symbols()))})
    for one in lives:
        for other in lives:
            if one.buffer < other.buffer and slot_of[one.buffer] == slot_of[other.buffer]:
                assert one.last < other.first or other.last < one.first
        for values in ({"n": 1, "m": 1}, {"n": 100, "m": 3}, {"n": 7, "m": 5000}):
            assert evaluate(sizes[slot_of[one.buffer]], values) >= evaluate(one.size, values)


@given(st.lists(st.tuples(st.integers(1, 1000), st.integers(0, 30), st.integers(0, 15)), min_size=1, max_size=40))
def test_by_size_nothing_overlaps_and_no_more_is_taken_than_by_birth(rows):
    lives = [Lifetime(i, size, first, first + length) for i, (size, first, length) in enumerate(rows)]
    weights = {life.buffer: life.size for life in lives}
    for slots in (_by_size(lives, weights), _by_birth(lives, weights)):
        assert sorted(life.buffer for slot in slots for life in slot.members) == list(range(len(rows)))
        for slot in slots:
            assert slot.weight == max(life.size for life in slot.members)
            spans = sorted((life.first, life.last) for life in slot.members)
            assert all(one[1] < other[0] for one, other in pairwise(spans))
    alive = [sum(life.size for life in lives if life.first <= at <= life.last) for at in range(50)]
    assert _peak(lives, weights) == max(alive)
    _, sizes = assign_slots(lives, {})
    assert max(alive) <= sum(sizes) <= sum(slot.weight for slot in _by_birth(lives, weights))


def test_buffers_that_grow_while_small_ones_live_do_not_waste_memory():
    """As in a training step: small activations are kept, large temporaries come and go; by birth a small one takes a large one's slot."""
    lives = [Lifetime(2 * i, 100 + i, 2 * i, 2 * i) for i in range(20)] + [
        Lifetime(2 * i + 1, 10, 2 * i + 1, 100) for i in range(20)
    ]
    _, sizes = assign_slots(lives, {})
    assert sum(sizes) < 1.1 * (20 * 10 + 119)


def overlaps(lir: Lir, sizes: dict[str, int]) -> list[tuple[int, int]]:
    """Pairs of arena buffers that are alive at once and share a byte: computed from addresses, not from slots."""
    offsets = [evaluate(offset, sizes) for offset in lir.offsets()]
    spans = []
    for index, buffer in enumerate(lir.buffers):
        if buffer.kind == "arena":
            start = offsets[buffer.slot]
            spans.append((index, start, start + evaluate(buffer.size, sizes), buffer.first, buffer.last))
            assert start % ALIGNMENT == 0
    return [
        (a[0], b[0])
        for i, a in enumerate(spans)
        for b in spans[i + 1 :]
        if a[1] < b[2] and b[1] < a[2] and a[3] <= b[4] and b[3] <= a[4]
    ]


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_llama_plan_never_overlaps(device):
    import rlx
    from tests.small_llama import small_llama

    lir = rlx.graphs.lower(small_llama(layers=2), device).lir
    random = np.random.default_rng(0)
    for _ in range(20):
        sizes = {"batch": int(random.integers(1, 9)), "seq": int(random.integers(1, 65))}
        assert overlaps(lir, sizes) == []
        assert evaluate(lir.arena, sizes) < evaluate(lir.unshared, sizes)
