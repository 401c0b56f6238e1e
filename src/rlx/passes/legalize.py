"""expand and legalize: what the backend does not claim becomes its decomposition; what stays illegal is an error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rlx.core.errors import RlxError
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import Op
from rlx.ir.pattern import Rewriter, Rules, Site, compose, identity, rewrites
from rlx.ir.traced_bodies import with_inputs
from rlx.passes.canonicalize import cast_operands, dce
from rlx.passes.complex_parts import COMPLEX_RULES
from rlx.passes.entry import Context, PassResult
from rlx.passes.layout import CHANNELS_LAST

NO_KERNEL = "it has no kernel"
"""A backend's reason for an op it does not know; any other reason comes from a kernel, and the report names it."""
_MOST_ROUNDS = 8


def expand(graph: Graph, context: Context) -> PassResult:
    """softmax(x)  ->  exp(x - max) / sum, …        compositions the backend has no kernel for, before fusion so that their parts fuse"""
    graph, total = CHANNELS_LAST.apply(graph, "expand", context.uses(graph))
    for step in (dce, lambda graph, context: _decompose(graph, context, "expand", strict=False)):
        graph, mapping = step(graph, context)
        total = compose(total, mapping)
    return graph, total


def legalize(graph: Graph, context: Context) -> PassResult:
    """The last word: every node has a kernel, or the error says which has not, why, and the user's line."""
    return _decompose(graph, context, "legalize", strict=True)


def _decompose(graph: Graph, context: Context, stage: str, strict: bool) -> PassResult:
    total = identity(graph)
    for _ in range(_MOST_ROUNDS):
        composed = _find_rules(graph, context)
        if not composed:
            break
        rewriter = Rewriter(graph, stage)
        for node in graph.nodes:
            if node.id not in composed:
                rewriter.copy(node)
                continue
            rule, reason = composed[node.id]
            values = rewriter.values(node)
            if rule is not node.op.definition.decompose:  # by complex parts: a body inlined here does not have one dtype yet
                values = rewriter.build(node, cast_operands, node.op.definition, values) or values
            parts = rewriter.build(node, rule, *values, **node.op.attrs)
            rewriter.replace(node, parts)
            if reason == NO_KERNEL:
                context.report.add(stage, "decomposed", node.op.name, node.origin)
            else:
                context.report.add(stage, "fallback", f"decomposed: {node.op.name}: {reason}", node.origin)
        graph, step = rewriter.finish()
        total = compose(total, step)
    if strict:
        for node in graph.nodes:
            missing = _why_missing(node, graph, context)
            if missing is not None:
                raise RlxError("RLX403", f"{node.op.name} on {context.backend.name}: {missing}", at=node.origin.location)
    return graph, total


def _find_rules(graph: Graph, context: Context) -> dict[int, tuple[Callable[..., Any], str]]:
    """The decomposition of each node without a kernel, and why it has none."""
    rules = {}
    for node in graph.nodes:
        rule = _rule(node, graph)
        reason = None if rule is None else _why_missing(node, graph, context)
        if rule is not None and reason is not None:
            rules[node.id] = rule, reason
    return rules


def _rule(node: Node, graph: Graph) -> Callable[..., Any] | None:
    """The expansion of an op: its decomposition, or for complex numbers its real parts."""
    shapes = (*(graph.shape(ref) for ref in node.refs), *node.results)
    by_parts = COMPLEX_RULES.get(node.op.name) if any(shape.dtype.is_complex for shape in shapes) else None
    return by_parts or node.op.definition.decompose


def _why_missing(node: Node, graph: Graph, context: Context) -> str | None:
    if node.op.definition.leaf:
        return None
    shapes = tuple(None if ref is None else graph.shape(ref) for ref in node.inputs)
    key = (node.op, shapes)
    if key not in context.claimed:  # equal layers have equal keys
        context.claimed[key] = context.backend.claims(node.op, shapes, node.results)
    return context.claimed[key]


# -- bodies: the bodies of scans, branches and loops go through the whole pipeline themselves ------------------------


def bodies(graph: Graph, context: Context) -> PassResult:
    """scan(…){ body }  ->  scan(…){ body after every pass }        inputs and outputs keep their order and types"""
    if not any(_holds_bodies(node.op) for node in graph.nodes):
        return graph, identity(graph)
    rewriter = Rewriter(graph, "bodies")
    for node in graph.nodes:
        if not _holds_bodies(node.op):
            rewriter.copy(node)
            continue
        changes = {role: _run_pipeline(body, context) for role, body in node.op.graphs()}
        rewriter.copy(node, node.op.with_attrs(**changes))
    return rewriter.finish()


def _holds_bodies(op: Op) -> bool:
    return not op.is_fused and any(True for _ in op.graphs())


def _run_pipeline(body: Graph, context: Context) -> Graph:
    from rlx.passes.pipeline import run_passes  # it runs this pass

    graph, _ = run_passes(body, replace(context), body=True)
    names = list(graph.inputs)
    return with_inputs(graph, [names.index(name) for name in body.inputs])


# -- unfuse: inline every `fused` body, so graphs built directly, for autodiff, or imported take one path ------------


@rewrites("fused")
def inline_body(at: Site) -> list[Ref]:
    """fused[kind](x, …){ body }  ->  body's nodes on x, …"""
    operands = [None if ref is None else at.rewriter.ref(ref) for ref in at.node.inputs]
    return at.rewriter.inline(at.node.op["body"], operands, at.node)


RULES = Rules(inline_body)


def unfuse(graph: Graph, context: Context) -> PassResult:
    """fused[kind](x, …){ body }  ->  body's nodes on x, …        repeated until no fused node is left"""
    total = identity(graph)
    while any(node.op.is_fused for node in graph.nodes):
        graph, step = RULES.apply(graph, "unfuse")
        total = compose(total, step)
    return graph, total
