"""Schemas that cannot be obeyed in full, over HTTP: named in the header, refused with `strict`; errors in words of the schema."""

from __future__ import annotations

import json

import httpx
import jsonschema
import pytest

from rlx.serve.models import served
from rlx.serve.tools import DIALECTS
from tests.generate.tiny import byte_tokenizer
from tests.serve.serving import TEMPLATES, running
from tests.serve.test_grammar import HELLO, roomy

pytest.importorskip("llguidance")
HEADER = "x-rlx-ignored"
SCHEMA = {
    "type": "object",
    "properties": {
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "maxItems": 2, "uniqueItems": True},
        "size": {"oneOf": [{"type": "integer", "maximum": 9}, {"type": "number", "minimum": 0, "maximum": 9}]},
    },
    "required": ["tags", "size"],
    "additionalProperties": False,
}
PLACES = ["#/properties/tags/uniqueItems", "#/properties/size/oneOf"]
OVERALL = {
    "type": "object",
    "properties": {"word": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 5}},
    "required": ["word"],
    "minProperties": 1,
}
NAMES = [dialect.name for dialect in DIALECTS if f"echo-{dialect.name}" in TEMPLATES and dialect.framed is None]


@pytest.fixture(scope="module")
def client():
    named = {name: TEMPLATES[f"echo-{name}"].replace("{{ tools | tojson }}", "") for name in NAMES}
    named["think"] = TEMPLATES["echo-think"]
    models = [served(roomy(byte_tokenizer(chat_template=template)), name) for name, template in named.items()]
    with running(*models) as server, httpx.Client(base_url=server.url, timeout=60) as client:
        yield client


def posted(client, path="/v1/chat/completions", **body):
    return client.post(path, json={"model": "hermes", "messages": HELLO, "temperature": 1.5, "seed": 3, "max_tokens": 300, **body})


def form(schema, **more):
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": schema, **more}}}


def relaxed(schema):
    """What is left of the schema above."""
    found = json.loads(json.dumps(schema))
    del found["properties"]["tags"]["uniqueItems"]
    found["properties"]["size"] = {"anyOf": found["properties"]["size"]["oneOf"]}
    return found


WAYS = [
    form(SCHEMA),
    {"response_format": {"type": "json_object", "schema": SCHEMA}},
    {"json_schema": SCHEMA},
    {"guided_json": SCHEMA},
    {"structured_outputs": {"json": SCHEMA}},
    {"grammar": {"json_schema": SCHEMA}},
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: next(iter(way)))
@pytest.mark.parametrize("model", ["hermes", "think"])
def test_what_is_left_out_is_named_in_the_header(client, way, model):
    answer = posted(client, model=model, thinking_token_budget=8, **way)
    assert answer.status_code == 200, answer.text
    assert answer.headers[HEADER] == ", ".join(f"JSON schema {place}" for place in PLACES)
    jsonschema.validate(json.loads(answer.json()["choices"][0]["message"]["content"]), relaxed(SCHEMA))
    streamed = posted(client, model=model, stream=True, thinking_token_budget=8, **way)
    assert streamed.headers[HEADER] == answer.headers[HEADER]


def test_the_other_apis(client):
    names = ", ".join(f"JSON schema {place}" for place in PLACES)
    text = {"format": {"type": "json_schema", "name": "x", "schema": SCHEMA}}
    body = {"model": "hermes", "input": "Hi", "text": text, "max_output_tokens": 200}
    assert client.post("/v1/responses", json=body).headers[HEADER] == names
    assert (
        posted(client, "/v1/messages", output_config={"format": {"type": "json_schema", "schema": SCHEMA}}).headers[HEADER] == names
    )
    assert posted(client, "/api/chat", format=SCHEMA, stream=False, max_tokens=None).headers[HEADER].endswith(names)
    body = {"model": "hermes", "prompt": "x", "max_tokens": 100, **form(SCHEMA)}
    assert client.post("/v1/completions", json=body).headers[HEADER] == names


@pytest.mark.parametrize("where", ["request", "server"])
def test_strict_is_refused(client, where):
    if where == "request":
        answer = posted(client, **form(SCHEMA, strict=True))
        assert "the JSON schema at #/properties/tags/uniqueItems: the keyword 'uniqueItems' is not supported" in answer.text
    else:
        with running(served(roomy(byte_tokenizer(chat_template=TEMPLATES["echo"])), "hermes"), strict=True) as server:
            with httpx.Client(base_url=server.url, timeout=60) as strict:
                answer = posted(strict, **form(SCHEMA))
                assert "#/properties/tags/uniqueItems" in answer.text and "strict" in answer.text
                assert posted(strict, **form(relaxed(SCHEMA))).status_code == 200
    assert answer.status_code == 400 and HEADER not in answer.headers


def tool(schema, **more):
    return {"tools": [{"type": "function", "function": {"name": "add", "parameters": schema, **more}}], "tool_choice": "required"}


@pytest.mark.parametrize("model", NAMES)
def test_a_forced_tool_names_its_schema(client, model):
    schema = {"type": "object", "properties": {"x": {"type": "object", "propertyNames": {"type": "strin", "maxLength": 2}}}}
    answer = posted(client, model=model, **tool(schema))
    assert answer.status_code == 200, answer.text
    assert answer.headers[HEADER] == "schema of the tool 'add' #/properties/x/propertyNames"
    answer = posted(client, model=model, **tool(schema, strict=True))
    assert answer.status_code == 400
    assert "the schema of the tool 'add' at #/properties/x/propertyNames: the keyword" in answer.text and "Lark" not in answer.text
    answer = posted(client, model=model, **tool({"type": "object", "properties": {"x": {"items": {"type": "strin"}}}}))
    assert "the schema of the tool 'add' at #/properties/x/items/type: there is no type 'strin'" in answer.text


@pytest.mark.parametrize("model", NAMES)
def test_arguments_of_a_forced_tool_validate_or_a_note_says_where(client, model):
    names = posted(client, model=model, **tool(OVERALL)).headers.get(HEADER, "")
    noted = 0
    for seed in range(6):
        answer = posted(client, model=model, seed=seed, parallel_tool_calls=False, **tool(OVERALL)).json()["choices"][0]
        if answer["finish_reason"] != "tool_calls":
            continue
        arguments = json.loads(answer["message"]["tool_calls"][0]["function"]["arguments"])
        assert len(arguments["word"]) <= 5
        try:
            jsonschema.validate(arguments, OVERALL)
        except jsonschema.ValidationError:
            noted += 1
            assert "schema of the tool 'add' #/properties/word/pattern" in names
    assert not noted or model in ("qwen-xml", "glm")


def test_a_tool_whose_argument_refers_to_a_definition(client):
    schema = {
        "type": "object",
        "properties": {"x": {"$ref": "#/definitions/d"}},
        "required": ["x"],
        "definitions": {"d": {"enum": [1]}},
    }
    for model in NAMES:
        answer = posted(client, model=model, parallel_tool_calls=False, **tool(schema))
        assert answer.status_code == 200, (model, answer.text)
        call = answer.json()["choices"][0]["message"]["tool_calls"][0]["function"]
        assert json.loads(call["arguments"]) == {"x": 1} and HEADER not in answer.headers
