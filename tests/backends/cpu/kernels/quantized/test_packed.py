"""Products of packed weights side by side: on a grid of 8 bits they are exact, off it as near as the bound says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from rlx.backends.cpu.kernels import KERNELS
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS
from rlx.backends.cpu.target import Target
from rlx.core.quant_scheme import QuantScheme
from rlx.layouts.block_order import ORDERS, ROWS, interleave_rows, restore_rows
from rlx.layouts.gguf_blocks import dequantize_rows, random_rows
from rlx.layouts.stored_rows import StoredRows
from tests.backends.cpu.levels import OTHERS, TARGETS
from tests.backends.cpu.lowered import Lowered, op_for, tensor_of

gguf = pytest.importorskip("gguf")
RANDOM = np.random.default_rng(0)
SELDOM = ("IQ2_XXS", "IQ2_S", "IQ3_XXS", "IQ1_S", "IQ1_M", "TQ1_0")
"""Types whose kernels differ from those of IQ2_XS and IQ3_S in a table or in where bits are."""


def types(names: Iterable[str]) -> list[Any]:
    return [pytest.param(name, marks=pytest.mark.long) if name in SELDOM else name for name in names]


FAST = types(NUMBERS)


def layout_of(name: str) -> str:
    return StoredRows(name).name


def weight(name: str, k: int, n: int, *lead: int) -> tuple[Any, Any]:
    """Blocks side by side, and the weight `[…, k, n]` by the package."""
    rows = random_rows(name, *lead, n, k, seed=5)
    numbers = gguf.dequantize(rows.reshape(-1, rows.shape[-1]), gguf.GGMLQuantizationType[name])
    return interleave_rows(name, rows), numbers.reshape(*lead, n, k).swapaxes(-1, -2).astype(np.float64)


def product(name: str, n: int, arrays: list[Any], target: Target | None = None, dims: Any = None, **attrs: Any) -> Lowered:
    tensors = [tensor_of(array, dims if i == 0 else None) for i, array in enumerate(arrays)]
    kind = "packed_grouped_matmul" if len(arrays) == 3 else "packed_matmul"
    op = op_for(kind, tensors, layout=layout_of(name), n=n, **attrs)
    return Lowered(KERNELS[kind], op, tensors, target)


def sharing(name: str) -> list[list[int]]:
    """The numbers of a block that share a step: all of them, or for weights without signs those of two groups that are scaled together."""
    order = ORDERS[name]
    if NUMBERS[name].signed or not order.pairs:
        return [list(range(order.size))]
    return [[number * order.group + i for number in pair for i in range(order.group)] for pair in order.pairs]


def on_the_grid(rows: int, k: int, name: str, powers: int = 4) -> Any:
    """Numbers that are held exactly: whole ones up to the most there are, which all sharers of a step have, times their power of two."""
    size, most = ORDERS[name].size, NUMBERS[name].steps
    x = np.empty((rows, k // size, size))
    for places in sharing(name):
        whole = RANDOM.integers(-most, most + 1, (rows, k // size, len(places)))
        whole[..., 0] = RANDOM.choice([-most, most], whole.shape[:-1])
        x[..., places] = whole * 2.0 ** RANDOM.integers(-powers, powers + 1, (rows, k // size, 1))
    return x.reshape(rows, k).astype(np.float32)


# -- the order --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ORDERS)
def test_the_order_loses_nothing(name: str) -> None:
    """Every byte of the file is there once: random bytes come back."""
    size = QuantScheme.gguf(name).block_bytes()
    rows = RANDOM.integers(0, 256, (2, 11, 3 * size), np.uint8)
    blocks = interleave_rows(name, rows)
    assert blocks.shape == (2, 2, ROWS * 3 * size)
    np.testing.assert_array_equal(restore_rows(name, blocks, 11), rows)
    assert not restore_rows(name, blocks, 16)[:, 11:].any()


def test_q4_0_side_by_side_by_hand() -> None:
    """d of eight rows, then words of eight numbers: four in the low nibbles of a row's bytes, the next four in the high ones."""
    rows = random_rows("Q4_0", 8, 32)
    blocks = interleave_rows("Q4_0", rows)[0]
    np.testing.assert_array_equal(blocks[:16].reshape(8, 2), rows[:, :2])
    q = np.concatenate((rows[:, 2:] & 15, rows[:, 2:] >> 4), -1)
    np.testing.assert_array_equal(blocks[16:48].reshape(8, 4), q[:, :4] | q[:, 4:8] << 4)


def test_q6_k_groups_by_pairs() -> None:
    """The first word holds numbers 0 and 1 of group 0 beside those of group 2: their low nibbles, and below them the next two."""
    rows = random_rows("Q6_K", 8, 256)
    blocks = interleave_rows("Q6_K", rows)[0]
    low = (rows[:, :64] & 15).astype(np.uint8)
    first, second = (low[:, [start, start + 1, start + 32, start + 33]] for start in (0, 2))
    at = 8 * 18  # behind 16 scales and d of eight rows
    np.testing.assert_array_equal(blocks[at : at + 32].reshape(8, 4), first | second << 4)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("n, k", [(8, 64), (19, 33), (64, 1000), (7, 16), (40, 8)])
@pytest.mark.parametrize("name", ["F16", "BF16"])
def test_halves_go_side_by_side_in_squares(name: str, n: int, k: int, target: Target) -> None:
    """Whole squares of eight rows and numbers, what is left of both, and rows that are not there: byte for byte the order."""
    rows = RANDOM.integers(0, 256, (n, 2 * k), np.uint8)
    op = op_for("pack", [tensor_of(rows)], layout=layout_of(name))
    (found,) = Lowered(KERNELS["pack"], op, [tensor_of(rows)], target).call([rows], split=1)
    np.testing.assert_array_equal(found, interleave_rows(name, rows))


# -- exact ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("name", types(ORDERS))
def test_exact_numbers_have_the_bits_of_the_file(name: str, target: Target) -> None:
    blocks, _ = weight(name, 256, 19)
    x = np.eye(256, dtype=np.float32)
    (found,) = product(name, 19, [x, blocks], target, exact=True).call([x, blocks])
    np.testing.assert_array_equal(found.T, dequantize_rows(name, restore_rows(name, blocks, 19)))


# -- fast -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("rows", [1, 3, 9])
def test_what_the_steps_hold_is_multiplied_exactly(name: str, rows: int, target: Target) -> None:
    k, n = 768, 37
    blocks, w = weight(name, k, n)
    x = on_the_grid(rows, k, name)
    made = product(name, n, [x, blocks], target, exact=False)
    (found,) = made.call([x, blocks])
    wanted = x.astype(np.float64) @ w
    natural = np.abs(x.astype(np.float64)) @ np.abs(w)
    assert (np.abs(found - wanted) <= 2e-6 * natural).all(), np.max(np.abs(found - wanted) / natural)
    for split in ({"split": 1}, {"split": 2, "threads": 2}):
        np.testing.assert_array_equal(made.call([x, blocks], **split)[0], found)


def rounded(name: str, x: Any) -> tuple[Any, Any]:
    """x as bytes hold it: the first ones, and with the second ones. The rounding is done in f32, as its ties depend on that."""
    blocks, wide = x.reshape(len(x), -1, ORDERS[name].size), np.float64
    tops = np.stack([np.abs(blocks[..., places]).max(-1) for places in sharing(name)], -1)
    far = tops > 2 * tops.mean((1, 2), keepdims=True)
    first, both = np.empty(blocks.shape), np.empty(blocks.shape)
    for i, places in enumerate(sharing(name)):
        top, part = tops[..., i, None], blocks[..., places]
        step, inverse = (top * np.float32(1 / 127)).astype(wide), np.float32(127) / top
        first[..., places] = np.rint(part * inverse) * step
        rest = np.rint((part - first[..., places]).astype(np.float32) * (inverse * np.float32(254)))
        both[..., places] = first[..., places] + np.where(far[..., i, None], rest * step / 254, 0)
    return first.reshape(x.shape), both.reshape(x.shape)


@pytest.mark.parametrize("name", types(name for name, numbers in NUMBERS.items() if not numbers.signed))
@pytest.mark.parametrize("rows", [1, 2, 7])
def test_large_numbers_get_second_bytes(name: str, rows: int) -> None:
    """Blocks with numbers far above the others' are held 254 times as finely, whichever rows they are in; the others as before."""
    k, n = 4096, 21
    blocks, w = weight(name, k, n)
    x = RANDOM.standard_normal((rows, k)).astype(np.float32)
    x[:, [5, 300, 3777]] = 80, -80, 80
    x[rows // 2, 900] = -70
    (found,) = product(name, n, [x, blocks], exact=False).call([x, blocks])
    first, both = rounded(name, x)
    natural = np.abs(x).astype(np.float64) @ np.abs(w)
    assert (np.abs(found - both @ w) <= 4e-6 * natural).all(), np.max(np.abs(found - both @ w) / natural)  # 128 blocks added in f32
    exact = x.astype(np.float64) @ w
    assert np.sqrt(np.mean((found - exact) ** 2)) < 0.5 * np.sqrt(np.mean((first @ w - exact) ** 2))


@pytest.mark.parametrize("name", [name for name, numbers in NUMBERS.items() if numbers.signed])
def test_the_largest_sums_fit(name: str) -> None:
    """Weights with signs at their limits times rows at theirs: sums of 16 and 32 bits do not overflow, and are the same for any rows."""
    k, n = 768, 24
    rows = random_rows(name, n, k)
    blocks = rows.reshape(n, -1, QuantScheme.gguf(name).block_bytes())
    blocks[..., 2:] = RANDOM.choice(np.array([0x00, 0x7F, 0x80, 0xFF], np.uint8), (n, 1, 1))
    w = gguf.dequantize(rows, gguf.GGMLQuantizationType[name]).astype(np.float64).T
    x = np.repeat(RANDOM.choice([-127.0, 127.0], (9, 1)), k, 1).astype(np.float32)
    x[4:] *= RANDOM.choice([-1, 1], (5, k))
    ordered = interleave_rows(name, rows)
    made = product(name, n, [x, ordered], dims=("rows", k), exact=False)
    found = made.call([x, ordered])[0]
    assert (np.abs(found - x.astype(np.float64) @ w) <= 2e-6 * (np.abs(x).astype(np.float64) @ np.abs(w))).all()
    np.testing.assert_array_equal(made.call([x[:1], ordered])[0], found[:1])


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("k, n", [(768, 37), (130, 16), (33, 24)])
@pytest.mark.parametrize("name", ["F16", "BF16"])
def test_a_few_rows_stream_halves(name: str, k: int, n: int, target: Target) -> None:
    """Every number of rows near the limit between streaming and panels, known when compiled or not; depths that are no whole lines."""
    blocks, w = weight(name, k, n)
    x = RANDOM.standard_normal((6, k)).astype(np.float32)
    made = product(name, n, [x, blocks], target, dims=("rows", k), exact=False)
    for rows in range(1, 7):
        given = [x[:rows], blocks]
        found = made.call(given)[0]
        natural = np.abs(x[:rows]).astype(np.float64) @ np.abs(w)
        assert (np.abs(found - x[:rows].astype(np.float64) @ w) <= 2e-6 * natural).all()
        np.testing.assert_array_equal(product(name, n, given, target, exact=False).call(given, split=1)[0], found)


@pytest.mark.parametrize("name", FAST)
def test_rounding_costs_half_a_percent(name: str) -> None:
    blocks, w = weight(name, 2048, 64)
    x = RANDOM.standard_normal((16, 2048)).astype(np.float32)
    (found,) = product(name, 64, [x, blocks], exact=False).call([x, blocks])
    wanted = x.astype(np.float64) @ w
    assert np.sqrt(np.mean((found - wanted) ** 2) / np.mean(wanted**2)) < 0.01


@pytest.mark.parametrize("name", FAST)
def test_a_row_does_not_depend_on_the_others(name: str) -> None:
    """One executable for every number of rows: the first row keeps its bits."""
    blocks, _ = weight(name, 512, 21)
    x = RANDOM.standard_normal((300, 512)).astype(np.float32)
    made = product(name, 21, [x, blocks], dims=("rows", 512), exact=False)
    first = made.call([x[:1], blocks])[0]
    for rows in (2, 3, 4, 7, 129, 300):
        np.testing.assert_array_equal(made.call([x[:rows], blocks])[0][:1], first)
    assert made.call([x[:0], blocks])[0].shape == (0, 21)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("name", ["Q4_K", "Q8_0"])
def test_dtypes_and_views_of_x(dtype: Any, name: str) -> None:
    blocks, w = weight(name, 512, 24)
    x = (on_the_grid(6, 512, name) / 1024).astype(dtype)
    for view in (x.reshape(3, 2, 512)[:, 1:], x[::-1], np.ascontiguousarray(x.T).T):
        (found,) = product(name, 24, [view, blocks], exact=False).call([view, blocks])
        wanted = view.astype(np.float64) @ w
        np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=2e-2, atol=2e-3 * np.abs(wanted).max())


@pytest.mark.parametrize("name", ["Q4_K", "Q4_1", "Q8_0"])
def test_zeros_tiny_numbers_and_nan(name: str) -> None:
    blocks, _ = weight(name, 512, 8)
    x = np.zeros((4, 512), np.float32)
    x[1, 7], x[2], x[3, 300] = 1e-40, 1e-38, np.nan
    (found,) = product(name, 8, [x, blocks], exact=False).call([x, blocks])
    np.testing.assert_array_equal(found[0], 0)
    assert (np.abs(found[1:3]) < 1e-34).all() and np.isnan(found[3]).all()


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("count", [143, 300])
@pytest.mark.parametrize("is_static", [True, False])
def test_parts_of_the_rows_take_every_panel(count: int, is_static: bool, target: Target) -> None:
    """More rows than a panel takes, in whole bands and in what is left of one: each row has the bits it has alone."""
    blocks, _ = weight("Q4_K", 256, 40)
    x = RANDOM.standard_normal((count, 256)).astype(np.float32)
    dims = None if is_static else ("rows", 256)
    (found,) = product("Q4_K", 40, [x, blocks], target, dims=dims, exact=False).call([x, blocks], split=1)
    for row in (0, 127, 128, count - 1):
        alone = x[row : row + 1]
        (expected,) = product("Q4_K", 40, [alone, blocks], target, exact=False).call([alone, blocks])
        np.testing.assert_array_equal(found[row], expected[0])


@pytest.mark.parametrize("exact", [True, False])
def test_rows_by_expert(exact: bool) -> None:
    blocks, w = weight("Q4_K", 256, 21, 4)
    x = on_the_grid(150, 256, "Q4_K")
    for chosen in (np.sort(RANDOM.integers(0, 4, 150)), RANDOM.integers(-4, 4, 150), np.full(150, 3)):
        experts = chosen.astype(np.int32)
        (found,) = product("Q4_K", 21, [x, blocks, experts], exact=exact).call([x, blocks, experts])
        wanted = np.einsum("mk,mkn->mn", x.astype(np.float64), w[chosen])
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5 * np.abs(wanted).max())
    outside = np.array([0, 7], np.int32)
    made = product("Q4_K", 21, [x[:2], blocks, outside], exact=exact, mode="fill", check_bounds=True)
    assert np.isnan(made.call([x[:2], blocks, outside])[0][1]).all() and made.status[0] != 0


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("name", ["Q4_K", "Q6_K", "Q8_0", "IQ4_XS", "MXFP4", *types(["IQ2_XXS", "IQ1_M", "TQ1_0"])])
@pytest.mark.parametrize("exact", [True, False])
def test_cross_compiles(target: Target, name: str, exact: bool) -> None:
    blocks, _ = weight(name, 512, 24)
    x = np.zeros((6, 512), np.float32)
    assert all(len(stage.object) > 500 for stage in product(name, 24, [x, blocks], target, exact=exact).stages)
