"""DeepSeek's forms: a call is `function SEP name` and a block of JSON (V3, R1), or `name SEP {…}` (V3.1), between marks."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from rlx.serve.tools.dialect import Dialect, GrammarWriter, MarkedParser, WholeCalls
from rlx.serve.tools.parts import Tool

_ALL, _ALL_END = "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"
_BEGIN, _SEPARATOR, _END = "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>"
_FENCED = re.compile(r"\s*([^\n]+)\n```json\n(.*?)\n?```\s*$", re.S)


def _read(text: str) -> list[tuple[str, str]] | None:
    before, separator, after = text.partition(_SEPARATOR)
    fenced = _FENCED.match(after)
    name, arguments = fenced.groups() if fenced else (before, after)
    try:
        if not separator or not isinstance(json.loads(arguments), dict):
            return None
    except ValueError:
        return None
    return [(name.strip(), arguments.strip())]


def _grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    bodies = "\n    | ".join(
        f'{write.mark(_SEPARATOR)} {json.dumps(tool.name + chr(10) + "```json" + chr(10))} {write.arguments(tool)} "\\n```"'
        for tool in tools
    )
    call = f'call: {write.mark(_BEGIN)} "function" body {write.mark(_END)}'
    return f"calls: {write.mark(_ALL)} {'call+' if several else 'call'} {write.mark(_ALL_END)}\n{call}\nbody: {bodies}\n"


DEEPSEEK = Dialect(
    "deepseek",
    (_BEGIN,),
    (_ALL, _ALL_END, _BEGIN, _SEPARATOR, _END),
    lambda tools: MarkedParser(_BEGIN, _END, lambda index: WholeCalls(index, _read), ignored=(_ALL, _ALL_END)),
    _grammar,
)
