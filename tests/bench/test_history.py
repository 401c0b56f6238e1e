"""The record of ratios, the check against it, and the pictures made of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench import check, history, plots


def outcome(name: str, ours: float, peer: float, *, right: bool = True) -> dict[str, Any]:
    """A workload as `bench.table.plain` tells it, with one row of ours and one peer."""
    timings = [("rlx", True, ours, right), ("torch", False, peer, True)]
    return {
        "workload": name,
        "flops": 1e9,
        "bytes_from_memory": 1e8,
        "limit_seconds": 0.005,
        "others_share": 0.0,
        "absent": {},
        "contenders": [
            {"name": who, "ours": mine, "best_seconds": best, "right": fine, "speed_over_best_peer": peer / best}
            for who, mine, best, fine in timings
        ],
    }


def document(**ratios: float) -> dict[str, Any]:
    """What `python -m bench --json` prints of one suite whose workloads have these ratios."""
    loads = [outcome(name, 0.01, 0.01 * ratio) for name, ratio in ratios.items()]
    limits = {"gflops": 200.0, "gigabytes_per_second": 40.0}
    return {"processor": "Some CPU (R) 3", "threads": 2, "versions": {"torch": "2"}, "limits": limits, "suites": {"gemm": loads}}


def test_a_record_is_kept_per_processor_and_the_newest_counts(tmp_path: Path) -> None:
    first = history.record(document(a=1.5), tmp_path)
    history.record(document(a=1.7), tmp_path)
    assert first == tmp_path / "some-cpu-r-3.json"
    entries = history.read("Some CPU (R) 3", tmp_path)
    assert [check.ratios_of(entry["suites"]["gemm"])["a", "rlx"] for entry in entries] == pytest.approx([1.5, 1.7])
    assert check.ratios_of(history.baseline(entries, "gemm")) == pytest.approx({("a", "rlx"): 1.7})
    assert history.baseline(entries, "scan") == {} and history.read("another", tmp_path) == []


def test_a_wrong_result_is_not_recorded() -> None:
    assert check.ratios_of(history.suite_rows([outcome("a", 0.01, 0.02, right=False)])) == {}


@pytest.mark.parametrize(
    ("runs", "fine", "calls"),
    [
        ([1.95], True, 1),  # a little lower is noise
        ([1.5, 1.9], True, 2),  # low once, fine when measured again
        ([1.5, 1.6, 1.7], False, 3),  # low every time
    ],
)
def test_a_ratio_that_stays_low_fails(runs: list[float], fine: bool, calls: int) -> None:
    entries = [{"suites": {"gemm": history.suite_rows(document(a=2.0)["suites"]["gemm"])}}]
    pending, said = iter(runs), []
    made = []

    def run(suite: str) -> history.Suite:
        made.append(suite)
        return history.suite_rows(document(a=next(pending))["suites"]["gemm"])

    assert check.check(["gemm"], entries, run, said.append) is fine
    assert len(made) == calls and any("ratios hold" in line for line in said)
    assert fine or any("1.70 x the best peer, recorded 2.00" in line for line in said)


def test_a_workload_that_is_gone_fails() -> None:
    entries = [{"suites": {"gemm": history.suite_rows(document(a=2.0, b=1.0)["suites"]["gemm"])}}]
    run = lambda suite: history.suite_rows(document(a=2.0)["suites"]["gemm"])  # noqa: E731
    assert not check.check(["gemm"], entries, run, lambda line: None)


def test_a_suite_without_a_record_is_said_not_failed() -> None:
    said: list[str] = []
    assert check.check(["gemm"], [], lambda suite: {}, said.append)
    assert "nothing recorded" in said[0]


def test_pictures_are_drawn_from_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = history.record(document(a=1.5, b=0.9), tmp_path)
    assert plots.means(plots.latest(json.loads(path.read_text())))["gemm"] == pytest.approx(((1.5 * 0.9) ** 0.5, 0.9, 1.5))
    monkeypatch.setattr("sys.argv", ["plots", "--file", str(path), "--to", str(tmp_path / "images")])
    assert plots.main() == 0
    for name in ("speed.png", "roofline.png"):
        picture = (tmp_path / "images" / name).read_bytes()
        assert picture.startswith(b"\x89PNG") and 5_000 < len(picture) < 200_000
