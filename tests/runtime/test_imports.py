"""What a process imports until it has compiled, or has its first token: counted, since a time depends on what else runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.models import gguf_files

SLOW = ("asyncio", "decimal", "difflib", "fractions", "numpy.ma", "rlx.backends.cuda", "rlx.backends.xla", "ssl", "statistics")
COMPILER = ("rlx.backends.cpu.emit.builder", "rlx.backends.cpu.kernels", "rlx.passes.pipeline", "rlx.plan")
TAIL = "\nimport sys; print(*sorted(sys.modules))"
COMPILE = """
import rlx, numpy as np
g = rlx.Graph("g")
x = g.input("x", (rlx.Dim("batch"), 64), "f32")
w = g.param("w", (64, 64), "f32")
g.set_outputs({"y": g.softmax(x @ w + np.ones(64, np.float32))})
executable = rlx.compile(g, device="cpu")
executable.set_params({"w": np.eye(64, dtype=np.float32)})
executable(x=np.ones((2, 64), np.float32))
"""
GENERATE = """
import rlx, sys
print(rlx.load_model(sys.argv[1]).generate("a b", max_tokens=2, temperature=0.0), file=sys.stderr)
"""


def imported(code: str, cache: Path, *arguments: str) -> set[str]:
    """The modules of a process that has run some code."""
    environment = {**os.environ, "RLX_CACHE": "1", "RLX_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", code + TAIL, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def among(modules: set[str], names: tuple[str, ...]) -> set[str]:
    """Those of some names, and what is below them."""
    return {module for module in modules for name in names if module == name or module.startswith(f"{name}.")}


def test_compiling_imports_no_other_device_and_nothing_slow_that_it_does_not_use(tmp_path: Path) -> None:
    assert not among(imported(COMPILE, tmp_path), SLOW)


def test_a_first_token_from_warm_caches_imports_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gguf_files, "FOLDER", tmp_path)
    monkeypatch.setitem(gguf_files.SIZES, "tiny", gguf_files.Size("tiny", 256, 2, 4, 2, 512, vocab=320))
    path = str(gguf_files.model_file("tiny", "Q8_0"))
    cold, warm = (imported(GENERATE, tmp_path / "cache", path) for _ in range(2))
    assert among(cold, COMPILER), "the first compiles"
    assert not among(warm, COMPILER)
    assert not among(warm, SLOW)


def test_dir_of_rlx_shows_public_names_only():
    """It had `Any`, `P`, `TYPE_CHECKING`, `annotations` and `importlib`, and every folder that had been imported."""
    program = "import rlx, rlx.serve, rlx.numpy; rlx.jit; print(*dir(rlx))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    import rlx

    assert {name for name in shown if not name.startswith("_")} == set(rlx.__all__) - {"__version__"}
