"""XLA's memory, cost and collectives of a sharded program, compiled without its arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from rlx.backends.xla.collectives import collectives_in
from rlx.backends.xla.program import XlaArtifact
from rlx.core.report import Report
from rlx.core.sharding import Mesh, P
from rlx.ir.graph import Graph, Node
from rlx.passes.entry import Device, Options
from rlx.passes.pipeline import lower


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
