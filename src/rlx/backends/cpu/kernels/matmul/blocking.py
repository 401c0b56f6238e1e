"""How a matrix product is split into units, and a unit into blocks, panels and tiles; `spec.py` says what it computes.

One kernel serves every M: few rows stream B once, many are blocked for the caches. A unit is one block of rows x columns of one batch,
with its whole sum over K: the assignment of units to threads cannot change a bit. `kernel.py` emits the kernel, `loops.py` the loops of
a unit, `thin.py` those of few rows times an unpacked B, `tile.py` the innermost ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rlx.backends.cpu.emit.types import F32, type_of
from rlx.backends.cpu.kernels.matmul.spec import LISTED, MatMulSpec, Size, SizeSlot
from rlx.backends.cpu.target import Target

_THIN_SUMS = 16 << 10
"""Bytes of accumulators that stay in L1 while a thin product reads B."""

_THIN_UNITS = 32
"""Units of a thin product of several rows: so many that a thread which is late has some taken from it."""

_MANY_UNITS = 64
"""Units of a product that copies nothing, so that many threads get nearly equal shares."""

_MOST_ROWS = 240
"""Rows of a block whose units pack their panels of B."""

_LEAST_UNITS = 32
"""Units of a product whose units copy rows of A."""

_ROWS_STREAMED = 8
"""Rows whose arithmetic takes as long as reading B from memory."""

_THIN_DEPTHS = {False: ((6, 8), (8, 16), (32, 32)), True: ((4, 8), (7, 16), (12, 32), (32, 64))}
"""(up to how many rows, rows of B that a thin product takes at a time), with vectors of up to 32 bytes, and of 64."""

PAIRED_ROWS = 16
"""From so many rows on, products of bf16 multiply pairs along k, with the instructions that do so."""

_PAIRED_BLOCK = {False: 240, True: 128}
"""Rows of their blocks, by vectors and by tiles: a multiple of the rows of two tiles, which hide each other's latency."""

PAIRED_DEPTH = 384
"""Their K block size: a multiple of a tile's."""

PAIRED_STEP = 32
"""Steps of k of a tile: 64 bytes."""

_PAIRED_UNITS, _SQUARE_UNITS, _PAIRED_PANELS = 128, 64, 8
"""Their units where A is read in place, by vectors or of all rows, and by tiles of several blocks of rows; and the panels of one of the
latter at most. The nearer a unit's columns are to its rows in number, the less of both operands comes from a cache that cores share."""

_CROWDED = {False: 4096, True: 8192}
"""Rows of A a multiple of so many bytes apart are copied: by vectors, since they share their sets of the first cache, and by tiles, which
read a line of each row but once, of the second."""

NEAR = 4 << 20
"""Bytes of a B that stays in a near cache across blocks of rows."""

_NEAR_ROWS, _NEAR_BLOCKS, _NEAR_UNITS = 132, 8, 96
"""Rows of the blocks that a near B is packed for by their first tiles, how many of them at most, and units they are about to be."""

_WIDE = 128
"""Bytes of a panel's row with vectors of 64."""

_RUNS, _ROWS_IN_RUNS, _SHORT = 64, 64, 1 << 28
"""Runs of units that a thread's share is divided into, for products of at least so many rows and at most so many multiplications (of
pairs four times as many): threads that take units from one counter wait for it, which is felt in half a millisecond."""

_PART_ROWS = 4
"""Rows of a part of a tile that has as many independent sums as the multipliers need."""


@dataclass(frozen=True)
class Blocking:
    """The blocking of a product: tile, panel and block sizes. Functions of the spec and the target only."""

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
    """Rows of a block are a multiple of this: of a tile's, or of a part of a tile where whole ones leave blocks unequal."""

    def rows_of_a_block(self, rows: int) -> int:
        """The rows of all blocks but the last, of so many in all."""
        blocks = max(1, -(-rows // self.block_rows))
        return -(-rows // blocks // self.row_step) * self.row_step


def panel_width(target: Target, dtype: str = "f32") -> int:
    """Columns of a panel of B for products accumulating in the type `dtype` accumulates in."""
    kind = type_of(dtype)
    return 2 * target.lanes(F32 if kind.is_low_float else kind)


def side_by_side(dtype: str, k: object, target: Target) -> int:
    """How many steps of k lie side by side in panels of a B: two where products of pairs read them."""
    pairs = dtype == "bf16" and target.vector_bytes == 64 and target.has_bf16_products(16)
    return 2 if pairs and isinstance(k, int) and k > 0 and k % PAIRED_STEP == 0 else 1


def multiplies_pairs(spec: MatMulSpec, target: Target) -> bool:
    """Whether a product of bf16 uses `vdpbf16ps` or tiles. They round in an order of their own, so not if sums must be in order."""
    few = isinstance(spec.m, int) and spec.m < PAIRED_ROWS
    if (spec.a_type, spec.b_type) != ("bf16", "bf16") or spec.in_order or spec.is_thin or few or spec.m == LISTED:
        return False
    return target.vector_bytes == 64 and target.has_bf16_products(16)


def reads_a_in_place(spec: MatMulSpec, target: Target) -> bool:
    """Whether a product of pairs reads A where it is: whole steps along k, in rows that do not crowd a cache."""
    row = spec.a_row if spec.a_row is not None else spec.k
    if spec.a_inner != 1 or not isinstance(spec.k, int) or spec.k % PAIRED_STEP or not isinstance(row, int):
        return False
    return row * 2 % _CROWDED[target.has_tiles("bf16")] != 0


def blocking(spec: MatMulSpec, target: Target) -> Blocking:
    """Choose the sizes. Measured on AVX2 with 32 KB, 512 KB and 32 MB of cache; see `bench`."""
    width = panel_width(target, spec.a_type)
    columns = width // 2 if spec.pair else width
    # Without fused multiply-add, products need extra registers.
    tile_rows = 12 if target.vector_registers == 32 else 6 if target.has("fma") else 4
    variants = tuple(range(1, tile_rows + 1))
    if isinstance(spec.m, SizeSlot):
        variants = tuple(rows for rows in (1, 4, 8) if rows < tile_rows)
    lanes_scale = 16 * 4 / (width * spec.kind.size)  # bytes of a panel's row on AVX2, relative to this target
    depth = int(target.k_block * lanes_scale) // 64 * 64
    panels = -(-spec.n // columns) if isinstance(spec.n, int) else 64
    least = 2
    if isinstance(spec.k, int) and spec.k:  # about 2 µs of streaming, or of arithmetic
        rows = spec.m if isinstance(spec.m, int) else 1
        least = min(8, -(-512 // (spec.k * max(1, rows // _ROWS_STREAMED))))
    most = 16 if spec.copies_b else 4  # 4: see `loops.ProductLoops._panels_of_one_row`
    several = spec.copies_b or (isinstance(spec.m, int) and spec.m > 1)
    units_of_few = _THIN_UNITS if spec.is_thin and spec.m != 1 else 16
    few = max(least, min(most, -(-panels // units_of_few)) if several else most)
    if spec.is_thin:
        assert isinstance(spec.m, int)
        room = _THIN_SUMS // (spec.m * width * spec.kind.size)
        return Blocking(width, columns, tile_rows, variants, spec.m, max(few, room), few, _thin_depth(spec.m, target), tile_rows)
    if _packs_by_first_tiles(spec, target, tile_rows):
        assert isinstance(spec.m, int)
        many = max(1, min(8, panels * -(-spec.m // _NEAR_ROWS) // _NEAR_UNITS))
        step = _row_step(spec.m, _NEAR_ROWS, tile_rows)
        return Blocking(width, columns, tile_rows, variants, _NEAR_ROWS, many, many, max(64, depth), step)
    block_rows = (144 if spec.copies_a else _MOST_ROWS) if spec.copies_b else 72
    if multiplies_pairs(spec, target):
        block_rows = _PAIRED_BLOCK[target.has_tiles("bf16")]
        if reads_a_in_place(spec, target) and isinstance(spec.m, int):
            many = _paired_panels(panels, -(-spec.m // block_rows), target)
            few, step = min(many, few), 2 * PAIRED_ROWS if target.has_tiles("bf16") else tile_rows
            return Blocking(width, columns, tile_rows, variants, block_rows, many, few, max(64, depth), step)
    least = 8  # blocks of columns
    if spec.copies_a and isinstance(spec.m, int):  # every unit copies its rows: the fewer columns, the more often
        least = -(-_LEAST_UNITS // max(1, -(-spec.m // block_rows)))
    many = max(few, 4, min(8 if spec.copies_b and not spec.copies_a else 16, -(-panels // least)))
    if isinstance(spec.m, int) and spec.m > block_rows and not spec.copies_a and not spec.copies_b:
        many = min(many, max(2, -(-panels * -(-spec.m // block_rows) // _MANY_UNITS)))
    if spec.m == LISTED:  # every unit copies its rows, and reads those of a B it packs: the more columns, the better
        many = 24 if spec.copies_b else max(8, many)
    in_parts = isinstance(spec.m, int) and not spec.copies_a
    step = _row_step(spec.m, block_rows, tile_rows) if in_parts else tile_rows
    return Blocking(width, columns, tile_rows, variants, block_rows, many, few, max(64, depth), step)


def _paired_panels(panels: int, blocks: int, target: Target) -> int:
    """Panels of a unit of a product of pairs."""
    if blocks == 1 or not target.has_tiles("bf16"):
        return min(16, -(-panels * blocks // _PAIRED_UNITS))
    return max(1, min(_PAIRED_PANELS, panels * blocks // _SQUARE_UNITS))


def _row_step(rows: Size, block_rows: int, tile_rows: int) -> int:
    """Of how many rows blocks are a multiple: 128 rows in two blocks are 72 and 56 by tiles of 12, and threads wait for each other."""
    assert isinstance(rows, int)
    blocks = max(1, -(-rows // block_rows))
    share = -(-rows // blocks // tile_rows) * tile_rows
    unequal = rows - (blocks - 1) * share < share - _PART_ROWS
    return _PART_ROWS if blocks > 1 and tile_rows > 2 * _PART_ROWS and unequal else tile_rows


def _packs_by_first_tiles(spec: MatMulSpec, target: Target, tile_rows: int) -> bool:
    """Whether several blocks of rows each pack a near B by their first tiles. For many threads that is quicker than a packing of its own,
    which they wait for, and after which each finds what others have written; for few it is as quick."""
    if not (spec.b_form == "rows" and isinstance(spec.m, int) and isinstance(spec.n, int) and isinstance(spec.k, int)):
        return False
    if spec.copies_a or multiplies_pairs(spec, target) or not _MOST_ROWS < spec.m <= _NEAR_ROWS * _NEAR_BLOCKS:
        return False
    blocks, step = -(-spec.m // _NEAR_ROWS), _row_step(spec.m, _NEAR_ROWS, tile_rows)
    share = -(-spec.m // blocks // step) * step
    # A first tile reads so many bytes of a row at a time.
    near = NEAR * panel_width(target, spec.a_type) * spec.kind.size // _WIDE
    return (spec.m - 1) % share + 1 >= tile_rows and spec.n * spec.k * type_of(spec.b_type).size <= near


def _thin_depth(rows: int, target: Target) -> int:
    """Rows of B that a thin product processes at a time along all columns. Few of them stay in a near cache from their prefetch to their
    use; many, and accumulators are rarely reloaded, which the more rows of A there are takes the longer. One row of A has as many as
    there are registers."""
    return next(depth for most, depth in _THIN_DEPTHS[target.vector_bytes == 64] if rows <= most)


def units(spec: MatMulSpec, target: Target, *, m: Any = None, n: Any = None, batch: Any = None) -> Any:
    """How many units the product has. Sizes that are `SizeSlot`s in the spec must be passed, as ints or symbolic dims
    (anything with + - * //); `batch` is the product of the batch sizes."""
    plan = blocking(spec, target)
    rows = _known(spec.m, m, "m")
    panels = _ceil_divide(_known(spec.n, n, "n"), plan.columns)
    few, many = _ceil_divide(panels, plan.few_panels), _ceil_divide(panels, plan.block_panels)
    one_block = 1 // (1 + rows // (plan.block_rows + 1))  # 1 if the rows fit one block, else 0
    batches: Any = 1
    if batch is not None:
        batches = batch
    else:
        for size in spec.batch:
            batches = batches * _known(size, None, "batch")
    return _ceil_divide(rows, plan.block_rows) * (many + one_block * (few - many)) * batches


def runs_per_thread(spec: MatMulSpec, target: Target) -> int:
    """Into how many runs of units a thread's share is divided, see `Stage.runs`. Thin products use long runs of columns: the longest
    for one row, which is memory-bound. One row of packed panels has the shares in which these were packed. Short products of many rows
    use short runs, which threads that are through take from others. All others claim units one by one: 0."""
    if spec.is_thin:
        return 1 if spec.m == 1 else 2
    if spec.m == 1:
        return _RUNS
    if not (isinstance(spec.m, int) and isinstance(spec.n, int) and isinstance(spec.k, int)):
        return 0
    most = 4 * _SHORT if multiplies_pairs(spec, target) else _SHORT
    return _RUNS if spec.m >= _ROWS_IN_RUNS and spec.m * spec.n * spec.k <= most else 0


def wants_packing(spec: MatMulSpec, target: Target) -> bool:
    """True if packing a B that is not a weight with a separate command pays off. Otherwise each unit
    packs what it needs; with several blocks of rows that is repeated for each of them."""
    plan = blocking(spec, target)
    if _packs_by_first_tiles(spec, target, plan.tile_rows):
        return False
    return spec.copies_b and isinstance(spec.m, int) and spec.m > plan.block_rows


def _known(size: Size, given: Any, name: str) -> Any:
    if given is not None:
        return given
    if isinstance(size, SizeSlot):
        raise TypeError(f"{name} is known only at run time: give it")
    return size


def _ceil_divide(a: Any, b: int) -> Any:
    return (a + (b - 1)) // b
