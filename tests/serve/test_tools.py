"""Tools: each dialect's texts become calls, in any pieces; and through the API, whole and streamed."""

from __future__ import annotations

import json
import random

import pytest

from rlx.generate.grammar import PART
from rlx.serve.tools import DIALECTS, CallArguments, CallBegin, GrammarWriter, TextPart, Tool, dialect_of

TEXTS = {
    "hermes": [
        (
            'Let me see.\n<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": "x}<"}}\n</tool_call>\n'
            '<tool_call>\n{"arguments": {"q": [1, {"z": 2}]}, "name": "mul"}\n</tool_call>\n',
            "Let me see.",
            [("add", {"a": 1, "b": "x}<"}), ("mul", {"q": [1, {"z": 2}]})],
        ),
        ("no <tool_call> nonsense </tool_call> here ", "no <tool_call> nonsense </tool_call> here ", []),
        ("a < b and <tool", "a < b and <tool", []),
        ('<tool_call>{"name": "f"}</tool_call>', "", [("f", {})]),
        ('<tool_call>{"name": "f", "arguments": "{\\"a\\": 1}"}</tool_call>', "", [("f", {"a": 1})]),
        ('<tool_call>{"name": 3, "arguments": {}}</tool_call>', '<tool_call>{"name": 3, "arguments": {}}</tool_call>', []),
        ('<tool_call>{"name": "f", "arguments": {"a": "\\"}"}}', "", [("f", {"a": '"}'})]),
    ],
    "llama3": [
        ('{"name": "add", "parameters": {"a": 1}}; {"name": "mul", "parameters": {}}', "", [("add", {"a": 1}), ("mul", {})]),
        ('<|python_tag|>{"name": "add", "parameters": {"a": 1}}', "", [("add", {"a": 1})]),
        ('{"x": 3}', '{"x": 3}', []),
        ('Hello {"name": "add"}', 'Hello {"name": "add"}', []),
        ("[1, 2]", "[1, 2]", []),
        ("<", "<", []),
    ],
    "mistral": [
        (
            '[TOOL_CALLS][{"name": "add", "arguments": {"a": 1}}, {"name": "mul", "arguments": {}}]',
            "",
            [("add", {"a": 1}), ("mul", {})],
        ),
        (
            'ok [TOOL_CALLS]add[ARGS]{"a": {"b": 1}}[TOOL_CALLS]mul[ARGS]{"c": "}"}',
            "ok",
            [("add", {"a": {"b": 1}}), ("mul", {"c": "}"})],
        ),
        ('[TOOL_CALLS] add{"a": 2}', "", [("add", {"a": 2})]),
        ("[TOOL_CALLS]what", "[TOOL_CALLS]what", []),
    ],
    "deepseek": [
        (
            "sure<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>add\n```json\n"
            '{"a": 1}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>mul<｜tool▁sep｜>{"b": 2}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
            "sure",
            [("add", {"a": 1}), ("mul", {"b": 2})],
        ),
        ("<｜tool▁call▁begin｜>x<｜tool▁call▁end｜>", "<｜tool▁call▁begin｜>x<｜tool▁call▁end｜>", []),
    ],
    "granite": [
        (
            '<|tool_call|>[{"name": "add", "arguments": {"a": 1}}, {"name": "mul", "arguments": {}}]<|/tool_call|>',
            "",
            [("add", {"a": 1}), ("mul", {})],
        )
    ],
    "pythonic": [
        (
            """[add(a=1, b='x}<', code="7"), mul(q=[1, {'z': None, "y": true}], r=-2.5), math.f()]""",
            "",
            [("add", {"a": 1, "b": "x}<", "code": "7"}), ("mul", {"q": [1, {"z": None, "y": True}], "r": -2.5}), ("math.f", {})],
        ),
        ("<|python_start|>[add('007', n=null)]<|python_end|>", "", [("add", {"code": "007", "n": None})]),
        ('[add(s="\\ud83d\\ude42 \\n")]\n', "", [("add", {"s": "🙂 \n"})]),
        ("[1, 2] and [add(a=1)]", "[1, 2] and [add(a=1)]", []),
        ("[add(a=1), 3]", "[add(a=1), 3]", []),
        ("[add(1, 2)]", "[add(1, 2)]", []),
        ("[add(a=open('x'))]", "[add(a=open('x'))]", []),
        ("[add(a=1e999)]", "[add(a=1e999)]", []),
        ("[add(**{'a': 1})]", "[add(**{'a': 1})]", []),
        ("[(lambda: 1)()]", "[(lambda: 1)()]", []),
        ("[add(a=" + "(" * 300 + "1", "[add(a=" + "(" * 300 + "1", []),
        ("[see](a link)", "[see](a link)", []),
        ("Hello [add(a=1)]", "Hello [add(a=1)]", []),
        ("<|py", "<|py", []),
    ],
    "pythonic-marked": [
        ("Sure.\n<|tool_call_start|>[add(a='x'), mul()]<|tool_call_end|>", "Sure.", [("add", {"a": "x"}), ("mul", {})]),
        ("<|tool_call_start|>what<|tool_call_end|>", "<|tool_call_start|>what<|tool_call_end|>", []),
    ],
    "harmony": [
        (
            "<|channel|>analysis<|message|>Hm < 3.<|end|><|start|>assistant<|channel|>commentary<|message|>Let me see.<|end|>"
            '<|start|>assistant<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a": "<|"}<|call|>',
            "Let me see.",
            [("add", {"a": "<|"})],
        ),
        (' to=functions.mul<|channel|>commentary json<|message|>{"b": 2}<|call|>', "", [("mul", {"b": 2})]),
        (
            "<|channel|>commentary to=functions.f<|message|>{}<|call|>"
            '<|start|>assistant to=functions.add<|channel|>commentary<|message|>{"a": 1}',
            "",
            [("f", {}), ("add", {"a": 1})],
        ),
        (
            "<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>It is 3.<|return|>",
            "It is 3.",
            [],
        ),
        ("<|channel|>final<|message|>2 <|3", "2 <|3", []),
        ("no marks at all <|", "no marks at all <|", []),
        ("together", "together", []),
        ("<|channel|>analysis", "", []),
    ],
    "glm": [
        (
            "hm <tool_call>add\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n<arg_key>code</arg_key>\n<arg_value>007</arg_value>\n"
            "</tool_call><tool_call>mul\n</tool_call>",
            "hm",
            [("add", {"a": 1, "code": "007"}), ("mul", {})],
        ),
        ("<tool_call>not a name</tool_call>", "<tool_call>not a name</tool_call>", []),
    ],
    "qwen-xml": [
        (
            "<tool_call><function=add><parameter=code>12</parameter><parameter=n>12</parameter></function></tool_call>",
            "",
            [("add", {"code": "12", "n": 12})],
        ),
        (
            "hm\n<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n<parameter=s>\nsome text\nmore\n</parameter>\n"
            "</function>\n</tool_call>",
            "hm",
            [("add", {"a": 1, "s": "some text\nmore"})],
        ),
    ],
}
ALL = [(name, *row) for name, rows in TEXTS.items() for row in rows]
PARSED = [Tool("add", "", {"type": "object", "properties": {"code": {"type": "string"}}})]
TOOLS = [
    {"type": "function", "function": {"name": name, "description": "", "parameters": {"type": "object", "properties": {}}}}
    for name in ("add", "mul", "f")
]
TOOLS[0]["function"]["parameters"]["properties"]["code"] = {"type": "string"}


@pytest.mark.parametrize(("name", "text", "shown", "calls"), ALL, ids=[f"{row[0]}-{row[1][:20]!a}" for row in ALL])
def test_a_dialect_in_any_pieces(name, text, shown, calls):
    dialect = next(one for one in DIALECTS if one.name == name)
    for trial in range(40):
        draw, parser, parts, place = random.Random(trial), dialect.parser(PARSED), [], 0
        while place < len(text):
            count = (len(text), 1)[trial] if trial < 2 else draw.randint(1, 9)
            parts += parser.feed(text[place : place + count])
            place += count
        parts += parser.finish()
        found: dict[int, list[str]] = {}
        for part in parts:
            if isinstance(part, CallBegin):
                found[part.index] = [part.name, ""]
            elif isinstance(part, CallArguments):
                found[part.index][1] += part.text
        assert "".join(part.text for part in parts if isinstance(part, TextPart)) == shown
        assert list(found) == list(range(len(calls))) and parser.calls == len(calls)
        assert [(one, json.loads(arguments)) for one, arguments in found.values()] == calls


def test_arguments_stream_before_the_call_is_whole():
    parser = next(one for one in DIALECTS if one.name == "hermes").parser(())
    parts = parser.feed('<tool_call>{"name": "add", "arguments": {"text": "once upon')
    assert parts == [CallBegin(0, "add"), CallArguments(0, '{"text": "once upon')]


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("stream", [False, True])
def test_calls_through_the_api(openai, name, stream):
    text, shown, calls = TEXTS[name][0]
    model, messages = f"echo-{name}", [{"role": "user", "content": text}]
    made = openai.chat.completions.create(model=model, messages=messages, tools=TOOLS, stream=stream)
    if stream:
        found: dict[int, list[str]] = {}
        ids, content, reason = set(), "", None
        for chunk in made:
            for choice in chunk.choices:
                content += choice.delta.content or ""
                reason = choice.finish_reason or reason
                for call in choice.delta.tool_calls or ():
                    one = found.setdefault(call.index, ["", ""])
                    one[0] += call.function.name or ""
                    one[1] += call.function.arguments or ""
                    ids |= {call.id} - {None}
        got, count = [(one, json.loads(arguments)) for one, arguments in found.values()], len(ids)
    else:
        message, reason = made.choices[0].message, made.choices[0].finish_reason
        content, count = message.content or "", len({call.id for call in message.tool_calls})
        got = [(call.function.name, json.loads(call.function.arguments)) for call in message.tool_calls]
    assert got == calls and content == shown and reason == "tool_calls" and count == len(calls)


@pytest.mark.parametrize("tools", [None, TOOLS])
@pytest.mark.parametrize("stream", [False, True])
def test_messages_with_headers_are_told_apart_with_tools_and_without(openai, tools, stream):
    text = "<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>It is 3.<|return|>"
    messages = [{"role": "user", "content": text}]
    more = {} if tools is None else {"tools": tools}
    made = openai.chat.completions.create(model="echo-harmony", messages=messages, stream=stream, **more)
    parts = [chunk.choices[0].delta for chunk in made if chunk.choices] if stream else [made.choices[0].message]
    assert "".join(part.content or "" for part in parts) == "It is 3."
    assert "".join(getattr(part, "reasoning_content", None) or "" for part in parts) == "Easy."


def test_without_tools_marks_are_text(openai):
    text = TEXTS["hermes"][0][0]
    for more in ({}, {"tools": TOOLS, "tool_choice": "none"}):
        made = openai.chat.completions.create(model="echo-hermes", messages=[{"role": "user", "content": text}], **more)
        assert made.choices[0].message.content == text and made.choices[0].message.tool_calls is None


def test_one_call_where_only_one_is_allowed(openai):
    messages = [{"role": "user", "content": TEXTS["hermes"][0][0]}]
    made = openai.chat.completions.create(model="echo-hermes", messages=messages, tools=TOOLS, parallel_tool_calls=False)
    assert [call.function.name for call in made.choices[0].message.tool_calls] == ["add"]


def test_a_conversation_with_results_reaches_the_template(openai, server):
    call = {"id": "call_1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "2"},
    ]
    openai.chat.completions.create(model="echo-hermes", messages=messages, tools=TOOLS)
    assert '"name": "add"' in server.engine("echo-hermes").asked[-1][0]
    openai.chat.completions.create(model="echo", messages=messages, tools=TOOLS)
    text = server.engine("echo").asked[-1][0]  # its template knows no tools: Hermes' form
    assert '<tools>\n{"type": "function"' in text and "<tool_response>\n2\n</tool_response>" in text
    assert '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>' in text


@pytest.mark.parametrize(
    ("template", "name", "knows"),
    [
        (None, "hermes", False),
        ("{{ messages }}<tool_call>", "hermes", False),
        ("{{ tools }}", "hermes", True),
        ("{{ tools }}[TOOL_CALLS][ARGS]", "mistral-named", True),
        ("{{ tools }}<|python_tag|>", "llama3", True),
        ("{{ tools }}<tool_call><function=", "qwen-xml", True),
    ],
)
def test_a_template_tells_its_dialect(template, name, knows):
    dialect, described = dialect_of(template)
    assert (dialect.name, described) == (name, knows)


def test_a_schema_is_closed_where_it_does_not_say_otherwise():
    assert Tool("f", "", {"type": "object", "properties": {"a": {}}}).closed_schema["additionalProperties"] is False
    for parameters in ({"type": "object"}, {"properties": {}, "additionalProperties": True}, {"properties": {}, "anyOf": []}):
        assert Tool("f", "", parameters).closed_schema == parameters


SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "s": {"type": "string"}, "k": {"enum": ["x", "y"]}},
    "required": ["a"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda one: one.name)
@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("special", [False, True])
def test_the_grammar_of_a_dialect_is_one(dialect, several, special):
    matcher = pytest.importorskip("llguidance").LLMatcher
    tools = [Tool("add", "", SCHEMA), Tool("f", "", {"type": "object", "properties": {}})]
    write = GrammarWriter(lambda mark: "<[7]>" if special else json.dumps(mark))
    grammar = write.grammar(f"start: calls\n{dialect.grammar(tools, several, write)}")
    text = grammar.text
    for number, part in enumerate(grammar.parts):
        text = text.replace(PART.format(number), f"%json {part.text}")
    assert not matcher.validate_grammar(matcher.grammar_from_lark(text), None)
