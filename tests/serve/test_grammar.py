"""Answers that must fit: response formats, grammars, required tools, on random weights, in each API's words."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from rlx.formats.tokenizer import Tokenizer
from rlx.generate.sampling_settings import end_ids
from rlx.serve.models import served
from rlx.serve.tools import DIALECTS
from tests.generate.tiny import BOS, EOS, SPECIAL, ByteEngine, byte_tokenizer, recurrent_model
from tests.serve.serving import TEMPLATES, running

pytest.importorskip("llguidance")
openai_package = pytest.importorskip("openai")
anthropic_package = pytest.importorskip("anthropic")
HELLO = [{"role": "user", "content": "Hi"}]
SCHEMA = {
    "type": "object",
    "properties": {"kind": {"enum": ["a", "b"]}, "size": {"type": "integer", "minimum": 0, "maximum": 9}},
    "required": ["kind", "size"],
    "additionalProperties": False,
}
TOOLS = [
    {"type": "function", "function": {"name": "pick", "description": "", "parameters": SCHEMA}},
    {"type": "function", "function": {"name": "stop", "parameters": {"type": "object", "properties": {}, "additionalProperties": False}}},
]  # fmt: skip
NAMES = [dialect.name for dialect in DIALECTS if f"echo-{dialect.name}" in TEMPLATES and dialect.framed is None]


def roomy(tokenizer):
    """A model of random weights whose context has room for words of bytes."""
    model = recurrent_model(tokenizer=tokenizer)
    return replace(model, config=replace(model.config, context_length=1024))


@pytest.fixture(scope="module")
def place():
    """Models of random weights, one for each dialect; one thinks."""
    named = {name: TEMPLATES[f"echo-{name}"].replace("{{ tools | tojson }}", "") for name in NAMES} | {
        "think": TEMPLATES["echo-think"]
    }
    with running(*(served(roomy(byte_tokenizer(chat_template=template)), name) for name, template in named.items())) as server:
        with openai_package.OpenAI(base_url=f"{server.url}/v1", api_key="x", max_retries=0) as client:
            yield server, client


def ask(client, model="hermes", messages=HELLO, **settings):
    return client.chat.completions.create(
        **{"model": model, "messages": messages, "temperature": 1.5, "seed": 3, "max_tokens": 400, **settings}
    )


def fits(text):
    found = json.loads(text)
    assert set(found) == {"kind", "size"} and found["kind"] in ("a", "b") and 0 <= found["size"] <= 9
    return found


def test_a_schema(place):
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA, "strict": True}}
    for seed in range(6):
        fits(ask(place[1], response_format=form, seed=seed).choices[0].message.content)
    chunks = ask(place[1], response_format=form, stream=True)
    fits("".join(chunk.choices[0].delta.content or "" for chunk in chunks))
    found = place[1].responses.create(
        model="hermes", input="Hi", text={"format": {"type": "json_schema", "name": "x", "schema": SCHEMA}}
    )
    fits(found.output_text)


def test_a_schema_in_anthropics_and_ollamas_words(place):
    import httpx

    server, _ = place
    with anthropic_package.Anthropic(base_url=server.url, api_key="x", max_retries=0) as client:
        form = {"format": {"type": "json_schema", "schema": SCHEMA}}
        fits(client.messages.create(model="hermes", max_tokens=400, messages=HELLO, output_config=form).content[0].text)
    body = {"model": "hermes", "messages": HELLO, "format": SCHEMA, "stream": False}
    fits(httpx.post(f"{server.url}/api/chat", json=body).json()["message"]["content"])


@pytest.mark.parametrize(
    ("grammar", "pattern"),
    [
        ({"regex": "[ab]{3}-[0-9]{2}"}, "[ab]{3}-[0-9]{2}"),
        ('start: "yes" | "no"', "yes|no"),
        ('root ::= "left" | "right"', "left|right"),
        ({"lark": 'start: "x" NUMBER\nNUMBER: /[0-9]{4}/'}, "x[0-9]{4}"),
    ],
)
def test_grammars(place, grammar, pattern):
    found = ask(place[1], extra_body={"grammar": grammar})
    assert re.fullmatch(pattern, found.choices[0].message.content) and found.choices[0].finish_reason == "stop"
    text = place[1].completions.create(model="hermes", prompt="Hi", max_tokens=50, extra_body={"grammar": grammar}).choices[0].text
    assert re.fullmatch(pattern, text)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("choice", ["required", "pick", "stop"])
def test_a_required_tool_is_called(place, name, choice):
    wanted = choice if choice == "required" else {"type": "function", "function": {"name": choice}}
    for stream in (False, True):
        made = ask(place[1], model=name, tools=TOOLS, tool_choice=wanted, parallel_tool_calls=False, stream=stream)
        if stream:
            deltas = [call for chunk in made for one in chunk.choices for call in one.delta.tool_calls or ()]
            calls = [("".join(one.function.name or "" for one in deltas), "".join(one.function.arguments or "" for one in deltas))]
        else:
            assert made.choices[0].finish_reason == "tool_calls"
            calls = [(one.function.name, one.function.arguments) for one in made.choices[0].message.tool_calls]
        assert len(calls) == 1 and (choice == "required" or calls[0][0] == choice)
        arguments = json.loads(calls[0][1])
        assert arguments == {} if calls[0][0] == "stop" else fits(calls[0][1])


def test_a_required_tool_in_anthropics_words(place):
    with anthropic_package.Anthropic(base_url=place[0].url, api_key="x", max_retries=0) as client:
        tools = [{"name": "pick", "input_schema": SCHEMA}]
        found = client.messages.create(
            model="hermes",
            max_tokens=400,
            messages=HELLO,
            tools=tools,
            tool_choice={"type": "any", "disable_parallel_tool_use": True},
        )
        assert found.stop_reason == "tool_use" and found.content[-1].name == "pick" and found.content[-1].input["kind"] in "ab"


def test_thoughts_come_before_what_must_fit(place):
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}
    found = ask(place[1], model="think", response_format=form, extra_body={"thinking_token_budget": 12})
    message = found.choices[0].message
    fits(message.content)
    assert 0 < len(message.reasoning_content.encode()) <= 36


def test_special_tokens_as_marks():
    """A dialect whose marks are special tokens: they are seen in the text, and the grammar writes them."""
    names = {**SPECIAL, "[TOOL_CALLS]": 260, "[ARGS]": 261}
    pieces = [bytes([value]) for value in range(256)] + [name.encode() for name in names] + [b"<pad>"] * 38
    template = TEMPLATES["echo-mistral"].replace("{{ tools | tojson }}", "").replace("[TOOL_CALLS]", "[TOOL_CALLS][ARGS]")
    tokenizer = Tokenizer(pieces, frozenset(names.values()), bos=BOS, eos=frozenset({EOS}), add_bos=False, add_eos=False,
                          names=names, engine=ByteEngine(), chat_template=template)  # fmt: skip
    with running(served(roomy(tokenizer), "named")) as server:
        with openai_package.OpenAI(base_url=f"{server.url}/v1", api_key="x", max_retries=0) as client:
            made = ask(client, model="named", tools=TOOLS, tool_choice="required", parallel_tool_calls=False)
            call = made.choices[0].message.tool_calls[0].function
            assert call.name in ("pick", "stop") and isinstance(json.loads(call.arguments), dict)


@pytest.mark.parametrize("kind", ["special", "text"])
def test_answers_that_must_fit_in_messages_with_headers(kind):
    """Thoughts are free and may take long, or all there is; what comes behind them fits."""
    marks = ("<|start|>", "<|channel|>", "<|constrain|>", "<|message|>", "<|end|>", "<|return|>", "<|call|>")
    names = {**SPECIAL, **{mark: 260 + number for number, mark in enumerate(marks)}}
    pieces = [bytes([value]) for value in range(256)] + [name.encode() for name in names]
    template = TEMPLATES["echo-harmony"].replace("{{ tools | tojson }}", "")
    pieces += [b"<pad>"] * (300 - len(pieces))
    tokenizer = Tokenizer(pieces, frozenset(names.values()), bos=BOS, eos=frozenset({EOS}), add_bos=False, add_eos=False, names=names,
                          engine=ByteEngine(), chat_template=template)  # fmt: skip
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}
    with running(served(roomy(tokenizer if kind == "special" else byte_tokenizer(chat_template=template)), "oss")) as server:
        with openai_package.OpenAI(base_url=f"{server.url}/v1", api_key="x", max_retries=0) as client:
            ended = 0
            for seed in range(6):
                made = ask(client, model="oss", tools=TOOLS, tool_choice="required", seed=seed, max_tokens=200).choices[0]
                for call in made.message.tool_calls or ():
                    assert call.function.name in ("pick", "stop") and isinstance(json.loads(call.function.arguments), dict)
                    ended += 1
                assert made.message.tool_calls or made.finish_reason == "length"
                made = ask(client, model="oss", response_format=form, seed=seed, max_tokens=200).choices[0]
                if made.finish_reason == "stop":
                    fits(made.message.content)
                    ended += 1
            assert ended >= 4


def test_an_end_of_a_message_is_no_end_of_an_answer():
    names = {"<|end|>": 260, "<|return|>": 261, "<|call|>": 262}
    model = recurrent_model(tokenizer=replace(byte_tokenizer(), names=names, special=frozenset(names.values())))
    assert end_ids(model) >= {261, 262} and 260 not in end_ids(model)
    names.pop("<|return|>")
    assert 260 in end_ids(model)


WRONG = [
    {"extra_body": {"grammar": {"regex": "["}}},
    {"extra_body": {"grammar": "start: nothing_here"}},
    {"extra_body": {"grammar": {"nonsense": "x"}}},
    {"extra_body": {"grammar": "root ::= ("}},
    {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "nothing"}}}},
    {"response_format": {"type": "json_schema", "json_schema": {"name": "x"}}},
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_a_grammar_that_is_none_is_refused(place, wrong):
    for stream in (False, True):
        with pytest.raises(openai_package.BadRequestError):
            ask(place[1], stream=stream, **wrong)
