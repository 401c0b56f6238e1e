"""What is wrong with a grammar, and where: the package's message, put in terms of what the user wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rlx.core.errors import RlxError
from rlx.generate.grammar import Grammar
from rlx.generate.schema_walk import pointer, subschemas

_CARET = re.compile(r"^ {4}(?P<pattern>.*)\n {4}(?P<caret> *)\^+\nerror: (?P<what>.*)$", re.MULTILINE)
_PLACE = re.compile(r"^(?:at )?(?P<line>\d+)\((?P<column>\d+)\): (?P<what>.*)$", re.MULTILINE)
_REGEX = re.compile(r"^lookarounds not supported yet; .* in regex /(?P<pattern>.*)/$", re.DOTALL)
_PATTERNS = ("pattern", "patternProperties")
_HUGE = 2**53


def grammar_error(grammar: Grammar, said: str, schema: Any = None) -> RlxError:
    """RLX905, with the place; `schema`: what the package was shown of a grammar that is one."""
    said = said.partition("\n<state>")[0].strip()
    if said.startswith("NoExtension"):
        return RlxError("RLX905", f"no text fulfils {grammar.text!r:.80}", fix="a case that ends", at=None)
    if grammar.kind == "regex":
        return _of_pattern(grammar.text, said)
    if grammar.kind == "lark":
        return _of_lark(said)
    return _of_schema(grammar, said, schema)


def _of_pattern(pattern: str, said: str) -> RlxError:
    found = _CARET.search(said)
    place = f", at character {len(found['caret'])}" if found else ""
    what = found["what"] if found else _first_line(said)
    return RlxError("RLX905", f"the pattern {pattern!r:.80}{place}: {what}", fix="a regular expression", at=None)


def _of_lark(said: str) -> RlxError:
    found = _PLACE.search(said)
    place = f", line {found['line']}, column {found['column']}" if found else ""
    what = found["what"] if found else _first_line(said)
    return RlxError("RLX905", f"the Lark grammar{place}: {what}", fix="rules and terminals, from the rule start", at=None)


@dataclass(frozen=True)
class SchemaFault:
    """What is wrong, and the keys that say it; with a value, those that have it. `kind` is set where it can be left out."""

    what: str
    keys: Sequence[str] = ()
    value: str | None = None
    fix: str = "a schema that some JSON fulfils"
    kind: str = ""

    def means(self, found: Any) -> bool:
        """Whether a value of one of the keys is meant."""
        if self.kind == "range":
            return isinstance(found, (int, float)) and abs(found) >= _HUGE
        return self.value is None or found == self.value or (isinstance(found, (list, dict)) and self.value in found)


def _of_schema(grammar: Grammar, said: str, schema: Any) -> RlxError:
    fault = schema_fault(said)
    shown = json.loads(grammar.text) if schema is None else schema
    places = (pointer(place, key) for place, one in subschemas(shown) for key in fault.keys if key in one and fault.means(one[key]))
    place = next(places, None)
    inside = grammar.place if grammar.place != "#" else None
    where = f" at {grammar.place + place[1:]}" if place is not None else f" at {inside}" if inside else ""
    return RlxError("RLX905", f"the {grammar.name}{where}: {fault.what}", fix=fault.fix, at=None)


def schema_fault(said: str) -> SchemaFault:
    """What the package says about a schema.

    >>> schema_fault("Unknown format: poem").what
    "there is no format 'poem'"
    """
    said = said.partition("\n<state>")[0].strip()
    if found := re.match(r"Unimplemented keys: (\[.*\])", said):
        keys = json.loads(found[1])
        what = f"the keyword {' and '.join(map(repr, keys))} is not supported"
        return SchemaFault(what, keys, fix="leave it out, or say the same in other keywords")
    if found := re.match(r"(?:Invalid|Unknown) (type|format): (.*)", said):
        kind = "format" if said.startswith("Unknown format") else ""
        return SchemaFault(f"there is no {found[1]} {found[2]!r}", [found[1]], found[2], "one of JSON Schema's", kind)
    if found := re.match(r"Pointer '(.*)' does not exist", said):
        reference = f"#{found[1]}"
        return SchemaFault(f"there is no {reference!r}", ["$ref"], reference, "a place in the schema itself")
    if found := re.match(r"Resource '(.*?)#?' is not present", said):
        keys = ["$schema", "$ref"]
        return SchemaFault(f"there is no {found[1]!r} here", keys, found[1], "a place in the schema itself", "dialect")
    if found := _CARET.search(said):
        pattern, is_known = found["pattern"], "look-around" in found["what"] or "backreference" in found["what"]
        what = f"the pattern {pattern!r}: {found['what']}"
        return SchemaFault(what, _PATTERNS, pattern, "a regular expression", "pattern" if is_known else "")
    if found := _REGEX.match(said):
        what = f"the pattern {found['pattern']!r}: anchors and look-around inside a pattern are not supported"
        return SchemaFault(what, _PATTERNS, found["pattern"], "^ at the beginning and $ at the end", "pattern")
    if said.startswith("oneOf constraints"):
        return SchemaFault("the cases of oneOf overlap", ["oneOf"], fix="anyOf", kind="oneOf")
    return _other_fault(said)


def _other_fault(said: str) -> SchemaFault:
    if said.startswith("min/maxProperties"):
        keys = ["minProperties", "maxProperties"]
        return SchemaFault(_first_line(said), keys, fix="list all properties in required", kind="sizes")
    if said.startswith("Failed to generate regex for"):
        keys = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]
        return SchemaFault(_first_line(said), keys, fix="bounds below 2^53", kind="range")
    if found := re.match(r"patternProperty regexes /(.*)/ and /", said):
        return SchemaFault(_first_line(said), ["patternProperties"], found[1], "patterns of different names", "pattern")
    if found := re.match(r"Unsatisfiable schema: required property '(.*)' is", said):
        return SchemaFault(_first_line(said), ["required"], found[1])
    if found := re.match(r"Expected .* for '(\w+)'|(?:.* )?(type|properties|required) must be", said):
        return SchemaFault(_first_line(said), [found[1] or found[2]])
    return SchemaFault(_first_line(said))


def _first_line(said: str) -> str:
    return said.partition("\n")[0]
