"""The examples run as written, and say what they should."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run(path: Path) -> str:
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_example_runs(path):
    assert run(path).strip()


def test_llama_example_shows_all_levels_and_agrees_with_the_reference():
    text = run(ROOT / "examples" / "llama_three_sizes.py")
    for part in ("hir @llama {", "mir @llama {", "lir @llama {", "=== Report"):
        assert part in text
    errors = [float(number) for number in re.findall(r"off the reference by (\S+)", text)]
    assert len(errors) == 3 and max(errors) < 1e-4
    assert text.count("compiled and stored") + text.count("loaded from") == 1


def test_readme_code_runs():
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, done.stderr
