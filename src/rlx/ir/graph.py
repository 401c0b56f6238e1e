"""Graph: append-only nodes in topological order, named outputs, updates, symbols. It is independent of specific ops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from rlx.core.cache import CachedAttribute
from rlx.core.dim import Relation, Size, Symbol
from rlx.core.errors import Location, RlxError, check_is, user_location
from rlx.core.shape import Shape
from rlx.ir.attributes import ArrayValue
from rlx.ir.op import OPS, Op

if TYPE_CHECKING:
    from rlx.ir.questions import Questions
    from rlx.ir.value import Value

LEVELS = ("hir", "mir", "lir")


class Ref(NamedTuple):
    """Result `index` of node `node`: plain data, what nodes store and passes compare."""

    node: int
    index: int = 0  # type: ignore[assignment]  # the name tuple gives to a method nobody calls on a Ref

    def __str__(self) -> str:
        return f"%{self.node}" if self.index == 0 else f"%{self.node}.{self.index}"

    def __array__(self, *_: Any, **__: Any) -> Any:
        """Raises: NumPy would make an array of the two integers, and builders would take it as a constant."""
        raise not_a_value(self)


def not_a_value(ref: Ref) -> RlxError:
    """Returns the error for a Ref where a Value is expected."""
    message = f"{ref!r} is a Ref, the position of a value in its graph, not a Value"
    return RlxError("RLX110", message, fix="graph.outputs has Values; rlx.Value(graph, ref) makes one")


@dataclass(frozen=True)
class Origin:
    """Where a node comes from: the user's line, the path of HIR labels, the pass that made it."""

    location: Location | None = None
    label: str = ""
    made_by: str = ""

    def __str__(self) -> str:
        parts = [self.label, str(self.location) if self.location else "", f"by {self.made_by}" if self.made_by else ""]
        return " ".join(part for part in parts if part)


@dataclass(frozen=True)
class Node:
    """One op applied to values. A missing optional operand is None."""

    id: int
    op: Op
    inputs: tuple[Ref | None, ...]
    results: tuple[Shape, ...]
    name: str | None = None
    origin: Origin = field(default=Origin(), compare=False)

    @CachedAttribute
    def refs(self) -> tuple[Ref, ...]:
        """The operands that are present."""
        return tuple([ref for ref in self.inputs if ref is not None])

    @CachedAttribute
    def outputs(self) -> tuple[Ref, ...]:
        """A Ref for each result."""
        return tuple([Ref(self.id, index) for index in range(len(self.results))])

    @property
    def ref(self) -> Ref:
        """The first result."""
        return Ref(self.id, 0)

    @property
    def shape(self) -> Shape:
        """The shape of the first result."""
        return self.results[0]


class Graph:
    """A graph of nodes at one level.

    `nodes` are in topological order; `output_refs` and `updates` map names to Refs; `symbols` holds every symbol used.
    """

    def __init__(self, name: str = "graph", level: str = "mir") -> None:
        check_is(name, str, "RLX105", "the name of a graph", "a str")
        self.name = name
        self.level = level
        self.nodes: list[Node] = []
        self.output_refs: dict[str, Ref] = {}
        self.updates: dict[str, Ref] = {}
        self.symbols: dict[str, Symbol] = {}
        self.assumptions: list[Relation] = []
        self.parent: Graph | None = None
        self.captures: list[tuple[Ref, Ref]] = []  # (value of the parent, input here)
        self.open_body: Graph | None = None  # for an outermost graph: the innermost body inside it that is being traced
        self.open_branch: Graph | None = None  # the same for branches only
        self.questions: Questions | None = None  # of an outermost graph: those Python may ask while it is traced
        self.frozen = False
        self.scope: list[str] = []  # open label scopes
        self.origin: Origin | None = None  # of new nodes that are given none; else the user's line and the open scopes
        self._leaves: dict[tuple[str, str], Ref] = {}
        self._hash: int | None = None

    # -- building -----------------------------------------------------------------------------------------------
    def leaked(self, use: str) -> RlxError:
        """Returns the error for a value that is used after its function was traced or its graph became a body."""
        fix = f"return the value from {self.name!r} and use what a call returns; a graph built by hand: build a new one"
        return RlxError("RLX111", f"a value of {self.name!r} is used after its trace (the graph is frozen): {use}", fix=fix)

    def add_node(
        self,
        op: Op,
        inputs: Sequence[Ref | None] = (),
        *,
        results: Sequence[Shape] | None = None,
        name: str | None = None,
        origin: Origin | None = None,
    ) -> Node:
        """Append a node; result shapes are inferred unless the caller passes them."""
        if self.frozen:
            raise self.leaked("by another operation")
        trimmed = list(inputs)
        while trimmed and trimmed[-1] is None:
            trimmed.pop()
        if results is None:
            results = op.infer([None if ref is None else self.shape(ref) for ref in trimmed], self.assumptions)
        if op.definition.leaf and "name" in op.attrs:
            self._check_leaf(op, results[0])
            name = op.attrs["name"]
        for shape in results:
            shape.check_bytes(op.name)
            self._declare(shape.symbols())
        self._declare(op.symbols())
        if origin is None:
            origin = self.origin or Origin(user_location(), "/".join(self.scope))
        node = Node(len(self.nodes), op, tuple(trimmed), tuple(results), name, origin)
        self.nodes.append(node)
        if op.definition.leaf and name is not None:
            self._leaves[op.name, name] = node.ref
        return node

    def copy_node(self, node: Node, inputs: tuple[Ref | None, ...]) -> Node:
        """Append a node of a graph that shares its symbols with this one, unchecked. At the same index, on the same operands, it is that
        node object itself."""
        made = node
        if node.id != len(self.nodes) or inputs != node.inputs:
            made = Node(len(self.nodes), node.op, inputs, node.results, node.name, node.origin)
        self.nodes.append(made)
        if node.op.definition.leaf and node.name is not None:
            self._leaves[node.op.name, node.name] = made.ref
        return made

    def _declare(self, symbols: frozenset[Symbol]) -> None:
        for symbol in symbols:
            known = self.symbols.setdefault(symbol.name, symbol)
            if known != symbol:
                message = f"symbol {symbol.name} has bounds {_range(known)} and {_range(symbol)}"
                raise RlxError("RLX201", message)

    def _check_leaf(self, op: Op, shape: Shape) -> None:
        name = op.attrs["name"]
        for kind in ("input", "param", "state"):
            if (kind, name) in self._leaves:
                raise RlxError(
                    "RLX109", f"the graph already has a {kind} named {name!r}", fix="give each input, param and state a unique name"
                )

    def assume(self, fact: Relation | bool) -> None:
        """Declare `a == b` or `a <= b` for symbolic sizes; it is checked whenever sizes are bound."""
        if isinstance(fact, bool):
            if not fact:
                raise RlxError("RLX207", "the assumption is false for every size")
            return
        if fact not in self.assumptions:
            self.assumptions.append(fact)

    def set_output_refs(self, outputs: Mapping[str, Ref]) -> None:
        """Declare the outputs by Ref."""
        self.output_refs = dict(outputs)
        self._hash = None

    def freeze(self) -> Graph:
        """Freezes the graph: it becomes an immutable, hashable value."""
        self.frozen = True
        return self

    # -- reading ------------------------------------------------------------------------------------------------
    def node(self, node: int | Ref) -> Node:
        """A node by id or Ref."""
        return self.nodes[node.node if isinstance(node, Ref) else node]

    def shape(self, ref: Ref) -> Shape:
        """The shape of a value."""
        return self.nodes[ref.node].results[ref.index]

    def leaf(self, kind: str, name: str) -> Ref | None:
        """The input, param or state of that name."""
        return self._leaves.get((kind, name))

    def leaves(self, kind: str) -> dict[str, Node]:
        """All inputs, params or states, by name, in order."""
        return {name: self.nodes[ref.node] for (leaf, name), ref in self._leaves.items() if leaf == kind}

    @property
    def outputs(self) -> Mapping[str, Value]:
        """The outputs by name, as Values to build on; `output_refs` has their Refs.

        >>> import rlx
        >>> g = rlx.Graph("g"); g.set_outputs({"y": g.input("x", (2, 3)) * 2})
        >>> g.outputs["y"].sum()
        <Value %3 : f32[]>
        """
        from rlx.ir.value import Value

        return MappingProxyType({name: Value(self, ref) for name, ref in self.output_refs.items()})

    @property
    def inputs(self) -> dict[str, Node]:
        """The inputs by name."""
        return self.leaves("input")

    @property
    def params(self) -> dict[str, Node]:
        """The params by name."""
        return self.leaves("param")

    @property
    def states(self) -> dict[str, Node]:
        """The states by name."""
        return self.leaves("state")

    def users(self) -> dict[Ref, list[Node]]:
        """Maps each value to the nodes that read it (a node twice if it reads twice)."""
        users: dict[Ref, list[Node]] = {}
        for node in self.nodes:
            for ref in node.refs:
                users.setdefault(ref, []).append(node)
        return users

    def results(self) -> Iterator[tuple[str, Ref]]:
        """All results of the graph: outputs, then updates."""
        yield from self.output_refs.items()
        yield from self.updates.items()

    @property
    def has_effect(self) -> bool:
        """Whether a node, or one of its bodies, has a side effect."""
        return any(node.op.has_effect for node in self.nodes)

    def constants(self) -> dict[str, ArrayValue]:
        """Every constant array by digest, sub-graphs included: the side table of the text form."""
        constants: dict[str, ArrayValue] = {}
        for node in self.nodes:
            for value in node.op.attrs.values():
                if isinstance(value, ArrayValue):
                    constants[value.digest] = value
                elif isinstance(value, Graph):
                    constants.update(value.constants())
        return constants

    def at_level(self, level: str) -> Graph:
        """Copies the nodes to a frozen graph of another level."""
        other = Graph(self.name, level)
        other.nodes, other.output_refs, other.updates = self.nodes, self.output_refs, self.updates
        other.symbols, other.assumptions, other._leaves = self.symbols, self.assumptions, self._leaves
        return other.freeze()

    def bind(self, sizes: Mapping[str, Size]) -> Graph:
        """The same graph with symbols replaced by sizes."""
        bound = Graph(self.name, self.level)
        for node in self.nodes:
            shapes = [shape.bind(sizes) for shape in node.results]
            bound.add_node(node.op.bind(sizes), node.inputs, results=shapes, name=node.name, origin=node.origin)
        bound.output_refs, bound.updates = dict(self.output_refs), dict(self.updates)
        return bound.freeze() if self.frozen else bound

    def _parts(self) -> tuple[Any, ...]:
        nodes = tuple((node.op, node.inputs, node.results, node.name) for node in self.nodes)
        facts = tuple((fact.kind, fact.left, fact.right) for fact in self.assumptions)
        return (
            self.name,
            self.level,
            nodes,
            tuple(self.output_refs.items()),
            tuple(self.updates.items()),
            tuple(sorted(self.symbols.values())),
            facts,
        )

    def __eq__(self, other: object) -> bool:
        """Structural equality of everything except origins."""
        return isinstance(other, Graph) and (self is other or self._parts() == other._parts())

    def __hash__(self) -> int:
        if not self.frozen:
            raise TypeError("only a frozen graph is hashable")
        if self._hash is None:
            self._hash = hash(self._parts())
        return self._hash

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_hash": None}  # hashes differ between processes

    def __len__(self) -> int:
        return len(self.nodes)

    def __str__(self) -> str:
        from rlx.ir.text import render

        return render(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.level} @{self.name}: {len(self.nodes)} nodes>"

    def fingerprint(self) -> str:
        """A content hash of everything that affects meaning, stable across processes and machines."""
        from rlx.ir.text import fingerprint

        return fingerprint(self)


def all_shapes(graph: Graph) -> Iterator[Shape]:
    """The shape of every value, bodies included."""
    for node in graph.nodes:
        yield from node.results
        for _, body in node.op.graphs():
            yield from all_shapes(body)


def _range(symbol: Symbol) -> str:
    return f"{symbol.minimum}..{'' if symbol.maximum is None else symbol.maximum}"


def with_label(origin: Origin, label: str, made_by: str = "") -> Origin:
    """Copies an origin with another label path."""
    return replace(origin, label=label, made_by=made_by or origin.made_by)


# -- layout: how a tensor is stored in its buffer. Movement that only changes the layout copies nothing --------------


def dense_strides(dims: Sequence[Size]) -> tuple[Size, ...]:
    """Row-major strides, in elements."""
    strides: list[Size] = []
    step: Size = 1
    for size in reversed(dims):
        strides.append(step)
        step = step * size
    return tuple(reversed(strides))


@dataclass(frozen=True)
class Layout:
    """Dims, strides and offset, in elements. A broadcast axis has stride 0."""

    dims: tuple[Size, ...]
    strides: tuple[Size, ...]
    offset: Size = 0

    @staticmethod
    def dense(dims: Sequence[Size]) -> Layout:
        """Row-major from the start of the buffer."""
        return Layout(tuple(dims), dense_strides(dims))

    @CachedAttribute
    def is_dense(self) -> bool:
        """Row-major without gaps (axes of size 1 may have any stride); the offset does not matter."""
        wanted = dense_strides(self.dims)
        return all(
            mine == want or (isinstance(size, int) and size == 1)
            for mine, want, size in zip(self.strides, wanted, self.dims, strict=True)
        )


# -- reads sizes that were stored as text ----------------------------------------------------------------------------


class SizeReader:
    """Parses size texts of known symbols, each once, since it can occur in every layer.

    >>> from rlx.core.dim import Symbol
    >>> str(SizeReader({"seq": Symbol("seq", 1, 8)}).size("2*seq"))
    '2*seq'
    """

    def __init__(self, symbols: Mapping[str, Symbol]) -> None:
        self.symbols = dict(symbols)
        self._known: dict[str, Size] = {}

    def size(self, plain: int | str) -> Size:
        """The size of a text; a number is returned unchanged."""
        if isinstance(plain, int):
            return plain
        if plain not in self._known:
            from rlx.ir.parse import Parser  # fixed sizes need none

            self._known[plain] = Parser(plain).size(self.symbols)
        return self._known[plain]


# -- A single op as a graph: what kernels of fused bodies are made from, where there is one op -----------------------


def single_op_graph(op: Op, inputs: Sequence[Shape | None], outputs: Sequence[Shape]) -> Graph:
    """Builds a graph of one node, whose operands are all given."""
    body = Graph(op.name)
    refs = []
    for position, shape in enumerate(inputs):
        assert shape is not None, f"{op.name} has no optional operands"
        refs.append(body.add_node(OPS["input"].op(name=f"x{position}", shape=shape)).ref)
    node = body.add_node(op, refs, results=list(outputs))
    body.set_output_refs({f"y{index}": ref for index, ref in enumerate(node.outputs)})
    return body.freeze()
