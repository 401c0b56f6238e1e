"""Peak memory: measured in a process of its own, and printed beside the times."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from bench import table
from bench.footprint import footprint, resident
from bench.harness import Outcome, Settings, Timing, Unavailable, Workload
from bench.limits import Limits


def test_what_is_resident_is_seen():
    code = (
        "import numpy as np; from bench.footprint import resident; a = resident('VmRSS'); x = np.ones(50_000_000, np.uint8); del x; "
        "print(resident('VmHWM') - a, resident('VmRSS') - a)"
    )
    most, now = map(int, subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    assert most > 45e6 and now < 25e6 and resident("VmHWM") >= resident("VmRSS") > 0


def test_a_contender_that_fails_says_why(monkeypatch):
    failed = subprocess.CompletedProcess([], 1, "", "Traceback\nImportError: no such thing\n")
    monkeypatch.setattr("bench.footprint.subprocess.run", lambda *_, **__: failed)
    with pytest.raises(Unavailable, match="ImportError: no such thing"):
        footprint("train", "torch", Settings())


def test_the_table_has_a_column_only_where_memory_was_measured():
    workload = Workload("step", 1e9, 1e6, lambda: np.empty(0), ())
    timings = [Timing("rlx", True, 0.0, [0.1]), Timing("torch", False, 0.0, [0.2])]
    limits = Limits(200.0, 40.0)
    with_memory = table.text(Outcome(workload, timings, {}, None, {"rlx": 839_000_000}), limits, set())
    assert "peak memory" in with_memory and "839 MB" in with_memory
    assert "peak memory" not in table.text(Outcome(workload, timings, {}, None), limits, set())
    assert table.plain(Outcome(workload, timings, {}, None, {"rlx": 5}), limits)["contenders"][0]["peak_bytes"] == 5
