"""rlx quantize: converts a GGUF file to other types, with a progress bar and a summary by tensor type."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from rlx.core.errors import RlxError
from rlx.formats.gguf import product, read_gguf
from rlx.formats.gguf_recipes import Change, quantize_gguf, recipe_of
from rlx.hub import find_model


def quantize(console: Console, name: str | Path, out: Path, kind: str, *, force: bool = False, pure: bool = False) -> None:
    """Write `out` and report."""
    recipe = recipe_of(kind)
    source = find_model(name)
    tensors = read_gguf(source).tensors.values()
    if not out.absolute().parent.is_dir():
        raise RlxError("RLX706", f"{out}: no folder {out.absolute().parent}", fix="create it first", at=None)
    total, before = sum(product(tensor.dims) for tensor in tensors), sum(tensor.nbytes for tensor in tensors)
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    started = time.perf_counter()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(recipe.name, total=total)

        def told(name: str, count: int) -> None:
            bar.update(task, advance=count, description=escape(f"{recipe.name} {name}"))

        def warned(text: str) -> None:
            bar.console.print(f"Careful: {escape(text)}.", highlight=False, soft_wrap=True)

        changes = quantize_gguf(source, out, recipe, force=force, pure=pure, progress=told, warn=warned)
    seconds = time.perf_counter() - started
    _report(console, changes)
    size = out.stat().st_size
    bits = f"{8 * size / max(total, 1):.2f} bits per weight"
    speed = f"{total / seconds / 1e6:.0f} M weights/s"
    console.print(
        f"{escape(str(out))}: {size / 1e6:.1f} MB, was {before / 1e6:.1f} MB; {bits}, {seconds:.1f} s, {speed}", soft_wrap=True
    )


def _report(console: Console, changes: list[Change]) -> None:
    """Tensors by old and new type."""
    tensors: Counter[tuple[str, str]] = Counter()
    weights: Counter[tuple[str, str]] = Counter()
    for change in changes:
        tensors[change.before, change.after] += 1
        weights[change.before, change.after] += product(change.dims)
    table = Table()
    for heading in ("from", "to", "tensors", "weights"):
        table.add_column(heading, justify="right" if heading in ("tensors", "weights") else "left")
    for (before, after), count in weights.most_common():
        table.add_row(before, after if after != before else "unchanged", str(tensors[before, after]), f"{count:,}")
    console.print(table)
