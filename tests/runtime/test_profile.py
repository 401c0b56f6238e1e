"""exe.profile: every command timed, with its share of what the machine can do."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.runtime.profile import Line, Profile


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_every_command_is_there(device):
    g = rlx.Graph("work")
    x = g.input("x", ("n", 256), "f32")
    g.set_outputs({"y": g.softmax(x @ g.param("w", (256, 256), "f32"), axis=-1)})
    exe = rlx.compile(g, device)
    exe.set_param("w", np.ones((256, 256), np.float32))
    profile = exe.profile({"x": np.ones((64, 256), np.float32)}, runs=3)
    assert len(profile.lines) >= 2 and profile.seconds > 0
    assert (profile.limits is not None) == (device == "cpu")
    assert ("% of the limit" in str(profile)) == (device == "cpu")
    assert any("test_profile.py" in line.origin for line in profile.lines)


def test_the_share_of_the_limit_is_the_least_time_over_the_time():
    lines = (Line("matmul", "", 2e-6, 100_000, 1000), Line("copy", "", 1e-6, 0, 20_000), Line("copy", "", 1e-6, 0, 20_000))
    profile = Profile(lines, (100.0, 40.0))
    assert profile.share_of_limit("matmul") == pytest.approx(0.5)
    assert profile.share_of_limit("copy") == pytest.approx(0.5)
    assert Profile(lines).share_of_limit("copy") is None
    assert profile.by_kernel()["copy"] == (2, pytest.approx(2e-6))
