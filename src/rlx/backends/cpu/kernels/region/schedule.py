"""How a region runs over its space: which axis is vectorized, how many sweeps, what is saved between them, and how work is split.

A *row* is one point of the outer kept axes. Within a row every reduction that depends on an earlier one needs another
sweep over the folded axes. Two kinds of code:

    rows      the vectorized axis is folded: accumulators are registers, a row's reductions are scalars
    columns   the vectorized axis is kept: a unit has a block of columns; accumulators and reductions are short arrays
              in scratch. Without reductions this is plain elementwise code; operands that are contiguous along another
              axis are then transposed tile by tile into scratch first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from rlx.backends.cpu.kernels.region.elementwise import carried_type
from rlx.backends.cpu.kernels.region.space import Axis, Space
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim, Size, bounds, ceildiv, floordiv, maximum, round_up

TILE_ROWS = 64
_LEAST_TILE = 8  # elements along an axis
_LONGEST_SUM = 1024  # elements of a row whose floats are summed without f64 totals
UNIT_ELEMENTS = 1 << 14
_COSTLY = 12  # instructions per vector above which a value is saved rather than recomputed
_CACHED_ELEMENTS, _SHARED_ELEMENTS = 1 << 18, 1 << 20  # of a block that several sweeps visit
_NARROWEST_BLOCK, _WIDEST_BLOCK = 256, 4096  # columns; narrow blocks touch a page for few bytes
_WIDEST_CACHED = 1024  # columns of a block that several sweeps visit
_LEAST_UNITS = 8  # that such blocks leave, as far as they can
_LARGEST_KEPT = 1 << 20  # elements of a value saved between sweeps; longer ones are recomputed
_STRIDED_BLOCK = 256
_TILE_COLUMNS = 64
CHUNK_ELEMENTS = 1 << 15
_LEAST_STEPS = 128  # of a folded axis in one chunk of column code
_FEW_ROWS = 64
STREAMED_BYTES = 1 << 24  # results at least this large bypass the caches: about half of an L3 cache
_DELAYED_UNITS = 8  # factor on the rows of a unit: its last row is not overlapped with a next one


@dataclass(frozen=True)
class ScratchSlot:
    """A part of a region's scratch: its byte offset, and elements per row of columns."""

    offset: Size
    axes: tuple[int, ...]  # folded axes it spans, before the block of columns


@dataclass(frozen=True)
class Sweep:
    """One pass over the folded axes of a region: what it folds, stores and saves."""

    level: int
    reductions: tuple[int, ...]
    stores: tuple[int, ...]
    keeps: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """The schedule of a region: everything the code generators need."""

    space: Space
    vector: int
    outer: tuple[int, ...]
    loops: tuple[int, ...]
    by_rows: bool
    lanes: int
    live: frozenset[int]
    sweeps: tuple[Sweep, ...]
    kept: dict[int, ScratchSlot]
    columnar: dict[int, ScratchSlot]
    accumulators: dict[int, ScratchSlot]
    totals: dict[int, ScratchSlot]
    block: int
    rows_per_unit: Size
    chunk: int | None
    staged: dict[int, ScratchSlot] = field(default_factory=dict)
    """Operands transposed into scratch; a unit is then a tile of columns and of positions on the last outer axis."""
    scratch: Size = 0
    delayed: bool = False
    """The last sweep of a row is interleaved with the preceding sweep of the next row: a large result is written during computation."""

    @property
    def rows(self) -> Size:
        """Points of the outer kept axes."""
        return self.space.size(self.outer)

    @property
    def blocks(self) -> Size:
        """Blocks of columns of a row."""
        return 1 if self.by_rows else ceildiv(self.space.axes[self.vector].size, self.block)

    @property
    def chunk_axis(self) -> int:
        """The folded axis that chunks split: the outermost."""
        return self.space.reduced[0]

    @property
    def chunks(self) -> Size:
        """The number of chunks that a row's reductions are split into."""
        return 1 if self.chunk is None else maximum(1, ceildiv(self.space.axes[self.chunk_axis].size, self.chunk))

    @property
    def row_blocks(self) -> Size:
        """Units along the rows."""
        if self.staged:
            *others, deep = self.outer
            return self.space.size(others) * ceildiv(self.space.axes[deep].size, TILE_ROWS)
        return ceildiv(self.rows, self.rows_per_unit)

    @property
    def units(self) -> Size:
        """The unit count of a region: a function of shapes only."""
        return maximum(1, self.row_blocks * self.blocks * self.chunks)

    @property
    def levels(self) -> int:
        """The number of dependent levels of reductions."""
        return max((self.space.terms[t].level for t in self.live), default=0)

    def inner(self, term: int) -> bool:
        """Whether a term varies along a folded axis."""
        return any(self.space.axes[axis].reduced for axis in self.space.terms[term].axes)

    def on_columns(self, term: int) -> bool:
        """Whether a term of column code has one value per column and row, not a scalar of the row."""
        value = self.space.terms[term]
        return not self.by_rows and not self.inner(term) and (self.vector in value.axes or value.level > 0)


# -- decisions -------------------------------------------------------------------------------------------------------


def plan_of(space: Space, target: Target, *, complete_rows: bool = False) -> Plan:
    """Decide how a region runs over its space. `complete_rows`: never split a row's reductions into chunks."""
    if not space.axes:
        space = _with_one_point(space)
    live = _live(space)
    vector = _vector_axis(space, live, target)
    by_rows = space.axes[vector].reduced
    lanes = _lanes(space, live, vector, target)
    outer = tuple(axis for axis in space.kept if axis != vector)
    loops = tuple(axis for axis in space.reduced if axis != vector)
    plan = Plan(space, vector, outer, loops, by_rows, lanes, live, (), {}, {}, {}, {}, _WIDEST_BLOCK, 1, None)
    sweeps = _sweeps(plan)
    plan = _with_tiles(replace(plan, sweeps=sweeps))
    block = _block(plan, len(sweeps))
    row_elements = space.size(space.reduced) * (1 if by_rows else space.axes[vector].size)
    elements = UNIT_ELEMENTS if sum(space.terms[t].cost for t in live) < 30 else UNIT_ELEMENTS // 2
    per_unit = maximum(1, floordiv(elements, maximum(1, row_elements)))
    chunk = None if complete_rows else _chunk(plan, row_elements)
    plan = replace(plan, block=block, rows_per_unit=1 if chunk else per_unit, chunk=chunk)
    return _with_scratch(replace(plan, delayed=True, rows_per_unit=per_unit * _DELAYED_UNITS) if _is_delayed(plan) else plan)


def _with_one_point(space: Space) -> Space:
    """Replace a space without axes by one axis of one point."""
    terms = tuple(replace(term, strides=(0,)) for term in space.terms)
    outputs = tuple(replace(output, axes=(0,), strides=(1,)) for output in space.outputs)
    return Space((Axis(1),), terms, outputs)


def _live(space: Space) -> frozenset[int]:
    live: set[int] = set()
    waiting = [output.term for output in space.outputs]
    while waiting:
        term = waiting.pop()
        if term not in live:
            live.add(term)
            waiting.extend(space.terms[term].inputs)
    return frozenset(live)


# -- vectors ----------------------------------------------------------------------------------------------------
def _memory(space: Space, live: Iterable[int]) -> list[tuple[Size, ...]]:
    """The strides of everything the region reads or writes."""
    loads = [space.terms[t].strides for t in sorted(live) if space.terms[t].in_memory]
    return loads + [output.strides for output in space.outputs]


def _vector_axis(space: Space, live: frozenset[int], target: Target) -> int:
    """The axis along which most memory is contiguous, unless it is too short to fill a vector."""
    lanes = target.lanes("f32")

    def expense(axis: int) -> float:
        size = space.axes[axis].size
        filled = min(1.0, size / lanes) if isinstance(size, int) else 1.0
        steps = [row[axis] for row in _memory(space, live)]
        strided = sum(not isinstance(step, int) or step not in (0, 1) for step in steps)
        folding = 0.5 if space.axes[axis].reduced else 0.0  # its vectors end in a horizontal reduction
        return (1.0 + folding * (1.0 - filled) + 2.0 * strided) / max(filled, 1 / lanes)

    return min(reversed(range(len(space.axes))), key=expense)


def _lanes(space: Space, live: frozenset[int], vector: int, target: Target) -> int:
    """Elements per vector: limited by the widest type loaded or stored; intermediate 64-bit integers do not count."""
    widest = 1
    for index in live:
        term = space.terms[index]
        if vector in term.axes or term.kind == "reduce":
            size = carried_type(term.dtype).size
            widest = max(widest, min(size, 4) if term.dtype.is_integer and not term.in_memory else size)
    for output in space.outputs:
        widest = max(widest, carried_type(output.dtype).size)
    lanes = max(2, target.vector_bytes // widest)
    length = space.axes[vector].size
    if isinstance(length, int):
        lanes = min(lanes, max(2, 1 << (max(length, 1) - 1).bit_length()))
    return lanes


# -- sweeps -----------------------------------------------------------------------------------------------------
def _sweeps(plan: Plan) -> tuple[Sweep, ...]:
    """Plan one sweep per level of reductions, and one more if full-size results depend on the last level."""
    space, levels = plan.space, plan.levels
    if not space.reduced:
        return ()
    stores: dict[int, list[int]] = {}
    for index, output in enumerate(space.outputs):
        if any(space.axes[axis].reduced for axis in output.axes):
            stores.setdefault(space.terms[output.term].level, []).append(index)
    folded: dict[int, list[int]] = {}
    for index in sorted(plan.live):
        term = space.terms[index]
        if term.kind == "reduce" and term.over:
            folded.setdefault(term.level - 1, []).append(index)
    count = max([*stores, *folded], default=0) + 1
    assert count >= levels
    saved = _choose_values_to_save(plan, folded, stores, count)
    return tuple(
        Sweep(
            level,
            tuple(folded.get(level, ())),
            tuple(stores.get(level, ())),
            tuple(t for t in sorted(saved) if space.terms[t].level == level),
        )
        for level in range(count)
    )


def _choose_values_to_save(plan: Plan, folded: dict[int, list[int]], stores: dict[int, list[int]], count: int) -> set[int]:
    """Select the costly values of an earlier sweep to save for a later one, if there is room for them."""
    terms = plan.space.terms
    saved: set[int] = set()
    room = plan.space.size(plan.space.reduced) * (1 if plan.by_rows else _NARROWEST_BLOCK)
    if isinstance(room, int) and room > _LARGEST_KEPT:
        return saved
    for level in range(1, count):
        roots = [terms[t].inputs[0] for t in folded.get(level, ())]
        roots += [plan.space.outputs[o].term for o in stores.get(level, ())]
        seen: set[int] = set()
        while roots:
            term = roots.pop()
            if term in seen or not plan.inner(term):
                continue
            seen.add(term)
            if terms[term].level < level:
                if term not in saved and _recompute_cost(plan, term, saved) >= _COSTLY:
                    saved.add(term)
            else:
                roots.extend(terms[term].inputs)
    return saved


def _recompute_cost(plan: Plan, term: int, saved: set[int]) -> int:
    """Instructions to recompute a value from memory."""
    if term in saved or not plan.inner(term):
        return 1
    value = plan.space.terms[term]
    return value.cost + sum(_recompute_cost(plan, source, saved) for source in value.inputs)


def _strided_loads(plan: Plan) -> list[int]:
    """The operands that vary along the vectorized axis and are not contiguous along it."""
    terms = plan.space.terms
    loads = [index for index in sorted(plan.live) if terms[index].kind == "load" and plan.vector in terms[index].axes]
    return [index for index in loads if not terms[index].is_contiguous(plan.vector)]


def _with_tiles(plan: Plan) -> Plan:
    """Read operands through tiles that are contiguous along an outer axis, but not along the vectorized one."""
    terms, axes = plan.space.terms, plan.space.axes
    if plan.sweeps or not plan.outer:
        return plan

    strided = _strided_loads(plan)
    deep = next((axis for index in strided for axis in plan.outer if terms[index].is_contiguous(axis)), None)
    if deep is None:
        return plan
    if any(isinstance(size, int) and size < _LEAST_TILE for size in (axes[deep].size, axes[plan.vector].size)):
        return plan
    outer = (*(axis for axis in plan.outer if axis != deep), deep)
    staged = {index: ScratchSlot(0, ()) for index in strided if terms[index].is_contiguous(deep)}
    return replace(plan, outer=outer, staged=staged)


# -- work -------------------------------------------------------------------------------------------------------
def _block(plan: Plan, sweeps: int) -> int:
    """Columns of one unit, a multiple of the lanes."""
    space, lanes = plan.space, plan.lanes
    size = space.axes[plan.vector].size
    if plan.by_rows:
        return lanes
    steps = [row[plan.vector] for row in _memory(space, plan.live)]
    strided = any(not isinstance(step, int) or step not in (0, 1) for step in steps)
    if not space.reduced:
        columns = _TILE_COLUMNS if plan.staged else _STRIDED_BLOCK if strided and plan.outer else UNIT_ELEMENTS
    elif sweeps > 1:
        folded, across = space.size(space.reduced), plan.rows * size
        length = max(folded, 1) if isinstance(folded, int) else 1024
        columns = _CACHED_ELEMENTS // length  # fits a private cache, but wider if there are enough units for all threads
        if isinstance(across, int):
            columns = max(columns, min(across // _LEAST_UNITS, _SHARED_ELEMENTS // length))
        columns = min(max(columns, _NARROWEST_BLOCK), _WIDEST_CACHED)
    else:
        columns = _WIDEST_BLOCK
    if isinstance(size, int):
        columns = min(columns, -(-size // lanes) * lanes)
    return max(columns // lanes, 1) * lanes


def _chunk(plan: Plan, row_elements: Size) -> int | None:
    """Length of the chunks of the outermost folded axis if rows are few and long, else None."""
    space = plan.space
    few = isinstance(plan.rows, int) and plan.rows <= _FEW_ROWS
    if len(plan.sweeps) != 1 or not few:
        return None
    low, high = bounds(row_elements)
    longest = low if isinstance(row_elements, int) else high
    if longest is not None and longest < 4 * CHUNK_ELEMENTS:
        return None
    first, *rest = space.reduced
    beside = rest if plan.by_rows else [*rest, plan.vector]
    around = space.size(beside)
    length = CHUNK_ELEMENTS // max(around, 1) if isinstance(around, int) else 64
    if first == plan.vector:
        return max(length, 4 * plan.lanes) // plan.lanes * plan.lanes
    return max(length, 1 if plan.by_rows else _LEAST_STEPS)


def _is_delayed(plan: Plan) -> bool:
    """Whether a row's last sweep is delayed: rows of one axis, where only that sweep stores, and more than fits the caches."""
    if not plan.by_rows or plan.loops or plan.chunk is not None or not plan.outer or len(plan.sweeps) < 2:
        return False
    *others, last = plan.sweeps
    if last.reductions or last.keeps or not last.stores or any(sweep.stores for sweep in others):
        return False
    low, _ = bounds(sum((plan.space.size(output.axes) * output.dtype.size for output in plan.space.outputs), 0))
    return low >= STREAMED_BYTES


class _RegionScratch:
    """Reserves parts of a region's scratch, one after the other."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.columns = plan, 1 if plan.by_rows else plan.block
        self.bytes: Size = 0

    def reserve(self, term: int, axes: tuple[int, ...] = (), size: int = 0) -> ScratchSlot:
        """Reserve a slot for a value along some axes and the columns, of the bytes of its type or of so many each."""
        space, offset = self.plan.space, self.bytes
        each = size or carried_type(space.terms[term].dtype).size
        self.bytes = round_up(offset + space.size(axes) * self.columns * each, 64)
        return ScratchSlot(offset, axes)


def _with_scratch(plan: Plan) -> Plan:
    """Assign every saved value its part of scratch."""
    space, terms = plan.space, plan.space.terms
    scratch = _RegionScratch(plan)
    kept = {t: scratch.reserve(t, space.reduced) for sweep in plan.sweeps for t in sweep.keeps}
    scratch.bytes = scratch.bytes * (2 if plan.delayed else 1)  # for a row and the previous one
    staged = {t: scratch.reserve(t, size=TILE_ROWS * terms[t].dtype.size) for t in plan.staged}
    plan = replace(plan, kept=kept, staged=staged)
    if not plan.by_rows:
        plan = _with_columns(plan, scratch)
    return replace(plan, scratch=scratch.bytes)


def _with_columns(plan: Plan, scratch: _RegionScratch) -> Plan:
    """Reserve scratch of column code: accumulators (long float sums also in f64), and what is known once per column and row."""
    terms, folded = plan.space.terms, [t for sweep in plan.sweeps for t in sweep.reductions]
    columnar = {t: scratch.reserve(t) for t in sorted(plan.live) if _waited_for(plan, t)}
    accumulators = {t: scratch.reserve(t) for t in folded}
    length, totals = plan.space.size(plan.space.reduced), {}
    if isinstance(length, Dim) or length > _LONGEST_SUM:
        sums = [t for t in folded if terms[t].combine == "sum" and terms[t].dtype.is_float]
        totals = {t: scratch.reserve(t, size=8) for t in sums}
    return replace(plan, columnar=columnar, accumulators=accumulators, totals=totals)


def _waited_for(plan: Plan, term: int) -> bool:
    """Whether a column term that depends on reductions is stored, or read by a later sweep or level."""
    terms = plan.space.terms
    level = terms[term].level
    if not plan.on_columns(term) or level == 0:
        return False
    users = [t for t in plan.live if term in terms[t].inputs]
    stored = any(output.term == term and len(output.axes) == len(plan.space.axes) for output in plan.space.outputs)
    return stored or any(plan.inner(t) or terms[t].level > level for t in users)
