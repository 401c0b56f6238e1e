"""Products of packed weights by tiles: with AMX the instructions are there, and no bit differs from the products without tiles.

The kernels run with each operation on tiles as a loop, which needs no such CPU.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rlx.backends.conformance.cases import rows_of as rows_of_record
from rlx.backends.conformance.modes import alone
from rlx.backends.cpu.backend import CpuBackend
from rlx.backends.cpu.emit.kernel import Tensor
from rlx.backends.cpu.kernels.quantized import packed as products
from rlx.backends.cpu.kernels.quantized.activations import Rounded
from rlx.backends.cpu.kernels.quantized.packed import ProductShape, unit_count
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS
from rlx.backends.cpu.kernels.quantized.tile_rows import has_tiled_rows, has_tiles
from rlx.backends.cpu.target import Target
from rlx.core.shape import Shape
from rlx.ir.op import OPS
from rlx.layouts.block_order import ORDERS
from tests.backends.cpu import lowered
from tests.backends.cpu.kernels.quantized.test_vnni import code_of, product, rows_of, stored
from tests.backends.cpu.levels import HOST, LEVELS

AMX = Target.named("x86_64-amx")
_TILES = ",+amx-tile,+amx-int8,+amx-bf16"
LOOPS = replace(HOST, features=HOST.features + _TILES, tiles_as_loops=True)
WITHOUT = replace(LOOPS, features=LOOPS.features.replace("+avx512vnni", "-avx512vnni").replace("+avxvnni", "-avxvnni"))
"""The sums of tiles without tiles, which need VNNI for fewer rows."""
TILED = [name for name in NUMBERS if has_tiles(AMX, name) or has_tiled_rows(AMX, name)]

needs_vnni = pytest.mark.skipif(not HOST.has("avx512vnni"), reason="this machine has no AVX-512 VNNI")


def test_most_types_are_multiplied_by_tiles() -> None:
    looked_up = {name for name in NUMBERS if ORDERS[name].fields or ORDERS[name].digits}
    assert set(NUMBERS) - set(TILED) == looked_up | {"IQ4_XS", "TQ2_0"}


@pytest.mark.parametrize(
    ("name", "instructions"),
    [("Q4_K", ("tdpbsud", "tdpbssd")), ("Q6_K", ("tdpbsud", "tdpbssd")), ("Q4_0", ("tdpbsud",)), ("Q8_0", ("tdpbusd", "tdpbssd"))],
)
def test_with_amx_products_are_made_of_tiles(name: str, instructions: tuple[str, ...]) -> None:
    many, few = code_of(name, 64, AMX), code_of(name, 8, AMX)
    for instruction in ("ldtilecfg", "tileloadd", "tilestored", "tilerelease", *instructions):
        assert instruction in many
        assert instruction not in few
    assert "vpdpbusd" in few or name == "Q8_0"


@pytest.mark.parametrize("name", ["Q4_K", "Q8_0"])
def test_without_amx_there_are_none(name: str) -> None:
    assert "tdp" not in code_of(name, 64, LEVELS["x86_64-avx512"])


@pytest.mark.parametrize("name", ["IQ2_XS", "TQ1_0"])
def test_types_whose_numbers_are_looked_up_have_no_tiles(name: str) -> None:
    found = code_of(name, 64, AMX)
    assert "tdp" not in found and "vpdpbusd" in found


@needs_vnni
@pytest.mark.parametrize("name", ["Q4_K", "Q6_K", "Q8_0", "Q4_0"])
def test_no_bit_depends_on_tiles(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compare(name, (1, 2, 15, 16, 17, 47, 130), 768, 41, monkeypatch)


@needs_vnni
@pytest.mark.parametrize(("k", "n"), [(32, 8), (96, 33), (160, 64), (224, 97)])
def test_no_bit_depends_on_tiles_for_an_odd_number_of_blocks_and_a_last_panel_alone(
    k: int, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare("Q8_0", (16, 79, 128), k, n, monkeypatch)


@needs_vnni
@pytest.mark.parametrize("limit", [0, 1 << 20], ids=["parts alone", "parts in bands"])
@pytest.mark.parametrize("name", ["Q4_K", "Q8_0"])
def test_no_bit_depends_on_which_parts_of_the_rows_share_a_panel(name: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "_BAND_BYTES", limit)
    compare(name, (64, 65, 129, 200, 257, 300), 256, 41, monkeypatch)


@pytest.mark.parametrize("name", TILED)
def test_rows_that_tiles_read_lie_on_cache_lines_unless_gaps_would_be_long(name: str) -> None:
    plain, found = Rounded(ORDERS[name]), Rounded.of(ORDERS[name], AMX)
    assert found.aligned == (ORDERS[name].size == 256)
    if found.aligned:
        assert found.stride % 64 == 0 and plain.stride <= found.stride < plain.stride + 64
        assert {found.row(blocks) % 128 for blocks in range(1, 40)} == {64}  # an odd number of lines
    assert Rounded.of(ORDERS[name], LEVELS["x86_64-avx512"]) == plain


@pytest.mark.parametrize(("name", "rows", "units"), [("Q4_K", 1, 6), ("Q4_K", 2, 3), ("IQ2_XS", 1, 3), ("Q8_0", 1, 6)])
def test_one_row_has_units_of_eight_columns_unless_numbers_are_looked_up(name: str, rows: int, units: int) -> None:
    shape = ProductShape(name, rows, 256, 48, Tensor.dense(Shape((rows, 48), "f32")))
    assert unit_count(shape, AMX) == units


@needs_vnni
@pytest.mark.long
@pytest.mark.parametrize("name", TILED)
def test_no_bit_depends_on_tiles_for_any_rows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for k, n in ((256, 8), (1280, 57)):
        compare(name, (*range(1, 34), 64, 127, 128, 129, 143, 300), k, n, monkeypatch)


def compare(name: str, counts: tuple[int, ...], k: int, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiles give the bits of the products without them; `rows_of` has rows with second bytes."""
    targets = [WITHOUT, LOOPS, *([HOST] if HOST.has_tiles("int8") else [])]
    monkeypatch.setattr(lowered, "TARGETS", targets)
    x, blocks = rows_of(max(counts), k), stored(name, n, k)
    plain, *tiled = (product(name, [x, blocks], n, target) for target in targets)
    for count in counts:
        wanted = plain.call([x[:count], blocks])[0]
        for made in tiled:
            found = made.call([x[:count], blocks])[0]
            np.testing.assert_array_equal(found.view(np.int32), wanted.view(np.int32), f"{count} rows")


@pytest.mark.parametrize("name", ["Q8_0", "Q4_K", "F16"])
def test_a_weight_that_is_streamed_is_prefetched_past_the_caches_but_not_on_servers_of_intel(name: str) -> None:
    """There such prefetches wait for each other in the few buffers of the first cache."""
    assert "prefetchnta" in code_of(name, 1, LEVELS["x86_64-avx512"])
    found = code_of(name, 1, AMX)
    assert "prefetcht0" in found and "prefetchnta" not in found


@needs_vnni
def test_every_case_of_the_record_is_right_by_tiles_no_rows_among_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RLX_CANARIES", "1")
    found = alone(CpuBackend(LOOPS), rows_of_record(OPS["packed_matmul"]))
    assert found and not [f"{each.state}: {each.detail}" for each in found if each.state != "ok"]
