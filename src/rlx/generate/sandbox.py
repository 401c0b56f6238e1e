"""The sandbox of chat templates: jinja2's own, with limits on time and on the size of everything a template makes.

jinja2's sandbox keeps a template away from Python. It does not keep it from looping for ever or filling the memory; for that,
- Python code inside looks at the clock at every line (`bounded_time`),
- operators, methods and filters that make something larger than what went in are looked at before they run, and the rest of those whose
  result can have any size are not there,
- a list or dict is weighed, all it holds counted, when it is made: none that would take long to print or compare comes to be.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache, wraps
from types import FrameType
from typing import Any

from rlx.core.errors import RlxError

__all__ = ["CHARACTERS", "SECONDS", "bounded_time", "environment"]

SECONDS = 2.0
CHARACTERS = 1 << 24  # of one text; in a list or dict, of all its texts and items
_BITS = 4096  # of a whole number
_FILTERS = frozenset((
    "abs", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "first", "float", "indent", "int", "items", "join",
    "last", "length", "list", "lower", "map", "max", "min", "reject", "rejectattr", "replace", "reverse", "safe", "select",
    "selectattr", "sort", "string", "title", "tojson", "trim", "unique", "upper",
))  # fmt: skip
_METHODS_OF_ANY_SIZE = frozenset(("center", "ljust", "rjust", "zfill", "expandtabs", "format", "format_map", "translate"))


def bounded_time(run: Callable[[], Any], seconds: float | None = None) -> Any:
    """run(), but its Python code ends with an error once the time is over."""
    seconds = SECONDS if seconds is None else seconds
    end = time.monotonic() + seconds

    def look(frame: FrameType, event: str, argument: Any) -> Any:
        if time.monotonic() > end:
            raise RlxError("RLX904", f"the chat template ran longer than {seconds:g} s", at=None)
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        return run()
    finally:
        sys.settrace(before)


@lru_cache(maxsize=1)
def environment() -> Any:
    """The sandbox as Hugging Face sets it up: trimmed blocks, loop controls, `raise_exception`, `strftime_now`, `tojson` as it is."""
    try:
        import jinja2
        from jinja2 import ext, nodes, utils
        from jinja2.compiler import CodeGenerator
        from jinja2.sandbox import ImmutableSandboxedEnvironment
    except ImportError:
        raise RlxError("RLX803", "chat templates need the package jinja2", fix="pip install 'rlx[formats]'", at=None) from None

    class BoundedCode(CodeGenerator):
        """Templates in Python, with lists, dicts and `a ~ b` made through the environment."""

        def visit_Concat(self, node: Any, frame: Any) -> None:
            self.write("environment.joined((")
            for part in node.nodes:
                self.visit(part, frame)
                self.write(", ")
            self.write("))")

        def visit_List(self, node: Any, frame: Any) -> None:
            self._weighed(super().visit_List, node, frame)

        def visit_Dict(self, node: Any, frame: Any) -> None:
            self._weighed(super().visit_Dict, node, frame)

        def visit_Tuple(self, node: Any, frame: Any) -> None:
            if node.ctx == "load":
                self._weighed(super().visit_Tuple, node, frame)
            else:
                super().visit_Tuple(node, frame)

        def _weighed(self, visit: Callable[[Any, Any], None], node: Any, frame: Any) -> None:
            self.write("environment.weighed(")
            visit(node, frame)
            self.write(")")

    class Sandbox(ImmutableSandboxedEnvironment):
        """Nothing of Python, nothing that changes, nothing large."""

        intercepted_binops = frozenset(("+", "*", "**", "%"))
        code_generator_class = BoundedCode
        joined = staticmethod(_joined)
        weighed = staticmethod(_weighed)

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            _check_binary(operator, left, right)
            return super().call_binop(context, operator, left, right)

        def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
            return not (isinstance(obj, str) and attr in _METHODS_OF_ANY_SIZE) and super().is_safe_attribute(obj, attr, value)

        def call(self, context: Any, function: Any, *arguments: Any, **named: Any) -> Any:
            owner = getattr(function, "__self__", None)
            if isinstance(owner, str):
                _check_growth(getattr(function, "__name__", ""), owner, arguments)
            return super().call(context, function, *arguments, **named)

    class GenerationBlock(ext.Extension):
        """`{% generation %}` marks what the assistant says, for training; here it is just its contents."""

        tags = {"generation"}  # noqa: RUF012  so the base class declares it

        def parse(self, parser: Any) -> list[nodes.Node]:
            next(parser.stream)
            body: list[nodes.Node] = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return body

    class Namespace(utils.Namespace):
        """Prints without its contents: these may hold each other."""

        def __repr__(self) -> str:
            return "<Namespace>"

    def raise_exception(message: Any) -> str:
        raise jinja2.TemplateError(str(message))

    made = Sandbox(trim_blocks=True, lstrip_blocks=True, extensions=[ext.loopcontrols, GenerationBlock])
    made.filters = {name: _bounded(name, kept) for name, kept in made.filters.items() if name in _FILTERS} | {"tojson": _tojson}
    made.globals = {
        "range": made.globals["range"], "dict": lambda *given, **named: _weighed(dict(*given, **named)), "namespace": Namespace,
        "raise_exception": raise_exception, "strftime_now": lambda form: datetime.now().strftime(str(form)[:200]),
    }  # fmt: skip
    return made


# -- sizes ---------------------------------------------------------------------------------------------------------
def _limit(size: float, most: float = CHARACTERS) -> None:
    if size > most:
        raise RlxError("RLX904", f"the chat template makes something of size {size:.4g}, the limit is {most:.4g}", at=None)


def _weight(value: Any) -> int:
    """Texts count by their characters, all else as one; of lists and dicts all they hold."""
    total, pending = 0, [value]
    while pending:
        part = pending.pop()
        total += 1 + (len(part) if isinstance(part, (str, bytes)) else 0)
        _limit(total)
        if isinstance(part, Mapping):
            pending += [*part.keys(), *part.values()]
        elif isinstance(part, (list, tuple)):
            pending += part
    return total


def _weighed(value: Any) -> Any:
    _weight(value)
    return value


def _joined(parts: Sequence[Any]) -> str:
    _weight(parts)
    return "".join(str(part) for part in parts)


def _check_binary(operator: str, left: Any, right: Any) -> None:
    """Before +, *, ** and %: how large the result would be."""
    if operator == "**" or (operator == "%" and isinstance(left, str)):
        raise RlxError("RLX904", f"the chat template uses {operator!r} where its result can have any size", at=None)
    sides = [side for side in (left, right) if isinstance(side, (str, list, tuple))]
    if operator == "+" and sides:
        _limit(sum(_weight(side) for side in sides))
    elif operator == "*" and sides:
        times = right if sides[0] is left else left
        _limit(_weight(sides[0]) * (times if isinstance(times, int) else 1))
    elif operator == "*" and isinstance(left, int) and isinstance(right, int):
        _limit(left.bit_length() + right.bit_length(), _BITS)


def _check_growth(name: str, text: str, arguments: Sequence[Any], named: Mapping[str, Any] | None = None) -> None:
    """Before replace, join and indent."""
    more = named or {}
    if name == "replace":
        old, new = (str(more.get(key, arguments[at] if len(arguments) > at else "")) for at, key in enumerate(("old", "new")))
        _limit(len(text) + text.count(old) * len(new))
    elif name == "join" and arguments:
        if not isinstance(arguments[0], (str, list, tuple)):
            raise RlxError("RLX904", "the chat template joins what is no list", fix="name | list | join", at=None)
        _limit(_weight(arguments[0]) + len(text) * len(arguments[0]))
    elif name == "indent":
        width = more.get("width", arguments[0] if arguments else 4)
        _limit(len(text) + (1 + text.count("\n")) * (width if isinstance(width, int) else len(str(width))))


def _bounded(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that looks at sizes first."""
    skip = 1 if hasattr(original, "jinja_pass_arg") else 0  # the environment or context comes before the value

    @wraps(original)
    def checked(*arguments: Any, **named: Any) -> Any:
        before, (value, *rest) = arguments[:skip], arguments[skip:]
        if name == "join":
            value = list(value)
            _check_growth("join", str(named.get("d", rest[0] if rest else "")), [value])
        elif name in ("replace", "indent"):
            value = str(value) if not isinstance(value, str) else value
            _check_growth(name, value, rest, named)
        return original(*before, value, *rest, **named)

    return checked


def _tojson(value: Any, ensure_ascii: bool = False, indent: int | None = None, separators: Any = None, sort_keys: bool = False) -> str:
    """JSON, not escaped for HTML."""
    _limit(_weight(value) * (1 + (indent if isinstance(indent, int) else len(str(indent)))))
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)
