"""Models whose keys depend on more than tokens and places, or that see only a part of them: ropes that change with the length, windows in
some layers. Texts are transformers' own, in any order of requests, with known beginnings or put back."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rlx.generate.drafters import LookupDrafter
from rlx.generate.engine import Engine
from rlx.models import Model, open_model
from tests.generate.engine.test_same_bytes import Room, check_chunks, one_by_one
from tests.generate.tiny import byte_tokenizer

tiny_models = pytest.importorskip("tests.models.tiny_models")

ROPES = {"phi3": 24, "llama dynamic": 16}  # and the length they were trained on
WINDOWS = ("gemma2", "gemma3", "qwen2 windows")
HOW: dict[str, Any] = {"ignore_eos": True, "temperature": 0.0}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made: dict[str, Model] = {}

    def of(name: str) -> Model:
        if name not in made:
            made[name] = open_model(tiny_models.save(name, tmp_path_factory.mktemp("model")))
            made[name].config = replace(made[name].config, context_length=64)
            vars(made[name].source)["tokenizer"] = byte_tokenizer()  # its folder has none
        return made[name]

    return of


def tokens_of(seed: int, length: int) -> list[int]:
    return tiny_models.token_ids(1, length, seed)[0].tolist()


def is_transformers_text(name: str, prompt: list[int], ids: tuple[int, ...]) -> bool:
    """The prompt at once, then token by token: each is the likeliest."""
    whole = [*prompt, *ids]
    found = tiny_models.logits(tiny_models.reference(name), whole[:-1], [len(prompt)] + [1] * (len(ids) - 1))
    return [int(row.argmax()) for row in found[len(prompt) - 1 :]] == list(ids)


def check_orders(name: str, model: Model, lengths: list[int], **settings: Any) -> None:
    """Prompts that begin alike, short ones first and long ones first, with answers that pass the length the rope was trained on."""
    base = tokens_of(4, 60)
    wanted = {}
    context = settings.pop("context", 60)
    for length in lengths:
        wanted[length] = Engine(model, context=context, prefix_cache=False).generate(base[:length], max_tokens=9, **HOW)
        assert is_transformers_text(name, base[:length], wanted[length].ids), length
    for order in itertools.islice(itertools.permutations(lengths), 3):
        engine = Engine(model, context=context, **settings)
        for length in order:
            found = engine.generate(base[:length], max_tokens=9, **HOW)
            assert found.ids == wanted[length].ids, (order, length, found.reused_tokens)
            turn = [*base[:length], *found.ids]  # the next turn of a conversation
            again = engine.generate(turn, max_tokens=2, **HOW)
            assert is_transformers_text(name, turn, again.ids), (order, length, again.reused_tokens)
        streams = [engine.submit(base[:length], max_tokens=9, **HOW) for length in order]
        assert [stream.result.ids for stream in streams] == [wanted[length].ids for length in order]


@pytest.mark.parametrize("name", ROPES)
def test_beginnings_are_shared_only_where_the_rope_agrees(name: str, models: Any) -> None:
    trained = ROPES[name]
    check_orders(name, models(name), [trained - 2, trained + 15, trained])


@pytest.mark.parametrize("name", ROPES)
def test_ropes_that_change_in_little_memory(name: str, models: Any) -> None:
    asked = Engine(models(name))
    asked.prepare()
    memory = 3 * asked.stats().page_bytes
    check_orders(name, models(name), [33, ROPES[name] - 2, 40], memory=memory, chunk=7, chunk_beside=3)


@pytest.mark.long
@pytest.mark.parametrize("name", WINDOWS)
def test_windows(name: str, models: Any) -> None:
    check_orders(name, models(name), [5, 33, 40], chunk=9)
    room, tokens = Room(models(name), slots=4), tokens_of(5, 50)
    wanted = one_by_one(room, tokens)
    assert np.isfinite(wanted).all()
    check_chunks(room, tokens, wanted, 4)


@pytest.mark.parametrize("name", ["phi3", *(pytest.param(name, marks=pytest.mark.long) for name in (*WINDOWS, "llama dynamic"))])
def test_drafts_change_no_greedy_text(name: str, models: Any) -> None:
    prompts = [tokens_of(1, 7) * 3, tokens_of(2, 12), tokens_of(3, 30)]
    wanted = [Engine(models(name), context=60, prefix_cache=False).generate(p, max_tokens=20, **HOW).ids for p in prompts]
    engine = Engine(models(name), context=60, draft=LookupDrafter(shortest=1), draft_tokens=3)
    for _ in range(2):
        streams = [engine.submit(prompt, max_tokens=20, **HOW) for prompt in prompts]
        assert [stream.result.ids for stream in streams] == wanted
