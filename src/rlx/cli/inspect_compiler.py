"""rlx passes, rlx ops, rlx inspect: the compiler's passes and ops, and the contents of a file."""

from __future__ import annotations

import os
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rlx.backends.registry import find_backend
from rlx.cli.inspect_models import inspect_model, is_model
from rlx.core.counted import counted
from rlx.hub import find_model
from rlx.ir.attributes import REQUIRED
from rlx.ir.op import OPS, OpDef
from rlx.ir.text import read_file
from rlx.module.parse_and_load import load


def list_passes(console: Console, device: str | None = None) -> None:
    """The list with the first line of each pass's docstring; as one device runs it, with what that adds and leaves out."""
    from rlx.passes.entry import Options, Pass
    from rlx.passes.pipeline import PIPELINE, passes_of

    title = "The pipeline, in order" if device is None else f"The pipeline of {device!r}, in order"
    table = Table(title=title, title_justify="left")
    table.add_column("", justify="right")
    for heading in ("pass", "needed"):
        table.add_column(heading, no_wrap=True)
    table.add_column("what it does")
    chosen = PIPELINE if device is None else passes_of(find_backend(device), Options())
    rows: list[Pass] = []
    rest = list(PIPELINE)
    for one in chosen:
        if one in rest:
            place = rest.index(one)
            rows, rest = [*rows, *rest[:place]], rest[place + 1 :]
        rows.append(one)
    for number, one in enumerate([*rows, *rest], 1):
        how = "left out" if one not in chosen else "added" if one not in PIPELINE else one.needed
        table.add_row(str(number), one.name, how, escape(one.docs))
    console.print(table)


def list_ops(console: Console, name: str = "") -> None:
    """All ops, those whose name contains `name`, or one in detail."""
    records = [record for record in OPS if name in record.name]
    exact = next((record for record in records if record.name == name), None)
    if exact is not None:
        _show_op(console, exact)
        return
    if not records:
        OPS[name]  # raises, with similar names
    table = Table(title=f"{counted(len(records), 'op')}" + (f" with {name!r} in the name" if name else ""), title_justify="left")
    for heading in ("op", "operands", "kind", "what it computes"):
        table.add_column(heading, no_wrap=heading == "op")
    for record in records:
        table.add_row(record.name, escape(_operands(record)), str(record.kind), escape(" ".join(record.doc.split())))
    console.print(table)


def _operands(record: OpDef) -> str:
    return ", ".join(o.name + ("?" if o.optional else "*" if o.variadic else "") for o in record.operands)


def _show_op(console: Console, record: OpDef) -> None:
    table = Table(title=f"{record.name}({escape(_operands(record))})", title_justify="left", show_header=False)
    table.add_row("computes", escape(" ".join(record.doc.split())))
    table.add_row("level, kind", f"{record.level}, {record.kind}" + (f", family {record.family}" if record.family else ""))
    table.add_row("results", ", ".join(record.results))
    for name, attr in record.attrs.items():
        default = "required" if attr.default is REQUIRED else f"default {attr.default}"
        table.add_row(f"{name}=", escape(f"{attr.kind}, {default}" + (f": {attr.help}" if attr.help else "")))
    table.add_row("cpu", _on_cpu(record))
    table.add_row("reference", "yes" if record.reference is not None else "lowered first")
    for facet in ("vjp", "jvp", "batch"):
        value = getattr(record, facet)
        table.add_row(facet, "yes" if callable(value) else escape(str(value)))
    console.print(table)


def _on_cpu(record: OpDef) -> str:
    if record.level == "hir":
        return "lowered to MIR"
    return "a leaf" if record.leaf else find_backend("cpu").support(record)


def inspect_file(console: Console, name: str, context: int | None = None, *, as_data: bool = False) -> None:
    """A model; a saved module as in `module.inspect()`; a saved executable's interface, code and memory."""
    path = find_model(name)
    if is_model(path):
        inspect_model(console, str(path), context, as_data=as_data)
        return
    header, _ = read_file(path)
    if header.get("kind") == "executable":
        _show_executable(console, path)
    else:
        console.print(str(load(path).inspect()), markup=False, highlight=False, soft_wrap=True)


def _show_executable(console: Console, path: Path) -> None:
    from rlx.runtime.save import read_executable

    saved = read_executable(path)
    graph, artifact = saved.graph, saved.artifact
    table = Table(title=f"Executable {escape(graph.name)}", title_justify="left", show_header=False)
    table.add_row("file", f"{escape(os.fspath(path))}, {path.stat().st_size / 1e6:.2f} MB")
    table.add_row("device", saved.device)
    table.add_row("made for", artifact.made_for)
    table.add_row("inputs", escape(", ".join(f"{name}: {node.shape}" for name, node in graph.inputs.items()) or "none"))
    table.add_row("outputs", escape(", ".join(f"{name}: {graph.shape(ref)}" for name, ref in graph.output_refs.items()) or "none"))
    for kind, nodes in (("params", graph.params), ("states", graph.states)):
        held = sum(name.startswith(f"{kind[:-1]}.") for name in saved.values)
        table.add_row(kind, f"{len(nodes)}, {held} of them in the file")
    table.add_row("options", escape(", ".join(f"{name}={value}" for name, value in artifact.options.plain().items())))
    for name, words in artifact.summary().items():
        table.add_row(name, words)
    for name, size in artifact.memory.items():
        table.add_row(f"{name} bytes", escape(str(size)))
    console.print(table)
