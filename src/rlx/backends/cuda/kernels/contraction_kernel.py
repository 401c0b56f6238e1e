"""Products of matrices with what follows them: by tiles, or for few rows by one walk through the weights."""

from __future__ import annotations

from dataclasses import replace

from rlx.backends.cuda.kernel_data import CudaTensor, Launch
from rlx.backends.cuda.kernels.contraction_body import Contraction
from rlx.backends.cuda.kernels.contraction_tiles import partial_sums, write_tiles
from rlx.backends.cuda.kernels.contraction_walk import write_walk
from rlx.backends.cuda.kernels.tiles import FEW_ROWS, DotTile, ProductSizes, Tile, tile_of
from rlx.backends.cuda.text import power_of_two
from rlx.core.dim import LARGEST_SIZE


class ContractionKernel(Contraction):
    """The kernels of one contraction."""

    def write(self) -> tuple[Launch, ...]:
        """Few rows are walked, others go by tiles; a number of rows that is a symbol has a kernel for each kind of bucket."""
        walks, tiles = self.write_both()
        return (*walks, *tiles)

    def write_both(self) -> tuple[list[Launch], list[Launch]]:
        """The kernels that walk the weights, and those that multiply tiles."""
        if not isinstance(self.depth, int) or self.depth == 0:
            return [], list(write_tiles(self))
        if isinstance(self.rows, int):
            walked = self.is_walked(self.rows)
            return ([self._walk(self.rows)], []) if walked else ([], list(self._tiles(self.rows)))
        few = [count for count in (1, 2, 4, 8) if self.is_walked(count)]
        walks = [replace(self._walk(count), only=(self.rows, count // 2 + 1, count)) for count in few]
        tiles, least = list[Launch](), max(few, default=0) + 1
        for most in (16, 64):
            if isinstance(self.tile(most), DotTile):
                (one,) = self._tiles(most)
                tiles.append(replace(one, only=(self.rows, least, most)))
                least = most + 1
        (usual,) = write_tiles(self)
        return walks, [*tiles, replace(usual, only=(self.rows, least, LARGEST_SIZE))]

    def _walk(self, rows: int) -> Launch:
        tile = self.tile(rows)
        return write_walk(self, rows, None if isinstance(tile, DotTile) else tile)

    def _tiles(self, rows: int) -> tuple[Launch, ...]:
        tile = self.tile(rows)
        return write_tiles(self, tile if isinstance(tile, DotTile) else None)

    def tile(self, rows: int) -> Tile | None:
        """What the table of tiles has for this product, of weights that lie as rows."""
        if not isinstance(self.depth, int) or not isinstance(self.columns, int) or self.batch:
            return None
        if not self.products[0].turned or not self.dtype.is_float:
            return None
        return tile_of(ProductSizes(power_of_two(rows), self.columns, self.depth, len(self.products), self.dtype.size))

    def is_walked(self, rows: int) -> bool:
        """Whether a number of rows is few: then each block computes a prologue itself."""
        return rows <= FEW_ROWS and not isinstance(self.tile(rows), DotTile)

    def temporaries(self) -> tuple[CudaTensor, ...]:
        """Where shares of the depth are added up."""
        if not isinstance(self.rows, int):
            return ()
        tile = self.tile(self.rows)
        found = partial_sums(self, tile) if isinstance(tile, DotTile) else None
        return () if found is None else (found,)
