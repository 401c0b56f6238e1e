"""docs/tour.md is current, apart from what is measured."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_tour_is_current():
    found = subprocess.run([sys.executable, "scripts/generate_tour.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr + "\nrun: make docs"


def test_the_tour_shows_every_stage():
    text = (ROOT / "docs" / "tour.md").read_text()
    for words in ("hir @block", "mir @block", "### fuse regions", "tour/memory.png", 'plan "cpu"', "```llvm", "vfmadd", "GFLOP/s"):
        assert words in text
    assert (ROOT / "docs" / "tour" / "memory.png").stat().st_size < 50_000
