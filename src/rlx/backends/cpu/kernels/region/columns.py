"""Column code: the vectorized axis is kept. Elementwise regions, and reductions over other axes than the last.

A unit has some rows and one block of columns. With reductions, each sweep walks the folded axes and, at each of their
points, the block: a vector of the accumulators is read, several steps of the innermost folded axis are folded into it,
and it is written back, so memory is read along its rows. Between sweeps, terms that depend only on the reductions are
computed once per column.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from rlx.backends.cpu.emit.values import F64, I8, Operand, Value
from rlx.backends.cpu.kernels.region.evaluation import CACHE_LINE, Reference, RegionCode, Scope
from rlx.backends.cpu.kernels.region.schedule import TILE_ROWS, Sweep
from rlx.core.dim import Size, ceildiv

_COSTLY = 16  # instructions per vector above which prefetching pays off
_AHEAD = 2048  # bytes
_BLOCK_STEPS = 128  # of the outermost folded axis, after which float sums are added to the totals


class ColumnCode(RegionCode):
    """Emits column code: the vectorized axis is kept, a unit has a block of columns."""

    chunk: Value | None
    begin: Value
    """The first column of the current block, and how many it has."""
    width: Value

    def units(self, scope: Scope) -> None:
        """Emit the loop over units: rows and one block of columns each."""
        k, plan = self.k, self.plan
        rows, per_unit = self.size(plan.rows), self.size(plan.rows_per_unit)
        blocks, chunks = self.size(plan.blocks), self.size(plan.chunks)
        # there is always one unit, which has nothing to do in an empty space
        count = self.size(plan.row_blocks * plan.blocks * plan.chunks)
        for unit in k.range(k.begin, k.minimum(k.end, count)):
            left, self.chunk = unit, None
            if plan.chunk:
                left, self.chunk = unit.udiv(chunks), unit.urem(chunks)
            first_row = (left.udiv(blocks) if blocks.constant != 1 else left) * per_unit
            self.choose_block(left.urem(blocks) if blocks.constant != 1 else k.index(0))
            inside = self.at_block(scope)
            for row in k.range(first_row, k.minimum(first_row + per_unit, rows)):
                self.row(self.scope_at(inside, self.row_positions(row)))

    def choose_block(self, number: Value) -> None:
        k, block = self.k, self.plan.block
        size = self.space.axes[self.plan.vector].size
        self.begin = number * block
        if isinstance(size, int) and (size <= block or size % block == 0):
            self.width = k.index(min(size, block))
        else:
            self.width = k.minimum(self.size(size) - self.begin, block)

    def at_block(self, scope: Scope) -> Scope:
        """The scope at a block of columns: scratch pointers are shifted back, so that column indices are the same everywhere."""
        inside = scope.inside()
        for key, pointer in scope.pointers.items():
            if isinstance(key, tuple) and key[0] in ("kept", "column", "fold", "total"):
                inside.pointers[key] = self.k.pointer(pointer, -self.begin, self.references[key].kind)
        return inside

    def unroll(self, terms: Sequence[int]) -> int:
        """The native vectors per step as in `RegionCode`, but no wider than a block."""
        vectors = super().unroll(terms)
        while vectors > 1 and vectors * self.plan.lanes > self.plan.block:
            vectors //= 2
        return vectors

    def row(self, scope: Scope) -> None:
        """Emit one row's block of columns: its sweeps, and after each the terms that depend on the reductions."""
        self.emit_scalars(scope, self.row_terms(0))
        if not self.plan.sweeps:
            self.finish(0, scope)
        for sweep in self.plan.sweeps:
            for index in sweep.reductions:
                self._reset(index, scope, ("fold", "total") if index in self.plan.totals else ("fold",))
            self.walk(sweep, self.plan.loops, scope)
            if self.partials:
                self._store_partials(sweep, scope)
                return
            if sweep.reductions:
                self.finish(sweep.level + 1, scope)

    # -- accumulators
    def _vectors(self) -> Generator[Value]:
        """The positions of native vectors over the block; scratch has room for a last partial one."""
        self.lanes = self.plan.lanes
        yield from self.k.range(self.begin, self.begin + self.width, self.lanes)

    def _reset(self, index: int, scope: Scope, names: Sequence[str]) -> None:
        """Reset the accumulators to the identity."""
        for at in self._vectors():
            for name in names:
                kind = self.references[name, index].kind
                start = self.k.constant(self.identity(self.terms[index]), kind.vector(self.lanes))
                self.write(start, (name, index), scope, at, None)

    def _flush(self, sweep: Sweep, scope: Scope) -> None:
        """Add the accumulators of float sums to their f64 totals, and reset them."""
        for index in sweep.reductions:
            if index in self.plan.totals:
                for at in self._vectors():
                    total, part = (self.read((name, index), scope, at, None) for name in ("total", "fold"))
                    self.write(total + self.k.convert(part, F64), ("total", index), scope, at, None)
                self._reset(index, scope, ("fold",))

    def _folded_value(self, index: int, scope: Scope, at: Value) -> Value:
        """A folded value, in its accumulator type."""
        name = "total" if index in self.plan.totals else "fold"
        return self.k.convert(self.read((name, index), scope, at, None), self.references["fold", index].kind)

    def _store_partials(self, sweep: Sweep, scope: Scope) -> None:
        """Store the chunk's folded values, for the second stage to combine."""
        assert self.chunk is not None
        columns = self.size(self.space.axes[self.plan.vector].size)
        inside = scope.inside()
        for index in sweep.reductions:
            key = "partial", index
            offset = self.chunk * columns
            inside.pointers[key] = self.k.pointer(scope.pointers[key], offset, self.references[key].kind)
        for at, count in self.vector_loop(self.begin, self.width, 1):
            for index in sweep.reductions:
                self.write(self._folded_value(index, scope, at), ("partial", index), inside, at, count)

    # -- sweeps
    def _flushed_axis(self) -> int | None:
        """The longest folded axis: sums are flushed after some hundred of its steps."""
        if not self.plan.totals:
            return None

        def length(axis: int) -> float:
            size = self.space.axes[axis].size
            return float(size) if isinstance(size, int) else float("inf")

        return max(self.plan.loops, key=lambda axis: (length(axis), axis))

    def walk(self, sweep: Sweep, loops: Sequence[int], scope: Scope) -> None:
        """Emit the loops over folded axes, and at each point the block of columns."""
        k = self.k
        axis, *rest = loops
        first, last = self.extent(axis, self.chunk)
        terms = self.cone(self.roots(sweep), sweep.level)
        group = 1 if rest else self._steps(terms, sweep)
        if axis != self._flushed_axis() or not sweep.reductions:
            self._along(sweep, terms, loops, scope, (first, last - first, group))
            return
        stretch = _BLOCK_STEPS * group
        size = self.space.axes[axis].size
        even = isinstance(size, int) and size % stretch == 0 and self.chunk is None
        for start in k.range(first, last, stretch):
            count = k.index(stretch) if even else k.minimum(last - start, stretch)
            self._along(sweep, terms, loops, scope, (start, count, group))
            self._flush(sweep, scope)

    def _steps(self, terms: Sequence[int], sweep: Sweep) -> int:
        """The steps of the innermost folded axis per load and store of the accumulators."""
        if not sweep.reductions:
            return 1
        cost = sum(self.terms[index].cost for index in terms)
        return 4 if cost <= 8 else 2 if cost <= 24 else 1

    def _along(
        self, sweep: Sweep, terms: Sequence[int], loops: Sequence[int], scope: Scope, steps: tuple[Value, Value, int]
    ) -> None:
        """Visit some steps (first, count) along one folded axis: in groups, then one by one."""
        k = self.k
        axis, *rest = loops
        first, count, group = steps
        grouped = count // group * group
        for position in k.range(first, first + grouped, group):
            scopes = [self._step_scope(terms, axis, scope, position + step) for step in range(group)]
            if rest:
                self.walk(sweep, rest, scopes[0])
            else:
                self.block(sweep, terms, scopes)
        if group > 1 and (count.constant is None or count.constant % group):
            for position in k.range(first + grouped, first + count):
                self.block(sweep, terms, [self._step_scope(terms, axis, scope, position)])

    def _step_scope(self, terms: Sequence[int], axis: int, scope: Scope, position: Value) -> Scope:
        inside = self.scope_at(scope, {axis: position})
        self.emit_scalars(inside, self.loop_terms(axis, terms))
        return inside

    def block(self, sweep: Sweep, terms: Sequence[int], scopes: Sequence[Scope]) -> None:
        """Emit the columns at one or several points of the folded axes."""
        streamed = self.streamed[sweep.level]
        if streamed is not None:
            for scope in scopes:
                streamed = streamed & self.on_vector_boundary(sweep.stores, scope, self.begin)
        unroll = max(self.unroll(terms) // len(scopes), 1)
        spread = [self.spread(scope, terms, self.roots(sweep), unroll) for scope in scopes]
        for at, count in self.vector_loop(self.begin, self.width, unroll):
            points = [self.point(terms, sweep.level, by_width[self.lanes], at, count) for by_width in spread]
            for point in points:
                for index in sweep.keeps:
                    self.write(point.values[index], ("kept", index), point, at, None)
                for number in sweep.stores:
                    value = point.values[self.space.outputs[number].term]
                    self.write(value, ("output", number), point, at, count, streamed)
            for index in sweep.reductions:
                self._fold_in(index, points, at)

    def _fold_in(self, index: int, points: Sequence[Scope], at: Value) -> None:
        """Fold the values of several steps into the accumulators, adjacent ones first."""
        term = self.terms[index]
        values = [self.folded_value(term, point) for point in points]
        values = [value if value.type.lanes else self.k.splat(value, self.lanes) for value in values]
        while len(values) > 1:
            values = [self.fold(term, values[i], values[i + 1]) for i in range(0, len(values), 2)]
        key = "fold", index
        self.write(self.fold(term, self.read(key, points[0], at, None), values[0]), key, points[0], at, None)

    # -- once per column
    def finish(self, level: int, scope: Scope) -> None:
        """Compute terms that depend on the reductions up to `level`: results that span the columns, and values later sweeps read."""
        saved = [index for index in self.plan.columnar if self.terms[index].level == level]
        stores = self._outputs_known_at(level)
        self.finishing = level
        roots = [*saved, *(self.space.outputs[position].term for position in stores)]
        terms = self.cone(roots, level)
        unroll = self.unroll(terms)
        spread = self.spread(scope, terms, roots, unroll)
        streamed = self.streamed[-1] if level == 0 else None
        if streamed is not None:
            streamed = streamed & self.on_vector_boundary(stores, scope, self.begin)
        costly = sum(self.terms[index].cost for index in terms) >= _COSTLY
        for at, count in self.vector_loop(self.begin, self.width, unroll):
            if streamed is not None and costly and count is None:
                with self.k.when(streamed):
                    self.prefetch_ahead(terms, spread[self.lanes], at)
            point = self.point(terms, level, spread[self.lanes], at, count)
            for index in saved:
                self.write(point.values[index], ("column", index), point, at, None)
            for position in stores:
                value = point.values[self.space.outputs[position].term]
                self.write(value, ("output", position), point, at, count, streamed)
        self.finishing = None

    def _outputs_known_at(self, level: int) -> list[int]:
        """The results that span the columns and can be computed once the reductions up to `level` are known, but no earlier."""
        return [
            position
            for position, output in enumerate(self.space.outputs)
            if not any(self.space.axes[axis].reduced for axis in output.axes)
            and max(self.terms[output.term].level, min(level, 1)) == level
        ]

    def prefetch_ahead(self, terms: Sequence[int], scope: Scope, at: Value) -> None:
        """Prefetch the operands ahead: with costly terms, the hardware prefetcher does not run far enough ahead."""
        for index in terms:
            if self.terms[index].kind == "load" and self.terms[index].is_contiguous(self.plan.vector):
                size = self.references[index].kind.size
                for line in range(0, self.lanes * size, CACHE_LINE):
                    self.k.prefetch(scope.pointers[index], at * size + (_AHEAD + line))

    def evaluate(self, index: int, scope: Scope, at: Value | None, count: Operand | None) -> Value:
        """Evaluate a term as `RegionCode` does; a reduction that has just been folded is loaded from its accumulators."""
        if self.is_finished(index):
            assert at is not None
            return self.result(self.terms[index], self._folded_value(index, scope, at))
        return super().evaluate(index, scope, at, count)


# -- elementwise code with operands that are contiguous along another axis: transposed views --------------------------
#
# A unit is a tile: some columns, some positions of the axis those operands are contiguous along. Each operand is first
# copied into scratch in square blocks that are transposed in registers, so that all accesses are vectors, and then
# the rows of the tile are ordinary column code.


class TileCode(ColumnCode):
    """Emits tiled column code: operands that are contiguous along another axis are transposed tile by tile."""

    def units(self, scope: Scope) -> None:
        """Emit the loop over units: one tile each."""
        k, plan = self.k, self.plan
        *others, deep = plan.outer
        self._refer_to_tiles(scope, deep)
        depth = self.size(self.space.axes[deep].size)
        blocks, tiles = self.size(plan.blocks), self.size(ceildiv(self.space.axes[deep].size, TILE_ROWS))
        count = self.size(plan.row_blocks * plan.blocks)
        for unit in k.range(k.begin, k.minimum(k.end, count)):
            left = unit.udiv(blocks)
            self.choose_block(unit.urem(blocks))
            first = left.urem(tiles) * TILE_ROWS
            inside = self.scope_at(scope, self.row_positions(left.udiv(tiles), others))
            last = k.minimum(first + TILE_ROWS, depth)
            for index in plan.staged:
                self._fetch(index, inside, deep, first, last)
                offset = first * plan.block + self.begin  # so that row and column indices are the same everywhere
                kind = self.references[index].kind
                inside.pointers[index] = k.pointer(scope.pointers["tile", index], -offset, kind)
            for row in k.range(first, last):
                self.row(self.scope_at(inside, {deep: row}))

    def _refer_to_tiles(self, scope: Scope, deep: int) -> None:
        """Refer staged operands to their tile; their source has its own reference."""
        for index, slot in self.plan.staged.items():
            strides: list[Size] = [0] * len(self.space.axes)
            strides[deep], strides[self.plan.vector] = self.plan.block, 1
            source = self.references[index]
            self.references["source", index] = source
            self.references[index] = Reference(source.kind, tuple(strides))
            scope.pointers["source", index] = scope.pointers[index]
            scope.pointers["tile", index] = self.k.pointer(self.k.scratch, self.size(slot.offset), I8)

    def _fetch(self, index: int, scope: Scope, deep: int, first: Value, last: Value) -> None:
        """Copy a tile of one operand into scratch: square blocks in registers, the edges one by one."""
        k, reference = self.k, self.references["source", index]
        kind = I8 if reference.kind.bits == 1 else reference.kind
        source, tile = scope.pointers["source", index], scope.pointers["tile", index]
        step = self.size(reference.strides[self.plan.vector])
        block = min(self.code.target.vector_bytes, 32 if kind.size >= 4 else 16) // kind.size
        vector = kind.vector(block)
        end = self.begin + self.width
        last_row, last_column = first + (last - first) // block * block, self.begin + self.width // block * block  # of full blocks

        def offset(row: Operand, column: Operand) -> Value:
            return (row - first) * self.plan.block + (column - self.begin)

        for column in k.range(self.begin, last_column, block):
            for row in k.range(first, last_row, block):
                lines = [k.load(source, (column + line) * step + row, vector) for line in range(block)]
                for line, value in enumerate(k.transpose(lines)):
                    k.store(value, tile, offset(row + line, column))
        for rows, columns in (((first, last_row), (last_column, end)), ((last_row, last), (self.begin, end))):
            for row in k.range(*rows):
                for column in k.range(*columns):
                    k.store(k.load(source, column * step + row, kind), tile, offset(row, column))
