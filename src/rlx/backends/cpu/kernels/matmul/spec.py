"""Matrix products C[M, N] = A[M, K] B[K, N], batched, with an epilogue: what to compute.

`MatMulSpec` describes the operands. Sizes and strides are Python ints, compiled into the code, or `SizeSlot`s read
from the argument table at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.values import F32, Type, Value, type_of

_THIN_ROWS = 32
"""Up to this many rows, an unpacked B is read directly."""


@dataclass(frozen=True)
class SizeSlot:
    """A size or stride known at run time: entry `index` of the kernel's argument table."""

    index: int

    def __repr__(self) -> str:
        return f"args[{self.index}]"


Size: TypeAlias = int | SizeSlot

LISTED = SizeSlot(-1)
"""The rows of a product whose units take them from a list, in A and in C (`experts.py`): each unit finds out how many."""


@dataclass(frozen=True)
class EpiloguePlace:
    """The position in C of the vectors passed to an epilogue. Vector j covers the columns from `column + j * lanes`."""

    batch: Value
    """The flat index of the batch."""
    row: Value
    column: Value
    count: Value | None
    """The number of valid columns from `column` on; None if every lane of the vectors is valid."""

    def load(self, k: Function, base: Value, index: Value, kind: Type, vector: int = 0) -> Value:
        """Load the part for vector `vector` of an operand whose element for `column` is at `index`."""
        offset = vector * kind.lanes
        if self.count is None:
            return k.load(base, index + offset, kind)
        return k.load_masked(base, index + offset, self.count - offset, kind)

    def store(self, k: Function, value: Value, base: Value, index: Value, vector: int = 0) -> None:
        """Store an additional output of vector `vector`, whose element for `column` is at `index`."""
        offset = vector * value.type.lanes
        if self.count is None:
            k.store(value, base, index + offset)
        else:
            k.store_masked(value, base, index + offset, self.count - offset)


Epilogue: TypeAlias = Callable[[Function, list[Value], EpiloguePlace], Sequence[Value]]
"""`epilogue(k, values, place)`: from the accumulators of one row of a panel (two vectors) to what is stored, in any
float or integer type. With `pair` it gets (gate, up) and returns one vector. It may write more outputs."""


@dataclass(frozen=True)
class MatMulSpec:
    """One matrix product: sizes, types and element strides; `None` stands for the stride of a dense array."""

    m: Size
    n: Size
    k: Size
    a_type: str = "f32"
    b_type: str = "f32"
    c_type: str = "f32"
    a_row: Size | None = None
    a_inner: Size = 1
    """Strides of A between rows and along k. A transposed A has `a_row == 1` and `a_inner` its leading size."""
    b_form: Literal["panels", "rows", "columns"] = "panels"
    """The layout of B: packed panels `[ceil(N / width), K, width]`, or `[K, N]` by rows, or `[N, K]` (by columns of B)."""
    b_steps: int = 1
    """Consecutive k interleaved in a row of a panel: 2 for a bf16 B whose k is a multiple of a tile's depth."""
    b_row: Size | None = None
    """The stride between rows of `[K, N]`, or between rows of `[N, K]`. Panels have none."""
    c_row: Size | None = None
    batch: tuple[Size, ...] = ()
    a_batch: tuple[Size, ...] = ()
    b_batch: tuple[Size, ...] = ()
    c_batch: tuple[Size, ...] = ()
    """Batch sizes, outermost first, and each operand's element stride for each of them; 0 shares the operand."""
    pair: bool = False
    """Each panel holds width/2 columns of one matrix, then the same columns of another; `n` counts those of one."""
    in_order: bool = False
    """Each sum is one chain along k, from the first element to the last, whatever M; else several chains where they are faster."""
    a: int = 0
    b: int = 1
    c: int = 2
    """The argument-table entries that hold the operands' addresses."""

    def __post_init__(self) -> None:
        if self.a_type == "bool" or (self.kind.is_integer and type_of(self.b_type) != self.kind):
            raise TypeError(f"no product of {self.a_type} and {self.b_type}")
        if self.pair and self.b_form != "panels":
            raise TypeError("a paired product needs packed panels")

    @property
    def kind(self) -> Type:
        """The accumulator type: f32 for the 16-bit floats, else the type of A."""
        kind = type_of(self.a_type)
        return F32 if kind.is_low_float else kind

    @property
    def static_sizes(self) -> tuple[int, int, int] | None:
        """M, N and K, unless one is known only at run time."""
        m, n, k = self.m, self.n, self.k
        return (m, n, k) if isinstance(m, int) and isinstance(n, int) and isinstance(k, int) else None

    @property
    def copies_a(self) -> bool:
        """True if A is first copied to scratch: converted, or reordered for fast access."""
        return type_of(self.a_type) != self.kind or self.a_inner != 1 or self.m == LISTED

    @property
    def is_thin(self) -> bool:
        """True for a static number of rows so small that a row-major B is best read directly; see `thin.py`."""
        return self.b_form == "rows" and isinstance(self.m, int) and 0 < self.m <= _THIN_ROWS

    @property
    def copies_b(self) -> bool:
        """True if each unit packs the blocks of B it uses to scratch (B is not a packed weight)."""
        return self.b_form != "panels"
