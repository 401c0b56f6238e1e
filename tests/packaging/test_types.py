"""Users' programs are clean under `mypy --strict` and pyright with the package as it is installed, and get real types from it."""

import os
import re
import shutil
import subprocess
import sys
import typing
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from rlx.passes.entry import OptionNames, Options
from tests.packaging.conftest import ROOT

PROGRAM = ROOT / "tests" / "packaging" / "user_program.py"
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
WRONG = """
import numpy as np
import rlx

@rlx.jit
def power(x: np.ndarray, exponent: int) -> np.ndarray:
    return x ** exponent

power(np.ones(2))  # no exponent
power(np.ones(2), "2")  # not an int
rlx.jti(power)  # no such name
rlx.models.Flwo  # nor this
rlx.load_model("smollm2").generate("Once").txt  # no field of a Generation
rlx.grad(power).jacobian  # nor of a transformed function
"""


def checker(name: str, folder: Path, *arguments: str | Path) -> str:
    """What a type checker says, run outside of the tree, whose settings and sources it would read."""
    command = [sys.executable, "-m", name, *map(str, arguments)]
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "MYPYPATH")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def checked_by_mypy(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """One run for all programs, as the package takes most of the time."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "wrong.py").write_text(WRONG)
    return checker("mypy", folder, "--strict", "--python-executable", installed, PROGRAM, *EXAMPLES, "wrong.py")


def test_examples_and_a_user_program_are_clean_under_mypy(checked_by_mypy: str) -> None:
    errors = [line for line in checked_by_mypy.splitlines() if ": error:" in line and not line.startswith("wrong.py")]
    assert not errors, "\n".join(errors)


def test_mypy_finds_what_is_wrong_in_a_program(checked_by_mypy: str) -> None:
    wrong = [number for number, line in enumerate(WRONG.splitlines(), 1) if "  # n" in line]
    assert [int(line) for line in re.findall(r"wrong\.py:(\d+): error:", checked_by_mypy)] == wrong


def is_of(value: object, kind: Any) -> bool:
    """Whether a value has a type, containers of arrays and Values included."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return True
    if origin is list:
        return isinstance(value, list) and all(is_of(part, inside[0]) for part in value)
    if origin is dict:
        return isinstance(value, dict) and all(is_of(part, inside[1]) for part in value.values())
    if origin is tuple:
        kinds = inside[:1] * len(value) if inside[-1] is ... else inside
        return isinstance(value, tuple) and all(map(is_of, value, kinds)) and len(value) == len(kinds)
    return isinstance(value, origin or kind)


def test_values_are_what_checkers_take_them_for(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def checked(value: Any, kind: Any) -> Any:
        seen.append(kind)
        assert is_of(value, kind), f"{value!r} is no {kind}"
        return value

    monkeypatch.setattr(typing, "assert_type", checked)
    functions, graphs, _ = PROGRAM.read_text().partition("# -- graphs")
    exec(compile(functions, str(PROGRAM), "exec"), {"__name__": "user_program"})
    assert graphs and len(seen) > 20


@pytest.mark.skipif(shutil.which("node") is None, reason="pyright is a program for node, which is not installed")
def test_examples_and_a_user_program_are_clean_under_pyright(installed: Path, tmp_path: Path) -> None:
    found = checker("pyright", tmp_path, "--pythonpath", installed, PROGRAM, *EXAMPLES)
    assert found.startswith("0 errors"), found


def test_type_checkers_know_each_compile_option_of_jit() -> None:
    assert set(OptionNames.__annotations__) == {field.name for field in fields(Options)}
