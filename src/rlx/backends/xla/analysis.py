"""XLA's memory, cost and collectives of a sharded program, compiled without its arrays."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from rlx.backends.xla.program import XlaArtifact
from rlx.core.report import Report
from rlx.core.sharding import Mesh, P
from rlx.ir.graph import Graph, Node
from rlx.passes.context import Device, Options
from rlx.passes.pipeline import lower

__all__ = ["analysis_of", "collectives_in"]

_COLLECTIVE = re.compile(
    r"= (\(.*?\)|\S+) (all-gather|all-reduce|reduce-scatter|all-to-all|collective-permute)(-start)?\("
)
_ARRAY = re.compile(r"(\w+?)\[([\d,]*)\]")
_BITS = re.compile(r"\d+")


def collectives_in(text: str) -> dict[str, tuple[int, int]]:
    """How many collectives of each kind a program has, and the bytes of their results on one device; several joined ones count once."""
    seen: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(text.splitlines()):
        found = _COLLECTIVE.search(line)
        if found is None:
            continue
        arrays = _ARRAY.findall(found[1])
        if found[3] and len(arrays) > 1:  # what goes in stands before what comes out
            arrays = arrays[len(arrays) // 2 :]
        channel = re.search(r"channel_id=(\d+)", line)
        size = sum(_array_bytes(kind, dims) for kind, dims in arrays)
        seen[channel[1] if channel else f"line {number}"] = found[2], size
    totals: dict[str, tuple[int, int]] = {}
    for kind, size in seen.values():
        count, before = totals.get(kind, (0, 0))
        totals[kind] = count + 1, before + size
    return dict(sorted(totals.items()))


def _array_bytes(kind: str, dims: str) -> int:
    bits = _BITS.search(kind)
    size = int(bits[0]) // 8 if bits else 1  # pred
    for part in dims.split(","):
        size *= int(part) if part else 1
    return size


def analysis_of(
    backend: Device, graph: Graph, options: Options, mesh: Mesh, spec_of: Callable[[Node], P], topology: str
) -> dict[str, Any]:
    """Bytes of arguments and of everything temporary on one device, operations, and collectives."""
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
