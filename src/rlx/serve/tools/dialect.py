"""A dialect: how a model writes calls of tools, how they are read while they arrive, and a grammar that allows nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from rlx.core.errors import RlxError
from rlx.generate.grammar import PART, Grammar, SchemaNote, json_schema
from rlx.generate.json_schemas import pointer
from rlx.generate.text import overlap
from rlx.serve.tools.parts import AnswerPart, CallArguments, CallBegin, TextPart, Tool

_ARGUMENTS = ("arguments", "parameters")


@dataclass
class CallScanner:
    """Parses a tool call's JSON object by character. `name` is set as soon as it is complete; `arguments` grow with the text.

    >>> scanner = CallScanner()
    >>> scanner.feed('{"name": "add", "arguments": {"a": [1, ')
    39
    >>> scanner.name, scanner.arguments, scanner.done
    ('add', '{"a": [1, ', False)
    >>> scanner.feed('2]}} and more')
    4
    >>> scanner.arguments, scanner.done
    ('{"a": [1, 2]}', True)
    """

    name: str | None = None
    arguments: str = ""
    done: bool = False
    failed: bool = False
    _state: str = field(default="start", repr=False)  # start, key, colon, value, after
    _key: str = field(default="", repr=False)
    _value: str = field(default="", repr=False)
    _depth: int = field(default=0, repr=False)
    _quoted: bool = field(default=False, repr=False)
    _escaped: bool = field(default=False, repr=False)
    _alone: bool = field(default=False, repr=False)  # whether the text is only the arguments

    @staticmethod
    def of_arguments(name: str) -> CallScanner:
        """Builds a scanner of the arguments only, where the call's name is known already."""
        return CallScanner(name, _state="value", _key="arguments", _alone=True)

    def feed(self, text: str) -> int:
        """Parses text; returns how many characters belong to the call's object."""
        for count, letter in enumerate(text):
            if self.done or self.failed:
                return count
            self._take(letter)
        return len(text)

    def _take(self, letter: str) -> None:
        if self._state in ("key", "value") and (self._value or not letter.isspace()):
            self._inside(letter)
        elif letter.isspace():
            return
        elif self._state == "start" and letter == "{":
            self._state = "key"
        elif self._state == "colon" and letter == ":":
            self._state = "value"
        elif self._state == "after" and letter == ",":
            self._state = "key"
        elif self._state == "after" and letter == "}":
            self.done = True
        else:
            self.failed = True

    def _inside(self, letter: str) -> None:
        """Consumes a character of a key or of a value."""
        at_top = not self._quoted and self._depth == 0
        if at_top and (letter in ",}" or (letter.isspace() and self._value)):
            self._end_bare(letter)
            return
        self._add(letter)
        self._track(letter)
        closed = not self._quoted and self._depth == 0 and letter in '"}]'
        if closed and (len(self._value) > 1 or letter != '"'):
            self._finish()

    def _end_bare(self, letter: str) -> None:
        """Ends a number or a word at the character after it; a brace in place of a key ends the object."""
        if self._state == "key" and not self._value and letter == "}":
            self.done = True
            return
        self._finish()
        if not self.failed and not letter.isspace():
            self._take(letter)

    def _track(self, letter: str) -> None:
        """Tracks whether the next character is inside a string, and the nesting depth."""
        if self._escaped:
            self._escaped = False
        elif self._quoted:
            self._escaped, self._quoted = letter == "\\", letter != '"'
        elif letter == '"':
            self._quoted = True
        else:
            self._depth += (letter in "{[") - (letter in "}]")

    def _add(self, letter: str) -> None:
        self._value += letter
        if self._state == "value" and self._key in _ARGUMENTS and self._value[0] == "{":
            self.arguments += letter

    def _finish(self) -> None:
        """Completes the current key or value."""
        try:
            value = json.loads(self._value)
        except ValueError:
            self.failed = True
            return
        if self._state == "key":
            self.failed = not isinstance(value, str)
            self._key, self._state = str(value), "colon"
        else:
            if self._key == "name":
                self.failed = not isinstance(value, str)
                self.name = str(value)
            elif self._key in _ARGUMENTS and not isinstance(value, dict):  # some models write the object as a text
                self.arguments = value if isinstance(value, str) else json.dumps(value)
            self._state, self.done = "after", self._alone
        self._value = ""


class JsonCalls:
    """Parses one JSON call or a list of calls. `done` when something else follows, which is `rest`."""

    def __init__(self, first_index: int = 0, separators: str = ",;") -> None:
        self.index, self.raw, self.rest = first_index, "", ""
        self.done = self.listed = self.began = False
        self._separators = separators
        self.scanner: CallScanner | None = None
        self._sent = -1  # characters of the arguments that were returned; -1: not even the name

    def feed(self, text: str) -> list[AnswerPart]:
        """Parses more text; returns the parts of calls in it."""
        parts: list[AnswerPart] = []
        self.raw += text
        while text and not self.done:
            if self.scanner is None:
                text = self._between(text)
            else:
                count = self.scanner.feed(text)
                text = text[count:]
                parts += self._grown()
        if self.done:
            self.rest += text
        return parts

    def _between(self, text: str) -> str:
        """Consumes a character before, between or after objects."""
        letter = text[0]
        if letter == "{":
            self.scanner = CallScanner()
            return text
        if letter == "[" and not self.listed and not self.began:
            self.listed = True
        elif letter == "]" and self.listed:
            self.done = True
        elif not letter.isspace() and not (self.began and letter in self._separators):
            self.done = True
            return text
        return text[1:]

    def _grown(self) -> list[AnswerPart]:
        scanner = self.scanner
        assert scanner is not None
        parts: list[AnswerPart] = []
        if scanner.name is not None and (self._sent >= 0 or scanner.arguments or scanner.done):
            if self._sent < 0:
                parts.append(CallBegin(self.index, scanner.name))
                self.began, self._sent = True, 0
            new = scanner.arguments[self._sent :] if scanner.arguments or not scanner.done else "{}"
            if new:
                parts.append(CallArguments(self.index, new))
                self._sent += len(new)
        if scanner.failed or (scanner.done and scanner.name is None):
            self.done = True
        elif scanner.done:
            self.index += 1
            self.scanner, self._sent = None, -1
        return parts


_OF_ALL = (
    *("$ref", "not", "anyOf", "oneOf", "allOf", "if", "enum", "const", "minProperties", "maxProperties"),
    *("propertyNames", "dependentRequired", "dependentSchemas", "dependencies"),
)
"""Keywords about all arguments together."""


class GrammarWriter:
    """Writes the Lark rules of tool calls. `mark(text)` is a special token by its id, or quoted text.

    >>> write = GrammarWriter(json.dumps)
    >>> write.grammar(f"start: {write.mark('<a>')} {write.arguments(Tool('add', '', {}))}").parts[0].name
    "schema of the tool 'add'"
    """

    def __init__(self, mark: Callable[[str], str]) -> None:
        self.mark = mark
        self._parts: list[Grammar] = []
        self._notes: list[SchemaNote] = []

    def json(self, schema: Grammar) -> str:
        """Writes a term for JSON of a schema."""
        self._parts.append(schema)
        return PART.format(len(self._parts) - 1)

    def arguments(self, tool: Tool) -> str:
        """Writes a term for the arguments of a tool, as one object."""
        return self.json(_schema_of(tool, tool.closed_schema, "#"))

    def argument(self, tool: Tool, key: str, schema: Any) -> str:
        """Writes a term for one argument of a tool; its schema may refer to definitions of the others."""
        shared = {name: tool.parameters[name] for name in ("$defs", "definitions") if name in tool.parameters}
        alone = {**shared, **schema} if isinstance(schema, dict) else schema
        return self.json(_schema_of(tool, alone, pointer("#/properties", key)))

    def properties(self, tool: Tool) -> dict[str, Any]:
        """Returns the schemas of a tool's arguments, for a dialect that writes them one by one; notes keywords about all."""
        properties = tool.parameters.get("properties")
        schemas = dict(properties) if isinstance(properties, dict) else {}
        for name in _OF_ALL:
            if name in tool.parameters:
                self.note(tool, pointer("#", name))
        needed = tool.parameters.get("required")
        if isinstance(needed, list) and any(name not in schemas for name in needed):
            self.note(tool, "#/required")
        return schemas

    def note(self, tool: Tool, location: str) -> None:
        """Notes a keyword of a tool's schema that is not enforced; a strict tool is refused."""
        note = SchemaNote(_name_of(tool), location, "not checked, the text may break it")
        if tool.strict:
            raise RlxError("RLX905", str(note), fix="leave it out, or strict: false", at=None)
        self._notes.append(note)

    def grammar(self, text: str) -> Grammar:
        """Builds the grammar of the written rules."""
        return Grammar("lark", text, parts=tuple(self._parts), notes=tuple(self._notes))


def _schema_of(tool: Tool, schema: Any, place: str) -> Grammar:
    return replace(json_schema(json.dumps(schema), strict=tool.strict), name=_name_of(tool), place=place)


def _name_of(tool: Tool) -> str:
    return f"schema of the tool {tool.name!r:.80}"


class CallParser(Protocol):
    """Protocol of a dialect's parser, which reads an answer while it is generated."""

    calls: int  # so far

    def feed(self, text: str) -> list[AnswerPart]:
        """Parses more text of an answer; returns its parts."""

    def finish(self) -> list[AnswerPart]:
        """Returns the parts that were held back, at the end."""


@dataclass(frozen=True)
class Dialect:
    """A model family's format of tool calls. `marks`: texts that identify its template; `special`: marks that may be tokens."""

    name: str
    marks: tuple[str, ...]
    special: tuple[str, ...]
    parser: Callable[[Sequence[Tool]], CallParser]
    grammar: Callable[[Sequence[Tool], bool, GrammarWriter], str]
    """(tools, several calls allowed, write) → rules of a Lark grammar; `calls` is the first."""
    framed: Callable[[str, GrammarWriter], str] | None = None
    """Where every answer has marks, with tools or without: (rules of an `answer`, write) → a grammar of it with marks around."""


def json_call(write: GrammarWriter, tool: Tool, arguments: str = "arguments") -> str:
    """Writes a rule's right side: `{"name": …, "arguments": …}` for one tool, its arguments by its own schema."""
    before = json.dumps({"name": tool.name})[:-1] + f', "{arguments}": '
    return f'{json.dumps(before)} {write.arguments(tool)} "}}"'


class NextBody(Protocol):
    """Protocol of a parser of the text between two marks of calls."""

    index: int
    raw: str
    rest: str
    done: bool
    began: bool

    def feed(self, text: str) -> list[AnswerPart]:
        """Parses more text between the marks; returns its parts."""


class WholeCalls:
    """Parses the complete text between two marks: `read` returns (name, JSON arguments) of each call, None if it is not one."""

    def __init__(self, index: int, read: Callable[[str], list[tuple[str, str]] | None]) -> None:
        self.index, self.raw, self.rest, self._read = index, "", "", read
        self.done = self.began = False

    def feed(self, text: str) -> list[AnswerPart]:
        """Saves text; returns no parts before the end."""
        self.raw += text
        return []

    def close(self) -> list[AnswerPart]:
        """Returns the calls of the complete text."""
        parts: list[AnswerPart] = []
        for name, arguments in self._read(self.raw) or ():
            parts += [CallBegin(self.index, name), CallArguments(self.index, arguments)]
            self.index, self.began = self.index + 1, True
        return parts


class MarkedParser:
    """Parses calls between a begin mark and an end mark (None: the body decides). What is not a call stays text."""

    def __init__(self, begin: str, end: str | None, body: Callable[[int], NextBody], *, ignored: Sequence[str] = ()) -> None:
        self.calls = 0
        self._begin, self._end, self._new_body, self._ignored = begin, end, body, tuple(ignored)
        self._held = ""
        self._space = ""  # white space before the begin mark
        self._body: NextBody | None = None

    def feed(self, text: str) -> list[AnswerPart]:
        """Parses more text of an answer with marks; returns its parts."""
        parts: list[AnswerPart] = []
        self._held += text
        while self._held:
            before = self._held
            parts += self._outside() if self._body is None else self._inside(self._body)
            if self._held == before:
                break
        return parts

    def finish(self) -> list[AnswerPart]:
        """Returns the parts that were held back, at the end of the answer."""
        parts = self.feed("")
        if self._body is not None:
            parts += self._body.feed(self._held)
            self._held = ""
            parts += self._close_body(self._body, "")
        rest, self._held = self._held, ""
        if rest and not (self.calls and rest.isspace()):
            parts.append(TextPart(rest))
        return parts

    def _outside(self) -> list[AnswerPart]:
        """Returns text up to the begin mark; white space before it is held back, since it belongs to the call."""
        for mark in self._ignored:
            self._held = self._held.replace(mark, "")
        start = self._held.find(self._begin)
        if start >= 0:
            text = self._held[:start].rstrip()
            self._space, self._held = self._held[len(text) : start], self._held[start + len(self._begin) :]
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
                parts += self._close_body(body, "")
            return parts
        start = self._held.find(self._end)
        if start >= 0:
            taken, self._held = self._held[:start], self._held[start + len(self._end) :]
            return [*body.feed(taken), *self._close_body(body, self._end)]
        keep = overlap(self._held, self._end)
        taken, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return body.feed(taken)

    def _close_body(self, body: NextBody, mark: str) -> list[AnswerPart]:
        """Ends the body, with a mark or without: returns its last parts, or its text if it was not a call."""
        parts = body.close() if isinstance(body, WholeCalls) else []
        self._body = None
        if body.began:
            self.calls = max(body.index, self.calls + 1)
            return parts
        raw = body.raw if self._end is not None else body.raw[: len(body.raw) - len(body.rest)]
        return [TextPart(self._space + self._begin + raw + mark)]
