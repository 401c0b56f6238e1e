"""How long a step takes: each kernel as long as its arithmetic or its memory traffic needs, and what of the exchanges is not hidden."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from rlx.core.kinds import OpKind
from rlx.core.sharding import Mesh
from rlx.estimate.chips import LINK_FRACTION, MATRIX_FRACTION, MEMORY_FRACTION, Chip
from rlx.estimate.memory import WORKSPACE, Fusion
from rlx.estimate.placement import Exchange, Placement
from rlx.ir.graph import Node
from rlx.ir.op import Call

__all__ = ["StepTime", "exchange_seconds", "step_time"]


@dataclass(frozen=True)
class StepTime:
    """Seconds of one step on one device, and what they are made of."""

    flops: float
    """Of products, attention and convolutions, on one device."""
    traffic: float
    """Bytes read from and written to memory."""
    compute: float
    """Seconds of all kernels, one after the other."""
    hidden: float
    """Seconds of exchanges of weights and gradients, beside which devices compute."""
    exposed: float
    """Seconds of exchanges of activations, which the next kernel waits for."""

    @property
    def total(self) -> float:
        """Kernels, what waits, and what of the rest is longer than they are."""
        return max(self.compute, self.hidden) + self.exposed


def step_time(placement: Placement, fusion: Fusion, chip: Chip) -> StepTime:
    """The sum over kernels, and over exchanges."""
    flops = traffic = compute = 0.0
    graph = placement.graph
    updates = set(graph.updates.values())
    for node in graph.nodes:
        if node.op.definition.leaf or not any(ref in fusion.written or ref in updates for ref in node.outputs):
            continue
        read = {root for ref in node.refs for root in fusion.roots[ref]}
        moved = sum(placement.bytes(ref) for ref in (*read, *node.outputs))
        extra = WORKSPACE.get(node.op.definition.name)
        moved += 2 * extra(placement, node) if extra is not None else 0
        work = _products(placement, node)
        flops += work
        traffic += moved
        rate = MATRIX_FRACTION * (chip.bf16_flops if _in_16_bits(placement, node) else chip.f32_flops)
        compute += max(work / rate, moved / (chip.memory_bandwidth * MEMORY_FRACTION)) + chip.kernel_seconds
    seconds: dict[bool, float] = defaultdict(float)
    for one in placement.exchanges:
        seconds[one.of_params] += exchange_seconds(one, placement.table.mesh, chip)
    return StepTime(flops, traffic, compute, seconds[True], seconds[False])


def _products(placement: Placement, node: Node) -> float:
    """Operations of one device, of ops whose work is products; everything else moves memory."""
    record = node.op.definition
    if record.kind is not OpKind.Compute or record.cost is None:
        return 0.0
    shapes = [None if ref is None else placement.graph.shape(ref) for ref in node.inputs]
    return float(record.cost(Call(node.op, shapes), node.results)) / placement.share(node)


def _in_16_bits(placement: Placement, node: Node) -> bool:
    """Whether its products read 16-bit floats; the gradient of attention computes in f32."""
    widens = node.op.definition.name in WORKSPACE and len(node.results) > 1
    return not widens and all(placement.graph.shape(ref).dtype.is_low_float for ref in node.refs[:2])


# -- exchanges ---------------------------------------------------------------------------------------------------
_ROUNDS: Mapping[str, int] = {"all-gather": 1, "reduce-scatter": 1, "all-reduce": 2}
"""How often the bytes go around: an all-reduce scatters sums and gathers them."""


def exchange_seconds(one: Exchange, mesh: Mesh, chip: Chip) -> float:
    """Rings inside a domain, and between domains the network, each of a domain's chips bringing in its part.

    The last axis of a mesh are neighbours.
    """
    count = math.prod(mesh.axes[name] for name in one.axes)
    if count == 1:
        return 0.0
    inside, outside = _inside(one, mesh, chip), 1.0
    outside = count / inside
    rounds = _ROUNDS[one.kind]
    seconds = one.bytes * (inside - 1) / inside / _ring_bandwidth(mesh, chip) if inside > 1 else 0.0
    if outside > 1:
        seconds += one.bytes * (outside - 1) / outside / (inside * chip.network_bandwidth * LINK_FRACTION)
    return rounds * seconds


def _inside(one: Exchange, mesh: Mesh, chip: Chip) -> float:
    """How many of the devices that exchange are in one domain."""
    inside, stride = 1.0, 1
    for name, size in reversed(mesh.axes.items()):
        fits = max(1.0, min(size, chip.domain / stride))
        inside *= fits if name in one.axes else 1
        stride *= size
    return inside


def _ring_bandwidth(mesh: Mesh, chip: Chip) -> float:
    """All links of a switch; of a torus those of one of its axes where the mesh has several."""
    axes = sum(size > 1 for size in mesh.shape)
    shared = min(axes, chip.torus_axes) if chip.is_tpu else 1
    return chip.link_bandwidth * LINK_FRACTION / max(1, shared)
