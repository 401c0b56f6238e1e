"""The same bytes in any company: logits of a sequence do not depend on chunks, on neighbours, on a prefix hit, or on threads."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.generate.engine import Engine
from rlx.generate.engine.kv_memory import KvMemory, pages_of
from rlx.generate.engine.schedule import StepPart
from rlx.generate.engine.sequence import Request
from rlx.generate.engine.sequence import Sequence as Text
from rlx.generate.engine.step_runner import PagedRunner
from rlx.generate.sampling_settings import Sampling
from tests.generate.engine.small_llama import small_llama
from tests.generate.tiny import VOCABULARY

Array = np.ndarray[Any, Any]
LENGTH = 150
QUICK = ("F32", "BF16", "Q4_K", "Q8_0", "Q4_0")
EVERY = (
    "F32",
    "F16",
    "BF16",
    "Q4_0",
    "Q4_1",
    "Q5_0",
    "Q5_1",
    "Q8_0",
    "Q2_K",
    "Q3_K",
    "Q4_K",
    "Q5_K",
    "Q6_K",
    "IQ1_S",
    "IQ1_M",
    "IQ2_XXS",
    "IQ2_XS",
    "IQ2_S",
    "IQ3_XXS",
    "IQ3_S",
    "IQ4_NL",
    "IQ4_XS",
    "TQ1_0",
    "TQ2_0",
    "MXFP4",
)


@pytest.fixture(autouse=True)
def _threads_as_before() -> Iterator[None]:
    before = rlx.thread_count()
    yield
    rlx.set_threads(before)


class Room:
    """A runner with pages, and texts in them."""

    def __init__(self, model: Any, slots: int = 70) -> None:
        self.runner = PagedRunner(model, slots=slots)
        self.memory = KvMemory(400, prefix_cache=False)
        self.runner.prepare(400)

    def text(self, tokens: Sequence[int]) -> Text:
        return Text(Request(Sampling(), frozenset()), self.runner.model.tokenizer, list(tokens), 0)

    def run(self, *parts: tuple[Text, int]) -> list[Array]:
        """So many more tokens of each; the logits of all of them."""
        works = []
        for text, count in parts:
            assert self.memory.reach(text, text.computed + count)
            works.append(StepPart(text, text.computed, text.tokens[text.computed : text.computed + count], count))
        logits = self.runner.run(works)["logits"].copy()
        found, at = [], 0
        for text, count in parts:
            text.computed += count
            found.append(logits[at : at + count])
            at += count
        return found

    def leave(self, *texts: Text) -> None:
        for text in texts:
            self.memory.release(text)
            self.runner.leave(text)


def tokens_of(seed: int, length: int = LENGTH) -> list[int]:
    return np.random.default_rng(seed).integers(0, VOCABULARY, length).tolist()


def one_by_one(room: Room, tokens: Sequence[int]) -> Array:
    text = room.text(tokens)
    found = np.concatenate([room.run((text, 1))[0] for _ in tokens])
    room.leave(text)
    return found


def chunkings(length: int, seed: int, count: int) -> Iterator[list[int]]:
    """The whole, and random ones."""
    yield [length]
    chance = random.Random(seed)
    for _ in range(count):
        sizes: list[int] = []
        while sum(sizes) < length:
            sizes.append(min(chance.choice((1, 2, 3, 7, 16, 31, 32, 33, 64, 100)), length - sum(sizes)))
        yield sizes


def same(found: Array, wanted: Array) -> bool:
    return found.tobytes() == wanted.tobytes()


def check_chunks(room: Room, tokens: Sequence[int], wanted: Array, count: int) -> None:
    for sizes in chunkings(len(tokens), 3, count):
        text = room.text(tokens)
        found = np.concatenate([room.run((text, size))[0] for size in sizes])
        room.leave(text)
        assert same(found, wanted), f"chunks {sizes}: places {np.flatnonzero((found != wanted).any(-1))[:8]}"


def check_company(room: Room, tokens: Sequence[int], wanted: Array, companies: Sequence[int]) -> None:
    """Alone, then in the middle of others that decode or are prompts, at each of its places."""
    chance = random.Random(9)
    for others in companies:
        text, company = room.text(tokens), [room.text(tokens_of(100 + n, 60)) for n in range(others)]
        found = []
        while text.computed < len(tokens):
            size = min(chance.choice((1, 1, 1, 5, 40)), len(tokens) - text.computed)
            parts = [(other, min(chance.choice((1, 1, 9)), 60 - other.computed)) for other in company]
            parts = [(other, count) for other, count in parts if count]
            parts.insert(chance.randrange(len(parts) + 1), (text, size))
            place = next(number for number, (one, _) in enumerate(parts) if one is text)
            found.append(room.run(*parts)[place])
        room.leave(text, *company)
        assert same(np.concatenate(found), wanted), f"{others} others"


def check_model(model: Any, *, count: int, companies: Sequence[int], length: int = LENGTH) -> None:
    room, tokens = Room(model), tokens_of(1, length)
    rlx.set_threads(1)
    wanted = one_by_one(room, tokens)
    assert np.isfinite(wanted).all()
    for threads in (1, 2):
        rlx.set_threads(threads)
        check_chunks(room, tokens, wanted, count)
        check_company(room, tokens, wanted, companies)


@pytest.mark.parametrize("kind", QUICK)
def test_logits_do_not_depend_on_chunks_and_company(kind: str) -> None:
    check_model(small_llama(kind), count=2, companies=(1, 9), length=70)


@pytest.mark.long
@pytest.mark.parametrize("mode", ["fast", "exact"])
@pytest.mark.parametrize("kind", EVERY)
def test_logits_of_every_type_do_not_depend_on_chunks_and_company(kind: str, mode: str) -> None:
    check_model(small_llama(kind, options={"quant_mode": mode}), count=8, companies=(1, 2, 4, 7, 15, 31, 63))


@pytest.mark.parametrize("mode", ["exact"])
def test_exact_mode(mode: str) -> None:
    check_model(small_llama("Q4_K", options={"quant_mode": mode}), count=2, companies=(9,), length=70)


@pytest.mark.parametrize("cache", ["f16", "bf16", "q8_0"])
def test_pages_of_other_types(cache: str) -> None:
    model = small_llama("Q8_0")
    model.cache_dtype = cache
    check_model(model, count=2, companies=(5,), length=70)


def test_a_sliding_window() -> None:
    check_model(small_llama(window=40), count=2, companies=(5,), length=100)


def test_experts() -> None:
    check_model(small_llama("Q4_K", experts=4), count=2, companies=(5,), length=70)


@pytest.mark.parametrize("beside", [1, 16, 128])
def test_texts_are_the_same_whoever_else_is_there(beside: int) -> None:
    """Greedy and drawn, with prefix hits and without, among others and with pages that run out."""
    model = small_llama("Q4_K")
    prompts = [tokens_of(seed, length) for seed, length in ((1, 90), (2, 33), (1, 120), (3, 5), (1, 90))]
    settings = [{"max_tokens": 40, "ignore_eos": True, "temperature": float(number % 2), "seed": number} for number in range(5)]
    alone = []
    for prompt, how in zip(prompts, settings, strict=True):
        alone.append(Engine(model, prefix_cache=False).generate(prompt, **how).ids)
    page = Engine(model)
    page.prepare()
    few = page.stats().page_bytes * pages_of(300)
    engine = Engine(model, chunk=50, chunk_beside=beside, memory=few)
    for _ in range(2):
        streams = [engine.submit(prompt, **how) for prompt, how in zip(prompts, settings, strict=True)]
        assert [stream.result.ids for stream in streams] == alone
    stats = engine.stats()
    assert stats.pages_used == 0 and stats.running == 0 and stats.prefix_hits > 0 and stats.preemptions > 0
