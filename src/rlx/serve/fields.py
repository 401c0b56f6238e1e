"""Fields of requests: obeyed (they are in the request's type), harmless, ignored by name, or refused unless their value has no effect.

Any other field is also ignored by name: it is logged once and listed in the header `X-RLX-Ignored` (decision 0024). A strict server
refuses what it would ignore.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

import msgspec

from rlx.core.errors import did_you_mean
from rlx.serve.errors import ApiError

log = logging.getLogger("rlx.serve")
R = TypeVar("R", bound=msgspec.Struct)
HEADER = "x-rlx-ignored"
_MOST_LOGGED = 1000  # limit of logged names: clients that invent more do not fill the log
_MOST_NAMED = 40  # names in the header of one answer
_MOST_FIELDS = 1000  # of a request
_logged: set[str] = set()


@dataclass
class Ignored:
    """The ignored fields of one request, for a response header. `strict`: they are refused instead."""

    strict: bool = False
    names: list[str] = field(default_factory=list)

    def note(self, name: str, reason: str, *, log_it: bool = True) -> None:
        """Adds an ignored field, once."""
        if len(self.names) > _MOST_FIELDS:
            return
        short = _without_numbers(name)
        if short in self.names:
            return
        self.names.append(short)
        if log_it and short not in _logged and len(_logged) < _MOST_LOGGED:
            _logged.add(short)
            log.warning("ignored %s: %s", short, reason)

    @property
    def header(self) -> str:
        """The value of the header that lists the ignored fields.

        >>> Ignored(names=["store", "tools[] (web_search)"]).header
        'store, tools[] (web_search)'
        """
        more = len(self.names) - _MOST_NAMED
        return ", ".join([*self.names[:_MOST_NAMED], *([f"and {more} more"] if more > 0 else [])])


REQUEST: ContextVar[Ignored | None] = ContextVar("request", default=None)
"""The ignored fields of the current request."""


def _without_numbers(name: str) -> str:
    """Removes indices from a field's name, and characters that a header does not allow.

    >>> _without_numbers("messages[12].id"), _without_numbers("messages.0.content.3.extra")
    ('messages[].id', 'messages[].content[].extra')
    """
    plain = re.sub(r"\[\d+\]|\.\d+(?=[. ]|$)", "[]", name)
    return re.sub(r"[^ -~]|,", "?", plain)[:100]


def ignore(name: str, reason: str = "unknown field", known: Iterable[str] = (), *, log_it: bool = True) -> None:
    """Ignores a field by name; a strict server refuses it."""
    noting = REQUEST.get() or Ignored()
    if not noting.strict:
        noting.note(name, reason, log_it=log_it)
        return
    hint = did_you_mean(name.rpartition(".")[2], list(known))
    said = f"{reason} {name[:80]!r}" if reason == "unknown field" else f"{name[:80]}: {reason}; the server is strict"
    raise ApiError(400, f"{said}{': ' + hint if hint else ''}", param=name[:80], code="unknown_parameter")


@dataclass(frozen=True)
class RefusedField:
    """A request field that is not supported: the reason, and the values that have no effect."""

    reason: str
    neutral: tuple[Any, ...] = ()
    off_below: float | None = None  # lower numbers ask for nothing either

    def asks_nothing(self, value: Any) -> bool:
        """Returns whether a value of the field has no effect on the answer.

        >>> RefusedField("there is no such sampler", (-1,), off_below=0).asks_nothing(-0.01)
        True
        """
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return value in self.neutral or (is_number and self.off_below is not None and value < self.off_below)


@dataclass(frozen=True)
class FieldTable(Generic[R]):
    """The known fields of an endpoint. `kind` has those that are obeyed; `renamed` has other spellings of them."""

    kind: type[R]
    harmless: Mapping[str, str] = field(default_factory=dict)  # name: why it may be ignored
    refused: Mapping[str, RefusedField] = field(default_factory=dict)
    named: Mapping[str, RefusedField] = field(default_factory=dict)  # ignored by name, unless they ask for nothing
    renamed: Mapping[str, str] = field(default_factory=dict)
    closed: str = ""  # where fields are that may not be unknown, such as "options."

    @cached_property
    def obeyed_names(self) -> tuple[str, ...]:
        """The names of the fields in the request's type."""
        return tuple(entry.encode_name for entry in msgspec.structs.fields(self.kind))

    @cached_property
    def known_names(self) -> list[str]:
        """The names of all known fields."""
        return [*self.obeyed_names, *self.renamed, *self.harmless, *self.named, *self.refused]

    def read(self, body: Any) -> R:
        """Parses a body to the endpoint's request type; null equals omitting the field."""
        if not isinstance(body, dict):
            raise ApiError(400, f"the body is {type(body).__name__}, not an object")
        if len(body) > _MOST_FIELDS:
            raise ApiError(400, f"the body has {len(body)} fields; the limit is {_MOST_FIELDS}")
        taken = dict(self._obeyed_fields(body))
        return msgspec.convert(taken, self.kind)

    def _obeyed_fields(self, body: dict[str, Any]) -> Iterable[tuple[str, Any]]:
        """Yields the obeyed fields of a body, by their own names."""
        obeyed = set(self.obeyed_names)
        for name, value in body.items():
            own = self.renamed.get(name, name)
            if value is None:
                continue
            if own in obeyed:
                if own != name and body.get(own) not in (None, value):
                    raise ApiError(400, f"{name} and {own} are the same field with different values", param=name)
                yield own, value
            elif name in self.refused:
                self._check_neutral(name, value)
            elif name in self.named:
                if not self.named[name].asks_nothing(value):
                    ignore(f"{self.closed}{name}", self.named[name].reason)
            elif name not in self.harmless:
                _unknown(f"{self.closed}{name}", self.known_names, open_=not self.closed)

    def _check_neutral(self, name: str, value: Any) -> None:
        refused = self.refused[name]
        if not refused.asks_nothing(value):
            accepted = f" or send {json.dumps(refused.neutral[0])}" if refused.neutral else ""
            problem = f"{name} is not supported: {refused.reason}; leave it out{accepted}"
            raise ApiError(400, problem, param=name, code="unsupported_parameter")


def _unknown(name: str, known: Iterable[str], *, open_: bool) -> None:
    """Handles an unknown field: it is ignored by name where requests are open, else refused."""
    if open_:
        ignore(name, known=known)
        return
    hint = did_you_mean(name.rpartition(".")[2], list(known))
    said = f"unknown field {name[:80]!r}{': ' + hint if hint else ''}"
    raise ApiError(400, said, param=name[:80], code="unknown_parameter")


def check_names(given: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Checks the fields of a message, a part or a tool: unknown ones are ignored by name."""
    for name, value in given.items():
        if name not in known and value is not None:
            _unknown(f"{where}{name}", known, open_=True)


def demand_names(given: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Checks fields that decide the form of an answer: unknown ones are refused."""
    for name, value in given.items():
        if name not in known and value is not None:
            _unknown(f"{where}{name}", known, open_=False)
