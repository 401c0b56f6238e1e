"""What the threads of a job have done and taken, each in cache lines of its own.

On many cores a line that all of them write to goes around once for every write, about 0.1 µs each time: a counter of claims or of
completed units, shared by sixteen, costs as much as a small product. So each thread has a record:

    DONE      how many units it has completed, of all commands. Only the thread itself writes it; who waits at a barrier adds up
              the records of all
    CLAIMED   the first unit of its share that nobody has claimed, of commands claimed by shares (LONG_RUNS). Units are numbered
              over all commands, so the number only grows, and of a later command a late thread finds nothing left. A thread that is
              through with its own share claims from the others'

A thread begins with the same share in every command of every job, its home, whenever it comes: what it has packed, it reads, from memory
that is near (see `thread_pool.py`) or from its own cache. Two with one home would only share it.

A thread that has waited long sleeps on the job's signal DONE, whose number is moved on for sleepers alone. No wake-up is lost: the
sleeper counts itself, reads that number and then the records; the other writes its record and then reads the count of sleepers.
"""

from __future__ import annotations

from collections.abc import Callable

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.types import I64, PTR
from rlx.backends.cpu.emit.values import Operand, Value
from rlx.backends.cpu.run.commands import JobField, ProgressField
from rlx.backends.cpu.run.waiting import EVERYONE, SLEEPERS, Waiting, emit_wait


def clear_progress(k: Function, job: Value) -> None:
    """Before a run: nothing is done, nothing is claimed."""
    records = k.load(job, JobField.PROGRESS, PTR)
    for thread in k.range(k.load(job, JobField.N_THREADS, I64)):
        for field in (ProgressField.DONE, ProgressField.CLAIMED):
            k.store(0, records, thread * ProgressField.STRIDE + field, I64)
    k.store(0, job, JobField.DONE, I64)


class ThreadProgress:
    """The records of a job's threads, in the walk of one of them."""

    def __init__(self, k: Function, waiting: Waiting, job: Value, thread: Value, home: Value) -> None:
        self.k, self.waiting, self.job, self.thread = k, waiting, job, thread
        self.records, self.threads = k.load(job, JobField.PROGRESS, PTR), k.load(job, JobField.N_THREADS, I64)
        self.home = home.urem(self.threads)
        self.own = k.var(0)  # this thread's units

    def add(self, units: Operand) -> None:
        """So many more units of this thread are complete."""
        k = self.k
        self.own.set(self.own.get() + units)
        k.store_atomic(self.own.get(), self.records, self.thread * ProgressField.STRIDE + ProgressField.DONE, I64, "seq_cst")
        signal = k.pointer(self.job, JobField.DONE, I64)
        with k.when(k.load_atomic(signal, SLEEPERS, I64, "seq_cst") > 0):
            k.fetch_add(signal, 0, 1, I64, "seq_cst")
            k.call(self.waiting.wake, signal, EVERYONE)

    def wait_for(self, units: Value) -> None:
        """Until so many units are complete."""
        signal = self.k.pointer(self.job, JobField.DONE, I64)
        self.k.call(_define_wait_for_units(self.k.module, self.waiting), self.records, self.threads, signal, units)

    def claim_shares(self, start: Value, units: Value, runs: Value, run: Callable[[Value, Value], None]) -> None:
        """The units from number `start` on: the runs of the thread's home in order, then what is left of the others'.

        So each thread reads memory as one contiguous stream.
        """
        k = self.k
        size = _parts(units, self.threads)
        step = _parts(size, runs)
        for turn in k.range(self.threads):
            after = self.home + turn
            share = k.select(after < self.threads, after, after - self.threads)
            first, last = (start + k.minimum(number * size, units) for number in (share, share + 1))
            place = share * ProgressField.STRIDE + ProgressField.CLAIMED
            with k.loop() as claims:
                seen = k.load_atomic(self.records, place, I64)
                begin = k.maximum(seen, first)
                claims.stop(begin >= last)
                end = k.minimum(begin + step, last)
                _, mine = k.compare_exchange(self.records, place, seen, end)
                with k.when(mine):
                    run(begin - start, end - start)


def _define_wait_for_units(module: Module, waiting: Waiting) -> Function:
    def emit(k: Function) -> None:
        records, threads, signal, target = k.parameters

        def measure(order: str) -> Value:
            total = k.var(0)
            for thread in k.range(threads):
                place = thread * ProgressField.STRIDE + ProgressField.DONE
                total.set(total.get() + k.load_atomic(records, place, I64, order))
            return total.get()

        emit_wait(k, signal, target, measure, waiting.wait, waiting.give_way, waiting.now)

    parameters = [("records", PTR), ("threads", I64), ("signal", PTR), ("target", I64)]
    return module.shared("rlx_wait_for_units", parameters, emit, I64)


def _parts(count: Value, parts: Value) -> Value:
    """The maximum size of each part: ceiling division."""
    return (count + (parts - 1)).udiv(parts)
