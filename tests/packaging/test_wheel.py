"""The wheel installs from wheels alone into an empty environment, runs an example there, and imports quickly."""

import json
import sys
import venv
from pathlib import Path

import pytest

from tests.packaging.conftest import ROOT, run

CORE = {"numpy", "ml_dtypes", "rlx"}  # what `import rlx` may load
IMPORT_SECONDS = 0.3

IMPORT_PROBE = """
import json, sys, time
before = set(sys.modules)
start = time.perf_counter()
import rlx
seconds = time.perf_counter() - start
roots = {name.partition(".")[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names)
print(json.dumps({"seconds": seconds, "roots": sorted(roots), "file": rlx.__file__}))
"""


def probe(python: str | Path, cwd: Path) -> dict:
    return json.loads(run(python, "-I", "-c", IMPORT_PROBE, cwd=cwd))


@pytest.fixture(scope="module")
def empty_python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that holds the wheel and its dependencies, and nothing else."""
    home = tmp_path_factory.mktemp("empty")
    venv.create(home, with_pip=True)
    python = home / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    run(python, "-m", "pip", "--disable-pip-version-check", "install", "--only-binary", ":all:", wheel)
    return python


def test_wheel_is_pure_python(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")


def test_example_runs_in_an_empty_environment(empty_python: Path, tmp_path: Path) -> None:
    assert run(empty_python, "-I", ROOT / "examples" / "quickstart.py", cwd=tmp_path).strip()


def test_import_is_quick_and_loads_only_the_core(empty_python: Path, tmp_path: Path) -> None:
    probes = [probe(empty_python, tmp_path) for _ in range(7)]
    assert not Path(probes[0]["file"]).is_relative_to(ROOT), "the probe must see the installed wheel"
    assert set(probes[0]["roots"]) <= CORE
    best = min(p["seconds"] for p in probes)
    assert best < IMPORT_SECONDS, f"import rlx takes {best:.3f} s"


def test_import_loads_nothing_optional_where_all_is_installed(tmp_path: Path) -> None:
    assert set(probe(sys.executable, tmp_path)["roots"]) <= CORE
