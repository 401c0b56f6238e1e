"""Contractions: products with what follows them, and with a norm before them where rows are few."""

from __future__ import annotations

from dataclasses import replace

from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Launch
from rlx.backends.cuda.kernels.large_product import LargeProduct
from rlx.backends.cuda.kernels.products import ProductInBody, products_of, refused
from rlx.backends.cuda.kernels.prologue import prologue_of
from rlx.backends.cuda.kernels.region import lower_body
from rlx.backends.cuda.kernels.single_op_body import body_of
from rlx.backends.cuda.kernels.tiles import DEEPEST
from rlx.ir.graph import Graph, Ref
from rlx.ir.op import Op


def lower_matmul(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """One product."""
    return _lower(body_of(op, inputs, outputs), inputs, outputs)


def lower_contraction(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """A `fused` op: one or two products and the elementwise nodes behind them."""
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
    """Few rows compute their left operand themselves; many have it computed by a kernel before them."""
    prologue = prologue_of(body, products, leaves, inputs, DEEPEST)
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
