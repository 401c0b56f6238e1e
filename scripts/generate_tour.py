"""Write docs/tour.md: one Llama block at every stage of the compiler. `--check` only tells whether it is current.

Everything is made for one named target (x86-64 with AVX2), so it is the same on every machine. Two parts are not and are left out of the
check: the assembly when LLVM has another version than the page says, and the measured profile, which `--measure` writes anew.
"""

from __future__ import annotations

import difflib
import itertools
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "src")]

import numpy as np
from tour_code import assembly_of, functions_of, hot_loop, llvm_loop, llvm_version
from tour_picture import memory_timeline, pixels_of

import rlx
from rlx.backends.cpu.backend import CpuBackend
from rlx.backends.cpu.compile.codegen import optimized_text
from rlx.backends.cpu.target import Target
from rlx.core.report import Report
from rlx.ir.graph import Graph
from rlx.ir.parse_lir import Lir, render_lir
from rlx.ir.text import attribute_text, render
from rlx.module.modules import as_mir_graph
from rlx.passes.entry import Options
from rlx.passes.pipeline import PIPELINE

PAGE = ROOT / "docs" / "tour.md"
PICTURE = ROOT / "docs" / "tour" / "memory.png"
TARGET = Target.named("x86_64-avx2")
SIZES = {"batch": 1, "seq": 128}
MEASURED = ("<!-- measured: begin -->", "<!-- measured: end -->")
ASSEMBLY = ("<!-- code: begin -->", "<!-- code: end -->")
HIDDEN, HEADS, KV_HEADS, FFN, CONTEXT = 256, 8, 4, 688, 512
HEAD = HIDDEN // HEADS


def llama_block() -> rlx.GraphModule:
    """The subject of the tour."""
    m = rlx.GraphModule.hir("block")
    x = m.input("x", (rlx.Dim("batch", max=8), rlx.Dim("seq", max=CONTEXT), HIDDEN), "f32")
    norm1, norm2 = m.param("norm1", (HIDDEN,)), m.param("norm2", (HIDDEN,))
    q, k, v = (m.param("q", (HIDDEN, HIDDEN)), m.param("k", (HIDDEN, KV_HEADS * HEAD)), m.param("v", (HIDDEN, KV_HEADS * HEAD)))
    o, gate, up = m.param("o", (HIDDEN, HIDDEN)), m.param("gate", (HIDDEN, FFN)), m.param("up", (HIDDEN, FFN))
    down = m.param("down", (FFN, HIDDEN))
    cos, sin = m.param("cos", (CONTEXT, HEAD // 2)), m.param("sin", (CONTEXT, HEAD // 2))
    y = m.llama_decoder_block(
        x, norm1, None, q, k, v, o, norm2, None, gate, up, down, cos, sin, num_heads=HEADS, num_kv_heads=KV_HEADS, head_dim=HEAD
    )
    m.set_outputs({"y": y})
    return m


# -- what a pass changed
def lines_of(graph: Graph) -> list[str]:
    """One line a node, operands by what made them instead of by number: nodes that only moved read the same."""

    def short(ref: Any) -> str:
        node = graph.node(ref)
        return node.name if node.op.definition.leaf and node.name else node.op.name

    found = []
    for node in graph.nodes:
        if node.op.definition.leaf and node.op.name != "constant":
            continue
        operands = ["_" if ref is None else short(ref) for ref in node.inputs]
        for name, attr in node.op.definition.attrs.items():
            value = node.op.attrs[name]
            if value is None or value == attr.default:
                continue
            if isinstance(value, Graph):
                inner = ", ".join(inner.op.name for inner in value.nodes if not inner.op.definition.leaf)
                operands.append(f"{name}={{{inner}}}")
            else:
                operands.append(f"{name}={attribute_text(value, attr.kind)}")
        found.append(f"{node.op.name}({', '.join(operands)}) : {', '.join(str(shape) for shape in node.results)}")
    return found


def changes(before: Graph, after: Graph) -> list[str]:
    """Lines that went and came."""
    found = difflib.ndiff(lines_of(before), lines_of(after))
    return [line for line in found if line[0] in "+-"]


def pass_sections(stages: list[tuple[str, Graph]], report: Report, decisions: dict[str, int]) -> list[str]:
    """A section for every pass that changed something; the others in one line."""
    docs = {one.name: one.docs for one in PIPELINE}
    lines: list[str] = []
    idle = []
    starts = [0, *decisions.values()]
    for number, ((_, before), (name, after)) in enumerate(itertools.pairwise(stages)):
        changed = changes(before, after)
        if not changed:
            idle.append(f"`{name}`")
            continue
        lines += [f"### {name}", "", "`" + " ".join(docs[name].split()) + "`", ""]
        lines += ["```diff", *changed, "```", ""]
        said = [
            e for e in report.entries[starts[number] : starts[number + 1]] if e.kind in ("fused", "not fused", "decomposed", "cast")
        ]
        if said:
            lines += [f"- {entry.kind}: {entry.message}" for entry in said] + [""]
    lines += [f"These changed nothing here: {', '.join(idle)}.", ""]
    return lines


# -- the page
def plan_text(lir: Lir) -> str:
    """The plan of a LIR without its graph and without its prepare part."""
    text = render_lir(lir)
    return text[text.index("\nplan ") + 1 :].split("\nprepare\n")[0]


def command_table(lir: Lir) -> list[str]:
    """Commands with what they read and write."""
    lines = ["| | kernel | reads | writes | units | barrier |", "|---|---|---|---|---|---|"]
    for number, command in enumerate(lir.commands):
        places = ["—" if place is None else name_of(lir, place.buffer) for place in command.operands]
        cut = len(places) - command.writes
        reads, writes = ", ".join(places[:cut]), ", ".join(places[cut:])
        lines.append(
            f"| {number} | `{command.kernel}` | {reads} | {writes} | {command.units} | {'yes' if command.barrier else ''} |"
        )
    return lines


def name_of(lir: Lir, index: int) -> str:
    """A buffer as the picture and the user call it."""
    buffer = lir.buffers[index]
    return f"b{index}" if buffer.kind == "arena" else f"{buffer.kind} {buffer.name[:12]}"


def build() -> tuple[str, bytes]:
    """The page without its measured part, and the picture."""
    module = llama_block()
    hir = render(module.as_hir().graph, origins=False)  # type: ignore[union-attr]
    mir = as_mir_graph(module)
    stages: list[tuple[str, Graph]] = [("built", mir)]
    texts: dict[str, tuple[str, ...]] = {}
    decisions: dict[str, int] = {}
    report = Report()

    def watch(stage: str, thing: object) -> None:
        if stage.startswith("llvm "):
            assert isinstance(thing, tuple)
            texts[stage.removeprefix("llvm ")] = thing
        elif isinstance(thing, Graph) and stage not in ("built", "split_prepare", "prepare"):
            stages.append((stage, thing))
            decisions[stage] = len(report.entries)

    report.watch = watch
    backend = CpuBackend(TARGET)
    lir = backend.lower(mir, Options(), report)
    backend.build(lir, report)
    assert lir.prepare is not None
    picture = memory_timeline(lir, SIZES).png()
    kernels = functions_of("\n".join(texts[lir.name]))
    product = next(name for name in kernels if "matmul_add" in name)
    chosen = max((name for name in kernels if "subroutine" in name), key=lambda name: kernels[name].count("@llvm.fma"))
    written = next(text for text in texts[lir.name] if chosen in functions_of(text))
    optimized = functions_of(optimized_text(written, TARGET))
    source = (ROOT / "scripts" / "generate_tour.py").read_text()
    body = source[source.index("    m = rlx.GraphModule.hir") : source.index("    return m\n")]
    bound = ", ".join(f"{name} = {value}" for name, value in SIZES.items())
    sharing = f"{lir.arena} bytes; without sharing it would be {lir.unshared}"
    assembled = "\n".join(hot_loop(assembly_of(written, chosen, TARGET)))
    lines = [
        "# A tour: one Llama block at every stage",
        "",
        "Generated by `scripts/generate_tour.py` for an x86-64 CPU with AVX2. Run it on your own graph with `RLX_DUMP=folder`: the same",
        "stages appear there as files.",
        "",
        "## 1. What the user writes",
        "",
        "```python",
        *(line[4:] for line in body.rstrip().splitlines()),
        "```",
        "",
        "## 2. HIR: blocks",
        "",
        "The graph as written. `batch` and `seq` are symbols: their sizes are never compiled in.",
        "",
        "```text",
        hir,
        "```",
        "",
        "## 3. MIR: tensor ops",
        "",
        "`module.lower()` replaces the block by what it means.",
        "",
        "```text",
        render(mir, origins=False),
        "```",
        "",
        "## 4. What each pass changed",
        "",
        "Removed and added lines, in the order of `rlx passes`. Operands are named after the op that made them.",
        "",
        *pass_sections(stages, report, decisions),
        "### split_prepare",
        "",
        "What depends only on params is computed once, when a param changes: here, concatenating and packing the weights. `prepare`:",
        "",
        "```text",
        *lines_of(lir.prepare.graph),
        "```",
        "",
        "and what runs on every call, `main`:",
        "",
        "```text",
        *lines_of(lir.graph),
        "```",
        "",
        "## 5. LIR: memory and schedule",
        "",
        f"The arena takes {sharing}. Sizes are expressions, evaluated once for each new shape.",
        "",
        "![the arena while each command runs](tour/memory.png)",
        "",
        f"The picture is for {bound}. A command waits for all earlier ones only if the table has a barrier.",
        "",
        *command_table(lir),
        "",
        "The whole plan as the compiler prints it:",
        "",
        "```text",
        plan_text(lir),
        "```",
        "",
        "## 6. The code of one kernel",
        "",
        f"`{product}` computes a product and adds the residual; its weight is packed in panels of 16 columns. All products of the",
        f"program call `{chosen}` for tiles. Its loop multiplies six rows by a panel, and all accumulators stay in registers. A Python",
        "function emits it through the typed builder, as LLVM IR (the optimized loop):",
        "",
        ASSEMBLY[0],
        "",
        f"LLVM {llvm_version()}",
        "",
        "```llvm",
        *llvm_loop(optimized[chosen]),
        "```",
        "",
        "and as machine code:",
        "",
        "```asm",
        assembled,
        "```",
        "",
        ASSEMBLY[1],
        "",
        "## 7. The profile",
        "",
        f"`exe.profile(inputs)` times each command; here for {bound}, on the machine that wrote this page:",
        "",
        *MEASURED,
        "",
    ]
    return "\n".join(lines), picture


def measure() -> str:
    """The profile on this machine."""
    module = llama_block()
    exe = rlx.compile(module)
    random = np.random.default_rng(0)
    for name, node in exe.graph.params.items():
        dims = tuple(int(size) for size in node.shape.dims)
        exe.set_param(name, (random.standard_normal(dims) * dims[0] ** -0.5).astype(np.float32))
    x = random.standard_normal((SIZES["batch"], SIZES["seq"], HIDDEN)).astype(np.float32)
    profile = exe.profile({"x": x}, runs=50)
    lines = [re.sub(r"\S*generate_tour\.py:\d+( by [\w ]+)?", "", line).rstrip() for line in str(profile).splitlines()]
    return "\n".join(["", "", "```text", *lines, "```", "", ""])


def part(text: str, marks: tuple[str, str]) -> str:
    """What stands between two marks."""
    return text[text.index(marks[0]) + len(marks[0]) : text.index(marks[1])] if marks[0] in text and marks[1] in text else ""


def without(text: str, marks: tuple[str, str]) -> str:
    """The text with nothing between two marks."""
    inner = part(text, marks)
    return text.replace(marks[0] + inner + marks[1], marks[0] + marks[1])


def stable(text: str) -> str:
    """What must be the same on every machine."""
    text = without(text, MEASURED)
    return text if f"LLVM {llvm_version()}\n" in part(text, ASSEMBLY) else without(text, ASSEMBLY)


def main() -> int:
    """Write, or with --check compare."""
    text, picture = build()
    old = PAGE.read_text() if PAGE.exists() else ""
    known = f"LLVM {llvm_version()}\n" in part(old, ASSEMBLY)
    same = stable(old) == (stable(text) if known else without(stable(text), ASSEMBLY))
    same = same and PICTURE.exists() and pixels_of(PICTURE.read_bytes()) == pixels_of(picture)
    if "--check" in sys.argv:
        if not same:
            print("stale: docs/tour.md")
        return 0 if same else 1
    measured = part(old, MEASURED)
    if "--measure" in sys.argv or not measured.strip():
        measured = measure()
    if same and measured == part(old, MEASURED):
        return 0
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_bytes(picture)
    PAGE.write_text(text.replace("\n".join(MEASURED), MEASURED[0] + measured + MEASURED[1]))
    print("wrote docs/tour.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
