"""A decode step of a Llama on a GPU: `python -m bench.cuda_decode`. Random weights, one token, a cache that already holds a context.

Prints milliseconds per step by steps between two waits, the share of the limit that reading every weight once sets, and the kernels of
the graph, for each `--batch`. `--check` compares a small model with the reference device first, `--profile` times each kernel, `--tiles`
tries tiles for each product and prints entries for `kernels/tiles.py`, `--splits` and `--keys` time the step by these numbers,
`--peers` times torch and JAX too. `RLX_CUDA=interpret python -m bench.cuda_decode --tiny` runs without a GPU.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

import rlx
from bench.cuda_peers import peers
from bench.cuda_profile import print_best_tiles, profiled
from rlx.backends.cuda.kernels.tiles import trying


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


def compiled_step(at: DecoderShape, batch: int, position: int, weights: dict[str, np.ndarray] | None = None) -> Any:
    """An executable with its params, inputs on the device, and a first run behind it."""
    graph = decode_graph(at, batch)
    exe = rlx.compile(graph, "cuda")
    exe.session.set_params(random_weights(graph, at) if weights is None else weights)
    device = exe.session.to_device
    inputs = {"token": device(np.zeros((batch, 1), np.int32)), "position": device(np.full(batch, position, np.int32))}
    np.asarray(exe.run(inputs)["logits"])
    return exe, inputs


def timed_step(exe: Any, inputs: Any, steps: int) -> list[float]:
    """Milliseconds per step, three times: steps between two waits."""
    out = {"logits": exe.run(inputs)["logits"]}
    times = []
    for _ in range(3):
        np.asarray(exe.run(inputs, out=out)["logits"])
        start = time.perf_counter()
        for _ in range(steps):
            exe.run(inputs, out=out)
        np.asarray(out["logits"])
        times.append((time.perf_counter() - start) / steps * 1e3)
    return times


def measured(options: argparse.Namespace, at: DecoderShape, batch: int, weights: dict[str, np.ndarray]) -> dict[str, Any]:
    """One batch size: time, share of the limit, kernels."""
    start = time.perf_counter()
    exe, inputs = compiled_step(at, batch, min(options.context, at.context - 1), weights)
    found: dict[str, Any] = {"batch": batch, "seconds to the first step": time.perf_counter() - start}
    times = timed_step(exe, inputs, options.steps)
    moved = sum(array.nbytes for name, array in weights.items() if name not in ("cos", "sin"))
    found |= {"ms per step": min(times), "all": times, "tokens per second": batch / min(times) * 1e3}
    found["share of the limit"] = moved / 1e9 / options.gigabytes * 1e3 / min(times)
    found["kernels"] = dict(Counter(step.name for step in exe._runner.program.steps))
    found["report"] = [str(entry) for entry in exe.report if entry.stage == "graph" or entry.kind == "host call"]
    if options.profile:
        found["kernels by time"] = profiled(exe, inputs, options.gigabytes)
    return found


def swept_step(options: argparse.Namespace, at: DecoderShape, batch: int, weights: dict[str, np.ndarray]) -> None:
    """The whole step by the splits of attention and the keys at once; what is not given is today's."""
    given = {name: getattr(options, name) for name in ("splits", "keys") if getattr(options, name)}
    for numbers in product(*given.values()):
        sizes = dict(zip(given, numbers, strict=True))
        with trying({}, **sizes):
            exe, inputs = compiled_step(at, batch, min(options.context, at.context - 1), weights)
            best = min(timed_step(exe, inputs, options.steps))
        what = ", ".join(f"{name} {size}" for name, size in sizes.items())
        print(f"batch {batch}: {what}: {best:.4f} ms", flush=True)


def main() -> None:
    """Check, compile, time."""
    parser = argparse.ArgumentParser(prog="python -m bench.cuda_decode", description=__doc__)
    parser.add_argument("--batch", type=int, nargs="+", default=[1])
    parser.add_argument("--context", "--position", type=int, default=1024, help="tokens that the caches hold")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--tiny", action="store_true", help="a small model")
    parser.add_argument("--gigabytes", type=float, default=4390.0, help="read limit of the GPU, per second")
    parser.add_argument("--check", action="store_true", help="compare a small model with the reference first")
    parser.add_argument("--profile", action="store_true", help="microseconds of each kernel of the step")
    parser.add_argument("--tiles", action="store_true", help="try tiles of each product, print the table's entries; no step")
    parser.add_argument("--peers", action="store_true", help="torch and JAX beside it, where they are installed")
    for name, what in (("splits", "of the keys"), ("keys", "at once")):
        parser.add_argument(f"--{name}", type=int, nargs="+", help=f"time the step by each number: {what}")
    options = parser.parse_args()
    at = TINY if options.tiny else DecoderShape()
    if options.check:
        print(json.dumps({"relative error of a small model": check("cuda")}), flush=True)
    if options.tiles:
        for batch in options.batch:
            print_best_tiles(decode_graph(replace(at, layers=1), batch), options.gigabytes)
        return
    weights = random_weights(decode_graph(at), at)
    for batch in options.batch:
        if options.splits or options.keys:
            swept_step(options, at, batch, weights)
        else:
            print(json.dumps(measured(options, at, batch, weights), indent=1), flush=True)
    if options.peers:
        for batch in options.batch:
            for name, result in peers(at, batch, min(options.context, at.context - 1), options.steps):
                print(f"batch {batch}, {name}: {result}", flush=True)


if __name__ == "__main__":
    main()
