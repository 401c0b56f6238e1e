"""Damaged files of every kind: taken, or refused with an error that names them. `python -m tests.fuzz.files` runs more."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from tests.fuzz.file_mutation import changed_json, dumped
from tests.fuzz.file_uses import KINDS, use_model
from tests.fuzz.files import FINDINGS, run, used


def check(cases: list[int], seed: int, monkeypatch: pytest.MonkeyPatch, workers: int = 1) -> None:
    for name in ("RLX_CACHE_DIR", "RLX_THREADS"):  # the run sets them
        monkeypatch.setenv(name, os.environ.get(name, ""))
    counts = Counter[str]()
    for found in run(cases, seed, workers):
        assert found.outcome not in FINDINGS, f"python -m tests.fuzz.files --seed {seed} --only {found.case}: {found}"
        counts[found.outcome] += 1
    assert counts.total() == len(cases) and counts["refused"] > len(cases) // 3 and counts["used"], counts


def test_damaged_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """One model of each format; the others compile for seconds before anything is damaged."""
    left_out = {kind.name for kind in KINDS if kind.use is use_model} - {"gguf scores", "folder of llama"}
    check([case for case in range(1000) if KINDS[case % len(KINDS)].name not in left_out][:150], 0, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_more_damaged_files(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    check(list(range(2500)), seed, monkeypatch, os.cpu_count() or 1)


def test_findings_are_told_apart(tmp_path: Path) -> None:
    """An error of RLX that names the file is none; one that does not, and any other, is."""
    from dataclasses import replace

    from rlx.core.errors import RlxError

    def failing(error: BaseException) -> str:
        def use(path: Path) -> None:
            raise error

        return used(replace(KINDS[0], use=use), tmp_path / "it.gguf")[0]

    assert failing(RlxError("RLX701", "a/it.gguf: no")) == "refused"
    assert failing(RlxError("RLX701", "no")) == "unnamed"
    assert failing(ValueError("no")) == failing(MemoryError()) == failing(BaseException()) == "bare"


def test_a_worker_that_dies_or_hangs_is_told_and_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import sys

    from tests.fuzz.files import Worker

    worker = Worker(tmp_path, 0)
    code = "import os, signal, sys\nfor line in sys.stdin: os.kill(os.getpid(), int(line))"
    worker.command = [sys.executable, "-c", code]
    found = []
    for number in (11, 27):  # SIGSEGV, SIGPROF
        worker.start(number)
        while (answer := worker.answer()) is None:
            pass
        found.append(answer[:2])
    assert found == [("crash", "SIGSEGV"), ("hang", "SIGPROF")]


def test_damage_is_the_same_for_the_same_seed() -> None:
    value = {"a": [1, 2, {"b": "x"}], "c": None, "d": 0.5}
    texts = [dumped(changed_json(value, random.Random(seed)), random.Random(seed)) for seed in (*range(40), *range(40))]
    assert texts[:40] == texts[40:] and len(set(texts)) > 30
