"""The gated delta net, in its recurrent form: one pass over the state for each step.

The columns of a head's state S [n keys, n values] are independent, so a unit is (batch row, head, block of columns) and keeps
its columns in L1 for all steps. Two rewrites make a step one pass of three multiply-adds per element:

    separate decay    S = γ·T with γ the product of exp(g) so far; T is rescaled (T *= γ, γ = 1) only if γ would
                      leave [2⁻³⁰, 2³⁰]; within that range floating point loses nothing
    delayed update    the next pass adds k⊗(d/γ) of the previous step as it reads; a step's output follows from
                      what it read: o = Sᵀq = γ·(Tᵀq) + (k·q)·d with T before the update

So a pass computes T += k′⊗d′, m = Tᵀk, p = Tᵀq with m, p and d′ in registers. A single step (decoding) reads the given
state once and writes the new one, without the copy in scratch.

In a batch-invariant program (`in_order`) the pass computes S = γ·S + k′⊗d′ instead, as the single step does: the state has the
same bits wherever a sequence is cut. That is one more multiply per element.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.math.exponential import exp
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.kernels.recurrence.steps import Operands, Recurrence
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size
from rlx.ir.op import Op

_NAMES = ("q", "k", "v", "g", "beta", "state", "length")
_VECTORS = 4  # of columns in a unit: three sets of them and three broadcasts fill sixteen registers
_ROWS = 4  # rows of the state in straight code
_SMALLEST = 2.0**-30


@dataclass(frozen=True)
class DeltaNetProblem(Recurrence):
    """Sizes, types and strides: everything the code depends on."""

    heads: Size
    size: int
    in_order: bool = False

    def vectors(self, target: Target) -> int:
        """Vectors of columns in a block."""
        return min(_VECTORS, -(-self.size // target.lanes(self.compute)))

    def blocks(self, target: Target) -> int:
        """Blocks of columns of a head."""
        return -(-self.size // (self.vectors(target) * target.lanes(self.compute)))

    def width(self, target: Target) -> int:
        """Columns of a head in whole blocks."""
        return self.blocks(target) * self.vectors(target) * target.lanes(self.compute)


class _DeltaNetUnit:
    """The code for one unit: a block of columns of one head of one batch row."""

    def __init__(self, code: KernelCode, problem: DeltaNetProblem, batch: Value, head: Value, column: Value) -> None:
        self.code, self.k, self.problem = code, code.code, problem
        self.batch, self.head, self.column = batch, head, column
        self.lanes = code.target.lanes(problem.compute)
        self.vectors = problem.vectors(code.target)
        self.width = self.vectors * self.lanes
        self.vector = problem.compute.vector(self.lanes)
        self.left = problem.size - column  # columns there are
        self.table = self.k.scratch
        self.rows = self._scratch(problem.size * self.width)
        self.decay = self.k.var(1.0, problem.compute)

    @staticmethod
    def scratch_bytes(problem: DeltaNetProblem, target: Target) -> int:
        """The block of the state, and rows of q and two of k in the compute type."""
        width = problem.vectors(target) * target.lanes(problem.compute)
        return problem.size * (width + 3) * problem.compute.size

    def _scratch(self, start: int) -> Value:
        return self.k.pointer(self.k.scratch, start, self.problem.compute)

    # -- elements
    def at(self, name: str, *positions: Value) -> Value:
        """The address of an element; missing positions are 0."""
        return self.problem.operands.address(self.code, name, *positions)

    def load(self, name: str, base: Value) -> list[Value]:
        """This unit's columns of a row, in the compute type, zeros past the last."""
        k, kind = self.k, self.problem[name].kind.vector(self.lanes)
        found = []
        for part in range(0, self.width, self.lanes):
            full = self._surely_inside(part)
            place = self.column + part
            loaded = k.load(base, place, kind) if full else k.load_masked(base, place, self.left - part, kind)
            found.append(k.convert(loaded, self.problem.compute))
        return found

    def store(self, name: str, values: list[Value], base: Value) -> None:
        """This unit's columns of a row."""
        k, kind = self.k, self.problem[name].kind
        for part, value in zip(range(0, self.width, self.lanes), values, strict=True):
            stored = k.convert(value, kind)
            if self._surely_inside(part):
                k.store(stored, base, self.column + part)
            else:
                k.store_masked(stored, base, self.column + part, self.left - part)

    def _surely_inside(self, part: int) -> bool:
        return self.problem.size % self.width == 0 or (self.problem.size < self.width and part + self.lanes <= self.problem.size)

    def row(self, name: str, t: Value, slot: Value) -> Value:
        """A row of q or k as dense numbers of the compute type: in place, or converted into a slot of scratch."""
        k, operand = self.k, self.problem[name]
        base = self.at(name, self.batch, t, self.head)
        if operand.kind == self.problem.compute:
            return base
        target = k.pointer(self.rows, slot * self.problem.size, self.problem.compute)
        whole = self.problem.size // self.lanes * self.lanes
        for at in k.range(0, whole, self.lanes):
            k.store(k.convert(k.load(base, at, operand.kind.vector(self.lanes)), self.problem.compute), target, at)
        for rest in range(whole, self.problem.size):
            k.store(k.convert(k.load(base, rest, operand.kind), self.problem.compute), target, rest)
        return target

    def earlier_key(self, t: Value) -> Value:
        """The row of k of a step that `row` has seen, with slot t % 2."""
        if self.problem["k"].kind == self.problem.compute:
            return self.at("k", self.batch, t, self.head)
        return self.k.pointer(self.rows, t % 2 * self.problem.size, self.problem.compute)

    def scalar(self, name: str, t: Value) -> Value:
        """g or beta of a step."""
        operand = self.problem[name]
        return self.k.convert(self.k.load(self.at(name, self.batch, t, self.head), 0, operand.kind), self.problem.compute)

    def dot(self, a: Value, b: Value) -> Value:
        """The product of two rows."""
        k, whole = self.k, self.problem.size // self.lanes * self.lanes
        total = k.var(0, self.vector)
        for at in k.range(0, whole, self.lanes):
            total.set(k.fma(k.load(a, at, self.vector), k.load(b, at, self.vector), total.get()))
        result = k.reduce_add(total.get())
        for rest in range(whole, self.problem.size):
            result = k.fma(k.load(a, rest, self.problem.compute), k.load(b, rest, self.problem.compute), result)
        return result

    def splat(self, row: Value, index: Value) -> Value:
        """An element of a row in every lane."""
        return self.k.splat(self.k.load(row, index, self.problem.compute), self.lanes)

    def each_row(self) -> Iterator[Value]:
        """A loop over the rows of the state, some at a time in straight code."""
        whole = self.problem.size // _ROWS * _ROWS
        for start in self.k.range(0, whole, _ROWS):
            yield from (start + index for index in range(_ROWS))
        yield from (self.k.index(index) for index in range(whole, self.problem.size))

    # -- the state in scratch
    def load_state(self) -> None:
        """Columns of the given state, or zeros."""
        k = self.k
        for row in k.range(self.problem.size):
            if "state" in self.problem:
                values = self.load("state", self.at("state", self.batch, self.head, row))
            else:
                values = [k.constant(0, self.vector)] * self.vectors
            for part, value in enumerate(values):
                k.store(value, self.table, row * self.width + part * self.lanes)

    def rescale(self, factor: Value) -> None:
        """T *= factor."""
        k, wide = self.k, self.k.splat(factor, self.lanes)
        for row in k.range(self.problem.size):
            for part in range(0, self.width, self.lanes):
                k.store(k.load(self.table, row * self.width + part, self.vector) * wide, self.table, row * self.width + part)

    def run(self, active: Value, steps: Value) -> None:
        """Steps [0, active) on the state in scratch, then read it out for the steps left; the new state is written."""
        k = self.k
        self.load_state()
        pending = [k.var(0, self.vector) for _ in range(self.vectors)]  # d/γ of the step before
        for t in k.range(active):
            key, query = self.row("k", t, t % 2), self.row("q", t, k.index(2))
            last = self.earlier_key(k.maximum(t - 1, 0))
            self._prefetch(t)
            change, before = [each.get() for each in pending], k.splat(self.decay.get(), self.lanes)
            found, read = ([k.var(0, self.vector) for _ in range(self.vectors)] for _ in range(2))
            for row in self.each_row():
                old, new, wanted = self.splat(last, row), self.splat(key, row), self.splat(query, row)
                for part in range(self.vectors):
                    place = row * self.width + part * self.lanes
                    value = self._updated(k.load(self.table, place, self.vector), old, change[part], before)
                    k.store(value, self.table, place)
                    found[part].set(k.fma(value, new, found[part].get()))
                    read[part].set(k.fma(value, wanted, read[part].get()))
            decay = exp(k, self.scalar("g", t)) if self.problem.in_order else self._separate_decay(t)
            # m and p were read before rescaling: they belong to the factor `decay`
            wide, beta = k.splat(decay, self.lanes), k.splat(self.scalar("beta", t), self.lanes)
            overlap = k.splat(self.dot(key, query), self.lanes)
            if self.problem.in_order:
                self.decay.set(decay)
            inverse = k.splat(k.constant(1.0, self.problem.compute) / self.decay.get(), self.lanes)
            values, results = self.load("v", self.at("v", self.batch, t, self.head)), []
            for part, value in enumerate(values):
                difference = (value - wide * found[part].get()) * beta
                results.append(k.fma(overlap, difference, wide * read[part].get()) * (1 / math.sqrt(self.problem.size)))
                pending[part].set(difference if self.problem.in_order else difference * inverse)
            self.store("o", results, self.at("o", self.batch, t, self.head))
        self.finish(active, [each.get() for each in pending])
        if "length" in self.problem:
            for t in k.range(active, steps):
                self.read_out(t)

    def _updated(self, state: Value, key: Value, change: Value, decay: Value) -> Value:
        """A vector of the state after a step's update."""
        k = self.k
        return k.fma(state, decay, change * key) if self.problem.in_order else k.fma(key, change, state)

    def _separate_decay(self, t: Value) -> Value:
        """The decay of all steps so far; where that leaves the range, the state takes it in."""
        k = self.k
        decay = self.decay.get() * exp(k, self.scalar("g", t))
        lost = ((decay > _SMALLEST) & (decay < 1 / _SMALLEST)) == 0
        self.decay.set(decay)
        with k.when(lost):
            self.rescale(decay)
            self.decay.set(1.0)
        return decay

    def _prefetch(self, t: Value) -> None:
        """The rows two steps on: each step's rows lie far from the last one's."""
        k = self.k
        for name in ("k", "q"):
            operand = self.problem[name]
            base = self.at(name, self.batch, t + 2, self.head)
            for line in range(0, self.problem.size * operand.kind.size, 64):
                k.prefetch(base, line)

    def finish(self, active: Value, pending: list[Value]) -> None:
        """Add the delayed update, apply the separate decay, write the state; scratch then holds it."""
        k = self.k
        wide = k.splat(self.decay.get(), self.lanes)
        key = self.earlier_key(k.maximum(active - 1, 0))
        with k.when(active > 0):
            for row in k.range(self.problem.size):
                old = self.splat(key, row)
                for part in range(self.vectors):
                    place = row * self.width + part * self.lanes
                    value = self._updated(k.load(self.table, place, self.vector), old, pending[part], wide)
                    k.store(value if self.problem.in_order else value * wide, self.table, place)
        for row in k.range(self.problem.size):
            places = [row * self.width + part * self.lanes for part in range(self.vectors)]
            values = [k.load(self.table, place, self.vector) for place in places]
            self.store("after", values, self.at("after", self.batch, self.head, row))

    def read_out(self, t: Value) -> None:
        """o = Sᵀq/√n of the state in scratch."""
        k = self.k
        query = self.row("q", t, k.index(2))
        read = [k.var(0, self.vector) for _ in range(self.vectors)]
        for row in self.each_row():
            wanted = self.splat(query, row)
            for part in range(self.vectors):
                value = k.load(self.table, row * self.width + part * self.lanes, self.vector)
                read[part].set(k.fma(value, wanted, read[part].get()))
        results = [each.get() * (1 / math.sqrt(self.problem.size)) for each in read]
        self.store("o", results, self.at("o", self.batch, t, self.head))

    def single(self) -> None:
        """One step: the given state is read twice, the new one written once."""
        k, zero = self.k, self.k.index(0)
        key, query = self.row("k", zero, zero), self.row("q", zero, k.index(2))
        found, read = ([k.var(0, self.vector) for _ in range(self.vectors)] for _ in range(2))
        if "state" in self.problem:
            for row in self.each_row():
                new, wanted = self.splat(key, row), self.splat(query, row)
                for part, value in enumerate(self.load("state", self.at("state", self.batch, self.head, row))):
                    found[part].set(k.fma(value, new, found[part].get()))
                    read[part].set(k.fma(value, wanted, read[part].get()))
        wide = k.splat(exp(k, self.scalar("g", zero)), self.lanes)
        beta, overlap = (k.splat(value, self.lanes) for value in (self.scalar("beta", zero), self.dot(key, query)))
        change, results = [], []
        for part, value in enumerate(self.load("v", self.at("v", self.batch, zero, self.head))):
            change.append((value - wide * found[part].get()) * beta)
            results.append(k.fma(overlap, change[part], wide * read[part].get()) * (1 / math.sqrt(self.problem.size)))
        self.store("o", results, self.at("o", self.batch, zero, self.head))
        for row in k.range(self.problem.size):
            new = self.splat(key, row)
            values = [each * new for each in change]
            if "state" in self.problem:
                old = self.load("state", self.at("state", self.batch, self.head, row))
                values = [k.fma(before, wide, value) for before, value in zip(old, values, strict=True)]
            self.store("after", values, self.at("after", self.batch, self.head, row))


def _emit(code: KernelCode, problem: DeltaNetProblem) -> None:
    k = code.code
    blocks, heads, steps = problem.blocks(code.target), index_of(code, problem.heads), index_of(code, problem.steps)
    for number in k.range(k.begin, k.end):
        pair = number // blocks
        width = problem.vectors(code.target) * code.target.lanes(problem.compute)
        unit = _DeltaNetUnit(code, problem, pair.udiv(heads), pair.urem(heads), number % blocks * width)
        active = problem.operands.active_steps(code, unit.batch, steps)
        one = (active == 1) & (steps == 1)
        with k.when(one):
            unit.single()
        with k.otherwise():
            unit.decay.set(1.0)
            unit.run(active, steps)


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """The gated delta net on f32, f64, f16 and bf16; the elements of a head must be adjacent."""
    operands = Operands.of(_NAMES, inputs, ("o", "after"), outputs, ("q", "k", "v", "state", "o", "after"))
    if isinstance(operands, str):
        return operands
    q, state = inputs[0], inputs[5] if len(inputs) > 5 else None
    assert q is not None
    batch, steps, heads, _ = q.dims
    problem = DeltaNetProblem(batch, steps, operands, heads, op["state_size"], target.batch_invariant)
    present = [index for index, tensor in enumerate(inputs) if tensor is not None]
    units = problem.batch * problem.heads * problem.blocks(target)
    emit = partial(_emit, problem=problem)
    places, scratch = (*present, len(inputs), len(inputs) + 1), _DeltaNetUnit.scratch_bytes(problem, target)
    pair = ((5, 1),) if state is not None and state.dtype is outputs[1].dtype else ()
    return Lowering((Stage("gated_delta_net", problem, places, units, emit, scratch),), in_place=pair)
