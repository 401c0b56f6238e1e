"""Names part: a class name stands for one thing in the package."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src" / "rlx"
# the same idea at two levels, where each is the word its readers know
TWICE = {
    "Graph": "the public Graph adds builders to ir.Graph",
    "Linear": "a node of HIR, reached as HirOp.Linear; the layer of rlx.nn",
    "Module": "a graph with its level; a module of LLVM text; the base of the layers of rlx.nn",
    "Ref": "a result of a node; the array that is written in place, jax.Ref",
    "Value": "a value of a graph; a value of LLVM text",
}


def test_class_names_are_used_once():
    homes = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(path.relative_to(SOURCE)))
    assert {name: files for name, files in homes.items() if len(files) > 1 and name not in TWICE} == {}
