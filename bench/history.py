"""What was measured before: ratios to the best peer, kept as JSON, one file for each processor.

Only ratios of one interleaved run mean something, and only on one kind of machine. An entry keeps them with the share of the limit, the
peers' versions and the release that was measured.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "history"

Row = dict[str, float]  # seconds, ratio (time of the best peer over ours), of_limit, flops, bytes
Suite = dict[str, dict[str, Row]]  # workload → row of ours → numbers


def path_of(processor: str, folder: Path = FOLDER) -> Path:
    """The file of a processor."""
    return folder / (re.sub(r"[^a-z0-9]+", "-", processor.lower()).strip("-") + ".json")


def read(processor: str, folder: Path = FOLDER) -> list[dict[str, Any]]:
    """The entries of a processor, oldest first."""
    path = path_of(processor, folder)
    return list(json.loads(path.read_text())) if path.exists() else []


def suite_rows(outcomes: list[dict[str, Any]]) -> Suite:
    """What is kept of a suite as `bench.table.plain` tells it: our rows with a right result, and the best peer's time."""
    found: Suite = {}
    for outcome in outcomes:
        rows: dict[str, Row] = {}
        for timing in outcome["contenders"]:
            if timing["ours"] and timing["right"]:
                least, best = outcome["limit_seconds"], timing["best_seconds"]
                rows[timing["name"]] = {
                    "seconds": best,
                    "flops": outcome["flops"],
                    "bytes": outcome["bytes_from_memory"],
                    **({"of_limit": least / best} if least else {}),
                    **({"ratio": timing["speed_over_best_peer"]} if timing["speed_over_best_peer"] else {}),
                }
        peers = [t for t in outcome["contenders"] if not t["ours"] and t["right"]]
        if rows and peers:
            best_peer = min(peers, key=lambda timing: timing["best_seconds"])
            rows["best peer: " + best_peer["name"]] = {"seconds": best_peer["best_seconds"]}
        found[outcome["workload"]] = rows
    return found


def read_document(text: str) -> dict[str, Any]:
    """The JSON document that ends what `python -m bench --json` printed; a suite may say something in front of it."""
    found: dict[str, Any] = json.loads(text[("\n" + text).index("\n{") :])
    return found


def record(document: Mapping[str, Any], folder: Path = FOLDER) -> Path:
    """Add what `python -m bench --json` printed to the file of its processor; suites not run keep what they had."""
    entries = read(document["processor"], folder)
    entry = {
        "date": date.today().isoformat(),
        "commit": _commit(),
        "threads": document["threads"],
        "versions": document["versions"],
        "limits": document["limits"],
        "suites": {name: suite_rows(outcomes) for name, outcomes in document["suites"].items()},
    }
    folder.mkdir(exist_ok=True)
    path = path_of(document["processor"], folder)
    path.write_text(json.dumps([*entries, entry], indent=1, sort_keys=True) + "\n")
    return path


def baseline(entries: list[dict[str, Any]], suite: str) -> Suite:
    """The newest entry that has the suite."""
    for entry in reversed(entries):
        if suite in entry["suites"]:
            found: Suite = entry["suites"][suite]
            return found
    return {}


def _commit() -> str:
    asked = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=FOLDER.parent, capture_output=True, text=True, check=False)
    return asked.stdout.strip() or "unknown"
