"""Limits and peers: integer work beside an integer limit, reads of what a cache holds, and what a peer lacks."""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding as llvm
import numpy as np
import pytest

from bench import table
from bench.harness import Outcome, Timing, Workload
from bench.integer_loops import integer_loop
from bench.limits import Limits
from bench.llama_bench import LlamaBench, best_seconds
from bench.llama_cpp import built_for, lacking

INFO = "CPU : SSE3 = 1 | SSSE3 = 1 | AVX = 1 | AVX2 = 1 | F16C = 1 | FMA = 1 | LLAMAFILE = 1 | OPENMP = 1 | REPACK = 1 |"
XEON = ["avx2", "avxvnni", "avx512f", "avx512vnni", "avx512bf16", "avx512fp16", "amx-int8", "amx-bf16"]


def test_a_build_without_what_the_cpu_has_is_told() -> None:
    assert lacking(INFO, XEON) == ["AVX512", "AVX512_VNNI", "AVX512_BF16", "AMX_INT8"]
    assert lacking(INFO, ["avx2", "avxvnni"]) == ["AVX_VNNI"]
    assert lacking(INFO, ["sse4.2", "avx", "avx2", "fma"]) == []
    native = INFO + " AVX512 = 1 | AVX512_VNNI = 1 | AVX512_BF16 = 1 | AMX_INT8 = 1 |"
    assert lacking(native, XEON) == []
    assert (built_for(INFO), built_for(native), built_for("SSE3 = 1 |")) == ("AVX2", "AMX_INT8", "the baseline")


def test_integer_work_has_a_limit_of_its_own() -> None:
    limits = Limits(100.0, 10.0, 400.0)
    assert limits.seconds(4e11, 0.0) == pytest.approx(4.0)
    assert limits.seconds(4e11, 0.0, "int8") == pytest.approx(1.0)
    assert Limits(100.0, 10.0, 50.0).seconds(1e11, 0.0, "int8") == pytest.approx(1.0)


def test_what_a_cache_holds_is_not_read_from_memory() -> None:
    limits = Limits(100.0, 10.0, 0.0, {1 << 20: 1e-6})
    assert limits.seconds(0.0, 1 << 20) == 1e-6
    assert limits.seconds(0.0, 1e9) == pytest.approx(0.1)


def test_a_peer_that_lacks_something_is_not_called_the_best() -> None:
    work = Workload("w", 1e9, 0.0, lambda: np.zeros(1), (), peer="llama.cpp for AVX2")
    outcome = Outcome(work, [Timing("rlx", True, 0.0, [1.0]), Timing("llama.cpp", False, 0.0, [2.0])], {}, None)
    limits = Limits(100.0, 10.0)
    assert "vs llama.cpp for AVX2" in table.text(outcome, limits, set())
    assert "2.00 x the llama.cpp for AVX2" in table.summary([outcome]) and "best peer" not in table.summary([outcome])


@pytest.mark.parametrize(
    ("features", "cpu", "instruction"),
    [
        ("+sse2", "x86-64", "pmaddwd"),
        ("+ssse3", "x86-64-v2", "pmaddubsw"),
        ("+ssse3,+avx2", "x86-64-v3", "vpmaddubsw"),
        ("+avx2,+avxvnni", "alderlake", "vpdpbusd"),
        ("+avx2,+avx512vnni", "znver4", "vpdpbusd"),
        ("+avx512vnni,+amx-tile,+amx-int8", "sapphirerapids", "tdpbusd"),
    ],
)
def test_the_loop_of_a_cpu_is_made_of_its_widest_instruction(
    features: str, cpu: str, instruction: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.integer_loops.refusal_of_tiles", lambda features: None)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple("x86_64-unknown-linux-gnu").create_target_machine(cpu=cpu, opt=3)
    found = integer_loop(features)
    body = machine.emit_assembly(llvm.parse_assembly(found.text)).split("integer_loop:")[1]
    assert instruction in body and found.ops > 0


def test_refused_tiles_are_not_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.integer_loops.refusal_of_tiles", lambda features: "no")
    assert integer_loop("+avx512vnni,+amx-tile,+amx-int8").instruction == "vpdpbusd"


def test_a_native_program_is_asked_for_the_same_work() -> None:
    bench = LlamaBench("llama-bench", Path("m.gguf"), 16)
    assert bench.command(512, 0)[3:7] == ["-p", "512", "-n", "0"]
    assert bench.command(1, 128)[3:9] == ["-p", "0", "-n", "1", "-d", "128"]
    assert best_seconds('[{"samples_ns": [3000000, 2000000]}]') == pytest.approx(0.002)
