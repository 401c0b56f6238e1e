"""Kernels of products with few rows, or of any dtype: by tiles, or by one walk through the weights.

By tiles: `tl.dot`, the elementwise nodes on the tile, and a store; a tile may split the depth among blocks. Two products of one left
operand (gate and up) are two accumulators. With few rows the weights are what counts: blocks prefetch theirs into the cache of the GPU
before they wait for the kernel before them.

By a walk: weights are read in the order in which they lie. Nothing is reused, so the memory of the GPU is the limit: each block holds
complete columns in registers and loads them before it waits for the kernel before it, where nobody in the graph writes them; and so for
what else the graph does not write.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rlx.backends.cuda.kernel_data import CudaTensor, EarlyKernel, Launch
from rlx.backends.cuda.kernels.products import Contraction, MatrixStrides
from rlx.backends.cuda.kernels.region import label_of
from rlx.backends.cuda.kernels.tiles import DEEPEST, DotTile, WalkTile
from rlx.backends.cuda.register_types import Folding, carried
from rlx.backends.cuda.text import KernelText, power_of_two
from rlx.core.dim import Size, ceildiv, product
from rlx.core.dtype import DType
from rlx.ir.graph import Ref

_LEAST = 16  # of every side of a tile
_FEW_ROWS = 64  # rows up to which weights are asked for ahead


def write_tiles(contraction: Contraction, tile: DotTile | None = None) -> tuple[Launch, ...]:
    """One kernel; or one of shares of the depth, and one that adds them up."""
    tile = _usual(contraction) if tile is None else _fitted(contraction, tile)
    launch = _written(contraction, tile, early=False)
    if _reads_ahead(contraction, tile):
        operands = tuple(dict.fromkeys(contraction.leaves[product.right] for product in contraction.products))
        early = EarlyKernel(_written(contraction, tile, early=True).kernel, operands)
        launch = replace(launch, early=(early,))
    return (launch,) if tile.splits == 1 else (launch, _joined(contraction, tile))


def partial_sums(contraction: Contraction, tile: DotTile) -> CudaTensor | None:
    """Where the shares of the depth are written, if there are any: products, splits, rows, columns."""
    tile = _fitted(contraction, tile)
    if tile.splits == 1:
        return None
    assert isinstance(contraction.rows, int) and isinstance(contraction.columns, int)
    count = len(contraction.products) * tile.splits * contraction.rows * contraction.columns
    dtype = contraction.accumulates()
    return CudaTensor(DType.of("f32") if dtype.is_low_float else dtype, (count,), (1,))


def _usual(of: Contraction) -> DotTile:
    """By the dtype: large tiles that many rows fill."""
    by_dot = _by_dot(of)
    wide = of.dtype.size <= 2 and by_dot
    most = (128, 128, 64) if wide else (64, 64, 32) if by_dot else (16, 16, 16)
    rows, columns, depth = (
        max(_LEAST, min(power_of_two(size), limit)) if isinstance(size, int) else limit
        for size, limit in zip((of.rows, of.columns, of.depth), most, strict=True)
    )
    return DotTile(rows, columns, depth, 8 if rows * columns >= 128 * 128 else 4, 3 if wide else 2)


def _fitted(of: Contraction, tile: DotTile) -> DotTile:
    """A tile that is not larger than its problem; sums of shares are in the dtype of the accumulator, and of one batch."""
    assert isinstance(of.depth, int) and isinstance(of.columns, int)
    columns = max(_LEAST, min(tile.columns, power_of_two(of.columns)))
    depth = max(_LEAST, min(tile.depth, power_of_two(of.depth)))
    splits = tile.splits
    while splits > 1 and (of.batch or of.depth % (splits * depth) or not isinstance(of.rows, int)):
        splits //= 2
    return replace(tile, columns=columns, depth=depth, splits=splits)


def _by_dot(of: Contraction) -> bool:
    return of.dtype.is_float and of.dtype.name != "f64"


def _reads_ahead(of: Contraction, tile: DotTile) -> bool:
    """Whether a block asks for its weights before it waits: rows of whole vectors, and few rows of the result."""
    few = isinstance(of.rows, int) and of.rows <= _FEW_ROWS and not of.batch
    if not few or not isinstance(of.depth, int) or not isinstance(of.columns, int) or of.columns % tile.columns:
        return False
    share = of.depth // tile.splits * of.dtype.size
    return all(one.turned and of.given[one.right].is_dense for one in of.products) and share % 16 == 0


def _written(of: Contraction, tile: DotTile, early: bool) -> Launch:
    k = KernelText("contraction" if tile.splits == 1 else "contraction_share", waits_later=early)
    grid: tuple[Size, ...] = of.begin(k, tile.rows, tile.columns)
    rights = [(of.right_base(k, one), of.right(one)) for one in of.products]
    first, end = "0", k.size(of.depth)
    if tile.splits > 1:
        assert isinstance(of.depth, int)
        grid = (*grid, tile.splits)
        share = of.depth // tile.splits
        first = k.let(f"tl.program_id(1) * {share}", "f")
        end = k.let(f"{first} + {share}", "e")
    if early:
        assert isinstance(of.depth, int)
        size = of.depth // tile.splits * of.dtype.size
        for pointer, matrix in rights:
            k.line(f"prefetch({pointer} + n * {k.size(matrix.columns)} + {first}, {size})")
        k.wait()
    names = _multiplied(k, of, tile, rights, first, end)
    shape, mask = f"({tile.rows}, {tile.columns})", "in_m[:, None] & in_n[None, :]"
    if tile.splits == 1:
        of.finish(k, names, shape, "m[:, None]", "n[None, :]", mask)
    else:
        pointer = k.pointer(of.target + 1, _partial(of, tile), written=True)
        for place, name in enumerate(names):
            number = f"(({place * tile.splits} + tl.program_id(1)) * {of.rows} + m[:, None]) * {of.columns} + n[None, :]"
            k.line(f"tl.store({pointer} + {number}, {name}, mask={mask})")
    return k.launch(grid, warps=tile.warps, stages=tile.stages, name=label_of(of.body, "contraction"))


def _partial(of: Contraction, tile: DotTile) -> CudaTensor:
    found = partial_sums(of, tile)
    assert found is not None
    return found


def _multiplied(
    k: KernelText, of: Contraction, tile: DotTile, rights: list[tuple[str, MatrixStrides]], first: str, end: str
) -> list[str]:
    """The accumulators after a walk along the depth: by tl.dot; f64 and integers by products and a sum."""
    accumulator, left = carried(of.accumulates()), of.left()
    x = of.base(k, of.leaves[of.products[0].left], left)
    k.line(f"kk = tl.arange(0, {tile.depth}).to({of.index})")
    names = [k.let(f"tl.full(({tile.rows}, {tile.columns}), 0, {accumulator})", "a") for _ in rights]
    few = isinstance(of.rows, int) and of.rows <= tile.rows
    once = ', eviction_policy="evict_first"' if few else ""
    with k.block(f"for start in range({first}, {end}, {tile.depth})"):
        k.line("kn = start + kk")
        k.line(f"in_k = kn < {end}")
        offset = k.offset(["m[:, None]", "kn[None, :]"], (left.rows, left.columns))
        zero = f"tl.full(({tile.rows}, {tile.depth}), 0, tl.int32)"
        k.line(f"u = tl.load({x} + {offset} + {zero}, mask=in_m[:, None] & in_k[None, :], other=0)")
        for (pointer, matrix), name in zip(rights, names, strict=True):
            offset = k.offset(["kn[:, None]", "n[None, :]"], (matrix.rows, matrix.columns))
            zero = f"tl.full(({tile.depth}, {tile.columns}), 0, tl.int32)"
            k.line(f"w = tl.load({pointer} + {offset} + {zero}, mask=in_k[:, None] & in_n[None, :], other=0{once})")
            if _by_dot(of):
                k.line(f'{name} = tl.dot(u, w, {name}, input_precision="ieee")')
                continue
            add = Folding("sum", of.accumulates()).function(k)
            summed = f"tl.reduce((u[:, :, None] * w[None, :, :]).to({accumulator}), 1, {add})"
            k.line(f"{name} = ({name} + {summed}).to({accumulator})")
    return names


def _joined(of: Contraction, tile: DotTile) -> Launch:
    """The shares of each product added up in order, then what follows it."""
    rows, columns = 4, min(128, tile.columns * 2)
    k = KernelText("contraction_join")
    grid = of.begin(k, rows, columns)
    shape, mask = f"({rows}, {columns})", "in_m[:, None] & in_n[None, :]"
    pointer = k.pointer(of.target + 1, _partial(of, tile))
    names = []
    for place in range(len(of.products)):
        total = ""
        for split in range(tile.splits):
            number = f"({(place * tile.splits + split) * of.rows} + m[:, None]) * {of.columns} + n[None, :]"
            part = k.let(f"tl.load({pointer} + {number}, mask={mask}, other=0)", "v")
            total = k.let(f"{total} + {part}", "a") if total else part
        names.append(total)
    of.finish(k, names, shape, "m[:, None]", "n[None, :]", mask)
    launch = k.launch(grid, warps=4, name=label_of(of.body, "contraction"))
    return replace(launch, reads=(of.target + 1,))


REGISTERS = 32768  # bytes of weights that a block of four warps holds at once


def write_walk(contraction: Contraction, rows: int, tile: WalkTile | None = None) -> Launch:
    """The kernel for a number of rows; by a tile, or by what four warps can hold."""
    launch = _WeightWalk(contraction, rows, tile, early=False).write()
    if not isinstance(contraction.columns, int):
        return launch
    early = _WeightWalk(contraction, rows, tile, early=True)
    made = early.write()
    return replace(launch, early=(EarlyKernel(made.kernel, early.early_operands),))


class _WeightWalk:
    """One kernel under construction."""

    def __init__(self, contraction: Contraction, rows: int, tile: WalkTile | None, early: bool) -> None:
        self.of, self.rows = contraction, rows
        assert isinstance(contraction.depth, int)
        self.depth: int = contraction.depth
        self.matrices = [contraction.right(product) for product in contraction.products]
        self.tile_k = min(power_of_two(self.depth), DEEPEST)
        held, count = REGISTERS // contraction.dtype.size, len(contraction.products)
        by_columns = isinstance(self.matrices[0].rows, int) and self.matrices[0].rows == 1  # neighbours lie along k
        self.tile_n = max(1, held // self.tile_k // count) if tile is None else tile.columns
        self.warps = 4 if tile is None else tile.warps
        if not by_columns:
            size = contraction.columns
            self.tile_n, self.warps = 32 if not isinstance(size, int) else min(power_of_two(size), 64), 4
            self.tile_k = min(self.tile_k, max(16, held // self.tile_n // count))
        if isinstance(contraction.columns, int):
            self.tile_n = min(self.tile_n, power_of_two(contraction.columns))
        self.once = self.tile_k >= self.depth
        self.early = early and self.once
        self.early_operands = tuple(dict.fromkeys(contraction.leaves[product.right] for product in contraction.products))

    def write(self) -> Launch:
        """The whole kernel."""
        of = self.of
        k = KernelText("few_rows", waits_later=self.early)
        grid = self._begin(k)
        left = of.left()
        bases = [of.right_base(k, product) for product in of.products]
        accumulator = carried(of.accumulates())
        Folding("sum", of.accumulates()).function(k)
        if self.once:
            weights = self._load_weights(k, bases, "0")
            same = {} if of.prologue is None else of.prologue.same_for_all_rows(k)
            if self.early:
                self.early_operands += tuple(of.leaves[ref] for ref in same)
                k.wait()
            beside = [self._beside(k, row) for row in range(self.rows)]
            x = "" if of.prologue else of.base(k, of.leaves[of.products[0].left], left)
            sums = self._sums(k, x, left, weights, accumulator, same)
        else:
            beside = [{} for _ in range(self.rows)]
            x = of.base(k, of.leaves[of.products[0].left], left)
            sums = [[k.let(f"tl.full(({self.tile_n},), 0, {accumulator})", "a") for _ in range(self.rows)] for _ in bases]
            with k.block(f"for start in range(0, {self.depth}, {self.tile_k})"):
                weights = self._load_weights(k, bases, "start")
                parts = self._sums(k, x, left, weights, accumulator, {})
                for totals, found in zip(sums, parts, strict=True):
                    for total, one in zip(totals, found, strict=True):
                        k.line(f"{total} = ({total} + {one}).to({accumulator})")
        for row in range(self.rows):
            k.line(f"m_{row} = batch * 0 + {row}")
            own = [found[row] for found in sums]
            of.finish(k, own, f"({self.tile_n},)", f"m_{row}", "n", self._mask(k, row), beside[row])
        return k.launch(grid, warps=self.warps, name=label_of(of.body, "contraction"))

    def _begin(self, k: KernelText) -> tuple[Size, ...]:
        of, tile_n = self.of, self.tile_n
        blocks = ceildiv(of.columns, tile_n)
        k.line("block = tl.program_id(0)")
        across = k.size(blocks)
        k.line(f"n = (block % {across}).to({of.index}) * {tile_n} + tl.arange(0, {tile_n})")
        k.line(f"batch = (block // {across}).to({of.index})")
        k.line(f"in_n = (n < {k.size(of.columns)}) & (batch < {k.size(product(of.batch))})")
        of.batch_positions = k.positions("batch", of.batch)
        return (blocks * product(of.batch),)

    def _mask(self, k: KernelText, row: int) -> str:
        """Of what is stored, and of what is read beside it."""
        return "in_n" if isinstance(self.of.rows, int) else f"(in_n & ({row} < {k.size(self.of.rows)}))"

    def _beside(self, k: KernelText, row: int) -> dict[Ref, str]:
        """What the elementwise part reads: asked for before the sums, so that nothing waits for it at the end."""
        return self.of.all_beside(k, f"(batch * 0 + {row})", "n", self._mask(k, row), f"({self.tile_n},)")

    def _load_weights(self, k: KernelText, bases: Sequence[str], start: str) -> list[str]:
        """A tile of each weight, columns × depth, once read not wanted again; masked only where a tile can stick out."""
        of = self.of
        k.line(f"kn = {start} + tl.arange(0, {self.tile_k}).to({of.index})")
        k.line(f"in_k = kn < {self.depth}")
        even = isinstance(of.columns, int) and of.columns % self.tile_n == 0 and not of.batch
        masks = [] if even else ["in_n[:, None]"]
        masks += [] if self.depth % self.tile_k == 0 else ["in_k[None, :]"]
        masked = f", mask={' & '.join(masks)}, other=0" if masks else ""
        names = []
        for pointer, matrix in zip(bases, self.matrices, strict=True):
            offset = k.offset(["n[:, None]", "kn[None, :]"], (matrix.columns, matrix.rows))
            zero = f"tl.full(({self.tile_n}, {self.tile_k}), 0, tl.int32)"
            names.append(k.let(f'tl.load({pointer} + {offset} + {zero}{masked}, eviction_policy="evict_first")', "w"))
        return names

    def _sums(
        self, k: KernelText, x: str, left: MatrixStrides, weights: Sequence[str], accumulator: str, same: dict[Ref, str]
    ) -> list[list[str]]:
        """For each weight and row, the sums along the depth of this tile."""
        of, values = self.of, []
        for row in range(self.rows):
            there = "" if isinstance(of.rows, int) else f"({row} < {k.size(of.rows)})"
            if of.prologue is not None:
                number = k.let(f"batch * {k.size(of.rows)} + {row}", "c")
                values.append(k.let(f"{of.prologue.row(k, number, there, self.depth, same)}.to({accumulator})", "u"))
                continue
            offset = k.tile_offset([str(row), "kn"], (left.rows, left.columns))
            mask = f"in_k & {there}" if there else "in_k"
            values.append(k.let(f"tl.load({x} + {offset}, mask={mask}, other=0).to({accumulator})", "u"))
        found = []
        for name in weights:
            wide = k.let(f"{name}.to({accumulator})", "w")
            found.append([k.let(f"tl.reduce({wide} * {value}[None, :], 1, combine_sum)", "a") for value in values])
        return found
