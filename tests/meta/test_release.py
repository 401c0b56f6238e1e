"""What a release and its commits carry: one version everywhere, and messages that the hook accepts."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import rlx

ROOT = Path(__file__).resolve().parents[2]


def test_the_version_is_the_same_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert project["version"] == rlx.__version__ == cited[1]
    assert project["license"] in (ROOT / "CITATION.cff").read_text()


@pytest.mark.skipif(shutil.which("sh") is None, reason="the hook is a shell script")
@pytest.mark.parametrize(
    ("message", "fault"),
    [
        ("Subject\n\nWhy.\n", ""),
        ("x" * 72 + "\n\nWhy.\n# a comment of git\n", ""),
        ("ü" * 72 + "\n\nWhy.\n", ""),
        ("Merge branch 'a'\n", ""),
        ("x" * 73 + "\n\nWhy.\n", "73 characters"),
        ("Subject\nWhy.\n", "second line"),
        ("Subject\n", "body"),
        ("Subject\n\n# a comment\n", "body"),
        ("Subject\n\n# ------------------------ >8 ------------------------\ndiff\n", "body"),
    ],
)
def test_the_commit_hook(tmp_path, message, fault):
    (tmp_path / "message").write_text(message, encoding="utf-8")
    hook = ROOT / "scripts" / "hooks" / "commit-msg"
    done = subprocess.run(["sh", str(hook), str(tmp_path / "message")], capture_output=True, text=True)
    assert (done.returncode == 0) == (not fault) and fault in done.stderr, done.stderr
