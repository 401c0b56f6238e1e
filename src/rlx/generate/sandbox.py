"""The sandbox of chat templates: jinja2's own, with limits on time and on the size of everything a template makes.

jinja2's sandbox keeps a template away from Python. It does not keep it from looping for ever or filling the memory; for that,
- nothing a template reaches is anything but plain data, and it calls only what real templates call (`template_checks`),
- each operator, call and filter is looked at before it runs, and its result after (`template_environment`); the rest of the language
  becomes filters (`template_tree`),
- all of it is charged to the rendering's budget of bytes and processor time (`template_budget`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlx.core.errors import RlxError
from rlx.generate.template_budget import Budget, current, refused

__all__ = ["sandboxed"]


def sandboxed(template: str, values: Mapping[str, Any]) -> str:
    """A template's text; what it complains of, does wrong, or does too long or too large is RLX904."""
    try:
        from rlx.generate.template_environment import compiled
    except ImportError:
        raise RlxError(
            "RLX803", "chat templates need the package jinja2", fix="pip install 'rlx[formats]'", at=None
        ) from None
    budget = Budget(values)
    try:
        program = compiled(template)
        budget.begin()
        token = current.set(budget)
        try:
            return _joined(program.generate(**budget.values), budget)
        finally:
            current.reset(token)
    except RlxError:
        raise
    except Exception as error:  # the template's own code raises what it likes, and so does its compiler
        raise _failure(error) from None


def _joined(pieces: Any, budget: Budget) -> str:
    texts, size = [], 0
    for piece in pieces:
        size += budget.weight(piece)
        budget.limit(size)
        texts.append(piece)
    return "".join(texts)


def _failure(error: Exception) -> RlxError:
    from jinja2 import TemplateError

    from rlx.generate.template_environment import COMPLAINT

    text = str(getattr(error, "message", None) or error)[:COMPLAINT]
    if isinstance(error, TemplateError):
        return refused(f"says: {text or type(error).__name__}")
    return refused(f"fails: {type(error).__name__}: {text}")
