"""Drafts inside batches: never another text, greedy or drawn, alone and in company, of attention and recurrent models, with grammars."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from rlx.generate import regex
from rlx.generate.drafters import MOST, Draft, Drafter, HeadDrafter, LookupDrafter, ModelDrafter
from rlx.generate.engine import Engine
from rlx.models import Model
from tests.generate.engine.test_engine_api import EACH, HOW, KINDS, ids_of, is_idle, with_pages
from tests.generate.tiny import attention_logits, attention_model, greedy, recurrent_model

PROMPTS = ["ababababab", "Hello", "one two one two one", "x"]


class Prophet(Drafter):
    """Knows the text, and is wrong now and then."""

    def __init__(self, texts: dict[tuple[int, ...], list[int]]) -> None:
        self.texts = texts

    def propose(self, ids: Any, hidden: Any, count: int, sampling: Any, random: Any) -> Draft:
        draft = Draft()
        for prompt, answer in self.texts.items():
            if tuple(ids[: len(prompt)]) == prompt:
                done = len(ids) - len(prompt)
                for place, token in enumerate(answer[done : done + count]):
                    draft.add((token + 1) % 250 if (done + place) % 5 == 4 else token)
        return draft


def drafters(kind: str, model: Model) -> dict[str, Callable[[], Drafter]]:
    make, formula = KINDS[kind]
    texts = {tuple(ids_of(prompt)): greedy(formula, ids_of(prompt), 40) for prompt in PROMPTS}
    return {
        "lookup": lambda: LookupDrafter(shortest=1),
        "itself": lambda: ModelDrafter(make(), model),
        "another": lambda: ModelDrafter(make(seed=1), model),
        "prophet": lambda: Prophet(texts),
    } | ({"head": lambda: HeadDrafter(model)} if kind == "attention" else {})


NAMES = ("lookup", "itself", "another", "prophet")


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in NAMES] + [("attention", "head")])
def test_greedy_texts_are_the_plain_ones(kind: str, name: str) -> None:
    make, formula = KINDS[kind]
    model = make()
    wanted = [greedy(formula, ids_of(prompt), 40) for prompt in PROMPTS]
    for tokens in (3, None):
        engine = Engine(model, draft=drafters(kind, model)[name](), draft_tokens=tokens)
        for prompt, ids in zip(PROMPTS, wanted, strict=True):
            assert list(engine.generate(prompt, max_tokens=40, **HOW).ids) == ids
        for n in (1, 3):
            streams = [engine.submit(prompt, max_tokens=40, n=n, **HOW) for prompt in PROMPTS]
            assert [[list(one.ids) for one in stream.results] for stream in streams] == [[ids] * n for ids in wanted]
        assert is_idle(engine)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in NAMES] + [("attention", "head")])
def test_drawn_texts_are_the_plain_ones(kind: str, name: str) -> None:
    """However many sequences share the rows for drafts: alone each may have 7, among four 1, among more none."""
    model = KINDS[kind][0]()
    plain = Engine(model)
    drawn: dict[str, Any] = {"max_tokens": 24, "temperature": 0.7, "top_p": 0.95, "ignore_eos": True}
    prompts = [*PROMPTS, "a fifth", "and a sixth"]
    wanted = [[one.ids for one in plain.submit(prompt, n=2, seed=seed, **drawn).results] for seed, prompt in enumerate(prompts)]
    for tokens in (3, None):
        engine = Engine(model, draft=drafters(kind, model)[name](), draft_tokens=tokens)
        for together in (1, 6):
            for first in range(0, 6, together):
                streams = [engine.submit(prompts[seed], n=2, seed=seed, **drawn) for seed in range(first, first + together)]
                found = [[one.ids for one in stream.results] for stream in streams]
                assert found == wanted[first : first + together]
        assert is_idle(engine)


@pytest.mark.parametrize("name", ["lookup", "prophet", "itself", "head"])
def test_drafts_in_little_memory(name: str) -> None:
    model = attention_model()
    wanted = [greedy(attention_logits, ids_of(prompt), 40) for prompt in PROMPTS]
    engine = with_pages(model, 3, draft=drafters("attention", model)[name](), draft_tokens=4)
    for n in (1, 2):
        streams = [engine.submit(prompt, max_tokens=40, n=n, **HOW) for prompt in PROMPTS]
        assert [[list(one.ids) for one in stream.results] for stream in streams] == [[ids] * n for ids in wanted]
    assert engine.stats().preemptions > 0 and is_idle(engine)


def test_drafters_with_caches_are_few_and_are_given_up_with_their_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    model, forks, most = attention_model(), weakref.WeakSet[Drafter](), 0
    original = ModelDrafter.fork

    def fork(self: ModelDrafter) -> Drafter:
        nonlocal most
        made = original(self)
        forks.add(made)
        most = max(most, len(forks))
        return made

    monkeypatch.setattr(ModelDrafter, "fork", fork)
    engine = Engine(model, draft=ModelDrafter(attention_model(), model), draft_tokens=2)
    streams = [engine.submit(f"text {number}", max_tokens=12 + number, **HOW) for number in range(20)]
    found = [list(stream.result.ids) for stream in streams]
    assert found == [greedy(attention_logits, ids_of(f"text {n}"), 12 + n) for n in range(20)]
    assert most == MOST
    engine.generate("one more", max_tokens=4, **HOW)
    gc.collect()
    assert len(forks) == 0, "their caches are as long as the texts were"


@EACH
def test_drafts_up_to_the_end_of_the_context_and_beyond(kind: str) -> None:
    model = KINDS[kind][0]()
    for overflow in ("stop", "shift"):
        plain = Engine(model, context=40, prefix_cache=False)
        engine = Engine(model, context=40, draft=LookupDrafter(shortest=1), draft_tokens=4)
        how: dict[str, Any] = {"max_tokens": 60, "overflow": overflow, **HOW}
        wanted = [plain.generate(prompt, **how).ids for prompt in PROMPTS]
        streams = [engine.submit(prompt, **how) for prompt in PROMPTS]
        assert [stream.result.ids for stream in streams] == wanted
        assert is_idle(engine)


@EACH
@pytest.mark.parametrize("drafts", [False, True])
def test_grammars_in_company(kind: str, drafts: bool) -> None:
    pytest.importorskip("llguidance")
    model = (attention_model if kind == "attention" else recurrent_model)()
    grammars = [regex("(ab|cd){3,8}e"), None, regex("[a-f]{4,20}"), regex("the only answer, or none")]
    plain = Engine(model, prefix_cache=False)
    hows: list[dict[str, Any]] = [{"max_tokens": 30, **({"grammar": grammar} if grammar else HOW)} for grammar in grammars]
    wanted = [plain.generate(prompt, **how) for prompt, how in zip(PROMPTS, hows, strict=True)]
    engine = Engine(model, draft=LookupDrafter(shortest=1) if drafts else None, draft_tokens=3 if drafts else None)
    for n in (1, 2):
        streams = [engine.submit(prompt, n=n, **how) for prompt, how in zip(PROMPTS, hows, strict=True)]
        for stream, whole in zip(streams, wanted, strict=True):
            assert [(one.ids, one.text, one.finish) for one in stream.results] == [(whole.ids, whole.text, whole.finish)] * n
    assert wanted[3].text == "the only answer, or none" and is_idle(engine)
