"""The selective scan and its gradients: vectors run across channels, each lane is a channel with its n states.

A unit is (batch row, block of channels): it runs over time independently, so units never wait for each other. Its states and
rates are in scratch as [n, channels], filled by transposing blocks of A and of the given state.

The exponential is most of the work. Rates are stored as A·log₂e, so one multiply-add splits delta·A into an integer, which
becomes the exponent bits, and a fraction, whose product is exact before it is rounded; nothing is clamped. One test per
step and vector, |delta|·max|A·log₂e| against the exponent range, sends steps that could leave it to the full `exp`.

**Backward.** Gradients of B and C are sums over channels, those of A and D over batch rows: units write partial sums to temporaries,
which later commands add in a fixed order.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.math.exact import exponent_bias, fraction_bits
from rlx.backends.cpu.emit.math.exponential import exp
from rlx.backends.cpu.emit.values import Value, Variable, type_of
from rlx.backends.cpu.kernels.attention.running_softmax import merge_lanes
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.kernels.recurrence.steps import BackwardCode, Recurrence, StepCode, name_operands, number_tensors
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, product
from rlx.core.dtype import DType
from rlx.core.shape import Shape
from rlx.formulas.algebra import horner
from rlx.formulas.coefficients import EXP
from rlx.ir.op import Op

_NAMES = ("x", "delta", "A", "B", "C", "D", "state", "length")
_BACKWARD_NAMES = ("x", "delta", "A", "B", "C", "dy", "D", "state", "d_state", "length")
_BACKWARD_DENSE = ("x", "delta", "dy", "D", "d_state", "dx", "ddelta")
_TOGETHER = 2  # vectors of channels per pass: their dependency chains overlap, and they share B and C
_GROUPS = 2  # passes of a unit: full cache lines of x, delta and y
_BACKWARD_GROUPS = 4  # backward: sums over the channels of a unit are combined before they are written
_CHUNK = 64  # steps between the states that a backward pass stores
_SUMMED = 256  # elements of a unit that adds partial sums
_PREFETCH = 8  # steps; each step's row is in another page, which the hardware prefetcher does not cross
_UNROLLED = 16  # states of a channel in straight code
_REACH = {"f32": 124.0, "f64": 1020.0}  # below it 2^(delta·A·log₂e) is a normal number


@dataclass(frozen=True)
class SelectiveScanProblem(Recurrence):
    """One selective scan: its number of channels, and of states of each."""

    channels: Size
    states: int

    def scratch(self, target: Target) -> dict[str, int]:
        """The scratch of the forward scan: rates, states, the largest rate of each channel, and a row of B and of C."""
        width = _TOGETHER * _GROUPS * target.lanes(self.compute)
        return {"rates": self.states * width, "state": self.states * width, "most": width, "row": 2 * self.states}

    def backward_scratch(self, target: Target) -> dict[str, int]:
        """The scratch of the gradients, in addition: states and decays of a chunk, ds, the sums; states at chunk borders come after."""
        lanes = target.lanes(self.compute)
        table, rows = self.states * _TOGETHER * lanes, -(-self.states // lanes) * lanes
        chunk = {"states": table * (_CHUNK + 1), "decays": table * _CHUNK, "back": table, "rate_sums": table}
        return {**self.scratch(target), **chunk, "rows": 2 * rows * lanes, "skips": _TOGETHER * lanes, "borders": 0}


class _ScanCode(StepCode[SelectiveScanProblem]):
    """Emits what the selective scan and its gradients share: tables [n, channels] of rates and states, and the step between states."""

    def __init__(self, code: KernelCode, problem: SelectiveScanProblem, scratch: Mapping[str, int]) -> None:
        super().__init__(code, problem, scratch)
        self.width = _TOGETHER * self.lanes
        self.channels = index_of(code, problem.channels)
        self.rates, self.state, self.most, self.row = (self.part(name) for name in ("rates", "state", "most", "row"))

    def load_channels(self, name: str, base: Value, first: Value) -> Value:
        """Load a vector of channels in the compute type, zeros past the last one."""
        kind = self.problem[name].kind.vector(self.lanes)
        loaded = self.k.load_masked(base, first, self.channels - first, kind)
        return self.k.convert(loaded, self.compute)

    def store_channels(self, name: str, value: Value, base: Value, first: Value) -> None:
        """Store the existing channels of a vector."""
        k, stored = self.k, self.k.convert(value, self.problem[name].kind)
        with k.when(first + self.lanes <= self.channels):
            k.store(stored, base, first)
        with k.otherwise():
            k.store_masked(stored, base, first, self.channels - first)

    # -- [channels, n] into [n, channels] and back
    def _blocks(self) -> list[tuple[int, int]]:
        return [(at, min(self.lanes, self.problem.states - at)) for at in range(0, self.problem.states, self.lanes)]

    def load_table(self, name: str, batch: Sequence[Value], channel: Value, target: Value, factor: float = 1.0) -> None:
        """Transpose the rows of `lanes` channels into columns of a table; channels past the last one repeat it."""
        k, operand = self.k, self.problem[name]
        last, kind = self.channels - 1, operand.kind.vector(self.lanes)
        rows = [self.at(name, *batch, k.minimum(channel + lane, last)) for lane in range(self.lanes)]
        step = operand.strides[-1]
        for at, count in self._blocks():
            loaded = []
            for row in rows:
                if not (isinstance(step, int) and step == 1):
                    vector = k.gather_strided(row, at * self.code.size(step), self.code.size(step), kind, count)
                else:
                    vector = k.load(row, at, kind) if count == self.lanes else k.load_masked(row, at, count, kind)
                loaded.append(k.convert(vector, self.compute))
            for index, column in enumerate(k.transpose(loaded)[:count]):
                k.store(column * factor if factor != 1.0 else column, target, (at + index) * self.width)

    def store_table(self, name: str, batch: Value, channel: Value, source: Value) -> None:
        """Transpose columns of a table back into the rows of a result."""
        k, operand = self.k, self.problem[name]
        for at, count in self._blocks():
            zero = k.constant(0, self.vector)
            columns = [k.load(source, (at + i) * self.width, self.vector) if i < count else zero for i in range(self.lanes)]
            for lane, row in enumerate(k.transpose(columns)):
                with k.when(channel + lane < self.channels):
                    base, stored = self.at(name, batch, channel + lane), k.convert(row, operand.kind)
                    if count == self.lanes:
                        k.store(stored, base, at)
                    else:
                        k.store_masked(stored, base, at, count)

    def prepare(self, batch: Value, first: Value, groups: Value) -> None:
        """Fill the tables for the channels from `first` on."""
        k, states = self.k, self.problem.states
        for vector in k.range(groups * _TOGETHER):
            channel = first + vector * self.lanes
            offset = vector // _TOGETHER * (states * self.width) + vector % _TOGETHER * self.lanes
            rates = k.pointer(self.rates, offset, self.compute)
            self.load_table("A", (), channel, rates, 1 / math.log(2))
            most = k.constant(0, self.vector)
            for index in range(states):
                rate = k.abs(k.load(rates, index * self.width, self.vector))
                most = k.maximum(most, rate)
            k.store(most, self.most, vector * self.lanes)
            state = k.pointer(self.state, offset, self.compute)
            if "state" in self.problem:
                self.load_table("state", (batch,), channel, state)
            else:
                for index in range(states):
                    k.store(k.constant(0, self.vector), state, index * self.width)

    # -- time
    def fetch_rows(self, batch: Value, t: Value) -> tuple[Value, Value]:
        """The addresses of the rows of B and C of a step, dense and in the compute type: in place, or copied into scratch."""
        k, rows = self.k, []
        for index, name in enumerate(("B", "C")):
            row, operand = self.at(name, batch, t), self.problem[name]
            step = operand.strides[-1]
            if operand.kind == self.compute and isinstance(step, int) and step == 1:
                rows.append(row)
                continue
            target = k.pointer(self.row, index * self.problem.states, self.compute)
            for at in k.range(self.problem.states):
                k.store(k.convert(k.load(row, at * self.code.size(step), operand.kind), self.compute), target, at)
            rows.append(target)
        return rows[0], rows[1]

    def _each_state(self, body: Callable[[Value], None]) -> None:
        """Emit a body for every state: straight-line code up to a limit, then a loop of straight-line pieces."""
        unrolled = self.problem.states // _UNROLLED * _UNROLLED
        for start in self.k.range(0, unrolled, _UNROLLED):
            for index in range(_UNROLLED):
                body(start + index)
        for index in range(unrolled, self.problem.states):
            body(self.k.index(index))

    def each_power(
        self, deltas: list[Value], group: Value, update: Callable[[Value, Callable[[Value, Value], Value]], None]
    ) -> None:
        """Emit a body for every state, with the function from delta and rate to a decay: the fast one if its range suffices."""
        k = self.k
        limit = _REACH[self.compute.name]
        most = k.pointer(self.most, group * self.width, self.compute)
        reach = [k.abs(d) * k.load(most, part * self.lanes, self.vector) for part, d in enumerate(deltas)]
        near = [each < limit for each in reach]
        with k.when(k.all_lanes(near[0] & near[1])):
            self._each_state(lambda n: update(n, self._power))
        with k.otherwise():
            for n in k.range(self.problem.states):
                update(n, lambda delta, rate: exp(k, delta * rate * math.log(2)))

    def _power(self, delta: Value, rate: Value) -> Value:
        """The decay 2^(delta·rate), as a normal number."""
        k = self.k
        big = 1.5 * 2.0 ** fraction_bits(delta.type) + exponent_bias(delta.type)
        shifted = k.fma(delta, rate, big)
        fraction = k.fma(delta, rate, -(shifted - big))
        log2 = math.log(2)
        tail = [coefficient * log2**power for power, coefficient in enumerate(EXP[delta.type.name], start=2)]
        bits = k.bitcast(shifted, delta.type.integer) << fraction_bits(delta.type)
        return horner(k, fraction, (1.0, log2, *tail)) * k.bitcast(bits, delta.type)


class _ScanForward(_ScanCode):
    """Emits the forward selective scan."""

    def step(self, batch: Value, t: Value, first: Value, groups: Value, *, advance: bool) -> None:
        """Emit one step of all groups of a unit; without `advance` the states are only read."""
        k = self.k
        b, c = self.fetch_rows(batch, t)
        x, delta, y = (self.at(name, batch, t) for name in ("x", "delta", "y"))
        for name in ("x", "delta"):
            operand = self.problem[name]
            ahead = (k.index(self.code.size(operand.strides[1])) * _PREFETCH + first) * operand.kind.size
            for line in range(0, self.width * _GROUPS * operand.kind.size, 64):
                k.prefetch({"x": x, "delta": delta}[name], ahead + line)
        for group in k.range(groups):
            channels = [first + group * self.width + part * self.lanes for part in range(_TOGETHER)]
            xs = [self.load_channels("x", x, channel) for channel in channels] if advance or "D" in self.problem else []
            table = group * (self.problem.states * self.width)
            sums = [k.var(0, self.vector) for _ in channels]
            state = k.pointer(self.state, table, self.compute)
            if advance:
                deltas = [self.load_channels("delta", delta, channel) for channel in channels]
                inputs = [value * change for value, change in zip(xs, deltas, strict=True)]
                rates = k.pointer(self.rates, table, self.compute)
                self._advance(deltas, inputs, rates, state, b, c, sums, group)
            else:
                self._each_state(partial(self._read, state, c, sums))
            for part, channel in enumerate(channels):
                total = sums[part].get()
                if "D" in self.problem:
                    total = k.fma(self.load_channels("D", self.at("D"), channel), xs[part], total)
                with k.when(channel < self.channels):
                    self.store_channels("y", total, y, channel)

    def _read(self, state: Value, c: Value, sums: Sequence[Variable], n: Value) -> None:
        k = self.k
        factor = self.splat(c, n)
        for part, total in enumerate(sums):
            old = k.load(state, n * self.width + part * self.lanes, self.vector)
            total.set(k.fma(old, factor, total.get()))

    def _advance(
        self,
        deltas: list[Value],
        inputs: list[Value],
        rates: Value,
        state: Value,
        b: Value,
        c: Value,
        sums: Sequence[Variable],
        group: Value,
    ) -> None:
        k = self.k

        def update(n: Value, power: Callable[[Value, Value], Value]) -> None:
            b_n, c_n = (self.splat(row, n) for row in (b, c))
            for part, (delta, value, total) in enumerate(zip(deltas, inputs, sums, strict=True)):
                at = n * self.width + part * self.lanes
                decay = power(delta, k.load(rates, at, self.vector))
                new = k.fma(k.load(state, at, self.vector), decay, value * b_n)
                k.store(new, state, at)
                total.set(k.fma(new, c_n, total.get()))

        self.each_power(deltas, group, update)


def _emit_scan(code: KernelCode, problem: SelectiveScanProblem) -> None:
    kernel, k = _ScanForward(code, problem, problem.scratch(code.target)), code.code
    block = kernel.width * _GROUPS
    blocks = (kernel.channels + (block - 1)) // block
    steps = index_of(code, problem.steps)
    for unit in k.range(k.begin, k.end):
        batch, first = unit // blocks, unit % blocks * block
        left = k.minimum(kernel.channels - first, block)
        groups = (left + (kernel.width - 1)) // kernel.width
        active = kernel.active_steps(batch, steps)
        kernel.prepare(batch, first, groups)
        for t in k.range(active):
            kernel.step(batch, t, first, groups, advance=True)
        if "length" in problem:
            for t in k.range(active, steps):
                kernel.step(batch, t, first, groups, advance=False)
        for vector in k.range(groups * _TOGETHER):
            offset = vector // _TOGETHER * (problem.states * kernel.width) + vector % _TOGETHER * kernel.lanes
            kernel.store_table("after", batch, first + vector * kernel.lanes, k.pointer(kernel.state, offset, problem.compute))


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `selective_scan` on f32, f64, f16 and bf16; channels of x, delta and D must be adjacent."""
    operands = name_operands(_NAMES, inputs, ("y", "after"), outputs, ("x", "delta", "D", "y", "after"))
    if isinstance(operands, str):
        return operands
    x, state = inputs[0], inputs[6] if len(inputs) > 6 else None
    assert x is not None
    batch, steps, channels = x.dims
    problem = SelectiveScanProblem(batch, steps, operands, channels, op["state_size"])
    units = batch * ceildiv(channels, _TOGETHER * _GROUPS * target.lanes(problem.compute))
    emit, scratch = partial(_emit_scan, problem=problem), sum(problem.scratch(target).values()) * problem.compute.size
    pair = ((6, 1),) if state is not None and state.dtype is outputs[1].dtype else ()
    return Lowering((Stage("selective_scan", problem, number_tensors(inputs, 2), units, emit, scratch),), in_place=pair)


# -- gradients ----------------------------------------------------------------------------------------------------
class _BackwardScanCode(_ScanCode, BackwardCode[SelectiveScanProblem]):
    """Emits the gradients of the selective scan."""

    def __init__(self, code: KernelCode, problem: SelectiveScanProblem) -> None:
        super().__init__(code, problem, problem.backward_scratch(code.target))
        self.table = problem.states * self.width
        self.padded = -(-problem.states // self.lanes) * self.lanes
        names = ("decays", "back", "rate_sums", "rows", "skips")
        self.decays, self.back, self.rate_sums, self.rows, self.skips = (self.part(name) for name in names)

    def fill_table(self, name: str, batch: tuple[Value, ...], channel: Value, target: Value) -> None:
        """Fill the state table of the channels from an operand, or with zeros if it is missing."""
        if name not in self.problem:
            self.copy_table(None, target)
            return
        for part in range(_TOGETHER):
            column = self.k.pointer(target, part * self.lanes, self.compute)
            self.load_table(name, batch, channel + part * self.lanes, column)

    def load_step(self, name: str, t: Value) -> list[Value]:
        """Load the vectors of one step."""
        base = self.at(name, self.batch, t)
        return [self.load_channels(name, base, self.channel + part * self.lanes) for part in range(_TOGETHER)]

    def store_step(self, name: str, values: list[Value], t: Value) -> None:
        """Store the existing channels of one step's vectors."""
        self._store_channels_of(name, values, self.at(name, self.batch, t))

    def _store_channels_of(self, name: str, values: list[Value], base: Value) -> None:
        for part, value in enumerate(values):
            with self.k.when(self.channel + part * self.lanes < self.channels):
                self.store_channels(name, value, base, self.channel + part * self.lanes)

    # -- a pass over a block of channels
    def run(self, batch: Value, channel: Value, number: Value, first: Value, steps: Value) -> None:
        """Run forward, then backward chunk by chunk; `number` is the unit's block, `first` whether it starts with these channels."""
        k = self.k
        self.batch, self.channel, self.number, self.first = batch, channel, number, first
        active = self.active_steps(batch, steps)
        self.prepare(batch, channel, k.index(1))
        self.fill_table("d_state", (batch,), channel, self.back)
        self.copy_table(None, self.rate_sums)
        for part in range(0, self.width, self.lanes):
            k.store(k.constant(0, self.vector), self.skips, part)
        self.run_chunks(_CHUNK, active, steps)
        self._store_sums(batch, channel)

    def advance(self, t: Value, before: Value, after: Value, slot: Value | None) -> None:
        """Advance the scan by one step; its decays are saved."""
        k = self.k
        decays = None if slot is None else self.slot(self.decays, slot)
        b, _ = self.fetch_rows(self.batch, t)
        deltas, xs = (self.load_step(name, t) for name in ("delta", "x"))
        inputs = [delta * x for delta, x in zip(deltas, xs, strict=True)]

        def update(n: Value, power: Callable[[Value, Value], Value]) -> None:
            b_n = self.splat(b, n)
            for part, (delta, value) in enumerate(zip(deltas, inputs, strict=True)):
                at = n * self.width + part * self.lanes
                decay = power(delta, k.load(self.rates, at, self.vector))
                if decays is not None:
                    k.store(decay, decays, at)
                k.store(k.fma(k.load(before, at, self.vector), decay, value * b_n), after, at)

        self.each_power(deltas, k.index(0), update)

    def step_back(self, t: Value, before: Value, after: Value, slot: Value) -> None:
        """Compute ds of one step, backward, and add its contributions to the gradients."""
        k, decays = self.k, self.slot(self.decays, slot)
        b, c = self.fetch_rows(self.batch, t)
        deltas, xs, seeds = (self.load_step(name, t) for name in ("delta", "x", "dy"))
        along, slopes = ([k.var(0, self.vector) for _ in range(_TOGETHER)] for _ in range(2))
        for n in k.range(self.problem.states):
            b_n, c_n = (self.splat(row, n) for row in (b, c))
            writes, reads = [], []
            for part in range(_TOGETHER):
                at = n * self.width + part * self.lanes
                ds = k.fma(seeds[part], c_n, k.load(self.back, at, self.vector))
                carried = ds * k.load(decays, at, self.vector)
                moved = carried * k.load(before, at, self.vector)
                along[part].set(k.fma(ds, b_n, along[part].get()))
                slopes[part].set(k.fma(moved, k.load(self.rates, at, self.vector), slopes[part].get()))
                k.store(k.fma(moved, deltas[part], k.load(self.rate_sums, at, self.vector)), self.rate_sums, at)
                k.store(carried, self.back, at)
                writes.append(ds * (deltas[part] * xs[part]))
                reads.append(seeds[part] * k.load(after, at, self.vector))
            self._store_rows(n, writes, reads)
        dx = [delta * total.get() for delta, total in zip(deltas, along, strict=True)]
        self.store_step("dx", self._add_skip(dx, seeds, xs), t)
        log2 = math.log(2)  # rates are stored as A·log₂e
        slope = [k.fma(x, total.get(), each.get() * log2) for x, total, each in zip(xs, along, slopes, strict=True)]
        self.store_step("ddelta", slope, t)
        self._add_rows(t)

    def step_past_length(self, t: Value) -> None:
        """Compute ds and the gradients of the output alone, for a step past the length."""
        k, zero = self.k, self.k.constant(0, self.vector)
        _, c = self.fetch_rows(self.batch, t)
        xs, seeds = (self.load_step(name, t) for name in ("x", "dy"))
        for n in k.range(self.problem.states):
            c_n, reads = self.splat(c, n), []
            for part in range(_TOGETHER):
                at = n * self.width + part * self.lanes
                k.store(k.fma(seeds[part], c_n, k.load(self.back, at, self.vector)), self.back, at)
                reads.append(seeds[part] * k.load(self.state, at, self.vector))
            self._store_rows(n, [zero], reads)
        self.store_step("dx", self._add_skip([zero] * _TOGETHER, seeds, xs), t)
        self.store_step("ddelta", [zero] * _TOGETHER, t)
        self._add_rows(t)

    def _add_skip(self, dx: list[Value], seeds: list[Value], xs: list[Value]) -> list[Value]:
        """Add the skip connection D·dy to dx; accumulates the gradient of D."""
        if "D" not in self.problem:
            return dx
        k, sums = self.k, []
        for part, (value, seed, x) in enumerate(zip(dx, seeds, xs, strict=True)):
            skip = self.load_channels("D", self.at("D"), self.channel + part * self.lanes)
            sums.append(k.fma(skip, seed, value))
            k.store(k.fma(seed, x, k.load(self.skips, part * self.lanes, self.vector)), self.skips, part * self.lanes)
        return sums

    # -- sums over channels
    def _store_rows(self, n: Value, writes: list[Value], reads: list[Value]) -> None:
        """Add a state's contributions to dB and dC of the step, lane by lane."""
        for index, values in enumerate((writes, reads)):
            total = values[0] if len(values) == 1 else values[0] + values[1]
            self.k.store(total, self.rows, (n + index * self.padded) * self.lanes)

    def _add_rows(self, t: Value) -> None:
        """Add the step's sums over these channels to the unit's rows of dB and dC."""
        k, states = self.k, self.problem.states
        for index, name in enumerate(("rows_B", "rows_C")):
            base = self.at(name, self.number, self.batch, t)
            for at in range(0, states, self.lanes):
                vectors = [
                    k.load(self.rows, (index * self.padded + at + lane) * self.lanes, self.vector) for lane in range(self.lanes)
                ]
                (total,) = merge_lanes(k, vectors, operator.add)
                count = min(self.lanes, states - at)
                row = k.var(total)
                with k.when(self.first == 0):
                    row.set(k.load_masked(base, at, count, self.vector) + total)
                if count == self.lanes:
                    k.store(row.get(), base, at)
                else:
                    k.store_masked(row.get(), base, at, count)

    def _store_sums(self, batch: Value, channel: Value) -> None:
        """Store the sums over time, and the gradient of the first state."""
        k = self.k
        tables = [("part_A", self.rate_sums), *([("d_before", self.back)] if "state" in self.problem else [])]
        for name, table in tables:
            for part in range(_TOGETHER):
                column = k.pointer(table, part * self.lanes, self.compute)
                self.store_table(name, batch, channel + part * self.lanes, column)
        if "D" in self.problem:
            values = [k.load(self.skips, part * self.lanes, self.vector) for part in range(_TOGETHER)]
            self._store_channels_of("part_D", values, self.at("part_D", batch))


def _emit_backward(code: KernelCode, problem: SelectiveScanProblem) -> None:
    kernel, k = _BackwardScanCode(code, problem), code.code
    block = kernel.width * _BACKWARD_GROUPS
    blocks = (kernel.channels + (block - 1)) // block
    steps = index_of(code, problem.steps)
    for unit in k.range(k.begin, k.end):
        batch, number = unit // blocks, unit % blocks
        start = number * block
        for channel in k.range(start, k.minimum(start + block, kernel.channels), kernel.width):
            kernel.run(batch, channel, number, channel == start, steps)


def _emit_sum(code: KernelCode, count: Size, parts: Size) -> None:
    """Emit target[i] = Σ source[part, i], parts in order."""
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


def lower_backward(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `selective_scan_backward` on f32, f64, f16 and bf16; channels of x, delta, dy and D must be adjacent."""
    operand_of = dict(zip(_BACKWARD_NAMES, inputs, strict=False))
    x = operand_of["x"]
    assert x is not None
    if not all(tensor.is_dense for tensor in outputs):
        return "a result with gaps"
    optional = [name for name, operand in (("dD", "D"), ("d_before", "state")) if operand_of.get(operand) is not None]
    results = ("dx", "ddelta", "dA", "dB", "dC", *optional)
    compute = DType.of("f64" if any(t is not None and t.dtype.name == "f64" for t in (*inputs, *outputs)) else "f32")
    (batch, steps, channels), states = x.dims, int(op["state_size"])
    blocks = ceildiv(channels, _TOGETHER * _BACKWARD_GROUPS * target.lanes(type_of(compute.name)))
    sums = _partial_sums(batch, steps, channels, states, blocks, has_skip="dD" in results)
    temporaries = tuple(Tensor.dense(Shape.make(dims, compute)) for _, dims in sums.values())
    operands = name_operands(_BACKWARD_NAMES, inputs, (*results, *sums), (*outputs, *temporaries), _BACKWARD_DENSE)
    if isinstance(operands, str):
        return operands
    problem = SelectiveScanProblem(batch, steps, operands, channels, states)
    emit = partial(_emit_backward, problem=problem)
    borders = ceildiv(steps, _CHUNK) * (states * _TOGETHER * target.lanes(problem.compute))
    scratch = (sum(problem.backward_scratch(target).values()) + borders) * problem.compute.size
    tensors = number_tensors(inputs, len(results) + len(sums))
    stages = [Stage("selective_scan_backward", problem, tensors, batch * blocks, emit, scratch)]
    for number, (name, (parts, *rest)) in enumerate(sums.values(), start=len(inputs) + len(results)):
        count, target_number = product(rest), len(inputs) + results.index(name)
        add = partial(_emit_sum, count=count, parts=parts)
        stages.append(Stage("sum_parts", (count, parts), (number, target_number), ceildiv(count, _SUMMED), add))
    return Lowering(tuple(stages), temporaries)


def _partial_sums(
    batch: Size, steps: Size, channels: Size, states: int, blocks: Size, *, has_skip: bool
) -> dict[str, tuple[str, tuple[Size, ...]]]:
    """The temporaries of partial sums: the result that each is reduced to along its first axis, and its dims."""
    rows = (blocks, batch, steps, states)
    sums: dict[str, tuple[str, tuple[Size, ...]]] = {"rows_B": ("dB", rows), "rows_C": ("dC", rows)}
    sums["part_A"] = ("dA", (batch, channels, states))
    return {**sums, "part_D": ("dD", (batch, channels))} if has_skip else sums
