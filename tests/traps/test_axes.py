"""Traps of axes: everything along a line works on any axis, on two that are not neighbours, and on views."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.special as sp

from tests.traps.running import draw, near, outputs, wide

DIMS = (3, 5, 4)
AXES = [0, 1, 2, -1, -2, -3]


@pytest.mark.parametrize("axis", AXES)
def test_softmax_on_any_axis(device, axis):
    x = draw(*DIMS, low=-20, high=20)
    found = outputs(device, lambda g, x: {"y": g.softmax(x, axis=axis), "log": g.log_softmax(x, axis=axis)}, {"x": x})
    near(found["y"], sp.softmax(wide(x), axis=axis), 5)
    near(found["log"], sp.log_softmax(wide(x), axis=axis), 5)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize(("exclusive", "reverse"), list(itertools.product([False, True], repeat=2)))
def test_cumsum_on_any_axis(device, axis, exclusive, reverse):
    x = draw(*DIMS)
    found = outputs(device, lambda g, x: {"y": g.cumsum(x, axis, exclusive=exclusive, reverse=reverse)}, {"x": x})
    lines = np.moveaxis(wide(x), axis, 0)
    expected = np.zeros_like(lines)
    for i in range(len(lines)):
        first, last = (i + exclusive, len(lines)) if reverse else (0, i + 1 - exclusive)
        expected[i] = lines[first:last].sum(0)
    near(found["y"], np.moveaxis(expected, 0, axis), 5)


@pytest.mark.parametrize("axes", [*((a,) for a in AXES), (0, 2), (0, 1), (1, 2), (2, 0), (0, 1, 2)])
def test_norms_on_any_axes(device, axes):
    sizes = tuple(DIMS[a] for a in sorted(a % 3 for a in axes))
    arrays = {"x": draw(*DIMS), "gamma": draw(*sizes, seed=1), "beta": draw(*sizes, seed=2)}

    def make(g, x, gamma, beta):
        found = {"layer": g.layer_norm(x, gamma, beta, axes=axes)}
        if len(axes) == 1:
            found["rms"] = g.rms_norm(x, gamma, beta, axis=axes[0])
        return found

    found = outputs(device, make, arrays)
    x, gamma, beta = wide(*arrays.values())
    spread = tuple(DIMS[i] if i in {a % 3 for a in axes} else 1 for i in range(3))
    centered = x - x.mean(axes, keepdims=True)
    expected = centered / np.sqrt((centered**2).mean(axes, keepdims=True) + 1e-5) * gamma.reshape(spread) + beta.reshape(spread)
    near(found["layer"], expected, 60)
    if len(axes) == 1:
        root = np.sqrt((x**2).mean(axes, keepdims=True) + 1e-6)
        near(found["rms"], x / root * gamma.reshape(spread) + beta.reshape(spread), 60)


@pytest.mark.parametrize("axes", [0, 1, 2, (0, 2), (2, 0), (-1, 0), (0, 1), (1, 2), (0, 1, 2), None])
@pytest.mark.parametrize("keep", [False, True])
def test_reductions_on_any_axes(device, axes, keep):
    x = draw(*DIMS, low=0.5, high=1.5)
    kinds = ("sum", "mean", "max", "min", "prod", "log_sum_exp")
    found = outputs(device, lambda g, x: {kind: g.reduce(kind, x, axes, keep) for kind in kinds}, {"x": x})
    x = wide(x)
    numpy_axes = axes if axes is None or isinstance(axes, int) else tuple(axes)
    for kind in kinds:
        function = sp.logsumexp if kind == "log_sum_exp" else getattr(np, kind)
        near(found[kind], function(x, axis=numpy_axes, keepdims=keep), 60)


def test_two_non_adjacent_axes_of_rank_five(device):
    x = draw(2, 3, 4, 5, 2)

    def make(g, x):
        return {"sum": x.sum(axes=(1, 3)), "max": x.max(axes=(0, 2, 4)), "norm": x - x.mean(axes=(0, 3), keep_dim=True)}

    found = outputs(device, make, {"x": x})
    x = wide(x)
    near(found["sum"], x.sum((1, 3)), 15)
    near(found["max"], x.max((0, 2, 4)))
    near(found["norm"], x - x.mean((0, 3), keepdims=True), 10)


@pytest.mark.parametrize("perm", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_softmax_and_sum_of_a_transposed_view(device, perm, axis):
    x = draw(*DIMS)

    def make(g, x):
        t = x.transpose(perm)
        return {"softmax": g.softmax(t, axis=axis), "sum": t.sum(axes=axis), "scan": g.cumsum(t, axis)}

    found = outputs(device, make, {"x": x})
    t = wide(x).transpose(perm)
    near(found["softmax"], sp.softmax(t, axis=axis), 5)
    near(found["sum"], t.sum(axis), 5)
    near(found["scan"], np.cumsum(t, axis), 5)


def test_gather_on_axis_1_with_several_outer_rows(device):
    x = draw(3, 7, 5)
    indices = np.array([[6, 0, -1], [2, 2, -7]], np.int32)
    found = outputs(device, lambda g, x, i: {"y": g.gather(x, i, axis=1)}, {"x": x, "i": indices})
    expected = np.empty((3, 2, 3, 5), np.float32)
    for row in range(3):
        for a in range(2):
            for b in range(3):
                expected[row, a, b] = x[row, indices[a, b] % 7]
    np.testing.assert_array_equal(found["y"], expected)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("mode", ["clip", "fill"])
def test_gather_past_the_ends_of_any_axis(device, axis, mode):
    x = draw(3, 4, 5)
    size = x.shape[axis]
    indices = np.array([-size - 1, -size, -1, 0, size - 1, size, 2**30, -(2**31)], np.int32)
    found = outputs(device, lambda g, x, i: {"y": g.gather(x, i, axis=axis, mode=mode)}, {"x": x, "i": indices})
    lines = []
    for index in indices.tolist():
        place = index + size if index < 0 else index
        inside = 0 <= place < size
        line = np.take(x, min(max(place, 0), size - 1), axis)
        lines.append(line if inside or mode == "clip" else np.full_like(line, np.nan))
    np.testing.assert_array_equal(found["y"], np.stack(lines, axis))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_take_along_and_argmax_and_sort_on_any_axis(device, axis):
    x = draw(3, 5, 4)

    def make(g, x):
        values, indices = g.top_k(x, k=2, axis=axis)
        order = g.argsort(x, axis=axis, descending=True)
        return {
            "values": values,
            "indices": indices,
            "order": order,
            "sorted": g.sort(x, axis=axis),
            "most": g.argmax(x, axis),
            "least": g.argmin(x, axis),
            "taken": g.take_along_axis(x, order, axis=axis),
        }

    found = outputs(device, make, {"x": x})
    order = np.argsort(-x, axis=axis, kind="stable")
    expected = {
        "values": np.take(-np.sort(-x, axis=axis), [0, 1], axis),
        "indices": np.take(order, [0, 1], axis),
        "order": order,
        "sorted": np.sort(x, axis=axis),
        "most": x.argmax(axis),
        "least": x.argmin(axis),
        "taken": -np.sort(-x, axis=axis),
    }
    for name, array in expected.items():
        np.testing.assert_array_equal(found[name], array, err_msg=name)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_concat_split_pad_roll_flip_on_any_axis(device, axis):
    x, y = draw(3, 4, 5), draw(3, 4, 5, seed=1)
    size = x.shape[axis]

    def make(g, x, y):
        first, rest = g.split(x, (1, size - 1), axis=axis)
        low, high = tuple(2 * (a == axis) for a in range(3)), tuple(int(a == axis) for a in range(3))
        return {
            "concat": g.concat(x, y, first, axis=axis),
            "rest": rest + 0.0,
            "swapped": g.concat(rest, first, axis=axis),
            "pad": g.pad(x, low, high, value=7.0),
            "edge": g.pad(x, low, high, mode="reflect"),
            "roll": g.roll(x, 2, axis),
            "flip": g.flip(x, axis) + y,
            "narrow": g.narrow(x, axis, 1, 2) * 1.5,
        }

    found = outputs(device, make, {"x": x, "y": y})
    first, rest = np.split(x, [1], axis)
    widths = [(2, 1) if a == axis else (0, 0) for a in range(3)]
    expected = {
        "concat": np.concatenate([x, y, first], axis),
        "rest": rest,
        "swapped": np.roll(x, -1, axis),
        "pad": np.pad(x, widths, constant_values=7),
        "edge": np.pad(x, widths, mode="reflect"),
        "roll": np.roll(x, 2, axis),
        "flip": np.flip(x, axis) + y,
        "narrow": np.take(x, [1, 2], axis) * np.float32(1.5),
    }
    for name, array in expected.items():
        np.testing.assert_array_equal(found[name], array, err_msg=name)


@pytest.mark.parametrize("size", [0, 1])
def test_axes_of_size_0_and_1(device, size):
    x = draw(3, size, 4)

    def make(g, x):
        return {
            "sum": x.sum(axes=1),
            "prod": x.prod(axes=1),
            "all": (x > 0).all(axes=1),
            "any": (x > 0).any(axes=1),
            "softmax": g.softmax(x, axis=1),
            "cumsum": g.cumsum(x, 1),
            "lse": g.log_sum_exp(x, axes=1),
            "twice": x + x,
            "sort": g.sort(x, axis=1),
            "outer": x.sum(axes=(0, 2)),
        }

    found = outputs(device, make, {"x": x})
    with np.errstate(divide="ignore"):
        expected = {
            "sum": x.sum(1),
            "prod": x.prod(1),
            "all": (x > 0).all(1),
            "any": (x > 0).any(1),
            "softmax": np.ones_like(x),
            "cumsum": x,
            "lse": np.log(np.exp(wide(x)).sum(1)),
            "twice": 2 * x,
            "sort": x,
            "outer": wide(x).sum((0, 2)),
        }
    for name, array in expected.items():
        np.testing.assert_allclose(found[name], array, rtol=4e-6, err_msg=name)
