"""Generated files are current: builders, docs/ops.md, docs/errors.md, docs/flags.md."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_generated_files_are_current():
    found = subprocess.run([sys.executable, "scripts/generate.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr + "\nrun: make docs"
