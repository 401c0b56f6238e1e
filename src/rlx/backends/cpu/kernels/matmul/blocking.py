"""How a matrix product is split into units, and a unit into blocks, panels and tiles; `spec.py` describes what it computes.

One kernel serves every M: few rows stream B once, many are blocked for the caches. A unit is one block of rows x columns of one batch,
with its whole sum over K: the assignment of units to threads cannot change a bit. `loops.py` emits the loops of
a unit, `thin.py` those of few rows times an unpacked B, `paired.py` those of pairs of bf16, `tile.py` the innermost ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rlx.backends.cpu.emit.values import F32, type_of
from rlx.backends.cpu.kernels.matmul.spec import LISTED, MatMulSpec, Size, SizeSlot
from rlx.backends.cpu.target import Target

# -- sizes by class of product: measured on AVX2 with 32 KB, 512 KB and 32 MB of cache; see `bench`
#
#   thin          few rows of A times a row-major B, read once            few panels by rows of A, _THIN_DEPTHS
#   near          each block of rows packs a B from a near cache        _NEAR
#   pairs         bf16 by pairs along k, A read in place                _PAIRS
#   blocked       all others, by what each unit copies                  _BLOCKED


@dataclass(frozen=True)
class _UnitSizes:
    """How large units are: at most `rows` rows per block and `panels` panels per unit, about `units` units in all."""

    rows: int
    units: int
    panels: int

    def row_blocks(self, rows: int) -> int:
        """The number of blocks that so many rows are split into."""
        return _ceil(rows, self.rows)


_BLOCKED = {
    # what each unit copies: (A, B)
    (False, False): _UnitSizes(72, 64, 16),
    (True, False): _UnitSizes(72, 32, 16),
    (False, True): _UnitSizes(240, 64, 8),
    (True, True): _UnitSizes(144, 32, 16),
}
"""A unit that copies rows of A does so once for all of its columns: the more panels, the better, as long as there are 32 units."""

_COLUMN_BLOCKS = 8
"""The number of column blocks to aim for, where units do not copy A or M is known only at run time."""

_LISTED_PANELS = {True: 24, False: 8}
"""Panels of a unit for listed rows, by whether the unit packs B: more of them amortize the copy of its rows."""

_PAIRS = {False: _UnitSizes(240, 128, 16), True: _UnitSizes(128, 64, 8)}
"""By whether AMX tiles are used. Two tiles are multiplied in turns to hide latency, so blocks hold a multiple of two. With tiles a unit
is nearly square, which minimizes the traffic of A and B from a shared cache."""

_NEAR = _UnitSizes(132, 96, 8)
_NEAR_BLOCKS = 8
"""The most row blocks that each pack a near B while their first tiles are multiplied; with more, a command packs B once."""

_FEW_UNITS, _THIN_UNITS = 16, 32
"""Units to aim for in a product of one row block and in a thin product: enough that others can take over those of a late thread."""

_THIN_SUMS = 16 << 10
"""Bytes of accumulators that stay in L1 while a thin product reads B."""

_THIN_DEPTHS = {False: ((6, 8), (8, 16), (32, 32)), True: ((4, 8), (7, 16), (12, 32), (32, 64))}
"""(up to how many rows, rows of B that a thin product takes at a time), with vectors of up to 32 bytes, and of 64."""

_ROWS_STREAMED = 8
"""Rows whose arithmetic takes as long as reading B from memory."""

PAIRED_ROWS = 16
"""The least M for which bf16 products use instructions that multiply two consecutive k at once."""

PAIRED_DEPTH = 384
"""The K block size of paired bf16 products: a multiple of a tile's depth."""

PAIRED_STEP = 32
"""Steps of k of a tile: 64 bytes."""

_CROWDED = {False: 4096, True: 8192}
"""If the row stride of A is a multiple of this many bytes, A is copied to avoid conflicts in cache sets. By whether tiles are used: vectors
conflict in L1; tiles read each line of a row once and conflict in L2."""

NEAR = 4 << 20
"""Bytes of a B that stays in a near cache across blocks of rows."""

_WIDE = 128
"""Bytes of a panel's row on targets with 64-byte vectors."""

_RUNS, _ROWS_IN_RUNS, _SHORT = 64, 64, 1 << 28
"""Runs per thread's share of units, used from `_ROWS_IN_RUNS` rows on and up to `_SHORT` multiplications (four times as many for pairs):
threads that claim units from one counter wait for it, which costs a product of half a millisecond noticeably."""

_PART_ROWS = 4
"""Rows of the smallest part of a tile that has enough independent accumulators to keep the FMA units busy."""


@dataclass(frozen=True)
class Blocking:
    """The blocking of a matrix product: tile, panel and block sizes. Functions of the spec and the target only."""

    width: int
    """Columns of a panel: two vectors."""
    columns: int
    """Columns of C per panel: `width`, or half of it for pairs."""
    tile_rows: int
    variants: tuple[int, ...]
    """Row counts of the remainder tiles that are emitted, ascending; other counts use the next larger one and repeat the last row."""
    block_rows: int
    block_panels: int
    few_panels: int
    """Panels per unit if all rows fit one block: smaller units, so that every thread gets several."""
    depth: int
    """K block size: between blocks, partial sums are in scratch."""
    row_step: int
    """The rows of a block are a multiple of this: of a tile's rows, or of `_PART_ROWS` where complete tiles leave blocks unequal."""

    def rows_of_a_block(self, rows: int) -> int:
        """The rows of all blocks but the last, for a product of so many rows."""
        blocks = max(1, -(-rows // self.block_rows))
        return -(-rows // blocks // self.row_step) * self.row_step


def panel_width(target: Target, dtype: str = "f32") -> int:
    """Columns of a panel of B, by the accumulator type of `dtype`."""
    kind = type_of(dtype)
    return 2 * target.lanes(F32 if kind.is_low_float else kind)


def side_by_side(dtype: str, k: object, target: Target) -> int:
    """How many steps of k are interleaved in panels of a B: two where products of pairs read them."""
    pairs = dtype == "bf16" and target.vector_bytes == 64 and target.has_bf16_products(16)
    return 2 if pairs and isinstance(k, int) and k > 0 and k % PAIRED_STEP == 0 else 1


def multiplies_pairs(spec: MatMulSpec, target: Target) -> bool:
    """Whether a product of bf16 uses `vdpbf16ps` or tiles. They accumulate in an order of their own: not if `spec.in_order`."""
    few = isinstance(spec.m, int) and spec.m < PAIRED_ROWS
    if (spec.a_type, spec.b_type) != ("bf16", "bf16") or spec.in_order or spec.is_thin or few or spec.m == LISTED:
        return False
    return target.vector_bytes == 64 and target.has_bf16_products(16)


def reads_a_in_place(spec: MatMulSpec, target: Target) -> bool:
    """Whether a product of pairs reads A in place: full steps along k, and a row stride without cache conflicts."""
    row = spec.a_row if spec.a_row is not None else spec.k
    if spec.a_inner != 1 or not isinstance(spec.k, int) or spec.k % PAIRED_STEP or not isinstance(row, int):
        return False
    return row * 2 % _CROWDED[target.has_tiles("bf16")] != 0


def blocking(spec: MatMulSpec, target: Target) -> Blocking:
    """Choose the blocking of a product, by its class."""
    width, rows = panel_width(target, spec.a_type), tile_rows(target)
    columns = width // 2 if spec.pair else width
    panels = _ceil(spec.n, columns) if isinstance(spec.n, int) else 64
    few, tile = _few_panels(spec, panels), (width, columns, rows, _remainder_tiles(spec, rows))
    if spec.is_thin:
        assert isinstance(spec.m, int)
        room = _THIN_SUMS // (spec.m * width * spec.kind.size)
        return Blocking(*tile, spec.m, max(few, room), few, _thin_depth(spec.m, target), rows)
    lanes_scale = 16 * 4 / (width * spec.kind.size)  # bytes of a panel's row on AVX2, relative to this target
    depth = max(64, int(target.k_block * lanes_scale) // 64 * 64)
    if _packs_by_first_tiles(spec, target):
        assert isinstance(spec.m, int)
        many = max(1, min(_NEAR.panels, panels * _NEAR.row_blocks(spec.m) // _NEAR.units))
        return Blocking(*tile, _NEAR.rows, many, many, depth, _row_step(spec.m, _NEAR.rows, rows))
    if _pairs_in_place(spec, target):
        assert isinstance(spec.m, int)
        by_tiles = target.has_tiles("bf16")
        many = _paired_panels(panels, spec.m, by_tiles)
        return Blocking(*tile, _PAIRS[by_tiles].rows, many, min(many, few), depth, 2 * PAIRED_ROWS if by_tiles else rows)
    sizes = _BLOCKED[spec.copies_a, spec.copies_b]
    if multiplies_pairs(spec, target):
        sizes = replace(sizes, rows=_PAIRS[target.has_tiles("bf16")].rows)
    step = _row_step(spec.m, sizes.rows, rows) if isinstance(spec.m, int) and not spec.copies_a else rows
    return Blocking(*tile, sizes.rows, _blocked_panels(spec, sizes, panels, few), few, depth, step)


def _pairs_in_place(spec: MatMulSpec, target: Target) -> bool:
    return isinstance(spec.m, int) and multiplies_pairs(spec, target) and reads_a_in_place(spec, target)


def tile_rows(target: Target) -> int:
    """Rows of a tile: its accumulators fill the registers. Without fused multiply-add, products need extra registers."""
    return 12 if target.vector_registers == 32 else 6 if target.has("fma") else 4


def _remainder_tiles(spec: MatMulSpec, rows: int) -> tuple[int, ...]:
    """Rows of the remainder tiles: all counts if M is static, else a few, since each adds long code."""
    return tuple(range(1, rows + 1)) if isinstance(spec.m, int) else tuple(count for count in (1, 4, 8) if count < rows)


def _few_panels(spec: MatMulSpec, panels: int) -> int:
    """Panels of a unit where all rows fit one block: about 2 µs of streaming or of arithmetic, and enough units for all threads."""
    least = 2
    if isinstance(spec.k, int) and spec.k:
        rows = spec.m if isinstance(spec.m, int) else 1
        least = min(8, _ceil(512, spec.k * max(1, rows // _ROWS_STREAMED)))
    most = 16 if spec.copies_b else 4  # 4: see `loops.ProductLoops._panels_of_one_row`
    if not spec.copies_b and not (isinstance(spec.m, int) and spec.m > 1):
        return max(least, most)
    return max(least, min(most, _ceil(panels, _THIN_UNITS if spec.is_thin and spec.m != 1 else _FEW_UNITS)))


def _paired_panels(panels: int, rows: int, by_tiles: bool) -> int:
    """Panels of a unit of a product of pairs that reads A in place."""
    blocks = _PAIRS[by_tiles].row_blocks(rows)
    sizes = _PAIRS[by_tiles and blocks > 1]
    if sizes is _PAIRS[False]:
        return min(sizes.panels, _ceil(panels * blocks, sizes.units))
    return max(1, min(sizes.panels, panels * blocks // sizes.units))


def _blocked_panels(spec: MatMulSpec, sizes: _UnitSizes, panels: int, few: int) -> int:
    """Panels of a unit where rows are split into several blocks."""
    if spec.m == LISTED and spec.copies_b:
        return _LISTED_PANELS[True]
    blocks = sizes.row_blocks(spec.m) if isinstance(spec.m, int) else 0
    columns = _ceil(sizes.units, max(1, blocks)) if spec.copies_a and isinstance(spec.m, int) else _COLUMN_BLOCKS
    many = max(few, 4, min(sizes.panels, _ceil(panels, columns)))
    if spec.m == LISTED:
        return max(_LISTED_PANELS[False], many)
    if blocks > 1 and not spec.copies_a and not spec.copies_b:
        return min(many, max(2, _ceil(panels * blocks, sizes.units)))
    return many


def _row_step(rows: int, block_rows: int, tile_rows: int) -> int:
    """The multiple of rows in a block: 128 rows in two blocks are 72 and 56 by tiles of 12, and threads wait for each other."""
    blocks = max(1, -(-rows // block_rows))
    share = -(-rows // blocks // tile_rows) * tile_rows
    unequal = rows - (blocks - 1) * share < share - _PART_ROWS
    return _PART_ROWS if blocks > 1 and tile_rows > 2 * _PART_ROWS and unequal else tile_rows


def _packs_by_first_tiles(spec: MatMulSpec, target: Target) -> bool:
    """Whether several blocks of rows each pack a near B by their first tiles. For many threads that is quicker than a packing of its own,
    which they wait for, and after which each finds what others have written; for few it is as quick."""
    sizes = spec.static_sizes
    if spec.b_form != "rows" or sizes is None or spec.copies_a or multiplies_pairs(spec, target):
        return False
    m, n, k = sizes
    if not _BLOCKED[False, True].rows < m <= _NEAR.rows * _NEAR_BLOCKS:
        return False
    rows = tile_rows(target)
    step = _row_step(m, _NEAR.rows, rows)
    share = _ceil(_ceil(m, _NEAR.row_blocks(m)), step) * step
    # A first tile reads so many bytes of a row at a time.
    near = NEAR * panel_width(target, spec.a_type) * spec.kind.size // _WIDE
    return (m - 1) % share + 1 >= rows and n * k * type_of(spec.b_type).size <= near


def _thin_depth(rows: int, target: Target) -> int:
    """Rows of B that a thin product processes at a time along all columns. Few of them stay in a near cache from their prefetch to their
    use; many, and accumulators are rarely reloaded, which matters more with more rows of A. One row of A has as many as
    there are registers."""
    return next(depth for most, depth in _THIN_DEPTHS[target.vector_bytes == 64] if rows <= most)


def units(spec: MatMulSpec, target: Target, *, m: Any = None, n: Any = None, batch: Any = None) -> Any:
    """The unit count of a product. Sizes that are `SizeSlot`s in the spec must be passed, as ints or symbolic dims (anything
    with + - * //); `batch` is the product of the batch sizes."""
    plan = blocking(spec, target)
    rows = _require_size(spec.m, m, "m")
    panels = _ceil_divide(_require_size(spec.n, n, "n"), plan.columns)
    few, many = _ceil_divide(panels, plan.few_panels), _ceil_divide(panels, plan.block_panels)
    one_block = 1 // (1 + rows // (plan.block_rows + 1))  # 1 if the rows fit one block, else 0
    batches: Any = 1
    if batch is not None:
        batches = batch
    else:
        for size in spec.batch:
            batches = batches * _require_size(size, None, "batch")
    return _ceil_divide(rows, plan.block_rows) * (many + one_block * (few - many)) * batches


def runs_per_thread(spec: MatMulSpec, target: Target) -> int:
    """Into how many runs of units a thread's share is divided, see `Stage.runs`. Thin products use long runs of columns: the longest
    for one row, which is memory-bound. One row of packed panels has the shares in which these were packed. Short products of many rows
    use short runs, which threads that are through take from others. All others claim units one by one: 0."""
    if spec.is_thin:
        return 1 if spec.m == 1 else 2
    if spec.m == 1:
        return _RUNS
    if spec.static_sizes is None:
        return 0
    m, n, k = spec.static_sizes
    most = 4 * _SHORT if multiplies_pairs(spec, target) else _SHORT
    return _RUNS if m >= _ROWS_IN_RUNS and m * n * k <= most else 0


def wants_packing(spec: MatMulSpec, target: Target) -> bool:
    """Whether packing a B that is not a weight with a separate command pays off. Otherwise each unit packs what it needs; with
    several blocks of rows that is repeated for each of them."""
    if _packs_by_first_tiles(spec, target):
        return False
    return spec.copies_b and isinstance(spec.m, int) and spec.m > blocking(spec, target).block_rows


def _require_size(size: Size, given: Any, name: str) -> Any:
    if given is not None:
        return given
    if isinstance(size, SizeSlot):
        raise TypeError(f"{name} is known only at run time: give it")
    return size


def _ceil_divide(a: Any, b: int) -> Any:
    """Divide sizes that may be symbolic, rounding up."""
    return (a + (b - 1)) // b


def _ceil(a: int, b: int) -> int:
    return -(-a // b)
