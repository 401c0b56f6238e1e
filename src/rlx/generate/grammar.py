"""Grammars constrain a generated text. They are frozen values; `grammar_state` runs them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rlx.core.errors import RlxError, did_you_mean

PART = "%json \x1a{}\x1a"
"""A schema of `Grammar.parts` in a Lark grammar, by its number. JSON and Lark never contain this character unescaped."""


@dataclass(frozen=True)
class SchemaNote:
    """A part of a schema that is not enforced.

    >>> str(SchemaNote("JSON schema", "#/items/not", "not checked"))
    'the JSON schema at #/items/not: not checked'
    """

    schema: str
    place: str
    what: str

    def __str__(self) -> str:
        return f"the {self.schema} at {self.place}: {self.what}"


@dataclass(frozen=True)
class Grammar:
    """A constraint on a text: built by `json_schema`, `regex` or `lark`, passed as `Sampling.grammar`.

    >>> regex("[a-z]+") == regex("[a-z]+"), len({regex("a"), regex("b"), regex("a")})
    (True, 2)
    """

    kind: str  # "json_schema", "regex" or "lark"
    text: str  # a schema as JSON, a pattern, or a grammar
    compact: bool = False  # of JSON: no white space between tokens
    strict: bool = False  # of a schema: what cannot be enforced is an error, not a note
    name: str = field(default="JSON schema", repr=False)  # how errors and notes call a schema,
    place: str = field(default="#", repr=False)  # and where it is in a larger one
    parts: tuple[Grammar, ...] = field(default=(), repr=False)  # schemas that a Lark grammar has by `PART`
    notes: tuple[SchemaNote, ...] = field(default=(), repr=False)  # what it leaves out of schemas that it has in other words


def json_schema(schema: Mapping[str, Any] | str | bool, *, compact: bool = False, strict: bool = False) -> Grammar:
    """Builds a grammar of the JSON that a schema accepts: a dict, its text, or True for any. Properties come in the schema's order.

    Between tokens there is at most one space, or one line break and an indentation; `compact=True` allows neither.
    What cannot be obeyed (`not`, `uniqueItems`, unknown formats, `oneOf` whose cases overlap, and others) is left out, and the result's
    `notes` name it. With `strict=True` it is an error (RLX905).

    >>> json_schema({"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}).kind
    'json_schema'
    """
    if isinstance(schema, str):
        try:
            json.loads(schema)
        except json.JSONDecodeError as error:
            message = f"the JSON schema is not valid JSON: {error.msg} in line {error.lineno}, column {error.colno}"
            raise RlxError("RLX905", message, fix="a dict, or the JSON text of a schema") from None
        except RecursionError:
            raise RlxError("RLX905", "the JSON schema is nested too deeply", fix="$defs and $ref") from None
        return Grammar("json_schema", schema, bool(compact), bool(strict))
    if not isinstance(schema, (Mapping, bool)):
        raise RlxError("RLX905", f"the JSON schema is {schema!r:.60}", fix="a dict, its JSON text, or True for any JSON")
    try:
        text = json.dumps(schema, default=_json_default, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise RlxError(
            "RLX905", f"the JSON schema cannot be written as JSON: {error}", fix="dicts, lists, texts, numbers"
        ) from None
    return Grammar("json_schema", text, bool(compact), bool(strict))


def _json_default(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r:.60} is {type(value).__name__}")


def regex(pattern: str) -> Grammar:
    """Builds a grammar of text that fully matches a regular expression. Look-around, back-references and anchors are not supported.

    >>> regex("(yes|no)").text
    '(yes|no)'
    """
    return Grammar("regex", _text(pattern, "regex", "a pattern"))


def lark(grammar: str) -> Grammar:
    """Builds a grammar from a context-free one in Lark's notation; the text follows its rule `start`.

    >>> lark('start: "(" start ")" | NUMBER' + chr(10) + "NUMBER: /[0-9]+/").kind
    'lark'
    """
    return Grammar("lark", _text(grammar, "lark", "a grammar in Lark's notation"))


def _text(value: Any, name: str, takes: str) -> str:
    if not isinstance(value, str):
        raise RlxError("RLX905", f"{name} is {value!r:.60}", fix=takes)
    return value


_MAKERS: dict[str, Callable[[Any], Grammar]] = {"json_schema": json_schema, "regex": regex, "lark": lark}


def as_grammar(value: Any) -> Grammar | None:
    """Converts what `Sampling.grammar` accepts: a Grammar, `{"json_schema": …}`, `{"regex": …}`, `{"lark": …}`, "json", None.

    >>> as_grammar({"regex": "[0-9]+"})
    Grammar(kind='regex', text='[0-9]+', compact=False, strict=False)
    """
    if value is None or isinstance(value, Grammar):
        return value
    if value == "json":
        return json_schema({"type": "object"})
    if isinstance(value, Mapping) and len(value) == 1:
        ((kind, content),) = value.items()
        if kind in _MAKERS:
            return _MAKERS[kind](content)
        hint = did_you_mean(kind, _MAKERS)
        raise RlxError("RLX905", f"there is no grammar of kind {kind!r}", fix=hint or ", ".join(_MAKERS))
    raise RlxError(
        "RLX905",
        f"grammar is {value!r:.60}",
        fix='json_schema(…), regex(…), lark(…), "json", or a dict of one of them: {"regex": "[0-9]+"}',
    )
