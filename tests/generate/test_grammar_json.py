"""JSON by random schemas: what random weights write validates, whatever the tokenizer."""

from __future__ import annotations

import datetime
import ipaddress
import json
import re
import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rlx.formats.tokenizer import Tokenizer
from rlx.generate import json_schema
from tests.generate.grammar_texts import KINDS, written
from tests.generate.random_schemas import random_schema

pytest.importorskip("llguidance")
FORMATS = jsonschema.FormatChecker(formats=())


def _format(name: str) -> Callable[[Callable[[str], object]], None]:
    def register(check: Callable[[str], object]) -> None:
        FORMATS.checks(name, raises=ValueError)(lambda value: not isinstance(value, str) or check(value) is not None)

    return register


_format("date")(datetime.date.fromisoformat)
_format("uuid")(uuid.UUID)
_format("ipv4")(ipaddress.IPv4Address)
_format("email")(re.compile(r"[^@\s]+@[^@\s]+").fullmatch)
_format("hostname")(re.compile(r"(?!-)[A-Za-z0-9.-]{1,253}(?<!-)").fullmatch)
_format("duration")(re.compile(r"P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)").fullmatch)
TIME = r"([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([zZ]|[+-]\d\d:\d\d)"
_format("time")(re.compile(TIME).fullmatch)
_format("date-time")(re.compile(rf"\d{{4}}-\d\d-\d\d[tT]{TIME}").fullmatch)


def check(schema: dict[str, Any] | bool, text: bytes) -> None:
    jsonschema.Draft202012Validator(schema, format_checker=FORMATS).validate(json.loads(text))


def all_finished_texts_validate(tokenizer: Tokenizer, seeds: range) -> None:
    ends: Counter[str] = Counter()
    for seed in seeds:
        schema = random_schema(seed)
        jsonschema.Draft202012Validator.check_schema(schema)
        grammar = json_schema(schema, compact=seed % 2 == 0)
        text, finish, _ = written(tokenizer, seed, model_seed=seed % 5, grammar=grammar)
        ends[finish] += 1
        if finish == "stop":
            check(schema, text)
    assert ends["stop"] >= 0.9 * len(seeds), ends


@pytest.fixture(scope="module", params=[kind for kind in KINDS if kind != "words_gguf"])
def tokenizer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    return KINDS[request.param](tmp_path_factory.mktemp("tokens"))


def test_every_finished_answer_validates(tokenizer: Tokenizer) -> None:
    all_finished_texts_validate(tokenizer, range(10))


def test_more_schemas(tmp_path: Path) -> None:
    all_finished_texts_validate(KINDS["merges_folder"](tmp_path), range(10, 40))


@pytest.mark.long
def test_every_finished_answer_of_300_schemas_validates(tokenizer: Tokenizer) -> None:
    all_finished_texts_validate(tokenizer, range(300))


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {},
        {"type": "object"},
        {"type": "array", "items": {"enum": ["a", 1, None]}, "minItems": 3, "maxItems": 3},
        {"type": "string", "maxLength": 3},
        {"const": {"a": [1, {"b": "c d"}]}},
        {"oneOf": [{"type": "string", "maxLength": 4}, {"type": "integer"}]},
        {"type": "object", "properties": {}, "additionalProperties": {"type": "null"}, "minProperties": 0},
        {"$ref": "#/$defs/a", "$defs": {"a": {"type": "integer", "exclusiveMinimum": 9, "maximum": 11}}},
        {"type": "object", "properties": {"a": {"$ref": "#"}}, "additionalProperties": False},
        {"type": "number", "minimum": 0.125, "maximum": 0.25},
        {"type": "string", "pattern": "^[^a-z]{2}$"},
    ],
    ids=str,
)
def test_schemas_with_a_point(tmp_path: Path, schema: Any) -> None:
    tokenizer = KINDS["merges_folder"](tmp_path)
    finished = 0
    for seed in range(4):
        text, finish, _ = written(tokenizer, seed, grammar=json_schema(schema, compact=True), max_tokens=200, hurry=5.0)
        if finish == "stop":
            check(schema, text)
            finished += 1
    assert finished >= 2


def test_json_is_any_object(tmp_path: Path) -> None:
    tokenizer = KINDS["merges_folder"](tmp_path)
    found = [written(tokenizer, seed, grammar="json", hurry=6.0) for seed in range(8)]
    finished = [json.loads(text) for text, finish, _ in found if finish == "stop"]
    assert len(finished) >= 4 and all(isinstance(value, dict) for value in finished)


def test_properties_come_in_the_order_of_the_schema_and_compact_means_no_white_space(tmp_path: Path) -> None:
    tokenizer = KINDS["merges_folder"](tmp_path)
    properties = {name: {"type": "boolean"} for name in ("zeta", "alpha", "mid")}
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    for seed in range(5):
        text, finish, _ = written(tokenizer, seed, grammar=json_schema(schema, compact=True))
        assert finish == "stop" and list(json.loads(text)) == ["zeta", "alpha", "mid"]
        assert text.decode() == json.dumps(json.loads(text), separators=(",", ":"))
