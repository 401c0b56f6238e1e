"""docs/scale.md: predictions for Llamas of 8B, 70B and 405B on 8 … 16,384 chips, and what the model of `rlx plan` was checked against.

python scripts/scale_page.py        writes the page (a minute or two); tests/estimate/test_scale_page.py says whether it is up to date
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from rlx.core.sharding import Mesh, P, preset_table
from rlx.estimate import CHIPS, RunPlan, find_chip, plan_run
from rlx.estimate.plan import run_shape
from rlx.train.config import TrainingConfig

PAGE = ROOT / "docs" / "scale.md"
LENGTH, ROWS = 4096, 1024
ON = ("h200", "v5p")


@dataclass(frozen=True)
class ModelSize:
    """A published shape, and the size of the `model` axis it is planned with."""

    layers: int
    width: int
    heads: int
    kv_heads: int
    ffn: int
    model: int
    counts: tuple[int, ...]


MODELS = {
    "8B": ModelSize(32, 4096, 32, 8, 14336, 1, (8, 64, 1024)),
    "70B": ModelSize(80, 8192, 64, 8, 28672, 8, (64, 512, 4096)),
    "405B": ModelSize(126, 16384, 128, 8, 53248, 16, (512, 4096, 16384)),
}

CHECKED = """| model (layers × width, ffn, vocabulary) | batch × length, precision | mesh | compiled for | XLA | the plan | difference |
|---|---|---|---|---|---|---|
| 12 × 768, 2048, 32000 (125M) | 8 × 2048, bf16 | one device | H200 | 10.37 GB | 10.62 GB | +2 % |
| 24 × 1024, 2816, 32000 (350M) | 8 × 2048, bf16 | one device | H200 | 25.08 GB | 26.19 GB | +4 % |
| 16 × 2048, 8192, 32000 (1B, 8 key heads) | 4 × 2048, bf16 | one device | H200 | 32.35 GB | 32.45 GB | +0 % |
| 4 × 1024, 2816, 32000 | 16 × 1024, bf16 | fsdp=4 | 4 H200 | 2070 MB | 1954 MB | −6 % |
| 4 × 1024, 2816, 32000 | 16 × 1024, bf16 | data=2 model=2, tensor | 4 H200 | 2659 MB | 2573 MB | −3 % |
| 2 × 1024, 4096, 8192 | 32 × 1024, bf16 | fsdp=4 | TPU topology v5e:2x2 | 1386 MB | 1296 MB | −6 % |
| 2 × 1024, 4096, 8192 | 16 × 1024, bf16 | data=2 model=2, tensor | TPU topology v5e:2x2 | 1108 MB | 1032 MB | −7 % |
| 2 × 4096, 14336, 32768 | 256 × 2048, bf16 | fsdp=256 | TPU topology v5e:16x16 | 3885 MB | 3615 MB | −7 % |
| 4 × 512, 1408, 1024 | 32 × 256, f32 | fsdp=8 | 8 virtual devices | 252 MB | 241 MB | −4 % |
| 4 × 512, 1408, 1024 | 16 × 256, f32 | data=2 model=4, tensor | 8 virtual devices | 265 MB | 268 MB | +1 % |
| 3 × 512, 1536, 512 | 32 × 128, f32 | fsdp=4 | 4 virtual devices | 227 MB | 216 MB | −5 % |
| 3 × 384, 1024, 512 | 32 × 128, f32 | data=2 fsdp=4, fsdp | 8 virtual devices | 88 MB | 85 MB | −3 % |
| *6 × 256, 704, 2048* | 16 × 512, f32 | fsdp=4 | 4 virtual devices | 393 MB | 347 MB | **−12 %** |
| *4 × 512, 1408, 1024* | 16 × 256, f32 | data=2 sequence=4, sequence | 8 virtual devices | 308 MB | 364 MB | **+18 %** |
| *3 × 256, 768, 1024* | 8 × 256, f32 | model=4, tensor | 4 virtual devices | 81 MB | 65 MB | **−20 %** |
| *4 × 512, 1408, 1024* | 16 × 256, f32 | one device | the CPU | 1102 MB | 873 MB | **−21 %** |"""


def configuration(size: ModelSize, devices: int) -> tuple[TrainingConfig, Mesh]:
    """A row of 4096 tokens for each group of devices, and so many microbatches that a step has 4.2 M tokens."""
    mesh = Mesh((devices // size.model, size.model), ("fsdp", "model"))
    batch = min(ROWS, devices // size.model)
    config = TrainingConfig.parse(
        f'[data]\npaths = "text"\n[model]\nlayers = {size.layers}\nwidth = {size.width}\nheads = {size.heads}\n'
        f"kv_heads = {size.kv_heads}\nffn = {size.ffn}\nvocabulary_size = 131072\n"
        f'[training]\nbatch = {batch}\nlength = {LENGTH}\naccumulate = {ROWS // batch}\nprecision = "auto_mixed_bf16"\n'
    )
    return config, mesh


def predicted(size: ModelSize, devices: int, chip: str) -> RunPlan:
    """The plan."""
    config, mesh = configuration(size, devices)
    specs = preset_table("fsdp+tensor", mesh, run_shape(config).param_dims()) | {"embedding": P(("model", "fsdp"))}
    return plan_run(config, mesh, find_chip(chip), specs)


def table_row(name: str, devices: int, chip: str) -> str:
    """One line of the page."""
    plan = predicted(MODELS[name], devices, chip)
    memory = plan.memory.total / 1e9
    share = f"{memory:.0f} of {plan.chip.memory_bytes / 1e9:.0f} GB"
    axes = " ".join(f"{axis}={size}" for axis, size in plan.mesh.axes.items() if size > 1)
    if not plan.fits:
        return f"| {name} | {devices:,} {chip} | {axes} | {share}: does not fit | | | |"
    waits = (max(0.0, plan.time.hidden - plan.time.compute) + plan.time.exposed) / plan.time.total
    speed = f"{plan.tokens_per_second:,.0f}"
    return f"| {name} | {devices:,} {chip} | {axes} | {share} | {plan.time.total:.3g} s | {waits:.0%} | {speed}, {plan.mfu:.0%} |"


def page() -> str:
    """The whole page."""
    rows = [table_row(name, count, chip) for name, size in MODELS.items() for count in size.counts for chip in ON]
    chips = [
        f"| {chip.name} | {chip.memory_bytes / 1e9:.0f} GB | {chip.bf16_flops / 1e12:.0f} | {chip.f32_flops / 1e12:.0f} "
        f"| {chip.memory_bandwidth / 1e9:.0f} | {chip.link_bandwidth / 1e9:.0f} in {chip.domain:,} "
        f"| {chip.network_bandwidth / 1e9:.3g} | {chip.source} |"
        for chip in CHIPS.values()
    ]
    return (
        TEXT.replace("ROWS_OF_CHIPS", "\n".join(chips)).replace("ROWS_OF_PLANS", "\n".join(rows)).replace("ROWS_OF_CHECKS", CHECKED)
    )


TEXT = (ROOT / "scripts" / "scale_page.txt").read_text()


if __name__ == "__main__":
    PAGE.write_text(page())
