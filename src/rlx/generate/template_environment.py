"""jinja2's environment for chat templates: set up like Hugging Face's, with every hook of its sandbox charged to the rendering's budget."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import Any

from jinja2 import Template, TemplateError, ext, nodes, pass_context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from rlx.generate import template_checks as checks
from rlx.generate import template_tree as tree
from rlx.generate.template_budget import current, refused

TEMPLATE_CHARACTERS = 1 << 16  # real ones have up to 20,000; compiling takes about a second at the limit
COMPLAINT = 1000  # characters of a template's own error message
_LOOP = frozenset(
    (
        "changed",
        "cycle",
        "depth",
        "depth0",
        "first",
        "index",
        "index0",
        "last",
        "length",
        "nextitem",
        "previtem",
        "revindex",
        "revindex0",
    )
)
_PLAIN_NAMESPACE: Any = ImmutableSandboxedEnvironment().globals["namespace"]


@lru_cache(maxsize=8)
def compiled(template: str) -> Template:
    """A template, ready to render within a budget."""
    if len(template) > TEMPLATE_CHARACTERS:
        raise refused(f"has {len(template)} characters, the limit is {TEMPLATE_CHARACTERS}")
    environment = _environment()
    syntax = tree.rewritten(environment.parse(template))
    return environment.from_string(syntax.set_environment(environment).set_lineno(1))


class Sandbox(ImmutableSandboxedEnvironment):
    """No access to Python, no mutation, nothing large."""

    intercepted_binops = frozenset(("+", "-", "*", "/", "//", "%"))
    intercepted_unops = frozenset(("+", "-"))

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """An operator of two operands."""
        budget = current.get()
        checks.before_operator(budget, operator, left, right)
        return budget.made(super().call_binop(context, operator, left, right))

    def call_unop(self, context: Any, operator: str, arg: Any) -> Any:
        """A sign."""
        return current.get().made(super().call_unop(context, operator, arg))

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Whether a template can access an attribute: from a list for each kind of data; any other object must be a loop."""
        if isinstance(obj, Namespace):
            return not attr.startswith("_")
        known = next((names for kind, names in checks.METHODS.items() if isinstance(obj, kind)), _LOOP)
        return attr in known and super().is_safe_attribute(obj, attr, value)

    def call(self, context: Any, function: Any, /, *arguments: Any, **named: Any) -> Any:
        """A function, macro or method."""
        budget = current.get()
        budget.limit(sum(budget.weight(argument) for argument in (*arguments, *named.values())))
        method = getattr(function, "__wrapped__", function)  # jinja2 wraps str.format
        text = getattr(method, "__self__", None)
        if isinstance(text, str):
            arguments = tuple(checks.before_method(budget, method.__name__, text, arguments, named))
        budget.enter()
        try:
            return budget.made(super().call(context, function, *arguments, **named))
        finally:
            budget.leave()


class GenerationBlock(ext.Extension):
    """`{% generation %}` marks the assistant's text, for training; here it is just its contents."""

    tags = {"generation"}  # noqa: RUF012  so the base class declares it

    def parse(self, parser: Any) -> nodes.Node:
        """The block, up to its end."""
        line = next(parser.stream).lineno
        return nodes.Scope(parser.parse_statements(("name:endgeneration",), drop_needle=True), lineno=line)


class Namespace(_PLAIN_NAMESPACE):  # type: ignore[misc]
    """jinja2's, but it prints without its contents, which can be recursive, and has no private names."""

    def __init__(self, /, *given: Any, **named: Any) -> None:
        super().__init__()
        for name, value in dict(*given, **named).items():
            self[name] = value

    def __setitem__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            raise refused(f"has a namespace with the name {name[:40]!r}", fix="names begin with a letter")
        super().__setitem__(name, value)

    def __repr__(self) -> str:
        return "<Namespace>"


@lru_cache(maxsize=1)
def _environment() -> Sandbox:
    made = Sandbox(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols", GenerationBlock], finalize=_written)
    made.filters = {f"plain {name}": made.filters[name] for name in checks.FILTERS}
    made.filters |= {name: _checked(name) for name in checks.FILTERS}
    made.filters |= {
        "tojson": _tojson,
        tree.MADE: _made,
        tree.CONCATENATED: _concatenated,
        tree.SLICED: _sliced,
        tree.STEPPED: _stepped,
        tree.CHARGED: _charged,
    }
    made.tests = {name: test for name, test in made.tests.items() if name in checks.TESTS}
    made.globals = {
        "range": made.globals["range"],
        "dict": _dict,
        "namespace": Namespace,
        "raise_exception": _raise_exception,
        "strftime_now": _strftime_now,
    }
    return made


# -- functions of templates -------------------------------------------------------------------------------------------
def _dict(*given: Any, **named: Any) -> dict[Any, Any]:
    return dict(*given, **named)


def _raise_exception(message: Any) -> str:
    raise TemplateError(str(message)[:COMPLAINT])


def _strftime_now(form: str) -> str:
    if len(form) > 200 or re.search(r"%-?[^A-Za-z%]", form):
        raise refused(f"writes the date as {form[:40]!r}")
    return datetime.now().strftime(form)


# -- filters: jinja2's, checked, and those that `template_tree` inserts; since they take the context, jinja2 does not fold them
def _checked(name: str) -> Any:
    @pass_context
    def checked(context: Any, value: Any, /, *arguments: Any, **named: Any) -> Any:
        budget = current.get()
        value = checks.before_filter(budget, name, value, arguments, named)
        budget.step()
        found = context.environment.call_filter(
            f"plain {name}", value, arguments, named, context=context, eval_ctx=context.eval_ctx
        )
        return budget.made(found)

    return checked


@pass_context
def _tojson(context: Any, value: Any, /, *arguments: Any, **named: Any) -> str:
    budget = current.get()
    text: str = budget.made(checks.tojson(budget, value, *arguments, **named))
    return text


@pass_context
def _written(context: Any, value: Any, /) -> Any:
    """The output: texts, and other values as Python prints them."""
    return current.get().made(value if isinstance(value, str) else str(value))


@pass_context
def _made(context: Any, value: Any, /) -> Any:
    return current.get().made(value)


@pass_context
def _concatenated(context: Any, parts: tuple[Any, ...], /) -> str:
    budget, texts, size = current.get(), [], 0
    for part in parts:
        text = part if isinstance(part, str) else budget.made(str(part))
        size += budget.weight(text)
        budget.limit(size)
        texts.append(text)
    joined: str = budget.made("".join(texts))
    return joined


@pass_context
def _sliced(context: Any, value: Any, /, start: Any, stop: Any, step: Any) -> Any:
    return current.get().note_part(value[start:stop:step], value)


@pass_context
def _stepped(context: Any, value: Any, /) -> Any:
    budget = current.get()
    budget.step(budget.weight(value))
    return value


@pass_context
def _charged(context: Any, size: int, /) -> None:
    current.get().charge(size)
