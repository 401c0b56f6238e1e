"""`scripts/emulated.py`, as far as it goes without an emulator: what it names exists, and what it lacks it says."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import emulated  # noqa: E402


def test_its_ops_and_test_files_exist() -> None:
    assert set(emulated.FEW) <= set(emulated.every_op())
    assert all((ROOT / name).is_file() for name in emulated.TESTS)


def test_every_op_is_in_one_process() -> None:
    machine = emulated.Machine("host", (sys.executable,), {})
    ops = [f"op{number}" for number in range(20)]
    planned = [command for _, command in emulated.checks(machine, ops, ["tests/test_a.py"])]
    assert [part for command in planned for part in command if part in ops] == ops
    assert planned[-1][-1] == "tests/test_a.py"


def test_its_packages_are_those_of_the_project() -> None:
    names = {item.split(">")[0] for item in emulated._requirements()}
    assert names == {"numpy", "ml_dtypes", "llvmlite", *emulated.TEST_PACKAGES}


def test_without_qemu_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match="apt-get install qemu-user"):
        emulated.emulated("max")
    with pytest.raises(SystemExit, match="needs a Debian system"):
        emulated._unpack_debian("python3")
