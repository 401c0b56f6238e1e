"""A Llama trained beside torch: the gradient of every param, and the curve of the loss."""

import numpy as np
import pytest
import torch

import rlx
from bench import ours
from bench.models.llama import LlamaConfig, weights
from bench.models.llama_torch import TorchLlama
from rlx.train import AdamW, compile_training

SMALL = LlamaConfig(vocab=97, hidden=48, layers=2, heads=6, kv_heads=2, ffn=80, max_positions=32)
WHOLE = LlamaConfig(max_positions=128)


def module(config, rows, length):
    m = rlx.Graph.hir("llama")
    ids, labels = m.input("ids", (rows, length), "i32"), m.input("labels", (rows * length,), "i32")
    logits = ours._llama(rlx, m, config, weights(config), ids).reshape(rows * length, config.vocab)
    m.set_outputs({"loss": m.softmax_cross_entropy_with_logits(logits, labels).mean()})
    return m


def batches(config, rows, length, count):
    """Rows that can be learnt: each token follows from the one before it."""
    random = np.random.default_rng(3)
    after = random.permutation(config.vocab)
    for _ in range(count):
        ids = random.integers(0, config.vocab, (rows, 1))
        while ids.shape[1] <= length:
            ids = np.concatenate([ids, after[ids[:, -1:]]], 1)
        yield {"ids": ids[:, :length].astype(np.int32), "labels": ids[:, 1:].astype(np.int32).reshape(-1)}


class Beside:
    """The same model in torch."""

    def __init__(self, config):
        self.config = config
        self.network = TorchLlama(config, {name: array.copy() for name, array in weights(config).items()}).requires_grad_(True)

    def loss(self, batch):
        ids = torch.from_numpy(batch["ids"].astype(np.int64))
        logits = self.network(ids, torch.arange(ids.shape[1]))[0].reshape(-1, self.config.vocab)
        return torch.nn.functional.cross_entropy(logits, torch.from_numpy(batch["labels"].astype(np.int64)))

    def param(self, name):
        """A param by our name, and whether torch stores it turned."""
        *layer, last = name.split(".")
        owner = self.network.layers[int(layer[0])] if layer else self.network
        found = getattr(owner, last)
        return (found.weight, True) if isinstance(found, torch.nn.Linear) else (found, False)


def check_gradients(config, rows, length, device):
    (batch,) = batches(config, rows, length, 1)
    m = module(config, rows, length)
    names = list(weights(config))
    exe = rlx.compile(rlx.autodiff.grad_with_loss(m, names), device)
    exe.set_params(weights(config))
    found = exe.run(batch)
    beside = Beside(config)
    loss = beside.loss(batch)
    loss.backward()
    assert abs(float(found["loss"]) - loss.item()) <= 1e-5 * abs(loss.item())
    for name in names:
        tensor, turned = beside.param(name)
        wanted = tensor.grad.numpy()
        wanted = wanted.T if turned else wanted
        error = np.linalg.norm(found[f"grad_{name}"] - wanted) / np.linalg.norm(wanted)
        assert error <= 1e-4, (name, error)


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_every_gradient_is_torchs(device):
    check_gradients(SMALL, 3, 17, device)


@pytest.mark.long
def test_every_gradient_of_the_eight_layers_is_torchs():
    check_gradients(WHOLE, 2, 128, "cpu")


def check_curve(config, rows, length, steps, rate):
    training = compile_training(module(config, rows, length), "loss", AdamW(lr=rate, decays=lambda *_: True))
    training.set_params(weights(config))
    beside = Beside(config)
    optimizer = torch.optim.AdamW(beside.network.parameters(), lr=rate)
    ours_, theirs = [], []
    for batch in batches(config, rows, length, steps):
        ours_.append(float(training.step(batch)["loss"]))
        optimizer.zero_grad()
        loss = beside.loss(batch)
        loss.backward()
        optimizer.step()
        theirs.append(loss.item())
    assert theirs[-1] < 0.7 * theirs[0], "torch does not learn either"
    np.testing.assert_allclose(ours_, theirs, rtol=1e-3)


def test_two_hundred_steps_follow_torchs_curve():
    check_curve(SMALL, 4, 24, 200, 1e-3)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_two_hundred_steps_of_the_eight_layers_follow_torchs_curve():
    check_curve(WHOLE, 8, 128, 200, 3e-4)
