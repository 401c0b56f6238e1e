"""What kernels are made of, as plain data: tensors as a kernel sees them, the source of a Triton function, launches and host steps.

Nothing here imports Triton: a program that comes from the disk cache runs without it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from rlx.core.dim import Size
from rlx.core.dtype import DType
from rlx.core.shape import Shape
from rlx.ir.graph import Layout
from rlx.ir.op import Op
from rlx.ir.parse_lir import Place

ALIGNMENT = 16
"""Bytes by which a pointer is aligned where its kernel may load whole vectors."""

_TYPES = {
    **{"f64": "fp64", "f32": "fp32", "f16": "fp16", "bf16": "bf16"},
    **{"f8e4m3": "u8", "f8e5m2": "u8"},
    **{"f4e2m1": "u8", "bool": "i8", "c64": "fp32", "c128": "fp64"},
}


def triton_type(dtype: DType) -> str:
    """Triton's name of the element type in memory: a bool and a float of 8 bits is a byte, a complex number two floats.

    >>> triton_type(DType.of("f32")), triton_type(DType.of("bool")), triton_type(DType.of("u16"))
    ('fp32', 'i8', 'u16')
    """
    return _TYPES.get(dtype.name, dtype.name)


@dataclass(frozen=True)
class CudaTensor:
    """An operand of a CUDA kernel: element type, dims and strides in elements.

    `offset` is what the kernel adds to the pointer: a symbolic one, since the addresses of a graph are fixed from run to run, or
    that of a part. A static offset is included in the address. `aligned`: the address is a multiple of 16 bytes.
    """

    dtype: DType
    dims: tuple[Size, ...]
    strides: tuple[Size, ...]
    offset: Size = 0
    aligned: bool = True

    @staticmethod
    def dense(shape: Shape) -> CudaTensor:
        """A CUDA tensor with row-major strides."""
        layout = Layout.dense(shape.dims)
        return CudaTensor(shape.dtype, layout.dims, layout.strides)

    @staticmethod
    def at(place: Place) -> CudaTensor:
        """The CUDA tensor at an address of the plan."""
        layout = place.layout
        known = isinstance(layout.offset, int)
        aligned = known and layout.offset * place.dtype.size % ALIGNMENT == 0
        return CudaTensor(place.dtype, layout.dims, layout.strides, 0 if known else layout.offset, aligned)

    @property
    def is_dense(self) -> bool:
        """Whether the CUDA tensor is row-major without gaps."""
        return Layout(self.dims, self.strides).is_dense

    @property
    def shape(self) -> Shape:
        """Dims and dtype of the tensor as a `Shape`."""
        return Shape.make(self.dims, self.dtype)


HAND_WRITTEN = Path(__file__).parent / "triton"
"""The folder of the functions that kernels call by name. Its files import Triton: they are imported only to compile."""


@lru_cache(maxsize=1)
def hand_written_digest() -> str:
    """A hash of the bytes of the `HAND_WRITTEN` files, which tells their versions apart."""
    files = sorted(HAND_WRITTEN.glob("*.py"))
    return hashlib.sha256(b"".join(file.name.encode() + file.read_bytes() for file in files)).hexdigest()[:16]


@dataclass(frozen=True)
class KernelSource:
    """A Triton function as text, with what compiling it needs: its pointers' types and how many warps run a block.

    Its parameters are `p0, p1, …` (pointers) and, where `sizes`, `sizes`: the numbers of this launch in the device's block of sizes.
    Where it calls functions of `HAND_WRITTEN`, `functions` is their digest. Equal sources are compiled once, whoever asks.
    """

    name: str
    text: str
    pointers: tuple[str, ...]
    aligned: tuple[bool, ...]
    sizes: bool = False
    warps: int = 4
    stages: int = 2
    as_written: bool = False
    """Products and sums are rounded one by one, as the text has them, not contracted: for arithmetic that keeps what rounding lost."""
    functions: str = ""

    @cached_property
    def key(self) -> str:
        """The cache key of the source: a hash of its content."""
        parts = (
            self.name,
            self.text,
            self.pointers,
            self.aligned,
            self.sizes,
            self.warps,
            self.stages,
            self.as_written,
            self.functions,
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the kernel's parameters, in order."""
        return (*(f"p{index}" for index in range(len(self.pointers))), *(("sizes",) if self.sizes else ()))


@dataclass(frozen=True)
class LibraryProduct:
    """A product of dense matrices `[rows, depth] · [depth, columns]`; `turned`: the right one is stored as `[columns, depth]`.

    `adds`: a matrix like the result is added before rounding. `operands` are the indices of left, right, (added,) result among
    those of the launch that it stands for.
    """

    rows: int
    columns: int
    depth: int
    dtype: str
    turned: bool
    adds: bool
    operands: tuple[int, ...]


@dataclass(frozen=True)
class EarlyKernel:
    """A kernel that reads `operands` before it waits for the previous one: used where no kernel of the graph writes them.

    Those `beside` it reads early too, but for what this launch itself writes in their memory: no other kernel may write there.
    """

    kernel: KernelSource
    operands: tuple[int, ...]
    beside: tuple[int, ...] = ()


@dataclass(frozen=True)
class Launch:
    """One launch of a kernel on operands of its op: a stage of the plan.

    `operands` are positions in inputs + outputs + temporaries; the kernel's pointer i is operand i of these, `written` says which
    it writes. `numbers` are what it reads from its part of the block of sizes. `replaces` is a pair (from, to) of indices in
    `operands`: where both are in the same memory there is nothing to do, as for the copy before an update in place.
    """

    name: str
    operands: tuple[int, ...]
    written: tuple[bool, ...]
    kernel: KernelSource
    numbers: tuple[Size, ...]
    grid: tuple[Size, ...]
    reads: tuple[int, ...] = ()
    replaces: tuple[int, int] | None = None
    early: tuple[EarlyKernel, ...] = ()
    """The same kernel with reads before it waits; of several the first that may is taken."""
    only: tuple[Size, int, int] | None = None
    """(size, least, most): it is part of the graphs of buckets whose largest sizes make this size so; else another stage does the work."""

    library: LibraryProduct | None = None
    """The same product by a library, where the driver has one."""

    units: Size = field(default=1, init=False)
    scratch: Size = field(default=0, init=False)

    @property
    def key(self) -> Hashable:
        """The key of a launch; equal launches of equal kernels share it."""
        return self.kernel.key, self.numbers, self.grid


@dataclass(frozen=True)
class HostStep:
    """A step on the host: downloads an op's operands, computes by the reference, and uploads the results, in every run."""

    name: str
    operands: tuple[int, ...]
    op: Op | None
    inputs: int
    why: str
    reads: tuple[int, ...] = ()

    units: Size = field(default=1, init=False)
    scratch: Size = field(default=0, init=False)

    @property
    def key(self) -> Hashable:
        """None: host steps are never shared."""
        return None


@dataclass(frozen=True)
class CudaLowering:
    """How one op becomes launches, with their temporaries and the (input, output) pairs that can share memory."""

    stages: tuple[Launch | HostStep, ...]
    temporaries: tuple[CudaTensor, ...] = ()
    in_place: tuple[tuple[int, int], ...] = ()


Lower = Callable[[Op, tuple[CudaTensor | None, ...], tuple[CudaTensor, ...]], CudaLowering | str]
"""A kernel family: (op, inputs, outputs) → the lowering, or the reason why not."""
