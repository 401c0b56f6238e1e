"""/v1/messages through Anthropic's client: text, thoughts, tools, streamed and not, counts, and errors in its shape."""

from __future__ import annotations

import asyncio

import pytest

from tests.serve.serving import CONTEXT
from tests.serve.test_tools import TEXTS

anthropic_package = pytest.importorskip("anthropic")
HELLO = [{"role": "user", "content": "Hello"}]
TOOLS = [{"name": name, "input_schema": {"type": "object", "properties": {}}} for name in ("add", "mul")]


@pytest.fixture(scope="session")
def anthropic(server):
    with anthropic_package.Anthropic(base_url=server.url, api_key="none", max_retries=0) as client:
        yield client


def ask(client, model="echo", messages=HELLO, max_tokens=1000, extra=None, **settings):
    return client.messages.create(model=model, messages=messages, max_tokens=max_tokens, extra_body=extra, **settings)


def test_a_message(anthropic):
    found = ask(anthropic, system="Be kind.")
    assert found.type == "message" and found.role == "assistant" and found.stop_reason == "end_turn"
    assert [block.text for block in found.content] == ["Hello"]
    assert found.usage.output_tokens == 5 and found.usage.input_tokens > 10


def test_a_streamed_message(anthropic):
    with anthropic.messages.stream(model="echo", max_tokens=100, messages=HELLO) as stream:
        kinds = [event.type for event in stream]
        final = stream.get_final_message()
    assert final.content[0].text == "Hello" and final.stop_reason == "end_turn" and final.usage.output_tokens == 5
    wanted = ["message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop"]
    assert [kind for kind in dict.fromkeys(kinds) if kind in wanted] == wanted


def test_an_async_client(server):
    async def both():
        async with anthropic_package.AsyncAnthropic(base_url=server.url, api_key="x", max_retries=0) as client:
            whole = await client.messages.create(model="echo", max_tokens=9, messages=HELLO)
            async with client.messages.stream(model="echo", max_tokens=9, messages=HELLO) as stream:
                return whole.content[0].text, "".join([text async for text in stream.text_stream])

    assert asyncio.run(both()) == ("Hello", "Hello")


def test_settings_reach_the_sampler(anthropic, server):
    ask(anthropic, stop_sequences=["zz"], extra={"temperature": 0.25, "top_p": 0.5, "top_k": 4}, max_tokens=77)
    sampling = server.engine("echo").asked[-1][1]
    assert (sampling.temperature, sampling.top_p, sampling.top_k, sampling.max_tokens) == (0.25, 0.5, 4, 77)
    assert sampling.stop == ("zz",)


def test_why_it_ended(anthropic):
    assert ask(anthropic, max_tokens=3).stop_reason == "max_tokens"
    found = ask(anthropic, stop_sequences=["lo"])
    assert (found.stop_reason, found.stop_sequence, found.content[0].text) == ("stop_sequence", "lo", "Hel")
    full = ask(anthropic, model="tiny", extra={"temperature": 5.0, "top_k": 50})
    assert full.stop_reason in ("model_context_window_exceeded", "end_turn")


@pytest.mark.parametrize("stream", [False, True])
def test_tools(anthropic, stream):
    text, shown, calls = TEXTS["hermes"][0]
    settings = {"model": "echo-hermes", "max_tokens": 999, "messages": [{"role": "user", "content": text}], "tools": TOOLS}
    if stream:
        with anthropic.messages.stream(**settings) as events:
            found = events.get_final_message()
    else:
        found = anthropic.messages.create(**settings)
    assert found.stop_reason == "tool_use" and found.content[0].text == shown
    assert [(block.name, block.input) for block in found.content[1:]] == calls


@pytest.mark.parametrize("stream", [False, True])
def test_thinking(anthropic, stream):
    settings = {
        "model": "echo-think",
        "max_tokens": 999,
        "messages": [{"role": "user", "content": "Well</think>\n\nYes"}],
        "thinking": {"type": "enabled", "budget_tokens": 500},
    }
    if stream:
        with anthropic.messages.stream(**settings) as events:
            found = events.get_final_message()
    else:
        found = anthropic.messages.create(**settings)
    assert found.content[0].type == "thinking" and found.content[0].thinking == "Well"
    off = anthropic.messages.create(**{**settings, "thinking": {"type": "disabled"}})
    assert off.content[0].text == "Well</think>\n\nYes"
    hidden = anthropic.messages.create(**{**settings, "thinking": {"type": "adaptive", "display": "omitted"}})
    assert hidden.content[0].thinking == "" and hidden.content[1].text == "Yes"


def test_a_conversation_with_tools_reaches_the_template(anthropic, server):
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "go", "cache_control": {"type": "ephemeral"}}]},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "hm", "signature": ""},
            {"type": "text", "text": "calling"},
            {"type": "tool_use", "id": "t1", "name": "add", "input": {"a": 1}},
        ]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "2"}]},
            {"type": "text", "text": "and now?"},
        ]},
    ]  # fmt: skip
    ask(anthropic, messages=messages, tools=TOOLS, system=[{"type": "text", "text": "Be kind."}])
    text = server.engine("echo").asked[-1][0]
    assert "<turn>system:Be kind." in text and "calling\n<tool_call>" in text
    assert text.index("<tool_response>\n2\n") < text.index("<turn>user:and now?")


def test_counts(anthropic):
    counted = anthropic.messages.count_tokens(model="echo", messages=HELLO, system="Be kind.")
    assert counted.input_tokens == ask(anthropic, system="Be kind.").usage.input_tokens


def test_models(anthropic):
    assert "tiny" in [model.id for model in anthropic.models.list()]
    assert anthropic.models.retrieve("tiny").type == "model"


REFUSED = {
    "sampler": {"extra": {"mirostat": 1}},
    "edits": {"extra": {"context_management": {"edits": [{"type": "clear_tool_uses_20250919"}]}}},
    "container": {"container": "c"},
    "speed": {"speed": "fast"},
    "geo": {"inference_geo": "eu"},
    "image": {"messages": [{"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "x"}}]}]},
    "search": {
        "tools": [{"type": "web_search_20250305", "name": "web_search"}],
        "tool_choice": {"type": "tool", "name": "web_search"},
    },
    "tool choice": {"tools": TOOLS, "tool_choice": {"type": "tool", "name": "div"}},
    "no messages": {"messages": []},
    "thinking": {"thinking": {"type": "deep"}},
    "max_tokens": {"max_tokens": 0},
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_obeyed_is_refused(anthropic, name):
    with pytest.raises(anthropic_package.BadRequestError) as caught:
        ask(anthropic, **REFUSED[name])
    assert caught.value.body["type"] == "error" and caught.value.body["error"]["type"] == "invalid_request_error"


def test_errors_have_the_apis_shape(anthropic):
    with pytest.raises(anthropic_package.NotFoundError) as caught:
        ask(anthropic, model="nobody")
    assert caught.value.body["error"]["type"] == "not_found_error"
    with pytest.raises(anthropic_package.BadRequestError, match=f"room for {CONTEXT}"):
        ask(anthropic, model="tiny", messages=[{"role": "user", "content": "x" * 300}])
    with pytest.raises(anthropic_package.InternalServerError):
        ask(anthropic, messages=[{"role": "user", "content": "fail"}])
    with pytest.raises(anthropic_package.APIStatusError, match="internal error"):
        with anthropic.messages.stream(model="echo", max_tokens=9, messages=[{"role": "user", "content": "fail"}]) as stream:
            stream.get_final_message()
