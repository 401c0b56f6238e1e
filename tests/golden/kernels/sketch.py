"""Small graphs whose kernels are written down, one function to a listing, and the LLVM text that is emitted for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import rlx
from rlx import Value
from rlx.backends.registry import find_backend
from rlx.core.report import Report
from rlx.ir.parse_lir import Lir
from rlx.ir.text import render
from rlx.passes.entry import Options

AVX2 = "x86_64-avx2"
TARGETS = (AVX2, "x86_64-avx512", "aarch64")
"""What kernels are written down for, unless their functions say otherwise: names that RLX_CPU takes. No size that is
tuned, and nothing of the machine that emits, is in them."""


class Sketch:
    """A graph under construction, whose leaves are named as they come."""

    def __init__(self, name: str) -> None:
        self.graph = rlx.Graph(name)
        self._inputs = self._params = 0

    def x(self, *dims: Any, dtype: str = "f32") -> Value:
        """The next input."""
        self._inputs += 1
        return self.graph.input(f"x{self._inputs}", dims, dtype)

    def w(self, *dims: int, dtype: str = "f32", scheme: str | None = None) -> Value:
        """The next param, dense or in a storage scheme."""
        self._params += 1
        stored = {"dtype": dtype} if scheme is None else {"scheme": scheme}
        return self.graph.param(f"w{self._params}", dims, **stored)


Build = Callable[[Sketch], "Value | tuple[Value, ...]"]


@dataclass(frozen=True)
class Listing:
    """The kernels of one graph, and the targets they are written down for."""

    build: Build
    targets: tuple[str, ...] = TARGETS
    kernel: str = ""
    """The only one that is written down; empty: all of the program."""
    prepare: bool = False
    """The program that computes what depends on params alone, instead of a run's."""
    options: dict[str, Any] = field(default_factory=dict)

    def graph(self) -> rlx.Graph:
        """The graph, built anew."""
        sketch = Sketch(self.build.__name__)
        made = self.build(sketch)
        values = made if isinstance(made, tuple) else (made,)
        sketch.graph.set_outputs({f"y{number}": value for number, value in enumerate(values, 1)})
        return sketch.graph

    def lowered(self, target: str) -> Lir:
        """The program before its kernels are emitted."""
        with compiling_for(target):
            lir = find_backend("cpu").lower(self.graph(), Options(**self.options), Report())
        assert not self.prepare or lir.prepare is not None
        return lir.prepare if self.prepare else lir  # type: ignore[return-value]

    def text(self, target: str) -> str:
        """The LLVM text as it is emitted, below the graph it is emitted for."""
        texts = [text for text in _emitted(self.lowered(target), target) if f"@{self.kernel}" in text]
        said = [f"{name}={value}" for name, value in self.options.items()] + ["prepare"] * self.prepare
        head = " ".join([f"kernels for {target}", *(f"| {setting}" for setting in said)])
        lines = [head, *render(self.graph(), origins=False).splitlines()]
        return "\n".join([*(f"; {line}".rstrip() for line in lines), "", *texts])


LISTINGS: dict[str, Listing] = {}
"""The set, by name."""


def listing(*targets: str, kernel: str = "", prepare: bool = False, **options: Any) -> Callable[[Build], Build]:
    """Put a graph into the set, under the name of the function that builds it."""

    def put(build: Build) -> Build:
        LISTINGS[build.__name__] = Listing(build, targets or TARGETS, kernel, prepare, options)
        return build

    return put


@contextmanager
def compiling_for(target: str) -> Iterator[None]:
    """The backend emits for a target, whatever this machine is and the environment says."""
    with patch.dict(os.environ, {"RLX_CPU": target, "RLX_CANARIES": "0"}):
        yield


class _Seen(Exception):
    """All kernels are emitted: nothing needs to be compiled any more."""


def _emitted(lir: Lir, target: str) -> list[str]:
    """What a program's kernels are compiled from, as RLX_DUMP sees it."""
    found: list[str] = []

    def watch(stage: str, thing: Any) -> None:
        found.extend(thing)
        raise _Seen

    try:
        with compiling_for(target):
            find_backend("cpu").build(lir, Report(watch=watch))  # type: ignore[attr-defined]
    except _Seen:
        return found
    raise AssertionError("the backend shows nobody what it emits")
