"""docs/numpy.md names everything that the JAX installed has, and everything public here says what it is."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import jax.numpy as jnp
import pytest

import rlx.numpy as rnp
from rlx.core.dtype import DType

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
from numpy_page import NAMES, REASONS

SPACES = {"numpy": (jnp, rnp), "linalg": (jnp.linalg, rnp.linalg), "fft": (jnp.fft, rnp.fft)}


def names(module) -> set[str]:
    return {name for name in dir(module) if not name.startswith("_")}


@pytest.mark.parametrize("space", SPACES)
def test_every_name_of_jax_is_here_or_has_a_reason(space: str) -> None:
    theirs, ours = SPACES[space]
    missing = names(theirs) - set(ours.__all__) - REASONS.keys()
    assert not missing, f"add them, or a reason in scripts/numpy_page.py: {sorted(missing)}"
    assert names(theirs) <= set(NAMES[space]), "write scripts/numpy_names.txt anew"


def test_what_has_a_reason_is_not_here() -> None:
    assert not REASONS.keys() & set(rnp.__all__)


@pytest.mark.parametrize("space", SPACES)
def test_every_public_function_says_what_it_does(space: str) -> None:
    ours = SPACES[space][1]
    things = {name: getattr(ours, name) for name in ours.__all__}
    functions = {name: each for name, each in things.items() if callable(each) and not isinstance(each, (DType, type))}
    without = [name for name, each in functions.items() if not (inspect.getdoc(each) or "").strip()]
    assert not without, f"without a docstring: {without}"
    assert ours.__all__ == sorted(ours.__all__)


@pytest.mark.parametrize("name", ["numpy", "nn", "lax"])
def test_each_namespace_can_be_imported_first(name: str) -> None:
    found = subprocess.run([sys.executable, "-c", f"import rlx.{name}"], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr[-1000:]
