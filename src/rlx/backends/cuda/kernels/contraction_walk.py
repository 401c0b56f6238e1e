"""Products of few rows: one walk through the weights, which are read in the order in which they lie.

Nothing is reused, so the memory of the GPU is the limit: each block holds whole columns in registers and asks for them before it waits
for the kernel before it, where nobody in the graph writes them; and so for what else the graph does not write.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rlx.backends.cuda.kernel_data import EarlyKernel, Launch
from rlx.backends.cuda.kernels.contraction_body import Contraction
from rlx.backends.cuda.kernels.folds import Folding
from rlx.backends.cuda.kernels.products import MatrixStrides
from rlx.backends.cuda.kernels.single_op_body import label_of
from rlx.backends.cuda.kernels.tiles import DEEPEST, WalkTile
from rlx.backends.cuda.register_types import carried
from rlx.backends.cuda.text import KernelText, power_of_two
from rlx.core.dim import Size, ceildiv, product
from rlx.ir.graph import Ref

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
