"""Calls written as JSON, read as they come: `{"name": "f", "arguments": {…}}`, one or a list of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from rlx.serve.tools.parts import AnswerPart, CallArguments, CallBegin

_ARGUMENTS = ("arguments", "parameters")


@dataclass
class CallScanner:
    """Reads one object character by character. `name` comes as soon as it is whole, `arguments` grow as their text comes.

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
    _place: str = field(default="start", repr=False)  # start, key, colon, value, after
    _key: str = field(default="", repr=False)
    _value: str = field(default="", repr=False)
    _depth: int = field(default=0, repr=False)
    _quoted: bool = field(default=False, repr=False)
    _escaped: bool = field(default=False, repr=False)
    _alone: bool = field(default=False, repr=False)  # there are only the arguments

    @staticmethod
    def of_arguments(name: str) -> CallScanner:
        """A scanner of the arguments alone, where the name came otherwise."""
        return CallScanner(name, _place="value", _key="arguments", _alone=True)

    def feed(self, text: str) -> int:
        """Take in text; gives how many characters belonged to the object."""
        for count, letter in enumerate(text):
            if self.done or self.failed:
                return count
            self._take(letter)
        return len(text)

    def _take(self, letter: str) -> None:
        if self._place in ("key", "value") and (self._value or not letter.isspace()):
            self._inside(letter)
        elif letter.isspace():
            return
        elif self._place == "start" and letter == "{":
            self._place = "key"
        elif self._place == "colon" and letter == ":":
            self._place = "value"
        elif self._place == "after" and letter == ",":
            self._place = "key"
        elif self._place == "after" and letter == "}":
            self.done = True
        else:
            self.failed = True

    def _inside(self, letter: str) -> None:
        """A letter of a key or of a value."""
        if not self._quoted and self._depth == 0 and (letter in ",}" or (letter.isspace() and self._value)):
            if self._place == "key" and not self._value and letter == "}":
                self.done = True
            else:
                self._finish()
                if not self.failed and not letter.isspace():
                    self._take(letter)
            return
        self._add(letter)
        if self._quoted:
            if self._escaped:
                self._escaped = False
            elif letter == "\\":
                self._escaped = True
            elif letter == '"':
                self._quoted = False
        elif letter == '"':
            self._quoted = True
        elif letter in "{[":
            self._depth += 1
        elif letter in "}]":
            self._depth -= 1
        closed = not self._quoted and self._depth == 0 and letter in '"}]'
        if closed and (len(self._value) > 1 or letter != '"'):
            self._finish()

    def _add(self, letter: str) -> None:
        self._value += letter
        if self._place == "value" and self._key in _ARGUMENTS and self._value[0] == "{":
            self.arguments += letter

    def _finish(self) -> None:
        """A key or a value is whole."""
        try:
            value = json.loads(self._value)
        except ValueError:
            self.failed = True
            return
        if self._place == "key":
            self.failed = not isinstance(value, str)
            self._key, self._place = str(value), "colon"
        else:
            if self._key == "name":
                self.failed = not isinstance(value, str)
                self.name = str(value)
            elif self._key in _ARGUMENTS and not isinstance(value, dict):  # some models write the object as a text
                self.arguments = value if isinstance(value, str) else json.dumps(value)
            self._place, self.done = "after", self._alone
        self._value = ""


class JsonCalls:
    """One call or a list of calls, as parts. `done` when something else follows, which is `rest`."""

    def __init__(self, first_index: int = 0, separators: str = ",;") -> None:
        self.index, self.raw, self.rest = first_index, "", ""
        self.done = self.listed = self.began = False
        self._separators = separators
        self.scanner: CallScanner | None = None
        self._sent = -1  # characters of the arguments that were given out; -1: not even the name

    def feed(self, text: str) -> list[AnswerPart]:
        """The parts that follow from more text."""
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
        """Before, between and after objects."""
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
        found: list[AnswerPart] = []
        if scanner.name is not None and (self._sent >= 0 or scanner.arguments or scanner.done):
            if self._sent < 0:
                found.append(CallBegin(self.index, scanner.name))
                self.began, self._sent = True, 0
            new = scanner.arguments[self._sent :] if scanner.arguments or not scanner.done else "{}"
            if new:
                found.append(CallArguments(self.index, new))
                self._sent += len(new)
        if scanner.failed or (scanner.done and scanner.name is None):
            self.done = True
        elif scanner.done:
            self.index += 1
            self.scanner, self._sent = None, -1
        return found
