"""The shape of the repository: layers import only backwards, files stay small, names are honest."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "rlx"
LAYERS = [
    "core",
    "ir",
    "ops",
    "blocks",
    "module",
    "trace",
    "transforms",
    "passes",
    "plan",
    "backends",
    "runtime",
    "quant",
    "formats",
    "models",
    "generate",
    "train",
    "serve",
    "cli",
]
FILES = sorted(SOURCE.rglob("*.py"))

# the registry loads its records on first use: the one look forward, and a lazy one
LAZY = {("ir/op.py", "ops"), ("ir/op.py", "blocks")}


def layer_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0]


def imported_layers(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names = [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "rlx" and len(parts) > 1 and parts[1] in LAYERS:
                found.add(parts[1])
    return found


@pytest.mark.parametrize("path", [p for p in FILES if p.parent != SOURCE], ids=lambda p: str(p.relative_to(SOURCE)))
def test_layers_import_only_backwards(path):
    here = layer_of(path)
    for other in imported_layers(path):
        if (str(path.relative_to(SOURCE)), other) in LAZY:
            continue
        assert LAYERS.index(other) <= LAYERS.index(here), f"{path} ({here}) imports {other}"


def test_no_file_grows_without_end():
    long = {
        str(path.relative_to(SOURCE)): lines
        for path in FILES
        if (lines := len(path.read_text().splitlines())) > 500 and path.name != "builders.py"
    }
    assert not long, long


def test_no_vague_file_names():
    assert not [path for path in FILES if path.name in ("utils.py", "helpers.py", "common.py", "misc.py")]
