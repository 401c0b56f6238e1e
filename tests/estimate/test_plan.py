"""Plans against numbers computed by hand, and input that is not accepted."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from rlx.core.errors import RlxError
from rlx.core.sharding import Mesh, P
from rlx.estimate import CHIPS, advice, find_chip, plan_run
from rlx.estimate import plan as plans
from rlx.estimate.chips import exchange_seconds
from rlx.estimate.placement import Exchange
from rlx.estimate.plan import mesh_of
from rlx.estimate.sharding_rules import reshape_cut
from rlx.train.config import TrainingConfig

ROWS, LENGTH, WIDTH, HEADS, VOCABULARY, FFN = 32, 16, 32, 4, 288, 48


def config(layers=2, more="", **training) -> TrainingConfig:
    steps = {"batch": ROWS, "length": LENGTH, **training}
    lines = "\n".join(f"{key} = {value!r}".replace("'", '"') for key, value in steps.items())
    return TrainingConfig.parse(
        f'[data]\npaths = "x"\n[model]\nlayers = {layers}\nwidth = {WIDTH}\nheads = {HEADS}\nkv_heads = {HEADS}\nffn = {FFN}\n'
        f"vocabulary_size = {VOCABULARY}\n[training]\n{lines}\n{more}"
    )


def sizes(layers: int) -> tuple[int, int, int]:
    """Elements of the matrices that are multiplied, of the token table, and of the gains."""
    matrices = layers * (4 * WIDTH * WIDTH + 3 * WIDTH * FFN) + WIDTH * VOCABULARY
    return matrices, VOCABULARY * WIDTH, (2 * layers + 1) * WIDTH


def test_fsdp_by_hand():
    plan = plan_run(config(), Mesh((8,), ("fsdp",)), find_chip("v5e"), "fsdp")
    matrices, table, gains = sizes(2)
    weights = matrices + table + gains
    assert plan.shape.parameters == weights
    assert plan.memory.params == weights * 4 / 8
    assert plan.memory.optimizer == 2 * weights * 4 / 8 + 4  # and the count of steps
    assert plan.memory.inputs == 2 * ROWS * LENGTH * 4 / 8
    # each weight forward and backward, the table once; every gradient once
    assert plan.exchanges["all-gather", "fsdp"] == 4 * (2 * matrices + table + gains)
    assert plan.exchanges["reduce-scatter", "fsdp"] == 4 * weights
    products = 6 * ROWS * LENGTH * matrices
    attention = 2 * 7 * 2 * ROWS * HEADS * LENGTH**2 * (WIDTH // HEADS)  # 2 products forward, 5 backward
    assert plan.time.flops == pytest.approx((products + attention) / 8)


def test_tensor_by_hand():
    plan = plan_run(config(), Mesh((2, 4), ("data", "model")), find_chip("h200"), "tensor")
    matrices, table, gains = sizes(2)
    assert plan.memory.params == 4 * ((matrices + table) / 4 + gains)
    assert plan.exchanges["all-reduce", "data"] == pytest.approx(4 * ((matrices + table) / 4 + gains), abs=64)
    stream = ROWS // 2 * LENGTH * WIDTH * 4
    # the table's rows, 2 sums forward in a layer, 5 backward (of q, k, v, gate and up), one of the head
    assert plan.exchanges["all-reduce", "model"] == pytest.approx((1 + 2 * (2 + 5) + 1) * stream, rel=0.02)
    assert ("all-gather", "model") not in plan.exchanges


def test_one_device_exchanges_nothing():
    plan = plan_run(config(1), Mesh((1,), ("fsdp",)), find_chip("v5e"))
    assert not plan.exchanges and plan.time.hidden == plan.time.exposed == 0
    assert plan.memory == plan.memory_when_late


def test_activations_that_wait_for_the_backward_pass():
    """In f32 on one device, at the end of the forward pass: what is known to be read again."""
    small, large = (plan_run(config(1, batch=rows), Mesh((1,), ("fsdp",)), find_chip("h200")) for rows in (8, 16))
    more = sum(large.memory.temporary.values()) - sum(small.memory.temporary.values())
    tokens, layers = 8 * LENGTH, 1
    # a layer: its input, both norms with and without gain, q, k, v, the mixed values, the sum; gate, up, their product
    least = tokens * layers * (8 * WIDTH + 3 * FFN) * 4
    assert least < more < 3 * least + tokens * VOCABULARY * 8


@pytest.mark.parametrize(
    "mesh, preset, fewer, layers",
    [
        (Mesh((4,), ("fsdp",)), "fsdp", (1, 2), 3),
        pytest.param(Mesh((4,), ("fsdp",)), "fsdp", (2, 4), 12, marks=pytest.mark.long),
        pytest.param(Mesh((2, 2), ("data", "model")), "tensor", (2, 4), 12, marks=pytest.mark.long),
    ],
)
def test_layers_are_extrapolated(monkeypatch, mesh, preset, fewer, layers):
    monkeypatch.setattr(plans, "_FEWER", fewer)
    monkeypatch.setattr(plans, "_BUILT_WHOLE", layers - 1)
    found = plan_run(config(layers), mesh, find_chip("v5e"), preset)
    monkeypatch.setattr(plans, "_BUILT_WHOLE", layers)
    whole = plan_run(config(layers), mesh, find_chip("v5e"), preset)
    assert found.shape == whole.shape and found.exchanges == pytest.approx(whole.exchanges)
    assert found.memory.total == pytest.approx(whole.memory.total, rel=0.03)  # few layers are fullest elsewhere
    assert found.memory_when_late.total == pytest.approx(whole.memory_when_late.total, rel=0.03)
    assert found.time.total == pytest.approx(whole.time.total) and found.mfu == pytest.approx(whole.mfu)


def test_16_bits_halve_gathers_not_sums():
    f32, bf16 = (
        plan_run(config(1, precision=name), Mesh((8,), ("fsdp",)), find_chip("v5e")) for name in ("always_f32", "auto_mixed_bf16")
    )
    matrices, table, gains = sizes(1)
    assert f32.exchanges["all-gather", "fsdp"] == 4 * (2 * matrices + table + gains)
    assert bf16.exchanges["all-gather", "fsdp"] == 4 * (matrices + table + gains)  # rows are looked up in f32
    assert bf16.exchanges["reduce-scatter", "fsdp"] == f32.exchanges["reduce-scatter", "fsdp"]
    assert bf16.time.traffic < 0.8 * f32.time.traffic and "auto_mixed_bf16" in " ".join(advice(f32))


def test_accumulation_repeats_all_but_the_update():
    one, three = (plan_run(config(1, accumulate=count), Mesh((4,), ("fsdp",)), find_chip("v5e")) for count in (1, 3))
    assert three.tokens == 3 * one.tokens and three.time.flops == pytest.approx(3 * one.time.flops)
    assert three.memory.optimizer == one.memory.optimizer + one.memory.params  # sums of gradients


def test_a_table_cut_by_columns_takes_the_rows_cut_away():
    table = {"embedding": P("model", "fsdp"), "*.up": P("fsdp", "model")}
    plan = plan_run(config(1), Mesh((2, 2), ("fsdp", "model")), find_chip("h200"), table)
    assert plan.whole_rows == ("fsdp",)
    assert "every device of fsdp computes all rows" in " ".join(advice(plan))


def test_rings_and_the_network():
    mesh, chip = Mesh((4, 8), ("fsdp", "model")), find_chip("h100")
    size = 10**9

    def seconds(kind, *axes):
        return exchange_seconds(Exchange(kind, frozenset(axes), size, 0, None, False), mesh, chip)

    inside = size * 7 / 8 / (450e9 * 0.8)
    assert seconds("all-gather", "model") == pytest.approx(inside)
    assert seconds("all-reduce", "model") == pytest.approx(2 * inside)
    # one GPU of each server: everything over its own adapter
    assert seconds("all-gather", "fsdp") == pytest.approx(size * 3 / 4 / (50e9 * 0.8))
    # all 32: each of a server's eight brings in its part
    assert seconds("all-gather", "fsdp", "model") == pytest.approx(inside + size * 3 / 4 / (8 * 50e9 * 0.8))


def test_cuts_of_reshaped_arrays():
    mesh = {"data": 2, "sequence": 2, "model": 4}
    assert reshape_cut((("data",), ("sequence",), ()), (4, 8, 6), (32, 6), mesh) == (("data", "sequence"), ())
    assert reshape_cut((("data", "sequence"), ()), (32, 6), (4, 8, 6), mesh) == (("data",), ("sequence",), ())
    assert reshape_cut(((), ("model",)), (3, 32), (3, 8, 4), mesh) == ((), ("model",), ())
    assert reshape_cut(((), ("model",)), (3, 8), (3, 2, 4), mesh) == ((), (), ("model",))
    assert reshape_cut((("data",),), (2,), (1, 2), mesh) == ((), ("data",))


def test_meshes_as_text():
    assert mesh_of("fsdp=2 model=4", "tensor") == Mesh((2, 4), ("fsdp", "model"))
    assert mesh_of("2x3x4", "fsdp+tensor").axes == {"data": 2, "fsdp": 3, "model": 4}
    for text, said in (
        ("", "is not a mesh"),
        ("8x", "is not a mesh"),
        ("a=b", "is not a mesh"),
        ("2x2x2x2", "4 sizes"),
        ("0", "(0,)"),
    ):
        with pytest.raises(RlxError) as caught:
            mesh_of(text, "fsdp")
        assert caught.value.code == "RLX406" and said in str(caught.value) and caught.value.fix


def test_every_chip_has_a_source_and_sane_numbers():
    for chip in CHIPS.values():
        assert chip.source and chip.bf16_flops > chip.f32_flops and chip.memory_bandwidth > chip.link_bandwidth
    with pytest.raises(RlxError, match="did you mean h100"):
        find_chip("h10")


@pytest.mark.parametrize(
    "mesh, sharding, said, fix",
    [
        (Mesh((3,), ("fsdp",)), "fsdp", "batches of 32 rows over 3 devices of fsdp", "batch = 33"),
        (Mesh((1, 3), ("data", "sequence")), "sequence", "rows of 16 tokens over 3", "length = 18"),
        (Mesh((1, 8), ("data", "model")), "tensor", "4 heads over 8 devices of model", "divides 4"),
        (Mesh((2,), ("data",)), "tensor", "no axis 'model'", "data"),
        (Mesh((2,), ("fsdp",)), "fast", "'fast' is not a preset", "fsdp"),
    ],
)
def test_what_does_not_divide(mesh, sharding, said, fix):
    with pytest.raises(RlxError) as caught:
        plan_run(config(), mesh, find_chip("v5e"), sharding)
    assert caught.value.code == "RLX406" and said in str(caught.value) and fix in str(caught.value.fix)


def test_a_model_that_does_not_fit_says_by_how_much():
    plan = plan_run(config(1), Mesh((2,), ("fsdp",)), replace(find_chip("v5e"), memory_bytes=100_000))
    assert not plan.fits
    with pytest.raises(RlxError) as caught:
        plan.check_fits("; ".join(advice(plan)))
    assert caught.value.code == "RLX514" and "too much" in str(caught.value) and "halve batch" in str(caught.value.fix)


def test_nothing_imports_jax():
    import subprocess
    import sys

    code = "import sys; import rlx.cli.plan; assert 'jax' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2]).returncode == 0


def test_mfu_is_below_one():
    plan = plan_run(config(1), Mesh((8,), ("fsdp",)), find_chip("b200"))
    assert 0 < plan.mfu < 1 and math.isfinite(plan.tokens_per_second)
