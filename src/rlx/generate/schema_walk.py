"""The schemas inside a JSON schema, each with its place: those that a text can meet, through keywords and through references."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

Place = tuple[str, dict[str, Any]]
"""A schema, and where it is: `#/properties/x`."""
_ONE = (
    *("additionalProperties", "items", "additionalItems", "contains", "propertyNames", "not", "if", "then", "else"),
    *("unevaluatedProperties", "unevaluatedItems"),
)
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_TABLES = ("properties", "patternProperties", "dependentSchemas", "dependencies")
_DEFINITIONS = ("$defs", "definitions")


def pointer(place: str, *keys: str | int) -> str:
    """The place of something inside another.

    >>> pointer("#/properties", "a/b", "not")
    '#/properties/a~1b/not'
    """
    return "/".join([place, *(str(key).replace("~", "~0").replace("/", "~1") for key in keys)])


def subschemas(root: Any) -> Iterator[Place]:
    """Every schema that applies to something, outer ones first; what the caller deletes of one is not walked into.

    Definitions count if something refers to them.

    >>> [place for place, _ in subschemas({"properties": {"not": {"$ref": "#/$defs/a"}}, "$defs": {"a": {}, "b": {}}})]
    ['#', '#/properties/not', '#/$defs/a']
    """
    waiting: deque[tuple[str, Any]] = deque([("#", root)])
    seen: set[int] = set()
    while waiting:
        place, schema = waiting.popleft()
        if not isinstance(schema, dict) or id(schema) in seen:
            continue
        seen.add(id(schema))
        yield place, schema
        waiting += _inside(place, schema)
        reference = schema.get("$ref")
        if isinstance(reference, str):
            waiting += _referred(root, reference)


def _inside(place: str, schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in schema.items():
        if key in _ONE and isinstance(value, dict):
            yield pointer(place, key), value
        elif key in _LISTS and isinstance(value, list):
            yield from ((pointer(place, key, number), one) for number, one in enumerate(value))
        elif key in _TABLES and isinstance(value, dict):
            yield from ((pointer(place, key, name), one) for name, one in value.items())


def _referred(root: Any, reference: str) -> Iterator[tuple[str, Any]]:
    """What a reference means; all definitions where it is a name and not a place."""
    if reference == "#":
        return
    if not reference.startswith("#/"):
        for key in _DEFINITIONS:
            table = root.get(key) if isinstance(root, dict) else None
            yield from ((pointer("#", key, name), one) for name, one in (table.items() if isinstance(table, dict) else ()))
        return
    found = root
    for key in unquote(reference[2:]).split("/"):
        name = key.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and name.isdigit() and int(name) < len(found):
            found = found[int(name)]
        else:
            return
    yield reference, found
