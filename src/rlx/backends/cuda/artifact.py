"""CudaCode: a compiled graph as plain data, from which runners are made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from rlx.backends.base import Parts
from rlx.backends.cuda.driver_interface import Driver, GpuTarget
from rlx.backends.cuda.program import CudaProgram
from rlx.backends.cuda.runner import CudaRunner
from rlx.backends.cuda.stored import pack_program, unpack_program
from rlx.backends.cuda.triton_compile import remember
from rlx.core.dim import Size, Symbol
from rlx.core.errors import RlxError, counted
from rlx.core.report import Decision
from rlx.core.shape import Shape
from rlx.ir.parse import Parser
from rlx.passes.entry import Options
from rlx.passes.prepared_analysis import Derivation

_FORMAT = 2


@dataclass(frozen=True)
class CudaCode:
    """The programs of an executable: main, and prepare if something depends only on params."""

    programs: tuple[CudaProgram, ...]
    driver: Driver
    options: Options
    prepared: Mapping[str, Shape] = field(default_factory=dict)
    derivations: Mapping[str, Derivation] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    donations: tuple[tuple[str, str], ...] = ()
    target: GpuTarget | None = None
    """What it was compiled for, where that is not the GPU it came to."""

    @property
    def made_for(self) -> str:
        """The GPU's architecture."""
        return str(self.target or self.driver.target)

    @property
    def memory(self) -> dict[str, Size]:
        """The arenas of its programs, and what the numbers of launches take."""
        found: dict[str, Size] = {"arena": self.programs[0].arena, "scratch": 0}
        if len(self.programs) > 1:
            found["prepare arena"] = self.programs[1].arena
        return found

    @property
    def host_calls(self) -> tuple[str, ...]:
        """Ops that run on the host."""
        return tuple(sorted({name for program in self.programs for name in program.host_steps}))

    def summary(self) -> dict[str, str]:
        """Main and prepare: kernels and launches."""
        return {
            name: f"{counted(len(program.kernels), 'kernel')}, {counted(len(program.steps), 'step')}"
            for name, program in zip(("main", "prepare"), self.programs, strict=False)
        }

    # -- as bytes
    def pack(self) -> Parts | None:
        """A manifest and the programs with their cubins, each as bytes; None if a step runs on the host."""
        if self.host_calls:
            return None
        manifest = {
            "format": _FORMAT,
            "target": self.driver.target.capability,
            "prepared": {name: str(shape) for name, shape in self.prepared.items()},
            "derivations": {
                name: [made_of.key, list(made_of.params), dict(made_of.inverse)] for name, made_of in self.derivations.items()
            },
            "options": self.options.plain(),
            "decisions": [asdict(decision) for decision in self.decisions],
            "donations": self.donations,
        }
        programs = (pack_program(program, self.driver.machine_code) for program in self.programs)
        return (json.dumps(manifest).encode(), *programs)

    @staticmethod
    def unpack(parts: Parts, symbols: Mapping[str, Symbol], driver: Driver) -> CudaCode:
        """The inverse of `pack`; the symbols are those of its graph."""
        manifest = json.loads(parts[0])
        if manifest.get("format") != _FORMAT:
            fix = "compile it again with this one"
            raise RlxError("RLX303", "the program was compiled by another version of RLX", fix=fix, at=None)
        target = GpuTarget(int(manifest["target"]))
        programs = []
        for part in parts[1:]:
            program, cubins = unpack_program(part, symbols)
            for key, cubin in cubins.items():
                remember(key, target, cubin)
            programs.append(program)
        prepared = {name: Parser(text).shape({}) for name, text in manifest["prepared"].items()}
        made_of = {
            name: Derivation(key, tuple(params), {param: tuple(map(tuple, steps)) for param, steps in inverse.items()})
            for name, (key, params, inverse) in manifest["derivations"].items()
        }
        decisions = tuple(Decision(**decision) for decision in manifest["decisions"])
        donations = tuple((str(source), str(result)) for source, result in manifest["donations"])
        options = Options(**manifest["options"])
        return CudaCode(tuple(programs), driver, options, prepared, made_of, decisions, donations, target)

    def runners(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[CudaRunner, CudaRunner | None]:
        """Main and prepare, each with its own memory."""
        main = CudaRunner(self.programs[0], self.driver, inputs, outputs)
        return main, CudaRunner(self.programs[1], self.driver) if len(self.programs) > 1 else None
