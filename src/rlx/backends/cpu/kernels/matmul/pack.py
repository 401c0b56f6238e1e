"""Packing matrices into the order that products read.

`pack` is a separate kernel: it turns a weight into panels `[ceil(N / width), K, width]`, once. The `copy_*` and
`panel_from_*` functions emit the same movements inside a product, block by block, for operands that are not weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.values import I16, PTR, Operand, Type, Value, type_of
from rlx.backends.cpu.kernels.matmul.blocking import panel_width
from rlx.backends.cpu.kernels.matmul.spec import Size, SizeSlot
from rlx.backends.cpu.target import Target

_STEPS_AHEAD = 16
"""Prefetch distance, in steps, for copying a transposed A: its steps are far apart."""
_GROUP = 4
"""Panels of a packing unit."""
_DEPTH = 128
"""Its steps of k: many threads share a matrix of few columns."""

_ROWS_AHEAD = 8
"""Prefetch distance, in rows, for a strided source: the hardware prefetcher does not follow large strides."""


@dataclass(frozen=True)
class PackSpec:
    """One packing of B. The source is `[K, N]` ("rows") or `[N, K]` ("columns") with a stride between its rows."""

    n: Size
    k: Size
    form: Literal["rows", "columns"] = "rows"
    row: Size | None = None
    source_type: str = "f32"
    panel_type: str = "f32"
    compute_type: str = "f32"
    """The type of A in the product that reads the panels: determines the panel width."""
    batch: Size = 1
    source_batch: Size = 0
    pair: bool = False
    """Two sources of N columns each; a panel holds width/2 columns of the first, then the same of the second."""
    steps: int = 1
    """Steps of k side by side in the panels, of 16-bit numbers if two."""
    source: int = 0
    second: int = 1
    panels: int = 2
    """The argument-table entries of the sources (`second` only for pairs) and of the panels."""

    def with_sizes_as_arguments(self, entry: Callable[[int], int]) -> PackSpec:
        """The same packing with sizes read from the argument table, so that matrices of all sizes share one kernel; `entry` adds
        a size to the table."""
        given = (self.n, self.k, self.row, self.source_batch)
        n, k, row, apart = (SizeSlot(entry(size)) if isinstance(size, int) else size for size in given)
        assert n is not None and k is not None and apart is not None
        return replace(self, n=n, k=k, row=row, source_batch=apart)

    def panel_columns(self, target: Target) -> int:
        """Columns of one source in a panel."""
        width = panel_width(target, self.compute_type)
        return width // 2 if self.pair else width


def pack_units(spec: PackSpec, target: Target, *, n: Any = None, k: Any = None, batch: Any = None) -> Any:
    """The unit count of a packing. Sizes that are `SizeSlot`s must be passed, as ints or symbolic dims."""
    columns = spec.panel_columns(target)
    count: Any = spec.n if n is None else n
    depth: Any = spec.k if k is None else k
    batches: Any = spec.batch if batch is None else batch
    if any(isinstance(size, SizeSlot) for size in (count, depth, batches)):
        raise TypeError("sizes known only at run time must be given")
    panels = (count + (columns - 1)) // columns
    return (panels + (_GROUP - 1)) // _GROUP * batches * max(1, -(-depth // _DEPTH))


def pack(module: Module, name: str, spec: PackSpec) -> Function:
    """Build a new kernel for one packing."""
    k = module.kernel(name)
    pack_into(k, spec)
    return k


def pack_into(k: Function, spec: PackSpec) -> None:
    """Emit the packing into a kernel; a unit is some steps of k of a few adjacent panels. Columns past N are zero."""
    width, columns = panel_width(k.target, spec.compute_type), spec.panel_columns(k.target)
    n, depth = _size(k, spec.n), _size(k, spec.k)
    row = _size(k, spec.row) if spec.row is not None else (n if spec.form == "rows" else depth)
    panels = (n + (columns - 1)).udiv(columns)
    groups = (panels + (_GROUP - 1)).udiv(_GROUP)
    source_type, panel_type = type_of(spec.source_type), type_of(spec.panel_type)
    parts = k.maximum((depth + (_DEPTH - 1)).udiv(_DEPTH), 1)  # units that share some panels
    for unit in k.range(k.begin, k.end):
        group, start = unit.udiv(parts), unit.urem(parts) * _DEPTH
        length = depth if parts.constant == 1 else k.minimum(depth - start, _DEPTH)
        batch, first = group.udiv(groups), group.urem(groups) * _GROUP
        count = k.minimum(k.index(_GROUP), panels - first)
        size = depth * width
        target = k.pointer(k.argument(spec.panels, PTR), (batch * panels + first) * size + start * width, panel_type)
        for part, argument in enumerate((spec.source, spec.second) if spec.pair else (spec.source,)):
            along_k = start * row if spec.form == "rows" else start
            source = k.pointer(k.argument(argument, PTR), batch * _size(k, spec.source_batch) + along_k, source_type)
            half = k.pointer(target, part * columns, panel_type)
            column = first * columns
            if spec.form == "rows":
                panels_from_rows(
                    k, source, source_type, row, column, n - column, length, count, half, panel_type, width, columns, size
                )
                continue
            for panel in k.range(count):
                at = column + panel * columns
                panel_from_columns(
                    k,
                    source,
                    source_type,
                    row,
                    at,
                    n - at,
                    length,
                    k.pointer(half, panel * size, panel_type),
                    panel_type,
                    width,
                    columns,
                )
        if spec.steps == 2:
            for panel in k.range(count):
                _bring_together(k, k.pointer(target, panel * size, panel_type), length, width)


def _bring_together(k: Function, panel: Value, depth: Value, width: int) -> None:
    """Interleave every two steps of k in place."""
    row = I16.vector(width)
    for p in k.range(0, depth, 2):
        both = [k.load(panel, (p + step) * width, row) for step in range(2)]
        for half in range(2):
            order = [half * (width // 2) + lane + step for lane in range(width // 2) for step in (0, width)]
            k.store(k.shuffle(both[0], both[1], order), panel, (p + half) * width)


def emit_packing(code: KernelCode, spec: PackSpec) -> None:
    """Emit the packing as the code of a stage. Weights are packed once, so one kernel for all of their sizes does."""
    pack_into(code.code, spec.with_sizes_as_arguments(code.added_entry))


def _size(k: Function, size: Size) -> Value:
    return k.argument(size.index) if isinstance(size, SizeSlot) else k.index(size)


def _part_of_a_panel(
    k: Function,
    source: Value,
    source_type: Type,
    row: Operand,
    column: Operand,
    count: Value,
    depth: Value,
    panel: Value,
    panel_type: Type,
    width: int,
    columns: int,
) -> None:
    """Copy the last `count` columns of a `[K, N]` block, fewer than a panel's, starting at `column`; those past them become zero."""
    lanes = min(columns, width // 2)
    stored = source_type.vector(lanes)
    for p in k.range(depth):
        for start in range(0, columns, lanes):
            value = k.load_masked(source, p * row + column + start, count - start, stored)
            k.store(k.convert(value, panel_type), panel, p * width + start)


def panels_from_rows(
    k: Function,
    source: Value,
    source_type: Type,
    row: Operand,
    column: Value,
    count: Value,
    depth: Value,
    panels: Value,
    target: Value,
    kind: Type,
    width: int,
    columns: int,
    panel_size: Operand,
) -> None:
    """Copy several panels of a `[K, N]` block at once, reading each row to its end before the next."""
    lanes = min(columns, width // 2)
    stored = source_type.vector(lanes)
    whole = k.minimum(panels, count.udiv(columns))
    for p in k.range(depth):
        for panel in k.range(whole):
            ahead = k.pointer(source, (p + _ROWS_AHEAD) * row + column + panel * columns, source_type)
            k.prefetch(ahead, 0)
            for start in range(0, columns, lanes):
                value = k.load(source, p * row + column + panel * columns + start, stored)
                k.store(k.convert(value, kind), target, panel * panel_size + p * width + start)
    for panel in k.range(whole, panels):
        at = panel * columns
        part = k.pointer(target, panel * panel_size, kind)
        _part_of_a_panel(k, source, source_type, row, column + at, count - at, depth, part, kind, width, columns)


def panel_from_columns(
    k: Function,
    source: Value,
    source_type: Type,
    row: Operand,
    column: Operand,
    count: Value,
    depth: Value,
    panel: Value,
    panel_type: Type,
    width: int,
    columns: int,
) -> None:
    """Copy one panel of an `[N, K]` block: squares of it are transposed in registers."""
    side = min(columns, width // 2)
    square = source_type.vector(side)
    for start in k.range(0, columns, side):
        rows = [k.pointer(source, (k.index(column) + k.minimum(start + i, count - 1)) * row, source_type) for i in range(side)]
        wanted = k.lane_mask(count - start, side)

        def write(p: Value, line: Value, start: Value = start, wanted: Value = wanted) -> None:
            converted = k.convert(line, panel_type)
            k.store(k.select(wanted, converted, k.constant(0, converted.type)), panel, p * width + start)

        whole = depth // side * side
        for p in k.range(0, whole, side):
            for step, line in enumerate(k.transpose([k.load(base, p, square) for base in rows])):
                write(p + step, line)
        for p in k.range(whole, depth):
            line = k.constant(0, square)
            for i, base in enumerate(rows):
                line = k.insert(line, k.load(base, p, source_type), i)
            write(p, line)


def copy_rows(
    k: Function,
    source: Value,
    source_type: Type,
    row: Operand,
    inner: Operand,
    rows: Value,
    depth: Value,
    target: Value,
    kind: Type,
    target_row: int,
) -> None:
    """Copy rows of `depth` elements into rows `target_row` apart, converting. May write a vector past `depth`."""
    lanes = k.target.lanes(kind)
    stored = source_type.vector(lanes)
    contiguous = not isinstance(inner, Value) and inner == 1
    for i in k.range(rows):
        whole = depth // lanes * lanes
        if contiguous:
            for p in k.range(0, whole, lanes):
                k.store(k.convert(k.load(source, i * row + p, stored), kind), target, i * target_row + p)
            for p in k.range(whole, depth, lanes):
                value = k.load_masked(source, i * row + p, depth - p, stored)
                k.store(k.convert(value, kind), target, i * target_row + p)
        else:
            for p in k.range(depth):
                element = k.load(source, i * row + p * inner, source_type)
                k.store(k.convert(element, kind), target, i * target_row + p)


def copy_columns(
    k: Function,
    source: Value,
    source_type: Type,
    inner: Operand,
    rows: Value,
    depth: Value,
    target: Value,
    kind: Type,
    target_row: int,
) -> None:
    """Copy a block whose rows are adjacent (stride 1) and whose columns are `inner` apart, in the same order: step p of
    all rows goes to `target + p * target_row`. May write a vector past `rows`."""
    lanes = k.target.lanes(kind)
    stored = source_type.vector(lanes)
    whole = rows // lanes * lanes
    for p in k.range(depth):
        for i in k.range(0, whole, lanes):
            k.store(k.convert(k.load(source, p * inner + i, stored), kind), target, p * target_row + i)
        for i in k.range(whole, rows, lanes):
            value = k.load_masked(source, p * inner + i, rows - i, stored)
            k.store(k.convert(value, kind), target, p * target_row + i)


def copy_tiles(
    k: Function,
    source: Value,
    source_type: Type,
    inner: Operand,
    rows: Value,
    depth: Value,
    target: Value,
    kind: Type,
    tile_rows: int,
    tile: int,
) -> None:
    """Copy as `copy_columns` does by tiles of rows, `tile` elements apart: steps of a tile are adjacent. May write past a tile's end."""
    lanes = k.target.lanes(kind)
    stored = source_type.vector(lanes)
    tiles = (rows + (tile_rows - 1)).udiv(tile_rows)
    past = -(-tile_rows // lanes) * lanes - tile_rows  # what vectors access past a tile
    whole = k.maximum(rows - past, 0).udiv(tile_rows)
    for p in k.range(depth):
        line, into = k.pointer(source, p * inner, source_type), k.pointer(target, p * tile_rows, kind)
        for row in k.range(0, rows, 64 // source_type.size):
            k.prefetch(source, ((p + _STEPS_AHEAD) * inner + row) * source_type.size)
        for t in k.range(whole):
            for at in range(0, tile_rows, lanes):
                k.store(k.convert(k.load(line, t * tile_rows + at, stored), kind), into, t * tile + at)
        for t in k.range(whole, tiles):
            for at in range(0, tile_rows, lanes):
                value = k.load_masked(line, t * tile_rows + at, rows - t * tile_rows - at, stored)
                k.store(k.convert(value, kind), into, t * tile + at)
