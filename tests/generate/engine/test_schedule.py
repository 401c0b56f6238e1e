"""What runs next: prompts in chunks beside decoding, fairness, priorities, pages that run out. No model is needed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rlx.generate.engine.kv_memory import KvMemory, pages_of
from rlx.generate.engine.schedule import Scheduler, StepLimits, StepPart
from rlx.generate.engine.sequence import Request, Sequence
from rlx.generate.sampler import ChosenToken
from rlx.generate.sampling_settings import Sampling
from rlx.models.flow import PAGE
from tests.generate.tiny import byte_tokenizer

TOKENIZER = byte_tokenizer()


def sequence(length: int, answer: int = 4, *, first: int = 0, **how: Any) -> Sequence:
    request = Request(Sampling(max_tokens=answer), frozenset(), **how)
    request.mailbox.whole = True
    return Sequence(request, TOKENIZER, [(first + n) % 200 for n in range(length)], 0)


def scheduler(pages: int = 100, *, prefix_cache: bool = False, **limits: Any) -> Scheduler:
    return Scheduler(KvMemory(pages, prefix_cache=prefix_cache), StepLimits(**{"tokens": 64, "beside": 16, **limits}))


def run(chosen: Scheduler, works: list[StepPart]) -> None:
    """As a runner and a sampler that always says 7."""
    for work in works:
        one = work.sequence
        one.computed = work.start + len(work.tokens)
        assert len(one.table) >= pages_of(one.computed)
        if work.wanted:
            one.accept(ChosenToken(7))
            if one.finish is not None:
                chosen.remove(one)


def sizes(works: list[StepPart]) -> list[int]:
    return [len(work.tokens) for work in works]


def test_a_prompt_comes_in_chunks_and_only_its_end_gives_logits():
    plan, one = scheduler(), sequence(150)
    plan.add(one)
    seen = []
    for _ in range(3):
        works = plan.plan()
        seen += [(work.start, len(work.tokens), work.wanted) for work in works]
        run(plan, works)
    assert seen == [(0, 64, 0), (64, 64, 0), (128, 22, 1)]
    assert sizes(plan.plan()) == [1]


def test_prompts_take_only_a_part_of_a_step_in_which_others_decode():
    plan = scheduler()
    plan.add(sequence(10, answer=50))
    run(plan, plan.plan())
    plan.add(sequence(100))
    works = plan.plan()
    assert sizes(works) == [1, 16]


@pytest.mark.parametrize(
    ("decoding", "beside", "prompts"), [(1, 127, 127), (16, 128, 112), (64, 128, 64), (65, 128, 128), (40, 20, 20)]
)
def test_prompts_fill_a_step_up_to_what_products_take_together(decoding, beside, prompts):
    plan = scheduler(300, sequences=100, tokens=1000, beside=beside)
    for _ in range(decoding):
        plan.add(sequence(10, answer=50))
    run(plan, plan.plan())
    plan.add(sequence(500))
    assert sizes(plan.plan()) == [*[1] * decoding, prompts]


def test_several_prompts_share_a_step():
    plan = scheduler()
    for _ in range(3):
        plan.add(sequence(30))
    assert sizes(plan.plan()) == [30, 30, 4]


def test_no_more_sequences_run_than_allowed():
    plan = scheduler(sequences=2, tokens=100)
    for _ in range(3):
        plan.add(sequence(5, answer=2))
    run(plan, plan.plan())
    assert len(plan.running) == 2
    run(plan, plan.plan())
    assert sizes(plan.plan()) == [5]


def test_a_higher_priority_goes_first():
    plan = scheduler(tokens=20)
    low, high = sequence(20), sequence(20, priority=1)
    plan.add(low)
    plan.add(high)
    assert [work.sequence for work in plan.plan()] == [high]


def test_the_caller_who_was_served_less_goes_first():
    plan = scheduler(tokens=20, sequences=1)
    for _ in range(5):
        plan.add(sequence(20, answer=1, caller="many"))
    run(plan, plan.plan())
    plan.add(sequence(20, answer=1, caller="few"))
    plan.add(sequence(20, answer=1, caller="few"))
    served = []
    for _ in range(4):
        works = plan.plan()
        served.append(works[0].sequence.request.caller)
        run(plan, works)
    assert served == ["many", "few", "many", "few"] or served == ["many", "few", "few", "many"]


def test_a_caller_who_comes_back_has_no_credit():
    plan = scheduler(tokens=20, sequences=1)
    plan.add(sequence(20, answer=1, caller="a"))
    plan.add(sequence(20, answer=1, caller="a"))
    run(plan, plan.plan())
    plan.add(sequence(20, answer=1, caller="b"))
    assert plan.shares.of("b") == plan.shares.of("a")


def test_the_youngest_is_put_back_when_pages_run_out_and_comes_again():
    plan = scheduler(pages=4, tokens=200)
    old, young = sequence(2 * PAGE - 1, answer=40), sequence(2 * PAGE - 1, answer=40, first=50)
    plan.add(old)
    plan.add(young)
    while old.finish is None:
        works = plan.plan()
        assert works
        run(plan, works)
    assert plan.put_back_count >= 1
    assert young.finish is None
    assert young.prompt == young.tokens[: len(young.prompt)]
    while young.finish is None:
        run(plan, plan.plan())
    assert len(young.ids) == 40
    assert plan.memory.pool.free_count == 4


def test_prompts_that_hold_all_pages_do_not_block_each_other_for_ever():
    plan = scheduler(pages=4, tokens=PAGE, beside=PAGE, sequences=4)
    both = [sequence(4 * PAGE - 4, answer=2, first=n) for n in (0, 90)]
    for one in both:
        plan.add(one)
    for _ in range(100):
        works = plan.plan()
        if not works:
            break
        run(plan, works)
    assert all(one.finish == "length" for one in both)


def test_a_known_beginning_is_not_computed_again():
    plan = scheduler(prefix_cache=True, tokens=200)
    first, again = sequence(3 * PAGE + 5, answer=1), sequence(3 * PAGE + 5, answer=1)
    plan.add(first)
    works = plan.plan()
    run_and_remember(plan, works)
    plan.add(again)
    works = plan.plan()
    assert [(work.start, len(work.tokens)) for work in works] == [(3 * PAGE, 5)]
    assert again.reused == 3 * PAGE


def run_and_remember(plan: Scheduler, works: list[StepPart]) -> None:
    for work in works:
        work.sequence.computed = work.start + len(work.tokens)
        plan.memory.remember(work.sequence)
        work.sequence.accept(ChosenToken(7))
        plan.remove(work.sequence)


def test_a_fork_copies_the_page_it_writes():
    plan, one = scheduler(), sequence(40, answer=9)
    plan.add(one)
    run(plan, plan.plan())
    copy = sequence(40, answer=9)
    plan.begin_fork(one, copy)
    copy.accept(ChosenToken(8))
    assert copy.table == one.table
    plan.plan()
    assert len(plan.memory.copies) == 1, "the other one has the page to itself then"
    assert copy.table[0] == one.table[0]
    assert copy.table[1] != one.table[1]


def test_a_recurrent_model_takes_prompts_alone_and_in_blocks():
    plan = scheduler(block=PAGE, tokens=500)
    one = sequence(2 * PAGE + 3, answer=10)
    plan.add(one)
    plan.add(sequence(5, answer=10))
    seen = []
    for _ in range(8):
        works = plan.plan()
        seen.append(sizes(works))
        run(plan, works)
    assert [sum(step) for step in seen if step[0] > 1] == [PAGE, PAGE, 3, 5] or sorted(
        sum(step) for step in seen if step[0] > 1
    ) == [3, 5, PAGE, PAGE]
    assert all(len(step) == 1 for step in seen if step[0] > 1)


def test_a_paused_stream_is_not_scheduled():
    plan, one = scheduler(), sequence(5, answer=1000)
    one.request.mailbox.whole = False
    plan.add(one)
    run(plan, plan.plan())
    one.request.mailbox.pieces.extend([None] * 256)  # type: ignore[list-item]
    assert plan.plan() == []
    one.request.mailbox.pieces.clear()
    assert sizes(plan.plan()) == [1]


@pytest.mark.parametrize("seed", range(8))
def test_everybody_is_served_and_every_page_comes_back(seed: int):
    chance = random.Random(seed)
    plan = scheduler(pages=chance.randrange(8, 30), prefix_cache=bool(seed % 2), sequences=chance.randrange(1, 9), tokens=70)
    everybody = []
    for _ in range(400):
        if len(everybody) < 40 and chance.random() < 0.3:
            one = sequence(
                chance.randrange(1, 180),
                chance.randrange(1, 60),
                first=chance.choice([0, 0, 50]),
                priority=chance.randrange(2),
                caller=chance.randrange(3),
            )
            everybody.append(one)
            plan.add(one)
        run(plan, plan.plan())
        if chance.random() < 0.02 and plan.running:
            gone = chance.choice(plan.running)
            gone.finish = "gone"
            plan.remove(gone)
    for _ in range(20000):
        works = plan.plan()
        if not works:
            break
        run(plan, works)
    assert all(one.finish is not None for one in everybody)
    plan.memory.tree.clear()
    assert plan.memory.pool.free_count == plan.memory.pool.count


def test_callers_who_went_are_forgotten_while_others_stay() -> None:
    plan = scheduler(sequences=4)
    plan.add(sequence(5, answer=10**6, caller="stays"))
    for number in range(1000):
        plan.add(sequence(3, answer=1, caller=number))
        for _ in range(3):
            run(plan, plan.plan())
    assert len(plan.shares._served) < 200


def test_a_paused_sequence_gives_its_place_to_one_that_waits() -> None:
    plan = scheduler(sequences=1, pages=4)
    slow, other = sequence(5, answer=1000), sequence(5, answer=3, first=9)
    slow.request.mailbox.whole = False
    plan.add(slow)
    run(plan, plan.plan())
    plan.add(other)
    assert [work.sequence for work in plan.plan()] == [slow]
    slow.request.mailbox.pieces.extend([None] * 256)  # type: ignore[list-item]
    assert [work.sequence for work in plan.plan()] == [other]
    slow.request.mailbox.pieces.clear()
    for _ in range(6):
        run(plan, plan.plan())
    assert other.finish == "length" and len(slow.ids) >= 2


def test_a_paused_sequence_gives_its_pages_to_one_that_runs() -> None:
    plan = scheduler(pages=3, tokens=200)
    slow, other = sequence(2 * PAGE, answer=1000), sequence(PAGE, answer=40, first=9)
    slow.request.mailbox.whole = False
    plan.add(slow)
    run(plan, plan.plan())
    slow.request.mailbox.pieces.extend([None] * 256)  # type: ignore[list-item]
    plan.add(other)
    while other.finish is None:
        works = plan.plan()
        assert works, "nobody runs, though one could"
        run(plan, works)
