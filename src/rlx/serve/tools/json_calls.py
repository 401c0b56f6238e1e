"""Dialects whose calls are JSON objects, between marks or as the full answer: Hermes, Llama 3, Mistral, Granite and Phi-4, DeepSeek."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from rlx.serve.tools.dialect import CallScanner, Dialect, GrammarWriter, JsonCalls, MarkedParser, WholeCalls, json_call
from rlx.serve.tools.parts import AnswerPart, TextPart, Tool

# -- Hermes' form, which Qwen and many others use: <tool_call>{...}</tool_call> --------------------------------------
_TOOL_CALL, _TOOL_CALL_END = "<tool_call>", "</tool_call>"


def _write_hermes_grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    bodies = "\n    | ".join(json_call(write, tool) for tool in tools)
    return (
        f"calls: {'call (' + json.dumps(chr(10)) + ' call)*' if several else 'call'}\n"
        f'call: {write.mark(_TOOL_CALL)} "\\n" body "\\n" {write.mark(_TOOL_CALL_END)}\nbody: {bodies}\n'
    )


HERMES = Dialect(
    "hermes",
    (_TOOL_CALL,),
    (_TOOL_CALL, _TOOL_CALL_END),
    lambda tools: MarkedParser(_TOOL_CALL, _TOOL_CALL_END, lambda index: JsonCalls(index)),
    _write_hermes_grammar,
)


def explain_tools(messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """Describes tools in a system message, for a template without tools; calls and their results become plain text."""
    listed = "\n".join(json.dumps(tool.describe(), ensure_ascii=False) for tool in tools)
    text = (
        f"You can call functions. They are described here, one per line:\n<tools>\n{listed}\n</tools>\n"
        "To call one, answer with its name and arguments as JSON between tags, and nothing else:\n"
        f'{_TOOL_CALL}\n{{"name": "the name", "arguments": {{"argument": "value"}}}}\n{_TOOL_CALL_END}'
    )
    plain = [_as_plain_text(message) for message in messages]
    if plain and plain[0]["role"] == "system":
        return [{**plain[0], "content": f"{plain[0]['content']}\n\n{text}"}, *plain[1:]]
    return [{"role": "system", "content": text}, *plain]


def _as_plain_text(message: Mapping[str, Any]) -> dict[str, Any]:
    if message.get("tool_calls"):
        calls = [
            f"{_TOOL_CALL}\n{json.dumps(call['function'], ensure_ascii=False)}\n{_TOOL_CALL_END}" for call in message["tool_calls"]
        ]
        return {"role": "assistant", "content": "\n".join([*filter(None, [message.get("content")]), *calls])}
    if message["role"] == "tool":
        return {"role": "user", "content": f"<tool_response>\n{message.get('content')}\n</tool_response>"}
    return dict(message)


# -- Llama 3: the full answer is {"name": ..., "parameters": ...} ----------------------------------------------------
_PYTHON_TAG = "<|python_tag|>"


class BareParser:
    """Parses an answer that begins with an object, or a list of them: calls if the object has a name, else text."""

    def __init__(self) -> None:
        self.calls = 0
        self._held = ""
        self._body: JsonCalls | None = None
        self._is_text = False

    def feed(self, text: str) -> list[AnswerPart]:
        """Parses more text of an answer that may be calls without marks."""
        if self._is_text:
            return [TextPart(text)] if text else []
        if self._body is None:
            self._held += text
            bare = self._held.lstrip().removeprefix(_PYTHON_TAG).lstrip()
            if not bare or _PYTHON_TAG.startswith(bare):
                return []
            if bare[0] not in "{[":
                return self._as_text(self._held)
            self._body, text = JsonCalls(), bare
        parts = self._body.feed(text)
        if self._body.began:
            self.calls = max(self._body.index, 1)
        if self._body.done and not self._body.began:
            return self._as_text(self._body.raw)
        return parts

    def finish(self) -> list[AnswerPart]:
        """Returns the text that was held back, at the end."""
        if self._is_text or self.calls:
            return []
        return self._as_text(self._body.raw if self._body is not None else self._held)

    def _as_text(self, text: str) -> list[AnswerPart]:
        self._is_text = True
        return [TextPart(text)] if text else []


def _write_llama3_grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    bodies = "\n    | ".join(json_call(write, tool, "parameters") for tool in tools)
    return f"calls: {'call (' + chr(34) + '; ' + chr(34) + ' call)*' if several else 'call'}\ncall: {bodies}\n"


LLAMA3 = Dialect(
    "llama3", ("<|python_tag|>", '"parameters": dictionary'), (_PYTHON_TAG,), lambda tools: BareParser(), _write_llama3_grammar
)


# -- Mistral: [TOOL_CALLS][{...}, ...], and later [TOOL_CALLS]name[ARGS]{...} ----------------------------------------
_TOOL_CALLS, _ARGS = "[TOOL_CALLS]", "[ARGS]"


class NamedCalls(JsonCalls):
    """Parses Mistral's calls: `name[ARGS]{…}`, or a list of objects."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self._before: str | None = ""  # text before the first brace; None after it

    def feed(self, text: str) -> list[AnswerPart]:
        """Parses more text of Mistral's calls."""
        if self._before is None:
            return super().feed(text)
        self._before += text
        before, brace, rest = self._before.partition("{")
        if not brace:
            self.raw = self._before
            return []
        self._before, self.raw = None, before
        name = before.strip().removesuffix(_ARGS).strip()
        if name in ("", "["):
            self.listed = bool(name)
        else:
            self.scanner = CallScanner.of_arguments(name)
        return super().feed(brace + rest)

    def _between(self, text: str) -> str:
        if self.began and not self.listed:
            self.done = True
            return text
        return super()._between(text)


def _write_mistral_grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    bodies = "\n    | ".join(json_call(write, tool) for tool in tools)
    listed = f'"[" call {"(" + chr(34) + ", " + chr(34) + " call)*" if several else ""} "]"'
    return f"calls: {write.mark(_TOOL_CALLS)} {listed}\ncall: {bodies}\n"


def _write_named_mistral_grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    bodies = "\n    | ".join(f"{json.dumps(tool.name)} {write.mark(_ARGS)} {write.arguments(tool)}" for tool in tools)
    return f"calls: {'call+' if several else 'call'}\ncall: {write.mark(_TOOL_CALLS)} body\nbody: {bodies}\n"


def _make_mistral_parser(tools: Sequence[Tool]) -> MarkedParser:
    return MarkedParser(_TOOL_CALLS, None, NamedCalls)


MISTRAL_NAMED = Dialect("mistral-named", (_ARGS,), (_TOOL_CALLS, _ARGS), _make_mistral_parser, _write_named_mistral_grammar)
MISTRAL = Dialect("mistral", (_TOOL_CALLS,), (_TOOL_CALLS,), _make_mistral_parser, _write_mistral_grammar)


# -- Granite and Phi-4: <|tool_call|>[{...}, ...] --------------------------------------------------------------------
_GRANITE_CALL, _GRANITE_CALL_END = "<|tool_call|>", "<|/tool_call|>"


def _write_granite_grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    bodies = "\n    | ".join(json_call(write, tool) for tool in tools)
    more = '(", " call)*' if several else ""
    return f'calls: {write.mark(_GRANITE_CALL)} "[" call {more} "]"\ncall: {bodies}\n'


GRANITE = Dialect(
    "granite",
    (_GRANITE_CALL,),
    (_GRANITE_CALL, _GRANITE_CALL_END),
    lambda tools: MarkedParser(_GRANITE_CALL, None, lambda index: JsonCalls(index), ignored=(_GRANITE_CALL_END,)),
    _write_granite_grammar,
)


# -- DeepSeek: function SEP name and a block of JSON (V3, R1), or name SEP {...} (V3.1) ------------------------------
_DEEPSEEK_CALLS, _DEEPSEEK_CALLS_END = "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"
_DEEPSEEK_CALL, _DEEPSEEK_SEPARATOR, _DEEPSEEK_CALL_END = "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>"
_DEEPSEEK_FENCED = re.compile(r"\s*([^\n]+)\n```json\n(.*?)\n?```\s*$", re.S)


def _read_deepseek(text: str) -> list[tuple[str, str]] | None:
    before, separator, after = text.partition(_DEEPSEEK_SEPARATOR)
    fenced = _DEEPSEEK_FENCED.match(after)
    name, arguments = fenced.groups() if fenced else (before, after)
    try:
        if not separator or not isinstance(json.loads(arguments), dict):
            return None
    except ValueError:
        return None
    return [(name.strip(), arguments.strip())]


def _write_deepseek_grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    bodies = "\n    | ".join(
        f'{write.mark(_DEEPSEEK_SEPARATOR)} {json.dumps(tool.name + chr(10) + "```json" + chr(10))} {write.arguments(tool)} "\\n```"'
        for tool in tools
    )
    call = f'call: {write.mark(_DEEPSEEK_CALL)} "function" body {write.mark(_DEEPSEEK_CALL_END)}'
    calls = f"{write.mark(_DEEPSEEK_CALLS)} {'call+' if several else 'call'} {write.mark(_DEEPSEEK_CALLS_END)}"
    return f"calls: {calls}\n{call}\nbody: {bodies}\n"


DEEPSEEK = Dialect(
    "deepseek",
    (_DEEPSEEK_CALL,),
    (_DEEPSEEK_CALLS, _DEEPSEEK_CALLS_END, _DEEPSEEK_CALL, _DEEPSEEK_SEPARATOR, _DEEPSEEK_CALL_END),
    lambda tools: MarkedParser(
        _DEEPSEEK_CALL,
        _DEEPSEEK_CALL_END,
        lambda index: WholeCalls(index, _read_deepseek),
        ignored=(_DEEPSEEK_CALLS, _DEEPSEEK_CALLS_END),
    ),
    _write_deepseek_grammar,
)
