"""What is wrong with a grammar, and where: the package's message, put in terms of what the user wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rlx.core.errors import RlxError
from rlx.generate.grammar import Grammar

__all__ = ["grammar_error"]

_CARET = re.compile(r"^ {4}(?P<pattern>.*)\n {4}(?P<caret> *)\^+\nerror: (?P<what>.*)$", re.MULTILINE)
_PLACE = re.compile(r"^(?:at )?(?P<line>\d+)\((?P<column>\d+)\): (?P<what>.*)$", re.MULTILINE)
_Test = Callable[[str, Any], bool]


def grammar_error(grammar: Grammar, said: str) -> RlxError:
    """RLX905, with the place."""
    said = said.partition("\n<state>")[0].strip()
    if said.startswith("NoExtension"):
        return RlxError("RLX905", f"no text fulfils {grammar.text!r:.80}", fix="a case that ends", at=None)
    if grammar.kind == "regex":
        return _of_pattern(grammar.text, said)
    if grammar.kind == "lark":
        return _of_lark(said)
    return _of_schema(grammar.text, said)


def _of_pattern(pattern: str, said: str) -> RlxError:
    found = _CARET.search(said)
    place = f", at character {len(found['caret'])}" if found else ""
    what = found["what"] if found else _first_line(said)
    return RlxError("RLX905", f"the pattern {pattern!r:.80}{place}: {what}", fix="a regular expression", at=None)


def _of_lark(said: str) -> RlxError:
    found = _PLACE.search(said)
    place = f", line {found['line']}, column {found['column']}" if found else ""
    what = found["what"] if found else _first_line(said)
    return RlxError(
        "RLX905", f"the Lark grammar{place}: {what}", fix="rules and terminals, from the rule start", at=None
    )


@dataclass(frozen=True)
class _SchemaFault:
    """What is wrong, and the key that says it; with a value, the one that has it."""

    what: str
    keys: Sequence[str] = ()
    value: str | None = None
    fix: str = "a schema that some JSON fulfils"


def _of_schema(text: str, said: str) -> RlxError:
    fault = _fault(said)
    where = _where(
        json.loads(text), lambda key, found: key in fault.keys and (fault.value is None or _names(found, fault.value))
    )
    return RlxError("RLX905", f"the JSON schema{where}: {fault.what}", fix=fault.fix, at=None)


def _fault(said: str) -> _SchemaFault:
    if found := re.match(r"Unimplemented keys: (\[.*\])", said):
        keys = json.loads(found[1])
        what = f"the keyword {' and '.join(map(repr, keys))} is not supported"
        return _SchemaFault(what, keys, fix="leave it out, or say the same in other keywords")
    if found := re.match(r"(?:Invalid|Unknown) (type|format): (.*)", said):
        return _SchemaFault(f"there is no {found[1]} {found[2]!r}", [found[1]], found[2], "one of JSON Schema's")
    if found := re.match(r"Pointer '(.*)' does not exist", said):
        pointer = f"#{found[1]}"
        return _SchemaFault(f"there is no {pointer!r}", ["$ref"], pointer, "a place in the schema itself")
    if found := _CARET.search(said):
        pattern = found["pattern"]
        return _SchemaFault(f"the pattern {pattern!r}: {found['what']}", ["pattern"], pattern, "a regular expression")
    if said.startswith("oneOf constraints"):
        return _SchemaFault("the cases of oneOf overlap", ["oneOf"], fix="anyOf")
    return _SchemaFault(_first_line(said))


def _names(found: Any, value: str) -> bool:
    return found == value or (isinstance(found, list) and value in found)


def _where(schema: Any, wanted: _Test) -> str:
    """` at #/properties/x/not` for the first key of a schema that is meant."""
    place = next(_places(schema, wanted, "#"), None)
    return f" at {place}" if place is not None else ""


def _places(schema: Any, wanted: _Test, place: str) -> Iterator[str]:
    if isinstance(schema, dict):
        for key, value in schema.items():
            here = f"{place}/{key.replace('~', '~0').replace('/', '~1')}"
            if wanted(key, value):
                yield here
            if key not in ("const", "enum", "default", "examples"):
                yield from _places(value, wanted, here)
    elif isinstance(schema, list):
        for number, value in enumerate(schema):
            yield from _places(value, wanted, f"{place}/{number}")


def _first_line(said: str) -> str:
    return said.partition("\n")[0]
