"""A conversation that ends with the assistant's words goes on with them: the turn stays open, whatever template closes it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from rlx.core.errors import RlxError
from rlx.generate.template import CHATML, chat_ids
from rlx.serve.conversation import ChatInput, continues, read_messages
from rlx.serve.errors import ApiError
from rlx.serve.tools import dialect_of
from tests.generate.tiny import byte_tokenizer
from tests.serve.serving import PLAIN
from tests.serve.test_prompts import TEMPLATES, both  # noqa: F401

USER, BEGUN = {"role": "user", "content": "Count."}, {"role": "assistant", "content": "one, two, "}
OPEN = "<turn>user:Count.<end><turn>assistant:one, two, "
ENDPOINTS = {"/v1/chat/completions": {}, "/v1/messages": {"max_tokens": 20}, "/api/chat": {"stream": False}}


@pytest.mark.parametrize("path", ENDPOINTS)
def test_an_answer_goes_on_with_the_last_message(http, server, path):
    answer = http.post(path, json={"model": "echo", "messages": [USER, BEGUN], **ENDPOINTS[path]})
    assert answer.status_code == 200 and server.engine("echo").asked[-1][0] == OPEN


def test_counted_and_shown_prompts_are_those_that_run(http):
    body = {"model": "echo", "messages": [USER, BEGUN]}
    assert http.post("/apply-template", json=body).json()["prompt"] == OPEN
    ids = http.post("/tokenize", json=body).json()["tokens"]
    assert http.post("/detokenize", json={"tokens": ids}).json()["content"] == OPEN
    assert http.post("/v1/messages/count_tokens", json=body).json()["input_tokens"] == len(ids)


CLOSED = OPEN + "<end><turn>assistant:"
FLAGS = {
    "by itself": ({}, OPEN),
    "asked for": ({"continue_final_message": True}, OPEN),
    "asked for, as with vLLM": ({"continue_final_message": True, "add_generation_prompt": False}, OPEN),
    "not wanted": ({"continue_final_message": False}, CLOSED),
    "a new turn is wanted": ({"add_generation_prompt": True}, CLOSED),
}


@pytest.mark.parametrize("name", FLAGS)
def test_flags(http, name):
    flags, wanted = FLAGS[name]
    body = {"model": "echo", "messages": [USER, BEGUN], **flags}
    assert http.post("/apply-template", json=body).json()["prompt"] == wanted


CALL = {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}
REFUSED = {
    "both": ({"continue_final_message": True, "add_generation_prompt": True}, "exclude each other"),
    "a user": ({"messages": [USER], "continue_final_message": True}, "of the role user"),
    "a call": ({"messages": [USER, CALL], "continue_final_message": True}, "calls tools"),
    "a schema": ({"response_format": {"type": "json_object"}}, "cannot be constrained"),
    "a tool": ({"tools": [{"type": "function", "function": {"name": "f"}}], "tool_choice": "required"}, "cannot be constrained"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_continued_is_refused(http, name):
    more, said = REFUSED[name]
    answer = http.post("/v1/chat/completions", json={"model": "echo", "messages": [USER, BEGUN], **more})
    assert answer.status_code == 400 and said in answer.json()["error"]["message"]


def test_an_empty_message_or_a_call_begins_a_new_turn(http, server):
    for last in ({"role": "assistant", "content": ""}, CALL):
        http.post("/v1/chat/completions", json={"model": "echo", "messages": [USER, last]})
        assert server.engine("echo").asked[-1][0].endswith("<end><turn>assistant:")


def test_thoughts_that_were_begun_go_on(http, server):
    for said, kind in [("<think>Well", "reasoning_content"), ("<think>Well</think>So", "content"), ("So", "content")]:
        messages = [{"role": "user", "content": "more"}, {"role": "assistant", "content": said}]
        answer = http.post("/v1/chat/completions", json={"model": "echo-think", "messages": messages}).json()
        assert answer["choices"][0]["message"][kind] == "more"


@pytest.mark.parametrize("name", sorted({*TEMPLATES} - {"macros", "names"}))
def test_a_turn_is_left_open_as_transformers_leaves_it(both, name):  # noqa: F811
    """Transformers finds the last content in the rendered text; the content here is one that no template changes."""
    theirs, ours = both
    messages = [USER, {"role": "assistant", "content": "one, two,"}]
    wanted = theirs.apply_chat_template(messages, chat_template=TEMPLATES[name], continue_final_message=True, return_dict=False)
    served = SimpleNamespace(
        model=SimpleNamespace(chat_template=TEMPLATES[name], tokenizer=ours), dialect=dialect_of(TEMPLATES[name]), context=4096
    )
    read = read_messages(messages)
    assert ChatInput(read, continues=continues(read)).prompt(served) == list(wanted)


def test_a_template_that_prints_no_last_message_is_refused_by_name():
    for template in ("{{ messages[0].content }}", "{{ messages[-1].content }}" * 2, "{{ messages[-1].content | length }}"):
        with pytest.raises(RlxError, match=r"RLX904.*cannot be continued"):
            chat_ids(byte_tokenizer(), template, [USER, BEGUN], continue_final_message=True)


def test_no_text_of_a_user_ends_the_turn_early():
    tokenizer = byte_tokenizer()
    messages = [{"role": "user", "content": "a\uf8feb"}, {"role": "assistant", "content": "c\uf8fed "}]
    ids = chat_ids(tokenizer, PLAIN, messages, continue_final_message=True)
    assert tokenizer.decode(ids, special=True) == "<turn>user:ab<end><turn>assistant:cd "


def test_without_a_template():
    tokenizer = byte_tokenizer()
    text = tokenizer.decode(chat_ids(tokenizer, None, [USER, BEGUN], continue_final_message=True))
    assert CHATML.count("<|im_end|>") == 1 and text.endswith("<|im_start|>assistant\none, two, ")


def test_flags_exclude_each_other():
    with pytest.raises(ApiError, match="exclude"):
        continues([USER, BEGUN], True, True)
