"""NativeCode: what the compiler made of a graph, as plain data. Cached, saved, and turned into runners."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rlx.backends.cpu.program import Program, pack_program, unpack_program
from rlx.backends.cpu.runner import CpuRunner
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, Symbol
from rlx.core.errors import RlxError
from rlx.core.report import Entry as Decision
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.lir import Lir
from rlx.ir.parse import Parser
from rlx.passes.context import Options
from rlx.runtime.interface import Interface

Parts = tuple[bytes, ...]


@dataclass(frozen=True)
class NativeCode:
    """The programs of an executable: main, and prepare where something depends on params alone.

    `prepared` are the shapes of what prepare computes; `memory` the sizes a plan decided, as expressions of the symbols.
    """

    programs: tuple[Program, ...]
    prepared: Mapping[str, Shape]
    memory: Mapping[str, Size]
    target: Target
    options: Options
    decisions: tuple[Decision, ...] = ()  # what the report said while this was compiled

    @staticmethod
    def build(lir: Lir, backend: Any, options: Options, report: Report) -> NativeCode:
        """Compile a lowered graph."""
        prepared: dict[str, Shape] = {}
        memory: dict[str, Size] = {"arena": lir.arena, "scratch": lir.scratch}
        if lir.prepare is not None:
            prepared = {name: lir.prepare.graph.shape(ref) for name, ref in lir.prepare.graph.outputs.items()}
            memory |= {"prepare arena": lir.prepare.arena, "prepare scratch": lir.prepare.scratch}
        programs = backend.build_all((lir,) if lir.prepare is None else (lir, lir.prepare), report)
        return NativeCode(programs, prepared, memory, backend.target, options, tuple(report.entries))

    # -- as bytes
    @property
    def host_calls(self) -> tuple[str, ...]:
        """Kernels that are Python functions: code with one runs in this process only."""
        return tuple(sorted({stage.name for program in self.programs for stage in program.hosts.values()}))

    def manifest(self) -> dict[str, Any]:
        """Everything but the programs, as JSON data."""
        return {
            "prepared": {name: str(shape) for name, shape in self.prepared.items()},
            "memory": {name: str(size) for name, size in self.memory.items()},
            "target": asdict(self.target),
            "options": asdict(self.options),
            "decisions": [asdict(decision) for decision in self.decisions],
        }

    def pack(self) -> Parts:
        """The manifest and the programs, each as bytes."""
        return (json.dumps(self.manifest()).encode(), *(pack_program(program) for program in self.programs))

    @staticmethod
    def unpack(parts: Parts, symbols: Mapping[str, Symbol]) -> NativeCode:
        """The inverse of `pack`; the symbols are those of its graph."""
        return NativeCode.read(json.loads(parts[0]), tuple(unpack_program(part) for part in parts[1:]), symbols)

    @staticmethod
    def read(manifest: Mapping[str, Any], programs: tuple[Program, ...], symbols: Mapping[str, Symbol]) -> NativeCode:
        """From a manifest and programs."""
        prepared = {name: Parser(text).shape({}) for name, text in manifest["prepared"].items()}
        memory = {name: Parser(text).size(dict(symbols)) for name, text in manifest["memory"].items()}
        decisions = tuple(Decision(**decision) for decision in manifest["decisions"])
        target = Target(**manifest["target"])
        if not all(isinstance(text, str) for text in (target.triple, target.cpu, target.features)):
            raise RlxError("RLX303", f"it is made for {target}", fix="save it again with this version", at=None)
        return NativeCode(programs, prepared, memory, target, Options(**manifest["options"]), decisions)

    def describe(self, report: Report, *, anew: bool) -> None:
        """Complete a report: what was decided when this was compiled, unless that was just now, and what the plan takes."""
        if not anew:
            report.entries[:0] = self.decisions
        for name, program in zip(("main", "prepare"), self.programs, strict=False):
            table = program.table
            size = sum(map(len, program.objects))
            report.facts[name] = f"{len(table.kernels)} kernels, {len(table.commands)} commands, {size} bytes of code"
        report.facts |= {f"bytes of {name}": str(size) for name, size in self.memory.items()}

    # -- as something that runs
    def runners(self, interface: Interface) -> tuple[CpuRunner, CpuRunner | None]:
        """Main and prepare, each with memory of its own."""
        main = CpuRunner(self.programs[0])
        main.order(tuple(interface.inputs), tuple(interface.outputs))
        if len(self.programs) == 1:
            return main, None
        prepare = CpuRunner(self.programs[1])
        prepare.order((), tuple(self.prepared))
        return main, prepare


def check_runs_here(target: Target, what: str) -> None:
    """Raise RLX407 unless this machine has the instruction set that code was made for."""
    host = Target.host()
    family = target.triple.split("-")[0]
    if family != host.triple.split("-")[0]:
        raise RlxError("RLX407", f"{what} holds code for {family}, this machine is {host.triple.split('-')[0]}", fix=_AGAIN)
    system = _system(target.triple)
    if system != _system(host.triple):
        raise RlxError("RLX407", f"{what} holds code for {system}, this machine runs {_system(host.triple)}", fix=_AGAIN)
    missing = [name for name in _enabled(target) if name not in _enabled(host)]
    if missing:
        message = f"{what} holds code for {target.cpu} with {', '.join(missing)}; this CPU, {host.cpu}, has not"
        raise RlxError("RLX407", message, fix=_AGAIN)


_AGAIN = "compile the module here and save it again, or compile with RLX_CPU naming the oldest machine it is to run on"


def _enabled(target: Target) -> list[str]:
    return [item[1:] for item in target.features.split(",") if item.startswith("+")]


def _system(triple: str) -> str:
    for name in ("linux", "darwin", "macosx", "windows"):
        if name in triple:
            return "darwin" if name == "macosx" else name
    return triple
