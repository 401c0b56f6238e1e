"""NaN and infinities in the inputs of integer graphs: NaN comes out as NaN, in the rows that the float graph gives NaN."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import rlx
from rlx.quant import QuantConfig, calibrate, convert, mark_nan, quantize, quantize_trained
from rlx.quant.grid import insert_qdq
from rlx.quant.propagate import propagate_qdq

DEVICES = ("cpu", "reference", *(["xla"] if rlx.devices()["xla"] == "available" else []))


def draw(*dims: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(dims).astype(np.float32)


def mlp() -> tuple[rlx.Graph, dict[str, np.ndarray], np.ndarray]:
    g = rlx.Graph("mlp")
    params = {"a": draw(8, 16), "c": draw(16), "b": draw(16, 4, seed=1)}
    p = {name: g.param(name, value.shape) for name, value in params.items()}
    g.set_outputs({"y": g.relu(g.input("x", ("n", 8)) @ p["a"] + p["c"]) @ p["b"]})
    return g, params, draw(6, 8, seed=2)


def images() -> tuple[rlx.Graph, dict[str, np.ndarray], np.ndarray]:
    g = rlx.Graph("images")
    params = {"a": draw(3, 1, 3, 3), "b": draw(12, 5, seed=1)}
    p = {name: g.param(name, value.shape) for name, value in params.items()}
    h = g.pool(g.relu(g.conv(g.input("x", ("n", 1, 6, 6)), p["a"])), kind="max", kernel_size=2)
    g.set_outputs({"y": h.reshape(h.shape[0], 12) @ p["b"]})
    return g, params, draw(6, 1, 6, 6, seed=2)


def turned() -> tuple[rlx.Graph, dict[str, np.ndarray], np.ndarray]:
    """A transpose between two layers: marks move along."""
    g = rlx.Graph("turned")
    params = {"a": draw(5, 8), "b": draw(8, 3, seed=1)}
    p = {name: g.param(name, value.shape) for name, value in params.items()}
    h = g.input("x", ("n", 4, 5)) @ p["a"]
    g.set_outputs({"y": g.tanh(h.transpose(1, 0, 2)) @ p["b"]})
    return g, params, draw(6, 4, 5, seed=2)


def merged() -> tuple[rlx.Graph, dict[str, np.ndarray], np.ndarray]:
    """Rows that meet: a flip of the first axis between two layers."""
    g = rlx.Graph("merged")
    params = {"a": draw(5, 8), "b": draw(8, 3, seed=1)}
    p = {name: g.param(name, value.shape) for name, value in params.items()}
    g.set_outputs({"y": g.flip(g.input("x", (6, 5)) @ p["a"], axes=(0,)) @ p["b"]})
    return g, params, draw(6, 5, seed=2)


@pytest.mark.parametrize("net", [mlp, images, turned])
@pytest.mark.parametrize("device", DEVICES)
def test_nan_comes_out_where_the_float_graph_has_it(net: Callable, device: str) -> None:
    g, params, x = net()
    quantized = quantize(g, calibrate(g, [x], params=params, device="reference"))
    assert all(layer.is_integer for layer in quantized.layers)
    exe, floats = quantized.compile(device), rlx.compile(g, "reference")
    floats.set_params(params)
    clean = np.asarray(exe.run({"x": x})["y"])
    bad = x.copy()
    bad[2].reshape(-1)[-1] = np.nan
    bad[4].reshape(-1)[0] = np.nan
    found, wanted = np.asarray(exe.run({"x": bad})["y"]), floats.run({"x": bad})["y"]
    np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
    sound = ~np.isnan(wanted)
    np.testing.assert_array_equal(found[sound], clean[sound])  # the others keep their bits


@pytest.mark.parametrize("device", DEVICES)
def test_a_merged_mark_covers_every_row(device: str) -> None:
    g, params, x = merged()
    exe = quantize(g, calibrate(g, [x], params=params, device="reference")).compile(device)
    assert np.isfinite(exe.run({"x": x})["y"]).all()
    x[0, 0] = np.nan
    assert np.isnan(exe.run({"x": x})["y"]).any()


@pytest.mark.parametrize("net", [mlp, images])
def test_marks_change_no_bits(net: Callable) -> None:
    """The same graph with and without marks."""
    g, params, x = net()
    calibration = calibrate(g, [x], params=params, device="reference")
    quantized = quantize(g, calibration)
    grids = {layer.node: layer.grids for layer in quantized.layers}
    plain = convert(propagate_qdq(insert_qdq(calibration.graph, grids)[0])[0], calibration.session)
    results = []
    for graph in (plain.graph, mark_nan(plain.graph)[0]):
        exe = rlx.compile(graph, "cpu")
        exe.set_params(quantized.params)
        results.append(exe.run({"x": x * 3})["y"])
    np.testing.assert_array_equal(results[0].view(np.int32), results[1].view(np.int32))


@pytest.mark.parametrize("device", DEVICES)
def test_infinities_saturate(device: str) -> None:
    """As docs/quantization.md says: to the ends of the grid, like any number outside."""
    g, params, x = mlp()
    exe = quantize(g, calibrate(g, [x], params=params, device="reference")).compile(device)
    bad, far = x.copy(), x.copy()
    bad[1, 3], bad[2, 0], far[1, 3], far[2, 0] = np.inf, -np.inf, 1e6, -1e6
    np.testing.assert_array_equal(exe.run({"x": bad})["y"], exe.run({"x": far})["y"])


@pytest.mark.parametrize("device", DEVICES)
def test_trap_nan_stops_an_integer_graph(device: str) -> None:
    g, params, x = mlp()
    quantized = quantize(g, calibrate(g, [x], params=params, device="reference"))
    exe = quantized.compile(device, trap_nan=True)
    exe.run({"x": x})
    x[0, 0] = np.nan
    with pytest.raises(rlx.RlxError, match="RLX510"):
        exe.run({"x": x})


@pytest.mark.parametrize("device", DEVICES)
def test_nan_through_a_trained_graph(device: str) -> None:
    g = rlx.Graph("trained")
    x, w = g.input("x", ("n", 4)), g.param("w", (4, 2))
    scales = g.constant(np.float32(0.02)), g.constant(np.float32(0.02))
    g.set_outputs({"y": g.fake_quantize_lsq(x, scales[0], bits=8) @ g.fake_quantize_lsq(w, scales[1], bits=8)})
    exe = rlx.compile(g, "reference")
    exe.set_param("w", np.ones((4, 2), np.float32))
    found = quantize_trained(exe).compile(device).run({"x": np.float32([[1, 1, 1, np.nan], [1, 1, 1, 1]])})["y"]
    np.testing.assert_array_equal(np.isnan(found), [[True, True], [False, False]])


def test_nan_in_a_trained_weight_is_an_error() -> None:
    g = rlx.Graph("trained")
    x, w = g.input("x", ("n", 4)), g.param("w", (4, 2))
    scale = g.constant(np.float32(0.02))
    g.set_outputs({"y": g.fake_quantize_lsq(x, scale, bits=8) @ g.fake_quantize_lsq(w, scale, bits=8)})
    exe = rlx.compile(g, "reference")
    exe.set_param("w", np.full((4, 2), np.nan, np.float32))
    with pytest.raises(rlx.RlxError, match="RLX623"):
        quantize_trained(exe)


def test_sizes_of_zero_and_one_vector() -> None:
    g = rlx.Graph("vector")
    g.set_outputs({"y": g.input("x", (8,)) @ g.param("w", (8, 3))})
    params, x = {"w": draw(8, 3)}, draw(8, seed=1)
    quantized = quantize(g, calibrate(g, [x], params=params, device="reference"), QuantConfig(symmetric=True))
    x[5] = np.nan
    assert np.isnan(quantized.compile("cpu").run({"x": x})["y"]).all()
    empty = rlx.Graph("empty")
    scale = empty.constant(np.float32(0.1))
    empty.set_outputs({"y": empty.dequantize(empty.quantize(empty.input("x", (2, 0)), scale), scale)})
    assert rlx.compile(mark_nan(empty)[0], "cpu")(np.zeros((2, 0), np.float32)).shape == (2, 0)
