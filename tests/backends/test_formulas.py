"""Every device computes every elementwise op by its formula, or says why not."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

from rlx.backends.cpu.emit.math import CpuAlgebra
from rlx.backends.cpu.kernels.region.elementwise import EMIT as CPU
from rlx.backends.cuda.algebra import TritonAlgebra
from rlx.backends.cuda.elementwise import EMIT as CUDA
from rlx.core.dtype import DType
from rlx.formulas.algebra import Algebra
from rlx.formulas.elementwise import FORMULAS
from rlx.ir.op import OPS

NEEDS_JAX = pytest.mark.skipif(find_spec("jax") is None, reason="the device xla needs JAX")
COMPLEX = {"conjugate", "real", "imag", "complex", "complex_norm_sq", "complex_norm_sq_backward"}
"""Ops of the parts of complex numbers: XLA has complex numbers, the other devices have kernels."""

OVERRIDES = {
    "cpu": {"gelu_approx"},
    "cuda": {"gelu", "asin", "acos", "asinh", "acosh", "atanh", "hypot", "erfc", "erfinv", "lgamma", "ndtr", "ndtri"},
    "xla": {"float_exponent", "next_after", "round_to_dtype", "asin", "acos", "asinh", "acosh", "atanh", "sign"},
}
"""What a device does not take from the formulas; its table gives the reason beside each."""


def own(table: dict[str, Any]) -> set[str]:
    """The ops of a table that no formula made."""
    return {name for name, emit in table.items() if "formula" not in emit.__qualname__} - COMPLEX


def test_the_tables_of_cpu_and_cuda_have_every_formula() -> None:
    assert set(CPU) == set(CUDA) == set(FORMULAS)
    assert own(CPU) == OVERRIDES["cpu"] and own(CUDA) == OVERRIDES["cuda"]


@NEEDS_JAX
def test_the_table_of_xla_has_every_formula() -> None:
    from rlx.backends.xla.lowerings.elementwise import LOWERINGS

    assert set(LOWERINGS) - COMPLEX == set(FORMULAS)
    assert own(LOWERINGS) == OVERRIDES["xla"]


def test_every_formula_is_an_elementwise_op_and_has_its_attributes() -> None:
    assert {name for name in FORMULAS if not OPS[name].is_pointwise} == set()


def test_every_device_has_every_primitive() -> None:
    primitives = {name for kind in (Algebra, *Algebra.__bases__) for name in vars(kind) if not name.startswith("_")} - {"dtype"}
    f32 = DType.of("f32")
    from rlx.backends.cpu.emit.builder import Module
    from rlx.backends.cpu.target import Target
    from rlx.backends.cuda.text import KernelText

    algebras: list[Any] = [CpuAlgebra(Module(Target.named("x86_64")).kernel("k")), TritonAlgebra(KernelText("k"), f32)]
    if find_spec("jax") is not None:
        from rlx.backends.xla.algebra import JaxAlgebra

        algebras.append(JaxAlgebra(f32))
    for algebra in algebras:
        assert {name for name in primitives if not callable(getattr(algebra, name, None))} == set(), type(algebra)
