"""Log-probabilities of a prompt's tokens, beside the models' formulas in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rlx.core.errors import RlxError
from rlx.generate import Engine, regex
from rlx.generate.results import Generation
from rlx.models.flow import PAGE
from rlx.runtime.session import Session
from tests.generate.tiny import EOS, attention_logits, attention_model, recurrent_logits, recurrent_model

MODELS = {"attention": (attention_model, attention_logits), "recurrent": (recurrent_model, recurrent_logits)}
PROMPT = [int(token) for token in np.random.default_rng(3).integers(1, 250, 70)]


def expected(formula: Any, ids: list[int]) -> np.ndarray:
    """log p of every token at every place."""
    logits = formula(ids)
    shifted = logits - logits.max(-1, keepdims=True)
    found: np.ndarray = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return found


def check(found: Generation, formula: Any, ids: list[int], top: int) -> None:
    logprobs = expected(formula, ids)
    assert [one.id for one in found.prompt_logprobs] == ids
    assert found.prompt_logprobs[0].logprob is None and not found.prompt_logprobs[0].top
    for place, one in enumerate(found.prompt_logprobs[1:]):
        assert one.logprob == pytest.approx(logprobs[place, one.id], abs=2e-4)
        assert [token for token, _ in one.top] == np.argsort(-logprobs[place], kind="stable")[:top].tolist()
        assert [value for _, value in one.top] == pytest.approx(np.sort(logprobs[place])[::-1][:top], abs=2e-4)


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("chunk", [7, 512])
def test_they_are_those_of_the_formula(kind: str, chunk: int) -> None:
    build, formula = MODELS[kind]
    engine = Engine(build(), chunk=chunk)
    alone = engine.generate(PROMPT, max_tokens=0, prompt_logprobs=3)
    assert alone.finish == "length" and alone.text == "" and not alone.ids
    check(alone, formula, PROMPT, 3)
    engine.generate(PROMPT[:40], max_tokens=3)  # its pages are known now, and help nobody who wants the logits
    again = engine.generate(PROMPT, max_tokens=0, prompt_logprobs=3)
    assert again.reused_tokens == 0 and again.prompt_logprobs == alone.prompt_logprobs
    after = engine.generate(PROMPT, max_tokens=4, prompt_logprobs=0, logprobs=True)
    check(after, formula, PROMPT, 0)
    assert after.ids == engine.generate(PROMPT, max_tokens=4).ids and len(after.logprobs) == 4
    assert engine.generate(PROMPT, max_tokens=2).prompt_logprobs == ()


@pytest.mark.parametrize("kind", MODELS)
def test_in_company_and_in_several_texts(kind: str) -> None:
    build, formula = MODELS[kind]
    engine = Engine(build())
    streams = [engine.submit(PROMPT[: 20 + n], max_tokens=n % 3, prompt_logprobs=1 if n % 2 else None) for n in range(6)]
    several = engine.submit(PROMPT[:50], n=3, max_tokens=2, prompt_logprobs=1, temperature=1.0, seed=0)
    only = engine.submit(PROMPT[:30], n=2, max_tokens=0, prompt_logprobs=1)
    for n, stream in enumerate(streams):
        if n % 2:
            check(stream.result, formula, PROMPT[: 20 + n], 1)
        else:
            assert stream.result.prompt_logprobs == ()
    for found in several.results:
        check(found, formula, PROMPT[:50], 1)
    for found in only.results:
        check(found, formula, PROMPT[:30], 1)
        assert found.finish == "length" and not found.ids


def test_a_sequence_that_is_put_back_amid_its_prompt_has_each_once() -> None:
    page = Engine(attention_model())._core.runner.page_bytes
    engine = Engine(attention_model(), memory=page * (2 * 96 // PAGE - 2), chunk_beside=16)
    first = engine.submit(PROMPT[:30], max_tokens=60, ignore_eos=True)
    pieces = first.pieces()
    next(pieces)  # it decodes, and takes page after page
    second = engine.submit(PROMPT, max_tokens=3, prompt_logprobs=1)
    check(second.result, attention_logits, PROMPT, 1)
    assert engine.stats().preemptions > 0 and len(list(pieces)) > 1


@pytest.mark.parametrize("kind", MODELS)
def test_on_a_device_without_pages(kind: str) -> None:
    pytest.importorskip("jax")
    build, formula = MODELS[kind]
    engine = Engine(build(session=Session("xla")), context=96)
    check(engine.generate(PROMPT[:30], max_tokens=1, prompt_logprobs=2), formula, PROMPT[:30], 2)


def test_prompts_of_one_token() -> None:
    engine = Engine(attention_model())
    found = engine.generate([5], max_tokens=0, prompt_logprobs=2)
    assert [(one.id, one.logprob) for one in found.prompt_logprobs] == [(5, None)] and found.finish == "length"
    assert len(engine.generate([5], max_tokens=2, prompt_logprobs=2).ids) == 2


def test_an_end_token_has_its_log_probability_too() -> None:
    engine = Engine(attention_model())
    found = engine.generate(PROMPT[:9], max_tokens=5, logprobs=True, logit_bias={EOS: 100.0})
    assert found.ids == () and found.finish == "stop" and found.end is not None and found.end.id == EOS
    assert found.end.logprob == pytest.approx(expected(attention_logits, PROMPT[:9])[-1, EOS], abs=2e-4)
    assert engine.generate(PROMPT[:9], max_tokens=0).end is None


def test_beside_a_grammar_and_wrong_values() -> None:
    pytest.importorskip("llguidance")
    engine = Engine(attention_model())
    found = engine.generate(PROMPT[:20], grammar=regex("[ab]{3}"), prompt_logprobs=1, max_tokens=5)
    check(found, attention_logits, PROMPT[:20], 1)
    assert len(found.text) == 3
    for wrong in (-1, True, 1.5):
        with pytest.raises(RlxError, match="RLX902"):
            engine.generate(PROMPT, prompt_logprobs=wrong)
