"""Prompts: the ids that requests come to are those of transformers, for templates in the style of each family, with tools and their results."""

from __future__ import annotations

import ast
import json
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from rlx.core.errors import RlxError
from rlx.formats.tokenizer import folder_tokenizer
from rlx.serve.conversation import ChatInput, read_messages, read_tool_choice, read_tools
from rlx.serve.tools import dialect_of

SPECIAL = [
    "<s>",
    "</s>",
    "<|im_start|>",
    "<|im_end|>",
    "<|eot|>",
    "<|head|>",
    "<|tail|>",
    "[INST]",
    "[/INST]",
    "[TOOL_CALLS]",
    "<turn>",
    "</turn>",
]
TEMPLATES = {
    "chatml": "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>' + '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}",
    "qwen": "{%- if tools %}{{- '<|im_start|>system\n' }}{%- if messages[0].role == 'system' %}{{- messages[0].content + '\n\n' }}{%- endif %}"
    "{{- '# Tools\n<tools>' }}{%- for tool in tools %}{{- '\n' }}{{- tool | tojson }}{%- endfor %}{{- '\n</tools><|im_end|>\n' }}"
    "{%- elif messages[0].role == 'system' %}{{- '<|im_start|>system\n' + messages[0].content + '<|im_end|>\n' }}{%- endif %}"
    "{%- for message in messages %}{%- if message.role == 'user' or (message.role == 'system' and not loop.first) or (message.role == 'assistant'"
    " and not message.tool_calls) %}{{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}"
    "{%- elif message.role == 'assistant' %}{{- '<|im_start|>assistant' }}{%- if message.content %}{{- '\n' + message.content }}{%- endif %}"
    "{%- for call in message.tool_calls %}{%- if call.function is defined %}{%- set call = call.function %}{%- endif %}"
    "{{- '\n<tool_call>\n{\"name\": \"' + call.name + '\", \"arguments\": ' + (call.arguments | tojson) + '}\n</tool_call>' }}{%- endfor %}"
    "{{- '<|im_end|>\n' }}{%- elif message.role == 'tool' %}{%- if loop.index0 == 0 or messages[loop.index0 - 1].role != 'tool' %}"
    "{{- '<|im_start|>user' }}{%- endif %}{{- '\n<tool_response>\n' + message.content + '\n</tool_response>' }}"
    "{%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{- '<|im_end|>\n' }}{%- endif %}{%- endif %}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}{%- endif %}",
    "thoughts by another name": "{% for m in messages %}<|head|>{{ m.role }}<|tail|>{% if m.thinking is defined %}[{{ m.thinking }}]{% endif %}"
    "{{ m.content }}<|eot|>{% endfor %}{% if add_generation_prompt %}<|head|>assistant{% endif %}",
    "thinking": "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.role == 'assistant' and m.reasoning_content is defined and loop.last %}"
    "<think>\n{{ m.reasoning_content.strip('\n') }}\n</think>\n\n{% endif %}{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n"
    "{% endif %}{% endif %}",
    "llama3": "{{- bos_token }}{%- if messages[0]['role'] == 'system' %}{%- set system = messages[0]['content'] | trim %}"
    "{%- set messages = messages[1:] %}{%- else %}{%- set system = '' %}{%- endif %}{{- '<|head|>system<|tail|>\n\n' }}"
    "{%- if tools is not none and tools is defined %}{{- 'Environment: ipython\n' }}{%- for t in tools %}{{- t | tojson(indent=4) }}{{- '\n\n' }}"
    "{%- endfor %}{%- endif %}{{- system }}{{- '<|eot|>' }}{%- for message in messages %}{%- if not (message.role == 'tool' or"
    " 'tool_calls' in message) %}{{- '<|head|>' + message['role'] + '<|tail|>\n\n' + message['content'] | trim + '<|eot|>' }}"
    "{%- elif 'tool_calls' in message %}{%- if message.tool_calls | length != 1 %}{{- raise_exception('one call at a time') }}{%- endif %}"
    "{%- set call = message.tool_calls[0].function %}{{- '<|head|>assistant<|tail|>\n\n{\"name\": \"' + call.name + '\", \"parameters\": ' }}"
    "{{- call.arguments | tojson }}{{- '}<|eot|>' }}{%- else %}{{- '<|head|>ipython<|tail|>\n\n' }}{{- message.content | tojson }}{{- '<|eot|>' }}"
    "{%- endif %}{%- endfor %}{%- if add_generation_prompt %}{{- '<|head|>assistant<|tail|>\n\n' }}{%- endif %}",
    "mistral": "{{ bos_token }}{%- for m in messages %}{%- if m.role == 'user' %}{%- if tools and loop.last %}{{ '[AVAILABLE]' + (tools | tojson) }}"
    "{%- endif %}{{ '[INST] ' + m.content + '[/INST]' }}{%- elif m.tool_calls is defined and m.tool_calls %}{{ '[TOOL_CALLS][' }}"
    "{%- for c in m.tool_calls %}{%- set out = c.function | tojson %}{{ out[:-1] }}{{ ', \"id\": \"' + c.id + '\"}' }}"
    "{%- if not loop.last %}{{ ', ' }}{%- endif %}{%- endfor %}{{ ']' + eos_token }}{%- elif m.role == 'assistant' %}"
    "{{ ' ' + m.content | trim + eos_token }}{%- elif m.role == 'tool' %}{{ '[RESULTS]' + m.content + '[/RESULTS]' }}"
    "{%- else %}{{ m.content + '\n\n' }}{%- endif %}{%- endfor %}",
    "gemma": "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system role') }}{% endif %}{% for message in messages %}"
    "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('roles must alternate') }}{% endif %}"
    "{% if message['role'] == 'assistant' %}{% set role = 'model' %}{% else %}{% set role = message['role'] %}{% endif %}"
    "{{ '<turn>' + role + '\n' + message['content'] | trim + '</turn>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<turn>model\n' }}{% endif %}",
    "phi": "{% for message in messages %}{% if message['role'] == 'system' and 'tools' in message %}{{ message['tools'] }}{% endif %}"
    "{{ '<|' + message['role'] + '|>' + message['content'] + '<|eot|>' }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}"
    "{% else %}{{ eos_token }}{% endif %}",
    "zephyr": "{% for message in messages %}\n{% if message['role'] == 'user' %}\n{{ '<|user|>\n' + message['content'] + eos_token }}\n"
    "{% elif message['role'] == 'system' %}\n{{ '<|system|>\n' + message['content'] + eos_token }}\n{% elif message['role'] == 'assistant' %}\n"
    "{{ '<|assistant|>\n'  + message['content'] + eos_token }}\n{% endif %}\n{% if loop.last and add_generation_prompt %}\n{{ '<|assistant|>' }}\n"
    "{% endif %}\n{% endfor %}",
    "alpaca": "{% for m in messages %}{% if m.role == 'system' %}{{ m.content ~ '\n\n' }}{% elif m.role == 'user' %}{{ '### Instruction:\n' ~ m.content ~"
    " '\n\n' }}{% else %}{{ '### Response:\n' ~ m.content ~ eos_token ~ '\n\n' }}{% endif %}{% endfor %}### Response:\n",
    "deepseek": "{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}{% set ns = namespace(is_tool=false, system='') %}"
    "{%- for m in messages %}{%- if m['role'] == 'system' %}{% set ns.system = ns.system + m['content'] %}{%- endif %}{%- endfor %}"
    "{{ bos_token }}{{ ns.system }}{%- for m in messages %}{%- if m['role'] == 'user' %}{%- set ns.is_tool = false -%}{{ '<|User|>' + m['content'] }}"
    "{%- endif %}{%- if m['role'] == 'assistant' and not m['tool_calls'] %}{% set content = m['content'] %}{% if '</think>' in content %}"
    "{% set content = content.split('</think>')[-1] %}{% endif %}{{ '<|Assistant|>' + content + eos_token }}{%- endif %}"
    "{%- if m['role'] == 'tool' %}{%- set ns.is_tool = true -%}{{ '<output>' + m['content'] + '</output>' }}{%- endif %}{%- endfor -%}"
    "{% if add_generation_prompt and not ns.is_tool %}{{ '<|Assistant|>' }}{% endif %}",
    "macros": "{%- macro turn(role, text) -%}<|im_start|>{{ role | upper }}: {{ text | replace('\n', ' ') }}<|im_end|>{%- endmacro -%}"
    "{%- if tools %}{{ turn('tools', tools | map(attribute='function') | map(attribute='name') | join(', ')) }}{% endif -%}"
    "{%- for m in messages | selectattr('role', 'ne', 'tool') %}{{ turn(m.role, m.content) }}{% endfor %}",
    "names": "{% for m in messages %}{{ loop.index }}/{{ loop.length }} {{ m.get('name', m.role) }}{% if m.tool_call_id is defined %}#{{ m.tool_call_id }}"
    "{% endif %}: {{ m.content }}{{ '' if loop.last else eos_token }}{% endfor %}",
}  # fmt: skip
TOOLS = [
    {"type": "function", "function": {"name": "weather", "description": "Weather in a <city> & more", "parameters": {
        "type": "object", "properties": {"city": {"type": "string", "enum": ["Köln", "Oslo"]}, "days": {"type": "integer"}}, "required": ["city"]}}},
    {"type": "function", "function": {"name": "clock", "description": "", "parameters": {"type": "object", "properties": {}}}},
]  # fmt: skip


def said(role, content, **more):
    return {"role": role, "content": content, **more}


def call(name, number="c1", **arguments):
    return {"id": number, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


USER, SYSTEM = said("user", "Hi  there\n"), said("system", " Be brief. ")
CONVERSATIONS = {
    "one": ([USER], None),
    "system": ([SYSTEM, USER], None),
    "turns": ([SYSTEM, USER, said("assistant", "Yo"), said("user", 'Why? <b> "quoted" é 漢字 🙂')], None),
    "many turns": ([part for n in range(6) for part in (said("user", f"q{n}"), said("assistant", f"a{n}"))] + [USER], None),
    "spaces": ([said("user", "   \n\n\tx  ")], None),
    "empty": ([said("user", "")], None),
    "parts": ([said("user", [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}])], None),
    "tools": ([SYSTEM, USER], TOOLS),
    "one tool": ([USER], TOOLS[1:]),
    "call": ([USER, said("assistant", "", tool_calls=[call("weather", city="Köln", days=2)]), said("tool", "12 °C", tool_call_id="c1")], TOOLS),
    "call with text": ([USER, said("assistant", "Let me look.", tool_calls=[call("clock")]), said("tool", '{"t": "noon"}', tool_call_id="c1")], TOOLS),
    "two calls": (
        [USER, said("assistant", "", tool_calls=[call("weather", city="Oslo"), call("clock", "c2")]),
         said("tool", "cold", tool_call_id="c1"), said("tool", "noon", tool_call_id="c2"), said("user", "thanks")], TOOLS),
    "after a call": (
        [SYSTEM, USER, said("assistant", "", tool_calls=[call("clock")]), said("tool", "noon", tool_call_id="c1"), said("assistant", "It is noon."),
         said("user", "And in Oslo?")], TOOLS),
    "thoughts": ([USER, said("assistant", "Yes.", reasoning_content="Hm.\n"), said("user", "Sure?")], None),
    "thoughts last": ([USER, said("assistant", "Yes.", reasoning_content="\nHm.\n")], None),
    "names": ([said("user", "Hi", name="Ann"), said("assistant", "Hi Ann"), said("user", "I'm Bob", name="Bob")], None),
    "code": ([said("user", "```python\nprint({'a': [1, 2]})\n```\n{{ not_a_variable }} {% raw %}")], None),
}  # fmt: skip


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """One tokenizer, of bytes and special tokens, as transformers and as we read it."""
    tokenizers = pytest.importorskip("tokenizers")
    transformers = pytest.importorskip("transformers")
    from tokenizers import decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    engine = tokenizers.Tokenizer(models.BPE({letter: number for number, letter in enumerate(letters)}, []))
    engine.pre_tokenizer, engine.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    engine.add_special_tokens(SPECIAL)
    folder = tmp_path_factory.mktemp("tokenizer")
    engine.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"bos_token": "<s>", "eos_token": "</s>"}))
    theirs = transformers.PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), bos_token="<s>", eos_token="</s>")
    return theirs, folder_tokenizer(folder)


def theirs_of(tokenizer, template, messages, tools, **variables):
    """Transformers': arguments of calls are objects there, and several parts are joined by the caller."""
    plain = json.loads(json.dumps(messages))
    for message in plain:
        if isinstance(message["content"], list):
            message["content"] = "\n".join(part["text"] for part in message["content"])
        for one in message.get("tool_calls", ()):
            one["function"]["arguments"] = json.loads(one["function"]["arguments"])
    found = tokenizer.apply_chat_template(
        plain, tools=tools, chat_template=template, add_generation_prompt=True, return_dict=False, **variables
    )
    return list(found)


@dataclass
class Compared:
    """How conversations of a template came out. `refused`: both say no."""

    equal: int = 0
    refused: int = 0
    ours: int = 0  # of tools, where the template knows none: they go into a system message of ours
    wrong: list[str] = field(default_factory=list)


def compared(both, template):
    """All conversations, ours beside transformers'."""
    theirs, ours = both
    tokenizer = replace(ours, chat_template=template)
    served = SimpleNamespace(
        model=SimpleNamespace(chat_template=template, tokenizer=tokenizer), dialect=dialect_of(template), context=10**6
    )
    found = Compared()
    for title, (messages, tools) in CONVERSATIONS.items():
        if not served.dialect[1] and (tools or any("tool_calls" in one or one["role"] == "tool" for one in messages)):
            found.ours += 1
            continue
        use = read_tool_choice(read_tools(tools), None, None)
        for variables in ({}, {"enable_thinking": False}):
            wanted = attempted(lambda: theirs_of(theirs, template, messages, tools, **variables))  # noqa: B023
            mine = attempted(lambda: ChatInput(read_messages(messages), use, variables).prompt(served))  # noqa: B023
            if wanted == mine is None:
                found.refused += 1
            elif wanted == mine:
                found.equal += 1
            else:
                texts = [None if ids is None else tokenizer.decode(ids, special=True) for ids in (wanted, mine)]
                found.wrong.append(f"{title} {variables}: {texts[0]!r} is wanted, {texts[1]!r} found")
    return found


def attempted(make):
    """What a template makes of a conversation; None where it refuses."""
    try:
        return make()
    except Exception:
        return None


@pytest.mark.parametrize("name", TEMPLATES)
def test_ids_are_those_of_transformers(both, name):
    found = compared(both, TEMPLATES[name])
    assert not found.wrong and found.equal >= 14, found.wrong


def test_what_a_template_refuses_is_refused_in_its_words(both):
    served = SimpleNamespace(
        model=SimpleNamespace(chat_template=TEMPLATES["gemma"], tokenizer=both[1]),
        context=10**6,
        dialect=dialect_of(TEMPLATES["gemma"]),
    )
    for messages, said in [([SYSTEM, USER], "no system role"), ([USER, USER], "roles must alternate")]:
        with pytest.raises(RlxError, match=f"RLX904.*{said}"):
            ChatInput(read_messages(messages)).prompt(served)


# -- templates of others, where there are any --------------------------------------------------------------------------
def template_texts(folders):
    """Distinct templates below folders: files, and texts in Python modules."""
    texts = {}
    for path in sorted(path for folder in folders for path in Path(folder).rglob("*")):
        if path.suffix in (".jinja", ".jinja2"):
            texts.setdefault(path.read_text(encoding="utf-8"), str(path))
        elif path.suffix == ".py" and "template" in path.name:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                text = node.value if isinstance(node, ast.Constant) else None
                if isinstance(text, str) and "{%" in text and "messages" in text:
                    texts.setdefault(text, f"{path}:{node.lineno}")
    return {name: text for text, name in texts.items()}


@pytest.mark.long
def test_ids_of_many_templates_are_those_of_transformers(both):
    """RLX_TEMPLATES: folders with chat templates, such as the unpacked packages trl and axolotl and the source of llama-cpp-python."""
    folders = os.environ.get("RLX_TEMPLATES")
    if not folders:
        pytest.skip("RLX_TEMPLATES names no folder with chat templates")
    total, names = Compared(), template_texts(folders.split(os.pathsep))
    for name, text in names.items():
        found = compared(both, text)
        total.equal, total.refused, total.ours = (total.equal + found.equal, total.refused + found.refused, total.ours + found.ours)
        total.wrong += [f"{name}: {wrong}" for wrong in found.wrong]
    print(f"{len(names)} templates: {total.equal} equal, {total.refused} refused by both, {total.ours} with tools of ours")
    assert not total.wrong, "\n".join(total.wrong)
    assert len(names) >= 100 and total.equal > 20 * len(names)


# -- variables of the template ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/tokenize", "/apply-template"])
def test_a_request_cannot_replace_what_the_server_sets(http, path):
    body = {"model": "echo", "messages": [{"role": "user", "content": "hi"}]}
    for name in ("messages", "tokenizer", "template", "tools", "add_generation_prompt", "bos_token", "raise_exception"):
        answer = http.post(path, json={**body, "chat_template_kwargs": {name: []}})
        assert answer.status_code == 400 and repr(name) in answer.json()["error"]["message"], answer.text
        assert answer.json()["error"]["param"] == f"chat_template_kwargs.{name}"
    assert http.post(path, json={**body, "chat_template_kwargs": {"enable_thinking": True}}).status_code == 200
