"""The gradients of the gated delta net, storing states only at chunk boundaries.

A unit is (batch row, head). It runs forward once and keeps the state before every chunk; then, from the last chunk to the first, it
recomputes the states inside the chunk and runs backward through them with dS. Rows of a state are keys, vectors run along its values; a
backward step is two sweeps, since dv must be known before dS is complete:

    dS += q⊗o′,  dq = S·o′,  e = dSᵀk           with o′ = do/√n
    dv = β·e,  dS -= k⊗dv,  dk = dS·d - T·dv,  dg = Σ dS·T,  dS *= e^g        with T = e^g·S′ and d = (v - Tᵀk)·β
"""

from __future__ import annotations

import math
import operator
from functools import partial, reduce

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.math.exponential import exp
from rlx.backends.cpu.emit.types import Type
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.attention.running_softmax import merge_lanes
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.kernels.recurrence.delta_net import DeltaNetProblem
from rlx.backends.cpu.kernels.recurrence.steps import Operands
from rlx.backends.cpu.target import Target
from rlx.core.dim import ceildiv
from rlx.ir.op import Op

_NAMES = ("q", "k", "v", "g", "beta", "do", "state", "d_state", "length")
_RESULTS = ("dq", "dk", "dv", "dg", "dbeta", "d_before")
_DENSE = ("q", "k", "v", "do", "state", "d_state", "dq", "dk", "dv", "d_before")
_CHUNK = 32  # the states of a chunk and of all boundaries take about the same memory for a thousand steps


class _Space:
    """Where things are in scratch, in elements."""

    def __init__(self, problem: DeltaNetProblem, target: Target) -> None:
        lanes, width = target.lanes(problem.compute), problem.width(target)
        rows = -(-problem.size // lanes) * lanes
        self.table, self.elements = problem.size * width, 0
        self.keys, self.queries = (self._reserve(problem.size) for _ in range(2))
        self.seeds, self.values = (self._reserve(width) for _ in range(2))
        self.lost = self._reserve(_CHUNK * width)
        self.query_sums, self.key_sums = (self._reserve(rows * lanes) for _ in range(2))
        self.state, self.back = (self._reserve(self.table) for _ in range(2))
        self.states = self._reserve((_CHUNK + 1) * self.table)
        self.borders = self.elements

    def _reserve(self, elements: int) -> int:
        start = self.elements
        self.elements = start + -(-elements // 16) * 16
        return start


class _DeltaNetBackwardUnit:
    """The code of a unit."""

    def __init__(self, code: KernelCode, problem: DeltaNetProblem, space: _Space) -> None:
        self.code, self.k, self.problem, self.space = code, code.code, problem, space
        self.compute: Type = problem.compute
        self.lanes = code.target.lanes(self.compute)
        self.vector = self.compute.vector(self.lanes)
        self.size, self.width = problem.size, problem.width(code.target)
        self.sweep = problem.vectors(code.target) * self.lanes
        self.steps = index_of(code, problem.steps)

    # -- scratch and operands
    def part(self, start: int, offset: Value | int = 0) -> Value:
        """The address of a part of scratch, plus an offset in elements."""
        return self.k.pointer(self.k.scratch, self.k.index(offset) + start, self.compute)

    def at(self, name: str, *positions: Value) -> Value:
        """The address of an element."""
        return self.problem.operands.address(self.code, name, *positions)

    def row(self, name: str, t: Value) -> Value:
        """The address of this head's row of a step."""
        return self.at(name, self.batch, t, self.head)

    def number(self, name: str, t: Value) -> Value:
        """g or beta of a step."""
        return self.k.convert(self.k.load(self.row(name, t), 0, self.problem.operands[name].kind), self.compute)

    def copy_row(self, name: str, base: Value, target: Value, width: int, factor: float = 1.0) -> None:
        """A row of `size` numbers into scratch, zeros up to `width`."""
        k, kind = self.k, self.problem.operands[name].kind.vector(self.lanes)
        for at in range(0, width, self.lanes):
            count = min(self.lanes, self.size - at)
            value = k.convert(k.load_masked(base, at, count, kind), self.compute) if count > 0 else k.constant(0, self.vector)
            k.store_masked(value * factor if factor != 1.0 else value, target, at, min(self.lanes, width - at))

    def store_row(self, name: str, base: Value, at: int, value: Value) -> None:
        """A vector into a row of a result."""
        count = min(self.lanes, self.size - at)
        if count > 0:
            self.k.store_masked(self.k.convert(value, self.problem.operands[name].kind), base, at, count)

    def copy_table(self, source: Value | None, target: Value) -> None:
        """A state, or zeros."""
        k = self.k
        for at in k.range(0, self.space.table, self.lanes):
            k.store(k.constant(0, self.vector) if source is None else k.load(source, at, self.vector), target, at)

    def fill_table(self, name: str, target: Value) -> None:
        """From an operand, or zeros if it is missing."""
        if name not in self.problem.operands:
            self.copy_table(None, target)
            return
        for row in self.k.range(self.size):
            base = self.at(name, self.batch, self.head, row)
            self.copy_row(name, base, self.k.pointer(target, row * self.width, self.compute), self.width)

    def splat(self, base: Value, index: Value) -> Value:
        """A number in every lane."""
        return self.k.splat(self.k.load(base, index, self.compute), self.lanes)

    def load(self, base: Value, at: Value) -> list[Value]:
        """The vectors of a sweep."""
        return [self.k.load(base, at + part, self.vector) for part in range(0, self.sweep, self.lanes)]

    def store(self, values: list[Value], base: Value, at: Value) -> None:
        """The vectors of a sweep."""
        for part, value in zip(range(0, self.sweep, self.lanes), values, strict=True):
            self.k.store(value, base, at + part)

    # -- time
    def run(self, batch: Value, head: Value) -> None:
        """Forward over the chunks, then backward chunk by chunk."""
        k, space = self.k, self.space
        self.batch, self.head = batch, head
        active = self.problem.operands.active_steps(self.code, batch, self.steps)
        state, states = self.part(space.state), self.part(space.states)
        self.fill_table("state", state)
        self.fill_table("d_state", self.part(space.back))
        for start in k.range(0, active, _CHUNK):
            self.copy_table(state, self.part(space.borders, start // _CHUNK * space.table))
            for t in k.range(start, k.minimum(start + _CHUNK, active)):
                self.advance(t, state, state, k.index(0))
        if "length" in self.problem.operands:
            for t in k.range(self.steps - 1, active - 1, -1):
                self.frozen(t, state)
        for chunk in k.range((active + (_CHUNK - 1)) // _CHUNK - 1, -1, -1):
            start, stop = chunk * _CHUNK, k.minimum((chunk + 1) * _CHUNK, active)
            self.copy_table(self.part(space.borders, chunk * space.table), states)
            for t in k.range(start, stop):
                before, after = (self.part(space.states, (t - start + n) * space.table) for n in (0, 1))
                self.advance(t, before, after, t - start)
            for t in k.range(stop - 1, start - 1, -1):
                before, after = (self.part(space.states, (t - start + n) * space.table) for n in (0, 1))
                self.pull(t, before, after, t - start)
        if "state" in self.problem.operands:
            for row in k.range(self.size):
                base, source = self.at("d_before", self.batch, self.head, row), self.part(space.back, row * self.width)
                for at in range(0, self.width, self.lanes):
                    self.store_row("d_before", base, at, k.load(source, at, self.vector))

    def advance(self, t: Value, before: Value, after: Value, slot: Value) -> None:
        """One step of the net from one state to another; v - Tᵀk is kept in a slot."""
        k, space = self.k, self.space
        keys, values, lost = self.part(space.keys), self.part(space.values), self.part(space.lost, slot * self.width)
        self.copy_row("k", self.row("k", t), keys, self.size)
        self.copy_row("v", self.row("v", t), values, self.width)
        decay, beta = (k.splat(number, self.lanes) for number in (exp(k, self.number("g", t)), self.number("beta", t)))
        for column in k.range(0, self.width, self.sweep):
            found = [k.var(0, self.vector) for _ in range(0, self.sweep, self.lanes)]
            for row in k.range(self.size):
                key = self.splat(keys, row)
                for total, old in zip(found, self.load(before, row * self.width + column), strict=True):
                    total.set(k.fma(key, old, total.get()))
            missing = [value - decay * total.get() for value, total in zip(self.load(values, column), found, strict=True)]
            self.store(missing, lost, column)
            changes = [each * beta for each in missing]
            for row in k.range(self.size):
                key, place = self.splat(keys, row), row * self.width + column
                pairs = zip(changes, self.load(before, place), strict=True)
                self.store([k.fma(key, change, decay * old) for change, old in pairs], after, place)

    def pull(self, t: Value, before: Value, after: Value, slot: Value) -> None:
        """One backward step."""
        k, space = self.k, self.space
        self._begin(t)
        self.copy_row("k", self.row("k", t), self.part(space.keys), self.size)
        decay, beta = (k.splat(number, self.lanes) for number in (exp(k, self.number("g", t)), self.number("beta", t)))
        lost, gate, share = self.part(space.lost, slot * self.width), k.var(0, self.vector), k.var(0, self.vector)
        for column in k.range(0, self.width, self.sweep):
            along = self._read(column, after, self.part(space.keys))
            missing = self.load(lost, column)
            share.set(reduce(operator.add, (e * each for e, each in zip(along, missing, strict=True)), share.get()))
            dv, changes = [e * beta for e in along], [each * beta for each in missing]
            self.store(dv, self.part(space.values), column)
            for row in k.range(self.size):
                key, place = self.splat(self.part(space.keys), row), row * self.width + column
                total, kept = k.load(self.part(space.key_sums), row * self.lanes, self.vector), []
                for part, (ds, old) in enumerate(
                    zip(self.load(self.part(space.back), place), self.load(before, place), strict=True)
                ):
                    decayed = decay * old
                    total = k.fma(ds, changes[part], total) - decayed * dv[part]
                    inner = ds - key * dv[part]
                    gate.set(k.fma(inner, decayed, gate.get()))
                    kept.append(inner * decay)
                k.store(total, self.part(space.key_sums), row * self.lanes)
                self.store(kept, self.part(space.back), place)
        self._write_rows("dq", t, space.query_sums)
        self._write_rows("dk", t, space.key_sums)
        for at in range(0, self.width, self.lanes):
            self.store_row("dv", self.row("dv", t), at, k.load(self.part(space.values), at, self.vector))
        for name, lanes in (("dg", gate), ("dbeta", share)):
            k.store(k.convert(k.reduce_add(lanes.get()), self.problem.operands[name].kind), self.row(name, t), 0)

    def frozen(self, t: Value, state: Value) -> None:
        """A step past the length: it reads the last state and does not change it."""
        k, zero = self.k, self.k.constant(0, self.vector)
        self._begin(t)
        for column in k.range(0, self.width, self.sweep):
            self._read(column, state, self.part(self.space.queries))
        self._write_rows("dq", t, self.space.query_sums)
        for name in ("dk", "dv"):
            for at in range(0, self.width, self.lanes):
                self.store_row(name, self.row(name, t), at, zero)
        for name in ("dg", "dbeta"):
            k.store(k.convert(k.constant(0, self.compute), self.problem.operands[name].kind), self.row(name, t), 0)

    def _begin(self, t: Value) -> None:
        """q and o′ of a step into scratch, and accumulators set to zero."""
        k, space = self.k, self.space
        self.copy_row("q", self.row("q", t), self.part(space.queries), self.size)
        self.copy_row("do", self.row("do", t), self.part(space.seeds), self.width, 1 / math.sqrt(self.size))
        for sums in (space.query_sums, space.key_sums):
            for at in k.range(0, self.size * self.lanes, self.lanes):
                k.store(k.constant(0, self.vector), self.part(sums), at)

    def _read(self, column: Value, state: Value, keys: Value) -> list[Value]:
        """The gradient of the step's output: dS += q⊗o′, dq += S·o′ lane by lane; returns dSᵀk for a sweep of columns."""
        k, space = self.k, self.space
        seeds, back = self.load(self.part(space.seeds), column), self.part(space.back)
        along = [k.var(0, self.vector) for _ in seeds]
        for row in k.range(self.size):
            query, key, place = (self.splat(self.part(space.queries), row), self.splat(keys, row), row * self.width + column)
            changed = [k.fma(query, seed, ds) for seed, ds in zip(seeds, self.load(back, place), strict=True)]
            self.store(changed, back, place)
            total = k.load(self.part(space.query_sums), row * self.lanes, self.vector)
            for seed, old, ds, e in zip(seeds, self.load(state, place), changed, along, strict=True):
                total = k.fma(seed, old, total)
                e.set(k.fma(key, ds, e.get()))
            k.store(total, self.part(space.query_sums), row * self.lanes)
        return [e.get() for e in along]

    def _write_rows(self, name: str, t: Value, sums: int) -> None:
        """Sums that lie lane by lane, as one row of a result."""
        k = self.k
        for at in range(0, self.size, self.lanes):
            vectors = [k.load(self.part(sums), (at + lane) * self.lanes, self.vector) for lane in range(self.lanes)]
            (total,) = merge_lanes(k, vectors, operator.add)
            self.store_row(name, self.row(name, t), at, total)


def _emit(code: KernelCode, problem: DeltaNetProblem, space: _Space) -> None:
    unit, k = _DeltaNetBackwardUnit(code, problem, space), code.code
    heads = index_of(code, problem.heads)
    for number in k.range(k.begin, k.end):
        unit.run(number.udiv(heads), number.urem(heads))


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """f32, f64, f16 and bf16; the elements of a head must be adjacent."""
    operands = Operands.of(_NAMES, inputs, _RESULTS[: len(outputs)], outputs, _DENSE)
    if isinstance(operands, str):
        return operands
    q = inputs[0]
    assert q is not None
    batch, steps, heads, _ = q.dims
    problem = DeltaNetProblem(batch, steps, operands, heads, int(op["state_size"]))
    space = _Space(problem, target)
    present = [index for index, tensor in enumerate(inputs) if tensor is not None]
    places = (*present, *range(len(inputs), len(inputs) + len(outputs)))
    scratch = (ceildiv(steps, _CHUNK) * space.table + space.elements) * operands.compute.size
    emit = partial(_emit, problem=problem, space=space)
    return Lowering((Stage("gated_delta_net_backward", problem, places, batch * heads, emit, scratch),))
