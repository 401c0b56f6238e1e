# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Dependent launches and prefetches: what every kernel calls, and what it calls on targets that have neither."""

import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait


@triton.jit
def launch_dependents():
    """Lets the next kernel of the graph start."""
    gdc_launch_dependents()


@triton.jit
def wait_for_previous():
    """Waits until the kernel before this one has written its results."""
    gdc_wait()


@triton.jit
def nothing():
    """In place of both where launches do not depend on each other."""
    pass


@triton.jit
def prefetch(pointers, size):
    """Copies `size` bytes, a multiple of 16, from each aligned address on into the L2 cache."""
    sizes = tl.full(pointers.shape, 0, tl.int32) + size
    tl.inline_asm_elementwise(
        "cp.async.bulk.prefetch.L2.global [$1], $2; mov.u32 $0, 0;",
        "=r,l,r",
        [pointers.to(tl.int64), sizes],
        dtype=tl.int32,
        is_pure=False,
        pack=1,
    )


@triton.jit
def no_prefetch(pointers, size):
    """In place of `prefetch` before sm_90."""
    pass
