"""gpt-oss' form: messages with headers, `<|channel|>analysis<|message|>…<|end|>`; one `to=functions.name` is a call, `final` is text.

The first header stands behind the prompt's `<|start|>assistant`. Thoughts are messages too, and so an answer without tools is read
the same way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from rlx.generate.text import overlap
from rlx.serve.tools.dialect import Dialect, GrammarWriter
from rlx.serve.tools.parts import AnswerPart, CallArguments, CallBegin, TextPart, ThoughtPart, Tool

_START, _CHANNEL, _CONSTRAIN, _MESSAGE, _END = "<|start|>", "<|channel|>", "<|constrain|>", "<|message|>", "<|end|>"
_ENDS = (_END, "<|call|>", "<|return|>", _START, _CHANNEL)
_HEADER = re.compile(r"\s*(<\|start\|>|<\|channel\|>|assistant\b|to=)")
_RECIPIENT, _NAME = re.compile(r"\bto=\s*([^\s<]+)"), re.compile(r"<\|channel\|>\s*(\w+)")


class HarmonyParser:
    """Parses an answer in gpt-oss's Harmony format while it is generated. An answer without headers is text."""

    def __init__(self) -> None:
        self.calls = 0
        self._held = ""
        self._kind: str | None = None  # of the message: "text", "thought", "call"; None: in a header

    def feed(self, text: str) -> list[AnswerPart]:
        """Parses more text of Harmony messages and headers."""
        parts: list[AnswerPart] = []
        self._held += text
        while True:
            before = (self._held, self._kind)
            parts += self._header() if self._kind is None else self._body(self._kind)
            if (self._held, self._kind) == before:
                return parts

    def finish(self) -> list[AnswerPart]:
        """Returns the rest of the last message."""
        rest, self._held = self._held, ""
        return self._make_part(self._kind or "text", rest) if self._kind is not None or not _HEADER.match(rest) else []

    def _header(self) -> list[AnswerPart]:
        header, message, rest = self._held.partition(_MESSAGE)
        bare = header.lstrip()
        if not message:
            begun = not bare or any(one.startswith(bare) for one in (_START, _CHANNEL, "assistant", "to="))
            if not begun and not _HEADER.match(header):
                self._kind = "text"
            return []
        self._held = rest
        recipient, name = _RECIPIENT.search(header), _NAME.search(header)
        if recipient is None or recipient[1] == "assistant":
            self._kind = "thought" if name is not None and name[1] == "analysis" else "text"
            return []
        self._kind = "call"
        self.calls += 1
        return [CallBegin(self.calls - 1, recipient[1].removeprefix("functions."))]

    def _body(self, kind: str) -> list[AnswerPart]:
        ends = [(start, mark) for mark in _ENDS if (start := self._held.find(mark)) >= 0]
        if not ends:
            keep = max(overlap(self._held, mark) for mark in _ENDS)
            given, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
            return self._make_part(kind, given)
        start, mark = min(ends)
        given, self._held = self._held[:start], self._held[start:]
        self._held = self._held if mark in (_START, _CHANNEL) else self._held.removeprefix(mark)
        self._kind = None
        return self._make_part(kind, given)

    def _make_part(self, kind: str, text: str) -> list[AnswerPart]:
        if not text:
            return []
        match kind:
            case "call":
                return [CallArguments(self.calls - 1, text)]
            case "thought":
                return [ThoughtPart(text)]
            case _:
                return [TextPart(text)]


def _thoughts(write: GrammarWriter) -> str:
    """Writes rules for optional thoughts, which are not constrained, and for the header after them."""
    end = write.mark(_END)
    thought = f"thought[suffix={end}]: /(?s:.*)/\n" if end.startswith('"') else f"thought: THOUGHT {end}\nTHOUGHT: /(?s:.*)/\n"
    before = f'{write.mark(_CHANNEL)} "analysis" {write.mark(_MESSAGE)} thought {write.mark(_START)} "assistant"'
    return f"thoughts: ({before})?\n{thought}"


def _write_harmony_grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    """Writes a grammar of one call, which ends the model's turn."""
    bodies = "\n    | ".join(
        f'{json.dumps(f"commentary to=functions.{tool.name} ")} {write.mark(_CONSTRAIN)} "json" {write.mark(_MESSAGE)} '
        f"{write.arguments(tool)}"
        for tool in tools
    )
    return f"calls: thoughts {write.mark(_CHANNEL)} body\nbody: {bodies}\n{_thoughts(write)}"


def _write_framed_grammar(answer: str, write: GrammarWriter) -> str:
    return f'start: thoughts {write.mark(_CHANNEL)} "final" {write.mark(_MESSAGE)} answer\n{_thoughts(write)}{answer}'


HARMONY = Dialect(
    "harmony",
    ("<|channel|>analysis", "<|channel|>final"),
    (_START, _CHANNEL, _CONSTRAIN, _MESSAGE, _END),
    lambda tools: HarmonyParser(),
    _write_harmony_grammar,
    _write_framed_grammar,
)
