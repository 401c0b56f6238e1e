"""Params of 16 bits: steps are computed in f32 with moments in f32, and the new param is rounded once."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch

import rlx
from rlx.train import SGD, AdamW, Lion, compile_training

X = np.random.default_rng(1).standard_normal((16, 5)).astype(np.float32)
Y = X @ np.float32([[1.0], [-2.0], [0.5], [3.0], [0.0]])
NARROW = {"bf16": (ml_dtypes.bfloat16, torch.bfloat16), "f16": (np.float16, torch.float16)}


def network(dtype: str) -> rlx.Graph:
    g = rlx.Graph("line")
    x, y = g.input("x", X.shape), g.input("y", Y.shape)
    error = x @ g.cast(g.param("w", (5, 1), dtype), "f32") - y
    g.set_outputs({"loss": (error * error).mean()})
    return g


OPTIMIZERS: dict[str, tuple[Any, Any]] = {
    "momentum": (SGD(lr=0.05, momentum=0.9), lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9)),
    "adamw": (AdamW(lr=0.1), lambda p: torch.optim.AdamW(p, lr=0.1)),
}


@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_steps_are_torchs_in_f32_with_rounded_params(name: str, dtype: str) -> None:
    mine, theirs = OPTIMIZERS[name]
    kind, torch_kind = NARROW[dtype]
    training = compile_training(network(dtype), "loss", mine)
    training.set_params({"w": np.zeros((5, 1), kind)})
    param = torch.zeros(5, 1, requires_grad=True)
    optimizer = theirs([param])
    for _ in range(12):
        training.step({"x": X, "y": Y})
        optimizer.zero_grad()
        ((torch.tensor(X) @ param - torch.tensor(Y)) ** 2).mean().backward()
        assert param.grad is not None
        param.grad.copy_(param.grad.to(torch_kind).float())  # a gradient has the dtype of its param
        optimizer.step()
        with torch.no_grad():
            param.copy_(param.to(torch_kind).float())
    found, expected = training.param("w"), param.detach().numpy()
    assert found.dtype == kind
    ulp = 2.0**-7 if dtype == "bf16" else 2.0**-10
    np.testing.assert_allclose(found.astype(np.float32), expected, rtol=2 * ulp, atol=2 * ulp)


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_all_settings_of_a_step(device: str) -> None:
    training = compile_training(
        network("bf16"), "loss", Lion(lr=0.05), device=device, clip_norm=5.0, accumulate=2, loss_scale=8.0, ema=0.5
    )
    training.set_params({"w": np.zeros((5, 1), ml_dtypes.bfloat16)})
    losses = [float(training.step({"x": X, "y": Y})["loss"]) for _ in range(60)]
    assert losses[-1] < 0.5 * losses[0]
    assert training.param("w").dtype == ml_dtypes.bfloat16
    assert training.averaged("w").dtype == np.float32
