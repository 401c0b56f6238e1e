"""The text of kernels: names, sizes, addresses."""

from __future__ import annotations

import rlx
from rlx.backends.cuda.kernel_data import CudaTensor
from rlx.backends.cuda.text import KernelText
from rlx.core.dtype import DType
from rlx.ir.graph import Layout
from rlx.ir.parse_lir import Place


def test_a_value_never_takes_the_name_of_a_size_or_a_pointer():
    """A kernel with many symbolic sizes read its scores in place of a stride."""
    k = KernelText("probe")
    sizes = {k.size(rlx.Dim(f"n{number}")) for number in range(40)}
    pointers = {k.pointer(number, CudaTensor(DType.of("f32"), (4,), (1,))) for number in range(40)}
    values = {k.let("0", hint) for hint in "spxacmtvw" for _ in range(40)}
    parameters = {f"p{number}" for number in range(40)}
    assert not values & (sizes | pointers | parameters)
    assert len(values) == 9 * 40


def test_static_offsets_are_part_of_the_address_and_symbolic_ones_of_the_kernel():
    n = rlx.Dim("n")
    fixed = CudaTensor.at(Place(0, DType.of("f32"), Layout((4,), (1,), 8)))
    moving = CudaTensor.at(Place(0, DType.of("f32"), Layout((4,), (1,), 2 * n)))
    assert (fixed.offset, fixed.aligned) == (0, True)
    assert moving.offset == 2 * n and not moving.aligned
    assert not CudaTensor.at(Place(0, DType.of("f32"), Layout((4,), (1,), 3))).aligned
    k = KernelText("probe")
    k.pointer(0, moving)
    text = k.launch((1,)).kernel.text
    assert "x0 = p0 + s0" in text and "s0 = tl.load(sizes + 0)" in text


def test_equal_sources_are_one_kernel_and_others_are_not():
    def kernel(width: int, aligned: bool = True):
        k = KernelText("probe")
        k.line(f"v = tl.load({k.pointer(0, CudaTensor(DType.of('f32'), (4,), (1,), aligned=aligned))} + {width})")
        return k.launch((1,)).kernel

    assert kernel(1).key == kernel(1).key
    assert len({kernel(1).key, kernel(2).key, kernel(1, aligned=False).key}) == 3
