"""rlx plan: prints what a training step needs on each device of a mesh, and beside it what XLA says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rich.console import Console

from rlx.estimate import RunPlan, advice, find_chip, plan_run
from rlx.estimate.plan import mesh_of
from rlx.estimate.xla_check import XlaNumbers, check_with_xla
from rlx.train.config import TrainingConfig


def plan(console: Console, path: Path, mesh: str, chip: str, sharding: str | None, *, check: bool) -> None:
    """Prints the plan of a training run; RLX514 if it does not fit."""
    config = TrainingConfig.load(path)
    chosen = sharding or config.device.sharding
    kind, axes = find_chip(chip), mesh_of(mesh, chosen)
    config = replace(config, device=replace(config.device, sharding=chosen))
    run = plan_run(config, axes, kind)
    for line in plan_text(run):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    if check:
        numbers = check_with_xla(path, axes, kind, chosen)
        for line in check_text(run, numbers):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    run.check_fits("; ".join(advice(run)))


def plan_text(run: RunPlan) -> list[str]:
    """Formats a training plan as lines of text."""
    shape, memory, time, chip = run.shape, run.memory, run.time, run.chip
    axes = " ".join(f"{name}={size}" for name, size in run.mesh.axes.items())
    rows = [
        f"Llama with {shape.parameters:,} weights on {run.mesh.size:,} {chip.name} ({axes}, {run.sharding}), {run.precision}",
        f"{run.tokens:,} tokens a step. Each device:",
        "",
        f"memory               {_size(memory.total)} of {_size(chip.memory_bytes)}, {memory.total / chip.memory_bytes:.0%}",
        f"  weights            {_size(memory.params)}",
        f"  moments            {_size(memory.optimizer)}",
        *(f"  {kind:18} {_size(size)}" for kind, size in memory.temporary.items() if size >= 1e6),
        f"work                 {_with_unit(time.flops, 'FLOP')}, {_size(time.traffic)} of memory traffic",
        *(f"{kind:20} {_size(size)} over {names}" for (kind, names), size in sorted(run.exchanges.items()) if size >= 1e3),
        f"time of a step       {_seconds(time.total)}: kernels {_seconds(time.compute)}, weights and gradients on their way"
        f" {_seconds(time.hidden)} (beside the kernels), waiting for activations {_seconds(time.exposed)}",
        f"speed                {run.tokens_per_second:,.0f} tokens/s, MFU {run.mfu:.1%}",
        "largest tensors",
        *(f"  {_size(size):>10}  {what}" for what, size in run.largest),
    ]
    changes = advice(run)
    return [*rows, *(["what to change"] if changes else []), *(f"  {line}" for line in changes)]


def check_text(run: RunPlan, numbers: XlaNumbers) -> list[str]:
    """Formats XLA's numbers beside the plan's."""
    memory = run.memory if numbers.for_chip else run.memory_when_late
    total, mine = numbers.total, memory.total
    products = _with_unit(run.time.flops, "FLOP")
    return [
        "",
        f"XLA, for {numbers.target}, compiled in {numbers.seconds:.0f} s:",
        f"memory               {_size(total)}, the plan {_size(mine)} ({mine / total - 1:+.1%})",
        f"  arguments          {_size(numbers.arguments)}, the plan {_size(memory.resident + memory.inputs)}",
        f"  temporary          {_size(numbers.temporary)}, the plan {_size(sum(memory.temporary.values()))}",
        f"work                 {_with_unit(numbers.flops, 'FLOP')} with elementwise ops, the plan {products} of products",
        *(f"{kind:20} {_size(size)} in {count}" for kind, (count, size) in numbers.collectives.items()),
    ]


def _size(count: float) -> str:
    return _with_unit(count, "B")


def _with_unit(count: float, unit: str) -> str:
    for power, letter in ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= power:
            return f"{count / power:.3g} {letter}{unit}" if count < 999.5 * power else f"{count / power:.0f} {letter}{unit}"
    return f"{count:.0f} {unit}"


def _seconds(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"
