"""One training step of the small Llama in f32: forward, backward and AdamW on 8 rows of 128 tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bench import ours, peers
from bench.footprint import footprint
from bench.harness import Contender, Settings, Workload
from bench.models import llama as model

ROWS, LENGTH, QUICK_LAYERS = 8, 128, 2
RATE, DECAY, BETAS, EPS = 1e-4, 0.01, (0.9, 0.999), 1e-8


def workloads(settings: Settings) -> Iterator[Workload]:
    """The whole model, or with --quick two layers of it."""
    suite = _Step(settings)
    config = suite.config
    yield Workload(
        f"{config.layers} layers, {ROWS} x {LENGTH}",
        flops=3.0 * ROWS * config.flops(LENGTH, keys=LENGTH),
        bytes_from_memory=4.0 * 7 * config.matrix_weights,  # weights, gradients and both moments, read and written
        reference=suite.reference,
        contenders=suite.contenders(),
        tolerance=1e-4,
        footprint=lambda name: footprint("train", name, settings),
    )


def build(contender: str, settings: Settings) -> Contender:
    """One contender alone; the weights it was given are dropped."""
    suite = _Step(settings)
    found = dict(suite.contenders())[contender]()
    suite.weights.clear()
    return found


class _Step:
    """The contenders; each one's result is the loss of its first step."""

    def __init__(self, settings: Settings) -> None:
        layers = {"layers": QUICK_LAYERS} if settings.quick else {}
        self.settings, self.config = settings, model.LlamaConfig(max_positions=LENGTH, **layers)
        self.weights = model.weights(self.config)
        self.ids = np.random.default_rng(1).integers(0, self.config.vocab, (ROWS, LENGTH + 1))

    def reference(self) -> np.ndarray:
        """The loss in f64."""
        logits = model.reference(self.config, self.weights, self.ids[:, :LENGTH])
        top = logits.max(-1, keepdims=True)
        total = np.log(np.exp(logits - top).sum(-1)) + top[..., 0]
        chosen = np.take_along_axis(logits, self.ids[:, 1:, None], -1)[..., 0]
        return np.array([(total - chosen).mean()])

    def contenders(self) -> list[tuple[str, Callable[[], Contender]]]:
        """Ours and the peers; torch.compile, which takes half a minute to compile, not with --quick unless asked for."""
        listed = [
            ("rlx", lambda: ours.llama_training(self.config, self.weights, self.ids)),
            ("torch", self._torch),
            ("XLA", self._xla),
        ]
        compiled = [("torch.compile", lambda: self._torch(compiled=True))]
        return listed + compiled if self.settings.torch_compile or not self.settings.quick else listed

    def _torch(self, compiled: bool = False) -> Contender:
        torch = peers.torch(self.settings.threads)
        from bench.models.llama_torch import TorchLlama

        copies = {name: array.copy() for name, array in self.weights.items()}
        network = TorchLlama(self.config, copies).requires_grad_(True)
        decayed = [p for p in network.parameters() if p.ndim == 2]
        groups = [{"params": decayed}, {"params": [p for p in network.parameters() if p.ndim != 2], "weight_decay": 0.0}]
        optimizer = torch.optim.AdamW(groups, lr=RATE, betas=BETAS, eps=EPS, weight_decay=DECAY, fused=True)
        given, positions = torch.from_numpy(self.ids[:, :LENGTH]), torch.arange(LENGTH)
        labels = torch.from_numpy(self.ids[:, 1:].reshape(-1))
        first: list[float] = []

        def loss_of() -> Any:
            logits = network(given, positions)[0]
            return torch.nn.functional.cross_entropy(logits.view(-1, self.config.vocab), labels)

        compute = torch.compile(loss_of, mode="max-autotune-no-cudagraphs") if compiled else loss_of

        def step() -> None:
            with torch.enable_grad():
                optimizer.zero_grad(set_to_none=True)
                loss = compute()
                loss.backward()
                optimizer.step()
            first.append(float(loss.detach()))

        return Contender("torch.compile" if compiled else "torch", step, lambda: np.array(first[:1]))

    def _xla(self) -> Contender:
        jax = peers.need("jax")
        from bench.models import llama_jax

        forward = llama_jax.prefill(self.config, False)
        ids, labels = jax.numpy.asarray(self.ids[:, :LENGTH]), jax.numpy.asarray(self.ids[:, 1:])

        def loss_of(weights: Any) -> Any:
            logits = forward(weights, ids)[0]
            chosen = jax.numpy.take_along_axis(logits, labels[..., None], -1)[..., 0]
            return (jax.nn.logsumexp(logits, -1) - chosen).mean()

        def update(weights: Any, m: Any, v: Any, count: Any) -> Any:
            loss, gradients = jax.value_and_grad(loss_of)(weights)
            first, second = BETAS
            m = jax.tree.map(lambda old, g: first * old + (1 - first) * g, m, gradients)
            v = jax.tree.map(lambda old, g: second * old + (1 - second) * g * g, v, gradients)

            def moved(p: Any, m: Any, v: Any) -> Any:
                shrunk = p * (1 - RATE * DECAY) if p.ndim == 2 else p
                return shrunk - RATE * (m / (1 - first**count)) / (jax.numpy.sqrt(v / (1 - second**count)) + EPS)

            return loss, jax.tree.map(moved, weights, m, v), m, v, count + 1

        run = jax.jit(update, donate_argnums=(0, 1, 2))
        weights = llama_jax.parameters(self.weights, False)
        kept = [weights, *(jax.tree.map(jax.numpy.zeros_like, weights) for _ in range(2)), jax.numpy.float32(1)]
        seen: list[float] = []

        def step() -> None:
            loss, *kept[:] = run(*kept)
            seen.append(float(loss))
            jax.block_until_ready(kept)

        return Contender("XLA", step, lambda: np.array(seen[:1]))
