"""The disk cache: hits, misses, damage, bounds, privacy."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import rlx
from rlx.core import cache
from rlx.runtime import compile as compile_file


def build(scale: float = 2.0) -> rlx.Graph:
    g = rlx.Graph("cached")
    x = g.input("x", ("n", 4), "f32")
    g.set_outputs({"y": g.exp(x) * scale @ g.param("w", (4, 3), "f32")})
    return g


def compiled(scale: float = 2.0) -> tuple[rlx.Executable, str]:
    exe = rlx.compile(build(scale))
    exe.set_param("w", np.ones((4, 3), np.float32))
    return exe, next(entry.message for entry in exe.report if entry.kind == "cache")


@pytest.fixture(autouse=True)
def fresh(cache_dir, monkeypatch):
    monkeypatch.setattr(compile_file, "_memory", {})
    return cache_dir


def test_second_compile_comes_from_memory_then_disk(cache_dir, monkeypatch):
    first, how = compiled()
    assert how == "compiled and stored"
    assert compiled()[1] == "loaded from memory"
    monkeypatch.setattr(compile_file, "_memory", {})
    again, how = compiled()
    assert how == "loaded from disk"
    x = np.random.default_rng(0).standard_normal((5, 4)).astype(np.float32)
    np.testing.assert_array_equal(first(x=x), again(x=x))
    assert str(again.lir) == str(first.lir)


def test_another_constant_option_or_cpu_is_another_entry(cache_dir, monkeypatch):
    compiled()
    assert compiled(3.0)[1] == "compiled and stored"
    assert "compiled" in next(e.message for e in rlx.compile(build(), fuse=False).report if e.kind == "cache")
    monkeypatch.setenv("RLX_CPU", "x86_64-sse4")
    assert compiled()[1] == "compiled and stored"


def test_damaged_entry_is_dropped_and_made_anew(cache_dir, monkeypatch):
    compiled()
    (entry,) = cache_dir.glob("*.rlxc")
    blob = bytearray(entry.read_bytes())
    blob[len(blob) // 2] ^= 0xFF
    entry.write_bytes(blob)
    monkeypatch.setattr(compile_file, "_memory", {})
    exe, how = compiled()
    assert how == "compiled and stored"
    assert exe(x=np.zeros((1, 4), np.float32))[0, 0] == 8
    entry.write_bytes(b"short")
    monkeypatch.setattr(compile_file, "_memory", {})
    assert compiled()[1] == "compiled and stored"


def test_cache_can_be_off(cache_dir, monkeypatch):
    monkeypatch.setenv("RLX_CACHE", "0")
    compiled()
    assert list(cache_dir.iterdir()) == []


def test_folder_others_can_write_is_refused(cache_dir, monkeypatch):
    os.chmod(cache_dir, 0o777)
    with pytest.warns(UserWarning, match="can be written by others"):
        compiled()
    assert list(cache_dir.glob("*.rlxc")) == []
    os.chmod(cache_dir, 0o700)


def test_least_recently_used_entries_go(cache_dir, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_MB", "1")
    for number in range(4):
        cache.store(f"entry{number}", bytes(400_000))
        os.utime(cache_dir / f"entry{number}.rlxc", ns=(number * 10**9, number * 10**9))
    cache.store("last", bytes(10))
    kept = {path.stem for path in cache_dir.glob("*.rlxc")}
    assert kept == {"entry2", "entry3", "last"}


def test_another_process_reads_it(cache_dir):
    compiled()
    code = "import sys; sys.path.insert(0, '.'); from tests.runtime.test_cache import compiled; print(compiled()[1])"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "RLX_CACHE_DIR": str(cache_dir)}
    )
    assert found.stdout.strip() == "loaded from disk", found.stderr


def test_the_report_says_the_same_from_the_cache(cache_dir, monkeypatch):
    def decisions(exe):
        return [str(entry) for entry in exe.report if entry.kind not in ("cache",)]

    first = compiled()[0]
    assert decisions(first) and any(entry.kind == "fused" for entry in first.report)
    from_memory = compiled()[0]
    monkeypatch.setattr(compile_file, "_memory", {})
    from_disk = compiled()[0]
    assert decisions(first) == decisions(from_memory) == decisions(from_disk)
    assert first.report.facts["bytes of arena"] == from_disk.report.facts["bytes of arena"]
