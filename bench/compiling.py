"""The child process of the suite `compile`: `python -m bench.compiling rlx|jax MODEL RESULT` prints the seconds and writes the result.

Timed is everything from building the graph (or tracing) until it could be called. Before that, both compile `x + x`: loading
their own code does not count. After it, the program runs once, so that what was compiled can be checked.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

MODELS = ("llama prefill", "llama decode", "encoder")
CHAINS = {
    "1000 adds and multiplies": (1000, False),
    "1000 with sin and exp": (1000, True),
    "10000 adds and multiplies": (10_000, False),
    "50000 adds and multiplies": (50_000, False),
}
"""Elementwise ops, each on the one before: (how many, whether every other is sin or exp)."""
LENGTH, CAPACITY = 128, 256


def _llama() -> tuple[Any, dict[str, np.ndarray], np.ndarray]:
    from bench.models import llama

    config = llama.LlamaConfig(max_positions=CAPACITY)
    ids = np.random.default_rng(1).integers(0, config.vocab, (1, LENGTH + 1))
    return config, llama.weights(config), ids


def _encoder() -> tuple[Any, dict[str, np.ndarray], np.ndarray]:
    from bench.models import encoder

    config = encoder.EncoderConfig()
    return config, encoder.weights(config), np.random.default_rng(1).integers(0, config.vocab, (1, LENGTH))


def reference(model: str) -> np.ndarray:
    """In f64."""
    if model in CHAINS:
        x = np.full(64, 0.5)
        return _chain(*CHAINS[model], np, x, x)
    if model == "encoder":
        from bench.models import encoder

        return encoder.reference(*_encoder())
    from bench.models import llama

    config, weights, ids = _llama()
    if model == "llama prefill":
        return llama.reference(config, weights, ids[:, :LENGTH])
    return llama.reference(config, weights, ids)[:, LENGTH:]


def _chain(count: int, functions: bool, library: Any, x: Any, y: Any) -> Any:
    """x·y + y again and again; with functions sin(x)·y, exp(…) + y."""
    for _ in range(count // 4):
        x = (library.sin(x) if functions else x * y + y) * y
        x = (library.exp(x) if functions else x) + y
    return x


# -- ours -------------------------------------------------------------------------------------------------------
def with_rlx(model: str) -> tuple[float, np.ndarray]:
    """Symbolic batch and length."""
    import rlx
    from bench import ours

    small = rlx.Graph("small")
    x = small.input("x", (8,), "f32")
    small.set_outputs({"y": x + x})
    rlx.compile(small, device="cpu")
    if model in CHAINS:
        start = time.perf_counter()
        graph = rlx.Graph("chain")
        x, y = graph.input("x", (64,), "f32"), graph.input("y", (64,), "f32")
        graph.set_outputs({"r": _chain(*CHAINS[model], graph, x, y)})
        executable = rlx.compile(graph, device="cpu")
        seconds = time.perf_counter() - start
        return seconds, executable(np.full(64, 0.5, np.float32), np.full(64, 0.5, np.float32))
    config, weights, ids = _encoder() if model == "encoder" else _llama()
    ids = ids.astype(np.int32)
    if model == "llama decode":
        return _rlx_decode(rlx, ours, config, weights, ids)
    start = time.perf_counter()
    batch = rlx.Dim("batch")
    if model == "encoder":
        graph = ours.encoder_graph(config, weights, batch, rlx.Dim("length", max=config.max_positions))
    else:
        graph = ours.prefill_module(config, weights, batch, rlx.Dim("length", max=config.max_positions))
    executable = rlx.compile(graph, device="cpu")
    seconds = time.perf_counter() - start
    executable.set_params(weights)
    (found,) = executable.run({"ids": ids[:, :LENGTH]}).values()
    return seconds, found


def _rlx_decode(rlx: Any, ours: Any, config: Any, weights: dict[str, np.ndarray], ids: np.ndarray) -> tuple[float, np.ndarray]:
    """One token with a symbolic batch; the cache is filled token by token."""
    session = rlx.Session("cpu")
    start = time.perf_counter()
    executable = session.compile(ours.cached_module(config, weights, rlx.Dim("batch"), 1, CAPACITY))
    seconds = time.perf_counter() - start
    session.set_params(weights)
    session.init_state(batch=1)
    for t in range(LENGTH + 1):
        found = executable.run({"ids": ids[:, t : t + 1], "length": np.array([t], np.int32)})["logits"]
    return seconds, found


# -- XLA --------------------------------------------------------------------------------------------------------
def with_jax(model: str) -> tuple[float, np.ndarray]:
    """The sizes of the run; lower and compile."""
    import jax

    jax.jit(lambda x: x + x).lower(np.zeros(8, np.float32)).compile()
    if model in CHAINS:
        example = jax.numpy.full(64, 0.5, np.float32)
        chain = jax.jit(lambda x, y: _chain(*CHAINS[model], jax.numpy, x, y))
        seconds, run = _timed(lambda: chain.lower(example, example).compile())
        return seconds, np.asarray(run(example, example))
    if model == "encoder":
        from bench.models import encoder_jax

        config, weights, ids = _encoder()
        held = {name: jax.numpy.asarray(value) for name, value in weights.items()}
        arguments = (held, jax.numpy.asarray(ids))
        seconds, run = _timed(lambda: jax.jit(encoder_jax.forward(config)).lower(*arguments).compile())
        return seconds, np.asarray(run(*arguments))
    from bench.models import llama_jax

    config, weights, ids = _llama()
    held = llama_jax.parameters(weights, True)
    tokens = jax.numpy.asarray(ids)
    if model == "llama prefill":
        arguments = (held, tokens[:, :LENGTH])
        seconds, run = _timed(lambda: jax.jit(llama_jax.prefill(config, True)).lower(*arguments).compile())
        return seconds, np.asarray(run(*arguments)[0])
    shape = (config.layers, 1, config.kv_heads, CAPACITY, config.head_dim)
    caches = tuple(jax.ShapeDtypeStruct(shape, np.float32) for _ in range(2))
    example = (held, tokens[:, :1], jax.numpy.asarray(0), *caches)
    decode = jax.jit(llama_jax.decode(config, True), donate_argnums=(3, 4))
    seconds, run = _timed(lambda: decode.lower(*example).compile())
    kept = [jax.numpy.zeros(shape, np.float32) for _ in range(2)]
    for t in range(LENGTH + 1):
        logits, *kept = run(held, tokens[:, t : t + 1], jax.numpy.asarray(t), *kept)
    return seconds, np.asarray(logits)


def _timed(make: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    found = make()
    return time.perf_counter() - start, found


if __name__ == "__main__":
    _, library, model, path = sys.argv
    seconds, found = {"rlx": with_rlx, "jax": with_jax}[library](model)
    np.save(path, found)
    print(seconds)
