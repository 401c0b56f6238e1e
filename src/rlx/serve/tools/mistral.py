"""Mistral's forms: `[TOOL_CALLS][{"name": …, "arguments": …}, …]`, and later `[TOOL_CALLS]name[ARGS]{…}` for each call."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rlx.serve.tools.dialect import Dialect, GrammarWriter, MarkedParser, json_call
from rlx.serve.tools.parts import AnswerPart, Tool
from rlx.serve.tools.scanning import CallScanner, JsonCalls

_BEGIN, _ARGUMENTS = "[TOOL_CALLS]", "[ARGS]"


class NamedCalls(JsonCalls):
    """`name[ARGS]{…}`, or a list of objects."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self._before: str | None = ""  # what came before the first brace; None once that was there

    def feed(self, text: str) -> list[AnswerPart]:
        """The parts that follow from more text."""
        if self._before is None:
            return super().feed(text)
        self._before += text
        before, brace, rest = self._before.partition("{")
        if not brace:
            self.raw = self._before
            return []
        self._before, self.raw = None, before
        name = before.strip().removesuffix(_ARGUMENTS).strip()
        if name in ("", "["):
            self.listed = bool(name)
        else:
            self.scanner = CallScanner.of_arguments(name)
        return super().feed(brace + rest)

    def _between(self, text: str) -> str:
        if self.began and not self.listed:
            self.done = True
            return text
        return super()._between(text)


def _grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    bodies = "\n    | ".join(json_call(write, tool) for tool in tools)
    listed = f'"[" call {"(" + chr(34) + ", " + chr(34) + " call)*" if several else ""} "]"'
    return f"calls: {write.mark(_BEGIN)} {listed}\ncall: {bodies}\n"


def _named_grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    bodies = "\n    | ".join(f"{json.dumps(tool.name)} {write.mark(_ARGUMENTS)} {write.arguments(tool)}" for tool in tools)
    return f"calls: {'call+' if several else 'call'}\ncall: {write.mark(_BEGIN)} body\nbody: {bodies}\n"


def _parser(tools: Sequence[Tool]) -> MarkedParser:
    return MarkedParser(_BEGIN, None, NamedCalls)


MISTRAL_NAMED = Dialect("mistral-named", (_ARGUMENTS,), (_BEGIN, _ARGUMENTS), _parser, _named_grammar)
MISTRAL = Dialect("mistral", (_BEGIN,), (_BEGIN,), _parser, _grammar)
