"""Conversations in requests: messages, tools, which tools may be called, and the prompt that the chat template renders."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlx.generate.template import chat_ids
from rlx.serve.errors import ApiError
from rlx.serve.fields import check_names, demand_names, ignore
from rlx.serve.models import ServedModel
from rlx.serve.tools import Tool, explain_tools

MESSAGE_FIELDS = (
    "role", "content", "name", "tool_calls", "tool_call_id", "refusal", "reasoning_content", "reasoning", "thinking",
    "audio", "function_call",
)  # fmt: skip
TOOL_FIELDS = ("name", "description", "parameters", "strict")
_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_TEXT_PARTS = ("text", "input_text", "output_text", "refusal")
_THOUGHT_PARTS = ("thinking", "reasoning", "redacted_thinking")
_THOUGHT_FIELDS = ("reasoning_content", "reasoning", "thinking")
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
"""Template variables that the server sets."""


@dataclass(frozen=True)
class ToolUse:
    """Which tools an answer may call. `required`: one of them must be; `several`: more than one call in an answer."""

    tools: tuple[Tool, ...] = ()
    required: bool = False
    several: bool = True


@dataclass(frozen=True)
class ChatInput:
    """A conversation to answer; `template` has variables for the model's template."""

    messages: list[dict[str, Any]]
    use: ToolUse = field(default_factory=ToolUse)
    template: dict[str, Any] = field(default_factory=dict)
    continues: bool = False  # the answer goes on with the last message

    def prompt(self, served: ServedModel, most: int | None = None) -> list[int]:
        """Renders and tokenizes the conversation; at most `most` tokens, by default the context."""
        _, knows_tools = served.dialect
        messages: Sequence[Mapping[str, Any]] = self.messages
        more = dict(self.template)
        template = served.model.chat_template
        if self.use.tools and knows_tools:
            more["tools"] = [tool.describe() for tool in self.use.tools]
        elif self.use.tools or (not knows_tools and any(_is_of_tools(message) for message in messages)):
            messages = explain_tools(messages, self.use.tools)
        if template is None or "developer" not in template:
            messages = [_as_system(message) for message in messages]
        more["most_tokens"] = served.context if most is None else most
        return chat_ids(served.model.tokenizer, template, messages, **more, continue_final_message=self.continues)

    def is_inside(self, begin: str, end: str) -> bool:
        """Returns whether the answer continues a thought: the last message opens one and does not close it."""
        return self.continues and begin in str(self.messages[-1]["content"]).rpartition(end)[2]


def read_template(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Checks `chat_template_kwargs`: variables for the model's template, besides those that the server sets."""
    variables = dict(given or {})
    for name in variables:
        if name in _OWN_VARIABLES:
            problem = f"chat_template_kwargs has {name!r}, which the server sets itself"
            raise ApiError(400, problem, param=f"chat_template_kwargs.{name}", code="unsupported_parameter")
    return variables


def continues(messages: Sequence[Mapping[str, Any]], asked: bool | None = None, generation_prompt: bool | None = None) -> bool:
    """Returns whether the answer continues the last message: if requested, and by default if the assistant wrote it.

    `asked` is `continue_final_message` and `generation_prompt` is `add_generation_prompt` of vLLM and llama.cpp: one may be true.
    """
    last = messages[-1]
    open_ = last["role"] == "assistant" and not last.get("tool_calls")
    if asked and generation_prompt:
        problem = "continue_final_message and add_generation_prompt exclude each other"
        raise ApiError(400, problem, param="continue_final_message")
    if asked and not open_:
        what = "calls tools" if last["role"] == "assistant" else f"is of the role {last['role']}"
        problem = f"continue_final_message: the last message {what}; only a text of the assistant can be continued"
        raise ApiError(400, problem, param="continue_final_message")
    if asked is not None:
        return asked
    return open_ and generation_prompt is None and bool(last["content"] or last.get("reasoning_content"))


def _is_of_tools(message: Mapping[str, Any]) -> bool:
    return message["role"] == "tool" or bool(message.get("tool_calls"))


def _as_system(message: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**message, "role": "system"} if message["role"] == "developer" else message


def read_messages(messages: Sequence[Any]) -> list[dict[str, Any]]:
    """Converts OpenAI's messages to what templates expect: content as one string, arguments of calls as objects."""
    if not messages:
        raise ApiError(400, "messages is empty; at least one message is required", param="messages")
    return [_read_message(number, message) for number, message in enumerate(messages)]


def _read_message(number: int, message: Any) -> dict[str, Any]:
    where = f"messages[{number}]"
    role = _read_role(message, where)
    content, thoughts = _split_thoughts(message.get("content"))
    converted: dict[str, Any] = {"role": "tool" if role == "function" else role}
    converted["content"] = text_of(content, f"{where}.content")
    calls = _read_calls(message, where)
    if calls:
        converted["tool_calls"] = calls
    elif message.get("content") is None and not message.get("refusal") and role != "assistant":
        raise ApiError(400, f"{where}.content is missing", param=f"{where}.content")
    for name in ("name", "tool_call_id", "refusal", *_THOUGHT_FIELDS):
        value = message.get(name)
        if value is not None and not isinstance(value, str):
            raise ApiError(400, f"{where}.{name} is not a string", param=f"{where}.{name}")
        if value is not None:
            converted[name] = value
    if "refusal" in converted:
        converted["content"] = converted["content"] or converted.pop("refusal")
    given = (converted.pop(name, None) for name in _THOUGHT_FIELDS)
    thoughts = next(filter(None, given), thoughts)
    return converted | ({"reasoning_content": thoughts} if thoughts else {})


def _read_role(message: Any, where: str) -> str:
    """Returns the role of a message, whose fields are checked."""
    if not isinstance(message, dict):
        raise ApiError(400, f"{where} is {type(message).__name__}, not an object", param=where)
    check_names(message, MESSAGE_FIELDS, f"{where}.")
    role = message.get("role")
    if role not in _ROLES:
        problem = f"{where}.role is {role!r:.40}; it must be one of {', '.join(_ROLES)}"
        raise ApiError(400, problem, param=f"{where}.role")
    if message.get("audio") is not None:
        problem = f"{where}.audio: this server reads only text"
        raise ApiError(400, problem, param=f"{where}.audio", code="unsupported_parameter")
    return str(role)


def _read_calls(message: dict[str, Any], where: str) -> list[dict[str, Any]]:
    """Reads the tool calls of a message; `function_call` is the older form of one."""
    calls = message.get("tool_calls")
    if message.get("function_call") is not None:
        calls = [*(calls or ()), {"function": message["function_call"]}]
    if not calls:
        return []
    if message["role"] != "assistant" or not isinstance(calls, list):
        problem = f"{where}.tool_calls must be a list, in a message of the assistant"
        raise ApiError(400, problem, param=f"{where}.tool_calls")
    return [_read_call(call, f"{where}.tool_calls[{index}]") for index, call in enumerate(calls)]


def _split_thoughts(content: Any) -> tuple[Any, str]:
    """Splits a message's content: the other parts, and the text of its thoughts (some libraries store them there)."""
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
    """Joins a message's content to one string; parts other than text are refused by their type."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        raise ApiError(400, f"{where} is {type(content).__name__}, not a text or a list of parts", param=where)
    texts = []
    for index, part in enumerate(content):
        here = f"{where}[{index}]"
        if isinstance(part, str):
            texts.append(part)
            continue
        kind = part.get("type") if isinstance(part, dict) else None
        if kind not in _TEXT_PARTS:
            problem = f"{here} has the type {kind!r:.40}: this server reads only text, not images, audio or files"
            raise ApiError(400, problem, param=here, code="unsupported_content")
        check_names(part, _PART_FIELDS, f"{here}.")
        text = part.get("refusal" if kind == "refusal" else "text")
        if not isinstance(text, str):
            raise ApiError(400, f"{here}.text is not a string", param=f"{here}.text")
        texts.append(text)
    return "\n".join(texts)


def _read_call(call: Any, where: str) -> dict[str, Any]:
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
    """Parses the arguments of a tool call to an object; requests have them as JSON.

    A model may write invalid JSON, which agents send back so that it sees its error: the object then contains the text.
    """
    if arguments is None or arguments == "":
        return {}
    try:
        value = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return value
    ignore(f"{where}.arguments (no JSON object)", "the model sees the arguments as text")
    return {"arguments": arguments if isinstance(arguments, str) else json.dumps(arguments)}


def functions_of(tools: Sequence[Any] | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields OpenAI's tools that are functions, with their position; others are dropped by name, as other servers run them."""
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
    """Drops a tool that is not a function: the model does not see it."""
    ignore(f"{where} ({kind if isinstance(kind, str) else type(kind).__name__})", "only functions are supported")


def read_tools(tools: Sequence[Any] | None) -> tuple[Tool, ...]:
    """Converts OpenAI's tools to `Tool`s."""
    functions = []
    for where, tool in functions_of(tools):
        check_names(tool, ("type", "function"), f"{where}.")
        functions.append(read_function(tool.get("function"), f"{where}.function"))
    names = [tool.name for tool in functions]
    for name in names:
        if names.count(name) > 1:
            raise ApiError(400, f"tools has two functions named {name!r}", param="tools")
    return tuple(functions)


def read_function(function: Any, where: str) -> Tool:
    """Converts OpenAI's description of a function to a `Tool`."""
    if not isinstance(function, dict) or not isinstance(function.get("name"), str) or not function["name"]:
        raise ApiError(400, f"{where} has no name", param=where)
    check_names(function, TOOL_FIELDS, f"{where}.")
    parameters = function.get("parameters")
    if parameters is not None and not isinstance(parameters, dict):
        raise ApiError(400, f"{where}.parameters is not a JSON schema", param=f"{where}.parameters")
    schema = parameters or {"type": "object", "properties": {}}
    return Tool(function["name"], str(function.get("description") or ""), schema, function.get("strict") is True)


def read_tool_choice(tools: tuple[Tool, ...], choice: Any, several: bool | None) -> ToolUse:
    """Reads OpenAI's `tool_choice` and `parallel_tool_calls`: which tools may be called."""
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
            chosen, many = _select_tools(tools, [name]), False
        case {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": list(allowed)}} | {
            "type": "allowed_tools", "mode": mode, "tools": list(allowed)
        }:  # fmt: skip
            chosen = _select_tools(tools, [_name_in(tool) for tool in allowed])
            if mode == "auto":
                return ToolUse(chosen, False, many)
        case _:
            problem = f"tool_choice is {choice!r:.60}; it must be 'auto', 'none', 'required' or name a function"
            raise ApiError(400, problem, param="tool_choice")
    if not chosen:
        raise ApiError(400, "tool_choice requires a tool, but tools has none", param="tool_choice")
    return ToolUse(chosen, True, many)


def _name_in(tool: Any) -> str:
    function = tool.get("function", tool) if isinstance(tool, dict) else {}
    return str(function.get("name") if isinstance(function, dict) else None)


def _select_tools(tools: tuple[Tool, ...], names: list[str]) -> tuple[Tool, ...]:
    for name in names:
        if name not in [tool.name for tool in tools]:
            raise ApiError(400, f"tool_choice names {name!r:.60}, which is not among the tools", param="tool_choice")
    return tuple(tool for tool in tools if tool.name in names)
