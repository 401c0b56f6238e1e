"""The integer graph against NumPy's integers, step by step as the formula of the contract says."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.quant import QuantConfig, calibrate, compare, quantize


def draw(*dims: int, scale: float = 1.0, seed: int = 0) -> np.ndarray:
    return (np.random.default_rng(seed).standard_normal(dims) * scale).astype(np.float32)


def two_layers(activation: str | None = "relu") -> tuple[rlx.Graph, dict[str, np.ndarray]]:
    g = rlx.Graph("two")
    x = g.input("x", ("n", 24))
    h = x @ g.param("a", (24, 40)) + g.param("a_bias", (40,))
    h = g.relu(h) if activation == "relu" else h
    g.set_outputs({"y": h @ g.param("b", (40, 5)) + g.param("b_bias", (5,))})
    params = {
        "a": draw(24, 40, scale=0.3),
        "a_bias": draw(40, seed=1),
        "b": draw(40, 5, scale=0.3, seed=2),
        "b_bias": draw(5, seed=3),
    }
    return g, params


def grid(low: float, high: float, symmetric: bool) -> tuple[np.float32, int]:
    """The formulas of the decision record, written again."""
    low, high = min(low, 0.0), max(high, 0.0)
    if symmetric:
        return np.float32(max(-low, high) / 127), 0
    scale = np.float32((high - low) / 255)
    return scale, int(np.rint(-128 - low / float(scale)))


def to_integers(x: np.ndarray, scale: np.float32, zero: int) -> np.ndarray:
    return np.clip(np.rint(x / scale) + zero, -128, 127).astype(np.int64)


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("activation", ["relu", None])
@pytest.mark.parametrize("per_channel", [True, False])
def test_two_layers_by_hand(symmetric: bool, activation: str | None, per_channel: bool) -> None:
    g, params = two_layers(activation)
    data = draw(200, 24, seed=5)
    calibration = calibrate(g, [data], params=params)
    quantized = quantize(g, calibration, QuantConfig(symmetric=symmetric, per_channel=per_channel))
    assert [layer.kind for layer in quantized.layers] == ["i8", "f32"]

    x = draw(33, 24, seed=6)
    hidden = data @ params["a"] + params["a_bias"]
    hidden = np.maximum(hidden, 0) if activation == "relu" else hidden
    sx, zx = grid(float(data.min()), float(data.max()), symmetric)
    sh, zh = grid(*calibration.ranges[calibration.layers[1].x], symmetric)
    assert calibration.ranges[calibration.layers[1].x] == pytest.approx((float(hidden.min()), float(hidden.max())), rel=1e-5)
    axis = 0 if per_channel else None
    sa, sb = (np.float32(np.abs(params[name]).max(axis) / 127) for name in ("a", "b"))
    a, b = to_integers(params["a"], sa, 0), to_integers(params["b"], sb, 0)
    steps = np.float64(sx) * sa.astype(np.float64)
    total = (to_integers(x, sx, zx) - zx) @ a + np.rint(params["a_bias"] / steps).astype(np.int64)
    h = np.clip(np.rint(total * (steps / np.float64(sh))) + zh, -128, 127).astype(np.int64)
    h = np.maximum(h, zh) if activation == "relu" else h
    steps = np.float64(sh) * sb.astype(np.float64)
    wanted = ((h - zh) @ b + np.rint(params["b_bias"] / steps).astype(np.int64)) * steps
    for device in ("reference", "cpu"):
        found = quantized.compile(device).run({"x": x})["y"]
        np.testing.assert_array_equal(found, wanted.astype(np.float32))


def test_a_convolution_by_hand() -> None:
    """Padding stands for 0, which is x's zero point; torch's convolution of the integers is exact in f64."""
    torch = pytest.importorskip("torch")
    g = rlx.Graph("conv")
    x = g.input("x", ("n", 4, 7, 9))
    y = g.conv(x, g.param("w", (6, 2, 3, 2)), g.param("b", (6,)), padding=(1, 0), stride=(2, 1), groups=2)
    g.set_outputs({"y": y})
    params, data = {"w": draw(6, 2, 3, 2), "b": draw(6, seed=1)}, draw(3, 4, 7, 9, seed=2) + 0.7
    quantized = quantize(g, calibrate(g, [data], params=params))
    sx, zx = grid(float(data.min()), float(data.max()), False)
    sw = np.float32(np.abs(params["w"]).max((1, 2, 3)) / 127)
    wide = torch.nn.functional.conv2d(
        torch.from_numpy((to_integers(data, sx, zx) - zx).astype(np.float64)),
        torch.from_numpy(to_integers(params["w"], sw[:, None, None, None], 0).astype(np.float64)),
        None,
        (2, 1),
        (1, 0),
        1,
        2,
    ).numpy()
    steps = np.float64(sx) * sw.astype(np.float64)
    wanted = (wide + np.rint(params["b"] / steps)[:, None, None]) * steps[:, None, None]
    for device in ("reference", "cpu"):
        np.testing.assert_array_equal(quantized.compile(device).run({"x": data})["y"], wanted.astype(np.float32))


def test_the_pairs_simulate_the_integers() -> None:
    """The graph with pairs and the integer graph differ by the rounding of biases and of f32 sums at most: a step of the grid."""
    g, params = two_layers()
    data = draw(64, 24, seed=7)
    calibration = calibrate(g, [data], params=params)
    quantized = quantize(g, calibration)
    graph = calibration.graph
    grids = {layer.node: layer.grids for layer in quantized.layers if layer.grids is not None}
    paired, _ = rlx.quant.insert_qdq(graph, grids)
    exe = rlx.compile(paired)
    exe.set_params(params)
    simulated, found = exe.run({"x": data})["y"], quantized.compile().run({"x": data})["y"]
    wanted = np.maximum(data @ params["a"] + params["a_bias"], 0) @ params["b"] + params["b_bias"]
    assert np.abs(simulated - found).max() < 0.25 * np.abs(simulated - wanted).max()


# -- what is and is not converted -------------------------------------------------------------------------------
def test_weights_and_biases_are_small_params_and_constants_stay_constants() -> None:
    g = rlx.Graph("leaves")
    x = g.input("x", (4, 8))
    g.set_outputs({"y": (x @ g.param("w", (8, 3)) + g.param("b", (3,))) @ g.constant(draw(3, 2))})
    quantized = quantize(g, calibrate(g, [draw(4, 8)], params={"w": draw(8, 3), "b": draw(3)}))
    assert {name: str(node.shape.dtype) for name, node in quantized.graph.params.items()} == {"w.i8": "i8", "w.bias.i32": "i32"}
    assert set(quantized.params) == {"w.i8", "w.bias.i32"}
    np.testing.assert_array_equal(np.abs(quantized.params["w.i8"]).max(0), 127)
    assert any(node.op.name == "constant" and str(node.shape) == "i8[3, 2]" for node in quantized.graph.nodes)


def test_a_value_that_floats_read_too_comes_as_floats() -> None:
    g = rlx.Graph("both")
    h = g.relu(g.input("x", (4, 8)) @ g.param("w", (8, 8)))
    g.set_outputs({"y": h @ g.param("v", (8, 2)), "h": h})
    quantized = quantize(g, calibrate(g, [draw(4, 8)], params={"w": draw(8, 8), "v": draw(8, 2)}))
    assert [layer.kind for layer in quantized.layers] == ["f32", "f32"]


def test_a_bias_along_another_axis_is_added_behind() -> None:
    """[4, 1] is a number for each row: it is no bias of the output channels."""
    g = rlx.Graph("rows")
    g.set_outputs({"y": g.input("x", (4, 8)) @ g.param("w", (8, 4)) + g.param("r", (4, 1))})
    params = {"w": draw(8, 4), "r": draw(4, 1, seed=1) * 9}
    quantized = quantize(g, calibrate(g, [draw(4, 8, seed=2)], params=params))
    assert [node.op.name for node in quantized.graph.nodes][-1] == "add"
    assert compare(quantized).outputs["y"] > 30


def test_low_floats_keep_their_dtype() -> None:
    g = rlx.Graph("low")
    x = g.input("x", (4, 16), "bf16")
    g.set_outputs({"y": g.gelu(x @ g.param("w", (16, 8), "bf16")) @ g.param("v", (8, 3), "bf16")})
    params = {name: draw(*dims).astype(rlx.DType.of("bf16").numpy) for name, dims in (("w", (16, 8)), ("v", (8, 3)))}
    quantized = quantize(g, calibrate(g, [draw(4, 16, seed=1).astype(params["w"].dtype)], params=params))
    assert [layer.kind for layer in quantized.layers] == ["f32", "f32"]
    assert str(quantized.graph.shape(quantized.graph.output_refs["y"]).dtype) == "bf16"
    assert compare(quantized).outputs["y"] > 25


def test_sums_that_may_leave_32_bits_stay_in_floats() -> None:
    """With the weights as they are, not by a bound on K; nothing of the layer is rounded then."""
    k = 70_000
    g = rlx.Graph("long")
    g.set_outputs({"y": g.input("x", (1, k)) @ g.param("w", (k, 2))})
    data = np.abs(draw(1, k))
    kept = quantize(g, calibrate(g, [data], params={"w": np.ones((k, 2), np.float32)}))
    assert kept.layers[0].kind == "float" and "32 bits" in str(kept) and kept.graph.nodes[-1].op.name == "matmul"
    assert quantize(g, calibrate(g, [data], params={"w": draw(k, 2)})).layers[0].kind == "f32"
