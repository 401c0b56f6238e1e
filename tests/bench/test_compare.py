"""The arithmetic of `bench.compare`: medians over pairs, geometric means over rows, and what counts as slower."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench import compare, history
from bench.compare import Comparison, Measured

A, B = ("a", "rlx"), ("b", "rlx")


def pairs(*ratios: tuple[float, float]) -> Comparison:
    """Pairs in which NEW takes so many times as long as OLD, by row."""
    return Comparison([(Measured({A: 2.0, B: 0.5}), Measured({A: 2.0 * a, B: 0.5 * b})) for a, b in ratios])


def test_a_row_is_the_median_of_its_ratios() -> None:
    compared = pairs((1.0, 1.0), (1.1, 0.9), (5.0, 0.95))  # one disturbed pair does not count
    assert compared.rows == pytest.approx({A: 1.1, B: 0.95})


def test_a_suite_is_the_median_of_geometric_means() -> None:
    assert pairs((2.0, 0.5)).ratio == pytest.approx(1.0)
    assert pairs((4.0, 1.0), (1.21, 1.0), (1.0, 1.0)).ratio == pytest.approx(1.1)  # of 2, 1.1 and 1


@pytest.mark.parametrize(
    ("ratios", "failing"),
    [
        ((1.05, 1.0), []),  # within 6 % for a row and 3 % for the suite
        ((0.5, 0.6), []),  # faster is fine
        ((1.07, 0.9), ["a, rlx: +7.0%, allowed +6.0%"]),
        ((1.04, 1.04), ["the suite: +4.0%, allowed +3.0%"]),
        ((1.1, 1.1), ["a, rlx: +10.0%", "b, rlx: +10.0%", "the suite: +10.0%"]),
    ],
)
def test_what_is_slower_than_allowed(ratios: tuple[float, float], failing: list[str]) -> None:
    found = pairs(ratios, ratios, ratios).failures(compare.SUITE_ALLOWED, compare.ROW_ALLOWED)
    assert len(found) == len(failing)
    for line, start in zip(found, failing, strict=True):
        assert line.startswith(start)


def test_other_limits() -> None:
    assert not pairs((1.1, 1.1)).failures(0.2, 0.2)
    assert len(pairs((1.02, 1.0)).failures(0.0, 0.01)) == 2


def test_a_row_that_new_does_not_have_fails() -> None:
    compared = Comparison([(Measured({A: 1.0, B: 1.0}), Measured({A: 1.0}))])
    assert compared.rows == {A: 1.0} and compared.missing == [B]
    assert compared.failures(0.03, 0.06) == ["b, rlx: NEW has no right result"]
    assert Comparison([(Measured({}), Measured({}))]).failures(0.03, 0.06) == ["no row to compare"]
    only_new = Comparison([(Measured({A: 1.0}), Measured({A: 1.0, B: 1.0}))])
    assert only_new.rows == {A: 1.0} and not only_new.failures(0.03, 0.06)


def test_each_side_begins_every_other_pair() -> None:
    asked: list[str] = []

    def run(side: str) -> Measured:
        asked.append(side)
        return Measured({A: 1.0 if side == "old" else 1.5})

    compared = compare.in_turns(3, run)
    assert asked == ["old", "new", "new", "old", "old", "new"]
    assert compared.rows == {A: 1.5}


def document(right: bool = True) -> dict[str, Any]:
    """What a run prints: a row of ours with its best time, and a wrong one."""
    rows = [("rlx", 0.25, True), ("rlx, input", 0.5, right)]
    contenders = [
        {"name": name, "ours": True, "best_seconds": best, "right": fine, "speed_over_best_peer": None} for name, best, fine in rows
    ]
    costs = {"flops": 1e9, "bytes_from_memory": 0.0, "limit_seconds": 0.0}
    return {"suites": {"gemm": [{"workload": "64 x 64", "others_share": 0.25, **costs, "contenders": contenders}]}}


def test_times_are_read_from_what_a_run_prints() -> None:
    printed = "llama.cpp: AVX2 = 1 {…}\n\n" + json.dumps(document(), indent=1)
    found = compare.measured(history.read_document(printed), "gemm")
    assert found == Measured({("64 x 64", "rlx"): 0.25, ("64 x 64", "rlx, input"): 0.5}, 0.25)
    assert history.read_document(json.dumps(document())) == document()
    assert list(compare.measured(document(right=False), "gemm").times) == [("64 x 64", "rlx")]
    with pytest.raises(ValueError):
        history.read_document("nothing")


def test_the_report_names_rows_suite_and_a_busy_machine() -> None:
    busy = Comparison([(Measured({A: 1.0}, 0.4), Measured({A: 1.02}))])
    rows, suite, warning = compare.report("gemm", busy)
    assert rows.split() == ["1.020", "+2.0%", "a,", "rlx"]
    assert suite == "gemm: 1.020 (+2.0%) over 1 rows, 1 pairs" and "40%" in warning
    assert len(compare.report("gemm", pairs((1.0, 1.0)))) == 3


def test_the_command_line_says_what_is_no_worktree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = str(Path(__file__).parents[2])
    options = compare.parse([here, here, "region", "--quick", "--pairs", "2", "--row-allowed", "0.1"])
    assert (options.pairs, options.quick, options.row_allowed, options.suite_allowed) == (2, True, 0.1, 0.03)
    for wrong in ([str(tmp_path), here, "region"], [here, here, "nothing"], [here, here, "region", "--pairs", "0"]):
        with pytest.raises(SystemExit):
            compare.parse(wrong)
    assert "give a worktree of this project, or a commit" in capsys.readouterr().err


def test_a_commit_is_unpacked(tmp_path: Path) -> None:
    given = compare.state("HEAD")
    assert isinstance(given, str) and len(given) == 40
    folder = compare.unpacked(given, tmp_path / "old")
    assert (folder / "src/rlx/__init__.py").is_file() and (folder / "bench/__main__.py").is_file()
    assert compare.unpacked(folder, tmp_path / "new") == folder


@pytest.mark.parametrize(("longer", "status"), [(1.02, 0), (1.05, 1)])
def test_the_exit_status(longer: float, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    here, levels = str(Path(__file__).parents[2]), []

    def run(folder: Path, suite: str, arguments: list[str], cache: Path, cpu: str) -> Measured:
        levels.append(cpu)
        return Measured({A: longer if cache.name == "new" else 1.0})

    monkeypatch.setattr(compare, "run_suite", run)
    assert compare.main([here, here, "gemm", "--pairs", "2", "--cpu", "x86_64-avx2"]) == status
    assert levels == ["x86_64-avx2"] * 4
    assert ("the suite: +5.0%, allowed +3.0%" in capsys.readouterr().out) == bool(status)
