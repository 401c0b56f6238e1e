"""Drafts inside batches: at temperature 0 never another text, alone and in company, of attention and recurrent models, with grammars."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rlx.generate import regex
from rlx.generate.drafters import Draft, Drafter, HeadDrafter, LookupDrafter, ModelDrafter
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


@pytest.mark.parametrize("name", ["lookup", "prophet", "itself", "head"])
def test_drafts_in_little_memory(name: str) -> None:
    model = attention_model()
    wanted = [greedy(attention_logits, ids_of(prompt), 40) for prompt in PROMPTS]
    engine = with_pages(model, 3, draft=drafters("attention", model)[name](), draft_tokens=4)
    for n in (1, 2):
        streams = [engine.submit(prompt, max_tokens=40, n=n, **HOW) for prompt in PROMPTS]
        assert [[list(one.ids) for one in stream.results] for stream in streams] == [[ids] * n for ids in wanted]
    assert engine.stats().preemptions > 0 and is_idle(engine)


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
    hows: list[dict[str, Any]] = [
        {"max_tokens": 30, **({"grammar": grammar} if grammar else HOW)} for grammar in grammars
    ]
    wanted = [plain.generate(prompt, **how) for prompt, how in zip(PROMPTS, hows, strict=True)]
    engine = Engine(model, draft=LookupDrafter(shortest=1) if drafts else None, draft_tokens=3 if drafts else None)
    for n in (1, 2):
        streams = [engine.submit(prompt, n=n, **how) for prompt, how in zip(PROMPTS, hows, strict=True)]
        for stream, whole in zip(streams, wanted, strict=True):
            assert [(one.ids, one.text, one.finish) for one in stream.results] == [
                (whole.ids, whole.text, whole.finish)
            ] * n
    assert wanted[3].text == "the only answer, or none" and is_idle(engine)
