"""Regions and copies over shapes: empty ones, strided views, and sizes and strides that are symbols."""

from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.emit.kernel import Lowering, Tensor
from rlx.backends.cpu.kernels.movement.copies import copy
from rlx.backends.cpu.target import Target
from rlx.core.dim import evaluate
from rlx.core.dtype import DType
from rlx.core.shape import Shape
from rlx.ir.op import OPS, Op
from tests.backends.cpu.kernels.region.region_bodies import (
    BATCH,
    SEQ,
    both_targets,
    check,
    close,
    compiled,
    draw,
    layer_norm,
    np_layer_norm,
    np_softmax,
    softmax,
)
from tests.backends.cpu.lowered import Lowered, tensor_of

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.mark.parametrize("shape", [(0,), (0, 5), (5, 0), (1,), (1, 1), (), (1, 7), (7, 1), (2, 1, 3)])
def test_degenerate_shapes(shape: tuple[int, ...]) -> None:
    x = draw(shape)
    check(lambda x: OPS["tanh"](x) * 2.0 + x, x, formula=lambda x: np.tanh(x) * 2 + x)
    if shape:
        check(lambda x: OPS["reduce_sum"](x, axes=-1), x, formula=lambda x: x.sum(-1))
        check(lambda x: OPS["reduce_sum"](x, axes=0, keep_dim=True), x, formula=lambda x: x.sum(0, keepdims=True))
        check(lambda x: OPS["reduce_sum"](x), x, formula=lambda x: x.sum())
        check(lambda x: x - OPS["reduce_sum"](x, axes=0, keep_dim=True), x, formula=lambda x: x - x.sum(0, keepdims=True))


def views() -> list[tuple[str, np.ndarray]]:
    base = draw((12, 40, 24))
    return [
        ("transposed", base.transpose(2, 1, 0)),
        ("swapped", base.transpose(0, 2, 1)),
        ("rotated", base.transpose(1, 2, 0)),
        ("sliced", base[1:11, 3:37, 2:20]),
        ("stepped", base[::2, ::3, ::2]),
        ("reversed", base[:, ::-1, ::-1]),
        ("repeated", np.broadcast_to(base[:, :1, :], (12, 33, 24))),
        ("repeated last", np.broadcast_to(base[:, :, :1], (12, 40, 65))),
    ]


@both_targets
@pytest.mark.parametrize("name, x", views(), ids=lambda v: v if isinstance(v, str) else "")
def test_strided_operands(name: str, x: np.ndarray, target: Target) -> None:
    y = draw(x.shape[-1:], seed=1)
    check(lambda x, y: OPS["silu"](x) * y, x, y, views=True, target=target)
    check(lambda x, y: OPS["exp"](x) + y, x.astype(np.float16), y.astype(np.float16), views=True, target=target)
    for axes in ((0,), (1,), (2,), (0, 2), (1, 2)):
        check(
            lambda x, axes=axes: OPS["reduce_sum"](x, axes=axes),
            x,
            views=True,
            target=target,
            formula=lambda x, axes=axes: x.sum(axes),
        )
    for axis in (0, 1, 2):
        check(lambda x, axis=axis: softmax(x, axis), x, views=True, formula=lambda x, axis=axis: np_softmax(x, axis), target=target)


@pytest.mark.parametrize(
    "make, dims, formula",
    [
        (softmax, [(BATCH, SEQ)], np_softmax),
        (lambda x: softmax(x, 1), [(BATCH, SEQ, 24)], lambda x: np_softmax(x, 1)),
        (lambda x, g: layer_norm(x, g, 0.5), [(BATCH, SEQ, 48), (48,)], lambda x, g: np_layer_norm(x, g, 0.5)),
        (lambda x, y: OPS["tanh"](x + y), [(BATCH, SEQ, 40), (SEQ, 1)], lambda x, y: np.tanh(x + y)),
        (lambda x: OPS["reduce_mean"](x, axes=(0, 1)), [(BATCH, SEQ, 10)], lambda x: x.mean((0, 1))),
        (lambda x: OPS["reduce_sum"](x), [(BATCH, SEQ)], lambda x: x.sum()),
        (lambda x: OPS["reduce_max"](x, axes=0), [(BATCH + 1, SEQ)], lambda x: x.max(0)),
        (lambda x, y: x * y, [(BATCH, 2 * SEQ + 3), (BATCH, 1)], lambda x, y: x * y),
    ],
)
@both_targets
def test_one_kernel_for_all_sizes(make: Any, dims: Any, formula: Any, target: Target) -> None:
    kernel, body = compiled(make, [Shape(d) for d in dims], target)
    for batch, seq in ((1, 1), (3, 7), (2, 64), (5, 129), (17, 33), (64, 600), (1, 3000)):
        sizes = {"batch": batch, "seq": seq}
        arrays = [draw([evaluate(size, sizes) for size in d], seed=i) for i, d in enumerate(dims)]
        (found,) = kernel.call(arrays, sizes=sizes)
        close(found, formula(*(a.astype(np.float64) for a in arrays)))
        (again,) = kernel.call(arrays, sizes=sizes, split=2, threads=2)
        np.testing.assert_array_equal(found, again)
    if not any("max" in node.op.name for node in body.nodes):
        for batch, seq in ((0, 5), (3, 0)):
            sizes = {"batch": batch, "seq": seq}
            arrays = [draw([evaluate(size, sizes) for size in d], seed=i) for i, d in enumerate(dims)]
            (found,) = kernel.call(arrays, sizes=sizes)
            close(found, formula(*(a.astype(np.float64) for a in arrays)))


def test_symbolic_strides() -> None:
    """A transposed view of [seq, batch]: strides (1, batch)."""
    shape = Shape((BATCH, SEQ))
    tensors = [Tensor(DType.of("f32"), (BATCH, SEQ), (1, BATCH)), Tensor(DType.of("f32"), (BATCH, SEQ), (SEQ + 5, 1))]
    kernel, _ = compiled(lambda x, y: (OPS["exp"](x) - y, OPS["reduce_sum"](x * y, axes=1)), [shape, shape], tensors=tensors)
    for batch, seq in ((3, 7), (65, 40), (9, 300)):
        x, y = draw((seq, batch)).T, draw((batch, seq + 5), seed=1)[:, :seq]
        found = kernel.call([x, y])
        close(found[0], np.exp(x.astype(np.float64)) - y)
        close(found[1], (x.astype(np.float64) * y).sum(1))


# -- copies -----------------------------------------------------------------------------------------------------
def copy_kernel(source: Tensor, into: Tensor, target: Target | None = None) -> Lowered:
    """The copy of one tensor into another, as the kernel of an op that gives its operand."""

    def lower(op: Op, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...], machine: Target) -> Lowering:
        return copy(inputs[0], outputs[0])

    return Lowered(lower, OPS["stop_gradient"].op(), [source], target, [into])


@both_targets
@pytest.mark.parametrize("dtype", ["u8", "bf16", "f32", "f64", "c128", "bool"])
def test_copies(dtype: str, target: Target) -> None:
    kind = DType.of(dtype)
    random = np.random.default_rng(0)
    base = random.integers(0, 2 if kind.is_bool else 120, (3, 70, 83)).astype(kind.numpy)
    for x in (
        base,
        base.transpose(0, 2, 1),
        base.transpose(2, 1, 0),
        base.transpose(1, 0, 2),
        base[:, ::2, ::-1],
        base[:, 3:66, 1:80].transpose(0, 2, 1),
        np.broadcast_to(base[:, :, :1], (3, 70, 9)),
        base[0].T[:5],
        base[0, 0],
        base[:0],
        base[0, 0, 0],
    ):
        x = np.asarray(x)
        kernel = copy_kernel(tensor_of(x), Tensor.dense(Shape(x.shape, kind)), target)
        (found,) = kernel.call([x], split=1, threads=2)
        np.testing.assert_array_equal(found, x)


def test_copies_of_symbolic_size() -> None:
    kernel = copy_kernel(Tensor(DType.of("f32"), (SEQ, BATCH), (1, SEQ)), Tensor.dense(Shape((SEQ, BATCH))))
    for batch, seq in ((1, 1), (3, 100), (64, 64), (200, 77), (0, 5)):
        x = draw((batch, seq)).T
        (found,) = kernel.call([x])
        np.testing.assert_array_equal(found, x)


def test_copies_into_a_slice() -> None:
    x, whole = draw((20, 30)), np.zeros((20, 50), np.float32)
    place = whole[:, 10:40]
    copy_kernel(tensor_of(x), tensor_of(place)).call([x], into=[place])
    np.testing.assert_array_equal(place, x)
    assert not whole[:, :10].any() and not whole[:, 40:].any()
