"""The bits of the set's results: what they are now, and what is written in `bits.json`."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from .drawing import EXECUTABLES, Drawing, Results

ROOT = Path(__file__).resolve().parents[3]
FILE = Path(__file__).resolve().parents[1] / "bits.json"
WRITE = "python -m tests.golden.executables --write"

Hashes = dict[str, str]  # of an executable, by its name


def digest(results: Results) -> str:
    """One number for names, dtypes, shapes and bytes."""
    found = hashlib.sha256()
    for name, array in results.items():
        found.update(f"{name}: {array.dtype.name}{list(array.shape)}\n".encode())
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def levels() -> list[str]:
    """The levels that this CPU runs, from the oldest on."""
    from tests.backends.cpu.levels import HOST, LEVELS

    def runs(features: str) -> bool:
        return HOST.is_x86 and all(HOST.has(feature.removeprefix("+")) for feature in features.split(","))

    return [name for name, level in LEVELS.items() if runs(level.features)]


def here(names: Iterable[str] = ()) -> Hashes:
    """Those of this process: its level, its threads. What cannot be computed says why in the place of its hash."""
    found = {}
    for name in names or EXECUTABLES:
        try:
            found[name] = digest(EXECUTABLES[name](Drawing(name)))
        except Exception as error:  # the others are still told
            found[name] = f"{type(error).__name__}: {error}"
    return found


def computed(level: str, threads: int, names: Iterable[str] = ()) -> Hashes:
    """Those of a process of its own, which compiles for a level that RLX_CPU may name."""
    environment = {**os.environ, "RLX_CPU": level, "RLX_THREADS": str(threads), "RLX_VERIFY": "0"}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), str(ROOT), environment.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "tests.golden.executables", *names]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} with RLX_CPU={level} ended with {done.returncode}:\n{done.stderr[-4000:]}")
    found: Hashes = json.loads(done.stdout)
    return found


def recorded() -> dict[str, Hashes]:
    """What the file says, by level."""
    found: dict[str, Hashes] = json.loads(FILE.read_text()) if FILE.exists() else {}
    return found


def write() -> list[str]:
    """Write the file anew for the levels this CPU runs; others stay as they were. What changed, one line each."""
    before = recorded()
    with tempfile.TemporaryDirectory() as folder:  # nothing that was compiled before
        os.environ["RLX_CACHE_DIR"] = folder
        after = before | {level: computed(level, threads=2) for level in levels()}
    failed = [f"{level}: {name}: {said}" for level, each in after.items() for name, said in each.items() if ":" in said]
    if failed:
        raise RuntimeError("not written, for these do not run:\n" + "\n".join(failed))
    FILE.write_text(json.dumps(after, indent=1, sort_keys=True) + "\n")
    return [
        f"{level}: {name}"
        for level, each in after.items()
        for name, said in each.items()
        if before.get(level, {}).get(name) != said
    ]
