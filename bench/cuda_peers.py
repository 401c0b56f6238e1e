"""The same decode step by torch and JAX on a GPU: random weights, each peer only where it is installed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["peers"]


def peers(at: Any, batch: int, position: int, steps: int) -> Iterator[tuple[str, str]]:
    """Names and milliseconds per step, or why there are none."""
    for name, run in (
        ("torch, eager in a CUDA graph", lambda: _torch(at, batch, position, steps, None)),
        ("XLA by jax.jit", lambda: _jax(at, batch, position, steps)),
        ("torch.compile reduce-overhead", lambda: _torch(at, batch, position, steps, "reduce-overhead")),
        ("torch.compile max-autotune", lambda: _torch(at, batch, position, steps, "max-autotune")),
    ):
        try:
            yield name, f"{run():.3f} ms"
        except Exception as error:  # not installed, or it fails: the others may run
            yield name, f"{type(error).__name__}: {error!s:.200}"


def _torch(at: Any, batch: int, position: int, steps: int, mode: str | None) -> float:
    import torch
    from torch.nn import functional

    kind = torch.bfloat16

    def weight(*dims: int) -> Any:
        return (torch.randn(*dims, device="cuda") * 0.02).to(kind)

    layers = [
        {
            "norm1": torch.ones(at.width, device="cuda", dtype=kind),
            "norm2": torch.ones(at.width, device="cuda", dtype=kind),
            "qkv": weight((at.heads + 2 * at.kv_heads) * at.dim, at.width),
            "o": weight(at.width, at.heads * at.dim),
            "gate": weight(at.ffn, at.width),
            "up": weight(at.ffn, at.width),
            "down": weight(at.width, at.ffn),
            "keys": weight(batch, at.kv_heads, at.context, at.dim),
            "values": weight(batch, at.kv_heads, at.context, at.dim),
        }
        for _ in range(at.layers)
    ]
    embed, norm = weight(at.vocabulary, at.width), torch.ones(at.width, device="cuda", dtype=kind)
    token = torch.zeros(batch, 1, device="cuda", dtype=torch.long)
    place = torch.full((1,), position, device="cuda", dtype=torch.long)
    angles = torch.outer(torch.arange(at.context).float(), 500000 ** (-torch.arange(0, at.dim, 2).float() / at.dim)).repeat(1, 2)
    cos, sin = angles.cos().to("cuda", kind), angles.sin().to("cuda", kind)
    seen = torch.arange(at.context, device="cuda")

    def rope(x: Any) -> Any:
        half = at.dim // 2
        return x * cos[place] + torch.cat((-x[..., half:], x[..., :half]), -1) * sin[place]

    def step(token: Any) -> Any:
        x = functional.embedding(token, embed)
        mask = (seen <= place).view(1, 1, 1, -1)
        for p in layers:
            qkv = functional.linear(functional.rms_norm(x, (at.width,), p["norm1"]), p["qkv"])
            q, k, v = qkv.split([at.heads * at.dim, at.kv_heads * at.dim, at.kv_heads * at.dim], -1)
            q, k, v = (t.view(batch, 1, -1, at.dim).transpose(1, 2) for t in (q, k, v))
            p["keys"].index_copy_(2, place, rope(k))
            p["values"].index_copy_(2, place, v)
            a = functional.scaled_dot_product_attention(rope(q), p["keys"], p["values"], mask, enable_gqa=True)
            x = x + functional.linear(a.transpose(1, 2).reshape(batch, 1, -1), p["o"])
            h = functional.rms_norm(x, (at.width,), p["norm2"])
            h = functional.silu(functional.linear(h, p["gate"])) * functional.linear(h, p["up"])
            x = x + functional.linear(h, p["down"])
        return functional.linear(functional.rms_norm(x, (at.width,), norm), embed)

    with torch.no_grad():
        run: Callable[[], Any]
        if mode is None:
            step(token)
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                step(token)
            run = graph.replay
        else:
            compiled = torch.compile(step, mode=mode)

            def run() -> Any:
                return compiled(token)

        for _ in range(5):
            run()
        return _timed(run, torch.cuda.synchronize, steps)


def _timed(run: Callable[[], Any], wait: Callable[[], Any], steps: int) -> float:
    """Milliseconds of a step, of many between two waits; the best of three."""
    best = float("inf")
    for _ in range(3):
        wait()
        start = time.perf_counter()
        for _ in range(steps):
            run()
        wait()
        best = min(best, (time.perf_counter() - start) / steps * 1e3)
    return best


def _jax(at: Any, batch: int, position: int, steps: int) -> float:
    import jax
    from jax import numpy as jnp

    if jax.default_backend() != "gpu":
        raise RuntimeError(f"jax runs on {jax.default_backend()}")
    key = jax.random.key(0)

    def weight(*dims: int) -> Any:
        return jax.random.normal(key, dims, jnp.bfloat16) * 0.02

    layers = [
        {
            "norm1": jnp.ones(at.width, jnp.bfloat16),
            "norm2": jnp.ones(at.width, jnp.bfloat16),
            "qkv": weight(at.width, (at.heads + 2 * at.kv_heads) * at.dim),
            "o": weight(at.heads * at.dim, at.width),
            "gate_up": weight(at.width, 2 * at.ffn),
            "down": weight(at.ffn, at.width),
        }
        for _ in range(at.layers)
    ]
    embed = weight(at.vocabulary, at.width)
    caches = [weight(2, batch, at.context, at.kv_heads, at.dim) for _ in range(at.layers)]

    def norm(x: Any, scale: Any) -> Any:
        wide = x.astype(jnp.float32)
        return (wide * jax.lax.rsqrt((wide * wide).mean(-1, keepdims=True) + 1e-6) * scale).astype(x.dtype)

    def rope(x: Any, place: Any) -> Any:
        angles = place * 500000 ** (-jnp.arange(0, at.dim, 2) / at.dim)
        a, b = jnp.split(x.astype(jnp.float32), 2, -1)
        cos, sin = jnp.cos(angles), jnp.sin(angles)
        return jnp.concatenate((a * cos - b * sin, b * cos + a * sin), -1).astype(x.dtype)

    def step(params: Any, caches: Any, token: Any, place: Any) -> Any:
        layers, embed = params
        x, kept = embed[token], []
        for p, cache in zip(layers, caches, strict=True):
            qkv = (norm(x, p["norm1"]) @ p["qkv"]).reshape(batch, 1, -1, at.dim)
            q, k, v = jnp.split(qkv, (at.heads, at.heads + at.kv_heads), 2)
            new = jnp.stack((rope(k, place), v))
            cache = jax.lax.dynamic_update_slice(cache, new, (0, 0, place, 0, 0))
            kept.append(cache)
            mask = (jnp.arange(at.context) <= place)[None, None, None, :]
            a = jax.nn.dot_product_attention(rope(q, place), cache[0], cache[1], mask=mask)
            x = x + a.reshape(batch, 1, -1) @ p["o"]
            gate, up = jnp.split(norm(x, p["norm2"]) @ p["gate_up"], 2, -1)
            x = x + (jax.nn.silu(gate) * up) @ p["down"]
        return norm(x, jnp.ones(at.width, x.dtype)) @ embed.T, kept

    compiled = jax.jit(step, donate_argnums=1)
    params, token = (layers, embed), jnp.zeros((batch, 1), jnp.int32)
    logits = None

    def run() -> None:
        nonlocal caches, logits
        logits, caches = compiled(params, caches, token, position)

    for _ in range(3):
        run()
    return _timed(run, lambda: jax.block_until_ready(logits), steps)
