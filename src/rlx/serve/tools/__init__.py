"""Tools: the dialects that models write calls in, and which one a model's template speaks."""

from __future__ import annotations

from rlx.serve.tools.dialect import CallParser, Dialect, GrammarWriter
from rlx.serve.tools.harmony import HARMONY
from rlx.serve.tools.json_calls import DEEPSEEK, GRANITE, HERMES, LLAMA3, MISTRAL, MISTRAL_NAMED, explain_tools
from rlx.serve.tools.parts import AnswerPart, CallArguments, CallBegin, TextPart, ThoughtPart, Tool
from rlx.serve.tools.pythonic import PYTHONIC, PYTHONIC_MARKED
from rlx.serve.tools.tagged import GLM, QWEN_XML

__all__ = [
    "DIALECTS", "AnswerPart", "CallArguments", "CallBegin", "CallParser", "Dialect", "GrammarWriter", "TextPart", "ThoughtPart",
    "Tool", "dialect_of", "explain_tools",
]  # fmt: skip

DIALECTS = (*(HARMONY, DEEPSEEK, MISTRAL_NAMED, MISTRAL, GRANITE, QWEN_XML, GLM), *(PYTHONIC_MARKED, PYTHONIC, HERMES, LLAMA3))
"""The first whose mark is in the template is its dialect."""


def dialect_of(template: str | None) -> tuple[Dialect, bool]:
    """Detects the tool dialect of a template, and whether the template itself describes tools to the model.

    >>> (dialect_of("{{ tools }}[TOOL_CALLS]")[0].name, *dialect_of("{{ messages }}")[1:])
    ('mistral', False)
    """
    text = template or ""
    if "tools" not in text:
        return HERMES, False
    return next((one for one in DIALECTS if any(mark in text for mark in one.marks)), HERMES), True
