"""GraphModule: a module at any of the three levels, with every builder of its level. The main surface."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from rlx.blocks import lower_to_mir
from rlx.core.dim import Relation, Size, Symbol
from rlx.core.dtype import DTypeLike
from rlx.core.enums import FusionPolicy
from rlx.core.errors import RlxError, check_by_name
from rlx.core.shape import Shape
from rlx.core.sharding import P
from rlx.ir.attributes import ArrayValue
from rlx.ir.emit import emit
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.graph import Node, Ref
from rlx.ir.op import OPS, Op, OpDef
from rlx.ir.parse_lir import Lir
from rlx.ir.pattern import Rewriter
from rlx.ir.value import Value
from rlx.module import label_scopes as labels
from rlx.module.builders.blocks import Blocks
from rlx.module.emitter import ShapeLike, with_shape
from rlx.module.graph import Graph
from rlx.module.levels import RULES, GraphStage, LevelRules, LirModule, MirModule, Module

if TYPE_CHECKING:
    from rlx.compat.hir import HirModule
    from rlx.module.inspect import Inspection

Scoped = TypeVar("Scoped", "GraphModule", "HirModule")
T = TypeVar("T")


class ReadsGraph:
    """Read-only properties of a graph, which a subclass supplies."""

    def _read(self) -> BaseGraph:
        raise NotImplementedError

    @property
    def outputs(self) -> Mapping[str, Value]:
        """The outputs by name, as Values that builders accept."""
        return self._read().outputs

    @property
    def updates(self) -> dict[str, Ref]:
        """The values of states and params after a run, by name."""
        return self._read().updates

    @property
    def inputs(self) -> dict[str, Node]:
        """The inputs by name."""
        return self._read().inputs

    @property
    def params(self) -> dict[str, Node]:
        """The params by name."""
        return self._read().params

    @property
    def states(self) -> dict[str, Node]:
        """The states by name."""
        return self._read().states

    @property
    def symbols(self) -> dict[str, Symbol]:
        """Every symbol of the graph, by name."""
        return self._read().symbols

    @property
    def assumptions(self) -> list[Relation]:
        """The stated relations between symbolic sizes."""
        return self._read().assumptions

    def nodes(self) -> list[Node]:
        """All nodes, in order."""
        return list(self._read().nodes)

    def node(self, node: int | Ref | Value) -> Node:
        """The node of an id, Ref or Value."""
        return self._read().node(node.ref if isinstance(node, Value) else node)

    def shape(self, ref: Ref | Value) -> Shape:
        """The shape of a value."""
        return self._read().shape(ref.ref if isinstance(ref, Value) else ref)

    def users(self) -> dict[Ref, list[Node]]:
        """The nodes that read each value."""
        return self._read().users()

    def constants(self) -> dict[str, ArrayValue]:
        """Every constant array by digest."""
        return self._read().constants()

    def fingerprint(self) -> str:
        """SHA-256 over everything that changes the graph's meaning."""
        return self._read().fingerprint()

    def bind(self, sizes: Mapping[str, Size]) -> BaseGraph:
        """The graph with symbols replaced by sizes."""
        return self._read().bind(sizes)

    def __len__(self) -> int:
        return len(self._read())


class GraphModule(Blocks, ReadsGraph):
    """A module at one of the three stages, with every builder of its stage.

    >>> module = GraphModule.define("tiny", lambda m: m.linear(m.input("x", (2, 4)), m.param("w", (4, 3))))
    >>> module.stage, module.lower().stage, len(module)
    (<GraphStage.HIR: 'hir'>, <GraphStage.MIR: 'mir'>, 3)
    """

    def __init__(self, module: Module | Lir | BaseGraph) -> None:
        if not isinstance(module, (Module, Lir, BaseGraph)):
            raise not_a_graph(module)
        if isinstance(module, BaseGraph):
            module = _hir(Graph.adopt(module)) if module.level == "hir" else MirModule(Graph.adopt(module))
        self._module = LirModule(module) if isinstance(module, Lir) else module
        self.sharding: Mapping[str, P] | str | None = None  # the sharding of params over a mesh

    # -- making -------------------------------------------------------------------------------------------------
    @staticmethod
    def hir(name: str) -> GraphModule:
        """Returns an empty module of blocks and tensor ops."""
        return GraphModule(_hir(Graph(name, "hir")))

    @staticmethod
    def mir(name: str) -> GraphModule:
        """Returns an empty module of tensor ops."""
        return GraphModule(MirModule(Graph(name, "mir")))

    @staticmethod
    def define(name: str, build: Callable[[HirModule], Any]) -> GraphModule:
        """Builds a HIR module by `build(hir)`, which returns the outputs, or None after it set them itself."""
        module = GraphModule.hir(name)
        outputs = build(module._as_hir())
        if outputs is not None:
            module.set_outputs(outputs)
        return module

    @staticmethod
    def from_hir(module: HirModule) -> GraphModule:
        """Wraps a HIR module."""
        return GraphModule(module)

    @staticmethod
    def from_mir(module: MirModule) -> GraphModule:
        """Wraps a MIR module."""
        return GraphModule(module)

    @staticmethod
    def from_lir(module: LirModule | Lir) -> GraphModule:
        """Wraps a LIR module."""
        return GraphModule(module)

    @staticmethod
    def from_graph(graph: BaseGraph) -> GraphModule:
        """Wraps a graph at its level, HIR or MIR."""
        return GraphModule(graph)

    @staticmethod
    def wrap_mir_graph(graph: BaseGraph) -> GraphModule:
        """Copies the nodes of a MIR graph to HIR, where blocks can be added."""
        rewriter = Rewriter(graph, "wrap", level="hir")
        for node in graph.nodes:
            rewriter.copy(node)
        return GraphModule(rewriter.finish()[0])

    # -- stage --------------------------------------------------------------------------------------------------
    @property
    def stage(self) -> GraphStage:
        """The module's level: HIR, MIR or LIR."""
        return self._module.level

    @property
    def rules(self) -> LevelRules:
        """The operations that the module's stage supports."""
        return RULES[self._module.level]

    @property
    def name(self) -> str:
        """The graph's name."""
        return self._module.name

    @property
    def fusion_policy(self) -> FusionPolicy | None:
        """The policy by which blocks lower; None past HIR."""
        return self._module.policy

    def with_fusion_policy(self, policy: FusionPolicy | str) -> GraphModule:
        """The same HIR graph under another policy."""
        self._require_blocks("with_fusion_policy")
        return GraphModule(_hir(self._module.graph, FusionPolicy(FusionPolicy.parse(policy))))

    def _require_blocks(self, what: str) -> None:
        """Raises unless the stage has blocks."""
        if not self.rules.blocks:
            message = f"{what} needs HIR, module {self.name!r} is at {self.stage.name}"
            raise RlxError("RLX402", message, fix=self.rules.instead)

    def _graph(self) -> Graph:
        if not self.rules.builds:
            message = f"building on module {self.name!r}, which is at {self.stage.name}"
            raise RlxError("RLX402", message, fix=self.rules.instead)
        return self._module.graph

    # -- building -----------------------------------------------------------------------------------------------
    def input_batch_seq(self, name: str, batch: object, seq: object, hidden: object, dtype: DTypeLike = "f32") -> Value:
        """Declares an input `[batch, seq, hidden]`; sizes are ints, Dims or names of symbols."""
        return self.input(name, Shape.batch_seq(batch, seq, hidden, dtype))

    def set_hir_outputs(self, outputs: Any) -> None:
        """Declares the outputs at HIR (`set_outputs`)."""
        self._require_blocks("set_hir_outputs")
        self.set_outputs(outputs)

    def finish_hir(self, outputs: Any) -> GraphModule:
        """Sets the outputs of a HIR module and returns it."""
        self.set_hir_outputs(outputs)
        return self

    def assume(self, fact: Any) -> None:
        """States `a == b` or `a <= b` about symbolic sizes; checked whenever sizes are bound."""
        self._graph().assume(fact)

    @contextmanager
    def scope(self, name: str) -> Iterator[GraphModule]:
        """Opens a scope that prefixes labels with `name/`; scopes nest."""
        with labels.scope(self._graph(), name):
            yield self

    @contextmanager
    def outside(self) -> Iterator[GraphModule]:
        """Suspends open scopes for labels inside: for values that all layers share and the first one makes."""
        graph = self._graph()
        scopes, graph.scope = graph.scope, []
        try:
            yield self
        finally:
            graph.scope = scopes

    def named(self, name: str, build: Callable[[GraphModule], T]) -> T:
        """Runs `build(module)` in a scope; the block it returns takes the scope's path as its label.

        >>> module = GraphModule.hir("m")
        >>> x, w = module.input("x", (2, 4)), module.param("w", (4, 4))
        >>> y = module.named("layers.3", lambda m: m.named("attn", lambda m: m.linear(x, w)) + x)
        >>> [node.origin.label for node in module.nodes()]
        ['', '', 'layers.3/attn', 'layers.3']
        """
        return labels.named(self._graph(), name, lambda: build(self))

    @staticmethod
    def block(hir: Scoped, name: str, build: Callable[[Scoped], T]) -> T:
        """Opens a named scope of a module under construction: `hir.named(name, build)`."""
        return hir.named(name, build)

    def emit_block(self, op: Op | OpDef | str, inputs: Sequence[Any], *, name: str | None = None, **attrs: Any) -> Value | Any:
        """Emits any block by op or name: `module.emit_block("linear", (x, w), activation="gelu")`."""
        if isinstance(op, Op):
            op, attrs = op.definition, {**op.attrs, **attrs}
        results = self._emit_block(op.name if isinstance(op, OpDef) else op, inputs, attrs, name)
        return results if len(results) > 1 else results[0]

    def hir_mir(
        self, op: Op | OpDef | str, inputs: Sequence[Any], shape: ShapeLike | None = None, *, name: str | None = None, **attrs: Any
    ) -> Value | Any:
        """Emits any tensor op by op or name, also if a block has its name; a shape is checked against the inferred one."""
        if isinstance(op, Op):
            op, attrs = op.definition, {**op.attrs, **attrs}
        record = op if isinstance(op, OpDef) else OPS[op]
        results = emit(record, inputs, attrs, graph=self._target(inputs), name=name)
        with_shape(record.name, results[0] if isinstance(results, tuple) else results, shape)
        return results

    add_node = hir_mir  # its name in the Rust RLX

    # -- lowering -----------------------------------------------------------------------------------------------
    def lower(self) -> GraphModule:
        """Lowers HIR to MIR by the module's policy; past HIR returns the module itself."""
        return self.lower_to_mir()

    def lower_to_mir(self, policy: FusionPolicy | str | None = None) -> GraphModule:
        """Lowers HIR to MIR by a policy; past HIR returns the module itself."""
        return GraphModule(self._module.lower_to_mir(policy)) if self.rules.blocks else self

    def lower_for_autodiff(self) -> GraphModule:
        """Lowers HIR to MIR primitives, which transforms read; past HIR returns the module itself."""
        return self.lower_to_mir(FusionPolicy.for_autodiff())

    def resolve(self, value: Value) -> Value:
        """Maps a Value of the HIR graph to this lowered module."""
        if isinstance(self._module, MirModule) and value.graph is not self._module.graph:
            return Value(self._module.graph, self._module.value_map[value.ref])
        return value

    def into_hir(self) -> HirModule | None:
        """Returns the HIR module, None past HIR."""
        return self.as_hir()

    def into_mir(self) -> MirModule:
        """Returns the MIR module: lowers HIR, unwraps LIR."""
        if self.rules.blocks:
            return self._module.lower_to_mir()
        return self._module if isinstance(self._module, MirModule) else MirModule(self._module.graph)

    def into_lir(self) -> LirModule | None:
        """Returns the LIR module, None before LIR."""
        return self.as_lir()

    def into_graph(self) -> Graph:
        """Returns the MIR graph: lowers HIR, unwraps LIR."""
        return self.into_mir().graph

    def as_hir(self) -> HirModule | None:
        """Returns the HIR module, None past HIR."""
        return self._as_hir() if self.rules.blocks else None

    def _as_hir(self) -> HirModule:
        """Returns the module as a HirModule, the same object on each call."""
        from rlx.compat.hir import HirModule

        if not isinstance(self._module, HirModule):
            self._module = HirModule(self._module.graph, self._module.policy or FusionPolicy.Direct)
        return self._module

    def as_hir_mut(self) -> HirModule | None:
        """Returns `as_hir`, which is mutable already."""
        return self.as_hir()

    def as_mir(self) -> MirModule | None:
        """Returns the MIR module, at LIR of the optimized graph; None at HIR."""
        return None if self.rules.blocks else self.into_mir()

    def as_lir(self) -> LirModule | None:
        """Returns the LIR module, None before LIR."""
        return self._module if isinstance(self._module, LirModule) else None

    def as_graph(self) -> Graph | None:
        """Returns the graph of a MIR module, at LIR the optimized one; None at HIR."""
        return None if self.rules.blocks else self._module.graph

    # -- reading ------------------------------------------------------------------------------------------------
    def _read(self) -> BaseGraph:
        return self._module.graph

    def shard(self, specs: Mapping[str, P] | str) -> GraphModule:
        """Sets the sharding of params over a mesh: a spec per pattern of names (the first match counts), or a preset's name.

        The module itself does not change. `rlx.train.compile_training(module, …, mesh=mesh)` reads it.

        >>> module = GraphModule.define("tiny", lambda m: m.linear(m.input("x", (2, 4)), m.param("up", (4, 8))))
        >>> module.shard({"up": P(None, "model")}).sharding
        {'up': P(None, 'model')}
        """
        if not isinstance(specs, str):
            check_by_name(specs, "shardings")
            specs = {pattern: P(*spec) for pattern, spec in specs.items()}
        self.sharding = specs
        return self

    def inspect(self) -> Inspection:
        """Returns a view of the module: histogram, nodes, and for LIR the plan."""
        from rlx.module.inspect import inspect

        return inspect(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the module with its constants to one file, which `rlx.load` reads."""
        from rlx.module.parse_and_load import save_text

        save_text(path, self._module.plan or self._module.graph)

    def __str__(self) -> str:
        return str(self._module)

    def __repr__(self) -> str:
        return f"<GraphModule {self.stage.name} @{self.name}: {len(self)} nodes>"


def _hir(graph: Graph, policy: FusionPolicy = FusionPolicy.Direct) -> Module:
    return Module(graph=graph, level=GraphStage.HIR, policy=policy)


def as_mir_graph(module: object) -> BaseGraph:
    """Returns the MIR graph of a graph or a module at any stage."""
    if isinstance(module, Module):
        module = GraphModule(module)
    if isinstance(module, GraphModule):
        return module.into_graph()
    if isinstance(module, Lir):
        return module.graph
    if isinstance(module, BaseGraph):
        return lower_to_mir(module)[0] if module.level == "hir" else module
    raise not_a_graph(module)


def not_a_graph(given: object) -> RlxError:
    """The error for a value that is not a graph; a model has a graph for each of its shapes."""
    fix = "a Graph or a GraphModule"
    if callable(getattr(given, "graph", None)):
        fix = 'the model\'s graph: model.graph(Shapes(batch=…, seq=…, logits="all"), dense=True), with a loss on its outputs to train it'
    return RlxError("RLX105", f"a {type(given).__name__} is not a graph", fix=fix)
