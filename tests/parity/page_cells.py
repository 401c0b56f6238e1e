"""Code cells of documentation pages (MyST markdown or notebooks), and their imports written for RLX."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

FENCE = re.compile(r"^(?P<indent>[ ]*)(?P<fence>`{3,})\s*\{code-cell\}.*$")


def cells_of(page: Path) -> list[str]:
    """The code cells of a page, in order, as Python: notebook commands are dropped, `%timeit f()` runs `f()` once."""
    if page.suffix == ".ipynb":
        cells = [cell for cell in json.loads(page.read_text())["cells"] if cell["cell_type"] == "code"]
        return [_plain("".join(cell["source"])) for cell in cells]
    return [_plain(text) for text in _fenced(page.read_text().splitlines())]


def _fenced(lines: list[str]) -> list[str]:
    cells: list[str] = []
    at = 0
    while at < len(lines):
        opening = FENCE.match(lines[at])
        at += 1
        if opening is None:
            continue
        body: list[str] = []
        while at < len(lines) and lines[at].strip() != opening["fence"]:
            body.append(lines[at].removeprefix(opening["indent"]))
            at += 1
        cells.append("\n".join(_without_options(body)))
    return cells


def _without_options(body: list[str]) -> list[str]:
    """A cell without MyST's options: lines `:key: value`, or a block between two `---`."""
    if body and body[0].strip() == "---":
        end = next((index for index in range(1, len(body)) if body[index].strip() == "---"), 0)
        return body[end + 1 :]
    while body and re.match(r":[\w-]+:", body[0]):
        body = body[1:]
    return body


def _plain(text: str) -> str:
    """A cell without the notebook's own commands."""
    lines: list[str] = []
    for line in text.splitlines():
        command = re.match(r"(?P<indent>\s*)(?P<target>\w+\s*=\s*)?%{1,2}(?P<name>\w+)(?P<rest>.*)", line)
        if command and command["name"] in ("timeit", "time"):
            rest = re.sub(r"^(\s+-\w(\s*\d+)?)*\s*", "", command["rest"])
            lines.append(command["indent"] + rest)
        elif command or re.match(r"\s*!", line):
            indent = re.match(r"\s*", line)
            lines.append((indent[0] if indent else "") + "pass")
        else:
            lines.append(line)
    return "\n".join(lines)


def with_our_imports(tree: ast.Module) -> ast.Module:
    """A cell with `jax` replaced by `rlx` in its import statements; nothing else is touched."""
    return ast.fix_missing_locations(_Imports().visit(tree))


class _Imports(ast.NodeTransformer):
    def visit_Import(self, node: ast.Import) -> ast.stmt | list[ast.stmt]:
        made: list[ast.stmt] = []
        for name in node.names:
            if _of_jax(name.name) and name.asname is None:  # import jax.numpy binds jax
                made.append(ast.Import([ast.alias(_ours(name.name))])) if "." in name.name else None
                made.append(ast.Import([ast.alias("rlx", "jax")]))
            else:
                made.append(ast.Import([ast.alias(_ours(name.name), name.asname)]))
        return [ast.copy_location(one, node) for one in made]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        node.module = _ours(node.module or "")
        return node


def _of_jax(module: str) -> bool:
    return module == "jax" or module.startswith("jax.")


def _ours(module: str) -> str:
    return "rlx" + module.removeprefix("jax") if _of_jax(module) else module
