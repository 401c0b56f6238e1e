"""Packed params of a mapped file: taken without a copy, brought into order from its pages, which are given back."""

from __future__ import annotations

import mmap
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.run.runner import CpuRunner
from rlx.core.aligned import drop_pages, is_mapped
from rlx.layouts.gguf_blocks import dequantize_rows, random_rows

K, N = 256, 40


def mapped(path: Path, rows: Any, access: int = mmap.ACCESS_READ, offset: int = 0) -> tuple[mmap.mmap, Any]:
    path.write_bytes(bytes(offset) + rows.tobytes())
    with path.open("r+b") as file:
        mapping = mmap.mmap(file.fileno(), 0, access=access)
    return mapping, np.frombuffer(memoryview(mapping), np.uint8, rows.nbytes, offset).reshape(rows.shape)


def product(scheme: str) -> Any:
    graph = rlx.Graph("product")
    graph.set_outputs({"y": graph.input("x", (3, K)) @ graph.param("w", (K, N), scheme=scheme)})
    return rlx.compile(graph, quant_mode="exact")


def test_only_read_only_mappings_are_taken_as_they_are(tmp_path: Path) -> None:
    rows = random_rows("Q4_0", N, K)
    _, read_only = mapped(tmp_path / "a", rows)
    _, writable = mapped(tmp_path / "b", rows, mmap.ACCESS_COPY)
    frozen = rows.copy()
    frozen.flags.writeable = False
    assert is_mapped(read_only) and is_mapped(read_only[3:])
    assert not is_mapped(writable) and not is_mapped(rows) and not is_mapped(frozen) and not is_mapped(rows[None][0])
    assert not is_mapped(read_only[:, ::2]), "with gaps"


def test_a_mapped_param_is_not_copied_until_it_is_read(tmp_path: Path) -> None:
    rows = random_rows("Q4_0", N, K)
    _, given = mapped(tmp_path / "w", rows, offset=32)
    exe = product("gguf_q4_0")
    exe.set_param("w", given)
    entry = exe.session.entries["w"]
    assert entry.array is not None and np.shares_memory(entry.array, given)
    np.testing.assert_array_equal(exe.param("w"), rows)
    x = np.random.default_rng(0).standard_normal((3, K)).astype(np.float32)
    np.testing.assert_allclose(exe(x), x @ dequantize_rows("Q4_0", rows).T, rtol=1e-4, atol=1e-4)
    assert entry.array is not None and np.shares_memory(entry.array, given), "it lies in the file, and is not kept twice"
    np.testing.assert_array_equal(exe.param("w"), rows)


def test_a_table_that_is_only_gathered_leaves_the_file(tmp_path: Path) -> None:
    """What a program reads as it was given lies in memory of the session: the file may go."""
    rows = random_rows("Q8_0", N, K)
    mapping, given = mapped(tmp_path / "table", rows)
    graph = rlx.Graph("gathered")
    graph.set_outputs({"y": graph.gather(graph.param("t", (N, K), scheme="gguf_q8_0"), graph.input("i", (4,), "i32"), axis=0)})
    exe = rlx.compile(graph)
    exe.set_param("t", given)
    chosen = np.array([0, 39, 7, 7], np.int32)
    np.testing.assert_array_equal(exe(chosen), dequantize_rows("Q8_0", rows)[chosen])
    entry = exe.session.entries["t"]
    assert entry.array is not None and not np.shares_memory(entry.array, given) and entry.array.ctypes.data % 64 == 0
    del given
    mapping.close()
    np.testing.assert_array_equal(exe(chosen), dequantize_rows("Q8_0", rows)[chosen])


@pytest.mark.skipif(sys.platform != "linux", reason="resident pages are read from /proc")
def test_pages_are_given_back(tmp_path: Path) -> None:
    """Whole pages of the array go, and its bytes are there again when asked for."""
    rows = np.random.default_rng(1).integers(0, 256, (1 << 12, 1 << 12), np.uint8)
    _, given = mapped(tmp_path / "large", rows, offset=100)
    total = int(given.sum(dtype=np.int64))
    before = _resident_of_files()
    drop_pages(given)
    assert before - _resident_of_files() > 0.9 * rows.nbytes
    assert int(given.sum(dtype=np.int64)) == total == int(rows.sum(dtype=np.int64))


def _resident_of_files() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssFile"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no RssFile")


@pytest.mark.skipif(sys.platform != "linux", reason="resident pages are read from /proc")
def test_a_file_is_packed_param_by_param(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of each weight are given back before the next one is read: the file is never in memory beside what is made of it."""
    count, n = 4, 40_000
    rows = [random_rows("Q4_0", n, K, seed=seed) for seed in range(count)]
    graph = rlx.Graph("products")
    x = graph.input("x", (3, K))
    graph.set_outputs({f"y{i}": x @ graph.param(f"w{i}", (K, n), scheme="gguf_q4_0") for i in range(count)})
    exe = rlx.compile(graph)
    for i, each in enumerate(rows):
        exe.set_param(f"w{i}", mapped(tmp_path / f"w{i}", each)[1])
        drop_pages(exe.session.entries[f"w{i}"].array)
    before, seen, make = _resident_of_files(), [], CpuRunner.make

    def watched(runner: CpuRunner, outputs: Any) -> None:
        make(runner, outputs)
        seen.append(_resident_of_files() - before)

    monkeypatch.setattr(CpuRunner, "make", watched)
    exe.leaves({"x": np.zeros((3, K), np.float32)})
    assert len(seen) == count and max(seen) < 1.5 * rows[0].nbytes, seen
    assert _resident_of_files() - before < 0.5 * rows[0].nbytes
    for i, each in enumerate(rows):
        np.testing.assert_array_equal(exe.param(f"w{i}"), each)
