"""CudaCode: a compiled graph as plain data, from which runners are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rlx.backends.base import Parts
from rlx.backends.cuda.driver import Driver
from rlx.backends.cuda.program import CudaProgram
from rlx.backends.cuda.runner import CudaRunner
from rlx.core.dim import Size
from rlx.core.report import Decision
from rlx.core.shape import Shape
from rlx.passes.context import Options
from rlx.passes.prepared import Derivation

__all__ = ["CudaCode"]


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

    @property
    def made_for(self) -> str:
        """The GPU's architecture."""
        return str(self.driver.target)

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
            name: f"{len(program.kernels)} kernels, {len(program.steps)} steps"
            for name, program in zip(("main", "prepare"), self.programs, strict=False)
        }

    def pack(self) -> Parts | None:
        """Programs are not stored yet; their compiled kernels are."""
        return None

    def runners(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[CudaRunner, CudaRunner | None]:
        """Main and prepare, each with its own memory."""
        main = CudaRunner(self.programs[0], self.driver, inputs, outputs)
        return main, CudaRunner(self.programs[1], self.driver) if len(self.programs) > 1 else None
