"""How long a step takes: each kernel as long as its arithmetic or its memory traffic needs, and what of the exchanges is not hidden."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from rlx.core.sharding import Mesh
from rlx.estimate.chips import LINK_FRACTION, MEMORY_FRACTION, Chip
from rlx.estimate.kernels import Kernel, kernels_of
from rlx.estimate.memory import Fusion
from rlx.estimate.placement import Exchange, Placement


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
        for kernel in kernels_of(placement, fusion, node):
            flops += kernel.flops * kernel.count
            traffic += kernel.moved * kernel.count
            compute += kernel_seconds(kernel, chip) * kernel.count
    seconds: dict[bool, float] = defaultdict(float)
    for one in placement.exchanges:
        seconds[one.of_params] += exchange_seconds(one, placement.table.mesh, chip)
    return StepTime(flops, traffic, compute, seconds[True], seconds[False])


def kernel_seconds(kernel: Kernel, chip: Chip) -> float:
    """As long as its products or its memory traffic need, whichever is longer, and its start."""
    reached = chip.in_16_bits if kernel.in_16_bits else chip.in_f32
    products = kernel.flops / reached.rate(kernel.inner) if kernel.flops else 0.0
    return max(products, kernel.moved / (chip.memory_bandwidth * MEMORY_FRACTION)) + chip.kernel_seconds


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
