"""What the text must look like: OpenAI's `response_format`, llama.cpp's `grammar` and `json_schema`, vLLM's `structured_outputs`."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from rlx.generate.grammar import json_schema
from rlx.serve.errors import ApiError
from rlx.serve.fields import demand_names

_FORMAT_FIELDS = ("type", "json_schema", "schema", "name", "description", "strict")
_SCHEMA_FIELDS = ("name", "description", "schema", "strict")
_STRUCTURED = ("json", "regex", "choice", "grammar", "json_object", "structural_tag", "disable_any_whitespace")


class GrammarFields(msgspec.Struct, kw_only=True):
    """Fields that say what the text must look like; one of them may."""

    grammar: str | dict[str, Any] | None = None
    json_schema: dict[str, Any] | str | None = None
    guided_regex: str | None = None
    guided_choice: list[str] | None = None
    structured_outputs: dict[str, Any] | None = None


def grammar_asked(given: GrammarFields, form: Any = None) -> Any:
    """The grammar of a request; `form`: what another field of the endpoint asked for. Two of them are refused."""
    found: dict[str, Any] = {} if form is None else {"response_format": form}
    if given.grammar not in (None, "", {}):
        found["grammar"] = _grammar(given.grammar)
    if given.json_schema not in (None, "", {}):
        found["json_schema"] = {"json_schema": _schema(given.json_schema, "json_schema")}
    if given.guided_regex:
        found["guided_regex"] = {"regex": given.guided_regex}
    if given.guided_choice:
        found["guided_choice"] = _choice(given.guided_choice, "guided_choice")
    if given.structured_outputs:
        found["structured_outputs"] = _structured(given.structured_outputs)
    if len(found) > 1:
        raise ApiError(400, f"{' and '.join(found)}: one of them can say what the text must look like", param="grammar")
    return next(iter(found.values()), None)


def _structured(given: dict[str, Any]) -> Any:
    """vLLM's `structured_outputs`."""
    where = "structured_outputs"
    demand_names(given, _STRUCTURED, f"{where}.")
    asked = {name: value for name, value in given.items() if value not in (None, False)}
    compact = asked.pop("disable_any_whitespace", False) is True
    if len(asked) != 1:
        raise ApiError(400, f"{where} has {', '.join(asked) or 'nothing'}; it has one of {', '.join(_STRUCTURED[:5])}")
    ((name, value),) = asked.items()
    match name:
        case "json":
            return json_schema(_schema(value, f"{where}.json"), compact=compact)
        case "regex":
            return {"regex": value}
        case "choice":
            return _choice(value, f"{where}.choice")
        case "grammar":
            return _grammar(value)
        case "json_object":
            return json_schema({"type": "object"}, compact=compact)
    raise ApiError(400, f"{where}.{name}: this server cannot obey it", param=where, code="unsupported_parameter")


def _schema(given: Any, where: str) -> dict[str, Any]:
    """A schema, or its JSON."""
    try:
        found = json.loads(given) if isinstance(given, str) else given
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ApiError(400, f"{where} is no JSON schema", param=where)
    return found


def _choice(given: Any, where: str) -> dict[str, str]:
    """One of some texts."""
    if not isinstance(given, list) or not given or not all(isinstance(one, str) and one for one in given):
        raise ApiError(400, f"{where} is a list of texts", param=where)
    return {"lark": "start: " + " | ".join(json.dumps(one, ensure_ascii=False) for one in given)}


def _grammar(given: Any) -> Any:
    """`json`, Lark or llama.cpp's GBNF as a text, or an object that says which."""
    if not isinstance(given, str) or given == "json":
        return given
    if "::=" not in given:
        return {"lark": given}
    from llguidance.gbnf_to_lark import gbnf_to_lark

    try:
        return {"lark": gbnf_to_lark(given)}
    except Exception as error:
        raise ApiError(400, f"grammar: {str(error)[:200]}", param="grammar") from None


def grammar_of(response_format: dict[str, Any] | None, where: str = "response_format") -> Any:
    """OpenAI's `response_format` as a grammar; None for plain text. A json_object may have a schema, as with llama.cpp's server."""
    if response_format is None:
        return None
    demand_names(response_format, _FORMAT_FIELDS, f"{where}.")
    match response_format.get("type"):
        case "text":
            return None
        case "json_object" if response_format.get("schema") is None:
            return "json"
        case "json_object":
            strict = response_format.get("strict") is True
            return json_schema(_schema(response_format["schema"], f"{where}.schema"), strict=strict)
        case "json_schema":
            inside = response_format.get("json_schema", response_format)
            if not isinstance(inside, dict) or not isinstance(inside.get("schema"), dict):
                problem = f"{where}.json_schema has no schema"
                raise ApiError(400, problem, param=f"{where}.json_schema.schema")
            if inside is not response_format:
                demand_names(inside, _SCHEMA_FIELDS, f"{where}.json_schema.")
            return json_schema(inside["schema"], strict=inside.get("strict") is True)
        case kind:
            problem = f"{where}.type is {kind!r:.40}; it is text, json_object or json_schema"
            raise ApiError(400, problem, param=f"{where}.type")
