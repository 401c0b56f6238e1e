"""THE list: what happens to a graph on its way to a backend, in order."""

from __future__ import annotations

import time
from collections.abc import Callable

from rlx.core import config
from rlx.ir.graph import Graph
from rlx.ir.rewrite import ValueMap, compose
from rlx.ir.verify import verify
from rlx.passes.assumptions import assumptions
from rlx.passes.bodies import bodies
from rlx.passes.canonicalize import canonicalize, canonicalize_again
from rlx.passes.context import Context, PassResult
from rlx.passes.fuse_attention import fuse_attention
from rlx.passes.fuse_contraction import fuse_contraction
from rlx.passes.fuse_regions import fuse_regions
from rlx.passes.interleave import interleave
from rlx.passes.layout import layout
from rlx.passes.legalize import expand, legalize
from rlx.passes.precision import precision
from rlx.passes.select_dequant import select_dequant
from rlx.passes.simplify import cse, dce, fold
from rlx.passes.unfuse import unfuse

Pass = Callable[[Graph, Context], PassResult]

PIPELINE: tuple[tuple[str, Pass], ...] = (
    ("assumptions", assumptions),
    ("unfuse", unfuse),
    ("select dequant", select_dequant),
    ("canonicalize", canonicalize),
    ("fold", fold),
    ("cse", cse),
    ("dce", dce),
    ("fuse attention", fuse_attention),
    ("precision", precision),
    ("expand", expand),
    ("canonicalize again", canonicalize_again),
    ("cse again", cse),
    ("fuse contraction", fuse_contraction),
    ("fuse regions", fuse_regions),
    ("layout", layout),
    ("interleave", interleave),
    ("legalize", legalize),
    ("dce again", dce),
    ("bodies", bodies),
)


def run_pipeline(
    graph: Graph, context: Context, watch: Callable[[str, Graph], None] | None = None
) -> tuple[Graph, ValueMap]:
    """Every pass in order; each is timed, verified under RLX_VERIFY, and shown to `watch`."""
    total: ValueMap = {ref: ref for node in graph.nodes for ref in node.outputs}
    check = config.VERIFY.on()
    for name, run in PIPELINE:
        if name.removesuffix(" again") in context.options.skip:
            context.report.add(name, "left out", "by the option `skip`")
            continue
        start = time.perf_counter()
        graph, step = run(graph, context)
        total = compose(total, step)
        context.report.time(f"pass {name}", time.perf_counter() - start)
        if check:
            verify(graph)
        if watch is not None:
            watch(name, graph)
    return graph, total
