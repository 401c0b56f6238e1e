"""docs/images/architecture.svg: the folders of the package in the order data flows, and who imports whom, drawn from the sources."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "rlx"

LAYERS: dict[str, str] = {
    "core": "sizes, dtypes, errors, reports",
    "ir": "graphs, records, text, rewriting",
    "layouts": "orders of weights in memory: GGUF blocks, panels, rows",
    "transforms/rules": "what derivative and batching rules are made of",
    "ops": "one record for each op, by family",
    "formulas": "element mathematics, once for every device",
    "blocks": "HIR blocks and what they lower to",
    "module": "builders, modules of the three levels",
    "trace": "Python functions to graphs",
    "transforms": "grad, vjp, jvp, vmap from graph to graph",
    "plan": "slots, schedule, donation",
    "passes": "THE list: MIR to MIR",  # whose list ends with the plan
    "compat": "the names of the Rust RLX",
    "backends": "what a device is; reference, cpu, null, cuda",
    "runtime": "compile, sessions, executables, runs",
    "functions": "jit, grad, vmap, scan on Python functions",
    "frontends": "rlx.numpy, lax, nn, random, scipy",
    "scipy": "the modules of rlx.scipy",
    "backends/conformance": "one program that tests any device",
    "quant": "calibration, post-training quantization",
    "formats": "GGUF, safetensors, tokenizers",
    "hub": "models by name, downloads",
    "models": "model families",
    "generate": "engine, sampling, chat templates",
    "train": "loops, optimizers, checkpoints",
    "estimate": "a run's memory and time on a mesh, predicted",
    "serve": "HTTP: the APIs, tools, limits, the page",
    "cli": "the command rlx",
}
ROW, LEFT, BOX, ARCS = 32, 16, 490, 330
COLOURS = ("#4c6ef5", "#12b886", "#f59f00", "#e64980", "#7950f2", "#15aabf")


def layer_of(module: str) -> str | None:
    """The layer of `rlx.a.b`: `a/b` where that is one of its own, or `a`."""
    parts = module.split(".")[1:]
    return next((name for name in ("/".join(parts[:2]), *parts[:1]) if name in LAYERS), None)


def layer_of_file(path: Path) -> str | None:
    """The layer of a source file."""
    return layer_of(".".join(("rlx", *path.relative_to(SOURCE).with_suffix("").parts)))


def imported_layers(path: Path) -> set[str]:
    """The layers a file imports from, at its top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        found |= {layer for name in names if name.startswith("rlx.") and (layer := layer_of(name))}
    return found


def edges() -> Counter[tuple[str, str]]:
    """(importer, imported) of layers, with how many files do so."""
    found: Counter[tuple[str, str]] = Counter()
    for path in sorted(SOURCE.rglob("*.py")):
        here = layer_of_file(path)
        if here is not None:
            found.update((here, other) for other in imported_layers(path) - {here})
    return found


def picture() -> str:
    """The SVG: one row a folder; an arc leads from a folder up to each one that it imports, wider where more files do.

    `core` is imported by all; those arcs are left out.
    """
    names = list(LAYERS)
    height = ROW * len(names) + 24
    width = LEFT + BOX + ARCS
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    middle = {name: 12 + ROW * row + ROW // 2 for row, name in enumerate(names)}
    for (importer, imported), files in sorted(edges().items(), key=lambda edge: (names.index(edge[0][0]), edge[0][1])):
        low, high = middle[imported], middle[importer]
        if high < low or imported == "core":
            continue  # the registry's one lazy look forward; core, which every folder imports
        reach = 24 + (ARCS - 48) * (high - low) / (ROW * (len(names) - 1))
        thick = 1 if files < 4 else 2 if files < 16 else 4
        colour = COLOURS[names.index(importer) % len(COLOURS)]
        start = LEFT + BOX
        lines.append(
            f'<path d="M {start} {high} C {start + reach:.0f} {high}, {start + reach:.0f} {low}, {start} {low}" '
            f'fill="none" stroke="{colour}" stroke-width="{thick}" stroke-opacity="0.55"/>'
        )
    for row, name in enumerate(names):
        top, colour = 12 + ROW * row + 3, COLOURS[row % len(COLOURS)]
        lines += [
            f'<rect x="{LEFT}" y="{top}" width="{BOX}" height="{ROW - 6}" rx="5" fill="{colour}" fill-opacity="0.12" '
            f'stroke="{colour}"/>',
            f'<text x="{LEFT + 10}" y="{middle[name] + 5}" font-weight="bold">{name}</text>',
            f'<text x="{LEFT + 185}" y="{middle[name] + 5}" fill="#444444" font-size="12">{LAYERS[name]}</text>',
        ]
    return "\n".join([*lines, "</svg>"]) + "\n"
