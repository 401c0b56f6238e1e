"""Why two commands are two: a reason for each value that one command writes and another one reads."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby

from rlx.core.dim import Size
from rlx.core.errors import count_of
from rlx.core.report import Report
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.parse_lir import Lir
from rlx.ir.pattern import Uses, op
from rlx.passes.entry import Options
from rlx.passes.fuse_regions import CAST, MOST_MEMBERS, MOST_VISITED, REDUCTION

STAGE = "commands"
PRODUCT = op(("matmul", "packed_matmul", "packed_pair_matmul", "conv", "packed_conv"))
_MOST_NAMES = 4  # the most ops listed per command


@dataclass(frozen=True)
class Boundary:
    """A value between two commands, and why fusion did not merge them."""

    writer: Node
    reader: Node
    reason: str

    def __str__(self) -> str:
        return f"{_title(self.writer)} -> {_title(self.reader)}: {self.reason}"


@dataclass(frozen=True)
class _Loops:
    """The iteration space of a command: the sizes, the reduction axes, and the number of ops."""

    dims: tuple[Size, ...]
    axes: tuple[int, ...]
    members: int


def report_boundaries(lir: Lir, options: Options, report: Report) -> None:
    """Reports each kind of fusion boundary: of the program, of its prepare graph, and of the bodies of loops."""
    lines = sorted(_of_program(lir, options), key=str)
    for text, alike in groupby(lines, str):
        each = list(alike)
        times = "" if len(each) == 1 else f"{len(each)} times "
        report.add(STAGE, "boundary", f"{times}{text}", each[0].reader.origin)


def _of_program(lir: Lir, options: Options, *, prepared: bool = False) -> Iterator[Boundary]:
    yield from boundaries(lir.graph, {command.node for command in lir.commands}, options, prepared=prepared)
    for node in lir.graph.nodes:
        if not node.op.is_fused:
            for _, body in node.op.graphs():
                yield from _of_body(body, options)
    if lir.prepare is not None:
        yield from _of_program(lir.prepare, options, prepared=True)


def _of_body(body: Graph, options: Options) -> Iterator[Boundary]:
    runs = {node.id for node in body.nodes if not node.op.definition.leaf and node.op.definition.view is None}
    yield from boundaries(body, runs, options)
    for node in body.nodes:
        if node.id in runs and not node.op.is_fused:
            for _, inner in node.op.graphs():
                yield from _of_body(inner, options)


def boundaries(graph: Graph, commands: Collection[int], options: Options, *, prepared: bool = False) -> Iterator[Boundary]:
    """Yields each pair of commands (node ids) of which one reads the other's result. `prepared`: for a prepare graph."""
    uses = Uses(graph)
    for reader in graph.nodes:
        if reader.id not in commands:
            continue
        seen: set[int] = set()
        for ref in reader.refs:
            for writer, views in _writers(graph, commands, ref):
                if writer.id not in seen and writer is not reader:
                    seen.add(writer.id)
                    yield Boundary(writer, reader, _reason(uses, commands, writer, reader, views, options, prepared))


def _writers(graph: Graph, commands: Collection[int], ref: Ref) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """Yields the commands that write a value, with the views in between."""
    todo: list[tuple[Node, tuple[Node, ...]]] = [(graph.node(ref), ())]
    while todo:
        node, views = todo.pop()
        if node.id in commands:
            yield node, views
        else:
            todo += [(graph.node(inner), (node, *views)) for inner in node.refs]


# -- the reasons ------------------------------------------------------------------------------------------------
def _reason(
    uses: Uses, commands: Collection[int], writer: Node, reader: Node, views: tuple[Node, ...], options: Options, prepared: bool
) -> str:
    if not options.fuse:
        return "the option fuse=False, or trap_nan=True"
    first, second = _loops(uses.graph, writer), _loops(uses.graph, reader)
    if second is None:
        if _is_product(reader):
            return "a product reads its operands from memory"
        return f"{_title(reader)} has a kernel of its own"
    if views:
        moved = " and ".join(dict.fromkeys(node.op.name for node in views))
        return f"{moved} between them: they do not visit the same elements in the same order"
    if first is None:
        if _is_product(writer):
            return _after_product(uses, writer, second)
        return f"{_title(writer)} has a kernel of its own"
    if prepared and any(CAST.made_by(node) for node in (writer, reader)):
        return "the cast of a weight is a command of its own, so that layouts find the weight"
    if "fuse regions" in options.skip:
        return "the option skip leaves out 'fuse regions'"
    return _between_regions(uses, commands, writer, reader, first, second)


def _after_product(uses: Uses, product: Node, reader: _Loops) -> str:
    """The reason why elementwise work is not an epilogue of the matmul before it."""
    if product.ref in uses.escapes:
        return "the result of the product is an output, which is stored unchanged"
    if len(uses.of(product.ref)) > 1:
        return f"the result of the product is read {len(uses.of(product.ref))} times, so it is kept in memory"
    if reader.axes:
        return "a reduction needs complete rows, and a product computes tiles of them"
    if reader.dims != product.shape.dims:
        return f"they iterate over {_sizes(product.shape.dims)} and {_sizes(reader.dims)}"
    return "the epilogue of a product takes only scalars, rows and operands of the result's shape"


def _between_regions(uses: Uses, commands: Collection[int], writer: Node, reader: Node, first: _Loops, second: _Loops) -> str:
    """The reason why two elementwise regions were not merged."""
    if first.dims != second.dims:
        return f"they iterate over {_sizes(first.dims)} and {_sizes(second.dims)}"
    if first.axes and second.axes and first.axes != second.axes:
        return f"they reduce along axes {_sizes(first.axes)} and {_sizes(second.axes)}"
    if first.members + second.members > MOST_MEMBERS:
        return f"one kernel computes at most {MOST_MEMBERS} ops"
    between = _between(uses, writer, reader, commands)
    if between is not None:
        return f"{_title(between)} reads the first, and the second reads it"
    return f"not proved within {MOST_VISITED} nodes that no other command depends on the first and feeds the second"


def _between(uses: Uses, writer: Node, reader: Node, commands: Collection[int]) -> Node | None:
    """A command on another path between the two, which would make a cycle; else None."""

    def readers(node: Node) -> list[Node]:
        return [user for ref in node.outputs for user in uses.of(ref)]

    todo = [user for user in readers(writer) if user is not reader]
    ways: dict[int, Node] = {}  # by id, the nodes that depend on the writer
    while todo and len(ways) < MOST_VISITED:
        node = todo.pop()
        if node.id not in ways and node.id < reader.id:
            ways[node.id] = node
            todo += readers(node)
    return next((node for node in ways.values() if node.id in commands and any(user is reader for user in readers(node))), None)


# -- what commands are ------------------------------------------------------------------------------------------
def _loops(graph: Graph, node: Node) -> _Loops | None:
    """The iteration space of elementwise work and reductions; None for other kernels."""
    shapes = [graph.shape(ref) for ref in node.refs] + list(node.results)
    if any(shape.dtype.is_complex or shape.dtype.category == "f8" for shape in shapes):
        return None
    if REDUCTION.made_by(node):
        return _Loops(graph.shape(node.refs[0]).dims, node.op["axes"], 1)
    if node.op.definition.is_pointwise:
        return _Loops(node.shape.dims, (), 1)
    if not node.op.is_fused or node.op["kind"] != "region":
        return None
    body: Graph = node.op["body"]
    members = [each for each in body.nodes if not each.op.definition.leaf]
    reduced = next((each for each in members if REDUCTION.made_by(each)), None)
    if reduced is not None:
        return _Loops(body.shape(reduced.refs[0]).dims, reduced.op["axes"], len(members))
    return _Loops(members[-1].shape.dims, (), len(members))


def _is_product(node: Node) -> bool:
    return PRODUCT.made_by(node) or any(PRODUCT.made_by(each) for each in _members(node))


def _members(node: Node) -> list[Node]:
    """The ops of a fused command, else the command's own op."""
    if not node.op.is_fused:
        return [node]
    return [each for each in node.op["body"].nodes if not each.op.definition.leaf]


def _title(node: Node) -> str:
    """The op names of a command, for reports."""
    names = [each.op.name for each in _members(node)]
    rest = len(names) - _MOST_NAMES
    return "+".join(names) if rest <= 1 else f"{'+'.join(names[:_MOST_NAMES])} and {count_of(rest, 'more op')}"


def _sizes(sizes: tuple[Size, ...]) -> str:
    return f"[{', '.join(map(str, sizes))}]"
