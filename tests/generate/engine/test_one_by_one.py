"""Engines on devices without pages: sequences run one after another, and get the same texts."""

from __future__ import annotations

from typing import Any

import pytest

from rlx.generate.drafters import LookupDrafter
from rlx.generate.engine import Engine
from rlx.generate.engine.step_runner import OneByOneRunner
from rlx.runtime.session import Session
from tests.generate.tiny import attention_logits, attention_model, greedy, recurrent_logits, recurrent_model

pytest.importorskip("jax")
MODELS = pytest.mark.parametrize(("make", "formula"), [(attention_model, attention_logits), (recurrent_model, recurrent_logits)])


@MODELS
def test_texts_are_those_of_the_formula(make: Any, formula: Any) -> None:
    """Several at once, two of each, drafts that are wrong among them, and caches that the next ones take over."""
    engine = Engine(make(session=Session("xla")), context=64, draft=LookupDrafter(), draft_tokens=2)
    assert isinstance(engine._core.runner, OneByOneRunner)
    for prompts in (["to be or not to be", "ab"], ["to be"]):
        streams = [engine.submit(prompt, n=2, max_tokens=8, ignore_eos=True) for prompt in prompts]
        for prompt, stream in zip(prompts, streams, strict=True):
            assert [list(found.ids) for found in stream.results] == [greedy(formula, list(prompt.encode()), 8)] * 2
    assert engine.stats().running == 0
