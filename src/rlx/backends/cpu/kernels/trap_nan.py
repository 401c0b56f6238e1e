"""trap_nan: checks a value that a command has just written; the first NaN or infinity stops the run."""

from __future__ import annotations

from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.types import I16, I32, I64, Type
from rlx.backends.cpu.kernels.movement.runs import shares, unit_count
from rlx.core.dim import Size, product

NOT_FINITE = 510
_KINDS: dict[str, tuple[Type, int]] = {
    "f64": (I64, 0x7FF << 52),
    "f32": (I32, 0xFF << 23),
    "f16": (I16, 0x1F << 10),
    "bf16": (I16, 0xFF << 7),
    "c64": (I32, 0xFF << 23),
    "c128": (I64, 0x7FF << 52),
}


def lower_trap(name: str, value: Tensor) -> Lowering | None:
    """A stage that reads a dense value of op `name`; None if the dtype has no NaN."""
    found = _KINDS.get(value.dtype.name)
    if found is None:
        return None
    kind, exponent = found
    count = product(value.dims) * (2 if value.dtype.is_complex else 1)
    emit = partial(_emit, kind=kind, exponent=exponent, count=count)
    return Lowering((Stage(f"trap {name}", ("trap", value), (0,), unit_count(count, kind.size), emit),))


def _emit(code: KernelCode, kind: Type, exponent: int, count: Size) -> None:
    """A number is NaN or infinite when all bits of its exponent are set."""
    k = code.code
    first, last = shares(code, count, kind.size)
    source = code.pointer(0)
    vector = k.vector(kind)
    lanes = vector.lanes
    bad = k.var(0)
    whole = first + k.maximum(last - first, 0) // lanes * lanes
    for at in k.range(first, whole, lanes):
        with k.when(k.any_lane((k.load(source, at, vector) & exponent) == exponent)):
            bad.set(1)
    for at in k.range(whole, last):
        with k.when((k.load(source, at, kind) & exponent) == exponent):
            bad.set(1)
    with k.when(bad.get() != 0):
        code.fail(NOT_FINITE)
