"""Programs people learn JAX with: the same text runs on both libraries, the imports apart, and gives the same numbers."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest

from bench.models.ports import FOLDER, IMPORTS, PORTS, load, text

NAMES = {port.name for port in PORTS}
SAYS = {
    "mlp_digits": (r"right ([\d.]+) of unseen digits", lambda right: right > 0.9),
    "cnn": (r"right ([\d.]+) of unseen digits", lambda right: right > 0.8),
    "gpt": (r"loss ([\d.]+)", lambda loss: loss < 0.2),
    "vae": (r"negative ELBO ([\d.]+)", lambda bound: bound < 130),
    "neural_ode": (r"distance ([\d.]+)", lambda distance: distance < 0.003),
    "pinn": (r"largest error ([\d.]+)", lambda error: error < 0.03),
    "kalman": (r"smoothed ([\d.]+)", lambda distance: distance < 0.1),
    "hmc": (r"accepted ([\d.]+)", lambda rate: 0.6 < rate <= 1),
    "gaussian_process": (r"noise ([\d.]+)", lambda noise: 0.08 < noise < 0.13),
    "rnn": (r"error ([\d.]+)", lambda error: error < 0.01),
    "policy_gradient": (r"balanced for ([\d.]+)", lambda steps: steps > 55),
    "implicit_layer": (r"error ([\d.]+)", lambda error: error < 0.01),
}
"""What each program prints last, and what it comes to once it has learned."""


def test_there_are_twelve_short_programs():
    programs = {path.stem for path in FOLDER.glob("*.py")} - {"digits"}
    assert programs == NAMES == set(SAYS) and len(programs) == 12
    for name in programs:
        assert len(text(name, "rlx").splitlines()) <= 150, name


@pytest.mark.parametrize("name", sorted(NAMES))
def test_only_imports_differ_from_the_program_for_jax(name):
    ours, theirs = text(name, "rlx").splitlines(), text(name, "jax").splitlines()
    different = [mine for mine, other in zip(ours, theirs, strict=True) if mine != other]
    assert different and all(any(re.match(line, mine) for line, _ in IMPORTS) for mine in different)
    assert not any("rlx" in line for line in theirs)


@pytest.mark.parametrize("port", PORTS, ids=lambda port: port.name)
def test_steps_give_the_numbers_of_jax(port):
    pytest.importorskip("jax")
    mine, expected = port.run(load(port.name, "rlx"), 3), port.run(load(port.name, "jax"), 3)
    assert len(mine) == len(expected)
    for found, right in zip(mine, expected, strict=True):
        assert found.dtype == right.dtype and found.shape == right.shape
        np.testing.assert_allclose(found, right, rtol=1e-3, atol=1e-4 * max(1e-3, np.abs(right).max()))


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(NAMES))
def test_the_whole_program_learns(name):
    done = subprocess.run([sys.executable, str(FOLDER / f"{name}.py")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pattern, holds = SAYS[name]
    found = re.findall(pattern, done.stdout)
    assert found and holds(float(found[-1])), done.stdout
