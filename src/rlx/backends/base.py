"""What a backend is, and which there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.core.given import check_is
from rlx.core.report import Report
from rlx.ir.graph import Graph
from rlx.ir.lir import Lir
from rlx.passes.context import Options

Array = npt.NDArray[Any]


class Runner(Protocol):
    """A compiled program with the memory it runs on."""

    threads: int

    def clone(self) -> Runner:
        """The same program with memory of its own; nothing is attached yet."""
        ...

    def uses(self, name: str) -> bool:
        """Whether it reads or writes a param, state or prepared value."""
        ...

    def attach(self, name: str, array: Array) -> None:
        """Give it the memory of a param, a state or a prepared value."""
        ...

    def fits(self, sizes: Mapping[str, int]) -> bool:
        """Whether every size that a run computes for these symbol values can be counted in 64 bits."""
        ...

    def run(self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """Read the inputs, write the outputs, update states and params in their memory."""
        ...

    def again(self, inputs: Sequence[object], outputs: Sequence[object]) -> bool:
        """Run on objects that may be arrays like those of the last run, in everything but address and content.

        False when they are not, or when that is not known; then nothing has been done.
        """
        ...

    def profiled(
        self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]
    ) -> list[tuple[str, str, float, int, int]]:
        """Run once and time every command: (kernel, origin, seconds, operations, bytes)."""
        ...


class Backend(Protocol):
    """A device: it lowers graphs to LIR, and LIR to something that runs."""

    name: str

    def lower(self, graph: Graph, options: Options, report: Report) -> Lir:
        """Passes and plan for this device."""
        ...

    def compile(self, lir: Lir, report: Report) -> Runner:
        """Something that runs."""
        ...


DEVICES = ("reference", "cpu")


def find_backend(name: str) -> Backend:
    """The backend of a device, loaded when first asked for."""
    check_is(name, str, "RLX404", "device", f"one of: {', '.join(DEVICES)}")
    if name == "reference":
        from rlx.backends.reference.backend import ReferenceBackend

        return ReferenceBackend()
    if name == "cpu":
        from rlx.backends.cpu.backend import CpuBackend

        return CpuBackend.shared()
    raise RlxError("RLX404", f"{name!r} is not a device", fix=f"one of: {', '.join(DEVICES)}")
