"""Predicted against measured on one device of JAX's default platform: memory and time of a training step of three Llamas, as JSON.

python -m bench.plan_check [--chip h200] [--tiny]      on an H200 it takes less than three minutes
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
from typing import Any

import numpy as np

from rlx.core.sharding import Mesh
from rlx.estimate import find_chip, plan_run
from rlx.estimate.plan import run_shape
from rlx.train.config import TrainingConfig
from rlx.train.step import compile_training

SHAPES: dict[str, tuple[int, ...]] = {
    "125M": (12, 768, 12, 12, 2048, 32000, 8, 2048),
    "350M": (24, 1024, 16, 16, 2816, 32000, 8, 2048),
    "1B": (16, 2048, 32, 8, 8192, 32000, 4, 2048),
}
TINY: dict[str, tuple[int, ...]] = {
    "tiny": (1, 64, 4, 4, 128, 512, 2, 64),
    "small": (2, 64, 4, 2, 160, 512, 2, 64),
    "longer": (2, 96, 4, 4, 256, 512, 2, 128),
}
"""Layers, width, heads, kv_heads, ffn, vocabulary, batch, length."""


def configuration(sizes: tuple[int, ...]) -> TrainingConfig:
    """A run with AdamW in bf16."""
    layers, width, heads, kv_heads, ffn, vocabulary, batch, length = sizes
    return TrainingConfig.parse(
        f'[data]\npaths = "none.txt"\n[model]\nlayers = {layers}\nwidth = {width}\nheads = {heads}\nkv_heads = {kv_heads}\nffn = {ffn}\n'
        f'vocabulary_size = {vocabulary}\n[training]\nbatch = {batch}\nlength = {length}\nprecision = "auto_mixed_bf16"\n'
    )


def measured(config: TrainingConfig, steps: int) -> dict[str, float | None]:
    """Peak memory by the allocator and by XLA's analysis, and the median time of a step."""
    import jax

    shape, run = run_shape(config), config.training
    training = compile_training(
        shape.training(run.batch, run.length),
        "loss",
        config.rule(),
        device="xla",
        clip_norm=run.clip_norm,
        guard=True,
        precision=run.precision,
    )
    random = np.random.default_rng(0)
    weights = {
        name: random.standard_normal(dims, np.float32) * 0.02 if len(dims) > 1 else np.ones(dims, np.float32)
        for name, dims in shape.param_dims().items()
    }
    training.set_params(weights)
    ids = random.integers(0, shape.vocabulary, (run.batch, run.length), np.int32)
    batch = {"ids": ids, "labels": ids.reshape(-1)}
    start = time.perf_counter()
    training.step(batch)
    compiling = time.perf_counter() - start
    seconds = []
    for _ in range(steps):
        start = time.perf_counter()
        float(training.step(batch)["loss"])
        seconds.append(time.perf_counter() - start)
    (program,) = training.executable.code.programs.values()
    analysis: Any = program.run.memory_analysis()
    resident = analysis.argument_size_in_bytes + analysis.output_size_in_bytes - analysis.alias_size_in_bytes
    stats = jax.devices()[0].memory_stats() or {}
    return {
        "peak_bytes": stats.get("peak_bytes_in_use"),
        "xla_bytes": resident + analysis.temp_size_in_bytes,
        "step_seconds": statistics.median(seconds),
        "compile_seconds": compiling,
    }


def row(name: str, sizes: tuple[int, ...], chip: str, steps: int) -> dict[str, Any]:
    """One model: what was predicted, what was measured, and their ratios."""
    config = configuration(sizes)
    plan = plan_run(config, Mesh((1,), ("fsdp",)), find_chip(chip))
    found = measured(config, steps)
    peak = found["peak_bytes"] or found["xla_bytes"]
    assert peak and found["step_seconds"]
    return {
        "model": name,
        "weights": plan.shape.parameters,
        "chip": chip,
        "predicted_bytes": plan.memory.total,
        "predicted_parts": {"params": plan.memory.params, "optimizer": plan.memory.optimizer, **plan.memory.temporary},
        "predicted_seconds": plan.time.total,
        "predicted_mfu": plan.mfu,
        **found,
        "mfu": plan.model_flops / (found["step_seconds"] * plan.chip.bf16_flops),
        "memory_ratio": plan.memory.total / peak,
        "time_ratio": plan.time.total / found["step_seconds"],
    }


def main() -> None:
    """Smallest first: the allocator's peak only rises, so each model's is its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chip", default="h200")
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--tiny", action="store_true", help="models for a CPU")
    parser.add_argument("--model", default="", help="one of them alone")
    given = parser.parse_args()
    for name, sizes in (TINY if given.tiny else SHAPES).items():
        if given.model in ("", name):
            print(json.dumps(row(name, sizes, given.chip, given.steps)), flush=True)
            gc.collect()


if __name__ == "__main__":
    main()
