"""Anthropic's messages and tools as conversations: blocks of content become texts, calls and results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.serve.conversation import ToolUse, arguments_of, drop_tool
from rlx.serve.errors import ApiError
from rlx.serve.fields import check_names, demand_names
from rlx.serve.tools import Tool

MESSAGE_FIELDS = ("role", "content")
BLOCK_FIELDS = {
    "text": ("type", "text", "cache_control", "citations"),
    "thinking": ("type", "thinking", "signature"),
    "redacted_thinking": ("type", "data"),
    "tool_use": ("type", "id", "name", "input", "cache_control", "caller", "toolset_name"),
    "tool_result": ("type", "tool_use_id", "content", "is_error", "cache_control", "toolset_name"),
}
TOOL_FIELDS = {
    "name": "", "description": "", "input_schema": "", "type": "", "strict": "",
    "cache_control": "prefixes are found by content",
    "eager_input_streaming": "arguments stream as they come anyway",
    "input_examples": "templates have no place for them",
    "allowed_callers": "only the model itself calls",
    "defer_loading": "all tools are in the prompt",
}  # fmt: skip


def read_conversation(system: Any, messages: Sequence[Any]) -> list[dict[str, Any]]:
    """Messages as templates expect them."""
    found: list[dict[str, Any]] = []
    if system is not None:
        found.append({"role": "system", "content": _texts(system, "system")})
    if not messages:
        raise ApiError(400, "messages: at least one message is needed")
    for number, message in enumerate(messages):
        where = f"messages.{number}"
        if not isinstance(message, dict) or message.get("role") not in ("user", "assistant", "system"):
            raise ApiError(400, f"{where}.role: it is user, assistant or system")
        check_names(message, MESSAGE_FIELDS, f"{where}.")
        found += _messages(message["role"], message.get("content"), f"{where}.content")
    return found


def _messages(role: str, content: Any, where: str) -> list[dict[str, Any]]:
    """One message with blocks is several: results of tools come before what the user says."""
    if isinstance(content, str):
        return [{"role": role, "content": content}]
    if not isinstance(content, list):
        raise ApiError(400, f"{where}: it is a text or a list of blocks")
    texts, calls, thoughts, results = [], [], [], []
    for place, block in enumerate(content):
        here = f"{where}.{place}"
        kind = block.get("type") if isinstance(block, dict) else None
        if kind not in BLOCK_FIELDS:
            raise ApiError(400, f"{here}: the type {kind!r:.40} is not read; models here read only text")
        check_names(block, BLOCK_FIELDS[str(kind)], f"{here}.")
        match kind:
            case "text":
                texts.append(_text(block.get("text"), f"{here}.text"))
            case "thinking":
                thoughts.append(_text(block.get("thinking"), f"{here}.thinking"))
            case "tool_use":
                calls.append(_call(block, here))
            case "tool_result":
                results.append(_result(block, here))
    if calls and role != "assistant":
        raise ApiError(400, f"{where}: tool_use is in messages of the assistant")
    said: dict[str, Any] = {"role": role, "content": "\n".join(texts)}
    if thoughts:
        said["reasoning_content"] = "\n".join(thoughts)
    if calls:
        said["tool_calls"] = calls
    return [*results, *([said] if texts or calls or thoughts or not results else [])]


def _call(block: dict[str, Any], where: str) -> dict[str, Any]:
    if not isinstance(block.get("name"), str) or "input" not in block:
        raise ApiError(400, f"{where}: a tool_use has a name and an input")
    given = arguments_of(block["input"], where)
    return {"id": str(block.get("id", "")), "type": "function", "function": {"name": block["name"], "arguments": given}}


def _result(block: dict[str, Any], where: str) -> dict[str, Any]:
    text = _texts(block.get("content") or "", f"{where}.content")
    shown = f"error: {text}" if block.get("is_error") else text
    return {"role": "tool", "tool_call_id": str(block.get("tool_use_id", "")), "content": shown}


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise ApiError(400, f"{where}: it is a text")
    return value


def _texts(content: Any, where: str) -> str:
    """A text, or blocks of text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise ApiError(400, f"{where}: it is a text or a list of blocks")
    for place, block in enumerate(content):
        kind = block.get("type") if isinstance(block, dict) else None
        if kind != "text":
            raise ApiError(400, f"{where}.{place}: the type {kind!r:.40} is not read; models here read only text")
    return "\n".join(_text(block.get("text"), f"{where}.{place}.text") for place, block in enumerate(content))


def read_tool_use(tools: Sequence[Any] | None, choice: dict[str, Any] | None) -> ToolUse:
    """Anthropic's `tools` and `tool_choice`."""
    given_tools = ((tool, f"tools.{number}") for number, tool in enumerate(tools or ()))
    found = tuple(_tool(tool, where) for tool, where in given_tools if _is_function(tool, where))
    given = choice or {"type": "auto"}
    demand_names(given, ("type", "name", "disable_parallel_tool_use"), "tool_choice.")
    several = not given.get("disable_parallel_tool_use", False)
    match given.get("type"):
        case "auto":
            return ToolUse(found, False, several)
        case "none":
            return ToolUse()
        case "any":
            chosen = found
        case "tool":
            chosen, several = tuple(tool for tool in found if tool.name == given.get("name")), False
        case kind:
            raise ApiError(400, f"tool_choice.type: {kind!r:.40} is not auto, any, tool or none")
    if not chosen:
        raise ApiError(400, "tool_choice asks for a function that is not among the tools; other kinds of tools are left out")
    return ToolUse(chosen, True, several)


def _is_function(tool: Any, where: str) -> bool:
    """Whether it has a schema of its own. Tools that Anthropic's models know by their type alone are dropped by name."""
    if not isinstance(tool, dict):
        raise ApiError(400, f"{where}: it is {type(tool).__name__}, not an object")
    if tool.get("type") in (None, "custom"):
        return True
    drop_tool(tool["type"], where)
    return False


def _tool(tool: dict[str, Any], where: str) -> Tool:
    check_names(tool, tuple(TOOL_FIELDS), f"{where}.")
    schema = tool.get("input_schema")
    if not isinstance(tool.get("name"), str) or not tool["name"] or not isinstance(schema, dict):
        raise ApiError(400, f"{where}: a tool has a name and an input_schema")
    return Tool(tool["name"], str(tool.get("description") or ""), schema, tool.get("strict") is True)
