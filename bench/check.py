"""`python -m bench.check [SUITE...]`: has anything become slower? Ratios to the best peer against those of `bench/history/`.

A ratio more than 10 % below the recorded one is measured again, up to twice, and the best of all counts: it fails only when it stays low.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterable
from typing import Any

from bench import history
from bench.environment import processor_name
from bench.suites import SUITES

ALLOWED = 0.10
ATTEMPTS = 3

Ratios = dict[tuple[str, str], float]  # (workload, row of ours) → ratio


def ratios_of(suite: history.Suite) -> Ratios:
    """The ratios of a suite."""
    return {(load, row): numbers["ratio"] for load, rows in suite.items() for row, numbers in rows.items() if "ratio" in numbers}


def dropped(now: Ratios, before: Ratios) -> dict[tuple[str, str], tuple[float, float]]:
    """What lies more than the allowed share below the record, or is missing: (before, now)."""
    return {key: (old, now.get(key, 0.0)) for key, old in before.items() if now.get(key, 0.0) < old * (1 - ALLOWED)}


def check(
    suites: Iterable[str], entries: list[dict[str, Any]], run: Callable[[str], history.Suite], say: Callable[[str], None]
) -> bool:
    """Measure and compare; True when nothing became slower."""
    fine = True
    for suite in suites:
        before = ratios_of(history.baseline(entries, suite))
        if not before:
            say(f"{suite}: nothing recorded on this processor; `python -m bench {suite} --record` records it")
            continue
        now: Ratios = {}
        for attempt in range(ATTEMPTS):
            for key, ratio in ratios_of(run(suite)).items():
                now[key] = max(ratio, now.get(key, 0.0))
            slower = dropped(now, before)
            if not slower:
                break
            if attempt + 1 < ATTEMPTS:
                say(f"{suite}: {len(slower)} of {len(before)} lower than recorded; measured again")
        for (load, row), (old, new) in slower.items():
            say(f"{suite}: {load}, {row}: {new:.2f} x the best peer, recorded {old:.2f}")
        say(f"{suite}: {len(before) - len(slower)} of {len(before)} ratios hold")
        fine = fine and not slower
    return fine


def measure(suite: str, arguments: list[str]) -> history.Suite:
    """A suite in a process of its own."""
    command = [sys.executable, "-m", "bench", suite, "--json", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return history.suite_rows(history.read_document(done.stdout)["suites"][suite])
    except ValueError:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}") from None


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.check", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="those that are recorded, unless given")
    parser.add_argument("--quick", action="store_true", help="fewer workloads and shorter turns; missing workloads do not count")
    options = parser.parse_args()
    entries = history.read(processor_name())
    suites = options.suites or [name for name in SUITES if history.baseline(entries, name)]
    if unknown := [name for name in suites if name not in SUITES]:
        parser.error(f"no suite {unknown[0]!r}; there are: {', '.join(SUITES)}")
    if not suites:
        print(f"nothing is recorded for {processor_name()}: python -m bench SUITE... --record")
        return 0
    if options.quick:
        entries = [_only_measured(entry, suites) for entry in entries]
    fine = check(suites, entries, lambda suite: measure(suite, ["--quick"] if options.quick else []), print)
    return 0 if fine else 1


def _only_measured(entry: dict[str, Any], suites: list[str]) -> dict[str, Any]:
    """An entry without the workloads that a quick run leaves out."""
    from bench.harness import Settings
    from bench.suites import workloads

    kept = {}
    for name in suites:
        if name in entry["suites"]:
            quick = {load.name for load in workloads(name, Settings(quick=True))}
            kept[name] = {load: rows for load, rows in entry["suites"][name].items() if load in quick}
    return {**entry, "suites": kept}


if __name__ == "__main__":
    sys.exit(main())
