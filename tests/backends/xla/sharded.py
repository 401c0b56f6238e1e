"""Trainings on meshes of virtual devices against one device: run as a program, since the number of devices is fixed when JAX starts.

python -m tests.backends.xla.sharded STEPS CASE …      prints a line of JSON for each case
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import numpy as np

COUNT = 8
CASES: dict[str, tuple[str, tuple[int, ...], tuple[str, ...], str]] = {
    "fsdp": ("llama", (8,), ("fsdp",), "fsdp"),
    "tensor": ("llama", (2, 4), ("data", "model"), "tensor"),
    "fsdp+tensor": ("llama", (2, 4), ("fsdp", "model"), "fsdp+tensor"),
    "sequence": ("llama", (2, 4), ("data", "sequence"), "sequence"),
    "expert": ("experts", (2, 4), ("data", "expert"), "expert"),
    "fsdp+expert": ("experts", (2, 4), ("fsdp", "expert"), "fsdp+expert"),
}
ROWS, LENGTH, VOCABULARY, WIDTH = 8, 16, 64, 32


def in_f64(graph: Any) -> Any:
    """The same graph on f64: f32 rounding would hide what a mesh changes."""
    import rlx
    from rlx.ir.op import OPS
    from rlx.ir.rewrite import Rewriter

    rewriter = Rewriter(graph, "in f64")
    for node in graph.nodes:
        if node.op.is_param:
            rewriter.copy(node, OPS["param"].op(name=node.op["name"], shape=node.shape.with_dtype("f64")))
        elif node.op.is_constant and node.shape.dtype.name == "f32":
            rewriter.copy(node, OPS["constant"].op(value=node.op["value"].array.astype(np.float64)))
        else:
            rewriter.copy(node)
    return rlx.Graph.adopt(rewriter.finish()[0])


def llama(layers: int) -> tuple[Any, dict[str, Any]]:
    from rlx.train.language_model import LlamaShape

    shape = LlamaShape(VOCABULARY, layers, WIDTH, heads=4, kv_heads=4, ffn=64, positions=LENGTH)
    return shape.training(ROWS, LENGTH).lower_for_autodiff().as_graph(), shape.first_weights(0)


def experts(layers: int) -> tuple[Any, dict[str, Any]]:
    """Rows to the better of 4 experts each, by a router that learns through the weight of its choice."""
    import rlx

    count, inner, random = 4, 48, np.random.default_rng(3)
    sizes = {"embedding": (VOCABULARY, WIDTH), "head": (WIDTH, VOCABULARY)}
    for layer in range(layers):
        sizes |= {
            f"layers.{layer}.router": (WIDTH, count),
            f"layers.{layer}.experts_up": (count, WIDTH, inner),
            f"layers.{layer}.experts_down": (count, inner, WIDTH),
        }
    g = rlx.Graph("experts")
    ids, labels = g.input("ids", (ROWS, LENGTH), "i32"), g.input("labels", (ROWS * LENGTH,), "i32")
    params = {name: g.param(name, dims) for name, dims in sizes.items()}
    x = g.gather(params["embedding"], ids, axis=0).reshape(ROWS * LENGTH, WIDTH)
    for layer in range(layers):
        scores = g.softmax(x @ params[f"layers.{layer}.router"], axis=-1)
        weight, chosen = g.top_k(scores, k=1)
        inside = g.silu(g.grouped_matmul(x, params[f"layers.{layer}.experts_up"], chosen.reshape(ROWS * LENGTH)))
        made = g.grouped_matmul(inside, params[f"layers.{layer}.experts_down"], chosen.reshape(ROWS * LENGTH))
        x = x + made * weight
    g.set_outputs({"loss": g.softmax_cross_entropy_with_logits(x @ params["head"], labels).mean()})
    return g, {name: (random.standard_normal(dims) * 0.1).astype(np.float32) for name, dims in sizes.items()}


def batches(steps: int) -> list[dict[str, Any]]:
    """Tokens at random, each followed by one that it determines."""
    random = np.random.default_rng(1)
    ids = random.integers(0, VOCABULARY, (steps, ROWS, LENGTH), np.int32)
    return [{"ids": rows, "labels": (rows.reshape(-1) * 7 + 3) % VOCABULARY} for rows in ids]


def trained(graph: Any, weights: dict[str, Any], steps: int, **where: Any) -> tuple[list[float], dict[str, Any], Any]:
    """The losses, the params after one step of plain descent (less their gradients), and the training of the curve."""
    import rlx
    from rlx.train import SGD, AdamW, compile_training

    first = compile_training(rlx.GraphModule.from_graph(graph), "loss", SGD(lr=1.0), device="xla", **where)
    first.set_params(weights)
    first.step(batches(1)[0])
    after = {name: first.param(name) for name in first.params}
    training = compile_training(
        rlx.GraphModule.from_graph(graph), "loss", AdamW(lr=3e-3), device="xla", clip_norm=1.0, **where
    )
    training.set_params(weights)
    return [float(training.step(batch)["loss"]) for batch in batches(steps)], after, training


def main(steps: int, layers: int, names: list[str]) -> None:
    import rlx

    known: dict[str, Any] = {}
    for name in names:
        kind, shape, axes, preset = CASES[name]
        if kind not in known:
            graph, weights = (llama if kind == "llama" else experts)(layers)
            wide = in_f64(graph)
            arrays = {key: array.astype(np.float64) for key, array in weights.items()}
            known[kind] = wide, arrays, *trained(wide, arrays, steps)[:2]
        graph, arrays, curve, after = known[kind]
        losses, found, training = trained(graph, arrays, steps, mesh=rlx.Mesh(shape, axes), sharding=preset)
        scale = {key: np.abs(arrays[key] - value).max() + 1e-30 for key, value in after.items()}
        session = training.session
        told = {
            "case": name,
            "gradients": max(float(np.abs(found[key] - after[key]).max() / scale[key]) for key in after),
            "curve": max(abs(a - b) for a, b in zip(losses, curve, strict=True)),
            "fell": losses[0] - losses[-1],
            "shardings": {
                key: [str(session.spec(key)), list(entry.array.handle.addressable_shards[0].data.shape)]
                for key, entry in session.entries.items()
            },
            "collectives": training.executable.code.collectives(),
        }
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={COUNT}"
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
