"""Matrix products C[M, N] = A[M, K] B[K, N], batched, with an epilogue: what to compute and how it is split into units.

`MatMulSpec` describes the operands. Sizes and strides are Python ints, compiled into the code, or `SizeSlot`s read
from the argument table at run time. One kernel serves every M: few rows stream B once, many are blocked for the caches.

A unit is one block of rows x columns of one batch, with its whole sum over K: the assignment of units to threads cannot
change a bit. `kernel.py` emits the kernel, `loops.py` the loops of a unit, `thin.py` those of few rows times an unpacked B,
`tile.py` the innermost ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rlx.backends.cpu.emit.builder import F32, Function, Target, Type, Value, type_of

__all__ = [
    "LISTED",
    "Blocking",
    "Epilogue",
    "EpiloguePlace",
    "MatMulSpec",
    "ScratchLayout",
    "Size",
    "SizeSlot",
    "blocking",
    "multiplies_pairs",
    "panel_width",
    "reads_a_in_place",
    "runs_per_thread",
    "scratch_bytes",
    "side_by_side",
    "tile_elements",
    "units",
    "wants_packing",
]

_THIN_ROWS = 32
"""Up to this many rows, an unpacked B is read directly."""

_THIN_SUMS = 16 << 10
"""Bytes of accumulators that stay in L1 while a thin product reads B."""

_MANY_UNITS = 64
"""Units of a product that copies nothing, so that many threads get nearly equal shares."""

_LEAST_UNITS = 32
"""Units of a product whose units copy rows of A."""

_ROWS_STREAMED = 8
"""Rows whose arithmetic takes as long as reading B from memory."""

PAIRED_ROWS = 16
"""From so many rows on, products of bf16 multiply pairs along k, with the instructions that do so."""

_PAIRED_BLOCK = {False: 240, True: 256}
"""Rows of their blocks, by vectors and by tiles: a multiple of the rows of two tiles, which hide each other's latency."""

PAIRED_DEPTH = 384
"""Their K block size: a multiple of a tile's."""

PAIRED_STEP = 32
"""Steps of k of a tile: 64 bytes."""

_PAIRED_UNITS = 128
"""Their units where A is read in place: a unit then shares nothing but its panel, and many threads get equal shares of many units."""

_CROWDED = {False: 4096, True: 8192}
"""Rows of A a multiple of so many bytes apart are copied: by vectors, since they share their sets of the first cache, and by tiles, which
read a line of each row but once, of the second."""

_PAD = 16
"""Padding between the rows of a copy of A: keeps rows of a power of two from mapping to the same cache sets."""


@dataclass(frozen=True)
class SizeSlot:
    """A size or stride known at run time: entry `index` of the kernel's argument table."""

    index: int

    def __repr__(self) -> str:
        return f"args[{self.index}]"


Size: TypeAlias = int | SizeSlot

LISTED = SizeSlot(-1)
"""The rows of a product whose units take them from a list, in A and in C (`experts/product.py`): each unit finds out how many."""


@dataclass(frozen=True)
class EpiloguePlace:
    """Where the vectors handed to an epilogue belong in C. Vector j covers the columns from `column + j * lanes`."""

    batch: Value
    """The flat index of the batch."""
    row: Value
    column: Value
    count: Value | None
    """How many columns from `column` exist; None if all the vectors' lanes do."""

    def load(self, k: Function, base: Value, index: Value, kind: Type, vector: int = 0) -> Value:
        """Read what belongs to vector `vector` of an operand whose element for `column` is at `index`."""
        offset = vector * kind.lanes
        if self.count is None:
            return k.load(base, index + offset, kind)
        return k.load_masked(base, index + offset, self.count - offset, kind)

    def store(self, k: Function, value: Value, base: Value, index: Value, vector: int = 0) -> None:
        """Write an additional output of vector `vector`, whose element for `column` is at `index`."""
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
    """One product. Element strides; `None` stands for the stride of a dense array."""

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
    """Steps of k that lie side by side in panels: 2 for a bf16 B whose k is a multiple of a tile's."""
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


@dataclass(frozen=True)
class Blocking:
    """The blocking of a product: tile, panel and block sizes. Functions of the spec and the target only."""

    width: int
    """Columns of a panel: two vectors."""
    columns: int
    """Columns of C per panel: `width`, or half of it for pairs."""
    tile_rows: int
    variants: tuple[int, ...]
    """Row counts of the remainder tiles that are emitted, ascending; other counts use the next larger one and repeat the last row."""
    block_rows: int
    block_panels: int
    few_panels: int
    """Panels per unit if all rows fit one block: smaller units, so that every thread gets several."""
    depth: int
    """K block size: between blocks, partial sums are in scratch."""


def panel_width(target: Target, dtype: str = "f32") -> int:
    """Columns of a panel of B for products accumulating in the type `dtype` accumulates in."""
    kind = type_of(dtype)
    return 2 * target.lanes(F32 if kind.is_low_float else kind)


def side_by_side(dtype: str, k: object, target: Target) -> int:
    """How many steps of k lie side by side in panels of a B: two where products of pairs read them."""
    pairs = dtype == "bf16" and target.vector_bytes == 64 and target.has_bf16_products(16)
    return 2 if pairs and isinstance(k, int) and k > 0 and k % PAIRED_STEP == 0 else 1


def multiplies_pairs(spec: MatMulSpec, target: Target) -> bool:
    """Whether a product of bf16 uses `vdpbf16ps` or tiles. They round in an order of their own, so not if sums must be in order."""
    few = isinstance(spec.m, int) and spec.m < PAIRED_ROWS
    if (spec.a_type, spec.b_type) != ("bf16", "bf16") or spec.in_order or spec.is_thin or few or spec.m == LISTED:
        return False
    return target.vector_bytes == 64 and target.has_bf16_products(16)


def reads_a_in_place(spec: MatMulSpec, target: Target) -> bool:
    """Whether a product of pairs reads A where it is: whole steps along k, in rows that do not crowd a cache."""
    row = spec.a_row if spec.a_row is not None else spec.k
    if spec.a_inner != 1 or not isinstance(spec.k, int) or spec.k % PAIRED_STEP or not isinstance(row, int):
        return False
    return row * 2 % _CROWDED[target.has_tiles("bf16")] != 0


def blocking(spec: MatMulSpec, target: Target) -> Blocking:
    """Choose the sizes. Measured on AVX2 with 32 KB, 512 KB and 32 MB of cache; see `bench`."""
    width = panel_width(target, spec.a_type)
    columns = width // 2 if spec.pair else width
    # Without fused multiply-add, products need extra registers.
    tile_rows = 12 if target.vector_registers == 32 else 6 if target.has("fma") else 4
    variants = tuple(range(1, tile_rows + 1))
    if isinstance(spec.m, SizeSlot):
        variants = tuple(rows for rows in (1, 4, 8) if rows < tile_rows)
    lanes_scale = 16 * 4 / (width * spec.kind.size)  # bytes of a panel's row on AVX2, relative to this target
    depth = int(target.k_block * lanes_scale) // 64 * 64
    panels = -(-spec.n // columns) if isinstance(spec.n, int) else 64
    least = 2
    if isinstance(spec.k, int) and spec.k:  # about 2 µs of streaming, or of arithmetic
        rows = spec.m if isinstance(spec.m, int) else 1
        least = min(8, -(-512 // (spec.k * max(1, rows // _ROWS_STREAMED))))
    few = max(least, min(16, -(-panels // 16)) if spec.copies_b else 4)  # 4: see `loops.Product._panels_of_one_row`
    if spec.is_thin:
        assert isinstance(spec.m, int)
        room = _THIN_SUMS // (spec.m * width * spec.kind.size)
        return Blocking(width, columns, tile_rows, variants, spec.m, max(few, room), few, _thin_depth(spec))
    block_rows = (144 if spec.copies_a else 240) if spec.copies_b else 72
    if multiplies_pairs(spec, target):
        block_rows = _PAIRED_BLOCK[target.has_tiles("bf16")]
        if reads_a_in_place(spec, target) and isinstance(spec.m, int):
            blocks = -(-spec.m // block_rows)
            many = min(16, -(-panels * blocks // _PAIRED_UNITS))
            return Blocking(width, columns, tile_rows, variants, block_rows, many, min(many, few), max(64, depth))
    least = 8  # blocks of columns
    if spec.copies_a and isinstance(spec.m, int):  # every unit copies its rows: the fewer columns, the more often
        least = -(-_LEAST_UNITS // max(1, -(-spec.m // block_rows)))
    many = max(few, 4, min(8 if spec.copies_b and not spec.copies_a else 16, -(-panels // least)))
    if isinstance(spec.m, int) and spec.m > block_rows and not spec.copies_a and not spec.copies_b:
        many = min(many, max(2, -(-panels * -(-spec.m // block_rows) // _MANY_UNITS)))
    if (
        spec.m == LISTED
    ):  # every unit copies its rows, and one that packs B reads along rows of B: the more columns, the better
        many = 24 if spec.copies_b else max(8, many)
    return Blocking(width, columns, tile_rows, variants, block_rows, many, few, max(64, depth))


def _thin_depth(spec: MatMulSpec) -> int:
    """Rows of B that a thin product processes at a time along all columns: many, so that accumulators are rarely reloaded; fewer if they
    are a multiple of 2 KB apart and map to the same cache sets; and for one row of A as many as there are registers."""
    if spec.m == 1:
        return 8
    row = spec.b_row if spec.b_row is not None else spec.n
    crowded = isinstance(row, int) and row * type_of(spec.b_type).size % 2048 == 0
    return 16 if crowded else 32


def units(spec: MatMulSpec, target: Target, *, m: Any = None, n: Any = None, batch: Any = None) -> Any:
    """How many units the product has. Sizes that are `SizeSlot`s in the spec must be passed, as ints or symbolic dims
    (anything with + - * //); `batch` is the product of the batch sizes."""
    plan = blocking(spec, target)
    rows = _known(spec.m, m, "m")
    panels = _ceil_divide(_known(spec.n, n, "n"), plan.columns)
    few, many = _ceil_divide(panels, plan.few_panels), _ceil_divide(panels, plan.block_panels)
    one_block = 1 // (1 + rows // (plan.block_rows + 1))  # 1 if the rows fit one block, else 0
    batches: Any = 1
    if batch is not None:
        batches = batch
    else:
        for size in spec.batch:
            batches = batches * _known(size, None, "batch")
    return _ceil_divide(rows, plan.block_rows) * (many + one_block * (few - many)) * batches


def runs_per_thread(spec: MatMulSpec) -> int:
    """Thin products use long runs of columns: the longest for one row, which is memory-bound; 0 for all others, see `Stage.runs`."""
    return 0 if not spec.is_thin else 1 if spec.m == 1 else 2


def wants_packing(spec: MatMulSpec, target: Target) -> bool:
    """True if packing a B that is not a weight with a separate command pays off. Otherwise each unit
    packs what it needs; with several blocks of rows that is repeated for each of them."""
    return spec.copies_b and isinstance(spec.m, int) and spec.m > blocking(spec, target).block_rows


def _known(size: Size, given: Any, name: str) -> Any:
    if given is not None:
        return given
    if isinstance(size, SizeSlot):
        raise TypeError(f"{name} is known only at run time: give it")
    return size


def _ceil_divide(a: Any, b: int) -> Any:
    return (a + (b - 1)) // b


def tile_elements(plan: Blocking, target: Target, kind: Type) -> int:
    """Elements of a copy of one tile of a transposed A, with room for a vector past its end."""
    return plan.tile_rows * plan.depth + target.lanes(kind)


@dataclass(frozen=True)
class ScratchLayout:
    """Byte offsets in a thread's scratch: sums of the block, copy of A, panels of B."""

    a: int
    a_row: int
    b: int
    total: int

    @staticmethod
    def of(spec: MatMulSpec, plan: Blocking, target: Target) -> ScratchLayout:
        """The sums come first, as [panel][row][width]."""
        size = spec.kind.size
        sums = plan.block_panels * plan.block_rows * plan.width * size
        a_row = (plan.block_rows if spec.a_row == 1 else plan.depth) + _PAD
        a_rows = plan.depth if spec.a_row == 1 else plan.block_rows
        tiles = -(-plan.block_rows // plan.tile_rows) * tile_elements(plan, target, spec.kind) if spec.a_row == 1 else 0
        a_bytes = max(a_row * a_rows, tiles) * size + target.vector_bytes if spec.copies_a else 0
        b_panels = 2 if spec.is_thin else plan.block_panels
        b_bytes = b_panels * plan.depth * plan.width * size if spec.copies_b else 0
        a = -(-sums // 64) * 64
        b = a + -(-a_bytes // 64) * 64
        return ScratchLayout(a, a_row, b, b + b_bytes)

    @staticmethod
    def paired(plan: Blocking) -> ScratchLayout:
        """The same for a product of pairs: a copy of A if its rows cannot be read in place, and one panel of B."""
        a = plan.block_panels * plan.block_rows * plan.width * 4
        b = a + plan.block_rows * PAIRED_DEPTH * 2
        return ScratchLayout(a, PAIRED_DEPTH, b, b + PAIRED_DEPTH * plan.width * 2)


def scratch_bytes(spec: MatMulSpec, target: Target) -> int:
    """Bytes of scratch each thread needs."""
    plan = blocking(spec, target)
    total = ScratchLayout.of(spec, plan, target).total
    return max(total, ScratchLayout.paired(plan).total) if multiplies_pairs(spec, target) else total
