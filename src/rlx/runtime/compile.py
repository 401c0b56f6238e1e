"""rlx.compile and rlx.graphs.lower: from a graph or module to something that runs."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np

from rlx.backends.base import Artifact, Backend, Parts
from rlx.backends.registry import find_backend
from rlx.core import cache, config
from rlx.core.cache import Recent
from rlx.core.dim import Dim
from rlx.core.errors import RlxError, check_is, check_options
from rlx.core.report import Report
from rlx.core.this_process import pause_collection
from rlx.ir.graph import Graph
from rlx.ir.parse_lir import Lir
from rlx.passes.entry import Options
from rlx.runtime.executable import Executable
from rlx.runtime.interface import Interface
from rlx.runtime.session import Session
from rlx.runtime.tracebacks import Dump

# -- recipe: what a module is built from, as a name: the cache is looked up by it, so the module is built only on a miss


@dataclass(frozen=True)
class Recipe:
    """A name and a builder, which `rlx.compile` takes instead of a module that is slow to build.

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
        """Reads the interface of the compiled module and its program's cache name, if the recipe was ever compiled."""
        key = self._key(backend, options)
        return None if key is None else cache.read(key, _read_description)

    def store(self, backend: Backend, options: Options, interface: Interface, program: str) -> None:
        """Stores what `find` returns."""
        key = self._key(backend, options)
        if key is not None:
            cache.store(key, json.dumps({"interface": interface.plain(), "program": program}).encode())

    def _key(self, backend: Backend, options: Options) -> str | None:
        return None if options.unversioned is not None else backend.key("recipe", self.name, options.key)


def _read_description(stored: bytes) -> tuple[Interface, str]:
    description = json.loads(stored)
    return Interface.read(description["interface"]), str(description["program"])


def described(value: Any) -> str:
    """An unambiguous text for a value, the same in every process; recipe names contain it.

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


if TYPE_CHECKING:
    from rlx.module.levels import LirModule

_memory: Recent[str, Parts] = Recent(32, 256 << 20, lambda parts: sum(map(len, parts)))
"""Recently compiled or loaded code, by its cache key: at most 32 programs and 256 MB."""


def make_options(options: Mapping[str, Any], what: str = "compile", more: Iterable[str] = ("device", "session")) -> Options:
    """Builds `Options` from keyword arguments; the error for an unknown name lists those of `what` too (`more`)."""
    known = [field.name for field in fields(Options)]
    check_options([name for name in options if name not in known], (*more, *known), what, "RLX406")
    return Options(**options)


@pause_collection()
def lower(module: Any, device: str = "cpu", **options: Any) -> LirModule:
    """The LIR of a graph or module for a device: optimized graph, plan, schedule.

    >>> from rlx import Graph
    >>> g = Graph("double"); x = g.input("x", (4,), "f32"); g.set_outputs({"y": x + x})
    >>> lower(g, "reference").name
    'double'
    """
    from rlx.ir.verify import verify
    from rlx.module.levels import LirModule
    from rlx.module.modules import as_mir_graph

    graph = as_mir_graph(module)
    verify(graph)
    chosen = make_options(options)
    backend = find_backend(device)
    return LirModule(backend.lower(graph, chosen, Report(strict=chosen.strict)), backend.listings)


@pause_collection()
def compile_module(module: Any, device: str | None = None, *, session: Session | None = None, **options: Any) -> Executable:
    """Compile a graph, a module, or a recipe of one.

    `device` is "cpu" (native code), "reference" (NumPy, the definition), or another of `rlx.devices()`. With a session, params and states
    are shared with everything compiled in it; without, the executable has its own. The options are those of `rlx.passes.entry.Options`;
    `strict=True` makes every silent choice an error, `excess_precision=False` rounds each op's result in f16 and bf16, `passes=[...]` adds
    passes of your own (`rlx.Pass`).

    >>> import numpy as np; from rlx import Graph
    >>> g = Graph("double"); x = g.input("x", (4,), "f32"); g.set_outputs({"y": x + x})
    >>> compile_module(g, "reference")(x=np.ones(4, np.float32))
    array([2., 2., 2., 2.], dtype=float32)
    """
    start = time.perf_counter()
    report = Report()
    with report.phase("other"):
        executable = _compile(module, device, session, options, report)
    report.time("total", time.perf_counter() - start)
    return executable


compile = compile_module  # its public name


def _compile(module: Any, device: str | None, session: Session | None, options: dict[str, Any], report: Report) -> Executable:
    """Implements `compile_module`; the report times each phase."""
    check_is(session, (Session, NoneType), "RLX406", "session", "a Session: rlx.Session('cpu')")
    check_is(device, (str, NoneType), "RLX404", "device", "a name of rlx.devices()")
    if session is not None and device is not None and device != session.device:
        raise RlxError("RLX406", f"device {device!r} in a session of {session.device!r}", fix="omit device, or use another session")
    with report.phase("load the device"):
        session = Session("cpu" if device is None else device) if session is None else session
        backend = find_backend(session.device)
    chosen = make_options(options)
    report.strict = chosen.strict
    if chosen.trap_nan and chosen.fuse:
        chosen = replace(chosen, fuse=False)
        report.add("compile", "trap_nan", "every value is checked: no fusion, nothing runs in place")
    recipe = module if isinstance(module, Recipe) else None
    executable = None if recipe is None else _from_recipe(recipe, backend, chosen, session, report)
    if executable is None:
        with report.phase("check the graph"):
            graph = _mir_graph(module)
        executable = _from_graph(graph, recipe, backend, chosen, session, report)
    return executable


def _mir_graph(module: Any) -> Graph:
    """The MIR graph of a module or recipe; its shapes are not yet verified."""
    from rlx.ir.verify import verify_structure
    from rlx.module.modules import as_mir_graph

    graph = module.graph if isinstance(module, Recipe) else as_mir_graph(module)
    if not graph.output_refs and not graph.updates and not graph.has_effect:
        raise RlxError("RLX114", f"graph {graph.name!r} has no outputs", fix="graph.set_outputs({...}) before compiling")
    verify_structure(graph)
    return graph


def _from_recipe(recipe: Recipe, backend: Backend, options: Options, session: Session, report: Report) -> Executable | None:
    """Loads a compiled recipe from the caches by its name; the graph is built only on first access."""
    with report.phase("look in the caches"):
        cached = None if config.DUMP.read() else recipe.find(backend, options)
    if cached is None:
        return None
    interface, name = cached
    session.declare_all(interface.entries())

    def make(artifact: Artifact) -> Executable:
        lower = functools.partial(_lowered_again, backend, lambda: recipe.graph, options)
        return Executable.of_code(interface, lambda: recipe.graph, session, report, lower, artifact)

    return _from_caches(name, backend, interface, make, report, "; the graph was not built")


def _from_graph(
    graph: Graph, recipe: Recipe | None, backend: Backend, options: Options, session: Session, report: Report
) -> Executable:
    """Compiles a graph for the session's device, or loads the code from the caches by the graph's content, already verified."""
    from rlx.ir.verify import verify_shapes
    from rlx.ops.control.custom_values import holds_user_op

    with report.phase("cache key"):
        interface = Interface.of(graph)
        unkept = (
            "it holds registered ops or callbacks" if holds_user_op(graph) else None
        )  # the cache key does not contain their code
        if options.unversioned is not None:
            unkept = f"pass {options.unversioned!r} has no version"
        name = None if unkept is not None else backend.key(graph.fingerprint(), options.key)
    dump = Dump.wanted(graph, backend, report)
    made: Lir | None = None

    def make(artifact: Artifact) -> Executable:
        session.declare_all(interface.entries())
        lower = functools.partial(_lowered_again, backend, lambda: graph, options)
        return Executable.of_code(interface, lambda: graph, session, report, lambda: made or lower(), artifact)

    executable = None if name is None or dump is not None else _from_caches(name, backend, interface, make, report)
    if executable is None:
        with report.phase("check the graph"):
            verify_shapes(graph)
            session.declare_all(interface.entries())  # may raise, so before the slow compilation
        report.show("built", graph)
        with report.phase("lower"):
            made = backend.lower(graph, options, report)
        with report.phase("compile"):
            artifact = backend.compile(made, options, report)
        with report.phase("store in the caches"):
            _keep(name, artifact, report, unkept or f"{backend.name!r} has no cache")
        describe(artifact, report, compiled_now=True)
        with report.phase("make the executable"):
            executable = make(artifact)
    if name is not None and recipe is not None:
        with report.phase("store in the caches"):
            recipe.store(backend, options, interface, name)
    if dump is not None:
        dump.finish(report)
    return executable


def _lowered_again(backend: Backend, graph: Callable[[], Graph], options: Options) -> Lir:
    """Lowers a cached program's graph again when its plan is accessed."""
    return backend.lower(graph(), options, Report())


def _keep(name: str | None, artifact: Artifact, report: Report, why_not: str) -> None:
    """Stores compiled code in the caches, if it can be cached."""
    parts = None if name is None else artifact.pack()
    if name is None or parts is None:
        why = f"it calls Python ({', '.join(artifact.host_calls)})" if artifact.host_calls else why_not
        report.add("compile", "cache", f"compiled; not stored, {why}")
        return
    why_not = cache.store(name, _join(parts))
    _memory[name] = parts
    report.add("compile", "cache", f"compiled; {why_not}" if why_not else "compiled and stored")


def _from_caches(
    name: str, backend: Backend, interface: Interface, make: Callable[[Artifact], Executable], report: Report, note: str = ""
) -> Executable | None:
    """Loads and decodes a cache entry; drops a disk entry that cannot be decoded."""

    def read(parts: Parts) -> tuple[Parts, Artifact, Executable]:
        artifact = backend.unpack(parts, interface.symbols)
        return parts, artifact, make(artifact)

    with report.phase("look in the caches"):
        remembered = _memory.get(name)
        stored = cache.read(name, lambda blob: read(_split_blob(blob))) if remembered is None else read(remembered)
    if stored is None:
        return None
    parts, artifact, executable = stored
    _memory[name] = parts
    report.add("compile", "cache", f"loaded from {'disk' if remembered is None else 'memory'}{note}")
    describe(artifact, report, compiled_now=False)
    return executable


def describe(artifact: Artifact, report: Report, *, compiled_now: bool) -> None:
    """Completes a compile report with the memory of the plan, and for cached code with the decisions made at compile time."""
    if not compiled_now:
        report.entries[:0] = artifact.decisions
    report.facts |= artifact.summary()
    report.facts |= {f"bytes of {name}": str(size) for name, size in artifact.memory.items()}


def _join(parts: Parts) -> bytes:
    return b"".join(len(part).to_bytes(8, "little") + part for part in parts)


def _split_blob(blob: bytes) -> Parts:
    parts = []
    while blob:
        size = int.from_bytes(blob[:8], "little")
        parts.append(blob[8 : 8 + size])
        blob = blob[8 + size :]
    return tuple(parts)
