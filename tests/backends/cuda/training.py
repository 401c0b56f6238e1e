"""200 steps of training whose losses are known: recorded from the reference, compared on a GPU.

`python -m tests.backends.cuda.training` records them again into `training_curve.json`.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import rlx

CURVE = Path(__file__).with_name("training_curve.json")
STEPS = 200


def classifier() -> rlx.Graph:
    """Norm, two layers with gelu, cross entropy; any number of rows."""
    g = rlx.Graph("classifier")
    x, y = g.input("x", ("n", 12)), g.input("y", ("n",), "i32")
    h = g.layer_norm(x, g.param("scale", (12,), "f32"), g.param("shift", (12,), "f32"))
    h = g.gelu(g.matmul(h, g.param("w1", (12, 24), "f32")) + g.param("b1", (24,), "f32"))
    logits = g.matmul(h, g.param("w2", (24, 5), "f32"))
    g.set_outputs({"loss": g.reduce_mean(g.softmax_cross_entropy_with_logits(logits, y), axes=0)})
    return g


def losses(device: str, steps: int) -> list[float]:
    """Of the first steps of AdamW, on rows whose label is where the largest of five sums lies."""
    random = np.random.default_rng(0)
    shapes = {name: node.shape.dims for name, node in classifier().params.items()}
    start = {name: (random.normal(size=dims) * 0.3).astype(np.float32) for name, dims in shapes.items()}
    training = rlx.train.compile_training(classifier(), "loss", rlx.train.AdamW(lr=0.01), device=device)
    training.set_params(start)
    teacher = random.normal(size=(12, 5))
    found = []
    for seed in range(steps):
        x = np.random.default_rng(seed).normal(size=(32, 12))
        inputs = {"x": x.astype(np.float32), "y": (x @ teacher).argmax(1).astype(np.int32)}
        found.append(float(np.asarray(training.step(inputs)["loss"])))
    return found


def recorded() -> list[float]:
    """The losses of the reference."""
    return list(json.loads(CURVE.read_text()))


if __name__ == "__main__":
    CURVE.write_text(json.dumps([round(loss, 7) for loss in losses("reference", STEPS)]) + "\n")
