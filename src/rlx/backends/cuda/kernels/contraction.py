"""Contractions: products with what follows them, and with a norm before them where rows are few; which kernels compute one.

Products of many rows in f16 and bf16 have large tiles for the tensor cores, in an order that keeps what neighbors read in the L2 cache.
Triton makes asynchronous copies and `wgmma` of the loop on Hopper, `mma` on Ampere. Sizes are literals where they are known, so loads of
complete tiles have no masks; rows past the end read the last row instead, and are not stored.
"""

from __future__ import annotations

from dataclasses import replace

from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Launch, LibraryProduct
from rlx.backends.cuda.kernels.product_kernels import partial_sums, write_large, write_tiles, write_walk
from rlx.backends.cuda.kernels.products import Contraction, ProductInBody, find_prologue, products_of, refused
from rlx.backends.cuda.kernels.region import body_of, lower_body
from rlx.backends.cuda.kernels.tiles import (
    BUCKETS,
    DEEPEST,
    FEW_ROWS,
    MANY_ROWS,
    DotTile,
    ProductSizes,
    Tile,
    by_library,
    large_tile,
    tile_of,
)
from rlx.backends.cuda.text import power_of_two
from rlx.core.dim import LARGEST_SIZE, bounds, product
from rlx.ir.graph import Graph, Ref
from rlx.ir.op import Op
from rlx.ir.pattern import op


class ContractionKernel(Contraction):
    """Writes the kernels of one contraction."""

    def write(self) -> tuple[Launch, ...]:
        """Writes a walking kernel for few rows, else tile kernels; for a symbolic number of rows, one for each kind of bucket."""
        walks, tiles = self.write_both()
        return (*walks, *tiles)

    def write_both(self) -> tuple[list[Launch], list[Launch]]:
        """Writes the kernels that walk the weights, and those that multiply tiles."""
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
        """The tuned tile for this product, for weights that are stored as rows."""
        if not isinstance(self.depth, int) or not isinstance(self.columns, int) or self.batch:
            return None
        if not self.products[0].turned or not self.dtype.is_float:
            return None
        return tile_of(ProductSizes(power_of_two(rows), self.columns, self.depth, len(self.products), self.dtype.size))

    def is_walked(self, rows: int) -> bool:
        """Whether a number of rows is small enough to walk: then each block computes a prologue itself."""
        return rows <= FEW_ROWS and not isinstance(self.tile(rows), DotTile)

    def temporaries(self) -> tuple[CudaTensor, ...]:
        """The temporaries for partial sums of the splits."""
        if not isinstance(self.rows, int):
            return ()
        tile = self.tile(self.rows)
        sums = partial_sums(self, tile) if isinstance(tile, DotTile) else None
        return () if sums is None else (sums,)


_SUM = op("add")


class LargeProduct(ContractionKernel):
    """A contraction that multiplies many rows with large tiles, and few rows as `ContractionKernel` does."""

    def write_both(self) -> tuple[list[Launch], list[Launch]]:
        """Writes kernels as `ContractionKernel` up to `MANY_ROWS`; symbolic rows have a kernel for some ranges of buckets."""
        if not self._has_tiles():
            return super().write_both()
        if isinstance(self.rows, int):
            walks, tiles = super().write_both() if self.rows <= MANY_ROWS else ([], [write_large(self, self._tile())])
            if len(tiles) == 1:
                tiles = [replace(tiles[0], library=self._by_library(tiles[0]))]
            return walks, tiles
        walks, (*tiles, usual) = super().write_both()
        most_rows = bounds(self.rows)[1]
        if most_rows is not None and most_rows <= MANY_ROWS:
            return walks, [*tiles, usual]
        assert usual.only is not None
        if usual.only[1] <= MANY_ROWS:
            tiles.append(replace(usual, only=(*usual.only[:2], MANY_ROWS)))
        large = [
            replace(write_large(self, tile), only=(self.rows, least, most))
            for tile, least, most in BUCKETS
            if most_rows is None or least <= most_rows
        ]
        return walks, [*tiles, *large]

    def temporaries(self) -> tuple[CudaTensor, ...]:
        """No temporaries with large tiles, which walk the full depth."""
        is_large = isinstance(self.rows, int) and self.rows > MANY_ROWS and self._has_tiles()
        return () if is_large else super().temporaries()

    def _has_tiles(self) -> bool:
        """Whether tensor cores can read the operands: 16 bits, sizes and strides known except for the rows."""
        if not self.dtype.is_low_float or self.vector_left or self.vector_right:
            return False
        matrices = [self.left(), *(self.right(one) for one in self.products)]
        steps = [step for matrix in matrices for step in (matrix.rows, matrix.columns)]
        sizes = (self.columns, self.depth, *steps)
        return all(isinstance(size, int) for size in sizes) and self.depth != 0

    def _by_library(self, launch: Launch) -> LibraryProduct | None:
        """The product for a library: dense matrices, and no epilogue except a matrix that is added."""
        m, n, k, dtype = self.rows, self.columns, self.depth, self.dtype
        added = self._added_matrices()
        if not isinstance(m, int) or not isinstance(n, int) or not isinstance(k, int) or k % 8 or n % 8:
            return None
        if added is None or not by_library(ProductSizes(m, n, k, 1, dtype.size)):
            return None
        (only,) = self.products
        right = self.right(only)
        is_transposed = (right.rows, right.columns) == (1, k)
        if not is_transposed and (right.rows, right.columns) != (n, 1):
            return None
        matrices = [*(self.given[ref] for ref in (only.left, *added)), self.output]
        if not self.given[only.right].aligned or not all(self._is_plain(matrix) for matrix in matrices):
            return None
        operands = [*(self.leaves[ref] for ref in (only.left, only.right, *added)), self.target]
        numbers = tuple(launch.operands.index(operand) for operand in operands)
        return LibraryProduct(m, n, k, dtype.name, is_transposed, bool(added), numbers)

    def _is_plain(self, matrix: CudaTensor) -> bool:
        return matrix.dtype is self.dtype and matrix.is_dense and matrix.aligned

    def _added_matrices(self) -> list[Ref] | None:
        """The matrix added to a single product, or an empty list. None where the prologue or epilogue has anything else."""
        if self.prologue is not None or len(self.products) > 1 or self.batch:
            return None
        (result,), own = self.body.output_refs.values(), self.products[0].ref
        if self.body.shape(own).dtype is not self.dtype:
            return None
        if result == own:
            return []
        node = self.body.node(result)
        added = [ref for ref in node.refs if ref != own]
        fits = _SUM.made_by(node) and len(added) == 1 and added[0] in self.leaves
        return added if fits and self.given[added[0]].dims == self.output.dims else None

    def _tile(self) -> DotTile:
        assert isinstance(self.rows, int) and isinstance(self.columns, int) and isinstance(self.depth, int)
        count = product(self.batch)
        shape = ProductSizes(self.rows, self.columns, self.depth, len(self.products), self.dtype.size)
        return large_tile(shape, count if isinstance(count, int) else 1)


def lower_matmul(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers `matmul` to the kernels of one product."""
    return _lower(body_of(op, inputs, outputs), inputs, outputs)


def lower_contraction(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers a `fused` contraction: one or two products and their elementwise epilogue."""
    return _lower(op["body"], inputs, outputs)


def _lower(body: Graph, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    products = products_of(body)
    if isinstance(products, str):
        return products
    leaves = {node.ref: place for place, node in enumerate(body.inputs.values())}
    if not products or any(product.right not in leaves for product in products):
        return "a contraction whose weights are computed inside"
    if len({product.left for product in products}) > 1 or len(outputs) > 1:
        return "products of different left operands"
    if products[0].left not in leaves:
        return _lower_with_prologue(body, products, leaves, inputs, outputs[0])
    reason = refused(body, products)
    if reason is not None:
        return reason
    tensors = {place: tensor for place, tensor in enumerate(inputs) if tensor is not None}
    contraction = LargeProduct(body, products, leaves, {**tensors, len(inputs): outputs[0]}, len(inputs))
    return CudaLowering(contraction.write(), contraction.temporaries())


def _lower_with_prologue(
    body: Graph, products: list[ProductInBody], leaves: dict[Ref, int], inputs: tuple[CudaTensor | None, ...], output: CudaTensor
) -> CudaLowering | str:
    """Lowers a contraction with a prologue: few rows compute it in the product's kernel, many in a kernel before it."""
    prologue = find_prologue(body, products, leaves, inputs, DEEPEST)
    if isinstance(prologue, str):
        return prologue
    reason = refused(body, products, {node.id for node in prologue.nodes})
    if reason is not None:
        return reason
    temporary = CudaTensor.dense(body.shape(prologue.result))
    place = len(inputs) + 1
    tensors = {number: tensor for number, tensor in enumerate(inputs) if tensor is not None}
    tensors |= {len(inputs): output, place: temporary}
    contraction = LargeProduct(body, products, {**leaves, prologue.result: place}, tensors, len(inputs), prologue)
    if isinstance(contraction.rows, int):
        walked = contraction.is_walked(contraction.rows)
        return CudaLowering(contraction.write()) if walked else "rows that are many"
    few, tiles = contraction.write_both()
    made, places = prologue.region()
    region = lower_body(made, tuple(inputs[number] for number in places), (temporary,))
    if isinstance(region, str) or len(region.stages) != 1:
        return "a prologue of several kernels"
    (before,) = region.stages
    assert isinstance(before, Launch)
    moved = tuple({**dict(enumerate(places)), len(places): place}[operand] for operand in before.operands)
    assert tiles[0].only is not None and tiles[-1].only is not None
    before = replace(before, operands=moved, only=(*tiles[0].only[:2], tiles[-1].only[2]))
    reading = [replace(one, reads=(place,)) for one in tiles]
    return CudaLowering((*few, before, *reading), temporaries=(temporary,))
