"""The selective scan: vectors run across channels, each lane is a channel with its n states.

A unit is (batch row, block of channels): it runs over time independently, so units never wait for each other. Its states and
rates are in scratch as [n, channels], filled by transposing blocks of A and of the given state.

The exponential is most of the work. Rates are kept as A·log₂e, so one multiply-add splits delta·A into an integer, which
becomes the exponent bits, and a fraction, whose product is exact before it is rounded; nothing is clamped. One test per
step and vector, |delta|·max|A·log₂e| against the exponent range, sends steps that could leave it to the full `exp`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.math.exponential import exp
from rlx.backends.cpu.emit.math.polynomial import exponent_bias, fraction_bits, horner
from rlx.backends.cpu.emit.values import Value, Variable
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.kernels.recurrence.steps import Operands, Recurrence
from rlx.backends.cpu.target import Target
from rlx.backends.elementary_coefficients import EXP
from rlx.core.dim import Size, ceildiv
from rlx.ir.op import Op

_NAMES = ("x", "delta", "A", "B", "C", "D", "state", "length")
_TOGETHER = 2  # vectors of channels per pass: their dependency chains overlap, and they share B and C
_GROUPS = 2  # passes of a unit: whole cache lines of x, delta and y
_PREFETCH = 8  # steps; each step's row is in another page, which the hardware prefetcher does not cross
_UNROLLED = 16  # states of a channel in straight code
_REACH = {"f32": 124.0, "f64": 1020.0}  # below it 2^(delta·A·log₂e) is a normal number


@dataclass(frozen=True)
class SelectiveScanProblem(Recurrence):
    """Sizes, types and strides: everything the code depends on."""

    channels: Size
    states: int


class ScanCode:
    """The kernel of one problem under construction."""

    def __init__(self, code: KernelCode, problem: SelectiveScanProblem) -> None:
        self.code, self.k, self.problem = code, code.code, problem
        self.lanes = code.target.lanes(problem.compute)
        self.width = _TOGETHER * self.lanes
        self.vector = problem.compute.vector(self.lanes)
        self.channels = index_of(code, problem.channels)
        table = problem.states * self.width * _GROUPS
        self.rates, self.state = (self._scratch(place * table) for place in (0, 1))
        self.most = self._scratch(2 * table)
        self.row = self._scratch(2 * table + self.width * _GROUPS)

    @staticmethod
    def scratch_bytes(problem: SelectiveScanProblem, target: Target) -> int:
        """Rates, states, the largest rate of each channel, and a row of B and of C."""
        width = _TOGETHER * _GROUPS * target.lanes(problem.compute)
        return ((2 * problem.states + 1) * width + 2 * problem.states) * problem.compute.size

    def _scratch(self, start: int) -> Value:
        return self.k.pointer(self.k.scratch, start, self.problem.compute)

    # -- addresses and elements
    def at(self, name: str, *positions: Value) -> Value:
        """The address of an element; missing positions are 0."""
        return self.problem.operands.address(self.code, name, *positions)

    def load_channels(self, name: str, base: Value, first: Value) -> Value:
        """A vector of channels in the compute type, zeros past the last one."""
        kind = self.problem[name].kind.vector(self.lanes)
        loaded = self.k.load_masked(base, first, self.channels - first, kind)
        return self.k.convert(loaded, self.problem.compute)

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
                loaded.append(k.convert(vector, self.problem.compute))
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
            place = vector // _TOGETHER * (states * self.width) + vector % _TOGETHER * self.lanes
            rates = k.pointer(self.rates, place, self.problem.compute)
            self.load_table("A", (), channel, rates, 1 / math.log(2))
            most = k.constant(0, self.vector)
            for index in range(states):
                rate = k.abs(k.load(rates, index * self.width, self.vector))
                most = k.maximum(most, rate)
            k.store(most, self.most, vector * self.lanes)
            state = k.pointer(self.state, place, self.problem.compute)
            if "state" in self.problem:
                self.load_table("state", (batch,), channel, state)
            else:
                for index in range(states):
                    k.store(k.constant(0, self.vector), state, index * self.width)

    # -- time
    def fetch_rows(self, batch: Value, t: Value) -> tuple[Value, Value]:
        """The rows of B and C of a step in the compute type, dense: in place, or copied into scratch."""
        k, found = self.k, []
        for index, name in enumerate(("B", "C")):
            row, operand = self.at(name, batch, t), self.problem[name]
            step = operand.strides[-1]
            if operand.kind == self.problem.compute and isinstance(step, int) and step == 1:
                found.append(row)
                continue
            target = k.pointer(self.row, index * self.problem.states, self.problem.compute)
            for at in k.range(self.problem.states):
                k.store(k.convert(k.load(row, at * self.code.size(step), operand.kind), self.problem.compute), target, at)
            found.append(target)
        return found[0], found[1]

    def step(self, batch: Value, t: Value, first: Value, groups: Value, *, advance: bool) -> None:
        """One step of all groups of a unit; without `advance` the states are read only."""
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
            state = k.pointer(self.state, table, self.problem.compute)
            if advance:
                deltas = [self.load_channels("delta", delta, channel) for channel in channels]
                inputs = [value * change for value, change in zip(xs, deltas, strict=True)]
                rates = k.pointer(self.rates, table, self.problem.compute)
                self._advance(deltas, inputs, rates, state, b, c, sums, group)
            else:
                self._each_state(partial(self._read, state, c, sums))
            for part, channel in enumerate(channels):
                total = sums[part].get()
                if "D" in self.problem:
                    total = k.fma(self.load_channels("D", self.at("D"), channel), xs[part], total)
                with k.when(channel < self.channels):
                    self.store_channels("y", total, y, channel)

    def _each_state(self, body: Callable[[Value], None]) -> None:
        """Run a body for every state: straight code up to a limit, then a loop of straight pieces."""
        whole = self.problem.states // _UNROLLED * _UNROLLED
        for start in self.k.range(0, whole, _UNROLLED):
            for index in range(_UNROLLED):
                body(start + index)
        for index in range(whole, self.problem.states):
            body(self.k.index(index))

    def _read(self, state: Value, c: Value, sums: Sequence[Variable], n: Value) -> None:
        k = self.k
        factor = k.splat(k.load(c, n, self.problem.compute), self.lanes)
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
            b_n, c_n = (k.splat(k.load(row, n, self.problem.compute), self.lanes) for row in (b, c))
            for part, (delta, value, total) in enumerate(zip(deltas, inputs, sums, strict=True)):
                place = n * self.width + part * self.lanes
                decay = power(delta, k.load(rates, place, self.vector))
                new = k.fma(k.load(state, place, self.vector), decay, value * b_n)
                k.store(new, state, place)
                total.set(k.fma(new, c_n, total.get()))

        self.each_power(deltas, group, update)

    def each_power(
        self, deltas: list[Value], group: Value, update: Callable[[Value, Callable[[Value, Value], Value]], None]
    ) -> None:
        """Run a body for every state, with the function from delta and rate to a decay: the fast one if its range suffices."""
        k = self.k
        limit = _REACH[self.problem.compute.name]
        most = k.pointer(self.most, group * self.width, self.problem.compute)
        reach = [k.abs(d) * k.load(most, part * self.lanes, self.vector) for part, d in enumerate(deltas)]
        near = [each < limit for each in reach]
        with k.when(k.all_lanes(near[0] & near[1])):
            self._each_state(lambda n: update(n, self._power))
        with k.otherwise():
            for n in k.range(self.problem.states):
                update(n, lambda delta, rate: exp(k, delta * rate * math.log(2)))

    def _power(self, delta: Value, rate: Value) -> Value:
        """2^(delta·rate), a normal number."""
        k = self.k
        big = 1.5 * 2.0 ** fraction_bits(delta.type) + exponent_bias(delta.type)
        shifted = k.fma(delta, rate, big)
        fraction = k.fma(delta, rate, -(shifted - big))
        log2 = math.log(2)
        tail = [coefficient * log2**power for power, coefficient in enumerate(EXP[delta.type.name], start=2)]
        bits = k.bitcast(shifted, delta.type.integer) << fraction_bits(delta.type)
        return horner(k, fraction, (1.0, log2, *tail)) * k.bitcast(bits, delta.type)


def _emit(code: KernelCode, problem: SelectiveScanProblem) -> None:
    kernel = ScanCode(code, problem)
    k = code.code
    block = kernel.width * _GROUPS
    blocks = (kernel.channels + (block - 1)) // block
    steps = index_of(code, problem.steps)
    for unit in k.range(k.begin, k.end):
        batch, first = unit // blocks, unit % blocks * block
        left = k.minimum(kernel.channels - first, block)
        groups = (left + (kernel.width - 1)) // kernel.width
        active = problem.operands.active_steps(code, batch, steps)
        kernel.prepare(batch, first, groups)
        for t in k.range(active):
            kernel.step(batch, t, first, groups, advance=True)
        if "length" in problem:
            for t in k.range(active, steps):
                kernel.step(batch, t, first, groups, advance=False)
        for vector in k.range(groups * _TOGETHER):
            place = vector // _TOGETHER * (problem.states * kernel.width) + vector % _TOGETHER * kernel.lanes
            kernel.store_table("after", batch, first + vector * kernel.lanes, k.pointer(kernel.state, place, problem.compute))


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """The selective scan on f32, f64, f16 and bf16; channels of x, delta and D must be adjacent."""
    operands = Operands.of(_NAMES, inputs, ("y", "after"), outputs, ("x", "delta", "D", "y", "after"))
    if isinstance(operands, str):
        return operands
    x, state = inputs[0], inputs[6] if len(inputs) > 6 else None
    assert x is not None
    batch, steps, channels = x.dims
    problem = SelectiveScanProblem(batch, steps, operands, channels, op["state_size"])
    present = [index for index, tensor in enumerate(inputs) if tensor is not None]
    units = problem.batch * ceildiv(problem.channels, _TOGETHER * _GROUPS * target.lanes(problem.compute))
    emit = partial(_emit, problem=problem)
    places, scratch = (*present, len(inputs), len(inputs) + 1), ScanCode.scratch_bytes(problem, target)
    pair = ((6, 1),) if state is not None and state.dtype is outputs[1].dtype else ()
    return Lowering((Stage("selective_scan", problem, places, units, emit, scratch),), in_place=pair)
