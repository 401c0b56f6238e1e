"""Qwen3-Coder's form: `<tool_call><function=name><parameter=key>value</parameter>…</function></tool_call>`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rlx.serve.tools.dialect import Dialect, GrammarWriter, MarkedParser, WholeCalls
from rlx.serve.tools.parts import Tool
from rlx.serve.tools.tagged import read_arguments, tagged_grammar

_BEGIN, _END = "<tool_call>", "</tool_call>"
_FUNCTION = re.compile(r"<function=\s*([^>]+?)\s*>(.*?)(?:</function>|$)", re.S)
_PARAMETER = re.compile(r"<parameter=\s*([^>]+?)\s*>\n?(.*?)\n?(?:</parameter>|$)", re.S)


def _parser(tools: Sequence[Tool]) -> MarkedParser:
    def read(text: str) -> list[tuple[str, str]] | None:
        functions = _FUNCTION.findall(text)
        return [(name, read_arguments(tools, name, dict(_PARAMETER.findall(body)))) for name, body in functions] or None

    return MarkedParser(_BEGIN, _END, lambda index: WholeCalls(index, read))


def _grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    before, after = "<parameter=KEY>\n", "\n</parameter>\n"
    around = ("\n<function=NAME>\n", "</function>\n")
    return tagged_grammar(write, tools, several, (write.mark(_BEGIN), write.mark(_END)), around, before, after)


QWEN_XML = Dialect("qwen-xml", ("<function=",), (_BEGIN, _END), _parser, _grammar)
