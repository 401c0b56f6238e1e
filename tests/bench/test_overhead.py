"""Counting instructions of a call: what is counted, how dumps are read, and when a count is too high."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from bench import callgrind, overhead, overhead_paths

ROOT = Path(__file__).resolve().parents[2]
WITHOUT_VALGRIND = callgrind.unavailable()

# A loop of 100 000 turns of two instructions each, while another thread spins in native code.
LOOP_BESIDE_A_SPINNING_THREAD = """
import ctypes, threading
from bench import callgrind
loop = callgrind.native(bytes.fromhex("89f8 ffc8 75fc c3"), ctypes.c_int32)  # mov eax, edi; dec eax; jne back; ret
spin = callgrind.native(bytes.fromhex("833f00 74fb c3"), ctypes.c_void_p)  # cmp dword [rdi], 0; je back; ret
ended = ctypes.c_int32(0)
thread = threading.Thread(target=spin, args=(ctypes.addressof(ended),))
thread.start()
callgrind.count("loop", lambda: loop(100_000), 100)
callgrind.count("loop of half the length", lambda: loop(50_000), 100)
ended.value = 1
thread.join()
"""


@pytest.mark.skipif(WITHOUT_VALGRIND is not None, reason=str(WITHOUT_VALGRIND))
def test_only_the_calls_of_one_thread_are_counted():
    command = [sys.executable, "-c", LOOP_BESIDE_A_SPINNING_THREAD]
    found = callgrind.counts(command, {**os.environ, "PYTHONPATH": str(ROOT)}, ROOT)
    assert list(found) == ["loop", "loop of half the length"]
    assert found["loop"] - found["loop of half the length"] == pytest.approx(100_000, rel=0.005)
    assert 200_002 < found["loop"] < 210_000  # with `mov` and `ret`, a Python function and ctypes


@pytest.mark.skipif(WITHOUT_VALGRIND is not None, reason=str(WITHOUT_VALGRIND))
def test_what_fails_under_valgrind_is_shown():
    with pytest.raises(SystemExit, match="no such weather"):
        callgrind.counts([sys.executable, "-c", "raise ValueError('no such weather')"], os.environ, ROOT)


def test_dumps_are_read_by_name_and_divided_by_the_number_of_calls():
    dumps = [
        "desc: Trigger: Program termination\nsummary: 12\n",
        "version: 1\ndesc: Trigger: Client Request: 500 x a call\nevents: Ir\nsummary: 17500\n\nfn=(1) f\n3 17500\ntotals: 17500\n",
        "desc: Trigger: Client Request: 4 x 2 x 3\nsummary: 10\n",
        "desc: Trigger: Client Request: of someone else\nsummary: 7\n",
    ]
    assert callgrind.per_call(dumps) == {"a call": 35.0, "2 x 3": 2.5}


@pytest.mark.parametrize(
    ("now", "before", "fine", "said"),
    [
        ({"a": 1030}, {"a": 1000}, True, "a: 1030 instructions, recorded 1000 (+3.0%)"),
        ({"a": 1031}, {"a": 1000}, False, "a: 1031 instructions, recorded 1000 (+3.1%): MORE"),
        ({"a": 500}, {"a": 1000}, True, "a: 500 instructions, recorded 1000 (-50.0%)"),
        ({"a": 1000, "b": 9}, {"a": 1000}, True, "b: 9 instructions, none recorded"),
        ({"a": 1000}, {"a": 1000, "b": 9}, False, "b: recorded, not counted any more"),
    ],
)
def test_more_instructions_than_recorded_fail(now: dict[str, int], before: dict[str, int], fine: bool, said: str):
    lines: list[str] = []
    assert overhead.compare(now, before, lines.append) is fine
    assert f"overhead: {said}" in lines and len(lines) == len(now | before)


def test_a_record_replaces_that_of_the_same_interpreter_alone(tmp_path: Path):
    path = tmp_path / "history" / "overhead.json"
    assert overhead.read(path) == {}
    overhead.record({"a": 3, "old": 1}, path)
    path.write_text(json.dumps({"Python 2.7": {"a": 5}, **json.loads(path.read_text())}))
    overhead.record({"a": 4}, path)
    assert overhead.read(path) == {"Python 2.7": {"a": 5}, overhead.interpreter(): {"a": 4}}


def test_the_command_fails_only_when_a_count_grew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(overhead, "RECORD", tmp_path / "overhead.json")
    monkeypatch.setattr(callgrind, "unavailable", lambda: None)
    results = iter([{"a": 100}, {"a": 100}, {"a": 102}, {"a": 110}])
    monkeypatch.setattr(overhead, "counted", lambda: next(results))
    assert overhead.main([]) == 0 and "nothing recorded for Python 3." in capsys.readouterr().out
    assert overhead.main(["--record"]) == 0
    assert overhead.main([]) == 0
    assert overhead.main([]) == 1 and "a: 110 instructions, recorded 100 (+10.0%): MORE" in capsys.readouterr().out


def test_without_valgrind_nothing_is_counted_and_that_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(callgrind.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(callgrind.platform, "system", lambda: "Linux")
    monkeypatch.setattr(callgrind.shutil, "which", lambda _: None)
    assert overhead.main([]) == 0
    assert capsys.readouterr().out == "overhead: not counted, valgrind is not installed\n"
    monkeypatch.setattr(callgrind.platform, "machine", lambda: "aarch64")
    assert callgrind.unavailable() == "requests to valgrind are written for x86-64 Linux"


@pytest.mark.parametrize(
    ("path", "results"),
    [
        ("result handed out", [[2, 2, 2, 2]] * 2),
        ("result written into an array", [[2, 2, 2, 2]] * 2),
        ("symbolic size", [[2, 2, 2, 2]] * 2),
        ("symbolic size that changes", [[2, 2, 2, 2], [2, 2, 2], [2, 2, 2, 2]]),
        ("decode step with states", [[[1, 1]], [[2, 2]], [[2, 2]]]),  # a cache of two rows, which is full
        ("two commands", [[-3, -3, -3, -3]] * 2),
        ("jitted function", [[2, 2, 2, 2]] * 2),
    ],
)
def test_the_calls_that_are_counted_do_what_they_say(path: str, results: list[object]):
    call = overhead_paths.PATHS[path]()
    for expected in results:
        np.testing.assert_array_equal(np.array(call()), np.array(expected, np.float32))


def test_two_commands_are_two():
    assert len(overhead_paths.centring().lir.commands) == 2


def test_every_path_is_recorded():
    records = overhead.read(overhead.RECORD)
    assert records and all(list(counts) == list(overhead_paths.PATHS) for counts in records.values())
