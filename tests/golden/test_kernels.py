"""Kernels are emitted as they are written down in `tests/golden/kernels`, for every target and in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rlx.backends.cpu.kernels import KERNELS
from rlx.backends.registry import find_backend
from rlx.ir.op import OPS
from tests.golden.kernels import LISTINGS
from tests.golden.kernels.files import FILES, FOLDER, difference, path, stale

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("name", "target"), FILES, ids=lambda part: part)
def test_kernel(name: str, target: str) -> None:
    if changed := difference(name, target):
        pytest.fail(changed, pytrace=False)


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_text_is_the_same_in_every_process(seed: str) -> None:
    """Names and order follow neither hashes nor addresses, nor what the process emitted before, nor its threads."""
    names = ["iota_and_sizes", "scan", "region_rows_softmax", "matmul_packed_with_epilogue", "attention_decode"]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "RLX_THREADS": seed, "RLX_VERIFY": "0"}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    command = [sys.executable, "-m", "tests.golden.kernels", *(names if seed == "1" else reversed(names))]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_is_a_golden_text_of_every_kernel_family() -> None:
    """Whatever the kernel table calls to lower an op is called for some op that runs as a command, and so are bodies."""
    lowered = [each.lowered(each.targets[0]) for each in LISTINGS.values()]
    ops = [lir.graph.node(command.node).op for lir in lowered for command in lir.commands]
    names = {op.name for op in ops}
    families = {KERNELS[name] for name in names if name in KERNELS}
    missing = {f"{family.__module__}.{family.__name__}" for family in KERNELS.values() if family not in families}
    assert not missing, f"no graph of tests/golden/kernels has a kernel of {', '.join(sorted(missing))}"
    assert {op["kind"] for op in ops if op.name == "fused"} == {"contraction", "region"}
    control = {record.name for record in OPS if find_backend("cpu").support(record) == "native loops and branches"}
    assert control and control <= names


def test_the_files_are_those_of_the_set() -> None:
    assert len(LISTINGS) >= 30
    assert stale() == []
    assert sum(file.stat().st_size for file in FOLDER.rglob("*.ll")) < 2_000_000, "choose smaller graphs, or fewer targets"


def test_a_target_whose_text_is_that_of_another_is_left_out() -> None:
    for name, each in LISTINGS.items():
        bodies = {target: path(name, target).read_text().partition("\n")[2] for target in each.targets}
        assert len(set(bodies.values())) == len(bodies), name
