"""RLX_DUMP: every stage of each compilation as a file, numbered in order.

$RLX_DUMP/llama-3f9a2c41/
    00-built.rlx  01-assumptions.rlx … 21-split_prepare.rlx    the graph after each pass
    22-prepare.rlx                                             what split_prepare cut off
    23-plan.rlx                                                the LIR: graph, memory, commands
    24-main.ll  24-main.optimized.ll  24-main.s                LLVM IR as emitted, after LLVM's passes, and assembly
    report.txt                                                 every decision and the time of each phase
"""

from __future__ import annotations

from pathlib import Path

from rlx.backends.base import Backend
from rlx.core import config
from rlx.core.report import Report
from rlx.ir.graph import Graph


class Dump:
    """Writes every stage that a report is shown, in one folder per compiled graph."""

    def __init__(self, folder: Path, graph: Graph, backend: Backend) -> None:
        self.folder = folder / f"{_file_name(graph.name)}-{graph.fingerprint()[:8]}"
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.iterdir():
            if old.suffix in (".rlx", ".ll", ".s", ".txt"):
                old.unlink()
        self.backend = backend
        self.count = 0

    @staticmethod
    def wanted(graph: Graph, backend: Backend, report: Report) -> Dump | None:
        """A dump that watches the report, if RLX_DUMP names a folder."""
        folder = config.DUMP.folder()
        if folder is None:
            return None
        dump = Dump(folder, graph, backend)
        report.watch = dump.write
        return dump

    def write(self, stage: str, thing: object) -> None:
        """One stage: a graph, a LIR, or under "llvm <name>" the texts of its kernels."""
        number, self.count = f"{self.count:02}", self.count + 1
        kind, _, name = stage.partition(" ")
        if kind != "llvm":
            (self.folder / f"{number}-{_file_name(stage)}.rlx").write_text(f"{thing}\n")
            return
        base = f"{number}-{'prepare' if name.endswith('.prepare') else 'main'}"
        for ending, text in self.backend.listings(stage, thing).items():
            (self.folder / f"{base}{ending}").write_text(text)

    def finish(self, report: Report) -> None:
        """Write the report at the end."""
        report.watch = None
        report.add("compile", "dump", f"every stage is in {self.folder}")
        (self.folder / "report.txt").write_text(f"{report}\n")


def _file_name(text: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "._" else "_" for letter in text)
