"""Kernel conformance on a CPU that is not there: AArch64 under QEMU's user mode, and the oldest x86-64 natively.

    python scripts/emulated.py                      a few ops of every kernel family, on each CPU (about 20 minutes in all, on two cores)
    python scripts/emulated.py --all                every op on each, and long tests (about 20 minutes a CPU)
    python scripts/emulated.py --cpu max --op matmul

The first run makes a room in `.emulated/`: Debian's Python for arm64 with its libraries, unpacked and not installed (no root is needed),
and the packages that RLX needs as wheels for AArch64. Python, NumPy, LLVM and the compiled kernels all run emulated.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOM = ROOT / ".emulated"

CPUS = ("max", "cortex-a72")
"""What QEMU emulates: everything it knows, with dotprod and i8mm; and a CPU with neither."""
LEVEL = "x86_64"
"""The level that runs natively."""
FEW = (
    *("add", "exp", "erf", "pow", "cast", "shr", "fused", "transpose", "gather", "scatter_add", "sort", "cumsum"),
    *("reduce_sum", "softmax", "layer_norm", "matmul", "attention", "conv", "rfft", "cholesky"),
    *("random_normal", "scan", "packed_matmul", "packed_pair_matmul", "packed_grouped_matmul", "q_matmul"),
)
"""The ops of a run without `--all`: some of each family of kernels."""
TESTS = ("tests/backends/cpu/kernels/quantized/test_arm.py", "tests/backends/cpu/run/test_run_loop.py")
"""What is run with pytest in addition."""
TEST_PACKAGES = ("pytest", "pytest-timeout", "hypothesis")
OPS_PER_PROCESS = 4
"""A process takes some seconds to start; few ops in each spread the load evenly."""
PLATFORMS = ("manylinux_2_28_aarch64", "manylinux_2_27_aarch64", "manylinux2014_aarch64")


@dataclass(frozen=True)
class Machine:
    """Something that runs Python: its name, the command, and the environment's additions."""

    name: str
    command: tuple[str, ...]
    environment: dict[str, str]

    def run(self, *arguments: str) -> tuple[int, str]:
        """Exit status and output of a Python command."""
        one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        environment = {**os.environ, **one_thread, "RLX_CACHE_DIR": str(ROOM / "cache" / self.name), **self.environment}
        done = subprocess.run([*self.command, *arguments], env=environment, cwd=ROOT, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


# -- the room ---------------------------------------------------------------------------------------------------
def emulated(cpu: str) -> Machine:
    """An AArch64 machine in the room, which is made if it is not there."""
    emulator = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
    if emulator is None:
        raise SystemExit("there is no qemu-aarch64: install QEMU's user mode (on Debian: apt-get install qemu-user)")
    python = _python()
    path = os.pathsep.join(str(folder) for folder in (ROOT / "src", ROOM / "packages"))
    return Machine(cpu, (emulator, "-L", str(ROOM / "root"), "-cpu", cpu, str(python)), {"PYTHONPATH": path, "RLX_CPU": ""})


def _python() -> Path:
    """The room's Python, with its packages."""
    stamp, wanted = ROOM / "made", "\n".join(_requirements())
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(ROOM, ignore_errors=True)
        _unpack_debian("python3", "libstdc++6")
        _install(_requirements(), _interpreter().name.removeprefix("python"))
        stamp.write_text(wanted)
    return _interpreter()


def _interpreter() -> Path:
    return next((ROOM / "root/usr/bin").glob("python3.[0-9]*"))


def _requirements() -> list[str]:
    """What RLX and its tests of kernels need, as the project states it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    tests = [item for item in project["optional-dependencies"]["test"] if item.split(">")[0] in TEST_PACKAGES]
    return [*project["dependencies"], *tests]


def _unpack_debian(*packages: str) -> None:
    """Packages for arm64 with all they depend on, by an apt that has its own lists and takes nothing for installed."""
    missing = [tool for tool in ("apt-get", "dpkg-deb") if shutil.which(tool) is None]
    if missing:
        raise SystemExit(
            f"there is no {missing[0]}: Python for AArch64 comes from Debian's packages, so this needs a Debian system"
        )
    state, cache = ROOM / "apt/state", ROOM / "apt/cache"
    for folder in (state / "lists/partial", cache / "archives/partial"):
        folder.mkdir(parents=True)
    (ROOM / "apt/status").touch()
    settings = {
        "Dir::State": state,
        "Dir::State::status": ROOM / "apt/status",
        "Dir::Cache": cache,
        "APT::Architecture": "arm64",
        "APT::Architectures": "arm64",
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
        "Debug::NoLocking": "1",
    }
    apt = ["apt-get", "-qq", *(part for name, value in settings.items() for part in ("-o", f"{name}={value}"))]
    _call(*apt, "update")
    _call(*apt, "install", "--yes", "--download-only", "--no-install-recommends", *packages)
    for package in sorted((cache / "archives").glob("*.deb")):
        _call("dpkg-deb", "--extract", str(package), str(ROOM / "root"))
    shutil.rmtree(ROOM / "apt")


def _install(requirements: Sequence[str], version: str) -> None:
    """Wheels for AArch64 and a version of Python into the room."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    target = ["--target", str(ROOM / "packages"), "--only-binary=:all:", "--implementation", "cp", "--python-version", version]
    _call(*pip, *target, *(part for name in PLATFORMS for part in ("--platform", name)), *requirements)


def _call(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


# -- the checks -------------------------------------------------------------------------------------------------
def checks(
    machine: Machine, ops: Sequence[str], tests: Sequence[str], long: Sequence[str] = ()
) -> Iterator[tuple[Machine, list[str]]]:
    """Commands that are independent of each other: some ops each, then test files."""
    for start in range(0, len(ops), OPS_PER_PROCESS):
        chosen = [part for op in ops[start : start + OPS_PER_PROCESS] for part in ("--op", op)]
        yield machine, ["-m", "rlx.backends.conformance", "--device", "cpu", *chosen]
    for name in tests:
        yield machine, ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "timeout=1800", *long, name]


def every_op() -> list[str]:
    """The ops that have cases."""
    sys.path.insert(0, str(ROOT / "src"))
    from rlx.backends.conformance.cases import records

    return [record.name for record in records()]


def main() -> int:
    """Run what is chosen; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu", action="append", help=f"a CPU that QEMU emulates, or {LEVEL} natively; all of them unless given")
    parser.add_argument("--op", action="append", help="this op; may be repeated")
    parser.add_argument("--all", action="store_true", help="every op")
    parser.add_argument("--test", action="append", default=[], help="this test file; may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    given = parser.parse_args()
    machines = [
        Machine(cpu, (sys.executable,), {"PYTHONPATH": str(ROOT / "src"), "RLX_CPU": cpu}) if cpu == LEVEL else emulated(cpu)
        for cpu in given.cpu or (*CPUS, LEVEL)
    ]
    planned: list[tuple[Machine, list[str]]] = []
    for machine in machines:
        ops = given.op or (every_op() if given.all else [] if given.test else FEW)
        tests = given.test or ([] if given.op or machine.name == LEVEL else TESTS)
        planned.extend(checks(machine, ops, tests, ["--long"] if given.all else []))
    return _run(planned, given.jobs)


def _run(planned: Sequence[tuple[Machine, list[str]]], jobs: int) -> int:
    start, wrong = time.perf_counter(), 0
    with ThreadPoolExecutor(jobs) as pool:
        for (machine, command), (status, text) in zip(
            planned, pool.map(lambda check: check[0].run(*check[1]), planned), strict=True
        ):
            wrong += status != 0
            shown = text.splitlines() if status else text.splitlines()[-1:]
            names = " ".join(part for part in command if not part.startswith("-"))
            print(f"{machine.name}: {names}", *(f"    {line}" for line in shown), sep="\n", flush=True)
    print(f"{len(planned) - wrong} passed, {wrong} failed in {time.perf_counter() - start:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
