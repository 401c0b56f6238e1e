"""A sharded step compiled by XLA without its arrays: prints what its analyses say as JSON. Run as a program, since the number of virtual
devices is fixed when JAX starts.

python -m rlx.estimate.compiled RUN.toml MESH SHARDING TOPOLOGY
"""

from __future__ import annotations

import json
import sys
from typing import Any

from rlx.backends.registry import find_backend
from rlx.core.sharding import Mesh, P
from rlx.estimate.placement import leaf_cut
from rlx.estimate.plan import run_shape, sharding_table, step_settings
from rlx.ir.graph import Node
from rlx.passes.entry import Options
from rlx.train.config import TrainingConfig
from rlx.train.step import step_graph


def analysed_step(config: TrainingConfig, mesh: Mesh, sharding: str, topology: str = "") -> dict[str, Any]:
    """What XLA says of a step over a mesh."""
    steps = config.training
    graph = step_graph(run_shape(config).training(steps.batch, steps.length), "loss", config.rule(), step_settings(config))
    table = sharding_table(config, mesh, sharding)
    params = {name: node.shape for name, node in graph.params.items()}

    def spec_of(node: Node) -> P:
        return P(*(axes or None for axes in leaf_cut(table, node, params)))

    backend: Any = find_backend("xla")
    found: dict[str, Any] = backend.analysed(graph, Options(precision=steps.precision), mesh, spec_of, topology)
    return found


if __name__ == "__main__":
    path, axes, preset, slice_of = sys.argv[1:]
    print(json.dumps(analysed_step(TrainingConfig.load(path), Mesh.parse(axes), preset, slice_of)))
