"""The syntax tree of a chat template, rewritten so that everything it creates is checked.

jinja2 calls its environment for operators, calls, attributes and filters, but not for lists, `~`, slices, comparisons and loops: these
become filters here, with names no template can write. Syntax that real templates do not use is rejected.
"""

from __future__ import annotations

from typing import Any

from jinja2 import nodes

from rlx.generate.template_budget import BITS, refused

MADE, CONCATENATED, SLICED, STEPPED, CHARGED = ("made value", "concatenated parts", "sliced sequence", "one step", "written text")

_DEPTH = 32  # of nested blocks; jinja2's compiler takes longer for each level
_NODES = frozenset(
    (
        "Add",
        "And",
        "Assign",
        "AssignBlock",
        "Break",
        "Call",
        "Compare",
        "Concat",
        "CondExpr",
        "Const",
        "Continue",
        "Dict",
        "Div",
        "Filter",
        "FilterBlock",
        "FloorDiv",
        "For",
        "Getattr",
        "Getitem",
        "If",
        "Keyword",
        "List",
        "Macro",
        "Mod",
        "Mul",
        "NSRef",
        "Name",
        "Neg",
        "Not",
        "Operand",
        "Or",
        "Output",
        "Pair",
        "Pos",
        "Scope",
        "Slice",
        "Sub",
        "Template",
        "TemplateData",
        "Test",
        "Tuple",
        "With",
    )
)


def rewritten(node: Any, depth: int = 0) -> Any:
    """A node and its children, with the filters inserted; rejects forbidden syntax."""
    kind = type(node).__name__
    depth += isinstance(node, nodes.Stmt)
    if depth > _DEPTH:
        raise refused(f"nests blocks deeper than {_DEPTH} in line {node.lineno}")
    if kind not in _NODES:
        raise refused(f"has {kind} in line {node.lineno}, which no chat template needs")
    for field in node.fields:
        value = getattr(node, field)
        if isinstance(value, list):
            setattr(node, field, [rewritten(part, depth) if isinstance(part, nodes.Node) else part for part in value])
        elif isinstance(value, nodes.Node) and not (kind == "Getitem" and isinstance(value, nodes.Slice)):
            setattr(node, field, rewritten(value, depth))
    return _REWRITES.get(kind, lambda node: node)(node)


def _filtered(node: Any, name: str, arguments: list[Any] | None = None) -> Any:
    return nodes.Filter(node, name, arguments or [], [], None, None)


def _made(node: Any) -> Any:
    """[a, b]  ->  [a, b] | made; the names a tuple assigns to stay"""
    return _filtered(node, MADE) if getattr(node, "ctx", "load") == "load" else node


def _concatenated(node: Any) -> Any:
    """a ~ b  ->  (a, b) | concatenated"""
    return _filtered(nodes.Tuple(node.nodes, "load"), CONCATENATED)


def _sliced(node: Any) -> Any:
    """a[b:c]  ->  a | sliced(b, c, none)"""
    if not isinstance(node.arg, nodes.Slice):
        return node
    ends = [nodes.Const(None) if end is None else rewritten(end) for end in (node.arg.start, node.arg.stop, node.arg.step)]
    return _filtered(node.node, SLICED, ends)


def _compared(node: Any) -> Any:
    """a == b  ->  (a | step) == b"""
    node.expr = _filtered(node.expr, STEPPED)
    return node


def _tested(node: Any) -> Any:
    """a is odd  ->  (a | step) is odd"""
    node.node = _filtered(node.node, STEPPED)
    return node


def _repeated(node: Any) -> Any:
    """A loop or macro: its body begins with a charge for the text it may write.      rejected: recursive loops"""
    if getattr(node, "recursive", False):
        raise refused(f"has a recursive loop in line {node.lineno}, which no chat template needs")
    if getattr(node, "test", None) is not None:
        node.test = _filtered(node.test, STEPPED)
    text = sum(len(data.data) for statement in node.body for data in statement.find_all(nodes.TemplateData))
    node.body.insert(0, nodes.ExprStmt(_filtered(nodes.Const(text), CHARGED)))
    return node


def _captured(node: Any) -> Any:
    """{% set a %}…{% endset %}  ->  {% set a | made %}…{% endset %}"""
    node.filter = _filtered(node.filter, MADE)
    return node


def _constant(node: Any) -> Any:
    if isinstance(node.value, int) and node.value.bit_length() > BITS:
        raise refused(f"has a number of {node.value.bit_length()} bits, the limit is {BITS}")
    return node


_REWRITES = {
    "AssignBlock": _captured,
    "Compare": _compared,
    "Concat": _concatenated,
    "Const": _constant,
    "Dict": _made,
    "For": _repeated,
    "Getitem": _sliced,
    "List": _made,
    "Macro": _repeated,
    "Test": _tested,
    "Tuple": _made,
}
