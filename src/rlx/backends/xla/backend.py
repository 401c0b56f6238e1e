"""The `xla` device: MIR as a JAX function, compiled by XLA for whatever JAX runs on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import jax

from rlx.backends.base import Parts
from rlx.backends.plain import OneCommandEach, Plain
from rlx.backends.xla.arrays import XlaArrays
from rlx.backends.xla.program import XlaArtifact
from rlx.backends.xla.stored import unpack_artifact
from rlx.backends.xla.tracing import how
from rlx.core.dim import Symbol
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.core.sharding import Mesh, P
from rlx.ir.graph import Graph, Node
from rlx.ir.op import Op, OpDef
from rlx.ir.parse_lir import Lir
from rlx.passes.entry import LEFT_TO_XLA, Options, Pass
from rlx.plan.schedule import plan


def _calls(graph: Graph) -> set[tuple[bool, str]]:
    """What a program calls in Python: functions that the user wrote into it (True), and records that only NumPy computes."""
    found: set[tuple[bool, str]] = set()
    for node in graph.nodes:
        if node.op.definition.calls_user:
            found.add((True, node.op.name))
        elif not node.op.definition.leaf and how(node.op) == "on the host":
            found.add((False, node.op.name))
        for _, body in node.op.graphs():
            found |= _calls(body)
    return found


class XlaBackend(Plain):
    """Takes every op as it is: composite ones are decomposed while they are lowered, so that XLA knows them by name."""

    name = "xla"
    arrays: Any = XlaArrays()
    specializes = True

    @staticmethod
    @lru_cache(maxsize=1)
    def shared() -> XlaBackend:
        """The one of this process, after JAX found its devices."""
        try:
            jax.devices()
        except Exception as error:  # JAX loads plug-ins of other packages, which can raise anything
            message = f"device 'xla' is not available: {type(error).__name__}: {error}"
            raise RlxError("RLX404", message, fix="JAX_PLATFORMS names JAX's platforms: cpu") from error
        return XlaBackend()

    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """Every op that has a lowering, a decomposition or a reference."""
        return None if how(op) is not None else "it has no kernel"

    def support(self, record: OpDef) -> str:
        """By a lowering, by what it is made of, or by a call of NumPy."""
        return how(Op(record)) or "lowered first"

    def passes(self, listed: Sequence[Pass], options: Options) -> Sequence[Pass]:
        """Without what XLA does itself: fusion, layouts and the order of memory."""
        return [one for one in listed if one.name not in LEFT_TO_XLA]

    def compile(self, lir: Lir, options: Options, report: Report) -> XlaArtifact:
        """The graph: programs are compiled when sizes are known, and the report counts them."""
        for users, what in sorted(_calls(lir.graph)):
            if users:
                report.add("xla", "callback", f"{what} is called by the program")
            else:
                report.add("xla", "host call", f"{what} is called by the program")
        return XlaArtifact(lir, options, tuple(report.entries), report)

    def compile_as_planned(self, graph: Graph) -> XlaArtifact:
        """The graph as it is."""
        return XlaArtifact(plan(graph.freeze(), OneCommandEach(self.name), Report()), Options())

    def unpack(self, parts: Parts, symbols: Mapping[str, Symbol]) -> XlaArtifact:
        """The graph and the programs that were exported with it."""
        return unpack_artifact(parts)

    def analysed(self, graph: Graph, options: Options, mesh: Mesh, spec_of: Callable[[Node], P], topology: str) -> dict[str, Any]:
        """What XLA says of a graph compiled without arrays, for a mesh of devices that are here or of a TPU topology."""
        from rlx.backends.xla.analysis import analysis_of

        return analysis_of(self, graph, options, mesh, spec_of, topology)

    def listings(self, stage: str, thing: Any) -> dict[str, str]:
        """StableHLO of a plan for sizes of its symbols."""
        if stage != "stablehlo":
            return {}
        lir, sizes = thing
        return {".mlir": XlaArtifact(lir, Options()).stablehlo(sizes)}

    def describe(self) -> dict[str, str]:
        """JAX's version, platform and devices."""
        devices = jax.devices()
        kinds = ", ".join(sorted({device.device_kind for device in devices}))
        return {"jax": jax.__version__, "platform": jax.default_backend(), "devices": f"{len(devices)} ({kinds})"}
