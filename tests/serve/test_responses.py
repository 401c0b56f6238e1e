"""/v1/responses through OpenAI's client: text, thoughts, functions, streamed and not."""

from __future__ import annotations

import json

import pytest

from tests.serve.test_tools import TEXTS

openai_package = pytest.importorskip("openai")
TOOLS = [
    {"type": "function", "name": name, "parameters": {"type": "object", "properties": {}}, "strict": False}
    for name in ("add", "mul")
]


def final(client, stream, **settings):
    """The response, whole or after all events."""
    if not stream:
        return client.responses.create(**settings)
    events = list(client.responses.create(stream=True, **settings))
    assert [event.sequence_number for event in events] == list(range(len(events)))
    deltas = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    response = events[-1].response
    assert deltas == response.output_text
    return response


EACH = pytest.mark.parametrize("stream", [False, True])


@EACH
def test_a_text(openai, stream):
    found = final(openai, stream, model="echo", input="Hello", instructions="Be kind.", metadata={"a": "b"})
    assert found.output_text == "Hello" and found.status == "completed" and found.metadata == {"a": "b"}
    assert found.usage.output_tokens == 5 and found.usage.total_tokens == found.usage.input_tokens + 5


@EACH
def test_a_text_that_is_cut(openai, stream):
    found = final(openai, stream, model="echo", input="Hello", max_output_tokens=3)
    assert found.status == "incomplete" and found.incomplete_details.reason == "max_output_tokens"


@EACH
def test_thoughts(openai, stream):
    found = final(openai, stream, model="echo-think", input="Well</think>\n\nYes", reasoning={"effort": "high"})
    assert [item.type for item in found.output] == ["reasoning", "message"]
    assert found.output[0].content[0].text == "Well" and found.output_text == "Yes"


@EACH
def test_functions(openai, stream):
    text, shown, calls = TEXTS["hermes"][0]
    found = final(openai, stream, model="echo-hermes", input=text, tools=TOOLS)
    assert found.output_text == shown
    assert [(item.name, json.loads(item.arguments)) for item in found.output[1:]] == calls


def test_pieces_of_arguments_add_up_behind_the_item_that_begins_them(openai):
    text, _, calls = TEXTS["hermes"][0]
    said: dict[int, str] = {}
    for one in openai.responses.create(model="echo-hermes", input=text, tools=TOOLS, stream=True):
        if one.type == "response.output_item.added" and one.item.type == "function_call":
            said[one.output_index] = one.item.arguments
        elif one.type == "response.function_call_arguments.delta":
            said[one.output_index] += one.delta
    assert [json.loads(arguments) for arguments in said.values()] == [arguments for _, arguments in calls]


def test_logprobs(openai):
    found = openai.responses.create(
        model="tiny", input="Hi", max_output_tokens=3, top_logprobs=2, include=["message.output_text.logprobs"]
    )
    assert all(len(token.top_logprobs) == 2 for token in found.output[0].content[0].logprobs)


def test_items_reach_the_template(openai, server):
    items = [
        {"role": "developer", "content": "Be kind."},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]},
        {"type": "reasoning", "id": "r", "summary": [], "content": [{"type": "reasoning_text", "text": "hm"}]},
        {"type": "function_call", "call_id": "c1", "name": "add", "arguments": '{"a": 1}'},
        {"type": "function_call", "call_id": "c2", "name": "mul", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "2"},
        {"role": "user", "content": "and?"},
    ]
    openai.responses.create(model="echo", input=items, tools=TOOLS)
    text = server.engine("echo").asked[-1][0]
    assert text.count("<turn>assistant:<tool_call>") == 1 and "<tool_response>\n2\n" in text and "system:Be kind." in text


REFUSED = {
    "previous": {"previous_response_id": "resp_1"},
    "background": {"background": True},
    "conversation": {"conversation": "c"},
    "search": {"tools": [{"type": "web_search"}], "tool_choice": "required"},
    "sampler": {"extra_body": {"top_a": 0.1}},
    "item": {"input": [{"type": "mystery", "id": "x"}]},
    "image": {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "x", "detail": "auto"}]}]},
    "reference": {"input": [{"type": "item_reference", "id": "x"}]},
    "empty": {"input": []},
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_obeyed_is_refused(openai, name):
    with pytest.raises(openai_package.BadRequestError) as caught:
        openai.responses.create(**{"model": "echo", "input": "hi", **REFUSED[name]})
    assert caught.value.type == "invalid_request_error"


def test_a_failure_on_the_way_is_an_event(openai):
    last = list(openai.responses.create(model="echo", input="fail", stream=True))[-1]
    assert last.type == "error" and "internal error" in last.message
