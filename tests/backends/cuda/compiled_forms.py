"""Forms of a kernel on its way to machine code, without a GPU: what Triton reads from its text, and the instructions at the end."""

from __future__ import annotations

import subprocess
import tempfile

from rlx.backends.cuda.driver_interface import GpuTarget
from rlx.backends.cuda.kernel_data import KernelSource
from rlx.backends.cuda.triton_compile import compile_here, triton_source
from tests.backends.cuda.resources import cuobjdump

HOPPER = GpuTarget(90)


def triton_ir(kernel: KernelSource) -> str:
    """The first form, before any pass: every type is decided, every conversion is written out. Takes milliseconds."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import make_backend

    target = GPUTarget("cuda", HOPPER.capability, 32)
    backend, context = make_backend(target), ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    options = backend.parse_options({"num_warps": kernel.warps, "enable_fp_fusion": not kernel.as_written})
    codegen = backend.get_codegen_implementation(options)
    source = triton_source(kernel, HOPPER)
    return str(source.make_ir(target, options, codegen, backend.get_module_map(), context))


def ptx(kernel: KernelSource) -> str:
    """The portable assembly, in the order of the source."""
    import triton
    from triton.backends.compiler import GPUTarget

    options = {"num_warps": kernel.warps, "num_stages": kernel.stages, "enable_fp_fusion": not kernel.as_written}
    compiled = triton.compile(triton_source(kernel, HOPPER), target=GPUTarget("cuda", HOPPER.capability, 32), options=options)
    return str(compiled.asm["ptx"])


def instructions(kernel: KernelSource) -> str:
    """The machine code as text."""
    program = cuobjdump()
    assert program is not None
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(compile_here(kernel, HOPPER).code)
        file.flush()
        return subprocess.run([program, "-sass", file.name], capture_output=True, text=True, check=True).stdout
