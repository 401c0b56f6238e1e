"""Golden text: each file names passes on its first line, then a graph, then what they make of it.

A file `NAME.rlx` holds `// run: pass, pass`, the graph before, a line `// after`, and the graph after. With UPDATE_GOLDEN=1 the
part behind `// after` is written anew; read the difference before committing it.
Options stand behind a bar: `// run: precision | precision=auto_mixed`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import rlx
from rlx.ir.text import render
from rlx.ir.verify import verify
from rlx.passes.entry import Context, Options
from rlx.passes.pipeline import PIPELINE

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.rlx"))
PASSES = {one.name: one.function for one in PIPELINE}


class Backend:
    """Claims every op but the compositions; panels of 16 columns, and one type of stored blocks in a layout."""

    name = "golden"

    def claims(self, op, operands, results):
        kept = op.name == "fused" or op.name.startswith("pack")
        return "no kernel" if op.definition.decompose is not None and not kept else None

    def layout_for(self, weights, scheme):
        if scheme is not None:
            return "rows8_q4k" if str(scheme) == "gguf_q4k" else None
        return f"{'panel' if len(weights) == 1 else 'pair'}16"


def run(names, text, options):
    graph = rlx.graphs.parse(text)
    verify(graph)
    context = Context(Backend(), Options(**options), passes=PIPELINE)
    after = []
    for name in names:
        if name in ("direct", "fusable"):
            from rlx.blocks import lower_to_mir

            graph, _ = lower_to_mir(graph, name)
        else:
            graph, mapping = PASSES[name](graph, context)
            assert all(graph.shape(ref) is not None for ref in mapping.values())
        verify(graph)
    if context.prepare is not None:
        after.append(context.prepare)
    notes = [f"// {entry.kind}: {entry.message}" for entry in context.report if entry.kind == "not fused"]
    return "\n".join([*(render(g, origins=False) for g in [graph, *after]), *notes])


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_golden(path):
    before, _, expected = path.read_text().partition("// after\n")
    command, _, text = before.partition("\n")
    listed, _, settings = command.removeprefix("// run:").partition("|")
    names = [name.strip() for name in listed.split(",")]
    chosen = dict(setting.split("=") for setting in settings.split())
    words = {"True": True, "False": False}
    found = run(names, text, {name: words.get(value, value) for name, value in chosen.items()}).strip()
    if os.environ.get("UPDATE_GOLDEN") == "1":
        path.write_text(f"{before.rstrip()}\n// after\n{found}\n")
        expected = found
    assert found == expected.strip()


def test_there_is_a_golden_file_for_every_pass():
    text = " ".join(path.read_text().splitlines()[0] for path in FILES)
    silent = {"promotions", "plan"}  # the first changes the report alone, the last has texts in tests/ir and tests/plan
    for name in [one.name for one in PIPELINE if one.name not in silent] + ["direct", "fusable"]:
        assert name.removesuffix(" again") in text, name
