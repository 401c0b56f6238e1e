"""A random graph with what is needed to run and judge it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rlx.core.dim import evaluate
from rlx.core.shape import Shape
from rlx.ir.graph import Node, Ref
from rlx.ir.tolerance import Sample
from rlx.module import Graph


@dataclass
class Leaf:
    """An input, param, constant or state: how its contents are drawn."""

    name: str
    kind: str
    shape: Shape
    style: str  # grid: multiples of 1/4; real: any; index: 0…high; unit: cos and sin tables
    high: int = 3
    recipe: Sample | None = None  # drawn as a case says

    def array(self, random: np.random.Generator, sizes: dict[str, int]) -> Any:
        dims = tuple(evaluate(size, sizes) for size in self.shape.dims)
        dtype = self.shape.dtype
        if self.recipe is not None:
            return self.recipe.array(random).astype(dtype.numpy)
        if dtype.is_bool:
            return random.random(dims) < 0.6
        if dtype.is_integer:
            low = 0 if dtype.category == "uint" or self.style == "index" else -self.high
            return random.integers(low, self.high + 1, dims).astype(dtype.numpy)
        if self.style == "unit":
            return np.cos(random.uniform(0, 6, dims)).astype(dtype.numpy)
        if self.style == "grid":
            return (random.integers(-8, 9, dims) / 4).astype(dtype.numpy)
        return random.uniform(-2, 2, dims).astype(dtype.numpy)


@dataclass
class Made:
    """A graph with what is needed to run and judge it."""

    graph: Graph
    leaves: dict[str, Leaf]
    bindings: list[dict[str, int]]
    exact: set[Ref]
    exported: list[Ref]
    seed: int
    notes: list[str] = field(default_factory=list)

    def arrays(self, binding: int) -> dict[str, Any]:
        """The contents of every leaf at a binding; params and states are the same at all of them."""
        found = {}
        for number, leaf in enumerate(self.leaves.values()):
            fixed = leaf.kind in ("param", "state")
            random = np.random.default_rng([self.seed, number, 0 if fixed else 1 + binding])
            found[leaf.name] = leaf.array(random, self.bindings[binding])
        return found

    def steps(self) -> list[Node]:
        """The nodes that compute."""
        return [node for node in self.graph.nodes if not node.op.definition.leaf]
