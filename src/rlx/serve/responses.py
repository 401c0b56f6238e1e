"""/v1/responses: OpenAI's newer form of conversations. Nothing is stored: each request has its full conversation."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.types import ASGIApp

from rlx.serve.answer import AnswerBlock, Answering, BlockStep, RowAnswer, in_blocks
from rlx.serve.conversation import ChatInput, arguments_of, functions_of, read_function, read_tool_choice, text_of
from rlx.serve.engine_request import EngineRequest, of_chat
from rlx.serve.errors import ApiError
from rlx.serve.fields import RefusedField, check_names, ignore
from rlx.serve.generation_fields import NO_IDS, SamplingFields, effort, grammar_of, limit_of, sampling_of, sampling_table
from rlx.serve.openai_chat import StreamOptions, check_logprobs, now, token_logprobs, usage
from rlx.serve.sse import event
from rlx.serve.state import ServerState, as_json
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
"""Items that only the server that made them can read."""
TOOL_FIELDS = {
    "type": "", "name": "", "description": "", "parameters": "",
    "strict": "arguments follow the schema where a call is required",
    "allowed_callers": "only the model calls tools", "defer_loading": "all tools are in the prompt",
    "output_schema": "results are passed through unchanged", "async": "the caller runs all calls",
}  # fmt: skip


def _read_kind(item: Any, where: str) -> str | None:
    """Returns the type of an input item, whose fields are checked; None for one that only another server can read."""
    kind = item.get("type", "message") if isinstance(item, dict) else None
    if kind in FOREIGN_ITEMS:
        ignore(f"{where} ({kind})", "this server cannot read what other servers did or stored")
        return None
    if kind not in ITEM_FIELDS:
        raise ApiError(400, f"{where} has the type {kind!r:.40}, which this server does not read", param=where)
    check_names(item, ITEM_FIELDS[str(kind)], f"{where}.")
    return str(kind)


def read_input(instructions: str | None, given: str | list[Any]) -> list[dict[str, Any]]:
    """Converts the input of /v1/responses to the conversation that templates expect; consecutive calls are one message."""
    conversation: list[dict[str, Any]] = [] if instructions is None else [{"role": "system", "content": instructions}]
    if isinstance(given, str):
        return [*conversation, {"role": "user", "content": given}]
    thoughts: str | None = None
    for number, item in enumerate(given):
        where = f"input[{number}]"
        match _read_kind(item, where):
            case None:
                continue
            case "message":
                message = _message(item, where)
            case "function_call" | "custom_tool_call":
                message = {"role": "assistant", "content": "", "tool_calls": [_read_call(item, where)]}
                if conversation and conversation[-1].get("tool_calls"):
                    conversation[-1]["tool_calls"] += message["tool_calls"]
                    continue
            case "function_call_output" | "custom_tool_call_output":
                output = text_of(item.get("output"), f"{where}.output")
                message = {"role": "tool", "tool_call_id": str(item.get("call_id", "")), "content": output}
            case _:
                thoughts = _thoughts(item) or thoughts
                continue
        if thoughts and message["role"] == "assistant":
            message["reasoning_content"], thoughts = thoughts, None
        conversation.append(message)
    if not conversation:
        raise ApiError(400, "input is empty", param="input")
    return conversation


def _message(item: dict[str, Any], where: str) -> dict[str, Any]:
    role = item.get("role")
    if role not in ("user", "assistant", "system", "developer"):
        raise ApiError(400, f"{where}.role is {role!r:.40}; it must be user, assistant, system or developer", param=where)
    if item.get("content") is None:
        raise ApiError(400, f"{where}.content is missing", param=f"{where}.content")
    return {"role": role, "content": text_of(item["content"], f"{where}.content")}


def _read_call(item: dict[str, Any], where: str) -> dict[str, Any]:
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
    """Converts the tools of /v1/responses, whose fields are at the top level."""
    functions = []
    for where, tool in functions_of(tools):
        check_names(tool, tuple(TOOL_FIELDS), f"{where}.")
        known = {name: tool[name] for name in ("name", "description", "parameters", "strict") if tool.get(name) is not None}
        functions.append(read_function(known, where))
    return tuple(functions)


_LOGPROBS = "message.output_text.logprobs"
_INCLUDABLE = (_LOGPROBS, "reasoning.encrypted_content")  # the second: thoughts come in the open


class ResponsesRequest(SamplingFields, kw_only=True):
    """Fields of /v1/responses."""

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


RESPONSES = sampling_table(
    ResponsesRequest,
    harmless={
        "user": "names the end user for abuse reports, which this server does not make",
        "safety_identifier": "names the end user for abuse reports, which this server does not make",
        "prompt_cache_key": "the prefix cache matches by content",
        "prompt_cache_options": "the prefix cache matches by content and keeps entries while memory allows",
        "prompt_cache_retention": "the prefix cache keeps entries while memory allows",
        "service_tier": "all requests have the same service level",
        "max_tool_calls": "it limits calls that OpenAI's servers make",
        "image": "this server does not read images",
        "client_metadata": "metadata for the caller's own records; it does not change the answer",
    },
    named={
        "store": RefusedField("answers are not stored", (False,)),
        "truncation": RefusedField("conversations are never truncated", ("disabled",)),
    },
    refused={
        **NO_IDS,
        "background": RefusedField("answers are not computed in the background", (False,)),
        "conversation": RefusedField("conversations are not stored"),
        "previous_response_id": RefusedField("answers are not stored; send the conversation as input"),
        "context_management": RefusedField("conversations are not edited", ([],)),
        "prompt": RefusedField("prompts are not stored"),
        "moderation": RefusedField("this server does not moderate answers"),
        "access_programs": RefusedField("access programs are not supported", ({"cyber": "standard"}, {})),
    },
)


def build_response_request(state: ServerState, asked: ResponsesRequest) -> EngineRequest:
    """Builds the engine request of /v1/responses."""
    served = state.models.find(asked.model)
    engine = served.generator()
    for name in asked.include or ():
        if name not in _INCLUDABLE:
            ignore(f"include ({name})", "this server does not support it")
    check_logprobs("top_logprobs", asked.top_logprobs)
    text = asked.text or {}
    check_names(text, ("format", "verbosity"), "text.")
    if text.get("verbosity") not in (None, "medium"):
        ignore("text.verbosity", "the models have no such setting; put it in a message")
    if not isinstance(text.get("format"), (dict, type(None))):
        raise ApiError(400, "text.format must be an object", param="text.format")
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
    """Answers /v1/responses."""
    asked = RESPONSES.read(body)
    answering = await state.begin(request, lambda: build_response_request(state, asked))
    head = _head(asked, answering)
    if asked.stream:
        chunks = _events(answering, head)
        return state.stream(request, chunks, answering, failed=_error_event)
    await state.read_all(request, answering)
    row = answering.rows[0]
    blocks = [AnswerBlock(0, "thought", text=row.thoughts)] if row.thoughts else []
    if row.text or not row.calls:
        blocks.append(AnswerBlock(0, "text", text=row.text))
    blocks += [AnswerBlock(0, "call", call, call.arguments) for call in row.calls]
    return as_json(_final_response(head, answering, [_item(block, _new_id(block), row, answering) for block in blocks]))


def _head(asked: ResponsesRequest, answering: Answering) -> dict[str, Any]:
    """Builds the fields of a response that are known before the answer."""
    sampling = answering.request.sampling
    return {
        "id": f"resp_{secrets.token_hex(12)}",
        "object": "response",
        "created_at": now(),
        "status": "in_progress",
        "model": asked.model or answering.request.served.name,
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


def _final_response(head: dict[str, Any], answering: Answering, output: list[dict[str, Any]]) -> dict[str, Any]:
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


def _new_id(block: AnswerBlock) -> str:
    prefix = {"thought": "rs", "text": "msg", "call": "fc"}[block.kind]
    return f"{prefix}_{secrets.token_hex(12)}"


def _part(block: AnswerBlock, row: RowAnswer, answering: Answering) -> dict[str, Any]:
    logprobs = token_logprobs(answering.request.served.model.tokenizer, row.logprobs)
    return {"type": "output_text", "text": block.text, "annotations": [], "logprobs": logprobs}


def _item(block: AnswerBlock, number: str, row: RowAnswer, answering: Answering, status: str = "completed") -> dict[str, Any]:
    """Converts a block to an item of `output`."""
    if block.call is not None:
        begun = "" if status == "in_progress" else "{}"  # what clients add the pieces to
        call = {"call_id": block.call.id, "name": block.call.name, "arguments": block.text or begun}
        return {"id": number, "type": "function_call", "status": status, **call}
    if block.kind == "thought":
        content = [{"type": "reasoning_text", "text": block.text}]
        return {"id": number, "type": "reasoning", "summary": [], "content": content, "status": status}
    content = [] if status == "in_progress" else [_part(block, row, answering)]
    return {"id": number, "type": "message", "role": "assistant", "status": status, "content": content}


def _error_event(body: dict[str, Any]) -> bytes:
    error = body["error"]
    data = {"type": "error", "code": error["code"], "message": error["message"], "param": error["param"]}
    return event({**data, "sequence_number": 0}, "error")


async def _events(answering: Answering, head: dict[str, Any]) -> AsyncIterator[bytes]:
    sequence, output, number = 0, [], ""

    def make_event(kind: str, **data: Any) -> bytes:
        nonlocal sequence
        sequence += 1
        return event({"type": kind, "sequence_number": sequence - 1, **data}, kind)

    yield make_event("response.created", response=head)
    yield make_event("response.in_progress", response=head)
    row = answering.rows[0]
    async for step in in_blocks(answering):
        if step.what == "begin":
            number = _new_id(step.block)
        position = {"output_index": step.block.index}
        if step.what == "begin":
            item = _item(step.block, number, row, answering, "in_progress")
            yield make_event("response.output_item.added", item=item, **position)
        for kind, data in _of_step(step, row, answering):
            yield make_event(kind, item_id=number, **position, **data)
        if step.what == "end":
            output.append(_item(step.block, number, row, answering))
            yield make_event("response.output_item.done", item=output[-1], **position)
    final = _final_response(head, answering, output)
    yield make_event(f"response.{final['status']}", response=final)


def _of_step(step: BlockStep, row: RowAnswer, answering: Answering) -> list[tuple[str, dict[str, Any]]]:
    """Builds the events of a block, besides those of its item."""
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
