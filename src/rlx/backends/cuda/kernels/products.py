"""Products inside a body: of matrices as they lie, or of weights in the layouts of this backend."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rlx.backends.cuda.elementwise import refusal
from rlx.backends.cuda.layouts import layout_named
from rlx.core.dim import Size
from rlx.ir.graph import Graph, Ref


@dataclass(frozen=True)
class MatrixStrides:
    """Strides of an operand: along each batch axis, its rows and its columns."""

    batch: tuple[Size, ...]
    rows: Size
    columns: Size


@dataclass(frozen=True)
class ProductInBody:
    """One product in a body: its value, its operands, and how the right one lies; `place` is which of the matrices in it."""

    ref: Ref
    left: Ref
    right: Ref
    turned: bool = False
    place: int = 0


def products_of(body: Graph) -> list[ProductInBody] | str:
    """The products of a body; of packed weights those whose layout is of this backend."""
    found: list[ProductInBody] = []
    for node in body.nodes:
        if node.op.name == "matmul":
            found.append(ProductInBody(node.ref, node.refs[0], node.refs[1]))
        elif node.op.name in ("packed_matmul", "packed_pair_matmul"):
            if layout_named(node.op["layout"]) is None:
                return f"a weight in the layout {node.op['layout']}"
            found += [ProductInBody(ref, node.refs[0], node.refs[1], True, place) for place, ref in enumerate(node.outputs)]
    return found


def refused(body: Graph, products: Sequence[ProductInBody], before: Collection[int] = ()) -> str | None:
    """Why these products, with what follows them, are not one kernel; None if they are."""
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
