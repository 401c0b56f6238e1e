"""Streaming stores: results that are written once and do not fit the caches bypass them, which saves reading them first.

A streaming store needs an address aligned to the vector. The address of a result is known only at run time (users pass
their own arrays, rows have odd lengths), so the addresses of each line are checked before it is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from rlx.backends.cpu.emit.types import I1
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.region import schedule as region_plan
from rlx.backends.cpu.kernels.region.evaluation import RegionCode
from rlx.backends.cpu.kernels.region.memory import Scope
from rlx.core.dim import Dim, Size, bounds

_LEAST_VECTOR = 16  # bytes of the narrowest vector with a streaming store


def streams(region: RegionCode, outputs: Sequence[int]) -> Value | None:
    """At run time: whether all these results are large enough; None: never."""
    plan, space = region.plan, region.space
    if not region.code.target.is_x86 or not outputs:
        return None
    total: Size = 0
    for position in outputs:
        output = space.outputs[position]
        if plan.lanes * output.dtype.size < _LEAST_VECTOR or output.strides[plan.vector] != 1:
            return None
        total = total + space.size(output.axes) * output.dtype.size
    _, high = bounds(total)
    if high is not None and high < region_plan.STREAMED_BYTES:
        return None
    if isinstance(total, Dim):
        return region.size(total) >= region_plan.STREAMED_BYTES
    return region.k.constant(1, I1)


def aligned(region: RegionCode, outputs: Sequence[int], scope: Scope, at: Value) -> Value:
    """Whether vectors from position `at` are aligned in all these results."""
    k = region.k
    bits = k.index(0)
    for position in outputs:
        kind = region.references["output", position].kind
        address = k.address_of(k.pointer(scope.pointers["output", position], at, kind))
        bits = bits | (address & (region.plan.lanes * kind.size - 1))
    return bits == 0


def drain(region: RegionCode) -> None:
    """Make streamed results visible to other threads before the kernel returns."""
    if region.code.target.is_x86:
        region.k.intrinsic("llvm.x86.sse.sfence", None, [])
