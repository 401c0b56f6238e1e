"""The wheel of this tree, built once for the tests of a worker."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", ".", "--no-deps", "--no-build-isolation", "--wheel-dir", folder)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment outside of this tree with the wheel, and the packages whose types it shows."""
    home = tmp_path_factory.mktemp("typed")
    venv.create(home)
    packages = Path(sysconfig.get_path("purelib", "venv", vars={"base": str(home)}))
    run(sys.executable, "-m", "pip", "-q", "install", "--no-deps", "--target", packages, wheel)
    for name in ("numpy", "ml_dtypes"):
        (packages / name).symlink_to(Path(sysconfig.get_path("purelib")) / name)
    assert (packages / "rlx" / "py.typed").exists()
    return home / ("Scripts" if sys.platform == "win32" else "bin") / "python"
