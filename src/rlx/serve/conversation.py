"""Conversations as requests give them: messages, tools, which of them may be called; and the prompt that a template makes of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlx.generate.template import chat_ids
from rlx.serve.errors import ApiError
from rlx.serve.fields import check_names, demand_names, ignore
from rlx.serve.models import ServedModel
from rlx.serve.tools import Tool, explained

MESSAGE_FIELDS = (
    "role", "content", "name", "tool_calls", "tool_call_id", "refusal", "reasoning_content", "reasoning", "thinking",
    "audio", "function_call",
)  # fmt: skip
TOOL_FIELDS = ("name", "description", "parameters", "strict")
_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_TEXT_PARTS = ("text", "input_text", "output_text", "refusal")
_THOUGHT_PARTS = ("thinking", "reasoning", "redacted_thinking")
_PART_FIELDS = ("type", "text", "refusal", "prompt_cache_breakpoint", "cache_control", "annotations", "logprobs")
_CALL_FIELDS = ("id", "type", "function", "custom", "index")
_OWN_VARIABLES = (
    *(
        "messages",
        "tools",
        "tokenizer",
        "template",
        "chat_template",
        "add_generation_prompt",
        "continue_final_message",
        "most_tokens",
    ),
    *("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"),
    *("range", "namespace", "raise_exception", "strftime_now"),
)
"""What a template reads that the server sets."""


@dataclass(frozen=True)
class ToolUse:
    """Which tools may be called. `required`: one of them must be; `several`: more than one call in an answer."""

    tools: tuple[Tool, ...] = ()
    required: bool = False
    several: bool = True


@dataclass(frozen=True)
class ChatInput:
    """A conversation to be answered; `template` has variables for the model's template."""

    messages: list[dict[str, Any]]
    use: ToolUse = field(default_factory=ToolUse)
    template: dict[str, Any] = field(default_factory=dict)
    continues: bool = False  # the answer goes on with the last message

    def prompt(self, served: ServedModel, most: int | None = None) -> list[int]:
        """The tokens, ready for the answer; no more than `most`, by default the context."""
        if len(self.messages) > served.context:  # each has at least a token
            problem = f"the conversation has {len(self.messages)} messages, the context has room for {served.context} tokens"
            raise ApiError(400, problem, param="messages", code="context_length_exceeded")
        _, knows_tools = served.dialect
        messages: Sequence[Mapping[str, Any]] = self.messages
        more = dict(self.template)
        template = served.model.chat_template
        if self.use.tools and knows_tools:
            more["tools"] = [tool.described() for tool in self.use.tools]
        elif self.use.tools or (not knows_tools and any(_is_of_tools(message) for message in messages)):
            messages = explained(messages, self.use.tools)
        if template is None or "developer" not in template:
            messages = [_as_system(message) for message in messages]
        more["most_tokens"] = served.context if most is None else most
        return chat_ids(served.model.tokenizer, template, messages, **more, continue_final_message=self.continues)

    def is_inside(self, begin: str, end: str) -> bool:
        """Whether the answer goes on with a thought: the last message opens one and does not close it."""
        return self.continues and begin in str(self.messages[-1]["content"]).rpartition(end)[2]


def read_template(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """`chat_template_kwargs`: variables for the model's template, beside those that the server sets."""
    found = dict(given or {})
    for name in found:
        if name in _OWN_VARIABLES:
            problem = f"chat_template_kwargs has {name!r}, which the server sets itself"
            raise ApiError(400, problem, param=f"chat_template_kwargs.{name}", code="unsupported_parameter")
    return found


def continues(messages: Sequence[Mapping[str, Any]], asked: bool | None = None, generation_prompt: bool | None = None) -> bool:
    """Whether the answer goes on with the last message: where it is asked for, and by default where that is the assistant's.

    `asked` is `continue_final_message` and `generation_prompt` is `add_generation_prompt` of vLLM and llama.cpp: one may be true.
    """
    last = messages[-1]
    open_ = last["role"] == "assistant" and not last.get("tool_calls")
    if asked and generation_prompt:
        problem = "continue_final_message and add_generation_prompt exclude each other"
        raise ApiError(400, problem, param="continue_final_message")
    if asked and not open_:
        what = "calls tools" if last["role"] == "assistant" else f"is of the role {last['role']}"
        problem = f"continue_final_message: the last message {what}; a text of the assistant can be continued"
        raise ApiError(400, problem, param="continue_final_message")
    if asked is not None:
        return asked
    return open_ and generation_prompt is None and bool(last["content"] or last.get("reasoning_content"))


def _is_of_tools(message: Mapping[str, Any]) -> bool:
    return message["role"] == "tool" or bool(message.get("tool_calls"))


def _as_system(message: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**message, "role": "system"} if message["role"] == "developer" else message


def read_messages(messages: Sequence[Any]) -> list[dict[str, Any]]:
    """OpenAI's messages, checked, as templates expect them: texts as one text, arguments of calls as objects."""
    if not messages:
        raise ApiError(400, "messages is empty; a conversation needs at least one", param="messages")
    return [_message(number, message) for number, message in enumerate(messages)]


def _message(number: int, message: Any) -> dict[str, Any]:
    where = f"messages[{number}]"
    if not isinstance(message, dict):
        raise ApiError(400, f"{where} is {type(message).__name__}, not an object", param=where)
    check_names(message, MESSAGE_FIELDS, f"{where}.")
    role = message.get("role")
    if role not in _ROLES:
        problem = f"{where}.role is {role!r:.40}; it is one of {', '.join(_ROLES)}"
        raise ApiError(400, problem, param=f"{where}.role")
    if message.get("audio") is not None:
        problem = f"{where}.audio: models here read only text"
        raise ApiError(400, problem, param=f"{where}.audio", code="unsupported_parameter")
    content, thoughts = _told_apart(message.get("content"))
    found: dict[str, Any] = {"role": "tool" if role == "function" else role}
    found["content"] = text_of(content, f"{where}.content")
    calls = message.get("tool_calls")
    if message.get("function_call") is not None:  # the older form of one call
        calls = [*(calls or ()), {"function": message["function_call"]}]
    if calls:
        if role != "assistant" or not isinstance(calls, list):
            raise ApiError(400, f"{where}.tool_calls is a list of an assistant's message", param=f"{where}.tool_calls")
        found["tool_calls"] = [_call(call, f"{where}.tool_calls[{place}]") for place, call in enumerate(calls)]
    elif message.get("content") is None and not message.get("refusal") and role != "assistant":
        raise ApiError(400, f"{where}.content is missing", param=f"{where}.content")
    for name in ("name", "tool_call_id", "refusal", "reasoning_content", "reasoning", "thinking"):
        value = message.get(name)
        if value is not None and not isinstance(value, str):
            raise ApiError(400, f"{where}.{name} is no text", param=f"{where}.{name}")
        if value is not None:
            found[name] = value
    if "refusal" in found:
        found["content"] = found["content"] or found.pop("refusal")
    given = (found.pop(name, None) for name in ("reasoning_content", "reasoning", "thinking"))
    thoughts = next(filter(None, given), thoughts)
    return found | ({"reasoning_content": thoughts} if thoughts else {})


def _told_apart(content: Any) -> tuple[Any, str]:
    """Parts that are thoughts, as some libraries keep them in the content, apart from the others."""
    if not isinstance(content, list):
        return content, ""
    thoughts, rest = [], []
    for part in content:
        if isinstance(part, dict) and part.get("type") in _THOUGHT_PARTS:
            texts = [part.get(name) for name in ("thinking", "text", "reasoning")]
            thoughts += [text for text in texts if isinstance(text, str)]
        else:
            rest.append(part)
    return rest, "\n".join(thoughts)


def text_of(content: Any, where: str) -> str:
    """A content as one text; parts other than text are refused by what they are."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        raise ApiError(400, f"{where} is {type(content).__name__}, not a text or a list of parts", param=where)
    texts = []
    for place, part in enumerate(content):
        here = f"{where}[{place}]"
        if isinstance(part, str):
            texts.append(part)
            continue
        kind = part.get("type") if isinstance(part, dict) else None
        if kind not in _TEXT_PARTS:
            problem = f"{here} has the type {kind!r:.40}: models here read only text, no images, audio or files"
            raise ApiError(400, problem, param=here, code="unsupported_content")
        check_names(part, _PART_FIELDS, f"{here}.")
        text = part.get("refusal" if kind == "refusal" else "text")
        if not isinstance(text, str):
            raise ApiError(400, f"{here}.text is no text", param=f"{here}.text")
        texts.append(text)
    return "\n".join(texts)


def _call(call: Any, where: str) -> dict[str, Any]:
    if not isinstance(call, dict):
        raise ApiError(400, f"{where} is {type(call).__name__}, not an object", param=where)
    check_names(call, _CALL_FIELDS, f"{where}.")
    function, custom = call.get("function"), call.get("custom")
    if function is None and isinstance(custom, dict):  # a tool that takes a text
        function = {"name": custom.get("name"), "arguments": {"input": custom.get("input")}}
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise ApiError(400, f"{where} has no function with a name", param=where)
    return {
        "id": str(call.get("id") or ""),
        "type": "function",
        "function": {"name": function["name"], "arguments": arguments_of(function.get("arguments"), where)},
    }


def arguments_of(arguments: Any, where: str) -> dict[str, Any]:
    """The arguments of a call as an object: they come as its JSON.

    Models sometimes write none, and agents send that back so that the model may see its error: then it is the text of an object.
    """
    if arguments is None or arguments == "":
        return {}
    try:
        found = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        return found
    ignore(f"{where}.arguments (no JSON object)", "the model is shown them as a text")
    return {"arguments": arguments if isinstance(arguments, str) else json.dumps(arguments)}


def functions_of(tools: Sequence[Any] | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """OpenAI's tools and their places, which are functions; others are dropped by name, as they are run elsewhere."""
    for number, tool in enumerate(tools or ()):
        where = f"tools[{number}]"
        if not isinstance(tool, dict):
            raise ApiError(400, f"{where} is {type(tool).__name__}, not an object", param=where)
        kind = tool.get("type", "function")
        if kind == "function":
            yield where, tool
        else:
            drop_tool(kind, where)


def drop_tool(kind: Any, where: str) -> None:
    """A tool that is no function: the model is not told of it."""
    ignore(f"{where} ({kind if isinstance(kind, str) else type(kind).__name__})", "only functions can be called here")


def read_tools(tools: Sequence[Any] | None) -> tuple[Tool, ...]:
    """OpenAI's tools: functions."""
    found = []
    for where, tool in functions_of(tools):
        check_names(tool, ("type", "function"), f"{where}.")
        found.append(read_function(tool.get("function"), f"{where}.function"))
    names = [tool.name for tool in found]
    for name in names:
        if names.count(name) > 1:
            raise ApiError(400, f"tools has the name {name!r} twice", param="tools")
    return tuple(found)


def read_function(function: Any, where: str) -> Tool:
    """The description of one function."""
    if not isinstance(function, dict) or not isinstance(function.get("name"), str) or not function["name"]:
        raise ApiError(400, f"{where} has no name", param=where)
    check_names(function, TOOL_FIELDS, f"{where}.")
    parameters = function.get("parameters")
    if parameters is not None and not isinstance(parameters, dict):
        raise ApiError(400, f"{where}.parameters is no JSON schema", param=f"{where}.parameters")
    schema = parameters or {"type": "object", "properties": {}}
    return Tool(function["name"], str(function.get("description") or ""), schema, function.get("strict") is True)


def read_tool_choice(tools: tuple[Tool, ...], choice: Any, several: bool | None) -> ToolUse:
    """OpenAI's `tool_choice` and `parallel_tool_calls`: what may be called of the tools there are."""
    many = several is not False
    if isinstance(choice, dict):
        demand_names(choice, ("type", "function", "name", "allowed_tools", "mode", "tools"), "tool_choice.")
    match choice:
        case None | "auto":
            return ToolUse(tools, False, many)
        case "none":
            return ToolUse()
        case "required":
            chosen = tools
        case {"type": "function", "function": {"name": str(name)}} | {"type": "function", "name": str(name)}:
            chosen, many = _named(tools, [name]), False
        case {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": list(allowed)}} | {
            "type": "allowed_tools", "mode": mode, "tools": list(allowed)
        }:  # fmt: skip
            chosen = _named(tools, [_name_in(tool) for tool in allowed])
            if mode == "auto":
                return ToolUse(chosen, False, many)
        case _:
            problem = f"tool_choice is {choice!r:.60}; it is 'auto', 'none', 'required' or names a function"
            raise ApiError(400, problem, param="tool_choice")
    if not chosen:
        raise ApiError(400, "tool_choice asks for a tool, and there are no tools", param="tool_choice")
    return ToolUse(chosen, True, many)


def _name_in(tool: Any) -> str:
    found = tool.get("function", tool) if isinstance(tool, dict) else {}
    return str(found.get("name") if isinstance(found, dict) else None)


def _named(tools: tuple[Tool, ...], names: list[str]) -> tuple[Tool, ...]:
    for name in names:
        if name not in [tool.name for tool in tools]:
            raise ApiError(400, f"tool_choice names {name!r:.60}, which is not among the tools", param="tool_choice")
    return tuple(tool for tool in tools if tool.name in names)
