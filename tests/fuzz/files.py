"""`python -m tests.fuzz.files --count 5000 --seed 1`: damaged files of every kind, opened and used as a user would.

A file is taken, or refused with an error of RLX that names it. Anything else is a finding: a crash, more than 10 s of CPU, an exception
that is none of RLX's (MemoryError too: a worker may take 2 GiB more than it begins with), an error that does not name the file. Each is
printed with its case, which `--only CASE` repeats; the last line counts them, and the exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

CPU_SECONDS, WALL_SECONDS = 10, 120
MORE_MEMORY = 2 << 30
CASES_OF_A_WORKER = 400
FINDINGS = ("crash", "hang", "bare", "unnamed", "broken")  # broken: the fuzzer itself


# -- one case, in a worker -------------------------------------------------------------------------------------------
def damage(folder: Path, seed: int, case: int, place: Path) -> tuple[Any, Path]:
    """The kind of a case, and the damaged copy of its file at a place of its own."""
    from tests.fuzz.file_uses import KINDS

    kind = KINDS[case % len(KINDS)]
    whole = Path((folder / kind.name / "path").read_text())
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    target = place / f"damaged {whole.name}"
    if whole.is_dir():
        shutil.copytree(whole, target)
    else:
        target = place / whole.name
        shutil.copy(whole, target)
    kind.damage(target, random.Random(f"{seed}/{case}"))
    return kind, target


def used(kind: Any, path: Path) -> tuple[str, str]:
    """What became of a case: `used`, `refused`, or a finding, and its story."""
    from rlx.core.errors import RlxError
    from tests.fuzz.file_uses import UseError

    try:
        kind.use(path)
    except UseError as error:
        return "used", str(error)
    except RlxError as error:
        return ("refused" if path.name in str(error) else "unnamed"), f"{error}\n{_frames(error)}"
    except BaseException as error:
        return "bare", f"{type(error).__name__}: {str(error)[:200]}\n{_frames(error)}"
    return "used", ""


def _frames(error: BaseException) -> str:
    return "".join(traceback.format_tb(error.__traceback__)[-6:])


def work(folder: Path, seed: int) -> None:
    """Cases from standard input, answers to standard output, until there are no more."""
    for module in (
        "rlx.cli.inspect_models",
        "rlx.generate.engine",
        "tests.fuzz.file_uses",
    ):  # what cases need, before memory is counted
        import_module(module)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MORE_MEMORY,) * 2)
    with tempfile.TemporaryDirectory(prefix="damaged-") as place:
        for line in sys.stdin:
            try:
                kind, path = damage(folder, seed, int(line), Path(place) / "case")
            except Exception as error:
                answers.write(json.dumps(["broken", f"{type(error).__name__}: {error}\n{_frames(error)}", 0.0]) + "\n")
                answers.flush()
                continue
            signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
            begun = time.process_time()
            outcome, story = used(kind, path)
            signal.setitimer(signal.ITIMER_PROF, 0)
            answers.write(json.dumps([outcome, story, time.process_time() - begun]) + "\n")
            answers.flush()


# -- many cases, from outside ----------------------------------------------------------------------------------------
@dataclass
class Found:
    """One case and what became of it."""

    case: int
    kind: str
    outcome: str
    story: str
    seconds: float = 0.0


class Worker:
    """A process that takes case after case; one that dies or hangs is replaced."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.command = [sys.executable, "-m", "tests.fuzz.files", "--worker", str(folder), "--seed", str(seed)]
        self.process: subprocess.Popen[str] | None = None
        self.case, self.done, self.begun = -1, 0, 0.0

    def start(self, case: int) -> None:
        """Give it a case."""
        if self.process is None or self.done >= CASES_OF_A_WORKER:
            self.stop()
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            self.done = 0
        self.case, self.begun = case, time.monotonic()
        self.done += 1
        assert self.process.stdin is not None
        self.process.stdin.write(f"{case}\n")
        self.process.stdin.flush()

    def answer(self) -> tuple[str, str, float] | None:
        """What became of its case; None while it is at work."""
        assert self.process is not None and self.process.stdout is not None
        line = self.process.stdout.readline() if select.select([self.process.stdout], [], [], 0)[0] else None
        if line:
            outcome, story, seconds = json.loads(line)
            return outcome, story, seconds
        if line == "":
            status = self.process.wait()
            self.process = None
            name = signal.Signals(-status).name if status < 0 else f"exit status {status}"
            return ("hang" if name == "SIGPROF" else "crash"), name, 0.0
        if time.monotonic() - self.begun > WALL_SECONDS:
            self.stop()
            return "hang", f"no answer in {WALL_SECONDS} s", 0.0
        return None

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def make_whole(folder: Path, kinds: set[str]) -> None:
    """Whole files of the kinds; each is used once, so that what fails later fails for its damage."""
    from tests.fuzz.file_uses import KINDS

    for kind in KINDS:
        if kind.name in kinds:
            (folder / kind.name / "whole").mkdir(parents=True)
            path = kind.make(folder / kind.name / "whole")
            (folder / kind.name / "path").write_text(str(path))
            outcome, story = used(kind, path)
            if (outcome, story) != ("used", ""):
                raise AssertionError(f"a whole {kind.name} is {outcome}: {story}")


def run(cases: list[int], seed: int, workers: int) -> Iterator[Found]:
    """All cases, as they are done."""
    from tests.fuzz.file_uses import KINDS

    with tempfile.TemporaryDirectory(prefix="whole-") as name:
        folder = Path(name)
        os.environ["RLX_CACHE_DIR"] = str(folder / "cache")
        os.environ["RLX_THREADS"] = "1"
        make_whole(folder, {KINDS[case % len(KINDS)].name for case in cases})
        waiting, busy = list(reversed(cases)), []
        idle = [Worker(folder, seed) for _ in range(max(1, min(workers, len(cases))))]
        try:
            while waiting or busy:
                while waiting and idle:
                    worker = idle.pop()
                    worker.start(waiting.pop())
                    busy.append(worker)
                pipes = [worker.process.stdout for worker in busy if worker.process is not None]
                select.select(pipes, [], [], 1.0)
                for worker in list(busy):
                    found = worker.answer()
                    if found is not None:
                        busy.remove(worker)
                        idle.append(worker)
                        yield Found(worker.case, KINDS[worker.case % len(KINDS)].name, *found)
        finally:
            for worker in (*busy, *idle):
                worker.stop()


def summary(counts: Counter[str], seed: int, seconds: float) -> str:
    """The last line."""
    return (
        f"{counts.total()} damaged files of seed {seed}: {counts['used']} used, {counts['refused']} refused; {counts['crash']} crashes, "
        f"{counts['hang']} hangs, {counts['bare']} bare exceptions, {counts['unnamed']} errors that do not name the file ({seconds:.0f} s)"
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.files", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=1000, help="how many files")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="one case, with its whole story")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker is not None:
        work(given.worker, given.seed)
        return 0
    begun, counts = time.monotonic(), Counter[str]()
    slowest = Found(-1, "", "", "")
    for found in run(list(range(given.count)) if given.only is None else [given.only], given.seed, given.workers):
        counts[found.outcome] += 1
        slowest = max(slowest, found, key=lambda one: one.seconds)
        if found.outcome in FINDINGS or given.only is not None:
            print(f"case {found.case} ({found.kind}): {found.outcome}: {found.story}", flush=True)
    print(f"slowest: case {slowest.case} ({slowest.kind}), {slowest.seconds:.1f} s of CPU")
    print(summary(counts, given.seed, time.monotonic() - begun))
    return 1 if any(counts[outcome] for outcome in FINDINGS) else 0


if __name__ == "__main__":
    sys.exit(main())
