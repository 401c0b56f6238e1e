"""Trainings on meshes of virtual devices against one device: run as a program, since the number of devices is fixed when JAX starts.

python -m tests.backends.xla.sharded STEPS LAYERS f64|f32 CASE …      prints a line of JSON for each case
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import numpy as np

COUNT = 8
COMPILE_QUICKLY = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
CASES: dict[str, tuple[str, tuple[int, ...], tuple[str, ...], str]] = {
    "fsdp": ("llama", (8,), ("fsdp",), "fsdp"),
    "tensor": ("llama", (2, 4), ("data", "model"), "tensor"),
    "fsdp+tensor": ("llama", (2, 4), ("fsdp", "model"), "fsdp+tensor"),
    "sequence": ("llama", (2, 4), ("data", "sequence"), "sequence"),
    "expert": ("experts", (2, 4), ("data", "expert"), "expert"),
    "fsdp+expert": ("experts", (2, 4), ("fsdp", "expert"), "fsdp+expert"),
    "dropout": ("dropped", (2, 4), ("fsdp", "model"), "fsdp+tensor"),
}
ROWS, LENGTH, VOCABULARY, WIDTH = 8, 16, 64, 32


def in_f64(graph: Any) -> Any:
    """The same graph on f64: f32 rounding would hide what a mesh changes."""
    import rlx
    from rlx.ir.op import OPS
    from rlx.ir.pattern import Rewriter

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


def dropped(layers: int) -> tuple[Any, dict[str, Any]]:
    """Gated rows with dropout on each layer: what is dropped is the same on every mesh."""
    import rlx

    random = np.random.default_rng(5)
    sizes: dict[str, tuple[int, ...]] = {"embedding": (VOCABULARY, WIDTH), "head": (WIDTH, VOCABULARY)}
    for layer in range(layers):
        sizes |= {f"layers.{layer}.up": (WIDTH, 64), f"layers.{layer}.down": (64, WIDTH)}
    g = rlx.Graph("dropped")
    ids, labels = g.input("ids", (ROWS, LENGTH), "i32"), g.input("labels", (ROWS * LENGTH,), "i32")
    params = {name: g.param(name, dims) for name, dims in sizes.items()}
    rng = g.rng("dropout", seed=7)
    x = g.gather(params["embedding"], ids, axis=0).reshape(ROWS * LENGTH, WIDTH)
    for layer in range(layers):
        inside = rng.dropout(g.silu(x @ params[f"layers.{layer}.up"]), 0.2)
        x = x + rng.dropout(inside @ params[f"layers.{layer}.down"], 0.1)
    g.set_outputs({"loss": g.softmax_cross_entropy_with_logits(x @ params["head"], labels).mean()})
    return g, {name: (random.standard_normal(dims) * 0.1).astype(np.float32) for name, dims in sizes.items()}


def batches(steps: int) -> list[dict[str, Any]]:
    """Tokens at random, each followed by one that it determines."""
    random = np.random.default_rng(1)
    ids = random.integers(0, VOCABULARY, (steps, ROWS, LENGTH), np.int32)
    return [{"ids": rows, "labels": (rows.reshape(-1) * 7 + 3) % VOCABULARY} for rows in ids]


def gradients(graph: Any, weights: dict[str, Any], **where: Any) -> dict[str, Any]:
    """Those of the first batch, in f64 to compare them."""
    import rlx
    from rlx.runtime.device_calls import mesh_session

    module = rlx.autodiff.grad_with_loss(rlx.GraphModule.from_graph(graph), list(weights), output="loss")
    dims = {name: array.shape for name, array in weights.items()}
    session = mesh_session("xla", where.get("mesh"), where.get("sharding"), dims)
    executable = session.compile(module)
    session.set_params(weights)
    found = executable.run(batches(1)[0])
    return {name: np.asarray(found[f"grad_{name}"]).astype(np.float64) for name in weights}


def trained(graph: Any, weights: dict[str, Any], steps: int, **where: Any) -> tuple[list[float], Any]:
    """The losses, and the training."""
    import rlx
    from rlx.train import AdamW, compile_training

    module = rlx.GraphModule.from_graph(graph)
    training = compile_training(module, "loss", AdamW(lr=3e-3), device="xla", clip_norm=1.0, **where)
    training.set_params(weights)
    return [float(training.step(batch)["loss"]) for batch in batches(steps)], training


def exchanged(code: Any) -> dict[str, tuple[int, int]]:
    """Collectives of the one program of a training: how many, and the bytes of their results on one device."""
    from rlx.backends.xla.arrays import collectives_in

    (program,) = code.programs.values()
    found = collectives_in(program.run.as_text())
    assert code.collectives() == {kind: count for kind, (count, _) in found.items()}
    return found


def main(steps: int, layers: int, precision: str, names: list[str]) -> None:
    import rlx

    known: dict[str, Any] = {}
    for name in names:
        kind, shape, axes, preset = CASES[name]
        if kind not in known:
            graph, weights = {"llama": llama, "experts": experts, "dropped": dropped}[kind](layers)
            if precision == "f64":
                graph, weights = in_f64(graph), {key: array.astype(np.float64) for key, array in weights.items()}
            known[kind] = graph, weights, gradients(graph, weights), trained(graph, weights, steps)[0]
        graph, weights, alone, curve = known[kind]
        where = {"mesh": rlx.Mesh(shape, axes), "sharding": preset}
        found = gradients(graph, weights, **where)
        losses, training = trained(graph, weights, steps, **where)
        session, norm = training.session, np.linalg.norm
        told = {
            "case": name,
            "precision": precision,
            "largest": max(float(np.abs(found[key] - own).max() / np.abs(own).max()) for key, own in alone.items()),
            "norm": max(float(norm(found[key] - own) / norm(own)) for key, own in alone.items()),
            "curve": max(abs(a - b) for a, b in zip(losses, curve, strict=True)),
            "fell": losses[0] - losses[-1],
            "shardings": {
                key: [str(session.spec(key)), list(entry.array.handle.addressable_shards[0].data.shape)]
                for key, entry in session.entries.items()
            },
            "collectives": exchanged(training.executable.code),
        }
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={COUNT} {COMPILE_QUICKLY}"
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:])
