"""THE list: what happens to a graph on its way to a backend, in order."""

from __future__ import annotations

from dataclasses import replace

from rlx.core import config
from rlx.core.enums import OpKind
from rlx.core.report import Report
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.parse_lir import Lir
from rlx.ir.pattern import Rewriter, Uses, compose, identity, op
from rlx.ir.verify import verify
from rlx.passes.attention_match import fuse_attention
from rlx.passes.boundaries import report_boundaries
from rlx.passes.canonicalize import canonicalize, cse, dce, fold, promotions
from rlx.passes.entry import Context, Device, Options, Pass, PassResult, added_to, assumptions, checked_result
from rlx.passes.fuse_contraction import fuse_contraction
from rlx.passes.fuse_regions import fuse_regions
from rlx.passes.layout import layout
from rlx.passes.legalize import bodies, expand, legalize, unfuse
from rlx.passes.precision import precision, rounding
from rlx.passes.prepared_analysis import has_param
from rlx.passes.select_dequant import select_dequant
from rlx.plan.schedule import plan as schedule

# -- split_prepare: what depends on params alone is cut off into a graph of its own, run when a param changes --------


STAGE = "split_prepare"
FREE_VIEWS = op(("reshape", "narrow", "expand"))


def split_prepare(graph: Graph, context: Context) -> PassResult:
    """main(pack(concat(w1, w2)), x)  ->  prepare: pack(concat(w1, w2));  main(prepared, x)

    Values that are free views of a leaf stay in main. A param read only by prepare does not appear in main.
    """
    from_params = has_param(graph, context.prepared(graph))
    moved = {i for i in from_params if not graph.nodes[i].op.definition.leaf and not is_free_view(graph, Ref(i))}
    boundary = _values_main_reads(graph, moved, context.uses(graph))
    context.prepare = _prepare_graph(graph, boundary)
    result, mapping = _main_graph(graph, moved, boundary)
    if boundary:
        context.report.add(STAGE, "prepared", f"{len(boundary)} values computed from params once")
    if config.VERIFY.on():
        verify(context.prepare)
    return result, mapping


def _values_main_reads(graph: Graph, moved: set[int], uses: Uses) -> list[Ref]:
    """The values of moved nodes that are outputs, or that a remaining node reads."""

    def feeds_prepare_alone(node: Node) -> bool:
        """Whether only moved nodes read a leaf, view or constant."""
        if node.op.definition.leaf:
            return True
        readers = [reader for ref in node.outputs for reader in uses.of(ref)]
        return bool(readers) and all(reader.id in moved for reader in readers) and uses.escapes.isdisjoint(node.outputs)

    read = {ref for node in graph.nodes if node.id not in moved and not feeds_prepare_alone(node) for ref in node.refs}
    read |= uses.escapes
    return [ref for node in graph.nodes if node.id in moved for ref in node.outputs if ref in read]


def _prepare_graph(graph: Graph, boundary: list[Ref]) -> Graph:
    """Builds the graph that computes the boundary values from params; its outputs are prepared.0, prepared.1, …"""
    prepare = Rewriter(graph, STAGE, name=f"{graph.name}.prepare")
    prepare.forget_symbols()
    needed = _ancestors(graph, {ref.node for ref in boundary})
    for node in graph.nodes:
        if node.id in needed:
            prepare.copy(node)
    prepare.forget_assumptions()
    prepare.graph.output_refs = {f"prepared.{index}": prepare.ref(ref) for index, ref in enumerate(boundary)}
    return prepare.graph


def _main_graph(graph: Graph, moved: set[int], boundary: list[Ref]) -> PassResult:
    """Builds the graph without the moved nodes: the boundary values are params."""
    main = Rewriter(graph, STAGE)
    needed = {ref.node for _, ref in graph.results()} | {node.id for node in graph.nodes if node.op.has_effect}
    alive = _ancestors(graph, needed, stop={ref.node for ref in boundary})
    names = {ref: f"prepared.{index}" for index, ref in enumerate(boundary)}
    for node in graph.nodes:
        if node.id not in moved:
            if node.id in alive or node.op.is_input or node.op.is_state:
                main.copy(node)
            continue
        for ref in node.outputs:
            if ref in names:
                leaf = OPS["param"].op(name=names[ref], shape=graph.shape(ref))
                main.map[ref] = main.graph.add_node(leaf, origin=node.origin).ref
    return main.finish()


def is_free_view(graph: Graph, ref: Ref) -> bool:
    """Whether a node is a leaf, or a view of one that costs nothing to read."""
    node = graph.node(ref)
    while FREE_VIEWS.made_by(node):
        node = graph.node(node.refs[0])
    return node.op.definition.leaf


def _ancestors(graph: Graph, start: set[int], stop: set[int] | None = None) -> set[int]:
    """The start nodes and all their ancestors; the walk ends at `stop`."""
    ancestors: set[int] = set()
    todo = list(start)
    while todo:
        current = todo.pop()
        if current in ancestors:
            continue
        ancestors.add(current)
        if stop is None or current not in stop:
            todo += [ref.node for ref in graph.nodes[current].refs]
    return ancestors


# -- plan: the last pass; the graph becomes commands on buffers, for the device's kernels ------------------------------


def plan(graph: Graph, context: Context) -> PassResult:
    """y = add(x, w)  ->  command 0: add [x, w] -> slot 0        buffers share slots; only dependent commands have a barrier between them"""
    commands = context.backend.commands(context.options)
    traps = context.options.trap_nan and commands.traps
    frozen = graph if graph is context.source else graph.freeze()  # the user's graph is not frozen
    lir = schedule(frozen, commands, context.report, trapped=_values_of_user_ops(context) if traps else None)
    if context.prepare is not None and context.prepare.output_refs:
        made = [node for node in context.prepare.nodes if node.op.definition.kind is not OpKind.DataMovement]
        trapped = {ref: node.op.name for node in made for ref in node.outputs} if traps else None
        lir = replace(lir, prepare=schedule(context.prepare.freeze(), commands, context.report, trapped=trapped))
    context.lir = lir
    return graph, identity(graph)


def _values_of_user_ops(context: Context) -> dict[Ref, str]:
    """The values that trap_nan checks: results of the user's ops, wherever passes moved them."""
    names: dict[Ref, str] = {}
    for node in context.source.nodes if context.source is not None else ():
        for ref in node.outputs:
            if ref in context.map and not node.op.definition.leaf:
                names.setdefault(context.map[ref], node.op.name)
    return names


# -- THE list --------------------------------------------------------------------------------------------------------


PIPELINE: tuple[Pass, ...] = (
    Pass("assumptions", assumptions, needed="for kernels"),
    Pass("unfuse", unfuse),
    Pass("select dequant", select_dequant),
    Pass("promotions", promotions),
    Pass("canonicalize", canonicalize, needed="for kernels"),
    Pass("fold", fold, needed="for speed"),
    Pass("cse", cse, needed="for speed"),
    Pass("dce", dce, needed="for kernels"),
    Pass("fuse attention", fuse_attention, needed="for speed"),
    Pass("precision", precision),
    Pass("rounding", rounding, needed="for kernels"),
    Pass("expand", expand, needed="for kernels"),
    Pass("canonicalize again", canonicalize, needed="for kernels"),
    Pass("cse again", cse, needed="for speed"),
    Pass("fuse contraction", fuse_contraction, needed="for speed"),
    Pass("fuse regions", fuse_regions, needed="for speed"),
    Pass("layout", layout, needed="for speed"),
    Pass("legalize", legalize, needed="for kernels"),
    Pass("dce again", dce, needed="for kernels"),
    Pass("bodies", bodies, needed="for kernels"),
    Pass("split_prepare", split_prepare, needed="for speed", whole=True),
    Pass("plan", plan, whole=True),
)


def passes_of(backend: Device, options: Options, report: Report | None = None) -> tuple[Pass, ...]:
    """The pass list for a device, with the caller's passes and the device's changes, which the report lists."""
    listed = added_to(PIPELINE, options.passes)
    chosen = tuple(backend.passes(listed, options))
    if report is not None:
        left_out = [one.name for one in listed if one not in chosen]
        if left_out:
            report.add("passes", "left out", f"{', '.join(left_out)}: {backend.name!r} does without")
        for one in chosen:
            if one not in PIPELINE:
                whose = "as given to compile" if one in listed else f"by {backend.name!r}"
                version = "" if one.version is None else f", version {one.version}"
                report.add("passes", "added", f"{one.name}{version}, {whose}")
    return chosen


def lower(graph: Graph, backend: Device, options: Options, report: Report) -> Lir:
    """Runs a graph through the full pass list to the LIR that a device compiles."""
    with report.phase("load passes and kernels"):
        passes = passes_of(backend, options, report)
    context = Context(backend, options, report, passes=passes)
    run_passes(graph, context)
    assert context.lir is not None
    if any(one.function is fuse_regions for one in passes):
        with report.phase("explain boundaries"):
            report_boundaries(context.lir, options, report)
    return context.lir


def run_passes(graph: Graph, context: Context, *, body: bool = False) -> PassResult:
    """Runs every pass of the context in order: timed, verified under RLX_VERIFY, and reported to observers."""
    context.source, context.map = graph, identity(graph)
    report, check = context.report, config.VERIFY.on()
    for one in context.passes:
        if body and one.whole:
            continue
        if one.name.removesuffix(" again") in context.options.skip:
            report.add(one.name, "left out", "by the option `skip`")
            continue
        before = (context.prepare, context.lir)
        with report.phase(f"pass {one.name}"):
            graph = _apply(one, graph, context)
        if check:
            with report.phase("verify"):
                verify(graph)
        if not body:
            report.show(one.name, graph if context.lir is before[1] else context.lir)
            if context.prepare is not before[0]:
                report.show("prepare", context.prepare)
    return graph, context.map


def _apply(one: Pass, graph: Graph, context: Context) -> Graph:
    """Applies one pass and updates the context's map from source values."""
    try:
        result = one.function(graph, context)
    except Exception as error:
        error.add_note(f"in pass {one.name!r}")
        raise
    if one in context.options.passes:
        graph, step = checked_result(one, graph, result)
        if step is None:  # the map starts at its values
            context.source, context.map, step = graph, identity(graph), identity(graph)
    else:
        assert isinstance(result, tuple)
        graph, step = result
    context.map = compose(context.map, step)
    return graph
