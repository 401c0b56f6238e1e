"""What kernels of a product have in common: the products of a body, what computes their left operand, what follows them.

The right operand is a matrix in any strides, or weights in a layout of this backend. A product of few rows whose left operand is a
norm computes that norm itself, once in each block, instead of reading it (a prologue): each row is a vector in registers; a block
has few of them, and many columns of weights to read meanwhile.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rlx.backends.cuda.elementwise import EMIT, refusal
from rlx.backends.cuda.kernel_data import CudaTensor
from rlx.backends.cuda.register_types import Folding, cast, divided, language_type, literal, loaded, stored
from rlx.backends.cuda.text import KernelText, aligned_strides, fits_32_bits, is_zero
from rlx.core.dim import Size, product
from rlx.core.dtype import DType
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.layouts.transposed_rows import TransposedRows


@dataclass(frozen=True)
class MatrixStrides:
    """Strides of a matrix operand: along each batch axis, its rows and its columns."""

    batch: tuple[Size, ...]
    rows: Size
    columns: Size


@dataclass(frozen=True)
class ProductInBody:
    """One product in a body: its value, its operands, and the right one's layout; `place` is its index in a packed pair."""

    ref: Ref
    left: Ref
    right: Ref
    turned: bool = False
    place: int = 0


def products_of(body: Graph) -> list[ProductInBody] | str:
    """Lists the products of a body; of packed weights those whose layout is of this backend."""
    products: list[ProductInBody] = []
    for node in body.nodes:
        if node.op.name == "matmul":
            products.append(ProductInBody(node.ref, node.refs[0], node.refs[1]))
        elif node.op.name in ("packed_matmul", "packed_pair_matmul"):
            if not isinstance(node.op["layout"], TransposedRows):
                return f"a weight in the layout {node.op['layout']}"
            products += [ProductInBody(ref, node.refs[0], node.refs[1], True, place) for place, ref in enumerate(node.outputs)]
    return products


def refused(body: Graph, products: Sequence[ProductInBody], before: Collection[int] = ()) -> str | None:
    """Why these products with their epilogue are not one kernel; None if they are."""
    made = {product.ref.node for product in products}
    for node in body.nodes:
        if node.op.definition.leaf or node.id in made or node.id in before:
            continue
        reason = refusal(node.op.name, [body.shape(ref).dtype for ref in node.refs] + [node.shape.dtype])
        if reason is not None:
            return reason
    dtype = body.shape(products[0].left).dtype
    if dtype.is_complex or dtype.category == "f8" or dtype.is_bool:
        return f"matmul of {dtype}"
    if any(body.shape(product.right).dtype is not dtype for product in products):
        return "a product of different dtypes"
    return None


@dataclass(frozen=True)
class Prologue:
    """The nodes that compute the left operand of a product, in order, and the tensors they read."""

    body: Graph
    nodes: tuple[Node, ...]
    result: Ref
    leaves: dict[Ref, int]
    given: dict[Ref, CudaTensor]

    @property
    def dims(self) -> tuple[Size, ...]:
        """The dims of the left operand."""
        return self.body.shape(self.result).dims

    def write_shared(self, k: KernelText) -> tuple[str, ...]:
        """Writes the function `shared`, which loads operands that every row shares, as a norm's scale. Returns its operands."""
        with k.function("shared", "kn, in_k") as operands:
            loads = [self._load(k, ref, ["0"] * (len(self.dims) - 1), "") for ref in self.shared]
            k.line(f"return ({''.join(f'{load}, ' for load in loads)})")
        return tuple(operands)

    @cached_property
    def shared(self) -> list[Ref]:
        """The operands that every row shares."""
        refs = {ref: None for node in self.nodes for ref in node.refs if ref in self.leaves}
        return [ref for ref in refs if self._is_shared(self.given[ref])]

    def _is_shared(self, tensor: CudaTensor) -> bool:
        *rows, last = aligned_strides(tensor.dims, tensor.strides, self.dims)
        return len(tensor.dims) < len(self.dims) and all(is_zero(stride) for stride in rows) and not is_zero(last)

    def write_rows(self, k: KernelText, depth: int, is_bounded: bool) -> tuple[str, ...]:
        """Writes the function `prologue`: computes one row of the left operand, by its flat number. Returns its operands."""
        with k.function("prologue", "row, in_rows, known, kn, in_k") as operands:
            names = {ref: f"known[{number}]" for number, ref in enumerate(self.shared)}
            positions = k.positions("row", self.dims[:-1])
            for node in self.nodes:
                for ref in node.refs:
                    if ref not in names:
                        names[ref] = self._load(k, ref, positions, "in_rows" if is_bounded else "")
                names[node.ref] = self._write_node(k, node, [names[ref] for ref in node.refs], depth)
            k.line(f"return {names[self.result]}")
        return tuple(operands)

    def _write_node(self, k: KernelText, node: Node, values: list[str], depth: int) -> str:
        dtypes = [self.body.shape(ref).dtype for ref in node.refs]
        if node.op.definition.family != "reduce":
            return k.let(EMIT[node.op.name](k, values, node.op.attrs, dtypes[-1]), "u")
        fold = Folding.of(node)
        value = k.let(cast(k, values[0], dtypes[0], node.shape.dtype), "u")
        value = k.let(f"tl.where(in_k, {value}, {fold.identity})", "u")
        folded = k.let(f"tl.reduce({value}, 0, {fold.function(k)})", "u")
        if node.op.name == "reduce_mean":
            folded = k.let(divided(folded, literal(depth, fold.dtype), fold.dtype), "u")
        return folded

    def _load(self, k: KernelText, ref: Ref, positions: list[str], in_rows: str) -> str:
        node = self.body.node(ref)
        if node.op.is_constant:
            return k.let(literal(node.op["value"].array.reshape(-1)[0], node.shape.dtype), "u")
        tensor = self.given[ref]
        strides = aligned_strides(tensor.dims, tensor.strides, self.dims)
        masks = [*([] if is_zero(strides[-1]) else ["in_k"]), *([in_rows] if in_rows else [])]
        masked = f", mask={' & '.join(masks)}, other=0" if masks else ""
        address = f"{k.pointer(self.leaves[ref], tensor)} + {k.offset([*positions, 'kn'], strides)}"
        return k.let(loaded(f"tl.load({address}{masked})", tensor.dtype), "u")

    def region(self) -> tuple[Graph, tuple[int, ...]]:
        """The prologue as a body of its own, and which operands of the op its inputs are."""
        made, refs, places = Graph("prologue"), dict[Ref, Ref](), list[int]()
        for node in self.body.nodes:
            read = any(node.ref in user.refs for user in self.nodes)
            if node.ref in self.leaves and read:
                shape = self.body.shape(node.ref)
                refs[node.ref] = made.add_node(OPS["input"].op(name=f"x{len(places)}", shape=shape)).ref
                places.append(self.leaves[node.ref])
            elif node in self.nodes or (node.op.is_constant and read):
                copied = made.copy_node(node, tuple(None if ref is None else refs[ref] for ref in node.inputs))
                refs[node.ref] = copied.ref
        made.set_output_refs({"y0": refs[self.result]})
        return made.freeze(), tuple(places)


def find_prologue(
    body: Graph, products: list[ProductInBody], leaves: dict[Ref, int], inputs: tuple[CudaTensor | None, ...], deepest: int
) -> Prologue | str:
    """Finds the nodes that compute the left operand inside a body, or why a block cannot compute it row by row."""
    result = products[0].left
    nodes = _nodes_before(body, result)
    shape = body.shape(result)
    depth = shape.dims[-1]
    if not isinstance(depth, int) or depth > deepest or shape.rank < 2:
        return "rows that do not fit a block"
    for node in nodes:
        reason = _reason_against_rows(body, node, shape.rank)
        if reason is not None:
            return reason
    before, multiplied = {node.id for node in nodes}, {product.ref.node for product in products}
    behind = [ref for node in body.nodes if node.id not in before | multiplied for ref in node.refs]
    if any(ref.node in before for ref in (*behind, *body.output_refs.values())):
        return "a value before the product that is read behind it"
    given = {ref: tensor for ref, place in leaves.items() if (tensor := inputs[place]) is not None}
    return Prologue(body, nodes, result, leaves, given)


def _nodes_before(body: Graph, result: Ref) -> tuple[Node, ...]:
    """The nodes that compute a value, in order."""
    needed, waiting = set[int](), [result]
    while waiting:
        node = body.node(waiting.pop())
        if node.id not in needed and not node.op.definition.leaf:
            needed.add(node.id)
            waiting += node.refs
    return tuple(node for node in body.nodes if node.id in needed)


def _reason_against_rows(body: Graph, node: Node, rank: int) -> str | None:
    """Why a node cannot be computed for one row of a value of this rank, or None."""
    if node.op.definition.family != "reduce":
        return refusal(node.op.name, [body.shape(ref).dtype for ref in node.refs] + [node.shape.dtype])
    own = body.shape(node.refs[0]).rank
    if not Folding.is_one(node) or tuple(axis % own for axis in node.op["axes"]) != (rank - 1,):
        return "a reduction over other axes than the last"
    drops = own != rank or not node.op["keep_dim"] or node.shape.dtype.is_bool
    return "a reduction that drops its axes" if drops else None


class Contraction:
    """One or two products of a left operand, and their elementwise epilogue."""

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
        self.batch = output.dims[: len(output.dims) - (not self.vector_left) - (not self.vector_right)]
        self._merge_rows()
        self.index = "tl.int32" if fits_32_bits(list(tensors.values())) else "tl.int64"

    def _merge_rows(self) -> None:
        """Merges the batch axes of a dense left operand into its rows, where there is one matrix on the right."""
        single = all(product.turned or self.body.shape(product.right).rank == 2 for product in self.products)
        left, rank = self.given[self.products[0].left], len(self.output.dims)
        weights = {self.leaves[product.right] for product in self.products}
        others = [tensor for operand, tensor in self.tensors.items() if operand not in weights]
        self.merged = bool(self.batch) and single and len(left.dims) == rank and all(map(self._flattens, others))
        if self.merged:
            self.rows, self.batch = product((*self.batch, self.rows)), ()

    def _flattens(self, tensor: CudaTensor) -> bool:
        """Whether an operand has, without gaps, one row for each row of the result, or is the same for all rows."""
        if len(tensor.dims) <= 2:
            return True
        if len(tensor.dims) != len(self.output.dims) or not tensor.is_dense:
            return False
        own, full = tensor.dims[:-1], self.output.dims[:-1]
        same = all(bool(a == b) for a, b in zip(own, full, strict=True))
        return same or all(isinstance(size, int) and size == 1 for size in own)

    # -- operands
    def left(self) -> MatrixStrides:
        """The left operand as batches of matrices."""
        tensor = self.given[self.products[0].left]
        dims, strides = tensor.dims, tensor.strides
        if len(dims) == 1:
            return MatrixStrides((0,) * len(self.batch), 0, strides[0])
        if self.merged and len(dims) > 2:
            return MatrixStrides((), strides[-2], strides[-1])
        return MatrixStrides(aligned_strides(dims[:-2], strides[:-2], self.batch), strides[-2], strides[-1])

    def right(self, product: ProductInBody) -> MatrixStrides:
        """A right operand's strides: along the depth, and along the columns of the result."""
        tensor = self.given[product.right]
        dims, strides = tensor.dims, tensor.strides
        if product.turned:
            return MatrixStrides((0,) * len(self.batch), strides[-1], strides[-2])
        if len(dims) == 1:
            return MatrixStrides((0,) * len(self.batch), strides[0], 0)
        return MatrixStrides(aligned_strides(dims[:-2], strides[:-2], self.batch), strides[-2], strides[-1])

    def _spread(self, tensor: CudaTensor) -> MatrixStrides:
        """Strides of an operand or result of the epilogue along the axes of the result."""
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

    # -- arguments of the functions
    def matrix_argument(self, k: KernelText, operand: int, matrix: MatrixStrides, *, written: bool = False) -> tuple[Any, ...]:
        """Arguments of the Triton functions for a matrix."""
        return k.pointer(operand, self.tensors[operand], written=written), matrix.batch, matrix.rows, matrix.columns

    def left_argument(self, k: KernelText) -> tuple[Any, ...]:
        """Arguments for the left operand; with a prologue there is no matrix to load."""
        return self.matrix_argument(k, self.leaves[self.products[0].left], self.left())

    def weights_argument(self, k: KernelText) -> tuple[Any, ...]:
        """Arguments for the right operands: a pair that is stored in one tensor has a pointer each."""
        weights = []
        for one in self.products:
            pointer, *strides = self.matrix_argument(k, self.leaves[one.right], self.right(one))
            second = f" + {k.size(self.given[one.right].strides[-3])}" if one.place else ""
            weights.append((pointer + second, *strides))
        return tuple(weights)

    def result_argument(self, k: KernelText) -> tuple[Any, ...]:
        """Arguments for the result."""
        return self.matrix_argument(k, self.target, self._spread(self.output), written=True)

    def accumulates(self) -> DType:
        """The dtype of the accumulator."""
        return self.body.shape(self.products[0].ref).dtype

    # -- what follows the product
    def write_epilogue(self, k: KernelText, known: Sequence[Ref] = ()) -> tuple[str, ...]:
        """Writes `epilogue`: the elementwise nodes on a tile of sums. `known`: operands loaded before. Returns its operands."""
        with k.function("epilogue", "sums, known, batch, m, n, mask") as operands:
            names = {ref: f"known[{number}]" for number, ref in enumerate(known)}
            names |= {product.ref: k.let(f"sums[{number}]", "a") for number, product in enumerate(self.products)}
            positions, needed = k.positions("batch", self.batch), self._needed()
            for node in self.body.nodes:
                if node.ref in names or node.ref not in needed:
                    continue
                if node.ref in self.leaves:
                    names[node.ref] = self._beside(k, node.ref, positions)
                elif node.op.is_constant:
                    names[node.ref] = k.let(literal(node.op["value"].array.reshape(-1)[0], node.shape.dtype))
                else:
                    dtypes = [self.body.shape(ref).dtype for ref in node.refs]
                    values = [names[ref] for ref in node.refs]
                    names[node.ref] = k.let(EMIT[node.op.name](k, values, node.op.attrs, dtypes[-1]))
            (result,) = self.body.output_refs.values()
            own = self.body.shape(result).dtype
            value = stored(names[result], own)
            k.line(f"return {value if own is self.output.dtype else f'({value}).to({language_type(self.output.dtype)})'}")
        return tuple(operands)

    def write_beside(self, k: KernelText) -> tuple[list[Ref], tuple[str, ...]]:
        """Writes `beside`: loads the epilogue's operands before the sums are known. Returns its operands."""
        refs = [ref for ref in self.leaves if ref in self._needed()]
        with k.function("beside", "batch, m, n, mask") as operands:
            positions = k.positions("batch", self.batch)
            values = [self._beside(k, ref, positions) for ref in refs]
            k.line(f"return ({''.join(f'{value}, ' for value in values)})")
        return refs, tuple(operands)

    def _needed(self) -> set[Ref]:
        """The operands that the epilogue reads: not those of the products alone."""
        needed: set[Ref] = set()
        waiting = list(self.body.output_refs.values())
        products = {product.ref for product in self.products}
        while waiting:
            ref = waiting.pop()
            if ref in needed or ref in products:
                continue
            needed.add(ref)
            waiting += self.body.node(ref).refs
        return needed

    def _beside(self, k: KernelText, ref: Ref, positions: list[str]) -> str:
        """Loads an operand of the epilogue for a tile."""
        tensor = self.given[ref]
        matrix = self._spread(tensor)
        pointer, shift = k.pointer(self.leaves[ref], tensor), k.offset(positions, matrix.batch)
        address = pointer if shift == "0" else f"{pointer} + {shift}"
        if is_zero(matrix.rows) and is_zero(matrix.columns):
            return k.let(loaded(f"tl.load({address})", tensor.dtype), "v")
        address = f"{address} + {k.tile_offset(['m', 'n'], (matrix.rows, matrix.columns))}"
        return k.let(loaded(f"tl.load({address}, mask=mask)", tensor.dtype), "v")
