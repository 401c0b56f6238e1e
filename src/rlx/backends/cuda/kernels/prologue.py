"""Prologues: a product of few rows whose left operand is a norm computes that norm itself, once in each block, instead of reading it.

Each row is a vector in registers; a block has few of them, and many columns of weights to read meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rlx.backends.cuda.elementwise import EMIT, refusal
from rlx.backends.cuda.kernel_data import CudaTensor
from rlx.backends.cuda.kernels.folds import Folding
from rlx.backends.cuda.kernels.products import ProductInBody
from rlx.backends.cuda.kernels.space import aligned_strides, is_zero
from rlx.backends.cuda.register_types import cast, divided, literal, loaded
from rlx.backends.cuda.text import KernelText
from rlx.core.dim import Size
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS


@dataclass(frozen=True)
class Prologue:
    """The nodes before the left operand of a product, in order, and the tensors they read."""

    body: Graph
    nodes: tuple[Node, ...]
    result: Ref
    leaves: dict[Ref, int]
    given: dict[Ref, CudaTensor]

    @property
    def dims(self) -> tuple[Size, ...]:
        """Of the left operand."""
        return self.body.shape(self.result).dims

    def same_for_all_rows(self, k: KernelText) -> dict[Ref, str]:
        """The operands that every row has alike, as the scale of a norm, loaded once; the columns are `kn`, those inside `in_k`."""
        found = {}
        for ref in {ref: None for node in self.nodes for ref in node.refs if ref in self.leaves}:
            tensor = self.given[ref]
            *rows, last = aligned_strides(tensor.dims, tensor.strides, self.dims)
            if len(tensor.dims) < len(self.dims) and all(is_zero(stride) for stride in rows) and not is_zero(last):
                found[ref] = self._leaf(k, ref, ["0"] * len(rows), "")
        return found

    def row(self, k: KernelText, row: str, there: str, depth: int, known: Mapping[Ref, str]) -> str:
        """The left operand's row of a flat number, as it is carried; `known` are operands that were loaded before."""
        names: dict[Ref, str] = dict(known)
        positions = k.positions(row, self.dims[:-1])
        for node in self.nodes:
            for ref in node.refs:
                if ref not in names:
                    names[ref] = self._leaf(k, ref, positions, there)
            dtypes = [self.body.shape(ref).dtype for ref in node.refs]
            operands = [names[ref] for ref in node.refs]
            if node.op.definition.family != "reduce":
                names[node.ref] = k.let(EMIT[node.op.name](k, operands, node.op.attrs, dtypes[-1]), "u")
                continue
            fold = Folding.of(node)
            value = k.let(cast(k, operands[0], dtypes[0], node.shape.dtype), "u")
            value = k.let(f"tl.where(in_k, {value}, {fold.identity})", "u")
            found = k.let(f"tl.reduce({value}, 0, {fold.function(k)})", "u")
            if node.op.name == "reduce_mean":
                found = k.let(divided(found, literal(depth, fold.dtype), fold.dtype), "u")
            names[node.ref] = found
        return names[self.result]

    def _leaf(self, k: KernelText, ref: Ref, positions: list[str], there: str) -> str:
        node = self.body.node(ref)
        if node.op.is_constant:
            return k.let(literal(node.op["value"].array.reshape(-1)[0], node.shape.dtype), "u")
        tensor = self.given[ref]
        strides = aligned_strides(tensor.dims, tensor.strides, self.dims)
        pointer = k.pointer(self.leaves[ref], tensor)
        offset = k.offset([*positions, "kn"], strides)
        if is_zero(strides[-1]):
            masked = f", mask={there}, other=0" if there else ""
            return k.let(loaded(f"tl.load({pointer} + {offset}{masked})", tensor.dtype), "u")
        mask = f"in_k & {there}" if there else "in_k"
        return k.let(loaded(f"tl.load({pointer} + {offset}, mask={mask}, other=0)", tensor.dtype), "u")

    def region(self) -> tuple[Graph, tuple[int, ...]]:
        """The same as a body of its own, and which operands of the op its inputs are."""
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


def prologue_of(
    body: Graph, products: list[ProductInBody], leaves: dict[Ref, int], inputs: tuple[CudaTensor | None, ...], deepest: int
) -> Prologue | str:
    """What computes the left operand inside a body, or why a block cannot do it row by row."""
    result = products[0].left
    needed, waiting = set[int](), [result]
    while waiting:
        node = body.node(waiting.pop())
        if node.id not in needed and not node.op.definition.leaf:
            needed.add(node.id)
            waiting += node.refs
    nodes = tuple(node for node in body.nodes if node.id in needed)
    shape = body.shape(result)
    depth = shape.dims[-1]
    if not isinstance(depth, int) or depth > deepest or shape.rank < 2:
        return "rows that do not fit a block"
    for node in nodes:
        dtypes = [body.shape(ref).dtype for ref in node.refs] + [node.shape.dtype]
        if node.op.definition.family == "reduce":
            rank = body.shape(node.refs[0]).rank
            if not Folding.is_one(node) or tuple(axis % rank for axis in node.op["axes"]) != (shape.rank - 1,):
                return "a reduction over other axes than the last"
            if rank != shape.rank or not node.op["keep_dim"] or node.shape.dtype.is_bool:
                return "a reduction that drops its axes"
        elif (reason := refusal(node.op.name, dtypes)) is not None:
            return reason
    multiplied = {product.ref.node for product in products}
    behind = [ref for node in body.nodes if node.id not in needed | multiplied for ref in node.refs]
    if any(ref.node in needed for ref in (*behind, *body.output_refs.values())):
        return "a value before the product that is read behind it"
    given = {ref: tensor for ref, place in leaves.items() if (tensor := inputs[place]) is not None}
    return Prologue(body, nodes, result, leaves, given)
