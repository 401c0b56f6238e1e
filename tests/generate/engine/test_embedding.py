"""Embeddings through the engine: many callers, each with its own vectors, the same bytes alone and among others."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rlx.core.errors import RlxError
from rlx.generate.api import LanguageModel
from rlx.generate.engine import Engine
from rlx.generate.engine.embedding import Embedder
from rlx.models import Config, Flow
from tests.generate.engine.test_engine_api import HOW, ids_of
from tests.generate.tiny import attention_logits, attention_model, byte_tokenizer, greedy

TEXTS = [f"text {number} " * (number % 5 + 1) for number in range(40)]


def build(flow: Flow, config: Config) -> None:
    """The sum of the tokens' rows, times a matrix: products whose rows are many."""
    batch, seq = flow.shapes.batch, flow.shapes.seq
    rows = flow.module.where(flow.real.reshape(batch, seq, 1), flow.embed(), 0.0)
    flow.finish(embedding=flow.module.reduce_sum(rows, axes=1))


def embedding_model() -> LanguageModel:
    made = attention_model()
    return LanguageModel(made.source, replace(made.family, build=build, embeds=True), made.config)


def formula(texts: list[str]) -> Any:
    table = attention_model().source.weights["token_embd"].load()
    return np.array([table[ids_of(text)].sum(0) for text in texts])


def test_vectors_are_those_of_the_formula_and_of_an_embedder() -> None:
    model = embedding_model()
    found = model.embed(TEXTS)
    np.testing.assert_allclose(found, formula(TEXTS), atol=1e-4)
    assert found.tobytes() == Embedder(model)(TEXTS).tobytes() == model.engine.embed([ids_of(t) for t in TEXTS]).tobytes()
    assert model.embed(TEXTS, batch=1).shape == found.shape and model.embed([]).shape == (0, model.config.width)
    stats = model.engine.stats()
    assert (stats.running, stats.waiting) == (0, 0) and stats.tokens_in == 3 * sum(map(len, map(ids_of, TEXTS)))
    assert model.engine.capacity == model.config.context_length


@pytest.mark.parametrize("thread", [False, True])
def test_vectors_in_company_have_the_bytes_they_have_alone(thread: bool) -> None:
    """Beside callers of another model that generate."""
    model, talker = embedding_model(), Engine(attention_model())
    calls = [TEXTS[number:] + TEXTS[: number // 2] for number in range(8)]
    wanted = [Embedder(model)(texts, batch=5).tobytes() for texts in calls]
    said = byte_tokenizer().decode(greedy(attention_logits, ids_of("Hello"), 20))
    found: list[Any] = [None] * 16
    if thread:
        model.engine.start()

    def run(number: int) -> None:
        if number % 2:
            found[number] = str(talker.generate("Hello", max_tokens=20, **HOW))
        else:
            found[number] = model.embed(calls[number // 2], batch=5).tobytes()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(16)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found[::2] == wanted and found[1::2] == [said] * 8


def slow(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> list[list[list[int]]]:
    """Batches in the order they ran, each of them some milliseconds."""
    ran: list[list[list[int]]] = []
    original = Embedder.run

    def run(self: Embedder, rows: Any) -> Any:
        time.sleep(0.005)
        ran.append([list(row) for row in rows])
        return original(self, rows)

    engine.prepare()
    monkeypatch.setattr(Embedder, "run", run)
    return ran


def test_a_short_call_does_not_wait_for_a_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(embedding_model())
    ran = slow(engine, monkeypatch)
    many = engine.submit_embed(TEXTS, batch=2, caller="ann")
    urgent = engine.submit_embed(["now"], caller="ann", priority=1)
    fair = engine.submit_embed(["another"], caller="bob")
    assert np.allclose(many.vectors, formula(TEXTS), atol=1e-4)
    assert ran[0] == [ids_of("now")] and [ids_of("another")] in ran[1:3]
    assert np.allclose(urgent.vectors, formula(["now"]), atol=1e-4) and fair.vectors.shape == (1, many.vectors.shape[1])


def test_coroutines_and_a_task_that_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(embedding_model())
    ran = slow(engine, monkeypatch)

    async def main() -> Any:
        left = asyncio.create_task(engine.submit_embed(TEXTS, batch=1).gathered())
        await asyncio.sleep(0.03)
        left.cancel()
        return await asyncio.gather(*(engine.submit_embed(TEXTS[:number]).gathered() for number in (3, 0, 7)))

    found = asyncio.run(asyncio.wait_for(main(), 30))
    assert [len(one) for one in found] == [3, 0, 7] and np.allclose(found[2], formula(TEXTS[:7]), atol=1e-4)
    assert len(ran) < len(TEXTS), "the batches of a task that left are not computed"
    engine.close()


def test_one_call_that_fails_hurts_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, original = Engine(embedding_model()), Embedder.run

    def run(self: Embedder, rows: Any) -> Any:
        if list(rows[0]) == ids_of("bad"):
            raise MemoryError("no more")
        return original(self, rows)

    monkeypatch.setattr(Embedder, "run", run)
    bad, good = engine.submit_embed(["bad"]), engine.submit_embed(["good"])
    with pytest.raises(MemoryError, match="no more"):
        bad.vectors
    assert np.allclose(good.vectors, formula(["good"]), atol=1e-4)


def test_what_is_refused() -> None:
    engine = Engine(embedding_model())
    for wrong, said in [
        (lambda: engine.generate("x"), "RLX702.*gives embeddings, not text"),
        (lambda: engine.submit([{"role": "user", "content": "x"}]), "RLX702.*gives embeddings, not text"),
        (lambda: engine.embed("x"), "RLX903.*texts are 'x'"),
        (lambda: engine.embed(["x"], batch=0), "RLX902.*batch is 0"),
        (lambda: engine.embed(["x"], batch="2"), "RLX902.*batch"),
        (lambda: engine.embed(["x"], priority=0.5), "RLX902.*priority"),
        (lambda: engine.embed(["x"], caller=[]), "RLX902.*caller"),
        (lambda: engine.embed([[10**6]]), "RLX903.*text 0 has the id 1000000"),
        (lambda: engine.embed(["x", "y" * 5000]), "RLX901.*text 1 has"),
    ]:
        with pytest.raises(RlxError, match=said):
            wrong()
    assert engine.embed(["y" * 5000], truncate=True).shape[0] == 1


def test_a_model_of_text_embeds_and_generates() -> None:
    talker = Engine(attention_model())
    said = byte_tokenizer().decode(greedy(attention_logits, ids_of("Hello"), 20))
    first = talker.embed(["x", "a longer text"])
    assert str(talker.generate("Hello", max_tokens=20, **HOW)) == said
    assert talker.embed(["x", "a longer text"]).tobytes() == first.tobytes() and len(first) == 2
    np.testing.assert_allclose(np.linalg.norm(first, axis=1), 1, atol=1e-6)


def test_a_closed_engine_of_a_model_of_text_does_not_embed() -> None:
    talker = Engine(attention_model())
    talker.close()
    with pytest.raises(RlxError, match="RLX906"):
        talker.embed(["x"])


def test_closing_ends_calls() -> None:
    engine = Engine(embedding_model())
    call = engine.submit_embed(["x"])
    engine.close()
    with pytest.raises(RlxError, match="RLX906"):
        call.vectors
    with pytest.raises(RlxError, match=r"RLX906.*closed"):
        engine.embed(["x"])
