"""The environment of a measurement: what slows peers is cleared, and named."""

from __future__ import annotations

import os

import pytest

from bench.environment import clear_settings_of_peers

SLOW = {
    "OPENBLAS_CORETYPE": "Prescott",
    "OMP_PROC_BIND": "true",
    "OMP_WAIT_POLICY": "passive",
    "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
    "KMP_BLOCKTIME": "0",
    "ONEDNN_MAX_CPU_ISA": "SSE41",
    "ATEN_CPU_CAPABILITY": "default",
    "NPY_DISABLE_CPU_FEATURES": "AVX2",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}


def test_bench_clears_variables_that_slow_peers_and_prints_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in SLOW.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("RLX_CPU", "baseline")
    cleared = clear_settings_of_peers()
    assert SLOW.items() <= cleared.items()
    assert not set(SLOW) & set(os.environ)
    assert os.environ["RLX_CPU"] == "baseline"  # ours is chosen by bench.compare
    assert os.environ["OMP_NUM_THREADS"] == "1"  # the suite sets its own afterwards
    printed = capsys.readouterr().err
    assert all(f"{name}={value}" in printed for name, value in SLOW.items())


def test_a_clean_environment_prints_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clear_settings_of_peers()
    capsys.readouterr()
    assert clear_settings_of_peers() == {} and capsys.readouterr().err == ""
