"""Checks before an operator, a method or a filter of a chat template runs: would its result or its time be too large?"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import Any

from rlx.generate.template_budget import Budget, refused

METHODS: Mapping[type, frozenset[str]] = {
    str: frozenset(
        (
            "capitalize",
            "casefold",
            "count",
            "endswith",
            "find",
            "format",
            "index",
            "isalnum",
            "isalpha",
            "isascii",
            "isdecimal",
            "isdigit",
            "islower",
            "isnumeric",
            "isspace",
            "istitle",
            "isupper",
            "join",
            "lower",
            "lstrip",
            "partition",
            "removeprefix",
            "removesuffix",
            "replace",
            "rfind",
            "rindex",
            "rpartition",
            "rsplit",
            "rstrip",
            "split",
            "splitlines",
            "startswith",
            "strip",
            "swapcase",
            "title",
            "upper",
        )
    ),
    dict: frozenset(("get", "items", "keys", "values")),
    list: frozenset(("count", "index")),
    tuple: frozenset(("count", "index")),
}
"""What a template can call: what real templates call, and similar."""
FILTERS = frozenset(
    (
        "abs",
        "capitalize",
        "count",
        "d",
        "default",
        "dictsort",
        "e",
        "escape",
        "first",
        "float",
        "format",
        "indent",
        "int",
        "items",
        "join",
        "last",
        "length",
        "list",
        "lower",
        "map",
        "max",
        "min",
        "reject",
        "rejectattr",
        "replace",
        "reverse",
        "safe",
        "select",
        "selectattr",
        "sort",
        "string",
        "title",
        "tojson",
        "trim",
        "unique",
        "upper",
    )
)
TESTS = frozenset(
    (
        "!=",
        "<",
        "<=",
        "==",
        ">",
        ">=",
        "boolean",
        "defined",
        "divisibleby",
        "eq",
        "equalto",
        "even",
        "false",
        "float",
        "ge",
        "greaterthan",
        "gt",
        "in",
        "integer",
        "iterable",
        "le",
        "lessthan",
        "lower",
        "lt",
        "mapping",
        "ne",
        "none",
        "number",
        "odd",
        "sameas",
        "sequence",
        "string",
        "true",
        "undefined",
        "upper",
    )
)

_PIECE = 64  # bytes of a short text and its list slot
_WORDS = 24  # a text split at whitespace takes at most this many times its bytes
_SEARCH = 1 << 28  # limit of comparisons, since Python's search can take the product of two lengths
_DIGITS = 4096  # of a text parsed as a number
_WIDTH = 999  # of a formatted field
_INDENT = 32
_ESCAPED = 4  # a text inside a printed list takes at most this many times its bytes
_DIRECTIVE = re.compile(r"%(?:\([^()]*\))?[-#0 +]*(\*|\d*)(?:\.(\*|\d*))?")
_SPECIFICATION = re.compile(r"(?:.?[<>=^])?[-+ ]?#?0?(\d*)[,_]?(?:\.(\d+))?[a-zA-Z%]?")


def before_operator(budget: Budget, operator: str, left: Any, right: Any) -> None:
    """Before + - * / // %."""
    budget.number(left)
    budget.number(right)
    if operator == "%" and isinstance(left, str):
        _percent(budget, left, right)
    elif operator == "+" and isinstance(left, (str, list, tuple)):
        budget.limit(budget.weight(left) + budget.weight(right))
    elif operator == "*":
        for sequence, times in ((left, right), (right, left)):
            if isinstance(sequence, (str, list, tuple)) and isinstance(times, int):
                budget.limit((_bytes(sequence) if isinstance(sequence, str) else budget.weight(sequence)) * max(times, 0))


def _bytes(text: str) -> int:
    """The maximum number of bytes of its characters."""
    return len(text) * (1 if text.isascii() else 4)


# -- methods and filters ----------------------------------------------------------------------------------------------
def before_method(budget: Budget, name: str, text: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> Sequence[Any]:
    """Before a method of a text; returns the arguments to call it with."""
    if name not in METHODS[str]:
        raise refused(f"calls {name!r} of a text, which no chat template needs")
    if name == "join" and arguments:
        parts = budget.held(arguments[0])
        if not isinstance(parts, (str, list, tuple, dict)):
            parts = list(parts)
        _joined(budget, text, parts)
        return (parts, *arguments[1:])
    if name in _BEFORE_METHODS:
        _BEFORE_METHODS[name](budget, text, arguments, named)
    return arguments


def before_filter(budget: Budget, name: str, value: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Before a filter; returns the value to filter."""
    if name in _ITERATING:
        value = budget.held(value)
    if name in _OF_TEXTS and not isinstance(value, str):
        value = budget.made(str(value))
    if name in _BEFORE_FILTERS:
        _BEFORE_FILTERS[name](budget, value, arguments, named)
    if any(isinstance(argument, str) and " " in argument for argument in arguments[:2]) and name in _BY_NAME:
        raise refused(f"passes {name!r} a name with a space")
    return value


def _argument(arguments: Sequence[Any], named: Mapping[str, Any], place: int, name: str, default: Any = None) -> Any:
    return arguments[place] if len(arguments) > place else named.get(name, default)


def _replaced(budget: Budget, text: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
    old, new = (str(_argument(arguments, named, place, name, "")) for place, name in enumerate(("old", "new")))
    width = 1 if text.isascii() and new.isascii() else 4
    budget.limit(width * (len(text) + text.count(old) * len(new)))


def _split(budget: Budget, text: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
    separator = _argument(arguments, named, 0, "sep")
    if isinstance(separator, str):
        budget.limit(budget.weight(text) + _PIECE * text.count(separator))
    elif not isinstance(_argument(arguments, named, 1, "maxsplit", -1), int) or _argument(arguments, named, 1, "maxsplit", -1) < 0:
        _words(budget, text, (), {})


def _words(budget: Budget, text: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
    budget.limit(_WORDS * len(text))


def _searched(budget: Budget, text: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
    """Searches from the right, and strips, can take the product of both lengths."""
    wanted = _argument(arguments, named, 0, "chars", _argument(arguments, named, 0, "sep"))
    if isinstance(wanted, str) and len(text) * len(wanted) > _SEARCH:
        raise refused(f"searches a text of {len(text)} characters for one of {len(wanted)}")


def _split_right(budget: Budget, text: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
    _searched(budget, text, arguments, named)
    _split(budget, text, arguments, named)


def _joined(budget: Budget, separator: str, parts: Any) -> None:
    width = _WORDS if isinstance(parts, str) else 1
    budget.limit(width * budget.weight(parts) + budget.weight(separator) * len(parts))


def _formatted(budget: Budget, text: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
    """`'{} {name:>3}'.format(…)`: fields by number or name, of stated width."""
    _limit_fields(budget, text, text.count("{"), [*arguments, *named.values()])
    for _, field, specification, conversion in Formatter().parse(text):
        budget.step()
        widths = _SPECIFICATION.fullmatch(specification or "")
        named_field = re.fullmatch(r"\w*", field or "") and not conversion
        if not named_field or widths is None or any(int(part or 0) > _WIDTH for part in widths.groups()):
            raise refused(f"formats with {{{(field or '')[:40]}:{(specification or '')[:40]}}}")


def _percent(budget: Budget, text: str, values: Any) -> None:
    """`'%s %3d' % …`."""
    _limit_fields(budget, text, text.count("%"), values if isinstance(values, (list, tuple)) else [values])
    for match in _DIRECTIVE.finditer(text):
        budget.step()
        for part in match.groups():
            if part == "*" or len(part or "") > 3:
                raise refused(f"formats with {match[0][:40]!r}")


def _limit_fields(budget: Budget, text: str, fields: int, values: Sequence[Any]) -> None:
    budget.limit(budget.weight(text) + fields * (_WIDTH + _ESCAPED * sum(budget.weight(value) for value in values)))


def _joined_by_filter(budget: Budget, value: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
    if hasattr(value, "__len__"):
        _joined(budget, str(_argument(arguments, named, 0, "d", "")), value)


def _indented(budget: Budget, text: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
    width = _argument(arguments, named, 0, "width", 4)
    width = max(width, 0) if isinstance(width, int) else budget.weight(width)
    budget.limit(budget.weight(text) * 4 + (1 + len(text.splitlines())) * width)


def _numeral(budget: Budget, value: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
    if isinstance(value, str) and len(value) > _DIGITS:
        raise refused(f"parses a number of {len(value)} characters, the limit is {_DIGITS}")


def _listed(budget: Budget, value: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
    if isinstance(value, str):
        budget.limit(2 * _WORDS * len(value))


_Check = Callable[[Budget, Any, Sequence[Any], Mapping[str, Any]], None]
_BEFORE_METHODS: Mapping[str, _Check] = {
    "format": _formatted,
    "lstrip": _searched,
    "replace": _replaced,
    "rfind": _searched,
    "rindex": _searched,
    "rpartition": _searched,
    "rsplit": _split_right,
    "rstrip": _searched,
    "split": _split,
    "splitlines": _words,
    "strip": _searched,
}
_BEFORE_FILTERS: Mapping[str, _Check] = {
    "float": _numeral,
    "format": lambda budget, value, arguments, named: _percent(budget, value, arguments or list(named.values())),
    "indent": _indented,
    "int": _numeral,
    "join": _joined_by_filter,
    "list": _listed,
    "replace": _replaced,
    "reverse": _listed,
    "sort": _listed,
    "trim": _searched,
    "unique": _listed,
}
_OF_TEXTS = frozenset(("format", "indent", "replace", "trim"))
_BY_NAME = frozenset(("map", "reject", "rejectattr", "select", "selectattr"))
_ITERATING = _BY_NAME | {"dictsort", "join", "list", "max", "min", "reverse", "sort", "unique"}


# -- JSON -------------------------------------------------------------------------------------------------------------
def tojson(
    budget: Budget, value: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False
) -> str:
    """JSON, not escaped for HTML."""
    width = 0 if indent is None else indent if isinstance(indent, int) else len(str(indent))
    if width > _INDENT or len(str(separators)) > _INDENT:
        raise refused(
            f"writes JSON indented by {width} and separated by {str(separators)[:40]}", fix=f"at most {_INDENT} characters"
        )
    budget.limit(2 * budget.weight(value) + (width * _indentations(budget, value) if width > 0 else 0))
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _indentations(budget: Budget, value: Any) -> int:
    """The total indentation levels of all lines of a JSON text."""
    total, pending = 0, [(value, 0)]
    while pending:
        part, depth = pending.pop()
        total += depth
        budget.step()
        if isinstance(part, (dict, list, tuple)):
            pending += [(inner, depth + 1) for inner in (part.values() if isinstance(part, dict) else part)]
            total += depth
    return total
