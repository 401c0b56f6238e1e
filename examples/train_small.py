"""Train a small network: forward, backward and AdamW are one native call per step."""

import numpy as np

import rlx
from rlx.train import AdamW, compile_training, cosine

ROWS, STEPS = 64, 200


def network() -> rlx.Graph:
    """Two inputs, one hidden layer, and the mean squared error."""
    g = rlx.Graph("spiral")
    x, y = g.input("x", (ROWS, 2)), g.input("y", (ROWS, 1))
    hidden = g.gelu(x @ g.param("w1", (2, 32)) + g.param("b1", (32,)))
    error = hidden @ g.param("w2", (32, 1)) - y
    g.set_outputs({"loss": (error * error).mean()})
    return g


def main() -> None:
    """Print the loss now and then."""
    random = np.random.default_rng(0)
    training = compile_training(network(), "loss", AdamW(lr=cosine(0.03, STEPS, warmup=10)), clip_norm=1.0)
    shapes = {"w1": (2, 32), "b1": (32,), "w2": (32, 1)}
    training.set_params({name: (random.standard_normal(dims) * 0.5).astype(np.float32) for name, dims in shapes.items()})
    for step in range(STEPS):
        x = random.uniform(-2, 2, (ROWS, 2)).astype(np.float32)
        found = training.step({"x": x, "y": np.sin(2 * x[:, :1]) * x[:, 1:]})
        if step % 50 == 0 or step == STEPS - 1:
            print(f"step {step:4}  loss {found['loss']:.4f}  rate {found['lr']:.4f}  gradient {found['grad_norm']:.3f}")


if __name__ == "__main__":
    main()
