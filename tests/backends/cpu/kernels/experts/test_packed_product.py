"""Rows times packed weights of their experts: each row has the bits of the plain product with its expert's weight, and is near NumPy's.

However the rows are divided among the experts, at every level of instructions: experts without rows, rows without experts, tiles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.backends.conformance.cases import rows_of as rows_of_record
from rlx.backends.conformance.modes import alone
from rlx.backends.cpu.backend import CpuBackend
from rlx.backends.cpu.compile.codegen import assembly
from rlx.backends.cpu.emit.builder import Module
from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Tensor
from rlx.backends.cpu.kernels import KERNELS
from rlx.backends.cpu.target import Target
from rlx.ir.op import OPS
from rlx.layouts.gguf_blocks import dequantize_rows, random_rows
from tests.backends.cpu import lowered
from tests.backends.cpu.kernels.quantized.test_packed import layout_of, on_the_grid, weight
from tests.backends.cpu.levels import BELOW, HOST, LEVELS, OTHERS
from tests.backends.cpu.lowered import Array, Lowered, op_for, tensor_of

AMX, LOOPS = Target.named("x86_64-amx"), Target.named("x86_64-amx-loops")
LEVELS_RUN = {"host": HOST, **{name: level for name, level in BELOW.items() if name != "x86_64-avx512"}}
if HOST.has("avx512vnni") and HOST.has("avx512bf16"):
    LEVELS_RUN["x86_64-amx-loops"] = LOOPS
TYPES = ["Q4_K", "Q6_K", "Q8_0", "Q4_0", "Q5_1", "IQ4_XS", "IQ2_XS", "MXFP4"]
EXPERTS, K, N = 9, 512, 41
DIVISIONS = {
    "around sixteen rows": (1, 8, 15, 16, 17, 0, 2, 31, 33),
    "more rows than a panel takes": (128, 0, 129, 0, 0, 0, 0, 7, 0),
    "all rows of one expert": (0, 0, 0, 0, 90, 0, 0, 0, 0),
    "one row of each expert": (1,) * EXPERTS,
    "one row": (0, 0, 0, 1, 0, 0, 0, 0, 0),
    "no rows": (0,) * EXPERTS,
}

needs_tiles = pytest.mark.skipif(LOOPS not in LEVELS_RUN.values(), reason="this machine has no AVX-512 VNNI and BF16")


def at_level(level: str, monkeypatch: pytest.MonkeyPatch) -> Target:
    monkeypatch.setattr(lowered, "TARGETS", [LEVELS_RUN[level]])
    return LEVELS_RUN[level]


def division(counts: tuple[int, ...]) -> Array:
    """Each row's expert, in any order: so many rows of each."""
    return np.random.default_rng(0).permutation(np.repeat(np.arange(len(counts)), counts)).astype(np.int32)


def rows_with_outliers(rows: int, k: int) -> Array:
    """Those have second bytes."""
    x = np.random.default_rng(1).standard_normal((rows, k)).astype(np.float32)
    x[1::3, 7] *= 40
    x[2::5, k - 1] *= -60
    return x


def product(name: str, n: int, arrays: list[Any], target: Target, static: bool = False, **attrs: Any) -> Lowered:
    """For any number of rows, or for that of x; with experts if they are given."""
    dims: dict[int, Any] = {} if static else {0: ("rows", arrays[0].shape[1]), 2: ("rows",)}
    tensors = [tensor_of(array, dims.get(index)) for index, array in enumerate(arrays)]
    kind = "packed_grouped_matmul" if len(arrays) == 3 else "packed_matmul"
    op = op_for(kind, tensors, **{"layout": layout_of(name), "n": n, "exact": False, **attrs})
    return Lowered(KERNELS[kind], op, tensors, target)


def row_by_row(name: str, x: Array, blocks: Array, experts: Array, n: int, target: Target, **attrs: Any) -> Array:
    """The plain product of all rows with each expert's weight, of which each row takes its own."""
    plain = product(name, n, [x, blocks[0]], target, **attrs)
    everything = np.stack([plain.call([x, own])[0] for own in blocks])
    return everything[experts, np.arange(len(x))]


def assert_same_bits(found: Array, wanted: Array, what: str = "") -> None:
    np.testing.assert_array_equal(found.view(np.uint32), wanted.view(np.uint32), what)


# -- bits and values --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("level", LEVELS_RUN)
@pytest.mark.parametrize("name", TYPES)
def test_each_row_has_the_bits_of_the_plain_product(name: str, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One kernel for every division of the rows, and for every split of its units."""
    target, (blocks, _) = at_level(level, monkeypatch), weight(name, K, N, EXPERTS)
    made = product(name, N, [rows_with_outliers(4, K), blocks, division((4,))], target)
    for what, counts in DIVISIONS.items():
        experts = division(counts)
        x = rows_with_outliers(len(experts), K)
        (found,) = made.call([x, blocks, experts])
        assert_same_bits(found, row_by_row(name, x, blocks, experts, N, target), what)
        assert_same_bits(made.call([x, blocks, experts], split=2, threads=2)[0], found, what)


@pytest.mark.parametrize("level", LEVELS_RUN)
@pytest.mark.parametrize("name", TYPES)
def test_what_the_steps_hold_is_multiplied_exactly(name: str, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    target, (blocks, w) = at_level(level, monkeypatch), weight(name, K, N, EXPERTS)
    experts = division(DIVISIONS["around sixteen rows"])
    x = on_the_grid(len(experts), K, name)
    (found,) = product(name, N, [x, blocks, experts], target, static=True).call([x, blocks, experts])
    wanted, natural = (np.einsum("mk,mkn->mn", f(x.astype(np.float64)), f(w)[experts]) for f in (np.positive, np.abs))
    assert (np.abs(found - wanted) <= 2e-6 * natural).all(), np.max(np.abs(found - wanted) / natural)


@pytest.mark.parametrize("seed", range(8))
def test_random_shapes(seed: int) -> None:
    random, name = np.random.default_rng(seed), TYPES[seed % len(TYPES)]
    m, n, e = (int(np.exp(random.uniform(0, np.log(most)))) for most in (300, 120, 12))
    k = 256 * int(random.integers(1, 5))
    blocks, _ = weight(name, k, n, e)
    x, experts = rows_with_outliers(m, k), random.integers(0, e, m)
    for static in (True, False):
        (found,) = product(name, n, [x, blocks, experts], HOST, static).call([x, blocks, experts], split=3)
        assert_same_bits(found, row_by_row(name, x, blocks, experts, n, HOST))


@pytest.mark.parametrize("dtype", [np.int64, np.uint8])
def test_views_of_x_and_of_the_experts(dtype: Any) -> None:
    blocks, _ = weight("Q4_K", K, N, EXPERTS)
    experts, x = division(DIVISIONS["around sixteen rows"]).astype(dtype), rows_with_outliers(123, 2 * K)
    for rows, own in ((x[:, K:], experts), (x[::-1, ::2], experts[::-1]), (np.asfortranarray(x[:, :K]), experts)):
        (found,) = product("Q4_K", N, [rows, blocks, own], HOST, static=True).call([rows, blocks, own])
        assert_same_bits(found, row_by_row("Q4_K", np.ascontiguousarray(rows), blocks, own, N, HOST))


# -- rows whose expert does not exist ---------------------------------------------------------------------------
OUTSIDE = {
    "some": np.arange(60) % 13 - 6,
    "all": np.full(60, 9),
    "all but one": np.where(np.arange(60) == 31, 2, -9),
    "none": np.arange(60) % 8 - 4,
}


@pytest.mark.parametrize("level", LEVELS_RUN)
@pytest.mark.parametrize("name, exact", [("Q4_K", False), ("Q8_0", False), ("Q4_0", False), ("Q4_K", True)])
def test_rows_without_an_expert(name: str, exact: bool, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are filled, or have the nearest expert; and are reported if bounds are checked, whichever of both is done."""
    target, (blocks, w) = at_level(level, monkeypatch), weight(name, 256, 37, 4)
    x = on_the_grid(60, 256, name)
    for mode in ("fill", "clip"):
        for checks in (True, False):
            given = [x, blocks, OUTSIDE["some"]]
            made = product(name, 37, given, target, mode=mode, check_bounds=checks, exact=exact)
            for what, experts in OUTSIDE.items():
                (found,) = made.call([x, blocks, experts])
                counted = np.where(experts < 0, experts + 4, experts)
                outside = (counted < 0) | (counted > 3)
                wanted = np.einsum("mk,mkn->mn", x.astype(np.float64), w[np.clip(counted, 0, 3)])
                bound = 1e-5 * np.abs(wanted).max()
                assert (made.status[0] != 0) == (checks and bool(outside.any())), what
                if mode == "fill":
                    wanted[outside] = np.nan
                np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=bound, err_msg=what)


@pytest.mark.parametrize("exact", [True, False])
def test_an_error_of_a_run_names_the_product(exact: bool) -> None:
    g = rlx.Graph("checked")
    w = g.param("w", (4, 256, 16), scheme="gguf_q4k")
    y = g.grouped_matmul(g.input("x", ("rows", 256)), w, g.input("experts", ("rows",), "i32"), check_bounds=True)
    g.set_outputs({"y": y})
    exe = rlx.compile(g, quant_mode="exact" if exact else "fast")
    exe.set_param("w", random_rows("Q4_K", 4, 16, 256))
    x = np.ones((3, 256), np.float32)
    exe.run({"x": x, "experts": np.array([0, 3, -4], np.int32)})
    with pytest.raises(rlx.RlxError, match="grouped_matmul"):
        exe.run({"x": x, "experts": np.array([0, 4, 1], np.int32)})


# -- stages -----------------------------------------------------------------------------------------------------
def layer(scheme: str) -> rlx.Graph:
    """A gated layer of experts."""
    g = rlx.Graph("layer")
    x, chosen = g.input("x", ("rows", 256)), g.input("experts", ("rows",), "i32")
    gate, up = (g.param(name, (6, 256, 512), scheme=scheme) for name in ("gate", "up"))
    inner = g.silu(g.grouped_matmul(x, gate, chosen)) * g.grouped_matmul(x, up, chosen)
    g.set_outputs({"y": g.grouped_matmul(inner, g.param("down", (6, 512, 256), scheme=scheme), chosen)})
    return g


@pytest.mark.parametrize("mode, roundings", [("fast", 2), ("exact", 0)])
def test_products_share_their_table_and_those_of_the_same_rows_their_rounding(mode: str, roundings: int) -> None:
    """The table is there before the rows are rounded, these before gate and up, which need no barrier between each other."""
    commands = rlx.graphs.lower(layer("gguf_q4k"), "cpu", quant_mode=mode).lir.commands
    names = [command.stage.name for command in commands]
    assert names.count("expert rows") == 1 and names.count("packed_grouped_matmul") == 3
    assert names.count("round") == roundings
    if mode == "fast":
        assert names[:4] == ["expert rows", "round", *["packed_grouped_matmul"] * 2]
        assert [command.barrier for command in commands[:4]] == [False, True, True, False]


@pytest.mark.parametrize("rows", [1, 5, 150])
def test_a_gated_layer_of_packed_experts(rows: int) -> None:
    """Near NumPy's; the same bits on one thread and on two."""
    exe, random = rlx.compile(layer("gguf_q8_0")), np.random.default_rng(0)
    stored = {"gate": random_rows("Q8_0", 6, 512, 256, seed=1), "up": random_rows("Q8_0", 6, 512, 256, seed=2)}
    stored["down"] = random_rows("Q8_0", 6, 256, 512, seed=3)
    exe.set_params(stored)
    gate, up, down = (dequantize_rows("Q8_0", array).astype(np.float64) for array in stored.values())
    x, experts = random.standard_normal((rows, 256)).astype(np.float32), random.integers(0, 6, rows).astype(np.int32)
    inner = np.einsum("mk,mnk->mn", x, gate[experts])
    inner = inner / (1 + np.exp(-inner)) * np.einsum("mk,mnk->mn", x, up[experts])
    wanted = np.einsum("mk,mnk->mn", inner, down[experts])
    before, found = rlx.thread_count(), []
    for threads in (1, 2):
        rlx.set_threads(threads)
        found.append(exe.run({"x": x, "experts": experts})["y"].copy())
    rlx.set_threads(before)
    assert_same_bits(found[0], found[1])
    assert np.sqrt(np.mean((found[0] - wanted) ** 2)) < 1e-3 * np.sqrt(np.mean(wanted**2))


@pytest.mark.parametrize("rows", [2, 40])
def test_nan_in_a_rounded_row_stays_in_its_row(rows: int) -> None:
    exe, random = rlx.compile(layer("gguf_q8_0"), quant_mode="fast"), np.random.default_rng(0)
    shapes = {"gate": (512, 256), "up": (512, 256), "down": (256, 512)}
    exe.set_params({name: random_rows("Q8_0", 6, *shape, seed=1) for name, shape in shapes.items()})
    x, experts = random.standard_normal((rows, 256)).astype(np.float32), random.integers(0, 6, rows).astype(np.int32)
    sound = exe.run({"x": x, "experts": experts})["y"].copy()
    x[1, 30] = np.nan
    found = exe.run({"x": x, "experts": experts})["y"]
    assert np.isnan(found[1]).all()
    assert_same_bits(np.delete(found, 1, 0), np.delete(sound, 1, 0))


def lowering(name: str, rows: Any, target: Target) -> tuple[Lowering, list[Tensor]]:
    arrays = [np.zeros((8, K), np.float32), np.zeros((128, *weight(name, K, N)[0].shape), np.uint8), np.zeros(8, int)]
    dims: dict[int, Any] = {0: (rows, K), 2: (rows,)}
    tensors = [tensor_of(array, dims.get(index)) for index, array in enumerate(arrays)]
    op = op_for("packed_grouped_matmul", tensors, layout=layout_of(name), n=N, exact=False)
    given = [tensor for tensor in tensors if tensor is not None]
    outputs = tuple(Tensor.dense(shape) for shape in op.infer([tensor.shape for tensor in given]))
    made = KERNELS["packed_grouped_matmul"](op, tuple(given), outputs, target)
    assert isinstance(made, Lowering)
    return made, [*given, *outputs, *made.temporaries]


@pytest.mark.parametrize("rows, units", [(8, 8 * 3), (1000, 128 * 3)])
def test_only_as_many_experts_as_rows_have_units(rows: int, units: int) -> None:
    assert lowering("Q4_K", rows, LEVELS["x86_64-avx512"])[0].stages[-1].units == units


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("name", ["Q4_K", "Q8_0", "IQ2_XS"])
def test_cross_compiles(name: str, target: Target) -> None:
    blocks, _ = weight(name, K, N, EXPERTS)
    arrays = [np.zeros((4, K), np.float32), blocks, np.zeros(4, np.int32)]
    assert all(len(stage.object) > 500 for stage in product(name, N, arrays, target, mode="fill").stages)


# -- tiles ------------------------------------------------------------------------------------------------------
def code_of(name: str, rows: int, target: Target) -> str:
    """The assembler text of a product's last command."""
    made, tensors = lowering(name, rows, target)
    module, stage = Module(target), made.stages[-1]
    stage.emit(KernelCode(module, "run", [tensors[place] for place in stage.operands]))
    return assembly(module.text(), target)


@pytest.mark.parametrize(
    ("name", "instructions"), [("Q4_K", ("tdpbsud", "tdpbssd")), ("Q4_0", ("tdpbsud",)), ("Q8_0", ("tdpbusd", "tdpbssd"))]
)
def test_with_amx_sixteen_rows_of_an_expert_are_multiplied_by_tiles(name: str, instructions: tuple[str, ...]) -> None:
    many, few = (code_of(name, rows, AMX) for rows in (64, 8))
    for instruction in ("ldtilecfg", "tileloadd", "tilestored", "tilerelease", *instructions):
        assert instruction in many
        assert instruction not in few


@needs_tiles
@pytest.mark.parametrize("name", ["Q4_K", "Q6_K", "Q8_0", "Q4_0", "Q5_1", "IQ4_NL"])
def test_no_bit_depends_on_tiles(name: str) -> None:
    """Of rows of an expert that are multiplied by tiles, and of those beside them that are not."""
    without = replace(LOOPS, features=LOOPS.features.replace("+avx512vnni", "-avx512vnni"))  # which fewer rows need
    blocks, _ = weight(name, 768, 70, EXPERTS)
    experts = division((17, 16, 15, 64, 0, 65, 1, 130, 0))
    x = rows_with_outliers(len(experts), 768)
    wanted, found = (
        product(name, 70, [x, blocks, experts], target).call([x, blocks, experts], split=1)[0] for target in (without, LOOPS)
    )
    assert_same_bits(found, wanted)


@needs_tiles
def test_every_case_of_the_record_is_right_by_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RLX_CANARIES", "1")
    found = alone(CpuBackend(LOOPS), rows_of_record(OPS["packed_grouped_matmul"]))
    assert found and not [f"{each.state}: {each.detail}" for each in found if each.state != "ok"]
