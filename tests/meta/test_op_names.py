"""Names of ops stand in records and in rules: other code asks a record's facets, or a pattern."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "rlx"

KERNELS = "one emitter for several ops asks which it emits"
RECORDS = "a record and its derivatives, about ops of its own family"
EXCEPTIONS = {
    "backends/cpu/compile/lowering.py": (2, "loops and branches are lowered with their bodies, not by the kernel table"),
    "backends/cpu/kernels": (20, KERNELS),
    "backends/cuda/kernels": (12, KERNELS),
    "backends/cuda/lower.py": (2, "which ops are taken apart, and which run on the host alone"),
    "ops": (8, RECORDS),
    "passes/prepared_analysis.py": (1, "ops that only move numbers, and how to read them back"),
    "passes/layout.py": (13, "which products read a weight, also inside contractions, and what they become"),
    "transforms": (1, "where a derivative stops"),
}
"""Where ops are told apart by name beside records and rules: how often at most, and why."""


def comparisons(path: Path) -> list[int]:
    """Lines outside of rules that compare an op's name, written out or kept in a variable."""
    tree = ast.parse(path.read_text())
    tree.body = [statement for statement in tree.body if not is_rule(statement)]
    kept = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and is_op_name(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        and any(is_op_name(side) or (isinstance(side, ast.Name) and side.id in kept) for side in (node.left, *node.comparators))
    ]


def is_rule(node: ast.AST) -> bool:
    """A function under `@rewrites(…)`."""
    marks = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return any(isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "rewrites" for mark in marks)


def is_op_name(node: ast.AST) -> bool:
    """`op.name`, `node.op.name`"""
    if not isinstance(node, ast.Attribute) or node.attr != "name":
        return False
    return (node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")) == "op"


@functools.cache
def found() -> dict[str, list[int]]:
    lines = {str(path.relative_to(SOURCE)): comparisons(path) for path in sorted(SOURCE.rglob("*.py"))}
    return {name: places for name, places in lines.items() if places}


def test_ops_are_told_apart_by_name_in_records_and_rules_alone():
    for name, lines in found().items():
        assert any(name.startswith(known) for known in EXCEPTIONS), f"{name}, lines {lines}: a pattern or a facet says it"


@pytest.mark.parametrize("known", EXCEPTIONS)
def test_exceptions_do_not_grow(known):
    most, _ = EXCEPTIONS[known]
    places = {name: lines for name, lines in found().items() if name.startswith(known)}
    assert sum(map(len, places.values())) <= most, places


def test_there_are_few_exceptions():
    assert sum(most for most, _ in EXCEPTIONS.values()) <= 60
