"""The matrix-product kernel. Its description and blocking are in `plan.py`, and re-exported here."""

from __future__ import annotations

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.kernels.matmul.blocking import blocking, multiplies_pairs
from rlx.backends.cpu.kernels.matmul.loops import ProductLoops
from rlx.backends.cpu.kernels.matmul.paired import PairedProduct
from rlx.backends.cpu.kernels.matmul.spec import Epilogue, MatMulSpec
from rlx.backends.cpu.kernels.matmul.thin import ThinProduct


def matmul(module: Module, name: str, spec: MatMulSpec, epilogue: Epilogue | None = None) -> Function:
    """A new kernel for one product."""
    k = module.kernel(name)
    matmul_into(k, spec, epilogue)
    return k


def matmul_into(k: Function, spec: MatMulSpec, epilogue: Epilogue | None = None) -> None:
    """Emit the product into a kernel: its units [begin, end)."""
    emitter = ThinProduct if spec.is_thin else PairedProduct if multiplies_pairs(spec, k.target) else ProductLoops
    emitter(k, spec, blocking(spec, k.target), epilogue).units(k.begin, k.end)
