"""The plan's numbers beside XLA's own: the same step compiled for a virtual mesh or a TPU topology, in a process of its own.

`python -m rlx.estimate.xla_check RUN.toml MESH SHARDING TOPOLOGY` is that process: it compiles a sharded step without its arrays and
prints XLA's analyses as JSON. The number of virtual devices is fixed when JAX starts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rlx.backends.registry import find_backend
from rlx.core.errors import RlxError
from rlx.core.sharding import Mesh, P
from rlx.estimate.chips import Chip
from rlx.estimate.placement import leaf_cut
from rlx.estimate.plan import run_shape, sharding_table, step_settings
from rlx.ir.graph import Node
from rlx.passes.entry import Options
from rlx.train.config import TrainingConfig
from rlx.train.step import step_graph

_MEMORY_SCHEDULE = "--xla_cpu_enable_concurrency_optimized_scheduler=false"
"""XLA on a CPU orders kernels for many threads; accelerators order them for memory."""
_SECONDS = 3600


@dataclass(frozen=True)
class XlaNumbers:
    """The memory, cost and collectives that XLA's analyses report for one device's program."""

    target: str
    for_chip: bool
    """Whether the program was compiled for the chip; virtual devices are a CPU's, on which XLA orders gradient matmuls last."""
    arguments: int
    temporary: int
    flops: float
    collectives: dict[str, tuple[int, int]]
    """The count and the bytes of collectives, by kind."""
    seconds: float
    """Seconds of the compilation."""

    @property
    def total(self) -> int:
        """Bytes of arguments (updated in place) and of all temporaries."""
        return self.arguments + self.temporary


def topology_of(chip: Chip, mesh: Mesh) -> str:
    """The name of the smallest TPU slice with as many chips as the mesh; empty if there is none, or no compiler for it."""
    if not chip.topology or find_spec("libtpu") is None:
        return ""
    size, sides = mesh.size, [1] * chip.torus_axes
    for _ in range(size.bit_length() - 1):
        sides[sides.index(min(sides))] *= 2
    product = 1
    for side in sides:
        product *= side
    if product != size or size < 4:
        return ""
    return f"{chip.topology}:{'x'.join(map(str, sorted(sides)))}"


def check_with_xla(config: Path, mesh: Mesh, chip: Chip, sharding: str) -> XlaNumbers:
    """Compile the sharded step of a configuration and read XLA's memory_analysis, cost_analysis and collectives."""
    if find_spec("jax") is None:
        raise RlxError("RLX803", "--check compiles with JAX, which is not installed", fix="pip install 'rlx[xla]'", at=None)
    topology = topology_of(chip, mesh)
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    if topology:
        environment |= {"TPU_SKIP_MDS_QUERY": "1", "TPU_WORKER_HOSTNAMES": "localhost"}
    else:
        flags = f"--xla_force_host_platform_device_count={mesh.size} {_MEMORY_SCHEDULE}"
        environment["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {flags}".strip()
    axes = " ".join(f"{name}={size}" for name, size in mesh.axes.items())
    command = [sys.executable, "-m", "rlx.estimate.xla_check", str(config), axes, sharding, topology]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, env=environment)
    except subprocess.TimeoutExpired:
        fix = "a smaller mesh or fewer layers: a plan grows evenly with both"
        raise RlxError("RLX406", f"XLA compiled for more than {_SECONDS} s", fix=fix, at=None) from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise RlxError("RLX406", f"XLA did not compile the step: {last:.300}", fix="the plan without --check", at=None)
    told = json.loads(done.stdout.splitlines()[-1])
    collectives = {kind: (count, size) for kind, (count, size) in told.pop("collectives").items()}
    target = f"TPU topology {topology}" if topology else f"{mesh.size} virtual devices of the CPU"
    return XlaNumbers(target=target, for_chip=bool(topology), collectives=collectives, **told)


# -- the process that compiles
def analysed_step(config: TrainingConfig, mesh: Mesh, sharding: str, topology: str = "") -> dict[str, Any]:
    """XLA's analyses of a training step sharded over a mesh, run in the process that compiles."""
    steps = config.training
    graph = step_graph(run_shape(config).training(steps.batch, steps.length), "loss", config.rule(), step_settings(config))
    table = sharding_table(config, mesh, sharding)
    params = {name: node.shape for name, node in graph.params.items()}

    def spec_of(node: Node) -> P:
        return P(*(axes or None for axes in leaf_cut(table, node, params)))

    backend: Any = find_backend("xla")
    analyses: dict[str, Any] = backend.analysed(graph, Options(precision=steps.precision), mesh, spec_of, topology)
    return analyses


if __name__ == "__main__":
    path, axes, preset, slice_of = sys.argv[1:]
    print(json.dumps(analysed_step(TrainingConfig.load(path), Mesh.parse(axes), preset, slice_of)))
