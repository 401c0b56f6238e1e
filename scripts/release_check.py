"""What must hold before a release: `make release-check`, or `python scripts/release_check.py [TESTS …]`.

1. `build` makes the sdist, and the wheel from it; `twine check --strict` reads both.
2. The unpacked sdist passes tests of its own in a new environment: CORE by default; TESTS are arguments for pytest, `tests` means all.
3. Every extra resolves to wheels alone on each Python and system of the tables below (`uv pip compile`, which applies environment
   markers of the target; pip's `--python-version` applies those of the running Python). WITHOUT says where an extra cannot be had.

Everything lies in build/release: the tools have an environment of their own. `--only` runs some of the steps.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "release"
BIN = "Scripts" if os.name == "nt" else "bin"
TOOLS = ("build>=1.2", "twine>=6", "uv>=0.5")
CORE = (
    "tests/meta",
    "tests/core",
    "tests/ir",
    "tests/module",
    "tests/plan",
    "tests/passes",
    "tests/examples",
    "tests/cli",
    "tests/serve/test_deploy.py",
)
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = ("x86_64-manylinux_2_28", "aarch64-manylinux_2_28", "aarch64-apple-darwin", "x86_64-pc-windows-msvc")
WITHOUT = {
    ("bench", "aarch64-manylinux_2_28", "*"): "openvino's wheels need glibc 2.35",
    ("bench", "aarch64-apple-darwin", "3.14"): "onnxruntime's wheels for Python 3.14 need macOS 14",
    ("cuda", "aarch64-apple-darwin", "*"): "Triton has wheels for Linux alone",
    ("cuda", "x86_64-pc-windows-msvc", "*"): "Triton has wheels for Linux alone",
}
"""(extra, system, Python), each a pattern: why there are no wheels."""


def run(*command: str | Path, folder: Path = ROOT, **environment: str) -> None:
    """Runs a command, and ends the program when it fails."""
    print("$", *(str(part) for part in command), flush=True)
    if status := subprocess.run([str(part) for part in command], cwd=folder, env={**os.environ, **environment}).returncode:
        raise SystemExit(status)


def make_tools() -> Path:
    """The folder of programs of the tools' environment."""
    programs = WORK / "tools" / BIN
    if not programs.exists():
        run(sys.executable, "-m", "venv", WORK / "tools")
    run(programs / "python", "-m", "pip", "--disable-pip-version-check", "--quiet", "install", *TOOLS)
    return programs


def build(programs: Path) -> None:
    """The sdist and the wheel, checked by twine."""
    shutil.rmtree(WORK / "dist", ignore_errors=True)
    run(programs / "python", "-m", "build", "--outdir", WORK / "dist")
    run(programs / "python", "-m", "twine", "check", "--strict", *sorted((WORK / "dist").iterdir()))


def test_sdist(tests: list[str]) -> None:
    """The tests that the sdist carries, on what it installs."""
    (archive,) = (WORK / "dist").glob("*.tar.gz")
    shutil.rmtree(WORK / "sdist", ignore_errors=True)
    with tarfile.open(archive) as packed:
        packed.extractall(WORK / "sdist", filter="data")
    (tree,) = (WORK / "sdist").iterdir()
    run("make", f"PYTHON={sys.executable}", "VENV=.venv", ".venv/.test", folder=tree, PYTHONPATH="")
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    command = (tree / ".venv" / BIN / "python", "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", *(tests or CORE))
    run(*command, folder=tree, PYTHONPATH="", JAX_PLATFORMS="cpu", **one_thread)


def resolve(programs: Path, extra: str, system: str, python: str) -> str:
    """Nothing, or why an extra cannot be installed from wheels."""
    target = ("--python-platform", system, "--python-version", python, "--only-binary", ":all:")
    command = [str(programs / "uv"), "pip", "compile", "--quiet", *target, "--extra", extra, "pyproject.toml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return "" if done.returncode == 0 else " ".join(done.stderr.split())


def check_extras(programs: Path) -> None:
    """Prints a row per extra and system, and fails where one does not resolve as WITHOUT says."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    cases = list(product(extras, SYSTEMS, PYTHONS))
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda case: resolve(programs, *case), cases))
    wrong = []
    for case, answer in zip(cases, answers, strict=True):
        why = next((why for patterns, why in WITHOUT.items() if all(map(fnmatch, case, patterns))), "")
        print(f"{case[0]:10}{case[1]:26}{case[2]:6}{'wheels' if not answer else f'none: {why or answer}'}")
        if bool(answer) != bool(why):
            wrong.append(case)
    if wrong:
        raise SystemExit(f"not as WITHOUT says: {wrong}")


def main() -> None:
    """The steps in their order."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=("build", "sdist", "extras"), default=("build", "sdist", "extras"))
    options, tests = parser.parse_known_args()
    WORK.mkdir(parents=True, exist_ok=True)
    programs = make_tools()
    if "build" in options.only:
        build(programs)
    if "sdist" in options.only:
        test_sdist(tests)
    if "extras" in options.only:
        check_extras(programs)


if __name__ == "__main__":
    main()
