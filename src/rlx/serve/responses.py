"""/v1/responses: OpenAI's newer form of conversations. Nothing is stored: each request has its full conversation."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.types import ASGIApp

from rlx.serve.answer import AnswerBlock, Answering, BlockStep, RowAnswer, in_blocks
from rlx.serve.conversation import ChatInput, arguments_of, functions_of, read_function, read_tool_choice, text_of
from rlx.serve.errors import ApiError
from rlx.serve.fields import FieldTable, RefusedField, check_names, ignore
from rlx.serve.generation_fields import (
    NO_IDS,
    SAMPLING_HARMLESS,
    SAMPLING_REFUSED,
    SAMPLING_RENAMED,
    SamplingFields,
    effort,
    grammar_of,
    limit_of,
    sampling_of,
)
from rlx.serve.openai_chat import MOST_LOGPROBS, StreamOptions, now, token_logprobs, usage
from rlx.serve.sse import EventStream, event
from rlx.serve.state import ServerState, as_json
from rlx.serve.tools import Tool
from rlx.serve.wanted import Wanted, of_chat

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


_LOGPROBS = "message.output_text.logprobs"
_INCLUDABLE = (_LOGPROBS, "reasoning.encrypted_content")  # the second: thoughts come in the open


class ResponsesRequest(SamplingFields, kw_only=True):
    """The fields that are obeyed."""

    input: str | list[dict[str, Any]]
    model: str | None = None
    instructions: str | None = None
    max_output_tokens: int | None = None
    top_logprobs: int | None = None
    include: list[str] | None = None
    text: dict[str, Any] | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    reasoning: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None


RESPONSES = FieldTable(
    ResponsesRequest,
    renamed=SAMPLING_RENAMED,
    harmless={
        **SAMPLING_HARMLESS,
        "user": "names the end user for abuse reports, which are not made here",
        "safety_identifier": "names the end user for abuse reports, which are not made here",
        "prompt_cache_key": "prefixes are found by content",
        "prompt_cache_options": "prefixes are found by content, and kept while there is memory",
        "prompt_cache_retention": "prefixes are kept while there is memory",
        "service_tier": "all requests are served alike",
        "max_tool_calls": "it counts calls that OpenAI's servers make",
        "image": "models here read no images",
        "client_metadata": "notes for the caller's own records; they do not change the answer",
    },
    named={
        "store": RefusedField("answers are not kept", (False,)),
        "truncation": RefusedField("a conversation is never cut", ("disabled",)),
    },
    refused={
        **SAMPLING_REFUSED,
        **NO_IDS,
        "background": RefusedField("an answer is given while the caller waits", (False,)),
        "conversation": RefusedField("conversations are not kept"),
        "previous_response_id": RefusedField("answers are not kept; send the conversation as input"),
        "context_management": RefusedField("a conversation is read as it is", ([],)),
        "prompt": RefusedField("prompts are not kept"),
        "moderation": RefusedField("answers are not moderated here"),
        "access_programs": RefusedField("there are no programs", ({"cyber": "standard"}, {})),
    },
)


def prepared(state: ServerState, asked: ResponsesRequest) -> Wanted:
    """What a request asks of an engine."""
    served = state.models.find(asked.model)
    engine = served.generator()
    for name in asked.include or ():
        if name not in _INCLUDABLE:
            ignore(f"include ({name})", "this server has no such thing")
    if asked.top_logprobs is not None and not 0 <= asked.top_logprobs <= MOST_LOGPROBS:
        raise ApiError(400, f"top_logprobs is {asked.top_logprobs}; it is from 0 to {MOST_LOGPROBS}", param="top_logprobs")
    text = asked.text or {}
    check_names(text, ("format", "verbosity"), "text.")
    if text.get("verbosity") not in (None, "medium"):
        ignore("text.verbosity", "models here have no such setting; say it in a message")
    if not isinstance(text.get("format"), (dict, type(None))):
        raise ApiError(400, "text.format is an object", param="text.format")
    sampling = sampling_of(
        served,
        asked,
        engine.chat_sampling,
        max_tokens=limit_of(asked.max_output_tokens),
        logprobs=True if _LOGPROBS in (asked.include or ()) else None,
        top_logprobs=asked.top_logprobs,
        grammar=grammar_of(text.get("format"), "text.format"),
    )
    tools = read_response_tools(asked.tools)
    use = read_tool_choice(tools, asked.tool_choice, asked.parallel_tool_calls)
    reasoning = asked.reasoning or {}
    check_names(reasoning, ("effort", "summary", "generate_summary", "context", "mode"), "reasoning.")
    thinking = effort(reasoning["effort"]) if isinstance(reasoning.get("effort"), str) else {}
    return of_chat(
        served, ChatInput(read_input(asked.instructions, asked.input), use, thinking), sampling, cache_salt=asked.cache_salt
    )


async def responses(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """The endpoint."""
    asked = RESPONSES.read(body)
    answering = await state.begin(request, lambda: prepared(state, asked))
    head = _head(asked, answering)
    if asked.stream:
        chunks = _events(answering, head)
        return EventStream(chunks, request.url.path, failed=_failed, done=lambda: state.ended(answering))
    await state.whole(request, answering)
    row = answering.rows[0]
    blocks = [AnswerBlock(0, "thought", text=row.thoughts)] if row.thoughts else []
    if row.text or not row.calls:
        blocks.append(AnswerBlock(0, "text", text=row.text))
    blocks += [AnswerBlock(0, "call", call, call.arguments) for call in row.calls]
    return as_json(_ended(head, answering, [_item(block, _number(block), row, answering) for block in blocks]))


def _head(asked: ResponsesRequest, answering: Answering) -> dict[str, Any]:
    """What is known before the answer."""
    sampling = answering.wanted.sampling
    return {
        "id": f"resp_{secrets.token_hex(12)}",
        "object": "response",
        "created_at": now(),
        "status": "in_progress",
        "model": asked.model or answering.wanted.served.name,
        "output": [],
        "error": None,
        "incomplete_details": None,
        "instructions": asked.instructions,
        "metadata": asked.metadata or {},
        "max_output_tokens": asked.max_output_tokens,
        "parallel_tool_calls": asked.parallel_tool_calls is not False,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "top_logprobs": sampling.top_logprobs,
        "text": asked.text or {"format": {"type": "text"}},
        "tools": asked.tools or [],
        "tool_choice": asked.tool_choice or "auto",
        "reasoning": {"effort": (asked.reasoning or {}).get("effort"), "summary": None},
        "store": False,
        "truncation": "disabled",
        "usage": None,
    }


def _ended(head: dict[str, Any], answering: Answering, output: list[dict[str, Any]]) -> dict[str, Any]:
    counts, cut = usage(answering), answering.rows[0].reason == "length"
    return {
        **head,
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "output": output,
        "usage": {
            "input_tokens": counts["prompt_tokens"],
            "input_tokens_details": {"cached_tokens": answering.cached_tokens, "cache_write_tokens": 0},
            "output_tokens": counts["completion_tokens"],
            "output_tokens_details": counts["completion_tokens_details"],
            "total_tokens": counts["total_tokens"],
        },
    }


def _number(block: AnswerBlock) -> str:
    prefix = {"thought": "rs", "text": "msg", "call": "fc"}[block.kind]
    return f"{prefix}_{secrets.token_hex(12)}"


def _part(block: AnswerBlock, row: RowAnswer, answering: Answering) -> dict[str, Any]:
    logprobs = token_logprobs(answering.wanted.served.model.tokenizer, row.logprobs)
    return {"type": "output_text", "text": block.text, "annotations": [], "logprobs": logprobs}


def _item(block: AnswerBlock, number: str, row: RowAnswer, answering: Answering, status: str = "completed") -> dict[str, Any]:
    """A block as an item of `output`."""
    if block.call is not None:
        begun = "" if status == "in_progress" else "{}"  # what clients add the pieces to
        call = {"call_id": block.call.id, "name": block.call.name, "arguments": block.text or begun}
        return {"id": number, "type": "function_call", "status": status, **call}
    if block.kind == "thought":
        content = [{"type": "reasoning_text", "text": block.text}]
        return {"id": number, "type": "reasoning", "summary": [], "content": content, "status": status}
    content = [] if status == "in_progress" else [_part(block, row, answering)]
    return {"id": number, "type": "message", "role": "assistant", "status": status, "content": content}


def _failed(body: dict[str, Any]) -> bytes:
    error = body["error"]
    data = {"type": "error", "code": error["code"], "message": error["message"], "param": error["param"]}
    return event({**data, "sequence_number": 0}, "error")


async def _events(answering: Answering, head: dict[str, Any]) -> AsyncIterator[bytes]:
    sequence, output, number = 0, [], ""

    def named(kind: str, **data: Any) -> bytes:
        nonlocal sequence
        sequence += 1
        return event({"type": kind, "sequence_number": sequence - 1, **data}, kind)

    yield named("response.created", response=head)
    yield named("response.in_progress", response=head)
    row = answering.rows[0]
    async for step in in_blocks(answering):
        if step.what == "begin":
            number = _number(step.block)
        place = {"output_index": step.block.index}
        if step.what == "begin":
            item = _item(step.block, number, row, answering, "in_progress")
            yield named("response.output_item.added", item=item, **place)
        for kind, data in _of_step(step, row, answering):
            yield named(kind, item_id=number, **place, **data)
        if step.what == "end":
            output.append(_item(step.block, number, row, answering))
            yield named("response.output_item.done", item=output[-1], **place)
    final = _ended(head, answering, output)
    yield named(f"response.{final['status']}", response=final)


def _of_step(step: BlockStep, row: RowAnswer, answering: Answering) -> list[tuple[str, dict[str, Any]]]:
    """The events of a block besides those of its item."""
    block, first = step.block, {"content_index": 0}
    match step.what, block.kind:
        case "begin", "text":
            return [("response.content_part.added", {**first, "part": {"type": "output_text", "text": "", "annotations": []}})]
        case "delta", "text":
            return [("response.output_text.delta", {**first, "delta": step.text, "logprobs": []})]
        case "end", "text":
            part = _part(block, row, answering)
            done = {**first, "text": block.text, "logprobs": part["logprobs"]}
            return [("response.output_text.done", done), ("response.content_part.done", {**first, "part": part})]
        case "delta", "thought":
            return [("response.reasoning_text.delta", {**first, "delta": step.text})]
        case "end", "thought":
            return [("response.reasoning_text.done", {**first, "text": block.text})]
        case "delta", "call":
            return [("response.function_call_arguments.delta", {"delta": step.text})]
        case "end", "call":
            assert block.call is not None
            done = {"arguments": block.text or "{}", "name": block.call.name}
            return [("response.function_call_arguments.done", done)]
    return []
