"""One module behind the public names: a graph, its level, the policy its blocks lower by, the plan it runs by.

What a level allows is data (`RULES`). MirModule, LirModule and `rlx.compat.HirModule`, which is a builder too, are the module at one level.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rlx.blocks import lower_to_mir
from rlx.core.enums import Choice, FusionPolicy
from rlx.core.errors import RlxError
from rlx.ir.parse_lir import Lir
from rlx.ir.pattern import ValueMap
from rlx.module.graph import Graph


class GraphStage(Choice):
    """The level to which a module is lowered: HIR, MIR or LIR.

    >>> import rlx
    >>> rlx.GraphModule.hir("g").stage
    <GraphStage.HIR: 'hir'>
    """

    HIR = "hir"
    MIR = "mir"
    LIR = "lir"
    Hir, Mir, Lir = HIR, MIR, LIR  # as the Rust RLX spells them


@dataclass(frozen=True)
class LevelRules:
    """The operations that a level supports, and the alternatives for others."""

    builds: bool  # nodes can be added
    blocks: bool  # HIR blocks too
    instead: str = ""


RULES: Mapping[GraphStage, LevelRules] = {
    GraphStage.HIR: LevelRules(builds=True, blocks=True),
    GraphStage.MIR: LevelRules(True, False, "build blocks before .lower(), or start with GraphModule.hir(name)"),
    GraphStage.LIR: LevelRules(
        False, False, "a LIR module is finished: .into_mir() gives its graph, GraphModule.hir(name) a new one"
    ),
}


@dataclass(eq=False, kw_only=True)
class Module:
    """A graph at a level: at HIR with a policy, at LIR with a plan, and after lowering with a value map."""

    graph: Graph
    level: GraphStage
    policy: FusionPolicy | None = None
    plan: Lir | None = None
    value_map: ValueMap = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The graph's name."""
        return self.graph.name

    def lower_to_mir(self, policy: FusionPolicy | str | None = None) -> MirModule:
        """Replaces blocks by tensor ops, by the module's policy or another."""
        graph, values = lower_to_mir(self.graph, policy or self.policy or FusionPolicy.Direct)
        return MirModule(Graph.adopt(graph), values)

    def lower_for_autodiff(self) -> MirModule:
        """Replaces blocks by primitives, which transforms read."""
        return self.lower_to_mir(FusionPolicy.for_autodiff())

    def __len__(self) -> int:
        return len(self.graph)

    def __str__(self) -> str:
        return str(self.graph if self.plan is None else self.plan)


class MirModule(Module):
    """A graph of tensor ops. `value_map` maps values of the source graph to this one.

    >>> g = Graph("g")
    >>> g.set_outputs({"y": g.input("x", (2,)) + 1})
    >>> len(MirModule(g))
    3
    """

    def __init__(self, graph: Graph, value_map: ValueMap | None = None) -> None:
        super().__init__(graph=graph, level=GraphStage.MIR, value_map=value_map or {})


class LirModule(Module):
    """An optimized graph with its plan, which a backend compiles.

    >>> import rlx
    >>> g = Graph("g")
    >>> g.set_outputs({"y": g.input("x", (2,)) + 1})
    >>> lowered = rlx.graphs.lower(g, "reference")
    >>> type(lowered).__name__, lowered.name, len(lowered)
    ('LirModule', 'g', 3)
    """

    def __init__(self, lir: Lir, listings: Callable[[str, object], Mapping[str, str]] | None = None) -> None:
        super().__init__(graph=Graph.adopt(lir.graph), level=GraphStage.LIR, plan=lir)
        self._listings = listings  # the device's own texts

    @property
    def lir(self) -> Lir:
        """The graph, schedule and memory plan."""
        assert self.plan is not None
        return self.plan

    def stablehlo(self, **sizes: int) -> str:
        """The StableHLO text that the device `xla` passes to its compiler, with symbols bound to these sizes.

        >>> import rlx
        >>> g = Graph("double"); x = g.input("x", ("n",)); g.set_outputs({"y": x + x})
        >>> "stablehlo.add" in rlx.graphs.lower(g, "xla").stablehlo(n=3)
        True
        """
        missing = sorted(set(self.graph.symbols) - set(sizes))
        if missing:
            raise RlxError("RLX205", f"stablehlo: no value for {missing[0]}", fix=f".stablehlo({missing[0]}=…)")
        texts = {} if self._listings is None else self._listings("stablehlo", (self.lir, sizes))
        if ".mlir" not in texts:
            raise RlxError("RLX403", "only 'xla' lowers to StableHLO", fix="rlx.graphs.lower(module, 'xla').stablehlo()")
        return texts[".mlir"]
