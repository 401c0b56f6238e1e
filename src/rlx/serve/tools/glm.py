"""GLM's form: `<tool_call>name`, then `<arg_key>key</arg_key><arg_value>value</arg_value>` for each argument, `</tool_call>`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rlx.serve.tools.dialect import Dialect, GrammarWriter, MarkedParser, WholeCalls
from rlx.serve.tools.parts import Tool
from rlx.serve.tools.tagged import read_arguments, tagged_grammar

_BEGIN, _END = "<tool_call>", "</tool_call>"
_ARGUMENT = re.compile(r"<arg_key>\s*(.*?)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>", re.S)


def _parser(tools: Sequence[Tool]) -> MarkedParser:
    def read(text: str) -> list[tuple[str, str]] | None:
        name = text.partition("<arg_key>")[0].strip()
        if not re.fullmatch(r"[\w.-]+", name):
            return None
        return [(name, read_arguments(tools, name, dict(_ARGUMENT.findall(text))))]

    return MarkedParser(_BEGIN, _END, lambda index: WholeCalls(index, read))


def _grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    before, after = "<arg_key>KEY</arg_key>\n<arg_value>", "</arg_value>\n"
    return tagged_grammar(write, tools, several, (write.mark(_BEGIN), write.mark(_END)), ("NAME\n", ""), before, after)


GLM = Dialect("glm", ("<arg_key>",), (_BEGIN, _END), _parser, _grammar)
