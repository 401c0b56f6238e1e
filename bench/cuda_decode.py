"""A decode step of a Llama on a GPU: `python -m bench.cuda_decode`. Random weights, one token, a cache that already holds a context.

Prints milliseconds per step by steps between two waits, the share of the limit that reading every weight once sets, and the kernels of
the graph. `--check` compares a small model with the reference device first; `RLX_CUDA=interpret python -m bench.cuda_decode --tiny` runs
without a GPU.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

import rlx


@dataclass(frozen=True)
class DecoderShape:
    """Sizes of a decoder; those of Llama-3.2-1B."""

    layers: int = 16
    width: int = 2048
    heads: int = 32
    kv_heads: int = 8
    dim: int = 64
    ffn: int = 8192
    vocabulary: int = 128256
    context: int = 2048
    dtype: str = "bf16"


TINY = DecoderShape(2, 64, 4, 2, 16, 96, 80, 320, "f32")


def decode_graph(at: DecoderShape, batch: int = 1) -> rlx.Graph:
    """One token of each row: caches are states, `position` is where it goes."""
    g = rlx.Graph("decode")
    kind = at.dtype
    token, position = g.input("token", (batch, 1), "i32"), g.input("position", (batch,), "i32")
    table = g.param("embed", (at.vocabulary, at.width), kind)
    cos, sin = (g.param(name, (at.context, at.dim // 2), "f32") for name in ("cos", "sin"))
    places = g.reshape(position, (batch, 1))
    x = g.gather(table, token, axis=0)
    length = position + 1
    for layer in range(at.layers):

        def weight(name: str, *dims: int, layer: int = layer) -> Any:
            return g.param(f"{layer}.{name}", dims, kind)

        h = g.rms_norm(x, weight("norm1", at.width))
        q = g.matmul(h, g.transpose(weight("q", at.heads * at.dim, at.width), (1, 0)))
        k = g.matmul(h, g.transpose(weight("k", at.kv_heads * at.dim, at.width), (1, 0)))
        v = g.matmul(h, g.transpose(weight("v", at.kv_heads * at.dim, at.width), (1, 0)))
        q, k = (g.rope(each, cos, sin, places, head_dim=at.dim) for each in (q, k))
        keys = g.state(f"{layer}.keys", (batch, at.context, at.kv_heads * at.dim), kind)
        values = g.state(f"{layer}.values", (batch, at.context, at.kv_heads * at.dim), kind)
        keys_now = g.dynamic_update_slice(keys, k, position, axes=1)
        values_now = g.dynamic_update_slice(values, v, position, axes=1)
        g.update(keys, keys_now)
        g.update(values, values_now)
        a = g.attention(
            q, keys_now, values_now, q_position=position, kv_length=length,
            num_heads=at.heads, num_kv_heads=at.kv_heads, head_dim=at.dim, causal=True,
        )  # fmt: skip
        x = x + g.matmul(a, g.transpose(weight("o", at.width, at.heads * at.dim), (1, 0)))
        h = g.rms_norm(x, weight("norm2", at.width))
        gate = g.matmul(h, g.transpose(weight("gate", at.ffn, at.width), (1, 0)))
        up = g.matmul(h, g.transpose(weight("up", at.ffn, at.width), (1, 0)))
        x = x + g.matmul(g.silu(gate) * up, g.transpose(weight("down", at.width, at.ffn), (1, 0)))
    h = g.rms_norm(x, g.param("norm", (at.width,), kind))
    g.set_outputs({"logits": g.matmul(h, g.transpose(table, (1, 0)))})
    return g


def random_weights(graph: rlx.Graph, at: DecoderShape) -> dict[str, np.ndarray]:
    """Norms of ones, tables of angles, small matrices."""
    random = np.random.default_rng(0)
    angles = np.arange(at.context)[:, None] / 500000 ** (np.arange(0, at.dim, 2) / at.dim)
    found: dict[str, np.ndarray] = {}
    for name, node in graph.params.items():
        dims = tuple(int(size) for size in node.shape.dims)
        if name in ("cos", "sin"):
            array = getattr(np, name)(angles)
        elif "norm" in name:
            array = np.ones(dims)
        else:
            block = random.standard_normal(min(1 << 20, int(np.prod(dims))), np.float32) * 0.02
            array = np.resize(block, dims)
        found[name] = np.asarray(array, np.float32).astype(node.shape.dtype.numpy)
    return found


def check(device: str) -> float:
    """The largest difference of three steps of a small model from the reference, relative to the logits."""
    results = {}
    for each in (device, "reference"):
        graph = decode_graph(TINY)
        exe = rlx.compile(graph, each)
        exe.session.set_params(random_weights(graph, TINY))
        steps = []
        for step, token in enumerate((3, 1, 4)):
            inputs = {"token": np.array([[token]], np.int32), "position": np.array([step], np.int32)}
            steps.append(np.asarray(exe.run(inputs)["logits"]).astype(np.float64))
        results[each] = np.stack(steps)
    return float(np.abs(results[device] - results["reference"]).max() / np.abs(results["reference"]).max())


def main() -> None:
    """Check, compile, time."""
    parser = argparse.ArgumentParser(prog="python -m bench.cuda_decode", description=__doc__)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--position", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--tiny", action="store_true", help="a small model")
    parser.add_argument("--gigabytes", type=float, default=4390.0, help="read limit of the GPU, per second")
    parser.add_argument("--check", action="store_true", help="compare a small model with the reference first")
    options = parser.parse_args()
    found: dict[str, Any] = {}
    if options.check:
        found["relative error of a small model"] = check("cuda")
    at = TINY if options.tiny else DecoderShape()
    position = min(options.position, at.context - 1)
    graph = decode_graph(at, options.batch)
    weights = random_weights(graph, at)
    start = time.perf_counter()
    exe = rlx.compile(graph, "cuda")
    exe.session.set_params(weights)
    moved = sum(array.nbytes for name, array in weights.items() if name not in ("cos", "sin"))
    device = exe.session.to_device
    inputs = {
        "token": device(np.zeros((options.batch, 1), np.int32)),
        "position": device(np.full(options.batch, position, np.int32)),
    }
    np.asarray(exe.run(inputs)["logits"])
    found["seconds to the first step"] = time.perf_counter() - start
    out = {"logits": exe.run(inputs)["logits"]}
    times = []
    for _ in range(3):
        np.asarray(exe.run(inputs, out=out)["logits"])
        start = time.perf_counter()
        for _ in range(options.steps):
            exe.run(inputs, out=out)
        np.asarray(out["logits"])
        times.append((time.perf_counter() - start) / options.steps * 1e3)
    found |= {"ms per step": min(times), "all": times, "GB of weights": moved / 1e9}
    found["share of the limit"] = moved / 1e9 / options.gigabytes * 1e3 / min(times)
    program = exe._runner.program  # type: ignore[union-attr]
    found["kernels"] = dict(Counter(step.name for step in program.steps))
    found["report"] = [str(entry) for entry in exe.report if entry.stage == "graph" or entry.kind == "host call"]
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
