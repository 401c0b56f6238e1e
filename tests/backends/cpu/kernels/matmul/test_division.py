"""How products are divided: blocks of rows that pack a near B by their first tiles, and a last panel of one vector."""

from __future__ import annotations

import heapq
from dataclasses import replace

import numpy as np
import pytest

from rlx.backends.cpu.kernels.matmul.blocking import blocking, panel_width, runs_per_thread, units, wants_packing
from rlx.backends.cpu.kernels.matmul.operands import scratch_bytes
from rlx.backends.cpu.kernels.matmul.spec import MatMulSpec, SizeSlot
from rlx.backends.cpu.target import Target
from tests.backends.cpu.kernels.matmul.test_kernel import check, compiled, guarded, numbers, panels_of, run
from tests.backends.cpu.levels import TARGETS

every_target = pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)


@every_target
@pytest.mark.parametrize("shape", [(241, 70, 33), (300, 33, 390), (517, 129, 65)], ids=str)
def test_blocks_of_rows_pack_a_near_b_by_their_first_tiles(target: Target, shape: tuple[int, int, int]) -> None:
    spec = MatMulSpec(*shape, b_form="rows")
    assert not wants_packing(spec, target) and shape[0] > blocking(spec, target).block_rows
    check(target, *shape, form="rows")
    check(target, *shape, form="rows", gap=3)


@every_target
@pytest.mark.parametrize("form", ["panels", "rows", "columns"])
def test_columns_of_half_a_panel_have_the_bits_of_a_whole_one(target: Target, form: str) -> None:
    half = panel_width(target) // 2
    k, wide = 411, 4 * half
    b = numbers((k, wide), "f32", 2)
    for rows in (9, 37, 260):
        a, found = guarded(numbers((rows, k), "f32", 1)), {}
        for columns in (wide, 3 * half, 2 * half + 1):
            part = np.ascontiguousarray(b[:, :columns])
            stored = panels_of(part, 2 * half) if form == "panels" else part if form == "rows" else part.T
            given, c = guarded(np.ascontiguousarray(stored)), guarded(np.full((rows, columns), np.nan, np.float32))
            spec = MatMulSpec(rows, columns, k, b_form=form)  # type: ignore[arg-type]
            table = [array.ctypes.data for array in (a, given, c)]
            count = units(spec, target)
            run(compiled(target, spec), "product", table, [(0, count)], scratch_bytes(spec, target))
            found[columns] = c
        for columns, c in found.items():
            assert c.tobytes() == np.ascontiguousarray(found[wide][:, :columns]).tobytes(), (rows, columns)


# -- the work of each thread, by counting: units go one by one to whoever is free first
SUITE = [(1024, 1024, 1024), (4096, 4096, 4096), (128, 4096, 1024), (512, 384, 384), (128, 1536, 384), (127, 511, 1023)]
WIDE = Target.named("x86_64-avx512")


def product_of(m: int, n: int, k: int, form: str) -> MatMulSpec:
    """As it is computed: a B that a command before it packs is panels."""
    spec = MatMulSpec(m, n, k, b_form=form)  # type: ignore[arg-type]
    return replace(spec, b_form="panels") if wants_packing(spec, WIDE) else spec


def unit_sizes(spec: MatMulSpec, target: Target = WIDE) -> list[tuple[int, int]]:
    """Rows and panels of each unit, in their order."""
    plan = blocking(spec, target)
    assert isinstance(spec.m, int) and isinstance(spec.n, int)
    panels, blocks = -(-spec.n // plan.columns), -(-spec.m // plan.block_rows)
    per_unit = plan.few_panels if blocks == 1 else plan.block_panels
    groups = -(-panels // per_unit)
    wide, share = -(-panels // groups), plan.rows_of_a_block(spec.m)
    return [
        (min(share, spec.m - block * share), min(wide, panels - group * wide)) for group in range(groups) for block in range(blocks)
    ]


def busiest(work: list[int], threads: int) -> float:
    """The work of the thread that gets most, as a multiple of an equal share."""
    loads = [0] * threads
    for each in work:
        heapq.heapreplace(loads, loads[0] + each)
    return max(loads) * threads / sum(work)


@pytest.mark.parametrize("form", ["panels", "rows"])
@pytest.mark.parametrize("shape", SUITE, ids=str)
def test_threads_have_nearly_equal_shares(shape: tuple[int, int, int], form: str) -> None:
    spec = product_of(*shape, form)
    sizes = unit_sizes(spec)
    assert len(sizes) == units(spec, WIDE)
    assert sum(rows * panels for rows, panels in sizes) == shape[0] * -(-shape[1] // 32)
    for threads in (2, 8, 16):
        assert busiest([rows * panels for rows, panels in sizes], threads) < 1.03


TILES = Target.named("x86_64-amx")


@pytest.mark.parametrize("n", [1024, 2048, 2 * 2816, 8192])
@pytest.mark.parametrize("k", [1024, 2816])
@pytest.mark.parametrize("m", [128, 256, 512, 2048])
def test_units_of_tiles_are_nearly_square_and_equal(m: int, n: int, k: int) -> None:
    """A unit reads its rows of A and its columns of B from a cache that cores share: as few bytes as there are units for all threads."""
    spec = MatMulSpec(m, n, k, "bf16", "bf16", "bf16", b_steps=2)
    sizes = unit_sizes(spec, TILES)
    assert len(sizes) == units(spec, TILES)
    for threads in (4, 8, 16):
        assert busiest([rows * panels for rows, panels in sizes], threads) < 1.15
    if m > 128:
        read = sum(rows + panels * 32 for rows, panels in sizes)  # times 2 k bytes
        square = 2 * (m * n * len(sizes)) ** 0.5
        assert len(sizes) >= 32 and read <= 1.3 * square


def test_short_products_are_claimed_by_shares() -> None:
    """From a counter for all, sixteen threads take the units of a product of 0.1 ms in 7 µs."""
    runs = {shape: runs_per_thread(MatMulSpec(*shape), WIDE) for shape in [*SUITE, (37, 129, 65), (1, 4096, 4096)]}
    several = [shape for shape, count in runs.items() if count and shape[0] > 1]
    assert several == [(512, 384, 384), (128, 1536, 384), (127, 511, 1023)]
    assert runs_per_thread(MatMulSpec(8, 2048, 2048, b_form="rows"), WIDE) == 2
    assert runs_per_thread(MatMulSpec(SizeSlot(3), 384, 384), WIDE) == 0


def test_a_row_takes_a_weight_in_the_shares_it_was_packed_in() -> None:
    assert runs_per_thread(MatMulSpec(1, 4096, 4096), WIDE) > 0
    assert runs_per_thread(MatMulSpec(1, SizeSlot(3), 4096), WIDE) > 0


@pytest.mark.parametrize("shape", SUITE, ids=str)
def test_little_of_a_near_b_is_packed_for_each_row_multiplied(shape: tuple[int, int, int]) -> None:
    """A panel that a unit packs serves all of its rows; a twelfth of them read it from where it is."""
    spec = product_of(*shape, "rows")
    if spec.b_form == "rows":
        assert min(rows for rows, _ in unit_sizes(spec)) >= 96
