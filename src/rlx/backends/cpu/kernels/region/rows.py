"""Row code: the vectorized axis is folded. Softmax, norms and reductions over the last axes.

For each row, for each sweep: vectors of the row are read, computed, folded into registers, stored. Every reduction has
one accumulator per unrolled vector; they are combined in a fixed order, so a row's result depends on its length only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rlx.backends.cpu.emit.values import F64, I8, I16, I32, I64, Operand, Type, Value, Variable
from rlx.backends.cpu.kernels.region.elementwise import carried_type
from rlx.backends.cpu.kernels.region.evaluation import CACHE_LINE, RegionCode, Scope
from rlx.backends.cpu.kernels.region.schedule import Sweep
from rlx.backends.cpu.kernels.region.space import Term

_BLOCK_VECTORS = 128  # long float sums are restarted after this many additions to one accumulator
_LONG_SUM = 1 << 13


Widths = dict[int, Variable]  # accumulators by the number of their lanes


@dataclass(frozen=True)
class RowPass:
    """One sweep of row code while it is emitted: the terms evaluated, native vectors per step, whether results are streamed.

    Another pass, of another row, may be interleaved; its scopes are by vector width.
    """

    sweep: Sweep
    terms: tuple[int, ...]
    unroll: int
    streamed: Value | None
    scopes: Mapping[int, Scope] = field(default_factory=dict)
    along: RowPass | None = None


class RowCode(RegionCode):
    """Emits row code: the vectorized axis is folded, a row's reductions are scalars."""

    def units(self, scope: Scope) -> None:
        """Emit the loop over units: some rows each, or one chunk of a row."""
        k, plan = self.k, self.plan
        rows, per_unit, chunks = self.size(plan.rows), self.size(plan.rows_per_unit), self.size(plan.chunks)
        for unit in k.range(k.begin, k.end):
            chunk = unit.urem(chunks) if plan.chunk else None
            first = (unit.udiv(chunks) if plan.chunk else unit) * per_unit
            last = k.minimum(first + per_unit, rows)
            if plan.delayed:
                self.delayed_rows(scope, first, last)
                continue
            for row in k.range(first, last):
                self.row(self.scope_at(scope, self.row_positions(row)), chunk)

    def row(self, scope: Scope, chunk: Value | None) -> None:
        """Emit all sweeps over one row, then its scalar results."""
        self.emit_scalars(scope, self.row_terms(0))
        for sweep in self.plan.sweeps:
            folded = self.sweep(sweep, scope, chunk)
            if self.partials:
                for index, value in folded.items():
                    assert chunk is not None
                    pointer = scope.pointers["partial", index]
                    self.k.store(value, self.k.pointer(pointer, chunk, value.type), 0)
                return
            self._fold(sweep, scope, folded)
        self._write_scalars(scope)

    def _fold(self, sweep: Sweep, scope: Scope, folded: Mapping[int, Value]) -> None:
        """Add the results of a sweep, and the scalars that depend on them, to the known values."""
        for index, value in folded.items():
            scope.values[index] = self.result(self.terms[index], value)
        self.emit_scalars(scope, self.row_terms(sweep.level + 1))

    def _write_scalars(self, scope: Scope) -> None:
        """Store the scalar results of a row."""
        for position, output in enumerate(self.space.outputs):
            if not any(self.space.axes[axis].reduced for axis in output.axes):
                self.write(scope.values[output.term], ("output", position), scope, None, None)

    def delayed_rows(self, scope: Scope, first: Value, last: Value) -> None:
        """Emit rows whose last sweep, which stores, is interleaved with the preceding sweep of the next row."""
        k, storing = self.k, self.plan.sweeps[-1]
        read = {index for term in self.cone(self.roots(storing), storing.level) for index in self.terms[term].inputs}
        with k.when(first < last):
            now = self._computed_row(scope, first, None)
            values = {index: now.values[index] for index in sorted(read.union(self.roots(storing))) if index in now.values}
            carried = {
                index: k.var(value) for index, value in values.items() if index not in scope.values and value.constant is None
            }

            def behind(row: Value) -> Scope:
                before = self._at_row(scope, row)
                before.values.update({**values, **{index: variable.get() for index, variable in carried.items()}})
                return before

            for row in k.range(first + 1, last):
                now = self._computed_row(scope, row, behind(row - 1))
                for index, variable in carried.items():
                    variable.set(now.values[index])
            self.sweep(storing, behind(last - 1), None)

    def _computed_row(self, scope: Scope, row: Value, behind: Scope | None) -> Scope:
        """Emit all sweeps over a row but its last, interleaved with the last one of the previous row."""
        now = self._at_row(scope, row)
        self.emit_scalars(now, self.row_terms(0))
        for sweep in self.plan.sweeps[:-1]:
            along = behind if sweep is self.plan.sweeps[-2] else None
            self._fold(sweep, now, self.sweep(sweep, now, None, along))
        self._write_scalars(now)
        return now

    def _at_row(self, scope: Scope, row: Value) -> Scope:
        """The scope at a row; saved values alternate between the halves of scratch."""
        inside = self.scope_at(scope, self.row_positions(row))
        offset = (row & 1) * self.size(self.plan.scratch).udiv(2)
        for index in self.plan.kept:
            inside.pointers["kept", index] = self.k.pointer(inside.pointers["kept", index], offset, I8)
        return inside

    # -- one sweep
    def sweep(self, sweep: Sweep, scope: Scope, chunk: Value | None, behind: Scope | None = None) -> dict[int, Value]:
        """Emit one pass over the folded axes; returns the folded scalars. The last sweep of the previous row may be interleaved."""
        now = self._pass(sweep, scope, chunk)
        if behind is not None:
            last = self._pass(self.plan.sweeps[-1], behind, chunk)
            unroll = min(now.unroll, last.unroll)
            along = replace(last, unroll=unroll, scopes=self.spread(behind, last.terms, self.roots(last.sweep), unroll))
            now = replace(now, unroll=unroll, along=along)
        totals = {
            index: self._accumulators(self.terms[index], now.unroll, total=self._is_long(self.terms[index]))
            for index in sweep.reductions
        }
        self.walk(now, self.plan.loops, scope, totals, chunk)
        return {index: self._total(self.terms[index], totals[index]) for index in sweep.reductions}

    def _pass(self, sweep: Sweep, scope: Scope, chunk: Value | None) -> RowPass:
        terms = tuple(self.cone(self.roots(sweep), sweep.level))
        flag = self.streamed[sweep.level]
        if flag is not None:
            begin, _ = self.extent(self.plan.vector, chunk)
            flag = flag & self.on_vector_boundary(sweep.stores, scope, begin)
        return RowPass(sweep, terms, self.unroll(terms), flag)

    def walk(self, now: RowPass, loops: Sequence[int], scope: Scope, totals: Mapping[int, Widths], chunk: Value | None) -> None:
        """Emit the loops over folded axes outside the vectorized one, then its vectors."""
        if not loops:
            self.vectors(now, scope, totals, chunk)
            return
        axis, *rest = loops
        for position in self.k.range(*self.extent(axis, chunk)):
            inside = self.scope_at(scope, {axis: position})
            self.emit_scalars(inside, self.loop_terms(axis, now.terms))
            self.walk(now, rest, inside, totals, chunk)

    def vectors(self, now: RowPass, scope: Scope, totals: Mapping[int, Widths], chunk: Value | None) -> None:
        """Emit one line of vectors. Long float sums are added block by block to f64 totals, for accuracy."""
        k = self.k
        begin, end = self.extent(self.plan.vector, chunk)
        spread = self.spread(scope, now.terms, self.roots(now.sweep), now.unroll)
        summed = [index for index in totals if self._is_long(self.terms[index])]
        if not summed:
            self.line(now, spread, begin, end, totals)
            return
        block = _BLOCK_VECTORS * now.unroll * self.plan.lanes
        parts = {index: self._accumulators(self.terms[index], now.unroll) for index in summed}
        for start in k.range(begin, end, block):
            for index in summed:
                for lanes, variable in parts[index].items():
                    variable.set(self._start(self.terms[index], lanes))
            self.line(now, spread, start, k.minimum(start + block, end), {**totals, **parts})
            for index in summed:
                for lanes, variable in totals[index].items():
                    variable.set(variable.get() + k.convert(parts[index][lanes].get(), F64))

    def line(self, now: RowPass, spread: Mapping[int, Scope], begin: Value, end: Value, totals: Mapping[int, Widths]) -> None:
        """Emit the vectors of a line from begin to end."""
        for at, count in self.vector_loop(begin, end - begin, now.unroll):
            scope = spread[self.lanes]
            if now.sweep.level > 0:
                self.prefetch_next_row(now, scope, at)
            point = self._store_point(now, scope, at, count)
            if now.along is not None:
                self._store_point(now.along, now.along.scopes[self.lanes], at, count)
            for index in now.sweep.reductions:
                self._accumulate(self.terms[index], totals[index][self.lanes], point, count)

    def _store_point(self, now: RowPass, scope: Scope, at: Value, count: Operand | None) -> Scope:
        """Evaluate the terms of a pass at one vector, and store its results and saved values."""
        point = self.point(now.terms, now.sweep.level, scope, at, count)
        for index in now.sweep.keeps:
            self.write(point.values[index], ("kept", index), scope, at, count)
        for number in now.sweep.stores:
            value = point.values[self.space.outputs[number].term]
            self.write(value, ("output", number), scope, at, count, now.streamed)
        return point

    def prefetch_next_row(self, now: RowPass, scope: Scope, at: Value) -> None:
        """Prefetch the next row of the operands that this later sweep reads (from the cache by now)."""
        if not self.plan.outer:
            return
        outer = self.plan.outer[-1]
        for index in now.terms:
            term = self.terms[index]
            if term.kind == "load" and term.is_contiguous(self.plan.vector) and outer in term.axes:
                kind = self.references[index].kind
                offset = (at + self.size(term.strides[outer])) * kind.size
                for line in range(0, self.lanes * kind.size, CACHE_LINE):
                    self.k.prefetch(scope.pointers[index], offset + line)

    # -- accumulators
    def _is_long(self, term: Term) -> bool:
        """Whether a float sum is so long that it is accumulated in blocks."""
        length = self.space.size(self.space.reduced)
        short = isinstance(length, int) and length <= _LONG_SUM
        return term.combine == "sum" and self.folded_dtype(term).is_float and not short

    def _accumulators(self, term: Term, unroll: int, total: bool = False) -> Widths:
        """Allocate a wide accumulator for the bulk of a line and one native vector for its end; totals are f64."""
        by_width: Widths = {}
        for lanes in sorted({self.plan.lanes, self.plan.lanes * unroll}):
            start = self._start(term, lanes)
            by_width[lanes] = self.k.var(self.k.convert(start, F64) if total else start)
        return by_width

    def _accumulator(self, term: Term) -> Type:
        """The element type of an accumulator; bools as integers that fill a register."""
        dtype = self.folded_dtype(term)
        if not dtype.is_bool:
            return carried_type(dtype)
        width = self.code.target.vector_bytes // self.plan.lanes
        return {1: I8, 2: I16, 4: I32}.get(width, I64)

    def _start(self, term: Term, lanes: int) -> Value:
        identity = self.identity(term)
        value = -identity if self.folded_dtype(term).is_bool else identity
        return self.k.constant(value, self._accumulator(term).vector(lanes))

    def _accumulate(self, term: Term, variable: Variable, point: Scope, count: Operand | None) -> None:
        """Fold in one vector; lanes beyond `count` are ignored. Products are added with FMA if the target has it."""
        k = self.k
        factors = self._factors(term, point) if count is None else None
        if factors is not None:
            variable.set(k.fma(*factors, variable.get()))
            return
        value = self.folded_value(term, point)
        if not value.type.lanes:
            value = k.splat(value, self.lanes)
        if self.folded_dtype(term).is_bool:
            value = k.mask_to(value, self._accumulator(term))
        if count is not None:
            value = k.select(k.lane_mask(count, self.lanes), value, self._start(term, self.lanes))
        variable.set(self._combine(term, variable.get(), value))

    def _factors(self, term: Term, point: Scope) -> tuple[Value, Value] | None:
        """The factors of a sum of products, in the accumulator type; None for other reductions."""
        source = self.terms[term.inputs[0]]
        if term.combine != "sum" or source.op is None or source.op.name != "mul" or not self.code.target.has("fma"):
            return None
        a, b = (point.values.get(index) for index in source.inputs)
        vector = carried_type(self.folded_dtype(term)).vector(self.lanes)
        if not vector.is_float or source.dtype is not term.dtype or a is None or b is None:
            return None
        return (a, b) if a.type == b.type == vector else None

    def _combine(self, term: Term, a: Value, b: Value) -> Value:
        if self.folded_dtype(term).is_bool:
            return a | b if self.identity(term) == 0 else a & b
        return self.fold(term, a, b)

    def _total(self, term: Term, variables: Widths) -> Value:
        """Reduce all accumulators to a scalar: the wide one by halves, the end of the line, then the lanes by halves."""
        (_, native), *rest = sorted(variables.items())
        vector = native.get()
        for lanes, variable in rest:
            wide = variable.get()
            while lanes > vector.type.lanes:
                wide = self._combine(term, *self.k.halves(wide))
                lanes //= 2
            vector = self._combine(term, wide, vector)
        total = self.k.reduce(vector, lambda a, b: self._combine(term, a, b))
        return total != 0 if self.folded_dtype(term).is_bool else self.k.convert(total, self._accumulator(term))
