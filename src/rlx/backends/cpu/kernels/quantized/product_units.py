"""Products of packed weights with integers: how their work is divided into units.

A unit is a panel of 16 columns, of one expert that has rows or of 128 rows of x; for one row it has eight. Where x is in the order of
tiles it is two panels and fewer rows.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import Tensor
from rlx.backends.cpu.kernels.experts.product import RowTable
from rlx.backends.cpu.kernels.quantized.many_rows import COLUMNS, PANEL_ROWS
from rlx.backends.cpu.kernels.quantized.rounded import GROUP_ROWS
from rlx.backends.cpu.kernels.quantized.tiled_rows import PART_COLUMNS, PART_ROWS, has_tiled_rows
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, minimum
from rlx.layouts.block_order import ORDERS, ROWS

_MEMORY_BOUND = 16
"""Up to this many rows, reading the weight dominates."""
_RUNS = 16
"""The number of runs in which a thread streams its share of a weight: what it prefetches should be its own next panel."""


@dataclass(frozen=True)
class ProductShape:
    """One product. A stage's tensors are the rounded rows, the blocks, the table of the experts' rows if there is one, and the result."""

    name: str
    rows: Size
    k: Size
    n: Size
    out: Tensor
    table: RowTable | None = None
    """With a weight for each row's expert: the rounded rows are in the order of the table."""


def rounds_to_tiles(name: str, rows: Size, target: Target) -> bool:
    """Whether sixteen and more rows, of x or of an expert, are rounded into the order in which tiles read them."""
    return has_tiled_rows(target, name) and not (isinstance(rows, int) and rows < GROUP_ROWS)


def expert_columns(shape: ProductShape, target: Target) -> int:
    """Columns of an expert in a unit."""
    return PART_COLUMNS if rounds_to_tiles(shape.name, shape.rows, target) else COLUMNS


def panel_columns(shape: ProductShape) -> int:
    """Columns of a panel. One row streams eight at a time: units half as long, for which threads wait half as long at the end. Codebooks
    are looked up for sixteen."""
    is_alone = isinstance(shape.rows, int) and shape.rows == 1 and shape.table is None
    return ROWS if is_alone and ORDERS[shape.name].planes else COLUMNS


def unit_count(shape: ProductShape, target: Target) -> Size:
    """A unit is a panel, of one expert or of some rows; or where x is in the order of tiles, two panels of an expert or of fewer rows."""
    if shape.table is not None:
        return ceildiv(shape.n, expert_columns(shape, target)) * shape.table.most_used
    panels = ceildiv(shape.n, panel_columns(shape))
    if not rounds_to_tiles(shape.name, shape.rows, target):
        return panels * ceildiv(shape.rows, PANEL_ROWS)
    is_tiled, is_any = minimum(shape.rows // GROUP_ROWS, 1), minimum(shape.rows, 1)
    wide = ceildiv(shape.n, PART_COLUMNS)
    return panels * is_any * (1 - is_tiled) + wide * ceildiv(shape.rows, PART_ROWS) * is_tiled


def runs_per_thread(shape: ProductShape) -> int:
    """The number of runs of adjacent panels per thread; 0: panel by panel, if the product is certainly compute-bound."""
    many = isinstance(shape.rows, int) and shape.rows > _MEMORY_BOUND
    return _RUNS if shape.table is None and not many else 0
