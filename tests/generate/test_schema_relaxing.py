"""Schemas that the grammar package cannot obey in full: what is left out is named, with `strict` it is refused. White space has a bound."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rlx.core.errors import RlxError
from rlx.generate import Engine, json_schema
from rlx.generate.grammar import PART, Grammar
from rlx.generate.grammar_state import GrammarState, grammar_state
from rlx.generate.json_schemas import subschemas
from rlx.generate.sampling_settings import Sampling
from tests.generate.grammar_texts import KINDS, written
from tests.generate.random_schemas import random_schema
from tests.generate.test_grammar_json import check
from tests.generate.tiny import byte_tokenizer, recurrent_model

pytest.importorskip("llguidance")
BYTES = byte_tokenizer()
NOT_CHECKED = "not checked, the text may break it"
OVERLAPS = [{"type": "integer"}, {"type": "number", "minimum": 3}]


def begun(grammar: Grammar) -> GrammarState:
    state = grammar_state(Sampling(grammar=grammar), BYTES, BYTES.eos)
    assert state is not None
    return state


def takes(grammar: Grammar, text: str) -> bool:
    """Whether a text is one of the grammar's."""
    state = begun(grammar)
    ids = list(text.encode())
    if state.valid(ids) != len(ids):
        return False
    for token in ids:
        state.accept(token)
    return state.may_end


# -- white space --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ['{"k":[1,2]}', '{"k": [1, 2]}', '{\n  "k": [\n    1,\n    2\n  ]\n}', '{\n\t"k":[1,2]}'])
def test_json_may_be_written_on_one_line_or_indented(text: str) -> None:
    assert takes(json_schema({"const": {"k": [1, 2]}}), text)


@pytest.mark.parametrize(
    "text", ['{  "k":[1,2]}', '{\n\n"k":[1,2]}', '{ \n"k":[1,2]}', "{\n" + 41 * " " + '"k":[1,2]}', '{"k":[1,2]}\n']
)
def test_white_space_has_a_bound(text: str) -> None:
    assert not takes(json_schema({"const": {"k": [1, 2]}}), text)


def test_compact_json_has_no_white_space() -> None:
    assert takes(json_schema({"const": [1, 2]}, compact=True), "[1,2]")
    assert not takes(json_schema({"const": [1, 2]}, compact=True), "[1, 2]")


def test_a_request_cannot_set_options_of_the_package() -> None:
    schema = {"type": "array", "items": {"const": 1}, "x-guidance": {"lenient": True, "whitespace_flexible": True}}
    assert not takes(json_schema(schema), "[1,  1]")


# -- what is left out ---------------------------------------------------------------------------------------------------
RELAXED: list[tuple[dict[str, Any], str, list[str]]] = [
    ({"type": "array", "uniqueItems": True}, "[1,1]", [f"#/uniqueItems: {NOT_CHECKED}"]),
    ({"type": "integer", "not": {"const": 3}}, "3", [f"#/not: {NOT_CHECKED}"]),
    ({"type": "string", "format": "poem"}, '"x"', ["#/format: unknown, not checked"]),
    ({"oneOf": OVERLAPS}, "7", ["#/oneOf: its cases may overlap: taken as anyOf"]),
    ({"oneOf": OVERLAPS, "anyOf": [{"type": "integer"}]}, "7", ["#/oneOf: its cases may overlap: taken as anyOf"]),
    ({"type": "object", "propertyNames": {"maxLength": 1}}, '{"ab":1}', [f"#/propertyNames: {NOT_CHECKED}"]),
    ({"type": "array", "contains": {"const": 1}, "minContains": 2}, "[]", [f"#/contains: {NOT_CHECKED}"]),
    ({"if": {"const": 1}, "then": False, "else": {"type": "null"}}, "1", [f"#/if: {NOT_CHECKED}"]),
    ({"type": "object", "dependentRequired": {"a": ["b"]}}, '{"a":1}', [f"#/dependentRequired: {NOT_CHECKED}"]),
    ({"type": "object", "unevaluatedProperties": False}, '{"a":1}', [f"#/unevaluatedProperties: {NOT_CHECKED}"]),
    ({"type": "string", "pattern": "^(?!a)b$"}, '"a"', [f"#/pattern: {NOT_CHECKED}"]),
    ({"type": "string", "pattern": r"\ba"}, '"b"', [f"#/pattern: {NOT_CHECKED}"]),
    ({"type": "integer", "minimum": -(2**63), "maximum": 2**63}, "1", [f"#/minimum: {NOT_CHECKED}", f"#/maximum: {NOT_CHECKED}"]),
    ({"type": "object", "properties": {"a": {}}, "minProperties": 2, "additionalProperties": False}, "{}",
     [f"#/minProperties: {NOT_CHECKED}"]),
    ({"$schema": "http://foo.example/", "type": "integer"}, "1", ["#/$schema: unknown, read as draft 2020-12"]),
    ({"patternProperties": {"^a": {"type": "null"}, "^ab": {"type": "integer"}}}, '{"ab":"x"}', [f"#/patternProperties: {NOT_CHECKED}"]),
    ({"patternProperties": {"^(?!a)": {"type": "null"}}}, '{"b":1}', [f"#/patternProperties: {NOT_CHECKED}"]),
    # -- where
    ({"properties": {"not": {"type": "string"}, "a/b": {"not": {}}}}, "{}", [f"#/properties/a~1b/not: {NOT_CHECKED}"]),
    ({"items": {"$ref": "#/$defs/d"}, "$defs": {"d": {"uniqueItems": True}, "e": {"not": {}}}}, "[[1,1]]",
     [f"#/$defs/d/uniqueItems: {NOT_CHECKED}"]),
    ({"items": {"$ref": "#/components/d"}, "components": {"d": {"uniqueItems": True}}}, "[[1,1]]",
     [f"#/components/d/uniqueItems: {NOT_CHECKED}"]),
    ({"prefixItems": [{"oneOf": OVERLAPS}, {"oneOf": [{"type": "null"}, {"type": "string"}]}]}, "[5,null]",
     ["#/prefixItems/0/oneOf: its cases may overlap: taken as anyOf"]),
    ({"not": {"uniqueItems": True, "not": {}}}, "1", [f"#/not: {NOT_CHECKED}"]),
    # -- what asks for nothing has no note
    ({"type": "array", "uniqueItems": False, "not": False}, "[1,1]", []),
    ({"type": "object", "propertyNames": {"type": "string"}, "dependencies": {}}, '{"a":1}', []),
    ({"const": {"not": 1, "uniqueItems": True}}, '{"not":1,"uniqueItems":true}', []),
    ({"type": "integer", "then": {"const": 1}, "nullable": True}, "7", []),
    ({"type": "integer", "format": "int32"}, "7", []),
    ({"oneOf": [{"const": 1}, {"const": 2}, {"enum": [True, {"a": 1}]}]}, "2", []),
    ({"oneOf": [{"const": [1]}, {"const": [1.0]}]}, "[1]", ["#/oneOf: its cases may overlap: taken as anyOf"]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "text", "notes"), RELAXED, ids=lambda value: str(value)[:70])
def test_what_cannot_be_obeyed_is_left_out_by_name(schema: dict[str, Any], text: str, notes: list[str]) -> None:
    state = begun(json_schema(schema))
    assert [str(note) for note in state.notes] == [f"the JSON schema at {note}" for note in notes]
    assert takes(json_schema(schema), text)
    if not notes:
        assert takes(json_schema(schema, strict=True), text)
        return
    with pytest.raises(RlxError, match=r"RLX905[\s\S]*the JSON schema( at #/[\w$/~]+)?: "):
        begun(json_schema(schema, strict=True))


@pytest.mark.parametrize(
    "schema",
    [{"type": "strin"}, {"type": "string", "pattern": "(a"}, {"$ref": "#/$defs/x"}, {"type": "integer", "minimum": 5, "maximum": 3}],
    ids=str,
)  # fmt: skip
def test_what_is_wrong_is_refused_all_the_same(schema: dict[str, Any]) -> None:
    with pytest.raises(RlxError, match="RLX905"):
        begun(json_schema({"not": {}, **schema}))


def test_a_schema_of_a_larger_grammar_is_named_by_its_own_place() -> None:
    inner = Grammar("json_schema", '{"items": {"type": "strin"}}', name="schema of the tool 'add'", place="#/properties/x")
    with pytest.raises(RlxError, match=r"the schema of the tool 'add' at #/properties/x/items/type: there is no type"):
        begun(Grammar("lark", f'start: "a" {PART.format(0)}', parts=(inner,)))
    inner = Grammar("json_schema", '{"items": {"not": {}}}', name="schema of the tool 'add'", place="#/properties/x")
    state = begun(Grammar("lark", f'start: "a" {PART.format(0)} "b"', parts=(inner,)))
    assert [str(note) for note in state.notes] == [f"the schema of the tool 'add' at #/properties/x/items/not: {NOT_CHECKED}"]


def test_notes_are_in_the_result() -> None:
    engine = Engine(recurrent_model())
    grammar = json_schema({"type": "string", "maxLength": 3, "not": {"const": "a"}})
    found = engine.generate("x", grammar=grammar, max_tokens=20, temperature=1.0, seed=1)
    assert found.notes == (f"the JSON schema at #/not: {NOT_CHECKED}",)
    assert engine.generate("x", grammar=json_schema({"const": 1}), max_tokens=20).notes == ()


def test_the_schemas_inside_a_schema() -> None:
    schema = {
        "properties": {"items": {"items": [True, {"type": "null"}]}},
        "enum": [{"not": {}}],
        "anyOf": [{"$ref": "#/%24defs/a"}],
        "$defs": {"a": {"$ref": "#"}, "b": {}},
    }
    places = [place for place, _ in subschemas(schema)]
    assert places == ["#", "#/properties/items", "#/anyOf/0", "#/properties/items/items/1", "#/%24defs/a"]


# -- texts --------------------------------------------------------------------------------------------------------------
class LooseSchemas:
    """Random schemas with keywords that the package does not know, here and there."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.schema = self.loosened(random_schema(seed))

    def loosened(self, schema: Any) -> Any:
        if isinstance(schema, list):
            return [self.loosened(one) for one in schema]
        if not isinstance(schema, dict):
            return schema
        found = {key: value if key in ("enum", "const", "required") else self.loosened(value) for key, value in schema.items()}
        kind = found.get("type")
        if "anyOf" in found and self.random.random() < 0.5:
            found["oneOf"] = found.pop("anyOf")
        if isinstance(kind, str) and self.random.random() < 0.3:
            found |= self.random.choice(
                {
                    "array": [{"uniqueItems": True}, {"contains": {"type": "integer"}}],
                    "object": [{"propertyNames": {"maxLength": 5}}, {"minProperties": 1}, {"dependentRequired": {"a": ["b"]}}],
                    "string": [{"not": {"maxLength": 2}}, {"format": "poem"}],
                }.get(kind, [{"not": {"const": 0}}, {"if": {"type": "integer"}, "then": {"minimum": 0}}])
            )
        return found


def _all_finished_texts_validate_or_have_notes(folder: Path, kind: str, seeds: range) -> None:
    tokenizer = KINDS[kind](folder)
    finished = noted = broken = 0
    for seed in seeds:
        schema = LooseSchemas(seed).schema
        jsonschema.Draft202012Validator.check_schema(schema)
        grammar = json_schema(schema, compact=seed % 2 == 0)
        state = grammar_state(Sampling(grammar=grammar), tokenizer, tokenizer.eos)
        assert state is not None
        text, finish, _ = written(tokenizer, seed, model_seed=seed % 5, grammar=grammar)
        if finish != "stop":
            continue
        finished, noted = finished + 1, noted + bool(state.notes)
        try:
            check(schema, text)
        except jsonschema.ValidationError as error:
            broken += 1
            assert state.notes, (seed, schema, text, error.message)
    assert finished >= 0.85 * len(seeds) and noted and broken < noted, (finished, noted, broken)


def test_a_finished_text_that_breaks_its_schema_has_a_note(tmp_path: Path) -> None:
    _all_finished_texts_validate_or_have_notes(tmp_path, "merges_folder", range(60))


@pytest.mark.long
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "words_gguf"])
def test_no_finished_text_of_400_schemas_breaks_its_schema_without_a_note(tmp_path: Path, kind: str) -> None:
    _all_finished_texts_validate_or_have_notes(tmp_path, kind, range(100, 500))


def test_what_is_sent_to_the_package_is_json() -> None:
    with pytest.raises(RlxError, match="RLX905"):
        begun(json_schema('{"not": {}, "maximum": 1e999}'))
    assert json.loads(json_schema({"not": {}}).text) == {"not": {}}


def test_the_package_is_not_asked_for_ever() -> None:
    many = {"prefixItems": [{"format": f"poem {number}"} for number in range(50)]}
    assert len(begun(json_schema(many)).notes) == 50
    many = {"prefixItems": [{"format": f"poem {number}", "description": "x" * 2000} for number in range(200)]}
    with pytest.raises(RlxError, match="too much that is not supported"):
        begun(json_schema(many))
    schema = {
        "prefixItems": [{"oneOf": OVERLAPS if number == 3 else [{"type": "null"}, {"type": "string"}]} for number in range(80)]
    }
    assert len(begun(json_schema(schema)).notes) == 80
    schema["prefixItems"] = schema["prefixItems"][:60]
    assert [note.place for note in begun(json_schema(schema)).notes] == ["#/prefixItems/3/oneOf"]
