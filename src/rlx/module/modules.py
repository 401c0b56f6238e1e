"""HirModule, MirModule, LirModule: a graph with its level's rules. GraphModule: any of them, and the main surface."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from rlx.blocks import lower_to_mir
from rlx.core.dtype import DTypeLike
from rlx.core.errors import RlxError
from rlx.core.kinds import Choice, FusionPolicy
from rlx.core.shape import Shape
from rlx.ir.emit import emit
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.graph import Node, Ref, with_label
from rlx.ir.lir import Lir
from rlx.ir.op import OPS, Op, OpDef
from rlx.ir.rewrite import Rewriter, ValueMap
from rlx.ir.value import Value
from rlx.module.block_builders import BlockBuilders
from rlx.module.graph import Graph

if TYPE_CHECKING:
    from rlx.module.inspect import Inspection

T = TypeVar("T")


class GraphStage(Choice):
    """How far a module is lowered.

    >>> GraphModule.hir("g").stage
    <GraphStage.HIR: 'hir'>
    """

    HIR = "hir"
    MIR = "mir"
    LIR = "lir"


@dataclass(frozen=True, eq=False)
class MirModule:
    """A graph of tensor ops. `value_map` tells what the values of the graph it was lowered from are here.

    >>> g = Graph("g")
    >>> g.set_outputs({"y": g.input("x", (2,)) + 1})
    >>> len(MirModule(g))
    3
    """

    graph: Graph
    value_map: ValueMap = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The graph's name."""
        return self.graph.name

    def __len__(self) -> int:
        return len(self.graph)

    def __str__(self) -> str:
        return str(self.graph)


@dataclass(frozen=True, eq=False)
class HirModule:
    """A graph of blocks and tensor ops, and the policy its blocks lower by.

    >>> module = GraphModule.hir("g")
    >>> x = module.input("x", (2, 4))
    >>> module.set_outputs({"y": module.linear(x, module.param("w", (4, 3)))})
    >>> [node.op.name for node in module.into_hir().lower_to_mir().graph.nodes]
    ['input', 'param', 'matmul']
    """

    graph: Graph
    fusion_policy: FusionPolicy = FusionPolicy.Direct

    @staticmethod
    def wrap_mir_graph(graph: BaseGraph) -> HirModule:
        """The same nodes at HIR, where blocks can be added; its Values are new ones."""
        rewriter = Rewriter(graph, "wrap", level="hir")
        for node in graph.nodes:
            rewriter.copy(node)
        return HirModule(Graph.adopt(rewriter.finish()[0]))

    @property
    def name(self) -> str:
        """The graph's name."""
        return self.graph.name

    def lower_to_mir(self, policy: FusionPolicy | str | None = None) -> MirModule:
        """Blocks replaced by tensor ops, by the module's policy unless another is given."""
        graph, values = lower_to_mir(self.graph, policy or self.fusion_policy)
        return MirModule(Graph.adopt(graph), values)

    def lower_for_autodiff(self) -> MirModule:
        """Blocks replaced by primitives, which transforms read."""
        return self.lower_to_mir(FusionPolicy.for_autodiff())

    def __len__(self) -> int:
        return len(self.graph)

    def __str__(self) -> str:
        return str(self.graph)


@dataclass(frozen=True, eq=False)
class LirModule:
    """An optimized graph with its plan: what a backend compiles.

    >>> import rlx
    >>> g = Graph("g")
    >>> g.set_outputs({"y": g.input("x", (2,)) + 1})
    >>> lowered = rlx.lower(g, "reference")
    >>> type(lowered).__name__, lowered.name, len(lowered)
    ('LirModule', 'g', 3)
    """

    lir: Lir

    @property
    def graph(self) -> BaseGraph:
        """The optimized MIR."""
        return self.lir.graph

    @property
    def name(self) -> str:
        """The graph's name."""
        return self.lir.graph.name

    def __len__(self) -> int:
        return len(self.lir.graph)

    def __str__(self) -> str:
        return str(self.lir)


AnyModule = HirModule | MirModule | LirModule
_ENTER = {
    GraphStage.MIR: "build blocks before .lower(), or start with GraphModule.hir(name)",
    GraphStage.LIR: "a LIR module is finished: .into_mir() gives its graph, GraphModule.hir(name) a new one",
}


class GraphModule(BlockBuilders):
    """A module at one of the three stages, with every builder of its stage.

    >>> module = GraphModule.define("tiny", lambda m: m.linear(m.input("x", (2, 4)), m.param("w", (4, 3))))
    >>> module.stage, module.lower().stage, len(module)
    (<GraphStage.HIR: 'hir'>, <GraphStage.MIR: 'mir'>, 3)
    """

    def __init__(self, module: AnyModule) -> None:
        self._module = module

    # -- making -------------------------------------------------------------------------------------------------
    @staticmethod
    def hir(name: str) -> GraphModule:
        """An empty module of blocks and tensor ops."""
        return GraphModule(HirModule(Graph(name, "hir")))

    @staticmethod
    def mir(name: str) -> GraphModule:
        """An empty module of tensor ops."""
        return GraphModule(MirModule(Graph(name, "mir")))

    @staticmethod
    def define(name: str, build: Callable[[GraphModule], Any]) -> GraphModule:
        """A HIR module made by `build(module)`; what it returns are the outputs, None when it set them itself."""
        module = GraphModule.hir(name)
        outputs = build(module)
        if outputs is not None:
            module.set_outputs(outputs)
        return module

    @staticmethod
    def from_hir(module: HirModule) -> GraphModule:
        """A HIR module."""
        return GraphModule(module)

    @staticmethod
    def from_mir(module: MirModule) -> GraphModule:
        """A MIR module."""
        return GraphModule(module)

    @staticmethod
    def from_lir(module: LirModule | Lir) -> GraphModule:
        """A LIR module."""
        return GraphModule(module if isinstance(module, LirModule) else LirModule(module))

    @staticmethod
    def from_graph(graph: BaseGraph) -> GraphModule:
        """A graph at its level, HIR or MIR."""
        public = Graph.adopt(graph)
        return GraphModule(HirModule(public) if graph.level == "hir" else MirModule(public))

    @staticmethod
    def wrap_mir_graph(graph: BaseGraph) -> GraphModule:
        """The nodes of a MIR graph at HIR, where blocks can be added."""
        return GraphModule(HirModule.wrap_mir_graph(graph))

    # -- stage --------------------------------------------------------------------------------------------------
    @property
    def stage(self) -> GraphStage:
        """HIR, MIR or LIR."""
        if isinstance(self._module, HirModule):
            return GraphStage.HIR
        return GraphStage.MIR if isinstance(self._module, MirModule) else GraphStage.LIR

    @property
    def name(self) -> str:
        """The graph's name."""
        return self._module.name

    @property
    def fusion_policy(self) -> FusionPolicy | None:
        """How blocks lower; None past HIR."""
        return self._module.fusion_policy if isinstance(self._module, HirModule) else None

    def with_fusion_policy(self, policy: FusionPolicy | str) -> GraphModule:
        """The same HIR graph under another policy."""
        chosen = FusionPolicy(FusionPolicy.parse(policy))
        return GraphModule(replace(self._hir("with_fusion_policy"), fusion_policy=chosen))

    def _hir(self, what: str) -> HirModule:
        if not isinstance(self._module, HirModule):
            stage = self.stage
            raise RlxError("RLX402", f"{what} needs HIR, module {self.name!r} is at {stage.name}", fix=_ENTER[stage])
        return self._module

    def _is_hir(self) -> bool:
        return isinstance(self._module, HirModule)

    def _require_hir(self, what: str) -> None:
        self._hir(f"the block {what}")

    def _graph(self) -> BaseGraph:
        if isinstance(self._module, LirModule):
            message = f"building on module {self.name!r}, which is at LIR"
            raise RlxError("RLX402", message, fix=_ENTER[GraphStage.LIR])
        return self._module.graph

    # -- building -----------------------------------------------------------------------------------------------
    def input_batch_seq(self, name: str, batch: object, seq: object, hidden: object, dtype: DTypeLike = "f32") -> Value:
        """An input `[batch, seq, hidden]`; sizes are ints, Dims or names of symbols."""
        return self.input(name, Shape.batch_seq(batch, seq, hidden, dtype))

    def set_hir_outputs(self, outputs: Any) -> None:
        """`set_outputs` at HIR."""
        self._hir("set_hir_outputs")
        self.set_outputs(outputs)

    def finish_hir(self, outputs: Any) -> GraphModule:
        """Set the outputs of a HIR module and return it."""
        self.set_hir_outputs(outputs)
        return self

    def assume(self, fact: Any) -> None:
        """State `a == b` or `a <= b` about symbolic sizes; it is checked whenever sizes are bound."""
        self._graph().assume(fact)

    @contextmanager
    def scope(self, name: str) -> Iterator[GraphModule]:
        """Labels inside begin with `name/`; scopes nest."""
        scopes = self._graph().scope
        scopes.append(name)
        try:
            yield self
        finally:
            scopes.pop()

    @contextmanager
    def outside(self) -> Iterator[GraphModule]:
        """Labels inside begin anew, whatever scopes are open: for what all layers share and the first one makes."""
        graph = self._graph()
        scopes, graph.scope = graph.scope, []
        try:
            yield self
        finally:
            graph.scope = scopes

    def named(self, name: str, build: Callable[[GraphModule], T]) -> T:
        """`build(module)` in a scope; the block it returns takes the scope's path as its label.

        >>> module = GraphModule.hir("m")
        >>> x, w = module.input("x", (2, 4)), module.param("w", (4, 4))
        >>> y = module.named("layers.3", lambda m: m.named("attn", lambda m: m.linear(x, w)) + x)
        >>> [node.origin.label for node in module.nodes()]
        ['', '', 'layers.3/attn', 'layers.3']
        """
        graph = self._graph()
        first = len(graph.nodes)
        with self.scope(name):
            result = build(self)
            path = "/".join(graph.scope)
        for value in result if isinstance(result, (tuple, list)) else (result,):
            if isinstance(value, Value) and value.graph is graph and value.ref.node >= first:
                node = graph.node(value.ref)
                label = node.op.definition.label
                if label is not None and node.origin.label == f"{path}/{label(node.op)}":
                    graph.nodes[node.id] = replace(node, origin=with_label(node.origin, path))
        return result

    def block(
        self, op: Op | OpDef | str, inputs: Sequence[Any], *, name: str | None = None, **attrs: Any
    ) -> Value | Any:
        """Any block by op or name: `module.block("linear", (x, w), activation="gelu")`."""
        if isinstance(op, Op):
            op, attrs = op.definition, {**op.attrs, **attrs}
        found = self._blocks(op.name if isinstance(op, OpDef) else op, inputs, attrs, name)
        return found if len(found) > 1 else found[0]

    def hir_mir(
        self, op: Op | OpDef | str, inputs: Sequence[Any], *, name: str | None = None, **attrs: Any
    ) -> Value | Any:
        """Any tensor op by op or name, also where a block has its name."""
        if isinstance(op, Op):
            op, attrs = op.definition, {**op.attrs, **attrs}
        record = op if isinstance(op, OpDef) else OPS[op]
        return emit(record, inputs, attrs, graph=self._target(inputs), name=name)

    def add_node(self, op: Op, inputs: Sequence[Any], shape: Shape | None = None) -> Value | Any:
        """A node by op, as in the Rust RLX; a shape that is passed is checked."""
        found = self.hir_mir(op, inputs)
        if shape is not None and isinstance(found, Value) and found.type != shape:
            raise RlxError("RLX102", f"{op.name} gives {found.type}, not {shape}", fix="leave the shape out")
        return found

    # -- lowering -----------------------------------------------------------------------------------------------
    def lower(self) -> GraphModule:
        """HIR to MIR by the module's policy; past HIR the module itself."""
        return GraphModule(self._module.lower_to_mir()) if isinstance(self._module, HirModule) else self

    def lower_to_mir(self, policy: FusionPolicy | str | None = None) -> GraphModule:
        """HIR to MIR by a policy; past HIR the module itself."""
        return GraphModule(self._module.lower_to_mir(policy)) if isinstance(self._module, HirModule) else self

    def lower_for_autodiff(self) -> GraphModule:
        """HIR to MIR in primitives, which transforms read; past HIR the module itself."""
        return self.lower_to_mir(FusionPolicy.for_autodiff())

    def resolve(self, value: Value) -> Value:
        """What a Value of the HIR graph is in this lowered module."""
        if isinstance(self._module, MirModule) and value.graph is not self._module.graph:
            return Value(self._module.graph, self._module.value_map[value.ref])
        return value

    def into_hir(self) -> HirModule | None:
        """The HIR module, None past HIR."""
        return self.as_hir()

    def into_mir(self) -> MirModule:
        """The MIR module: HIR is lowered, LIR unwrapped."""
        if isinstance(self._module, HirModule):
            return self._module.lower_to_mir()
        return self._module if isinstance(self._module, MirModule) else MirModule(Graph.adopt(self._module.graph))

    def into_lir(self) -> LirModule | None:
        """The LIR module, None before LIR."""
        return self.as_lir()

    def into_graph(self) -> Graph:
        """The MIR graph: HIR is lowered, LIR unwrapped."""
        return self.into_mir().graph

    def as_hir(self) -> HirModule | None:
        """The HIR module, None past HIR."""
        return self._module if isinstance(self._module, HirModule) else None

    def as_hir_mut(self) -> HirModule | None:
        """`as_hir`: modules are built on, so there is no other form."""
        return self.as_hir()

    def as_mir(self) -> MirModule | None:
        """The MIR module, None at another stage."""
        return self._module if isinstance(self._module, MirModule) else None

    def as_lir(self) -> LirModule | None:
        """The LIR module, None before LIR."""
        return self._module if isinstance(self._module, LirModule) else None

    def as_graph(self) -> Graph | None:
        """The graph of a MIR module, None at another stage."""
        return self._module.graph if isinstance(self._module, MirModule) else None

    # -- reading ------------------------------------------------------------------------------------------------
    def nodes(self) -> list[Node]:
        """All nodes, in order."""
        return list(self._module.graph.nodes)

    def node(self, node: int | Ref | Value) -> Node:
        """A node by id, Ref or Value."""
        return self._module.graph.node(node.ref if isinstance(node, Value) else node)

    def inspect(self) -> Inspection:
        """What is in it: histogram, nodes, and for LIR the plan."""
        from rlx.module.inspect import inspect

        return inspect(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the module with its constants to one file, which `rlx.load` reads."""
        from rlx.module.files import save_text

        save_text(path, self._module.lir if isinstance(self._module, LirModule) else self._module.graph)

    def __len__(self) -> int:
        return len(self._module)

    def __str__(self) -> str:
        return str(self._module)

    def __repr__(self) -> str:
        return f"<GraphModule {self.stage.name} @{self.name}: {len(self)} nodes>"


def as_mir_graph(module: object) -> BaseGraph:
    """The MIR graph of whatever holds one: a graph or a module at any stage."""
    if isinstance(module, (HirModule, MirModule, LirModule)):
        module = GraphModule(module)
    if isinstance(module, GraphModule):
        return module.into_graph()
    if isinstance(module, Lir):
        return module.graph
    if isinstance(module, BaseGraph):
        return lower_to_mir(module)[0] if module.level == "hir" else module
    raise RlxError("RLX105", f"a {type(module).__name__} is not a graph", fix="a Graph or a GraphModule")
