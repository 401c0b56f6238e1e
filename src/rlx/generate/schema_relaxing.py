"""JSON schemas as the grammar package can obey them. What it cannot is left out by name, or refused where the schema is strict.

A keyword that is left out only allows more texts: a text may then break the schema, and a `SchemaNote` says where.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rlx.core.errors import RlxError
from rlx.generate.grammar import Grammar, SchemaNote
from rlx.generate.grammar_errors import SchemaFault, grammar_error, schema_fault
from rlx.generate.schema_walk import Place, pointer, subschemas

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
"""Keywords that the package does not know, and whether they say nothing in a schema. All of them only forbid texts."""
_MOST_TRIED = 1 << 23
"""Characters that the package is shown of a schema at most: one of this many is shown once, a small one again and again."""
_MOST_ROUNDS = 64


@dataclass
class RelaxedSchema:
    """A schema on its way to the package: `text` has what it can obey, `notes` name the rest.

    `said_of(text)` is what the package says about a schema; "" where it takes it.
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
        for place, schema in subschemas(self.root):
            if _are_different_values(schema.get("oneOf")):
                _as_any_of(schema)
            asking = {key: not asks_nothing(schema) for key, asks_nothing in _ASKS_NOTHING.items() if key in schema}
            for key, asks in asking.items():
                if not asks:
                    del schema[key]
                elif not self.grammar.strict:
                    self._drop((place, schema), key)

    @property
    def text(self) -> str:
        """The schema for the package, with its options."""
        return self._written(self.root)

    def settle(self) -> None:
        """Relax it until the package takes it; RLX905, in words of the schema, where that cannot be or it is strict."""
        for _ in range(self._rounds):
            said = self.said_of(self.text)
            if not said:
                return
            if self.grammar.strict or not self._relax(said):
                raise self.error(said)
        raise RlxError("RLX905", f"the {self.grammar.name} has too much that is not supported", fix="a simpler one")

    def error(self, said: str) -> RlxError:
        """What the package said, in words of the schema."""
        return grammar_error(self.grammar, said, self.root)

    @property
    def _rounds(self) -> int:
        """How often the package may be asked."""
        return min(_MOST_ROUNDS, 1 + _MOST_TRIED // len(self.grammar.text))

    def _written(self, root: Any) -> str:
        if not isinstance(root, dict):
            return json.dumps(root)
        space = {"whitespace_flexible": False} if self.grammar.compact else {"whitespace_pattern": SPACE}
        try:
            return json.dumps({"x-guidance": space, **root}, allow_nan=False)
        except ValueError:
            raise RlxError("RLX905", f"the {self.grammar.name} has a number that is too large", fix="a smaller one") from None

    def _note(self, place: str, what: str) -> None:
        self.notes.append(SchemaNote(self.grammar.name, self.grammar.place + place[1:], what))

    def _drop(self, at: Place, key: str, what: str = "not checked, the text may break it") -> None:
        place, schema = at
        del schema[key]
        self._note(pointer(place, key), what)

    def _relax(self, said: str) -> bool:
        """Leave out what the package complains about; False if that is nothing that can be left out."""
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
        for place, schema in subschemas(self.root):
            for key in fault.keys:
                if key in schema and fault.means(schema[key]):
                    self._drop((place, schema), key, *what)

    def _one_of_as_any_of(self) -> None:
        """Those whose cases overlap, by the package's own word: it is asked about each as if it were alone."""
        places = [at for at in subschemas(self.root) if "oneOf" in at[1]]
        overlapping = places
        if 1 < len(places) <= self._rounds:  # of more, all are named
            overlapping = [at for at in places if self._overlaps(at[0])] or places
        for place, schema in overlapping:
            _as_any_of(schema)
            self._note(pointer(place, "oneOf"), "its cases may overlap: taken as anyOf")

    def _overlaps(self, place: str) -> bool:
        alone = json.loads(json.dumps(self.root))
        for other, schema in list(subschemas(alone)):
            if other != place and "oneOf" in schema:
                _as_any_of(schema)
        return self.said_of(self._written(alone)).startswith("oneOf constraints")


def _are_different_values(cases: Any) -> bool:
    """Whether each case lists its values, none of which is in two of them: then at most one case holds."""
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
    """1 and 1.0 are one value of JSON."""
    if isinstance(value, (list, dict)):
        return {k: _as_number(v) for k, v in value.items()} if isinstance(value, dict) else [*map(_as_number, value)]
    return float(value) if type(value) is int and abs(value) < 2**53 else value


def _as_any_of(schema: dict[str, Any]) -> None:
    """oneOf: [a, b]  ->  anyOf: [a, b], or in allOf beside another anyOf"""
    cases = schema.pop("oneOf")
    if "anyOf" not in schema:
        schema["anyOf"] = cases
    else:
        schema["allOf"] = [*schema.get("allOf", ()), {"anyOf": cases}]
