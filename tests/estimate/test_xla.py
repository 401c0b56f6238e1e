"""Plans against what XLA's analyses say of the same step, on virtual devices and, where its compiler is installed, for TPUs."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from rlx.core.sharding import Mesh
from rlx.estimate import find_chip, plan_run
from rlx.estimate.xla_check import check_with_xla, topology_of
from rlx.train.config import TrainingConfig

pytest.importorskip("jax")

# layers, width, heads, ffn, vocabulary, batch, length, precision, mesh, sharding, chip
PAIRS = {
    "fsdp of 8": (4, 512, 8, 1408, 1024, 32, 256, "always_f32", "fsdp=8", "fsdp", "h200"),
    "fsdp of 4": (3, 512, 8, 1536, 512, 32, 128, "always_f32", "fsdp=4", "fsdp", "h200"),
    "tensor": (4, 512, 8, 1408, 1024, 16, 256, "always_f32", "data=2 model=4", "tensor", "h200"),
    "data and fsdp": (3, 384, 6, 1024, 512, 32, 128, "always_f32", "data=2 fsdp=4", "fsdp", "h200"),
    "fsdp on v5e": (2, 1024, 8, 4096, 8192, 32, 1024, "auto_mixed_bf16", "fsdp=4", "fsdp", "v5e"),
    "tensor on v5e": (2, 1024, 8, 4096, 8192, 16, 1024, "auto_mixed_bf16", "data=2 model=2", "tensor", "v5e"),
}


def written(folder: Path, pair: tuple) -> Path:
    layers, width, heads, ffn, vocabulary, batch, length, precision = pair[:8]
    path = folder / "run.toml"
    path.write_text(
        f'[data]\npaths = "x"\n[model]\nlayers = {layers}\nwidth = {width}\nheads = {heads}\nkv_heads = {heads}\nffn = {ffn}\n'
        f'vocabulary_size = {vocabulary}\n[training]\nbatch = {batch}\nlength = {length}\nprecision = "{precision}"\n'
    )
    return path


def both(folder: Path, pair: tuple):
    mesh, sharding, chip = Mesh.parse(pair[8]), pair[9], find_chip(pair[10])
    path = written(folder, pair)
    return plan_run(TrainingConfig.load(path), mesh, chip, sharding), check_with_xla(path, mesh, chip, sharding)


def test_arguments_are_xlas_to_the_byte(tmp_path):
    plan, numbers = both(tmp_path, (1, 32, 4, 48, 288, 16, 32, "always_f32", "data=1 fsdp=2", "fsdp", "h200"))
    assert numbers.arguments == plan.memory.resident + plan.memory.inputs
    assert not numbers.for_chip and set(numbers.collectives) >= {"all-gather", "all-reduce"}
    assert numbers.flops == pytest.approx(plan.time.flops, rel=0.25)


@pytest.mark.long
@pytest.mark.parametrize("name", PAIRS)
def test_memory_is_within_a_tenth_of_xlas(tmp_path, name):
    pair = PAIRS[name]
    if pair[10] == "v5e" and find_spec("libtpu") is None:
        pytest.skip("TPU programs are compiled by libtpu, which is not installed")
    plan, numbers = both(tmp_path, pair)
    memory = plan.memory if numbers.for_chip else plan.memory_when_late
    assert abs(memory.total / numbers.total - 1) < 0.1, (memory, numbers)


def test_topologies():
    if find_spec("libtpu") is None:
        assert topology_of(find_chip("v5e"), Mesh((8,), ("fsdp",))) == ""
    assert topology_of(find_chip("h100"), Mesh((8,), ("fsdp",))) == ""


def test_collectives_of_a_program_joined_and_asynchronous_ones_too():
    from rlx.backends.xla.arrays import collectives_in

    text = """
  %a = f32[8,16]{1,0} all-reduce(%x), channel_id=1, to_apply=%add
  %b = (f32[4]{0}, /*index=1*/bf16[2,2]{1,0}) all-reduce(%y, %z), channel_id=2
  %c = (f32[1,4]{1,0}, f32[8,4]{1,0}) all-gather-start(%w), channel_id=3
  ROOT %d = f32[8,4]{1,0} all-gather-done(%c)
  %e = f32[8,4]{1,0} all-gather(%w), channel_id=3
  %f = pred[3]{0} collective-permute(%p)
"""
    assert collectives_in(text) == {"all-gather": (1, 128), "all-reduce": (2, 536), "collective-permute": (1, 3)}
