"""QR by blocks of Householder reflections, q = 1 - v·t·vᵀ for the columns of a block; q is made by reflecting the identity.

A block is factored by panels of INNER columns. Its v, ones and zeros written out, is stored in memory of its own, so that products read
it as it is; of t the transpose u is stored, row by row: u[j] = -τ[j]·Σ (vᵀv)[i, j]·u[i], and τ on the diagonal.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import Lower, Tensor
from rlx.backends.cpu.emit.values import I32, I64, Type, Value, Variable, type_of
from rlx.backends.cpu.kernels.linalg.block_columns import INNER, BlockColumns, round_up_inner, store_block, store_part
from rlx.backends.cpu.kernels.linalg.factorization import Factorization, View, Work, lower_by
from rlx.backends.cpu.kernels.movement.runs import fill_run
from rlx.core.dim import Size, ceildiv
from rlx.ir.op import Op


@dataclass(frozen=True)
class Reflections:
    """The Householder reflections of one matrix. Its side data: the v of all factored blocks, then their u."""

    work: Work

    def v(self, block: Value, row: Value | int = 0, column: Value | int = 0) -> Value:
        """The address of an element of v of a block."""
        return self.work.block_of(self.work.side, block, row, column)

    def u(self, block: Value) -> Value:
        """The address of u (the transposed t) of a block."""
        k, kind, width = self.work.basics
        layout = self.work.layout
        return k.pointer(self.work.side, self.work.size(layout.factored * layout.block_size) + block * (width * width), kind)

    def reflect(self, v: Value, u: Value, c: Value, rows: Value, columns: Value, count: Value, *, forward: bool = False) -> None:
        """Apply `count` reflections (a multiple of INNER): c = qᵀ·c, or q·c if `forward`; c and v start at the same row."""
        k, kind, width = self.work.basics
        first = self.work.scratch
        second = k.pointer(first, width * width, kind)
        self.work.product("transposed", first, v, c, count, columns, rows)
        self.work.product("transposed" if forward else "plain", second, u, first, count, columns, count)
        self.work.product("subtract", c, v, second, rows, columns, count)

    def count(self, block: Value) -> Value:
        """The number of reflections of a block, with padding."""
        k, _, width = self.work.basics
        return round_up_inner(k.minimum(width, self.work.size(self.work.layout.steps) - block * width))

    def subtract(self, done: Value, block: Value) -> None:
        """Reflect a block by the reflections of another."""
        first, height = done * self.work.layout.width, self.work.size(self.work.layout.height)
        start, columns = self.work.block(block, first), self.work.used_columns(block)
        self.reflect(self.v(done, first), self.u(done), start, height - first, columns, self.count(done))

    # -- one block
    def factor(self, number: Value) -> None:
        """Factor a block by panels of INNER columns, each followed by the reflection of the columns right of it."""
        work = self.work
        k, kind, width = work.basics
        first, columns, height = number * width, work.used_columns(number), work.size(work.layout.height)
        u = self.u(number)
        fill_run(work.code, u, k.constant(0, kind), k.index(width * width))
        last = k.minimum(width, work.size(work.layout.steps) - first)
        for column in k.range(0, last, INNER):
            row, count = first + column, k.minimum(INNER, last - column)
            corner = work.block(number, row, column)
            own = k.pointer(u, column * (width + 1), kind)
            self._panel(corner, work.size(work.layout.rows) - row, count, own)
            self._write_v(number, first, row, column, corner, count)
            self._extend_u(number, u, row, column, count)
            right = columns - column - INNER
            with k.when(right > 0):
                v, rest = self.v(number, row, column), k.pointer(corner, INNER, kind)
                self.reflect(v, own, rest, height - row, right, k.index(INNER))

    def _panel(self, corner: Value, rows: Value, count: Value, u: Value) -> None:
        """Reflect `count` columns without blocks; τ is stored on the diagonal of u. While a step updates the rows it sums the
        products of the next column with all columns: its norm and what its reflection needs."""
        k, kind, width = self.work.basics
        panel = _Panel(k, kind, width, corner, rows)
        sums = [k.var(0, panel.vector) for _ in panel.starts]
        for row in k.range(1, rows):
            at = panel.row(row)
            x = k.splat(k.load(at, 0, kind), panel.vector.lanes)
            for total, start in zip(sums, panel.starts, strict=True):
                total.set(k.fma(x, k.load(at, start, panel.vector), total.get()))
        for step in k.range(count):
            panel.reflect(step, sums, k.pointer(u, step * (width + 1), kind))

    def _write_v(self, number: Value, first: Value, row: Value, column: Value, corner: Value, count: Value) -> None:
        """Store the panel's columns of v: zeros above the diagonal and in columns without a reflection, ones on it."""
        k, kind, width = self.work.basics
        vector = kind.vector(k.target.lanes(kind))
        height, zero = self.work.size(self.work.layout.height), k.constant(0, vector)
        for start in range(0, INNER, vector.lanes):
            lane = k.iota(I32.vector(vector.lanes), start)
            there = lane < k.splat(k.convert(count, I32), vector.lanes)
            for above in k.range(first, row):
                k.store(zero, self.v(number, above, column + start), 0)
            for inside in k.range(INNER):
                here = k.splat(k.convert(inside, I32), vector.lanes)
                old = k.load(corner, inside * width + start, vector)
                value = k.select(lane < here, old, k.select(lane == here, k.constant(1, vector), zero))
                k.store(k.select(there, value, zero), self.v(number, row + inside, column + start), 0)
            for below in k.range(INNER, height - row):
                old = k.load(corner, below * width + start, vector)
                k.store(k.select(there, old, zero), self.v(number, row + below, column + start), 0)

    def _extend_u(self, number: Value, u: Value, row: Value, column: Value, count: Value) -> None:
        """Store the panel's rows of u, from the products of its columns of v with all columns before them."""
        k, kind, width = self.work.basics
        vector = kind.vector(k.target.lanes(kind))
        gram, height = self.work.scratch, self.work.size(self.work.layout.height)
        all_v, own = self.v(number, row), self.v(number, row, column)
        self.work.product("transposed", gram, all_v, own, column + INNER, k.index(INNER), height - row)
        for step in k.range(count):
            line = k.pointer(u, (column + step) * width, kind)
            tau = k.load(line, column + step, kind)
            for start in k.range(0, column + INNER, vector.lanes):
                total = k.var(0, vector)
                for other in k.range(column + step):
                    weight = k.splat(k.load(gram, other * width + step, kind), vector.lanes)
                    total.set(k.fma(weight, k.load(u, other * width + start, vector), total.get()))
                k.store(total.get() * k.splat(-tau, vector.lanes), line, start)
            k.store(tau, line, column + step)


@dataclass(frozen=True)
class _Panel:
    """The reflection of INNER columns of a block, one column after the other; `rows` rows from the diagonal on."""

    k: Function
    kind: Type
    width: int
    corner: Value
    rows: Value

    @property
    def vector(self) -> Type:
        """The vector type of a register of a panel's row."""
        return self.kind.vector(self.k.target.lanes(self.kind))

    @property
    def starts(self) -> range:
        """The start column of each register of a row."""
        return range(0, INNER, self.vector.lanes)

    def row(self, row: Value) -> Value:
        """The address of a row of the panel."""
        return self.k.pointer(self.corner, row * self.width, self.kind)

    def lanes(self) -> list[Value]:
        """The column index of each lane, register by register."""
        return [self.k.iota(I32.vector(self.vector.lanes), start) for start in self.starts]

    def splat(self, value: Value) -> Value:
        """Broadcast a number, or a step, to all lanes."""
        scalar = self.k.convert(value, I32) if value.type == I64 else value
        return self.k.splat(scalar, self.vector.lanes)

    def reflect(self, step: Value, sums: list[Variable], tau_address: Value) -> None:
        """Apply one reflection 1 - τ·v·vᵀ: its column becomes β and v, and multiples of v are subtracted from the columns after it."""
        k, kind, line = self.k, self.kind, self.row(step)
        products = k.alloca(kind, INNER)  # of the column below the diagonal with all columns
        for start, total in zip(self.starts, sums, strict=True):
            k.store(total.get(), products, start)
        alpha, square = k.load(line, step, kind), k.load(products, step, kind)
        norm = k.fma(alpha, alpha, square)  # squared
        beta = k.var(-k.copysign(k.sqrt(norm), alpha))
        divisor, tau = k.var(alpha - beta.get()), k.var((beta.get() - alpha) / beta.get())
        lowest, highest = (2.0**-40, 2.0**80) if kind.bits == 32 else (2.0**-400, 2.0**800)
        fits = (square > lowest) & (norm < highest)
        for total in sums:
            fits = fits & k.all_lanes(k.abs(total.get()) < highest)
        with k.when(fits):
            for start, total in zip(self.starts, sums, strict=True):
                k.store(total.get() / self.splat(divisor.get()), products, start)
        with k.otherwise():
            self._scale(step, products, beta, divisor, tau)
        reflects = tau.get() != 0.0
        k.store(tau.get(), tau_address, 0)
        multiples: list[Value] = []
        for start, lane in zip(self.starts, self.lanes(), strict=True):
            old = k.load(line, start, self.vector)
            weight = (old + k.load(products, start, self.vector)) * self.splat(tau.get())
            multiples.append(k.select((lane > self.splat(step)) & self.splat(reflects), weight, 0.0))
            k.store(old - multiples[-1], line, start)
            k.store(multiples[-1], products, start)
        k.store(beta.get(), line, step)
        following = k.minimum(step + 1, INNER - 1)
        self._update(step, following, divisor.get(), multiples, k.load(products, following, kind), sums)

    def _update(
        self, step: Value, following: Value, divisor: Value, multiples: list[Value], beside: Value, sums: list[Variable]
    ) -> None:
        """Store v and subtract its multiples from the columns after it; `beside` is the multiple for the next column, whose
        products with all columns are summed."""
        k, kind = self.k, self.kind
        for total in sums:
            total.set(0.0)

        def update(row: Value, *, below: bool) -> None:
            at = self.row(row)
            v = k.load(at, step, kind) / divisor
            x = k.fma(-v, beside, k.load(at, following, kind))
            for start, multiple, lane, total in zip(self.starts, multiples, self.lanes(), sums, strict=True):
                new = k.fma(-self.splat(v), multiple, k.load(at, start, self.vector))
                new = k.select(lane == self.splat(step), self.splat(v), new)
                k.store(new, at, start)
                if below:
                    total.set(k.fma(self.splat(x), new, total.get()))

        for row in k.range(step + 1, k.minimum(step + 2, self.rows)):  # the diagonal of the following column
            update(row, below=False)
        for row in k.range(step + 2, self.rows):
            update(row, below=True)

    def _scale(self, step: Value, products: Value, beta: Variable, divisor: Variable, tau: Variable) -> None:
        """β, the divisor, τ and the products of v where squares overflow or underflow: the column is divided by its largest
        element first. A column that is zero below its diagonal is not reflected: β is its diagonal element."""
        k, kind = self.k, self.kind
        alpha = k.load(self.row(step), step, kind)
        below, square = k.var(0, kind), k.var(0, kind)
        for row in k.range(step + 1, self.rows):
            below.set(k.maximum(below.get(), k.abs(k.load(self.row(row), step, kind))))
        is_zero = below.get() == 0.0
        unit = k.select(is_zero, 1.0, k.maximum(below.get(), k.abs(alpha)))
        for row in k.range(step + 1, self.rows):
            part = k.load(self.row(row), step, kind) / unit
            k.store(part, self.row(row), step)
            square.set(k.fma(part, part, square.get()))
        first = alpha / unit
        norm = -k.copysign(k.sqrt(k.fma(first, first, square.get())), alpha)
        beta.set(k.select(is_zero, alpha, norm * unit))
        divisor.set(k.select(is_zero, 1.0, first - norm))
        tau.set(k.select(is_zero, 0.0, (norm - first) / norm))
        for start in self.starts:
            total = k.var(0, self.vector)
            for row in k.range(step + 1, self.rows):
                v = k.load(self.row(row), step, kind) / divisor.get()
                total.set(k.fma(self.splat(v), k.load(self.row(row), start, self.vector), total.get()))
            k.store(total.get(), products, start)


@dataclass(frozen=True, kw_only=True)
class OrthogonalFactors(Factorization):
    """q and r of `a`; `inner` is the number of columns of q and rows of r. The parts to finish: blocks of q, then of r."""

    a: View
    q: View
    r: View
    inner: Size

    def load(self, work: Work, block: Value) -> None:
        """Load one block column of a for QR."""
        work.load(self.a, block, block, self.layout.columns)

    def factor(self, work: Work, block: Value) -> None:
        """Factor a block: reflect its columns."""
        Reflections(work).factor(block)

    def subtract(self, work: Work, done: Value, block: Value) -> None:
        """Reflect a later block by a factored one."""
        Reflections(work).subtract(done, block)

    def finish(self, work: Work, number: Value) -> None:
        """Finish one block of q (the one with the most reflections first), or one of r."""
        k, blocks = work.k, work.size(ceildiv(self.inner, self.layout.width))
        with k.when(number < blocks):
            self._finish_q(work, blocks - 1 - number)
        with k.otherwise():
            self._finish_r(work, number - blocks)

    def _finish_q(self, work: Work, number: Value) -> None:
        """Compute columns of q: columns of the identity, reflected by the blocks up to their own, the last one first."""
        k, kind, width = work.basics
        first, height = number * width, work.size(self.layout.height)
        columns = k.minimum(work.size(self.inner) - first, width)
        used = round_up_inner(columns)
        block = k.pointer(work.scratch, 2 * width * width, kind)
        for row in k.range(height):
            fill_run(work.code, k.pointer(block, row * width, kind), k.constant(0, kind), used)
        for column in k.range(columns):
            k.store(1.0, block, (first + column) * width + column, kind)
        reflections = Reflections(work)
        begun = k.minimum(number + 1, work.size(self.factored))
        for back in k.range(begun):
            done = begun - 1 - back
            top = done * width
            start = k.pointer(block, top * width, kind)
            v, u = reflections.v(done, top), reflections.u(done)
            reflections.reflect(v, u, start, height - top, used, reflections.count(done), forward=True)
        target = self.q.at(work, k.index(0), first)
        store_block(work.code, kind, width, target, self.q.inner, block, (work.size(self.layout.rows), columns))

    def _finish_r(self, work: Work, number: Value) -> None:
        """Store a block of r: the elements on and above the diagonal."""
        k, kind, width = work.basics
        first, stride = number * width, self.r.inner[1]
        columns = k.minimum(work.size(self.layout.columns) - first, width)
        for row in k.range(work.size(self.inner)):
            part = row - first, columns
            store_part(work.code, kind, self.r.at(work, row, first), stride, work.block(number, row), columns, part)


def _factorization(op: Op, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...]) -> Factorization:
    (a,), (q, r) = inputs, outputs
    kind = type_of(a.dtype.name)
    layout = BlockColumns(kind, a.dims[:-2], *a.dims[-2:])
    square, inner = layout.width * layout.width, q.dims[-1]
    ends, side = ceildiv(inner, layout.width) + layout.count, layout.factored * (layout.block_size + square)
    views = {"a": View.of(0, a), "q": View.of(1, q), "r": View.of(2, r)}
    return OrthogonalFactors(layout, layout.factored, ends, kind, side, 2 * square + layout.block_size, inner=inner, **views)


LOWER: dict[str, Lower] = {"qr": lower_by(_factorization)}
"""The ops of this file by name."""
