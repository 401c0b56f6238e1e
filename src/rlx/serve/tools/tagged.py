"""Arguments between tags, as Qwen3-Coder and GLM write them: texts stand there as they are, other values as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from rlx.generate.json_schemas import pointer
from rlx.serve.tools.dialect import Dialect, GrammarWriter, MarkedParser, WholeCalls
from rlx.serve.tools.parts import Tool

_NOT_APPLIED = {"pattern", "format", "not", "anyOf", "oneOf", "allOf", "if", "$ref"}
_MOST_LENGTH = 4096  # of a text that is counted


def read_arguments(tools: Sequence[Tool], name: str, texts: Mapping[str, str]) -> str:
    """Converts a call's tagged arguments to JSON; a string by the tool's schema stays one, even if it looks like a number."""
    schemas = next((dict(_properties(tool)) for tool in tools if tool.name == name), {})
    return json.dumps({key: _value(text, schemas.get(key)) for key, text in texts.items()})


def _value(text: str, schema: object) -> object:
    if _is_text(schema):
        return text
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    return value


def _properties(tool: Tool) -> list[tuple[str, object]]:
    properties = tool.parameters.get("properties")
    return list(properties.items()) if isinstance(properties, dict) else []


def _is_text(schema: object) -> bool:
    if not isinstance(schema, dict):
        return False
    choices = schema.get("enum")
    return schema.get("type") == "string" or (isinstance(choices, list) and all(isinstance(one, str) for one in choices))


def tagged_grammar(
    write: GrammarWriter,
    tools: Sequence[Tool],
    several: bool,
    marks: tuple[str, str],
    around: tuple[str, str],
    before: str,
    after: str,
) -> str:
    """Writes rules of tagged calls, with `marks` around each. `around` are the texts before and after the arguments of a call,
    `before` and `after` those of each argument; NAME and KEY in them stand for the tool's name and the argument's."""
    lines = [f"calls: {'call+' if several else 'call'}", f"call: {marks[0]} body {marks[1]}"]
    lines += [f"body: {' | '.join(f'tool{number}' for number in range(len(tools)))}"]
    for number, tool in enumerate(tools):
        required = tool.parameters.get("required")
        needed = required if isinstance(required, list) else []
        arguments = [
            f"({json.dumps(before.replace('KEY', key))} {_rule(write, tool, key, schema)} {json.dumps(after)})"
            f"{'' if key in needed else '?'}"
            for key, schema in write.properties(tool).items()
        ]
        begin, end = (json.dumps(text.replace("NAME", tool.name)) for text in around)
        lines.append(f"tool{number}: {begin} {' '.join(arguments)} {end}")
    return "\n".join(lines) + "\n"


def _rule(write: GrammarWriter, tool: Tool, key: str, schema: object) -> str:
    """Writes a term for an argument's value: plain text without `<`, or JSON. Of a text's schema only the length is enforced."""
    if not isinstance(schema, dict) or not _is_text(schema):
        return write.argument(tool, key, schema)
    choices = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(choices, list):
        return f"({' | '.join(json.dumps(one) for one in choices if isinstance(one, str))})"
    for name in sorted(_NOT_APPLIED & schema.keys()):
        write.note(tool, pointer("#/properties", key, name))
    least, most = (schema.get(name, 0) for name in ("minLength", "maxLength"))
    if all(isinstance(size, int) and 0 <= size <= _MOST_LENGTH for size in (least, most)):
        return f"/[^<]{{{least},{most if 'maxLength' in schema else ''}}}/"
    write.note(tool, pointer("#/properties", key, "maxLength" if "maxLength" in schema else "minLength"))
    return "/[^<]*/"


# -- GLM: <tool_call>name, then <arg_key>key</arg_key><arg_value>value</arg_value> for each argument -----------------
_BEGIN, _END = "<tool_call>", "</tool_call>"
_GLM_ARGUMENT = re.compile(r"<arg_key>\s*(.*?)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>", re.S)


def _make_glm_parser(tools: Sequence[Tool]) -> MarkedParser:
    def read(text: str) -> list[tuple[str, str]] | None:
        name = text.partition("<arg_key>")[0].strip()
        if not re.fullmatch(r"[\w.-]+", name):
            return None
        return [(name, read_arguments(tools, name, dict(_GLM_ARGUMENT.findall(text))))]

    return MarkedParser(_BEGIN, _END, lambda index: WholeCalls(index, read))


def _write_glm_grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    before, after = "<arg_key>KEY</arg_key>\n<arg_value>", "</arg_value>\n"
    return tagged_grammar(write, tools, several, (write.mark(_BEGIN), write.mark(_END)), ("NAME\n", ""), before, after)


GLM = Dialect("glm", ("<arg_key>",), (_BEGIN, _END), _make_glm_parser, _write_glm_grammar)


# -- Qwen3-Coder: <tool_call><function=name><parameter=key>value</parameter>...</function></tool_call> ---------------
_FUNCTION = re.compile(r"<function=\s*([^>]+?)\s*>(.*?)(?:</function>|$)", re.S)
_PARAMETER = re.compile(r"<parameter=\s*([^>]+?)\s*>\n?(.*?)\n?(?:</parameter>|$)", re.S)


def _make_qwen_parser(tools: Sequence[Tool]) -> MarkedParser:
    def read(text: str) -> list[tuple[str, str]] | None:
        functions = _FUNCTION.findall(text)
        return [(name, read_arguments(tools, name, dict(_PARAMETER.findall(body)))) for name, body in functions] or None

    return MarkedParser(_BEGIN, _END, lambda index: WholeCalls(index, read))


def _write_qwen_grammar(tools: Sequence[Tool], several: bool, write: GrammarWriter) -> str:
    before, after = "<parameter=KEY>\n", "\n</parameter>\n"
    around = ("\n<function=NAME>\n", "</function>\n")
    return tagged_grammar(write, tools, several, (write.mark(_BEGIN), write.mark(_END)), around, before, after)


QWEN_XML = Dialect("qwen-xml", ("<function=",), (_BEGIN, _END), _make_qwen_parser, _write_qwen_grammar)
