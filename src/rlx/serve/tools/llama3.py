"""Llama 3's form: the whole answer is `{"name": …, "parameters": …}`, perhaps after `<|python_tag|>`; semicolons separate several."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.serve.tools.dialect import Dialect, GrammarWriter, json_call
from rlx.serve.tools.parts import AnswerPart, TextPart, Tool
from rlx.serve.tools.scanning import JsonCalls

_TAG = "<|python_tag|>"


class BareParser:
    """An answer that begins with an object (or a list of them) is calls if the object has a name; else it is text."""

    def __init__(self) -> None:
        self.calls = 0
        self._held = ""
        self._body: JsonCalls | None = None
        self._is_text = False

    def feed(self, text: str) -> list[AnswerPart]:
        """The parts that follow from more text."""
        if self._is_text:
            return [TextPart(text)] if text else []
        if self._body is None:
            self._held += text
            bare = self._held.lstrip().removeprefix(_TAG).lstrip()
            if not bare or _TAG.startswith(bare):
                return []
            if bare[0] not in "{[":
                return self._as_text(self._held)
            self._body, text = JsonCalls(), bare
        parts = self._body.feed(text)
        if self._body.began:
            self.calls = max(self._body.index, 1)
        if self._body.done and not self._body.began:
            return self._as_text(self._body.raw)
        return parts

    def finish(self) -> list[AnswerPart]:
        """What was held back, at the end."""
        if self._is_text or self.calls:
            return []
        return self._as_text(self._body.raw if self._body is not None else self._held)

    def _as_text(self, text: str) -> list[AnswerPart]:
        self._is_text = True
        return [TextPart(text)] if text else []


def _grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    bodies = "\n    | ".join(json_call(write, tool, "parameters") for tool in tools)
    return f"calls: {'call (' + chr(34) + '; ' + chr(34) + ' call)*' if several else 'call'}\ncall: {bodies}\n"


LLAMA3 = Dialect("llama3", ("<|python_tag|>", '"parameters": dictionary'), (_TAG,), lambda tools: BareParser(), _grammar)
