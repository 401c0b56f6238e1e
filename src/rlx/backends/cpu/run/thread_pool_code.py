"""The pool of worker threads in native code: `rlx_run(job, pool)`, `rlx_worker(pool, number)`, `rlx_stop(pool)`.

Compiled once per machine and stored in the disk cache, so that a process need not import the code that emits it.

**The gate.** A job is open to as many workers as it has seats; the word is `seats << 32 | tickets taken`. A worker
that sees one free takes a ticket with one atomic addition, whose old value says whether it has a seat and which. The caller
never waits for a worker to arrive: it starts alone and closes the gate (one exchange with 0) when nothing is left to
claim. Only then does it wait for those with a seat to leave, after which it owns the job's memory again.
"""

from __future__ import annotations

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.values import I64, PTR, Value
from rlx.backends.cpu.run.commands import REFUSED, JobField, PoolField
from rlx.backends.cpu.run.run_loop import RunLoop, define_run_loop, float_mode, set_float_mode
from rlx.backends.cpu.run.waiting import SLEEPERS, Platform, Waiting, define_waiting
from rlx.backends.cpu.target import Target

_TICKETS = 0xFFFFFFFF
"""The bits of the gate that count tickets."""


def native_text(target: Target, platform: Platform | None = None) -> str:
    """The LLVM text of the run loop and the pool: `rlx_run(job, pool)`, `rlx_worker(pool, number)`, `rlx_stop(pool)`."""
    module = Module(target)
    waiting = define_waiting(module, platform)
    loop = define_run_loop(module, waiting)
    _define_run(module, waiting, loop)
    _define_worker(module, waiting, loop)
    _define_stop(module, waiting)
    return waiting.globals + module.text()


def _define_run(module: Module, waiting: Waiting, loop: RunLoop) -> None:
    """Defines `i64 rlx_run(job, pool)`: runs a job and returns its status; without the pool if that is null or not useful.

    The thread whose job the pool is running can get here again from a host call; that inner job runs only on it.
    """
    k = module.function("rlx_run", [("job", PTR), ("pool", PTR)], I64)
    job, pool = k.parameters
    callers_mode = float_mode(k)
    set_float_mode(k)
    useful = k.call(loop.prepare, job)
    with k.when(useful == 0):
        set_float_mode(k, callers_mode)
        k.ret(REFUSED)
    shared = k.var(0)
    with k.when((useful > 1) & (k.address_of(pool) != 0)):
        shared.set(k.select(k.load_atomic(pool, PoolField.OWNER) == k.call(waiting.self), 0, 1))
    with k.when(shared.get() != 0):
        k.call(_define_shared_run(module, waiting, loop), job, pool, useful)
    with k.otherwise():
        k.call(loop.walk_alone, job)
    set_float_mode(k, callers_mode)
    k.ret(k.load(k.load(job, JobField.STATUS, PTR), 0, I64))


def _define_shared_run(module: Module, waiting: Waiting, loop: RunLoop) -> Function:
    """Emits a run with the pool: waits for the turn, runs the job with the workers, hands the turn to the next caller."""
    k = module.function("rlx_run_shared", [("job", PTR), ("pool", PTR), ("useful", I64)], internal=True)
    job, pool, useful = k.parameters
    _take_turn(k, waiting, pool)
    seats = k.minimum(useful - 1, k.load(pool, PoolField.WORKERS, I64))
    with k.when(seats > 0):
        k.call(_define_open(module, waiting), pool, job, seats)
        k.call(loop.walk, job, 0, 0)
        gate = k.exchange(pool, PoolField.GATE, 0)
        k.call(waiting.wait_for, k.pointer(pool, PoolField.LEFT, I64), k.minimum(gate & _TICKETS, seats))
    with k.otherwise():
        k.call(loop.walk_alone, job)
    _give_turn(k, waiting, pool)
    return k


def _take_turn(k: Function, waiting: Waiting, pool: Value) -> None:
    """Emits a fair lock: callers of the pool wait here in native code, without the GIL."""
    k.call(waiting.wait_for, k.pointer(pool, PoolField.TURN, I64), k.fetch_add(pool, PoolField.TICKET, 1))
    k.store_atomic(k.call(waiting.self), pool, PoolField.OWNER)


def _give_turn(k: Function, waiting: Waiting, pool: Value) -> None:
    k.store_atomic(0, pool, PoolField.OWNER)
    k.call(waiting.signal, k.pointer(pool, PoolField.TURN, I64), 1)


def _define_open(module: Module, waiting: Waiting) -> Function:
    """Defines the function that opens the gate and wakes as many sleepers as there are seats that awake workers cannot fill."""
    k = module.function("rlx_open", [("pool", PTR), ("job", PTR), ("seats", I64)], internal=True)
    pool, job, seats = k.parameters
    k.store(job, pool, PoolField.JOB)
    k.store(0, pool, PoolField.LEFT, I64)
    k.call(waiting.wake_from_here, pool)
    k.store_atomic(seats << 32, pool, PoolField.GATE)
    k.fetch_add(pool, PoolField.EPOCH, 1, I64, "seq_cst")
    sleepers = k.load_atomic(pool, PoolField.EPOCH + SLEEPERS, I64, "seq_cst")
    missing = seats - (k.load(pool, PoolField.WORKERS, I64) - sleepers)
    with k.when(missing > 0):
        k.call(waiting.wake, pool, missing)
    return k


def _define_worker(module: Module, waiting: Waiting, loop: RunLoop) -> None:
    """Defines `rlx_worker(pool, number)`: runs jobs until the pool stops. Its seat is its arrival order, its home its number."""
    k = module.function("rlx_worker", [("pool", PTR), ("number", I64)])
    pool, number = k.parameters
    set_float_mode(k)
    epoch = k.var(0)
    with k.loop() as jobs:
        epoch.set(k.call(waiting.wait_for, pool, epoch.get() + 1))
        jobs.stop(k.load_atomic(pool, PoolField.STOP) != 0)
        seen = k.load_atomic(pool, PoolField.GATE)
        with k.when((seen & _TICKETS) < seen.ushr(32)):  # a full gate is only read: of many workers, most find it so
            ticket = k.fetch_add(pool, PoolField.GATE, 1)
            seat = ticket & _TICKETS
            with k.when(seat < ticket.ushr(32)):
                k.call(loop.walk, k.load(pool, PoolField.JOB, PTR), seat + 1, number)
                k.call(waiting.signal, k.pointer(pool, PoolField.LEFT, I64), 1)


def _define_stop(module: Module, waiting: Waiting) -> None:
    """Defines `i64 rlx_stop(pool)`: after the running job, stops the workers. 0 if this thread is running it."""
    k = module.function("rlx_stop", [("pool", PTR)], I64)
    pool = k.parameters[0]
    with k.when(k.load_atomic(pool, PoolField.OWNER) == k.call(waiting.self)):
        k.ret(0)
    _take_turn(k, waiting, pool)
    k.store(0, pool, PoolField.WORKERS, I64)
    k.store_atomic(1, pool, PoolField.STOP)
    k.call(waiting.signal, pool, 1)
    _give_turn(k, waiting, pool)
    k.ret(1)
