"""Granite's and Phi-4's form: `<|tool_call|>[{"name": …, "arguments": …}, …]`, with Phi-4's `<|/tool_call|>` after it."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.serve.tools.dialect import Dialect, GrammarWriter, MarkedParser, json_call
from rlx.serve.tools.parts import Tool
from rlx.serve.tools.scanning import JsonCalls

_BEGIN, _END = "<|tool_call|>", "<|/tool_call|>"


def _grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    bodies = "\n    | ".join(json_call(write, tool) for tool in tools)
    more = '(", " call)*' if several else ""
    return f'calls: {write.mark(_BEGIN)} "[" call {more} "]"\ncall: {bodies}\n'


GRANITE = Dialect(
    "granite",
    (_BEGIN,),
    (_BEGIN, _END),
    lambda tools: MarkedParser(_BEGIN, None, lambda index: JsonCalls(index), ignored=(_END,)),
    _grammar,
)
