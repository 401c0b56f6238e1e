"""The scratch memory of a unit of attention's gradient: its layout, packing keys and values into it, writing sums from it."""

from __future__ import annotations

from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.attention.heads import AttentionProblem, HeadCode
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv

_ROWS = 48  # query rows of a block


class BackwardLayout:
    """How a unit's scratch memory is laid out, in elements of the compute type; the number of keys may be a symbol."""

    def __init__(self, problem: AttentionProblem, target: Target) -> None:
        lanes = target.lanes(problem.compute)
        self.tile = 6 if target.vector_registers == 16 else 12
        self.panel = 2 * lanes
        self.rows = _ROWS
        self.width = -(-problem.head_dim // self.panel) * self.panel
        self.keys = ceildiv(problem.keys, self.panel) * self.panel
        # row stride of scores: room for a tile of keys past the last, and not a power of two, so that rows do not share cache sets
        self.line = self.keys + -(-self.tile // self.panel) * self.panel
        self.stat = -(-self.tile // lanes) * lanes
        self.elements: Size = 0
        self.queries, self.seeds = (self._reserve(self.rows * self.width) for _ in range(2))
        self.maxima, self.inverses, self.means = (self._reserve(self.stat) for _ in range(3))
        self.result = self._reserve(self.tile * self.width)
        self.scores, self.changes = (self._reserve(self.line * self.rows) for _ in range(2))
        self.slopes = self._reserve(self.line * self.tile if problem.softcap else 0)
        self.visible = self._reserve(self.line if problem.mask == "custom" else 0)
        self.key_columns, self.value_columns = (self._reserve(self.keys * problem.head_dim) for _ in range(2))
        self.key_rows = self._reserve(self.keys * self.width)
        self.key_sums, self.value_sums = (self._reserve((self.keys + self.tile) * self.width) for _ in range(2))

    def _reserve(self, elements: Size) -> Size:
        """Reserve `elements` elements, in whole cache lines; returns the offset."""
        start = self.elements
        self.elements = start + ceildiv(elements, 16) * 16
        return start


class BackwardScratch(HeadCode):
    """What a unit keeps: packed keys and values, scores and changes of a block of rows, sums of dk and dv."""

    low: Value
    count: Value

    def __init__(self, code: KernelCode, problem: AttentionProblem, space: BackwardLayout) -> None:
        super().__init__(code, problem)
        self.space, self.tile, self.panel = space, space.tile, space.panel
        self.line = self.k.index(code.size(space.line))
        self.all_keys = self.k.index(code.size(problem.keys))

    def part(self, start: Size, offset: Value | int = 0) -> Value:
        """The address of a part of scratch, plus an offset in elements."""
        return self.k.pointer(self.k.scratch, self.k.index(self.code.size(start)) + offset, self.problem.compute)

    def visible(self) -> Value:
        """The validity of the unit's keys."""
        return self.part(self.space.visible)

    def round_up(self, value: Value) -> Value:
        """To whole panels."""
        return (value + (self.panel - 1)) // self.panel * self.panel

    def pack_columns(self, name: str, where: Size) -> None:
        """[keys, D] → [keys / panel, D, panel]; keys past the last one repeat it, hidden ones are zeros."""
        k, lanes, panel, head_dim = self.k, self.lanes, self.panel, self.problem.head_dim
        last = self.count - 1
        for column in k.range(0, self.round_up(self.count), lanes):
            places = [k.minimum(column + lane, last) for lane in range(lanes)]
            rows = [self.at(name, self.low + place, self.kv_head) for place in places]
            target = self.part(where, column // panel * (panel * head_dim) + column % panel)
            for at, count in ((at, lanes) for at in k.range(0, head_dim // lanes * lanes, lanes)):
                self._transpose(name, rows, places, at, count, target)
            if head_dim % lanes:
                self._transpose(name, rows, places, k.index(head_dim // lanes * lanes), head_dim % lanes, target)

    def _transpose(self, name: str, rows: list[Value], places: list[Value], at: Value, count: int, target: Value) -> None:
        loaded = [self.hide(self.load_wide(name, row, at, count), place) for row, place in zip(rows, places, strict=True)]
        for i, column in enumerate(self.k.transpose(loaded)[:count]):
            self.k.store(column, target, (at + i) * self.panel)

    def pack_rows(self) -> None:
        """K as [D / panel, keys, panel], zeros past D and for hidden keys."""
        k, panel, keys = self.k, self.panel, self.code.size(self.space.keys)
        for place in k.range(self.count):
            source, target = self.at("k", self.low + place, self.kv_head), self.part(self.space.key_rows, place * panel)
            for at in range(0, self.space.width, self.lanes):
                there = min(self.lanes, self.problem.head_dim - at)
                value = self.hide(self.load_wide("k", source, at, there), place) if there > 0 else k.constant(0, self.vector)
                k.store(value, target, k.index(keys) * (at // panel * panel) + at % panel)

    def write_keys(self, name: str, sums: Size, factor: float) -> None:
        """The sums of the unit's keys into a result, zeros for all others."""
        k, zero = self.k, self.k.constant(0, self.vector)
        stop = self.low + self.count
        for key in k.range(self.all_keys):
            target = self.at(name, key, self.kv_head)
            with k.when((key >= self.low) & (key < stop)):
                source = self.part(sums, (key - self.low) * self.space.width)
                for at, count in self.heads:
                    self.store_row(name, k.load(source, at, self.vector) * factor, target, at, count)
            with k.otherwise():
                for at, count in self.heads:
                    self.store_row(name, zero, target, at, count)
