"""The sandbox of chat templates: jinja2's own, with limits on time and on the size of everything a template creates.

jinja2's sandbox keeps a template away from Python. It does not prevent infinite loops or memory exhaustion; therefore
- a template sees only plain data, and can call only what real templates call (`template_checks`),
- each operator, call and filter is checked before it runs, and its result afterwards (`template_environment`); the rest of the language
  becomes filters (`template_tree`),
- everything is charged to the rendering's budget of bytes and CPU time (`template_budget`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlx.core.errors import RlxError
from rlx.generate.template_budget import Budget, current, refused


def sandboxed(template: str, values: Mapping[str, Any]) -> str:
    """The rendered text; an error the template raises, a forbidden operation or an exceeded limit is RLX904."""
    try:
        from rlx.generate.template_environment import compiled
    except ImportError:
        raise RlxError("RLX803", "chat templates need the package jinja2", fix="pip install 'rlx[formats]'", at=None) from None
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
    except Exception as error:  # the template's own code can raise anything, and so can its compiler
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
