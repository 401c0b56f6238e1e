"""The same bytes of whole recurrent models, Mamba and Qwen3.5: in any chunks, in any company, after a prefix hit, when put back."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.generate.drafters import HeadDrafter, LookupDrafter
from rlx.generate.engine import Engine
from rlx.generate.engine.schedule import BLOCK
from rlx.models import Model, open_model
from rlx.models.flow import PAGE
from tests.generate.engine.test_same_bytes import Room, check_chunks, one_by_one, same
from tests.generate.tiny import byte_tokenizer

recurrent_models = pytest.importorskip("tests.models.recurrent_models")

NAMES = ("mamba", "qwen35", "qwen35moe")
QUICK = pytest.mark.parametrize("name", ["qwen35", pytest.param("mamba", marks=pytest.mark.long)])
HOW: dict[str, Any] = {"ignore_eos": True}


@pytest.fixture(autouse=True)
def _threads_as_before() -> Iterator[None]:
    before = rlx.thread_count()
    yield
    rlx.set_threads(before)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Models by name, each made once, with room for long texts."""
    made: dict[str, Model] = {}

    def of(name: str) -> Model:
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            recurrent_models.reference(name).save_pretrained(folder)
            if name == "qwen35":
                recurrent_models.add_head(folder)
            convert = {"mamba": recurrent_models.mamba_to_gguf, "qwen35": recurrent_models.qwen35_to_gguf}.get(name)
            if convert is not None:
                convert(folder, folder / "model.gguf")
            model = open_model(folder if convert is None else folder / "model.gguf")
            model.config = replace(model.config, context_length=1024)
            if convert is None:
                vars(model.source)["tokenizer"] = byte_tokenizer()  # its folder has none
            made[name] = model
        return made[name]

    return of


def tokens_of(seed: int, length: int) -> list[int]:
    return np.random.default_rng(seed).integers(3, recurrent_models.VOCABULARY, length).tolist()


def check_company(room: Room, tokens: Sequence[int], wanted: Any, others: int) -> None:
    """In the middle of others, in ragged chunks."""
    chance = random.Random(others)
    text, company = room.text(tokens), [room.text(tokens_of(100 + n, 60)) for n in range(others)]
    found = []
    while text.computed < len(tokens):
        size = min(chance.choice((1, 1, 1, 5, 40)), len(tokens) - text.computed)
        parts = [(other, min(chance.choice((1, 1, 9)), 60 - other.computed)) for other in company]
        parts = [(other, count) for other, count in parts if count]
        chance.shuffle(parts)
        parts.insert(chance.randrange(len(parts) + 1), (text, size))
        place = next(number for number, (one, _) in enumerate(parts) if one is text)
        found.append(room.run(*parts)[place])
    room.leave(text, *company)
    assert same(np.concatenate(found), wanted), f"{others} others"


def check_logits(model: Model, length: int, count: int, companies: Sequence[int]) -> None:
    room, tokens = Room(model, slots=20), tokens_of(1, length)
    rlx.set_threads(1)
    wanted = one_by_one(room, tokens)
    assert np.isfinite(wanted).all()
    for threads in (1, 2):
        rlx.set_threads(threads)
        for others in companies:
            check_company(room, tokens, wanted, others)
        check_chunks(room, tokens, wanted, count)


@QUICK
def test_logits_do_not_depend_on_chunks_and_company(name: str, models: Any) -> None:
    check_logits(models(name), BLOCK + 30, count=2, companies=(7,))


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_logits_do_not_depend_on_any_chunks_and_company(name: str, models: Any) -> None:
    check_logits(models(name), 3 * BLOCK + 30, count=20, companies=(1, 2, 3, 7, 12, 19))


PROMPTS = [(1, 2 * BLOCK + 20), (2, 33), (1, 3 * BLOCK + 1), (3, 5), (1, 2 * BLOCK + 20)]


def check_texts(model: Model, **settings: Any) -> Any:
    """Greedy and drawn, alone and together, twice; the numbers afterwards."""
    prompts = [tokens_of(seed, length) for seed, length in PROMPTS]
    hows: list[dict[str, Any]] = [
        {"max_tokens": 40, "temperature": float(number % 2), "seed": number, **HOW} for number in range(5)
    ]
    alone = []
    for prompt, how in zip(prompts, hows, strict=True):
        alone.append(Engine(model, prefix_cache=False).generate(prompt, **how).ids)
    engine = Engine(model, **settings)
    for _ in range(2):
        streams = [engine.submit(prompt, **how) for prompt, how in zip(prompts, hows, strict=True)]
        assert [stream.result.ids for stream in streams] == alone
    stats = engine.stats()
    assert stats.pages_used == 0 and stats.running == 0
    return stats


@QUICK
@pytest.mark.parametrize("threads", [1, 2])
def test_texts_are_the_same_whoever_else_is_there(name: str, threads: int, models: Any) -> None:
    rlx.set_threads(threads)
    assert check_texts(models(name), batch=4).prefix_hits > 0


def pages(model: Model, count: int) -> int:
    asked = Engine(model)
    asked.prepare()
    return asked.stats().page_bytes * count


@pytest.mark.parametrize("batch", [3, 8])
def test_texts_that_were_put_back_are_the_same(batch: int, models: Any) -> None:
    model = models("qwen35")
    stats = check_texts(model, batch=batch, memory=pages(model, 16))
    assert stats.preemptions > 0 and stats.pages_total == 16


def test_states_of_who_was_put_back_do_not_take_a_place(models: Any) -> None:
    """Pages run out, the young are put back, and those of a higher priority that come then need their slots."""
    model = models("qwen35")
    engine = Engine(model, batch=2, memory=pages(model, 4), prefix_cache=False)
    wanted = {}
    for seed in range(5):
        wanted[seed] = Engine(model, prefix_cache=False).generate(tokens_of(seed, PAGE), max_tokens=45, **HOW).ids
    low = [engine.submit(tokens_of(seed, PAGE), max_tokens=45, **HOW) for seed in range(2)]
    reader = low[0].pieces()
    while not engine.stats().preemptions:
        next(reader)
    high = [engine.submit(tokens_of(seed, PAGE), max_tokens=45, priority=1, **HOW) for seed in range(2, 5)]
    assert [stream.result.ids for stream in high] == [wanted[seed] for seed in range(2, 5)]
    for _ in reader:
        pass
    assert [stream.result.ids for stream in low] == [wanted[seed] for seed in range(2)]


@pytest.mark.parametrize("kind", ["lookup", pytest.param("head", marks=pytest.mark.long)])
def test_drafts_change_no_greedy_text(kind: str, models: Any) -> None:
    model = models("qwen35")
    prompts = [tokens_of(1, 9) * 4, tokens_of(2, 40), tokens_of(3, BLOCK + 3)]
    wanted = [Engine(model, prefix_cache=False).generate(prompt, max_tokens=30, **HOW).ids for prompt in prompts]
    drafter = LookupDrafter() if kind == "lookup" else HeadDrafter(model)
    for memory in (None, pages(model, 8)):
        engine = Engine(model, draft=drafter, draft_tokens=3, memory=memory)
        assert [engine.generate(prompt, max_tokens=30, **HOW).ids for prompt in prompts] == wanted
        for n in (1, 2):
            streams = [engine.submit(prompt, max_tokens=30, n=n, **HOW) for prompt in prompts]
            assert [[one.ids for one in stream.results] for stream in streams] == [[ids] * n for ids in wanted]
        assert engine.stats().running == 0
