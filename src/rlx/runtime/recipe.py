"""Recipe: what a module is built from, as a name: the cache is looked up by it, so the module is built only on a miss."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rlx.backends.base import Backend
from rlx.core import cache
from rlx.core.dim import Dim
from rlx.ir.graph import Graph
from rlx.passes.entry import Options
from rlx.runtime.interface import Interface


@dataclass(frozen=True)
class Recipe:
    """What `rlx.compile` takes instead of a module that is slow to build.

    Two recipes with the same name build equal modules, in every process, with code of this package: so the disk cache can identify a
    program by that name, and its graph is built only if someone accesses it.
    """

    name: str
    build: Callable[[], Any]

    @cached_property
    def graph(self) -> Graph:
        """The MIR graph, built on first access."""
        from rlx.module.modules import as_mir_graph

        return as_mir_graph(self.build())

    def find(self, backend: Backend, options: Options) -> tuple[Interface, str] | None:
        """The interface of the compiled module and the name of its program in the cache, if it was ever compiled."""
        key = self._key(backend, options)
        return None if key is None else cache.read(key, _found)

    def store(self, backend: Backend, options: Options, interface: Interface, program: str) -> None:
        """Store what `find` returns."""
        key = self._key(backend, options)
        if key is not None:
            cache.store(key, json.dumps({"interface": interface.plain(), "program": program}).encode())

    def _key(self, backend: Backend, options: Options) -> str | None:
        return None if options.unversioned is not None else backend.key("recipe", self.name, options.key)


def _found(stored: bytes) -> tuple[Interface, str]:
    found = json.loads(stored)
    return Interface.read(found["interface"]), str(found["program"])


def described(value: Any) -> str:
    """An unambiguous text for a value, the same in every process: for the name of a recipe.

    >>> described({"seq": Dim("seq", max=8), "eps": 1e-5})
    '{"eps": 1e-05, "seq": (seq in 1..8)}'
    """
    match value:
        case Dim():
            bounds = sorted(f"{symbol.name} in {symbol.minimum}..{symbol.maximum}" for symbol in value.symbols())
            return f"({', '.join(bounds)})" if value.symbol is not None else f"({value}: {', '.join(bounds)})"
        case np.generic():
            return described(value.item())
        case None | bool() | int() | float():
            return repr(value)
        case str():
            return json.dumps(value)
        case tuple() | list():
            return f"[{', '.join(map(described, value))}]"
        case Mapping():
            return f"{{{', '.join(f'{described(key)}: {described(value[key])}' for key in sorted(value))}}}"
    if not is_dataclass(value):
        raise TypeError(f"{type(value).__name__} has no unambiguous text")
    parts = (f"{field.name}={described(getattr(value, field.name))}" for field in fields(value))
    return f"{type(value).__qualname__}({', '.join(parts)})"
