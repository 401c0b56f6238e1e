"""Five programs as users write them run, are clean under `mypy --strict` and pyright, and an error planted in them is reported on its line.

The package is checked as it is installed: from its wheel, and from a checkout by a path file, as `pip install --editable` leaves it.
"""

import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.packaging.conftest import ROOT, run
from tests.packaging.planted_errors import PLANTED
from tests.packaging.test_types import checker

PROGRAMS = sorted((ROOT / "tests" / "packaging" / "programs").glob("*.py"))
WITH_NODE = pytest.param(
    "pyright", marks=pytest.mark.skipif(shutil.which("node") is None, reason="pyright needs node, which is not installed")
)


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that has this tree by a path file, and the stub that an editable install writes into it."""
    run(sys.executable, ROOT / "scripts" / "builders_stub.py")
    home = tmp_path_factory.mktemp("checkout")
    venv.create(home)
    packages = Path(sysconfig.get_path("purelib", "venv", vars={"base": str(home)}))
    (packages / "rlx.pth").write_text(f"{ROOT / 'src'}\n")
    for name in ("numpy", "ml_dtypes"):
        (packages / name).symlink_to(Path(sysconfig.get_path("purelib")) / name)
    return home / ("Scripts" if sys.platform == "win32" else "bin") / "python"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs, and beside each of them the same with its planted errors."""
    folder = tmp_path_factory.mktemp("users")
    for program in PROGRAMS:
        text = program.read_text()
        (folder / program.name).write_text(text)
        for right, wrong in PLANTED[program.stem]:
            assert text.count(right) == 1, right
            text = text.replace(right, wrong)
        (folder / f"wrong_{program.name}").write_text(text)
    return folder


def planted_lines(program: Path) -> set[int]:
    lines = program.read_text().splitlines()
    texts = {right.strip() for right, _ in PLANTED[program.stem]}
    return {number for number, line in enumerate(lines, 1) if any(text in line for text in texts)}


def reported(text: str) -> dict[str, set[int]]:
    """The lines with errors by file, of what mypy or pyright print."""
    lines: dict[str, set[int]] = {}
    for name, number in re.findall(r"(\w+\.py):(\d+)(?::\d+)?(?: -)?:? error", text):
        lines.setdefault(name, set()).add(int(number))
    return lines


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_runs(program: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, str(program)], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("environment", ["installed", "checkout"])
@pytest.mark.parametrize("name", ["mypy", WITH_NODE])
def test_checkers_report_planted_errors_and_nothing_else(
    name: str, environment: str, folder: Path, request: pytest.FixtureRequest
) -> None:
    python = request.getfixturevalue(environment)
    options = ("--strict", "--python-executable", python) if name == "mypy" else ("--pythonpath", python)
    text = checker(name, folder, *options, *sorted(folder.glob("*.py")))
    expected = {f"wrong_{program.name}": planted_lines(program) for program in PROGRAMS}
    assert reported(text) == expected, text
