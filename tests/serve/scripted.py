"""A model that plays a list of answers: `rlx serve` with an engine that says what the test has written, for agents that work by tools.

Which answer comes follows from the conversation: the number of results of tools in its prompt. Requests without tools (for a title, for
a check that somebody is there) get `aside`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from rlx.serve.models import ServedModel
from tests.generate.tiny import attention_model, byte_tokenizer
from tests.serve.serving import TEMPLATES, EchoEngine, EchoStream

__all__ = ["called", "scripted"]

CONTEXT = 200_000


def called(name: str, **arguments: Any) -> str:
    """A call as the model writes it, in the dialect of its template."""
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


class ScriptedEngine(EchoEngine):
    """Says `answers[n]` to a conversation with n results of tools."""

    answers: Sequence[str | Callable[[str], str]] = ()
    aside = "ok"

    @property
    def capacity(self) -> int:
        return CONTEXT

    def submit_async(self, prompt: Any, sampling: Any = None, *, n: int = 1, **how: Any) -> Any:
        text = self.model.tokenizer.decode(prompt, special=True)
        assert len(prompt) <= CONTEXT
        self.asked.append((text, sampling))
        step = text.count("<turn>tool:")
        answer = self.answers[min(step, len(self.answers) - 1)] if "<turn>tools:" in text else self.aside
        return EchoStream(self, prompt, answer(text) if callable(answer) else answer, sampling, n)


def scripted(name: str, answers: Sequence[str | Callable[[str], str]], aliases: tuple[str, ...] = ()) -> ServedModel:
    """A model that plays answers."""
    engine = ScriptedEngine(attention_model(tokenizer=byte_tokenizer(chat_template=TEMPLATES["echo-hermes"])))
    engine.answers = answers
    return ServedModel(name, engine.model, engine, aliases)
