"""A small Llama in f32: prefill of 128 tokens (logits of all positions) and one token after 128 in a cache."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from bench import ours, peers
from bench.harness import Contender, Settings, Workload
from bench.models import llama as model

PAST = 128
CAPACITY = 256  # of the caches with a fixed size
CONFIG = model.LlamaConfig(max_positions=CAPACITY)
Made = tuple[str, Callable[[], Contender]]


def workloads(settings: Settings) -> Iterator[Workload]:
    """Prefill, then decode."""
    weights, ids = given()
    suite = Peers(weights, ids, settings)
    prefill = [("rlx", lambda: ours.llama_prefill(CONFIG, weights, ids[:, :PAST])), *suite.prefill()]
    decode = [("rlx", lambda: ours.llama_decode(CONFIG, weights, ids, CAPACITY)), *suite.decode()]
    return races(weights, ids, prefill, decode)


def given() -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Weights, and the ids of a prompt with one more."""
    return model.weights(CONFIG), np.random.default_rng(1).integers(0, CONFIG.vocab, (1, PAST + 1))


def races(weights: dict[str, np.ndarray], ids: np.ndarray, prefill: Sequence[Made], decode: Sequence[Made]) -> Iterator[Workload]:
    """Both workloads with these contenders."""
    yield Workload(
        f"prefill {PAST}",
        flops=CONFIG.flops(PAST, keys=PAST),
        bytes_from_memory=4.0 * CONFIG.matrix_weights,
        reference=lambda: model.reference(CONFIG, weights, ids[:, :PAST]),
        contenders=prefill,
        tolerance=1e-4,
    )
    yield Workload(
        f"decode at {PAST}",
        flops=CONFIG.flops(1, keys=PAST + 1),
        bytes_from_memory=4.0 * CONFIG.matrix_weights,
        reference=lambda: model.reference(CONFIG, weights, ids)[:, PAST:],
        contenders=decode,
        rate="GB/s",
        tolerance=1e-4,
    )


class Peers:
    """The peers of both workloads; what they share is made once."""

    def __init__(self, weights: dict[str, np.ndarray], ids: np.ndarray, settings: Settings) -> None:
        self.weights, self.ids, self.settings = weights, ids, settings
        self.jax_weights = cache(self._jax_weights)
        self.torch_model = cache(self._torch_model)

    def prefill(self) -> list[tuple[str, Callable[[], Contender]]]:
        return self._list(self._torch_prefill, self.xla_prefill, "llama_prefill")

    def decode(self) -> list[tuple[str, Callable[[], Contender]]]:
        return self._list(self._torch_decode, self.xla_decode, "llama_decode")

    def _list(
        self, arguments: Callable[[], tuple[Any, ...]], xla: Callable[[str, bool], Contender], key: str
    ) -> list[tuple[str, Callable[[], Contender]]]:
        threads = self.settings.threads

        def eager() -> Contender:
            network, given = self.torch_model(), arguments()
            return peers.from_torch_function("torch", lambda: network(*given), threads)

        def compiled() -> Contender:
            given = arguments()
            network = peers.torch_compiled(self.torch_model(), threads)
            return peers.from_torch_function("torch.compile", lambda: network(*given), threads)

        def exported() -> Any:
            return peers.exported(key, self.torch_model(), arguments(), "bench.models.llama_torch", "bench.models.llama")

        def arrays() -> list[np.ndarray]:
            return [tensor.numpy() for tensor in arguments()]

        listed = [
            ("torch", eager),
            ("XLA", lambda: xla("XLA", False)),
            ("XLA, weights [out, in]", lambda: xla("XLA, weights [out, in]", True)),
            ("onnxruntime", lambda: peers.onnxruntime(exported(), arrays(), threads)),
            ("OpenVINO", lambda: peers.openvino(exported(), arrays(), threads)),
        ]
        return [*listed, ("torch.compile", compiled)] if self.settings.torch_compile else listed

    def _torch_model(self) -> Any:
        peers.torch(self.settings.threads)
        from bench.models.llama_torch import TorchLlama

        return TorchLlama(CONFIG, self.weights).eval()

    def _torch_prefill(self) -> tuple[Any, ...]:
        torch = peers.torch(self.settings.threads)
        return torch.from_numpy(self.ids[:, :PAST]), torch.arange(PAST)

    def _torch_decode(self) -> tuple[Any, ...]:
        torch = peers.torch(self.settings.threads)
        with torch.no_grad():
            _, keys, values = self.torch_model()(*self._torch_prefill())
        return torch.from_numpy(self.ids[:, PAST:]), torch.tensor([PAST]), keys, values

    def _jax_weights(self, out_first: bool) -> Any:
        peers.need("jax")
        from bench.models import llama_jax

        return llama_jax.parameters(self.weights, out_first)

    def xla_prefill(self, name: str, out_first: bool) -> Contender:
        jax, weights = peers.need("jax"), self.jax_weights(out_first)
        from bench.models import llama_jax

        run = jax.jit(llama_jax.prefill(CONFIG, out_first))
        ids = jax.numpy.asarray(self.ids[:, :PAST])
        return peers.from_numpy_function(name, lambda: jax.block_until_ready(run(weights, ids))[0])

    def xla_decode(self, name: str, out_first: bool) -> Contender:
        jax, weights = peers.need("jax"), self.jax_weights(out_first)
        from bench.models import llama_jax

        _, *filled = jax.jit(llama_jax.prefill(CONFIG, out_first))(weights, self.ids[:, :PAST])
        room = [(0, 0)] * 3 + [(0, CAPACITY - PAST), (0, 0)]
        kept = [jax.numpy.pad(past, room) for past in filled]
        run = jax.jit(llama_jax.decode(CONFIG, out_first), donate_argnums=(3, 4))
        ids, position = jax.numpy.asarray(self.ids[:, PAST:]), jax.numpy.asarray(PAST)

        def step() -> Any:
            logits, *kept[:] = run(weights, ids, position, *kept)
            return logits.block_until_ready()

        return peers.from_numpy_function(name, step)
