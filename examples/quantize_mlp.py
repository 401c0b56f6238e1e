"""Train a small net in floats, quantize it with a few batches of data, and see what rounding costs."""

from itertools import pairwise

import numpy as np

import rlx
from rlx.train import AdamW, compile_training

SIZES = (2, 48, 48, 3)


def spirals(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Points on three interleaved spirals, and which one each is on."""
    random = np.random.default_rng(seed)
    labels, radius = random.integers(0, 3, count), random.uniform(0.2, 1, count)
    angle = radius * 5 + labels * (2 * np.pi / 3) + random.standard_normal(count) * 0.05
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).astype(np.float32), labels.astype(np.int32)


def network(with_loss: bool) -> rlx.Graph:
    """Three layers with relu between them; the logits, or their cross entropy with the labels."""
    g = rlx.Graph("spirals")
    h = g.input("x", ("rows", 2))
    for index, (before, after) in enumerate(pairwise(SIZES)):
        h = h @ g.param(f"w{index}", (before, after)) + g.param(f"b{index}", (after,))
        h = g.relu(h) if index < len(SIZES) - 2 else h
    if with_loss:
        labels = g.input("labels", ("rows",), "i32")
        g.set_outputs({"loss": g.softmax_cross_entropy_with_logits(h, labels).mean()})
    else:
        g.set_outputs({"logits": h})
    return g


def main() -> None:
    """Train, calibrate, quantize, compare."""
    random = np.random.default_rng(0)
    training = compile_training(network(with_loss=True), "loss", AdamW(lr=0.01))
    for index, (before, after) in enumerate(pairwise(SIZES)):
        training.set_params({f"w{index}": (random.standard_normal((before, after)) * (2 / before) ** 0.5).astype(np.float32)})
        training.set_params({f"b{index}": np.zeros(after, np.float32)})
    x, labels = spirals(1024, 0)
    for _ in range(200):
        training.step({"x": x, "labels": labels})

    graph = network(with_loss=False)
    exe = rlx.compile(graph, session=training.session)  # the trained params
    calibration = rlx.quant.calibrate(exe, np.split(x, 8))
    quantized = rlx.quant.quantize(exe, calibration)
    print(quantized)
    print(rlx.quant.compare(quantized))

    test, wanted = spirals(2000, 1)
    for name, run in (("floats", exe), ("integers", quantized.compile())):
        print(f"{name}: {(run(test).argmax(1) == wanted).mean():.1%} of {len(test)} points right")


if __name__ == "__main__":
    main()
