"""Paged attention: rows of many sequences, each with its own keys, in one call.

Rows that follow each other in a sequence are a run. It reads its keys together, so that a page is read once for all rows.
With few rows a unit is (run, kv head, part of the keys), and parts of long sequences are joined by a second command, so that
a single row keeps several threads busy. With many rows a unit is (rows, kv head) with all their keys. Both ways give the same bits.
"""

from __future__ import annotations

from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import Value, type_of
from rlx.backends.cpu.kernels.attention.decode import COMBINED_ROWS, few_part
from rlx.backends.cpu.kernels.attention.heads import score_scale
from rlx.backends.cpu.kernels.attention.paged_reading import PagedProblem, PagedSpace, RowRun
from rlx.backends.cpu.kernels.attention.paged_tile import PagedTile
from rlx.backends.cpu.kernels.attention.pages import PageTables, row_stride
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, minimum, proves_at_most
from rlx.core.dtype import DType
from rlx.core.shape import Shape
from rlx.ir.op import Op

_FEW_ROWS = 64
"""Up to this many rows the keys of a row are divided among threads."""
_RUN_QUERIES = 48
"""Queries of a run that go through the keys together."""
_RUNS = 16
"""In how many runs of adjacent units a thread takes its share: at the end of a unit it fetches what the next one begins with."""


def _run_rows(problem: PagedProblem) -> int:
    return max(1, _RUN_QUERIES // problem.group)


def _combined_pairs(problem: PagedProblem) -> int:
    """Pairs of a row and a kv head in a unit that combines partial results."""
    return max(1, COMBINED_ROWS // problem.group)


def _tiles(problem: PagedProblem, target: Target) -> tuple[int, int]:
    """Queries of a tile: for the heads of a single row (few padded ones, few tiles), and for longer runs."""
    wide = target.vector_registers == 32
    single = min(range(1, 9 if wide else 5), key=lambda tile: (-(-problem.group // tile)) * (tile + 1))
    return single, 12 if wide else 6


class PagedRuns:
    """Emits paged attention run by run (consecutive rows of one sequence); single rows and longer runs have different tiles."""

    def __init__(self, code: KernelCode, problem: PagedProblem, parts: tuple[int, int] | None) -> None:
        self.code, self.k, self.problem, self.parts = code, code.code, problem, parts
        self.rows = index_of(code, problem.rows)
        single, several = _tiles(problem, code.target)
        group = problem.group
        self.single = PagedTile(code, problem, PagedSpace(problem, code.target, single, group), streams=True)
        spaces = PagedSpace(problem, code.target, several, _run_rows(problem) * group)
        self.several = PagedTile(code, problem, spaces, streams=False)
        self.is_fetched = code.code.var(0)  # whether the run before fetched what the next one begins with

    @staticmethod
    def scratch(problem: PagedProblem, target: Target) -> int:
        """Bytes of scratch of a unit of paged attention."""
        single, several = _tiles(problem, target)
        return max(
            PagedSpace(problem, target, single, problem.group).bytes,
            PagedSpace(problem, target, several, _run_rows(problem) * problem.group).bytes,
        )

    def continues(self, row: Value) -> Value:
        """Whether a row (not the first) is the next position of the same sequence as the row before it."""
        tables, code = self.problem.tables, self.code
        before = tables.position(code, row - 1), tables.sequence(code, row - 1)
        return (tables.position(code, row) == before[0] + 1) & (tables.sequence(code, row) == before[1])

    def end_of(self, row: Value, limit: Value) -> Value:
        """One past the last row of the run that starts at a row, at most `limit`."""
        k = self.k
        end = k.var(row + 1)
        with k.loop() as loop:
            loop.stop(end.get() >= limit)
            loop.stop(~self.continues(end.get()))
            end.set(end.get() + 1)
        return end.get()

    def run_at(self, row: Value, end: Value, kv_head: Value) -> RowRun:
        """The run of the rows [row, end) for one kv head."""
        tables = self.problem.tables
        sequence = tables.sequence(self.code, row)
        room = tables.room(self.code, sequence)
        return RowRun(row, end - row, tables.position(self.code, row), sequence, kv_head, room)

    # -- attention
    def attend_unit(self, first: Value, last: Value, kv_head: Value, low: Value, high: Value) -> None:
        """Attend to the parts [low, high) of the keys of the rows [first, last), run by run."""
        k = self.k
        row = k.var(first)
        with k.loop() as loop:
            loop.stop(row.get() >= last)
            end = self.end_of(row.get(), last)
            run = self.run_at(row.get(), end, kv_head)
            with k.when(run.count == 1):
                self.single.after = self._after(first, last, end, kv_head)
                self._attend(self.single, run, low, high)
            with k.otherwise():
                self._attend(self.several, run, low, high)
            row.set(end)

    def _after(self, first: Value, last: Value, end: Value, kv_head: Value) -> tuple[Value, Value]:
        """Sequence and kv head of the run after the one that ends at a row, whose pages are prefetched: in the unit [first,
        last), or in the next unit, which has the next kv head or, after the last of them, the next rows."""
        k = self.k
        is_last = kv_head == self.problem.kv_heads - 1
        row = k.select(end < last, end, k.select(is_last, k.minimum(last, self.rows - 1), first))
        head = k.select(end < last, kv_head, k.select(is_last, 0, kv_head + 1))
        return self.problem.tables.sequence(self.code, row), head

    def unit_of_row(self, row: Value) -> Value:
        """The end of a row's unit where keys are divided among units: of its run, or the row itself if it is not the run's first."""
        k, most = self.k, _run_rows(self.problem)
        end = k.var(k.minimum((row // most + 1) * most, self.rows))
        with k.when(row % most != 0):
            with k.when(self.continues(row)):
                end.set(row)
        with k.when(end.get() > row):
            end.set(self.end_of(row, end.get()))
        return end.get()

    def _attend(self, tile: PagedTile, run: RowRun, low: Value, high: Value) -> None:
        """Attend to the parts [low, high) of a run. Store results of queries that end there; save partial results of the others."""
        k, split = self.k, self.problem.split
        tile.begin(run)
        begin = k.maximum(tile.first_part(k.index(0)), low)
        stop = k.minimum(tile.last_part(tile.queries - 1) + 1, high)
        if tile.streams:
            tile.span = self._span(tile, begin, stop)
        with k.when(begin < stop):
            tile.load_queries()
            if tile.streams:
                with k.when(self.is_fetched.get() == 0):
                    tile.fetch_first()
            self.is_fetched.set(int(tile.streams))
        for part in k.range(begin, stop):
            tile.attend(part * split, (part + 1) * split)
            for query in k.range(tile.queries):
                first, final = tile.first_part(query), tile.last_part(query)
                with k.when((first <= part) & (part <= final)):
                    with k.when((low <= first) & (final < high)):
                        tile.join(query, *tile.part_of(query))
                    if self.parts is not None:
                        with k.otherwise():
                            self._save_part(tile, query, part)
        for query in k.range(tile.queries):
            with k.when((low <= tile.first_part(query)) & (tile.last_part(query) < high)):
                tile.write(query)

    def _span(self, tile: PagedTile, begin: Value, stop: Value) -> tuple[Value, Value]:
        """The range of page-table blocks that the parts [begin, stop) of a run read."""
        k, page, pages = self.k, self.problem.page, self.problem.split // self.problem.page
        first = k.maximum(begin * pages, tile.start_of(k.index(0)) // page)
        return first, k.minimum((tile.stop_of(tile.queries - 1) + (page - 1)) // page, stop * pages)

    # -- parts
    def _part_index(self, tile: PagedTile, query: Value, part: Value) -> Value:
        """The index of a query's partial result among the temporaries."""
        group, heads = self.problem.group, self.problem.kv_heads * self.problem.group
        head = tile.run.kv_head * group + query % group
        return ((tile.run.first + query // group) * heads + head) * index_of(self.code, self.problem.parts) + part

    def _save_part(self, tile: PagedTile, query: Value, part: Value) -> None:
        k, space = self.k, tile.space
        assert self.parts is not None
        results, stats = (self.code.pointer(index) for index in self.parts)
        maximum, total, result = tile.part_of(query)
        index = self._part_index(tile, query, part)
        for at, _ in tile.vectors():
            k.store(k.load(result, at, tile.vector), results, index * space.width + at)
        k.store(maximum, stats, index * 2)
        k.store(total, stats, index * 2 + 1)

    def combine(self, row: Value, kv_head: Value) -> None:
        """Combine the partial results of a row that has several."""
        k, tile, compute = self.k, self.single, self.problem.compute
        assert self.parts is not None
        results, stats = (self.code.pointer(index) for index in self.parts)
        tile.begin(self.run_at(row, row + 1, kv_head))
        first, final = tile.first_part(k.index(0)), tile.last_part(k.index(0))
        with k.when(first < final):
            for query in k.range(self.problem.group):
                for part in k.range(first, final + 1):
                    index = self._part_index(tile, query, part)
                    maximum, total = (k.load(stats, index * 2 + which, compute) for which in range(2))
                    tile.join(query, maximum, total, k.pointer(results, index * tile.space.width, compute))
                tile.write(query)


# -- stages -----------------------------------------------------------------------------------------------------
def _emit_attention(code: KernelCode, problem: PagedProblem, parts: tuple[int, int] | None) -> None:
    runs, k = PagedRuns(code, problem, parts), code.code
    most, all_parts = _run_rows(problem), index_of(code, problem.parts)
    divided = runs.rows <= (_FEW_ROWS if parts else -1)
    for unit in k.range(k.begin, k.end):
        kv_head, number = unit % problem.kv_heads, unit // problem.kv_heads
        first, last = k.var(number * most), k.var(k.minimum(number * most + most, runs.rows))
        low, high = k.var(k.index(0)), k.var(all_parts)
        with k.when(divided):
            first.set(number % runs.rows)
            last.set(runs.unit_of_row(first.get()))
            low.set(number // runs.rows)
            high.set(low.get() + 1)
        runs.attend_unit(first.get(), last.get(), kv_head, low.get(), high.get())


def _emit_combine(code: KernelCode, problem: PagedProblem, parts: tuple[int, int]) -> None:
    runs, k, each = PagedRuns(code, problem, parts), code.code, _combined_pairs(problem)
    for pair in k.range(k.begin * each, k.minimum(k.end * each, runs.rows * problem.kv_heads)):
        runs.combine(pair // problem.kv_heads, pair % problem.kv_heads)


def _read_problem(op: Op, inputs: tuple[Tensor | None, ...]) -> PagedProblem | str:
    """The `PagedProblem` of an op, or why it is not supported."""
    q, keys, values = inputs[:3]
    assert q is not None and keys is not None and values is not None
    present = {index: number for number, index in enumerate(i for i, tensor in enumerate(inputs) if tensor is not None)}
    if any(not tensor.is_dense for tensor in (keys, values, *inputs[6:]) if tensor is not None):
        return "pages that are not dense"
    stride = row_stride(q)
    if stride is None:
        return "the numbers of a row of q are not adjacent in memory"
    compute = type_of("f64" if q.dtype.name == "f64" else "f32")
    if compute.name == "f32" and "f64" in (keys.dtype.name, values.dtype.name):
        return "f64 pages beside narrower queries"
    kv_heads, head_dim, page = (int(size) for size in keys.dims[1:])
    return PagedProblem(
        q.dims[0],
        stride,
        kv_heads,
        op["num_heads"] // kv_heads,
        head_dim,
        score_scale(op, head_dim),
        op["softcap"],
        op["mask_kind"].window,
        PageTables.of(inputs, 3, 3, keys.dims[0], page),
        type_of(q.dtype.name),
        type_of(keys.dtype.name),
        type_of(values.dtype.name),
        compute,
        scales=(present.get(6), present.get(7)),
        result=len(present),
    )


def lower_paged_attention(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `paged_attention`: queries of any float type, pages of any float type or of i8 with scales."""
    problem = _read_problem(op, inputs)
    if isinstance(problem, str):
        return problem
    operands = (*(index for index, tensor in enumerate(inputs) if tensor is not None), len(inputs))
    scratch = PagedRuns.scratch(problem, target)
    units = ceildiv(problem.rows, _run_rows(problem)) * problem.kv_heads
    if proves_at_most(_FEW_ROWS + 1, problem.rows):
        emit = partial(_emit_attention, problem=problem, parts=None)
        return Lowering((Stage("paged_attention", problem, operands, units, emit, scratch, runs=_RUNS),))
    few: Size = few_part(problem.rows, _FEW_ROWS)
    rows = minimum(problem.rows, _FEW_ROWS) * few
    kind, width = DType.of(problem.compute.name), PagedSpace(problem, target, 1, 1).width
    dims = rows * problem.kv_heads * problem.group, problem.parts
    temporaries = tuple(Tensor.dense(Shape.make((*dims, size), kind)) for size in (width, 2))
    parts = (len(operands), len(operands) + 1)
    operands = (*operands, len(inputs) + 1, len(inputs) + 2)
    divided = rows * problem.kv_heads * problem.parts
    emit = partial(_emit_attention, problem=problem, parts=parts)
    combine = partial(_emit_combine, problem=problem, parts=parts)
    combined = ceildiv(rows * problem.kv_heads, _combined_pairs(problem))
    stages = (
        Stage("paged_attention", problem, operands, divided + (1 - few) * units, emit, scratch, runs=_RUNS, part=1),
        Stage("paged_attention_combine", problem, operands, combined, combine, scratch, part=0),
    )
    return Lowering(stages, temporaries)


LOWER: dict[str, Lower] = {"paged_attention": lower_paged_attention}
"""The ops of this file by name."""
