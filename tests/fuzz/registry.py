"""Emitters: how each op is put into a random graph. They are registered here by the op's name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.fuzz.generator import FLOATS, Maker

REAL = (*FLOATS, "i32", "i64", "u8")
ANY = (*REAL, "bool")
Emitter = Callable[[Maker], Any]
EMITTERS: dict[str, Emitter] = {}


def emitter(*names: str) -> Callable[[Callable[[Maker, str], Any]], Callable[[Maker, str], Any]]:
    """Register for ops by name."""

    def add(function: Callable[[Maker, str], Any]) -> Callable[[Maker, str], Any]:
        for name in names:
            EMITTERS[name] = lambda m, name=name: function(m, name)
        return function

    return add


def build(m: Maker, name: str, *operands: Any, **attrs: Any) -> Any:
    return getattr(m.graph, {"not": "not_", "and": "and_", "or": "or_"}.get(name, name))(*operands, **attrs)
