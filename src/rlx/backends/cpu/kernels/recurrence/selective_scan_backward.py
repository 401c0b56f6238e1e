"""The gradients of the selective scan, storing states only at chunk boundaries.

A unit is (batch row, block of channels), lanes are channels as in the scan. It runs forward once and keeps the state before every
chunk of 64 steps; then, from the last chunk to the first, it recomputes the states and decays inside the chunk and runs backward through
them with ds. Gradients of B and C are sums over channels, those of A and D over batch rows: units write partial sums to temporaries,
which later commands add in a fixed order.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.types import F32, F64, type_of
from rlx.backends.cpu.emit.values import Value, Variable
from rlx.backends.cpu.kernels.attention.running_softmax import merge_lanes
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.kernels.recurrence.selective_scan import ScanCode, SelectiveScanProblem
from rlx.backends.cpu.kernels.recurrence.steps import Operands
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, product
from rlx.core.dtype import DType
from rlx.core.shape import Shape
from rlx.ir.op import Op

_NAMES = ("x", "delta", "A", "B", "C", "dy", "D", "state", "d_state", "length")
_DENSE = ("x", "delta", "dy", "D", "d_state", "dx", "ddelta")
_CHUNK = 64
_TOGETHER = 2  # vectors of channels per pass, as in the scan
_PASSES = 4  # passes of a unit: its sums over channels are combined before they are written
_SUMMED = 256  # elements of a unit that adds partial sums


class _Back(ScanCode):
    """The code of a unit."""

    def __init__(self, code: KernelCode, problem: SelectiveScanProblem) -> None:
        super().__init__(code, problem)
        size = problem.compute.size
        self.table = problem.states * self.width
        self.padded = -(-problem.states // self.lanes) * self.lanes
        at = self.scratch_bytes(problem, code.target) // size
        parts = (self.table * (_CHUNK + 1), self.table * _CHUNK, self.table, self.table, 2 * self.padded * self.lanes, self.width)
        starts = [at + sum(parts[:index]) for index in range(len(parts) + 1)]
        places = [self._scratch(start) for start in starts]
        self.states, self.decays, self.back, self.rate_sums, self.rows, self.skips, self.borders = places

    @classmethod
    def all_bytes(cls, problem: SelectiveScanProblem, target: Target) -> Size:
        """In addition to the scan's: states and decays of a chunk, ds and the sums, and the states at chunk boundaries."""
        lanes = target.lanes(problem.compute)
        table, padded = problem.states * _TOGETHER * lanes, -(-problem.states // lanes) * lanes
        fixed = table * (2 * _CHUNK + 3) + 2 * padded * lanes + _TOGETHER * lanes
        return cls.scratch_bytes(problem, target) + (fixed + ceildiv(problem.steps, _CHUNK) * table) * problem.compute.size

    # -- tables [n, channels]
    def slot(self, base: Value, number: Value | int) -> Value:
        """Table `number` of several."""
        return self.k.pointer(base, self.k.index(number) * self.table, self.problem.compute)

    def copy_table(self, source: Value | None, target: Value) -> None:
        """From another table, or zeros."""
        k = self.k
        for at in k.range(0, self.table, self.lanes):
            k.store(k.constant(0, self.vector) if source is None else k.load(source, at, self.vector), target, at)

    def fill_table(self, name: str, batch: tuple[Value, ...], channel: Value, target: Value) -> None:
        """From an operand, or zeros if it is missing."""
        if name not in self.problem:
            self.copy_table(None, target)
            return
        for part in range(_TOGETHER):
            column = self.k.pointer(target, part * self.lanes, self.problem.compute)
            self.load_table(name, batch, channel + part * self.lanes, column)

    def channels_of(self, name: str, batch: Value, t: Value, channel: Value) -> list[Value]:
        """The vectors of one step."""
        base = self.at(name, batch, t)
        return [self.load_channels(name, base, channel + part * self.lanes) for part in range(_TOGETHER)]

    def write(self, name: str, values: list[Value], base: Value, channel: Value) -> None:
        """Store the existing channels of one step's vectors."""
        for part, value in enumerate(values):
            with self.k.when(channel + part * self.lanes < self.channels):
                self.store_channels(name, value, base, channel + part * self.lanes)

    # -- a pass over a block of channels
    def run(self, batch: Value, channel: Value, number: Value, first: Value, steps: Value) -> None:
        """Forward, then backward chunk by chunk; `number` is the unit's block, `first` whether it begins with these channels."""
        k = self.k
        active = self.problem.operands.active_steps(self.code, batch, steps)
        self.prepare(batch, channel, k.index(1))
        self.fill_table("d_state", (batch,), channel, self.back)
        self.copy_table(None, self.rate_sums)
        for part in range(0, self.width, self.lanes):
            k.store(k.constant(0, self.vector), self.skips, part)
        for start in k.range(0, active, _CHUNK):
            self.copy_table(self.state, self.slot(self.borders, start // _CHUNK))
            for t in k.range(start, k.minimum(start + _CHUNK, active)):
                self.advance(batch, t, channel, self.state, self.state, None)
        if "length" in self.problem:
            for t in k.range(steps - 1, active - 1, -1):
                self.frozen(batch, t, channel, number, first)
        for chunk in k.range((active + (_CHUNK - 1)) // _CHUNK - 1, -1, -1):
            start, stop = chunk * _CHUNK, k.minimum((chunk + 1) * _CHUNK, active)
            self.copy_table(self.slot(self.borders, chunk), self.states)
            for t in k.range(start, stop):
                before, after = (self.slot(self.states, t - start + n) for n in (0, 1))
                self.advance(batch, t, channel, before, after, self.slot(self.decays, t - start))
            for t in k.range(stop - 1, start - 1, -1):
                self.pull(batch, t, channel, t - start, number, first)
        self._leave(batch, channel)

    def advance(self, batch: Value, t: Value, channel: Value, before: Value, after: Value, decays: Value | None) -> None:
        """One step of the scan from one table into another; its decays are kept."""
        k, compute = self.k, self.problem.compute
        b, _ = self.fetch_rows(batch, t)
        deltas, xs = (self.channels_of(name, batch, t, channel) for name in ("delta", "x"))
        inputs = [delta * x for delta, x in zip(deltas, xs, strict=True)]

        def update(n: Value, power: Callable[[Value, Value], Value]) -> None:
            b_n = k.splat(k.load(b, n, compute), self.lanes)
            for part, (delta, value) in enumerate(zip(deltas, inputs, strict=True)):
                place = n * self.width + part * self.lanes
                decay = power(delta, k.load(self.rates, place, self.vector))
                if decays is not None:
                    k.store(decay, decays, place)
                k.store(k.fma(k.load(before, place, self.vector), decay, value * b_n), after, place)

        self.each_power(deltas, k.index(0), update)

    def pull(self, batch: Value, t: Value, channel: Value, slot: Value, number: Value, first: Value) -> None:
        """One backward step."""
        k, compute = self.k, self.problem.compute
        b, c = self.fetch_rows(batch, t)
        deltas, xs, seeds = (self.channels_of(name, batch, t, channel) for name in ("delta", "x", "dy"))
        before, after, decays = (self.slot(self.states, slot), self.slot(self.states, slot + 1), self.slot(self.decays, slot))
        along, slopes = ([k.var(0, self.vector) for _ in range(_TOGETHER)] for _ in range(2))
        for n in k.range(self.problem.states):
            b_n, c_n = (k.splat(k.load(row, n, compute), self.lanes) for row in (b, c))
            writes, reads = [], []
            for part in range(_TOGETHER):
                place = n * self.width + part * self.lanes
                ds = k.fma(seeds[part], c_n, k.load(self.back, place, self.vector))
                carried = ds * k.load(decays, place, self.vector)
                moved = carried * k.load(before, place, self.vector)
                along[part].set(k.fma(ds, b_n, along[part].get()))
                slopes[part].set(k.fma(moved, k.load(self.rates, place, self.vector), slopes[part].get()))
                k.store(k.fma(moved, deltas[part], k.load(self.rate_sums, place, self.vector)), self.rate_sums, place)
                k.store(carried, self.back, place)
                writes.append(ds * (deltas[part] * xs[part]))
                reads.append(seeds[part] * k.load(after, place, self.vector))
            self._keep_rows(n, writes, reads)
        found = [delta * total.get() for delta, total in zip(deltas, along, strict=True)]
        self.write("dx", self._skipped(found, seeds, xs, channel), self.at("dx", batch, t), channel)
        log2 = math.log(2)  # rates are kept as A·log₂e
        slope = [k.fma(x, total.get(), each.get() * log2) for x, total, each in zip(xs, along, slopes, strict=True)]
        self.write("ddelta", slope, self.at("ddelta", batch, t), channel)
        self._add_rows(batch, t, number, first)

    def frozen(self, batch: Value, t: Value, channel: Value, number: Value, first: Value) -> None:
        """A step past the length: it reads the last state and does not change it."""
        k, compute, zero = self.k, self.problem.compute, self.k.constant(0, self.vector)
        _, c = self.fetch_rows(batch, t)
        xs, seeds = (self.channels_of(name, batch, t, channel) for name in ("x", "dy"))
        for n in k.range(self.problem.states):
            c_n, reads = k.splat(k.load(c, n, compute), self.lanes), []
            for part in range(_TOGETHER):
                place = n * self.width + part * self.lanes
                k.store(k.fma(seeds[part], c_n, k.load(self.back, place, self.vector)), self.back, place)
                reads.append(seeds[part] * k.load(self.state, place, self.vector))
            self._keep_rows(n, [zero], reads)
        self.write("dx", self._skipped([zero] * _TOGETHER, seeds, xs, channel), self.at("dx", batch, t), channel)
        self.write("ddelta", [zero] * _TOGETHER, self.at("ddelta", batch, t), channel)
        self._add_rows(batch, t, number, first)

    def _skipped(self, found: list[Value], seeds: list[Value], xs: list[Value], channel: Value) -> list[Value]:
        """dx plus the skip connection D·dy; accumulates the gradient of D."""
        if "D" not in self.problem:
            return found
        k, answers = self.k, []
        for part, (value, seed, x) in enumerate(zip(found, seeds, xs, strict=True)):
            skip = self.load_channels("D", self.at("D"), channel + part * self.lanes)
            answers.append(k.fma(skip, seed, value))
            k.store(k.fma(seed, x, k.load(self.skips, part * self.lanes, self.vector)), self.skips, part * self.lanes)
        return answers

    # -- sums over channels
    def _keep_rows(self, n: Value, writes: list[Value], reads: list[Value]) -> None:
        """What a state adds to dB and dC of the step, lane by lane."""
        for index, values in enumerate((writes, reads)):
            total = values[0] if len(values) == 1 else values[0] + values[1]
            self.k.store(total, self.rows, (n + index * self.padded) * self.lanes)

    def _add_rows(self, batch: Value, t: Value, number: Value, first: Value) -> None:
        """The step's sums over these channels into the unit's rows of dB and dC."""
        k, states = self.k, self.problem.states
        for index, name in enumerate(("rows_B", "rows_C")):
            base = self.at(name, number, batch, t)
            for at in range(0, states, self.lanes):
                vectors = [
                    k.load(self.rows, (index * self.padded + at + lane) * self.lanes, self.vector) for lane in range(self.lanes)
                ]
                (total,) = merge_lanes(k, vectors, operator.add)
                count = min(self.lanes, states - at)
                found = k.var(total)
                with k.when(first == 0):
                    found.set(k.load_masked(base, at, count, self.vector) + total)
                self._store_part(found, base, at, count)

    def _store_part(self, found: Variable, base: Value, at: int, count: int) -> None:
        if count == self.lanes:
            self.k.store(found.get(), base, at)
        else:
            self.k.store_masked(found.get(), base, at, count)

    def _leave(self, batch: Value, channel: Value) -> None:
        """Sums over time, and the gradient of the first state."""
        k = self.k
        tables = [("part_A", self.rate_sums), *([("d_before", self.back)] if "state" in self.problem else [])]
        for name, table in tables:
            for part in range(_TOGETHER):
                column = k.pointer(table, part * self.lanes, self.problem.compute)
                self.store_table(name, batch, channel + part * self.lanes, column)
        if "D" in self.problem:
            values = [k.load(self.skips, part * self.lanes, self.vector) for part in range(_TOGETHER)]
            self.write("part_D", values, self.at("part_D", batch), channel)


def _emit(code: KernelCode, problem: SelectiveScanProblem) -> None:
    kernel, k = _Back(code, problem), code.code
    block = kernel.width * _PASSES
    blocks = (kernel.channels + (block - 1)) // block
    steps = index_of(code, problem.steps)
    for unit in k.range(k.begin, k.end):
        batch, number = unit // blocks, unit % blocks
        start = number * block
        for channel in k.range(start, k.minimum(start + block, kernel.channels), kernel.width):
            kernel.run(batch, channel, number, channel == start, steps)


def _emit_sum(code: KernelCode, count: Size, parts: Size) -> None:
    """target[i] = Σ source[part, i], parts in order."""
    k, (source, target) = code.code, (tensor for tensor in code.tensors if tensor is not None)
    kind, stored, total = type_of(source.dtype.name), type_of(target.dtype.name), index_of(code, count)
    lanes = code.target.lanes(kind)
    vector = kind.vector(lanes)
    for unit in k.range(k.begin, k.end):
        for at in k.range(unit * _SUMMED, k.minimum(unit * _SUMMED + _SUMMED, total), lanes):
            left, sums = total - at, k.var(0, vector)
            for part in k.range(index_of(code, parts)):
                sums.set(sums.get() + k.load_masked(code.pointer(0), part * total + at, left, vector))
            k.store_masked(k.convert(sums.get(), stored), code.pointer(1), at, left)


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """f32, f64, f16 and bf16; channels of x, delta, dy and D must be adjacent."""
    given = dict(zip(_NAMES, inputs, strict=False))
    x, a = given["x"], given["A"]
    assert x is not None and a is not None
    if not all(tensor.is_dense for tensor in outputs):
        return "a result with gaps"
    (batch, steps, channels), states = x.dims, int(op["state_size"])
    optional = [name for name, operand in (("dD", "D"), ("d_before", "state")) if given.get(operand) is not None]
    results = ["dx", "ddelta", "dA", "dB", "dC", *optional]
    wide = any(tensor is not None and tensor.dtype.name == "f64" for tensor in (*inputs, *outputs))
    compute = DType.of("f64" if wide else "f32")
    blocks = ceildiv(channels, _TOGETHER * _PASSES * target.lanes(F64 if wide else F32))
    shapes: dict[str, tuple[Size, ...]] = dict.fromkeys(("rows_B", "rows_C"), (blocks, batch, steps, states))
    shapes["part_A"] = (batch, channels, states)
    if "dD" in results:
        shapes["part_D"] = (batch, channels)
    temporaries = tuple(Tensor.dense(Shape.make(dims, compute)) for dims in shapes.values())
    operands = Operands.of(_NAMES, inputs, (*results, *shapes), (*outputs, *temporaries), _DENSE)
    if isinstance(operands, str):
        return operands
    problem = SelectiveScanProblem(batch, steps, operands, channels, states)
    present = [index for index, tensor in enumerate(inputs) if tensor is not None]
    where = {name: len(inputs) + index for index, name in enumerate((*results, *shapes))}
    emit = partial(_emit, problem=problem)
    places, scratch = (*present, *where.values()), _Back.all_bytes(problem, target)
    stages = [Stage("selective_scan_backward", problem, places, batch * blocks, emit, scratch)]
    for source, name in (("rows_B", "dB"), ("rows_C", "dC"), ("part_A", "dA"), ("part_D", "dD")):
        if source in shapes:
            parts, *rest = shapes[source]
            count = product(rest)
            add = partial(_emit_sum, count=count, parts=parts)
            stages.append(Stage("sum_parts", (count, parts), (where[source], where[name]), ceildiv(count, _SUMMED), add))
    return Lowering(tuple(stages), temporaries)
