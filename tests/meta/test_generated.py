"""Generated files are current: docs/ops.md, docs/errors.md, docs/flags.md."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_generated_files_are_current():
    command = [sys.executable, "scripts/generate.py", "--check"]
    quick = {**os.environ, "RLX_VERIFY": "0"}  # hundreds of graphs are lowered for the page of ops; other tests verify them
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=quick)
    assert found.returncode == 0, found.stdout + found.stderr + "\nrun: make docs"
