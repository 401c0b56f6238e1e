"""Training steps against torch: optimizers, schedules, clipping, accumulation, loss scaling, averages, checkpoints."""

import numpy as np
import pytest
import torch

import rlx
from rlx.train import SGD, Adam, AdamW, Lion, compile_training, cosine, linear

SIZES = {"w1": (6, 9), "b1": (9,), "w2": (9, 4), "b2": (4,)}
ROWS = 10


def weights():
    random = np.random.default_rng(0)
    return {name: (random.standard_normal(dims) * 0.4).astype(np.float32) for name, dims in SIZES.items()}


def batch(seed):
    random = np.random.default_rng(100 + seed)
    return {"x": random.standard_normal((ROWS, 6)).astype(np.float32), "labels": random.integers(0, 4, ROWS).astype(np.int32)}


def network():
    g = rlx.Graph("mlp")
    x, labels = g.input("x", (ROWS, 6)), g.input("labels", (ROWS,), "i32")
    w1, b1, w2, b2 = (g.param(name, dims) for name, dims in SIZES.items())
    logits = g.gelu(x @ w1 + b1) @ w2 + b2
    g.set_outputs({"loss": g.softmax_cross_entropy_with_logits(logits, labels).mean(), "logits": logits})
    return g


def torch_loss(params, data):
    hidden = torch.nn.functional.gelu(torch.tensor(data["x"]) @ params["w1"] + params["b1"])
    return torch.nn.functional.cross_entropy(hidden @ params["w2"] + params["b2"], torch.tensor(data["labels"]).long())


def torch_params():
    return {name: torch.tensor(array, requires_grad=True) for name, array in weights().items()}


def close(training, params, rtol=2e-4):
    for name, tensor in params.items():
        found, wanted = training.param(name), tensor.detach().numpy()
        assert np.abs(found - wanted).max() <= rtol * np.abs(wanted).max(), name


OPTIMIZERS = {
    "sgd": (SGD(lr=0.1), lambda p: torch.optim.SGD(p, lr=0.1)),
    "momentum": (SGD(lr=0.05, momentum=0.9), lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9)),
    "nesterov, decay": (
        SGD(lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.1, decays=lambda *_: True),
        lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.1),
    ),
    "adam": (Adam(lr=1e-2), lambda p: torch.optim.Adam(p, lr=1e-2)),
    "adam, decay": (
        Adam(lr=1e-2, weight_decay=0.1, betas=(0.8, 0.95), decays=lambda *_: True),
        lambda p: torch.optim.Adam(p, lr=1e-2, weight_decay=0.1, betas=(0.8, 0.95)),
    ),
    "adam, no memory of gradients": (Adam(lr=1e-2, betas=(0.0, 0.999)), lambda p: torch.optim.Adam(p, lr=1e-2, betas=(0.0, 0.999))),
    "adamw, no memory of squares": (
        AdamW(lr=1e-3, betas=(0.9, 0.0), eps=1e-3, decays=lambda *_: True),
        lambda p: torch.optim.AdamW(p, lr=1e-3, betas=(0.9, 0.0), eps=1e-3),
    ),
    "adamw, no memory": (
        AdamW(lr=1e-3, betas=(0.0, 0.0), eps=1e-3, decays=lambda *_: True),
        lambda p: torch.optim.AdamW(p, lr=1e-3, betas=(0.0, 0.0), eps=1e-3),
    ),
    "momentum 0": (SGD(lr=0.1, momentum=0.0), lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.0)),
    "adamw": (AdamW(lr=1e-2, decays=lambda *_: True), lambda p: torch.optim.AdamW(p, lr=1e-2)),
}


REFUSED = {
    "a beta of 1": lambda: AdamW(betas=(0.9, 1.0)),
    "a beta below 0": lambda: Adam(betas=(-0.1, 0.9)),
    "a beta that is no number": lambda: Lion(betas=(float("nan"), 0.9)),
    "one beta": lambda: Lion(betas=(0.9,)),
    "eps": lambda: Adam(eps=-1e-8),
    "momentum": lambda: SGD(momentum=-0.9),
    "nesterov without momentum": lambda: SGD(nesterov=True),
    "rate": lambda: SGD(lr=-1.0),
    "weight decay": lambda: AdamW(weight_decay=-0.1),
}


@pytest.mark.parametrize("what", REFUSED)
def test_settings_torch_refuses_are_refused(what):
    with pytest.raises(rlx.RlxError, match="RLX105") as caught:
        REFUSED[what]()
    assert "fix:" in str(caught.value)


@pytest.mark.parametrize("betas", [(0.0, 0.99), (0.9, 0.0), (0.0, 0.0)])
def test_lion_without_memory_follows_its_formula(betas):
    training = compile_training(network(), "loss", Lion(lr=1e-3, betas=betas))
    training.set_params(weights())
    params = torch_params()
    momenta = {name: torch.zeros_like(tensor) for name, tensor in params.items()}
    for step in range(4):
        training.step(batch(step))
        gradients = torch.autograd.grad(torch_loss(params, batch(step)), list(params.values()))
        for (name, tensor), gradient in zip(params.items(), gradients, strict=True):
            direction = torch.sign(betas[0] * momenta[name] + (1 - betas[0]) * gradient)
            momenta[name] = betas[1] * momenta[name] + (1 - betas[1]) * gradient
            params[name] = (tensor - 1e-3 * direction).detach().requires_grad_()
    close(training, params)


@pytest.mark.parametrize("device", ["reference", "cpu"])
@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_optimizers_follow_torch(kind, device):
    ours, theirs = OPTIMIZERS[kind]
    training = compile_training(network(), "loss", ours, device=device)
    training.set_params(weights())
    params = torch_params()
    optimizer = theirs(list(params.values()))
    for step in range(12):
        found = training.step(batch(step))
        loss = torch_loss(params, batch(step))
        assert abs(float(found["loss"]) - loss.item()) <= 1e-4 * abs(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    close(training, params)
    assert training.steps == 12 and found["logits"].shape == (ROWS, 4)


def test_lion_by_its_formula():
    training = compile_training(network(), "loss", Lion(lr=1e-2, weight_decay=0.1))
    training.set_params(weights())
    params = torch_params()
    moments = {name: torch.zeros_like(tensor) for name, tensor in params.items()}
    for step in range(5):
        training.step(batch(step))
        gradients = dict(zip(params, torch.autograd.grad(torch_loss(params, batch(step)), list(params.values())), strict=True))
        with torch.no_grad():
            for name, tensor in params.items():
                direction = torch.sign(0.9 * moments[name] + 0.1 * gradients[name])
                tensor -= 1e-2 * (direction + (0.1 if tensor.ndim == 2 else 0.0) * tensor)
                moments[name] = 0.99 * moments[name] + 0.01 * gradients[name]
    close(training, params)


def test_decay_spares_what_the_mask_spares():
    training = compile_training(network(), "loss", AdamW(lr=0.0 + 1e-12, weight_decay=1e11))
    start = weights()
    training.set_params(start)
    training.step(batch(0))
    assert np.abs(training.param("w1") - start["w1"]).max() > 1e-3
    assert np.abs(training.param("b1") - start["b1"]).max() < 1e-6


@pytest.mark.parametrize("schedule", [cosine(0.1, 20, warmup=5, floor=0.01), linear(0.1, 10), linear(0.1, 12, warmup=3)])
def test_schedules(schedule):
    training = compile_training(network(), "loss", SGD(lr=schedule))
    training.set_params(weights())
    for step in range(14):
        np.testing.assert_allclose(training.step(batch(step))["lr"], schedule.at(step), rtol=2e-6, atol=1e-8)


def test_a_schedule_that_never_falls_is_refused():
    with pytest.raises(rlx.RlxError, match="steps must be more than warmup"):
        cosine(0.1, 5, warmup=5)


def test_clipping_follows_torch():
    training = compile_training(network(), "loss", SGD(lr=0.5), clip_norm=0.2)
    training.set_params(weights())
    params = torch_params()
    for step in range(5):
        found = training.step(batch(step))
        gradients = torch.autograd.grad(torch_loss(params, batch(step)), list(params.values()))
        norm = torch.sqrt(sum((g * g).sum() for g in gradients))
        np.testing.assert_allclose(found["grad_norm"], norm.item(), rtol=1e-4)
        with torch.no_grad():
            for tensor, gradient in zip(params.values(), gradients, strict=True):
                tensor -= 0.5 * gradient * min(1.0, 0.2 / (norm.item() + 1e-6))
    close(training, params)


def test_accumulation_is_the_mean_of_its_parts():
    training = compile_training(network(), "loss", Adam(lr=1e-2), accumulate=3)
    training.set_params(weights())
    params = torch_params()
    optimizer = torch.optim.Adam(list(params.values()), lr=1e-2)
    for round_ in range(4):
        optimizer.zero_grad()
        for part in range(3):
            training.step(batch(3 * round_ + part))
            (torch_loss(params, batch(3 * round_ + part)) / 3).backward()
        optimizer.step()
        assert training.steps == round_ + 1
    close(training, params)


def test_a_step_that_overflows_is_thrown_away_and_the_scale_halves():
    training = compile_training(network(), "loss", AdamW(lr=1e-2), loss_scale=1024.0, ema=0.9)
    training.set_params(weights())
    found = training.step(batch(0))
    assert float(found["loss_scale"]) == 1024 and "scaled_loss" not in found
    before = {name: training.param(name) for name in SIZES}
    moments = training.session.state("adamw.m.w1").copy()
    bad = batch(1)
    bad["x"][0, 0] = np.inf
    training.step(bad)
    assert training.steps == 1
    for name, array in before.items():
        np.testing.assert_array_equal(training.param(name), array)
    np.testing.assert_array_equal(training.session.state("adamw.m.w1"), moments)
    assert float(training.step(batch(2))["loss_scale"]) == 512 and training.steps == 2


@pytest.mark.parametrize("bad_part", [0, 1, 2])
def test_a_part_that_overflows_throws_its_round_away_and_not_the_params(bad_part):
    """The sums of a round were checked by its last part alone, and 0·∞ stayed in them."""
    training = compile_training(network(), "loss", AdamW(lr=1e-2), loss_scale=1024.0, accumulate=3)
    training.set_params(weights())
    for part in range(3):
        data = batch(part)
        if part == bad_part:
            data["x"][0, 0] = np.inf
        training.step(data)
    assert training.steps == 0
    for name, array in weights().items():
        np.testing.assert_array_equal(training.param(name), array)
    params = torch_params()
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in params.values() if p.ndim == 2]},
            {"params": [p for p in params.values() if p.ndim != 2], "weight_decay": 0.0},
        ],
        lr=1e-2,
    )
    for part in range(3):
        found = training.step(batch(part))
        (torch_loss(params, batch(part)) / 3).backward()
    optimizer.step()
    assert training.steps == 1 and float(found["loss_scale"]) == 512
    close(training, params)


@pytest.mark.parametrize("accumulate", [1, 2])
@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_a_guarded_step_that_is_not_finite_changes_nothing_and_is_explained(device, accumulate):
    training = compile_training(
        network(), "loss", AdamW(lr=1e-2), guard=True, ema=0.9, clip_norm=1.0, accumulate=accumulate, device=device
    )
    training.set_params(weights())
    for part in range(accumulate):
        training.step(batch(part))
    names = [*training.params, *training.states]

    def values() -> dict[str, np.ndarray]:
        return {name: (training.session.param if name in SIZES else training.session.state)(name) for name in names}

    before = values()
    bad = batch(9)
    bad["x"][3, 2] = 3e38  # x @ w1 is finite, its square is not
    parts = [bad, *(batch(part) for part in range(1, accumulate))]
    assert training.explain([batch(part) for part in range(accumulate)]) is None
    found = [training.step(part) for part in parts]
    assert not np.isfinite([float(part["loss"]) for part in found]).all() or not np.isfinite(found[-1]["grad_norm"])
    for name, array in before.items():
        assert values()[name].tobytes() == array.tobytes(), name
    error = training.explain(parts)
    assert error is not None and error.code == "RLX510" and "test_step.py" in str(error), error
    for name, array in before.items():
        assert values()[name].tobytes() == array.tobytes(), name
    training.step(batch(0))


def test_guarded_and_plain_steps_agree():
    plain, guarded = (compile_training(network(), "loss", Adam(lr=1e-2), guard=guard) for guard in (False, True))
    for training in (plain, guarded):
        training.set_params(weights())
        for step in range(5):
            training.step(batch(step))
    for name in SIZES:
        np.testing.assert_allclose(plain.param(name), guarded.param(name), rtol=1e-6, atol=1e-8)


def test_scaled_and_plain_steps_agree():
    plain, scaled = (compile_training(network(), "loss", Adam(lr=1e-2), loss_scale=scale) for scale in (None, 256.0))
    for training in (plain, scaled):
        training.set_params(weights())
        for step in range(5):
            training.step(batch(step))
    for name in SIZES:
        np.testing.assert_allclose(plain.param(name), scaled.param(name), rtol=1e-4, atol=1e-6)


def test_averages_begin_with_the_first_step():
    training = compile_training(network(), "loss", SGD(lr=0.1), ema=0.8)
    training.set_params(weights())
    average = None
    for step in range(4):
        training.step(batch(step))
        now = training.param("w2")
        average = now if average is None else 0.8 * average + 0.2 * now
    np.testing.assert_allclose(training.averaged("w2"), average, rtol=1e-5)


@pytest.mark.parametrize("accumulate", [1, 2])
def test_a_checkpoint_goes_on_to_the_bit(tmp_path, accumulate):
    def start():
        return compile_training(
            network(), "loss", AdamW(lr=cosine(1e-2, 20, warmup=3)), clip_norm=1.0, ema=0.9, accumulate=accumulate
        )

    whole = start()
    whole.set_params(weights())
    losses = [float(whole.step(batch(step))["loss"]) for step in range(9)]
    first = start()
    first.set_params(weights())
    for step in range(5):
        first.step(batch(step))
    first.save(tmp_path / "c.safetensors", row=5)
    second = start()
    position = second.load(tmp_path / "c.safetensors")
    assert position == {"row": "5"}
    assert [float(second.step(batch(step))["loss"]) for step in range(5, 9)] == losses[5:]
    for name in SIZES:
        assert second.param(name).tobytes() == whole.param(name).tobytes()
        assert second.averaged(name).tobytes() == whole.averaged(name).tobytes()


def test_a_checkpoint_of_another_training_is_refused(tmp_path):
    first = compile_training(network(), "loss", SGD(lr=0.1))
    first.set_params(weights())
    first.step(batch(0))
    first.save(tmp_path / "c.safetensors")
    second = compile_training(network(), "loss", AdamW(lr=0.1))
    with pytest.raises(rlx.RlxError, match=r"RLX703.*adamw"):
        second.load(tmp_path / "c.safetensors")


def test_evaluation_shares_the_weights():
    session = rlx.Session("cpu")
    training = compile_training(network(), "loss", SGD(lr=0.1), session=session)
    training.set_params(weights())
    evaluation = session.compile(network())
    before = float(evaluation.run(batch(0))["loss"])
    for _ in range(20):
        training.step(batch(0))
    assert float(evaluation.run(batch(0))["loss"]) < before - 0.1
