"""A dialect: how a model writes calls of tools, how they are read, and a grammar that allows nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from rlx.generate.text import overlap
from rlx.serve.tools.parts import AnswerPart, CallArguments, CallBegin, TextPart, Tool

__all__ = ["CallParser", "Dialect", "MarkedParser", "NextBody", "WholeCalls", "json_call"]

Mark = Callable[[str], str]
"""A mark as grammars write it: a special token by its id, other text in quotes."""


class CallParser(Protocol):
    """Reads an answer as it comes."""

    calls: int  # so far

    def feed(self, text: str) -> list[AnswerPart]:
        """The parts that follow from more text."""

    def finish(self) -> list[AnswerPart]:
        """What was held back, at the end."""


@dataclass(frozen=True)
class Dialect:
    """How a family of models calls tools. `marks`: texts in a chat template that tell it; `special`: marks that may be special tokens."""

    name: str
    marks: tuple[str, ...]
    special: tuple[str, ...]
    parser: Callable[[Sequence[Tool]], CallParser]
    grammar: Callable[[Sequence[Tool], bool, Mark], str]
    """(tools, several calls allowed, mark) → rules of a Lark grammar; `calls` is the first."""
    framed: Callable[[str, Mark], str] | None = None
    """Where every answer has marks, with tools or without: (rules of an `answer`, mark) → a grammar of it with marks around."""


def json_call(tool: Tool, arguments: str = "arguments") -> str:
    """A rule's right side: `{"name": …, "arguments": …}` for one tool, its arguments by its own schema."""
    before = json.dumps({"name": tool.name})[:-1] + f', "{arguments}": '
    return f'{json.dumps(before)} %json {json.dumps(tool.closed)} "}}"'


class NextBody(Protocol):
    """What is between two marks."""

    index: int
    raw: str
    rest: str
    done: bool
    began: bool

    def feed(self, text: str) -> list[AnswerPart]:
        """The parts that follow from more text."""


class WholeCalls:
    """A body that is read when it is whole: `read` gives (name, arguments as JSON) of each call in it, None if it is none."""

    def __init__(self, index: int, read: Callable[[str], list[tuple[str, str]] | None]) -> None:
        self.index, self.raw, self.rest, self._read = index, "", "", read
        self.done = self.began = False

    def feed(self, text: str) -> list[AnswerPart]:
        """Nothing, before the end."""
        self.raw += text
        return []

    def close(self) -> list[AnswerPart]:
        """The calls, at the end."""
        parts: list[AnswerPart] = []
        for name, arguments in self._read(self.raw) or ():
            parts += [CallBegin(self.index, name), CallArguments(self.index, arguments)]
            self.index, self.began = self.index + 1, True
        return parts


class MarkedParser:
    """Calls between a begin mark and an end mark (None: until the body says so). What is no call after all is text."""

    def __init__(
        self, begin: str, end: str | None, body: Callable[[int], NextBody], *, ignored: Sequence[str] = ()
    ) -> None:
        self.calls = 0
        self._begin, self._end, self._new_body, self._ignored = begin, end, body, tuple(ignored)
        self._held = ""
        self._space = ""  # white space before the begin mark
        self._body: NextBody | None = None

    def feed(self, text: str) -> list[AnswerPart]:
        """The parts that follow from more text."""
        parts: list[AnswerPart] = []
        self._held += text
        while self._held:
            before = self._held
            parts += self._outside() if self._body is None else self._inside(self._body)
            if self._held == before:
                break
        return parts

    def finish(self) -> list[AnswerPart]:
        """What was held back, at the end."""
        parts = self.feed("")
        if self._body is not None:
            parts += self._body.feed(self._held)
            self._held = ""
            parts += self._closed(self._body, "")
        rest, self._held = self._held, ""
        if rest and not (self.calls and rest.isspace()):
            parts.append(TextPart(rest))
        return parts

    def _outside(self) -> list[AnswerPart]:
        """Text up to the begin mark; white space before it is held back, since it belongs to the call."""
        for mark in self._ignored:
            self._held = self._held.replace(mark, "")
        place = self._held.find(self._begin)
        if place >= 0:
            text = self._held[:place].rstrip()
            self._space, self._held = self._held[len(text) : place], self._held[place + len(self._begin) :]
            self._body = self._new_body(self.calls)
        else:
            keep = max(overlap(self._held, mark) for mark in (self._begin, *self._ignored))
            text = self._held[: len(self._held) - keep].rstrip()
            self._held = self._held[len(text) :]
        return [TextPart(text)] if text else []

    def _inside(self, body: NextBody) -> list[AnswerPart]:
        if self._end is None:
            taken, self._held = self._held, ""
            parts = body.feed(taken)
            if body.done:
                self._held = body.rest
                parts += self._closed(body, "")
            return parts
        place = self._held.find(self._end)
        if place >= 0:
            taken, self._held = self._held[:place], self._held[place + len(self._end) :]
            return [*body.feed(taken), *self._closed(body, self._end)]
        keep = overlap(self._held, self._end)
        taken, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return body.feed(taken)

    def _closed(self, body: NextBody, mark: str) -> list[AnswerPart]:
        """The body has ended, with a mark or without: the last of it, or its text if it was no call."""
        parts = body.close() if isinstance(body, WholeCalls) else []
        self._body = None
        if body.began:
            self.calls = max(body.index, self.calls + 1)
            return parts
        raw = body.raw if self._end is not None else body.raw[: len(body.raw) - len(body.rest)]
        return [TextPart(self._space + self._begin + raw + mark)]
