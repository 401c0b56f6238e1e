"""Operands that do not vary along some of their axes, or along none: kernels read them as they lie, with strides of 0."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import rlx
from rlx.backends.conformance.cases import Row, build, in_one_type, records, rows_of, shapes_of
from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, KernelSource, Launch
from rlx.backends.cuda.lower import find_kernel
from rlx.core.shape import Shape
from rlx.ir.op import OPS, Op
from tests.backends.cuda.compiled_forms import triton_ir
from tests.backends.cuda.device import NEEDS_TRITON, Running

pytestmark = NEEDS_TRITON

Tensors = tuple[CudaTensor | None, ...]
QUICK = ("matmul", "attention", "selective_scan", "gated_delta_net")


def broadcasts(tensors: Tensors) -> Iterator[Tensors]:
    """Operands spread along all axes; then one of them along all, along one, along all but one."""
    yield tuple(None if one is None else spread(one, frozenset(range(len(one.dims)))) for one in tensors)
    for place, tensor in enumerate(tensors):
        if tensor is None:
            continue
        axes = frozenset(range(len(tensor.dims)))
        for still in dict.fromkeys((axes, *(frozenset({axis}) for axis in axes), *(axes - {axis} for axis in axes))):
            yield (*tensors[:place], spread(tensor, still), *tensors[place + 1 :])


def spread(tensor: CudaTensor, still: frozenset[int]) -> CudaTensor:
    return replace(tensor, strides=tuple(0 if axis in still else step for axis, step in enumerate(tensor.strides)))


def kernels_of(op: Op, operands: list[Shape | None], results: tuple[Shape, ...]) -> Iterator[KernelSource]:
    """The kernels of an op on dense results, for each way its operands can be spread."""
    family = find_kernel(op.name)
    assert family is not None
    inputs = tuple(None if shape is None else CudaTensor.dense(shape) for shape in operands)
    for tensors in broadcasts(inputs):
        found = family(op, tensors, tuple(CudaTensor.dense(shape) for shape in results))
        if isinstance(found, CudaLowering):
            for stage in found.stages:
                if isinstance(stage, Launch):
                    yield from (stage.kernel, *(early.kernel for early in stage.early))


def check(row: Row, seen: set[str]) -> list[str]:
    """What Triton refuses of a row's kernels."""
    operands = shapes_of(in_one_type(row.record, row.case.arrays(0, row.dtype)))
    node = build(row.record, operands, row.case.attrs).graph.nodes[-1]
    wrong = []
    for kernel in kernels_of(node.op, operands, node.results):
        if kernel.key not in seen:
            seen.add(kernel.key)
            try:
                triton_ir(kernel)
            except Exception as error:  # Triton's compiler raises many kinds
                wrong.append(f"{row}: {error!s:.2000}\n{kernel.text}")
    return wrong


@pytest.mark.parametrize("name", QUICK)
def test_kernels_of_broadcast_operands_compile(name: str):
    """A pointer that does not vary was given the mask of a tile."""
    seen: set[str] = set()
    wrong = [line for row in rows_of(OPS[name])[:2] for line in check(row, seen)]
    assert seen and not wrong, "\n".join(wrong[:3])


@pytest.mark.long
def test_every_kernel_of_broadcast_operands_compiles():
    seen: set[str] = set()
    rows = [row for record in records() if find_kernel(record.name) for row in rows_of(record)]
    firsts = {(row.record.name, row.number): row for row in reversed(rows)}
    wrong = [line for row in firsts.values() for line in check(row, seen)]
    assert len(seen) > 1000 and not wrong, "\n".join(wrong[:3])


@pytest.mark.parametrize("which", ("product", "flash"))
def test_large_kernels_of_broadcast_operands_compile(which: str):
    large = Shape((2048, 2048), "bf16") if which == "product" else Shape((1, 512, 256), "bf16")
    if which == "product":
        op, operands = OPS["matmul"].op(), [large, large]
    else:
        op, operands = OPS["attention"].op(num_heads=4, head_dim=64, causal=True), [large] * 3 + [None] * 3
    names = set()
    for kernel in kernels_of(op, operands, (large,)):
        names.add(kernel.name)
        assert triton_ir(kernel)
    assert which in names


def test_products_of_a_broadcast_row_are_right():
    g = rlx.Graph("broadcast")
    x, w = g.input("x", (1, 1), "f32"), g.input("w", (7, 33, 19), "f32")
    g.set_outputs({"y": g.matmul(g.expand(x, shape=(1, 33)), w)})
    run = Running(g, as_planned=True)
    assert any("x=(x1, (0,), 1, 0,)" in text for text in run.texts)  # strides: of the batch, of rows, of columns
    given = np.random.default_rng(0).standard_normal((7, 33, 19)).astype(np.float32)
    found = run(x=np.full((1, 1), 1.5, np.float32), w=given)["y"]
    np.testing.assert_allclose(found, 1.5 * given.astype(np.float64).sum(1, keepdims=True), rtol=1e-5, atol=1e-5)
