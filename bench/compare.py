"""`python -m bench.compare OLD NEW SUITE...`: is NEW slower than OLD? Two states of this project, measured in turns.

    python -m bench.compare main . gemm region encoder llama gguf train compile
    python -m bench.compare ../old . gemm --quick --cpu x86_64-avx2

Each is a worktree, or a commit of this repository, which is unpacked into a temporary folder.

A pair is one run of a suite in each, without peers, in a process of its own with the sources and the benchmarks of that
worktree; who begins changes from pair to pair. A row's number is the median over the pairs of new time / old time, a
suite's the median of the geometric means over its rows. Above what is allowed, or without a row that OLD has, it fails.
"""

from __future__ import annotations

import argparse
import io
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import history
from bench.suites import SUITES

ROOT = Path(__file__).resolve().parent.parent
PAIRS = 7
SUITE_ALLOWED, ROW_ALLOWED = 0.03, 0.06

Row = tuple[str, str]  # workload, row of ours
Times = dict[Row, float]  # the best seconds of a run


@dataclass(frozen=True)
class Measured:
    """One run of a suite: its times, and how much of the machine other processes took meanwhile."""

    times: Times
    others_share: float = 0.0


Pair = tuple[Measured, Measured]  # old, new


@dataclass(frozen=True)
class Comparison:
    """The pairs of a suite."""

    pairs: Sequence[Pair]

    @property
    def rows(self) -> dict[Row, float]:
        """The median ratio of each row that both have in every pair."""
        return {row: statistics.median(_ratio(pair, row) for pair in self.pairs) for row in self._common}

    @property
    def missing(self) -> list[Row]:
        """Rows that OLD has and NEW not, absent or with a wrong result."""
        return sorted({row for old, new in self.pairs for row in old.times if row not in new.times})

    @property
    def ratio(self) -> float:
        """The median over the pairs of the geometric mean of their ratios; 1 without a row."""
        if not self._common:
            return 1.0
        means = (statistics.geometric_mean(_ratio(pair, row) for row in self._common) for pair in self.pairs)
        return statistics.median(means)

    @property
    def others_share(self) -> float:
        """The largest share of the machine that other processes took."""
        return max((each.others_share for pair in self.pairs for each in pair), default=0.0)

    @property
    def _common(self) -> list[Row]:
        every = [each.times for pair in self.pairs for each in pair]
        return [row for row in every[0] if all(row in times for times in every)] if every else []

    def failures(self, suite_allowed: float, row_allowed: float) -> list[str]:
        """What is worse than allowed, in words."""
        found = [f"{load}, {row}: NEW has no right result" for load, row in self.missing]
        if not self.rows and not found:
            found.append("no row to compare")
        for (load, row), ratio in self.rows.items():
            if ratio > 1 + row_allowed:
                found.append(f"{load}, {row}: {change(ratio)}, allowed {row_allowed:+.1%}")
        if self.ratio > 1 + suite_allowed:
            found.append(f"the suite: {change(self.ratio)}, allowed {suite_allowed:+.1%}")
        return found


def _ratio(pair: Pair, row: Row) -> float:
    old, new = pair
    return new.times[row] / old.times[row]


def change(ratio: float) -> str:
    """How much longer NEW takes: +3.0%."""
    return f"{ratio - 1:+.1%}"


def measured(document: dict[str, Any], suite: str) -> Measured:
    """What `python -m bench SUITE --json` printed: our rows with right results."""
    outcomes = document["suites"][suite]
    rows = history.suite_rows(outcomes)
    times = {
        (load, row): numbers["seconds"]
        for load, each in rows.items()
        for row, numbers in each.items()
        if not row.startswith("best peer")
    }
    return Measured(times, max((outcome["others_share"] or 0.0 for outcome in outcomes), default=0.0))


def run_suite(folder: Path, suite: str, arguments: Iterable[str], cache: Path, cpu: str = "") -> Measured:
    """A suite in a process of its own, with the sources, the benchmarks and a cache of one worktree, at a level of RLX_CPU."""
    command = [sys.executable, "-m", "bench", suite, "--json", "--only", "rlx", *arguments]
    sources = os.pathsep.join([str(folder / "src"), str(folder)])
    environment = {**os.environ, "PYTHONPATH": sources, "RLX_CACHE_DIR": str(cache)}
    if cpu:
        environment["RLX_CPU"] = cpu
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    try:
        return measured(history.read_document(done.stdout), suite)
    except ValueError:
        what = f"{' '.join(command)} in {folder} ended with {done.returncode}"
        raise SystemExit(f"{what}:\n{done.stderr[-2000:]}") from None


def in_turns(pairs: int, run: Callable[[str], Measured]) -> Comparison:
    """So many pairs; `run` takes "old" or "new", and each begins every other pair."""
    found = []
    for number in range(pairs):
        order = ("old", "new") if number % 2 == 0 else ("new", "old")
        each = {side: run(side) for side in order}
        found.append((each["old"], each["new"]))
    return Comparison(found)


def report(suite: str, compared: Comparison) -> list[str]:
    """The rows of a suite with their medians, and the suite's."""
    lines = [f"  {ratio:6.3f}  {change(ratio):>7}  {load}, {row}" for (load, row), ratio in compared.rows.items()]
    counted = f"over {len(compared.rows)} rows, {len(compared.pairs)} pairs"
    lines.append(f"{suite}: {compared.ratio:.3f} ({change(compared.ratio)}) {counted}")
    if compared.others_share > 0.05:
        share = f"up to {compared.others_share:.0%} of the machine"
        lines.append(f"  other processes took {share}: these numbers mean little")
    return lines


def state(text: str) -> Path | str:
    """A folder with this project in it, or a commit of this repository."""
    folder = Path(text).resolve()
    missing = [each for each in ("src/rlx/__init__.py", "bench/__main__.py") if not (folder / each).is_file()]
    if not missing:
        return folder
    asked = subprocess.run(
        ["git", "rev-parse", "--verify", "--quiet", f"{text}^{{commit}}"], cwd=ROOT, capture_output=True, text=True
    )
    if asked.returncode:
        raise argparse.ArgumentTypeError(
            f"{folder} has no {missing[0]}, and {text!r} is no commit: give a worktree of this project, or a commit"
        )
    return asked.stdout.strip()


def unpacked(given: Path | str, folder: Path) -> Path:
    """A worktree as it is; a commit's files in a folder, with the written models of this worktree if there are any."""
    if isinstance(given, Path):
        return given
    archive = subprocess.run(["git", "archive", given, "src", "bench"], cwd=ROOT, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    models = ROOT / "bench" / ".exported"
    if models.is_dir():
        (folder / "bench" / ".exported").symlink_to(models)
    return folder


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.compare", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("old", type=state, metavar="OLD", help="a worktree or a commit: the yardstick")
    parser.add_argument("new", type=state, metavar="NEW", help="the same: what may not be slower")
    parser.add_argument("suites", nargs="+", choices=SUITES, metavar="SUITE", help=", ".join(SUITES))
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"runs of each worktree (default {PAIRS})")
    parser.add_argument("--quick", action="store_true", help="fewer workloads and shorter turns")
    parser.add_argument("--cpu", default="", metavar="LEVEL", help="RLX_CPU of both, such as x86_64-avx2")
    for name, allowed in (("suite", SUITE_ALLOWED), ("row", ROW_ALLOWED)):
        said = f"how much longer a {name} may take, as a share (default {allowed})"
        parser.add_argument(f"--{name}-allowed", type=float, default=allowed, metavar="SHARE", help=said)
    options = parser.parse_args(arguments)
    if options.pairs < 1:
        parser.error("--pairs is at least 1")
    return options


def main(arguments: list[str] | None = None) -> int:
    """Compare, print, and say by the exit status whether NEW holds."""
    options = parse(arguments)
    passed_on = ["--quick"] if options.quick else []
    failures = []
    with tempfile.TemporaryDirectory(prefix="rlx-compare-") as room:
        folders = {side: unpacked(getattr(options, side), Path(room) / "files" / side) for side in ("old", "new")}

        def run(side: str, suite: str) -> Measured:
            return run_suite(folders[side], suite, passed_on, Path(room) / side, options.cpu)

        for suite in dict.fromkeys(options.suites):
            compared = in_turns(options.pairs, lambda side, suite=suite: run(side, suite))
            print("\n".join(report(suite, compared)) + "\n", flush=True)
            failures += [f"{suite}: {line}" for line in compared.failures(options.suite_allowed, options.row_allowed)]
    print("slower than allowed:" if failures else "nothing is slower than allowed")
    for line in failures:
        print(f"  {line}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
