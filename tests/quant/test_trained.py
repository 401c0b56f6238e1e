"""A graph trained with fake quantization, and the integer graph it becomes: the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.quant import quantize_trained


def draw(*dims: int, seed: int = 0, scale: float = 1.0) -> np.ndarray:
    return (np.random.default_rng(seed).standard_normal(dims) * scale).astype(np.float32)


@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("activation", ["lsq", "fixed", "ema"])
@pytest.mark.parametrize("weight", ["lsq", "per_batch"])
def test_the_integer_graph_has_the_numbers_of_the_trained_one(bits: int, activation: str, weight: str) -> None:
    """Two layers by the formulas of fake quantization on integers, to the last bit; near the trained graph, which rounds no bias."""
    g = rlx.Graph("trained")
    h = g.input("x", ("n", 12))
    arrays = {"a": draw(12, 16, scale=0.4), "a_bias": draw(16, seed=1), "b": draw(16, 3, seed=2), "b_bias": draw(3, seed=3)}
    scales = {
        "a": np.abs(arrays["a"]).max(0) / 90 * 127 / (2 ** (bits - 1) - 1),
        "b": np.abs(arrays["b"]).max(0) / (2 ** (bits - 1) - 1),
    }
    steps = {"a": np.float32(3.0 / (2 ** (bits - 1) - 1)), "b": np.float32(4.0 / (2 ** (bits - 1) - 1))}
    params = dict(arrays)
    for name in "ab":
        w = g.param(name, arrays[name].shape)
        if weight == "lsq":
            params[f"{name}_step"] = scales[name].astype(np.float32)
            w = g.fake_quantize_lsq(w, g.param(f"{name}_step", scales[name].shape), bits=bits, axis=1)
        else:
            scales[name] = np.abs(arrays[name]).max(0) / (2 ** (bits - 1) - 1)
            w, _ = g.fake_quantize(w, bits=bits, axis=1)
        if activation == "ema":
            h, _ = g.fake_quantize(h, bits=bits, scale_mode="ema(1.0)", name=f"{name}_in")
        elif activation == "lsq":
            params[f"{name}_in"] = steps[name]
            h = g.fake_quantize_lsq(h, g.param(f"{name}_in", ()), bits=bits)
        else:
            h, _ = g.fake_quantize(h, g.constant(steps[name]), bits=bits, scale_mode="fixed")
        h = h @ w + g.param(f"{name}_bias", arrays[f"{name}_bias"].shape)
        h = g.relu(h) if name == "a" else h
    g.set_outputs({"y": h})
    exe = rlx.compile(g)
    exe.set_params(params)
    given = draw(40, 12, seed=5)
    if activation == "ema":
        exe.run({"x": given})  # a decay of 1 keeps the scales of this run
        steps = {name: exe.state(f"{name}_in_scale") for name in "ab"}
    quantized = quantize_trained(exe)
    assert [layer.kind for layer in quantized.layers] == ["i8", "f32"], str(quantized)
    assert not quantized.graph.updates and not any("fake" in node.op.name for node in quantized.graph.nodes)

    top = 2 ** (bits - 1) - 1

    def layer(x: np.ndarray, name: str) -> np.ndarray:
        """Σ of the integers of x and w, and the bias in steps of the sums, as floats again."""
        sx, sw = np.float32(steps[name]), scales[name].astype(np.float32)
        integers = [np.clip(np.rint(value / scale), -top, top) for value, scale in ((x, sx), (arrays[name], sw))]
        worth = np.float64(sx) * sw.astype(np.float64)
        return (integers[0].astype(np.float64) @ integers[1] + np.rint(arrays[f"{name}_bias"] / worth)) * worth

    hidden = np.float64(steps["b"]) * np.rint(np.maximum(layer(given, "a"), 0) / np.float64(steps["b"]))
    found = quantized.compile().run({"x": given})["y"]
    np.testing.assert_array_equal(found, layer(hidden, "b").astype(np.float32))
    np.testing.assert_array_equal(found, quantized.compile("reference").run({"x": given})["y"])
    trained = exe.run({"x": given})["y"]
    assert rlx.quant.signal_to_noise(trained, found) > (
        40 if bits == 8 else 20
    )  # biases are rounded, to a sixteenth of a step and less


def test_an_activation_with_a_scale_of_its_own_in_each_run_stays() -> None:
    g = rlx.Graph("own")
    x, _ = g.fake_quantize(g.input("x", (4, 8)))
    w, _ = g.fake_quantize(g.param("w", (8, 3)), axis=1)
    g.set_outputs({"y": x @ w})
    exe = rlx.compile(g)
    exe.set_param("w", draw(8, 3))
    quantized = quantize_trained(exe)
    assert quantized.layers[0].kind == "float" and "not dequantized" in quantized.layers[0].reason
    assert len(quantized.report.of("kept")) == 1
    given = draw(4, 8, seed=1)
    np.testing.assert_allclose(quantized.compile().run({"x": given})["y"], exe.run({"x": given})["y"], rtol=1e-5, atol=1e-6)


def test_a_transposed_weight_takes_its_channels_along() -> None:
    """Weights stored [out, in], as in torch, with a step for each output."""
    g = rlx.Graph("transposed")
    w = g.fake_quantize_lsq(g.param("w", (3, 8)), g.param("step", (3,)), axis=0)
    x = g.fake_quantize_lsq(g.input("x", (4, 8)), g.param("x_step", ()))
    g.set_outputs({"y": x @ g.transpose(w, (1, 0))})
    weight = draw(3, 8)
    exe = rlx.compile(g)
    exe.set_params({"w": weight, "step": (np.abs(weight).max(1) / 127).astype(np.float32), "x_step": np.float32(0.02)})
    quantized = quantize_trained(exe)
    assert [layer.kind for layer in quantized.layers] == ["f32"], str(quantized)
    given = draw(4, 8, seed=1)
    np.testing.assert_allclose(quantized.compile().run({"x": given})["y"], exe.run({"x": given})["y"], rtol=1e-5, atol=1e-6)


def test_a_graph_without_fake_quantization() -> None:
    g = rlx.Graph("plain")
    g.set_outputs({"y": g.input("x", (2, 2)) @ g.param("w", (2, 2))})
    with pytest.raises(rlx.RlxError, match="no fake_quantize") as raised:
        quantize_trained(rlx.compile(g))
    assert raised.value.code == "RLX623"


def test_steps_that_are_not_above_zero_are_named() -> None:
    g = rlx.Graph("negative")
    x = g.fake_quantize_lsq(g.input("x", (4, 8)), g.param("s", ()))
    w, _ = g.fake_quantize(g.param("w", (8, 3)), axis=1)
    g.set_outputs({"y": x @ w})
    exe = rlx.compile(g)
    exe.set_params({"w": draw(8, 3), "s": np.float32(-0.1)})
    assert "not above 0" in quantize_trained(exe).layers[0].reason
