"""Several callers of one model: threads, engines, streams that are half read. Each gets the text it would get alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rlx.generate.api import LanguageModel
from rlx.generate.drafters import LookupDrafter, ModelDrafter
from rlx.generate.engine import Engine
from rlx.generate.runner import Runner
from rlx.models import Config, Flow
from tests.generate.tiny import attention_logits, attention_model, byte_tokenizer, greedy, recurrent_logits, recurrent_model

KINDS = {"attention": (attention_model, attention_logits), "recurrent": (recurrent_model, recurrent_logits)}
EACH = pytest.mark.parametrize("kind", KINDS)
TEMPLATE = "{% for m in messages %}<turn>{{ m.role[0] }}:{{ m.content }}<end>{% endfor %}<turn>a:"
PATIENCE = 60.0


def language_model(kind: str = "attention", **source: Any) -> LanguageModel:
    made = KINDS[kind][0](**source)
    return LanguageModel(made.source, made.family, made.config)


def ids_of(text: str) -> list[int]:
    return list(text.encode())


def solo(kind: str, prompt: str, count: int) -> list[int]:
    """By the formula."""
    return greedy(KINDS[kind][1], ids_of(prompt), count)


def at_once(count: int, work: Callable[[int], Any]) -> list[Any]:
    """The results of threads that begin together; an error of one is raised."""
    gate = threading.Barrier(count)

    def begin(number: int) -> Any:
        gate.wait(PATIENCE)
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return [job.result(PATIENCE) for job in [pool.submit(begin, number) for number in range(count)]]


def check_threads(threads: int, calls: int) -> None:
    model = language_model()
    prompts = [f"prompt {number} of " + "many " * (number % 4) for number in range(8)]
    lengths = [5, 9, 12]
    wanted = {(prompt, count): solo("attention", prompt, count) for prompt in prompts for count in lengths}

    def work(number: int) -> int:
        for call in range(calls):
            prompt, count = prompts[(number + call) % len(prompts)], lengths[(number * 7 + call) % len(lengths)]
            assert list(model.generate(prompt, max_tokens=count, ignore_eos=True).ids) == wanted[prompt, count]
        return calls

    with ThreadPoolExecutor(threads) as pool:
        assert sum(pool.map(work, range(threads))) == threads * calls


def test_threads_that_generate_get_their_own_texts() -> None:
    check_threads(8, 6)


@pytest.mark.long
def test_64_threads_of_50_calls_get_their_own_texts() -> None:
    check_threads(64, 50)


@EACH
def test_threads_that_stream_get_their_own_texts(kind: str) -> None:
    model = language_model(kind)
    prompts = ["Hello", "a longer prompt here", "x", "Hello there"]
    wanted = [byte_tokenizer().decode(solo(kind, prompt, 12)) for prompt in prompts]
    assert at_once(4, lambda number: "".join(model.stream(prompts[number], max_tokens=12, ignore_eos=True))) == wanted


def test_threads_that_embed_get_their_own_vectors() -> None:
    """A model whose vector is the sum of its tokens' rows."""

    def build(flow: Flow, config: Config) -> None:
        batch, seq = flow.shapes.batch, flow.shapes.seq
        rows = flow.module.where(flow.real.reshape(batch, seq, 1), flow.embed(), 0.0)
        flow.finish(embedding=flow.module.reduce_sum(rows, axes=1))

    made = attention_model()
    model = LanguageModel(made.source, replace(made.family, build=build, embeds=True), made.config)
    table = made.source.weights["token_embd"].load()
    texts = [[f"text {number} {call} " * (number % 3 + 1) for call in range(3)] for number in range(6)]
    found = at_once(6, lambda number: model.embed(texts[number]))
    for wanted, vectors in zip(texts, found, strict=True):
        np.testing.assert_allclose(vectors, [table[ids_of(text)].sum(0) for text in wanted], atol=1e-4)


def test_threads_that_chat_encode_and_run_batches() -> None:
    """All the ways in, at once."""
    model = language_model(tokenizer=byte_tokenizer(chat_template=TEMPLATE))
    chat = [258, *ids_of("u:hi"), 259, 258, *ids_of("a:")]
    ways: list[tuple[Callable[[], Any], Any]] = [
        (lambda: list(model.chat("hi", max_tokens=6, temperature=0, ignore_eos=True).ids), greedy(attention_logits, chat, 6)),
        (lambda: list(model.generate("Hello", max_tokens=7, ignore_eos=True).ids), solo("attention", "Hello", 7)),
        (
            lambda: [list(row.ids) for row in model.generate(["ab", "c"], max_tokens=5, ignore_eos=True)],
            [solo("attention", "ab", 5), solo("attention", "c", 5)],
        ),
        (lambda: model.tokenizer.encode("<end>x", special=True), [259, ord("x")]),
        (lambda: model.tokenizer.encode("<end>", special=False), ids_of("<end>")),
    ]
    for _ in range(3):
        assert at_once(len(ways), lambda number: ways[number][0]()) == [wanted for _, wanted in ways]


def test_threads_that_ask_first_share_one_engine() -> None:
    model = language_model()
    assert len({id(engine) for engine in at_once(8, lambda number: model.engine)}) == 1


def test_drafting_engines_of_one_model_in_threads() -> None:
    model, small = language_model(), language_model()
    engines = [Engine(model, draft=ModelDrafter(small, model)), Engine(model, draft=LookupDrafter()), small.engine, model.engine]
    wanted = [solo("attention", f"text {number}", 12) for number in range(4)]
    for _ in range(3):
        found = at_once(4, lambda number: engines[number].generate(f"text {number}", max_tokens=12, ignore_eos=True))
        assert [list(each.ids) for each in found] == wanted


# -- engines -------------------------------------------------------------------------------------------------------
@EACH
def test_a_second_engine_leaves_the_first_one_working(kind: str) -> None:
    model = language_model(kind)
    assert list(model.generate("Hello", max_tokens=5, ignore_eos=True).ids) == solo(kind, "Hello", 5)
    second = Engine(model, context=32)
    assert list(second.generate("Other", max_tokens=5, ignore_eos=True).ids) == solo(kind, "Other", 5)
    assert list(model.generate("Hello", max_tokens=9, ignore_eos=True).ids) == solo(kind, "Hello", 9)
    assert list(second.generate("Other", max_tokens=9, ignore_eos=True).ids) == solo(kind, "Other", 9)
    del second
    again = model.generate("Hello you", max_tokens=5, ignore_eos=True)
    assert list(again.ids) == solo(kind, "Hello you", 5)


@EACH
def test_runners_of_one_model_have_caches_of_their_own(kind: str) -> None:
    make, formula = KINDS[kind]
    model = make()
    first, second, both = Runner(model), Runner(model), Runner(model, batch=2)
    texts = [ids_of("one text"), ids_of("and another")]
    found: list[list[np.ndarray]] = [[], []]
    for place in range(6):
        found[0].append(first.decode([texts[0][place]])[0])
        found[1].append(second.decode([texts[1][place]])[0])
        together = both.decode([texts[1][place], texts[0][place]])
        np.testing.assert_allclose(together, [found[1][-1], found[0][-1]], atol=1e-4)
    for text, rows in zip(texts, found, strict=True):
        np.testing.assert_allclose(rows, formula(text[:6]), atol=1e-3)


# -- streams that are half read ------------------------------------------------------------------------------------
@EACH
def test_streams_that_take_turns_each_give_their_own_text(kind: str) -> None:
    model = language_model(kind)
    streams = [iter(model.stream(prompt, max_tokens=10, ignore_eos=True)) for prompt in ("Hello", "Other")]
    texts = ["", ""]
    for number in (0, 0, 1, 0, 1, 1):
        texts[number] += next(streams[number], "")
    assert list(model.generate("Third", max_tokens=5, ignore_eos=True).ids) == solo(kind, "Third", 5)
    for number, prompt in enumerate(("Hello", "Other")):
        assert texts[number] + "".join(streams[number]) == byte_tokenizer().decode(solo(kind, prompt, 10))


def test_a_stream_that_is_half_read_keeps_nobody_waiting() -> None:
    model = language_model()
    stream = iter(model.stream("Hello", max_tokens=30, ignore_eos=True))
    next(stream)
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(model.generate, "Other", max_tokens=5, ignore_eos=True).result(PATIENCE)
    assert list(found.ids) == solo("attention", "Other", 5)
    stream.close()  # type: ignore[attr-defined]
    assert list(model.generate("Hello", max_tokens=5, ignore_eos=True).ids) == solo("attention", "Hello", 5)


def test_a_stream_is_read_in_another_thread_than_it_was_begun() -> None:
    model = language_model()
    stream = iter(model.stream("Hello", max_tokens=12, ignore_eos=True))
    text = next(stream)
    with ThreadPoolExecutor(1) as pool:
        text += pool.submit("".join, stream).result(PATIENCE)
    assert text == byte_tokenizer().decode(solo("attention", "Hello", 12))


def test_a_callback_may_generate_and_may_wait_for_one_who_does() -> None:
    """It is called between tokens, when nobody is kept waiting."""
    model, inner = language_model(), []

    def callback(piece: object) -> None:
        if len(inner) < 2:
            inner.append(model.generate("Inner", max_tokens=4, ignore_eos=True).ids)
            with ThreadPoolExecutor(1) as pool:
                inner.append(pool.submit(model.generate, "Inner", max_tokens=4, ignore_eos=True).result(PATIENCE).ids)

    found = model.generate("Hello", max_tokens=10, ignore_eos=True, stream=callback)
    assert list(found.ids) == solo("attention", "Hello", 10)
    assert [list(ids) for ids in inner] == [solo("attention", "Inner", 4)] * 2


def test_an_error_in_one_thread_leaves_the_lock_free() -> None:
    model = language_model()

    def fails(piece: object) -> None:
        raise ValueError("not today")

    with pytest.raises(ValueError, match="not today"):
        model.generate("Hello", max_tokens=5, ignore_eos=True, stream=fails)
    begun = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(model.generate, "Other", max_tokens=5, ignore_eos=True).result(PATIENCE)
    assert list(found.ids) == solo("attention", "Other", 5) and time.monotonic() - begun < PATIENCE


def test_a_stream_is_read_once() -> None:
    from rlx.core.errors import RlxError

    stream = language_model().stream("Hello", max_tokens=4, ignore_eos=True)
    list(stream)
    with pytest.raises(RlxError, match="read only once"):
        list(stream)
