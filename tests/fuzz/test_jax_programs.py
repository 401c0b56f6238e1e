"""Random programs give JAX's results: `python -m tests.fuzz.jax_programs` in a process of its own, where JAX has 32-bit numbers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


def output(*options: str, seconds: float) -> str:
    command = [sys.executable, "-m", "tests.fuzz.jax_programs", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_thirty_programs_of_a_fixed_seed_are_equal() -> None:
    text = output("--seed", "4", "--count", "30", seconds=600)
    assert re.search(r"^30 programs", text, re.MULTILINE)


@pytest.mark.long
def test_a_thousand_programs_of_a_seed_nobody_chose_are_equal() -> None:
    text = output("--count", "1000", seconds=7200)
    covered = re.search(r"coverage: (\d+) of", text)
    assert covered is not None and int(covered[1]) >= 150, text


def test_a_wrong_number_dtype_and_shape_are_reported() -> None:
    code = """
import numpy as np
from tests.fuzz.jax_programs import Verdict, compare
from tests.fuzz.jax_program_text import Program
program = Program(0, {"x": np.float32([1, 2]), "y": np.float32(1), "k": np.int32(0)}, ["v0 = x * 2"], ["v0"], coarsest=1.2e-7)
right = np.float32([2, 4])
print(*(compare(program, [right], [other]).kind for other in (right, right + np.float32(1e-3), right.astype(np.float64), right[:1])))
print(compare(program, [right], []).kind)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["equal", "wrong", "wrong", "wrong", "wrong"], done.stdout + done.stderr


def test_an_absolute_scale_catches_a_planted_error() -> None:
    """sinc of whole numbers: JAX's are around 1e-8, 0 is not called wrong, an error of 1e-5 is; what jumps at 0 is not judged."""
    code = """
import numpy as np
from tests.fuzz.jax_programs import compare, in_jax
from tests.fuzz.jax_program_text import Program
arguments = {"x": np.float32([1, 2, 3]), "y": np.float32([1, 2, 3]), "k": np.int32([1, 2, 3])}
for body in (["v0 = jnp.sinc(x)"], ["v0 = jnp.sinc(k)"], ["v0 = jnp.sinc(x)", "v1 = jnp.heaviside(v0, 0.5)"]):
    program = Program(0, arguments, body, [body[-1][:2]], coarsest=1.2e-7)
    expected = in_jax(program, arguments)
    right = 0.5 if len(body) == 2 else 0
    print(*(compare(program, expected, [np.float32([other] * 3)]).kind for other in (right, right + 1e-5, right - 1e-5)))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.stdout.splitlines() == ["unstable wrong wrong", "unstable wrong wrong", "unstable unstable unstable"], (
        done.stdout + done.stderr
    )


def test_numbers_near_ties_are_not_called_equal() -> None:
    from tests.fuzz import jax_programs

    expected, actual = np.float32([1.0, 0.0]), np.float32([1.0, 1e-3])
    assert jax_programs.close(expected, actual, 1.2e-7).tolist() == [True, False]
