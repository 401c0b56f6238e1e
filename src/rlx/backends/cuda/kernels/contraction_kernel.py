"""Products of matrices with what follows them: tiles by `tl.dot`, or for few rows one walk through the weights.

A block computes a tile of the result for one batch, then the elementwise nodes that were fused behind the product, and stores. Two
products of one left operand (gate and up) are two accumulators. With few rows nothing is reused, so the weights are read in the order
in which they lie, before the kernel waits for its predecessor where nobody in the graph writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rlx.backends.cuda.carry import carried, cast, language_type, literal, loaded, stored
from rlx.backends.cuda.elementwise import EMIT
from rlx.backends.cuda.kernel import CudaTensor, Launch
from rlx.backends.cuda.kernels.bodies import label_of
from rlx.backends.cuda.kernels.folds import Folding
from rlx.backends.cuda.kernels.products import MatrixStrides, ProductInBody
from rlx.backends.cuda.kernels.prologue import Prologue
from rlx.backends.cuda.kernels.space import aligned_strides
from rlx.backends.cuda.text import KernelText, fits_32_bits, power_of_two
from rlx.core.dim import LARGEST_SIZE, Size, ceildiv, product
from rlx.core.dtype import DType
from rlx.ir.graph import Graph, Ref

__all__ = ["DEEPEST", "FEW_ROWS", "ContractionKernel"]

FEW_ROWS = 8  # up to here weights are walked, not multiplied by tiles
REGISTERS = 32768  # bytes of weights that a block of four warps holds at once in a walk
DEEPEST = 8192  # numbers of a column that it holds at once
_LEAST = 16  # of every side of a tile


class ContractionKernel:
    """One kernel under construction."""

    def __init__(
        self,
        body: Graph,
        products: Sequence[ProductInBody],
        leaves: dict[Ref, int],
        tensors: dict[int, CudaTensor],
        target: int,
        prologue: Prologue | None = None,
    ) -> None:
        self.body, self.products, self.leaves, self.tensors, self.target = body, products, leaves, tensors, target
        self.output = output = tensors[target]
        self.prologue = prologue
        self.given = {ref: tensors[place] for ref, place in leaves.items()}
        left, right = body.shape(products[0].left), body.shape(products[0].right)
        self.dtype = left.dtype
        self.vector_left, self.vector_right = left.rank == 1, right.rank == 1
        self.rows: Size = 1 if self.vector_left else left.dims[-2]
        self.columns: Size = 1 if self.vector_right else right.dims[-2 if products[0].turned else -1]
        self.depth: Size = left.dims[-1]
        kept = len(output.dims) - (not self.vector_left) - (not self.vector_right)
        self.batch = output.dims[:kept]
        self._merge_rows()
        self.index = "tl.int32" if fits_32_bits(list(tensors.values())) else "tl.int64"

    def _merge_rows(self) -> None:
        """One matrix on the right: the batch axes of a dense left operand are more rows."""
        single = all(product.turned or self.body.shape(product.right).rank == 2 for product in self.products)
        left = self.given[self.products[0].left]
        weights = {self.leaves[product.right] for product in self.products}
        tensors = [tensor for place, tensor in self.tensors.items() if place not in weights]
        dense = all(
            tensor.is_dense for tensor in tensors if len(tensor.dims) == len(self.output.dims) and len(tensor.dims) > 2
        )
        small = all(len(t.dims) in (0, 1, 2, len(self.output.dims)) for t in tensors)
        self.merged = (
            bool(self.batch)
            and single
            and len(left.dims) == len(self.output.dims)
            and not self.vector_left
            and dense
            and small
            and all(self._flattens(tensor) for tensor in tensors)
        )
        if self.merged:
            self.rows, self.batch = product((*self.batch, self.rows)), ()

    def _flattens(self, tensor: CudaTensor) -> bool:
        """Whether an operand has one row for each row of the result, or is the same for all."""
        if len(tensor.dims) < len(self.output.dims) or len(tensor.dims) <= 2:
            return len(tensor.dims) <= 2
        own, whole = tensor.dims[:-1], self.output.dims[:-1]
        same = all(bool(a == b) for a, b in zip(own, whole, strict=True))
        return same or all(isinstance(size, int) and size == 1 for size in own)

    # -- operands
    def _left(self) -> MatrixStrides:
        """The left operand as batches of matrices."""
        tensor = self.given[self.products[0].left]
        dims, strides = tensor.dims, tensor.strides
        if len(dims) == 1:
            return MatrixStrides((0,) * len(self.batch), 0, strides[0])
        if self.merged and len(dims) > 2:
            return MatrixStrides((), strides[-2], strides[-1])
        return MatrixStrides(aligned_strides(dims[:-2], strides[:-2], self.batch), strides[-2], strides[-1])

    def _right(self, product: ProductInBody) -> MatrixStrides:
        """A right operand: along the depth, and along the columns of the result."""
        tensor = self.given[product.right]
        dims, strides = tensor.dims, tensor.strides
        if product.turned:
            return MatrixStrides((0,) * len(self.batch), strides[-1], strides[-2])
        if len(dims) == 1:
            return MatrixStrides((0,) * len(self.batch), strides[0], 0)
        return MatrixStrides(aligned_strides(dims[:-2], strides[:-2], self.batch), strides[-2], strides[-1])

    def _right_base(self, k: KernelText, product: ProductInBody) -> str:
        """The pointer of a right operand at this batch, or of its second matrix."""
        base = self._base(k, self.leaves[product.right], self._right(product))
        return base if not product.place else k.let(f"{base} + {k.size(self.given[product.right].strides[-3])}", "q")

    def _spread(self, tensor: CudaTensor) -> MatrixStrides:
        """An operand or result of the elementwise part, along the axes of the result."""
        if self.merged and len(tensor.dims) > 2:
            single = all(isinstance(size, int) and size == 1 for size in tensor.dims[:-1])
            last = tensor.dims[-1]
            column = 0 if isinstance(last, int) and last == 1 and tensor is not self.output else tensor.strides[-1]
            return MatrixStrides((), 0 if single and tensor is not self.output else tensor.strides[-2], column)
        whole = list(self.output.dims)
        if self.merged:
            whole = whole[-2:]
        own = list(aligned_strides(tensor.dims, tensor.strides, whole) if tensor is not self.output else tensor.strides)
        column = 0 if self.vector_right else own.pop()
        row = 0 if self.vector_left else own.pop()
        return MatrixStrides(tuple(own), row, column)

    # -- the kernel
    def write(self) -> tuple[Launch, ...]:
        """Few rows are walked, others go by tiles; a number of rows that is a symbol has a kernel for each kind of bucket."""
        walks = isinstance(self.depth, int) and self.depth > 0
        if isinstance(self.rows, int):
            return (self._walk(self.rows) if walks and self.rows <= FEW_ROWS else self._tiles(),)
        if not walks:
            return (self._tiles(),)
        few = [replace(self._walk(count), only=(self.rows, count // 2 + 1, count)) for count in (1, 2, 4, 8)]
        return (*few, replace(self._tiles(), only=(self.rows, FEW_ROWS + 1, LARGEST_SIZE)))

    def _begin(self, k: KernelText, tile_rows: int, tile_columns: int) -> tuple[Size, ...]:
        """The tile of this block: rows, columns, batch."""
        blocks_m, blocks_n = ceildiv(self.rows, tile_rows), ceildiv(self.columns, tile_columns)
        k.line("block = tl.program_id(0)")
        across = k.size(blocks_n)
        k.line(f"n = (block % {across}).to({self.index}) * {tile_columns} + tl.arange(0, {tile_columns})")
        down = k.let(f"block // {across}", "b")
        k.line(f"m = ({down} % {k.size(blocks_m)}).to({self.index}) * {tile_rows} + tl.arange(0, {tile_rows})")
        k.line(f"batch = ({down} // {k.size(blocks_m)}).to({self.index})")
        k.line(f"in_m = m < {k.size(self.rows)}")
        k.line(f"in_n = n < {k.size(self.columns)}")
        self.batch_positions = k.positions("batch", self.batch)
        self.inside = f"batch < {k.size(product(self.batch))}"
        return (blocks_m * blocks_n * product(self.batch),)

    def _base(self, k: KernelText, operand: int, matrix: MatrixStrides, written: bool = False) -> str:
        """The pointer of an operand at this batch."""
        pointer = k.pointer(operand, self.tensors[operand], written=written)
        shift = k.offset(self.batch_positions, matrix.batch)
        return pointer if shift == "0" else k.let(f"{pointer} + {shift}", "q")

    def _accumulates(self) -> DType:
        return self.body.shape(self.products[0].ref).dtype

    def _tiles(self) -> Launch:
        """Tiles by tl.dot; f64 and integers other than bytes by products and a sum."""
        by_dot = self.dtype.is_float and self.dtype.name != "f64"
        wide = self.dtype.size <= 2 and by_dot
        most = (128, 128, 64) if wide else (64, 64, 32) if by_dot else (16, 16, 16)
        tile_m, tile_n, tile_k = (
            max(_LEAST, min(power_of_two(size), limit)) if isinstance(size, int) else limit
            for size, limit in zip((self.rows, self.columns, self.depth), most, strict=True)
        )
        k = KernelText("contraction")
        grid = self._begin(k, tile_m, tile_n)
        accumulator = carried(self._accumulates())
        left = self._left()
        x = self._base(k, self.leaves[self.products[0].left], left)
        k.line(f"kk = tl.arange(0, {tile_k}).to({self.index})")
        rights, names = [], []
        for one in self.products:
            rights.append((self._right_base(k, one), self._right(one)))
            names.append(k.let(f"tl.full(({tile_m}, {tile_n}), 0, {accumulator})", "a"))
        depth = k.size(self.depth)
        with k.block(f"for start in range(0, {depth}, {tile_k})"):
            k.line("kn = start + kk")
            k.line(f"in_k = kn < {depth}")
            offset = k.offset(["m[:, None]", "kn[None, :]"], (left.rows, left.columns))
            zero = f"tl.full(({tile_m}, {tile_k}), 0, tl.int32)"
            k.line(f"u = tl.load({x} + {offset} + {zero}, mask=in_m[:, None] & in_k[None, :], other=0)")
            for (pointer, matrix), name in zip(rights, names, strict=True):
                offset = k.offset(["kn[:, None]", "n[None, :]"], (matrix.rows, matrix.columns))
                zero = f"tl.full(({tile_k}, {tile_n}), 0, tl.int32)"
                k.line(f"w = tl.load({pointer} + {offset} + {zero}, mask=in_k[:, None] & in_n[None, :], other=0)")
                if by_dot:
                    k.line(f'{name} = tl.dot(u, w, {name}, input_precision="ieee")')
                    continue
                add = Folding("sum", self._accumulates()).function(k)
                summed = f"tl.reduce((u[:, :, None] * w[None, :, :]).to({accumulator}), 1, {add})"
                k.line(f"{name} = ({name} + {summed}).to({accumulator})")
        self._finish(k, names, f"({tile_m}, {tile_n})", "m[:, None]", "n[None, :]", "in_m[:, None] & in_n[None, :]")
        area = tile_m * tile_n
        return k.launch(
            grid, warps=8 if area >= 128 * 128 else 4, stages=3 if wide else 2, name=label_of(self.body, "contraction")
        )

    def _walk(self, count: int) -> Launch:
        """Few rows: each block reads some columns of the weights from their first row to their last."""
        launch = self._walked(count, early=False)
        if not isinstance(self.columns, int):
            return launch
        return replace(launch, early=self._walked(count, early=True).kernel, early_operands=self._weights())

    def _weights(self) -> tuple[int, ...]:
        return tuple({self.leaves[product.right]: None for product in self.products})

    def _walked(self, rows: int, early: bool) -> Launch:
        assert isinstance(self.depth, int)
        count = len(self.products)
        matrices = [self._right(product) for product in self.products]
        held = REGISTERS // self.dtype.size
        tile_k = min(power_of_two(self.depth), DEEPEST)
        by_columns = isinstance(matrices[0].rows, int) and matrices[0].rows == 1  # neighbours in memory lie along k
        tile_n = max(1, held // tile_k // count)
        if not by_columns:
            tile_n = 32 if not isinstance(self.columns, int) else min(power_of_two(self.columns), 64)
            tile_k = min(tile_k, max(16, held // tile_n // count))
        if isinstance(self.columns, int):
            tile_n = min(tile_n, power_of_two(self.columns))
        once = tile_k >= self.depth
        early = early and once
        k = KernelText("few_rows", waits_later=early)
        grid = self._begin_walk(k, tile_n)
        left = self._left()
        bases = [self._right_base(k, product) for product in self.products]
        accumulator = carried(self._accumulates())
        Folding("sum", self._accumulates()).function(k)
        if once:
            weights = self._load_weights(k, bases, matrices, tile_n, tile_k, "0")
            if early:
                k.wait()
            x = "" if self.prologue else self._base(k, self.leaves[self.products[0].left], left)
            sums = self._sums(k, x, left, weights, tile_k, rows, accumulator)
        else:
            x = self._base(k, self.leaves[self.products[0].left], left)
            sums = [[k.let(f"tl.full(({tile_n},), 0, {accumulator})", "a") for _ in range(rows)] for _ in bases]
            with k.block(f"for start in range(0, {self.depth}, {tile_k})"):
                weights = self._load_weights(k, bases, matrices, tile_n, tile_k, "start")
                parts = self._sums(k, x, left, weights, tile_k, rows, accumulator)
                for totals, found in zip(sums, parts, strict=True):
                    for total, one in zip(totals, found, strict=True):
                        k.line(f"{total} = ({total} + {one}).to({accumulator})")
        for row in range(rows):
            k.line(f"m = batch * 0 + {row}")
            mask = "in_n" if isinstance(self.rows, int) else f"(in_n & (m < {k.size(self.rows)}))"
            self._finish(k, [own[row] for own in sums], f"({tile_n},)", "m", "n", mask)
        return k.launch(grid, warps=4, name=label_of(self.body, "contraction"))

    def _begin_walk(self, k: KernelText, tile_n: int) -> tuple[Size, ...]:
        blocks = ceildiv(self.columns, tile_n)
        k.line("block = tl.program_id(0)")
        across = k.size(blocks)
        k.line(f"n = (block % {across}).to({self.index}) * {tile_n} + tl.arange(0, {tile_n})")
        k.line(f"batch = (block // {across}).to({self.index})")
        k.line(f"in_n = (n < {k.size(self.columns)}) & (batch < {k.size(product(self.batch))})")
        self.batch_positions = k.positions("batch", self.batch)
        return (blocks * product(self.batch),)

    def _load_weights(
        self,
        k: KernelText,
        bases: Sequence[str],
        matrices: Sequence[MatrixStrides],
        tile_n: int,
        tile_k: int,
        start: str,
    ) -> list[str]:
        """A tile of each weight, columns × depth, once read not wanted again."""
        k.line(f"kn = {start} + tl.arange(0, {tile_k}).to({self.index})")
        k.line(f"in_k = kn < {self.depth}")
        names = []
        for pointer, matrix in zip(bases, matrices, strict=True):
            offset = k.offset(["n[:, None]", "kn[None, :]"], (matrix.columns, matrix.rows))
            zero = f"tl.full(({tile_n}, {tile_k}), 0, tl.int32)"
            mask = "in_n[:, None] & in_k[None, :]"
            names.append(
                k.let(
                    f'tl.load({pointer} + {offset} + {zero}, mask={mask}, other=0, eviction_policy="evict_first")', "w"
                )
            )
        return names

    def _sums(
        self,
        k: KernelText,
        x: str,
        left: MatrixStrides,
        weights: Sequence[str],
        tile_k: int,
        rows: int,
        accumulator: str,
    ) -> list[list[str]]:
        """For each weight and row, the sums along the depth of this tile."""
        values = []
        for row in range(rows):
            if self.prologue is not None:
                assert isinstance(self.depth, int)
                there = "" if isinstance(self.rows, int) else f"({row} < {k.size(self.rows)})"
                number = k.let(f"batch * {k.size(self.rows)} + {row}", "c")
                values.append(k.let(f"{self.prologue.row(k, number, there, self.depth)}.to({accumulator})", "u"))
                continue
            offset = k.offset([str(row), "kn"], (left.rows, left.columns))
            mask = "in_k" if isinstance(self.rows, int) else f"in_k & ({row} < {k.size(self.rows)})"
            values.append(k.let(f"tl.load({x} + {offset}, mask={mask}, other=0).to({accumulator})", "u"))
        found = []
        for name in weights:
            wide = k.let(f"{name}.to({accumulator})", "w")
            found.append([k.let(f"tl.reduce({wide} * {value}[None, :], 1, combine_sum)", "a") for value in values])
        return found

    # -- what follows the product
    def _finish(self, k: KernelText, sums: Sequence[str], shape: str, row: str, column: str, mask: str) -> None:
        """The elementwise nodes on a tile, and its store."""
        names: dict[Ref, str] = {}
        for one, total in zip(self.products, sums, strict=True):
            names[one.ref] = total
        needed = self._needed()
        for node in self.body.nodes:
            if node.ref in names or node.ref not in needed:
                continue
            if node.ref in self.leaves:
                names[node.ref] = self._beside(k, node.ref, row, column, mask, shape)
            elif node.op.is_constant:
                names[node.ref] = k.let(literal(node.op["value"].array.reshape(-1)[0], node.shape.dtype))
            else:
                dtypes = [self.body.shape(ref).dtype for ref in node.refs]
                operands = [names[ref] for ref in node.refs]
                names[node.ref] = k.let(EMIT[node.op.name](k, operands, node.op.attrs, dtypes[-1]))
        (result,) = self.body.outputs.values()
        value = names[result]
        own = self.body.shape(result).dtype
        matrix = self._spread(self.output)
        pointer = self._base(k, self.target, matrix, written=True)
        offset = k.offset([row, column], (matrix.rows, matrix.columns))
        spread = f"tl.broadcast_to({stored(cast(k, value, own, own), own)}, {shape})"
        kept = mask if "in_m" not in mask else f"{mask} & ({self.inside})"
        if own is not self.output.dtype:
            spread = f"{spread}.to({language_type(self.output.dtype)})"
        k.line(f"tl.store({pointer} + {offset} + tl.full({shape}, 0, tl.int32), {spread}, mask={kept})")

    def _needed(self) -> set[Ref]:
        """What the elementwise part reads: not the operands of the products alone."""
        found: set[Ref] = set()
        waiting = list(self.body.outputs.values())
        products = {product.ref for product in self.products}
        while waiting:
            ref = waiting.pop()
            if ref in found or ref in products:
                continue
            found.add(ref)
            waiting += self.body.node(ref).refs
        return found

    def _beside(self, k: KernelText, ref: Ref, row: str, column: str, mask: str, shape: str) -> str:
        """An operand of the elementwise part, loaded for this tile."""
        tensor = self.given[ref]
        matrix = self._spread(tensor)
        pointer = self._base(k, self.leaves[ref], matrix)
        offset = k.offset([row, column], (matrix.rows, matrix.columns))
        if offset == "0":
            return k.let(loaded(f"tl.load({pointer})", tensor.dtype), "v")
        address = f"{pointer} + {offset} + tl.full({shape}, 0, tl.int32)"
        return k.let(loaded(f"tl.load({address}, mask={mask})", tensor.dtype), "v")
