"""`python -m bench.overhead`: instructions of one call of a tiny executable, counted by valgrind: the same on a busy machine.

What is counted is everything around the kernels: checking inputs, binding sizes, entering native code, handing out results. Counts are
compared with those recorded for the same build of Python and the same NumPy, whose instructions they mostly are.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from bench import callgrind

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "bench" / "history" / "overhead.json"
ALLOWED = 0.03
"""Runs differ by less than 1 %, as memory happens to be laid out."""
KEPT = ("PATH", "HOME", "PYTHONPATH", "XDG_CACHE_HOME", "RLX_CACHE_DIR")
"""What of the environment a counted process gets: where the package, the tools and the caches are."""

Counts = Mapping[str, float]


def counted() -> dict[str, int]:
    """Instructions per call of every path, from a process under valgrind. One before it, without, fills the disk cache: under
    valgrind compiling takes minutes (it does when a source of the package changes in between).

    The oldest CPU of the family is compiled for, since valgrind knows fewer instructions than this machine. Other settings of the
    environment do not get through.
    """
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    fixed = {"PYTHONHASHSEED": "0", "RLX_CPU": "baseline", "RLX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command, environment = [sys.executable, "-m", "bench.overhead_paths"], {**kept, **fixed}
    subprocess.run(command, env=environment, cwd=ROOT, check=True)
    return {name: round(number) for name, number in callgrind.counts(command, environment, ROOT).items()}


def interpreter() -> str:
    """The build of Python and the NumPy that run here: counts of another mean nothing."""
    import numpy as np

    return f"Python {' '.join(sys.version.split())}, NumPy {np.__version__}"


def compare(now: Counts, before: Counts, say: Callable[[str], None]) -> bool:
    """Say what each path takes; True when none takes more than recorded and none is missing."""
    more = [name for name, old in before.items() if now.get(name, float("inf")) > old * (1 + ALLOWED)]
    for name in {**now, **before}:
        if name not in now:
            say(f"overhead: {name}: recorded, not counted any more")
        elif name not in before:
            say(f"overhead: {name}: {now[name]} instructions, none recorded")
        else:
            change = now[name] / before[name] - 1
            say(
                f"overhead: {name}: {now[name]} instructions, recorded {before[name]} ({change:+.1%})"
                + (": MORE" if name in more else "")
            )
    return not more


def read(path: Path) -> dict[str, dict[str, int]]:
    """Counts by interpreter and path."""
    return dict(json.loads(path.read_text())) if path.exists() else {}


def record(counts: Mapping[str, int], path: Path) -> None:
    """Keep the counts of this interpreter in place of earlier ones; those of others stay."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({**read(path), interpreter(): dict(counts)}, indent=1) + "\n")


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.overhead", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--record", action="store_true", help="keep the counts, in place of earlier ones")
    options = parser.parse_args(arguments)
    if reason := callgrind.unavailable():
        print(f"overhead: not counted, {reason}")
        return 0
    now, before = counted(), read(RECORD).get(interpreter(), {})
    fine = compare(now, before, print)
    if options.record:
        record(now, RECORD)
        return 0
    if not before:
        print(f"overhead: nothing recorded for {interpreter()}: python -m bench.overhead --record")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
