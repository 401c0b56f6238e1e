"""The curve: its mean is the mean, and it can be drawn of any run, short ones and ones with gaps included."""

import numpy as np
import pytest

from rlx.train.loop import draw_losses, running_mean


@pytest.mark.parametrize("count", [1, 2, 99, 100, 350])
def test_the_running_mean_is_that_of_the_neighbours(count):
    values = np.random.default_rng(0).standard_normal(count)
    half = count // 100
    wanted = [values[max(at - half, 0) : at + half + 1].mean() for at in range(count)]
    np.testing.assert_allclose(running_mean(values), wanted, atol=1e-12)


@pytest.mark.parametrize("steps", [0, 1, 300])
@pytest.mark.parametrize("held", [0, 1, 3])
def test_any_run_can_be_drawn(tmp_path, steps, held):
    lines = [{"step": step + 1, "loss": 5 / (step + 1), "rate": 1e-3 * step, "gradient": None} for step in range(steps)]
    lines += [
        {"step": 10 * step, "validation_loss": 3.0 if step else None, "nats_per_byte": 1.5 if step else None}
        for step in range(held)
    ]
    draw_losses(lines, tmp_path / "loss.png", "a run")
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
