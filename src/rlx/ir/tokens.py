"""The tokens of the text form with their positions, and errors that name the position."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from rlx.core.errors import RlxError

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r]+)|(?P<newline>\n)|(?P<comment>//[^\n]*)|(?P<bytes>x"[0-9a-f]*")|(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<digest>\#[0-9a-f]+)
    |(?P<ref>%[0-9]+(?:\.[0-9]+)?)|(?P<range>\.\.)|(?P<number>-?[0-9]+(?:\.(?!\.)[0-9]*)?(?:[eE][-+]?[0-9]+)?|-?(?:inf|nan)\b)
    |(?P<word>[^\W0-9][\w.\-:/]*)|(?P<mark>==|<=|[-+*(){}\[\],=:@|])""",
    re.VERBOSE,
)
_NAME = re.compile(r'//\s*("(?:[^"\\]|\\.)*")')
MOST_NESTED = 64  # nested bodies, nested quotients: real graphs stay far below
_MOST_DIGITS = 40


class Token(NamedTuple):
    """A token with its line and column, both counted from 1."""

    kind: str
    text: str
    line: int
    column: int


class TextError(RlxError):
    """An error at a position of a text."""


class Tokens:
    """The tokens of a text, consumed one by one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.names: dict[int, str] = {}  # line -> quoted name in its comment
        self.position = 0
        self.depth = 0
        self.tokens: list[Token] = []
        line, start, at = 1, 0, 0
        for match in _TOKEN.finditer(text):
            if match.start() != at:
                break
            kind, word = str(match.lastgroup), match[0]
            if kind == "comment":
                named = _NAME.match(word)
                if named:
                    self.names[line] = self._unquote(Token("string", named[1], line, at - start + 1))
            elif kind not in ("space", "newline"):
                self.tokens.append(Token(kind, word, line, at - start + 1))
            at = match.end()
            if kind == "newline":
                line, start = line + 1, at
        if at < len(text):
            place = Token("mark", text[at : at + 20], line, at - start + 1)
            raise self.error_at(place, f"{place.text!r} is not a token")
        self.tokens.append(Token("end", "", line, at - start + 1))

    # -- one by one ---------------------------------------------------------------------------------------------
    @property
    def here(self) -> Token:
        """The next token; the last one is the end of the text."""
        return self.tokens[self.position]

    def peek(self) -> str:
        """The text of the next token, empty at the end."""
        return self.tokens[self.position].text

    def kind(self) -> str:
        """The kind of the next token."""
        return self.tokens[self.position].kind

    def next(self) -> str:
        """Take a token."""
        token = self.tokens[self.position]
        if token.kind == "end":
            raise self.error("the text ends too early")
        self.position += 1
        return token.text

    def take(self, word: str) -> bool:
        """Take the token if it is `word`."""
        if self.tokens[self.position].text == word:  # never a string: those have quotes
            self.position += 1
            return True
        return False

    def expect(self, word: str) -> None:
        """Take `word` or fail."""
        if not self.take(word):
            raise self.error(f"expected {word!r}")

    # -- errors -------------------------------------------------------------------------------------------------
    def error(self, what: str, code: str = "RLX301", fix: str | None = None) -> TextError:
        """An error at the next token, which is not the expected one."""
        found = repr(self.peek()) if self.kind() != "end" else "the end of the text"
        return self.error_at(self.here, f"{what}, found {found}", code, fix)

    def error_at(self, token: Token, what: str, code: str = "RLX301", fix: str | None = None) -> TextError:
        """An error at a token; the line is shown below the message."""
        source = self.text.split("\n")[token.line - 1].strip()
        shown = f"\n  in: {source if len(source) <= 120 else source[:117] + '...'}" if source else ""
        return TextError(code, f"line {token.line}, column {token.column}: {what}{shown}", fix=fix, at=None)

    @contextmanager
    def placed(self, token: Token) -> Iterator[None]:
        """Adds this position to errors raised inside."""
        try:
            yield
        except TextError:
            raise
        except RlxError as error:
            raise self.error_at(token, error.message, error.code, error.fix) from error

    @contextmanager
    def nested(self) -> Iterator[None]:
        """One level deeper, up to a limit: a text must not exhaust the interpreter's stack."""
        if self.depth >= MOST_NESTED:
            raise self.error(f"nested more than {MOST_NESTED} levels deep")
        self.depth += 1
        yield
        self.depth -= 1

    # -- words --------------------------------------------------------------------------------------------------
    def identifier(self) -> str:
        """A plain or quoted name."""
        if self.kind() == "string":
            return self.string()
        if self.kind() != "word":
            raise self.error("expected a name")
        return self.next()

    def string(self) -> str:
        """A quoted string."""
        if self.kind() != "string":
            raise self.error("expected a string in quotes")
        token = self.here
        self.position += 1
        return self._unquote(token)

    def _unquote(self, token: Token) -> str:
        try:
            return str(json.loads(token.text))
        except ValueError:
            raise self.error_at(token, f"{token.text} is not a string as JSON writes it") from None

    def integer(self) -> int:
        """An int."""
        text = self.peek()
        if self.kind() != "number" or not text.lstrip("-").isdigit() or len(text) > _MOST_DIGITS:
            raise self.error("expected an int")
        return int(self.next())

    def number(self) -> float:
        """A float, or an int in its place."""
        if self.kind() != "number":
            raise self.error("expected a number")
        return float(self.next())

    def truth(self) -> bool:
        """`true` or `false`."""
        if self.peek() not in ("true", "false"):
            raise self.error("expected true or false")
        return self.next() == "true"

    def items(self, one: Callable[[], Any], opening: str = "(", closing: str = ")") -> tuple[Any, ...]:
        """`(a, b)`, with an optional trailing comma."""
        self.expect(opening)
        found: list[Any] = []
        while not self.take(closing):
            found.append(one())
            if not self.take(","):
                self.expect(closing)
                break
        return tuple(found)
