"""JSON schemas as the grammar package can obey them, and its errors in terms of what the user wrote.

A keyword that the package does not support is left out by name, or refused where the schema is strict. Leaving one out only allows
more texts: a text may then break the schema, and a `SchemaNote` says where.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from rlx.core.errors import RlxError
from rlx.generate.grammar import Grammar, SchemaNote

Place = tuple[str, dict[str, Any]]
"""A schema, and where it is: `#/properties/x`."""
_ONE = (
    *("additionalProperties", "items", "additionalItems", "contains", "propertyNames", "not", "if", "then", "else"),
    *("unevaluatedProperties", "unevaluatedItems"),
)
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_TABLES = ("properties", "patternProperties", "dependentSchemas", "dependencies")
_DEFINITIONS = ("$defs", "definitions")


def pointer(location: str, *keys: str | int) -> str:
    """Appends keys to a JSON pointer.

    >>> pointer("#/properties", "a/b", "not")
    '#/properties/a~1b/not'
    """
    return "/".join([location, *(str(key).replace("~", "~0").replace("/", "~1") for key in keys)])


def subschemas(root: Any) -> Iterator[Place]:
    """Yields every schema that can apply, outer ones first; keywords that the caller deletes are not visited.

    Definitions count if something refers to them.

    >>> [place for place, _ in subschemas({"properties": {"not": {"$ref": "#/$defs/a"}}, "$defs": {"a": {}, "b": {}}})]
    ['#', '#/properties/not', '#/$defs/a']
    """
    waiting: deque[tuple[str, Any]] = deque([("#", root)])
    seen: set[int] = set()
    while waiting:
        location, schema = waiting.popleft()
        if not isinstance(schema, dict) or id(schema) in seen:
            continue
        seen.add(id(schema))
        yield location, schema
        waiting += _children(location, schema)
        reference = schema.get("$ref")
        if isinstance(reference, str):
            waiting += _resolve_reference(root, reference)


def _children(location: str, schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in schema.items():
        if key in _ONE and isinstance(value, dict):
            yield pointer(location, key), value
        elif key in _LISTS and isinstance(value, list):
            yield from ((pointer(location, key, number), one) for number, one in enumerate(value))
        elif key in _TABLES and isinstance(value, dict):
            yield from ((pointer(location, key, name), one) for name, one in value.items())


def _resolve_reference(root: Any, reference: str) -> Iterator[tuple[str, Any]]:
    """Yields the target of a `$ref`; all definitions for a name that is not a pointer."""
    if reference == "#":
        return
    if not reference.startswith("#/"):
        for key in _DEFINITIONS:
            table = root.get(key) if isinstance(root, dict) else None
            yield from ((pointer("#", key, name), one) for name, one in (table.items() if isinstance(table, dict) else ()))
        return
    target = root
    for key in unquote(reference[2:]).split("/"):
        name = key.replace("~1", "/").replace("~0", "~")
        if isinstance(target, dict) and name in target:
            target = target[name]
        elif isinstance(target, list) and name.isdigit() and int(name) < len(target):
            target = target[int(name)]
        else:
            return
    yield reference, target


# -- what the package reports, in terms of what the user wrote -------------------------------------------------------
_CARET = re.compile(r"^ {4}(?P<pattern>.*)\n {4}(?P<caret> *)\^+\nerror: (?P<what>.*)$", re.MULTILINE)
_PLACE = re.compile(r"^(?:at )?(?P<line>\d+)\((?P<column>\d+)\): (?P<what>.*)$", re.MULTILINE)
_REGEX = re.compile(r"^lookarounds not supported yet; .* in regex /(?P<pattern>.*)/$", re.DOTALL)
_PATTERNS = ("pattern", "patternProperties")
_HUGE = 2**53


def grammar_error(grammar: Grammar, said: str, schema: Any = None) -> RlxError:
    """Builds RLX905 with the location of the error; `schema`: the JSON schema that the package received."""
    said = said.partition("\n<state>")[0].strip()
    if said.startswith("NoExtension"):
        return RlxError("RLX905", f"no text matches {grammar.text!r:.80}", fix="a case that ends", at=None)
    if grammar.kind == "regex":
        return _of_pattern(grammar.text, said)
    if grammar.kind == "lark":
        return _of_lark(said)
    return _of_schema(grammar, said, schema)


def _of_pattern(pattern: str, said: str) -> RlxError:
    match = _CARET.search(said)
    location = f", at character {len(match['caret'])}" if match else ""
    what = match["what"] if match else _first_line(said)
    return RlxError("RLX905", f"the pattern {pattern!r:.80}{location}: {what}", fix="a regular expression", at=None)


def _of_lark(said: str) -> RlxError:
    match = _PLACE.search(said)
    location = f", line {match['line']}, column {match['column']}" if match else ""
    what = match["what"] if match else _first_line(said)
    return RlxError("RLX905", f"the Lark grammar{location}: {what}", fix="rules and terminals, from the rule start", at=None)


@dataclass(frozen=True)
class SchemaFault:
    """A fault of a schema: the reason and the keywords at fault; with a value, those that have it. `kind` is set if they can go."""

    what: str
    keys: Sequence[str] = ()
    value: str | None = None
    fix: str = "a schema that some JSON matches"
    kind: str = ""

    def means(self, actual: Any) -> bool:
        """Returns whether a keyword's value is at fault."""
        if self.kind == "range":
            return isinstance(actual, (int, float)) and abs(actual) >= _HUGE
        return self.value is None or actual == self.value or (isinstance(actual, (list, dict)) and self.value in actual)


def _of_schema(grammar: Grammar, said: str, schema: Any) -> RlxError:
    fault = schema_fault(said)
    shown = json.loads(grammar.text) if schema is None else schema
    locations = (
        pointer(location, key) for location, one in subschemas(shown) for key in fault.keys if key in one and fault.means(one[key])
    )
    location = next(locations, None)
    inside = grammar.place if grammar.place != "#" else None
    where = f" at {grammar.place + location[1:]}" if location is not None else f" at {inside}" if inside else ""
    return RlxError("RLX905", f"the {grammar.name}{where}: {fault.what}", fix=fault.fix, at=None)


def schema_fault(said: str) -> SchemaFault:
    """Parses the package's error message about a schema.

    >>> schema_fault("Unknown format: poem").what
    "there is no format 'poem'"
    """
    said = said.partition("\n<state>")[0].strip()
    if match := re.match(r"Unimplemented keys: (\[.*\])", said):
        keys = json.loads(match[1])
        what = f"the keyword {' and '.join(map(repr, keys))} is not supported"
        return SchemaFault(what, keys, fix="leave it out, or say the same in other keywords")
    if match := re.match(r"(?:Invalid|Unknown) (type|format): (.*)", said):
        kind = "format" if said.startswith("Unknown format") else ""
        return SchemaFault(f"there is no {match[1]} {match[2]!r}", [match[1]], match[2], "one of JSON Schema's", kind)
    if match := re.match(r"Pointer '(.*)' does not exist", said):
        reference = f"#{match[1]}"
        return SchemaFault(f"there is no {reference!r}", ["$ref"], reference, "a place in the schema itself")
    if match := re.match(r"Resource '(.*?)#?' is not present", said):
        keys = ["$schema", "$ref"]
        return SchemaFault(f"there is no {match[1]!r} here", keys, match[1], "a place in the schema itself", "dialect")
    if match := _CARET.search(said):
        pattern, is_known = match["pattern"], "look-around" in match["what"] or "backreference" in match["what"]
        what = f"the pattern {pattern!r}: {match['what']}"
        return SchemaFault(what, _PATTERNS, pattern, "a regular expression", "pattern" if is_known else "")
    if match := _REGEX.match(said):
        what = f"the pattern {match['pattern']!r}: anchors and look-around inside a pattern are not supported"
        return SchemaFault(what, _PATTERNS, match["pattern"], "^ at the beginning and $ at the end", "pattern")
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
    if match := re.match(r"patternProperty regexes /(.*)/ and /", said):
        return SchemaFault(_first_line(said), ["patternProperties"], match[1], "patterns of different names", "pattern")
    if match := re.match(r"Unsatisfiable schema: required property '(.*)' is", said):
        return SchemaFault(_first_line(said), ["required"], match[1])
    if match := re.match(r"Expected .* for '(\w+)'|(?:.* )?(type|properties|required) must be", said):
        return SchemaFault(_first_line(said), [match[1] or match[2]])
    return SchemaFault(_first_line(said))


def _first_line(said: str) -> str:
    return said.partition("\n")[0]


# -- schemas that the package accepts --------------------------------------------------------------------------------
SPACE = r"( |\n[ \t]{0,40})"
"""White space between tokens of JSON: one space, or one line break and an indentation."""
_ASKS_NOTHING: dict[str, Callable[[dict[str, Any]], bool]] = {
    "uniqueItems": lambda schema: schema["uniqueItems"] is False,
    "not": lambda schema: schema["not"] is False,
    "propertyNames": lambda schema: schema["propertyNames"] in (True, {}, {"type": "string"}),
    "unevaluatedProperties": lambda schema: schema["unevaluatedProperties"] in (True, {}),
    "unevaluatedItems": lambda schema: schema["unevaluatedItems"] in (True, {}),
    "dependentRequired": lambda schema: schema["dependentRequired"] == {},
    "dependentSchemas": lambda schema: schema["dependentSchemas"] == {},
    "dependencies": lambda schema: schema["dependencies"] == {},
    "contains": lambda schema: schema.get("minContains") == 0 and "maxContains" not in schema,
    "if": lambda schema: "then" not in schema and "else" not in schema,
    **dict.fromkeys(("minContains", "maxContains"), lambda schema: True),  # `contains` stands for them,
    **dict.fromkeys(("then", "else"), lambda schema: True),  # and `if` for these
}
"""Keywords that the package does not know, and whether they have no effect in a schema. All of them only forbid texts."""
_MOST_TRIED = 1 << 23
"""Limit of characters sent to the package per schema: a schema of this size is sent once, a small one many times."""
_MOST_ROUNDS = 64


@dataclass
class RelaxedSchema:
    """Relaxes a JSON schema for the package: `text` has what it can enforce, `notes` name the rest.

    `said_of(text)` is the package's error message for a schema; "" if it accepts it.
    """

    grammar: Grammar
    said_of: Callable[[str], str]
    notes: list[SchemaNote] = field(default_factory=list)

    def __post_init__(self) -> None:
        try:
            self.root: Any = json.loads(self.grammar.text)
        except RecursionError:
            raise RlxError("RLX905", f"the {self.grammar.name} is nested too deeply", fix="$defs and $ref") from None
        if self.root is True:
            self.root = {}
        if isinstance(self.root, dict):
            self.root.pop("x-guidance", None)  # options of the package, which are set here
        for location, schema in subschemas(self.root):
            if _are_different_values(schema.get("oneOf")):
                _as_any_of(schema)
            asking = {key: not asks_nothing(schema) for key, asks_nothing in _ASKS_NOTHING.items() if key in schema}
            for key, asks in asking.items():
                if not asks:
                    del schema[key]
                elif not self.grammar.strict:
                    self._drop((location, schema), key)

    @property
    def text(self) -> str:
        """The relaxed schema as JSON text, with the package's options."""
        return self._as_text(self.root)

    def settle(self) -> None:
        """Relaxes the schema until the package accepts it; RLX905, in terms of the schema, if that is impossible or it is strict."""
        for _ in range(self._rounds):
            said = self.said_of(self.text)
            if not said:
                return
            if self.grammar.strict or not self._relax(said):
                raise self.error(said)
        raise RlxError("RLX905", f"the {self.grammar.name} has too much that is not supported", fix="a simpler one")

    def error(self, said: str) -> RlxError:
        """Converts the package's error message to RLX905 in terms of the schema."""
        return grammar_error(self.grammar, said, self.root)

    @property
    def _rounds(self) -> int:
        """The limit of calls to the package."""
        return min(_MOST_ROUNDS, 1 + _MOST_TRIED // len(self.grammar.text))

    def _as_text(self, root: Any) -> str:
        if not isinstance(root, dict):
            return json.dumps(root)
        space = {"whitespace_flexible": False} if self.grammar.compact else {"whitespace_pattern": SPACE}
        try:
            return json.dumps({"x-guidance": space, **root}, allow_nan=False)
        except ValueError:
            raise RlxError("RLX905", f"the {self.grammar.name} has a number that is too large", fix="a smaller one") from None

    def _note(self, location: str, what: str) -> None:
        self.notes.append(SchemaNote(self.grammar.name, self.grammar.place + location[1:], what))

    def _drop(self, at: Place, key: str, what: str = "not checked, the text may break it") -> None:
        location, schema = at
        del schema[key]
        self._note(pointer(location, key), what)

    def _relax(self, said: str) -> bool:
        """Drops the keyword that the package rejects; False if it cannot be dropped."""
        before, fault = len(self.notes), schema_fault(said)
        match fault.kind:
            case "format":
                self._drop_all(fault, "unknown, not checked")
            case "oneOf":
                self._one_of_as_any_of()
            case "dialect" if isinstance(self.root, dict) and self.root.get("$schema") == fault.value:
                self._drop(("#", self.root), "$schema", "unknown, read as draft 2020-12")
            case "pattern" | "sizes" | "range":
                self._drop_all(fault)
        return len(self.notes) > before

    def _drop_all(self, fault: SchemaFault, *what: str) -> None:
        for location, schema in subschemas(self.root):
            for key in fault.keys:
                if key in schema and fault.means(schema[key]):
                    self._drop((location, schema), key, *what)

    def _one_of_as_any_of(self) -> None:
        """Replaces each oneOf whose cases overlap; the package checks each of them alone."""
        schemas = [at for at in subschemas(self.root) if "oneOf" in at[1]]
        overlapping = schemas
        if 1 < len(schemas) <= self._rounds:  # of more, all are named
            overlapping = [at for at in schemas if self._overlaps(at[0])] or schemas
        for location, schema in overlapping:
            _as_any_of(schema)
            self._note(pointer(location, "oneOf"), "its cases may overlap: taken as anyOf")

    def _overlaps(self, location: str) -> bool:
        alone = json.loads(json.dumps(self.root))
        for other, schema in list(subschemas(alone)):
            if other != location and "oneOf" in schema:
                _as_any_of(schema)
        return self.said_of(self._as_text(alone)).startswith("oneOf constraints")


def _are_different_values(cases: Any) -> bool:
    """Returns whether each case lists its values, none of which is in two of them: then at most one case holds."""
    seen: set[str] = set()
    for case in cases if isinstance(cases, list) else [None]:
        values = case.get("enum", [case["const"]] if "const" in case else None) if isinstance(case, dict) else None
        if not isinstance(values, list):
            return False
        own = {json.dumps(_as_number(value), sort_keys=True) for value in values}
        if own & seen:
            return False
        seen |= own
    return True


def _as_number(value: Any) -> Any:
    """Normalizes a number: 1 and 1.0 are the same value in JSON."""
    if isinstance(value, (list, dict)):
        return {k: _as_number(v) for k, v in value.items()} if isinstance(value, dict) else [*map(_as_number, value)]
    return float(value) if type(value) is int and abs(value) < 2**53 else value


def _as_any_of(schema: dict[str, Any]) -> None:
    """Rewrites oneOf: [a, b] as anyOf: [a, b], or in allOf beside another anyOf."""
    cases = schema.pop("oneOf")
    if "anyOf" not in schema:
        schema["anyOf"] = cases
    else:
        schema["allOf"] = [*schema.get("allOf", ()), {"anyOf": cases}]
