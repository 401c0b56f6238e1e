"""Accuracy that the records' cases do not ask for."""

from __future__ import annotations

import numpy as np

import rlx
from tests.backends.cuda.device import NEEDS_TRITON, Running

pytestmark = NEEDS_TRITON


def test_gelu_approx_of_f64_keeps_what_rounding_lost() -> None:
    """e^u magnifies every error of u: the constants have low parts, and nothing is contracted on the way."""
    x = np.random.default_rng(0).uniform(-9, -2, 500)
    g = rlx.Graph("gelu")
    g.set_outputs({"y": g.gelu_approx(g.input("x", (500,), "f64"))})
    run = Running(g)
    assert all(kernel.as_written for kernel in run.code.programs[0].kernels)
    wide = x.astype(np.longdouble)
    rate = 2 * np.sqrt(2 / (4 * np.arctan(np.longdouble(1))))
    wanted = wide / (1 + np.exp(-rate * (wide + np.longdouble(0.044715) * wide**3)))
    assert np.max(np.abs(run(x=x)["y"] - wanted) / np.spacing(np.abs(wanted).astype(np.float64))) < 3
