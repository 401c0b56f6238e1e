"""The gated delta net in its recurrent form, one pass over the state for each step, and its gradients.

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

**Backward.** A unit is (batch row, head). Rows of a state are keys, vectors run along its values; a backward step is two sweeps, since
dv must be known before dS is complete:

    dS += q⊗o′,  dq = S·o′,  e = dSᵀk           with o′ = do/√n
    dv = β·e,  dS -= k⊗dv,  dk = dS·d - T·dv,  dg = Σ dS·T,  dS *= e^g        with T = e^g·S′ and d = (v - Tᵀk)·β
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial, reduce

from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.math.exponential import exp
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.attention.running_softmax import merge_lanes
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.kernels.recurrence.steps import BackwardCode, Recurrence, StepCode, name_operands, number_tensors
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv
from rlx.ir.op import Op

_NAMES = ("q", "k", "v", "g", "beta", "state", "length")
_VECTORS = 4  # of columns in a unit: three sets of them and three broadcasts fill sixteen registers
_ROWS = 4  # rows of the state in straight code
_SMALLEST = 2.0**-30
_BACKWARD_NAMES = ("q", "k", "v", "g", "beta", "do", "state", "d_state", "length")
_BACKWARD_RESULTS = ("dq", "dk", "dv", "dg", "dbeta", "d_before")
_BACKWARD_DENSE = ("q", "k", "v", "do", "state", "d_state", "dq", "dk", "dv", "d_before")
_CHUNK = (
    32  # steps between the states that a backward pass stores; those and a chunk's take about the same memory for a thousand steps
)


@dataclass(frozen=True)
class DeltaNetProblem(Recurrence):
    """One gated delta net: its number of heads, each with a state of `size` keys and values."""

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
        """Columns of a head in full blocks."""
        return self.blocks(target) * self.vectors(target) * target.lanes(self.compute)

    def scratch(self, target: Target) -> dict[str, int]:
        """The scratch of the forward net: the block of the state, and rows of q and two of k in the compute type."""
        return {"table": self.size * self.vectors(target) * target.lanes(self.compute), "rows": 3 * self.size}

    def backward_scratch(self, target: Target) -> dict[str, int]:
        """The scratch of the gradients: rows, sums and states; the states at chunk boundaries come after them."""
        lanes, width = target.lanes(self.compute), self.width(target)
        rows, table = -(-self.size // lanes) * lanes, self.size * width
        sizes = {"keys": self.size, "queries": self.size, "seeds": width, "values": width, "lost": _CHUNK * width}
        sizes |= {
            "query_sums": rows * lanes,
            "key_sums": rows * lanes,
            "state": table,
            "back": table,
            "states": (_CHUNK + 1) * table,
        }
        return {**{name: -(-size // 16) * 16 for name, size in sizes.items()}, "borders": 0}


class _DeltaCode(StepCode[DeltaNetProblem]):
    """Emits what the delta net and its gradients share."""

    batch: Value
    head: Value

    def row(self, name: str, t: Value) -> Value:
        """The address of this head's row of a step."""
        return self.at(name, self.batch, t, self.head)

    def number(self, name: str, t: Value) -> Value:
        """Load g or beta of a step."""
        return self.k.convert(self.k.load(self.row(name, t), 0, self.problem[name].kind), self.compute)


class _DeltaForward(_DeltaCode):
    """Emits the delta net for one unit: a block of columns of one head of one batch row."""

    def __init__(self, code: KernelCode, problem: DeltaNetProblem, batch: Value, head: Value, column: Value) -> None:
        super().__init__(code, problem, problem.scratch(code.target))
        self.batch, self.head, self.column = batch, head, column
        self.vectors = problem.vectors(code.target)
        self.width = self.vectors * self.lanes
        self.left = problem.size - column  # columns there are
        self.table, self.rows = self.part("table"), self.part("rows")
        self.decay = self.k.var(1.0, self.compute)

    # -- elements
    def load(self, name: str, base: Value) -> list[Value]:
        """Load this unit's columns of a row, in the compute type, zeros past the last."""
        k, kind = self.k, self.problem[name].kind.vector(self.lanes)
        values = []
        for part in range(0, self.width, self.lanes):
            is_full = self._is_inside(part)
            at = self.column + part
            loaded = k.load(base, at, kind) if is_full else k.load_masked(base, at, self.left - part, kind)
            values.append(k.convert(loaded, self.compute))
        return values

    def store(self, name: str, values: list[Value], base: Value) -> None:
        """Store this unit's columns of a row."""
        k, kind = self.k, self.problem[name].kind
        for part, value in zip(range(0, self.width, self.lanes), values, strict=True):
            stored = k.convert(value, kind)
            if self._is_inside(part):
                k.store(stored, base, self.column + part)
            else:
                k.store_masked(stored, base, self.column + part, self.left - part)

    def _is_inside(self, part: int) -> bool:
        return self.problem.size % self.width == 0 or (self.problem.size < self.width and part + self.lanes <= self.problem.size)

    def dense_row(self, name: str, t: Value, slot: Value) -> Value:
        """The address of a row of q or k, dense and in the compute type: in place, or converted into a slot of scratch."""
        k, operand = self.k, self.problem[name]
        base = self.row(name, t)
        if operand.kind == self.compute:
            return base
        target = k.pointer(self.rows, slot * self.problem.size, self.compute)
        in_vectors = self.problem.size // self.lanes * self.lanes
        for at in k.range(0, in_vectors, self.lanes):
            k.store(k.convert(k.load(base, at, operand.kind.vector(self.lanes)), self.compute), target, at)
        for rest in range(in_vectors, self.problem.size):
            k.store(k.convert(k.load(base, rest, operand.kind), self.compute), target, rest)
        return target

    def earlier_key(self, t: Value) -> Value:
        """The address of the row of k that `dense_row` has loaded for a step, with slot t % 2."""
        if self.problem["k"].kind == self.compute:
            return self.row("k", t)
        return self.k.pointer(self.rows, t % 2 * self.problem.size, self.compute)

    def dot(self, a: Value, b: Value) -> Value:
        """The dot product of two rows."""
        k, in_vectors = self.k, self.problem.size // self.lanes * self.lanes
        total = k.var(0, self.vector)
        for at in k.range(0, in_vectors, self.lanes):
            total.set(k.fma(k.load(a, at, self.vector), k.load(b, at, self.vector), total.get()))
        result = k.reduce_add(total.get())
        for rest in range(in_vectors, self.problem.size):
            result = k.fma(k.load(a, rest, self.compute), k.load(b, rest, self.compute), result)
        return result

    def each_row(self) -> Iterator[Value]:
        """Loop over the rows of the state, some at a time in straight-line code."""
        unrolled = self.problem.size // _ROWS * _ROWS
        for start in self.k.range(0, unrolled, _ROWS):
            yield from (start + index for index in range(_ROWS))
        yield from (self.k.index(index) for index in range(unrolled, self.problem.size))

    # -- the state in scratch
    def load_state(self) -> None:
        """Load the unit's columns of the initial state, or zeros."""
        k = self.k
        for row in k.range(self.problem.size):
            if "state" in self.problem:
                values = self.load("state", self.at("state", self.batch, self.head, row))
            else:
                values = [k.constant(0, self.vector)] * self.vectors
            for part, value in enumerate(values):
                k.store(value, self.table, row * self.width + part * self.lanes)

    def rescale(self, factor: Value) -> None:
        """Multiply the state by a factor: T *= factor."""
        k, wide = self.k, self.k.splat(factor, self.lanes)
        for row in k.range(self.problem.size):
            for part in range(0, self.width, self.lanes):
                k.store(k.load(self.table, row * self.width + part, self.vector) * wide, self.table, row * self.width + part)

    def run(self, active: Value, steps: Value) -> None:
        """Run the steps [0, active) on the state in scratch, then read it out for the remaining steps; the new state is stored."""
        k = self.k
        self.load_state()
        pending = [k.var(0, self.vector) for _ in range(self.vectors)]  # d/γ of the step before
        for t in k.range(active):
            key, query = self.dense_row("k", t, t % 2), self.dense_row("q", t, k.index(2))
            last = self.earlier_key(k.maximum(t - 1, 0))
            self._prefetch(t)
            change, before = [each.get() for each in pending], k.splat(self.decay.get(), self.lanes)
            along_key, along_query = ([k.var(0, self.vector) for _ in range(self.vectors)] for _ in range(2))
            for row in self.each_row():
                old, new, asked = self.splat(last, row), self.splat(key, row), self.splat(query, row)
                for part in range(self.vectors):
                    at = row * self.width + part * self.lanes
                    value = self._update(k.load(self.table, at, self.vector), old, change[part], before)
                    k.store(value, self.table, at)
                    along_key[part].set(k.fma(value, new, along_key[part].get()))
                    along_query[part].set(k.fma(value, asked, along_query[part].get()))
            decay = exp(k, self.number("g", t)) if self.problem.in_order else self._separate_decay(t)
            # m and p were read before rescaling: they belong to the factor `decay`
            wide, beta = k.splat(decay, self.lanes), k.splat(self.number("beta", t), self.lanes)
            overlap = k.splat(self.dot(key, query), self.lanes)
            if self.problem.in_order:
                self.decay.set(decay)
            inverse = k.splat(k.constant(1.0, self.compute) / self.decay.get(), self.lanes)
            values, results = self.load("v", self.row("v", t)), []
            for part, value in enumerate(values):
                difference = (value - wide * along_key[part].get()) * beta
                results.append(k.fma(overlap, difference, wide * along_query[part].get()) * (1 / math.sqrt(self.problem.size)))
                pending[part].set(difference if self.problem.in_order else difference * inverse)
            self.store("o", results, self.row("o", t))
        self.finish(active, [each.get() for each in pending])
        if "length" in self.problem:
            for t in k.range(active, steps):
                self.read_out(t)

    def _update(self, state: Value, key: Value, change: Value, decay: Value) -> Value:
        """Compute a vector of the state after a step's update."""
        k = self.k
        return k.fma(state, decay, change * key) if self.problem.in_order else k.fma(key, change, state)

    def _separate_decay(self, t: Value) -> Value:
        """Accumulate the decay of all steps as a separate factor; multiply the state by it where it would leave the float range."""
        k = self.k
        decay = self.decay.get() * exp(k, self.number("g", t))
        lost = ((decay > _SMALLEST) & (decay < 1 / _SMALLEST)) == 0
        self.decay.set(decay)
        with k.when(lost):
            self.rescale(decay)
            self.decay.set(1.0)
        return decay

    def _prefetch(self, t: Value) -> None:
        """Prefetch the rows of the step after next: each step's rows are far from the last one's."""
        k = self.k
        for name in ("k", "q"):
            operand = self.problem[name]
            base = self.row(name, t + 2)
            for line in range(0, self.problem.size * operand.kind.size, 64):
                k.prefetch(base, line)

    def finish(self, active: Value, pending: list[Value]) -> None:
        """Add the delayed update, apply the separate decay, and store the state; scratch then holds it."""
        k = self.k
        wide = k.splat(self.decay.get(), self.lanes)
        key = self.earlier_key(k.maximum(active - 1, 0))
        with k.when(active > 0):
            for row in k.range(self.problem.size):
                old = self.splat(key, row)
                for part in range(self.vectors):
                    at = row * self.width + part * self.lanes
                    value = self._update(k.load(self.table, at, self.vector), old, pending[part], wide)
                    k.store(value if self.problem.in_order else value * wide, self.table, at)
        for row in k.range(self.problem.size):
            offsets = [row * self.width + part * self.lanes for part in range(self.vectors)]
            values = [k.load(self.table, offset, self.vector) for offset in offsets]
            self.store("after", values, self.at("after", self.batch, self.head, row))

    def read_out(self, t: Value) -> None:
        """Compute the output o = Sᵀq/√n from the state in scratch."""
        k = self.k
        query = self.dense_row("q", t, k.index(2))
        along_query = [k.var(0, self.vector) for _ in range(self.vectors)]
        for row in self.each_row():
            asked = self.splat(query, row)
            for part in range(self.vectors):
                value = k.load(self.table, row * self.width + part * self.lanes, self.vector)
                along_query[part].set(k.fma(value, asked, along_query[part].get()))
        results = [each.get() * (1 / math.sqrt(self.problem.size)) for each in along_query]
        self.store("o", results, self.row("o", t))

    def single(self) -> None:
        """Run a single step: the initial state is read twice, the new one written once."""
        k, zero = self.k, self.k.index(0)
        key, query = self.dense_row("k", zero, zero), self.dense_row("q", zero, k.index(2))
        along_key, along_query = ([k.var(0, self.vector) for _ in range(self.vectors)] for _ in range(2))
        if "state" in self.problem:
            for row in self.each_row():
                new, asked = self.splat(key, row), self.splat(query, row)
                for part, value in enumerate(self.load("state", self.at("state", self.batch, self.head, row))):
                    along_key[part].set(k.fma(value, new, along_key[part].get()))
                    along_query[part].set(k.fma(value, asked, along_query[part].get()))
        wide = k.splat(exp(k, self.number("g", zero)), self.lanes)
        beta, overlap = (k.splat(value, self.lanes) for value in (self.number("beta", zero), self.dot(key, query)))
        change, results = [], []
        for part, value in enumerate(self.load("v", self.row("v", zero))):
            change.append((value - wide * along_key[part].get()) * beta)
            results.append(k.fma(overlap, change[part], wide * along_query[part].get()) * (1 / math.sqrt(self.problem.size)))
        self.store("o", results, self.row("o", zero))
        for row in k.range(self.problem.size):
            new = self.splat(key, row)
            values = [each * new for each in change]
            if "state" in self.problem:
                old = self.load("state", self.at("state", self.batch, self.head, row))
                values = [k.fma(before, wide, value) for before, value in zip(old, values, strict=True)]
            self.store("after", values, self.at("after", self.batch, self.head, row))


def _emit_net(code: KernelCode, problem: DeltaNetProblem) -> None:
    k = code.code
    blocks, heads, steps = problem.blocks(code.target), index_of(code, problem.heads), index_of(code, problem.steps)
    for number in k.range(k.begin, k.end):
        pair = number // blocks
        width = problem.vectors(code.target) * code.target.lanes(problem.compute)
        unit = _DeltaForward(code, problem, pair.udiv(heads), pair.urem(heads), number % blocks * width)
        active = unit.active_steps(unit.batch, steps)
        with k.when((active == 1) & (steps == 1)):
            unit.single()
        with k.otherwise():
            unit.decay.set(1.0)
            unit.run(active, steps)


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `gated_delta_net` on f32, f64, f16 and bf16; the elements of a head must be adjacent."""
    operands = name_operands(_NAMES, inputs, ("o", "after"), outputs, ("q", "k", "v", "state", "o", "after"))
    if isinstance(operands, str):
        return operands
    q, state = inputs[0], inputs[5] if len(inputs) > 5 else None
    assert q is not None
    batch, steps, heads, _ = q.dims
    problem = DeltaNetProblem(batch, steps, operands, heads, op["state_size"], target.batch_invariant)
    units = problem.batch * problem.heads * problem.blocks(target)
    emit, scratch = partial(_emit_net, problem=problem), sum(problem.scratch(target).values()) * problem.compute.size
    pair = ((5, 1),) if state is not None and state.dtype is outputs[1].dtype else ()
    return Lowering((Stage("gated_delta_net", problem, number_tensors(inputs, 2), units, emit, scratch),), in_place=pair)


# -- gradients ----------------------------------------------------------------------------------------------------
class _BackwardDeltaCode(_DeltaCode, BackwardCode[DeltaNetProblem]):
    """Emits the delta net's gradients of one head of one batch row."""

    def __init__(self, code: KernelCode, problem: DeltaNetProblem) -> None:
        super().__init__(code, problem, problem.backward_scratch(code.target))
        self.size, self.width = problem.size, problem.width(code.target)
        self.table = self.size * self.width
        self.sweep = problem.vectors(code.target) * self.lanes
        self.steps = index_of(code, problem.steps)

    # -- scratch and operands
    def copy_row(self, name: str, base: Value, target: Value, width: int, factor: float = 1.0) -> None:
        """Copy a row of `size` numbers into scratch, zeros up to `width`."""
        k, kind = self.k, self.problem[name].kind.vector(self.lanes)
        for at in range(0, width, self.lanes):
            count = min(self.lanes, self.size - at)
            value = k.convert(k.load_masked(base, at, count, kind), self.compute) if count > 0 else k.constant(0, self.vector)
            k.store_masked(value * factor if factor != 1.0 else value, target, at, min(self.lanes, width - at))

    def store_row(self, name: str, base: Value, at: int, value: Value) -> None:
        """Store a vector into a row of a result."""
        count = min(self.lanes, self.size - at)
        if count > 0:
            self.k.store_masked(self.k.convert(value, self.problem[name].kind), base, at, count)

    def fill_table(self, name: str, target: Value) -> None:
        """Fill the state table of a head from an operand, or with zeros if it is missing."""
        if name not in self.problem:
            self.copy_table(None, target)
            return
        for row in self.k.range(self.size):
            base = self.at(name, self.batch, self.head, row)
            self.copy_row(name, base, self.k.pointer(target, row * self.width, self.compute), self.width)

    def load(self, base: Value, at: Value) -> list[Value]:
        """Load the vectors of a sweep over columns."""
        return [self.k.load(base, at + part, self.vector) for part in range(0, self.sweep, self.lanes)]

    def store(self, values: list[Value], base: Value, at: Value) -> None:
        """Store the vectors of a sweep over columns."""
        for part, value in zip(range(0, self.sweep, self.lanes), values, strict=True):
            self.k.store(value, base, at + part)

    # -- time
    def run(self, batch: Value, head: Value) -> None:
        """Run forward over the chunks, then backward chunk by chunk."""
        k = self.k
        self.batch, self.head = batch, head
        active = self.active_steps(batch, self.steps)
        self.fill_table("state", self.part("state"))
        self.fill_table("d_state", self.part("back"))
        self.run_chunks(_CHUNK, active, self.steps)
        if "state" in self.problem:
            for row in k.range(self.size):
                base, source = self.at("d_before", self.batch, self.head, row), self.part("back", row * self.width)
                for at in range(0, self.width, self.lanes):
                    self.store_row("d_before", base, at, k.load(source, at, self.vector))

    def advance(self, t: Value, before: Value, after: Value, slot: Value | None) -> None:
        """Advance the net by one step; v - Tᵀk is saved."""
        k = self.k
        keys, values, lost = self.part("keys"), self.part("values"), self.part("lost", 0 if slot is None else slot * self.width)
        self.copy_row("k", self.row("k", t), keys, self.size)
        self.copy_row("v", self.row("v", t), values, self.width)
        decay, beta = (k.splat(number, self.lanes) for number in (exp(k, self.number("g", t)), self.number("beta", t)))
        for column in k.range(0, self.width, self.sweep):
            along = [k.var(0, self.vector) for _ in range(0, self.sweep, self.lanes)]
            for row in k.range(self.size):
                key = self.splat(keys, row)
                for total, old in zip(along, self.load(before, row * self.width + column), strict=True):
                    total.set(k.fma(key, old, total.get()))
            missing = [value - decay * total.get() for value, total in zip(self.load(values, column), along, strict=True)]
            self.store(missing, lost, column)
            changes = [each * beta for each in missing]
            for row in k.range(self.size):
                key, at = self.splat(keys, row), row * self.width + column
                pairs = zip(changes, self.load(before, at), strict=True)
                self.store([k.fma(key, change, decay * old) for change, old in pairs], after, at)

    def step_back(self, t: Value, before: Value, after: Value, slot: Value) -> None:
        """Compute the delta net's gradients of one step, backward."""
        k = self.k
        self._begin(t)
        self.copy_row("k", self.row("k", t), self.part("keys"), self.size)
        decay, beta = (k.splat(number, self.lanes) for number in (exp(k, self.number("g", t)), self.number("beta", t)))
        lost, gate, share = self.part("lost", slot * self.width), k.var(0, self.vector), k.var(0, self.vector)
        for column in k.range(0, self.width, self.sweep):
            along = self._read_state(column, after, self.part("keys"))
            missing = self.load(lost, column)
            share.set(reduce(operator.add, (e * each for e, each in zip(along, missing, strict=True)), share.get()))
            dv, changes = [e * beta for e in along], [each * beta for each in missing]
            self.store(dv, self.part("values"), column)
            for row in k.range(self.size):
                key, at = self.splat(self.part("keys"), row), row * self.width + column
                total, carried = k.load(self.part("key_sums"), row * self.lanes, self.vector), []
                for part, (ds, old) in enumerate(zip(self.load(self.part("back"), at), self.load(before, at), strict=True)):
                    decayed = decay * old
                    total = k.fma(ds, changes[part], total) - decayed * dv[part]
                    inner = ds - key * dv[part]
                    gate.set(k.fma(inner, decayed, gate.get()))
                    carried.append(inner * decay)
                k.store(total, self.part("key_sums"), row * self.lanes)
                self.store(carried, self.part("back"), at)
        self._store_sums("dq", t, "query_sums")
        self._store_sums("dk", t, "key_sums")
        for part in range(0, self.width, self.lanes):
            self.store_row("dv", self.row("dv", t), part, k.load(self.part("values"), part, self.vector))
        for name, lanes in (("dg", gate), ("dbeta", share)):
            k.store(k.convert(k.reduce_add(lanes.get()), self.problem[name].kind), self.row(name, t), 0)

    def step_past_length(self, t: Value) -> None:
        """Compute dq alone for a step past the length; the gradients of the other operands are zeros."""
        k, zero = self.k, self.k.constant(0, self.vector)
        self._begin(t)
        for column in k.range(0, self.width, self.sweep):
            self._read_state(column, self.part("state"), self.part("queries"))
        self._store_sums("dq", t, "query_sums")
        for name in ("dk", "dv"):
            for at in range(0, self.width, self.lanes):
                self.store_row(name, self.row(name, t), at, zero)
        for name in ("dg", "dbeta"):
            k.store(k.convert(k.constant(0, self.compute), self.problem[name].kind), self.row(name, t), 0)

    def _begin(self, t: Value) -> None:
        """Load q and o′ of a step into scratch, and zero its accumulators."""
        k = self.k
        self.copy_row("q", self.row("q", t), self.part("queries"), self.size)
        self.copy_row("do", self.row("do", t), self.part("seeds"), self.width, 1 / math.sqrt(self.size))
        for sums in ("query_sums", "key_sums"):
            for at in k.range(0, self.size * self.lanes, self.lanes):
                k.store(k.constant(0, self.vector), self.part(sums), at)

    def _read_state(self, column: Value, state: Value, keys: Value) -> list[Value]:
        """Add the gradient of the step's output: dS += q⊗o′, dq += S·o′ lane by lane; returns dSᵀk for a sweep of columns."""
        k = self.k
        seeds, back = self.load(self.part("seeds"), column), self.part("back")
        along = [k.var(0, self.vector) for _ in seeds]
        for row in k.range(self.size):
            query, key, at = self.splat(self.part("queries"), row), self.splat(keys, row), row * self.width + column
            changed = [k.fma(query, seed, ds) for seed, ds in zip(seeds, self.load(back, at), strict=True)]
            self.store(changed, back, at)
            total = k.load(self.part("query_sums"), row * self.lanes, self.vector)
            for seed, old, ds, e in zip(seeds, self.load(state, at), changed, along, strict=True):
                total = k.fma(seed, old, total)
                e.set(k.fma(key, ds, e.get()))
            k.store(total, self.part("query_sums"), row * self.lanes)
        return [e.get() for e in along]

    def _store_sums(self, name: str, t: Value, sums: str) -> None:
        """Reduce sums that are stored lane by lane, and store them as one row of a result."""
        k = self.k
        for at in range(0, self.size, self.lanes):
            vectors = [k.load(self.part(sums), (at + lane) * self.lanes, self.vector) for lane in range(self.lanes)]
            (total,) = merge_lanes(k, vectors, operator.add)
            self.store_row(name, self.row(name, t), at, total)


def _emit_backward(code: KernelCode, problem: DeltaNetProblem) -> None:
    unit, k = _BackwardDeltaCode(code, problem), code.code
    heads = index_of(code, problem.heads)
    for number in k.range(k.begin, k.end):
        unit.run(number.udiv(heads), number.urem(heads))


def lower_backward(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `gated_delta_net_backward` on f32, f64, f16 and bf16; the elements of a head must be adjacent."""
    operands = name_operands(_BACKWARD_NAMES, inputs, _BACKWARD_RESULTS[: len(outputs)], outputs, _BACKWARD_DENSE)
    if isinstance(operands, str):
        return operands
    q = inputs[0]
    assert q is not None
    batch, steps, heads, _ = q.dims
    problem = DeltaNetProblem(batch, steps, operands, heads, int(op["state_size"]))
    borders = ceildiv(steps, _CHUNK) * (problem.size * problem.width(target))
    scratch = (borders + sum(problem.backward_scratch(target).values())) * problem.compute.size
    tensors, emit = number_tensors(inputs, len(outputs)), partial(_emit_backward, problem=problem)
    return Lowering((Stage("gated_delta_net_backward", problem, tensors, batch * heads, emit, scratch),))
