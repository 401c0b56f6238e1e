"""THE list: what happens to a graph on its way to a backend, in order."""

from __future__ import annotations

from rlx.core import config
from rlx.core.report import Report
from rlx.ir.graph import Graph
from rlx.ir.parse_lir import Lir
from rlx.ir.pattern import compose, identity
from rlx.ir.verify import verify
from rlx.passes.assumptions import assumptions
from rlx.passes.bodies import bodies
from rlx.passes.boundaries import report_boundaries
from rlx.passes.canonicalize import canonicalize, promotions
from rlx.passes.context import Context, Device, Options
from rlx.passes.entry import Pass, PassResult, added_to, checked_result
from rlx.passes.fuse_attention import fuse_attention
from rlx.passes.fuse_contraction import fuse_contraction
from rlx.passes.fuse_regions import fuse_regions
from rlx.passes.layout import layout
from rlx.passes.legalize import expand, legalize
from rlx.passes.plan import plan
from rlx.passes.precision import precision
from rlx.passes.rounding import rounding
from rlx.passes.select_dequant import select_dequant
from rlx.passes.simplify import cse, dce, fold
from rlx.passes.split_prepare import split_prepare
from rlx.passes.unfuse import unfuse

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
    """The list for a device: with the caller's passes, and what the device adds or leaves out, which the report says."""
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
    """A graph through the whole list: what a device compiles."""
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
    """Every pass of the context in order; each is timed, verified under RLX_VERIFY, and shown to whoever watches the report."""
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
            graph = _applied(one, graph, context)
        if check:
            with report.phase("verify"):
                verify(graph)
        if not body:
            report.show(one.name, graph if context.lir is before[1] else context.lir)
            if context.prepare is not before[0]:
                report.show("prepare", context.prepare)
    return graph, context.map


def _applied(one: Pass, graph: Graph, context: Context) -> Graph:
    """The graph after one pass; the context's map leads to its values."""
    try:
        result = one.function(graph, context)
    except Exception as error:
        error.add_note(f"in pass {one.name!r}")
        raise
    if one in context.options.passes:
        graph, step = checked_result(one, graph, result)
        if step is None:  # its values are where we look from now on
            context.source, context.map, step = graph, identity(graph), identity(graph)
    else:
        assert isinstance(result, tuple)
        graph, step = result
    context.map = compose(context.map, step)
    return graph
