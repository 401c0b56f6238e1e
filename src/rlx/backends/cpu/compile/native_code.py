"""NativeCode: a compiled graph as plain data. Cached, saved, and turned into runners."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from functools import lru_cache, partial
from types import TracebackType
from typing import TYPE_CHECKING

from rlx.backends.base import Parts
from rlx.backends.cpu.compile.codegen import llvm_version
from rlx.backends.cpu.compile.program import Program, pack_program, unpack_program
from rlx.backends.cpu.run.runner import CpuRunner
from rlx.backends.cpu.run.thread_pool import available_threads
from rlx.backends.cpu.target import Target, instruction_sets
from rlx.core.dim import Size, Symbol
from rlx.core.errors import RlxError, count_of
from rlx.core.report import Decision, Report
from rlx.core.shape import Shape
from rlx.ir.parse import Parser
from rlx.ir.parse_lir import Lir
from rlx.passes.entry import Options
from rlx.passes.prepared_analysis import Derivation, derivations

if TYPE_CHECKING:
    from rlx.backends.cpu.backend import CpuBackend


_FORMAT = 2
"""Of what is stored: before, sessions packed the weights that are stored in blocks, and prepare ran as a whole."""


@dataclass(frozen=True)
class NativeCode:
    """The programs of an executable: main, and prepare if something depends only on params.

    `prepared` are the shapes of what prepare computes, `derivations` what it is computed from; `memory` the planned sizes, as
    expressions of the symbols.
    """

    programs: tuple[Program, ...]
    prepared: Mapping[str, Shape]
    memory: Mapping[str, Size]
    target: Target
    options: Options
    decisions: tuple[Decision, ...] = ()  # the report's entries from compilation
    derivations: Mapping[str, Derivation] = field(default_factory=dict)
    donations: tuple[tuple[str, str], ...] = ()  # (input, output): which outputs can use the memory of which inputs

    @staticmethod
    def build(lir: Lir, backend: CpuBackend, options: Options, report: Report) -> NativeCode:
        """Compiles a lowered graph to native code."""
        prepared: dict[str, Shape] = {}
        made_of: dict[str, Derivation] = {}
        memory: dict[str, Size] = {"arena": lir.arena, "scratch": lir.scratch}
        if lir.prepare is not None:
            prepared = {name: lir.prepare.graph.shape(ref) for name, ref in lir.prepare.graph.output_refs.items()}
            memory |= {"prepare arena": lir.prepare.arena, "prepare scratch": lir.prepare.scratch}

        def derive() -> None:
            if lir.prepare is not None:
                made_of.update(derivations(lir.prepare.graph, repr(backend.target), options.trap_nan))

        programs = backend.build_all((lir,) if lir.prepare is None else (lir, lir.prepare), report, derive)
        return NativeCode(programs, prepared, memory, backend.target, options, tuple(report.entries), made_of, lir.donations)

    # -- description
    @property
    def made_for(self) -> str:
        """The name of the CPU that the code was compiled for."""
        return f"{self.target.cpu} ({', '.join(instruction_sets(self.target)) or 'the baseline'}), {self.target.triple}"

    @property
    def host_calls(self) -> tuple[str, ...]:
        """The kernels that are Python functions: code with one runs only in this process."""
        return tuple(sorted({stage.name for program in self.programs for stage in program.hosts.values()}))

    def summary(self) -> dict[str, str]:
        """Describes main and prepare: kernels, commands, bytes of code."""
        lines = {}
        for name, program in zip(("main", "prepare"), self.programs, strict=False):
            table, size = program.table, sum(map(len, program.objects))
            work = f"{count_of(len(table.kernels), 'kernel')}, {count_of(len(table.commands), 'command')}"
            lines[name] = f"{work}, {count_of(size, 'byte')} of code"
        return lines

    # -- as bytes
    def pack(self) -> Parts | None:
        """Packs a manifest and the programs, each as bytes; None if one calls Python."""
        if self.host_calls:
            return None
        manifest = {
            "format": _FORMAT,
            "prepared": {name: str(shape) for name, shape in self.prepared.items()},
            "derivations": {
                name: [made_of.key, list(made_of.params), dict(made_of.inverse)] for name, made_of in self.derivations.items()
            },
            "memory": {name: str(size) for name, size in self.memory.items()},
            "target": asdict(self.target),
            "options": self.options.plain(),
            "decisions": [asdict(decision) for decision in self.decisions],
            "donations": self.donations,
            "llvm": list(llvm_version()),
        }
        return (json.dumps(manifest).encode(), *(pack_program(program) for program in self.programs))

    @staticmethod
    def unpack(parts: Parts, symbols: Mapping[str, Symbol]) -> NativeCode:
        manifest = json.loads(parts[0])
        if manifest.get("format") != _FORMAT:
            fix = "compile it again with this one"
            raise RlxError("RLX303", "the program was compiled by another version of RLX", fix=fix, at=None)
        prepared = {name: Parser(text).shape({}) for name, text in manifest["prepared"].items()}
        made_of = {
            name: Derivation(key, tuple(params), {param: tuple(map(tuple, steps)) for param, steps in inverse.items()})
            for name, (key, params, inverse) in manifest["derivations"].items()
        }
        memory = {name: Parser(text).size(dict(symbols)) for name, text in manifest["memory"].items()}
        decisions = tuple(Decision(**decision) for decision in manifest["decisions"])
        programs = tuple(unpack_program(part) for part in parts[1:])
        target = Target(**manifest["target"])
        if not all(isinstance(text, str) for text in (target.triple, target.cpu, target.features)):
            raise RlxError("RLX303", f"it is made for {target}", fix="save it again with this version", at=None)
        donations = tuple((str(source), str(result)) for source, result in manifest["donations"])
        return NativeCode(programs, prepared, memory, target, Options(**manifest["options"]), decisions, made_of, donations)

    # -- running
    def runners(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[CpuRunner, CpuRunner | None]:
        allowed = partial(check_runs_here, self.target, "the executable")
        main = CpuRunner(self.programs[0], allowed=allowed)
        main.order(inputs, outputs)
        if len(self.programs) == 1:
            return main, None
        return main, CpuRunner(self.programs[1], allowed=allowed)


def check_runs_here(target: Target, what: str) -> None:
    """Raises RLX407 unless this machine has the instruction set that the code was compiled for."""
    host = Target.host()
    family = target.triple.split("-")[0]
    if family != host.triple.split("-")[0]:
        raise RlxError("RLX407", f"{what} has code for {family}, this machine is {host.triple.split('-')[0]}", fix=_AGAIN)
    system = _system(target.triple)
    if system != _system(host.triple):
        raise RlxError("RLX407", f"{what} has code for {system}, this machine runs {_system(host.triple)}", fix=_AGAIN)
    missing = sorted(target.required - host.enabled)
    if missing:
        message = f"{what} has code for {target.cpu} with {', '.join(missing)}; this CPU, {host.cpu}, does not have them"
        raise RlxError("RLX407", message, fix=_AGAIN)


_AGAIN = "compile the module here and save it again, or compile with RLX_CPU set to the oldest machine it should run on"


def _system(triple: str) -> str:
    for name in ("linux", "darwin", "macosx", "windows"):
        if name in triple:
            return "darwin" if name == "macosx" else name
    return triple


# -- kernels are compiled in parallel, while the next ones are still being emitted -----------------------------------


_MOST_THREADS = 8
"""More do not help: a program has about ten kernels, and one of them takes a fifth of the time."""


_SWITCH_INTERVAL = 0.0003
"""Seconds after which a thread that emits hands the GIL to one that compiles. Python's default is 5 ms, and a compiling thread needs
the GIL between each two of a dozen calls of LLVM: at 1 ms the first kernels waited 25 ms for 2 ms of work."""


class _FrequentSwitches:
    """Shortens Python's thread switch interval while something is inside; restores it afterwards."""

    def __init__(self) -> None:
        self._lock, self._inside, self._before = threading.Lock(), 0, 0.0

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._before = sys.getswitchinterval()
                sys.setswitchinterval(min(self._before, _SWITCH_INTERVAL))

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                sys.setswitchinterval(self._before)


_frequent_switches = _FrequentSwitches()


class Compilation:
    """Compiles texts passed to `submit` in the background, equal ones once; `objects` waits for its texts.

    LLVM runs without the GIL, so the next kernel is emitted in the meantime.
    """

    def __init__(self, compile: Callable[[str], bytes]) -> None:
        self._compile = compile
        self._objects: dict[str, Future[bytes]] = {}

    def __enter__(self) -> Compilation:
        _frequent_switches.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for running in self._objects.values():
            running.cancel()
        wait(self._objects.values())
        _frequent_switches.__exit__()

    def submit(self, text: str) -> None:
        """Starts compiling a module's text."""
        if text not in self._objects:
            self._objects[text] = _threads().submit(self._compile, text)

    def objects(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        """The object code of some of the texts."""
        return tuple(self._objects[text].result() for text in texts)


@lru_cache(maxsize=1)
def _threads() -> ThreadPoolExecutor:
    """The process's compiling threads. They stay, since creating an LLVM machine takes longer than compiling a small kernel."""
    return ThreadPoolExecutor(min(available_threads(), _MOST_THREADS), thread_name_prefix="rlx-compile")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)  # a forked child has none of its parent's threads
