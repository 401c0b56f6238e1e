"""Traps of symbolic sizes: what follows from the definition of // and min is proved, and need not be assumed."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.core.dim import Dim, ceildiv, proves_at_most


@pytest.mark.parametrize("step", [2, 3, 16])
def test_a_quotient_times_its_divisor_is_no_more_than_the_whole(step):
    n = Dim("n", 1, 4096)
    assert proves_at_most(step * (n // step), n) is True
    assert proves_at_most(n, step * ceildiv(n, step)) is True
    assert proves_at_most(step * ((n + 5) // step) - 2, n + 5) is True
    assert proves_at_most(n, step * (n // step)) is None  # equal for some sizes only


def test_a_weight_of_symbolic_width_is_packed(device):
    """pack pads to whole panels: 16·ceil(n/16) - n is never negative, whatever n is."""
    g = rlx.Graph("pack")
    n = Dim("n", 1, 100)
    w = g.input("w", (5, n))
    g.set_outputs({"panels": g.pack(w, layout="panel16")})
    exe = rlx.compile(g, device)
    for size in (1, 16, 17, 100):
        array = np.arange(5 * size, dtype=np.float32).reshape(5, size)
        found = exe(w=array)
        assert found.shape == (-(-size // 16), 5, 16)
        np.testing.assert_array_equal(found.transpose(1, 0, 2).reshape(5, -1)[:, :size], array)
        assert not found.transpose(1, 0, 2).reshape(5, -1)[:, size:].any()


def test_steps_through_a_symbolic_axis(device):
    g = rlx.Graph("steps")
    n = Dim("n", 1, 40)
    x = g.input("x", (n, 3))
    found = {
        "even": x[::2] * 1.0,
        "third": x[1::3].sum(axes=1),
        "back": x[::-1] + 0.0,
        "rest": x[1:] * 2.0,
        "half": x[: n // 2].sum(axes=0),
    }
    g.set_outputs(found)
    exe = rlx.compile(g, device)
    for size in (1, 2, 3, 8, 39):
        a = np.random.default_rng(size).integers(-9, 9, (size, 3)).astype(np.float32)
        results = exe.run({"x": a})
        expected = {"even": a[::2], "third": a[1::3].sum(1), "back": a[::-1], "rest": 2 * a[1:], "half": a[: size // 2].sum(0)}
        for name, array in expected.items():
            np.testing.assert_array_equal(results[name], array, err_msg=f"{name} at {size}")


@pytest.mark.parametrize("size", [1, 2, 7])
def test_the_spectrum_of_a_symbolic_number_of_points(device, size):
    """More points than there are numbers, or fewer: known only when both sizes are bound."""
    g = rlx.Graph("spectrum")
    n, m = Dim("n", 1, 9), Dim("m", 2, 9)
    x, points = g.input("x", (n,)), g.input("points", (m,))
    g.set_outputs({"there": g.rfft(x, n=m), "back": g.irfft(g.rfft(x, n=m), n=m), "sum": points.sum()})
    exe = rlx.compile(g, device)
    a = np.random.default_rng(size).uniform(-1, 1, size).astype(np.float32)
    for count in (2, 5, 9):
        found = exe.run({"x": a, "points": np.zeros(count, np.float32)})
        np.testing.assert_allclose(found["there"], np.fft.rfft(a, count), atol=1e-5)
        np.testing.assert_allclose(found["back"], np.fft.irfft(np.fft.rfft(a, count), count), atol=1e-6)


def test_sampling_needs_a_vocabulary():
    """A vocabulary that may be empty is refused while building: there would be nothing to choose."""
    g = rlx.Graph("sample")
    key, counter = g.constant(np.array([1, 2], np.uint32)), g.constant(np.uint64(0))
    with pytest.raises(rlx.RlxError) as raised:
        g.sample(g.input("x", (3, Dim("v", 0))), key, counter)
    assert raised.value.code == "RLX202" and "assume" in str(raised.value)


def test_the_scale_of_nothing_is_zero(device):
    g = rlx.Graph("fake")
    x = g.input("x", (Dim("n", 0, 9), 3))
    y, scale = g.fake_quantize(x)
    g.set_outputs({"y": y, "scale": scale})
    exe = rlx.compile(g, device)
    assert exe.run({"x": np.full((2, 3), 127, np.float32)})["scale"] == 1
    assert exe.run({"x": np.zeros((0, 3), np.float32)})["scale"] == 0


def test_windows_have_static_sizes():
    g = rlx.Graph("windows")
    n = Dim("n", 3, 9)
    x, w = g.input("x", (1, 2, 9, 9), "i8"), g.input("w", (4, 2, n, 3), "i8")
    with pytest.raises(rlx.RlxError, match="static"):
        g.q_conv2d(x, w)
    with pytest.raises(rlx.RlxError, match="static"):
        g.conv2d_backward_input(g.input("dy", (1, 4, 7, 7)), g.input("v", (4, 2, n, 3)), input_size=(9, 9))


@pytest.mark.parametrize("mode", ["clip", "fill"])
def test_an_axis_that_turns_out_empty_reads_as_nan(mode):
    """The CPU read what lies before an axis that had nothing to clamp to."""
    g = rlx.Graph("empty")
    x, i = g.input("x", (rlx.Dim("rows", min=0), 4)), g.input("i", (3,), "i32")
    g.set_outputs({"rows": g.gather(x, i, axis=0, mode=mode), "along": g.take_along_axis(x, i.reshape(3, 1), axis=0, mode=mode)})
    for device in ("reference", "cpu"):
        exe = rlx.compile(g, device)
        for array in exe.run({"x": np.zeros((0, 4), np.float32), "i": np.zeros(3, np.int32)}).values():
            assert array.shape == (3, 4) and np.isnan(array).all()
        full = np.arange(8, dtype=np.float32).reshape(2, 4)
        np.testing.assert_array_equal(exe.run({"x": full, "i": np.array([1, -2, 0], np.int32)})["rows"], full[[1, 0, 0]])
