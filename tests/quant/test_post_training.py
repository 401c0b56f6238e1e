"""Post-training quantization as a whole: nets trained in floats keep their accuracy, choices are honoured, errors say what is missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
from rlx.quant import Percentile, QuantConfig, calibrate, compare, quantize
from tests.small_llama import random_params, small_llama

torch = pytest.importorskip("torch")
OBSERVERS = {"percentile": lambda: Percentile(99.9)}


def draw(*dims: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(dims).astype(np.float32)


def fit(net: Any, x: np.ndarray, labels: np.ndarray, steps: int) -> None:
    """A few steps of Adam in torch."""
    optimizer = torch.optim.Adam(net.parameters(), 0.01)
    given, wanted = torch.from_numpy(x), torch.from_numpy(labels)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # so little work is slower on several
    for _ in range(steps):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(given), wanted).backward()
        optimizer.step()
    torch.set_num_threads(threads)


def spirals(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Three interleaved spirals, which a line does not part."""
    random = np.random.default_rng(seed)
    labels = random.integers(0, 3, count)
    radius = random.uniform(0.2, 1, count)
    angle = radius * 5 + labels * (2 * np.pi / 3) + random.standard_normal(count) * 0.05
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).astype(np.float32), labels


def accuracy(logits: np.ndarray, labels: np.ndarray) -> float:
    return float((logits.argmax(1) == labels).mean())


@pytest.mark.parametrize("observer", ["min_max", "moving_average", "mean_square", "percentile"])
def test_an_mlp_keeps_its_accuracy(observer: str) -> None:
    torch.manual_seed(0)
    net = torch.nn.Sequential(
        torch.nn.Linear(2, 48), torch.nn.ReLU(), torch.nn.Linear(48, 48), torch.nn.ReLU(), torch.nn.Linear(48, 3)
    )
    x, labels = spirals(1500, 0)
    fit(net, x, labels, 150)
    g = rlx.Graph("mlp")
    h, params = g.input("x", ("n", 2)), {}
    for index, layer in enumerate(net[::2]):
        params |= {f"w{index}": layer.weight.detach().numpy().T.copy(), f"b{index}": layer.bias.detach().numpy()}
        h = h @ g.param(f"w{index}", params[f"w{index}"].shape) + g.param(f"b{index}", params[f"b{index}"].shape)
        h = g.relu(h) if index < 2 else h
    g.set_outputs({"logits": h})
    quantized = quantize(g, calibrate(g, np.split(x, 10), params=params, observer=OBSERVERS.get(observer, observer)))
    assert [layer.kind for layer in quantized.layers] == ["i8", "i8", "f32"]
    test, wanted = spirals(2000, 1)
    floats = accuracy(net(torch.from_numpy(test)).detach().numpy(), wanted)
    found = accuracy(quantized.compile().run({"x": test})["logits"], wanted)
    assert floats > 0.95 and found > floats - 0.01


def bars(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Noisy images of a bar in one of four directions."""
    random = np.random.default_rng(seed)
    labels, images = random.integers(0, 4, count), random.standard_normal((count, 1, 12, 12)) * 0.6
    for image, label in zip(images, labels, strict=True):
        at = random.integers(2, 10)
        if label < 2:
            image[0, at if label else slice(None), slice(None) if label else at] += 1.5
        else:
            np.fill_diagonal(image[0] if label == 2 else image[0][:, ::-1], 1.5)
    return images.astype(np.float32), labels


def test_a_convolutional_net_keeps_its_accuracy() -> None:
    torch.manual_seed(0)
    net = torch.nn.Sequential(
        torch.nn.Conv2d(1, 8, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.Conv2d(8, 12, 3),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.Flatten(),
        torch.nn.Linear(48, 4),
    )
    x, labels = bars(600, 0)
    fit(net, x, labels, 40)
    params = {name: value.detach().numpy() for name, value in net.state_dict().items()}
    params["7.weight"] = params["7.weight"].T.copy()
    g = rlx.Graph("convolutions")
    p = {name: g.param(name, value.shape) for name, value in params.items()}
    h = g.pool(g.relu(g.conv(g.input("x", ("n", 1, 12, 12)), p["0.weight"], p["0.bias"], padding=1)), kind="max", kernel_size=2)
    h = g.pool(g.relu(g.conv(h, p["3.weight"], p["3.bias"])), kind="max", kernel_size=2)
    g.set_outputs({"logits": h.reshape(h.shape[0], 48) @ p["7.weight"] + p["7.bias"]})
    quantized = quantize(g, calibrate(g, np.split(x, 6), params=params))
    nodes = [node for node in quantized.graph.nodes if node.origin.made_by != "mark_nan"]
    ops = [node.op.name for node in nodes if not node.op.definition.leaf]
    assert ops == ["quantize", "q_conv2d", "pool", "q_conv2d", "pool", "reshape", "q_matmul"]
    test, wanted = bars(1000, 1)
    floats = accuracy(net(torch.from_numpy(test)).detach().numpy(), wanted)
    found = accuracy(quantized.compile().run({"x": test})["logits"], wanted)
    assert floats > 0.9 and found > floats - 0.01


def test_the_logits_of_a_llama() -> None:
    """Two layers at HIR, 13 products in integers; the reference and the CPU agree, and noise is far below the signal."""
    module = small_llama(2, hidden=64, ffn=96)
    params = random_params(module.into_graph())
    batches = [np.random.default_rng(seed).integers(0, 64, (4, 24)).astype(np.int32) for seed in range(4)]
    quantized = quantize(module, calibrate(module, batches, params=params))
    assert sum(layer.kind == "f32" for layer in quantized.layers) == 13
    fresh = np.random.default_rng(9).integers(0, 64, (2, 24)).astype(np.int32)
    assert compare(quantized, {"ids": fresh}).outputs["logits"] > 24
    found = [quantized.compile(device).run({"ids": fresh[:, :5]})["logits"] for device in ("cpu", "reference")]
    assert np.abs(found[0] - found[1]).max() < 0.05 * np.abs(found[1]).max()


# -- choices ----------------------------------------------------------------------------------------------------
def three() -> tuple[rlx.Graph, dict[str, np.ndarray]]:
    g = rlx.Graph("three")
    x = g.input("x", ("n", 8))
    for name in "abc":
        x = g.tanh(x @ g.param(f"layer.{name}", (8, 8)))
    g.set_outputs({"y": x})
    return g, {f"layer.{name}": draw(8, 8, seed=index) for index, name in enumerate("abc")}


@pytest.mark.parametrize(
    ("config", "floats"),
    [
        (QuantConfig(), ""),
        (QuantConfig(skip=("layer.b",)), "b"),
        (QuantConfig(skip=("*.a", "*.c")), "ac"),
        (QuantConfig(only=("layer.c",)), "ab"),
        (QuantConfig(keep_first=True), "a"),
        (QuantConfig(keep_first=True, keep_last=True), "ac"),
    ],
)
def test_layers_that_stay_in_floats(config: QuantConfig, floats: str) -> None:
    g, params = three()
    quantized = quantize(g, calibrate(g, [draw(16, 8)], params=params), config)
    assert "".join(layer.name[-1] for layer in quantized.layers if layer.kind == "float") == floats
    assert all(layer.reason for layer in quantized.layers if layer.kind == "float")
    assert set(quantized.params) == {f"layer.{n}" if n in floats else f"layer.{n}.i8" for n in "abc"}
    kinds = [entry.kind for entry in quantized.report if entry.stage == "quantize"]
    assert kinds.count("not quantized") == len(floats) and len(kinds) == 3


def test_comparison_names_the_worst_layer_first() -> None:
    """A row of giants that only ever meets zeros spoils the steps of its columns for nothing; skipping that layer helps the outputs."""
    g, params = three()
    params["layer.a"][0] *= 300
    x = draw(64, 8)
    x[:, 0] = 0
    calibration = calibrate(g, [x], params=params)
    found = compare(quantize(g, calibration))
    assert next(iter(found.layers)) == "layer.a" and list(found.layers.values()) == sorted(found.layers.values())
    better = compare(quantize(g, calibration, QuantConfig(skip=("layer.a",))))
    assert better.outputs["y"] > found.outputs["y"] + 3
    assert str(found).splitlines()[0] == "each layer alone" and "dB" in str(found)


def test_an_executable_is_calibrated_with_its_own_params() -> None:
    g, params = three()
    exe = rlx.compile(g)
    exe.set_params(params)
    quantized = quantize(exe, calibrate(exe, [draw(32, 8)]))
    x = draw(5, 8, seed=4)
    assert np.abs(quantized.compile().run({"x": x})["y"] - exe.run({"x": x})["y"]).max() < 0.1


def test_values_are_found_again() -> None:
    """The map leads from the module's values to those of the integer graph, where they still exist."""
    g, params = three()
    quantized = quantize(g, calibrate(g, [draw(16, 8)], params=params))
    assert quantized.value_map[g.inputs["x"].ref] == quantized.graph.inputs["x"].ref
    assert quantized.value_map[g.output_refs["y"]] == quantized.graph.output_refs["y"]


def test_states_are_read_and_kept() -> None:
    g = rlx.Graph("state")
    total = g.state("total", (4,))
    x = g.input("x", (2, 8))
    y = x @ g.param("w", (8, 4)) + total
    g.set_outputs({"y": y})
    g.update("total", total + 1.0)
    exe = rlx.compile(g)
    exe.set_param("w", draw(8, 4))
    quantized = quantize(exe, calibrate(exe, [draw(2, 8), draw(2, 8, seed=1)]))
    assert (exe.run({"x": draw(2, 8)}) is not None) and (exe.state("total") == 1).all()  # calibration did not count
    made = quantized.compile()
    made.run({"x": draw(2, 8)})
    assert (made.state("total") == 1).all()
    exe.session.set_state("total", np.full(4, 50, np.float32))
    assert compare(quantized).outputs["y"] > 50 and (exe.state("total") == 50).all()


# -- errors -----------------------------------------------------------------------------------------------------
def refused(code: str, text: str, run: Any) -> None:
    with pytest.raises(rlx.RlxError) as raised:
        run()
    assert raised.value.code == code and text in str(raised.value), raised.value


def test_errors_of_calibration() -> None:
    g, params = three()
    refused("RLX621", "no batches", lambda: calibrate(g, [], params=params))
    broken = draw(4, 8)
    broken[1, 2] = np.nan
    refused("RLX621", "the input of 'layer.a' has NaN in batch 2", lambda: calibrate(g, [draw(4, 8), broken], params=params))
    broken[1, 2] = np.inf
    refused("RLX621", "infinity", lambda: calibrate(g, [broken], params=params))
    refused("RLX105", "no observer", lambda: calibrate(g, [broken], params=params, observer="best"))
    two = rlx.Graph("inputs")
    two.set_outputs({"y": (two.input("a", (2, 3)) + two.input("b", (2, 3))) @ two.param("w", (3, 2))})
    refused("RLX621", "2 inputs", lambda: calibrate(two, [draw(2, 3)], params={"w": draw(3, 2)}))
    empty = rlx.Graph("nothing")
    empty.set_outputs({"y": empty.exp(empty.input("x", (2,)))})
    refused("RLX623", "no matmul and no conv", lambda: calibrate(empty, [draw(2)]))


def test_errors_of_quantization() -> None:
    g, params = three()
    calibration = calibrate(g, [draw(4, 8)], params=params)
    refused("RLX623", "no layer is named 'layer.z'", lambda: quantize(g, calibration, QuantConfig(skip=("layer.z",))))
    other, _ = three()
    other.set_outputs({"y": other.relu(other.outputs["y"])})
    refused("RLX622", "not the one that was calibrated", lambda: quantize(other, calibration))
    params["layer.b"][0, 0] = np.inf
    with np.errstate(all="ignore"):
        spoilt = calibrate(g, [draw(4, 8)], params={**params, "layer.b": np.nan_to_num(params["layer.b"], posinf=1e30)})
        spoilt.session.set_param("layer.b", params["layer.b"])
        refused("RLX623", "the weight of 'layer.b' is not finite", lambda: quantize(g, spoilt))


def test_a_value_never_observed() -> None:
    g = rlx.Graph("empty")
    x, z = g.input("x", ("n", 4)), g.input("z", (rlx.Dim("m", min=0), 4))
    g.set_outputs({"a": x @ g.param("w", (4, 2)), "b": z @ g.param("v", (4, 2))})
    batch = {"x": draw(3, 4), "z": draw(0, 4)}
    calibration = calibrate(g, [batch], params={"w": draw(4, 2), "v": draw(4, 2)})
    refused("RLX622", "the input of 'v' was not observed in 1 batches", lambda: quantize(g, calibration))
    assert [layer.kind for layer in quantize(g, calibration, QuantConfig(skip=("v",))).layers] == ["f32", "float"]


def test_an_input_of_zeros_and_a_weight_of_zeros() -> None:
    """Their grids are any; the bias still comes through, rounded like that of other channels."""
    g = rlx.Graph("zeros")
    g.set_outputs({"y": g.input("x", (4, 8)) @ g.param("w", (8, 3)) + g.param("b", (3,))})
    weight, bias = draw(8, 3), np.array([5.0, -3.0, 0.25], np.float32)
    weight[:, 1] = 0
    quantized = quantize(g, calibrate(g, [np.zeros((4, 8), np.float32), draw(4, 8) * 0.01], params={"w": weight, "b": bias}))
    found = quantized.compile().run({"x": np.zeros((4, 8), np.float32)})["y"]
    np.testing.assert_allclose(found, np.broadcast_to(bias, (4, 3)), atol=0.001)
    alone = quantize(g, calibrate(g, [np.zeros((4, 8), np.float32)], params={"w": weight * 0, "b": bias}))
    np.testing.assert_allclose(
        alone.compile().run({"x": np.zeros((4, 8), np.float32)})["y"], np.broadcast_to(bias, (4, 3)), atol=0.51
    )


def test_what_has_no_integer_form_says_so() -> None:
    g = rlx.Graph("others")
    x = g.input("x", (2, 3, 4))
    y = x @ g.param("w", (4, 4))
    scores = y @ g.transpose(y, (0, 2, 1))
    batched = x @ g.param("many", (2, 4, 4))
    double = g.cast(x, "f64") @ g.param("wide", (4, 4), "f64")
    line = g.conv(x, g.param("line", (5, 3, 2)))
    g.set_outputs([scores, batched, double, line])
    params = {"w": draw(4, 4), "many": draw(2, 4, 4), "wide": draw(4, 4).astype(np.float64), "line": draw(5, 3, 2)}
    quantized = quantize(g, calibrate(g, [draw(2, 3, 4)], params=params))
    reasons = {layer.op + layer.name[:4]: layer.reason for layer in quantized.layers if layer.kind == "float"}
    text = " ".join(reasons.values())
    for fact in ("changes from run to run", "rank 3", "f64", "over 1 axes"):
        assert fact in text
    refused("RLX623", "rank 3", lambda: quantize(g, calibrate(g, [draw(2, 3, 4)], params=params), QuantConfig(only=("many",))))
