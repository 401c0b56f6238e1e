"""Hermes' form, which Qwen and many others use: `<tool_call>{"name": …, "arguments": …}</tool_call>`.

Models whose template knows nothing of tools are told of it in a system message.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rlx.serve.tools.dialect import Dialect, GrammarWriter, MarkedParser, json_call
from rlx.serve.tools.parts import Tool
from rlx.serve.tools.scanning import JsonCalls

_BEGIN, _END = "<tool_call>", "</tool_call>"


def _grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    bodies = "\n    | ".join(json_call(write, tool) for tool in tools)
    return (
        f"calls: {'call (' + json.dumps(chr(10)) + ' call)*' if several else 'call'}\n"
        f'call: {write.mark(_BEGIN)} "\\n" body "\\n" {write.mark(_END)}\nbody: {bodies}\n'
    )


HERMES = Dialect(
    "hermes", (_BEGIN,), (_BEGIN, _END), lambda tools: MarkedParser(_BEGIN, _END, lambda index: JsonCalls(index)), _grammar
)


def explained(messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """The conversation for a template without tools: a system message describes them, calls and their results are plain text."""
    listed = "\n".join(json.dumps(tool.described(), ensure_ascii=False) for tool in tools)
    text = (
        f"You can call functions. They are described here, one per line:\n<tools>\n{listed}\n</tools>\n"
        "To call one, answer with its name and arguments as JSON between tags, and nothing else:\n"
        f'{_BEGIN}\n{{"name": "the name", "arguments": {{"argument": "value"}}}}\n{_END}'
    )
    plain = [_plain(message) for message in messages]
    if plain and plain[0]["role"] == "system":
        return [{**plain[0], "content": f"{plain[0]['content']}\n\n{text}"}, *plain[1:]]
    return [{"role": "system", "content": text}, *plain]


def _plain(message: Mapping[str, Any]) -> dict[str, Any]:
    if message.get("tool_calls"):
        calls = [f"{_BEGIN}\n{json.dumps(call['function'], ensure_ascii=False)}\n{_END}" for call in message["tool_calls"]]
        return {"role": "assistant", "content": "\n".join([*filter(None, [message.get("content")]), *calls])}
    if message["role"] == "tool":
        return {"role": "user", "content": f"<tool_response>\n{message.get('content')}\n</tool_response>"}
    return dict(message)
