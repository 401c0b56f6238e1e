"""The `xla` device: MIR as a JAX function, compiled by XLA for whatever JAX runs on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from rlx.backends.base import Parts
from rlx.backends.plain import OneCommandEach, Plain
from rlx.backends.xla.arrays import XlaArrays, collectives_in
from rlx.backends.xla.program import XlaArtifact
from rlx.backends.xla.tracing import how
from rlx.core.dim import Symbol
from rlx.core.errors import Location, RlxError
from rlx.core.report import Decision, Report
from rlx.core.shape import Shape
from rlx.core.sharding import Mesh, P
from rlx.ir.graph import Graph, Node
from rlx.ir.op import Op, OpDef
from rlx.ir.parse import parse_graph
from rlx.ir.parse_lir import Lir
from rlx.ir.text import constants_of, pack_file, render, unpack_file
from rlx.passes.entry import LEFT_TO_XLA, Device, Options, Pass
from rlx.passes.pipeline import lower
from rlx.plan.schedule import plan

# -- artifacts of `xla` as bytes: the graph after the passes, and `jax.export` of each program that it was compiled to
#
# A program that was exported is not traced again; for other sizes the graph is there. XLA compiles both where they are loaded.


if TYPE_CHECKING:
    from rlx.backends.xla.program import Arrays, XlaArtifact
    from rlx.backends.xla.site import Check

_FORMAT = 1


def pack_artifact(artifact: XlaArtifact) -> Parts:
    """Packs an artifact that calls no Python: a manifest, the graph, and the programs."""
    graphs = {"graph": artifact.graph}
    if artifact.lir.prepare is not None:
        graphs["prepare"] = artifact.lir.prepare.graph
    constants = {digest: value for graph in graphs.values() for digest, value in graph.constants().items()}
    arrays = {f"constant.{digest}": value.array for digest, value in constants.items()}
    programs, blobs = [], []
    for sizes, shapes in artifact.known_sizes():
        exported, checks = artifact.exported(sizes, shapes)
        programs.append({"sizes": dict(sizes), "checks": [_plain(check) for check in checks]})
        blobs.append(bytes(exported.serialize()))
    manifest = {
        "format": _FORMAT,
        "platform": jax.default_backend(),
        "jax": jax.__version__,
        "options": artifact.options.plain(),
        "decisions": [asdict(decision) for decision in artifact.decisions],
        "programs": programs,
    }
    return (json.dumps(manifest).encode(), pack_file({name: render(graph) for name, graph in graphs.items()}, arrays), *blobs)


def unpack_artifact(parts: Parts) -> XlaArtifact:
    """Reads an artifact from the bytes of `pack_artifact`."""
    from rlx.backends.xla.program import XlaArtifact

    manifest = json.loads(parts[0])
    if manifest.get("format") != _FORMAT:
        fix = "compile it again with this one"
        raise RlxError("RLX303", "the program was compiled by another version of RLX", fix=fix, at=None)
    header, arrays = unpack_file(parts[1], "the program")
    plans = {
        name: plan(parse_graph(text, constants_of(arrays)).freeze(), OneCommandEach("xla"), Report())
        for name, text in header.items()
    }
    lir = replace(plans["graph"], prepare=plans.get("prepare"))
    decisions = tuple(Decision(**decision) for decision in manifest["decisions"])
    stored = {
        tuple(sorted(entry["sizes"].items())): (blob, tuple(map(_check, entry["checks"])))
        for entry, blob in zip(manifest["programs"], parts[2:], strict=True)
    }
    return XlaArtifact(lir, Options(**manifest["options"]), decisions, stored=stored, platform=manifest["platform"])


def _plain(check: Check) -> list[Any]:
    at = check.location
    return [check.code, check.message, check.fix, None if at is None else asdict(at)]


def _check(plain: list[Any]) -> Check:
    from rlx.backends.xla.site import Check

    code, message, fix, at = plain
    return Check(code, message, fix, None if at is None else Location(**at))


def exported_call(blob: bytes, arguments: tuple[Arrays, Arrays, list[Any]]) -> Any:
    """The function of an exported program, if it takes arrays of these kinds; else None."""
    exported = jax.export.deserialize(bytearray(blob))
    given: Mapping[Any, Any] = jax.tree.leaves(arguments)
    shapes = [(tuple(array.shape), array.dtype) for array in given]
    return exported.call if [(aval.shape, aval.dtype) for aval in exported.in_avals] == shapes else None


def _calls(graph: Graph) -> set[tuple[bool, str]]:
    """The Python calls of a program: functions that the user wrote into it (True), and records that only NumPy computes."""
    calls: set[tuple[bool, str]] = set()
    for node in graph.nodes:
        if node.op.definition.calls_user:
            calls.add((True, node.op.name))
        elif not node.op.definition.leaf and how(node.op) == "on the host":
            calls.add((False, node.op.name))
        for _, body in node.op.graphs():
            calls |= _calls(body)
    return calls


class XlaBackend(Plain):
    """The XLA backend: takes every op as it is; composite ones are decomposed at lowering, so that XLA sees their name."""

    name = "xla"
    arrays: Any = XlaArrays()
    specializes = True

    @staticmethod
    @lru_cache(maxsize=1)
    def shared() -> XlaBackend:
        """The XLA backend of this process, after JAX found its devices."""
        try:
            jax.devices()
        except Exception as error:  # JAX loads plug-ins of other packages, which can raise anything
            message = f"device 'xla' is not available: {type(error).__name__}: {error}"
            raise RlxError("RLX404", message, fix="JAX_PLATFORMS names JAX's platforms: cpu") from error
        return XlaBackend()

    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """Claims every op that has a lowering, a decomposition or a reference."""
        return None if how(op) is not None else "it has no kernel"

    def support(self, record: OpDef) -> str:
        """How an op runs in XLA: by a lowering, by its decomposition, or by a call of NumPy."""
        return how(Op(record)) or "lowered first"

    def passes(self, listed: Sequence[Pass], options: Options) -> Sequence[Pass]:
        """The list of passes without what XLA does itself: fusion, layouts and memory planning."""
        return [one for one in listed if one.name not in LEFT_TO_XLA]

    def compile(self, lir: Lir, options: Options, report: Report) -> XlaArtifact:
        """The artifact of a graph: XLA programs are compiled when sizes are known, and the report counts them."""
        for users, what in sorted(_calls(lir.graph)):
            if users:
                report.add("xla", "callback", f"{what} is called by the program")
            else:
                report.add("xla", "host call", f"{what} is called by the program")
        return XlaArtifact(lir, options, tuple(report.entries), report)

    def compile_as_planned(self, graph: Graph) -> XlaArtifact:
        """The artifact of a graph without any pass."""
        return XlaArtifact(plan(graph.freeze(), OneCommandEach(self.name), Report()), Options())

    def unpack(self, parts: Parts, symbols: Mapping[str, Symbol]) -> XlaArtifact:
        """Reads the graph and the programs that were exported with it."""
        return unpack_artifact(parts)

    def analysed(self, graph: Graph, options: Options, mesh: Mesh, spec_of: Callable[[Node], P], topology: str) -> dict[str, Any]:
        """XLA's cost analysis of a graph compiled without arrays, for a mesh of devices that are here or of a TPU topology."""

        return analysis_of(self, graph, options, mesh, spec_of, topology)

    def listings(self, stage: str, thing: Any) -> dict[str, str]:
        """The StableHLO of a plan for sizes of its symbols."""
        if stage != "stablehlo":
            return {}
        lir, sizes = thing
        return {".mlir": XlaArtifact(lir, Options()).stablehlo(sizes)}

    def describe(self) -> dict[str, str]:
        """JAX's version, platform and devices."""
        devices = jax.devices()
        kinds = ", ".join(sorted({device.device_kind for device in devices}))
        return {"jax": jax.__version__, "platform": jax.default_backend(), "devices": f"{len(devices)} ({kinds})"}


# -- XLA's memory, cost and collectives of a sharded program, compiled without its arrays ----------------------------


def analysis_of(
    backend: Device, graph: Graph, options: Options, mesh: Mesh, spec_of: Callable[[Node], P], topology: str
) -> dict[str, Any]:
    """The cost of a compiled program: bytes of arguments and of temporaries on one device, operations, and collectives."""
    devices: Any = jax.devices()
    if topology:
        from jax.experimental import topologies

        devices = topologies.get_topology_desc(topology, platform="tpu").devices
    grid = jax.sharding.Mesh(np.array(devices).reshape(-1)[: mesh.size].reshape(mesh.shape), mesh.axis_names)
    artifact = XlaArtifact(lower(graph, backend, options, Report()), options)
    leaves = artifact.graph

    def struct(node: Node) -> Any:
        dims = tuple(int(size) for size in node.shape.dims)
        where = NamedSharding(grid, PartitionSpec(*spec_of(node)))
        return jax.ShapeDtypeStruct(dims, node.shape.dtype.numpy, sharding=where)

    owned = {name: struct(node) for name, node in {**leaves.params, **leaves.states}.items()}
    updated = {name: owned.pop(name) for name in leaves.updates}
    program = artifact.compiled({}, updated, owned, [struct(node) for node in leaves.inputs.values()])
    compiled: Any = program.run
    memory, cost = compiled.memory_analysis(), compiled.cost_analysis() or {}
    arguments = memory.argument_size_in_bytes
    temporary = max(memory.temp_size_in_bytes, getattr(memory, "peak_memory_in_bytes", 0) - arguments)
    return {
        "arguments": arguments,
        "temporary": temporary + memory.output_size_in_bytes - memory.alias_size_in_bytes,
        "flops": float(cost.get("flops", 0.0)),
        "collectives": collectives_in(compiled.as_text()),
        "seconds": program.seconds,
    }
