"""/v1/messages and /v1/messages/count_tokens: Anthropic's conversations."""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from typing import Any

from starlette.requests import Request
from starlette.types import ASGIApp

from rlx.serve.answer import AnswerBlock, Answering, BlockStep, RowAnswer, in_blocks
from rlx.serve.conversation import ChatInput, ToolUse, arguments_of, continues, drop_tool
from rlx.serve.engine_request import EngineRequest, of_chat
from rlx.serve.errors import ApiError
from rlx.serve.fields import RefusedField, check_names, demand_names
from rlx.serve.generation_fields import (
    NO_IDS,
    SamplingFields,
    Thinking,
    effort,
    grammar_of,
    sampling_of,
    sampling_table,
    thinking_of,
)
from rlx.serve.sse import event
from rlx.serve.state import ServerState, as_json
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
    "cache_control": "the prefix cache matches by content",
    "eager_input_streaming": "arguments are always streamed",
    "input_examples": "chat templates do not use them",
    "allowed_callers": "only the model calls tools",
    "defer_loading": "all tools are in the prompt",
}  # fmt: skip


def read_conversation(system: Any, messages: Sequence[Any]) -> list[dict[str, Any]]:
    """Converts Anthropic's messages and blocks to the conversation that templates expect."""
    conversation: list[dict[str, Any]] = []
    if system is not None:
        conversation.append({"role": "system", "content": _read_strings(system, "system")})
    if not messages:
        raise ApiError(400, "messages is empty; at least one message is required")
    for number, message in enumerate(messages):
        where = f"messages.{number}"
        if not isinstance(message, dict) or message.get("role") not in ("user", "assistant", "system"):
            raise ApiError(400, f"{where}.role must be user, assistant or system")
        check_names(message, MESSAGE_FIELDS, f"{where}.")
        conversation += _messages(message["role"], message.get("content"), f"{where}.content")
    return conversation


def _read_kind(block: Any, where: str) -> str:
    """Returns the type of a message's block, whose fields are checked."""
    kind = block.get("type") if isinstance(block, dict) else None
    if kind not in BLOCK_FIELDS:
        raise ApiError(400, f"{where}: the type {kind!r:.40} is not supported; this server reads only text")
    check_names(block, BLOCK_FIELDS[str(kind)], f"{where}.")
    return str(kind)


def _messages(role: str, content: Any, where: str) -> list[dict[str, Any]]:
    """Converts the blocks of a message, possibly to several messages: tool results come before the user's text."""
    if isinstance(content, str):
        return [{"role": role, "content": content}]
    if not isinstance(content, list):
        raise ApiError(400, f"{where} must be a string or a list of blocks")
    parts: dict[str, list[Any]] = defaultdict(list)
    for index, block in enumerate(content):
        here = f"{where}.{index}"
        kind = _read_kind(block, here)
        if kind in ("text", "thinking"):
            parts[kind].append(_read_string(block.get(kind), f"{here}.{kind}"))
        elif kind in _READERS:
            parts[kind].append(_READERS[kind](block, here))
    texts, thoughts, calls, results = (parts[kind] for kind in ("text", "thinking", "tool_use", "tool_result"))
    if calls and role != "assistant":
        raise ApiError(400, f"{where}: only messages of the assistant may have tool_use")
    said: dict[str, Any] = {"role": role, "content": "\n".join(texts)}
    if thoughts:
        said["reasoning_content"] = "\n".join(thoughts)
    if calls:
        said["tool_calls"] = calls
    return [*results, *([said] if texts or calls or thoughts or not results else [])]


def _read_call(block: dict[str, Any], where: str) -> dict[str, Any]:
    if not isinstance(block.get("name"), str) or "input" not in block:
        raise ApiError(400, f"{where}: a tool_use must have a name and an input")
    given = arguments_of(block["input"], where)
    return {"id": str(block.get("id", "")), "type": "function", "function": {"name": block["name"], "arguments": given}}


def _result(block: dict[str, Any], where: str) -> dict[str, Any]:
    text = _read_strings(block.get("content") or "", f"{where}.content")
    shown = f"error: {text}" if block.get("is_error") else text
    return {"role": "tool", "tool_call_id": str(block.get("tool_use_id", "")), "content": shown}


_READERS = {"tool_use": _read_call, "tool_result": _result}


def _read_string(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise ApiError(400, f"{where} must be a string")
    return value


def _read_strings(content: Any, where: str) -> str:
    """Reads a string, or the text of blocks."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise ApiError(400, f"{where} must be a string or a list of blocks")
    for index, block in enumerate(content):
        kind = block.get("type") if isinstance(block, dict) else None
        if kind != "text":
            raise ApiError(400, f"{where}.{index}: the type {kind!r:.40} is not supported; this server reads only text")
    return "\n".join(_read_string(block.get("text"), f"{where}.{index}.text") for index, block in enumerate(content))


def read_tool_use(tools: Sequence[Any] | None, choice: dict[str, Any] | None) -> ToolUse:
    """Reads Anthropic's `tools` and `tool_choice`."""
    given_tools = ((tool, f"tools.{number}") for number, tool in enumerate(tools or ()))
    functions = tuple(_tool(tool, where) for tool, where in given_tools if _is_function(tool, where))
    given = choice or {"type": "auto"}
    demand_names(given, ("type", "name", "disable_parallel_tool_use"), "tool_choice.")
    several = not given.get("disable_parallel_tool_use", False)
    match given.get("type"):
        case "auto":
            return ToolUse(functions, False, several)
        case "none":
            return ToolUse()
        case "any":
            chosen = functions
        case "tool":
            chosen, several = tuple(tool for tool in functions if tool.name == given.get("name")), False
        case kind:
            raise ApiError(400, f"tool_choice.type: {kind!r:.40} is not auto, any, tool or none")
    if not chosen:
        raise ApiError(400, "tool_choice requires a function that tools does not have; other kinds of tools are left out")
    return ToolUse(chosen, True, several)


def _is_function(tool: Any, where: str) -> bool:
    """Returns whether a tool has a schema. Tools that Anthropic's models know by their type alone are dropped by name."""
    if not isinstance(tool, dict):
        raise ApiError(400, f"{where} is {type(tool).__name__}, not an object")
    if tool.get("type") in (None, "custom"):
        return True
    drop_tool(tool["type"], where)
    return False


def _tool(tool: dict[str, Any], where: str) -> Tool:
    check_names(tool, tuple(TOOL_FIELDS), f"{where}.")
    schema = tool.get("input_schema")
    if not isinstance(tool.get("name"), str) or not tool["name"] or not isinstance(schema, dict):
        raise ApiError(400, f"{where}: a tool must have a name and an input_schema")
    return Tool(tool["name"], str(tool.get("description") or ""), schema, tool.get("strict") is True)


class CountRequest(SamplingFields, kw_only=True):
    """Fields of /v1/messages/count_tokens: the conversation, and sampling, which does not change the count."""

    messages: list[Any]
    model: str | None = None
    system: str | list[dict[str, Any]] | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: dict[str, Any] | None = None
    thinking: dict[str, Any] | None = None
    output_config: dict[str, Any] | None = None
    context_management: dict[str, Any] | None = None


class MessagesRequest(CountRequest, kw_only=True):
    """Fields of /v1/messages."""

    max_tokens: int
    stop_sequences: list[str] | None = None
    stream: bool | None = None


_HARMLESS = {
    "cache_control": "the prefix cache matches by content",
    "metadata": "names the end user for abuse reports, which this server does not make",
    "service_tier": "all requests have the same service level",
    "user_profile_id": "this server has no profiles",
    "workspace_id": "this server has no workspaces",
}
_REFUSED = {
    **NO_IDS,
    "container": RefusedField("this server does not run code"),
    "diagnostics": RefusedField("messages are not stored, so they cannot be compared", ({},)),
    "inference_geo": RefusedField("the location cannot be chosen"),
    "speed": RefusedField("the speed cannot be chosen", ("standard",)),
    "mcp_servers": RefusedField("this server does not call other servers", ([],)),
}
MESSAGES = sampling_table(MessagesRequest, harmless=_HARMLESS, refused=_REFUSED)
COUNT_TOKENS = sampling_table(CountRequest, harmless=_HARMLESS, refused=_REFUSED)


def _chat(asked: CountRequest) -> tuple[ChatInput, Thinking]:
    """Reads the conversation, and how to think. Thinking is off by default."""
    thinking = thinking_of(asked.thinking or {"type": "disabled"})
    template, given = thinking.template, asked.output_config or {}
    check_names(given, ("effort", "format"), "output_config.")
    if isinstance(given.get("effort"), str):
        template = {**effort(given["effort"]), **template}
    if not isinstance(given.get("format"), (dict, type(None))):
        raise ApiError(400, "output_config.format must be an object")
    _check_edits(asked.context_management or {})
    use = read_tool_use(asked.tools, asked.tool_choice)
    messages = read_conversation(asked.system, asked.messages)
    return ChatInput(messages, use, template, continues(messages)), thinking


def _check_edits(given: dict[str, Any]) -> None:
    """Checks `context_management`: only edits that do not change the prompt are accepted; templates themselves omit earlier thoughts."""
    demand_names(given, ("edits",), "context_management.")
    edits = given.get("edits") or []
    for number, edit in enumerate(edits if isinstance(edits, list) else [edits]):
        kind = edit.get("type") if isinstance(edit, dict) else edit
        if not str(kind).startswith("clear_thinking"):
            problem = f"context_management.edits.{number}: {kind!r:.60}; conversations are not edited"
            raise ApiError(400, problem, code="unsupported_parameter")


def build_message_request(state: ServerState, asked: MessagesRequest) -> EngineRequest:
    """Builds the engine request of an Anthropic conversation."""
    served = state.models.find(asked.model)
    engine = served.generator()
    if asked.max_tokens < 1:
        raise ApiError(400, f"max_tokens: {asked.max_tokens} is below 1")
    chat, thinking = _chat(asked)
    form = grammar_of((asked.output_config or {}).get("format"), "output_config.format")
    stops = None if asked.stop_sequences is None else tuple(asked.stop_sequences)
    sampling = sampling_of(served, asked, engine.chat_sampling, grammar=form, stop=stops)
    return of_chat(served, chat, sampling, budget=thinking.budget, cache_salt=asked.cache_salt)


async def count_tokens(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /v1/messages/count_tokens: the number of tokens of a conversation."""
    asked = COUNT_TOKENS.read(body)
    served = state.models.find(asked.model)
    count = await state.read(request, lambda: len(_chat(asked)[0].prompt(served, served.count_limit)))
    return as_json({"input_tokens": count})


async def messages(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """Answers /v1/messages, Anthropic's endpoint for conversations."""
    asked = MESSAGES.read(body)
    answering = await state.begin(request, lambda: build_message_request(state, asked))
    number = f"msg_{secrets.token_hex(12)}"
    name = asked.model or answering.request.served.name
    omitted = (asked.thinking or {}).get("display") == "omitted"
    if asked.stream:
        chunks = _events(answering, _message(number, name, answering, []), omitted)
        return state.stream(request, chunks, answering, failed=lambda error: event(error, "error"))
    await state.read_all(request, answering)
    row = answering.rows[0]
    content: list[dict[str, Any]] = []
    if row.thoughts:
        content.append({"type": "thinking", "thinking": "" if omitted else row.thoughts, "signature": ""})
    if row.text:
        content.append({"type": "text", "text": row.text})
    content += [{"type": "tool_use", "id": call.id, "name": call.name, "input": _object(call.arguments)} for call in row.calls]
    return as_json({**_message(number, name, answering, content), **_ending(row)})


def _object(arguments: str) -> Any:
    try:
        return json.loads(arguments or "{}")
    except ValueError:  # cut off by max_tokens
        return {}


def _message(number: str, name: str, answering: Answering, content: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": number,
        "type": "message",
        "role": "assistant",
        "model": name,
        "content": content,
        "stop_reason": None,
        "stop_sequence": None,
        "usage": _usage(answering),
    }


def _usage(answering: Answering) -> dict[str, Any]:
    """Anthropic's token counts of an answer; cached tokens are counted separately."""
    cached = answering.cached_tokens
    return {
        "input_tokens": answering.prompt_tokens - cached,
        "cache_read_input_tokens": cached,
        "cache_creation_input_tokens": 0,
        "output_tokens": sum(len(row.ids) for row in answering.rows),
    }


def _ending(row: RowAnswer) -> dict[str, Any]:
    """Anthropic's `stop_reason` of an answer."""
    reason = "max_tokens"
    if row.finish == "context":
        reason = "model_context_window_exceeded"
    elif row.finish == "stop":
        reason = "tool_use" if row.calls else "end_turn" if row.stop is None else "stop_sequence"
    return {"stop_reason": reason, "stop_sequence": row.stop if reason == "stop_sequence" else None}


async def _events(answering: Answering, message: dict[str, Any], omitted: bool) -> AsyncIterator[bytes]:
    yield event({"type": "message_start", "message": message}, "message_start")
    yield event({"type": "ping"}, "ping")
    async for step in in_blocks(answering):
        for kind, data in _of_step(step, omitted):
            yield event({"type": kind, "index": step.block.index, **data}, kind)
    ending = {"type": "message_delta", "delta": _ending(answering.rows[0]), "usage": _usage(answering)}
    yield event(ending, "message_delta")
    yield event({"type": "message_stop"}, "message_stop")


def _of_step(step: BlockStep, omitted: bool) -> list[tuple[str, dict[str, Any]]]:
    block = step.block
    match step.what, block.kind:
        case "begin", _:
            return [("content_block_start", {"content_block": _empty(block)})]
        case "end", "thought":
            signature = {"delta": {"type": "signature_delta", "signature": ""}}
            return [("content_block_delta", signature), ("content_block_stop", {})]
        case "end", _:
            return [("content_block_stop", {})]
        case _, "text":
            delta = {"type": "text_delta", "text": step.text}
        case _, "thought":
            delta = {"type": "thinking_delta", "thinking": step.text}
            if omitted:
                return []
        case _:
            delta = {"type": "input_json_delta", "partial_json": step.text}
    return [("content_block_delta", {"delta": delta})]


def _empty(block: AnswerBlock) -> dict[str, Any]:
    if block.call is not None:
        return {"type": "tool_use", "id": block.call.id, "name": block.call.name, "input": {}}
    return {"type": "text", "text": ""} if block.kind == "text" else {"type": "thinking", "thinking": "", "signature": ""}
