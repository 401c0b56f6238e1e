"""The input of OpenAI's responses as a conversation: items become messages, calls and results."""

from __future__ import annotations

from typing import Any

from rlx.serve.conversation import arguments_of, functions_of, read_function, text_of
from rlx.serve.errors import ApiError
from rlx.serve.fields import check_names, ignore
from rlx.serve.tools import Tool

ITEM_FIELDS = {
    "message": ("type", "role", "content", "id", "status", "phase"),
    "function_call": ("type", "call_id", "name", "arguments", "id", "status", "caller", "namespace", "async"),
    "function_call_output": ("type", "call_id", "output", "id", "status", "caller", "name", "namespace"),
    "reasoning": ("type", "id", "summary", "content", "encrypted_content", "status"),
    "custom_tool_call": ("type", "call_id", "name", "input", "id", "status", "caller", "namespace"),
    "custom_tool_call_output": ("type", "call_id", "output", "id", "status", "caller", "name", "namespace"),
}
FOREIGN_ITEMS = (
    *("item_reference", "compaction", "compaction_trigger", "additional_tools", "program", "program_output"),
    *("web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "computer_call"),
    *("computer_call_output", "local_shell_call", "local_shell_call_output", "shell_call", "shell_call_output"),
    *("apply_patch_call", "apply_patch_call_output", "mcp_call", "mcp_list_tools", "mcp_approval_request"),
    *("mcp_approval_response", "tool_search_call", "tool_search_output"),
)
"""Items that only the server reads which made them."""
TOOL_FIELDS = {
    "type": "", "name": "", "description": "", "parameters": "",
    "strict": "arguments follow the schema where a call is required",
    "allowed_callers": "only the model itself calls", "defer_loading": "all tools are in the prompt",
    "output_schema": "results are read as they are", "async": "calls are the caller's to make",
}  # fmt: skip


def read_input(instructions: str | None, given: str | list[Any]) -> list[dict[str, Any]]:
    """Messages as templates expect them; calls that follow one another are one message."""
    found: list[dict[str, Any]] = [] if instructions is None else [{"role": "system", "content": instructions}]
    if isinstance(given, str):
        return [*found, {"role": "user", "content": given}]
    thoughts: str | None = None
    for number, item in enumerate(given):
        where = f"input[{number}]"
        kind = item.get("type", "message") if isinstance(item, dict) else None
        if kind in FOREIGN_ITEMS:
            ignore(f"{where} ({kind})", "what other servers did or keep cannot be read here")
            continue
        if kind not in ITEM_FIELDS:
            raise ApiError(400, f"{where} has the type {kind!r:.40}, which is not read here", param=where)
        check_names(item, ITEM_FIELDS[str(kind)], f"{where}.")
        match kind:
            case "message":
                message = _message(item, where)
            case "function_call" | "custom_tool_call":
                message = {"role": "assistant", "content": "", "tool_calls": [_call(item, where)]}
                if found and found[-1].get("tool_calls"):
                    found[-1]["tool_calls"] += message["tool_calls"]
                    continue
            case "function_call_output" | "custom_tool_call_output":
                output = text_of(item.get("output"), f"{where}.output")
                message = {"role": "tool", "tool_call_id": str(item.get("call_id", "")), "content": output}
            case _:
                thoughts = _thoughts(item) or thoughts
                continue
        if thoughts and message["role"] == "assistant":
            message["reasoning_content"], thoughts = thoughts, None
        found.append(message)
    if not found:
        raise ApiError(400, "input is empty", param="input")
    return found


def _message(item: dict[str, Any], where: str) -> dict[str, Any]:
    role = item.get("role")
    if role not in ("user", "assistant", "system", "developer"):
        raise ApiError(400, f"{where}.role is {role!r:.40}; it is user, assistant, system or developer", param=where)
    if item.get("content") is None:
        raise ApiError(400, f"{where}.content is missing", param=f"{where}.content")
    return {"role": role, "content": text_of(item["content"], f"{where}.content")}


def _call(item: dict[str, Any], where: str) -> dict[str, Any]:
    if not isinstance(item.get("name"), str):
        raise ApiError(400, f"{where} has no name", param=where)
    custom = item["type"] == "custom_tool_call"  # takes a text
    given = {"input": item.get("input")} if custom else arguments_of(item.get("arguments"), where)
    function = {"name": item["name"], "arguments": given}
    return {"id": str(item.get("call_id", "")), "type": "function", "function": function}


def _thoughts(item: dict[str, Any]) -> str:
    parts = item.get("content") or []
    texts = [part.get("text", "") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return "\n".join(text for text in texts if isinstance(text, str))


def read_response_tools(tools: list[Any] | None) -> tuple[Tool, ...]:
    """Functions, whose fields lie beside their type."""
    found = []
    for where, tool in functions_of(tools):
        check_names(tool, tuple(TOOL_FIELDS), f"{where}.")
        known = {name: tool[name] for name in ("name", "description", "parameters", "strict") if tool.get(name) is not None}
        found.append(read_function(known, where))
    return tuple(found)
