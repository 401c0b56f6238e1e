"""Printing: a table for people, a dictionary for programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from bench.harness import Outcome
from bench.limits import Limits

HEADER = ("", "best", "median", "rate", "vs {peer}", "of limit", "error", "calls", "peak memory")


def text(outcome: Outcome, limits: Limits, said: set[str]) -> str:
    """One workload as a block of lines; `vs best peer` above 1 is faster than every peer.

    Who is missing and why is said once: `said` remembers it.
    """
    workload = outcome.workload
    least = limits.seconds(workload.flops, workload.bytes_from_memory, workload.arithmetic)
    rows = [tuple(name.format(peer=workload.peer) for name in HEADER)]
    for timing in sorted(outcome.timings, key=lambda t: (not t.ours, t.best)):
        wrong = "  WRONG" if timing.error > workload.tolerance else ""
        peer = outcome.best_peer()
        rows.append(
            (
                timing.name,
                duration(timing.best),
                duration(timing.median),
                f"{workload.amount() / timing.best:.1f} {workload.rate}" if least else "-",
                f"{peer / timing.best:.2f}" if peer else "-",
                f"{least / timing.best:.0%}" if least else "-",
                f"{timing.error:.0e}{wrong}",
                str(len(timing.seconds)),
                memory(outcome.footprints.get(timing.name)),
            )
        )
    if least:
        rows.append(("limit", duration(least), "", f"{workload.amount() / least:.1f} {workload.rate}", "", "", "", "", ""))
    rows = rows if outcome.footprints else [row[:-1] for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [workload.name]
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  " + "  ".join(cells).rstrip())
    missing = [f"  {name}: not available: {reason}" for name, reason in outcome.absent.items()]
    lines += [line for line in missing if line not in said]
    said.update(missing)
    if outcome.others_share is not None and outcome.others_share > 0.05:
        lines.append(f"  note: other processes used {outcome.others_share:.0%} of the machine meanwhile")
    return "\n".join(lines) + "\n"


def summary(outcomes: Sequence[Outcome]) -> str:
    """The geometric mean of our speed over the best peer's, per row of ours; wrong results do not count."""
    ratios: dict[str, list[float]] = {}
    peers = " or ".join(dict.fromkeys(outcome.workload.peer for outcome in outcomes))
    for outcome in outcomes:
        peer = outcome.best_peer()
        for timing in outcome.timings:
            if timing.ours and peer and timing.error <= outcome.workload.tolerance:
                ratios.setdefault(timing.name, []).append(peer / timing.best)
    return "\n".join(
        f"{name}: geometric mean {math.exp(sum(map(math.log, each)) / len(each)):.2f} x the {peers}"
        f" over {len(each)} of {len(outcomes)} workloads, least {min(each):.2f}"
        for name, each in ratios.items()
    )


def plain(outcome: Outcome, limits: Limits) -> dict[str, Any]:
    """One workload as plain data, times in seconds."""
    workload, peer = outcome.workload, outcome.best_peer()
    return {
        "workload": workload.name,
        "flops": workload.flops,
        "bytes_from_memory": workload.bytes_from_memory,
        "arithmetic": workload.arithmetic,
        "peer": workload.peer,
        "limit_seconds": limits.seconds(workload.flops, workload.bytes_from_memory, workload.arithmetic),
        "others_share": outcome.others_share,
        "absent": outcome.absent,
        "contenders": [
            {
                "name": timing.name,
                "ours": timing.ours,
                "best_seconds": timing.best,
                "median_seconds": timing.median,
                "calls": len(timing.seconds),
                "error": timing.error,
                "right": timing.error <= workload.tolerance,
                "peak_bytes": outcome.footprints.get(timing.name),
                "speed_over_best_peer": peer / timing.best if peer else None,
                **({"measures": outcome.measures[timing.name]} if timing.name in outcome.measures else {}),
            }
            for timing in outcome.timings
        ],
    }


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} us"


def memory(count: int | None) -> str:
    """Bytes above those of the imports, `-` where they were not measured."""
    return "-" if count is None else f"{count / 1e6:.0f} MB"
