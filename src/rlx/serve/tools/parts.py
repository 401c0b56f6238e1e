"""What an answer is made of, as it comes: text, thoughts, calls of tools; and how thoughts are split from the text."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.formats.tokenizer import Tokenizer
from rlx.generate.text import overlap


@dataclass(frozen=True)
class TextPart:
    """A part of an answer: text."""

    text: str


@dataclass(frozen=True)
class ThoughtPart:
    """A part of an answer: text that the model thinks."""

    text: str


@dataclass(frozen=True)
class CallBegin:
    """A part of an answer: the begin of a tool call, with its number and the function's name."""

    index: int
    name: str


@dataclass(frozen=True)
class CallArguments:
    """A part of an answer: more of a call's arguments, a piece of JSON."""

    index: int
    text: str


AnswerPart = TextPart | ThoughtPart | CallBegin | CallArguments


@dataclass(frozen=True)
class Tool:
    """A function that the model may call; `parameters` is a JSON schema. `strict`: a keyword that cannot be enforced is an error."""

    name: str
    description: str
    parameters: dict[str, object]
    strict: bool = False

    @property
    def closed_schema(self) -> dict[str, object]:
        """Derives the arguments' schema for a grammar: only listed arguments are allowed, unless the schema mentions others."""
        says = ("additionalProperties", "patternProperties", "unevaluatedProperties", "anyOf", "oneOf", "allOf", "$ref")
        if "properties" not in self.parameters or any(name in self.parameters for name in says):
            return self.parameters
        return {**self.parameters, "additionalProperties": False}

    def describe(self) -> dict[str, object]:
        """Returns the tool's description that templates expect."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}


# -- thoughts --------------------------------------------------------------------------------------------------------
_TAIL = 24  # tokens at the end of a prompt in which an open tag is looked for


@dataclass(frozen=True)
class ThinkTags:
    """The tags around a model's thoughts."""

    begin: str
    end: str


_KNOWN = (
    ThinkTags("<think>", "</think>"),
    ThinkTags("[THINK]", "[/THINK]"),
    ThinkTags("<thinking>", "</thinking>"),
    ThinkTags("<|begin_of_thought|>", "<|end_of_thought|>"),
)


def tags_of(template: str | None, tokenizer: Tokenizer) -> ThinkTags | None:
    """Finds the thought tags in a model's template or vocabulary."""
    text = template or ""
    return next((tags for tags in _KNOWN if tags.end in text or tags.end in tokenizer.names), None)


def begins_inside(tags: ThinkTags, tokenizer: Tokenizer, prompt: list[int]) -> bool:
    """Returns whether a prompt ends inside thoughts: the template opened the tag."""
    return tokenizer.decode(prompt[-_TAIL:], special=True).rstrip().endswith(tags.begin)


class ThoughtSplitter:
    """Splits thoughts from text. `inside`: the prompt begins thoughts; `continues`: the prompt may begin the text.

    >>> splitter = ThoughtSplitter(ThinkTags("<think>", "</think>"))
    >>> [*splitter.feed("<think>Well"), *splitter.feed("…</thi"), *splitter.feed("nk>\\n\\nYes."), *splitter.finish()]
    [ThoughtPart(text='Well'), ThoughtPart(text='…'), TextPart(text='Yes.')]
    """

    def __init__(self, tags: ThinkTags, inside: bool = False, continues: bool = False) -> None:
        self.tags, self.inside = tags, inside
        self._held = ""
        self._strip = inside and not continues  # white space after a tag belongs to it
        self._begun = inside or continues

    def feed(self, text: str) -> list[AnswerPart]:
        """Splits more text into thoughts and text."""
        parts: list[AnswerPart] = []
        self._held += text
        while True:
            mark = self.tags.end if self.inside else self.tags.begin
            if not self.inside and self._begun:  # thoughts come once, before the text
                parts += self._give(self._held)
                self._held = ""
                return parts
            start = self._held.find(mark)
            if start < 0:
                break
            parts += self._give(self._held[:start])
            self._held = self._held[start + len(mark) :]
            self.inside, self._begun, self._strip = not self.inside, True, True
        if not self._begun and self._held.strip() and not mark.startswith(self._held.lstrip()):
            self._begun = True  # the answer does not begin with a thought
            return [*parts, *self.feed("")]
        keep = 0 if not self.inside else overlap(self._held, mark)
        if self.inside:
            parts += self._give(self._held[: len(self._held) - keep])
            self._held = self._held[len(self._held) - keep :]
        return parts

    def finish(self) -> list[AnswerPart]:
        """Returns the rest of thoughts or text, at the end."""
        rest, self._held = self._held, ""
        return self._give(rest)

    def _give(self, text: str) -> list[AnswerPart]:
        if self._strip:
            text = text.lstrip()
            self._strip = not text
        if not text:
            return []
        return [ThoughtPart(text) if self.inside else TextPart(text)]
