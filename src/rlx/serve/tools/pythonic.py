"""Calls as Python writes them: `[add(a=1, b='x'), now()]` is the whole answer (Llama 3.2 and 4), or stands between marks (LFM2)."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence

from rlx.serve.tools.dialect import Dialect, GrammarWriter, MarkedParser, WholeCalls
from rlx.serve.tools.parts import AnswerPart, CallArguments, CallBegin, TextPart, Tool

_BEGIN, _END = "<|tool_call_start|>", "<|tool_call_end|>"
_TAGS = ("<|python_start|>", "<|python_end|>")
_WORDS = {"true": True, "false": False, "null": None}
_BEGINNING = re.compile(r"\[\s*([A-Za-z_][\w.]*\s*(\(.*)?)?", re.S)
_WRONG = (SyntaxError, ValueError, TypeError, RecursionError, MemoryError)


class _JsonWords(ast.NodeTransformer):
    """Replaces JSON's words, which some models write in Python."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Replaces true, false and null by Python's constants."""
        return ast.Constant(_WORDS[node.id]) if node.id in _WORDS else node


def _read(tools: Sequence[Tool], text: str) -> list[tuple[str, str]] | None:
    """Parses a Python list of calls: (name, JSON arguments) of each; None for other text. The text is never run."""
    try:
        tree = _JsonWords().visit(ast.parse(text.strip(), mode="eval")).body
        return [_read_call(tools, node) for node in tree.elts] or None if isinstance(tree, ast.List) else None
    except _WRONG:
        return None


def _read_call(tools: Sequence[Tool], node: ast.AST) -> tuple[str, str]:
    if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Name, ast.Attribute)):
        raise ValueError("not a call")
    name = ast.unparse(node.func)
    names = next((list(_properties(tool)) for tool in tools if tool.name == name), [])
    given: dict[str | None, ast.expr] = dict(zip(names, node.args, strict=False))
    given |= {word.arg: word.value for word in node.keywords}
    if None in given or len(given) < len(node.args) + len(node.keywords):
        raise ValueError("arguments without a name")
    text = json.dumps({key: ast.literal_eval(value) for key, value in given.items()}, allow_nan=False)
    json.loads(text)  # a pair of escapes may be one character
    return name, text


def _properties(tool: Tool) -> dict[str, object]:
    properties = tool.parameters.get("properties")
    return properties if isinstance(properties, dict) else {}


class BarePythonParser:
    """Parses an answer that is only a list of calls; any other answer is text, as soon as that is clear."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self.calls = 0
        self._tools, self._held, self._is_text = tools, "", False

    def feed(self, text: str) -> list[AnswerPart]:
        """Parses more text of a list of calls."""
        if self._is_text:
            return [TextPart(text)] if text else []
        self._held += text
        bare = self._held.lstrip()
        if any(tag.startswith(bare) for tag in _TAGS) or _BEGINNING.fullmatch(self._bare()):
            return []
        return self._as_text()

    def finish(self) -> list[AnswerPart]:
        """Returns the calls of the list, or the text that was held back."""
        calls = None if self._is_text else _read(self._tools, self._bare())
        if calls is None:
            return [] if self._is_text else self._as_text()
        self.calls = len(calls)
        return [
            part
            for number, (name, arguments) in enumerate(calls)
            for part in (CallBegin(number, name), CallArguments(number, arguments))
        ]

    def _bare(self) -> str:
        return self._held.strip().removeprefix(_TAGS[0]).removesuffix(_TAGS[1]).strip()

    def _as_text(self) -> list[AnswerPart]:
        self._is_text = True
        return [TextPart(self._held)] if self._held else []


def _marked_parser(tools: Sequence[Tool]) -> MarkedParser:
    return MarkedParser(_BEGIN, _END, lambda index: WholeCalls(index, lambda text: _read(tools, text)))


def _write_pythonic_grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    rules = [f'calls: "[" call {"(" + json.dumps(", ") + " call)*" if several else ""} "]"']
    rules += ["call: " + " | ".join(f"tool{number}" for number in range(len(tools)))]
    rules += [f'tool{number}: {json.dumps(tool.name + "(")} {_arguments(write, tool)} ")"' for number, tool in enumerate(tools)]
    return "\n".join(rules) + "\n"


def _arguments(write: GrammarWriter, tool: Tool) -> str:
    """Writes a rule for keyword arguments: required ones, then any of the others in order."""
    needed = tool.parameters.get("required")
    rules = {key: f"{json.dumps(key + '=')} {write.argument(tool, key, schema)}" for key, schema in write.properties(tool).items()}
    first = [rule for key, rule in rules.items() if isinstance(needed, list) and key in needed]
    others = [rule for rule in rules.values() if rule not in first]
    if first:
        return ' ", " '.join(first) + "".join(f' (", " {rule})?' for rule in others)
    chains = [rule + "".join(f' (", " {later})?' for later in others[index + 1 :]) for index, rule in enumerate(others)]
    return f"({' | '.join(chains)})?" if chains else ""


def _write_marked_grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    marked = f"calls: {write.mark(_BEGIN)} listed {write.mark(_END)}\nlisted: "
    return _write_pythonic_grammar(tools, several, write).replace("calls: ", marked, 1)


PYTHONIC_MARKED = Dialect("pythonic-marked", (_BEGIN,), (_BEGIN, _END), _marked_parser, _write_marked_grammar)
PYTHONIC = Dialect("pythonic", ("[func_name", "[function_name"), _TAGS, BarePythonParser, _write_pythonic_grammar)
