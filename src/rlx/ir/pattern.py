"""Rewrites as data: a pattern says what is looked for, a rule what stands for it, `Rules.apply` does the bookkeeping.

A rule is a function under `@rewrites(pattern)` whose docstring is the picture, before -> after; it gets what the pattern captured.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rlx.core.cache import CachedAttribute
from rlx.core.dim import symbols
from rlx.core.errors import RlxError
from rlx.ir.attributes import REQUIRED
from rlx.ir.graph import Graph, Node, Origin, Ref
from rlx.ir.op import Op, OpDef
from rlx.ir.value import Value

# -- copying a graph with changes: the only way passes and transforms make graphs. It also builds the value map ------


ValueMap = dict[Ref, Ref]


def identity(graph: Graph) -> ValueMap:
    """The value map in which every value maps to itself."""
    return {ref: ref for node in graph.nodes for ref in node.outputs}


class Rewriter:
    """Builds a new graph from an old one, node by node.

    `copy` re-emits a node on the new operands, `replace` declares the replacement of an old node, `finish` carries outputs and updates
    over and returns the graph with the value map.
    """

    def __init__(self, source: Graph, made_by: str, *, name: str | None = None, level: str | None = None) -> None:
        self.source = source
        self.made_by = made_by
        self.graph = Graph(name or source.name, level or source.level)
        self.graph.symbols = dict(source.symbols)
        self.graph.assumptions = list(source.assumptions)
        self.map: ValueMap = {}
        self._shares_symbols = True

    def forget_symbols(self) -> None:
        """Declare only the symbols that copied nodes use: for a part of the source."""
        self.graph.symbols = {}
        self._shares_symbols = False

    def ref(self, old: Ref) -> Ref:
        """Maps an old value to its new Ref."""
        return self.map[old]

    def value(self, old: Ref) -> Value:
        """Maps an old value to its new Value, with operators."""
        return Value(self.graph, self.map[old])

    def values(self, node: Node) -> list[Value | None]:
        """Maps the operands of an old node to new Values."""
        return [None if ref is None else self.value(ref) for ref in node.inputs]

    def copy(self, node: Node, op: Op | None = None) -> Node:
        """Copies a node (or another op in its stead) to the new operands; infers shapes again if something changed."""
        inputs: list[Ref | None] = []
        changed = op is not None
        before, after = self.source.nodes, self.graph.nodes
        for old in node.inputs:
            new = None if old is None else self.map[old]
            inputs.append(new)
            if old is not None and new is not None and not changed:
                made_by, now_by = before[old.node], after[new.node]
                if made_by is not now_by:
                    given, shape = made_by.results[old.index], now_by.results[new.index]
                    changed = shape is not given and shape != given
        if changed or not self._shares_symbols:
            made = self.graph.add_node(
                op or node.op, inputs, results=None if changed else node.results, name=node.name, origin=node.origin
            )
        else:
            made = self.graph.copy_node(node, tuple(inputs))
        self._declare(node, made.outputs)
        return made

    def replace(self, node: Node, new: Value | Ref | Sequence[Value | Ref]) -> None:
        """Declare the replacement of each result of an old node."""
        items = [new] if isinstance(new, (Value, Ref)) else list(new)
        refs = [item.ref if isinstance(item, Value) else item for item in items]
        self._declare(node, refs)

    def _declare(self, node: Node, refs: Sequence[Ref]) -> None:
        for old, ref in zip(node.outputs, refs, strict=True):
            self.map[old] = ref

    def emit(self, op: Op, inputs: Sequence[Ref | None], like: Node, name: str | None = None) -> Node:
        """A new node that comes from an old one: it keeps the user's line and label, and records the pass."""
        return self.graph.add_node(op, inputs, origin=self._origin(like), name=name)

    def build(self, node: Node, make: Callable[..., Any], *arguments: Any, **attrs: Any) -> Any:
        """Run a function that emits on Values; its nodes get the origin of `node`."""
        nodes, outer = self.graph.nodes, self.graph.origin
        first, origin = len(nodes), self._origin(node)
        self.graph.origin = origin
        try:
            result = make(*arguments, **attrs)
        finally:
            self.graph.origin = outer
        for position in range(first, len(nodes)):
            if nodes[position].origin is not origin:
                nodes[position] = replace(nodes[position], origin=origin)
        return result

    def _origin(self, like: Node) -> Origin:
        """The origin of a replacement: the user's line and label of an old node, and the pass."""
        return Origin(like.origin.location, like.origin.label, self.made_by)

    def inline(self, body: Graph, operands: Sequence[Ref | None], like: Node) -> list[Ref]:
        """Copy a body's nodes here, its inputs replaced by values; returns its outputs."""
        inner: ValueMap = {}
        for leaf, ref in zip(body.inputs.values(), operands, strict=True):
            if ref is not None:
                inner[leaf.ref] = ref
        origin = self._origin(like)
        for node in body.nodes:
            if node.op.is_input:
                continue
            inputs = [None if ref is None else inner[ref] for ref in node.inputs]
            made = self.graph.add_node(node.op, inputs, results=node.results, name=node.name, origin=origin)
            inner.update(zip(node.outputs, made.outputs, strict=True))
        return [inner[ref] for ref in body.output_refs.values()]

    def finish(self) -> tuple[Graph, ValueMap]:
        """The new graph with its outputs and updates, and the map from old values to new."""
        self.graph.output_refs = {name: self.map[ref] for name, ref in self.source.output_refs.items()}
        self.graph.updates = {name: self.map[ref] for name, ref in self.source.updates.items()}
        return self.graph, self.map

    def forget_assumptions(self) -> None:
        """Keep only the facts about symbols that copied nodes use: for a part of the source."""
        known, facts = self.graph.symbols, self.graph.assumptions
        self.graph.assumptions = [fact for fact in facts if all(s.name in known for s in symbols(fact.left) | symbols(fact.right))]


def compose(first: ValueMap, second: ValueMap) -> ValueMap:
    """The value map of two consecutive passes; values dropped by the second are left out."""
    return {old: second[middle] for old, middle in first.items() if middle in second}


def extract(graph: Graph, nodes: Sequence[Node], outputs: Sequence[Ref], name: str) -> tuple[Graph, list[Ref]]:
    """Extracts nodes (in order) into a frozen body; returns it and the outer values it reads, in input order."""
    from rlx.ir.op import OPS

    body = Graph(name, "mir")
    body.assumptions = list(graph.assumptions)
    inside: ValueMap = {}
    reads: list[Ref] = []
    members = {node.id for node in nodes}
    for node in nodes:
        for ref in node.refs:
            if ref.node not in members and ref not in inside:
                inside[ref] = body.add_node(OPS["input"].op(name=f"x{len(reads)}", shape=graph.shape(ref)), origin=Origin()).ref
                reads.append(ref)
    for node in nodes:
        made = body.add_node(
            node.op, [None if ref is None else inside[ref] for ref in node.inputs], results=node.results, origin=Origin()
        )
        inside.update(zip(node.outputs, made.outputs, strict=True))
    body.output_refs = {f"y{index}": inside[ref] for index, ref in enumerate(outputs)}
    return body.freeze(), reads


Answer = Value | Ref | Sequence[Value | Ref] | None
"""What stands for the results of a node; None: the rule does not hold here."""


class Uses:
    """The readers of each value of a graph, and the values that leave it."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @CachedAttribute
    def readers(self) -> Mapping[Ref, list[Node]]:
        """For each value that is read, its readers (a node twice if it reads twice)."""
        return self.graph.users()

    @CachedAttribute
    def escapes(self) -> frozenset[Ref]:
        """Values that leave the graph: outputs and updates; of a body, what it returns."""
        return frozenset(ref for _, ref in self.graph.results())

    def of(self, ref: Ref) -> list[Node]:
        """The nodes that read a value."""
        return self.readers.get(ref, [])

    def only_reader(self, ref: Ref) -> Node | None:
        """The node that alone reads a value, once, when the value does not leave the graph."""
        readers = self.of(ref)
        return readers[0] if len(readers) == 1 and ref not in self.escapes else None


# -- what is looked for ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Pattern:
    """A pattern of a value: the ops that may produce it, the patterns of their operands, and conditions on both."""

    names: frozenset[str] | None = None  # None: of any op
    family: str = ""  # of the op's record; empty: any
    operands: tuple[Pattern, ...] = ()  # of the first operands; what follows may be anything
    attrs: tuple[tuple[str, Any], ...] = ()  # each equal to a value, or accepted by a function
    capture: str = ""  # what the rule calls it; two of one name are one value
    alone: bool = False  # one node reads it, and it does not leave the graph
    swaps: bool = False  # the two operands come in either order
    where: Callable[[Node], bool] | None = None

    def match(self, uses: Uses, node: Node, **known: Ref) -> Match | None:
        """Matches the first result of a node; returns the captures by name. A capture in `known` must be that value."""
        captures = dict(known)
        return Match(uses.graph, captures) if self._fits(uses.graph, uses, node.ref, captures) else None

    def made_by(self, node: Node) -> bool:
        """Whether a node fits the pattern, its operands aside."""
        return self.may_be(node.op.definition) and self.accepts(node)

    def _fits(self, graph: Graph, uses: Uses | None, ref: Ref, captures: dict[str, Ref]) -> bool:
        if self.capture and self.capture in captures:
            return captures[self.capture] == ref
        if self.is_op:
            node = graph.nodes[ref.node]
            if not self.made_by(node):
                return False
            if self.operands and not self.fits_operands(graph, uses, node.refs, captures):
                return False
        if self.alone and not _is_alone(uses, ref):
            return False
        if self.capture:
            captures[self.capture] = ref
        return True

    @CachedAttribute
    def is_op(self) -> bool:
        """Whether the pattern names the ops that produce the value."""
        return self.names is not None or bool(self.family or self.operands or self.attrs or self.where)

    def may_be(self, record: OpDef) -> bool:
        """Whether an op is one of those the pattern names."""
        return (self.names is None or record.name in self.names) and self.family in ("", record.family)

    def accepts(self, node: Node) -> bool:
        """Whether the conditions on the node itself hold."""
        for name, wanted in self.attrs:
            value = node.op.attrs.get(name, REQUIRED)
            if value is REQUIRED or not (wanted(value) if callable(wanted) else value == wanted):
                return False
        return self.where is None or self.where(node)

    def fits_operands(self, graph: Graph, uses: Uses | None, refs: Sequence[Ref], captures: dict[str, Ref]) -> bool:
        """Whether these values match the patterns of the operands; adds what they capture to `captures`."""
        if len(refs) < len(self.operands):
            return False
        before = dict(captures) if self.swaps else captures
        if all(part._fits(graph, uses, ref, captures) for part, ref in zip(self.operands, refs, strict=False)):
            return True
        if not self.swaps:
            return False
        captures.clear()
        captures.update(before)
        return all(part._fits(graph, uses, ref, captures) for part, ref in zip(self.operands, refs[1::-1], strict=True))

    @CachedAttribute
    def nodes(self) -> frozenset[str]:
        """The captures that a rewrite rule gets as nodes, not as values."""
        own = frozenset({self.capture} if self.capture and self.is_op else ())
        return own.union(*(part.nodes for part in self.operands))


def _is_alone(uses: Uses | None, ref: Ref) -> bool:
    if uses is None:
        fix = "Rules.apply(graph, name, context.uses(graph))"
        raise RlxError("RLX406", "a pattern asks who reads a value (alone=True), and the rules cannot tell", fix=fix)
    return uses.only_reader(ref) is not None


def op(
    names: str | Collection[str] | None = None,
    *operands: Pattern | str,
    family: str = "",
    capture: str = "",
    alone: bool = False,
    swaps: bool = False,
    where: Callable[[Node], bool] | None = None,
    **attrs: Any,
) -> Pattern:
    """A pattern of one op (or one of several), its operands and attributes; a str among the operands captures any value.

    >>> gated = op("mul", op("silu", "gate", alone=True), "up", swaps=True)
    >>> gated.operands[0].names, gated.operands[1].capture
    (frozenset({'silu'}), 'up')
    """
    known = None if names is None else frozenset({names} if isinstance(names, str) else names)
    parts = tuple(Pattern(capture=part) if isinstance(part, str) else part for part in operands)
    return Pattern(known, family, parts, tuple(attrs.items()), capture, alone, swaps, where)


@dataclass(frozen=True)
class Match:
    """The captures of a pattern match, by name."""

    graph: Graph
    found: Mapping[str, Ref]

    def __getitem__(self, capture: str) -> Ref:
        return self.found[capture]

    def node(self, capture: str) -> Node:
        """The node that produces a captured value."""
        return self.graph.node(self.found[capture])


# -- what stands for it ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Site:
    """Where a rewrite rule is tried: the old node, the graph being built, and the graph whose nodes the rule sees."""

    node: Node
    rewriter: Rewriter
    graph: Graph
    uses: Uses | None

    def value(self, ref: Ref) -> Value:
        """Maps a value of `graph` to the graph being built."""
        return Value(self.graph, ref) if self.uses is None else self.rewriter.value(ref)


@dataclass(frozen=True)
class Rule:
    """A named rewrite: `docs` is the picture, before -> after."""

    name: str
    docs: str
    roots: tuple[Pattern, ...]
    build: Callable[..., Answer]

    def answer(self, root: Pattern, node: Node, rewriter: Rewriter, uses: Uses | None) -> Answer:
        """Returns the replacement of a node, if the pattern matches and the rule applies."""
        if not root.accepts(node) or (root.alone and not _is_alone(uses, node.ref)):
            return None
        graph = rewriter.graph if uses is None else uses.graph
        captures: dict[str, Ref] = {}
        if root.operands:
            refs = [rewriter.map[ref] for ref in node.refs] if uses is None else node.refs
            if not root.fits_operands(graph, uses, refs, captures):
                return None
        at = Site(node, rewriter, graph, uses)
        captured = {name: graph.nodes[ref.node] if name in root.nodes else at.value(ref) for name, ref in captures.items()}
        return rewriter.build(node, self.build, at, **captured)


def rewrites(*roots: Pattern | str) -> Callable[[Callable[..., Answer]], Rule]:
    """Makes a rewrite rule of a function of the site and the captures of the root pattern, nodes or values.

    >>> @rewrites(op("neg", op("neg", "x")))
    ... def negate_twice(at, x):
    ...     '''neg(neg(x))  ->  x'''
    ...     return x
    >>> negate_twice.name, negate_twice.docs
    ('negate_twice', 'neg(neg(x))  ->  x')
    """
    patterns = tuple(op(root) if isinstance(root, str) else root for root in roots)

    def make(build: Callable[..., Answer]) -> Rule:
        return Rule(build.__name__, (build.__doc__ or "").strip(), patterns, build)

    return make


class Rules:
    """Rewrite rules in the order they are tried: the first that returns a value replaces the node."""

    def __init__(self, *rules: Rule) -> None:
        self.rules = rules
        self._of: dict[OpDef, tuple[tuple[Rule, Pattern], ...]] = {}

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def of(self, record: OpDef) -> tuple[tuple[Rule, Pattern], ...]:
        """The rules whose root may be this op."""
        if record not in self._of:
            pairs = ((rule, root) for rule in self.rules for root in rule.roots)
            self._of[record] = tuple((rule, root) for rule, root in pairs if root.may_be(record))
        return self._of[record]

    def apply(
        self, graph: Graph, made_by: str, uses: Uses | None = None, applied: list[tuple[Rule, Node]] | None = None
    ) -> tuple[Graph, ValueMap]:
        """Rewrites every node once, in order; `applied` receives which rule replaced which.

        With `uses`, patterns look at the graph as it was, and can ask who else reads a value. Without, they look at the graph being
        made, where operands have been rewritten already.
        """
        if not any(self.of(node.op.definition) for node in graph.nodes):
            return graph, identity(graph)
        rewriter = Rewriter(graph, made_by)
        for node in graph.nodes:
            for rule, root in self.of(node.op.definition):
                answer = rule.answer(root, node, rewriter, uses)
                if answer is not None:
                    rewriter.replace(node, answer)
                    if applied is not None:
                        applied.append((rule, node))
                    break
            else:
                rewriter.copy(node)
        return rewriter.finish()
