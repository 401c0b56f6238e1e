"""`python -m bench.plots`: the README's two pictures, from what `bench/history/` has of this processor (or the one given)."""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

from bench import history
from bench.environment import processor_name
from bench.suites import SUITES

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
OURS, PEER, LIMIT, TEXT = "#2f6f8f", "#b9c4ca", "#8a3b2f", "#33393d"


def latest(entries: list[dict[str, Any]]) -> dict[str, history.Suite]:
    """The newest record of every suite."""
    return {suite: found for suite in SUITES if (found := history.baseline(entries, suite))}


def means(suites: dict[str, history.Suite]) -> dict[str, tuple[float, float, float]]:
    """Geometric mean, least and largest ratio of each suite, over all our rows."""
    found = {}
    for name, suite in suites.items():
        ratios = [row["ratio"] for rows in suite.values() for row in rows.values() if "ratio" in row]
        if ratios:
            found[name] = math.exp(sum(map(math.log, ratios)) / len(ratios)), min(ratios), max(ratios)
    return found


def draw_bars(suites: dict[str, history.Suite], path: Path, title: str) -> None:
    """How many times as fast as the best peer, suite by suite; the line shows the spread of the workloads."""
    import matplotlib.pyplot as plt

    rows = sorted(means(suites).items(), key=lambda row: row[1][0])
    figure, axes = plt.subplots(figsize=(8, 0.55 * len(rows) + 1.4), dpi=110)
    for place, (_, (mean, least, most)) in enumerate(rows):
        axes.barh(place, mean, color=OURS, height=0.62)
        axes.plot([least, most], [place, place], color=TEXT, linewidth=1.2)
        axes.plot([least, most], [place, place], "|", color=TEXT, markersize=7)
        axes.text(0.06, place, f"{mean:.2f} ×", va="center", color="white", fontsize=10)
    axes.axvline(1.0, color=LIMIT, linewidth=1.2)
    axes.text(1.04, len(rows) - 0.38, "best peer (speculative: plain decoding)", color=LIMIT, ha="left", va="bottom", fontsize=9)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.set_xlim(0, max(most for _, (_, _, most) in rows) * 1.12)
    axes.set_xlabel("time of the best peer ÷ ours (geometric mean; line: all workloads)", color=TEXT)
    _finish(figure, axes, path, title)


def draw_roofline(entry_limits: dict[str, float], suites: dict[str, history.Suite], path: Path, title: str) -> None:
    """Operations per second over operations per byte: every workload that has both, under the machine's roof."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 4.6), dpi=110)
    flops, read = entry_limits["gflops"], entry_limits["gigabytes_per_second"]
    colours = plt.get_cmap("tab10").colors  # type: ignore[attr-defined]
    densities = []
    for number, (name, suite) in enumerate(suites.items()):
        points = [
            (row["flops"] / row["bytes"], row["flops"] / row["seconds"] * 1e-9)
            for rows in suite.values()
            for row in rows.values()
            if row.get("flops") and row.get("bytes")
        ]
        if points:
            densities += [x for x, _ in points]
            axes.plot(*zip(*points, strict=True), "o", color=colours[number % 10], markersize=6, alpha=0.85, label=name)
    low, high = min([*densities, 0.25]) / 2, max([*densities, flops / read]) * 2
    xs = [low * (high / low) ** (step / 200) for step in range(201)]
    axes.plot(xs, [min(flops, read * x) for x in xs], color=LIMIT, linewidth=1.4)
    axes.text(high / 1.1, flops * 1.06, f"{flops:.0f} GFLOP/s f32", color=LIMIT, ha="right", fontsize=9)
    axes.text(low * 1.3, read * low * 2.2, f"{read:.0f} GB/s", color=LIMIT, fontsize=9)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("operations per byte from memory", color=TEXT)
    axes.set_ylabel("GFLOP/s", color=TEXT)
    axes.legend(frameon=False, fontsize=9, loc="lower right")
    _finish(figure, axes, path, title)


def _finish(figure: Any, axes: Any, path: Path, title: str) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_title(title, loc="left", fontsize=11, color=TEXT)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Software": None})


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.plots", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--file", type=Path, help="a file of bench/history/, this processor's unless given")
    parser.add_argument("--to", type=Path, default=IMAGES, help="the folder for the pictures")
    options = parser.parse_args()
    entries = json.loads(options.file.read_text()) if options.file else history.read(processor_name())
    if not entries:
        parser.error("nothing is recorded: python -m bench SUITE... --record")
    import matplotlib

    matplotlib.use("Agg")
    suites, newest = latest(entries), entries[-1]
    where = f"{newest['threads']} threads of {processor_name() if options.file is None else options.file.stem}"
    draw_bars(suites, options.to / "speed.png", f"Speed relative to the best peer, {where}")
    draw_roofline(newest["limits"], suites, options.to / "roofline.png", f"Reached under the machine's roof, {where}")
    print(f"written: {options.to / 'speed.png'}, {options.to / 'roofline.png'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
