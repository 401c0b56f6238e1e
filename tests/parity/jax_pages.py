"""Runs the code cells of JAX's documentation in JAX and, with other imports, here, and compares their outputs.

    python -m tests.parity.jax_pages FOLDER [--pages a.md b.md] [--all] [--keep OUT] [--reasons]

FOLDER is `docs` of a checkout of JAX; nothing of it is part of this repository. Each page runs in processes of its own: twice in JAX
(the second time with other seeds, to know what depends on random numbers) and once here. Only cells that JAX itself runs count.
A cell here runs when it raises nothing, and is equal when every name it assigns, its last expression and what it prints are.

What does not count:
- Pages that `LEFT_OUT` names, each with its reason: several devices, kernels for GPUs and TPUs, JAX's internals, a C++ build. Without
  `--all` the next pages take their place, so that 20 pages are counted. No cell of a counted page is left out because it fails here.
- Cells that JAX on one CPU does not run: more devices, the network, libraries that are not installed, errors that the page shows.
- `compare_outputs.RULES` lists what is compared by shape or presence alone: random numbers, printed jaxprs and the like. The table that
  is printed says how often each rule was used.
"""

from __future__ import annotations

import argparse
import os
import pickle
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.parity.compare_outputs import RULES, Used, differences
from tests.parity.page_cells import cells_of

PAGE_SECONDS = 900
ROOT = Path(__file__).parents[2]

LEFT_OUT = {
    "autodidax": "builds a small JAX from NumPy and JAX's internals",
    "hijax": "JAX's internal types",
    "shard_map": "several devices",
    "shard-map": "several devices",
    "sharding": "several devices",
    "parallel": "several devices",
    "cute": "GPU kernels",
    "pallas": "kernels of Pallas",
    "ffi": "builds a C++ library against XLA",
    "host-offloading": "a device with memory of its own",
    "jax-primitives": "JAX's internals",
    "Writing_custom_interpreters": "JAX's internals",
    "new_docs": "drafts that no page of the site links to; they repeat its pages, or are about JAX's internals (hijax)",
}
"""Pages that are not about what one device computes through JAX's public names, by a part of their path."""


@dataclass
class Page:
    """What became of the cells of one page."""

    name: str
    cells: int = 0
    in_jax: int = 0
    here: int = 0
    equal: int = 0
    reasons: list[str] = field(default_factory=list)
    used: Used = field(default_factory=Counter)


def pages_by_cells(folder: Path) -> list[tuple[int, Path]]:
    """All pages with code cells, most cells first; of a notebook and its markdown form only the latter."""
    found = {path.with_suffix(""): path for path in sorted(folder.rglob("*.ipynb"))}
    found |= {path.with_suffix(""): path for path in sorted(folder.rglob("*.md"))}
    counted = [(len(cells_of(path)), path) for path in found.values()]
    return sorted(((count, path) for count, path in counted if count), key=lambda one: (-one[0], str(one[1])))


def chosen(folder: Path, every: bool, count: int = 20) -> list[Path]:
    """The pages with the most cells: of all, or of those that `LEFT_OUT` does not name."""
    paths = [path for _, path in pages_by_cells(folder)]
    if not every:
        paths = [path for path in paths if not any(part in str(path.relative_to(folder)) for part in LEFT_OUT)]
    return paths[:count]


def check(page: Path, folder: Path, kept: Path) -> Page:
    """A page run three times, its cells compared."""
    stem = str(page.relative_to(folder).with_suffix("")).replace("/", ".")
    theirs = _run(page, "jax", kept / f"{stem}.jax", keep=True)
    other = _run(page, "jax", kept / f"{stem}.seed", "--other-seed", keep=True)
    ours = _run(page, "rlx", kept / f"{stem}.rlx")
    found = Page(stem, len(theirs))
    for index, (a, b, c) in enumerate(zip(theirs, other, ours, strict=True)):
        if not a["ok"]:
            continue
        found.in_jax += 1
        if not c["ok"]:
            found.reasons.append(f"cell {index} raises {c['error'].splitlines()[0]:.150}")
            continue
        found.here += 1
        different = differences(a, b if b["ok"] else a, c, found.used)
        found.equal += not different
        found.reasons += [f"cell {index}: {text}" for text in different[:3]]
    return found


def _run(page: Path, library: str, out: Path, *options: str, keep: bool = False) -> list[dict[str, Any]]:
    if not (keep and out.exists()):
        environment = os.environ | {"JAX_PLATFORMS": "cpu", "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
        command = [sys.executable, "-m", "tests.parity.page_worker", str(page.resolve()), library, str(out), *options]
        with tempfile.TemporaryDirectory() as scratch:
            try:
                done = subprocess.run(command, cwd=scratch, env=environment, capture_output=True, text=True, timeout=PAGE_SECONDS)
                failed = done.returncode and done.stderr[-300:]
            except subprocess.TimeoutExpired:
                failed = f"over {PAGE_SECONDS} s"
        if failed:
            nothing = {"ok": False, "error": f"the page ended: {failed}", "values": {}, "last": None, "printed": ""}
            return [nothing] * len(cells_of(page))
    with open(out, "rb") as file:
        found: list[dict[str, Any]] = pickle.load(file)
    return found


def table(pages: list[Page]) -> str:
    """A row per page, the sums, and how often each exception from comparing was used."""
    rows = [(page.name, page.cells, page.in_jax, page.here, page.equal) for page in pages]
    sums = [sum(row[column] for row in rows) for column in range(1, 5)]
    lines = ["| page | cells | JAX runs | also here | equal |", "|---|---|---|---|---|"]
    lines += [f"| {' | '.join(map(str, row))} |" for row in [*rows, ("all", *sums)]]
    used = sum((page.used for page in pages), Counter())
    lines += ["", "Not compared in full:", *(f"- {name}, {count} times: {RULES[name]}" for name, count in used.items())]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", nargs="*", type=Path, help="these pages only, paths inside FOLDER")
    parser.add_argument("--all", action="store_true", help="also pages that LEFT_OUT names")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--keep", type=Path, help="keep what ran here; JAX's runs found in it are not repeated")
    options = parser.parse_args()
    pages = [options.folder / page for page in options.pages or []]
    pages = pages or chosen(options.folder, options.all, options.count)
    with tempfile.TemporaryDirectory() as scratch:
        kept = options.keep or Path(scratch)
        kept.mkdir(parents=True, exist_ok=True)
        results = []
        for page in pages:
            results.append(check(page, options.folder, kept.resolve()))
            for reason in results[-1].reasons:
                print(f"{results[-1].name} {reason}", flush=True)
        print(table(results))


if __name__ == "__main__":
    main()
